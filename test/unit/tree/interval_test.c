/** Values of the interval types as text. */
#include "test.h"
#include "tree/tree.h"

NILAS_TEST(year_month_by_its_units) {
    static const struct {
        int64_t months;
        nilas_interval_unit from, to;
        const char *text;
    } cases[] = {
        {14, NILAS_UNIT_YEAR, NILAS_UNIT_MONTH, "INTERVAL '1-2' YEAR TO MONTH"},
        {-14, NILAS_UNIT_YEAR, NILAS_UNIT_MONTH, "INTERVAL '-1-2' YEAR TO MONTH"},
        {14, NILAS_UNIT_MONTH, NILAS_UNIT_MONTH, "INTERVAL '14' MONTH"},
        {24, NILAS_UNIT_YEAR, NILAS_UNIT_YEAR, "INTERVAL '2' YEAR"},
        {INT32_MIN, NILAS_UNIT_YEAR, NILAS_UNIT_MONTH, "INTERVAL '-178956970-8' YEAR TO MONTH"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        NILAS_AUTO_BUF out = {0};
        nilas_interval_print_year_month(&out, cases[i].months, cases[i].from, cases[i].to);
        CHECK_STR(nilas_buf_view(&out), cases[i].text);
    }
}

NILAS_TEST(day_time_by_its_units) {
    static const struct {
        int64_t micros;
        nilas_interval_unit from, to;
        const char *text;
    } cases[] = {
        {93784500000, NILAS_UNIT_DAY, NILAS_UNIT_SECOND, "INTERVAL '1 02:03:04.5' DAY TO SECOND"},
        {-1, NILAS_UNIT_DAY, NILAS_UNIT_SECOND, "INTERVAL '-0 00:00:00.000001' DAY TO SECOND"},
        {93784000000, NILAS_UNIT_HOUR, NILAS_UNIT_MINUTE, "INTERVAL '26:03' HOUR TO MINUTE"},
        {4000000, NILAS_UNIT_SECOND, NILAS_UNIT_SECOND, "INTERVAL '04' SECOND"},
        {86400000000, NILAS_UNIT_DAY, NILAS_UNIT_DAY, "INTERVAL '1' DAY"},
        {INT64_MIN, NILAS_UNIT_DAY, NILAS_UNIT_SECOND,
         "INTERVAL '-106751991 04:00:54.775808' DAY TO SECOND"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        NILAS_AUTO_BUF out = {0};
        nilas_interval_print_day_time(&out, cases[i].micros, cases[i].from, cases[i].to);
        CHECK_STR(nilas_buf_view(&out), cases[i].text);
    }
}

NILAS_TEST(calendar_intervals_name_what_is_not_zero) {
    static const struct {
        int32_t months, days;
        int64_t micros;
        const char *text;
    } cases[] = {
        {0, 0, 0, "0 seconds"},
        {14, 3, 14706500000, "1 years 2 months 3 days 4 hours 5 minutes 6.5 seconds"},
        {-1, 0, -1500000, "-1 months -1.5 seconds"},
        {0, 0, -60000001, "-1 minutes -0.000001 seconds"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        NILAS_AUTO_BUF out = {0};
        nilas_buf_add_char(&out, '|');
        nilas_interval_print_calendar(&out, cases[i].months, cases[i].days, cases[i].micros);
        CHECK_STR(nilas_str_slice(nilas_buf_view(&out), 1, SIZE_MAX), cases[i].text);
    }
}
