/*
 * Row-level changes: run the plan, look which files lose rows, write what replaces them.
 *
 * The plan runs once, into a temporary table, because everything that follows asks it: how many
 * rows of which file, which positions, which new rows.
 */
#include "engine/change.h"

static nilas_code run_plan(nilas_change_run *run, nilas_error *err) {
    nilas_str query, sql;

    NILAS_TRY(nilas_engine__print_query(&run->render, run->change->plan, &query, err));
    NILAS_TRY(
        nilas_str_print(run->stmt, &sql, err, "CREATE TEMP TABLE " NILAS_CHANGE_TABLE " AS "));
    nilas_str parts[2] = {sql, query};
    NILAS_TRY(nilas_str_join(run->stmt, parts, 2, NILAS_STR_EMPTY, &sql, err));
    return nilas_write__execute(run->job, sql, err);
}

/** A target row that several source rows match has no one result. */
static nilas_code check_cardinality(nilas_change_run *run, nilas_error *err) {
    NILAS_AUTO_QUERY_RUN query = {0};
    NILAS_AUTO_CHUNK chunk = NULL;
    nilas_str sql;
    int32_t file = nilas_change__column(run, 1), pos = nilas_change__column(run, 2);

    if (!run->change->check_cardinality) {
        return NILAS_OK;
    }
    NILAS_TRY(nilas_str_print(run->stmt, &sql, err,
                              "SELECT 1 FROM " NILAS_CHANGE_TABLE " WHERE c%d IN (0, 1, 3) AND "
                              "c%d IS NOT NULL GROUP BY c%d, c%d HAVING count(*) > 1 LIMIT 1",
                              nilas_change__column(run, 0), file, file, pos));
    NILAS_TRY(nilas_job__start(run->job, sql, &query, err));
    NILAS_TRY(nilas_job__fetch(run->job, &query, &chunk, err));
    if (chunk == NULL || duckdb_data_chunk_get_size(chunk) == 0) {
        return NILAS_OK;
    }
    return nilas_fail_at(
        err, NILAS_INVALID, "MERGE_CARDINALITY_VIOLATION", -1,
        "The ON search condition of the MERGE statement matched a single row from the target table "
        "with multiple rows of the source table.\nThis could result in the target row being "
        "operated on more than once with an update or delete operation and is not allowed.");
}

static nilas_code count_actions(nilas_change_run *run, int64_t counts[4], nilas_error *err) {
    NILAS_AUTO_QUERY_RUN query = {0};
    nilas_str sql;
    int32_t action = nilas_change__column(run, 0);

    NILAS_TRY(nilas_str_print(
        run->stmt, &sql, err,
        "SELECT CAST(c%d AS BIGINT), CAST(count(*) AS BIGINT) FROM " NILAS_CHANGE_TABLE
        " GROUP BY 1",
        action));
    NILAS_TRY(nilas_job__start(run->job, sql, &query, err));
    while (true) {
        NILAS_AUTO_CHUNK chunk = NULL;
        NILAS_TRY(nilas_job__fetch(run->job, &query, &chunk, err));
        if (chunk == NULL) {
            return NILAS_OK;
        }
        const int64_t *actions = duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 0));
        const int64_t *rows = duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 1));
        for (idx_t i = 0; i < duckdb_data_chunk_get_size(chunk); i++) {
            nilas_assert(actions[i] >= 0 && actions[i] < 4);
            counts[actions[i]] = rows[i];
        }
    }
}

/* ---- files that lose rows ---- */

static bool is_target(const nilas_change_run *run, const nilas_bound_scan *scan) {
    if (scan->table != run->change->target.table || scan->metadata_table != NILAS_METADATA_NONE ||
        scan->snapshot != run->change->target.snapshot) {
        return false;
    }
    for (size_t i = 0; i < scan->column_count; i++) {
        if (scan->columns[i].field->id == NILAS_FIELD_POS) {
            return true;
        }
    }
    return false;
}

/** All files that the target's scan reads, by path. */
static nilas_code index_files(nilas_change_run *run, nilas_error *err) {
    nilas_map_init(&run->file_by_path, run->stmt, false);
    for (size_t i = 0; i < run->render.scans.count; i++) {
        const nilas_scan_source *source = run->render.scans.items[i];
        for (size_t g = 0; is_target(run, source->scan) && g < source->groups.count; g++) {
            const nilas_scan_group *group = source->groups.items[g];
            for (size_t t = 0; t < group->tasks.count; t++) {
                nilas_changed_file *file;
                NILAS_NEW(run->stmt, &file, err);
                file->task = group->tasks.items[t];
                file->deleted = group->deleted != NULL ? &group->deleted[t] : NULL;
                NILAS_TRY(nilas_map_put(&run->file_by_path, file->task->file.file_path, file, err));
            }
        }
    }
    return NILAS_OK;
}

