/**
 * MERGE: target and source joined, each pair given to the first clause whose condition holds.
 *
 * The plan from below: JOIN of both sides with marks of presence; PROJECT of the number of the
 * clause that takes the row; FILTER of the rows that some clause takes; PROJECT of action and
 * values by that number.
 */
#include "bind/expr.h"
#include "bind/grow.h"
#include "bind/row_change.h"

typedef struct merge_state {
    nilas_row_change change;
    nilas_bound_relation source;
    nilas_attribute mark; // true on every source row, null where there is none
    nilas_bound_relation both;
    nilas_bind_scope both_scope, target_scope, source_scope;
    nilas_plan *plan;
    nilas_attribute clause; // number of the clause that takes the row
    bool evolves;           // WITH SCHEMA EVOLUTION, and the table lets it
    bool has[3];            // which kinds of clause there are, by nilas_merge_match
} merge_state;

static nilas_code is_present(merge_state *state, const nilas_attribute *mark, bool present,
                             nilas_bound_expr **out, nilas_error *err) {
    NILAS_TRY(nilas_bind__column_ref(state->change.binder, mark, out, err));
    return nilas_bind__call(state->change.binder, present ? "isnotnull" : "isnull", out, 1, -1, out,
                            err);
}

static nilas_code conjunction(nilas_binder *binder, nilas_bound_expr *a, nilas_bound_expr *b,
                              nilas_bound_expr **out, nilas_error *err) {
    nilas_bound_expr *both[2] = {a, b};
    if (a == NULL || b == NULL) {
        *out = a != NULL ? a : b;
        return NILAS_OK;
    }
    return nilas_bind__call(binder, "and", both, 2, -1, out, err);
}

/** The source with a column that is true on each of its rows. */
static nilas_code bind_source(merge_state *state, nilas_error *err) {
    nilas_binder *binder = state->change.binder;
    NILAS_TRY(
        nilas_bind__query(binder, NULL, state->change.statement->source, &state->source, err));
    NILAS_TRY(nilas_bind__visible_only(binder, &state->source, err));
    size_t count = state->source.column_count;
    nilas_bound_expr **exprs;
    nilas_str *names;
    nilas_scope_column *columns;
    nilas_value yes = nilas_value_of_bool(true);
    NILAS_NEW_ARRAY(binder->arena, &exprs, count + 1, err);
    NILAS_NEW_ARRAY(binder->arena, &names, count + 1, err);
    NILAS_NEW_ARRAY(binder->arena, &columns, count, err);
    for (size_t i = 0; i < count; i++) {
        columns[i] = state->source.columns[i];
        names[i] = columns[i].attribute.name;
        NILAS_TRY(nilas_bind__column_ref(binder, &columns[i].attribute, &exprs[i], err));
    }
    names[count] = NILAS_STR("_source");
    NILAS_TRY(
        nilas_bind__literal(binder, nilas_type_of(NILAS_TYPE_BOOLEAN), &yes, &exprs[count], err));
    nilas_plan *plan;
    NILAS_TRY(nilas_bind__project(binder, state->source.plan, exprs, names, count + 1, &plan, err));
    for (size_t i = 0; i < count; i++) {
        columns[i].attribute = plan->outputs[i];
    }
    state->mark = plan->outputs[count];
    state->source.plan = plan;
    state->source.columns = columns;
    return NILAS_OK;
}

static nilas_join_kind join_kind(const merge_state *state) {
    bool keep_source = state->has[NILAS_MERGE_NOT_MATCHED];
    bool keep_target = state->has[NILAS_MERGE_NOT_MATCHED_BY_SOURCE];
    if (keep_source && keep_target) {
        return NILAS_JOIN_FULL;
    }
    return keep_source ? NILAS_JOIN_RIGHT : keep_target ? NILAS_JOIN_LEFT : NILAS_JOIN_INNER;
}

