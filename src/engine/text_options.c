#include "engine/text_options.h"

#include "engine/pattern.h"

typedef struct option {
    nilas_row *row;
    const char *function;
    nilas_str name, value;
} option;

static bool is_flag(const option *o, const char *name, bool *out) {
    if (!nilas_str_is_nocase(o->name, name)) {
        return false;
    }
    *out = nilas_str_is_nocase(o->value, "true");
    return true;
}

static bool is_text(const option *o, const char *name, nilas_str *out) {
    if (!nilas_str_is_nocase(o->name, name)) {
        return false;
    }
    *out = o->value;
    return true;
}

static bool is_letter(const option *o, const char *name, char *out) {
    nilas_str text = NILAS_STR_EMPTY;
    if (!is_text(o, name, &text)) {
        return false;
    }
    *out = text.size > 0 ? text.data[0] : '\0';
    return true;
}

static bool take_mode(const option *o, nilas_text_options *out) {
    if (!nilas_str_is_nocase(o->name, "mode")) {
        return false;
    }
    out->fail_fast = nilas_str_is_nocase(o->value, "FAILFAST");
    if (nilas_str_is_nocase(o->value, "DROPMALFORMED")) {
        nilas_row__fail(o->row, "PARSE_MODE_UNSUPPORTED",
                        "The function `%s` doesn't support the DROPMALFORMED mode. Acceptable "
                        "modes are PERMISSIVE and FAILFAST.",
                        o->function);
    }
    return true;
}

static bool take_times(const option *o, nilas_text_options *out) {
    return is_text(o, "dateFormat", &out->date_format) ||
           is_text(o, "timestampFormat", &out->timestamp_format) ||
           is_text(o, "timestampNTZFormat", &out->ntz_format);
}

static bool take_json(const option *o, nilas_text_options *out) {
    bool flag = false;
    if (is_flag(o, "ignoreNullFields", &flag)) {
        out->keep_null_fields = !flag;
        return true;
    }
    if (is_flag(o, "allowSingleQuotes", &flag)) {
        out->no_single_quotes = !flag;
        return true;
    }
    return is_flag(o, "allowUnquotedFieldNames", &out->unquoted_names) ||
           is_flag(o, "allowNumericLeadingZeros", &out->leading_zeros);
}

static bool take_csv(const option *o, nilas_text_options *out) {
    bool flag = false;
    if (is_text(o, "sep", &out->separator) || is_text(o, "delimiter", &out->separator)) {
        out->separator = nilas_str_is(out->separator, "\\t") ? NILAS_STR("\t") : out->separator;
        return true;
    }
    if (is_flag(o, "ignoreLeadingWhiteSpace", &flag)) {
        out->trim_left = flag;
        out->keep_left = !flag;
        return true;
    }
    if (is_flag(o, "ignoreTrailingWhiteSpace", &flag)) {
        out->trim_right = flag;
        out->keep_right = !flag;
        return true;
    }
    return is_letter(o, "quote", &out->quote) || is_letter(o, "escape", &out->escape) ||
           is_text(o, "nullValue", &out->null_value) || is_flag(o, "quoteAll", &out->quote_all) ||
           is_flag(o, "header", &flag);
}

static void take(const option *o, nilas_text_options *out) {
    bool is_json = strstr(o->function, "json") != NULL;
    bool known = take_mode(o, out) || take_times(o, out) ||
                 is_text(o, "columnNameOfCorruptRecord", &out->corrupt_column) ||
                 (is_json ? take_json(o, out) : take_csv(o, out)) ||
                 nilas_str_is_nocase(o->name, "locale");
    bool english = !nilas_str_is_nocase(o->name, "locale") ||
                   nilas_str_starts_nocase(o->value, NILAS_STR("en"));
    if (!known || !english) {
        nilas_row__fail(o->row, "", "the option %.*s of %s is not supported", NILAS_FMT(o->name),
                        o->function);
    }
}

bool nilas_row__options(nilas_row *row, size_t i, const char *function, nilas_text_options *out) {
    nilas_str *texts = NULL;
    size_t count = 0;
    *out = (nilas_text_options){.corrupt_column = NILAS_STR("_corrupt_record"),
                                .separator = NILAS_STR(","),
                                .quote = '"',
                                .escape = '\\'};
    if (!nilas_row__texts(row, i, &texts, &count)) {
        return false;
    }
    for (size_t k = 0; k + 1 < count && !row->failed; k += 2) {
        option o = {.row = row, .function = function, .name = texts[k], .value = texts[k + 1]};
        take(&o, out);
    }
    return !row->failed;
}

/* --- times --- */

bool nilas_row__parse_date(nilas_str text, nilas_str pattern, int64_t *out) {
    int64_t micros = 0;
    if (pattern.size == 0) {
        return nilas_date_parse(text, out);
    }
    if (!nilas_row__parse_local(text, pattern, &micros)) {
        return false;
    }
    *out = nilas_floor_div(micros, NILAS_MICROS_PER_DAY);
    return true;
}

bool nilas_row__parse_local(nilas_str text, nilas_str pattern, int64_t *out) {
    nilas_parsed_time parsed;
    size_t index = 0;
    if (pattern.size == 0) {
        return nilas_timestamp_ntz_parse(text, true, out);
    }
    if (!nilas_engine__parse_time(text, pattern, &parsed, &index)) {
        return false;
    }
    *out = parsed.local_micros;
    return true;
}

bool nilas_row__parse_instant(const nilas_row *row, nilas_str text, nilas_str pattern,
                              int64_t *out) {
    nilas_parsed_time parsed;
    size_t index = 0;
    const nilas_zone *zone = row->context->zone;
    if (pattern.size == 0) {
        bool has_zone = false;
        if (!nilas_timestamp_parse(text, zone, out, &has_zone)) {
            return false;
        }
        *out = has_zone ? *out : nilas_zone_to_utc(zone, *out);
        return true;
    }
    if (!nilas_engine__parse_time(text, pattern, &parsed, &index)) {
        return false;
    }
    bool offset = parsed.has_offset && parsed.zone == NULL;
    *out = offset
               ? parsed.local_micros - parsed.offset_seconds * NILAS_MICROS_PER_SECOND
               : nilas_zone_to_utc(parsed.zone != NULL ? parsed.zone : zone, parsed.local_micros);
    return true;
}
