/** Table metadata: metadata.json of versions 1 to 3, snapshots, refs, specs, orders; and how it
 *  is found and loaded. */
#ifndef NILAS_ICEBERG_METADATA_H
#define NILAS_ICEBERG_METADATA_H

#include "iceberg/transform.h"
#include "io/io.h"

typedef struct nilas_partition_field {
    int32_t source_id; // first source
    int32_t field_id;
    nilas_str name;
    nilas_transform transform;
    int32_t *source_ids; // v3 multi-argument transforms; else one
    size_t source_count;
} nilas_partition_field;

typedef struct nilas_partition_spec {
    int32_t spec_id;
    nilas_partition_field *fields;
    size_t field_count;
} nilas_partition_spec;

typedef struct nilas_sort_field {
    int32_t source_id;
    nilas_transform transform;
    bool descending;
    bool nulls_first;
    int32_t *source_ids; // v3 multi-argument transforms; else one
    size_t source_count;
} nilas_sort_field;

typedef struct nilas_sort_order {
    int32_t order_id;
    nilas_sort_field *fields;
    size_t field_count;
} nilas_sort_order;

typedef struct nilas_property {
    nilas_str key, value;
} nilas_property;

typedef struct nilas_snapshot {
    int64_t snapshot_id;
    int64_t parent_id;       // -1 when none
    int64_t sequence_number; // 0 in v1
    int64_t timestamp_ms;
    nilas_str operation;     // empty when absent
    nilas_property *summary; // without "operation", in file order
    size_t summary_count;
    nilas_str manifest_list; // empty: inline `manifests` of old v1
    nilas_str *manifests;    // inline manifest paths (v1)
    size_t manifest_count;
    int32_t schema_id;    // -1 when absent
    int64_t first_row_id; // -1 when absent (v3)
    int64_t added_rows;   // -1 when absent (v3)
    nilas_str key_id;     // encrypted manifest list (v3); empty when none
} nilas_snapshot;

typedef struct nilas_ref {
    nilas_str name;
    int64_t snapshot_id;
    bool is_tag;
    int64_t max_ref_age_ms;        // -1 when absent
    int64_t max_snapshot_age_ms;   // -1 when absent
    int32_t min_snapshots_to_keep; // -1 when absent
} nilas_ref;

typedef struct nilas_log_entry {
    int64_t timestamp_ms;
    int64_t snapshot_id;
} nilas_log_entry;
typedef struct nilas_metadata_log_entry {
    int64_t timestamp_ms;
    nilas_str metadata_file;
} nilas_metadata_log_entry;
typedef struct nilas_statistics_file {
    int64_t snapshot_id;
    nilas_str path;
    int64_t file_size, footer_size;
    const nilas_json *json; // the whole entry, for rewriting
} nilas_statistics_file;

typedef struct nilas_metadata {
    int32_t format_version;
    nilas_str table_uuid, location;
    int64_t last_sequence_number, last_updated_ms;
    int32_t last_column_id;
    nilas_schema **schemas;
    size_t schema_count;
    int32_t current_schema_id;
    nilas_partition_spec **specs;
    size_t spec_count;
    int32_t default_spec_id;
    int32_t last_partition_id;
    nilas_sort_order **sort_orders;
    size_t sort_order_count;
    int32_t default_sort_order_id;
    nilas_property *properties;
    size_t property_count;       // in file order
    int64_t current_snapshot_id; // -1 when none
    nilas_snapshot *snapshots;
    size_t snapshot_count;
    nilas_log_entry *snapshot_log;
    size_t snapshot_log_count;
    nilas_metadata_log_entry *metadata_log;
    size_t metadata_log_count;
    nilas_ref *refs;
    size_t ref_count; // "main" is made up when absent and a snapshot is current
    nilas_statistics_file *statistics;
    size_t statistics_count;
    nilas_statistics_file *partition_statistics;
    size_t partition_statistics_count;
    int64_t next_row_id;         // v3
    const nilas_json *json;      // the parsed file: parts we do not model survive a rewrite
    nilas_str metadata_location; // where it was read from
} nilas_metadata;

/**
 * Parse metadata.json text (already decompressed).
 *
 * Accepts what version 1 may leave out and gives it the defaults of Appendix E. Checks that the
 * current schema, default spec, current snapshot, the snapshots' schemas and "main" agree.
 *
 * @param table     Arena that owns the result; text is copied, `text` may go after the call.
 * @param location  Where it was read from: for messages and `metadata_location`.
 *
 * @return NILAS_CORRUPT      the JSON or its content breaks the format
 *         NILAS_UNSUPPORTED  a format version above 3, an unknown type
 *         NILAS_LIMIT, NILAS_NOMEM
 *
 * Spec: iceberg#table-metadata.
 */
nilas_code nilas_metadata_parse(nilas_arena *table, nilas_str text, nilas_str location,
                                nilas_metadata **out, nilas_error *err);
/** Read, decompress when the bytes are gzip (whatever the name says) and parse. Also
 *  NILAS_NOT_FOUND, NILAS_DENIED, NILAS_IO. Cost: one read. */
nilas_code nilas_metadata_load(nilas_io *io, nilas_arena *table, nilas_str metadata_location,
                               nilas_metadata **out, nilas_error *err);
