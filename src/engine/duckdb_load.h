/** libduckdb, opened when the first statement needs it. */
#ifndef NILAS_ENGINE_DUCKDB_LOAD_H
#define NILAS_ENGINE_DUCKDB_LOAD_H

#include "base/base.h"

/**
 * Open libduckdb and find every function that this room calls; done once, later calls cost nothing.
 * Thread-safe.
 *
 * Looked for in this order: $NILAS_DUCKDB; the installed place as seen from the binary; the build
 * tree's; the system's.
 *
 * @return NILAS_NOT_FOUND    no library could be opened; the message lists the places
 *         NILAS_UNSUPPORTED  a library older than 1.5
 */
nilas_code nilas_engine__load_duckdb(nilas_error *err);

#endif
