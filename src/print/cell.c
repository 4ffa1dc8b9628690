/*
 * Cells as text. The two forms of Spark differ in everything but numbers and times:
 * HiveResult.toHiveString() is what the spark-sql shell prints, ToPrettyString what
 * DataFrame.show() does. Entries of a map are sorted by their text in the first (Spark sorts them
 * there) and in their own order in the others.
 */
#include "print/cell.h"

#include <math.h>
#include <stdlib.h>

#include "codec/codec.h"
#include "print/text.h"

// ---- text and bytes -----------------------------------------------------------------------------

static void print_json_text(nilas_buf *out, nilas_str text) {
    if (nilas_str_is_utf8(text)) {
        nilas_json_print_string(out, text);
        return;
    }
    NILAS_AUTO_BUF decoded = NILAS_BUF_INIT(SIZE_MAX);
    nilas_print_text_decode(&decoded, text);
    nilas_json_print_string(out, nilas_buf_view(&decoded));
}

static void print_text(nilas_buf *out, nilas_str text, const nilas_print_style *style) {
    if (style->form == NILAS_FORM_JSON) {
        print_json_text(out, text);
        return;
    }
    bool quoted = style->nested && style->form == NILAS_FORM_HIVE;
    nilas_buf_add_text(out, quoted ? "\"" : "");
    nilas_print_text_decode(out, text);
    nilas_buf_add_text(out, quoted ? "\"" : "");
}

/** JSON text, which takes no quotes of its own. */
static void print_variant(nilas_buf *out, nilas_str text, const nilas_print_style *style) {
    nilas_print_style bare = {.form = style->form, .zone = style->zone};
    print_text(out, text, &bare);
}

static void print_binary(nilas_buf *out, nilas_str bytes, const nilas_print_style *style) {
    switch (style->form) {
    case NILAS_FORM_HIVE: nilas_print_text_decode(out, bytes); return;
    case NILAS_FORM_JSON:
        nilas_buf_add_char(out, '"');
        nilas_buf_add_base64(out, bytes);
        nilas_buf_add_char(out, '"');
        return;
    case NILAS_FORM_SHOWN:
        nilas_buf_add_char(out, '[');
        for (size_t i = 0; i < bytes.size; i++) {
            nilas_buf_print(out, i > 0 ? " %02X" : "%02X", (unsigned char)bytes.data[i]);
        }
        nilas_buf_add_char(out, ']');
        return;
    }
}

// ---- numbers and times --------------------------------------------------------------------------

/** Most cells are whole numbers, and printf() takes longer than all the rest. */
static void print_whole(nilas_buf *out, int64_t value) {
    char digits[24];
    size_t at = sizeof(digits);
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (value < 0) {
        digits[--at] = '-';
    }
    nilas_buf_add_bytes(out, digits + at, sizeof(digits) - at);
}

static void print_real(nilas_buf *out, const nilas_print_column *column, double value,
                       const nilas_print_style *style) {
    bool quoted = style->form == NILAS_FORM_JSON && !isfinite(value); // JSON has no NaN

    nilas_buf_add_text(out, quoted ? "\"" : "");
    nilas_real_print(out, value, column->width == 4);
    nilas_buf_add_text(out, quoted ? "\"" : "");
}

/** Ticks of the column's unit as microseconds; nanoseconds are cut off. */
static int64_t micros_of(const nilas_print_column *column, int64_t ticks) {
    if (column->unit > NILAS_MICROS_PER_SECOND) {
        return nilas_floor_div(ticks, column->unit / NILAS_MICROS_PER_SECOND);
    }
    return ticks *
           (NILAS_MICROS_PER_SECOND / (column->unit > 0 ? column->unit : NILAS_MICROS_PER_SECOND));
}

static void print_time_of_day(nilas_buf *out, int64_t micros) {
    int64_t seconds = micros / NILAS_MICROS_PER_SECOND;

    nilas_buf_print(out, "%02d:%02d:%02d", (int)(seconds / 3600), (int)(seconds / 60 % 60),
                    (int)(seconds % 60));
    if (micros % NILAS_MICROS_PER_SECOND != 0) {
        nilas_buf_print(out, ".%06d", (int)(micros % NILAS_MICROS_PER_SECOND));
        while (out->size > 0 && out->data[out->size - 1] == '0') {
            nilas_buf_truncate(out, out->size - 1);
        }
    }
}

