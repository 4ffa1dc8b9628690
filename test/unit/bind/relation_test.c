/**
 * Names of tables, and when and with which schema they are read: what works, and each refused
 * combination.
 */
#include "scan/scan.h"
#include "sql/sql.h"
#include "unit/bind/surroundings.h"

#define SCHEMAS                                                                                    \
    "\"schemas\":[{\"type\":\"struct\",\"schema-id\":0,\"fields\":[{\"id\":1,\"name\":\"old\","    \
    "\"required\":false,"                                                                          \
    "\"type\":\"int\"}]},{\"type\":\"struct\",\"schema-id\":1,\"fields\":[{\"id\":1,\"name\":"     \
    "\"new\",\"required\":"                                                                        \
    "false,\"type\":\"long\"}]}],\"current-schema-id\":1,"
#define HEAD                                                                                       \
    "{\"format-version\":2,\"table-uuid\":\"9c12d441-03fe-4693-9a96-a0705ddf69c1\",\"location\":"  \
    "\"/t\","                                                                                      \
    "\"last-sequence-number\":3,\"last-updated-ms\":3000,\"last-column-id\":1,\"partition-"        \
    "specs\":[{\"spec-id\":"                                                                       \
    "0,\"fields\":[]}],\"default-spec-id\":0,\"last-partition-id\":999,\"default-sort-order-id\":" \
    "0,"                                                                                           \
    "\"sort-orders\":[{\"order-id\":0,\"fields\":[]}],"
#define SNAPSHOT(id, parent, at, schema)                                                           \
    "{\"snapshot-id\":" #id parent ",\"sequence-number\":1,\"timestamp-ms\":" #at                  \
    ",\"manifest-list\":\"/t/list.avro\",\"schema-id\":" #schema                                   \
    ",\"summary\":{\"operation\":\"append\"}}"

static const char full_table[] =
    HEAD SCHEMAS "\"properties\":{\"write.wap.enabled\":\"true\"},\"current-snapshot-id\":30,"
                 "\"snapshots\":[" SNAPSHOT(10, "", 1000, 0) "," SNAPSHOT(
                     20, ",\"parent-snapshot-id\":10", 2000,
                     0) "," SNAPSHOT(30, ",\"parent-snapshot-id\":20", 3000,
                                     1) "],\"snapshot-log\":["
                                        "{\"timestamp-ms\":1000,\"snapshot-id\":10},{\"timestamp-"
                                        "ms\":2000,\"snapshot-id\":20},"
                                        "{\"timestamp-ms\":3000,\"snapshot-id\":30}],\"refs\":{"
                                        "\"main\":{\"snapshot-id\":30,\"type\":\"branch\"},"
                                        "\"dev\":{\"snapshot-id\":20,\"type\":\"branch\"},\"v1\":{"
                                        "\"snapshot-id\":10,\"type\":\"tag\"},"
                                        "\"99\":{\"snapshot-id\":20,\"type\":\"tag\"}}}";
static const char empty_table[] = HEAD SCHEMAS "\"properties\":{},\"snapshots\":[]}";

typedef struct place {
    surroundings around;
    test_table tables[4];
} place;

static nilas_table *new_table(const char *json, const char *const *parts, size_t count) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_arena *arena = nilas_arena_new(NULL, 0);
    nilas_metadata *metadata = NULL;
    nilas_table *table = NULL;
    nilas_str names[4];
    for (size_t i = 0; i < count; i++) {
        names[i] = nilas_str_of(parts[i]);
    }
    CHECK_OK(nilas_metadata_parse(arena, nilas_str_of(json),
                                  NILAS_STR("/t/metadata/v1.metadata.json"), &metadata, &err),
             err);
    CHECK_OK(nilas_table_new(arena, NULL, NILAS_STR("local"), names, count, metadata, &table, &err),
             err);
    return table;
}

static void place_init(place *p) {
    static const char *const t[] = {"db", "t"};
    static const char *const empty[] = {"db", "empty"};
    surroundings_init(&p->around);
    p->tables[0] = (test_table){"local.db.t", new_table(full_table, t, 2)};
    p->tables[1] = (test_table){"local.db.empty", new_table(empty_table, empty, 2)};
    p->tables[2] = (test_table){"spark_catalog.db.t", new_table(full_table, t, 2)};
    p->tables[3] = (test_table){"spark_catalog.local.x", new_table(full_table, t, 2)};
    p->around.tables = p->tables;
    p->around.table_count = 4;
}

