#include "make.h"

#define SCHEMA                                                                                     \
    "{\"type\":\"struct\",\"schema-id\":0,\"fields\":[{\"id\":1,\"name\":\"a\",\"required\":true," \
    "\"type\":\"long\"},{\"id\":2,\"name\":\"s\",\"required\":false,\"type\":\"string\"}]}"

#define V1_MINIMAL                                                                                 \
    "{\"format-version\":1,\"location\":\"/t\",\"last-updated-ms\":5,\"last-column-id\":2,"        \
    "\"schema\":" SCHEMA ",\"partition-spec\":[{\"source-id\":1,\"name\":\"a_b\","                 \
    "\"transform\":\"bucket[4]\"},{\"source-id\":2,\"name\":\"s\",\"transform\":\"identity\"}],"   \
    "\"properties\":{\"k\":\"v\"},\"current-snapshot-id\":7,\"snapshots\":[{\"snapshot-id\":7,"    \
    "\"timestamp-ms\":3,\"manifests\":[\"/t/m1.avro\",\"/t/m2.avro\"]}]}"

#define V2_HEAD                                                                                    \
    "{\"format-version\":2,\"table-uuid\":\"u\",\"location\":\"/t\",\"last-sequence-number\":9,"   \
    "\"last-updated-ms\":5,\"last-column-id\":2,\"schemas\":[" SCHEMA                              \
    "],\"current-schema-id\":0,\"partition-specs\":[{\"spec-id\":0,\"fields\":[]}],"               \
    "\"default-spec-id\":0,\"last-partition-id\":999,\"sort-orders\":[{\"order-id\":0,"            \
    "\"fields\":[]},{\"order-id\":1,\"fields\":[{\"transform\":\"identity\",\"source-id\":1,"      \
    "\"direction\":\"desc\",\"null-order\":\"nulls-last\"}]}],\"default-sort-order-id\":1"

#define SNAPSHOT(id, parent, ms)                                                                   \
    "{\"snapshot-id\":" #id ",\"parent-snapshot-id\":" #parent ",\"sequence-number\":1,"           \
    "\"timestamp-ms\":" #ms ",\"manifest-list\":\"/t/s" #id ".avro\",\"schema-id\":0,"             \
    "\"summary\":{\"operation\":\"append\",\"added-records\":\"1\",\"x\":\"y\"}}"

NILAS_TEST(version_1_takes_the_defaults_of_appendix_e) {
    NILAS_AUTO(nilas_arena) arena = make_arena();
    nilas_metadata *metadata = make_metadata(arena, V1_MINIMAL);

    REQUIRE(metadata != NULL);
    CHECK_INT(metadata->format_version, 1);
    CHECK_INT(metadata->last_sequence_number, 0);
    CHECK_INT(metadata->schema_count, 1);
    CHECK_INT(metadata->current_schema_id, 0);
    CHECK_INT(metadata->spec_count, 1);
    CHECK_INT(metadata->specs[0]->spec_id, 0);
    CHECK_INT(metadata->specs[0]->fields[0].field_id, 1000);
    CHECK_INT(metadata->specs[0]->fields[1].field_id, 1001);
    CHECK_INT(metadata->last_partition_id, 1001);
    CHECK_INT(metadata->sort_order_count, 1);
    CHECK_INT(metadata->sort_orders[0]->order_id, 0);
    CHECK_INT(metadata->snapshots[0].sequence_number, 0);
    CHECK_INT(metadata->snapshots[0].parent_id, -1);
    CHECK_INT(metadata->snapshots[0].schema_id, -1);
    CHECK_INT(metadata->snapshots[0].manifest_count, 2);
    CHECK_STR(metadata->snapshots[0].manifests[1], "/t/m2.avro");
    CHECK_INT(metadata->snapshots[0].manifest_list.size, 0);
    CHECK_INT(metadata->ref_count, 1);
    CHECK_INT(nilas_metadata_ref(metadata, NILAS_STR("main"))->snapshot_id, 7);
    CHECK(nilas_metadata_ref(metadata, NILAS_STR("MAIN")) == NULL);
    CHECK(nilas_metadata_schema_of(metadata, &metadata->snapshots[0]) == metadata->schemas[0]);
    CHECK_STR(nilas_metadata_property(metadata, "k", NILAS_STR("no")), "v");
    CHECK_STR(nilas_metadata_property(metadata, "K", NILAS_STR("no")), "no");
}

