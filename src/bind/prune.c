/**
 * Dropping what nobody needs: from the top down, each operator says which columns of its input it
 * uses; scans then read only those.
 *
 * Attribute ids are unique in the statement, so that one bit per id is all the memory it takes; a
 * correlated reference from a subquery marks the outer column like any other.
 */
#include "bind/query.h"

typedef struct prune_state {
    nilas_arena *arena;
    bool *needed; // by attribute id
    size_t size;
} prune_state;

static nilas_code prune(prune_state *state, nilas_plan *plan, nilas_error *err);

static void need(prune_state *state, int32_t id) {
    nilas_assert(id >= 0 && (size_t)id < state->size);
    state->needed[id] = true;
}

static void need_all(prune_state *state, const nilas_plan *plan) {
    for (size_t i = 0; i < plan->output_count; i++) {
        need(state, plan->outputs[i].id);
    }
}

static nilas_code mark_list(prune_state *state, nilas_bound_expr *const *list, size_t count,
                            nilas_error *err);

static nilas_code mark(prune_state *state, const nilas_bound_expr *expr, nilas_error *err) {
    if (expr == NULL) {
        return NILAS_OK;
    }
    if (expr->kind == NILAS_BOUND_COLUMN) {
        need(state, expr->attribute_id);
    }
    if (expr->plan != NULL) {
        need_all(state, expr->plan);
        NILAS_TRY(prune(state, expr->plan, err));
    }
    NILAS_TRY(mark_list(state, expr->args, expr->arg_count, err));
    NILAS_TRY(mark_list(state, expr->order_by, expr->order_by_count, err));
    NILAS_TRY(mark(state, expr->filter, err));
    if (expr->window != NULL) {
        NILAS_TRY(
            mark_list(state, expr->window->partition_by, expr->window->partition_by_count, err));
        NILAS_TRY(mark_list(state, expr->window->order_by, expr->window->order_by_count, err));
        NILAS_TRY(mark(state, expr->window->start.offset, err));
        NILAS_TRY(mark(state, expr->window->end.offset, err));
    }
    return NILAS_OK;
}

static nilas_code mark_list(prune_state *state, nilas_bound_expr *const *list, size_t count,
                            nilas_error *err) {
    for (size_t i = 0; i < count; i++) {
        NILAS_TRY(mark(state, list[i], err));
    }
    return NILAS_OK;
}

/** Keep the needed ones of `count` outputs from `first` on, with the expression of each (exprs may
 * be NULL). */
static nilas_code keep_needed(prune_state *state, nilas_plan *plan, size_t first, size_t count,
                              nilas_error *err) {
    nilas_attribute *outputs;
    nilas_bound_expr **exprs;
    size_t kept = first;
    size_t kept_exprs = 0;
    NILAS_NEW_ARRAY(state->arena, &outputs, plan->output_count, err);
    NILAS_NEW_ARRAY(state->arena, &exprs, count, err);
    for (size_t i = 0; i < first; i++) {
        outputs[i] = plan->outputs[i];
    }
    for (size_t i = 0; i < count; i++) {
        if (state->needed[plan->outputs[first + i].id]) {
            outputs[kept++] = plan->outputs[first + i];
            exprs[kept_exprs++] = plan->exprs[i];
        }
    }
    for (size_t i = first + count; i < plan->output_count; i++) {
        outputs[kept++] = plan->outputs[i];
    }
    plan->outputs = outputs;
    plan->output_count = kept;
    plan->exprs = exprs;
    plan->expr_count = kept_exprs;
    return NILAS_OK;
}

static nilas_code prune_scan(prune_state *state, nilas_plan *plan, nilas_error *err) {
    nilas_attribute *outputs;
    nilas_scan_column *columns;
    size_t kept = 0;
    NILAS_NEW_ARRAY(state->arena, &outputs, plan->output_count, err);
    NILAS_NEW_ARRAY(state->arena, &columns, plan->output_count, err);
    for (size_t i = 0; i < plan->output_count; i++) {
        if (state->needed[plan->outputs[i].id]) {
            outputs[kept] = plan->outputs[i];
            columns[kept++] = plan->scan->columns[i];
            plan->scan->with_deleted =
                plan->scan->with_deleted || plan->scan->columns[i].field->id == NILAS_FIELD_DELETED;
        }
    }
    plan->outputs = outputs;
    plan->output_count = kept;
    plan->scan->columns = columns;
    plan->scan->column_count = kept;
    return NILAS_OK;
}

/** After the inputs were pruned: an operator that passes columns through has those that are left.
 */
