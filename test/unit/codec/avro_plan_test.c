/** Reading by what is wanted: ids, names, aliases, absent and required fields, hostile schemas. */
#include "avro_sample.h"

static const nilas_value *read_first(nilas_arena *arena, nilas_str bytes,
                                     const nilas_avro_wanted *wanted, nilas_error *err,
                                     nilas_code *code) {
    nilas_avro_file *file = NULL;
    nilas_avro_plan *plan = NULL;
    const nilas_value *record = NULL;
    *code = nilas_avro_open(arena, bytes, "t.avro", &file, err);
    if (*code == NILAS_OK) {
        *code = nilas_avro_plan_new(arena, file, wanted, &plan, err);
    }
    if (*code == NILAS_OK) {
        *code = nilas_avro_next(file, plan, true, arena, &record, err);
    }
    return *code == NILAS_OK ? record : NULL;
}

NILAS_TEST(fields_come_in_the_order_asked_for) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_avro_wanted x = {.field_id = 14, .required = true};
    nilas_avro_wanted children[] = {
        {.field_id = 29, .required = true},
        {.field_id = 999, .name = NILAS_STR("flag")}, // with ids in the file names do not count
        {.field_id = -1, .name = NILAS_STR("text")},
        {.field_id = 16,
         .children = &(nilas_avro_wanted){.children = &x, .child_count = 1},
         .child_count = 1},
        {.field_id = 13, .children = &x, .child_count = 1},
    };
    nilas_avro_wanted wanted = {.children = children, .child_count = 5};
    nilas_code code;
    for (size_t seed = 1; seed < 40; seed++) {
        nilas_str bytes = sample_file(arena, seed, NILAS_COMPRESSION_NONE);
        sampler s = {.arena = arena, .state = seed};
        nilas_value row = sample_row(&s);
        const nilas_value *record = read_first(arena, bytes, &wanted, &err, &code);
        REQUIRE_OK(code, err);
        REQUIRE(record->count == 5);
        CHECK_INT(record->items[0].integer, -7);
        CHECK(nilas_value_is_null(&record->items[1]));
        CHECK(nilas_value_equal(&record->items[2], &row.items[5]));
        REQUIRE(record->items[3].count == row.items[13].count);
        for (size_t i = 0; i < row.items[13].count; i++) {
            REQUIRE(record->items[3].items[i].count == 1);
            CHECK(nilas_value_equal(&record->items[3].items[i].items[0],
                                    &row.items[13].items[i].items[0]));
        }
        CHECK_INT(record->items[4].kind, row.items[12].kind);
    }
}

NILAS_TEST(every_field_alone_is_what_it_is_among_all) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_code code;
    static const int32_t ids[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                  11, 12, 13, 16, 18, 21, 24, 27, 28, 29};
    for (size_t seed = 1; seed < 30; seed++) {
        NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
        nilas_str bytes = sample_file(arena, seed, NILAS_COMPRESSION_NONE);
        sampler s = {.arena = arena, .state = seed};
        nilas_value row = sample_row(&s);
        for (size_t i = 0; i < SAMPLE_FIELDS; i++) {
            nilas_avro_wanted child = {.field_id = ids[i]};
            nilas_avro_wanted wanted = {.children = &child, .child_count = 1};
            const nilas_value *record = read_first(arena, bytes, &wanted, &err, &code);
            REQUIRE_OK(code, err);
            CHECK(nilas_value_equal(&record->items[0], &row.items[i]));
        }
    }
}

NILAS_TEST(chosen_entries_of_a_map) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_code code;
    static const int32_t keys[] = {6, 0, 77};
    nilas_avro_wanted children[] = {{.field_id = 21, .keys = keys, .key_count = 3},
                                    {.field_id = 18, .keys = keys, .key_count = 1},
                                    {.field_id = 29}};
    nilas_avro_wanted wanted = {.children = children, .child_count = 3};
    for (size_t seed = 1; seed < 60; seed++) {
        NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
        nilas_str bytes = sample_file(arena, seed, NILAS_COMPRESSION_NONE);
        sampler s = {.arena = arena, .state = seed};
        nilas_value row = sample_row(&s);
        const nilas_value *record = read_first(arena, bytes, &wanted, &err, &code);
        REQUIRE_OK(code, err);
        CHECK_INT(record->items[2].integer, -7);
        // The sample's keys are 0, 3, 6, …
        size_t all = row.items[15].count;
        CHECK_INT(record->items[0].count, all > 2 ? 2 : all > 0 ? 1 : 0);
        if (all > 2) {
            CHECK_INT(record->items[0].items[2].integer, 6);
            CHECK(nilas_value_equal(&record->items[0].items[3], &row.items[15].items[5]));
        }
        bool null = nilas_value_is_null(&row.items[14]);
        CHECK_INT(nilas_value_is_null(&record->items[1]), null);
        CHECK(null || record->items[1].count == (row.items[14].count > 2 ? 1 : 0));
    }
}

