/*
 * nilas_local(number): the batches of an Arrow IPC stream as a DuckDB table function. Each scan
 * reads the stream from its beginning and writes only the columns that the SQL uses.
 */
#include "engine/local.h"

#include <nanoarrow/nanoarrow_ipc.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/vector_write.h"

/* --- the stream --- */

typedef struct byte_reader {
    nilas_str data;
    size_t at;
} byte_reader;

static ArrowErrorCode read_bytes(struct ArrowIpcInputStream *stream, uint8_t *out, int64_t size,
                                 int64_t *out_size, struct ArrowError *error) {
    (void)error;
    byte_reader *reader = stream->private_data;
    size_t left = reader->data.size - reader->at;
    size_t taken = size < 0 ? 0 : (size_t)size < left ? (size_t)size : left;
    if (taken > 0) {
        memcpy(out, reader->data.data + reader->at, taken);
    }
    reader->at += taken;
    *out_size = (int64_t)taken;
    return NANOARROW_OK;
}

static void release_reader(struct ArrowIpcInputStream *stream) {
    free(stream->private_data);
    stream->release = NULL;
}

nilas_code nilas_local__open_stream(nilas_str data, struct ArrowArrayStream *out,
                                    nilas_error *err) {
    nilas_local_shape unknown = {0};
    NILAS_TRY(nilas_local__check(data, &unknown, err));
    byte_reader *reader = calloc(1, sizeof(*reader));
    NILAS_REQUIRE(reader != NULL, err, NILAS_NOMEM, "out of memory for a local relation");
    reader->data = data;
    struct ArrowIpcInputStream input = {
        .read = read_bytes, .release = release_reader, .private_data = reader};
    struct ArrowIpcArrayStreamReaderOptions options = {.field_index = -1, .use_shared_buffers = 1};
    if (ArrowIpcArrayStreamReaderInit(out, &input, &options) != NANOARROW_OK) {
        if (input.release != NULL) {
            input.release(&input);
        }
        return nilas_fail(err, NILAS_NOMEM, "out of memory for a local relation");
    }
    return NILAS_OK;
}

nilas_code nilas_local__fail_stream(struct ArrowArrayStream *stream, int failed, nilas_error *err) {
    const char *why = stream->get_last_error(stream);
    return nilas_fail(err, failed == ENOMEM ? NILAS_NOMEM : NILAS_CORRUPT,
                      "the data are not an Arrow IPC stream that can be read: "
                      "%s",
                      why != NULL ? why : "out of memory");
}

nilas_code nilas_engine_local_type(nilas_arena *arena, nilas_str data, const nilas_type **out,
                                   nilas_error *err) {
    struct ArrowArrayStream stream = {0};
    struct ArrowSchema schema = {0};
    NILAS_TRY(nilas_local__open_stream(data, &stream, err));
    int failed = stream.get_schema(&stream, &schema);
    nilas_code code = failed != 0 ? nilas_local__fail_stream(&stream, failed, err)
                                  : nilas_local__type(arena, &schema, out, err);
    if (schema.release != NULL) {
        schema.release(&schema);
    }
    stream.release(&stream);
    return code;
}

/* --- the table function --- */

/** One scan. */
typedef struct local_scan {
    nilas_local_source *source;
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray batch;
    struct ArrowArrayView view; // of the batch
    int64_t next;               // row of the batch
    idx_t *columns;             // that the SQL uses, by position in the schema
    idx_t column_count;
    bool at_end;
} local_scan;

static void free_scan(void *pointer) {
    local_scan *scan = pointer;
    ArrowArrayViewReset(&scan->view);
    if (scan->batch.release != NULL) {
        scan->batch.release(&scan->batch);
    }
    if (scan->schema.release != NULL) {
        scan->schema.release(&scan->schema);
    }
    if (scan->stream.release != NULL) {
        scan->stream.release(&scan->stream);
    }
    free(scan->columns);
    free(scan);
}

