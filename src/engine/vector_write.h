/** Values of ours into DuckDB's vectors. */
#ifndef NILAS_ENGINE_VECTOR_WRITE_H
#define NILAS_ENGINE_VECTOR_WRITE_H

#include "duckdb_api.h"
#include "tree/tree.h"

/**
 * The DuckDB type that carries a Spark type (as nilas_engine__print_type() says it); the caller
 * destroys it.
 */
duckdb_logical_type nilas_engine__logical_type(const nilas_type *type);
/** Write one value of a Spark type. Rows of one vector are written in ascending order. */
void nilas_engine__write_value(duckdb_vector vector, idx_t row, const nilas_type *type,
                               const nilas_value *value);

#endif
