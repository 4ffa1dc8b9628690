/**
 * A row-level change while it runs: the rows it found stand in a temporary table of the job's
 * connection; what becomes of files is decided from there.
 */
#ifndef NILAS_ENGINE_CHANGE_H
#define NILAS_ENGINE_CHANGE_H

#include "engine/scan_source.h"
#include "engine/writer.h"

#define NILAS_CHANGE_TABLE "nilas_change_rows" // temporary; columns are the plan's outputs
#define NILAS_CHANGE_DROPS "(0, 1)"            // actions that drop a row of the target …
#define NILAS_CHANGE_ADDS  "(1, 2)"            // … and that write one

/** A data file that loses rows. */
typedef struct nilas_changed_file {
    const nilas_scan_task *task;
    const nilas_deleted_rows *deleted; // before the change; NULL: none
    int64_t dropped;                   // rows that go now
    nilas_bitmap *positions;           // of them; merge-on-read
} nilas_changed_file;

typedef struct nilas_change_run {
    nilas_engine *engine;
    nilas_job *job;
    nilas_arena *stmt;
    nilas_render render;
    const nilas_bound_change *change;
    nilas_write_options options;
    size_t column_count; // of the schema
    bool has_lineage;    // the plan has the two columns of row lineage
    NILAS_ARRAY_OF(nilas_changed_file *) files;
    nilas_map file_by_path;
    NILAS_ARRAY_OF(nilas_writer *) writers; // all that wrote, for when it fails
    NILAS_ARRAY_OF(nilas_data_file) added_deletes, removed_deletes, removed;
} nilas_change_run;

/** Column of the temporary table for an output of the plan. */
static inline int32_t nilas_change__column(const nilas_change_run *run, size_t output) {
    return run->change->plan->outputs[output].id;
}
/** A writer that is remembered. */
nilas_code nilas_change__new_writer(nilas_change_run *run, const nilas_writer_options *options,
                                    nilas_writer **out, nilas_error *err);
/** A delete file that is about this data file and no other. */
bool nilas_change__is_own_delete(const nilas_delete_file *delete_file, nilas_str path);
/** Position deletes or deletion vectors for the dropped rows (change_deletes.c). */
nilas_code nilas_change__write_deletes(nilas_change_run *run, nilas_error *err);
/** "SELECT …" of the rows of changed files that stay, columns in the order of the writer's; `sql`
 * data NULL when none stay (change_rewrite.c). */
nilas_code nilas_change__rows_that_stay(nilas_change_run *run, nilas_str *out, nilas_error *err);

#endif
