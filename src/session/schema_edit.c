/** Changing a schema: fields added, dropped, renamed, moved, widened, at any depth; ids never
 * reused. */
#include "session/ddl.h"

static nilas_code copy_type(nilas_arena *arena, const nilas_ice_type *type, nilas_ice_type *out,
                            nilas_error *err) {
    *out = *type;
    if (type->field_count == 0) {
        return NILAS_OK;
    }
    NILAS_NEW_ARRAY(arena, &out->fields, type->field_count, err);
    for (size_t i = 0; i < type->field_count; i++) {
        nilas_ice_type *inner;
        out->fields[i] = type->fields[i];
        NILAS_NEW(arena, &inner, err);
        NILAS_TRY(copy_type(arena, type->fields[i].type, inner, err));
        out->fields[i].type = inner;
    }
    return NILAS_OK;
}

nilas_code nilas_schema_edit__open(nilas_schema_edit *edit, nilas_arena *arena,
                                   const nilas_metadata *metadata, bool case_sensitive,
                                   nilas_error *err) {
    const nilas_schema *current = nilas_metadata_current_schema(metadata);
    *edit = (nilas_schema_edit){.arena = arena,
                                .last_column_id = metadata->last_column_id,
                                .case_sensitive = case_sensitive};
    NILAS_NEW(arena, &edit->schema, err);
    *edit->schema = *current;
    NILAS_NEW_ARRAY(arena, &edit->schema->identifier_field_ids, current->identifier_field_count,
                    err);
    nilas_copy(edit->schema->identifier_field_ids, current->identifier_field_ids,
           current->identifier_field_count * sizeof(int32_t));
    return copy_type(arena, &current->type, &edit->schema->type, err);
}

static bool same_name(const nilas_schema_edit *edit, nilas_str a, nilas_str b) {
    return edit->case_sensitive ? nilas_str_equal(a, b) : nilas_str_equal_nocase(a, b);
}

nilas_ice_field *nilas_schema_edit__find(nilas_schema_edit *edit, const nilas_str *parts,
                                         size_t count, nilas_ice_type **out_parent) {
    nilas_ice_type *parent = &edit->schema->type;
    nilas_ice_field *field = NULL;
    for (size_t p = 0; p < count; p++) {
        if (p > 0) {
            // Everything below the schema was copied by copy_type(): it may be changed.
            parent = (nilas_ice_type *)(uintptr_t)field->type;
        }
        field = NULL;
        for (size_t i = 0; i < parent->field_count; i++) {
            if (same_name(edit, parent->fields[i].name, parts[p])) {
                field = &parent->fields[i];
            }
        }
        if (field == NULL) {
            return NULL;
        }
    }
    *out_parent = parent;
    return field;
}

static nilas_code fail_unresolved(const nilas_schema_edit *edit, const nilas_str *parts,
                                  size_t count, int32_t offset, nilas_error *err) {
    NILAS_AUTO_BUF name = NILAS_BUF_INIT(65536);
    NILAS_AUTO_BUF list = NILAS_BUF_INIT(1 << 20);
    nilas_name_print_quoted(&name, parts, count);
    for (size_t i = 0; i < edit->schema->type.field_count && i < 5; i++) {
        nilas_buf_add_text(&list, i > 0 ? ", " : "");
        nilas_name_print_quoted(&list, &edit->schema->type.fields[i].name, 1);
    }
    return nilas_fail_at(err, NILAS_INVALID, "UNRESOLVED_COLUMN.WITH_SUGGESTION", offset,
                         "A column, variable, or function parameter with name %.*s cannot be "
                         "resolved. Did you mean one of the following? [%.*s].",
                         NILAS_FMT(nilas_buf_view(&name)), NILAS_FMT(nilas_buf_view(&list)));
}

/** Move the field at `from` to the place that FIRST or AFTER says. */
static nilas_code move_field(nilas_schema_edit *edit, nilas_ice_type *parent, size_t from,
                             const nilas_column_def *column, nilas_error *err) {
    if (!column->has_position) {
        return NILAS_OK;
    }
    nilas_ice_field moved = parent->fields[from];
    memmove(&parent->fields[from], &parent->fields[from + 1],
            (parent->field_count - from - 1) * sizeof(*parent->fields));
    size_t to = 0;
    if (!column->first) {
        while (to < parent->field_count - 1 &&
               !same_name(edit, parent->fields[to].name, column->after)) {
            to++;
        }
        if (to == parent->field_count - 1) {
            return fail_unresolved(edit, &column->after, 1, column->offset, err);
        }
        to++;
    }
    memmove(&parent->fields[to + 1], &parent->fields[to],
            (parent->field_count - 1 - to) * sizeof(*parent->fields));
    parent->fields[to] = moved;
    return NILAS_OK;
}

