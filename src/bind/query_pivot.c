/**
 * PIVOT as an aggregation with one filtered aggregate per value, UNPIVOT as the generator stack.
 */
#include "bind/frame.h"

typedef struct pivot_state {
    nilas_binder *binder;
    const nilas_query *query;
    nilas_bound_relation input;
    nilas_bind_scope scope;
    nilas_bound_expr **columns; // the pivot columns
    nilas_expr **values;
    size_t value_count;
    bool null_without_rows; // a cell whose value has no rows is null, whatever the aggregate gives
    nilas_bound_expr **aggregates; // as bound once
    nilas_str *aggregate_names;
} pivot_state;

static bool mentions(const nilas_bound_expr *expr, int32_t id) {
    if (expr == NULL) {
        return false;
    }
    if (expr->kind == NILAS_BOUND_COLUMN && expr->attribute_id == id) {
        return true;
    }
    for (size_t i = 0; i < expr->arg_count; i++) {
        if (mentions(expr->args[i], id)) {
            return true;
        }
    }
    return mentions(expr->filter, id);
}

static nilas_code add_group(nilas_extraction *extraction, nilas_bound_expr *expr,
                            nilas_attribute attribute, nilas_error *err) {
    attribute.id = extraction->binder->next_id++;
    NILAS_PUSH(extraction->binder->arena, &extraction->groups, expr, err);
    NILAS_PUSH(extraction->binder->arena, &extraction->group_attributes, attribute, err);
    return NILAS_OK;
}

/** DataFrame.groupBy(…).pivot(…): the groups are given. */
static nilas_code given_groups(pivot_state *state, nilas_extraction *extraction, nilas_error *err) {
    const nilas_group_by *group_by = &state->query->group_by;
    for (size_t i = 0; i < group_by->expr_count; i++) {
        nilas_bound_expr *bound;
        nilas_attribute attribute = {0};
        NILAS_TRY(nilas_bind__expr(&state->scope, group_by->exprs[i], &bound, err));
        NILAS_TRY(
            nilas_bind__shown_name(state->binder, group_by->exprs[i], bound, &attribute.name, err));
        attribute.type = bound->type;
        attribute.nullable = bound->nullable;
        NILAS_TRY(add_group(extraction, bound, attribute, err));
    }
    return NILAS_OK;
}

/** Columns that neither the pivot nor an aggregate mentions are the groups. */
static nilas_code pivot_groups(pivot_state *state, nilas_extraction *extraction, nilas_error *err) {
    for (size_t i = 0; i < state->input.column_count; i++) {
        const nilas_scope_column *column = &state->input.columns[i];
        bool taken = column->hidden;
        for (size_t k = 0; k < state->query->pivot_column_count && !taken; k++) {
            taken = mentions(state->columns[k], column->attribute.id);
        }
        for (size_t k = 0; k < state->query->expr_count && !taken; k++) {
            taken = mentions(state->aggregates[k], column->attribute.id);
        }
        if (taken) {
            continue;
        }
        nilas_bound_expr *ref;
        NILAS_TRY(nilas_bind__column_ref(state->binder, &column->attribute, &ref, err));
        NILAS_TRY(add_group(extraction, ref, column->attribute, err));
    }
    return NILAS_OK;
}

