/** Spark's order of arrays and structs in DuckDB: null elements and members are the smallest in
 *  Spark and the greatest in DuckDB. */
#ifndef NILAS_ENGINE_ORDERED_H
#define NILAS_ENGINE_ORDERED_H

#include "base/base.h"
#include "tree/tree.h"

/** Whether DuckDB may order values of the type otherwise than Spark: arrays and structs. */
bool nilas_engine__orders_otherwise(const nilas_type *type);
/**
 * A value that DuckDB compares as Spark compares `sql` (an expression of `type`), null only where
 * `sql` is null; `sql` itself where the orders agree.
 */
void nilas_engine__print_ordered(nilas_buf *out, nilas_str sql, const nilas_type *type);
/**
 * The same for ORDER BY, whose floats must not be written as they are: DuckDB takes a sorted
 * column's values out of its sort keys, where -0.0 became 0.0.
 */
void nilas_engine__print_sort_value(nilas_buf *out, nilas_str sql, const nilas_type *type);

#endif
