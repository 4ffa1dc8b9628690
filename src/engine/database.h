/**
 * The one DuckDB database of the process: opened on the first need, with our functions; closed when
 * the last engine that used it goes. Engines share its threads, its memory limit and its folder for
 * what does not fit; each statement has a connection of its own.
 */
#ifndef NILAS_ENGINE_DATABASE_H
#define NILAS_ENGINE_DATABASE_H

#include "engine/job.h"

/**
 * Load libduckdb and open the database if need be; a new connection with the engine's time zone.
 * `context` is what our functions see in statements of this connection; borrowed until it is
 * closed. Any thread.
 */
nilas_code nilas_engine__open_connection(nilas_engine *engine, const nilas_engine_context *context,
                                         duckdb_connection *out, nilas_error *err);
void nilas_engine__close_connection(duckdb_connection *connection);
/** The engine needs the database no more. */
void nilas_engine__leave_database(nilas_engine *engine);
/** Run a statement that gives no rows of interest. */
nilas_code nilas_engine__execute(duckdb_connection connection, const char *sql, nilas_error *err);

#endif
