/* Small helpers of the JSON readers: integers that must fit 32 bits, lists and string maps. */
#include "iceberg/parse.h"

static nilas_code fit_int32(const char *name, int64_t wide, int32_t *out, nilas_error *err) {
    NILAS_REQUIRE(wide >= INT32_MIN && wide <= INT32_MAX, err, NILAS_CORRUPT,
                  "\"%s\" must be a 32-bit integer, found %lld", name, (long long)wide);
    *out = (int32_t)wide;
    return NILAS_OK;
}

nilas_code nilas_iceberg__get_int32(const nilas_json *object, const char *name, int32_t *out,
                                    nilas_error *err) {
    int64_t wide;

    NILAS_TRY(nilas_json_get_int(object, name, &wide, err));
    return fit_int32(name, wide, out, err);
}

nilas_code nilas_iceberg__find_int32(const nilas_json *object, const char *name, int32_t *out,
                                     nilas_error *err) {
    int64_t wide = *out;

    NILAS_TRY(nilas_json_find_int(object, name, &wide, err));
    return fit_int32(name, wide, out, err);
}

nilas_code nilas_iceberg__find_array(const nilas_json *object, const char *name,
                                     const nilas_json **out, nilas_error *err) {
    const nilas_json *found = nilas_json_find(object, name);

    if (found == NULL || found->kind == NILAS_JSON_NULL) {
        return NILAS_OK;
    }
    NILAS_REQUIRE(found->kind == NILAS_JSON_ARRAY, err, NILAS_CORRUPT, "\"%s\" must be an array",
                  name);
    *out = found;
    return NILAS_OK;
}

nilas_code nilas_iceberg__find_int32_list(nilas_arena *arena, const nilas_json *object,
                                          const char *name, int32_t **out, size_t *out_count,
                                          nilas_error *err) {
    const nilas_json *list = NULL;
    int32_t *items;

    NILAS_TRY(nilas_iceberg__find_array(object, name, &list, err));
    if (list == NULL) {
        *out = NULL;
        *out_count = 0;
        return NILAS_OK;
    }
    NILAS_NEW_ARRAY(arena, &items, list->count, err);
    for (size_t i = 0; i < list->count; i++) {
        NILAS_REQUIRE(list->items[i].kind == NILAS_JSON_INT, err, NILAS_CORRUPT,
                      "\"%s\" must hold integers, item %zu does not", name, i);
        NILAS_TRY(fit_int32(name, list->items[i].integer, &items[i], err));
    }
    *out = items;
    *out_count = list->count;
    return NILAS_OK;
}

static bool scalar_text(const nilas_json *json, nilas_str *out) {
    switch (json->kind) {
    case NILAS_JSON_STRING:
    case NILAS_JSON_INT:
    case NILAS_JSON_REAL: *out = json->text; return true;
    case NILAS_JSON_BOOL:
        *out = json->boolean ? NILAS_STR("true") : NILAS_STR("false");
        return true;
    default: return false;
    }
}

nilas_code nilas_iceberg__parse_properties(nilas_arena *arena, const nilas_json *object,
                                           nilas_property **out, size_t *out_count,
                                           nilas_error *err) {
    nilas_property *list;
    size_t count = 0;

    *out = NULL;
    *out_count = 0;
    if (object == NULL || object->kind == NILAS_JSON_NULL) {
        return NILAS_OK;
    }
    NILAS_REQUIRE(object->kind == NILAS_JSON_OBJECT, err, NILAS_CORRUPT,
                  "expected an object of strings");
    NILAS_NEW_ARRAY(arena, &list, object->count, err);
    for (size_t i = 0; i < object->count; i++) {
        if (object->items[i].kind == NILAS_JSON_NULL) {
            continue;
        }
        NILAS_REQUIRE(scalar_text(&object->items[i], &list[count].value), err, NILAS_CORRUPT,
                      "\"%.*s\" must be a string", NILAS_FMT(object->names[i]));
        list[count++].key = object->names[i];
    }
    *out = list;
    *out_count = count;
    return NILAS_OK;
}
