#include "sql_sample.h"

/* parse(print(parse(x))) == parse(x), for every statement of corpus/. */

static nilas_code read_file(nilas_arena *arena, const char *path, nilas_str *out,
                            nilas_error *err) {
    FILE *file = fopen(path, "rb");
    NILAS_REQUIRE(file != NULL, err, NILAS_NOT_FOUND, "no file %s", path);
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    char block[4096];
    size_t size;
    while ((size = fread(block, 1, sizeof(block), file)) > 0) {
        nilas_buf_add_bytes(&text, block, size);
    }
    fclose(file);
    return nilas_buf_finish(&text, arena, out, err);
}

static void check_law(nilas_arena *arena, nilas_str text) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_statement *once;
    nilas_statement *twice;
    if (nilas_sql_parse(arena, text, NULL, &once, &err) != NILAS_OK) {
        NILAS_TEST_FAIL("%.*s: %s", NILAS_FMT(text), err.message);
        return;
    }
    NILAS_AUTO_BUF printed = NILAS_BUF_INIT(0);
    nilas_statement_print(&printed, once);
    nilas_str view = nilas_buf_view(&printed);
    if (nilas_sql_parse(arena, view, NULL, &twice, &err) != NILAS_OK) {
        NILAS_TEST_FAIL("%.*s\n    printed as %.*s: %s", NILAS_FMT(text), NILAS_FMT(view),
                        err.message);
    } else if (!nilas_statement_equal(once, twice)) {
        NILAS_TEST_FAIL("%.*s\n    printed as another tree: %.*s", NILAS_FMT(text),
                        NILAS_FMT(view));
    }
}

static void check_corpus(const char *name) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_error err = NILAS_ERROR_INIT;
    char path[500];
    nilas_str rest;
    size_t end;
    bool complete;
    int count = 0;
    int folder = (int)(strrchr(TEST_DATA, '/') - TEST_DATA); // beside test/data
    snprintf(path, sizeof(path), "%.*s/unit/sql/corpus/%s", folder, TEST_DATA, name);
    REQUIRE_OK(read_file(arena, path, &rest, &err), err);
    while (nilas_sql_split(rest, &end, &complete)) {
        check_law(arena, nilas_str_slice(rest, 0, end));
        rest = nilas_str_slice(rest, end, SIZE_MAX);
        count++;
    }
    CHECK(complete);
    CHECK(count > 10);
}

NILAS_TEST(expressions_print_and_read_back_equal) {
    check_corpus("expressions.sql");
}

NILAS_TEST(queries_print_and_read_back_equal) {
    check_corpus("queries.sql");
}

NILAS_TEST(statements_print_and_read_back_equal) {
    check_corpus("statements.sql");
}

NILAS_TEST(iceberg_statements_print_and_read_back_equal) {
    check_corpus("iceberg.sql");
}
