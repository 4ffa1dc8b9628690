#include <math.h>

#include "make.h"

static const char *const type_names[] = {
    "\"boolean\"",
    "\"int\"",
    "\"long\"",
    "\"float\"",
    "\"double\"",
    "\"date\"",
    "\"time\"",
    "\"timestamp\"",
    "\"timestamptz\"",
    "\"timestamp_ns\"",
    "\"timestamptz_ns\"",
    "\"string\"",
    "\"uuid\"",
    "\"fixed[5]\"",
    "\"binary\"",
    "\"decimal(9, 2)\"",
    "\"decimal(38, 10)\"",
    "\"decimal(18, 0)\"",
};
#define TYPE_COUNT (sizeof(type_names) / sizeof(type_names[0]))

static nilas_int128 random_unscaled(chance *c, uint32_t precision) {
    nilas_int128 limit = nilas_power_of_ten(precision);
    nilas_int128 v = (nilas_int128)chance_next(c) << 62 ^ (nilas_int128)chance_next(c);

    // Few bits as often as many.
    return (v % limit) >> chance_below(c, 120);
}

static nilas_str random_text(nilas_arena *arena, chance *c, size_t size, bool ascii) {
    char bytes[64];
    nilas_str text = {.data = bytes, .size = size};
    nilas_error err = NILAS_ERROR_INIT;

    for (size_t i = 0; i < size; i++) {
        bytes[i] = (char)(ascii ? 'a' + chance_below(c, 26) : chance_below(c, 256));
    }
    CHECK_OK(nilas_str_copy(arena, text, &text, &err), err);
    return text;
}

static int64_t random_integer(chance *c, const nilas_ice_type *type) {
    int64_t wide = (int64_t)chance_next(c) >> chance_below(c, 64);

    switch (type->kind) {
    case NILAS_ICE_INT: return (int32_t)wide;
    case NILAS_ICE_DATE: return (int32_t)wide % 3000000;
    case NILAS_ICE_TIME: return nilas_floor_mod(wide, NILAS_MICROS_PER_DAY);
    case NILAS_ICE_LONG: return wide;
    default: return wide % 200000000000000000; // years that ISO text can hold
    }
}

static nilas_value random_value(nilas_arena *arena, chance *c, const nilas_ice_type *type) {
    switch (type->kind) {
    case NILAS_ICE_BOOLEAN: return nilas_value_of_bool(chance_below(c, 2));
    case NILAS_ICE_FLOAT: return nilas_value_of_float((float)(int64_t)chance_next(c) / 1e9F);
    case NILAS_ICE_DOUBLE: return nilas_value_of_double((double)(int64_t)chance_next(c) / 1e9);
    case NILAS_ICE_DECIMAL:
        return nilas_value_of_decimal(random_unscaled(c, (uint32_t)type->precision),
                                      (uint32_t)type->scale);
    case NILAS_ICE_STRING:
        return nilas_value_of_str(random_text(arena, c, chance_below(c, 20), true));
    case NILAS_ICE_UUID: return nilas_value_of_bytes(random_text(arena, c, 16, false));
    case NILAS_ICE_FIXED:
        return nilas_value_of_bytes(random_text(arena, c, (size_t)type->length, false));
    case NILAS_ICE_BINARY:
        return nilas_value_of_bytes(random_text(arena, c, chance_below(c, 20), false));
    default: return nilas_value_of_int(random_integer(c, type));
    }
}

NILAS_TEST(bytes_of_a_value_decode_to_the_value) {
    NILAS_AUTO(nilas_arena) arena = make_arena();
    nilas_error err = NILAS_ERROR_INIT;
    chance c = {.state = 42};

    for (int round = 0; round < 2000; round++) {
        const nilas_ice_type *type = make_type(arena, type_names[chance_below(&c, TYPE_COUNT)]);
        nilas_value value = random_value(arena, &c, type);
        nilas_value back = {0};
        nilas_str bytes = {0};
        REQUIRE_OK(nilas_ice_value_encode(arena, type, &value, &bytes, &err), err);
        REQUIRE_OK(nilas_ice_value_decode(arena, type, bytes, &back, &err), err);
        REQUIRE(nilas_value_equal(&value, &back));
    }
}

