/** Casts from string, and between numbers where Spark and DuckDB differ. Failures carry Spark's
 *  conditions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/udf_row.h"

#include "tree/tree.h"

/** The value as Spark quotes it in messages. */
static void fail_malformed(nilas_row *row, const char *type) {
    nilas_str text = nilas_row__text(row, 0);
    nilas_row__fail(row, "CAST_INVALID_INPUT",
                    "The value '%.*s' of the type \"STRING\" cannot be cast to \"%s\" because it "
                    "is malformed. Correct the value as per the "
                    "syntax, or change its target type. Use `try_cast` to tolerate malformed input "
                    "and return NULL instead.",
                    NILAS_FMT(text), type);
}

/* --- integers --- */

/** extra: bits */
static void string_to_integer(nilas_row *row) {
    static const char *const names[] = {"TINYINT", "SMALLINT", "INT", "BIGINT"};
    int64_t value = 0;
    int64_t bits = row->udf->extra;
    const char *name = names[bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : 3];
    int64_t limit = bits == 64 ? INT64_MAX : (1LL << (bits - 1)) - 1;
    nilas_str text = nilas_str_trim(nilas_row__text(row, 0));
    if (!nilas_str_to_int64(text, &value) || value > limit || value < -limit - 1) {
        fail_malformed(row, name);
        return;
    }
    nilas_row__set_integer(row, value);
}

/** Whether all is digits, and how many. */
static bool is_digits(nilas_str text) {
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] < '0' || text.data[i] > '9') {
            return false;
        }
    }
    return true;
}

/** Legacy: what stands behind a point is cut off, "." is 0. extra: bits */
static void string_to_cut_integer(nilas_row *row) {
    nilas_str text = nilas_str_trim(nilas_row__text(row, 0));
    size_t point = nilas_str_find(text, NILAS_STR("."), 0);
    int64_t value = 0;
    int64_t bits = row->udf->extra;
    int64_t limit = bits == 64 ? INT64_MAX : (1LL << (bits - 1)) - 1;
    nilas_str whole = point == SIZE_MAX ? text : nilas_str_slice(text, 0, point);
    bool has_sign = whole.size > 0 && (whole.data[0] == '-' || whole.data[0] == '+');
    bool bare = point != SIZE_MAX && whole.size == (has_sign ? 1 : 0);
    bool good = bare || nilas_str_to_int64(whole, &value);
    good = good && (point == SIZE_MAX || is_digits(nilas_str_slice(text, point + 1, text.size)));
    if (!good || value > limit || value < -limit - 1) {
        nilas_row__set_null(row);
        return;
    }
    nilas_row__set_integer(row, value);
}

/** Big-endian bytes. extra: how many */
static void integer_to_binary(nilas_row *row) {
    char bytes[8];
    size_t size = (size_t)row->udf->extra;
    uint64_t value = (uint64_t)nilas_row__integer(row, 0);
    for (size_t i = 0; i < size; i++) {
        bytes[size - 1 - i] = (char)(value >> (8 * i));
    }
    nilas_row__set_text(row, (nilas_str){.data = bytes, .size = size});
}

/** (decimal, precision, scale); extra: bits */
static void decimal_to_integer(nilas_row *row) {
    static const char *const names[] = {"TINYINT", "SMALLINT", "INT", "BIGINT"};
    uint32_t scale = 0;
    int64_t bits = row->udf->extra;
    nilas_int128 unscaled = nilas_row__decimal(row, 0, &scale);
    nilas_int128 value = unscaled / nilas_power_of_ten(scale);
    nilas_int128 limit = ((nilas_int128)1 << (bits - 1)) - 1;
    if (value <= limit && value >= -limit - 1) {
        nilas_row__set_integer(row, (int64_t)value);
        return;
    }
    NILAS_AUTO_BUF shown = {0};
    nilas_decimal_print(&shown, unscaled, scale);
    nilas_row__fail(row, "CAST_OVERFLOW",
                    "The value %.*sBD of the type \"DECIMAL(%d,%d)\" cannot be cast to \"%s\" due "
                    "to an overflow. Use `try_cast` to tolerate overflow and return NULL instead.",
                    NILAS_FMT(nilas_buf_view(&shown)), nilas_row__int(row, 1),
                    nilas_row__int(row, 2),
                    names[bits == 8    ? 0
                          : bits == 16 ? 1
                          : bits == 32 ? 2
                                       : 3]);
}

static void string_to_boolean(nilas_row *row) {
    static const char *const yes[] = {"t", "true", "y", "yes", "1"};
    static const char *const no[] = {"f", "false", "n", "no", "0"};
    nilas_str text = nilas_str_trim(nilas_row__text(row, 0));
    for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++) {
        if (nilas_str_is_nocase(text, yes[i]) || nilas_str_is_nocase(text, no[i])) {
            nilas_row__set_boolean(row, nilas_str_is_nocase(text, yes[i]));
            return;
        }
    }
    fail_malformed(row, "BOOLEAN");
}

