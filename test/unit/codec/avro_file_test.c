/** Avro containers: headers and blocks that are not what they should be. */
#include "avro_sample.h"

#define HEADER(codec)                                                                              \
    "Obj\x01\x04\x14"                                                                              \
    "avro.codec" codec "\x16"                                                                      \
    "avro.schema\x0A\"int\"\0abcdefghijklmnop"

static nilas_code read_bytes(const char *bytes, size_t size, size_t *count, nilas_error *err) {
    return read_all((nilas_str){.data = bytes, .size = size}, NULL, count, err);
}
#define READ(text, count, err) read_bytes((text), sizeof(text) - 1, (count), (err))

NILAS_TEST(a_file_made_by_hand_is_read) {
    nilas_error err = NILAS_ERROR_INIT;
    size_t count;
    CHECK_OK(READ(HEADER("\x08null"), &count, &err), err);
    CHECK_INT(count, 0);
    CHECK_OK(READ(HEADER("\x08null") "\x04\x04\x02\x04"
                                     "abcdefghijklmnop"
                                     "\x00\x00"
                                     "abcdefghijklmnop"
                                     "\x02\x02\x02"
                                     "abcdefghijklmnop",
                  &count, &err),
             err);
    CHECK_INT(count, 3); // an empty block in between is fine
}

NILAS_TEST(headers_that_are_none) {
    nilas_error err = NILAS_ERROR_INIT;
    size_t count;
    CHECK_FAILS(READ("Obj\x02", &count, &err), NILAS_CORRUPT, err, "not an Avro file");
    CHECK_FAILS(READ("PAR1xxxx", &count, &err), NILAS_CORRUPT, err, "t.avro: not an Avro file");
    CHECK_CODE(READ("", &count, &err), NILAS_CORRUPT, err);
    CHECK_FAILS(READ("Obj\x01\x00"
                     "abcdefghijklmnop",
                     &count, &err),
                NILAS_CORRUPT, err, "no \"avro.schema\"");
    CHECK_FAILS(READ("Obj\x01\x80\x80\x80\x80\x20xx", &count, &err), NILAS_CORRUPT, err,
                "header entries");
    CHECK_FAILS(READ("Obj\x01\x02\x01xx", &count, &err), NILAS_CORRUPT, err, "expected a size");
    CHECK_FAILS(READ("Obj\x01\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01\x02", &count, &err),
                NILAS_CORRUPT, err, "header entries");
    CHECK_FAILS(READ(HEADER("\x0A"
                            "bzip2"),
                     &count, &err),
                NILAS_UNSUPPORTED, err, "codec \"bzip2\"");
}

NILAS_TEST(blocks_that_lie) {
    nilas_error err = NILAS_ERROR_INIT;
    size_t count;
    CHECK_FAILS(READ(HEADER("\x08null") "\x02\x02\x02"
                                        "abcdefghijklmnoq",
                     &count, &err),
                NILAS_CORRUPT, err, "sync marker");
    CHECK_FAILS(READ(HEADER("\x08null") "\x01\x02\x02"
                                        "abcdefghijklmnop",
                     &count, &err),
                NILAS_CORRUPT, err, "count -1");
    CHECK_FAILS(READ(HEADER("\x08null") "\x02\x01\x02"
                                        "abcdefghijklmnop",
                     &count, &err),
                NILAS_CORRUPT, err, "size -1");
    CHECK_FAILS(READ(HEADER("\x08null") "\x02\x82\x80\x80\x80\x08", &count, &err), NILAS_LIMIT, err,
                "the limit is");
    CHECK_FAILS(READ(HEADER("\x08null") "\x06\x04\x02\x04"
                                        "abcdefghijklmnop",
                     &count, &err),
                NILAS_CORRUPT, err, "block 1");
    CHECK_INT(count, 2);
    CHECK_FAILS(READ(HEADER("\x0C"
                            "snappy") "\x02\x06\x01\x00\x02"
                                      "abcdefghijklmnop",
                     &count, &err),
                NILAS_CORRUPT, err, "CRC");
    CHECK_FAILS(READ(HEADER("\x0C"
                            "snappy") "\x02\x0E\x01\x00\x02\xFF\xFF\xFF\xFF"
                                      "abcdefghijklmnop",
                     &count, &err),
                NILAS_CORRUPT, err, "in t.avro, block 1 at offset");
    CHECK_FAILS(READ(HEADER("\x0E"
                            "deflate") "\x02\x06\xFF\xFF\xFF"
                                       "abcdefghijklmnop",
                     &count, &err),
                NILAS_CORRUPT, err, "deflate data");
}

NILAS_TEST(the_last_of_two_properties_counts) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_avro_file *file;
    nilas_str value;
    REQUIRE_OK(nilas_avro_open(arena,
                               NILAS_STR("Obj\x01\x04\x02k\x02"
                                         "a\x02k\x02"
                                         "b\x02\x16"
                                         "avro.schema\x0A\"int\"\0abcdefghijklmnop"),
                               "t.avro", &file, &err),
               err);
    REQUIRE(nilas_avro_file_property(file, "k", &value));
    CHECK_STR(value, "b");
    CHECK_INT(nilas_avro_file_schema(file)->kind, NILAS_AVRO_INT);
}
