/**
 * rewrite_table_path: a copy of a table's metadata whose paths begin with another prefix, in a
 * staging folder, and a list of what is to be copied where. The table itself does not change.
 *
 * Versions from `end_version` back to, and without, `start_version` are rewritten, and of their
 * snapshots those that the start does not have: manifest lists, the manifests that these snapshots
 * added, and delete files that hold paths. Data files are only listed.
 */
#include "session/procedure.h"

/** A rewritten delete file: its new size, and where its blobs went. */
typedef struct moved_deletes {
    int64_t size_bytes;
    nilas_offset_pair *offsets;
    size_t offset_count;
} moved_deletes;

typedef struct path_move {
    nilas_procedure_call *call;
    nilas_arena *arena;
    nilas_io *io;
    nilas_relocation to;
    nilas_str start_version, end_version;      // locations; start data NULL: from the beginning
    nilas_metadata *start, *end;               // start may be NULL
    NILAS_ARRAY_OF(nilas_metadata *) versions; // to be rewritten
    nilas_map delta;     // ids of snapshots of the versions that the start does not have
    nilas_map manifests; // path -> nilas_manifest_file of the manifests to be rewritten
    nilas_map lines;     // path -> nilas_manifest_file as it will be
    nilas_map deletes;   // path -> moved_deletes
    nilas_map plan;      // from -> to
    int64_t manifest_count, delete_count;
} path_move;

/* --- arguments
 * ------------------------------------------------------------------------------------ */

static nilas_str file_name(nilas_str path) {
    size_t at = path.size;
    while (at > 0 && path.data[at - 1] != '/') {
        at--;
    }
    return nilas_str_slice(path, at, path.size);
}

static nilas_code check_prefixes(path_move *move, nilas_error *err) {
    nilas_procedure_call *call = move->call;
    move->to.source_prefix = nilas_call__text(call, "source_prefix", NILAS_STR_EMPTY);
    move->to.target_prefix = nilas_call__text(call, "target_prefix", NILAS_STR_EMPTY);
    NILAS_REQUIRE(move->to.source_prefix.size > 0, err, NILAS_INVALID,
                  "Source prefix('') cannot be empty.");
    NILAS_REQUIRE(move->to.target_prefix.size > 0, err, NILAS_INVALID,
                  "Target prefix('') cannot be empty.");
    NILAS_REQUIRE(!nilas_str_equal(move->to.source_prefix, move->to.target_prefix), err,
                  NILAS_INVALID, "Source prefix cannot be the same as target prefix (%.*s)",
                  NILAS_FMT(move->to.source_prefix));
    return NILAS_OK;
}

/** The location of a version of the table by its file name; empty when it is not asked for. */
static nilas_code find_version(const path_move *move, const char *parameter, const char *words,
                               nilas_str *out, nilas_error *err) {
    const nilas_metadata *metadata = move->call->table->metadata;
    nilas_str name = nilas_call__text(move->call, parameter, (nilas_str){.data = NULL});
    nilas_str found = {.data = NULL};
    bool exists;
    *out = found;
    if (name.data == NULL) {
        return NILAS_OK;
    }
    NILAS_REQUIRE(nilas_str_trim(name).size > 0, err, NILAS_INVALID,
                  "%s version('%.*s') cannot be empty.", words, NILAS_FMT(name));
    if (nilas_str_equal(file_name(metadata->metadata_location), name)) {
        found = metadata->metadata_location;
    }
    for (size_t i = 0; i < metadata->metadata_log_count; i++) {
        if (nilas_str_equal(file_name(metadata->metadata_log[i].metadata_file), name)) {
            found = metadata->metadata_log[i].metadata_file;
        }
    }
    NILAS_REQUIRE(found.data != NULL, err, NILAS_INVALID,
                  "Cannot find provided version file %.*s in metadata log.", NILAS_FMT(name));
    NILAS_TRY(nilas_io_exists(move->io, found, &exists, err));
    NILAS_REQUIRE(exists, err, NILAS_INVALID, "Version file %.*s does not exist.",
                  NILAS_FMT(found));
    *out = found;
    return NILAS_OK;
}

