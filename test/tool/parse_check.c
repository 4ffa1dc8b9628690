/**
 * Parses statements and says of each what became of it: reads them from standard input, each ended
 * by a NUL byte, and prints
 * one line each:
 *
 *     ok            it parses, and what is printed of it parses to an equal tree
 *     unsupported   the same, and it is one that is refused by name
 *     refused       an error: condition, tab, message
 *     unequal       the printed text does not parse, or to another tree: the text
 *
 * Options: --ansi-reserved, --double-quoted, --escaped. Built and used by
 * tools/spark_sql_inputs.py.
 */
#include <stdio.h>
#include <stdlib.h>

#include "sql/sql.h"

static void print_line(const char *word, nilas_str text) {
    printf("%s\t", word);
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        putchar(c == '\n' || c == '\r' || c == '\t' ? ' ' : c);
    }
    putchar('\n');
}

static void check_print(nilas_arena *arena, const nilas_statement *statement,
                        const nilas_sql_options *options) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    nilas_error err = NILAS_ERROR_INIT;
    nilas_statement *again;
    nilas_sql_options plain = {.ansi_reserved = options->ansi_reserved};
    nilas_statement_print(&text, statement);
    nilas_code code = nilas_sql_parse(arena, nilas_buf_view(&text), &plain, &again, &err);
    if (code != NILAS_OK || !nilas_statement_equal(statement, again)) {
        nilas_buf_print(&text, " -- %s", code == NILAS_OK ? "other tree" : err.message);
        print_line("unequal", nilas_buf_view(&text));
        return;
    }
    bool unsupported = statement->kind == NILAS_STATEMENT_UNSUPPORTED;
    print_line(unsupported ? "unsupported" : "ok",
               unsupported ? statement->value : nilas_buf_view(&text));
}

static void check(nilas_str text, const nilas_sql_options *options) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_error err = NILAS_ERROR_INIT;
    nilas_statement *statement;
    if (nilas_sql_parse(arena, text, options, &statement, &err) == NILAS_OK) {
        check_print(arena, statement, options);
        return;
    }
    NILAS_AUTO_BUF line = NILAS_BUF_INIT(0);
    nilas_buf_print(&line, "%s\x1f%s", err.condition != NULL ? err.condition : "", err.message);
    print_line("refused", nilas_buf_view(&line));
}

int main(int argc, char **argv) {
    nilas_sql_options options = {0};
    for (int i = 1; i < argc; i++) {
        options.ansi_reserved |= strcmp(argv[i], "--ansi-reserved") == 0;
        options.double_quoted_identifiers |= strcmp(argv[i], "--double-quoted") == 0;
        options.escaped_string_literals |= strcmp(argv[i], "--escaped") == 0;
    }

    NILAS_AUTO_BUF input = NILAS_BUF_INIT(0);
    char block[65536];
    size_t size;
    while ((size = fread(block, 1, sizeof(block), stdin)) > 0) {
        nilas_buf_add_bytes(&input, block, size);
    }
    nilas_str rest = nilas_buf_view(&input);
    while (rest.size > 0) {
        const char *end = memchr(rest.data, '\0', rest.size);
        size_t length = end != NULL ? (size_t)(end - rest.data) : rest.size;
        check(nilas_str_slice(rest, 0, length), &options);
        fflush(stdout);
        rest = nilas_str_slice(rest, length + 1, SIZE_MAX);
    }
    return 0;
}
