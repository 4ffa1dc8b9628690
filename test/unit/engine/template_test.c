/** Templates and casts: the language, and that all that the library names exists. */
#include "engine/call.h"
#include "engine/cast.h"
#include "engine/template.h"
#include "engine/udf_row.h"
#include "test.h"

static const nilas_type *of(nilas_type_kind kind) {
    return nilas_type_of(kind);
}

/** Fill a template with the arguments a, b and a lambda. */
static const char *fill(nilas_buf *out, const char *text, nilas_call_sql options) {
    static const nilas_str arguments[] = {NILAS_STR("a"), NILAS_STR("b"),
                                          NILAS_STR("lambda c1, c2: c1 + f('c1', t.c2, c2)")};
    const nilas_type *types[] = {of(NILAS_TYPE_BINARY), of(NILAS_TYPE_INT), of(NILAS_TYPE_INT)};
    nilas_function function = {.name = "f", .render = text};
    nilas_error err = NILAS_ERROR_INIT;
    options.function = &function;
    options.type = of(NILAS_TYPE_DATE);
    options.arguments = arguments;
    options.argument_types = types;
    options.argument_count = 3;
    nilas_buf_clear(out);
    CHECK_OK(nilas_engine__print_call(out, &options, &err), err);
    nilas_buf_add_char(out, '\0');
    return out->data;
}

NILAS_TEST(arguments_and_types) {
    NILAS_AUTO_BUF out = {0};
    CHECK_TEXT(fill(&out, "g($1, $2*) $$ $t $t1", (nilas_call_sql){0}),
               "g(a, b, lambda c1, c2: c1 + f('c1', t.c2, c2)) $ DATE BLOB");
    CHECK_TEXT(fill(&out, "{ansi:x || y|z} {t=DATE:d|e} {1=BLOB:b|c} {'k': $1}",
                    (nilas_call_sql){.ansi = true}),
               "x || y d b {'k': a}");
    CHECK_TEXT(fill(&out, "{ansi:x|z}{nulls: I|}", (nilas_call_sql){0}), "z");
}

NILAS_TEST(lambdas_are_applied_by_substitution) {
    NILAS_AUTO_BUF out = {0};
    CHECK_TEXT(fill(&out, "$3(p.a; g(q, r))", (nilas_call_sql){0}),
               "(p.a + f('c1', t.c2, g(q, r)))");
}

NILAS_TEST(aggregates_take_filter_order_and_window) {
    NILAS_AUTO_BUF out = {0};
    nilas_call_sql options = {.distinct = true,
                              .filter = NILAS_STR("f"),
                              .order_by = NILAS_STR("o DESC"),
                              .over = NILAS_STR("OVER w")};
    CHECK_TEXT(fill(&out, "s($distinct $1 $order)$over", options),
               "s(DISTINCT a ORDER BY o DESC) FILTER (WHERE f) OVER w");
    CHECK_TEXT(fill(&out, "s($1)$over($1 > 0)", (nilas_call_sql){.filter = NILAS_STR("f")}),
               "s(a) FILTER (WHERE f AND a > 0)");
    nilas_function function = {.name = "g", .render = "s($1)", .kind = NILAS_FUNCTION_AGGREGATE};
    nilas_error err = NILAS_ERROR_INIT;
    options.function = &function;
    CHECK_FAILS(nilas_engine__print_call(&out, &options, &err), NILAS_UNSUPPORTED, err, "DISTINCT");
}

NILAS_TEST(lambda_parameters_stay_apart) {
    CHECK_INT(nilas_engine__unique(NILAS_STR("f(x3, y12, ax40, 'z')")), 13);
    CHECK_INT(nilas_engine__unique(NILAS_STR("c12")), 1);
}

/** Whether a scalar function of ours has this name; aggregates are listed here. */
static bool is_registered(nilas_str name) {
    static const char *const aggregates[] = {"nilas_skewness",  "nilas_kurtosis",   "nilas_corr",
                                             "nilas_covar_pop", "nilas_covar_samp", "nilas_sxy"};
    static const nilas_udf *const lists[] = {
        nilas_engine__cast_functions,    nilas_engine__print_functions,
        nilas_engine__integer_functions, nilas_engine__math_functions,
        nilas_engine__decimal_functions, nilas_engine__text_functions,
        nilas_engine__word_functions,    nilas_engine__format_functions,
        nilas_engine__url_functions,     nilas_engine__time_functions,
        nilas_engine__pattern_functions, nilas_engine__list_functions,
        nilas_engine__hash_functions,    nilas_engine__json_functions,
        nilas_engine__cipher_functions,
    };
    for (size_t i = 0; i < sizeof(aggregates) / sizeof(aggregates[0]); i++) {
        if (nilas_str_is(name, aggregates[i])) {
            return true;
        }
    }
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        for (const nilas_udf *udf = lists[i]; udf->name != NULL; udf++) {
            if (nilas_str_is(name, udf->name)) {
                return true;
            }
        }
    }
    return false;
}

