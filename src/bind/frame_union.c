/** unionByName() with missing columns: both sides brought to the same names, in structs too. */
#include "bind/frame.h"

static size_t find_field(nilas_binder *binder, const nilas_type *type, nilas_str name) {
    size_t i = 0;
    while (i < type->field_count && !nilas_bind__same_name(binder, type->fields[i].name, name)) {
        i++;
    }
    return i;
}

static nilas_code null_of(nilas_binder *binder, const nilas_type *type, nilas_bound_expr **out,
                          nilas_error *err) {
    nilas_value null = NILAS_NULL_VALUE;
    return nilas_bind__literal(binder, type, &null, out, err);
}

/**
 * A value with the fields of `like` first, in its order, then its own others; null for those that
 * it lacks.
 */
static nilas_code align_value(nilas_binder *binder, nilas_bound_expr *value, const nilas_type *like,
                              nilas_bound_expr **out, nilas_error *err) {
    const nilas_type *type = value->type;
    *out = value;
    if (type->kind != NILAS_TYPE_STRUCT || like->kind != NILAS_TYPE_STRUCT ||
        nilas_type_equal(type, like)) {
        return NILAS_OK;
    }
    nilas_bound_expr **members;
    nilas_type_field *fields;
    size_t count = 0;
    size_t room = type->field_count + like->field_count;
    NILAS_NEW_ARRAY(binder->arena, &members, room, err);
    NILAS_NEW_ARRAY(binder->arena, &fields, room, err);
    for (size_t i = 0; i < like->field_count; i++) {
        size_t at = find_field(binder, type, like->fields[i].name);
        if (at == type->field_count) {
            NILAS_TRY(null_of(binder, like->fields[i].type, &members[count], err));
        } else {
            NILAS_TRY(nilas_bind__member(binder, value, at, &members[count], err));
            NILAS_TRY(
                align_value(binder, members[count], like->fields[i].type, &members[count], err));
        }
        fields[count].name = like->fields[i].name;
        count++;
    }
    for (size_t i = 0; i < type->field_count; i++) {
        if (find_field(binder, like, type->fields[i].name) == like->field_count) {
            NILAS_TRY(nilas_bind__member(binder, value, i, &members[count], err));
            fields[count++].name = type->fields[i].name;
        }
    }
    for (size_t i = 0; i < count; i++) {
        fields[i].type = members[i]->type;
        fields[i].nullable = members[i]->nullable;
    }
    const nilas_type *aligned;
    NILAS_TRY(nilas_type_struct(binder->arena, fields, count, &aligned, err));
    return nilas_bind__struct_like(binder, value, members, aligned, out, err);
}

static size_t find_column(nilas_binder *binder, const nilas_bound_relation *side, nilas_str name) {
    size_t i = 0;
    while (i < side->column_count &&
           !nilas_bind__same_name(binder, side->columns[i].attribute.name, name)) {
        i++;
    }
    return i;
}

/** The columns of `like` in its order, then the side's own others. */
static nilas_code align_side(nilas_binder *binder, const nilas_bound_relation *like,
                             nilas_bound_relation *side, nilas_error *err) {
    nilas_bound_expr **exprs;
    nilas_str *names;
    size_t count = 0;
    NILAS_NEW_ARRAY(binder->arena, &exprs, like->column_count + side->column_count, err);
    NILAS_NEW_ARRAY(binder->arena, &names, like->column_count + side->column_count, err);
    for (size_t i = 0; i < like->column_count; i++) {
        const nilas_attribute *wanted = &like->columns[i].attribute;
        size_t at = find_column(binder, side, wanted->name);
        names[count] = wanted->name;
        if (at == side->column_count) {
            NILAS_TRY(null_of(binder, wanted->type, &exprs[count++], err));
            continue;
        }
        NILAS_TRY(nilas_bind__column_ref(binder, &side->columns[at].attribute, &exprs[count], err));
        NILAS_TRY(align_value(binder, exprs[count], wanted->type, &exprs[count], err));
        count++;
    }
    for (size_t i = 0; i < side->column_count; i++) {
        const nilas_attribute *attribute = &side->columns[i].attribute;
        if (find_column(binder, like, attribute->name) == like->column_count) {
            names[count] = attribute->name;
            NILAS_TRY(nilas_bind__column_ref(binder, attribute, &exprs[count++], err));
        }
    }
    return nilas_bind__replace_columns(binder, side, exprs, names, count, err);
}

nilas_code nilas_bind__align_by_name(nilas_binder *binder, nilas_bound_relation *left,
                                     nilas_bound_relation *right, nilas_error *err) {
    NILAS_TRY(align_side(binder, left, right, err)); // has all columns now, the left's first
    return align_side(binder, right, left, err);
}
