/**
 * A table's metadata for another place: every path below one prefix becomes a path below another.
 *
 * Nothing here changes a table: what is made are bytes for a staging folder.
 */
#ifndef NILAS_COMMIT_RELOCATE_H
#define NILAS_COMMIT_RELOCATE_H

#include "commit/commit.h"

typedef struct nilas_relocation {
    nilas_str source_prefix, target_prefix;
    nilas_str staging; // folder; ends with "/"
} nilas_relocation;

/** The path at its new place. NILAS_INVALID "Path … does not start with …". */
nilas_code nilas_relocation_target(nilas_arena *arena, const nilas_relocation *to, nilas_str path,
                                   nilas_str *out, nilas_error *err);
/** The path below the staging folder, as deep as it was below the prefix. */
nilas_code nilas_relocation_staged(nilas_arena *arena, const nilas_relocation *to, nilas_str path,
                                   nilas_str *out, nilas_error *err);

/** Table metadata with all paths moved: location, manifest lists, statistics, the log, and the
 * properties that hold paths. What does not change is shared with `metadata`. NILAS_UNSUPPORTED:
 * snapshots without a manifest list. */
nilas_code nilas_relocate_metadata(nilas_arena *arena, const nilas_relocation *to,
                                   const nilas_metadata *metadata, nilas_metadata *out,
                                   nilas_error *err);

typedef struct nilas_manifest_move {
    const nilas_relocation *to;
    nilas_io *io;
    const nilas_metadata *metadata; // of the version that is moved: its format version is written
    /** Called for each entry as it was, with the file as it will be; may change size and content
     * offset of the file. */
    nilas_code (*on_file)(void *context, const nilas_manifest_entry *entry, nilas_data_file *file,
                          nilas_error *err);
    void *context;
} nilas_manifest_move;

/** A manifest with all paths moved; entries keep status, snapshot and numbers. `out` is the
 * manifest's new line. */
nilas_code nilas_relocate_manifest(nilas_arena *arena, const nilas_manifest_move *move,
                                   const nilas_manifest_file *manifest, nilas_str *out_bytes,
                                   nilas_manifest_file *out, nilas_error *err);

typedef struct nilas_offset_pair {
    int64_t before, after;
} nilas_offset_pair;
/** A Puffin file of deletion vectors whose "referenced-data-file" have moved; each blob's offset
 * before and after. */
nilas_code nilas_relocate_vectors(nilas_arena *arena, const nilas_relocation *to, nilas_str file,
                                  nilas_str *out, nilas_offset_pair **out_offsets,
                                  size_t *out_count, nilas_error *err);
/** An Avro file of position deletes whose paths have moved. */
nilas_code nilas_relocate_avro_deletes(nilas_arena *arena, const nilas_relocation *to,
                                       nilas_str file, nilas_str location, nilas_str *out,
                                       nilas_error *err);

#endif
