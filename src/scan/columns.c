/* Struct types from lists of columns. */
#include "scan/columns.h"

static nilas_code new_nested(nilas_arena *arena, nilas_ice_kind kind, size_t count,
                             nilas_ice_type **out, nilas_error *err) {
    nilas_ice_type *type;

    NILAS_NEW(arena, &type, err);
    type->kind = kind;
    NILAS_NEW_ARRAY(arena, &type->fields, count, err);
    type->field_count = count;
    *out = type;
    return NILAS_OK;
}

static nilas_code new_map(nilas_arena *arena, const nilas_scan__column *column, nilas_ice_kind key,
                          nilas_ice_kind value, const nilas_ice_type **out, nilas_error *err) {
    nilas_ice_type *type;

    NILAS_TRY(new_nested(arena, NILAS_ICE_MAP, 2, &type, err));
    type->fields[0] = (nilas_ice_field){.id = column->inner_id,
                                        .required = true,
                                        .name = NILAS_STR("key"),
                                        .type = nilas_ice_primitive(key)};
    type->fields[1] = (nilas_ice_field){.id = column->second_inner_id,
                                        .required = true,
                                        .name = NILAS_STR("value"),
                                        .type = nilas_ice_primitive(value)};
    *out = type;
    return NILAS_OK;
}

nilas_code nilas_scan__list_type(nilas_arena *arena, int32_t element_id,
                                 const nilas_ice_type *element, const nilas_ice_type **out,
                                 nilas_error *err) {
    nilas_ice_type *type;

    NILAS_TRY(new_nested(arena, NILAS_ICE_LIST, 1, &type, err));
    type->fields[0] = (nilas_ice_field){
        .id = element_id, .required = true, .name = NILAS_STR("element"), .type = element};
    *out = type;
    return NILAS_OK;
}

static nilas_code column_type(nilas_arena *arena, const nilas_scan__column *column,
                              const nilas_ice_type **out, nilas_error *err) {
    switch (column->kind) {
    case NILAS_SCAN__BOOLEAN: *out = nilas_ice_primitive(NILAS_ICE_BOOLEAN); return NILAS_OK;
    case NILAS_SCAN__INT: *out = nilas_ice_primitive(NILAS_ICE_INT); return NILAS_OK;
    case NILAS_SCAN__LONG: *out = nilas_ice_primitive(NILAS_ICE_LONG); return NILAS_OK;
    case NILAS_SCAN__STRING: *out = nilas_ice_primitive(NILAS_ICE_STRING); return NILAS_OK;
    case NILAS_SCAN__BINARY: *out = nilas_ice_primitive(NILAS_ICE_BINARY); return NILAS_OK;
    case NILAS_SCAN__TIMESTAMPTZ:
        *out = nilas_ice_primitive(NILAS_ICE_TIMESTAMPTZ);
        return NILAS_OK;
    case NILAS_SCAN__MAP_INT_LONG:
        return new_map(arena, column, NILAS_ICE_INT, NILAS_ICE_LONG, out, err);
    case NILAS_SCAN__MAP_INT_BINARY:
        return new_map(arena, column, NILAS_ICE_INT, NILAS_ICE_BINARY, out, err);
    case NILAS_SCAN__MAP_STRING_STRING:
        return new_map(arena, column, NILAS_ICE_STRING, NILAS_ICE_STRING, out, err);
    case NILAS_SCAN__LIST_INT:
        return nilas_scan__list_type(arena, column->inner_id, nilas_ice_primitive(NILAS_ICE_INT),
                                     out, err);
    case NILAS_SCAN__LIST_LONG:
        return nilas_scan__list_type(arena, column->inner_id, nilas_ice_primitive(NILAS_ICE_LONG),
                                     out, err);
    case NILAS_SCAN__GIVEN: break;
    }
    nilas_assert(false && "a given column's type comes from the caller");
    return NILAS_OK;
}

nilas_code nilas_scan__struct_type(nilas_arena *arena, const nilas_scan__column *columns,
                                   size_t count, const nilas_ice_type *const *given,
                                   nilas_ice_type **out, nilas_error *err) {
    nilas_ice_type *type;

    NILAS_TRY(new_nested(arena, NILAS_ICE_STRUCT, count, &type, err));
    type->field_count = 0;
    for (size_t i = 0; i < count; i++) {
        const nilas_ice_type *of = NULL;
        if (columns[i].kind == NILAS_SCAN__GIVEN) {
            of = *given++;
        } else {
            NILAS_TRY(column_type(arena, &columns[i], &of, err));
        }
        if (of == NULL) {
            continue;
        }
        type->fields[type->field_count++] = (nilas_ice_field){
            .id = columns[i].id,
            .required = columns[i].required,
            .name = nilas_str_of(columns[i].name),
            .type = of,
            .doc = columns[i].doc != NULL ? nilas_str_of(columns[i].doc) : NILAS_STR_EMPTY,
            .has_doc = columns[i].doc != NULL,
        };
    }
    *out = type;
    return NILAS_OK;
}

int32_t nilas_scan__highest_id(const nilas_ice_type *type) {
    int32_t highest = 0;

    for (size_t i = 0; i < type->field_count; i++) {
        int32_t inner = nilas_scan__highest_id(type->fields[i].type);
        highest = type->fields[i].id > highest ? type->fields[i].id : highest;
        highest = inner > highest ? inner : highest;
    }
    return highest;
}

size_t nilas_scan__find_column(const nilas_ice_type *type, const char *name) {
    for (size_t i = 0; i < type->field_count; i++) {
        if (nilas_str_is(type->fields[i].name, name)) {
            return i;
        }
    }
    return SIZE_MAX;
}
