/**
 * SELECT: select list, WHERE, GROUP BY with grouping sets, HAVING, windows, generators, DISTINCT,
 * and the ORDER BY above it.
 *
 * The order of the operators from below: FROM, FILTER (where), AGGREGATE, FILTER (having), WINDOW,
 * GENERATE, PROJECT, DISTINCT, SORT. Expressions are first bound as they stand; then what belongs
 * to an operator below is taken out of them (query_extract.c).
 */
#include "bind/query_select.h"

/* --- select list --- */

static const nilas_scope_column *source_of(const nilas_bind_scope *scope,
                                           const nilas_bound_expr *expr) {
    if (expr->kind != NILAS_BOUND_COLUMN) {
        return NULL;
    }
    for (size_t i = 0; i < scope->column_count; i++) {
        if (scope->columns[i].attribute.id == expr->attribute_id) {
            return &scope->columns[i];
        }
    }
    return NULL;
}

static nilas_code add_star(nilas_select_state *state, const nilas_expr *star, nilas_error *err) {
    nilas_bound_expr **exprs;
    nilas_str *names;
    size_t count;
    NILAS_TRY(nilas_bind__expand_star(&state->scope, star, &exprs, &names, &count, err));
    for (size_t i = 0; i < count; i++) {
        nilas_select_item item = {
            .expr = exprs[i], .name = names[i], .source = source_of(&state->scope, exprs[i])};
        NILAS_PUSH(state->binder->arena, &state->items, item, err);
    }
    return NILAS_OK;
}

/** df.colRegex(): the columns whose whole names match. */
static nilas_code add_matching(nilas_select_state *state, const nilas_expr *regex,
                               nilas_error *err) {
    nilas_expr star = {.kind = NILAS_EXPR_STAR,
                       .offset = regex->offset,
                       .parts = regex->parts,
                       .part_count = regex->part_count,
                       .plan_id = regex->plan_id};
    nilas_bound_expr **exprs;
    nilas_str *names;
    size_t count;
    nilas_str pattern;
    nilas_binder *binder = state->binder;
    NILAS_TRY(nilas_bind__expand_star(&state->scope, &star, &exprs, &names, &count, err));
    NILAS_TRY(nilas_str_print(binder->arena, &pattern, err, "^(%s:%.*s)$",
                              binder->environment->case_sensitive ? "?" : "?i",
                              NILAS_FMT(regex->value.text)));
    for (size_t i = 0; i < count; i++) {
        nilas_bound_expr *args[2];
        nilas_bound_expr *matches;
        nilas_value value;
        NILAS_TRY(nilas_bind__string_literal(binder, names[i], &args[0], err));
        NILAS_TRY(nilas_bind__string_literal(binder, pattern, &args[1], err));
        NILAS_TRY(nilas_bind__call(binder, "rlike", args, 2, regex->offset, &matches, err));
        NILAS_TRY(nilas_bind__fold(binder, matches, &value, err));
        if (value.kind != NILAS_VALUE_BOOL || !value.boolean) {
            continue;
        }
        nilas_select_item item = {
            .expr = exprs[i], .name = names[i], .source = source_of(&state->scope, exprs[i])};
        NILAS_PUSH(binder->arena, &state->items, item, err);
    }
    return NILAS_OK;
}

/** Let later items of the list, GROUP BY and HAVING refer to this one by its alias. */
static nilas_code add_lateral_alias(nilas_select_state *state, nilas_str name,
                                    nilas_bound_expr *expr, nilas_error *err) {
    nilas_bind_scope *scope = &state->scope;
    if (nilas_bind__has_generator(expr)) {
        return NILAS_OK;
    }
    nilas_str *names;
    nilas_bound_expr **exprs;
    NILAS_NEW_ARRAY(state->binder->arena, &names, scope->alias_count + 1, err);
    NILAS_NEW_ARRAY(state->binder->arena, &exprs, scope->alias_count + 1, err);
    for (size_t i = 0; i < scope->alias_count; i++) {
        names[i] = scope->alias_names[i];
        exprs[i] = scope->alias_exprs[i];
    }
    names[scope->alias_count] = name;
    exprs[scope->alias_count] = expr;
    scope->alias_names = names;
    scope->alias_exprs = exprs;
    scope->alias_count++;
    return NILAS_OK;
}

