/*
 * Single values as bytes (Appendix D).
 *
 * Decoding is by the length found: type promotion leaves old bounds as they were, so a long may
 * have 4 bytes, a double 4, a timestamp the 4 bytes of a date; and some writers give ints and dates
 * 8 bytes.
 */
#include "iceberg/value.h"

#include <math.h>

static uint64_t little_endian(nilas_str bytes) {
    uint64_t v = 0;

    for (size_t i = 0; i < bytes.size; i++) {
        v |= (uint64_t)(uint8_t)bytes.data[i] << (8 * i);
    }
    return v;
}

/** A signed integer of 4 or 8 bytes. */
static bool decode_integer(nilas_str bytes, int64_t *out) {
    if (bytes.size == 4) {
        *out = (int32_t)(uint32_t)little_endian(bytes);
        return true;
    }
    if (bytes.size == 8) {
        *out = (int64_t)little_endian(bytes);
        return true;
    }
    return false;
}

static bool decode_int(nilas_str bytes, nilas_value *out) {
    int64_t v;

    if (!decode_integer(bytes, &v) || v < INT32_MIN || v > INT32_MAX) {
        return false;
    }
    *out = nilas_value_of_int(v);
    return true;
}

/** 8 bytes of units, or the 4 bytes of the date that the column once was. */
static bool decode_timestamp(nilas_str bytes, int64_t units_per_day, nilas_value *out) {
    int64_t v;

    if (!decode_integer(bytes, &v) ||
        (bytes.size == 4 && __builtin_mul_overflow(v, units_per_day, &v))) {
        return false;
    }
    *out = nilas_value_of_int(v);
    return true;
}

static bool decode_real(const nilas_ice_type *type, nilas_str bytes, nilas_value *out) {
    if (bytes.size == 4) {
        uint32_t bits = (uint32_t)little_endian(bytes);
        float v;
        memcpy(&v, &bits, sizeof(v));
        *out = type->kind == NILAS_ICE_FLOAT ? nilas_value_of_float(v)
                                             : nilas_value_of_double((double)v);
        return true;
    }
    if (bytes.size == 8 && type->kind == NILAS_ICE_DOUBLE) {
        uint64_t bits = little_endian(bytes);
        double v;
        memcpy(&v, &bits, sizeof(v));
        *out = nilas_value_of_double(v);
        return true;
    }
    return false;
}

bool nilas_iceberg__decimal_of_bytes(nilas_str bytes, nilas_int128 *out) {
    nilas_uint128 v = bytes.size > 0 && (bytes.data[0] & 0x80) != 0 ? ~(nilas_uint128)0 : 0;

    if (bytes.size == 0) {
        return false;
    }
    for (size_t i = 0; i < bytes.size; i++) {
        // Bytes that only repeat the sign may go beyond 16; others overflow.
        uint8_t sign = (bytes.data[0] & 0x80) != 0 ? 0xFF : 0;
        if (i + 16 < bytes.size && (uint8_t)bytes.data[i] != sign) {
            return false;
        }
        v = v << 8 | (uint8_t)bytes.data[i];
    }
    if (bytes.size > 16 && ((bytes.data[0] ^ bytes.data[bytes.size - 16]) & 0x80) != 0) {
        return false;
    }
    *out = (nilas_int128)v;
    return true;
}

bool nilas_iceberg__decode_bound(const nilas_ice_type *type, nilas_str bytes, nilas_value *out) {
    int64_t v;
    nilas_int128 unscaled;

    switch (type->kind) {
    case NILAS_ICE_BOOLEAN:
        *out = nilas_value_of_bool(bytes.size == 1 && bytes.data[0] != 0);
        return bytes.size == 1;
    case NILAS_ICE_INT:
    case NILAS_ICE_DATE: return decode_int(bytes, out);
    case NILAS_ICE_LONG:
    case NILAS_ICE_TIME:
        if (!decode_integer(bytes, &v)) {
            return false;
        }
        *out = nilas_value_of_int(v);
        return true;
    case NILAS_ICE_FLOAT:
    case NILAS_ICE_DOUBLE: return decode_real(type, bytes, out);
    case NILAS_ICE_DECIMAL:
        if (!nilas_iceberg__decimal_of_bytes(bytes, &unscaled)) {
            return false;
        }
        *out = nilas_value_of_decimal(unscaled, (uint32_t)type->scale);
        return true;
    case NILAS_ICE_TIMESTAMP:
    case NILAS_ICE_TIMESTAMPTZ: return decode_timestamp(bytes, NILAS_MICROS_PER_DAY, out);
    case NILAS_ICE_TIMESTAMP_NS:
    case NILAS_ICE_TIMESTAMPTZ_NS: return decode_timestamp(bytes, NILAS_MICROS_PER_DAY * 1000, out);
    case NILAS_ICE_STRING: *out = nilas_value_of_str(bytes); return true;
    case NILAS_ICE_UUID: *out = nilas_value_of_bytes(bytes); return bytes.size == 16;
    case NILAS_ICE_FIXED:
    case NILAS_ICE_BINARY:
    case NILAS_ICE_VARIANT:
    case NILAS_ICE_GEOMETRY:
    case NILAS_ICE_GEOGRAPHY: *out = nilas_value_of_bytes(bytes); return true;
    default: return false;
    }
}

