/* SQLite catalogs, in both versions of their tables. */
#include "place.h"

#include <dlfcn.h>

/** Run statements on the database file root/catalog.db with the SQLite library. */
static void run_sql(place *at, const char *sql) {
    void *library = dlopen("libsqlite3.so.0", RTLD_NOW);
    int (*open_file)(const char *, void **) = NULL;
    int (*execute)(void *, const char *, void *, void *, void *) = NULL;
    int (*close_file)(void *) = NULL;
    void *database = NULL;

    REQUIRE(library != NULL);
    *(void **)&open_file = dlsym(library, "sqlite3_open");
    *(void **)&execute = dlsym(library, "sqlite3_exec");
    *(void **)&close_file = dlsym(library, "sqlite3_close");
    REQUIRE(open_file != NULL && execute != NULL && close_file != NULL);
    CHECK_INT(open_file(below(at, "catalog.db").data, &database), 0);
    CHECK_INT(execute(database, sql, NULL, NULL, NULL), 0);
    CHECK_INT(close_file(database), 0);
}

static void open_sql(place *at) {
    char uri[128], warehouse[128];
    make_place(at);
    snprintf(uri, sizeof(uri), "uri=jdbc:sqlite:%s/catalog.db", at->root);
    snprintf(warehouse, sizeof(warehouse), "warehouse=%s/w", at->root);
    CHECK_OK(
        open_settings(at, SPARK_CATALOG, (const char *const[]){"type=jdbc", uri, warehouse, NULL}),
        at->err);
}

static const char version_0[] =
    "CREATE TABLE iceberg_tables(catalog_name VARCHAR(255) NOT NULL, table_namespace VARCHAR(255)"
    " NOT NULL, table_name VARCHAR(255) NOT NULL, metadata_location VARCHAR(1000),"
    " previous_metadata_location VARCHAR(1000), PRIMARY KEY (catalog_name, table_namespace,"
    " table_name));"
    "CREATE TABLE iceberg_namespace_properties(catalog_name VARCHAR(255) NOT NULL, namespace"
    " VARCHAR(255) NOT NULL, property_key VARCHAR(255), property_value VARCHAR(1000));"
    "INSERT INTO iceberg_namespace_properties VALUES ('c', 'empty', 'exists', 'true'),"
    " ('c', 'owned', 'owner', 'o''neill'), ('other', 'hidden', 'exists', 'true');";
static const char version_1[] = "ALTER TABLE iceberg_tables ADD COLUMN iceberg_type VARCHAR(5);";

static void add_object(place *at, const char *namespace, const char *name, const char *file,
                       const char *type) {
    char sql[1024];
    snprintf(sql, sizeof(sql),
             "INSERT INTO iceberg_tables VALUES ('c', '%s', '%s', %s%s%s, NULL%s%s%s);", namespace,
             name, file != NULL ? "'" : "", file != NULL ? file : "NULL", file != NULL ? "'" : "",
             type != NULL ? ", '" : "", type != NULL ? type : "", type != NULL ? "'" : "");
    run_sql(at, sql);
}

NILAS_TEST(an_absent_database_is_an_empty_catalog_and_stays_absent) {
    place at;
    bool there = true;
    open_sql(&at);
    CHECK_TEXT(names(&at, nilas_catalog_list_namespaces, ""), "");
    CHECK(!exists(&at, "db"));
    CHECK_CODE(load(&at, "db.t"), NILAS_NOT_FOUND, at.err);
    CHECK_OK(nilas_io_exists(at.io, below(&at, "catalog.db"), &there, &at.err), at.err);
    CHECK(!there);
    run_sql(&at, "CREATE TABLE unrelated(x);"); // a database of something else
    CHECK_TEXT(names(&at, nilas_catalog_list_namespaces, ""), "");
    place_done(&at);
}

