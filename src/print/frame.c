/*
 * The text of Dataset.showString(), letter for letter. Cells are escaped, then cut, then measured;
 * a table is right-aligned while cells are cut and left-aligned when they are whole.
 */
#include "print/frame.h"

#include "print/text.h"

#define MINIMUM_WIDTH 3

// ---- taking -------------------------------------------------------------------------------------

static nilas_code add_cell(nilas_print_frame *frame, nilas_str text, int64_t limit,
                           nilas_error *err) {
    NILAS_AUTO_BUF escaped = NILAS_BUF_INIT(SIZE_MAX);
    NILAS_AUTO_BUF cut = NILAS_BUF_INIT(SIZE_MAX);
    nilas_str kept;

    nilas_buf_add_escaped(&escaped, text);
    NILAS_TRY(nilas_buf_check(&escaped, err));
    nilas_print_text_cut(&cut, nilas_buf_view(&escaped), limit);
    NILAS_TRY(nilas_buf_finish(&cut, frame->arena, &kept, err));
    NILAS_PUSH(frame->arena, &frame->cells, kept, err);
    return NILAS_OK;
}

nilas_code nilas_print_frame_begin(nilas_print_frame *frame, nilas_error *err) {
    for (size_t i = 0; i < frame->root->child_count; i++) {
        // names are never cut
        NILAS_TRY(add_cell(frame, frame->root->children[i].name, 0, err));
    }
    return NILAS_OK;
}

nilas_code nilas_print_frame_take(nilas_print_frame *frame, const struct ArrowArray *batch,
                                  nilas_error *err) {
    const nilas_print_style style = {.form = NILAS_FORM_SHOWN, .zone = frame->zone};
    NILAS_AUTO_BUF cell = NILAS_BUF_INIT(SIZE_MAX);

    for (int64_t row = 0; row < batch->length; row++) {
        if (frame->row_limit >= 0 && frame->row_count == frame->row_limit) {
            frame->more = true;
            return NILAS_OK;
        }
        int64_t at = nilas_print_cell_struct_row(batch, row);
        for (size_t i = 0; i < frame->root->child_count; i++) {
            nilas_buf_clear(&cell);
            nilas_print_cell(&cell, &frame->root->children[i], batch->children[i], at, &style);
            NILAS_TRY(nilas_buf_check(&cell, err));
            NILAS_TRY(add_cell(frame, nilas_buf_view(&cell), frame->truncate, err));
        }
        frame->row_count++;
    }
    return NILAS_OK;
}

nilas_code nilas_print_frame_fill(nilas_print_frame *frame, nilas_result *result,
                                  nilas_error *err) {
    while (!frame->more) {
        NILAS_AUTO_ARROW_ARRAY batch = {0};
        NILAS_TRY(nilas_result_next(result, &batch, err));
        if (batch.release == NULL) {
            return NILAS_OK;
        }
        NILAS_TRY(nilas_print_frame_take(frame, &batch, err));
    }
    return NILAS_OK;
}

// ---- printing -----------------------------------------------------------------------------------

static nilas_code end_line(const nilas_print_sink *sink, nilas_error *err) {
    nilas_buf_add_char(sink->text, '\n');
    return sink->checkpoint != NULL ? sink->checkpoint(sink->context, err)
                                    : nilas_buf_check(sink->text, err);
}

static nilas_code print_footer(const nilas_print_frame *frame, const nilas_print_sink *sink,
                               nilas_error *err) {
    if (frame->more) {
        nilas_buf_print(sink->text, "only showing top %lld %s", (long long)frame->row_limit,
                        frame->row_limit == 1 ? "row" : "rows");
    }
    return nilas_buf_check(sink->text, err);
}

