/*
 * Column metrics of a new file: counts and typed bounds from what DuckDB says while it writes.
 *
 * DuckDB gives minimum and maximum as text. A bound that this text does not tell exactly is left
 * out: a missing bound costs a file read, a wrong one costs rows. DuckDB itself cuts long text, so
 * bounds contain all values but need not be values.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "engine/writer.h"

/* ---- text to values ---- */

static bool parse_number(nilas_str text, bool is_float, double *out) {
    char copy[64];
    char *end = NULL;

    if (text.size == 0 || text.size >= sizeof(copy)) {
        return false;
    }
    memcpy(copy, text.data, text.size);
    copy[text.size] = '\0';
    *out = is_float ? (double)strtof(copy, &end) : strtod(copy, &end);
    return end == copy + text.size && !isnan(*out);
}

/** Digits of a fixed or least count at *at. */
static bool take_digits(nilas_str text, size_t *at, size_t least, size_t most, int64_t *out) {
    size_t from = *at;
    int64_t value = 0;

    while (*at < text.size && *at - from < most && text.data[*at] >= '0' && text.data[*at] <= '9') {
        value = value * 10 + (text.data[(*at)++] - '0');
    }
    *out = value;
    return *at - from >= least;
}

static bool take_char(nilas_str text, size_t *at, char c) {
    if (*at < text.size && text.data[*at] == c) {
        (*at)++;
        return true;
    }
    return false;
}

