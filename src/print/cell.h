/** The text of a cell, in three forms. */
#ifndef NILAS_PRINT_CELL_H
#define NILAS_PRINT_CELL_H

#include "print/column.h"

typedef enum nilas_print_form {
    // as spark-sql prints: NULL, [1,2], {"a":1,"b":"x"}, {"k":1} sorted, binary as text
    NILAS_FORM_HIVE,
    NILAS_FORM_SHOWN, // as DataFrame.show() does: NULL, [1, 2], {1, x}, {k -> 1}, binary as [41 42]
    NILAS_FORM_JSON,  // JSON values: numbers, arrays, objects; binary in base64
} nilas_print_form;

typedef struct nilas_print_style {
    nilas_print_form form;
    const nilas_zone *zone; // timestamps are shown in it
    bool nested;            // the cell is inside another one
} nilas_print_style;

/** Append a cell; null is "NULL" (HIVE, SHOWN) or "null" (JSON). */
void nilas_print_cell(nilas_buf *out, const nilas_print_column *column,
                      const struct ArrowArray *array, int64_t row, const nilas_print_style *style);

#endif
