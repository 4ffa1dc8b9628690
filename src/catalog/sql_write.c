/*
 * Writing the SQL catalog: rows of iceberg_tables and iceberg_namespace_properties.
 *
 * The swap is one UPDATE that finds its row only while metadata_location is still the base's; its
 * count of changed rows is the answer. The database and its tables are created on the first write,
 * in the layout that JdbcCatalog calls V1.
 */
#include "catalog/sql.h"

#include <limits.h>
#include <unistd.h>

#define V1 "jdbc.schema-version"

// ---- statements ---------------------------------------------------------------------------------

typedef struct change {
    const char *sql; // ?1 is the catalog's name
    nilas_str parameters[6];
    size_t parameter_count; // without the catalog's name
} change;

/** Run a statement; the io's fault may speak before and after it, for tests. */
static nilas_code run(nilas_catalog *catalog, const change *what, int *out_changes,
                      nilas_error *err) {
    nilas_catalog__sql_state *state = catalog->state;
    nilas_str parameters[7] = {catalog->name};
    bool named = nilas_str_find(nilas_str_of(what->sql), NILAS_STR("?1"), 0) != SIZE_MAX;
    int changes = 0;

    nilas_assert(state->database != NULL && state->is_writable);
    nilas_assert(what->parameter_count < 7);
    for (size_t i = 0; i < what->parameter_count; i++) {
        parameters[i + 1] = what->parameters[i];
    }
    nilas_catalog__sqlite_call call = {.sql = what->sql,
                                       .parameters = parameters,
                                       .parameter_count = named ? what->parameter_count + 1 : 0};
    NILAS_TRY(nilas_io_ask_fault(catalog->io, "sql", nilas_str_of(what->sql), false, err));
    nilas_code code = nilas_catalog__sqlite_change(state->database, &call, &changes, err);
    if (code != NILAS_OK) {
        nilas_error_append(err, "(catalog \"%.*s\")", NILAS_FMT(catalog->name));
        return code;
    }
    if (out_changes != NULL) {
        *out_changes = changes;
    }
    return nilas_io_ask_fault(catalog->io, "sql", nilas_str_of(what->sql), true, err);
}

/** All statements or none. */
static nilas_code run_together(nilas_catalog *catalog, const change *list, size_t count,
                               nilas_error *err) {
    nilas_code code = run(catalog, &(change){.sql = "BEGIN IMMEDIATE"}, NULL, err);

    for (size_t i = 0; i < count && code == NILAS_OK; i++) {
        code = run(catalog, &list[i], NULL, err);
    }
    if (code == NILAS_OK) {
        code = run(catalog, &(change){.sql = "COMMIT"}, NULL, err);
    }
    if (code != NILAS_OK) {
        nilas_catalog__sql_state *state = catalog->state;
        int changes;
        // Fails harmlessly when there is no transaction any more.
        (void)nilas_catalog__sqlite_change(
            state->database, &(nilas_catalog__sqlite_call){.sql = "ROLLBACK"}, &changes, NULL);
    }
    return code;
}

static nilas_code open_for_writing(nilas_catalog *catalog, nilas_error *err) {
    nilas_catalog__sql_state *state = catalog->state;
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_str path = nilas_str_of(state->path);
    size_t end = path.size;

    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    if (state->is_writable) {
        return NILAS_OK;
    }
    while (end > 0 && path.data[end - 1] != '/') {
        end--;
    }
    if (end > 1) {
        NILAS_TRY(nilas_io_make_directory(catalog->io, nilas_str_slice(path, 0, end - 1), err));
    }
    nilas_catalog__sqlite *database;
    NILAS_TRY(nilas_catalog__sqlite_open(state->path, true, &database, err));
    nilas_catalog__sqlite_close(state->database);
    state->database = database;
    state->is_writable = true;
    return NILAS_OK;
}

