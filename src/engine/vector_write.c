/* Values of ours into DuckDB's vectors, of any nesting. */
#include "engine/vector_write.h"

#include <stdlib.h>

#include "engine/job.h"

static duckdb_logical_type struct_type(const nilas_type *type) {
    size_t count = type->field_count;
    duckdb_logical_type *members = calloc(count, sizeof(*members));
    char **names = calloc(count, sizeof(*names));
    nilas_assert(members != NULL && names != NULL);
    for (size_t i = 0; i < count; i++) {
        nilas_str name = type->fields[i].name;
        members[i] = nilas_engine__logical_type(type->fields[i].type);
        names[i] = strndup(name.data, name.size);
        nilas_assert(names[i] != NULL);
    }
    duckdb_logical_type result = duckdb_create_struct_type(members, (const char **)names, count);
    for (size_t i = 0; i < count; i++) {
        duckdb_destroy_logical_type(&members[i]);
        free(names[i]);
    }
    free(members);
    free(names);
    return result;
}

static duckdb_type simple_type(nilas_type_kind kind) {
    switch (kind) {
    case NILAS_TYPE_BOOLEAN: return DUCKDB_TYPE_BOOLEAN;
    case NILAS_TYPE_TINYINT: return DUCKDB_TYPE_TINYINT;
    case NILAS_TYPE_SMALLINT: return DUCKDB_TYPE_SMALLINT;
    case NILAS_TYPE_BIGINT:
    case NILAS_TYPE_INTERVAL_DAY_TIME: return DUCKDB_TYPE_BIGINT;
    case NILAS_TYPE_FLOAT: return DUCKDB_TYPE_FLOAT;
    case NILAS_TYPE_DOUBLE: return DUCKDB_TYPE_DOUBLE;
    case NILAS_TYPE_STRING:
    case NILAS_TYPE_CHAR:
    case NILAS_TYPE_VARCHAR:
    case NILAS_TYPE_VARIANT: return DUCKDB_TYPE_VARCHAR;
    case NILAS_TYPE_BINARY: return DUCKDB_TYPE_BLOB;
    case NILAS_TYPE_DATE: return DUCKDB_TYPE_DATE;
    case NILAS_TYPE_TIME: return DUCKDB_TYPE_TIME;
    case NILAS_TYPE_TIMESTAMP: return DUCKDB_TYPE_TIMESTAMP_TZ;
    case NILAS_TYPE_TIMESTAMP_NTZ: return DUCKDB_TYPE_TIMESTAMP;
    case NILAS_TYPE_INTERVAL: return DUCKDB_TYPE_INTERVAL;
    default:
        // int, void, months, and struct<> which has no carrier of its own
        return DUCKDB_TYPE_INTEGER;
    }
}

duckdb_logical_type nilas_engine__logical_type(const nilas_type *type) {
    if (type->kind == NILAS_TYPE_DECIMAL) {
        return duckdb_create_decimal_type((uint8_t)type->precision, (uint8_t)type->scale);
    }
    if (type->kind == NILAS_TYPE_ARRAY) {
        NILAS_AUTO_LOGICAL_TYPE element = nilas_engine__logical_type(type->fields[0].type);
        return duckdb_create_list_type(element);
    }
    if (type->kind == NILAS_TYPE_MAP) {
        NILAS_AUTO_LOGICAL_TYPE key = nilas_engine__logical_type(type->fields[0].type);
        NILAS_AUTO_LOGICAL_TYPE value = nilas_engine__logical_type(type->fields[1].type);
        return duckdb_create_map_type(key, value);
    }
    if (type->kind == NILAS_TYPE_STRUCT && type->field_count > 0) {
        return struct_type(type);
    }
    return duckdb_create_logical_type(simple_type(type->kind));
}

static void write_null(duckdb_vector vector, idx_t row, const nilas_type *type) {
    duckdb_vector_ensure_validity_writable(vector);
    duckdb_validity_set_row_invalid(duckdb_vector_get_validity(vector), row);
    if (type->kind == NILAS_TYPE_STRUCT) { // DuckDB wants the members null too
        for (size_t i = 0; i < type->field_count; i++) {
            nilas_value null = NILAS_NULL_VALUE;
            nilas_engine__write_value(duckdb_struct_vector_get_child(vector, i), row,
                                      type->fields[i].type, &null);
        }
    } else if (type->kind == NILAS_TYPE_ARRAY || type->kind == NILAS_TYPE_MAP) {
        duckdb_list_entry *entries = duckdb_vector_get_data(vector);
        entries[row] =
            (duckdb_list_entry){.offset = duckdb_list_vector_get_size(vector), .length = 0};
    }
}

