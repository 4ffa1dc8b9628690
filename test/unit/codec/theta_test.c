/* Theta sketches beside those that DataSketches 6 made of the same values, byte for byte. */
#include "codec/codec.h"
#include "test.h"

static void check_hex(nilas_str bytes, const char *hex) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(1 << 20);
    for (size_t i = 0; i < bytes.size; i++) {
        nilas_buf_print(&text, "%02x", (unsigned char)bytes.data[i]);
    }
    nilas_str view = nilas_buf_view(&text);
    CHECK_STR(view, hex);
}

static nilas_str finish(nilas_theta *sketch, double expected) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_str bytes = NILAS_STR_EMPTY;
    double estimate = -1;
    CHECK_OK(nilas_theta_finish(sketch, &bytes, &estimate, &err), err);
    CHECK(estimate == expected);
    return bytes;
}

NILAS_TEST(no_value_one_value_and_some_values_have_forms_of_their_own) {
    nilas_arena *arena = nilas_arena_new(NULL, 0);
    nilas_error err = NILAS_ERROR_INIT;
    nilas_theta *none, *one, *two;
    const int32_t number = 1;
    const bool flags[] = {false, true, false};
    CHECK_OK(nilas_theta_new(arena, &none, &err), err);
    nilas_theta_add(none, "", 0); // an empty text is not counted
    check_hex(finish(none, 0), "01030300001e0000");
    CHECK_OK(nilas_theta_new(arena, &one, &err), err);
    nilas_theta_add(one, &number, sizeof(number));
    nilas_theta_add(one, &number, sizeof(number));
    check_hex(finish(one, 1), "01030300003acc935d9caa2282e0f924");
    CHECK_OK(nilas_theta_new(arena, &two, &err), err);
    for (size_t i = 0; i < 3; i++) {
        nilas_theta_add(two, &flags[i], 1);
    }
    check_hex(finish(two, 2), "02030300001acc93020000000000803f649f00331e40e8035443e83313d70104");
    nilas_arena_free(arena);
}

/** Of the numbers 0 to n - 1, each added twice. */
static double count_numbers(int64_t n, nilas_str *out) {
    nilas_arena *arena = nilas_arena_new(NULL, 0);
    nilas_error err = NILAS_ERROR_INIT;
    nilas_theta *sketch;
    double estimate = -1;
    CHECK_OK(nilas_theta_new(arena, &sketch, &err), err);
    for (int64_t i = 0; i < 2 * n; i++) {
        int64_t number = i % n;
        nilas_theta_add(sketch, &number, sizeof(number));
    }
    CHECK_OK(nilas_theta_finish(sketch, out, &estimate, &err), err);
    CHECK_INT(out->size, n > NILAS_THETA_ENTRIES ? 24 + 8 * NILAS_THETA_ENTRIES : 16 + 8 * n);
    nilas_arena_free(arena);
    return estimate;
}

NILAS_TEST(counts_are_exact_up_to_the_limit_and_near_beyond_it) {
    nilas_str bytes;
    CHECK(count_numbers(100, &bytes) == 100);
    CHECK(count_numbers(NILAS_THETA_ENTRIES, &bytes) == NILAS_THETA_ENTRIES);
    CHECK((int64_t)count_numbers(50000, &bytes) == 50213); // as DataSketches says of them
    CHECK((int64_t)count_numbers(200000, &bytes) == 201892);
    double estimate = count_numbers(NILAS_THETA_ENTRIES + 1, &bytes);
    CHECK(estimate > NILAS_THETA_ENTRIES * 0.999 && estimate < NILAS_THETA_ENTRIES * 1.01);
}

NILAS_TEST(the_hash_is_the_standard_one) {
    static const struct {
        const char *text;
        uint64_t low, high;
    } cases[] = {
        // of the public vectors of MurmurHash3_x64_128 with seed 0
        {"", 0, 0},
        {"hello", 0xcbd8a7b341bd9b02U, 0x5b1e906a48ae1d19U},
        {"hello, world", 0x342fac623a5ebc8eU, 0x4cdcbc079642414dU},
        {"19 Jan 2038 at 3:14:07 AM", 0xb89e5988b737affcU, 0x664fc2950231b2cbU},
        {"The quick brown fox jumps over the lazy dog.", 0xcd99481f9ee902c9U, 0x695da1a38987b6e7U},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint64_t hash[2];
        nilas_murmur3_128(cases[i].text, strlen(cases[i].text), 0, hash);
        CHECK(hash[0] == cases[i].low && hash[1] == cases[i].high);
    }
}
