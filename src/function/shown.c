/** Names of result columns: how Spark writes a call. */
#include "function/function.h"

static void print_arguments(nilas_buf *out, const nilas_str *arguments, size_t from, size_t count) {
    for (size_t i = from; i < count; i++) {
        nilas_buf_add_text(out, i > from ? ", " : "");
        nilas_buf_add(out, arguments[i]);
    }
}

/** Handle what stands after "$"; returns how many characters it took. */
static size_t print_part(nilas_buf *out, const char *at, nilas_str name, const nilas_str *arguments,
                         size_t count) {
    if (strncmp(at, "name", 4) == 0) {
        nilas_buf_add(out, name);
        return 4;
    }
    if (*at == '*') {
        print_arguments(out, arguments, 0, count);
        return 1;
    }
    if (*at < '1' || *at > '9') {
        nilas_buf_add_char(out, '$');
        return 0;
    }
    size_t index = (size_t)(*at - '1');
    if (at[1] == '*') {
        print_arguments(out, arguments, index, count);
        return 2;
    }
    if (index < count) {
        nilas_buf_add(out, arguments[index]);
    }
    if (at[1] != '|') {
        return 1;
    }
    const char *end = strchr(at + 2, '|');
    nilas_assert(end != NULL);
    if (index >= count) {
        nilas_buf_add_bytes(out, at + 2, (size_t)(end - at - 2));
    }
    return (size_t)(end - at) + 1;
}

void nilas_function_print_shown(nilas_buf *out, const nilas_function *function, nilas_str name,
                                const nilas_str *arguments, size_t count) {
    const char *shown = function->shown;
    if (shown == NULL || strpbrk(shown, "$(") == NULL) {
        nilas_buf_add(out, shown == NULL ? name : nilas_str_of(shown));
        nilas_buf_add_char(out, '(');
        print_arguments(out, arguments, 0, count);
        nilas_buf_add_char(out, ')');
        return;
    }
    for (const char *at = shown; *at != '\0'; at++) {
        if (*at != '$') {
            nilas_buf_add_char(out, *at);
            continue;
        }
        at += print_part(out, at + 1, name, arguments, count);
    }
}
