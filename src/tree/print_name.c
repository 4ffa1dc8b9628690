/** Names and string literals as text that the parser reads back. */
#include "tree/print.h"

static bool is_plain(nilas_str name) {
    if (name.size == 0 || (name.data[0] >= '0' && name.data[0] <= '9')) {
        return false;
    }
    for (size_t i = 0; i < name.size; i++) {
        char c = name.data[i];
        bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!word && c != '_') {
            return false;
        }
    }
    return true;
}

static void print_quoted(nilas_buf *out, nilas_str name) {
    nilas_buf_add_char(out, '`');
    for (size_t i = 0; i < name.size; i++) {
        if (name.data[i] == '`') {
            nilas_buf_add_char(out, '`');
        }
        nilas_buf_add_char(out, name.data[i]);
    }
    nilas_buf_add_char(out, '`');
}

void nilas_identifier_print(nilas_buf *out, nilas_str name) {
    nilas_keyword keyword = nilas_keyword_find(name);
    if (is_plain(name) && !nilas_keyword_is_reserved(keyword) &&
        !nilas_keyword_is_strict(keyword)) {
        nilas_buf_add(out, name);
    } else {
        print_quoted(out, name);
    }
}

void nilas_name_print(nilas_buf *out, const nilas_str *parts, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (i > 0) {
            nilas_buf_add_char(out, '.');
        }
        nilas_identifier_print(out, parts[i]);
    }
}

void nilas_name_print_quoted(nilas_buf *out, const nilas_str *parts, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (i > 0) {
            nilas_buf_add_char(out, '.');
        }
        print_quoted(out, parts[i]);
    }
}

void nilas_tree__print_name(nilas_buf *out, nilas_str name) {
    if (is_plain(name) && nilas_keyword_find(name) == NILAS_KEYWORD_NONE) {
        nilas_buf_add(out, name);
    } else {
        print_quoted(out, name);
    }
}

void nilas_tree__print_parts(nilas_buf *out, const nilas_str *parts, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (i > 0) {
            nilas_buf_add_char(out, '.');
        }
        nilas_tree__print_name(out, parts[i]);
    }
}

void nilas_tree__print_name_list(nilas_buf *out, const nilas_str *names, size_t count) {
    nilas_buf_add_char(out, '(');
    for (size_t i = 0; i < count; i++) {
        if (i > 0) {
            nilas_buf_add_text(out, ", ");
        }
        nilas_tree__print_name(out, names[i]);
    }
    nilas_buf_add_char(out, ')');
}

void nilas_tree__print_function_name(nilas_buf *out, const nilas_str *parts, size_t count) {
    if (count == 1 && nilas_keyword_find(parts[0]) != NILAS_KW_IDENTIFIER) {
        nilas_identifier_print(out, parts[0]);
    } else {
        nilas_tree__print_parts(out, parts, count);
    }
}

/* \% and \_ stay as they are in the value: the parser keeps those two escapes for LIKE. */
static void print_escaped(nilas_buf *out, nilas_str text, size_t i) {
    char c = text.data[i];
    char next = i + 1 < text.size ? text.data[i + 1] : '\0';
    switch (c) {
    case '\'': nilas_buf_add_text(out, "\\'"); break;
    case '\n': nilas_buf_add_text(out, "\\n"); break;
    case '\r': nilas_buf_add_text(out, "\\r"); break;
    case '\t': nilas_buf_add_text(out, "\\t"); break;
    case '\0': nilas_buf_add_text(out, "\\u0000"); break;
    case 0x1A: nilas_buf_add_text(out, "\\Z"); break;
    case '\\': nilas_buf_add_text(out, next == '%' || next == '_' ? "\\" : "\\\\"); break;
    default: nilas_buf_add_char(out, c); break;
    }
}

void nilas_string_literal_print(nilas_buf *out, nilas_str text) {
    nilas_buf_add_char(out, '\'');
    for (size_t i = 0; i < text.size; i++) {
        print_escaped(out, text, i);
    }
    nilas_buf_add_char(out, '\'');
}
