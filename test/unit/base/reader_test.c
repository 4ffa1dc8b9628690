/** The bounded cursor: values, bounds, numbers that are too long. */
#include "base/base.h"
#include "test.h"

NILAS_TEST(numbers_are_read_in_both_byte_orders) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_reader reader =
        nilas_reader_of((nilas_str){.data = "\x01\x02\x03\x04\x01\x02\x03\x84\x01\x00\x00\x00"
                                            "\x00\x00\x00\x80\xFF",
                                    .size = 17},
                        "bytes");
    uint32_t four;
    uint64_t eight;
    uint8_t one;
    REQUIRE_OK(nilas_reader_u32le(&reader, &four, &err), err);
    CHECK_INT(four, 0x04030201);
    REQUIRE_OK(nilas_reader_u32be(&reader, &four, &err), err);
    CHECK_INT(four, 0x01020384);
    REQUIRE_OK(nilas_reader_u64le(&reader, &eight, &err), err);
    CHECK(eight == 0x8000000000000001ULL);
    CHECK_FAILS(nilas_reader_u32le(&reader, &four, &err), NILAS_CORRUPT, err,
                "bytes: 4 bytes expected at offset 16, found 1");
    REQUIRE_OK(nilas_reader_u8(&reader, &one, &err), err);
    CHECK_INT(one, 255);
    CHECK_INT(nilas_reader_left(&reader), 0);
    CHECK_CODE(nilas_reader_u8(&reader, &one, &err), NILAS_CORRUPT, err);
}

NILAS_TEST(varints_cover_all_of_64_bits) {
    static const struct {
        const char *bytes;
        size_t size;
        int64_t value;
    } cases[] = {
        {"\x00", 1, 0},
        {"\x01", 1, -1},
        {"\x02", 1, 1},
        {"\x7F", 1, -64},
        {"\x80\x01", 2, 64},
        {"\xFE\xFF\xFF\xFF\x0F", 5, INT32_MAX},
        {"\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01", 10, INT64_MAX},
        {"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01", 10, INT64_MIN},
    };
    nilas_error err = NILAS_ERROR_INIT;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        nilas_str bytes = {.data = cases[i].bytes, .size = cases[i].size};
        nilas_reader reader = nilas_reader_of(bytes, "number");
        int64_t value = 0;
        REQUIRE_OK(nilas_reader_varint(&reader, &value, &err), err);
        CHECK_INT(value, cases[i].value);
        for (size_t cut = 0; cut < bytes.size; cut++) {
            reader = nilas_reader_of(nilas_str_slice(bytes, 0, cut), "number");
            CHECK_CODE(nilas_reader_varint(&reader, &value, &err), NILAS_CORRUPT, err);
        }
    }
}

NILAS_TEST(longer_numbers_are_corrupt) {
    nilas_error err = NILAS_ERROR_INIT;
    int64_t value;
    nilas_reader reader =
        nilas_reader_of(NILAS_STR("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x02"), "number");
    CHECK_FAILS(nilas_reader_varint(&reader, &value, &err), NILAS_CORRUPT, err, "64 bits");
    reader = nilas_reader_of(NILAS_STR("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"), "number");
    CHECK_CODE(nilas_reader_varint(&reader, &value, &err), NILAS_CORRUPT, err);
}

NILAS_TEST(spans_stay_inside) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_reader reader = nilas_reader_of(NILAS_STR("abcdef"), "span");
    nilas_str span;
    REQUIRE_OK(nilas_reader_skip(&reader, 1, &err), err);
    REQUIRE_OK(nilas_reader_bytes(&reader, 2, &span, &err), err);
    CHECK_STR(span, "bc");
    CHECK_CODE(nilas_reader_bytes(&reader, 4, &span, &err), NILAS_CORRUPT, err);
    CHECK_CODE(nilas_reader_skip(&reader, SIZE_MAX, &err), NILAS_CORRUPT, err);
    CHECK_INT(reader.position, 3);
    reader = nilas_reader_of((nilas_str){0}, "nothing");
    CHECK_OK(nilas_reader_bytes(&reader, 0, &span, &err), err);
}
