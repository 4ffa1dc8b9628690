/**
 * What functions see of the statement that calls them: one context per open connection, found by
 * DuckDB's number of it. Thread-safe.
 */
#ifndef NILAS_ENGINE_CONTEXTS_H
#define NILAS_ENGINE_CONTEXTS_H

#include "engine/udf.h"

/** Borrowed until it is removed. */
nilas_code nilas_contexts__put(duckdb_connection connection, const nilas_engine_context *context,
                               nilas_error *err);
void nilas_contexts__remove(duckdb_connection connection);
/** Of the connection that begins to run a function; NULL: it has none. */
const nilas_engine_context *nilas_contexts__of_init(duckdb_init_info info);

#endif
