/* Which deletes apply: each rule of the specification with its nearest non-example. */
#include "build.h"

#define COUNT_OF(list) (sizeof(list) / sizeof((list)[0]))

/** Data files "old" (sequence 4) and "new" (sequence 5) in partitions a and b of spec 1. */
static void make_data(made_table *made) {
    static const made_entry entries[] = {
        {.status = NILAS_ENTRY_ADDED, .sequence_number = 4, .path = "old-a", .p = "a"},
        {.status = NILAS_ENTRY_ADDED, .sequence_number = 5, .path = "new-a", .p = "a"},
        {.status = NILAS_ENTRY_ADDED, .sequence_number = 4, .path = "old-b", .p = "b"},
        {.status = NILAS_ENTRY_ADDED, .sequence_number = 4, .path = "old-null", .p = NULL},
    };
    make_manifest(made, &(made_manifest){.spec_id = 1,
                                         .sequence_number = 5,
                                         .added_snapshot_id = 1,
                                         .entries = entries,
                                         .entry_count = COUNT_OF(entries)});
}

static nilas_scan_plan *plan_with(made_table *made, int spec_id, const made_entry *deletes,
                                  size_t count) {
    make_table(made, 3);
    make_data(made);
    make_manifest(made, &(made_manifest){.content = NILAS_MANIFEST_DELETES,
                                         .spec_id = spec_id,
                                         .sequence_number = 5,
                                         .added_snapshot_id = 1,
                                         .entries = deletes,
                                         .entry_count = count});
    make_snapshot(made, 1, ABSENT, 5, "append");
    load_made(made, "");
    return made->failed ? NULL : plan_made(made, 1);
}

#define EQUALITY(name, partition)                                                                  \
    {                                                                                              \
        .status = NILAS_ENTRY_ADDED, .content = NILAS_FILE_EQUALITY_DELETES, .path = (name),       \
        .p = (partition), .sequence_number = 5, .equality_id = 1                                   \
    }
#define POSITION(name, partition)                                                                  \
    {                                                                                              \
        .status = NILAS_ENTRY_ADDED, .content = NILAS_FILE_POSITION_DELETES, .path = (name),       \
        .p = (partition), .sequence_number = 5                                                     \
    }

NILAS_TEST(equality_deletes_remove_strictly_older_rows_of_their_partition) {
    made_table made;
    made_entry deletes[] = {EQUALITY("eq", "a")};
    nilas_scan_plan *plan = plan_with(&made, 1, deletes, 1);
    CHECK_TEXT(deletes_of(&made, plan, "old-a"), "eq");
    CHECK_TEXT(deletes_of(&made, plan, "new-a"), "");
    CHECK_TEXT(deletes_of(&made, plan, "old-b"), "");
    CHECK_TEXT(deletes_of(&made, plan, "old-null"), "");
    made_done(&made);
}

NILAS_TEST(equality_deletes_of_the_null_partition_stay_there) {
    made_table made;
    made_entry deletes[] = {EQUALITY("eq", NULL)};
    nilas_scan_plan *plan = plan_with(&made, 1, deletes, 1);
    CHECK_TEXT(deletes_of(&made, plan, "old-null"), "eq");
    CHECK_TEXT(deletes_of(&made, plan, "old-a"), "");
    made_done(&made);
}

NILAS_TEST(equality_deletes_of_an_unpartitioned_spec_reach_every_partition) {
    for (int spec_id = 0; spec_id <= 2; spec_id += 2) { // without fields; with void ones only
        made_table made;
        made_entry deletes[] = {EQUALITY("eq", NULL)};
        nilas_scan_plan *plan = plan_with(&made, spec_id, deletes, 1);
        CHECK_TEXT(deletes_of(&made, plan, "old-a"), "eq");
        CHECK_TEXT(deletes_of(&made, plan, "new-a"), "");
        CHECK_TEXT(deletes_of(&made, plan, "old-b"), "eq");
        CHECK_TEXT(deletes_of(&made, plan, "old-null"), "eq");
        made_done(&made);
    }
}

NILAS_TEST(position_deletes_remove_rows_of_files_as_old_as_they_are) {
    made_table made;
    made_entry deletes[] = {POSITION("pos5", "a"), POSITION("pos4", "a"), POSITION("pos3", "a")};
    deletes[1].sequence_number = 4;
    deletes[2].sequence_number = 3;
    nilas_scan_plan *plan = plan_with(&made, 1, deletes, COUNT_OF(deletes));
    CHECK_TEXT(deletes_of(&made, plan, "old-a"), "pos5 pos4");
    CHECK_TEXT(deletes_of(&made, plan, "new-a"), "pos5");
    CHECK_TEXT(deletes_of(&made, plan, "old-b"), "");
    CHECK_INT(plan->delete_count, 2);
    CHECK_INT(plan->counts.delete_files_total, 3);
    made_done(&made);
}

