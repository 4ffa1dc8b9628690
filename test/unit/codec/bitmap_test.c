/** Bitmaps and deletion vectors. Spec: puffin#deletion-vector-v1-blob-type. */
#include "codec/codec.h"
#include "test.h"

static const int64_t some[] = {0,          1,          5,         65535,        65536,
                               4294967295, 4294967296, 1LL << 40, INT64_MAX - 1};
#define SOME_COUNT (sizeof(some) / sizeof(some[0]))

typedef struct seen {
    uint64_t positions[32];
    size_t count, stop_at;
} seen;

static bool collect(void *context, uint64_t position) {
    seen *s = context;
    s->positions[s->count++] = position;
    return s->count != s->stop_at;
}

NILAS_TEST(positions_are_kept_in_order) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_bitmap) bitmap = NULL;
    seen s = {0};
    REQUIRE_OK(nilas_bitmap_new(&bitmap, &err), err);
    CHECK_INT(nilas_bitmap_count(bitmap), 0);
    for (size_t i = SOME_COUNT; i > 0; i--) {
        REQUIRE_OK(nilas_bitmap_add(bitmap, (uint64_t)some[i - 1], &err), err);
    }
    REQUIRE_OK(nilas_bitmap_add_many(bitmap, some, SOME_COUNT, &err), err);
    CHECK_INT(nilas_bitmap_count(bitmap), SOME_COUNT);
    nilas_bitmap_each(bitmap, collect, &s);
    REQUIRE(s.count == SOME_COUNT);
    for (size_t i = 0; i < SOME_COUNT; i++) {
        CHECK_INT(s.positions[i], some[i]);
        CHECK(nilas_bitmap_contains(bitmap, (uint64_t)some[i]));
    }
    CHECK(!nilas_bitmap_contains(bitmap, 2));
    CHECK(!nilas_bitmap_contains(bitmap, UINT64_MAX));
    s = (seen){.stop_at = 2};
    nilas_bitmap_each(bitmap, collect, &s);
    CHECK_INT(s.count, 2);
}

NILAS_TEST(negative_positions_are_refused) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_bitmap) bitmap = NULL;
    int64_t negative[] = {1, -1};
    REQUIRE_OK(nilas_bitmap_new(&bitmap, &err), err);
    CHECK_CODE(nilas_bitmap_add(bitmap, UINT64_MAX, &err), NILAS_CORRUPT, err);
    CHECK_FAILS(nilas_bitmap_add_many(bitmap, negative, 2, &err), NILAS_CORRUPT, err,
                "-1 is negative");
}

NILAS_TEST(merging_is_union) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_bitmap) a = NULL;
    NILAS_AUTO(nilas_bitmap) b = NULL;
    REQUIRE_OK(nilas_bitmap_new(&a, &err), err);
    REQUIRE_OK(nilas_bitmap_new(&b, &err), err);
    REQUIRE_OK(nilas_bitmap_add_many(a, some, 4, &err), err);
    REQUIRE_OK(nilas_bitmap_add_many(b, some + 3, 3, &err), err);
    REQUIRE_OK(nilas_bitmap_merge(a, b, &err), err);
    REQUIRE_OK(nilas_bitmap_merge(a, a, &err), err);
    CHECK_INT(nilas_bitmap_count(a), 6);
    CHECK_INT(nilas_bitmap_count(b), 3);
    nilas_bitmap_free(NULL);
}

static nilas_str make_vector(nilas_arena *arena, const int64_t *positions, size_t count) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_bitmap) bitmap = NULL;
    nilas_str blob = {0};
    CHECK_OK(nilas_bitmap_new(&bitmap, &err), err);
    CHECK_OK(nilas_bitmap_add_many(bitmap, positions, count, &err), err);
    CHECK_OK(nilas_deletion_vector_encode(arena, bitmap, &blob, &err), err);
    return blob;
}

