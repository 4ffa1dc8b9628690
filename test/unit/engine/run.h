/**
 * An engine over a small table, its Parquet files written by DuckDB, and rows as text.
 *
 * Cells are joined by "," and rows by " "; rows are in the order of the result, which for one
 * thread is the order of the files.
 */
#ifndef NILAS_TEST_UNIT_ENGINE_RUN_H
#define NILAS_TEST_UNIT_ENGINE_RUN_H

#include "engine/job.h"
#include "engine/result.h"
#include "unit/scan/build.h"

typedef struct run {
    made_table table;
    nilas_engine *engine;
    nilas_arena *arena;
    nilas_error err;
} run;

static const char all_ids[] = "id: 1, p: 2, x: 3";
static const char position_ids[] = "file_path: 2147483546, pos: 2147483545";

__attribute__((unused)) static void run_init(run *r, int format_version) {
    *r = (run){.err = NILAS_ERROR_INIT};
    nilas_engine_options options = {
        .zone = nilas_zone_find(NILAS_STR("UTC")), .ansi = true, .worker_count = 1};
    make_table(&r->table, format_version);
    r->arena = nilas_arena_new(NULL, 0);
    CHECK_OK(nilas_engine_new(&r->engine, &options, &r->err), r->err);
}

__attribute__((unused)) static void run_done(run *r) {
    nilas_engine_free(r->engine);
    nilas_arena_free(r->arena);
    made_done(&r->table);
}

/** Run SQL of DuckDB's. */
static void run_duckdb(run *r, const char *sql) {
    NILAS_AUTO_JOB job = {.engine = r->engine, .stmt = r->arena};
    NILAS_AUTO_QUERY_RUN query = {0};
    CHECK_OK(nilas_job__start(&job, nilas_str_of(sql), &query, &r->err), r->err);
}

/**
 * Write the rows of `sql` into a Parquet file of the table; `ids` NULL: without field ids. The
 * path lives as long as the run.
 */
__attribute__((unused)) static const char *run_write(run *r, const char *name, const char *sql,
                                                     const char *ids) {
    nilas_str path = NILAS_STR_EMPTY;
    nilas_str copy = NILAS_STR_EMPTY;
    CHECK_OK(nilas_str_print(r->arena, &path, &r->err, "%s/%s.parquet", r->table.root, name),
             r->err);
    CHECK_OK(nilas_str_print(r->arena, &copy, &r->err,
                             "COPY (%s) TO '%s' (FORMAT parquet, ROW_GROUP_SIZE 2048%s%s%s)", sql,
                             path.data, ids != NULL ? ", FIELD_IDS {" : "", ids != NULL ? ids : "",
                             ids != NULL ? "}" : ""),
             r->err);
    run_duckdb(r, copy.data);
    return path.data;
}

/** One commit: a manifest of these entries and a snapshot; sequence numbers count up from 1. */
__attribute__((unused)) static void run_commit(run *r, int content, int spec_id,
                                               const made_entry *entries, size_t count) {
    long long number = r->table.last_sequence_number + 1;
    made_manifest manifest = {.content = content,
                              .spec_id = spec_id,
                              .sequence_number = number,
                              .added_snapshot_id = number,
                              .entries = entries,
                              .entry_count = count};
    make_manifest(&r->table, &manifest);
    make_snapshot(&r->table, number, number > 1 ? number - 1 : ABSENT, number, "append");
}

static void print_cell(nilas_buf *out, const nilas_type *type, const nilas_value *value) {
    switch (value->kind) {
    case NILAS_VALUE_NULL: nilas_buf_add_text(out, "null"); break;
    case NILAS_VALUE_BOOL: nilas_buf_add_text(out, value->boolean ? "true" : "false"); break;
    case NILAS_VALUE_INT: nilas_buf_print(out, "%lld", (long long)value->integer); break;
    case NILAS_VALUE_FLOAT:
    case NILAS_VALUE_DOUBLE: nilas_buf_print(out, "%g", value->real); break;
    case NILAS_VALUE_DECIMAL: nilas_decimal_print(out, value->decimal, value->scale); break;
    case NILAS_VALUE_STRING:
    case NILAS_VALUE_BINARY: nilas_buf_add(out, value->text); break;
    default:
        nilas_buf_add_char(out, '[');
        for (size_t i = 0; i < value->count * (value->kind == NILAS_VALUE_MAP ? 2 : 1); i++) {
            size_t member = value->kind == NILAS_VALUE_LIST  ? 0
                            : value->kind == NILAS_VALUE_MAP ? i % 2
                                                             : i;
            nilas_buf_add_text(out, i > 0 ? ";" : "");
            print_cell(out, type->fields[member].type, &value->items[i]);
        }
        nilas_buf_add_char(out, ']');
        break;
    }
}

static void print_batch(run *r, nilas_buf *out, const nilas_type *type,
                        const struct ArrowArray *batch) {
    for (int64_t row = 0; row < batch->length; row++) {
        nilas_buf_add_text(out, out->size > 0 ? " " : "");
        for (size_t i = 0; i < type->field_count; i++) {
            nilas_value value = NILAS_NULL_VALUE;
            CHECK_OK(nilas_arrow__read_value(r->arena, batch->children[i], type->fields[i].type,
                                             row, &value, &r->err),
                     r->err);
            nilas_buf_add_text(out, i > 0 ? "," : "");
            print_cell(out, type->fields[i].type, &value);
        }
    }
}

