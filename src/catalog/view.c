/*
 * Iceberg views: their metadata JSON (view specification, version 1). Only the current version is
 * kept: its text for Spark, else the first text of any dialect, its schema, and where its names are
 * looked up.
 */
#include "catalog/ops.h"

#include "codec/codec.h"

#define GZIP_MAGIC NILAS_STR("\x1f\x8b")

/** The item of an array whose integer member has this value. */
static nilas_code find_by_id(const nilas_json *array, const char *member, int64_t id,
                             const char *what, const nilas_json **out, nilas_error *err) {
    for (size_t i = 0; i < array->count; i++) {
        int64_t found = 0;
        NILAS_TRY(nilas_json_get_int(&array->items[i], member, &found, err));
        if (found == id) {
            *out = &array->items[i];
            return NILAS_OK;
        }
    }
    return nilas_fail(err, NILAS_CORRUPT, "%s %lld is named but not there", what, (long long)id);
}

/** Spark's representation, else the first one in SQL. */
static nilas_code choose_representation(const nilas_json *version, nilas_view *view,
                                        nilas_error *err) {
    const nilas_json *list;
    bool chosen = false;

    NILAS_TRY(nilas_json_get_array(version, "representations", &list, err));
    for (size_t i = 0; i < list->count; i++) {
        nilas_str type = NILAS_STR_EMPTY, sql = NILAS_STR_EMPTY, dialect = NILAS_STR_EMPTY;
        NILAS_TRY(nilas_json_find_str(&list->items[i], "type", &type, err));
        if (!nilas_str_is_nocase(type, "sql")) {
            continue;
        }
        NILAS_TRY(nilas_json_get_str(&list->items[i], "sql", &sql, err));
        NILAS_TRY(nilas_json_get_str(&list->items[i], "dialect", &dialect, err));
        bool spark = nilas_str_is_nocase(dialect, "spark");
        if (!chosen || (spark && !nilas_str_is_nocase(view->dialect, "spark"))) {
            view->sql = sql;
            view->dialect = dialect;
            chosen = true;
        }
    }
    NILAS_REQUIRE(chosen, err, NILAS_UNSUPPORTED, "the view has no representation in SQL");
    return NILAS_OK;
}

static nilas_code parse_namespace(nilas_arena *arena, const nilas_json *version, nilas_view *view,
                                  nilas_error *err) {
    const nilas_json *list = nilas_json_find(version, "default-namespace");

    if (list == NULL || list->kind != NILAS_JSON_ARRAY) {
        return NILAS_OK;
    }
    NILAS_NEW_ARRAY(arena, &view->default_namespace, list->count, err);
    for (size_t i = 0; i < list->count; i++) {
        NILAS_REQUIRE(list->items[i].kind == NILAS_JSON_STRING, err, NILAS_CORRUPT,
                      "\"default-namespace\" holds something that is not text");
        view->default_namespace[i] = list->items[i].text;
    }
    view->default_namespace_count = list->count;
    return NILAS_OK;
}

static nilas_code parse_properties(nilas_arena *arena, const nilas_json *root, nilas_view *view,
                                   nilas_error *err) {
    const nilas_json *object = nilas_json_find(root, "properties");

    if (object == NULL || object->kind != NILAS_JSON_OBJECT) {
        return NILAS_OK;
    }
    NILAS_NEW_ARRAY(arena, &view->properties, object->count, err);
    for (size_t i = 0; i < object->count; i++) {
        NILAS_REQUIRE(object->items[i].kind == NILAS_JSON_STRING, err, NILAS_CORRUPT,
                      "property \"%.*s\" is not text", NILAS_FMT(object->names[i]));
        view->properties[i] =
            (nilas_property){.key = object->names[i], .value = object->items[i].text};
    }
    view->property_count = object->count;
    return NILAS_OK;
}

static nilas_code parse_view(nilas_arena *arena, const nilas_json *root, nilas_view *view,
                             nilas_error *err) {
    int64_t format_version = 1, version_id = 0, schema_id = 0;
    const nilas_json *versions, *version, *schemas, *schema_json;
    nilas_schema *schema;

    NILAS_TRY(nilas_json_find_int(root, "format-version", &format_version, err));
    NILAS_REQUIRE(format_version == 1, err, NILAS_UNSUPPORTED,
                  "view format version %lld is not supported, only 1", (long long)format_version);
    view->uuid = view->default_catalog = NILAS_STR_EMPTY;
    NILAS_TRY(nilas_json_find_str(root, "view-uuid", &view->uuid, err));
    NILAS_TRY(nilas_json_get_str(root, "location", &view->location, err));
    NILAS_TRY(nilas_json_get_int(root, "current-version-id", &version_id, err));
    NILAS_TRY(nilas_json_get_array(root, "versions", &versions, err));
    NILAS_TRY(find_by_id(versions, "version-id", version_id, "view version", &version, err));

    NILAS_TRY(choose_representation(version, view, err));
    NILAS_TRY(nilas_json_find_str(version, "default-catalog", &view->default_catalog, err));
    NILAS_TRY(parse_namespace(arena, version, view, err));
    NILAS_TRY(parse_properties(arena, root, view, err));

    NILAS_TRY(nilas_json_get_int(version, "schema-id", &schema_id, err));
    NILAS_TRY(nilas_json_get_array(root, "schemas", &schemas, err));
    NILAS_TRY(find_by_id(schemas, "schema-id", schema_id, "schema", &schema_json, err));
    NILAS_TRY(nilas_schema_parse(arena, schema_json, &schema, err));
    view->schema = schema;
    return NILAS_OK;
}

nilas_code nilas_catalog__load_view_file(nilas_io *io, nilas_arena *arena, nilas_str location,
                                         nilas_view **out, nilas_error *err) {
    nilas_str text, what;
    nilas_json root;
    nilas_view *view;

    NILAS_TRY(nilas_io_read(io, arena, location, (size_t)NILAS_LIMIT_METADATA_BYTES, &text, err));
    if (nilas_str_starts(text, GZIP_MAGIC)) {
        NILAS_TRY(nilas_decompress(arena, NILAS_COMPRESSION_GZIP, text,
                                   (size_t)NILAS_LIMIT_METADATA_BYTES, &text, err));
    }
    NILAS_TRY(nilas_str_print(arena, &what, err, "view metadata \"%.*s\"", NILAS_FMT(location)));
    NILAS_TRY(nilas_json_parse(arena, text, what.data, &root, err));
    NILAS_NEW(arena, &view, err);

    nilas_code code = parse_view(arena, &root, view, err);
    if (code != NILAS_OK) {
        nilas_error_append(err, "in view metadata \"%.*s\"", NILAS_FMT(location));
        return code;
    }
    *out = view;
    return NILAS_OK;
}