NILAS_TEST(without_ids_names_and_aliases_match) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_value items[] = {nilas_value_of_int(1), nilas_value_of_int(2)};
    nilas_value row = {.kind = NILAS_VALUE_STRUCT, .items = items, .count = 2};
    nilas_str alias = NILAS_STR("b");
    nilas_avro_wanted children[] = {
        {.field_id = 10, .name = NILAS_STR("new_b"), .aliases = &alias, .alias_count = 1},
        {.field_id = 11, .name = NILAS_STR("a")}};
    nilas_avro_wanted wanted = {.children = children, .child_count = 2};
    nilas_avro_writer *writer;
    nilas_str bytes;
    nilas_code code;
    REQUIRE_OK(nilas_avro_writer_new(arena,
                                     NILAS_STR("{\"type\":\"record\",\"name\":\"r\",\"fields\":["
                                               "{\"name\":\"a\",\"type\":\"int\"},"
                                               "{\"name\":\"b\",\"type\":\"int\"}]}"),
                                     NULL, 0, NILAS_COMPRESSION_NONE, -1, &writer, &err),
               err);
    REQUIRE_OK(nilas_avro_write(writer, &row, &err), err);
    REQUIRE_OK(nilas_avro_writer_finish(writer, &bytes, &err), err);
    const nilas_value *record = read_first(arena, bytes, &wanted, &err, &code);
    REQUIRE_OK(code, err);
    CHECK_INT(record->items[0].integer, 2);
    CHECK_INT(record->items[1].integer, 1);
}

NILAS_TEST(required_fields_must_be_there) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_str bytes = sample_file(arena, 200, NILAS_COMPRESSION_NONE);
    nilas_avro_wanted child = {.field_id = 1000, .name = NILAS_STR("gone"), .required = true};
    nilas_avro_wanted wanted = {.children = &child, .child_count = 1};
    size_t count;
    CHECK_FAILS(read_all(bytes, &wanted, &count, &err), NILAS_CORRUPT, err,
                "required field \"gone\" (id 1000) is not in record \"row\"");
    child = (nilas_avro_wanted){.field_id = 3, .required = true};
    CHECK_FAILS(read_all(bytes, &wanted, &count, &err), NILAS_CORRUPT, err, "in field \"big\"");
    child = (nilas_avro_wanted){.field_id = 28, .required = true};
    CHECK_FAILS(read_all(bytes, &wanted, &count, &err), NILAS_CORRUPT, err, "in field \"nothing\"");
}

NILAS_TEST(shapes_that_do_not_fit_are_corrupt) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_str bytes = sample_file(arena, 1, NILAS_COMPRESSION_NONE);
    nilas_avro_wanted parts[3] = {{.field_id = 1}, {.field_id = 2}, {.field_id = 3}};
    nilas_avro_wanted child = {.field_id = 2, .children = parts, .child_count = 1};
    nilas_avro_wanted wanted = {.children = &child, .child_count = 1};
    nilas_avro_wanted twice[] = {{.field_id = 2}, {.field_id = 2}};
    size_t count;
    CHECK_FAILS(read_all(bytes, &wanted, &count, &err), NILAS_CORRUPT, err, "found int");
    child.field_id = 16;
    child.child_count = 3;
    CHECK_FAILS(read_all(bytes, &wanted, &count, &err), NILAS_CORRUPT, err, "found an array");
    child.field_id = 24;
    CHECK_FAILS(read_all(bytes, &wanted, &count, &err), NILAS_CORRUPT, err, "found a map");
    wanted = (nilas_avro_wanted){.children = twice, .child_count = 2};
    CHECK_FAILS(read_all(bytes, &wanted, &count, &err), NILAS_INVALID, err, "asked for twice");
}

/** A container of one block with the schema, without codec. */
static nilas_str file_of(nilas_arena *arena, nilas_str schema, int64_t count, nilas_str block) {
    NILAS_AUTO_BUF out = NILAS_BUF_INIT(1 << 30);
    nilas_error err;
    nilas_str bytes = {0};
    uint64_t raw = (uint64_t)schema.size << 1;
    nilas_buf_add_bytes(&out,
                        "Obj\x01\x02\x16"
                        "avro.schema",
                        17);
    for (; raw >= 0x80; raw >>= 7) {
        nilas_buf_add_char(&out, (char)(raw | 0x80));
    }
    nilas_buf_add_char(&out, (char)raw);
    nilas_buf_add(&out, schema);
    nilas_buf_add_bytes(&out, "\0abcdefghijklmnop", 17);
    for (raw = (uint64_t)count << 1; raw >= 0x80; raw >>= 7) {
        nilas_buf_add_char(&out, (char)(raw | 0x80));
    }
    nilas_buf_add_char(&out, (char)raw);
    nilas_buf_add_char(&out, (char)(block.size << 1));
    nilas_buf_add(&out, block);
    nilas_buf_add_text(&out, "abcdefghijklmnop");
    if (nilas_buf_finish(&out, arena, &bytes, &err) != NILAS_OK) {
        abort();
    }
    return bytes;
}

