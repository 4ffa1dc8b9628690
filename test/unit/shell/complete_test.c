#include "shell/complete.h"

#include "test.h"

static const char *word(const char *text) {
    return text + nilas_shell__word_start(nilas_str_of(text));
}

NILAS_TEST(a_word_has_dots_and_quoted_parts) {
    CHECK_TEXT(word("SELECT * FROM local.db.ta"), "local.db.ta");
    CHECK_TEXT(word("select(a"), "a");
    CHECK_TEXT(word("FROM `my cat`.`a b"), "`my cat`.`a b");
    CHECK_TEXT(word("SELECT "), "");
    CHECK_TEXT(word("x='é"), "é");
    CHECK_TEXT(word(""), "");
}
