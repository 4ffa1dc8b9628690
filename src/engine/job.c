/* A job: connection, numbers given to our things, and running queries with cancel and progress. */
#include "engine/job.h"

#include <unistd.h>

#include "engine/database.h"
#include "engine/local.h"
#include "engine/rows_function.h"
#include "engine/translate.h"

#define IDLE_CALL_NS         5000
#define IDLE_CALLS           4
#define PROGRESS_INTERVAL_NS 100000000

nilas_code nilas_job__connect(nilas_job *job, nilas_error *err) {
    if (job->connection != NULL) {
        return NILAS_OK;
    }
    nilas_engine_context *context; // stays where it is when the job moves
    NILAS_NEW(job->stmt, &context, err);
    *context = job->engine->context;
    NILAS_TRY(nilas_engine__open_connection(job->engine, context, &job->connection, err));
    const nilas_cancel *cancel = job->engine->options.cancel;
    return cancel != NULL ? nilas_watch__begin(cancel, job->connection, &job->watch, err)
                          : NILAS_OK;
}

void nilas_job__done(nilas_job *job) {
    nilas_watch__end(job->watch);
    job->watch = NULL;
    if (job->connection != NULL) {
        nilas_engine__close_connection(&job->connection);
    }
    for (size_t i = 0; i < job->registered.count; i++) {
        nilas_registry__remove(job->engine->registry, job->registered.items[i]);
    }
    job->registered.count = 0;
}

nilas_code nilas_job__register(nilas_job *job, nilas_registry_kind kind, void *thing,
                               int32_t *out_id, nilas_error *err) {
    int32_t id = 0;
    NILAS_PUSH(job->stmt, &job->registered, -1,
               err); // room first: adding to the registry must not be lost
    job->registered.count--;
    NILAS_TRY(nilas_registry__add(job->engine->registry, kind, thing, &id, err));
    job->registered.items[job->registered.count++] = id;
    *out_id = id;
    return NILAS_OK;
}

/**
 * The failure of a row source of ours with its code and words, which DuckDB does not keep; NULL
 * when none failed.
 */
static const nilas_error *find_failure(const nilas_job *job) {
    for (size_t i = 0; i < job->registered.count; i++) {
        nilas_rows_source *source = nilas_registry__find(job->engine->registry, NILAS_REGISTRY_ROWS,
                                                         job->registered.items[i]);
        if (source != NULL && source->has_failure) {
            return &source->failure;
        }
        nilas_local_source *local = nilas_registry__find(
            job->engine->registry, NILAS_REGISTRY_LOCAL, job->registered.items[i]);
        if (local != NULL && local->has_failure) {
            return &local->failure;
        }
    }
    return NULL;
}

nilas_code nilas_job__fail(const nilas_job *job, const char *message, nilas_error *err) {
    if (nilas_cancelled(job->engine->options.cancel)) {
        return nilas_fail(err, NILAS_CANCELLED, "the query was cancelled");
    }
    const nilas_error *failure = find_failure(job);
    if (failure != NULL) {
        if (err != NULL) {
            *err = *failure;
        }
        return failure->code;
    }
    return nilas_engine__translate_error(message != NULL ? message : "unknown error", err);
}

void nilas_query_run__done(nilas_query_run *run) {
    if (run->has_result) {
        duckdb_destroy_result(&run->result);
        run->has_result = false;
    }
    if (run->pending != NULL) {
        duckdb_destroy_pending(&run->pending);
    }
    if (run->statement != NULL) {
        duckdb_destroy_prepare(&run->statement);
    }
}

static void report_progress(nilas_job *job) {
    if (job->engine->options.progress == NULL) {
        return;
    }
    duckdb_query_progress_type progress = duckdb_query_progress(job->connection);
    double percent = progress.percentage;
    job->engine->options.progress(job->engine->options.progress_context,
                                  percent < 0 ? -1 : percent / 100);
}

/**
 * Work on the query from this thread until the first rows are there, reporting now and then.
 *
 * DuckDB does not tell a call that had nothing to do, for other threads are at work, from one that
 * did a little: several in a row that took no time were of the former kind. (DuckDB's own loop asks
 * without a pause, and takes the processor from those who work.)
 */
static nilas_code wait_for_rows(nilas_job *job, nilas_query_run *run, nilas_error *err) {
    int64_t reported_ns = nilas_monotonic_ns();
    duckdb_pending_state state = DUCKDB_PENDING_RESULT_NOT_READY;
    int idle_calls = 0;
    while (state == DUCKDB_PENDING_RESULT_NOT_READY || state == DUCKDB_PENDING_NO_TASKS_AVAILABLE) {
        int64_t before_ns = nilas_monotonic_ns();
        state = duckdb_pending_execute_task(run->pending);
        int64_t now_ns = nilas_monotonic_ns();
        idle_calls = now_ns - before_ns < IDLE_CALL_NS ? idle_calls + 1 : 0;
        if (state == DUCKDB_PENDING_NO_TASKS_AVAILABLE || idle_calls > IDLE_CALLS) {
            usleep(200);
        }
        if (now_ns - reported_ns >= PROGRESS_INTERVAL_NS) {
            report_progress(job);
            reported_ns = now_ns;
        }
    }
    if (state == DUCKDB_PENDING_ERROR) {
        return nilas_job__fail(job, duckdb_pending_error(run->pending), err);
    }
    return NILAS_OK;
}

nilas_code nilas_job__start(nilas_job *job, nilas_str sql, nilas_query_run *out, nilas_error *err) {
    if (nilas_cancelled(job->engine->options.cancel)) {
        return nilas_job__fail(job, NULL, err);
    }
    NILAS_TRY(nilas_job__connect(job, err));
    NILAS_AUTO_QUERY_RUN run = {0};
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    nilas_buf_add(&text, sql);
    nilas_buf_add_char(&text, '\0');
    NILAS_TRY(nilas_buf_check(&text, err));
    if (duckdb_prepare(job->connection, text.data, &run.statement) != DuckDBSuccess) {
        return nilas_job__fail(job, duckdb_prepare_error(run.statement), err);
    }
    if (duckdb_pending_prepared_streaming(run.statement, &run.pending) != DuckDBSuccess) {
        return nilas_job__fail(job, duckdb_pending_error(run.pending), err);
    }
    NILAS_TRY(wait_for_rows(job, &run, err));
    duckdb_state state = duckdb_execute_pending(run.pending, &run.result);
    run.has_result = true;
    if (state != DuckDBSuccess) {
        return nilas_job__fail(job, duckdb_result_error(&run.result), err);
    }
    *out = run;
    run = (nilas_query_run){0}; // moved
    return NILAS_OK;
}

nilas_code nilas_job__fetch(nilas_job *job, nilas_query_run *run, duckdb_data_chunk *out,
                            nilas_error *err) {
    nilas_assert(run->has_result);
    if (nilas_cancelled(job->engine->options.cancel)) {
        return nilas_job__fail(job, NULL, err);
    }
    duckdb_data_chunk chunk = duckdb_fetch_chunk(run->result);
    if (chunk == NULL) {
        const char *message = duckdb_result_error(&run->result);
        if (message != NULL && message[0] != '\0') {
            return nilas_job__fail(job, message, err);
        }
    }
    *out = chunk;
    return NILAS_OK;
}
