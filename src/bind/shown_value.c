/*
 * Literals as text: what result columns and messages show of them, and Java's text of floating-
 * point numbers.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bind/expr.h"

#define MICROS_PER_MINUTE (60 * NILAS_MICROS_PER_SECOND)
#define MICROS_PER_HOUR   (60 * MICROS_PER_MINUTE)

/** Fewest digits that read back as the same number: "d.ddde±xx" in `text`. */
static void shortest(double value, bool is_float, char *text, size_t size) {
    int most = is_float ? 8 : 16;
    for (int digits = 1; digits <= most; digits++) { // Java prints two digits at least
        (void)snprintf(text, size, "%.*e", digits, value);
        bool same = is_float ? (double)strtof(text, NULL) == value : strtod(text, NULL) == value;
        if (same) {
            return;
        }
    }
}

/** Java writes 0.001 <= |x| < 10^7 plainly, all else as d.ddE±x. */
static void print_digits(nilas_buf *out, const char *digits, size_t count, int exponent) {
    if (exponent >= -3 && exponent < 7) {
        if (exponent < 0) {
            nilas_buf_add_text(out, "0.");
            for (int i = -1; i > exponent; i--) {
                nilas_buf_add_char(out, '0');
            }
            nilas_buf_add_bytes(out, digits, count);
            return;
        }
        for (size_t i = 0; i < count || i <= (size_t)exponent + 1; i++) {
            if (i == (size_t)exponent + 1) {
                nilas_buf_add_char(out, '.');
            }
            nilas_buf_add_char(out, i < count ? digits[i] : '0');
        }
        return;
    }
    nilas_buf_add_char(out, digits[0]);
    nilas_buf_add_char(out, '.');
    if (count == 1) {
        nilas_buf_add_char(out, '0');
    }
    nilas_buf_add_bytes(out, digits + 1, count - 1);
    nilas_buf_print(out, "E%d", exponent);
}

void nilas_bind__print_double(nilas_buf *out, double value, bool is_float) {
    if (isnan(value)) {
        nilas_buf_add_text(out, "NaN");
        return;
    }
    if (signbit(value)) {
        nilas_buf_add_char(out, '-');
        value = -value;
    }
    if (isinf(value) || value == 0) {
        nilas_buf_add_text(out, isinf(value) ? "Infinity" : "0.0");
        return;
    }
    char text[40];
    char digits[40];
    size_t count = 0;
    shortest(value, is_float, text, sizeof(text));
    const char *at = text;
    for (; *at != 'e' && *at != '\0'; at++) {
        if (*at != '.') {
            digits[count++] = *at;
        }
    }
    while (count > 1 && digits[count - 1] == '0') {
        count--;
    }
    nilas_assert(*at == 'e');
    print_digits(out, digits, count, (int)strtol(at + 1, NULL, 10));
}

// ---- intervals -------------------------------------------------------------------------------

static const char *unit_name(nilas_interval_unit unit) {
    static const char *const names[] = {"YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"};
    return unit <= NILAS_UNIT_SECOND ? names[unit] : "SECOND";
}

static void print_seconds(nilas_buf *out, uint64_t micros) {
    nilas_buf_print(out, "%02llu", (unsigned long long)(micros / 1000000));
    uint64_t fraction = micros % 1000000;
    if (fraction == 0) {
        return;
    }
    char text[8];
    (void)snprintf(text, sizeof(text), "%06llu", (unsigned long long)fraction);
    size_t size = 6;
    while (text[size - 1] == '0') {
        size--;
    }
    nilas_buf_add_char(out, '.');
    nilas_buf_add_bytes(out, text, size);
}

static void print_day_time(nilas_buf *out, const nilas_type *type, int64_t micros) {
    static const int64_t sizes[] = {0, 0, NILAS_MICROS_PER_DAY, MICROS_PER_HOUR, MICROS_PER_MINUTE,
                                    1};
    uint64_t rest = micros < 0 ? 0 - (uint64_t)micros : (uint64_t)micros;
    if (micros < 0) {
        nilas_buf_add_char(out, '-');
    }
    for (nilas_interval_unit unit = type->from_unit; unit <= type->to_unit; unit++) {
        if (unit > type->from_unit) {
            nilas_buf_add_char(out, unit == NILAS_UNIT_HOUR ? ' ' : ':');
        }
        if (unit == NILAS_UNIT_SECOND) {
            print_seconds(out, rest);
            return;
        }
        nilas_buf_print(out, unit == NILAS_UNIT_DAY ? "%llu" : "%02llu",
                        (unsigned long long)(rest / (uint64_t)sizes[unit]));
        rest %= (uint64_t)sizes[unit];
    }
}

