/*
 * A version of a table being made into the next one: a copy of the metadata whose arrays are shared
 * with the base until they change, with Iceberg's rules for each change, and at the end its times
 * and logs.
 */
#include "commit/private.h"

#define MAIN                  "main"
#define DEFAULT_VERSIONS_KEPT 100

nilas_code nilas_commit__update_new(nilas_arena *arena, nilas_io *io, const nilas_table *base,
                                    int attempt, nilas_update **out, nilas_error *err) {
    nilas_update *update;

    nilas_assert(attempt > 0);
    NILAS_NEW(arena, &update, err);
    update->arena = arena;
    update->io = io;
    update->base = base;
    update->attempt = attempt;
    update->metadata.current_snapshot_id = -1;
    update->metadata.metadata_location = NILAS_STR_EMPTY;
    if (base != NULL) {
        update->metadata = *base->metadata;
    }
    NILAS_TRY(nilas_commit_new_uuid(arena, &update->uuid, err));
    *out = update;
    return NILAS_OK;
}

const nilas_metadata *nilas_update_metadata(const nilas_update *update) {
    return &update->metadata;
}

nilas_arena *nilas_update_arena(nilas_update *update) {
    return update->arena;
}

// ---- files --------------------------------------------------------------------------------------

nilas_code nilas_commit_metadata_location(nilas_arena *arena, const nilas_metadata *metadata,
                                          nilas_str name, nilas_str *out, nilas_error *err) {
    nilas_str given = nilas_metadata_property(metadata, "write.metadata.path", NILAS_STR_EMPTY);
    nilas_str folder;

    NILAS_TRY(nilas_catalog_file_location(arena, given.size > 0 ? given : metadata->location,
                                          &folder, err));
    if (given.size == 0) {
        NILAS_TRY(nilas_io_join(arena, folder, NILAS_STR("metadata"), &folder, err));
    }
    return nilas_io_join(arena, folder, name, out, err);
}

nilas_code nilas_commit__metadata_file(nilas_update *update, nilas_str name, nilas_str *out,
                                       nilas_error *err) {
    return nilas_commit_metadata_location(update->arena, &update->metadata, name, out, err);
}

nilas_code nilas_commit__write(nilas_update *update, nilas_str path, nilas_str bytes,
                               nilas_error *err) {
    // Remembered first: a write that failed may have left something.
    NILAS_PUSH(update->arena, &update->written, path, err);
    return nilas_io_write(update->io, path, bytes, false, err);
}

void nilas_commit__unwrite(nilas_update *update, nilas_str path) {
    for (size_t i = 0; i < update->written.count; i++) {
        if (nilas_str_equal(update->written.items[i], path)) {
            (void)nilas_io_delete(update->io, path, NULL);
            update->written.items[i] = update->written.items[--update->written.count];
            return;
        }
    }
}

void nilas_commit__update_discard(const nilas_update *update) {
    for (size_t i = 0; i < update->written.count; i++) {
        (void)nilas_io_delete(update->io, update->written.items[i], NULL);
    }
}

// ---- properties, version, location --------------------------------------------------------------

int64_t nilas_commit__int_property(const nilas_metadata *metadata, const char *key,
                                   int64_t fallback) {
    nilas_str text = nilas_metadata_property(metadata, key, NILAS_STR_EMPTY);
    int64_t value;

    return nilas_str_to_int64(nilas_str_trim(text), &value) ? value : fallback;
}

bool nilas_commit__bool_property(const nilas_metadata *metadata, const char *key, bool fallback) {
    nilas_str text = nilas_metadata_property(metadata, key, NILAS_STR_EMPTY);

    return text.size == 0 ? fallback : nilas_str_is_nocase(text, "true");
}

