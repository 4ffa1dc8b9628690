/*
 * DataFrame.show() and show(vertical=True), with the line end that its print adds. EXPLAIN and SHOW
 * CREATE TABLE answer with a text, which no frame makes more readable: it is printed as it is.
 */
#include "shell/print.h"

typedef struct table {
    nilas_print_frame frame;
    bool is_document; // one column of whole texts: a plan, a CREATE TABLE
} table;

static bool holds_documents(const nilas_shell_print *print) {
    return print->root.child_count == 1 &&
           (nilas_str_is(print->root.children[0].name, "plan") ||
            nilas_str_is(print->root.children[0].name, "createtab_stmt"));
}

static nilas_code begin_table(nilas_shell_print *print, const struct ArrowSchema *schema,
                              nilas_error *err) {
    table *state;

    (void)schema;
    NILAS_NEW(print->arena, &state, err);
    print->state = state;
    print->style.form = NILAS_FORM_SHOWN;
    state->is_document = holds_documents(print);
    state->frame = (nilas_print_frame){.arena = print->arena,
                                       .root = &print->root,
                                       .zone = print->zone,
                                       .row_limit = print->options->row_limit,
                                       .truncate = print->options->truncate};
    return nilas_print_frame_begin(&state->frame, err);
}

static nilas_code print_document(nilas_shell_print *print, const struct ArrowArray *batch,
                                 nilas_error *err) {
    nilas_buf *out = &print->output->text;

    for (int64_t row = 0; row < batch->length; row++) {
        size_t start = out->size;
        nilas_print_cell(out, &print->root.children[0], batch->children[0],
                         nilas_print_cell_struct_row(batch, row), &print->style);
        nilas_str text = nilas_str_slice(nilas_buf_view(out), start, SIZE_MAX);
        nilas_buf_add_text(out, nilas_str_ends(text, NILAS_STR("\n")) ? "" : "\n");
        NILAS_TRY(nilas_shell__output_checkpoint(print->output, err));
    }
    print->row_count += batch->length;
    return NILAS_OK;
}

static nilas_code take_rows(nilas_shell_print *print, const struct ArrowArray *batch,
                            nilas_error *err) {
    table *state = print->state;

    if (state->is_document) {
        return print_document(print, batch, err);
    }
    NILAS_TRY(nilas_print_frame_take(&state->frame, batch, err));
    print->row_count = state->frame.row_count;
    print->full = state->frame.more;
    return NILAS_OK;
}

static nilas_code checkpoint(void *context, nilas_error *err) {
    return nilas_shell__output_checkpoint(context, err);
}

static nilas_code end_frame(nilas_shell_print *print,
                            nilas_code (*print_frame)(const nilas_print_frame *frame,
                                                      const nilas_print_sink *sink,
                                                      nilas_error *err),
                            nilas_error *err) {
    const table *state = print->state;
    const nilas_print_sink sink = {
        .text = &print->output->text, .checkpoint = checkpoint, .context = print->output};

    if (state->is_document) {
        return NILAS_OK;
    }
    NILAS_TRY(print_frame(&state->frame, &sink, err));
    nilas_buf_add_char(sink.text, '\n');
    return NILAS_OK;
}

static nilas_code end_table(nilas_shell_print *print, nilas_error *err) {
    return end_frame(print, nilas_print_frame_table, err);
}

static nilas_code end_vertical(nilas_shell_print *print, nilas_error *err) {
    return end_frame(print, nilas_print_frame_vertical, err);
}

const nilas_shell_format_steps nilas_shell__table_steps = {
    .name = "table", .begin = begin_table, .batch = take_rows, .end = end_table};
const nilas_shell_format_steps nilas_shell__vertical_steps = {
    .name = "vertical", .begin = begin_table, .batch = take_rows, .end = end_vertical};
