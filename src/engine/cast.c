/**
 * Casts. Where DuckDB's cast is Spark's (widening, exact narrowing with an error) it is used;
 * elsewhere a function of ours (udf_cast.c) does it. TRY_CAST and legacy casts give null where the
 * ANSI cast fails, except that legacy numbers wrap. Nested types are cast by part, through a
 * lambda.
 */
#include "engine/cast.h"

#include "engine/call.h"

#include <stdio.h>

typedef struct cast {
    nilas_buf *out;
    const nilas_type *from, *to;
    nilas_cast_mode mode;
    bool by_name; // structs: members by name, those that are missing null; else by position
    nilas_str inner;
    nilas_error *err;
} cast;

static nilas_code print_to_string(const cast *c);
static nilas_code print_from_string(const cast *c);
static nilas_code print_from_number(const cast *c);
static nilas_code print_from_datetime(const cast *c);
static nilas_code print_interval(const cast *c);
static nilas_code print_nested(const cast *c);

/* --- types --- */

static const char *const plain_types[] = {
    [NILAS_TYPE_VOID] = "INTEGER",
    [NILAS_TYPE_BOOLEAN] = "BOOLEAN",
    [NILAS_TYPE_TINYINT] = "TINYINT",
    [NILAS_TYPE_SMALLINT] = "SMALLINT",
    [NILAS_TYPE_INT] = "INTEGER",
    [NILAS_TYPE_BIGINT] = "BIGINT",
    [NILAS_TYPE_FLOAT] = "FLOAT",
    [NILAS_TYPE_DOUBLE] = "DOUBLE",
    [NILAS_TYPE_STRING] = "VARCHAR",
    [NILAS_TYPE_CHAR] = "VARCHAR",
    [NILAS_TYPE_VARCHAR] = "VARCHAR",
    [NILAS_TYPE_BINARY] = "BLOB",
    [NILAS_TYPE_DATE] = "DATE",
    [NILAS_TYPE_TIME] = "TIME",
    [NILAS_TYPE_TIMESTAMP] = "TIMESTAMPTZ",
    [NILAS_TYPE_TIMESTAMP_NTZ] = "TIMESTAMP",
    [NILAS_TYPE_INTERVAL_YEAR_MONTH] = "INTEGER",
    [NILAS_TYPE_INTERVAL_DAY_TIME] = "BIGINT",
    [NILAS_TYPE_INTERVAL] = "INTERVAL",
    [NILAS_TYPE_VARIANT] = "VARCHAR",
};

static void print_struct_type(nilas_buf *out, const nilas_type *type) {
    nilas_buf_add_text(out, "STRUCT(");
    for (size_t i = 0; i < type->field_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        nilas_engine__print_name(out, type->fields[i].name);
        nilas_buf_add_char(out, ' ');
        nilas_engine__print_type(out, type->fields[i].type);
    }
    if (type->field_count == 0) {
        nilas_buf_add_text(out, "\"_\" INTEGER"); // DuckDB has no empty struct
    }
    nilas_buf_add_char(out, ')');
}

void nilas_engine__print_type(nilas_buf *out, const nilas_type *type) {
    switch (type->kind) {
    case NILAS_TYPE_DECIMAL:
        nilas_buf_print(out, "DECIMAL(%d,%d)", type->precision, type->scale);
        return;
    case NILAS_TYPE_ARRAY:
        nilas_engine__print_type(out, type->fields[0].type);
        nilas_buf_add_text(out, "[]");
        return;
    case NILAS_TYPE_MAP:
        nilas_buf_add_text(out, "MAP(");
        nilas_engine__print_type(out, type->fields[0].type);
        nilas_buf_add_text(out, ", ");
        nilas_engine__print_type(out, type->fields[1].type);
        nilas_buf_add_char(out, ')');
        return;
    case NILAS_TYPE_STRUCT: print_struct_type(out, type); return;
    default: nilas_buf_add_text(out, plain_types[type->kind]); return;
    }
}

/* --- casts --- */

