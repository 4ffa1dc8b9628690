#include "make.h"

static nilas_str printed_type(nilas_arena *arena, const nilas_ice_type *type) {
    NILAS_AUTO_BUF out = NILAS_BUF_INIT(0);
    nilas_str text = {0};
    nilas_error err = NILAS_ERROR_INIT;

    nilas_ice_type_print(&out, type);
    CHECK_OK(nilas_buf_finish(&out, arena, &text, &err), err);
    return text;
}

static nilas_code parse_type(nilas_arena *arena, const char *json, const nilas_ice_type **out,
                             nilas_error *err) {
    nilas_json *tree;

    NILAS_NEW(arena, &tree, err);
    NILAS_TRY(nilas_json_parse(arena, nilas_str_of(json), "type", tree, err));
    return nilas_ice_type_parse(arena, tree, out, err);
}

NILAS_TEST(a_type_reads_and_prints_as_the_specification_spells_it) {
    static const char *const names[] = {
        "boolean",
        "int",
        "long",
        "float",
        "double",
        "date",
        "time",
        "timestamp",
        "timestamptz",
        "timestamp_ns",
        "timestamptz_ns",
        "string",
        "uuid",
        "binary",
        "unknown",
        "variant",
        "geometry",
        "geography",
        "decimal(9, 2)",
        "fixed[16]",
        "geometry(srid:4326)",
        "geography(srid:4326, karney)",
    };
    NILAS_AUTO(nilas_arena) arena = make_arena();

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char json[64];
        snprintf(json, sizeof(json), "\"%s\"", names[i]);
        CHECK_STR(printed_type(arena, make_type(arena, json)), names[i]);
    }
}

NILAS_TEST(spaces_and_case_of_a_type_do_not_matter) {
    NILAS_AUTO(nilas_arena) arena = make_arena();

    CHECK_STR(printed_type(arena, make_type(arena, "\"decimal(9,2)\"")), "decimal(9, 2)");
    CHECK_STR(printed_type(arena, make_type(arena, "\"Decimal( 38 ,  0 )\"")), "decimal(38, 0)");
    CHECK_STR(printed_type(arena, make_type(arena, "\"fixed[ 3 ]\"")), "fixed[3]");
    CHECK_STR(printed_type(arena, make_type(arena, "\"TimestampTZ\"")), "timestamptz");
}

NILAS_TEST(what_is_no_type_is_refused_by_name) {
    static const char *const bad[] = {
        "\"decimal(39, 0)\"", "\"decimal(9)\"", "\"decimal(2, 3)\"", "\"decimal(0, 0)\"",
        "\"decimal(9, -1)\"", "\"fixed[-1]\"",  "\"fixed\"",         "\"fixed[99999999999]\"",
        "\"integer\"",        "\"\"",           "\"decimal(9, 2\"",
    };
    NILAS_AUTO(nilas_arena) arena = make_arena();
    const nilas_ice_type *type;
    nilas_error err = NILAS_ERROR_INIT;

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        CHECK_FAILS(parse_type(arena, bad[i], &type, &err), NILAS_UNSUPPORTED, err,
                    "Cannot parse type string to primitive");
    }
    CHECK_CODE(parse_type(arena, "7", &type, &err), NILAS_CORRUPT, err);
    CHECK_FAILS(parse_type(arena, "{\"type\":\"set\"}", &type, &err), NILAS_CORRUPT, err,
                "\"set\"");
    CHECK_FAILS(parse_type(arena, "{\"type\":\"list\",\"element-id\":1}", &type, &err),
                NILAS_CORRUPT, err, "element");
    CHECK_CODE(parse_type(arena, "{\"type\":\"struct\"}", &type, &err), NILAS_CORRUPT, err);
    CHECK_CODE(parse_type(arena,
                          "{\"type\":\"struct\",\"fields\":[{\"id\":4294967296,\"name\":\"a\","
                          "\"required\":true,\"type\":\"int\"}]}",
                          &type, &err),
               NILAS_CORRUPT, err);
}

