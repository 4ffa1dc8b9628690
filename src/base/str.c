/*
 * Text and bytes: comparing, cutting, numbers, UTF-8, and copies that live in an arena. Case
 * mapping is in case.c. Nothing here depends on the locale.
 */
#include "base/str.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"

bool nilas_str_equal(nilas_str a, nilas_str b) {
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

bool nilas_str_is(nilas_str a, const char *text) {
    return nilas_str_equal(a, nilas_str_of(text));
}

int nilas_str_compare(nilas_str a, nilas_str b) {
    size_t common = a.size < b.size ? a.size : b.size;
    int order = common != 0 ? memcmp(a.data, b.data, common) : 0;

    if (order != 0) {
        return order;
    }
    return a.size < b.size ? -1 : a.size > b.size ? 1 : 0;
}

bool nilas_str_starts(nilas_str text, nilas_str prefix) {
    return text.size >= prefix.size &&
           nilas_str_equal(nilas_str_slice(text, 0, prefix.size), prefix);
}

bool nilas_str_ends(nilas_str text, nilas_str suffix) {
    return text.size >= suffix.size &&
           nilas_str_equal(nilas_str_slice(text, text.size - suffix.size, suffix.size), suffix);
}

size_t nilas_str_find(nilas_str text, nilas_str needle, size_t from) {
    if (from > text.size || needle.size > text.size - from) {
        return SIZE_MAX;
    }
    if (needle.size == 0) {
        return from;
    }

    const char *found = memmem(text.data + from, text.size - from, needle.data, needle.size);
    return found != NULL ? (size_t)(found - text.data) : SIZE_MAX;
}

nilas_str nilas_str_slice(nilas_str text, size_t from, size_t size) {
    if (from >= text.size) {
        return NILAS_STR_EMPTY;
    }
    size_t left = text.size - from;
    return (nilas_str){.data = text.data + from, .size = size < left ? size : left};
}

nilas_str nilas_str_trim(nilas_str text) {
    size_t from = 0;
    size_t to = text.size;

    while (from < to && (unsigned char)text.data[from] <= ' ') {
        from++;
    }
    while (to > from && (unsigned char)text.data[to - 1] <= ' ') {
        to--;
    }
    return nilas_str_slice(text, from, to - from);
}

bool nilas_str_to_int64(nilas_str text, int64_t *out) {
    size_t at = 0;
    int64_t value = 0;
    bool negative = false;

    if (text.size > 0 && (text.data[0] == '-' || text.data[0] == '+')) {
        negative = text.data[0] == '-';
        at = 1;
    }
    if (at == text.size) {
        return false;
    }
    for (; at < text.size; at++) {
        int digit = text.data[at] - '0';
        // Counted downwards, because the smallest number has no positive twin.
        if (digit < 0 || digit > 9 || __builtin_mul_overflow(value, 10, &value) ||
            __builtin_sub_overflow(value, digit, &value)) {
            return false;
        }
    }
    if (!negative && value == INT64_MIN) {
        return false;
    }
    *out = negative ? value : -value;
    return true;
}

/** Decimal number only: what strtod() takes beyond that (hexadecimal, blanks) is not for us. */
static bool looks_like_number(nilas_str text) {
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        if (!((c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.' || c == 'e' || c == 'E')) {
            return false;
        }
    }
    return text.size > 0;
}

static bool parse_double_word(nilas_str text, double *out) {
    bool negative = text.size > 0 && text.data[0] == '-';
    bool sign = negative || (text.size > 0 && text.data[0] == '+');
    nilas_str word = nilas_str_slice(text, sign ? 1 : 0, text.size);

    if (nilas_str_is_nocase(word, "nan")) {
        *out = NAN;
        return true;
    }
    if (nilas_str_is_nocase(word, "infinity") || nilas_str_is_nocase(word, "inf")) {
        *out = negative ? -INFINITY : INFINITY;
        return true;
    }
    return false;
}

bool nilas_str_to_double(nilas_str text, double *out) {
    char small[64];
    char *copy = small;

    if (!looks_like_number(text)) {
        return parse_double_word(text, out);
    }
    if (text.size >= sizeof(small)) {
        copy = malloc(text.size + 1);
        if (copy == NULL) {
            return false;
        }
    }
    memcpy(copy, text.data, text.size);
    copy[text.size] = '\0';

    char *end;
    double value = strtod(copy, &end);
    bool whole = end == copy + text.size;
    if (copy != small) {
        free(copy);
    }
    if (whole) {
        *out = value;
    }
    return whole;
}

uint64_t nilas_str_hash(nilas_str text) {
    // Eight bytes at a time with a multiply-xorshift mix: good enough for hash maps, stable only
    // within one process.
    uint64_t hash = 0x9E3779B97F4A7C15ULL ^ text.size;
    size_t at = 0;

    for (; at + 8 <= text.size; at += 8) {
        uint64_t word;
        memcpy(&word, text.data + at, 8);
        hash = (hash ^ word) * 0xFF51AFD7ED558CCDULL;
        hash ^= hash >> 32;
    }
    if (at < text.size) {
        uint64_t word = 0;
        memcpy(&word, text.data + at, text.size - at);
        hash = (hash ^ word) * 0xFF51AFD7ED558CCDULL;
        hash ^= hash >> 32;
    }
    hash *= 0xC4CEB9FE1A85EC53ULL;
    return hash ^ (hash >> 29);
}

static size_t sequence_size(unsigned char lead) {
    return lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
}

/**
 * Surrogates and numbers beyond U+10FFFF are no code points; a longer sequence than needed is no
 * UTF-8.
 */
static bool is_valid_sequence(uint32_t value, size_t size) {
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    bool surrogate = value >= 0xD800 && value <= 0xDFFF;
    return value >= smallest[size] && value <= 0x10FFFF && !surrogate;
}

/**
 * Size of the sequence that starts at bytes[0] and its code point; 0 when it is not valid UTF-8.
 */
static size_t decode_codepoint(const unsigned char *bytes, size_t size, uint32_t *codepoint) {
    unsigned char lead = bytes[0];

    if (lead < 0x80) {
        *codepoint = lead;
        return 1;
    }
    if (lead < 0xC2 || lead > 0xF4) {
        return 0;
    }

    size_t need = sequence_size(lead);
    uint32_t value = lead & (0xFFU >> (need + 1));
    if (need > size) {
        return 0;
    }
    for (size_t i = 1; i < need; i++) {
        if ((bytes[i] & 0xC0) != 0x80) {
            return 0;
        }
        value = (value << 6) | (bytes[i] & 0x3FU);
    }
    if (!is_valid_sequence(value, need)) {
        return 0;
    }
    *codepoint = value;
    return need;
}

bool nilas_str_is_utf8(nilas_str text) {
    const unsigned char *bytes = (const unsigned char *)text.data;
    size_t at = 0;

    while (at < text.size) {
        // Most text is ASCII: eight bytes at once while no high bit is set.
        uint64_t word;
        while (at + 8 <= text.size &&
               (memcpy(&word, bytes + at, 8), (word & 0x8080808080808080ULL) == 0)) {
            at += 8;
        }
        if (at == text.size) {
            break;
        }
        uint32_t codepoint;
        size_t size = decode_codepoint(bytes + at, text.size - at, &codepoint);
        if (size == 0) {
            return false;
        }
        at += size;
    }
    return true;
}

uint32_t nilas_str_next_codepoint(nilas_str text, size_t *position) {
    uint32_t codepoint = 0xFFFD;

    nilas_assert(*position < text.size);
    size_t size = decode_codepoint((const unsigned char *)text.data + *position,
                                   text.size - *position, &codepoint);
    if (size == 0) {
        *position += 1;
        return 0xFFFD;
    }
    *position += size;
    return codepoint;
}

size_t nilas_str_codepoints(nilas_str text) {
    size_t count = 0;

    for (size_t at = 0; at < text.size; count++) {
        (void)nilas_str_next_codepoint(text, &at);
    }
    return count;
}

nilas_code nilas_str_copy(nilas_arena *arena, nilas_str text, nilas_str *out, nilas_error *err) {
    void *copy;

    if (text.size == SIZE_MAX) {
        return nilas_fail(err, NILAS_LIMIT, "text of %zu bytes is too large", text.size);
    }
    NILAS_TRY(nilas_arena_alloc(arena, text.size + 1, &copy, err));
    if (text.size != 0) {
        memcpy(copy, text.data, text.size);
    }
    *out = (nilas_str){.data = copy, .size = text.size};
    return NILAS_OK;
}

nilas_code nilas_str_print(nilas_arena *arena, nilas_str *out, nilas_error *err, const char *format,
                           ...) {
    va_list args;
    va_list again;

    va_start(args, format);
    va_copy(again, args);
    int size = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (size < 0) {
        va_end(again);
        return nilas_fail(err, NILAS_INVALID, "text cannot be formatted: %s", format);
    }

    void *copy = NULL;
    nilas_code code = nilas_arena_alloc(arena, (size_t)size + 1, &copy, err);
    if (code == NILAS_OK) {
        int written = vsnprintf(copy, (size_t)size + 1, format, again);
        nilas_assert(written == size);
        *out = (nilas_str){.data = copy, .size = (size_t)size};
    }
    va_end(again);
    return code;
}

nilas_code nilas_str_join(nilas_arena *arena, const nilas_str *parts, size_t count,
                          nilas_str separator, nilas_str *out, nilas_error *err) {
    size_t total = 0;
    bool overflow = false;

    for (size_t i = 0; i < count; i++) {
        overflow |= __builtin_add_overflow(total, parts[i].size, &total);
        overflow |= i > 0 && __builtin_add_overflow(total, separator.size, &total);
    }
    if (overflow || total == SIZE_MAX) {
        return nilas_fail(err, NILAS_LIMIT, "joined text of %zu parts is too large", count);
    }

    void *copy;
    NILAS_TRY(nilas_arena_alloc(arena, total + 1, &copy, err));
    char *at = copy;
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && separator.size != 0) {
            memcpy(at, separator.data, separator.size);
            at += separator.size;
        }
        if (parts[i].size != 0) {
            memcpy(at, parts[i].data, parts[i].size);
            at += parts[i].size;
        }
    }
    *out = (nilas_str){.data = copy, .size = total};
    return NILAS_OK;
}