/** pivot_column <=> value, for one column or a row of them. */
static nilas_code pivot_condition(pivot_state *state, const nilas_expr *value,
                                  nilas_bound_expr **out, nilas_error *err) {
    const nilas_expr *inner = value->kind == NILAS_EXPR_ALIAS ? value->args[0] : value;
    size_t count = state->query->pivot_column_count;
    if (count > 1 && (inner->kind != NILAS_EXPR_ROW || inner->arg_count != count)) {
        return nilas_fail_at(err, NILAS_INVALID, "PIVOT_VALUE_DATA_TYPE_MISMATCH", value->offset,
                             "Invalid pivot value: a row of %zu values is expected.", count);
    }
    *out = NULL;
    for (size_t i = 0; i < count; i++) {
        nilas_bound_expr *sides[2] = {state->columns[i], NULL};
        nilas_bound_expr *equal;
        NILAS_TRY(
            nilas_bind__expr(&state->scope, count > 1 ? inner->args[i] : inner, &sides[1], err));
        NILAS_TRY(nilas_bind__call(state->binder, "<=>", sides, 2, value->offset, &equal, err));
        if (*out == NULL) {
            *out = equal;
        } else {
            nilas_bound_expr *both[2] = {*out, equal};
            NILAS_TRY(nilas_bind__call(state->binder, "and", both, 2, value->offset, out, err));
        }
    }
    return NILAS_OK;
}

typedef struct add_filter_context {
    nilas_binder *binder;
    nilas_bound_expr *condition;
} add_filter_context;

/** Every aggregate of the expression sees only the value's rows. */
static nilas_code add_filter(void *context, nilas_bound_expr **expr, nilas_error *err) {
    add_filter_context *add = context;
    if ((*expr)->kind != NILAS_BOUND_CALL || (*expr)->function->kind != NILAS_FUNCTION_AGGREGATE) {
        return NILAS_OK;
    }
    nilas_bound_expr *copy;
    NILAS_NEW(add->binder->arena, &copy, err);
    *copy = **expr;
    if (copy->filter == NULL) {
        copy->filter = add->condition;
    } else {
        nilas_bound_expr *both[2] = {copy->filter, add->condition};
        NILAS_TRY(nilas_bind__call(add->binder, "and", both, 2, copy->offset, &copy->filter, err));
    }
    *expr = copy;
    return NILAS_OK;
}

/** The value cast to a string; "null". */
static nilas_code value_name(pivot_state *state, const nilas_expr *value, nilas_str *out,
                             nilas_error *err) {
    nilas_bound_expr *bound;
    nilas_value text;
    nilas_binder *binder = state->binder;
    const nilas_type *string = nilas_type_of(NILAS_TYPE_STRING);
    NILAS_TRY(nilas_bind__expr(&state->scope, value, &bound, err));
    if (bound->kind == NILAS_BOUND_LITERAL && nilas_value_is_null(&bound->value)) {
        *out = NILAS_STR("null");
        return NILAS_OK;
    }
    if (!nilas_type_is_string(bound->type)) {
        NILAS_TRY(nilas_bind__cast(binder, bound, string, NILAS_CAST_TRY, &bound, err));
    }
    if (nilas_bind__fold(binder, bound, &text, NULL) == NILAS_OK &&
        text.kind == NILAS_VALUE_STRING) {
        *out = text.text;
        return NILAS_OK;
    }
    return nilas_bind__shown(binder, bound, out, err);
}

static nilas_code pivot_name(pivot_state *state, const nilas_expr *value, size_t aggregate,
                             nilas_str *out, nilas_error *err) {
    nilas_str name;
    if (value->kind == NILAS_EXPR_ALIAS) {
        name = value->parts[0];
    } else {
        NILAS_TRY(value_name(state, value, &name, err));
    }
    if (state->query->expr_count == 1) {
        *out = name;
        return NILAS_OK;
    }
    return nilas_str_print(state->binder->arena, out, err, "%.*s_%.*s", NILAS_FMT(name),
                           NILAS_FMT(state->aggregate_names[aggregate]));
}

