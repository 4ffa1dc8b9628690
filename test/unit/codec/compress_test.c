/** Compression: decompress(compress(x)) is x; limits, damage and cuts are errors. */
#include "codec/codec.h"
#include "test.h"

static const nilas_compression all[] = {NILAS_COMPRESSION_NONE, NILAS_COMPRESSION_DEFLATE,
                                        NILAS_COMPRESSION_GZIP, NILAS_COMPRESSION_SNAPPY,
                                        NILAS_COMPRESSION_ZSTD};
#define ALL_COUNT (sizeof(all) / sizeof(all[0]))

/** Half text that repeats, half noise. */
static nilas_str sample(nilas_arena *arena, size_t size) {
    nilas_error err;
    uint32_t state = 12345;
    void *memory = NULL;
    if (nilas_arena_alloc(arena, size + 1, &memory, &err) != NILAS_OK) {
        abort();
    }
    char *bytes = memory;
    for (size_t i = 0; i < size; i++) {
        state = state * 1103515245 + 12345;
        bytes[i] = i % 64 < 32 ? "lower_bounds upper_bounds column"[i % 32] : (char)(state >> 24);
    }
    return (nilas_str){.data = bytes, .size = size};
}

NILAS_TEST(what_was_compressed_comes_back) {
    static const size_t sizes[] = {0, 1, 100, 65535, 65536, 65537, 3000000};
    for (size_t c = 0; c < ALL_COUNT; c++) {
        for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
            nilas_error err = NILAS_ERROR_INIT;
            NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
            nilas_str input = sample(arena, sizes[i]);
            nilas_str packed;
            nilas_str back;
            REQUIRE_OK(nilas_compress(arena, all[c], -1, input, &packed, &err), err);
            REQUIRE_OK(nilas_decompress(arena, all[c], packed, sizes[i], &back, &err), err);
            CHECK(nilas_str_equal(back, input));
            if (sizes[i] > 0) {
                CHECK_CODE(nilas_decompress(arena, all[c], packed, sizes[i] - 1, &back, &err),
                           NILAS_LIMIT, err);
            }
        }
    }
}

NILAS_TEST(long_runs_grow_the_output) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    void *zeros;
    REQUIRE_OK(nilas_arena_alloc(arena, 20000000, &zeros, &err), err);
    nilas_str input = {.data = zeros, .size = 20000000};
    for (size_t c = 0; c < ALL_COUNT; c++) {
        nilas_str packed;
        nilas_str back;
        REQUIRE_OK(nilas_compress(arena, all[c], 9, input, &packed, &err), err);
        REQUIRE_OK(nilas_decompress(arena, all[c], packed, 1 << 30, &back, &err), err);
        CHECK(nilas_str_equal(back, input));
        CHECK_CODE(nilas_decompress(arena, all[c], packed, 1000000, &back, &err), NILAS_LIMIT, err);
    }
}

NILAS_TEST(cut_data_is_corrupt) {
    for (size_t c = 1; c < ALL_COUNT; c++) {
        nilas_error err = NILAS_ERROR_INIT;
        NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
        nilas_str input = sample(arena, 1000);
        nilas_str packed;
        nilas_str back;
        REQUIRE_OK(nilas_compress(arena, all[c], -1, input, &packed, &err), err);
        for (size_t cut = 0; cut < packed.size; cut++) {
            nilas_str part = nilas_str_slice(packed, 0, cut);
            CHECK_CODE(nilas_decompress(arena, all[c], part, 1 << 20, &back, &err), NILAS_CORRUPT,
                       err);
        }
    }
}

NILAS_TEST(spoiled_data_does_no_harm) {
    for (size_t c = 1; c < ALL_COUNT; c++) {
        nilas_error err = NILAS_ERROR_INIT;
        NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
        nilas_str input = sample(arena, 500);
        nilas_str packed;
        nilas_str back;
        REQUIRE_OK(nilas_compress(arena, all[c], -1, input, &packed, &err), err);
        char *bytes = (char *)(uintptr_t)packed.data;
        for (size_t i = 0; i < packed.size; i++) {
            for (int bit = 0; bit < 8; bit++) {
                bytes[i] = (char)(bytes[i] ^ (1 << bit));
                (void)nilas_decompress(arena, all[c], packed, 1 << 20, &back, &err);
                bytes[i] = (char)(bytes[i] ^ (1 << bit));
            }
        }
    }
}

NILAS_TEST(sizes_that_lie_take_no_memory) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 1 << 20);
    nilas_str out;
    // Snappy that claims 1 GiB.
    CHECK_CODE(nilas_decompress(arena, NILAS_COMPRESSION_SNAPPY, NILAS_STR("\x80\x80\x80\x80\x04x"),
                                SIZE_MAX, &out, &err),
               NILAS_CORRUPT, err);
    // A zstd frame that claims 2^62 bytes.
    CHECK_CODE(nilas_decompress(arena, NILAS_COMPRESSION_ZSTD,
                                NILAS_STR("\x28\xB5\x2F\xFD\xE0\0\0\0\0\0\0\0\x40\x01\0\0"),
                                1 << 20, &out, &err),
               NILAS_CORRUPT, err);
}

NILAS_TEST(members_and_frames_follow_each_other) {
    static const nilas_compression with_parts[] = {NILAS_COMPRESSION_GZIP, NILAS_COMPRESSION_ZSTD};
    for (size_t c = 0; c < 2; c++) {
        nilas_error err = NILAS_ERROR_INIT;
        NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
        nilas_str parts[3];
        nilas_str both;
        nilas_str out;
        REQUIRE_OK(nilas_compress(arena, with_parts[c], -1, NILAS_STR("ab"), &parts[0], &err), err);
        REQUIRE_OK(nilas_compress(arena, with_parts[c], -1, NILAS_STR_EMPTY, &parts[1], &err), err);
        REQUIRE_OK(nilas_compress(arena, with_parts[c], -1, NILAS_STR("cd"), &parts[2], &err), err);
        REQUIRE_OK(nilas_str_join(arena, parts, 3, NILAS_STR_EMPTY, &both, &err), err);
        REQUIRE_OK(nilas_decompress(arena, with_parts[c], both, 4, &out, &err), err);
        CHECK_STR(out, "abcd");
        CHECK_CODE(nilas_decompress(arena, with_parts[c], both, 3, &out, &err), NILAS_LIMIT, err);
        nilas_str more[] = {both, NILAS_STR("garbage")};
        REQUIRE_OK(nilas_str_join(arena, more, 2, NILAS_STR_EMPTY, &both, &err), err);
        CHECK_CODE(nilas_decompress(arena, with_parts[c], both, 99, &out, &err), NILAS_CORRUPT,
                   err);
    }
}

NILAS_TEST(lz4_is_named_but_not_supported) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_str out;
    CHECK_FAILS(nilas_decompress(arena, NILAS_COMPRESSION_LZ4, NILAS_STR("x"), 9, &out, &err),
                NILAS_UNSUPPORTED, err, "lz4");
    CHECK_FAILS(nilas_compress(arena, NILAS_COMPRESSION_LZ4, 1, NILAS_STR("x"), &out, &err),
                NILAS_UNSUPPORTED, err, "lz4");
}
