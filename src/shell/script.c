/*
 * Statements are told apart by the sql room, which knows strings and comments; here blanks are
 * peeled off.
 */
#include "shell/script.h"

/**
 * Size of the comment at the beginning, or 0. Bracketed comments nest, as in Spark; an open one
 * takes the rest.
 */
static size_t comment_size(nilas_str text) {
    if (nilas_str_starts(text, NILAS_STR("--"))) {
        size_t end = nilas_str_find(text, NILAS_STR("\n"), 2);
        return end == SIZE_MAX ? text.size : end + 1;
    }
    if (!nilas_str_starts(text, NILAS_STR("/*")) || nilas_str_starts(text, NILAS_STR("/*+"))) {
        return 0;
    }

    size_t depth = 1;
    size_t at = 2;
    while (at < text.size && depth > 0) {
        nilas_str rest = nilas_str_slice(text, at, 2);
        if (nilas_str_is(rest, "*/")) {
            depth--;
            at += 2;
        } else if (nilas_str_is(rest, "/*")) {
            depth++;
            at += 2;
        } else {
            at++;
        }
    }
    return at;
}

size_t nilas_shell__blank_prefix(nilas_str text) {
    size_t at = 0;

    for (;;) {
        while (at < text.size && (unsigned char)text.data[at] <= ' ') {
            at++;
        }
        size_t comment = comment_size(nilas_str_slice(text, at, text.size));
        if (comment == 0) {
            return at;
        }
        at += comment;
    }
}

bool nilas_shell__is_blank(nilas_str text) {
    for (;;) {
        size_t blank = nilas_shell__blank_prefix(text);
        text = nilas_str_slice(text, blank, text.size);
        if (text.size == 0) {
            return true;
        }
        if (text.data[0] != ';') {
            return false;
        }
        text = nilas_str_slice(text, 1, text.size);
    }
}

static size_t count_lines(nilas_str text) {
    size_t count = 0;

    for (size_t i = 0; i < text.size; i++) {
        count += text.data[i] == '\n' ? 1 : 0;
    }
    return count;
}

bool nilas_shell__script_next(nilas_shell_script *script, bool at_end, nilas_shell_statement *out) {
    for (;;) {
        size_t end = script->text.size;
        bool complete;
        bool split = nilas_sql_split(script->text, &end, &complete);
        if (!split && (!at_end || nilas_shell__is_blank(script->text))) {
            return false;
        }

        nilas_str whole = nilas_str_slice(script->text, 0, split ? end : script->text.size);
        size_t blank = nilas_shell__blank_prefix(whole);
        *out = (nilas_shell_statement){
            .text = nilas_str_trim(nilas_str_slice(whole, blank, whole.size)),
            .file = script->file,
            .line = script->line + count_lines(nilas_str_slice(whole, 0, blank)),
        };
        script->line += count_lines(whole);
        script->text = nilas_str_slice(script->text, whole.size, script->text.size);
        if (split && nilas_str_ends(out->text, NILAS_STR(";"))) {
            out->text = nilas_str_trim(nilas_str_slice(out->text, 0, out->text.size - 1));
        }
        if (!nilas_shell__is_blank(out->text)) {
            return true;
        }
    }
}
