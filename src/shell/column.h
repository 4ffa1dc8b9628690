/**
 * A column of a result: the Spark type that says what its cells mean, and the Arrow layout that
 * says where they are. Bound once for a result; afterwards printing a cell cannot fail.
 */
#ifndef NILAS_SHELL_COLUMN_H
#define NILAS_SHELL_COLUMN_H

#include "session/session.h"

typedef enum nilas_shell_layout {
    NILAS_LAYOUT_NULL,
    NILAS_LAYOUT_BIT,
    NILAS_LAYOUT_INTEGER,     // `width` bytes, signed
    NILAS_LAYOUT_REAL,        // float or double, by `width`
    NILAS_LAYOUT_DECIMAL,     // 128 bit
    NILAS_LAYOUT_BYTES,       // 32-bit offsets, or 64-bit ones by `width`
    NILAS_LAYOUT_FIXED_BYTES, // `width` bytes each
    NILAS_LAYOUT_INTERVAL,    // months, days, nanoseconds
    NILAS_LAYOUT_LIST, // offsets as BYTES; also a map, whose one child is a struct of key and value
    NILAS_LAYOUT_STRUCT,
} nilas_shell_layout;

typedef struct nilas_shell_column nilas_shell_column;
struct nilas_shell_column {
    nilas_str name;
    const nilas_type *type; // of a map's entries: NULL
    nilas_shell_layout layout;
    int32_t width;
    int64_t unit;  // of times: ticks in a second
    int32_t scale; // of a decimal
    nilas_shell_column *children;
    size_t child_count;
};

/**
 * Bind a result's struct type and Arrow schema. NILAS_ENGINE when a column's layout cannot hold
 * its type.
 */
nilas_code nilas_shell__columns_bind(nilas_arena *arena, const nilas_type *type,
                                     const struct ArrowSchema *schema, nilas_shell_column *out,
                                     nilas_error *err);

/** Whether a cell is null. `row` counts from the array's own start, its offset not included. */
bool nilas_shell__is_null(const nilas_shell_column *column, const struct ArrowArray *array,
                          int64_t row);
int64_t nilas_shell__integer(const nilas_shell_column *column, const struct ArrowArray *array,
                             int64_t row);
double nilas_shell__real(const nilas_shell_column *column, const struct ArrowArray *array,
                         int64_t row);
nilas_int128 nilas_shell__decimal(const struct ArrowArray *array, int64_t row);
nilas_str nilas_shell__bytes(const nilas_shell_column *column, const struct ArrowArray *array,
                             int64_t row);
/** The child rows [*first, *end) of a list or map. */
void nilas_shell__list(const nilas_shell_column *column, const struct ArrowArray *array,
                       int64_t row, int64_t *first, int64_t *end);
/** The row in the children of a struct. */
static inline int64_t nilas_shell__struct_row(const struct ArrowArray *array, int64_t row) {
    return array->offset + row;
}

#endif
