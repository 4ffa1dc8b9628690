/*
 * Table metadata: metadata.json to structs, and the questions others ask of it.
 *
 * Version 1 files may lack what later versions require (`schemas`, `partition-specs`, `sort-
 * orders`, `refs`, ids); the defaults are those of Appendix E. Versions 2 and 3 are read as
 * leniently, since nothing is lost by it.
 */
#include "iceberg/metadata.h"

#include "iceberg/parse.h"
#include "iceberg/value.h"

#define SUPPORTED_FORMAT_VERSION 3

/* ---- parsing --------------------------------------------------------------------------------- */

static nilas_code parse_schemas(nilas_arena *arena, const nilas_json *json, nilas_metadata *out,
                                nilas_error *err) {
    const nilas_json *list = NULL;
    const nilas_json *single = nilas_json_find(json, "schema");

    NILAS_TRY(nilas_iceberg__find_array(json, "schemas", &list, err));
    NILAS_REQUIRE(list != NULL || single != NULL, err, NILAS_CORRUPT,
                  "neither \"schemas\" nor \"schema\" is there");
    out->schema_count = list != NULL ? list->count : 1;
    NILAS_NEW_ARRAY(arena, &out->schemas, out->schema_count, err);
    for (size_t i = 0; i < out->schema_count; i++) {
        NILAS_TRY(nilas_schema_parse(arena, list != NULL ? &list->items[i] : single,
                                     &out->schemas[i], err));
    }
    if (list == NULL) {
        out->current_schema_id = out->schemas[0]->schema_id;
    } else {
        NILAS_TRY(
            nilas_iceberg__get_int32(json, "current-schema-id", &out->current_schema_id, err));
    }
    NILAS_REQUIRE(nilas_metadata_schema(out, out->current_schema_id) != NULL, err, NILAS_CORRUPT,
                  "Cannot find schema with current-schema-id=%d from schemas",
                  out->current_schema_id);
    return NILAS_OK;
}

/** Highest partition field id over all specs; 999 when there is none. */
static int32_t highest_partition_id(const nilas_metadata *metadata) {
    int32_t highest = 999;

    for (size_t i = 0; i < metadata->spec_count; i++) {
        for (size_t j = 0; j < metadata->specs[i]->field_count; j++) {
            int32_t id = metadata->specs[i]->fields[j].field_id;
            highest = id > highest ? id : highest;
        }
    }
    return highest;
}

static nilas_code parse_specs(nilas_arena *arena, const nilas_json *json, nilas_metadata *out,
                              nilas_error *err) {
    const nilas_json *list = NULL;
    const nilas_json *single = NULL;

    NILAS_TRY(nilas_iceberg__find_array(json, "partition-specs", &list, err));
    NILAS_TRY(nilas_iceberg__find_array(json, "partition-spec", &single, err));
    NILAS_REQUIRE(list != NULL || single != NULL, err, NILAS_CORRUPT,
                  "neither \"partition-specs\" nor \"partition-spec\" is there");
    out->spec_count = list != NULL ? list->count : 1;
    NILAS_NEW_ARRAY(arena, &out->specs, out->spec_count, err);
    for (size_t i = 0; i < out->spec_count; i++) {
        NILAS_TRY(nilas_iceberg__parse_spec(arena, list != NULL ? &list->items[i] : single,
                                            list == NULL, &out->specs[i], err));
    }
    if (list != NULL) {
        NILAS_TRY(nilas_iceberg__get_int32(json, "default-spec-id", &out->default_spec_id, err));
    }
    NILAS_REQUIRE(nilas_metadata_spec(out, out->default_spec_id) != NULL, err, NILAS_CORRUPT,
                  "Cannot find the partition spec with default-spec-id=%d", out->default_spec_id);
    out->last_partition_id = highest_partition_id(out);
    return nilas_iceberg__find_int32(json, "last-partition-id", &out->last_partition_id, err);
}

