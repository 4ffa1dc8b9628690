/**
 * commit: changes -> manifests -> metadata -> swap, with conflict checks and retry.
 *
 * A commit is a function from one version of a table to the next: it is called with the newest
 * version and called again when another writer was first. Whatever it wrote for a version that lost
 * is deleted, unless the outcome is unknown.
 */
#ifndef NILAS_COMMIT_COMMIT_H
#define NILAS_COMMIT_COMMIT_H

#include "catalog/catalog.h"
#include "scan/scan.h"

/* ---- one version of a table being made into the next ----------------------------------------- */

typedef struct nilas_update nilas_update; // a mutable copy of a table's metadata, in an arena, with
                                          // what was written on the way

/** The metadata being built: read it; change it only through the functions below. */
const nilas_metadata *nilas_update_metadata(const nilas_update *update);
nilas_arena *nilas_update_arena(nilas_update *update);

/** Properties: value data NULL removes. format-version here upgrades the table (never down).
 * Reserved keys are refused in Iceberg's words. */
nilas_code nilas_update_properties(nilas_update *update, const nilas_property *changes,
                                   size_t count, nilas_error *err);
nilas_code nilas_update_format_version(nilas_update *update, int32_t version, nilas_error *err);
nilas_code nilas_update_location(nilas_update *update, nilas_str location, nilas_error *err);
/** Make a schema current: an equal one is found again, else it is added with the next id. Ids of
 * new fields must be > last_column_id. */
nilas_code nilas_update_schema(nilas_update *update, const nilas_schema *schema,
                               int32_t last_column_id, nilas_error *err);
/** Make a spec the default: an equivalent one is reused; field ids are reused for equal source and
 * transform (v2+). In v1 a removed field becomes void. */
nilas_code nilas_update_spec(nilas_update *update, const nilas_partition_spec *spec,
                             nilas_error *err);
nilas_code nilas_update_sort_order(nilas_update *update, const nilas_sort_order *order,
                                   nilas_error *err);
/** Create or change a ref; main moves current_snapshot_id and the snapshot log too. */
nilas_code nilas_update_ref(nilas_update *update, const nilas_ref *ref, nilas_error *err);
nilas_code nilas_update_remove_ref(nilas_update *update, nilas_str name, nilas_error *err);
nilas_code nilas_update_remove_snapshots(nilas_update *update, const int64_t *snapshot_ids,
                                         size_t count, nilas_error *err);
/** Register a statistics file of a snapshot, in the place of the one that it had. `json` is the
 * whole entry, or NULL for a partition statistics file. */
nilas_code nilas_update_statistics(nilas_update *update, const nilas_statistics_file *file,
                                   bool of_partitions, nilas_error *err);
/** Forget schemas that no snapshot has and specs that no manifest of a snapshot has, but not the
 * current ones. Reads manifest lists. */
nilas_code nilas_update_remove_unused(nilas_update *update, nilas_error *err);
/** CREATE OR REPLACE: new schema, spec, order, properties over the old ones; history and snapshots
 * stay, main is unset. */
nilas_code nilas_update_replace(nilas_update *update, const nilas_schema *schema,
                                const nilas_partition_spec *spec, const nilas_sort_order *order,
                                const nilas_property *properties, size_t property_count,
                                nilas_str location, nilas_error *err);

/* ---- snapshots ------------------------------------------------------------------------------- */

typedef enum nilas_isolation {
    NILAS_ISOLATION_NONE,
    NILAS_ISOLATION_SNAPSHOT,
    NILAS_ISOLATION_SERIALIZABLE
} nilas_isolation;

/** Manifests of one spec written anew, files sorted by partition; no file comes or goes. */
typedef struct nilas_manifest_rewrite {
    int32_t spec_id;
    const size_t *sort_by; // fields of the spec to sort by, in this order; NULL: by all
    size_t sort_count;
    bool contents[2];         // by nilas_manifest_content: whether its manifests are rewritten
    int64_t rewritten, added; // set by nilas_update_snapshot()
} nilas_manifest_rewrite;

