/* Numbers for our things; see registry.h. */
#include "engine/registry.h"

#include <stdlib.h>

#include "engine/job.h"

nilas_registry *nilas_registry__shared(void) {
    static nilas_registry shared = {.lock = PTHREAD_MUTEX_INITIALIZER};
    return &shared;
}

void nilas_registry__init(nilas_registry *registry) {
    *registry = (nilas_registry){0};
    int failed = pthread_mutex_init(&registry->lock, NULL);
    nilas_assert(failed == 0);
}

void nilas_registry__done(nilas_registry *registry) {
    pthread_mutex_destroy(&registry->lock);
    free(registry->entries);
    registry->entries = NULL;
    registry->count = registry->capacity = 0;
}

/**
 * Position of a free entry, made by growing if need be; SIZE_MAX when out of memory. Called under
 * the lock.
 */
static size_t find_free(nilas_registry *registry) {
    for (size_t i = 0; i < registry->count; i++) {
        if (registry->entries[i].thing == NULL) {
            return i;
        }
    }
    if (registry->count == registry->capacity) {
        size_t capacity = registry->capacity == 0 ? 16 : registry->capacity * 2;
        nilas_registry_entry *grown = realloc(registry->entries, capacity * sizeof(*grown));
        if (grown == NULL) {
            return SIZE_MAX;
        }
        registry->entries = grown;
        registry->capacity = capacity;
    }
    return registry->count++;
}

nilas_code nilas_registry__add(nilas_registry *registry, nilas_registry_kind kind, void *thing,
                               int32_t *out_id, nilas_error *err) {
    nilas_assert(thing != NULL);
    pthread_mutex_lock(&registry->lock);
    size_t at = find_free(registry);
    if (at != SIZE_MAX) {
        registry->entries[at] = (nilas_registry_entry){.kind = kind, .thing = thing};
        *out_id = (int32_t)at;
    }
    pthread_mutex_unlock(&registry->lock);
    NILAS_REQUIRE(at != SIZE_MAX, err, NILAS_NOMEM, "out of memory");
    return NILAS_OK;
}

void *nilas_registry__find(nilas_registry *registry, nilas_registry_kind kind, int32_t id) {
    void *thing = NULL;
    pthread_mutex_lock(&registry->lock);
    if (id >= 0 && (size_t)id < registry->count && registry->entries[id].kind == kind) {
        thing = registry->entries[id].thing;
    }
    pthread_mutex_unlock(&registry->lock);
    return thing;
}

void nilas_registry__remove(nilas_registry *registry, int32_t id) {
    pthread_mutex_lock(&registry->lock);
    nilas_assert(id >= 0 && (size_t)id < registry->count);
    registry->entries[id].thing = NULL;
    pthread_mutex_unlock(&registry->lock);
}

nilas_code nilas_registry__register(duckdb_connection connection, nilas_registry *registry,
                                    const nilas_registry_function *function, nilas_error *err) {
    duckdb_scalar_function made = duckdb_create_scalar_function();
    NILAS_AUTO_LOGICAL_TYPE result = duckdb_create_logical_type(function->result);
    NILAS_AUTO_LOGICAL_TYPE any = duckdb_create_logical_type(DUCKDB_TYPE_ANY);

    duckdb_scalar_function_set_name(made, function->name);
    for (size_t i = 0; i < NILAS_REGISTRY_PARAMETERS; i++) {
        if (function->parameters[i] != DUCKDB_TYPE_INVALID) {
            NILAS_AUTO_LOGICAL_TYPE type = duckdb_create_logical_type(function->parameters[i]);
            duckdb_scalar_function_add_parameter(made, type);
        }
    }
    if (function->takes_any) {
        duckdb_scalar_function_set_varargs(made, any);
        duckdb_scalar_function_set_special_handling(made);
    }
    if (function->is_volatile) {
        duckdb_scalar_function_set_volatile(made);
    }
    duckdb_scalar_function_set_return_type(made, result);
    duckdb_scalar_function_set_extra_info(made, registry, NULL);
    duckdb_scalar_function_set_function(made, function->run);
    duckdb_state state = duckdb_register_scalar_function(connection, made);
    duckdb_destroy_scalar_function(&made);
    NILAS_REQUIRE(state == DuckDBSuccess, err, NILAS_ENGINE, "DuckDB does not take the function %s",
                  function->name);
    return NILAS_OK;
}

void *nilas_registry__called(duckdb_function_info info, duckdb_data_chunk input,
                             nilas_registry_kind kind, const char *gone) {
    if (duckdb_data_chunk_get_size(input) == 0) {
        return NULL;
    }
    nilas_registry *registry = duckdb_scalar_function_get_extra_info(info);
    const int32_t *numbers = duckdb_vector_get_data(duckdb_data_chunk_get_vector(input, 0));
    void *thing = nilas_registry__find(registry, kind, numbers[0]);
    if (thing == NULL) {
        duckdb_scalar_function_set_error(info, gone);
    }
    return thing;
}