/** Whether the name is the expression's text, not that of a column, a field or a literal. */
static bool is_auto_named(const nilas_expr *expr, const nilas_bound_expr *bound) {
    switch (expr->kind) {
    case NILAS_EXPR_ALIAS:
    case NILAS_EXPR_COLUMN:
    case NILAS_EXPR_FIELD:
    case NILAS_EXPR_LITERAL:
    case NILAS_EXPR_TYPED_LITERAL:
    case NILAS_EXPR_INTERVAL: return false;
    case NILAS_EXPR_CAST: return expr->args[0]->kind != NILAS_EXPR_COLUMN;
    case NILAS_EXPR_SUBSCRIPT:
        return bound->kind != NILAS_BOUND_FIELD && expr->args[1]->value.kind != NILAS_VALUE_STRING;
    default: break;
    }
    return bound->kind != NILAS_BOUND_CALL || bound->function->kind != NILAS_FUNCTION_GENERATOR;
}

static nilas_code add_item(nilas_select_state *state, const nilas_expr *expr, nilas_error *err) {
    if (expr->kind == NILAS_EXPR_STAR) {
        return add_star(state, expr, err);
    }
    if (expr->kind == NILAS_EXPR_REGEX) {
        return add_matching(state, expr, err);
    }
    nilas_select_item item = {0};
    bool is_alias = expr->kind == NILAS_EXPR_ALIAS;
    NILAS_TRY(nilas_bind__expr(&state->scope, is_alias ? expr->args[0] : expr, &item.expr, err));
    NILAS_TRY(nilas_bind__shown_name(state->binder, expr, item.expr, &item.name, err));
    item.auto_named = is_auto_named(expr, item.expr);
    if (is_alias) {
        item.names = expr->parts;
        item.name_count = expr->part_count;
        item.comment = nilas_value_is_null(&expr->value) ? (nilas_str){0} : expr->value.text;
    } else {
        item.source = source_of(&state->scope, item.expr);
    }
    bool is_generator = item.expr->kind == NILAS_BOUND_CALL &&
                        item.expr->function->kind == NILAS_FUNCTION_GENERATOR;
    if (!is_generator && item.name_count > 1) {
        return nilas_fail_at(err, NILAS_INVALID, "MULTI_ALIAS_WITHOUT_GENERATOR", expr->offset,
                             "Multi part aliasing (%zu names) is not supported with this "
                             "expression as it is not a generator function.",
                             item.name_count);
    }
    NILAS_PUSH(state->binder->arena, &state->items, item, err);
    return is_alias && expr->part_count == 1
               ? add_lateral_alias(state, expr->parts[0], item.expr, err)
               : NILAS_OK;
}

/* --- ORDER BY --- */

static bool refers_only_to(const nilas_bound_expr *expr, const nilas_attribute *outputs,
                           size_t count) {
    if (expr == NULL) {
        return true;
    }
    if (expr->kind == NILAS_BOUND_COLUMN) {
        for (size_t i = 0; i < count; i++) {
            if (outputs[i].id == expr->attribute_id) {
                return true;
            }
        }
        return false;
    }
    if (expr->plan != NULL || expr->kind == NILAS_BOUND_WINDOW ||
        (expr->kind == NILAS_BOUND_CALL && expr->function->kind == NILAS_FUNCTION_AGGREGATE)) {
        return false;
    }
    for (size_t i = 0; i < expr->arg_count; i++) {
        if (!refers_only_to(expr->args[i], outputs, count)) {
            return false;
        }
    }
    return refers_only_to(expr->filter, outputs, count);
}

