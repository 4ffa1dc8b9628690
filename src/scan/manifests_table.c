/*
 * The tables manifests and all_manifests. Counts belong to data or to delete files by the
 * manifest's content; bounds of the partition summaries are the text that Iceberg shows
 * ("2021-01-01-03" for an hour).
 */
#include "scan/tables.h"

#define COUNT_OF(columns) (sizeof(columns) / sizeof((columns)[0]))

nilas_code nilas_scan__collect_manifests(nilas_arena *arena, const nilas_table *table,
                                         const nilas_snapshot *snapshot, bool all,
                                         nilas_manifest_file **out, size_t *out_count,
                                         nilas_error *err) {
    const nilas_metadata *metadata = table->metadata;
    NILAS_ARRAY_OF(nilas_manifest_file) list = {0};
    nilas_map seen;

    *out = NULL;
    *out_count = 0;
    if (!all) {
        return snapshot != NULL ? nilas_snapshot_manifests(table->io, arena, metadata, snapshot,
                                                           out, out_count, err)
                                : NILAS_OK;
    }
    nilas_map_init(&seen, arena, false);
    for (size_t s = 0; s < metadata->snapshot_count; s++) {
        nilas_manifest_file *manifests;
        size_t count;
        NILAS_TRY(nilas_snapshot_manifests(table->io, arena, metadata, &metadata->snapshots[s],
                                           &manifests, &count, err));
        for (size_t m = 0; m < count; m++) {
            if (nilas_map_find(&seen, manifests[m].path) == NULL) {
                NILAS_TRY(nilas_map_put(&seen, manifests[m].path, &manifests[m], err));
                NILAS_PUSH(arena, &list, manifests[m], err);
            }
        }
    }
    *out = list.items;
    *out_count = list.count;
    return NILAS_OK;
}

// ---- type ---------------------------------------------------------------------------------------

static nilas_code summaries_type(nilas_arena *arena, bool all, const nilas_ice_type **out,
                                 nilas_error *err) {
    const nilas_scan__column columns[] = {
        {.id = 10, .required = true, .name = "contains_null", .kind = NILAS_SCAN__BOOLEAN},
        {.id = 11, .required = all, .name = "contains_nan", .kind = NILAS_SCAN__BOOLEAN},
        {.id = 12, .required = false, .name = "lower_bound", .kind = NILAS_SCAN__STRING},
        {.id = 13, .required = false, .name = "upper_bound", .kind = NILAS_SCAN__STRING},
    };
    nilas_ice_type *summary;

    NILAS_TRY(nilas_scan__struct_type(arena, columns, COUNT_OF(columns), NULL, &summary, err));
    return nilas_scan__list_type(arena, 9, summary, out, err);
}

nilas_code nilas_scan__manifests_type(nilas_arena *arena, const nilas_table *table,
                                      nilas_metadata_table kind, const nilas_ice_type **out,
                                      nilas_error *err) {
    bool all = kind == NILAS_METADATA_ALL_MANIFESTS;
    const nilas_scan__column columns[] = {
        {.id = 14, .required = true, .name = "content", .kind = NILAS_SCAN__INT},
        {.id = 1, .required = true, .name = "path", .kind = NILAS_SCAN__STRING},
        {.id = 2, .required = true, .name = "length", .kind = NILAS_SCAN__LONG},
        {.id = 3, .required = !all, .name = "partition_spec_id", .kind = NILAS_SCAN__INT},
        {.id = 4, .required = !all, .name = "added_snapshot_id", .kind = NILAS_SCAN__LONG},
        {.id = 5, .required = !all, .name = "added_data_files_count", .kind = NILAS_SCAN__INT},
        {.id = 6, .required = !all, .name = "existing_data_files_count", .kind = NILAS_SCAN__INT},
        {.id = 7, .required = !all, .name = "deleted_data_files_count", .kind = NILAS_SCAN__INT},
        {.id = 15, .required = true, .name = "added_delete_files_count", .kind = NILAS_SCAN__INT},
        {.id = 16,
         .required = true,
         .name = "existing_delete_files_count",
         .kind = NILAS_SCAN__INT},
        {.id = 17, .required = true, .name = "deleted_delete_files_count", .kind = NILAS_SCAN__INT},
        {.id = 8, .required = !all, .name = "partition_summaries", .kind = NILAS_SCAN__GIVEN},
        {.id = 18, .required = true, .name = "reference_snapshot_id", .kind = NILAS_SCAN__LONG},
        {.id = 19, .required = false, .name = "key_metadata", .kind = NILAS_SCAN__BINARY},
    };
    const nilas_ice_type *summaries;
    nilas_ice_type *type;

    (void)table;
    NILAS_TRY(summaries_type(arena, all, &summaries, err));
    NILAS_TRY(nilas_scan__struct_type(
        arena, columns, all ? COUNT_OF(columns) : COUNT_OF(columns) - 2, &summaries, &type, err));
    *out = type;
    return NILAS_OK;
}