/** "1-2" for spark-sql, "INTERVAL '1-2' YEAR TO MONTH" when shown. */
static void print_year_month(nilas_buf *out, const nilas_type *type, int64_t months, bool shown) {
    uint64_t size = months < 0 ? 0 - (uint64_t)months : (uint64_t)months;

    if (shown) {
        nilas_interval_print_year_month(out, months, type->from_unit, type->to_unit);
        return;
    }
    nilas_buf_print(out, "%s%llu-%llu", months < 0 ? "-" : "", (unsigned long long)(size / 12),
                    (unsigned long long)(size % 12));
}

/** "1 02:03:04.000000000" for spark-sql, "INTERVAL '1 02:03:04' DAY TO SECOND" when shown. */
static void print_day_time(nilas_buf *out, const nilas_type *type, int64_t micros, bool shown) {
    uint64_t size = micros < 0 ? 0 - (uint64_t)micros : (uint64_t)micros;
    unsigned long long seconds = size / NILAS_MICROS_PER_SECOND;

    if (shown) {
        nilas_interval_print_day_time(out, micros, type->from_unit, type->to_unit);
        return;
    }
    nilas_buf_print(out, "%s%llu %02llu:%02llu:%02llu.%06llu000", micros < 0 ? "-" : "",
                    seconds / 86400, seconds / 3600 % 24, seconds / 60 % 60, seconds % 60,
                    (unsigned long long)(size % NILAS_MICROS_PER_SECOND));
}

static void print_calendar_interval(nilas_buf *out, const struct ArrowArray *array, int64_t row) {
    struct {
        int32_t months, days;
        int64_t nanos;
    } value;

    memcpy(&value, (const char *)array->buffers[1] + (array->offset + row) * 16, sizeof(value));
    nilas_interval_print_calendar(out, value.months, value.days, value.nanos / 1000);
}

/**
 * A date as spark-sql prints it, by way of java.sql: the days that the calendar left out in October
 * 1582 are the day after, years before Christ have no sign, and years beyond 9999 no plus.
 */
static void print_java_date(nilas_buf *out, int64_t days) {
    int64_t year;
    int32_t month, day;
    int64_t first_gregorian = nilas_days_from_civil(1582, 10, 15);
    bool left_out = days < first_gregorian && days >= nilas_days_from_civil(1582, 10, 5);
    nilas_civil_from_days(left_out ? first_gregorian : days, &year, &month, &day);
    nilas_buf_print(out, "%04lld-%02d-%02d", (long long)(year > 0 ? year : 1 - year), month, day);
}

static void print_date(nilas_buf *out, int64_t days, const nilas_print_style *style) {
    if (style->form == NILAS_FORM_HIVE) {
        print_java_date(out, days);
    } else {
        nilas_date_print(out, days);
    }
}

static void print_instant(nilas_buf *out, int64_t micros, const nilas_print_style *style) {
    int64_t local = micros + nilas_zone_offset_at(style->zone, micros) * NILAS_MICROS_PER_SECOND;
    int64_t days = nilas_floor_div(local, NILAS_MICROS_PER_DAY);
    if (style->form != NILAS_FORM_HIVE || days >= nilas_days_from_civil(1582, 10, 15)) {
        bool far = style->form == NILAS_FORM_HIVE && days >= nilas_days_from_civil(10000, 1, 1);
        size_t before = out->size;
        nilas_timestamp_print(out, local);
        if (far && out->size > before && out->data[before] == '+') {
            memmove(out->data + before, out->data + before + 1, out->size - before - 1);
            nilas_buf_truncate(out, out->size - 1);
        }
        return;
    }
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    nilas_timestamp_print(&text, nilas_floor_mod(local, NILAS_MICROS_PER_DAY));
    print_java_date(out, days);
    nilas_buf_add(out, nilas_str_slice(nilas_buf_view(&text), strlen("1970-01-01"), SIZE_MAX / 2));
}

