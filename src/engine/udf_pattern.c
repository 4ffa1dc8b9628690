/** date_format and the readers of text with a pattern. */
#include "engine/pattern.h"
#include "engine/udf_row.h"

/** Whether Spark takes the pattern; if not, the row has failed in its words. */
static bool check(nilas_row *row, nilas_str pattern, bool reads) {
    char letter = 0;
    switch (nilas_engine__check_pattern(pattern, reads, &letter)) {
    case NILAS_PATTERN_GOOD: return true;
    case NILAS_PATTERN_UNRECOGNIZED:
        nilas_row__fail(row, "INCONSISTENT_BEHAVIOR_CROSS_VERSION.DATETIME_PATTERN_RECOGNITION",
                        "You may get a different result due to the upgrading to Spark >= 3.0: Fail "
                        "to recognize '%.*s' pattern in the DateTimeFormatter.",
                        NILAS_FMT(pattern));
        break;
    case NILAS_PATTERN_ILLEGAL:
        nilas_row__fail(row, "INVALID_DATETIME_PATTERN.ILLEGAL_CHARACTER",
                        "Unrecognized datetime pattern: %.*s. Illegal pattern character found in "
                        "datetime pattern: %c. Please provide legal character.",
                        NILAS_FMT(pattern), letter);
        break;
    case NILAS_PATTERN_WEEK_BASED:
        nilas_row__fail(row, "INCONSISTENT_BEHAVIOR_CROSS_VERSION.DATETIME_WEEK_BASED_PATTERN",
                        "You may get a different result due to the upgrading to Spark >= 3.0: All "
                        "week-based patterns are unsupported since Spark 3.0, detected week-based "
                        "character: %c. Please use the SQL function EXTRACT instead.",
                        letter);
        break;
    case NILAS_PATTERN_UNKNOWN: nilas_row__fail(row, "", "Unknown pattern letter: %c", letter);
    }
    return false;
}

static void format_local(nilas_row *row, int64_t local, int32_t offset, const nilas_zone *zone) {
    nilas_str pattern = nilas_row__text(row, 1);
    char letter = 0;
    if (!check(row, pattern, false)) {
        return;
    }
    if (!nilas_engine__format_time(row->text, pattern, local, offset, zone, &letter)) {
        nilas_row__fail(row, "", "the pattern letter %c is not supported in the time zone %.*s",
                        letter, NILAS_FMT(nilas_zone_name(zone)));
        return;
    }
    nilas_row__set_buffer(row);
}

static void format_timestamp(nilas_row *row) {
    int64_t micros = nilas_row__bigint(row, 0);
    int32_t offset = nilas_zone_offset_at(row->context->zone, micros);
    format_local(row, micros + offset * NILAS_MICROS_PER_SECOND, offset, row->context->zone);
}

static void format_timestamp_ntz(nilas_row *row) {
    format_local(row, nilas_row__bigint(row, 0), 0, NULL);
}

/** extra: 1 keeps the local time, whatever the zone */
static void parse_timestamp(nilas_row *row) {
    nilas_str text = nilas_row__text(row, 0);
    nilas_parsed_time parsed;
    size_t index = 0;
    if (!check(row, nilas_row__text(row, 1), true)) {
        return;
    }
    if (!nilas_engine__parse_time(text, nilas_row__text(row, 1), &parsed, &index)) {
        nilas_row__fail(row, "CANNOT_PARSE_TIMESTAMP",
                        "Text '%.*s' could not be parsed at index %zu. Use `try_to_timestamp` to "
                        "tolerate invalid input string and return NULL "
                        "instead.",
                        NILAS_FMT(text), index);
        return;
    }
    if (row->udf->extra != 0) {
        nilas_row__set_bigint(row, parsed.local_micros);
    } else if (parsed.has_offset && parsed.zone == NULL) {
        nilas_row__set_bigint(row, parsed.local_micros -
                                       parsed.offset_seconds * NILAS_MICROS_PER_SECOND);
    } else {
        nilas_row__set_bigint(
            row, nilas_zone_to_utc(parsed.zone != NULL ? parsed.zone : row->context->zone,
                                   parsed.local_micros));
    }
}

const nilas_udf nilas_engine__pattern_functions[] = {
    {"nilas_date_format", "Ts>s", format_timestamp, 0, 0},
    {"nilas_date_format", "Ns>s", format_timestamp_ntz, 0, 0},
    {"nilas_parse_timestamp", "ss>T", parse_timestamp, 0, 0},
    {"nilas_parse_timestamp_ntz", "ss>N", parse_timestamp, 0, 1},
    {NULL, NULL, NULL, 0, 0},
};
