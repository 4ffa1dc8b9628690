/**
 * Keywords: one sorted table made from the list in keyword.h; the enumeration is in the table's
 * order.
 */
#include "tree/tree.h"

enum { RESERVED = 1 << 0, STRICT = 1 << 1 };

static const char *const spellings[] = {
#define NILAS_KEYWORD_SPELLING(word, flags) #word,
    NILAS_KEYWORDS(NILAS_KEYWORD_SPELLING, RESERVED, STRICT)
#undef NILAS_KEYWORD_SPELLING
};

static const uint8_t flags_of[] = {
#define NILAS_KEYWORD_FLAGS(word, flags) (uint8_t)(flags),
    NILAS_KEYWORDS(NILAS_KEYWORD_FLAGS, RESERVED, STRICT)
#undef NILAS_KEYWORD_FLAGS
};

#define KEYWORD_COUNT   (sizeof(spellings) / sizeof(spellings[0]))
#define LONGEST_KEYWORD 32

static int compare_word(const char *word, const char *spelling) {
    return strcmp(word, spelling);
}

nilas_keyword nilas_keyword_find(nilas_str word) {
    char upper[LONGEST_KEYWORD];
    if (word.size == 0 || word.size >= sizeof(upper)) {
        return NILAS_KEYWORD_NONE;
    }

    for (size_t i = 0; i < word.size; i++) {
        char c = word.data[i];
        upper[i] = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
    }
    upper[word.size] = '\0';

    size_t low = 0;
    size_t high = KEYWORD_COUNT;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = compare_word(upper, spellings[middle]);
        if (order == 0) {
            return (nilas_keyword)(middle + 1);
        }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    if (strcmp(upper, "REGEXP") == 0) {
        return NILAS_KW_RLIKE;
    }
    return strcmp(upper, "TEMP") == 0 ? NILAS_KW_TEMPORARY : NILAS_KEYWORD_NONE;
}

const char *nilas_keyword_text(nilas_keyword keyword) {
    nilas_assert(keyword < NILAS_KEYWORD_END);
    return keyword == NILAS_KEYWORD_NONE ? "" : spellings[keyword - 1];
}

bool nilas_keyword_is_reserved(nilas_keyword keyword) {
    nilas_assert(keyword < NILAS_KEYWORD_END);
    return keyword != NILAS_KEYWORD_NONE && (flags_of[keyword - 1] & RESERVED) != 0;
}

bool nilas_keyword_is_strict(nilas_keyword keyword) {
    nilas_assert(keyword < NILAS_KEYWORD_END);
    return keyword != NILAS_KEYWORD_NONE && (flags_of[keyword - 1] & STRICT) != 0;
}

const char *const *nilas_keyword_list(size_t *out_count) {
    *out_count = KEYWORD_COUNT;
    return spellings;
}