static nilas_code refuse(const cast *c) {
    NILAS_AUTO_BUF from = {0};
    NILAS_AUTO_BUF to = {0};
    nilas_type_print(&from, c->from);
    nilas_type_print(&to, c->to);
    return nilas_fail(c->err, NILAS_UNSUPPORTED, "cast from %.*s to %.*s is not supported",
                      NILAS_FMT(nilas_buf_view(&from)), NILAS_FMT(nilas_buf_view(&to)));
}

/** A function of ours that raises an error on bad input; TRY around it where null is wanted. */
static nilas_code print_function(const cast *c, const char *name, const char *more) {
    bool quiet = c->mode != NILAS_CAST_ANSI;
    nilas_buf_print(c->out, "%s%s(%.*s%s)%s", quiet ? "TRY(" : "", name, NILAS_FMT(c->inner), more,
                    quiet ? ")" : "");
    return NILAS_OK;
}

/** DuckDB's cast of `before` inner `after`. */
static nilas_code print_native(const cast *c, const char *before, const char *after) {
    nilas_buf_add_text(c->out, c->mode == NILAS_CAST_ANSI ? "CAST(" : "TRY_CAST(");
    nilas_buf_print(c->out, "%s%.*s%s AS ", before, NILAS_FMT(c->inner), after);
    nilas_engine__print_type(c->out, c->to);
    nilas_buf_add_char(c->out, ')');
    return NILAS_OK;
}

/** A function that gives the unscaled decimal for (value, precision, scale). */
static nilas_code print_decimal_function(const cast *c, const char *name) {
    NILAS_AUTO_BUF unscaled = {0};
    char more[40];
    cast inner = *c;
    inner.out = &unscaled;
    snprintf(more, sizeof(more), ", %d, %d", c->to->precision, c->to->scale);
    NILAS_TRY(print_function(&inner, name, more));
    nilas_engine__print_scaled(c->out, nilas_buf_view(&unscaled), c->to->precision, c->to->scale);
    return nilas_buf_check(&unscaled, c->err);
}

static void print_null(const cast *c) {
    nilas_buf_add_text(c->out, "CAST(NULL AS ");
    nilas_engine__print_type(c->out, c->to);
    nilas_buf_add_char(c->out, ')');
}

static nilas_code print_any(const cast *c) {
    if (nilas_type_equal(c->from, c->to) ||
        (nilas_type_is_string(c->from) && nilas_type_is_string(c->to))) {
        nilas_buf_add(c->out, c->inner);
        return NILAS_OK;
    }
    if (c->from->kind == NILAS_TYPE_VOID) {
        print_null(c);
        return NILAS_OK;
    }
    if (nilas_type_is_string(c->to)) {
        return print_to_string(c);
    }
    if (nilas_type_is_string(c->from)) {
        return print_from_string(c);
    }
    switch (c->from->kind) {
    case NILAS_TYPE_DATE:
    case NILAS_TYPE_TIMESTAMP:
    case NILAS_TYPE_TIMESTAMP_NTZ: return print_from_datetime(c);
    case NILAS_TYPE_ARRAY:
    case NILAS_TYPE_MAP:
    case NILAS_TYPE_STRUCT: return print_nested(c);
    case NILAS_TYPE_INTERVAL_YEAR_MONTH:
    case NILAS_TYPE_INTERVAL_DAY_TIME: return print_interval(c);
    case NILAS_TYPE_VARIANT: {
        NILAS_AUTO_BUF text = {0};
        nilas_buf_print(&text, "nilas_variant_to_string(%.*s)", NILAS_FMT(c->inner));
        return nilas_engine__print_cast(c->out, nilas_type_of(NILAS_TYPE_STRING), c->to, c->mode,
                                        nilas_buf_view(&text), c->err);
    }
    default: return print_from_number(c);
    }
}

nilas_code nilas_engine__print_cast(nilas_buf *out, const nilas_type *from, const nilas_type *to,
                                    nilas_cast_mode mode, nilas_str inner_sql, nilas_error *err) {
    cast c = {.out = out, .from = from, .to = to, .mode = mode, .inner = inner_sql, .err = err};
    return print_any(&c);
}

