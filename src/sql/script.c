/** BEGIN … END: SQL scripts are recognized by their blocks and refused by name. */
#include "sql/statement.h"

/* Whether the word opens a block that an END closes. IF is also a function, CASE also an
 * expression: both close with END. */
static int nesting_of(const nilas_sql__parser *p, size_t at) {
    int before = at > 0 ? p->tokens[at - 1].kind : TOKEN_END;
    bool begins = before == TOKEN_SEMICOLON || before == NILAS_KW_THEN || before == NILAS_KW_ELSE ||
                  before == NILAS_KW_DO || before == NILAS_KW_BEGIN || before == NILAS_KW_LOOP ||
                  before == NILAS_KW_REPEAT || before == TOKEN_COLON || before == TOKEN_END ||
                  before == NILAS_KW_ATOMIC;
    switch (p->tokens[at].kind) {
    case NILAS_KW_CASE: return before != NILAS_KW_END;
    case NILAS_KW_BEGIN: return 1;
    case NILAS_KW_IF:
    case NILAS_KW_WHILE:
    case NILAS_KW_FOR:
    case NILAS_KW_LOOP:
    case NILAS_KW_REPEAT: return begins && before != NILAS_KW_END;
    case NILAS_KW_END: return -1;
    default: return 0;
    }
}

nilas_code nilas_sql__script(nilas_sql__parser *p, nilas_statement **out) {
    NILAS_TRY(nilas_sql__unsupported(p, "SQL scripting", out));
    int nesting = 0;
    do {
        nesting += nesting_of(p, p->position);
        p->position++;
    } while (nesting > 0 && !nilas_sql__at(p, TOKEN_END));
    return nesting == 0 ? NILAS_OK : nilas_sql__unexpected(p);
}
