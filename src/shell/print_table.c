/*
 * DataFrame.show() and show(vertical=True), letter for letter: the text of Dataset.showString(),
 * which show() prints with one more line end. Cells are escaped, then cut, then measured; a table
 * is right-aligned while cells are cut and left-aligned when they are whole.
 */
#include "shell/print.h"
#include "shell/text.h"

#define MINIMUM_WIDTH 3

typedef struct table {
    NILAS_ARRAY_OF(nilas_str) cells; // row after row; the names are row 0
    bool more;                       // rows are left
    bool is_document;                // one column of whole texts: a plan, a CREATE TABLE
} table;

/** EXPLAIN and SHOW CREATE TABLE answer with a text, which no frame makes more readable. */
static bool holds_documents(const nilas_shell_print *print) {
    return print->root.child_count == 1 &&
           (nilas_str_is(print->root.children[0].name, "plan") ||
            nilas_str_is(print->root.children[0].name, "createtab_stmt"));
}

static nilas_code add_cell(nilas_shell_print *print, nilas_str text, int64_t limit,
                           nilas_error *err) {
    table *rows = print->state;
    NILAS_AUTO_BUF escaped = NILAS_BUF_INIT(SIZE_MAX);
    NILAS_AUTO_BUF cut = NILAS_BUF_INIT(SIZE_MAX);
    nilas_str kept;

    if (rows->is_document) {
        NILAS_TRY(nilas_str_copy(print->arena, text, &kept, err));
        NILAS_PUSH(print->arena, &rows->cells, kept, err);
        return NILAS_OK;
    }
    nilas_shell__text_escape(&escaped, text);
    NILAS_TRY(nilas_buf_check(&escaped, err));
    nilas_shell__text_cut(&cut, nilas_buf_view(&escaped), limit);
    NILAS_TRY(nilas_buf_finish(&cut, print->arena, &kept, err));
    NILAS_PUSH(print->arena, &rows->cells, kept, err);
    return NILAS_OK;
}

static nilas_code begin_table(nilas_shell_print *print, const struct ArrowSchema *schema,
                              nilas_error *err) {
    table *rows;

    (void)schema;
    NILAS_NEW(print->arena, &rows, err);
    print->state = rows;
    rows->is_document = holds_documents(print);
    print->style.form = NILAS_FORM_SHOWN;
    for (size_t i = 0; i < print->root.child_count; i++) {
        // names are never cut
        NILAS_TRY(add_cell(print, print->root.children[i].name, 0, err));
    }
    return NILAS_OK;
}

static nilas_code take_rows(nilas_shell_print *print, const struct ArrowArray *batch,
                            nilas_error *err) {
    NILAS_AUTO_BUF cell = NILAS_BUF_INIT(SIZE_MAX);
    table *rows = print->state;

    for (int64_t row = 0; row < batch->length; row++) {
        if (print->options->row_limit >= 0 && print->row_count == print->options->row_limit) {
            rows->more = true;
            print->full = true;
            return NILAS_OK;
        }
        int64_t at = nilas_shell__struct_row(batch, row);
        for (size_t i = 0; i < print->root.child_count; i++) {
            nilas_buf_clear(&cell);
            nilas_shell__cell_print(&cell, &print->root.children[i], batch->children[i], at,
                                    &print->style);
            NILAS_TRY(nilas_buf_check(&cell, err));
            NILAS_TRY(add_cell(print, nilas_buf_view(&cell), print->options->truncate, err));
        }
        print->row_count++;
    }
    return NILAS_OK;
}

static void print_footer(nilas_shell_print *print) {
    const table *rows = print->state;
    nilas_buf *out = &print->output->text;

    if (rows->more) {
        nilas_buf_print(out, "only showing top %lld %s", (long long)print->options->row_limit,
                        print->options->row_limit == 1 ? "row" : "rows");
    }
    nilas_buf_add_char(out, '\n');
}

static void print_rule(nilas_buf *out, const int64_t *widths, size_t count) {
    nilas_buf_add_char(out, '+');
    for (size_t i = 0; i < count; i++) {
        nilas_shell__text_repeat(out, '-', widths[i]);
        nilas_buf_add_char(out, '+');
    }
    nilas_buf_add_char(out, '\n');
}

