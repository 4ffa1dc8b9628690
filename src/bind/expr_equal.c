/*
 * Equality of bound expressions: what GROUP BY recognizes in the select list. Parameters of
 * lambdas are equal when they stand at the same place of equal lambdas; random functions never
 * equal anything.
 */
#include "bind/expr.h"

/** Lambdas around the two nodes that are compared, innermost first. */
typedef struct lambda_pair {
    const nilas_bound_expr *a, *b;
    const struct lambda_pair *outer;
} lambda_pair;

static bool equal(const lambda_pair *around, const nilas_bound_expr *a, const nilas_bound_expr *b);

static bool lists_equal(const lambda_pair *around, nilas_bound_expr *const *a, size_t a_count,
                        nilas_bound_expr *const *b, size_t b_count) {
    if (a_count != b_count) {
        return false;
    }
    for (size_t i = 0; i < a_count; i++) {
        if (!equal(around, a[i], b[i])) {
            return false;
        }
    }
    return true;
}

static bool windows_equal(const lambda_pair *around, const nilas_bound_window *a,
                          const nilas_bound_window *b) {
    if (a == NULL || b == NULL) {
        return a == b;
    }
    return a->has_frame == b->has_frame && a->is_range == b->is_range &&
           a->start.kind == b->start.kind && a->end.kind == b->end.kind &&
           lists_equal(around, a->partition_by, a->partition_by_count, b->partition_by,
                       b->partition_by_count) &&
           lists_equal(around, a->order_by, a->order_by_count, b->order_by, b->order_by_count) &&
           equal(around, a->start.offset, b->start.offset) &&
           equal(around, a->end.offset, b->end.offset);
}

static bool parameters_equal(const lambda_pair *around, int32_t a, int32_t b) {
    for (; around != NULL; around = around->outer) {
        for (size_t i = 0; i < around->a->parameter_count; i++) {
            if (around->a->parameter_ids[i] == a) {
                return around->b->parameter_ids[i] == b;
            }
        }
    }
    return a == b;
}

static bool functions_equal(const nilas_bound_expr *a, const nilas_bound_expr *b) {
    return a->function == b->function && a->distinct == b->distinct &&
           a->ignore_nulls == b->ignore_nulls &&
           (a->function->flags & NILAS_FUNCTION_NONDETERMINISTIC) == 0;
}

static bool own_parts_equal(const lambda_pair *around, const nilas_bound_expr *a,
                            const nilas_bound_expr *b) {
    switch (a->kind) {
    case NILAS_BOUND_LITERAL: return nilas_value_equal(&a->value, &b->value);
    case NILAS_BOUND_COLUMN: return a->attribute_id == b->attribute_id;
    case NILAS_BOUND_PARAMETER: return parameters_equal(around, a->attribute_id, b->attribute_id);
    case NILAS_BOUND_CALL:
    case NILAS_BOUND_WINDOW: return functions_equal(a, b);
    case NILAS_BOUND_CAST: return a->cast_mode == b->cast_mode && a->by_name == b->by_name;
    case NILAS_BOUND_CASE: return a->has_else == b->has_else;
    case NILAS_BOUND_FIELD: return a->index == b->index;
    case NILAS_BOUND_STRUCT: return true;
    case NILAS_BOUND_LAMBDA: return a->parameter_count == b->parameter_count;
    case NILAS_BOUND_SUBQUERY:
    case NILAS_BOUND_EXISTS:
    case NILAS_BOUND_IN_QUERY: return a->plan == b->plan;
    case NILAS_BOUND_SORT:
        return a->descending == b->descending && a->nulls_first == b->nulls_first;
    }
    return false;
}

static bool equal(const lambda_pair *around, const nilas_bound_expr *a, const nilas_bound_expr *b) {
    if (a == NULL || b == NULL || a->kind != b->kind) {
        return a == b;
    }
    bool types = a->type == b->type ||
                 (a->type != NULL && b->type != NULL && nilas_type_equal(a->type, b->type));
    lambda_pair inside = {.a = a, .b = b, .outer = around};
    if (!types || !own_parts_equal(around, a, b)) {
        return false;
    }
    if (a->kind == NILAS_BOUND_LAMBDA) {
        around = &inside;
    }
    return lists_equal(around, a->args, a->arg_count, b->args, b->arg_count) &&
           equal(around, a->filter, b->filter) &&
           lists_equal(around, a->order_by, a->order_by_count, b->order_by, b->order_by_count) &&
           windows_equal(around, a->window, b->window);
}

bool nilas_bind__equal(const nilas_bound_expr *a, const nilas_bound_expr *b) {
    return equal(NULL, a, b);
}
