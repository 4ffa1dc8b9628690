/** Puffin files: what was written comes back; every lie of the footer is found. */
#include "codec/codec.h"
#include "test.h"

static nilas_str make_file(nilas_arena *arena) {
    nilas_error err = NILAS_ERROR_INIT;
    static int32_t fields[] = {1, 2147483646};
    static nilas_json properties;
    nilas_str file = {0};
    CHECK_OK(nilas_json_parse(arena, NILAS_STR("{\"cardinality\":\"2\"}"), "p", &properties, &err),
             err);
    nilas_puffin_part parts[] = {
        {.blob = {.type = NILAS_STR("deletion-vector-v1"),
                  .field_ids = fields,
                  .field_count = 2,
                  .snapshot_id = -1,
                  .sequence_number = -1,
                  .properties = &properties},
         .data = NILAS_STR("0123456789")},
        {.blob = {.type = NILAS_STR("apache-datasketches-theta-v1"),
                  .snapshot_id = INT64_MAX,
                  .sequence_number = 5,
                  .compression = NILAS_COMPRESSION_ZSTD},
         .data = NILAS_STR("abc")},
    };
    CHECK_OK(nilas_puffin_print(arena, parts, 2, &file, &err), err);
    CHECK_INT(parts[1].blob.offset, 14);
    return file;
}

NILAS_TEST(blobs_come_back) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_str file = make_file(arena);
    nilas_puffin_blob *blobs;
    nilas_str text;
    size_t count;
    REQUIRE_OK(nilas_puffin_parse(arena, file, "f.puffin", &blobs, &count, &err), err);
    REQUIRE(count == 2);
    CHECK_STR(blobs[0].type, "deletion-vector-v1");
    CHECK_INT(blobs[0].field_count, 2);
    CHECK_INT(blobs[0].field_ids[1], 2147483646);
    CHECK_INT(blobs[0].snapshot_id, -1);
    CHECK_STR(nilas_str_slice(file, (size_t)blobs[0].offset, (size_t)blobs[0].length),
              "0123456789");
    CHECK_OK(nilas_json_get_str(blobs[0].properties, "cardinality", &text, &err), err);
    CHECK_STR(text, "2");
    CHECK_INT(blobs[1].compression, NILAS_COMPRESSION_ZSTD);
    CHECK_INT(blobs[1].snapshot_id, INT64_MAX);
    CHECK(blobs[1].properties == NULL);
    CHECK_STR(nilas_str_slice(file, (size_t)blobs[1].offset, (size_t)blobs[1].length), "abc");
}

NILAS_TEST(a_file_without_blobs_is_a_file) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_puffin_blob *blobs;
    nilas_str file;
    size_t count = 1;
    REQUIRE_OK(nilas_puffin_print(arena, NULL, 0, &file, &err), err);
    REQUIRE_OK(nilas_puffin_parse(arena, file, "f", &blobs, &count, &err), err);
    CHECK_INT(count, 0);
}

NILAS_TEST(every_cut_is_an_error) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_str file = make_file(arena);
    nilas_puffin_blob *blobs;
    size_t count;
    for (size_t cut = 0; cut < file.size; cut++) {
        CHECK_CODE(
            nilas_puffin_parse(arena, nilas_str_slice(file, 0, cut), "f", &blobs, &count, &err),
            NILAS_CORRUPT, err);
        CHECK_CODE(nilas_puffin_parse(arena, nilas_str_slice(file, cut + 1, file.size), "f", &blobs,
                                      &count, &err),
                   NILAS_CORRUPT, err);
    }
}

/** A file around a footer text, its length and its flags. */
static nilas_code parse_footer(const char *payload, uint32_t size, uint32_t flags,
                               nilas_error *err) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    NILAS_AUTO_BUF file = {0};
    nilas_puffin_blob *blobs;
    size_t count;
    nilas_buf_add_text(&file, "PFA1blobPFA1");
    nilas_buf_add_text(&file, payload);
    nilas_buf_add_bytes(&file, &size, 4);
    nilas_buf_add_bytes(&file, &flags, 4);
    nilas_buf_add_text(&file, "PFA1");
    return nilas_puffin_parse(arena, nilas_buf_view(&file), "f.puffin", &blobs, &count, err);
}

#define BLOB(more)                                                                                 \
    "{\"blobs\":[{\"type\":\"t\",\"fields\":[1],\"snapshot-id\":1,\"sequence-number\":1," more "}" \
    "]"                                                                                            \
    "}"

NILAS_TEST(lies_of_the_footer_are_found) {
    static const struct {
        const char *payload;
        uint32_t flags;
        nilas_code code;
        const char *message;
    } cases[] = {
        {BLOB("\"offset\":4,\"length\":4"), 0, NILAS_OK, ""},
        {BLOB("\"offset\":4,\"length\":4"), 1, NILAS_UNSUPPORTED, "lz4"},
        {BLOB("\"offset\":4,\"length\":4"), 0x100, NILAS_UNSUPPORTED, "flags"},
        {BLOB("\"offset\":3,\"length\":4"), 0, NILAS_CORRUPT, "outside the blobs"},
        {BLOB("\"offset\":4,\"length\":5"), 0, NILAS_CORRUPT, "outside the blobs"},
        {BLOB("\"offset\":-4,\"length\":4"), 0, NILAS_CORRUPT, "outside the blobs"},
        {BLOB("\"offset\":4,\"length\":-1"), 0, NILAS_CORRUPT, "outside the blobs"},
        {BLOB("\"offset\":9223372036854775807,\"length\":9223372036854775807"), 0, NILAS_CORRUPT,
         "in blob 0 of f.puffin"},
        {BLOB("\"offset\":4"), 0, NILAS_CORRUPT, "\"length\""},
        {BLOB("\"offset\":4,\"length\":4,\"compression-codec\":\"brotli\""), 0, NILAS_UNSUPPORTED,
         "brotli"},
        {BLOB("\"offset\":4,\"length\":4,\"fields\":[\"x\"]"), 0, NILAS_CORRUPT, "32-bit"},
        {BLOB("\"offset\":4,\"length\":4,\"fields\":[2147483648]"), 0, NILAS_CORRUPT, "32-bit"},
        {"{}", 0, NILAS_CORRUPT, "\"blobs\""},
        {"[]", 0, NILAS_CORRUPT, "object"},
        {"{\"blobs\":[1]}", 0, NILAS_CORRUPT, "object"},
        {"{", 0, NILAS_CORRUPT, "line 1"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        nilas_error err = NILAS_ERROR_INIT;
        uint32_t size = (uint32_t)strlen(cases[i].payload);
        nilas_code code = parse_footer(cases[i].payload, size, cases[i].flags, &err);
        CHECK_INT(code, cases[i].code);
        CHECK_CONTAINS(err.message, cases[i].message);
    }
}

NILAS_TEST(a_footer_size_that_lies_is_found) {
    nilas_error err = NILAS_ERROR_INIT;
    static const uint32_t sizes[] = {0, 1, 100, 1U << 25, UINT32_MAX};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        nilas_code code = parse_footer("{\"blobs\":[]}", sizes[i], 0, &err);
        CHECK(code == NILAS_CORRUPT || (code == NILAS_LIMIT && sizes[i] > (64U << 20)));
    }
}