// ---- rows ---------------------------------------------------------------------------------------

typedef struct manifest_rows {
    const nilas_table *table;
    const nilas_ice_type *type;
    const nilas_schema *schema;             // the current one
    const nilas_ice_type **partition_types; // by place of the spec in the metadata
    const nilas_snapshot *snapshots;        // one batch each
    bool all;
    nilas_manifest_file *loaded; // of the current batch
    int64_t reference_snapshot_id;
} manifest_rows;

/** Text of a summary's bound. Iceberg shows the word "null" where there is none, and where the
 * column is gone. */
static nilas_code bound_text(nilas_arena *scratch, const nilas_transform *transform,
                             const nilas_ice_type *type, nilas_str bytes, nilas_value *out,
                             nilas_error *err) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    nilas_value value;

    *out = nilas_value_of_str(NILAS_STR("null"));
    if (bytes.data == NULL ||
        nilas_ice_value_decode(scratch, type, bytes, &value, NULL) != NILAS_OK) {
        return NILAS_OK;
    }
    nilas_transform_print_value(&text, transform, type, &value);
    return nilas_buf_finish(&text, scratch, &out->text, err);
}

static size_t place_of_spec(const nilas_metadata *metadata, int32_t spec_id) {
    for (size_t i = 0; i < metadata->spec_count; i++) {
        if (metadata->specs[i]->spec_id == spec_id) {
            return i;
        }
    }
    return SIZE_MAX;
}

static nilas_code summaries_of(const manifest_rows *rows, nilas_arena *scratch,
                               const nilas_manifest_file *manifest, nilas_value *out,
                               nilas_error *err) {
    const nilas_metadata *metadata = rows->table->metadata;
    size_t place = place_of_spec(metadata, manifest->partition_spec_id);
    nilas_value *items;

    *out = NILAS_NULL_VALUE;
    if (!manifest->has_partitions) {
        return NILAS_OK;
    }
    NILAS_REQUIRE(place != SIZE_MAX, err, NILAS_CORRUPT,
                  "manifest \"%.*s\" has partition spec %d, which the table has not",
                  NILAS_FMT(manifest->path), manifest->partition_spec_id);
    const nilas_partition_spec *spec = metadata->specs[place];
    NILAS_NEW_ARRAY(scratch, &items, manifest->partition_count, err);
    for (size_t i = 0; i < manifest->partition_count; i++) {
        const nilas_field_summary *summary = &manifest->partitions[i];
        NILAS_TRY(nilas_scan__new_struct(scratch, 4, &items[i], err));
        nilas_value *parts = items[i].items;
        parts[0] = nilas_value_of_bool(summary->contains_null);
        parts[1] = summary->has_contains_nan ? nilas_value_of_bool(summary->contains_nan)
                                             : NILAS_NULL_VALUE;
        if (i < spec->field_count && i < rows->partition_types[place]->field_count) {
            const nilas_ice_type *type = rows->partition_types[place]->fields[i].type;
            const nilas_transform *transform = &spec->fields[i].transform;
            bool is_gone = nilas_schema_find_id(rows->schema, spec->fields[i].source_id) == NULL;
            nilas_str none = {0};
            NILAS_TRY(bound_text(scratch, transform, type, is_gone ? none : summary->lower_bound,
                                 &parts[2], err));
            NILAS_TRY(bound_text(scratch, transform, type, is_gone ? none : summary->upper_bound,
                                 &parts[3], err));
        }
    }
    *out =
        (nilas_value){.kind = NILAS_VALUE_LIST, .items = items, .count = manifest->partition_count};
    return NILAS_OK;
}

