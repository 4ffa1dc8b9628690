/** Instants and local times, calendar arithmetic, truncation. Zones come from base, so that Java's
 *  rules for gaps hold. */
#include <math.h>

#include "engine/udf_row.h"

#define SECONDS(micros) ((micros)*NILAS_MICROS_PER_SECOND)

static int64_t local_of(const nilas_zone *zone, int64_t utc) {
    uint64_t offset = (uint64_t)SECONDS((int64_t)nilas_zone_offset_at(zone, utc));
    return (int64_t)((uint64_t)utc + offset); // infinite timestamps stay defined
}

static void to_local(nilas_row *row) {
    nilas_row__set_bigint(row, local_of(row->context->zone, nilas_row__bigint(row, 0)));
}

static void to_instant(nilas_row *row) {
    nilas_row__set_bigint(row, nilas_zone_to_utc(row->context->zone, nilas_row__bigint(row, 0)));
}

/** The same number under another type. */
static void same_number(nilas_row *row) {
    nilas_row__set_bigint(row, nilas_row__bigint(row, 0));
}

static void now(nilas_row *row) {
    nilas_row__set_bigint(row, row->context->now_micros != 0 ? row->context->now_micros
                                                             : nilas_now_micros());
}

static void zone_name(nilas_row *row) {
    nilas_row__set_text(row, nilas_zone_name(row->context->zone));
}

static void fail_overflow(nilas_row *row) {
    nilas_row__fail(row, "DATETIME_OVERFLOW", "Datetime operation overflow.");
}

/** Whole days move the local date, the rest moves the instant. */
static void add_micros(nilas_row *row) {
    int64_t micros = nilas_row__bigint(row, 0);
    int64_t added = nilas_row__bigint(row, 1);
    int64_t days = added / NILAS_MICROS_PER_DAY;
    int64_t local = local_of(row->context->zone, micros);
    int64_t result;
    if (__builtin_add_overflow(local, days * NILAS_MICROS_PER_DAY, &local) ||
        __builtin_add_overflow(nilas_zone_to_utc(row->context->zone, local),
                               added % NILAS_MICROS_PER_DAY, &result)) {
        fail_overflow(row);
        return;
    }
    nilas_row__set_bigint(row, result);
}

/* --- units --- */

typedef enum unit {
    UNIT_NONE,
    UNIT_YEAR,
    UNIT_QUARTER,
    UNIT_MONTH,
    UNIT_WEEK,
    UNIT_DAY,
    UNIT_HOUR,
    UNIT_MINUTE,
    UNIT_SECOND,
    UNIT_MILLISECOND,
    UNIT_MICROSECOND,
} unit;

static unit find_unit(nilas_str name) {
    static const struct {
        const char *word;
        unit unit;
    } words[] = {
        {"YEAR", UNIT_YEAR},
        {"YYYY", UNIT_YEAR},
        {"YY", UNIT_YEAR},
        {"QUARTER", UNIT_QUARTER},
        {"MON", UNIT_MONTH},
        {"MONTH", UNIT_MONTH},
        {"MM", UNIT_MONTH},
        {"WEEK", UNIT_WEEK},
        {"DAY", UNIT_DAY},
        {"DD", UNIT_DAY},
        {"DAYOFYEAR", UNIT_DAY},
        {"HOUR", UNIT_HOUR},
        {"MINUTE", UNIT_MINUTE},
        {"SECOND", UNIT_SECOND},
        {"MILLISECOND", UNIT_MILLISECOND},
        {"MICROSECOND", UNIT_MICROSECOND},
    };
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (nilas_str_is_nocase(name, words[i].word)) {
            return words[i].unit;
        }
    }
    return UNIT_NONE;
}

static int64_t size_of_unit(unit u) {
    switch (u) {
    case UNIT_WEEK: return 7 * NILAS_MICROS_PER_DAY;
    case UNIT_DAY: return NILAS_MICROS_PER_DAY;
    case UNIT_HOUR: return SECONDS(3600);
    case UNIT_MINUTE: return SECONDS(60);
    case UNIT_SECOND: return SECONDS(1);
    case UNIT_MILLISECOND: return 1000;
    default: return 1;
    }
}

/** Day to which a date is cut. */
static int64_t truncate_days(unit u, int64_t days) {
    int64_t year;
    int32_t month, day;
    nilas_civil_from_days(days, &year, &month, &day);
    switch (u) {
    case UNIT_YEAR: return nilas_days_from_civil(year, 1, 1);
    case UNIT_QUARTER: return nilas_days_from_civil(year, (month - 1) / 3 * 3 + 1, 1);
    case UNIT_MONTH: return nilas_days_from_civil(year, month, 1);
    case UNIT_WEEK: return days - nilas_floor_mod(days + 3, 7); // Monday; day 0 was a Thursday
    default: return days;
    }
}

