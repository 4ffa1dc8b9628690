/* Expressions: types, result column names and refusals, as Spark has them. */
#include "scan/scan.h"
#include "sql/sql.h"
#include "unit/bind/surroundings.h"

#define SCHEMA                                                                                     \
    "id bigint, k int, v double, f float, s string, d date, ts timestamp, tn timestamp_ntz, "      \
    "b boolean, bin binary, amount decimal(10,2), arr array<int>, st "                             \
    "struct<a:int,c:struct<d:double>>, "                                                           \
    "arrs array<struct<x:int,y:string>>, m map<string,int>"

typedef struct example {
    const char *text, *shown, *type;
} example;

typedef struct bench {
    surroundings around;
    nilas_binder binder;
    nilas_bind_scope scope;
} bench;

static void bench_init(bench *b) {
    surroundings_init(&b->around);
    b->binder = (nilas_binder){
        .environment = &b->around.environment, .arena = b->around.arena, .next_id = 1};
    b->scope = (nilas_bind_scope){.binder = &b->binder, .clause = "SELECT"};
    b->scope.columns = test_columns(&b->around, &b->binder, SCHEMA, &b->scope.column_count);
}

static nilas_code bind_text(bench *b, const char *text, nilas_expr **tree, nilas_bound_expr **out,
                            nilas_error *err) {
    NILAS_TRY(test_parse_expr(&b->around, text, tree, err));
    return nilas_bind__expr(&b->scope, *tree, out, err);
}

static void check_examples(const example *examples, size_t count) {
    for (size_t i = 0; i < count; i++) {
        bench b;
        nilas_error err = NILAS_ERROR_INIT;
        nilas_expr *tree = NULL;
        nilas_bound_expr *bound = NULL;
        nilas_str shown = NILAS_STR_EMPTY;
        NILAS_AUTO_BUF type = {0};
        bench_init(&b);
        nilas_code code = bind_text(&b, examples[i].text, &tree, &bound, &err);
        if (code != NILAS_OK) {
            NILAS_TEST_FAIL("%s: %s", examples[i].text, err.message);
        } else {
            CHECK_OK(nilas_bind__shown_name(&b.binder, tree, bound, &shown, &err), err);
            CHECK_STR(shown, examples[i].shown);
            nilas_type_print(&type, bound->type);
            if (!nilas_str_is(nilas_buf_view(&type), examples[i].type)) {
                NILAS_TEST_FAIL("%s: type %.*s, expected %s", examples[i].text,
                                NILAS_FMT(nilas_buf_view(&type)), examples[i].type);
            }
        }
        surroundings_done(&b.around);
    }
}

#define CHECK_EXAMPLES(list) check_examples((list), sizeof(list) / sizeof((list)[0]))

NILAS_TEST(literals_show_as_java_writes_them) {
    static const example list[] = {
        {"1", "1", "int"},
        {"1L", "1", "bigint"},
        {"1.5", "1.5", "decimal(2,1)"},
        {"1e3", "1000.0", "double"},
        {"1.5f", "1.5", "float"},
        {"'x'", "x", "string"},
        {"null", "NULL", "void"},
        {"true", "true", "boolean"},
        {"X'0A'", "X'0A'", "binary"},
        {"date'2024-01-01'", "DATE '2024-01-01'", "date"},
        {"timestamp'2024-01-01 00:00:00'", "TIMESTAMP '2024-01-01 00:00:00'", "timestamp"},
        {"-7", "-7", "int"},
        {"-2147483648", "-2147483648", "int"},
        {"-9223372036854775808", "-9223372036854775808", "bigint"},
        {"-1.5", "-1.5", "decimal(2,1)"},
        {"1e-5", "1.0E-5", "double"},
        {"123456789.5d", "1.234567895E8", "double"}};
    CHECK_EXAMPLES(list);
}

NILAS_TEST(interval_literals_keep_their_units) {
    static const example list[] = {
        {"interval 1 day", "INTERVAL '1' DAY", "interval day"},
        {"interval 1 hour", "INTERVAL '01' HOUR", "interval hour"},
        {"interval '1-1' year to month", "INTERVAL '1-1' YEAR TO MONTH", "interval year to month"},
        {"interval '-1' month", "INTERVAL '-1' MONTH", "interval month"},
        {"interval -'100' year", "INTERVAL '-100' YEAR", "interval year"},
        {"interval 1 day 2 hours", "INTERVAL '1 02' DAY TO HOUR", "interval day to hour"},
        {"interval '1 02:03:04.5' day to second", "INTERVAL '1 02:03:04.5' DAY TO SECOND",
         "interval day to second"},
        {"interval '2147483647 months'", "INTERVAL '2147483647' MONTH", "interval month"},
        {"interval 2 weeks", "INTERVAL '14' DAY", "interval day"},
        {"interval 1.25 seconds", "INTERVAL '01.25' SECOND", "interval second"}};
    CHECK_EXAMPLES(list);
}

