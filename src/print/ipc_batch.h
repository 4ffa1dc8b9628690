/** Record batches as Arrow IPC messages, put together from pieces of several arrays. */
#ifndef NILAS_PRINT_IPC_BATCH_H
#define NILAS_PRINT_IPC_BATCH_H

#include "print/column.h"

/** Rows [first, first + count) of an array of a result's batch. */
typedef struct nilas_ipc_piece {
    const struct ArrowArray *array;
    int64_t first;
    int64_t count;
} nilas_ipc_piece;

/** Bytes that the rows of a piece take, about. */
int64_t nilas_ipc__piece_bytes(const nilas_print_column *column, const nilas_ipc_piece *piece);

/** Append one message with the rows of all pieces, of structs bound to `root`. */
nilas_code nilas_ipc__add_batch(const nilas_print_column *root, bool large_types,
                                const nilas_ipc_piece *pieces, size_t count, nilas_buf *out,
                                nilas_error *err);

#endif
