/*
 * Partition tuples by number: SQL sorts and cuts by an integer, the tuple itself stays here.
 *
 * The numbers are given as tuples are met, so they differ from run to run when several threads
 * write; nothing but the order of files depends on them.
 */
#include "engine/write_keys.h"

#include <stdlib.h>

#include "engine/job.h"

/* ---- numbers of tuples ---- */

static nilas_code grow(nilas_write_keys *keys, nilas_error *err) {
    size_t count = keys->slot_count == 0 ? 64 : keys->slot_count * 2;
    uint32_t *slots;

    NILAS_NEW_ARRAY(keys->arena, &slots, count, err);
    for (size_t i = 0; i < keys->tuples.count; i++) {
        size_t at = (size_t)nilas_value_hash(&keys->tuples.items[i]) & (count - 1);
        while (slots[at] != 0) {
            at = (at + 1) & (count - 1);
        }
        slots[at] = (uint32_t)i + 1;
    }
    keys->slots = slots;
    keys->slot_count = count;
    return NILAS_OK;
}

nilas_code nilas_write_keys__number(nilas_write_keys *keys, const nilas_value *tuple,
                                    int32_t *out, nilas_error *err) {
    nilas_value copy;

    if (keys->tuples.count * 2 >= keys->slot_count) {
        NILAS_TRY(grow(keys, err));
    }
    size_t at = (size_t)nilas_value_hash(tuple) & (keys->slot_count - 1);
    while (keys->slots[at] != 0) {
        if (nilas_value_equal(&keys->tuples.items[keys->slots[at] - 1], tuple)) {
            *out = (int32_t)(keys->slots[at] - 1);
            return NILAS_OK;
        }
        at = (at + 1) & (keys->slot_count - 1);
    }
    NILAS_REQUIRE(keys->tuples.count < INT32_MAX / 2, err, NILAS_LIMIT, "too many partitions");
    NILAS_TRY(nilas_value_copy(keys->arena, tuple, &copy, err));
    NILAS_PUSH(keys->arena, &keys->tuples, copy, err);
    keys->slots[at] = (uint32_t)keys->tuples.count;
    *out = (int32_t)(keys->tuples.count - 1);
    return NILAS_OK;
}

/* ---- the functions ---- */

static nilas_write_keys *find_keys(duckdb_function_info info, duckdb_data_chunk input) {
    nilas_registry *registry = duckdb_scalar_function_get_extra_info(info);
    const int32_t *numbers = duckdb_vector_get_data(duckdb_data_chunk_get_vector(input, 0));
    nilas_write_keys *keys = nilas_registry__find(registry, NILAS_REGISTRY_WRITE, numbers[0]);

    if (keys == NULL) {
        duckdb_scalar_function_set_error(info, "a write is no longer open");
    }
    return keys;
}

static nilas_code transform_cell(nilas_arena *scratch, const nilas_write_key *key,
                                 duckdb_vector vector, idx_t row, nilas_value *out,
                                 nilas_error *err) {
    nilas_value source;

    NILAS_TRY(nilas_engine__read_vector(scratch, vector, key->source, row, &source, err));
    return nilas_transform_apply(scratch, key->transform, key->source, &source, out, err);
}

/** Rows of one chunk; equal neighbours are looked up once. */
static nilas_code number_rows(nilas_write_keys *keys, nilas_arena *scratch,
                              duckdb_data_chunk input, int32_t *results, nilas_error *err) {
    idx_t count = duckdb_data_chunk_get_size(input);
    nilas_value *tuples;
    duckdb_vector *vectors;

    NILAS_NEW_ARRAY(scratch, &vectors, keys->partition_count, err);
    NILAS_NEW_ARRAY(scratch, &tuples, count, err);
    for (size_t k = 0; k < keys->partition_count; k++) {
        vectors[k] = duckdb_data_chunk_get_vector(input, k + 1);
    }
    for (idx_t row = 0; row < count; row++) {
        nilas_value *items;
        NILAS_NEW_ARRAY(scratch, &items, keys->partition_count, err);
        for (size_t k = 0; k < keys->partition_count; k++) {
            NILAS_TRY(
                transform_cell(scratch, &keys->partition[k], vectors[k], row, &items[k], err));
        }
        tuples[row] = (nilas_value){
            .kind = NILAS_VALUE_STRUCT, .items = items, .count = keys->partition_count};
    }
    pthread_mutex_lock(&keys->lock);
    nilas_code code = NILAS_OK;
    for (idx_t row = 0; row < count && code == NILAS_OK; row++) {
        if (row > 0 && nilas_value_equal(&tuples[row], &tuples[row - 1])) {
            results[row] = results[row - 1];
        } else {
            code = nilas_write_keys__number(keys, &tuples[row], &results[row], err);
        }
    }
    pthread_mutex_unlock(&keys->lock);
    return code;
}

