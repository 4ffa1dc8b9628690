/**
 * Schemas that grow: the union, by name, of a table's schema and that of rows to be written.
 *
 * Ids are given as Iceberg's update of schemas gives them: members of structs that are there before
 * what is new beside them, and what is new level by level.
 */
#include "bind/grow.h"

typedef struct grow_state {
    nilas_binder *binder;
    bool strict, changed;
    int32_t last_id;
} grow_state;

static nilas_code grow_type(grow_state *state, nilas_str path, const nilas_ice_type *old,
                            const nilas_type *rows, const nilas_ice_type **out, nilas_error *err);

static nilas_code fail_type(nilas_str path, const nilas_ice_type *old, const nilas_ice_type *wanted,
                            nilas_error *err) {
    NILAS_AUTO_BUF from = NILAS_BUF_INIT(1 << 20);
    NILAS_AUTO_BUF to = NILAS_BUF_INIT(1 << 20);
    nilas_ice_type_print(&from, old);
    nilas_ice_type_print(&to, wanted);
    return nilas_fail(err, NILAS_INVALID, "Cannot change column type: %.*s: %.*s -> %.*s",
                      NILAS_FMT(path), NILAS_FMT(nilas_buf_view(&from)),
                      NILAS_FMT(nilas_buf_view(&to)));
}

/** Types that Spark shows as others: their rows need no change. */
static bool is_shown_as(const nilas_ice_type *old, const nilas_ice_type *rows) {
    return (old->kind == NILAS_ICE_UUID && rows->kind == NILAS_ICE_STRING) ||
           (old->kind == NILAS_ICE_FIXED && rows->kind == NILAS_ICE_BINARY) ||
           rows->kind == NILAS_ICE_UNKNOWN;
}

static nilas_code grow_primitive(grow_state *state, nilas_str path, const nilas_ice_type *old,
                                 const nilas_type *rows, const nilas_ice_type **out,
                                 nilas_error *err) {
    const nilas_ice_type *wanted;
    int32_t ignored = 1;
    *out = old;
    if (!nilas_ice_is_nested(old) && rows->kind >= NILAS_TYPE_ARRAY) {
        return NILAS_OK; // the check of the rows says what is wrong
    }
    NILAS_TRY(nilas_bind_spark_type(state->binder->arena, rows, &ignored, &wanted, err));
    if (!nilas_ice_is_nested(old) && nilas_ice_can_promote(old, wanted)) {
        state->changed = state->changed || !nilas_ice_type_equal(old, wanted);
        *out = wanted;
        return NILAS_OK;
    }
    bool holds = !nilas_ice_is_nested(old) &&
                 (nilas_ice_can_promote(wanted, old) || is_shown_as(old, wanted));
    return holds || !state->strict ? NILAS_OK : fail_type(path, old, wanted, err);
}

static const nilas_type_field *find_row_field(const grow_state *state, const nilas_type *rows,
                                              nilas_str name) {
    for (size_t i = 0; i < rows->field_count; i++) {
        if (nilas_bind__same_name(state->binder, rows->fields[i].name, name)) {
            return &rows->fields[i];
        }
    }
    return NULL;
}

static bool has_field(const grow_state *state, const nilas_ice_type *type, nilas_str name) {
    for (size_t i = 0; i < type->field_count; i++) {
        if (nilas_bind__same_name(state->binder, type->fields[i].name, name)) {
            return true;
        }
    }
    return false;
}

/** A field that is there already, brought to `rows`. */
static nilas_code grow_field(grow_state *state, nilas_str path, const nilas_type_field *rows,
                             nilas_ice_field *field, nilas_error *err) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(1 << 20);
    nilas_buf_add(&text, path);
    nilas_buf_add_text(&text, path.size > 0 ? "." : "");
    nilas_buf_add(&text, field->name);
    if (state->strict && field->required && rows->nullable) {
        field->required = false;
        state->changed = true;
    }
    return grow_type(state, nilas_buf_view(&text), field->type, rows->type, &field->type, err);
}

/** Everything that is new may be absent from older rows. */
static nilas_code make_optional(nilas_arena *arena, const nilas_type *type, const nilas_type **out,
                                nilas_error *err) {
    nilas_type *copy;
    *out = type;
    if (type->field_count == 0) {
        return NILAS_OK;
    }
    NILAS_NEW(arena, &copy, err);
    *copy = *type;
    NILAS_NEW_ARRAY(arena, &copy->fields, type->field_count, err);
    for (size_t i = 0; i < type->field_count; i++) {
        copy->fields[i] = type->fields[i];
        copy->fields[i].nullable = true;
        NILAS_TRY(make_optional(arena, type->fields[i].type, &copy->fields[i].type, err));
    }
    *out = copy;
    return NILAS_OK;
}

static nilas_code add_fields(grow_state *state, const nilas_type *rows, nilas_ice_type *type,
                             nilas_error *err) {
    nilas_arena *arena = state->binder->arena;
    for (size_t i = 0; i < rows->field_count; i++) {
        const nilas_type_field *row = &rows->fields[i];
        const nilas_type *optional;
        if (has_field(state, type, row->name)) {
            continue;
        }
        nilas_ice_field *field = &type->fields[type->field_count];
        int32_t next_id = state->last_id + 2;
        *field = (nilas_ice_field){.id = ++state->last_id, .name = row->name};
        NILAS_TRY(make_optional(arena, row->type, &optional, err));
        NILAS_TRY(nilas_bind_spark_type(arena, optional, &next_id, &field->type, err));
        state->last_id = next_id - 1;
        state->changed = true;
        type->field_count++;
    }
    return NILAS_OK;
}