static void trunc_date(nilas_row *row) {
    unit u = find_unit(nilas_row__text(row, 1));
    if (u == UNIT_NONE || u >= UNIT_DAY) {
        nilas_row__set_null(row);
        return;
    }
    nilas_row__set_integer(row, truncate_days(u, nilas_row__integer(row, 0)));
}

static void date_trunc(nilas_row *row) {
    unit u = find_unit(nilas_row__text(row, 0));
    const nilas_zone *zone = row->context->zone;
    int64_t local = local_of(zone, nilas_row__bigint(row, 1));
    if (u == UNIT_NONE) {
        nilas_row__set_null(row);
    } else if (u <= UNIT_DAY) {
        int64_t days = truncate_days(u, nilas_floor_div(local, NILAS_MICROS_PER_DAY));
        nilas_row__set_bigint(row, nilas_zone_to_utc(zone, days * NILAS_MICROS_PER_DAY));
    } else {
        int64_t size = size_of_unit(u);
        nilas_row__set_bigint(row, nilas_row__bigint(row, 1) - nilas_floor_mod(local, size));
    }
}

/* --- months --- */

static int32_t days_in_month(int64_t year, int32_t month) {
    int64_t next = month == 12 ? nilas_days_from_civil(year + 1, 1, 1)
                               : nilas_days_from_civil(year, month + 1, 1);
    return (int32_t)(next - nilas_days_from_civil(year, month, 1));
}

#define MAXIMUM_YEAR 290000 // beyond it microseconds since 1970 do not fit 64 bits

/** Local time plus months; the day is cut to the month's last. False: out of range. */
static bool add_months(int64_t local, int64_t months, int64_t *out) {
    int64_t days = nilas_floor_div(local, NILAS_MICROS_PER_DAY);
    int64_t year;
    int32_t month, day;
    nilas_civil_from_days(days, &year, &month, &day);
    int64_t total = year * 12 + month - 1 + months;
    year = nilas_floor_div(total, 12);
    month = (int32_t)nilas_floor_mod(total, 12) + 1;
    if (year > MAXIMUM_YEAR || year < -MAXIMUM_YEAR) {
        return false;
    }
    int32_t last = days_in_month(year, month);
    *out = nilas_days_from_civil(year, month, day < last ? day : last) * NILAS_MICROS_PER_DAY +
           nilas_floor_mod(local, NILAS_MICROS_PER_DAY);
    return true;
}

static void months_between(nilas_row *row) {
    nilas_civil a, b;
    nilas_civil_from_micros(local_of(row->context->zone, nilas_row__bigint(row, 0)), &a);
    nilas_civil_from_micros(local_of(row->context->zone, nilas_row__bigint(row, 1)), &b);
    double months = (double)((a.year - b.year) * 12 + a.month - b.month);
    bool both_last =
        a.day == days_in_month(a.year, a.month) && b.day == days_in_month(b.year, b.month);
    if (a.day == b.day || both_last) {
        nilas_row__set_double(row, months);
        return;
    }
    int64_t seconds = (int64_t)(a.day - b.day) * 86400 +
                      (a.hour * 3600 + a.minute * 60 + a.second) -
                      (b.hour * 3600 + b.minute * 60 + b.second);
    double difference = months + (double)seconds / (31.0 * 86400);
    nilas_row__set_double(row,
                          nilas_row__boolean(row, 2) ? round(difference * 1e8) / 1e8 : difference);
}

static void fail_unit(nilas_row *row) {
    nilas_row__fail(row, "INVALID_PARAMETER_VALUE.DATETIME_UNIT",
                    "The value of parameter(s) `unit` is invalid: '%.*s'.",
                    NILAS_FMT(nilas_row__text(row, 0)));
}

/** Months and days move the local time, smaller units the instant. */
static void timestamp_add(nilas_row *row) {
    unit u = find_unit(nilas_row__text(row, 0));
    int64_t count = nilas_row__int(row, 1);
    const nilas_zone *zone = row->context->zone;
    int64_t micros = nilas_row__bigint(row, 2);
    bool is_local = u <= UNIT_DAY;
    int64_t start = is_local ? local_of(zone, micros) : micros;
    int64_t added, result;
    bool good;
    if (u == UNIT_NONE) {
        fail_unit(row);
        return;
    }
    if (u <= UNIT_MONTH) {
        good = add_months(start,
                          count * (u == UNIT_YEAR      ? 12
                                   : u == UNIT_QUARTER ? 3
                                                       : 1),
                          &result);
    } else {
        good = !__builtin_mul_overflow(count, size_of_unit(u), &added) &&
               !__builtin_add_overflow(start, added, &result);
    }
    if (!good) {
        fail_overflow(row);
        return;
    }
    nilas_row__set_bigint(row, is_local ? nilas_zone_to_utc(zone, result) : result);
}

