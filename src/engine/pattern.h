/** Java's DateTimeFormatter patterns, as far as Spark allows them. */
#ifndef NILAS_ENGINE_PATTERN_H
#define NILAS_ENGINE_PATTERN_H

#include "base/base.h"

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
