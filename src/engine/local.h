/**
 * Local relations: rows that a client sent as an Arrow IPC stream, as a DuckDB table function.
 *
 * The bytes are untrusted: every message is checked in full before its values are used, and text
 * must be UTF-8. A batch at a time is in memory.
 */
#ifndef NILAS_ENGINE_LOCAL_H
#define NILAS_ENGINE_LOCAL_H

#include <nanoarrow/nanoarrow.h>
#include <pthread.h>

#include "duckdb_api.h"
#include "engine/registry.h"
#include "engine/render.h"

/** One local relation of a statement; scanned as often as the SQL asks: "nilas_local(number)". */
typedef struct nilas_local_source {
    nilas_str data;         // the stream; borrowed
    const nilas_type *type; // of its schema
    nilas_error failure;    // the first, since DuckDB keeps only a text
    bool has_failure;
    pthread_mutex_t lock;
} nilas_local_source;

/** Read an Arrow IPC stream; `data` is borrowed until it is released. */
nilas_code nilas_local__open_stream(nilas_str data, struct ArrowArrayStream *out, nilas_error *err);
nilas_code nilas_local__fail_stream(struct ArrowArrayStream *stream, int failed, nilas_error *err);

/** Register nilas_local(number), whose columns are k0, k1 …. */
nilas_code nilas_engine__register_local(duckdb_connection connection, nilas_registry *registry,
                                        nilas_error *err);
/** Append a LOCAL plan. */
nilas_code nilas_render__local(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                               nilas_error *err);

/** The Spark type of an Arrow field, by Spark's own rules and a little beyond: all units of time,
 *  views, dictionaries, fixed sizes. NILAS_UNSUPPORTED names the Arrow type. (local_type.c) */
nilas_code nilas_local__type(nilas_arena *arena, const struct ArrowSchema *schema,
                             const nilas_type **out, nilas_error *err);
/** Nodes and buffers that a batch must have. */
typedef struct nilas_local_needs {
    size_t nodes, buffers;
} nilas_local_needs;
typedef struct nilas_local_shape {
    nilas_local_needs rows, dictionary;
} nilas_local_shape;
nilas_code nilas_local__shape(const struct ArrowSchema *schema, nilas_local_shape *out,
                              nilas_error *err);
/** Check the stream's messages as far as nanoarrow does not (local_check.c); a zeroed shape: before
 *  the schema is known. NILAS_CORRUPT names the place. */
nilas_code nilas_local__check(nilas_str data, const nilas_local_shape *shape, nilas_error *err);

/** Values of one Arrow column, and the Spark type that they have. */
typedef struct nilas_local_values {
    const struct ArrowArrayView *view;
    const struct ArrowSchema *schema;
    const nilas_type *type;
    int64_t from, count;
} nilas_local_values;

/**
 * Copy values into a vector of the carrier of their type, from its place `to` on (local_vector.c).
 * NILAS_INVALID: a value that the type does not hold.
 */
nilas_code nilas_local__copy(const nilas_local_values *values, duckdb_vector vector, idx_t to,
                             nilas_error *err);

#endif
