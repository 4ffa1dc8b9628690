/*
 * Literals of exactly the type that carries Spark's type. All of them fold to constants in DuckDB,
 * so that comparisons with them reach row-group statistics.
 */
#include "engine/cast.h"
#include "engine/render.h"

#include <math.h>

void nilas_render__identifier(nilas_buf *out, nilas_str name) {
    nilas_buf_add_char(out, '"');
    for (size_t i = 0; i < name.size; i++) {
        if (name.data[i] == '"') {
            nilas_buf_add_char(out, '"');
        }
        nilas_buf_add_char(out, name.data[i]);
    }
    nilas_buf_add_char(out, '"');
}

/** SQL text ends at a NUL, so one inside a string is said by chr(0). */
void nilas_render__text(nilas_buf *out, nilas_str text) {
    bool has_nul = text.size > 0 && memchr(text.data, '\0', text.size) != NULL;
    nilas_buf_add_text(out, has_nul ? "('" : "'");
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        if (c == '\0') {
            nilas_buf_add_text(out, "' || chr(0) || '");
        } else {
            if (c == '\'') {
                nilas_buf_add_char(out, '\'');
            }
            nilas_buf_add_char(out, c);
        }
    }
    nilas_buf_add_text(out, has_nul ? "')" : "'");
}

/** '[' would start a pattern for DuckDB: such characters are written as classes of one. */
void nilas_render__path(nilas_buf *out, nilas_str path) {
    nilas_buf_add_char(out, '\'');
    for (size_t i = 0; i < path.size; i++) {
        char c = path.data[i];
        if (c == '*' || c == '?' || c == '[') {
            nilas_buf_print(out, "[%c]", c);
        } else {
            nilas_buf_add_text(out, c == '\'' ? "'" : "");
            nilas_buf_add_char(out, c);
        }
    }
    nilas_buf_add_char(out, '\'');
}

void nilas_render__type(nilas_buf *out, const nilas_type *type) {
    if (type->kind == NILAS_TYPE_STRUCT && type->field_count == 0) {
        nilas_buf_add_text(out, "INTEGER");
    } else {
        nilas_engine__print_type(out, type);
    }
}

static void print_bytes(nilas_buf *out, nilas_str bytes) {
    static const char digits[] = "0123456789ABCDEF";
    nilas_buf_add_text(out, "from_hex('");
    for (size_t i = 0; i < bytes.size; i++) {
        unsigned char byte = (unsigned char)bytes.data[i];
        nilas_buf_add_char(out, digits[byte >> 4]);
        nilas_buf_add_char(out, digits[byte & 15]);
    }
    nilas_buf_add_text(out, "')");
}

static void print_real(nilas_buf *out, double real, bool is_float) {
    const char *type = is_float ? "FLOAT" : "DOUBLE";
    if (isnan(real)) {
        nilas_buf_print(out, "CAST('NaN' AS %s)", type);
    } else if (isinf(real)) {
        nilas_buf_print(out, "CAST('%sInfinity' AS %s)", real < 0 ? "-" : "", type);
    } else {
        nilas_buf_print(out, "CAST('%.17g' AS %s)", real, type);
    }
}

static void print_decimal(nilas_buf *out, const nilas_type *type, const nilas_value *value) {
    nilas_int128 unscaled = value->decimal;
    uint32_t scale = value->scale;
    if (value->kind == NILAS_VALUE_INT) {
        unscaled = value->integer;
        scale = 0;
    }
    nilas_buf_add_text(out, "CAST('");
    nilas_decimal_print(out, unscaled, scale);
    nilas_buf_print(out, "' AS DECIMAL(%d, %d))", type->precision, type->scale);
}

