/* Name mappings: ids for the columns of files that carry none (property schema.name-
 * mapping.default). */
#include "iceberg/parse.h"

static nilas_code parse_children(nilas_arena *arena, const nilas_json *list, int depth,
                                 nilas_name_mapping *out, nilas_error *err);

static nilas_code parse_node(nilas_arena *arena, const nilas_json *json, int depth,
                             nilas_name_mapping *out, nilas_error *err) {
    const nilas_json *names = NULL;
    const nilas_json *fields = NULL;

    out->field_id = -1;
    NILAS_TRY(nilas_iceberg__find_int32(json, "field-id", &out->field_id, err));
    NILAS_TRY(nilas_iceberg__find_array(json, "names", &names, err));
    NILAS_TRY(nilas_iceberg__find_array(json, "fields", &fields, err));
    if (names != NULL) {
        NILAS_NEW_ARRAY(arena, &out->names, names->count, err);
        out->name_count = names->count;
        for (size_t i = 0; i < names->count; i++) {
            NILAS_REQUIRE(names->items[i].kind == NILAS_JSON_STRING, err, NILAS_CORRUPT,
                          "\"names\" must hold strings");
            out->names[i] = names->items[i].text;
        }
    }
    return fields != NULL ? parse_children(arena, fields, depth + 1, out, err) : NILAS_OK;
}

static nilas_code parse_children(nilas_arena *arena, const nilas_json *list, int depth,
                                 nilas_name_mapping *out, nilas_error *err) {
    NILAS_REQUIRE(depth < NILAS_LIMIT_TYPE_DEPTH, err, NILAS_LIMIT, "mappings nest deeper than %d",
                  NILAS_LIMIT_TYPE_DEPTH);
    NILAS_NEW_ARRAY(arena, &out->children, list->count, err);
    out->child_count = list->count;
    for (size_t i = 0; i < list->count; i++) {
        NILAS_TRY(parse_node(arena, &list->items[i], depth, &out->children[i], err));
    }
    return NILAS_OK;
}

nilas_code nilas_metadata_name_mapping(nilas_arena *arena, const nilas_metadata *metadata,
                                       const nilas_name_mapping **out, nilas_error *err) {
    nilas_str text =
        nilas_metadata_property(metadata, "schema.name-mapping.default", NILAS_STR_EMPTY);
    nilas_name_mapping *root;
    nilas_json json;

    if (text.size == 0) {
        *out = NULL;
        return NILAS_OK;
    }
    NILAS_NEW(arena, &root, err);
    root->field_id = -1;
    NILAS_TRY(
        nilas_json_parse(arena, text, "table property schema.name-mapping.default", &json, err));
    NILAS_REQUIRE(json.kind == NILAS_JSON_ARRAY, err, NILAS_CORRUPT,
                  "table property schema.name-mapping.default must be a JSON array");
    nilas_code code = parse_children(arena, &json, 0, root, err);
    if (code != NILAS_OK) {
        nilas_error_append(err, "in table property schema.name-mapping.default");
        return code;
    }
    *out = root;
    return NILAS_OK;
}
