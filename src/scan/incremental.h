/** Incremental append reads. Private to the room. */
#ifndef NILAS_SCAN_INCREMENTAL_H
#define NILAS_SCAN_INCREMENTAL_H

#include "scan/scan.h"

/** The append snapshots in (from, to], newest first. `from_snapshot_id` -1: from the beginning;
 * `to_snapshot_id` -1: the current snapshot. Errors are Iceberg's, in its words. */
nilas_code nilas_scan__append_snapshots(nilas_arena *arena, const nilas_metadata *metadata,
                                        int64_t from_snapshot_id, int64_t to_snapshot_id,
                                        const nilas_snapshot ***out, size_t *out_count,
                                        nilas_error *err);

/** The data manifests that those snapshots added, each once. */
nilas_code nilas_scan__append_manifests(nilas_arena *arena, const nilas_table *table,
                                        const nilas_snapshot *const *snapshots,
                                        size_t snapshot_count, const nilas_map *snapshot_ids,
                                        nilas_manifest_file **out, size_t *out_count,
                                        nilas_error *err);

#endif
