/**
 * scan: table + snapshot + filter -> file tasks with their deletes; incremental reads; metadata
 * tables.
 *
 * Reads manifest lists, manifests, deletion vectors and Avro files; never Parquet (the engine
 * does).
 */
#ifndef NILAS_SCAN_SCAN_H
#define NILAS_SCAN_SCAN_H

#include "iceberg/iceberg.h"

typedef struct nilas_delete_file {
    nilas_data_file file; // content says position or equality; a deletion vector is
                          // POSITION_DELETES in a PUFFIN file
    int64_t sequence_number;
    int64_t snapshot_id;
    size_t index; // in nilas_scan_plan.deletes
} nilas_delete_file;

typedef struct nilas_scan_task { // one data file to read, whole
    nilas_data_file file;        // stats only when asked for
    int64_t snapshot_id;
    int64_t sequence_number, file_sequence_number;
    const nilas_delete_file **deletes; // that apply, by sequence number, partition and referenced
                                       // path (bounds of file_path used)
    size_t delete_count;
    bool all_rows_match;        // the filter holds for every row (partition or metrics prove it)
    bool is_change, is_removal; // of a changelog: rows inserted, or deleted, by `snapshot_id`
    int32_t change_ordinal;
} nilas_scan_task;

typedef struct nilas_scan_counts {             // for EXPLAIN and the tests of pruning
    size_t manifests_total, manifests_dropped; // by partition summaries
    size_t files_total, files_dropped_by_partition, files_dropped_by_metrics; // of manifests read
    size_t delete_manifests_total, delete_manifests_dropped, delete_files_total,
        delete_files_applied;
    int64_t rows_total, bytes_total; // of the tasks
} nilas_scan_counts;

typedef struct nilas_scan_options {
    const nilas_snapshot *snapshot; // NULL: no rows (a table without snapshots)
    const nilas_schema *schema;     // that the filter's field ids refer to
    const nilas_predicate *filter;  // NULL: all rows
    // Incremental append read: (from, to]; only files added by append snapshots in between.
    // `snapshot` is ignored.
    bool incremental;
    int64_t from_snapshot_id; // exclusive; -1: from the beginning
    int64_t to_snapshot_id;   // inclusive
    // 0: all rows. Without filter and deletes, manifests behind the first that surely hold so many
    // rows are not read; the rows of those that are read are not cut.
    int64_t row_limit;
    bool with_stats; // keep value counts and bounds in the tasks (metadata-only aggregates)
    bool with_sizes;
    uint32_t worker_count;      // 0: as many as processors
    const nilas_cancel *cancel; // or NULL
} nilas_scan_options;

typedef struct nilas_scan_plan {
    nilas_scan_task *tasks;
    size_t task_count; // ordered by (manifest, position): equal input, equal plan
    nilas_delete_file *deletes;
    size_t delete_count; // all delete files that some task needs
    nilas_scan_counts counts;
} nilas_scan_plan;

/** Plan the read of one table at one snapshot. Zero tasks is a result. NILAS_NOT_FOUND,
 * NILAS_CORRUPT, NILAS_IO, … */
nilas_code nilas_scan_plan_new(nilas_arena *stmt, const nilas_table *table,
                               const nilas_scan_options *options, nilas_scan_plan **out,
                               nilas_error *err);

/** The changelog of (from, to]: a task per file that a snapshot added or removed, without filter
 * and deletes. `from_snapshot_id` -1: from the beginning; `to_snapshot_id` -1: nothing.
 * NILAS_UNSUPPORTED: a snapshot of the range has delete files. */
nilas_code nilas_scan_changes(nilas_arena *stmt, const nilas_table *table, int64_t from_snapshot_id,
                              int64_t to_snapshot_id, nilas_scan_plan **out, nilas_error *err);

/** Load a deletion vector's positions from its Puffin file (offset and size of the delete file's
 * entry). */
nilas_code nilas_scan_load_deletion_vector(const nilas_table *table,
                                           const nilas_delete_file *delete_file, nilas_bitmap **out,
                                           nilas_error *err);

/**
 * Exact answers from metadata alone. Possible only when no delete applies and each task's rows all
 * match (see `exact`); min and max also need every file to have untruncated bounds (string and
 * binary bounds are never trusted as exact), non-null counts and no NaN doubt. Plan with
 * `with_stats`.
 */
typedef enum nilas_aggregate_kind {
    NILAS_AGGREGATE_COUNT_STAR,
    NILAS_AGGREGATE_COUNT,
    NILAS_AGGREGATE_MIN,
    NILAS_AGGREGATE_MAX
} nilas_aggregate_kind;
typedef struct nilas_aggregate {
    nilas_aggregate_kind kind;
    int32_t field_id;
    const nilas_ice_type *type;
} nilas_aggregate;
/** *out_exact false: the data must be read. Else values[i] (null for min/max of no rows). */
nilas_code nilas_scan_aggregate(nilas_arena *stmt, const nilas_table *table,
                                const nilas_scan_plan *plan, const nilas_aggregate *aggregates,
                                size_t count, bool *out_exact, nilas_value *values,
                                nilas_error *err);

