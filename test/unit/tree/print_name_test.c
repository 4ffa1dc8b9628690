#include "test.h"
#include "tree/tree.h"

static void check_identifier(const char *name, const char *printed) {
    NILAS_AUTO_BUF out = NILAS_BUF_INIT(0);
    nilas_identifier_print(&out, nilas_str_of(name));
    CHECK_STR(nilas_buf_view(&out), printed);
}

NILAS_TEST(identifiers_are_quoted_when_they_must_be) {
    check_identifier("a", "a");
    check_identifier("_a1", "_a1");
    check_identifier("1a", "`1a`");
    check_identifier("a b", "`a b`");
    check_identifier("a`b", "`a``b`");
    check_identifier("", "``");
    check_identifier("select", "`select`");
    check_identifier("left", "`left`");
    check_identifier("date", "date");
    check_identifier("\xc3\xa4", "`\xc3\xa4`");
}

NILAS_TEST(names_are_joined_by_points) {
    nilas_str parts[] = {NILAS_STR("a"), NILAS_STR("b c")};
    NILAS_AUTO_BUF out = NILAS_BUF_INIT(0);
    nilas_name_print(&out, parts, 2);
    nilas_buf_add_char(&out, ' ');
    nilas_name_print_quoted(&out, parts, 2);
    CHECK_STR(nilas_buf_view(&out), "a.`b c` `a`.`b c`");
}

NILAS_TEST(string_literals_escape_what_the_parser_reads) {
    NILAS_AUTO_BUF out = NILAS_BUF_INIT(0);
    nilas_string_literal_print(&out, NILAS_STR("it's\n\\ \\% \\\\_"));
    CHECK_STR(nilas_buf_view(&out), "'it\\'s\\n\\\\ \\% \\\\\\_'");
}