nilas_code nilas_engine__print_store_cast(nilas_buf *out, const nilas_type *from,
                                          const nilas_type *to, nilas_cast_mode mode,
                                          nilas_str inner_sql, nilas_error *err) {
    cast c = {.out = out,
              .from = from,
              .to = to,
              .mode = mode,
              .by_name = true,
              .inner = inner_sql,
              .err = err};
    return print_any(&c);
}

/* --- to string --- */

static nilas_code print_interval_text(const cast *c, const char *name) {
    nilas_buf_print(c->out, "%s(%.*s, %d, %d)", name, NILAS_FMT(c->inner), (int)c->from->from_unit,
                    (int)c->from->to_unit);
    return NILAS_OK;
}

/** Bind the value to a lambda parameter, so that text which uses it several times stays short:
 *  before, the parameter's name. */
static void open_binding(nilas_buf *out, nilas_str inner, int number) {
    nilas_buf_print(out, "list_extract(list_transform([%.*s], lambda x%d: ", NILAS_FMT(inner),
                    number);
}

static nilas_code print_part_text(const cast *c, const nilas_type *part, const char *format,
                                  int number, nilas_str member) {
    NILAS_AUTO_BUF value = {0};
    nilas_buf_print(&value, format, number);
    if (member.size > 0) {
        nilas_buf_add_char(&value, '.');
        nilas_engine__print_name(&value, member);
    }
    nilas_buf_add_text(c->out, "coalesce(");
    NILAS_TRY(nilas_engine__print_cast(c->out, part, nilas_type_of(NILAS_TYPE_STRING), c->mode,
                                       nilas_buf_view(&value), c->err));
    nilas_buf_add_text(c->out, ", 'null')");
    return NILAS_OK;
}

static nilas_code print_nested_text(const cast *c) {
    int number = nilas_engine__unique(c->inner);
    const nilas_type_field *fields = c->from->fields;
    if (c->from->kind == NILAS_TYPE_ARRAY) {
        nilas_buf_print(c->out,
                        "nilas_join_list(list_transform(%.*s, lambda x%d: ", NILAS_FMT(c->inner),
                        number);
        NILAS_TRY(print_part_text(c, fields[0].type, "x%d", number, NILAS_STR_EMPTY));
        nilas_buf_add_text(c->out, "), '[', ']')");
        return NILAS_OK;
    }
    if (c->from->kind == NILAS_TYPE_MAP) {
        nilas_buf_print(c->out, "nilas_join_list(list_transform(map_entries(%.*s), lambda x%d: ",
                        NILAS_FMT(c->inner), number);
        NILAS_TRY(print_part_text(c, fields[0].type, "x%d", number, NILAS_STR("key")));
        nilas_buf_add_text(c->out, " || ' -> ' || ");
        NILAS_TRY(print_part_text(c, fields[1].type, "x%d", number, NILAS_STR("value")));
        nilas_buf_add_text(c->out, "), '{', '}')");
        return NILAS_OK;
    }
    open_binding(c->out, c->inner, number);
    nilas_buf_print(c->out, "nilas_join_list(CASE WHEN x%d IS NULL THEN NULL ELSE [", number);
    for (size_t i = 0; i < c->from->field_count; i++) {
        nilas_buf_add_text(c->out, i > 0 ? ", " : "");
        NILAS_TRY(print_part_text(c, fields[i].type, "x%d", number, fields[i].name));
    }
    nilas_buf_add_text(c->out, "] END, '{', '}')), 1)");
    return NILAS_OK;
}

