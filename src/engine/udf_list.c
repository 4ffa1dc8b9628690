/** Functions over lists: sequences, and aggregates that DuckDB has as lists. */
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
        uint64_t value = (uint64_t)start + (uint64_t)i * (uint64_t)step;
        memcpy(out + (size_t)i * size, &value, size); // little endian: the low bytes
    }
}

/** The day that many months later, or the month's last. */
static int64_t add_months(int64_t days, int64_t months) {
    int64_t year;
    int32_t month, day;
    nilas_civil_from_days(days, &year, &month, &day);
    int64_t total = year * 12 + month - 1 + months;
    int64_t y = nilas_floor_div(total, 12);
    int32_t m = (int32_t)nilas_floor_mod(total, 12) + 1;
    int64_t next =
        m == 12 ? nilas_days_from_civil(y + 1, 1, 1) : nilas_days_from_civil(y, m + 1, 1);
    int64_t result = nilas_days_from_civil(y, m, 1) + day - 1;
    return result >= next ? next - 1 : result;
}

/** Steps of months: first, first + step, first + 2 step … while not beyond the last. extra: units
 *  of a day (1 for dates, microseconds for local times) */
static void sequence_months(nilas_row *row) {
    int64_t first = nilas_row__integer(row, 0), last = nilas_row__integer(row, 1),
            step = nilas_row__int(row, 2);
    int64_t unit = row->udf->extra;
    int64_t day = nilas_floor_div(first, unit), time = nilas_floor_mod(first, unit);
    int64_t count = 0;
    if ((step == 0 && first != last) || (step > 0 && first > last) || (step < 0 && first < last)) {
        nilas_row__fail(row, "", "Illegal sequence boundaries: %lld to %lld by %lld",
                        (long long)first, (long long)last, (long long)step);
        return;
    }
    int64_t estimate = step == 0 ? 1 : (last - first) / unit / (step * 28) + 2;
    if (estimate > MAXIMUM_SEQUENCE) {
        nilas_row__fail(row, "COLLECTION_SIZE_LIMIT_EXCEEDED",
                        "Can't create array with more than %d elements.", MAXIMUM_SEQUENCE);
        return;
    }
    size_t size = unit == 1 ? sizeof(int32_t) : sizeof(int64_t);
    char *out = grow_result(row, (idx_t)estimate, size);
    for (int64_t i = 0; i < estimate && out != NULL; i++) {
        int64_t value = add_months(day, i * step) * unit + time;
        if (step >= 0 ? value > last : value < last) {
            break;
        }
        memcpy(out + (size_t)count++ * size, &value, size); // little endian: the low bytes
    }
    if (out != NULL) {
        duckdb_list_entry *entries = row->result_data;
        entries[row->at].length = (uint64_t)count;
        (void)duckdb_list_vector_set_size(row->result, entries[row->at].offset + (idx_t)count);
    }
}

/** (time, size, slide, start): starts of the windows that the time falls into, the latest first. */
static void window_starts(nilas_row *row) {
    int64_t time = nilas_row__bigint(row, 0), size = nilas_row__bigint(row, 1),
            slide = nilas_row__bigint(row, 2), start = nilas_row__bigint(row, 3);
    int64_t last = time - nilas_floor_mod(time - start, slide);
    int64_t count = (size + slide - 1) / slide; // the most there can be
    count -= last - (count - 1) * slide + size <= time;
    if (count > MAXIMUM_SEQUENCE) {
        nilas_row__fail(row, "COLLECTION_SIZE_LIMIT_EXCEEDED",
                        "Can't create array with more than %d elements.", MAXIMUM_SEQUENCE);
        return;
    }
    int64_t *out = grow_result(row, (idx_t)count, sizeof(int64_t));
    for (int64_t i = 0; i < count && out != NULL; i++) {
        out[i] = last - i * slide;
    }
}

/* --- bitmaps of 32,768 bits --- */

#define BITMAP_BYTES 4096

/** bitmap_or_agg and bitmap_and_agg: a list of binaries in one. extra: 0 or, 1 and */
static void merge_bitmaps(nilas_row *row) {
    char bytes[BITMAP_BYTES];
    const nilas_cell *cell = nilas_row__cell(row, 0);
    bool all = row->udf->extra != 0;
    if (cell == NULL) {
        return;
    }
    memset(bytes, all ? 0xFF : 0, sizeof(bytes));
    bool is_null = nilas_cell__is_null(cell, row->at);
    duckdb_list_entry entry = is_null ? (duckdb_list_entry){0} : nilas_cell__entry(cell, row->at);
    for (idx_t i = 0; i < entry.length; i++) {
        nilas_str text = nilas_cell__text(&cell->children[0], entry.offset + i);
        for (size_t k = 0; k < sizeof(bytes); k++) {
            char byte = k < text.size ? text.data[k] : 0;
            bytes[k] = (char)(all ? bytes[k] & byte : bytes[k] | byte);
        }
    }
    nilas_row__set_text(row, (nilas_str){.data = bytes, .size = sizeof(bytes)});
}

