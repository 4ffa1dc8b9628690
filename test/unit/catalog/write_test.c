/* The writing half, on both kinds of catalog: what comes into being, what is refused, what goes. */
#include "catalog/write.h"
#include "unit/catalog/place.h"

static void open_hadoop(place *at) {
    char warehouse[128];
    snprintf(warehouse, sizeof(warehouse), "warehouse=%s/wh", at->root);
    const char *settings[] = {"type=hadoop", warehouse, NULL};
    CHECK_OK(open_settings(at, SPARK_CATALOG, settings), at->err);
}

static void open_sql(place *at) {
    char warehouse[128], uri[128];
    snprintf(warehouse, sizeof(warehouse), "warehouse=%s/wh", at->root);
    snprintf(uri, sizeof(uri), "uri=jdbc:sqlite:%s/db/catalog.db", at->root);
    const char *settings[] = {"type=jdbc", warehouse, uri, NULL};
    CHECK_OK(open_settings(at, SPARK_CATALOG, settings), at->err);
}

/** Metadata of an empty table at a location. */
static nilas_metadata *new_metadata(place *at, nilas_str location) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    nilas_metadata *metadata = NULL;
    nilas_buf_add_text(&text, "{\"format-version\":2,\"table-uuid\":"
                              "\"9c12d441-03fe-4693-9a96-a0705ddf69c1\",\"location\":");
    nilas_json_print_string(&text, location);
    nilas_buf_add_text(&text,
                       ",\"last-sequence-number\":0,\"last-updated-ms\":1,\"last-column-id\":1,"
                       "\"current-schema-id\":0,\"schemas\":[{\"type\":\"struct\",\"schema-id\":0,"
                       "\"fields\":[{\"id\":1,\"name\":\"id\",\"required\":false,\"type\":\"long\"}"
                       "]}],\"default-spec-id\":0,\"partition-specs\":[{\"spec-id\":0,"
                       "\"fields\":[]}],\"last-partition-id\":999,\"default-sort-order-id\":0,"
                       "\"sort-orders\":[{\"order-id\":0,\"fields\":[]}],\"properties\":{},"
                       "\"snapshots\":[]}");
    CHECK_OK(nilas_metadata_parse(at->arena, nilas_buf_view(&text), NILAS_STR_EMPTY, &metadata,
                                  &at->err),
             at->err);
    return metadata;
}

static nilas_code create_namespace(place *at, const char *name, const nilas_property *properties,
                                   size_t count) {
    nilas_str parts[4];
    size_t part_count = split(name, parts);
    return nilas_catalog_create_namespace(at->catalog, parts, part_count, properties, count,
                                          &at->err);
}

static nilas_code drop_namespace(place *at, const char *name) {
    nilas_str parts[4];
    size_t count = split(name, parts);
    return nilas_catalog_drop_namespace(at->catalog, parts, count, &at->err);
}

static nilas_code create(place *at, const char *name) {
    nilas_str parts[4], location;
    size_t count = split(name, parts);
    nilas_code code =
        nilas_catalog_default_location(at->catalog, at->arena, parts, count, &location, &at->err);
    return code != NILAS_OK ? code
                            : nilas_catalog_swap(at->catalog, at->arena, parts, count, NULL,
                                                 new_metadata(at, location), &at->err);
}

static nilas_code load_named(place *at, const char *name, nilas_table **out) {
    nilas_str parts[4];
    size_t count = split(name, parts);
    return nilas_catalog_load_table(at->catalog, parts, count, out, &at->err);
}

/** A second version over `base`. */
static nilas_code advance(place *at, const char *name, const nilas_table *base) {
    nilas_str parts[4];
    size_t count = split(name, parts);
    nilas_metadata next = *base->metadata;
    next.last_updated_ms++;
    return nilas_catalog_swap(at->catalog, at->arena, parts, count, base, &next, &at->err);
}

