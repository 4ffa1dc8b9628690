/** The options of from_json, to_json, from_csv, to_csv and schema_of_…: map('dateFormat', '…'). */
#ifndef NILAS_ENGINE_TEXT_OPTIONS_H
#define NILAS_ENGINE_TEXT_OPTIONS_H

#include "engine/udf_row.h"

typedef struct nilas_text_options {
    nilas_str date_format, timestamp_format, ntz_format; // empty: Spark's default form
    nilas_str corrupt_column;                            // name of the column for bad records
    bool fail_fast;
    // JSON
    bool keep_null_fields, no_single_quotes, unquoted_names, leading_zeros;
    // CSV
    nilas_str separator, null_value;
    char quote, escape;
    bool quote_all, trim_left, trim_right, keep_left, keep_right; // trim: reading, keep: writing
} nilas_text_options;

/**
 * Read argument i, a list of names and values in turn, once a chunk. False (the row has failed): an
 * option that is not known here, or a mode that Spark refuses.
 */
bool nilas_row__options(nilas_row *row, size_t i, const char *function, nilas_text_options *out);
/** A time by a pattern, or as a cast reads it when the pattern is empty: days, or microseconds
 *  (UTC of an instant). */
bool nilas_row__parse_date(nilas_str text, nilas_str pattern, int64_t *out);
bool nilas_row__parse_instant(const nilas_row *row, nilas_str text, nilas_str pattern,
                              int64_t *out);
bool nilas_row__parse_local(nilas_str text, nilas_str pattern, int64_t *out);

#endif