NILAS_TEST(a_snapshots_summary_keeps_its_order_without_the_operation) {
    NILAS_AUTO(nilas_arena) arena = make_arena();
    nilas_metadata *metadata = make_metadata(
        arena, V2_HEAD ",\"current-snapshot-id\":7,\"snapshots\":[" SNAPSHOT(7, null, 3) "]}");

    REQUIRE(metadata != NULL);
    const nilas_snapshot *snapshot = nilas_metadata_current_snapshot(metadata);
    CHECK_STR(snapshot->operation, "append");
    CHECK_INT(snapshot->summary_count, 2);
    CHECK_STR(snapshot->summary[0].key, "added-records");
    CHECK_STR(snapshot->summary[1].value, "y");
    CHECK_INT(snapshot->parent_id, -1);
    CHECK(metadata->sort_orders[1]->fields[0].descending);
    CHECK(!metadata->sort_orders[1]->fields[0].nulls_first);
    CHECK(nilas_metadata_sort_order(metadata, 1) == metadata->sort_orders[1]);
    CHECK(nilas_metadata_sort_order(metadata, 2) == NULL);
}

NILAS_TEST(a_table_without_a_snapshot_has_no_branch) {
    static const char *const ends[] = {"}", ",\"current-snapshot-id\":-1}",
                                       ",\"current-snapshot-id\":null,\"refs\":{}}"};
    NILAS_AUTO(nilas_arena) arena = make_arena();

    for (size_t i = 0; i < 3; i++) {
        char json[4000];
        snprintf(json, sizeof(json), "%s%s", V2_HEAD, ends[i]);
        nilas_metadata *metadata = make_metadata(arena, json);
        REQUIRE(metadata != NULL);
        CHECK(nilas_metadata_current_snapshot(metadata) == NULL);
        CHECK_INT(metadata->current_snapshot_id, -1);
        CHECK_INT(metadata->ref_count, 0);
    }
}

#define FULL                                                                                       \
    V2_HEAD                                                                                        \
    ",\"current-snapshot-id\":8,\"properties\":{\"b\":\"1\",\"a\":\"2\"},\"snapshots\":"           \
    "[" SNAPSHOT(7, null, 1000) "," SNAPSHOT(8, 7, 2000) "," SNAPSHOT(                             \
        -9, 7,                                                                                     \
        3000) "],\"refs\":{"                                                                       \
              "\"old\":{\"snapshot-id\":7,\"type\":\"tag\",\"max-ref-age-ms\":10},\"main\":"       \
              "{\"snapshot-id\":8,\"type\":\"branch\",\"min-snapshots-to-keep\":3,"                \
              "\"max-snapshot-age-ms\":4}},\"statistics\":[{\"snapshot-id\":7,\"statistics-"       \
              "path\":\"/p\","                                                                     \
              "\"file-size-in-bytes\":5,\"file-footer-size-in-bytes\":4,\"blob-metadata\":[]}"     \
              "],"                                                                                 \
              "\"partition-statistics\":[{\"snapshot-id\":8,\"statistics-path\":\"/q\","           \
              "\"file-size-in-bytes\":6}],\"snapshot-log\":[{\"snapshot-id\":7,\"timestamp-"       \
              "ms\":1000},"                                                                        \
              "{\"snapshot-id\":8,\"timestamp-ms\":2000},{\"snapshot-id\":7,\"timestamp-ms\":"     \
              "3000}],"                                                                            \
              "\"metadata-log\":[{\"metadata-file\":\"/t/v1\",\"timestamp-ms\":1}],"               \
              "\"encryption-keys\":[{\"key-id\":\"k\"}],\"from-the-future\":{\"x\":[1.5,null]"     \
              "}}"