/** Legacy: the low bits. extra unused. */
static void wrap_integer(nilas_row *row) {
    nilas_row__set_integer(row, (int64_t)(uint64_t)nilas_row__hugeint(row, 0));
}

/** Legacy: a real is cut at the limits of int (then of the type), NaN is 0. extra: bits */
static void saturate_integer(nilas_row *row) {
    double value = nilas_row__double(row, 0);
    bool is_long = row->udf->extra == 64;
    double low = is_long ? -0x1p63 : -0x1p31;
    double high = is_long ? 0x1p63 : 0x1p31 - 1;
    int64_t result = 0;
    if (value >= high) {
        result = is_long ? INT64_MAX : INT32_MAX;
    } else if (value <= low) {
        result = is_long ? INT64_MIN : INT32_MIN;
    } else if (!isnan(value)) {
        result = (int64_t)value;
    }
    nilas_row__set_integer(row, result);
}

/* --- reals --- */

static bool special_real(nilas_str text, double *out) {
    bool negative = text.size > 0 && text.data[0] == '-';
    bool has_sign = negative || (text.size > 0 && text.data[0] == '+');
    nilas_str word = has_sign ? nilas_str_slice(text, 1, text.size) : text;
    if (nilas_str_is_nocase(word, "inf") || nilas_str_is_nocase(word, "infinity")) {
        *out = negative ? -INFINITY : INFINITY;
        return true;
    }
    if (!has_sign && nilas_str_is_nocase(word, "nan")) {
        *out = NAN;
        return true;
    }
    return false;
}

/** Java's parseDouble: digits, point, exponent, and a suffix d or f. */
static bool parse_real(nilas_str text, double *out) {
    char copy[400];
    bool digit = false;
    if (special_real(text, out)) {
        return true;
    }
    if (text.size > 1 && strchr("dDfF", text.data[text.size - 1]) != NULL) {
        text.size--;
    }
    if (text.size == 0 || text.size >= sizeof(copy)) {
        return false;
    }
    for (size_t i = 0; i < text.size; i++) {
        digit = digit || (text.data[i] >= '0' && text.data[i] <= '9');
        if (text.data[i] == '\0' || strchr("0123456789.eE+-", text.data[i]) == NULL) {
            return false;
        }
    }
    memcpy(copy, text.data, text.size);
    copy[text.size] = '\0';
    char *end = NULL;
    *out = strtod(copy, &end);
    return digit && *end == '\0';
}

static void string_to_double(nilas_row *row) {
    double value = 0;
    if (!parse_real(nilas_str_trim(nilas_row__text(row, 0)), &value)) {
        fail_malformed(row, "DOUBLE");
        return;
    }
    nilas_row__set_double(row, value);
}

static void string_to_float(nilas_row *row) {
    double value = 0;
    if (!parse_real(nilas_str_trim(nilas_row__text(row, 0)), &value)) {
        fail_malformed(row, "FLOAT");
        return;
    }
    nilas_row__set_float(row, (float)value);
}

static void double_to_float(nilas_row *row) {
    nilas_row__set_float(row, (float)nilas_row__double(row, 0));
}

static void double_to_bigint(nilas_row *row) {
    double value = nilas_row__double(row, 0);
    int64_t result = isnan(value)       ? 0
                     : value >= 0x1p63  ? INT64_MAX
                     : value <= -0x1p63 ? INT64_MIN
                                        : (int64_t)value;
    nilas_row__set_bigint(row, result);
}

/* --- decimals: (value, precision, scale) -> unscaled --- */

static void fail_decimal(nilas_row *row, nilas_str shown) {
    nilas_row__fail(row, "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION",
                    " %.*s cannot be represented as Decimal(%d, %d). If necessary set "
                    "\"spark.sql.ansi.enabled\" to \"false\" to bypass this "
                    "error, and return NULL instead.",
                    NILAS_FMT(shown), nilas_row__int(row, 1), nilas_row__int(row, 2));
}

static void set_decimal(nilas_row *row, nilas_int128 unscaled, uint32_t scale) {
    uint32_t precision = (uint32_t)nilas_row__int(row, 1);
    uint32_t target = (uint32_t)nilas_row__int(row, 2);
    nilas_int128 result = 0;
    if (nilas_decimal_rescale(unscaled, scale, target, &result) &&
        nilas_decimal_digits(result) <= precision) {
        nilas_row__set_hugeint(row, result);
        return;
    }
    NILAS_AUTO_BUF shown = {0};
    nilas_decimal_print(&shown, unscaled, scale);
    fail_decimal(row, nilas_buf_view(&shown));
}

