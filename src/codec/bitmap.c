/*
 * 64-bit bitmaps over CRoaring, and the deletion-vector blob. Bytes from outside pass three gates:
 * the length and the checksum, CRoaring's bounded reader, and its check of the containers, because
 * a bitmap that breaks CRoaring's own invariants may crash later.
 *
 * Spec: puffin#deletion-vector-v1-blob-type.
 */
#include "codec/bitmap.h"

#include <roaring/roaring.h>
#include <stdlib.h>

#include "codec/hash.h"

struct nilas_bitmap {
    roaring64_bitmap_t *roaring;
};

static nilas_code wrap(roaring64_bitmap_t *roaring, nilas_bitmap **out, nilas_error *err) {
    nilas_bitmap *bitmap = calloc(1, sizeof(*bitmap));

    if (bitmap == NULL || roaring == NULL) {
        roaring64_bitmap_free(roaring);
        free(bitmap);
        return nilas_fail(err, NILAS_NOMEM, "out of memory");
    }
    bitmap->roaring = roaring;
    *out = bitmap;
    return NILAS_OK;
}

nilas_code nilas_bitmap_new(nilas_bitmap **out, nilas_error *err) {
    return wrap(roaring64_bitmap_create(), out, err);
}

void nilas_bitmap_free(nilas_bitmap *bitmap) {
    if (bitmap != NULL) {
        roaring64_bitmap_free(bitmap->roaring);
        free(bitmap);
    }
}

static nilas_code check_position(uint64_t position, nilas_error *err) {
    NILAS_REQUIRE(position <= INT64_MAX, err, NILAS_CORRUPT, "row position %lld is negative",
                  (long long)position);
    return NILAS_OK;
}

nilas_code nilas_bitmap_add(nilas_bitmap *bitmap, uint64_t position, nilas_error *err) {
    NILAS_TRY(check_position(position, err));
    roaring64_bitmap_add(bitmap->roaring, position);
    return NILAS_OK;
}

nilas_code nilas_bitmap_add_many(nilas_bitmap *bitmap, const int64_t *positions, size_t count,
                                 nilas_error *err) {
    roaring64_bulk_context_t context = {0};

    for (size_t i = 0; i < count; i++) {
        NILAS_TRY(check_position((uint64_t)positions[i], err));
        roaring64_bitmap_add_bulk(bitmap->roaring, &context, (uint64_t)positions[i]);
    }
    return NILAS_OK;
}

nilas_code nilas_bitmap_merge(nilas_bitmap *into, const nilas_bitmap *from, nilas_error *err) {
    (void)err; // CRoaring does not report a failed allocation
    if (into != from) {
        roaring64_bitmap_or_inplace(into->roaring, from->roaring);
    }
    return NILAS_OK;
}

bool nilas_bitmap_contains(const nilas_bitmap *bitmap, uint64_t position) {
    return roaring64_bitmap_contains(bitmap->roaring, position);
}

uint64_t nilas_bitmap_count(const nilas_bitmap *bitmap) {
    return roaring64_bitmap_get_cardinality(bitmap->roaring);
}

typedef struct each_context {
    bool (*body)(void *context, uint64_t position);
    void *context;
} each_context;

static bool call_body(uint64_t position, void *argument) {
    const each_context *each = argument;
    return each->body(each->context, position);
}

void nilas_bitmap_each(const nilas_bitmap *bitmap, bool (*body)(void *context, uint64_t position),
                       void *context) {
    each_context each = {.body = body, .context = context};
    (void)roaring64_bitmap_iterate(bitmap->roaring, call_body, &each);
}

// ---- deletion vectors ---------------------------------------------------------------------------

#define DV_MAGIC     0x6439D3D1U // D1 D3 39 64, read as a little-endian number
#define DV_MIN_BYTES 20U         // length, magic, bitmap count, CRC

