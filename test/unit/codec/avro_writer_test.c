/** Avro: what was written comes back, with every codec; wrong values are refused. */
#include "avro_sample.h"

static void check_codec(nilas_compression compression, size_t count, bool copy) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_str bytes = sample_file(arena, count, compression);
    sampler s = {.arena = arena, .state = count};
    nilas_avro_file *file;
    nilas_avro_plan *plan;
    const nilas_value *record;
    nilas_str text;
    REQUIRE_OK(nilas_avro_open(arena, bytes, "t.avro", &file, &err), err);
    REQUIRE(nilas_avro_file_property(file, "format-version", &text));
    CHECK_STR(text, "2");
    CHECK(!nilas_avro_file_property(file, "absent", &text));
    REQUIRE_OK(nilas_avro_plan_new(arena, file, NULL, &plan, &err), err);
    for (size_t i = 0; i < count; i++) {
        nilas_value expected = sample_row(&s);
        REQUIRE_OK(nilas_avro_next(file, plan, copy, scratch, &record, &err), err);
        REQUIRE(record != NULL);
        REQUIRE(nilas_value_equal(record, &expected));
        if (!copy) {
            nilas_arena_reset(scratch);
        }
    }
    for (int again = 0; again < 2; again++) {
        REQUIRE_OK(nilas_avro_next(file, plan, copy, scratch, &record, &err), err);
        CHECK(record == NULL);
    }
}

NILAS_TEST(rows_come_back_with_every_codec) {
    static const nilas_compression codecs[] = {NILAS_COMPRESSION_NONE, NILAS_COMPRESSION_DEFLATE,
                                               NILAS_COMPRESSION_SNAPPY, NILAS_COMPRESSION_ZSTD};
    for (size_t i = 0; i < 4; i++) {
        check_codec(codecs[i], 0, false);
        check_codec(codecs[i], 1, true);
        check_codec(codecs[i], 1000, false); // several blocks
        check_codec(codecs[i], 700, true);
    }
}

NILAS_TEST(copies_outlive_the_block) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) kept = nilas_arena_new(NULL, 0);
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_str bytes = sample_file(arena, 1000, NILAS_COMPRESSION_DEFLATE);
    sampler s = {.arena = arena, .state = 1000};
    const nilas_value *records[1000];
    nilas_arena *reading = nilas_arena_new(NULL, 0);
    nilas_avro_file *file;
    nilas_avro_plan *plan;
    REQUIRE_OK(nilas_avro_open(reading, bytes, "t.avro", &file, &err), err);
    REQUIRE_OK(nilas_avro_plan_new(reading, file, NULL, &plan, &err), err);
    for (size_t i = 0; i < 1000; i++) {
        REQUIRE_OK(nilas_avro_next(file, plan, true, kept, &records[i], &err), err);
    }
    for (size_t i = 0; i < 1000; i++) {
        nilas_value expected = sample_row(&s);
        REQUIRE(nilas_value_equal(records[i], &expected));
    }
    nilas_arena_free(reading);
}

static nilas_code write_one(const char *schema, nilas_value value, nilas_error *err) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_avro_writer *writer;
    nilas_str bytes;
    NILAS_TRY(nilas_avro_writer_new(arena, nilas_str_of(schema), NULL, 0, NILAS_COMPRESSION_NONE,
                                    -1, &writer, err));
    NILAS_TRY(nilas_avro_write(writer, &value, err));
    return nilas_avro_writer_finish(writer, &bytes, err);
}

NILAS_TEST(values_of_the_wrong_kind_are_refused) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_value five = nilas_value_of_int(5);
    nilas_value text = nilas_value_of_str(NILAS_STR("x"));
    nilas_value row = {.kind = NILAS_VALUE_STRUCT, .items = &text, .count = 1};
    const char *record =
        "{\"type\":\"record\",\"name\":\"r\",\"fields\":[{\"name\":\"a\",\"type\":\"int\"}]}";
    CHECK_OK(write_one("\"int\"", five, &err), err);
    CHECK_FAILS(write_one("\"int\"", text, &err), NILAS_INVALID, err, "found text");
    CHECK_FAILS(write_one(record, row, &err), NILAS_INVALID, err, "in field \"a\"");
    row.count = 0;
    CHECK_FAILS(write_one(record, row, &err), NILAS_INVALID, err, "expected 1 fields, found 0");
    CHECK_CODE(write_one("\"int\"", nilas_value_of_int(1LL << 31), &err), NILAS_INVALID, err);
    CHECK_CODE(write_one("\"null\"", five, &err), NILAS_INVALID, err);
    CHECK_CODE(write_one("[\"int\",\"string\"]", five, &err), NILAS_UNSUPPORTED, err);
    CHECK_CODE(write_one("{\"type\":\"fixed\",\"name\":\"f\",\"size\":2}",
                         nilas_value_of_bytes(NILAS_STR("abc")), &err),
               NILAS_INVALID, err);
    CHECK_CODE(write_one("{\"type\":\"enum\",\"name\":\"e\",\"symbols\":[\"A\"]}", text, &err),
               NILAS_INVALID, err);
    const char *decimal = "{\"type\":\"fixed\",\"name\":\"d\",\"size\":1,"
                          "\"logicalType\":\"decimal\",\"precision\":2,\"scale\":1}";
    CHECK_OK(write_one(decimal, nilas_value_of_decimal(-128, 1), &err), err);
    CHECK_CODE(write_one(decimal, nilas_value_of_decimal(128, 1), &err), NILAS_INVALID, err);
    CHECK_FAILS(write_one(decimal, nilas_value_of_decimal(1, 2), &err), NILAS_INVALID, err,
                "expected scale 1, found 2");
}

NILAS_TEST(a_refused_row_leaves_no_trace) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    const char *schema = "{\"type\":\"record\",\"name\":\"r\",\"fields\":[{\"name\":\"a\","
                         "\"type\":\"string\"},{\"name\":\"b\",\"type\":\"int\"}]}";
    nilas_value good[] = {nilas_value_of_str(NILAS_STR("abc")), nilas_value_of_int(1)};
    nilas_value bad[] = {nilas_value_of_str(NILAS_STR("abc")), NILAS_NULL_VALUE};
    nilas_value rows[] = {{.kind = NILAS_VALUE_STRUCT, .items = good, .count = 2},
                          {.kind = NILAS_VALUE_STRUCT, .items = bad, .count = 2}};
    nilas_avro_writer *writer;
    nilas_str bytes;
    size_t count;
    REQUIRE_OK(nilas_avro_writer_new(arena, nilas_str_of(schema), NULL, 0,
                                     NILAS_COMPRESSION_DEFLATE, -1, &writer, &err),
               err);
    CHECK_OK(nilas_avro_write(writer, &rows[0], &err), err);
    CHECK_CODE(nilas_avro_write(writer, &rows[1], &err), NILAS_INVALID, err);
    CHECK_OK(nilas_avro_write(writer, &rows[0], &err), err);
    REQUIRE_OK(nilas_avro_writer_finish(writer, &bytes, &err), err);
    CHECK_OK(read_all(bytes, NULL, &count, &err), err);
    CHECK_INT(count, 2);
}

NILAS_TEST(codecs_that_avro_has_not_are_refused) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_avro_writer *writer;
    CHECK_CODE(nilas_avro_writer_new(arena, NILAS_STR("\"int\""), NULL, 0, NILAS_COMPRESSION_LZ4,
                                     -1, &writer, &err),
               NILAS_UNSUPPORTED, err);
}
