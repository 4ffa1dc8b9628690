/**
 * Which files a scan may leave out: conditions from above, carried down to the scans as Iceberg
 * predicates.
 *
 * Only the reading of files is narrowed; the FILTER operators stay where they are, and the engine
 * filters the rows. A condition goes down where every row it rejects would be rejected anyway:
 * through projections (with its columns replaced), sorts, the sides of joins that do not fill up
 * with nulls, the groups of aggregations, the branches of unions; not through limits.
 */
#include "bind/expr.h"
#include "bind/query.h"

typedef struct condition_list {
    nilas_bound_expr **items;
    size_t count;
} condition_list;

typedef struct push_state {
    nilas_binder *binder;
} push_state;

static nilas_code push(push_state *state, nilas_plan *plan, const condition_list *conditions,
                       nilas_error *err);

static bool has_output(const nilas_plan *plan, int32_t id) {
    for (size_t i = 0; i < plan->output_count; i++) {
        if (plan->outputs[i].id == id) {
            return true;
        }
    }
    return false;
}

/** Whether the expression may move: only columns of `plan`, no subquery, no window, no aggregate,
 * always the same value. */
static bool is_local_to(const nilas_bound_expr *expr, const nilas_plan *plan) {
    if (expr == NULL) {
        return true;
    }
    if (expr->plan != NULL || expr->kind == NILAS_BOUND_WINDOW) {
        return false;
    }
    if (expr->kind == NILAS_BOUND_COLUMN) {
        return has_output(plan, expr->attribute_id);
    }
    if (expr->kind == NILAS_BOUND_CALL &&
        (expr->function->kind != NILAS_FUNCTION_SCALAR ||
         (expr->function->flags & NILAS_FUNCTION_NONDETERMINISTIC) != 0)) {
        return false;
    }
    for (size_t i = 0; i < expr->arg_count; i++) {
        if (!is_local_to(expr->args[i], plan)) {
            return false;
        }
    }
    return true;
}

static bool is_and(const nilas_bound_expr *expr) {
    return expr->kind == NILAS_BOUND_CALL && strcmp(expr->function->name, "and") == 0;
}

typedef NILAS_ARRAY_OF(nilas_bound_expr *) conjunct_list;

static nilas_code add_conjuncts(push_state *state, nilas_bound_expr *condition, conjunct_list *list,
                                nilas_error *err) {
    if (condition == NULL) {
        return NILAS_OK;
    }
    if (is_and(condition)) {
        for (size_t i = 0; i < condition->arg_count; i++) {
            NILAS_TRY(add_conjuncts(state, condition->args[i], list, err));
        }
        return NILAS_OK;
    }
    NILAS_PUSH(state->binder->arena, list, condition, err);
    return NILAS_OK;
}

typedef struct substitution {
    const nilas_attribute *from;
    nilas_bound_expr *const
        *to; // expressions, or NULL: attributes of the same position in `columns`
    const nilas_attribute *columns;
    size_t count;
    nilas_binder *binder;
} substitution;

static nilas_code substitute(void *context, nilas_bound_expr **expr, nilas_error *err) {
    substitution *map = context;
    if ((*expr)->kind != NILAS_BOUND_COLUMN) {
        return NILAS_OK;
    }
    for (size_t i = 0; i < map->count; i++) {
        if (map->from[i].id == (*expr)->attribute_id) {
            if (map->to != NULL) {
                *expr = map->to[i];
                return NILAS_OK;
            }
            return nilas_bind__column_ref(map->binder, &map->columns[i], expr, err);
        }
    }
    return NILAS_OK;
}

/** The conditions, with columns of this operator replaced; those that cannot move to `target` are
 * left out. */
static nilas_code translate(push_state *state, const condition_list *conditions, substitution *map,
                            const nilas_plan *target, condition_list *out, nilas_error *err) {
    conjunct_list list = {0};
    for (size_t i = 0; i < conditions->count; i++) {
        nilas_bound_expr *copy = conditions->items[i];
        if (map != NULL) {
            NILAS_TRY(nilas_bind__copy(state->binder->arena, copy, &copy, err));
            NILAS_TRY(nilas_bind__rewrite(state->binder->arena, &copy, substitute, map, err));
        }
        if (is_local_to(copy, target)) {
            NILAS_PUSH(state->binder->arena, &list, copy, err);
        }
    }
    *out = (condition_list){.items = list.items, .count = list.count};
    return NILAS_OK;
}