static void place_done(place *p) {
    surroundings_done(&p->around);
    for (size_t i = 0; i < 4; i++) {
        nilas_table_unref(p->tables[i].table);
    }
}

/** Resolve what stands in FROM: "local.db.t VERSION AS OF 10 WITH ('k' = 'v')". */
static nilas_code resolve(place *p, const char *from, nilas_relation *out, nilas_error *err) {
    nilas_sql_options options = {0};
    nilas_statement *statement = NULL;
    nilas_str text = NILAS_STR_EMPTY;
    NILAS_TRY(nilas_str_print(p->around.arena, &text, err, "SELECT * FROM %s", from));
    NILAS_TRY(nilas_sql_parse(p->around.arena, text, &options, &statement, err));
    const nilas_query *table = statement->query->input;
    p->around.environment.statement_text = text;
    return nilas_bind_relation(&p->around.environment, table->parts, table->part_count,
                               table->offset, &table->time_travel, table->options,
                               table->option_count, out, err);
}

typedef struct reading {
    const char *from;
    int64_t snapshot_id; // 0: none
    const char *column;  // name of the first column
    nilas_metadata_table metadata_table;
} reading;

static void check_readings(const reading *list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        place p;
        nilas_error err = NILAS_ERROR_INIT;
        nilas_relation relation = {0};
        place_init(&p);
        if (resolve(&p, list[i].from, &relation, &err) != NILAS_OK) {
            NILAS_TEST_FAIL("%s: %s", list[i].from, err.message);
        } else {
            int64_t id = relation.snapshot != NULL ? relation.snapshot->snapshot_id : 0;
            nilas_str column = relation.schema->type.fields[0].name;
            if (id != list[i].snapshot_id || !nilas_str_is(column, list[i].column) ||
                relation.metadata_table != list[i].metadata_table) {
                NILAS_TEST_FAIL("%s: snapshot %lld, column %.*s, metadata table %d", list[i].from,
                                (long long)id, NILAS_FMT(column), (int)relation.metadata_table);
            }
            CHECK_INT(relation.identifier_count, 2);
        }
        place_done(&p);
    }
}

#define CHECK_READINGS(list) check_readings((list), sizeof(list) / sizeof((list)[0]))

NILAS_TEST(snapshots_timestamps_and_tags_bring_their_schema_branches_the_current_one) {
    static const reading list[] = {
        {"local.db.t", 30, "new", 0},
        {"local.db.t version as of 10", 10, "old", 0},
        {"local.db.t version as of '10'", 10, "old", 0},
        {"local.db.t version as of 30", 30, "new", 0},
        {"local.db.t version as of 'v1'", 10, "old", 0},
        {"local.db.t version as of 'dev'", 20, "new", 0},
        {"local.db.t version as of 'main'", 30, "new", 0},
        {"local.db.t version as of '99'", 20, "old", 0},
        {"local.db.t timestamp as of '1970-01-01 00:00:02.999'", 20, "old", 0},
        {"local.db.t timestamp as of '1970-01-01 00:00:02'", 20, "old", 0},
        {"local.db.t for system_time as of 3", 30, "new", 0},
        {"local.db.t timestamp as of date'2999-01-01'", 30, "new", 0},
        {"local.db.t timestamp as of current_timestamp()", 30, "new", 0},
        {"local.db.t.branch_dev", 20, "new", 0},
        {"local.db.t.branch_v1", 10, "old", 0},
        {"local.db.t.branch_main", 30, "new", 0},
        {"local.db.t.tag_v1", 10, "old", 0},
        {"local.db.t.tag_dev", 20, "old", 0},
        {"local.db.t.snapshot_id_10", 10, "old", 0},
        {"local.db.t.at_timestamp_2500", 20, "old", 0},
        {"local.db.empty", 0, "new", 0},
        {"local.db.empty.branch_main", 0, "new", 0},
        {"local.db.t with ('snapshot-id' = '10')", 10, "old", 0},
        {"local.db.t with ('SNAPSHOT-ID' = '10')", 10, "old", 0},
        {"local.db.t with ('as-of-timestamp' = '2500')", 20, "old", 0},
        {"local.db.t with ('branch' = 'dev')", 20, "new", 0},
        {"local.db.t with ('tag' = 'v1')", 10, "old", 0},
        {"local.db.t with ('versionAsOf' = 'v1')", 10, "old", 0},
        {"local.db.t with ('timestampAsOf' = '1970-01-01 00:00:02')", 20, "old", 0},
        {"local.db.t with ('split-size' = '1', 'unknown' = 'x')", 30, "new", 0}};
    CHECK_READINGS(list);
}

