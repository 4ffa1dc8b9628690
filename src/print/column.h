/**
 * A column of a result: the Spark type that says what its cells mean, and the Arrow layout that
 * says where they are. Bound once for a result; afterwards printing a cell cannot fail.
 */
#ifndef NILAS_PRINT_COLUMN_H
#define NILAS_PRINT_COLUMN_H

#include "session/session.h"

typedef enum nilas_print_layout {
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
} nilas_print_layout;

typedef struct nilas_print_column nilas_print_column;
struct nilas_print_column {
    nilas_str name;
    const nilas_type *type; // of a map's entries: NULL
    nilas_print_layout layout;
    int32_t width;
    int64_t unit;  // of times: ticks in a second
    int32_t scale; // of a decimal
    nilas_print_column *children;
    size_t child_count;
};

/**
 * Bind a result's struct type and Arrow schema. NILAS_ENGINE when a column's layout cannot hold
 * its type.
 */
nilas_code nilas_print_columns_bind(nilas_arena *arena, const nilas_type *type,
                                    const struct ArrowSchema *schema, nilas_print_column *out,
                                    nilas_error *err);
/** The same of a result. */
nilas_code nilas_print_columns_of(nilas_arena *arena, nilas_result *result, nilas_print_column *out,
                                  nilas_error *err);

/** Whether a cell is null. `row` counts from the array's own start, its offset not included. */
bool nilas_print_cell_is_null(const nilas_print_column *column, const struct ArrowArray *array,
                              int64_t row);
int64_t nilas_print_cell_integer(const nilas_print_column *column, const struct ArrowArray *array,
                                 int64_t row);
double nilas_print_cell_real(const nilas_print_column *column, const struct ArrowArray *array,
                             int64_t row);
nilas_int128 nilas_print_cell_decimal(const struct ArrowArray *array, int64_t row);
nilas_str nilas_print_cell_bytes(const nilas_print_column *column, const struct ArrowArray *array,
                                 int64_t row);
/** The child rows [*first, *end) of a list or map. */
void nilas_print_cell_list(const nilas_print_column *column, const struct ArrowArray *array,
                           int64_t row, int64_t *first, int64_t *end);
/** The row in the children of a struct. */
static inline int64_t nilas_print_cell_struct_row(const struct ArrowArray *array, int64_t row) {
    return array->offset + row;
}

static inline void nilas_arrow_array_autorelease(struct ArrowArray *array) {
    if (array->release != NULL) {
        array->release(array);
    }
}
/** A batch that is released at the end of its block. */
#define NILAS_AUTO_ARROW_ARRAY                                                                     \
    __attribute__((cleanup(nilas_arrow_array_autorelease))) struct ArrowArray

static inline void nilas_arrow_schema_autorelease(struct ArrowSchema *schema) {
    if (schema->release != NULL) {
        schema->release(schema);
    }
}
#define NILAS_AUTO_ARROW_SCHEMA                                                                    \
    __attribute__((cleanup(nilas_arrow_schema_autorelease))) struct ArrowSchema

#endif
