/** Literals: strings with their escapes, numbers with their types, and typed literals such as
 *  DATE '…'. */
#include "sql/parser.h"

#include <math.h>
#include <stdlib.h>

// ---- strings ------------------------------------------------------------------------------------

bool nilas_sql__at_string(const nilas_sql__parser *p, size_t ahead) {
    int kind = nilas_sql__peek(p, ahead);
    return kind == TOKEN_STRING ||
           (kind == TOKEN_DOUBLE_QUOTED && !p->options.double_quoted_identifiers);
}

/* `count` hexadecimal digits at `at`, or -1. */
static int64_t hex_at(nilas_str text, size_t at, size_t count) {
    int64_t value = 0;
    if (text.size < at + count) {
        return -1;
    }
    for (size_t i = at; i < at + count; i++) {
        int digit = nilas_hex_digit(text.data[i]);
        if (digit < 0) {
            return -1;
        }
        value = value * 16 + digit;
    }
    return value;
}

/* \uXXXX; two of them that form a surrogate pair are one character, half a pair becomes "?". */
static size_t add_utf16(nilas_buf *out, nilas_str text, size_t at) {
    int64_t unit = hex_at(text, at + 1, 4);
    if (unit < 0) {
        return 0;
    }
    if (unit < 0xD800 || unit > 0xDFFF) {
        nilas_buf_add_codepoint(out, (uint32_t)unit);
        return 5;
    }
    bool pair = unit < 0xDC00 && at + 6 < text.size && text.data[at + 5] == '\\' &&
                text.data[at + 6] == 'u';
    int64_t low = pair ? hex_at(text, at + 7, 4) : -1;
    if (low >= 0xDC00 && low <= 0xDFFF) {
        nilas_buf_add_codepoint(out,
                                (uint32_t)(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00)));
        return 11;
    }
    nilas_buf_add_char(out, '?');
    return 5;
}

static size_t add_utf32(nilas_buf *out, nilas_str text, size_t at) {
    int64_t codepoint = hex_at(text, at + 1, 8);
    if (codepoint < 0) {
        return 0;
    }
    bool valid = codepoint <= 0x10FFFF && (codepoint < 0xD800 || codepoint > 0xDFFF);
    nilas_buf_add_codepoint(out, valid ? (uint32_t)codepoint : '?');
    return 9;
}

static size_t add_octal(nilas_buf *out, nilas_str text, size_t at) {
    if (at + 3 > text.size || (text.data[at] != '0' && text.data[at] != '1')) {
        return 0;
    }
    int value = 0;
    for (size_t i = at; i < at + 3; i++) {
        if (text.data[i] < '0' || text.data[i] > '7') {
            return 0;
        }
        value = value * 8 + (text.data[i] - '0');
    }
    nilas_buf_add_char(out, (char)value);
    return 3;
}

/* The escape whose letter is at `at`; returns the bytes taken. The two escapes of LIKE patterns
 * stay. */
static size_t add_escape(nilas_buf *out, nilas_str text, size_t at) {
    char c = text.data[at];
    size_t taken = 0;
    if (c == 'u') {
        taken = add_utf16(out, text, at);
    } else if (c == 'U') {
        taken = add_utf32(out, text, at);
    } else {
        taken = add_octal(out, text, at);
    }
    if (taken > 0) {
        return taken;
    }

    static const char letters[] = "0bnrtZ";
    static const char values[] = "\0\b\n\r\t\x1A";
    const char *letter = c != '\0' ? strchr(letters, c) : NULL;
    if (letter != NULL) {
        nilas_buf_add_char(out, values[letter - letters]);
    } else {
        nilas_buf_add_text(out, c == '%' || c == '_' ? "\\" : "");
        nilas_buf_add_char(out, c);
    }
    return 1;
}

/* Doubled quotes are the end of one string and the beginning of the next: 'it''s' is its. */
static void add_unescaped(nilas_buf *out, nilas_str inner, char quote, bool escapes) {
    size_t i = 0;
    while (i < inner.size) {
        char c = inner.data[i];
        if (c == quote && i + 1 < inner.size && inner.data[i + 1] == quote) {
            i += 2;
        } else if (c == '\\' && escapes && i + 1 < inner.size) {
            i += 1 + add_escape(out, inner, i + 1);
        } else {
            nilas_buf_add_char(out, c);
            i++;
        }
    }
}

