#include "sql_sample.h"

static void check_string(const char *text, const char *value) {
    nilas_expr *expr = sample_expr(sample_arena(), text);
    REQUIRE(expr != NULL);
    CHECK_INT(expr->value.kind, NILAS_VALUE_STRING);
    CHECK_STR(expr->value.text, value);
}

NILAS_TEST(strings_unescape_as_sparks) {
    check_string("'a'", "a");
    check_string("''", "");
    check_string("'it''s'", "its");
    check_string("\"say \"\"no\"\"\"", "say no");
    check_string("'a' 'b'\n\"c\"", "abc");
    check_string("'\\n\\t\\r\\\\\\''", "\n\t\r\\'");
    check_string("'\\101\\u00e4\\U0001F600'", "A\xc3\xa4\xf0\x9f\x98\x80");
    check_string("'\\uD83D\\uDE00\\uD83D'", "\xf0\x9f\x98\x80?");
    check_string("'\\%\\_\\q'", "\\%\\_q");
    check_string("'\\u12'", "u12");
    check_string("'\\400'", "400");
    check_string("r'a\\n'", "a\\n");
    check_string("R\"a'b\"", "a'b");
}

NILAS_TEST(escaped_literals_keep_backslashes) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_sql_options options = {.escaped_string_literals = true};
    nilas_expr *expr;
    REQUIRE_OK(nilas_sql_parse_expr(sample_arena(), NILAS_STR("'a\\nb'"), &options, &expr, &err),
               err);
    CHECK_STR(expr->value.text, "a\\nb");
}

static void check_number(const char *text, const char *type, const char *printed) {
    nilas_expr *expr = sample_expr(sample_arena(), text);
    REQUIRE(expr != NULL);
    NILAS_AUTO_BUF out = NILAS_BUF_INIT(0);
    nilas_type_print(&out, expr->type);
    CHECK_STR(nilas_buf_view(&out), type);
    check_printed(text, printed);
}

NILAS_TEST(numbers_take_their_type_from_size_point_and_suffix) {
    check_number("1", "int", "1");
    check_number("2147483647", "int", "2147483647");
    check_number("2147483648", "bigint", "2147483648L");
    check_number("-2147483648", "int", "-2147483648");
    check_number("9223372036854775808", "decimal(19,0)", "9223372036854775808BD");
    check_number("1L", "bigint", "1L");
    check_number("1s", "smallint", "1S");
    check_number("-128Y", "tinyint", "-128Y");
    check_number("1.50", "decimal(3,2)", "1.50");
    check_number(".5", "decimal(1,1)", "0.5");
    check_number("0.01", "decimal(2,2)", "0.01");
    check_number("1.", "decimal(1,0)", "1BD");
    check_number("1e3", "double", "1000D");
    check_number("1.5e-3", "double", "0.0015D");
    check_number("1f", "float", "1F");
    check_number("3.4028234e38f", "float", "3.402823466e+38F");
    check_number("1E3BD", "decimal(4,0)", "1000BD");
}

NILAS_TEST(a_number_with_a_point_must_not_run_into_a_word) {
    check_same("SELECT 1a, t.1b", "SELECT `1a`, t.`1b`");
    check_same("SELECT 1 + .5, 2.", "SELECT 1+0.5BD, 2BD");
    check_printed("1.a", "(1).a");
    check_printed("1.5a", "(1).`5a`");
    check_printed("1.5+a", "1.5 + a");
    check_refused("SELECT t.1 FROM t", "PARSE_SYNTAX_ERROR", 8, "'.1'");
}

NILAS_TEST(numbers_out_of_range_are_refused) {
    check_refused("SELECT 128Y", "INVALID_NUMERIC_LITERAL_RANGE", 7,
                  "Numeric literal 128 is outside the valid range for tinyint with minimum value "
                  "of -128 and maximum value of 127.");
    check_refused("SELECT -32769S", "INVALID_NUMERIC_LITERAL_RANGE", 7, "-32769");
    check_refused("SELECT 9223372036854775808L", "INVALID_NUMERIC_LITERAL_RANGE", 7, "bigint");
    check_refused("SELECT 1E309", "INVALID_NUMERIC_LITERAL_RANGE", 7, "double");
    check_refused("SELECT 3.5e38F", "INVALID_NUMERIC_LITERAL_RANGE", 7, "float");
    check_refused("SELECT 123456789012345678901234567890123456789",
                  "DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION", 7, "Decimal precision 39");
}

