/** Private to the binder: tables whose schema grows with what is written to them. */
#ifndef NILAS_BIND_GROW_H
#define NILAS_BIND_GROW_H

#include "bind/store.h"

typedef struct nilas_grow_options {
    const nilas_table *table; // as it is
    const nilas_type *rows;   // a struct: names, types and nullability of what is to be written
    /** Columns that rows may leave null become optional, and a type that the column's cannot become
     * nor hold is an error; else both stay as they are, for store assignment to judge. */
    bool strict;
} nilas_grow_options;

/**
 * Bring a table's schema up to rows, by names: missing columns and struct members are added at the
 * end, types become as wide as the rows' where Iceberg allows it (int to long, float to double,
 * wider decimals).
 *
 * @param out  NULL when nothing changes; else with the table as the commit will make it, in the
 *             statement's arena.
 * @return NILAS_INVALID "Cannot change column type: …"
 */
nilas_code nilas_bind__grow(nilas_binder *binder, const nilas_grow_options *options,
                            const nilas_growth **out, nilas_error *err);
/** Take the table as it will be where the statement names it from here on. */
nilas_code nilas_bind__use_grown(nilas_binder *binder, const nilas_growth *growth,
                                 nilas_error *err);
/** The visible columns of a relation as a Spark struct. */
nilas_code nilas_bind__rows_type(nilas_binder *binder, const nilas_bound_relation *rows,
                                 const nilas_type **out, nilas_error *err);

/** What a write to a table with write.spark.accept-any-schema looks at. */
typedef struct nilas_accept {
    const nilas_table *table;
    bool merge_schema;      // option merge-schema
    bool check_nullability; // option check-nullability
    bool check_ordering;    // option check-ordering
} nilas_accept;

/** Rows for such a table: columns by name, missing ones null, Iceberg's own checks instead of store
 * assignment. */
nilas_code nilas_bind__accept_rows(nilas_store *store, const nilas_store_rows *rows,
                                   const nilas_accept *accept, nilas_plan **out,
                                   const nilas_growth **out_growth, nilas_error *err);

#endif