/** Whole units from the first to the second. */
static void timestamp_diff(nilas_row *row) {
    unit u = find_unit(nilas_row__text(row, 0));
    int64_t a = local_of(row->context->zone, nilas_row__bigint(row, 1));
    int64_t b = local_of(row->context->zone, nilas_row__bigint(row, 2));
    if (u == UNIT_NONE || nilas_str_is_nocase(nilas_row__text(row, 0), "DAYOFYEAR")) {
        fail_unit(row);
        return;
    }
    if (u > UNIT_MONTH) {
        nilas_row__set_bigint(row, (b - a) / size_of_unit(u));
        return;
    }
    nilas_civil x, y;
    nilas_civil_from_micros(a, &x);
    nilas_civil_from_micros(b, &y);
    int64_t months = (y.year - x.year) * 12 + y.month - x.month;
    int64_t in_a = (int64_t)x.day * NILAS_MICROS_PER_DAY + nilas_floor_mod(a, NILAS_MICROS_PER_DAY);
    int64_t in_b = (int64_t)y.day * NILAS_MICROS_PER_DAY + nilas_floor_mod(b, NILAS_MICROS_PER_DAY);
    months -= months > 0 && in_b < in_a;
    months += months < 0 && in_b > in_a;
    nilas_row__set_bigint(row, months / (u == UNIT_YEAR ? 12 : u == UNIT_QUARTER ? 3 : 1));
}

static void next_day(nilas_row *row) {
    static const char *const names[] = {"TH THU THURSDAY", "FR FRI FRIDAY", "SA SAT SATURDAY",
                                        "SU SUN SUNDAY",   "MO MON MONDAY", "TU TUE TUESDAY",
                                        "WE WED WEDNESDAY"}; // from day 0, a Thursday
    nilas_str name = nilas_row__text(row, 1);
    int64_t days = nilas_row__integer(row, 0);
    for (int64_t i = 0; i < 7; i++) {
        nilas_str words = nilas_str_of(names[i]);
        bool found = nilas_str_equal_nocase(name, nilas_str_slice(words, 0, 2)) ||
                     nilas_str_equal_nocase(name, nilas_str_slice(words, 3, 3)) ||
                     nilas_str_equal_nocase(name, nilas_str_slice(words, 7, words.size));
        if (found) {
            nilas_row__set_integer(row, days + 1 + nilas_floor_mod(i - days - 1, 7));
            return;
        }
    }
    nilas_row__fail(row, "ILLEGAL_DAY_OF_WEEK", "Illegal input for day of week: %.*s.",
                    NILAS_FMT(name));
}

/* --- making --- */

static bool check_field(nilas_row *row, const char *name, int64_t value, int64_t low,
                        int64_t high) {
    if (value >= low && value <= high) {
        return true;
    }
    nilas_row__fail(row, "DATETIME_FIELD_OUT_OF_BOUNDS",
                    "Invalid value for %s (valid values %lld - %lld): %lld. If necessary set "
                    "\"spark.sql.ansi.enabled\" to \"false\" to bypass "
                    "this error.",
                    name, (long long)low, (long long)high, (long long)value);
    return false;
}

static bool make_days(nilas_row *row, int64_t *out) {
    int32_t year = nilas_row__int(row, 0), month = nilas_row__int(row, 1),
            day = nilas_row__int(row, 2);
    if (!check_field(row, "Year", year, -MAXIMUM_YEAR, MAXIMUM_YEAR) ||
        !check_field(row, "MonthOfYear", month, 1, 12) ||
        !check_field(row, "DayOfMonth", day, 1, 31)) {
        return false;
    }
    if (day > days_in_month(year, month)) {
        nilas_row__fail(
            row, "DATETIME_FIELD_OUT_OF_BOUNDS",
            "Invalid date '%d-%d-%d'. If necessary set \"spark.sql.ansi.enabled\" to \"false\" "
            "to bypass this error.",
            year, month, day);
        return false;
    }
    *out = nilas_days_from_civil(year, month, day);
    return true;
}

static void make_date(nilas_row *row) {
    int64_t days;
    if (make_days(row, &days)) {
        nilas_row__set_integer(row, days);
    }
}

