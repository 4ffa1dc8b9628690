/*
 * Time zones by Java's names. Each zone is loaded once and kept for the life of the process; a list
 * under a lock is enough, because a statement looks up a handful of names and keeps the pointers.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/time.h"
#include "base/tzfile.h"

#define MAX_NAME_BYTES 64U
#define MAX_FILE_BYTES (1U << 20)
#define MAX_CACHED                                                                                 \
    4096U // texts of data may name any offset; beyond this nothing new is kept and nothing found
#define DEFAULT_DIRECTORY "/usr/share/zoneinfo"

struct nilas_zone {
    nilas_zone *next;
    char name[MAX_NAME_BYTES + 1];
    bool fixed;
    int32_t fixed_offset;
    nilas_tz_data data; // unless fixed
};

static nilas_zone *zones;
static size_t zone_count;
static pthread_mutex_t zones_lock = PTHREAD_MUTEX_INITIALIZER;

// ---- names --------------------------------------------------------------------------------------

/** The three-letter names that Java maps to regions, and three that it maps to offsets. */
static const struct {
    char name[4];
    const char *zone;
} short_names[] = {
    {"ACT", "Australia/Darwin"},
    {"AET", "Australia/Sydney"},
    {"AGT", "America/Argentina/Buenos_Aires"},
    {"ART", "Africa/Cairo"},
    {"AST", "America/Anchorage"},
    {"BET", "America/Sao_Paulo"},
    {"BST", "Asia/Dhaka"},
    {"CAT", "Africa/Harare"},
    {"CNT", "America/St_Johns"},
    {"CST", "America/Chicago"},
    {"CTT", "Asia/Shanghai"},
    {"EAT", "Africa/Addis_Ababa"},
    {"ECT", "Europe/Paris"},
    {"EST", "-05:00"},
    {"HST", "-10:00"},
    {"IET", "America/Indiana/Indianapolis"},
    {"IST", "Asia/Kolkata"},
    {"JST", "Asia/Tokyo"},
    {"MIT", "Pacific/Apia"},
    {"MST", "-07:00"},
    {"NET", "Asia/Yerevan"},
    {"NST", "Pacific/Auckland"},
    {"PLT", "Asia/Karachi"},
    {"PNT", "America/Phoenix"},
    {"PRT", "America/Puerto_Rico"},
    {"PST", "America/Los_Angeles"},
    {"SST", "Pacific/Guadalcanal"},
    {"VST", "Asia/Ho_Chi_Minh"},
};

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/** Two digits at `at`, at most `max`. */
static bool two_digits(nilas_str text, size_t at, int32_t max, int32_t *out) {
    if (at + 2 > text.size || !is_digit(text.data[at]) || !is_digit(text.data[at + 1])) {
        return false;
    }
    *out = (text.data[at] - '0') * 10 + (text.data[at + 1] - '0');
    return *out <= max;
}

/** "+h…" and "+hh:m" with two digits each, in a buffer of 16; returns the size. */
static size_t pad_offset(nilas_str text, char padded[16]) {
    size_t size = 0;

    padded[size++] = text.data[0];
    if (text.size == 2 || text.data[2] == ':') {
        padded[size++] = '0';
    }
    memcpy(padded + size, text.data + 1, text.size - 1);
    size += text.size - 1;
    if (size == 5 && padded[3] == ':') {
        padded[5] = padded[4];
        padded[4] = '0';
        size = 6;
    }
    return size;
}

/** "hh", "hhmm", "hhmmss", or the same with colons, behind the sign. */
static bool parse_clock(nilas_str form, int32_t *hours, int32_t *minutes, int32_t *seconds) {
    size_t colon = form.size > 3 && form.data[3] == ':' ? 1 : 0;
    size_t second_at = 5 + 2 * colon;
    bool whole = form.size == 3 || form.size == 5 + colon || form.size == 7 + 2 * colon;

    *minutes = 0;
    *seconds = 0;
    if (!whole || !two_digits(form, 1, 18, hours)) {
        return false;
    }
    if (form.size > 3 && !two_digits(form, 3 + colon, 59, minutes)) {
        return false;
    }
    if (form.size <= second_at) {
        return true;
    }
    return (colon == 0 || form.data[6] == ':') && two_digits(form, second_at, 59, seconds);
}

