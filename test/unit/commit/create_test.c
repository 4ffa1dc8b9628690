/* First versions: ids in Iceberg's order, what is kept of the properties, and replacing a table. */
#include "commit/commit.h"
#include "unit/commit/place.h"

static const nilas_json *parse(place *at, const char *text) {
    nilas_json *json = NULL;
    void *memory;
    CHECK_OK(nilas_arena_alloc(at->arena, sizeof(*json), &memory, &at->err), at->err);
    json = memory;
    CHECK_OK(nilas_json_parse(at->arena, nilas_str_of(text), "test", json, &at->err), at->err);
    return json;
}

/** Ids that mean nothing, as a schema made from SQL has. */
static nilas_schema *nested_schema(place *at) {
    nilas_schema *schema = NULL;
    CHECK_OK(
        nilas_schema_parse(
            at->arena,
            parse(at, "{\"type\":\"struct\",\"schema-id\":7,\"identifier-field-ids\":[10],"
                      "\"fields\":["
                      "{\"id\":10,\"name\":\"id\",\"required\":true,\"type\":\"long\"},"
                      "{\"id\":20,\"name\":\"p\",\"required\":false,\"type\":{\"type\":\"struct\","
                      "\"fields\":[{\"id\":21,\"name\":\"x\",\"required\":false,"
                      "\"type\":\"double\"},{\"id\":22,\"name\":\"y\",\"required\":false,"
                      "\"type\":\"double\"}]}},"
                      "{\"id\":30,\"name\":\"l\",\"required\":false,\"type\":{\"type\":\"list\","
                      "\"element-id\":31,\"element\":\"int\",\"element-required\":false}},"
                      "{\"id\":40,\"name\":\"m\",\"required\":false,\"type\":{\"type\":\"map\","
                      "\"key-id\":41,\"key\":\"string\",\"value-id\":42,\"value\":\"int\","
                      "\"value-required\":false}}]}"),
            &schema, &at->err),
        at->err);
    return schema;
}

static nilas_create_options options_of(place *at, const nilas_schema *schema) {
    return (nilas_create_options){
        .catalog = at->catalog, .identifier = TABLE, .identifier_count = 2, .schema = schema};
}

static int32_t id_of(const nilas_table *table, const char *name) {
    const nilas_ice_field *field =
        nilas_schema_find_name(nilas_metadata_current_schema(table->metadata), nilas_str_of(name));
    return field != NULL ? field->id : -1;
}

static void make_database(place *at) {
    nilas_str db = NILAS_STR("db");
    CHECK_OK(nilas_catalog_create_namespace(at->catalog, &db, 1, NULL, 0, &at->err), at->err);
}

NILAS_TEST(ids_are_given_level_by_level) {
    place at;
    nilas_table *table = NULL;
    make_place(&at, true);
    make_database(&at);
    nilas_partition_field by = {
        .source_id = 22,
        .name = NILAS_STR("y_b"),
        .transform = {.kind = NILAS_TRANSFORM_BUCKET, .width = 4, .text = NILAS_STR("bucket[4]")}};
    nilas_partition_spec spec = {.fields = &by, .field_count = 1};
    nilas_create_options options = options_of(&at, nested_schema(&at));
    options.spec = &spec;
    CHECK_CODE(nilas_commit_create(&options, &table, &at.err), NILAS_INVALID, at.err);
    by.transform =
        (nilas_transform){.kind = NILAS_TRANSFORM_IDENTITY, .text = NILAS_STR("identity")};
    nilas_sort_field sort = {
        .source_id = 10, .transform = by.transform, .descending = true, .nulls_first = false};
    nilas_sort_order order = {.fields = &sort, .field_count = 1};
    nilas_property property = {NILAS_STR("format-version"), NILAS_STR("2")};
    options.order = &order;
    options.properties = &property;
    options.property_count = 1;
    REQUIRE_OK(nilas_commit_create(&options, &table, &at.err), at.err);
    CHECK_INT(id_of(table, "id"), 1);
    CHECK_INT(id_of(table, "p"), 2);
    CHECK_INT(id_of(table, "m"), 4);
    CHECK_INT(id_of(table, "p.x"), 5);
    CHECK_INT(id_of(table, "p.y"), 6);
    CHECK_INT(id_of(table, "l.element"), 7);
    CHECK_INT(id_of(table, "m.key"), 8);
    CHECK_INT(id_of(table, "m.value"), 9);
    CHECK_INT(table->metadata->last_column_id, 9);
    CHECK_INT(table->metadata->specs[0]->fields[0].source_id, 6);
    CHECK_INT(table->metadata->specs[0]->fields[0].field_id, 1000);
    CHECK_INT(table->metadata->last_partition_id, 1000);
    CHECK_INT(table->metadata->default_sort_order_id, 1);
    CHECK_INT(table->metadata->schemas[0]->identifier_field_ids[0], 1);
    CHECK_INT(table->metadata->property_count, 0); // the version is not a stored property
    CHECK_CODE(nilas_commit_create(&options, NULL, &at.err), NILAS_EXISTS, at.err);
    nilas_table_unref(table);
    place_done(&at);
}

