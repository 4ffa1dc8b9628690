/*
 * TZif files and POSIX TZ texts. Files come from the system, but are still read as untrusted
 * bytes.
 */
#include "base/tzfile.h"

#include <stdlib.h>

#include "base/reader.h"
#include "base/time.h"

#define HEADER_BYTES 44U
#define MAX_ITEMS    100000U // of one kind in one file; real files stay below 2,000

typedef struct tz_counts {
    uint32_t utc_flags, standard_flags, leaps, times, types, name_bytes;
} tz_counts;

static bool read_header(nilas_reader *reader, uint8_t *version, tz_counts *out) {
    nilas_str magic;
    uint32_t *fields[] = {&out->utc_flags, &out->standard_flags, &out->leaps,
                          &out->times,     &out->types,          &out->name_bytes};

    if (nilas_reader_bytes(reader, 4, &magic, NULL) != NILAS_OK || !nilas_str_is(magic, "TZif") ||
        nilas_reader_u8(reader, version, NULL) != NILAS_OK ||
        nilas_reader_skip(reader, 15, NULL) != NILAS_OK) {
        return false;
    }
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        if (nilas_reader_u32be(reader, fields[i], NULL) != NILAS_OK || *fields[i] > MAX_ITEMS) {
            return false;
        }
    }
    return out->types > 0;
}

static size_t body_bytes(const tz_counts *counts, size_t time_size) {
    return counts->times * (time_size + 1) + counts->types * 6U + counts->name_bytes +
           counts->leaps * (time_size + 4) + counts->standard_flags + counts->utc_flags;
}

static int64_t big_endian_64(const uint8_t *at) {
    uint64_t value = 0;

    for (size_t i = 0; i < 8; i++) {
        value = value << 8 | at[i];
    }
    return (int64_t)value;
}

static int32_t big_endian_32(const uint8_t *at) {
    return (int32_t)((uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3]);
}

/** `body` has body_bytes(counts, 8) bytes. */
static bool read_transitions(const uint8_t *body, const tz_counts *counts, nilas_tz_data *out) {
    const uint8_t *indexes = body + counts->times * 8U;
    const uint8_t *types = indexes + counts->times;

    for (size_t i = 0; i < counts->times; i++) {
        out->times[i] = big_endian_64(body + 8 * i);
        if (indexes[i] >= counts->types || (i > 0 && out->times[i] <= out->times[i - 1])) {
            return false;
        }
        out->offsets[i] = big_endian_32(types + 6U * indexes[i]);
        if (out->offsets[i] < -100000 || out->offsets[i] > 100000) {
            return false;
        }
    }
    out->count = counts->times;
    out->first_offset = big_endian_32(types);
    return out->first_offset >= -100000 && out->first_offset <= 100000;
}

/** The text between two newlines at the end of the file; empty: no rule. */
static bool read_footer(nilas_reader *reader, nilas_tz_rule *out) {
    nilas_str rest;

    if (nilas_reader_bytes(reader, nilas_reader_left(reader), &rest, NULL) != NILAS_OK ||
        rest.size < 2 || rest.data[0] != '\n' || rest.data[rest.size - 1] != '\n') {
        return false;
    }
    return rest.size == 2 ||
           nilas_base__tz_parse_rule(nilas_str_slice(rest, 1, rest.size - 2), out);
}

bool nilas_base__tz_decode(nilas_str bytes, nilas_tz_data *out) {
    nilas_reader reader = nilas_reader_of(bytes, "time zone file");
    tz_counts counts;
    uint8_t version;
    nilas_str body;

    *out = (nilas_tz_data){0};
    // The first part repeats the times in 32 bits for old programs; version 2 has them again in 64.
    if (!read_header(&reader, &version, &counts) || version < '2' ||
        nilas_reader_skip(&reader, body_bytes(&counts, 4), NULL) != NILAS_OK ||
        !read_header(&reader, &version, &counts) ||
        nilas_reader_bytes(&reader, body_bytes(&counts, 8), &body, NULL) != NILAS_OK) {
        return false;
    }

    out->times = calloc(counts.times + 1U, sizeof(*out->times));
    out->offsets = calloc(counts.times + 1U, sizeof(*out->offsets));
    if (out->times == NULL || out->offsets == NULL ||
        !read_transitions((const uint8_t *)body.data, &counts, out) ||
        !read_footer(&reader, &out->rule)) {
        free(out->times);
        free(out->offsets);
        *out = (nilas_tz_data){0};
        return false;
    }
    return true;
}

// ---- POSIX TZ -----------------------------------------------------------------------------------

static bool at_char(nilas_str text, size_t at, char c) {
    return at < text.size && text.data[at] == c;
}

