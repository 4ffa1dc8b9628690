/** Writing manifests and manifest lists as bytes; putting them into files is the caller's. */
#ifndef NILAS_ICEBERG_MANIFEST_WRITE_H
#define NILAS_ICEBERG_MANIFEST_WRITE_H

#include "iceberg/manifest.h"

/** One manifest being written: entries of one spec and one content. */
typedef struct nilas_manifest_writer nilas_manifest_writer;

typedef struct nilas_manifest_writer_options {
    const nilas_metadata *metadata; // borrowed: format version, schemas, specs
    int32_t spec_id;
    nilas_manifest_content content;
    int64_t snapshot_id; // that adds the manifest
} nilas_manifest_writer_options;

/**
 * Begin a manifest of the metadata's format version.
 *
 * Compressed by write.manifest.compression-codec of the table (gzip, the default, is Avro's
 * deflate; zstd, snappy, uncompressed).
 *
 * @return NILAS_INVALID      unknown spec or codec; delete files in version 1
 *         NILAS_UNSUPPORTED, NILAS_NOMEM
 *
 * Spec: iceberg#manifests.
 */
nilas_code nilas_manifest_writer_new(nilas_arena *arena,
                                     const nilas_manifest_writer_options *options,
                                     nilas_manifest_writer **out, nilas_error *err);
/**
 * Add an entry as it stands: status, snapshot id, numbers. `sequence_number` -1 of an added file is
 * left to inheritance, so is its file sequence number always; an existing file must have both. An
 * added file's first row id is never written: it is assigned by the manifest's.
 *
 * @return NILAS_INVALID  the partition does not fit the spec, or a number is missing; nothing was
 *         added
 */
nilas_code nilas_manifest_writer_add(nilas_manifest_writer *writer,
                                     const nilas_manifest_entry *entry, nilas_error *err);
/** Bytes so far, about: to begin the next manifest at a size. */
size_t nilas_manifest_writer_size(const nilas_manifest_writer *writer);
/** Number of entries so far. */
size_t nilas_manifest_writer_count(const nilas_manifest_writer *writer);
/** The bytes, and the manifest's line for the list, without its path. Sequence numbers that are not
 * known before the commit are -1. Both live in the writer's arena. */
nilas_code nilas_manifest_writer_finish(nilas_manifest_writer *writer, nilas_str *out_bytes,
                                        nilas_manifest_file *out, nilas_error *err);

typedef struct nilas_manifest_list_options {
    int32_t format_version;
    nilas_str compression; // as write.manifest.compression-codec; empty: gzip
    int64_t snapshot_id;
    int64_t parent_id;       // -1: none
    int64_t sequence_number; // taken by manifests whose numbers are -1
    int64_t next_row_id;     // v3: assigned to data manifests that have no first row id
} nilas_manifest_list_options;

/**
 * Encode a manifest list; fills sequence numbers and (v3) first row ids of `manifests` in place.
 *
 * @param out_next_row_id  v3: the table's next row id after it
 *
 * Spec: iceberg#manifest-lists, iceberg#row-lineage.
 */
nilas_code nilas_manifest_list_encode(nilas_arena *arena,
                                      const nilas_manifest_list_options *options,
                                      nilas_manifest_file *manifests, size_t count,
                                      nilas_str *out_bytes, int64_t *out_next_row_id,
                                      nilas_error *err);

#endif
