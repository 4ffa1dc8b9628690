/** Rows of ours as a DuckDB table function: Avro files and metadata tables. */
#ifndef NILAS_ENGINE_ROWS_FUNCTION_H
#define NILAS_ENGINE_ROWS_FUNCTION_H

#include "duckdb_api.h"
#include "engine/engine.h"
#include "engine/registry.h"

/**
 * A source that can be opened again and again, part by part (a part is a file); parts are read in
 * parallel.
 *
 * The SQL is "nilas_rows(number)"; its columns are named k0, k1 …, then file_index and
 * file_row_number when `has_position`.
 */
typedef struct nilas_rows_source {
    const nilas_ice_type *
        // struct of the rows' columns; with `has_position` the last is the position and not a
        // column
        type;
    const nilas_type **columns; // Spark types of the columns
    size_t column_count;
    bool has_position;
    size_t part_count;
    int64_t row_count_hint; // -1: unknown
    nilas_code (*open)(void *context, size_t part, nilas_arena *arena, nilas_rows **out,
                       nilas_error *err);
    void *context;
    nilas_error failure; // the first failure of any thread, since DuckDB keeps only a text
    bool has_failure;
    pthread_mutex_t lock;
} nilas_rows_source;

/** Fill columns from `type` and the lock; `type` and `open` are set by the caller before. */
nilas_code nilas_rows_source__init(nilas_arena *arena, nilas_rows_source *source, nilas_error *err);

/** Register nilas_rows(number). */
nilas_code nilas_engine__register_rows(duckdb_connection connection, nilas_registry *registry,
                                       nilas_error *err);

#endif