static nilas_code grow_struct(grow_state *state, nilas_str path, const nilas_ice_type *old,
                              const nilas_type *rows, nilas_ice_type *out, nilas_error *err) {
    *out = *old;
    NILAS_NEW_ARRAY(state->binder->arena, &out->fields, old->field_count + rows->field_count, err);
    nilas_copy(out->fields, old->fields, old->field_count * sizeof(*out->fields));
    for (size_t i = 0; i < old->field_count; i++) {
        const nilas_type_field *row = find_row_field(state, rows, old->fields[i].name);
        if (row != NULL) {
            NILAS_TRY(grow_field(state, path, row, &out->fields[i], err));
        }
    }
    return add_fields(state, rows, out, err);
}

static nilas_code grow_type(grow_state *state, nilas_str path, const nilas_ice_type *old,
                            const nilas_type *rows, const nilas_ice_type **out, nilas_error *err) {
    bool same_kind = (old->kind == NILAS_ICE_STRUCT && rows->kind == NILAS_TYPE_STRUCT) ||
                     (old->kind == NILAS_ICE_LIST && rows->kind == NILAS_TYPE_ARRAY) ||
                     (old->kind == NILAS_ICE_MAP && rows->kind == NILAS_TYPE_MAP);
    nilas_ice_type *grown;
    if (!same_kind) {
        return grow_primitive(state, path, old, rows, out, err);
    }
    NILAS_NEW(state->binder->arena, &grown, err);
    *out = grown;
    if (old->kind == NILAS_ICE_STRUCT) {
        return grow_struct(state, path, old, rows, grown, err);
    }
    *grown = *old;
    NILAS_NEW_ARRAY(state->binder->arena, &grown->fields, old->field_count, err);
    nilas_copy(grown->fields, old->fields, old->field_count * sizeof(*grown->fields));
    for (size_t i = 0; i < old->field_count; i++) {
        NILAS_TRY(grow_field(state, path, &rows->fields[i], &grown->fields[i], err));
    }
    return NILAS_OK;
}

/** The table with the grown schema as its current one; shares everything else. */
static nilas_code make_table(const grow_state *state, const nilas_table *table,
                             nilas_schema *schema, nilas_table **out, nilas_error *err) {
    nilas_arena *arena = state->binder->arena;
    nilas_metadata *metadata;
    NILAS_NEW(arena, &metadata, err);
    *metadata = *table->metadata;
    NILAS_NEW_ARRAY(arena, &metadata->schemas, metadata->schema_count + 1, err);
    nilas_copy(metadata->schemas, table->metadata->schemas,
               metadata->schema_count * sizeof(nilas_schema *));
    for (size_t i = 0; i < metadata->schema_count; i++) {
        int32_t id = metadata->schemas[i]->schema_id;
        schema->schema_id = id >= schema->schema_id ? id + 1 : schema->schema_id;
    }
    metadata->schemas[metadata->schema_count++] = schema;
    metadata->current_schema_id = schema->schema_id;
    metadata->last_column_id = state->last_id;
    NILAS_NEW(arena, out, err);
    **out = *table;
    (*out)->arena = NULL; // the statement's: the reference held here is never given back
    (*out)->metadata = metadata;
    (*out)->references = 1;
    return NILAS_OK;
}

nilas_code nilas_bind__grow(nilas_binder *binder, const nilas_grow_options *options,
                            const nilas_growth **out, nilas_error *err) {
    const nilas_schema *current = nilas_metadata_current_schema(options->table->metadata);
    grow_state state = {.binder = binder,
                        .strict = options->strict,
                        .last_id = options->table->metadata->last_column_id};
    nilas_schema *schema;
    nilas_growth *growth;
    *out = NULL;
    NILAS_NEW(binder->arena, &schema, err);
    *schema = *current;
    NILAS_TRY(
        grow_struct(&state, NILAS_STR_EMPTY, &current->type, options->rows, &schema->type, err));
    if (!state.changed) {
        return NILAS_OK;
    }
    NILAS_NEW(binder->arena, &growth, err);
    *growth = (nilas_growth){.base = options->table, .schema = schema};
    NILAS_TRY(make_table(&state, options->table, schema, &growth->table, err));
    growth->last_column_id = state.last_id;
    *out = growth;
    return NILAS_OK;
}

nilas_code nilas_bind__use_grown(nilas_binder *binder, const nilas_growth *growth,
                                 nilas_error *err) {
    nilas_bind_environment *environment;
    NILAS_NEW(binder->arena, &environment, err);
    *environment = *binder->environment;
    environment->growth = growth;
    binder->environment = environment;
    return NILAS_OK;
}

nilas_code nilas_bind__rows_type(nilas_binder *binder, const nilas_bound_relation *rows,
                                 const nilas_type **out, nilas_error *err) {
    nilas_type_field *fields;
    NILAS_NEW_ARRAY(binder->arena, &fields, rows->column_count, err);
    for (size_t i = 0; i < rows->column_count; i++) {
        const nilas_attribute *attribute = &rows->columns[i].attribute;
        fields[i] = (nilas_type_field){
            .name = attribute->name, .type = attribute->type, .nullable = attribute->nullable};
    }
    return nilas_type_struct(binder->arena, fields, rows->column_count, out, err);
}
