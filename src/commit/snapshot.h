/** A snapshot being made: what the files that filter, write, merge, count and validate share. */
#ifndef NILAS_COMMIT_SNAPSHOT_H
#define NILAS_COMMIT_SNAPSHOT_H

#include "commit/partitions.h"

typedef struct nilas_commit__counts { // of one partition, or of all
    int64_t added_files, removed_files;
    int64_t added_delete_files, removed_delete_files;
    int64_t added_position_files, removed_position_files;
    int64_t added_equality_files, removed_equality_files;
    int64_t added_vectors, removed_vectors; // deletion vectors
    int64_t added_records, removed_records;
    int64_t added_size, removed_size;
    int64_t added_positions, removed_positions;   // rows of position deletes and vectors
    int64_t added_equalities, removed_equalities; // rows of equality deletes
} nilas_commit__counts;

typedef struct nilas_commit__wanted { // a file that must be found and removed
    const nilas_data_file *file;
    bool found;
} nilas_commit__wanted;

typedef NILAS_ARRAY_OF(nilas_manifest_file) nilas_commit__manifests;

typedef struct nilas_commit__making {
    nilas_update *update;
    const nilas_snapshot_change *change;
    const nilas_snapshot *parent; // or NULL
    int64_t snapshot_id;
    int64_t sequence_number;   // 0 in version 1
    nilas_map removed;         // path -> nilas_commit__wanted: data files
    nilas_map removed_deletes; // key -> nilas_commit__wanted: delete files
    nilas_map gone;            // paths of data files that this snapshot removes
    nilas_map gone_deletes;    // keys of delete files that this snapshot removes
    nilas_map evaluators;      // spec id -> nilas_evaluator of the delete filter
    nilas_commit__partitions removed_partitions, removed_delete_partitions;
    nilas_commit__partitions replaced; // by replace_partitions
    int64_t min_data_sequence;         // of the data that stays
    bool remove_everything;            // delete_all, or all partitions of an unpartitioned spec
    int64_t manifests_replaced;
    nilas_commit__counts counts;
    nilas_map partitions; // path -> nilas_commit__counts
    int64_t duplicates;
} nilas_commit__making;

/** What a delete file is known by: its path, and the place inside it of a deletion vector. */
nilas_code nilas_commit__delete_key(nilas_arena *arena, const nilas_data_file *file, nilas_str *out,
                                    nilas_error *err);
static inline bool nilas_commit__is_vector(const nilas_data_file *file) {
    return file->content == NILAS_FILE_POSITION_DELETES &&
           nilas_str_is(file->file_format, "PUFFIN");
}
static inline bool nilas_commit__same_partition(const nilas_data_file *a,
                                                const nilas_data_file *b) {
    return a->spec_id == b->spec_id &&
           (a->partition.kind != NILAS_VALUE_STRUCT || b->partition.kind != NILAS_VALUE_STRUCT ||
            nilas_value_equal(&a->partition, &b->partition));
}

/** The evaluator of a predicate for a spec, made once in `cache`. */
nilas_code nilas_commit__evaluator(const nilas_commit__making *making, nilas_map *cache,
                                   const nilas_predicate *predicate, int32_t spec_id,
                                   const nilas_evaluator **out, nilas_error *err);

/** Refuse what concurrent snapshots make wrong (validate.c). */
nilas_code nilas_commit__validate(const nilas_commit__making *making, nilas_error *err);
/** The manifest without the files that go: itself, or a new one (filter.c). */
nilas_code nilas_commit__filter(nilas_commit__making *making, const nilas_manifest_file *manifest,
                                nilas_manifest_file *out, nilas_error *err);
/** Everything that had to be found was found. */
nilas_code nilas_commit__check_found(const nilas_commit__making *making, nilas_error *err);

/** A writer for a manifest of this snapshot; finishing it writes the file (manifests.c). */
nilas_code nilas_commit__begin_manifest(nilas_commit__making *making, nilas_arena *arena,
                                        int32_t spec_id, nilas_manifest_content content,
                                        nilas_manifest_writer **out, nilas_error *err);
nilas_code nilas_commit__end_manifest(nilas_commit__making *making, nilas_manifest_writer *writer,
                                      nilas_manifest_file *out, nilas_error *err);
/** Manifests of the files that come. */
nilas_code nilas_commit__write_added(nilas_commit__making *making, const nilas_data_file *files,
                                     size_t count, nilas_manifest_content content,
                                     nilas_commit__manifests *out, nilas_error *err);
/** Merge small manifests by commit.manifest.*; the first of `from` is the newest. */
nilas_code nilas_commit__merge(nilas_commit__making *making, const nilas_commit__manifests *from,
                               nilas_commit__manifests *out, nilas_error *err);

/** The parent's manifests, those of change->manifest_rewrite written anew (rewrite.c). */
nilas_code nilas_commit__rewrite(nilas_commit__making *making, const nilas_commit__manifests *from,
                                 nilas_commit__manifests *out, nilas_error *err);

/** Count a file that comes or goes (summary.c). */
nilas_code nilas_commit__count(nilas_commit__making *making, const nilas_data_file *file,
                               bool added, nilas_error *err);
/** The snapshot's summary, without its operation. */
nilas_code nilas_commit__summarize(nilas_commit__making *making, const nilas_manifest_file *list,
                                   size_t count, nilas_snapshot *snapshot, nilas_error *err);

#endif
