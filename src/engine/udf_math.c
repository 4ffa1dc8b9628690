/** Real functions with Java's domains: NaN where DuckDB fails, null where Spark gives null
 *  (logarithms of 0 and less). */
#include <math.h>
#include <stdio.h>

#include "engine/udf_row.h"

#define REAL(name, expression)                                                                     \
    static void name(nilas_row *row) {                                                             \
        double x = nilas_row__double(row, 0);                                                      \
        nilas_row__set_double(row, (expression));                                                  \
    }
#define REAL_PAIR(name, expression)                                                                \
    static void name(nilas_row *row) {                                                             \
        double x = nilas_row__double(row, 0);                                                      \
        double y = nilas_row__double(row, 1);                                                      \
        nilas_row__set_double(row, (expression));                                                  \
    }
#define LOGARITHM(name, bound, expression)                                                         \
    static void name(nilas_row *row) {                                                             \
        double x = nilas_row__double(row, 0);                                                      \
        if (x <= (bound)) {                                                                        \
            nilas_row__set_null(row);                                                              \
        } else {                                                                                   \
            nilas_row__set_double(row, (expression));                                              \
        }                                                                                          \
    }

REAL(real_acos, acos(x))
REAL(real_acosh, log(x + sqrt(x * x - 1)))
REAL(real_asin, asin(x))
REAL(real_asinh, isinf(x) && x < 0 ? x : log(x + sqrt(x * x + 1)))
REAL(real_atan, atan(x))
REAL(real_atanh, 0.5 * (log1p(x) - log1p(-x)))
REAL(real_cbrt, (double)cbrtl((long double)x)) // correctly rounded: cbrt(27.0) is 3
REAL(real_cos, (double)cosl((long double)x))
REAL(real_cosh, cosh(x))
REAL(real_cot, 1 / (double)tanl((long double)x))
REAL(real_csc, 1 / (double)sinl((long double)x))
REAL(real_degrees, x *(180.0 / M_PI))
REAL(real_exp, exp(x))
REAL(real_expm1, expm1(x))
REAL(real_radians, x *(M_PI / 180.0))
REAL(real_rint, nearbyint(x))
REAL(real_sec, 1 / (double)cosl((long double)x))
REAL(real_sin, (double)sinl((long double)x))
REAL(real_sinh, sinh(x))
REAL(real_sqrt, sqrt(x))
REAL(real_tan, (double)tanl((long double)x))
REAL(real_tanh, tanh(x))
REAL(real_signum, isnan(x) || x == 0 ? x : x > 0 ? 1.0 : -1.0)
REAL_PAIR(real_atan2, atan2(x + 0.0, y + 0.0))
REAL_PAIR(real_hypot, hypot(x, y))
REAL_PAIR(real_pow, isnan(y) || (fabs(x) == 1 && isinf(y)) ? NAN : pow(x, y))
LOGARITHM(real_ln, 0, log(x))
LOGARITHM(real_log10, 0, log10(x))
LOGARITHM(real_log2, 0, log(x) / log(2))
LOGARITHM(real_log1p, -1, log1p(x))

/** log(base, x) */
static void real_log(nilas_row *row) {
    double base = nilas_row__double(row, 0);
    double x = nilas_row__double(row, 1);
    if (base <= 0 || x <= 0) {
        nilas_row__set_null(row);
    } else {
        nilas_row__set_double(row, log(x) / log(base));
    }
}

static void real_divide(nilas_row *row) {
    double divisor = nilas_row__double(row, 1);
    if (divisor == 0) {
        nilas_row__fail(row, row->udf->extra != 0 ? "INTERVAL_DIVIDED_BY_ZERO" : "DIVIDE_BY_ZERO",
                        "Division by zero. Use `try_divide` to tolerate divisor being 0 and return "
                        "NULL instead.%s",
                        row->udf->extra != 0 ? ""
                                             : " If necessary set \"spark.sql.ansi.enabled\" to "
                                               "\"false\" to bypass this error.");
        return;
    }
    nilas_row__set_double(row, nilas_row__double(row, 0) / divisor);
}

/* --- rounding: as BigDecimal does with the text of the number --- */

typedef enum rounding { HALF_UP, HALF_EVEN } rounding;

/** Round the decimal digits 0.d1d2d3… × 10^(exponent+1) at the given scale, and read the result
 *  back. */
