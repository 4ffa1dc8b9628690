/*
 * Simple case mapping by ranges for Latin, Greek and Cyrillic, independent of the locale: one code
 * point to one code point. Letters outside these scripts are their own lower and upper case. What
 * Java maps to several letters (LATIN SHARP S, final sigma in context) is left alone.
 */
#include "base/arena.h"
#include "base/buf.h"

typedef enum pairing {
    SHIFT,      // lower = upper + delta, for the whole range
    EVEN_UPPER, // even code points are upper case, the next one is its lower case
    ODD_UPPER,  // odd code points are upper case, the next one is its lower case
} pairing;

typedef struct case_range {
    uint16_t first, last; // upper-case letters (SHIFT), or both cases (EVEN_UPPER, ODD_UPPER)
    int16_t delta;
    uint8_t pairing;
} case_range;

/* Sorted by `first`. */
static const case_range ranges[] = {
    {0x0041, 0x005A, 32, SHIFT}, // A..Z
    {0x00C0, 0x00D6, 32, SHIFT}, // Latin-1
    {0x00D8, 0x00DE, 32, SHIFT},
    {0x0100, 0x012F, 1, EVEN_UPPER}, // Latin Extended-A
    {0x0132, 0x0137, 1, EVEN_UPPER},
    {0x0139, 0x0148, 1, ODD_UPPER},
    {0x014A, 0x0177, 1, EVEN_UPPER},
    {0x0178, 0x0178, -121, SHIFT}, // Y with diaeresis
    {0x0179, 0x017E, 1, ODD_UPPER},
    {0x01CD, 0x01DC, 1, ODD_UPPER}, // Latin Extended-B, the regular part
    {0x01DE, 0x01EF, 1, EVEN_UPPER},
    {0x01F8, 0x021F, 1, EVEN_UPPER},
    {0x0222, 0x0233, 1, EVEN_UPPER},
    {0x0386, 0x0386, 38, SHIFT}, // Greek with tonos
    {0x0388, 0x038A, 37, SHIFT},
    {0x038C, 0x038C, 64, SHIFT},
    {0x038E, 0x038F, 63, SHIFT},
    {0x0391, 0x03A1, 32, SHIFT}, // Greek
    {0x03A3, 0x03AB, 32, SHIFT},
    {0x0400, 0x040F, 80, SHIFT}, // Cyrillic
    {0x0410, 0x042F, 32, SHIFT},
    {0x0460, 0x0481, 1, EVEN_UPPER},
    {0x048A, 0x04BF, 1, EVEN_UPPER},
    {0x04C0, 0x04C0, 15, SHIFT},
    {0x04C1, 0x04CE, 1, ODD_UPPER},
    {0x04D0, 0x052F, 1, EVEN_UPPER},
    {0x1E00, 0x1E95, 1, EVEN_UPPER}, // Latin Extended Additional
    {0x1EA0, 0x1EFF, 1, EVEN_UPPER},
};
#define RANGE_COUNT (sizeof(ranges) / sizeof(ranges[0]))

/*
 * Dotted capital I and dotless small i sit inside an EVEN_UPPER run but do not pair with each
 * other.
 */
#define CAPITAL_I_WITH_DOT 0x0130U
#define SMALL_DOTLESS_I    0x0131U

static uint32_t lower_of(uint32_t c) {
    if (c < 0x80) {
        return c >= 'A' && c <= 'Z' ? c + 32 : c;
    }
    if (c == CAPITAL_I_WITH_DOT) {
        return 'i';
    }
    for (size_t i = 1; i < RANGE_COUNT && ranges[i].first <= c; i++) {
        const case_range *range = &ranges[i];
        if (c > range->last) {
            continue;
        }
        if (range->pairing == SHIFT) {
            return (uint32_t)((int32_t)c + range->delta);
        }
        return (c % 2 == 0) == (range->pairing == EVEN_UPPER) ? c + 1 : c;
    }
    return c;
}

static uint32_t upper_of(uint32_t c) {
    if (c < 0x80) {
        return c >= 'a' && c <= 'z' ? c - 32 : c;
    }
    switch (c) {
    case SMALL_DOTLESS_I: return 'I';
    case 0x00B5: return 0x039C; // micro sign
    case 0x017F: return 'S';    // long s
    case 0x03C2: return 0x03A3; // final sigma
    default: break;
    }
    for (size_t i = 1; i < RANGE_COUNT; i++) {
        const case_range *range = &ranges[i];
        if (range->pairing == SHIFT) {
            int32_t upper = (int32_t)c - range->delta;
            if (upper >= range->first && upper <= range->last) {
                return (uint32_t)upper;
            }
        } else if (c >= range->first && c <= range->last) {
            return (c % 2 == 0) == (range->pairing == EVEN_UPPER) ? c : c - 1;
        }
    }
    return c;
}

/**
 * Compare two texts of any sizes letter by letter; *matched is where in `a` the end of `b` was
 * reached.
 */
static bool starts_folded(nilas_str a, nilas_str b, size_t *matched) {
    size_t at = 0;
    size_t bt = 0;

    while (bt < b.size) {
        if (at >= a.size) {
            return false;
        }
        unsigned char x = (unsigned char)a.data[at];
        unsigned char y = (unsigned char)b.data[bt];
        if ((x | y) < 0x80) {
            if (x != y && lower_of(x) != lower_of(y)) {
                return false;
            }
            at++;
            bt++;
            continue;
        }
        size_t a_start = at;
        size_t b_start = bt;
        uint32_t c = nilas_str_next_codepoint(a, &at);
        uint32_t d = nilas_str_next_codepoint(b, &bt);
        bool invalid = (c == 0xFFFD || d == 0xFFFD) && (at - a_start != bt - b_start || x != y);
        if (invalid || lower_of(c) != lower_of(d)) {
            return false;
        }
    }
    *matched = at;
    return true;
}

bool nilas_str_equal_nocase(nilas_str a, nilas_str b) {
    size_t matched;
    return starts_folded(a, b, &matched) && matched == a.size;
}

bool nilas_str_is_nocase(nilas_str a, const char *text) {
    return nilas_str_equal_nocase(a, nilas_str_of(text));
}

bool nilas_str_starts_nocase(nilas_str text, nilas_str prefix) {
    size_t matched;
    return starts_folded(text, prefix, &matched);
}

static nilas_code map_letters(nilas_arena *arena, nilas_str text, uint32_t (*map)(uint32_t c),
                              nilas_str *out, nilas_error *err) {
    NILAS_AUTO_BUF buf = NILAS_BUF_INIT(SIZE_MAX);

    for (size_t at = 0; at < text.size;) {
        size_t start = at;
        uint32_t c = nilas_str_next_codepoint(text, &at);
        uint32_t mapped = map(c);
        if (mapped == c) {
            // Also keeps bytes that are not UTF-8 as they are.
            nilas_buf_add_bytes(&buf, text.data + start, at - start);
        } else {
            nilas_buf_add_codepoint(&buf, mapped);
        }
    }
    return nilas_buf_finish(&buf, arena, out, err);
}

nilas_code nilas_str_lower(nilas_arena *arena, nilas_str text, nilas_str *out, nilas_error *err) {
    return map_letters(arena, text, lower_of, out, err);
}

nilas_code nilas_str_upper(nilas_arena *arena, nilas_str text, nilas_str *out, nilas_error *err) {
    return map_letters(arena, text, upper_of, out, err);
}