/** Dates, times and intervals; texts in JSON. */
static void print_time(nilas_buf *out, const nilas_print_column *column,
                       const struct ArrowArray *array, int64_t row,
                       const nilas_print_style *style) {
    const char *quote = style->form == NILAS_FORM_JSON ? "\"" : "";
    int64_t value =
        column->layout == NILAS_LAYOUT_INTEGER ? nilas_print_cell_integer(column, array, row) : 0;
    bool is_shown = style->form == NILAS_FORM_SHOWN;

    nilas_buf_add_text(out, quote);
    switch (column->type->kind) {
    case NILAS_TYPE_DATE: print_date(out, value, style); break;
    case NILAS_TYPE_TIME: print_time_of_day(out, micros_of(column, value)); break;
    case NILAS_TYPE_TIMESTAMP: print_instant(out, micros_of(column, value), style); break;
    case NILAS_TYPE_TIMESTAMP_NTZ: nilas_timestamp_print(out, micros_of(column, value)); break;
    case NILAS_TYPE_INTERVAL_YEAR_MONTH:
        print_year_month(out, column->type, value, is_shown);
        break;
    case NILAS_TYPE_INTERVAL_DAY_TIME:
        print_day_time(out, column->type, micros_of(column, value), is_shown);
        break;
    default: print_calendar_interval(out, array, row); break;
    }
    nilas_buf_add_text(out, quote);
}

// ---- nested -------------------------------------------------------------------------------------

static void print_array(nilas_buf *out, const nilas_print_column *column,
                        const struct ArrowArray *array, int64_t row,
                        const nilas_print_style *style) {
    const char *separator = style->form == NILAS_FORM_SHOWN ? ", " : ",";
    int64_t first, end;

    nilas_print_style inner = *style;
    inner.nested = true;
    nilas_print_cell_list(column, array, row, &first, &end);
    nilas_buf_add_char(out, '[');
    for (int64_t i = first; i < end; i++) {
        nilas_buf_add_text(out, i > first ? separator : "");
        nilas_print_cell(out, &column->children[0], array->children[0], i, &inner);
    }
    nilas_buf_add_char(out, ']');
}

static void print_struct(nilas_buf *out, const nilas_print_column *column,
                         const struct ArrowArray *array, int64_t row,
                         const nilas_print_style *style) {
    int64_t child_row = nilas_print_cell_struct_row(array, row);

    nilas_print_style inner = *style;
    inner.nested = true;
    nilas_buf_add_char(out, '{');
    for (size_t i = 0; i < column->child_count; i++) {
        const nilas_print_column *child = &column->children[i];
        nilas_buf_add_text(out, i == 0 ? "" : style->form == NILAS_FORM_SHOWN ? ", " : ",");
        if (style->form == NILAS_FORM_HIVE) {
            nilas_buf_add_char(out, '"');
            nilas_buf_add(out, child->name);
            nilas_buf_add_text(out, "\":");
        } else if (style->form == NILAS_FORM_JSON) {
            nilas_json_print_string(out, child->name);
            nilas_buf_add_char(out, ':');
        }
        nilas_print_cell(out, child, array->children[i], child_row, &inner);
    }
    nilas_buf_add_char(out, '}');
}

/**
 * One entry: "k":1 (HIVE), k -> 1 (SHOWN), "k":1 (JSON, the key's text in quotes whatever its
 * type).
 */
static void print_entry(nilas_buf *out, const nilas_print_column *entries,
                        const struct ArrowArray *array, int64_t row,
                        const nilas_print_style *style) {
    const nilas_print_column *key = &entries->children[0];
    int64_t child_row = nilas_print_cell_struct_row(array, row);

    nilas_print_style inner = *style;
    inner.nested = true;
    if (style->form == NILAS_FORM_JSON) {
        NILAS_AUTO_BUF text = NILAS_BUF_INIT(SIZE_MAX);
        nilas_print_style plain = {.form = NILAS_FORM_HIVE, .zone = style->zone};
        nilas_print_cell(&text, key, array->children[0], child_row, &plain);
        print_json_text(out, nilas_buf_view(&text));
    } else {
        nilas_print_cell(out, key, array->children[0], child_row, &inner);
    }
    nilas_buf_add_text(out, style->form == NILAS_FORM_SHOWN ? " -> " : ":");
    nilas_print_cell(out, &entries->children[1], array->children[1], child_row, &inner);
}

static int compare_entries(const void *a, const void *b) {
    return nilas_print_text_compare(*(const nilas_str *)a, *(const nilas_str *)b);
}

