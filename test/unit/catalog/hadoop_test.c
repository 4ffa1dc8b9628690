/* Directories as catalogs. */
#include "place.h"

#include <sys/stat.h>

static void open_hadoop(place *at, const char *implementation) {
    char warehouse[128];
    make_place(at);
    snprintf(warehouse, sizeof(warehouse), "warehouse=file://%s/w/", at->root);
    CHECK_OK(
        open_settings(at, implementation, (const char *const[]){"type=hadoop", warehouse, NULL}),
        at->err);
}

static void make_warehouse(place *at) {
    (void)put_table(at, "w/db/t");
    (void)put_table(at, "w/db/my table%20é");
    (void)put_table(at, "w/deep/l1/l2/tab");
    put(at, "w/db/file.txt", "not a directory");
    put(at, "w/db/plain/metadata/notes.txt", "a namespace with an odd name below");
    CHECK_OK(nilas_io_make_directory(at->io, below(at, "w/empty"), &at->err), at->err);
}

NILAS_TEST(directories_with_metadata_are_tables_and_others_namespaces) {
    place at;
    open_hadoop(&at, SPARK_CATALOG);
    make_warehouse(&at);
    CHECK_TEXT(names(&at, nilas_catalog_list_namespaces, ""), "db deep empty");
    CHECK_TEXT(names(&at, nilas_catalog_list_namespaces, "deep.l1"), "deep.l1.l2");
    CHECK_TEXT(names(&at, nilas_catalog_list_namespaces, "db"), "db.plain");
    CHECK_TEXT(names(&at, nilas_catalog_list_tables, "db"), "db.my table%20é db.t");
    CHECK_TEXT(names(&at, nilas_catalog_list_tables, "empty"), "");
    CHECK_TEXT(names(&at, nilas_catalog_list_views, "db"), "");
    CHECK_TEXT(names(&at, nilas_catalog_list_tables, "nope"), "Namespace does not exist: nope");
    CHECK_TEXT(names(&at, nilas_catalog_list_tables, "db.t"), "Namespace does not exist: db.t");
    CHECK_TEXT(names(&at, nilas_catalog_list_tables, ""), "Missing database in table identifier: ");
    CHECK(exists(&at, "deep.l1"));
    CHECK(exists(&at, ""));
    CHECK(!exists(&at, "db.t"));
    CHECK(!exists(&at, "default"));
    place_done(&at);
}

NILAS_TEST(names_are_used_verbatim_and_stay_inside) {
    place at;
    open_hadoop(&at, SPARK_CATALOG);
    make_warehouse(&at);
    (void)put_table(&at, "outside/t");
    CHECK_OK(load(&at, "db.t"), at.err);
    CHECK_OK(load(&at, "db.my table%20é"), at.err);
    CHECK_OK(load(&at, "deep.l1.l2.tab"), at.err);
    CHECK_CODE(load(&at, "db.nope"), NILAS_NOT_FOUND, at.err);
    CHECK_CODE(load(&at, "db"), NILAS_NOT_FOUND, at.err);
    nilas_str up[] = {NILAS_STR(".."), NILAS_STR("outside"), NILAS_STR("t")};
    nilas_table *table = NULL;
    bool found = true;
    CHECK_CODE(nilas_catalog_load_table(at.catalog, up, 3, &table, &at.err), NILAS_NOT_FOUND,
               at.err);
    CHECK_OK(nilas_catalog_namespace_exists(at.catalog, up, 2, &found, &at.err), at.err);
    CHECK(!found);
    nilas_str inside[] = {NILAS_STR("db"), NILAS_STR("x/../../../outside/t")};
    CHECK_CODE(nilas_catalog_load_table(at.catalog, inside, 2, &table, &at.err), NILAS_NOT_FOUND,
               at.err);
    place_done(&at);
}

NILAS_TEST(a_namespace_has_its_location) {
    place at;
    nilas_str expected = NILAS_STR_EMPTY;
    open_hadoop(&at, SPARK_CATALOG);
    make_warehouse(&at);
    CHECK_OK(nilas_str_print(at.arena, &expected, &at.err, "file:%s/w/db", at.root), at.err);
    CHECK_BYTES(property(&at, "db", "location"), expected);
    place_done(&at);
}

NILAS_TEST(a_session_catalog_always_has_default) {
    place at;
    open_hadoop(&at, SPARK_SESSION_CATALOG);
    CHECK(nilas_catalog_is_session(at.catalog));
    CHECK_STR(nilas_catalog_default_namespace(at.catalog), "default");
    CHECK_TEXT(names(&at, nilas_catalog_list_namespaces, ""), "default"); // no warehouse yet
    CHECK_TEXT(names(&at, nilas_catalog_list_tables, "default"), "");
    CHECK(exists(&at, "default"));
    make_warehouse(&at);
    CHECK_TEXT(names(&at, nilas_catalog_list_namespaces, ""), "db deep default empty");
    CHECK_OK(load(&at, "db.t"), at.err);
    place_done(&at);
}

NILAS_TEST(one_broken_table_does_not_break_the_listing) {
    place at;
    open_hadoop(&at, SPARK_CATALOG);
    make_warehouse(&at);
    put(&at, "w/db/broken/metadata/v1.metadata.json", "{nonsense");
    CHECK_TEXT(names(&at, nilas_catalog_list_tables, "db"), "db.broken db.my table%20é db.t");
    CHECK_FAILS(load(&at, "db.broken"), NILAS_CORRUPT, at.err,
                "db/broken/metadata/v1.metadata.json");
    CHECK_OK(load(&at, "db.t"), at.err);
    place_done(&at);
}

NILAS_TEST(a_forbidden_directory_is_an_error_not_an_absence) {
    place at;
    open_hadoop(&at, SPARK_CATALOG);
    make_warehouse(&at);
    nilas_str metadata = below(&at, "w/db/t/metadata");
    CHECK(chmod(metadata.data, 0) == 0);
    if (geteuid() != 0) {
        CHECK_FAILS(load(&at, "db.t"), NILAS_DENIED, at.err, "w/db/t/metadata");
    }
    CHECK(chmod(metadata.data, 0700) == 0);
    place_done(&at);
}
