/** Integers: remainders and shifts as Java has them, wrapping arithmetic for the legacy mode,
 *  indexes into arrays. */
#include <math.h>

#include "engine/udf_row.h"

/** Whether the divisor is 0; then the row is done: null when the function is quiet (extra), else an
 *  error. */
static bool refuse_zero(nilas_row *row, int64_t divisor) {
    if (divisor != 0) {
        return false;
    }
    nilas_row__refuse_zero(row, row->udf->extra == 0);
    return true;
}

static void integer_remainder(nilas_row *row) {
    int64_t a = nilas_row__integer(row, 0);
    int64_t b = nilas_row__integer(row, 1);
    if (!refuse_zero(row, b)) {
        nilas_row__set_integer(row, b == -1 ? 0 : a % b);
    }
}

static void integer_pmod(nilas_row *row) {
    int64_t a = nilas_row__integer(row, 0);
    int64_t b = nilas_row__integer(row, 1);
    if (refuse_zero(row, b)) {
        return;
    }
    int64_t r = b == -1 ? 0 : a % b;
    nilas_row__set_integer(row, r < 0 ? (r + b) % b : r);
}

static void double_remainder(nilas_row *row) {
    double a = nilas_row__double(row, 0);
    double b = nilas_row__double(row, 1);
    if (!refuse_zero(row, b != 0)) {
        nilas_row__set_double(row, fmod(a, b));
    }
}

static void double_pmod(nilas_row *row) {
    double a = nilas_row__double(row, 0);
    double b = nilas_row__double(row, 1);
    if (!refuse_zero(row, b != 0)) {
        double r = fmod(a, b);
        nilas_row__set_double(row, r < 0 ? fmod(r + b, b) : r);
    }
}

static void float_remainder(nilas_row *row) {
    float a = nilas_row__float(row, 0);
    float b = nilas_row__float(row, 1);
    if (!refuse_zero(row, b != 0)) {
        nilas_row__set_float(row, fmodf(a, b));
    }
}

static void float_pmod(nilas_row *row) {
    float a = nilas_row__float(row, 0);
    float b = nilas_row__float(row, 1);
    if (!refuse_zero(row, b != 0)) {
        float r = fmodf(a, b);
        nilas_row__set_float(row, r < 0 ? fmodf(r + b, b) : r);
    }
}

static void integer_div(nilas_row *row) {
    int64_t a = nilas_row__bigint(row, 0);
    int64_t b = nilas_row__bigint(row, 1);
    if (refuse_zero(row, b)) {
        return;
    }
    if (a == INT64_MIN && b == -1) {
        if (row->udf->extra != 0) {
            nilas_row__set_bigint(row, a);
        } else {
            nilas_row__fail(row, "ARITHMETIC_OVERFLOW",
                            "Overflow in integral divide. Use 'try_divide' to tolerate overflow "
                            "and return NULL "
                            "instead. If necessary set \"spark.sql.ansi.enabled\" to \"false\" to "
                            "bypass this error.");
        }
        return;
    }
    nilas_row__set_bigint(row, a / b);
}

static void floor_div(nilas_row *row) {
    nilas_row__set_bigint(row,
                          nilas_floor_div(nilas_row__bigint(row, 0), nilas_row__bigint(row, 1)));
}

static void wrap_add(nilas_row *row) {
    nilas_row__set_integer(row, (int64_t)((uint64_t)nilas_row__integer(row, 0) +
                                          (uint64_t)nilas_row__integer(row, 1)));
}

static void wrap_subtract(nilas_row *row) {
    nilas_row__set_integer(row, (int64_t)((uint64_t)nilas_row__integer(row, 0) -
                                          (uint64_t)nilas_row__integer(row, 1)));
}

static void wrap_multiply(nilas_row *row) {
    nilas_row__set_integer(row, (int64_t)((uint64_t)nilas_row__integer(row, 0) *
                                          (uint64_t)nilas_row__integer(row, 1)));
}

static void wrap_negate(nilas_row *row) {
    nilas_row__set_integer(row, (int64_t)(0 - (uint64_t)nilas_row__integer(row, 0)));
}

static void wrap_abs(nilas_row *row) {
    int64_t value = nilas_row__integer(row, 0);
    nilas_row__set_integer(row, value < 0 ? (int64_t)(0 - (uint64_t)value) : value);
}

static void double_negate(nilas_row *row) {
    nilas_row__set_double(row, -nilas_row__double(row, 0));
}

static void double_abs(nilas_row *row) {
    double value = nilas_row__double(row, 0);
    nilas_row__set_double(row, __builtin_fabs(value));
}