NILAS_TEST(metadata_survives_printing_and_parsing) {
    static const char *const texts[] = {FULL, V1_MINIMAL, V2_HEAD "}"};
    NILAS_AUTO(nilas_arena) arena = make_arena();
    nilas_error err = NILAS_ERROR_INIT;

    for (size_t i = 0; i < 3; i++) {
        nilas_metadata *metadata = make_metadata(arena, texts[i]);
        nilas_metadata *again = NULL;
        nilas_str first = {0};
        nilas_str second = {0};
        REQUIRE(metadata != NULL);
        REQUIRE_OK(nilas_metadata_print(arena, metadata, &first, &err), err);
        REQUIRE_OK(nilas_metadata_parse(arena, first, NILAS_STR("again"), &again, &err), err);
        REQUIRE_OK(nilas_metadata_print(arena, again, &second, &err), err);
        CHECK_BYTES(second, first);
        CHECK_INT(again->current_snapshot_id, metadata->current_snapshot_id);
        CHECK_INT(again->ref_count, metadata->ref_count);
        CHECK_INT(again->snapshot_log_count, metadata->snapshot_log_count);
        CHECK_INT(again->last_partition_id, metadata->last_partition_id);
    }
}

NILAS_TEST(a_rewrite_keeps_what_is_not_modelled) {
    NILAS_AUTO(nilas_arena) arena = make_arena();
    nilas_error err = NILAS_ERROR_INIT;
    nilas_metadata *metadata = make_metadata(arena, FULL);
    nilas_str text = {0};

    REQUIRE(metadata != NULL);
    REQUIRE_OK(nilas_metadata_print(arena, metadata, &text, &err), err);
    CHECK_CONTAINS(text.data, "\"from-the-future\":{\"x\":[1.5,null]}");
    CHECK_CONTAINS(text.data, "\"encryption-keys\":[{\"key-id\":\"k\"}]");
    CHECK_CONTAINS(text.data, "\"blob-metadata\":[]");
    CHECK_CONTAINS(text.data, "\"b\":\"1\",\"a\":\"2\"");
    CHECK_INT(metadata->statistics[0].footer_size, 4);
    CHECK_INT(metadata->partition_statistics[0].file_size, 6);
}

NILAS_TEST(time_travel_takes_the_last_log_entry_not_after_the_time) {
    static const struct {
        int64_t ms, snapshot_id;
    } cases[] = {{1000, 7}, {1999, 7}, {2000, 8}, {2999, 8}, {3000, 7}, {INT64_MAX, 7}};
    NILAS_AUTO(nilas_arena) arena = make_arena();
    nilas_error err = NILAS_ERROR_INIT;
    nilas_metadata *metadata = make_metadata(arena, FULL);
    const nilas_snapshot *snapshot;

    REQUIRE(metadata != NULL);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        REQUIRE_OK(nilas_metadata_snapshot_as_of(metadata, cases[i].ms, &snapshot, &err), err);
        CHECK_INT(snapshot->snapshot_id, cases[i].snapshot_id);
    }
    CHECK_FAILS(nilas_metadata_snapshot_as_of(metadata, 999, &snapshot, &err), NILAS_NOT_FOUND, err,
                "Cannot find a snapshot older than 1970-01-01T00:00:00.999+00:00");
    CHECK_FAILS(nilas_metadata_snapshot_as_of(metadata, -1, &snapshot, &err), NILAS_NOT_FOUND, err,
                "1969-12-31T23:59:59.999+00:00");
    CHECK_CODE(nilas_metadata_snapshot_as_of(metadata, INT64_MIN, &snapshot, &err), NILAS_NOT_FOUND,
               err);
}

NILAS_TEST(a_log_out_of_order_is_searched_by_time) {
    NILAS_AUTO(nilas_arena) arena = make_arena();
    nilas_error err = NILAS_ERROR_INIT;
    const nilas_snapshot *snapshot = NULL;
    nilas_metadata *metadata = make_metadata(
        arena,
        V2_HEAD ",\"snapshots\":[" SNAPSHOT(1, null, 2000) "," SNAPSHOT(2, 1, 1000) "," SNAPSHOT(
            3, 2, 3000) "],\"current-snapshot-id\":3,\"snapshot-log\":[{\"snapshot-id\":1,"
                        "\"timestamp-ms\":2000},"
                        "{\"snapshot-id\":2,\"timestamp-ms\":1000},{\"snapshot-id\":3,\"timestamp-"
                        "ms\":3000}]}");

    REQUIRE(metadata != NULL);
    REQUIRE_OK(nilas_metadata_snapshot_as_of(metadata, 2500, &snapshot, &err), err);
    CHECK_INT(snapshot->snapshot_id, 1);
    REQUIRE_OK(nilas_metadata_snapshot_as_of(metadata, 2000, &snapshot, &err), err);
    CHECK_INT(snapshot->snapshot_id, 1);
    REQUIRE_OK(nilas_metadata_snapshot_as_of(metadata, 1999, &snapshot, &err), err);
    CHECK_INT(snapshot->snapshot_id, 2);
}