static bool is_letter(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static bool skip_name(nilas_str text, size_t *at) {
    size_t start = *at;

    if (at_char(text, *at, '<')) {
        while (*at < text.size && text.data[*at] != '>') {
            (*at)++;
        }
        return *at < text.size && ++*at > start + 2;
    }
    while (*at < text.size && is_letter(text.data[*at])) {
        (*at)++;
    }
    return *at > start;
}

static bool take_int(nilas_str text, size_t *at, int32_t max, int32_t *out) {
    size_t start = *at;
    int32_t value = 0;

    for (; *at < text.size && text.data[*at] >= '0' && text.data[*at] <= '9'; (*at)++) {
        value = value * 10 + (text.data[*at] - '0');
        if (value > max) {
            return false;
        }
    }
    *out = value;
    return *at > start;
}

/** "[+-]h[h[h]][:mm[:ss]]" in seconds. */
static bool take_seconds(nilas_str text, size_t *at, int32_t *out) {
    int32_t sign = 1;
    int32_t hours;
    int32_t minutes = 0;
    int32_t seconds = 0;

    if (at_char(text, *at, '+') || at_char(text, *at, '-')) {
        sign = text.data[*at] == '-' ? -1 : 1;
        (*at)++;
    }
    if (!take_int(text, at, 167, &hours)) {
        return false;
    }
    if (at_char(text, *at, ':')) {
        (*at)++;
        if (!take_int(text, at, 59, &minutes)) {
            return false;
        }
        if (at_char(text, *at, ':')) {
            (*at)++;
            if (!take_int(text, at, 59, &seconds)) {
                return false;
            }
        }
    }
    *out = sign * (hours * 3600 + minutes * 60 + seconds);
    return true;
}

static bool take_month_week_day(nilas_str text, size_t *at, nilas_tz_date *out) {
    out->kind = NILAS_TZ_MONTH_WEEK_DAY;
    if (!take_int(text, at, 12, &out->month) || out->month < 1 || !at_char(text, *at, '.')) {
        return false;
    }
    (*at)++;
    if (!take_int(text, at, 5, &out->week) || out->week < 1 || !at_char(text, *at, '.')) {
        return false;
    }
    (*at)++;
    return take_int(text, at, 6, &out->day);
}

/** ",date[/time]" */
static bool take_rule_date(nilas_str text, size_t *at, nilas_tz_date *out) {
    bool good;

    if (!at_char(text, *at, ',')) {
        return false;
    }
    (*at)++;
    if (at_char(text, *at, 'M')) {
        (*at)++;
        good = take_month_week_day(text, at, out);
    } else if (at_char(text, *at, 'J')) {
        (*at)++;
        out->kind = NILAS_TZ_JULIAN;
        good = take_int(text, at, 365, &out->day) && out->day >= 1;
    } else {
        out->kind = NILAS_TZ_DAY;
        good = take_int(text, at, 365, &out->day);
    }
    if (!good) {
        return false;
    }
    out->seconds = 2 * 3600;
    if (at_char(text, *at, '/')) {
        (*at)++;
        return take_seconds(text, at, &out->seconds);
    }
    return true;
}

bool nilas_base__tz_parse_rule(nilas_str text, nilas_tz_rule *out) {
    nilas_tz_rule rule = {.present = true};
    size_t at = 0;
    int32_t west;

    // POSIX counts offsets westwards.
    if (!skip_name(text, &at) || !take_seconds(text, &at, &west)) {
        return false;
    }
    rule.standard_offset = -west;
    if (at == text.size) {
        *out = rule;
        return true;
    }

    rule.has_dst = true;
    rule.dst_offset = rule.standard_offset + 3600;
    if (!skip_name(text, &at)) {
        return false;
    }
    if (at < text.size && text.data[at] != ',') {
        if (!take_seconds(text, &at, &west)) {
            return false;
        }
        rule.dst_offset = -west;
    }
    if (!take_rule_date(text, &at, &rule.start) || !take_rule_date(text, &at, &rule.end) ||
        at != text.size) {
        return false;
    }
    *out = rule;
    return true;
}

static bool is_leap(int64_t year) {
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/** Days since 1970-01-01 of a rule's date in a year. */
static int64_t rule_day(const nilas_tz_date *date, int64_t year) {
    if (date->kind == NILAS_TZ_DAY) {
        return nilas_days_from_civil(year, 1, 1) + date->day;
    }
    if (date->kind == NILAS_TZ_JULIAN) {
        // February 29 is never counted.
        return nilas_days_from_civil(year, 1, 1) + date->day - 1 +
               (is_leap(year) && date->day >= 60 ? 1 : 0);
    }

    int64_t first = nilas_days_from_civil(year, date->month, 1);
    int64_t next_month = date->month == 12 ? nilas_days_from_civil(year + 1, 1, 1)
                                           : nilas_days_from_civil(year, date->month + 1, 1);
    int64_t first_weekday = nilas_floor_mod(first + 4, 7); // 1970-01-01 was a Thursday
    int64_t day = first + nilas_floor_mod(date->day - first_weekday, 7) + 7LL * (date->week - 1);
    return day < next_month ? day : day - 7;
}

int32_t nilas_base__tz_rule_offset(const nilas_tz_rule *rule, int64_t utc_seconds) {
    nilas_assert(rule->present);
    if (!rule->has_dst) {
        return rule->standard_offset;
    }

    int64_t year;
    int32_t month;
    int32_t day;
    nilas_civil_from_days(nilas_floor_div(utc_seconds + rule->standard_offset, 86400), &year,
                          &month, &day);
    int64_t start =
        rule_day(&rule->start, year) * 86400 + rule->start.seconds - rule->standard_offset;
    int64_t end = rule_day(&rule->end, year) * 86400 + rule->end.seconds - rule->dst_offset;
    bool dst = start < end ? utc_seconds >= start && utc_seconds < end
                           : utc_seconds < end || utc_seconds >= start;
    return dst ? rule->dst_offset : rule->standard_offset;
}
