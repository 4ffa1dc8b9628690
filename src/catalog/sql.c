/*
 * The SQL catalog on SQLite: the tables of Iceberg's JdbcCatalog, which PyIceberg's SqlCatalog
 * shares.
 *
 *     iceberg_tables(catalog_name, table_namespace, table_name, metadata_location,
 *                    previous_metadata_location [, iceberg_type])
 *     iceberg_namespace_properties(catalog_name, namespace, property_key, property_value)
 *
 * The column iceberg_type ('TABLE', 'VIEW', NULL) makes it schema version V1, which has views.
 * Nested namespaces are joined by dots. Reading creates nothing: an absent file or absent tables
 * are an empty catalog. The database is asked anew each time, because other programs write to it.
 */
#include "catalog/ops.h"

#include "catalog/sql.h"

#define EMBEDDED_WAREHOUSE "nilas-warehouse"
#define EMBEDDED_DATABASE  EMBEDDED_WAREHOUSE "/catalog.db"
#define EXISTS_KEY         NILAS_CATALOG__SQL_EXISTS_KEY

typedef nilas_catalog__sql_state sql_state;

// ---- opening ------------------------------------------------------------------------------------

/** The database file of "jdbc:sqlite:FILE", "jdbc:sqlite:file:FILE?…" or SQLAlchemy's
 * "sqlite:///FILE". */
static bool parse_uri(nilas_str uri, nilas_str *out_path) {
    static const char *const prefixes[] = {"jdbc:sqlite:", "sqlite:///", "sqlite+pysqlite:///"};

    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        nilas_str prefix = nilas_str_of(prefixes[i]);
        if (!nilas_str_starts(uri, prefix)) {
            continue;
        }
        nilas_str path = nilas_str_slice(uri, prefix.size, uri.size);
        if (nilas_str_starts(path, NILAS_STR("file:"))) {
            path = nilas_str_slice(path, 5, path.size);
        }
        while (nilas_str_starts(path, NILAS_STR("//"))) {
            path = nilas_str_slice(path, 1, path.size);
        }
        size_t end = nilas_str_find(path, NILAS_STR("?"), 0);
        *out_path = nilas_str_slice(path, 0, end);
        return path.size > 0;
    }
    return false;
}

static nilas_code open_sql(nilas_catalog *catalog, nilas_error *err) {
    sql_state *state;
    nilas_str uri = nilas_catalog__property(catalog, "uri");
    nilas_str path;

    NILAS_NEW(catalog->arena, &state, err);
    catalog->state = state;
    if (catalog->embedded) {
        state->path = EMBEDDED_DATABASE;
        if (catalog->warehouse.size == 0) {
            catalog->warehouse = NILAS_STR(EMBEDDED_WAREHOUSE);
        }
        return NILAS_OK;
    }

    NILAS_REQUIRE(uri.size > 0, err, NILAS_INVALID,
                  "JDBC connection URI is required: catalog \"%.*s\" needs the setting "
                  "spark.sql.catalog.%.*s.uri, "
                  "such as \"jdbc:sqlite:/path/catalog.db\"",
                  NILAS_FMT(catalog->name), NILAS_FMT(catalog->name));
    if (!parse_uri(uri, &path)) {
        // The rest of the address may hold a password: only its scheme is shown.
        size_t end = nilas_str_find(uri, NILAS_STR("/"), 0);
        return nilas_fail(err, NILAS_UNSUPPORTED,
                          "catalog \"%.*s\": setting spark.sql.catalog.%.*s.uri = \"%.*s…\": "
                          "only "
                          "SQLite databases "
                          "(jdbc:sqlite:FILE) are supported yet",
                          NILAS_FMT(catalog->name), NILAS_FMT(catalog->name),
                          NILAS_FMT(nilas_str_slice(uri, 0, end < 32 ? end : 32)));
    }
    NILAS_TRY(nilas_str_copy(catalog->arena, path, &path, err));
    state->path = path.data;
    return NILAS_OK;
}

