/**
 * Decimal arithmetic that DuckDB's own cannot do exactly: results cut to 38 digits, quotients,
 * remainders, rounding. All give the unscaled number of (precision, scale); the last argument says
 * whether overflow and a zero divisor are errors or null.
 */
#include "engine/udf_row.h"
#include "engine/wide.h"

enum { PRECISION = 2, SCALE = 3, STRICT = 4 }; // arguments after the two operands

/** Powers of ten beyond 38 are made of two factors. */
static nilas_wide shrink(nilas_wide value, uint32_t digits, nilas_rounding rounding) {
    nilas_uint128 rest;
    if (digits > 38) {
        value = nilas_wide__divide(value, (nilas_uint128)nilas_power_of_ten(digits - 38), &rest);
        digits = 38;
    }
    return digits == 0 ? value
                       : nilas_wide__divide_rounded(
                             value, (nilas_uint128)nilas_power_of_ten(digits), rounding);
}

typedef struct target {
    uint32_t precision, scale;
    bool strict;
} target;

static void set_unscaled(nilas_row *row, nilas_wide value, const target *t) {
    nilas_int128 result = 0;
    if (nilas_wide__to_int128(value, &result) && nilas_decimal_digits(result) <= t->precision) {
        nilas_row__set_hugeint(row, result);
        return;
    }
    if (!t->strict) {
        nilas_row__set_null(row);
        return;
    }
    NILAS_AUTO_BUF shown = {0};
    if (nilas_wide__to_int128(value, &result)) {
        nilas_decimal_print(&shown, result, t->scale);
    } else {
        nilas_buf_add_text(&shown, "The value");
    }
    nilas_row__fail(row, "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION",
                    " %.*s cannot be represented as Decimal(%u, %u). If necessary set "
                    "\"spark.sql.ansi.enabled\" to \"false\" to bypass this "
                    "error, and return NULL instead.",
                    NILAS_FMT(nilas_buf_view(&shown)), t->precision, t->scale);
}

static target target_of(nilas_row *row) {
    return (target){.precision = (uint32_t)nilas_row__int(row, PRECISION),
                    .scale = (uint32_t)nilas_row__int(row, SCALE),
                    .strict = nilas_row__boolean(row, STRICT)};
}

/** extra: 1 subtracts */
static void decimal_add(nilas_row *row) {
    uint32_t scale_a, scale_b;
    nilas_int128 a = nilas_row__decimal(row, 0, &scale_a);
    nilas_int128 b = nilas_row__decimal(row, 1, &scale_b);
    uint32_t scale = scale_a > scale_b ? scale_a : scale_b;
    target t = target_of(row);
    nilas_wide x = nilas_wide__multiply(a, nilas_power_of_ten(scale - scale_a));
    nilas_wide y =
        nilas_wide__multiply(row->udf->extra != 0 ? -b : b, nilas_power_of_ten(scale - scale_b));
    nilas_assert(scale >= t.scale);
    set_unscaled(row, shrink(nilas_wide__add(x, y), scale - t.scale, NILAS_ROUND_HALF_UP), &t);
}

static void decimal_multiply(nilas_row *row) {
    uint32_t scale_a, scale_b;
    nilas_int128 a = nilas_row__decimal(row, 0, &scale_a);
    nilas_int128 b = nilas_row__decimal(row, 1, &scale_b);
    target t = target_of(row);
    nilas_assert(scale_a + scale_b >= t.scale);
    set_unscaled(
        row, shrink(nilas_wide__multiply(a, b), scale_a + scale_b - t.scale, NILAS_ROUND_HALF_UP),
        &t);
}

static void decimal_divide(nilas_row *row) {
    uint32_t scale_a, scale_b;
    nilas_int128 a = nilas_row__decimal(row, 0, &scale_a);
    nilas_int128 b = nilas_row__decimal(row, 1, &scale_b);
    target t = target_of(row);
    if (b == 0) {
        nilas_row__refuse_zero(row, t.strict);
        return;
    }
    int32_t shift = (int32_t)t.scale - (int32_t)scale_a + (int32_t)scale_b;
    nilas_wide dividend = nilas_wide__of(a);
    if (shift > 38) {
        dividend = nilas_wide__multiply(a, nilas_power_of_ten(38));
        nilas_int128 product;
        if (!nilas_wide__to_int128(dividend, &product)) {
            product = a;
        }
        dividend = nilas_wide__multiply(product, nilas_power_of_ten((uint32_t)(shift - 38)));
    } else if (shift > 0) {
        dividend = nilas_wide__multiply(a, nilas_power_of_ten((uint32_t)shift));
    }
    nilas_wide divisor = nilas_wide__of(b);
    if (shift < 0) {
        divisor = nilas_wide__multiply(b, nilas_power_of_ten((uint32_t)-shift));
    }
    dividend.negative = (a < 0) != (b < 0);
    if (divisor.high != 0) {
        nilas_row__set_hugeint(row, 0);
        return;
    }
    set_unscaled(row, nilas_wide__divide_rounded(dividend, divisor.low, NILAS_ROUND_HALF_UP), &t);
}

