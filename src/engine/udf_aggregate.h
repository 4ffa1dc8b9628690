/** Aggregate functions in C. */
#ifndef NILAS_ENGINE_UDF_AGGREGATE_H
#define NILAS_ENGINE_UDF_AGGREGATE_H

#include "base/base.h"
#include "duckdb_api.h"

/** Register all; nilas_engine__register_functions() calls it. */
nilas_code nilas_engine__register_aggregates(duckdb_connection connection, nilas_error *err);

#endif