static nilas_code render_manifest(void *context, size_t item, nilas_arena *scratch,
                                  nilas_value *out_row, nilas_error *err) {
    const manifest_rows *rows = context;
    const nilas_manifest_file *manifest = &rows->loaded[item];
    size_t own = manifest->content == NILAS_MANIFEST_DATA ? 5 : 8;
    size_t other = manifest->content == NILAS_MANIFEST_DATA ? 8 : 5;

    NILAS_TRY(nilas_scan__new_struct(scratch, rows->type->field_count, out_row, err));
    nilas_value *items = out_row->items;
    items[0] = nilas_value_of_int(manifest->content);
    items[1] = nilas_value_of_str(manifest->path);
    items[2] = nilas_value_of_int(manifest->length);
    items[3] = nilas_value_of_int(manifest->partition_spec_id);
    items[4] = nilas_scan__int_or_null(manifest->added_snapshot_id);
    items[own] = nilas_scan__int_or_null(manifest->added_files_count);
    items[own + 1] = nilas_scan__int_or_null(manifest->existing_files_count);
    items[own + 2] = nilas_scan__int_or_null(manifest->deleted_files_count);
    items[other] = items[other + 1] = items[other + 2] = nilas_value_of_int(0);
    NILAS_TRY(summaries_of(rows, scratch, manifest, &items[11], err));
    if (rows->all) {
        items[12] = nilas_value_of_int(rows->reference_snapshot_id);
        items[13] = manifest->key_metadata.data != NULL
                        ? nilas_value_of_bytes(manifest->key_metadata)
                        : NILAS_NULL_VALUE;
    }
    return NILAS_OK;
}

static nilas_code load_snapshot(void *context, size_t index, nilas_arena *arena,
                                size_t *out_item_count, nilas_error *err) {
    manifest_rows *rows = context;

    rows->reference_snapshot_id = rows->snapshots[index].snapshot_id;
    return nilas_snapshot_manifests(rows->table->io, arena, rows->table->metadata,
                                    &rows->snapshots[index], &rows->loaded, out_item_count, err);
}

nilas_code nilas_scan__manifests_rows(nilas_arena *stmt, const nilas_scan__table_options *options,
                                      nilas_rows **out, nilas_error *err) {
    const nilas_metadata *metadata = options->table->metadata;
    manifest_rows *rows;

    NILAS_NEW(stmt, &rows, err);
    rows->table = options->table;
    rows->schema = nilas_metadata_current_schema(metadata);
    rows->all = options->kind == NILAS_METADATA_ALL_MANIFESTS;
    rows->snapshots = rows->all ? metadata->snapshots : options->snapshot;
    NILAS_TRY(nilas_scan__manifests_type(stmt, options->table, options->kind, &rows->type, err));
    NILAS_NEW_ARRAY(stmt, &rows->partition_types, metadata->spec_count, err);
    for (size_t i = 0; i < metadata->spec_count; i++) {
        NILAS_TRY(nilas_spec_partition_type(stmt, metadata, metadata->specs[i],
                                            &rows->partition_types[i], err));
    }
    return nilas_scan__rows_new(
        stmt,
        &(nilas_scan__batches){
            .type = rows->type,
            .context = rows,
            .batch_count = rows->all ? metadata->snapshot_count : rows->snapshots != NULL,
            .row_count_hint = -1,
            .load = load_snapshot,
            .render = render_manifest,
        },
        out, err);
}
