/*
 * Writing views: their metadata JSON (view specification, version 1) is made from the old one, so
 * that versions, schemas and what we do not model survive; then the catalog's pointer is swapped.
 */
#include "catalog/ops.h"

#define DEFAULT_HISTORY_ENTRIES 10

typedef struct view_change {
    nilas_catalog *catalog;
    nilas_arena *arena;
    nilas_identifier name;
    nilas_str base_location;    // empty: the view is new
    const nilas_json *base;     // its metadata; NULL when new
    nilas_property *properties; // of the result
    size_t property_count;
} view_change;

// ---- the old metadata ---------------------------------------------------------------------------

static bool is_gzip(nilas_str bytes) {
    return nilas_str_starts(bytes, NILAS_STR("\x1f\x8b"));
}

/** NILAS_NOT_FOUND when there is no such view. */
static nilas_code load_base(view_change *change, nilas_error *err) {
    nilas_catalog *catalog = change->catalog;
    nilas_json *json;
    nilas_str text;

    NILAS_TRY(catalog->ops->find_view(catalog, change->arena, change->name.parts,
                                      change->name.count, &change->base_location, err));
    NILAS_TRY(nilas_io_read(catalog->io, change->arena, change->base_location,
                            (size_t)NILAS_LIMIT_METADATA_BYTES, &text, err));
    if (is_gzip(text)) {
        NILAS_TRY(nilas_decompress(change->arena, NILAS_COMPRESSION_GZIP, text,
                                   (size_t)NILAS_LIMIT_METADATA_BYTES, &text, err));
    }
    NILAS_NEW(change->arena, &json, err);
    NILAS_TRY(nilas_json_parse(change->arena, text, "view metadata", json, err));
    change->base = json;
    return NILAS_OK;
}

/** Lay changes over the view's properties: value data NULL removes. */
static nilas_code overlay(view_change *change, const nilas_property *changes, size_t count,
                          nilas_error *err) {
    const nilas_json *old =
        change->base != NULL ? nilas_json_find(change->base, "properties") : NULL;
    size_t old_count = old != NULL && old->kind == NILAS_JSON_OBJECT ? old->count : 0;
    nilas_property *list;
    size_t made = 0;

    NILAS_NEW_ARRAY(change->arena, &list, old_count + count, err);
    for (size_t i = 0; i < old_count; i++) {
        bool changed = false;
        for (size_t j = 0; j < count; j++) {
            changed = changed || nilas_str_equal(changes[j].key, old->names[i]);
        }
        if (!changed) {
            list[made++] = (nilas_property){.key = old->names[i], .value = old->items[i].text};
        }
    }
    for (size_t j = 0; j < count; j++) {
        if (changes[j].value.data != NULL) {
            list[made++] = changes[j];
        }
    }
    change->properties = list;
    change->property_count = made;
    return NILAS_OK;
}

static nilas_str property_of(const view_change *change, const char *key) {
    for (size_t i = 0; i < change->property_count; i++) {
        if (nilas_str_is(change->properties[i].key, key)) {
            return change->properties[i].value;
        }
    }
    return NILAS_STR_EMPTY;
}

// ---- printing -----------------------------------------------------------------------------------

static void print_properties(nilas_buf *out, const view_change *change) {
    nilas_buf_add_text(out, ",\"properties\":{");
    for (size_t i = 0; i < change->property_count; i++) {
        nilas_buf_add_text(out, i > 0 ? "," : "");
        nilas_json_print_string(out, change->properties[i].key);
        nilas_buf_add_text(out, ":");
        nilas_json_print_string(out, change->properties[i].value);
    }
    nilas_buf_add_text(out, "}");
}

/** Items of an array of the old metadata from `first` on, each followed by a comma. */
static void print_kept(nilas_buf *out, const nilas_json *array, size_t first) {
    for (size_t i = first; array != NULL && i < array->count; i++) {
        nilas_json_print(out, &array->items[i], 0);
        nilas_buf_add_text(out, ",");
    }
}

static void print_version(nilas_buf *out, const nilas_view_definition *view, int64_t version,
                          int64_t timestamp_ms, int32_t schema_id) {
    nilas_buf_print(out,
                    "{\"version-id\":%lld,\"timestamp-ms\":%lld,\"schema-id\":%d,\"summary\":{"
                    "\"engine-name\":\"spark\",\"engine-version\":\"nilas " NILAS_VERSION "\"}",
                    (long long)version, (long long)timestamp_ms, schema_id);
    if (view->default_catalog.size > 0) {
        nilas_buf_add_text(out, ",\"default-catalog\":");
        nilas_json_print_string(out, view->default_catalog);
    }
    nilas_buf_add_text(out, ",\"default-namespace\":[");
    for (size_t i = 0; i < view->default_namespace_count; i++) {
        nilas_buf_add_text(out, i > 0 ? "," : "");
        nilas_json_print_string(out, view->default_namespace[i]);
    }
    nilas_buf_add_text(out, "],\"representations\":[{\"type\":\"sql\",\"sql\":");
    nilas_json_print_string(out, view->sql);
    nilas_buf_add_text(out, ",\"dialect\":");
    nilas_json_print_string(out, view->dialect.size > 0 ? view->dialect : NILAS_STR("spark"));
    nilas_buf_add_text(out, "}]}");
}

