/** What the Avro files of this room share. Private to codec. */
#ifndef NILAS_CODEC_AVRO_PRIVATE_H
#define NILAS_CODEC_AVRO_PRIVATE_H

#include "codec/avro.h"
#include "codec/output.h"

#define NILAS_AVRO_SYNC_BYTES 16U

struct nilas_avro_file {
    nilas_arena *arena;
    const char *what;
    nilas_reader reader; // over the whole container, at the next block
    nilas_avro_schema *schema;
    bool has_ids; // any field of the schema carries an id
    nilas_avro_property *properties;
    size_t property_count;
    nilas_compression compression;
    char sync[NILAS_AVRO_SYNC_BYTES];

    // The block that is being read: decompressed bytes and what is left of it.
    nilas_codec__output output;
    const uint8_t *block, *block_at, *block_end;
    size_t block_offset; // in the container, for messages
    size_t block_index;  // from 1
    int64_t records_left;
    int64_t empty_items_left; // budget for items that take no bytes, see avro_decode.c
};

typedef enum nilas_avro__op {
    NILAS_AVRO_OP_NULL,
    NILAS_AVRO_OP_BOOL,
    NILAS_AVRO_OP_INT,
    NILAS_AVRO_OP_LONG,
    NILAS_AVRO_OP_MILLIS, // int or long, times 1000
    NILAS_AVRO_OP_FLOAT,
    NILAS_AVRO_OP_DOUBLE,
    NILAS_AVRO_OP_STRING,
    NILAS_AVRO_OP_BYTES,
    NILAS_AVRO_OP_FIXED,
    NILAS_AVRO_OP_UUID_TEXT,
    NILAS_AVRO_OP_DECIMAL_BYTES,
    NILAS_AVRO_OP_DECIMAL_FIXED,
    NILAS_AVRO_OP_ENUM,
    NILAS_AVRO_OP_STRUCT,
    NILAS_AVRO_OP_LIST,
    NILAS_AVRO_OP_MAP,        // Avro's own: text keys
    NILAS_AVRO_OP_RECORD_MAP, // array of key/value records
    NILAS_AVRO_OP_UNION,      // of more than one type beside null
} nilas_avro__op;

typedef struct nilas_avro__node nilas_avro__node;

/** One field of a record, in the file's order. */
typedef struct nilas_avro__step {
    const nilas_avro__node *node;
    int32_t item;         // index in the struct's items, -1: skip
    uint32_t slot_offset; // of the field's own slots in the struct's
    nilas_str name;
} nilas_avro__step;

/**
 * One value of the file. A value's fixed-shape parts (the items of structs inside structs) live in
 * "slots" that the owner allocates in one go: a record costs one allocation, a list one more.
 */
struct nilas_avro__node {
    nilas_avro__op op;
    int8_t null_branch; // 0 or 1: [null, T] or [T, null]; -1: not optional
    bool required;
    uint8_t depth;
    uint32_t scale;
    uint32_t item_count; // of a struct
    uint32_t slots;      // values that this node needs beside its own
    uint32_t weight;     // decoding steps for one value, lists counted as one
    size_t min_bytes;    // that one value takes in the file
    size_t fixed_size;
    const nilas_avro_schema *schema;
    const nilas_avro__node *child; // element, map value, or the record of a RECORD_MAP
    const nilas_avro__step *steps;
    size_t step_count;
    const int32_t *keys; // of a RECORD_MAP: the entries wanted, NULL for all
    size_t key_count;
    uint32_t skip_varints;                   // a value is exactly this many numbers, 0: it is not
    uint32_t skip_bytes;                     // a value is exactly this many bytes, 0: it is not
    const nilas_avro__node *const *branches; // of a UNION, in the file's order
    size_t branch_count;
};

struct nilas_avro_plan {
    const nilas_avro__node *root;
};

/** Branch of null in a union of null and one other type, or -1. */
int nilas_codec__avro_null_branch(const nilas_avro_schema *schema);
/** Whether an array stands for a map: logicalType "map" over records of a key and a value. */
bool nilas_codec__avro_is_record_map(const nilas_avro_schema *schema);
/** Parse, and tell whether any field carries an id. */
nilas_code nilas_codec__avro_parse(nilas_arena *arena, nilas_str json, const char *what,
                                   nilas_avro_schema **out, bool *has_ids, nilas_error *err);
/** Open the next block; *out_end when there is none. `records_left` must be 0. */
nilas_code nilas_codec__avro_next_block(nilas_avro_file *file, bool *out_end, nilas_error *err);
/** "record", "int", … */
const char *nilas_codec__avro_kind_name(nilas_avro_kind kind);

#endif