NILAS_TEST(typed_literals_wait_for_the_time_zone_but_must_be_possible) {
    nilas_expr *expr = sample_expr(sample_arena(), "date '2020-01-31'");
    REQUIRE(expr != NULL);
    CHECK_INT(expr->kind, NILAS_EXPR_TYPED_LITERAL);
    CHECK_STR(expr->parts[0], "DATE");
    CHECK_STR(expr->value.text, "2020-01-31");
    check_printed("timestamp'tomorrow UTC'", "TIMESTAMP 'tomorrow UTC'");
    check_printed("X'1f0'", "X'01F0'");
    check_refused("SELECT DATE '2020-02-30'", "INVALID_TYPED_LITERAL", 7,
                  "The value of the typed literal \"DATE\" is invalid: '2020-02-30'.");
    check_refused("SELECT TIME '24:00:00'", "INVALID_TYPED_LITERAL", 7, "TIME");
    check_refused("SELECT X'1g'", "INVALID_TYPED_LITERAL", 7, "X");
    check_refused("SELECT INTERVAL '1 dag'", "INVALID_TYPED_LITERAL", 7, "INTERVAL");
    check_refused("SELECT GEO 'x'", "UNSUPPORTED_TYPED_LITERAL", 7,
                  "Literals of the type \"GEO\" are not supported.");
}

NILAS_TEST(intervals_keep_their_values_and_units) {
    nilas_expr *expr = sample_expr(sample_arena(), "INTERVAL 1 DAY - '2' HOURS");
    REQUIRE(expr != NULL);
    CHECK_INT(expr->kind, NILAS_EXPR_INTERVAL);
    CHECK_INT(expr->arg_count, 2);
    CHECK_INT(expr->units[1], NILAS_UNIT_HOUR);
    CHECK_STR(expr->args[1]->value.text, "-2");
    check_printed("INTERVAL '1-2' YEAR TO MONTH", "INTERVAL '1-2' YEAR TO MONTH");
    check_printed("interval 5 weeks", "INTERVAL 5 WEEK");
}

NILAS_TEST(intervals_that_spark_refuses_are_refused) {
    check_refused("SELECT INTERVAL 1 YEAR 2 DAYS", "_LEGACY_ERROR_TEMP_0029", 7,
                  "Cannot mix year-month and day-time fields: INTERVAL 1 YEAR 2 DAYS.");
    check_refused("SELECT INTERVAL 1 YEAR TO MONTH", "_LEGACY_ERROR_TEMP_0027", 7, "string");
    check_refused("SELECT INTERVAL '1-12' YEAR TO MONTH", "_LEGACY_ERROR_TEMP_0063", 7,
                  "month 12 outside range [0, 11]");
    check_refused("SELECT INTERVAL '1' DAY TO HOUR",
                  "INVALID_INTERVAL_FORMAT.UNMATCHED_FORMAT_STRING_WITH_NOTICE", 7, "d h");
    check_refused("SELECT INTERVAL '1 day' DAY", "_LEGACY_ERROR_TEMP_0026", 7, "1 day");
    check_refused("SELECT INTERVAL 1.5 DAYS", "INVALID_INTERVAL_FORMAT.INVALID_FRACTION", 7, "day");
    check_refused("SELECT INTERVAL 1 NANOSECOND", "INVALID_INTERVAL_FORMAT.INVALID_UNIT", 7,
                  "NANOSECOND");
    check_refused("SELECT INTERVAL '1' YEAR TO SECOND",
                  "INVALID_INTERVAL_FORMAT.UNSUPPORTED_FROM_TO_EXPRESSION", 7, "year to second");
}