nilas_code nilas_sql__unescape(nilas_sql__parser *p, nilas_str token, nilas_str *out) {
    nilas_assert(token.size >= 2);
    bool raw = token.data[0] != '\'' && token.data[0] != '"';
    nilas_str inner = nilas_str_slice(token, 1 + raw, token.size - 2 - raw);
    char quote = token.data[0];
    if (raw || (memchr(inner.data, '\\', inner.size) == NULL &&
                memchr(inner.data, quote, inner.size) == NULL)) {
        *out = inner;
        return NILAS_OK;
    }

    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    add_unescaped(&text, inner, quote, !p->options.escaped_string_literals);
    return nilas_buf_finish(&text, p->stmt, out, p->err);
}

nilas_code nilas_sql__string(nilas_sql__parser *p, nilas_str *out) {
    if (nilas_sql__at(p, TOKEN_QUESTION) || nilas_sql__at(p, TOKEN_COLON)) {
        nilas_str name = nilas_sql__token_text(p, nilas_sql__at(p, TOKEN_COLON));
        nilas_sql__reject(p, nilas_sql__offset(p), "UNBOUND_SQL_PARAMETER",
                          "Found the unbound parameter: %.*s. Please, fix `args` and provide a "
                          "mapping of the parameter to either a SQL literal or collection "
                          "constructor functions such as `map()`, `array()`, `struct()`.",
                          NILAS_FMT(name));
        p->position += nilas_sql__at(p, TOKEN_COLON) ? 2 : 1;
        *out = NILAS_STR_EMPTY;
        return NILAS_OK;
    }
    if (!nilas_sql__at_string(p, 0)) {
        return nilas_sql__unexpected(p);
    }

    nilas_sql__strs pieces = {0};
    while (nilas_sql__at_string(p, 0)) {
        nilas_str piece;
        NILAS_TRY(nilas_sql__unescape(p, nilas_sql__token_text(p, 0), &piece));
        NILAS_PUSH(p->stmt, &pieces, piece, p->err);
        p->position++;
    }
    if (pieces.count == 1) {
        *out = pieces.items[0];
        return NILAS_OK;
    }
    return nilas_str_join(p->stmt, pieces.items, pieces.count, NILAS_STR_EMPTY, out, p->err);
}

nilas_code nilas_sql__literal_of(nilas_sql__parser *p, int32_t offset, const nilas_type *type,
                                 nilas_value value, nilas_expr **out) {
    NILAS_TRY(nilas_sql__new_expr(p, NILAS_EXPR_LITERAL, offset, out));
    (*out)->type = type;
    (*out)->value = value;
    (*out)->end_offset = nilas_sql__end(p);
    return NILAS_OK;
}

nilas_code nilas_sql__string_expr(nilas_sql__parser *p, nilas_expr **out) {
    int32_t offset = nilas_sql__offset(p);
    nilas_str text;
    NILAS_TRY(nilas_sql__string(p, &text));
    return nilas_sql__literal_of(p, offset, nilas_type_of(NILAS_TYPE_STRING),
                                 nilas_value_of_str(text), out);
}

// ---- numbers ------------------------------------------------------------------------------------

bool nilas_sql__at_number(const nilas_sql__parser *p, size_t ahead) {
    int kind = nilas_sql__peek(p, ahead);
    return kind >= TOKEN_INTEGER && kind <= TOKEN_BIGDECIMAL;
}

/* Digits with the sign in front, NUL-terminated. */
static nilas_code signed_digits(nilas_sql__parser *p, nilas_str digits, bool negative,
                                nilas_str *out) {
    return nilas_str_print(p->stmt, out, p->err, "%s%.*s", negative ? "-" : "", NILAS_FMT(digits));
}

static void reject_range(nilas_sql__parser *p, int32_t offset, nilas_str digits,
                         const char *const names[3]) {
    nilas_sql__reject(p, offset, "INVALID_NUMERIC_LITERAL_RANGE",
                      "Numeric literal %.*s is outside the valid range for %s with minimum value "
                      "of %s and maximum value of %s. Please adjust the value accordingly.",
                      NILAS_FMT(digits), names[0], names[1], names[2]);
}

