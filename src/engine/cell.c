/** Trees over vectors. Their memory is the chunk's arena. */
#include "engine/cell.h"

static nilas_code build(nilas_arena *arena, duckdb_vector vector, nilas_cell *out,
                        nilas_error *err);

static nilas_code build_children(nilas_arena *arena, duckdb_vector vector, duckdb_logical_type type,
                                 nilas_cell *out, nilas_error *err) {
    if (out->type == DUCKDB_TYPE_LIST || out->type == DUCKDB_TYPE_MAP) {
        out->count = 1;
        NILAS_NEW_ARRAY(arena, &out->children, 1, err);
        return build(arena, duckdb_list_vector_get_child(vector), &out->children[0], err);
    }
    if (out->type != DUCKDB_TYPE_STRUCT) {
        return NILAS_OK;
    }
    out->count = duckdb_struct_type_child_count(type);
    NILAS_NEW_ARRAY(arena, &out->children, out->count, err);
    for (size_t i = 0; i < out->count; i++) {
        NILAS_TRY(build(arena, duckdb_struct_vector_get_child(vector, i), &out->children[i], err));
        char *name = duckdb_struct_type_child_name(type, i);
        nilas_code code = nilas_str_copy(arena, nilas_str_of(name), &out->children[i].name, err);
        duckdb_free(name);
        NILAS_TRY(code);
    }
    return NILAS_OK;
}

static nilas_code build(nilas_arena *arena, duckdb_vector vector, nilas_cell *out,
                        nilas_error *err) {
    duckdb_logical_type type = duckdb_vector_get_column_type(vector);
    *out = (nilas_cell){.type = duckdb_get_type_id(type),
                        .data = duckdb_vector_get_data(vector),
                        .validity = duckdb_vector_get_validity(vector)};
    out->internal = out->type;
    if (out->type == DUCKDB_TYPE_DECIMAL) {
        out->internal = duckdb_decimal_internal_type(type);
        out->width = duckdb_decimal_width(type);
        out->scale = duckdb_decimal_scale(type);
    }
    nilas_code code = build_children(arena, vector, type, out, err);
    duckdb_destroy_logical_type(&type);
    return code;
}

const nilas_cell *nilas_row__cell(nilas_row *row, size_t i) {
    nilas_error err = NILAS_ERROR_INIT;
    void *memory = NULL;
    if (row->cells[i] != NULL) {
        return row->cells[i];
    }
    if (nilas_arena_alloc(row->chunk, sizeof(nilas_cell), &memory, &err) != NILAS_OK ||
        build(row->chunk, row->vectors[i], memory, &err) != NILAS_OK) {
        nilas_row__fail_with(row, &err);
        return NULL;
    }
    row->cells[i] = memory;
    return memory;
}

nilas_int128 nilas_cell__integer(const nilas_cell *cell, idx_t at) {
    nilas_int128 wide;
    switch (cell->internal) {
    case DUCKDB_TYPE_BOOLEAN: return ((const bool *)cell->data)[at];
    case DUCKDB_TYPE_TINYINT: return ((const int8_t *)cell->data)[at];
    case DUCKDB_TYPE_SMALLINT: return ((const int16_t *)cell->data)[at];
    case DUCKDB_TYPE_INTEGER:
    case DUCKDB_TYPE_DATE: return ((const int32_t *)cell->data)[at];
    case DUCKDB_TYPE_HUGEINT:
        memcpy(&wide, (const char *)cell->data + at * sizeof(wide), sizeof(wide));
        return wide;
    default: return ((const int64_t *)cell->data)[at];
    }
}

double nilas_cell__real(const nilas_cell *cell, idx_t at) {
    return cell->type == DUCKDB_TYPE_FLOAT ? (double)((const float *)cell->data)[at]
                                           : ((const double *)cell->data)[at];
}
