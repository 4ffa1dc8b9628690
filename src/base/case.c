/*
 * Case of letters as Java 17 maps it with Locale.ROOT: all of Unicode 13, letters that become
 * several (LATIN SHARP S) and the sigma at the end of a word. Comparisons without case map one
 * letter to one.
 */
#include "base/arena.h"
#include "base/buf.h"
#include "base/case_table.h"

#define CAPITAL_I_WITH_DOT 0x0130U
#define CAPITAL_SIGMA      0x03A3U
#define FINAL_SIGMA        0x03C2U

/** The letter by a table of runs; itself when no run has it. */
static uint32_t mapped(const nilas_case_run *runs, uint32_t c) {
    for (const nilas_case_run *run = runs; run->step != 0 && run->first <= c; run++) {
        if (c <= run->last && (c - run->first) % run->step == 0) {
            return (uint32_t)((int32_t)c + run->delta);
        }
    }
    return c;
}

static uint32_t lower_of(uint32_t c) {
    if (c < 0x80) {
        return c >= 'A' && c <= 'Z' ? c + 32 : c;
    }
    return mapped(nilas_base__lower_runs, c);
}

static uint32_t upper_of(uint32_t c) {
    if (c < 0x80) {
        return c >= 'a' && c <= 'z' ? c - 32 : c;
    }
    return mapped(nilas_base__upper_runs, c);
}

static const nilas_case_text *find_text(uint32_t c) {
    for (const nilas_case_text *at = nilas_base__case_texts; at->upper != NULL && at->letter <= c;
         at++) {
        if (at->letter == c) {
            return at;
        }
    }
    return NULL;
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

/* --- texts --- */

/** Marks that stand within words: they do not end one for the sigma. */
static bool is_ignorable(uint32_t c) {
    static const uint32_t marks[] = {'\'', '.',  ':',  '^',  '`',  0xA8,
                                     0xAD, 0xAF, 0xB4, 0xB7, 0xB8, 0x2019};
    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
        if (c == marks[i]) {
            return true;
        }
    }
    return (c >= 0x02B0 && c <= 0x036F) || (c >= 0x0483 && c <= 0x0489);
}

static bool is_cased(uint32_t c) {
    return lower_of(c) != c || upper_of(c) != c || find_text(c) != NULL;
}

/** Whether a letter stands before `at`, marks left out. */
static bool follows_letter(nilas_str text, size_t at) {
    while (at > 0) {
        size_t start = at - 1;
        while (start > 0 && ((unsigned char)text.data[start] & 0xC0) == 0x80) {
            start--;
        }
        size_t position = start;
        uint32_t c = nilas_str_next_codepoint(text, &position);
        if (!is_ignorable(c)) {
            return is_cased(c);
        }
        at = start;
    }
    return false;
}

static bool precedes_letter(nilas_str text, size_t at) {
    while (at < text.size) {
        uint32_t c = nilas_str_next_codepoint(text, &at);
        if (!is_ignorable(c)) {
            return is_cased(c);
        }
    }
    return false;
}

/** Bytes that are no letter, or no UTF-8, stay as they are. */
static void add_letter(nilas_buf *out, nilas_str letter, uint32_t from, uint32_t to) {
    if (from == to) {
        nilas_buf_add(out, letter);
    } else {
        nilas_buf_add_codepoint(out, to);
    }
}

void nilas_buf_add_lower(nilas_buf *out, nilas_str text) {
    for (size_t at = 0; at < text.size;) {
        size_t start = at;
        uint32_t c = nilas_str_next_codepoint(text, &at);
        if (c == CAPITAL_I_WITH_DOT) {
            nilas_buf_add_text(out, "i\xCC\x87");
        } else if (c == CAPITAL_SIGMA && follows_letter(text, start) &&
                   !precedes_letter(text, at)) {
            nilas_buf_add_codepoint(out, FINAL_SIGMA);
        } else {
            add_letter(out, nilas_str_slice(text, start, at - start), c, lower_of(c));
        }
    }
}

void nilas_buf_add_upper(nilas_buf *out, nilas_str text) {
    for (size_t at = 0; at < text.size;) {
        size_t start = at;
        uint32_t c = nilas_str_next_codepoint(text, &at);
        const nilas_case_text *several = c < 0x80 ? NULL : find_text(c);
        if (several != NULL) {
            nilas_buf_add_text(out, several->upper);
        } else {
            add_letter(out, nilas_str_slice(text, start, at - start), c, upper_of(c));
        }
    }
}

void nilas_buf_add_title(nilas_buf *out, nilas_str letter) {
    size_t at = 0;
    uint32_t c = nilas_str_next_codepoint(letter, &at);
    const nilas_case_text *several = c < 0x80 ? NULL : find_text(c);
    uint32_t title = mapped(nilas_base__title_runs, c);
    if (several != NULL) {
        nilas_buf_add_text(out, several->title);
    } else {
        add_letter(out, letter, c, title != c ? title : upper_of(c));
    }
}

nilas_code nilas_str_lower(nilas_arena *arena, nilas_str text, nilas_str *out, nilas_error *err) {
    NILAS_AUTO_BUF buf = NILAS_BUF_INIT(SIZE_MAX);
    nilas_buf_add_lower(&buf, text);
    return nilas_buf_finish(&buf, arena, out, err);
}

nilas_code nilas_str_upper(nilas_arena *arena, nilas_str text, nilas_str *out, nilas_error *err) {
    NILAS_AUTO_BUF buf = NILAS_BUF_INIT(SIZE_MAX);
    nilas_buf_add_upper(&buf, text);
    return nilas_buf_finish(&buf, arena, out, err);
}