static nilas_code parse_sort_orders(nilas_arena *arena, const nilas_json *json, nilas_metadata *out,
                                    nilas_error *err) {
    const nilas_json *list = NULL;

    NILAS_TRY(nilas_iceberg__find_array(json, "sort-orders", &list, err));
    out->sort_order_count = list != NULL ? list->count : 1;
    NILAS_NEW_ARRAY(arena, &out->sort_orders, out->sort_order_count, err);
    if (list == NULL) {
        NILAS_NEW(arena, &out->sort_orders[0], err); // order 0, unsorted
        return NILAS_OK;
    }
    for (size_t i = 0; i < list->count; i++) {
        NILAS_TRY(
            nilas_iceberg__parse_sort_order(arena, &list->items[i], &out->sort_orders[i], err));
    }
    return nilas_iceberg__find_int32(json, "default-sort-order-id", &out->default_sort_order_id,
                                     err);
}

static nilas_code parse_snapshots(nilas_arena *arena, const nilas_json *json, nilas_metadata *out,
                                  nilas_error *err) {
    const nilas_json *list = NULL;

    out->current_snapshot_id = -1;
    NILAS_TRY(nilas_json_find_int(json, "current-snapshot-id", &out->current_snapshot_id, err));
    NILAS_TRY(nilas_iceberg__find_array(json, "snapshots", &list, err));
    if (list != NULL) {
        out->snapshot_count = list->count;
        NILAS_NEW_ARRAY(arena, &out->snapshots, list->count, err);
        for (size_t i = 0; i < list->count; i++) {
            nilas_snapshot *snapshot = &out->snapshots[i];
            NILAS_TRY(nilas_iceberg__parse_snapshot(arena, &list->items[i], snapshot, err));
            NILAS_REQUIRE(snapshot->schema_id == -1 ||
                              nilas_metadata_schema(out, snapshot->schema_id) != NULL,
                          err, NILAS_CORRUPT,
                          "Cannot find schema with schema id %d of snapshot %lld",
                          snapshot->schema_id, (long long)snapshot->snapshot_id);
        }
    }
    NILAS_REQUIRE(out->current_snapshot_id == -1 || nilas_metadata_current_snapshot(out) != NULL,
                  err, NILAS_CORRUPT,
                  "Invalid table metadata: Cannot find current version (snapshot %lld)",
                  (long long)out->current_snapshot_id);
    return NILAS_OK;
}

/** What is a number or a text of its own. */
static nilas_code parse_head(const nilas_json *json, nilas_metadata *out, nilas_error *err) {
    out->table_uuid = NILAS_STR_EMPTY;
    NILAS_TRY(nilas_json_find_str(json, "table-uuid", &out->table_uuid, err));
    NILAS_TRY(nilas_json_get_str(json, "location", &out->location, err));
    NILAS_TRY(nilas_json_find_int(json, "last-sequence-number", &out->last_sequence_number, err));
    NILAS_TRY(nilas_json_find_int(json, "last-updated-ms", &out->last_updated_ms, err));
    NILAS_TRY(nilas_json_find_int(json, "next-row-id", &out->next_row_id, err));
    return NILAS_OK;
}

