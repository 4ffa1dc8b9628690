#include "make.h"

#define TABLE                                                                                      \
    "{\"format-version\":2,\"location\":\"/t\",\"schemas\":[{\"type\":\"struct\",\"schema-id\":0," \
    "\"fields\":[{\"id\":1,\"name\":\"id\",\"required\":false,\"type\":\"long\"},{\"id\":2,"       \
    "\"name\":\"category\",\"required\":false,\"type\":\"string\"},{\"id\":3,\"name\":\"ts\","     \
    "\"required\":false,\"type\":\"timestamptz\"},{\"id\":4,\"name\":\"p\",\"required\":false,"    \
    "\"type\":{\"type\":\"struct\",\"fields\":[{\"id\":5,\"name\":\"x\",\"required\":false,"       \
    "\"type\":\"decimal(9, 2)\"}]}}]}],\"current-schema-id\":0,\"partition-specs\":["              \
    "{\"spec-id\":0,\"fields\":[]}],\"default-spec-id\":0}"

static nilas_predicate leaf(const nilas_schema *schema, int32_t field_id, nilas_predicate_kind kind,
                            const nilas_value *literals, size_t count) {
    return (nilas_predicate){.kind = kind,
                             .field_id = field_id,
                             .type = nilas_schema_find_id(schema, field_id)->type,
                             .literals = literals,
                             .literal_count = count};
}

static void check_print(const nilas_predicate *predicate, const nilas_schema *schema,
                        const char *expected) {
    NILAS_AUTO_BUF out = NILAS_BUF_INIT(0);

    nilas_predicate_print(&out, predicate, schema);
    CHECK_STR(nilas_buf_view(&out), expected);
}

NILAS_TEST(and_and_or_fold_constants) {
    NILAS_AUTO(nilas_arena) arena = make_arena();
    nilas_error err = NILAS_ERROR_INIT;
    nilas_predicate yes = nilas_predicate_true;
    nilas_predicate no = nilas_predicate_false;
    nilas_predicate x = {.kind = NILAS_PREDICATE_IS_NULL, .field_id = 1};
    nilas_predicate *out = NULL;
    const struct {
        nilas_predicate *a, *b, *both, *either;
    } cases[] = {{&yes, &x, &x, &yes},
                 {&x, &yes, &x, &yes},
                 {&no, &x, &no, &x},
                 {&x, &no, &no, &x},
                 {&yes, &no, &no, &yes}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        REQUIRE_OK(nilas_predicate_and(arena, cases[i].a, cases[i].b, &out, &err), err);
        CHECK_INT(out->kind, cases[i].both->kind);
        REQUIRE_OK(nilas_predicate_or(arena, cases[i].a, cases[i].b, &out, &err), err);
        CHECK_INT(out->kind, cases[i].either->kind);
    }
    REQUIRE_OK(nilas_predicate_and(arena, &x, &x, &out, &err), err);
    CHECK_INT(out->kind, NILAS_PREDICATE_AND);
}

NILAS_TEST(a_negation_goes_to_the_leaves_and_twice_is_nothing) {
    NILAS_AUTO(nilas_arena) arena = make_arena();
    nilas_error err = NILAS_ERROR_INIT;
    nilas_metadata *metadata = make_metadata(arena, TABLE);
    const nilas_schema *schema = nilas_metadata_current_schema(metadata);
    nilas_value one = nilas_value_of_int(1);
    nilas_predicate a = leaf(schema, 1, NILAS_PREDICATE_LT, &one, 1);
    nilas_predicate b = leaf(schema, 2, NILAS_PREDICATE_IS_NULL, NULL, 0);
    nilas_predicate not_b = {.kind = NILAS_PREDICATE_NOT, .left = &b};
    nilas_predicate both = {.kind = NILAS_PREDICATE_AND, .left = &a, .right = &not_b};
    nilas_predicate *out = NULL;
    nilas_predicate *back = NULL;

    REQUIRE_OK(nilas_predicate_negate(arena, &both, &out, &err), err);
    check_print(out, schema, "(id >= 1 OR category IS NULL)");
    REQUIRE_OK(nilas_predicate_negate(arena, out, &back, &err), err);
    check_print(back, schema, "(id < 1 AND category IS NOT NULL)");
    REQUIRE_OK(nilas_predicate_negate(arena, &nilas_predicate_true, &out, &err), err);
    CHECK_INT(out->kind, NILAS_PREDICATE_FALSE);
}

NILAS_TEST(predicates_print_for_people) {
    NILAS_AUTO(nilas_arena) arena = make_arena();
    nilas_metadata *metadata = make_metadata(arena, TABLE);
    const nilas_schema *schema = nilas_metadata_current_schema(metadata);
    nilas_value names[] = {nilas_value_of_str(NILAS_STR("it's")),
                           nilas_value_of_str(NILAS_STR("b"))};
    nilas_value day = nilas_value_of_int(18628);
    nilas_value moment = nilas_value_of_int(-1);
    nilas_value price = nilas_value_of_decimal(-5, 2);
    nilas_predicate p = leaf(schema, 2, NILAS_PREDICATE_IN, names, 2);

    check_print(&p, schema, "category IN ('it''s', 'b')");
    p = leaf(schema, 2, NILAS_PREDICATE_NOT_STARTS_WITH, names + 1, 1);
    check_print(&p, schema, "category NOT STARTS WITH 'b'");
    p = leaf(schema, 3, NILAS_PREDICATE_GT_EQ, &day, 1);
    p.has_transform = true;
    p.transform = make_transform(arena, "day");
    check_print(&p, schema, "days(ts) >= 18628");
    p.transform = make_transform(arena, "bucket[16]");
    check_print(&p, schema, "bucket(16, ts) >= 18628");
    p = leaf(schema, 3, NILAS_PREDICATE_LT, &moment, 1);
    check_print(&p, schema, "ts < '1969-12-31T23:59:59.999999+00:00'");
    p = leaf(schema, 5, NILAS_PREDICATE_NOT_EQ, &price, 1);
    check_print(&p, schema, "p.x != -0.05");
    p.field_id = 99;
    check_print(&p, schema, "field 99 != -0.05");
    check_print(&nilas_predicate_false, schema, "false");
}