static nilas_code bind_pivot_parts(pivot_state *state, nilas_error *err) {
    const nilas_query *query = state->query;
    nilas_arena *arena = state->binder->arena;
    NILAS_NEW_ARRAY(arena, &state->columns, query->pivot_column_count, err);
    NILAS_NEW_ARRAY(arena, &state->aggregates, query->expr_count, err);
    NILAS_NEW_ARRAY(arena, &state->aggregate_names, query->expr_count, err);
    for (size_t i = 0; i < query->pivot_column_count; i++) {
        NILAS_TRY(
            nilas_bind__expr(&state->scope, query->pivot_columns[i], &state->columns[i], err));
    }
    for (size_t i = 0; i < query->expr_count; i++) {
        const nilas_expr *expr = query->exprs[i];
        NILAS_TRY(nilas_bind__expr(&state->scope,
                                   expr->kind == NILAS_EXPR_ALIAS ? expr->args[0] : expr,
                                   &state->aggregates[i], err));
        NILAS_TRY(nilas_bind__shown_name(state->binder, expr, state->aggregates[i],
                                         &state->aggregate_names[i], err));
        if (!nilas_bind__has_aggregate(state->aggregates[i])) {
            return nilas_fail_at(err, NILAS_INVALID, "PIVOT_AFTER_GROUP_BY", expr->offset,
                                 "PIVOT needs aggregate expressions.");
        }
    }
    return NILAS_OK;
}

/** Spark pivots numbers and booleans by putting finished aggregates into columns. */
static bool is_put_into_columns(const pivot_state *state) {
    for (size_t i = 0; i < state->query->expr_count; i++) {
        const nilas_type *type = state->aggregates[i]->type;
        if (!nilas_type_is_numeric(type) && type->kind != NILAS_TYPE_BOOLEAN) {
            return false;
        }
    }
    return true;
}

/** CASE WHEN there are rows of the value THEN aggregate END. */
static nilas_code null_without_rows(pivot_state *state, nilas_bound_expr *condition,
                                    nilas_bound_expr **expr, nilas_error *err) {
    nilas_binder *binder = state->binder;
    nilas_bound_expr *node;
    nilas_bound_expr *has_rows;
    NILAS_TRY(nilas_bind__call(binder, "bool_or", &condition, 1, -1, &has_rows, err));
    NILAS_TRY(nilas_bind__node(binder, NILAS_BOUND_CASE, -1, &node, err));
    NILAS_NEW_ARRAY(binder->arena, &node->args, 2, err);
    node->args[0] = has_rows;
    node->args[1] = *expr;
    node->arg_count = 2;
    node->type = (*expr)->type;
    node->nullable = true;
    *expr = node;
    return NILAS_OK;
}

/** One expression per value and aggregate, with the aggregates taken out. */
static nilas_code pivot_cells(pivot_state *state, nilas_extraction *extraction,
                              nilas_bound_expr **exprs, nilas_str *names, nilas_error *err) {
    const nilas_query *query = state->query;
    size_t next = 0;
    for (size_t v = 0; v < state->value_count; v++) {
        add_filter_context add = {.binder = state->binder};
        NILAS_TRY(pivot_condition(state, state->values[v], &add.condition, err));
        for (size_t a = 0; a < query->expr_count; a++, next++) {
            NILAS_TRY(
                nilas_bind__copy(state->binder->arena, state->aggregates[a], &exprs[next], err));
            NILAS_TRY(
                nilas_bind__rewrite(state->binder->arena, &exprs[next], add_filter, &add, err));
            if (state->null_without_rows) {
                NILAS_TRY(null_without_rows(state, add.condition, &exprs[next], err));
            }
            NILAS_TRY(nilas_bind__extract_aggregates(extraction, &exprs[next], err));
            NILAS_TRY(pivot_name(state, state->values[v], a, &names[next], err));
        }
    }
    return NILAS_OK;
}

