/**
 * Patterns of DateTimeFormatter: runs of one letter are fields, '…' is text, […] is optional when
 * reading.
 */
#include "engine/pattern.h"

#include <stdio.h>

static const char *const months[] = {"January",   "February", "March",    "April",
                                     "May",       "June",     "July",     "August",
                                     "September", "October",  "November", "December"};
static const char *const weekdays[] = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                       "Friday", "Saturday", "Sunday"};

static size_t run_length(nilas_str pattern, size_t at) {
    size_t end = at;
    while (end < pattern.size && pattern.data[end] == pattern.data[at]) {
        end++;
    }
    return end - at;
}

/** Text in quotes from `at`; '' is a quote. Returns the position behind it. */
static size_t quoted(nilas_str pattern, size_t at, nilas_buf *out) {
    if (at + 1 < pattern.size && pattern.data[at + 1] == '\'') {
        nilas_buf_add_char(out, '\'');
        return at + 2;
    }
    at++;
    while (at < pattern.size) {
        if (pattern.data[at] != '\'') {
            nilas_buf_add_char(out, pattern.data[at++]);
        } else if (at + 1 < pattern.size && pattern.data[at + 1] == '\'') {
            nilas_buf_add_char(out, '\'');
            at += 2;
        } else {
            return at + 1;
        }
    }
    return at;
}

/* --- writing --- */

typedef struct moment {
    nilas_civil civil;
    int64_t days;
    int32_t offset;
    const nilas_zone *zone;
} moment;

static void print_number(nilas_buf *out, int64_t value, size_t width) {
    nilas_buf_print(out, "%0*lld", (int)width, (long long)value);
}

static void print_word(nilas_buf *out, const char *word, size_t count) {
    nilas_buf_print(out, "%.*s", count >= 4 ? 20 : 3, word);
}

static void print_year(nilas_buf *out, int64_t year, size_t count) {
    if (count == 2) {
        print_number(out, nilas_floor_mod(year, 100), 2);
        return;
    }
    nilas_buf_add_text(out, count >= 4 && year > 9999 && count == 4 ? "+" : "");
    print_number(out, year, count);
}

static void print_fraction(nilas_buf *out, int32_t micro, size_t count) {
    char digits[16];
    snprintf(digits, sizeof(digits), "%06d000", micro);
    nilas_buf_print(out, "%.*s", (int)(count > 9 ? 9 : count), digits);
}

/** Whether hours and minutes of an offset are separated. */
static bool has_colon(char letter, size_t count) {
    return letter == 'O' || (letter == 'Z' ? count >= 4 : count == 3 || count == 5);
}

static void print_hours(nilas_buf *out, char letter, size_t count, uint32_t minutes) {
    bool is_shortest = count == 1 && letter != 'Z';
    nilas_buf_print(out, letter == 'O' && count == 1 ? "%u" : "%02u", minutes / 60);
    if (!is_shortest || minutes % 60 != 0) {
        nilas_buf_print(out, has_colon(letter, count) ? ":%02u" : "%02u", minutes % 60);
    }
}

/** X, x, Z and O. */
static void print_offset(nilas_buf *out, char letter, size_t count, int32_t offset) {
    uint32_t size = (uint32_t)(offset < 0 ? -offset : offset);
    bool is_gmt = letter == 'O' || (letter == 'Z' && count == 4);
    nilas_buf_add_text(out, is_gmt ? "GMT" : "");
    if (offset == 0 && (is_gmt || letter == 'X' || (letter == 'Z' && count == 5))) {
        nilas_buf_add_text(out, is_gmt ? "" : "Z");
        return;
    }
    nilas_buf_add_char(out, offset < 0 ? '-' : '+');
    print_hours(out, letter, count, size / 60);
}