/** Keys that steer a change and are never stored. */
static bool is_reserved(nilas_str key) {
    static const char *const keys[] = {
        "format-version",           "uuid",
        "snapshot-count",           "current-snapshot-id",
        "current-snapshot-summary", "current-snapshot-timestamp-ms",
        "current-schema",           "default-partition-spec",
        "default-sort-order",
    };

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        if (nilas_str_is(key, keys[i])) {
            return true;
        }
    }
    return false;
}

static const nilas_property *find_change(const nilas_property *changes, size_t count,
                                         nilas_str key) {
    // Of two changes of one key the last one counts.
    for (size_t i = count; i > 0; i--) {
        if (nilas_str_equal(changes[i - 1].key, key)) {
            return &changes[i - 1];
        }
    }
    return NULL;
}

static bool has_property(const nilas_property *list, size_t count, nilas_str key) {
    return find_change(list, count, key) != NULL;
}

nilas_code nilas_commit__overlay(nilas_update *update, const nilas_property *changes, size_t count,
                                 nilas_error *err) {
    nilas_metadata *metadata = &update->metadata;
    nilas_property *list;
    size_t made = 0;

    NILAS_NEW_ARRAY(update->arena, &list, metadata->property_count + count, err);
    for (size_t i = 0; i < metadata->property_count; i++) {
        nilas_property property = metadata->properties[i];
        const nilas_property *change = find_change(changes, count, property.key);
        if (change == NULL) {
            list[made++] = property;
        } else if (change->value.data != NULL) {
            list[made++] = *change;
        }
    }
    for (size_t i = 0; i < count; i++) {
        const nilas_property *change = find_change(changes, count, changes[i].key);
        if (change->value.data != NULL && !is_reserved(change->key) &&
            !has_property(list, made, change->key)) {
            list[made++] = *change;
        }
    }
    metadata->properties = list;
    metadata->property_count = made;
    update->changed = true;
    return NILAS_OK;
}

nilas_code nilas_commit__asked_version(const nilas_property *properties, size_t count,
                                       int32_t fallback, int32_t *out, nilas_error *err) {
    const nilas_property *asked = find_change(properties, count, NILAS_STR("format-version"));
    int64_t version = fallback;

    if (asked != NULL && asked->value.data != NULL) {
        NILAS_REQUIRE(nilas_str_to_int64(asked->value, &version), err, NILAS_INVALID,
                      "For input string: \"%.*s\"", NILAS_FMT(asked->value));
    }
    NILAS_REQUIRE(version >= 1 && version <= 4, err, NILAS_INVALID,
                  "Unsupported format version: v%lld (supported: v4)", (long long)version);
    NILAS_REQUIRE(version <= 3, err, NILAS_UNSUPPORTED,
                  "Format version %lld is not supported yet; 1 to 3 are", (long long)version);
    *out = (int32_t)version;
    return NILAS_OK;
}

nilas_code nilas_update_format_version(nilas_update *update, int32_t version, nilas_error *err) {
    nilas_metadata *metadata = &update->metadata;

    NILAS_REQUIRE(version >= metadata->format_version, err, NILAS_INVALID,
                  "Cannot downgrade v%d table to v%d", metadata->format_version, version);
    NILAS_REQUIRE(version <= 4, err, NILAS_INVALID,
                  "Cannot upgrade table to unsupported format version: v%d (supported: v4)",
                  version);
    NILAS_REQUIRE(version <= 3, err, NILAS_UNSUPPORTED,
                  "Format version %d is not supported yet; 1 to 3 are", version);
    if (version != metadata->format_version) {
        metadata->format_version = version;
        update->changed = true;
    }
    return NILAS_OK;
}

nilas_code nilas_update_properties(nilas_update *update, const nilas_property *changes,
                                   size_t count, nilas_error *err) {
    const nilas_property *asked = find_change(changes, count, NILAS_STR("format-version"));

    if (asked != NULL && asked->value.data != NULL) {
        int64_t version;
        NILAS_REQUIRE(nilas_str_to_int64(asked->value, &version) && version >= INT32_MIN &&
                          version <= INT32_MAX,
                      err, NILAS_INVALID, "For input string: \"%.*s\"", NILAS_FMT(asked->value));
        NILAS_TRY(nilas_update_format_version(update, (int32_t)version, err));
    }
    return nilas_commit__overlay(update, changes, count, err);
}

