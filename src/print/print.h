/**
 * print: a result as text or as bytes, for every door: cells, what DataFrame.show() prints, HTML, a
 * type as a tree, Arrow IPC.
 */
#ifndef NILAS_PRINT_PRINT_H
#define NILAS_PRINT_PRINT_H

#include "print/cell.h"
#include "print/frame.h"
#include "print/ipc.h"
#include "print/text.h"

typedef struct nilas_print_show_options {
    int64_t rows;           // shown at most; negative: none, as Spark has it
    int64_t truncate;       // letters of a cell; 0 or less: whole
    bool vertical;          // one line a cell
    const nilas_zone *zone; // timestamps are shown in it
} nilas_print_show_options;

/**
 * Append what Dataset.showString() gives: the text of DataFrame.show() without the line end that
 * its print adds. Takes at most rows + 1 rows from the result, which the caller frees.
 *
 * @return NILAS_LIMIT when `out` is full; and what nilas_result_next() fails with.
 */
nilas_code nilas_print_show(nilas_result *result, const nilas_print_show_options *options,
                            nilas_buf *out, nilas_error *err);
/** Append what Dataset.htmlString() gives, a notebook's view of a DataFrame; `vertical` is unused.
 */
nilas_code nilas_print_html(nilas_result *result, const nilas_print_show_options *options,
                            nilas_buf *out, nilas_error *err);

#endif