static bool print_date_field(nilas_buf *out, char letter, size_t count, const moment *m) {
    const nilas_civil *c = &m->civil;
    switch (letter) {
    case 'G':
        nilas_buf_add_text(out, count == 4    ? (c->year > 0 ? "Anno Domini" : "Before Christ")
                                : c->year > 0 ? "AD"
                                              : "BC");
        return true;
    case 'y':
    case 'u': print_year(out, c->year, count); return true;
    case 'D':
        print_number(out, m->days - nilas_days_from_civil(c->year, 1, 1) + 1, count);
        return true;
    case 'M':
    case 'L':
        if (count >= 3) {
            print_word(out, months[c->month - 1], count);
        } else {
            print_number(out, c->month, count);
        }
        return true;
    case 'd': print_number(out, c->day, count); return true;
    case 'Q':
    case 'q':
        if (count >= 4) {
            static const char *const suffix[] = {"st", "nd", "rd", "th"};
            nilas_buf_print(out, "%d%s quarter", (c->month + 2) / 3,
                            suffix[(c->month + 2) / 3 - 1]);
        } else {
            nilas_buf_add_text(out, count == 3 ? "Q" : "");
            print_number(out, (c->month + 2) / 3, count == 2 ? 2 : 1);
        }
        return true;
    case 'E': print_word(out, weekdays[nilas_floor_mod(m->days + 3, 7)], count); return true;
    case 'F': print_number(out, (c->day - 1) % 7 + 1, count); return true;
    default: return false;
    }
}

/** Names of UTC only: those of other zones are no part of the zone files. */
static bool print_zone_name(nilas_buf *out, size_t count, const moment *m) {
    nilas_str name = m->zone != NULL ? nilas_zone_name(m->zone) : NILAS_STR("UTC");
    bool is_utc = nilas_str_is(name, "UTC") || nilas_str_is(name, "Etc/UTC");
    bool is_offset = name.size > 0 && (name.data[0] == '+' || name.data[0] == '-');
    if (!is_utc && !is_offset) {
        return false;
    }
    nilas_buf_add(out, is_utc && count == 4 ? NILAS_STR("Coordinated Universal Time") : name);
    return true;
}