static int64_t highest(const nilas_json *array, const char *member, int64_t none) {
    int64_t found = none;

    for (size_t i = 0; array != NULL && i < array->count; i++) {
        int64_t value = none;
        if (nilas_json_find_int(&array->items[i], member, &value, NULL) == NILAS_OK &&
            value > found) {
            found = value;
        }
    }
    return found;
}

static const nilas_json *array_of(const nilas_json *base, const char *name) {
    const nilas_json *array = base != NULL ? nilas_json_find(base, name) : NULL;

    return array != NULL && array->kind == NILAS_JSON_ARRAY ? array : NULL;
}

/** The id of an equal schema of the old metadata, else the next one. */
static nilas_code choose_schema(const view_change *change, const nilas_schema *schema,
                                int32_t *out_id, bool *out_new, nilas_error *err) {
    const nilas_json *schemas = array_of(change->base, "schemas");

    for (size_t i = 0; schemas != NULL && i < schemas->count; i++) {
        nilas_schema *old;
        NILAS_TRY(nilas_schema_parse(change->arena, &schemas->items[i], &old, err));
        if (nilas_ice_type_equal(&old->type, &schema->type)) {
            *out_id = old->schema_id;
            *out_new = false;
            return NILAS_OK;
        }
    }
    *out_id = (int32_t)highest(schemas, "schema-id", -1) + 1;
    *out_new = true;
    return NILAS_OK;
}

/** How many of the old versions fall out of the history. */
static size_t forgotten(const view_change *change, const nilas_json *versions) {
    int64_t keep = DEFAULT_HISTORY_ENTRIES;
    size_t total = (versions != NULL ? versions->count : 0) + 1;

    if (!nilas_str_to_int64(property_of(change, "version.history.num-entries"), &keep) ||
        keep < 1) {
        keep = DEFAULT_HISTORY_ENTRIES;
    }
    return total > (size_t)keep ? total - (size_t)keep : 0;
}

static nilas_code print_new_version(nilas_buf *out, const view_change *change,
                                    const nilas_view_definition *view, nilas_error *err) {
    const nilas_json *versions = array_of(change->base, "versions");
    int64_t version = highest(versions, "version-id", 0) + 1;
    int64_t now = nilas_now_ms();
    size_t first = forgotten(change, versions);
    nilas_schema schema = *view->schema;
    bool is_new;

    NILAS_TRY(choose_schema(change, view->schema, &schema.schema_id, &is_new, err));
    nilas_buf_add_text(out, ",\"schemas\":[");
    print_kept(out, array_of(change->base, "schemas"), 0);
    if (is_new) {
        nilas_schema_print(out, &schema);
    } else {
        nilas_buf_truncate(out, out->size - 1);
    }
    nilas_buf_print(out, "],\"current-version-id\":%lld,\"versions\":[", (long long)version);
    print_kept(out, versions, first);
    print_version(out, view, version, now, schema.schema_id);
    nilas_buf_add_text(out, "],\"version-log\":[");
    print_kept(out, array_of(change->base, "version-log"), first);
    nilas_buf_print(out, "{\"timestamp-ms\":%lld,\"version-id\":%lld}]", (long long)now,
                    (long long)version);
    return NILAS_OK;
}

/** All members of the old metadata but its properties. */
static void print_same_versions(nilas_buf *out, const nilas_json *base) {
    for (size_t i = 0; i < base->count; i++) {
        if (nilas_str_is(base->names[i], "properties") ||
            nilas_str_is(base->names[i], "view-uuid") ||
            nilas_str_is(base->names[i], "format-version") ||
            nilas_str_is(base->names[i], "location")) {
            continue;
        }
        nilas_buf_add_text(out, ",");
        nilas_json_print_string(out, base->names[i]);
        nilas_buf_add_text(out, ":");
        nilas_json_print(out, &base->items[i], 0);
    }
}

static nilas_code print_head(nilas_buf *out, const view_change *change, nilas_str *out_location,
                             nilas_error *err) {
    nilas_str uuid = NILAS_STR_EMPTY;
    nilas_str location = property_of(change, "location");

    if (change->base != NULL) {
        NILAS_TRY(nilas_json_get_str(change->base, "view-uuid", &uuid, err));
        NILAS_TRY(nilas_json_get_str(change->base, "location", &location, err));
    } else {
        NILAS_TRY(nilas_catalog_new_uuid(change->arena, &uuid, err));
        if (location.size == 0) {
            NILAS_TRY(nilas_catalog_default_location(change->catalog, change->arena,
                                                     change->name.parts, change->name.count,
                                                     &location, err));
        }
    }
    nilas_buf_add_text(out, "{\"view-uuid\":");
    nilas_json_print_string(out, uuid);
    nilas_buf_add_text(out, ",\"format-version\":1,\"location\":");
    nilas_json_print_string(out, location);
    *out_location = location;
    return NILAS_OK;
}

