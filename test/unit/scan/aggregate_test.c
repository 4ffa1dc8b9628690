/* Answers from metadata: exact, or not given. */
#include "build.h"

static const nilas_aggregate count_star = {.kind = NILAS_AGGREGATE_COUNT_STAR};

static nilas_aggregate of_column(nilas_aggregate_kind kind, int32_t field_id) {
    nilas_ice_kind type = field_id == 1   ? NILAS_ICE_LONG
                          : field_id == 2 ? NILAS_ICE_STRING
                                          : NILAS_ICE_DOUBLE;
    return (nilas_aggregate){.kind = kind, .field_id = field_id, .type = nilas_ice_primitive(type)};
}

/** A table of these data files in spec 1; when asked, a delete file that applies to the first. */
static void make_files(made_table *made, const made_entry *entries, size_t count, bool deletes) {
    made_entry position = {.status = NILAS_ENTRY_ADDED,
                           .content = NILAS_FILE_POSITION_DELETES,
                           .path = "pos",
                           .p = entries[0].p};

    make_table(made, 2);
    make_manifest(made, &(made_manifest){.spec_id = 1,
                                         .sequence_number = 1,
                                         .added_snapshot_id = 1,
                                         .entries = entries,
                                         .entry_count = count});
    if (deletes) {
        make_manifest(made, &(made_manifest){.content = NILAS_MANIFEST_DELETES,
                                             .spec_id = 1,
                                             .sequence_number = 1,
                                             .added_snapshot_id = 1,
                                             .entries = &position,
                                             .entry_count = 1});
    }
    make_snapshot(made, 1, ABSENT, 1, "append");
    load_made(made, "");
}

static bool answer(made_table *made, nilas_aggregate aggregate, nilas_value *out) {
    nilas_scan_options options = {
        .snapshot = nilas_metadata_current_snapshot(made->table->metadata), .with_stats = true};
    nilas_scan_plan *plan = NULL;
    bool exact = false;

    MADE_OK(made, nilas_scan_plan_new(made->arena, made->table, &options, &plan, &made->err));
    MADE_OK(made, nilas_scan_aggregate(made->arena, made->table, plan, &aggregate, 1, &exact, out,
                                       &made->err));
    return exact;
}

static const made_entry files[] = {
    {.status = NILAS_ENTRY_ADDED,
     .path = "one",
     .p = "a",
     .has_id_stats = true,
     .id_lower = 3,
     .id_upper = 9,
     .id_nulls = 2},
    {.status = NILAS_ENTRY_ADDED,
     .path = "two",
     .p = "b",
     .has_id_stats = true,
     .id_lower = -5,
     .id_upper = 4,
     .record_count = 5},
};

NILAS_TEST(counts_and_extremes_come_from_metrics) {
    made_table made;
    nilas_value value = NILAS_NULL_VALUE;

    make_files(&made, files, 2, false);
    CHECK(answer(&made, count_star, &value));
    CHECK_INT(value.integer, 15);
    CHECK(answer(&made, of_column(NILAS_AGGREGATE_COUNT, 1), &value));
    CHECK_INT(value.integer, 13);
    CHECK(answer(&made, of_column(NILAS_AGGREGATE_MIN, 1), &value));
    CHECK_INT(value.integer, -5);
    CHECK(answer(&made, of_column(NILAS_AGGREGATE_MAX, 1), &value));
    CHECK_INT(value.integer, 9);
    made_done(&made);
}

NILAS_TEST(an_identity_partition_answers_without_statistics) {
    made_table made;
    nilas_value value = NILAS_NULL_VALUE;
    made_entry with_null[3] = {files[0], files[1], files[1]};

    with_null[2].path = "three";
    with_null[2].p = NULL;
    make_files(&made, with_null, 3, false);
    CHECK(answer(&made, of_column(NILAS_AGGREGATE_COUNT, 2), &value));
    CHECK_INT(value.integer, 15);
    CHECK(answer(&made, of_column(NILAS_AGGREGATE_MAX, 2), &value));
    CHECK_STR(value.text, "b");
    CHECK(answer(&made, of_column(NILAS_AGGREGATE_MIN, 2), &value));
    CHECK_STR(value.text, "a");
    made_done(&made);
}

NILAS_TEST(a_delete_forbids_every_answer) {
    made_table made;
    nilas_value value = NILAS_NULL_VALUE;

    make_files(&made, files, 2, true);
    CHECK(!answer(&made, count_star, &value));
    CHECK(!answer(&made, of_column(NILAS_AGGREGATE_MAX, 1), &value));
    made_done(&made);
}

NILAS_TEST(absent_statistics_forbid_an_answer_about_the_column) {
    made_table made;
    nilas_value value = NILAS_NULL_VALUE;
    made_entry without[2] = {files[0], files[1]};

    without[1].has_id_stats = false;
    make_files(&made, without, 2, false);
    CHECK(answer(&made, count_star, &value));
    CHECK(!answer(&made, of_column(NILAS_AGGREGATE_COUNT, 1), &value));
    CHECK(!answer(&made, of_column(NILAS_AGGREGATE_MIN, 1), &value));
    CHECK(!answer(&made, of_column(NILAS_AGGREGATE_MAX, 3), &value)); // doubles without NaN counts
    CHECK(!answer(&made, of_column(NILAS_AGGREGATE_COUNT, 99), &value));
    made_done(&made);
}

NILAS_TEST(a_partial_match_forbids_an_answer) {
    made_table made;
    nilas_value literal = nilas_value_of_int(0), value = NILAS_NULL_VALUE;
    nilas_predicate filter = {.kind = NILAS_PREDICATE_GT,
                              .field_id = 1,
                              .type = nilas_ice_primitive(NILAS_ICE_LONG),
                              .literals = &literal,
                              .literal_count = 1};
    nilas_scan_plan *plan = NULL;
    bool exact = true;

    make_files(&made, files, 2, false);
    nilas_scan_options options = {
        .snapshot = nilas_metadata_current_snapshot(made.table->metadata),
        .schema = nilas_metadata_current_schema(made.table->metadata),
        .filter = &filter,
        .with_stats = true,
    };
    REQUIRE_OK(nilas_scan_plan_new(made.arena, made.table, &options, &plan, &made.err), made.err);
    CHECK_OK(nilas_scan_aggregate(made.arena, made.table, plan, &count_star, 1, &exact, &value,
                                  &made.err),
             made.err);
    CHECK(!exact);
    made_done(&made);
}

NILAS_TEST(extremes_of_no_rows_are_null) {
    made_table made;
    nilas_value value = nilas_value_of_int(1);

    make_table(&made, 2);
    load_made(&made, "");
    CHECK(answer(&made, of_column(NILAS_AGGREGATE_MAX, 1), &value));
    CHECK(nilas_value_is_null(&value));
    CHECK(answer(&made, count_star, &value));
    CHECK_INT(value.integer, 0);
    made_done(&made);
}
