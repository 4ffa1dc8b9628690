#include "sql_sample.h"

static nilas_query *query_of(const char *text) {
    nilas_statement *statement = sample_statement(sample_arena(), text);
    return statement != NULL ? statement->query : NULL;
}

NILAS_TEST(intersect_binds_stronger_than_union_and_except) {
    check_same("SELECT 1 UNION SELECT 2 INTERSECT SELECT 3",
               "SELECT 1 UNION (SELECT 2 INTERSECT SELECT 3)");
    check_same("SELECT 1 EXCEPT SELECT 2 UNION ALL SELECT 3",
               "(SELECT 1 MINUS SELECT 2) UNION ALL SELECT 3");
    check_other("SELECT 1 EXCEPT SELECT 2 EXCEPT SELECT 3",
                "SELECT 1 EXCEPT (SELECT 2 EXCEPT SELECT 3)");
    check_same("SELECT 1 UNION SELECT 2 |> LIMIT 1", "(SELECT 1 UNION SELECT 2) |> LIMIT 1");
}

NILAS_TEST(order_and_limit_are_nodes_above_the_query) {
    nilas_query *query = query_of("SELECT a FROM t ORDER BY a LIMIT 2 OFFSET 1");
    REQUIRE(query != NULL);
    CHECK_INT(query->kind, NILAS_QUERY_LIMIT);
    CHECK(query->limit != NULL && query->limit_offset != NULL);
    CHECK_INT(query->input->kind, NILAS_QUERY_SORT);
    CHECK_INT(query->input->input->kind, NILAS_QUERY_SELECT);
    check_same("SELECT 1 UNION SELECT 2 ORDER BY 1", "(SELECT 1 UNION SELECT 2) ORDER BY 1");
}

NILAS_TEST(joins_and_commas_lean_to_the_left) {
    check_same("SELECT * FROM a, b JOIN c ON x1", "SELECT * FROM (a JOIN b) JOIN c ON x1");
    check_other("SELECT * FROM a JOIN b JOIN c ON x1", "SELECT * FROM a JOIN (b JOIN c ON x1)");
    check_same("SELECT * FROM a SEMI JOIN b", "SELECT * FROM a LEFT SEMI JOIN b");
    check_same("SELECT * FROM a LEFT JOIN b USING (x)",
               "SELECT * FROM a left outer join b using (x)");
}

NILAS_TEST(a_word_is_an_alias_only_where_it_begins_no_clause) {
    nilas_query *query = query_of("SELECT a limit FROM t order ORDER BY limit");
    REQUIRE(query != NULL);
    CHECK_INT(query->kind, NILAS_QUERY_SORT);
    CHECK_STR(query->input->input->alias, "order");
    query = query_of("SELECT * FROM t version");
    REQUIRE(query != NULL);
    CHECK_STR(query->input->alias, "version");
    check_same("SELECT 1 FROM", "SELECT 1 AS `FROM`");
    check_same("SELECT * FROM t AS (a)", "SELECT * FROM t AS `AS`(a)");
    check_refused("SELECT * FROM t JOIN", "PARSE_SYNTAX_ERROR", 16, "near 'JOIN'");
}

NILAS_TEST(time_travel_keeps_what_was_written) {
    nilas_query *query = query_of("SELECT * FROM t FOR SYSTEM_VERSION AS OF 12");
    REQUIRE(query != NULL);
    CHECK_INT(query->input->time_travel.kind, NILAS_TRAVEL_VERSION);
    CHECK(!query->input->time_travel.version_is_string);
    CHECK_STR(query->input->time_travel.version, "12");
    check_other("SELECT * FROM t VERSION AS OF 12", "SELECT * FROM t VERSION AS OF '12'");
    check_same("SELECT * FROM t TIMESTAMP AS OF '2020-01-01'",
               "SELECT * FROM t FOR SYSTEM_TIME AS OF '2020-01-01'");
    check_refused("SELECT * FROM t VERSION AS OF -1", "PARSE_SYNTAX_ERROR", 30, "'-'");
    check_refused("SELECT * FROM t VERSION AS OF", "PARSE_SYNTAX_ERROR", 29, "end of input");
    check_refused("SELECT * FROM t VERSION AS OF 1 TIMESTAMP AS OF '1'", "PARSE_SYNTAX_ERROR", 42,
                  "'AS'");
    check_refused("SELECT * FROM t TIMESTAMP AS OF a", "_LEGACY_ERROR_TEMP_0056", 16,
                  "cannot refer to any columns");
}

NILAS_TEST(options_of_a_table_are_texts) {
    nilas_query *query = query_of("SELECT * FROM t WITH ('a' = 5, b.c true)");
    REQUIRE(query != NULL);
    CHECK_INT(query->input->option_count, 2);
    CHECK_STR(query->input->options[0].value, "5");
    CHECK_STR(query->input->options[1].key, "b.c");
    CHECK_STR(query->input->options[1].value, "true");
}

