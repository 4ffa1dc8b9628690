/** Text: comparing, cutting, numbers, UTF-8, copies. */
#include "base/base.h"
#include "test.h"

static nilas_str s(const char *text) {
    return nilas_str_of(text);
}

NILAS_TEST(order_is_by_unsigned_byte_then_by_size) {
    CHECK(nilas_str_compare(s("a"), s("b")) < 0);
    CHECK(nilas_str_compare(s("ab"), s("a")) > 0);
    CHECK(nilas_str_compare(s("\xC3"), s("z")) > 0);
    CHECK_INT(nilas_str_compare(s("x"), s("x")), 0);
    CHECK_INT(nilas_str_compare((nilas_str){0}, s("")), 0);
    CHECK(nilas_str_equal((nilas_str){0}, s("")));
}

NILAS_TEST(parts_are_clipped_to_the_text) {
    CHECK_STR(nilas_str_slice(s("abc"), 1, 1), "b");
    CHECK_STR(nilas_str_slice(s("abc"), 1, 100), "bc");
    CHECK_STR(nilas_str_slice(s("abc"), 3, 1), "");
    CHECK_STR(nilas_str_slice(s("abc"), 100, SIZE_MAX), "");
    CHECK_STR(nilas_str_trim(s(" \t\n a b \x01")), "a b");
    CHECK_STR(nilas_str_trim(s("  ")), "");
    CHECK(nilas_str_starts(s("abc"), s("ab")) && !nilas_str_starts(s("a"), s("ab")));
    CHECK(nilas_str_ends(s("abc"), s("bc")) && !nilas_str_ends(s("c"), s("bc")));
    CHECK(nilas_str_starts(s("abc"), s("")) && nilas_str_ends(s("abc"), s("")));
}

NILAS_TEST(finding_starts_where_it_is_told) {
    CHECK_INT(nilas_str_find(s("abcabc"), s("bc"), 0), 1);
    CHECK_INT(nilas_str_find(s("abcabc"), s("bc"), 2), 4);
    CHECK(nilas_str_find(s("abc"), s("x"), 0) == SIZE_MAX);
    CHECK(nilas_str_find(s("abc"), s("c"), 3) == SIZE_MAX);
    CHECK(nilas_str_find(s("abc"), s("c"), 99) == SIZE_MAX);
    CHECK_INT(nilas_str_find(s("abc"), s(""), 3), 3);
}

NILAS_TEST(integers_are_read_whole_or_not_at_all) {
    int64_t v = 7;
    CHECK(nilas_str_to_int64(s("9223372036854775807"), &v) && v == INT64_MAX);
    CHECK(nilas_str_to_int64(s("-9223372036854775808"), &v) && v == INT64_MIN);
    CHECK(nilas_str_to_int64(s("+12"), &v) && v == 12);
    CHECK(nilas_str_to_int64(s("-0"), &v) && v == 0);
    v = 7;
    static const char *const bad[] = {"",
                                      "-",
                                      "+",
                                      " 1",
                                      "1 ",
                                      "1.0",
                                      "0x1",
                                      "--1",
                                      "9223372036854775808",
                                      "-9223372036854775809",
                                      "99999999999999999999"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        CHECK(!nilas_str_to_int64(s(bad[i]), &v));
    }
    CHECK_INT(v, 7);
}

NILAS_TEST(doubles_are_read_whole_or_not_at_all) {
    double v = 0;
    CHECK(nilas_str_to_double(s("1.5e3"), &v));
    CHECK_DOUBLE(v, 1500.0);
    CHECK(nilas_str_to_double(s("-.5"), &v));
    CHECK_DOUBLE(v, -0.5);
    CHECK(nilas_str_to_double(s("NaN"), &v) && v != v);
    CHECK(nilas_str_to_double(s("-Infinity"), &v) && v < -1e308);
    CHECK(nilas_str_to_double(s("0.1000000000000000055511151231257827021181583404541015625000001"),
                              &v));
    static const char *const bad[] = {"", "1x", " 1", "0x10", "1e", "e5", ".", "1 ", "infinit"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        CHECK(!nilas_str_to_double(s(bad[i]), &v));
    }
}