NILAS_TEST(tables_and_nested_namespaces_are_found) {
    place at;
    open_sql(&at);
    run_sql(&at, version_0);
    add_object(&at, "db", "t", put_table(&at, "w/db/t").data, NULL);
    add_object(&at, "a.b", "deep", put_table(&at, "w/a/b/deep").data, NULL);
    CHECK_TEXT(names(&at, nilas_catalog_list_namespaces, ""), "a db empty owned");
    CHECK_TEXT(names(&at, nilas_catalog_list_namespaces, "a"), "a.b");
    CHECK_TEXT(names(&at, nilas_catalog_list_tables, "a"), "");
    CHECK_TEXT(names(&at, nilas_catalog_list_tables, "a.b"), "a.b.deep");
    CHECK_TEXT(names(&at, nilas_catalog_list_tables, "hidden"), "Namespace does not exist: hidden");
    CHECK_TEXT(names(&at, nilas_catalog_list_views, "db"), "");
    CHECK_OK(load(&at, "db.t"), at.err);
    CHECK_OK(load(&at, "a.b.deep"), at.err);
    CHECK_CODE(load(&at, "db.T"), NILAS_NOT_FOUND, at.err);
    CHECK(exists(&at, "a"));
    CHECK(exists(&at, "empty"));
    CHECK(!exists(&at, "emp"));
    place_done(&at);
}

NILAS_TEST(namespace_properties_leave_out_the_marker_and_give_a_location) {
    place at;
    open_sql(&at);
    run_sql(&at, version_0);
    CHECK_STR(property(&at, "owned", "owner"), "o'neill");
    CHECK_BYTES(property(&at, "owned", "location"), below(&at, "w/owned"));
    CHECK_STR(property(&at, "empty", "exists"), "");
    place_done(&at);
}

static const char view_json[] =
    "{\"view-uuid\":\"fa6506c3-7681-40c8-86dc-e36561f83385\",\"format-version\":1,"
    "\"location\":\"/w/db/v\",\"current-version-id\":2,\"properties\":{\"comment\":\"hi\"},"
    "\"versions\":[{\"version-id\":1,\"schema-id\":1,\"timestamp-ms\":1,\"summary\":{},"
    "\"default-namespace\":[],\"representations\":[]},"
    "{\"version-id\":2,\"schema-id\":1,\"timestamp-ms\":1,\"summary\":{},"
    "\"default-catalog\":\"prod\",\"default-namespace\":[\"a\",\"b\"],\"representations\":["
    "{\"type\":\"sql\",\"sql\":\"select 1\",\"dialect\":\"trino\"},"
    "{\"type\":\"sql\",\"sql\":\"select 2\",\"dialect\":\"Spark\"}]}],"
    "\"schemas\":[{\"schema-id\":1,\"type\":\"struct\",\"fields\":[{\"id\":1,\"name\":\"n\","
    "\"required\":false,\"type\":\"int\"}]}],\"version-log\":[]}";

static nilas_code load_view(place *at, const char *dotted, nilas_view **out) {
    nilas_str parts[8];
    size_t count = split(dotted, parts);
    return nilas_catalog_load_view(at->catalog, at->arena, parts, count, out, &at->err);
}

NILAS_TEST(views_live_beside_tables_in_version_1) {
    place at;
    nilas_view *view = NULL;
    open_sql(&at);
    run_sql(&at, version_0);
    run_sql(&at, version_1);
    put(&at, "v.metadata.json", view_json);
    add_object(&at, "db", "old", put_table(&at, "w/db/old").data, "TABLE");
    add_object(&at, "db", "v", below(&at, "v.metadata.json").data, "VIEW");
    CHECK_TEXT(names(&at, nilas_catalog_list_tables, "db"), "db.old");
    CHECK_TEXT(names(&at, nilas_catalog_list_views, "db"), "db.v");
    CHECK_CODE(load(&at, "db.v"), NILAS_NOT_FOUND, at.err);
    CHECK_CODE(load_view(&at, "db.old", &view), NILAS_NOT_FOUND, at.err);
    REQUIRE_OK(load_view(&at, "db.v", &view), at.err);
    CHECK_STR(view->sql, "select 2");
    CHECK_STR(view->default_catalog, "prod");
    CHECK_INT(view->default_namespace_count, 2);
    CHECK_STR(view->default_namespace[1], "b");
    CHECK_STR(view->properties[0].value, "hi");
    CHECK_STR(view->schema->type.fields[0].name, "n");
    place_done(&at);
}

