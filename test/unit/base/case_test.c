/** Letters of both cases, independent of the locale. */
#include "base/base.h"
#include "test.h"

typedef struct pair {
    const char *upper;
    const char *lower;
} pair;

static const pair pairs[] = {
    {"AZ", "az"}, {"ÀÖØÞ", "àöøþ"}, {"ĀĲŽŸ", "āĳžÿ"}, {"ΑΩΆΈΌΏ", "αωάέόώ"}, {"АЯЁЏҐӀӐ", "аяёџґӏӑ"},
    {"ẠỸ", "ạỹ"}, {"0_-", "0_-"},   {"×÷", "×÷"},     {"ԱՖ", "աֆ"},         {"日本", "日本"},
};

NILAS_TEST(letters_map_to_each_other) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        nilas_str out;
        REQUIRE_OK(nilas_str_lower(arena, nilas_str_of(pairs[i].upper), &out, &err), err);
        CHECK_STR(out, pairs[i].lower);
        REQUIRE_OK(nilas_str_upper(arena, nilas_str_of(pairs[i].lower), &out, &err), err);
        CHECK_STR(out, pairs[i].upper);
        CHECK(nilas_str_equal_nocase(nilas_str_of(pairs[i].upper), nilas_str_of(pairs[i].lower)));
    }
}

NILAS_TEST(lowering_is_idempotent) {
    nilas_error err = NILAS_ERROR_INIT;
    for (uint32_t c = 1; c < 0x3000; c++) {
        NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
        NILAS_AUTO_BUF buf = {0};
        nilas_str lower;
        nilas_str again;
        nilas_buf_add_codepoint(&buf, c);
        REQUIRE_OK(nilas_str_lower(arena, nilas_buf_view(&buf), &lower, &err), err);
        REQUIRE_OK(nilas_str_lower(arena, lower, &again, &err), err);
        REQUIRE(nilas_str_equal(lower, again));
        REQUIRE(c == 0x130 || nilas_str_equal_nocase(nilas_buf_view(&buf), lower));
    }
}

NILAS_TEST(letters_that_become_several) {
    static const struct {
        const char *text, *upper, *lower;
    } cases[] = {
        {"straße", "STRASSE", "straße"},
        {"ﬃ", "FFI", "ﬃ"},
        {"ŉ", "ʼN", "ŉ"},
        {"ῼ", "ΩΙ", "ῳ"},
        {"İ", "İ", "i\u0307"},
        {"ΌΣΟΣ ΣΑΣ.", "ΌΣΟΣ ΣΑΣ.", "όσος σας."},
        {"Σ", "Σ", "σ"},
        {"ΑΣ'Α", "ΑΣ'Α", "ασ'α"},
    };
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        nilas_str out;
        REQUIRE_OK(nilas_str_upper(arena, nilas_str_of(cases[i].text), &out, &err), err);
        CHECK_STR(out, cases[i].upper);
        REQUIRE_OK(nilas_str_lower(arena, nilas_str_of(cases[i].text), &out, &err), err);
        CHECK_STR(out, cases[i].lower);
    }
}

NILAS_TEST(heads_of_words) {
    static const char *const pairs_of_title[][2] = {{"a", "A"},  {"ß", "Ss"}, {"ǆ", "ǅ"},
                                                    {"ﬁ", "Fi"}, {"1", "1"},  {"é", "É"}};
    for (size_t i = 0; i < sizeof(pairs_of_title) / sizeof(pairs_of_title[0]); i++) {
        NILAS_AUTO_BUF buf = {0};
        nilas_buf_add_title(&buf, nilas_str_of(pairs_of_title[i][0]));
        CHECK_STR(nilas_buf_view(&buf), pairs_of_title[i][1]);
    }
}

NILAS_TEST(comparing_without_case_needs_equal_letters) {
    CHECK(nilas_str_is_nocase(nilas_str_of("SELECT"), "select"));
    CHECK(!nilas_str_is_nocase(nilas_str_of("SELECT"), "selec"));
    CHECK(!nilas_str_is_nocase(nilas_str_of("SELEC"), "select"));
    CHECK(nilas_str_starts_nocase(nilas_str_of("ÄPFEL und"), nilas_str_of("äpfel")));
    CHECK(!nilas_str_starts_nocase(nilas_str_of("ä"), nilas_str_of("äp")));
    CHECK(!nilas_str_equal_nocase(nilas_str_of("\xFF"), nilas_str_of("\xFE")));
    CHECK(nilas_str_equal_nocase(nilas_str_of("\xFF"), nilas_str_of("\xFF")));
    CHECK(!nilas_str_equal_nocase(nilas_str_of("\xFF"), nilas_str_of("\xEF\xBF\xBD")));
}

NILAS_TEST(bytes_that_are_no_text_stay_as_they_are) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_str out;
    REQUIRE_OK(nilas_str_lower(arena, nilas_str_of("A\xFF\xC3"), &out, &err), err);
    CHECK_STR(out, "a\xFF\xC3");
}
