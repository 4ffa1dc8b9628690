/**
 * Taking aggregates, windows and generators out of expressions, so that each stands in an operator
 * of its own below.
 *
 * Nodes are copied on the way, since one bound expression may stand at several places (lateral
 * aliases, ORDER BY).
 */
#include "bind/query.h"

static bool is_aggregate(const nilas_bound_expr *expr) {
    return expr->kind == NILAS_BOUND_CALL && expr->function->kind == NILAS_FUNCTION_AGGREGATE;
}

static bool is_generator(const nilas_bound_expr *expr) {
    return expr->kind == NILAS_BOUND_CALL && expr->function->kind == NILAS_FUNCTION_GENERATOR;
}

static bool is_window(const nilas_bound_expr *expr) {
    return expr->kind == NILAS_BOUND_WINDOW;
}

static bool any_node(const nilas_bound_expr *expr, bool (*test)(const nilas_bound_expr *expr)) {
    if (expr == NULL) {
        return false;
    }
    if (test(expr)) {
        return true;
    }
    for (size_t i = 0; i < expr->arg_count; i++) {
        if (any_node(expr->args[i], test)) {
            return true;
        }
    }
    for (size_t i = 0; i < expr->order_by_count; i++) {
        if (any_node(expr->order_by[i], test)) {
            return true;
        }
    }
    if (expr->window != NULL) {
        for (size_t i = 0; i < expr->window->partition_by_count; i++) {
            if (any_node(expr->window->partition_by[i], test)) {
                return true;
            }
        }
        for (size_t i = 0; i < expr->window->order_by_count; i++) {
            if (any_node(expr->window->order_by[i], test)) {
                return true;
            }
        }
    }
    return any_node(expr->filter, test);
}

bool nilas_bind__has_aggregate(const nilas_bound_expr *expr) {
    return any_node(expr, is_aggregate);
}
bool nilas_bind__has_window(const nilas_bound_expr *expr) {
    return any_node(expr, is_window);
}
bool nilas_bind__has_generator(const nilas_bound_expr *expr) {
    return any_node(expr, is_generator);
}

typedef nilas_code rewrite_fn(void *context, nilas_bound_expr **expr, nilas_error *err);

static nilas_code rewrite_list(nilas_arena *arena, nilas_bound_expr ***list, size_t count,
                               rewrite_fn *rewrite, void *context, nilas_error *err) {
    nilas_bound_expr **copy;
    NILAS_NEW_ARRAY(arena, &copy, count, err);
    for (size_t i = 0; i < count; i++) {
        copy[i] = (*list)[i];
        NILAS_TRY(rewrite(context, &copy[i], err));
    }
    *list = copy;
    return NILAS_OK;
}

/** Copy the node and rewrite everything below it. */
static nilas_code rewrite_below(nilas_arena *arena, nilas_bound_expr **expr, rewrite_fn *rewrite,
                                void *context, nilas_error *err) {
    nilas_bound_expr *copy;
    NILAS_NEW(arena, &copy, err);
    *copy = **expr;
    NILAS_TRY(rewrite_list(arena, &copy->args, copy->arg_count, rewrite, context, err));
    NILAS_TRY(rewrite_list(arena, &copy->order_by, copy->order_by_count, rewrite, context, err));
    if (copy->filter != NULL) {
        NILAS_TRY(rewrite(context, &copy->filter, err));
    }
    if (copy->window != NULL) {
        nilas_bound_window *window;
        NILAS_NEW(arena, &window, err);
        *window = *copy->window;
        NILAS_TRY(rewrite_list(arena, &window->partition_by, window->partition_by_count, rewrite,
                               context, err));
        NILAS_TRY(
            rewrite_list(arena, &window->order_by, window->order_by_count, rewrite, context, err));
        copy->window = window;
    }
    *expr = copy;
    return NILAS_OK;
}

static bool has_output(const nilas_plan *plan, int32_t id) {
    for (size_t i = 0; i < plan->output_count; i++) {
        if (plan->outputs[i].id == id) {
            return true;
        }
    }
    return false;
}

static nilas_code replace_by(nilas_extraction *extraction, const nilas_attribute *attribute,
                             nilas_bound_expr **expr, nilas_error *err) {
    nilas_bound_expr *ref;
    NILAS_TRY(nilas_bind__column_ref(extraction->binder, attribute, &ref, err));
    ref->offset = (*expr)->offset;
    ref->shown = (*expr)->shown;
    *expr = ref;
    return NILAS_OK;
}

