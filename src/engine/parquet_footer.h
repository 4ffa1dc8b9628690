/**
 * The schema of a Parquet file, read from its footer: names, field ids and types as DuckDB will see
 * them.
 *
 * DuckDB maps columns of several files by name; Iceberg maps them by field id at every depth.
 * Knowing each file's own schema, files of equal schema are read together, and what differs from
 * the table is said in SQL.
 */
#ifndef NILAS_ENGINE_PARQUET_FOOTER_H
#define NILAS_ENGINE_PARQUET_FOOTER_H

#include "io/io.h"

enum { // physical types
    NILAS_PARQUET_PHYSICAL_BOOLEAN = 0,
    NILAS_PARQUET_PHYSICAL_INT32,
    NILAS_PARQUET_PHYSICAL_INT64,
    NILAS_PARQUET_PHYSICAL_INT96,
    NILAS_PARQUET_PHYSICAL_FLOAT,
    NILAS_PARQUET_PHYSICAL_DOUBLE,
    NILAS_PARQUET_PHYSICAL_BYTE_ARRAY,
    NILAS_PARQUET_PHYSICAL_FIXED
};

typedef enum nilas_parquet_kind {
    NILAS_PARQUET_BOOLEAN,
    NILAS_PARQUET_INT, // width, is_signed
    NILAS_PARQUET_FLOAT,
    NILAS_PARQUET_DOUBLE,
    NILAS_PARQUET_DECIMAL, // precision, scale
    NILAS_PARQUET_DATE,
    NILAS_PARQUET_TIME,
    NILAS_PARQUET_TIMESTAMP, // is_adjusted: an instant; is_nanos
    NILAS_PARQUET_INT96,     // a timestamp that DuckDB takes for one without zone
    NILAS_PARQUET_STRING,
    NILAS_PARQUET_BLOB,
    NILAS_PARQUET_UUID,
    NILAS_PARQUET_OTHER, // whatever DuckDB makes of it (interval, half float, variant …)
    NILAS_PARQUET_STRUCT,
    NILAS_PARQUET_LIST,
    NILAS_PARQUET_MAP, // children: members; element; key and value
} nilas_parquet_kind;

typedef struct nilas_parquet_node nilas_parquet_node;
struct nilas_parquet_node {
    nilas_parquet_kind kind;
    nilas_str name;
    int32_t field_id; // -1: none
    int32_t width, precision, scale;
    bool is_signed, is_adjusted, is_nanos, is_millis;
    int32_t physical; // of a leaf: NILAS_PARQUET_PHYSICAL_…
    int32_t leaf;     // its number, which is that of its column chunks; -1: not a leaf
    nilas_parquet_node *children;
    size_t child_count;
};

typedef struct nilas_parquet_schema {
    nilas_parquet_node root; // a struct: the columns
    bool has_ids;            // any node has a field id
    size_t leaf_count;
    nilas_str signature; // equal for files that DuckDB reads alike
} nilas_parquet_schema;

/**
 * Read the schema. @return NILAS_CORRUPT not a Parquet file, or a broken footer; NILAS_UNSUPPORTED
 * an encrypted one.
 */
nilas_code nilas_parquet__read_schema(nilas_io *io, nilas_arena *arena, nilas_str location,
                                      int64_t size_hint, nilas_parquet_schema *out,
                                      nilas_error *err);

/** The bytes of the footer, a FileMetaData of Thrift; errors as nilas_parquet__read_schema(). */
nilas_code nilas_parquet__read_footer(nilas_io *io, nilas_arena *arena, nilas_str location,
                                      nilas_str *out, nilas_error *err);

/** Deep copy into another arena. */
nilas_code nilas_parquet__copy_schema(nilas_arena *arena, const nilas_parquet_schema *schema,
                                      nilas_parquet_schema *out, nilas_error *err);

/**
 * Parse a footer's bytes (Thrift compact, FileMetaData); exposed for tests and fuzzing. `location`
 * is for messages.
 */
nilas_code nilas_parquet__parse_schema(nilas_arena *arena, nilas_str footer, nilas_str location,
                                       nilas_parquet_schema *out, nilas_error *err);

#endif