static double round_digits(const char *digits, int exponent, int scale, rounding mode) {
    char text[64];
    int keep = exponent + 1 + scale; // digits that stay
    int count = (int)strlen(digits);
    if (keep >= count) {
        return NAN; // nothing to round
    }
    if (keep < 0) {
        return 0;
    }
    char kept[32] = "0";
    memcpy(kept + 1, digits, (size_t)keep);
    kept[keep + 1] = '\0';
    bool up = digits[keep] > '5' || (digits[keep] == '5' && digits[keep + 1] != '\0');
    if (digits[keep] == '5' && digits[keep + 1] == '\0') {
        up = mode == HALF_UP || (kept[keep] - '0') % 2 == 1;
    }
    for (int i = keep; up && i >= 0; i--) {
        up = kept[i] == '9';
        kept[i] = up ? '0' : (char)(kept[i] + 1);
    }
    snprintf(text, sizeof(text), "%se%d", kept, -scale);
    double value = 0;
    (void)nilas_str_to_double(nilas_str_of(text), &value);
    return value;
}

static double round_real(double value, int scale, rounding mode, bool is_float) {
    char digits[24];
    int exponent = 0;
    if (!isfinite(value) || value == 0) {
        return isfinite(value) ? 0 : value; // a decimal has no -0.0
    }
    (void)nilas_real_digits(value, is_float, digits, &exponent);
    double rounded = round_digits(digits, exponent, scale, mode);
    return isnan(rounded) ? value : rounded == 0 ? 0 : copysign(rounded, value);
}

/** extra: rounding */
static void round_double(nilas_row *row) {
    nilas_row__set_double(row, round_real(nilas_row__double(row, 0), nilas_row__int(row, 1),
                                          (rounding)row->udf->extra, false));
}

static void round_float(nilas_row *row) {
    nilas_row__set_float(row,
                         (float)round_real((double)nilas_row__float(row, 0), nilas_row__int(row, 1),
                                           (rounding)row->udf->extra, true));
}

static void round_integer(nilas_row *row) {
    int64_t value = nilas_row__integer(row, 0);
    int32_t scale = nilas_row__int(row, 1);
    if (scale >= 0) {
        nilas_row__set_integer(row, value);
        return;
    }
    if (scale < -18) {
        nilas_row__set_integer(row, 0);
        return;
    }
    nilas_int128 unit = nilas_power_of_ten((uint32_t)-scale);
    nilas_int128 quotient = value / unit;
    nilas_int128 rest = value % unit;
    nilas_int128 twice = (rest < 0 ? -rest : rest) * 2;
    bool up = twice > unit || (twice == unit && (row->udf->extra == HALF_UP || quotient % 2 != 0));
    nilas_int128 result = (quotient + (up ? (value < 0 ? -1 : 1) : 0)) * unit;
    int64_t bits = 8 << (strchr("thil", row->udf->signature[0]) - "thil");
    nilas_int128 limit = ((nilas_int128)1 << (bits - 1)) - 1;
    if (row->context->ansi && (result > limit || result < -limit - 1)) {
        nilas_row__fail(row, "ARITHMETIC_OVERFLOW",
                        "Overflow. If necessary set \"spark.sql.ansi.enabled\" to \"false\" to "
                        "bypass this error.");
        return;
    }
    nilas_row__set_integer(row, (int64_t)(uint64_t)result);
}

static void width_bucket(nilas_row *row) {
    double value = nilas_row__double(row, 0), low = nilas_row__double(row, 1),
           high = nilas_row__double(row, 2);
    int64_t count = nilas_row__bigint(row, 3);
    if (count <= 0 || count == INT64_MAX || isnan(value) || low == high || !isfinite(low) ||
        !isfinite(high)) {
        nilas_row__set_null(row);
        return;
    }
    double first = low < high ? low : high;
    double last = low < high ? high : low;
    int64_t bucket;
    if (low < high) {
        bucket = value < first   ? 0
                 : value >= last ? count + 1
                                 : (int64_t)((double)count * (value - first) / (last - first)) + 1;
    } else {
        bucket = value > last     ? 0
                 : value <= first ? count + 1
                                  : (int64_t)((double)count * (last - value) / (last - first)) + 1;
    }
    nilas_row__set_bigint(row, bucket);
}

/* --- number bases --- */

static void bin(nilas_row *row) {
    uint64_t value = (uint64_t)nilas_row__bigint(row, 0);
    char digits[64];
    size_t at = sizeof(digits);
    do {
        digits[--at] = (char)('0' + (value & 1));
        value >>= 1;
    } while (value != 0);
    nilas_row__set_text(row, (nilas_str){.data = digits + at, .size = sizeof(digits) - at});
}