/**
 * "+h", "+hh", "+hhmm", "+hh:mm", "+hhmmss", "+hh:mm:ss" and Spark's "+h:mm", "+hh:m"; at most 18
 * hours.
 */
static bool parse_offset(nilas_str text, int32_t *out) {
    char padded[16];
    int32_t hours;
    int32_t minutes;
    int32_t seconds;

    if (text.size < 2 || text.size > 10 || (text.data[0] != '+' && text.data[0] != '-')) {
        return false;
    }
    nilas_str form = {.data = padded, .size = pad_offset(text, padded)};
    if (!parse_clock(form, &hours, &minutes, &seconds) || (hours == 18 && minutes + seconds != 0)) {
        return false;
    }
    *out = (hours * 3600 + minutes * 60 + seconds) * (padded[0] == '-' ? -1 : 1);
    return true;
}

/** "Z", an offset, or "UTC", "GMT", "UT" with or without one. */
static bool parse_fixed(nilas_str name, int32_t *out) {
    static const nilas_str prefixes[] = {{"UTC", 3}, {"GMT", 3}, {"UT", 2}};

    if (nilas_str_is(name, "Z")) {
        *out = 0;
        return true;
    }
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        if (nilas_str_starts(name, prefixes[i])) {
            nilas_str rest = nilas_str_slice(name, prefixes[i].size, name.size);
            *out = 0;
            if (rest.size == 0 || parse_offset(rest, out)) {
                return true;
            }
        }
    }
    return parse_offset(name, out);
}

