#include <math.h>

#include "make.h"

static nilas_value apply(nilas_arena *arena, const char *transform, const char *type_json,
                         nilas_value value) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_transform parsed = make_transform(arena, transform);
    nilas_value out = nilas_value_of_str(NILAS_STR("failed"));

    CHECK_OK(nilas_transform_apply(arena, &parsed, make_type(arena, type_json), &value, &out, &err),
             err);
    return out;
}

#define MICROS(days, seconds) ((days)*NILAS_MICROS_PER_DAY + (seconds)*NILAS_MICROS_PER_SECOND)

NILAS_TEST(buckets_have_the_hashes_of_appendix_b) {
    NILAS_AUTO(nilas_arena) arena = make_arena();
    int64_t moment = MICROS(17486LL, 22 * 3600 + 31 * 60 + 8); // 2017-11-16T22:31:08
    const struct {
        const char *type;
        nilas_value value;
        int32_t hash;
    } known[] = {
        {"\"int\"", nilas_value_of_int(34), 2017239379},
        {"\"long\"", nilas_value_of_int(34), 2017239379},
        {"\"decimal(4, 2)\"", nilas_value_of_decimal(1420, 2), -500754589},
        {"\"date\"", nilas_value_of_int(17486), -653330422},
        {"\"time\"", nilas_value_of_int(MICROS(0LL, 22 * 3600 + 31 * 60 + 8)), -662762989},
        {"\"timestamp\"", nilas_value_of_int(moment), -2047944441},
        {"\"timestamptz\"", nilas_value_of_int(moment + 1), -1207196810},
        {"\"timestamp_ns\"", nilas_value_of_int(moment * 1000), -2047944441},
        {"\"timestamptz_ns\"", nilas_value_of_int(moment * 1000 + 1001), -1207196810},
        {"\"string\"", nilas_value_of_str(NILAS_STR("iceberg")), 1210000089},
        {"\"uuid\"",
         nilas_value_of_bytes(
             NILAS_STR("\xF7\x9C\x3E\x09\x67\x7C\x4B\xBD\xA4\x79\x3F\x34\x9C\xB7\x85\xE7")),
         1488055340},
        {"\"fixed[4]\"", nilas_value_of_bytes(NILAS_STR("\0\x01\x02\x03")), -188683207},
        {"\"binary\"", nilas_value_of_bytes(NILAS_STR("\0\x01\x02\x03")), -188683207},
    };

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        int32_t positive = known[i].hash & INT32_MAX;
        CHECK_INT(apply(arena, "bucket[2147483647]", known[i].type, known[i].value).integer,
                  positive % INT32_MAX);
        CHECK_INT(apply(arena, "bucket[16]", known[i].type, known[i].value).integer, positive % 16);
    }
}

NILAS_TEST(dates_before_1970_round_down) {
    NILAS_AUTO(nilas_arena) arena = make_arena();
    nilas_value last_micro = nilas_value_of_int(-1);
    nilas_value day_before = nilas_value_of_int(-1);

    CHECK_INT(apply(arena, "year", "\"timestamp\"", last_micro).integer, -1);
    CHECK_INT(apply(arena, "month", "\"timestamptz\"", last_micro).integer, -1);
    CHECK_INT(apply(arena, "day", "\"timestamp\"", last_micro).integer, -1);
    CHECK_INT(apply(arena, "hour", "\"timestamp\"", last_micro).integer, -1);
    CHECK_INT(apply(arena, "day", "\"timestamp_ns\"", last_micro).integer, -1);
    CHECK_INT(apply(arena, "year", "\"date\"", day_before).integer, -1);
    CHECK_INT(apply(arena, "month", "\"date\"", day_before).integer, -1);
    CHECK_INT(apply(arena, "day", "\"date\"", day_before).integer, -1);
    CHECK_INT(apply(arena, "month", "\"date\"", nilas_value_of_int(-3594)).integer,
              -119); // 1960-02-29
    CHECK_INT(apply(arena, "year", "\"date\"", nilas_value_of_int(-3594)).integer, -10);
    CHECK_INT(apply(arena, "hour", "\"timestamp\"", nilas_value_of_int(MICROS(0LL, -3600))).integer,
              -1);
    CHECK_INT(apply(arena, "year", "\"date\"", nilas_value_of_int(0)).integer, 0);
    CHECK_INT(apply(arena, "month", "\"date\"", nilas_value_of_int(17486)).integer, 574);
}

