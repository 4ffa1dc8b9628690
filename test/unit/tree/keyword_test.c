#include "test.h"
#include "tree/tree.h"

NILAS_TEST(every_keyword_is_found_by_its_spelling) {
    size_t count;
    const char *const *words = nilas_keyword_list(&count);
    for (size_t i = 0; i < count; i++) {
        nilas_keyword keyword = nilas_keyword_find(nilas_str_of(words[i]));
        CHECK_INT(keyword, i + 1);
        CHECK_TEXT(nilas_keyword_text(keyword), words[i]);
    }
}

NILAS_TEST(case_does_not_matter_and_other_words_are_none) {
    CHECK_INT(nilas_keyword_find(NILAS_STR("sElEcT")), NILAS_KW_SELECT);
    CHECK_INT(nilas_keyword_find(NILAS_STR("regexp")), NILAS_KW_RLIKE);
    CHECK_INT(nilas_keyword_find(NILAS_STR("temp")), NILAS_KW_TEMPORARY);
    CHECK_INT(nilas_keyword_find(NILAS_STR("x")), NILAS_KW_X);
    CHECK_INT(nilas_keyword_find(NILAS_STR("selects")), NILAS_KEYWORD_NONE);
    CHECK_INT(nilas_keyword_find(NILAS_STR("")), NILAS_KEYWORD_NONE);
}

NILAS_TEST(few_words_are_reserved) {
    CHECK(nilas_keyword_is_reserved(NILAS_KW_SELECT));
    CHECK(!nilas_keyword_is_reserved(NILAS_KW_DATE));
    CHECK(nilas_keyword_is_strict(NILAS_KW_LEFT));
    CHECK(!nilas_keyword_is_strict(NILAS_KW_SELECT));
}