static nilas_code choose_staging(path_move *move, nilas_error *err) {
    nilas_str given = nilas_call__text(move->call, "staging_location", (nilas_str){.data = NULL});
    nilas_str current = move->call->table->metadata->metadata_location;
    nilas_str uuid;
    if (given.data != NULL) {
        NILAS_REQUIRE(given.size > 0, err, NILAS_INVALID, "Staging location('') cannot be empty.");
        return nilas_str_print(move->arena, &move->to.staging, err, "%.*s%s", NILAS_FMT(given),
                               nilas_str_ends(given, NILAS_STR("/")) ? "" : "/");
    }
    nilas_str folder = nilas_str_slice(current, 0, current.size - file_name(current).size);
    NILAS_TRY(nilas_commit_new_uuid(move->arena, &uuid, err));
    return nilas_str_print(move->arena, &move->to.staging, err, "%.*scopy-table-staging-%.*s/",
                           NILAS_FMT(folder), NILAS_FMT(uuid));
}

static nilas_code read_arguments(path_move *move, nilas_error *err) {
    NILAS_TRY(check_prefixes(move, err));
    NILAS_TRY(find_version(move, "end_version", "End", &move->end_version, err));
    NILAS_TRY(find_version(move, "start_version", "Start", &move->start_version, err));
    if (move->end_version.data == NULL) {
        move->end_version = move->call->table->metadata->metadata_location;
    }
    return choose_staging(move, err);
}

/* --- the list of copies
 * --------------------------------------------------------------------------- */

static nilas_code add_copy(path_move *move, nilas_str from, nilas_str target, nilas_error *err) {
    nilas_str *own;
    if (nilas_map_find(&move->plan, from) != NULL) {
        return NILAS_OK;
    }
    NILAS_NEW(move->arena, &own, err);
    *own = target;
    return nilas_map_put(&move->plan, from, own, err);
}

static nilas_code write_list(path_move *move, nilas_str *out, nilas_error *err) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(SIZE_MAX);
    for (size_t i = 0; i < move->plan.count; i++) {
        const nilas_str *target = move->plan.entries[i].value;
        nilas_buf_add(&text, move->plan.entries[i].key);
        nilas_buf_add_char(&text, ',');
        nilas_buf_add(&text, *target);
        nilas_buf_add_char(&text, '\n');
    }
    NILAS_TRY(nilas_buf_check(&text, err));
    NILAS_TRY(nilas_str_print(move->arena, out, err, "%.*sfile-list", NILAS_FMT(move->to.staging)));
    return nilas_io_write(move->io, *out, nilas_buf_view(&text), true, err);
}

/** Write bytes to the staging place of a path, and list the copy. */
static nilas_code stage_bytes(path_move *move, nilas_str path, nilas_str bytes, nilas_error *err) {
    nilas_str staged, target;
    NILAS_TRY(nilas_relocation_staged(move->arena, &move->to, path, &staged, err));
    NILAS_TRY(nilas_relocation_target(move->arena, &move->to, path, &target, err));
    NILAS_TRY(nilas_io_write(move->io, staged, bytes, true, err));
    return add_copy(move, staged, target, err);
}

/* --- versions
 * ------------------------------------------------------------------------------------- */