static nilas_code rename_table(place *at, const char *from, const char *to) {
    nilas_str from_parts[4], to_parts[4];
    size_t from_count = split(from, from_parts), to_count = split(to, to_parts);
    return nilas_catalog_rename_table(at->catalog, from_parts, from_count, to_parts, to_count,
                                      &at->err);
}

static nilas_code drop(place *at, const char *name, bool purge) {
    nilas_str parts[4];
    size_t count = split(name, parts);
    return nilas_catalog_drop_table(at->catalog, parts, count, purge, &at->err);
}

static void check_life(place *at) {
    nilas_table *first = NULL, *second = NULL;

    CHECK_OK(create_namespace(at, "db", NULL, 0), at->err);
    CHECK_FAILS(create_namespace(at, "db", NULL, 0), NILAS_EXISTS, at->err,
                "Namespace already exists: db");
    CHECK_OK(create_namespace(at, "db.deep", NULL, 0), at->err);
    CHECK_OK(create(at, "db.t"), at->err);
    CHECK_FAILS(create(at, "db.t"), NILAS_EXISTS, at->err, "Table already exists: db.t");
    CHECK_TEXT(names(at, nilas_catalog_list_tables, "db"), "db.t");
    REQUIRE_OK(load_named(at, "db.t", &first), at->err);
    CHECK_OK(advance(at, "db.t", first), at->err);
    CHECK_CODE(advance(at, "db.t", first), NILAS_CONFLICT, at->err);
    REQUIRE_OK(load_named(at, "db.t", &second), at->err);
    CHECK_INT(second->metadata->last_updated_ms, first->metadata->last_updated_ms + 1);
    CHECK_OK(advance(at, "db.t", second), at->err);
    CHECK_FAILS(drop_namespace(at, "db"), NILAS_INVALID, at->err, "is not empty.");
    CHECK_OK(drop_namespace(at, "db.deep"), at->err);
    CHECK_CODE(drop_namespace(at, "db.deep"), NILAS_NOT_FOUND, at->err);
    CHECK_OK(drop(at, "db.t", false), at->err);
    CHECK_CODE(drop(at, "db.t", false), NILAS_NOT_FOUND, at->err);
    CHECK_CODE(advance(at, "db.t", second), NILAS_NOT_FOUND, at->err);
    CHECK_OK(create(at, "db.t"), at->err);
    CHECK_OK(drop(at, "db.t", true), at->err);
    CHECK_OK(drop_namespace(at, "db"), at->err);
    CHECK_TEXT(names(at, nilas_catalog_list_namespaces, ""), "");
    nilas_table_unref(first);
    nilas_table_unref(second);
}

NILAS_TEST(tables_come_change_and_go_in_a_hadoop_catalog) {
    place at;
    make_place(&at);
    open_hadoop(&at);
    check_life(&at);
    CHECK_OK(create_namespace(&at, "db", NULL, 0), at.err);
    CHECK_OK(create(&at, "db.t"), at.err);
    CHECK_FAILS(rename_table(&at, "db.t", "db.u"), NILAS_UNSUPPORTED, at.err,
                "Cannot rename Hadoop tables");
    nilas_property comment = {NILAS_STR("comment"), NILAS_STR("c")};
    CHECK_FAILS(create_namespace(&at, "p", &comment, 1), NILAS_UNSUPPORTED, at.err,
                "Cannot create namespace p: metadata is not supported");
    nilas_str db = NILAS_STR("db");
    CHECK_FAILS(nilas_catalog_alter_namespace(at.catalog, &db, 1, &comment, 1, &at.err),
                NILAS_UNSUPPORTED, at.err,
                "Cannot set namespace properties db : setProperties is not supported");
    place_done(&at);
}