nilas_code nilas_update_location(nilas_update *update, nilas_str location, nilas_error *err) {
    NILAS_REQUIRE(location.size > 0, err, NILAS_INVALID, "Invalid table location: null");
    if (!nilas_str_equal(location, update->metadata.location)) {
        update->metadata.location = location;
        update->changed = true;
    }
    return NILAS_OK;
}

// ---- refs ---------------------------------------------------------------------------------------

static bool is_added(const nilas_update *update, int64_t snapshot_id) {
    for (size_t i = 0; i < update->added_snapshots.count; i++) {
        if (update->added_snapshots.items[i] == snapshot_id) {
            return true;
        }
    }
    return false;
}

static int64_t now_of(const nilas_update *update) {
    int64_t now = nilas_now_ms();

    return now > update->metadata.last_updated_ms ? now : update->metadata.last_updated_ms;
}

static nilas_code push_log(nilas_update *update, int64_t snapshot_id, nilas_error *err) {
    nilas_metadata *metadata = &update->metadata;
    nilas_log_entry *log;

    if (update->updated_ms == 0) {
        update->updated_ms = now_of(update);
    }
    NILAS_NEW_ARRAY(update->arena, &log, metadata->snapshot_log_count + 1, err);
    nilas_commit__copy(log, metadata->snapshot_log, metadata->snapshot_log_count * sizeof(log[0]));
    log[metadata->snapshot_log_count] =
        (nilas_log_entry){.timestamp_ms = update->updated_ms, .snapshot_id = snapshot_id};
    metadata->snapshot_log = log;
    metadata->snapshot_log_count++;
    return NILAS_OK;
}

static bool same_ref(const nilas_ref *a, const nilas_ref *b) {
    return a->snapshot_id == b->snapshot_id && a->is_tag == b->is_tag &&
           a->max_ref_age_ms == b->max_ref_age_ms &&
           a->max_snapshot_age_ms == b->max_snapshot_age_ms &&
           a->min_snapshots_to_keep == b->min_snapshots_to_keep;
}

nilas_code nilas_update_ref(nilas_update *update, const nilas_ref *ref, nilas_error *err) {
    nilas_metadata *metadata = &update->metadata;
    const nilas_snapshot *snapshot = nilas_metadata_snapshot(metadata, ref->snapshot_id);
    const nilas_ref *existing = nilas_metadata_ref(metadata, ref->name);
    bool is_main = nilas_str_is(ref->name, MAIN);
    nilas_ref *refs;

    NILAS_REQUIRE(snapshot != NULL, err, NILAS_INVALID, "Cannot set %.*s to unknown snapshot: %lld",
                  NILAS_FMT(ref->name), (long long)ref->snapshot_id);
    NILAS_REQUIRE(!is_main || !ref->is_tag, err, NILAS_INVALID, "Cannot make main a tag");
    if (existing != NULL && same_ref(existing, ref)) {
        return NILAS_OK;
    }
    NILAS_NEW_ARRAY(update->arena, &refs, metadata->ref_count + 1, err);
    nilas_commit__copy(refs, metadata->refs, metadata->ref_count * sizeof(refs[0]));
    if (existing != NULL) {
        refs[existing - metadata->refs] = *ref;
    } else {
        refs[metadata->ref_count++] = *ref;
    }
    metadata->refs = refs;
    update->changed = true;
    if (is_added(update, ref->snapshot_id)) {
        update->updated_ms = snapshot->timestamp_ms;
    }
    if (is_main && (existing == NULL || metadata->current_snapshot_id != ref->snapshot_id)) {
        metadata->current_snapshot_id = ref->snapshot_id;
        return push_log(update, ref->snapshot_id, err);
    }
    return NILAS_OK;
}