static nilas_code parse_tree(nilas_arena *arena, const nilas_json *json, nilas_metadata *out,
                             nilas_error *err) {
    NILAS_REQUIRE(json->kind == NILAS_JSON_OBJECT, err, NILAS_CORRUPT,
                  "Cannot parse metadata from a non-object");
    NILAS_TRY(nilas_iceberg__get_int32(json, "format-version", &out->format_version, err));
    NILAS_REQUIRE(out->format_version >= 1, err, NILAS_CORRUPT,
                  "\"format-version\" must be 1 to %d, found %d", SUPPORTED_FORMAT_VERSION,
                  out->format_version);
    NILAS_REQUIRE(out->format_version <= SUPPORTED_FORMAT_VERSION, err, NILAS_UNSUPPORTED,
                  "Cannot read unsupported version %d", out->format_version);
    out->json = json;
    NILAS_TRY(parse_head(json, out, err));
    NILAS_TRY(parse_schemas(arena, json, out, err));
    for (size_t i = 0; i < out->schema_count; i++) {
        int32_t highest = nilas_schema_highest_id(out->schemas[i]);
        out->last_column_id = highest > out->last_column_id ? highest : out->last_column_id;
    }
    NILAS_TRY(nilas_iceberg__find_int32(json, "last-column-id", &out->last_column_id, err));
    NILAS_TRY(parse_specs(arena, json, out, err));
    NILAS_TRY(parse_sort_orders(arena, json, out, err));
    NILAS_TRY(nilas_iceberg__parse_properties(arena, nilas_json_find(json, "properties"),
                                              &out->properties, &out->property_count, err));
    NILAS_TRY(parse_snapshots(arena, json, out, err));
    NILAS_TRY(nilas_iceberg__parse_refs(arena, json, out, err));
    NILAS_TRY(nilas_iceberg__parse_logs(arena, json, out, err));
    return nilas_iceberg__parse_statistics(arena, json, out, err);
}

nilas_code nilas_metadata_parse(nilas_arena *table, nilas_str text, nilas_str location,
                                nilas_metadata **out, nilas_error *err) {
    nilas_metadata *metadata;
    nilas_json *json;

    NILAS_NEW(table, &metadata, err);
    NILAS_NEW(table, &json, err);
    NILAS_TRY(nilas_str_copy(table, location, &metadata->metadata_location, err));
    nilas_code code = nilas_json_parse(table, text, "table metadata", json, err);
    if (code != NILAS_OK) {
        nilas_error_append(err, "(Failed to read file: %.*s)", NILAS_FMT(location));
        return code;
    }
    code = parse_tree(table, json, metadata, err);
    if (code != NILAS_OK) {
        nilas_error_append(err, "in table metadata \"%.*s\"", NILAS_FMT(location));
        return code;
    }
    nilas_assert(nilas_metadata_spec(metadata, metadata->default_spec_id) != NULL);
    *out = metadata;
    return NILAS_OK;
}

/* ---- looking up ------------------------------------------------------------------------------ */

const nilas_schema *nilas_metadata_schema(const nilas_metadata *metadata, int32_t schema_id) {
    for (size_t i = 0; i < metadata->schema_count; i++) {
        if (metadata->schemas[i]->schema_id == schema_id) {
            return metadata->schemas[i];
        }
    }
    return NULL;
}

const nilas_schema *nilas_metadata_current_schema(const nilas_metadata *metadata) {
    const nilas_schema *schema = nilas_metadata_schema(metadata, metadata->current_schema_id);

    nilas_assert(schema != NULL); // checked while parsing
    return schema;
}

const nilas_partition_spec *nilas_metadata_spec(const nilas_metadata *metadata, int32_t spec_id) {
    for (size_t i = 0; i < metadata->spec_count; i++) {
        if (metadata->specs[i]->spec_id == spec_id) {
            return metadata->specs[i];
        }
    }
    return NULL;
}

const nilas_sort_order *nilas_metadata_sort_order(const nilas_metadata *metadata,
                                                  int32_t order_id) {
    for (size_t i = 0; i < metadata->sort_order_count; i++) {
        if (metadata->sort_orders[i]->order_id == order_id) {
            return metadata->sort_orders[i];
        }
    }
    return NULL;
}

/** Position of a snapshot, looking from `before` backwards first: parents mostly stand just
 *  before their children. */
static size_t find_position(const nilas_metadata *metadata, int64_t snapshot_id, size_t before) {
    for (size_t i = before; i > 0; i--) {
        if (metadata->snapshots[i - 1].snapshot_id == snapshot_id) {
            return i - 1;
        }
    }
    for (size_t i = before; i < metadata->snapshot_count; i++) {
        if (metadata->snapshots[i].snapshot_id == snapshot_id) {
            return i;
        }
    }
    return SIZE_MAX;
}