NILAS_TEST(ancestors_are_followed_through_gaps_and_cycles) {
    NILAS_AUTO(nilas_arena) arena = make_arena();
    nilas_metadata *metadata = make_metadata(arena, FULL);
    nilas_metadata *cyclic =
        make_metadata(arena, V2_HEAD ",\"snapshots\":[" SNAPSHOT(1, 2, 1) "," SNAPSHOT(
                                 2, 1, 2) "," SNAPSHOT(3, 99, 3) "],\"current-snapshot-id\":1}");

    REQUIRE(metadata != NULL && cyclic != NULL);
    CHECK(nilas_metadata_is_ancestor(metadata, 8, 8));
    CHECK(nilas_metadata_is_ancestor(metadata, 8, 7));
    CHECK(!nilas_metadata_is_ancestor(metadata, 7, 8));
    CHECK(nilas_metadata_is_ancestor(metadata, -9, 7));
    CHECK(!nilas_metadata_is_ancestor(metadata, 100, 7));
    CHECK(nilas_metadata_is_ancestor(cyclic, 1, 2));
    CHECK(!nilas_metadata_is_ancestor(cyclic, 1, 3));
    CHECK(!nilas_metadata_is_ancestor(cyclic, 3, 99));
}

NILAS_TEST(damaged_metadata_is_refused_with_file_and_place) {
    static const struct {
        const char *json;
        nilas_code code;
        const char *message;
    } bad[] = {
        {"{not json", NILAS_CORRUPT, "Failed to read file: /t/x.json"},
        {"", NILAS_CORRUPT, "Failed to read file"},
        {"[]", NILAS_CORRUPT, "non-object"},
        {"{}", NILAS_CORRUPT, "format-version"},
        {"{\"format-version\":4}", NILAS_UNSUPPORTED, "Cannot read unsupported version 4"},
        {"{\"format-version\":0}", NILAS_CORRUPT, "found 0"},
        {"{\"format-version\":\"2\"}", NILAS_CORRUPT, "format-version"},
        {"{\"format-version\":2,\"location\":\"/t\"}", NILAS_CORRUPT,
         "neither \"schemas\" nor \"schema\""},
        {"{\"format-version\":2,\"location\":\"/t\",\"schemas\":[],\"current-schema-id\":0}",
         NILAS_CORRUPT, "Cannot find schema with current-schema-id=0"},
        {"{\"format-version\":2,\"location\":\"/t\",\"schema\":" SCHEMA "}", NILAS_CORRUPT,
         "partition-spec"},
        {V2_HEAD ",\"current-snapshot-id\":5}", NILAS_CORRUPT, "Cannot find current version"},
        {V2_HEAD ",\"current-snapshot-id\":9223372036854775808}", NILAS_CORRUPT, "/t/x.json"},
        {V2_HEAD ",\"snapshots\":[{\"snapshot-id\":1,\"timestamp-ms\":1}]}", NILAS_CORRUPT,
         "manifest-list"},
        {V2_HEAD ",\"snapshots\":[{\"snapshot-id\":1,\"timestamp-ms\":1,\"manifest-list\":\"l\","
                 "\"schema-id\":8}]}",
         NILAS_CORRUPT, "schema id 8 of snapshot 1"},
        {V2_HEAD ",\"snapshots\":{}}", NILAS_CORRUPT, "\"snapshots\" must be an array"},
        {V2_HEAD ",\"refs\":{\"x\":{\"snapshot-id\":1,\"type\":\"twig\"}}}", NILAS_CORRUPT, "twig"},
        {V2_HEAD ",\"refs\":{\"main\":{\"snapshot-id\":1,\"type\":\"branch\"}}}", NILAS_CORRUPT,
         "Current snapshot ID does not match main branch (-1 != 1)"},
        {V2_HEAD ",\"properties\":{\"a\":[]}}", NILAS_CORRUPT, "\"a\" must be a string"},
        {V2_HEAD ",\"sort-orders\":[{\"order-id\":1,\"fields\":[{\"source-id\":1,\"transform\":"
                 "\"identity\","
                 "\"direction\":\"up\",\"null-order\":\"nulls-last\"}]}]}",
         NILAS_CORRUPT, "x.json"},
    };
    NILAS_AUTO(nilas_arena) arena = make_arena();

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        nilas_error err = NILAS_ERROR_INIT;
        nilas_metadata *metadata;
        CHECK_FAILS(nilas_metadata_parse(arena, nilas_str_of(bad[i].json), NILAS_STR("/t/x.json"),
                                         &metadata, &err),
                    bad[i].code, err, bad[i].message);
        CHECK_CONTAINS(err.message, "/t/x.json");
    }
}