/** Replace references to the output's columns by their expressions. */
static nilas_code substitute_output(void *context, nilas_bound_expr **expr, nilas_error *err) {
    (void)err;
    nilas_select_state *state = context;
    if ((*expr)->kind == NILAS_BOUND_COLUMN) {
        for (size_t i = 0; i < state->items.count; i++) {
            if (state->outputs[i].id == (*expr)->attribute_id) {
                *expr = state->items.items[i].expr;
                break;
            }
        }
    }
    return NILAS_OK;
}

static nilas_code sort_ordinal(nilas_select_state *state, const nilas_expr *key,
                               const nilas_expr *expr, nilas_bind_scope *scope,
                               nilas_bound_expr **out, nilas_error *err) {
    int64_t position = expr->value.integer;
    if (position < 1 || (size_t)position > state->items.count) {
        return nilas_fail_at(
            err, NILAS_INVALID, "ORDER_BY_POS_OUT_OF_RANGE", expr->offset,
            "ORDER BY position %lld is not in select list (valid range is [1, %zu]).",
            (long long)position, state->items.count);
    }
    nilas_expr *none;
    NILAS_TRY(nilas_expr_new(state->binder->arena, NILAS_EXPR_LITERAL, expr->offset, &none, err));
    nilas_expr shape = *key;
    none->type = nilas_type_of(NILAS_TYPE_INT);
    none->value = nilas_value_of_int(position);
    if (key->kind == NILAS_EXPR_SORT) {
        nilas_expr *args[1] = {none};
        shape.args = args;
        NILAS_TRY(nilas_bind__sort_key(scope, &shape, out, err));
    } else {
        NILAS_TRY(nilas_bind__sort_key(scope, none, out, err));
    }
    return nilas_bind__column_ref(state->binder, &state->outputs[position - 1], &(*out)->args[0],
                                  err);
}

static bool is_ordinal(const nilas_expr *expr) {
    return expr->kind == NILAS_EXPR_LITERAL && expr->type != NULL &&
           nilas_type_is_integral(expr->type) && expr->value.kind == NILAS_VALUE_INT;
}

static bool is_all(const nilas_binder *binder, const nilas_expr *expr, size_t key_count) {
    return key_count == 1 && expr->kind == NILAS_EXPR_COLUMN && expr->part_count == 1 &&
           !binder->environment->case_sensitive && nilas_str_is_nocase(expr->parts[0], "all");
}

static bool output_has(const nilas_select_state *state, nilas_str name) {
    for (size_t i = 0; i < state->output.column_count; i++) {
        if (nilas_bind__same_name(state->binder, state->output.columns[i].attribute.name, name)) {
            return true;
        }
    }
    return false;
}

static nilas_code sort_by_all(nilas_select_state *state, const nilas_expr *key,
                              nilas_bind_scope *scope, nilas_error *err) {
    for (size_t i = 0; i < state->items.count; i++) {
        nilas_expr one = {.kind = NILAS_EXPR_LITERAL,
                          .offset = key->offset,
                          .type = nilas_type_of(NILAS_TYPE_INT),
                          .value = nilas_value_of_int((int64_t)i + 1)};
        nilas_select_key out = {.over_output = true};
        NILAS_TRY(sort_ordinal(state, key, &one, scope, &out.expr, err));
        NILAS_PUSH(state->binder->arena, &state->keys, out, err);
    }
    return NILAS_OK;
}

