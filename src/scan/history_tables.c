/* The tables that come from metadata.json alone: history, snapshots, refs, metadata_log_entries. */
#include "scan/tables.h"

#define MICROS_PER_MILLI  1000
#define COUNT_OF(columns) (sizeof(columns) / sizeof((columns)[0]))

static nilas_code plain_type(nilas_arena *arena, const nilas_scan__column *columns, size_t count,
                             const nilas_ice_type **out, nilas_error *err) {
    nilas_ice_type *type;

    NILAS_TRY(nilas_scan__struct_type(arena, columns, count, NULL, &type, err));
    *out = type;
    return NILAS_OK;
}

static nilas_value timestamp_of(int64_t timestamp_ms) {
    int64_t micros;

    return __builtin_mul_overflow(timestamp_ms, MICROS_PER_MILLI, &micros)
               ? NILAS_NULL_VALUE
               : nilas_value_of_int(micros);
}

/** Room for `count` rows of `width` columns. */
static nilas_code new_rows(nilas_arena *stmt, size_t count, size_t width, nilas_value **out,
                           nilas_error *err) {
    nilas_value *rows;

    NILAS_NEW_ARRAY(stmt, &rows, count, err);
    for (size_t i = 0; i < count; i++) {
        NILAS_TRY(nilas_scan__new_struct(stmt, width, &rows[i], err));
    }
    *out = rows;
    return NILAS_OK;
}

// ---- history ------------------------------------------------------------------------------------

static const nilas_scan__column history_columns[] = {
    {.id = 1, .required = true, .name = "made_current_at", .kind = NILAS_SCAN__TIMESTAMPTZ},
    {.id = 2, .required = true, .name = "snapshot_id", .kind = NILAS_SCAN__LONG},
    {.id = 3, .required = false, .name = "parent_id", .kind = NILAS_SCAN__LONG},
    {.id = 4, .required = true, .name = "is_current_ancestor", .kind = NILAS_SCAN__BOOLEAN},
};

nilas_code nilas_scan__history_type(nilas_arena *arena, const nilas_table *table,
                                    nilas_metadata_table kind, const nilas_ice_type **out,
                                    nilas_error *err) {
    (void)table, (void)kind;
    return plain_type(arena, history_columns, COUNT_OF(history_columns), out, err);
}

/** The ids from the current snapshot back to the first, as far as known. */
static nilas_code collect_ancestors(nilas_arena *arena, const nilas_metadata *metadata,
                                    nilas_map *ancestors, nilas_error *err) {
    const nilas_snapshot *at = nilas_metadata_current_snapshot(metadata);

    nilas_map_init(ancestors, arena, false);
    while (at != NULL && nilas_map_find_int(ancestors, at->snapshot_id) == NULL) {
        NILAS_TRY(nilas_map_put_int(ancestors, at->snapshot_id, ancestors, err));
        at = at->parent_id != -1 ? nilas_metadata_snapshot(metadata, at->parent_id) : NULL;
    }
    return NILAS_OK;
}

nilas_code nilas_scan__history_rows(nilas_arena *stmt, const nilas_scan__table_options *options,
                                    nilas_rows **out, nilas_error *err) {
    const nilas_metadata *metadata = options->table->metadata;
    const nilas_ice_type *type;
    nilas_map ancestors;
    nilas_value *rows;

    NILAS_TRY(nilas_scan__history_type(stmt, options->table, options->kind, &type, err));
    NILAS_TRY(collect_ancestors(stmt, metadata, &ancestors, err));
    NILAS_TRY(new_rows(stmt, metadata->snapshot_log_count, type->field_count, &rows, err));
    for (size_t i = 0; i < metadata->snapshot_log_count; i++) {
        const nilas_log_entry *entry = &metadata->snapshot_log[i];
        const nilas_snapshot *snapshot = nilas_metadata_snapshot(metadata, entry->snapshot_id);
        nilas_value *items = rows[i].items;
        items[0] = timestamp_of(entry->timestamp_ms);
        items[1] = nilas_value_of_int(entry->snapshot_id);
        items[2] =
            snapshot != NULL ? nilas_scan__int_or_null(snapshot->parent_id) : NILAS_NULL_VALUE;
        items[3] = nilas_value_of_bool(nilas_map_find_int(&ancestors, entry->snapshot_id) != NULL);
    }
    return nilas_scan__fixed_rows(stmt, type, rows, metadata->snapshot_log_count, out, err);
}

// ---- snapshots ----------------------------------------------------------------------------------