NILAS_TEST(metadata_tables_take_time_travel_where_they_depend_on_it) {
    static const reading list[] = {
        {"local.db.t.files", 30, "new", NILAS_METADATA_FILES},
        {"local.db.t.FILES version as of 10", 10, "old", NILAS_METADATA_FILES},
        {"local.db.t.files version as of 'dev'", 20, "new", NILAS_METADATA_FILES},
        {"local.db.t.files.branch_dev", 20, "new", NILAS_METADATA_FILES},
        {"local.db.t.history version as of 10", 10, "old", NILAS_METADATA_HISTORY},
        {"local.db.t.all_data_files", 30, "new", NILAS_METADATA_ALL_DATA_FILES}};
    CHECK_READINGS(list);
}

NILAS_TEST(a_catalogs_name_comes_before_a_namespaces) {
    static const reading list[] = {{"db.t", 30, "new", 0},
                                   {"spark_catalog.db.t", 30, "new", 0},
                                   {"db.t.files", 30, "new", NILAS_METADATA_FILES},
                                   {"spark_catalog.local.x", 30, "new", 0}};
    CHECK_READINGS(list);
}

// ---- refusals --------------------------------------------------------------------------------

typedef struct refusal {
    const char *from, *says;
} refusal;

static void check_refusals(const refusal *list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        place p;
        nilas_error err = NILAS_ERROR_INIT;
        nilas_relation relation = {0};
        place_init(&p);
        if (resolve(&p, list[i].from, &relation, &err) == NILAS_OK) {
            NILAS_TEST_FAIL("%s: accepted, expected \"%s\"", list[i].from, list[i].says);
        } else {
            bool is_condition = err.condition != NULL && strcmp(err.condition, list[i].says) == 0;
            if (!is_condition && strstr(err.message, list[i].says) == NULL) {
                NILAS_TEST_FAIL("%s: says \"%s\", expected \"%s\"", list[i].from, err.message,
                                list[i].says);
            }
        }
        place_done(&p);
    }
}

#define CHECK_REFUSALS(list) check_refusals((list), sizeof(list) / sizeof((list)[0]))

NILAS_TEST(names_that_mean_nothing_are_not_found) {
    static const refusal list[] = {
        {"nope", "TABLE_OR_VIEW_NOT_FOUND"},
        {"local.db.nope", "`local`.`db`.`nope` cannot be found"},
        {"local.db.t.nope", "TABLE_OR_VIEW_NOT_FOUND"},
        {"local.db.t.files.files", "TABLE_OR_VIEW_NOT_FOUND"},
        {"local.db.t.tag_nope", "TABLE_OR_VIEW_NOT_FOUND"},
        {"local.db.t.tag_", "TABLE_OR_VIEW_NOT_FOUND"},
        {"local.db.t.snapshot_id_x", "TABLE_OR_VIEW_NOT_FOUND"},
        {"local.db.t.branch_dev.files", "TABLE_OR_VIEW_NOT_FOUND"},
        {"nope.db.t", "spark_catalog requires a single-part namespace, but got `nope`.`db`"},
        {"local.x", "TABLE_OR_VIEW_NOT_FOUND"}};
    CHECK_REFUSALS(list);
}

NILAS_TEST(snapshots_that_are_not_there_are_named) {
    static const refusal list[] = {
        {"local.db.t version as of 11", "Cannot find snapshot with ID 11"},
        {"local.db.t version as of 'nope'",
         "Cannot find matching snapshot ID or reference name for version nope"},
        {"local.db.t version as of 99999999999999999999",
         "Cannot find matching snapshot ID or reference name for version 99999999999999999999"},
        {"local.db.t.branch_nope", "Cannot use branch (does not exist): nope"},
        {"local.db.t.branch_", "Cannot use branch (does not exist): "},
        {"local.db.t.snapshot_id_1", "Cannot find snapshot with ID 1"},
        {"local.db.t.at_timestamp_1",
         "Cannot find a snapshot older than 1970-01-01T00:00:00.001+00:00"},
        {"local.db.t timestamp as of 0",
         "Cannot find a snapshot older than 1970-01-01T00:00:00+00:00"},
        {"local.db.empty version as of 'main'",
         "Cannot find matching snapshot ID or reference name for version main"},
        {"local.db.empty version as of 1", "Cannot find snapshot with ID 1"},
        {"local.db.t.history version as of 11", "Cannot find snapshot with ID 11"},
        {"local.db.t.all_data_files version as of 10",
         "Cannot select snapshot in table: ALL_DATA_FILES"},
        {"local.db.t.all_manifests.snapshot_id_10",
         "Cannot select snapshot in table: ALL_MANIFESTS"}};
    CHECK_REFUSALS(list);
}