static void note_failure(nilas_local_source *source, const nilas_error *err) {
    pthread_mutex_lock(&source->lock);
    if (!source->has_failure) {
        source->failure = *err;
        source->has_failure = true;
    }
    pthread_mutex_unlock(&source->lock);
}

static void bind_local(duckdb_bind_info info) {
    nilas_registry *registry = duckdb_bind_get_extra_info(info);
    duckdb_value value = duckdb_bind_get_parameter(info, 0);
    int32_t number = duckdb_get_int32(value);
    duckdb_destroy_value(&value);
    nilas_local_source *source = nilas_registry__find(registry, NILAS_REGISTRY_LOCAL, number);
    if (source == NULL) {
        duckdb_bind_set_error(info, "a local relation is no longer there");
        return;
    }
    for (size_t i = 0; i < source->type->field_count; i++) {
        char name[24];
        NILAS_AUTO_LOGICAL_TYPE type = nilas_engine__logical_type(source->type->fields[i].type);
        (void)snprintf(name, sizeof(name), "k%zu", i);
        duckdb_bind_add_result_column(info, name, type);
    }
    if (source->type->field_count == 0) { // DuckDB wants a column
        NILAS_AUTO_LOGICAL_TYPE type = duckdb_create_logical_type(DUCKDB_TYPE_BOOLEAN);
        duckdb_bind_add_result_column(info, "none", type);
    }
    // Eight bytes a value is a guess that is good enough for the order of joins.
    duckdb_bind_set_cardinality(info, source->data.size / (8 * (source->type->field_count + 1)),
                                false);
    duckdb_bind_set_bind_data(info, source, NULL);
}

static nilas_code open_scan(local_scan *scan, nilas_error *err) {
    struct ArrowError error = {0};
    NILAS_TRY(nilas_local__open_stream(scan->source->data, &scan->stream, err));
    int failed = scan->stream.get_schema(&scan->stream, &scan->schema);
    if (failed != 0) {
        return nilas_local__fail_stream(&scan->stream, failed, err);
    }
    nilas_local_shape shape;
    NILAS_TRY(nilas_local__shape(&scan->schema, &shape, err));
    NILAS_TRY(nilas_local__check(scan->source->data, &shape, err));
    NILAS_REQUIRE(ArrowArrayViewInitFromSchema(&scan->view, &scan->schema, &error) == NANOARROW_OK,
                  err, NILAS_CORRUPT, "the local relation's schema is wrong: %s", error.message);
    return NILAS_OK;
}

static void init_local(duckdb_init_info info) {
    local_scan *scan = calloc(1, sizeof(*scan));
    nilas_error err = NILAS_ERROR_INIT;
    if (scan == NULL) {
        duckdb_init_set_error(info, "out of memory");
        return;
    }
    duckdb_init_set_init_data(info, scan, free_scan);
    scan->source = duckdb_init_get_bind_data(info);
    scan->column_count = duckdb_init_get_column_count(info);
    scan->columns = calloc(scan->column_count + 1, sizeof(*scan->columns));
    if (scan->columns == NULL) {
        duckdb_init_set_error(info, "out of memory");
        return;
    }
    for (idx_t i = 0; i < scan->column_count; i++) {
        scan->columns[i] = duckdb_init_get_column_index(info, i);
    }
    duckdb_init_set_max_threads(info, 1);
    if (open_scan(scan, &err) != NILAS_OK) {
        note_failure(scan->source, &err);
        duckdb_init_set_error(info, err.message);
    }
}

/** Take the next batch that has rows; at_end when there is none. */
static nilas_code next_batch(local_scan *scan, nilas_error *err) {
    while (!scan->at_end && scan->next >= scan->batch.length) {
        struct ArrowError error = {0};
        if (scan->batch.release != NULL) {
            scan->batch.release(&scan->batch);
        }
        scan->batch = (struct ArrowArray){0};
        scan->next = 0;
        int failed = scan->stream.get_next(&scan->stream, &scan->batch);
        if (failed != 0) {
            return nilas_local__fail_stream(&scan->stream, failed, err);
        }
        scan->at_end = scan->batch.release == NULL;
        if (!scan->at_end) {
            NILAS_REQUIRE(ArrowArrayViewSetArray(&scan->view, &scan->batch, &error) == NANOARROW_OK,
                          err, NILAS_CORRUPT, "a batch of the local relation is wrong: %s",
                          error.message);
        }
    }
    return NILAS_OK;
}