static nilas_code print_to_string(const cast *c) {
    cast quiet = *c;
    quiet.mode = NILAS_CAST_ANSI; // nothing here can fail
    switch (c->from->kind) {
    case NILAS_TYPE_FLOAT:
    case NILAS_TYPE_DOUBLE: return print_function(&quiet, "nilas_double_to_string", "");
    case NILAS_TYPE_DATE: return print_function(&quiet, "nilas_date_to_string", "");
    case NILAS_TYPE_TIMESTAMP:
    case NILAS_TYPE_TIMESTAMP_NTZ: return print_function(&quiet, "nilas_timestamp_to_string", "");
    case NILAS_TYPE_BINARY: return print_function(&quiet, "nilas_binary_to_string", "");
    case NILAS_TYPE_DECIMAL: // DuckDB leaves out the zero before the point when there is no digit
        return c->from->precision == c->from->scale
                   ? print_function(&quiet, "nilas_decimal_to_string", "")
                   : print_native(&quiet, "", "");
    case NILAS_TYPE_INTERVAL_YEAR_MONTH:
        return print_interval_text(c, "nilas_year_month_to_string");
    case NILAS_TYPE_INTERVAL_DAY_TIME: return print_interval_text(c, "nilas_day_time_to_string");
    case NILAS_TYPE_INTERVAL: return print_function(&quiet, "nilas_interval_to_string", "");
    case NILAS_TYPE_VARIANT: return print_function(&quiet, "nilas_variant_to_string", "");
    case NILAS_TYPE_ARRAY:
    case NILAS_TYPE_MAP:
    case NILAS_TYPE_STRUCT: return print_nested_text(c);
    default: return print_native(&quiet, "", "");
    }
}

/* --- from string --- */

static const char *integral_word(const nilas_type *type) {
    static const char *const words[] = {"tinyint", "smallint", "int", "bigint"};
    return words[type->kind - NILAS_TYPE_TINYINT];
}

static nilas_code print_from_string(const cast *c) {
    static const char *const names[] = {
        [NILAS_TYPE_BOOLEAN] = "nilas_string_to_boolean",
        [NILAS_TYPE_TINYINT] = "nilas_string_to_tinyint",
        [NILAS_TYPE_SMALLINT] = "nilas_string_to_smallint",
        [NILAS_TYPE_INT] = "nilas_string_to_int",
        [NILAS_TYPE_BIGINT] = "nilas_string_to_bigint",
        [NILAS_TYPE_FLOAT] = "nilas_string_to_float",
        [NILAS_TYPE_DOUBLE] = "nilas_string_to_double",
        [NILAS_TYPE_DATE] = "nilas_string_to_date",
        [NILAS_TYPE_TIMESTAMP] = "nilas_string_to_timestamp",
        [NILAS_TYPE_TIMESTAMP_NTZ] = "nilas_string_to_timestamp_ntz",
        [NILAS_TYPE_INTERVAL_YEAR_MONTH] = "nilas_string_to_year_month",
        [NILAS_TYPE_INTERVAL_DAY_TIME] = "nilas_string_to_day_time",
        [NILAS_TYPE_VARIANT] = "nilas_string_to_variant",
    };
    if (c->to->kind == NILAS_TYPE_BINARY) {
        nilas_buf_print(c->out, "encode(%.*s)", NILAS_FMT(c->inner));
        return NILAS_OK;
    }
    if (c->to->kind == NILAS_TYPE_DECIMAL) {
        return print_decimal_function(c, "nilas_string_to_decimal");
    }
    if (c->to->kind == NILAS_TYPE_INTERVAL) {
        return print_function(c, "nilas_string_to_interval", "");
    }
    if (c->mode == NILAS_CAST_LEGACY && nilas_type_is_integral(c->to)) {
        nilas_buf_print(c->out, "TRY(nilas_string_to_cut_%s(%.*s))", integral_word(c->to),
                        NILAS_FMT(c->inner));
        return NILAS_OK;
    }
    size_t count = sizeof(names) / sizeof(names[0]);
    if ((size_t)c->to->kind >= count || names[c->to->kind] == NULL) {
        return refuse(c);
    }
    if (c->to->kind == NILAS_TYPE_INTERVAL_DAY_TIME ||
        c->to->kind == NILAS_TYPE_INTERVAL_YEAR_MONTH) {
        char units[24];
        snprintf(units, sizeof(units), ", %d, %d", (int)c->to->from_unit, (int)c->to->to_unit);
        return print_function(c, names[c->to->kind], units);
    }
    return print_function(c, names[c->to->kind], "");
}

/* --- from numbers and booleans --- */

static bool is_real(const nilas_type *type) {
    return type->kind == NILAS_TYPE_FLOAT || type->kind == NILAS_TYPE_DOUBLE;
}