/** DuckDB stores a decimal in the smallest of 2, 4, 8 and 16 bytes that holds its precision. */
static void write_decimal(duckdb_vector vector, idx_t row, const nilas_type *type,
                          const nilas_value *value) {
    void *data = duckdb_vector_get_data(vector);
    nilas_int128 unscaled = value->kind == NILAS_VALUE_DECIMAL ? value->decimal : value->integer;
    uint32_t scale = value->kind == NILAS_VALUE_DECIMAL ? value->scale : 0;
    if (scale != (uint32_t)type->scale) {
        bool fits = nilas_decimal_rescale(unscaled, scale, (uint32_t)type->scale, &unscaled);
        nilas_assert(fits);
    }
    if (type->precision <= 4) {
        ((int16_t *)data)[row] = (int16_t)unscaled;
    } else if (type->precision <= 9) {
        ((int32_t *)data)[row] = (int32_t)unscaled;
    } else if (type->precision <= 18) {
        ((int64_t *)data)[row] = (int64_t)unscaled;
    } else {
        ((duckdb_hugeint *)data)[row] =
            (duckdb_hugeint){.lower = (uint64_t)unscaled, .upper = (int64_t)(unscaled >> 64)};
    }
}

static void write_integer(duckdb_vector vector, idx_t row, const nilas_type *type,
                          int64_t integer) {
    void *data = duckdb_vector_get_data(vector);
    switch (type->kind) {
    case NILAS_TYPE_TINYINT: ((int8_t *)data)[row] = (int8_t)integer; break;
    case NILAS_TYPE_SMALLINT: ((int16_t *)data)[row] = (int16_t)integer; break;
    case NILAS_TYPE_INT:
    case NILAS_TYPE_DATE:
    case NILAS_TYPE_INTERVAL_YEAR_MONTH: ((int32_t *)data)[row] = (int32_t)integer; break;
    case NILAS_TYPE_FLOAT: ((float *)data)[row] = (float)integer; break;
    case NILAS_TYPE_DOUBLE: ((double *)data)[row] = (double)integer; break;
    case NILAS_TYPE_INTERVAL:
        ((duckdb_interval *)data)[row] = (duckdb_interval){.micros = integer};
        break;
    default: ((int64_t *)data)[row] = integer; break;
    }
}

static void write_list(duckdb_vector vector, idx_t row, const nilas_type *type,
                       const nilas_value *value) {
    bool is_map = type->kind == NILAS_TYPE_MAP;
    size_t count = value->count;
    idx_t from = duckdb_list_vector_get_size(vector);
    duckdb_state state = duckdb_list_vector_reserve(vector, from + count);
    nilas_assert(state == DuckDBSuccess);
    state = duckdb_list_vector_set_size(vector, from + count);
    nilas_assert(state == DuckDBSuccess);
    duckdb_vector child = duckdb_list_vector_get_child(vector);
    if (is_map) {
        duckdb_vector keys = duckdb_struct_vector_get_child(child, 0);
        duckdb_vector values = duckdb_struct_vector_get_child(child, 1);
        for (size_t i = 0; i < count; i++) {
            nilas_engine__write_value(keys, from + i, type->fields[0].type, &value->items[2 * i]);
            nilas_engine__write_value(values, from + i, type->fields[1].type,
                                      &value->items[2 * i + 1]);
        }
    } else {
        for (size_t i = 0; i < count; i++) {
            nilas_engine__write_value(child, from + i, type->fields[0].type, &value->items[i]);
        }
    }
    ((duckdb_list_entry *)duckdb_vector_get_data(vector))[row] =
        (duckdb_list_entry){.offset = from, .length = count};
}

static void write_struct(duckdb_vector vector, idx_t row, const nilas_type *type,
                         const nilas_value *value) {
    if (type->field_count == 0) {
        ((int32_t *)duckdb_vector_get_data(vector))[row] = 0;
        return;
    }
    nilas_assert(value->count == type->field_count);
    for (size_t i = 0; i < value->count; i++) {
        nilas_engine__write_value(duckdb_struct_vector_get_child(vector, i), row,
                                  type->fields[i].type, &value->items[i]);
    }
}

void nilas_engine__write_value(duckdb_vector vector, idx_t row, const nilas_type *type,
                               const nilas_value *value) {
    if (value->kind == NILAS_VALUE_NULL || type->kind == NILAS_TYPE_VOID) {
        write_null(vector, row, type);
        return;
    }
    if (type->kind == NILAS_TYPE_DECIMAL) {
        write_decimal(vector, row, type, value);
        return;
    }
    switch (value->kind) {
    case NILAS_VALUE_BOOL: ((bool *)duckdb_vector_get_data(vector))[row] = value->boolean; break;
    case NILAS_VALUE_INT: write_integer(vector, row, type, value->integer); break;
    case NILAS_VALUE_FLOAT:
    case NILAS_VALUE_DOUBLE:
        if (type->kind == NILAS_TYPE_FLOAT) {
            ((float *)duckdb_vector_get_data(vector))[row] = (float)value->real;
        } else {
            ((double *)duckdb_vector_get_data(vector))[row] = value->real;
        }
        break;
    case NILAS_VALUE_STRING:
    case NILAS_VALUE_BINARY:
        duckdb_vector_assign_string_element_len(vector, row, value->text.data, value->text.size);
        break;
    case NILAS_VALUE_LIST:
    case NILAS_VALUE_MAP: write_list(vector, row, type, value); break;
    default: write_struct(vector, row, type, value); break;
    }
}
