/** Encodings: URLs, base64, hexadecimal, character sets. */
#include "engine/udf_row.h"

/* --- URLs --- */

static void url_encode(nilas_row *row) {
    nilas_str text = nilas_row__text(row, 0);
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     strchr("-_.*", c) != NULL;
        if (plain && c != '\0') {
            nilas_buf_add_char(row->text, c);
        } else if (c == ' ') {
            nilas_buf_add_char(row->text, '+');
        } else {
            nilas_buf_print(row->text, "%%%02X", (unsigned)(unsigned char)c);
        }
    }
    nilas_row__set_buffer(row);
}

static void url_decode(nilas_row *row) {
    nilas_str text = nilas_row__text(row, 0);
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        if (c != '%') {
            nilas_buf_add_char(row->text, c == '+' ? ' ' : c);
            continue;
        }
        int high = i + 2 < text.size ? nilas_hex_digit(text.data[i + 1]) : -1;
        int low = i + 2 < text.size ? nilas_hex_digit(text.data[i + 2]) : -1;
        if (high < 0 || low < 0) {
            nilas_row__fail(
                row, "CANNOT_DECODE_URL",
                "The provided URL cannot be decoded: %.*s. Please ensure that the URL is properly "
                "formatted and try again.",
                NILAS_FMT(text));
            return;
        }
        nilas_buf_add_char(row->text, (char)(high * 16 + low));
        i += 2;
    }
    if (!nilas_str_is_utf8(nilas_buf_view(row->text))) {
        nilas_row__fail(row, "CANNOT_DECODE_URL",
                        "The provided URL cannot be decoded: %.*s. Please ensure that the URL is "
                        "properly formatted "
                        "and try again.",
                        NILAS_FMT(text));
        return;
    }
    nilas_row__set_buffer(row);
}

typedef struct url_parts {
    nilas_str protocol, authority, path, query, ref;
    bool has_authority, has_query, has_ref;
} url_parts;

static bool split_url(nilas_str url, url_parts *out) {
    *out = (url_parts){.path = NILAS_STR_EMPTY};
    for (size_t i = 0; i < url.size; i++) {
        if ((unsigned char)url.data[i] <= ' ' || strchr("<>\"{}|\\^`", url.data[i]) != NULL) {
            return false;
        }
    }
    size_t hash = nilas_str_find(url, NILAS_STR("#"), 0);
    if (hash != SIZE_MAX) {
        out->has_ref = true;
        out->ref = nilas_str_slice(url, hash + 1, url.size);
        url = nilas_str_slice(url, 0, hash);
    }
    size_t mark = nilas_str_find(url, NILAS_STR("?"), 0);
    if (mark != SIZE_MAX) {
        out->has_query = true;
        out->query = nilas_str_slice(url, mark + 1, url.size);
        url = nilas_str_slice(url, 0, mark);
    }
    size_t colon = nilas_str_find(url, NILAS_STR(":"), 0);
    size_t slash = nilas_str_find(url, NILAS_STR("/"), 0);
    if (colon != SIZE_MAX && (slash == SIZE_MAX || colon < slash)) {
        out->protocol = nilas_str_slice(url, 0, colon);
        url = nilas_str_slice(url, colon + 1, url.size);
    }
    if (nilas_str_starts(url, NILAS_STR("//"))) {
        url = nilas_str_slice(url, 2, url.size);
        slash = nilas_str_find(url, NILAS_STR("/"), 0);
        out->has_authority = true;
        out->authority = nilas_str_slice(url, 0, slash);
        url = slash == SIZE_MAX ? NILAS_STR_EMPTY : nilas_str_slice(url, slash, url.size);
    }
    out->path = url;
    return true;
}

static nilas_str host_of(nilas_str authority) {
    size_t at = nilas_str_find(authority, NILAS_STR("@"), 0);
    nilas_str host =
        at == SIZE_MAX ? authority : nilas_str_slice(authority, at + 1, authority.size);
    size_t bracket = nilas_str_find(host, NILAS_STR("]"), 0);
    size_t colon = nilas_str_find(host, NILAS_STR(":"), bracket == SIZE_MAX ? 0 : bracket);
    return nilas_str_slice(host, 0, colon);
}

static void set_present(nilas_row *row, bool present, nilas_str text) {
    if (present) {
        nilas_row__set_text(row, text);
    } else {
        nilas_row__set_null(row);
    }
}

