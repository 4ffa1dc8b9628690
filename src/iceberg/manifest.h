/** Manifest lists and manifests: what files a snapshot has. Read by field id, so any writer's
 *  optional parts may be absent. */
#ifndef NILAS_ICEBERG_MANIFEST_H
#define NILAS_ICEBERG_MANIFEST_H

#include "iceberg/metadata.h"

/**
 * The fields of a data file, once for all who name them: X(id, name, shape, id of the element or
 * key, required, versions whose manifests have it, doc). Version 1 has one more, which means
 * nothing, between the first and the rest.
 *
 * Spec: iceberg#manifests.
 */
#define NILAS_IN_NONE 0 // shown in metadata tables only
#define NILAS_IN_V1   (1 << 1)
#define NILAS_IN_V2   (1 << 2)
#define NILAS_IN_V3   (1 << 3)
#define NILAS_IN_V23  (NILAS_IN_V2 | NILAS_IN_V3)
#define NILAS_IN_ALL  (NILAS_IN_V1 | NILAS_IN_V23)

// clang-format off
#define NILAS_DATA_FILE_FIELDS_FIRST(X)                                                            \
    X(134, "content", INT, 0, true, NILAS_IN_V23,                                                  \
      "Contents of the file: 0=data, 1=position deletes, 2=equality deletes")                      \
    X(100, "file_path", STRING, 0, true, NILAS_IN_ALL, "Location URI with FS scheme")              \
    X(101, "file_format", STRING, 0, true, NILAS_IN_ALL,                                           \
      "File format name: avro, orc, or parquet")                                                   \
    X(141, "spec_id", INT, 0, false, NILAS_IN_NONE, "Partition spec ID")                           \
    X(102, "partition", PARTITION, 0, true, NILAS_IN_ALL,                                          \
      "Partition data tuple, schema based on the partition spec")                                  \
    X(103, "record_count", LONG, 0, true, NILAS_IN_ALL, "Number of records in the file")           \
    X(104, "file_size_in_bytes", LONG, 0, true, NILAS_IN_ALL, "Total file size in bytes")

#define NILAS_DATA_FILE_FIELDS_REST(X)                                                             \
    X(108, "column_sizes", COUNTS, 117, false, NILAS_IN_ALL,                                       \
      "Map of column id to total size on disk")                                                    \
    X(109, "value_counts", COUNTS, 119, false, NILAS_IN_ALL,                                       \
      "Map of column id to total count, including null and NaN")                                   \
    X(110, "null_value_counts", COUNTS, 121, false, NILAS_IN_ALL,                                  \
      "Map of column id to null value count")                                                      \
    X(137, "nan_value_counts", COUNTS, 138, false, NILAS_IN_ALL,                                   \
      "Map of column id to number of NaN values in the column")                                    \
    X(125, "lower_bounds", BOUNDS, 126, false, NILAS_IN_ALL, "Map of column id to lower bound")    \
    X(128, "upper_bounds", BOUNDS, 129, false, NILAS_IN_ALL, "Map of column id to upper bound")    \
    X(131, "key_metadata", BYTES, 0, false, NILAS_IN_ALL, "Encryption key metadata blob")          \
    X(132, "split_offsets", LONG_LIST, 133, false, NILAS_IN_ALL, "Splittable offsets")             \
    X(135, "equality_ids", INT_LIST, 136, false, NILAS_IN_V23, "Equality comparison field IDs")    \
    X(140, "sort_order_id", INT, 0, false, NILAS_IN_ALL, "Sort order ID")                          \
    X(142, "first_row_id", LONG, 0, false, NILAS_IN_V3,                                            \
      "The first row ID assigned to the first row in the data file")                               \
    X(143, "referenced_data_file", STRING, 0, false, NILAS_IN_V23,                                 \
      "Fully qualified location (URI with FS scheme) of a data file that all deletes reference")   \
    X(144, "content_offset", LONG, 0, false, NILAS_IN_V3,                                          \
      "The offset in the file where the content starts")                                           \
    X(145, "content_size_in_bytes", LONG, 0, false, NILAS_IN_V3,                                   \
      "The length of referenced content stored in the file")
// clang-format on

