/** Texts in DuckDB's vectors. */
#ifndef NILAS_ENGINE_DUCKDB_STRING_H
#define NILAS_ENGINE_DUCKDB_STRING_H

#include "base/base.h"
#include "duckdb_api.h"

/** The text of a row; `strings` is the data of a vector of VARCHAR or BLOB, and is borrowed. */
static inline nilas_str nilas_engine__string_at(const void *strings, idx_t row) {
    const duckdb_string_t *string = (const duckdb_string_t *)strings + row;
    uint32_t size = string->value.inlined.length;
    return (nilas_str){
        .data = size <= 12 ? string->value.inlined.inlined : string->value.pointer.ptr,
        .size = size};
}

#endif
