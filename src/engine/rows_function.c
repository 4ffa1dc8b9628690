/*
 * nilas_rows(number): a table function over our pull sources. Each thread takes the next part
 * (file), pulls its rows and writes them into the chunk's vectors.
 */
#include "engine/rows_function.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/scan_source.h"
#include "engine/vector_write.h"

/** Shared by the threads of one execution. */
typedef struct rows_run {
    nilas_rows_source *source;
    atomic_size_t next_part;
} rows_run;

/** Of one thread. */
typedef struct rows_reader {
    size_t part;
    nilas_arena *arena;   // of the part
    nilas_arena *scratch; // of the chunk
    nilas_rows *rows;     // NULL: take the next part
} rows_reader;

nilas_code nilas_rows_source__init(nilas_arena *arena, nilas_rows_source *source,
                                   nilas_error *err) {
    nilas_assert(source->type != NULL && source->open != NULL);
    source->column_count = source->type->field_count - (source->has_position ? 1 : 0);
    NILAS_NEW_ARRAY(arena, &source->columns, source->column_count, err);
    for (size_t i = 0; i < source->column_count; i++) {
        NILAS_TRY(
            nilas_bind_ice_type(arena, source->type->fields[i].type, &source->columns[i], err));
    }
    pthread_mutex_init(&source->lock, NULL);
    return NILAS_OK;
}

static void note_failure(nilas_rows_source *source, const nilas_error *err) {
    pthread_mutex_lock(&source->lock);
    if (!source->has_failure) {
        source->failure = *err;
        source->has_failure = true;
    }
    pthread_mutex_unlock(&source->lock);
}

static void bind_rows(duckdb_bind_info info) {
    nilas_registry *registry = duckdb_bind_get_extra_info(info);
    duckdb_value value = duckdb_bind_get_parameter(info, 0);
    int32_t number = duckdb_get_int32(value);
    duckdb_destroy_value(&value);
    nilas_rows_source *source = nilas_registry__find(registry, NILAS_REGISTRY_ROWS, number);
    if (source == NULL) {
        duckdb_bind_set_error(info, "a row source is no longer open");
        return;
    }
    for (size_t i = 0; i < source->column_count; i++) {
        char name[24];
        NILAS_AUTO_LOGICAL_TYPE type = nilas_engine__logical_type(source->columns[i]);
        (void)snprintf(name, sizeof(name), "k%zu", i);
        duckdb_bind_add_result_column(info, name, type);
    }
    if (source->has_position || source->column_count == 0) { // DuckDB wants a column
        NILAS_AUTO_LOGICAL_TYPE file = duckdb_create_logical_type(DUCKDB_TYPE_UBIGINT);
        NILAS_AUTO_LOGICAL_TYPE row = duckdb_create_logical_type(DUCKDB_TYPE_BIGINT);
        duckdb_bind_add_result_column(info, "file_index", file);
        duckdb_bind_add_result_column(info, "file_row_number", row);
    }
    if (source->row_count_hint >= 0) {
        duckdb_bind_set_cardinality(info, (idx_t)source->row_count_hint, false);
    }
    duckdb_bind_set_bind_data(info, source, NULL);
}

static void init_rows(duckdb_init_info info) {
    rows_run *run = calloc(1, sizeof(*run));
    if (run == NULL) {
        duckdb_init_set_error(info, "out of memory");
        return;
    }
    run->source = duckdb_init_get_bind_data(info);
    duckdb_init_set_max_threads(info, run->source->part_count > 0 ? run->source->part_count : 1);
    duckdb_init_set_init_data(info, run, free);
}

static void close_reader(rows_reader *reader) {
    if (reader->rows != NULL && reader->rows->close != NULL) {
        reader->rows->close(reader->rows);
    }
    reader->rows = NULL;
    nilas_arena_free(reader->arena);
    reader->arena = NULL;
}

static void free_reader(void *pointer) {
    rows_reader *reader = pointer;
    close_reader(reader);
    nilas_arena_free(reader->scratch);
    free(reader);
}

static void init_reader(duckdb_init_info info) {
    rows_reader *reader = calloc(1, sizeof(*reader));
    nilas_arena *scratch = nilas_arena_new(NULL, 0);
    if (reader == NULL || scratch == NULL) {
        free(reader);
        nilas_arena_free(scratch);
        duckdb_init_set_error(info, "out of memory");
        return;
    }
    reader->scratch = scratch;
    duckdb_init_set_init_data(info, reader, free_reader);
}