static nilas_code refuse_defaults(const nilas_column_def *column, nilas_error *err) {
    if (column->default_value != NULL || column->generated != NULL) {
        return nilas_fail_at(err, NILAS_UNSUPPORTED, "UNSUPPORTED_FEATURE.TABLE_OPERATION",
                             column->offset,
                             "The feature is not supported: the table does not support column "
                             "default value. Please check the current catalog and namespace to "
                             "make sure the qualified table name is expected, and also check the "
                             "catalog implementation which is configured by "
                             "\"spark.sql.catalog\".");
    }
    return NILAS_OK;
}

/** The struct that a new field goes into. */
static nilas_code parent_of(nilas_schema_edit *edit, const nilas_column_def *column,
                            nilas_ice_type **out, nilas_error *err) {
    *out = &edit->schema->type;
    if (column->part_count == 1) {
        return NILAS_OK;
    }
    nilas_ice_type *ignored;
    nilas_ice_field *field =
        nilas_schema_edit__find(edit, column->parts, column->part_count - 1, &ignored);
    if (field == NULL) {
        return fail_unresolved(edit, column->parts, column->part_count - 1, column->offset, err);
    }
    *out = (nilas_ice_type *)(uintptr_t)field->type;
    if (field->type->kind != NILAS_ICE_STRUCT) {
        NILAS_AUTO_BUF name = NILAS_BUF_INIT(65536);
        NILAS_AUTO_BUF parent = NILAS_BUF_INIT(65536);
        nilas_name_print_quoted(&name, column->parts, column->part_count);
        nilas_name_print_quoted(&parent, column->parts, column->part_count - 1);
        return nilas_fail_at(err, NILAS_INVALID, "INVALID_FIELD_NAME", column->offset,
                             "Field name %.*s is invalid: %.*s is not a struct.",
                             NILAS_FMT(nilas_buf_view(&name)), NILAS_FMT(nilas_buf_view(&parent)));
    }
    return NILAS_OK;
}

static nilas_code append_field(nilas_schema_edit *edit, nilas_ice_type *parent,
                               const nilas_column_def *column, nilas_error *err) {
    nilas_ice_field *fields;
    nilas_ice_field field = {.id = ++edit->last_column_id,
                             .name = column->parts[column->part_count - 1],
                             .has_doc = column->has_comment,
                             .doc = column->comment};
    int32_t next_id = edit->last_column_id + 1;
    if (column->not_null) {
        return nilas_fail_at(err, NILAS_INVALID, NULL, column->offset,
                             "Incompatible change: cannot add required column: %.*s",
                             NILAS_FMT(field.name));
    }
    NILAS_TRY(nilas_bind_spark_type(edit->arena, column->type, &next_id, &field.type, err));
    edit->last_column_id = next_id - 1;
    nilas_ice_type *copy;
    NILAS_NEW(edit->arena, &copy, err);
    NILAS_TRY(copy_type(edit->arena, field.type, copy, err));
    field.type = copy;
    NILAS_NEW_ARRAY(edit->arena, &fields, parent->field_count + 1, err);
    nilas_copy(fields, parent->fields, parent->field_count * sizeof(*fields));
    fields[parent->field_count] = field;
    parent->fields = fields;
    parent->field_count++;
    return NILAS_OK;
}

nilas_code nilas_schema_edit__add(nilas_schema_edit *edit, const nilas_column_def *column,
                                  nilas_error *err) {
    nilas_ice_type *parent;
    nilas_ice_type *ignored;
    NILAS_TRY(refuse_defaults(column, err));
    NILAS_TRY(parent_of(edit, column, &parent, err));
    if (nilas_schema_edit__find(edit, column->parts, column->part_count, &ignored) != NULL) {
        NILAS_AUTO_BUF name = NILAS_BUF_INIT(65536);
        nilas_name_print_quoted(&name, column->parts, column->part_count);
        return nilas_fail_at(err, NILAS_INVALID, "FIELD_ALREADY_EXISTS", column->offset,
                             "Cannot add column, because %.*s already exists.",
                             NILAS_FMT(nilas_buf_view(&name)));
    }
    NILAS_TRY(append_field(edit, parent, column, err));
    return move_field(edit, parent, parent->field_count - 1, column, err);
}

