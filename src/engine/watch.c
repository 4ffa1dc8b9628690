/* The thread that carries cancels to DuckDB. */
#include "engine/watch.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#define INTERVAL_NS 10000000 // between two looks
#define IDLE_LOOKS  200      // without anything to watch: then the thread ends

struct nilas_watch {
    nilas_watch *next, **slot;
    const nilas_cancel *cancel;
    duckdb_connection connection;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static nilas_watch *watches;
static bool is_running;

static void *look(void *unused) {
    const struct timespec interval = {.tv_nsec = INTERVAL_NS};

    (void)unused;
    for (int idle = 0; idle < IDLE_LOOKS;) {
        nanosleep(&interval, NULL);
        pthread_mutex_lock(&lock);
        idle = watches == NULL ? idle + 1 : 0;
        for (nilas_watch *watch = watches; watch != NULL; watch = watch->next) {
            if (nilas_cancelled(watch->cancel)) {
                duckdb_interrupt(watch->connection);
            }
        }
        if (idle == IDLE_LOOKS) {
            is_running = false; // under the lock: the next watch starts another thread
        }
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

/** Called under the lock. */
static bool start_thread(void) {
    pthread_t thread;

    if (is_running) {
        return true;
    }
    is_running = pthread_create(&thread, NULL, look, NULL) == 0;
    if (is_running) {
        pthread_detach(thread);
    }
    return is_running;
}

nilas_code nilas_watch__begin(const nilas_cancel *cancel, duckdb_connection connection,
                              nilas_watch **out, nilas_error *err) {
    nilas_watch *watch = calloc(1, sizeof(*watch));

    NILAS_REQUIRE(watch != NULL, err, NILAS_NOMEM, "out of memory");
    watch->cancel = cancel;
    watch->connection = connection;
    pthread_mutex_lock(&lock);
    bool started = start_thread();
    if (started) {
        watch->next = watches;
        watch->slot = &watches;
        if (watches != NULL) {
            watches->slot = &watch->next;
        }
        watches = watch;
    }
    pthread_mutex_unlock(&lock);
    if (!started) {
        free(watch);
        return nilas_fail(err, NILAS_NOMEM, "cannot start a thread");
    }
    *out = watch;
    return NILAS_OK;
}

void nilas_watch__end(nilas_watch *watch) {
    if (watch == NULL) {
        return;
    }
    pthread_mutex_lock(&lock);
    *watch->slot = watch->next;
    if (watch->next != NULL) {
        watch->next->slot = watch->slot;
    }
    pthread_mutex_unlock(&lock);
    free(watch);
}