NILAS_TEST(operators_show_with_parentheses_and_have_sparks_types) {
    static const example list[] = {
        {"id + k", "(id + k)", "bigint"},
        {"id / 3", "(id / 3)", "double"},
        {"id div 3", "(id div 3)", "bigint"},
        {"-id", "(- id)", "bigint"},
        {"+id", "(+ id)", "bigint"},
        {"~k", "~k", "int"},
        {"not b", "(NOT b)", "boolean"},
        {"! true", "(NOT true)", "boolean"},
        {"id <=> k", "(id <=> k)", "boolean"},
        {"id <> k", "(NOT (id = k))", "boolean"},
        {"1 = '1'", "(1 = 1)", "boolean"},
        {"2 > 1.1", "(2 > 1)", "boolean"},
        {"id between 1 and 2", "between(id, 1, 2)", "boolean"},
        {"id in (1, 2)", "(id IN (1, 2))", "boolean"},
        {"id not in (1, 2)", "(NOT (id IN (1, 2)))", "boolean"},
        {"v is null", "(v IS NULL)", "boolean"},
        {"v is not null", "(v IS NOT NULL)", "boolean"},
        {"id || '-' || s", "concat(concat(id, -), s)", "string"},
        {"s like 'a%'", "s LIKE a%", "boolean"},
        {"s not like 'a%'", "(NOT s LIKE a%)", "boolean"},
        {"s like any ('a%', 'b%')", "likeany(s)", "boolean"},
        {"amount * 1.1", "(amount * 1.1)", "decimal(13,3)"},
        {"amount / 3", "(amount / 3)", "decimal(14,6)"},
        {"d + 1", "date_add(d, 1)", "date"},
        {"d + interval 1 month", "d + INTERVAL '1' MONTH", "date"},
        {"ts - interval 1 hour", "ts - INTERVAL '01' HOUR", "timestamp"},
        {"d - date'2024-01-01'", "(d - DATE '2024-01-01')", "interval day"},
        {"k & 255 = 255", "((k & 255) = 255)", "boolean"}};
    CHECK_EXAMPLES(list);
}

NILAS_TEST(casts_show_only_when_written_and_take_the_name_of_what_they_cast) {
    static const example list[] = {
        {"cast(id as double)", "id", "double"},
        {"cast('NaN' as double)", "CAST(NaN AS DOUBLE)", "double"},
        {"abs(cast(id as double))", "abs(CAST(id AS DOUBLE))", "double"},
        {"date(ts)", "ts", "date"},
        {"int('4')", "4", "int"},
        {"cast(st.a as string)", "a", "string"},
        {"s::binary", "s", "binary"},
        {"try_cast(upper(s) as int)", "TRY_CAST(upper(s) AS INT)", "int"},
        {"cast(s as char(3))", "s", "string"}};
    CHECK_EXAMPLES(list);
}

NILAS_TEST(fields_subscripts_and_lambdas) {
    static const example list[] = {
        {"st.a", "a", "int"},
        {"st.c.d", "d", "double"},
        {"t.st.A", "A", "int"},
        {"ST.a", "a", "int"},
        {"ID", "ID", "bigint"},
        {"arr[0]", "arr[0]", "int"},
        {"m['k1']", "m[k1]", "int"},
        {"m.k1", "k1", "int"},
        {"arrs.x", "x", "array<int>"},
        {"arrs[0].y", "arrs[0].y", "string"},
        {"upper(arrs[0].y)", "upper(arrs[0].y)", "string"},
        {"(st).c.d + 1", "(st.c.d + 1)", "double"},
        {"transform(arr, x -> x + 1)",
         "transform(arr, lambdafunction((namedlambdavariable() + 1), namedlambdavariable()))",
         "array<int>"},
        {"filter(arr, x -> x > id)",
         "filter(arr, lambdafunction((namedlambdavariable() > id), namedlambdavariable()))",
         "array<int>"},
        {"struct(id, k)", "struct(id, k)", "struct<id:bigint,k:int>"},
        {"struct(1, k as z)", "struct(1, k AS z)", "struct<col1:int,z:int>"},
        {"named_struct('x', id)", "named_struct(x, id)", "struct<x:bigint>"},
        {"(id, k)", "named_struct(id, id, k, k)", "struct<id:bigint,k:int>"}};
    CHECK_EXAMPLES(list);
}

