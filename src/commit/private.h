/** What the room's files share: the update of one attempt, and what it has written. */
#ifndef NILAS_COMMIT_PRIVATE_H
#define NILAS_COMMIT_PRIVATE_H

#include "commit/commit.h"

struct nilas_update {
    nilas_arena *arena;      // of the attempt
    nilas_io *io;            // borrowed
    const nilas_table *base; // borrowed; NULL: the table is being created
    nilas_metadata metadata; // arrays are shared with the base until they change
    bool changed;
    bool removed_snapshots;
    int64_t updated_ms; // when the changes say so; 0: at the end
    int attempt;        // from 1; part of the names of manifest lists
    nilas_str uuid;     // part of the names of manifests
    int manifest_number;
    NILAS_ARRAY_OF(nilas_str) written;       // manifests and lists
    NILAS_ARRAY_OF(int64_t) added_snapshots; // ids
};

/** memcpy() of an array that may be NULL when it is empty. */
static inline void nilas_commit__copy(void *to, const void *from, size_t size) {
    if (size > 0) {
        memcpy(to, from, size);
    }
}

/** An update of `base`, or of nothing. */
nilas_code nilas_commit__update_new(nilas_arena *arena, nilas_io *io, const nilas_table *base,
                                    int attempt, nilas_update **out, nilas_error *err);
/** Times and logs of the version that is about to be written. */
nilas_code nilas_commit__update_finish(nilas_update *update, nilas_error *err);
/** Delete what the update has written. Only when the outcome is known to be "nothing happened". */
void nilas_commit__update_discard(const nilas_update *update);
/** A table of its own, parsed from the text of the update's metadata. */
nilas_code nilas_commit__table_of(const nilas_update *update, const nilas_str *identifier,
                                  size_t identifier_count, nilas_str catalog, nilas_table **out,
                                  nilas_error *err);
/** What fails after the swap must not be taken for a failure of the commit: NILAS_UNCERTAIN. */
nilas_code nilas_commit__after_swap(nilas_code code, nilas_error *err);

/** A file in the table's metadata folder. */
nilas_code nilas_commit__metadata_file(nilas_update *update, nilas_str name, nilas_str *out,
                                       nilas_error *err);
/** Write a new file and remember it. */
nilas_code nilas_commit__write(nilas_update *update, nilas_str path, nilas_str bytes,
                               nilas_error *err);
/** Delete a file that this update has written and nobody needs any more. */
void nilas_commit__unwrite(nilas_update *update, nilas_str path);

/** An integer property; `fallback` when absent or no number. */
int64_t nilas_commit__int_property(const nilas_metadata *metadata, const char *key,
                                   int64_t fallback);
bool nilas_commit__bool_property(const nilas_metadata *metadata, const char *key, bool fallback);

/** Set `properties` to those of the metadata with changes laid over: value data NULL removes,
 * reserved keys are left out. */
nilas_code nilas_commit__overlay(nilas_update *update, const nilas_property *changes, size_t count,
                                 nilas_error *err);
/** The format version that properties ask for; `fallback` when they ask for none. */
nilas_code nilas_commit__asked_version(const nilas_property *properties, size_t count,
                                       int32_t fallback, int32_t *out, nilas_error *err);

/** Refuse types and defaults that the format version does not have. */
nilas_code nilas_commit__check_schema(nilas_arena *arena, const nilas_schema *schema,
                                      int32_t format_version, nilas_error *err);
/** Refuse specs whose sources are missing or do not suit their transforms. */
nilas_code nilas_commit__check_spec(const nilas_schema *schema, const nilas_partition_spec *spec,
                                    nilas_error *err);

/** Ids given anew, level by level; fields of `base` (or NULL) with the same dotted name keep
 * theirs. */
typedef struct nilas_commit__fresh {
    nilas_arena *arena;
    const nilas_schema *base;
    int32_t last_id;
    NILAS_ARRAY_OF(nilas_log_entry) ids; // timestamp_ms: the id as given; snapshot_id: the new one
} nilas_commit__fresh;
nilas_code nilas_commit__fresh_schema(nilas_commit__fresh *fresh, const nilas_schema *given,
                                      nilas_schema **out, nilas_error *err);
/** Copies whose source ids are the new ones. */
nilas_code nilas_commit__fresh_spec(const nilas_commit__fresh *fresh,
                                    const nilas_partition_spec *given, nilas_partition_spec **out,
                                    nilas_error *err);
nilas_code nilas_commit__fresh_order(const nilas_commit__fresh *fresh,
                                     const nilas_sort_order *given, nilas_sort_order **out,
                                     nilas_error *err);

#endif
