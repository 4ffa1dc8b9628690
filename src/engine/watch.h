/**
 * Cancel is a flag that somebody else sets, a signal handler perhaps; DuckDB wants a call. One
 * thread of the process looks at the flags of all running jobs and makes it; it comes with the
 * first of them and goes a while after the last.
 */
#ifndef NILAS_ENGINE_WATCH_H
#define NILAS_ENGINE_WATCH_H

#include "base/base.h"
#include "duckdb_api.h"

typedef struct nilas_watch nilas_watch;

/** Interrupt the connection while the flag is set. Both are borrowed until the watch ends. */
nilas_code nilas_watch__begin(const nilas_cancel *cancel, duckdb_connection connection,
                              nilas_watch **out, nilas_error *err);
/** Afterwards neither is touched any more. NULL-safe. */
void nilas_watch__end(nilas_watch *watch);

#endif
