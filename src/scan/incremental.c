/*
 * Incremental append reads: which snapshots of a range count, and the manifests that hold what they
 * added.
 *
 * Only snapshots of operation "append" contribute; overwrites, deletes and replaces between are
 * passed over, as Iceberg does. The start may be expired: it is enough that a snapshot of the range
 * names it as parent.
 */
#include "scan/incremental.h"

nilas_code nilas_scan__append_snapshots(nilas_arena *arena, const nilas_metadata *metadata,
                                        int64_t from_snapshot_id, int64_t to_snapshot_id,
                                        const nilas_snapshot ***out, size_t *out_count,
                                        nilas_error *err) {
    NILAS_ARRAY_OF(const nilas_snapshot *) list = {0};
    int64_t end = to_snapshot_id != -1 ? to_snapshot_id : metadata->current_snapshot_id;
    bool reached = from_snapshot_id == -1;
    size_t steps = 0;

    NILAS_REQUIRE(end != -1, err, NILAS_INVALID,
                  "End snapshot is not set and table has no current snapshot");
    NILAS_REQUIRE(nilas_metadata_snapshot(metadata, end) != NULL, err, NILAS_NOT_FOUND,
                  "Cannot find the end snapshot: %lld", (long long)end);
    // Bounded by the number of snapshots: damaged metadata may have a cycle of parents.
    for (int64_t id = end; id != -1 && steps < metadata->snapshot_count; steps++) {
        const nilas_snapshot *snapshot = nilas_metadata_snapshot(metadata, id);
        if (snapshot == NULL) {
            break;
        }
        if (nilas_str_is(snapshot->operation, "append")) {
            NILAS_PUSH(arena, &list, snapshot, err);
        }
        if (from_snapshot_id != -1 && snapshot->parent_id == from_snapshot_id) {
            reached = true;
            break;
        }
        id = snapshot->parent_id;
    }
    NILAS_REQUIRE(
        reached, err, NILAS_INVALID,
        "Starting snapshot (exclusive) %lld is not a parent ancestor of end snapshot %lld",
        (long long)from_snapshot_id, (long long)end);
    *out = list.items;
    *out_count = list.count;
    return NILAS_OK;
}

nilas_code nilas_scan__append_manifests(nilas_arena *arena, const nilas_table *table,
                                        const nilas_snapshot *const *snapshots,
                                        size_t snapshot_count, const nilas_map *snapshot_ids,
                                        nilas_manifest_file **out, size_t *out_count,
                                        nilas_error *err) {
    NILAS_ARRAY_OF(nilas_manifest_file) list = {0};
    nilas_map seen;

    nilas_map_init(&seen, arena, false);
    for (size_t i = 0; i < snapshot_count; i++) {
        nilas_manifest_file *manifests;
        size_t count;
        NILAS_TRY(nilas_snapshot_manifests(table->io, arena, table->metadata, snapshots[i],
                                           &manifests, &count, err));
        for (size_t m = 0; m < count; m++) {
            const nilas_manifest_file *manifest = &manifests[m];
            bool added_here = manifest->added_snapshot_id == -1 ||
                              nilas_map_find_int(snapshot_ids, manifest->added_snapshot_id) != NULL;
            if (manifest->content != NILAS_MANIFEST_DATA || !added_here ||
                nilas_map_find(&seen, manifest->path) != NULL) {
                continue;
            }
            NILAS_TRY(nilas_map_put(&seen, manifest->path, &manifests[m], err));
            NILAS_PUSH(arena, &list, *manifest, err);
        }
    }
    *out = list.items;
    *out_count = list.count;
    return NILAS_OK;
}
