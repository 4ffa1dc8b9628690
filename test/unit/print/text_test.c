#include "print/text.h"

#include "test.h"

static nilas_buf out;

static nilas_str decoded(nilas_str bytes) {
    nilas_buf_clear(&out);
    nilas_print_text_decode(&out, bytes);
    return nilas_buf_view(&out);
}

static nilas_str cut(const char *text, int64_t limit) {
    nilas_buf_clear(&out);
    nilas_print_text_cut(&out, nilas_str_of(text), limit);
    return nilas_buf_view(&out);
}

NILAS_TEST(each_broken_sequence_is_one_mark) {
    CHECK_STR(decoded(NILAS_STR("plain é 中 😀")), "plain é 中 😀");
    CHECK_STR(decoded(NILAS_STR("\xFF\xFE\x7F")), "\uFFFD\uFFFD\x7F");
    CHECK_STR(decoded(NILAS_STR("a\x80z")), "a\uFFFDz");
    CHECK_STR(decoded(NILAS_STR("\xE4\xB8")), "\uFFFD");       // cut letter
    CHECK_STR(decoded(NILAS_STR("\xE4\xB8x")), "\uFFFDx");     // cut letter and more
    CHECK_STR(decoded(NILAS_STR("\xC0\xAF")), "\uFFFD\uFFFD"); // overlong
    CHECK_STR(decoded(NILAS_STR("\xE0\x80\x80")), "\uFFFD\uFFFD\uFFFD");
    CHECK_STR(decoded(NILAS_STR("\xED\xA0\x80x")), "\uFFFDx"); // a surrogate
    CHECK_STR(decoded(NILAS_STR("\xF0\x9F\x98z")), "\uFFFDz");
    CHECK_STR(decoded(NILAS_STR("\xF5\x80")), "\uFFFD\uFFFD");
}

NILAS_TEST(control_letters_are_escaped_as_show_does) {
    nilas_buf_clear(&out);
    nilas_buf_add_escaped(&out, NILAS_STR("a\nb\tc\rd\fe\bf\vg\ah\\i\x1b"));
    CHECK_STR(nilas_buf_view(&out), "a\\nb\\tc\\rd\\fe\\bf\\vg\\ah\\i\x1b");
}

NILAS_TEST(cells_are_cut_with_three_dots) {
    CHECK_STR(cut("12345678901234567890", 20), "12345678901234567890");
    CHECK_STR(cut("123456789012345678901", 20), "12345678901234567...");
    CHECK_STR(cut("abcdef", 5), "ab...");
    CHECK_STR(cut("abcdef", 4), "a...");
    CHECK_STR(cut("abcdef", 3), "abc");
    CHECK_STR(cut("abcdef", 0), "abcdef");
}

NILAS_TEST(letters_beyond_16_bits_count_twice) {
    CHECK_INT(nilas_print_text_units(NILAS_STR("a😀é")), 4);
    CHECK_STR(cut("😀😀😀", 5), "😀...");
    CHECK_STR(cut("a😀😀😀", 5), "a?..."); // half of a letter, as Java writes it
    CHECK_STR(cut("😀😀", 3), "😀?");
}

NILAS_TEST(full_width_letters_take_two_columns) {
    CHECK_INT(nilas_print_text_width(NILAS_STR("abc")), 3);
    CHECK_INT(nilas_print_text_width(NILAS_STR("甲乙丙")), 6);
    CHECK_INT(nilas_print_text_width(NILAS_STR("é")), 1);
    CHECK_INT(nilas_print_text_width(NILAS_STR("ｱ")), 1);
    CHECK_INT(nilas_print_text_width(NILAS_STR("Ａ")), 2);
    CHECK_INT(nilas_print_text_width(NILAS_STR("한")), 2);
    CHECK_INT(nilas_print_text_width(NILAS_STR("😀")), 2);
}

NILAS_TEST(order_is_that_of_utf_16) {
    CHECK(nilas_print_text_compare(NILAS_STR("a"), NILAS_STR("b")) < 0);
    CHECK(nilas_print_text_compare(NILAS_STR("a"), NILAS_STR("ab")) < 0);
    CHECK(nilas_print_text_compare(NILAS_STR("x"), NILAS_STR("x")) == 0);
    CHECK(nilas_print_text_compare(NILAS_STR("😀"), NILAS_STR("\uFFE0")) < 0);
    CHECK(nilas_print_text_compare(NILAS_STR("\u4E2D"), NILAS_STR("😀")) < 0);
    CHECK(nilas_print_text_compare(NILAS_STR("10:1"), NILAS_STR("1:1")) < 0);
}
