/**
 * Reading manifests in parallel into tasks: who is live, who may match, and what of an entry is
 * kept. Private to the room.
 *
 * Delete files travel as tasks too until plan.c turns them into nilas_delete_file.
 */
#ifndef NILAS_SCAN_ENTRIES_H
#define NILAS_SCAN_ENTRIES_H

#include "scan/scan.h"

typedef struct nilas_scan__chunk nilas_scan__chunk;
struct nilas_scan__chunk {
    nilas_scan__chunk *next;
    size_t count, capacity;
    nilas_scan_task tasks[];
};

typedef struct nilas_scan__source { // one manifest to read, and what came of it
    const nilas_manifest_file *manifest;
    const nilas_evaluator *evaluator; // NULL: everything matches
    bool needs_metrics;               // the partition does not decide the filter
    bool with_stats;                  // keep them
    nilas_scan_task *slice; // where the tasks belong when their number was foretold, or NULL
    size_t slice_capacity, slice_count;
    nilas_arena *arena; // of the chunks; a root, so that it can go before the statement's
    nilas_scan__chunk *first, *last; // tasks that the slice has no room for
    size_t task_count;               // in the slice and in the chunks
    size_t files_total, dropped_by_partition, dropped_by_metrics;
} nilas_scan__source;

typedef struct nilas_scan__entry_options {
    bool with_stats, with_sizes;   // keep them of data files
    const nilas_map *snapshot_ids; // or NULL: only files that these snapshots added
    uint32_t worker_count;         // 0: as many as processors
    const nilas_cancel *cancel;    // or NULL
} nilas_scan__entry_options;

/** Read all sources. What tasks point to lives in `stmt`; the chunks in each source's own arena. */
nilas_code nilas_scan__read_sources(nilas_arena *stmt, const nilas_table *table,
                                    nilas_scan__source *sources, size_t count,
                                    const nilas_scan__entry_options *options, nilas_error *err);
/** Free what one source holds. */
void nilas_scan__source_done(nilas_scan__source *source);

#endif
