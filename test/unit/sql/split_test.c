#include "sql_sample.h"

/* The first statement of `text` is `first`; NULL: it does not end. */
static void check_split(const char *text, const char *first, bool complete) {
    size_t end = 0;
    bool complete_at_end = complete;
    bool found = nilas_sql_split(nilas_str_of(text), &end, &complete_at_end);
    if (found != (first != NULL)) {
        NILAS_TEST_FAIL("%s: %s", text, found ? "ends" : "does not end");
        return;
    }
    if (found) {
        CHECK_STR(nilas_str_slice(nilas_str_of(text), 0, end), first);
    } else if (complete_at_end != complete) {
        NILAS_TEST_FAIL("%s: %s", text, complete_at_end ? "complete" : "not complete");
    }
}

NILAS_TEST(a_statement_ends_at_its_semicolon) {
    check_split("SELECT 1; SELECT 2;", "SELECT 1;", true);
    check_split(";x", ";", true);
    check_split("SELECT ';' || \";\" || `;`; x", "SELECT ';' || \";\" || `;`;", true);
    check_split("SELECT 1 -- a;b\n; x", "SELECT 1 -- a;b\n;", true);
    check_split("SELECT 1 /* ; /* ; */ ; */; x", "SELECT 1 /* ; /* ; */ ; */;", true);
    check_split("SELECT r'\\'; x", "SELECT r'\\';", true);
    check_split("SELECT '\\';'; x", "SELECT '\\';';", true);
}

NILAS_TEST(a_text_without_semicolon_tells_whether_it_could_stand) {
    check_split("SELECT 1", NULL, true);
    check_split("", NULL, true);
    check_split("SELECT 'a;", NULL, false);
    check_split("SELECT \"a;", NULL, false);
    check_split("SELECT `a;", NULL, false);
    check_split("SELECT 1 /* a;", NULL, false);
    check_split("SELECT 1 -- a;", NULL, true);
    check_split("BEGIN SELECT 1;", NULL, false);
}

NILAS_TEST(a_script_ends_after_its_last_end) {
    check_split("BEGIN SELECT 1; END; x", "BEGIN SELECT 1; END;", true);
    check_split("BEGIN IF a THEN SELECT 1; END IF; END; x",
                "BEGIN IF a THEN SELECT 1; END IF; END;", true);
    check_split("BEGIN SELECT CASE WHEN a THEN 1 END; END; x",
                "BEGIN SELECT CASE WHEN a THEN 1 END; END;", true);
    check_split("BEGIN WHILE a DO SET b = if(c, 1, 2); END WHILE; END; x",
                "BEGIN WHILE a DO SET b = if(c, 1, 2); END WHILE; END;", true);
    check_split("SELECT begin; x", "SELECT begin;", true);
}

NILAS_TEST(keywords_for_completion_are_sorted) {
    size_t count;
    const char *const *words = nilas_sql_keywords(&count);
    CHECK(count > 300);
    for (size_t i = 1; i < count; i++) {
        CHECK(strcmp(words[i - 1], words[i]) < 0);
    }
}
