/**
 * Reading of one zone's rules: the TZif file (RFC 8536, version 2 and later) and its footer, a
 * POSIX TZ text that holds for all times behind the last transition. Private to base.
 */
#ifndef NILAS_BASE_TZFILE_H
#define NILAS_BASE_TZFILE_H

#include "base/str.h"

/** When in a year summer time starts or ends: ",M3.2.0/2", ",J60" or ",59". */
typedef struct nilas_tz_date {
    enum { NILAS_TZ_MONTH_WEEK_DAY, NILAS_TZ_JULIAN, NILAS_TZ_DAY } kind;
    int32_t month, week, day;
    int32_t seconds; // after local midnight; may be negative or beyond a day
} nilas_tz_date;

typedef struct nilas_tz_rule {
    bool present;
    bool has_dst;
    int32_t standard_offset, dst_offset; // seconds east of UTC
    nilas_tz_date start, end;
} nilas_tz_rule;

typedef struct nilas_tz_data {
    int64_t *times;   // of the transitions, seconds UTC, ascending
    int32_t *offsets; // from each transition on
    size_t count;
    int32_t first_offset; // before the first transition
    nilas_tz_rule rule;
} nilas_tz_data;

/**
 * Decode a whole file; false when it is not one, or damaged. `times` and `offsets` are malloc'd on
 * success.
 */
bool nilas_base__tz_decode(nilas_str bytes, nilas_tz_data *out);
/** Offset that the rule gives at an instant. */
int32_t nilas_base__tz_rule_offset(const nilas_tz_rule *rule, int64_t utc_seconds);
/** Parse a POSIX TZ text; false when malformed. */
bool nilas_base__tz_parse_rule(nilas_str text, nilas_tz_rule *out);

#endif
