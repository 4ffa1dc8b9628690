/*
 * The outer columns of a subquery, which Spark shows as its arguments: scalarsubquery(user_id). A
 * column is outer when no operator of the subquery's plan makes it.
 */
#include "bind/expr.h"
#include "bind/query.h"

#define MOST_OUTER_COLUMNS 64

typedef struct outer_columns {
    const nilas_plan *plan;
    int32_t ids[MOST_OUTER_COLUMNS];
    size_t count;
    nilas_buf *out;
} outer_columns;

static bool makes(const nilas_plan *plan, int32_t id) {
    if (plan == NULL) {
        return false;
    }
    for (size_t i = 0; i < plan->output_count; i++) {
        if (plan->outputs[i].id == id) {
            return true;
        }
    }
    return makes(plan->input, id) || makes(plan->right, id);
}

static bool print_when_outer(void *context, const nilas_bound_expr *expr) {
    outer_columns *columns = context;
    if (expr->kind != NILAS_BOUND_COLUMN || makes(columns->plan, expr->attribute_id) ||
        columns->count == MOST_OUTER_COLUMNS) {
        return true;
    }
    for (size_t i = 0; i < columns->count; i++) {
        if (columns->ids[i] == expr->attribute_id) {
            return true;
        }
    }
    columns->ids[columns->count++] = expr->attribute_id;
    nilas_buf_add_text(columns->out, columns->count > 1 ? ", " : "");
    nilas_buf_add(columns->out, expr->name);
    return true;
}

static nilas_code visit_expr(void *context, nilas_bound_expr **expr, nilas_error *err) {
    (void)err;
    (void)nilas_bind__visit(*expr, print_when_outer, context);
    return NILAS_OK;
}

static nilas_code visit_plan(outer_columns *columns, const nilas_plan *plan) {
    if (plan == NULL) {
        return NILAS_OK;
    }
    NILAS_TRY(visit_plan(columns, plan->input));
    NILAS_TRY(visit_plan(columns, plan->right));
    return nilas_plan__each_expr((nilas_plan *)plan, visit_expr, columns, NULL);
}

void nilas_bind__print_outer_columns(nilas_buf *out, const nilas_plan *plan) {
    outer_columns columns = {.plan = plan, .out = out};
    nilas_code code = visit_plan(&columns, plan);
    nilas_assert(code == NILAS_OK);
}