static nilas_code join_sides(merge_state *state, nilas_error *err) {
    nilas_binder *binder = state->change.binder;
    nilas_bound_relation *target = &state->change.target;
    size_t count = target->column_count + state->source.column_count;
    NILAS_NEW_ARRAY(binder->arena, &state->both.columns, count, err);
    state->both.column_count = count;
    for (size_t i = 0; i < count; i++) {
        bool is_target = i < target->column_count;
        state->both.columns[i] =
            is_target ? target->columns[i] : state->source.columns[i - target->column_count];
        state->both.columns[i].attribute.nullable = true;
    }
    nilas_bind__scope_of(&state->both_scope, binder, &state->both, NULL, "MERGE");
    nilas_bind__scope_of(&state->target_scope, binder, target, NULL, "MERGE");
    nilas_bind__scope_of(&state->source_scope, binder, &state->source, NULL, "MERGE");
    state->both_scope.no_aggregates = state->both_scope.no_windows = true;
    nilas_plan *join;
    NILAS_TRY(nilas_bind__plan(binder, NILAS_PLAN_JOIN, target->plan, &join, err));
    join->right = state->source.plan;
    join->join_kind = join_kind(state);
    NILAS_TRY(nilas_bind__condition(&state->both_scope, state->change.statement->condition,
                                    &join->condition, err));
    NILAS_TRY(nilas_bind__require_deterministic(binder, join->condition, err));
    for (size_t i = 0; i < state->source.plan->output_count; i++) {
        NILAS_TRY(nilas_bind__add_output(binder, join, state->source.plan->outputs[i], err));
    }
    for (size_t i = 0; i < join->output_count; i++) {
        join->outputs[i].nullable = true;
    }
    state->both.plan = state->plan = join;
    return NILAS_OK;
}

static nilas_bind_scope *scope_of_clause(merge_state *state, const nilas_merge_clause *clause) {
    switch (clause->match) {
    case NILAS_MERGE_NOT_MATCHED: return &state->source_scope;
    case NILAS_MERGE_NOT_MATCHED_BY_SOURCE: return &state->target_scope;
    case NILAS_MERGE_MATCHED: break;
    }
    return &state->both_scope;
}

/** Present on which side, and the clause's own condition. */
static nilas_code clause_condition(merge_state *state, const nilas_merge_clause *clause,
                                   nilas_bound_expr **out, nilas_error *err) {
    nilas_binder *binder = state->change.binder;
    nilas_bound_expr *target;
    nilas_bound_expr *source;
    nilas_bound_expr *own = NULL;
    bool has_target = clause->match != NILAS_MERGE_NOT_MATCHED;
    bool has_source = clause->match != NILAS_MERGE_NOT_MATCHED_BY_SOURCE;
    NILAS_TRY(is_present(state, &state->change.file, has_target, &target, err));
    NILAS_TRY(is_present(state, &state->mark, has_source, &source, err));
    if (clause->condition != NULL) {
        NILAS_TRY(
            nilas_bind__condition(scope_of_clause(state, clause), clause->condition, &own, err));
        NILAS_TRY(nilas_bind__require_deterministic(binder, own, err));
    }
    NILAS_TRY(conjunction(binder, target, source, out, err));
    return conjunction(binder, *out, own, out, err);
}

/** A CASE over all columns of the input keeps them and adds one. */
static nilas_code add_column(merge_state *state, nilas_bound_expr *expr, nilas_str name,
                             nilas_attribute *out, nilas_error *err) {
    nilas_binder *binder = state->change.binder;
    size_t count = state->plan->output_count;
    nilas_plan *project;
    NILAS_TRY(nilas_bind__plan(binder, NILAS_PLAN_PROJECT, state->plan, &project, err));
    NILAS_NEW_ARRAY(binder->arena, &project->exprs, count + 1, err);
    NILAS_NEW_ARRAY(binder->arena, &project->outputs, count + 1, err);
    for (size_t i = 0; i < count; i++) {
        NILAS_TRY(
            nilas_bind__column_ref(binder, &state->plan->outputs[i], &project->exprs[i], err));
        project->outputs[i] = state->plan->outputs[i];
        project->outputs[i].id = binder->next_id++;
    }
    project->exprs[count] = expr;
    project->outputs[count] = nilas_bind__attribute(binder, name, expr->type, expr->nullable);
    project->output_count = project->expr_count = count + 1;
    *out = project->outputs[count];
    state->plan = project;
    return NILAS_OK;
}

