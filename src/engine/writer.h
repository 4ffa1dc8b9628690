/**
 * A writer: rows of a DuckDB query into files of one table, and what the manifest says of them.
 *
 * Rows go straight into files when nothing has to be put in order: into one after the other, or,
 * while there are not too many partitions, into one a partition. Else they go into a temporary
 * table of the job's connection, ordered by partition and then by the sort order, and from there
 * range by range into one file (or more, by the target size) a partition: so memory does not grow
 * with the number of partitions.
 */
#ifndef NILAS_ENGINE_WRITER_H
#define NILAS_ENGINE_WRITER_H

#include "commit/commit.h"
#include "engine/render.h"
#include "engine/write.h"
#include "engine/write_keys.h"

typedef enum nilas_metrics_kind {
    NILAS_METRICS_NONE,
    NILAS_METRICS_COUNTS,
    NILAS_METRICS_TRUNCATE, // bounds of text and bytes cut to `length`
    NILAS_METRICS_FULL,
} nilas_metrics_kind;
typedef struct nilas_metrics_mode {
    nilas_metrics_kind kind;
    int32_t length;
} nilas_metrics_mode;

/** A leaf column of the files. */
typedef struct nilas_write_leaf {
    const nilas_ice_field *field;
    nilas_str path;   // as DuckDB names it: "a"."b"."element"
    bool is_repeated; // inside a list or map: neither counts nor bounds
    nilas_metrics_mode mode;
} nilas_write_leaf;

typedef struct nilas_write_format {
    bool is_avro;
    nilas_str extension;          // ".parquet", ".avro"
    nilas_compression avro_codec; // of Avro
    nilas_str codec;              // DuckDB's word, of Parquet
    int64_t level;                // -1: the codec's default
    int64_t row_group_rows, dictionary_bytes;
    int64_t file_bytes; // target size
    bool is_version_2, has_bloom_filter;
    double bloom_filter_fpp; // 0: DuckDB's default
} nilas_write_format;

typedef struct nilas_writer {
    nilas_job *job;
    nilas_arena *stmt;
    const nilas_table *table;
    nilas_file_content content;
    const nilas_partition_spec *spec;
    const nilas_sort_order *order; // NULL: as the rows come
    const nilas_value *partition;  // that all rows belong to; NULL: it is told by the rows
    nilas_write_format format;
    const nilas_schema *schema;
    NILAS_ARRAY_OF(nilas_ice_field) columns; // of the files: the schema's, then row lineage
    NILAS_ARRAY_OF(nilas_write_leaf) leaves;
    nilas_map leaf_by_path;
    nilas_str uuid;    // of this call, in every file name
    nilas_str staging; // folder of files that have no place yet; or empty
    int32_t file_count;
    nilas_write_keys *keys; // partition values and sort keys; or NULL
    int32_t keys_number;
    NILAS_ARRAY_OF(nilas_data_file) files;
    NILAS_ARRAY_OF(nilas_str) started; // names of files, perhaps half written, without a number
} nilas_writer;

/** Rows to write: a SELECT, and for each column of the writer an expression over it. */
typedef struct nilas_write_rows {
    nilas_str sql;
    nilas_str *columns; // writer->columns.count
    bool is_ordered;    // their order matters
} nilas_write_rows;

/** How a file is to be made: what nilas_writer__begin() needs to know. */
typedef struct nilas_writer_options {
    const nilas_write_options *write;
    nilas_file_content content; // POSITION_DELETES: schema and spec are not `write`'s
    const nilas_schema *schema;
    const nilas_partition_spec *spec;
} nilas_writer_options;

/** Read properties and options, refuse what cannot be written. */
nilas_code nilas_writer__begin(nilas_writer *writer, nilas_job *job, nilas_arena *stmt,
                               const nilas_writer_options *options, nilas_error *err);
/** Rows of any partitions. */
nilas_code nilas_writer__write(nilas_writer *writer, const nilas_write_rows *rows,
                               nilas_error *err);
/** Rows of one partition into one file; there must be some. */
nilas_code nilas_writer__write_file(nilas_writer *writer, const nilas_write_rows *rows,
                                    const nilas_value *partition, nilas_error *err);
/** Delete what was written; best effort. */
void nilas_writer__discard(nilas_writer *writer);
/** The location of the next file, whose name has the number `file_count` at the end; counted as
 * started. `suffix` stands before the extension ("-deletes"). */
nilas_code nilas_writer__next_location(nilas_writer *writer, const nilas_value *partition,
                                       nilas_str suffix, nilas_str extension, nilas_str *out,
                                       nilas_error *err);

/** Rows in order: by partition, by the table's sort order, or as they come (write_ranges.c). */
nilas_code nilas_write__ordered(nilas_writer *writer, const nilas_write_rows *rows,
                                nilas_error *err);
/** A plan's outputs as rows: one per column of the writer. */
nilas_code nilas_write__rows_of_plan(nilas_writer *writer, nilas_render *render,
                                     const nilas_plan *plan, nilas_write_rows *out,
                                     nilas_error *err);
void nilas_write__give(const nilas_writer *writer, nilas_written *out);

