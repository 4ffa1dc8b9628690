/* Position deletes: what is gone, what stays, whatever the order, spelling and size. */
#include "run.h"

#define ADDED(...)                                                                                 \
    { .status = NILAS_ENTRY_ADDED, __VA_ARGS__ }

/** A table of one file of `count` rows id = 0, 1 …, in row groups of 2048. */
static const char *make_one_file(run *r, int count, long long claimed_count) {
    nilas_str sql = NILAS_STR_EMPTY;
    run_init(r, 2);
    CHECK_OK(nilas_str_print(r->arena, &sql, &r->err,
                             "SELECT range AS id, 'a' AS p, range / 2 AS x FROM range(%d)", count),
             r->err);
    const char *path = run_write(r, "data", sql.data, all_ids);
    made_entry entry = ADDED(.path = path, .record_count = claimed_count);
    run_commit(r, NILAS_MANIFEST_DATA, 0, &entry, 1);
    return path;
}

/**
 * Commit a delete file of these positions, `path_sql` being an SQL string of the data file's path.
 */
static void delete_positions(run *r, const char *name, const char *path, const char *positions,
                             const char *referenced) {
    nilas_str sql = NILAS_STR_EMPTY;
    CHECK_OK(nilas_str_print(r->arena, &sql, &r->err,
                             "SELECT '%s' AS file_path, unnest(%s)::BIGINT AS pos", path,
                             positions),
             r->err);
    const char *file = run_write(r, name, sql.data, position_ids);
    made_entry entry =
        ADDED(.content = NILAS_FILE_POSITION_DELETES, .path = file, .referenced = referenced);
    run_commit(r, NILAS_MANIFEST_DELETES, 0, &entry, 1);
}

NILAS_TEST(a_position_counts_in_the_file_whatever_row_group_it_is_in) {
    run r;
    const char *path = make_one_file(&r, 6144, 6144);
    delete_positions(&r, "d", path, "[1, 4500]", NULL);
    const char *rows = ROWS(&r, "id");
    CHECK(strstr(rows, " 4499 4501 ") != NULL);
    CHECK(strncmp(rows, "0 2 3", 5) == 0);
    run_done(&r);
}

NILAS_TEST(deleting_every_row_over_several_row_groups_leaves_none) {
    run r;
    const char *path = make_one_file(&r, 6144, 6144);
    delete_positions(&r, "d", path, "range(6144)", path);
    CHECK_TEXT(ROWS(&r, "id"), "");
    run_done(&r);
}

NILAS_TEST(deletes_of_several_files_add_up) {
    run r;
    const char *path = make_one_file(&r, 5, 5);
    delete_positions(&r, "d1", path, "[0, 1]", path);
    delete_positions(&r, "d2", path, "[1, 3]", NULL);
    CHECK_TEXT(ROWS(&r, "id", "_pos"), "2,2 4,4");
    run_done(&r);
}

NILAS_TEST(a_path_may_be_spelled_as_a_uri) {
    run r;
    const char *path = make_one_file(&r, 3, 3);
    nilas_str uri = NILAS_STR_EMPTY;
    CHECK_OK(nilas_str_print(r.arena, &uri, &r.err, "file://%s", path), r.err);
    delete_positions(&r, "d", uri.data, "[1]", NULL);
    CHECK_TEXT(ROWS(&r, "id"), "0 2");
    run_done(&r);
}

NILAS_TEST(deletes_of_another_file_do_nothing) {
    run r;
    (void)make_one_file(&r, 3, 3);
    delete_positions(&r, "d", "/elsewhere/data.parquet", "[1]", NULL);
    CHECK_TEXT(ROWS(&r, "id"), "0 1 2");
    run_done(&r);
}

NILAS_TEST(positions_beyond_a_wrong_record_count_are_deleted_too) {
    run r;
    const char *path = make_one_file(&r, 6, 2);
    delete_positions(&r, "d", path, "[1, 4]", NULL);
    CHECK_TEXT(ROWS(&r, "id"), "0 2 3 5");
    run_done(&r);
}

NILAS_TEST(a_file_listed_twice_loses_its_rows_twice) {
    run r;
    const char *path = make_one_file(&r, 2, 2);
    made_entry again = ADDED(.path = path, .record_count = 2);
    run_commit(&r, NILAS_MANIFEST_DATA, 0, &again, 1);
    delete_positions(&r, "d", path, "[0]", NULL);
    CHECK_TEXT(ROWS(&r, "id"), "1 1");
    run_done(&r);
}

NILAS_TEST(deleted_rows_come_marked_when_asked_for) {
    run r;
    const char *path = make_one_file(&r, 3, 3);
    delete_positions(&r, "d", path, "[1]", path);
    CHECK_TEXT(ROWS(&r, "id", "_deleted"), "0,false 1,true 2,false");
    run_done(&r);
}

NILAS_TEST(an_orc_delete_file_is_refused_by_name) {
    run r;
    (void)make_one_file(&r, 3, 3);
    made_entry entry =
        ADDED(.content = NILAS_FILE_POSITION_DELETES, .path = "/d.orc", .format = "ORC");
    run_commit(&r, NILAS_MANIFEST_DELETES, 0, &entry, 1);
    CHECK_TEXT(ROWS(&r, "id"), "?");
    CHECK_INT(r.err.code, NILAS_UNSUPPORTED);
    CHECK_CONTAINS(r.err.message, "/d.orc");
    run_done(&r);
}
