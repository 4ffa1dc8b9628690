/*
 * The first version of a table, and CREATE OR REPLACE, which is a first version laid over an old
 * one: ids are given anew, fields of the same name keep theirs, history stays.
 */
#include "commit/private.h"

#define DEFAULT_FORMAT_VERSION 2

/** Metadata of a table with no snapshot. */
static nilas_code stage(nilas_update *update, const nilas_create_options *options,
                        nilas_error *err) {
    nilas_metadata *metadata = &update->metadata;
    nilas_commit__fresh fresh = {.arena = update->arena};
    nilas_schema *schema;
    nilas_partition_spec *spec;
    nilas_sort_order *order;

    NILAS_TRY(nilas_commit__asked_version(options->properties, options->property_count,
                                          DEFAULT_FORMAT_VERSION, &metadata->format_version, err));
    NILAS_TRY(nilas_commit_new_uuid(update->arena, &metadata->table_uuid, err));
    NILAS_TRY(nilas_commit__fresh_schema(&fresh, options->schema, &schema, err));
    NILAS_TRY(nilas_commit__check_schema(update->arena, schema, metadata->format_version, err));
    NILAS_TRY(nilas_commit__fresh_spec(&fresh, options->spec, &spec, err));
    NILAS_TRY(nilas_commit__check_spec(schema, spec, err));
    NILAS_TRY(nilas_commit__fresh_order(&fresh, options->order, &order, err));

    NILAS_NEW_ARRAY(update->arena, &metadata->schemas, 1, err);
    NILAS_NEW_ARRAY(update->arena, &metadata->specs, 1, err);
    NILAS_NEW_ARRAY(update->arena, &metadata->sort_orders, 1, err);
    metadata->schemas[0] = schema;
    metadata->specs[0] = spec;
    metadata->sort_orders[0] = order;
    metadata->schema_count = metadata->spec_count = metadata->sort_order_count = 1;
    metadata->last_column_id = fresh.last_id;
    metadata->last_partition_id = 999 + (int32_t)spec->field_count;
    metadata->default_sort_order_id = order->order_id;

    metadata->location = options->location;
    if (options->location.size == 0) {
        NILAS_TRY(nilas_catalog_default_location(options->catalog, update->arena,
                                                 options->identifier, options->identifier_count,
                                                 &metadata->location, err));
    }
    NILAS_TRY(nilas_commit__overlay(update, options->properties, options->property_count, err));
    metadata->last_updated_ms = nilas_now_ms();
    return NILAS_OK;
}

nilas_code nilas_commit_stage_create(const nilas_create_options *options, nilas_table **out,
                                     nilas_error *err) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_update *update;

    NILAS_REQUIRE(arena != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(
        nilas_commit__update_new(arena, nilas_catalog_io(options->catalog), NULL, 1, &update, err));
    NILAS_TRY(stage(update, options, err));
    return nilas_commit__table_of(update, options->identifier, options->identifier_count,
                                  nilas_catalog_name(options->catalog), out, err);
}

/** The answer was lost: is the table there, and is it ours? */
static nilas_code check_created(const nilas_create_options *options, const nilas_update *update,
                                nilas_error *err) {
    NILAS_AUTO(nilas_table) table = NULL;
    nilas_error own = NILAS_ERROR_INIT;

    nilas_code code = nilas_catalog_load_table(options->catalog, options->identifier,
                                               options->identifier_count, &table, &own);
    if (code == NILAS_NOT_FOUND) {
        nilas_error_append(err, "(checked: the table was not created)");
        if (err != NULL) {
            err->code = NILAS_CONFLICT;
        }
        return NILAS_CONFLICT;
    }
    if (code != NILAS_OK) {
        nilas_error_append(err, "(and the check of it failed: %s)", own.message);
        return NILAS_UNCERTAIN;
    }
    if (nilas_str_equal(table->metadata->table_uuid, update->metadata.table_uuid)) {
        return NILAS_OK;
    }
    return nilas_fail(err, NILAS_EXISTS, "Table already exists: %.*s",
                      NILAS_FMT(options->identifier[options->identifier_count - 1]));
}

nilas_code nilas_commit_create(const nilas_create_options *options, nilas_table **out,
                               nilas_error *err) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_update *update;

    NILAS_REQUIRE(arena != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(
        nilas_commit__update_new(arena, nilas_catalog_io(options->catalog), NULL, 1, &update, err));
    NILAS_TRY(stage(update, options, err));
    nilas_code code =
        options->apply != NULL ? options->apply(options->context, update, err) : NILAS_OK;
    if (code == NILAS_OK) {
        code = nilas_commit__update_finish(update, err);
    }
    if (code == NILAS_OK) {
        code = nilas_catalog_swap(options->catalog, arena, options->identifier,
                                  options->identifier_count, NULL, &update->metadata, err);
    }
    if (code == NILAS_UNCERTAIN) {
        code = check_created(options, update, err);
    }
    if (code != NILAS_OK) {
        if (code != NILAS_UNCERTAIN) {
            nilas_commit__update_discard(update);
        }
        return code;
    }
    if (out != NULL) {
        code = nilas_commit__table_of(update, options->identifier, options->identifier_count,
                                      nilas_catalog_name(options->catalog), out, err);
    }
    return nilas_commit__after_swap(code, err);
}

// ---- CREATE OR REPLACE --------------------------------------------------------------------------

nilas_code nilas_update_replace(nilas_update *update, const nilas_schema *schema,
                                const nilas_partition_spec *spec, const nilas_sort_order *order,
                                const nilas_property *properties, size_t property_count,
                                nilas_str location, nilas_error *err) {
    nilas_metadata *metadata = &update->metadata;
    nilas_commit__fresh fresh = {.arena = update->arena, .last_id = metadata->last_column_id};
    nilas_schema *new_schema;
    nilas_partition_spec *new_spec;
    nilas_sort_order *new_order;

    fresh.base = nilas_metadata_current_schema(metadata);
    NILAS_TRY(nilas_commit__fresh_schema(&fresh, schema, &new_schema, err));
    NILAS_TRY(nilas_commit__fresh_spec(&fresh, spec, &new_spec, err));
    NILAS_TRY(nilas_commit__fresh_order(&fresh, order, &new_order, err));
    NILAS_TRY(nilas_update_properties(update, properties, property_count, err));
    if (nilas_metadata_ref(metadata, NILAS_STR("main")) != NULL) {
        NILAS_TRY(nilas_update_remove_ref(update, NILAS_STR("main"), err));
    }
    metadata->current_snapshot_id = -1;

    // The old spec may need columns that go; the new one is checked against the new schema.
    nilas_partition_spec **specs = metadata->specs;
    size_t spec_count = metadata->spec_count;
    int32_t default_spec_id = metadata->default_spec_id;
    nilas_partition_spec none = {.spec_id = default_spec_id};
    metadata->specs = &(nilas_partition_spec *){&none};
    metadata->spec_count = 1;
    nilas_code code = nilas_update_schema(update, new_schema, fresh.last_id, err);
    metadata->specs = specs;
    metadata->spec_count = spec_count;
    metadata->default_spec_id = default_spec_id;
    NILAS_TRY(code);
    NILAS_TRY(nilas_update_spec(update, new_spec, err));
    NILAS_TRY(nilas_update_sort_order(update, new_order, err));
    update->changed = true;
    return location.size > 0 ? nilas_update_location(update, location, err) : NILAS_OK;
}