NILAS_TEST(json_of_a_value_parses_to_the_value) {
    NILAS_AUTO(nilas_arena) arena = make_arena();
    nilas_error err = NILAS_ERROR_INIT;
    chance c = {.state = 43};

    for (int round = 0; round < 2000; round++) {
        NILAS_AUTO_BUF json = NILAS_BUF_INIT(0);
        const nilas_ice_type *type = make_type(arena, type_names[chance_below(&c, TYPE_COUNT)]);
        nilas_value value = random_value(arena, &c, type);
        nilas_value back = {0};
        nilas_json tree;
        nilas_ice_value_print(&json, type, &value);
        REQUIRE_OK(nilas_json_parse(arena, nilas_buf_view(&json), "value", &tree, &err), err);
        REQUIRE_OK(nilas_ice_value_parse(arena, type, &tree, &back, &err), err);
        if (!nilas_value_equal(&value, &back)) {
            NILAS_TEST_FAIL("%s changed as %.*s", type_names[0], NILAS_FMT(nilas_buf_view(&json)));
            return;
        }
    }
}

static void check_decoded(const char *type_json, nilas_str bytes, int64_t expected) {
    NILAS_AUTO(nilas_arena) arena = make_arena();
    nilas_error err = NILAS_ERROR_INIT;
    nilas_value value = {0};

    REQUIRE_OK(nilas_ice_value_decode(arena, make_type(arena, type_json), bytes, &value, &err),
               err);
    CHECK_INT(value.integer, expected);
}

NILAS_TEST(bounds_of_promoted_columns_decode_by_their_length) {
    NILAS_AUTO(nilas_arena) arena = make_arena();
    nilas_error err = NILAS_ERROR_INIT;
    nilas_value value = {0};

    check_decoded("\"long\"", NILAS_STR("\xFE\xFF\xFF\xFF"), -2);
    check_decoded("\"timestamp\"", NILAS_STR("\xFF\xFF\xFF\xFF"), -NILAS_MICROS_PER_DAY);
    check_decoded("\"timestamp_ns\"", NILAS_STR("\x01\0\0\0"), NILAS_MICROS_PER_DAY * 1000);
    check_decoded("\"int\"", NILAS_STR("\x07\0\0\0\0\0\0\0"), 7);
    check_decoded("\"date\"", NILAS_STR("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"), -1);
    REQUIRE_OK(nilas_ice_value_decode(arena, make_type(arena, "\"double\""),
                                      NILAS_STR("\0\0\x80\x3F"), &value, &err),
               err);
    CHECK_DOUBLE(value.real, 1.0);
}

NILAS_TEST(bytes_of_a_wrong_size_are_corrupt) {
    static const struct {
        const char *type;
        size_t size;
    } bad[] = {
        {"\"int\"", 3},
        {"\"int\"", 0},
        {"\"long\"", 2},
        {"\"float\"", 8},
        {"\"double\"", 7},
        {"\"uuid\"", 15},
        {"\"boolean\"", 0},
        {"\"boolean\"", 2},
        {"\"date\"", 5},
        {"\"time\"", 9},
        {"\"timestamp\"", 6},
        {"\"decimal(9, 2)\"", 0},
        {"\"decimal(9, 2)\"", 17},
        {"\"unknown\"", 1},
    };
    NILAS_AUTO(nilas_arena) arena = make_arena();
    nilas_error err = NILAS_ERROR_INIT;
    nilas_value value;

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        nilas_str bytes = {
            .data = "\x7F\x7F\x7F\x7F\x7F\x7F\x7F\x7F\x7F\x7F\x7F\x7F\x7F\x7F\x7F\x7F\x7F",
            .size = bad[i].size};
        CHECK_FAILS(
            nilas_ice_value_decode(arena, make_type(arena, bad[i].type), bytes, &value, &err),
            NILAS_CORRUPT, err, "no single value of type");
    }
    // A date that leaves 64 bits as a timestamp, an int that leaves 32.
    CHECK_CODE(nilas_ice_value_decode(arena, make_type(arena, "\"timestamp\""),
                                      NILAS_STR("\xFF\xFF\xFF\x7F"), &value, &err),
               NILAS_CORRUPT, err);
    CHECK_CODE(nilas_ice_value_decode(arena, make_type(arena, "\"int\""),
                                      NILAS_STR("\0\0\0\0\x01\0\0\0"), &value, &err),
               NILAS_CORRUPT, err);
}