static void close_sql(nilas_catalog *catalog) {
    sql_state *state = catalog->state;

    if (state != NULL) {
        nilas_catalog__sqlite_close(state->database);
    }
}

// ---- queries ------------------------------------------------------------------------------------

static nilas_code note_part(void *context, const nilas_str *columns, size_t column_count,
                            nilas_error *err) {
    sql_state *state = context;

    (void)column_count, (void)err;
    if (nilas_str_is_nocase(columns[0], "tables")) {
        state->has_tables = true;
    } else if (nilas_str_is_nocase(columns[0], "types")) {
        state->has_types = true;
    } else {
        state->has_namespaces = true;
    }
    return NILAS_OK;
}

/** Open the database if it is there, and see which tables it has. None: an empty catalog. */
nilas_code nilas_catalog__sql_look(nilas_catalog *catalog, nilas_error *err) {
    static const char sql[] =
        "SELECT 'tables' FROM sqlite_master WHERE lower(name) = 'iceberg_tables' UNION ALL "
        "SELECT 'namespaces' FROM sqlite_master WHERE lower(name) = 'iceberg_namespace_properties' "
        "UNION ALL "
        "SELECT 'types' FROM pragma_table_info('iceberg_tables') WHERE lower(name) = "
        "'iceberg_type'";
    sql_state *state = catalog->state;
    bool there = true;

    state->has_tables = state->has_types = state->has_namespaces = false;
    if (state->database == NULL) {
        NILAS_TRY(nilas_io_exists(catalog->io, nilas_str_of(state->path), &there, err));
        if (!there) {
            return NILAS_OK;
        }
        NILAS_TRY(nilas_catalog__sqlite_open(state->path, false, &state->database, err));
    }
    return nilas_catalog__sqlite_query(
        state->database,
        &(nilas_catalog__sqlite_call){.sql = sql, .row = note_part, .context = state}, err);
}

typedef struct texts { // parameters after the catalog's name; data NULL: absent
    nilas_str second, third;
} texts;

/** Run a query whose ?1 is the catalog's name. */
static nilas_code ask(nilas_catalog *catalog, const char *sql, texts with,
                      nilas_catalog__sqlite_row *row, void *context, nilas_error *err) {
    sql_state *state = catalog->state;
    nilas_str parameters[] = {catalog->name, with.second, with.third};
    nilas_catalog__sqlite_call call = {
        .sql = sql,
        .parameters = parameters,
        .parameter_count = with.third.data != NULL    ? 3
                           : with.second.data != NULL ? 2
                                                      : 1,
        .row = row,
        .context = context,
    };

    nilas_code code = nilas_catalog__sqlite_query(state->database, &call, err);
    if (code != NILAS_OK) {
        nilas_error_append(err, "(catalog \"%.*s\")", NILAS_FMT(catalog->name));
    }
    return code;
}

typedef struct found_object {
    nilas_arena *arena;
    nilas_str metadata_location; // data NULL when the row has none
    bool found;
} found_object;

static nilas_code note_object(void *context, const nilas_str *columns, size_t column_count,
                              nilas_error *err) {
    found_object *object = context;

    nilas_assert(column_count == 1);
    object->found = true;
    object->metadata_location = columns[0];
    if (columns[0].data == NULL) {
        return NILAS_OK;
    }
    return nilas_str_copy(object->arena, columns[0], &object->metadata_location, err);
}

#define OBJECT   "FROM iceberg_tables WHERE catalog_name = ?1 AND table_namespace = ?2"
#define IS_TABLE " AND (iceberg_type IS NULL OR upper(iceberg_type) = 'TABLE')"
#define IS_VIEW  " AND upper(iceberg_type) = 'VIEW'"

