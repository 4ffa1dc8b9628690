/** Results of commands: rows of texts and numbers, patterns of SHOW … LIKE, names as text. */
#include <regex.h>

#include "session/private.h"

nilas_code nilas_session__rows_begin(nilas_run *run, nilas_command_rows *rows,
                                     const char *const *names, const nilas_type_kind *kinds,
                                     size_t width, nilas_error *err) {
    nilas_type_field *fields;
    NILAS_NEW_ARRAY(run->stmt, &fields, width, err);
    for (size_t i = 0; i < width; i++) {
        fields[i] = (nilas_type_field){
            .name = nilas_str_of(names[i]),
            .type = nilas_type_of(kinds != NULL ? kinds[i] : NILAS_TYPE_STRING),
            .nullable = true,
        };
    }
    *rows = (nilas_command_rows){.run = run, .width = width};
    return nilas_type_struct(run->stmt, fields, width, &rows->type, err);
}

nilas_code nilas_session__rows_add(nilas_command_rows *rows, const nilas_value *cells,
                                   nilas_error *err) {
    for (size_t i = 0; i < rows->width; i++) {
        NILAS_PUSH(rows->run->stmt, &rows->cells, cells[i], err);
    }
    return NILAS_OK;
}

nilas_code nilas_session__rows_add_texts(nilas_command_rows *rows, const nilas_str *texts,
                                         nilas_error *err) {
    for (size_t i = 0; i < rows->width; i++) {
        nilas_value cell = NILAS_NULL_VALUE;
        if (texts[i].data != NULL) {
            nilas_str copy;
            NILAS_TRY(nilas_str_copy(rows->run->stmt, texts[i], &copy, err));
            cell = nilas_value_of_str(copy);
        }
        NILAS_PUSH(rows->run->stmt, &rows->cells, cell, err);
    }
    return NILAS_OK;
}

nilas_code nilas_session__rows_end(nilas_command_rows *rows, nilas_error *err) {
    nilas_run *run = rows->run;
    NILAS_TRY(nilas_result_of_rows(run->stmt, rows->type, rows->cells.items,
                                   rows->cells.count / rows->width, &run->result, err));
    run->stmt = NULL; // now the result's
    return NILAS_OK;
}

nilas_code nilas_session__no_rows(nilas_run *run, nilas_error *err) {
    return nilas_result_empty(&run->result, err);
}

bool nilas_session__matches(nilas_str pattern, nilas_str name) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(65536);
    nilas_buf_add_text(&text, "^(");
    pattern = nilas_str_trim(pattern);
    for (size_t i = 0; i < pattern.size; i++) {
        if (pattern.data[i] == '*') {
            nilas_buf_add_text(&text, ".*");
        } else {
            nilas_buf_add_char(&text, pattern.data[i]);
        }
    }
    nilas_buf_add_text(&text, ")$");
    nilas_buf_add_char(&text, '\0');
    NILAS_AUTO_BUF subject = NILAS_BUF_INIT(65536);
    nilas_buf_add(&subject, name);
    nilas_buf_add_char(&subject, '\0');
    regex_t regex;
    if (text.failed != NILAS_OK || subject.failed != NILAS_OK ||
        regcomp(&regex, text.data, REG_EXTENDED | REG_ICASE | REG_NOSUB) != 0) {
        return false;
    }
    bool matches = regexec(&regex, subject.data, 0, NULL, 0) == 0;
    regfree(&regex);
    return matches;
}

void nilas_session__print_name(nilas_buf *out, nilas_str name) {
    bool plain = name.size > 0;
    bool number = true;
    for (size_t i = 0; i < name.size; i++) {
        char c = name.data[i];
        bool digit = c >= '0' && c <= '9';
        number = number && digit;
        plain = plain && (digit || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
    }
    if (plain && !number) {
        nilas_buf_add(out, name);
    } else {
        nilas_name_print_quoted(out, &name, 1);
    }
}

nilas_code nilas_session__dotted(nilas_arena *arena, const nilas_str *parts, size_t count,
                                 nilas_str *out, nilas_error *err) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(1 << 20);
    for (size_t i = 0; i < count; i++) {
        nilas_buf_add_text(&text, i > 0 ? "." : "");
        nilas_session__print_name(&text, parts[i]);
    }
    return nilas_buf_finish(&text, arena, out, err);
}

nilas_code nilas_session__fail_no_namespace(const nilas_str *parts, size_t count, int32_t offset,
                                            nilas_error *err) {
    NILAS_AUTO_BUF name = NILAS_BUF_INIT(4096);
    nilas_name_print_quoted(&name, parts, count);
    return nilas_fail_at(
        err, NILAS_NOT_FOUND, "SCHEMA_NOT_FOUND", offset,
        "The schema %.*s cannot be found. Verify the spelling and correctness of the schema and "
        "catalog.\n"
        "If you did not qualify the name with a catalog, verify the current_schema() output, or "
        "qualify the name with the "
        "correct catalog.\nTo tolerate the error on drop use DROP SCHEMA IF EXISTS.",
        NILAS_FMT(nilas_buf_view(&name)));
}
