/** Tokens of Spark SQL. Private to the room. */
#ifndef NILAS_SQL_TOKEN_H
#define NILAS_SQL_TOKEN_H

#include "tree/tree.h"

/** What a token is: a nilas_keyword, or one of these. */
enum nilas_sql__token_kind {
    TOKEN_END = NILAS_KEYWORD_END,
    TOKEN_IDENTIFIER,    // a word that is no keyword
    TOKEN_QUOTED,        // `name`
    TOKEN_STRING,        // '…', r'…', r"…"
    TOKEN_DOUBLE_QUOTED, // "…": a string, or a name when the options say so
    TOKEN_INTEGER,       // 1
    TOKEN_EXPONENT,      // 1e3
    TOKEN_DECIMAL,       // 1.5
    TOKEN_BIGINT,        // 1L
    TOKEN_SMALLINT,      // 1S
    TOKEN_TINYINT,       // 1Y
    TOKEN_FLOAT,         // 1F
    TOKEN_DOUBLE,        // 1D
    TOKEN_BIGDECIMAL,    // 1BD
    TOKEN_SEMICOLON,
    TOKEN_LEFT_PAREN,
    TOKEN_RIGHT_PAREN,
    TOKEN_COMMA,
    TOKEN_DOT,
    TOKEN_LEFT_BRACKET,
    TOKEN_RIGHT_BRACKET,
    TOKEN_BANG,
    TOKEN_EQ,
    TOKEN_NULL_SAFE_EQ,
    TOKEN_NOT_EQ, // <> and !=
    TOKEN_LT,
    TOKEN_LT_EQ,
    TOKEN_GT,
    TOKEN_GT_EQ,
    TOKEN_SHIFT_LEFT,
    TOKEN_SHIFT_RIGHT,
    TOKEN_SHIFT_RIGHT_UNSIGNED,
    TOKEN_PLUS,
    TOKEN_MINUS,
    TOKEN_ASTERISK,
    TOKEN_SLASH,
    TOKEN_PERCENT,
    TOKEN_TILDE,
    TOKEN_AMPERSAND,
    TOKEN_PIPE,
    TOKEN_CONCAT,
    TOKEN_PIPE_OPERATOR,
    TOKEN_HAT,
    TOKEN_COLON,
    TOKEN_DOUBLE_COLON,
    TOKEN_ARROW,
    TOKEN_FAT_ARROW,
    TOKEN_HINT_START,
    TOKEN_HINT_END,
    TOKEN_QUESTION,
    TOKEN_UNRECOGNIZED,
};

typedef struct nilas_sql__token {
    uint16_t kind;
    bool unclosed; // UNRECOGNIZED: begins a string that never ends
    uint32_t offset;
    uint32_t size;
} nilas_sql__token;

/** A cursor over text; also the only state of Spark's lexer: inside ARRAY<MAP<…>> ">>" is two
 *  tokens. */
typedef struct nilas_sql__lexer {
    nilas_str text;
    size_t position;
    int type_nesting;
    bool unclosed_comment;
} nilas_sql__lexer;

/** The next token; TOKEN_END at the end, then always. Skips white space and comments; never
 *  fails. */
nilas_sql__token nilas_sql__next_token(nilas_sql__lexer *lexer);

/** What a token adds to the nesting of a script, given the kind of the token before: BEGIN,
 *  IF, CASE … open, END closes. (IF is also a function, CASE an expression that END closes too.) */
int nilas_sql__block_nesting(int kind, int previous);

#endif