/** The database with its tables, ready to be changed. */
static nilas_code prepare(nilas_catalog *catalog, nilas_error *err) {
    static const change create[] = {
        {.sql = "CREATE TABLE IF NOT EXISTS iceberg_tables("
                "catalog_name VARCHAR(255) NOT NULL,table_namespace VARCHAR(255) NOT NULL,"
                "table_name VARCHAR(255) NOT NULL,metadata_location VARCHAR(1000),"
                "previous_metadata_location VARCHAR(1000),iceberg_type VARCHAR(5),"
                "PRIMARY KEY (catalog_name, table_namespace, table_name))"},
        {.sql = "CREATE TABLE IF NOT EXISTS iceberg_namespace_properties("
                "catalog_name VARCHAR(255) NOT NULL,namespace VARCHAR(255) NOT NULL,"
                "property_key VARCHAR(255),property_value VARCHAR(1000),"
                "PRIMARY KEY (catalog_name, namespace, property_key))"},
    };
    const nilas_catalog__sql_state *state = catalog->state;

    NILAS_TRY(open_for_writing(catalog, err));
    NILAS_TRY(nilas_catalog__sql_look(catalog, err));
    if (!state->has_tables || !state->has_namespaces) {
        NILAS_TRY(run_together(catalog, create, 2, err));
        NILAS_TRY(nilas_catalog__sql_look(catalog, err));
    }
    if (!state->has_types && nilas_str_is_nocase(nilas_catalog__property(catalog, V1), "V1")) {
        NILAS_TRY(run(catalog,
                      &(change){.sql = "ALTER TABLE iceberg_tables ADD COLUMN iceberg_type "
                                       "VARCHAR(5)"},
                      NULL, err));
        NILAS_TRY(nilas_catalog__sql_look(catalog, err));
    }
    return NILAS_OK;
}

static nilas_code prepare_views(nilas_catalog *catalog, nilas_error *err) {
    const nilas_catalog__sql_state *state = catalog->state;

    NILAS_TRY(prepare(catalog, err));
    NILAS_REQUIRE(state->has_types, err, NILAS_UNSUPPORTED,
                  "JDBC catalog is initialized without view support. To auto-migrate the "
                  "database's schema and enable view support, set " V1 "=V1");
    return NILAS_OK;
}

static nilas_code namespace_of(nilas_arena *arena, const nilas_identifier *name, nilas_str *out,
                               nilas_error *err) {
    return nilas_catalog__dotted(arena, name->parts, name->count - 1, out, err);
}

static nilas_str last_of(const nilas_identifier *name) {
    return name->parts[name->count - 1];
}

static nilas_code note_any(void *context, const nilas_str *columns, size_t column_count,
                           nilas_error *err) {
    (void)columns, (void)column_count, (void)err;
    ++*(int64_t *)context;
    return NILAS_OK;
}

/** Number of rows of a query whose ?1 is the catalog's name and ?2 a text. */
static nilas_code count_rows(nilas_catalog *catalog, const char *sql, nilas_str second,
                             int64_t *out, nilas_error *err) {
    const nilas_catalog__sql_state *state = catalog->state;
    nilas_str parameters[] = {catalog->name, second};

    *out = 0;
    return nilas_catalog__sqlite_query(state->database,
                                       &(nilas_catalog__sqlite_call){.sql = sql,
                                                                     .parameters = parameters,
                                                                     .parameter_count = 2,
                                                                     .row = note_any,
                                                                     .context = out},
                                       err);
}

// ---- namespaces ---------------------------------------------------------------------------------

#define PUT_PROPERTY                                                                               \
    "INSERT OR REPLACE INTO iceberg_namespace_properties "                                         \
    "(catalog_name, namespace, property_key, property_value) VALUES (?1, ?2, ?3, ?4)"

