/* Results: rows in memory become Arrow and come back equal; formats are those promised. */
#include "plans.h"

static const nilas_type *nested_type(run *r) {
    const nilas_type *list = NULL;
    const nilas_type *map = NULL;
    const nilas_type *inner = NULL;
    const nilas_type *decimal = NULL;
    const nilas_type *all = NULL;
    CHECK_OK(nilas_type_array(r->arena, nilas_type_of(NILAS_TYPE_INT), true, &list, &r->err),
             r->err);
    CHECK_OK(nilas_type_map(r->arena, nilas_type_of(NILAS_TYPE_STRING), list, true, &map, &r->err),
             r->err);
    CHECK_OK(nilas_type_decimal(r->arena, 38, 2, &decimal, &r->err), r->err);
    CHECK_OK(nilas_type_struct(r->arena, NULL, 0, &inner, &r->err), r->err);
    nilas_type_field fields[] = {
        {.name = NILAS_STR("m"), .type = map, .nullable = true},
        {.name = NILAS_STR("d"), .type = decimal, .nullable = true},
        {.name = NILAS_STR("v"), .type = nilas_type_of(NILAS_TYPE_VOID), .nullable = true},
        {.name = NILAS_STR("e"), .type = inner, .nullable = true},
        {.name = NILAS_STR("y"),
         .type = nilas_type_of(NILAS_TYPE_INTERVAL_YEAR_MONTH),
         .nullable = true},
        {.name = NILAS_STR("t"),
         .type = nilas_type_of(NILAS_TYPE_INTERVAL_DAY_TIME),
         .nullable = false},
    };
    CHECK_OK(nilas_type_struct(r->arena, fields, 6, &all, &r->err), r->err);
    return all;
}

NILAS_TEST(rows_in_memory_come_back_equal) {
    run r;
    run_init(&r, 2);
    nilas_value numbers[] = {nilas_value_of_int(1), NILAS_NULL_VALUE};
    nilas_value entry[] = {nilas_value_of_str(NILAS_STR("k")),
                           {.kind = NILAS_VALUE_LIST, .items = numbers, .count = 2}};
    nilas_value rows[] = {
        {.kind = NILAS_VALUE_MAP, .items = entry, .count = 1},
        nilas_value_of_decimal(-12345, 2),
        NILAS_NULL_VALUE,
        {.kind = NILAS_VALUE_STRUCT},
        nilas_value_of_int(14),
        nilas_value_of_int(-5),
        NILAS_NULL_VALUE,
        NILAS_NULL_VALUE,
        NILAS_NULL_VALUE,
        NILAS_NULL_VALUE,
        NILAS_NULL_VALUE,
        nilas_value_of_int(0),
    };
    nilas_arena *stmt = nilas_arena_new(NULL, 0);
    nilas_result *result = NULL;
    REQUIRE_OK(nilas_result_of_rows(stmt, nested_type(&r), rows, 2, &result, &r.err), r.err);
    CHECK_INT(nilas_result_shown_column(result), -1);
    CHECK_TEXT(rows_of(&r, result),
               "[k;[1;null]],-123.45,null,[],14,-5 null,null,null,null,null,0");
    run_done(&r);
}

NILAS_TEST(arrow_formats_are_those_promised) {
    run r;
    run_init(&r, 2);
    struct ArrowSchema schema = {0};
    static const char *const formats[] = {"+m", "d:38,2", "n", "+s", "tiM", "tDu"};
    REQUIRE_OK(nilas_arrow__make_schema(nested_type(&r), &schema, &r.err), r.err);
    REQUIRE(schema.n_children == 6);
    for (int64_t i = 0; i < 6; i++) {
        CHECK_TEXT(schema.children[i]->format, formats[i]);
    }
    CHECK_INT(schema.children[5]->flags, 0);
    CHECK_TEXT(schema.children[0]->children[0]->children[1]->format, "+l");
    schema.release(&schema);
    run_done(&r);
}

NILAS_TEST(literals_of_every_type_pass_through_duckdb_unchanged) {
    run r;
    run_init(&r, 2);
    const nilas_type *all = nested_type(&r);
    nilas_plan *project =
        made_plan(&r, NILAS_PLAN_PROJECT, made_plan(&r, NILAS_PLAN_ONE_ROW, NULL));
    nilas_value numbers[] = {nilas_value_of_int(1), NILAS_NULL_VALUE};
    nilas_value entry[] = {nilas_value_of_str(NILAS_STR("it's")),
                           {.kind = NILAS_VALUE_LIST, .items = numbers, .count = 2}};
    const nilas_value values[] = {{.kind = NILAS_VALUE_MAP, .items = entry, .count = 1},
                                  nilas_value_of_decimal(-12345, 2),
                                  NILAS_NULL_VALUE,
                                  NILAS_NULL_VALUE,
                                  nilas_value_of_int(14),
                                  nilas_value_of_int(INT64_MIN)};
    for (size_t i = 0; i < 6; i++) {
        nilas_bound_expr *literal = made_expr(&r, NILAS_BOUND_LITERAL, NILAS_TYPE_VOID);
        literal->type = all->fields[i].type;
        literal->value = values[i];
        add_expr(&r, project, literal);
        add_output(&r, project, (int32_t)i, literal->type);
    }
    CHECK_TEXT(run_plan(&r, project), "[it's;[1;null]],-123.45,null,null,14,-9223372036854775808");
    run_done(&r);
}

NILAS_TEST(two_results_of_one_engine_are_read_in_turns) {
    run r;
    run_init(&r, 2);
    nilas_result *results[2] = {0};
    for (int i = 0; i < 2; i++) {
        nilas_arena *stmt = nilas_arena_new(NULL, 0);
        REQUIRE_OK(nilas_engine_run(r.engine, stmt, VALUES_OF(&r, 1, i, 7), &results[i], &r.err),
                   r.err);
    }
    CHECK_TEXT(rows_of(&r, results[1]), "1 7");
    CHECK_TEXT(rows_of(&r, results[0]), "0 7");
    run_done(&r);
}

NILAS_TEST(an_empty_result_has_no_columns_and_no_rows) {
    run r;
    nilas_result *result = NULL;
    run_init(&r, 2);
    REQUIRE_OK(nilas_result_empty(&result, &r.err), r.err);
    CHECK_INT(nilas_result_type(result)->field_count, 0);
    CHECK_TEXT(rows_of(&r, result), "");
    run_done(&r);
}