nilas_code nilas_update_remove_ref(nilas_update *update, nilas_str name, nilas_error *err) {
    nilas_metadata *metadata = &update->metadata;
    nilas_ref *refs;
    size_t kept = 0;

    NILAS_REQUIRE(nilas_metadata_ref(metadata, name) != NULL, err, NILAS_NOT_FOUND,
                  "Ref does not exist: %.*s", NILAS_FMT(name));
    NILAS_NEW_ARRAY(update->arena, &refs, metadata->ref_count, err);
    for (size_t i = 0; i < metadata->ref_count; i++) {
        if (!nilas_str_equal(metadata->refs[i].name, name)) {
            refs[kept++] = metadata->refs[i];
        }
    }
    nilas_assert(kept + 1 == metadata->ref_count);
    metadata->refs = refs;
    metadata->ref_count = kept;
    if (nilas_str_is(name, MAIN)) {
        metadata->current_snapshot_id = -1;
    }
    update->changed = true;
    return NILAS_OK;
}

// ---- snapshots and statistics -------------------------------------------------------------------

static bool is_one_of(const int64_t *ids, size_t count, int64_t id) {
    for (size_t i = 0; i < count; i++) {
        if (ids[i] == id) {
            return true;
        }
    }
    return false;
}

static nilas_code keep_statistics(nilas_arena *arena, nilas_statistics_file **files, size_t *count,
                                  const nilas_metadata *metadata, nilas_error *err) {
    nilas_statistics_file *list;
    size_t kept = 0;

    NILAS_NEW_ARRAY(arena, &list, *count, err);
    for (size_t i = 0; i < *count; i++) {
        if (nilas_metadata_snapshot(metadata, (*files)[i].snapshot_id) != NULL) {
            list[kept++] = (*files)[i];
        }
    }
    *files = list;
    *count = kept;
    return NILAS_OK;
}

nilas_code nilas_update_statistics(nilas_update *update, const nilas_statistics_file *file,
                                   bool of_partitions, nilas_error *err) {
    nilas_metadata *metadata = &update->metadata;
    nilas_statistics_file **files =
        of_partitions ? &metadata->partition_statistics : &metadata->statistics;
    size_t *count =
        of_partitions ? &metadata->partition_statistics_count : &metadata->statistics_count;
    nilas_statistics_file *list;
    size_t kept = 0;

    NILAS_REQUIRE(nilas_metadata_snapshot(metadata, file->snapshot_id) != NULL, err,
                  NILAS_NOT_FOUND, "Snapshot not found: %lld", (long long)file->snapshot_id);
    NILAS_NEW_ARRAY(update->arena, &list, *count + 1, err);
    for (size_t i = 0; i < *count; i++) {
        if ((*files)[i].snapshot_id != file->snapshot_id) {
            list[kept++] = (*files)[i];
        } else if (nilas_str_equal((*files)[i].path, file->path)) {
            return NILAS_OK;
        }
    }
    list[kept++] = *file;
    *files = list;
    *count = kept;
    update->changed = true;
    return NILAS_OK;
}

static nilas_code remove_dangling_refs(nilas_update *update, nilas_error *err) {
    nilas_metadata *metadata = &update->metadata;

    for (size_t i = 0; i < metadata->ref_count;) {
        if (nilas_metadata_snapshot(metadata, metadata->refs[i].snapshot_id) != NULL) {
            i++;
            continue;
        }
        NILAS_TRY(nilas_update_remove_ref(update, metadata->refs[i].name, err));
    }
    return NILAS_OK;
}

