/** The kinds of metadata tables, one pair of functions each. Private to the room; metadata_tables.c
 * chooses. */
#ifndef NILAS_SCAN_TABLES_H
#define NILAS_SCAN_TABLES_H

#include "scan/columns.h"
#include "scan/rows.h"

typedef struct nilas_scan__table_options {
    const nilas_table *table;
    nilas_metadata_table kind;
    const nilas_snapshot *snapshot; // NULL: none
    const bool *wanted;             // by column; NULL: all
} nilas_scan__table_options;

typedef nilas_code nilas_scan__type_function(nilas_arena *arena, const nilas_table *table,
                                             nilas_metadata_table kind, const nilas_ice_type **out,
                                             nilas_error *err);
typedef nilas_code nilas_scan__rows_function(nilas_arena *stmt,
                                             const nilas_scan__table_options *options,
                                             nilas_rows **out, nilas_error *err);

// history_tables.c
nilas_scan__type_function nilas_scan__history_type, nilas_scan__snapshots_type,
    nilas_scan__refs_type, nilas_scan__log_entries_type;
nilas_scan__rows_function nilas_scan__history_rows, nilas_scan__snapshots_rows,
    nilas_scan__refs_rows, nilas_scan__log_entries_rows;
// manifests_table.c: manifests, all_manifests
nilas_scan__type_function nilas_scan__manifests_type;
nilas_scan__rows_function nilas_scan__manifests_rows;
// files_table.c: files, data_files, delete_files, entries and their all_ forms
nilas_scan__type_function nilas_scan__files_type, nilas_scan__entries_type;
nilas_scan__rows_function nilas_scan__files_rows;
// partitions_table.c
nilas_scan__type_function nilas_scan__partitions_type;
nilas_scan__rows_function nilas_scan__partitions_rows;

/** The manifests of one snapshot, or (`all`) of every snapshot of the table, each once. */
nilas_code nilas_scan__collect_manifests(nilas_arena *arena, const nilas_table *table,
                                         const nilas_snapshot *snapshot, bool all,
                                         nilas_manifest_file **out, size_t *out_count,
                                         nilas_error *err);

#endif
