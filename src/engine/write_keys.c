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

nilas_code nilas_write_keys__number(nilas_write_keys *keys, const nilas_value *tuple, int32_t *out,
                                    nilas_error *err) {
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
    keys->is_full = keys->limit != 0 && keys->tuples.count >= keys->limit;
    NILAS_REQUIRE(!keys->is_full && keys->tuples.count < INT32_MAX / 2, err, NILAS_LIMIT,
                  "too many partitions");
    NILAS_TRY(nilas_value_copy(keys->arena, tuple, &copy, err));
    NILAS_PUSH(keys->arena, &keys->tuples, copy, err);
    keys->slots[at] = (uint32_t)keys->tuples.count;
    *out = (int32_t)(keys->tuples.count - 1);
    return NILAS_OK;
}

/* ---- the functions ---- */

static nilas_code transform_cell(nilas_arena *scratch, const nilas_write_key *key,
                                 duckdb_vector vector, idx_t row, nilas_value *out,
                                 nilas_error *err) {
    nilas_value source;

    NILAS_TRY(nilas_engine__read_vector(scratch, vector, key->source, row, &source, err));
    return nilas_transform_apply(scratch, key->transform, key->source, &source, out, err);
}

/** Bytes of a source whose values are integers; 0: of any other. */
static size_t integer_width(const nilas_ice_type *type) {
    switch (type->kind) {
    case NILAS_ICE_INT:
    case NILAS_ICE_DATE: return 4;
    case NILAS_ICE_LONG:
    case NILAS_ICE_TIMESTAMP:
    case NILAS_ICE_TIMESTAMPTZ: return 8;
    default: return 0;
    }
}

#define MEMO_SLOTS 256

/** Numbers of integers of one key, by some of their bits: most chunks have few. */
typedef struct integer_memo {
    size_t width;
    const void *data;
    uint64_t *validity;
    struct {
        int64_t value;
        int32_t number;
        bool is_set;
    } slots[MEMO_SLOTS];
} integer_memo;

/** The slot of a row's integer; SIZE_MAX: it is null. */
static size_t find_slot(const integer_memo *memo, idx_t row, int64_t *out_value) {
    if (memo->validity != NULL && !duckdb_validity_row_is_valid(memo->validity, row)) {
        return SIZE_MAX;
    }
    *out_value =
        memo->width == 4 ? ((const int32_t *)memo->data)[row] : ((const int64_t *)memo->data)[row];
    return (size_t)(((uint64_t)*out_value * 0x9E3779B97F4A7C15ULL) >> 56);
}

static nilas_code number_integer(nilas_write_keys *keys, nilas_arena *scratch, duckdb_vector vector,
                                 idx_t row, int32_t *out, nilas_error *err) {
    nilas_value item;
    nilas_value tuple = {.kind = NILAS_VALUE_STRUCT, .items = &item, .count = 1};

    NILAS_TRY(transform_cell(scratch, &keys->partition[0], vector, row, &item, err));
    pthread_mutex_lock(&keys->lock);
    nilas_code code = nilas_write_keys__number(keys, &tuple, out, err);
    pthread_mutex_unlock(&keys->lock);
    return code;
}

/** Rows of one chunk whose only key is an integer. */
static nilas_code number_integers(nilas_write_keys *keys, nilas_arena *scratch,
                                  duckdb_data_chunk input, duckdb_vector output, nilas_error *err) {
    duckdb_vector vector = duckdb_data_chunk_get_vector(input, 1);
    int32_t *results = duckdb_vector_get_data(output);
    idx_t count = duckdb_data_chunk_get_size(input);
    integer_memo memo = {.width = integer_width(keys->partition[0].source),
                         .data = duckdb_vector_get_data(vector),
                         .validity = duckdb_vector_get_validity(vector)};

    nilas_assert(memo.width > 0 && MEMO_SLOTS == 1 << 8);
    for (idx_t row = 0; row < count; row++) {
        int64_t value = 0;
        size_t slot = find_slot(&memo, row, &value);
        if (slot != SIZE_MAX && memo.slots[slot].is_set && memo.slots[slot].value == value) {
            results[row] = memo.slots[slot].number;
            continue;
        }
        NILAS_TRY(number_integer(keys, scratch, vector, row, &results[row], err));
        if (slot != SIZE_MAX) {
            memo.slots[slot].value = value;
            memo.slots[slot].number = results[row];
            memo.slots[slot].is_set = true;
        }
    }
    return NILAS_OK;
}

/** Rows of one chunk; equal neighbours are looked up once. */
static nilas_code number_rows(nilas_write_keys *keys, nilas_arena *scratch, duckdb_data_chunk input,
                              duckdb_vector output, nilas_error *err) {
    int32_t *results = duckdb_vector_get_data(output);
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

static nilas_code number_chunk(nilas_write_keys *keys, nilas_arena *scratch,
                               duckdb_data_chunk input, duckdb_vector output, nilas_error *err) {
    bool is_integer = keys->partition_count == 1 && integer_width(keys->partition[0].source) > 0;

    return is_integer ? number_integers(keys, scratch, input, output, err)
                      : number_rows(keys, scratch, input, output, err);
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
        NILAS_TRY(transform_cell(scratch, &keys->sort[indexes[0]], vector, row, &value, err));
        if (value.kind == NILAS_VALUE_INT) {
            results[row] = value.integer;
        } else {
            duckdb_validity_set_row_invalid(duckdb_vector_get_validity(output), row);
        }
    }
    return NILAS_OK;
}

typedef nilas_code rows_body(nilas_write_keys *keys, nilas_arena *scratch, duckdb_data_chunk input,
                             duckdb_vector output, nilas_error *err);

static void run_rows(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output,
                     rows_body *body) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_write_keys *keys =
        nilas_registry__called(info, input, NILAS_REGISTRY_WRITE, "a write is no longer open");

    if (keys == NULL) {
        return;
    }
    if (scratch == NULL) {
        duckdb_scalar_function_set_error(info, "out of memory");
    } else if (body(keys, scratch, input, output, &err) != NILAS_OK) {
        duckdb_scalar_function_set_error(info, err.message);
    }
}

static void run_partition(duckdb_function_info info, duckdb_data_chunk input,
                          duckdb_vector output) {
    run_rows(info, input, output, number_chunk);
}

static void run_sort_key(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
    run_rows(info, input, output, sort_rows);
}

/* ---- registration ---- */

nilas_code nilas_engine__register_write_keys(duckdb_connection connection, nilas_registry *registry,
                                             nilas_error *err) {
    // Nulls have a partition, too.
    static const nilas_registry_function partition = {
        .name = "nilas_partition",
        .run = run_partition,
        .parameters = {DUCKDB_TYPE_INTEGER},
        .result = DUCKDB_TYPE_INTEGER,
        .takes_any = true,
    };
    static const nilas_registry_function sort_key = {
        .name = "nilas_sort_key",
        .run = run_sort_key,
        .parameters = {DUCKDB_TYPE_INTEGER, DUCKDB_TYPE_INTEGER},
        .result = DUCKDB_TYPE_BIGINT,
        .takes_any = true,
    };
    NILAS_TRY(nilas_registry__register(connection, registry, &partition, err));
    return nilas_registry__register(connection, registry, &sort_key, err);
}
