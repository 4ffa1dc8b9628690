/**
 * Names: one sorted index over all tables, built on first use. Rows of one name keep the order of
 * their table.
 */
#include "function/function.h"
#include "function/resolve.h"
#include "function/table.h"

#include <pthread.h>
#include <stdlib.h>

#define MAXIMUM_ROWS 4096 // a bound for our own tables; the unit test says when it is near

static const nilas_function *index_rows[MAXIMUM_ROWS];
static size_t index_count;
static const char *index_names[MAXIMUM_ROWS];
static size_t index_name_count;
static pthread_once_t index_once = PTHREAD_ONCE_INIT;

static int compare_rows(const void *a, const void *b) {
    const nilas_function *x = *(const nilas_function *const *)a;
    const nilas_function *y = *(const nilas_function *const *)b;
    int order = strcmp(x->name, y->name);
    if (order != 0) {
        return order;
    }
    return x < y ? -1 : x > y; // rows of one name stand in one table
}

static void build_index(void) {
    const int unlisted = NILAS_FUNCTION_ICEBERG | NILAS_FUNCTION_UNLISTED;
    for (size_t t = 0; t < nilas_function__table_count; t++) {
        const nilas_function_table *table = &nilas_function__tables[t];
        for (size_t i = 0; i < *table->count; i++) {
            nilas_assert(index_count < MAXIMUM_ROWS);
            index_rows[index_count++] = &table->rows[i];
        }
    }
    qsort(index_rows, index_count, sizeof(index_rows[0]), compare_rows);
    for (size_t i = 0; i < index_count; i++) {
        bool first = i == 0 || strcmp(index_rows[i - 1]->name, index_rows[i]->name) != 0;
        if (first && (index_rows[i]->flags & unlisted) == 0) {
            index_names[index_name_count++] = index_rows[i]->name;
        }
    }
}

const nilas_function *const *nilas_function__rows(nilas_str name, size_t *out_count) {
    char folded[64];
    pthread_once(&index_once, build_index);
    *out_count = 0;
    if (name.size == 0 || name.size >= sizeof(folded)) {
        return NULL;
    }
    for (size_t i = 0; i < name.size; i++) {
        char c = name.data[i];
        folded[i] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    folded[name.size] = '\0';
    size_t low = 0, high = index_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (strcmp(index_rows[middle]->name, folded) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    size_t end = low;
    while (end < index_count && strcmp(index_rows[end]->name, folded) == 0) {
        end++;
    }
    *out_count = end - low;
    return end > low ? &index_rows[low] : NULL;
}

bool nilas_function_exists(nilas_str name) {
    size_t count = 0;
    const nilas_function *const *rows = nilas_function__rows(name, &count);
    return rows != NULL && (rows[0]->flags & NILAS_FUNCTION_OPERATOR) == 0;
}

bool nilas_function_find_kind(nilas_str name, nilas_function_kind *out) {
    size_t count = 0;
    const nilas_function *const *rows = nilas_function__rows(name, &count);
    if (rows == NULL) {
        return false;
    }
    *out = rows[0]->kind;
    return true;
}

const nilas_function *nilas_function_next(const nilas_function *row) {
    pthread_once(&index_once, build_index);
    if (row == NULL) {
        return index_rows[0];
    }
    for (size_t i = 0; i + 1 < index_count; i++) {
        if (index_rows[i] == row) {
            return index_rows[i + 1];
        }
    }
    return NULL;
}

const char *const *nilas_function_names(size_t *out_count) {
    pthread_once(&index_once, build_index);
    *out_count = index_name_count;
    return index_names;
}
