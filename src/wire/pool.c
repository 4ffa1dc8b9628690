/*
 * The threads that answer calls. A call holds its thread as long as it lasts, most of which is
 * waiting, so there may be many; they are started when no idle one is there.
 */
#include "wire/server.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#define IDLE_SECONDS 3

struct nilas_wire__pool {
    pthread_mutex_t lock;
    pthread_cond_t changed; // a call was added, or the end was asked for
    pthread_cond_t left;    // a thread has gone
    nilas_wire_call *first, **last;
    size_t waiting;
    uint32_t threads, idle, limit;
    bool ending;
    void (*work)(void *context, nilas_wire_call *call);
    void *context;
};

nilas_code nilas_wire__pool_new(uint32_t thread_count,
                                void (*work)(void *context, nilas_wire_call *call), void *context,
                                nilas_wire__pool **out, nilas_error *err) {
    nilas_wire__pool *pool = calloc(1, sizeof(*pool));
    NILAS_REQUIRE(pool != NULL, err, NILAS_NOMEM, "out of memory for threads");
    nilas_assert(thread_count > 0);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->changed, NULL);
    pthread_cond_init(&pool->left, NULL);
    pool->last = &pool->first;
    pool->limit = thread_count;
    pool->work = work;
    pool->context = context;
    *out = pool;
    return NILAS_OK;
}

/** The next call in line, or NULL when the thread shall go. The lock is held. */
static nilas_wire_call *take(nilas_wire__pool *pool) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += IDLE_SECONDS;
    while (pool->first == NULL) {
        if (pool->ending) {
            return NULL;
        }
        pool->idle++;
        int waited = pthread_cond_timedwait(&pool->changed, &pool->lock, &until);
        pool->idle--;
        if (waited == ETIMEDOUT && pool->first == NULL) {
            return NULL;
        }
    }
    nilas_wire_call *call = pool->first;
    pool->first = call->next;
    pool->last = pool->first == NULL ? &pool->first : pool->last;
    pool->waiting--;
    return call;
}

static void *run_thread(void *argument) {
    nilas_wire__pool *pool = argument;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        nilas_wire_call *call = take(pool);
        if (call == NULL) {
            break;
        }
        pthread_mutex_unlock(&pool->lock);
        pool->work(pool->context, call);
        pthread_mutex_lock(&pool->lock);
    }
    pool->threads--;
    pthread_cond_signal(&pool->left);
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/** The lock is held. A thread that cannot be started is no failure while another one runs. */
static void start_thread(nilas_wire__pool *pool) {
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (pthread_create(&thread, &attributes, run_thread, pool) == 0) {
        pool->threads++;
    }
    pthread_attr_destroy(&attributes);
}

void nilas_wire__pool_add(nilas_wire__pool *pool, nilas_wire_call *call) {
    pthread_mutex_lock(&pool->lock);
    call->next = NULL;
    *pool->last = call;
    pool->last = &call->next;
    pool->waiting++;
    if (pool->waiting > pool->idle && pool->threads < pool->limit) {
        start_thread(pool);
    }
    pthread_cond_signal(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
}

size_t nilas_wire__pool_waiting(nilas_wire__pool *pool) {
    pthread_mutex_lock(&pool->lock);
    size_t waiting = pool->waiting;
    pthread_mutex_unlock(&pool->lock);
    return waiting;
}

void nilas_wire__pool_free(nilas_wire__pool *pool) {
    if (pool == NULL) {
        return;
    }
    pthread_mutex_lock(&pool->lock);
    pool->ending = true;
    pthread_cond_broadcast(&pool->changed);
    while (pool->threads > 0) {
        pthread_cond_wait(&pool->left, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    pthread_cond_destroy(&pool->changed);
    pthread_cond_destroy(&pool->left);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}