static void hex(nilas_row *row) {
    nilas_buf_print(row->text, "%llX", (unsigned long long)nilas_row__bigint(row, 0));
    nilas_row__set_buffer(row);
}

static int digit_of(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'z') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 99;
}

/** Digits up to the first wrong one; false when they do not fit 64 bits. */
static bool read_base(nilas_str digits, int32_t base, uint64_t *out) {
    uint64_t value = 0;
    bool fits = true;
    for (size_t i = 0; i < digits.size && digit_of(digits.data[i]) < base && fits; i++) {
        uint64_t digit = (uint64_t)digit_of(digits.data[i]);
        fits = !__builtin_mul_overflow(value, (uint64_t)base, &value) &&
               !__builtin_add_overflow(value, digit, &value);
    }
    *out = fits ? value : UINT64_MAX;
    return fits;
}

static void set_base(nilas_row *row, uint64_t value, int32_t base, bool minus) {
    char digits[66];
    size_t at = sizeof(digits);
    do {
        digits[--at] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[value % (uint64_t)base];
        value /= (uint64_t)base;
    } while (value != 0);
    if (minus) {
        digits[--at] = '-';
    }
    nilas_row__set_text(row, (nilas_str){.data = digits + at, .size = sizeof(digits) - at});
}

static bool is_base(int32_t base) {
    return base >= 2 && base <= 36;
}

/** conv(text, from, to): an unsigned 64-bit number; signed when `to` is negative. */
static void conv(nilas_row *row) {
    nilas_str text = nilas_str_trim(nilas_row__text(row, 0));
    int32_t from = nilas_row__int(row, 1);
    int32_t to = nilas_row__int(row, 2);
    int32_t base = to < 0 ? -to : to;
    if (!is_base(from) || !is_base(base) || text.size == 0) {
        nilas_row__set_null(row);
        return;
    }
    uint64_t value;
    bool negative = text.data[0] == '-';
    bool fits = read_base(nilas_str_slice(text, negative, text.size), from, &value);
    if (row->context->ansi && !fits) {
        nilas_row__fail(row, "ARITHMETIC_OVERFLOW",
                        "Overflow in function conv(). If necessary set "
                        "\"spark.sql.ansi.enabled\" to \"false\" to bypass this error.");
        return;
    }
    negative = fits && negative;
    if (negative && to > 0) {
        value = 0 - value;
    }
    bool minus = to < 0 && (negative || (int64_t)value < 0);
    set_base(row, minus && !negative ? 0 - value : value, base, minus);
}

#define ONE(name)                                                                                  \
    { "nilas_" #name, "d>d", real_##name, 0, 0 }
#define ROUND(name, mode)                                                                          \
    {name, "di>d", round_double, 0, mode}, {name, "fi>f", round_float, 0, mode},                   \
        {name, "ti>t", round_integer, 0, mode}, {name, "hi>h", round_integer, 0, mode},            \
        {name, "ii>i", round_integer, 0, mode}, {                                                  \
        name, "li>l", round_integer, 0, mode                                                       \
    }

const nilas_udf nilas_engine__math_functions[] = {
    ONE(acos),
    ONE(acosh),
    ONE(asin),
    ONE(asinh),
    ONE(atan),
    ONE(atanh),
    ONE(cbrt),
    ONE(cos),
    ONE(cosh),
    ONE(cot),
    ONE(csc),
    ONE(degrees),
    ONE(exp),
    ONE(expm1),
    ONE(radians),
    ONE(rint),
    ONE(sec),
    ONE(sin),
    ONE(sinh),
    ONE(sqrt),
    ONE(tan),
    ONE(tanh),
    ONE(signum),
    ONE(ln),
    ONE(log10),
    ONE(log2),
    ONE(log1p),
    {"nilas_atan2", "dd>d", real_atan2, 0, 0},
    {"nilas_hypot", "dd>d", real_hypot, 0, 0},
    {"nilas_pow", "dd>d", real_pow, 0, 0},
    {"nilas_log", "dd>d", real_log, 0, 0},
    {"nilas_divide", "dd>d", real_divide, 0, 0},
    {"nilas_interval_divide", "dd>d", real_divide, 0, 1},
    ROUND("nilas_round", HALF_UP),
    ROUND("nilas_bround", HALF_EVEN),
    {"nilas_width_bucket", "dddl>l", width_bucket, 0, 0},
    {"nilas_bin", "l>s", bin, 0, 0},
    {"nilas_hex", "l>s", hex, 0, 0},
    {"nilas_conv", "sii>s", conv, 0, 0},
    {NULL, NULL, NULL, 0, 0},
};
