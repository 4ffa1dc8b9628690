/** Java's date patterns, and decimal arithmetic beyond 128 bits. */
#include "engine/pattern.h"
#include "engine/wide.h"
#include "test.h"

static int64_t at(int64_t year, int32_t month, int32_t day, int32_t second_of_day, int32_t micro) {
    return nilas_days_from_civil(year, month, day) * NILAS_MICROS_PER_DAY +
           second_of_day * NILAS_MICROS_PER_SECOND + micro;
}

NILAS_TEST(formats) {
    static const char *const cases[][2] = {
        {"yyyy-MM-dd HH:mm:ss.SSS", "2024-03-05 14:07:09.123"},
        {"d/M/yy h:mm a", "5/3/24 2:07 PM"},
        {"EEEE, MMM d", "Tuesday, Mar 5"},
        {"QQQ yyyy", "Q1 2024"},
        {"'at' HH''", "at 14'"},
        {"xxx x Z OOOO", "+05:30 +0530 +0530 GMT+05:30"},
        {"D k K", "65 14 2"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        NILAS_AUTO_BUF out = {0};
        char letter = 0;
        CHECK(nilas_engine__format_time(&out, nilas_str_of(cases[i][0]),
                                        at(2024, 3, 5, 50829, 123456), 19800, NULL, &letter));
        CHECK_STR(nilas_buf_view(&out), cases[i][1]);
    }
    NILAS_AUTO_BUF out = {0};
    char letter = 0;
    CHECK(!nilas_engine__format_time(&out, NILAS_STR("YYYY"), 0, 0, NULL, &letter));
    CHECK_INT(letter, 'Y');
}

NILAS_TEST(reads_what_it_writes) {
    static const char *const patterns[] = {"yyyy-MM-dd HH:mm:ss", "dd/MMM/yyyy hh:mm:ss a",
                                           "yyyyMMddHHmmss", "MMMM d, yyyy H:m:s"};
    for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
        NILAS_AUTO_BUF out = {0};
        char letter = 0;
        nilas_parsed_time parsed;
        size_t index;
        int64_t time = at(1999, 12, 31, 86399, 0);
        CHECK(nilas_engine__format_time(&out, nilas_str_of(patterns[i]), time, 0, NULL, &letter));
        REQUIRE(nilas_engine__parse_time(nilas_buf_view(&out), nilas_str_of(patterns[i]), &parsed,
                                         &index));
        CHECK_INT(parsed.local_micros, time);
    }
}

NILAS_TEST(refuses_what_does_not_fit) {
    static const char *const cases[][2] = {{"2024-13-01", "yyyy-MM-dd"},
                                           {"2024-02-30", "yyyy-MM-dd"},
                                           {"2024-2-3", "yyyy-MM-dd"},
                                           {"x", "yyyy"},
                                           {"2024-01-01x", "yyyy-MM-dd"},
                                           {"25:00", "HH:mm"},
                                           {"", "yyyy"}};
    nilas_parsed_time parsed;
    size_t index;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CHECK(!nilas_engine__parse_time(nilas_str_of(cases[i][0]), nilas_str_of(cases[i][1]),
                                        &parsed, &index));
    }
    CHECK(nilas_engine__parse_time(NILAS_STR("2024-01-01"), NILAS_STR("yyyy-MM-dd[ HH:mm]"),
                                   &parsed, &index));
}

NILAS_TEST(wide_products_divide_back) {
    nilas_int128 big = nilas_power_of_ten(38) - 7;
    nilas_wide product = nilas_wide__multiply(big, -nilas_power_of_ten(37));
    nilas_int128 back = 0;
    nilas_uint128 rest;
    CHECK(!nilas_wide__to_int128(product, &back));
    REQUIRE(nilas_wide__to_int128(
        nilas_wide__divide(product, (nilas_uint128)nilas_power_of_ten(37), &rest), &back));
    CHECK(back == -big && rest == 0);
    nilas_wide sum = nilas_wide__add(product, nilas_wide__multiply(big, nilas_power_of_ten(37)));
    REQUIRE(nilas_wide__to_int128(sum, &back));
    CHECK(back == 0);
}

NILAS_TEST(rounding_modes) {
    static const struct {
        int value;
        nilas_rounding rounding;
        int result;
    } cases[] = {
        {25, NILAS_ROUND_HALF_UP, 3},   {-25, NILAS_ROUND_HALF_UP, -3},
        {25, NILAS_ROUND_HALF_EVEN, 2}, {35, NILAS_ROUND_HALF_EVEN, 4},
        {21, NILAS_ROUND_CEILING, 3},   {-21, NILAS_ROUND_CEILING, -2},
        {-21, NILAS_ROUND_FLOOR, -3},   {29, NILAS_ROUND_DOWN, 2},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        nilas_int128 result = 99;
        REQUIRE(nilas_wide__to_int128(
            nilas_wide__divide_rounded(nilas_wide__of(cases[i].value), 10, cases[i].rounding),
            &result));
        CHECK_INT(result, cases[i].result);
    }
}