static const nilas_scan__column snapshots_columns[] = {
    {.id = 1, .required = true, .name = "committed_at", .kind = NILAS_SCAN__TIMESTAMPTZ},
    {.id = 2, .required = true, .name = "snapshot_id", .kind = NILAS_SCAN__LONG},
    {.id = 3, .required = false, .name = "parent_id", .kind = NILAS_SCAN__LONG},
    {.id = 4, .required = false, .name = "operation", .kind = NILAS_SCAN__STRING},
    {.id = 5, .required = false, .name = "manifest_list", .kind = NILAS_SCAN__STRING},
    {.id = 6,
     .required = false,
     .name = "summary",
     .kind = NILAS_SCAN__MAP_STRING_STRING,
     .inner_id = 7,
     .second_inner_id = 8},
};

nilas_code nilas_scan__snapshots_type(nilas_arena *arena, const nilas_table *table,
                                      nilas_metadata_table kind, const nilas_ice_type **out,
                                      nilas_error *err) {
    (void)table, (void)kind;
    return plain_type(arena, snapshots_columns, COUNT_OF(snapshots_columns), out, err);
}

/** Null when the snapshot has no summary at all (old v1 tables). */
static nilas_code summary_of(nilas_arena *arena, const nilas_snapshot *snapshot, nilas_value *out,
                             nilas_error *err) {
    nilas_value *items;

    *out = NILAS_NULL_VALUE;
    if (snapshot->summary_count == 0 && snapshot->operation.size == 0) {
        return NILAS_OK;
    }
    NILAS_NEW_ARRAY(arena, &items, 2 * snapshot->summary_count, err);
    for (size_t i = 0; i < snapshot->summary_count; i++) {
        items[2 * i] = nilas_value_of_str(snapshot->summary[i].key);
        items[2 * i + 1] = nilas_value_of_str(snapshot->summary[i].value);
    }
    *out = (nilas_value){.kind = NILAS_VALUE_MAP, .items = items, .count = snapshot->summary_count};
    return NILAS_OK;
}

nilas_code nilas_scan__snapshots_rows(nilas_arena *stmt, const nilas_scan__table_options *options,
                                      nilas_rows **out, nilas_error *err) {
    const nilas_metadata *metadata = options->table->metadata;
    const nilas_ice_type *type;
    nilas_value *rows;

    NILAS_TRY(nilas_scan__snapshots_type(stmt, options->table, options->kind, &type, err));
    NILAS_TRY(new_rows(stmt, metadata->snapshot_count, type->field_count, &rows, err));
    for (size_t i = 0; i < metadata->snapshot_count; i++) {
        const nilas_snapshot *snapshot = &metadata->snapshots[i];
        nilas_value *items = rows[i].items;
        items[0] = timestamp_of(snapshot->timestamp_ms);
        items[1] = nilas_value_of_int(snapshot->snapshot_id);
        items[2] = nilas_scan__int_or_null(snapshot->parent_id);
        items[3] = nilas_scan__text_or_null(snapshot->operation);
        items[4] = nilas_scan__text_or_null(snapshot->manifest_list);
        NILAS_TRY(summary_of(stmt, snapshot, &items[5], err));
    }
    return nilas_scan__fixed_rows(stmt, type, rows, metadata->snapshot_count, out, err);
}

// ---- refs ---------------------------------------------------------------------------------------

static const nilas_scan__column refs_columns[] = {
    {.id = 1, .required = true, .name = "name", .kind = NILAS_SCAN__STRING},
    {.id = 2, .required = true, .name = "type", .kind = NILAS_SCAN__STRING},
    {.id = 3, .required = true, .name = "snapshot_id", .kind = NILAS_SCAN__LONG},
    {.id = 4, .required = false, .name = "max_reference_age_in_ms", .kind = NILAS_SCAN__LONG},
    {.id = 5, .required = false, .name = "min_snapshots_to_keep", .kind = NILAS_SCAN__INT},
    {.id = 6, .required = false, .name = "max_snapshot_age_in_ms", .kind = NILAS_SCAN__LONG},
};

nilas_code nilas_scan__refs_type(nilas_arena *arena, const nilas_table *table,
                                 nilas_metadata_table kind, const nilas_ice_type **out,
                                 nilas_error *err) {
    (void)table, (void)kind;
    return plain_type(arena, refs_columns, COUNT_OF(refs_columns), out, err);
}

