#include "sql_sample.h"

NILAS_TEST(a_syntax_error_names_the_farthest_token) {
    check_refused("SELECT", "PARSE_SYNTAX_ERROR", 6, "Syntax error at or near end of input.");
    check_refused("SELECT a b c", "PARSE_SYNTAX_ERROR", 11, "near 'c': extra input 'c'.");
    check_refused("SELECT a FROM t WHERE a = 1 xor b = 2", "PARSE_SYNTAX_ERROR", 28,
                  "Syntax error at or near 'xor'.");
    check_refused("SELECT 1 > > 2", "PARSE_SYNTAX_ERROR", 11, "'>'");
    check_refused("SELECT f(1, 2", "PARSE_SYNTAX_ERROR", 13, "end of input");
    check_refused("SELECT (1 + ) * 2", "PARSE_SYNTAX_ERROR", 12, "')'");
    check_refused("SELECT CASE WHEN a END", "PARSE_SYNTAX_ERROR", 19, "'END'");
    check_refused("SELECT a FROM (SELECT 1", "PARSE_SYNTAX_ERROR", 23, "end of input");
    check_refused("SELECT a IN ()", "PARSE_SYNTAX_ERROR", 13, "')'");
    check_refused("SELECT a > ANY (SELECT 1)", "PARSE_SYNTAX_ERROR", 15, "'('");
    check_refused("UPDATE t WHERE a", "PARSE_SYNTAX_ERROR", 9, "near 'WHERE': missing 'SET'.");
    check_refused("SELECT 'a", "PARSE_SYNTAX_ERROR", 7, "'''");
    check_refused("SELECT `a", "PARSE_SYNTAX_ERROR", 7, "'`'");
    check_refused("SELECT $a", "PARSE_SYNTAX_ERROR", 7, "'$'");
    check_refused("SELCT 1", "PARSE_SYNTAX_ERROR", 0, "'SELCT'");
    check_refused("SELECT 1; SELECT 2", "PARSE_SYNTAX_ERROR", 10, "'SELECT'");
    check_refused("SELECT CAST(a AS)", "PARSE_SYNTAX_ERROR", 16, "')'");
    check_refused("SELECT a FROM t ORDER a", "PARSE_SYNTAX_ERROR", 22, "'a'");
    check_refused("SHOW PROCEDURES IN x", "PARSE_SYNTAX_ERROR", 16,
                  "near 'IN': missing 'FUNCTIONS'.");
    check_refused("DELETE FROM t VERSION AS OF 1", "PARSE_SYNTAX_ERROR", 22, "'AS'");
}

NILAS_TEST(an_empty_text_has_its_own_condition) {
    check_refused("", "PARSE_EMPTY_STATEMENT", 0, "Syntax error, unexpected empty statement.");
    check_refused(" \n\t", "PARSE_EMPTY_STATEMENT", 0, "empty");
    check_refused("-- only a comment", "PARSE_SYNTAX_ERROR", -1, "end of input");
    check_refused(";", "PARSE_SYNTAX_ERROR", 0, "';'");
}

NILAS_TEST(a_comment_must_end) {
    check_refused("SELECT 1 /* a", "UNCLOSED_BRACKETED_COMMENT", -1, "append */");
    check_refused("SELECT 1 /* a /* b */", "UNCLOSED_BRACKETED_COMMENT", -1, "append */");
    check_same("SELECT 1 /* a /* b */ c */", "SELECT 1");
    check_same("SELECT 1 -- a \\\n b", "SELECT 1");
    check_same("SET a = /x/*", "SET `a` = /x/*");
}

NILAS_TEST(a_syntax_error_comes_before_a_refused_value) {
    check_refused("SELECT 128Y, DATE 'x', )", "PARSE_SYNTAX_ERROR", 23, "')'");
    check_refused("SELECT 128Y, DATE 'x'", "INVALID_NUMERIC_LITERAL_RANGE", 7, "128");
}

NILAS_TEST(names_that_need_quotes_are_told_so) {
    check_refused("SELECT * FROM a-b", "INVALID_IDENTIFIER", 14,
                  "The unquoted identifier a-b is invalid and must be back quoted as: `a-b`.");
    check_refused("SELECT * FROM c.t\xc3\xa4", "INVALID_IDENTIFIER", 16, "t\xc3\xa4");
    check_same("SELECT a-b FROM t", "SELECT a - b FROM t");
}