static nilas_code small_number(nilas_sql__parser *p, int kind, int32_t offset, nilas_str digits,
                               nilas_expr **out) {
    static const struct {
        int kind;
        nilas_type_kind type;
        int64_t low, high;
        const char *names[3];
    } ranges[] = {
        {TOKEN_TINYINT, NILAS_TYPE_TINYINT, INT8_MIN, INT8_MAX, {"tinyint", "-128", "127"}},
        {TOKEN_SMALLINT,
         NILAS_TYPE_SMALLINT,
         INT16_MIN,
         INT16_MAX,
         {"smallint", "-32768", "32767"}},
        {TOKEN_BIGINT,
         NILAS_TYPE_BIGINT,
         INT64_MIN,
         INT64_MAX,
         {"bigint", "-9223372036854775808", "9223372036854775807"}},
    };
    size_t i = kind == TOKEN_TINYINT ? 0 : (kind == TOKEN_SMALLINT ? 1 : 2);
    int64_t value = 0;
    if (!nilas_str_to_int64(digits, &value) || value < ranges[i].low || value > ranges[i].high) {
        reject_range(p, offset, digits, ranges[i].names);
        value = 0;
    }
    return nilas_sql__literal_of(p, offset, nilas_type_of(ranges[i].type),
                                 nilas_value_of_int(value), out);
}

/* Digits from the first that is not zero, without sign, point and exponent. */
static size_t count_digits(nilas_str text) {
    size_t count = 0;
    for (size_t i = 0; i < text.size && (text.data[i] | 0x20) != 'e'; i++) {
        bool digit = text.data[i] >= '0' && text.data[i] <= '9';
        count += digit && (count > 0 || text.data[i] != '0');
    }
    return count;
}

static nilas_code decimal_number(nilas_sql__parser *p, int32_t offset, nilas_str digits,
                                 nilas_expr **out) {
    nilas_int128 unscaled = 0;
    uint32_t scale = 0;
    if (!nilas_decimal_parse(digits, &unscaled, &scale) || scale > 38) {
        nilas_sql__reject(p, offset, "DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION",
                          "Decimal precision %zu exceeds max precision 38.",
                          scale > 38 ? (size_t)scale : count_digits(digits));
        unscaled = 0;
        scale = 0;
    }

    uint32_t precision = nilas_decimal_digits(unscaled);
    const nilas_type *type;
    NILAS_TRY(nilas_type_decimal(p->stmt, (int32_t)(precision > scale ? precision : scale),
                                 (int32_t)scale, &type, p->err));
    return nilas_sql__literal_of(p, offset, type, nilas_value_of_decimal(unscaled, scale), out);
}

static nilas_code integer_number(nilas_sql__parser *p, int32_t offset, nilas_str digits,
                                 nilas_expr **out) {
    int64_t value;
    if (!nilas_str_to_int64(digits, &value)) {
        return decimal_number(p, offset, digits, out);
    }
    bool fits = value >= INT32_MIN && value <= INT32_MAX;
    return nilas_sql__literal_of(p, offset,
                                 nilas_type_of(fits ? NILAS_TYPE_INT : NILAS_TYPE_BIGINT),
                                 nilas_value_of_int(value), out);
}

static nilas_code real_number(nilas_sql__parser *p, int kind, int32_t offset, nilas_str digits,
                              nilas_expr **out) {
    static const char *const double_range[3] = {"double", "-1.7976931348623157E+308",
                                                "1.7976931348623157E+308"};
    static const char *const float_range[3] = {"float", "-3.4028234663852886E+38",
                                               "3.4028234663852886E+38"};
    double value = strtod(digits.data, NULL);
    bool is_float = kind == TOKEN_FLOAT;
    if (!isfinite(value) || (is_float && fabs(value) > 3.4028234663852886e38)) {
        reject_range(p, offset, digits, is_float ? float_range : double_range);
        value = 0;
    }
    if (is_float) {
        return nilas_sql__literal_of(p, offset, nilas_type_of(NILAS_TYPE_FLOAT),
                                     nilas_value_of_float(strtof(digits.data, NULL)), out);
    }
    return nilas_sql__literal_of(p, offset, nilas_type_of(NILAS_TYPE_DOUBLE),
                                 nilas_value_of_double(value), out);
}

static size_t suffix_size(int kind) {
    switch (kind) {
    case TOKEN_INTEGER:
    case TOKEN_EXPONENT:
    case TOKEN_DECIMAL: return 0;
    case TOKEN_BIGDECIMAL: return 2;
    default: return 1;
    }
}