/** Bind the keys in a scope that sees the output first, then FROM. */
static nilas_code bind_sort_keys(nilas_select_state *state, nilas_error *err) {
    const nilas_query *sort = state->select->sort;
    nilas_bind_scope from = state->scope;
    nilas_bind_scope scope;
    from.alias_count = 0;
    nilas_bind__scope_of(&scope, state->binder, &state->output, state->scope.outer, "ORDER BY");
    scope.fallback = &from;
    from.takes_missing = true;
    scope.windows = state->scope.windows;
    scope.window_count = state->scope.window_count;
    scope.no_generators = true;
    for (size_t i = 0; i < sort->expr_count; i++) {
        const nilas_expr *key = sort->exprs[i];
        const nilas_expr *expr = key->kind == NILAS_EXPR_SORT ? key->args[0] : key;
        if (is_all(state->binder, expr, sort->expr_count) && !output_has(state, expr->parts[0])) {
            NILAS_TRY(sort_by_all(state, key, &scope, err));
            continue;
        }
        nilas_select_key out = {0};
        if (is_ordinal(expr)) {
            NILAS_TRY(sort_ordinal(state, key, expr, &scope, &out.expr, err));
        } else {
            NILAS_TRY(nilas_bind__sort_key(&scope, key, &out.expr, err));
            if (nilas_bind__has_aggregate(out.expr)) {
                // The argument of an aggregate means FROM's column even when the output has one of
                // the same name.
                nilas_bind_scope inner = from;
                nilas_bind_scope outputs = scope;
                outputs.fallback = NULL;
                inner.fallback = &outputs;
                inner.clause = "ORDER BY";
                NILAS_TRY(nilas_bind__sort_key(&inner, key, &out.expr, err));
            }
        }
        out.over_output = refers_only_to(out.expr, state->outputs, state->items.count);
        NILAS_PUSH(state->binder->arena, &state->keys, out, err);
    }
    return NILAS_OK;
}

/* --- operators, from below
 * ---------------------------------------------------------------------------------------------- */

static nilas_code add_filter(nilas_select_state *state, nilas_bound_expr *condition,
                             nilas_error *err) {
    nilas_plan *filter;
    NILAS_TRY(nilas_bind__plan(state->binder, NILAS_PLAN_FILTER, state->plan, &filter, err));
    filter->condition = condition;
    state->plan = filter;
    return NILAS_OK;
}

/** Call for each expression that stands above the aggregation. */
static nilas_code each_above(nilas_select_state *state,
                             nilas_code (*body)(void *context, nilas_bound_expr **expr,
                                                nilas_error *err),
                             void *context, bool with_having, nilas_error *err) {
    for (size_t i = 0; i < state->items.count; i++) {
        NILAS_TRY(body(context, &state->items.items[i].expr, err));
    }
    if (with_having && state->having != NULL) {
        NILAS_TRY(body(context, &state->having, err));
    }
    for (size_t i = 0; i < state->keys.count; i++) {
        if (!state->keys.items[i].over_output) {
            NILAS_TRY(body(context, &state->keys.items[i].expr->args[0], err));
        }
    }
    return NILAS_OK;
}

static nilas_code extract_one(void *context, nilas_bound_expr **expr, nilas_error *err) {
    return nilas_bind__extract_aggregates(context, expr, err);
}

static nilas_code add_aggregate(nilas_select_state *state, nilas_error *err) {
    nilas_extraction *extraction = &state->extraction;
    nilas_binder *binder = state->binder;
    extraction->input = state->plan;
    NILAS_TRY(each_above(state, extract_one, extraction, true, err));
    nilas_plan *plan;
    NILAS_TRY(nilas_bind__plan(binder, NILAS_PLAN_AGGREGATE, state->plan, &plan, err));
    size_t groups = extraction->groups.count;
    size_t aggregates = extraction->aggregates.count;
    NILAS_NEW_ARRAY(binder->arena, &plan->outputs, groups + aggregates + 1, err);
    for (size_t i = 0; i < groups; i++) {
        plan->outputs[i] = extraction->group_attributes.items[i];
    }
    for (size_t i = 0; i < aggregates; i++) {
        plan->outputs[groups + i] = extraction->aggregate_attributes.items[i];
    }
    plan->output_count = groups + aggregates;
    if (extraction->has_grouping_id) {
        plan->outputs[plan->output_count++] = extraction->grouping_id;
        plan->has_grouping_id = true;
    }
    plan->groups = extraction->groups.items;
    plan->group_count = groups;
    plan->exprs = extraction->aggregates.items;
    plan->expr_count = aggregates;
    plan->sets = state->sets.items;
    plan->set_count = state->sets.count;
    state->plan = plan;
    return state->having != NULL ? add_filter(state, state->having, err) : NILAS_OK;
}

