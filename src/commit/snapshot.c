/*
 * A snapshot: validate against what others committed, take out the files that go, add those that
 * come, merge small manifests, write the list, count. The base's files are only read.
 */
#include "commit/snapshot.h"

#define MAIN NILAS_STR("main")

// ---- beginning ----------------------------------------------------------------------------------

static nilas_code note_wanted(nilas_arena *arena, nilas_map *names, const nilas_data_file *file,
                              bool is_data, nilas_error *err) {
    nilas_commit__wanted *wanted;
    nilas_str key = file->file_path;

    if (!is_data) {
        NILAS_TRY(nilas_commit__delete_key(arena, file, &key, err));
    }
    NILAS_NEW(arena, &wanted, err);
    wanted->file = file;
    return nilas_map_put(names, key, wanted, err);
}

/** The branch that the snapshot goes to, and where it starts from. */
static nilas_code find_parent(nilas_commit__making *making, nilas_str branch, nilas_error *err) {
    const nilas_metadata *metadata = &making->update->metadata;
    const nilas_ref *ref = nilas_metadata_ref(metadata, branch);

    NILAS_REQUIRE(ref == NULL || !ref->is_tag, err, NILAS_INVALID,
                  "%.*s is a tag, not a branch. Tags cannot be targets for producing snapshots",
                  NILAS_FMT(branch));
    // A new branch starts where the table is.
    making->parent = ref != NULL ? nilas_metadata_snapshot(metadata, ref->snapshot_id)
                                 : nilas_metadata_current_snapshot(metadata);
    return NILAS_OK;
}

/** Replacing all partitions of an unpartitioned spec is replacing everything. */
static bool replaces_everything(const nilas_metadata *metadata,
                                const nilas_snapshot_change *change) {
    for (size_t i = 0; change->replace_partitions && i < change->added_count; i++) {
        const nilas_partition_spec *spec = nilas_metadata_spec(metadata, change->added[i].spec_id);
        if (spec != NULL && spec->field_count == 0) {
            return true;
        }
    }
    return false;
}

static nilas_code begin(nilas_commit__making *making, nilas_update *update,
                        const nilas_snapshot_change *change, nilas_str branch, nilas_error *err) {
    const nilas_metadata *metadata = &update->metadata;

    *making = (nilas_commit__making){.update = update, .change = change};
    NILAS_REQUIRE(metadata->format_version > 1 || change->added_delete_count == 0, err,
                  NILAS_INVALID, "Cannot write delete files in a v1 table");
    NILAS_TRY(find_parent(making, branch, err));
    making->snapshot_id = nilas_commit_new_snapshot_id(metadata);
    making->sequence_number = metadata->format_version > 1 ? metadata->last_sequence_number + 1 : 0;
    making->remove_everything = change->delete_all || replaces_everything(metadata, change);
    NILAS_TRY(nilas_commit__partitions_of(update->arena, change->removed, change->removed_count,
                                          &making->removed_partitions, err));
    NILAS_TRY(nilas_commit__partitions_of(update->arena, change->removed_deletes,
                                          change->removed_delete_count,
                                          &making->removed_delete_partitions, err));
    NILAS_TRY(nilas_commit__partitions_of(update->arena, change->added,
                                          change->replace_partitions ? change->added_count : 0,
                                          &making->replaced, err));
    nilas_map_init(&making->removed, update->arena, false);
    nilas_map_init(&making->removed_deletes, update->arena, false);
    nilas_map_init(&making->gone, update->arena, false);
    nilas_map_init(&making->gone_deletes, update->arena, false);
    nilas_map_init(&making->evaluators, update->arena, false);
    nilas_map_init(&making->partitions, update->arena, false);
    for (size_t i = 0; i < change->removed_count; i++) {
        NILAS_TRY(note_wanted(update->arena, &making->removed, &change->removed[i], true, err));
    }
    for (size_t i = 0; i < change->removed_delete_count; i++) {
        NILAS_TRY(note_wanted(update->arena, &making->removed_deletes, &change->removed_deletes[i],
                              false, err));
    }
    return NILAS_OK;
}

// ---- manifests ----------------------------------------------------------------------------------

static bool is_pure_append(const nilas_snapshot_change *change) {
    return change->removed_count == 0 && change->removed_delete_count == 0 &&
           change->added_delete_count == 0 && change->delete_filter == NULL &&
           !change->delete_all && !change->replace_partitions;
}