/** Open the next part; *out_more false when there is none. */
static nilas_code open_next(rows_run *run, rows_reader *reader, bool *out_more, nilas_error *err) {
    nilas_assert(reader->rows == NULL && reader->arena == NULL);
    size_t part = atomic_fetch_add(&run->next_part, 1);
    *out_more = part < run->source->part_count;
    if (!*out_more) {
        return NILAS_OK;
    }
    reader->part = part;
    reader->arena = nilas_arena_new(NULL, 0);
    NILAS_REQUIRE(reader->arena != NULL, err, NILAS_NOMEM, "out of memory");
    return run->source->open(run->source->context, part, reader->arena, &reader->rows, err);
}

typedef struct chunk_writer {
    const nilas_rows_source *source;
    duckdb_vector *vectors; // columns, then file_index and file_row_number
    idx_t count;
} chunk_writer;

static nilas_code write_row(chunk_writer *w, const rows_reader *reader, const nilas_value *row,
                            nilas_error *err) {
    const nilas_rows_source *source = w->source;
    nilas_assert(row->kind == NILAS_VALUE_STRUCT && row->count == source->type->field_count);
    for (size_t i = 0; i < source->column_count; i++) {
        nilas_value value;
        NILAS_TRY(nilas_source__spark_value(reader->scratch, source->type->fields[i].type,
                                            &row->items[i], &value, err));
        nilas_engine__write_value(w->vectors[i], w->count, source->columns[i], &value);
    }
    if (source->has_position || source->column_count == 0) {
        uint64_t *files = duckdb_vector_get_data(w->vectors[source->column_count]);
        int64_t *positions = duckdb_vector_get_data(w->vectors[source->column_count + 1]);
        files[w->count] = reader->part;
        positions[w->count] = source->has_position ? row->items[source->column_count].integer : 0;
    }
    w->count++;
    return NILAS_OK;
}

/** Fill the chunk from parts until it is full or nothing is left. */
static nilas_code fill_chunk(rows_run *run, rows_reader *reader, chunk_writer *w,
                             nilas_error *err) {
    idx_t limit = duckdb_vector_size();
    nilas_arena_reset(reader->scratch);
    while (w->count < limit) {
        if (reader->rows == NULL) {
            bool more = false;
            NILAS_TRY(open_next(run, reader, &more, err));
            if (!more) {
                return NILAS_OK;
            }
        }
        const nilas_value *row = NULL;
        NILAS_TRY(reader->rows->next(reader->rows, reader->scratch, &row, err));
        if (row == NULL) {
            close_reader(reader);
            if (w->count > 0) {
                return NILAS_OK; // a chunk holds rows of one part
            }
            continue;
        }
        NILAS_TRY(write_row(w, reader, row, err));
    }
    return NILAS_OK;
}

static void run_rows(duckdb_function_info info, duckdb_data_chunk output) {
    rows_run *run = duckdb_function_get_init_data(info);
    rows_reader *reader = duckdb_function_get_local_init_data(info);
    nilas_error err = NILAS_ERROR_INIT;
    idx_t column_count = duckdb_data_chunk_get_column_count(output);
    duckdb_vector *vectors = calloc(column_count, sizeof(*vectors));
    if (vectors == NULL) {
        duckdb_function_set_error(info, "out of memory");
        return;
    }
    for (idx_t i = 0; i < column_count; i++) {
        vectors[i] = duckdb_data_chunk_get_vector(output, i);
    }
    chunk_writer w = {.source = run->source, .vectors = vectors};
    nilas_code code = fill_chunk(run, reader, &w, &err);
    free(vectors);
    if (code != NILAS_OK) {
        note_failure(run->source, &err);
        duckdb_function_set_error(info, err.message);
        return;
    }
    duckdb_data_chunk_set_size(output, w.count);
}

nilas_code nilas_engine__register_rows(duckdb_connection connection, nilas_registry *registry,
                                       nilas_error *err) {
    NILAS_AUTO_LOGICAL_TYPE integer = duckdb_create_logical_type(DUCKDB_TYPE_INTEGER);
    duckdb_table_function function = duckdb_create_table_function();
    duckdb_table_function_set_name(function, "nilas_rows");
    duckdb_table_function_add_parameter(function, integer);
    duckdb_table_function_set_extra_info(function, registry, NULL);
    duckdb_table_function_set_bind(function, bind_rows);
    duckdb_table_function_set_init(function, init_rows);
    duckdb_table_function_set_local_init(function, init_reader);
    duckdb_table_function_set_function(function, run_rows);
    duckdb_state state = duckdb_register_table_function(connection, function);
    duckdb_destroy_table_function(&function);
    NILAS_REQUIRE(state == DuckDBSuccess, err, NILAS_ENGINE,
                  "DuckDB does not take the function nilas_rows");
    return NILAS_OK;
}