nilas_code nilas_catalog__sql_create_namespace(nilas_catalog *catalog, const nilas_identifier *name,
                                               const nilas_property *properties, size_t count,
                                               nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    change *list;
    nilas_str namespace;
    bool exists;

    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(prepare(catalog, err));
    NILAS_TRY(catalog->ops->namespace_exists(catalog, name->parts, name->count, &exists, err));
    if (exists) {
        return nilas_catalog__fail_named(err, NILAS_EXISTS, "Namespace already exists: ", name);
    }
    NILAS_TRY(nilas_catalog__dotted(scratch, name->parts, name->count, &namespace, err));
    NILAS_NEW_ARRAY(scratch, &list, count + 1, err);
    list[0] = (change){
        .sql = "INSERT INTO iceberg_namespace_properties (catalog_name, namespace, "
               "property_key, property_value) VALUES (?1, ?2, ?3, ?4)",
        .parameters = {namespace, NILAS_STR(NILAS_CATALOG__SQL_EXISTS_KEY), NILAS_STR("true")},
        .parameter_count = 3};
    for (size_t i = 0; i < count; i++) {
        list[i + 1] = (change){.sql = PUT_PROPERTY,
                               .parameters = {namespace, properties[i].key, properties[i].value},
                               .parameter_count = 3};
    }
    nilas_code code = run_together(catalog, list, count + 1, err);
    return code == NILAS_EXISTS
               ? nilas_catalog__fail_named(err, NILAS_EXISTS, "Namespace already exists: ", name)
               : code;
}

nilas_code nilas_catalog__sql_drop_namespace(nilas_catalog *catalog, const nilas_identifier *name,
                                             nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_str namespace;
    int64_t tables, children;

    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(prepare(catalog, err));
    NILAS_TRY(nilas_catalog__dotted(scratch, name->parts, name->count, &namespace, err));
    NILAS_TRY(count_rows(
        catalog, "SELECT 1 FROM iceberg_tables WHERE catalog_name = ?1 AND table_namespace = ?2",
        namespace, &tables, err));
    NILAS_REQUIRE(tables == 0, err, NILAS_INVALID,
                  "Namespace %.*s is not empty. Contains %lld table(s).", NILAS_FMT(namespace),
                  (long long)tables);
    NILAS_TRY(count_rows(catalog,
                         "SELECT 1 FROM iceberg_tables WHERE catalog_name = ?1 AND "
                         "substr(table_namespace, 1, length(?2) + 1) = ?2 || '.' UNION ALL "
                         "SELECT 1 FROM iceberg_namespace_properties WHERE catalog_name = ?1 AND "
                         "substr(namespace, 1, length(?2) + 1) = ?2 || '.'",
                         namespace, &children, err));
    NILAS_REQUIRE(children == 0, err, NILAS_INVALID, "Namespace %.*s is not empty.",
                  NILAS_FMT(namespace));
    // Checked once more in the statement: a table may have come in between.
    return run(catalog,
               &(change){.sql = "DELETE FROM iceberg_namespace_properties WHERE catalog_name = ?1 "
                                "AND namespace = ?2 AND NOT EXISTS (SELECT 1 FROM iceberg_tables "
                                "WHERE catalog_name = ?1 AND table_namespace = ?2)",
                         .parameters = {namespace},
                         .parameter_count = 1},
               NULL, err);
}

nilas_code nilas_catalog__sql_alter_namespace(nilas_catalog *catalog, const nilas_identifier *name,
                                              const nilas_property *changes, size_t count,
                                              nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    change *list;
    nilas_str namespace;

    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(prepare(catalog, err));
    NILAS_TRY(nilas_catalog__dotted(scratch, name->parts, name->count, &namespace, err));
    NILAS_NEW_ARRAY(scratch, &list, count, err);
    for (size_t i = 0; i < count; i++) {
        bool removes = changes[i].value.data == NULL;
        list[i] = (change){
            .sql = removes ? "DELETE FROM iceberg_namespace_properties WHERE catalog_name = ?1 "
                             "AND namespace = ?2 AND property_key = ?3"
                           : PUT_PROPERTY,
            .parameters = {namespace, changes[i].key, changes[i].value},
            .parameter_count = removes ? 2 : 3,
        };
    }
    return run_together(catalog, list, count, err);
}

/** Tables keep their locations when the program runs elsewhere the next time. */
static nilas_code below_working_directory(nilas_arena *arena, nilas_str location, nilas_str *out,
                                          nilas_error *err) {
    char here[PATH_MAX];

    NILAS_REQUIRE(getcwd(here, sizeof(here)) != NULL, err, NILAS_IO,
                  "cannot tell the working directory");
    return nilas_io_join(arena, nilas_str_of(here), location, out, err);
}

