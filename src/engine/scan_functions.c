/*
 * What a scan's SQL asks about its files. They are pure for one query, and take columns, so DuckDB
 * neither folds them early nor keeps them from going along with other filters.
 */
#include "engine/scan_functions.h"

#include "engine/scan_source.h"

static void *column_data(duckdb_data_chunk input, idx_t column) {
    return duckdb_vector_get_data(duckdb_data_chunk_get_vector(input, column));
}

static nilas_scan_group *find_group(duckdb_function_info info, duckdb_data_chunk input) {
    return nilas_registry__called(info, input, NILAS_REGISTRY_SCAN, "a scan is no longer open");
}

/** One file's rows of a chunk; rows come in order, so the branch predictor does the rest. */
static void mark_deleted(const nilas_deleted_rows *deleted, const int64_t *positions, bool *results,
                         idx_t from, idx_t to) {
    if (deleted->bits != NULL) {
        for (idx_t i = from; i < to; i++) {
            uint64_t position = (uint64_t)positions[i];
            results[i] = position < deleted->bit_count &&
                         (deleted->bits[position >> 3] >> (position & 7) & 1) != 0;
        }
    } else if (deleted->bitmap != NULL) {
        for (idx_t i = from; i < to; i++) {
            results[i] = nilas_bitmap_contains(deleted->bitmap, (uint64_t)positions[i]);
        }
    } else {
        memset(results + from, 0, (size_t)(to - from));
    }
}

static void run_deleted(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
    idx_t count = duckdb_data_chunk_get_size(input);
    nilas_scan_group *group = find_group(info, input);
    if (group == NULL) {
        return;
    }
    nilas_assert(group->deleted != NULL);
    const uint64_t *files = column_data(input, 1);
    const int64_t *positions = column_data(input, 2);
    bool *results = duckdb_vector_get_data(output);
    for (idx_t from = 0; from < count;) {
        idx_t to = from + 1;
        while (to < count && files[to] == files[from]) {
            to++;
        }
        nilas_assert(files[from] < group->tasks.count);
        mark_deleted(&group->deleted[files[from]], positions, results, from, to);
        from = to;
    }
}

static void run_file_number(duckdb_function_info info, duckdb_data_chunk input,
                            duckdb_vector output) {
    idx_t count = duckdb_data_chunk_get_size(input);
    nilas_scan_group *group = find_group(info, input);
    if (group == NULL) {
        return;
    }
    const int32_t *slots = column_data(input, 1);
    const uint64_t *files = column_data(input, 2);
    int64_t *results = duckdb_vector_get_data(output);
    nilas_assert(slots[0] >= 0 && slots[0] < NILAS_SLOT_LIMIT && group->slots[slots[0]] != NULL);
    const int64_t *numbers = group->slots[slots[0]];
    uint64_t *validity = NULL;
    for (idx_t i = 0; i < count; i++) {
        nilas_assert(files[i] < group->tasks.count);
        results[i] = numbers[files[i]];
        if (results[i] == NILAS_SLOT_NULL) {
            if (validity == NULL) {
                duckdb_vector_ensure_validity_writable(output);
                validity = duckdb_vector_get_validity(output);
            }
            duckdb_validity_set_row_invalid(validity, i);
        }
    }
}

static void run_file_path(duckdb_function_info info, duckdb_data_chunk input,
                          duckdb_vector output) {
    idx_t count = duckdb_data_chunk_get_size(input);
    nilas_scan_group *group = find_group(info, input);
    if (group == NULL) {
        return;
    }
    const uint64_t *files = column_data(input, 1);
    for (idx_t i = 0; i < count; i++) {
        nilas_assert(files[i] < group->tasks.count);
        nilas_str path = group->tasks.items[files[i]]->file.file_path;
        duckdb_vector_assign_string_element_len(output, i, path.data, path.size);
    }
}

nilas_code nilas_engine__register_scan_functions(duckdb_connection connection,
                                                 nilas_registry *registry, nilas_error *err) {
    static const nilas_registry_function functions[] = {
        {.name = "nilas_deleted",
         .run = run_deleted,
         .parameters = {DUCKDB_TYPE_INTEGER, DUCKDB_TYPE_UBIGINT, DUCKDB_TYPE_BIGINT},
         .result = DUCKDB_TYPE_BOOLEAN},
        {.name = "nilas_file_number",
         .run = run_file_number,
         .parameters = {DUCKDB_TYPE_INTEGER, DUCKDB_TYPE_INTEGER, DUCKDB_TYPE_UBIGINT},
         .result = DUCKDB_TYPE_BIGINT},
        {.name = "nilas_file_path",
         .run = run_file_path,
         .parameters = {DUCKDB_TYPE_INTEGER, DUCKDB_TYPE_UBIGINT},
         .result = DUCKDB_TYPE_VARCHAR},
    };
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
        NILAS_TRY(nilas_registry__register(connection, registry, &functions[i], err));
    }
    return NILAS_OK;
}