/* --- shifts: the count is taken modulo the width, as Java does --- */

static void shift_left(nilas_row *row) {
    int32_t count = nilas_row__int(row, 1);
    if (row->udf->extra == 64) {
        nilas_row__set_bigint(row, (int64_t)((uint64_t)nilas_row__bigint(row, 0) << (count & 63)));
    } else {
        nilas_row__set_int(row, (int32_t)((uint32_t)nilas_row__int(row, 0) << (count & 31)));
    }
}

static void shift_right(nilas_row *row) {
    int32_t count = nilas_row__int(row, 1);
    if (row->udf->extra == 64) {
        nilas_row__set_bigint(row, nilas_row__bigint(row, 0) >> (count & 63));
    } else {
        nilas_row__set_int(row, nilas_row__int(row, 0) >> (count & 31));
    }
}

static void shift_right_unsigned(nilas_row *row) {
    int32_t count = nilas_row__int(row, 1);
    if (row->udf->extra == 64) {
        nilas_row__set_bigint(row, (int64_t)((uint64_t)nilas_row__bigint(row, 0) >> (count & 63)));
    } else {
        nilas_row__set_int(row, (int32_t)((uint32_t)nilas_row__int(row, 0) >> (count & 31)));
    }
}

/** extra: bits */
static void bit_get(nilas_row *row) {
    int64_t value = nilas_row__integer(row, 0);
    int32_t position = nilas_row__int(row, 1);
    if (position < 0 || position >= row->udf->extra) {
        nilas_row__fail(row, "INVALID_PARAMETER_VALUE.BIT_POSITION_RANGE",
                        "The value of parameter(s) `pos` in `bit_get` is invalid: expects an "
                        "integer value in [0, %lld), but got %d.",
                        (long long)row->udf->extra, position);
        return;
    }
    nilas_row__set_integer(row, (value >> position) & 1);
}

/* --- indexes: (index, size) -> position from 1 for list_extract --- */

/** extra: quiet */
static void index_from_zero(nilas_row *row) {
    int64_t index = nilas_row__bigint(row, 0);
    int64_t size = nilas_row__bigint(row, 1);
    if (index >= 0 && index < size) {
        nilas_row__set_bigint(row, index + 1);
    } else if (row->udf->extra != 0) {
        nilas_row__set_null(row);
    } else {
        nilas_row__fail(row, "INVALID_ARRAY_INDEX",
                        "The index %lld is out of bounds. The array has %lld elements. Use the SQL "
                        "function `get()` to tolerate accessing "
                        "element at invalid index and return NULL instead.",
                        (long long)index, (long long)size);
    }
}

/** element_at: from 1, from the end when negative. extra: quiet */
static void index_from_one(nilas_row *row) {
    int64_t index = nilas_row__integer(row, 0);
    int64_t size = nilas_row__bigint(row, 1);
    if (index == 0) {
        nilas_row__fail(
            row, "INVALID_INDEX_OF_ZERO",
            "The index 0 is invalid. An index shall be either < 0 or > 0 (the first element has "
            "index 1).");
    } else if (index <= size && index >= -size) {
        nilas_row__set_bigint(row, index > 0 ? index : size + index + 1);
    } else if (row->udf->extra != 0) {
        nilas_row__set_null(row);
    } else {
        nilas_row__fail(row, "INVALID_ARRAY_INDEX_IN_ELEMENT_AT",
                        "The index %lld is out of bounds. The array has %lld elements. Use "
                        "`try_element_at` to tolerate accessing element at "
                        "invalid index and return NULL instead.",
                        (long long)index, (long long)size);
    }
}

/** array_insert: how many elements stand before the new one; negative: how many nulls stand behind
 *  it. */
static void insert_at(nilas_row *row) {
    int64_t position = nilas_row__integer(row, 0);
    int64_t size = nilas_row__bigint(row, 1);
    if (position == 0) {
        nilas_row__fail(
            row, "INVALID_INDEX_OF_ZERO",
            "The index 0 is invalid. An index shall be either < 0 or > 0 (the first element has "
            "index 1).");
        return;
    }
    nilas_row__set_bigint(row, position > 0 ? position - 1 : size + position + 1);
}

