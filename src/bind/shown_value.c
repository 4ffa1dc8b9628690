/* Literals as text: what result columns and messages show of them. */
#include "bind/expr.h"

#define MICROS_PER_MINUTE (60 * NILAS_MICROS_PER_SECOND)
#define MICROS_PER_HOUR   (60 * MICROS_PER_MINUTE)

static void print_interval(nilas_buf *out, const nilas_type *type, int64_t value) {
    if (nilas_type_is(type, NILAS_TYPE_INTERVAL_YEAR_MONTH)) {
        nilas_interval_print_year_month(out, value, type->from_unit, type->to_unit);
    } else {
        nilas_interval_print_day_time(out, value, type->from_unit, type->to_unit);
    }
}

static void print_bytes(nilas_buf *out, nilas_str bytes) {
    nilas_buf_add_text(out, "X'");
    for (size_t i = 0; i < bytes.size; i++) {
        nilas_buf_print(out, "%02X", (unsigned char)bytes.data[i]);
    }
    nilas_buf_add_char(out, '\'');
}

static void print_datetime(nilas_buf *out, const nilas_zone *zone, const nilas_type *type,
                           int64_t value) {
    switch (type->kind) {
    case NILAS_TYPE_DATE:
        nilas_buf_add_text(out, "DATE '");
        nilas_date_print(out, value);
        break;
    case NILAS_TYPE_TIME: {
        uint64_t micros = (uint64_t)value;
        nilas_buf_print(out, "TIME '%02llu:%02llu:", (unsigned long long)(micros / MICROS_PER_HOUR),
                        (unsigned long long)(micros / MICROS_PER_MINUTE % 60));
        nilas_interval_print_seconds(out, micros % MICROS_PER_MINUTE, 2);
        break;
    }
    case NILAS_TYPE_TIMESTAMP:
        nilas_buf_add_text(out, "TIMESTAMP '");
        if (zone != NULL) {
            value += (int64_t)nilas_zone_offset_at(zone, value) * NILAS_MICROS_PER_SECOND;
        }
        nilas_timestamp_print(out, value);
        break;
    default:
        nilas_buf_add_text(out, "TIMESTAMP_NTZ '");
        nilas_timestamp_print(out, value);
        break;
    }
    nilas_buf_add_char(out, '\'');
}

static void print_nested(nilas_buf *out, const nilas_zone *zone, const nilas_type *type,
                         const nilas_value *value) {
    size_t per_entry = value->kind == NILAS_VALUE_MAP ? 2 : 1;
    const char *name = value->kind == NILAS_VALUE_MAP    ? "map("
                       : value->kind == NILAS_VALUE_LIST ? "array("
                                                         : "struct(";
    nilas_buf_add_text(out, name);
    for (size_t i = 0; i < value->count * per_entry; i++) {
        size_t field = value->kind == NILAS_VALUE_STRUCT ? i : i % per_entry;
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        nilas_bind__print_literal(out, zone, type->fields[field].type, &value->items[i]);
    }
    nilas_buf_add_char(out, ')');
}

void nilas_bind__print_literal(nilas_buf *out, const nilas_zone *zone, const nilas_type *type,
                               const nilas_value *value) {
    switch (value->kind) {
    case NILAS_VALUE_NULL: nilas_buf_add_text(out, "NULL"); break;
    case NILAS_VALUE_BOOL: nilas_buf_add_text(out, value->boolean ? "true" : "false"); break;
    case NILAS_VALUE_FLOAT: nilas_real_print(out, value->real, true); break;
    case NILAS_VALUE_DOUBLE: nilas_real_print(out, value->real, false); break;
    case NILAS_VALUE_DECIMAL: nilas_decimal_print(out, value->decimal, value->scale); break;
    case NILAS_VALUE_STRING: nilas_buf_add(out, value->text); break;
    case NILAS_VALUE_BINARY: print_bytes(out, value->text); break;
    case NILAS_VALUE_LIST:
    case NILAS_VALUE_MAP:
    case NILAS_VALUE_STRUCT: print_nested(out, zone, type, value); break;
    case NILAS_VALUE_INT:
        if (nilas_type_is_integral(type)) {
            nilas_int128_print(out, value->integer);
        } else if (nilas_type_is(type, NILAS_TYPE_INTERVAL_YEAR_MONTH) ||
                   nilas_type_is(type, NILAS_TYPE_INTERVAL_DAY_TIME)) {
            print_interval(out, type, value->integer);
        } else {
            print_datetime(out, zone, type, value->integer);
        }
        break;
    }
}
