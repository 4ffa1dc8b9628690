/** Private to the binder: store assignment, shared by INSERT, UPDATE and MERGE. */
#ifndef NILAS_BIND_STORE_H
#define NILAS_BIND_STORE_H

#include "bind/change.h"
#include "bind/query.h"

typedef enum nilas_store_policy {
    NILAS_STORE_ANSI,
    NILAS_STORE_LEGACY,
    NILAS_STORE_STRICT,
} nilas_store_policy;

typedef struct nilas_store {
    nilas_binder *binder;
    nilas_str table_name; // quoted, for messages; "``" in UPDATE and MERGE, as Spark shows it
    const nilas_schema *schema;
    nilas_store_policy policy; // spark.sql.storeAssignmentPolicy
    bool by_name;              // members of structs by name, as in UPDATE, MERGE and INSERT BY NAME
} nilas_store;

nilas_code nilas_bind__store_init(nilas_store *store, nilas_binder *binder, nilas_str table_name,
                                  const nilas_schema *schema);
/** Whether a value may go into a column by Spark's ANSI policy; types without parts. */
bool nilas_bind__can_store(const nilas_type *from, const nilas_type *to);
/** A value brought to a column's type and nullability. */
nilas_code nilas_bind__store_value(const nilas_store *store, const nilas_ice_field *field,
                                   nilas_bound_expr *expr, nilas_bound_expr **out,
                                   nilas_error *err);
/** The same for a value whose type was found right already. */
nilas_code nilas_bind__store_checked(const nilas_store *store, const nilas_ice_field *field,
                                     nilas_bound_expr *expr, nilas_bound_expr **out,
                                     nilas_error *err);
/** The column's write default, or null. */
nilas_code nilas_bind__store_default(const nilas_store *store, const nilas_ice_field *field,
                                     nilas_bound_expr **out, nilas_error *err);

/** What an INSERT gives. */
typedef struct nilas_store_rows {
    const nilas_query *query;
    const nilas_str *columns; // column list; count 0: by position of the schema
    size_t column_count;
    bool by_name;
    /** Per position of the schema as it was before rows brought columns: the value of PARTITION
     * (k = v), or NULL. */
    nilas_bound_expr **fixed;
    size_t fixed_count; // 0: no PARTITION clause
} nilas_store_rows;
/** The value that a PARTITION clause fixes for the column at this position, or NULL. */
nilas_bound_expr *nilas_bind__fixed_value(const nilas_store_rows *rows, size_t position);
/** What is inserted, bound; a column list must have as many names as it has columns. */
nilas_code nilas_bind__store_query(const nilas_store *store, const nilas_store_rows *rows,
                                   nilas_bound_relation *out, nilas_error *err);
/** A plan with one output per column of the schema. */
nilas_code nilas_bind__store_rows(const nilas_store *store, const nilas_store_rows *rows,
                                  nilas_plan **out, nilas_error *err);

#endif
