/**
 * A result as Arrow IPC with the types that Spark sends: timestamps in the session's zone, times in
 * nanoseconds. No compression, no dictionaries, buffers aligned to 8 bytes.
 *
 * Two ways: chunks, each a complete stream of one batch (Spark Connect); or the parts of one
 * stream, put together by the caller (a file).
 */
#ifndef NILAS_PRINT_IPC_H
#define NILAS_PRINT_IPC_H

#include "session/session.h"

#define NILAS_PRINT_IPC_ROWS  10000     // spark.sql.execution.arrow.maxRecordsPerBatch
#define NILAS_PRINT_IPC_BYTES (4 << 20) // what Spark Connect sends at a time

typedef struct nilas_print_ipc_options {
    const nilas_zone *zone; // named by the type of timestamps
    int64_t rows;           // most rows of a chunk; 0: NILAS_PRINT_IPC_ROWS
    int64_t bytes;          // a chunk of more than one row is not longer; 0: NILAS_PRINT_IPC_BYTES
    bool large_types;       // text and bytes with offsets of 64 bits
} nilas_print_ipc_options;

/** The types of one result, ready to encode its batches. One thread at a time, any thread. */
typedef struct nilas_print_ipc nilas_print_ipc;

/**
 * @param result  Borrowed; must outlive `out`.
 * @return NILAS_UNSUPPORTED  a column's type has no Arrow form here
 *         NILAS_ENGINE       the result's batches cannot hold its types
 */
nilas_code nilas_print_ipc_of(nilas_result *result, const nilas_print_ipc_options *options,
                              nilas_print_ipc **out, nilas_error *err);
/** For batches given one by one. `type` must outlive `out`; `schema` is copied. */
nilas_code nilas_print_ipc_new(const nilas_type *type, const struct ArrowSchema *schema,
                               const nilas_print_ipc_options *options, nilas_print_ipc **out,
                               nilas_error *err);
void nilas_print_ipc_free(nilas_print_ipc *ipc);
NILAS_DEFINE_AUTO(nilas_print_ipc, nilas_print_ipc_free);

/**
 * Append the next chunk of the result to `out`: schema, one batch, end marker. *out_rows is its
 * number of rows; -1 when there is none any more (nothing is appended then). A result without rows
 * gives one chunk of 0 rows. A single row is sent whole, however long it is: limit it by the size
 * of `out`.
 *
 * Cost: one copy of each value; holds what the engine gave beyond the chunk's end.
 */
nilas_code nilas_print_ipc_next(nilas_print_ipc *ipc, nilas_buf *out, int64_t *out_rows,
                                nilas_error *err);

/** Append the schema's message. */
void nilas_print_ipc_add_schema(const nilas_print_ipc *ipc, nilas_buf *out);
/** Append a batch of the result as one message. */
nilas_code nilas_print_ipc_add_batch(nilas_print_ipc *ipc, const struct ArrowArray *batch,
                                     nilas_buf *out, nilas_error *err);
/** Append the marker of a stream's end. */
void nilas_print_ipc_add_end(nilas_buf *out);

#endif
