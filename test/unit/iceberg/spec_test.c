#include "make.h"

#define COLUMNS                                                                                    \
    "{\"id\":1,\"name\":\"id\",\"required\":false,\"type\":\"long\"},{\"id\":2,\"name\":\"c\","    \
    "\"required\":false,\"type\":\"string\"},{\"id\":3,\"name\":\"ts\",\"required\":false,"        \
    "\"type\":\"timestamp\"}"
#define SCHEMA(id, columns) "{\"type\":\"struct\",\"schema-id\":" #id ",\"fields\":[" columns "]}"
#define TABLE(schemas, current, specs)                                                             \
    "{\"format-version\":2,\"location\":\"/t\",\"schemas\":[" schemas                              \
    "],\"current-schema-id\":" #current ",\"partition-specs\":[" specs "],\"default-spec-id\":0}"
#define FIELD(source, id, name, transform)                                                         \
    "{\"source-id\":" #source ",\"field-id\":" #id ",\"name\":\"" name                             \
    "\",\"transform\":\"" transform "\"}"
#define SPEC(id, fields) "{\"spec-id\":" #id ",\"fields\":[" fields "]}"

static void check_type(const char *json, const char *expected) {
    NILAS_AUTO(nilas_arena) arena = make_arena();
    NILAS_AUTO_BUF out = NILAS_BUF_INIT(0);
    nilas_error err = NILAS_ERROR_INIT;
    const nilas_ice_type *type = NULL;
    nilas_metadata *metadata = make_metadata(arena, json);

    REQUIRE(metadata != NULL);
    nilas_code code = nilas_metadata_partition_type(arena, metadata, &type, &err);
    if (code != NILAS_OK) {
        CHECK_STR(nilas_str_of(err.message), expected);
        return;
    }
    nilas_ice_type_print(&out, type);
    CHECK_STR(nilas_buf_view(&out), expected);
}

NILAS_TEST(the_partition_type_is_the_union_of_all_specs_by_field_id) {
    check_type(TABLE(SCHEMA(0, COLUMNS), 0, SPEC(0, "")), "struct<>");
    check_type(
        TABLE(SCHEMA(0, COLUMNS), 0,
              SPEC(0, FIELD(3, 1001, "ts_day", "day")) "," SPEC(
                  2, FIELD(1, 1002, "id_bucket", "bucket[4]") "," FIELD(
                         2, 1000, "c", "identity")) "," SPEC(1, FIELD(3, 1003, "ts_hour", "hour"))),
        "struct<1000: c: optional string, 1001: ts_day: optional date, 1002: id_bucket: optional "
        "int, "
        "1003: ts_hour: optional int>");
}

NILAS_TEST(names_come_from_the_newest_spec_and_types_from_the_newest_not_void) {
    check_type(
        TABLE(SCHEMA(0, COLUMNS), 0,
              SPEC(0, FIELD(3, 1000, "day", "day")) "," SPEC(1, FIELD(3, 1000, "dropped", "void"))),
        "struct<1000: dropped: optional date>");
    check_type(TABLE(SCHEMA(0, COLUMNS), 0, SPEC(0, FIELD(3, 1000, "never", "void"))),
               "struct<1000: never: optional timestamp>");
}

NILAS_TEST(fields_of_dropped_columns_leave_the_union) {
    check_type(TABLE(SCHEMA(0, COLUMNS) "," SCHEMA(
                         1, "{\"id\":1,\"name\":\"id\",\"required\":false,\"type\":\"long\"}"),
                     1,
                     SPEC(0, FIELD(2, 1000, "c", "identity") "," FIELD(1, 1001, "id", "identity"))),
               "struct<1001: id: optional long>");
}

NILAS_TEST(one_id_for_two_fields_conflicts) {
    check_type(
        TABLE(SCHEMA(0, COLUMNS), 0,
              SPEC(0, FIELD(3, 1000, "a", "day")) "," SPEC(1, FIELD(1, 1000, "b", "identity"))),
        "Conflicting partition fields: ['1000: a: day(3)', '1000: b: identity(1)']");
    check_type(TABLE(SCHEMA(0, COLUMNS), 0, SPEC(0, FIELD(1, 1000, "z", "zorder[3]"))),
               "Cannot build table partition type, unknown transforms: [zorder[3]]");
}

NILAS_TEST(a_specs_own_type_finds_sources_in_older_schemas) {
    NILAS_AUTO(nilas_arena) arena = make_arena();
    NILAS_AUTO_BUF out = NILAS_BUF_INIT(0);
    nilas_error err = NILAS_ERROR_INIT;
    const nilas_ice_type *type = NULL;
    nilas_metadata *metadata = make_metadata(
        arena, TABLE(SCHEMA(0, COLUMNS) "," SCHEMA(1, ""), 1,
                     SPEC(0, FIELD(2, 1000, "c", "truncate[2]") "," FIELD(
                                 9, 1001, "gone", "identity") "," FIELD(1, 1002, "z", "zorder"))));

    REQUIRE(metadata != NULL);
    REQUIRE_OK(nilas_spec_partition_type(arena, metadata, metadata->specs[0], &type, &err), err);
    nilas_ice_type_print(&out, type);
    CHECK_STR(
        nilas_buf_view(&out),
        "struct<1000: c: optional string, 1001: gone: optional unknown, 1002: z: optional string>");
}

NILAS_TEST(a_transform_of_several_columns_is_kept_as_unknown) {
    NILAS_AUTO(nilas_arena) arena = make_arena();
    nilas_error err = NILAS_ERROR_INIT;
    nilas_str text = {0};
    nilas_metadata *metadata = make_metadata(
        arena, TABLE(SCHEMA(0, COLUMNS), 0,
                     "{\"spec-id\":0,\"fields\":[{\"source-ids\":[1,2],\"field-id\":1000,"
                     "\"name\":\"m\",\"transform\":\"bucket[4]\"}]}"));

    REQUIRE(metadata != NULL);
    const nilas_partition_field *field = &metadata->specs[0]->fields[0];
    CHECK_INT(field->transform.kind, NILAS_TRANSFORM_UNKNOWN);
    CHECK_INT(field->source_count, 2);
    CHECK_INT(field->source_id, 1);
    REQUIRE_OK(nilas_metadata_print(arena, metadata, &text, &err), err);
    CHECK_CONTAINS(text.data, "\"transform\":\"bucket[4]\",\"source-ids\":[1,2]");
}
