/**
 * Text to tokens: the longest match wins, as in Spark's lexer. What cannot begin a token is an
 * UNRECOGNIZED token of one
 * character, so that SET can still take the raw text and syntax errors are the parser's.
 */
#include "sql/token.h"

static char peek_char(const nilas_sql__lexer *lexer, size_t ahead) {
    size_t at = lexer->position + ahead;
    return at < lexer->text.size ? lexer->text.data[at] : '\0';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_ascii_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_word_char(char c) {
    return is_digit(c) || is_ascii_letter(c) || c == '_';
}

static char upper(char c) {
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

// ---- characters beyond ASCII --------------------------------------------------------------------

static const uint32_t other_spaces[] = {0xA0,   0x1680, 0x2000, 0x2001, 0x2002, 0x2003,
                                        0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009,
                                        0x200A, 0x2028, 0x202F, 0x205F, 0x3000};

/* Signs, marks and symbols; every other character beyond ASCII counts as a letter. */
static const uint32_t not_letters[][2] = {
    {0x80, 0xA9},     {0xAB, 0xB4},     {0xB6, 0xB9},     {0xBB, 0xBF},     {0xD7, 0xD7},
    {0xF7, 0xF7},     {0x300, 0x36F},   {0x2000, 0x206F}, {0x20A0, 0x20FF}, {0x2190, 0x2BFF},
    {0x2E00, 0x2E7F}, {0x3000, 0x3004}, {0x3008, 0x3030}, {0xD800, 0xF8FF}, {0xFE00, 0xFE0F},
    {0xFF00, 0xFF20}, {0xFF3B, 0xFF40}, {0xFF5B, 0xFF65}, {0xFFF0, 0xFFFF}, {0x1F000, 0x1FAFF},
};

/* Size in bytes of a letter beyond ASCII at `at`, 0 if there is none. */
static size_t letter_size(const nilas_sql__lexer *lexer, size_t at) {
    if (at >= lexer->text.size || (unsigned char)lexer->text.data[at] < 0x80) {
        return 0;
    }
    size_t end = at;
    uint32_t c = nilas_str_next_codepoint(lexer->text, &end);
    for (size_t i = 0; i < sizeof(not_letters) / sizeof(not_letters[0]); i++) {
        if (c >= not_letters[i][0] && c <= not_letters[i][1]) {
            return 0;
        }
    }
    return end - at;
}

static size_t space_size(const nilas_sql__lexer *lexer) {
    char c = peek_char(lexer, 0);
    if (lexer->position >= lexer->text.size) {
        return 0;
    }
    if (c == ' ' || (c >= '\t' && c <= '\r')) {
        return 1;
    }
    if ((unsigned char)c < 0x80) {
        return 0;
    }
    size_t end = lexer->position;
    uint32_t codepoint = nilas_str_next_codepoint(lexer->text, &end);
    for (size_t i = 0; i < sizeof(other_spaces) / sizeof(other_spaces[0]); i++) {
        if (codepoint == other_spaces[i]) {
            return end - lexer->position;
        }
    }
    return 0;
}

// ---- comments -----------------------------------------------------------------------------------

/* To the end of the line; a backslash before the line feed carries the comment on. */
static void skip_line_comment(nilas_sql__lexer *lexer) {
    while (lexer->position < lexer->text.size) {
        char c = peek_char(lexer, 0);
        if (c == '\\' && peek_char(lexer, 1) == '\n') {
            lexer->position += 2;
        } else if (c == '\n' || c == '\r') {
            return;
        } else {
            lexer->position++;
        }
    }
}

static void skip_bracketed_comment(nilas_sql__lexer *lexer) {
    size_t nesting = 0;
    while (lexer->position < lexer->text.size) {
        char c = peek_char(lexer, 0);
        char next = peek_char(lexer, 1);
        if (c == '/' && next == '*' && peek_char(lexer, 2) != '+') {
            nesting++;
            lexer->position += 2;
        } else if (c == '*' && next == '/') {
            lexer->position += 2;
            if (--nesting == 0) {
                return;
            }
        } else {
            lexer->position++;
        }
    }
    lexer->unclosed_comment = true;
}

static void skip_hidden(nilas_sql__lexer *lexer) {
    for (;;) {
        size_t space = space_size(lexer);
        char c = peek_char(lexer, 0);
        char next = peek_char(lexer, 1);
        if (space > 0) {
            lexer->position += space;
        } else if (c == '-' && next == '-') {
            skip_line_comment(lexer);
        } else if (c == '/' && next == '*' && peek_char(lexer, 2) != '+') {
            skip_bracketed_comment(lexer);
        } else {
            return;
        }
    }
}

// ---- words and numbers --------------------------------------------------------------------------

static size_t word_size(const nilas_sql__lexer *lexer, bool letters_only) {
    size_t at = lexer->position;
    for (;;) {
        size_t letter = letter_size(lexer, at);
        char c = at < lexer->text.size ? lexer->text.data[at] : '\0';
        if (letter == 0 && (letters_only ? is_ascii_letter(c) : is_word_char(c))) {
            letter = 1;
        }
        if (letter == 0) {
            return at - lexer->position;
        }
        at += letter;
    }
}

/* "s3://bucket/…": letters, "://", then what a path may hold. 0 when the text is none. */
static size_t uri_size(const nilas_sql__lexer *lexer) {
    size_t size = word_size(lexer, true);
    if (size == 0 || peek_char(lexer, size) != ':' || peek_char(lexer, size + 1) != '/' ||
        peek_char(lexer, size + 2) != '/') {
        return 0;
    }
    size_t scheme = size + 3;
    size = scheme;
    for (;;) {
        char c = peek_char(lexer, size);
        size_t letter = letter_size(lexer, lexer->position + size);
        if (c != '\0' && (is_word_char(c) || strchr("/-.?=&#%", c) != NULL)) {
            letter = 1;
        }
        if (letter == 0) {
            return size > scheme ? size : 0;
        }
        size += letter;
    }
}

static size_t digits_at(const nilas_sql__lexer *lexer, size_t ahead) {
    size_t count = 0;
    while (is_digit(peek_char(lexer, ahead + count))) {
        count++;
    }
    return count;
}

/* "E", a sign, digits. */
static size_t exponent_at(const nilas_sql__lexer *lexer, size_t ahead) {
    if (upper(peek_char(lexer, ahead)) != 'E') {
        return 0;
    }
    size_t sign = peek_char(lexer, ahead + 1) == '+' || peek_char(lexer, ahead + 1) == '-';
    size_t digits = digits_at(lexer, ahead + 1 + sign);
    return digits > 0 ? 1 + sign + digits : 0;
}

static int number_suffix(const nilas_sql__lexer *lexer, size_t ahead, bool integer, size_t *size) {
    char c = upper(peek_char(lexer, ahead));
    *size = 1;
    if (c == 'F') {
        return TOKEN_FLOAT;
    }
    if (c == 'D') {
        return TOKEN_DOUBLE;
    }
    if (c == 'B' && upper(peek_char(lexer, ahead + 1)) == 'D') {
        *size = 2;
        return TOKEN_BIGDECIMAL;
    }
    if (integer && c == 'L') {
        return TOKEN_BIGINT;
    }
    if (integer && c == 'S') {
        return TOKEN_SMALLINT;
    }
    if (integer && c == 'Y') {
        return TOKEN_TINYINT;
    }
    *size = 0;
    return TOKEN_END;
}

typedef struct match {
    int kind;
    size_t size;
} match;

/* A number with a point: it must not run into a letter, a digit or an underscore. */
static match match_pointed(const nilas_sql__lexer *lexer) {
    size_t whole = digits_at(lexer, 0);
    size_t fraction = digits_at(lexer, whole + 1);
    if (peek_char(lexer, whole) != '.' || whole + fraction == 0) {
        return (match){0};
    }

    size_t digits = whole + 1 + fraction;
    size_t exponent = exponent_at(lexer, digits);
    size_t suffix;
    int kind = number_suffix(lexer, digits + exponent, false, &suffix);
    if (kind == TOKEN_END) {
        kind = exponent > 0 ? TOKEN_EXPONENT : TOKEN_DECIMAL;
    }
    size_t size = digits + exponent + suffix;
    return is_word_char(peek_char(lexer, size)) ? (match){0} : (match){kind, size};
}

static match match_integer(const nilas_sql__lexer *lexer) {
    size_t digits = digits_at(lexer, 0);
    if (digits == 0) {
        return (match){0};
    }
    size_t exponent = exponent_at(lexer, digits);
    size_t suffix;
    int kind = number_suffix(lexer, digits + exponent, exponent == 0, &suffix);
    if (kind == TOKEN_END) {
        kind = exponent > 0 ? TOKEN_EXPONENT : TOKEN_INTEGER;
    }
    return (match){kind, digits + exponent + suffix};
}

/* The longest of a number and a word; a number wins a tie: 1e5 is a number, 1e5x and 1a are
 * names. */
static match match_word(nilas_sql__lexer *lexer) {
    size_t size = word_size(lexer, false);
    match number = match_integer(lexer);
    match pointed = match_pointed(lexer);
    if (pointed.size > number.size) {
        number = pointed;
    }
    if (number.size >= size && number.size > 0) {
        return number;
    }

    size_t uri = uri_size(lexer);
    if (uri > size) {
        return (match){TOKEN_IDENTIFIER, uri};
    }
    nilas_keyword keyword = nilas_keyword_find(nilas_str_slice(lexer->text, lexer->position, size));
    bool nests = keyword == NILAS_KW_ARRAY || keyword == NILAS_KW_MAP || keyword == NILAS_KW_STRUCT;
    lexer->type_nesting += nests;
    return (match){keyword == NILAS_KEYWORD_NONE ? TOKEN_IDENTIFIER : (int)keyword, size};
}

// ---- quoted text --------------------------------------------------------------------------------

/* A quoted text with backslash escapes and doubled quotes; 0 when it never ends. */
static size_t quoted_size(const nilas_sql__lexer *lexer, char quote, bool backslash) {
    size_t size = 1;
    while (lexer->position + size < lexer->text.size) {
        char c = peek_char(lexer, size);
        if (c == quote && peek_char(lexer, size + 1) != quote) {
            return size + 1;
        }
        bool pair = c == quote || (c == '\\' && backslash);
        size += pair ? 2 : 1;
    }
    return 0;
}

static size_t raw_size(const nilas_sql__lexer *lexer) {
    char quote = peek_char(lexer, 1);
    if (upper(peek_char(lexer, 0)) != 'R' || (quote != '\'' && quote != '"')) {
        return 0;
    }
    for (size_t size = 2; lexer->position + size < lexer->text.size; size++) {
        if (peek_char(lexer, size) == quote) {
            return size + 1;
        }
    }
    return 0;
}

static match match_quoted(const nilas_sql__lexer *lexer) {
    char quote = peek_char(lexer, 0);
    switch (quote) {
    case '\'': return (match){TOKEN_STRING, quoted_size(lexer, quote, true)};
    case '"': return (match){TOKEN_DOUBLE_QUOTED, quoted_size(lexer, quote, true)};
    default: return (match){TOKEN_QUOTED, quoted_size(lexer, quote, false)};
    }
}

// ---- symbols ------------------------------------------------------------------------------------

static const struct {
    const char *text;
    int kind;
} symbols[] = {
    // longest first
    {">>>", TOKEN_SHIFT_RIGHT_UNSIGNED},
    {"<=>", TOKEN_NULL_SAFE_EQ},
    {"/*+", TOKEN_HINT_START},
    {"==", TOKEN_EQ},
    {"<>", TOKEN_NOT_EQ},
    {"!=", TOKEN_NOT_EQ},
    {"<=", TOKEN_LT_EQ},
    {"!>", TOKEN_LT_EQ},
    {">=", TOKEN_GT_EQ},
    {"!<", TOKEN_GT_EQ},
    {"<<", TOKEN_SHIFT_LEFT},
    {">>", TOKEN_SHIFT_RIGHT},
    {"||", TOKEN_CONCAT},
    {"|>", TOKEN_PIPE_OPERATOR},
    {"::", TOKEN_DOUBLE_COLON},
    {"->", TOKEN_ARROW},
    {"=>", TOKEN_FAT_ARROW},
    {"*/", TOKEN_HINT_END},
    {";", TOKEN_SEMICOLON},
    {"(", TOKEN_LEFT_PAREN},
    {")", TOKEN_RIGHT_PAREN},
    {",", TOKEN_COMMA},
    {".", TOKEN_DOT},
    {"[", TOKEN_LEFT_BRACKET},
    {"]", TOKEN_RIGHT_BRACKET},
    {"!", TOKEN_BANG},
    {"=", TOKEN_EQ},
    {"<", TOKEN_LT},
    {">", TOKEN_GT},
    {"+", TOKEN_PLUS},
    {"-", TOKEN_MINUS},
    {"*", TOKEN_ASTERISK},
    {"/", TOKEN_SLASH},
    {"%", TOKEN_PERCENT},
    {"~", TOKEN_TILDE},
    {"&", TOKEN_AMPERSAND},
    {"|", TOKEN_PIPE},
    {"^", TOKEN_HAT},
    {":", TOKEN_COLON},
    {"?", TOKEN_QUESTION},
};

static match match_symbol(nilas_sql__lexer *lexer) {
    nilas_str rest = nilas_str_slice(lexer->text, lexer->position, 3);
    for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
        bool shift =
            symbols[i].kind == TOKEN_SHIFT_RIGHT || symbols[i].kind == TOKEN_SHIFT_RIGHT_UNSIGNED;
        if ((shift && lexer->type_nesting > 0) ||
            !nilas_str_starts(rest, nilas_str_of(symbols[i].text))) {
            continue;
        }
        if (symbols[i].kind == TOKEN_GT && lexer->type_nesting > 0) {
            lexer->type_nesting--;
        }
        return (match){symbols[i].kind, strlen(symbols[i].text)};
    }
    return (match){TOKEN_UNRECOGNIZED, 0};
}

static match match_token(nilas_sql__lexer *lexer) {
    char c = peek_char(lexer, 0);
    if (c == '\'' || c == '"' || c == '`') {
        return match_quoted(lexer);
    }
    size_t raw = raw_size(lexer);
    if (raw > 0) {
        return (match){TOKEN_STRING, raw};
    }
    bool pointed = c == '.' && is_digit(peek_char(lexer, 1)) && match_pointed(lexer).size > 0;
    if (is_word_char(c) || letter_size(lexer, lexer->position) > 0 || pointed) {
        return match_word(lexer);
    }
    return match_symbol(lexer);
}

nilas_sql__token nilas_sql__next_token(nilas_sql__lexer *lexer) {
    skip_hidden(lexer);
    nilas_assert(lexer->position <= lexer->text.size);
    nilas_sql__token token = {.kind = TOKEN_END, .offset = (uint32_t)lexer->position};
    if (lexer->position == lexer->text.size) {
        return token;
    }

    match found = match_token(lexer);
    token.kind = (uint16_t)found.kind;
    if (found.size == 0) {
        token.kind = TOKEN_UNRECOGNIZED;
        token.unclosed = found.kind != TOKEN_UNRECOGNIZED;
        size_t end = lexer->position;
        nilas_str_next_codepoint(lexer->text, &end);
        found.size = end - lexer->position;
    }
    token.size = (uint32_t)found.size;
    lexer->position += found.size;
    return token;
}