NILAS_TEST(calls_show_as_spark_names_them) {
    static const example list[] = {
        {"substr(s, 2)", "substr(s, 2, 2147483647)", "string"},
        {"if(k > 2, 'a', 'b')", "(IF((k > 2), a, b))", "string"},
        {"case k when 1 then 'x' end", "CASE WHEN (k = 1) THEN x END", "string"},
        {"case when v > 2 then 1 when v > 1 then 2.0 else 1.2 end",
         "CASE WHEN (v > 2) THEN 1 WHEN (v > 1) THEN 2.0 ELSE 1.2 END", "decimal(11,1)"},
        {"coalesce(v, 0)", "coalesce(v, 0)", "double"},
        {"isnull(v)", "(v IS NULL)", "boolean"},
        {"extract(year from ts)", "extract(year FROM ts)", "int"},
        {"trim(both 'x' from s)", "TRIM(BOTH x FROM s)", "string"},
        {"position('a' in s)", "locate(a, s, 1)", "int"},
        {"substring(s from 2 for 3)", "substring(s, 2, 3)", "string"},
        {"typeof(amount)", "typeof(amount)", "string"},
        {"current_timestamp()", "current_timestamp()", "timestamp"},
        {"now()", "now()", "timestamp"},
        {"current_date", "current_date()", "date"},
        {"current_catalog()", "current_catalog()", "string"},
        {"concat(s, id)", "concat(s, id)", "string"},
        {"UPPER(s)", "upper(s)", "string"}};
    CHECK_EXAMPLES(list);
}

NILAS_TEST(aggregates_and_windows_show_their_parts) {
    static const example list[] = {
        {"count(*)", "count(1)", "bigint"},
        {"count(distinct k)", "count(DISTINCT k)", "bigint"},
        {"count(distinct s, k)", "count(DISTINCT s, k)", "bigint"},
        {"sum(k)", "sum(k)", "bigint"},
        {"avg(k)", "avg(k)", "double"},
        {"sum(amount)", "sum(amount)", "decimal(20,2)"},
        {"sum(id) filter (where k = 1)", "sum(id) FILTER (WHERE (k = 1))", "bigint"},
        {"first(s, true)", "first(s)", "string"},
        {"sum(v) over (partition by k order by id)",
         "sum(v) OVER (PARTITION BY k ORDER BY id ASC NULLS FIRST RANGE BETWEEN UNBOUNDED "
         "PRECEDING AND CURRENT ROW)",
         "double"},
        {"count(*) over ()",
         "count(1) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)", "bigint"},
        {"rank() over (order by k desc)",
         "RANK() OVER (ORDER BY k DESC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT "
         "ROW)",
         "int"},
        {"lag(id) over (order by id)",
         "lag(id, 1, NULL) OVER (ORDER BY id ASC NULLS FIRST ROWS BETWEEN -1 FOLLOWING AND -1 "
         "FOLLOWING)",
         "bigint"},
        {"avg(v) over (order by id rows between 1 preceding and 1 following)",
         "avg(v) OVER (ORDER BY id ASC NULLS FIRST ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING)",
         "double"}};
    CHECK_EXAMPLES(list);
}

// ---- refusals --------------------------------------------------------------------------------

typedef struct refusal {
    const char *text, *condition;
} refusal;

static void check_refusals(const refusal *list, size_t count, bool no_aggregates) {
    for (size_t i = 0; i < count; i++) {
        bench b;
        nilas_error err = NILAS_ERROR_INIT;
        nilas_expr *tree = NULL;
        nilas_bound_expr *bound = NULL;
        bench_init(&b);
        b.scope.no_aggregates = b.scope.no_windows = no_aggregates;
        b.scope.clause = no_aggregates ? "WHERE" : "SELECT";
        nilas_code code = bind_text(&b, list[i].text, &tree, &bound, &err);
        if (code == NILAS_OK) {
            NILAS_TEST_FAIL("%s: bound, expected %s", list[i].text, list[i].condition);
        } else if (err.condition == NULL || strcmp(err.condition, list[i].condition) != 0) {
            NILAS_TEST_FAIL("%s: %s (%s), expected %s", list[i].text, err.message,
                            err.condition != NULL ? err.condition : "no condition",
                            list[i].condition);
        }
        surroundings_done(&b.around);
    }
}

#define CHECK_REFUSALS(list, no_aggregates)                                                        \
    check_refusals((list), sizeof(list) / sizeof((list)[0]), (no_aggregates))