NILAS_TEST(names_have_as_many_parts_as_their_place_takes) {
    check_refused("SELECT 1 AS IDENTIFIER('a.b')", "IDENTIFIER_TOO_MANY_NAME_PARTS", 12,
                  "`a`.`b` is not a valid identifier as it has more than 1 name parts.");
    check_refused("SELECT IDENTIFIER('')", "PARSE_EMPTY_STATEMENT", 7, "empty");
    check_refused("CREATE TEMP VIEW a.b AS SELECT 1", "TEMP_VIEW_NAME_TOO_MANY_NAME_PARTS", 0,
                  "`a`.`b`");
}

NILAS_TEST(statements_that_spark_refuses_are_refused) {
    check_refused("CREATE TABLE t (a INT) AS SELECT 1", "_LEGACY_ERROR_TEMP_0035", 0,
                  "Operation not allowed: Schema may not be specified in a Create Table As Select "
                  "(CTAS) statement.");
    check_refused("CREATE TABLE t (a foo)", "UNSUPPORTED_DATATYPE", 18,
                  "Unsupported data type \"FOO\".");
    check_refused("CREATE TABLE t (a INT) COMMENT 'a' COMMENT 'b'", "DUPLICATE_CLAUSES", -1,
                  "Found duplicate clauses: COMMENT.");
    check_refused("CREATE TABLE t (a INT) TBLPROPERTIES ('owner' = 'x')",
                  "UNSUPPORTED_FEATURE.SET_TABLE_PROPERTY", 0,
                  "owner is a reserved table property, it will be set to the current user.");
    check_refused("ALTER TABLE t SET TBLPROPERTIES ('a')", "_LEGACY_ERROR_TEMP_0035", -1,
                  "Values must be specified for key(s): [a]");
    check_refused("ALTER TABLE t SET TBLPROPERTIES ('a' = 1, a = 2)", "DUPLICATE_KEY", -1, "`a`");
    check_refused("MERGE INTO t USING s ON true", "MERGE_WITHOUT_WHEN", 0, "WHEN");
    check_refused("MERGE INTO t USING s ON true WHEN NOT MATCHED THEN INSERT (a, b) VALUES (1)",
                  "_LEGACY_ERROR_TEMP_0006", -1, "inserted values");
    check_refused("SET a b = c", "INVALID_SET_SYNTAX", 0, "Expected format");
    check_refused("SET TIME ZONE INTERVAL 20 HOURS",
                  "INVALID_INTERVAL_FORMAT.TIMEZONE_INTERVAL_OUT_OF_RANGE", -1, "[-18, +18]");
    check_refused("GRANT x", "_LEGACY_ERROR_TEMP_0035", 0, "Operation not allowed: GRANT.");
    check_refused("SELECT :a 'x' LIKE 'y' ESCAPE '##'", "INVALID_ESC", -1, "'##'");
    check_refused("DESCRIBE t AS JSON", "DESCRIBE_JSON_NOT_EXTENDED", 0, "EXTENDED t AS JSON");
}

NILAS_TEST(iceberg_clauses_fail_without_a_condition) {
    check_refused("ALTER TABLE t CREATE BRANCH 123", "", 28,
                  "no viable alternative at input '123'");
    check_refused("ALTER TABLE t CREATE BRANCH b RETAIN 5 weeks", "", 39,
                  "mismatched input 'weeks' expecting {'DAYS', 'HOURS', 'MINUTES'}");
}

NILAS_TEST(reserved_words_are_names_only_in_the_default_mode) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_sql_options options = {.ansi_reserved = true};
    nilas_statement *statement;
    nilas_arena *arena = sample_arena();
    CHECK_FAILS(
        nilas_sql_parse(arena, NILAS_STR("SELECT a FROM table"), &options, &statement, &err),
        NILAS_INVALID, err, "table");
    CHECK_OK(nilas_sql_parse(arena, NILAS_STR("SELECT a FROM `table`"), &options, &statement, &err),
             err);
    CHECK_OK(nilas_sql_parse(arena, NILAS_STR("SELECT a FROM table"), NULL, &statement, &err), err);
}

NILAS_TEST(double_quotes_are_names_when_asked) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_sql_options options = {.double_quoted_identifiers = true};
    nilas_statement *statement;
    nilas_arena *arena = sample_arena();
    REQUIRE_OK(nilas_sql_parse(arena, NILAS_STR("SELECT \"a \"\"b\""), &options, &statement, &err),
               err);
    CHECK_STR(statement->query->exprs[0]->parts[0], "a \"b");
    CHECK_FAILS(
        nilas_sql_parse(arena, NILAS_STR("SET CATALOG 'x' \"y\""), &options, &statement, &err),
        NILAS_INVALID, err, "\"y\"");
}
