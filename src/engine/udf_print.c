/** Casts to string. */
#include "engine/udf_row.h"

#include "tree/tree.h"

static void double_to_string(nilas_row *row) {
    nilas_real_print(row->text, nilas_row__double(row, 0), false);
    nilas_row__set_buffer(row);
}

static void float_to_string(nilas_row *row) {
    nilas_real_print(row->text, nilas_row__float(row, 0), true);
    nilas_row__set_buffer(row);
}

static void decimal_to_string(nilas_row *row) {
    uint32_t scale = 0;
    nilas_int128 value = nilas_row__decimal(row, 0, &scale);
    nilas_decimal_print(row->text, value, scale);
    nilas_row__set_buffer(row);
}

static void date_to_string(nilas_row *row) {
    nilas_date_print(row->text, nilas_row__integer(row, 0));
    nilas_row__set_buffer(row);
}

static void timestamp_to_string(nilas_row *row) {
    int64_t micros = nilas_row__bigint(row, 0);
    nilas_timestamp_print(row->text, micros + nilas_zone_offset_at(row->context->zone, micros) *
                                                  NILAS_MICROS_PER_SECOND);
    nilas_row__set_buffer(row);
}

static void timestamp_ntz_to_string(nilas_row *row) {
    nilas_timestamp_print(row->text, nilas_row__bigint(row, 0));
    nilas_row__set_buffer(row);
}

/** Bytes as UTF-8; a byte that is not becomes U+FFFD, as it would be shown. */
static void binary_to_string(nilas_row *row) {
    nilas_str bytes = nilas_row__text(row, 0);
    if (nilas_str_is_utf8(bytes)) {
        nilas_row__set_text(row, bytes);
        return;
    }
    for (size_t at = 0; at < bytes.size;) {
        nilas_buf_add_codepoint(row->text, nilas_str_next_codepoint(bytes, &at));
    }
    nilas_row__set_buffer(row);
}

static void year_month_to_string(nilas_row *row) {
    nilas_interval_print_year_month(row->text, nilas_row__int(row, 0),
                                    (nilas_interval_unit)nilas_row__int(row, 1),
                                    (nilas_interval_unit)nilas_row__int(row, 2));
    nilas_row__set_buffer(row);
}

static void day_time_to_string(nilas_row *row) {
    nilas_interval_print_day_time(row->text, nilas_row__bigint(row, 0),
                                  (nilas_interval_unit)nilas_row__int(row, 1),
                                  (nilas_interval_unit)nilas_row__int(row, 2));
    nilas_row__set_buffer(row);
}

static void interval_to_string(nilas_row *row) {
    duckdb_interval interval = nilas_row__interval(row, 0);
    nilas_interval_print_calendar(row->text, interval.months, interval.days, interval.micros);
    nilas_row__set_buffer(row);
}

/** nilas_join_list(parts, '[', ']') = "[a, b]" */
static void join_list(nilas_row *row) {
    nilas_str *parts;
    size_t count;
    if (!nilas_row__texts(row, 0, &parts, &count)) {
        return;
    }
    nilas_buf_add(row->text, nilas_row__text(row, 1));
    for (size_t i = 0; i < count; i++) {
        nilas_buf_add_text(row->text, i > 0 ? ", " : "");
        nilas_buf_add(row->text, parts[i]);
    }
    nilas_buf_add(row->text, nilas_row__text(row, 2));
    nilas_row__set_buffer(row);
}

const nilas_udf nilas_engine__print_functions[] = {
    {"nilas_double_to_string", "d>s", double_to_string, 0, 0},
    {"nilas_double_to_string", "f>s", float_to_string, 0, 0},
    {"nilas_decimal_to_string", "a>s", decimal_to_string, 0, 0},
    {"nilas_date_to_string", "D>s", date_to_string, 0, 0},
    {"nilas_timestamp_to_string", "T>s", timestamp_to_string, 0, 0},
    {"nilas_timestamp_to_string", "N>s", timestamp_ntz_to_string, 0, 0},
    {"nilas_binary_to_string", "x>s", binary_to_string, 0, 0},
    {"nilas_year_month_to_string", "iii>s", year_month_to_string, 0, 0},
    {"nilas_day_time_to_string", "lii>s", day_time_to_string, 0, 0},
    {"nilas_interval_to_string", "I>s", interval_to_string, 0, 0},
    {"nilas_join_list", "Sss>s", join_list, 0, 0},
    {NULL, NULL, NULL, 0, 0},
};