static nilas_code find_object(nilas_catalog *catalog, nilas_arena *arena,
                              const nilas_identifier *identifier, bool view,
                              nilas_str *out_metadata_location, nilas_error *err) {
    const sql_state *state = catalog->state;
    found_object object = {.arena = arena};
    const char *what = view ? "view" : "table";
    nilas_str namespace, dotted;

    NILAS_TRY(nilas_catalog__dotted(arena, identifier->parts, identifier->count, &dotted, err));
    NILAS_TRY(
        nilas_catalog__dotted(arena, identifier->parts, identifier->count - 1, &namespace, err));
    NILAS_TRY(nilas_catalog__sql_look(catalog, err));
    if (state->has_tables && (state->has_types || !view)) {
        const char *sql = view ? "SELECT metadata_location " OBJECT " AND table_name = ?3" IS_VIEW
                          : state->has_types
                              ? "SELECT metadata_location " OBJECT " AND table_name = ?3" IS_TABLE
                              : "SELECT metadata_location " OBJECT " AND table_name = ?3";
        NILAS_TRY(
            ask(catalog, sql,
                (texts){.second = namespace, .third = identifier->parts[identifier->count - 1]},
                note_object, &object, err));
    }
    NILAS_REQUIRE(object.found, err, NILAS_NOT_FOUND, "catalog \"%.*s\" has no %s \"%.*s\"",
                  NILAS_FMT(catalog->name), what, NILAS_FMT(dotted));
    NILAS_REQUIRE(object.metadata_location.data != NULL, err, NILAS_CORRUPT,
                  "catalog \"%.*s\": %s \"%.*s\" has no metadata_location in \"%s\"",
                  NILAS_FMT(catalog->name), what, NILAS_FMT(dotted), state->path);
    *out_metadata_location = object.metadata_location;
    return NILAS_OK;
}

static nilas_code locate(nilas_catalog *catalog, nilas_arena *arena, const nilas_identifier *name,
                         nilas_str *out, nilas_error *err) {
    return find_object(catalog, arena, name, false, out, err);
}

static nilas_code load_metadata(nilas_catalog *catalog, nilas_arena *table_arena,
                                const nilas_str *identifier, size_t count, nilas_metadata **out,
                                nilas_error *err) {
    nilas_identifier name = {.parts = (nilas_str *)identifier, .count = count};

    return nilas_catalog__load_newest(catalog, table_arena, &name, locate, out, err);
}

static nilas_code find_view(nilas_catalog *catalog, nilas_arena *arena, const nilas_str *identifier,
                            size_t count, nilas_str *out_metadata_location, nilas_error *err) {
    nilas_identifier name = {.parts = (nilas_str *)identifier, .count = count};

    return find_object(catalog, arena, &name, true, out_metadata_location, err);
}

// ---- namespaces ---------------------------------------------------------------------------------

static nilas_code note_any(void *context, const nilas_str *columns, size_t column_count,
                           nilas_error *err) {
    (void)columns, (void)column_count, (void)err;
    *(bool *)context = true;
    return NILAS_OK;
}

/** A namespace exists when it has a table, a property, or a namespace below it that has. */
static nilas_code namespace_exists(nilas_catalog *catalog, const nilas_str *parts, size_t count,
                                   bool *out, nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    const sql_state *state = catalog->state;
    nilas_str namespace;
    bool found = false;

    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(nilas_catalog__dotted(scratch, parts, count, &namespace, err));
    NILAS_TRY(nilas_catalog__sql_look(catalog, err));
    if (state->has_tables) {
        NILAS_TRY(
            ask(catalog,
                "SELECT 1 FROM iceberg_tables WHERE catalog_name = ?1 AND (table_namespace = ?2 OR "
                "substr(table_namespace, 1, length(?2) + 1) = ?2 || '.') LIMIT 1",
                (texts){.second = namespace}, note_any, &found, err));
    }
    if (state->has_namespaces && !found) {
        NILAS_TRY(ask(catalog,
                      "SELECT 1 FROM iceberg_namespace_properties WHERE catalog_name = ?1 AND "
                      "(namespace = ?2 OR "
                      "substr(namespace, 1, length(?2) + 1) = ?2 || '.') LIMIT 1",
                      (texts){.second = namespace}, note_any, &found, err));
    }
    *out = found;
    return NILAS_OK;
}