/** Manifests that hold nothing any more are left out, unless they tell what this one deleted. */
static bool is_kept(const nilas_commit__making *making, const nilas_manifest_file *manifest) {
    return manifest->added_files_count != 0 || manifest->existing_files_count != 0 ||
           manifest->added_snapshot_id == making->snapshot_id;
}

/** The parent's manifests of one content, filtered, behind those that are new. */
static nilas_code filter_all(nilas_commit__making *making, const nilas_commit__manifests *parents,
                             nilas_manifest_content content, nilas_commit__manifests *out,
                             nilas_error *err) {
    for (size_t i = 0; i < parents->count; i++) {
        nilas_manifest_file filtered = parents->items[i];
        if (filtered.content != content) {
            continue;
        }
        if (!is_pure_append(making->change)) {
            NILAS_TRY(nilas_commit__filter(making, &parents->items[i], &filtered, err));
        }
        if (content == NILAS_MANIFEST_DATA && filtered.min_sequence_number >= 0 &&
            filtered.min_sequence_number < making->min_data_sequence) {
            making->min_data_sequence = filtered.min_sequence_number;
        }
        if (is_kept(making, &filtered)) {
            NILAS_PUSH(making->update->arena, out, filtered, err);
        }
    }
    return NILAS_OK;
}

static nilas_code build(nilas_commit__making *making, nilas_commit__manifests *out,
                        nilas_error *err) {
    const nilas_snapshot_change *change = making->change;
    nilas_update *update = making->update;
    nilas_commit__manifests parents = {0}, data = {0}, deletes = {0};

    if (making->parent != NULL) {
        NILAS_TRY(nilas_snapshot_manifests(update->io, update->arena, &update->metadata,
                                           making->parent, &parents.items, &parents.count, err));
    }
    if (change->manifest_rewrite != NULL) {
        return nilas_commit__rewrite(making, &parents, out, err);
    }
    making->min_data_sequence = update->metadata.last_sequence_number;
    if (change->data_sequence_number > 0 && change->added_count > 0 &&
        change->data_sequence_number < making->min_data_sequence) {
        making->min_data_sequence = change->data_sequence_number;
    }
    NILAS_TRY(nilas_commit__write_added(making, change->added, change->added_count,
                                        NILAS_MANIFEST_DATA, &data, err));
    NILAS_TRY(filter_all(making, &parents, NILAS_MANIFEST_DATA, &data, err));
    NILAS_TRY(nilas_commit__write_added(making, change->added_deletes, change->added_delete_count,
                                        NILAS_MANIFEST_DELETES, &deletes, err));
    NILAS_TRY(filter_all(making, &parents, NILAS_MANIFEST_DELETES, &deletes, err));
    NILAS_TRY(nilas_commit__check_found(making, err));
    if (is_pure_append(change) && !change->append_manifests_merge) { // a fast append
        for (size_t i = 0; i < data.count; i++) {
            NILAS_PUSH(update->arena, out, data.items[i], err);
        }
        for (size_t i = 0; i < deletes.count; i++) {
            NILAS_PUSH(update->arena, out, deletes.items[i], err);
        }
        return NILAS_OK;
    }
    NILAS_TRY(nilas_commit__merge(making, &data, out, err));
    return nilas_commit__merge(making, &deletes, out, err);
}

static nilas_code write_list(nilas_commit__making *making, nilas_commit__manifests *manifests,
                             nilas_snapshot *snapshot, nilas_error *err) {
    nilas_update *update = making->update;
    nilas_metadata *metadata = &update->metadata;
    nilas_manifest_list_options options = {
        .format_version = metadata->format_version,
        .compression =
            nilas_metadata_property(metadata, "write.manifest.compression-codec", NILAS_STR_EMPTY),
        .snapshot_id = making->snapshot_id,
        .parent_id = snapshot->parent_id,
        .sequence_number = making->sequence_number,
        .next_row_id = metadata->next_row_id,
    };
    nilas_str bytes, name;
    int64_t next_row_id;

    NILAS_TRY(nilas_manifest_list_encode(update->arena, &options, manifests->items,
                                         manifests->count, &bytes, &next_row_id, err));
    NILAS_TRY(nilas_str_print(update->arena, &name, err, "snap-%lld-%d-%.*s.avro",
                              (long long)making->snapshot_id, update->attempt,
                              NILAS_FMT(update->uuid)));
    NILAS_TRY(nilas_commit__metadata_file(update, name, &snapshot->manifest_list, err));
    NILAS_TRY(nilas_commit__write(update, snapshot->manifest_list, bytes, err));
    if (metadata->format_version >= 3) {
        snapshot->first_row_id = metadata->next_row_id;
        snapshot->added_rows = next_row_id - metadata->next_row_id;
        metadata->next_row_id = next_row_id;
    }
    return NILAS_OK;
}

