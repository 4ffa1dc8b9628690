/* Snapshots: what is in them afterwards, what they say about themselves, what they refuse. */
#include "commit/commit.h"
#include "unit/commit/place.h"

static nilas_predicate *id_is(nilas_predicate_kind kind, int64_t id) {
    static nilas_value literal;
    static nilas_predicate leaf;
    literal = nilas_value_of_int(id);
    leaf = (nilas_predicate){.kind = kind,
                             .field_id = 1,
                             .type = nilas_ice_primitive(NILAS_ICE_LONG),
                             .literals = &literal,
                             .literal_count = 1};
    return &leaf;
}

NILAS_TEST(appends_are_seen_in_order_with_their_numbers) {
    for (int sqlite = 0; sqlite < 2; sqlite++) {
        place at;
        make_place(&at, sqlite);
        need_table(&at);
        for (int i = 0; i < 3; i++) {
            char name[8] = {'a', (char)('0' + i), '\0'};
            nilas_data_file file = make_file(&at, name, 10, i * 10, NULL);
            CHECK_OK(append(&at, &file), at.err);
        }
        CHECK_TEXT(live_now(&at), "a2:3 a1:2 a0:1");
        CHECK_TEXT(summary_of(&at, "operation"), "append");
        CHECK_TEXT(summary_of(&at, "added-data-files"), "1");
        CHECK_TEXT(summary_of(&at, "total-data-files"), "3");
        CHECK_TEXT(summary_of(&at, "total-records"), "30");
        CHECK_TEXT(summary_of(&at, "total-files-size"), "300");
        CHECK_TEXT(summary_of(&at, "manifests-created"), "1");
        CHECK_TEXT(summary_of(&at, "manifests-kept"), "2");
        CHECK_TEXT(summary_of(&at, "changed-partition-count"), "1");
        place_done(&at);
    }
}

NILAS_TEST(an_older_snapshot_stays_as_it_was) {
    place at;
    make_place(&at, false);
    need_table(&at);
    nilas_data_file a = make_file(&at, "a", 1, 1, NULL);
    nilas_data_file b = make_file(&at, "b", 1, 2, NULL);
    CHECK_OK(append(&at, &a), at.err);
    nilas_snapshot_change change = {
        .added = &b, .added_count = 1, .removed = &a, .removed_count = 1};
    CHECK_OK(commit_change(&at, &change), at.err);
    nilas_table *table = load(&at);
    CHECK_TEXT(live(&at, table, NULL), "b:2");
    CHECK_TEXT(live(&at, table, &table->metadata->snapshots[0]), "a:1");
    nilas_table_unref(table);
    CHECK_TEXT(summary_of(&at, "operation"), "overwrite");
    CHECK_TEXT(summary_of(&at, "deleted-data-files"), "1");
    CHECK_TEXT(summary_of(&at, "manifests-replaced"), "1");
    CHECK_TEXT(summary_of(&at, "total-records"), "1");
    place_done(&at);
}

NILAS_TEST(a_file_that_stays_keeps_its_number_when_its_manifest_is_rewritten) {
    place at;
    make_place(&at, false);
    need_table(&at);
    nilas_data_file files[] = {make_file(&at, "a", 1, 1, NULL), make_file(&at, "b", 1, 2, NULL)};
    nilas_snapshot_change both = {.added = files, .added_count = 2};
    CHECK_OK(commit_change(&at, &both), at.err);
    nilas_snapshot_change change = {.removed = files, .removed_count = 1};
    CHECK_OK(commit_change(&at, &change), at.err);
    CHECK_TEXT(live_now(&at), "b:1");
    CHECK_TEXT(summary_of(&at, "operation"), "delete");
    CHECK_FAILS(commit_change(&at, &change), NILAS_CONFLICT, at.err,
                "Missing required files to delete");
    CHECK_TEXT(live_now(&at), "b:1");
    place_done(&at);
}

NILAS_TEST(a_filter_takes_whole_files_and_refuses_parts) {
    place at;
    make_place(&at, true);
    need_table(&at);
    nilas_data_file a = make_file(&at, "a", 10, 0, NULL);
    nilas_data_file b = make_file(&at, "b", 10, 10, NULL);
    CHECK_OK(append(&at, &a), at.err);
    CHECK_OK(append(&at, &b), at.err);
    nilas_snapshot_change change = {.delete_filter = id_is(NILAS_PREDICATE_LT, 10)};
    CHECK_OK(commit_change(&at, &change), at.err);
    CHECK_TEXT(live_now(&at), "b:2");
    CHECK_TEXT(summary_of(&at, "operation"), "delete");
    change.delete_filter = id_is(NILAS_PREDICATE_LT, 15);
    CHECK_FAILS(commit_change(&at, &change), NILAS_INVALID, at.err,
                "Cannot delete file where some, but not all, rows match filter");
    CHECK_TEXT(live_now(&at), "b:2");
    nilas_snapshot_change all = {.delete_all = true, .added = &a, .added_count = 1};
    CHECK_OK(commit_change(&at, &all), at.err);
    CHECK_TEXT(live_now(&at), "a:4");
    CHECK_TEXT(summary_of(&at, "total-records"), "10");
    place_done(&at);
}