NILAS_TEST(timestamps_must_be_constant_and_castable) {
    static const refusal list[] = {
        {"local.db.t timestamp as of 'garbage'", "INVALID_TIME_TRAVEL_TIMESTAMP_EXPR.INPUT"},
        {"local.db.t timestamp as of '1795999676'", "INVALID_TIME_TRAVEL_TIMESTAMP_EXPR.INPUT"},
        {"local.db.t timestamp as of ''", "The time travel timestamp expression \"\" is invalid."},
        {"local.db.t timestamp as of null", "expression \"NULL\" is invalid"},
        {"local.db.t timestamp as of true", "expression \"true\" is invalid"},
        {"local.db.t timestamp as of array(1)", "expression \"array(1)\" is invalid"},
        {"local.db.t timestamp as of rand()",
         "INVALID_TIME_TRAVEL_TIMESTAMP_EXPR.NON_DETERMINISTIC"},
        {"local.db.t timestamp as of id", "timestamp expression cannot refer to any columns"}};
    CHECK_REFUSALS(list);
}

NILAS_TEST(one_way_of_time_travel_at_a_time) {
    static const refusal list[] = {
        {"local.db.t.branch_dev version as of 10",
         "Cannot do time-travel based on both table identifier and AS OF"},
        {"local.db.t.tag_v1 version as of 'dev'",
         "Cannot do time-travel based on both table identifier and AS OF"},
        {"local.db.t.snapshot_id_10 timestamp as of '2999-01-01'",
         "Cannot do time-travel based on both table identifier and AS OF"},
        {"local.db.t version as of 10 with ('versionAsOf' = '10')", "MULTIPLE_TIME_TRAVEL_SPEC"},
        {"local.db.t with ('versionAsOf' = '10', 'timestampAsOf' = '2999-01-01')",
         "INVALID_TIME_TRAVEL_SPEC"},
        {"local.db.t with ('snapshot-id' = '10', 'branch' = 'dev')",
         "Can specify only one of snapshot-id (10), as-of-timestamp (null), branch (dev), tag "
         "(null)"},
        {"local.db.t with ('as-of-timestamp' = '1', 'tag' = 'v1')",
         "Can specify only one of snapshot-id (null), as-of-timestamp (1), branch (null), tag "
         "(v1)"},
        {"local.db.t version as of 10 with ('snapshot-id' = '10')", "Cannot do time-travel"},
        {"local.db.t with ('snapshot-id' = 'abc')", "For input string: \"abc\""},
        {"local.db.t with ('as-of-timestamp' = '')", "For input string: \"\""},
        {"local.db.t with ('branch' = '')", "Cannot use branch (does not exist): "}};
    CHECK_REFUSALS(list);
}

NILAS_TEST(incremental_ranges_are_checked) {
    static const refusal list[] = {
        {"local.db.t with ('end-snapshot-id' = '30')",
         "Cannot set only end-snapshot-id for incremental scans."},
        {"local.db.t with ('snapshot-id' = '10', 'start-snapshot-id' = '10')",
         "Cannot set start-snapshot-id and end-snapshot-id for incremental scans when either"},
        {"local.db.t with ('tag' = 'v1', 'start-snapshot-id' = '10')",
         "Cannot set start-snapshot-id and end-snapshot-id for incremental scans when either"},
        {"local.db.t with ('start-timestamp' = '1')", "They are only valid for changelog scans."},
        {"local.db.t with ('start-snapshot-id' = '30')",
         "Starting snapshot (exclusive) 30 is not a parent ancestor of end snapshot 30"},
        {"local.db.t with ('start-snapshot-id' = '20', 'end-snapshot-id' = '10')",
         "Starting snapshot (exclusive) 20 is not a parent ancestor of end snapshot 10"},
        {"local.db.t with ('start-snapshot-id' = '10', 'end-snapshot-id' = '1')",
         "Cannot find the end snapshot: 1"},
        {"local.db.t with ('start-snapshot-id' = '10', 'end-snapshot-id' = '')",
         "For input string: \"\""},
        {"local.db.empty with ('start-snapshot-id' = '1')",
         "End snapshot is not set and table has no current snapshot"},
        {"local.db.t.files with ('start-snapshot-id' = '10')",
         "Incremental append scan is not supported"}};
    CHECK_REFUSALS(list);
}

