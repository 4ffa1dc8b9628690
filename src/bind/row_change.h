/** Private to the binder: row-level changes (DELETE, UPDATE, MERGE) while they are bound. */
#ifndef NILAS_BIND_ROW_CHANGE_H
#define NILAS_BIND_ROW_CHANGE_H

#include "bind/store.h"

typedef struct nilas_row_change {
    nilas_binder *binder;
    const nilas_statement *statement;
    nilas_bound_change *out;
    const nilas_schema *schema;  // the table's current one
    nilas_bound_relation target; // over its scan, with the statement's alias
    nilas_plan *scan;
    nilas_attribute file, pos, row_id;
    bool has_lineage;
    nilas_store store;
} nilas_row_change;

/** Find the target and scan it. */
nilas_code nilas_bind__open_change(nilas_row_change *change, nilas_binder *binder,
                                   const nilas_statement *statement, nilas_bound_change *out,
                                   nilas_error *err);
/** Number of outputs of the plan (see nilas_bound_change.plan). */
nilas_code nilas_bind__change_width(const nilas_row_change *change, size_t *out);
/** One row's expressions: action, place, the schema's columns (`values` NULL: nulls), lineage. */
nilas_code nilas_bind__change_row(nilas_row_change *change, nilas_bound_expr *action,
                                  nilas_bound_expr **values, nilas_bound_expr **out,
                                  nilas_error *err);
/** The final PROJECT; then filters are pushed and columns pruned. */
nilas_code nilas_bind__close_change(nilas_row_change *change, nilas_plan *input,
                                    nilas_bound_expr **row, nilas_error *err);
nilas_code nilas_bind__int_literal(nilas_binder *binder, int64_t value, nilas_bound_expr **out,
                                   nilas_error *err);
/** INVALID_NON_DETERMINISTIC_EXPRESSIONS. */
nilas_code nilas_bind__require_deterministic(nilas_binder *binder, const nilas_bound_expr *expr,
                                             nilas_error *err);
/** SET a = 1, s.b = 2: the target row with the assignments applied; one value per schema column. */
nilas_code nilas_bind__assign(nilas_row_change *change, nilas_bind_scope *scope,
                              const nilas_assignment *assignments, size_t count,
                              nilas_bound_expr ***out, nilas_error *err);
nilas_code nilas_bind__merge(nilas_binder *binder, const nilas_statement *statement,
                             nilas_bound_change *out, nilas_error *err);

#endif
