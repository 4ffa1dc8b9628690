/* Values: casts done while binding, constants. */
#include "scan/scan.h"
#include "sql/sql.h"
#include "unit/bind/surroundings.h"

typedef struct conversion {
    nilas_type_kind from;
    const char *text; // the value as a string cast to `from`
    nilas_type_kind to;
    const char *result; // its string form; NULL: left to the engine
} conversion;

static bool convert_text(nilas_arena *arena, const nilas_zone *zone, const conversion *c,
                         nilas_value *out) {
    const nilas_type *string = nilas_type_of(NILAS_TYPE_STRING);
    nilas_value text = nilas_value_of_str(nilas_str_of(c->text));
    nilas_value value = NILAS_NULL_VALUE;
    nilas_value result = NILAS_NULL_VALUE;
    return nilas_bind__cast_value(arena, zone, &text, string, nilas_type_of(c->from), &value) &&
           nilas_bind__cast_value(arena, zone, &value, nilas_type_of(c->from), nilas_type_of(c->to),
                                  &result) &&
           nilas_bind__cast_value(arena, zone, &result, nilas_type_of(c->to), string, out);
}

NILAS_TEST(casts_of_values_are_sparks) {
    static const conversion list[] = {
        {NILAS_TYPE_INT, " 12 ", NILAS_TYPE_BIGINT, "12"},
        {NILAS_TYPE_INT, "300", NILAS_TYPE_TINYINT, NULL},
        {NILAS_TYPE_INT, "1.5", NILAS_TYPE_INT, NULL},
        {NILAS_TYPE_INT, "x", NILAS_TYPE_INT, NULL},
        {NILAS_TYPE_DOUBLE, "1.9", NILAS_TYPE_INT, "1"},
        {NILAS_TYPE_DOUBLE, "-1.9", NILAS_TYPE_INT, "-1"},
        {NILAS_TYPE_DOUBLE, "NaN", NILAS_TYPE_INT, NULL},
        {NILAS_TYPE_DOUBLE, "1e30", NILAS_TYPE_BIGINT, NULL},
        {NILAS_TYPE_DOUBLE, "infinity", NILAS_TYPE_FLOAT, "Infinity"},
        {NILAS_TYPE_INT, "7", NILAS_TYPE_BOOLEAN, "true"},
        {NILAS_TYPE_BOOLEAN, " Yes", NILAS_TYPE_INT, "1"},
        {NILAS_TYPE_BOOLEAN, "maybe", NILAS_TYPE_INT, NULL},
        {NILAS_TYPE_DATE, "2024-02-30", NILAS_TYPE_DATE, NULL},
        {NILAS_TYPE_DATE, "2024-06-01", NILAS_TYPE_TIMESTAMP, "2024-06-01 00:00:00"},
        {NILAS_TYPE_TIMESTAMP, "2024-06-01 01:00:00Z", NILAS_TYPE_DATE, "2024-06-01"},
        {NILAS_TYPE_TIMESTAMP, "2024-06-01T23:30:00Z", NILAS_TYPE_TIMESTAMP_NTZ,
         "2024-06-02 01:30:00"},
        {NILAS_TYPE_BIGINT, "1", NILAS_TYPE_TIMESTAMP, "1970-01-01 01:00:01"},
        {NILAS_TYPE_BIGINT, "9223372036854775807", NILAS_TYPE_TIMESTAMP, NULL},
        {NILAS_TYPE_DECIMAL, "12.6", NILAS_TYPE_INT, "13"},
        {NILAS_TYPE_DECIMAL, "12345678901", NILAS_TYPE_INT, NULL}};
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    const nilas_zone *zone = nilas_zone_find(NILAS_STR("Europe/Berlin"));
    REQUIRE(zone != NULL);
    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
        nilas_value out = NILAS_NULL_VALUE;
        bool done = convert_text(arena, zone, &list[i], &out);
        if (done != (list[i].result != NULL)) {
            NILAS_TEST_FAIL("%s (row %zu): %s", list[i].text, i,
                            done ? "converted" : "not converted");
        } else if (done) {
            CHECK_STR(out.text, list[i].result);
        }
    }
}

NILAS_TEST(a_null_stays_null_whatever_the_type) {
    nilas_value null = NILAS_NULL_VALUE;
    nilas_value out = nilas_value_of_int(1);
    CHECK(nilas_bind__cast_value(NULL, NULL, &null, nilas_type_of(NILAS_TYPE_STRING),
                                 nilas_type_of(NILAS_TYPE_INTERVAL), &out));
    CHECK(nilas_value_is_null(&out));
}

NILAS_TEST(columns_are_no_constants) {
    surroundings around;
    nilas_error err = NILAS_ERROR_INIT;
    surroundings_init(&around);
    nilas_binder binder = {.environment = &around.environment, .arena = around.arena, .next_id = 1};
    nilas_attribute attribute = {
        .id = 1, .name = NILAS_STR("c"), .type = nilas_type_of(NILAS_TYPE_INT)};
    nilas_bound_expr *column = NULL;
    nilas_value value = NILAS_NULL_VALUE;
    CHECK_OK(nilas_bind__column_ref(&binder, &attribute, &column, &err), err);
    CHECK_FAILS(nilas_bind__fold(&binder, column, &value, &err), NILAS_INVALID, err,
                "the expression \"c\" must be a constant");
    surroundings_done(&around);
}

NILAS_TEST(equal_expressions_are_equal_and_random_ones_never) {
    surroundings around;
    nilas_error err = NILAS_ERROR_INIT;
    nilas_expr *tree = NULL;
    nilas_bound_expr *a = NULL;
    nilas_bound_expr *b = NULL;
    nilas_bound_expr *copy = NULL;
    surroundings_init(&around);
    nilas_binder binder = {.environment = &around.environment, .arena = around.arena, .next_id = 1};
    nilas_bind_scope scope = {.binder = &binder, .clause = "SELECT"};
    CHECK_OK(test_parse_expr(&around, "concat(upper('a'), cast(1 as string))", &tree, &err), err);
    CHECK_OK(nilas_bind__expr(&scope, tree, &a, &err), err);
    CHECK_OK(nilas_bind__expr(&scope, tree, &b, &err), err);
    CHECK_OK(nilas_bind__copy(around.arena, a, &copy, &err), err);
    CHECK(nilas_bind__equal(a, b));
    CHECK(nilas_bind__equal(a, copy));
    CHECK_OK(test_parse_expr(&around, "rand()", &tree, &err), err);
    CHECK_OK(nilas_bind__expr(&scope, tree, &a, &err), err);
    CHECK(!nilas_bind__equal(a, a));
    surroundings_done(&around);
}
