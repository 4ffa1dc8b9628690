/**
 * How a scalar function in C is written: a function of one row, and a line in its file's list.
 *
 *     static void to_hex(nilas_row *row) { … nilas_row__set_text(row, …); }
 *     const nilas_udf nilas_engine__math_functions[] = {{"nilas_hex", "l>s", to_hex, 0}, …};
 *
 * A signature names the parameters' types and the result's by letters:
 *
 *     b boolean   t tinyint   h smallint   i int   l bigint   g hugeint   f float   d double
 *     n decimal(38,0)   s varchar   x blob   D date   T timestamptz   N timestamp   I interval
 *     S varchar[]   [ before a result: a list of it   a any type   * any number of any type, last
 *
 * A row with a null argument gives null and is not called, unless NILAS_UDF_NULLS is set.
 */
#ifndef NILAS_ENGINE_UDF_ROW_H
#define NILAS_ENGINE_UDF_ROW_H

#include "codec/codec.h"
#include "engine/duckdb_string.h"
#include "engine/udf.h"

#define NILAS_UDF_MAXIMUM_PARAMETERS 16

enum { NILAS_UDF_NULLS = 1, NILAS_UDF_VOLATILE = 2 };

typedef struct nilas_row nilas_row;

typedef struct nilas_udf {
    const char *name; // NULL ends a list; several of one name are overloads
    const char *signature;
    void (*run)(nilas_row *row);
    int flags;
    int64_t extra; // whatever the function likes
} nilas_udf;

struct nilas_row {
    const nilas_udf *udf;
    const nilas_engine_context *context;
    duckdb_function_info info;
    duckdb_vector *vectors; // arguments
    void **data;
    uint64_t **validity;
    size_t count; // of arguments
    idx_t at;     // the row
    duckdb_vector result;
    void *result_data;
    nilas_buf *text;      // scratch, empty at the start of each row
    nilas_arena *scratch; // reset after each row
    struct nilas_row_number {
        bool known;
        uint8_t scale;
        duckdb_type type;
    } * numbers;        // of "a" arguments, found on first use
    nilas_arena *chunk; // lives as long as the chunk
    // trees over arguments of any type (cell.h), made when asked for
    const struct nilas_cell **cells;
    const void *memo; // whatever the function keeps for the rest of the chunk, in its arena
    bool failed;
};

/* --- arguments --- */

static inline bool nilas_row__is_null(const nilas_row *row, size_t i) {
    return row->validity[i] != NULL &&
           ((row->validity[i][row->at / 64] >> (row->at % 64)) & 1) == 0;
}
static inline nilas_str nilas_row__text(const nilas_row *row, size_t i) {
    return nilas_engine__string_at(row->data[i], row->at);
}
static inline bool nilas_row__boolean(const nilas_row *row, size_t i) {
    return ((const bool *)row->data[i])[row->at];
}
static inline int32_t nilas_row__int(const nilas_row *row, size_t i) {
    return ((const int32_t *)row->data[i])[row->at];
}
/** Also timestamps: microseconds. */
static inline int64_t nilas_row__bigint(const nilas_row *row, size_t i) {
    return ((const int64_t *)row->data[i])[row->at];
}
static inline double nilas_row__double(const nilas_row *row, size_t i) {
    return ((const double *)row->data[i])[row->at];
}
static inline float nilas_row__float(const nilas_row *row, size_t i) {
    return ((const float *)row->data[i])[row->at];
}
static inline nilas_int128 nilas_row__hugeint(const nilas_row *row, size_t i) {
    nilas_int128 value;
    memcpy(&value, (const char *)row->data[i] + row->at * sizeof(value), sizeof(value));
    return value;
}
static inline duckdb_interval nilas_row__interval(const nilas_row *row, size_t i) {
    return ((const duckdb_interval *)row->data[i])[row->at];
}
/** An integer of the width that the signature says for argument i (t h i l). */
int64_t nilas_row__integer(const nilas_row *row, size_t i);

/** A decimal or integer of any width ("a") as an unscaled number. */
nilas_int128 nilas_row__decimal(nilas_row *row, size_t i, uint32_t *out_scale);

/* --- results --- */

void nilas_row__set_null(nilas_row *row);
void nilas_row__set_text(nilas_row *row, nilas_str text);
/** The scratch text; its failure (memory) becomes an error. */
void nilas_row__set_buffer(nilas_row *row);
static inline void nilas_row__set_boolean(nilas_row *row, bool value) {
    ((bool *)row->result_data)[row->at] = value;
}
static inline void nilas_row__set_int(nilas_row *row, int32_t value) {
    ((int32_t *)row->result_data)[row->at] = value;
}
static inline void nilas_row__set_bigint(nilas_row *row, int64_t value) {
    ((int64_t *)row->result_data)[row->at] = value;
}
static inline void nilas_row__set_double(nilas_row *row, double value) {
    ((double *)row->result_data)[row->at] = value;
}
static inline void nilas_row__set_float(nilas_row *row, float value) {
    ((float *)row->result_data)[row->at] = value;
}
static inline void nilas_row__set_hugeint(nilas_row *row, nilas_int128 value) {
    memcpy((char *)row->result_data + row->at * sizeof(value), &value, sizeof(value));
}
/** An integer of the width that the signature says for the result. */
void nilas_row__set_integer(nilas_row *row, int64_t value);
/** A list of strings. */
void nilas_row__set_texts(nilas_row *row, const nilas_str *texts, size_t count);
/** Elements of a list of strings argument; null elements have data NULL. In the scratch arena. */
bool nilas_row__texts(nilas_row *row, size_t i, nilas_str **out, size_t *out_count);
/** Fail the statement with a Spark condition. */
void nilas_row__fail(nilas_row *row, const char *condition, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/** The divisor is zero: DIVIDE_BY_ZERO when `strict`, else null. */
void nilas_row__refuse_zero(nilas_row *row, bool strict);
/** Fail with what `err` says. */
void nilas_row__fail_with(nilas_row *row, const nilas_error *err);

/** Decode base64 with or without padding; false: a character that is none. */
bool nilas_engine__decode_base64(nilas_buf *out, nilas_str text);

extern const nilas_udf nilas_engine__cast_functions[];
extern const nilas_udf nilas_engine__print_functions[];
extern const nilas_udf nilas_engine__integer_functions[];
extern const nilas_udf nilas_engine__math_functions[];
extern const nilas_udf nilas_engine__decimal_functions[];
extern const nilas_udf nilas_engine__text_functions[];
extern const nilas_udf nilas_engine__word_functions[];
extern const nilas_udf nilas_engine__format_functions[];
extern const nilas_udf nilas_engine__url_functions[];
extern const nilas_udf nilas_engine__time_functions[];
extern const nilas_udf nilas_engine__pattern_functions[];
extern const nilas_udf nilas_engine__list_functions[];
extern const nilas_udf nilas_engine__hash_functions[];
extern const nilas_udf nilas_engine__json_functions[];
extern const nilas_udf nilas_engine__read_text_functions[];
extern const nilas_udf nilas_engine__cipher_functions[];

#endif
