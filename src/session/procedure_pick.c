/**
 * cherrypick_snapshot and publish_changes: the changes of a snapshot that is not in the current
 * history, committed on top of it. When the snapshot was made from the current one, it becomes
 * current itself.
 */
#include "session/procedure.h"

typedef struct pick {
    nilas_procedure_call *call;
    int64_t source_id;
    int64_t current_id; // afterwards
} pick;

static nilas_str summary_value(const nilas_snapshot *snapshot, const char *key) {
    for (size_t i = 0; i < snapshot->summary_count; i++) {
        if (nilas_str_is(snapshot->summary[i].key, key)) {
            return snapshot->summary[i].value;
        }
    }
    return (nilas_str){.data = NULL};
}

/** Whether a snapshot of the current history has the entry. */
static bool has_ancestor_with(const nilas_metadata *metadata, const char *key, nilas_str value) {
    const nilas_snapshot *at = nilas_metadata_current_snapshot(metadata);
    for (size_t steps = 0; at != NULL && steps <= metadata->snapshot_count; steps++) {
        nilas_str found = summary_value(at, key);
        if (found.data != NULL && nilas_str_equal(found, value)) {
            return true;
        }
        at = nilas_metadata_snapshot(metadata, at->parent_id);
    }
    return false;
}

/* --- the files of the source
 * ------------------------------------------------------------------------- */

typedef struct pick_files {
    nilas_arena *arena;
    int64_t snapshot_id;
    NILAS_ARRAY_OF(nilas_data_file) added;
    NILAS_ARRAY_OF(nilas_data_file) removed;
    nilas_code code;
    nilas_error *err;
} pick_files;

static nilas_code take_entry(pick_files *files, const nilas_manifest_entry *entry,
                             nilas_error *err) {
    nilas_manifest_entry copy;
    if (entry->snapshot_id != files->snapshot_id || entry->status == NILAS_ENTRY_EXISTING) {
        return NILAS_OK;
    }
    NILAS_TRY(nilas_manifest_entry_copy(files->arena, entry, &copy, err));
    copy.file.first_row_id = -1; // assigned anew
    if (entry->status == NILAS_ENTRY_ADDED) {
        NILAS_PUSH(files->arena, &files->added, copy.file, err);
    } else {
        NILAS_PUSH(files->arena, &files->removed, copy.file, err);
    }
    return NILAS_OK;
}

static bool on_entry(void *context, const nilas_manifest_entry *entry) {
    pick_files *files = context;
    files->code = take_entry(files, entry, files->err);
    return files->code == NILAS_OK;
}

/** Data files that the snapshot itself added and removed. */
static nilas_code read_files(const pick *state, nilas_update *update,
                             const nilas_snapshot *snapshot, pick_files *files, nilas_error *err) {
    nilas_io *io = nilas_catalog_io(state->call->catalog);
    const nilas_metadata *metadata = nilas_update_metadata(update);
    nilas_manifest_file *manifests;
    size_t count;
    *files = (pick_files){
        .arena = nilas_update_arena(update), .snapshot_id = snapshot->snapshot_id, .err = err};
    NILAS_TRY(
        nilas_snapshot_manifests(io, files->arena, metadata, snapshot, &manifests, &count, err));
    for (size_t i = 0; i < count; i++) {
        if (manifests[i].content != NILAS_MANIFEST_DATA ||
            manifests[i].added_snapshot_id != snapshot->snapshot_id) {
            continue;
        }
        nilas_code code = nilas_manifest_read(io, files->arena, metadata, &manifests[i],
                                              NILAS_MANIFEST_ALL, false, on_entry, files, err);
        NILAS_TRY(files->code);
        NILAS_TRY(code);
    }
    return NILAS_OK;
}

/* --- what may be picked
 * ------------------------------------------------------------------------------ */

static nilas_code check_wap(const nilas_metadata *metadata, nilas_str wap_id, nilas_error *err) {
    NILAS_REQUIRE(wap_id.data == NULL || (!has_ancestor_with(metadata, "wap.id", wap_id) &&
                                          !has_ancestor_with(metadata, "published-wap-id", wap_id)),
                  err, NILAS_INVALID,
                  "Duplicate request to cherry pick wap id that was published already: %.*s",
                  NILAS_FMT(wap_id));
    return NILAS_OK;
}