static nilas_code load_versions(path_move *move, nilas_error *err) {
    NILAS_TRY(nilas_metadata_load(move->io, move->arena, move->end_version, &move->end, err));
    NILAS_PUSH(move->arena, &move->versions, move->end, err);
    if (move->start_version.data != NULL) {
        NILAS_TRY(
            nilas_metadata_load(move->io, move->arena, move->start_version, &move->start, err));
    }
    for (size_t i = move->end->metadata_log_count; i > 0; i--) {
        nilas_str location = move->end->metadata_log[i - 1].metadata_file;
        nilas_metadata *version;
        bool exists;
        if (move->start_version.data != NULL && nilas_str_equal(location, move->start_version)) {
            break;
        }
        NILAS_TRY(nilas_io_exists(move->io, location, &exists, err));
        NILAS_REQUIRE(exists, err, NILAS_INVALID, "Version file %.*s doesn't exist",
                      NILAS_FMT(location));
        NILAS_TRY(nilas_metadata_load(move->io, move->arena, location, &version, err));
        NILAS_PUSH(move->arena, &move->versions, version, err);
    }
    nilas_map_init(&move->delta, move->arena, false);
    for (size_t v = 0; v < move->versions.count; v++) {
        for (size_t i = 0; i < move->versions.items[v]->snapshot_count; i++) {
            int64_t id = move->versions.items[v]->snapshots[i].snapshot_id;
            if (move->start == NULL || nilas_metadata_snapshot(move->start, id) == NULL) {
                NILAS_TRY(nilas_map_put_int(&move->delta, id, move, err));
            }
        }
    }
    return NILAS_OK;
}

static nilas_code list_statistics(path_move *move, const nilas_statistics_file *before,
                                  const nilas_statistics_file *after, size_t count,
                                  nilas_error *err) {
    for (size_t i = 0; i < count; i++) {
        NILAS_TRY(add_copy(move, before[i].path, after[i].path, err));
    }
    return NILAS_OK;
}

static nilas_code stage_version(path_move *move, const nilas_metadata *version, nilas_error *err) {
    nilas_str location = version->metadata_location, text, staged;
    nilas_metadata moved;
    NILAS_TRY(nilas_relocation_staged(move->arena, &move->to, location, &staged, err));
    NILAS_TRY(nilas_relocate_metadata(move->arena, &move->to, version, &moved, err));
    NILAS_TRY(nilas_metadata_print(move->arena, &moved, &text, err));
    if (nilas_str_ends(location, NILAS_STR(".gz.metadata.json")) ||
        nilas_str_ends(location, NILAS_STR(".metadata.json.gz"))) {
        NILAS_TRY(nilas_compress(move->arena, NILAS_COMPRESSION_GZIP, -1, text, &text, err));
    }
    NILAS_TRY(stage_bytes(move, location, text, err));
    NILAS_TRY(list_statistics(move, version->statistics, moved.statistics,
                              version->statistics_count, err));
    return list_statistics(move, version->partition_statistics, moved.partition_statistics,
                           version->partition_statistics_count, err);
}

/* --- manifests
 * ------------------------------------------------------------------------------------ */

static bool is_in_start(const path_move *move, const nilas_snapshot *snapshot) {
    return move->start != NULL &&
           nilas_metadata_snapshot(move->start, snapshot->snapshot_id) != NULL;
}

/** The manifests that the end has and the start, by who added them, does not; only those that a
 * snapshot to be moved names. */
static nilas_code find_manifests(path_move *move, nilas_error *err) {
    for (size_t i = 0; i < move->end->snapshot_count; i++) {
        const nilas_snapshot *snapshot = &move->end->snapshots[i];
        nilas_manifest_file *manifests;
        size_t count;
        nilas_code code = nilas_snapshot_manifests(move->io, move->arena, move->end, snapshot,
                                                   &manifests, &count, err);
        if (code == NILAS_NOT_FOUND) {
            return nilas_fail(err, NILAS_INVALID,
                              "Unable to build the manifest files dataframe. The end version in "
                              "use may contain invalid snapshots. Please choose an earlier version "
                              "without invalid snapshots.");
        }
        NILAS_TRY(code);
        for (size_t k = 0; k < count && !is_in_start(move, snapshot); k++) {
            NILAS_REQUIRE(nilas_str_starts(manifests[k].path, move->to.source_prefix), err,
                          NILAS_INVALID,
                          "Encountered manifest file %.*s not under the source prefix %.*s",
                          NILAS_FMT(manifests[k].path), NILAS_FMT(move->to.source_prefix));
            bool is_wanted =
                move->start == NULL ||
                nilas_map_find_int(&move->delta, manifests[k].added_snapshot_id) != NULL;
            if (is_wanted && nilas_map_find(&move->manifests, manifests[k].path) == NULL) {
                NILAS_TRY(nilas_map_put(&move->manifests, manifests[k].path, &manifests[k], err));
                move->manifest_count++;
            }
        }
    }
    return NILAS_OK;
}