nilas_code nilas_schema_edit__drop(nilas_schema_edit *edit, const nilas_str *parts, size_t count,
                                   bool if_exists, int32_t offset, nilas_error *err) {
    nilas_ice_type *parent;
    nilas_ice_field *field = nilas_schema_edit__find(edit, parts, count, &parent);
    if (field == NULL) {
        return if_exists ? NILAS_OK : fail_unresolved(edit, parts, count, offset, err);
    }
    if (parent->kind != NILAS_ICE_STRUCT) {
        return nilas_fail_at(err, NILAS_INVALID, NULL, offset,
                             "Cannot delete the element of a list or the key or value of a map");
    }
    for (size_t i = 0; i < edit->schema->identifier_field_count; i++) {
        if (edit->schema->identifier_field_ids[i] == field->id) {
            return nilas_fail_at(err, NILAS_INVALID, NULL, offset,
                                 "Cannot delete identifier field %d: %.*s. To force deletion, "
                                 "update the identifier fields first.",
                                 field->id, NILAS_FMT(field->name));
        }
    }
    size_t index = (size_t)(field - parent->fields);
    if (parent->field_count == 1 && parent != &edit->schema->type) {
        return nilas_fail_at(err, NILAS_INVALID, NULL, offset,
                             "Cannot delete the only field of a struct: %.*s",
                             NILAS_FMT(field->name));
    }
    memmove(&parent->fields[index], &parent->fields[index + 1],
            (parent->field_count - index - 1) * sizeof(*parent->fields));
    parent->field_count--;
    return NILAS_OK;
}

nilas_code nilas_schema_edit__rename(nilas_schema_edit *edit, const nilas_str *parts, size_t count,
                                     nilas_str new_name, int32_t offset, nilas_error *err) {
    nilas_ice_type *parent;
    nilas_ice_field *field = nilas_schema_edit__find(edit, parts, count, &parent);
    if (field == NULL) {
        return fail_unresolved(edit, parts, count, offset, err);
    }
    for (size_t i = 0; i < parent->field_count; i++) {
        if (&parent->fields[i] != field && same_name(edit, parent->fields[i].name, new_name)) {
            return nilas_fail_at(err, NILAS_INVALID, "FIELD_ALREADY_EXISTS", offset,
                                 "Cannot rename column, because `%.*s` already exists.",
                                 NILAS_FMT(new_name));
        }
    }
    return nilas_str_copy(edit->arena, new_name, &field->name, err);
}

static nilas_code change_type(nilas_schema_edit *edit, nilas_ice_field *field,
                              const nilas_column_def *column, nilas_error *err) {
    const nilas_ice_type *type;
    int32_t next_id = edit->last_column_id + 1;
    NILAS_TRY(nilas_bind_spark_type(edit->arena, column->type, &next_id, &type, err));
    if (nilas_ice_is_nested(field->type) || nilas_ice_is_nested(type) ||
        !nilas_ice_can_promote(field->type, type)) {
        NILAS_AUTO_BUF from = NILAS_BUF_INIT(1 << 20);
        NILAS_AUTO_BUF to = NILAS_BUF_INIT(1 << 20);
        NILAS_AUTO_BUF name = NILAS_BUF_INIT(65536);
        nilas_name_print(&name, column->parts, column->part_count);
        nilas_ice_type_print(&from, field->type);
        nilas_ice_type_print(&to, type);
        const nilas_type *old;
        NILAS_TRY(nilas_bind_ice_type(edit->arena, field->type, &old, err));
        // What Spark would not cast it refuses itself; the rest is Iceberg's to refuse.
        bool castable = nilas_type_can_upcast(old, column->type);
        return nilas_fail_at(err, NILAS_INVALID, castable ? NULL : "NOT_SUPPORTED_CHANGE_COLUMN",
                             column->offset,
                             castable ? "Cannot change column type: %.*s: %.*s -> %.*s"
                                      : "ALTER TABLE ALTER/CHANGE COLUMN is not supported for "
                                        "changing the column %.*s with type %.*s to type %.*s.",
                             NILAS_FMT(nilas_buf_view(&name)), NILAS_FMT(nilas_buf_view(&from)),
                             NILAS_FMT(nilas_buf_view(&to)));
    }
    field->type = type;
    return NILAS_OK;
}

