/** Resolution of calls: laws over the whole library, promotion, decimals, errors. */
#include "function/function.h"
#include "function/precision.h"
#include "function/resolve.h"
#include "function/schema.h"
#include "function/table.h"
#include "test.h"

static const nilas_type *of(nilas_type_kind kind) {
    return nilas_type_of(kind);
}

typedef struct outcome {
    nilas_arena *arena;
    nilas_error err;
    nilas_code code;
    nilas_call call;
    char type[200];
} outcome;

static void resolve(outcome *o, const char *name, size_t count, const nilas_type *const *types,
                    const nilas_value *literals) {
    nilas_argument arguments[8] = {0};
    for (size_t i = 0; i < count; i++) {
        arguments[i] = (nilas_argument){
            .type = types[i], .lambda_arity = -1, .shown = NILAS_STR("x"), .offset = 3};
        arguments[i].constant = literals != NULL ? &literals[i] : NULL;
    }
    nilas_call_options options = {.ansi = true, .shown = NILAS_STR("call"), .offset = 7};
    o->err = (nilas_error)NILAS_ERROR_INIT;
    o->code = nilas_function_resolve(o->arena, nilas_str_of(name), arguments, count, &options,
                                     &o->call, &o->err);
    NILAS_AUTO_BUF text = {0};
    if (o->code == NILAS_OK) {
        nilas_type_print(&text, o->call.type);
    }
    snprintf(o->type, sizeof(o->type), "%.*s", NILAS_FMT(nilas_buf_view(&text)));
}

static const char *type_of(outcome *o, const char *name, const nilas_type *a, const nilas_type *b) {
    const nilas_type *types[] = {a, b};
    resolve(o, name, b != NULL ? 2 : 1, types, NULL);
    return o->code == NILAS_OK        ? o->type
           : o->err.condition != NULL ? o->err.condition
                                      : o->err.message;
}

NILAS_TEST(every_signature_parses_and_every_rule_exists) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    size_t rows = 0;
    for (size_t t = 0; t < nilas_function__table_count; t++) {
        for (size_t i = 0; i < *nilas_function__tables[t].count; i++) {
            const nilas_function *row = &nilas_function__tables[t].rows[i];
            nilas_error err = NILAS_ERROR_INIT;
            nilas_signature signature;
            rows++;
            CHECK_OK(nilas_function__parse_signature(arena, row->signature, &signature, &err), err);
            if (err.code == NILAS_OK && signature.result.kind == NILAS_PATTERN_RULE) {
                CHECK(nilas_function__has_rule(signature.result.rule));
            }
            CHECK(row->render[0] != '\0');
        }
    }
    CHECK(rows > 500);
}

NILAS_TEST(names_are_sorted_and_found_without_case) {
    size_t count = 0;
    const char *const *names = nilas_function_names(&count);
    for (size_t i = 1; i < count; i++) {
        CHECK(strcmp(names[i - 1], names[i]) < 0);
    }
    CHECK(nilas_function_exists(NILAS_STR("SubString")));
    CHECK(!nilas_function_exists(NILAS_STR("+")));
    CHECK(!nilas_function_exists(NILAS_STR("nope")));
    nilas_function_kind kind = NILAS_FUNCTION_SCALAR;
    CHECK(nilas_function_find_kind(NILAS_STR("SUM"), &kind));
    CHECK_INT(kind, NILAS_FUNCTION_AGGREGATE);
}

NILAS_TEST(common_type_is_symmetric_and_coercion_reflexive) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    for (int a = NILAS_TYPE_VOID; a <= NILAS_TYPE_INTERVAL; a++) {
        CHECK(nilas_type_can_coerce(of(a), of(a), true));
        CHECK(nilas_type_can_cast(of(a), of(a), true));
        CHECK(nilas_type_can_upcast(of(a), of(a)));
        for (int b = NILAS_TYPE_VOID; b <= NILAS_TYPE_INTERVAL; b++) {
            nilas_error err = NILAS_ERROR_INIT;
            const nilas_type *x = NULL, *y = NULL;
            REQUIRE_OK(nilas_type_common(arena, of(a), of(b), true, &x, &err), err);
            REQUIRE_OK(nilas_type_common(arena, of(b), of(a), true, &y, &err), err);
            CHECK((x == NULL) == (y == NULL));
            CHECK(x == NULL || nilas_type_equal(x, y));
            CHECK(x == NULL || nilas_type_can_cast(of(a), x, true));
            CHECK(!nilas_type_can_upcast(of(a), of(b)) || nilas_type_can_cast(of(a), of(b), true));
        }
    }
}

