#include "shell/report.h"

#include "test.h"

static nilas_str report(const nilas_error *err, const char *text, size_t line, const char *file) {
    static nilas_buf out;
    nilas_shell_statement statement = {.text = nilas_str_of(text), .line = line, .file = file};
    nilas_buf_clear(&out);
    nilas_shell__report_print(&out, err, text != NULL ? &statement : NULL, false);
    nilas_buf_add_char(&out, '\0'); // CHECK_CONTAINS reads a C string
    return (nilas_str){.data = nilas_buf_view(&out).data, .size = nilas_buf_view(&out).size - 1};
}

NILAS_TEST(an_error_points_into_its_statement) {
    nilas_error err = NILAS_ERROR_INIT;
    (void)nilas_fail_at(&err, NILAS_NOT_FOUND, "TABLE_OR_VIEW_NOT_FOUND", 14,
                        "The table or view `nope` cannot be found.");
    err.hint = "SHOW TABLES lists what is there";
    CHECK_STR(
        report(&err, "SELECT *\nFROM nope", 1, NULL),
        "[TABLE_OR_VIEW_NOT_FOUND] The table or view `nope` cannot be found. SQLSTATE: 42P01\n"
        "  line 2, column 6\n"
        "    FROM nope\n"
        "         ^\n"
        "  hint: SHOW TABLES lists what is there\n");
    CHECK_CONTAINS(report(&err, "SELECT *\nFROM nope", 7, "a.sql").data,
                   "line 8, column 6 of a.sql\n");
}

NILAS_TEST(the_caret_counts_columns_of_the_terminal) {
    nilas_error err = NILAS_ERROR_INIT;
    (void)nilas_fail_at(&err, NILAS_INVALID, "X", 14, "m");
    CHECK_STR(report(&err, "select '甲', x", 1, NULL),
              "[X] m\n  line 1, column 13\n    select '甲', x\n"
              "                 ^\n");
    err.sql_offset = 3;
    CHECK_STR(report(&err, "a\tb x", 1, NULL), "[X] m\n  line 1, column 4\n    a b x\n       ^\n");
}

NILAS_TEST(an_error_at_the_end_or_beyond) {
    nilas_error err = NILAS_ERROR_INIT;
    (void)nilas_fail_at(&err, NILAS_INVALID, "X", 999, "m");
    CHECK_STR(report(&err, "select", 1, NULL),
              "[X] m\n  line 1, column 7\n    select\n          ^\n");
}

NILAS_TEST(without_a_place_there_is_only_the_message) {
    nilas_error err = NILAS_ERROR_INIT;
    (void)nilas_fail(&err, NILAS_IO, "cannot read x\n");
    CHECK_STR(report(&err, "select 1", 1, NULL), "error: cannot read x\n");
    (void)nilas_fail_at(&err, NILAS_INVALID, "X", 3, "m");
    CHECK_STR(report(&err, NULL, 1, NULL), "[X] m\n");
}

NILAS_TEST(of_a_long_line_what_is_around_the_place) {
    static char text[4001];
    nilas_error err = NILAS_ERROR_INIT;
    memset(text, 'x', sizeof(text) - 1);
    (void)nilas_fail_at(&err, NILAS_INVALID, "X", 2000, "m");
    nilas_str found = report(&err, text, 1, NULL);
    CHECK(found.size < 300);
    CHECK_CONTAINS(found.data, "line 1, column 2001\n");
}