/** The values given, or of a frame without any all that there are. */
static nilas_code pivot_values(pivot_state *state, nilas_error *err) {
    const nilas_query *query = state->query;
    nilas_binder *binder = state->binder;
    nilas_values distinct;
    nilas_query *keyed;
    nilas_bound_relation shape;
    state->values = query->pivot_values;
    state->value_count = query->pivot_value_count;
    if (query->pivot_value_count > 0 || !query->group_by.present) {
        return NILAS_OK;
    }
    // SELECT DISTINCT column FROM input
    NILAS_TRY(nilas_query_new(binder->arena, NILAS_QUERY_PIPE_SELECT, query->offset, &keyed, err));
    keyed->input = query->input;
    keyed->exprs = query->pivot_columns;
    keyed->expr_count = 1;
    nilas_query over = {.input = keyed};
    shape = (nilas_bound_relation){.column_count = 1};
    NILAS_TRY(nilas_bind__distinct_values(
        binder, &over, &shape, NILAS_STR("SELECT DISTINCT c0 AS v FROM _frame"), &distinct, err));
    NILAS_NEW_ARRAY(binder->arena, &state->values, distinct.count, err);
    state->value_count = distinct.count;
    for (size_t i = 0; i < distinct.count; i++) {
        nilas_expr *literal;
        NILAS_TRY(nilas_expr_new(binder->arena, NILAS_EXPR_LITERAL, -1, &literal, err));
        literal->type = distinct.type;
        literal->value = distinct.items[i];
        state->values[i] = literal;
    }
    return NILAS_OK;
}

nilas_code nilas_bind__pivot(nilas_binder *binder, nilas_bind_scope *outer,
                             const nilas_query *query, nilas_bound_relation *out,
                             nilas_error *err) {
    pivot_state state = {.binder = binder, .query = query};
    NILAS_TRY(nilas_bind__query(binder, outer, query->input, &state.input, err));
    nilas_bind__scope_of(&state.scope, binder, &state.input, outer, "PIVOT");
    NILAS_TRY(bind_pivot_parts(&state, err));
    NILAS_TRY(pivot_values(&state, err));
    state.null_without_rows = is_put_into_columns(&state);
    nilas_extraction extraction = {
        .binder = binder, .input = state.input.plan, .has_group_by = true};
    NILAS_TRY(query->group_by.present ? given_groups(&state, &extraction, err)
                                      : pivot_groups(&state, &extraction, err));
    size_t groups = extraction.groups.count;
    size_t count = groups + state.value_count * query->expr_count;
    nilas_bound_expr **exprs;
    nilas_str *names;
    NILAS_NEW_ARRAY(binder->arena, &exprs, count, err);
    NILAS_NEW_ARRAY(binder->arena, &names, count, err);
    NILAS_TRY(pivot_cells(&state, &extraction, exprs + groups, names + groups, err));
    nilas_plan *plan;
    NILAS_TRY(nilas_bind__plan(binder, NILAS_PLAN_AGGREGATE, state.input.plan, &plan, err));
    plan->groups = extraction.groups.items;
    plan->group_count = groups;
    plan->exprs = extraction.aggregates.items;
    plan->expr_count = extraction.aggregates.count;
    plan->output_count = 0;
    plan->outputs = NULL;
    for (size_t i = 0; i < groups; i++) {
        NILAS_TRY(nilas_bind__add_output(binder, plan, extraction.group_attributes.items[i], err));
        NILAS_TRY(
            nilas_bind__column_ref(binder, &extraction.group_attributes.items[i], &exprs[i], err));
        names[i] = extraction.group_attributes.items[i].name;
    }
    for (size_t i = 0; i < plan->expr_count; i++) {
        NILAS_TRY(
            nilas_bind__add_output(binder, plan, extraction.aggregate_attributes.items[i], err));
    }
    nilas_plan *project;
    NILAS_TRY(nilas_bind__project(binder, plan, exprs, names, count, &project, err));
    NILAS_NEW_ARRAY(binder->arena, &out->columns, count, err);
    for (size_t i = 0; i < count; i++) {
        out->columns[i] = (nilas_scope_column){.attribute = project->outputs[i]};
    }
    out->plan = project;
    out->column_count = count;
    return NILAS_OK;
}

/* --- UNPIVOT --- */