typedef struct child_list {
    nilas_arena *arena;
    const nilas_identifier *parent;
    nilas_str prefix; // "a.b." of the parent, empty for the root
    nilas_map seen;
    nilas_catalog__names *names;
} child_list;

static nilas_code note_namespace(void *context, const nilas_str *columns, size_t column_count,
                                 nilas_error *err) {
    child_list *list = context;

    nilas_assert(column_count == 1);
    if (columns[0].size <= list->prefix.size || !nilas_str_starts(columns[0], list->prefix)) {
        return NILAS_OK;
    }
    nilas_str rest = nilas_str_slice(columns[0], list->prefix.size, columns[0].size);
    size_t dot = nilas_str_find(rest, NILAS_STR("."), 0);
    nilas_str child = nilas_str_slice(rest, 0, dot);
    if (child.size == 0 || nilas_map_find(&list->seen, child) != NULL) {
        return NILAS_OK;
    }
    NILAS_TRY(nilas_catalog__push_name(list->arena, list->names, list->parent->parts,
                                       list->parent->count, child, err));
    const nilas_identifier *pushed = &list->names->items[list->names->count - 1];
    return nilas_map_put(&list->seen, pushed->parts[pushed->count - 1], list, err);
}

static nilas_code list_namespaces(nilas_catalog *catalog, nilas_arena *arena,
                                  const nilas_str *parts, size_t count, nilas_catalog__names *out,
                                  nilas_error *err) {
    const sql_state *state = catalog->state;
    nilas_identifier parent = {.parts = (nilas_str *)parts, .count = count};
    child_list list = {.arena = arena, .parent = &parent, .prefix = NILAS_STR_EMPTY, .names = out};

    nilas_map_init(&list.seen, arena, false);
    if (count > 0) {
        nilas_str dotted;
        NILAS_TRY(nilas_catalog__dotted(arena, parts, count, &dotted, err));
        NILAS_TRY(nilas_str_print(arena, &list.prefix, err, "%.*s.", NILAS_FMT(dotted)));
    }
    NILAS_TRY(nilas_catalog__sql_look(catalog, err));
    if (state->has_tables) {
        NILAS_TRY(ask(catalog,
                      "SELECT DISTINCT table_namespace FROM iceberg_tables WHERE catalog_name = ?1",
                      (texts){0}, note_namespace, &list, err));
    }
    if (state->has_namespaces) {
        NILAS_TRY(ask(
            catalog,
            "SELECT DISTINCT namespace FROM iceberg_namespace_properties WHERE catalog_name = ?1",
            (texts){0}, note_namespace, &list, err));
    }
    return NILAS_OK;
}

// ---- tables, views, properties ------------------------------------------------------------------

static nilas_code note_name(void *context, const nilas_str *columns, size_t column_count,
                            nilas_error *err) {
    child_list *list = context;

    nilas_assert(column_count == 1);
    return nilas_catalog__push_name(list->arena, list->names, list->parent->parts,
                                    list->parent->count, columns[0], err);
}

static nilas_code list_objects(nilas_catalog *catalog, nilas_arena *arena,
                               const nilas_identifier *of, bool views, nilas_catalog__names *out,
                               nilas_error *err) {
    const sql_state *state = catalog->state;
    child_list list = {.arena = arena, .parent = of, .names = out};
    nilas_str namespace;

    NILAS_TRY(nilas_catalog__dotted(arena, of->parts, of->count, &namespace, err));
    NILAS_TRY(nilas_catalog__sql_look(catalog, err));
    if (!state->has_tables || (views && !state->has_types)) {
        return NILAS_OK;
    }
    const char *sql = views              ? "SELECT table_name " OBJECT IS_VIEW
                      : state->has_types ? "SELECT table_name " OBJECT IS_TABLE
                                         : "SELECT table_name " OBJECT;
    return ask(catalog, sql, (texts){.second = namespace}, note_name, &list, err);
}