/** Value of a write option, else of the table's property, else `fallback`; data NULL: neither. */
nilas_str nilas_write__option(const nilas_write_options *options, const char *option,
                              const char *property, const char *fallback);
/** Format, codec, sizes (write_format.c). */
nilas_code nilas_write__read_format(const nilas_writer_options *options, nilas_write_format *out,
                                    nilas_error *err);
/** Bytes of a row before compression, about. */
int64_t nilas_write__row_width(const nilas_schema *schema);
/** Leaf columns and their metrics modes (write_columns.c). */
nilas_code nilas_write__find_leaves(nilas_writer *writer, nilas_error *err);
/** Append the DuckDB type that a column is written as. NILAS_UNSUPPORTED names the type. */
nilas_code nilas_write__print_type(nilas_buf *out, const nilas_ice_type *type, nilas_error *err);
/** Append "{"a": 1, "s": {__duckdb_field_id: 2, …}}". */
void nilas_write__print_field_ids(nilas_buf *out, const nilas_ice_type *type, int32_t own_id);

/** What DuckDB says of one column of one file; data NULL: nothing. */
typedef struct nilas_column_stats {
    int64_t size_bytes, value_count, null_count; // -1 unknown
    bool has_nan_flag, has_nan;
    nilas_str lower, upper;                       // as text
    const nilas_value *lower_value, *upper_value; // or as values of the column's type
    int64_t nan_count;                            // -1 unknown
} nilas_column_stats;

/** A file that COPY has written. */
typedef struct nilas_copied_file {
    nilas_str path; // as DuckDB opens it
    int64_t count, size_bytes;
    nilas_column_stats *stats; // one per leaf
} nilas_copied_file;
typedef NILAS_ARRAY_OF(nilas_copied_file) nilas_copied_files;

/** One COPY into Parquet; `directory` non-NULL: files of the target size below it, `location` is
 * then their common start (write_parquet.c). */
nilas_code nilas_write__parquet(nilas_writer *writer, const nilas_write_rows *rows,
                                const nilas_value *partition, nilas_str location,
                                const nilas_str *directory, nilas_error *err);
/** One COPY of rows of any partitions: files "directory/nilas_partition=<number>/…", not yet
 * entered. */
#define NILAS_PARTITION_NUMBER "nilas_partition"
nilas_code nilas_write__parquet_partitions(nilas_writer *writer, const nilas_write_rows *rows,
                                           nilas_str directory, nilas_copied_files *out,
                                           nilas_error *err);
/** Enter a file that is at `location`, which is file->path for DuckDB. */
nilas_code nilas_write__add_parquet(nilas_writer *writer, nilas_copied_file *file,
                                    const nilas_value *partition, nilas_str location,
                                    nilas_error *err);
/** Rows of any partitions while they stream, a file each (write_partitions.c). *out_done false:
 * there are too many partitions for that, and nothing is left behind. */
nilas_code nilas_write__partitioned(nilas_writer *writer, const nilas_write_rows *rows,
                                    bool *out_done, nilas_error *err);
/** What stands before the last "/". */
nilas_str nilas_write__folder_of(nilas_str location);
/** Delete the folder in which they are before they have their place; none is fine. */
void nilas_write__remove_staging(nilas_writer *writer);
/** Rows of one partition, cut into files of the target size while they stream (write.c). */
nilas_code nilas_write__stream(nilas_writer *writer, const nilas_write_rows *rows,
                               const nilas_value *partition, nilas_error *err);
/** Append "nilas_partition(n, a, b)": the number of a row's partition (write_ranges.c). */
void nilas_write__print_partition(const nilas_writer *writer, const nilas_write_rows *rows,
                                  nilas_buf *out);
nilas_code nilas_write__avro(nilas_writer *writer, const nilas_write_rows *rows,
                             const nilas_value *partition, nilas_str location, nilas_error *err);
/** A data file's entry with what every format knows. */
nilas_data_file nilas_write__new_entry(const nilas_writer *writer, const nilas_value *partition,
                                       nilas_str location);

/** Metrics of a file from its columns' stats, one per leaf (write_metrics.c). */
nilas_code nilas_write__fill_metrics(const nilas_writer *writer, const nilas_column_stats *stats,
                                     nilas_data_file *file, nilas_error *err);
/** A bound from DuckDB's text: false when it cannot be told exactly. */
bool nilas_write__parse_bound(nilas_arena *arena, const nilas_ice_type *type, nilas_str text,
                              nilas_value *out);
/** Cut text (by code points) or bytes to `length`; of an upper bound the last part is raised. False
 * when no upper bound of that length exists. */
bool nilas_write__truncate_bound(nilas_arena *arena, const nilas_ice_type *type, int32_t length,
                                 bool is_upper, nilas_value *value);
/** 16 bytes of "f79c3e09-677c-4bbd-a479-3f349cb785e7". */
bool nilas_write__parse_uuid(nilas_arena *arena, nilas_str text, nilas_str *out);

/** Run a statement to its end. */
nilas_code nilas_write__execute(nilas_job *job, nilas_str sql, nilas_error *err);

#endif
