/** Words and patterns: LIKE, regular expressions of Java said for RE2, distances, sounds. */
#include "engine/udf_row.h"

/* --- LIKE --- */

/** One element of a pattern: "%", "_" or a byte; an escaped one is a byte. */
typedef struct like_part {
    char byte;
    bool any, one; // % and _
    size_t size;   // bytes of the pattern; 0 at its end
} like_part;

static like_part read_part(nilas_str pattern, size_t at, char escape) {
    if (at >= pattern.size) {
        return (like_part){0};
    }
    if (pattern.data[at] == escape && at + 1 < pattern.size) {
        return (like_part){.byte = pattern.data[at + 1], .size = 2};
    }
    char c = pattern.data[at];
    return (like_part){.byte = c, .any = c == '%', .one = c == '_', .size = 1};
}

/** Match with % and _ and the escape character; both are UTF-8, `_` takes a code point. */
static bool like_matches(nilas_str text, nilas_str pattern, char escape) {
    size_t t = 0, p = 0, star = SIZE_MAX, mark = 0;
    while (t < text.size) {
        like_part part = read_part(pattern, p, escape);
        if (part.any) {
            star = p++;
            mark = t;
        } else if (part.one) {
            (void)nilas_str_next_codepoint(text, &t);
            p++;
        } else if (part.size > 0 && text.data[t] == part.byte) {
            t++;
            p += part.size;
        } else if (star != SIZE_MAX) {
            p = star + 1;
            (void)nilas_str_next_codepoint(text, &mark);
            t = mark;
        } else {
            return false;
        }
    }
    while (read_part(pattern, p, escape).any) {
        p++;
    }
    return p == pattern.size;
}

/** The escape character may only stand before %, _ and itself. */
static bool check_escapes(nilas_row *row, nilas_str pattern, char escape) {
    for (size_t i = 0; i < pattern.size; i++) {
        if (pattern.data[i] != escape) {
            continue;
        }
        if (i + 1 == pattern.size) {
            nilas_row__fail(
                row, "INVALID_FORMAT.ESC_AT_THE_END",
                "The format is invalid: '%.*s'. The escape character is not allowed to end "
                "with.",
                NILAS_FMT(pattern));
            return false;
        }
        char next = pattern.data[++i];
        if (next != '%' && next != '_' && next != escape) {
            nilas_row__fail(row, "INVALID_FORMAT.ESC_IN_THE_MIDDLE",
                            "The format is invalid: '%.*s'. The escape character is not allowed to "
                            "precede '%c'.",
                            NILAS_FMT(pattern), next);
            return false;
        }
    }
    return true;
}

static void like(nilas_row *row) {
    nilas_str pattern = nilas_row__text(row, 1);
    nilas_str escape = nilas_row__text(row, 2);
    if (escape.size != 1) {
        nilas_row__fail(row, "INVALID_ESCAPE_CHAR",
                        "`EscapeChar` should be a string literal of length one, but got \"%.*s\".",
                        NILAS_FMT(escape));
        return;
    }
    if (check_escapes(row, pattern, escape.data[0])) {
        nilas_row__set_boolean(row, like_matches(nilas_row__text(row, 0), pattern, escape.data[0]));
    }
}

/* --- regular expressions --- */

static const struct {
    const char *java, *re2;
} classes[] = {
    {"Lower", "a-z"},
    {"Upper", "A-Z"},
    {"ASCII", "\\x00-\\x7F"},
    {"Alpha", "a-zA-Z"},
    {"Digit", "0-9"},
    {"Alnum", "a-zA-Z0-9"},
    {"Punct", "!-/:-@\\[-`{-~"},
    {"Graph", "!-~"},
    {"Print", " -~"},
    {"Blank", " \\t"},
    {"Cntrl", "\\x00-\\x1F\\x7F"},
    {"XDigit", "0-9a-fA-F"},
    {"Space", " \\t\\n\\x0B\\f\\r"},
    {"IsAlphabetic", "\\pL"},
    {"IsDigit", "\\p{Nd}"},
    {"IsLetter", "\\pL"},
};

