/** Where a statement ends in a text of several: at its semicolon, outside strings, comments and
 *  BEGIN … END blocks. */
#include "sql/sql.h"
#include "sql/token.h"

int nilas_sql__block_nesting(int kind, int previous) {
    bool begins =
        previous == TOKEN_SEMICOLON || previous == NILAS_KW_THEN || previous == NILAS_KW_ELSE ||
        previous == NILAS_KW_DO || previous == NILAS_KW_BEGIN || previous == NILAS_KW_LOOP ||
        previous == NILAS_KW_REPEAT || previous == TOKEN_COLON || previous == NILAS_KW_ATOMIC;
    switch (kind) {
    case NILAS_KW_BEGIN: return 1;
    case NILAS_KW_END: return -1;
    case NILAS_KW_CASE: return previous != NILAS_KW_END;
    case NILAS_KW_IF:
    case NILAS_KW_WHILE:
    case NILAS_KW_FOR:
    case NILAS_KW_LOOP:
    case NILAS_KW_REPEAT: return begins;
    default: return 0;
    }
}

bool nilas_sql_split(nilas_str text, size_t *out_end, bool *complete_at_end) {
    nilas_sql__lexer lexer = {.text = text};
    int nesting = 0;
    int previous = TOKEN_SEMICOLON;
    bool script = false;
    bool unclosed = false;
    for (size_t count = 0;; count++) {
        nilas_sql__token token = nilas_sql__next_token(&lexer);
        unclosed = unclosed || token.unclosed;
        if (token.kind == TOKEN_END || unclosed) {
            *complete_at_end = !unclosed && !lexer.unclosed_comment && nesting <= 0;
            return false;
        }
        script = script || (count == 0 && token.kind == NILAS_KW_BEGIN);
        nesting += script ? nilas_sql__block_nesting(token.kind, previous) : 0;
        if (token.kind == TOKEN_SEMICOLON && nesting <= 0) {
            *out_end = token.offset + token.size;
            return true;
        }
        previous = token.kind;
    }
}
