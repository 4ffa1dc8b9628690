/*
 * What other writers committed since our read: does it make this change wrong?
 *
 * Looked at are the manifests that each snapshot between the read and the parent added. Which of
 * the questions below are asked depends on the isolation and on what the change does; those whose
 * answer would bring a deleted row back, or delete a row of nobody, are always asked.
 */
#include "commit/snapshot.h"

#define LISTED_FILES 10 // in messages

typedef struct concurrent { // a manifest that a concurrent snapshot added
    nilas_manifest_file manifest;
    bool adds_data, removes_data, adds_deletes; // by the snapshot's operation
    bool is_delete;                             // the operation is "delete"
} concurrent;

typedef struct validation {
    const nilas_commit__making *making;
    nilas_arena *arena;
    NILAS_ARRAY_OF(concurrent) manifests;
    const nilas_predicate *filter; // or NULL: any row
    nilas_map evaluators;          // of the filter, by spec
    bool by_partition;             // the filter is "partitions of the added files"
    const concurrent *at;          // being read
    const nilas_evaluator *evaluator;
    nilas_map new_ids;  // ids of the concurrent snapshots
    nilas_buf found[6]; // paths, a question each
    int found_count[6];
    nilas_code failed;
    nilas_error *err;
} validation;

enum { NEW_DATA, DELETED_DATA, NEW_DELETES, DELETES_OF_REMOVED, MISSING_DATA, NEW_VECTORS };

// ---- history ------------------------------------------------------------------------------------

static nilas_code add_snapshot(validation *v, const nilas_snapshot *snapshot) {
    const nilas_update *update = v->making->update;
    nilas_str op = snapshot->operation;
    nilas_manifest_file *list;
    size_t count;

    NILAS_TRY(nilas_map_put_int(&v->new_ids, snapshot->snapshot_id, v, v->err));
    NILAS_TRY(nilas_snapshot_manifests(update->io, v->arena, &update->metadata, snapshot, &list,
                                       &count, v->err));
    bool overwrite = nilas_str_is(op, "overwrite");
    bool is_delete = nilas_str_is(op, "delete");
    for (size_t i = 0; i < count; i++) {
        if (list[i].added_snapshot_id != snapshot->snapshot_id) {
            continue;
        }
        concurrent one = {
            .manifest = list[i],
            .adds_data = nilas_str_is(op, "append") || overwrite,
            .removes_data = overwrite || is_delete || nilas_str_is(op, "replace"),
            .adds_deletes = overwrite || is_delete,
            .is_delete = is_delete,
        };
        NILAS_PUSH(v->arena, &v->manifests, one, v->err);
    }
    return NILAS_OK;
}

/** From the parent back to the read snapshot. */
static nilas_code collect(validation *v) {
    const nilas_metadata *metadata = &v->making->update->metadata;
    int64_t read_id = v->making->change->read_snapshot_id;
    const nilas_snapshot *snapshot = v->making->parent;
    int64_t last = -1;

    for (size_t steps = 0; snapshot != NULL && snapshot->snapshot_id != read_id; steps++) {
        NILAS_REQUIRE(steps <= metadata->snapshot_count, v->err, NILAS_CORRUPT,
                      "the parents of snapshot %lld form a circle", (long long)last);
        NILAS_TRY(add_snapshot(v, snapshot));
        last = snapshot->snapshot_id;
        if (snapshot->parent_id == -1) {
            break;
        }
        const nilas_snapshot *before = nilas_metadata_snapshot(metadata, snapshot->parent_id);
        NILAS_REQUIRE(before != NULL || snapshot->parent_id == read_id, v->err, NILAS_CONFLICT,
                      "Cannot determine history between starting snapshot %lld and the last known "
                      "ancestor %lld",
                      (long long)read_id, (long long)last);
        if (before == NULL) {
            return NILAS_OK;
        }
        snapshot = before;
    }
    NILAS_REQUIRE(read_id <= 0 || v->making->parent == NULL ||
                      (snapshot != NULL && snapshot->snapshot_id == read_id),
                  v->err, NILAS_CONFLICT,
                  "Cannot determine history between starting snapshot %lld and the last known "
                  "ancestor %lld",
                  (long long)read_id, (long long)last);
    return NILAS_OK;
}

// ---- questions ----------------------------------------------------------------------------------

static void note(validation *v, int question, nilas_str path) {
    nilas_buf *list = &v->found[question];

    if (v->found_count[question]++ < LISTED_FILES) {
        nilas_buf_add_text(list, list->size > 0 ? ", " : "");
        nilas_buf_add(list, path);
    }
}

static bool in_added_partition(const validation *v, const nilas_data_file *file) {
    const nilas_snapshot_change *change = v->making->change;

    for (size_t i = 0; i < change->added_count; i++) {
        if (nilas_commit__same_partition(&change->added[i], file)) {
            return true;
        }
    }
    return false;
}

