#include <unistd.h>

#include "make.h"

// clang-format off
#define OPTIONAL(type) "[\"null\"," type "]"
#define FIELD(name, id, type) "{\"name\":\"" name "\",\"type\":" type ",\"field-id\":" #id "}"
#define RECORD_TYPE(name, fields)                                                                  \
    "{\"type\":\"record\",\"name\":\"" name "\",\"fields\":[" fields "]}"
#define RECORD(fields) RECORD_TYPE("manifest_file", fields)
#define SUMMARY                                                                                    \
    RECORD_TYPE("r508", FIELD("contains_null", 509, "\"boolean\"") ","                             \
                        FIELD("contains_nan", 518, OPTIONAL("\"boolean\"")) ","                    \
                        FIELD("lower_bound", 510, OPTIONAL("\"bytes\"")) ","                       \
                        FIELD("upper_bound", 511, OPTIONAL("\"bytes\"")))
#define PARTITIONS                                                                                 \
    FIELD("partitions", 507,                                                                       \
          OPTIONAL("{\"type\":\"array\",\"element-id\":508,\"items\":" SUMMARY "}"))
#define HEAD                                                                                       \
    FIELD("manifest_path", 500, "\"string\"") "," FIELD("manifest_length", 501, "\"long\"") ","    \
    FIELD("partition_spec_id", 502, "\"int\"")
#define V1 RECORD(HEAD "," FIELD("added_snapshot_id", 503, OPTIONAL("\"long\"")))
#define V3                                                                                         \
    RECORD(HEAD "," FIELD("content", 517, "\"int\"") ","                                           \
           FIELD("sequence_number", 515, "\"long\"") ","                                           \
           FIELD("min_sequence_number", 516, "\"long\"") ","                                       \
           FIELD("added_snapshot_id", 503, "\"long\"") ","                                         \
           FIELD("added_data_files_count", 504, "\"int\"") ","                                     \
           FIELD("existing_rows_count", 513, "\"long\"") "," PARTITIONS ","                        \
           FIELD("first_row_id", 520, OPTIONAL("\"long\"")))
#define WITH_CONTENT RECORD(HEAD "," FIELD("content", 517, "\"int\""))
#define WITHOUT_PATH                                                                               \
    RECORD(FIELD("manifest_length", 501, "\"long\"") ","                                           \
           FIELD("partition_spec_id", 502, "\"int\""))
// clang-format on

#define INT(v)   nilas_value_of_int(v)
#define TEXT(v)  nilas_value_of_str(NILAS_STR(v))
#define BYTES(v) nilas_value_of_bytes(NILAS_STR(v))
#define NONE     NILAS_NULL_VALUE
#define GROUP(of, ...)                                                                             \
    ((nilas_value){.kind = (of),                                                                   \
                   .items = (nilas_value[]){__VA_ARGS__},                                          \
                   .count = sizeof((nilas_value[]){__VA_ARGS__}) / sizeof(nilas_value)})
#define ROW(...)  GROUP(NILAS_VALUE_STRUCT, __VA_ARGS__)
#define LIST(...) GROUP(NILAS_VALUE_LIST, __VA_ARGS__)

static nilas_str write_list(nilas_arena *arena, const char *schema, const nilas_value *rows,
                            size_t count) {
    nilas_avro_writer *writer = NULL;
    nilas_error err = NILAS_ERROR_INIT;
    nilas_str bytes = NILAS_STR_EMPTY;

    CHECK_OK(nilas_avro_writer_new(arena, nilas_str_of(schema), NULL, 0, NILAS_COMPRESSION_DEFLATE,
                                   -1, &writer, &err),
             err);
    for (size_t i = 0; writer != NULL && i < count; i++) {
        CHECK_OK(nilas_avro_write(writer, &rows[i], &err), err);
    }
    if (writer != NULL) {
        CHECK_OK(nilas_avro_writer_finish(writer, &bytes, &err), err);
    }
    return bytes;
}