/** All rows of a result as text; frees it. */
__attribute__((unused)) static const char *rows_of(run *r, nilas_result *result) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    nilas_str copy = NILAS_STR_EMPTY;
    struct ArrowArray batch = {0};
    bool more = result != NULL;
    while (more) {
        nilas_code code = nilas_result_next(result, &batch, &r->err);
        CHECK_OK(code, r->err);
        more = code == NILAS_OK && batch.release != NULL;
        if (more) {
            print_batch(r, &text, nilas_result_type(result), &batch);
            batch.release(&batch);
        }
    }
    nilas_result_free(result);
    CHECK_OK(nilas_buf_finish(&text, r->arena, &copy, &r->err), r->err);
    return copy.data;
}

/** Run a plan; its rows as text, "?" when it fails. */
__attribute__((unused)) static const char *run_plan(run *r, const nilas_plan *plan) {
    nilas_result *result = NULL;
    nilas_arena *stmt = nilas_arena_new(NULL, 0);
    nilas_code code = nilas_engine_run(r->engine, stmt, plan, &result, &r->err);
    if (code != NILAS_OK) {
        nilas_arena_free(stmt);
        printf("    (%s)\n", r->err.message);
        return "?";
    }
    return rows_of(r, result);
}

static const nilas_ice_field *metadata_field(const char *name) {
    static nilas_ice_field fields[] = {
        {.id = NILAS_FIELD_FILE, .name = {"_file", 5}},
        {.id = NILAS_FIELD_POS, .name = {"_pos", 4}},
        {.id = NILAS_FIELD_DELETED, .name = {"_deleted", 8}},
        {.id = NILAS_FIELD_SPEC_ID, .name = {"_spec_id", 8}},
    };
    static const nilas_ice_kind kinds[] = {NILAS_ICE_STRING, NILAS_ICE_LONG, NILAS_ICE_BOOLEAN,
                                           NILAS_ICE_INT};
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        fields[i].type = nilas_ice_primitive(kinds[i]);
        if (nilas_str_is(fields[i].name, name)) {
            return &fields[i];
        }
    }
    return NULL;
}

/** A scan of these columns (ends with NULL) of the loaded table, attributes 1, 2 …. */
__attribute__((unused)) static nilas_plan *run_scan(run *r, const char *const *columns) {
    size_t count = 0;
    while (columns[count] != NULL) {
        count++;
    }
    void *memory[4] = {0};
    size_t sizes[4] = {sizeof(nilas_plan), sizeof(nilas_bound_scan),
                       count * sizeof(nilas_attribute), count * sizeof(nilas_scan_column)};
    for (size_t i = 0; i < 4; i++) {
        CHECK_OK(nilas_arena_alloc(r->arena, sizes[i], &memory[i], &r->err), r->err);
    }
    nilas_plan *plan = memory[0];
    nilas_bound_scan *scan = memory[1];
    *plan = (nilas_plan){
        .kind = NILAS_PLAN_SCAN, .outputs = memory[2], .output_count = count, .scan = scan};
    *scan =
        (nilas_bound_scan){.table = r->table.table,
                           .name = NILAS_STR("t"),
                           .columns = memory[3],
                           .column_count = count,
                           .snapshot = nilas_metadata_current_snapshot(r->table.table->metadata),
                           .schema = nilas_metadata_current_schema(r->table.table->metadata)};
    for (size_t i = 0; i < count; i++) {
        const nilas_ice_field *field = metadata_field(columns[i]);
        field =
            field != NULL ? field : nilas_schema_find_name(scan->schema, nilas_str_of(columns[i]));
        scan->columns[i].field = field;
        scan->with_deleted = scan->with_deleted || field->id == NILAS_FIELD_DELETED;
        plan->outputs[i] =
            (nilas_attribute){.id = (int32_t)i + 1, .name = field->name, .nullable = true};
        CHECK_OK(nilas_bind_ice_type(r->arena, field->type, &plan->outputs[i].type, &r->err),
                 r->err);
    }
    return plan;
}

static int compare_words(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/**
 * The rows of a text from rows_of() in alphabetical order, for results without one of their own.
 */
__attribute__((unused)) static const char *sorted(run *r, const char *rows) {
    char *words[256];
    size_t count = 0;
    nilas_str copy = NILAS_STR_EMPTY;
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    CHECK_OK(nilas_str_print(r->arena, &copy, &r->err, "%s", rows), r->err);
    char *rest = NULL;
    for (char *word = strtok_r((char *)(uintptr_t)copy.data, " ", &rest);
         word != NULL && count < 256; word = strtok_r(NULL, " ", &rest)) {
        words[count++] = word;
    }
    qsort(words, count, sizeof(words[0]), compare_words);
    for (size_t i = 0; i < count; i++) {
        nilas_buf_print(&text, "%s%s", i > 0 ? " " : "", words[i]);
    }
    CHECK_OK(nilas_buf_finish(&text, r->arena, &copy, &r->err), r->err);
    return copy.data;
}

/** Rows of these columns of the table, which is loaded first. */
#define ROWS(r, ...) run_columns((r), (const char *const[]){__VA_ARGS__, NULL})
__attribute__((unused)) static const char *run_columns(run *r, const char *const *columns) {
    if (r->table.table == NULL) {
        load_made(&r->table, "");
    }
    return run_plan(r, run_scan(r, columns));
}

#endif
