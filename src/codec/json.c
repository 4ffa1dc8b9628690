/*
 * Reading JSON: one recursive pass over a copy of the text. Strings are unescaped in place (an
 * escape is never shorter than what it stands for), so they cost no memory of their own. Items of
 * arrays and objects gather on one shared stack and are copied out when their bracket closes, which
 * gives each an exact array.
 */
#include "codec/json.h"

#include <math.h>
#include <stdlib.h>

typedef struct json_member {
    nilas_str name;
    nilas_json value;
} json_member;

typedef struct json_parser {
    nilas_arena *arena;
    const char *what;
    char *text;
    size_t size, at;
    uint32_t depth;
    json_member *stack;
    size_t stack_count, stack_capacity;
    nilas_error *err;
} json_parser;

static nilas_code parse_value(json_parser *p, nilas_json *out);

// ---- errors -------------------------------------------------------------------------------------

/** "line 3, column 7" of an offset; columns count bytes. */
static void locate(const json_parser *p, size_t offset, size_t *line, size_t *column) {
    *line = 1;
    *column = 1;
    for (size_t i = 0; i < offset && i < p->size; i++) {
        (*column)++;
        if (p->text[i] == '\n') {
            (*line)++;
            *column = 1;
        }
    }
}

static nilas_code fail_at(json_parser *p, size_t offset, const char *expected) {
    size_t line;
    size_t column;
    char found[16] = "end of text";

    locate(p, offset, &line, &column);
    if (offset < p->size) {
        unsigned char c = (unsigned char)p->text[offset];
        found[0] = c >= ' ' && c < 0x7F ? '\'' : 'b';
        if (found[0] == '\'') {
            found[1] = (char)c;
            found[2] = '\'';
            found[3] = '\0';
        } else {
            static const char hex[] = "0123456789abcdef";
            memcpy(found, "byte 0x", 7);
            found[7] = hex[c >> 4];
            found[8] = hex[c & 15];
            found[9] = '\0';
        }
    }
    return nilas_fail(p->err, NILAS_CORRUPT, "%s: line %zu, column %zu: expected %s, found %s",
                      p->what, line, column, expected, found);
}

// ---- scanning -----------------------------------------------------------------------------------

static void skip_blanks(json_parser *p) {
    while (p->at < p->size && (p->text[p->at] == ' ' || p->text[p->at] == '\n' ||
                               p->text[p->at] == '\r' || p->text[p->at] == '\t')) {
        p->at++;
    }
}

static bool take(json_parser *p, char c) {
    if (p->at < p->size && p->text[p->at] == c) {
        p->at++;
        return true;
    }
    return false;
}

static bool take_word(json_parser *p, nilas_str word) {
    nilas_str rest = {.data = p->text + p->at, .size = p->size - p->at};

    if (!nilas_str_starts(rest, word)) {
        return false;
    }
    p->at += word.size;
    return true;
}

static bool take_hex4(json_parser *p, uint32_t *out) {
    uint32_t value = 0;

    if (p->size - p->at < 4) {
        return false;
    }
    for (size_t i = 0; i < 4; i++) {
        int digit = nilas_hex_digit((char)p->text[p->at + i]);
        if (digit < 0) {
            return false;
        }
        value = value << 4 | (uint32_t)digit;
    }
    p->at += 4;
    *out = value;
    return true;
}

/** UTF-8 of a code point; returns its size. */
static size_t put_utf8(char *out, uint32_t c) {
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xC0 | (c >> 6));
        out[1] = (char)(0x80 | (c & 0x3F));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (char)(0xE0 | (c >> 12));
        out[1] = (char)(0x80 | ((c >> 6) & 0x3F));
        out[2] = (char)(0x80 | (c & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | (c >> 18));
    out[1] = (char)(0x80 | ((c >> 12) & 0x3F));
    out[2] = (char)(0x80 | ((c >> 6) & 0x3F));
    out[3] = (char)(0x80 | (c & 0x3F));
    return 4;
}

/** What stands behind "\u": one unit, or a surrogate pair over two escapes. */
static nilas_code parse_unicode_escape(json_parser *p, char *out, size_t *size) {
    size_t start = p->at;
    uint32_t unit;
    uint32_t low;

    if (!take_hex4(p, &unit)) {
        return fail_at(p, start, "four hexadecimal digits");
    }
    if (unit >= 0xD800 && unit <= 0xDBFF) {
        if (!take(p, '\\') || !take(p, 'u') || !take_hex4(p, &low) || low < 0xDC00 ||
            low > 0xDFFF) {
            return fail_at(p, start, "a surrogate pair");
        }
        unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
    } else if (unit >= 0xDC00 && unit <= 0xDFFF) {
        return fail_at(p, start, "the first half of a surrogate pair");
    }
    *size = put_utf8(out, unit);
    return NILAS_OK;
}

