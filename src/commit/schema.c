/*
 * Schemas, specs and sort orders of an update: what a format version allows, ids given anew in
 * Iceberg's order, and finding an equal one again instead of adding it twice.
 */
#include "commit/private.h"

#define FIRST_PARTITION_ID 1000

// ---- what is allowed ----------------------------------------------------------------------------

static int32_t version_needed(const nilas_ice_type *type) {
    switch (type->kind) {
    case NILAS_ICE_TIMESTAMP_NS:
    case NILAS_ICE_TIMESTAMPTZ_NS:
    case NILAS_ICE_UNKNOWN:
    case NILAS_ICE_VARIANT:
    case NILAS_ICE_GEOMETRY:
    case NILAS_ICE_GEOGRAPHY: return 3;
    default: return 1;
    }
}

typedef struct checker {
    const nilas_schema *schema;
    int32_t format_version;
    nilas_buf problems;
    nilas_arena *arena;
} checker;

static nilas_code check_type(checker *check, const nilas_ice_type *type, nilas_error *err) {
    for (size_t i = 0; i < type->field_count; i++) {
        const nilas_ice_field *field = &type->fields[i];
        int32_t needed = version_needed(field->type);
        bool has_default = field->initial_default != NULL &&
                           !nilas_value_is_null(field->initial_default) &&
                           check->format_version < 3;
        nilas_str name;
        if (needed > check->format_version || has_default) {
            NILAS_TRY(nilas_schema_name_of(check->arena, check->schema, field->id, &name, err));
        }
        if (needed > check->format_version) {
            nilas_buf_print(&check->problems, "\n- Invalid type for %.*s: ", NILAS_FMT(name));
            nilas_ice_type_print(&check->problems, field->type);
            nilas_buf_print(&check->problems, " is not supported until v%d", needed);
        }
        if (has_default) {
            nilas_buf_print(&check->problems,
                            "\n- Invalid initial default for %.*s: non-null default (",
                            NILAS_FMT(name));
            nilas_ice_value_print(&check->problems, field->type, field->initial_default);
            nilas_buf_add_text(&check->problems, ") is not supported until v3");
        }
        NILAS_TRY(check_type(check, field->type, err));
    }
    return NILAS_OK;
}

nilas_code nilas_commit__check_schema(nilas_arena *arena, const nilas_schema *schema,
                                      int32_t format_version, nilas_error *err) {
    checker check = {.schema = schema, .format_version = format_version, .arena = arena};

    nilas_code code = check_type(&check, &schema->type, err);
    if (code == NILAS_OK && check.problems.size > 0) {
        code = nilas_fail(err, NILAS_INVALID, "Invalid schema for v%d:%.*s", format_version,
                          NILAS_FMT(nilas_buf_view(&check.problems)));
    }
    nilas_buf_done(&check.problems);
    return code;
}

nilas_code nilas_commit__check_spec(const nilas_schema *schema, const nilas_partition_spec *spec,
                                    nilas_error *err) {
    for (size_t i = 0; i < spec->field_count; i++) {
        const nilas_partition_field *field = &spec->fields[i];
        const nilas_ice_field *source = nilas_schema_find_id(schema, field->source_id);
        const nilas_ice_type *result;
        if (field->transform.kind == NILAS_TRANSFORM_VOID) {
            continue; // its column may have been dropped
        }
        NILAS_REQUIRE(source != NULL, err, NILAS_INVALID,
                      "Cannot find source column for partition field: %d: %.*s: %.*s(%d)",
                      field->field_id, NILAS_FMT(field->name), NILAS_FMT(field->transform.text),
                      field->source_id);
        if (nilas_ice_is_nested(source->type)) {
            NILAS_AUTO_BUF type = NILAS_BUF_INIT(0);
            nilas_ice_type_print(&type, source->type);
            return nilas_fail(err, NILAS_INVALID,
                              "Cannot partition by non-primitive source field: %.*s",
                              NILAS_FMT(nilas_buf_view(&type)));
        }
        NILAS_TRY(nilas_transform_result_type(&field->transform, source->type, &result, err));
        for (size_t j = 0; j < i; j++) {
            NILAS_REQUIRE(!nilas_str_equal(spec->fields[j].name, field->name), err, NILAS_INVALID,
                          "Cannot use partition name more than once: %.*s", NILAS_FMT(field->name));
        }
        const nilas_ice_field *clash = nilas_schema_find_name(schema, field->name);
        NILAS_REQUIRE(clash == NULL || !nilas_str_equal(clash->name, field->name) ||
                          (field->transform.kind == NILAS_TRANSFORM_IDENTITY &&
                           clash->id == field->source_id),
                      err, NILAS_INVALID,
                      "Cannot create partition from name that exists in schema: %.*s",
                      NILAS_FMT(field->name));
    }
    return NILAS_OK;
}

