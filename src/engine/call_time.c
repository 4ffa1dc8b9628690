/** Calls about dates and times that depend on types and constants. */
#include "engine/call.h"

#include "engine/cast.h"

static nilas_code print_conversion(nilas_buf *out, const nilas_call_sql *call, nilas_cast_mode mode,
                                   nilas_error *err) {
    return nilas_engine__print_cast(out, call->argument_types[0], call->type, mode,
                                    call->arguments[0], err);
}

static nilas_code convert(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    return print_conversion(out, call, call->ansi ? NILAS_CAST_ANSI : NILAS_CAST_LEGACY, err);
}

static nilas_code try_convert(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    return print_conversion(out, call, NILAS_CAST_TRY, err);
}

/** The argument as a timestamp. */
static nilas_code print_instant(nilas_buf *out, const nilas_call_sql *call, size_t index,
                                nilas_error *err) {
    return nilas_engine__print_cast(out, call->argument_types[index],
                                    nilas_type_of(NILAS_TYPE_TIMESTAMP), NILAS_CAST_ANSI,
                                    call->arguments[index], err);
}

static nilas_code date_format(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    nilas_buf_add_text(out, "nilas_date_format(");
    if (call->argument_types[0]->kind == NILAS_TYPE_TIMESTAMP_NTZ) {
        nilas_buf_add(out, call->arguments[0]);
    } else {
        NILAS_TRY(print_instant(out, call, 0, err));
    }
    nilas_buf_print(out, ", %.*s)", NILAS_FMT(call->arguments[1]));
    return NILAS_OK;
}

static nilas_code unix_timestamp(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    nilas_buf_add_text(out, "(epoch_us(");
    if (!nilas_type_is_string(call->argument_types[0])) {
        NILAS_TRY(print_instant(out, call, 0, err));
    } else {
        nilas_buf_print(
            out, call->ansi ? "nilas_parse_timestamp(%.*s, " : "TRY(nilas_parse_timestamp(%.*s, ",
            NILAS_FMT(call->arguments[0]));
        nilas_buf_add(out, call->argument_count > 1 ? call->arguments[1]
                                                    : NILAS_STR("'yyyy-MM-dd HH:mm:ss'"));
        nilas_buf_add_text(out, call->ansi ? ")" : "))");
    }
    nilas_buf_add_text(out, ") // 1000000)"); // toward zero, as Spark divides here
    return NILAS_OK;
}

/* --- extract --- */

typedef struct field {
    const char *names;   // separated by blanks, with one at each end
    const char *of_date; // of a DATE or TIMESTAMP in $1's place (%s)
    const char *of_year_month, *of_day_time;
} field;

static const field fields[] = {
    {" year y years yr yrs ", "year(%s)", "(%s // 12)", NULL},
    {" yearofweek ", "isoyear(%s)", NULL, NULL},
    {" quarter qtr ", "quarter(%s)", NULL, NULL},
    {" month mon mons months ", "month(%s)", "(%s % 12)", NULL},
    {" week w weeks ", "weekofyear(%s)", NULL, NULL},
    {" day d days ", "day(%s)", NULL, "(%s // 86400000000)"},
    {" dayofweek dow ", "dayofweek(%s) + 1", NULL, NULL},
    {" dayofweek_iso dow_iso ", "isodow(%s)", NULL, NULL},
    {" doy ", "dayofyear(%s)", NULL, NULL},
    {" hour h hours hr hrs ", "hour(%s)", NULL, "(%s % 86400000000 // 3600000000)"},
    {" minute m min mins minutes ", "minute(%s)", NULL, "(%s % 3600000000 // 60000000)"},
    {" second s sec seconds secs ", NULL, NULL, NULL},
};

#define SECOND_FIELD (&fields[sizeof(fields) / sizeof(fields[0]) - 1])

static const field *find_field(nilas_str name) {
    char word[40];
    if (name.size + 2 >= sizeof(word)) {
        return NULL;
    }
    word[0] = ' ';
    for (size_t i = 0; i < name.size; i++) {
        char c = name.data[i];
        word[i + 1] = c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
    }
    word[name.size + 1] = ' ';
    word[name.size + 2] = '\0';
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        if (strstr(fields[i].names, word) != NULL) {
            return &fields[i];
        }
    }
    return NULL;
}

static void print_with(nilas_buf *out, const char *format, nilas_str value) {
    const char *mark = strstr(format, "%s");
    nilas_assert(mark != NULL);
    nilas_buf_add_bytes(out, format, (size_t)(mark - format));
    nilas_buf_add(out, value);
    nilas_buf_add_text(out, mark + 2);
}