static nilas_code note_files(nilas_change_run *run, duckdb_data_chunk chunk, nilas_error *err) {
    const void *paths = duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 0));
    const int64_t *counts = duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk, 1));

    for (idx_t i = 0; i < duckdb_data_chunk_get_size(chunk); i++) {
        nilas_str path = nilas_engine__string_at(paths, i);
        nilas_changed_file *file = nilas_map_find(&run->file_by_path, path);
        NILAS_REQUIRE(file != NULL, err, NILAS_ENGINE,
                      "a row is to be changed in a file that was not read: %.*s", NILAS_FMT(path));
        file->dropped = counts[i];
        NILAS_PUSH(run->stmt, &run->files, file, err);
    }
    return NILAS_OK;
}

static nilas_code find_files(nilas_change_run *run, nilas_error *err) {
    NILAS_AUTO_QUERY_RUN query = {0};
    nilas_str sql;
    int32_t file = nilas_change__column(run, 1), pos = nilas_change__column(run, 2);

    NILAS_TRY(index_files(run, err));
    NILAS_TRY(
        nilas_str_print(run->stmt, &sql, err,
                        "SELECT c%d, CAST(count(DISTINCT c%d) AS BIGINT) FROM " NILAS_CHANGE_TABLE
                        " WHERE c%d IN " NILAS_CHANGE_DROPS " GROUP BY 1 ORDER BY 1",
                        file, pos, nilas_change__column(run, 0)));
    NILAS_TRY(nilas_job__start(run->job, sql, &query, err));
    while (true) {
        NILAS_AUTO_CHUNK chunk = NULL;
        NILAS_TRY(nilas_job__fetch(run->job, &query, &chunk, err));
        if (chunk == NULL) {
            return NILAS_OK;
        }
        NILAS_TRY(note_files(run, chunk, err));
    }
}

bool nilas_change__is_own_delete(const nilas_delete_file *delete_file, nilas_str path) {
    return delete_file->file.content == NILAS_FILE_POSITION_DELETES &&
           nilas_str_equal(delete_file->file.referenced_data_file, path);
}

/** Copy-on-write: changed files go, and the deletes that are about them alone. */
static nilas_code remove_files(nilas_change_run *run, nilas_error *err) {
    for (size_t i = 0; i < run->files.count; i++) {
        const nilas_scan_task *task = run->files.items[i]->task;
        NILAS_PUSH(run->stmt, &run->removed, task->file, err);
        for (size_t d = 0; d < task->delete_count; d++) {
            if (nilas_change__is_own_delete(task->deletes[d], task->file.file_path)) {
                NILAS_PUSH(run->stmt, &run->removed_deletes, task->deletes[d]->file, err);
            }
        }
    }
    return NILAS_OK;
}

/* ---- rows to write ---- */

nilas_code nilas_change__new_writer(nilas_change_run *run, const nilas_writer_options *options,
                                    nilas_writer **out, nilas_error *err) {
    nilas_writer *writer;

    NILAS_NEW(run->stmt, &writer, err);
    NILAS_TRY(nilas_writer__begin(writer, run->job, run->stmt, options, err));
    NILAS_PUSH(run->stmt, &run->writers, writer, err);
    *out = writer;
    return NILAS_OK;
}

/** "SELECT c7 AS w0, … FROM changes WHERE action adds". */
static nilas_code rows_that_come(nilas_change_run *run, size_t width, nilas_str *out,
                                 nilas_error *err) {
    NILAS_AUTO_BUF sql = NILAS_BUF_INIT(0);

    nilas_buf_add_text(&sql, "SELECT ");
    for (size_t i = 0; i < width; i++) {
        nilas_buf_print(&sql, "%sc%d AS w%zu", i > 0 ? ", " : "", nilas_change__column(run, 3 + i),
                        i);
    }
    nilas_buf_print(&sql, " FROM " NILAS_CHANGE_TABLE " WHERE c%d IN " NILAS_CHANGE_ADDS,
                    nilas_change__column(run, 0));
    return nilas_buf_finish(&sql, run->stmt, out, err);
}

