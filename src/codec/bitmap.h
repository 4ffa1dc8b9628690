/**
 * 64-bit roaring bitmaps of row positions (CRoaring), and the deletion-vector blob of the Iceberg
 * specification.
 */
#ifndef NILAS_CODEC_BITMAP_H
#define NILAS_CODEC_BITMAP_H

#include "base/base.h"

typedef struct nilas_bitmap nilas_bitmap;
nilas_code nilas_bitmap_new(nilas_bitmap **out, nilas_error *err);
void nilas_bitmap_free(nilas_bitmap *bitmap);
NILAS_DEFINE_AUTO(nilas_bitmap, nilas_bitmap_free);
nilas_code nilas_bitmap_add(nilas_bitmap *bitmap, uint64_t position, nilas_error *err);
nilas_code nilas_bitmap_add_many(nilas_bitmap *bitmap, const int64_t *positions, size_t count,
                                 nilas_error *err);
nilas_code nilas_bitmap_merge(nilas_bitmap *into, const nilas_bitmap *from, nilas_error *err);
/** Thread-safe while nobody changes the bitmap. */
bool nilas_bitmap_contains(const nilas_bitmap *bitmap, uint64_t position);
uint64_t nilas_bitmap_count(const nilas_bitmap *bitmap);
/** Call back for each position in ascending order; stops when it returns false. */
void nilas_bitmap_each(const nilas_bitmap *bitmap, bool (*body)(void *context, uint64_t position),
                       void *context);

/**
 * Decode a deletion-vector-v1 blob: length (BE), magic D1 D3 39 64, portable 64-bit roaring,
 * CRC-32 (BE). All checked.
 */
nilas_code nilas_deletion_vector_decode(nilas_str blob, const char *what, nilas_bitmap **out,
                                        nilas_error *err);
nilas_code nilas_deletion_vector_encode(nilas_arena *arena, const nilas_bitmap *bitmap,
                                        nilas_str *out, nilas_error *err);

#endif