static void string_to_decimal(nilas_row *row) {
    nilas_int128 unscaled = 0;
    uint32_t scale = (uint32_t)nilas_row__int(row, 2);
    char type[40];
    bool fits = false;
    nilas_str text = nilas_str_trim(nilas_row__text(row, 0));
    if (!nilas_decimal_parse_rounded(text, scale, &unscaled, &fits)) {
        snprintf(type, sizeof(type), "DECIMAL(%d,%d)", nilas_row__int(row, 1),
                 nilas_row__int(row, 2));
        fail_malformed(row, type);
    } else if (!fits) {
        fail_decimal(row, text);
    } else {
        set_decimal(row, unscaled, scale);
    }
}

/** As Java: by way of the double's text. */
static void double_to_decimal(nilas_row *row) {
    double value = nilas_row__double(row, 0);
    nilas_int128 unscaled = 0;
    uint32_t scale = 0;
    bool fits = false;
    if (!isfinite(value)) {
        nilas_row__set_null(row);
        return;
    }
    nilas_real_print(row->text, value, false);
    scale = (uint32_t)nilas_row__int(row, 2);
    if (!nilas_decimal_parse_rounded(nilas_buf_view(row->text), scale, &unscaled, &fits) || !fits) {
        fail_decimal(row, nilas_buf_view(row->text));
        return;
    }
    set_decimal(row, unscaled, scale);
}

/* --- times --- */

static void string_to_date(nilas_row *row) {
    int64_t days = 0;
    if (!nilas_date_parse(nilas_row__text(row, 0), &days)) {
        fail_malformed(row, "DATE");
        return;
    }
    nilas_row__set_integer(row, days);
}

static void string_to_timestamp(nilas_row *row) {
    int64_t micros = 0;
    bool has_zone = false;
    if (!nilas_timestamp_parse(nilas_row__text(row, 0), row->context->zone, &micros, &has_zone)) {
        fail_malformed(row, "TIMESTAMP");
        return;
    }
    nilas_row__set_bigint(row, has_zone ? micros : nilas_zone_to_utc(row->context->zone, micros));
}

static void string_to_timestamp_ntz(nilas_row *row) {
    int64_t micros = 0;
    if (!nilas_timestamp_ntz_parse(nilas_row__text(row, 0), true, &micros)) {
        fail_malformed(row, "TIMESTAMP_NTZ");
        return;
    }
    nilas_row__set_bigint(row, micros);
}

/* --- intervals --- */

/** What stands between the quotes of INTERVAL '…' UNIT, or the whole text. */
static nilas_str interval_body(nilas_str text) {
    text = nilas_str_trim(text);
    if (nilas_str_starts_nocase(text, NILAS_STR("interval"))) {
        size_t open = nilas_str_find(text, NILAS_STR("'"), 0);
        size_t close = open != SIZE_MAX ? nilas_str_find(text, NILAS_STR("'"), open + 1) : SIZE_MAX;
        if (close != SIZE_MAX) {
            return nilas_str_slice(text, open + 1, close - open - 1);
        }
    }
    return text;
}

typedef struct number_scanner {
    nilas_str text;
    size_t at;
} number_scanner;

static bool scan_number(number_scanner *s, int64_t *out) {
    size_t start = s->at;
    int64_t value = 0;
    while (s->at < s->text.size && s->text.data[s->at] >= '0' && s->text.data[s->at] <= '9' &&
           value < 1000000000000000) {
        value = value * 10 + (s->text.data[s->at++] - '0');
    }
    *out = value;
    return s->at > start;
}

static bool scan_char(number_scanner *s, char c) {
    if (s->at < s->text.size && s->text.data[s->at] == c) {
        s->at++;
        return true;
    }
    return false;
}

static bool parse_sign(number_scanner *s) {
    bool negative = scan_char(s, '-');
    (void)(negative || scan_char(s, '+'));
    return negative;
}

static void string_to_year_month(nilas_row *row) {
    number_scanner s = {.text = interval_body(nilas_row__text(row, 0))};
    bool negative = parse_sign(&s);
    int64_t first = 0, second = 0;
    bool good = scan_number(&s, &first);
    bool pair = good && scan_char(&s, '-');
    good = good && (!pair || scan_number(&s, &second)) && s.at == s.text.size && second < 12;
    int64_t months =
        pair || nilas_row__int(row, 1) == NILAS_UNIT_YEAR ? first * 12 + second : first;
    if (!good || months > INT32_MAX) {
        fail_malformed(row, "INTERVAL YEAR TO MONTH");
        return;
    }
    nilas_row__set_int(row, (int32_t)(negative ? -months : months));
}

