/*
 * Completion. The session lists names below a dotted prefix; here they are matched without case
 * against the word's last part, quoted where Spark needs it, and mixed with keywords in the case
 * of what is typed.
 */
#include "shell/complete.h"

#include <stdlib.h>

#define TABLE_LIMIT  8 // tables of a statement whose columns are offered
#define CHOICE_LIMIT 2000

typedef NILAS_ARRAY_OF(nilas_str) choices;

static bool is_word(char c) {
    return c == '_' || c == '.' || (c >= '0' && c <= '9') ||
           ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || (unsigned char)c >= 0x80;
}

size_t nilas_shell__word_start(nilas_str text) {
    size_t start = 0;
    bool quoted = false;

    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] == '`') {
            quoted = !quoted;
        } else if (!quoted && !is_word(text.data[i])) {
            start = i + 1;
        }
    }
    return start;
}

/** Behind the last dot that is not quoted. */
static size_t last_part_start(nilas_str word) {
    size_t start = 0;
    bool quoted = false;

    for (size_t i = 0; i < word.size; i++) {
        if (word.data[i] == '`') {
            quoted = !quoted;
        } else if (word.data[i] == '.' && !quoted) {
            start = i + 1;
        }
    }
    return start;
}

/** Keep a name, quoted where it must be, if it begins with what is typed. */
static nilas_code add_choice(nilas_arena *arena, nilas_str typed, nilas_str name, choices *found,
                             nilas_error *err) {
    bool typed_quote = typed.size > 0 && typed.data[0] == '`';
    bool named_quote = name.size > 0 && name.data[0] == '`';
    nilas_str plain = typed_quote ? nilas_str_slice(typed, 1, typed.size) : typed;

    if (!nilas_str_starts_nocase(named_quote ? nilas_str_slice(name, 1, name.size) : name, plain) ||
        name.size == 0 || found->count >= CHOICE_LIMIT) {
        return NILAS_OK;
    }
    if (typed_quote && !named_quote) {
        NILAS_TRY(nilas_str_print(arena, &name, err, "`%.*s`", NILAS_FMT(name)));
    }
    NILAS_PUSH(arena, found, name, err);
    return NILAS_OK;
}

/** Names of the session below a prefix that ends with a dot or is empty. */
static nilas_code add_names(nilas_arena *arena, nilas_session *session, nilas_str prefix,
                            nilas_str typed, choices *found, nilas_error *err) {
    nilas_str *names = NULL;
    size_t count = 0;

    nilas_session_complete(session, arena, prefix, &names, &count);
    for (size_t i = 0; i < count; i++) {
        nilas_str name = names[i];
        if (prefix.size > 0 && nilas_str_starts_nocase(name, prefix)) {
            name = nilas_str_slice(name, prefix.size, name.size);
        }
        NILAS_TRY(add_choice(arena, typed, name, found, err));
    }
    return NILAS_OK;
}

static nilas_code add_keywords(nilas_arena *arena, nilas_str typed, choices *found,
                               nilas_error *err) {
    size_t count;
    const char *const *keywords = nilas_sql_keywords(&count);
    char last = typed.size > 0 ? typed.data[typed.size - 1] : 'A';

    for (size_t i = 0; i < count; i++) {
        nilas_str keyword = nilas_str_of(keywords[i]);
        if (!nilas_str_starts_nocase(keyword, typed)) {
            continue;
        }
        if (last >= 'a' && last <= 'z') {
            NILAS_TRY(nilas_str_lower(arena, keyword, &keyword, err));
        }
        NILAS_PUSH(arena, found, keyword, err);
    }
    return NILAS_OK;
}

/** Move past the next word; an empty one at the end of the text. */
static nilas_str next_word(nilas_str *text) {
    size_t at = 0;
    bool quoted = false;

    while (at < text->size && !is_word(text->data[at]) && text->data[at] != '`') {
        at++;
    }
    size_t start = at;
    for (; at < text->size; at++) {
        if (text->data[at] == '`') {
            quoted = !quoted;
        } else if (!quoted && !is_word(text->data[at])) {
            break;
        }
    }
    nilas_str word = nilas_str_slice(*text, start, at - start);
    *text = nilas_str_slice(*text, at, text->size);
    return word;
}

/** Columns of the statement's tables. */
static nilas_code add_columns(nilas_arena *arena, nilas_session *session, nilas_str statement,
                              nilas_str typed, choices *found, nilas_error *err) {
    static const char *const before[] = {"FROM", "JOIN", "INTO", "UPDATE", "TABLE"};
    size_t tables = 0;

    while (statement.size > 0 && tables < TABLE_LIMIT) {
        nilas_str word = next_word(&statement);
        bool names_table = false;
        for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++) {
            names_table = names_table || nilas_str_is_nocase(word, before[i]);
        }
        nilas_str rest = statement;
        nilas_str table = names_table ? next_word(&rest) : NILAS_STR_EMPTY;
        if (table.size > 0) {
            nilas_str prefix;
            NILAS_TRY(nilas_str_print(arena, &prefix, err, "%.*s.", NILAS_FMT(table)));
            NILAS_TRY(add_names(arena, session, prefix, typed, found, err));
            tables++;
        }
    }
    return NILAS_OK;
}

static int compare(const void *a, const void *b) {
    return nilas_str_compare(*(const nilas_str *)a, *(const nilas_str *)b);
}

/** Sort, drop doubles, and find what all begin with. */
static void finish(choices *found, nilas_str typed, nilas_shell_completion *out) {
    qsort(found->items, found->count, sizeof(*found->items), compare);
    size_t kept = 0;
    for (size_t i = 0; i < found->count; i++) {
        if (kept == 0 || !nilas_str_equal(found->items[kept - 1], found->items[i])) {
            found->items[kept++] = found->items[i];
        }
    }
    out->choices = found->items;
    out->choice_count = kept;
    out->text = found->items[0];
    for (size_t i = 1; i < kept; i++) {
        size_t size = 0;
        while (size < out->text.size && size < found->items[i].size &&
               out->text.data[size] == found->items[i].data[size]) {
            size++;
        }
        out->text.size = size;
    }
    while (out->text.size > 0 && out->text.size < found->items[0].size &&
           ((unsigned char)found->items[0].data[out->text.size] & 0xC0) == 0x80) {
        out->text.size--; // not in the middle of a letter
    }
    if (out->text.size < typed.size) {
        out->text = typed;
    }
    out->replaced_bytes = typed.size;
}

nilas_code nilas_shell__complete(nilas_arena *arena, nilas_session *session, nilas_str text,
                                 nilas_shell_completion *out, nilas_error *err) {
    size_t start = nilas_shell__word_start(text);
    nilas_str word = nilas_str_slice(text, start, text.size);
    size_t part = last_part_start(word);
    nilas_str typed = nilas_str_slice(word, part, word.size);
    choices found = {0};

    *out = (nilas_shell_completion){.text = typed, .replaced_bytes = typed.size};
    NILAS_TRY(add_names(arena, session, nilas_str_slice(word, 0, part), typed, &found, err));
    if (part == 0 && word.size > 0) {
        NILAS_TRY(add_columns(arena, session, nilas_str_slice(text, 0, start), typed, &found, err));
        if (typed.data[0] != '`') {
            NILAS_TRY(add_keywords(arena, typed, &found, err));
        }
    }
    if (found.count > 0) {
        finish(&found, typed, out);
    }
    return NILAS_OK;
}