/** May the file hold rows that the filter selects, or (a delete file) delete such rows? */
static bool matches(const validation *v, const nilas_data_file *file) {
    if (v->by_partition) {
        return in_added_partition(v, file);
    }
    return v->evaluator == NULL ||
           (nilas_evaluator_partition(v->evaluator, &file->partition) &&
            (file->content != NILAS_FILE_DATA || nilas_evaluator_metrics(v->evaluator, file)));
}

#define FIELD_DELETE_FILE_PATH 2147483546

/** Whether a position delete file may name the path, by its bounds; impossible ones exclude
 * nothing. */
static bool may_name(const nilas_data_file *deletes, nilas_str path) {
    nilas_str lower, upper;

    if (deletes->referenced_data_file.size > 0) {
        return nilas_str_equal(deletes->referenced_data_file, path);
    }
    if (!nilas_bound_find(deletes->lower_bounds, deletes->lower_bound_count, FIELD_DELETE_FILE_PATH,
                          &lower) ||
        !nilas_bound_find(deletes->upper_bounds, deletes->upper_bound_count, FIELD_DELETE_FILE_PATH,
                          &upper) ||
        nilas_str_compare(lower, upper) > 0) {
        return true;
    }
    // An upper bound that was cut is a prefix of what it bounds.
    return nilas_str_compare(lower, path) <= 0 &&
           (nilas_str_compare(path, upper) <= 0 || nilas_str_starts(path, upper));
}

static bool applies(const validation *v, const nilas_data_file *deletes,
                    const nilas_data_file *data) {
    const nilas_partition_spec *spec =
        nilas_metadata_spec(&v->making->update->metadata, deletes->spec_id);

    if (deletes->content == NILAS_FILE_EQUALITY_DELETES) {
        // New files that keep their old number are still reached by them.
        return v->making->change->data_sequence_number <= 0 &&
               ((spec != NULL && spec->field_count == 0) ||
                data->partition.kind != NILAS_VALUE_STRUCT ||
                nilas_commit__same_partition(deletes, data));
    }
    return may_name(deletes, data->file_path) &&
           (nilas_commit__is_vector(deletes) || data->partition.kind != NILAS_VALUE_STRUCT ||
            nilas_commit__same_partition(deletes, data));
}

static void ask_deletes(validation *v, const nilas_data_file *file) {
    const nilas_snapshot_change *change = v->making->change;

    if (matches(v, file)) {
        note(v, NEW_DELETES, file->file_path);
    }
    for (size_t i = 0; i < change->removed_count; i++) {
        if (applies(v, file, &change->removed[i])) {
            note(v, DELETES_OF_REMOVED, change->removed[i].file_path);
        }
    }
    for (size_t i = 0; nilas_commit__is_vector(file) && i < change->added_delete_count; i++) {
        if (nilas_commit__is_vector(&change->added_deletes[i]) &&
            nilas_str_equal(change->added_deletes[i].referenced_data_file,
                            file->referenced_data_file)) {
            note(v, NEW_VECTORS, file->referenced_data_file);
        }
    }
}

/** A data file that is gone: do our deletes speak about it? */
static void ask_removed(validation *v, const nilas_data_file *file) {
    const nilas_snapshot_change *change = v->making->change;

    if (matches(v, file)) {
        note(v, DELETED_DATA, file->file_path);
    }
    // Rows that a DELETE removed are gone for a DELETE of ours too.
    bool ours_deletes = change->added_count == 0 && change->removed_count == 0;
    if (v->at->is_delete && ours_deletes) {
        return;
    }
    for (size_t i = 0; i < change->added_delete_count; i++) {
        const nilas_data_file *deletes = &change->added_deletes[i];
        if (deletes->content == NILAS_FILE_POSITION_DELETES &&
            nilas_commit__same_partition(deletes, file) && may_name(deletes, file->file_path)) {
            note(v, MISSING_DATA, file->file_path);
            return;
        }
    }
}

static bool visit(void *context, const nilas_manifest_entry *entry) {
    validation *v = context;

    if (entry->status == NILAS_ENTRY_EXISTING ||
        nilas_map_find_int(&v->new_ids, entry->snapshot_id) == NULL) {
        return true;
    }
    bool is_new = entry->status == NILAS_ENTRY_ADDED;
    if (entry->file.content != NILAS_FILE_DATA) {
        if (is_new && v->at->adds_deletes) {
            ask_deletes(v, &entry->file);
        }
    } else if (is_new && v->at->adds_data && matches(v, &entry->file)) {
        note(v, NEW_DATA, entry->file.file_path);
    } else if (!is_new && v->at->removes_data) {
        ask_removed(v, &entry->file);
    }
    return true;
}