/** Of an entry of a manifest: where the file is copied from, when it is. */
static nilas_code on_file(void *context, const nilas_manifest_entry *entry, nilas_data_file *file,
                          nilas_error *err) {
    path_move *move = context;
    const moved_deletes *deletes = nilas_map_find(&move->deletes, entry->file.file_path);
    nilas_str from = entry->file.file_path, target;
    if (deletes != NULL) {
        file->file_size_in_bytes = deletes->size_bytes;
        for (size_t i = 0; i < deletes->offset_count; i++) {
            if (deletes->offsets[i].before == entry->file.content_offset) {
                file->content_offset = deletes->offsets[i].after;
            }
        }
    }
    if (entry->status == NILAS_ENTRY_DELETED ||
        nilas_map_find_int(&move->delta, entry->snapshot_id) == NULL) {
        return NILAS_OK;
    }
    if (entry->file.content == NILAS_FILE_POSITION_DELETES) {
        NILAS_TRY(
            nilas_relocation_staged(move->arena, &move->to, entry->file.file_path, &from, err));
    }
    // The entry's own bytes go with the manifest's scratch memory.
    NILAS_TRY(nilas_str_copy(move->arena, from, &from, err));
    NILAS_TRY(nilas_str_copy(move->arena, file->file_path, &target, err));
    return add_copy(move, from, target, err);
}

static nilas_code stage_manifest(path_move *move, const nilas_manifest_file *manifest,
                                 nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    const nilas_manifest_move how = {.to = &move->to,
                                     .io = move->io,
                                     .metadata = move->end,
                                     .on_file = on_file,
                                     .context = move};
    nilas_manifest_file *line, made;
    nilas_str bytes;
    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(nilas_relocate_manifest(scratch, &how, manifest, &bytes, &made, err));
    NILAS_NEW(move->arena, &line, err);
    *line = made;
    NILAS_TRY(nilas_str_copy(move->arena, made.path, &line->path, err));
    NILAS_TRY(nilas_map_put(&move->lines, manifest->path, line, err));
    return stage_bytes(move, manifest->path, bytes, err);
}

/** A list of the end's format version, unless its snapshot is older than row ids. */
static nilas_code stage_list(path_move *move, const nilas_snapshot *snapshot, nilas_error *err) {
    nilas_manifest_file *manifests;
    nilas_str bytes;
    size_t count;
    int64_t ignored;
    bool has_row_ids = snapshot->first_row_id >= 0;
    nilas_manifest_list_options options = {
        .format_version =
            move->end->format_version >= 3 && !has_row_ids ? 2 : move->end->format_version,
        .compression =
            nilas_metadata_property(move->end, "write.manifest.compression-codec", NILAS_STR_EMPTY),
        .snapshot_id = snapshot->snapshot_id,
        .parent_id = snapshot->parent_id,
        .sequence_number = snapshot->sequence_number,
        .next_row_id = has_row_ids ? snapshot->first_row_id : 0,
    };
    NILAS_TRY(nilas_snapshot_manifests(move->io, move->arena, move->end, snapshot, &manifests,
                                       &count, err));
    for (size_t i = 0; i < count; i++) {
        const nilas_manifest_file *line = nilas_map_find(&move->lines, manifests[i].path);
        if (line != NULL) {
            manifests[i].path = line->path;
            manifests[i].length = line->length;
        } else {
            NILAS_TRY(nilas_relocation_target(move->arena, &move->to, manifests[i].path,
                                              &manifests[i].path, err));
        }
    }
    NILAS_TRY(
        nilas_manifest_list_encode(move->arena, &options, manifests, count, &bytes, &ignored, err));
    return stage_bytes(move, snapshot->manifest_list, bytes, err);
}

/* --- delete files
 * --------------------------------------------------------------------------------- */