static nilas_code fail_not_grouped(nilas_extraction *extraction, const nilas_bound_expr *expr,
                                   nilas_error *err) {
    nilas_str shown;
    NILAS_TRY(nilas_bind__shown(extraction->binder, expr, &shown, err));
    if (!extraction->has_group_by) {
        return nilas_fail_at(err, NILAS_INVALID, "MISSING_GROUP_BY", expr->offset,
                             "The query does not include a GROUP BY clause. Add GROUP BY or turn "
                             "it into the window functions using OVER clauses.");
    }
    return nilas_fail_at(err, NILAS_INVALID, "MISSING_AGGREGATION", expr->offset,
                         "The non-aggregating expression \"%.*s\" is based on columns which are "
                         "not participating in the GROUP BY clause. "
                         "Add the columns or the expression to the GROUP BY, aggregate the "
                         "expression, or use \"any_value(%.*s)\" if you "
                         "do not care which of the values within a group is returned.",
                         NILAS_FMT(shown), NILAS_FMT(shown));
}

static nilas_code int_literal(nilas_binder *binder, int64_t value, nilas_type_kind kind,
                              nilas_bound_expr **out, nilas_error *err) {
    nilas_value v = nilas_value_of_int(value);
    return nilas_bind__literal(binder, nilas_type_of(kind), &v, out, err);
}

/** grouping(k): one bit of grouping_id(); grouping_id() itself. */
static nilas_code replace_grouping(nilas_extraction *extraction, bool is_id,
                                   nilas_bound_expr **expr, nilas_error *err) {
    nilas_binder *binder = extraction->binder;
    if (!extraction->has_sets) {
        return nilas_fail_at(
            err, NILAS_INVALID, "UNSUPPORTED_GROUPING_EXPRESSION", (*expr)->offset,
            "grouping()/grouping_id() can only be used with GroupingSets/Cube/Rollup.");
    }
    if (!extraction->has_grouping_id) {
        extraction->has_grouping_id = true;
        extraction->grouping_id = nilas_bind__attribute(binder, NILAS_STR("spark_grouping_id"),
                                                        nilas_type_of(NILAS_TYPE_BIGINT), false);
    }
    nilas_bound_expr *call = *expr;
    if (is_id) {
        return replace_by(extraction, &extraction->grouping_id, expr, err);
    }
    size_t index = 0;
    while (index < extraction->groups.count &&
           !nilas_bind__equal(extraction->groups.items[index], call->args[0])) {
        index++;
    }
    if (index == extraction->groups.count) {
        nilas_str shown;
        NILAS_TRY(nilas_bind__shown(binder, call->args[0], &shown, err));
        return nilas_fail_at(err, NILAS_INVALID, "GROUPING_COLUMN_MISMATCH", call->offset,
                             "Column of grouping (\"%.*s\") can't be found in grouping columns.",
                             NILAS_FMT(shown));
    }
    nilas_bound_expr *shift[2];
    nilas_bound_expr *mask[2];
    NILAS_TRY(nilas_bind__column_ref(binder, &extraction->grouping_id, &shift[0], err));
    NILAS_TRY(int_literal(binder, (int64_t)(extraction->groups.count - 1 - index), NILAS_TYPE_INT,
                          &shift[1], err));
    NILAS_TRY(nilas_bind__call(binder, ">>", shift, 2, call->offset, &mask[0], err));
    NILAS_TRY(int_literal(binder, 1, NILAS_TYPE_BIGINT, &mask[1], err));
    nilas_bound_expr *bit;
    NILAS_TRY(nilas_bind__call(binder, "&", mask, 2, call->offset, &bit, err));
    return nilas_bind__coerce(binder, bit, nilas_type_of(NILAS_TYPE_TINYINT), expr, err);
}

static nilas_code take_aggregate(nilas_extraction *extraction, nilas_bound_expr **expr,
                                 nilas_error *err) {
    nilas_arena *arena = extraction->binder->arena;
    nilas_bound_expr *call = *expr;
    bool is_id = strcmp(call->function->name, "grouping_id") == 0;
    if (is_id || strcmp(call->function->name, "grouping") == 0) {
        return replace_grouping(extraction, is_id, expr, err);
    }
    for (size_t i = 0; i < call->arg_count; i++) {
        if (nilas_bind__has_aggregate(call->args[i])) {
            return nilas_fail_at(err, NILAS_INVALID, "NESTED_AGGREGATE_FUNCTION", call->offset,
                                 "It is not allowed to use an aggregate function in the argument "
                                 "of another aggregate function. "
                                 "Please use the inner aggregate function in a sub-query.");
        }
    }
    for (size_t i = 0; i < extraction->aggregates.count; i++) {
        if (nilas_bind__equal(extraction->aggregates.items[i], call)) {
            return replace_by(extraction, &extraction->aggregate_attributes.items[i], expr, err);
        }
    }
    nilas_attribute attribute =
        nilas_bind__attribute(extraction->binder, call->shown, call->type, call->nullable);
    NILAS_PUSH(arena, &extraction->aggregates, call, err);
    NILAS_PUSH(arena, &extraction->aggregate_attributes, attribute, err);
    return replace_by(extraction, &attribute, expr, err);
}

