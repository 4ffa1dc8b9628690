/* Columns found by id, by name, in the partition, or nowhere. */
#include "run.h"

#define ADDED(...)                                                                                 \
    { .status = NILAS_ENTRY_ADDED, __VA_ARGS__ }

NILAS_TEST(fields_are_found_by_id_whatever_their_names_and_widths) {
    run r;
    run_init(&r, 2);
    const made_entry entries[] = {
        ADDED(.path = run_write(&r, "a", "SELECT 1::BIGINT AS id, 'a' AS p, 1.5::DOUBLE AS x",
                                all_ids)),
        ADDED(.path = run_write(&r, "b", "SELECT 2.5::FLOAT AS y, 'b' AS z, 2::INTEGER AS w",
                                "y: 3, z: 2, w: 1")),
        ADDED(.path = run_write(&r, "c", "SELECT 3::BIGINT AS id, 'c' AS p, 4 AS x",
                                "id: 1, p: 9, x: 8")),
    };
    run_commit(&r, NILAS_MANIFEST_DATA, 0, entries, 3);
    CHECK_TEXT(ROWS(&r, "id", "p", "x"), "1,a,1.5 2,b,2.5 3,null,null");
    run_done(&r);
}

NILAS_TEST(files_without_ids_go_by_name_or_by_the_mapping) {
    run r;
    run_init(&r, 2);
    const made_entry entry =
        ADDED(.path = run_write(&r, "a", "SELECT 'p' AS P, 5 AS id, 'm' AS mapped", NULL));
    run_commit(&r, NILAS_MANIFEST_DATA, 0, &entry, 1);
    CHECK_TEXT(ROWS(&r, "id", "p", "x"), "5,p,null");
    run_done(&r);

    run_init(&r, 2);
    const made_entry mapped =
        ADDED(.path = run_write(&r, "a", "SELECT 'p' AS p, 5 AS id, 'm' AS mapped", NULL));
    run_commit(&r, NILAS_MANIFEST_DATA, 0, &mapped, 1);
    load_made(&r.table,
              "\"schema.name-mapping.default\":\"[{\\\"field-id\\\":1,\\\"names\\\":[\\\"id\\\"]},"
              "{\\\"field-id\\\":2,\\\"names\\\":[\\\"mapped\\\"]}]\"");
    CHECK_TEXT(ROWS(&r, "id", "p", "x"), "5,m,null");
    run_done(&r);
}

NILAS_TEST(a_partition_column_that_files_lack_has_the_partitions_value) {
    run r;
    run_init(&r, 2);
    const made_entry entries[] = {
        ADDED(.path = run_write(&r, "a", "SELECT 1::BIGINT AS id", "id: 1"), .p = "x"),
        ADDED(.path = run_write(&r, "b", "SELECT 2::BIGINT AS id", "id: 1"), .p = "y"),
        ADDED(.path = run_write(&r, "c", "SELECT 3::BIGINT AS id", "id: 1"), .p = NULL),
        ADDED(.path = run_write(&r, "d", "SELECT 4::BIGINT AS id, 'own' AS p", "id: 1, p: 2"),
              .p = "z"),
    };
    run_commit(&r, NILAS_MANIFEST_DATA, 1, entries, 4);
    CHECK_TEXT(ROWS(&r, "id", "p", "_spec_id"), "1,x,1 2,y,1 3,null,1 4,own,1");
    run_done(&r);
}

NILAS_TEST(names_and_paths_that_mean_something_to_duckdb_are_only_names) {
    run r;
    run_init(&r, 2);
    const char *path =
        run_write(&r, "a[b]*c?d it''s",
                  "SELECT 1::BIGINT AS file_index, 'f' AS filename, 2.0 AS file_row_number",
                  "file_index: 1, filename: 2, file_row_number: 3");
    nilas_str unquoted = NILAS_STR_EMPTY;
    CHECK_OK(nilas_str_print(r.arena, &unquoted, &r.err, "%s/a[b]*c?d it's.parquet", r.table.root),
             r.err);
    CHECK(strlen(path) == unquoted.size + 1);
    const made_entry entry = ADDED(.path = unquoted.data);
    run_commit(&r, NILAS_MANIFEST_DATA, 0, &entry, 1);
    CHECK_TEXT(ROWS(&r, "id", "p", "x", "_pos"), "1,f,2,0");
    run_done(&r);
}

NILAS_TEST(orc_data_is_refused_by_name_and_a_broken_file_is_named) {
    run r;
    run_init(&r, 2);
    const made_entry orc = ADDED(.path = "/x/data.orc", .format = "ORC");
    run_commit(&r, NILAS_MANIFEST_DATA, 0, &orc, 1);
    CHECK_TEXT(ROWS(&r, "id"), "?");
    CHECK_INT(r.err.code, NILAS_UNSUPPORTED);
    CHECK_CONTAINS(r.err.message, "/x/data.orc");
    run_done(&r);

    run_init(&r, 2);
    nilas_str path = NILAS_STR_EMPTY;
    CHECK_OK(nilas_str_print(r.arena, &path, &r.err, "%s/short.parquet", r.table.root), r.err);
    CHECK_OK(
        nilas_io_write(r.table.io, path, NILAS_STR("PAR1 this is no Parquet file"), false, &r.err),
        r.err);
    const made_entry broken = ADDED(.path = path.data);
    run_commit(&r, NILAS_MANIFEST_DATA, 0, &broken, 1);
    CHECK_TEXT(ROWS(&r, "id"), "?");
    CHECK_INT(r.err.code, NILAS_CORRUPT);
    CHECK_CONTAINS(r.err.message, "short.parquet");
    run_done(&r);
}
