/* Settings: what is taken, what is refused and with which words; tables by path. */
#include "place.h"

/** Opening with these settings fails with the code and says the part. */
static void check_settings(const char *implementation, const char *const *settings, nilas_code code,
                           const char *part) {
    place at;
    make_place(&at);
    CHECK_FAILS(open_settings(&at, implementation, settings), code, at.err, part);
    CHECK(strstr(at.err.message, "s3cr3t") == NULL);
    place_done(&at);
}

#define SETTINGS(...) ((const char *const[]){__VA_ARGS__, NULL})

NILAS_TEST(wrong_settings_are_named) {
    check_settings("com.example.Catalog", SETTINGS("type=hadoop"), NILAS_UNSUPPORTED,
                   "spark.sql.catalog.c = \"com.example.Catalog\"");
    check_settings(SPARK_CATALOG, SETTINGS("type=rest", "uri=http://x", "token=s3cr3t"),
                   NILAS_UNSUPPORTED, "spark.sql.catalog.c.type = \"rest\"");
    check_settings(SPARK_CATALOG, SETTINGS("type=nonsense"), NILAS_INVALID, "Unknown catalog type");
    check_settings(SPARK_CATALOG, SETTINGS("warehouse=/w"), NILAS_UNSUPPORTED, "means hive");
    check_settings(SPARK_CATALOG,
                   SETTINGS("type=hadoop", "catalog-impl=org.apache.iceberg.jdbc.JdbcCatalog"),
                   NILAS_INVALID, "both type and catalog-impl are set");
    check_settings(SPARK_CATALOG, SETTINGS("catalog-impl=com.example.Mine"), NILAS_UNSUPPORTED,
                   "catalog-impl = \"com.example.Mine\"");
    check_settings(SPARK_CATALOG, SETTINGS("type=hadoop"), NILAS_INVALID,
                   "spark.sql.catalog.c.warehouse");
    check_settings(SPARK_CATALOG, SETTINGS("type=jdbc"), NILAS_INVALID, "spark.sql.catalog.c.uri");
}

NILAS_TEST(an_address_may_hold_a_password_and_is_not_shown) {
    check_settings(SPARK_CATALOG, SETTINGS("type=jdbc", "uri=jdbc:postgresql://u:s3cr3t@host/db"),
                   NILAS_UNSUPPORTED, "\"jdbc:postgresql:…\"");
}

NILAS_TEST(a_catalog_class_may_be_named_instead_of_a_type) {
    place at;
    make_place(&at);
    CHECK_OK(open_settings(&at, SPARK_CATALOG,
                           SETTINGS("catalog-impl=org.apache.iceberg.hadoop.HadoopCatalog",
                                    "warehouse=/w", "default-namespace=ns")),
             at.err);
    CHECK_STR(nilas_catalog_name(at.catalog), "c");
    CHECK_STR(nilas_catalog_default_namespace(at.catalog), "ns");
    CHECK(!nilas_catalog_is_session(at.catalog));
    place_done(&at);
}

NILAS_TEST(a_table_is_loaded_by_its_directory_or_its_metadata_file) {
    place at;
    nilas_table *table = NULL;

    make_place(&at);
    nilas_str file = put_table(&at, "a table");
    REQUIRE_OK(nilas_catalog_load_path(at.io, below(&at, "a table"), &table, &at.err), at.err);
    CHECK_BYTES(table->metadata->metadata_location, file);
    CHECK_BYTES(table->identifier[0], below(&at, "a table"));
    nilas_table_unref(table);
    REQUIRE_OK(nilas_catalog_load_path(at.io, file, &table, &at.err), at.err);
    CHECK_INT(table->catalog.size, 0);
    nilas_table_unref(table);
    CHECK_CODE(nilas_catalog_load_path(at.io, below(&at, "nothing"), &table, &at.err),
               NILAS_NOT_FOUND, at.err);
    place_done(&at);
}

NILAS_TEST(a_location_is_spelt_as_hadoop_prints_it) {
    place at;
    nilas_table *table = NULL;
    nilas_str location = NILAS_STR_EMPTY, expected = NILAS_STR_EMPTY;

    make_place(&at);
    (void)put_table(&at, "t");
    CHECK_OK(nilas_str_print(at.arena, &location, &at.err, "file://%s//t/", at.root), at.err);
    CHECK_OK(nilas_str_print(at.arena, &expected, &at.err, "file:%s/t/metadata/v1.metadata.json",
                             at.root),
             at.err);
    REQUIRE_OK(nilas_catalog_load_path(at.io, location, &table, &at.err), at.err);
    CHECK_BYTES(table->metadata->metadata_location, expected);
    nilas_table_unref(table);
    place_done(&at);
}