NILAS_TEST(no_cut_of_the_text_is_taken_for_metadata) {
    NILAS_AUTO(nilas_arena) arena = make_arena();
    nilas_str full = NILAS_STR(FULL);

    for (size_t size = 0; size < full.size; size++) {
        nilas_error err = NILAS_ERROR_INIT;
        nilas_metadata *metadata;
        nilas_arena_reset(arena);
        nilas_str cut = {.data = full.data, .size = size};
        REQUIRE(nilas_metadata_parse(arena, cut, NILAS_STR("x"), &metadata, &err) != NILAS_OK);
    }
}

NILAS_TEST(a_name_mapping_gives_ids_to_names_at_every_depth) {
    NILAS_AUTO(nilas_arena) arena = make_arena();
    nilas_error err = NILAS_ERROR_INIT;
    const nilas_name_mapping *mapping = NULL;
    nilas_metadata *metadata = make_metadata(
        arena, V2_HEAD
        ",\"properties\":{\"schema.name-mapping.default\":\"[{\\\"field-id\\\":1,"
        "\\\"names\\\":[\\\"id\\\",\\\"record_id\\\"]},{\\\"names\\\":[\\\"extra\\\"]},{\\\"field-"
        "id\\\":3,"
        "\\\"names\\\":[],\\\"fields\\\":[{\\\"field-id\\\":4,\\\"names\\\":[\\\"lat\\\"]}]}]\"}}");

    REQUIRE(metadata != NULL);
    REQUIRE_OK(nilas_metadata_name_mapping(arena, metadata, &mapping, &err), err);
    REQUIRE(mapping != NULL);
    CHECK_INT(mapping->field_id, -1);
    CHECK_INT(mapping->child_count, 3);
    CHECK_STR(mapping->children[0].names[1], "record_id");
    CHECK_INT(mapping->children[1].field_id, -1);
    CHECK_INT(mapping->children[2].name_count, 0);
    CHECK_INT(mapping->children[2].children[0].field_id, 4);

    REQUIRE_OK(
        nilas_metadata_name_mapping(arena, make_metadata(arena, V2_HEAD "}"), &mapping, &err), err);
    CHECK(mapping == NULL);
    metadata =
        make_metadata(arena, V2_HEAD ",\"properties\":{\"schema.name-mapping.default\":\"{}\"}}");
    CHECK_FAILS(nilas_metadata_name_mapping(arena, metadata, &mapping, &err), NILAS_CORRUPT, err,
                "name-mapping");
}

NILAS_TEST(a_table_lives_until_its_last_user_leaves) {
    nilas_arena *arena = make_arena();
    nilas_error err = NILAS_ERROR_INIT;
    nilas_str parts[] = {NILAS_STR("db"), NILAS_STR("t")};
    nilas_metadata *metadata = make_metadata(arena, V2_HEAD "}");
    nilas_table *table = NULL;

    CHECK_OK(nilas_table_new(arena, NULL, NILAS_STR("local"), parts, 2, metadata, &table, &err),
             err);
    CHECK(nilas_table_ref(table) == table);
    nilas_table_unref(table);
    CHECK_STR(table->identifier[1], "t");
    CHECK_STR(table->catalog, "local");
    nilas_table_unref(table);
    nilas_table_unref(NULL);
}