typedef enum nilas_manifest_content {
    NILAS_MANIFEST_DATA = 0,
    NILAS_MANIFEST_DELETES = 1
} nilas_manifest_content;
typedef enum nilas_file_content {
    NILAS_FILE_DATA = 0,
    NILAS_FILE_POSITION_DELETES = 1,
    NILAS_FILE_EQUALITY_DELETES = 2
} nilas_file_content;
typedef enum nilas_entry_status {
    NILAS_ENTRY_EXISTING = 0,
    NILAS_ENTRY_ADDED = 1,
    NILAS_ENTRY_DELETED = 2
} nilas_entry_status;

typedef struct nilas_field_summary {
    bool contains_null;
    bool has_contains_nan, contains_nan;
    nilas_str lower_bound, upper_bound; // single-value bytes; data NULL when absent
} nilas_field_summary;

typedef struct nilas_manifest_file { // one entry of a manifest list
    nilas_str path;
    int64_t length;
    int32_t partition_spec_id;
    nilas_manifest_content content;
    int64_t sequence_number, min_sequence_number;
    int64_t added_snapshot_id; // -1 when absent
    // Counts are -1 when absent: unknown, may be any.
    int32_t added_files_count, existing_files_count, deleted_files_count;
    int64_t added_rows_count, existing_rows_count, deleted_rows_count;
    nilas_field_summary *partitions;
    size_t partition_count;
    bool has_partitions;
    nilas_str key_metadata; // data NULL when absent
    int64_t first_row_id;   // -1 when absent
} nilas_manifest_file;

typedef struct nilas_int_count {
    int32_t field_id;
    int64_t count;
} nilas_int_count;
typedef struct nilas_bound {
    int32_t field_id;
    nilas_str bytes;
} nilas_bound;

typedef struct nilas_data_file { // data or delete file
    nilas_file_content content;
    nilas_str file_path;
    nilas_str file_format; // upper case: "PARQUET", "AVRO", "ORC", "PUFFIN"
    int32_t spec_id;
    nilas_value partition; // struct in the order of its spec's fields
    int64_t record_count, file_size_in_bytes;
    // Each list is NULL with count 0 when absent; has_… tells absent from empty.
    nilas_int_count *column_sizes;
    size_t column_size_count;
    bool has_column_sizes;
    nilas_int_count *value_counts;
    size_t value_count_count;
    bool has_value_counts;
    nilas_int_count *null_value_counts;
    size_t null_value_count_count;
    bool has_null_value_counts;
    nilas_int_count *nan_value_counts;
    size_t nan_value_count_count;
    bool has_nan_value_counts;
    nilas_bound *lower_bounds;
    size_t lower_bound_count;
    bool has_lower_bounds;
    nilas_bound *upper_bounds;
    size_t upper_bound_count;
    bool has_upper_bounds;
    nilas_str key_metadata; // data NULL when absent
    int64_t *split_offsets;
    size_t split_offset_count;
    bool has_split_offsets;
    int32_t *equality_ids;
    size_t equality_id_count;
    bool has_equality_ids;
    int32_t sort_order_id;                         // -1 when absent
    int64_t first_row_id;                          // -1 when absent; inherited already
    nilas_str referenced_data_file;                // empty when absent
    int64_t content_offset, content_size_in_bytes; // -1 when absent
} nilas_data_file;

typedef struct nilas_manifest_entry {
    nilas_entry_status status;
    int64_t snapshot_id;     // -1 when unknown; inherited already
    int64_t sequence_number; // data sequence number, inherited already; -1 unknown
    int64_t file_sequence_number;
    nilas_data_file file;
} nilas_manifest_entry;

/** Which parts of an entry to decode; planning a filter without statistics need not pay for
 *  them. */
typedef enum nilas_manifest_columns {
    NILAS_MANIFEST_STATS = 1 << 0, // value, null, nan counts and bounds
    NILAS_MANIFEST_SIZES = 1 << 1, // column sizes, split offsets, key metadata, sort order
    NILAS_MANIFEST_ALL = 3,
} nilas_manifest_columns;

