/** Java's DateTimeFormatter patterns, as far as Spark allows them. */
#ifndef NILAS_ENGINE_PATTERN_H
#define NILAS_ENGINE_PATTERN_H

#include "base/base.h"

typedef enum nilas_pattern_fault {
    NILAS_PATTERN_GOOD,
    NILAS_PATTERN_UNRECOGNIZED, // what the formatter before Spark 3 took
    NILAS_PATTERN_ILLEGAL,
    NILAS_PATTERN_WEEK_BASED,
    NILAS_PATTERN_UNKNOWN, // no letter of Java's patterns
} nilas_pattern_fault;

/** What Spark says of a pattern for writing or (`reads`) for reading; *out_letter is at fault. */
nilas_pattern_fault nilas_engine__check_pattern(nilas_str pattern, bool reads, char *out_letter);

/**
 * Append a time by a pattern; `offset_seconds` and `zone` serve the zone letters (zone NULL: a
 * local time). False: a letter that Spark refuses, in *out_letter.
 */
bool nilas_engine__format_time(nilas_buf *out, nilas_str pattern, int64_t local_micros,
                               int32_t offset_seconds, const nilas_zone *zone, char *out_letter);

typedef struct nilas_parsed_time {
    int64_t local_micros;
    bool has_offset; // the text carried an offset or a zone
    int32_t offset_seconds;
    const nilas_zone *zone; // or NULL
} nilas_parsed_time;

/** Read a text by a pattern. False: the text does not fit; *out_index is where. */
bool nilas_engine__parse_time(nilas_str text, nilas_str pattern, nilas_parsed_time *out,
                              size_t *out_index);

#endif
