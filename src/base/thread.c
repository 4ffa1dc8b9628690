/*
 * A parallel for-loop: workers take the next index from a shared counter. The result is that of the
 * loop run in order: the failure with the lowest index is the one reported, and nothing beyond it
 * is started once it is known.
 */
#include "base/thread.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "base/limits.h"

typedef struct parallel_loop {
    size_t count;
    nilas_code (*body)(void *context, size_t index, nilas_error *err);
    void *context;
    atomic_size_t next;
    atomic_size_t failed_index; // lowest failed index, or `count`
    pthread_mutex_t lock;       // of the two below
    nilas_code failed_code;
    nilas_error *err;
} parallel_loop;

uint32_t nilas_cpu_count(void) {
    cpu_set_t set;

    // The affinity mask, not the machine: containers and taskset give us fewer.
    if (sched_getaffinity(0, sizeof(set), &set) != 0) {
        return 1;
    }
    int count = CPU_COUNT(&set);
    return count < 1 ? 1 : (uint32_t)count;
}

static void note_failure(parallel_loop *loop, size_t index, nilas_code code,
                         const nilas_error *err) {
    pthread_mutex_lock(&loop->lock);
    if (index < atomic_load(&loop->failed_index)) {
        atomic_store(&loop->failed_index, index);
        loop->failed_code = code;
        if (loop->err != NULL) {
            *loop->err = *err;
        }
    }
    pthread_mutex_unlock(&loop->lock);
}

static void *run_worker(void *argument) {
    parallel_loop *loop = argument;

    for (;;) {
        size_t index = atomic_fetch_add(&loop->next, 1);
        if (index >= atomic_load(&loop->failed_index)) {
            return NULL;
        }
        nilas_error own = NILAS_ERROR_INIT;
        nilas_code code = loop->body(loop->context, index, &own);
        if (code != NILAS_OK) {
            note_failure(loop, index, code, &own);
        }
    }
}

static nilas_code run_in_order(parallel_loop *loop) {
    for (size_t i = 0; i < loop->count; i++) {
        NILAS_TRY(loop->body(loop->context, i, loop->err));
    }
    return NILAS_OK;
}

nilas_code nilas_parallel_for(uint32_t workers, size_t count,
                              nilas_code (*body)(void *context, size_t index, nilas_error *err),
                              void *context, nilas_error *err) {
    parallel_loop loop = {.count = count, .body = body, .context = context, .err = err};
    pthread_t threads[NILAS_LIMIT_WORKERS];
    uint32_t started = 0;

    nilas_assert(body != NULL);
    workers = workers > NILAS_LIMIT_WORKERS ? NILAS_LIMIT_WORKERS : workers;
    workers = workers > count ? (uint32_t)count : workers;
    if (workers <= 1 || pthread_mutex_init(&loop.lock, NULL) != 0) {
        return run_in_order(&loop);
    }

    atomic_init(&loop.next, 0);
    atomic_init(&loop.failed_index, count);
    // The caller is a worker too. Threads that the system refuses are only lost speed.
    while (started < workers - 1 &&
           pthread_create(&threads[started], NULL, run_worker, &loop) == 0) {
        started++;
    }
    (void)run_worker(&loop);
    for (uint32_t i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
    pthread_mutex_destroy(&loop.lock);
    return loop.failed_code;
}