NILAS_TEST(truncation_leaves_positive_remainders) {
    NILAS_AUTO(nilas_arena) arena = make_arena();

    CHECK_INT(apply(arena, "truncate[10]", "\"int\"", nilas_value_of_int(1)).integer, 0);
    CHECK_INT(apply(arena, "truncate[10]", "\"int\"", nilas_value_of_int(-1)).integer, -10);
    CHECK_INT(apply(arena, "truncate[10]", "\"long\"", nilas_value_of_int(-10)).integer, -10);
    CHECK_INT(apply(arena, "truncate[10]", "\"long\"", nilas_value_of_int(9)).integer, 0);
    CHECK_INT(
        (int64_t)apply(arena, "truncate[50]", "\"decimal(4, 2)\"", nilas_value_of_decimal(1065, 2))
            .decimal,
        1050);
    CHECK_INT(
        (int64_t)apply(arena, "truncate[10]", "\"decimal(4, 2)\"", nilas_value_of_decimal(-5, 2))
            .decimal,
        -10);
    CHECK_STR(
        apply(arena, "truncate[3]", "\"string\"", nilas_value_of_str(NILAS_STR("iceberg"))).text,
        "ice");
    CHECK_STR(
        apply(arena, "truncate[2]", "\"string\"", nilas_value_of_str(NILAS_STR("日本語"))).text,
        "日本");
    CHECK_STR(apply(arena, "truncate[9]", "\"string\"", nilas_value_of_str(NILAS_STR("a"))).text,
              "a");
    CHECK_BYTES(apply(arena, "truncate[3]", "\"binary\"",
                      nilas_value_of_bytes(NILAS_STR("\x01\x02\x03\x04\x05")))
                    .text,
                NILAS_STR("\x01\x02\x03"));
    // As Java's writers do it, the lowest partial bucket wraps.
    CHECK_INT(apply(arena, "truncate[10]", "\"int\"", nilas_value_of_int(INT32_MIN)).integer,
              INT32_MAX - 1);
}

NILAS_TEST(null_stays_null_and_void_makes_it) {
    static const char *const transforms[] = {"identity", "bucket[4]", "truncate[4]", "void"};
    NILAS_AUTO(nilas_arena) arena = make_arena();

    for (size_t i = 0; i < sizeof(transforms) / sizeof(transforms[0]); i++) {
        nilas_value out = apply(arena, transforms[i], "\"int\"", NILAS_NULL_VALUE);
        CHECK(nilas_value_is_null(&out));
    }
    nilas_value out = apply(arena, "void", "\"int\"", nilas_value_of_int(7));
    CHECK(nilas_value_is_null(&out));
    CHECK_INT(apply(arena, "identity", "\"int\"", nilas_value_of_int(7)).integer, 7);
}

NILAS_TEST(transforms_read_by_name_and_keep_unknown_names) {
    NILAS_AUTO(nilas_arena) arena = make_arena();
    nilas_error err = NILAS_ERROR_INIT;
    nilas_transform transform;

    CHECK_INT(make_transform(arena, "Bucket[16]").kind, NILAS_TRANSFORM_BUCKET);
    CHECK_INT(make_transform(arena, "bucket[16]").width, 16);
    CHECK_INT(make_transform(arena, "truncate[2147483647]").width, INT32_MAX);
    CHECK_INT(make_transform(arena, "zorder").kind, NILAS_TRANSFORM_UNKNOWN);
    CHECK_INT(make_transform(arena, "bucket").kind, NILAS_TRANSFORM_UNKNOWN);
    CHECK_INT(make_transform(arena, "bucket[x]").kind, NILAS_TRANSFORM_UNKNOWN);
    CHECK_STR(make_transform(arena, "zorder(3)").text, "zorder(3)");
    CHECK_CODE(nilas_transform_parse(arena, NILAS_STR("bucket[0]"), &transform, &err),
               NILAS_CORRUPT, err);
    CHECK_CODE(nilas_transform_parse(arena, NILAS_STR("truncate[2147483648]"), &transform, &err),
               NILAS_CORRUPT, err);
}

NILAS_TEST(a_transform_has_a_result_type_or_refuses_its_source) {
    static const struct {
        const char *transform, *source, *result;
    } cases[] = {
        {"identity", "\"decimal(9, 2)\"", "decimal(9, 2)"},
        {"bucket[4]", "\"string\"", "int"},
        {"truncate[4]", "\"string\"", "string"},
        {"day", "\"timestamp\"", "date"},
        {"day", "\"date\"", "date"},
        {"year", "\"date\"", "int"},
        {"hour", "\"timestamptz_ns\"", "int"},
        {"void", "\"uuid\"", "uuid"},
        {"zorder", "\"int\"", "string"},
        {"bucket[4]", "\"double\"", NULL},
        {"bucket[4]", "\"boolean\"", NULL},
        {"hour", "\"date\"", NULL},
        {"year", "\"time\"", NULL},
        {"truncate[4]", "\"uuid\"", NULL},
        {"identity", "\"variant\"", NULL},
        {"identity", "\"geometry\"", NULL},
    };
    NILAS_AUTO(nilas_arena) arena = make_arena();

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        NILAS_AUTO_BUF out = NILAS_BUF_INIT(0);
        nilas_error err = NILAS_ERROR_INIT;
        nilas_transform transform = make_transform(arena, cases[i].transform);
        const nilas_ice_type *result = NULL;
        nilas_code code = nilas_transform_result_type(&transform, make_type(arena, cases[i].source),
                                                      &result, &err);
        if (cases[i].result == NULL) {
            CHECK_FAILS(code, NILAS_INVALID, err, "Invalid source type");
            continue;
        }
        REQUIRE_OK(code, err);
        nilas_ice_type_print(&out, result);
        CHECK_STR(nilas_buf_view(&out), cases[i].result);
    }
}

