/**
 * Things of ours that SQL text can only name by a number: scans, row sources, file lists. Thread-
 * safe.
 */
#ifndef NILAS_ENGINE_REGISTRY_H
#define NILAS_ENGINE_REGISTRY_H

#include <pthread.h>

#include "base/base.h"

typedef enum nilas_registry_kind {
    NILAS_REGISTRY_SCAN = 1,
    NILAS_REGISTRY_ROWS,
    NILAS_REGISTRY_RECURSION,
    NILAS_REGISTRY_DELETES,
    NILAS_REGISTRY_WRITE
} nilas_registry_kind;

typedef struct nilas_registry_entry {
    nilas_registry_kind kind;
    void *thing; // NULL: free
} nilas_registry_entry;

typedef struct nilas_registry {
    pthread_mutex_t lock;
    nilas_registry_entry *entries; // malloc'd
    size_t count, capacity;
} nilas_registry;

void nilas_registry__init(nilas_registry *registry);
void nilas_registry__done(nilas_registry *registry);
/** Numbers are used again after nilas_registry__remove(). */
nilas_code nilas_registry__add(nilas_registry *registry, nilas_registry_kind kind, void *thing,
                               int32_t *out_id, nilas_error *err);
/** NULL when there is no such number of that kind. */
void *nilas_registry__find(nilas_registry *registry, nilas_registry_kind kind, int32_t id);
void nilas_registry__remove(nilas_registry *registry, int32_t id);

#endif
