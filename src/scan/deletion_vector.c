/*
 * Deletion vectors: one blob of a Puffin file, found by the offset and size in the delete file's
 * manifest entry.
 *
 * Spec: iceberg#deletion-vectors; the number of positions must be the entry's record count.
 */
#include "scan/scan.h"

nilas_code nilas_scan_load_deletion_vector(const nilas_table *table,
                                           const nilas_delete_file *delete_file, nilas_bitmap **out,
                                           nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    NILAS_AUTO(nilas_bitmap) bitmap = NULL;
    const nilas_data_file *file = &delete_file->file;
    nilas_str blob, what;

    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_REQUIRE(
        file->content_offset >= 0 && file->content_size_in_bytes >= 0, err, NILAS_CORRUPT,
        "deletion vector in \"%.*s\" has no content offset and size in its manifest entry",
        NILAS_FMT(file->file_path));
    NILAS_REQUIRE(file->content_size_in_bytes <= NILAS_LIMIT_BITMAP_BYTES, err, NILAS_LIMIT,
                  "deletion vector in \"%.*s\" has %lld bytes, more than the limit of %lld",
                  NILAS_FMT(file->file_path), (long long)file->content_size_in_bytes,
                  (long long)NILAS_LIMIT_BITMAP_BYTES);

    NILAS_TRY(nilas_io_read_range(table->io, scratch, file->file_path, file->content_offset,
                                  (size_t)file->content_size_in_bytes, &blob, err));
    NILAS_TRY(nilas_str_print(scratch, &what, err, "deletion vector at byte %lld of \"%.*s\"",
                              (long long)file->content_offset, NILAS_FMT(file->file_path)));
    NILAS_TRY(nilas_deletion_vector_decode(blob, what.data, &bitmap, err));

    uint64_t found = nilas_bitmap_count(bitmap);
    NILAS_REQUIRE(file->record_count < 0 || found == (uint64_t)file->record_count, err,
                  NILAS_CORRUPT, "%s: Invalid cardinality: %llu, expected %lld", what.data,
                  (unsigned long long)found, (long long)file->record_count);
    *out = bitmap;
    bitmap = NULL; // the caller's now
    return NILAS_OK;
}
