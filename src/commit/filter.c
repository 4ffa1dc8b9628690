/*
 * Taking files out of a manifest. A manifest that cannot hold any of them is not read; one that
 * holds none is kept as it is; else a new one says which files this snapshot deleted, and the rest
 * goes on with its numbers.
 *
 * Whether all rows of a file match a filter is decided from metadata alone. A file that matches
 * only in part is an error: its rows are for others to rewrite.
 */
#include "commit/snapshot.h"

nilas_code nilas_commit__delete_key(nilas_arena *arena, const nilas_data_file *file, nilas_str *out,
                                    nilas_error *err) {
    if (!nilas_commit__is_vector(file)) {
        *out = file->file_path;
        return NILAS_OK;
    }
    return nilas_str_print(arena, out, err, "%.*s#%lld", NILAS_FMT(file->file_path),
                           (long long)file->content_offset);
}

nilas_code nilas_commit__evaluator(const nilas_commit__making *making, nilas_map *cache,
                                   const nilas_predicate *predicate, int32_t spec_id,
                                   const nilas_evaluator **out, nilas_error *err) {
    const nilas_metadata *metadata = &making->update->metadata;
    const nilas_partition_spec *spec = nilas_metadata_spec(metadata, spec_id);
    nilas_evaluator *made = nilas_map_find_int(cache, spec_id);

    if (made == NULL) {
        NILAS_REQUIRE(spec != NULL, err, NILAS_CORRUPT, "Cannot find partition spec %d", spec_id);
        NILAS_TRY(nilas_evaluator_new(making->update->arena, metadata,
                                      nilas_metadata_current_schema(metadata), spec, predicate,
                                      &made, err));
        NILAS_TRY(nilas_map_put_int(cache, spec_id, made, err));
    }
    *out = made;
    return NILAS_OK;
}

// ---- which manifests to read --------------------------------------------------------------------

static bool has_no_live_files(const nilas_manifest_file *manifest) {
    return manifest->added_files_count == 0 && manifest->existing_files_count == 0;
}

/** Whether a file that goes may be in the manifest. */
static nilas_code may_change(const nilas_commit__making *making,
                             const nilas_manifest_file *manifest, const nilas_evaluator *evaluator,
                             bool *out, nilas_error *err) {
    const nilas_metadata *metadata = &making->update->metadata;
    bool is_data = manifest->content == NILAS_MANIFEST_DATA;
    const nilas_commit__partitions *sets[] = {&making->replaced,
                                              is_data ? &making->removed_partitions
                                                      : &making->removed_delete_partitions};

    *out = !has_no_live_files(manifest) &&
           (making->remove_everything || (!is_data && making->gone.count > 0) ||
            (evaluator != NULL && nilas_evaluator_manifest(evaluator, manifest)));
    for (size_t i = 0; i < 2 && !*out && !has_no_live_files(manifest); i++) {
        NILAS_TRY(nilas_commit__partitions_touch(sets[i], metadata, manifest, out, err));
    }
    return NILAS_OK;
}

// ---- which entries go ---------------------------------------------------------------------------

typedef struct walker {
    nilas_commit__making *making;
    const nilas_evaluator *evaluator; // or NULL
    nilas_arena *scratch;             // of one entry
    nilas_manifest_writer *writer;    // NULL: only look whether one goes
    bool found;
    nilas_code failed;
    nilas_error *err;
} walker;

/** A file that the caller named; noted as found. */
static bool is_named(nilas_map *names, nilas_str key) {
    nilas_commit__wanted *wanted = nilas_map_find(names, key);

    if (wanted != NULL) {
        wanted->found = true;
    }
    return wanted != NULL;
}

static nilas_code fail_partly(const walker *at, const nilas_data_file *file) {
    NILAS_AUTO_BUF filter = NILAS_BUF_INIT(0);

    nilas_predicate_print(&filter, at->making->change->delete_filter,
                          nilas_metadata_current_schema(&at->making->update->metadata));
    return nilas_fail(at->err, NILAS_INVALID,
                      "Cannot delete file where some, but not all, rows match filter %.*s: %.*s",
                      NILAS_FMT(nilas_buf_view(&filter)), NILAS_FMT(file->file_path));
}

static nilas_code goes_data(const walker *at, const nilas_manifest_entry *entry, bool *out) {
    nilas_commit__making *making = at->making;
    const nilas_data_file *file = &entry->file;

    *out = is_named(&making->removed, file->file_path) || making->remove_everything ||
           nilas_commit__partitions_hold(&making->replaced, file);
    if (*out || at->evaluator == NULL ||
        !nilas_evaluator_partition(at->evaluator, &file->partition) ||
        !nilas_evaluator_metrics(at->evaluator, file)) {
        return NILAS_OK;
    }
    *out = nilas_evaluator_all(at->evaluator, file);
    return *out ? NILAS_OK : fail_partly(at, file);
}