/** Below the namespace's location, else below the warehouse. */
nilas_code nilas_catalog__sql_default_location(nilas_catalog *catalog, nilas_arena *arena,
                                               const nilas_identifier *name, nilas_str *out,
                                               nilas_error *err) {
    nilas_property *properties;
    size_t count;
    nilas_str location = NILAS_STR_EMPTY;

    if (name->count > 1) {
        NILAS_TRY(catalog->ops->namespace_properties(catalog, arena, name->parts, name->count - 1,
                                                     &properties, &count, err));
        for (size_t i = 0; i < count; i++) {
            if (nilas_str_is(properties[i].key, "location")) {
                location = properties[i].value;
            }
        }
    } else {
        location = catalog->warehouse;
    }
    if (catalog->embedded && location.size > 0 && location.data[0] != '/' &&
        nilas_io_scheme(location).size == 0) {
        NILAS_TRY(below_working_directory(arena, location, &location, err));
    }
    NILAS_REQUIRE(location.size > 0, err, NILAS_INVALID,
                  "Cannot initialize JDBCCatalog because warehousePath must not be null or empty: "
                  "catalog \"%.*s\" needs the setting spark.sql.catalog.%.*s.warehouse",
                  NILAS_FMT(catalog->name), NILAS_FMT(catalog->name));
    return nilas_io_join(arena, location, last_of(name), out, err);
}

// ---- tables -------------------------------------------------------------------------------------

/** Iceberg's JDBC catalog creates into any namespace unless it is strict; the embedded one is, so
 * that a slip of the pen is no new namespace. */
static bool is_strict(const nilas_catalog *catalog) {
    return catalog->embedded ||
           nilas_str_is_nocase(nilas_catalog__property(catalog, "jdbc.strict-mode"), "true");
}

static nilas_code require_namespace(nilas_catalog *catalog, const nilas_identifier *name,
                                    nilas_error *err) {
    nilas_identifier parent = {.parts = name->parts, .count = name->count - 1};
    bool exists;

    NILAS_TRY(nilas_catalog_namespace_exists(catalog, parent.parts, parent.count, &exists, err));
    return exists ? NILAS_OK
                  : nilas_catalog__fail_named(err, NILAS_NOT_FOUND,
                                              "Namespace does not exist: ", &parent);
}

/** Insert the row of a table or a view. */
static nilas_code insert(nilas_catalog *catalog, const nilas_identifier *name, const char *type,
                         nilas_str location, nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    const nilas_catalog__sql_state *state = catalog->state;
    nilas_str namespace;

    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(namespace_of(scratch, name, &namespace, err));
    change row = {
        .sql = state->has_types
                   ? "INSERT INTO iceberg_tables (catalog_name, table_namespace, table_name, "
                     "metadata_location, previous_metadata_location, iceberg_type) "
                     "VALUES (?1, ?2, ?3, ?4, NULL, ?5)"
                   : "INSERT INTO iceberg_tables (catalog_name, table_namespace, table_name, "
                     "metadata_location, previous_metadata_location) "
                     "VALUES (?1, ?2, ?3, ?4, NULL)",
        .parameters = {namespace, last_of(name), location, nilas_str_of(type)},
        .parameter_count = state->has_types ? 4 : 3,
    };
    nilas_code code = run(catalog, &row, NULL, err);
    return code == NILAS_EXISTS
               ? nilas_catalog__fail_named(err, NILAS_EXISTS, "Table already exists: ", name)
               : code;
}

#define WHERE_NAME " WHERE catalog_name = ?1 AND table_namespace = ?2 AND table_name = ?3"
#define IS_TABLE   " AND (iceberg_type = 'TABLE' OR iceberg_type IS NULL)"
#define IS_VIEW    " AND iceberg_type = 'VIEW'"