static nilas_code inherit_outputs(prune_state *state, nilas_plan *plan, size_t own,
                                  nilas_error *err) {
    nilas_attribute *outputs;
    size_t room =
        plan->input->output_count + (plan->right != NULL ? plan->right->output_count : 0) + own;
    size_t count = 0;
    NILAS_NEW_ARRAY(state->arena, &outputs, room, err);
    bool both = plan->kind == NILAS_PLAN_JOIN && plan->join_kind != NILAS_JOIN_LEFT_SEMI &&
                plan->join_kind != NILAS_JOIN_LEFT_ANTI;
    for (size_t side = 0; side < (both ? 2 : 1); side++) {
        const nilas_plan *input = side == 0 ? plan->input : plan->right;
        for (size_t i = 0; i < input->output_count; i++) {
            outputs[count] = input->outputs[i];
            for (size_t k = 0; k < plan->output_count; k++) {
                if (plan->outputs[k].id == input->outputs[i].id) {
                    outputs[count].nullable =
                        plan->outputs[k].nullable; // an outer join makes columns nullable
                }
            }
            count++;
        }
    }
    for (size_t i = 0; i < own; i++) {
        outputs[count++] = plan->outputs[plan->output_count - own + i];
    }
    plan->outputs = outputs;
    plan->output_count = count;
    return NILAS_OK;
}

static nilas_code prune_inputs(prune_state *state, nilas_plan *plan, nilas_error *err) {
    if (plan->right != NULL) {
        NILAS_TRY(prune(state, plan->right,
                        err)); // first: a lateral right side marks columns of the left
    }
    return plan->input != NULL ? prune(state, plan->input, err) : NILAS_OK;
}

static nilas_code prune_pass_through(prune_state *state, nilas_plan *plan, size_t own,
                                     nilas_error *err) {
    NILAS_TRY(mark_list(state, plan->exprs, plan->expr_count, err));
    NILAS_TRY(mark(state, plan->condition, err));
    NILAS_TRY(prune_inputs(state, plan, err));
    return inherit_outputs(state, plan, own, err);
}

/** Columns that are compared as whole rows, or taken by position, must all stay. */
static nilas_code prune_positional(prune_state *state, nilas_plan *plan, nilas_error *err) {
    need_all(state, plan->input);
    if (plan->right != NULL) {
        need_all(state, plan->right);
    }
    NILAS_TRY(mark_list(state, plan->exprs, plan->expr_count, err));
    return prune_inputs(state, plan, err);
}

static nilas_code prune(prune_state *state, nilas_plan *plan, nilas_error *err) {
    switch (plan->kind) {
    case NILAS_PLAN_SCAN: return prune_scan(state, plan, err);
    case NILAS_PLAN_PROJECT:
        NILAS_TRY(keep_needed(state, plan, 0, plan->output_count, err));
        NILAS_TRY(mark_list(state, plan->exprs, plan->expr_count, err));
        return prune_inputs(state, plan, err);
    case NILAS_PLAN_AGGREGATE:
        NILAS_TRY(keep_needed(state, plan, plan->group_count, plan->expr_count, err));
        NILAS_TRY(mark_list(state, plan->exprs, plan->expr_count, err));
        NILAS_TRY(mark_list(state, plan->groups, plan->group_count, err));
        return prune_inputs(state, plan, err);
    case NILAS_PLAN_WINDOW:
        NILAS_TRY(
            keep_needed(state, plan, plan->output_count - plan->expr_count, plan->expr_count, err));
        return prune_pass_through(state, plan, plan->expr_count, err);
    case NILAS_PLAN_GENERATE:
        return prune_pass_through(state, plan, plan->output_count - plan->input->output_count, err);
    case NILAS_PLAN_SET_OP:
    case NILAS_PLAN_RECURSIVE: return prune_positional(state, plan, err);
    case NILAS_PLAN_DISTINCT:
        NILAS_TRY(prune_positional(state, plan, err));
        return inherit_outputs(state, plan, 0, err);
    case NILAS_PLAN_FILTER:
    case NILAS_PLAN_JOIN:
    case NILAS_PLAN_SORT:
    case NILAS_PLAN_LIMIT:
    case NILAS_PLAN_SAMPLE: return prune_pass_through(state, plan, 0, err);
    case NILAS_PLAN_VALUES:
    case NILAS_PLAN_TABLE_FUNCTION: return mark_list(state, plan->exprs, plan->expr_count, err);
    case NILAS_PLAN_ONE_ROW:
    case NILAS_PLAN_FILE_SCAN:
    case NILAS_PLAN_LOCAL:
    case NILAS_PLAN_RECURSION:
    case NILAS_PLAN_EMPTY: break;
    }
    return NILAS_OK;
}

nilas_code nilas_bind__prune(nilas_binder *binder, nilas_plan *plan, nilas_error *err) {
    prune_state state = {.arena = binder->arena, .size = (size_t)binder->next_id};
    NILAS_NEW_ARRAY(binder->arena, &state.needed, state.size, err);
    need_all(&state, plan);
    return prune(&state, plan, err);
}