static nilas_code extract_windows_of(void *context, nilas_bound_expr **expr, nilas_error *err) {
    return nilas_bind__extract_windows(context, expr, err);
}

static nilas_code add_windows(nilas_select_state *state, nilas_error *err) {
    nilas_window_extraction windows = {.binder = state->binder};
    NILAS_TRY(each_above(state, extract_windows_of, &windows, false, err));
    if (windows.windows.count == 0) {
        return NILAS_OK;
    }
    nilas_plan *plan;
    NILAS_TRY(nilas_bind__plan(state->binder, NILAS_PLAN_WINDOW, state->plan, &plan, err));
    plan->exprs = windows.windows.items;
    plan->expr_count = windows.windows.count;
    for (size_t i = 0; i < windows.attributes.count; i++) {
        NILAS_TRY(nilas_bind__add_output(state->binder, plan, windows.attributes.items[i], err));
    }
    state->plan = plan;
    return NILAS_OK;
}

/** Replace the first generator among the items by its columns. */
static nilas_code add_generator(nilas_select_state *state, nilas_error *err) {
    for (size_t i = 0; i < state->items.count; i++) {
        nilas_select_item item = state->items.items[i];
        if (!nilas_bind__has_generator(item.expr)) {
            continue;
        }
        if (item.expr->kind != NILAS_BOUND_CALL ||
            item.expr->function->kind != NILAS_FUNCTION_GENERATOR) {
            return nilas_fail_at(err, NILAS_INVALID, "UNSUPPORTED_GENERATOR.NESTED_IN_EXPRESSIONS",
                                 item.expr->offset,
                                 "The generator is not supported: nested in expressions.");
        }
        nilas_bound_relation relation = {.plan = state->plan};
        size_t first;
        NILAS_TRY(nilas_bind__generate(state->binder, &relation, item.expr, false, item.names,
                                       item.name_count, item.expr->offset, &first, err));
        state->plan = relation.plan;
        NILAS_ARRAY_OF(nilas_select_item) items = {0};
        for (size_t k = 0; k < state->items.count; k++) {
            if (k != i) {
                NILAS_PUSH(state->binder->arena, &items, state->items.items[k], err);
                continue;
            }
            for (size_t c = 0; c < relation.column_count; c++) {
                nilas_select_item column = {.name = relation.columns[c].attribute.name};
                NILAS_TRY(nilas_bind__column_ref(state->binder, &relation.columns[c].attribute,
                                                 &column.expr, err));
                NILAS_PUSH(state->binder->arena, &items, column, err);
            }
        }
        state->items.items = items.items;
        state->items.count = items.count;
        return NILAS_OK;
    }
    return NILAS_OK;
}

/** A group that some grouping sets leave out is null there. */
static bool is_left_out(const nilas_select_state *state, const nilas_bound_expr *expr) {
    const nilas_extraction *extraction = &state->extraction;
    for (size_t i = 0; extraction->has_sets && i < extraction->groups.count; i++) {
        if (nilas_bind__equal(extraction->groups.items[i], expr)) {
            return true;
        }
    }
    return false;
}

/** Attributes of the result, before anything is taken out of the expressions. */
static nilas_code make_outputs(nilas_select_state *state, nilas_error *err) {
    nilas_arena *arena = state->binder->arena;
    size_t count = state->items.count;
    NILAS_NEW_ARRAY(arena, &state->outputs, count, err);
    NILAS_NEW_ARRAY(arena, &state->output.columns, count, err);
    state->output.column_count = count;
    for (size_t i = 0; i < count; i++) {
        const nilas_select_item *item = &state->items.items[i];
        nilas_attribute attribute =
            nilas_bind__attribute(state->binder, item->name, item->expr->type,
                                  item->expr->nullable || is_left_out(state, item->expr));
        attribute.auto_named = item->auto_named;
        attribute.has_comment = item->comment.data != NULL;
        attribute.comment = item->comment;
        if (item->source != NULL) {
            attribute.has_comment = item->source->attribute.has_comment;
            attribute.auto_named = item->source->attribute.auto_named;
            attribute.comment = item->source->attribute.comment;
            state->output.columns[i].qualifier = item->source->qualifier;
            state->output.columns[i].qualifier_count = item->source->qualifier_count;
            NILAS_TRY(
                nilas_bind__pass_on(state->binder, attribute.id, item->source->attribute.id, err));
        }
        state->outputs[i] = attribute;
        state->output.columns[i].attribute = attribute;
    }
    return NILAS_OK;
}

