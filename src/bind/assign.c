/** Assignments of UPDATE and MERGE: columns, and members of struct columns at any depth. */
#include "bind/expr.h"
#include "bind/row_change.h"

typedef struct assign_state {
    nilas_row_change *change;
    nilas_bind_scope *scope;
    const nilas_assignment *assignments;
    size_t count;
    size_t *field;          // schema position of each
    const nilas_str **path; // the struct members below it
    size_t *path_count;
} assign_state;

/** Which column an assignment names: its parts may begin with the table's alias or name. */
static nilas_code find_target(assign_state *state, size_t index, nilas_error *err) {
    const nilas_assignment *assignment = &state->assignments[index];
    nilas_row_change *change = state->change;
    nilas_bind_scope target;
    nilas_bound_expr *column;
    size_t consumed;
    nilas_bind__scope_of(&target, change->binder, &change->target, NULL, "UPDATE");
    NILAS_TRY(nilas_bind__find_column(&target, assignment->parts, assignment->part_count,
                                      assignment->offset, &column, &consumed, err));
    for (size_t i = 0; i < change->schema->type.field_count; i++) {
        if (change->target.columns[i].attribute.id == column->attribute_id) {
            state->field[index] = i;
            state->path[index] = assignment->parts + consumed;
            state->path_count[index] = assignment->part_count - consumed;
            return NILAS_OK;
        }
    }
    return nilas_fail_at(err, NILAS_INVALID, "UNRESOLVED_COLUMN.WITHOUT_SUGGESTION",
                         assignment->offset, "A metadata column cannot be assigned.");
}

static nilas_code fail_twice(assign_state *state, nilas_str name, int32_t offset,
                             nilas_error *err) {
    (void)state;
    return nilas_fail_at(err, NILAS_INVALID,
                         "DATATYPE_MISMATCH.INVALID_ROW_LEVEL_OPERATION_ASSIGNMENTS", offset,
                         "Cannot resolve the assignments due to data type mismatch: Multiple "
                         "assignments for '%.*s'.",
                         NILAS_FMT(name));
}

/** Value of DEFAULT, or of the assignment's expression, for a field. */
static nilas_code assigned_value(assign_state *state, size_t index, const nilas_ice_field *field,
                                 nilas_bound_expr **out, nilas_error *err) {
    const nilas_expr *value = state->assignments[index].value;
    if (value->kind == NILAS_EXPR_DEFAULT) {
        return nilas_bind__store_default(&state->change->store, field, out, err);
    }
    nilas_bound_expr *bound;
    NILAS_TRY(nilas_bind__expr(state->scope, value, &bound, err));
    return nilas_bind__store_value(&state->change->store, field, bound, out, err);
}

/** Assignment `index` says all of this field, part of it, or nothing of it. */
static bool is_below(const assign_state *state, size_t index, size_t column,
                     const nilas_str *prefix, size_t depth) {
    if (state->field[index] != column || state->path_count[index] < depth) {
        return false;
    }
    for (size_t i = 0; i < depth; i++) {
        if (!nilas_bind__same_name(state->change->binder, state->path[index][i], prefix[i])) {
            return false;
        }
    }
    return true;
}

static nilas_code struct_field(nilas_binder *binder, nilas_bound_expr *value, size_t index,
                               nilas_bound_expr **out, nilas_error *err) {
    nilas_bound_expr *node;
    NILAS_TRY(nilas_bind__node(binder, NILAS_BOUND_FIELD, -1, &node, err));
    NILAS_NEW_ARRAY(binder->arena, &node->args, 1, err);
    node->args[0] = value;
    node->arg_count = 1;
    node->index = (int32_t)index;
    node->type = value->type->fields[index].type;
    node->nullable = value->nullable || value->type->fields[index].nullable;
    *out = node;
    return NILAS_OK;
}

/** The old value with what is assigned at `prefix` or below it. */
static nilas_code apply(assign_state *state, size_t column, const nilas_ice_field *field,
                        nilas_str *prefix, size_t depth, nilas_bound_expr *old,
                        nilas_bound_expr **out, nilas_error *err) {
    size_t whole = SIZE_MAX;
    size_t below = 0;
    NILAS_REQUIRE(depth < NILAS_LIMIT_TYPE_DEPTH, err, NILAS_LIMIT, "a struct is nested too deep");
    for (size_t i = 0; i < state->count; i++) {
        if (!is_below(state, i, column, prefix, depth)) {
            continue;
        }
        bool is_whole = state->path_count[i] == depth;
        if ((is_whole && (whole != SIZE_MAX || below > 0)) || (!is_whole && whole != SIZE_MAX)) {
            return fail_twice(state, field->name, state->assignments[i].offset, err);
        }
        whole = is_whole ? i : whole;
        below += is_whole ? 0 : 1;
    }
    if (whole != SIZE_MAX) {
        return assigned_value(state, whole, field, out, err);
    }
    *out = old;
    if (below == 0) {
        return NILAS_OK;
    }
    if (field->type->kind != NILAS_ICE_STRUCT) {
        return nilas_fail_at(err, NILAS_INVALID,
                             "DATATYPE_MISMATCH.INVALID_ROW_LEVEL_OPERATION_ASSIGNMENTS", -1,
                             "Updating nested fields is only supported for StructType but '%.*s' "
                             "is not one.",
                             NILAS_FMT(field->name));
    }
    nilas_binder *binder = state->change->binder;
    nilas_bound_expr *node;
    NILAS_TRY(nilas_bind__node(binder, NILAS_BOUND_STRUCT, -1, &node, err));
    node->type = old->type;
    node->arg_count = field->type->field_count;
    NILAS_NEW_ARRAY(binder->arena, &node->args, node->arg_count, err);
    for (size_t i = 0; i < node->arg_count; i++) {
        nilas_bound_expr *member;
        prefix[depth] = field->type->fields[i].name;
        NILAS_TRY(struct_field(binder, old, i, &member, err));
        NILAS_TRY(apply(state, column, &field->type->fields[i], prefix, depth + 1, member,
                        &node->args[i], err));
    }
    *out = node;
    return NILAS_OK;
}

nilas_code nilas_bind__assign(nilas_row_change *change, nilas_bind_scope *scope,
                              const nilas_assignment *assignments, size_t count,
                              nilas_bound_expr ***out, nilas_error *err) {
    nilas_arena *arena = change->binder->arena;
    assign_state state = {
        .change = change, .scope = scope, .assignments = assignments, .count = count};
    NILAS_NEW_ARRAY(arena, &state.field, count, err);
    NILAS_NEW_ARRAY(arena, &state.path, count, err);
    NILAS_NEW_ARRAY(arena, &state.path_count, count, err);
    for (size_t i = 0; i < count; i++) {
        NILAS_TRY(find_target(&state, i, err));
    }
    size_t width = change->schema->type.field_count;
    nilas_bound_expr **values;
    nilas_str *prefix;
    NILAS_NEW_ARRAY(arena, &values, width, err);
    NILAS_NEW_ARRAY(arena, &prefix, NILAS_LIMIT_TYPE_DEPTH + 1, err);
    for (size_t i = 0; i < width; i++) {
        nilas_bound_expr *old;
        NILAS_TRY(nilas_bind__column_ref(change->binder, &change->target.columns[i].attribute, &old,
                                         err));
        NILAS_TRY(
            apply(&state, i, &change->schema->type.fields[i], prefix, 0, old, &values[i], err));
    }
    *out = values;
    return NILAS_OK;
}