static nilas_code print_to_integral(const cast *c) {
    if (c->mode == NILAS_CAST_LEGACY && c->from->kind != NILAS_TYPE_BOOLEAN) {
        const char *verb = is_real(c->from) ? "saturate" : "wrap";
        const char *carrier = is_real(c->from) ? "DOUBLE" : "HUGEINT";
        const char *before = c->from->kind == NILAS_TYPE_DECIMAL ? "trunc(" : "";
        nilas_buf_print(c->out, "nilas_%s_%s(CAST(%s%.*s%s AS %s))", verb, integral_word(c->to),
                        before, NILAS_FMT(c->inner), before[0] != '\0' ? ")" : "", carrier);
        return NILAS_OK;
    }
    if (c->mode == NILAS_CAST_ANSI && c->from->kind == NILAS_TYPE_DECIMAL) {
        char more[40];
        snprintf(more, sizeof(more), ", %d, %d", c->from->precision, c->from->scale);
        nilas_buf_print(c->out, "nilas_decimal_to_%s(%.*s%s)", integral_word(c->to),
                        NILAS_FMT(c->inner), more);
        return NILAS_OK;
    }
    bool truncated = is_real(c->from) || c->from->kind == NILAS_TYPE_DECIMAL;
    return print_native(c, truncated ? "trunc(" : "", truncated ? ")" : "");
}

static nilas_code print_number_to_timestamp(const cast *c) {
    const char *format = "nilas_micros_instant(CAST(%.*s AS BIGINT) * 1000000)";
    if (c->from->kind == NILAS_TYPE_BOOLEAN) {
        format = "nilas_micros_instant(CAST(%.*s AS BIGINT))"; // true is a microsecond
    } else if (is_real(c->from)) {
        format = "nilas_micros_instant(CAST(trunc(%.*s * 1000000) AS BIGINT))";
    } else if (c->from->kind == NILAS_TYPE_DECIMAL) {
        format =
            "nilas_micros_instant(CAST(trunc(CAST(%.*s AS DECIMAL(30,8)) * 1000000) AS BIGINT))";
    }
    if (c->mode != NILAS_CAST_ANSI) {
        nilas_buf_add_text(c->out, "TRY(");
    }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    nilas_buf_print(c->out, format, NILAS_FMT(c->inner));
#pragma GCC diagnostic pop
    nilas_buf_add_text(c->out, c->mode != NILAS_CAST_ANSI ? ")" : "");
    return NILAS_OK;
}

static int64_t unit_size(nilas_interval_unit unit) {
    switch (unit) {
    case NILAS_UNIT_YEAR: return 12;
    case NILAS_UNIT_DAY: return 86400000000;
    case NILAS_UNIT_HOUR: return 3600000000;
    case NILAS_UNIT_MINUTE: return 60000000;
    case NILAS_UNIT_SECOND: return 1000000;
    default: return 1;
    }
}

static nilas_code print_to_number(const cast *c) {
    if (nilas_type_is_integral(c->to)) {
        return print_to_integral(c);
    }
    if (c->to->kind == NILAS_TYPE_DECIMAL && is_real(c->from)) {
        return print_decimal_function(c, "nilas_double_to_decimal");
    }
    if (c->to->kind == NILAS_TYPE_DECIMAL && c->from->kind == NILAS_TYPE_BOOLEAN) {
        return print_native(c, "CAST(", " AS INTEGER)");
    }
    if (c->to->kind == NILAS_TYPE_FLOAT && c->from->kind == NILAS_TYPE_DOUBLE) {
        nilas_buf_print(c->out, "nilas_double_to_float(%.*s)", NILAS_FMT(c->inner));
        return NILAS_OK;
    }
    return print_native(c, "", "");
}