NILAS_TEST(utf8_is_told_from_other_bytes) {
    static const char *const good[] = {"",
                                       "abcdefgh\xC3\xA9",
                                       "\xE2\x82\xAC",
                                       "\xF0\x9F\x98\x80",
                                       "\xF4\x8F\xBF\xBF",
                                       "\xED\x9F\xBF"};
    static const char *const bad[] = {"\x80",
                                      "\xC3",
                                      "\xC0\x80",
                                      "\xE0\x80\x80",
                                      "\xED\xA0\x80",
                                      "\xF4\x90\x80\x80",
                                      "\xF8\x88\x80\x80\x80",
                                      "abcdefgh\xFF",
                                      "\xE2\x82",
                                      "\xF0\x9F\x98"};
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        CHECK(nilas_str_is_utf8(s(good[i])));
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        CHECK(!nilas_str_is_utf8(s(bad[i])));
    }
}

NILAS_TEST(code_points_are_counted_and_invalid_bytes_count_one_each) {
    size_t at = 0;
    CHECK_INT(nilas_str_codepoints(s("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80")), 4);
    CHECK_INT(nilas_str_codepoints(s("\xFF\xE2\x82")), 3);
    CHECK_INT(nilas_str_next_codepoint(s("\xF0\x9F\x98\x80"), &at), 0x1F600);
    CHECK_INT(at, 4);
}

NILAS_TEST(every_code_point_survives_encoding) {
    for (uint32_t c = 0; c <= 0x10FFFF; c += c < 0x3000 ? 1 : 251) {
        NILAS_AUTO_BUF buf = {0};
        size_t at = 0;
        nilas_buf_add_codepoint(&buf, c);
        uint32_t expected = c >= 0xD800 && c <= 0xDFFF ? 0xFFFD : c;
        REQUIRE(nilas_str_next_codepoint(nilas_buf_view(&buf), &at) == expected);
        REQUIRE(at == buf.size && nilas_str_is_utf8(nilas_buf_view(&buf)));
    }
}

NILAS_TEST(copies_end_with_a_zero_byte) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_str parts[] = {s("a"), s(""), s("bc")};
    nilas_str out;
    REQUIRE_OK(nilas_str_copy(arena, nilas_str_slice(s("abc"), 0, 2), &out, &err), err);
    CHECK_TEXT(out.data, "ab");
    REQUIRE_OK(nilas_str_join(arena, parts, 3, s(", "), &out, &err), err);
    CHECK_TEXT(out.data, "a, , bc");
    REQUIRE_OK(nilas_str_join(arena, NULL, 0, s(", "), &out, &err), err);
    CHECK_STR(out, "");
    REQUIRE_OK(nilas_str_print(arena, &out, &err, "%d-%s", 5, "x"), err);
    CHECK_STR(out, "5-x");
    CHECK_CODE(nilas_str_copy(arena, (nilas_str){.data = "", .size = SIZE_MAX}, &out, &err),
               NILAS_LIMIT, err);
}

NILAS_TEST(equal_texts_have_equal_hashes) {
    char text[40] = "a fairly long text of several words";
    CHECK(nilas_str_hash(s(text)) == nilas_str_hash((nilas_str){.data = text, .size = 35}));
    CHECK(nilas_str_hash(s("ab")) != nilas_str_hash(s("ba")));
    CHECK(nilas_str_hash(s("")) == nilas_str_hash((nilas_str){0}));
}

NILAS_TEST(only_hexadecimal_digits_have_a_value) {
    static const char digits[] = "0123456789abcdefABCDEF";
    for (int c = -128; c < 128; c++) {
        const char *at = c != 0 ? strchr(digits, c) : NULL;
        int expected = at == NULL ? -1 : (int)(at - digits < 16 ? at - digits : at - digits - 6);
        CHECK_INT(nilas_hex_digit((char)c), expected);
    }
}