NILAS_TEST(types_nest_to_the_limit_and_not_beyond) {
    NILAS_AUTO(nilas_arena) arena = make_arena();
    const nilas_ice_type *type;
    nilas_error err = NILAS_ERROR_INIT;

    for (int extra = 0; extra < 2; extra++) {
        NILAS_AUTO_BUF json = NILAS_BUF_INIT(0);
        int depth = NILAS_LIMIT_TYPE_DEPTH - 1 + extra;
        for (int i = 0; i < depth; i++) {
            nilas_buf_add_text(&json,
                               "{\"type\":\"list\",\"element-id\":1,\"element-required\":true,"
                               "\"element\":");
        }
        nilas_buf_add_text(&json, "\"int\"");
        for (int i = 0; i < depth; i++) {
            nilas_buf_add_text(&json, "}");
        }
        nilas_buf_add_char(&json, '\0');
        CHECK_CODE(parse_type(arena, json.data, &type, &err), extra == 0 ? NILAS_OK : NILAS_LIMIT,
                   err);
    }
}

#define NESTED                                                                                     \
    "{\"type\":\"struct\",\"fields\":["                                                            \
    "{\"id\":1,\"name\":\"a.b\",\"required\":true,\"type\":\"int\",\"doc\":\"say \\\"a\\\"\"},"    \
    "{\"id\":2,\"name\":\"point\",\"required\":false,\"type\":{\"type\":\"struct\",\"fields\":["   \
    "{\"id\":3,\"name\":\"x\",\"required\":true,\"type\":\"double\"},"                             \
    "{\"id\":4,\"name\":\"Y\",\"required\":false,\"type\":\"decimal(9, 2)\"}]}},"                  \
    "{\"id\":5,\"name\":\"list\",\"required\":false,\"type\":{\"type\":\"list\",\"element-id\":6," \
    "\"element-required\":true,\"element\":{\"type\":\"struct\",\"fields\":["                      \
    "{\"id\":7,\"name\":\"z\",\"required\":false,\"type\":\"string\"}]}}},"                        \
    "{\"id\":8,\"name\":\"map\",\"required\":false,\"type\":{\"type\":\"map\",\"key-id\":9,"       \
    "\"key\":\"string\",\"value-id\":10,\"value-required\":false,\"value\":\"fixed[3]\"}}]"

static nilas_schema *nested_schema(nilas_arena *arena) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_schema *schema = NULL;
    nilas_json *tree = NULL;
    void *memory = NULL;

    CHECK_OK(nilas_arena_alloc(arena, sizeof(*tree), &memory, &err), err);
    tree = memory;
    CHECK_OK(nilas_json_parse(
                 arena, nilas_str_of(NESTED ",\"schema-id\":7,\"identifier-field-ids\":[1,3]}"),
                 "schema", tree, &err),
             err);
    CHECK_OK(nilas_schema_parse(arena, tree, &schema, &err), err);
    return schema;
}

NILAS_TEST(a_schema_survives_printing_and_parsing) {
    NILAS_AUTO(nilas_arena) arena = make_arena();
    NILAS_AUTO_BUF first = NILAS_BUF_INIT(0);
    NILAS_AUTO_BUF second = NILAS_BUF_INIT(0);
    nilas_error err = NILAS_ERROR_INIT;
    nilas_schema *schema = nested_schema(arena);
    nilas_schema *again = NULL;
    nilas_json tree;

    REQUIRE(schema != NULL);
    nilas_schema_print(&first, schema);
    REQUIRE_OK(nilas_json_parse(arena, nilas_buf_view(&first), "schema", &tree, &err), err);
    REQUIRE_OK(nilas_schema_parse(arena, &tree, &again, &err), err);
    nilas_schema_print(&second, again);
    CHECK_BYTES(nilas_buf_view(&second), nilas_buf_view(&first));
    CHECK(nilas_ice_type_equal(&schema->type, &again->type));
    CHECK_INT(again->schema_id, 7);
    CHECK_INT(again->identifier_field_count, 2);
    CHECK_STR(again->type.fields[0].doc, "say \"a\"");
    CHECK_STR(printed_type(arena, &schema->type),
              "struct<1: a.b: required int (say \"a\"), 2: point: optional struct<3: x: required "
              "double, 4: Y: optional decimal(9, 2)>, 5: list: optional list<struct<7: z: optional "
              "string>>, 8: map: optional map<string, fixed[3]>>");
}