/** Name of a value in the name column: its alias, or the columns' names joined by "_". */
static nilas_code unpivot_value_name(nilas_binder *binder, const nilas_unpivot_value *value,
                                     nilas_str *out, nilas_error *err) {
    if (value->has_alias) {
        *out = value->alias;
        return NILAS_OK;
    }
    nilas_str *names;
    NILAS_NEW_ARRAY(binder->arena, &names, value->column_count, err);
    for (size_t i = 0; i < value->column_count; i++) {
        const nilas_expr *column = value->columns[i];
        names[i] = column->part_count > 0 ? column->parts[column->part_count - 1] : NILAS_STR("");
    }
    return nilas_str_join(binder->arena, names, value->column_count, NILAS_STR("_"), out, err);
}

/** Arguments of stack: the number of rows, then per row its name and values, brought to common
 * types. */
static nilas_code unpivot_args(nilas_binder *binder, nilas_bind_scope *scope,
                               const nilas_unpivot *unpivot, nilas_bound_expr **args, bool *used,
                               nilas_error *err) {
    size_t width = unpivot->value_column_count;
    nilas_value rows = nilas_value_of_int((int64_t)unpivot->value_count);
    NILAS_TRY(nilas_bind__literal(binder, nilas_type_of(NILAS_TYPE_INT), &rows, &args[0], err));
    for (size_t v = 0; v < unpivot->value_count; v++) {
        nilas_str name;
        NILAS_TRY(unpivot_value_name(binder, &unpivot->values[v], &name, err));
        nilas_value text = nilas_value_of_str(name);
        NILAS_TRY(nilas_bind__literal(binder, nilas_type_of(NILAS_TYPE_STRING), &text,
                                      &args[1 + v * (width + 1)], err));
        for (size_t c = 0; c < width; c++) {
            nilas_bound_expr **cell = &args[2 + v * (width + 1) + c];
            NILAS_TRY(nilas_bind__expr(scope, unpivot->values[v].columns[c], cell, err));
            for (size_t i = 0; i < scope->column_count; i++) {
                used[i] = used[i] || ((*cell)->kind == NILAS_BOUND_COLUMN &&
                                      (*cell)->attribute_id == scope->columns[i].attribute.id);
            }
        }
    }
    for (size_t c = 0; c < width; c++) {
        const nilas_type *common = args[2 + c]->type;
        for (size_t v = 1; v < unpivot->value_count; v++) {
            const nilas_type *type = args[2 + v * (width + 1) + c]->type;
            const nilas_type *next;
            NILAS_TRY(nilas_type_common(binder->arena, common, type, binder->environment->ansi,
                                        &next, err));
            // Strings and others do not go together here, as they do elsewhere.
            bool mixed = nilas_type_is_string(common) != nilas_type_is_string(type) &&
                         common->kind != NILAS_TYPE_VOID && type->kind != NILAS_TYPE_VOID;
            if (next == NULL || mixed) {
                nilas_str a = nilas_bind__type_text(binder, common);
                nilas_str b = nilas_bind__type_text(binder, type);
                return nilas_fail_at(
                    err, NILAS_INVALID, "UNPIVOT_VALUE_DATA_TYPE_MISMATCH",
                    unpivot->values[v].columns[c]->offset,
                    "Unpivot value columns must share a least common type, some types do not: "
                    "[\"%.*s\", \"%.*s\"].",
                    NILAS_FMT(a), NILAS_FMT(b));
            }
            common = next;
        }
        for (size_t v = 0; v < unpivot->value_count; v++) {
            nilas_bound_expr **cell = &args[2 + v * (width + 1) + c];
            NILAS_TRY(nilas_bind__coerce(binder, *cell, common, cell, err));
        }
    }
    return NILAS_OK;
}

