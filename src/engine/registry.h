/**
 * Things of ours that SQL text can only name by a number: scans, row sources, file lists. Thread-
 * safe. And the functions of SQL whose first argument is such a number.
 */
#ifndef NILAS_ENGINE_REGISTRY_H
#define NILAS_ENGINE_REGISTRY_H

#include <pthread.h>

#include "base/base.h"
#include "duckdb_api.h"

typedef enum nilas_registry_kind {
    NILAS_REGISTRY_SCAN = 1,
    NILAS_REGISTRY_ROWS,
    NILAS_REGISTRY_RECURSION,
    NILAS_REGISTRY_DELETES,
    NILAS_REGISTRY_WRITE,
    NILAS_REGISTRY_LOCAL
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

/** The one of the process, whose numbers are known to the database. */
nilas_registry *nilas_registry__shared(void);
void nilas_registry__init(nilas_registry *registry);
void nilas_registry__done(nilas_registry *registry);
/** Numbers are used again after nilas_registry__remove(). */
nilas_code nilas_registry__add(nilas_registry *registry, nilas_registry_kind kind, void *thing,
                               int32_t *out_id, nilas_error *err);
/** NULL when there is no such number of that kind. */
void *nilas_registry__find(nilas_registry *registry, nilas_registry_kind kind, int32_t id);
void nilas_registry__remove(nilas_registry *registry, int32_t id);

#define NILAS_REGISTRY_PARAMETERS 4

typedef struct nilas_registry_function {
    const char *name;
    duckdb_scalar_function_t run;
    duckdb_type parameters[NILAS_REGISTRY_PARAMETERS]; // INTEGER, …; the rest DUCKDB_TYPE_INVALID
    duckdb_type result;
    bool takes_any;   // more arguments of any type follow, and nulls come through
    bool is_volatile; // not to be folded or called less often
} nilas_registry_function;

/** Make a scalar function known to SQL. `registry` is borrowed while the database lives. */
nilas_code nilas_registry__register(duckdb_connection connection, nilas_registry *registry,
                                    const nilas_registry_function *function, nilas_error *err);
/**
 * What a call of such a function is about. NULL: there is nothing to do; the chunk is empty, or the
 * call was made to fail with `gone` because there is no such thing any more.
 */
void *nilas_registry__called(duckdb_function_info info, duckdb_data_chunk input,
                             nilas_registry_kind kind, const char *gone);

#endif