/** Columns of the scopes and marks follow the plan's new ids. */
static void renumber(merge_state *state, const nilas_plan *before, const nilas_plan *after) {
    nilas_row_change *change = &state->change;
    nilas_attribute *single[] = {&change->file, &change->pos, &change->row_id, &state->mark};
    struct {
        nilas_scope_column *columns;
        size_t count;
    } lists[] = {{change->target.columns, change->target.column_count},
                 {state->source.columns, state->source.column_count},
                 {state->both.columns, state->both.column_count}};
    for (size_t i = 0; i < before->output_count; i++) {
        int32_t old = before->outputs[i].id;
        int32_t new_id = after->outputs[i].id;
        for (size_t s = 0; s < sizeof(single) / sizeof(single[0]); s++) {
            single[s]->id = single[s]->id == old ? new_id : single[s]->id;
        }
        for (size_t l = 0; l < 3; l++) {
            for (size_t c = 0; c < lists[l].count; c++) {
                nilas_attribute *attribute = &lists[l].columns[c].attribute;
                attribute->id = attribute->id == old ? new_id : attribute->id;
            }
        }
    }
}

static bool counts_matches(const nilas_statement *statement) {
    const nilas_merge_clause *only = NULL;
    size_t count = 0;
    for (size_t i = 0; i < statement->merge_clause_count; i++) {
        if (statement->merge_clauses[i].match == NILAS_MERGE_MATCHED) {
            only = &statement->merge_clauses[i];
            count++;
        }
    }
    // A single unconditional DELETE may hit a row twice: it is gone either way.
    return count > 1 ||
           (count == 1 && (only->action != NILAS_MERGE_DELETE || only->condition != NULL));
}

/** CASE WHEN condition THEN number … END, then only the rows that a clause takes. */
static nilas_code choose_clause(merge_state *state, nilas_error *err) {
    nilas_binder *binder = state->change.binder;
    const nilas_statement *statement = state->change.statement;
    size_t count = statement->merge_clause_count;
    nilas_bound_expr *choice;
    NILAS_TRY(nilas_bind__node(binder, NILAS_BOUND_CASE, -1, &choice, err));
    NILAS_NEW_ARRAY(binder->arena, &choice->args, 2 * count + 2, err);
    choice->type = nilas_type_of(NILAS_TYPE_INT);
    choice->nullable = true;
    for (size_t i = 0; i < count; i++) {
        NILAS_TRY(clause_condition(state, &statement->merge_clauses[i], &choice->args[2 * i], err));
        NILAS_TRY(nilas_bind__int_literal(binder, (int64_t)i, &choice->args[2 * i + 1], err));
    }
    choice->arg_count = 2 * count;
    if (state->change.out->check_cardinality) {
        // A matched row that no clause takes still counts as matched.
        nilas_merge_clause any = {.match = NILAS_MERGE_MATCHED};
        NILAS_TRY(clause_condition(state, &any, &choice->args[2 * count], err));
        NILAS_TRY(
            nilas_bind__int_literal(binder, (int64_t)count, &choice->args[2 * count + 1], err));
        choice->arg_count += 2;
    }
    nilas_plan *before = state->plan;
    NILAS_TRY(add_column(state, choice, NILAS_STR("_clause"), &state->clause, err));
    renumber(state, before, state->plan);
    nilas_plan *filter;
    NILAS_TRY(nilas_bind__plan(binder, NILAS_PLAN_FILTER, state->plan, &filter, err));
    NILAS_TRY(is_present(state, &state->clause, true, &filter->condition, err));
    state->plan = filter;
    return NILAS_OK;
}

/* --- values of one clause
 * ------------------------------------------------------------------------- */

static bool source_has(const merge_state *state, nilas_str name) {
    for (size_t i = 0; i < state->source.column_count; i++) {
        if (nilas_bind__same_name(state->change.binder, state->source.columns[i].attribute.name,
                                  name)) {
            return true;
        }
    }
    return false;
}

