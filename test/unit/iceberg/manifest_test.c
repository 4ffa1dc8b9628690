#include "make.h"

/* A table with two specs: 0 by c (identity), 1 by day(ts) and bucket(id). */
#define TABLE                                                                                      \
    "{\"format-version\":2,\"location\":\"/t\",\"schemas\":[{\"type\":\"struct\",\"schema-id\":0," \
    "\"fields\":[{\"id\":1,\"name\":\"id\",\"required\":false,\"type\":\"long\"},{\"id\":2,"       \
    "\"name\":\"c\",\"required\":false,\"type\":\"string\"},{\"id\":3,\"name\":\"ts\","            \
    "\"required\":false,\"type\":\"timestamp\"}]}],\"current-schema-id\":0,\"partition-specs\":["  \
    "{\"spec-id\":0,\"fields\":[{\"source-id\":2,\"field-id\":1000,\"name\":\"c\","                \
    "\"transform\":\"identity\"}]},{\"spec-id\":1,\"fields\":[{\"source-id\":3,"                   \
    "\"field-id\":1001,\"name\":\"ts_day\",\"transform\":\"day\"},{\"source-id\":1,"               \
    "\"field-id\":1002,\"name\":\"id_bucket\",\"transform\":\"bucket[4]\"}]},{\"spec-id\":2,"      \
    "\"fields\":[{\"source-id\":3,\"field-id\":1003,\"name\":\"ts\",\"transform\":\"identity\"},"  \
    "{\"source-id\":2,\"field-id\":1004,\"name\":\"gone\",\"transform\":\"void\"}]}],"             \
    "\"default-spec-id\":0}"

// clang-format off
#define OPTIONAL(type) "[\"null\"," type "]"
#define FIELD(name, id, type) "{\"name\":\"" name "\",\"type\":" type ",\"field-id\":" #id "}"
#define PLAIN(name, type) "{\"name\":\"" name "\",\"type\":" type "}"
#define RECORD_TYPE(name, fields)                                                                  \
    "{\"type\":\"record\",\"name\":\"" name "\",\"fields\":[" fields "]}"