/** Find the newest metadata file below `table_location` as Iceberg's Hadoop tables do: version
 *  hint as a starting point, then higher versions; without a hint that leads to a file the highest
 *  vN, else the highest NNNNN-uuid metadata file of the listing. A location that is itself a
 *  metadata file is returned as it is. *out lives in `arena` and says "file:/…" for "file:///…".
 *  NILAS_NOT_FOUND "Table does not exist at location: …". Cost: some look-ups, or one listing. */
nilas_code nilas_metadata_find(nilas_io *io, nilas_arena *arena, nilas_str table_location,
                               nilas_str *out, nilas_error *err);
/** Serialize by the specification, compact. Members of the parsed file that are not modelled here
 *  follow at the end. parse(print(m)) equals m. */
nilas_code nilas_metadata_print(nilas_arena *arena, const nilas_metadata *metadata, nilas_str *out,
                                nilas_error *err);

/* Looking up: NULL when absent. Cost: linear. */

const nilas_schema *nilas_metadata_schema(const nilas_metadata *metadata, int32_t schema_id);
/** Never NULL: checked while parsing. */
const nilas_schema *nilas_metadata_current_schema(const nilas_metadata *metadata);
const nilas_partition_spec *nilas_metadata_spec(const nilas_metadata *metadata, int32_t spec_id);
const nilas_sort_order *nilas_metadata_sort_order(const nilas_metadata *metadata, int32_t order_id);
const nilas_snapshot *nilas_metadata_snapshot(const nilas_metadata *metadata, int64_t snapshot_id);
const nilas_snapshot *nilas_metadata_current_snapshot(const nilas_metadata *metadata);
const nilas_ref *nilas_metadata_ref(const nilas_metadata *metadata, nilas_str name); // exact case
/** Schema of a snapshot: its schema id, else (v1, absent) the current schema. Never NULL: ids are
 *  checked while parsing. */
const nilas_schema *nilas_metadata_schema_of(const nilas_metadata *metadata,
                                             const nilas_snapshot *snapshot);
/** Table property; `fallback` when absent. */
nilas_str nilas_metadata_property(const nilas_metadata *metadata, const char *key,
                                  nilas_str fallback);
/** The snapshot of the snapshot-log entry with the highest timestamp <= the time, of equal ones the
 *  later entry; the log may be out of order. NILAS_NOT_FOUND "Cannot find a snapshot older than …",
 *  or "Cannot find snapshot with ID …" when the log names one that is expired.
 *  Spec: iceberg#point-in-time-reads-time-travel (Appendix F). */
nilas_code nilas_metadata_snapshot_as_of(const nilas_metadata *metadata, int64_t timestamp_ms,
                                         const nilas_snapshot **out, nilas_error *err);
/** Whether `ancestor` is `snapshot` or one of its parents as far as known. */
bool nilas_metadata_is_ancestor(const nilas_metadata *metadata, int64_t snapshot_id,
                                int64_t ancestor_id);

/** Union struct type of all partition fields of all specs, as metadata tables show it (Iceberg's
 *  Partitioning.partitionType): fields by field id, names of the newest spec; void-only fields
 *  as Iceberg has them. field_count 0: never partitioned. */
nilas_code nilas_metadata_partition_type(nilas_arena *arena, const nilas_metadata *metadata,
                                         const nilas_ice_type **out, nilas_error *err);
/** Partition struct type of one spec; the source type is looked up in the current schema, else
 *  in any older one. */
nilas_code nilas_spec_partition_type(nilas_arena *arena, const nilas_metadata *metadata,
                                     const nilas_partition_spec *spec, const nilas_ice_type **out,
                                     nilas_error *err);

/** Name mapping (property schema.name-mapping.default). */
typedef struct nilas_name_mapping nilas_name_mapping;
struct nilas_name_mapping { // one node; the root has field_id -1 and no names
    int32_t field_id;       // -1 when the mapping gives none
    nilas_str *names;
    size_t name_count;
    nilas_name_mapping *children;
    size_t child_count;
};
/** NULL in *out when the table has no mapping. */
nilas_code nilas_metadata_name_mapping(nilas_arena *arena, const nilas_metadata *metadata,
                                       const nilas_name_mapping **out, nilas_error *err);

/** A table: one immutable version of its metadata, with what is needed to read it. Reference
 *  counted. */
typedef struct nilas_table {
    nilas_arena *arena; // owned
    nilas_io *io;       // borrowed
    nilas_str catalog;  // name of the catalog, empty for path tables
    nilas_str *identifier;
    size_t identifier_count; // namespace parts and name; a path table: one part, the path
    nilas_metadata *metadata;
    int references;
} nilas_table;

/** Takes ownership of `arena` when it succeeds; strings are copied into it. */
nilas_code nilas_table_new(nilas_arena *arena, nilas_io *io, nilas_str catalog,
                           const nilas_str *identifier, size_t identifier_count,
                           nilas_metadata *metadata, nilas_table **out_table, nilas_error *err);
nilas_table *nilas_table_ref(nilas_table *table);
void nilas_table_unref(nilas_table *table);
NILAS_DEFINE_AUTO(nilas_table, nilas_table_unref);

#endif
