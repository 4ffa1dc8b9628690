/** Structs with fields set, added and dropped: Column.withField(), dropFields(). */
#include "bind/expr.h"

nilas_code nilas_bind__member(nilas_binder *binder, nilas_bound_expr *base, size_t index,
                              nilas_bound_expr **out, nilas_error *err) {
    nilas_bound_expr *field;
    NILAS_TRY(nilas_bind__node(binder, NILAS_BOUND_FIELD, -1, &field, err));
    NILAS_NEW_ARRAY(binder->arena, &field->args, 1, err);
    field->args[0] = base;
    field->arg_count = 1;
    field->index = (int32_t)index;
    field->type = base->type->fields[index].type;
    field->nullable = base->type->fields[index].nullable; // read only where the struct is not null
    *out = field;
    return NILAS_OK;
}

nilas_code nilas_bind__null_with(nilas_binder *binder, nilas_bound_expr *base,
                                 nilas_bound_expr *value, nilas_bound_expr **out,
                                 nilas_error *err) {
    nilas_bound_expr *node;
    nilas_value null = NILAS_NULL_VALUE;
    NILAS_TRY(nilas_bind__node(binder, NILAS_BOUND_CASE, -1, &node, err));
    NILAS_NEW_ARRAY(binder->arena, &node->args, 3, err);
    node->arg_count = 3;
    node->has_else = true;
    node->type = value->type;
    node->nullable = true;
    NILAS_TRY(nilas_bind__call(binder, "isnull", &base, 1, -1, &node->args[0], err));
    NILAS_TRY(nilas_bind__literal(binder, value->type, &null, &node->args[1], err));
    node->args[2] = value;
    *out = node;
    return NILAS_OK;
}

nilas_code nilas_bind__struct_like(nilas_binder *binder, nilas_bound_expr *base,
                                   nilas_bound_expr **members, const nilas_type *type,
                                   nilas_bound_expr **out, nilas_error *err) {
    nilas_bound_expr *node;
    NILAS_TRY(nilas_bind__node(binder, NILAS_BOUND_STRUCT, -1, &node, err));
    node->args = members;
    node->arg_count = type->field_count;
    node->type = type;
    if (base->nullable) {
        return nilas_bind__null_with(binder, base, node, out, err);
    }
    *out = node;
    return NILAS_OK;
}

/** What is done at the end of the path. */
typedef struct update {
    nilas_binder *binder;
    const nilas_str *path;
    size_t depth;
    nilas_bound_expr *value; // NULL: the field goes
    int32_t offset;
} update;

static nilas_code apply(const update *u, size_t level, nilas_bound_expr *base,
                        nilas_bound_expr **out, nilas_error *err);

static nilas_code fail_base(const update *u, const nilas_bound_expr *base, nilas_error *err) {
    nilas_str text = nilas_bind__text(u->binder, base);
    nilas_str type = nilas_bind__type_text(u->binder, base->type);
    return nilas_fail_at(err, NILAS_INVALID, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", u->offset,
                         "Cannot resolve \"update_fields(%.*s)\" due to data type mismatch: The "
                         "first parameter requires the \"STRUCT\" type, however \"%.*s\" has the "
                         "type \"%.*s\".",
                         NILAS_FMT(text), NILAS_FMT(text), NILAS_FMT(type));
}

static nilas_code fail_nothing_left(const update *u, const nilas_bound_expr *base,
                                    nilas_error *err) {
    nilas_str text = nilas_bind__text(u->binder, base);
    return nilas_fail_at(err, NILAS_INVALID, "DATATYPE_MISMATCH.CANNOT_DROP_ALL_FIELDS", u->offset,
                         "Cannot resolve \"update_fields(%.*s)\" due to data type mismatch: Cannot "
                         "drop all fields in struct.",
                         NILAS_FMT(text));
}

/** A field on the path: what becomes of it; *keep false when it goes. */
static nilas_code change(const update *u, size_t level, nilas_bound_expr **member, bool *keep,
                         nilas_error *err) {
    if (level + 1 < u->depth) {
        return apply(u, level + 1, *member, member, err);
    }
    *keep = u->value != NULL;
    *member = *keep ? u->value : *member;
    return NILAS_OK;
}

static nilas_code apply(const update *u, size_t level, nilas_bound_expr *base,
                        nilas_bound_expr **out, nilas_error *err) {
    nilas_bound_expr **members;
    nilas_type_field *fields;
    size_t count = 0;
    bool found = false;
    nilas_arena *arena = u->binder->arena;
    if (base->type->kind != NILAS_TYPE_STRUCT) {
        return fail_base(u, base, err);
    }
    NILAS_NEW_ARRAY(arena, &members, base->type->field_count + 1, err);
    NILAS_NEW_ARRAY(arena, &fields, base->type->field_count + 1, err);
    for (size_t i = 0; i < base->type->field_count; i++) {
        bool keep = true;
        bool named = nilas_str_equal_nocase(base->type->fields[i].name, u->path[level]);
        nilas_bound_expr *member;
        NILAS_TRY(nilas_bind__member(u->binder, base, i, &member, err));
        if (named) {
            NILAS_TRY(change(u, level, &member, &keep, err));
            found = true;
        }
        if (keep) {
            members[count] = member;
            fields[count++] =
                (nilas_type_field){.name = named ? u->path[level] : base->type->fields[i].name,
                                   .type = member->type,
                                   .nullable = member->nullable};
        }
    }
    if (!found && level + 1 < u->depth) {
        return nilas_fail_at(err, NILAS_INVALID, "FIELD_NOT_FOUND", u->offset,
                             "No such struct field `%.*s` in the struct.",
                             NILAS_FMT(u->path[level]));
    }
    if (!found && u->value != NULL) {
        members[count] = u->value;
        fields[count++] = (nilas_type_field){
            .name = u->path[level], .type = u->value->type, .nullable = u->value->nullable};
    }
    if (count == 0) {
        return fail_nothing_left(u, base, err);
    }
    const nilas_type *type;
    NILAS_TRY(nilas_type_struct(arena, fields, count, &type, err));
    return nilas_bind__struct_like(u->binder, base, members, type, out, err);
}

nilas_code nilas_bind__update_field(nilas_bind_scope *scope, const nilas_expr *expr,
                                    nilas_bound_expr **out, nilas_error *err) {
    nilas_bound_expr *base;
    update u = {.binder = scope->binder,
                .path = expr->parts,
                .depth = expr->part_count,
                .offset = expr->offset};
    NILAS_REQUIRE(expr->part_count > 0 && expr->arg_count > 0, err, NILAS_INVALID,
                  "a field to update has no name");
    NILAS_TRY(nilas_bind__expr(scope, expr->args[0], &base, err));
    if (expr->arg_count > 1) {
        NILAS_TRY(nilas_bind__expr(scope, expr->args[1], &u.value, err));
    }
    nilas_str text = nilas_bind__text(scope->binder, base);
    NILAS_TRY(apply(&u, 0, base, out, err));
    nilas_str value = u.value != NULL ? nilas_bind__text(scope->binder, u.value) : NILAS_STR("");
    NILAS_TRY(nilas_bind__copy(scope->binder->arena, *out, out, err));
    return nilas_str_print(scope->binder->arena, &(*out)->shown, err,
                           "update_fields(%.*s, %s%.*s))", NILAS_FMT(text),
                           u.value != NULL ? "WithField(" : "dropfield(", NILAS_FMT(value));
}