NILAS_TEST(equal_types_differ_in_nothing_that_reading_depends_on) {
    NILAS_AUTO(nilas_arena) arena = make_arena();
    const nilas_ice_type *base = make_type(arena, NESTED "}");

    CHECK(nilas_ice_type_equal(base, make_type(arena, NESTED "}")));
    CHECK(!nilas_ice_type_equal(make_type(arena, "\"decimal(9,2)\""),
                                make_type(arena, "\"decimal(9,3)\"")));
    CHECK(
        !nilas_ice_type_equal(make_type(arena, "\"fixed[2]\""), make_type(arena, "\"fixed[3]\"")));
    CHECK(!nilas_ice_type_equal(base->fields[1].type, base->fields[2].type));
}

NILAS_TEST(fields_are_found_by_id_and_by_dotted_name) {
    static const struct {
        const char *name;
        int32_t id;
    } names[] = {
        {"a.b", 1},
        {"point", 2},
        {"point.x", 3},
        {"point.Y", 4},
        {"POINT.y", 4},
        {"list", 5},
        {"A.B", 1},
        {"list.element", 6},
        {"list.element.z", 7},
        {"list.z", 7},
        {"map.key", 9},
        {"map.value", 10},
        {"LIST.Element.Z", 7},
    };
    NILAS_AUTO(nilas_arena) arena = make_arena();
    nilas_error err = NILAS_ERROR_INIT;
    nilas_schema *schema = nested_schema(arena);

    REQUIRE(schema != NULL);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const nilas_ice_field *field = nilas_schema_find_name(schema, nilas_str_of(names[i].name));
        CHECK_INT(field != NULL ? field->id : -1, names[i].id);
    }
    CHECK(nilas_schema_find_name(schema, NILAS_STR("point.z")) == NULL);
    CHECK(nilas_schema_find_name(schema, NILAS_STR("")) == NULL);
    CHECK(nilas_schema_find_name(schema, NILAS_STR("point.")) == NULL);
    CHECK(nilas_schema_find_id(schema, 11) == NULL);
    CHECK_INT(nilas_schema_highest_id(schema), 10);
    for (int32_t id = 1; id <= 10; id++) {
        nilas_str name = {0};
        CHECK_OK(nilas_schema_name_of(arena, schema, id, &name, &err), err);
        const nilas_ice_field *field = nilas_schema_find_name(schema, name);
        CHECK_INT(field != NULL ? field->id : -1, id);
    }
    nilas_str name;
    CHECK_CODE(nilas_schema_name_of(arena, schema, 11, &name, &err), NILAS_NOT_FOUND, err);
}

NILAS_TEST(defaults_are_read_by_the_type_of_their_field) {
    NILAS_AUTO(nilas_arena) arena = make_arena();
    nilas_error err = NILAS_ERROR_INIT;
    const nilas_ice_type *type = make_type(
        arena, "{\"type\":\"struct\",\"fields\":[{\"id\":1,\"name\":\"d\",\"required\":true,"
               "\"type\":\"date\",\"initial-default\":\"1969-12-31\","
               "\"write-default\":\"2020-02-29\"},{\"id\":2,\"name\":\"n\","
               "\"required\":false,\"type\":\"variant\",\"initial-default\":null}]}");

    CHECK_INT(type->fields[0].initial_default->integer, -1);
    CHECK_INT(type->fields[0].write_default->integer, 18321);
    CHECK(type->fields[1].initial_default == NULL);
    CHECK_FAILS(
        parse_type(arena,
                   "{\"type\":\"struct\",\"fields\":[{\"id\":1,\"name\":\"d\",\"required\":true,"
                   "\"type\":\"variant\",\"initial-default\":3}]}",
                   &type, &err),
        NILAS_CORRUPT, err, "variant");
}