static void set_query_value(nilas_row *row, nilas_str query, nilas_str key) {
    for (size_t from = 0; from <= query.size;) {
        size_t end = nilas_str_find(query, NILAS_STR("&"), from);
        nilas_str pair = nilas_str_slice(query, from, end == SIZE_MAX ? query.size : end - from);
        if (nilas_str_starts(pair, key) && pair.size > key.size && pair.data[key.size] == '=') {
            nilas_row__set_text(row, nilas_str_slice(pair, key.size + 1, pair.size));
            return;
        }
        if (end == SIZE_MAX) {
            break;
        }
        from = end + 1;
    }
    nilas_row__set_null(row);
}

static void parse_url(nilas_row *row) {
    url_parts parts;
    nilas_str part = nilas_row__text(row, 1);
    nilas_str key = nilas_row__text(row, 2);
    if (!split_url(nilas_row__text(row, 0), &parts)) {
        nilas_row__fail(row, "INVALID_URL",
                        "The url is invalid: %.*s. Use `try_parse_url` to tolerate invalid URL and "
                        "return NULL instead.",
                        NILAS_FMT(nilas_row__text(row, 0)));
        return;
    }
    size_t at = nilas_str_find(parts.authority, NILAS_STR("@"), 0);
    if (nilas_str_is(part, "HOST")) {
        set_present(row, parts.has_authority && host_of(parts.authority).size > 0,
                    host_of(parts.authority));
    } else if (nilas_str_is(part, "PATH")) {
        nilas_row__set_text(row, parts.path);
    } else if (nilas_str_is(part, "QUERY")) {
        if (key.size > 0 && parts.has_query) {
            set_query_value(row, parts.query, key);
        } else {
            set_present(row, parts.has_query, parts.query);
        }
    } else if (nilas_str_is(part, "REF")) {
        set_present(row, parts.has_ref, parts.ref);
    } else if (nilas_str_is(part, "PROTOCOL")) {
        set_present(row, parts.protocol.size > 0, parts.protocol);
    } else if (nilas_str_is(part, "AUTHORITY")) {
        set_present(row, parts.has_authority, parts.authority);
    } else if (nilas_str_is(part, "USERINFO")) {
        set_present(row, at != SIZE_MAX, nilas_str_slice(parts.authority, 0, at));
    } else if (nilas_str_is(part, "FILE")) {
        nilas_buf_add(row->text, parts.path);
        nilas_buf_add_text(row->text, parts.has_query ? "?" : "");
        nilas_buf_add(row->text, parts.query);
        nilas_row__set_buffer(row);
    } else {
        nilas_row__set_null(row);
    }
}

/* --- base64 --- */

static int base64_digit(char c) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c != '\0' ? strchr(digits, c) : NULL;
    return at != NULL ? (int)(at - digits) : -1;
}

bool nilas_engine__decode_base64(nilas_buf *out, nilas_str text) {
    uint32_t bits = 0;
    int count = 0;
    for (size_t i = 0; i < text.size; i++) {
        int digit = base64_digit(text.data[i]);
        if (digit < 0) {
            if (text.data[i] == '=' || text.data[i] == '\n' || text.data[i] == '\r' ||
                text.data[i] == ' ') {
                continue;
            }
            return false;
        }
        bits = (bits << 6) | (uint32_t)digit;
        count += 6;
        if (count >= 8) {
            count -= 8;
            nilas_buf_add_char(out, (char)(bits >> count));
        }
    }
    return count < 6;
}

static void fail_conversion(nilas_row *row, const char *format) {
    nilas_row__fail(
        row, "CONVERSION_INVALID_INPUT",
        "The value '%.*s' (\"%s\") cannot be converted to \"BINARY\" because it is malformed. "
        "Correct the value as per the syntax, or change its format. Use `try_to_binary` to "
        "tolerate malformed input and return NULL "
        "instead.",
        NILAS_FMT(nilas_row__text(row, 0)), format);
}

/** As Java's MIME decoder: what is no digit is passed over. */
static void unbase64(nilas_row *row) {
    NILAS_AUTO_BUF digits = NILAS_BUF_INIT(0);
    nilas_str text = nilas_row__text(row, 0);
    for (size_t i = 0; i < text.size && text.data[i] != '='; i++) {
        char c = text.data[i];
        bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (word || c == '+' || c == '/') {
            nilas_buf_add_char(&digits, c);
        }
    }
    if (digits.size % 4 == 1) {
        nilas_row__fail(row, "", "Last unit does not have enough valid bits");
        return;
    }
    while (digits.size % 4 != 0) {
        nilas_buf_add_char(&digits, '=');
    }
    if (!nilas_engine__decode_base64(row->text, nilas_buf_view(&digits))) {
        fail_conversion(row, "BASE64");
        return;
    }
    nilas_row__set_buffer(row);
}