static nilas_code parse_escape(json_parser *p, char *out, size_t *size) {
    static const char from[] = "\"\\/bfnrt";
    static const char to[] = "\"\\/\b\f\n\r\t";

    if (take(p, 'u')) {
        return parse_unicode_escape(p, out, size);
    }
    const char *found =
        p->at < p->size && p->text[p->at] != '\0' ? strchr(from, p->text[p->at]) : NULL;
    if (found == NULL) {
        return fail_at(p, p->at, "an escape");
    }
    p->at++;
    out[0] = to[found - from];
    *size = 1;
    return NILAS_OK;
}

/** Behind the opening quote. */
static nilas_code parse_string(json_parser *p, nilas_str *out) {
    char *start = p->text + p->at;
    size_t size = 0;

    for (;;) {
        // The plain run first; nothing moves until the first escape.
        size_t run = p->at;
        while (run < p->size && p->text[run] != '"' && p->text[run] != '\\' &&
               (unsigned char)p->text[run] >= ' ') {
            run++;
        }
        if (start + size != p->text + p->at) {
            memmove(start + size, p->text + p->at, run - p->at);
        }
        size += run - p->at;
        p->at = run;
        if (take(p, '"')) {
            *out = (nilas_str){.data = start, .size = size};
            return NILAS_OK;
        }
        if (!take(p, '\\')) {
            return fail_at(p, p->at, "the end of a string");
        }
        char bytes[4];
        size_t count = 0;
        NILAS_TRY(parse_escape(p, bytes, &count));
        memcpy(start + size, bytes, count);
        size += count;
    }
}

static size_t skip_digits(json_parser *p) {
    size_t start = p->at;

    while (p->at < p->size && p->text[p->at] >= '0' && p->text[p->at] <= '9') {
        p->at++;
    }
    return p->at - start;
}

static nilas_code parse_number(json_parser *p, nilas_json *out) {
    size_t start = p->at;
    bool whole = true;

    (void)take(p, '-');
    bool zero = p->at < p->size && p->text[p->at] == '0';
    size_t digits = skip_digits(p);
    if (digits == 0 || (zero && digits > 1)) {
        return fail_at(p, start, digits == 0 ? "a value" : "a number without leading zero");
    }
    if (take(p, '.')) {
        whole = false;
        if (skip_digits(p) == 0) {
            return fail_at(p, p->at, "a digit");
        }
    }
    if (take(p, 'e') || take(p, 'E')) {
        whole = false;
        if (!take(p, '+')) {
            (void)take(p, '-');
        }
        if (skip_digits(p) == 0) {
            return fail_at(p, p->at, "a digit");
        }
    }

    out->text = (nilas_str){.data = p->text + start, .size = p->at - start};
    if (whole && nilas_str_to_int64(out->text, &out->integer)) {
        out->kind = NILAS_JSON_INT;
        out->real = (double)out->integer;
        return NILAS_OK;
    }
    out->kind = NILAS_JSON_REAL;
    if (!nilas_str_to_double(out->text, &out->real)) {
        return fail_at(p, start, "a number");
    }
    return NILAS_OK;
}

// ---- nesting ------------------------------------------------------------------------------------

static nilas_code push(json_parser *p, const json_member *member) {
    if (p->stack_count == p->stack_capacity) {
        size_t capacity = p->stack_capacity != 0 ? p->stack_capacity * 2 : 64;
        json_member *grown = realloc(p->stack, capacity * sizeof(*grown));
        NILAS_REQUIRE(grown != NULL, p->err, NILAS_NOMEM, "%s: out of memory", p->what);
        p->stack = grown;
        p->stack_capacity = capacity;
    }
    p->stack[p->stack_count++] = *member;
    return NILAS_OK;
}

/** Move what was pushed since `base` into arrays of the value. */
static nilas_code close_value(json_parser *p, size_t base, nilas_json *out) {
    size_t count = p->stack_count - base;

    nilas_assert(p->stack_count >= base);
    if (out->kind == NILAS_JSON_OBJECT) {
        NILAS_NEW_ARRAY(p->arena, &out->names, count, p->err);
    }
    NILAS_NEW_ARRAY(p->arena, &out->items, count, p->err);
    for (size_t i = 0; i < count; i++) {
        out->items[i] = p->stack[base + i].value;
        if (out->kind == NILAS_JSON_OBJECT) {
            out->names[i] = p->stack[base + i].name;
        }
    }
    out->count = count;
    p->stack_count = base;
    return NILAS_OK;
}