NILAS_TEST(group_by_knows_its_forms) {
    nilas_query *query = query_of("SELECT 1 FROM t GROUP BY GROUPING SETS ((a, b), a, ())");
    REQUIRE(query != NULL);
    const nilas_expr *sets = query->group_by.exprs[0];
    CHECK_INT(sets->kind, NILAS_EXPR_GROUPING_SETS);
    CHECK_INT(sets->arg_count, 3);
    CHECK_INT(sets->args[1]->kind, NILAS_EXPR_ROW);
    CHECK_INT(sets->args[2]->arg_count, 0);
    query = query_of("SELECT 1 FROM t GROUP BY all");
    REQUIRE(query != NULL);
    CHECK(query->group_by.all);
    check_refused("SELECT 1 FROM t GROUP BY ROLLUP (a, ())", "_LEGACY_ERROR_TEMP_0051", 36,
                  "Empty set in ROLLUP");
    check_refused("SELECT 1 FROM t GROUP BY WITH ROLLUP", "PARSE_SYNTAX_ERROR", 30,
                  "extra input 'ROLLUP'");
}

NILAS_TEST(from_can_come_first) {
    check_same("FROM t SELECT a WHERE b", "SELECT a FROM t WHERE b");
    check_same("FROM t SELECT a SELECT b", "SELECT a FROM t UNION ALL SELECT b FROM t");
    nilas_query *query = query_of("FROM t |> WHERE a");
    REQUIRE(query != NULL);
    CHECK_INT(query->kind, NILAS_QUERY_FILTER);
    CHECK_INT(query->input->kind, NILAS_QUERY_TABLE);
}

NILAS_TEST(rows_of_values_have_the_same_width) {
    check_same("VALUES (1, 2)", "VALUES struct(1, 2)");
    check_same("VALUES 1, 2", "VALUES (1), (2)");
    check_refused("VALUES (1, 2), (3)", "INVALID_INLINE_TABLE.NUM_COLUMNS_MISMATCH", 0,
                  "expected 2 columns but found 1 columns in row 1");
    check_refused("SELECT * FROM VALUES (1) AS t(a, b)",
                  "INVALID_INLINE_TABLE.NUM_COLUMNS_MISMATCH", -1, "row 0");
}

NILAS_TEST(joins_that_spark_refuses_are_refused) {
    check_refused("SELECT * FROM a NATURAL CROSS JOIN b", "INCOMPATIBLE_JOIN_TYPES", -1, "CROSS");
    check_refused("SELECT * FROM a JOIN LATERAL (SELECT 1) USING (x)",
                  "UNSUPPORTED_FEATURE.LATERAL_JOIN_USING", -1, "LATERAL");
    check_refused("SELECT * FROM a JOIN LATERAL b",
                  "INVALID_SQL_SYNTAX.LATERAL_WITHOUT_SUBQUERY_OR_TABLE_VALUED_FUNC", -1,
                  "LATERAL");
    check_refused("SELECT * FROM a RIGHT JOIN LATERAL (SELECT 1)", "INVALID_LATERAL_JOIN_TYPE", -1,
                  "RIGHT OUTER");
}

NILAS_TEST(pipes_that_spark_refuses_are_refused) {
    check_refused("TABLE t |> ORDER BY a LIMIT 1",
                  "MULTIPLE_QUERY_RESULT_CLAUSES_WITH_PIPE_OPERATORS", -1, "ORDER BY and LIMIT");
    check_refused("TABLE t |> AGGREGATE", "_LEGACY_ERROR_TEMP_0035", -1, "AGGREGATE clause");
    check_refused("TABLE t |> AGGREGATE sum(a) GROUP BY ALL",
                  "UNSUPPORTED_FEATURE.PIPE_OPERATOR_AGGREGATE_UNSUPPORTED_CASE", -1,
                  "GROUP BY ALL");
    check_refused("TABLE t |> SET a.b = 1", "_LEGACY_ERROR_TEMP_0035", -1, "single-part");
    check_refused("TABLE t |>", "PARSE_SYNTAX_ERROR", 10, "end of input");
}

NILAS_TEST(samples_have_a_fraction_between_none_and_all) {
    check_refused("SELECT * FROM t TABLESAMPLE (-1 PERCENT)", "_LEGACY_ERROR_TEMP_0064", -1,
                  "Sampling fraction (-0.01) must be on interval [0, 1]");
    check_refused("SELECT * FROM t TABLESAMPLE (BUCKET 2 OUT OF 1)", "_LEGACY_ERROR_TEMP_0064", -1,
                  "(2.0)");
    check_refused("SELECT * FROM t TABLESAMPLE (10M)", "_LEGACY_ERROR_TEMP_0015", -1,
                  "byteLengthLiteral");
    check_refused("SELECT * FROM t TABLESAMPLE ()", "_LEGACY_ERROR_TEMP_0014", -1, "empty");
}

NILAS_TEST(ctes_have_different_names) {
    check_refused("WITH a AS (SELECT 1), a AS (SELECT 2) TABLE a", "DUPLICATED_CTE_NAMES", 22,
                  "`a`");
    check_refused("WITH a MAX RECURSION LEVEL 3 AS (SELECT 1) TABLE a", "_LEGACY_ERROR_TEMP_0035",
                  -1, "RECURSIVE");
}
