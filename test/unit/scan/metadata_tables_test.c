/* Metadata tables: names, and that their numbers agree with each other and with a plan. */
#include "build.h"

#define COUNT_OF(list) (sizeof(list) / sizeof((list)[0]))

/** Two appends and a delete in two specs; one file of the first append is gone again. */
static void make_history(made_table *made) {
    static const made_entry first[] = {
        {.status = NILAS_ENTRY_ADDED, .snapshot_id = 1, .path = "a1", .p = "a"},
        {.status = NILAS_ENTRY_ADDED,
         .snapshot_id = 1,
         .path = "null",
         .p = NULL,
         .has_id_stats = true,
         .id_lower = 4,
         .id_upper = 8,
         .id_nulls = 1},
        {.status = NILAS_ENTRY_DELETED,
         .snapshot_id = 2,
         .sequence_number = 1,
         .path = "gone",
         .p = "a"},
    };
    static const made_entry second[] = {
        {.status = NILAS_ENTRY_ADDED, .snapshot_id = 2, .path = "plain", .record_count = 7}};
    static const made_entry deletes[] = {{.status = NILAS_ENTRY_ADDED,
                                          .snapshot_id = 2,
                                          .content = NILAS_FILE_POSITION_DELETES,
                                          .path = "pos",
                                          .p = "a",
                                          .record_count = 2},
                                         {.status = NILAS_ENTRY_ADDED,
                                          .snapshot_id = 2,
                                          .content = NILAS_FILE_EQUALITY_DELETES,
                                          .path = "eq",
                                          .p = "a",
                                          .record_count = 3,
                                          .equality_id = 1}};

    make_table(made, 2);
    make_manifest(made, &(made_manifest){.spec_id = 1,
                                         .sequence_number = 1,
                                         .added_snapshot_id = 1,
                                         .entries = first,
                                         .entry_count = 3,
                                         .p_lower = "a",
                                         .p_upper = "a"});
    make_snapshot(made, 1, ABSENT, 1, "append");
    make_manifest(made, &(made_manifest){.sequence_number = 2,
                                         .added_snapshot_id = 2,
                                         .entries = second,
                                         .entry_count = 1});
    make_manifest(made, &(made_manifest){.content = NILAS_MANIFEST_DELETES,
                                         .spec_id = 1,
                                         .sequence_number = 2,
                                         .added_snapshot_id = 2,
                                         .entries = deletes,
                                         .entry_count = 2});
    make_snapshot(made, 2, 1, 2, "overwrite");
    load_made(made, "");
}

/** All rows of a table as one list, in the test's arena. */
static size_t read_rows(made_table *made, nilas_metadata_table kind, const bool *wanted,
                        const nilas_value ***out_rows, const nilas_ice_type **out_type) {
    NILAS_ARRAY_OF(const nilas_value *) list = {0};
    nilas_rows *rows = NULL;
    const nilas_value *row = NULL;

    MADE_OK(made, nilas_metadata_table_rows(made->arena, made->table, kind,
                                            nilas_metadata_current_snapshot(made->table->metadata),
                                            wanted, &rows, &made->err));
    while (!made->failed) {
        nilas_value *copy = made_items(made, 1);
        MADE_OK(made, rows->next(rows, made->arena, &row, &made->err));
        if (row == NULL || made->failed) {
            break;
        }
        MADE_OK(made, nilas_value_copy(made->arena, row, copy, &made->err));
        MADE_OK(made, nilas_array_grow(made->arena, &list.items, list.count, &list.capacity,
                                       sizeof(*list.items), &made->err));
        list.items[list.count++] = copy;
    }
    *out_rows = list.items;
    *out_type = rows != NULL ? rows->type : NULL;
    return list.count;
}

static size_t count_rows(made_table *made, nilas_metadata_table kind) {
    const nilas_value **rows;
    const nilas_ice_type *type;
    return read_rows(made, kind, NULL, &rows, &type);
}

static const nilas_value *cell(const nilas_value *row, const nilas_ice_type *type,
                               const char *column) {
    static const nilas_value absent = NILAS_NULL_VALUE;
    for (size_t i = 0; row != NULL && i < type->field_count; i++) {
        if (nilas_str_is(type->fields[i].name, column)) {
            return &row->items[i];
        }
    }
    NILAS_TEST_FAIL("no column %s", column);
    return &absent;
}

static long long sum(const nilas_value **rows, size_t count, const nilas_ice_type *type,
                     const char *column) {
    long long total = 0;
    for (size_t i = 0; i < count; i++) {
        total += cell(rows[i], type, column)->integer;
    }
    return total;
}