/** slice(array, start, length): first and last position; extra: which. */
static void slice_bound(nilas_row *row) {
    int64_t start = nilas_row__integer(row, 0);
    int64_t length = nilas_row__integer(row, 1);
    int64_t size = nilas_row__bigint(row, 2);
    if (start == 0) {
        nilas_row__fail(
            row, "INVALID_PARAMETER_VALUE.START",
            "The value of parameter(s) `start` in `slice` is invalid: Expects a positive "
            "or a negative value for `start`, but got 0.");
        return;
    }
    if (length < 0) {
        nilas_row__fail(
            row, "INVALID_PARAMETER_VALUE.LENGTH",
            "The value of parameter(s) `length` in `slice` is invalid: Expects `length` "
            "greater than or equal to 0, but got %lld.",
            (long long)length);
        return;
    }
    int64_t first = start > 0 ? start : size + start + 1;
    int64_t last = first + length - 1;
    bool none = first < 1 || first > size || length == 0;
    if (row->udf->extra == 0) {
        nilas_row__set_bigint(row, none ? 1 : first);
    } else {
        nilas_row__set_bigint(row, none ? 0 : last < size ? last : size);
    }
}

#define FOUR(name, function, extra)                                                                \
    {name, "tt>t", function, 0, extra}, {name, "hh>h", function, 0, extra},                        \
        {name, "ii>i", function, 0, extra}, {                                                      \
        name, "ll>l", function, 0, extra                                                           \
    }
#define FOUR_UNARY(name, function)                                                                 \
    {name, "t>t", function, 0, 0}, {name, "h>h", function, 0, 0}, {name, "i>i", function, 0, 0}, { \
        name, "l>l", function, 0, 0                                                                \
    }

const nilas_udf nilas_engine__integer_functions[] = {
    FOUR("nilas_remainder", integer_remainder, 0),
    {"nilas_remainder", "dd>d", double_remainder, 0, 0},
    {"nilas_remainder", "ff>f", float_remainder, 0, 0},
    FOUR("nilas_try_remainder", integer_remainder, 1),
    {"nilas_try_remainder", "dd>d", double_remainder, 0, 1},
    {"nilas_try_remainder", "ff>f", float_remainder, 0, 1},
    FOUR("nilas_pmod", integer_pmod, 0),
    {"nilas_pmod", "dd>d", double_pmod, 0, 0},
    {"nilas_pmod", "ff>f", float_pmod, 0, 0},
    FOUR("nilas_try_pmod", integer_pmod, 1),
    {"nilas_try_pmod", "dd>d", double_pmod, 0, 1},
    {"nilas_try_pmod", "ff>f", float_pmod, 0, 1},
    {"nilas_div", "ll>l", integer_div, 0, 0},
    {"nilas_try_div", "ll>l", integer_div, 0, 1},
    {"nilas_floor_div", "ll>l", floor_div, 0, 0},
    FOUR("nilas_wrap_add", wrap_add, 0),
    FOUR("nilas_wrap_subtract", wrap_subtract, 0),
    FOUR("nilas_wrap_multiply", wrap_multiply, 0),
    FOUR_UNARY("nilas_wrap_negate", wrap_negate),
    {"nilas_wrap_negate", "d>d", double_negate, 0, 0},
    FOUR_UNARY("nilas_wrap_abs", wrap_abs),
    {"nilas_wrap_abs", "d>d", double_abs, 0, 0},
    {"nilas_shift_left", "ii>i", shift_left, 0, 32},
    {"nilas_shift_left", "li>l", shift_left, 0, 64},
    {"nilas_shift_right", "ii>i", shift_right, 0, 32},
    {"nilas_shift_right", "li>l", shift_right, 0, 64},
    {"nilas_shift_right_unsigned", "ii>i", shift_right_unsigned, 0, 32},
    {"nilas_shift_right_unsigned", "li>l", shift_right_unsigned, 0, 64},
    {"nilas_bit_get", "ti>t", bit_get, 0, 8},
    {"nilas_bit_get", "hi>t", bit_get, 0, 16},
    {"nilas_bit_get", "ii>t", bit_get, 0, 32},
    {"nilas_bit_get", "li>t", bit_get, 0, 64},
    {"nilas_index", "ll>l", index_from_zero, 0, 0},
    {"nilas_index_or_null", "ll>l", index_from_zero, 0, 1},
    {"nilas_element_index", "il>l", index_from_one, 0, 0},
    {"nilas_element_index_or_null", "il>l", index_from_one, 0, 1},
    {"nilas_insert_at", "il>l", insert_at, 0, 0},
    {"nilas_slice_start", "iil>l", slice_bound, 0, 0},
    {"nilas_slice_end", "iil>l", slice_bound, 0, 1},
    {NULL, NULL, NULL, 0, 0},
};