NILAS_TEST(an_incremental_range_reads_the_current_schema_and_ignores_a_branch) {
    place p;
    nilas_error err = NILAS_ERROR_INIT;
    nilas_relation relation = {0};
    place_init(&p);
    CHECK_OK(resolve(&p, "local.db.t with ('start-snapshot-id' = '10', 'end-snapshot-id' = '20')",
                     &relation, &err),
             err);
    CHECK(relation.incremental);
    CHECK_INT(relation.from_snapshot_id, 10);
    CHECK_INT(relation.to_snapshot_id, 20);
    CHECK_STR(relation.schema->type.fields[0].name, "new");
    CHECK_OK(resolve(&p, "local.db.t with ('branch' = 'dev', 'start-snapshot-id' = '10')",
                     &relation, &err),
             err);
    CHECK_INT(relation.to_snapshot_id, 30);
    place_done(&p);
}

NILAS_TEST(the_audit_branch_is_read_when_the_table_allows_it) {
    place p;
    nilas_error err = NILAS_ERROR_INIT;
    nilas_relation relation = {0};
    place_init(&p);
    p.around.wap_branch = "dev";
    CHECK_OK(resolve(&p, "local.db.t", &relation, &err), err);
    CHECK_INT(relation.snapshot->snapshot_id, 20);
    CHECK_OK(resolve(&p, "local.db.t version as of 10", &relation, &err), err);
    CHECK_INT(relation.snapshot->snapshot_id, 10);
    p.around.wap_branch = "nope";
    CHECK_OK(resolve(&p, "local.db.t", &relation, &err), err);
    CHECK_INT(relation.snapshot->snapshot_id, 30);
    place_done(&p);
}

NILAS_TEST(views_come_first_and_do_not_travel) {
    place p;
    nilas_error err = NILAS_ERROR_INIT;
    nilas_relation relation = {0};
    nilas_query query = {0};
    nilas_option options[] = {
        {.key = NILAS_STR("path"), .value = NILAS_STR("local.db.t"), .has_value = true},
        {.key = NILAS_STR("snapshot-id"), .value = NILAS_STR("10"), .has_value = true}};
    nilas_temp_view views[] = {{.name = NILAS_STR("v"), .query = &query},
                               {.name = NILAS_STR("src"),
                                .provider = NILAS_STR("iceberg"),
                                .options = options,
                                .option_count = 2}};
    place_init(&p);
    p.around.views = views;
    p.around.view_count = 2;
    CHECK_OK(resolve(&p, "v", &relation, &err), err);
    CHECK_INT(relation.kind, NILAS_RELATION_TEMP_VIEW);
    CHECK_CODE(resolve(&p, "v version as of 1", &relation, &err), NILAS_INVALID, err);
    CHECK_TEXT(err.condition, "UNSUPPORTED_FEATURE.TIME_TRAVEL");
    CHECK_OK(resolve(&p, "src", &relation, &err), err);
    CHECK_INT(relation.kind, NILAS_RELATION_TABLE);
    CHECK_INT(relation.snapshot->snapshot_id, 10);
    CHECK_STR(relation.schema->type.fields[0].name, "old");
    CHECK(relation.temp_view == &views[1]);
    place_done(&p);
}

NILAS_TEST(types_that_spark_lacks_are_refused_in_icebergs_words) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    const nilas_type *type = NULL;
    CHECK_FAILS(nilas_bind_ice_type(arena, nilas_ice_primitive(NILAS_ICE_TIME), &type, &err),
                NILAS_UNSUPPORTED, err, "Spark does not support time fields");
    CHECK_CODE(nilas_bind_ice_type(arena, nilas_ice_primitive(NILAS_ICE_TIMESTAMP_NS), &type, &err),
               NILAS_UNSUPPORTED, err);
    CHECK_OK(nilas_bind_ice_type(arena, nilas_ice_primitive(NILAS_ICE_UUID), &type, &err), err);
    CHECK_INT(type->kind, NILAS_TYPE_STRING);
}