NILAS_TEST(names_are_found_without_case_and_back) {
    for (int kind = NILAS_METADATA_ENTRIES; kind <= NILAS_METADATA_CHANGES; kind++) {
        const char *name = nilas_metadata_table_name((nilas_metadata_table)kind);
        CHECK_INT(nilas_metadata_table_find(nilas_str_of(name)), kind);
    }
    CHECK_INT(nilas_metadata_table_find(NILAS_STR("All_Data_FILES")),
              NILAS_METADATA_ALL_DATA_FILES);
    CHECK_INT(nilas_metadata_table_find(NILAS_STR("file")), NILAS_METADATA_NONE);
    CHECK_INT(nilas_metadata_table_find(NILAS_STR("")), NILAS_METADATA_NONE);
}

NILAS_TEST(counts_of_the_tables_agree) {
    made_table made;

    make_history(&made);
    nilas_scan_plan *plan = plan_made(&made, 1);
    size_t data = count_rows(&made, NILAS_METADATA_DATA_FILES);
    size_t deletes = count_rows(&made, NILAS_METADATA_DELETE_FILES);
    CHECK_INT(data, 3);
    CHECK_INT(deletes, 2);
    CHECK_INT(plan->task_count, data);
    CHECK_INT(count_rows(&made, NILAS_METADATA_FILES), data + deletes);
    CHECK_INT(count_rows(&made, NILAS_METADATA_ENTRIES), data + deletes + 1); // and the deleted one
    CHECK_INT(count_rows(&made, NILAS_METADATA_ALL_ENTRIES), data + deletes + 1);
    CHECK_INT(count_rows(&made, NILAS_METADATA_ALL_FILES), data + deletes);
    CHECK_INT(count_rows(&made, NILAS_METADATA_ALL_DATA_FILES), data);
    CHECK_INT(count_rows(&made, NILAS_METADATA_ALL_DELETE_FILES), deletes);
    CHECK_INT(count_rows(&made, NILAS_METADATA_MANIFESTS), 3);
    CHECK_INT(count_rows(&made, NILAS_METADATA_ALL_MANIFESTS), 1 + 3); // one per snapshot
    CHECK_INT(count_rows(&made, NILAS_METADATA_SNAPSHOTS), 2);
    CHECK_INT(count_rows(&made, NILAS_METADATA_REFS), 1);
    CHECK_INT(count_rows(&made, NILAS_METADATA_LOG_ENTRIES), 1);
    made_done(&made);
}

NILAS_TEST(partitions_count_data_apart_from_deletes_and_specs_apart) {
    made_table made;
    const nilas_value **rows;
    const nilas_ice_type *type;

    make_history(&made);
    size_t count = read_rows(&made, NILAS_METADATA_PARTITIONS, NULL, &rows, &type);
    REQUIRE(count == 3); // a and null of spec 1, and spec 0, which looks like null
    CHECK_INT(sum(rows, count, type, "record_count"), 27);
    CHECK_INT(sum(rows, count, type, "file_count"), 3);
    CHECK_INT(sum(rows, count, type, "position_delete_record_count"), 2);
    CHECK_INT(sum(rows, count, type, "position_delete_file_count"), 1);
    CHECK_INT(sum(rows, count, type, "equality_delete_record_count"), 3);
    CHECK_INT(sum(rows, count, type, "total_data_file_size_in_bytes"), 3000);
    CHECK_STR(cell(rows[0], type, "partition")->items[0].text, "a");
    CHECK_INT(cell(rows[0], type, "last_updated_snapshot_id")->integer, 2);
    CHECK_INT(cell(rows[1], type, "last_updated_snapshot_id")->integer, 1);
    CHECK(nilas_value_is_null(&cell(rows[2], type, "partition")->items[0]));
    CHECK_INT(cell(rows[2], type, "spec_id")->integer, 0);
    made_done(&made);
}

NILAS_TEST(readable_metrics_show_bounds_as_values) {
    made_table made;
    const nilas_value **rows;
    const nilas_ice_type *type;

    make_history(&made);
    size_t count = read_rows(&made, NILAS_METADATA_FILES, NULL, &rows, &type);
    REQUIRE(count == 5);
    const nilas_ice_field *metrics = &type->fields[type->field_count - 1];
    CHECK_STR(metrics->name, "readable_metrics");
    CHECK_STR(metrics->type->fields[0].name, "id");
    const nilas_value *of_id = &cell(rows[1], type, "readable_metrics")->items[0];
    CHECK(nilas_value_is_null(&of_id->items[0])); // column_size
    CHECK_INT(of_id->items[1].integer, 10);
    CHECK_INT(of_id->items[2].integer, 1);
    CHECK_INT(of_id->items[4].integer, 4);
    CHECK_INT(of_id->items[5].integer, 8);
    CHECK(nilas_value_is_null(&cell(rows[0], type, "readable_metrics")->items[0].items[4]));
    made_done(&made);
}