/** Load a view whose metadata text is this. */
static void check_view_refused(const char *text, nilas_code code, const char *part) {
    place at;
    nilas_view *view = NULL;
    open_sql(&at);
    run_sql(&at, version_0);
    run_sql(&at, version_1);
    put(&at, "v.metadata.json", text);
    add_object(&at, "db", "v", below(&at, "v.metadata.json").data, "VIEW");
    CHECK_FAILS(load_view(&at, "db.v", &view), code, at.err, part);
    CHECK_CONTAINS(at.err.message, "v.metadata.json");
    place_done(&at);
}

NILAS_TEST(broken_views_are_refused_with_their_file) {
    check_view_refused("{", NILAS_CORRUPT, "line 1");
    check_view_refused("{\"format-version\":2}", NILAS_UNSUPPORTED, "view format version 2");
    check_view_refused("{\"format-version\":1,\"location\":\"x\",\"current-version-id\":9,"
                       "\"versions\":[]}",
                       NILAS_CORRUPT, "view version 9");
    check_view_refused("{\"format-version\":1,\"location\":\"x\",\"current-version-id\":1,"
                       "\"versions\":[{\"version-id\":1,\"representations\":[]}]}",
                       NILAS_UNSUPPORTED, "no representation in SQL");
}

NILAS_TEST(a_table_whose_file_is_missing_is_broken_not_absent) {
    place at;
    open_sql(&at);
    run_sql(&at, version_0);
    add_object(&at, "db", "gone", "/nowhere/v1.metadata.json", NULL);
    add_object(&at, "db", "null", NULL, NULL);
    CHECK_FAILS(load(&at, "db.gone"), NILAS_CORRUPT, at.err, "/nowhere/v1.metadata.json");
    CHECK_FAILS(load(&at, "db.null"), NILAS_CORRUPT, at.err, "has no metadata_location");
    CHECK_TEXT(names(&at, nilas_catalog_list_tables, "db"), "db.gone db.null");
    place_done(&at);
}

NILAS_TEST(a_file_that_is_no_database_is_corrupt) {
    place at;
    open_sql(&at);
    put(&at, "catalog.db", "this is certainly not a database, however long one looks at it");
    CHECK_FAILS(load(&at, "db.t"), NILAS_CORRUPT, at.err, "catalog.db");
    place_done(&at);
}

NILAS_TEST(the_embedded_catalog_creates_nothing_by_reading) {
    place at;
    bool there = true;
    char before[4096];

    make_place(&at);
    REQUIRE(getcwd(before, sizeof(before)) != NULL && chdir(at.root) == 0);
    nilas_catalog_options options = {
        .name = NILAS_STR("spark_catalog"), .io = at.io, .embedded = true};
    CHECK_OK(nilas_catalog_open(&options, &at.catalog, &at.err), at.err);
    CHECK(nilas_catalog_is_session(at.catalog));
    CHECK_TEXT(names(&at, nilas_catalog_list_namespaces, ""), "default");
    CHECK_TEXT(names(&at, nilas_catalog_list_tables, "default"), "");
    CHECK_CODE(load(&at, "default.t"), NILAS_NOT_FOUND, at.err);
    CHECK_OK(nilas_io_exists(at.io, below(&at, "nilas-warehouse"), &there, &at.err), at.err);
    CHECK(!there);
    CHECK(chdir(before) == 0);
    place_done(&at);
}
