/*
 * Equality, order, copies and hashes of values. Depth is bounded by whoever built the value (types
 * nest at most NILAS_LIMIT_TYPE_DEPTH deep), so plain recursion is safe here.
 */
#include "base/value.h"

#include <math.h>

/**
 * Bits that make all NaN one value and keep -0.0 apart from 0.0, as Java's doubleToLongBits()
 * does.
 */
static uint64_t double_bits(double real) {
    uint64_t bits;

    if (isnan(real)) {
        return 0x7FF8000000000000ULL;
    }
    memcpy(&bits, &real, sizeof(bits));
    return bits;
}

static size_t item_count(const nilas_value *value) {
    return value->kind == NILAS_VALUE_MAP ? 2 * value->count : value->count;
}

static bool is_nested(const nilas_value *value) {
    return value->kind == NILAS_VALUE_LIST || value->kind == NILAS_VALUE_MAP ||
           value->kind == NILAS_VALUE_STRUCT;
}

bool nilas_value_equal(const nilas_value *a, const nilas_value *b) {
    if (a->kind != b->kind) {
        return false;
    }
    switch (a->kind) {
    case NILAS_VALUE_NULL: return true;
    case NILAS_VALUE_BOOL: return a->boolean == b->boolean;
    case NILAS_VALUE_INT: return a->integer == b->integer;
    case NILAS_VALUE_FLOAT:
    case NILAS_VALUE_DOUBLE: return double_bits(a->real) == double_bits(b->real);
    case NILAS_VALUE_DECIMAL: return a->scale == b->scale && a->decimal == b->decimal;
    case NILAS_VALUE_STRING:
    case NILAS_VALUE_BINARY: return nilas_str_equal(a->text, b->text);
    case NILAS_VALUE_LIST:
    case NILAS_VALUE_MAP:
    case NILAS_VALUE_STRUCT: break;
    }

    nilas_assert(is_nested(a));
    if (a->count != b->count) {
        return false;
    }
    for (size_t i = 0; i < item_count(a); i++) {
        if (!nilas_value_equal(&a->items[i], &b->items[i])) {
            return false;
        }
    }
    return true;
}

static int compare_doubles(double a, double b) {
    if (a < b) {
        return -1;
    }
    if (a > b) {
        return 1;
    }

    // Equal, both zero, or a NaN: the bits as signed numbers order -0.0 < 0.0 and put NaN last.
    int64_t x = (int64_t)double_bits(a);
    int64_t y = (int64_t)double_bits(b);
    return x < y ? -1 : x > y ? 1 : 0;
}

/** By value, whatever the scales. */
static int compare_decimals(const nilas_value *a, const nilas_value *b) {
    nilas_int128 x = a->decimal;
    nilas_int128 y = b->decimal;

    if ((x < 0) != (y < 0)) {
        return x < 0 ? -1 : 1;
    }
    // Scale the coarser one up; if that leaves 128 bits its absolute value is the larger one.
    for (uint32_t scale = a->scale; scale < b->scale; scale++) {
        if (__builtin_mul_overflow(x, (nilas_int128)10, &x)) {
            return a->decimal < 0 ? -1 : 1;
        }
    }
    for (uint32_t scale = b->scale; scale < a->scale; scale++) {
        if (__builtin_mul_overflow(y, (nilas_int128)10, &y)) {
            return b->decimal < 0 ? 1 : -1;
        }
    }
    return x < y ? -1 : x > y ? 1 : 0;
}

int nilas_value_compare(const nilas_value *a, const nilas_value *b) {
    nilas_assert(a->kind == b->kind);
    nilas_assert(a->kind != NILAS_VALUE_NULL);

    switch (a->kind) {
    case NILAS_VALUE_BOOL: return (int)a->boolean - (int)b->boolean;
    case NILAS_VALUE_INT: return a->integer < b->integer ? -1 : a->integer > b->integer ? 1 : 0;
    case NILAS_VALUE_FLOAT:
    case NILAS_VALUE_DOUBLE: return compare_doubles(a->real, b->real);
    case NILAS_VALUE_DECIMAL: return compare_decimals(a, b);
    case NILAS_VALUE_STRING:
    case NILAS_VALUE_BINARY: return nilas_str_compare(a->text, b->text);
    case NILAS_VALUE_NULL:
    case NILAS_VALUE_LIST:
    case NILAS_VALUE_MAP:
    case NILAS_VALUE_STRUCT: break;
    }
    nilas_assert(!is_nested(a));
    return 0;
}

nilas_code nilas_value_copy(nilas_arena *arena, const nilas_value *value, nilas_value *out,
                            nilas_error *err) {
    nilas_value copy = *value;

    if (value->kind == NILAS_VALUE_STRING || value->kind == NILAS_VALUE_BINARY) {
        NILAS_TRY(nilas_str_copy(arena, value->text, &copy.text, err));
    } else if (is_nested(value)) {
        NILAS_REQUIRE(value->count <= SIZE_MAX / 2, err, NILAS_LIMIT,
                      "a value of %zu items is too large", value->count);
        NILAS_NEW_ARRAY(arena, &copy.items, item_count(value), err);
        for (size_t i = 0; i < item_count(value); i++) {
            NILAS_TRY(nilas_value_copy(arena, &value->items[i], &copy.items[i], err));
        }
    }
    *out = copy;
    return NILAS_OK;
}

static uint64_t mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15ULL;
    return hash ^ (hash >> 32);
}

uint64_t nilas_value_hash(const nilas_value *value) {
    uint64_t hash = mix(0, (uint64_t)value->kind);

    switch (value->kind) {
    case NILAS_VALUE_NULL: return hash;
    case NILAS_VALUE_BOOL: return mix(hash, value->boolean);
    case NILAS_VALUE_INT: return mix(hash, (uint64_t)value->integer);
    case NILAS_VALUE_FLOAT:
    case NILAS_VALUE_DOUBLE: return mix(hash, double_bits(value->real));
    case NILAS_VALUE_DECIMAL:
        hash = mix(hash, (uint64_t)value->decimal);
        return mix(mix(hash, (uint64_t)((nilas_uint128)value->decimal >> 64)), value->scale);
    case NILAS_VALUE_STRING:
    case NILAS_VALUE_BINARY: return mix(hash, nilas_str_hash(value->text));
    case NILAS_VALUE_LIST:
    case NILAS_VALUE_MAP:
    case NILAS_VALUE_STRUCT: break;
    }

    hash = mix(hash, value->count);
    for (size_t i = 0; i < item_count(value); i++) {
        hash = mix(hash, nilas_value_hash(&value->items[i]));
    }
    return hash;
}