/** Delete files also go when no data is left that they could apply to. */
static nilas_code goes_deletes(const walker *at, const nilas_manifest_entry *entry, bool *out) {
    nilas_commit__making *making = at->making;
    const nilas_data_file *file = &entry->file;
    nilas_str key;

    NILAS_TRY(nilas_commit__delete_key(at->scratch, file, &key, at->err));
    *out = is_named(&making->removed_deletes, key) || making->remove_everything ||
           nilas_commit__partitions_hold(&making->replaced, file) ||
           (entry->sequence_number > 0 && entry->sequence_number < making->min_data_sequence) ||
           (nilas_commit__is_vector(file) &&
            nilas_map_find(&making->gone, file->referenced_data_file) != NULL) ||
           (at->evaluator != NULL && nilas_evaluator_all(at->evaluator, file));
    return NILAS_OK;
}

/** Count a file that goes, once: a path may stand in two manifests by mistake. */
static nilas_code note_gone(walker *at, const nilas_data_file *file) {
    nilas_commit__making *making = at->making;
    bool is_data = file->content == NILAS_FILE_DATA;
    nilas_map *gone = is_data ? &making->gone : &making->gone_deletes;
    nilas_arena *arena = making->update->arena;
    nilas_str key = file->file_path;

    if (!is_data) {
        NILAS_TRY(nilas_commit__delete_key(at->scratch, file, &key, at->err));
    }
    if (nilas_map_find(gone, key) != NULL) {
        making->duplicates++;
        return NILAS_OK;
    }
    NILAS_TRY(nilas_str_copy(arena, key, &key, at->err));
    NILAS_TRY(nilas_map_put(gone, key, making, at->err));
    return nilas_commit__count(making, file, false, at->err);
}

static nilas_code walk(walker *at, const nilas_manifest_entry *read) {
    nilas_manifest_entry entry = *read;
    bool goes;

    if (entry.status == NILAS_ENTRY_DELETED) {
        return NILAS_OK; // on record in the snapshot that deleted it
    }
    nilas_arena_reset(at->scratch);
    NILAS_TRY(entry.file.content == NILAS_FILE_DATA ? goes_data(at, &entry, &goes)
                                                    : goes_deletes(at, &entry, &goes));
    at->found = at->found || goes;
    if (at->writer == NULL) {
        return NILAS_OK;
    }
    entry.status = goes ? NILAS_ENTRY_DELETED : NILAS_ENTRY_EXISTING;
    if (goes) {
        entry.snapshot_id = at->making->snapshot_id;
        NILAS_TRY(note_gone(at, &entry.file));
    }
    return nilas_manifest_writer_add(at->writer, &entry, at->err);
}

static bool visit(void *context, const nilas_manifest_entry *entry) {
    walker *at = context;

    at->failed = walk(at, entry);
    return at->failed == NILAS_OK && (at->writer != NULL || !at->found);
}

static nilas_code read_all(walker *at, const nilas_manifest_file *manifest, int columns,
                           nilas_error *err) {
    NILAS_AUTO(nilas_arena) entries = nilas_arena_new(NULL, 0);
    const nilas_update *update = at->making->update;

    NILAS_REQUIRE(entries != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(nilas_manifest_read(update->io, entries, &update->metadata, manifest, columns, false,
                                  visit, at, err));
    return at->failed;
}

nilas_code nilas_commit__filter(nilas_commit__making *making, const nilas_manifest_file *manifest,
                                nilas_manifest_file *out, nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    const nilas_predicate *filter = making->change->delete_filter;
    walker at = {.making = making, .scratch = scratch, .failed = NILAS_OK, .err = err};
    bool changes;

    NILAS_REQUIRE(scratch != NULL && arena != NULL, err, NILAS_NOMEM, "out of memory");
    *out = *manifest;
    if (filter != NULL) {
        NILAS_TRY(nilas_commit__evaluator(making, &making->evaluators, filter,
                                          manifest->partition_spec_id, &at.evaluator, err));
    }
    NILAS_TRY(may_change(making, manifest, at.evaluator, &changes, err));
    if (!changes) {
        return NILAS_OK;
    }
    NILAS_TRY(read_all(&at, manifest, filter != NULL ? NILAS_MANIFEST_STATS : 0, err));
    if (!at.found) {
        return NILAS_OK;
    }
    NILAS_TRY(nilas_commit__begin_manifest(making, arena, manifest->partition_spec_id,
                                           manifest->content, &at.writer, err));
    NILAS_TRY(read_all(&at, manifest, NILAS_MANIFEST_ALL, err));
    NILAS_TRY(nilas_commit__end_manifest(making, at.writer, out, err));
    making->manifests_replaced++;
    return NILAS_OK;
}

static void list_missing(nilas_buf *out, const nilas_map *names) {
    for (size_t i = 0; i < names->count; i++) {
        const nilas_commit__wanted *wanted = names->entries[i].value;
        if (wanted != NULL && !wanted->found) {
            nilas_buf_add_text(out, out->size > 0 ? "," : "");
            nilas_buf_add(out, wanted->file->file_path);
        }
    }
}

nilas_code nilas_commit__check_found(const nilas_commit__making *making, nilas_error *err) {
    NILAS_AUTO_BUF missing = NILAS_BUF_INIT(0);

    list_missing(&missing, &making->removed);
    list_missing(&missing, &making->removed_deletes);
    NILAS_REQUIRE(missing.size == 0, err, NILAS_CONFLICT, "Missing required files to delete: %.*s",
                  NILAS_FMT(nilas_buf_view(&missing)));
    return NILAS_OK;
}