static uint32_t read_big_endian(const char *at) {
    const uint8_t *bytes = (const uint8_t *)at;
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void write_big_endian(char *at, uint32_t v) {
    for (unsigned i = 0; i < 4; i++) {
        at[i] = (char)(v >> (24 - 8 * i));
    }
}

/** Magic and vector between length and CRC, all three checked. */
static nilas_code unwrap_vector(nilas_str blob, const char *what, nilas_str *out,
                                nilas_error *err) {
    NILAS_REQUIRE(blob.size >= DV_MIN_BYTES, err, NILAS_CORRUPT,
                  "%s: a deletion vector of at least %u bytes expected, found %zu", what,
                  DV_MIN_BYTES, blob.size);
    NILAS_REQUIRE(blob.size <= NILAS_LIMIT_BITMAP_BYTES, err, NILAS_LIMIT,
                  "%s: deletion vector of %zu bytes, the limit is %lld", what, blob.size,
                  NILAS_LIMIT_BITMAP_BYTES);

    nilas_str body = nilas_str_slice(blob, 4, blob.size - 8);
    uint32_t length = read_big_endian(blob.data);
    NILAS_REQUIRE(length == body.size, err, NILAS_CORRUPT,
                  "%s: deletion vector length at offset 0: expected %zu, found %u", what, body.size,
                  length);

    nilas_reader reader = nilas_reader_of(body, what);
    uint32_t magic;
    NILAS_TRY(nilas_reader_u32le(&reader, &magic, err));
    NILAS_REQUIRE(magic == DV_MAGIC, err, NILAS_CORRUPT,
                  "%s: deletion vector magic at offset 4: expected %08x, found %08x", what,
                  __builtin_bswap32(DV_MAGIC), __builtin_bswap32(magic));

    uint32_t stored = read_big_endian(blob.data + blob.size - 4);
    uint32_t counted = nilas_crc32(body.data, body.size);
    NILAS_REQUIRE(stored == counted, err, NILAS_CORRUPT,
                  "%s: deletion vector CRC at offset %zu: expected %08x, found %08x", what,
                  blob.size - 4, counted, stored);
    *out = nilas_str_slice(body, 4, body.size);
    return NILAS_OK;
}

static nilas_code check_vector(const nilas_bitmap *bitmap, nilas_str vector, const char *what,
                               nilas_error *err) {
    const char *reason = NULL;

    NILAS_REQUIRE(roaring64_bitmap_internal_validate(bitmap->roaring, &reason), err, NILAS_CORRUPT,
                  "%s: deletion vector holds a broken bitmap: %s", what,
                  reason != NULL ? reason : "unknown reason");
    NILAS_REQUIRE(roaring64_bitmap_portable_size_in_bytes(bitmap->roaring) <= vector.size + 64, err,
                  NILAS_CORRUPT, "%s: deletion vector is shorter than its content", what);
    NILAS_REQUIRE(nilas_bitmap_count(bitmap) == 0 ||
                      roaring64_bitmap_maximum(bitmap->roaring) <= INT64_MAX,
                  err, NILAS_CORRUPT, "%s: deletion vector has a negative position", what);
    return NILAS_OK;
}

nilas_code nilas_deletion_vector_decode(nilas_str blob, const char *what, nilas_bitmap **out,
                                        nilas_error *err) {
    nilas_str vector;
    NILAS_AUTO(nilas_bitmap) bitmap = NULL;

    NILAS_TRY(unwrap_vector(blob, what, &vector, err));
    // Asked first, because the reader below takes trailing bytes without a word.
    size_t used = roaring64_bitmap_portable_deserialize_size(vector.data, vector.size);
    NILAS_REQUIRE(used == vector.size, err, NILAS_CORRUPT,
                  "%s: deletion vector bitmap at offset 8: expected %zu bytes, found %zu", what,
                  vector.size, used);
    roaring64_bitmap_t *roaring =
        roaring64_bitmap_portable_deserialize_safe(vector.data, vector.size);
    NILAS_REQUIRE(roaring != NULL, err, NILAS_CORRUPT,
                  "%s: deletion vector bitmap at offset 8 is damaged", what);
    NILAS_TRY(wrap(roaring, &bitmap, err));
    NILAS_TRY(check_vector(bitmap, vector, what, err));
    *out = bitmap;
    bitmap = NULL;
    return NILAS_OK;
}

nilas_code nilas_deletion_vector_encode(nilas_arena *arena, const nilas_bitmap *bitmap,
                                        nilas_str *out, nilas_error *err) {
    // Runs make the usual vector (whole row groups deleted) tiny; on a copy, since the bitmap may
    // be shared.
    roaring64_bitmap_t *copy = roaring64_bitmap_copy(bitmap->roaring);
    NILAS_REQUIRE(copy != NULL, err, NILAS_NOMEM, "out of memory");
    (void)roaring64_bitmap_run_optimize(copy);

    size_t size = roaring64_bitmap_portable_size_in_bytes(copy);
    void *memory = NULL;
    nilas_code code =
        size <= (size_t)NILAS_LIMIT_BITMAP_BYTES - 12
            ? nilas_arena_alloc(arena, size + 12, &memory, err)
            : nilas_fail(err, NILAS_LIMIT, "deletion vector of %zu bytes, the limit is %lld",
                         size + 12, NILAS_LIMIT_BITMAP_BYTES);
    if (code == NILAS_OK) {
        char *bytes = memory;
        write_big_endian(bytes, (uint32_t)(size + 4));
        write_big_endian(bytes + 4, __builtin_bswap32(DV_MAGIC));
        size_t written = roaring64_bitmap_portable_serialize(copy, bytes + 8);
        nilas_assert(written == size);
        write_big_endian(bytes + 8 + size, nilas_crc32(bytes + 4, size + 4));
        *out = (nilas_str){.data = bytes, .size = size + 12};
    }
    roaring64_bitmap_free(copy);
    return code;
}