NILAS_TEST(numbers_widen_and_strings_meet_numbers) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    outcome o = {.arena = arena};
    CHECK_TEXT(type_of(&o, "+", of(NILAS_TYPE_INT), of(NILAS_TYPE_BIGINT)), "bigint");
    CHECK_TEXT(type_of(&o, "+", of(NILAS_TYPE_INT), of(NILAS_TYPE_FLOAT)), "double");
    CHECK_TEXT(type_of(&o, "+", of(NILAS_TYPE_INT), of(NILAS_TYPE_STRING)), "bigint");
    CHECK_TEXT(type_of(&o, "*", of(NILAS_TYPE_STRING), of(NILAS_TYPE_DOUBLE)), "double");
    CHECK_TEXT(type_of(&o, "/", of(NILAS_TYPE_INT), of(NILAS_TYPE_INT)), "double");
    CHECK_TEXT(type_of(&o, "div", of(NILAS_TYPE_INT), of(NILAS_TYPE_INT)), "bigint");
    CHECK_TEXT(type_of(&o, "=", of(NILAS_TYPE_DATE), of(NILAS_TYPE_STRING)), "boolean");
    CHECK_INT(o.call.argument_types[1]->kind, NILAS_TYPE_DATE);
    CHECK_TEXT(type_of(&o, "<", of(NILAS_TYPE_DATE), of(NILAS_TYPE_TIMESTAMP)), "boolean");
    CHECK_INT(o.call.argument_types[0]->kind, NILAS_TYPE_TIMESTAMP);
    CHECK_TEXT(type_of(&o, "+", of(NILAS_TYPE_VOID), of(NILAS_TYPE_VOID)), "double");
    CHECK_TEXT(type_of(&o, "sum", of(NILAS_TYPE_STRING), NULL), "double");
    CHECK_TEXT(type_of(&o, "sum", of(NILAS_TYPE_SMALLINT), NULL), "bigint");
    CHECK_TEXT(type_of(&o, "upper", of(NILAS_TYPE_INT), NULL), "string");
}

NILAS_TEST(dates_and_intervals) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    outcome o = {.arena = arena};
    CHECK_TEXT(type_of(&o, "+", of(NILAS_TYPE_DATE), of(NILAS_TYPE_INT)), "date");
    CHECK_TEXT(type_of(&o, "-", of(NILAS_TYPE_DATE), of(NILAS_TYPE_DATE)), "interval day");
    CHECK_TEXT(type_of(&o, "-", of(NILAS_TYPE_TIMESTAMP), of(NILAS_TYPE_DATE)),
               "interval day to second");
    CHECK_TEXT(type_of(&o, "+", of(NILAS_TYPE_DATE), of(NILAS_TYPE_INTERVAL_YEAR_MONTH)), "date");
    CHECK_TEXT(type_of(&o, "+", of(NILAS_TYPE_DATE), of(NILAS_TYPE_INTERVAL_DAY_TIME)),
               "timestamp");
    CHECK_TEXT(type_of(&o, "*", of(NILAS_TYPE_INT), of(NILAS_TYPE_INTERVAL_YEAR_MONTH)),
               "interval year to month");
    CHECK_TEXT(type_of(&o, "+", of(NILAS_TYPE_DATE), of(NILAS_TYPE_DATE)),
               "DATATYPE_MISMATCH.BINARY_OP_WRONG_TYPE");
    CHECK_TEXT(type_of(&o, "+", of(NILAS_TYPE_DATE), of(NILAS_TYPE_DOUBLE)),
               "DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES");
}

NILAS_TEST(decimals_follow_sparks_precision) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    outcome o = {.arena = arena};
    nilas_error err = NILAS_ERROR_INIT;
    const nilas_type *d9, *d18, *d38;
    REQUIRE_OK(nilas_type_decimal(arena, 9, 2, &d9, &err), err);
    REQUIRE_OK(nilas_type_decimal(arena, 18, 4, &d18, &err), err);
    REQUIRE_OK(nilas_type_decimal(arena, 38, 10, &d38, &err), err);
    CHECK_TEXT(type_of(&o, "+", d9, d18), "decimal(19,4)");
    CHECK_TEXT(type_of(&o, "*", d9, d18), "decimal(28,6)");
    CHECK_TEXT(type_of(&o, "/", d18, d9), "decimal(30,14)");
    CHECK_TEXT(type_of(&o, "+", d38, of(NILAS_TYPE_INT)), "decimal(38,9)");
    CHECK_TEXT(type_of(&o, "sum", d9, NULL), "decimal(19,2)");
    CHECK_TEXT(type_of(&o, "avg", d38, NULL), "decimal(38,14)");
    CHECK_TEXT(type_of(&o, "+", d9, of(NILAS_TYPE_DOUBLE)), "double");
    const nilas_type *types[] = {d9, of(NILAS_TYPE_INT)};
    const nilas_value literals[] = {NILAS_NULL_VALUE, nilas_value_of_int(3)};
    resolve(&o, "/", 2, types, literals);
    CHECK_TEXT(o.type, "decimal(13,6)");
    resolve(&o, "%", 2, types, literals);
    CHECK_TEXT(o.type, "decimal(3,2)");
    const nilas_value two[] = {NILAS_NULL_VALUE, nilas_value_of_int(1)};
    resolve(&o, "round", 2, types, two);
    CHECK_TEXT(o.type, "decimal(9,1)");
}