/** UPDATE SET * and INSERT *: each column from the source's of its name. With schema evolution one
 * that the source does not have stays as it is, or gets its default. */
static nilas_code star_values(merge_state *state, bool is_insert, nilas_bound_expr **values,
                              nilas_error *err) {
    nilas_row_change *change = &state->change;
    for (size_t i = 0; i < change->schema->type.field_count; i++) {
        const nilas_ice_field *field = &change->schema->type.fields[i];
        nilas_bound_expr *value;
        size_t consumed;
        if (state->evolves && !source_has(state, field->name)) {
            NILAS_TRY(is_insert ? nilas_bind__store_default(&change->store, field, &values[i], err)
                                : nilas_bind__column_ref(change->binder,
                                                         &change->target.columns[i].attribute,
                                                         &values[i], err));
            continue;
        }
        NILAS_TRY(nilas_bind__find_column(&state->source_scope, &field->name, 1,
                                          change->statement->offset, &value, &consumed, err));
        NILAS_TRY(nilas_bind__store_value(&change->store, field, value, &values[i], err));
    }
    return NILAS_OK;
}

/** INSERT (a, b) VALUES (…): what is not named gets its default or null. */
static nilas_code insert_values(merge_state *state, const nilas_merge_clause *clause,
                                nilas_bound_expr **values, nilas_error *err) {
    nilas_row_change *change = &state->change;
    for (size_t a = 0; a < clause->assignment_count; a++) {
        const nilas_assignment *assignment = &clause->assignments[a];
        nilas_bound_expr *column;
        size_t consumed;
        NILAS_TRY(nilas_bind__find_column(&state->target_scope, assignment->parts,
                                          assignment->part_count, assignment->offset, &column,
                                          &consumed, err));
        for (size_t i = 0; i < change->schema->type.field_count; i++) {
            const nilas_ice_field *field = &change->schema->type.fields[i];
            if (change->target.columns[i].attribute.id != column->attribute_id) {
                continue;
            }
            if (assignment->value->kind == NILAS_EXPR_DEFAULT) {
                NILAS_TRY(nilas_bind__store_default(&change->store, field, &values[i], err));
                continue;
            }
            nilas_bound_expr *value;
            NILAS_TRY(nilas_bind__expr(&state->source_scope, assignment->value, &value, err));
            NILAS_TRY(nilas_bind__store_value(&change->store, field, value, &values[i], err));
        }
    }
    for (size_t i = 0; i < change->schema->type.field_count; i++) {
        if (values[i] == NULL) {
            NILAS_TRY(nilas_bind__store_default(&change->store, &change->schema->type.fields[i],
                                                &values[i], err));
        }
    }
    return NILAS_OK;
}

/** The row that a clause writes; *out NULL for DELETE. */
static nilas_code clause_values(merge_state *state, const nilas_merge_clause *clause,
                                nilas_bound_expr ***out, nilas_error *err) {
    nilas_row_change *change = &state->change;
    *out = NULL;
    switch (clause->action) {
    case NILAS_MERGE_DELETE: return NILAS_OK;
    case NILAS_MERGE_UPDATE:
        return nilas_bind__assign(change, scope_of_clause(state, clause), clause->assignments,
                                  clause->assignment_count, out, err);
    case NILAS_MERGE_UPDATE_STAR:
    case NILAS_MERGE_INSERT:
    case NILAS_MERGE_INSERT_STAR: break;
    }
    NILAS_NEW_ARRAY(change->binder->arena, out, change->schema->type.field_count, err);
    return clause->action == NILAS_MERGE_INSERT
               ? insert_values(state, clause, *out, err)
               : star_values(state, clause->action == NILAS_MERGE_INSERT_STAR, *out, err);
}

static nilas_change_action action_of(const nilas_merge_clause *clause) {
    switch (clause->action) {
    case NILAS_MERGE_DELETE: return NILAS_CHANGE_DELETE;
    case NILAS_MERGE_UPDATE:
    case NILAS_MERGE_UPDATE_STAR: return NILAS_CHANGE_UPDATE;
    case NILAS_MERGE_INSERT:
    case NILAS_MERGE_INSERT_STAR: break;
    }
    return NILAS_CHANGE_INSERT;
}