typedef struct delete_visit {
    path_move *move;
    nilas_map *seen;                       // path, offset and size: what counts as one
    NILAS_ARRAY_OF(nilas_data_file) files; // one of each path
    nilas_code failed;
    nilas_error *err;
} delete_visit;

static nilas_code note_deletes(delete_visit *visit, const nilas_data_file *file, nilas_error *err) {
    path_move *move = visit->move;
    NILAS_AUTO_BUF key = NILAS_BUF_INIT(1 << 20);
    nilas_str text, path;
    nilas_data_file copy = *file;
    nilas_buf_print(&key, "%lld:%lld:", (long long)file->content_offset,
                    (long long)file->content_size_in_bytes);
    nilas_buf_add(&key, file->file_path);
    if (nilas_map_find(visit->seen, nilas_buf_view(&key)) != NULL) {
        return NILAS_OK;
    }
    NILAS_TRY(nilas_buf_finish(&key, move->arena, &text, err));
    NILAS_TRY(nilas_map_put(visit->seen, text, visit, err));
    move->delete_count++;
    NILAS_TRY(nilas_str_copy(move->arena, file->file_path, &path, err));
    if (nilas_map_find(visit->seen, path) == NULL) {
        NILAS_TRY(nilas_map_put(visit->seen, path, visit, err));
        copy.file_path = path;
        NILAS_TRY(nilas_str_copy(move->arena, file->file_format, &copy.file_format, err));
        NILAS_PUSH(move->arena, &visit->files, copy, err);
    }
    return NILAS_OK;
}

static bool on_delete(void *context, const nilas_manifest_entry *entry) {
    delete_visit *visit = context;
    if (entry->status != NILAS_ENTRY_DELETED &&
        entry->file.content == NILAS_FILE_POSITION_DELETES) {
        visit->failed = note_deletes(visit, &entry->file, visit->err);
    }
    return visit->failed == NILAS_OK;
}

static nilas_code with_slash(nilas_arena *arena, nilas_str prefix, nilas_str *out,
                             nilas_error *err) {
    return nilas_str_print(arena, out, err, "%.*s%s", NILAS_FMT(prefix),
                           nilas_str_ends(prefix, NILAS_STR("/")) ? "" : "/");
}

static nilas_code stage_parquet(path_move *move, nilas_str path, nilas_str staged,
                                nilas_error *err) {
    nilas_position_move positions = {.from = path, .target = staged};
    nilas_str folder = nilas_str_slice(staged, 0, staged.size - file_name(staged).size);
    NILAS_TRY(with_slash(move->arena, move->to.source_prefix, &positions.source_prefix, err));
    NILAS_TRY(with_slash(move->arena, move->to.target_prefix, &positions.target_prefix, err));
    NILAS_TRY(nilas_io_make_directory(move->io, folder, err));
    return nilas_engine_move_positions(move->call->run->session->engine, move->arena, move->io,
                                       &positions, err);
}

/** The bytes of a file that is not Parquet. */
static nilas_code stage_other(path_move *move, const nilas_data_file *file, nilas_str staged,
                              moved_deletes *moved, nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_str bytes, out;
    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(
        nilas_io_read(move->io, scratch, file->file_path, NILAS_LIMIT_BITMAP_BYTES, &bytes, err));
    if (nilas_str_is(file->file_format, "PUFFIN")) {
        nilas_offset_pair *offsets;
        NILAS_TRY(nilas_relocate_vectors(scratch, &move->to, bytes, &out, &offsets,
                                         &moved->offset_count, err));
        NILAS_NEW_ARRAY(move->arena, &moved->offsets, moved->offset_count, err);
        nilas_copy(moved->offsets, offsets, moved->offset_count * sizeof(*offsets));
    } else {
        NILAS_REQUIRE(nilas_str_is(file->file_format, "AVRO"), err, NILAS_UNSUPPORTED,
                      "rewrite_table_path does not support delete files in %.*s: %.*s",
                      NILAS_FMT(file->file_format), NILAS_FMT(file->file_path));
        NILAS_TRY(
            nilas_relocate_avro_deletes(scratch, &move->to, bytes, file->file_path, &out, err));
    }
    return nilas_io_write(move->io, staged, out, true, err);
}

