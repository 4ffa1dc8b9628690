/*
 * Civil time and its text. Days are counted by the usual trick of a year that starts in March, so
 * that the leap day is the last one. Parsing follows what Spark accepts in a cast, form by form;
 * zones are in zone.c.
 *
 * Spec: spark#cast-string-to-date, spark#cast-string-to-timestamp.
 */
#include "base/time.h"

#include <time.h>

#define DAYS_PER_ERA 146097 // 400 years
#define DAYS_TO_1970 719468 // from 0000-03-01

int64_t nilas_days_from_civil(int64_t year, int32_t month, int32_t day) {
    nilas_assert(month >= 1 && month <= 12);

    int64_t march_year = month <= 2 ? year - 1 : year;
    int64_t era = nilas_floor_div(march_year, 400);
    int64_t year_of_era = march_year - era * 400;
    int64_t march_month = month > 2 ? month - 3 : month + 9;
    int64_t day_of_year = (153 * march_month + 2) / 5 + day - 1;
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * DAYS_PER_ERA + day_of_era - DAYS_TO_1970;
}

void nilas_civil_from_days(int64_t days, int64_t *year, int32_t *month, int32_t *day) {
    int64_t shifted = days + DAYS_TO_1970;
    int64_t era = nilas_floor_div(shifted, DAYS_PER_ERA);
    int64_t day_of_era = shifted - era * DAYS_PER_ERA;
    int64_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t march_month = (5 * day_of_year + 2) / 153;

    *day = (int32_t)(day_of_year - (153 * march_month + 2) / 5 + 1);
    *month = (int32_t)(march_month < 10 ? march_month + 3 : march_month - 9);
    *year = year_of_era + era * 400 + (*month <= 2 ? 1 : 0);
}

void nilas_civil_from_micros(int64_t micros, nilas_civil *out) {
    int64_t days = nilas_floor_div(micros, NILAS_MICROS_PER_DAY);
    int64_t rest = nilas_floor_mod(micros, NILAS_MICROS_PER_DAY);
    int64_t seconds = rest / NILAS_MICROS_PER_SECOND;

    nilas_civil_from_days(days, &out->year, &out->month, &out->day);
    out->hour = (int32_t)(seconds / 3600);
    out->minute = (int32_t)(seconds / 60 % 60);
    out->second = (int32_t)(seconds % 60);
    out->micro = (int32_t)(rest % NILAS_MICROS_PER_SECOND);
}

/** False when the instant is beyond 64-bit microseconds. */
static bool micros_of(const nilas_civil *civil, int64_t *out) {
    int64_t days = nilas_days_from_civil(civil->year, civil->month, civil->day);
    int64_t seconds = civil->hour * 3600LL + civil->minute * 60LL + civil->second;
    int64_t rest = seconds * NILAS_MICROS_PER_SECOND + civil->micro;
    // In 128 bits, because the earliest day starts before the earliest instant.
    __int128 micros = (__int128)days * NILAS_MICROS_PER_DAY + rest;

    *out = (int64_t)micros;
    return micros >= INT64_MIN && micros <= INT64_MAX;
}

int64_t nilas_micros_from_civil(const nilas_civil *civil) {
    int64_t micros;
    bool fits = micros_of(civil, &micros);

    nilas_assert(fits);
    return micros;
}

// ---- printing -----------------------------------------------------------------------------------

void nilas_date_print(nilas_buf *out, int64_t days) {
    int64_t year;
    int32_t month;
    int32_t day;

    nilas_civil_from_days(days, &year, &month, &day);
    if (year >= 0 && year <= 9999) {
        nilas_buf_print(out, "%04lld-%02d-%02d", (long long)year, month, day);
    } else if (year < 0) {
        nilas_buf_print(out, "-%04lld-%02d-%02d", (long long)-year, month, day);
    } else {
        nilas_buf_print(out, "+%lld-%02d-%02d", (long long)year, month, day);
    }
}

void nilas_timestamp_print(nilas_buf *out, int64_t local_micros) {
    nilas_civil civil;

    nilas_civil_from_micros(local_micros, &civil);
    nilas_date_print(out, nilas_floor_div(local_micros, NILAS_MICROS_PER_DAY));
    nilas_buf_print(out, " %02d:%02d:%02d", civil.hour, civil.minute, civil.second);
    if (civil.micro != 0) {
        nilas_buf_print(out, ".%06d", civil.micro);
        size_t size = out->size;
        while (out->failed == NILAS_OK && out->data[size - 1] == '0') {
            size--;
        }
        nilas_buf_truncate(out, size);
    }
}

