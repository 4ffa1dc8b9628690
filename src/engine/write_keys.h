/**
 * Partition values and sort keys by Iceberg's transforms, for SQL to call.
 *
 *     nilas_partition(keys, a, b, …) -> INTEGER        number of the tuple of partition values
 *     nilas_sort_key(keys, i, a) -> BIGINT             transform of the sort order's field i
 */
#ifndef NILAS_ENGINE_WRITE_KEYS_H
#define NILAS_ENGINE_WRITE_KEYS_H

#include <pthread.h>

#include "duckdb_api.h"
#include "engine/registry.h"
#include "iceberg/iceberg.h"

typedef struct nilas_write_key {
    const nilas_transform *transform;
    const nilas_ice_type *source;
} nilas_write_key;

/** Registered while a write runs; filled by DuckDB's threads. */
typedef struct nilas_write_keys {
    nilas_write_key *partition, *sort;
    size_t partition_count, sort_count;
    nilas_arena *arena; // of the tuples; a child of the statement's
    pthread_mutex_t lock;
    NILAS_ARRAY_OF(nilas_value) tuples; // distinct, in the order of their numbers
    uint32_t *slots;                    // number + 1 by hash; 0: free
    size_t slot_count;
    size_t limit; // of tuples; 0: none
    bool is_full; // one more was met
} nilas_write_keys;

/** Register both functions. */
nilas_code nilas_engine__register_write_keys(duckdb_connection connection, nilas_registry *registry,
                                             nilas_error *err);
/** The number of a tuple, given a new one when it was not met yet. Called under the lock. */
nilas_code nilas_write_keys__number(nilas_write_keys *keys, const nilas_value *tuple, int32_t *out,
                                    nilas_error *err);

/** The value at a row of a vector that carries an Iceberg type (see cast.h), text copied into the
 * arena when it is not NULL (vector_read.c). */
nilas_code nilas_engine__read_vector(nilas_arena *arena, duckdb_vector vector,
                                     const nilas_ice_type *type, idx_t row, nilas_value *out,
                                     nilas_error *err);

#endif
