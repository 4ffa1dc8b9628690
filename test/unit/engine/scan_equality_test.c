/* Equality deletes: nulls, sequence numbers, partitions. */
#include "run.h"

#define ADDED(...)                                                                                 \
    { .status = NILAS_ENTRY_ADDED, __VA_ARGS__ }

/** Commit a data file. */
static void add_data(run *r, const char *name, int spec_id, const char *p, const char *sql) {
    made_entry entry = ADDED(.path = run_write(r, name, sql, all_ids), .p = p);
    run_commit(r, NILAS_MANIFEST_DATA, spec_id, &entry, 1);
}

/** Commit an equality delete file by one column. */
static void add_delete(run *r, const char *name, made_entry entry, int spec_id, const char *sql) {
    entry.status = NILAS_ENTRY_ADDED;
    entry.content = NILAS_FILE_EQUALITY_DELETES;
    entry.path = run_write(r, name, sql, entry.equality_id == 1 ? "id: 1" : "p: 2");
    run_commit(r, NILAS_MANIFEST_DELETES, spec_id, &entry, 1);
}

static const char four_rows[] = "SELECT * FROM (VALUES (1::BIGINT, 'a', 1.0), (2, NULL, 2.0), (3, "
                                "'c', 3.0), (NULL, 'd', 4.0)) v(id, p, x)";

NILAS_TEST(null_in_a_delete_matches_null_and_sets_of_columns_add_up) {
    run r;
    run_init(&r, 2);
    add_data(&r, "f", 0, NULL, four_rows);
    add_delete(&r, "e1", (made_entry){.equality_id = 1}, 0, "SELECT 1::BIGINT AS id");
    add_delete(&r, "e2", (made_entry){.equality_id = 1}, 0, "SELECT NULL::BIGINT AS id");
    add_delete(&r, "e3", (made_entry){.equality_id = 2}, 0, "SELECT NULL::VARCHAR AS p");
    CHECK_TEXT(ROWS(&r, "id", "p"), "3,c");
    run_done(&r);
}

NILAS_TEST(rows_deleted_by_equality_come_marked_when_asked_for) {
    run r;
    run_init(&r, 2);
    add_data(&r, "f", 0, NULL, four_rows);
    add_delete(&r, "e1", (made_entry){.equality_id = 1}, 0, "SELECT 1::BIGINT AS id");
    add_delete(&r, "e3", (made_entry){.equality_id = 2}, 0, "SELECT 'd' AS p");
    CHECK_TEXT(sorted(&r, ROWS(&r, "x", "_deleted")), "1,true 2,false 3,false 4,true");
    run_done(&r);
}

NILAS_TEST(only_older_rows_are_deleted) {
    run r;
    run_init(&r, 2);
    add_data(&r, "old", 0, NULL, "SELECT 7::BIGINT AS id, 'old' AS p, 0.0 AS x");
    add_delete(&r, "e", (made_entry){.equality_id = 1}, 0, "SELECT 7::BIGINT AS id");
    add_data(&r, "new", 0, NULL, "SELECT 7::BIGINT AS id, 'new' AS p, 0.0 AS x");
    CHECK_TEXT(ROWS(&r, "id", "p"), "7,new");
    run_done(&r);
}

NILAS_TEST(a_delete_for_one_partition_leaves_the_others) {
    run r;
    run_init(&r, 2);
    add_data(&r, "a", 1, "a", "SELECT 1::BIGINT AS id, 'a' AS p, 0.0 AS x");
    add_data(&r, "b", 1, "b", "SELECT 1::BIGINT AS id, 'b' AS p, 0.0 AS x");
    add_delete(&r, "e", (made_entry){.equality_id = 1, .p = "a"}, 1, "SELECT 1::BIGINT AS id");
    CHECK_TEXT(ROWS(&r, "id", "p"), "1,b");
    run_done(&r);
}

NILAS_TEST(a_delete_of_an_unpartitioned_spec_reaches_every_partition) {
    run r;
    run_init(&r, 2);
    add_data(&r, "a", 1, "a", "SELECT 1::BIGINT AS id, 'a' AS p, 0.0 AS x");
    add_data(&r, "b", 1, "b", "SELECT unnest([1, 2])::BIGINT AS id, 'b' AS p, 0.0 AS x");
    add_delete(&r, "e", (made_entry){.equality_id = 1}, 0, "SELECT 1::BIGINT AS id");
    CHECK_TEXT(ROWS(&r, "id", "p"), "2,b");
    run_done(&r);
}

NILAS_TEST(a_column_that_the_query_does_not_read_still_deletes) {
    run r;
    run_init(&r, 2);
    add_data(&r, "f", 0, NULL, four_rows);
    add_delete(&r, "e", (made_entry){.equality_id = 2}, 0, "SELECT unnest(['a', 'd']) AS p");
    CHECK_TEXT(ROWS(&r, "x"), "2 3");
    run_done(&r);
}