// ---- parsing ------------------------------------------------------------------------------------

/** What Spark trims around dates: blanks and control characters, DEL too. */
static nilas_str trim_controls(nilas_str text) {
    size_t from = 0;
    size_t to = text.size;

    while (from < to && ((unsigned char)text.data[from] <= ' ' || text.data[from] == 0x7F)) {
        from++;
    }
    while (to > from && ((unsigned char)text.data[to - 1] <= ' ' || text.data[to - 1] == 0x7F)) {
        to--;
    }
    return nilas_str_slice(text, from, to - from);
}

/** The whole run of digits at *at; false unless it has min..max of them (max <= 9). */
static bool take_number(nilas_str text, size_t *at, size_t min_digits, size_t max_digits,
                        int32_t *out) {
    size_t start = *at;
    int32_t value = 0;

    for (; *at < text.size && text.data[*at] >= '0' && text.data[*at] <= '9'; (*at)++) {
        if (*at - start >= max_digits) {
            return false;
        }
        value = value * 10 + (text.data[*at] - '0');
    }
    *out = value;
    return *at - start >= min_digits;
}

static bool take_char(nilas_str text, size_t *at, char c) {
    if (*at < text.size && text.data[*at] == c) {
        (*at)++;
        return true;
    }
    return false;
}

/** -1 or 1 */
static int32_t take_sign(nilas_str text, size_t *at) {
    if (take_char(text, at, '-')) {
        return -1;
    }
    (void)take_char(text, at, '+');
    return 1;
}

static bool is_valid_date(int64_t year, int32_t month, int32_t day) {
    static const int32_t lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    if (month < 1 || month > 12 || day < 1) {
        return false;
    }
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return day <= lengths[month - 1] + (month == 2 && leap ? 1 : 0);
}

/**
 * "yyyy*[-m[m][-d[d]]]" at *at; missing parts are 1. *full: all three were there. False when
 * malformed.
 */
static bool take_date(nilas_str text, size_t *at, size_t max_year_digits, nilas_civil *out,
                      bool *full) {
    int32_t sign = take_sign(text, at);
    int32_t year;

    if (!take_number(text, at, 4, max_year_digits, &year)) {
        return false;
    }
    out->year = (int64_t)sign * year;
    out->month = 1;
    out->day = 1;
    *full = false;
    if (!take_char(text, at, '-')) {
        return true;
    }
    if (!take_number(text, at, 1, 2, &out->month)) {
        return false;
    }
    if (!take_char(text, at, '-')) {
        return true;
    }
    *full = true;
    return take_number(text, at, 1, 2, &out->day);
}

bool nilas_date_parse(nilas_str text, int64_t *out_days) {
    nilas_str trimmed = trim_controls(text);
    nilas_civil civil = {0};
    size_t at = 0;
    bool full;

    if (!take_date(trimmed, &at, 7, &civil, &full)) {
        return false;
    }
    // Behind a full date anything may follow after a blank or a T.
    if (at < trimmed.size && !(full && (trimmed.data[at] == ' ' || trimmed.data[at] == 'T'))) {
        return false;
    }
    if (!is_valid_date(civil.year, civil.month, civil.day)) {
        return false;
    }
    int64_t days = nilas_days_from_civil(civil.year, civil.month, civil.day);
    if (days < INT32_MIN || days > INT32_MAX) {
        return false;
    }
    *out_days = days;
    return true;
}

typedef struct timestamp_parts {
    nilas_civil civil;
    bool only_time;
    nilas_str zone; // empty: none
} timestamp_parts;

/** Digits after the point; beyond microseconds they are dropped. */
static int32_t take_fraction(nilas_str text, size_t *at) {
    int32_t value = 0;
    size_t digits = 0;

    for (; *at < text.size && text.data[*at] >= '0' && text.data[*at] <= '9'; (*at)++) {
        if (digits < 6) {
            value = value * 10 + (text.data[*at] - '0');
            digits++;
        }
    }
    for (; digits < 6; digits++) {
        value *= 10;
    }
    return value;
}