/** \p{Alpha} and its like; false: left as it is. */
static bool print_class(nilas_buf *out, nilas_str rest, bool in_set, bool negated, size_t *taken) {
    size_t end = nilas_str_find(rest, NILAS_STR("}"), 0);
    for (size_t i = 0; end != SIZE_MAX && i < sizeof(classes) / sizeof(classes[0]); i++) {
        if (nilas_str_is(nilas_str_slice(rest, 1, end - 1), classes[i].java) &&
            !(in_set && negated)) {
            nilas_buf_print(out, "%s%s%s%s", in_set ? "" : "[", negated ? "^" : "", classes[i].re2,
                            in_set ? "" : "]");
            *taken = end + 1;
            return true;
        }
    }
    return false;
}

/** What stands behind a backslash at `at`; returns the position after it. */
static size_t print_escape(nilas_buf *out, nilas_str pattern, size_t at, bool in_set) {
    char c = pattern.data[at];
    nilas_str rest = nilas_str_slice(pattern, at + 1, pattern.size);
    size_t taken = 0;
    if (c == 'u' && rest.size >= 4) {
        nilas_buf_print(out, "\\x{%.4s}", rest.data);
        return at + 5;
    }
    if ((c == 'p' || c == 'P') && rest.size > 0 && rest.data[0] == '{' &&
        print_class(out, rest, in_set, c == 'P', &taken)) {
        return at + 1 + taken;
    }
    switch (c) {
    case 'h': nilas_buf_add_text(out, in_set ? " \\t" : "[ \\t]"); return at + 1;
    case 'R': nilas_buf_add_text(out, "(?:\\r\\n|[\\n\\r\\x0B\\f])"); return at + 1;
    case 'Z': nilas_buf_add_text(out, "\\n?\\z"); return at + 1;
    case 'e': nilas_buf_add_text(out, "\\x1B"); return at + 1;
    default:
        nilas_buf_add_char(out, '\\');
        nilas_buf_add_char(out, c);
        return at + 1;
    }
}

/** "(?=", "(?!", "(?<=", "(?<!" and "(?>": RE2 has none of them. "(?<name>" is not one. */
static bool is_look_around(nilas_str rest) {
    if (!nilas_str_starts(rest, NILAS_STR("(?")) || rest.size < 4) {
        return false;
    }
    char c = rest.data[2] == '<' ? rest.data[3] : rest.data[2];
    return c == '=' || c == '!' || (c == '>' && rest.data[2] == '>');
}

/** Spark's word for a bad pattern; DuckDB would tell it in its own. */
static void fail_pattern(nilas_row *row) {
    nilas_row__fail(row, "INVALID_PARAMETER_VALUE.PATTERN",
                    "The value of parameter(s) `regexp` in `%.*s` is invalid: '%.*s'.",
                    NILAS_FMT(nilas_row__text(row, 1)), NILAS_FMT(nilas_row__text(row, 0)));
}

