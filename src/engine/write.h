/**
 * Writing: rows of a plan into new data files of a table; rows to delete into delete files.
 *
 * Files are written under their final names, never replaced; on any failure or cancellation what
 * this call wrote is deleted again.
 */
#ifndef NILAS_ENGINE_WRITE_H
#define NILAS_ENGINE_WRITE_H

#include "bind/bind.h"
#include "engine/engine.h" // includes this one at its end

typedef struct nilas_write_options {
    const nilas_table *
        table; // its properties decide format, codec, row groups, metrics modes, paths, target size
    const nilas_schema *schema; // to write with: field ids go into every file
    const nilas_partition_spec *spec;
    const nilas_sort_order *order;  // rows are sorted within each file by it (NULL or unsorted: as
                                    // they come), its id recorded
    const nilas_value *partition;   // that all rows belong to; NULL: it is told by the rows
    int64_t target_file_size_bytes; // 0: the table's
    bool with_lineage;              // v3: the plan's last two outputs are _row_id and
                                    // _last_updated_sequence_number
    const nilas_option *options;
    size_t option_count; // write options of the statement or DataFrame
} nilas_write_options;

typedef struct nilas_written {
    nilas_data_file *files;
    size_t file_count; // with partition, counts, bounds by the metrics modes, split offsets
    int64_t row_count;
} nilas_written;

/** Rows of `plan` (one output per column of the schema) into data files below the table's location.
 */
nilas_code nilas_engine_write(nilas_engine *engine, nilas_arena *stmt, const nilas_plan *plan,
                              const nilas_write_options *options, nilas_written *out,
                              nilas_error *err);

typedef struct nilas_change_result {
    nilas_written added; // new data files
    nilas_data_file *removed;
    size_t removed_count; // data files that are replaced (copy-on-write)
    nilas_data_file *added_deletes;
    size_t added_delete_count; // position deletes (v2) or deletion vectors (v3)
    nilas_data_file *removed_deletes;
    size_t
        removed_delete_count; // deletion vectors that are superseded, deletes that no longer apply
    int64_t deleted_rows, updated_rows, inserted_rows;
} nilas_change_result;

/**
 * Run a row-level change: find the rows, write what replaces them.
 * @param merge_on_read  write delete files instead of new versions of data files
 * @return NILAS_INVALID MERGE_CARDINALITY_VIOLATION; nothing is left behind on failure
 */
nilas_code nilas_engine_change(nilas_engine *engine, nilas_arena *stmt,
                               const nilas_bound_change *change, const nilas_write_options *options,
                               bool merge_on_read, nilas_change_result *out, nilas_error *err);

typedef struct nilas_row_file { // a file of rows that are in memory
    const nilas_table *table;   // its properties decide about format and codec
    const nilas_schema *schema;
    const nilas_value *rows; // structs
    size_t row_count;
    nilas_str location; // without extension
} nilas_row_file;
/** Write rows into one new file, in their order.
 * @param out  the file as a data file would be: path, size */
nilas_code nilas_engine_write_rows(nilas_engine *engine, nilas_arena *stmt,
                                   const nilas_row_file *file, nilas_data_file *out,
                                   nilas_error *err);

typedef struct nilas_position_move {
    nilas_str from, target;                 // files; the target's folder exists
    nilas_str source_prefix, target_prefix; // of the paths inside; both end with "/"
} nilas_position_move;
/** Copy a Parquet file of position deletes, with another prefix in its paths.
 * @return NILAS_UNSUPPORTED  a path that does not begin with the source prefix */
nilas_code nilas_engine_move_positions(nilas_engine *engine, nilas_arena *arena, nilas_io *io,
                                       const nilas_position_move *move, nilas_error *err);

/** Delete files that were written but not committed. Best effort. */
void nilas_engine_discard(nilas_engine *engine, const nilas_table *table,
                          const nilas_data_file *files, size_t count);

#endif