NILAS_TEST(a_dynamic_overwrite_replaces_the_partitions_that_it_touches) {
    place at;
    make_place(&at, false);
    at.partitioned = true;
    need_table(&at);
    nilas_data_file files[] = {make_file(&at, "x", 1, 1, "x"), make_file(&at, "y", 1, 2, "y"),
                               make_file(&at, "n", 1, 3, NULL)};
    nilas_snapshot_change all = {.added = files, .added_count = 3};
    CHECK_OK(commit_change(&at, &all), at.err);
    CHECK_TEXT(summary_of(&at, "changed-partition-count"), "3");
    nilas_data_file next[] = {make_file(&at, "x2", 1, 1, "x"), make_file(&at, "n2", 1, 1, NULL)};
    nilas_snapshot_change change = {.added = next, .added_count = 2, .replace_partitions = true};
    CHECK_OK(commit_change(&at, &change), at.err);
    CHECK_TEXT(live_now(&at), "x2:2 n2:2 y:1");
    CHECK_TEXT(summary_of(&at, "replace-partitions"), "true");
    CHECK_TEXT(summary_of(&at, "operation"), "overwrite");
    place_done(&at);
}

NILAS_TEST(deletes_apply_and_go_with_their_files) {
    place at;
    make_place(&at, false);
    at.version = "3";
    need_table(&at);
    nilas_data_file a = make_file(&at, "a", 10, 0, NULL);
    nilas_data_file b = make_file(&at, "b", 10, 10, NULL);
    CHECK_OK(append(&at, &a), at.err);
    CHECK_OK(append(&at, &b), at.err);
    nilas_data_file vector = make_deletes(&at, "dv", &a, true);
    nilas_snapshot_change change = {.added_deletes = &vector, .added_delete_count = 1};
    CHECK_OK(commit_change(&at, &change), at.err);
    CHECK_TEXT(live_now(&at), "b:2 a:1+1");
    CHECK_TEXT(summary_of(&at, "operation"), "delete");
    CHECK_TEXT(summary_of(&at, "added-dvs"), "1");
    CHECK_TEXT(summary_of(&at, "added-files-size"), "40");
    CHECK_TEXT(summary_of(&at, "added-position-delete-files"), "");
    nilas_data_file c = make_file(&at, "c", 9, 0, NULL);
    nilas_snapshot_change rewrite = {
        .operation = "replace", .added = &c, .added_count = 1, .removed = &a, .removed_count = 1};
    CHECK_OK(commit_change(&at, &rewrite), at.err);
    CHECK_TEXT(live_now(&at), "c:4 b:2");
    CHECK_TEXT(summary_of(&at, "removed-dvs"), "1");
    CHECK_TEXT(summary_of(&at, "total-delete-files"), "0");
    place_done(&at);
}

NILAS_TEST(version_3_gives_row_ids) {
    place at;
    make_place(&at, true);
    at.version = "3";
    need_table(&at);
    nilas_data_file a = make_file(&at, "a", 10, 0, NULL);
    nilas_data_file b = make_file(&at, "b", 5, 10, NULL);
    CHECK_OK(append(&at, &a), at.err);
    CHECK_OK(append(&at, &b), at.err);
    nilas_table *table = load(&at);
    CHECK_INT(table->metadata->next_row_id, 15);
    CHECK_INT(table->metadata->snapshots[0].first_row_id, 0);
    CHECK_INT(table->metadata->snapshots[1].first_row_id, 10);
    CHECK_INT(table->metadata->snapshots[1].added_rows, 5);
    nilas_scan_options options = {.snapshot = nilas_metadata_current_snapshot(table->metadata),
                                  .schema = nilas_metadata_current_schema(table->metadata)};
    nilas_scan_plan *plan;
    REQUIRE_OK(nilas_scan_plan_new(at.arena, table, &options, &plan, &at.err), at.err);
    CHECK_INT(plan->tasks[0].file.first_row_id, 10);
    CHECK_INT(plan->tasks[1].file.first_row_id, 0);
    nilas_table_unref(table);
    place_done(&at);
}