typedef struct nilas_snapshot_change { // everything that one commit does to the files
    const char *operation; // "append", "overwrite", "delete", "replace"; NULL: by Iceberg's rule
                           // from what is added and removed
    nilas_str branch;      // empty: main
    bool stage_only;       // write-audit-publish: the snapshot is added, no ref moves
    const nilas_data_file *added;
    size_t added_count; // data files (spec_id and partition set)
    const nilas_data_file *added_deletes;
    size_t added_delete_count; // position deletes, DVs, equality deletes
    const nilas_data_file *removed;
    size_t removed_count; // data files, known by path (spec_id, partition used when present)
    const nilas_data_file *removed_deletes;
    size_t removed_delete_count;
    const nilas_predicate *delete_filter; // drop whole files all of whose rows match; a file that
                                          // matches partly is an error
    // ("Cannot delete file where some, but not all, rows match filter …"); NULL: none
    bool delete_all; // every live data and delete file goes (INSERT OVERWRITE of an unpartitioned
                     // table, TRUNCATE)
    bool replace_partitions; // dynamic overwrite: partitions that `added` touches lose their files
    int64_t data_sequence_number; // for `added` of a rewrite (use-starting-sequence-number); -1
                                  // or 0: the commit's own
    // Validation against snapshots committed since `read_snapshot_id` (-1 or 0: from the beginning;
    // no checks when isolation is NONE):
    int64_t read_snapshot_id;
    nilas_isolation isolation;
    const nilas_predicate *conflict_filter; // which concurrently added rows conflict (NULL: any)
    bool validate_deletes;                  // also no new deletes for the removed files
    const nilas_property *summary;
    size_t summary_count; // further entries: spark.app.id, engine-name, wap.id, snapshot-property.*
    nilas_manifest_rewrite *manifest_rewrite; // alone, with operation "replace"; or NULL
    bool append_manifests_merge; // commit.manifest-merge.enabled (default true); FastAppend when
                                 // false
} nilas_snapshot_change;

/** Add the snapshot to the update: writes manifests and the manifest list, fills the summary with
 * Iceberg's keys (added-data-files, total-records, changed-partition-count …), assigns sequence
 * numbers and v3 row ids. NILAS_CONFLICT with Iceberg's words when a validation fails
 * (never retried: see nilas_commit). */
nilas_code nilas_update_snapshot(nilas_update *update, const nilas_snapshot_change *change,
                                 nilas_snapshot *out, nilas_error *err);

/* ---- committing ------------------------------------------------------------------------------ */

typedef struct nilas_commit_options {
    nilas_catalog *catalog;
    const nilas_str *identifier;
    size_t identifier_count;
    const nilas_cancel *cancel; // looked at before the swap, never between swap and answer
    /** Called for each attempt with a fresh update of the newest version. A failure ends the
     * commit. */
    nilas_code (*apply)(void *context, nilas_update *update, nilas_error *err);
    void *context;
} nilas_commit_options;

/** Load, apply, swap; again after a lost race, as commit.retry.* of the table say. After
 * NILAS_UNCERTAIN the state is checked by commit.status-check.*: found current (or in its history):
 * OK; found absent: NILAS_CONFLICT; unknown: NILAS_UNCERTAIN, files kept. Manifests and lists of
 * attempts that lost are deleted. @param out the new version (may be NULL). */
nilas_code nilas_commit(const nilas_commit_options *options, nilas_table **out, nilas_error *err);

typedef struct nilas_create_options {
    nilas_catalog *catalog;
    const nilas_str *identifier;
    size_t identifier_count;
    const nilas_schema *schema;       // ids are assigned anew, in Iceberg's order (level by level)
    const nilas_partition_spec *spec; // source ids refer to `schema` as given
    const nilas_sort_order *order;    // or NULL
    nilas_str location;               // empty: the catalog's default
    const nilas_property *properties;
    size_t property_count; // format-version here is the table's version (default 2)
    /** Further changes of the first version (CTAS: its snapshot); or NULL. */
    nilas_code (*apply)(void *context, nilas_update *update, nilas_error *err);
    void *context;
} nilas_create_options;
/** Create a table; NILAS_EXISTS when it is there. The default properties that Spark's catalog
 * writes (write.parquet.compression-codec=zstd, owner) are the caller's to give. */
nilas_code nilas_commit_create(const nilas_create_options *options, nilas_table **out,
                               nilas_error *err);
/** A table that is not there yet, for planning writes (CTAS): metadata as create would make it,
 * with no snapshot. Not committed. */
nilas_code nilas_commit_stage_create(const nilas_create_options *options, nilas_table **out,
                                     nilas_error *err);

/* ---- file names ------------------------------------------------------------------------------ */

/** Directory for data files by write.data.path, write.object-storage.*, and the table's location; a
 * partition's path "a=1/b=x" below it. */
nilas_code nilas_commit_data_location(nilas_arena *arena, const nilas_metadata *metadata,
                                      const nilas_partition_spec *spec,
                                      const nilas_value *partition, nilas_str file_name,
                                      nilas_str *out, nilas_error *err);
/** "a=1/ts_day=2021-01-01": Iceberg's escaped partition path; empty for an unpartitioned spec. */
nilas_code nilas_commit_partition_path(nilas_arena *arena, const nilas_metadata *metadata,
                                       const nilas_partition_spec *spec,
                                       const nilas_value *partition, nilas_str *out,
                                       nilas_error *err);
/** A file in the table's metadata folder (write.metadata.path). */
nilas_code nilas_commit_metadata_location(nilas_arena *arena, const nilas_metadata *metadata,
                                          nilas_str name, nilas_str *out, nilas_error *err);
/** A random positive snapshot id that the table does not have; and a random UUID as text. */
int64_t nilas_commit_new_snapshot_id(const nilas_metadata *metadata);
nilas_code nilas_commit_new_uuid(nilas_arena *arena, nilas_str *out, nilas_error *err);

#include "commit/relocate.h"

#endif