static nilas_code fill_chunk(local_scan *scan, duckdb_data_chunk output, nilas_error *err) {
    NILAS_TRY(next_batch(scan, err));
    if (scan->at_end) {
        duckdb_data_chunk_set_size(output, 0);
        return NILAS_OK;
    }
    int64_t count = scan->batch.length - scan->next;
    int64_t limit = (int64_t)duckdb_vector_size();
    count = count < limit ? count : limit;
    for (idx_t i = 0; i < scan->column_count; i++) {
        idx_t column = scan->columns[i];
        if (column >= scan->source->type->field_count) {
            continue; // the row number, when only rows are counted
        }
        nilas_local_values values = {.view = scan->view.children[column],
                                     .schema = scan->schema.children[column],
                                     .type = scan->source->type->fields[column].type,
                                     .from = scan->next,
                                     .count = count};
        NILAS_TRY(nilas_local__copy(&values, duckdb_data_chunk_get_vector(output, i), 0, err));
    }
    scan->next += count;
    duckdb_data_chunk_set_size(output, (idx_t)count);
    return NILAS_OK;
}

static void run_local(duckdb_function_info info, duckdb_data_chunk output) {
    local_scan *scan = duckdb_function_get_init_data(info);
    nilas_error err = NILAS_ERROR_INIT;
    if (fill_chunk(scan, output, &err) != NILAS_OK) {
        note_failure(scan->source, &err);
        duckdb_function_set_error(info, err.message);
    }
}

nilas_code nilas_engine__register_local(duckdb_connection connection, nilas_registry *registry,
                                        nilas_error *err) {
    NILAS_AUTO_LOGICAL_TYPE integer = duckdb_create_logical_type(DUCKDB_TYPE_INTEGER);
    duckdb_table_function function = duckdb_create_table_function();
    duckdb_table_function_set_name(function, "nilas_local");
    duckdb_table_function_add_parameter(function, integer);
    duckdb_table_function_set_extra_info(function, registry, NULL);
    duckdb_table_function_supports_projection_pushdown(function, true);
    duckdb_table_function_set_bind(function, bind_local);
    duckdb_table_function_set_init(function, init_local);
    duckdb_table_function_set_function(function, run_local);
    duckdb_state state = duckdb_register_table_function(connection, function);
    duckdb_destroy_table_function(&function);
    NILAS_REQUIRE(state == DuckDBSuccess, err, NILAS_ENGINE,
                  "DuckDB does not take the function nilas_local");
    return NILAS_OK;
}

static void destroy_lock(void *lock) {
    pthread_mutex_destroy(lock);
}

nilas_code nilas_render__local(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                               nilas_error *err) {
    nilas_local_source *source;
    int32_t number = 0;
    NILAS_NEW(r->stmt, &source, err);
    source->data = plan->local->data;
    source->type = plan->local->type;
    pthread_mutex_init(&source->lock, NULL);
    NILAS_TRY(nilas_arena_on_release(r->stmt, destroy_lock, &source->lock, err));
    NILAS_TRY(nilas_job__register(r->job, NILAS_REGISTRY_LOCAL, source, &number, err));
    nilas_buf_add_text(out, plan->output_count == 0 ? "SELECT NULL AS \"_\"" : "SELECT ");
    for (size_t i = 0; i < plan->output_count; i++) {
        nilas_buf_print(out, "%sk%zu AS c%d", i > 0 ? ", " : "", i, plan->outputs[i].id);
    }
    nilas_buf_print(out, " FROM nilas_local(%d)", number);
    return NILAS_OK;
}