NILAS_TEST(version_1_is_written_too_and_upgrades) {
    place at;
    make_place(&at, false);
    at.version = "1";
    at.partitioned = true;
    need_table(&at);
    nilas_data_file a = make_file(&at, "a", 10, 0, "x");
    nilas_data_file b = make_file(&at, "b", 10, 0, "y");
    CHECK_OK(append(&at, &a), at.err);
    CHECK_OK(append(&at, &b), at.err);
    CHECK_TEXT(live_now(&at), "b:0 a:0");
    nilas_data_file deletes = make_deletes(&at, "d", &a, false);
    nilas_snapshot_change delta = {.added_deletes = &deletes, .added_delete_count = 1};
    CHECK_FAILS(commit_change(&at, &delta), NILAS_INVALID, at.err, "v1 table");
    nilas_snapshot_change remove = {.removed = &a, .removed_count = 1};
    CHECK_OK(commit_change(&at, &remove), at.err);
    CHECK_TEXT(live_now(&at), "b:0");
    place_done(&at);
}

NILAS_TEST(many_small_manifests_are_merged) {
    place at;
    make_place(&at, false);
    nilas_str db = NILAS_STR("db");
    nilas_property merge = {NILAS_STR("commit.manifest.min-count-to-merge"), NILAS_STR("3")};
    CHECK_OK(nilas_catalog_create_namespace(at.catalog, &db, 1, NULL, 0, &at.err), at.err);
    CHECK_OK(create_table(&at, &merge, 1), at.err);
    for (int i = 0; i < 3; i++) {
        char name[8] = {'a', (char)('0' + i), '\0'};
        nilas_data_file file = make_file(&at, name, 10, i * 10, NULL);
        CHECK_OK(append(&at, &file), at.err);
    }
    CHECK_TEXT(live_now(&at), "a2:3 a1:2 a0:1");
    CHECK_TEXT(summary_of(&at, "manifests-created"), "1");
    CHECK_TEXT(summary_of(&at, "manifests-kept"), "0");
    CHECK_TEXT(summary_of(&at, "manifests-replaced"), "3");
    nilas_data_file file = make_file(&at, "a3", 10, 30, NULL);
    nilas_snapshot_change fast = {.added = &file, .added_count = 1};
    CHECK_OK(commit_change(&at, &fast), at.err);
    CHECK_TEXT(summary_of(&at, "manifests-kept"), "1");
    CHECK_TEXT(live_now(&at), "a3:4 a2:3 a1:2 a0:1");
    place_done(&at);
}

NILAS_TEST(a_rewrite_may_keep_an_older_number) {
    place at;
    make_place(&at, false);
    need_table(&at);
    nilas_data_file a = make_file(&at, "a", 10, 0, NULL);
    nilas_data_file b = make_file(&at, "b", 10, 0, NULL);
    nilas_data_file c = make_file(&at, "c", 10, 0, NULL);
    CHECK_OK(append(&at, &a), at.err);
    CHECK_OK(append(&at, &b), at.err);
    nilas_snapshot_change rewrite = {.operation = "replace",
                                     .added = &c,
                                     .added_count = 1,
                                     .removed = &a,
                                     .removed_count = 1,
                                     .data_sequence_number = 1};
    CHECK_OK(commit_change(&at, &rewrite), at.err);
    CHECK_TEXT(live_now(&at), "c:1 b:2");
    place_done(&at);
}

NILAS_TEST(a_staged_snapshot_moves_nothing_and_a_branch_moves_itself) {
    place at;
    make_place(&at, true);
    need_table(&at);
    nilas_data_file a = make_file(&at, "a", 10, 0, NULL);
    nilas_data_file b = make_file(&at, "b", 10, 0, NULL);
    CHECK_OK(append(&at, &a), at.err);
    nilas_property wap = {NILAS_STR("wap.id"), NILAS_STR("w1")};
    nilas_snapshot_change staged = {
        .added = &b, .added_count = 1, .stage_only = true, .summary = &wap, .summary_count = 1};
    CHECK_OK(commit_change(&at, &staged), at.err);
    CHECK_TEXT(live_now(&at), "a:1");
    nilas_snapshot_change audit = {.added = &b, .added_count = 1, .branch = NILAS_STR("audit")};
    CHECK_OK(commit_change(&at, &audit), at.err);
    CHECK_TEXT(live_now(&at), "a:1");
    nilas_table *table = load(&at);
    CHECK_INT(table->metadata->snapshot_count, 3);
    CHECK_INT(table->metadata->snapshot_log_count, 1);
    CHECK_STR(table->metadata->snapshots[1].summary[0].value, "w1");
    const nilas_ref *ref = nilas_metadata_ref(table->metadata, NILAS_STR("audit"));
    REQUIRE(ref != NULL);
    CHECK_TEXT(live(&at, table, nilas_metadata_snapshot(table->metadata, ref->snapshot_id)),
               "b:3 a:1");
    nilas_table_unref(table);
    place_done(&at);
}

