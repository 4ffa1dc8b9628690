/** Functions over lists: sequences, moments of a list of numbers. */
#include <math.h>

#include "engine/cell.h"

#define MAXIMUM_SEQUENCE 100000000 // elements; beyond it the list would not fit in memory anyway

/** Room for `count` elements in the result list of this row; NULL when it failed. */
static void *grow_result(nilas_row *row, idx_t count, size_t element_size) {
    duckdb_list_entry *entries = row->result_data;
    idx_t start = duckdb_list_vector_get_size(row->result);
    if (duckdb_list_vector_reserve(row->result, start + count) != DuckDBSuccess ||
        duckdb_list_vector_set_size(row->result, start + count) != DuckDBSuccess) {
        nilas_row__fail(row, "", "out of memory");
        return NULL;
    }
    entries[row->at] = (duckdb_list_entry){.offset = start, .length = count};
    return (char *)duckdb_vector_get_data(duckdb_list_vector_get_child(row->result)) +
           start * element_size;
}

/** Elements of a sequence, or -1 when it has wrong bounds (the row has failed). */
static int64_t sequence_length(nilas_row *row, int64_t start, int64_t stop, int64_t step) {
    if ((step == 0 && start != stop) || (step > 0 && start > stop) || (step < 0 && start < stop)) {
        nilas_row__fail(row, "", "Illegal sequence boundaries: %lld to %lld by %lld",
                        (long long)start, (long long)stop, (long long)step);
        return -1;
    }
    nilas_int128 length = step == 0 ? 1 : ((nilas_int128)stop - start) / step + 1;
    if (length > MAXIMUM_SEQUENCE) {
        nilas_row__fail(row, "COLLECTION_SIZE_LIMIT_EXCEEDED",
                        "Can't create array with more than %d elements.", MAXIMUM_SEQUENCE);
        return -1;
    }
    return (int64_t)length;
}

static void sequence(nilas_row *row) {
    int64_t start = nilas_row__integer(row, 0);
    int64_t stop = nilas_row__integer(row, 1);
    int64_t step = row->count > 2 ? nilas_row__integer(row, 2) : start <= stop ? 1 : -1;
    int64_t count = sequence_length(row, start, stop, step);
    if (count < 0) {
        return;
    }
    size_t size = (size_t)row->udf->extra;
    char *out = grow_result(row, (idx_t)count, size);
    for (int64_t i = 0; i < count && out != NULL; i++) {
        int64_t value = start + i * step;
        memcpy(out + (size_t)i * size, &value, size); // little endian: the low bytes
    }
}

/** Months between the dates of a sequence with a year-month step: offsets 0, step, 2 step … while not beyond. */
static void sequence_months(nilas_row *row) {
    int64_t first = nilas_row__integer(row, 0), last = nilas_row__integer(row, 1),
            step = nilas_row__int(row, 2);
    int64_t year;
    int32_t month, day;
    int64_t count = 0;
    nilas_civil_from_days(first, &year, &month, &day);
    if ((step == 0 && first != last) || (step > 0 && first > last) || (step < 0 && first < last)) {
        nilas_row__fail(row, "", "Illegal sequence boundaries: %lld to %lld by %lld",
                        (long long)first, (long long)last, (long long)step);
        return;
    }
    int64_t estimate = step == 0 ? 1 : (last - first) / (step * 28) + 2;
    int32_t *out = grow_result(row, (idx_t)estimate, sizeof(int32_t));
    for (int64_t i = 0; i < estimate && out != NULL; i++) {
        int64_t total = year * 12 + month - 1 + i * step;
        int64_t y = nilas_floor_div(total, 12);
        int32_t m = (int32_t)nilas_floor_mod(total, 12) + 1;
        int64_t next =
            m == 12 ? nilas_days_from_civil(y + 1, 1, 1) : nilas_days_from_civil(y, m + 1, 1);
        int64_t days = nilas_days_from_civil(y, m, 1) + day - 1;
        days = days >= next ? next - 1 : days;
        if (step >= 0 ? days > last : days < last) {
            break;
        }
        out[count++] = (int32_t)days;
    }
    if (out != NULL) {
        duckdb_list_entry *entries = row->result_data;
        entries[row->at].length = (uint64_t)count;
        (void)duckdb_list_vector_set_size(row->result, entries[row->at].offset + (idx_t)count);
    }
}