static nilas_code check_new(const nilas_metadata *metadata, int64_t source_id, nilas_str text,
                            nilas_error *err) {
    NILAS_REQUIRE(!nilas_metadata_is_ancestor(metadata, metadata->current_snapshot_id, source_id),
                  err, NILAS_INVALID, "Cannot cherrypick snapshot %lld: already an ancestor",
                  (long long)source_id);
    NILAS_REQUIRE(!has_ancestor_with(metadata, "source-snapshot-id", text), err, NILAS_INVALID,
                  "Cannot cherrypick snapshot %lld: already picked to create an ancestor of the "
                  "current state",
                  (long long)source_id);
    return NILAS_OK;
}

/** The source is a child of the current snapshot: it becomes current. */
static nilas_code forward(pick *state, nilas_update *update, nilas_error *err) {
    const nilas_ref *main = nilas_metadata_ref(nilas_update_metadata(update), NILAS_STR("main"));
    nilas_ref ref = {.name = NILAS_STR("main"),
                     .max_ref_age_ms = -1,
                     .max_snapshot_age_ms = -1,
                     .min_snapshots_to_keep = -1};
    ref = main != NULL ? *main : ref;
    ref.snapshot_id = state->source_id;
    state->current_id = state->source_id;
    return nilas_update_ref(update, &ref, err);
}

/** "PartitionData{p=1, ts_day=2021-01-01}", as Iceberg prints it. */
static nilas_code print_partition(nilas_arena *arena, const nilas_metadata *metadata,
                                  const nilas_data_file *file, nilas_buf *out, nilas_error *err) {
    const nilas_partition_spec *spec = nilas_metadata_spec(metadata, file->spec_id);
    const nilas_ice_type *type;
    NILAS_TRY(nilas_spec_partition_type(arena, metadata, spec, &type, err));
    nilas_buf_add_text(out, "PartitionData{");
    for (size_t i = 0; i < spec->field_count; i++) {
        nilas_buf_print(out, "%s%.*s=", i > 0 ? ", " : "", NILAS_FMT(spec->fields[i].name));
        nilas_transform_print_value(out, &spec->fields[i].transform, type->fields[i].type,
                                    &file->partition.items[i]);
    }
    nilas_buf_add_char(out, '}');
    return NILAS_OK;
}

static const nilas_data_file *find_in_partition(const pick_files *files,
                                                const nilas_data_file *like) {
    for (size_t i = 0; i < files->added.count; i++) {
        if (files->added.items[i].spec_id == like->spec_id &&
            nilas_value_equal(&files->added.items[i].partition, &like->partition)) {
            return &files->added.items[i];
        }
    }
    return NULL;
}

/** A dynamic overwrite may be picked when no file came to its partitions since it was made. That
 * the files it removes are still there the commit finds out. */
static nilas_code check_partitions(const pick *state, nilas_update *update,
                                   const nilas_snapshot *source, const pick_files *files,
                                   nilas_error *err) {
    const nilas_metadata *metadata = nilas_update_metadata(update);
    const nilas_snapshot *at = nilas_metadata_current_snapshot(metadata);
    for (size_t steps = 0;
         at != NULL && at->snapshot_id != source->parent_id && steps <= metadata->snapshot_count;
         steps++) {
        pick_files later;
        NILAS_TRY(read_files(state, update, at, &later, err));
        for (size_t i = 0; i < files->added.count; i++) {
            const nilas_data_file *found = find_in_partition(&later, &files->added.items[i]);
            if (found != NULL) {
                NILAS_AUTO_BUF text = NILAS_BUF_INIT(65536);
                NILAS_TRY(print_partition(nilas_update_arena(update), metadata, found, &text, err));
                return nilas_fail(
                    err, NILAS_CONFLICT,
                    "Cannot cherry-pick replace partitions with changed partition: %.*s",
                    NILAS_FMT(nilas_buf_view(&text)));
            }
        }
        at = nilas_metadata_snapshot(metadata, at->parent_id);
    }
    return NILAS_OK;
}