NILAS_TEST(a_list_of_version_1_takes_the_defaults) {
    NILAS_AUTO(nilas_arena) arena = make_arena();
    nilas_error err = NILAS_ERROR_INIT;
    nilas_value rows[] = {ROW(TEXT("/m1"), INT(10), INT(0), INT(7)),
                          ROW(TEXT("/m2"), INT(20), INT(3), NONE)};
    nilas_manifest_file *list = NULL;
    size_t count = 0;

    REQUIRE_OK(nilas_manifest_list_decode(arena, write_list(arena, V1, rows, 2), NILAS_STR("/l"),
                                          &list, &count, &err),
               err);
    REQUIRE(count == 2);
    CHECK_STR(list[0].path, "/m1");
    CHECK_INT(list[0].length, 10);
    CHECK_INT(list[0].content, NILAS_MANIFEST_DATA);
    CHECK_INT(list[0].sequence_number, 0);
    CHECK_INT(list[0].min_sequence_number, 0);
    CHECK_INT(list[0].added_snapshot_id, 7);
    CHECK_INT(list[0].added_files_count, -1);
    CHECK_INT(list[0].deleted_rows_count, -1);
    CHECK(!list[0].has_partitions);
    CHECK(list[0].key_metadata.data == NULL);
    CHECK_INT(list[0].first_row_id, -1);
    CHECK_INT(list[1].partition_spec_id, 3);
    CHECK_INT(list[1].added_snapshot_id, -1);
}

NILAS_TEST(a_list_is_read_by_its_ids_whatever_its_header_says) {
    NILAS_AUTO(nilas_arena) arena = make_arena();
    nilas_error err = NILAS_ERROR_INIT;
    nilas_value rows[] = {
        ROW(TEXT("/m"), INT(10), INT(1), INT(1), INT(6), INT(4), INT(7), INT(2), INT(3000000000),
            LIST(ROW(nilas_value_of_bool(true), NONE, BYTES("\x01\0\0\0"), BYTES("")),
                 ROW(nilas_value_of_bool(false), nilas_value_of_bool(true), NONE, NONE)),
            INT(1000)),
    };
    nilas_manifest_file *list = NULL;
    size_t count = 0;

    REQUIRE_OK(nilas_manifest_list_decode(arena, write_list(arena, V3, rows, 1), NILAS_STR("/l"),
                                          &list, &count, &err),
               err);
    REQUIRE(count == 1);
    CHECK_INT(list[0].content, NILAS_MANIFEST_DELETES);
    CHECK_INT(list[0].sequence_number, 6);
    CHECK_INT(list[0].min_sequence_number, 4);
    CHECK_INT(list[0].added_files_count, 2);
    CHECK_INT(list[0].existing_files_count, -1);
    CHECK_INT(list[0].existing_rows_count, 3000000000);
    CHECK_INT(list[0].first_row_id, 1000);
    REQUIRE(list[0].has_partitions && list[0].partition_count == 2);
    CHECK(list[0].partitions[0].contains_null && !list[0].partitions[0].has_contains_nan);
    CHECK_BYTES(list[0].partitions[0].lower_bound, NILAS_STR("\x01\0\0\0"));
    CHECK(list[0].partitions[0].upper_bound.data != NULL &&
          list[0].partitions[0].upper_bound.size == 0);
    CHECK(!list[0].partitions[1].contains_null && list[0].partitions[1].contains_nan);
    CHECK(list[0].partitions[1].lower_bound.data == NULL);
}

NILAS_TEST(lists_that_lack_what_they_must_have_are_corrupt) {
    NILAS_AUTO(nilas_arena) arena = make_arena();
    nilas_error err = NILAS_ERROR_INIT;
    nilas_value content[] = {ROW(TEXT("/m"), INT(1), INT(0), INT(2))};
    nilas_value path[] = {ROW(INT(1), INT(0))};
    nilas_str path_name = NILAS_STR("/l");
    nilas_manifest_file *list;
    size_t count;

    nilas_str bytes = write_list(arena, WITH_CONTENT, content, 1);
    CHECK_FAILS(nilas_manifest_list_decode(arena, bytes, path_name, &list, &count, &err),
                NILAS_CORRUPT, err, "found 2 in manifest list \"/l\"");
    bytes = write_list(arena, WITHOUT_PATH, path, 1);
    CHECK_FAILS(nilas_manifest_list_decode(arena, bytes, path_name, &list, &count, &err),
                NILAS_CORRUPT, err, "/l");
    bytes = NILAS_STR("Obj");
    CHECK_CODE(nilas_manifest_list_decode(arena, bytes, path_name, &list, &count, &err),
               NILAS_CORRUPT, err);
    bytes = NILAS_STR("AGS1");
    CHECK_FAILS(nilas_manifest_list_decode(arena, bytes, path_name, &list, &count, &err),
                NILAS_UNSUPPORTED, err, "encrypted");
}