/** A pull source of rows. `next` gives NULL at the end; the row (a struct's items) lives until the
 * next call or reset of `scratch`. */
typedef struct nilas_rows nilas_rows;
struct nilas_rows {
    const nilas_ice_type *type; // struct of the columns
    int64_t row_count_hint;     // -1 unknown
    nilas_code (*next)(nilas_rows *rows, nilas_arena *scratch, const nilas_value **out_row,
                       nilas_error *err);
    void (*close)(nilas_rows *rows); // or NULL
    void *state;
};

/** Metadata tables. */
typedef enum nilas_metadata_table {
    NILAS_METADATA_NONE = 0,
    NILAS_METADATA_ENTRIES,
    NILAS_METADATA_FILES,
    NILAS_METADATA_DATA_FILES,
    NILAS_METADATA_DELETE_FILES,
    NILAS_METADATA_HISTORY,
    NILAS_METADATA_LOG_ENTRIES,
    NILAS_METADATA_SNAPSHOTS,
    NILAS_METADATA_REFS,
    NILAS_METADATA_MANIFESTS,
    NILAS_METADATA_PARTITIONS,
    NILAS_METADATA_POSITION_DELETES,
    NILAS_METADATA_ALL_DATA_FILES,
    NILAS_METADATA_ALL_DELETE_FILES,
    NILAS_METADATA_ALL_FILES,
    NILAS_METADATA_ALL_MANIFESTS,
    NILAS_METADATA_ALL_ENTRIES,
    NILAS_METADATA_CHANGES,
} nilas_metadata_table;
/** By name, without case ("files", "all_data_files"); NONE when it is none. */
nilas_metadata_table nilas_metadata_table_find(nilas_str name);
const char *nilas_metadata_table_name(nilas_metadata_table kind);
/** Columns, in the table's order, as an Iceberg struct with the specification's field ids. */
nilas_code nilas_metadata_table_type(nilas_arena *arena, const nilas_table *table,
                                     nilas_metadata_table kind, const nilas_ice_type **out,
                                     nilas_error *err);
/** Rows of a metadata table at `snapshot` (NULL: none). Not POSITION_DELETES (the engine reads
 * Parquet delete files; use nilas_scan_position_deletes). `wanted` (NULL: all): columns[i] false
 * may be filled with null to save work. */
nilas_code nilas_metadata_table_rows(nilas_arena *stmt, const nilas_table *table,
                                     nilas_metadata_table kind, const nilas_snapshot *snapshot,
                                     const bool *wanted, nilas_rows **out, nilas_error *err);
/** Live position-delete files of a snapshot (for position_deletes). */
nilas_code nilas_scan_position_deletes(nilas_arena *stmt, const nilas_table *table,
                                       const nilas_snapshot *snapshot, nilas_delete_file **out,
                                       size_t *out_count, nilas_error *err);

/**
 * Rows of an Avro data or delete file, projected to `fields` by field id (by name mapping, else by
 * name, when the file has no ids), missing columns filled with initial defaults or null, types
 * promoted. `fields[i].id` of a reserved metadata column (2147483645 _pos) gives the position in
 * the file.
 */
nilas_code nilas_scan_avro_rows(nilas_arena *stmt, const nilas_table *table, nilas_str location,
                                const nilas_ice_field *fields, size_t field_count, nilas_rows **out,
                                nilas_error *err);

/** Reserved field ids of metadata columns (specification, "Reserved Field IDs"). */
#define NILAS_FIELD_FILE                         2147483646
#define NILAS_FIELD_POS                          2147483645
#define NILAS_FIELD_DELETED                      2147483644
#define NILAS_FIELD_SPEC_ID                      2147483643
#define NILAS_FIELD_PARTITION                    2147483642
#define NILAS_FIELD_CHANGE_TYPE                  2147483543
#define NILAS_FIELD_CHANGE_ORDINAL               2147483542
#define NILAS_FIELD_COMMIT_SNAPSHOT_ID           2147483541
#define NILAS_FIELD_DELETE_FILE_PATH             2147483546
#define NILAS_FIELD_DELETE_FILE_POS              2147483545
#define NILAS_FIELD_DELETE_FILE_ROW              2147483544
#define NILAS_FIELD_ROW_ID                       2147483540
#define NILAS_FIELD_LAST_UPDATED_SEQUENCE_NUMBER 2147483539

#endif