/** PROJECT of the items, with a hidden column for each key that is not over the output. */
static nilas_code add_project(nilas_select_state *state, nilas_error *err) {
    nilas_arena *arena = state->binder->arena;
    size_t extra = 0;
    for (size_t i = 0; i < state->keys.count; i++) {
        extra += state->keys.items[i].over_output ? 0 : 1;
    }
    nilas_plan *plan;
    NILAS_TRY(nilas_bind__plan(state->binder, NILAS_PLAN_PROJECT, state->plan, &plan, err));
    size_t count = state->items.count;
    NILAS_NEW_ARRAY(arena, &plan->exprs, count + extra, err);
    NILAS_NEW_ARRAY(arena, &plan->outputs, count + extra, err);
    for (size_t i = 0; i < count; i++) {
        plan->exprs[i] = state->items.items[i].expr;
        plan->outputs[i] = state->outputs[i];
    }
    for (size_t i = 0; i < state->keys.count; i++) {
        nilas_select_key *key = &state->keys.items[i];
        if (key->over_output) {
            continue;
        }
        plan->exprs[count] = key->expr->args[0];
        plan->outputs[count] =
            nilas_bind__attribute(state->binder, NILAS_STR("_sort_key"), key->expr->args[0]->type,
                                  key->expr->args[0]->nullable);
        nilas_bound_expr *ref;
        NILAS_TRY(nilas_bind__column_ref(state->binder, &plan->outputs[count], &ref, err));
        nilas_bound_expr *sort;
        NILAS_NEW(arena, &sort, err);
        *sort = *key->expr;
        NILAS_NEW_ARRAY(arena, &sort->args, 1, err);
        sort->args[0] = ref;
        key->expr = sort;
        count++;
    }
    plan->output_count = plan->expr_count = count;
    state->plan = plan;
    return NILAS_OK;
}

/** A frame's sort and filter still see what its select leaves out, unless rows went together. */
static nilas_code keep_missing(nilas_select_state *state, bool aggregated, nilas_error *err) {
    if (!state->select->keeps_missing || aggregated || state->select->distinct) {
        return NILAS_OK;
    }
    nilas_bound_relation input = state->select->from;
    input.plan = state->plan->input; // which passes the columns of FROM on
    return nilas_bind__keep_missing(state->binder, &input, state->plan, &state->output, err);
}

static nilas_code add_sort(nilas_select_state *state, nilas_error *err) {
    if (state->keys.count == 0) {
        return NILAS_OK;
    }
    nilas_plan *plan;
    NILAS_TRY(nilas_bind__plan(state->binder, NILAS_PLAN_SORT, state->plan, &plan, err));
    NILAS_NEW_ARRAY(state->binder->arena, &plan->exprs, state->keys.count, err);
    for (size_t i = 0; i < state->keys.count; i++) {
        plan->exprs[i] = state->keys.items[i].expr;
    }
    plan->expr_count = state->keys.count;
    plan->global = state->select->sort->sort_kind == NILAS_SORT_ORDER_BY;
    state->plan = plan;
    return NILAS_OK;
}

static nilas_code substitute_keys(nilas_select_state *state, nilas_error *err) {
    for (size_t i = 0; i < state->keys.count; i++) {
        nilas_select_key *key = &state->keys.items[i];
        if (key->over_output) {
            continue;
        }
        nilas_bound_expr *sort;
        NILAS_NEW(state->binder->arena, &sort, err);
        *sort = *key->expr;
        NILAS_NEW_ARRAY(state->binder->arena, &sort->args, 1, err);
        NILAS_TRY(nilas_bind__copy(state->binder->arena, key->expr->args[0], &sort->args[0], err));
        NILAS_TRY(nilas_bind__rewrite(state->binder->arena, &sort->args[0], substitute_output,
                                      state, err));
        key->expr = sort;
    }
    return NILAS_OK;
}