// ---- writing ------------------------------------------------------------------------------------

static nilas_code folder_of(const view_change *change, nilas_str location, nilas_str *out,
                            nilas_error *err) {
    nilas_str given = property_of(change, "write.metadata.path");
    nilas_str plain;

    NILAS_TRY(nilas_catalog__plain_location(change->arena, given.size > 0 ? given : location,
                                            &plain, err));
    if (given.size > 0) {
        *out = plain;
        return NILAS_OK;
    }
    return nilas_io_join(change->arena, plain, NILAS_STR("metadata"), out, err);
}

/** Write the file and move the catalog's pointer. `view` NULL: the versions stay. */
static nilas_code put(view_change *change, const nilas_view_definition *view, nilas_error *err) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT((size_t)NILAS_LIMIT_METADATA_BYTES);
    nilas_catalog *catalog = change->catalog;
    bool gzip =
        !nilas_str_is_nocase(property_of(change, "write.metadata.compression-codec"), "none");
    nilas_str location, folder, path, bytes;

    NILAS_TRY(print_head(&text, change, &location, err));
    print_properties(&text, change);
    if (view != NULL) {
        NILAS_TRY(print_new_version(&text, change, view, err));
    } else {
        print_same_versions(&text, change->base);
    }
    nilas_buf_add_text(&text, "}");
    NILAS_TRY(nilas_buf_finish(&text, change->arena, &bytes, err));
    if (gzip) {
        NILAS_TRY(nilas_compress(change->arena, NILAS_COMPRESSION_GZIP, -1, bytes, &bytes, err));
    }
    NILAS_TRY(folder_of(change, location, &folder, err));
    NILAS_TRY(nilas_catalog__metadata_path(change->arena, folder, change->base_location,
                                           gzip ? ".gz.metadata.json" : ".metadata.json", &path,
                                           err));
    NILAS_TRY(nilas_io_write(catalog->io, path, bytes, false, err));
    nilas_code code =
        catalog->ops->swap_view(catalog, &change->name, change->base_location, path, err);
    if (code == NILAS_CONFLICT || code == NILAS_EXISTS || code == NILAS_NOT_FOUND ||
        code == NILAS_UNSUPPORTED) {
        nilas_catalog__discard(catalog, path); // nothing happened
    }
    return code;
}

static nilas_code begin(view_change *change, nilas_catalog *catalog, const nilas_identifier *name,
                        nilas_arena *arena, nilas_error *err) {
    NILAS_REQUIRE(arena != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_REQUIRE(catalog->ops->swap_view != NULL && catalog->ops->find_view != NULL, err,
                  NILAS_UNSUPPORTED, "Creating a view is not supported by catalog: %.*s",
                  NILAS_FMT(catalog->name));
    *change = (view_change){
        .catalog = catalog, .arena = arena, .name = *name, .base_location = NILAS_STR_EMPTY};
    return NILAS_OK;
}

nilas_code nilas_catalog_put_view(nilas_catalog *catalog, const nilas_str *identifier, size_t count,
                                  const nilas_view_definition *view, bool replace,
                                  nilas_error *err) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_identifier name = {.parts = (nilas_str *)identifier, .count = count};
    view_change change;

    NILAS_TRY(begin(&change, catalog, &name, arena, err));
    nilas_code code = load_base(&change, err);
    if (code == NILAS_OK && !replace) {
        return nilas_catalog__fail_named(err, NILAS_EXISTS, "View already exists: ", &name);
    }
    if (code != NILAS_NOT_FOUND) {
        NILAS_TRY(code);
    }
    NILAS_TRY(overlay(&change, view->properties, view->property_count, err));
    code = put(&change, view, err);
    if (code == NILAS_EXISTS) {
        return nilas_catalog__fail_named(err, NILAS_EXISTS,
                                         "Table or view with same name already exists: ", &name);
    }
    return code;
}

nilas_code nilas_catalog_alter_view(nilas_catalog *catalog, const nilas_str *identifier,
                                    size_t count, const nilas_property *changes,
                                    size_t change_count, nilas_error *err) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_identifier name = {.parts = (nilas_str *)identifier, .count = count};
    view_change change;

    NILAS_TRY(begin(&change, catalog, &name, arena, err));
    NILAS_TRY(load_base(&change, err));
    NILAS_TRY(overlay(&change, changes, change_count, err));
    return put(&change, NULL, err);
}