static void check_template(const char *name, const char *text) {
    for (const char *at = strstr(text, "nilas_"); at != NULL; at = strstr(at + 1, "nilas_")) {
        size_t size = strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789_");
        if (!is_registered((nilas_str){.data = at, .size = size})) {
            NILAS_TEST_FAIL("%s: no function %.*s", name, (int)size, at);
        }
    }
}

NILAS_TEST(every_name_in_a_template_exists) {
    for (const nilas_function *row = NULL; (row = nilas_function_next(row)) != NULL;) {
        if (row->render[0] == '@') {
            if (!nilas_engine__has_renderer(row->render + 1)) {
                NILAS_TEST_FAIL("%s: no renderer %s", row->name, row->render);
            }
        } else {
            check_template(row->name, row->render);
        }
    }
}

static const char *cast_text(nilas_buf *out, const nilas_type *from, const nilas_type *to,
                             nilas_cast_mode mode) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_buf_clear(out);
    if (nilas_engine__print_cast(out, from, to, mode, NILAS_STR("v"), &err) != NILAS_OK) {
        return "";
    }
    nilas_buf_add_char(out, '\0');
    return out->data;
}

NILAS_TEST(casts) {
    NILAS_AUTO_BUF out = {0};
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_error err = NILAS_ERROR_INIT;
    const nilas_type *list, *decimal;
    REQUIRE_OK(nilas_type_array(arena, of(NILAS_TYPE_INT), true, &list, &err), err);
    REQUIRE_OK(nilas_type_decimal(arena, 5, 2, &decimal, &err), err);
    CHECK_TEXT(cast_text(&out, of(NILAS_TYPE_INT), of(NILAS_TYPE_INT), NILAS_CAST_ANSI), "v");
    CHECK_TEXT(cast_text(&out, of(NILAS_TYPE_INT), of(NILAS_TYPE_BIGINT), NILAS_CAST_ANSI),
               "CAST(v AS BIGINT)");
    CHECK_TEXT(cast_text(&out, of(NILAS_TYPE_DOUBLE), of(NILAS_TYPE_INT), NILAS_CAST_TRY),
               "TRY_CAST(trunc(v) AS INTEGER)");
    CHECK_TEXT(cast_text(&out, of(NILAS_TYPE_BIGINT), of(NILAS_TYPE_INT), NILAS_CAST_LEGACY),
               "nilas_wrap_int(CAST(v AS HUGEINT))");
    CHECK_TEXT(cast_text(&out, of(NILAS_TYPE_STRING), of(NILAS_TYPE_INT), NILAS_CAST_ANSI),
               "nilas_string_to_int(v)");
    CHECK_TEXT(cast_text(&out, of(NILAS_TYPE_STRING), of(NILAS_TYPE_DATE), NILAS_CAST_TRY),
               "TRY(nilas_string_to_date(v))");
    CHECK_TEXT(
        cast_text(&out, of(NILAS_TYPE_STRING), decimal, NILAS_CAST_ANSI),
        "CAST(nilas_string_to_decimal(v, 5, 2) * CAST('0.01' AS DECIMAL(2,2)) AS DECIMAL(5,2))");
    CHECK_TEXT(cast_text(&out, list, of(NILAS_TYPE_STRING), NILAS_CAST_ANSI),
               "nilas_join_list(list_transform(v, lambda x1: coalesce(CAST(x1 AS VARCHAR), "
               "'null')), '[', ']')");
    CHECK_TEXT(cast_text(&out, of(NILAS_TYPE_VOID), of(NILAS_TYPE_DATE), NILAS_CAST_ANSI),
               "CAST(NULL AS DATE)");
    CHECK_TEXT(cast_text(&out, of(NILAS_TYPE_BINARY), of(NILAS_TYPE_INT), NILAS_CAST_ANSI), "");
}
