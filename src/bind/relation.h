/** Private to the resolution of table names: relation.c, source.c, time_travel.c. */
#ifndef NILAS_BIND_RELATION_H
#define NILAS_BIND_RELATION_H

#include "bind/bind.h"

/** A table as loaded by its name: with the snapshot or branch that the name itself chose. */
typedef struct nilas_bind_choice {
    nilas_table *table;
    nilas_metadata_table metadata_table;
    bool has_snapshot;
    int64_t snapshot_id;
    bool has_branch;
    nilas_str branch; // may name a tag
} nilas_bind_choice;

/** Spark's read options that choose what is read; data NULL: not given. */
typedef struct nilas_read_options {
    nilas_str snapshot_id, as_of_timestamp, branch, tag;
    nilas_str version_as_of, timestamp_as_of;
    nilas_str start_snapshot_id, end_snapshot_id, start_timestamp, end_timestamp;
} nilas_read_options;

/* relation.c */
/**
 * Load by name within a catalog, with metadata-table and time-travel suffixes. NILAS_NOT_FOUND is
 * quiet.
 */
nilas_code nilas_bind__load(const nilas_bind_environment *environment, nilas_catalog *catalog,
                            const nilas_str *parts, size_t count, nilas_bind_choice *out,
                            nilas_error *err);
/** Load by location, with "#files", "#branch_x" … behind it. */
nilas_code nilas_bind__load_path(const nilas_bind_environment *environment, nilas_str location,
                                 nilas_bind_choice *out, nilas_error *err);
/** nilas_bind_table_not_found() of a name in parts. */
nilas_code nilas_bind__fail_not_found(const nilas_bind_environment *environment,
                                      const nilas_str *parts, size_t count, int32_t offset,
                                      nilas_error *err);
/**
 * NILAS_NOT_FOUND of a catalog in Spark's words: TABLE_OR_VIEW_NOT_FOUND or
 * REQUIRES_SINGLE_PART_NAMESPACE.
 */
nilas_code nilas_bind__word_not_found(const nilas_bind_environment *environment,
                                      const nilas_relation *relation, const nilas_str *written,
                                      size_t written_count, int32_t offset, nilas_error *err);

/* time_travel.c */
/** Apply VERSION AS OF or TIMESTAMP AS OF; refused when the name chose already. */
nilas_code nilas_bind__travel(const nilas_bind_environment *environment,
                              const nilas_time_travel *time_travel, nilas_bind_choice *choice,
                              nilas_error *err);
/** Apply versionAsOf and timestampAsOf; both at once are refused. */
nilas_code nilas_bind__travel_by_options(const nilas_bind_environment *environment,
                                         const nilas_read_options *options,
                                         nilas_bind_choice *choice, nilas_error *err);
/** Snapshot, schema and incremental range of the choice and the options. */
nilas_code nilas_bind__choose(const nilas_bind_environment *environment,
                              const nilas_bind_choice *choice, const nilas_read_options *options,
                              nilas_relation *out, nilas_error *err);
/** "snapshot_id_1", "at_timestamp_1", "branch_b", "tag_t". *out_known false: no such suffix. */
nilas_code nilas_bind__selector(nilas_bind_choice *choice, nilas_str selector, bool *out_known,
                                nilas_error *err);

/* source.c */
nilas_code nilas_bind__read_options(const nilas_option *options, size_t count,
                                    nilas_read_options *out);
/**
 * The one selector of the options as a suffix ("branch_b"), empty when none; several are refused.
 */
nilas_code nilas_bind__option_selector(nilas_arena *arena, const nilas_read_options *options,
                                       nilas_str *out, nilas_error *err);
/** What a view USING iceberg, json, csv … reads. */
nilas_code nilas_bind__source(const nilas_bind_environment *environment,
                              const nilas_temp_view *view, nilas_relation *out, nilas_error *err);
/**
 * Files by path: `files` says format, path, options and perhaps the schema, which else is
 * inferred.
 */
nilas_code nilas_bind__files(const nilas_bind_environment *environment,
                             const nilas_file_scan *files, nilas_relation *out, nilas_error *err);
bool nilas_bind__is_file_format(nilas_str name);

#endif