// ---- fresh ids ----------------------------------------------------------------------------------

static nilas_code give_id(nilas_commit__fresh *fresh, const nilas_ice_field *given,
                          const nilas_str *path, int32_t *out, nilas_error *err) {
    const nilas_ice_field *old =
        fresh->base != NULL ? nilas_schema_find_name(fresh->base, *path) : NULL;
    nilas_str name;

    *out = 0;
    if (old != NULL) {
        // Found without case too; only the exact name is the same column.
        NILAS_TRY(nilas_schema_name_of(fresh->arena, fresh->base, old->id, &name, err));
        *out = nilas_str_equal(name, *path) ? old->id : 0;
    }
    if (*out == 0) {
        *out = ++fresh->last_id;
    }
    nilas_log_entry pair = {.timestamp_ms = given->id, .snapshot_id = *out};
    NILAS_PUSH(fresh->arena, &fresh->ids, pair, err);
    return NILAS_OK;
}

/** Ids of all fields of a level first, then of what is inside each. */
static nilas_code fresh_type(nilas_commit__fresh *fresh, const nilas_ice_type *given,
                             nilas_str prefix, nilas_ice_type *out, nilas_error *err) {
    nilas_str *paths;

    *out = *given;
    if (given->field_count == 0) {
        return NILAS_OK;
    }
    NILAS_NEW_ARRAY(fresh->arena, &out->fields, given->field_count, err);
    NILAS_NEW_ARRAY(fresh->arena, &paths, given->field_count, err);
    for (size_t i = 0; i < given->field_count; i++) {
        out->fields[i] = given->fields[i];
        paths[i] = given->fields[i].name;
        if (prefix.size > 0) {
            nilas_str parts[] = {prefix, given->fields[i].name};
            NILAS_TRY(nilas_str_join(fresh->arena, parts, 2, NILAS_STR("."), &paths[i], err));
        }
        NILAS_TRY(give_id(fresh, &given->fields[i], &paths[i], &out->fields[i].id, err));
    }
    for (size_t i = 0; i < given->field_count; i++) {
        nilas_ice_type *inner;
        NILAS_NEW(fresh->arena, &inner, err);
        NILAS_TRY(fresh_type(fresh, given->fields[i].type, paths[i], inner, err));
        out->fields[i].type = inner;
    }
    return NILAS_OK;
}

static int32_t new_id(const nilas_commit__fresh *fresh, int32_t given) {
    for (size_t i = 0; i < fresh->ids.count; i++) {
        if (fresh->ids.items[i].timestamp_ms == given) {
            return (int32_t)fresh->ids.items[i].snapshot_id;
        }
    }
    return -1;
}

nilas_code nilas_commit__fresh_schema(nilas_commit__fresh *fresh, const nilas_schema *given,
                                      nilas_schema **out, nilas_error *err) {
    nilas_schema *schema;

    NILAS_NEW(fresh->arena, &schema, err);
    NILAS_TRY(fresh_type(fresh, &given->type, NILAS_STR_EMPTY, &schema->type, err));
    schema->identifier_field_count = given->identifier_field_count;
    NILAS_NEW_ARRAY(fresh->arena, &schema->identifier_field_ids, given->identifier_field_count,
                    err);
    for (size_t i = 0; i < given->identifier_field_count; i++) {
        schema->identifier_field_ids[i] = new_id(fresh, given->identifier_field_ids[i]);
    }
    *out = schema;
    return NILAS_OK;
}