static nilas_code print_rule(const nilas_print_sink *sink, const int64_t *widths, size_t count,
                             nilas_error *err) {
    nilas_buf_add_char(sink->text, '+');
    for (size_t i = 0; i < count; i++) {
        nilas_buf_add_text(sink->text, i > 0 ? "+" : "");
        nilas_print_text_repeat(sink->text, '-', widths[i]);
    }
    nilas_buf_add_char(sink->text, '+'); // also of no columns: "++"
    return end_line(sink, err);
}

static void print_padded(nilas_buf *out, nilas_str cell, int64_t width, bool right) {
    int64_t padding = width - nilas_print_text_width(cell);

    nilas_print_text_repeat(out, ' ', right ? padding : 0);
    nilas_buf_add(out, cell);
    nilas_print_text_repeat(out, ' ', right ? 0 : padding);
}

static nilas_code print_line(const nilas_print_frame *frame, size_t row, const int64_t *widths,
                             const nilas_print_sink *sink, nilas_error *err) {
    size_t columns = frame->root->child_count;

    nilas_buf_add_char(sink->text, '|');
    for (size_t i = 0; i < columns; i++) {
        nilas_buf_add_text(sink->text, i > 0 ? "|" : "");
        print_padded(sink->text, frame->cells.items[row * columns + i], widths[i],
                     frame->truncate > 0);
    }
    nilas_buf_add_char(sink->text, '|');
    return end_line(sink, err);
}

nilas_code nilas_print_frame_table(const nilas_print_frame *frame, const nilas_print_sink *sink,
                                   nilas_error *err) {
    size_t columns = frame->root->child_count;
    int64_t *widths;

    NILAS_NEW_ARRAY(frame->arena, &widths, columns, err);
    for (size_t i = 0; i < columns; i++) {
        widths[i] = MINIMUM_WIDTH;
    }
    for (size_t i = 0; i < frame->cells.count; i++) {
        int64_t width = nilas_print_text_width(frame->cells.items[i]);
        int64_t *widest = &widths[i % columns];
        *widest = width > *widest ? width : *widest;
    }

    NILAS_TRY(print_rule(sink, widths, columns, err));
    NILAS_TRY(print_line(frame, 0, widths, sink, err));
    NILAS_TRY(print_rule(sink, widths, columns, err));
    for (int64_t row = 1; row <= frame->row_count; row++) {
        NILAS_TRY(print_line(frame, (size_t)row, widths, sink, err));
    }
    NILAS_TRY(print_rule(sink, widths, columns, err));
    return print_footer(frame, sink, err);
}

nilas_code nilas_print_frame_vertical(const nilas_print_frame *frame, const nilas_print_sink *sink,
                                      nilas_error *err) {
    nilas_buf *out = sink->text;
    size_t columns = frame->root->child_count;
    int64_t name_width = MINIMUM_WIDTH;
    int64_t cell_width = MINIMUM_WIDTH;

    for (size_t i = 0; i < frame->cells.count; i++) {
        int64_t *widest = i < columns ? &name_width : &cell_width;
        int64_t width = nilas_print_text_width(frame->cells.items[i]);
        *widest = width > *widest ? width : *widest;
    }
    if (frame->row_count == 0) {
        nilas_buf_add_text(out, "(0 rows)");
        return nilas_buf_check(out, err);
    }
    for (int64_t row = 0; row < frame->row_count; row++) {
        size_t start = out->size;
        nilas_buf_print(out, "-RECORD %lld", (long long)row);
        nilas_print_text_repeat(out, '-',
                                name_width + cell_width + 5 - (int64_t)(out->size - start));
        NILAS_TRY(end_line(sink, err));
        for (size_t i = 0; i < columns; i++) {
            nilas_buf_add_char(out, ' ');
            print_padded(out, frame->cells.items[i], name_width, false);
            nilas_buf_add_text(out, " | ");
            print_padded(out, frame->cells.items[(size_t)(row + 1) * columns + i], cell_width,
                         false);
            nilas_buf_add_char(out, ' ');
            NILAS_TRY(end_line(sink, err));
        }
    }
    return print_footer(frame, sink, err);
}