NILAS_TEST(hadoop_tables_are_numbered_and_stay_where_they_are) {
    place at;
    nilas_table *table = NULL;
    nilas_str hint;
    make_place(&at);
    open_hadoop(&at);
    CHECK_OK(create(&at, "db.t"), at.err);
    REQUIRE_OK(load_named(&at, "db.t", &table), at.err);
    CHECK_OK(advance(&at, "db.t", table), at.err);
    CHECK_OK(nilas_io_read(at.io, at.arena, below(&at, "wh/db/t/metadata/version-hint.text"), 100,
                           &hint, &at.err),
             at.err);
    CHECK_STR(hint, "2");
    bool there = false;
    CHECK_OK(
        nilas_io_exists(at.io, below(&at, "wh/db/t/metadata/v2.metadata.json"), &there, &at.err),
        at.err);
    CHECK(there);
    nilas_str name[] = {NILAS_STR("db"), NILAS_STR("u")};
    nilas_metadata *elsewhere = new_metadata(&at, below(&at, "other"));
    CHECK_FAILS(nilas_catalog_swap(at.catalog, at.arena, name, 2, NULL, elsewhere, &at.err),
                NILAS_INVALID, at.err, "Cannot set a custom location for a path-based table");
    // A name that leaves its directory is no table.
    CHECK_CODE(create(&at, "db..."), NILAS_INVALID, at.err);
    nilas_table_unref(table);
    place_done(&at);
}

NILAS_TEST(tables_come_change_and_go_in_an_sql_catalog) {
    place at;
    nilas_property *properties;
    size_t count = 0;
    make_place(&at);
    open_sql(&at);
    check_life(&at);
    nilas_property comment = {NILAS_STR("comment"), NILAS_STR("c")};
    nilas_property gone = {NILAS_STR("comment"), {0}};
    nilas_str db = NILAS_STR("db");
    CHECK_OK(create_namespace(&at, "db", &comment, 1), at.err);
    CHECK_OK(nilas_catalog_namespace_properties(at.catalog, at.arena, &db, 1, &properties, &count,
                                                &at.err),
             at.err);
    CHECK_INT(count, 2); // and the location
    CHECK_OK(nilas_catalog_alter_namespace(at.catalog, &db, 1, &gone, 1, &at.err), at.err);
    CHECK_OK(nilas_catalog_namespace_properties(at.catalog, at.arena, &db, 1, &properties, &count,
                                                &at.err),
             at.err);
    CHECK_INT(count, 1);
    place_done(&at);
}

NILAS_TEST(sql_tables_are_renamed_and_registered) {
    place at;
    nilas_table *table = NULL;
    make_place(&at);
    open_sql(&at);
    CHECK_OK(create_namespace(&at, "a", NULL, 0), at.err);
    CHECK_OK(create_namespace(&at, "b", NULL, 0), at.err);
    CHECK_OK(create(&at, "a.t"), at.err);
    CHECK_OK(create(&at, "a.other"), at.err);
    CHECK_CODE(rename_table(&at, "a.t", "a.other"), NILAS_EXISTS, at.err);
    CHECK_CODE(rename_table(&at, "a.t", "nowhere.t"), NILAS_NOT_FOUND, at.err);
    CHECK_CODE(rename_table(&at, "a.nope", "b.t"), NILAS_NOT_FOUND, at.err);
    CHECK_OK(rename_table(&at, "a.t", "b.t"), at.err);
    CHECK_TEXT(names(&at, nilas_catalog_list_tables, "b"), "b.t");
    REQUIRE_OK(load_named(&at, "b.t", &table), at.err);
    nilas_str name[] = {NILAS_STR("a"), NILAS_STR("again")};
    CHECK_OK(nilas_catalog_register_table(at.catalog, name, 2, table->metadata->metadata_location,
                                          &at.err),
             at.err);
    CHECK_CODE(nilas_catalog_register_table(at.catalog, name, 2, table->metadata->metadata_location,
                                            &at.err),
               NILAS_EXISTS, at.err);
    CHECK_CODE(nilas_catalog_register_table(at.catalog, name, 2,
                                            NILAS_STR("/nowhere.metadata.json"), &at.err),
               NILAS_NOT_FOUND, at.err);
    nilas_table_unref(table);
    place_done(&at);
}