static bool decode_hex(nilas_buf *out, nilas_str text) {
    for (size_t i = 0; i < text.size; i++) {
        if (nilas_hex_digit(text.data[i]) < 0) {
            return false;
        }
    }
    size_t odd = text.size % 2;
    if (odd != 0) {
        nilas_buf_add_char(out, (char)nilas_hex_digit(text.data[0]));
    }
    for (size_t i = odd; i < text.size; i += 2) {
        nilas_buf_add_char(
            out, (char)(nilas_hex_digit(text.data[i]) * 16 + nilas_hex_digit(text.data[i + 1])));
    }
    return true;
}

static void unhex(nilas_row *row) {
    if (decode_hex(row->text, nilas_row__text(row, 0))) {
        nilas_row__set_buffer(row);
    } else {
        nilas_row__set_null(row);
    }
}

static void to_binary(nilas_row *row) {
    nilas_str format = nilas_row__text(row, 1);
    nilas_str text = nilas_row__text(row, 0);
    if (nilas_str_is_nocase(format, "hex")) {
        if (!decode_hex(row->text, text)) {
            fail_conversion(row, "HEX");
            return;
        }
    } else if (nilas_str_is_nocase(format, "base64")) {
        if (!nilas_engine__decode_base64(row->text, text)) {
            fail_conversion(row, "BASE64");
            return;
        }
    } else if (nilas_str_is_nocase(format, "utf-8") || nilas_str_is_nocase(format, "utf8")) {
        nilas_buf_add(row->text, text);
    } else {
        nilas_row__fail(row, "INVALID_PARAMETER_VALUE.BINARY_FORMAT",
                        "The value of parameter(s) `format` in `to_binary` is invalid: expects one "
                        "of binary formats 'base64', 'hex', 'utf-8', but got '%.*s'.",
                        NILAS_FMT(format));
        return;
    }
    nilas_row__set_buffer(row);
}

static void binary_to_char(nilas_row *row) {
    nilas_str bytes = nilas_row__text(row, 0);
    nilas_str format = nilas_row__text(row, 1);
    if (nilas_str_is_nocase(format, "base64")) {
        nilas_buf_add_base64(row->text, bytes);
    } else if (nilas_str_is_nocase(format, "hex")) {
        for (size_t i = 0; i < bytes.size; i++) {
            nilas_buf_print(row->text, "%02X", (unsigned)(unsigned char)bytes.data[i]);
        }
    } else if (nilas_str_is_utf8(bytes)) {
        nilas_buf_add(row->text, bytes);
    } else {
        nilas_row__set_null(row);
        return;
    }
    nilas_row__set_buffer(row);
}

/* --- character sets --- */

typedef enum charset {
    CHARSET_NONE,
    CHARSET_UTF8,
    CHARSET_ASCII,
    CHARSET_LATIN1,
    CHARSET_UTF16BE,
    CHARSET_UTF16LE,
    CHARSET_UTF16,
    CHARSET_UTF32
} charset;

static charset find_charset(nilas_row *row, nilas_str name) {
    static const struct {
        const char *word;
        charset set;
    } words[] = {
        {"UTF-8", CHARSET_UTF8},        {"US-ASCII", CHARSET_ASCII},
        {"ISO-8859-1", CHARSET_LATIN1}, {"UTF-16BE", CHARSET_UTF16BE},
        {"UTF-16LE", CHARSET_UTF16LE},  {"UTF-16", CHARSET_UTF16},
        {"UTF-32", CHARSET_UTF32},
    };
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (nilas_str_is_nocase(name, words[i].word)) {
            return words[i].set;
        }
    }
    nilas_row__fail(
        row, "INVALID_PARAMETER_VALUE.CHARSET",
        "The value of parameter(s) `charset` in `%s` is invalid: expects one of the "
        "iso-8859-1, us-ascii, utf-16, utf-16be, utf-16le, utf-32, utf-8, but got %.*s.",
        row->udf->signature[0] == 's' ? "encode" : "decode", NILAS_FMT(name));
    return CHARSET_NONE;
}

static void add_unit(nilas_buf *out, uint32_t unit, int bytes, bool little) {
    for (int i = 0; i < bytes; i++) {
        int shift = 8 * (little ? i : bytes - 1 - i);
        nilas_buf_add_char(out, (char)(unit >> shift));
    }
}

