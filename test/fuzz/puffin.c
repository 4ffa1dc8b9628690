/**
 * Puffin files, and what their blobs hold: compressed bytes and deletion vectors, with and without
 * a right checksum.
 */
#include "codec/codec.h"

#define MEMORY_BYTES (256UL << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool count_up(void *context, uint64_t position) {
    uint64_t *count = context;
    return position < UINT64_MAX && ++*count < 100000;
}

static void try_vector(nilas_str blob) {
    NILAS_AUTO(nilas_bitmap) bitmap = NULL;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, MEMORY_BYTES);
    nilas_error err = NILAS_ERROR_INIT;
    nilas_str again;
    uint64_t count = 0;

    if (nilas_deletion_vector_decode(blob, "fuzz", &bitmap, &err) == NILAS_OK) {
        nilas_bitmap_each(bitmap, count_up, &count);
        (void)nilas_bitmap_contains(bitmap, count);
        (void)nilas_deletion_vector_encode(arena, bitmap, &again, &err);
    }
}

/** The bytes as the inside of a vector whose length, magic and checksum are right. */
static void try_sealed_vector(nilas_str bytes) {
    NILAS_AUTO_BUF blob = {0};
    uint32_t length = __builtin_bswap32((uint32_t)bytes.size + 4);
    nilas_buf_add_bytes(&blob, &length, sizeof(length));
    nilas_buf_add_bytes(&blob, "\xD1\xD3\x39\x64", 4);
    nilas_buf_add(&blob, bytes);
    uint32_t crc = __builtin_bswap32(nilas_crc32(blob.data + 4, blob.size - 4));
    nilas_buf_add_bytes(&blob, &crc, sizeof(crc));
    try_vector(nilas_buf_view(&blob));
}

static nilas_code try_file(nilas_str bytes) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, MEMORY_BYTES);
    nilas_error err = NILAS_ERROR_INIT;
    nilas_puffin_blob *blobs;
    size_t count;

    NILAS_TRY(nilas_puffin_parse(arena, bytes, "fuzz", &blobs, &count, &err));
    for (size_t i = 0; i < count && i < 100; i++) {
        size_t offset = (size_t)blobs[i].offset;
        nilas_str blob = nilas_str_slice(bytes, offset, (size_t)blobs[i].length);
        nilas_str plain;
        try_vector(blob);
        (void)nilas_decompress(arena, blobs[i].compression, blob, 1 << 24, &plain, &err);
    }
    return NILAS_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    nilas_str bytes = {.data = (const char *)data, .size = size};
    (void)try_file(bytes);
    try_vector(bytes);
    try_sealed_vector(bytes);
    return 0;
}
