/* Planning: laws of pruning and of workers, liveness of entries, incremental reads, bad input. */
#include "build.h"

#include <sys/stat.h>

#define COUNT_OF(list)     (sizeof(list) / sizeof((list)[0]))
#define FILES_PER_MANIFEST 50
#define MANIFESTS          7

/** MANIFESTS manifests of files whose ids are [lower, upper], in partitions a … e. */
static void make_many(made_table *made, bool unknown_counts) {
    static const char *const partitions[] = {"a", "b", "c", "d", "e", NULL};
    unsigned seed = 1;

    make_table(made, 2);
    for (int m = 0; m < MANIFESTS; m++) {
        made_entry entries[FILES_PER_MANIFEST] = {0};
        for (int i = 0; i < FILES_PER_MANIFEST; i++) {
            nilas_str path = NILAS_STR_EMPTY;
            seed = seed * 1103515245U + 12345U;
            MADE_OK(made, nilas_str_print(made->arena, &path, &made->err, "file-%d-%d", m, i));
            entries[i] = (made_entry){.status = (int)(seed >> 16) % 10 == 0 ? NILAS_ENTRY_DELETED
                                                                            : NILAS_ENTRY_ADDED,
                                      .path = path.data,
                                      .p = partitions[(seed >> 8) % COUNT_OF(partitions)],
                                      .has_id_stats = true,
                                      .id_lower = (int)(seed >> 20) % 40,
                                      .id_upper = (int)(seed >> 20) % 40 + (int)(seed >> 24) % 9};
        }
        make_manifest(made, &(made_manifest){.spec_id = 1,
                                             .sequence_number = 1,
                                             .added_snapshot_id = 1,
                                             .entries = entries,
                                             .entry_count = FILES_PER_MANIFEST,
                                             .unknown_counts = unknown_counts});
    }
    make_snapshot(made, 1, ABSENT, 1, "append");
    load_made(made, "");
}

static nilas_scan_plan *plan_filtered(made_table *made, const nilas_predicate *filter,
                                      uint32_t workers) {
    nilas_scan_plan *plan = NULL;
    nilas_scan_options options = {
        .snapshot = nilas_metadata_current_snapshot(made->table->metadata),
        .schema = nilas_metadata_current_schema(made->table->metadata),
        .filter = filter,
        .with_stats = true,
        .worker_count = workers,
    };
    MADE_OK(made, nilas_scan_plan_new(made->arena, made->table, &options, &plan, &made->err));
    return plan;
}

static nilas_predicate compare_id(nilas_predicate_kind kind, const nilas_value *literal) {
    return (nilas_predicate){.kind = kind,
                             .field_id = 1,
                             .type = nilas_ice_primitive(NILAS_ICE_LONG),
                             .literals = literal,
                             .literal_count = 1};
}

static void check_same_plans(const nilas_scan_plan *a, const nilas_scan_plan *b) {
    REQUIRE(a->task_count == b->task_count);
    for (size_t i = 0; i < a->task_count; i++) {
        CHECK_BYTES(a->tasks[i].file.file_path, b->tasks[i].file.file_path);
        CHECK(nilas_value_equal(&a->tasks[i].file.partition, &b->tasks[i].file.partition));
        CHECK_INT(a->tasks[i].sequence_number, b->tasks[i].sequence_number);
        CHECK_INT(a->tasks[i].all_rows_match, b->tasks[i].all_rows_match);
    }
    CHECK(memcmp(&a->counts, &b->counts, sizeof(a->counts)) == 0);
}

NILAS_TEST(plan_with_many_workers_equals_plan_with_one) {
    made_table made;
    nilas_value literal = nilas_value_of_int(20);
    nilas_predicate filter = compare_id(NILAS_PREDICATE_LT, &literal);

    make_many(&made, false);
    nilas_scan_plan *one = plan_filtered(&made, &filter, 1);
    for (uint32_t workers = 2; workers <= 8 && !made.failed; workers += 3) {
        check_same_plans(one, plan_filtered(&made, &filter, workers));
    }
    made_done(&made);
}