// ---- the snapshot -------------------------------------------------------------------------------

/** Iceberg's names for what was asked, whether or not a file matched. */
static const char *operation_of(const nilas_snapshot_change *change) {
    bool adds = change->added_count > 0;
    bool removes = change->removed_count > 0 || change->delete_filter != NULL || change->delete_all;

    if (change->operation != NULL) {
        return change->operation;
    }
    if (change->replace_partitions) {
        return "overwrite";
    }
    if (change->added_delete_count > 0) {
        return adds || change->removed_count > 0 ? "overwrite" : "delete";
    }
    if (adds) {
        return removes ? "overwrite" : "append";
    }
    return removes ? "delete" : "append";
}

static nilas_code add_snapshot(nilas_update *update, const nilas_snapshot *snapshot,
                               nilas_error *err) {
    nilas_metadata *metadata = &update->metadata;
    nilas_snapshot *list;

    NILAS_NEW_ARRAY(update->arena, &list, metadata->snapshot_count + 1, err);
    nilas_commit__copy(list, metadata->snapshots, metadata->snapshot_count * sizeof(list[0]));
    list[metadata->snapshot_count++] = *snapshot;
    metadata->snapshots = list;
    metadata->last_sequence_number = snapshot->sequence_number;
    NILAS_PUSH(update->arena, &update->added_snapshots, snapshot->snapshot_id, err);
    update->updated_ms = snapshot->timestamp_ms;
    update->changed = true;
    return NILAS_OK;
}

/** The branch's ref at the snapshot, with what else the ref says. */
static nilas_code move_branch(nilas_update *update, nilas_str branch, int64_t snapshot_id,
                              nilas_error *err) {
    const nilas_ref *existing = nilas_metadata_ref(&update->metadata, branch);
    nilas_ref ref = {.name = branch,
                     .max_ref_age_ms = -1,
                     .max_snapshot_age_ms = -1,
                     .min_snapshots_to_keep = -1};

    if (existing != NULL) {
        ref = *existing;
    }
    ref.snapshot_id = snapshot_id;
    return nilas_update_ref(update, &ref, err);
}

nilas_code nilas_update_snapshot(nilas_update *update, const nilas_snapshot_change *change,
                                 nilas_snapshot *out, nilas_error *err) {
    nilas_str branch = change->branch.size > 0 ? change->branch : MAIN;
    nilas_commit__manifests manifests = {0};
    nilas_commit__making making;
    int64_t now = nilas_now_ms();

    NILAS_TRY(begin(&making, update, change, branch, err));
    NILAS_TRY(nilas_commit__validate(&making, err));
    NILAS_TRY(build(&making, &manifests, err));

    nilas_snapshot snapshot = {
        .snapshot_id = making.snapshot_id,
        .parent_id = making.parent != NULL ? making.parent->snapshot_id : -1,
        .sequence_number = making.sequence_number,
        .timestamp_ms =
            now > update->metadata.last_updated_ms ? now : update->metadata.last_updated_ms,
        .operation = nilas_str_of(operation_of(change)),
        .schema_id = update->metadata.current_schema_id,
        .first_row_id = -1,
        .added_rows = -1,
        .key_id = NILAS_STR_EMPTY,
    };
    NILAS_TRY(write_list(&making, &manifests, &snapshot, err));
    NILAS_TRY(nilas_commit__summarize(&making, manifests.items, manifests.count, &snapshot, err));
    NILAS_TRY(add_snapshot(update, &snapshot, err));
    if (!change->stage_only) {
        NILAS_TRY(move_branch(update, branch, snapshot.snapshot_id, err));
    }
    if (out != NULL) {
        *out = snapshot;
    }
    return NILAS_OK;
}
