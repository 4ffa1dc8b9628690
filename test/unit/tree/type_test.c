#include "test.h"
#include "tree/tree.h"

static void check_printed(const nilas_type *type, const char *simple, const char *sql) {
    NILAS_AUTO_BUF out = NILAS_BUF_INIT(0);
    nilas_type_print(&out, type);
    CHECK_STR(nilas_buf_view(&out), simple);
    nilas_buf_clear(&out);
    nilas_type_print_sql(&out, type);
    CHECK_STR(nilas_buf_view(&out), sql);
}

NILAS_TEST(plain_types_have_two_text_forms) {
    check_printed(nilas_type_of(NILAS_TYPE_BIGINT), "bigint", "BIGINT");
    check_printed(nilas_type_of(NILAS_TYPE_DECIMAL), "decimal(10,0)", "DECIMAL(10,0)");
    check_printed(nilas_type_of(NILAS_TYPE_TIMESTAMP_NTZ), "timestamp_ntz", "TIMESTAMP_NTZ");
    check_printed(nilas_type_of(NILAS_TYPE_INTERVAL_DAY_TIME), "interval day to second",
                  "INTERVAL DAY TO SECOND");
    check_printed(nilas_type_of(NILAS_TYPE_VOID), "void", "VOID");
}

NILAS_TEST(a_struct_shows_nullability_and_comments_in_sql_only) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_error err = NILAS_ERROR_INIT;
    const nilas_type *list;
    const nilas_type *type;
    REQUIRE_OK(nilas_type_array(arena, nilas_type_of(NILAS_TYPE_INT), true, &list, &err), err);
    nilas_type_field fields[] = {
        {.name = NILAS_STR("a"), .type = list, .nullable = false},
        {.name = NILAS_STR("b c"),
         .type = nilas_type_of(NILAS_TYPE_STRING),
         .nullable = true,
         .has_comment = true,
         .comment = NILAS_STR("it's")},
        {.name = NILAS_STR("12"), .type = nilas_type_of(NILAS_TYPE_DATE), .nullable = true},
    };
    REQUIRE_OK(nilas_type_struct(arena, fields, 3, &type, &err), err);
    check_printed(type, "struct<a:array<int>,b c:string,12:date>",
                  "STRUCT<a: ARRAY<INT> NOT NULL, `b c`: STRING COMMENT 'it\\'s', `12`: DATE>");
}

NILAS_TEST(equality_is_of_structure_and_field_names) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_error err = NILAS_ERROR_INIT;
    const nilas_type *a;
    const nilas_type *b;
    nilas_type_field field = {
        .name = NILAS_STR("x"), .type = nilas_type_of(NILAS_TYPE_INT), .nullable = true};
    REQUIRE_OK(nilas_type_struct(arena, &field, 1, &a, &err), err);
    field.nullable = false;
    REQUIRE_OK(nilas_type_struct(arena, &field, 1, &b, &err), err);
    CHECK(nilas_type_equal(a, b));
    field.name = NILAS_STR("X");
    REQUIRE_OK(nilas_type_struct(arena, &field, 1, &b, &err), err);
    CHECK(!nilas_type_equal(a, b));
    REQUIRE_OK(nilas_type_decimal(arena, 10, 0, &a, &err), err);
    CHECK(nilas_type_equal(a, nilas_type_of(NILAS_TYPE_DECIMAL)));
    REQUIRE_OK(nilas_type_decimal(arena, 10, 1, &b, &err), err);
    CHECK(!nilas_type_equal(a, b));
}

NILAS_TEST(a_schema_is_shown_as_a_tree_of_some_levels) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_error err = NILAS_ERROR_INIT;
    const nilas_type *inner;
    const nilas_type *list;
    const nilas_type *map;
    const nilas_type *type;
    nilas_type_field x = {.name = NILAS_STR("x"), .type = nilas_type_of(NILAS_TYPE_INT)};
    REQUIRE_OK(nilas_type_struct(arena, &x, 1, &inner, &err), err);
    REQUIRE_OK(nilas_type_array(arena, inner, false, &list, &err), err);
    REQUIRE_OK(nilas_type_map(arena, nilas_type_of(NILAS_TYPE_STRING), list, true, &map, &err),
               err);
    nilas_type_field fields[] = {
        {.name = NILAS_STR("m"), .type = map, .nullable = true},
        {.name = NILAS_STR("b\n"), .type = nilas_type_of(NILAS_TYPE_TINYINT)}};
    REQUIRE_OK(nilas_type_struct(arena, fields, 2, &type, &err), err);

    NILAS_AUTO_BUF out = {0};
    nilas_type_print_tree(&out, type, 0);
    CHECK_STR(nilas_buf_view(&out), "root\n"
                                    " |-- m: map (nullable = true)\n"
                                    " |    |-- key: string\n"
                                    " |    |-- value: array (valueContainsNull = true)\n"
                                    " |    |    |-- element: struct (containsNull = false)\n"
                                    " |    |    |    |-- x: integer (nullable = false)\n"
                                    " |-- b\\n: byte (nullable = false)\n");
    nilas_buf_clear(&out);
    nilas_type_print_tree(&out, type, 2);
    CHECK_STR(nilas_buf_view(&out), "root\n"
                                    " |-- m: map (nullable = true)\n"
                                    " |    |-- key: string\n"
                                    " |    |-- value: array (valueContainsNull = true)\n"
                                    " |-- b\\n: byte (nullable = false)\n");
}