/** Point a row at a new file if it is still at the old one. */
static nilas_code update(nilas_catalog *catalog, const nilas_identifier *name, bool view,
                         nilas_str base_location, nilas_str location, nilas_error *err) {
    static const char sql[] =
        "UPDATE iceberg_tables SET metadata_location = ?4, "
        "previous_metadata_location = ?5" WHERE_NAME " AND metadata_location = ?5";
    static const char sql_table[] =
        "UPDATE iceberg_tables SET metadata_location = ?4, "
        "previous_metadata_location = ?5" WHERE_NAME " AND metadata_location = ?5" IS_TABLE;
    static const char sql_view[] =
        "UPDATE iceberg_tables SET metadata_location = ?4, "
        "previous_metadata_location = ?5" WHERE_NAME " AND metadata_location = ?5" IS_VIEW;
    const nilas_catalog__sql_state *state = catalog->state;
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_str namespace, found;
    int changes = 0;

    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(namespace_of(scratch, name, &namespace, err));
    change row = {
        .sql = view               ? sql_view
               : state->has_types ? sql_table
                                  : sql,
        .parameters = {namespace, last_of(name), location, base_location},
        .parameter_count = 4,
    };
    NILAS_TRY(run(catalog, &row, &changes, err));
    nilas_assert(changes == 0 || changes == 1);
    if (changes == 1) {
        return NILAS_OK;
    }
    if (view) {
        NILAS_TRY(catalog->ops->find_view(catalog, scratch, name->parts, name->count, &found, err));
    } else {
        nilas_metadata *ignored;
        NILAS_TRY(
            catalog->ops->load_metadata(catalog, scratch, name->parts, name->count, &ignored, err));
    }
    return nilas_catalog__fail_named(err, NILAS_CONFLICT,
                                     view ? "Cannot commit: another process changed the view "
                                          : "Cannot commit: another process changed the table ",
                                     name);
}

/** A failure that is neither certain success nor certain failure of the write before it. */
static nilas_code settle(const nilas_catalog *catalog, nilas_code code, nilas_str location,
                         nilas_error *err) {
    switch (code) {
    case NILAS_OK: return NILAS_OK;
    case NILAS_IO:
    case NILAS_CANCELLED:
        if (err != NULL) {
            err->code = NILAS_UNCERTAIN;
        }
        return NILAS_UNCERTAIN;
    case NILAS_UNCERTAIN: return NILAS_UNCERTAIN;
    default: nilas_catalog__discard(catalog, location); return code;
    }
}

nilas_code nilas_catalog__sql_swap(nilas_catalog *catalog, nilas_arena *arena,
                                   const nilas_identifier *name, const nilas_table *base,
                                   nilas_metadata *next, nilas_error *err) {
    nilas_str base_location = base != NULL ? base->metadata->metadata_location : NILAS_STR_EMPTY;
    nilas_str bytes, folder;
    const char *ending;

    NILAS_TRY(prepare(catalog, err));
    if (base == NULL && is_strict(catalog)) {
        NILAS_TRY(require_namespace(catalog, name, err));
    }
    NILAS_TRY(nilas_catalog__encode_metadata(arena, next, &bytes, &ending, err));
    NILAS_TRY(nilas_catalog__metadata_folder(arena, next, &folder, err));
    NILAS_TRY(nilas_catalog__metadata_path(arena, folder, base_location, ending,
                                           &next->metadata_location, err));
    nilas_code code = nilas_io_write(catalog->io, next->metadata_location, bytes, false, err);
    if (code != NILAS_OK) {
        nilas_catalog__discard(catalog, next->metadata_location);
        return code == NILAS_EXISTS ? NILAS_IO : code;
    }
    code = base == NULL ? insert(catalog, name, "TABLE", next->metadata_location, err)
                        : update(catalog, name, false, base_location, next->metadata_location, err);
    return settle(catalog, code, next->metadata_location, err);
}

nilas_code nilas_catalog__sql_register_table(nilas_catalog *catalog, const nilas_identifier *name,
                                             nilas_str metadata_location, nilas_error *err) {
    NILAS_TRY(prepare(catalog, err));
    NILAS_TRY(require_namespace(catalog, name, err));
    return insert(catalog, name, "TABLE", metadata_location, err);
}