nilas_code nilas_sql__number(nilas_sql__parser *p, bool negative, int32_t offset,
                             nilas_expr **out) {
    int kind = nilas_sql__peek(p, 0);
    nilas_assert(nilas_sql__at_number(p, 0));
    nilas_str token = nilas_sql__token_text(p, 0);
    nilas_str digits;
    NILAS_TRY(signed_digits(p, nilas_str_slice(token, 0, token.size - suffix_size(kind)), negative,
                            &digits));
    p->position++;
    switch (kind) {
    case TOKEN_INTEGER: return integer_number(p, offset, digits, out);
    case TOKEN_TINYINT:
    case TOKEN_SMALLINT:
    case TOKEN_BIGINT: return small_number(p, kind, offset, digits, out);
    case TOKEN_EXPONENT:
        if (p->options.legacy_exponent_decimal) {
            return decimal_number(p, offset, digits, out);
        }
        return real_number(p, kind, offset, digits, out);
    case TOKEN_FLOAT:
    case TOKEN_DOUBLE: return real_number(p, kind, offset, digits, out);
    default: return decimal_number(p, offset, digits, out);
    }
}

nilas_code nilas_sql__integer(nilas_sql__parser *p, int32_t *out) {
    if (!nilas_sql__at(p, TOKEN_INTEGER)) {
        return nilas_sql__unexpected(p);
    }
    nilas_str digits = nilas_sql__token_text(p, 0);
    int64_t value;
    if (!nilas_str_to_int64(digits, &value) || value > INT32_MAX) {
        nilas_sql__reject(p, nilas_sql__offset(p), NULL, "For input string: \"%.*s\"",
                          NILAS_FMT(digits));
        value = 0;
    }
    p->position++;
    *out = (int32_t)value;
    return NILAS_OK;
}

// ---- typed literals -----------------------------------------------------------------------------

static void reject_typed(nilas_sql__parser *p, int32_t offset, nilas_str type, nilas_str value) {
    nilas_sql__reject(p, offset, "INVALID_TYPED_LITERAL",
                      "The value of the typed literal \"%.*s\" is invalid: '%.*s'.",
                      NILAS_FMT(type), NILAS_FMT(value));
}

/* X'1F': an odd number of digits gets a zero in front. */
static nilas_code hex_literal(nilas_sql__parser *p, int32_t offset, nilas_str digits,
                              nilas_expr **out) {
    size_t size = (digits.size + 1) / 2;
    char *bytes;
    NILAS_NEW_ARRAY(p->stmt, &bytes, size, p->err);
    size_t odd = digits.size % 2;
    for (size_t i = 0; i < size; i++) {
        size_t at = i == 0 ? 0 : i * 2 - odd;
        int64_t byte = hex_at(digits, at, i == 0 && odd ? 1 : 2);
        if (byte < 0) {
            reject_typed(p, offset, NILAS_STR("X"), digits);
            byte = 0;
        }
        bytes[i] = (char)byte;
    }
    return nilas_sql__literal_of(p, offset, nilas_type_of(NILAS_TYPE_BINARY),
                                 nilas_value_of_bytes((nilas_str){.data = bytes, .size = size}),
                                 out);
}

/* "today", "now UTC": a word, then perhaps a time zone. */
static bool is_special_time(nilas_str text) {
    static const char *const words[] = {"epoch", "now", "today", "tomorrow", "yesterday"};
    text = nilas_str_trim(text);
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        nilas_str word = nilas_str_of(words[i]);
        if (nilas_str_starts_nocase(text, word)) {
            nilas_str zone = nilas_str_trim(nilas_str_slice(text, word.size, SIZE_MAX));
            return zone.size == 0 || nilas_zone_find(zone) != NULL;
        }
    }
    return false;
}

/* One or two digits at *at, at most `most`. */
static bool take_clock(nilas_str text, size_t *at, int most) {
    int value = 0;
    size_t start = *at;
    while (*at < text.size && *at < start + 2 && text.data[*at] >= '0' && text.data[*at] <= '9') {
        value = value * 10 + (text.data[(*at)++] - '0');
    }
    return *at > start && value <= most;
}

/* Cut off AM or PM; false when the hours before it cannot be. */
static bool cut_half_day(nilas_str *text, bool *half) {
    *half = text->size > 2 && (text->data[text->size - 1] | 0x20) == 'm';
    if (!*half) {
        return true;
    }
    char letter = (char)(text->data[text->size - 2] | 0x20);
    *text = nilas_str_trim(nilas_str_slice(*text, 0, text->size - 2));
    bool zero =
        nilas_str_starts(*text, NILAS_STR("0:")) || nilas_str_starts(*text, NILAS_STR("00"));
    return (letter == 'a' || letter == 'p') && !zero;
}