static nilas_code bind_having(nilas_select_state *state, nilas_error *err) {
    if (state->select->having == NULL) {
        return NILAS_OK;
    }
    nilas_bind_scope scope = state->scope;
    scope.clause = "HAVING";
    scope.no_windows = scope.no_generators = true;
    return nilas_bind__condition(&scope, state->select->having, &state->having, err);
}

static bool needs_aggregate(const nilas_select_state *state) {
    bool found = state->aggregated || (state->having != NULL);
    for (size_t i = 0; i < state->items.count && !found; i++) {
        found = nilas_bind__has_aggregate(state->items.items[i].expr);
    }
    for (size_t i = 0; i < state->keys.count && !found; i++) {
        found = nilas_bind__has_aggregate(state->keys.items[i].expr);
    }
    return found;
}

static nilas_code bind_where(nilas_select_state *state, nilas_error *err) {
    if (state->select->where == NULL) {
        return NILAS_OK;
    }
    nilas_bind_scope scope = state->scope;
    scope.clause = "WHERE";
    scope.no_aggregates = scope.no_windows = scope.no_generators = true;
    nilas_bound_expr *condition;
    NILAS_TRY(nilas_bind__condition(&scope, state->select->where, &condition, err));
    return add_filter(state, condition, err);
}

/** What DISTINCT leaves can be sorted only by what is in it. */
static nilas_code check_distinct_keys(const nilas_select_state *state, nilas_error *err) {
    for (size_t i = 0; i < state->keys.count; i++) {
        if (!state->keys.items[i].over_output) {
            return nilas_fail_at(
                err, NILAS_INVALID, "UNRESOLVED_COLUMN.WITH_SUGGESTION",
                state->keys.items[i].expr->offset,
                "An ORDER BY expression above SELECT DISTINCT must be in the select list.");
        }
    }
    return NILAS_OK;
}

/** A key that equals an item of the list is the output's column: `select distinct a + 1 … order by
 * a + 1`. */
static nilas_code match_keys_to_items(nilas_select_state *state, nilas_error *err) {
    for (size_t i = 0; i < state->keys.count; i++) {
        nilas_select_key *key = &state->keys.items[i];
        for (size_t k = 0; k < state->items.count && !key->over_output; k++) {
            if (nilas_bind__equal(key->expr->args[0], state->items.items[k].expr)) {
                NILAS_TRY(nilas_bind__column_ref(state->binder, &state->outputs[k],
                                                 &key->expr->args[0], err));
                key->over_output = true;
            }
        }
    }
    return NILAS_OK;
}

/** A generator changes the number of outputs, so that its ORDER BY is bound above the finished
 * list. */
static bool list_has_generator(const nilas_select_state *state) {
    for (size_t i = 0; i < state->items.count; i++) {
        if (nilas_bind__has_generator(state->items.items[i].expr)) {
            return true;
        }
    }
    return false;
}

static nilas_code bind_parts(nilas_select_state *state, bool *sort_later, nilas_error *err) {
    NILAS_TRY(bind_where(state, err));
    for (size_t i = 0; i < state->select->expr_count; i++) {
        NILAS_TRY(add_item(state, state->select->exprs[i], err));
    }
    NILAS_TRY(nilas_bind__group_by(state, err));
    NILAS_TRY(bind_having(state, err));
    *sort_later = list_has_generator(state);
    if (!*sort_later) {
        NILAS_TRY(make_outputs(state, err));
        if (state->select->plan_id != 0) {
            NILAS_TRY(
                nilas_bind__add_frame(state->binder, state->select->plan_id, &state->output, err));
        }
        if (state->select->sort != NULL &&
            state->select->sort->sort_kind != NILAS_SORT_DISTRIBUTE_BY) {
            NILAS_TRY(bind_sort_keys(state, err));
            NILAS_TRY(substitute_keys(state, err));
            NILAS_TRY(match_keys_to_items(state, err));
        }
    }
    return NILAS_OK;
}

