/**
 * Room-private: decoding manifests.
 *
 * A manifest's Avro schema is resolved once into steps, one for each value in the order in which it
 * stands in the file; an entry is decoded by walking them. Nothing is allocated per value: lists
 * come from a pool, texts borrow from the block.
 */
#ifndef NILAS_ICEBERG_DECODE_H
#define NILAS_ICEBERG_DECODE_H

#include "iceberg/manifest.h"

/* ---- bytes ----------------------------------------------------------------------------------- */

/** NILAS_UNSUPPORTED with the reason for files that are encrypted or Parquet. Other damage is
 *  left to the Avro reader. */
nilas_code nilas_iceberg__check_avro(nilas_str bytes, const char *what, nilas_str path,
                                     nilas_error *err);

/* ---- steps ----------------------------------------------------------------------------------- */

typedef enum nilas_decode_op {
    NILAS_DECODE_SKIP,
    NILAS_DECODE_SKIP_NUMBERS, // an array whose items are `skip_numbers` numbers
    NILAS_DECODE_SKIP_BOUNDS,  // an array whose items are a number and bytes
    NILAS_DECODE_RECORD,       // children
    NILAS_DECODE_PARTITION,    // children; their `offset` is the position in the tuple
    NILAS_DECODE_INT32,
    NILAS_DECODE_INT64,
    NILAS_DECODE_TEXT,
    NILAS_DECODE_COUNTS, // map<int, long>; children: key and value when the items are not plain
    NILAS_DECODE_BOUNDS, // map<int, binary>
    NILAS_DECODE_INT64_LIST,
    NILAS_DECODE_INT32_LIST,
    NILAS_DECODE_VALUE, // a partition value by the file's type
    NILAS_DECODE_KEY,   // of a map's item
} nilas_decode_op;

typedef struct nilas_decode_step nilas_decode_step;
struct nilas_decode_step {
    nilas_decode_op op;
    int8_t null_branch;              // of a union with null: which branch that is; -1: no union
    bool is_plain;                   // items of a map are key then value, neither optional
    uint32_t offset;                 // in nilas_decoded
    const nilas_avro_schema *schema; // of the value (below the union)
    nilas_decode_step *children;
    size_t child_count;
    uint32_t skip_numbers;
    nilas_ice_kind kind; // of a partition value: the type it is to have
    int64_t factor;      // of a partition value: units of the file in units of the type
    uint32_t scale;      // of a decimal
};

/** Lists in nilas_data_file are laid out like this, so that one piece of code fills them all. */
typedef struct nilas_decode_list {
    void *items;
    size_t count;
    bool present;
} nilas_decode_list;

typedef struct nilas_decoded {
    int32_t status, content; // not yet checked
    nilas_manifest_entry entry;
} nilas_decoded;

/** Resolve the file's schema by field id; by name where it has no ids. Partition fields are
 *  those of `spec`, whose types `partition_type` gives. NILAS_CORRUPT when a required field is
 *  missing or has a type that it cannot have. */
nilas_code nilas_iceberg__plan_manifest(nilas_arena *arena, const nilas_avro_schema *schema,
                                        const nilas_partition_spec *spec,
                                        const nilas_ice_type *partition_type, int columns,
                                        nilas_decode_step **out, nilas_error *err);

/* ---- decoding -------------------------------------------------------------------------------- */

typedef struct nilas_decode_pool {
    nilas_arena *arena;
    char *data;
    size_t size, used;
} nilas_decode_pool;

/** Uninitialized memory from the pool; growing takes new memory, never moves. NULL when out of
 *  memory. */
void *nilas_iceberg__pool_take(nilas_decode_pool *pool, size_t size);

typedef struct nilas_decoder {
    const uint8_t *at, *end;
    nilas_decode_pool *pool;
    size_t partition_count; // fields of the spec
    const char *reason;     // why the last decode failed (static)
    bool no_memory;
} nilas_decoder;

/** Decode one entry; false with `reason` set. `out` must be zeroed with the values that absence
 *  has. */
bool nilas_iceberg__decode_entry(nilas_decoder *decoder, const nilas_decode_step *root,
                                 nilas_decoded *out);

#endif