NILAS_TEST(plan_with_unknown_counts_equals_plan_with_known_ones) {
    made_table known, unknown;

    make_many(&known, false);
    make_many(&unknown, true);
    nilas_scan_plan *a = plan_filtered(&known, NULL, 1);
    nilas_scan_plan *b = plan_filtered(&unknown, NULL, 1);
    if (!known.failed && !unknown.failed) {
        CHECK(a->task_count > 200 && a->task_count < MANIFESTS * FILES_PER_MANIFEST);
        check_same_plans(a, b);
    }
    made_done(&known);
    made_done(&unknown);
}

static nilas_scan_plan *plan_first(made_table *made, int64_t rows) {
    nilas_scan_plan *plan = NULL;
    nilas_scan_options options = {
        .snapshot = nilas_metadata_current_snapshot(made->table->metadata),
        .schema = nilas_metadata_current_schema(made->table->metadata),
        .row_limit = rows,
    };
    MADE_OK(made, nilas_scan_plan_new(made->arena, made->table, &options, &plan, &made->err));
    return plan;
}

NILAS_TEST(manifests_behind_the_rows_asked_for_are_not_read) {
    made_table known, unknown;

    make_many(&known, false);
    make_many(&unknown, true);
    nilas_scan_plan *all = plan_filtered(&known, NULL, 1);
    for (int64_t rows = 1; rows < 5000 && !known.failed; rows = rows * 3 + 1) {
        nilas_scan_plan *plan = plan_first(&known, rows);
        REQUIRE(plan->task_count <= all->task_count);
        bool enough = plan->counts.rows_total >= rows;
        CHECK(enough || plan->task_count == all->task_count);
        for (size_t i = 0; i < plan->task_count; i++) {
            CHECK_BYTES(plan->tasks[i].file.file_path, all->tasks[i].file.file_path);
        }
    }
    CHECK_INT(plan_first(&known, 1)->counts.manifests_total, 1);
    CHECK_INT(plan_first(&unknown, 1)->counts.manifests_total, MANIFESTS); // counts are not known
    made_done(&known);
    made_done(&unknown);
}

/** Whether some and whether all ids in [lower, upper] satisfy the comparison. */
static void model(nilas_predicate_kind kind, const nilas_data_file *file, long long literal,
                  bool *out_some, bool *out_all) {
    nilas_str lower, upper;
    nilas_value low = NILAS_NULL_VALUE, high = NILAS_NULL_VALUE;
    const nilas_ice_type *type = nilas_ice_primitive(NILAS_ICE_LONG);

    *out_some = false;
    *out_all = true;
    if (!nilas_bound_find(file->lower_bounds, file->lower_bound_count, 1, &lower) ||
        !nilas_bound_find(file->upper_bounds, file->upper_bound_count, 1, &upper) ||
        nilas_ice_value_decode(NULL, type, lower, &low, NULL) != NILAS_OK ||
        nilas_ice_value_decode(NULL, type, upper, &high, NULL) != NILAS_OK) {
        return;
    }
    for (long long id = low.integer; id <= high.integer; id++) {
        bool holds = kind == NILAS_PREDICATE_LT      ? id < literal
                     : kind == NILAS_PREDICATE_LT_EQ ? id <= literal
                     : kind == NILAS_PREDICATE_GT    ? id > literal
                     : kind == NILAS_PREDICATE_GT_EQ ? id >= literal
                     : kind == NILAS_PREDICATE_EQ    ? id == literal
                                                     : id != literal;
        *out_some = *out_some || holds;
        *out_all = *out_all && holds;
    }
}

static bool is_planned(const nilas_scan_plan *plan, nilas_str path, bool *out_all) {
    for (size_t i = 0; i < plan->task_count; i++) {
        if (nilas_str_equal(plan->tasks[i].file.file_path, path)) {
            *out_all = plan->tasks[i].all_rows_match;
            return true;
        }
    }
    return false;
}