nilas_code nilas_ice_value_decode(nilas_arena *arena, const nilas_ice_type *type, nilas_str bytes,
                                  nilas_value *out, nilas_error *err) {
    nilas_value value;

    if (!nilas_iceberg__decode_bound(type, bytes, &value)) {
        NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
        nilas_ice_type_print(&text, type);
        return nilas_fail(err, NILAS_CORRUPT, "%zu bytes are no single value of type %.*s",
                          bytes.size, NILAS_FMT(nilas_buf_view(&text)));
    }
    return nilas_value_copy(arena, &value, out, err);
}

size_t nilas_iceberg__decimal_bytes(nilas_int128 unscaled, uint8_t out[16]) {
    size_t size = 1;

    // The sign bit counts: 128 takes two bytes, -128 one.
    while (size < 16 && (unscaled >> (8 * size - 1)) != (unscaled < 0 ? -1 : 0)) {
        size++;
    }
    nilas_assert(size <= 16);
    for (size_t i = 0; i < size; i++) {
        out[i] = (uint8_t)(unscaled >> (8 * (size - 1 - i)));
    }
    return size;
}

static nilas_code put_integer(nilas_arena *arena, uint64_t v, size_t size, nilas_str *out,
                              nilas_error *err) {
    char bytes[8];

    for (size_t i = 0; i < size; i++) {
        bytes[i] = (char)(v >> (8 * i));
    }
    return nilas_str_copy(arena, (nilas_str){.data = bytes, .size = size}, out, err);
}

static nilas_code encode_real(nilas_arena *arena, const nilas_ice_type *type, double real,
                              nilas_str *out, nilas_error *err) {
    uint64_t bits = 0;

    NILAS_REQUIRE(!isnan(real), err, NILAS_INVALID,
                  "NaN is not allowed as a single value of a bound");
    if (type->kind == NILAS_ICE_FLOAT) {
        float narrow = (float)real;
        memcpy(&bits, &narrow, sizeof(narrow));
        return put_integer(arena, bits, 4, out, err);
    }
    memcpy(&bits, &real, sizeof(real));
    return put_integer(arena, bits, 8, out, err);
}

/** The value kind that a type's values have; NILAS_VALUE_NULL for types without single values. */
static nilas_value_kind kind_of(const nilas_ice_type *type) {
    switch (type->kind) {
    case NILAS_ICE_BOOLEAN: return NILAS_VALUE_BOOL;
    case NILAS_ICE_FLOAT: return NILAS_VALUE_FLOAT;
    case NILAS_ICE_DOUBLE: return NILAS_VALUE_DOUBLE;
    case NILAS_ICE_DECIMAL: return NILAS_VALUE_DECIMAL;
    case NILAS_ICE_STRING: return NILAS_VALUE_STRING;
    case NILAS_ICE_UUID:
    case NILAS_ICE_FIXED:
    case NILAS_ICE_BINARY:
    case NILAS_ICE_GEOMETRY:
    case NILAS_ICE_GEOGRAPHY:
    case NILAS_ICE_VARIANT: return NILAS_VALUE_BINARY;
    case NILAS_ICE_UNKNOWN:
    case NILAS_ICE_STRUCT:
    case NILAS_ICE_LIST:
    case NILAS_ICE_MAP: return NILAS_VALUE_NULL;
    default: return NILAS_VALUE_INT;
    }
}

nilas_code nilas_ice_value_encode(nilas_arena *arena, const nilas_ice_type *type,
                                  const nilas_value *value, nilas_str *out, nilas_error *err) {
    uint8_t bytes[16];
    nilas_value_kind expected = kind_of(type);

    NILAS_REQUIRE(expected != NILAS_VALUE_NULL && value->kind == expected, err, NILAS_INVALID,
                  "a value of kind %d is no single value of type kind %d", (int)value->kind,
                  (int)type->kind);
    switch (value->kind) {
    case NILAS_VALUE_BOOL: return put_integer(arena, value->boolean, 1, out, err);
    case NILAS_VALUE_INT:
        return put_integer(arena, (uint64_t)value->integer,
                           type->kind == NILAS_ICE_INT || type->kind == NILAS_ICE_DATE ? 4 : 8, out,
                           err);
    case NILAS_VALUE_FLOAT:
    case NILAS_VALUE_DOUBLE: return encode_real(arena, type, value->real, out, err);
    case NILAS_VALUE_DECIMAL: {
        nilas_str view = {.data = (const char *)bytes};
        NILAS_REQUIRE(value->scale == (uint32_t)type->scale, err, NILAS_INVALID,
                      "a decimal of scale %u is no value of decimal(%d, %d)", value->scale,
                      type->precision, type->scale);
        view.size = nilas_iceberg__decimal_bytes(value->decimal, bytes);
        return nilas_str_copy(arena, view, out, err);
    }
    default: return nilas_str_copy(arena, value->text, out, err);
    }
}
