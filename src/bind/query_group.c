/** GROUP BY: positions, aliases, ALL, ROLLUP, CUBE and GROUPING SETS as sets of groups. */
#include "bind/query_select.h"

static nilas_code group_ordinal(nilas_select_state *state, const nilas_expr *expr,
                                nilas_bound_expr **out, nilas_error *err) {
    int64_t position = expr->value.integer;
    if (position < 1 || (size_t)position > state->items.count) {
        return nilas_fail_at(
            err, NILAS_INVALID, "GROUP_BY_POS_OUT_OF_RANGE", expr->offset,
            "GROUP BY position %lld is not in select list (valid range is [1, %zu]).",
            (long long)position, state->items.count);
    }
    *out = state->items.items[position - 1].expr;
    if (nilas_bind__has_aggregate(*out)) {
        return nilas_fail_at(err, NILAS_INVALID, "GROUP_BY_POS_AGGREGATE", expr->offset,
                             "GROUP BY %lld refers to an expression that contains an aggregate "
                             "function. Aggregate functions are not allowed in GROUP BY.",
                             (long long)position);
    }
    return NILAS_OK;
}

/** Add a group expression (once) and give its position. */
static nilas_code add_group(nilas_select_state *state, nilas_bound_expr *bound, size_t *out,
                            nilas_error *err) {
    nilas_extraction *extraction = &state->extraction;
    for (size_t i = 0; i < extraction->groups.count; i++) {
        if (nilas_bind__equal(extraction->groups.items[i], bound)) {
            *out = i;
            return NILAS_OK;
        }
    }
    NILAS_REQUIRE(extraction->groups.count < 64, err, NILAS_LIMIT,
                  "GROUP BY has more than 64 expressions");
    nilas_str shown;
    NILAS_TRY(nilas_bind__shown(state->binder, bound, &shown, err));
    nilas_attribute attribute = nilas_bind__attribute(state->binder, shown, bound->type,
                                                      bound->nullable || extraction->has_sets);
    NILAS_PUSH(state->binder->arena, &extraction->groups, bound, err);
    NILAS_PUSH(state->binder->arena, &extraction->group_attributes, attribute, err);
    *out = extraction->groups.count - 1;
    return NILAS_OK;
}

static nilas_code bind_group(nilas_select_state *state, const nilas_expr *expr, size_t *out,
                             nilas_error *err) {
    nilas_bound_expr *bound;
    if (expr->kind == NILAS_EXPR_LITERAL && expr->type != NULL &&
        nilas_type_is_integral(expr->type) && expr->value.kind == NILAS_VALUE_INT) {
        NILAS_TRY(group_ordinal(state, expr, &bound, err));
    } else {
        nilas_bind_scope scope = state->scope;
        scope.clause = "GROUP BY";
        scope.no_windows = scope.no_generators = true;
        NILAS_TRY(nilas_bind__expr(&scope, expr, &bound, err));
        if (nilas_bind__has_aggregate(bound)) {
            nilas_str shown;
            NILAS_TRY(nilas_bind__shown(state->binder, bound, &shown, err));
            return nilas_fail_at(
                err, NILAS_INVALID, "GROUP_BY_AGGREGATE", expr->offset,
                "Aggregate functions are not allowed in GROUP BY, but found \"%.*s\".",
                NILAS_FMT(shown));
        }
    }
    return add_group(state, bound, out, err);
}

/** The bits of one grouping set: an expression or a ROW of several. */
static nilas_code set_mask(nilas_select_state *state, const nilas_expr *expr, uint64_t *out,
                           nilas_error *err) {
    *out = 0;
    size_t index;
    if (expr->kind != NILAS_EXPR_ROW) {
        NILAS_TRY(bind_group(state, expr, &index, err));
        *out = 1ULL << index;
        return NILAS_OK;
    }
    for (size_t i = 0; i < expr->arg_count; i++) {
        NILAS_TRY(bind_group(state, expr->args[i], &index, err));
        *out |= 1ULL << index;
    }
    return NILAS_OK;
}

typedef NILAS_ARRAY_OF(uint64_t) mask_list;

static nilas_code element_sets(nilas_select_state *state, const nilas_expr *expr, mask_list *out,
                               nilas_error *err);

static nilas_code rollup_or_cube(nilas_select_state *state, nilas_expr *const *args, size_t count,
                                 bool cube, mask_list *out, nilas_error *err) {
    uint64_t *masks;
    NILAS_NEW_ARRAY(state->binder->arena, &masks, count, err);
    for (size_t i = 0; i < count; i++) {
        NILAS_TRY(set_mask(state, args[i], &masks[i], err));
    }
    NILAS_REQUIRE(!cube || count <= 12, err, NILAS_LIMIT, "CUBE has %zu elements, more than 12",
                  count);
    size_t total = cube ? (size_t)1 << count : count + 1;
    for (size_t set = 0; set < total; set++) {
        uint64_t mask = 0;
        for (size_t i = 0; i < count; i++) {
            bool taken = cube ? ((total - 1 - set) >> (count - 1 - i) & 1) != 0 : i < count - set;
            mask |= taken ? masks[i] : 0;
        }
        NILAS_PUSH(state->binder->arena, out, mask, err);
    }
    return NILAS_OK;
}

