/* Rows between DuckDB and memory: those of a plan one by one, and rows of ours into a file. */
#include "engine/rows_function.h"
#include "engine/writer.h"

/* ---- out of a plan ---- */

typedef struct row_walk {
    const nilas_ice_type *types;
    nilas_value *items;
    nilas_code (*body)(void *context, const nilas_value *items, nilas_error *err);
    void *context;
} row_walk;

static nilas_code walk_chunk(const row_walk *walk, nilas_arena *scratch, duckdb_data_chunk chunk,
                             nilas_error *err) {
    idx_t count = duckdb_data_chunk_get_size(chunk);
    for (idx_t row = 0; row < count; row++) {
        for (size_t i = 0; i < walk->types->field_count; i++) {
            const nilas_ice_type *type = walk->types->fields[i].type;
            // Text is borrowed from the chunk; only what is nested needs memory.
            bool needs_memory = nilas_ice_is_nested(type) || type->kind == NILAS_ICE_UUID;
            NILAS_TRY(nilas_engine__read_vector(needs_memory ? scratch : NULL,
                                                duckdb_data_chunk_get_vector(chunk, i), type, row,
                                                &walk->items[i], err));
        }
        NILAS_TRY(walk->body(walk->context, walk->items, err));
    }
    return NILAS_OK;
}

nilas_code nilas_engine_each(nilas_engine *engine, nilas_arena *stmt, const nilas_plan *plan,
                             const nilas_ice_type *types,
                             nilas_code (*body)(void *context, const nilas_value *items,
                                                nilas_error *err),
                             void *context, nilas_error *err) {
    NILAS_AUTO_JOB job = {.engine = engine, .stmt = stmt};
    NILAS_AUTO_QUERY_RUN run = {0};
    nilas_render r = {.job = &job, .stmt = stmt};
    row_walk walk = {.types = types, .body = body, .context = context};
    nilas_str sql;
    nilas_assert(types->field_count == plan->output_count && plan->output_count > 0);
    engine->context.now_micros = nilas_now_micros();
    NILAS_NEW_ARRAY(stmt, &walk.items, types->field_count, err);
    NILAS_TRY(nilas_engine__print_query(&r, plan, &sql, err));
    NILAS_TRY(nilas_job__start(&job, sql, &run, err));
    while (true) {
        NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
        NILAS_AUTO_CHUNK chunk = NULL;
        NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
        NILAS_TRY(nilas_job__fetch(&job, &run, &chunk, err));
        if (chunk == NULL) {
            return NILAS_OK;
        }
        NILAS_TRY(walk_chunk(&walk, scratch, chunk, err));
    }
}

/* ---- into a file ---- */

typedef struct memory_source {
    nilas_rows_source source;
    const nilas_row_file *file;
} memory_source;

typedef struct memory_rows {
    nilas_rows rows;
    const nilas_row_file *file;
    size_t next;
} memory_rows;

static nilas_code next_row(nilas_rows *base, nilas_arena *scratch, const nilas_value **out_row,
                           nilas_error *err) {
    memory_rows *rows = base->state;
    (void)scratch;
    (void)err;
    *out_row = rows->next < rows->file->row_count ? &rows->file->rows[rows->next++] : NULL;
    return NILAS_OK;
}

static nilas_code open_rows(void *context, size_t part, nilas_arena *arena, nilas_rows **out,
                            nilas_error *err) {
    const memory_source *source = context;
    memory_rows *rows;
    nilas_assert(part == 0);
    NILAS_NEW(arena, &rows, err);
    rows->file = source->file;
    rows->rows = (nilas_rows){.type = source->source.type,
                              .row_count_hint = (int64_t)source->file->row_count,
                              .next = next_row,
                              .state = rows};
    *out = &rows->rows;
    return NILAS_OK;
}

/** "SELECT k0, k1, … FROM nilas_rows(n)", which has one part and so one order. */
static nilas_code print_rows(nilas_job *job, const nilas_row_file *file, nilas_write_rows *out,
                             nilas_error *err) {
    NILAS_AUTO_BUF sql = NILAS_BUF_INIT(0);
    size_t count = file->schema->type.field_count;
    memory_source *source;
    int32_t number = 0;
    NILAS_NEW(job->stmt, &source, err);
    source->file = file;
    source->source = (nilas_rows_source){.type = &file->schema->type,
                                         .part_count = 1,
                                         .row_count_hint = (int64_t)file->row_count,
                                         .open = open_rows,
                                         .context = source};
    NILAS_TRY(nilas_rows_source__init(job->stmt, &source->source, err));
    NILAS_TRY(nilas_job__register(job, NILAS_REGISTRY_ROWS, &source->source, &number, err));
    NILAS_NEW_ARRAY(job->stmt, &out->columns, count, err);
    nilas_buf_add_text(&sql, "SELECT ");
    for (size_t i = 0; i < count; i++) {
        NILAS_TRY(nilas_str_print(job->stmt, &out->columns[i], err, "k%zu", i));
        nilas_buf_print(&sql, "%sk%zu", i > 0 ? ", " : "", i);
    }
    nilas_buf_print(&sql, " FROM nilas_rows(%d)", number);
    out->is_ordered = true;
    return nilas_buf_finish(&sql, job->stmt, &out->sql, err);
}

nilas_code nilas_engine_write_rows(nilas_engine *engine, nilas_arena *stmt,
                                   const nilas_row_file *file, nilas_data_file *out,
                                   nilas_error *err) {
    NILAS_AUTO_JOB job = {.engine = engine, .stmt = stmt};
    nilas_write_options write = {.table = file->table, .schema = file->schema};
    nilas_writer_options options = {.write = &write, .schema = file->schema};
    nilas_write_rows rows = {0};
    nilas_writer writer;
    nilas_str location;
    nilas_assert(file->row_count > 0);
    NILAS_TRY(nilas_writer__begin(&writer, &job, stmt, &options, err));
    NILAS_TRY(print_rows(&job, file, &rows, err));
    NILAS_TRY(nilas_str_print(stmt, &location, err, "%.*s%.*s", NILAS_FMT(file->location),
                              NILAS_FMT(writer.format.extension)));
    NILAS_PUSH(stmt, &writer.started, location, err);
    nilas_code code = writer.format.is_avro
                          ? nilas_write__avro(&writer, &rows, NULL, location, err)
                          : nilas_write__parquet(&writer, &rows, NULL, location, NULL, err);
    if (code != NILAS_OK) {
        nilas_writer__discard(&writer);
        return code;
    }
    nilas_assert(writer.files.count == 1);
    *out = writer.files.items[0];
    return NILAS_OK;
}