NILAS_TEST(a_pruned_file_has_no_matching_row) {
    made_table made;

    make_many(&made, false);
    nilas_scan_plan *all = plan_filtered(&made, NULL, 1);
    for (int kind = NILAS_PREDICATE_LT; kind <= NILAS_PREDICATE_NOT_EQ && !made.failed; kind++) {
        for (long long number = -1; number < 50 && !made.failed; number += 3) {
            nilas_value literal = nilas_value_of_int(number);
            nilas_predicate filter = compare_id((nilas_predicate_kind)kind, &literal);
            nilas_scan_plan *plan = plan_filtered(&made, &filter, 1);
            for (size_t i = 0; i < all->task_count; i++) {
                bool some, every, claims_all = false;
                model((nilas_predicate_kind)kind, &all->tasks[i].file, number, &some, &every);
                bool planned = is_planned(plan, all->tasks[i].file.file_path, &claims_all);
                CHECK(planned || !some);
                CHECK(!claims_all || every);
            }
            CHECK_INT(plan->counts.files_total, plan->task_count +
                                                    plan->counts.files_dropped_by_metrics +
                                                    plan->counts.files_dropped_by_partition);
        }
    }
    made_done(&made);
}

NILAS_TEST(a_filter_on_the_partition_keeps_its_files_only) {
    made_table made;
    nilas_value literal = nilas_value_of_str(NILAS_STR("c"));
    nilas_predicate filter = {.kind = NILAS_PREDICATE_EQ,
                              .field_id = 2,
                              .type = nilas_ice_primitive(NILAS_ICE_STRING),
                              .literals = &literal,
                              .literal_count = 1};
    size_t expected = 0;

    make_many(&made, false);
    nilas_scan_plan *all = plan_filtered(&made, NULL, 1);
    nilas_scan_plan *plan = plan_filtered(&made, &filter, 2);
    for (size_t i = 0; !made.failed && i < all->task_count; i++) {
        const nilas_value *p = &all->tasks[i].file.partition.items[0];
        expected += p->kind == NILAS_VALUE_STRING && nilas_str_is(p->text, "c");
    }
    CHECK_INT(plan->task_count, expected);
    for (size_t i = 0; !made.failed && i < plan->task_count; i++) {
        CHECK(plan->tasks[i].all_rows_match);
    }
    made_done(&made);
}

NILAS_TEST(existing_entries_keep_their_own_sequence_numbers) {
    made_table made;
    // Data of 1 was deleted by 2, came again in 3; the manifests were rewritten in 4.
    static const made_entry data[] = {
        {.status = NILAS_ENTRY_EXISTING, .snapshot_id = 1, .sequence_number = 1, .path = "first"},
        {.status = NILAS_ENTRY_EXISTING, .snapshot_id = 3, .sequence_number = 3, .path = "again"},
    };
    static const made_entry deletes[] = {
        {.status = NILAS_ENTRY_ADDED,
         .content = NILAS_FILE_EQUALITY_DELETES,
         .path = "eq",
         .equality_id = 1}, // inherits the manifest's 2
    };

    make_table(&made, 2);
    make_manifest(&made, &(made_manifest){.sequence_number = 4,
                                          .added_snapshot_id = 4,
                                          .entries = data,
                                          .entry_count = 2});
    make_manifest(&made, &(made_manifest){.content = NILAS_MANIFEST_DELETES,
                                          .sequence_number = 2,
                                          .added_snapshot_id = 2,
                                          .entries = deletes,
                                          .entry_count = 1});
    make_snapshot(&made, 4, ABSENT, 4, "replace");
    load_made(&made, "");
    nilas_scan_plan *plan = plan_made(&made, 1);
    CHECK_TEXT(deletes_of(&made, plan, "first"), "eq");
    CHECK_TEXT(deletes_of(&made, plan, "again"), "");
    made_done(&made);
}

