/** Decoding: lists in parts, sizes that lie, cuts and flipped bits. */
#include "avro_sample.h"

static const char *const list_schema =
    "{\"type\":\"record\",\"name\":\"r\",\"fields\":["
    "{\"name\":\"l\",\"type\":{\"type\":\"array\",\"items\":\"int\"},\"field-id\":1},"
    "{\"name\":\"m\",\"type\":{\"type\":\"map\",\"values\":\"string\"},\"field-id\":2},"
    "{\"name\":\"end\",\"type\":\"int\",\"field-id\":3}]}";

/** A container of one block and one record, made by hand; header entries in a part with size. */
static nilas_str file_of(nilas_arena *arena, const char *schema, nilas_str block) {
    NILAS_AUTO_BUF out = {0};
    nilas_error err;
    nilas_str bytes = {0};
    size_t size = strlen(schema);
    nilas_buf_add_bytes(&out, "Obj\x01", 4);
    nilas_buf_add_bytes(&out, "\x01\x80\x08", 3); // one entry, as -1, and a size in bytes
    nilas_buf_add_bytes(&out,
                        "\x16"
                        "avro.schema",
                        12);
    nilas_buf_add_char(&out, (char)(size << 1 | 0x80));
    nilas_buf_add_char(&out, (char)(size >> 6));
    nilas_buf_add_text(&out, schema);
    nilas_buf_add_bytes(&out, "\0abcdefghijklmnop\x02", 18);
    nilas_buf_add_char(&out, (char)(block.size << 1));
    nilas_buf_add(&out, block);
    nilas_buf_add_text(&out, "abcdefghijklmnop");
    if (nilas_buf_finish(&out, arena, &bytes, &err) != NILAS_OK) {
        abort();
    }
    return bytes;
}

NILAS_TEST(lists_in_several_parts_with_and_without_sizes) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    // [1, 2] as a part, [3] with its size, [4, 5, 6]; {"a": "x"} with its size, {"b": ""}; 7
    nilas_str block = NILAS_STR("\x04\x02\x04\x01\x02\x06\x06\x08\x0A\x0C\x00"
                                "\x01\x08\x02"
                                "a\x02x\x02\x02"
                                "b\x00\x00\x0E");
    nilas_str bytes = file_of(arena, list_schema, block);
    nilas_avro_file *file;
    nilas_avro_plan *plan;
    const nilas_value *record;
    REQUIRE_OK(nilas_avro_open(arena, bytes, "t.avro", &file, &err), err);
    REQUIRE_OK(nilas_avro_plan_new(arena, file, NULL, &plan, &err), err);
    REQUIRE_OK(nilas_avro_next(file, plan, true, arena, &record, &err), err);
    REQUIRE(record->items[0].count == 6);
    for (size_t i = 0; i < 6; i++) {
        CHECK_INT(record->items[0].items[i].integer, i + 1);
    }
    REQUIRE(record->items[1].count == 2);
    CHECK_STR(record->items[1].items[1].text, "x");
    CHECK_STR(record->items[1].items[2].text, "b");
    CHECK_INT(record->items[2].integer, 7);

    nilas_avro_wanted last = {.field_id = 3};
    nilas_avro_wanted wanted = {.children = &last, .child_count = 1};
    REQUIRE_OK(nilas_avro_open(arena, bytes, "t.avro", &file, &err), err);
    REQUIRE_OK(nilas_avro_plan_new(arena, file, &wanted, &plan, &err), err);
    REQUIRE_OK(nilas_avro_next(file, plan, true, arena, &record, &err), err);
    CHECK_INT(record->items[0].integer, 7);
}

NILAS_TEST(many_small_parts_stay_linear) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO_BUF out = NILAS_BUF_INIT(1 << 24);
    nilas_buf_add_bytes(&out, "Obj\x01\x02\x16", 6);
    const char *schema = "{\"type\":\"array\",\"items\":\"int\"}";
    nilas_buf_print(&out, "avro.schema%c%s", (char)(strlen(schema) << 1), schema);
    nilas_buf_add_bytes(&out, "\0abcdefghijklmnop\x02\x82\x89\x7A", 21); // 1,000,001 bytes
    for (int i = 0; i < 500000; i++) {
        nilas_buf_add_bytes(&out, "\x02\x02", 2);
    }
    nilas_buf_add_bytes(&out, "\0abcdefghijklmnop", 17);
    size_t count;
    CHECK_OK(read_all(nilas_buf_view(&out), NULL, &count, &err), err);
    CHECK_INT(count, 1);
}

