/* Results: streams from DuckDB, rows in memory, nothing. */
#include "engine/result.h"

#include <nanoarrow/nanoarrow.h>
#include <stdlib.h>

#define ROWS_PER_BATCH 65536

const nilas_type *nilas_result_type(const nilas_result *result) {
    return result->type;
}

nilas_code nilas_result_next(nilas_result *result, struct ArrowArray *out, nilas_error *err) {
    nilas_assert(result->next != NULL);
    *out = (struct ArrowArray){0};
    return result->next(result, out, err);
}

nilas_code nilas_result_schema(nilas_result *result, struct ArrowSchema *out, nilas_error *err) {
    if (result->schema.release != NULL) {
        NILAS_REQUIRE(ArrowSchemaDeepCopy(&result->schema, out) == NANOARROW_OK, err, NILAS_NOMEM,
                      "out of memory");
        return NILAS_OK;
    }
    return nilas_arrow__make_schema(result->type, out, err);
}

void nilas_result_show_only(nilas_result *result, int32_t column) {
    nilas_assert(column >= -1 && (column < 0 || (size_t)column < result->type->field_count));
    result->shown_column = column;
}

int32_t nilas_result_shown_column(const nilas_result *result) {
    return result->shown_column;
}

void nilas_result_free(nilas_result *result) {
    if (result == NULL) {
        return;
    }
    if (result->close != NULL) {
        result->close(result);
    }
    if (result->schema.release != NULL) {
        result->schema.release(&result->schema);
    }
    nilas_arena_free(result->stmt);
    free(result);
}

nilas_code nilas_result__new(nilas_arena *stmt, const nilas_type *type, nilas_result **out,
                             nilas_error *err) {
    nilas_result *result = calloc(1, sizeof(*result));
    NILAS_REQUIRE(result != NULL, err, NILAS_NOMEM, "out of memory");
    result->stmt = stmt;
    result->type = type;
    result->shown_column = -1;
    *out = result;
    return NILAS_OK;
}

/* ---- from DuckDB ---- */

typedef struct query_state {
    nilas_job job;
    nilas_query_run run;
    duckdb_arrow_options arrow;
    bool is_done;
} query_state;

static void close_query(nilas_result *result) {
    query_state *state = result->state;
    nilas_query_run__done(&state->run);
    if (state->arrow != NULL) {
        duckdb_destroy_arrow_options(&state->arrow);
    }
    nilas_job__done(&state->job);
    free(state);
    result->state = NULL;
}

static nilas_code export_chunk(query_state *state, const nilas_type *type, duckdb_data_chunk chunk,
                               struct ArrowArray *out, nilas_error *err) {
    duckdb_error_data failure = duckdb_data_chunk_to_arrow(state->arrow, chunk, out);
    if (failure != NULL) {
        nilas_code code = NILAS_OK;
        if (duckdb_error_data_has_error(failure)) {
            code = nilas_job__fail(&state->job, duckdb_error_data_message(failure), err);
        }
        duckdb_destroy_error_data(&failure);
        NILAS_TRY(code);
    }
    nilas_arrow__fix(out, type);
    return NILAS_OK;
}

static nilas_code next_of_query(nilas_result *result, struct ArrowArray *out, nilas_error *err) {
    query_state *state = result->state;
    while (!state->is_done) {
        NILAS_AUTO_CHUNK chunk = NULL;
        NILAS_TRY(nilas_job__fetch(&state->job, &state->run, &chunk, err));
        if (chunk == NULL) {
            state->is_done = true;
        } else if (duckdb_data_chunk_get_size(chunk) > 0) {
            return export_chunk(state, result->type, chunk, out, err);
        }
    }
    return NILAS_OK;
}

nilas_code nilas_result__of_query(nilas_arena *stmt, nilas_job *job, nilas_query_run *run,
                                  const nilas_type *type, nilas_result **out, nilas_error *err) {
    query_state *state = calloc(1, sizeof(*state));
    NILAS_REQUIRE(state != NULL, err, NILAS_NOMEM, "out of memory");
    nilas_result *result = NULL;
    nilas_code code = nilas_result__new(stmt, type, &result, err);
    if (code != NILAS_OK) {
        free(state);
        return code;
    }
    state->job = *job;
    state->run = *run;
    *job = (nilas_job){0};
    *run = (nilas_query_run){0};
    state->arrow = duckdb_result_get_arrow_options(&state->run.result);
    result->state = state;
    result->next = next_of_query;
    result->close = close_query;
    *out = result;
    return NILAS_OK;
}

/* ---- rows in memory ---- */

typedef struct rows_state {
    const nilas_value *values;
    size_t row_count, next;
} rows_state;

static nilas_code next_of_rows(nilas_result *result, struct ArrowArray *out, nilas_error *err) {
    rows_state *state = result->state;
    size_t count = state->row_count - state->next;
    if (count == 0) {
        return NILAS_OK;
    }
    count = count > ROWS_PER_BATCH ? ROWS_PER_BATCH : count;
    const nilas_value *values = state->values + state->next * result->type->field_count;
    NILAS_TRY(nilas_arrow__build(result->type, values, count, out, err));
    state->next += count;
    return NILAS_OK;
}

nilas_code nilas_result_of_rows(nilas_arena *stmt, const nilas_type *type,
                                const nilas_value *values, size_t row_count, nilas_result **out,
                                nilas_error *err) {
    nilas_assert(type->kind == NILAS_TYPE_STRUCT);
    rows_state *state;
    NILAS_NEW(stmt, &state, err);
    *state = (rows_state){.values = values, .row_count = row_count};
    nilas_result *result = NULL;
    NILAS_TRY(nilas_result__new(stmt, type, &result, err));
    result->state = state;
    result->next = next_of_rows;
    *out = result;
    return NILAS_OK;
}

static nilas_code next_of_nothing(nilas_result *result, struct ArrowArray *out, nilas_error *err) {
    (void)result;
    (void)out;
    (void)err;
    return NILAS_OK;
}

nilas_code nilas_result_empty(nilas_result **out, nilas_error *err) {
    static const nilas_type nothing = {.kind = NILAS_TYPE_STRUCT};
    NILAS_TRY(nilas_result__new(NULL, &nothing, out, err));
    (*out)->next = next_of_nothing;
    return NILAS_OK;
}