/** Seconds come as micros of decimal(16,6); 60 is the next minute. */
static bool make_local(nilas_row *row, int64_t *out) {
    uint32_t scale;
    int64_t days;
    int64_t seconds = (int64_t)nilas_row__decimal(row, 5, &scale);
    if (!make_days(row, &days) || !check_field(row, "HourOfDay", nilas_row__int(row, 3), 0, 23) ||
        !check_field(row, "MinuteOfHour", nilas_row__int(row, 4), 0, 59)) {
        return false;
    }
    if (seconds < 0 || seconds > 60000000) {
        nilas_row__fail(
            row,
            seconds < 0 || seconds >= 61000000 ? "DATETIME_FIELD_OUT_OF_BOUNDS"
                                               : "INVALID_FRACTION_OF_SECOND",
            "Valid range for seconds is [0, 60] (inclusive), but the provided value is out of it.");
        return false;
    }
    *out = days * NILAS_MICROS_PER_DAY +
           SECONDS((int64_t)nilas_row__int(row, 3) * 3600 + (int64_t)nilas_row__int(row, 4) * 60) +
           seconds;
    return true;
}

static const nilas_zone *zone_of(nilas_row *row, size_t i) {
    nilas_str name = nilas_row__text(row, i);
    const nilas_zone *zone = nilas_zone_find(name);
    if (zone == NULL) {
        nilas_row__fail(row, "INVALID_TIMEZONE",
                        "The timezone: %.*s is invalid. The timezone must be either a region-based "
                        "zone ID or a zone "
                        "offset.",
                        NILAS_FMT(name));
    }
    return zone;
}

static void make_timestamp(nilas_row *row) {
    int64_t local;
    const nilas_zone *zone =
        nilas_row__text(row, 6).size > 0 ? zone_of(row, 6) : row->context->zone;
    if (zone != NULL && make_local(row, &local)) {
        nilas_row__set_bigint(row, nilas_zone_to_utc(zone, local));
    }
}

static void make_timestamp_ntz(nilas_row *row) {
    int64_t local;
    if (make_local(row, &local)) {
        nilas_row__set_bigint(row, local);
    }
}

/* --- zones --- */

/** from_utc_timestamp: the instant whose UTC reading becomes the zone's reading, and back (extra
 *  1). */
static void shift_zone(nilas_row *row) {
    const nilas_zone *zone = zone_of(row, 1);
    int64_t micros = nilas_row__bigint(row, 0);
    if (zone == NULL) {
        return;
    }
    if (row->udf->extra == 0) {
        nilas_row__set_bigint(row, local_of(zone, micros));
    } else {
        nilas_row__set_bigint(row, nilas_zone_to_utc(zone, micros));
    }
}

static void convert_zone(nilas_row *row) {
    const nilas_zone *from = zone_of(row, 0);
    const nilas_zone *to = from != NULL ? zone_of(row, 1) : NULL;
    if (to != NULL) {
        nilas_row__set_bigint(row,
                              local_of(to, nilas_zone_to_utc(from, nilas_row__bigint(row, 2))));
    }
}

const nilas_udf nilas_engine__time_functions[] = {
    {"nilas_local", "T>N", to_local, 0, 0},
    {"nilas_instant", "N>T", to_instant, 0, 0},
    {"nilas_utc", "T>N", same_number, 0, 0},
    {"nilas_micros_instant", "l>T", same_number, 0, 0},
    {"nilas_now", ">l", now, NILAS_UDF_VOLATILE, 0},
    {"nilas_zone_name", ">s", zone_name, NILAS_UDF_VOLATILE, 0},
    {"nilas_add_micros", "Tl>T", add_micros, 0, 0},
    {"nilas_trunc_date", "Ds>D", trunc_date, 0, 0},
    {"nilas_date_trunc", "sT>T", date_trunc, 0, 0},
    {"nilas_months_between", "TTb>d", months_between, 0, 0},
    {"nilas_timestamp_add", "siT>T", timestamp_add, 0, 0},
    {"nilas_timestamp_diff", "sTT>l", timestamp_diff, 0, 0},
    {"nilas_next_day", "Ds>D", next_day, 0, 0},
    {"nilas_make_date", "iii>D", make_date, 0, 0},
    {"nilas_make_timestamp", "iiiiias>T", make_timestamp, 0, 0},
    {"nilas_make_timestamp_ntz", "iiiiia>N", make_timestamp_ntz, 0, 0},
    {"nilas_from_utc", "Ts>T", shift_zone, 0, 0},
    {"nilas_to_utc", "Ts>T", shift_zone, 0, 1},
    {"nilas_convert_zone", "ssN>N", convert_zone, 0, 0},
    {NULL, NULL, NULL, 0, 0},
};
