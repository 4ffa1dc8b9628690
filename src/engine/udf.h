/**
 * Scalar functions in C for what DuckDB has no counterpart of. All are named nilas_…, and
 * registered once per database.
 */
#ifndef NILAS_ENGINE_UDF_H
#define NILAS_ENGINE_UDF_H

#include "base/base.h"
#include "duckdb_api.h"

/** What functions need to know of the statement that calls them. */
typedef struct nilas_engine_context {
    const nilas_zone *zone; // session time zone
    bool ansi;
    int64_t now_micros; // start of the statement, UTC
} nilas_engine_context;

/** Register all functions. What they see of a statement is found by its connection (contexts.h). */
nilas_code nilas_engine__register_functions(duckdb_connection connection, nilas_error *err);

#endif