static bool print_time_field(nilas_buf *out, char letter, size_t count, const moment *m) {
    const nilas_civil *c = &m->civil;
    switch (letter) {
    case 'a': nilas_buf_add_text(out, c->hour < 12 ? "AM" : "PM"); return true;
    case 'h': print_number(out, c->hour % 12 == 0 ? 12 : c->hour % 12, count); return true;
    case 'K': print_number(out, c->hour % 12, count); return true;
    case 'k': print_number(out, c->hour == 0 ? 24 : c->hour, count); return true;
    case 'H': print_number(out, c->hour, count); return true;
    case 'm': print_number(out, c->minute, count); return true;
    case 's': print_number(out, c->second, count); return true;
    case 'S': print_fraction(out, c->micro, count); return true;
    case 'V':
        nilas_buf_add(out, m->zone != NULL ? nilas_zone_name(m->zone) : NILAS_STR("UTC"));
        return true;
    case 'z': return print_zone_name(out, count, m);
    case 'X':
    case 'x':
    case 'Z':
    case 'O': print_offset(out, letter, count, m->offset); return true;
    default: return false;
    }
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/** How many of a letter may stand together; 0: Spark has none of it. */
static size_t most_letters(char letter, bool reads) {
    switch (letter) {
    case 'a': return 1;
    case 'E':
    case 'Q':
    case 'q': return reads ? 0 : 4;
    case 'F': return reads ? 0 : 1;
    case 'G':
    case 'M':
    case 'L':
    case 'z': return 4;
    default: return strchr("yDdHhKkmsSVXxZO", letter) != NULL ? 19 : 0;
    }
}

static nilas_pattern_fault check_letter(char letter, size_t count, bool reads) {
    size_t most = most_letters(letter, reads);
    if (most > 0) {
        return count > most ? NILAS_PATTERN_UNRECOGNIZED : NILAS_PATTERN_GOOD;
    }
    if (strchr("ec", letter) != NULL) {
        return NILAS_PATTERN_WEEK_BASED;
    }
    if (strchr("AnNBp", letter) != NULL) {
        return NILAS_PATTERN_ILLEGAL;
    }
    return strchr("EFQquwWY", letter) != NULL ? NILAS_PATTERN_UNRECOGNIZED : NILAS_PATTERN_UNKNOWN;
}

nilas_pattern_fault nilas_engine__check_pattern(nilas_str pattern, bool reads, char *out_letter) {
    NILAS_AUTO_BUF ignored = NILAS_BUF_INIT(0);
    for (size_t at = 0; at < pattern.size;) {
        char c = pattern.data[at];
        size_t count = 1;
        nilas_pattern_fault fault = NILAS_PATTERN_GOOD;
        if (c == '\'') {
            at = quoted(pattern, at, &ignored);
            continue;
        }
        if (is_letter(c)) {
            count = run_length(pattern, at);
            fault = check_letter(c, count, reads);
        } else if (c == '#' || c == '{' || c == '}') {
            fault = NILAS_PATTERN_UNRECOGNIZED;
        }
        if (fault != NILAS_PATTERN_GOOD) {
            *out_letter = c;
            return fault;
        }
        at += count;
    }
    return NILAS_PATTERN_GOOD;
}

bool nilas_engine__format_time(nilas_buf *out, nilas_str pattern, int64_t local_micros,
                               int32_t offset_seconds, const nilas_zone *zone, char *out_letter) {
    moment m = {.days = nilas_floor_div(local_micros, NILAS_MICROS_PER_DAY),
                .offset = offset_seconds,
                .zone = zone};
    nilas_civil_from_micros(local_micros, &m.civil);
    for (size_t at = 0; at < pattern.size;) {
        char c = pattern.data[at];
        if (c == '\'') {
            at = quoted(pattern, at, out);
            continue;
        }
        size_t count = is_letter(c) ? run_length(pattern, at) : 1;
        if (!is_letter(c)) {
            bool bracket = c == '[' || c == ']';
            nilas_buf_add_bytes(out, &c, bracket ? 0 : 1);
        } else if (!print_date_field(out, c, count, &m) && !print_time_field(out, c, count, &m)) {
            *out_letter = c;
            return false;
        }
        at += count;
    }
    return true;
}

/* --- reading --- */

typedef struct reader {
    nilas_str text, pattern;
    size_t at;
    int64_t year, month, day, day_of_year, hour, hour12, minute, second, micro,
        half; // half: 0 AM, 1 PM, -1 none
    bool has_offset;
    int32_t offset;
    const nilas_zone *zone;
} reader;

static bool read_digits(reader *r, size_t least, size_t most, int64_t *out) {
    size_t start = r->at;
    int64_t value = 0;
    while (r->at < r->text.size && r->at - start < most && r->text.data[r->at] >= '0' &&
           r->text.data[r->at] <= '9') {
        value = value * 10 + (r->text.data[r->at++] - '0');
    }
    *out = value;
    if (r->at - start < least) {
        r->at = start;
        return false;
    }
    return true;
}

/** A field whose letter stands next to another number has exactly its width. */
static bool read_number(reader *r, size_t count, bool adjacent, int64_t *out) {
    if (count == 1 && !adjacent) {
        return read_digits(r, 1, 10, out);
    }
    return read_digits(r, count, count, out);
}

static bool read_word(reader *r, const char *const *words, size_t word_count, size_t count,
                      int64_t *out) {
    nilas_str rest = nilas_str_slice(r->text, r->at, r->text.size);
    for (size_t i = 0; i < word_count; i++) {
        nilas_str word = nilas_str_of(words[i]);
        word = count >= 4 ? word : nilas_str_slice(word, 0, 3);
        if (nilas_str_starts(rest, word)) {
            r->at += word.size;
            *out = (int64_t)i + 1;
            return true;
        }
    }
    return false;
}

static bool read_fraction(reader *r, size_t count) {
    int64_t value;
    size_t start = r->at;
    if (!read_digits(r, 1, count > 9 ? 9 : count, &value)) {
        return false;
    }
    for (size_t digits = r->at - start; digits < 6; digits++) {
        value *= 10;
    }
    for (size_t digits = r->at - start; digits > 6; digits--) {
        value /= 10;
    }
    r->micro = value;
    return true;
}

static bool read_offset(reader *r, char letter) {
    int64_t hours = 0, minutes = 0;
    if (r->at >= r->text.size) {
        return false;
    }
    char sign = r->text.data[r->at];
    if ((sign == 'Z' || sign == 'z') && letter == 'X') {
        r->at++;
    } else if (sign == '+' || sign == '-') {
        r->at++;
        if (!read_digits(r, 2, 2, &hours)) {
            return false;
        }
        bool colon = r->at < r->text.size && r->text.data[r->at] == ':';
        r->at += colon;
        (void)read_digits(r, 2, 2, &minutes);
    } else {
        return false;
    }
    r->has_offset = true;
    r->offset = (int32_t)((hours * 60 + minutes) * 60) * (sign == '-' ? -1 : 1);
    return true;
}

static bool read_zone(reader *r) {
    size_t start = r->at;
    while (r->at < r->text.size && (is_letter(r->text.data[r->at]) ||
                                    strchr("/_+-:0123456789", r->text.data[r->at]) != NULL)) {
        r->at++;
    }
    r->zone = nilas_zone_find(nilas_str_slice(r->text, start, r->at - start));
    r->has_offset = r->zone != NULL;
    return r->zone != NULL;
}

static bool read_half(reader *r) {
    nilas_str rest = nilas_str_slice(r->text, r->at, 2);
    r->half = nilas_str_is_nocase(rest, "AM") ? 0 : nilas_str_is_nocase(rest, "PM") ? 1 : -1;
    r->at += r->half >= 0 ? 2 : 0;
    return r->half >= 0;
}

static bool read_year(reader *r, size_t count, bool adjacent) {
    if (count == 2) {
        bool good = read_digits(r, 2, 2, &r->year);
        r->year += 2000;
        return good;
    }
    bool negative = r->at < r->text.size && r->text.data[r->at] == '-';
    bool signed_year = negative || (r->at < r->text.size && r->text.data[r->at] == '+');
    r->at += signed_year;
    size_t most = adjacent ? count : signed_year ? 10 : count > 4 ? count : count == 1 ? 10 : 4;
    bool good = read_digits(r, count, most, &r->year);
    r->year = negative ? -r->year : r->year;
    return good;
}

static bool read_date_field(reader *r, char letter, size_t count, bool adjacent, bool *out_known) {
    int64_t ignored;
    *out_known = true;
    switch (letter) {
    case 'y':
    case 'u': return read_year(r, count, adjacent);
    case 'M':
    case 'L':
        return count >= 3 ? read_word(r, months, 12, count, &r->month)
                          : read_number(r, count, adjacent, &r->month);
    case 'd': return read_number(r, count, adjacent, &r->day);
    case 'D': return read_number(r, count, adjacent, &r->day_of_year);
    case 'E': return read_word(r, weekdays, 7, count, &ignored);
    case 'V':
    case 'z': return read_zone(r);
    case 'X':
    case 'x':
    case 'Z':
    case 'O': return read_offset(r, letter);
    default: *out_known = false; return false;
    }
}

static bool read_field(reader *r, char letter, size_t count, bool adjacent) {
    bool known;
    bool good = read_date_field(r, letter, count, adjacent, &known);
    if (known) {
        return good;
    }
    switch (letter) {
    case 'a': return read_half(r);
    case 'h':
    case 'K':
        good = read_number(r, count, adjacent, &r->hour12);
        r->hour12 %= 12;
        return good;
    case 'H': return read_number(r, count, adjacent, &r->hour);
    case 'k':
        good = read_number(r, count, adjacent, &r->hour);
        r->hour %= 24;
        return good;
    case 'm': return read_number(r, count, adjacent, &r->minute);
    case 's': return read_number(r, count, adjacent, &r->second);
    case 'S': return read_fraction(r, count);
    default: return false;
    }
}

static bool is_number_letter(nilas_str pattern, size_t at) {
    return at < pattern.size && strchr("yuMdDHhkKmsS", pattern.data[at]) != NULL &&
           run_length(pattern, at) < 3 + (size_t)(pattern.data[at] != 'M');
}

static bool read_literal(reader *r, nilas_str text) {
    if (!nilas_str_starts(nilas_str_slice(r->text, r->at, r->text.size), text)) {
        return false;
    }
    r->at += text.size;
    return true;
}

/** Read the pattern between two positions. An optional part that does not fit leaves no trace. */
static bool read_pattern(reader *r, size_t at, size_t end) {
    while (at < end) {
        char c = r->pattern.data[at];
        if (c == '[') {
            size_t close = at + 1;
            for (int depth = 1; close < end && depth > 0; close++) {
                depth += r->pattern.data[close] == '[';
                depth -= r->pattern.data[close] == ']';
            }
            reader before = *r;
            if (!read_pattern(r, at + 1, close - 1)) {
                *r = before;
            }
            at = close;
        } else if (c == '\'') {
            NILAS_AUTO_BUF text = {0};
            at = quoted(r->pattern, at, &text);
            if (!read_literal(r, nilas_buf_view(&text))) {
                return false;
            }
        } else if (is_letter(c)) {
            size_t count = run_length(r->pattern, at);
            if (!read_field(r, c, count, is_number_letter(r->pattern, at + count))) {
                return false;
            }
            at += count;
        } else if (!read_literal(r, nilas_str_slice(r->pattern, at++, 1))) {
            return false;
        }
    }
    return true;
}

#define MAXIMUM_YEAR 290000 // beyond it microseconds since 1970 do not fit 64 bits

static bool in_range(const reader *r) {
    if (r->month < 1 || r->month > 12 || r->year > MAXIMUM_YEAR || r->year < -MAXIMUM_YEAR) {
        return false;
    }
    int64_t first = nilas_days_from_civil(r->year, (int32_t)r->month, 1);
    int64_t next = r->month == 12 ? nilas_days_from_civil(r->year + 1, 1, 1)
                                  : nilas_days_from_civil(r->year, (int32_t)r->month + 1, 1);
    return r->day >= 1 && r->day <= next - first && r->day_of_year <= 366 && r->hour <= 23 &&
           r->minute <= 59 && r->second <= 59;
}

bool nilas_engine__parse_time(nilas_str text, nilas_str pattern, nilas_parsed_time *out,
                              size_t *out_index) {
    reader r = {.text = text,
                .pattern = pattern,
                .year = 1970,
                .month = 1,
                .day = 1,
                .half = -1,
                .hour12 = -1};
    bool good = read_pattern(&r, 0, pattern.size);
    *out_index = r.at;
    if (!good || r.at != text.size) {
        return false;
    }
    if (r.hour12 >= 0) {
        r.hour = r.hour12 + (r.half == 1 ? 12 : 0);
    }
    *out_index = 0;
    if (!in_range(&r)) {
        return false;
    }
    int64_t days = nilas_days_from_civil(r.year, (int32_t)r.month, (int32_t)r.day);
    days = r.day_of_year > 0 ? nilas_days_from_civil(r.year, 1, 1) + r.day_of_year - 1 : days;
    int64_t seconds = r.hour * 3600 + r.minute * 60 + r.second;
    *out = (nilas_parsed_time){.local_micros = days * NILAS_MICROS_PER_DAY +
                                               seconds * NILAS_MICROS_PER_SECOND + r.micro,
                               .has_offset = r.has_offset,
                               .offset_seconds = r.offset,
                               .zone = r.zone};
    return true;
}