/** EXCLUDE NULLS: a row stays when any of its values is not null. */
static nilas_code exclude_nulls(nilas_binder *binder, nilas_bound_relation *relation,
                                size_t first_value, int32_t offset, nilas_error *err) {
    nilas_bound_expr *condition = NULL;
    for (size_t i = first_value; i < relation->column_count; i++) {
        nilas_bound_expr *test[2];
        NILAS_TRY(nilas_bind__column_ref(binder, &relation->columns[i].attribute, &test[1], err));
        NILAS_TRY(nilas_bind__call(binder, "isnotnull", &test[1], 1, offset, &test[1], err));
        if (condition != NULL) {
            test[0] = condition;
            NILAS_TRY(nilas_bind__call(binder, "or", test, 2, offset, &condition, err));
        } else {
            condition = test[1];
        }
    }
    nilas_plan *filter;
    NILAS_TRY(nilas_bind__plan(binder, NILAS_PLAN_FILTER, relation->plan, &filter, err));
    filter->condition = condition;
    relation->plan = filter;
    return NILAS_OK;
}

nilas_code nilas_bind__unpivot_stack(nilas_binder *binder, nilas_bind_scope *scope,
                                     const nilas_unpivot *unpivot, nilas_bound_expr **out,
                                     nilas_error *err) {
    nilas_bound_expr **args;
    bool *used;
    size_t count = 1 + unpivot->value_count * (unpivot->value_column_count + 1);
    NILAS_NEW_ARRAY(binder->arena, &args, count, err);
    NILAS_NEW_ARRAY(binder->arena, &used, scope->column_count, err);
    NILAS_TRY(unpivot_args(binder, scope, unpivot, args, used, err));
    return nilas_bind__call(binder, "stack", args, count, -1, out, err);
}

void nilas_bind__set_unpivoted_nullable(nilas_bound_relation *relation, size_t first,
                                        const nilas_bound_expr *stack) {
    size_t width = relation->column_count - first;
    size_t first_output = relation->plan->output_count - width;
    for (size_t c = 0; c < width; c++) {
        bool nullable = false;
        for (size_t i = 1 + c; i < stack->arg_count; i += width) {
            nullable = nullable || stack->args[i]->nullable;
        }
        relation->columns[first + c].attribute.nullable = nullable;
        relation->plan->outputs[first_output + c].nullable = nullable;
    }
}

nilas_code nilas_bind__unpivot(nilas_binder *binder, nilas_bind_scope *outer,
                               const nilas_query *query, nilas_bound_relation *out,
                               nilas_error *err) {
    const nilas_unpivot *unpivot = query->unpivot;
    NILAS_TRY(nilas_bind__query(binder, outer, query->input, out, err));
    NILAS_TRY(nilas_bind__visible_only(binder, out, err));
    nilas_bind_scope scope;
    nilas_bind__scope_of(&scope, binder, out, outer, "UNPIVOT");
    size_t width = unpivot->value_column_count;
    size_t count = 1 + unpivot->value_count * (width + 1);
    nilas_bound_expr **args;
    bool *used;
    nilas_str *names;
    NILAS_NEW_ARRAY(binder->arena, &args, count, err);
    NILAS_NEW_ARRAY(binder->arena, &used, out->column_count, err);
    NILAS_NEW_ARRAY(binder->arena, &names, width + 1, err);
    NILAS_TRY(unpivot_args(binder, &scope, unpivot, args, used, err));
    nilas_bound_expr *stack;
    NILAS_TRY(nilas_bind__call(binder, "stack", args, count, query->offset, &stack, err));
    names[0] = unpivot->name_column;
    for (size_t i = 0; i < width; i++) {
        names[i + 1] = unpivot->value_columns[i];
    }
    size_t kept_count = out->column_count;
    size_t first;
    NILAS_TRY(nilas_bind__generate(binder, out, stack, false, names, width + 1, query->offset,
                                   &first, err));
    nilas_bind__set_unpivoted_nullable(out, first, stack);
    for (size_t i = 0; i < kept_count; i++) {
        out->columns[i].hidden = used[i];
    }
    if (!unpivot->include_nulls) {
        NILAS_TRY(exclude_nulls(binder, out, first + 1, query->offset, err));
    }
    return nilas_bind__visible_only(binder, out, err);
}
