/* Results of Arrow IPC streams that come from elsewhere: a far server's answer. */
#include <nanoarrow/nanoarrow.h>
#include <stdlib.h>

#include "engine/local.h"
#include "engine/result.h"

typedef struct streams_state {
    nilas_result_source source;
    struct ArrowArrayStream stream; // the one being read; release NULL: none
    struct ArrowArrayView view;
    nilas_str bytes;         // of the stream
    nilas_local_shape shape; // of all streams, from the first one's schema
    bool is_done, has_shape;
} streams_state;

static void free_state(streams_state *state) {
    ArrowArrayViewReset(&state->view);
    if (state->stream.release != NULL) {
        state->stream.release(&state->stream);
    }
    if (state->source.close != NULL) {
        state->source.close(state->source.context);
    }
    free(state);
}

static void close_streams(nilas_result *result) {
    free_state(result->state);
    result->state = NULL;
}

/** Begin the next stream; is_done when there is none. */
static nilas_code open_next(streams_state *state, nilas_error *err) {
    nilas_assert(state->stream.release == NULL);
    NILAS_TRY(state->source.next(state->source.context, &state->bytes, err));
    state->is_done = state->bytes.data == NULL;
    if (state->is_done) {
        return NILAS_OK;
    }
    if (state->has_shape) {
        NILAS_TRY(nilas_local__check(state->bytes, &state->shape, err));
    }
    return nilas_local__open_stream(state->bytes, &state->stream, err);
}

/** What comes from outside is looked through before anybody follows its offsets. */
static nilas_code check_batch(streams_state *state, const struct ArrowArray *batch,
                              nilas_error *err) {
    struct ArrowError why = {0};
    if (ArrowArrayViewSetArray(&state->view, batch, &why) != NANOARROW_OK ||
        ArrowArrayViewValidate(&state->view, NANOARROW_VALIDATION_LEVEL_FULL, &why) !=
            NANOARROW_OK) {
        return nilas_fail(err, NILAS_CORRUPT, "a batch of the answer is damaged: %s",
                          ArrowErrorMessage(&why));
    }
    return NILAS_OK;
}

static nilas_code next_of_streams(nilas_result *result, struct ArrowArray *out, nilas_error *err) {
    streams_state *state = result->state;
    while (!state->is_done) {
        if (state->stream.release == NULL) {
            NILAS_TRY(open_next(state, err));
            continue;
        }
        struct ArrowArray batch = {0};
        int failed = state->stream.get_next(&state->stream, &batch);
        if (failed != 0) {
            return nilas_local__fail_stream(&state->stream, failed, err);
        }
        if (batch.release == NULL) {
            state->stream.release(&state->stream);
            continue;
        }
        nilas_code code = check_batch(state, &batch, err);
        if (code != NILAS_OK || batch.length == 0) {
            batch.release(&batch);
            NILAS_TRY(code);
            continue;
        }
        *out = batch;
        return NILAS_OK;
    }
    return NILAS_OK;
}

/** Types and layout, from the first stream. */
static nilas_code look_at_first(nilas_result *result, const nilas_type *type, nilas_error *err) {
    static const nilas_type nothing = {.kind = NILAS_TYPE_STRUCT};
    streams_state *state = result->state;
    struct ArrowError why = {0};
    NILAS_TRY(open_next(state, err));
    result->type = type != NULL ? type : &nothing;
    if (state->is_done) {
        return NILAS_OK;
    }
    int failed = state->stream.get_schema(&state->stream, &result->schema);
    if (failed != 0) {
        return nilas_local__fail_stream(&state->stream, failed, err);
    }
    NILAS_TRY(nilas_local__shape(&result->schema, &state->shape, err));
    state->has_shape = true;
    NILAS_TRY(nilas_local__check(state->bytes, &state->shape, err));
    NILAS_REQUIRE(ArrowArrayViewInitFromSchema(&state->view, &result->schema, &why) == NANOARROW_OK,
                  err, NILAS_CORRUPT, "the schema of the answer cannot be read: %s",
                  ArrowErrorMessage(&why));
    return type != NULL ? NILAS_OK
                        : nilas_local__type(result->stmt, &result->schema, &result->type, err);
}

nilas_code nilas_result_of_streams(nilas_arena *stmt, const nilas_type *type,
                                   const nilas_result_source *source, nilas_result **out,
                                   nilas_error *err) {
    streams_state *state = calloc(1, sizeof(*state));
    nilas_result *result = NULL;
    if (state == NULL) {
        if (source->close != NULL) {
            source->close(source->context);
        }
        return nilas_fail(err, NILAS_NOMEM, "out of memory");
    }
    state->source = *source;
    ArrowArrayViewInitFromType(&state->view, NANOARROW_TYPE_UNINITIALIZED);
    nilas_code code = nilas_result__new(stmt, type, &result, err);
    if (code != NILAS_OK) {
        free_state(state);
        return code;
    }
    result->state = state;
    result->next = next_of_streams;
    result->close = close_streams;
    code = look_at_first(result, type, err);
    if (code != NILAS_OK) {
        result->stmt = NULL; // stays the caller's
        nilas_result_free(result);
        return code;
    }
    *out = result;
    return NILAS_OK;
}
