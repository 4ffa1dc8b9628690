/** Zones: names as Java takes them, offsets at instants, local times in gaps and overlaps. */
#include <unistd.h>

#include "base/base.h"
#include "test.h"

static int32_t offset_of(const char *name, int64_t micros) {
    const nilas_zone *zone = nilas_zone_find(nilas_str_of(name));
    return zone != NULL ? nilas_zone_offset_at(zone, micros) : INT32_MIN;
}

NILAS_TEST(fixed_offsets_in_all_forms) {
    static const struct {
        const char *name;
        int32_t offset;
    } cases[] = {
        {"Z", 0},
        {"UTC", 0},
        {"GMT", 0},
        {"UT", 0},
        {"+1", 3600},
        {"+01", 3600},
        {"-01:30", -5400},
        {"+0130", 5400},
        {"+01:02:03", 3723},
        {"+010203", 3723},
        {"+1:30", 5400},
        {"+01:5", 3900},
        {"GMT+8", 28800},
        {"UTC-08:00", -28800},
        {"UT+1", 3600},
        {"UTC+1:30", 5400},
        {"+18:00", 64800},
        {"-18", -64800},
        {"EST", -18000},
        {"MST", -25200},
        {"HST", -36000},
        {"GMT0", 0},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CHECK_INT(offset_of(cases[i].name, 1719835200000000), cases[i].offset);
    }
}

NILAS_TEST(unknown_names_give_nothing) {
    static const char *const bad[] = {"",
                                      "z",
                                      "utc",
                                      "Mars/Base",
                                      "+",
                                      "+19:00",
                                      "+18:01",
                                      "+1:2:3x",
                                      "+01:60",
                                      "+123",
                                      "GMT+",
                                      "UTCx",
                                      "UTC 1",
                                      "../../etc/passwd",
                                      "/usr/share/zoneinfo/Europe/Berlin",
                                      "Europe",
                                      "x",
                                      "zone1970.tab",
                                      "posixrules",
                                      "posix/Europe/Berlin",
                                      "right/UTC",
                                      "Europe/Berlin ",
                                      "europe/berlin",
                                      "+01:00:0",
                                      "+0:00:00:00"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        if (nilas_zone_find(nilas_str_of(bad[i])) != NULL) {
            NILAS_TEST_FAIL("\"%s\" was found", bad[i]);
        }
    }
    CHECK(nilas_zone_find((nilas_str){.data = "Europe\0Berlin", .size = 13}) == NULL);
}

NILAS_TEST(regions_have_their_offsets_at_all_times) {
    static const struct {
        const char *name;
        int64_t micros;
        int32_t offset;
    } cases[] = {
        {"Europe/Berlin", 1719835200000000, 7200},
        {"Europe/Berlin", 1704110400000000, 3600},
        {"Europe/Berlin", -2524478400000000, 3208}, // local mean time
        {"Europe/Berlin", 4118126400000000, 7200},  // 2100: by the rule behind the table
        {"Europe/Berlin", 4131345600000000, 3600},
        {"America/Los_Angeles", 7273800000000000, -25200},
        {"Australia/Sydney", 5680324800000000, 39600}, // summer time over the turn of the year
        {"Australia/Sydney", 5695963200000000, 36000},
        {"Asia/Kolkata", 1704110400000000, 19800},
        {"America/St_Johns", 3484468800000000, -9000},
        {"Europe/Dublin", 4102488000000000, 0}, // negative summer time
        {"Europe/Dublin", 4118126400000000, 3600},
        {"Pacific/Apia", 1325332800000000, 50400},
        {"CST", 1704110400000000, -21600}, // a short name that stands for a region
        {"Asia/Tokyo", INT64_MAX, 32400},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CHECK_INT(offset_of(cases[i].name, cases[i].micros), cases[i].offset);
    }
}

static int64_t local_to_utc(const char *zone_name, const char *text) {
    const nilas_zone *zone = nilas_zone_find(nilas_str_of(zone_name));
    int64_t local = 0;
    CHECK(zone != NULL && nilas_timestamp_ntz_parse(nilas_str_of(text), false, &local));
    return nilas_zone_to_utc(zone, local) / NILAS_MICROS_PER_SECOND;
}

NILAS_TEST(local_times_in_gaps_and_overlaps) {
    // 2024-03-31: 02:00 becomes 03:00 in Berlin, so 02:30 is 03:30 there, 01:30 UTC.
    CHECK_INT(local_to_utc("Europe/Berlin", "2024-03-31 02:30:00"), 1711848600);
    CHECK_INT(local_to_utc("Europe/Berlin", "2024-03-31 01:59:59"), 1711846799);
    CHECK_INT(local_to_utc("Europe/Berlin", "2024-03-31 03:00:00"), 1711846800);
    // 2024-10-27: 03:00 becomes 02:00; of two 02:30 the earlier counts, 00:30 UTC.
    CHECK_INT(local_to_utc("Europe/Berlin", "2024-10-27 02:30:00"), 1729989000);
    CHECK_INT(local_to_utc("Europe/Berlin", "2024-10-27 03:00:00"), 1729994400);
    // 2100: from the rule.
    CHECK_INT(local_to_utc("Europe/Berlin", "2100-03-28 02:30:00"), 4109880600);
    // The day that Samoa left out.
    CHECK_INT(local_to_utc("Pacific/Apia", "2011-12-30 12:00:00"), 1325282400);
    CHECK_INT(local_to_utc("+05:30", "1970-01-01 00:00:00"), -19800);
}

NILAS_TEST(utc_to_local_and_back_is_the_same_instant) {
    static const char *const names[] = {"Europe/Berlin",  "America/New_York", "Australia/Lord_Howe",
                                        "Asia/Kathmandu", "Pacific/Apia",     "Africa/Casablanca"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const nilas_zone *zone = nilas_zone_find(nilas_str_of(names[i]));
        REQUIRE(zone != NULL);
        for (int64_t utc = -3000000000; utc < 7000000000; utc += 1234567) {
            int64_t micros = utc * NILAS_MICROS_PER_SECOND;
            int32_t offset = nilas_zone_offset_at(zone, micros);
            int64_t local = micros + offset * NILAS_MICROS_PER_SECOND;
            int64_t back = nilas_zone_to_utc(zone, local);
            // In an overlap the earlier instant of the same local time comes back.
            int64_t back_local = back + nilas_zone_offset_at(zone, back) * NILAS_MICROS_PER_SECOND;
            REQUIRE(back_local == local && back <= micros);
        }
    }
}

NILAS_TEST(a_zone_is_loaded_once_and_keeps_its_name) {
    const nilas_zone *zone = nilas_zone_find(NILAS_STR("Europe/Paris"));
    REQUIRE(zone != NULL);
    CHECK(zone == nilas_zone_find(NILAS_STR("Europe/Paris")));
    CHECK_STR(nilas_zone_name(zone), "Europe/Paris");
}

NILAS_TEST(the_system_zone_follows_the_environment) {
    setenv("TZ", "Asia/Tokyo", 1);
    CHECK_STR(nilas_zone_name(nilas_zone_local()), "Asia/Tokyo");
    setenv("TZ", ":Europe/Rome", 1);
    CHECK_STR(nilas_zone_name(nilas_zone_local()), "Europe/Rome");
    setenv("TZ", "no such zone", 1);
    CHECK_STR(nilas_zone_name(nilas_zone_local()), "UTC");
    unsetenv("TZ");
    CHECK(nilas_zone_local() != NULL);
}
