/**
 * A growing byte buffer with a maximum, for text and encoded bytes. Appends return nothing: the
 * first failure sticks and nilas_buf_finish() reports it, so that a printer reads as one paragraph.
 * Memory is malloc'd; free with nilas_buf_done() (NULL-safe on a zeroed buffer).
 */
#ifndef NILAS_BASE_BUF_H
#define NILAS_BASE_BUF_H

#include "base/arena.h"

typedef struct nilas_buf {
    char *data;
    size_t size;
    size_t capacity;
    size_t max_size;   // 0: NILAS_LIMIT_SQL_BYTES
    nilas_code failed; // NILAS_OK, NILAS_LIMIT or NILAS_NOMEM
} nilas_buf;

#define NILAS_BUF_INIT(max)                                                                        \
    { .max_size = (max) }
void nilas_buf_done(nilas_buf *buf);
#define NILAS_AUTO_BUF __attribute__((cleanup(nilas_buf_done))) nilas_buf

void nilas_buf_add(nilas_buf *buf, nilas_str text);
void nilas_buf_add_bytes(nilas_buf *buf, const void *bytes, size_t size);
/** Room for `size` more bytes, not filled, as part of the content; NULL when there is none. Valid
 * until the next append. */
void *nilas_buf_extend(nilas_buf *buf, size_t size);
void nilas_buf_add_text(nilas_buf *buf, const char *text);
void nilas_buf_add_char(nilas_buf *buf, char c);
void nilas_buf_add_codepoint(nilas_buf *buf, uint32_t codepoint);
void nilas_buf_print(nilas_buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Text with \n, \r, \t, \f, \b, \v and \a written as two letters, as Spark shows it. */
void nilas_buf_add_escaped(nilas_buf *buf, nilas_str text);
/** Text in lower or upper case as Java's toLowerCase(Locale.ROOT) and toUpperCase(Locale.ROOT). */
void nilas_buf_add_lower(nilas_buf *buf, nilas_str text);
void nilas_buf_add_upper(nilas_buf *buf, nilas_str text);
/** One letter as at the head of a word. */
void nilas_buf_add_title(nilas_buf *buf, nilas_str letter);
/** Base64 of RFC 4648, padded, on one line. */
void nilas_buf_add_base64(nilas_buf *buf, nilas_str bytes);
/** Drop the content, keep the memory and clear `failed`. */
void nilas_buf_clear(nilas_buf *buf);
/** Cut back to `size` bytes (for undoing a trailing separator). */
void nilas_buf_truncate(nilas_buf *buf, size_t size);
/** View of the content; valid until the next append. */
static inline nilas_str nilas_buf_view(const nilas_buf *buf) {
    return (nilas_str){.data = buf->data != NULL ? buf->data : "", .size = buf->size};
}
/** Copy the content into the arena (NUL-terminated) or report the sticky failure. */
nilas_code nilas_buf_finish(nilas_buf *buf, nilas_arena *arena, nilas_str *out, nilas_error *err);
/** Only the sticky failure. */
nilas_code nilas_buf_check(const nilas_buf *buf, nilas_error *err);

#endif