NILAS_TEST(a_purge_takes_the_files_and_gc_disabled_forbids_it) {
    place at;
    nilas_table *table = NULL;
    bool there = true;
    make_place(&at);
    open_sql(&at);
    CHECK_OK(create_namespace(&at, "db", NULL, 0), at.err);
    CHECK_OK(create(&at, "db.t"), at.err);
    REQUIRE_OK(load_named(&at, "db.t", &table), at.err);
    CHECK_OK(drop(&at, "db.t", true), at.err);
    CHECK_OK(nilas_io_exists(at.io, table->metadata->metadata_location, &there, &at.err), at.err);
    CHECK(!there);
    nilas_table_unref(table);

    nilas_str name[] = {NILAS_STR("db"), NILAS_STR("kept")};
    nilas_property off = {NILAS_STR("gc.enabled"), NILAS_STR("false")};
    nilas_metadata *metadata = new_metadata(&at, below(&at, "wh/db/kept"));
    metadata->properties = &off;
    metadata->property_count = 1;
    CHECK_OK(nilas_catalog_swap(at.catalog, at.arena, name, 2, NULL, metadata, &at.err), at.err);
    CHECK_FAILS(drop(&at, "db.kept", true), NILAS_INVALID, at.err, "GC is disabled");
    CHECK_OK(drop(&at, "db.kept", false), at.err);
    place_done(&at);
}

NILAS_TEST(gzip_metadata_is_named_and_read) {
    for (int sql = 0; sql < 2; sql++) {
        place at;
        nilas_table *table = NULL;
        nilas_property gzip = {NILAS_STR("write.metadata.compression-codec"), NILAS_STR("gzip")};
        nilas_str name[] = {NILAS_STR("db"), NILAS_STR("t")}, location;
        make_place(&at);
        sql ? open_sql(&at) : open_hadoop(&at);
        CHECK_OK(create_namespace(&at, "db", NULL, 0), at.err);
        CHECK_OK(nilas_catalog_default_location(at.catalog, at.arena, name, 2, &location, &at.err),
                 at.err);
        nilas_metadata *metadata = new_metadata(&at, location);
        metadata->properties = &gzip;
        metadata->property_count = 1;
        CHECK_OK(nilas_catalog_swap(at.catalog, at.arena, name, 2, NULL, metadata, &at.err),
                 at.err);
        CHECK(nilas_str_ends(metadata->metadata_location, NILAS_STR(".gz.metadata.json")));
        REQUIRE_OK(load_named(&at, "db.t", &table), at.err);
        CHECK_OK(advance(&at, "db.t", table), at.err);
        nilas_table_unref(table);
        place_done(&at);
    }
}

static nilas_code put_text(place *at, const char *name, const char *sql, bool replace) {
    static nilas_ice_field field = {.id = 0};
    nilas_str parts[4], db = NILAS_STR("db");
    size_t count = split(name, parts);
    field.name = NILAS_STR("x");
    field.type = nilas_ice_primitive(NILAS_ICE_INT);
    nilas_schema schema = {.type = {.kind = NILAS_ICE_STRUCT, .fields = &field, .field_count = 1}};
    nilas_property property = {NILAS_STR("p"), nilas_str_of(sql)};
    nilas_view_definition view = {.sql = nilas_str_of(sql),
                                  .dialect = NILAS_STR("spark"),
                                  .default_catalog = NILAS_STR("c"),
                                  .default_namespace = &db,
                                  .default_namespace_count = 1,
                                  .schema = &schema,
                                  .properties = &property,
                                  .property_count = 1};
    return nilas_catalog_put_view(at->catalog, parts, count, &view, replace, &at->err);
}