/** "h[h][:m[m][:s[s][.f*][zone]]]" up to the end. */
static bool take_time(nilas_str text, size_t at, timestamp_parts *out) {
    if (!take_number(text, &at, 1, 2, &out->civil.hour)) {
        return false;
    }
    if (at == text.size) {
        return true;
    }
    if (!take_char(text, &at, ':') || !take_number(text, &at, 1, 2, &out->civil.minute)) {
        return false;
    }
    if (at == text.size) {
        return true;
    }
    if (!take_char(text, &at, ':') || !take_number(text, &at, 1, 2, &out->civil.second)) {
        return false;
    }
    if (take_char(text, &at, '.')) {
        out->civil.micro = take_fraction(text, &at);
    }
    out->zone = nilas_str_trim(nilas_str_slice(text, at, text.size));
    return true;
}

static bool starts_with_time(nilas_str text) {
    size_t at = 0;
    int32_t hour;
    return take_number(text, &at, 1, 2, &hour) && at < text.size && text.data[at] == ':';
}

static bool parse_timestamp_parts(nilas_str text, timestamp_parts *out) {
    nilas_str trimmed = trim_controls(text);
    size_t at = 0;
    bool full;

    *out = (timestamp_parts){.civil = {.year = 1, .month = 1, .day = 1}, .zone = NILAS_STR_EMPTY};
    // A leading T counts only at the very start, before any blank.
    if (text.size > 0 && text.data[0] == 'T') {
        out->only_time = true;
        return take_time(trimmed, 1, out);
    }
    if (starts_with_time(trimmed)) {
        out->only_time = true;
        return take_time(trimmed, 0, out);
    }
    if (!take_date(trimmed, &at, 6, &out->civil, &full)) {
        return false;
    }
    if (at == trimmed.size) {
        return true;
    }
    return full && (take_char(trimmed, &at, ' ') || take_char(trimmed, &at, 'T')) &&
           take_time(trimmed, at, out);
}

static bool is_valid_civil(const nilas_civil *civil) {
    return is_valid_date(civil->year, civil->month, civil->day) && civil->hour <= 23 &&
           civil->minute <= 59 && civil->second <= 59;
}

bool nilas_timestamp_parse(nilas_str text, const nilas_zone *zone, int64_t *out_micros,
                           bool *has_zone) {
    timestamp_parts parts;
    const nilas_zone *own_zone = NULL;
    int64_t local;

    if (!parse_timestamp_parts(text, &parts)) {
        return false;
    }
    if (parts.zone.size != 0) {
        own_zone = nilas_zone_find(parts.zone);
        if (own_zone == NULL) {
            return false;
        }
    }
    if (parts.only_time) {
        const nilas_zone *here = own_zone != NULL ? own_zone : zone;
        int64_t now = nilas_now_micros();
        int64_t offset = here != NULL ? nilas_zone_offset_at(here, now) : 0;
        int64_t today =
            nilas_floor_div(now + offset * NILAS_MICROS_PER_SECOND, NILAS_MICROS_PER_DAY);
        nilas_civil_from_days(today, &parts.civil.year, &parts.civil.month, &parts.civil.day);
    }
    if (!is_valid_civil(&parts.civil) || !micros_of(&parts.civil, &local)) {
        return false;
    }
    *has_zone = own_zone != NULL;
    *out_micros = own_zone != NULL ? nilas_zone_to_utc(own_zone, local) : local;
    return true;
}

bool nilas_timestamp_ntz_parse(nilas_str text, bool allow_zone, int64_t *out_local_micros) {
    timestamp_parts parts;

    if (!parse_timestamp_parts(text, &parts) || parts.only_time) {
        return false;
    }
    if (parts.zone.size != 0 && (!allow_zone || nilas_zone_find(parts.zone) == NULL)) {
        return false;
    }
    return is_valid_civil(&parts.civil) && micros_of(&parts.civil, out_local_micros);
}

// ---- clocks -------------------------------------------------------------------------------------

static int64_t read_clock_ns(clockid_t clock) {
    struct timespec now;
    int failed = clock_gettime(clock, &now);

    nilas_assert(failed == 0);
    return (int64_t)now.tv_sec * 1000000000LL + now.tv_nsec;
}

int64_t nilas_now_ms(void) {
    return read_clock_ns(CLOCK_REALTIME) / 1000000;
}
int64_t nilas_now_micros(void) {
    return read_clock_ns(CLOCK_REALTIME) / 1000;
}
int64_t nilas_monotonic_ns(void) {
    return read_clock_ns(CLOCK_MONOTONIC);
}