static nilas_code parse_member(json_parser *p, bool named, json_member *out) {
    if (named) {
        if (!take(p, '"')) {
            return fail_at(p, p->at, "a member name");
        }
        NILAS_TRY(parse_string(p, &out->name));
        skip_blanks(p);
        if (!take(p, ':')) {
            return fail_at(p, p->at, "':'");
        }
    }
    return parse_value(p, &out->value);
}

/** Behind the opening bracket. */
static nilas_code parse_members(json_parser *p, nilas_json *out) {
    bool named = out->kind == NILAS_JSON_OBJECT;
    char close = named ? '}' : ']';
    size_t base = p->stack_count;

    skip_blanks(p);
    if (take(p, close)) {
        return close_value(p, base, out);
    }
    for (;;) {
        json_member member = {0};
        skip_blanks(p);
        NILAS_TRY(parse_member(p, named, &member));
        NILAS_TRY(push(p, &member));
        skip_blanks(p);
        if (take(p, close)) {
            return close_value(p, base, out);
        }
        if (!take(p, ',')) {
            return fail_at(p, p->at, named ? "',' or '}'" : "',' or ']'");
        }
    }
}

static nilas_code parse_nested(json_parser *p, nilas_json_kind kind, nilas_json *out) {
    NILAS_REQUIRE(p->depth < NILAS_LIMIT_JSON_DEPTH, p->err, NILAS_LIMIT,
                  "%s: nested deeper than %d at offset %zu", p->what, NILAS_LIMIT_JSON_DEPTH,
                  p->at);
    p->at++;
    p->depth++;
    out->kind = kind;
    NILAS_TRY(parse_members(p, out));
    p->depth--;
    return NILAS_OK;
}

static nilas_code parse_value(json_parser *p, nilas_json *out) {
    *out = (nilas_json){0};
    skip_blanks(p);
    if (p->at == p->size) {
        return fail_at(p, p->at, "a value");
    }
    switch (p->text[p->at]) {
    case '{': return parse_nested(p, NILAS_JSON_OBJECT, out);
    case '[': return parse_nested(p, NILAS_JSON_ARRAY, out);
    case '"':
        p->at++;
        out->kind = NILAS_JSON_STRING;
        return parse_string(p, &out->text);
    case 't':
    case 'f':
        out->kind = NILAS_JSON_BOOL;
        out->boolean = p->text[p->at] == 't';
        return take_word(p, out->boolean ? NILAS_STR("true") : NILAS_STR("false"))
                   ? NILAS_OK
                   : fail_at(p, p->at, "a value");
    case 'n': return take_word(p, NILAS_STR("null")) ? NILAS_OK : fail_at(p, p->at, "a value");
    default: return parse_number(p, out);
    }
}

static nilas_code parse_document(json_parser *p, nilas_json *out) {
    // A byte order mark is no JSON, but editors leave it.
    (void)take_word(p, NILAS_STR("\xEF\xBB\xBF"));
    NILAS_TRY(parse_value(p, out));
    skip_blanks(p);
    return p->at == p->size ? NILAS_OK : fail_at(p, p->at, "end of text");
}

/** Offset of the first byte that is not UTF-8. */
static size_t find_bad_utf8(nilas_str text) {
    for (size_t at = 0; at < text.size;) {
        size_t start = at;
        if (nilas_str_next_codepoint(text, &at) == 0xFFFD && at == start + 1) {
            return start;
        }
    }
    return text.size;
}

nilas_code nilas_json_parse(nilas_arena *arena, nilas_str text, const char *what, nilas_json *out,
                            nilas_error *err) {
    nilas_str copy;
    nilas_json value;

    nilas_assert(what != NULL);
    NILAS_TRY(nilas_str_copy(arena, text, &copy, err));
    // The copy is ours to write to: it came from the arena a moment ago.
    json_parser parser = {.arena = arena,
                          .what = what,
                          .text = (char *)(uintptr_t)copy.data,
                          .size = copy.size,
                          .err = err};
    if (!nilas_str_is_utf8(copy)) {
        return fail_at(&parser, find_bad_utf8(copy), "UTF-8");
    }

    nilas_code code = parse_document(&parser, &value);
    free(parser.stack);
    if (code == NILAS_OK) {
        *out = value;
    }
    return code;
}