nilas_code nilas_scan__refs_rows(nilas_arena *stmt, const nilas_scan__table_options *options,
                                 nilas_rows **out, nilas_error *err) {
    const nilas_metadata *metadata = options->table->metadata;
    const nilas_ice_type *type;
    nilas_value *rows;

    NILAS_TRY(nilas_scan__refs_type(stmt, options->table, options->kind, &type, err));
    NILAS_TRY(new_rows(stmt, metadata->ref_count, type->field_count, &rows, err));
    for (size_t i = 0; i < metadata->ref_count; i++) {
        const nilas_ref *ref = &metadata->refs[i];
        nilas_value *items = rows[i].items;
        items[0] = nilas_value_of_str(ref->name);
        items[1] = nilas_value_of_str(ref->is_tag ? NILAS_STR("TAG") : NILAS_STR("BRANCH"));
        items[2] = nilas_value_of_int(ref->snapshot_id);
        items[3] = nilas_scan__int_or_null(ref->max_ref_age_ms);
        items[4] = nilas_scan__int_or_null(ref->min_snapshots_to_keep);
        items[5] = nilas_scan__int_or_null(ref->max_snapshot_age_ms);
    }
    return nilas_scan__fixed_rows(stmt, type, rows, metadata->ref_count, out, err);
}

// ---- metadata_log_entries -----------------------------------------------------------------------

static const nilas_scan__column log_entries_columns[] = {
    {.id = 1, .required = true, .name = "timestamp", .kind = NILAS_SCAN__TIMESTAMPTZ},
    {.id = 2, .required = true, .name = "file", .kind = NILAS_SCAN__STRING},
    {.id = 3, .required = false, .name = "latest_snapshot_id", .kind = NILAS_SCAN__LONG},
    {.id = 4, .required = false, .name = "latest_schema_id", .kind = NILAS_SCAN__INT},
    {.id = 5, .required = false, .name = "latest_sequence_number", .kind = NILAS_SCAN__LONG},
};

nilas_code nilas_scan__log_entries_type(nilas_arena *arena, const nilas_table *table,
                                        nilas_metadata_table kind, const nilas_ice_type **out,
                                        nilas_error *err) {
    (void)table, (void)kind;
    return plain_type(arena, log_entries_columns, COUNT_OF(log_entries_columns), out, err);
}

/** The snapshot that was current at the time by the snapshot log; false when none was. It may have
 * been expired since. */
static bool current_at(const nilas_metadata *metadata, int64_t timestamp_ms,
                       int64_t *out_snapshot_id) {
    int64_t best_ms = INT64_MIN;
    bool found = false;

    for (size_t i = 0; i < metadata->snapshot_log_count; i++) {
        const nilas_log_entry *entry = &metadata->snapshot_log[i];
        // The newest by time, not by place: clocks of several writers differ.
        if (entry->timestamp_ms <= timestamp_ms && entry->timestamp_ms >= best_ms) {
            best_ms = entry->timestamp_ms;
            *out_snapshot_id = entry->snapshot_id;
            found = true;
        }
    }
    return found;
}

static void fill_log_entry(const nilas_metadata *metadata, int64_t timestamp_ms, nilas_str file,
                           nilas_value *items) {
    const nilas_snapshot *snapshot = NULL;
    int64_t snapshot_id;

    items[0] = timestamp_of(timestamp_ms);
    items[1] = nilas_value_of_str(file);
    if (current_at(metadata, timestamp_ms, &snapshot_id)) {
        items[2] = nilas_value_of_int(snapshot_id);
        snapshot = nilas_metadata_snapshot(metadata, snapshot_id);
    }
    if (snapshot != NULL) {
        items[3] = nilas_scan__int_or_null(snapshot->schema_id);
        items[4] = nilas_value_of_int(snapshot->sequence_number);
    }
}

nilas_code nilas_scan__log_entries_rows(nilas_arena *stmt, const nilas_scan__table_options *options,
                                        nilas_rows **out, nilas_error *err) {
    const nilas_metadata *metadata = options->table->metadata;
    size_t count = metadata->metadata_log_count + 1;
    const nilas_ice_type *type;
    nilas_value *rows;

    NILAS_TRY(nilas_scan__log_entries_type(stmt, options->table, options->kind, &type, err));
    NILAS_TRY(new_rows(stmt, count, type->field_count, &rows, err));
    for (size_t i = 0; i < metadata->metadata_log_count; i++) {
        const nilas_metadata_log_entry *entry = &metadata->metadata_log[i];
        fill_log_entry(metadata, entry->timestamp_ms, entry->metadata_file, rows[i].items);
    }
    // The file in use is the last entry.
    fill_log_entry(metadata, metadata->last_updated_ms, metadata->metadata_location,
                   rows[count - 1].items);
    return nilas_scan__fixed_rows(stmt, type, rows, count, out, err);
}
