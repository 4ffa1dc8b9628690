/** Row sources that load a batch of items (the entries of a manifest) and render one item a call.
 * Private to the room. */
#ifndef NILAS_SCAN_ROWS_H
#define NILAS_SCAN_ROWS_H

#include "scan/scan.h"

typedef struct nilas_scan__batches {
    const nilas_ice_type *type;
    void *context;
    size_t batch_count;
    int64_t row_count_hint;
    /** Load batch `index` into `arena`, which is reset before each; *out_item_count may be 0. */
    nilas_code (*load)(void *context, size_t index, nilas_arena *arena, size_t *out_item_count,
                       nilas_error *err);
    /** One item of the loaded batch as a row in `scratch`. */
    nilas_code (*render)(void *context, size_t item, nilas_arena *scratch, nilas_value *out_row,
                         nilas_error *err);
} nilas_scan__batches;

nilas_code nilas_scan__rows_new(nilas_arena *stmt, const nilas_scan__batches *batches,
                                nilas_rows **out, nilas_error *err);

/** Rows that are all there: `values` are structs. */
nilas_code nilas_scan__fixed_rows(nilas_arena *stmt, const nilas_ice_type *type,
                                  const nilas_value *values, size_t count, nilas_rows **out,
                                  nilas_error *err);

/** A struct of `count` null items. */
nilas_code nilas_scan__new_struct(nilas_arena *arena, size_t count, nilas_value *out,
                                  nilas_error *err);
static inline nilas_value nilas_scan__text_or_null(nilas_str text) {
    return text.size > 0 ? nilas_value_of_str(text) : NILAS_NULL_VALUE;
}
/** Null for the -1 that means "absent". */
static inline nilas_value nilas_scan__int_or_null(int64_t number) {
    return number != -1 ? nilas_value_of_int(number) : NILAS_NULL_VALUE;
}

#endif
