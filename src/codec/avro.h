/**
 * Avro object container files: schema, blocks, and values resolved BY FIELD ID.
 *
 * A reader asks for fields by Iceberg id ("field-id" in Avro schemas, "element-id" of arrays,
 * "key-id"/"value-id" of maps); what the file lacks comes out as null, what nobody asked for is
 * skipped. Maps are Avro maps or arrays of key/value records (logicalType map). Unions of [null, T]
 * are options in either order.
 *
 * Errors name the file, block, byte and field, and say what was expected and found: NILAS_CORRUPT;
 * NILAS_LIMIT for nesting, block sizes and what no bytes bound; NILAS_UNSUPPORTED for codecs.
 * Threads: a file or a writer belongs to one; schemas and plans are immutable and may be shared.
 * Cost: one pass; per record one allocation, and one per list or map that is wanted.
 */
#ifndef NILAS_CODEC_AVRO_H
#define NILAS_CODEC_AVRO_H

#include "codec/compress.h"
#include "codec/json.h"

typedef enum nilas_avro_kind {
    NILAS_AVRO_NULL,
    NILAS_AVRO_BOOLEAN,
    NILAS_AVRO_INT,
    NILAS_AVRO_LONG,
    NILAS_AVRO_FLOAT,
    NILAS_AVRO_DOUBLE,
    NILAS_AVRO_BYTES,
    NILAS_AVRO_STRING,
    NILAS_AVRO_FIXED,
    NILAS_AVRO_ENUM,
    NILAS_AVRO_ARRAY,
    NILAS_AVRO_MAP,
    NILAS_AVRO_RECORD,
    NILAS_AVRO_UNION,
} nilas_avro_kind;

typedef struct nilas_avro_schema nilas_avro_schema;
typedef struct nilas_avro_field {
    nilas_str name;
    int32_t field_id; // -1 when the file carries none
    nilas_avro_schema *schema;
    const nilas_json *default_value; // or NULL
} nilas_avro_field;

struct nilas_avro_schema {
    nilas_avro_kind kind;
    nilas_str name; // of a record, fixed or enum
    // "decimal", "date", "timestamp-micros", "timestamp-millis", "timestamp-nanos",
    // "local-timestamp-micros", "time-micros", "uuid", "map", or empty
    nilas_str logical_type;
    bool adjust_to_utc; // property "adjust-to-utc"
    int32_t precision, scale;
    size_t fixed_size;
    // record: members; union: branches (name empty); array: [0] element; map: [0] value
    nilas_avro_field *fields;
    size_t field_count;
    int32_t element_id, key_id, value_id; // -1 when absent
    nilas_str *symbols;                   // enum
    size_t symbol_count;
};

typedef struct nilas_avro_file nilas_avro_file; // an opened container over borrowed bytes

/** Parse a schema text. `what` names the file in errors. */
nilas_code nilas_avro_parse_schema(nilas_arena *arena, nilas_str json, const char *what,
                                   nilas_avro_schema **out, nilas_error *err);

/**
 * Read the header. `bytes` must outlive the file; `what` (copied) names it in errors. Memory lives
 * in `arena`.
 */
nilas_code nilas_avro_open(nilas_arena *arena, nilas_str bytes, const char *what,
                           nilas_avro_file **out, nilas_error *err);
const nilas_avro_schema *nilas_avro_file_schema(const nilas_avro_file *file);
/** Header metadata ("schema", "format-version", "content", …); false when absent. */
bool nilas_avro_file_property(const nilas_avro_file *file, const char *key, nilas_str *out);

/**
 * What to read: a tree of wanted fields that mirrors the result. A struct's value is
 * NILAS_VALUE_STRUCT with one item per wanted child, in the order asked for. `any` takes the whole
 * value as the file has it (children in file order).
 */
typedef struct nilas_avro_wanted nilas_avro_wanted;
struct nilas_avro_wanted {
    int32_t field_id; // or -1: match by name
    nilas_str name;   // used when the file's schema has no ids, or field_id is -1
    // further names that match when the file has no ids (name mapping)
    const nilas_str *aliases;
    size_t alias_count;
    // struct: members; list: [0] element; map: [0] key, [1] value; NULL: take as the file has it
    nilas_avro_wanted *children;
    size_t child_count;
    bool required; // an absent or null field is NILAS_CORRUPT
    // of a map with int keys: only these entries come out (bounds of the columns that a filter
    // needs); NULL: all. A map that has a key twice is then NILAS_CORRUPT. Borrowed by the plan.
    const int32_t *keys;
    size_t key_count;
};

typedef struct nilas_avro_plan nilas_avro_plan; // a file schema resolved against what is wanted
/**
 * Resolve once per file. Types are taken from the file: int and long both give NILAS_VALUE_INT;
 * float NILAS_VALUE_FLOAT; bytes/fixed with logicalType decimal give NILAS_VALUE_DECIMAL; uuid,
 * bytes, fixed NILAS_VALUE_BINARY; timestamps in millis are turned into micros, nanos stay nanos.
 */
nilas_code nilas_avro_plan_new(nilas_arena *arena, const nilas_avro_file *file,
                               const nilas_avro_wanted *wanted, nilas_avro_plan **out,
                               nilas_error *err);

/**
 * Decode the next record into `scratch`; *out is NULL at the end of the file. Decompresses one
 * block at a time into memory that is used again, so values borrow text from the block only until
 * the next call when `copy` is false, and own it for scratch's life when true. After an error the
 * file stays at the record that failed.
 */
nilas_code nilas_avro_next(nilas_avro_file *file, const nilas_avro_plan *plan, bool copy,
                           nilas_arena *scratch, const nilas_value **out, nilas_error *err);

typedef struct nilas_avro_block {
    size_t number;   // from 1; 0: the file has ended
    int64_t count;   // of records
    nilas_str bytes; // decompressed
} nilas_avro_block;
/**
 * The next block whole, for a reader that decodes its records itself; not to be mixed with
 * nilas_avro_next(). The bytes live until the next call, or as long as the file's bytes and `arena`
 * when that is not NULL (a copy, unless the file is not compressed).
 */
nilas_code nilas_avro_next_block(nilas_avro_file *file, nilas_arena *arena, nilas_avro_block *out,
                                 nilas_error *err);

/**
 * Writing: a container with one schema. Values are given as NILAS_VALUE_STRUCT in the schema's
 * field order; options ([null, T]) take NILAS_VALUE_NULL. The sync marker is random.
 */
typedef struct nilas_avro_property {
    nilas_str key, value;
} nilas_avro_property;
typedef struct nilas_avro_writer nilas_avro_writer;
nilas_code nilas_avro_writer_new(nilas_arena *arena, nilas_str schema_json,
                                 const nilas_avro_property *properties, size_t property_count,
                                 nilas_compression compression, int level,
                                 nilas_avro_writer **out_writer, nilas_error *err);
nilas_code nilas_avro_write(nilas_avro_writer *writer, const nilas_value *record, nilas_error *err);
/** Bytes written so far; those of the open block as they are before compression. */
size_t nilas_avro_writer_size(const nilas_avro_writer *writer);
/** Flush the last block; *out lives in the writer's arena. */
nilas_code nilas_avro_writer_finish(nilas_avro_writer *writer, nilas_str *out, nilas_error *err);

#endif
