/**
 * SQL text: any bytes give a tree or an error with a message, and what a tree prints as reads back
 * to an equal tree. The first statement that nilas_sql_split() finds ends inside the text.
 */
#include "sql/sql.h"

#define MEMORY_BYTES (256UL << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_law(nilas_arena *arena, const nilas_statement *statement,
                      const nilas_sql_options *options) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(64 << 20);
    nilas_error err = NILAS_ERROR_INIT;
    nilas_statement *again;
    nilas_sql_options plain = {.ansi_reserved = options->ansi_reserved};
    nilas_statement_print(&text, statement);
    nilas_code code = nilas_sql_parse(arena, nilas_buf_view(&text), &plain, &again, &err);
    if (code == NILAS_LIMIT || code == NILAS_NOMEM) {
        return; // the printed text is longer, and may nest deeper
    }
    nilas_assert(code == NILAS_OK);
    nilas_assert(nilas_statement_equal(statement, again));
}

static void try_statement(nilas_str text, const nilas_sql_options *options) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, MEMORY_BYTES);
    nilas_error err = NILAS_ERROR_INIT;
    nilas_statement *statement;
    nilas_code code = nilas_sql_parse(arena, text, options, &statement, &err);
    if (code == NILAS_OK) {
        check_law(arena, statement, options);
    } else {
        nilas_assert(err.message[0] != '\0');
        nilas_assert(err.sql_offset >= -1 && err.sql_offset <= (int32_t)text.size);
    }
}

static void try_other_entries(nilas_str text) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, MEMORY_BYTES);
    nilas_error err = NILAS_ERROR_INIT;
    const nilas_type *type;
    nilas_expr *expr;
    nilas_str *parts;
    size_t count;
    (void)!nilas_sql_parse_type(arena, text, &type, &err);
    (void)!nilas_sql_parse_expr(arena, text, NULL, &expr, &err);
    (void)!nilas_sql_parse_name(arena, text, &parts, &count, &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    nilas_str text = {.data = (const char *)data, .size = size};
    size_t end = 0;
    bool complete;
    if (nilas_sql_split(text, &end, &complete)) {
        nilas_assert(end > 0 && end <= size);
    }
    nilas_sql_options plain = {0};
    nilas_sql_options ansi = {.ansi_reserved = true, .double_quoted_identifiers = true};
    try_statement(text, &plain);
    try_statement(text, &ansi);
    try_other_entries(text);
    return 0;
}