NILAS_TEST(errors_are_sparks) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    outcome o = {.arena = arena};
    nilas_error err = NILAS_ERROR_INIT;
    const nilas_type *list;
    REQUIRE_OK(nilas_type_array(arena, of(NILAS_TYPE_INT), true, &list, &err), err);
    resolve(&o, "upper", 0, NULL, NULL);
    CHECK_TEXT(o.err.condition, "WRONG_NUM_ARGS.WITHOUT_SUGGESTION");
    CHECK_TEXT(o.err.message,
               "The `upper` requires 1 parameters but the actual number is 0. Please, refer to "
               "'https://spark.apache.org/docs/latest/sql-ref-functions.html' for a fix.");
    CHECK_TEXT(type_of(&o, "=", of(NILAS_TYPE_INT), list),
               "DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES");
    CHECK_CONTAINS(o.err.message, "the left and right operands of the binary operator have "
                                  "incompatible types (\"INT\" and \"ARRAY<INT>\").");
    CHECK_TEXT(type_of(&o, "[]", list, of(NILAS_TYPE_STRING)),
               "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE");
    CHECK_CONTAINS(o.err.message, "The second parameter requires the \"INTEGRAL\" type, however "
                                  "\"x\" has the type \"STRING\".");
    CHECK_TEXT(type_of(&o, "coalesce", of(NILAS_TYPE_INT), list),
               "DATATYPE_MISMATCH.DATA_DIFF_TYPES");
    CHECK_CONTAINS(
        o.err.message,
        "Input to `coalesce` should all be the same type, but it's [\"INT\", \"ARRAY<INT>\"].");
    resolve(&o, "nope", 0, NULL, NULL);
    CHECK_INT(o.code, NILAS_NOT_FOUND);
}

NILAS_TEST(lambdas_see_the_element_type) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_error err = NILAS_ERROR_INIT;
    const nilas_type *list, *types[2];
    bool nullable[2];
    REQUIRE_OK(nilas_type_array(arena, of(NILAS_TYPE_DATE), true, &list, &err), err);
    nilas_argument arguments[] = {{.type = list, .lambda_arity = -1}, {.lambda_arity = 2}};
    REQUIRE_OK(nilas_function_lambda_parameters(arena, NILAS_STR("transform"), arguments, 2, 1,
                                                types, nullable, &err),
               err);
    CHECK_INT(types[0]->kind, NILAS_TYPE_DATE);
    CHECK_INT(types[1]->kind, NILAS_TYPE_INT);
    arguments[1].type = of(NILAS_TYPE_STRING);
    nilas_call call;
    nilas_call_options options = {.ansi = true};
    REQUIRE_OK(
        nilas_function_resolve(arena, NILAS_STR("transform"), arguments, 2, &options, &call, &err),
        err);
    CHECK_INT(call.type->kind, NILAS_TYPE_ARRAY);
    CHECK_INT(call.type->fields[0].type->kind, NILAS_TYPE_STRING);
}

NILAS_TEST(schemas_in_text) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    static const char *const cases[][2] = {
        {"a INT, b ARRAY<STRING>", "struct<a:int,b:array<string>>"},
        {"STRUCT<a: INT NOT NULL, `b c`: DECIMAL(10,2)>", "struct<a:int,b c:decimal(10,2)>"},
        {"map<string,bigint>", "map<string,bigint>"},
        {"int", "int"},
        {"a", NULL},
        {"a INT,", NULL},
        {"array<int", NULL},
        {"", NULL}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        nilas_error err = NILAS_ERROR_INIT;
        const nilas_type *type = NULL;
        NILAS_AUTO_BUF text = {0};
        REQUIRE_OK(nilas_function__parse_schema(arena, nilas_str_of(cases[i][0]), &type, &err),
                   err);
        if (type != NULL) {
            nilas_type_print(&text, type);
            nilas_buf_add_char(&text, '\0');
        }
        CHECK_TEXT(type != NULL ? text.data : NULL, cases[i][1]);
    }
}

NILAS_TEST(shown_names) {
    static const struct {
        const char *shown;
        size_t count;
        const char *text;
    } cases[] = {
        {NULL, 2, "f(a, b)"},
        {"g", 1, "g(a)"},
        {"($1 + $2)", 2, "(a + b)"},
        {"$name($1, $2|0|)", 1, "f(a, 0)"},
        {"$name($1, $2|0|)", 2, "f(a, b)"},
        {"($1 IN ($2*))", 3, "(a IN (b, c))"},
        {"PI()", 0, "PI()"},
    };
    const nilas_str arguments[] = {NILAS_STR("a"), NILAS_STR("b"), NILAS_STR("c")};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        nilas_function function = {.name = "f", .shown = cases[i].shown};
        NILAS_AUTO_BUF text = {0};
        nilas_function_print_shown(&text, &function, NILAS_STR("f"), arguments, cases[i].count);
        nilas_buf_add_char(&text, '\0');
        CHECK_TEXT(text.data, cases[i].text);
    }
}