/** References from subqueries to columns that were grouped by now mean the group's column. */
static nilas_code regroup_plan(void *context, nilas_plan *plan, nilas_error *err);

static nilas_code regroup_expr(void *context, nilas_bound_expr **expr, nilas_error *err) {
    nilas_extraction *extraction = context;
    if ((*expr)->kind == NILAS_BOUND_COLUMN &&
        has_output(extraction->input, (*expr)->attribute_id)) {
        for (size_t i = 0; i < extraction->groups.count; i++) {
            if (nilas_bind__equal(extraction->groups.items[i], *expr)) {
                return replace_by(extraction, &extraction->group_attributes.items[i], expr, err);
            }
        }
        return fail_not_grouped(extraction, *expr, err);
    }
    if ((*expr)->plan != NULL) {
        NILAS_TRY(regroup_plan(context, (*expr)->plan, err));
    }
    return rewrite_below(extraction->binder->arena, expr, regroup_expr, context, err);
}

static nilas_code regroup_plan(void *context, nilas_plan *plan, nilas_error *err) {
    NILAS_TRY(nilas_plan__each_expr(plan, regroup_expr, context, err));
    if (plan->input != NULL) {
        NILAS_TRY(regroup_plan(context, plan->input, err));
    }
    return plan->right != NULL ? regroup_plan(context, plan->right, err) : NILAS_OK;
}

static nilas_code extract_aggregate(void *context, nilas_bound_expr **expr, nilas_error *err) {
    nilas_extraction *extraction = context;
    for (size_t i = 0; i < extraction->groups.count; i++) {
        if (nilas_bind__equal(extraction->groups.items[i], *expr)) {
            return replace_by(extraction, &extraction->group_attributes.items[i], expr, err);
        }
    }
    if (is_aggregate(*expr)) {
        return take_aggregate(extraction, expr, err);
    }
    if ((*expr)->kind == NILAS_BOUND_COLUMN &&
        has_output(extraction->input, (*expr)->attribute_id)) {
        return fail_not_grouped(extraction, *expr, err);
    }
    if ((*expr)->plan != NULL) {
        NILAS_TRY(regroup_plan(context, (*expr)->plan, err));
    }
    return rewrite_below(extraction->binder->arena, expr, extract_aggregate, context, err);
}

nilas_code nilas_bind__extract_aggregates(nilas_extraction *extraction, nilas_bound_expr **expr,
                                          nilas_error *err) {
    return extract_aggregate(extraction, expr, err);
}

static nilas_code extract_window(void *context, nilas_bound_expr **expr, nilas_error *err) {
    nilas_window_extraction *extraction = context;
    if (!is_window(*expr)) {
        return rewrite_below(extraction->binder->arena, expr, extract_window, context, err);
    }
    for (size_t i = 0; i < (*expr)->arg_count; i++) {
        if (nilas_bind__has_window((*expr)->args[i])) {
            return nilas_fail_at(
                err, NILAS_INVALID, "NESTED_WINDOW_FUNCTION", (*expr)->offset,
                "It is not allowed to use a window function inside another window function.");
        }
    }
    size_t found = 0;
    while (found < extraction->windows.count &&
           !nilas_bind__equal(extraction->windows.items[found], *expr)) {
        found++;
    }
    if (found == extraction->windows.count) {
        nilas_attribute attribute = nilas_bind__attribute(extraction->binder, (*expr)->shown,
                                                          (*expr)->type, (*expr)->nullable);
        NILAS_PUSH(extraction->binder->arena, &extraction->windows, *expr, err);
        NILAS_PUSH(extraction->binder->arena, &extraction->attributes, attribute, err);
    }
    nilas_bound_expr *ref;
    NILAS_TRY(nilas_bind__column_ref(extraction->binder, &extraction->attributes.items[found], &ref,
                                     err));
    ref->offset = (*expr)->offset;
    ref->shown = (*expr)->shown;
    *expr = ref;
    return NILAS_OK;
}

nilas_code nilas_bind__extract_windows(nilas_window_extraction *extraction, nilas_bound_expr **expr,
                                       nilas_error *err) {
    return extract_window(extraction, expr, err);
}