NILAS_TEST(a_deletion_vector_comes_back) {
    for (size_t count = 0; count <= SOME_COUNT; count++) {
        nilas_error err = NILAS_ERROR_INIT;
        NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
        NILAS_AUTO(nilas_bitmap) back = NULL;
        nilas_str blob = make_vector(arena, some, count);
        REQUIRE_OK(nilas_deletion_vector_decode(blob, "dv", &back, &err), err);
        CHECK_INT(nilas_bitmap_count(back), count);
        for (size_t i = 0; i < SOME_COUNT; i++) {
            CHECK_INT(nilas_bitmap_contains(back, (uint64_t)some[i]), i < count);
        }
    }
}

NILAS_TEST(a_vector_of_spark_is_read) {
    // Positions 0 and 1, as Spark with Iceberg 1.11.0 wrote them.
    static const uint8_t bytes[] = {
        0x00, 0x00, 0x00, 0x24, 0xD1, 0xD3, 0x39, 0x64, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x3A, 0x30, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x01, 0x00, 0x10, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0xE2, 0xBE, 0x92, 0x4E};
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    NILAS_AUTO(nilas_bitmap) bitmap = NULL;
    nilas_str blob = {.data = (const char *)bytes, .size = sizeof(bytes)};
    nilas_str again;
    REQUIRE_OK(nilas_deletion_vector_decode(blob, "dv", &bitmap, &err), err);
    seen s = {0};
    nilas_bitmap_each(bitmap, collect, &s);
    CHECK_INT(s.count, 2);
    CHECK_INT(s.positions[1], 1);
    REQUIRE_OK(nilas_deletion_vector_encode(arena, bitmap, &again, &err), err);
    CHECK_BYTES(again, blob);
}

NILAS_TEST(every_cut_and_every_flipped_bit_is_found) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_str blob = make_vector(arena, some, SOME_COUNT);
    char *bytes = (char *)(uintptr_t)blob.data;
    for (size_t cut = 0; cut < blob.size; cut++) {
        nilas_bitmap *bitmap = NULL;
        CHECK_CODE(nilas_deletion_vector_decode(nilas_str_slice(blob, 0, cut), "dv", &bitmap, &err),
                   NILAS_CORRUPT, err);
    }
    for (size_t i = 0; i < 8 * blob.size; i++) {
        nilas_bitmap *bitmap = NULL;
        bytes[i / 8] = (char)(bytes[i / 8] ^ (1 << i % 8));
        CHECK_CODE(nilas_deletion_vector_decode(blob, "dv", &bitmap, &err), NILAS_CORRUPT, err);
        bytes[i / 8] = (char)(bytes[i / 8] ^ (1 << i % 8));
    }
}

/** Length and CRC made right again for spoiled content. */
static void seal(char *bytes, size_t size) {
    uint32_t crc = __builtin_bswap32(nilas_crc32(bytes + 4, size - 8));
    memcpy(bytes + size - 4, &crc, sizeof(crc));
}

NILAS_TEST(a_right_checksum_does_not_excuse_a_broken_bitmap) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_str blob = make_vector(arena, some, SOME_COUNT);
    char *bytes = (char *)(uintptr_t)blob.data;
    for (size_t i = 8; i + 4 < blob.size; i++) {
        for (int value = 0; value < 256; value += 51) {
            char kept = bytes[i];
            NILAS_AUTO(nilas_bitmap) bitmap = NULL;
            bytes[i] = (char)value;
            seal(bytes, blob.size);
            if (nilas_deletion_vector_decode(blob, "dv", &bitmap, &err) == NILAS_OK) {
                seen s = {.stop_at = 30};
                nilas_bitmap_each(bitmap, collect, &s);
            }
            bytes[i] = kept;
        }
    }
    seal(bytes, blob.size);
    NILAS_AUTO(nilas_bitmap) bitmap = NULL;
    CHECK_OK(nilas_deletion_vector_decode(blob, "dv", &bitmap, &err), err);
}