nilas_code nilas_update_remove_snapshots(nilas_update *update, const int64_t *snapshot_ids,
                                         size_t count, nilas_error *err) {
    nilas_metadata *metadata = &update->metadata;
    nilas_snapshot *list;
    nilas_map removed;
    size_t kept = 0;

    nilas_map_init(&removed, update->arena, false);
    for (size_t i = 0; i < count; i++) {
        NILAS_TRY(nilas_map_put_int(&removed, snapshot_ids[i], update, err));
    }
    NILAS_NEW_ARRAY(update->arena, &list, metadata->snapshot_count, err);
    for (size_t i = 0; i < metadata->snapshot_count; i++) {
        if (nilas_map_find_int(&removed, metadata->snapshots[i].snapshot_id) == NULL) {
            list[kept++] = metadata->snapshots[i];
        }
    }
    if (kept == metadata->snapshot_count) {
        return NILAS_OK;
    }
    metadata->snapshots = list;
    metadata->snapshot_count = kept;
    update->changed = update->removed_snapshots = true;
    NILAS_TRY(keep_statistics(update->arena, &metadata->statistics, &metadata->statistics_count,
                              metadata, err));
    NILAS_TRY(keep_statistics(update->arena, &metadata->partition_statistics,
                              &metadata->partition_statistics_count, metadata, err));
    return remove_dangling_refs(update, err);
}

/** Specs of the manifests that snapshots have. */
static nilas_code mark_specs(nilas_update *update, nilas_map *used, nilas_error *err) {
    const nilas_metadata *metadata = &update->metadata;

    NILAS_TRY(nilas_map_put_int(used, metadata->default_spec_id, update, err));
    for (size_t i = 0; i < metadata->snapshot_count && metadata->spec_count > 1; i++) {
        NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
        nilas_manifest_file *manifests;
        size_t count;
        NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
        NILAS_TRY(nilas_snapshot_manifests(update->io, scratch, metadata, &metadata->snapshots[i],
                                           &manifests, &count, err));
        for (size_t k = 0; k < count; k++) {
            NILAS_TRY(nilas_map_put_int(used, manifests[k].partition_spec_id, update, err));
        }
    }
    return NILAS_OK;
}

nilas_code nilas_update_remove_unused(nilas_update *update, nilas_error *err) {
    nilas_metadata *metadata = &update->metadata;
    nilas_map specs, schemas;
    nilas_partition_spec **kept_specs;
    nilas_schema **kept_schemas;
    size_t spec_count = 0, schema_count = 0;

    nilas_map_init(&specs, update->arena, false);
    nilas_map_init(&schemas, update->arena, false);
    NILAS_TRY(mark_specs(update, &specs, err));
    NILAS_TRY(nilas_map_put_int(&schemas, metadata->current_schema_id, update, err));
    for (size_t i = 0; i < metadata->snapshot_count; i++) {
        NILAS_TRY(nilas_map_put_int(&schemas, metadata->snapshots[i].schema_id, update, err));
    }
    NILAS_NEW_ARRAY(update->arena, &kept_specs, metadata->spec_count, err);
    NILAS_NEW_ARRAY(update->arena, &kept_schemas, metadata->schema_count, err);
    for (size_t i = 0; i < metadata->spec_count; i++) {
        if (nilas_map_find_int(&specs, metadata->specs[i]->spec_id) != NULL) {
            kept_specs[spec_count++] = metadata->specs[i];
        }
    }
    for (size_t i = 0; i < metadata->schema_count; i++) {
        if (nilas_map_find_int(&schemas, metadata->schemas[i]->schema_id) != NULL) {
            kept_schemas[schema_count++] = metadata->schemas[i];
        }
    }
    nilas_assert(spec_count > 0 && schema_count > 0);
    update->changed = update->changed || spec_count < metadata->spec_count ||
                      schema_count < metadata->schema_count;
    metadata->specs = kept_specs;
    metadata->spec_count = spec_count;
    metadata->schemas = kept_schemas;
    metadata->schema_count = schema_count;
    return NILAS_OK;
}

// ---- the end ------------------------------------------------------------------------------------

/**
 * Snapshots that came and went within this update were never current; and history before a snapshot
 * that is gone is forgotten, for it has a hole.
 */
