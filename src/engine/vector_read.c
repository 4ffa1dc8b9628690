/* Values out of DuckDB's vectors, by the Iceberg type whose carrier they hold (see cast.h). */
#include "engine/write_keys.h"
#include "engine/writer.h"

/** Decimals lie in the narrowest integer that holds their precision. */
static nilas_value decimal_at(const void *data, const nilas_ice_type *type, idx_t row) {
    nilas_int128 unscaled;

    if (type->precision <= 4) {
        unscaled = ((const int16_t *)data)[row];
    } else if (type->precision <= 9) {
        unscaled = ((const int32_t *)data)[row];
    } else if (type->precision <= 18) {
        unscaled = ((const int64_t *)data)[row];
    } else {
        memcpy(&unscaled, (const char *)data + row * sizeof(unscaled), sizeof(unscaled));
    }
    return nilas_value_of_decimal(unscaled, (uint32_t)type->scale);
}

static nilas_code read_text(nilas_arena *arena, nilas_str text, const nilas_ice_type *type,
                            nilas_value *out, nilas_error *err) {
    nilas_str copy = text;

    if (type->kind == NILAS_ICE_UUID) { // carried as text
        NILAS_REQUIRE(nilas_write__parse_uuid(arena, text, &copy), err, NILAS_INVALID,
                      "Invalid UUID string: %.*s", NILAS_FMT(text));
        *out = nilas_value_of_bytes(copy);
        return NILAS_OK;
    }
    if (arena != NULL) {
        NILAS_TRY(nilas_str_copy(arena, text, &copy, err));
    }
    *out = type->kind == NILAS_ICE_STRING ? nilas_value_of_str(copy) : nilas_value_of_bytes(copy);
    return NILAS_OK;
}

static nilas_code read_list(nilas_arena *arena, duckdb_vector vector, const nilas_ice_type *type,
                            idx_t row, nilas_value *out, nilas_error *err) {
    const duckdb_list_entry *entries = duckdb_vector_get_data(vector);
    duckdb_vector child = duckdb_list_vector_get_child(vector);
    bool is_map = type->kind == NILAS_ICE_MAP;
    size_t width = is_map ? 2 : 1;
    size_t count = (size_t)entries[row].length;
    nilas_value *items;

    NILAS_NEW_ARRAY(arena, &items, count * width, err);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < width; k++) {
            duckdb_vector part = is_map ? duckdb_struct_vector_get_child(child, k) : child;
            NILAS_TRY(nilas_engine__read_vector(arena, part, type->fields[k].type,
                                                entries[row].offset + i, &items[i * width + k],
                                                err));
        }
    }
    *out = (nilas_value){
        .kind = is_map ? NILAS_VALUE_MAP : NILAS_VALUE_LIST, .items = items, .count = count};
    return NILAS_OK;
}

static nilas_code read_struct(nilas_arena *arena, duckdb_vector vector, const nilas_ice_type *type,
                              idx_t row, nilas_value *out, nilas_error *err) {
    nilas_value *items;

    NILAS_NEW_ARRAY(arena, &items, type->field_count, err);
    for (size_t i = 0; i < type->field_count; i++) {
        NILAS_TRY(nilas_engine__read_vector(arena, duckdb_struct_vector_get_child(vector, i),
                                            type->fields[i].type, row, &items[i], err));
    }
    *out = (nilas_value){.kind = NILAS_VALUE_STRUCT, .items = items, .count = type->field_count};
    return NILAS_OK;
}

nilas_code nilas_engine__read_vector(nilas_arena *arena, duckdb_vector vector,
                                     const nilas_ice_type *type, idx_t row, nilas_value *out,
                                     nilas_error *err) {
    uint64_t *validity = duckdb_vector_get_validity(vector);
    const void *data = duckdb_vector_get_data(vector);

    *out = NILAS_NULL_VALUE;
    if ((validity != NULL && !duckdb_validity_row_is_valid(validity, row)) ||
        type->kind == NILAS_ICE_UNKNOWN) {
        return NILAS_OK;
    }
    switch (type->kind) {
    case NILAS_ICE_BOOLEAN: *out = nilas_value_of_bool(((const bool *)data)[row]); break;
    case NILAS_ICE_INT:
    case NILAS_ICE_DATE: *out = nilas_value_of_int(((const int32_t *)data)[row]); break;
    case NILAS_ICE_LONG:
    case NILAS_ICE_TIME:
    case NILAS_ICE_TIMESTAMP:
    case NILAS_ICE_TIMESTAMPTZ: *out = nilas_value_of_int(((const int64_t *)data)[row]); break;
    case NILAS_ICE_TIMESTAMP_NS:
    case NILAS_ICE_TIMESTAMPTZ_NS: {
        int64_t nanos;
        NILAS_REQUIRE(!__builtin_mul_overflow(((const int64_t *)data)[row], 1000, &nanos), err,
                      NILAS_INVALID, "a timestamp does not fit nanoseconds");
        *out = nilas_value_of_int(nanos);
        break;
    }
    case NILAS_ICE_FLOAT: *out = nilas_value_of_float(((const float *)data)[row]); break;
    case NILAS_ICE_DOUBLE: *out = nilas_value_of_double(((const double *)data)[row]); break;
    case NILAS_ICE_DECIMAL: *out = decimal_at(data, type, row); break;
    case NILAS_ICE_STRING:
    case NILAS_ICE_UUID:
    case NILAS_ICE_FIXED:
    case NILAS_ICE_BINARY:
        return read_text(arena, nilas_engine__string_at(data, row), type, out, err);
    case NILAS_ICE_LIST:
    case NILAS_ICE_MAP: return read_list(arena, vector, type, row, out, err);
    case NILAS_ICE_STRUCT: return read_struct(arena, vector, type, row, out, err);
    default: {
        NILAS_AUTO_BUF name = NILAS_BUF_INIT(65536);
        nilas_ice_type_print(&name, type);
        return nilas_fail(err, NILAS_UNSUPPORTED, "writing columns of type %.*s is not supported",
                          NILAS_FMT(nilas_buf_view(&name)));
    }
    }
    return NILAS_OK;
}