static nilas_code replay(pick *state, nilas_update *update, const nilas_snapshot *source,
                         nilas_str wap_id, nilas_error *err) {
    nilas_arena *arena = nilas_update_arena(update);
    const nilas_metadata *metadata = nilas_update_metadata(update);
    bool is_append = nilas_str_is(source->operation, "append");
    pick_files files;
    nilas_property summary[8];
    size_t summary_count = 0;
    nilas_snapshot made;
    nilas_property *own;
    nilas_str text;
    NILAS_TRY(nilas_str_print(arena, &text, err, "%lld", (long long)state->source_id));
    NILAS_TRY(check_new(metadata, state->source_id, text, err));
    NILAS_REQUIRE(
        is_append || source->parent_id < 0 ||
            nilas_metadata_is_ancestor(metadata, metadata->current_snapshot_id, source->parent_id),
        err, NILAS_INVALID,
        "Cannot cherry-pick overwrite not based on an ancestor of the current state: "
        "%lld",
        (long long)state->source_id);
    NILAS_TRY(read_files(state, update, source, &files, err));
    if (!is_append) {
        NILAS_TRY(check_partitions(state, update, source, &files, err));
    }
    NILAS_TRY(nilas_call__summary(state->call, &own, &summary_count, err));
    nilas_assert(summary_count + 2 <= sizeof(summary) / sizeof(summary[0]));
    nilas_copy(summary, own, summary_count * sizeof(*own));
    summary[summary_count++] =
        (nilas_property){.key = NILAS_STR("source-snapshot-id"), .value = text};
    if (wap_id.data != NULL) {
        summary[summary_count++] =
            (nilas_property){.key = NILAS_STR("published-wap-id"), .value = wap_id};
    }
    nilas_snapshot_change change = {
        .operation = is_append ? "append" : "overwrite",
        .added = files.added.items,
        .added_count = files.added.count,
        .removed = is_append ? NULL : files.removed.items,
        .removed_count = is_append ? 0 : files.removed.count,
        .data_sequence_number = -1,
        .read_snapshot_id = -1,
        .summary = summary,
        .summary_count = summary_count,
        .append_manifests_merge = true,
    };
    NILAS_TRY(nilas_update_snapshot(update, &change, &made, err));
    state->current_id = made.snapshot_id;
    return NILAS_OK;
}

static nilas_code apply_pick(void *context, nilas_update *update, nilas_error *err) {
    pick *state = context;
    const nilas_metadata *metadata = nilas_update_metadata(update);
    const nilas_snapshot *source = nilas_metadata_snapshot(metadata, state->source_id);
    NILAS_REQUIRE(source != NULL, err, NILAS_INVALID,
                  "Cannot cherry-pick unknown snapshot ID: %lld", (long long)state->source_id);
    nilas_str replaces = summary_value(source, "replace-partitions");
    nilas_str wap_id = summary_value(source, "wap.id");
    bool is_append = nilas_str_is(source->operation, "append");
    bool is_replace = nilas_str_is(source->operation, "overwrite") && replaces.data != NULL &&
                      nilas_str_is_nocase(replaces, "true");
    if (is_append || is_replace) {
        NILAS_TRY(check_wap(metadata, wap_id, err));
    }
    if (source->parent_id == metadata->current_snapshot_id) {
        return forward(state, update, err);
    }
    NILAS_REQUIRE(is_append || is_replace, err, NILAS_INVALID,
                  "Cannot cherry-pick snapshot %lld: not append, dynamic overwrite, or "
                  "fast-forward",
                  (long long)state->source_id);
    return replay(state, update, source, wap_id, err);
}

/* --- the procedures
 * ---------------------------------------------------------------------------------- */

static nilas_code run_pick(pick *state, nilas_error *err) {
    NILAS_TRY(nilas_call__commit(state->call, apply_pick, state, NULL, err));
    nilas_value cells[] = {nilas_value_of_int(state->source_id),
                           nilas_value_of_int(state->current_id)};
    return nilas_call__answer(state->call, cells, err);
}

nilas_code nilas_procedure__cherrypick_snapshot(nilas_procedure_call *call, nilas_error *err) {
    pick state = {.call = call, .source_id = nilas_call__int(call, "snapshot_id", -1)};
    NILAS_TRY(nilas_call__load(call, err));
    return run_pick(&state, err);
}

nilas_code nilas_procedure__publish_changes(nilas_procedure_call *call, nilas_error *err) {
    pick state = {.call = call, .source_id = -1};
    nilas_str wap_id = nilas_call__text(call, "wap_id", NILAS_STR_EMPTY);
    size_t found = 0;
    NILAS_TRY(nilas_call__load(call, err));
    const nilas_metadata *metadata = call->table->metadata;
    for (size_t i = 0; i < metadata->snapshot_count; i++) {
        nilas_str staged = summary_value(&metadata->snapshots[i], "wap.id");
        if (staged.data != NULL && nilas_str_equal(staged, wap_id)) {
            state.source_id = metadata->snapshots[i].snapshot_id;
            found++;
        }
    }
    NILAS_REQUIRE(found > 0, err, NILAS_INVALID, "Cannot apply unknown WAP ID '%.*s'",
                  NILAS_FMT(wap_id));
    NILAS_REQUIRE(found == 1, err, NILAS_INVALID,
                  "Cannot apply non-unique WAP ID. Found %zu snapshots with WAP ID '%.*s'", found,
                  NILAS_FMT(wap_id));
    return run_pick(&state, err);
}