nilas_code nilas_schema_edit__change(nilas_schema_edit *edit, const nilas_column_def *column,
                                     int changes, nilas_error *err) {
    nilas_ice_type *parent;
    nilas_ice_field *field =
        nilas_schema_edit__find(edit, column->parts, column->part_count, &parent);
    if (field == NULL) {
        return fail_unresolved(edit, column->parts, column->part_count, column->offset, err);
    }
    if ((changes & (NILAS_CHANGE_SET_DEFAULT | NILAS_CHANGE_DROP_DEFAULT)) != 0) {
        return nilas_fail_at(err, NILAS_UNSUPPORTED, "UNSUPPORTED_FEATURE.TABLE_OPERATION",
                             column->offset,
                             "The feature is not supported: the table does not support column "
                             "default value.");
    }
    if ((changes & NILAS_CHANGE_TYPE) != 0) {
        NILAS_TRY(change_type(edit, field, column, err));
    }
    if ((changes & NILAS_CHANGE_SET_NOT_NULL) != 0 && !field->required) {
        return nilas_fail_at(err, NILAS_INVALID, "_LEGACY_ERROR_TEMP_2330", column->offset,
                             "Cannot change nullable column to non-nullable: %.*s.; line 1 pos 0",
                             NILAS_FMT(field->name));
    }
    if ((changes & NILAS_CHANGE_DROP_NOT_NULL) != 0) {
        for (size_t i = 0; i < edit->schema->identifier_field_count; i++) {
            NILAS_REQUIRE(edit->schema->identifier_field_ids[i] != field->id, err, NILAS_INVALID,
                          "Cannot make identifier field %.*s optional", NILAS_FMT(field->name));
        }
        field->required = false;
    }
    if ((changes & NILAS_CHANGE_COMMENT) != 0) {
        field->has_doc = true;
        field->doc = column->comment;
    }
    size_t index = (size_t)(field - parent->fields);
    return (changes & NILAS_CHANGE_POSITION) != 0 ? move_field(edit, parent, index, column, err)
                                                  : NILAS_OK;
}

nilas_code nilas_schema_edit__replace(nilas_schema_edit *edit, const nilas_column_def *columns,
                                      size_t count, nilas_error *err) {
    edit->schema->type.field_count = 0;
    for (size_t i = 0; i < count; i++) {
        nilas_column_def column = columns[i];
        column.has_position = false;
        NILAS_TRY(nilas_schema_edit__add(edit, &column, err));
    }
    return NILAS_OK;
}

nilas_code nilas_ddl__columns_type(nilas_run *run, const nilas_column_def *columns, size_t count,
                                   const nilas_type **out, nilas_error *err) {
    nilas_type_field *fields;
    NILAS_NEW_ARRAY(run->stmt, &fields, count, err);
    for (size_t i = 0; i < count; i++) {
        const nilas_column_def *column = &columns[i];
        NILAS_TRY(refuse_defaults(column, err));
        for (size_t k = 0; k < i; k++) {
            bool same = run->environment.case_sensitive
                            ? nilas_str_equal(columns[k].parts[0], column->parts[0])
                            : nilas_str_equal_nocase(columns[k].parts[0], column->parts[0]);
            if (same) {
                NILAS_AUTO_BUF lower = NILAS_BUF_INIT(65536);
                nilas_name_print_quoted(&lower, &columns[k].parts[0], 1);
                return nilas_fail_at(err, NILAS_INVALID, "COLUMN_ALREADY_EXISTS", column->offset,
                                     "The column %.*s already exists. Choose another name or "
                                     "rename the existing column.",
                                     NILAS_FMT(nilas_buf_view(&lower)));
            }
        }
        fields[i] = (nilas_type_field){.name = column->parts[0],
                                       .type = column->type,
                                       .nullable = !column->not_null,
                                       .has_comment = column->has_comment,
                                       .comment = column->comment};
    }
    return nilas_type_struct(run->stmt, fields, count, out, err);
}
