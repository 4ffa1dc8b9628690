/**
 * Text and bytes: a pointer and a size, never owned. Not NUL-terminated unless a function says so.
 */
#ifndef NILAS_BASE_STR_H
#define NILAS_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct nilas_str {
    const char *data;
    size_t size;
} nilas_str;

/** A nilas_str of a string literal, and of a C string. */
#define NILAS_STR(literal) ((nilas_str){.data = (literal), .size = sizeof(literal) - 1})
#define NILAS_STR_EMPTY    ((nilas_str){.data = "", .size = 0})
static inline nilas_str nilas_str_of(const char *text) {
    return (nilas_str){.data = text, .size = text != NULL ? strlen(text) : 0};
}

/** printf helper: printf("%.*s", NILAS_FMT(str)). */
#define NILAS_FMT(str) (int)((str).size > 1000000 ? 1000000 : (str).size), (str).data

bool nilas_str_equal(nilas_str a, nilas_str b);
/** Equality with every letter folded to its lower case, one letter to one. */
bool nilas_str_equal_nocase(nilas_str a, nilas_str b);
bool nilas_str_is(nilas_str a, const char *text);
bool nilas_str_is_nocase(nilas_str a, const char *text);
/** Unsigned byte order, shorter first on a common prefix: <0, 0, >0. */
int nilas_str_compare(nilas_str a, nilas_str b);
bool nilas_str_starts(nilas_str text, nilas_str prefix);
bool nilas_str_starts_nocase(nilas_str text, nilas_str prefix);
bool nilas_str_ends(nilas_str text, nilas_str suffix);
/** Byte position of `needle` at or after `from`, or SIZE_MAX. */
size_t nilas_str_find(nilas_str text, nilas_str needle, size_t from);
/** The part [from, from+size) clipped to the text. */
nilas_str nilas_str_slice(nilas_str text, size_t from, size_t size);
/** Without leading and trailing ASCII white space (<= ' '), as Java's trim(). */
nilas_str nilas_str_trim(nilas_str text);
/**
 * Whole text as a signed decimal integer (optional sign, digits only); false on anything else or
 * overflow.
 */
bool nilas_str_to_int64(nilas_str text, int64_t *out);
bool nilas_str_to_double(nilas_str text, double *out);
uint64_t nilas_str_hash(nilas_str text);
/** Whether the bytes are valid UTF-8. */
bool nilas_str_is_utf8(nilas_str text);
/** Number of code points; invalid bytes count one each. */
size_t nilas_str_codepoints(nilas_str text);
/** Decode the code point at *position and move it on; invalid bytes give U+FFFD and move by one. */
uint32_t nilas_str_next_codepoint(nilas_str text, size_t *position);

/** 0 to 15 of a hexadecimal digit of either case, -1 of anything else. */
static inline int nilas_hex_digit(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/** Copy `size` bytes; none may come from nowhere, which memcpy() does not allow. */
static inline void nilas_copy(void *to, const void *from, size_t size) {
    if (size > 0) {
        memcpy(to, from, size);
    }
}

#endif
