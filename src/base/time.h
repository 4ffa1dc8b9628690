/**
 * Civil time in the proleptic Gregorian calendar, and Spark's text forms of dates and times. Time
 * zones come from the system's zoneinfo (tzfile), loaded once per name and kept; fixed offsets
 * ("+08:00", "UTC", "GMT+8", "Z") need no file.
 */
#ifndef NILAS_BASE_TIME_H
#define NILAS_BASE_TIME_H

#include "base/buf.h"

#define NILAS_MICROS_PER_SECOND 1000000LL
#define NILAS_MICROS_PER_DAY    86400000000LL

typedef struct nilas_civil {
    int64_t year;  // astronomical: 0 is 1 BC
    int32_t month; // 1..12
    int32_t day;   // 1..31
    int32_t hour, minute, second;
    int32_t micro;
} nilas_civil;

int64_t nilas_days_from_civil(int64_t year, int32_t month, int32_t day);
void nilas_civil_from_days(int64_t days, int64_t *year, int32_t *month, int32_t *day);
/** Floor, so that times before 1970 work. */
void nilas_civil_from_micros(int64_t micros, nilas_civil *out);
int64_t nilas_micros_from_civil(const nilas_civil *civil);
static inline int64_t nilas_floor_div(int64_t a, int64_t b) {
    int64_t q = a / b;
    return (a % b != 0 && ((a < 0) != (b < 0))) ? q - 1 : q;
}
static inline int64_t nilas_floor_mod(int64_t a, int64_t b) {
    int64_t r = a % b;
    return (r != 0 && ((r < 0) != (b < 0))) ? r + b : r;
}

typedef struct nilas_zone nilas_zone; // immutable, shared, never freed
/**
 * Find a zone by Java's names ("UTC", "Z", "Europe/Berlin", "+01:00", "GMT+1"); NULL when unknown.
 * Thread-safe.
 */
const nilas_zone *nilas_zone_find(nilas_str name);
/** The system's zone ($TZ, /etc/localtime), UTC if unknown. */
const nilas_zone *nilas_zone_local(void);
nilas_str nilas_zone_name(const nilas_zone *zone);
/** UTC offset in seconds at the instant. */
int32_t nilas_zone_offset_at(const nilas_zone *zone, int64_t utc_micros);
/**
 * Instant of a local time; in a gap moves forward, in an overlap takes the earlier offset
 * (java.time's rule).
 */
int64_t nilas_zone_to_utc(const nilas_zone *zone, int64_t local_micros);

/** Append "YYYY-MM-DD" as Spark casts a date to string (year with sign beyond 9999). */
void nilas_date_print(nilas_buf *out, int64_t days);
/** Append "YYYY-MM-DD HH:MM:SS[.ffffff]" without trailing zeros; local time as given. */
void nilas_timestamp_print(nilas_buf *out, int64_t local_micros);
/**
 * Spark's string -> date: "[+-]yyyy*[-m[m][-d[d][ |T]*]]", blanks trimmed; also not "epoch" words.
 * False: malformed.
 */
bool nilas_date_parse(nilas_str text, int64_t *out_days);
/**
 * Spark's string -> timestamp: all its forms, with optional zone suffix. *has_zone tells whether
 * the text carried one; then *out_micros is UTC, else local time. A text of only a time ("T12:30")
 * takes today's date in `zone`.
 */
bool nilas_timestamp_parse(nilas_str text, const nilas_zone *zone, int64_t *out_micros,
                           bool *has_zone);

/**
 * Spark's string -> timestamp without time zone. A zone suffix is an error, or dropped when
 * `allow_zone`; a text of only a time has no date and is malformed here.
 */
bool nilas_timestamp_ntz_parse(nilas_str text, bool allow_zone, int64_t *out_local_micros);

/** Wall clock in milliseconds / microseconds since the epoch; monotonic clock in nanoseconds. */
int64_t nilas_now_ms(void);
int64_t nilas_now_micros(void);
int64_t nilas_monotonic_ns(void);

#endif
