/*
 * The formats of one line a row: tsv as spark-sql prints, csv, markdown. Rows go out as they come.
 */
#include "print/print.h"
#include "shell/print.h"

#define DESCRIBE_WIDTH 20

static nilas_code print_header(nilas_shell_print *print, const char *separator,
                               void (*print_name)(nilas_buf *out, nilas_str name),
                               nilas_error *err) {
    nilas_buf *out = &print->output->text;

    for (size_t i = 0; i < print->root.child_count; i++) {
        nilas_buf_add_text(out, i > 0 ? separator : "");
        print_name(out, print->root.children[i].name);
    }
    nilas_buf_add_char(out, '\n');
    return nilas_shell__output_checkpoint(print->output, err);
}

// ---- tsv ----------------------------------------------------------------------------------------

static nilas_code begin_tsv(nilas_shell_print *print, const struct ArrowSchema *schema,
                            nilas_error *err) {
    (void)schema;
    print->style.form = NILAS_FORM_HIVE;
    return print->options->header ? print_header(print, "\t", nilas_buf_add, err) : NILAS_OK;
}

/** DESCRIBE: null is empty, cells are padded to 20 letters. */
static void print_described(nilas_shell_print *print, size_t column, const struct ArrowArray *batch,
                            int64_t row) {
    nilas_buf *out = &print->output->text;
    size_t start = out->size;

    if (!nilas_print_cell_is_null(&print->root.children[column], batch->children[column], row)) {
        nilas_print_cell(out, &print->root.children[column], batch->children[column], row,
                         &print->style);
    }
    nilas_str cell = nilas_str_slice(nilas_buf_view(out), start, SIZE_MAX);
    nilas_print_text_repeat(out, ' ', DESCRIBE_WIDTH - nilas_print_text_units(cell));
}

static nilas_code print_tsv(nilas_shell_print *print, const struct ArrowArray *batch,
                            nilas_error *err) {
    nilas_buf *out = &print->output->text;
    size_t first = print->look == NILAS_LOOK_TABLE_NAMES ? 1 : 0;
    size_t end = print->look == NILAS_LOOK_TABLE_NAMES ? 2 : print->root.child_count;

    for (int64_t row = 0; row < batch->length; row++) {
        int64_t at = nilas_print_cell_struct_row(batch, row);
        for (size_t i = first; i < end; i++) {
            nilas_buf_add_text(out, i > first ? "\t" : "");
            if (print->look == NILAS_LOOK_DESCRIBE) {
                print_described(print, i, batch, at);
            } else {
                nilas_print_cell(out, &print->root.children[i], batch->children[i], at,
                                 &print->style);
            }
        }
        nilas_buf_add_char(out, '\n');
        NILAS_TRY(nilas_shell__output_checkpoint(print->output, err));
    }
    print->row_count += batch->length;
    return NILAS_OK;
}

// ---- csv ----------------------------------------------------------------------------------------

/** RFC 4180; an empty text is quoted, because an empty field is a null. */
static void add_csv(nilas_buf *out, nilas_str text) {
    bool quoted = text.size == 0 || text.data[0] == ' ' || text.data[text.size - 1] == ' ';

    for (size_t i = 0; i < text.size && !quoted; i++) {
        quoted = strchr(",\"\r\n", text.data[i]) != NULL;
    }
    if (!quoted) {
        nilas_buf_add(out, text);
        return;
    }
    nilas_buf_add_char(out, '"');
    for (size_t i = 0; i < text.size; i++) {
        nilas_buf_add_text(out, text.data[i] == '"' ? "\"" : "");
        nilas_buf_add_char(out, text.data[i]);
    }
    nilas_buf_add_char(out, '"');
}

static nilas_code begin_csv(nilas_shell_print *print, const struct ArrowSchema *schema,
                            nilas_error *err) {
    (void)schema;
    print->style.form = NILAS_FORM_HIVE;
    return print_header(print, ",", add_csv, err);
}