/**
 * Load the manifest files of a snapshot, in the list's order.
 *
 * From its list file, or from the inline paths of version 1 snapshots, whose facts then come from
 * the manifests' own headers (counts and partition summaries stay unknown).
 *
 * @return NILAS_NOT_FOUND    the list is gone; the snapshot may have expired
 *         NILAS_CORRUPT      the list breaks the format; the message has its path and place
 *         NILAS_UNSUPPORTED  an encrypted list, an Avro codec that is not ours
 *         NILAS_IO, NILAS_DENIED, NILAS_LIMIT, NILAS_NOMEM
 *
 * Everything lives in `arena`. Cost: one read; inline: one read a manifest.
 * Spec: iceberg#manifest-lists.
 */
nilas_code nilas_snapshot_manifests(nilas_io *io, nilas_arena *arena,
                                    const nilas_metadata *metadata, const nilas_snapshot *snapshot,
                                    nilas_manifest_file **out, size_t *out_count, nilas_error *err);

/** As nilas_snapshot_manifests() for the bytes of a list file, which must live as long as
 *  `arena`; `path` names it in errors. */
nilas_code nilas_manifest_list_decode(nilas_arena *arena, nilas_str bytes, nilas_str path,
                                      nilas_manifest_file **out, size_t *out_count,
                                      nilas_error *err);

/**
 * Walk the entries of one manifest, deleted ones too, in file order.
 *
 * Snapshot id, sequence numbers and first row id are inherited already. The tuple of partition
 * values has the fields of the manifest's spec, matched by field id.
 *
 * @param manifest  Its line in the manifest list: path, spec id, and what entries inherit.
 * @param columns   nilas_manifest_columns; parts that are not asked for look absent.
 * @param keep      false: an entry and what it points to live until the next call of `body`.
 *                  true: they live in `arena`, as does every block of the file.
 * @param body      Called for each entry; returns false to stop, which is no error.
 *
 * @return NILAS_CORRUPT      with path, block, entry and reason; also when the table lacks the
 *                            spec, the tuple lacks one of its fields, or an existing file in a
 *                            manifest of version 2 or later has no sequence number
 *         NILAS_UNSUPPORTED  encrypted, Parquet (version 4), or an Avro codec that is not ours
 *         NILAS_NOT_FOUND, NILAS_IO, NILAS_DENIED, NILAS_LIMIT, NILAS_NOMEM
 *
 * Threads: `io`, `metadata` and `manifest` may be shared, `arena` not.
 * Cost: one read. 100,000 entries with 5 columns take about 40 ms of one processor without and
 * 60 ms with NILAS_MANIFEST_STATS, half of it decompression; memory O(largest block), when kept
 * about 1.4 kB an entry with everything.
 * Spec: iceberg#manifests, iceberg#sequence-number-inheritance, iceberg#first-row-id-inheritance.
 */
nilas_code nilas_manifest_read(nilas_io *io, nilas_arena *arena, const nilas_metadata *metadata,
                               const nilas_manifest_file *manifest, int columns, bool keep,
                               bool (*body)(void *context, const nilas_manifest_entry *entry),
                               void *context, nilas_error *err);

/** How nilas_manifest_decode() walks: the parameters of nilas_manifest_read() of the same names. */
typedef struct nilas_manifest_visit {
    int columns;
    bool keep;
    bool (*body)(void *context, const nilas_manifest_entry *entry);
    void *context;
} nilas_manifest_visit;

/** As nilas_manifest_read() for the bytes of the manifest, which must live as long as `arena`
 *  when `keep` is set, else for the call. Reads no file. */
nilas_code nilas_manifest_decode(nilas_arena *arena, const nilas_metadata *metadata,
                                 const nilas_manifest_file *manifest, nilas_str bytes,
                                 const nilas_manifest_visit *visit, nilas_error *err);

/** Deep copy of an entry into the arena (for those kept out of many). */
nilas_code nilas_manifest_entry_copy(nilas_arena *arena, const nilas_manifest_entry *entry,
                                     nilas_manifest_entry *out, nilas_error *err);
/** The count or bound of a column; false when absent or null. */
bool nilas_int_count_find(const nilas_int_count *list, size_t count, int32_t field_id,
                          int64_t *out);
bool nilas_bound_find(const nilas_bound *list, size_t count, int32_t field_id, nilas_str *out);

#endif