static nilas_code push_scan(push_state *state, nilas_plan *plan, const condition_list *conditions,
                            nilas_error *err) {
    nilas_arena *arena = state->binder->arena;
    if (plan->scan->metadata_table != NILAS_METADATA_NONE) {
        return NILAS_OK;
    }
    bool all_exact = true;
    const nilas_pushdown_input input = {
        .zone = state->binder->environment->zone,
        .scan = plan->scan,
        .outputs = plan->outputs,
        .output_count = plan->output_count,
    };
    for (size_t i = 0; i < conditions->count; i++) {
        nilas_predicate *one = NULL;
        bool exact = false;
        NILAS_TRY(nilas_bind__pushdown(arena, conditions->items[i], &input, &one, &exact, err));
        all_exact = all_exact && exact;
        if (one == NULL) {
            continue;
        }
        if (plan->scan->filter == NULL) {
            plan->scan->filter = one;
        } else {
            NILAS_TRY(
                nilas_predicate_and(arena, plan->scan->filter, one, &plan->scan->filter, err));
        }
    }
    // The FILTER directly above (if any) is part of `conditions`; more conditions only make the
    // predicate stronger than it.
    plan->scan->filter_is_exact = all_exact;
    return NILAS_OK;
}

static nilas_code push_subqueries(push_state *state, const nilas_bound_expr *expr,
                                  nilas_error *err) {
    if (expr == NULL) {
        return NILAS_OK;
    }
    if (expr->plan != NULL) {
        condition_list none = {0};
        NILAS_TRY(push(state, expr->plan, &none, err));
    }
    for (size_t i = 0; i < expr->arg_count; i++) {
        NILAS_TRY(push_subqueries(state, expr->args[i], err));
    }
    return push_subqueries(state, expr->filter, err);
}

static nilas_code push_filter(push_state *state, nilas_plan *plan, const condition_list *conditions,
                              nilas_error *err) {
    conjunct_list list = {0};
    for (size_t i = 0; i < conditions->count; i++) {
        NILAS_PUSH(state->binder->arena, &list, conditions->items[i], err);
    }
    NILAS_TRY(add_conjuncts(state, plan->condition, &list, err));
    condition_list all = {.items = list.items, .count = list.count};
    // A scan judges exactness by all conjuncts, so that those which cannot move stay in when it is
    // directly below.
    if (plan->input->kind == NILAS_PLAN_SCAN) {
        return push_scan(state, plan->input, &all, err);
    }
    condition_list local;
    NILAS_TRY(translate(state, &all, NULL, plan->input, &local, err));
    return push(state, plan->input, &local, err);
}

static bool left_keeps_rows(nilas_join_kind kind) {
    return kind == NILAS_JOIN_LEFT || kind == NILAS_JOIN_FULL || kind == NILAS_JOIN_LEFT_ANTI;
}
static bool right_keeps_rows(nilas_join_kind kind) {
    return kind == NILAS_JOIN_RIGHT || kind == NILAS_JOIN_FULL;
}
static bool fills_left(nilas_join_kind kind) {
    return kind == NILAS_JOIN_RIGHT || kind == NILAS_JOIN_FULL;
}
static bool fills_right(nilas_join_kind kind) {
    return kind == NILAS_JOIN_LEFT || kind == NILAS_JOIN_FULL;
}