NILAS_TEST(views_are_made_replaced_renamed_and_dropped) {
    place at;
    nilas_view *view;
    nilas_str name[] = {NILAS_STR("db"), NILAS_STR("v")};
    nilas_str other[] = {NILAS_STR("db"), NILAS_STR("w")};
    make_place(&at);
    open_sql(&at);
    CHECK_OK(create_namespace(&at, "db", NULL, 0), at.err);
    CHECK_OK(create(&at, "db.t"), at.err);
    CHECK_OK(put_text(&at, "db.v", "select 1 as x", false), at.err);
    CHECK_CODE(put_text(&at, "db.v", "select 2 as x", false), NILAS_EXISTS, at.err);
    CHECK_CODE(put_text(&at, "db.t", "select 2 as x", true), NILAS_EXISTS, at.err);
    CHECK_OK(put_text(&at, "db.v", "select 2 as x", true), at.err);
    REQUIRE_OK(nilas_catalog_load_view(at.catalog, at.arena, name, 2, &view, &at.err), at.err);
    CHECK_STR(view->sql, "select 2 as x");
    CHECK_STR(view->default_catalog, "c");
    CHECK_INT(view->property_count, 1);
    nilas_property changes[] = {{NILAS_STR("p"), {0}}, {NILAS_STR("q"), NILAS_STR("1")}};
    CHECK_OK(nilas_catalog_alter_view(at.catalog, name, 2, changes, 2, &at.err), at.err);
    REQUIRE_OK(nilas_catalog_load_view(at.catalog, at.arena, name, 2, &view, &at.err), at.err);
    CHECK_STR(view->properties[0].key, "q");
    CHECK_STR(view->sql, "select 2 as x");
    CHECK_OK(nilas_catalog_rename_view(at.catalog, name, 2, other, 2, &at.err), at.err);
    CHECK_TEXT(names(&at, nilas_catalog_list_views, "db"), "db.w");
    CHECK_TEXT(names(&at, nilas_catalog_list_tables, "db"), "db.t");
    for (int i = 0; i < 12; i++) { // old versions fall out of the history
        CHECK_OK(put_text(&at, "db.w", "select 3 as x", true), at.err);
    }
    CHECK_OK(nilas_catalog_drop_view(at.catalog, other, 2, &at.err), at.err);
    CHECK_CODE(nilas_catalog_drop_view(at.catalog, other, 2, &at.err), NILAS_NOT_FOUND, at.err);
    CHECK_CODE(nilas_catalog_drop_view(at.catalog, (nilas_str[]){NILAS_STR("db"), NILAS_STR("t")},
                                       2, &at.err),
               NILAS_NOT_FOUND, at.err);
    place_done(&at);
}

NILAS_TEST(a_hadoop_catalog_has_no_views_to_write) {
    place at;
    make_place(&at);
    open_hadoop(&at);
    CHECK_FAILS(put_text(&at, "db.v", "select 1 as x", false), NILAS_UNSUPPORTED, at.err,
                "Creating a view is not supported by catalog: c");
    place_done(&at);
}

NILAS_TEST(the_embedded_catalog_comes_into_being_with_the_first_table) {
    place at;
    char here[512];
    nilas_table *table = NULL;
    bool there = true;
    make_place(&at);
    REQUIRE(getcwd(here, sizeof(here)) != NULL && chdir(at.root) == 0);
    nilas_catalog_options options = {.name = NILAS_STR("nilas"), .io = at.io, .embedded = true};
    CHECK_OK(nilas_catalog_open(&options, &at.catalog, &at.err), at.err);
    CHECK_TEXT(names(&at, nilas_catalog_list_tables, "default"), "");
    CHECK_OK(nilas_io_exists(at.io, NILAS_STR("nilas-warehouse"), &there, &at.err), at.err);
    CHECK(!there);
    CHECK_OK(create(&at, "default.t"), at.err);
    REQUIRE_OK(load_named(&at, "default.t", &table), at.err);
    // Absolute, so that the table is found from elsewhere too.
    CHECK(nilas_str_starts(table->metadata->location, nilas_str_of(at.root)));
    CHECK_OK(drop(&at, "default.t", true), at.err);
    CHECK_FAILS(drop_namespace(&at, "default"), NILAS_INVALID, at.err, "Cannot drop");
    nilas_table_unref(table);
    CHECK(chdir(here) == 0);
    place_done(&at);
}