/** Escapes of letters that Java does not know, and parentheses and brackets that do not close. */
static bool is_sound(nilas_str pattern) {
    int depth = 0;
    bool in_set = false;
    for (size_t i = 0; i < pattern.size && depth >= 0; i++) {
        char c = pattern.data[i];
        if (c == '\\') {
            char next = ++i < pattern.size ? pattern.data[i] : '\0';
            bool letter = (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z');
            if (next == '\0' ||
                (letter && strchr("tnrfaecdDhHsSvVwWbBAGZzRXkQEpPuxN", next) == NULL)) {
                return false;
            }
        } else if (in_set) {
            in_set = c != ']' || pattern.data[i - 1] == '[';
        } else {
            in_set = c == '[';
            depth += c == '(';
            depth -= c == ')';
        }
    }
    return depth == 0 && !in_set;
}

/** Whether a group that is counted opens at `at`; its name, if it has one. */
static bool opens_group(nilas_str pattern, size_t at, nilas_str *out_name) {
    nilas_str rest = nilas_str_slice(pattern, at, pattern.size);
    *out_name = NILAS_STR_EMPTY;
    if (!nilas_str_starts(rest, NILAS_STR("(?"))) {
        return true;
    }
    size_t end = nilas_str_find(rest, NILAS_STR(">"), 0);
    if (!nilas_str_starts(rest, NILAS_STR("(?<")) || is_look_around(rest) || end == SIZE_MAX) {
        return false;
    }
    *out_name = nilas_str_slice(rest, 3, end - 3);
    return true;
}

/** Groups of a sound pattern; *out_index is that of the group of a name, 0 when there is none. */
static int32_t count_groups(nilas_str pattern, nilas_str name, int32_t *out_index) {
    int32_t count = 0;
    bool in_set = false;
    nilas_str found;
    *out_index = 0;
    for (size_t i = 0; i < pattern.size; i++) {
        char c = pattern.data[i];
        if (c == '\\') {
            i++;
        } else if (in_set) {
            in_set = c != ']';
        } else if (c == '[') {
            in_set = true;
        } else if (c == '(' && opens_group(pattern, i, &found)) {
            count++;
            *out_index = name.size > 0 && nilas_str_equal(found, name) ? count : *out_index;
        }
    }
    return count;
}

/** What RE2 has not, in words; NULL: nothing at this place. */
static const char *unsupported_at(nilas_str rest, bool in_set) {
    if (in_set) {
        bool nested =
            nilas_str_starts(rest, NILAS_STR("[")) || nilas_str_starts(rest, NILAS_STR("&&"));
        return nested ? "classes in classes of characters" : NULL;
    }
    if (is_look_around(rest)) {
        return "look-around and atomic groups";
    }
    bool back = rest.size > 1 && rest.data[0] == '\\' && rest.data[1] >= '1' && rest.data[1] <= '9';
    return back || nilas_str_starts(rest, NILAS_STR("\\k<")) ? "references to groups" : NULL;
}

/** (pattern, name of the function that takes it) */
static void regex(nilas_row *row) {
    nilas_str pattern = nilas_row__text(row, 0);
    bool in_set = false;
    if (!is_sound(pattern)) {
        fail_pattern(row);
        return;
    }
    for (size_t at = 0; at < pattern.size;) {
        char c = pattern.data[at];
        nilas_str rest = nilas_str_slice(pattern, at, pattern.size);
        const char *unsupported = unsupported_at(rest, in_set);
        if (unsupported != NULL) {
            nilas_row__fail(row, "", "regular expression '%.*s': %s are not supported",
                            NILAS_FMT(pattern), unsupported);
            return;
        }
        if (c == '\\' && at + 1 < pattern.size) {
            at = print_escape(row->text, pattern, at + 1, in_set);
        } else if (!in_set && nilas_str_starts(rest, NILAS_STR("(?<"))) {
            nilas_buf_add_text(row->text, "(?P<");
            at += 3;
        } else {
            in_set = c == '[' || (in_set && c != ']');
            nilas_buf_add_char(row->text, c);
            at++;
        }
    }
    nilas_row__set_buffer(row);
}

/** (pattern, name, group, whether the text matches): a text that matches must have the group. */
static void regex_of_group(nilas_row *row) {
    nilas_str pattern = nilas_row__text(row, 0);
    int32_t wanted = nilas_row__int(row, 2);
    int32_t unused = 0;
    bool asks = is_sound(pattern) && nilas_row__boolean(row, 3);
    int32_t count = asks ? count_groups(pattern, NILAS_STR_EMPTY, &unused) : wanted;
    if (wanted < 0 || wanted > count) {
        nilas_row__fail(row, "INVALID_PARAMETER_VALUE.REGEX_GROUP_INDEX",
                        "The value of parameter(s) `idx` in `%.*s` is invalid: Expects group index "
                        "between 0 and %d, but got %d.",
                        NILAS_FMT(nilas_row__text(row, 1)), count, wanted);
        return;
    }
    regex(row);
}

/** ${name} of a replacement, by the pattern's groups. Returns the position behind it. */
static size_t replace_name(nilas_row *row, nilas_str text, size_t at) {
    size_t end = nilas_str_find(text, NILAS_STR("}"), at);
    nilas_str name =
        end == SIZE_MAX ? NILAS_STR_EMPTY : nilas_str_slice(text, at + 2, end - at - 2);
    int32_t index = 0;
    (void)count_groups(nilas_row__text(row, 1), name, &index);
    if (index == 0 || index > 9) {
        nilas_row__fail(row, "", "No group with name {%.*s}", NILAS_FMT(name));
        return text.size;
    }
    nilas_buf_print(row->text, "\\%d", index);
    return end + 1;
}

/** (replacement, pattern): Java's replacement ($1, ${name}, \$) as RE2's (\1). */
static void regex_replacement(nilas_row *row) {
    nilas_str text = nilas_row__text(row, 0);
    for (size_t i = 0; i < text.size;) {
        char c = text.data[i];
        char next = i + 1 < text.size ? text.data[i + 1] : '\0';
        if (c == '\\' && next != '\0') {
            nilas_buf_add_text(row->text, next == '\\' ? "\\\\" : "");
            nilas_buf_add_bytes(row->text, &next, next == '\\' ? 0 : 1);
            i += 2;
        } else if (c == '$' && next >= '0' && next <= '9') {
            nilas_buf_print(row->text, "\\%c", next);
            i += 2;
        } else if (c == '$' && next == '{') {
            i = replace_name(row, text, i);
        } else {
            nilas_buf_add_char(row->text, c);
            i++;
        }
    }
    if (!row->failed) {
        nilas_row__set_buffer(row);
    }
}

/* --- words --- */

static void upper(nilas_row *row) {
    nilas_buf_add_upper(row->text, nilas_row__text(row, 0));
    nilas_row__set_buffer(row);
}

static void lower(nilas_row *row) {
    nilas_buf_add_lower(row->text, nilas_row__text(row, 0));
    nilas_row__set_buffer(row);
}

/** A letter after a blank as at the head of a word, every other in lower case. */
static void initcap(nilas_row *row) {
    NILAS_AUTO_BUF lowered = NILAS_BUF_INIT(0);
    nilas_error err = NILAS_ERROR_INIT;
    nilas_buf_add_lower(&lowered, nilas_row__text(row, 0));
    if (nilas_buf_check(&lowered, &err) != NILAS_OK) {
        nilas_row__fail_with(row, &err);
        return;
    }
    nilas_str text = nilas_buf_view(&lowered);
    bool first = true;
    for (size_t at = 0; at < text.size;) {
        size_t start = at;
        uint32_t c = nilas_str_next_codepoint(text, &at);
        nilas_str letter = nilas_str_slice(text, start, at - start);
        if (first) {
            nilas_buf_add_title(row->text, letter);
        } else {
            nilas_buf_add(row->text, letter);
        }
        first = c == ' ';
    }
    nilas_row__set_buffer(row);
}

static bool is_word_letter(uint32_t c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (c >= 0x80 && c != 0xA0 && !(c >= 0x2000 && c <= 0x206F) && c != 0x3000 && c != 0x3002);
}

/** Whether a sentence ends before `at`: after ".", "!" or "?", where no small letter follows. */
static bool ends_sentence(nilas_str text, size_t at, char mark) {
    size_t next = at;
    while (next < text.size && (text.data[next] == ' ' || text.data[next] == '\n' ||
                                text.data[next] == '\t' || text.data[next] == '\r')) {
        next++;
    }
    bool small = next < text.size && text.data[next] >= 'a' && text.data[next] <= 'z';
    return mark != '.' ? next > at || next == text.size : next > at && !small;
}

/** Sentences of words, as JSON: [["Hi","there"],["Bye"]]. */
static void sentences(nilas_row *row) {
    nilas_str text = nilas_row__text(row, 0);
    size_t words = 0, count = 0;
    nilas_buf_add_char(row->text, '[');
    for (size_t at = 0; at < text.size;) {
        size_t start = at;
        size_t end = at;
        uint32_t c = nilas_str_next_codepoint(text, &at);
        while (is_word_letter(c) || (c == '\'' && end > start)) {
            end = at;
            c = at < text.size ? nilas_str_next_codepoint(text, &at) : 0;
        }
        if (end > start) {
            nilas_buf_add_text(row->text, words > 0 ? "," : count > 0 ? ",[" : "[");
            nilas_json_print_string(row->text, nilas_str_slice(text, start, end - start));
            words++;
        }
        bool mark = c == '.' || c == '!' || c == '?';
        if (mark && words > 0 && ends_sentence(text, at, (char)c)) {
            nilas_buf_add_char(row->text, ']');
            words = 0;
            count++;
        }
    }
    nilas_buf_add_text(row->text, words > 0 ? "]]" : "]");
    nilas_row__set_buffer(row);
}

static void soundex(nilas_row *row) {
    static const char codes[] =
        "01230127022455012623017202"; // of A … Z; 7: a letter that does not separate (H, W)
    nilas_str text = nilas_row__text(row, 0);
    char result[4] = {'0', '0', '0', '0'};
    if (text.size == 0 || !((text.data[0] | 32) >= 'a' && (text.data[0] | 32) <= 'z')) {
        nilas_row__set_text(row, text);
        return;
    }
    result[0] = (char)(text.data[0] & ~32);
    char last = codes[result[0] - 'A'];
    size_t count = 1;
    for (size_t i = 1; i < text.size && count < 4; i++) {
        char c = (char)(text.data[i] & ~32);
        if (c < 'A' || c > 'Z') {
            last = '0';
            continue;
        }
        char code = codes[c - 'A'];
        if (code == '7') {
            continue;
        }
        if (code != '0' && code != last) {
            result[count++] = code;
        }
        last = code;
    }
    nilas_row__set_text(row, (nilas_str){.data = result, .size = 4});
}

static void luhn_check(nilas_row *row) {
    nilas_str text = nilas_row__text(row, 0);
    int sum = 0;
    bool digits = text.size > 0;
    for (size_t i = 0; i < text.size && digits; i++) {
        int digit = text.data[text.size - 1 - i] - '0';
        digits = digit >= 0 && digit <= 9;
        int value = i % 2 == 1 ? digit * 2 : digit;
        sum += value > 9 ? value - 9 : value;
    }
    nilas_row__set_boolean(row, digits && sum % 10 == 0);
}

static uint32_t *codepoints_of(nilas_row *row, nilas_str text, size_t *out_count) {
    nilas_error err = NILAS_ERROR_INIT;
    void *memory = NULL;
    if (nilas_arena_alloc_array(row->scratch, text.size + 1, sizeof(uint32_t), &memory, &err) !=
        NILAS_OK) {
        nilas_row__fail_with(row, &err);
        return NULL;
    }
    uint32_t *codes = memory;
    size_t count = 0;
    for (size_t at = 0; at < text.size;) {
        codes[count++] = nilas_str_next_codepoint(text, &at);
    }
    *out_count = count;
    return codes;
}

/** levenshtein(a, b, limit): -1 when the distance is beyond a limit that is not negative. */
static void levenshtein(nilas_row *row) {
    size_t m = 0, n = 0;
    uint32_t *a = codepoints_of(row, nilas_row__text(row, 0), &m);
    uint32_t *b = a != NULL ? codepoints_of(row, nilas_row__text(row, 1), &n) : NULL;
    size_t unused = 0;
    uint32_t *line = b != NULL ? codepoints_of(row, nilas_row__text(row, 1), &unused) : NULL;
    int32_t limit = nilas_row__int(row, 2);
    if (line == NULL) {
        return;
    }
    for (size_t j = 0; j <= n; j++) {
        line[j] = (uint32_t)j;
    }
    for (size_t i = 1; i <= m; i++) {
        uint32_t diagonal = line[0];
        line[0] = (uint32_t)i;
        for (size_t j = 1; j <= n; j++) {
            uint32_t change = diagonal + (a[i - 1] != b[j - 1]);
            uint32_t step = (line[j] < line[j - 1] ? line[j] : line[j - 1]) + 1;
            diagonal = line[j];
            line[j] = change < step ? change : step;
        }
    }
    nilas_row__set_int(row, limit >= 0 && line[n] > (uint32_t)limit ? -1 : (int32_t)line[n]);
}

static uint32_t masked(uint32_t c, const nilas_str *letters, bool *out_kept) {
    size_t at = 0;
    size_t kind = c >= 'A' && c <= 'Z'   ? 0
                  : c >= 'a' && c <= 'z' ? 1
                  : c >= '0' && c <= '9' ? 2
                                         : 3;
    *out_kept = letters[kind].size == 0;
    return *out_kept ? c : nilas_str_next_codepoint(letters[kind], &at);
}

/** mask(text, upper, lower, digit, other): '' keeps the characters of that kind. */
static void mask(nilas_row *row) {
    nilas_str letters[4];
    nilas_str text = nilas_row__text(row, 0);
    for (size_t i = 0; i < 4; i++) {
        letters[i] = nilas_row__text(row, 1 + i);
    }
    for (size_t at = 0; at < text.size;) {
        bool kept;
        nilas_buf_add_codepoint(row->text,
                                masked(nilas_str_next_codepoint(text, &at), letters, &kept));
    }
    nilas_row__set_buffer(row);
}

static void quote(nilas_row *row) {
    nilas_str text = nilas_row__text(row, 0);
    nilas_buf_add_char(row->text, '\'');
    for (size_t i = 0; i < text.size; i++) {
        nilas_buf_add_text(row->text, text.data[i] == '\'' ? "\\" : "");
        nilas_buf_add_char(row->text, text.data[i]);
    }
    nilas_buf_add_char(row->text, '\'');
    nilas_row__set_buffer(row);
}

static void check_true(nilas_row *row) {
    if (nilas_row__is_null(row, 0) || !nilas_row__boolean(row, 0)) {
        nilas_str message =
            nilas_row__is_null(row, 1) ? NILAS_STR("null") : nilas_row__text(row, 1);
        nilas_row__fail(row, "USER_RAISED_EXCEPTION", "%.*s", NILAS_FMT(message));
        return;
    }
    nilas_row__set_null(row);
}

static void raise_error(nilas_row *row) {
    nilas_row__fail(row, "USER_RAISED_EXCEPTION", "%.*s", NILAS_FMT(nilas_row__text(row, 0)));
}

const nilas_udf nilas_engine__word_functions[] = {
    {"nilas_like", "sss>b", like, 0, 0},
    {"nilas_regex", "ss>s", regex, 0, 0},
    {"nilas_regex", "ssib>s", regex_of_group, 0, 0},
    {"nilas_regex_replacement", "ss>s", regex_replacement, 0, 0},
    {"nilas_initcap", "s>s", initcap, 0, 0},
    {"nilas_sentences", "s>s", sentences, 0, 0},
    {"nilas_upper", "s>s", upper, 0, 0},
    {"nilas_lower", "s>s", lower, 0, 0},
    {"nilas_soundex", "s>s", soundex, 0, 0},
    {"nilas_luhn_check", "s>b", luhn_check, 0, 0},
    {"nilas_levenshtein", "ssi>i", levenshtein, 0, 0},
    {"nilas_mask", "sssss>s", mask, 0, 0},
    {"nilas_quote", "s>s", quote, 0, 0},
    {"nilas_assert", "bs>i", check_true, NILAS_UDF_NULLS, 0},
    {"nilas_raise", "s>i", raise_error, 0, 0},
    {NULL, NULL, NULL, 0, 0},
};