/** Seconds with their micros, of a time or an interval; `value` is local. */
static void print_seconds_part(nilas_buf *out, nilas_type_kind kind, nilas_str value) {
    NILAS_AUTO_BUF micros = {0};
    const char *format = kind == NILAS_TYPE_INTERVAL_DAY_TIME
                             ? "CAST(%s % 60000000 AS DECIMAL(38,0))"
                         : kind == NILAS_TYPE_DATE ? "CAST(0 * day(%s) AS DECIMAL(38,0))"
                                                   : "CAST(microsecond(%s) AS DECIMAL(38,0))";
    print_with(&micros, format, value);
    nilas_engine__print_scaled(out, nilas_buf_view(&micros), 8, 6);
}

static const char *format_of(const field *found, nilas_type_kind kind) {
    if (found == NULL) {
        return NULL;
    }
    switch (kind) {
    case NILAS_TYPE_INTERVAL_DAY_TIME: return found->of_day_time;
    case NILAS_TYPE_INTERVAL_YEAR_MONTH: return found->of_year_month;
    default: return found->of_date;
    }
}

static nilas_code extract(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    const nilas_value *constant = nilas_engine__constant(call, 0);
    bool given = constant != NULL && constant->kind == NILAS_VALUE_STRING;
    nilas_str name = given ? constant->text : NILAS_STR_EMPTY;
    const field *found = find_field(name);
    nilas_type_kind kind = call->argument_types[1]->kind;
    NILAS_AUTO_BUF value = {0};
    nilas_buf_print(&value, kind == NILAS_TYPE_TIMESTAMP ? "nilas_local(%.*s)" : "%.*s",
                    NILAS_FMT(call->arguments[1]));
    if (found == SECOND_FIELD && kind != NILAS_TYPE_INTERVAL_YEAR_MONTH) {
        print_seconds_part(out, kind, nilas_buf_view(&value));
        return NILAS_OK;
    }
    const char *format = format_of(found, kind);
    if (format == NULL) {
        return nilas_fail_at(err, NILAS_INVALID, "INVALID_EXTRACT_FIELD", -1,
                             "Cannot extract `%.*s` from this value.", NILAS_FMT(name));
    }
    nilas_buf_add_text(out, "CAST(");
    print_with(out, format, nilas_buf_view(&value));
    return nilas_engine__fill_template(out, call, " AS $t)", err);
}

/* --- intervals --- */

static nilas_str argument_or(const nilas_call_sql *call, size_t index, const char *otherwise) {
    return index < call->argument_count ? call->arguments[index] : nilas_str_of(otherwise);
}

static nilas_code year_month(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    nilas_buf_print(out, "(CAST(%.*s AS INTEGER) * 12 + %.*s)",
                    NILAS_FMT(argument_or(call, 0, "0")), NILAS_FMT(argument_or(call, 1, "0")));
    return NILAS_OK;
}

static void print_seconds(nilas_buf *out, const nilas_call_sql *call, size_t index) {
    nilas_buf_print(out, "CAST(CAST(%.*s AS DECIMAL(18,6)) * 1000000 AS BIGINT)",
                    NILAS_FMT(argument_or(call, index, "0")));
}

static nilas_code day_time(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    static const char *const sizes[] = {"86400000000", "3600000000", "60000000"};
    (void)err;
    nilas_buf_add_char(out, '(');
    for (size_t i = 0; i < 3; i++) {
        nilas_buf_print(out, "CAST(%.*s AS BIGINT) * %s + ", NILAS_FMT(argument_or(call, i, "0")),
                        sizes[i]);
    }
    print_seconds(out, call, 3);
    nilas_buf_add_char(out, ')');
    return NILAS_OK;
}

static nilas_code calendar(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    static const char *const functions[] = {"to_years", "to_months", "to_weeks",
                                            "to_days",  "to_hours",  "to_minutes"};
    (void)err;
    nilas_buf_add_char(out, '(');
    for (size_t i = 0; i < 6; i++) {
        nilas_buf_print(out, "%s(CAST(%.*s AS %s)) + ", functions[i],
                        NILAS_FMT(argument_or(call, i, "0")), i < 4 ? "INTEGER" : "BIGINT");
    }
    nilas_buf_add_text(out, "to_microseconds(");
    print_seconds(out, call, 6);
    nilas_buf_add_text(out, "))");
    return NILAS_OK;
}

static nilas_code try_calendar(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    nilas_buf_add_text(out, "TRY(");
    NILAS_TRY(calendar(out, call, err));
    nilas_buf_add_char(out, ')');
    return NILAS_OK;
}

const nilas_renderer nilas_engine__time_renderers[] = {
    {"to_date", convert},
    {"to_timestamp", convert},
    {"try_to_timestamp", try_convert},
    {"date_format", date_format},
    {"unix_timestamp", unix_timestamp},
    {"extract", extract},
    {"make_ym_interval", year_month},
    {"make_dt_interval", day_time},
    {"make_interval", calendar},
    {"try_make_interval", try_calendar},
    {NULL, NULL},
};