NILAS_TEST(position_deletes_of_an_unpartitioned_spec_are_not_global) {
    made_table made;
    made_entry deletes[] = {POSITION("pos", NULL)};
    nilas_scan_plan *plan = plan_with(&made, 0, deletes, 1);
    CHECK_TEXT(deletes_of(&made, plan, "old-a"), "");
    made_done(&made);
}

NILAS_TEST(position_deletes_that_name_a_file_reach_only_that_file) {
    made_table made;
    made_entry deletes[] = {POSITION("by-reference", "a"), POSITION("by-bounds", "a")};
    deletes[0].referenced = "old-a";
    deletes[1].path_lower = deletes[1].path_upper = "new-a";
    nilas_scan_plan *plan = plan_with(&made, 1, deletes, COUNT_OF(deletes));
    CHECK_TEXT(deletes_of(&made, plan, "old-a"), "by-reference");
    CHECK_TEXT(deletes_of(&made, plan, "new-a"), "by-bounds");
    made_done(&made);
}

NILAS_TEST(bounds_of_file_path_exclude_files_outside) {
    made_table made;
    made_entry deletes[] = {POSITION("n-to-nz", "a"), POSITION("inverted", "a")};
    deletes[0].path_lower = "n";
    deletes[0].path_upper = "nz";
    deletes[1].path_lower = "z"; // impossible bounds say nothing
    deletes[1].path_upper = "a";
    nilas_scan_plan *plan = plan_with(&made, 1, deletes, COUNT_OF(deletes));
    CHECK_TEXT(deletes_of(&made, plan, "old-a"), "inverted");
    CHECK_TEXT(deletes_of(&made, plan, "new-a"), "n-to-nz inverted");
    made_done(&made);
}

NILAS_TEST(a_deletion_vector_supersedes_position_deletes_but_not_equality_deletes) {
    made_table made;
    made_entry deletes[] = {POSITION("pos", "a"), POSITION("vector", "a"), EQUALITY("eq", "a")};
    deletes[1].format = "PUFFIN";
    deletes[1].referenced = "old-a";
    deletes[1].content_offset = 4;
    deletes[1].content_size = 40;
    nilas_scan_plan *plan = plan_with(&made, 1, deletes, COUNT_OF(deletes));
    CHECK_TEXT(deletes_of(&made, plan, "old-a"), "vector eq");
    CHECK_TEXT(deletes_of(&made, plan, "new-a"), "pos");
    made_done(&made);
}

/** Plan and expect a refusal. */
static void check_refused(const made_entry *deletes, size_t count, const char *part) {
    made_table made;
    nilas_scan_plan *plan = NULL;
    make_table(&made, 3);
    make_data(&made);
    make_manifest(&made, &(made_manifest){.content = NILAS_MANIFEST_DELETES,
                                          .spec_id = 1,
                                          .sequence_number = 5,
                                          .added_snapshot_id = 1,
                                          .entries = deletes,
                                          .entry_count = count});
    make_snapshot(&made, 1, ABSENT, 5, "append");
    load_made(&made, "");
    if (!made.failed) {
        nilas_scan_options options = {.snapshot =
                                          nilas_metadata_current_snapshot(made.table->metadata)};
        CHECK_FAILS(nilas_scan_plan_new(made.arena, made.table, &options, &plan, &made.err),
                    NILAS_CORRUPT, made.err, part);
    }
    made_done(&made);
}

NILAS_TEST(impossible_deletes_are_refused) {
    made_entry twice[] = {POSITION("one", "a"), POSITION("two", "a")};
    twice[0].format = twice[1].format = "PUFFIN";
    twice[0].referenced = twice[1].referenced = "old-a";
    check_refused(twice, 2, "Can't index multiple DVs for old-a");

    made_entry older[] = {POSITION("vector", "a")};
    older[0].format = "PUFFIN";
    older[0].referenced = "new-a";
    older[0].sequence_number = 4;
    check_refused(older, 1, "must be greater than or equal to data file sequence number (5)");

    made_entry nameless[] = {POSITION("vector", "a")};
    nameless[0].format = "PUFFIN";
    check_refused(nameless, 1, "does not name the data file");

    made_entry columnless[] = {EQUALITY("eq", "a")};
    columnless[0].equality_id = 0;
    check_refused(columnless, 1, "names no columns");
}