static nilas_code clean_snapshot_log(nilas_update *update, nilas_error *err) {
    nilas_metadata *metadata = &update->metadata;
    nilas_log_entry *log;
    size_t kept = 0;

    if (update->added_snapshots.count < 2 && !update->removed_snapshots) {
        return NILAS_OK;
    }
    NILAS_NEW_ARRAY(update->arena, &log, metadata->snapshot_log_count, err);
    for (size_t i = 0; i < metadata->snapshot_log_count; i++) {
        nilas_log_entry entry = metadata->snapshot_log[i];
        bool there = nilas_metadata_snapshot(metadata, entry.snapshot_id) != NULL;
        bool passing = is_one_of(update->added_snapshots.items, update->added_snapshots.count,
                                 entry.snapshot_id) &&
                       entry.snapshot_id != metadata->current_snapshot_id;
        if (!there && update->removed_snapshots) {
            kept = 0;
        } else if (!passing) {
            log[kept++] = entry;
        }
    }
    metadata->snapshot_log = log;
    metadata->snapshot_log_count = kept;
    return NILAS_OK;
}

/** The base's file joins the log, which keeps write.metadata.previous-versions-max entries. */
static nilas_code push_metadata_log(nilas_update *update, nilas_error *err) {
    nilas_metadata *metadata = &update->metadata;
    int64_t keep = nilas_commit__int_property(metadata, "write.metadata.previous-versions-max",
                                              DEFAULT_VERSIONS_KEPT);
    size_t total = metadata->metadata_log_count + 1;
    nilas_metadata_log_entry *log;

    NILAS_NEW_ARRAY(update->arena, &log, total, err);
    nilas_commit__copy(log, metadata->metadata_log, metadata->metadata_log_count * sizeof(log[0]));
    log[total - 1] =
        (nilas_metadata_log_entry){.timestamp_ms = update->base->metadata->last_updated_ms,
                                   .metadata_file = update->base->metadata->metadata_location};
    size_t wanted = keep < 1 ? 1 : (uint64_t)keep < total ? (size_t)keep : total;
    metadata->metadata_log = log + (total - wanted);
    metadata->metadata_log_count = wanted;
    return NILAS_OK;
}

nilas_code nilas_commit__update_finish(nilas_update *update, nilas_error *err) {
    nilas_metadata *metadata = &update->metadata;
    int64_t now = now_of(update);

    if (metadata->table_uuid.size == 0) {
        NILAS_TRY(nilas_commit_new_uuid(update->arena, &metadata->table_uuid, err));
    }
    NILAS_TRY(clean_snapshot_log(update, err));
    if (update->base != NULL) {
        NILAS_TRY(push_metadata_log(update, err));
    }
    metadata->last_updated_ms = update->updated_ms > metadata->last_updated_ms ? update->updated_ms
                                : update->updated_ms != 0 ? metadata->last_updated_ms
                                                          : now;
    return NILAS_OK;
}

nilas_code nilas_commit__table_of(const nilas_update *update, const nilas_str *identifier,
                                  size_t identifier_count, nilas_str catalog, nilas_table **out,
                                  nilas_error *err) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_metadata *metadata;
    nilas_str text;

    NILAS_REQUIRE(arena != NULL && scratch != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(nilas_metadata_print(scratch, &update->metadata, &text, err));
    NILAS_TRY(
        nilas_metadata_parse(arena, text, update->metadata.metadata_location, &metadata, err));
    NILAS_TRY(nilas_table_new(arena, update->io, catalog, identifier, identifier_count, metadata,
                              out, err));
    arena = NULL; // the table owns it now
    return NILAS_OK;
}

nilas_code nilas_commit__after_swap(nilas_code code, nilas_error *err) {
    if (code == NILAS_OK) {
        return NILAS_OK;
    }
    nilas_error_append(err, "(after the commit, which has happened)");
    if (err != NULL) {
        err->code = NILAS_UNCERTAIN;
    }
    return NILAS_UNCERTAIN;
}