#define PAIRS(key, value, type)                                                                    \
    RECORD_TYPE("k" #key, FIELD("key", key, "\"int\"") "," FIELD("value", value, type))
#define MAP(name, id, key, value, type)                                                            \
    FIELD(name, id,                                                                                \
          OPTIONAL("{\"type\":\"array\",\"logicalType\":\"map\",\"items\":"                        \
                   PAIRS(key, value, type) "}"))
#define LIST(name, id, element, type)                                                              \
    FIELD(name, id,                                                                                \
          OPTIONAL("{\"type\":\"array\",\"items\":" type ",\"element-id\":" #element "}"))
#define PARTITION(fields) FIELD("partition", 102, RECORD_TYPE("r102", fields))
#define DATA_FILE(fields) FIELD("data_file", 2, RECORD_TYPE("r2", fields))
#define RECORD(fields) RECORD_TYPE("manifest_entry", fields)
#define C_TUPLE FIELD("c", 1000, OPTIONAL("\"string\""))
#define FILE_HEAD                                                                                  \
    FIELD("content", 134, "\"int\"") "," FIELD("file_path", 100, "\"string\"") ","                 \
    FIELD("file_format", 101, "\"string\"")
#define FILE_TAIL                                                                                  \
    FIELD("record_count", 103, "\"long\"") "," FIELD("file_size_in_bytes", 104, "\"long\"")
#define NUMBERS                                                                                    \
    FIELD("status", 0, "\"int\"") "," FIELD("snapshot_id", 1, OPTIONAL("\"long\"")) ","            \
    FIELD("sequence_number", 3, OPTIONAL("\"long\"")) ","                                          \
    FIELD("file_sequence_number", 4, OPTIONAL("\"long\""))
#define METRICS                                                                                    \
    MAP("column_sizes", 108, 117, 118, "\"long\"") ","                                             \
    MAP("value_counts", 109, 119, 120, "\"long\"") ","                                             \
    MAP("null_value_counts", 110, 121, 122, "\"long\"") ","                                        \
    MAP("lower_bounds", 125, 126, 127, "\"bytes\"") ","                                            \
    MAP("upper_bounds", 128, 129, 130, "\"bytes\"")
#define EXTRAS                                                                                     \
    FIELD("key_metadata", 131, OPTIONAL("\"bytes\"")) ","                                          \
    LIST("split_offsets", 132, 133, "\"long\"") ","                                                \
    LIST("equality_ids", 135, 136, "\"int\"") ","                                                  \
    FIELD("sort_order_id", 140, OPTIONAL("\"int\"")) ","                                           \
    FIELD("first_row_id", 142, OPTIONAL("\"long\"")) ","                                           \
    FIELD("referenced_data_file", 143, OPTIONAL("\"string\"")) ","                                 \
    FIELD("content_offset", 144, OPTIONAL("\"long\"")) ","                                         \
    FIELD("content_size_in_bytes", 145, OPTIONAL("\"long\""))

#define SMALL RECORD(NUMBERS "," DATA_FILE(FILE_HEAD "," PARTITION(C_TUPLE) "," FILE_TAIL))
#define FULL                                                                                       \
    RECORD(NUMBERS ","                                                                             \
           DATA_FILE(FILE_HEAD "," PARTITION(C_TUPLE) "," FILE_TAIL "," METRICS "," EXTRAS))
#define BARE                                                                                       \
    RECORD(FIELD("status", 0, "\"int\"") ","                                                       \
           DATA_FILE(FILE_HEAD "," PARTITION(C_TUPLE) "," FILE_TAIL))
#define ROW_IDS                                                                                    \
    RECORD(FIELD("status", 0, "\"int\"") ","                                                       \
           FIELD("sequence_number", 3, OPTIONAL("\"long\"")) ","                                   \
           DATA_FILE(FILE_HEAD "," PARTITION(C_TUPLE) "," FILE_TAIL ","                            \
                     FIELD("first_row_id", 142, OPTIONAL("\"long\""))))
/* The tuple of spec 1 and 2 in the shapes that writers give it. */
#define WITH_TUPLE(fields)                                                                         \
    RECORD(FIELD("status", 0, "\"int\"") ","                                                       \
           DATA_FILE(FILE_HEAD "," PARTITION(fields) "," FILE_TAIL))
#define DATE_TYPE "{\"type\":\"int\",\"logicalType\":\"date\"}"
#define MILLIS_TYPE "{\"type\":\"long\",\"logicalType\":\"timestamp-millis\"}"
/* Another order, no ids, an int where others have a long. */
#define NAMED                                                                                      \
    RECORD(PLAIN("data_file",                                                                      \
                 RECORD_TYPE("r2", PLAIN("file_format", "\"string\"") ","                          \
                                   PLAIN("file_path", "\"string\"") ","                            \
                                   PLAIN("partition",                                              \
                                         RECORD_TYPE("r102", PLAIN("c", "\"string\""))) ","        \
                                   PLAIN("record_count", "\"int\""))) ","                          \
           PLAIN("status", "\"int\""))
#define BUCKET_TUPLE FIELD("id_bucket", 1002, "\"int\"")
#define SWAPPED_TUPLE                                                                              \
    FIELD("other_name", 1002, "\"int\"") "," FIELD("alien", 1099, "\"string\"") ","                \
    FIELD("x", 1001, OPTIONAL(DATE_TYPE))
#define DATE_TUPLE FIELD("ts", 1003, DATE_TYPE) "," FIELD("gone", 1004, "\"string\"")
#define MILLIS_TUPLE FIELD("ts", 1003, MILLIS_TYPE)
#define TEXT_TUPLE FIELD("ts", 1003, "\"string\"")
/* No manifests. */
#define NO_TUPLE                                                                                   \
    RECORD(FIELD("status", 0, "\"int\"") "," DATA_FILE(FILE_HEAD "," FILE_TAIL))
#define NO_FILE RECORD(FIELD("status", 0, "\"int\""))
#define TEXT_STATUS                                                                                \
    RECORD(FIELD("status", 0, "\"string\"") "," DATA_FILE(FILE_HEAD "," FILE_TAIL))
#define NO_COUNT RECORD(FIELD("status", 0, "\"int\"") "," DATA_FILE(FILE_HEAD))
// clang-format on

#define INT(v)  nilas_value_of_int(v)
#define TEXT(v) nilas_value_of_str(NILAS_STR(v))
#define NONE    NILAS_NULL_VALUE
/** A struct, list or map of these values (a map: keys and values in turn). */
#define GROUP(of, ...)                                                                             \
    ((nilas_value){.kind = (of),                                                                   \
                   .items = (nilas_value[]){__VA_ARGS__},                                          \
                   .count = sizeof((nilas_value[]){__VA_ARGS__}) / sizeof(nilas_value) /           \
                            ((of) == NILAS_VALUE_MAP ? 2 : 1)})
#define ROW(...) GROUP(NILAS_VALUE_STRUCT, __VA_ARGS__)
/** An entry of SMALL. */
#define ENTRY(status, snapshot, sequence, file_sequence, path, partition, records)                 \
    ROW(INT(status), snapshot, sequence, file_sequence,                                            \
        ROW(INT(0), TEXT(path), TEXT("parquet"), ROW(partition), INT(records), INT(1)))

typedef struct fixture {
    nilas_arena *arena;
    nilas_metadata *metadata;
    nilas_manifest_file manifest;
    nilas_manifest_visit visit;
    nilas_manifest_entry entries[16]; // what the walk saw, copied
    size_t count, stop_after;
    nilas_error err;
} fixture;

static void close_fixture(fixture *f) {
    nilas_arena_free(f->arena);
}
#define FIXTURE(name)                                                                              \
    __attribute__((cleanup(close_fixture)))                                                        \
    fixture name = {.arena = make_arena(),                                                         \
                    .manifest = {.path = NILAS_STR("/t/m.avro"),                                   \
                                 .sequence_number = 5,                                             \
                                 .added_snapshot_id = 77,                                          \
                                 .first_row_id = -1},                                              \
                    .visit = {.columns = NILAS_MANIFEST_ALL},                                      \
                    .err = NILAS_ERROR_INIT};                                                      \
    name.metadata = make_metadata(name.arena, TABLE)

static bool take_entry(void *context, const nilas_manifest_entry *entry) {
    fixture *f = context;

    if (f->count < 16) {
        CHECK_OK(nilas_manifest_entry_copy(f->arena, entry, &f->entries[f->count], &f->err),
                 f->err);
    }
    f->count++;
    return f->count != f->stop_after;
}

static nilas_str write_manifest(fixture *f, const char *schema, const nilas_value *rows,
                                size_t count, nilas_compression compression) {
    nilas_avro_writer *writer = NULL;
    nilas_str bytes = NILAS_STR_EMPTY;

    CHECK_OK(nilas_avro_writer_new(f->arena, nilas_str_of(schema), NULL, 0, compression, -1,
                                   &writer, &f->err),
             f->err);
    for (size_t i = 0; writer != NULL && i < count; i++) {
        CHECK_OK(nilas_avro_write(writer, &rows[i], &f->err), f->err);
    }
    if (writer != NULL) {
        CHECK_OK(nilas_avro_writer_finish(writer, &bytes, &f->err), f->err);
    }
    return bytes;
}

static nilas_code read_bytes(fixture *f, nilas_str bytes) {
    f->count = 0;
    f->visit.body = take_entry;
    f->visit.context = f;
    return nilas_manifest_decode(f->arena, f->metadata, &f->manifest, bytes, &f->visit, &f->err);
}

static nilas_code read_rows(fixture *f, const char *schema, const nilas_value *rows, size_t count) {
    return read_bytes(f, write_manifest(f, schema, rows, count, NILAS_COMPRESSION_NONE));
}

NILAS_TEST(added_files_inherit_their_numbers_and_existing_ones_keep_theirs) {
    FIXTURE(f);
    nilas_value rows[] = {
        ENTRY(1, NONE, NONE, NONE, "a", TEXT("x"), 1),
        ENTRY(0, INT(3), INT(1), INT(2), "b", NONE, 1),
        ENTRY(1, INT(9), INT(4), NONE, "c", TEXT(""), 1), // data that logically is older
        ENTRY(2, INT(9), NONE, NONE, "d", NONE, 1),
    };

    REQUIRE_OK(read_rows(&f, SMALL, rows, 4), f.err);
    REQUIRE(f.count == 4);
    CHECK_INT(f.entries[0].snapshot_id, 77);
    CHECK_INT(f.entries[0].sequence_number, 5);
    CHECK_INT(f.entries[0].file_sequence_number, 5);
    CHECK_STR(f.entries[0].file.partition.items[0].text, "x");
    CHECK_STR(f.entries[0].file.file_format, "PARQUET");
    CHECK_INT(f.entries[1].snapshot_id, 3);
    CHECK_INT(f.entries[1].sequence_number, 1);
    CHECK_INT(f.entries[1].file_sequence_number, 2);
    CHECK(nilas_value_is_null(&f.entries[1].file.partition.items[0]));
    CHECK_INT(f.entries[2].sequence_number, 4);
    CHECK_INT(f.entries[2].file_sequence_number, 5);
    CHECK_INT(f.entries[2].file.partition.items[0].kind, NILAS_VALUE_STRING);
    CHECK_INT(f.entries[3].status, NILAS_ENTRY_DELETED);
    CHECK_INT(f.entries[3].sequence_number, -1);
}

#define BARE_ENTRY(status)                                                                         \
    ROW(INT(status), ROW(INT(0), TEXT("a"), TEXT("ORC"), ROW(NONE), INT(1), INT(1)))

NILAS_TEST(entries_of_only_status_and_file_inherit_everything) {
    FIXTURE(f);
    nilas_value added[] = {BARE_ENTRY(1)};
    nilas_value existing[] = {BARE_ENTRY(0)};

    REQUIRE_OK(read_rows(&f, BARE, added, 1), f.err);
    CHECK_INT(f.entries[0].sequence_number, 5);
    CHECK_INT(f.entries[0].snapshot_id, 77);
    CHECK_FAILS(read_rows(&f, BARE, existing, 1), NILAS_CORRUPT, f.err, "no sequence number");
    CHECK_CONTAINS(f.err.message, "manifest \"/t/m.avro\": block 1, entry 0");
    // All files of version 1 have the number 0.
    f.manifest.sequence_number = 0;
    REQUIRE_OK(read_rows(&f, BARE, existing, 1), f.err);
    CHECK_INT(f.entries[0].sequence_number, 0);
}

#define ROW_ID_ENTRY(status, content, records, first)                                              \
    ROW(INT(status), INT(1),                                                                       \
        ROW(INT(content), TEXT("a"), TEXT("PARQUET"), ROW(NONE), INT(records), INT(1), first))

NILAS_TEST(row_ids_follow_the_example_of_the_specification) {
    FIXTURE(f);
    nilas_value rows[] = {
        ROW_ID_ENTRY(0, 0, 25, INT(800)), ROW_ID_ENTRY(1, 0, 50, NONE), ROW_ID_ENTRY(2, 0, 9, NONE),
        ROW_ID_ENTRY(1, 0, 50, NONE),     ROW_ID_ENTRY(0, 0, 5, NONE),
    };

    f.manifest.first_row_id = 1000;
    REQUIRE_OK(read_rows(&f, ROW_IDS, rows, 5), f.err);
    CHECK_INT(f.entries[0].file.first_row_id, 800);
    CHECK_INT(f.entries[1].file.first_row_id, 1000);
    CHECK_INT(f.entries[2].file.first_row_id, -1);
    CHECK_INT(f.entries[3].file.first_row_id, 1050);
    CHECK_INT(f.entries[4].file.first_row_id, 1100);
    f.manifest.first_row_id = -1;
    REQUIRE_OK(read_rows(&f, ROW_IDS, rows, 5), f.err);
    CHECK_INT(f.entries[0].file.first_row_id, -1);
    CHECK_INT(f.entries[1].file.first_row_id, -1);
    nilas_value deletes[] = {ROW_ID_ENTRY(1, 1, 50, INT(3))};
    f.manifest.first_row_id = 1000;
    REQUIRE_OK(read_rows(&f, ROW_IDS, deletes, 1), f.err);
    CHECK_INT(f.entries[0].file.first_row_id, -1);
}

static nilas_value full_row(nilas_value *storage) {
    static nilas_value sizes[] = {{.kind = NILAS_VALUE_INT, .integer = 1},
                                  {.kind = NILAS_VALUE_INT, .integer = 400}};
    static nilas_value counts[] = {{.kind = NILAS_VALUE_INT, .integer = 1},
                                   {.kind = NILAS_VALUE_INT, .integer = 3000000000},
                                   {.kind = NILAS_VALUE_INT, .integer = 2},
                                   {.kind = NILAS_VALUE_INT, .integer = 0}};
    static nilas_value bounds[] = {{.kind = NILAS_VALUE_INT, .integer = 2},
                                   {.kind = NILAS_VALUE_BINARY, .text = {"ab\0c", 4}}};
    static nilas_value offsets[] = {{.kind = NILAS_VALUE_INT, .integer = 4},
                                    {.kind = NILAS_VALUE_INT, .integer = 1LL << 40}};
    static nilas_value tuple[] = {{.kind = NILAS_VALUE_STRING, .text = {"x", 1}}};
    nilas_value file[] = {
        INT(2),
        TEXT("file:/t/a b"),
        TEXT("avro"),
        {.kind = NILAS_VALUE_STRUCT, .items = tuple, .count = 1},
        INT(3000000000),
        INT(12),
        {.kind = NILAS_VALUE_MAP, .items = sizes, .count = 1},
        {.kind = NILAS_VALUE_MAP, .items = counts, .count = 2},
        {.kind = NILAS_VALUE_MAP},
        {.kind = NILAS_VALUE_MAP, .items = bounds, .count = 1},
        NONE,
        NONE,
        {.kind = NILAS_VALUE_LIST, .items = offsets, .count = 2},
        {.kind = NILAS_VALUE_LIST, .items = offsets, .count = 1},
        INT(3),
        NONE,
        TEXT("/t/data"),
        INT(4),
        INT(44),
    };
    nilas_value entry[] = {
        INT(1), NONE, NONE, NONE, {.kind = NILAS_VALUE_STRUCT, .items = storage + 5, .count = 19}};

    memcpy(storage, entry, sizeof(entry));
    memcpy(storage + 5, file, sizeof(file));
    return (nilas_value){.kind = NILAS_VALUE_STRUCT, .items = storage, .count = 5};
}

static void check_full(const nilas_data_file *file) {
    nilas_str bound = {0};
    int64_t count = -2;

    CHECK_INT(file->content, NILAS_FILE_EQUALITY_DELETES);
    CHECK_STR(file->file_path, "file:/t/a b");
    CHECK_STR(file->file_format, "AVRO");
    CHECK_INT(file->record_count, 3000000000);
    CHECK(file->has_column_sizes && file->column_size_count == 1);
    CHECK_INT(file->column_sizes[0].count, 400);
    CHECK(nilas_int_count_find(file->value_counts, file->value_count_count, 1, &count));
    CHECK_INT(count, 3000000000);
    CHECK(!nilas_int_count_find(file->value_counts, file->value_count_count, 3, &count));
    CHECK(file->has_null_value_counts && file->null_value_count_count == 0);
    CHECK(!file->has_nan_value_counts);
    CHECK(nilas_bound_find(file->lower_bounds, file->lower_bound_count, 2, &bound));
    CHECK_BYTES(bound, NILAS_STR("ab\0c"));
    CHECK(!nilas_bound_find(file->lower_bounds, file->lower_bound_count, 1, &bound));
    CHECK(!file->has_upper_bounds && file->upper_bounds == NULL);
    CHECK(file->key_metadata.data == NULL);
    CHECK_INT(file->split_offset_count, 2);
    CHECK_INT(file->split_offsets[1], 1LL << 40);
    CHECK_INT(file->equality_id_count, 1);
    CHECK_INT(file->equality_ids[0], 4);
    CHECK_INT(file->sort_order_id, 3);
    CHECK_STR(file->referenced_data_file, "/t/data");
    CHECK_INT(file->content_offset, 4);
    CHECK_INT(file->content_size_in_bytes, 44);
}

NILAS_TEST(every_field_is_read_kept_or_not_with_every_codec) {
    static const nilas_compression codecs[] = {NILAS_COMPRESSION_NONE, NILAS_COMPRESSION_DEFLATE,
                                               NILAS_COMPRESSION_SNAPPY, NILAS_COMPRESSION_ZSTD};
    FIXTURE(f);
    nilas_value storage[24];
    nilas_value rows[] = {full_row(storage), full_row(storage), full_row(storage)};

    for (size_t i = 0; i < 8; i++) {
        f.visit.keep = i % 2 == 1;
        REQUIRE_OK(read_bytes(&f, write_manifest(&f, FULL, rows, 3, codecs[i / 2])), f.err);
        REQUIRE(f.count == 3);
        check_full(&f.entries[0].file);
        check_full(&f.entries[2].file);
    }
}

static bool keep_pointer(void *context, const nilas_manifest_entry *entry) {
    const nilas_manifest_entry **list = context;

    while (*list != NULL) {
        list++;
    }
    *list = entry;
    return true;
}

NILAS_TEST(kept_entries_live_as_long_as_the_arena) {
    FIXTURE(f);
    nilas_value storage[24];
    nilas_value rows[] = {full_row(storage), full_row(storage)};
    const nilas_manifest_entry *seen[3] = {NULL, NULL, NULL};
    nilas_manifest_visit visit = {
        .columns = NILAS_MANIFEST_ALL, .keep = true, .body = keep_pointer, .context = seen};
    nilas_str bytes = write_manifest(&f, FULL, rows, 2, NILAS_COMPRESSION_DEFLATE);

    REQUIRE_OK(nilas_manifest_decode(f.arena, f.metadata, &f.manifest, bytes, &visit, &f.err),
               f.err);
    REQUIRE(seen[1] != NULL && seen[0] != seen[1]);
    check_full(&seen[0]->file);
    check_full(&seen[1]->file);
}

NILAS_TEST(parts_not_asked_for_look_absent) {
    FIXTURE(f);
    nilas_value storage[24];
    nilas_value row = full_row(storage);

    f.visit.columns = NILAS_MANIFEST_STATS;
    REQUIRE_OK(read_rows(&f, FULL, &row, 1), f.err);
    CHECK(f.entries[0].file.has_value_counts && !f.entries[0].file.has_column_sizes);
    CHECK(!f.entries[0].file.has_split_offsets);
    f.visit.columns = 0;
    REQUIRE_OK(read_rows(&f, FULL, &row, 1), f.err);
    CHECK(!f.entries[0].file.has_value_counts && !f.entries[0].file.has_lower_bounds);
    CHECK_INT(f.entries[0].file.equality_id_count, 1);
    CHECK_STR(f.entries[0].file.referenced_data_file, "/t/data");
}

NILAS_TEST(the_walk_stops_when_told) {
    FIXTURE(f);
    nilas_value rows[] = {BARE_ENTRY(1), BARE_ENTRY(1), BARE_ENTRY(1)};

    f.stop_after = 2;
    REQUIRE_OK(read_rows(&f, BARE, rows, 3), f.err);
    CHECK_INT(f.count, 2);
}

#define TUPLE_ENTRY(...)                                                                           \
    ROW(INT(1), ROW(INT(0), TEXT("a"), TEXT("PARQUET"), ROW(__VA_ARGS__), INT(1), INT(1)))
NILAS_TEST(partition_values_are_matched_by_field_id_not_by_place) {
    FIXTURE(f);
    nilas_value swapped[] = {TUPLE_ENTRY(INT(3), TEXT("skipped"), INT(-1))};

    f.manifest.partition_spec_id = 1;
    REQUIRE_OK(read_rows(&f, WITH_TUPLE(SWAPPED_TUPLE), swapped, 1), f.err);
    CHECK_INT(f.entries[0].file.spec_id, 1);
    CHECK_INT(f.entries[0].file.partition.count, 2);
    CHECK_INT(f.entries[0].file.partition.items[0].integer, -1);
    CHECK_INT(f.entries[0].file.partition.items[1].integer, 3);
}

NILAS_TEST(a_tuple_without_a_field_of_its_spec_is_refused) {
    FIXTURE(f);
    nilas_value one[] = {TUPLE_ENTRY(INT(3))};
    nilas_value none[] = {ROW(INT(1), ROW(INT(0), TEXT("a"), TEXT("PARQUET"), INT(1), INT(1)))};

    f.manifest.partition_spec_id = 1;
    CHECK_FAILS(read_rows(&f, WITH_TUPLE(BUCKET_TUPLE), one, 1), NILAS_CORRUPT, f.err,
                "lacks field 1001 \"ts_day\" of partition spec 1");
    CHECK_FAILS(read_rows(&f, NO_TUPLE, none, 1), NILAS_CORRUPT, f.err,
                "lacks field 102 \"partition\"");
    f.manifest.partition_spec_id = 9;
    CHECK_FAILS(read_rows(&f, SMALL, one, 0), NILAS_CORRUPT, f.err, "no partition spec 9");
}

NILAS_TEST(dates_of_promoted_columns_become_timestamps_and_void_fields_null) {
    FIXTURE(f);
    nilas_value rows[] = {TUPLE_ENTRY(INT(-2), TEXT("ignored"))};
    nilas_value without[] = {TUPLE_ENTRY(INT(5000))}; // the writer stores 5 ms

    f.manifest.partition_spec_id = 2;
    REQUIRE_OK(read_rows(&f, WITH_TUPLE(DATE_TUPLE), rows, 1), f.err);
    CHECK_INT(f.entries[0].file.partition.items[0].integer, -2 * NILAS_MICROS_PER_DAY);
    CHECK(nilas_value_is_null(&f.entries[0].file.partition.items[1]));
    REQUIRE_OK(read_rows(&f, WITH_TUPLE(MILLIS_TUPLE), without, 1), f.err);
    CHECK_INT(f.entries[0].file.partition.items[0].integer, 5000);
    CHECK_FAILS(read_rows(&f, WITH_TUPLE(TEXT_TUPLE), without, 0), NILAS_CORRUPT, f.err,
                "must be timestamp");
}

NILAS_TEST(a_file_without_ids_is_read_by_names) {
    FIXTURE(f);
    nilas_value rows[] = {ROW(ROW(TEXT("PARQUET"), TEXT("p"), ROW(TEXT("x")), INT(7)), INT(1))};

    REQUIRE_OK(read_rows(&f, NAMED, rows, 1), f.err);
    CHECK_STR(f.entries[0].file.file_path, "p");
    CHECK_INT(f.entries[0].file.record_count, 7);
    CHECK_STR(f.entries[0].file.partition.items[0].text, "x");
    CHECK_INT(f.entries[0].file.file_size_in_bytes, -1);
}

NILAS_TEST(schemas_that_are_no_manifest_are_refused_by_field) {
    FIXTURE(f);
    nilas_value none[] = {NONE};

    CHECK_FAILS(read_rows(&f, "\"int\"", none, 0), NILAS_CORRUPT, f.err, "must be a struct");
    CHECK_FAILS(read_rows(&f, NO_FILE, none, 0), NILAS_CORRUPT, f.err, "2 \"data_file\"");
    CHECK_FAILS(read_rows(&f, TEXT_STATUS, none, 0), NILAS_CORRUPT, f.err,
                "\"status\" of the manifest's schema must be an integer");
    CHECK_FAILS(read_rows(&f, NO_COUNT, none, 0), NILAS_CORRUPT, f.err, "103 \"record_count\"");
    CHECK_CONTAINS(f.err.message, "/t/m.avro");
    CHECK_FAILS(read_bytes(&f, NILAS_STR("PAR1....")), NILAS_UNSUPPORTED, f.err, "Parquet");
    CHECK_FAILS(read_bytes(&f, NILAS_STR("AGS1....")), NILAS_UNSUPPORTED, f.err, "encrypted");
    CHECK_CODE(read_bytes(&f, NILAS_STR("")), NILAS_CORRUPT, f.err);
}

NILAS_TEST(values_that_no_entry_can_have_are_refused) {
    FIXTURE(f);
    nilas_value status[] = {BARE_ENTRY(3)};
    nilas_value content[] = {
        ROW(INT(1), ROW(INT(7), TEXT("a"), TEXT("ORC"), ROW(NONE), INT(1), INT(1)))};

    CHECK_FAILS(read_rows(&f, BARE, status, 1), NILAS_CORRUPT, f.err, "status must be 0, 1 or 2");
    CHECK_FAILS(read_rows(&f, BARE, content, 1), NILAS_CORRUPT, f.err, "content must be 0, 1 or 2");
}

NILAS_TEST(a_manifest_cut_anywhere_is_an_error_or_ends_at_a_block) {
    FIXTURE(f);
    nilas_value storage[24];
    nilas_value rows[] = {full_row(storage), full_row(storage)};
    nilas_str bytes = write_manifest(&f, FULL, rows, 2, NILAS_COMPRESSION_NONE);

    for (size_t size = 0; size < bytes.size; size++) {
        nilas_code code = read_bytes(&f, (nilas_str){.data = bytes.data, .size = size});
        REQUIRE(code != NILAS_OK || f.count == 0);
    }
    REQUIRE_OK(read_bytes(&f, bytes), f.err);
}

NILAS_TEST(no_flipped_bit_breaks_the_reader) {
    FIXTURE(f);
    nilas_value storage[24];
    nilas_value rows[] = {full_row(storage), full_row(storage)};
    chance c = {.state = 7};

    for (int round = 0; round < 3000; round++) {
        NILAS_AUTO(nilas_arena) arena = make_arena();
        fixture inner = f;
        inner.arena = arena;
        nilas_str bytes =
            write_manifest(&inner, FULL, rows, 2,
                           round % 2 == 0 ? NILAS_COMPRESSION_NONE : NILAS_COMPRESSION_DEFLATE);
        char *damaged = (char *)(uintptr_t)bytes.data;
        for (uint64_t flips = 1 + chance_below(&c, 3); flips > 0; flips--) {
            damaged[chance_below(&c, bytes.size)] ^= (char)(1 << chance_below(&c, 8));
        }
        if (read_bytes(&inner, bytes) != NILAS_OK) {
            REQUIRE(inner.err.message[0] != '\0');
        }
    }
}