NILAS_TEST(no_cut_of_a_list_breaks_the_reader) {
    NILAS_AUTO(nilas_arena) arena = make_arena();
    nilas_error err = NILAS_ERROR_INIT;
    nilas_value rows[] = {ROW(TEXT("/m1"), INT(10), INT(0), INT(7)),
                          ROW(TEXT("/m2"), INT(20), INT(3), NONE)};
    nilas_str bytes = write_list(arena, V1, rows, 2);
    nilas_manifest_file *list;
    size_t count;

    for (size_t size = 0; size < bytes.size; size++) {
        nilas_str cut = {.data = bytes.data, .size = size};
        nilas_code code =
            nilas_manifest_list_decode(arena, cut, NILAS_STR("/l"), &list, &count, &err);
        REQUIRE(code != NILAS_OK || count == 0);
    }
}

/* ---- snapshots ------------------------------------------------------------------------------- */

#define TABLE_HEAD                                                                                 \
    "{\"format-version\":1,\"location\":\"/t\",\"schema\":{\"type\":\"struct\",\"fields\":[]},"    \
    "\"partition-spec\":[],\"snapshots\":[{\"snapshot-id\":1,\"timestamp-ms\":1,"

NILAS_TEST(inline_manifests_are_described_by_their_own_headers) {
    NILAS_AUTO(nilas_arena) arena = make_arena();
    NILAS_AUTO(nilas_io) io = NULL;
    nilas_error err = NILAS_ERROR_INIT;
    char folder[] = "/tmp/nilas-inline-XXXXXX";
    char path[64];
    char json[500];
    nilas_avro_property properties[] = {{NILAS_STR("partition-spec-id"), NILAS_STR("3")}};
    nilas_avro_writer *writer = NULL;
    nilas_str bytes = {0};
    nilas_manifest_file *list = NULL;
    size_t count = 0;

    REQUIRE(mkdtemp(folder) != NULL);
    snprintf(path, sizeof(path), "%s/m.avro", folder);
    snprintf(json, sizeof(json), TABLE_HEAD "\"manifests\":[\"%s\"]}]}", path);
    nilas_metadata *metadata = make_metadata(arena, json);
    REQUIRE(metadata != NULL);
    REQUIRE_OK(nilas_io_new(&io, &err), err);
    CHECK_CODE(
        nilas_snapshot_manifests(io, arena, metadata, &metadata->snapshots[0], &list, &count, &err),
        NILAS_NOT_FOUND, err);

    REQUIRE_OK(nilas_avro_writer_new(arena, NILAS_STR("\"int\""), properties, 1,
                                     NILAS_COMPRESSION_NONE, -1, &writer, &err),
               err);
    REQUIRE_OK(nilas_avro_writer_finish(writer, &bytes, &err), err);
    REQUIRE_OK(nilas_io_write(io, nilas_str_of(path), bytes, true, &err), err);
    REQUIRE_OK(
        nilas_snapshot_manifests(io, arena, metadata, &metadata->snapshots[0], &list, &count, &err),
        err);
    REQUIRE(count == 1);
    CHECK_STR(list[0].path, path);
    CHECK_INT(list[0].partition_spec_id, 3);
    CHECK_INT(list[0].length, bytes.size);
    CHECK_INT(list[0].sequence_number, 0);
    CHECK_INT(list[0].added_files_count, -1);
    CHECK_INT(unlink(path), 0);
    CHECK_INT(rmdir(folder), 0);
}

NILAS_TEST(an_encrypted_list_is_refused_by_name) {
    NILAS_AUTO(nilas_arena) arena = make_arena();
    nilas_error err = NILAS_ERROR_INIT;
    nilas_metadata *metadata =
        make_metadata(arena, TABLE_HEAD "\"manifest-list\":\"/l\",\"key-id\":\"k1\"}]}");
    nilas_manifest_file *list;
    size_t count;

    REQUIRE(metadata != NULL);
    CHECK_FAILS(nilas_snapshot_manifests(NULL, arena, metadata, &metadata->snapshots[0], &list,
                                         &count, &err),
                NILAS_UNSUPPORTED, err, "encrypted (key \"k1\")");
}