static bool at_char(nilas_str text, size_t at, char c) {
    return at < text.size && text.data[at] == c;
}

/* "12:30", "12:30:15.123456", "1:30 PM". */
static bool is_valid_time(nilas_str text) {
    bool half;
    text = nilas_str_trim(text);
    size_t at = nilas_str_starts_nocase(text, NILAS_STR("T"));
    if (!cut_half_day(&text, &half) || !take_clock(text, &at, half ? 12 : 23) ||
        !at_char(text, at++, ':') || !take_clock(text, &at, 59)) {
        return false;
    }
    if (at_char(text, at, ':')) {
        at++;
        if (!take_clock(text, &at, 59)) {
            return false;
        }
    }
    if (at_char(text, at, '.')) {
        at++;
        while (at < text.size && text.data[at] >= '0' && text.data[at] <= '9') {
            at++;
        }
    }
    return at == text.size;
}

/* Whether the text can be the value at all; the value itself waits for the session's time zone. */
static bool is_valid_typed(int kind, nilas_str text) {
    int64_t number;
    bool has_zone;
    bool mixed;
    switch (kind) {
    case NILAS_KW_TIME: return is_valid_time(text);
    case NILAS_KW_INTERVAL: return nilas_sql__is_interval_text(text, &mixed);
    case NILAS_KW_DATE: return is_special_time(text) || nilas_date_parse(text, &number);
    case NILAS_KW_TIMESTAMP:
    case NILAS_KW_TIMESTAMP_LTZ:
    case NILAS_KW_TIMESTAMP_NTZ:
        return is_special_time(text) ||
               nilas_timestamp_parse(text, nilas_zone_find(NILAS_STR("UTC")), &number, &has_zone);
    default: return true;
    }
}

static void reject_mixed(nilas_sql__parser *p, int32_t offset, nilas_str text) {
    bool mixed;
    if (nilas_sql__is_interval_text(text, &mixed) && mixed) {
        nilas_sql__reject(p, offset, "_LEGACY_ERROR_TEMP_0029",
                          "Cannot mix year-month and day-time fields: %.*s.",
                          NILAS_FMT(nilas_sql__text_from(p, offset)));
    }
}

static bool is_literal_type(int kind) {
    switch (kind) {
    case NILAS_KW_DATE:
    case NILAS_KW_TIME:
    case NILAS_KW_TIMESTAMP:
    case NILAS_KW_TIMESTAMP_LTZ:
    case NILAS_KW_TIMESTAMP_NTZ:
    case NILAS_KW_INTERVAL:
    case NILAS_KW_X: return true;
    default: return false;
    }
}

nilas_code nilas_sql__typed_literal(nilas_sql__parser *p, nilas_expr **out) {
    int32_t offset = nilas_sql__offset(p);
    int kind = nilas_sql__peek(p, 0);
    nilas_str word;
    NILAS_TRY(nilas_str_upper(p->stmt, nilas_sql__token_text(p, 0), &word, p->err));
    p->position++;
    nilas_str text;
    NILAS_TRY(nilas_sql__unescape(p, nilas_sql__token_text(p, 0), &text));
    p->position++;
    if (kind == NILAS_KW_X) {
        return hex_literal(p, offset, text, out);
    }
    if (!is_literal_type(kind)) {
        nilas_sql__reject(p, offset, "UNSUPPORTED_TYPED_LITERAL",
                          "Literals of the type \"%.*s\" are not supported. Supported types are "
                          "\"DATE\", \"TIMESTAMP_NTZ\", \"TIMESTAMP_LTZ\", \"TIMESTAMP\", "
                          "\"INTERVAL\", \"X\", \"TIME\".",
                          NILAS_FMT(word));
    } else if (!is_valid_typed(kind, text)) {
        reject_typed(p, offset, word, text);
    } else if (kind == NILAS_KW_INTERVAL) {
        reject_mixed(p, offset, text);
    }

    NILAS_TRY(nilas_sql__new_expr(p, NILAS_EXPR_TYPED_LITERAL, offset, out));
    NILAS_NEW(p->stmt, &(*out)->parts, p->err);
    (*out)->parts[0] = word;
    (*out)->part_count = 1;
    (*out)->value = nilas_value_of_str(text);
    (*out)->end_offset = nilas_sql__end(p);
    return NILAS_OK;
}
