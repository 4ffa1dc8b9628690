/**
 * A frame of cells: the rows of a result that DataFrame.show() shows, collected before they are
 * printed, because the widths of columns are known only at the end.
 */
#ifndef NILAS_PRINT_FRAME_H
#define NILAS_PRINT_FRAME_H

#include "print/cell.h"

typedef struct nilas_print_frame {
    // given
    nilas_arena *arena;             // of the cells
    const nilas_print_column *root; // a bound struct
    const nilas_zone *zone;
    int64_t row_limit; // rows kept; -1: all
    int64_t truncate;  // letters of a cell; 0: whole
    // taken
    NILAS_ARRAY_OF(nilas_str) cells; // row after row; the names are row 0
    int64_t row_count;
    bool more; // rows were left out
} nilas_print_frame;

/** Where a text goes: appended to `text`; between lines `checkpoint`, if any, may empty it. */
typedef struct nilas_print_sink {
    nilas_buf *text;
    nilas_code (*checkpoint)(void *context, nilas_error *err);
    void *context;
} nilas_print_sink;

/** Take the names of the columns. */
nilas_code nilas_print_frame_begin(nilas_print_frame *frame, nilas_error *err);
/** Take rows, up to the limit; `more` is set at the first one beyond it. */
nilas_code nilas_print_frame_take(nilas_print_frame *frame, const struct ArrowArray *batch,
                                  nilas_error *err);
/** Take the batches of a result until it ends or the frame is full. */
nilas_code nilas_print_frame_fill(nilas_print_frame *frame, nilas_result *result, nilas_error *err);
/** Dataset.showString(), without and with `vertical`. */
nilas_code nilas_print_frame_table(const nilas_print_frame *frame, const nilas_print_sink *sink,
                                   nilas_error *err);
nilas_code nilas_print_frame_vertical(const nilas_print_frame *frame, const nilas_print_sink *sink,
                                      nilas_error *err);
/** Dataset.htmlString(). */
void nilas_print_frame_html(const nilas_print_frame *frame, nilas_buf *out);

#endif