/** extra: 1 is pmod */
static void decimal_remainder(nilas_row *row) {
    uint32_t scale_a, scale_b;
    nilas_int128 a = nilas_row__decimal(row, 0, &scale_a);
    nilas_int128 b = nilas_row__decimal(row, 1, &scale_b);
    target t = target_of(row);
    uint32_t scale = scale_a > scale_b ? scale_a : scale_b;
    if (b == 0) {
        nilas_row__refuse_zero(row, t.strict);
        return;
    }
    nilas_wide x = nilas_wide__multiply(a, nilas_power_of_ten(scale - scale_a));
    nilas_wide y = nilas_wide__multiply(b, nilas_power_of_ten(scale - scale_b));
    nilas_wide rest = x;
    if (y.high == 0) {
        nilas_uint128 left;
        (void)nilas_wide__divide(x, y.low, &left);
        rest = (nilas_wide){.negative = x.negative, .low = left};
        bool below = row->udf->extra != 0 && rest.negative && left != 0;
        if (below && !y.negative) {
            rest = (nilas_wide){.low = y.low - left};
        }
    }
    set_unscaled(row, shrink(rest, scale - t.scale, NILAS_ROUND_HALF_UP), &t);
}

/** decimal div decimal -> bigint */
static void decimal_div(nilas_row *row) {
    uint32_t scale_a, scale_b;
    nilas_int128 a = nilas_row__decimal(row, 0, &scale_a);
    nilas_int128 b = nilas_row__decimal(row, 1, &scale_b);
    uint32_t scale = scale_a > scale_b ? scale_a : scale_b;
    nilas_int128 result = 0;
    if (b == 0) {
        nilas_row__refuse_zero(row, row->context->ansi);
        return;
    }
    nilas_wide x = nilas_wide__multiply(a, nilas_power_of_ten(scale - scale_a));
    nilas_wide y = nilas_wide__multiply(b, nilas_power_of_ten(scale - scale_b));
    if (y.high == 0) {
        nilas_uint128 rest;
        nilas_wide quotient = nilas_wide__divide(x, y.low, &rest);
        quotient.negative = (a < 0) != (b < 0);
        (void)nilas_wide__to_int128(quotient, &result);
    }
    nilas_row__set_bigint(row, (int64_t)result);
}

/** (value, places, precision, scale, rounding): at `places` digits after the point (negative:
 *  before it). */
static void decimal_round(nilas_row *row) {
    uint32_t scale;
    nilas_int128 value = nilas_row__decimal(row, 0, &scale);
    int32_t places = nilas_row__int(row, 1);
    target t = {.precision = (uint32_t)nilas_row__int(row, 2),
                .scale = (uint32_t)nilas_row__int(row, 3),
                .strict = true};
    nilas_rounding rounding = (nilas_rounding)nilas_row__int(row, 4);
    nilas_int128 unit = 1;
    if (places < -38) { // beyond all digits
        nilas_row__set_hugeint(row, 0);
        return;
    }
    nilas_wide result = nilas_wide__of(value);
    if (places < (int32_t)scale) {
        result = shrink(result, (uint32_t)((int32_t)scale - places), rounding);
    }
    if (places < 0) {
        unit = nilas_power_of_ten((uint32_t)-places);
    } else if (places > (int32_t)scale && t.scale > scale) {
        unit = nilas_power_of_ten(t.scale - scale);
    }
    nilas_int128 rounded = 0;
    if (nilas_wide__to_int128(result, &rounded)) {
        result = nilas_wide__multiply(rounded, unit);
    }
    set_unscaled(row, result, &t);
}

const nilas_udf nilas_engine__decimal_functions[] = {
    {"nilas_decimal_add", "aaiib>n", decimal_add, 0, 0},
    {"nilas_decimal_subtract", "aaiib>n", decimal_add, 0, 1},
    {"nilas_decimal_multiply", "aaiib>n", decimal_multiply, 0, 0},
    {"nilas_decimal_divide", "aaiib>n", decimal_divide, 0, 0},
    {"nilas_decimal_remainder", "aaiib>n", decimal_remainder, 0, 0},
    {"nilas_decimal_pmod", "aaiib>n", decimal_remainder, 0, 1},
    {"nilas_decimal_div", "aa>l", decimal_div, 0, 0},
    {"nilas_decimal_round", "aiiii>n", decimal_round, 0, 0},
    {NULL, NULL, NULL, 0, 0},
};