/** New ids of a field's sources; fields made by hand may have only the first. */
static nilas_code fresh_sources(const nilas_commit__fresh *fresh, int32_t **ids, size_t *count,
                                int32_t *first, nilas_error *err) {
    const int32_t *given = *count > 0 ? *ids : first;
    size_t wanted = *count > 0 ? *count : 1;
    int32_t *made;

    NILAS_NEW_ARRAY(fresh->arena, &made, wanted, err);
    for (size_t i = 0; i < wanted; i++) {
        made[i] = new_id(fresh, given[i]);
        NILAS_REQUIRE(made[i] > 0, err, NILAS_INVALID, "Cannot find source column: %d", given[i]);
    }
    *first = made[0];
    *ids = made;
    *count = wanted;
    return NILAS_OK;
}

nilas_code nilas_commit__fresh_spec(const nilas_commit__fresh *fresh,
                                    const nilas_partition_spec *given, nilas_partition_spec **out,
                                    nilas_error *err) {
    size_t count = given != NULL ? given->field_count : 0;
    nilas_partition_spec *spec;

    NILAS_NEW(fresh->arena, &spec, err);
    NILAS_NEW_ARRAY(fresh->arena, &spec->fields, count, err);
    spec->field_count = count;
    for (size_t i = 0; i < count; i++) {
        nilas_partition_field *field = &spec->fields[i];
        *field = given->fields[i];
        field->field_id = FIRST_PARTITION_ID + (int32_t)i;
        NILAS_TRY(
            fresh_sources(fresh, &field->source_ids, &field->source_count, &field->source_id, err));
    }
    *out = spec;
    return NILAS_OK;
}

nilas_code nilas_commit__fresh_order(const nilas_commit__fresh *fresh,
                                     const nilas_sort_order *given, nilas_sort_order **out,
                                     nilas_error *err) {
    size_t count = given != NULL ? given->field_count : 0;
    nilas_sort_order *order;

    NILAS_NEW(fresh->arena, &order, err);
    NILAS_NEW_ARRAY(fresh->arena, &order->fields, count, err);
    order->field_count = count;
    order->order_id = count > 0 ? 1 : 0;
    for (size_t i = 0; i < count; i++) {
        nilas_sort_field *field = &order->fields[i];
        *field = given->fields[i];
        NILAS_TRY(
            fresh_sources(fresh, &field->source_ids, &field->source_count, &field->source_id, err));
    }
    *out = order;
    return NILAS_OK;
}

// ---- schemas ------------------------------------------------------------------------------------

/** With docs and defaults, which nilas_ice_type_equal() leaves out: their text tells. */
static bool same_schema(const nilas_schema *a, const nilas_schema *b) {
    NILAS_AUTO_BUF a_text = NILAS_BUF_INIT(0);
    NILAS_AUTO_BUF b_text = NILAS_BUF_INIT(0);
    nilas_schema like_a = *b;

    like_a.schema_id = a->schema_id;
    nilas_schema_print(&a_text, a);
    nilas_schema_print(&b_text, &like_a);
    return a_text.failed == NILAS_OK && b_text.failed == NILAS_OK &&
           nilas_str_equal(nilas_buf_view(&a_text), nilas_buf_view(&b_text));
}