static nilas_code new_switch(merge_state *state, const nilas_type *type, nilas_bound_expr **out,
                             nilas_error *err) {
    NILAS_TRY(nilas_bind__node(state->change.binder, NILAS_BOUND_CASE, -1, out, err));
    NILAS_NEW_ARRAY(state->change.binder->arena, &(*out)->args,
                    2 * state->change.statement->merge_clause_count + 2, err);
    (*out)->type = type;
    (*out)->nullable = true;
    return NILAS_OK;
}

static nilas_code add_case(merge_state *state, nilas_bound_expr *node, size_t number,
                           nilas_bound_expr *value, nilas_error *err) {
    nilas_binder *binder = state->change.binder;
    nilas_bound_expr *sides[2];
    NILAS_TRY(nilas_bind__column_ref(binder, &state->clause, &sides[0], err));
    NILAS_TRY(nilas_bind__int_literal(binder, (int64_t)number, &sides[1], err));
    NILAS_TRY(nilas_bind__call(binder, "=", sides, 2, -1, &node->args[node->arg_count], err));
    node->args[node->arg_count + 1] = value;
    node->arg_count += 2;
    return NILAS_OK;
}

static nilas_code choose_values(merge_state *state, nilas_bound_expr *action,
                                nilas_bound_expr **columns, nilas_error *err) {
    const nilas_statement *statement = state->change.statement;
    nilas_binder *binder = state->change.binder;
    nilas_bound_expr *number;
    for (size_t c = 0; c < statement->merge_clause_count; c++) {
        const nilas_merge_clause *clause = &statement->merge_clauses[c];
        nilas_bound_expr **values;
        NILAS_TRY(nilas_bind__int_literal(binder, action_of(clause), &number, err));
        NILAS_TRY(add_case(state, action, c, number, err));
        NILAS_TRY(clause_values(state, clause, &values, err));
        for (size_t i = 0; values != NULL && i < state->change.schema->type.field_count; i++) {
            NILAS_TRY(add_case(state, columns[i], c, values[i], err));
        }
    }
    if (state->change.out->check_cardinality) {
        NILAS_TRY(nilas_bind__int_literal(binder, NILAS_CHANGE_NONE, &number, err));
        NILAS_TRY(add_case(state, action, statement->merge_clause_count, number, err));
    }
    return NILAS_OK;
}

static nilas_code project_changes(merge_state *state, nilas_error *err) {
    nilas_binder *binder = state->change.binder;
    size_t count = state->change.schema->type.field_count;
    size_t width;
    nilas_bound_expr **columns;
    nilas_bound_expr **row;
    nilas_bound_expr *action;
    NILAS_NEW_ARRAY(binder->arena, &columns, count, err);
    NILAS_TRY(new_switch(state, nilas_type_of(NILAS_TYPE_INT), &action, err));
    for (size_t i = 0; i < count; i++) {
        const nilas_type *type;
        NILAS_TRY(nilas_bind_ice_type(binder->arena, state->change.schema->type.fields[i].type,
                                      &type, err));
        NILAS_TRY(new_switch(state, type, &columns[i], err));
    }
    NILAS_TRY(choose_values(state, action, columns, err));
    for (size_t i = 0; i < count; i++) {
        if (columns[i]->arg_count == 0) { // only deletes
            nilas_value null = NILAS_NULL_VALUE;
            NILAS_TRY(nilas_bind__literal(binder, columns[i]->type, &null, &columns[i], err));
        }
    }
    NILAS_TRY(nilas_bind__change_width(&state->change, &width));
    NILAS_NEW_ARRAY(binder->arena, &row, width, err);
    NILAS_TRY(nilas_bind__change_row(&state->change, action, columns, row, err));
    return nilas_bind__close_change(&state->change, state->plan, row, err);
}