/** Spark sorts the texts of the entries. */
static void print_sorted_map(nilas_buf *out, const nilas_print_column *column,
                             const struct ArrowArray *array, int64_t row,
                             const nilas_print_style *style) {
    int64_t first, end;

    nilas_print_cell_list(column, array, row, &first, &end);
    NILAS_AUTO_BUF texts = NILAS_BUF_INIT(SIZE_MAX);
    size_t count = (size_t)(end - first);
    nilas_str *views = calloc(count + 1, sizeof(*views));

    if (views == NULL) {
        out->failed = NILAS_NOMEM;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        size_t start = texts.size;
        print_entry(&texts, &column->children[0], array->children[0], first + (int64_t)i, style);
        views[i].size = texts.size - start;
    }
    size_t at = 0;
    for (size_t i = 0; i < count; i++) { // the buffer is at rest now
        views[i].data = nilas_buf_view(&texts).data + at;
        at += views[i].size;
    }
    qsort(views, count, sizeof(*views), compare_entries);
    for (size_t i = 0; i < count; i++) {
        nilas_buf_add_text(out, i > 0 ? "," : "");
        nilas_buf_add(out, views[i]);
    }
    if (texts.failed != NILAS_OK) {
        out->failed = texts.failed;
    }
    free(views);
}

static void print_map(nilas_buf *out, const nilas_print_column *column,
                      const struct ArrowArray *array, int64_t row, const nilas_print_style *style) {
    const nilas_print_column *entries = &column->children[0];
    const char *separator = style->form == NILAS_FORM_SHOWN ? ", " : ",";
    int64_t first, end;

    nilas_print_cell_list(column, array, row, &first, &end);
    nilas_buf_add_char(out, '{');
    if (style->form == NILAS_FORM_HIVE && end - first > 1) {
        print_sorted_map(out, column, array, row, style);
    } else {
        for (int64_t i = first; i < end; i++) {
            nilas_buf_add_text(out, i > first ? separator : "");
            print_entry(out, entries, array->children[0], i, style);
        }
    }
    nilas_buf_add_char(out, '}');
}

// ---- all ----------------------------------------------------------------------------------------

static const char *null_word(const nilas_print_style *style) {
    bool small =
        style->form == NILAS_FORM_JSON || (style->form == NILAS_FORM_HIVE && style->nested);
    return small ? "null" : "NULL";
}

void nilas_print_cell(nilas_buf *out, const nilas_print_column *column,
                      const struct ArrowArray *array, int64_t row, const nilas_print_style *style) {
    if (nilas_print_cell_is_null(column, array, row)) {
        nilas_buf_add_text(out, null_word(style));
        return;
    }
    switch (column->type->kind) {
    case NILAS_TYPE_VOID: nilas_buf_add_text(out, null_word(style)); return;
    case NILAS_TYPE_BOOLEAN:
        nilas_buf_add_text(out,
                           nilas_print_cell_integer(column, array, row) != 0 ? "true" : "false");
        return;
    case NILAS_TYPE_TINYINT:
    case NILAS_TYPE_SMALLINT:
    case NILAS_TYPE_INT:
    case NILAS_TYPE_BIGINT: print_whole(out, nilas_print_cell_integer(column, array, row)); return;
    case NILAS_TYPE_FLOAT:
    case NILAS_TYPE_DOUBLE:
        print_real(out, column, nilas_print_cell_real(column, array, row), style);
        return;
    case NILAS_TYPE_DECIMAL:
        nilas_decimal_print(out, nilas_print_cell_decimal(array, row), (uint32_t)column->scale);
        return;
    case NILAS_TYPE_STRING:
    case NILAS_TYPE_CHAR:
    case NILAS_TYPE_VARCHAR:
        print_text(out, nilas_print_cell_bytes(column, array, row), style);
        return;
    case NILAS_TYPE_VARIANT:
        print_variant(out, nilas_print_cell_bytes(column, array, row), style);
        return;
    case NILAS_TYPE_BINARY:
        print_binary(out, nilas_print_cell_bytes(column, array, row), style);
        return;
    case NILAS_TYPE_ARRAY: print_array(out, column, array, row, style); return;
    case NILAS_TYPE_MAP: print_map(out, column, array, row, style); return;
    case NILAS_TYPE_STRUCT: print_struct(out, column, array, row, style); return;
    default: print_time(out, column, array, row, style); return;
    }
}
