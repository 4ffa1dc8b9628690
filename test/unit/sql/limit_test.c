#include "sql_sample.h"

#include <time.h>

static void repeat(nilas_buf *out, const char *text, size_t count) {
    for (size_t i = 0; i < count; i++) {
        nilas_buf_add_text(out, text);
    }
}

/* A chain of `count` operators parses, prints and compares without recursion. */
static void check_chain(const char *first, const char *link, size_t count) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    NILAS_AUTO_BUF printed = NILAS_BUF_INIT(0);
    nilas_error err = NILAS_ERROR_INIT;
    nilas_statement *once;
    nilas_statement *twice;
    nilas_buf_add_text(&text, first);
    repeat(&text, link, count);
    REQUIRE_OK(nilas_sql_parse(arena, nilas_buf_view(&text), NULL, &once, &err), err);
    nilas_statement_print(&printed, once);
    REQUIRE_OK(nilas_sql_parse(arena, nilas_buf_view(&printed), NULL, &twice, &err), err);
    CHECK(nilas_statement_equal(once, twice));
}

NILAS_TEST(long_chains_of_operators_need_no_stack) {
    check_chain("SELECT a", " AND b", 50000);
    check_chain("SELECT a", " OR b", 50000);
    check_chain("SELECT a", " + b - c", 50000);
    check_chain("SELECT a", " || 'x'", 50000);
    check_chain("SELECT 1", " UNION ALL SELECT 2", 20000);
    check_chain("SELECT 1", ", 2", 100000);
    check_chain("VALUES 1", ", 2", 100000);
}

NILAS_TEST(a_walk_over_a_long_chain_needs_no_stack) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    nilas_expr *expr;
    nilas_error err = NILAS_ERROR_INIT;
    nilas_buf_add_text(&text, "a");
    repeat(&text, " + b", 100000);
    REQUIRE_OK(nilas_sql_parse_expr(arena, nilas_buf_view(&text), NULL, &expr, &err), err);
    CHECK_INT(expr->kind, NILAS_EXPR_BINARY);
}

/* The first piece, then the second and fourth nested `depth` times around the third. */
static nilas_code parse_nested(const char *const pieces[4], size_t depth, nilas_error *err) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    nilas_statement *statement;
    nilas_buf_add_text(&text, pieces[0]);
    repeat(&text, pieces[1], depth);
    nilas_buf_add_text(&text, pieces[2]);
    repeat(&text, pieces[3], depth);
    return nilas_sql_parse(arena, nilas_buf_view(&text), NULL, &statement, err);
}

NILAS_TEST(nesting_beyond_the_limit_is_an_error_not_a_crash) {
    static const char *const shapes[][4] = {
        {"SELECT ", "(", "1", ")"},
        {"SELECT ", "- ", "a", ""},
        {"SELECT ", "NOT ", "a", ""},
        {"SELECT ", "f(", "1", ")"},
        {"SELECT ", "CASE WHEN ", "a", " THEN 1 END"},
        {"SELECT ", "(SELECT ", "1", ")"},
        {"SELECT ", "a[", "1", "]"},
        {"SELECT ", "a -> ", "1", ""},
        {"SELECT * FROM ", "(SELECT * FROM ", "t", ")"},
        {"SELECT * FROM ", "(a JOIN ", "b", ")"},
        {"SELECT a", "[0]", "", ""},
        {"SELECT a", "::int", "", ""},
        {"SELECT 1", " |> WHERE a", "", ""},
        {"SELECT * FROM a", " JOIN b", "", ""},
        {"SELECT * FROM a", ", b", "", ""},
        {"SELECT * FROM a", " LATERAL VIEW f(a) b", "", ""},
        {"SELECT 1 FROM t GROUP BY ", "GROUPING SETS (", "a", ")"},
        {"", "WITH a AS (", "SELECT 1", ") TABLE a"},
        {"", "EXPLAIN ", "SELECT 1", ""},
    };
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        nilas_error err = NILAS_ERROR_INIT;
        CHECK_OK(parse_nested(shapes[i], 50, &err), err);
        CHECK_FAILS(parse_nested(shapes[i], 100000, &err), NILAS_LIMIT, err,
                    "nests deeper than 400 levels");
    }
}

NILAS_TEST(a_type_nests_no_deeper_than_its_limit) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    const nilas_type *type;
    repeat(&text, "array<", 1000);
    CHECK_FAILS(nilas_sql_parse_type(arena, nilas_buf_view(&text), &type, &err), NILAS_LIMIT, err,
                "100 levels");
}

/* Text that could be a query, a relation or an expression is read once for each place, not once for
 * each pair of them. */
NILAS_TEST(ambiguous_parentheses_cost_no_more_than_their_length) {
    static const char *const shapes[][4] = {
        {"SELECT ", "((SELECT ", "1", ") + 1)"},
        {"SELECT * FROM ", "((SELECT * FROM ", "t", ") t JOIN u)"},
        {"SELECT * FROM ", "((SELECT 128Y FROM ", "t", ") t JOIN u)"},
        {"SELECT ", "a IN ((SELECT ", "1", "), 2)"},
        {"SELECT ", "EXISTS ((SELECT ", "1", ") + 1)"},
        {"SELECT ", "(((((((", "1", "))))))) + 1"},
        {"SELECT * FROM ", "(((((SELECT * FROM ", "t", "))))) x"},
        {"", "SELECT TRANSFORM((", "SELECT 1", "))"},
        {"SELECT 1 FROM t GROUP BY GROUPING SETS (", "((", "a", ") + 1)"},
        {"SELECT ", "position(substring(trim(", "1", ")))"},
        {"", "DESCRIBE ", "SELECT 1", ""},
        {"", "WITH a AS (", "SELECT 1", ") SELECT (TABLE a"},
    };
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        nilas_error err = NILAS_ERROR_INIT;
        clock_t start = clock();
        nilas_code code = parse_nested(shapes[i], 60, &err);
        CHECK(code == NILAS_OK || code == NILAS_INVALID || code == NILAS_LIMIT);
        CHECK((double)(clock() - start) / CLOCKS_PER_SEC < 2.0);
    }
}

NILAS_TEST(a_text_has_a_size_limit) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_statement *statement;
    nilas_str text = {.data = "x", .size = (size_t)NILAS_LIMIT_SQL_BYTES + 1};
    CHECK_FAILS(nilas_sql_parse(sample_arena(), text, NULL, &statement, &err), NILAS_LIMIT, err,
                "bytes");
}