static nilas_code print_from_number(const cast *c) {
    if (!nilas_type_is_numeric(c->from) && c->from->kind != NILAS_TYPE_BOOLEAN) {
        return refuse(c);
    }
    if (c->to->kind == NILAS_TYPE_BOOLEAN) {
        nilas_buf_print(c->out, "(%.*s <> 0)", NILAS_FMT(c->inner));
        return NILAS_OK;
    }
    if (c->to->kind == NILAS_TYPE_TIMESTAMP) {
        return print_number_to_timestamp(c);
    }
    if (c->to->kind == NILAS_TYPE_INTERVAL_YEAR_MONTH ||
        c->to->kind == NILAS_TYPE_INTERVAL_DAY_TIME) {
        char after[40];
        snprintf(after, sizeof(after), " * %lld", (long long)unit_size(c->to->to_unit));
        return print_native(c, "", after);
    }
    if (c->to->kind == NILAS_TYPE_BINARY && nilas_type_is_integral(c->from)) {
        nilas_buf_print(c->out, "nilas_integer_to_binary(%.*s)", NILAS_FMT(c->inner));
        return NILAS_OK;
    }
    if (c->to->kind == NILAS_TYPE_VARIANT) {
        nilas_buf_print(c->out, "CAST(%.*s AS VARCHAR)", NILAS_FMT(c->inner));
        return NILAS_OK;
    }
    return nilas_type_is_numeric(c->to) ? print_to_number(c) : refuse(c);
}

/* --- from dates and times --- */

static nilas_code print_timestamp_to_number(const cast *c) {
    if (is_real(c->to)) {
        nilas_buf_print(c->out, "CAST(epoch_us(%.*s) / 1000000 AS %s)", NILAS_FMT(c->inner),
                        c->to->kind == NILAS_TYPE_FLOAT ? "FLOAT" : "DOUBLE");
        return NILAS_OK;
    }
    if (c->to->kind == NILAS_TYPE_DECIMAL) {
        return print_native(c, "CAST(epoch_us(",
                            ") AS DECIMAL(20,0)) * CAST('0.000001' AS DECIMAL(6,6))");
    }
    return print_native(c, "nilas_floor_div(epoch_us(", "), 1000000)");
}

static nilas_code print_from_datetime(const cast *c) {
    static const struct {
        nilas_type_kind from, to;
        const char *format;
    } pairs[] = {
        {NILAS_TYPE_DATE, NILAS_TYPE_TIMESTAMP, "nilas_instant(CAST(%.*s AS TIMESTAMP))"},
        {NILAS_TYPE_DATE, NILAS_TYPE_TIMESTAMP_NTZ, "CAST(%.*s AS TIMESTAMP)"},
        {NILAS_TYPE_TIMESTAMP, NILAS_TYPE_DATE, "CAST(nilas_local(%.*s) AS DATE)"},
        {NILAS_TYPE_TIMESTAMP, NILAS_TYPE_TIMESTAMP_NTZ, "nilas_local(%.*s)"},
        {NILAS_TYPE_TIMESTAMP_NTZ, NILAS_TYPE_DATE, "CAST(%.*s AS DATE)"},
        {NILAS_TYPE_TIMESTAMP_NTZ, NILAS_TYPE_TIMESTAMP, "nilas_instant(%.*s)"},
        {NILAS_TYPE_TIMESTAMP, NILAS_TYPE_BOOLEAN, "(epoch_us(%.*s) <> 0)"},
    };
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        if (pairs[i].from == c->from->kind && pairs[i].to == c->to->kind) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
            nilas_buf_print(c->out, pairs[i].format, NILAS_FMT(c->inner));
#pragma GCC diagnostic pop
            return NILAS_OK;
        }
    }
    if (c->from->kind == NILAS_TYPE_TIMESTAMP && nilas_type_is_numeric(c->to)) {
        return print_timestamp_to_number(c);
    }
    if (c->from->kind == NILAS_TYPE_DATE &&
        (nilas_type_is_numeric(c->to) || c->to->kind == NILAS_TYPE_BOOLEAN)) {
        nilas_buf_add_text(c->out, "CAST(NULL AS "); // legacy only
        nilas_engine__print_type(c->out, c->to);
        nilas_buf_add_char(c->out, ')');
        return NILAS_OK;
    }
    return refuse(c);
}

/* --- intervals --- */