NILAS_TEST(a_staged_table_is_not_there) {
    place at;
    nilas_table *table = NULL;
    make_place(&at, false);
    make_database(&at);
    nilas_create_options options = options_of(&at, nested_schema(&at));
    REQUIRE_OK(nilas_commit_stage_create(&options, &table, &at.err), at.err);
    CHECK(nilas_metadata_current_snapshot(table->metadata) == NULL);
    CHECK(nilas_str_ends(table->metadata->location, NILAS_STR("/wh/db/t")));
    nilas_table_unref(table);
    CHECK_CODE(nilas_catalog_load_table(at.catalog, TABLE, 2, &table, &at.err), NILAS_NOT_FOUND,
               at.err);
    place_done(&at);
}

NILAS_TEST(versions_that_do_not_exist_are_refused) {
    place at;
    make_place(&at, false);
    make_database(&at);
    nilas_property property = {NILAS_STR("format-version"), NILAS_STR("9")};
    nilas_create_options options = options_of(&at, nested_schema(&at));
    options.properties = &property;
    options.property_count = 1;
    CHECK_FAILS(nilas_commit_create(&options, NULL, &at.err), NILAS_INVALID, at.err,
                "Unsupported format version: v9 (supported: v4)");
    property.value = NILAS_STR("x");
    CHECK_FAILS(nilas_commit_create(&options, NULL, &at.err), NILAS_INVALID, at.err,
                "For input string: \"x\"");
    property.value = NILAS_STR("4");
    CHECK_CODE(nilas_commit_create(&options, NULL, &at.err), NILAS_UNSUPPORTED, at.err);
    place_done(&at);
}

static nilas_code create_with_file(void *context, nilas_update *update, nilas_error *err) {
    nilas_snapshot_change change = {.added = context, .added_count = 1};
    return nilas_update_snapshot(update, &change, NULL, err);
}

static nilas_code replace(void *context, nilas_update *update, nilas_error *err) {
    static const nilas_property property = {{"k", 1}, {"v", 1}};
    const nilas_schema *schema = context;
    return nilas_update_replace(update, schema, NULL, NULL, &property, 1, NILAS_STR_EMPTY, err);
}

NILAS_TEST(a_table_is_created_with_its_first_snapshot_and_replaced_with_its_history) {
    for (int sqlite = 0; sqlite < 2; sqlite++) {
        place at;
        nilas_table *table = NULL;
        make_place(&at, sqlite);
        make_database(&at);
        nilas_data_file a = make_file(&at, "a", 1, 1, NULL);
        nilas_create_options options = options_of(&at, nested_schema(&at));
        options.apply = create_with_file;
        options.context = &a;
        REQUIRE_OK(nilas_commit_create(&options, &table, &at.err), at.err);
        CHECK_TEXT(live(&at, table, NULL), "a:1");
        CHECK_INT(table->metadata->snapshot_log_count, 1);
        nilas_table_unref(table);

        nilas_ice_field fields[] = {
            {.id = 1, .name = NILAS_STR("new"), .type = nilas_ice_primitive(NILAS_ICE_INT)},
            {.id = 2, .name = NILAS_STR("id"), .type = nilas_ice_primitive(NILAS_ICE_LONG)}};
        nilas_schema schema = {
            .type = {.kind = NILAS_ICE_STRUCT, .fields = fields, .field_count = 2}};
        nilas_commit_options commit = {.catalog = at.catalog,
                                       .identifier = TABLE,
                                       .identifier_count = 2,
                                       .apply = replace,
                                       .context = &schema};
        REQUIRE_OK(nilas_commit(&commit, &table, &at.err), at.err);
        CHECK_INT(id_of(table, "new"), 10);
        CHECK_INT(id_of(table, "id"), 1); // the same name is the same column
        CHECK_INT(table->metadata->current_snapshot_id, -1);
        CHECK_INT(table->metadata->snapshot_count, 1);
        CHECK(nilas_metadata_ref(table->metadata, NILAS_STR("main")) == NULL);
        CHECK_STR(nilas_metadata_property(table->metadata, "k", NILAS_STR_EMPTY), "v");
        nilas_table_unref(table);
        place_done(&at);
    }
}