NILAS_TEST(what_spark_refuses_is_refused_by_its_condition) {
    static const refusal list[] = {
        {"nope", "UNRESOLVED_COLUMN.WITH_SUGGESTION"},
        {"st.nope", "FIELD_NOT_FOUND"},
        {"id.x", "INVALID_EXTRACT_BASE_FIELD_TYPE"},
        {"nope(1)", "UNRESOLVED_ROUTINE"},
        {"bucket(16, id)", "UNRESOLVED_ROUTINE"},
        {"local.system.nope(1)", "UNRESOLVED_ROUTINE"},
        {"local.db.bucket(16, id)", "UNRESOLVED_ROUTINE"},
        {"a.b.upper(s)", "REQUIRES_SINGLE_PART_NAMESPACE"},
        {"upper()", "WRONG_NUM_ARGS.WITHOUT_SUGGESTION"},
        {"upper(s, 1)", "WRONG_NUM_ARGS.WITHOUT_SUGGESTION"},
        {"arr['x']", "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE"},
        {"k = array(1)", "DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES"},
        {"(id, k) in ((1, 1), (2, 3))", "DATATYPE_MISMATCH.DATA_DIFF_TYPES"},
        {"cast(arr as int)", "DATATYPE_MISMATCH.CAST_WITHOUT_SUGGESTION"},
        {"cast(k as date)", "DATATYPE_MISMATCH.CAST_WITH_FUNC_SUGGESTION"},
        {"date'2024-13-01'", "INVALID_TYPED_LITERAL"},
        {"timestamp'x'", "INVALID_TYPED_LITERAL"},
        {"sum(sum(id))", "NESTED_AGGREGATE_FUNCTION"},
        {"row_number()", "WINDOW_FUNCTION_WITHOUT_OVER_CLAUSE"},
        {"upper(s) over (order by id)", "UNSUPPORTED_EXPR_FOR_WINDOW"},
        {"upper(distinct s)", "INVALID_SQL_SYNTAX.FUNCTION_WITH_UNSUPPORTED_SYNTAX"},
        {"abs(expr => 1)", "NAMED_PARAMETERS_NOT_SUPPORTED"},
        {":name", "UNBOUND_SQL_PARAMETER"}};
    CHECK_REFUSALS(list, false);
}

NILAS_TEST(where_takes_no_aggregates_and_no_windows) {
    static const refusal list[] = {{"sum(id) > 1", "INVALID_WHERE_CONDITION"},
                                   {"rank() over (order by id) = 1", "INVALID_WHERE_CONDITION"}};
    CHECK_REFUSALS(list, true);
}

NILAS_TEST(a_condition_is_boolean) {
    bench b;
    nilas_error err = NILAS_ERROR_INIT;
    nilas_expr *tree = NULL;
    nilas_bound_expr *bound = NULL;
    bench_init(&b);
    CHECK_OK(test_parse_expr(&b.around, "s", &tree, &err), err);
    CHECK_FAILS(nilas_bind__condition(&b.scope, tree, &bound, &err), NILAS_INVALID, err,
                "Filter expression \"s\" of type \"STRING\" is not a boolean");
    CHECK_TEXT(err.condition, "DATATYPE_MISMATCH.FILTER_NOT_BOOLEAN");
    surroundings_done(&b.around);
}

NILAS_TEST(iceberg_functions_are_found_through_their_catalog) {
    static const example list[] = {{"local.system.bucket(16, id)",
                                    "static_invoke(org.apache.iceberg.spark.functions."
                                    "BucketFunction$BucketLong.invoke(16, id))",
                                    "int"},
                                   {"local.system.days(ts)",
                                    "static_invoke(org.apache.iceberg.spark.functions.DaysFunction$"
                                    "TimestampToDaysFunction.invoke(ts))",
                                    "date"}};
    CHECK_EXAMPLES(list);
}

NILAS_TEST(nesting_beyond_the_limit_is_refused) {
    bench b;
    nilas_error err = NILAS_ERROR_INIT;
    nilas_bound_expr *bound = NULL;
    bench_init(&b);
    nilas_expr column = {.kind = NILAS_EXPR_COLUMN, .parts = &(nilas_str){"b", 1}, .part_count = 1};
    nilas_expr *at = &column;
    for (int i = 0; i < NILAS_LIMIT_SQL_DEPTH; i++) {
        nilas_expr *outer = NULL;
        CHECK_OK(nilas_expr_new(b.around.arena, NILAS_EXPR_UNARY, 0, &outer, &err), err);
        outer->op = NILAS_OP_NOT;
        void *memory = NULL;
        CHECK_OK(nilas_arena_alloc(b.around.arena, sizeof(nilas_expr *), &memory, &err), err);
        outer->args = memory;
        outer->args[0] = at;
        outer->arg_count = 1;
        at = outer;
    }
    CHECK_CODE(nilas_bind__expr(&b.scope, at, &bound, &err), NILAS_LIMIT, err);
    CHECK_INT(b.binder.depth, 0);
    CHECK_OK(nilas_bind__expr(&b.scope, at->args[0], &bound, &err), err);
    surroundings_done(&b.around);
}