NILAS_TEST(record_counts_beyond_32_bits_add_up) {
    made_table made;
    static const made_entry data[] = {
        {.status = NILAS_ENTRY_ADDED, .path = "one", .record_count = 1500000000},
        {.status = NILAS_ENTRY_ADDED, .path = "two", .record_count = 1500000000},
    };

    make_table(&made, 2);
    make_manifest(&made, &(made_manifest){.sequence_number = 1,
                                          .added_snapshot_id = 1,
                                          .entries = data,
                                          .entry_count = 2});
    make_snapshot(&made, 1, ABSENT, 1, "append");
    load_made(&made, "");
    nilas_scan_plan *plan = plan_made(&made, 1);
    CHECK_INT(plan->counts.rows_total, 3000000000LL);
    made_done(&made);
}

NILAS_TEST(a_table_without_snapshot_has_no_tasks) {
    made_table made;

    make_table(&made, 2);
    load_made(&made, "");
    nilas_scan_plan *plan = plan_made(&made, 1);
    CHECK_INT(plan->task_count, 0);
    made_done(&made);
}

// ---- incremental reads -------------------------------------------------------------------------

static void add_append(made_table *made, long long id, long long parent, const char *operation) {
    nilas_str path = NILAS_STR_EMPTY;

    MADE_OK(made, nilas_str_print(made->arena, &path, &made->err, "file-%lld", id));
    made_entry entry = {.status = NILAS_ENTRY_ADDED, .snapshot_id = id, .path = path.data};
    make_manifest(made, &(made_manifest){.sequence_number = id,
                                         .added_snapshot_id = id,
                                         .entries = &entry,
                                         .entry_count = 1});
    make_snapshot(made, id, parent, id, operation);
}

static void make_history(made_table *made) {
    make_table(made, 2);
    add_append(made, 1, ABSENT, "append");
    add_append(made, 2, 1, "append");
    add_append(made, 3, 2, "replace");
    add_append(made, 4, 3, "overwrite");
    add_append(made, 5, 4, "append");
    load_made(made, "");
}

/** Paths of the tasks of (from, to], or the error's message. */
static const char *read_range(made_table *made, long long from, long long to) {
    nilas_scan_options options = {
        .incremental = true, .from_snapshot_id = from, .to_snapshot_id = to};
    nilas_scan_plan *plan = NULL;
    nilas_str joined = NILAS_STR_EMPTY;

    if (made->failed ||
        nilas_scan_plan_new(made->arena, made->table, &options, &plan, &made->err) != NILAS_OK) {
        return made->err.message;
    }
    for (size_t i = 0; i < plan->task_count; i++) {
        MADE_OK(made, nilas_str_print(made->arena, &joined, &made->err, "%s%s%.*s", joined.data,
                                      i > 0 ? " " : "", NILAS_FMT(plan->tasks[i].file.file_path)));
    }
    return joined.data;
}

NILAS_TEST(an_incremental_read_takes_files_of_append_snapshots_only) {
    made_table made;

    make_history(&made);
    CHECK_TEXT(read_range(&made, 1, 5), "file-2 file-5");
    CHECK_TEXT(read_range(&made, 1, 4), "file-2");
    CHECK_TEXT(read_range(&made, 2, 4), "");
    CHECK_TEXT(read_range(&made, -1, 2), "file-1 file-2");
    CHECK_TEXT(read_range(&made, 4, -1), "file-5");
    made_done(&made);
}

NILAS_TEST(an_incremental_read_needs_an_ancestor) {
    made_table made;

    make_history(&made);
    CHECK_TEXT(read_range(&made, 2, 2),
               "Starting snapshot (exclusive) 2 is not a parent ancestor of end snapshot 2");
    CHECK_TEXT(read_range(&made, 5, 1),
               "Starting snapshot (exclusive) 5 is not a parent ancestor of end snapshot 1");
    CHECK_TEXT(read_range(&made, 1, 99), "Cannot find the end snapshot: 99");
    made_done(&made);

    make_table(&made, 2);
    load_made(&made, "");
    CHECK_TEXT(read_range(&made, 1, -1),
               "End snapshot is not set and table has no current snapshot");
    made_done(&made);
}