NILAS_TEST(columns_that_nobody_wants_may_be_null) {
    made_table made;
    const nilas_value **rows;
    const nilas_ice_type *type;
    bool wanted[64] = {false};

    make_history(&made);
    wanted[1] = true; // file_path
    size_t count = read_rows(&made, NILAS_METADATA_FILES, wanted, &rows, &type);
    REQUIRE(count == 5);
    CHECK_STR(rows[1]->items[1].text, "null");
    CHECK(nilas_value_is_null(cell(rows[1], type, "readable_metrics")));
    CHECK(nilas_value_is_null(cell(rows[1], type, "lower_bounds")));
    made_done(&made);
}

NILAS_TEST(manifests_tell_deletes_from_data_and_bounds_as_text) {
    made_table made;
    const nilas_value **rows;
    const nilas_ice_type *type;

    make_history(&made);
    size_t count = read_rows(&made, NILAS_METADATA_MANIFESTS, NULL, &rows, &type);
    REQUIRE(count == 3);
    CHECK_INT(cell(rows[0], type, "added_data_files_count")->integer, 2);
    CHECK_INT(cell(rows[0], type, "deleted_data_files_count")->integer, 1);
    CHECK_INT(cell(rows[0], type, "added_delete_files_count")->integer, 0);
    CHECK_INT(cell(rows[2], type, "added_delete_files_count")->integer, 2);
    CHECK_INT(cell(rows[2], type, "added_data_files_count")->integer, 0);
    const nilas_value *summaries = cell(rows[0], type, "partition_summaries");
    REQUIRE(summaries->kind == NILAS_VALUE_LIST && summaries->count == 1);
    CHECK_STR(summaries->items[0].items[2].text, "a");
    CHECK(nilas_value_is_null(cell(rows[1], type, "partition_summaries")));
    made_done(&made);
}

NILAS_TEST(position_deletes_are_live_position_delete_files) {
    made_table made;
    nilas_delete_file *files = NULL;
    size_t count = 0;

    make_history(&made);
    const nilas_metadata *metadata = made.table->metadata;
    CHECK_OK(nilas_scan_position_deletes(made.arena, made.table,
                                         nilas_metadata_current_snapshot(metadata), &files, &count,
                                         &made.err),
             made.err);
    REQUIRE(count == 1);
    CHECK_STR(files[0].file.file_path, "pos");
    CHECK_OK(nilas_scan_position_deletes(made.arena, made.table,
                                         nilas_metadata_snapshot(metadata, 1), &files, &count,
                                         &made.err),
             made.err);
    CHECK_INT(count, 0);
    made_done(&made);
}

NILAS_TEST(tables_without_a_snapshot_are_empty) {
    static const nilas_metadata_table kinds[] = {
        NILAS_METADATA_ENTRIES,     NILAS_METADATA_FILES,     NILAS_METADATA_PARTITIONS,
        NILAS_METADATA_ALL_ENTRIES, NILAS_METADATA_MANIFESTS, NILAS_METADATA_ALL_MANIFESTS,
        NILAS_METADATA_SNAPSHOTS,   NILAS_METADATA_HISTORY,   NILAS_METADATA_REFS};
    made_table made;

    make_table(&made, 2);
    load_made(&made, "");
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        CHECK_INT(count_rows(&made, kinds[i]), 0);
    }
    CHECK_INT(count_rows(&made, NILAS_METADATA_LOG_ENTRIES), 1);
    made_done(&made);
}

NILAS_TEST(rows_that_are_not_read_here_are_refused) {
    made_table made;
    nilas_rows *rows = NULL;
    const nilas_ice_type *type = NULL;

    make_history(&made);
    CHECK_FAILS(nilas_metadata_table_rows(made.arena, made.table, NILAS_METADATA_CHANGES, NULL,
                                          NULL, &rows, &made.err),
                NILAS_UNSUPPORTED, made.err, "changes");
    CHECK_OK(
        nilas_metadata_table_type(made.arena, made.table, NILAS_METADATA_CHANGES, &type, &made.err),
        made.err);
    CHECK_INT(type->field_count, 6);
    CHECK_OK(nilas_metadata_table_type(made.arena, made.table, NILAS_METADATA_POSITION_DELETES,
                                       &type, &made.err),
             made.err);
    CHECK_INT(type->field_count, 6); // v2: without content_offset and content_size_in_bytes
    made_done(&made);
}