const nilas_snapshot *nilas_metadata_snapshot(const nilas_metadata *metadata, int64_t snapshot_id) {
    size_t position = find_position(metadata, snapshot_id, metadata->snapshot_count);

    return position == SIZE_MAX ? NULL : &metadata->snapshots[position];
}

const nilas_snapshot *nilas_metadata_current_snapshot(const nilas_metadata *metadata) {
    return metadata->current_snapshot_id == -1
               ? NULL
               : nilas_metadata_snapshot(metadata, metadata->current_snapshot_id);
}

const nilas_ref *nilas_metadata_ref(const nilas_metadata *metadata, nilas_str name) {
    for (size_t i = 0; i < metadata->ref_count; i++) {
        if (nilas_str_equal(metadata->refs[i].name, name)) {
            return &metadata->refs[i];
        }
    }
    return NULL;
}

const nilas_schema *nilas_metadata_schema_of(const nilas_metadata *metadata,
                                             const nilas_snapshot *snapshot) {
    const nilas_schema *schema = snapshot != NULL && snapshot->schema_id != -1
                                     ? nilas_metadata_schema(metadata, snapshot->schema_id)
                                     : nilas_metadata_current_schema(metadata);

    nilas_assert(schema != NULL); // checked while parsing
    return schema;
}

nilas_str nilas_metadata_property(const nilas_metadata *metadata, const char *key,
                                  nilas_str fallback) {
    for (size_t i = 0; i < metadata->property_count; i++) {
        if (nilas_str_is(metadata->properties[i].key, key)) {
            return metadata->properties[i].value;
        }
    }
    return fallback;
}

static nilas_code too_early(int64_t timestamp_ms, nilas_error *err) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    int64_t micros;

    if (__builtin_mul_overflow(timestamp_ms, (int64_t)1000, &micros)) {
        return nilas_fail(err, NILAS_NOT_FOUND, "Cannot find a snapshot older than %lld ms",
                          (long long)timestamp_ms);
    }
    nilas_iceberg__print_timestamp(&text, micros, NILAS_MICROS_PER_SECOND, true);
    return nilas_fail(err, NILAS_NOT_FOUND, "Cannot find a snapshot older than %.*s",
                      NILAS_FMT(nilas_buf_view(&text)));
}

nilas_code nilas_metadata_snapshot_as_of(const nilas_metadata *metadata, int64_t timestamp_ms,
                                         const nilas_snapshot **out, nilas_error *err) {
    const nilas_log_entry *best = NULL;

    // The log may be out of order by clock skew, so all of it is looked at; of equal times the
    // later entry holds.
    for (size_t i = 0; i < metadata->snapshot_log_count; i++) {
        const nilas_log_entry *entry = &metadata->snapshot_log[i];
        if (entry->timestamp_ms <= timestamp_ms &&
            (best == NULL || entry->timestamp_ms >= best->timestamp_ms)) {
            best = entry;
        }
    }
    if (best == NULL) {
        return too_early(timestamp_ms, err);
    }
    const nilas_snapshot *snapshot = nilas_metadata_snapshot(metadata, best->snapshot_id);
    NILAS_REQUIRE(snapshot != NULL, err, NILAS_NOT_FOUND, "Cannot find snapshot with ID %lld",
                  (long long)best->snapshot_id);
    *out = snapshot;
    return NILAS_OK;
}

bool nilas_metadata_is_ancestor(const nilas_metadata *metadata, int64_t snapshot_id,
                                int64_t ancestor_id) {
    size_t position = find_position(metadata, snapshot_id, metadata->snapshot_count);

    // Counted, so that a cycle of lying parents ends.
    for (size_t steps = 0; position != SIZE_MAX && steps <= metadata->snapshot_count; steps++) {
        const nilas_snapshot *snapshot = &metadata->snapshots[position];
        if (snapshot->snapshot_id == ancestor_id) {
            return true;
        }
        if (snapshot->parent_id == -1) {
            return false;
        }
        position = find_position(metadata, snapshot->parent_id, position);
    }
    return false;
}