nilas_code nilas_bind__select(nilas_binder *binder, nilas_bind_scope *outer,
                              const nilas_select *asked, nilas_bound_relation *out,
                              nilas_error *err) {
    nilas_select with_window = *asked;
    const nilas_select *select = &with_window;
    nilas_time_window time_window;
    bool sort_later;
    NILAS_TRY(nilas_bind__time_window(binder, outer, &with_window, &time_window, err));
    nilas_select_state state = {.binder = binder,
                                .select = select,
                                .plan = select->from.plan,
                                .extraction = {.binder = binder}};
    nilas_bind__scope_of(&state.scope, binder, &select->from, outer, "SELECT");
    state.scope.windows = select->windows;
    state.scope.window_count = select->window_count;
    state.scope.time_window = &time_window;
    NILAS_TRY(bind_parts(&state, &sort_later, err));
    bool aggregated = needs_aggregate(&state);
    if (aggregated) {
        NILAS_TRY(add_aggregate(&state, err));
    }
    NILAS_TRY(add_windows(&state, err));
    if (sort_later) {
        while (list_has_generator(&state)) {
            NILAS_TRY(add_generator(&state, err));
        }
        NILAS_TRY(make_outputs(&state, err));
        if (select->sort != NULL && select->sort->sort_kind != NILAS_SORT_DISTRIBUTE_BY) {
            NILAS_TRY(bind_sort_keys(&state, err));
            NILAS_TRY(substitute_keys(&state, err));
        }
    }
    if (select->distinct) {
        NILAS_TRY(check_distinct_keys(&state, err));
    }
    NILAS_TRY(add_project(&state, err));
    NILAS_TRY(keep_missing(&state, aggregated, err));
    if (select->distinct) {
        nilas_plan *plan;
        NILAS_TRY(nilas_bind__plan(binder, NILAS_PLAN_DISTINCT, state.plan, &plan, err));
        state.plan = plan;
        NILAS_TRY(nilas_bind__check_no_maps(binder, &state.output, select->offset, err));
    }
    NILAS_TRY(add_sort(&state, err));
    state.output.plan = state.plan;
    *out = state.output;
    return NILAS_OK;
}

/** Where rows go is Spark's business alone, but what is wrong with the keys is said. */
static nilas_code check_keys(nilas_binder *binder, nilas_bind_scope *outer,
                             const nilas_query *query, const nilas_bound_relation *input,
                             nilas_error *err) {
    nilas_bind_scope scope;
    nilas_bind__scope_of(&scope, binder, input, outer, "DISTRIBUTE BY");
    scope.takes_missing = true;
    for (size_t i = 0; i < query->expr_count; i++) {
        nilas_bound_expr *key;
        NILAS_TRY(nilas_bind__sort_key(&scope, query->exprs[i], &key, err));
    }
    return NILAS_OK;
}

nilas_code nilas_bind__sort(nilas_binder *binder, nilas_bind_scope *outer, const nilas_query *query,
                            nilas_bound_relation *out, nilas_error *err) {
    NILAS_TRY(nilas_bind__query(binder, outer, query->input, out, err));
    if (query->sort_kind == NILAS_SORT_DISTRIBUTE_BY) {
        return check_keys(binder, outer, query, out, err);
    }
    // As `SELECT *` over the input with this ORDER BY, so that both kinds of ORDER BY are one piece
    // of code.
    nilas_expr *star;
    NILAS_TRY(nilas_expr_new(binder->arena, NILAS_EXPR_STAR, query->offset, &star, err));
    nilas_expr *exprs[1] = {star};
    nilas_select select = {.from = *out,
                           .exprs = exprs,
                           .expr_count = 1,
                           .keeps_missing = query->plan_id != 0,
                           .sort = query,
                           .offset = query->offset};
    return nilas_bind__select(binder, outer, &select, out, err);
}