static void check_text(const char *transform, const char *type_json, nilas_value value,
                       const char *expected) {
    NILAS_AUTO(nilas_arena) arena = make_arena();
    NILAS_AUTO_BUF out = NILAS_BUF_INIT(0);
    nilas_transform parsed = make_transform(arena, transform);

    nilas_transform_print_value(&out, &parsed, make_type(arena, type_json), &value);
    CHECK_STR(nilas_buf_view(&out), expected);
}

NILAS_TEST(partition_values_print_as_iceberg_prints_them) {
    check_text("identity", "\"int\"", NILAS_NULL_VALUE, "null");
    check_text("year", "\"int\"", nilas_value_of_int(-10), "1960");
    check_text("month", "\"int\"", nilas_value_of_int(-119), "1960-02");
    check_text("month", "\"int\"", nilas_value_of_int(612), "2021-01");
    check_text("day", "\"date\"", nilas_value_of_int(18628), "2021-01-01");
    check_text("hour", "\"int\"", nilas_value_of_int(-1), "1969-12-31-23");
    check_text("hour", "\"int\"", nilas_value_of_int(18628 * 24 + 3), "2021-01-01-03");
    check_text("bucket[9]", "\"int\"", nilas_value_of_int(3), "3");
    check_text("identity", "\"date\"", nilas_value_of_int(-3594), "1960-02-29");
    check_text("identity", "\"timestamptz\"", nilas_value_of_int(MICROS(18628LL, 0)),
               "2021-01-01T00:00:00+00:00");
    check_text("identity", "\"timestamp\"", nilas_value_of_int(MICROS(18628LL, 61) + 500000),
               "2021-01-01T00:01:01.5");
    check_text("identity", "\"time\"", nilas_value_of_int(MICROS(0LL, 61)), "00:01:01");
    check_text("identity", "\"decimal(4, 2)\"", nilas_value_of_decimal(-5, 2), "-0.05");
    check_text("identity", "\"decimal(9, 7)\"", nilas_value_of_decimal(-15, 7), "-0.0000015");
    check_text("identity", "\"decimal(9, 7)\"", nilas_value_of_decimal(1, 7), "1E-7");
    check_text("identity", "\"decimal(38, 10)\"", nilas_value_of_decimal(-150, 10), "-1.50E-8");
    check_text("identity", "\"decimal(38, 10)\"", nilas_value_of_decimal(0, 10), "0E-10");
    check_text("identity", "\"decimal(9, 6)\"", nilas_value_of_decimal(0, 6), "0.000000");
    check_text("identity", "\"binary\"", nilas_value_of_bytes(NILAS_STR("\xFF")), "/w==");
    check_text("identity", "\"binary\"", nilas_value_of_bytes(NILAS_STR("abcd")), "YWJjZA==");
    check_text("identity", "\"string\"", nilas_value_of_str(NILAS_STR("a/b=c")), "a/b=c");
    check_text("identity", "\"boolean\"", nilas_value_of_bool(true), "true");
    check_text("identity", "\"double\"", nilas_value_of_double(1e10), "1.0E10");
    check_text("identity", "\"double\"", nilas_value_of_double(0.001), "0.001");
    check_text("identity", "\"double\"", nilas_value_of_double(123456.75), "123456.75");
    check_text("identity", "\"double\"", nilas_value_of_double(100), "100.0");
    check_text("identity", "\"double\"", nilas_value_of_double(-0.0), "-0.0");
    check_text("identity", "\"double\"", nilas_value_of_double((double)INFINITY), "Infinity");
    check_text("identity", "\"float\"", nilas_value_of_float(0.1F), "0.1");
    check_text("identity", "\"uuid\"",
               nilas_value_of_bytes(
                   NILAS_STR("\xF7\x9C\x3E\x09\x67\x7C\x4B\xBD\xA4\x79\x3F\x34\x9C\xB7\x85\xE7")),
               "f79c3e09-677c-4bbd-a479-3f349cb785e7");
    check_text("zorder", "\"string\"", nilas_value_of_int(5), "5");
}