/** Digits after the point as microseconds. */
static int64_t scan_fraction(number_scanner *s) {
    int64_t micros = 0;
    int64_t weight = 100000;
    while (s->at < s->text.size && s->text.data[s->at] >= '0' && s->text.data[s->at] <= '9') {
        micros += (s->text.data[s->at++] - '0') * weight;
        weight /= 10;
    }
    return micros;
}

static void string_to_day_time(nilas_row *row) {
    static const int64_t sizes[] = {86400000000, 3600000000, 60000000, 1000000};
    number_scanner s = {.text = interval_body(nilas_row__text(row, 0))};
    bool negative = parse_sign(&s);
    int64_t micros = 0;
    bool good = true;
    int from = nilas_row__int(row, 1) - NILAS_UNIT_DAY;
    int to = nilas_row__int(row, 2) - NILAS_UNIT_DAY;
    for (int unit = from; unit <= to && good; unit++) {
        int64_t number = 0;
        good = (unit == from || scan_char(&s, unit == 1 ? ' ' : ':')) && scan_number(&s, &number);
        good = good && !__builtin_mul_overflow(number, sizes[unit], &number) &&
               !__builtin_add_overflow(micros, number, &micros);
    }
    if (good && to == 3 && scan_char(&s, '.')) {
        micros += scan_fraction(&s);
    }
    if (!good || s.at != s.text.size) {
        fail_malformed(row, "INTERVAL DAY TO SECOND");
        return;
    }
    nilas_row__set_bigint(row, negative ? -micros : micros);
}

const nilas_udf nilas_engine__cast_functions[] = {
    {"nilas_string_to_boolean", "s>b", string_to_boolean, 0, 0},
    {"nilas_string_to_tinyint", "s>t", string_to_integer, 0, 8},
    {"nilas_string_to_smallint", "s>h", string_to_integer, 0, 16},
    {"nilas_string_to_int", "s>i", string_to_integer, 0, 32},
    {"nilas_string_to_bigint", "s>l", string_to_integer, 0, 64},
    {"nilas_string_to_cut_tinyint", "s>t", string_to_cut_integer, 0, 8},
    {"nilas_string_to_cut_smallint", "s>h", string_to_cut_integer, 0, 16},
    {"nilas_string_to_cut_int", "s>i", string_to_cut_integer, 0, 32},
    {"nilas_string_to_cut_bigint", "s>l", string_to_cut_integer, 0, 64},
    {"nilas_decimal_to_tinyint", "aii>t", decimal_to_integer, 0, 8},
    {"nilas_decimal_to_smallint", "aii>h", decimal_to_integer, 0, 16},
    {"nilas_decimal_to_int", "aii>i", decimal_to_integer, 0, 32},
    {"nilas_decimal_to_bigint", "aii>l", decimal_to_integer, 0, 64},
    {"nilas_integer_to_binary", "t>x", integer_to_binary, 0, 1},
    {"nilas_integer_to_binary", "h>x", integer_to_binary, 0, 2},
    {"nilas_integer_to_binary", "i>x", integer_to_binary, 0, 4},
    {"nilas_integer_to_binary", "l>x", integer_to_binary, 0, 8},
    {"nilas_wrap_tinyint", "g>t", wrap_integer, 0, 8},
    {"nilas_wrap_smallint", "g>h", wrap_integer, 0, 16},
    {"nilas_wrap_int", "g>i", wrap_integer, 0, 32},
    {"nilas_wrap_bigint", "g>l", wrap_integer, 0, 64},
    {"nilas_saturate_tinyint", "d>t", saturate_integer, 0, 8},
    {"nilas_saturate_smallint", "d>h", saturate_integer, 0, 16},
    {"nilas_saturate_int", "d>i", saturate_integer, 0, 32},
    {"nilas_saturate_bigint", "d>l", saturate_integer, 0, 64},
    {"nilas_string_to_double", "s>d", string_to_double, 0, 0},
    {"nilas_string_to_float", "s>f", string_to_float, 0, 0},
    {"nilas_double_to_float", "d>f", double_to_float, 0, 0},
    {"nilas_double_to_bigint", "d>l", double_to_bigint, 0, 0},
    {"nilas_string_to_decimal", "sii>n", string_to_decimal, 0, 0},
    {"nilas_double_to_decimal", "dii>n", double_to_decimal, 0, 0},
    {"nilas_string_to_date", "s>D", string_to_date, 0, 0},
    {"nilas_string_to_timestamp", "s>T", string_to_timestamp, 0, 0},
    {"nilas_string_to_timestamp_ntz", "s>N", string_to_timestamp_ntz, 0, 0},
    {"nilas_string_to_year_month", "sii>i", string_to_year_month, 0, 0},
    {"nilas_string_to_day_time", "sii>l", string_to_day_time, 0, 0},
    {NULL, NULL, NULL, 0, 0},
};
