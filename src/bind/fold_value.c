/*
 * CAST of one value, for the types whose conversion is plain: numbers, strings, booleans, dates,
 * timestamps.
 *
 * False means "leave it to the engine": a value that does not convert (the engine raises Spark's
 * error when the row is reached), an overflow, a type not listed here. A conversion done here
 * must be exactly Spark's.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bind/expr.h"

typedef struct conversion {
    nilas_arena *arena;
    const nilas_zone *zone;
    const nilas_value *value;
    const nilas_type *from, *to;
} conversion;

// ---- to integers -----------------------------------------------------------------------------

static bool fits(nilas_type_kind kind, nilas_int128 v) {
    switch (kind) {
    case NILAS_TYPE_TINYINT: return v >= INT8_MIN && v <= INT8_MAX;
    case NILAS_TYPE_SMALLINT: return v >= INT16_MIN && v <= INT16_MAX;
    case NILAS_TYPE_INT: return v >= INT32_MIN && v <= INT32_MAX;
    default: return v >= INT64_MIN && v <= INT64_MAX;
    }
}

static bool to_integer(const conversion *c, nilas_value *out) {
    nilas_int128 number = 0;
    int64_t parsed = 0;
    switch (c->from->kind) {
    case NILAS_TYPE_BOOLEAN: number = c->value->boolean ? 1 : 0; break;
    case NILAS_TYPE_TINYINT:
    case NILAS_TYPE_SMALLINT:
    case NILAS_TYPE_INT:
    case NILAS_TYPE_BIGINT: number = c->value->integer; break;
    case NILAS_TYPE_DECIMAL:
        number = c->value->decimal / nilas_power_of_ten(c->value->scale);
        break;
    case NILAS_TYPE_FLOAT:
    case NILAS_TYPE_DOUBLE:
        if (!(fabs(c->value->real) < 9.2e18)) {
            return false;
        }
        number = (nilas_int128)c->value->real;
        break;
    case NILAS_TYPE_STRING:
        if (!nilas_str_to_int64(nilas_str_trim(c->value->text), &parsed)) {
            return false;
        }
        number = parsed;
        break;
    default: return false;
    }
    if (!fits(c->to->kind, number)) {
        return false;
    }
    *out = nilas_value_of_int((int64_t)number);
    return true;
}

// ---- to floating point -----------------------------------------------------------------------

static bool is_plain_number(nilas_str text) {
    for (size_t i = 0; i < text.size; i++) {
        if (strchr("0123456789+-.eE", text.data[i]) == NULL || text.data[i] == '\0') {
            return false;
        }
    }
    return text.size > 0;
}

static bool string_to_real(const conversion *c, bool is_float, double *out) {
    nilas_str text = nilas_str_trim(c->value->text);
    if (nilas_str_is_nocase(text, "nan")) {
        *out = (double)NAN;
        return true;
    }
    bool negative = nilas_str_is_nocase(text, "-infinity") || nilas_str_is_nocase(text, "-inf");
    if (negative || nilas_str_is_nocase(text, "infinity") || nilas_str_is_nocase(text, "inf")) {
        *out = negative ? -(double)INFINITY : (double)INFINITY;
        return true;
    }
    char copy[128];
    if (!is_plain_number(text) || text.size >= sizeof(copy)) {
        return false;
    }
    memcpy(copy, text.data, text.size);
    copy[text.size] = '\0';
    char *end = NULL;
    *out = is_float ? (double)strtof(copy, &end) : strtod(copy, &end);
    return *end == '\0';
}

static bool to_real(const conversion *c, nilas_value *out) {
    bool is_float = nilas_type_is(c->to, NILAS_TYPE_FLOAT);
    double number = 0;
    switch (c->from->kind) {
    case NILAS_TYPE_BOOLEAN: number = c->value->boolean ? 1 : 0; break;
    case NILAS_TYPE_TINYINT:
    case NILAS_TYPE_SMALLINT:
    case NILAS_TYPE_INT:
    case NILAS_TYPE_BIGINT:
        number = is_float ? (double)(float)c->value->integer : (double)c->value->integer;
        break;
    case NILAS_TYPE_DECIMAL:
        number = nilas_decimal_to_double(c->value->decimal, c->value->scale);
        break;
    case NILAS_TYPE_FLOAT:
    case NILAS_TYPE_DOUBLE: number = c->value->real; break;
    case NILAS_TYPE_STRING:
        if (!string_to_real(c, is_float, &number)) {
            return false;
        }
        break;
    default: return false;
    }
    *out = is_float ? nilas_value_of_float((float)number) : nilas_value_of_double(number);
    return true;
}

// ---- to decimal, boolean, binary -------------------------------------------------------------

static bool real_to_decimal(double real, nilas_int128 *unscaled, uint32_t *scale) {
    if (!isfinite(real)) {
        return false;
    }
    NILAS_AUTO_BUF text = {0};
    nilas_real_print(&text, real, false);
    return nilas_decimal_parse(nilas_buf_view(&text), unscaled, scale);
}

static bool to_decimal(const conversion *c, nilas_value *out) {
    nilas_int128 unscaled = 0;
    uint32_t scale = 0;
    bool ok = true;
    switch (c->from->kind) {
    case NILAS_TYPE_BOOLEAN: unscaled = c->value->boolean ? 1 : 0; break;
    case NILAS_TYPE_TINYINT:
    case NILAS_TYPE_SMALLINT:
    case NILAS_TYPE_INT:
    case NILAS_TYPE_BIGINT: unscaled = c->value->integer; break;
    case NILAS_TYPE_DECIMAL:
        unscaled = c->value->decimal;
        scale = c->value->scale;
        break;
    case NILAS_TYPE_DOUBLE: ok = real_to_decimal(c->value->real, &unscaled, &scale); break;
    case NILAS_TYPE_STRING:
        ok = nilas_decimal_parse(nilas_str_trim(c->value->text), &unscaled, &scale);
        break;
    default: return false;
    }
    nilas_int128 rescaled = 0;
    uint32_t wanted = (uint32_t)c->to->scale;
    if (!ok || !nilas_decimal_rescale(unscaled, scale, wanted, &rescaled) ||
        (rescaled != 0 && nilas_decimal_digits(rescaled) > (uint32_t)c->to->precision)) {
        return false;
    }
    *out = nilas_value_of_decimal(rescaled, wanted);
    return true;
}

static bool string_to_boolean(nilas_str text, bool *out) {
    static const char *const yes[] = {"t", "true", "y", "yes", "1"};
    static const char *const no[] = {"f", "false", "n", "no", "0"};
    for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++) {
        if (nilas_str_is_nocase(text, yes[i]) || nilas_str_is_nocase(text, no[i])) {
            *out = nilas_str_is_nocase(text, yes[i]);
            return true;
        }
    }
    return false;
}

static bool to_boolean(const conversion *c, nilas_value *out) {
    bool value = false;
    if (nilas_type_is_integral(c->from)) {
        value = c->value->integer != 0;
    } else if (nilas_type_is(c->from, NILAS_TYPE_DECIMAL)) {
        value = c->value->decimal != 0;
    } else if (nilas_type_is(c->from, NILAS_TYPE_FLOAT) ||
               nilas_type_is(c->from, NILAS_TYPE_DOUBLE)) {
        value = c->value->real != 0;
    } else if (!nilas_type_is(c->from, NILAS_TYPE_STRING) ||
               !string_to_boolean(nilas_str_trim(c->value->text), &value)) {
        return false;
    }
    *out = nilas_value_of_bool(value);
    return true;
}

// ---- to string -------------------------------------------------------------------------------

static bool print_value(const conversion *c, nilas_buf *text) {
    int64_t integer = c->value->kind == NILAS_VALUE_INT ? c->value->integer : 0;
    switch (c->from->kind) {
    case NILAS_TYPE_BOOLEAN: nilas_buf_add_text(text, c->value->boolean ? "true" : "false"); break;
    case NILAS_TYPE_TINYINT:
    case NILAS_TYPE_SMALLINT:
    case NILAS_TYPE_INT:
    case NILAS_TYPE_BIGINT: nilas_int128_print(text, integer); break;
    case NILAS_TYPE_DECIMAL: nilas_decimal_print(text, c->value->decimal, c->value->scale); break;
    case NILAS_TYPE_FLOAT:
    case NILAS_TYPE_DOUBLE:
        nilas_real_print(text, c->value->real, nilas_type_is(c->from, NILAS_TYPE_FLOAT));
        break;
    case NILAS_TYPE_DATE: nilas_date_print(text, integer); break;
    case NILAS_TYPE_TIMESTAMP_NTZ: nilas_timestamp_print(text, integer); break;
    case NILAS_TYPE_TIMESTAMP: {
        int64_t shift = (int64_t)nilas_zone_offset_at(c->zone, integer) * NILAS_MICROS_PER_SECOND;
        nilas_timestamp_print(text, integer + shift);
        break;
    }
    default: return false;
    }
    return true;
}

static bool to_string(const conversion *c, nilas_value *out) {
    if (nilas_type_is_string(c->from)) {
        *out = *c->value;
        return true;
    }
    NILAS_AUTO_BUF text = {0};
    nilas_str copy = NILAS_STR_EMPTY;
    if (!print_value(c, &text) || nilas_buf_finish(&text, c->arena, &copy, NULL) != NILAS_OK) {
        return false;
    }
    *out = nilas_value_of_str(copy);
    return true;
}

// ---- to dates and times ----------------------------------------------------------------------

static bool to_date(const conversion *c, nilas_value *out) {
    int64_t micros = c->value->kind == NILAS_VALUE_INT ? c->value->integer : 0;
    int64_t days = 0;
    switch (c->from->kind) {
    case NILAS_TYPE_STRING:
        if (!nilas_date_parse(c->value->text, &days)) {
            return false;
        }
        break;
    case NILAS_TYPE_TIMESTAMP:
        micros += (int64_t)nilas_zone_offset_at(c->zone, micros) * NILAS_MICROS_PER_SECOND;
        days = nilas_floor_div(micros, NILAS_MICROS_PER_DAY);
        break;
    case NILAS_TYPE_TIMESTAMP_NTZ: days = nilas_floor_div(micros, NILAS_MICROS_PER_DAY); break;
    default: return false;
    }
    *out = nilas_value_of_int(days);
    return true;
}

static bool to_timestamp(const conversion *c, nilas_value *out) {
    int64_t number = c->value->kind == NILAS_VALUE_INT ? c->value->integer : 0;
    bool has_zone = false;
    switch (c->from->kind) {
    case NILAS_TYPE_STRING:
        if (!nilas_timestamp_parse(c->value->text, c->zone, &number, &has_zone)) {
            return false;
        }
        number = has_zone ? number : nilas_zone_to_utc(c->zone, number);
        break;
    case NILAS_TYPE_DATE: number = nilas_zone_to_utc(c->zone, number * NILAS_MICROS_PER_DAY); break;
    case NILAS_TYPE_TIMESTAMP_NTZ: number = nilas_zone_to_utc(c->zone, number); break;
    case NILAS_TYPE_TINYINT:
    case NILAS_TYPE_SMALLINT:
    case NILAS_TYPE_INT:
    case NILAS_TYPE_BIGINT:
        if (__builtin_mul_overflow(number, NILAS_MICROS_PER_SECOND, &number)) {
            return false;
        }
        break;
    default: return false;
    }
    *out = nilas_value_of_int(number);
    return true;
}

static bool to_timestamp_ntz(const conversion *c, nilas_value *out) {
    int64_t number = c->value->kind == NILAS_VALUE_INT ? c->value->integer : 0;
    switch (c->from->kind) {
    case NILAS_TYPE_STRING:
        if (!nilas_timestamp_ntz_parse(c->value->text, true, &number)) {
            return false;
        }
        break;
    case NILAS_TYPE_DATE: number *= NILAS_MICROS_PER_DAY; break;
    case NILAS_TYPE_TIMESTAMP:
        number += (int64_t)nilas_zone_offset_at(c->zone, number) * NILAS_MICROS_PER_SECOND;
        break;
    default: return false;
    }
    *out = nilas_value_of_int(number);
    return true;
}

bool nilas_bind__cast_value(nilas_arena *arena, const nilas_zone *zone, const nilas_value *value,
                            const nilas_type *from, const nilas_type *to, nilas_value *out) {
    conversion c = {.arena = arena, .zone = zone, .value = value, .from = from, .to = to};
    if (nilas_value_is_null(value)) {
        *out = NILAS_NULL_VALUE;
        return true;
    }
    if (nilas_type_equal(from, to)) {
        *out = *value;
        return true;
    }
    switch (to->kind) {
    case NILAS_TYPE_TINYINT:
    case NILAS_TYPE_SMALLINT:
    case NILAS_TYPE_INT:
    case NILAS_TYPE_BIGINT: return to_integer(&c, out);
    case NILAS_TYPE_FLOAT:
    case NILAS_TYPE_DOUBLE: return to_real(&c, out);
    case NILAS_TYPE_DECIMAL: return to_decimal(&c, out);
    case NILAS_TYPE_BOOLEAN: return to_boolean(&c, out);
    case NILAS_TYPE_STRING: return to->collation.size == 0 && to_string(&c, out);
    case NILAS_TYPE_BINARY:
        *out = nilas_value_of_bytes(value->text);
        return nilas_type_is_string(from);
    case NILAS_TYPE_DATE: return to_date(&c, out);
    case NILAS_TYPE_TIMESTAMP: return to_timestamp(&c, out);
    case NILAS_TYPE_TIMESTAMP_NTZ: return to_timestamp_ntz(&c, out);
    case NILAS_TYPE_INTERVAL_DAY_TIME:
    case NILAS_TYPE_INTERVAL_YEAR_MONTH: return false;
    default: return false;
    }
}