static nilas_code push_join(push_state *state, nilas_plan *plan, const condition_list *conditions,
                            nilas_error *err) {
    conjunct_list on = {0};
    NILAS_TRY(add_conjuncts(state, plan->condition, &on, err));
    for (int side = 0; side < 2; side++) {
        nilas_plan *input = side == 0 ? plan->input : plan->right;
        bool from_above = side == 0 ? !fills_left(plan->join_kind) : !fills_right(plan->join_kind);
        bool from_on =
            side == 0 ? !left_keeps_rows(plan->join_kind) : !right_keeps_rows(plan->join_kind);
        conjunct_list list = {0};
        for (size_t i = 0; i < conditions->count && from_above; i++) {
            NILAS_PUSH(state->binder->arena, &list, conditions->items[i], err);
        }
        for (size_t i = 0; i < on.count && from_on; i++) {
            NILAS_PUSH(state->binder->arena, &list, on.items[i], err);
        }
        condition_list all = {.items = list.items, .count = list.count};
        condition_list local;
        NILAS_TRY(translate(state, &all, NULL, input, &local, err));
        NILAS_TRY(push(state, input, &local, err));
    }
    return NILAS_OK;
}

static nilas_code push_set_op(push_state *state, nilas_plan *plan, const condition_list *conditions,
                              nilas_error *err) {
    for (int side = 0; side < 2; side++) {
        nilas_plan *input = side == 0 ? plan->input : plan->right;
        substitution map = {.from = plan->outputs,
                            .columns = input->outputs,
                            .count = plan->output_count,
                            .binder = state->binder};
        condition_list local;
        NILAS_TRY(translate(state, conditions, &map, input, &local, err));
        NILAS_TRY(push(state, input, &local, err));
    }
    return NILAS_OK;
}

/** Through an operator whose first outputs are expressions over its input. */
static nilas_code push_mapped(push_state *state, nilas_plan *plan, nilas_bound_expr *const *exprs,
                              size_t count, const condition_list *conditions, nilas_error *err) {
    substitution map = {
        .from = plan->outputs, .to = exprs, .count = count, .binder = state->binder};
    condition_list local;
    NILAS_TRY(translate(state, conditions, &map, plan->input, &local, err));
    return push(state, plan->input, &local, err);
}

static nilas_code push_same(push_state *state, nilas_plan *plan, const condition_list *conditions,
                            nilas_error *err) {
    condition_list local;
    NILAS_TRY(translate(state, conditions, NULL, plan->input, &local, err));
    return push(state, plan->input, &local, err);
}

static nilas_code push(push_state *state, nilas_plan *plan, const condition_list *conditions,
                       nilas_error *err) {
    const condition_list none = {0};
    for (size_t i = 0; i < plan->expr_count; i++) {
        NILAS_TRY(push_subqueries(state, plan->exprs[i], err));
    }
    NILAS_TRY(push_subqueries(state, plan->condition, err));
    switch (plan->kind) {
    case NILAS_PLAN_SCAN: return push_scan(state, plan, conditions, err);
    case NILAS_PLAN_FILTER: return push_filter(state, plan, conditions, err);
    case NILAS_PLAN_PROJECT:
        return push_mapped(state, plan, plan->exprs, plan->output_count, conditions, err);
    case NILAS_PLAN_AGGREGATE:
        // Without groups an empty input still gives a row, and a set leaves groups out as null.
        return plan->group_count > 0 && plan->set_count == 0
                   ? push_mapped(state, plan, plan->groups, plan->group_count, conditions, err)
                   : push(state, plan->input, &none, err);
    case NILAS_PLAN_JOIN: return push_join(state, plan, conditions, err);
    case NILAS_PLAN_SET_OP:
        return push_set_op(state, plan, plan->set_op == NILAS_SET_EXCEPT ? &none : conditions, err);
    case NILAS_PLAN_SORT:
    case NILAS_PLAN_GENERATE: return push_same(state, plan, conditions, err);
    case NILAS_PLAN_DISTINCT:
        return push_same(state, plan, plan->expr_count == 0 ? conditions : &none, err);
    default: break;
    }
    if (plan->input != NULL) {
        NILAS_TRY(push(state, plan->input, &none, err));
    }
    return plan->right != NULL ? push(state, plan->right, &none, err) : NILAS_OK;
}

nilas_code nilas_bind__push(nilas_binder *binder, nilas_plan *plan, nilas_error *err) {
    push_state state = {.binder = binder};
    condition_list none = {0};
    return push(&state, plan, &none, err);
}
