/**
 * The engine's inside, and a job: one statement while it runs, with its own connection and what its
 * SQL refers to.
 *
 * Every result has a connection of its own, so that two results of one engine may be read in turns.
 */
#ifndef NILAS_ENGINE_JOB_H
#define NILAS_ENGINE_JOB_H

#include "duckdb_api.h"
#include "engine/duckdb_string.h"
#include "engine/engine.h"
#include "engine/registry.h"
#include "engine/udf.h"
#include "engine/watch.h"

struct nilas_engine {
    nilas_engine_options options;
    nilas_engine_context context; // what the scalar functions see of the session
    nilas_engine *parent;         // of the session that this one runs a statement of; or NULL
    bool uses_database;           // under the database's lock
    nilas_registry *registry;     // of the process
};

typedef struct nilas_job {
    nilas_engine *engine;
    nilas_arena *stmt;            // borrowed
    duckdb_connection connection; // NULL until the first query
    NILAS_ARRAY_OF(int32_t) registered;
    int32_t alias_count; // of names made up in SQL text
    nilas_watch *watch;  // interrupts on cancel; or NULL
} nilas_job;

/** A running query; all NULL at first. */
typedef struct nilas_query_run {
    duckdb_prepared_statement statement;
    duckdb_pending_result pending;
    duckdb_result result;
    bool has_result;
} nilas_query_run;

/** Open the database if need be and connect. No-op when connected. */
nilas_code nilas_job__connect(nilas_job *job, nilas_error *err);
/**
 * Forget what was registered, stop the watch, disconnect. Safe on a job that never did anything.
 */
void nilas_job__done(nilas_job *job);
#define NILAS_AUTO_JOB __attribute__((cleanup(nilas_job__done))) nilas_job

/** Give a thing a number that this job's SQL may use. */
nilas_code nilas_job__register(nilas_job *job, nilas_registry_kind kind, void *thing,
                               int32_t *out_id, nilas_error *err);

/** Start a query; its chunks stream. Errors in Spark's words. */
nilas_code nilas_job__start(nilas_job *job, nilas_str sql, nilas_query_run *out, nilas_error *err);
/** Next chunk, which the caller destroys; NULL at the end. */
nilas_code nilas_job__fetch(nilas_job *job, nilas_query_run *run, duckdb_data_chunk *out,
                            nilas_error *err);
void nilas_query_run__done(nilas_query_run *run);
#define NILAS_AUTO_QUERY_RUN __attribute__((cleanup(nilas_query_run__done))) nilas_query_run

/** An error of DuckDB's, or NILAS_CANCELLED when the user asked for it. */
nilas_code nilas_job__fail(const nilas_job *job, const char *message, nilas_error *err);

static inline void nilas_chunk_autodestroy(duckdb_data_chunk *chunk) {
    if (*chunk != NULL) {
        duckdb_destroy_data_chunk(chunk);
    }
}
#define NILAS_AUTO_CHUNK __attribute__((cleanup(nilas_chunk_autodestroy))) duckdb_data_chunk

static inline void nilas_logical_type_autodestroy(duckdb_logical_type *type) {
    if (*type != NULL) {
        duckdb_destroy_logical_type(type);
    }
}
#define NILAS_AUTO_LOGICAL_TYPE                                                                    \
    __attribute__((cleanup(nilas_logical_type_autodestroy))) duckdb_logical_type

#endif