static nilas_code print_interval(const cast *c) {
    int64_t unit = unit_size(c->to->kind == c->from->kind ? c->to->to_unit : c->from->to_unit);
    char after[80];
    if (c->from->kind == c->to->kind) {
        if (c->to->to_unit >= c->from->to_unit || unit <= 1) {
            nilas_buf_add(c->out, c->inner);
        } else {
            nilas_buf_print(c->out, "(%.*s // %lld * %lld)", NILAS_FMT(c->inner), (long long)unit,
                            (long long)unit);
        }
        return NILAS_OK;
    }
    if (nilas_type_is_integral(c->to)) {
        snprintf(after, sizeof(after), " // %lld", (long long)unit);
        return print_native(c, "", after);
    }
    if (c->to->kind == NILAS_TYPE_DECIMAL) {
        snprintf(after, sizeof(after), " AS DECIMAL(20,0)) / %lld", (long long)unit);
        return print_native(c, "CAST(", after);
    }
    return refuse(c);
}

/* --- nested --- */

static nilas_code print_member(const cast *c, size_t index, const nilas_type_field *to, int number,
                               nilas_str member) {
    NILAS_AUTO_BUF value = {0};
    nilas_buf_print(&value, "x%d", number);
    if (member.size > 0) {
        nilas_buf_add_char(&value, '.');
        nilas_engine__print_name(&value, member);
    }
    cast inner = *c;
    inner.from = c->from->fields[index].type;
    inner.to = to->type;
    inner.inner = nilas_buf_view(&value);
    return print_any(&inner);
}

/** The struct's member that becomes member `index` of the result; SIZE_MAX: none, it is null. */
static size_t find_member(const cast *c, size_t index) {
    nilas_str name = c->to->fields[index].name;
    size_t found = SIZE_MAX;
    if (!c->by_name) {
        return index;
    }
    for (size_t i = 0; i < c->from->field_count; i++) {
        if (nilas_str_equal(c->from->fields[i].name, name)) {
            return i;
        }
        if (nilas_str_equal_nocase(c->from->fields[i].name, name)) {
            found = i;
        }
    }
    return found;
}

static nilas_code print_struct(const cast *c, int number) {
    open_binding(c->out, c->inner, number);
    nilas_buf_print(c->out, "CASE WHEN x%d IS NULL THEN NULL ELSE {", number);
    for (size_t i = 0; i < c->to->field_count; i++) {
        size_t member = find_member(c, i);
        nilas_buf_add_text(c->out, i > 0 ? ", " : "");
        nilas_engine__print_string(c->out, c->to->fields[i].name);
        nilas_buf_add_text(c->out, ": ");
        if (member == SIZE_MAX) {
            cast missing = *c;
            missing.to = c->to->fields[i].type;
            print_null(&missing);
            continue;
        }
        NILAS_TRY(print_member(c, member, &c->to->fields[i], number, c->from->fields[member].name));
    }
    nilas_buf_add_text(c->out, "} END), 1)");
    return NILAS_OK;
}

static nilas_code print_nested(const cast *c) {
    int number = nilas_engine__unique(c->inner);
    if (c->to->kind == NILAS_TYPE_VARIANT) {
        nilas_buf_print(c->out, "nilas_to_json(%.*s, CAST([] AS VARCHAR[]))", NILAS_FMT(c->inner));
        return NILAS_OK;
    }
    if (c->from->kind != c->to->kind ||
        (!c->by_name && c->from->field_count != c->to->field_count)) {
        return refuse(c);
    }
    if (c->from->kind == NILAS_TYPE_ARRAY) {
        nilas_buf_print(c->out, "list_transform(%.*s, lambda x%d: ", NILAS_FMT(c->inner), number);
        NILAS_TRY(print_member(c, 0, &c->to->fields[0], number, NILAS_STR_EMPTY));
        nilas_buf_add_char(c->out, ')');
        return NILAS_OK;
    }
    if (c->from->kind == NILAS_TYPE_MAP) {
        nilas_buf_print(c->out,
                        "map_from_entries(list_transform(map_entries(%.*s), lambda x%d: {'key': ",
                        NILAS_FMT(c->inner), number);
        NILAS_TRY(print_member(c, 0, &c->to->fields[0], number, NILAS_STR("key")));
        nilas_buf_add_text(c->out, ", 'value': ");
        NILAS_TRY(print_member(c, 1, &c->to->fields[1], number, NILAS_STR("value")));
        nilas_buf_add_text(c->out, "}))");
        return NILAS_OK;
    }
    return print_struct(c, number);
}
