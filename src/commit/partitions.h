/** A set of partitions, and whether a manifest may hold files of one of them. Room-private. */
#ifndef NILAS_COMMIT_PARTITIONS_H
#define NILAS_COMMIT_PARTITIONS_H

#include "commit/private.h"

typedef struct nilas_commit__partitions {
    nilas_arena *arena;
    bool holds_unknown;                           // a file that is known by its path only
    NILAS_ARRAY_OF(const nilas_data_file *) list; // one file of each partition
    nilas_map heads;                              // hash -> chain of those with that hash
} nilas_commit__partitions;

/** The partitions of some files, which are borrowed. */
nilas_code nilas_commit__partitions_of(nilas_arena *arena, const nilas_data_file *files,
                                       size_t count, nilas_commit__partitions *out,
                                       nilas_error *err);
bool nilas_commit__partitions_hold(const nilas_commit__partitions *set,
                                   const nilas_data_file *file);
/** May the manifest hold files of one of them, by its summary? Anything unknown may. */
nilas_code nilas_commit__partitions_touch(const nilas_commit__partitions *set,
                                          const nilas_metadata *metadata,
                                          const nilas_manifest_file *manifest, bool *out,
                                          nilas_error *err);

#endif