static nilas_code list_tables(nilas_catalog *catalog, nilas_arena *arena, const nilas_str *parts,
                              size_t count, nilas_catalog__names *out, nilas_error *err) {
    nilas_identifier of = {.parts = (nilas_str *)parts, .count = count};

    return list_objects(catalog, arena, &of, false, out, err);
}

static nilas_code list_views(nilas_catalog *catalog, nilas_arena *arena, const nilas_str *parts,
                             size_t count, nilas_catalog__names *out, nilas_error *err) {
    nilas_identifier of = {.parts = (nilas_str *)parts, .count = count};

    return list_objects(catalog, arena, &of, true, out, err);
}

typedef struct property_list {
    nilas_arena *arena;
    NILAS_ARRAY_OF(nilas_property) list;
    bool has_location;
} property_list;

static nilas_code note_property(void *context, const nilas_str *columns, size_t column_count,
                                nilas_error *err) {
    property_list *properties = context;
    nilas_property property;

    nilas_assert(column_count == 2);
    if (nilas_str_is(columns[0], EXISTS_KEY)) {
        return NILAS_OK;
    }
    properties->has_location = properties->has_location || nilas_str_is(columns[0], "location");
    NILAS_TRY(nilas_str_copy(properties->arena, columns[0], &property.key, err));
    NILAS_TRY(nilas_str_copy(properties->arena, columns[1], &property.value, err));
    NILAS_PUSH(properties->arena, &properties->list, property, err);
    return NILAS_OK;
}

/** The stored properties, and the location that tables of the namespace get when none is stored. */
static nilas_code namespace_properties(nilas_catalog *catalog, nilas_arena *arena,
                                       const nilas_str *parts, size_t count, nilas_property **out,
                                       size_t *out_count, nilas_error *err) {
    const sql_state *state = catalog->state;
    property_list properties = {.arena = arena};
    nilas_str namespace;

    NILAS_TRY(nilas_catalog__dotted(arena, parts, count, &namespace, err));
    NILAS_TRY(nilas_catalog__sql_look(catalog, err));
    if (state->has_namespaces) {
        NILAS_TRY(ask(catalog,
                      "SELECT property_key, property_value FROM iceberg_namespace_properties "
                      "WHERE catalog_name = ?1 AND namespace = ?2 ORDER BY property_key",
                      (texts){.second = namespace}, note_property, &properties, err));
    }
    if (!properties.has_location && catalog->warehouse.size > 0) {
        nilas_property location = {.key = NILAS_STR("location"), .value = catalog->warehouse};
        for (size_t i = 0; i < count; i++) {
            NILAS_TRY(nilas_io_join(arena, location.value, parts[i], &location.value, err));
        }
        NILAS_PUSH(arena, &properties.list, location, err);
    }
    *out = properties.list.items;
    *out_count = properties.list.count;
    return NILAS_OK;
}

const nilas_catalog_ops nilas_catalog__sql = {
    .open = open_sql,
    .close = close_sql,
    .load_metadata = load_metadata,
    .namespace_exists = namespace_exists,
    .list_namespaces = list_namespaces,
    .list_tables = list_tables,
    .list_views = list_views,
    .namespace_properties = namespace_properties,
    .find_view = find_view,
    .create_namespace = nilas_catalog__sql_create_namespace,
    .drop_namespace = nilas_catalog__sql_drop_namespace,
    .alter_namespace = nilas_catalog__sql_alter_namespace,
    .default_location = nilas_catalog__sql_default_location,
    .swap = nilas_catalog__sql_swap,
    .drop_table = nilas_catalog__sql_drop_table,
    .rename_table = nilas_catalog__sql_rename_table,
    .register_table = nilas_catalog__sql_register_table,
    .swap_view = nilas_catalog__sql_swap_view,
    .drop_view = nilas_catalog__sql_drop_view,
    .rename_view = nilas_catalog__sql_rename_view,
};
