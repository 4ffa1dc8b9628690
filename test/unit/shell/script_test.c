#include "shell/script.h"

#include "test.h"

NILAS_TEST(blanks_are_white_space_comments_and_semicolons) {
    CHECK(nilas_shell__is_blank(NILAS_STR("")));
    CHECK(nilas_shell__is_blank(NILAS_STR(" \n\t;; -- x\n/* a /* b */ c */ ;")));
    CHECK(!nilas_shell__is_blank(NILAS_STR("-- x\nselect")));
    CHECK(!nilas_shell__is_blank(NILAS_STR("/*+ hint */")));
    CHECK(nilas_shell__is_blank(NILAS_STR("/* open")));
    CHECK_INT(nilas_shell__blank_prefix(NILAS_STR(" /* x */ -- y\nz")), 14);
}

NILAS_TEST(statements_know_their_line) {
    nilas_shell_script script = {.text = NILAS_STR("-- first\n\nSELECT 1;;\nSELECT\n 2 ; SELECT 3"),
                                 .line = 1};
    nilas_shell_statement statement;
    REQUIRE(nilas_shell__script_next(&script, false, &statement));
    CHECK_STR(statement.text, "SELECT 1");
    CHECK_INT(statement.line, 3);
    REQUIRE(nilas_shell__script_next(&script, false, &statement));
    CHECK_STR(statement.text, "SELECT\n 2");
    CHECK_INT(statement.line, 4);
    CHECK(!nilas_shell__script_next(&script, false, &statement)); // may go on
    REQUIRE(nilas_shell__script_next(&script, true, &statement));
    CHECK_STR(statement.text, "SELECT 3");
    CHECK_INT(statement.line, 5);
    CHECK(!nilas_shell__script_next(&script, true, &statement));
}

NILAS_TEST(a_text_of_comments_has_no_statement) {
    nilas_shell_script script = {.text = NILAS_STR("-- nothing; here\n/* ; */ ;"), .line = 1};
    nilas_shell_statement statement;
    CHECK(!nilas_shell__script_next(&script, true, &statement));
}
