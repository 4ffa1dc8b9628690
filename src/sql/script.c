/** BEGIN … END: SQL scripts are recognized by their blocks and refused by name. */
#include "sql/statement.h"

nilas_code nilas_sql__script(nilas_sql__parser *p, nilas_statement **out) {
    NILAS_TRY(nilas_sql__unsupported(p, "SQL scripting", out));
    int nesting = 0;
    int previous = TOKEN_SEMICOLON;
    do {
        int kind = nilas_sql__peek(p, 0);
        nesting += nilas_sql__block_nesting(kind, previous);
        previous = kind;
        p->position++;
    } while (nesting > 0 && !nilas_sql__at(p, TOKEN_END));
    return nesting == 0 ? NILAS_OK : nilas_sql__unexpected(p);
}
