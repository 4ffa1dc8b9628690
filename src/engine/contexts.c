/* Contexts by connection: a short list, for a connection lives as long as a statement. */
#include "engine/contexts.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct entry {
    idx_t connection_id;
    const nilas_engine_context *context; // NULL: free
} entry;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static entry *entries; // kept for the next ones
static size_t count, capacity;

static idx_t id_of(duckdb_connection connection) {
    duckdb_client_context client = NULL;

    duckdb_connection_get_client_context(connection, &client);
    idx_t id = duckdb_client_context_get_connection_id(client);
    duckdb_destroy_client_context(&client);
    return id;
}

/** A free entry; NULL when out of memory. Called under the lock. */
static entry *find_free(void) {
    for (size_t i = 0; i < count; i++) {
        if (entries[i].context == NULL) {
            return &entries[i];
        }
    }
    if (count == capacity) {
        size_t wanted = capacity == 0 ? 16 : capacity * 2;
        entry *grown = realloc(entries, wanted * sizeof(*grown));
        if (grown == NULL) {
            return NULL;
        }
        entries = grown;
        capacity = wanted;
    }
    return &entries[count++];
}

nilas_code nilas_contexts__put(duckdb_connection connection, const nilas_engine_context *context,
                               nilas_error *err) {
    idx_t id = id_of(connection);

    pthread_mutex_lock(&lock);
    entry *place = find_free();
    if (place != NULL) {
        *place = (entry){.connection_id = id, .context = context};
    }
    pthread_mutex_unlock(&lock);
    NILAS_REQUIRE(place != NULL, err, NILAS_NOMEM, "out of memory");
    return NILAS_OK;
}

static entry *find(idx_t id) {
    for (size_t i = 0; i < count; i++) {
        if (entries[i].context != NULL && entries[i].connection_id == id) {
            return &entries[i];
        }
    }
    return NULL;
}

void nilas_contexts__remove(duckdb_connection connection) {
    idx_t id = id_of(connection);

    pthread_mutex_lock(&lock);
    entry *place = find(id);
    if (place != NULL) {
        place->context = NULL;
    }
    pthread_mutex_unlock(&lock);
}

const nilas_engine_context *nilas_contexts__of_init(duckdb_init_info info) {
    duckdb_client_context client = NULL;

    duckdb_scalar_function_init_get_client_context(info, &client);
    idx_t id = duckdb_client_context_get_connection_id(client);
    duckdb_destroy_client_context(&client);
    pthread_mutex_lock(&lock);
    const entry *place = find(id);
    const nilas_engine_context *context = place != NULL ? place->context : NULL;
    pthread_mutex_unlock(&lock);
    return context;
}
