/** TZif files and POSIX TZ texts: rules, and damage of all kinds. */
#include <stdio.h>

#include "base/base.h"
#include "base/tzfile.h"
#include "test.h"

static int32_t rule_offset(const char *text, int64_t utc_seconds) {
    nilas_tz_rule rule;
    if (!nilas_base__tz_parse_rule(nilas_str_of(text), &rule)) {
        return INT32_MIN;
    }
    return nilas_base__tz_rule_offset(&rule, utc_seconds);
}

NILAS_TEST(rules_of_all_forms) {
    int64_t january = 4102488000; // 2100-01-01 12:00
    int64_t july = 4118126400;
    CHECK_INT(rule_offset("JST-9", july), 32400);
    CHECK_INT(rule_offset("<+0330>-3:30", july), 12600);
    CHECK_INT(rule_offset("CET-1CEST,M3.5.0,M10.5.0/3", july), 7200);
    CHECK_INT(rule_offset("CET-1CEST,M3.5.0,M10.5.0/3", january), 3600);
    CHECK_INT(rule_offset("AEST-10AEDT,M10.1.0,M4.1.0/3", january), 39600);
    CHECK_INT(rule_offset("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", july), -3600);
    CHECK_INT(rule_offset("XXX3EDT4,0/0,J365/23", january), -14400);        // summer time all year
    CHECK_INT(rule_offset("AAA0BBB,J60/0,J61/0", 951782400 + 86400), 3600); // leap year: March 1
    CHECK_INT(rule_offset("AAA0BBB,59/0,60/0", 951782400), 3600);           // day 59: February 29
}

NILAS_TEST(malformed_rules) {
    static const char *const bad[] = {"",
                                      "CET",
                                      "-1",
                                      "CET-1CEST",
                                      "CET-1CEST,M3.5.0",
                                      "CET-1CEST,M13.1.0,M10.5.0",
                                      "CET-1CEST,M3.6.0,M10.5.0",
                                      "CET-1CEST,M3.5.7,M10.5.0",
                                      "CET-1CEST,J0,J366",
                                      "<>1",
                                      "<+03",
                                      "CET-999",
                                      "CET-1CEST,M3.5.0,M10.5.0x",
                                      "CET-1:60"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        CHECK_INT(rule_offset(bad[i], 0), INT32_MIN);
    }
}

static size_t read_zone(const char *path, char *out, size_t room) {
    FILE *file = fopen(path, "rb");
    size_t size = file != NULL ? fread(out, 1, room, file) : 0;
    if (file != NULL) {
        fclose(file);
    }
    return size;
}

static void try_decode(nilas_str bytes) {
    nilas_tz_data data;
    if (nilas_base__tz_decode(bytes, &data)) {
        free(data.times);
        free(data.offsets);
    }
}

NILAS_TEST(cut_files_are_refused_and_spoiled_ones_do_no_harm) {
    static char bytes[16384];
    size_t size = read_zone("/usr/share/zoneinfo/Europe/Berlin", bytes, sizeof(bytes));
    REQUIRE(size > 100);
    for (size_t cut = 0; cut < size; cut++) {
        nilas_tz_data data;
        CHECK(!nilas_base__tz_decode((nilas_str){.data = bytes, .size = cut}, &data));
    }
    for (size_t i = 0; i < size; i++) {
        char kept = bytes[i];
        bytes[i] = (char)0xFF;
        try_decode((nilas_str){.data = bytes, .size = size});
        bytes[i] = kept;
    }
}