/** The id of the current snapshot. */
static int64_t current_id(place *at) {
    nilas_table *table = load(at);
    int64_t id = table->metadata->current_snapshot_id;
    nilas_table_unref(table);
    return id;
}

NILAS_TEST(concurrent_changes_conflict_by_isolation) {
    place at;
    make_place(&at, false);
    need_table(&at);
    nilas_data_file a = make_file(&at, "a", 10, 0, NULL);
    nilas_data_file b = make_file(&at, "b", 10, 10, NULL);
    nilas_data_file c = make_file(&at, "c", 10, 0, NULL);
    CHECK_OK(append(&at, &a), at.err);
    int64_t read = current_id(&at);
    CHECK_OK(append(&at, &b), at.err);
    nilas_snapshot_change change = {.added = &c,
                                    .added_count = 1,
                                    .removed = &a,
                                    .removed_count = 1,
                                    .read_snapshot_id = read,
                                    .isolation = NILAS_ISOLATION_SERIALIZABLE,
                                    .conflict_filter = id_is(NILAS_PREDICATE_GT, 5),
                                    .validate_deletes = true};
    CHECK_FAILS(commit_change(&at, &change), NILAS_CONFLICT, at.err,
                "Found conflicting files that can contain records matching");
    CHECK_TEXT(live_now(&at), "b:2 a:1");
    change.conflict_filter = id_is(NILAS_PREDICATE_LT, 5);
    CHECK_OK(commit_change(&at, &change), at.err);
    CHECK_TEXT(live_now(&at), "c:3 b:2");

    // New deletes on a file that is being rewritten would be lost.
    read = current_id(&at);
    nilas_data_file deletes = make_deletes(&at, "d", &c, false);
    nilas_snapshot_change delta = {
        .added_deletes = &deletes, .added_delete_count = 1, .read_snapshot_id = read};
    CHECK_OK(commit_change(&at, &delta), at.err);
    nilas_snapshot_change rewrite = {.operation = "replace",
                                     .added = &a,
                                     .added_count = 1,
                                     .removed = &c,
                                     .removed_count = 1,
                                     .read_snapshot_id = read,
                                     .validate_deletes = true};
    CHECK_FAILS(commit_change(&at, &rewrite), NILAS_CONFLICT, at.err,
                "found new delete for replaced data file");

    // And deletes of a file that was rewritten meanwhile would bring its rows back.
    read = current_id(&at);
    rewrite.read_snapshot_id = read;
    CHECK_OK(commit_change(&at, &rewrite), at.err);
    nilas_data_file late = make_deletes(&at, "late", &c, false);
    nilas_snapshot_change lost = {
        .added_deletes = &late, .added_delete_count = 1, .read_snapshot_id = read};
    CHECK_FAILS(commit_change(&at, &lost), NILAS_CONFLICT, at.err,
                "Cannot commit, missing data files");
    lost.read_snapshot_id = 12345;
    CHECK_FAILS(commit_change(&at, &lost), NILAS_CONFLICT, at.err, "Cannot determine history");
    place_done(&at);
}

NILAS_TEST(only_one_of_two_vectors_for_a_file_is_committed) {
    place at;
    make_place(&at, true);
    at.version = "3";
    need_table(&at);
    nilas_data_file a = make_file(&at, "a", 10, 0, NULL);
    CHECK_OK(append(&at, &a), at.err);
    int64_t read = current_id(&at);
    nilas_data_file one = make_deletes(&at, "one", &a, true);
    nilas_data_file two = make_deletes(&at, "two", &a, true);
    nilas_snapshot_change change = {
        .added_deletes = &one, .added_delete_count = 1, .read_snapshot_id = read};
    CHECK_OK(commit_change(&at, &change), at.err);
    change.added_deletes = &two;
    CHECK_FAILS(commit_change(&at, &change), NILAS_CONFLICT, at.err, "Found concurrently added DV");
    CHECK_TEXT(live_now(&at), "a:1+1");
    place_done(&at);
}