nilas_code nilas_update_schema(nilas_update *update, const nilas_schema *schema,
                               int32_t last_column_id, nilas_error *err) {
    nilas_metadata *metadata = &update->metadata;
    nilas_schema **schemas, *added;
    int32_t id = metadata->current_schema_id;

    NILAS_REQUIRE(last_column_id >= metadata->last_column_id, err, NILAS_INVALID,
                  "Invalid last column ID: %d < %d (previous last column ID)", last_column_id,
                  metadata->last_column_id);
    NILAS_TRY(nilas_commit__check_schema(update->arena, schema, metadata->format_version, err));
    for (size_t i = 0; i < metadata->schema_count; i++) {
        if (same_schema(metadata->schemas[i], schema)) {
            update->changed = update->changed || last_column_id != metadata->last_column_id ||
                              metadata->current_schema_id != metadata->schemas[i]->schema_id;
            metadata->current_schema_id = metadata->schemas[i]->schema_id;
            metadata->last_column_id = last_column_id;
            return NILAS_OK;
        }
        id = metadata->schemas[i]->schema_id >= id ? metadata->schemas[i]->schema_id + 1 : id;
    }
    NILAS_NEW(update->arena, &added, err);
    *added = *schema;
    added->schema_id = id;
    NILAS_NEW_ARRAY(update->arena, &schemas, metadata->schema_count + 1, err);
    nilas_commit__copy(schemas, metadata->schemas, metadata->schema_count * sizeof(schemas[0]));
    schemas[metadata->schema_count++] = added;
    metadata->schemas = schemas;
    metadata->current_schema_id = id;
    metadata->last_column_id = last_column_id;
    update->changed = true;
    // The default spec must still suit: a column that it needs cannot be dropped.
    return nilas_commit__check_spec(added, nilas_metadata_spec(metadata, metadata->default_spec_id),
                                    err);
}

// ---- specs --------------------------------------------------------------------------------------

static bool same_transform(const nilas_transform *a, const nilas_transform *b) {
    return a->kind == b->kind && a->width == b->width &&
           (a->kind != NILAS_TRANSFORM_UNKNOWN || nilas_str_equal(a->text, b->text));
}

static bool same_source(const nilas_partition_field *a, const nilas_partition_field *b) {
    return a->source_id == b->source_id && same_transform(&a->transform, &b->transform);
}

/** Iceberg's "compatible": sources, transforms and names agree; ids do not count. */
static bool compatible(const nilas_partition_spec *a, const nilas_partition_spec *b) {
    if (a->field_count != b->field_count) {
        return false;
    }
    for (size_t i = 0; i < a->field_count; i++) {
        if (!same_source(&a->fields[i], &b->fields[i]) ||
            !nilas_str_equal(a->fields[i].name, b->fields[i].name)) {
            return false;
        }
    }
    return true;
}

/** The id that a field of equal source and transform has or had; 0 when there was none. */
static int32_t known_id(const nilas_metadata *metadata, const nilas_partition_field *field) {
    const nilas_partition_spec *current = nilas_metadata_spec(metadata, metadata->default_spec_id);

    for (size_t i = 0; current != NULL && i < current->field_count; i++) {
        if (same_source(&current->fields[i], field)) {
            return current->fields[i].field_id;
        }
    }
    for (size_t s = metadata->spec_count; s > 0; s--) {
        for (size_t i = 0; i < metadata->specs[s - 1]->field_count; i++) {
            if (same_source(&metadata->specs[s - 1]->fields[i], field)) {
                return metadata->specs[s - 1]->fields[i].field_id;
            }
        }
    }
    return 0;
}

static bool holds_field(const nilas_partition_spec *spec, const nilas_partition_field *field) {
    for (size_t i = 0; i < spec->field_count; i++) {
        if (same_source(&spec->fields[i], field)) {
            return true;
        }
    }
    return false;
}

static bool holds_name(const nilas_partition_field *fields, size_t count, nilas_str name) {
    for (size_t i = 0; i < count; i++) {
        if (nilas_str_equal(fields[i].name, name)) {
            return true;
        }
    }
    return false;
}

static bool holds_id(const nilas_partition_field *fields, size_t count, int32_t id) {
    for (size_t i = 0; i < count; i++) {
        if (fields[i].field_id == id) {
            return true;
        }
    }
    return false;
}

