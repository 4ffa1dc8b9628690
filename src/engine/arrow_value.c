/* Values out of Arrow arrays of the formats that engine.h lists. */
#include "engine/result.h"

static bool is_null(const struct ArrowArray *array, int64_t at) {
    if (array->null_count == 0 || array->n_buffers == 0) {
        return array->n_buffers == 0;
    }
    const uint8_t *validity = array->buffers[0];
    return validity != NULL && (validity[at >> 3] >> (at & 7) & 1) == 0;
}

static nilas_code read_bytes(nilas_arena *arena, const struct ArrowArray *array, bool is_text,
                             int64_t at, nilas_value *out, nilas_error *err) {
    const int32_t *offsets = array->buffers[1];
    nilas_str bytes = {.data = (const char *)array->buffers[2] + offsets[at],
                       .size = (size_t)(offsets[at + 1] - offsets[at])};
    nilas_str copy;
    NILAS_TRY(nilas_str_copy(arena, bytes, &copy, err));
    *out = is_text ? nilas_value_of_str(copy) : nilas_value_of_bytes(copy);
    return NILAS_OK;
}

static nilas_code read_list(nilas_arena *arena, const struct ArrowArray *array,
                            const nilas_type *type, int64_t at, nilas_value *out,
                            nilas_error *err) {
    const int32_t *offsets = array->buffers[1];
    size_t count = (size_t)(offsets[at + 1] - offsets[at]);
    bool is_map = type->kind == NILAS_TYPE_MAP;
    nilas_value *items;
    NILAS_NEW_ARRAY(arena, &items, count * (is_map ? 2 : 1), err);
    for (size_t i = 0; i < count; i++) {
        int64_t row = offsets[at] + (int64_t)i;
        const struct ArrowArray *child = array->children[0];
        if (!is_map) {
            NILAS_TRY(
                nilas_arrow__read_value(arena, child, type->fields[0].type, row, &items[i], err));
            continue;
        }
        row += child->offset;
        NILAS_TRY(nilas_arrow__read_value(arena, child->children[0], type->fields[0].type, row,
                                          &items[2 * i], err));
        NILAS_TRY(nilas_arrow__read_value(arena, child->children[1], type->fields[1].type, row,
                                          &items[2 * i + 1], err));
    }
    *out = (nilas_value){
        .kind = is_map ? NILAS_VALUE_MAP : NILAS_VALUE_LIST, .items = items, .count = count};
    return NILAS_OK;
}

static nilas_code read_struct(nilas_arena *arena, const struct ArrowArray *array,
                              const nilas_type *type, int64_t at, nilas_value *out,
                              nilas_error *err) {
    nilas_value *items;
    NILAS_NEW_ARRAY(arena, &items, type->field_count, err);
    for (size_t i = 0; i < type->field_count; i++) {
        NILAS_TRY(nilas_arrow__read_value(arena, array->children[i], type->fields[i].type, at,
                                          &items[i], err));
    }
    *out = (nilas_value){.kind = NILAS_VALUE_STRUCT, .items = items, .count = type->field_count};
    return NILAS_OK;
}

static nilas_code read_fixed(const void *data, const nilas_type *type, int64_t at, nilas_value *out,
                             nilas_error *err) {
    switch (type->kind) {
    case NILAS_TYPE_BOOLEAN:
        *out = nilas_value_of_bool((((const uint8_t *)data)[at >> 3] >> (at & 7) & 1) != 0);
        break;
    case NILAS_TYPE_TINYINT: *out = nilas_value_of_int(((const int8_t *)data)[at]); break;
    case NILAS_TYPE_SMALLINT: *out = nilas_value_of_int(((const int16_t *)data)[at]); break;
    case NILAS_TYPE_INT:
    case NILAS_TYPE_DATE:
    case NILAS_TYPE_INTERVAL_YEAR_MONTH:
        *out = nilas_value_of_int(((const int32_t *)data)[at]);
        break;
    case NILAS_TYPE_BIGINT:
    case NILAS_TYPE_TIME:
    case NILAS_TYPE_TIMESTAMP:
    case NILAS_TYPE_TIMESTAMP_NTZ:
    case NILAS_TYPE_INTERVAL_DAY_TIME:
        *out = nilas_value_of_int(((const int64_t *)data)[at]);
        break;
    case NILAS_TYPE_FLOAT: *out = nilas_value_of_float(((const float *)data)[at]); break;
    case NILAS_TYPE_DOUBLE: *out = nilas_value_of_double(((const double *)data)[at]); break;
    case NILAS_TYPE_DECIMAL: {
        nilas_int128 unscaled;
        memcpy(&unscaled, (const char *)data + at * 16, sizeof(unscaled));
        *out = nilas_value_of_decimal(unscaled, (uint32_t)type->scale);
        break;
    }
    default: return nilas_fail(err, NILAS_UNSUPPORTED, "a constant of this type is not supported");
    }
    return NILAS_OK;
}

nilas_code nilas_arrow__read_value(nilas_arena *arena, const struct ArrowArray *array,
                                   const nilas_type *type, int64_t row, nilas_value *out,
                                   nilas_error *err) {
    int64_t at = row + array->offset;
    nilas_assert(row >= 0 && row < array->length);
    if (is_null(array, at)) {
        *out = NILAS_NULL_VALUE;
        return NILAS_OK;
    }
    if (nilas_type_is_string(type) || type->kind == NILAS_TYPE_BINARY ||
        type->kind == NILAS_TYPE_VARIANT) {
        return read_bytes(arena, array, type->kind != NILAS_TYPE_BINARY, at, out, err);
    }
    if (type->kind == NILAS_TYPE_ARRAY || type->kind == NILAS_TYPE_MAP) {
        return read_list(arena, array, type, at, out, err);
    }
    if (type->kind == NILAS_TYPE_STRUCT) {
        return read_struct(arena, array, type, at, out, err);
    }
    return read_fixed(array->buffers[1], type, at, out, err);
}