static nilas_code print_csv(nilas_shell_print *print, const struct ArrowArray *batch,
                            nilas_error *err) {
    NILAS_AUTO_BUF cell = NILAS_BUF_INIT(SIZE_MAX);
    nilas_buf *out = &print->output->text;

    for (int64_t row = 0; row < batch->length; row++) {
        int64_t at = nilas_print_cell_struct_row(batch, row);
        for (size_t i = 0; i < print->root.child_count; i++) {
            const nilas_print_column *column = &print->root.children[i];
            nilas_buf_add_text(out, i > 0 ? "," : "");
            if (nilas_print_cell_is_null(column, batch->children[i], at)) {
                continue;
            }
            nilas_buf_clear(&cell);
            nilas_print_cell(&cell, column, batch->children[i], at, &print->style);
            NILAS_TRY(nilas_buf_check(&cell, err));
            add_csv(out, nilas_buf_view(&cell));
        }
        nilas_buf_add_char(out, '\n');
        NILAS_TRY(nilas_shell__output_checkpoint(print->output, err));
    }
    print->row_count += batch->length;
    return NILAS_OK;
}

// ---- markdown -----------------------------------------------------------------------------------

static void add_markdown(nilas_buf *out, nilas_str text) {
    for (size_t i = 0; i < text.size; i++) {
        switch (text.data[i]) {
        case '|': nilas_buf_add_text(out, "\\|"); break;
        case '\n': nilas_buf_add_text(out, "<br>"); break;
        case '\r': break;
        default: nilas_buf_add_char(out, text.data[i]);
        }
    }
}

static nilas_code begin_markdown(nilas_shell_print *print, const struct ArrowSchema *schema,
                                 nilas_error *err) {
    nilas_buf *out = &print->output->text;

    (void)schema;
    print->style.form = NILAS_FORM_HIVE;
    for (size_t i = 0; i < print->root.child_count; i++) {
        nilas_buf_add_text(out, "| ");
        add_markdown(out, print->root.children[i].name);
        nilas_buf_add_char(out, ' ');
    }
    nilas_buf_add_text(out, "|\n");
    for (size_t i = 0; i < print->root.child_count; i++) {
        nilas_buf_add_text(out, nilas_type_is_numeric(print->root.children[i].type) ? "| ---: "
                                                                                    : "| --- ");
    }
    nilas_buf_add_text(out, "|\n");
    return nilas_shell__output_checkpoint(print->output, err);
}

static nilas_code print_markdown(nilas_shell_print *print, const struct ArrowArray *batch,
                                 nilas_error *err) {
    NILAS_AUTO_BUF cell = NILAS_BUF_INIT(SIZE_MAX);
    nilas_buf *out = &print->output->text;

    for (int64_t row = 0; row < batch->length; row++) {
        int64_t at = nilas_print_cell_struct_row(batch, row);
        for (size_t i = 0; i < print->root.child_count; i++) {
            nilas_buf_clear(&cell);
            nilas_print_cell(&cell, &print->root.children[i], batch->children[i], at,
                             &print->style);
            NILAS_TRY(nilas_buf_check(&cell, err));
            nilas_buf_add_text(out, "| ");
            add_markdown(out, nilas_buf_view(&cell));
            nilas_buf_add_char(out, ' ');
        }
        nilas_buf_add_text(out, "|\n");
        NILAS_TRY(nilas_shell__output_checkpoint(print->output, err));
    }
    print->row_count += batch->length;
    return NILAS_OK;
}

const nilas_shell_format_steps nilas_shell__tsv_steps = {
    .name = "tsv", .begin = begin_tsv, .batch = print_tsv};
const nilas_shell_format_steps nilas_shell__csv_steps = {
    .name = "csv", .begin = begin_csv, .batch = print_csv};
const nilas_shell_format_steps nilas_shell__markdown_steps = {
    .name = "markdown", .begin = begin_markdown, .batch = print_markdown};