static nilas_code make_void(nilas_update *update, const nilas_partition_spec *given,
                            nilas_partition_field *field, nilas_error *err) {
    field->transform = (nilas_transform){.kind = NILAS_TRANSFORM_VOID, .text = NILAS_STR("void")};
    if (holds_name(given->fields, given->field_count, field->name)) {
        return nilas_str_print(update->arena, &field->name, err, "%.*s_%d", NILAS_FMT(field->name),
                               field->field_id);
    }
    return NILAS_OK;
}

/** Version 1 has no field ids: fields keep their places, and those that go become void. */
static nilas_code spec_of_v1(nilas_update *update, const nilas_partition_spec *given,
                             nilas_partition_spec *out, nilas_error *err) {
    const nilas_metadata *metadata = &update->metadata;
    const nilas_partition_spec *current = nilas_metadata_spec(metadata, metadata->default_spec_id);
    size_t made = 0;

    NILAS_NEW_ARRAY(update->arena, &out->fields, current->field_count + given->field_count, err);
    for (size_t i = 0; i < current->field_count; i++) {
        nilas_partition_field *field = &out->fields[made++];
        *field = current->fields[i];
        for (size_t j = 0; j < given->field_count; j++) {
            if (same_source(&given->fields[j], field)) {
                field->name = given->fields[j].name;
            }
        }
        if (field->transform.kind != NILAS_TRANSFORM_VOID && !holds_field(given, field)) {
            NILAS_TRY(make_void(update, given, field, err));
        }
    }
    for (size_t i = 0; i < given->field_count; i++) {
        if (!holds_field(current, &given->fields[i])) {
            out->fields[made] = given->fields[i];
            out->fields[made].field_id = FIRST_PARTITION_ID + (int32_t)made;
            made++;
        }
    }
    out->field_count = made;
    return NILAS_OK;
}

static nilas_code spec_of_v2(nilas_update *update, const nilas_partition_spec *given,
                             nilas_partition_spec *out, int32_t *last_id, nilas_error *err) {
    NILAS_NEW_ARRAY(update->arena, &out->fields, given->field_count, err);
    out->field_count = given->field_count;
    for (size_t i = 0; i < given->field_count; i++) {
        out->fields[i] = given->fields[i];
        int32_t id = known_id(&update->metadata, &given->fields[i]);
        // A field dropped in version 1 keeps its id, as void, beside the one that comes back.
        out->fields[i].field_id = id != 0 && !holds_id(out->fields, i, id) ? id : ++*last_id;
    }
    return NILAS_OK;
}

/** Fields made by hand may have only the first source. */
static nilas_code complete_sources(nilas_arena *arena, nilas_partition_spec *spec,
                                   nilas_error *err) {
    for (size_t i = 0; i < spec->field_count; i++) {
        nilas_partition_field *field = &spec->fields[i];
        if (field->source_count == 0) {
            NILAS_NEW_ARRAY(arena, &field->source_ids, 1, err);
            field->source_ids[0] = field->source_id;
            field->source_count = 1;
        }
    }
    return NILAS_OK;
}

nilas_code nilas_update_spec(nilas_update *update, const nilas_partition_spec *spec,
                             nilas_error *err) {
    nilas_metadata *metadata = &update->metadata;
    nilas_partition_spec **specs, *made;
    int32_t last_id = metadata->last_partition_id;
    int32_t id = 0;

    NILAS_NEW(update->arena, &made, err);
    NILAS_TRY(metadata->format_version == 1 ? spec_of_v1(update, spec, made, err)
                                            : spec_of_v2(update, spec, made, &last_id, err));
    NILAS_TRY(complete_sources(update->arena, made, err));
    NILAS_TRY(nilas_commit__check_spec(nilas_metadata_current_schema(metadata), made, err));
    for (size_t i = 0; i < metadata->spec_count; i++) {
        if (compatible(metadata->specs[i], made)) {
            update->changed =
                update->changed || metadata->default_spec_id != metadata->specs[i]->spec_id;
            metadata->default_spec_id = metadata->specs[i]->spec_id;
            return NILAS_OK;
        }
        id = metadata->specs[i]->spec_id >= id ? metadata->specs[i]->spec_id + 1 : id;
    }
    made->spec_id = id;
    NILAS_NEW_ARRAY(update->arena, &specs, metadata->spec_count + 1, err);
    nilas_commit__copy(specs, metadata->specs, metadata->spec_count * sizeof(specs[0]));
    specs[metadata->spec_count++] = made;
    metadata->specs = specs;
    metadata->default_spec_id = id;
    for (size_t i = 0; i < made->field_count; i++) {
        if (made->fields[i].field_id > metadata->last_partition_id) {
            metadata->last_partition_id = made->fields[i].field_id;
        }
    }
    update->changed = true;
    return NILAS_OK;
}