NILAS_TEST(decimals_take_the_fewest_bytes_and_keep_their_sign) {
    static const struct {
        int64_t unscaled;
        nilas_str bytes;
    } known[] = {
        {0, {"\x00", 1}},
        {127, {"\x7F", 1}},
        {128, {"\x00\x80", 2}},
        {-128, {"\x80", 1}},
        {-129, {"\xFF\x7F", 2}},
        {32768, {"\x00\x80\x00", 3}},
        {-996953, {"\xF0\xC9\xA7", 3}},
        {1420, {"\x05\x8C", 2}},
    };
    NILAS_AUTO(nilas_arena) arena = make_arena();
    nilas_error err = NILAS_ERROR_INIT;
    const nilas_ice_type *type = make_type(arena, "\"decimal(38, 2)\"");

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        nilas_value value = nilas_value_of_decimal(known[i].unscaled, 2);
        nilas_value back = {0};
        nilas_str bytes = {0};
        CHECK_OK(nilas_ice_value_encode(arena, type, &value, &bytes, &err), err);
        CHECK_BYTES(bytes, known[i].bytes);
        CHECK_OK(nilas_ice_value_decode(arena, type, known[i].bytes, &back, &err), err);
        CHECK(nilas_value_equal(&value, &back));
    }
}

NILAS_TEST(a_value_of_another_type_or_nan_is_not_encoded) {
    NILAS_AUTO(nilas_arena) arena = make_arena();
    nilas_error err = NILAS_ERROR_INIT;
    nilas_value nan_value = nilas_value_of_double((double)NAN);
    nilas_value text = nilas_value_of_str(NILAS_STR("x"));
    nilas_value decimal = nilas_value_of_decimal(1, 3);
    nilas_str bytes;

    CHECK_FAILS(
        nilas_ice_value_encode(arena, make_type(arena, "\"double\""), &nan_value, &bytes, &err),
        NILAS_INVALID, err, "NaN");
    CHECK_CODE(nilas_ice_value_encode(arena, make_type(arena, "\"int\""), &text, &bytes, &err),
               NILAS_INVALID, err);
    CHECK_CODE(nilas_ice_value_encode(arena, make_type(arena, "\"decimal(9, 2)\""), &decimal,
                                      &bytes, &err),
               NILAS_INVALID, err);
}

static void check_json(const char *type_json, const char *json, const char *expected) {
    NILAS_AUTO(nilas_arena) arena = make_arena();
    NILAS_AUTO_BUF out = NILAS_BUF_INIT(0);
    nilas_error err = NILAS_ERROR_INIT;
    const nilas_ice_type *type = make_type(arena, type_json);
    nilas_value value = {0};
    nilas_json tree;

    REQUIRE_OK(nilas_json_parse(arena, nilas_str_of(json), "value", &tree, &err), err);
    nilas_code code = nilas_ice_value_parse(arena, type, &tree, &value, &err);
    if (expected == NULL) {
        CHECK_CODE(code, NILAS_CORRUPT, err);
        return;
    }
    REQUIRE_OK(code, err);
    nilas_ice_value_print(&out, type, &value);
    CHECK_STR(nilas_buf_view(&out), expected);
}

