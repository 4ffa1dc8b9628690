/** Avro schemas: names, ids, and what no schema may be. */
#include "codec/codec.h"
#include "test.h"

static nilas_code parse(const char *json, nilas_arena *arena, nilas_avro_schema **out,
                        nilas_error *err) {
    return nilas_avro_parse_schema(arena, nilas_str_of(json), "t.avro", out, err);
}

NILAS_TEST(ids_and_logical_types_are_kept) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_avro_schema *schema;
    REQUIRE_OK(
        parse("{\"type\":\"record\",\"name\":\"r\",\"fields\":["
              "{\"name\":\"a\",\"field-id\":5,\"default\":null,\"type\":[\"null\",{\"type\":"
              "\"long\",\"logicalType\":\"timestamp-micros\",\"adjust-to-utc\":true}]},"
              "{\"name\":\"l\",\"type\":{\"type\":\"array\",\"element-id\":7,\"items\":{\"type\":"
              "{\"type\":\"string\"}}}},"
              "{\"name\":\"m\",\"type\":{\"type\":\"map\",\"key-id\":8,\"value-id\":9,"
              "\"values\":\"int\"}},"
              "{\"name\":\"d\",\"type\":{\"type\":\"fixed\",\"name\":\"f\",\"size\":5,"
              "\"logicalType\":\"decimal\",\"precision\":10,\"scale\":3}}]}",
              arena, &schema, &err),
        err);
    REQUIRE(schema->kind == NILAS_AVRO_RECORD && schema->field_count == 4);
    CHECK_INT(schema->fields[0].field_id, 5);
    CHECK(schema->fields[0].default_value->kind == NILAS_JSON_NULL);
    const nilas_avro_schema *time = schema->fields[0].schema->fields[1].schema;
    CHECK_STR(time->logical_type, "timestamp-micros");
    CHECK(time->adjust_to_utc);
    CHECK_INT(schema->fields[1].field_id, -1);
    CHECK_INT(schema->fields[1].schema->element_id, 7);
    CHECK_INT(schema->fields[1].schema->fields[0].schema->kind, NILAS_AVRO_STRING);
    CHECK_INT(schema->fields[2].schema->key_id, 8);
    CHECK_INT(schema->fields[2].schema->value_id, 9);
    CHECK_INT(schema->fields[3].schema->precision, 10);
    CHECK_INT(schema->fields[3].schema->scale, 3);
    CHECK_INT(schema->fields[3].schema->fixed_size, 5);
}

NILAS_TEST(names_are_resolved_in_their_name_space) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_avro_schema *schema;
    REQUIRE_OK(parse("{\"type\":\"record\",\"name\":\"a.b.r\",\"fields\":["
                     "{\"name\":\"x\",\"type\":{\"type\":\"fixed\",\"name\":\"f\",\"size\":1}},"
                     "{\"name\":\"y\",\"type\":\"f\"},{\"name\":\"z\",\"type\":\"a.b.f\"},"
                     "{\"name\":\"w\",\"type\":{\"type\":\"f\"}},"
                     "{\"name\":\"v\",\"type\":{\"type\":\"record\",\"name\":\"s\",\"namespace\":"
                     "\"other\",\"fields\":[{\"name\":\"u\",\"type\":\"a.b.f\"}]}},"
                     "{\"name\":\"t\",\"type\":\"other.s\"}]}",
                     arena, &schema, &err),
               err);
    for (size_t i = 0; i < 4; i++) {
        CHECK(schema->fields[i].schema == schema->fields[0].schema);
    }
    CHECK(schema->fields[5].schema == schema->fields[4].schema);
}

NILAS_TEST(what_is_no_schema_is_corrupt) {
    static const char *const cases[][2] = {
        {"", "line 1"},
        {"5", "expected a type, found integer"},
        {"\"unknown\"", "\"unknown\" is not known"},
        {"{}", "no member \"type\""},
        {"[]", "no branches"},
        {"[[\"int\"],\"null\"]", "directly holds another"},
        {"{\"type\":\"array\"}", "no \"items\""},
        {"{\"type\":\"map\"}", "no \"values\""},
        {"{\"type\":\"record\",\"name\":\"r\"}", "\"fields\""},
        {"{\"type\":\"record\",\"fields\":[]}", "\"name\""},
        {"{\"type\":\"fixed\",\"name\":\"f\",\"size\":-1}", "found -1"},
        {"{\"type\":\"fixed\",\"name\":\"f\",\"size\":99999999999}", "found 99999999999"},
        {"{\"type\":\"enum\",\"name\":\"e\",\"symbols\":[1]}", "symbol 0"},
        {"{\"type\":\"record\",\"name\":\"r\",\"fields\":[{\"name\":\"a\"}]}", "has no type"},
        {"{\"type\":\"record\",\"name\":\"r\",\"fields\":[{\"name\":\"a\",\"type\":\"int\","
         "\"field-id\":-2}]}",
         "found -2"},
        {"{\"type\":\"record\",\"name\":\"r\",\"fields\":[{\"name\":\"a\",\"type\":[\"null\","
         "\"r\"]}]}",
         "\"r\" contains itself"},
        {"{\"type\":\"record\",\"name\":\"r\",\"fields\":[{\"name\":\"a\",\"type\":{\"type\":"
         "\"array\",\"items\":{\"type\":\"record\",\"name\":\"s\",\"fields\":[{\"name\":\"b\","
         "\"type\":\"r\"}]}}}]}",
         "in field \"b\" in field \"a\" in the Avro schema of t.avro"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        nilas_error err = NILAS_ERROR_INIT;
        NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
        nilas_avro_schema *schema;
        CHECK_FAILS(parse(cases[i][0], arena, &schema, &err), NILAS_CORRUPT, err, cases[i][1]);
    }
}

static nilas_code parse_nested(size_t depth, nilas_error *err) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    NILAS_AUTO_BUF text = {0};
    nilas_avro_schema *schema;
    for (size_t i = 0; i < depth; i++) {
        nilas_buf_add_text(&text, "{\"type\":\"array\",\"items\":");
    }
    nilas_buf_add_text(&text, "\"int\"");
    for (size_t i = 0; i < depth; i++) {
        nilas_buf_add_char(&text, '}');
    }
    return nilas_avro_parse_schema(arena, nilas_buf_view(&text), "t", &schema, err);
}

NILAS_TEST(nesting_ends_at_the_limit) {
    nilas_error err = NILAS_ERROR_INIT;
    CHECK_OK(parse_nested(NILAS_LIMIT_AVRO_DEPTH - 1, &err), err);
    CHECK_CODE(parse_nested(NILAS_LIMIT_AVRO_DEPTH, &err), NILAS_LIMIT, err);
    CHECK_CODE(parse_nested(NILAS_LIMIT_JSON_DEPTH + 5, &err), NILAS_LIMIT, err);
}
