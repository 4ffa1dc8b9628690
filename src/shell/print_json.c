/*
 * One JSON object a statement, on one line:
 *     {"schema":"struct<id:bigint>","rows":[["1"],[null]]}
 *     {"error":{"condition":"DIVIDE_BY_ZERO","sqlState":"22012","message":"…","offset":7}}
 *
 * A line is held back until it is some megabytes long. If the statement fails before that, the line
 * is the error alone; if later, the object gets "error" as its last member, behind the rows so far.
 */
#include "codec/codec.h"
#include "shell/print.h"

#define HELD_BACK_BYTES (8 << 20)

static nilas_code write_if_long(nilas_shell_print *print, nilas_error *err) {
    if (print->output->text.size < HELD_BACK_BYTES && print->output->text.failed == NILAS_OK) {
        return NILAS_OK;
    }
    NILAS_TRY(nilas_shell__output_flush(print->output, err));
    print->written = true;
    return NILAS_OK;
}

static nilas_code begin_json(nilas_shell_print *print, const struct ArrowSchema *schema,
                             nilas_error *err) {
    nilas_buf *out = &print->output->text;
    NILAS_AUTO_BUF type = {0};

    (void)schema;
    NILAS_TRY(
        nilas_shell__output_flush(print->output, err)); // so that a failure can take the line back
    print->style.form = print->options->json_typed ? NILAS_FORM_JSON : NILAS_FORM_HIVE;
    nilas_type_print(&type, print->type);
    NILAS_TRY(nilas_buf_check(&type, err));
    print->begun = true;
    nilas_buf_add_text(out, "{\"schema\":");
    nilas_json_print_string(out, nilas_buf_view(&type));
    nilas_buf_add_text(out, ",\"rows\":[");
    return nilas_buf_check(out, err);
}

static nilas_code print_cell(nilas_shell_print *print, size_t index, const struct ArrowArray *array,
                             int64_t row, nilas_buf *scratch, nilas_error *err) {
    const nilas_print_column *column = &print->root.children[index];
    nilas_buf *out = &print->output->text;

    if (nilas_print_cell_is_null(column, array, row)) {
        bool described = print->look == NILAS_LOOK_DESCRIBE && !print->options->json_typed;
        nilas_buf_add_text(out, described ? "\"\"" : "null");
        return NILAS_OK;
    }
    if (print->options->json_typed) {
        nilas_print_cell(out, column, array, row, &print->style);
        return NILAS_OK;
    }
    nilas_buf_clear(scratch);
    nilas_print_cell(scratch, column, array, row, &print->style);
    NILAS_TRY(nilas_buf_check(scratch, err));
    nilas_json_print_string(out, nilas_buf_view(scratch));
    return NILAS_OK;
}

static nilas_code print_json(nilas_shell_print *print, const struct ArrowArray *batch,
                             nilas_error *err) {
    NILAS_AUTO_BUF scratch = NILAS_BUF_INIT(SIZE_MAX);
    nilas_buf *out = &print->output->text;
    bool names_only = print->look == NILAS_LOOK_TABLE_NAMES && !print->options->json_typed;
    size_t first = names_only ? 1 : 0;
    size_t end = names_only ? 2 : print->root.child_count;

    for (int64_t row = 0; row < batch->length; row++) {
        int64_t at = nilas_print_cell_struct_row(batch, row);
        nilas_buf_add_text(out, print->row_count > 0 ? ",[" : "[");
        for (size_t i = first; i < end; i++) {
            nilas_buf_add_text(out, i > first ? "," : "");
            NILAS_TRY(print_cell(print, i, batch->children[i], at, &scratch, err));
        }
        nilas_buf_add_char(out, ']');
        print->row_count++;
        NILAS_TRY(write_if_long(print, err));
    }
    return NILAS_OK;
}

static nilas_code end_json(nilas_shell_print *print, nilas_error *err) {
    nilas_buf_add_text(&print->output->text, "]}\n");
    return nilas_buf_check(&print->output->text, err);
}

static void print_text_member(nilas_buf *out, const char *name, const char *text) {
    nilas_buf_print(out, "\"%s\":", name);
    if (text == NULL) {
        nilas_buf_add_text(out, "null");
    } else {
        nilas_json_print_string(out, nilas_str_of(text));
    }
}

void nilas_shell__print_json_error(nilas_shell_print *print, const nilas_error *failure) {
    nilas_buf *out = &print->output->text;

    if (!print->written) {
        nilas_buf_clear(out);
        nilas_buf_add_char(out, '{');
    } else {
        // what waits may end inside a row, what is out ends behind one
        nilas_buf_clear(out);
        nilas_buf_add_text(out, "],");
    }
    nilas_buf_add_text(out, "\"error\":{");
    print_text_member(out, "condition", failure->condition);
    nilas_buf_add_char(out, ',');
    print_text_member(out, "sqlState", failure->sql_state);
    nilas_buf_add_char(out, ',');
    print_text_member(out, "message", failure->message);
    if (failure->sql_offset >= 0) {
        nilas_buf_print(out, ",\"offset\":%d", failure->sql_offset);
    } else {
        nilas_buf_add_text(out, ",\"offset\":null");
    }
    if (failure->hint != NULL) {
        nilas_buf_add_char(out, ',');
        print_text_member(out, "hint", failure->hint);
    }
    nilas_buf_add_text(out, "}}\n");
}

const nilas_shell_format_steps nilas_shell__json_steps = {
    .name = "json", .streams = true, .begin = begin_json, .batch = print_json, .end = end_json};
