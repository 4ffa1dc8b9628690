/*
 * The changelog of a table: a task per data file that a snapshot of the range added or removed.
 *
 * Snapshots that only replace files count for nothing; one with delete files is refused, as Iceberg
 * does. Rows that a copy-on-write rewrite carried over appear as deleted and inserted.
 */
#include "scan/incremental.h"

typedef struct reading {
    nilas_arena *stmt;
    nilas_map ordinals; // snapshot id -> int32_t
    NILAS_ARRAY_OF(nilas_scan_task) tasks;
    nilas_code failed;
    nilas_error *err;
} reading;

/** Whether the range starts where it should: `from` is a parent of a snapshot in it. */
static nilas_code collect_snapshots(nilas_arena *arena, const nilas_metadata *metadata,
                                    int64_t from_snapshot_id, int64_t to_snapshot_id,
                                    const nilas_snapshot ***out, size_t *out_count,
                                    nilas_error *err) {
    NILAS_ARRAY_OF(const nilas_snapshot *) list = {0};
    const nilas_snapshot *at = nilas_metadata_snapshot(metadata, to_snapshot_id);

    NILAS_REQUIRE(at != NULL, err, NILAS_INVALID, "Cannot find the end snapshot: %lld",
                  (long long)to_snapshot_id);
    for (size_t steps = 0; at != NULL && steps < metadata->snapshot_count; steps++) {
        if (at->snapshot_id == from_snapshot_id) {
            break; // the end itself: nothing in between
        }
        if (!nilas_str_is(at->operation, "replace")) {
            NILAS_PUSH(arena, &list, at, err);
        }
        int64_t parent_id = at->parent_id;
        if (parent_id == from_snapshot_id) {
            from_snapshot_id = -1;
            break;
        }
        at = nilas_metadata_snapshot(metadata, parent_id);
    }
    NILAS_REQUIRE(
        from_snapshot_id == -1 || (at != NULL && at->snapshot_id == from_snapshot_id), err,
        NILAS_INVALID,
        "Starting snapshot (exclusive) %lld is not a parent ancestor of end snapshot %lld",
        (long long)from_snapshot_id, (long long)to_snapshot_id);
    *out = list.items;
    *out_count = list.count;
    return NILAS_OK;
}

static nilas_code take(reading *to, const nilas_manifest_entry *entry, nilas_error *err) {
    nilas_manifest_entry copy;
    const int32_t *ordinal = nilas_map_find_int(&to->ordinals, entry->snapshot_id);

    if (entry->status == NILAS_ENTRY_EXISTING || ordinal == NULL) {
        return NILAS_OK;
    }
    NILAS_TRY(nilas_manifest_entry_copy(to->stmt, entry, &copy, err));
    nilas_scan_task task = {
        .file = copy.file,
        .snapshot_id = copy.snapshot_id,
        .sequence_number = copy.sequence_number,
        .file_sequence_number = copy.file_sequence_number,
        .is_change = true,
        .is_removal = entry->status == NILAS_ENTRY_DELETED,
        .change_ordinal = *ordinal,
    };
    NILAS_PUSH(to->stmt, &to->tasks, task, err);
    return NILAS_OK;
}

static bool on_entry(void *context, const nilas_manifest_entry *entry) {
    reading *to = context;

    to->failed = take(to, entry, to->err);
    return to->failed == NILAS_OK;
}

static nilas_code check_deletes(const nilas_table *table, nilas_arena *arena,
                                const nilas_snapshot *snapshot, nilas_error *err) {
    nilas_manifest_file *manifests;
    size_t count;

    NILAS_TRY(nilas_snapshot_manifests(table->io, arena, table->metadata, snapshot, &manifests,
                                       &count, err));
    for (size_t i = 0; i < count; i++) {
        NILAS_REQUIRE(manifests[i].content != NILAS_MANIFEST_DELETES, err, NILAS_UNSUPPORTED,
                      "Delete files are currently not supported in changelog scans");
    }
    return NILAS_OK;
}

static nilas_code read_snapshots(reading *to, const nilas_table *table,
                                 const nilas_snapshot *const *snapshots, size_t count,
                                 nilas_error *err) {
    nilas_map ids;
    nilas_manifest_file *manifests;
    size_t manifest_count;

    nilas_map_init(&to->ordinals, to->stmt, false);
    nilas_map_init(&ids, to->stmt, false);
    for (size_t i = 0; i < count; i++) { // the newest is first
        int32_t *ordinal;
        NILAS_TRY(check_deletes(table, to->stmt, snapshots[i], err));
        NILAS_NEW(to->stmt, &ordinal, err);
        *ordinal = (int32_t)(count - 1 - i);
        NILAS_TRY(nilas_map_put_int(&to->ordinals, snapshots[i]->snapshot_id, ordinal, err));
        NILAS_TRY(nilas_map_put_int(&ids, snapshots[i]->snapshot_id, ordinal, err));
    }
    NILAS_TRY(nilas_scan__append_manifests(to->stmt, table, snapshots, count, &ids, &manifests,
                                           &manifest_count, err));
    for (size_t i = 0; i < manifest_count; i++) {
        nilas_code code = nilas_manifest_read(table->io, to->stmt, table->metadata, &manifests[i],
                                              0, false, on_entry, to, err);
        NILAS_TRY(to->failed);
        NILAS_TRY(code);
    }
    return NILAS_OK;
}

nilas_code nilas_scan_changes(nilas_arena *stmt, const nilas_table *table, int64_t from_snapshot_id,
                              int64_t to_snapshot_id, nilas_scan_plan **out, nilas_error *err) {
    reading to = {.stmt = stmt, .err = err};
    const nilas_snapshot **snapshots;
    size_t count;
    nilas_scan_plan *plan;

    NILAS_NEW(stmt, &plan, err);
    if (to_snapshot_id != -1) {
        NILAS_TRY(collect_snapshots(stmt, table->metadata, from_snapshot_id, to_snapshot_id,
                                    &snapshots, &count, err));
        NILAS_TRY(read_snapshots(&to, table, snapshots, count, err));
    }
    plan->tasks = to.tasks.items;
    plan->task_count = to.tasks.count;
    for (size_t i = 0; i < to.tasks.count; i++) {
        plan->counts.rows_total += to.tasks.items[i].file.record_count;
        plan->counts.bytes_total += to.tasks.items[i].file.file_size_in_bytes;
    }
    plan->counts.files_total = to.tasks.count;
    *out = plan;
    return NILAS_OK;
}
