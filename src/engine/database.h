/** The one DuckDB database of an engine: opened on the first need, settings, functions of ours. */
#ifndef NILAS_ENGINE_DATABASE_H
#define NILAS_ENGINE_DATABASE_H

#include "engine/job.h"

/**
 * Load libduckdb and open the database if need be; a new connection with the session's time zone.
 */
nilas_code nilas_engine__open_connection(nilas_engine *engine, duckdb_connection *out,
                                         nilas_error *err);
/** Close the database; no connection may be open. */
void nilas_engine__close_database(nilas_engine *engine);
/** Run a statement that gives no rows of interest. */
nilas_code nilas_engine__execute(duckdb_connection connection, const char *sql, nilas_error *err);

#endif
