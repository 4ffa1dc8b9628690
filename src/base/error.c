/*
 * Filling and appending to the one error record. Messages are cut at a UTF-8 boundary, never in the
 * middle of a letter, because they travel on to terminals, JSON and Arrow, which all want valid
 * text.
 */
#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Largest prefix of text[0, size) that does not end inside a UTF-8 sequence. */
static size_t cut_at_boundary(const char *text, size_t size) {
    size_t back = 0;

    while (back < 4 && back < size && ((unsigned char)text[size - back - 1] & 0xC0) == 0x80) {
        back++;
    }
    if (back == size || back == 4) {
        return size;
    }

    unsigned char lead = (unsigned char)text[size - back - 1];
    size_t need = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
    return need > back ? size - back - 1 : size;
}

static void print_at(nilas_error *err, size_t start, const char *format, va_list args) {
    size_t room = sizeof(err->message) - start;
    int written = vsnprintf(err->message + start, room, format, args);

    if (written < 0) {
        err->message[start] = '\0';
        return;
    }
    if ((size_t)written >= room) {
        size_t end = start + cut_at_boundary(err->message + start, room - 1);
        err->message[end] = '\0';
    }
}

nilas_code(nilas_fail)(nilas_error *err, nilas_code code, const char *format, ...) {
    nilas_assert(code != NILAS_OK);
    if (err == NULL) {
        return code;
    }

    va_list args;
    va_start(args, format);
    err->code = code;
    err->sql_offset = -1;
    err->condition = NULL;
    err->sql_state = NULL;
    err->hint = NULL;
    print_at(err, 0, format, args);
    va_end(args);
    return code;
}

nilas_code(nilas_fail_at)(nilas_error *err, nilas_code code, const char *condition,
                          int32_t sql_offset, const char *format, ...) {
    nilas_assert(code != NILAS_OK);
    if (err == NULL) {
        return code;
    }

    va_list args;
    va_start(args, format);
    err->code = code;
    err->sql_offset = sql_offset;
    err->condition = condition;
    err->sql_state = condition != NULL ? nilas_sql_state(condition) : NULL;
    err->hint = NULL;
    print_at(err, 0, format, args);
    va_end(args);
    return code;
}

void nilas_error_append(nilas_error *err, const char *format, ...) {
    if (err == NULL) {
        return;
    }

    size_t size = strnlen(err->message, sizeof(err->message) - 1);
    if (size + 2 >= sizeof(err->message)) {
        return;
    }
    if (size > 0) {
        err->message[size++] = ' ';
    }

    va_list args;
    va_start(args, format);
    print_at(err, size, format, args);
    va_end(args);
}

const char *nilas_code_name(nilas_code code) {
    static const char *const names[] = {
        [NILAS_OK] = "ok",
        [NILAS_INVALID] = "invalid",
        [NILAS_NOT_FOUND] = "not_found",
        [NILAS_EXISTS] = "exists",
        [NILAS_DENIED] = "denied",
        [NILAS_UNSUPPORTED] = "unsupported",
        [NILAS_CORRUPT] = "corrupt",
        [NILAS_IO] = "io",
        [NILAS_CONFLICT] = "conflict",
        [NILAS_UNCERTAIN] = "uncertain",
        [NILAS_LIMIT] = "limit",
        [NILAS_CANCELLED] = "cancelled",
        [NILAS_NOMEM] = "nomem",
        [NILAS_ENGINE] = "engine",
    };

    nilas_assert((size_t)code < sizeof(names) / sizeof(names[0]));
    return names[code];
}

_Noreturn void nilas_assert_failed(const char *condition, const char *file, int line) {
    fprintf(stderr, "nilas: broken invariant at %s:%d: %s\n", file, line, condition);
    fflush(stderr);
    abort();
}