static nilas_code stage_deletes(path_move *move, const nilas_data_file *file, nilas_error *err) {
    nilas_str staged;
    nilas_io_stat stat;
    moved_deletes *moved;
    NILAS_NEW(move->arena, &moved, err);
    NILAS_REQUIRE(nilas_str_starts(file->file_path, move->to.source_prefix), err, NILAS_UNSUPPORTED,
                  "Expected delete file %.*s to start with prefix: %.*s",
                  NILAS_FMT(file->file_path), NILAS_FMT(move->to.source_prefix));
    NILAS_TRY(nilas_relocation_staged(move->arena, &move->to, file->file_path, &staged, err));
    NILAS_TRY(nilas_str_is(file->file_format, "PARQUET")
                  ? stage_parquet(move, file->file_path, staged, err)
                  : stage_other(move, file, staged, moved, err));
    NILAS_TRY(nilas_io_stat_file(move->io, staged, &stat, err));
    moved->size_bytes = stat.size_bytes;
    return nilas_map_put(&move->deletes, file->file_path, moved, err);
}

/** Delete files are written before the manifests, which tell their sizes. */
static nilas_code stage_all_deletes(path_move *move, nilas_error *err) {
    nilas_map seen;
    delete_visit visit = {.move = move, .seen = &seen, .err = err};
    nilas_map_init(&seen, move->arena, false);
    for (size_t i = 0; i < move->manifests.count; i++) {
        const nilas_manifest_file *manifest = move->manifests.entries[i].value;
        NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
        NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
        if (manifest->content != NILAS_MANIFEST_DELETES) {
            continue;
        }
        nilas_code code = nilas_manifest_read(move->io, scratch, move->end, manifest, 0, false,
                                              on_delete, &visit, err);
        NILAS_TRY(visit.failed);
        NILAS_TRY(code);
    }
    for (size_t i = 0; i < visit.files.count; i++) {
        NILAS_TRY(stage_deletes(move, &visit.files.items[i], err));
    }
    return NILAS_OK;
}

/* --- all of it
 * ------------------------------------------------------------------------------------ */

static nilas_code stage_all(path_move *move, nilas_error *err) {
    nilas_map_init(&move->manifests, move->arena, false);
    nilas_map_init(&move->lines, move->arena, false);
    nilas_map_init(&move->deletes, move->arena, false);
    nilas_map_init(&move->plan, move->arena, false);
    for (size_t i = 0; i < move->versions.count; i++) {
        NILAS_TRY(stage_version(move, move->versions.items[i], err));
    }
    NILAS_TRY(find_manifests(move, err));
    NILAS_TRY(stage_all_deletes(move, err));
    for (size_t i = 0; i < move->manifests.count; i++) {
        NILAS_TRY(stage_manifest(move, move->manifests.entries[i].value, err));
    }
    for (size_t i = 0; i < move->end->snapshot_count; i++) {
        if (!is_in_start(move, &move->end->snapshots[i])) {
            NILAS_TRY(stage_list(move, &move->end->snapshots[i], err));
        }
    }
    return NILAS_OK;
}

nilas_code nilas_procedure__rewrite_table_path(nilas_procedure_call *call, nilas_error *err) {
    path_move move = {.call = call, .arena = call->run->stmt};
    nilas_str list = NILAS_STR("N/A");
    NILAS_TRY(nilas_call__load(call, err));
    move.io = call->table->io;
    NILAS_TRY(read_arguments(&move, err));
    NILAS_TRY(load_versions(&move, err));
    NILAS_TRY(stage_all(&move, err));
    if (nilas_call__bool(call, "create_file_list", true)) {
        NILAS_TRY(write_list(&move, &list, err));
    }
    nilas_value cells[] = {
        nilas_value_of_str(file_name(move.end_version)),
        nilas_value_of_str(list),
        nilas_value_of_int(move.manifest_count),
        nilas_value_of_int(move.delete_count),
    };
    return nilas_call__answer(call, cells, err);
}