/* --- WITH SCHEMA EVOLUTION
 * ------------------------------------------------------------------------- */

/** Whether a clause gives the column `name` of the target the value of the source's column of that
 * name: `t.name = s.name`. */
static bool assigns_itself(const merge_state *state, const nilas_merge_clause *clause,
                           nilas_str name) {
    for (size_t i = 0; i < clause->assignment_count; i++) {
        const nilas_assignment *assignment = &clause->assignments[i];
        const nilas_expr *value = assignment->value;
        if (value->kind == NILAS_EXPR_COLUMN &&
            nilas_bind__same_name(state->change.binder,
                                  assignment->parts[assignment->part_count - 1], name) &&
            nilas_bind__same_name(state->change.binder, value->parts[value->part_count - 1],
                                  name)) {
            return true;
        }
    }
    return false;
}

static bool is_written(const merge_state *state, nilas_str name) {
    const nilas_statement *statement = state->change.statement;
    for (size_t c = 0; c < statement->merge_clause_count; c++) {
        const nilas_merge_clause *clause = &statement->merge_clauses[c];
        if (clause->action == NILAS_MERGE_UPDATE_STAR ||
            clause->action == NILAS_MERGE_INSERT_STAR || assigns_itself(state, clause, name)) {
            return true;
        }
    }
    return false;
}

/** The source is bound first, against the table as it is; then the table grows with those of its
 * columns that are written under their own names. */
static nilas_code evolve(merge_state *state, nilas_error *err) {
    nilas_row_change *change = &state->change;
    nilas_binder *binder = change->binder;
    nilas_bound_relation written;
    const nilas_type *type;
    NILAS_TRY(nilas_bind_target(binder->environment, change->statement->parts,
                                change->statement->part_count, change->statement->parts_offset,
                                &change->out->target, &change->out->branch, err));
    state->evolves = nilas_str_is_nocase(
        nilas_metadata_property(change->out->target.table->metadata,
                                "write.spark.auto-schema-evolution.enabled", NILAS_STR("true")),
        "true");
    if (!state->evolves) {
        return NILAS_OK;
    }
    NILAS_TRY(bind_source(state, err));
    written = (nilas_bound_relation){.plan = state->source.plan};
    NILAS_NEW_ARRAY(binder->arena, &written.columns, state->source.column_count, err);
    for (size_t i = 0; i < state->source.column_count; i++) {
        if (is_written(state, state->source.columns[i].attribute.name)) {
            written.columns[written.column_count++] = state->source.columns[i];
        }
    }
    NILAS_TRY(nilas_bind__rows_type(binder, &written, &type, err));
    nilas_grow_options options = {.table = change->out->target.table, .rows = type};
    NILAS_TRY(nilas_bind__grow(binder, &options, &change->out->growth, err));
    return change->out->growth == NULL ? NILAS_OK
                                       : nilas_bind__use_grown(binder, change->out->growth, err);
}

nilas_code nilas_bind__merge(nilas_binder *binder, const nilas_statement *statement,
                             nilas_bound_change *out, nilas_error *err) {
    merge_state state = {0};
    out->kind = NILAS_CHANGE_KIND_MERGE;
    if (statement->merge_clause_count == 0) {
        return nilas_fail_at(err, NILAS_INVALID, "MERGE_WITHOUT_WHEN", statement->offset,
                             "There must be at least one WHEN clause in a MERGE statement.");
    }
    state.change = (nilas_row_change){.binder = binder, .statement = statement, .out = out};
    if (statement->with_schema_evolution) {
        NILAS_TRY(evolve(&state, err));
    }
    NILAS_TRY(nilas_bind__open_change(&state.change, binder, statement, out, err));
    for (size_t i = 0; i < statement->merge_clause_count; i++) {
        state.has[statement->merge_clauses[i].match] = true;
    }
    out->check_cardinality = counts_matches(statement);
    if (state.source.plan == NULL) {
        NILAS_TRY(bind_source(&state, err));
    }
    NILAS_TRY(join_sides(&state, err));
    NILAS_TRY(choose_clause(&state, err));
    return project_changes(&state, err);
}