// ---- sort orders --------------------------------------------------------------------------------

static bool same_order(const nilas_sort_order *a, const nilas_sort_order *b) {
    if (a->field_count != b->field_count) {
        return false;
    }
    for (size_t i = 0; i < a->field_count; i++) {
        const nilas_sort_field *x = &a->fields[i];
        const nilas_sort_field *y = &b->fields[i];
        if (x->source_id != y->source_id || !same_transform(&x->transform, &y->transform) ||
            x->descending != y->descending || x->nulls_first != y->nulls_first) {
            return false;
        }
    }
    return true;
}

static nilas_code copy_order(nilas_arena *arena, const nilas_sort_order *given, int32_t id,
                             nilas_sort_order **out, nilas_error *err) {
    nilas_sort_order *order;

    NILAS_NEW(arena, &order, err);
    NILAS_NEW_ARRAY(arena, &order->fields, given->field_count, err);
    order->order_id = id;
    order->field_count = given->field_count;
    for (size_t i = 0; i < given->field_count; i++) {
        order->fields[i] = given->fields[i];
        if (given->fields[i].source_count == 0) {
            NILAS_NEW_ARRAY(arena, &order->fields[i].source_ids, 1, err);
            order->fields[i].source_ids[0] = given->fields[i].source_id;
            order->fields[i].source_count = 1;
        }
    }
    *out = order;
    return NILAS_OK;
}

nilas_code nilas_update_sort_order(nilas_update *update, const nilas_sort_order *order,
                                   nilas_error *err) {
    nilas_metadata *metadata = &update->metadata;
    const nilas_schema *schema = nilas_metadata_current_schema(metadata);
    nilas_sort_order **orders, *made;
    int32_t id = order->field_count > 0 ? 1 : 0;

    for (size_t i = 0; i < order->field_count; i++) {
        const nilas_ice_field *source = nilas_schema_find_id(schema, order->fields[i].source_id);
        const nilas_ice_type *result;
        NILAS_REQUIRE(source != NULL, err, NILAS_INVALID,
                      "Cannot find source column for sort field: %d", order->fields[i].source_id);
        NILAS_TRY(
            nilas_transform_result_type(&order->fields[i].transform, source->type, &result, err));
    }
    for (size_t i = 0; i < metadata->sort_order_count; i++) {
        if (same_order(metadata->sort_orders[i], order)) {
            update->changed = update->changed ||
                              metadata->default_sort_order_id != metadata->sort_orders[i]->order_id;
            metadata->default_sort_order_id = metadata->sort_orders[i]->order_id;
            return NILAS_OK;
        }
        if (order->field_count > 0 && metadata->sort_orders[i]->order_id >= id) {
            id = metadata->sort_orders[i]->order_id + 1;
        }
    }
    NILAS_TRY(copy_order(update->arena, order, id, &made, err));
    NILAS_NEW_ARRAY(update->arena, &orders, metadata->sort_order_count + 1, err);
    nilas_commit__copy(orders, metadata->sort_orders,
                       metadata->sort_order_count * sizeof(orders[0]));
    orders[metadata->sort_order_count++] = made;
    metadata->sort_orders = orders;
    metadata->default_sort_order_id = id;
    update->changed = true;
    return NILAS_OK;
}
