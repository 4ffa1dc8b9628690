#include "sql_sample.h"

static void check_type(const char *text, const char *simple) {
    nilas_error err = NILAS_ERROR_INIT;
    const nilas_type *type;
    REQUIRE_OK(nilas_sql_parse_type(sample_arena(), nilas_str_of(text), &type, &err), err);
    NILAS_AUTO_BUF out = NILAS_BUF_INIT(0);
    nilas_type_print(&out, type);
    CHECK_STR(nilas_buf_view(&out), simple);
}

NILAS_TEST(types_print_as_sparks_simple_strings) {
    check_type("int", "int");
    check_type("LONG", "bigint");
    check_type("decimal", "decimal(10,0)");
    check_type("numeric(5)", "decimal(5,0)");
    check_type("DEC(20, 4)", "decimal(20,4)");
    check_type("varchar(10)", "varchar(10)");
    check_type("string collate unicode", "string collate unicode");
    check_type("timestamp without time zone", "timestamp_ntz");
    check_type("time", "time(6)");
    check_type("time(3) without time zone", "time(3)");
    check_type("interval", "interval");
    check_type("interval day", "interval day");
    check_type("interval day to second", "interval day to second");
    check_type("array<map<string,struct<a:int,b:array<int>>>>",
               "array<map<string,struct<a:int,b:array<int>>>>");
    check_type("struct<>", "struct<>");
    check_type("STRUCT<`a b` INT NOT NULL COMMENT 'x', c: DATE>", "struct<a b:int,c:date>");
}

NILAS_TEST(a_schema_is_a_struct) {
    check_type("a INT, b STRING NOT NULL COMMENT 'x'", "struct<a:int,b:string>");
    check_type("`a b` array<int>", "struct<a b:array<int>>");
}

static void check_bad(const char *text, const char *condition) {
    nilas_error err = NILAS_ERROR_INIT;
    const nilas_type *type;
    CHECK_CODE(nilas_sql_parse_type(sample_arena(), nilas_str_of(text), &type, &err), NILAS_INVALID,
               err);
    CHECK_TEXT(err.condition, condition);
}

NILAS_TEST(types_that_spark_refuses_are_refused) {
    check_bad("foo", "UNSUPPORTED_DATATYPE");
    check_bad("array", "INCOMPLETE_TYPE_DEFINITION.ARRAY");
    check_bad("map", "INCOMPLETE_TYPE_DEFINITION.MAP");
    check_bad("struct", "INCOMPLETE_TYPE_DEFINITION.STRUCT");
    check_bad("char", "DATATYPE_MISSING_SIZE");
    check_bad("decimal(39)", "DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION");
    check_bad("decimal(3, 4)", "_LEGACY_ERROR_TEMP_1228");
    check_bad("time(7)", "UNSUPPORTED_TIME_PRECISION");
    check_bad("interval second to day", "INVALID_INTERVAL_FORMAT.UNSUPPORTED_FROM_TO_EXPRESSION");
    check_bad("array<int", "PARSE_SYNTAX_ERROR");
    check_bad("int int int", "PARSE_SYNTAX_ERROR");
    check_bad("", "PARSE_EMPTY_STATEMENT");
}

NILAS_TEST(names_have_parts) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_str *parts;
    size_t count;
    REQUIRE_OK(
        nilas_sql_parse_name(sample_arena(), NILAS_STR("c.db.`t x`.table"), &parts, &count, &err),
        err);
    CHECK_INT(count, 4);
    CHECK_STR(parts[2], "t x");
    CHECK_CODE(nilas_sql_parse_name(sample_arena(), NILAS_STR("a..b"), &parts, &count, &err),
               NILAS_INVALID, err);
}