static nilas_code drop(nilas_catalog *catalog, const nilas_identifier *name, bool view,
                       nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    const nilas_catalog__sql_state *state = catalog->state;
    nilas_str namespace;
    int changes = 0;

    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(nilas_catalog__sql_look(catalog, err));
    if (state->has_tables && (state->has_types || !view)) {
        NILAS_TRY(prepare(catalog, err));
        NILAS_TRY(namespace_of(scratch, name, &namespace, err));
        change row = {.sql = view               ? "DELETE FROM iceberg_tables" WHERE_NAME IS_VIEW
                             : state->has_types ? "DELETE FROM iceberg_tables" WHERE_NAME IS_TABLE
                                                : "DELETE FROM iceberg_tables" WHERE_NAME,
                      .parameters = {namespace, last_of(name)},
                      .parameter_count = 2};
        NILAS_TRY(run(catalog, &row, &changes, err));
    }
    return changes > 0 ? NILAS_OK
                       : nilas_catalog__fail_named(
                             err, NILAS_NOT_FOUND,
                             view ? "View does not exist: " : "Table does not exist: ", name);
}

nilas_code nilas_catalog__sql_drop_table(nilas_catalog *catalog, const nilas_identifier *name,
                                         nilas_error *err) {
    return drop(catalog, name, false, err);
}

static nilas_code rename_row(nilas_catalog *catalog, const nilas_identifier *from,
                             const nilas_identifier *to, bool view, nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    const nilas_catalog__sql_state *state = catalog->state;
    nilas_str from_namespace, to_namespace;
    int changes = 0;

    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(prepare(catalog, err));
    NILAS_TRY(require_namespace(catalog, to, err));
    NILAS_TRY(namespace_of(scratch, from, &from_namespace, err));
    NILAS_TRY(namespace_of(scratch, to, &to_namespace, err));
#define SET_NAME "UPDATE iceberg_tables SET table_namespace = ?4, table_name = ?5" WHERE_NAME
    change row = {.sql = view               ? SET_NAME IS_VIEW
                         : state->has_types ? SET_NAME IS_TABLE
                                            : SET_NAME,
                  .parameters = {from_namespace, last_of(from), to_namespace, last_of(to)},
                  .parameter_count = 4};
    nilas_code code = run(catalog, &row, &changes, err);
    if (code == NILAS_EXISTS) {
        return nilas_catalog__fail_named(
            err, NILAS_EXISTS, view ? "View already exists: " : "Table already exists: ", to);
    }
    NILAS_TRY(code);
    return changes > 0 ? NILAS_OK
                       : nilas_catalog__fail_named(
                             err, NILAS_NOT_FOUND,
                             view ? "View does not exist: " : "Table does not exist: ", from);
}

nilas_code nilas_catalog__sql_rename_table(nilas_catalog *catalog, const nilas_identifier *from,
                                           const nilas_identifier *to, nilas_error *err) {
    return rename_row(catalog, from, to, false, err);
}

// ---- views --------------------------------------------------------------------------------------

nilas_code nilas_catalog__sql_swap_view(nilas_catalog *catalog, const nilas_identifier *name,
                                        nilas_str base_location, nilas_str location,
                                        nilas_error *err) {
    NILAS_TRY(prepare_views(catalog, err));
    if (base_location.size == 0) {
        NILAS_TRY(require_namespace(catalog, name, err));
        return insert(catalog, name, "VIEW", location, err);
    }
    return update(catalog, name, true, base_location, location, err);
}

nilas_code nilas_catalog__sql_drop_view(nilas_catalog *catalog, const nilas_identifier *name,
                                        nilas_error *err) {
    return drop(catalog, name, true, err);
}

nilas_code nilas_catalog__sql_rename_view(nilas_catalog *catalog, const nilas_identifier *from,
                                          const nilas_identifier *to, nilas_error *err) {
    NILAS_TRY(prepare_views(catalog, err));
    return rename_row(catalog, from, to, true, err);
}
