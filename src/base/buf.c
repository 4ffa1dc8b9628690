/*
 * The growing buffer. Failures stick, so that printers need no check per append; memory grows by
 * doubling and never beyond the maximum.
 */
#include "base/buf.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/limits.h"

static size_t max_size_of(const nilas_buf *buf) {
    size_t max_size = buf->max_size != 0 ? buf->max_size : (size_t)NILAS_LIMIT_SQL_BYTES;
    return max_size < (size_t)PTRDIFF_MAX ? max_size : (size_t)PTRDIFF_MAX - 1;
}

void nilas_buf_done(nilas_buf *buf) {
    free(buf->data);
    *buf = (nilas_buf){.max_size = buf->max_size};
}

/** Room for `size` more bytes and a NUL behind them. */
static bool reserve(nilas_buf *buf, size_t size) {
    if (buf->failed != NILAS_OK) {
        return false;
    }
    if (buf->size < buf->capacity && size < buf->capacity - buf->size) {
        return true;
    }

    size_t max_size = max_size_of(buf);
    if (buf->size > max_size || size > max_size - buf->size) {
        buf->failed = NILAS_LIMIT;
        return false;
    }
    size_t wanted = buf->size + size + 1;
    size_t doubled = buf->capacity < 64             ? 128
                     : buf->capacity > max_size / 2 ? max_size + 1
                                                    : buf->capacity * 2;
    size_t capacity = wanted > doubled ? wanted : doubled;
    // The room itself ends at the maximum, so that the check above cannot be passed by.
    capacity = capacity < max_size + 1 ? capacity : max_size + 1;
    char *grown = nilas_memory_fails() ? NULL : realloc(buf->data, capacity);
    if (grown == NULL) {
        buf->failed = NILAS_NOMEM;
        return false;
    }
    buf->data = grown;
    buf->capacity = capacity;
    return true;
}

void nilas_buf_add_bytes(nilas_buf *buf, const void *bytes, size_t size) {
    if (size != 0 && reserve(buf, size)) {
        memcpy(buf->data + buf->size, bytes, size);
        buf->size += size;
    }
}

void *nilas_buf_extend(nilas_buf *buf, size_t size) {
    if (!reserve(buf, size)) {
        return NULL;
    }
    buf->size += size;
    return buf->data + buf->size - size;
}

void nilas_buf_add(nilas_buf *buf, nilas_str text) {
    nilas_buf_add_bytes(buf, text.data, text.size);
}

void nilas_buf_add_text(nilas_buf *buf, const char *text) {
    nilas_buf_add_bytes(buf, text, strlen(text));
}

void nilas_buf_add_char(nilas_buf *buf, char c) {
    if (reserve(buf, 1)) {
        buf->data[buf->size++] = c;
    }
}

void nilas_buf_add_codepoint(nilas_buf *buf, uint32_t c) {
    char bytes[4];
    size_t size = 0;

    if (c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) {
        c = 0xFFFD;
    }
    if (c < 0x80) {
        bytes[size++] = (char)c;
    } else if (c < 0x800) {
        bytes[size++] = (char)(0xC0 | (c >> 6));
        bytes[size++] = (char)(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        bytes[size++] = (char)(0xE0 | (c >> 12));
        bytes[size++] = (char)(0x80 | ((c >> 6) & 0x3F));
        bytes[size++] = (char)(0x80 | (c & 0x3F));
    } else {
        bytes[size++] = (char)(0xF0 | (c >> 18));
        bytes[size++] = (char)(0x80 | ((c >> 12) & 0x3F));
        bytes[size++] = (char)(0x80 | ((c >> 6) & 0x3F));
        bytes[size++] = (char)(0x80 | (c & 0x3F));
    }
    nilas_buf_add_bytes(buf, bytes, size);
}

void nilas_buf_print(nilas_buf *buf, const char *format, ...) {
    va_list args;
    va_list again;

    if (!reserve(buf, 0)) {
        return;
    }
    va_start(args, format);
    va_copy(again, args);
    // The free room is tried first: most texts are short, and then this is the only formatting.
    size_t room = buf->capacity - buf->size;
    int size = vsnprintf(buf->data + buf->size, room, format, args);
    va_end(args);
    nilas_assert(size >= 0);
    if ((size_t)size < room && (size_t)size <= max_size_of(buf) - buf->size) {
        buf->size += (size_t)size;
    } else if (reserve(buf, (size_t)size)) {
        int written = vsnprintf(buf->data + buf->size, (size_t)size + 1, format, again);
        nilas_assert(written == size);
        buf->size += (size_t)size;
    }
    va_end(again);
}

void nilas_buf_add_escaped(nilas_buf *buf, nilas_str text) {
    static const char letters[] = "abtnvfr"; // for 7 to 13
    size_t start = 0;

    for (size_t i = 0; i < text.size; i++) {
        unsigned char byte = (unsigned char)text.data[i];
        if (byte >= 7 && byte <= 13) {
            nilas_buf_add(buf, nilas_str_slice(text, start, i - start));
            nilas_buf_add_char(buf, '\\');
            nilas_buf_add_char(buf, letters[byte - 7]);
            start = i + 1;
        }
    }
    nilas_buf_add(buf, nilas_str_slice(text, start, text.size - start));
}

void nilas_buf_add_base64(nilas_buf *buf, nilas_str bytes) {
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t i = 0; i < bytes.size; i += 3) {
        size_t left = bytes.size - i;
        uint32_t group = (uint32_t)(uint8_t)bytes.data[i] << 16;
        group |= left > 1 ? (uint32_t)(uint8_t)bytes.data[i + 1] << 8 : 0;
        group |= left > 2 ? (uint32_t)(uint8_t)bytes.data[i + 2] : 0;
        nilas_buf_add_char(buf, alphabet[group >> 18]);
        nilas_buf_add_char(buf, alphabet[group >> 12 & 63]);
        nilas_buf_add_char(buf, left > 1 ? alphabet[group >> 6 & 63] : '=');
        nilas_buf_add_char(buf, left > 2 ? alphabet[group & 63] : '=');
    }
}

void nilas_buf_clear(nilas_buf *buf) {
    buf->size = 0;
    buf->failed = NILAS_OK;
}

void nilas_buf_truncate(nilas_buf *buf, size_t size) {
    if (buf->failed != NILAS_OK && size > buf->size) {
        return;
    }
    nilas_assert(size <= buf->size);
    buf->size = size;
}

nilas_code nilas_buf_check(const nilas_buf *buf, nilas_error *err) {
    if (buf->failed == NILAS_OK) {
        return NILAS_OK;
    }
    if (buf->failed == NILAS_NOMEM) {
        return nilas_fail(err, NILAS_NOMEM, "out of memory in a text of %zu bytes", buf->size);
    }
    return nilas_fail(err, buf->failed, "text is longer than the %zu bytes allowed",
                      max_size_of(buf));
}

nilas_code nilas_buf_finish(nilas_buf *buf, nilas_arena *arena, nilas_str *out, nilas_error *err) {
    NILAS_TRY(nilas_buf_check(buf, err));
    return nilas_str_copy(arena, nilas_buf_view(buf), out, err);
}
