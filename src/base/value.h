/**
 * A value without its type: what a literal, a partition tuple, a column bound, a default, a row of
 * a metadata table or of an Avro file holds. The type (Iceberg's or Spark's) is known to whoever
 * holds the value.
 */
#ifndef NILAS_BASE_VALUE_H
#define NILAS_BASE_VALUE_H

#include "base/arena.h"

typedef __int128 nilas_int128;
typedef unsigned __int128 nilas_uint128;

typedef enum nilas_value_kind {
    NILAS_VALUE_NULL = 0,
    NILAS_VALUE_BOOL, // .boolean
    // .integer: every integer width; date (days since 1970-01-01); time, timestamp (microseconds);
    // ns timestamps (nanoseconds); intervals (months, or microseconds)
    NILAS_VALUE_INT,
    NILAS_VALUE_FLOAT,   // .real: 32-bit float, held as a double that is exactly the float
    NILAS_VALUE_DOUBLE,  // .real
    NILAS_VALUE_DECIMAL, // .decimal: unscaled; .scale
    NILAS_VALUE_STRING,  // .text: UTF-8
    NILAS_VALUE_BINARY,  // .text: bytes; also fixed and uuid (16 bytes, big endian)
    NILAS_VALUE_LIST,    // .items[count]
    NILAS_VALUE_MAP,     // .items[2 * count]: key, value, key, value …
    NILAS_VALUE_STRUCT,  // .items[count] by position
} nilas_value_kind;

typedef struct nilas_value nilas_value;
struct nilas_value {
    nilas_value_kind kind;
    uint32_t scale; // of a decimal
    union {
        bool boolean;
        int64_t integer;
        double real;
        nilas_int128 decimal;
        nilas_str text;
        struct {
            nilas_value *items;
            size_t count;
        };
    };
};

#define NILAS_NULL_VALUE ((nilas_value){.kind = NILAS_VALUE_NULL})
static inline bool nilas_value_is_null(const nilas_value *value) {
    return value->kind == NILAS_VALUE_NULL;
}
static inline nilas_value nilas_value_of_bool(bool v) {
    return (nilas_value){.kind = NILAS_VALUE_BOOL, .boolean = v};
}
static inline nilas_value nilas_value_of_int(int64_t v) {
    return (nilas_value){.kind = NILAS_VALUE_INT, .integer = v};
}
static inline nilas_value nilas_value_of_double(double v) {
    return (nilas_value){.kind = NILAS_VALUE_DOUBLE, .real = v};
}
static inline nilas_value nilas_value_of_float(float v) {
    return (nilas_value){.kind = NILAS_VALUE_FLOAT, .real = (double)v};
}
static inline nilas_value nilas_value_of_str(nilas_str v) {
    return (nilas_value){.kind = NILAS_VALUE_STRING, .text = v};
}
static inline nilas_value nilas_value_of_bytes(nilas_str v) {
    return (nilas_value){.kind = NILAS_VALUE_BINARY, .text = v};
}
static inline nilas_value nilas_value_of_decimal(nilas_int128 unscaled, uint32_t scale) {
    return (nilas_value){.kind = NILAS_VALUE_DECIMAL, .scale = scale, .decimal = unscaled};
}

/** Deep equality; NaN equals NaN, -0.0 differs from 0.0, a decimal equals only one of its scale. */
bool nilas_value_equal(const nilas_value *a, const nilas_value *b);
/**
 * Order of two non-null values of one primitive kind: numbers by value (NaN last, -0.0 < 0.0 as
 * Java's compare), text and bytes by unsigned byte.
 */
int nilas_value_compare(const nilas_value *a, const nilas_value *b);
/** Deep copy into the arena. */
nilas_code nilas_value_copy(nilas_arena *arena, const nilas_value *value, nilas_value *out,
                            nilas_error *err);
uint64_t nilas_value_hash(const nilas_value *value);

#endif
