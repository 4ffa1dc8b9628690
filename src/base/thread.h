/** Threads: a parallel for-loop and a cancellation flag. */
#ifndef NILAS_BASE_THREAD_H
#define NILAS_BASE_THREAD_H

#include <stdatomic.h>

#include "base/error.h"

/**
 * Set from a signal handler or another thread; long loops look at it and return NILAS_CANCELLED.
 */
typedef struct nilas_cancel {
    atomic_bool requested;
} nilas_cancel;
static inline bool nilas_cancelled(const nilas_cancel *cancel) {
    return cancel != NULL && atomic_load_explicit(&cancel->requested, memory_order_relaxed);
}

/** Usable processors, at least 1. */
uint32_t nilas_cpu_count(void);

/**
 * Call `body(context, index, err)` for each index in [0, count) on up to `workers` threads (1: on
 * the caller's, in order). The first failure by index wins and stops the rest; its error is copied
 * to `err`.
 */
nilas_code nilas_parallel_for(uint32_t workers, size_t count,
                              nilas_code (*body)(void *context, size_t index, nilas_error *err),
                              void *context, nilas_error *err);

#endif
