/*
 * Spark's table output measures text in Java's strings. A letter beyond U+FFFF is two units there,
 * also when a cell is cut: then half of it may be left, which Java writes as '?'. Combining marks
 * count one, as in Spark.
 */
#include "print/text.h"

static bool is_continuation(unsigned char byte) {
    return (byte & 0xC0) == 0x80;
}

/**
 * Whether a lead byte of three or four cannot be followed by this one: overlong, or beyond
 * U+10FFFF.
 */
static bool is_bad_pair(unsigned char lead, unsigned char next) {
    return (lead == 0xE0 && next < 0xA0) || (lead == 0xF0 && next < 0x90) ||
           (lead == 0xF4 && next > 0x8F);
}

/** Continuation bytes behind a lead byte, up to `wanted`. */
static size_t continuation_count(const unsigned char *at, size_t left, size_t wanted) {
    size_t count = 0;

    while (count < wanted && count + 1 < left && is_continuation(at[count + 1])) {
        count++;
    }
    return count;
}

/** Bytes at `at` that make one letter or one broken sequence; *good tells which. */
static size_t sequence_size(const unsigned char *at, size_t left, bool *good) {
    unsigned char lead = at[0];
    size_t wanted = lead < 0x80 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;

    *good = lead < 0x80;
    if (lead < 0x80 || lead < 0xC2 || lead > 0xF4) {
        return 1;
    }
    size_t found = continuation_count(at, left, wanted);
    if (found == 0 || is_bad_pair(lead, at[1])) {
        return 1;
    }
    // a surrogate is one broken sequence of three bytes
    *good = found == wanted && !(lead == 0xED && at[1] >= 0xA0);
    return found + 1;
}

void nilas_print_text_decode(nilas_buf *out, nilas_str bytes) {
    const unsigned char *at = (const unsigned char *)bytes.data;
    size_t left = bytes.size;

    if (nilas_str_is_utf8(bytes)) {
        nilas_buf_add(out, bytes);
        return;
    }
    while (left > 0) {
        bool good;
        size_t size = sequence_size(at, left, &good);
        if (good) {
            nilas_buf_add_bytes(out, at, size);
        } else {
            nilas_buf_add_codepoint(out, 0xFFFD);
        }
        at += size;
        left -= size;
    }
}

static bool is_full_width(uint32_t codepoint) {
    static const struct {
        uint32_t first, last;
    } ranges[] = {{0x1100, 0x115F}, {0x2E80, 0xA4CF}, {0xAC00, 0xD7A3}, {0xF900, 0xFAFF},
                  {0xFE30, 0xFE6F}, {0xFF00, 0xFF60}, {0xFFE0, 0xFFE6}};

    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
        if (codepoint >= ranges[i].first && codepoint <= ranges[i].last) {
            return true;
        }
    }
    return false;
}

int64_t nilas_print_text_width(nilas_str text) {
    int64_t width = 0;

    for (size_t at = 0; at < text.size;) {
        uint32_t codepoint = nilas_str_next_codepoint(text, &at);
        width += codepoint > 0xFFFF || is_full_width(codepoint) ? 2 : 1;
    }
    return width;
}

int64_t nilas_print_text_units(nilas_str text) {
    int64_t length = 0;

    for (size_t at = 0; at < text.size;) {
        length += nilas_str_next_codepoint(text, &at) > 0xFFFF ? 2 : 1;
    }
    return length;
}

/** The first `units` UTF-16 units. */
static void add_prefix(nilas_buf *out, nilas_str text, int64_t units) {
    size_t at = 0;

    while (units > 0 && at < text.size) {
        size_t next = at;
        int64_t size = nilas_str_next_codepoint(text, &next) > 0xFFFF ? 2 : 1;
        if (size > units) {
            nilas_buf_add(out, nilas_str_slice(text, 0, at));
            nilas_buf_add_char(out, '?');
            return;
        }
        units -= size;
        at = next;
    }
    nilas_buf_add(out, nilas_str_slice(text, 0, at));
}

void nilas_print_text_cut(nilas_buf *out, nilas_str text, int64_t limit) {
    if (limit <= 0 || (int64_t)text.size <= limit || nilas_print_text_units(text) <= limit) {
        nilas_buf_add(out, text);
        return;
    }
    if (limit < 4) {
        add_prefix(out, text, limit);
        return;
    }
    add_prefix(out, text, limit - 3);
    nilas_buf_add_text(out, "...");
}

/**
 * Rank of a UTF-8 byte: lead bytes of U+E000 and above come after those beyond U+FFFF, which are
 * surrogates in Java.
 */
static int rank(unsigned char byte) {
    return byte >= 0xEE && byte <= 0xEF ? byte + 0x100 : byte;
}

int nilas_print_text_compare(nilas_str a, nilas_str b) {
    size_t common = a.size < b.size ? a.size : b.size;

    for (size_t i = 0; i < common; i++) {
        if (a.data[i] != b.data[i]) {
            return rank((unsigned char)a.data[i]) < rank((unsigned char)b.data[i]) ? -1 : 1;
        }
    }
    return a.size < b.size ? -1 : a.size > b.size;
}

void nilas_print_text_repeat(nilas_buf *out, char byte, int64_t count) {
    for (; count > 0; count--) {
        nilas_buf_add_char(out, byte);
    }
}