static void print_integer(nilas_buf *out, const nilas_type *type, int64_t integer) {
    switch (type->kind) {
    case NILAS_TYPE_DATE:
        nilas_buf_print(out, "(DATE '1970-01-01' + CAST(%lld AS INTEGER))", (long long)integer);
        break;
    case NILAS_TYPE_TIME:
        nilas_buf_print(out, "(TIME '00:00:00' + to_microseconds(%lld))", (long long)integer);
        break;
    case NILAS_TYPE_TIMESTAMP:
        nilas_buf_print(out, "make_timestamptz(CAST(%lld AS BIGINT))", (long long)integer);
        break;
    case NILAS_TYPE_TIMESTAMP_NTZ:
        nilas_buf_print(out, "make_timestamp(CAST(%lld AS BIGINT))", (long long)integer);
        break;
    case NILAS_TYPE_INTERVAL:
        nilas_buf_print(out, "to_microseconds(%lld)", (long long)integer);
        break;
    default:
        nilas_buf_print(out, "CAST(%lld AS ", (long long)integer);
        nilas_render__type(out, type);
        nilas_buf_add_char(out, ')');
        break;
    }
}

static void print_items(nilas_buf *out, const nilas_type *type, const nilas_value *value,
                        size_t first, size_t step) {
    for (size_t i = first; i < value->count * step; i += step) {
        if (i > first) {
            nilas_buf_add_text(out, ", ");
        }
        nilas_render__literal(out, type, &value->items[i]);
    }
}

/** Months, days and microseconds of a calendar interval, held as a struct of three integers. */
static void print_calendar_interval(nilas_buf *out, const nilas_value *value) {
    nilas_assert(value->count == 3);
    nilas_buf_print(out,
                    "(to_months(CAST(%lld AS INTEGER)) + to_days(CAST(%lld AS INTEGER)) + "
                    "to_microseconds(%lld))",
                    (long long)value->items[0].integer, (long long)value->items[1].integer,
                    (long long)value->items[2].integer);
}

static void print_nested(nilas_buf *out, const nilas_type *type, const nilas_value *value) {
    if (type->kind == NILAS_TYPE_INTERVAL) {
        print_calendar_interval(out, value);
        return;
    }
    nilas_buf_add_text(out, "CAST(");
    if (type->kind == NILAS_TYPE_ARRAY) {
        nilas_buf_add_char(out, '[');
        print_items(out, type->fields[0].type, value, 0, 1);
        nilas_buf_add_char(out, ']');
    } else if (type->kind == NILAS_TYPE_MAP) {
        nilas_buf_add_text(out, "map([");
        print_items(out, type->fields[0].type, value, 0, 2);
        nilas_buf_add_text(out, "], [");
        print_items(out, type->fields[1].type, value, 1, 2);
        nilas_buf_add_text(out, "])");
    } else {
        nilas_assert(type->kind == NILAS_TYPE_STRUCT && value->count == type->field_count);
        nilas_buf_add_text(out, "struct_pack(");
        for (size_t i = 0; i < value->count; i++) {
            nilas_buf_add_text(out, i > 0 ? ", " : "");
            nilas_render__identifier(out, type->fields[i].name);
            nilas_buf_add_text(out, " := ");
            nilas_render__literal(out, type->fields[i].type, &value->items[i]);
        }
        nilas_buf_add_char(out, ')');
    }
    nilas_buf_add_text(out, " AS ");
    nilas_render__type(out, type);
    nilas_buf_add_char(out, ')');
}

void nilas_render__literal(nilas_buf *out, const nilas_type *type, const nilas_value *value) {
    if (value->kind == NILAS_VALUE_NULL) {
        nilas_buf_add_text(out, "CAST(NULL AS ");
        nilas_render__type(out, type);
        nilas_buf_add_char(out, ')');
        return;
    }
    if (type->kind == NILAS_TYPE_DECIMAL) {
        print_decimal(out, type, value);
        return;
    }
    switch (value->kind) {
    case NILAS_VALUE_BOOL: nilas_buf_add_text(out, value->boolean ? "true" : "false"); break;
    case NILAS_VALUE_INT: print_integer(out, type, value->integer); break;
    case NILAS_VALUE_FLOAT:
    case NILAS_VALUE_DOUBLE: print_real(out, value->real, type->kind == NILAS_TYPE_FLOAT); break;
    case NILAS_VALUE_STRING: nilas_render__text(out, value->text); break;
    case NILAS_VALUE_BINARY: print_bytes(out, value->text); break;
    default: print_nested(out, type, value); break;
    }
}