static void print_padded(nilas_buf *out, nilas_str cell, int64_t width, bool right) {
    int64_t padding = width - nilas_shell__text_width(cell);

    nilas_shell__text_repeat(out, ' ', right ? padding : 0);
    nilas_buf_add(out, cell);
    nilas_shell__text_repeat(out, ' ', right ? 0 : padding);
}

static nilas_code end_document(nilas_shell_print *print, nilas_error *err) {
    const table *rows = print->state;
    nilas_buf *out = &print->output->text;

    for (size_t i = 1; i < rows->cells.count; i++) {
        nilas_str text = rows->cells.items[i];
        nilas_buf_add(out, text);
        nilas_buf_add_text(out, nilas_str_ends(text, NILAS_STR("\n")) ? "" : "\n");
        NILAS_TRY(nilas_shell__output_checkpoint(print->output, err));
    }
    return NILAS_OK;
}

static nilas_code end_table(nilas_shell_print *print, nilas_error *err) {
    const table *rows = print->state;
    nilas_buf *out = &print->output->text;
    size_t columns = print->root.child_count;
    int64_t *widths;

    if (rows->is_document) {
        return end_document(print, err);
    }

    NILAS_NEW_ARRAY(print->arena, &widths, columns, err);
    for (size_t i = 0; i < rows->cells.count; i++) {
        int64_t width = nilas_shell__text_width(rows->cells.items[i]);
        int64_t *widest = &widths[i % columns];
        *widest = width > *widest ? width : *widest;
        *widest = *widest < MINIMUM_WIDTH ? MINIMUM_WIDTH : *widest;
    }

    print_rule(out, widths, columns);
    for (size_t row = 0; row < rows->cells.count / columns; row++) {
        nilas_buf_add_char(out, '|');
        for (size_t i = 0; i < columns; i++) {
            print_padded(out, rows->cells.items[row * columns + i], widths[i],
                         print->options->truncate > 0);
            nilas_buf_add_char(out, '|');
        }
        nilas_buf_add_char(out, '\n');
        if (row == 0) {
            print_rule(out, widths, columns);
        }
        NILAS_TRY(nilas_shell__output_checkpoint(print->output, err));
    }
    print_rule(out, widths, columns);
    print_footer(print);
    return NILAS_OK;
}

static nilas_code end_vertical(nilas_shell_print *print, nilas_error *err) {
    const table *rows = print->state;
    nilas_buf *out = &print->output->text;
    size_t columns = print->root.child_count;
    int64_t name_width = MINIMUM_WIDTH;
    int64_t cell_width = MINIMUM_WIDTH;

    if (rows->is_document) {
        return end_document(print, err);
    }

    for (size_t i = 0; i < rows->cells.count; i++) {
        int64_t *widest = i < columns ? &name_width : &cell_width;
        int64_t width = nilas_shell__text_width(rows->cells.items[i]);
        *widest = width > *widest ? width : *widest;
    }
    if (rows->cells.count == columns) {
        nilas_buf_add_text(out, "(0 rows)\n");
        return NILAS_OK;
    }
    for (size_t row = 1; row < rows->cells.count / columns; row++) {
        size_t start = out->size;
        nilas_buf_print(out, "-RECORD %zu", row - 1);
        nilas_shell__text_repeat(out, '-',
                                 name_width + cell_width + 5 - (int64_t)(out->size - start));
        nilas_buf_add_char(out, '\n');
        for (size_t i = 0; i < columns; i++) {
            nilas_buf_add_char(out, ' ');
            print_padded(out, rows->cells.items[i], name_width, false);
            nilas_buf_add_text(out, " | ");
            print_padded(out, rows->cells.items[row * columns + i], cell_width, false);
            nilas_buf_add_text(out, " \n");
        }
        NILAS_TRY(nilas_shell__output_checkpoint(print->output, err));
    }
    print_footer(print);
    return NILAS_OK;
}

const nilas_shell_format_steps nilas_shell__table_steps = {
    .name = "table", .begin = begin_table, .batch = take_rows, .end = end_table};
const nilas_shell_format_steps nilas_shell__vertical_steps = {
    .name = "vertical", .begin = begin_table, .batch = take_rows, .end = end_vertical};