static void run_partition(duckdb_function_info info, duckdb_data_chunk input,
                          duckdb_vector output) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_write_keys *keys =
        duckdb_data_chunk_get_size(input) > 0 ? find_keys(info, input) : NULL;

    if (keys == NULL) {
        return;
    }
    if (scratch == NULL) {
        duckdb_scalar_function_set_error(info, "out of memory");
    } else if (number_rows(keys, scratch, input, duckdb_vector_get_data(output), &err) !=
               NILAS_OK) {
        duckdb_scalar_function_set_error(info, err.message);
    }
}

static nilas_code sort_rows(nilas_write_keys *keys, nilas_arena *scratch, duckdb_data_chunk input,
                            duckdb_vector output, nilas_error *err) {
    const int32_t *indexes = duckdb_vector_get_data(duckdb_data_chunk_get_vector(input, 1));
    duckdb_vector vector = duckdb_data_chunk_get_vector(input, 2);
    int64_t *results = duckdb_vector_get_data(output);
    idx_t count = duckdb_data_chunk_get_size(input);

    nilas_assert(indexes[0] >= 0 && (size_t)indexes[0] < keys->sort_count);
    duckdb_vector_ensure_validity_writable(output);
    for (idx_t row = 0; row < count; row++) {
        nilas_value value;
        NILAS_TRY(
            transform_cell(scratch, &keys->sort[indexes[0]], vector, row, &value, err));
        if (value.kind == NILAS_VALUE_INT) {
            results[row] = value.integer;
        } else {
            duckdb_validity_set_row_invalid(duckdb_vector_get_validity(output), row);
        }
    }
    return NILAS_OK;
}

static void run_sort_key(duckdb_function_info info, duckdb_data_chunk input,
                         duckdb_vector output) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_write_keys *keys =
        duckdb_data_chunk_get_size(input) > 0 ? find_keys(info, input) : NULL;

    if (keys == NULL) {
        return;
    }
    if (scratch == NULL) {
        duckdb_scalar_function_set_error(info, "out of memory");
    } else if (sort_rows(keys, scratch, input, output, &err) != NILAS_OK) {
        duckdb_scalar_function_set_error(info, err.message);
    }
}

/* ---- registration ---- */

typedef struct key_function {
    const char *name;
    duckdb_scalar_function_t run;
    size_t number_count; // leading INTEGER parameters; then anything
    duckdb_type result;
} key_function;

static nilas_code register_one(duckdb_connection connection, const key_function *shape,
                               nilas_registry *registry, nilas_error *err) {
    duckdb_scalar_function function = duckdb_create_scalar_function();
    NILAS_AUTO_LOGICAL_TYPE number = duckdb_create_logical_type(DUCKDB_TYPE_INTEGER);
    NILAS_AUTO_LOGICAL_TYPE any = duckdb_create_logical_type(DUCKDB_TYPE_ANY);
    NILAS_AUTO_LOGICAL_TYPE result = duckdb_create_logical_type(shape->result);

    duckdb_scalar_function_set_name(function, shape->name);
    for (size_t i = 0; i < shape->number_count; i++) {
        duckdb_scalar_function_add_parameter(function, number);
    }
    duckdb_scalar_function_set_varargs(function, any);
    duckdb_scalar_function_set_return_type(function, result);
    duckdb_scalar_function_set_special_handling(function); // nulls have a partition, too
    duckdb_scalar_function_set_extra_info(function, registry, NULL);
    duckdb_scalar_function_set_function(function, shape->run);
    duckdb_state state = duckdb_register_scalar_function(connection, function);
    duckdb_destroy_scalar_function(&function);
    NILAS_REQUIRE(state == DuckDBSuccess, err, NILAS_ENGINE, "DuckDB does not take the function %s",
                  shape->name);
    return NILAS_OK;
}

nilas_code nilas_engine__register_write_keys(duckdb_connection connection,
                                             nilas_registry *registry, nilas_error *err) {
    static const key_function shapes[] = {
        {"nilas_partition", run_partition, 1, DUCKDB_TYPE_INTEGER},
        {"nilas_sort_key", run_sort_key, 2, DUCKDB_TYPE_BIGINT},
    };
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        NILAS_TRY(register_one(connection, &shapes[i], registry, err));
    }
    return NILAS_OK;
}