typedef struct moments {
    double count, mean, m2, m3, m4;
} moments;

/** Spark's CentralMomentAgg: one value more. */
static void add_value(moments *m, double value) {
    double n = m->count + 1;
    double delta = value - m->mean;
    double delta_n = delta / n;
    double old_m2 = m->m2, old_m3 = m->m3;
    m->mean += delta_n;
    m->m2 = old_m2 + delta * (delta - delta_n);
    double delta2 = delta * delta;
    double delta_n2 = delta_n * delta_n;
    m->m3 = old_m3 - 3 * delta_n * m->m2 + delta * (delta2 - delta_n2);
    m->m4 +=
        -4 * delta_n * m->m3 - 6 * delta_n2 * m->m2 + delta * (delta * delta2 - delta_n * delta_n2);
    m->count = n;
}

/** skewness (extra 0) or kurtosis (1) of a list of doubles. */
static void shape(nilas_row *row) {
    const nilas_cell *cell = nilas_row__cell(row, 0);
    moments m = {0};
    if (cell == NULL) {
        return;
    }
    duckdb_list_entry entry = nilas_cell__entry(cell, row->at);
    for (idx_t i = 0; i < entry.length; i++) {
        if (!nilas_cell__is_null(&cell->children[0], entry.offset + i)) {
            add_value(&m, nilas_cell__real(&cell->children[0], entry.offset + i));
        }
    }
    if (m.count == 0) {
        nilas_row__set_null(row);
    } else if (m.m2 == 0) {
        nilas_row__set_null(row);
    } else if (row->udf->extra == 0) {
        nilas_row__set_double(row, sqrt(m.count) * m.m3 / sqrt(m.m2 * m.m2 * m.m2));
    } else {
        nilas_row__set_double(row, m.count * m.m4 / (m.m2 * m.m2) - 3.0);
    }
}

/** bitmap_or_agg: the bitwise or of a list of binaries, 4096 bytes long. */
static void or_all(nilas_row *row) {
    char bytes[4096] = {0};
    const nilas_cell *cell = nilas_row__cell(row, 0);
    if (cell == NULL) {
        return;
    }
    duckdb_list_entry entry = nilas_cell__entry(cell, row->at);
    for (idx_t i = 0; i < entry.length; i++) {
        nilas_str text = nilas_cell__text(&cell->children[0], entry.offset + i);
        for (size_t k = 0; k < text.size && k < sizeof(bytes); k++) {
            bytes[k] = (char)(bytes[k] | text.data[k]);
        }
    }
    nilas_row__set_text(row, (nilas_str){.data = bytes, .size = sizeof(bytes)});
}

const nilas_udf nilas_engine__list_functions[] = {
    {"nilas_sequence", "tt>[t", sequence, 0, 1},
    {"nilas_sequence", "hh>[h", sequence, 0, 2},
    {"nilas_sequence", "ii>[i", sequence, 0, 4},
    {"nilas_sequence", "ll>[l", sequence, 0, 8},
    {"nilas_sequence", "ttt>[t", sequence, 0, 1},
    {"nilas_sequence", "hhh>[h", sequence, 0, 2},
    {"nilas_sequence", "iii>[i", sequence, 0, 4},
    {"nilas_sequence", "lll>[l", sequence, 0, 8},
    {"nilas_sequence_months", "DDi>[D", sequence_months, 0, 0},
    {"nilas_skewness", "a>d", shape, 0, 0},
    {"nilas_kurtosis", "a>d", shape, 0, 1},
    {"nilas_or_all", "a>x", or_all, 0, 0},
    {NULL, NULL, NULL, 0, 0},
};