/** "2021-01-31"; years have four digits or more, those before Christ are left out. */
static bool take_date(nilas_str text, size_t *at, int64_t *out_days) {
    int64_t year, month, day;

    if (!take_digits(text, at, 4, 6, &year) || !take_char(text, at, '-') ||
        !take_digits(text, at, 2, 2, &month) || !take_char(text, at, '-') ||
        !take_digits(text, at, 2, 2, &day)) {
        return false;
    }
    *out_days = nilas_days_from_civil(year, (int32_t)month, (int32_t)day);
    return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/** "10:11:12[.123456789]" as units of 10^-digits seconds. */
static bool take_time(nilas_str text, size_t *at, size_t digits, int64_t *out) {
    int64_t hour, minute, second, fraction = 0;

    if (!take_digits(text, at, 2, 2, &hour) || !take_char(text, at, ':') ||
        !take_digits(text, at, 2, 2, &minute) || !take_char(text, at, ':') ||
        !take_digits(text, at, 2, 2, &second)) {
        return false;
    }
    size_t written = 0;
    if (take_char(text, at, '.')) {
        size_t from = *at;
        if (!take_digits(text, at, 1, digits, &fraction)) {
            return false;
        }
        written = *at - from;
    }
    *out = (hour * 60 + minute) * 60 + second;
    for (size_t i = 0; i < digits; i++) {
        *out *= 10;
        fraction *= i >= written ? 10 : 1;
    }
    *out += fraction;
    return true;
}

/** "+00", "+05:30" in seconds. */
static bool take_offset(nilas_str text, size_t *at, int64_t *out) {
    int64_t hours, minutes = 0, seconds = 0;
    bool is_west = *at < text.size && text.data[*at] == '-';

    if ((!is_west && !take_char(text, at, '+')) || (is_west && !take_char(text, at, '-')) ||
        !take_digits(text, at, 2, 2, &hours) ||
        (take_char(text, at, ':') && !take_digits(text, at, 2, 2, &minutes)) ||
        (take_char(text, at, ':') && !take_digits(text, at, 2, 2, &seconds))) {
        return false;
    }
    *out = ((hours * 60 + minutes) * 60 + seconds) * (is_west ? -1 : 1);
    return true;
}

static bool parse_timestamp(nilas_str text, const nilas_ice_type *type, int64_t *out) {
    bool is_nanos = type->kind == NILAS_ICE_TIMESTAMP_NS || type->kind == NILAS_ICE_TIMESTAMPTZ_NS;
    bool is_zoned = type->kind == NILAS_ICE_TIMESTAMPTZ || type->kind == NILAS_ICE_TIMESTAMPTZ_NS;
    int64_t unit = is_nanos ? 1000000000 : 1000000;
    int64_t days, time, offset = 0, total;
    size_t at = 0;

    if (!take_date(text, &at, &days) || !take_char(text, &at, ' ') ||
        !take_time(text, &at, is_nanos ? 9 : 6, &time) ||
        (is_zoned && !take_offset(text, &at, &offset)) || at != text.size) {
        return false;
    }
    return !__builtin_mul_overflow(days * 86400 - offset, unit, &total) &&
           !__builtin_add_overflow(total, time, out);
}

static bool parse_hex(nilas_arena *arena, nilas_str text, nilas_str *out) {
    void *memory;

    if (text.size % 2 != 0 || nilas_arena_alloc(arena, text.size / 2, &memory, NULL) != NILAS_OK) {
        return false;
    }
    char *bytes = memory;
    for (size_t i = 0; i < text.size; i += 2) {
        int high = nilas_hex_digit(text.data[i]), low = nilas_hex_digit(text.data[i + 1]);
        if (high < 0 || low < 0) {
            return false;
        }
        bytes[i / 2] = (char)(high * 16 + low);
    }
    *out = (nilas_str){.data = bytes, .size = text.size / 2};
    return true;
}

bool nilas_write__parse_uuid(nilas_arena *arena, nilas_str text, nilas_str *out) {
    static const size_t dashes[] = {8, 13, 18, 23};
    char digits[32];
    size_t count = 0;

    if (text.size != 36) {
        return false;
    }
    for (size_t i = 0; i < text.size; i++) {
        bool is_dash = i == dashes[0] || i == dashes[1] || i == dashes[2] || i == dashes[3];
        if (is_dash != (text.data[i] == '-')) {
            return false;
        }
        if (!is_dash) {
            digits[count++] = text.data[i];
        }
    }
    return parse_hex(arena, (nilas_str){.data = digits, .size = 32}, out);
}

static bool parse_decimal(nilas_str text, const nilas_ice_type *type, nilas_value *out) {
    nilas_int128 unscaled;
    uint32_t scale;

    if (!nilas_decimal_parse(text, &unscaled, &scale) || scale != (uint32_t)type->scale) {
        return false;
    }
    *out = nilas_value_of_decimal(unscaled, scale);
    return true;
}

static bool parse_integer(nilas_str text, const nilas_ice_type *type, nilas_value *out) {
    int64_t number = 0;
    size_t at = 0;
    bool known;

    switch (type->kind) {
    case NILAS_ICE_INT:
        known = nilas_str_to_int64(text, &number) && number >= INT32_MIN && number <= INT32_MAX;
        break;
    case NILAS_ICE_LONG: known = nilas_str_to_int64(text, &number); break;
    case NILAS_ICE_DATE: known = take_date(text, &at, &number) && at == text.size; break;
    case NILAS_ICE_TIME: known = take_time(text, &at, 6, &number) && at == text.size; break;
    default: known = parse_timestamp(text, type, &number); break;
    }
    *out = nilas_value_of_int(number);
    return known;
}

bool nilas_write__parse_bound(nilas_arena *arena, const nilas_ice_type *type, nilas_str text,
                              nilas_value *out) {
    nilas_str bytes;

    switch (type->kind) {
    case NILAS_ICE_BOOLEAN:
        *out = nilas_value_of_bool(nilas_str_is(text, "1") || nilas_str_is(text, "true"));
        return out->boolean || nilas_str_is(text, "0") || nilas_str_is(text, "false");
    case NILAS_ICE_INT:
    case NILAS_ICE_LONG:
    case NILAS_ICE_DATE:
    case NILAS_ICE_TIME:
    case NILAS_ICE_TIMESTAMP:
    case NILAS_ICE_TIMESTAMPTZ:
    case NILAS_ICE_TIMESTAMP_NS:
    case NILAS_ICE_TIMESTAMPTZ_NS: return parse_integer(text, type, out);
    case NILAS_ICE_FLOAT:
    case NILAS_ICE_DOUBLE:
        *out = (nilas_value){.kind = type->kind == NILAS_ICE_FLOAT ? NILAS_VALUE_FLOAT
                                                                   : NILAS_VALUE_DOUBLE};
        return parse_number(text, type->kind == NILAS_ICE_FLOAT, &out->real);
    case NILAS_ICE_DECIMAL: return parse_decimal(text, type, out);
    case NILAS_ICE_STRING:
        *out = nilas_value_of_str(text);
        return nilas_str_is_utf8(text); // DuckDB cuts long text by bytes
    case NILAS_ICE_UUID:
        *out = nilas_value_of_bytes(text);
        return nilas_write__parse_uuid(arena, text, &out->text);
    case NILAS_ICE_BINARY:
        *out = nilas_value_of_bytes(text);
        return parse_hex(arena, text, &bytes) && (out->text = bytes, true);
    default: return false;
    }
}

/* ---- cutting ---- */

/** The next code point that UTF-8 can hold; 0: none. */
static uint32_t next_codepoint(uint32_t codepoint) {
    return codepoint == 0xD7FF ? 0xE000 : codepoint >= 0x10FFFF ? 0 : codepoint + 1;
}

/** The shortest text above all that start with `text`: its last code point that can be is raised.
 */
static bool raise_text(nilas_arena *arena, nilas_str text, nilas_str *out) {
    size_t end = text.size;

    while (end > 0) {
        size_t start = end - 1;
        while (start > 0 && ((unsigned char)text.data[start] & 0xC0) == 0x80) {
            start--;
        }
        size_t at = start;
        uint32_t raised = next_codepoint(nilas_str_next_codepoint(text, &at));
        if (raised != 0) {
            NILAS_AUTO_BUF buf = NILAS_BUF_INIT(0);
            nilas_buf_add(&buf, nilas_str_slice(text, 0, start));
            nilas_buf_add_codepoint(&buf, raised);
            return nilas_buf_finish(&buf, arena, out, NULL) == NILAS_OK;
        }
        end = start;
    }
    return false;
}

static bool raise_bytes(nilas_arena *arena, nilas_str bytes, nilas_str *out) {
    while (bytes.size > 0 && (unsigned char)bytes.data[bytes.size - 1] == 0xFF) {
        bytes.size--;
    }
    if (bytes.size == 0 || nilas_str_copy(arena, bytes, out, NULL) != NILAS_OK) {
        return false;
    }
    ((char *)(uintptr_t)out->data)[bytes.size - 1]++; // our own copy
    return true;
}

bool nilas_write__truncate_bound(nilas_arena *arena, const nilas_ice_type *type, int32_t length,
                                 bool is_upper, nilas_value *value) {
    size_t end = 0;

    if (type->kind == NILAS_ICE_STRING) {
        for (int32_t i = 0; i < length && end < value->text.size; i++) {
            (void)nilas_str_next_codepoint(value->text, &end);
        }
    } else if (type->kind == NILAS_ICE_BINARY) {
        end = (size_t)length < value->text.size ? (size_t)length : value->text.size;
    } else {
        return true;
    }
    if (end == value->text.size) {
        return true;
    }
    value->text = nilas_str_slice(value->text, 0, end);
    if (!is_upper) {
        return true;
    }
    return type->kind == NILAS_ICE_STRING ? raise_text(arena, value->text, &value->text)
                                          : raise_bytes(arena, value->text, &value->text);
}

/* ---- the metrics of a file ---- */

/** Zero has two signs, and DuckDB takes them for equal. */
static void widen_zero(nilas_value *value, bool is_upper) {
    if ((value->kind == NILAS_VALUE_FLOAT || value->kind == NILAS_VALUE_DOUBLE) &&
        value->real == 0) {
        value->real = is_upper ? 0.0 : -0.0;
    }
}

static bool make_bound(const nilas_writer *w, const nilas_write_leaf *leaf,
                       const nilas_column_stats *stats, bool is_upper, nilas_bound *out) {
    const nilas_ice_type *type = leaf->field->type;
    const nilas_value *known = is_upper ? stats->upper_value : stats->lower_value;
    nilas_str text = is_upper ? stats->upper : stats->lower;
    nilas_value value;

    if (known != NULL) {
        value = *known;
    } else if (text.data == NULL || !nilas_write__parse_bound(w->stmt, type, text, &value)) {
        return false;
    }
    widen_zero(&value, is_upper);
    if (leaf->mode.kind == NILAS_METRICS_TRUNCATE &&
        !nilas_write__truncate_bound(w->stmt, type, leaf->mode.length, is_upper, &value)) {
        return false;
    }
    out->field_id = leaf->field->id;
    return nilas_ice_value_encode(w->stmt, type, &value, &out->bytes, NULL) == NILAS_OK;
}

static nilas_code make_lists(const nilas_writer *w, nilas_data_file *file, nilas_error *err) {
    size_t count = w->leaves.count;

    NILAS_NEW_ARRAY(w->stmt, &file->column_sizes, count, err);
    NILAS_NEW_ARRAY(w->stmt, &file->value_counts, count, err);
    NILAS_NEW_ARRAY(w->stmt, &file->null_value_counts, count, err);
    NILAS_NEW_ARRAY(w->stmt, &file->nan_value_counts, count, err);
    NILAS_NEW_ARRAY(w->stmt, &file->lower_bounds, count, err);
    NILAS_NEW_ARRAY(w->stmt, &file->upper_bounds, count, err);
    file->has_column_sizes = file->has_value_counts = file->has_null_value_counts = true;
    file->has_nan_value_counts = file->has_lower_bounds = file->has_upper_bounds = true;
    return NILAS_OK;
}

static void add_count(nilas_int_count *list, size_t *count, int32_t field_id, int64_t value) {
    if (value >= 0) {
        list[(*count)++] = (nilas_int_count){.field_id = field_id, .count = value};
    }
}

static void add_leaf(const nilas_writer *w, const nilas_write_leaf *leaf,
                     const nilas_column_stats *stats, nilas_data_file *file) {
    int32_t id = leaf->field->id;
    bool is_floating =
        leaf->field->type->kind == NILAS_ICE_FLOAT || leaf->field->type->kind == NILAS_ICE_DOUBLE;

    add_count(file->column_sizes, &file->column_size_count, id, stats->size_bytes);
    if (leaf->mode.kind == NILAS_METRICS_NONE || leaf->is_repeated) {
        return; // as Iceberg: of elements, keys and values only sizes
    }
    if (w->content == NILAS_FILE_DATA) { // as Iceberg: of position deletes only bounds
        add_count(file->value_counts, &file->value_count_count, id, stats->value_count);
        add_count(file->null_value_counts, &file->null_value_count_count, id, stats->null_count);
        if (is_floating) {
            add_count(file->nan_value_counts, &file->nan_value_count_count, id, stats->nan_count);
        }
    }
    if (leaf->mode.kind == NILAS_METRICS_COUNTS) {
        return;
    }
    file->lower_bound_count +=
        make_bound(w, leaf, stats, false, &file->lower_bounds[file->lower_bound_count]);
    file->upper_bound_count +=
        make_bound(w, leaf, stats, true, &file->upper_bounds[file->upper_bound_count]);
}

nilas_code nilas_write__fill_metrics(const nilas_writer *w, const nilas_column_stats *stats,
                                     nilas_data_file *file, nilas_error *err) {
    NILAS_TRY(make_lists(w, file, err));
    for (size_t i = 0; i < w->leaves.count; i++) {
        add_leaf(w, &w->leaves.items[i], &stats[i], file);
    }
    nilas_assert(file->lower_bound_count <= w->leaves.count);
    return NILAS_OK;
}