NILAS_TEST(the_start_of_a_range_may_be_expired) {
    made_table made;

    make_table(&made, 2);
    add_append(&made, 2, 1, "append"); // snapshot 1 is gone
    add_append(&made, 3, 2, "append");
    load_made(&made, "");
    CHECK_TEXT(read_range(&made, 1, 3), "file-2 file-3");
    CHECK_TEXT(read_range(&made, 7, 3),
               "Starting snapshot (exclusive) 7 is not a parent ancestor of end snapshot 3");
    made_done(&made);
}

// ---- bad input ---------------------------------------------------------------------------------

/** Plan a table with one manifest after damage to a file below its metadata directory. */
static void check_damage(const char *file, void (*damage)(const char *path), nilas_code code,
                         const char *part) {
    made_table made;
    nilas_str path = NILAS_STR_EMPTY;
    nilas_scan_plan *plan = NULL;

    make_table(&made, 2);
    add_append(&made, 1, ABSENT, "append");
    load_made(&made, "");
    MADE_OK(&made,
            nilas_str_print(made.arena, &path, &made.err, "%s/metadata/%s", made.root, file));
    damage(path.data);
    if (!made.failed) {
        nilas_scan_options options = {.snapshot =
                                          nilas_metadata_current_snapshot(made.table->metadata)};
        CHECK_FAILS(nilas_scan_plan_new(made.arena, made.table, &options, &plan, &made.err), code,
                    made.err, part);
        CHECK_CONTAINS(made.err.message, file);
    }
    made_done(&made);
}

static void remove_file(const char *path) {
    CHECK(remove(path) == 0);
}
static void forbid_file(const char *path) {
    CHECK(chmod(path, 0) == 0);
}
static void cut_file(const char *path) {
    CHECK(truncate(path, 300) == 0);
}

NILAS_TEST(damage_is_reported_with_its_path) {
    check_damage("m0.avro", remove_file, NILAS_NOT_FOUND, "m0.avro");
    check_damage("snap-1.avro", remove_file, NILAS_NOT_FOUND, "snap-1.avro");
    check_damage("m0.avro", cut_file, NILAS_CORRUPT, "m0.avro");
    check_damage("snap-1.avro", cut_file, NILAS_CORRUPT, "snap-1.avro");
    if (geteuid() != 0) {
        check_damage("m0.avro", forbid_file, NILAS_DENIED, "m0.avro");
    }
}

NILAS_TEST(an_unknown_spec_is_refused) {
    made_table made;
    nilas_scan_plan *plan = NULL;
    static const made_entry entry = {.status = NILAS_ENTRY_ADDED, .path = "file"};

    make_table(&made, 2);
    make_manifest(&made, &(made_manifest){.spec_id = 7,
                                          .sequence_number = 1,
                                          .added_snapshot_id = 1,
                                          .entries = &entry,
                                          .entry_count = 1});
    make_snapshot(&made, 1, ABSENT, 1, "append");
    load_made(&made, "");
    nilas_scan_options options = {.snapshot =
                                      nilas_metadata_current_snapshot(made.table->metadata)};
    CHECK_FAILS(nilas_scan_plan_new(made.arena, made.table, &options, &plan, &made.err),
                NILAS_CORRUPT, made.err, "partition spec 7");
    made_done(&made);
}

NILAS_TEST(planning_can_be_cancelled) {
    made_table made;
    nilas_cancel cancel = {0};
    nilas_scan_plan *plan = NULL;

    make_many(&made, false);
    atomic_store(&cancel.requested, true);
    nilas_scan_options options = {.snapshot = nilas_metadata_current_snapshot(made.table->metadata),
                                  .cancel = &cancel};
    CHECK_CODE(nilas_scan_plan_new(made.arena, made.table, &options, &plan, &made.err),
               NILAS_CANCELLED, made.err);
    made_done(&made);
}
