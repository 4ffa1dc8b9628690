/* Names of files. */
#include "commit/commit.h"
#include "unit/commit/place.h"

NILAS_TEST(partition_paths_are_escaped_as_java_does) {
    place at;
    nilas_str path;
    make_place(&at, false);
    at.partitioned = true;
    need_table(&at);
    nilas_table *table = load(&at);
    const nilas_metadata *metadata = table->metadata;
    nilas_data_file file = make_file(&at, "a", 1, 1, "a b/c=%é*");
    CHECK_OK(nilas_commit_partition_path(at.arena, metadata, metadata->specs[0], &file.partition,
                                         &path, &at.err),
             at.err);
    CHECK_STR(path, "category=a+b%2Fc%3D%25%C3%A9*");
    file = make_file(&at, "a", 1, 1, NULL);
    CHECK_OK(nilas_commit_data_location(at.arena, metadata, metadata->specs[0], &file.partition,
                                        NILAS_STR("f.parquet"), &path, &at.err),
             at.err);
    CHECK(nilas_str_ends(path, NILAS_STR("/wh/db/t/data/category=null/f.parquet")));
    nilas_table_unref(table);
    place_done(&at);
}

NILAS_TEST(object_stores_get_hashed_paths) {
    place at;
    nilas_str path, db = NILAS_STR("db");
    nilas_property hashed = {NILAS_STR("write.object-storage.enabled"), NILAS_STR("true")};
    make_place(&at, false);
    CHECK_OK(nilas_catalog_create_namespace(at.catalog, &db, 1, NULL, 0, &at.err), at.err);
    CHECK_OK(create_table(&at, &hashed, 1), at.err);
    nilas_table *table = load(&at);
    CHECK_OK(nilas_commit_data_location(at.arena, table->metadata, NULL, NULL,
                                        NILAS_STR("test.parquet"), &path, &at.err),
             at.err);
    CHECK_CONTAINS(path.data, "/wh/db/t/data/");
    CHECK(nilas_str_ends(path, NILAS_STR("/test.parquet")));
    CHECK_INT(path.size - strlen(at.root), strlen("/wh/db/t/data/") + 23 + strlen("/test.parquet"));
    nilas_table_unref(table);
    place_done(&at);
}

NILAS_TEST(ids_are_random_and_positive) {
    nilas_metadata none = {.current_snapshot_id = -1};
    int64_t a = nilas_commit_new_snapshot_id(&none);
    int64_t b = nilas_commit_new_snapshot_id(&none);
    CHECK(a > 0 && b > 0 && a != b);
}