NILAS_TEST(sizes_and_counts_that_lie_are_found) {
    static const struct {
        const char *bytes;
        size_t size;
        const char *message;
    } cases[] = {
        {"\x80\x80\x80\x80\x20\x02", 6, "count that the block has room for"},
        {"\x01\x40\x02", 3, "part within the block"},
        {"\x01\x01\x02", 3, "part within the block"},
        {"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01\x00", 11, "part within the block"},
        {"\x00\x02\x40x", 4, "in field \"m\""},
        {"\x00\x02\x01x", 4, "bytes within the block"},
        {"\x02\x80\x80\x80\x80\x20\x00\x00\x00", 9, "32-bit number"},
        {"\x00\x00\x80", 3, "expected a number, found 1 bytes"},
        {"\x00\x00\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F", 12, "at most 64 bits"},
        {"\x00\x00", 2, "found 0 bytes in field \"end\""},
        {"\x00\x00\x02\x02", 4, "1 bytes are left"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        nilas_error err = NILAS_ERROR_INIT;
        NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
        nilas_str block = {.data = cases[i].bytes, .size = cases[i].size};
        size_t count;
        CHECK_CODE(read_all(file_of(arena, list_schema, block), NULL, &count, &err), NILAS_CORRUPT,
                   err);
        CHECK_CONTAINS(err.message, cases[i].message);
        CHECK_CONTAINS(err.message, "t.avro");
    }
}

NILAS_TEST(decimals_beyond_128_bits_are_corrupt) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    const char *schema = "{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":38,"
                         "\"scale\":0}                                       ";
    size_t count;
    nilas_str wide = NILAS_STR("\x24\xFF\xFF\x7F\xFF\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
    nilas_str extended = NILAS_STR("\x24\xFF\xFF\xFF\xFF\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
    nilas_str empty = NILAS_STR("\x00");
    CHECK_FAILS(read_all(file_of(arena, schema, wide), NULL, &count, &err), NILAS_CORRUPT, err,
                "128 bits");
    CHECK_CODE(read_all(file_of(arena, schema, extended), NULL, &count, &err), NILAS_OK, err);
    CHECK_OK(read_all(file_of(arena, schema, empty), NULL, &count, &err), err);
}

NILAS_TEST(every_cut_is_an_error_or_ends_at_a_block) {
    static const nilas_compression codecs[] = {NILAS_COMPRESSION_NONE, NILAS_COMPRESSION_DEFLATE,
                                               NILAS_COMPRESSION_SNAPPY, NILAS_COMPRESSION_ZSTD};
    for (size_t c = 0; c < 4; c++) {
        nilas_error err = NILAS_ERROR_INIT;
        NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
        nilas_str bytes = sample_file(arena, 3, codecs[c]);
        nilas_str header = sample_file(arena, 0, codecs[c]);
        size_t count;
        for (size_t cut = 0; cut < bytes.size; cut++) {
            nilas_code code = read_all(nilas_str_slice(bytes, 0, cut), NULL, &count, &err);
            // Only a header without blocks is whole, too.
            CHECK_INT(code, cut == header.size ? NILAS_OK : NILAS_CORRUPT);
            CHECK_INT(count, 0);
        }
    }
}

NILAS_TEST(spoiled_bytes_do_no_harm) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_str bytes = sample_file(arena, 2, NILAS_COMPRESSION_NONE);
    char *at = (char *)(uintptr_t)bytes.data;
    nilas_avro_wanted last = {.field_id = 29};
    nilas_avro_wanted wanted = {.children = &last, .child_count = 1};
    for (size_t i = 0; i < bytes.size; i++) {
        static const uint8_t flips[] = {0x01, 0x80, 0xFF};
        for (size_t k = 0; k < 3; k++) {
            nilas_error err = NILAS_ERROR_INIT;
            size_t count;
            at[i] = (char)(at[i] ^ flips[k]);
            (void)read_all(bytes, NULL, &count, &err);
            (void)read_all(bytes, &wanted, &count, &err);
            at[i] = (char)(at[i] ^ flips[k]);
        }
    }
}