static nilas_code read_concurrent(validation *v) {
    const nilas_update *update = v->making->update;

    for (size_t i = 0; i < v->manifests.count; i++) {
        NILAS_AUTO(nilas_arena) entries = nilas_arena_new(NULL, 0);
        v->at = &v->manifests.items[i];
        NILAS_REQUIRE(entries != NULL, v->err, NILAS_NOMEM, "out of memory");
        if (v->filter != NULL) {
            NILAS_TRY(nilas_commit__evaluator(v->making, &v->evaluators, v->filter,
                                              v->at->manifest.partition_spec_id, &v->evaluator,
                                              v->err));
        }
        NILAS_TRY(nilas_manifest_read(update->io, entries, &update->metadata, &v->at->manifest,
                                      NILAS_MANIFEST_STATS, false, visit, v, v->err));
    }
    return NILAS_OK;
}

// ---- answers ------------------------------------------------------------------------------------

static void print_filter(const validation *v, nilas_buf *out) {
    if (v->by_partition) {
        nilas_buf_add_text(out, "partitions [");
        for (size_t i = 0; i < v->making->partitions.count; i++) {
            nilas_buf_add_text(out, i > 0 ? ", " : "");
            nilas_buf_add(out, v->making->partitions.entries[i].key);
        }
        nilas_buf_add_text(out, "]");
    } else if (v->filter == NULL) {
        nilas_buf_add_text(out, "true");
    } else {
        nilas_predicate_print(out, v->filter,
                              nilas_metadata_current_schema(&v->making->update->metadata));
    }
}

static nilas_code refuse(validation *v, int question, const char *what, bool with_filter) {
    NILAS_AUTO_BUF filter = NILAS_BUF_INIT(0);
    nilas_str paths = nilas_buf_view(&v->found[question]);

    if (v->found_count[question] == 0) {
        return NILAS_OK;
    }
    if (with_filter) {
        nilas_buf_add_char(&filter, ' ');
        print_filter(v, &filter);
        nilas_buf_add_char(&filter, ':');
    }
    return nilas_fail(v->err, NILAS_CONFLICT, "%s%.*s [%.*s%s]", what,
                      NILAS_FMT(nilas_buf_view(&filter)), NILAS_FMT(paths),
                      v->found_count[question] > LISTED_FILES ? ", …" : "");
}

static nilas_code judge(validation *v) {
    const nilas_snapshot_change *change = v->making->change;
    bool isolated = change->isolation != NILAS_ISOLATION_NONE;
    bool by_rows =
        change->delete_filter != NULL || change->delete_all || change->replace_partitions;

    if (change->isolation == NILAS_ISOLATION_SERIALIZABLE) {
        NILAS_TRY(
            refuse(v, NEW_DATA, "Found conflicting files that can contain records matching", true));
    }
    if (isolated && (by_rows || (change->validate_deletes && change->removed_count == 0))) {
        NILAS_TRY(refuse(v, NEW_DELETES,
                         "Found new conflicting delete files that can apply to records matching",
                         true));
    }
    if (isolated && by_rows) {
        NILAS_TRY(refuse(v, DELETED_DATA,
                         "Found conflicting deleted files that can contain records matching",
                         true));
    }
    if (isolated || change->validate_deletes) {
        NILAS_TRY(refuse(v, DELETES_OF_REMOVED,
                         "Cannot commit, found new delete for replaced data file:", false));
    }
    NILAS_TRY(refuse(v, MISSING_DATA, "Cannot commit, missing data files:", false));
    return refuse(v, NEW_VECTORS, "Found concurrently added DV for", false);
}

nilas_code nilas_commit__validate(const nilas_commit__making *making, nilas_error *err) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    const nilas_snapshot_change *change = making->change;
    bool asks = change->isolation != NILAS_ISOLATION_NONE || change->validate_deletes ||
                change->added_delete_count > 0;
    validation v = {.making = making, .arena = arena, .failed = NILAS_OK, .err = err};

    NILAS_REQUIRE(arena != NULL, err, NILAS_NOMEM, "out of memory");
    if (!asks || making->parent == NULL) {
        return NILAS_OK;
    }
    v.filter = change->conflict_filter != NULL ? change->conflict_filter : change->delete_filter;
    v.by_partition = v.filter == NULL && change->replace_partitions && !making->remove_everything;
    nilas_map_init(&v.evaluators, arena, false);
    nilas_map_init(&v.new_ids, arena, false);
    nilas_code code = collect(&v);
    if (code == NILAS_OK) {
        code = read_concurrent(&v);
    }
    if (code == NILAS_OK) {
        code = judge(&v);
    }
    for (size_t i = 0; i < sizeof(v.found) / sizeof(v.found[0]); i++) {
        nilas_buf_done(&v.found[i]);
    }
    return code;
}