static void print_year_month(nilas_buf *out, const nilas_type *type, int64_t months) {
    int64_t absolute = months < 0 ? -months : months;
    const char *sign = months < 0 ? "-" : "";
    if (type->from_unit == NILAS_UNIT_MONTH) {
        nilas_buf_print(out, "%s%lld", sign, (long long)absolute);
    } else if (type->to_unit == NILAS_UNIT_YEAR) {
        nilas_buf_print(out, "%s%lld", sign, (long long)(absolute / 12));
    } else {
        nilas_buf_print(out, "%s%lld-%lld", sign, (long long)(absolute / 12),
                        (long long)(absolute % 12));
    }
}

void nilas_bind__print_interval(nilas_buf *out, const nilas_type *type, const nilas_value *value) {
    nilas_buf_add_text(out, "INTERVAL '");
    if (nilas_type_is(type, NILAS_TYPE_INTERVAL_YEAR_MONTH)) {
        print_year_month(out, type, value->integer);
    } else {
        print_day_time(out, type, value->integer);
    }
    nilas_buf_print(out, "' %s", unit_name(type->from_unit));
    if (type->to_unit != type->from_unit) {
        nilas_buf_print(out, " TO %s", unit_name(type->to_unit));
    }
}

// ---- literals --------------------------------------------------------------------------------

static void print_bytes(nilas_buf *out, nilas_str bytes) {
    nilas_buf_add_text(out, "X'");
    for (size_t i = 0; i < bytes.size; i++) {
        nilas_buf_print(out, "%02X", (unsigned char)bytes.data[i]);
    }
    nilas_buf_add_char(out, '\'');
}

static void print_datetime(nilas_buf *out, const nilas_zone *zone, const nilas_type *type,
                           int64_t value) {
    switch (type->kind) {
    case NILAS_TYPE_DATE:
        nilas_buf_add_text(out, "DATE '");
        nilas_date_print(out, value);
        break;
    case NILAS_TYPE_TIME: {
        uint64_t micros = (uint64_t)value;
        nilas_buf_print(out, "TIME '%02llu:%02llu:", (unsigned long long)(micros / MICROS_PER_HOUR),
                        (unsigned long long)(micros / MICROS_PER_MINUTE % 60));
        print_seconds(out, micros % MICROS_PER_MINUTE);
        break;
    }
    case NILAS_TYPE_TIMESTAMP:
        nilas_buf_add_text(out, "TIMESTAMP '");
        if (zone != NULL) {
            value += (int64_t)nilas_zone_offset_at(zone, value) * NILAS_MICROS_PER_SECOND;
        }
        nilas_timestamp_print(out, value);
        break;
    default:
        nilas_buf_add_text(out, "TIMESTAMP_NTZ '");
        nilas_timestamp_print(out, value);
        break;
    }
    nilas_buf_add_char(out, '\'');
}

static void print_nested(nilas_buf *out, const nilas_zone *zone, const nilas_type *type,
                         const nilas_value *value) {
    size_t per_entry = value->kind == NILAS_VALUE_MAP ? 2 : 1;
    const char *name = value->kind == NILAS_VALUE_MAP    ? "map("
                       : value->kind == NILAS_VALUE_LIST ? "array("
                                                         : "struct(";
    nilas_buf_add_text(out, name);
    for (size_t i = 0; i < value->count * per_entry; i++) {
        size_t field = value->kind == NILAS_VALUE_STRUCT ? i : i % per_entry;
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        nilas_bind__print_literal(out, zone, type->fields[field].type, &value->items[i]);
    }
    nilas_buf_add_char(out, ')');
}

void nilas_bind__print_literal(nilas_buf *out, const nilas_zone *zone, const nilas_type *type,
                               const nilas_value *value) {
    switch (value->kind) {
    case NILAS_VALUE_NULL: nilas_buf_add_text(out, "NULL"); break;
    case NILAS_VALUE_BOOL: nilas_buf_add_text(out, value->boolean ? "true" : "false"); break;
    case NILAS_VALUE_FLOAT: nilas_bind__print_double(out, value->real, true); break;
    case NILAS_VALUE_DOUBLE: nilas_bind__print_double(out, value->real, false); break;
    case NILAS_VALUE_DECIMAL: nilas_decimal_print(out, value->decimal, value->scale); break;
    case NILAS_VALUE_STRING: nilas_buf_add(out, value->text); break;
    case NILAS_VALUE_BINARY: print_bytes(out, value->text); break;
    case NILAS_VALUE_LIST:
    case NILAS_VALUE_MAP:
    case NILAS_VALUE_STRUCT: print_nested(out, zone, type, value); break;
    case NILAS_VALUE_INT:
        if (nilas_type_is_integral(type)) {
            nilas_int128_print(out, value->integer);
        } else if (nilas_type_is(type, NILAS_TYPE_INTERVAL_YEAR_MONTH) ||
                   nilas_type_is(type, NILAS_TYPE_INTERVAL_DAY_TIME)) {
            nilas_bind__print_interval(out, type, value);
        } else {
            print_datetime(out, zone, type, value->integer);
        }
        break;
    }
}