static nilas_code write_rows(nilas_change_run *run, bool merge_on_read, const int64_t counts[4],
                             nilas_written *out, nilas_error *err) {
    nilas_write_rows rows = {0};
    nilas_writer_options how = {
        .write = &run->options, .schema = run->options.schema, .spec = run->options.spec};
    bool adds = counts[NILAS_CHANGE_UPDATE] + counts[NILAS_CHANGE_INSERT] > 0;
    nilas_str staying = {0}, coming;
    nilas_writer *writer;

    // Rows that are only new get their lineage from the commit.
    run->options.with_lineage =
        run->has_lineage && (!merge_on_read || counts[NILAS_CHANGE_UPDATE] > 0);
    NILAS_TRY(nilas_change__new_writer(run, &how, &writer, err));
    if (!merge_on_read) {
        NILAS_TRY(nilas_change__rows_that_stay(run, &staying, err));
    }
    if (!adds && staying.data == NULL) {
        return NILAS_OK;
    }
    NILAS_NEW_ARRAY(run->stmt, &rows.columns, writer->columns.count, err);
    for (size_t i = 0; i < writer->columns.count; i++) {
        NILAS_TRY(nilas_str_print(run->stmt, &rows.columns[i], err, "w%zu", i));
    }
    NILAS_TRY(rows_that_come(run, writer->columns.count, &coming, err));
    nilas_str parts[2] = {staying, coming};
    if (staying.data == NULL) {
        rows.sql = coming;
    } else {
        NILAS_TRY(nilas_str_join(run->stmt, parts, adds ? 2 : 1, NILAS_STR(" UNION ALL "),
                                 &rows.sql, err));
    }
    NILAS_TRY(nilas_writer__write(writer, &rows, err));
    nilas_write__give(writer, out);
    return NILAS_OK;
}

/* ---- entry point ---- */

static nilas_code run_change(nilas_change_run *run, bool merge_on_read, nilas_change_result *out,
                             nilas_error *err) {
    nilas_change_result result = {0};
    int64_t counts[4] = {0};

    NILAS_TRY(run_plan(run, err));
    NILAS_TRY(check_cardinality(run, err));
    NILAS_TRY(count_actions(run, counts, err));
    NILAS_TRY(find_files(run, err));
    NILAS_TRY(write_rows(run, merge_on_read, counts, &result.added, err));
    NILAS_TRY(merge_on_read ? nilas_change__write_deletes(run, err) : remove_files(run, err));
    if (nilas_cancelled(run->engine->options.cancel)) {
        return nilas_fail(err, NILAS_CANCELLED, "the query was cancelled");
    }
    result.removed = run->removed.items;
    result.removed_count = run->removed.count;
    result.added_deletes = run->added_deletes.items;
    result.added_delete_count = run->added_deletes.count;
    result.removed_deletes = run->removed_deletes.items;
    result.removed_delete_count = run->removed_deletes.count;
    result.deleted_rows = counts[NILAS_CHANGE_DELETE];
    result.updated_rows = counts[NILAS_CHANGE_UPDATE];
    result.inserted_rows = counts[NILAS_CHANGE_INSERT];
    *out = result;
    return NILAS_OK;
}

nilas_code nilas_engine_change(nilas_engine *engine, nilas_arena *stmt,
                               const nilas_bound_change *change, const nilas_write_options *options,
                               bool merge_on_read, nilas_change_result *out, nilas_error *err) {
    NILAS_AUTO_JOB job = {.engine = engine, .stmt = stmt};
    nilas_change_run run = {
        .engine = engine,
        .job = &job,
        .stmt = stmt,
        .render = {.job = &job, .stmt = stmt},
        .change = change,
        .options = *options,
        .column_count = options->schema->type.field_count,
    };

    run.has_lineage = change->plan->output_count == 3 + run.column_count + 2;
    nilas_assert(run.has_lineage || change->plan->output_count == 3 + run.column_count);
    engine->context.now_micros = nilas_now_micros();
    nilas_code code = run_change(&run, merge_on_read, out, err);
    for (size_t i = 0; code != NILAS_OK && i < run.writers.count; i++) {
        nilas_writer__discard(run.writers.items[i]);
    }
    for (size_t i = 0; i < run.files.count; i++) {
        nilas_bitmap_free(run.files.items[i]->positions);
    }
    return code;
}