static bool is_letter(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/** Whether the name may become a path below the zone directory. */
static bool is_region_name(nilas_str name) {
    if (name.size < 2 || !is_letter(name.data[0])) {
        return false;
    }
    for (size_t i = 0; i < name.size; i++) {
        char c = name.data[i];
        // No dot: no name has one, and the files with one are tables, not zones.
        if (!is_letter(c) && !is_digit(c) && (c == '\0' || strchr("/_+-", c) == NULL)) {
            return false;
        }
    }
    return !nilas_str_starts(name, NILAS_STR("posix")) &&
           !nilas_str_starts(name, NILAS_STR("right/")) && !nilas_str_is(name, "localtime") &&
           !nilas_str_is(name, "Factory");
}

// ---- loading ------------------------------------------------------------------------------------

/** The whole file, malloc'd, or NULL. */
static char *read_file(const char *path, size_t *out_size) {
    FILE *file = fopen(path, "rbe");
    char *bytes = file != NULL ? malloc(MAX_FILE_BYTES) : NULL;

    if (bytes != NULL) {
        *out_size = fread(bytes, 1, MAX_FILE_BYTES, file);
        if (ferror(file) || *out_size == MAX_FILE_BYTES) {
            free(bytes);
            bytes = NULL;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return bytes;
}

static bool load_file(const char *path, nilas_tz_data *out) {
    size_t size = 0;
    char *bytes = read_file(path, &size);
    bool good =
        bytes != NULL && nilas_base__tz_decode((nilas_str){.data = bytes, .size = size}, out);

    free(bytes);
    return good;
}

static bool load_region(nilas_str name, nilas_tz_data *out) {
    char path[512];
    const char *directory = getenv("TZDIR");

    if (!is_region_name(name)) {
        return false;
    }
    int size = snprintf(path, sizeof(path), "%s/%.*s",
                        directory != NULL ? directory : DEFAULT_DIRECTORY, NILAS_FMT(name));
    return size > 0 && (size_t)size < sizeof(path) && load_file(path, out);
}

/** Under the lock: find or load, and keep. */
static const nilas_zone *find_or_load(nilas_str name) {
    for (nilas_zone *zone = zones; zone != NULL; zone = zone->next) {
        if (nilas_str_is(name, zone->name)) {
            return zone;
        }
    }

    nilas_str target = name;
    for (size_t i = 0; i < sizeof(short_names) / sizeof(short_names[0]); i++) {
        if (nilas_str_is(name, short_names[i].name)) {
            target = nilas_str_of(short_names[i].zone);
        }
    }
    nilas_zone *made = zone_count < MAX_CACHED ? calloc(1, sizeof(*made)) : NULL;
    if (made == NULL) {
        return NULL;
    }
    made->fixed = parse_fixed(target, &made->fixed_offset);
    if (!made->fixed && !load_region(target, &made->data)) {
        free(made);
        return NULL;
    }
    memcpy(made->name, name.data, name.size);
    made->next = zones;
    zones = made;
    zone_count++;
    return made;
}

const nilas_zone *nilas_zone_find(nilas_str name) {
    if (name.size == 0 || name.size > MAX_NAME_BYTES) {
        return NULL;
    }
    pthread_mutex_lock(&zones_lock);
    const nilas_zone *zone = find_or_load(name);
    pthread_mutex_unlock(&zones_lock);
    return zone;
}

/** The region that /etc/localtime links to, or that /etc/timezone names. */
static const nilas_zone *find_system_zone(void) {
    char text[512];
    ssize_t size = readlink("/etc/localtime", text, sizeof(text) - 1);
    nilas_str target = {.data = text, .size = size > 0 ? (size_t)size : 0};
    size_t at = nilas_str_find(target, NILAS_STR("/zoneinfo/"), 0);

    if (at != SIZE_MAX) {
        const nilas_zone *zone = nilas_zone_find(nilas_str_slice(target, at + 10, target.size));
        if (zone != NULL) {
            return zone;
        }
    }

    FILE *file = fopen("/etc/timezone", "re");
    if (file == NULL) {
        return NULL;
    }
    target.size = fread(text, 1, sizeof(text), file);
    fclose(file);
    return nilas_zone_find(nilas_str_trim(target));
}

const nilas_zone *nilas_zone_local(void) {
    const char *variable = getenv("TZ");
    const nilas_zone *zone = NULL;

    if (variable != NULL && variable[0] != '\0') {
        zone = nilas_zone_find(nilas_str_of(variable[0] == ':' ? variable + 1 : variable));
    } else if (variable == NULL) {
        zone = find_system_zone();
    }
    return zone != NULL ? zone : nilas_zone_find(NILAS_STR("UTC"));
}

// ---- offsets ------------------------------------------------------------------------------------

nilas_str nilas_zone_name(const nilas_zone *zone) {
    return nilas_str_of(zone->name);
}

int32_t nilas_zone_offset_at(const nilas_zone *zone, int64_t utc_micros) {
    if (zone->fixed) {
        return zone->fixed_offset;
    }

    const nilas_tz_data *data = &zone->data;
    int64_t seconds = nilas_floor_div(utc_micros, NILAS_MICROS_PER_SECOND);
    if (data->rule.present && (data->count == 0 || seconds >= data->times[data->count - 1])) {
        return nilas_base__tz_rule_offset(&data->rule, seconds);
    }

    // The number of transitions at or before the instant.
    size_t low = 0;
    size_t high = data->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (data->times[middle] <= seconds) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low == 0 ? data->first_offset : data->offsets[low - 1];
}

static int64_t add_clamped(int64_t a, int64_t b) {
    int64_t sum;

    if (__builtin_add_overflow(a, b, &sum)) {
        return b < 0 ? INT64_MIN : INT64_MAX;
    }
    return sum;
}

int64_t nilas_zone_to_utc(const nilas_zone *zone, int64_t local_micros) {
    // Offsets stay below a day, so a transition that matters lies within a day of the local time
    // read as UTC.
    int32_t before = nilas_zone_offset_at(zone, add_clamped(local_micros, -NILAS_MICROS_PER_DAY));
    int32_t after = nilas_zone_offset_at(zone, add_clamped(local_micros, NILAS_MICROS_PER_DAY));
    int64_t by_before = add_clamped(local_micros, -before * NILAS_MICROS_PER_SECOND);
    int64_t by_after = add_clamped(local_micros, -after * NILAS_MICROS_PER_SECOND);

    if (before == after || nilas_zone_offset_at(zone, by_before) == before) {
        return by_before;
    }
    // In a gap neither holds; the old offset is what moves the time forward.
    return nilas_zone_offset_at(zone, by_after) == after ? by_after : by_before;
}
