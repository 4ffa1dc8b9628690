/*
 * An error on a terminal. The caret line counts columns as a terminal does: a full-width letter
 * takes two.
 */
#include "shell/report.h"

#include "print/print.h"

#define EXCERPT_WIDTH 120 // of a longer line only what is around the place is shown

static void print_message(nilas_buf *out, const nilas_error *err, bool colour) {
    nilas_str message = nilas_str_trim(nilas_str_of(err->message));

    nilas_buf_add_text(out, colour ? "\033[1;31m" : "");
    if (err->condition != NULL) {
        nilas_buf_print(out, "[%s]", err->condition);
    } else {
        nilas_buf_add_text(out, "error:");
    }
    nilas_buf_add_text(out, colour ? "\033[0m " : " ");
    nilas_buf_add(out, message);
    if (err->sql_state != NULL) {
        nilas_buf_print(out, " SQLSTATE: %s", err->sql_state);
    }
    nilas_buf_add_char(out, '\n');
}

/** Letters of an excerpt line: a tab or a control character would move the caret. */
static void print_line(nilas_buf *out, nilas_str line) {
    for (size_t i = 0; i < line.size; i++) {
        unsigned char byte = (unsigned char)line.data[i];
        nilas_buf_add_char(out, byte < ' ' || byte == 0x7F ? ' ' : line.data[i]);
    }
    nilas_buf_add_char(out, '\n');
}

/** Move back to the beginning of a letter. */
static size_t letter_start(nilas_str text, size_t at) {
    while (at > 0 && at < text.size && ((unsigned char)text.data[at] & 0xC0) == 0x80) {
        at--;
    }
    return at;
}

static void print_place(nilas_buf *out, const nilas_shell_statement *statement, size_t offset,
                        bool colour) {
    nilas_str text = statement->text;
    size_t start = 0;
    size_t line = statement->line > 0 ? statement->line : 1;

    offset = letter_start(text, offset < text.size ? offset : text.size);
    for (size_t i = 0; i < offset; i++) {
        if (text.data[i] == '\n') {
            start = i + 1;
            line++;
        }
    }
    size_t end = nilas_str_find(text, NILAS_STR("\n"), offset);
    end = end == SIZE_MAX ? text.size : end;
    nilas_str before = nilas_str_slice(text, start, offset - start);

    nilas_buf_print(out, "  line %zu, column %zu", line, nilas_str_codepoints(before) + 1);
    if (statement->file != NULL) {
        nilas_buf_print(out, " of %s", statement->file);
    }
    nilas_buf_add_char(out, '\n');
    if (before.size > EXCERPT_WIDTH / 2) {
        start = letter_start(text, offset - EXCERPT_WIDTH / 2);
        before = nilas_str_slice(text, start, offset - start);
    }
    end = end - start > EXCERPT_WIDTH ? letter_start(text, start + EXCERPT_WIDTH) : end;
    nilas_buf_add_text(out, "    ");
    print_line(out, nilas_str_slice(text, start, end - start));
    nilas_print_text_repeat(out, ' ', 4 + nilas_print_text_width(before));
    nilas_buf_add_text(out, colour ? "\033[1;31m^\033[0m\n" : "^\n");
}

void nilas_shell__report_print(nilas_buf *out, const nilas_error *err,
                               const nilas_shell_statement *statement, bool colour) {
    nilas_assert(err->code != NILAS_OK);
    print_message(out, err, colour);
    if (statement != NULL && err->sql_offset >= 0 && statement->text.size > 0) {
        print_place(out, statement, (size_t)err->sql_offset, colour);
    }
    if (err->hint != NULL) {
        nilas_buf_print(out, "  hint: %s\n", err->hint);
    }
}
