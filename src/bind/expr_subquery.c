/*
 * Subqueries in expressions: a scalar one, EXISTS, and IN, whose values and columns meet in
 * common types.
 */
#include "bind/expr.h"
#include "bind/query.h"

static nilas_code bind_scalar(nilas_bind_scope *scope, const nilas_expr *expr,
                              nilas_bound_expr **out, nilas_error *err) {
    nilas_bound_expr *node = NULL;
    NILAS_TRY(nilas_bind__node(scope->binder, NILAS_BOUND_SUBQUERY, expr->offset, &node, err));
    NILAS_TRY(nilas_bind__subquery(scope, expr->query, &node->plan, err));
    if (node->plan->output_count != 1) {
        return nilas_fail_at(
            err, NILAS_INVALID,
            "INVALID_SUBQUERY_EXPRESSION.SCALAR_SUBQUERY_RETURN_MORE_THAN_ONE_OUTPUT_COLUMN",
            expr->offset,
            "Invalid subquery: Scalar subquery must return only one column, but got %zu.",
            node->plan->output_count);
    }
    node->type = node->plan->outputs[0].type;
    node->nullable = true;
    *out = node;
    return NILAS_OK;
}

static nilas_code bind_exists(nilas_bind_scope *scope, const nilas_expr *expr,
                              nilas_bound_expr **out, nilas_error *err) {
    nilas_bound_expr *node = NULL;
    NILAS_TRY(nilas_bind__node(scope->binder, NILAS_BOUND_EXISTS, expr->offset, &node, err));
    NILAS_TRY(nilas_bind__subquery(scope, expr->query, &node->plan, err));
    node->type = nilas_type_of(NILAS_TYPE_BOOLEAN);
    if (expr->negated) {
        return nilas_bind__not(scope->binder, node, expr->offset, out, err);
    }
    *out = node;
    return NILAS_OK;
}

// ---- IN --------------------------------------------------------------------------------------

static nilas_code fail_in_length(const nilas_bound_expr *node, nilas_error *err) {
    return nilas_fail_at(
        err, NILAS_INVALID, "DATATYPE_MISMATCH.IN_SUBQUERY_LENGTH_MISMATCH", node->offset,
        "Cannot resolve the expression due to data type mismatch: The number of columns in the "
        "left hand side of an IN subquery does not match the number of columns in the output "
        "of subquery. Left hand side columns(length: %zu), right hand side columns(length: "
        "%zu).",
        node->arg_count, node->plan->output_count);
}

static nilas_code fail_in_type(nilas_binder *binder, const nilas_bound_expr *node, size_t index,
                               nilas_error *err) {
    nilas_str left = nilas_bind__type_text(binder, node->args[index]->type);
    nilas_str right = nilas_bind__type_text(binder, node->plan->outputs[index].type);
    return nilas_fail_at(
        err, NILAS_INVALID, "DATATYPE_MISMATCH.IN_SUBQUERY_DATA_TYPE_MISMATCH", node->offset,
        "Cannot resolve the expression due to data type mismatch: The data type of one or more "
        "elements in the left hand side of an IN subquery is not compatible with the data type "
        "of the output of the subquery. Mismatched columns: [\"%.*s\", \"%.*s\"].",
        NILAS_FMT(left), NILAS_FMT(right));
}

/** Cast both sides to their common types; the subquery through a PROJECT when a column changes. */
static nilas_code meet(nilas_binder *binder, nilas_bound_expr *node, nilas_error *err) {
    nilas_plan *plan = node->plan;
    nilas_bound_expr **columns = NULL;
    nilas_str *names = NULL;
    bool changed = false;
    NILAS_NEW_ARRAY(binder->arena, &columns, node->arg_count, err);
    NILAS_NEW_ARRAY(binder->arena, &names, node->arg_count, err);
    for (size_t i = 0; i < node->arg_count; i++) {
        const nilas_type *common = node->args[i]->type;
        if (!nilas_type_equal(common, plan->outputs[i].type)) {
            NILAS_TRY(nilas_type_common(binder->arena, node->args[i]->type, plan->outputs[i].type,
                                        binder->environment->ansi, &common, err));
        }
        if (common == NULL) {
            return fail_in_type(binder, node, i, err);
        }
        NILAS_TRY(nilas_bind__coerce(binder, node->args[i], common, &node->args[i], err));
        NILAS_TRY(nilas_bind__column_ref(binder, &plan->outputs[i], &columns[i], err));
        nilas_bound_expr *before = columns[i];
        NILAS_TRY(nilas_bind__coerce(binder, columns[i], common, &columns[i], err));
        changed = changed || columns[i] != before;
        names[i] = plan->outputs[i].name;
    }
    return changed ? nilas_bind__project(binder, plan, columns, names, node->arg_count, &node->plan,
                                         err)
                   : NILAS_OK;
}

static nilas_code bind_in_query(nilas_bind_scope *scope, const nilas_expr *expr,
                                nilas_bound_expr **out, nilas_error *err) {
    nilas_binder *binder = scope->binder;
    nilas_bound_expr *node = NULL;
    NILAS_TRY(nilas_bind__node(binder, NILAS_BOUND_IN_QUERY, expr->offset, &node, err));
    const nilas_expr *row =
        expr->arg_count == 1 && expr->args[0]->kind == NILAS_EXPR_ROW ? expr->args[0] : expr;
    NILAS_TRY(nilas_bind__exprs(scope, row->args, row->arg_count, &node->args, err));
    node->arg_count = row->arg_count;
    NILAS_TRY(nilas_bind__subquery(scope, expr->query, &node->plan, err));
    if (node->plan->output_count != node->arg_count) {
        return fail_in_length(node, err);
    }
    NILAS_TRY(meet(binder, node, err));
    node->type = nilas_type_of(NILAS_TYPE_BOOLEAN);
    node->nullable = true;
    if (expr->negated) {
        return nilas_bind__not(binder, node, expr->offset, out, err);
    }
    *out = node;
    return NILAS_OK;
}

nilas_code nilas_bind__subquery_expr(nilas_bind_scope *scope, const nilas_expr *expr,
                                     nilas_bound_expr **out, nilas_error *err) {
    switch (expr->kind) {
    case NILAS_EXPR_EXISTS: return bind_exists(scope, expr, out, err);
    case NILAS_EXPR_IN_QUERY: return bind_in_query(scope, expr, out, err);
    default: return bind_scalar(scope, expr, out, err);
    }
}