NILAS_TEST(json_values_of_appendix_d) {
    check_json("\"boolean\"", "true", "true");
    check_json("\"int\"", "34", "34");
    check_json("\"long\"", "-9223372036854775808", "-9223372036854775808");
    check_json("\"float\"", "1.0", "1.0");
    check_json("\"double\"", "1", "1.0");
    check_json("\"decimal(4, 2)\"", "\"14.20\"", "\"14.20\"");
    check_json("\"date\"", "\"2017-11-16\"", "\"2017-11-16\"");
    check_json("\"time\"", "\"22:31:08.123456\"", "\"22:31:08.123456\"");
    check_json("\"timestamp\"", "\"2017-11-16T22:31:08.123456\"", "\"2017-11-16T22:31:08.123456\"");
    check_json("\"timestamptz\"", "\"1960-02-29T22:31:08.5+00:00\"",
               "\"1960-02-29T22:31:08.5+00:00\"");
    check_json("\"timestamp_ns\"", "\"2017-11-16T22:31:08.123456789\"",
               "\"2017-11-16T22:31:08.123456789\"");
    check_json("\"uuid\"", "\"F79C3E09-677c-4bbd-a479-3f349cb785e7\"",
               "\"f79c3e09-677c-4bbd-a479-3f349cb785e7\"");
    check_json("\"fixed[4]\"", "\"000102ff\"", "\"000102ff\"");
    check_json("\"binary\"", "\"\"", "\"\"");
    check_json(
        "{\"type\":\"list\",\"element-id\":1,\"element-required\":false,\"element\":\"int\"}",
        "[1, null, 3]", "[1,null,3]");
    check_json(
        "{\"type\":\"map\",\"key-id\":1,\"key\":\"string\",\"value-id\":2,\"value\":\"int\"}",
        "{\"keys\":[\"a\",\"b\"],\"values\":[1,2]}", "{\"keys\":[\"a\",\"b\"],\"values\":[1,2]}");
    check_json(
        "{\"type\":\"struct\",\"fields\":[{\"id\":1,\"name\":\"x\",\"required\":false,"
        "\"type\":\"int\",\"initial-default\":5},{\"id\":2,\"name\":\"y\",\"required\":false,"
        "\"type\":\"string\"}]}",
        "{\"2\":\"bar\"}", "{\"1\":5,\"2\":\"bar\"}");
}

NILAS_TEST(json_that_is_no_value_of_the_type_is_corrupt) {
    check_json("\"int\"", "2147483648", NULL);
    check_json("\"int\"", "1.5", NULL);
    check_json("\"boolean\"", "1", NULL);
    check_json("\"decimal(4, 2)\"", "\"14.205\"", NULL);
    check_json("\"decimal(4, 2)\"", "\"114.20\"", NULL);
    check_json("\"date\"", "\"2017-02-29\"", NULL);
    check_json("\"date\"", "\"2017-2-01\"", NULL);
    check_json("\"time\"", "\"24:00:00\"", NULL);
    check_json("\"timestamp\"", "\"2017-11-16T22:31:08+00:00\"", NULL);
    check_json("\"timestamptz\"", "\"2017-11-16T22:31:08\"", NULL);
    check_json("\"timestamptz\"", "\"2017-11-16T22:31:08-08:00\"", NULL);
    check_json("\"timestamp_ns\"", "\"3017-11-16T22:31:08\"", NULL);
    check_json("\"uuid\"", "\"f79c3e09\"", NULL);
    check_json("\"fixed[4]\"", "\"0001\"", NULL);
    check_json("\"binary\"", "\"0g\"", NULL);
    check_json("\"geometry\"", "\"POINT (30 10)\"", NULL);
    check_json(
        "{\"type\":\"map\",\"key-id\":1,\"key\":\"string\",\"value-id\":2,\"value\":\"int\"}",
        "{\"keys\":[\"a\"],\"values\":[]}", NULL);
}
