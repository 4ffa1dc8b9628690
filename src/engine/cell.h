/** Reading arguments of any type, nested ones too: a tree over DuckDB's vectors, made once a chunk.
 *  */
#ifndef NILAS_ENGINE_CELL_H
#define NILAS_ENGINE_CELL_H

#include "engine/udf_row.h"

typedef struct nilas_cell nilas_cell;
struct nilas_cell {
    duckdb_type type;     // of a decimal: DUCKDB_TYPE_DECIMAL
    duckdb_type internal; // physical integer of a decimal
    uint8_t width, scale;
    const void *data;
    const uint64_t *validity;
    nilas_str name;       // of a struct's member
    nilas_cell *children; // list: one; map: one, a struct of key and value; struct: its members
    size_t count;
};

/** The tree of argument i; NULL (and the row has failed) when out of memory. */
const nilas_cell *nilas_row__cell(nilas_row *row, size_t i);

static inline bool nilas_cell__is_null(const nilas_cell *cell, idx_t at) {
    return cell->validity != NULL && ((cell->validity[at / 64] >> (at % 64)) & 1) == 0;
}
/** An integer, date, timestamp or unscaled decimal. */
nilas_int128 nilas_cell__integer(const nilas_cell *cell, idx_t at);
double nilas_cell__real(const nilas_cell *cell, idx_t at);
static inline nilas_str nilas_cell__text(const nilas_cell *cell, idx_t at) {
    return nilas_engine__string_at(cell->data, at);
}
static inline duckdb_list_entry nilas_cell__entry(const nilas_cell *cell, idx_t at) {
    return ((const duckdb_list_entry *)cell->data)[at];
}
static inline duckdb_interval nilas_cell__interval(const nilas_cell *cell, idx_t at) {
    return ((const duckdb_interval *)cell->data)[at];
}

#endif