static nilas_code element_sets(nilas_select_state *state, const nilas_expr *expr, mask_list *out,
                               nilas_error *err) {
    if (expr->kind == NILAS_EXPR_ROLLUP || expr->kind == NILAS_EXPR_CUBE) {
        return rollup_or_cube(state, expr->args, expr->arg_count, expr->kind == NILAS_EXPR_CUBE,
                              out, err);
    }
    if (expr->kind == NILAS_EXPR_GROUPING_SETS) {
        for (size_t i = 0; i < expr->arg_count; i++) {
            NILAS_TRY(element_sets(state, expr->args[i], out, err));
        }
        return NILAS_OK;
    }
    uint64_t mask;
    NILAS_TRY(set_mask(state, expr, &mask, err));
    NILAS_PUSH(state->binder->arena, out, mask, err);
    return NILAS_OK;
}

/** Cross product of what has been collected with the sets of one more element. */
static nilas_code multiply_sets(nilas_select_state *state, const mask_list *element,
                                nilas_error *err) {
    mask_list product = {0};
    for (size_t i = 0; i < state->sets.count; i++) {
        for (size_t k = 0; k < element->count; k++) {
            uint64_t mask = state->sets.items[i] | element->items[k];
            NILAS_PUSH(state->binder->arena, &product, mask, err);
        }
    }
    NILAS_REQUIRE(product.count <= 4096, err, NILAS_LIMIT,
                  "GROUP BY has %zu grouping sets, more than 4096", product.count);
    state->sets.items = product.items;
    state->sets.count = product.count;
    state->sets.capacity = product.capacity;
    return NILAS_OK;
}

static bool is_analytic(const nilas_expr *expr) {
    return expr->kind == NILAS_EXPR_ROLLUP || expr->kind == NILAS_EXPR_CUBE ||
           expr->kind == NILAS_EXPR_GROUPING_SETS;
}

static nilas_code group_by_all(nilas_select_state *state, nilas_error *err) {
    for (size_t i = 0; i < state->items.count; i++) {
        nilas_bound_expr *expr = state->items.items[i].expr;
        size_t index;
        if (!nilas_bind__has_aggregate(expr) && !nilas_bind__has_window(expr)) {
            NILAS_TRY(add_group(state, expr, &index, err));
        }
    }
    return NILAS_OK;
}

/** GROUP BY a, b GROUPING SETS (…): the list says the order of the groups. */
static nilas_code given_sets(nilas_select_state *state, const nilas_group_by *group_by,
                             nilas_error *err) {
    mask_list masks = {0};
    state->extraction.has_sets = true;
    for (size_t i = 0; i < group_by->expr_count; i++) {
        size_t index;
        NILAS_TRY(bind_group(state, group_by->exprs[i], &index, err));
    }
    NILAS_TRY(element_sets(state, group_by->grouping_sets, &masks, err));
    state->sets.items = masks.items;
    state->sets.count = masks.count;
    return NILAS_OK;
}

nilas_code nilas_bind__group_by(nilas_select_state *state, nilas_error *err) {
    const nilas_group_by *group_by = state->select->group_by;
    nilas_arena *arena = state->binder->arena;
    if (group_by == NULL || !group_by->present) {
        return NILAS_OK;
    }
    state->aggregated = true;
    state->extraction.has_group_by = true;
    if (group_by->all) {
        return group_by_all(state, err);
    }
    bool with = group_by->with_rollup || group_by->with_cube;
    if (group_by->grouping_sets != NULL) {
        return given_sets(state, group_by, err);
    }
    state->extraction.has_sets = with;
    for (size_t i = 0; i < group_by->expr_count; i++) {
        state->extraction.has_sets = state->extraction.has_sets || is_analytic(group_by->exprs[i]);
    }
    if (!state->extraction.has_sets) {
        for (size_t i = 0; i < group_by->expr_count; i++) {
            size_t index;
            NILAS_TRY(bind_group(state, group_by->exprs[i], &index, err));
        }
        return NILAS_OK;
    }
    if (with) {
        mask_list masks = {0};
        NILAS_TRY(rollup_or_cube(state, group_by->exprs, group_by->expr_count, group_by->with_cube,
                                 &masks, err));
        state->sets.items = masks.items;
        state->sets.count = masks.count;
        return NILAS_OK;
    }
    uint64_t empty = 0;
    NILAS_PUSH(arena, &state->sets, empty, err);
    for (size_t i = 0; i < group_by->expr_count; i++) {
        mask_list element = {0};
        NILAS_TRY(element_sets(state, group_by->exprs[i], &element, err));
        NILAS_TRY(multiply_sets(state, &element, err));
    }
    return NILAS_OK;
}
