/** What the tests of the sql room share: parse a text, print it, hold it to its tree. */
#ifndef NILAS_TEST_SQL_SAMPLE_H
#define NILAS_TEST_SQL_SAMPLE_H

#include "sql/sql.h"
#include "test.h"

__attribute__((unused)) static nilas_arena *sample_arena(void) {
    static nilas_arena *arena;
    if (arena == NULL) {
        arena = nilas_arena_new(NULL, 0);
    } else {
        nilas_arena_reset(arena);
    }
    return arena;
}

/** The expression of a text; NULL and a note of failure when it does not parse. */
__attribute__((unused)) static nilas_expr *sample_expr(nilas_arena *arena, const char *text) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_expr *expr = NULL;
    if (nilas_sql_parse_expr(arena, nilas_str_of(text), NULL, &expr, &err) != NILAS_OK) {
        NILAS_TEST_FAIL("%s: %s", text, err.message);
    }
    return expr;
}

__attribute__((unused)) static nilas_statement *sample_statement(nilas_arena *arena,
                                                                 const char *text) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_statement *statement = NULL;
    if (nilas_sql_parse(arena, nilas_str_of(text), NULL, &statement, &err) != NILAS_OK) {
        NILAS_TEST_FAIL("%s: %s", text, err.message);
    }
    return statement;
}

/** An expression prints as `printed`, which reads back to an equal tree. */
__attribute__((unused)) static void check_printed(const char *text, const char *printed) {
    nilas_arena *arena = sample_arena();
    nilas_expr *expr = sample_expr(arena, text);
    if (expr == NULL) {
        return;
    }
    NILAS_AUTO_BUF out = NILAS_BUF_INIT(0);
    nilas_expr_print(&out, expr);
    CHECK_STR(nilas_buf_view(&out), printed);
    nilas_expr *again = sample_expr(arena, printed);
    CHECK(again == NULL || nilas_expr_equal(expr, again));
}

/** Two texts are the same tree. */
__attribute__((unused)) static void check_same(const char *a, const char *b) {
    nilas_arena *arena = sample_arena();
    nilas_statement *left = sample_statement(arena, a);
    nilas_statement *right = sample_statement(arena, b);
    if (left != NULL && right != NULL && !nilas_statement_equal(left, right)) {
        NILAS_TEST_FAIL("%s\n    is another tree than\n    %s", a, b);
    }
}

/** Two texts are different trees. */
__attribute__((unused)) static void check_other(const char *a, const char *b) {
    nilas_arena *arena = sample_arena();
    nilas_statement *left = sample_statement(arena, a);
    nilas_statement *right = sample_statement(arena, b);
    if (left != NULL && right != NULL && nilas_statement_equal(left, right)) {
        NILAS_TEST_FAIL("%s\n    is the same tree as\n    %s", a, b);
    }
}

/** A text is refused with a condition at an offset (-1: anywhere); the message contains `part`. */
__attribute__((unused)) static void check_refused(const char *text, const char *condition,
                                                  int offset, const char *part) {
    nilas_arena *arena = sample_arena();
    nilas_error err = NILAS_ERROR_INIT;
    nilas_statement *statement;
    nilas_code code = nilas_sql_parse(arena, nilas_str_of(text), NULL, &statement, &err);
    if (code != NILAS_INVALID) {
        NILAS_TEST_FAIL("%s: expected invalid, found %s", text, nilas_code_name(code));
        return;
    }
    if (strcmp(err.condition != NULL ? err.condition : "", condition) != 0) {
        NILAS_TEST_FAIL("%s: expected %s, found %s: %s", text, condition, err.condition,
                        err.message);
    }
    if (offset >= 0 && err.sql_offset != offset) {
        NILAS_TEST_FAIL("%s: expected offset %d, found %d", text, offset, err.sql_offset);
    }
    CHECK_CONTAINS(err.message, part);
}

#endif