/** bitmap_construct_agg: a bit for each position of a list. */
static void construct_bitmap(nilas_row *row) {
    char bytes[BITMAP_BYTES] = {0};
    const nilas_cell *cell = nilas_row__cell(row, 0);
    if (cell == NULL) {
        return;
    }
    bool is_null = nilas_cell__is_null(cell, row->at);
    duckdb_list_entry entry = is_null ? (duckdb_list_entry){0} : nilas_cell__entry(cell, row->at);
    for (idx_t i = 0; i < entry.length; i++) {
        int64_t position = (int64_t)nilas_cell__integer(&cell->children[0], entry.offset + i);
        if (position < 0 || position >= 8 * BITMAP_BYTES) {
            nilas_row__fail(row, "INVALID_BITMAP_POSITION",
                            "The 0-indexed bitmap position %lld is out of bounds. The bitmap has "
                            "%d bits (%d bytes).",
                            (long long)position, 8 * BITMAP_BYTES, BITMAP_BYTES);
            return;
        }
        bytes[position / 8] = (char)(bytes[position / 8] | 1 << position % 8);
    }
    nilas_row__set_text(row, (nilas_str){.data = bytes, .size = sizeof(bytes)});
}

#define MAXIMUM_BINS 100000

typedef struct bin {
    double x, y;
} bin;

/** java.util.Random's nextDouble(): 26 and 27 bits of a linear congruential generator. */
static double next_double(uint64_t *seed) {
    const uint64_t mask = (1ULL << 48) - 1;
    *seed = (*seed * 0x5DEECE66DULL + 0xB) & mask;
    uint64_t high = *seed >> 22;
    *seed = (*seed * 0x5DEECE66DULL + 0xB) & mask;
    return (double)((high << 27) + (*seed >> 21)) * 0x1p-53;
}

typedef struct histogram_state {
    bin *bins;
    size_t count, limit;
    uint64_t seed;
} histogram_state;

/** Merge the two neighbours that lie closest into their weighted mean; of several such pairs one by
 *  chance, as Hive's histogram and Spark's do with this generator. */
static void merge_closest(histogram_state *h) {
    bin *bins = h->bins;
    size_t best = 0;
    int ties = 1;
    for (size_t i = 1; i + 1 < h->count; i++) {
        double gap = bins[i + 1].x - bins[i].x, least = bins[best + 1].x - bins[best].x;
        if (gap < least) {
            best = i;
            ties = 1;
        } else if (gap == least && next_double(&h->seed) <= 1.0 / ++ties) {
            best = i;
        }
    }
    double weight = bins[best].y + bins[best + 1].y;
    bins[best].x =
        bins[best].x * (bins[best].y / weight) + bins[best + 1].x * (bins[best + 1].y / weight);
    bins[best].y = weight;
    memmove(&bins[best + 1], &bins[best + 2], (h->count - best - 2) * sizeof(bin));
    h->count--;
}

/** One value more; there is room for one bin beyond the limit. */
static void add_to_bins(histogram_state *h, double value) {
    size_t at = 0;
    while (at < h->count && h->bins[at].x < value) {
        at++;
    }
    if (at < h->count && h->bins[at].x == value) {
        h->bins[at].y += 1;
        return;
    }
    memmove(&h->bins[at + 1], &h->bins[at], (h->count - at) * sizeof(bin));
    h->bins[at] = (bin){.x = value, .y = 1};
    h->count++;
    if (h->count > h->limit) {
        merge_closest(h);
    }
}

/** histogram_numeric over a list of doubles; (list, bins) -> the bins' centers (extra 0) or heights
 *  (1). */
static void histogram(nilas_row *row) {
    const nilas_cell *cell = nilas_row__cell(row, 0);
    nilas_error err = NILAS_ERROR_INIT;
    void *values_memory = NULL, *bins_memory = NULL;
    duckdb_list_entry entry =
        cell != NULL ? nilas_cell__entry(cell, row->at) : (duckdb_list_entry){0};
    int32_t wanted = nilas_row__int(row, 1);
    size_t limit = (size_t)wanted;
    if (wanted < 2 || wanted > MAXIMUM_BINS) {
        nilas_row__fail(row, "", "histogram_numeric needs 2 to %d bins, but got %d", MAXIMUM_BINS,
                        wanted);
        return;
    }
    if (nilas_arena_alloc_array(row->scratch, entry.length + 1, sizeof(double), &values_memory,
                                &err) != NILAS_OK ||
        nilas_arena_alloc_array(row->scratch, limit + 2, sizeof(bin), &bins_memory, &err) !=
            NILAS_OK) {
        nilas_row__fail_with(row, &err);
        return;
    }
    double *values = values_memory;
    histogram_state h = {.bins = bins_memory, .limit = limit, .seed = (31183ULL ^ 0x5DEECE66DULL)};
    for (idx_t i = 0; i < entry.length; i++) {
        values[i] = nilas_cell__real(&cell->children[0], entry.offset + i);
    }
    for (idx_t i = 0; i < entry.length; i++) {
        add_to_bins(&h, values[i]);
    }
    double *out = grow_result(row, h.count, sizeof(double));
    for (size_t i = 0; i < h.count && out != NULL; i++) {
        out[i] = row->udf->extra == 0 ? h.bins[i].x : h.bins[i].y;
    }
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
    {"nilas_sequence_months", "DDi>[D", sequence_months, 0, 1},
    {"nilas_sequence_months", "NNi>[N", sequence_months, 0, NILAS_MICROS_PER_DAY},
    {"nilas_window_starts", "Tlll>[T", window_starts, 0, 0},
    {"nilas_window_starts", "Nlll>[N", window_starts, 0, 0},
    {"nilas_or_all", "a>x", merge_bitmaps, NILAS_UDF_NULLS, 0},
    {"nilas_and_all", "a>x", merge_bitmaps, NILAS_UDF_NULLS, 1},
    {"nilas_construct_bitmap", "a>x", construct_bitmap, NILAS_UDF_NULLS, 0},
    {"nilas_histogram_x", "ai>[d", histogram, 0, 0},
    {"nilas_histogram_y", "ai>[d", histogram, 0, 1},
    {NULL, NULL, NULL, 0, 0},
};