NILAS_TEST(doubling_types_cost_no_more_than_their_text) {
    // Each record has two fields of the record before: 2^60 values in a row of 60 lines.
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    NILAS_AUTO_BUF schema = {0};
    size_t count;
    nilas_buf_add_text(&schema, "{\"type\":\"record\",\"name\":\"top\",\"fields\":[{\"name\":\"f\","
                                "\"type\":{\"type\":\"record\",\"name\":\"r0\",\"fields\":[]}}");
    for (int i = 1; i < 60; i++) {
        nilas_buf_print(&schema,
                        ",{\"name\":\"f%d\",\"type\":{\"type\":\"record\",\"name\":\"r%d\","
                        "\"fields\":[{\"name\":\"a\",\"type\":\"r%d\"},{\"name\":\"b\",\"type\":"
                        "\"r%d\"}]}}",
                        i, i, i - 1, i - 1);
    }
    nilas_buf_add_text(&schema, "]}");
    nilas_str bytes = file_of(arena, nilas_buf_view(&schema), 1, NILAS_STR_EMPTY);
    CHECK_FAILS(read_all(bytes, NULL, &count, &err), NILAS_LIMIT, err, "too many fields");
}

NILAS_TEST(long_chains_of_types_end_at_the_limit) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    NILAS_AUTO_BUF schema = {0};
    size_t count;
    nilas_buf_add_text(&schema, "{\"type\":\"record\",\"name\":\"top\",\"fields\":[{\"name\":\"f\","
                                "\"type\":{\"type\":\"record\",\"name\":\"r0\",\"fields\":[]}}");
    for (int i = 1; i < 20000; i++) {
        nilas_buf_print(&schema,
                        ",{\"name\":\"f%d\",\"type\":{\"type\":\"record\",\"name\":\"r%d\","
                        "\"fields\":[{\"name\":\"a\",\"type\":\"r%d\"}]}}",
                        i, i, i - 1);
    }
    nilas_buf_add_text(&schema, "]}");
    nilas_str bytes = file_of(arena, nilas_buf_view(&schema), 1, NILAS_STR_EMPTY);
    CHECK_FAILS(read_all(bytes, NULL, &count, &err), NILAS_LIMIT, err, "nest deeper");
}

NILAS_TEST(items_without_content_have_a_budget) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    size_t count;
    nilas_str nulls = NILAS_STR("{\"type\":\"array\",\"items\":\"null\"}");
    nilas_str empty = NILAS_STR("{\"type\":\"record\",\"name\":\"e\",\"fields\":[]}");
    // 2^40 nulls in six bytes; 2^40 empty records in none.
    nilas_str block = NILAS_STR("\x80\x80\x80\x80\x80\x40\x00");
    nilas_str bytes = file_of(arena, nulls, 1, block);
    CHECK_FAILS(read_all(bytes, NULL, &count, &err), NILAS_LIMIT, err, "without content");
    bytes = file_of(arena, empty, 1LL << 40, NILAS_STR_EMPTY);
    CHECK_FAILS(read_all(bytes, NULL, &count, &err), NILAS_LIMIT, err, "without content");
    bytes = file_of(arena, empty, 1000, NILAS_STR_EMPTY);
    CHECK_OK(read_all(bytes, NULL, &count, &err), err);
    CHECK_INT(count, 1000);
}

NILAS_TEST(unions_of_several_types_are_read_whole) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_code code;
    nilas_str schema = NILAS_STR("{\"type\":\"array\",\"items\":[\"int\",\"null\",\"string\"]}");
    nilas_str block = NILAS_STR("\x06\x00\x0A\x02\x04\x02x\x00");
    nilas_str bytes = file_of(arena, schema, 1, block);
    const nilas_value *record = read_first(arena, bytes, NULL, &err, &code);
    REQUIRE_OK(code, err);
    REQUIRE(record->kind == NILAS_VALUE_LIST && record->count == 3);
    CHECK_INT(record->items[0].integer, 5);
    CHECK(nilas_value_is_null(&record->items[1]));
    CHECK_STR(record->items[2].text, "x");
    bytes = file_of(arena, schema, 1, NILAS_STR("\x02\x06\x00"));
    (void)read_first(arena, bytes, NULL, &err, &code);
    CHECK_FAILS(code, NILAS_CORRUPT, err, "expected a branch of the union, found 3");
}