static void encode_char(nilas_buf *out, uint32_t c, charset set) {
    bool little = set == CHARSET_UTF16LE;
    if (set == CHARSET_ASCII || set == CHARSET_LATIN1) {
        nilas_buf_add_char(out, c < (set == CHARSET_ASCII ? 128U : 256U) ? (char)c : '?');
    } else if (set == CHARSET_UTF32) {
        add_unit(out, c, 4, false);
    } else if (c >= 0x10000) {
        add_unit(out, 0xD800 + ((c - 0x10000) >> 10), 2, little);
        add_unit(out, 0xDC00 + ((c - 0x10000) & 0x3FF), 2, little);
    } else {
        add_unit(out, c, 2, little);
    }
}

static void encode(nilas_row *row) {
    nilas_str text = nilas_row__text(row, 0);
    charset set = find_charset(row, nilas_row__text(row, 1));
    if (set == CHARSET_NONE || set == CHARSET_UTF8) {
        nilas_row__set_text(row, text);
        return;
    }
    if (set == CHARSET_UTF16 && text.size > 0) {
        nilas_buf_add_text(row->text, "\xFE\xFF");
    }
    uint32_t most = set == CHARSET_ASCII ? 0x7F : set == CHARSET_LATIN1 ? 0xFF : 0x10FFFF;
    for (size_t at = 0; at < text.size;) {
        uint32_t c = nilas_str_next_codepoint(text, &at);
        if (c > most) {
            nilas_row__fail(row, "MALFORMED_CHARACTER_CODING",
                            "Invalid value found when performing `encode` with %.*s",
                            NILAS_FMT(nilas_row__text(row, 1)));
            return;
        }
        encode_char(row->text, c, set);
    }
    nilas_row__set_buffer(row);
}

static uint32_t unit_at(nilas_str bytes, size_t at, size_t size, bool little) {
    uint32_t unit = 0;
    for (size_t i = 0; i < size && at + i < bytes.size; i++) {
        uint32_t byte = (unsigned char)bytes.data[at + i];
        unit |= byte << (8 * (little ? i : size - 1 - i));
    }
    return unit;
}

static void decode_wide(nilas_row *row, nilas_str bytes, charset set) {
    bool little = set == CHARSET_UTF16LE;
    size_t size = set == CHARSET_UTF32 ? 4 : 2;
    size_t at = 0;
    if (set == CHARSET_UTF16 && bytes.size >= 2) {
        uint32_t mark = unit_at(bytes, 0, 2, false);
        little = mark == 0xFFFE;
        at = mark == 0xFFFE || mark == 0xFEFF ? 2 : 0;
    }
    while (at < bytes.size) {
        uint32_t c = unit_at(bytes, at, size, little);
        at += size;
        if (size == 2 && c >= 0xD800 && c < 0xDC00 && at < bytes.size) {
            c = 0x10000 + ((c - 0xD800) << 10) + (unit_at(bytes, at, 2, little) - 0xDC00);
            at += 2;
        }
        nilas_buf_add_codepoint(row->text, c);
    }
}

static void decode(nilas_row *row) {
    nilas_str bytes = nilas_row__text(row, 0);
    charset set = find_charset(row, nilas_row__text(row, 1));
    if (set == CHARSET_NONE) {
        return;
    }
    if (set >= CHARSET_UTF16BE) {
        decode_wide(row, bytes, set);
    } else if (set == CHARSET_UTF8 && nilas_str_is_utf8(bytes)) {
        nilas_buf_add(row->text, bytes);
    } else {
        for (size_t i = 0; i < bytes.size; i++) {
            uint32_t c = (unsigned char)bytes.data[i];
            if (set == CHARSET_UTF8 || (set == CHARSET_ASCII && c > 127)) {
                nilas_row__fail(row, "MALFORMED_CHARACTER_CODING",
                                "Invalid value found when performing `decode` with %.*s.",
                                NILAS_FMT(nilas_row__text(row, 1)));
                return;
            }
            nilas_buf_add_codepoint(row->text, c);
        }
    }
    nilas_row__set_buffer(row);
}

const nilas_udf nilas_engine__url_functions[] = {
    {"nilas_url_encode", "s>s", url_encode, 0, 0},
    {"nilas_url_decode", "s>s", url_decode, 0, 0},
    {"nilas_parse_url", "sss>s", parse_url, 0, 0},
    {"nilas_unbase64", "s>x", unbase64, 0, 0},
    {"nilas_unhex", "s>x", unhex, 0, 0},
    {"nilas_to_binary", "ss>x", to_binary, 0, 0},
    {"nilas_binary_to_char", "xs>s", binary_to_char, 0, 0},
    {"nilas_encode", "ss>x", encode, 0, 0},
    {"nilas_decode", "xs>s", decode, 0, 0},
    {NULL, NULL, NULL, 0, 0},
};
