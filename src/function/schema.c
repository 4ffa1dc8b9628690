/**
 * A small parser of types, for schemas that stand in string constants. The SQL parser is a room
 * that this one may not know; the grammar here is only that of types and column lists.
 */
#include "function/schema.h"

typedef struct scanner {
    nilas_arena *arena;
    nilas_str text;
    size_t at;
    int depth;
    bool bad;
    nilas_error *err;
} scanner;

static nilas_code parse_type(scanner *s, const nilas_type **out);

static void skip_blanks(scanner *s) {
    while (s->at < s->text.size && (unsigned char)s->text.data[s->at] <= ' ') {
        s->at++;
    }
}

static bool take(scanner *s, char c) {
    skip_blanks(s);
    if (s->at < s->text.size && s->text.data[s->at] == c) {
        s->at++;
        return true;
    }
    return false;
}

static bool is_name_byte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (unsigned char)c >= 0x80;
}

/** A word, or text in backticks. */
static nilas_str take_name(scanner *s) {
    skip_blanks(s);
    if (take(s, '`')) {
        size_t start = s->at;
        while (s->at < s->text.size && s->text.data[s->at] != '`') {
            s->at++;
        }
        nilas_str name = nilas_str_slice(s->text, start, s->at - start);
        s->bad = s->bad || !take(s, '`');
        return name;
    }
    size_t start = s->at;
    while (s->at < s->text.size && is_name_byte(s->text.data[s->at])) {
        s->at++;
    }
    return nilas_str_slice(s->text, start, s->at - start);
}

static bool take_word(scanner *s, const char *word) {
    size_t before = s->at;
    if (nilas_str_is_nocase(take_name(s), word)) {
        return true;
    }
    s->at = before;
    return false;
}

static int32_t take_number(scanner *s) {
    int64_t number = -1;
    nilas_str digits = take_name(s);
    if (!nilas_str_to_int64(digits, &number) || number < 0 || number > 255) {
        s->bad = true;
    }
    return (int32_t)number;
}

/** name [:] type [NOT NULL] [COMMENT '…'], separated by commas, up to `end` ('\0': the end of the
 *  text). */
static nilas_code parse_fields(scanner *s, char end, const nilas_type **out) {
    NILAS_ARRAY_OF(nilas_type_field) fields = {0};
    while (!s->bad) {
        nilas_type_field field = {.nullable = true};
        NILAS_TRY(nilas_str_copy(s->arena, take_name(s), &field.name, s->err));
        (void)take(s, ':');
        NILAS_TRY(parse_type(s, &field.type));
        if (take_word(s, "not")) {
            s->bad = s->bad || !take_word(s, "null");
            field.nullable = false;
        }
        if (s->bad || field.name.size == 0) {
            s->bad = true;
            return NILAS_OK;
        }
        NILAS_PUSH(s->arena, &fields, field, s->err);
        if (!take(s, ',')) {
            break;
        }
    }
    skip_blanks(s);
    bool ended = end == '\0' ? s->at == s->text.size : take(s, end);
    s->bad = s->bad || !ended;
    return s->bad ? NILAS_OK : nilas_type_struct(s->arena, fields.items, fields.count, out, s->err);
}

static nilas_code parse_nested(scanner *s, nilas_str word, const nilas_type **out) {
    const nilas_type *first, *second;
    if (nilas_str_is_nocase(word, "struct")) {
        return take(s, '>') ? nilas_type_struct(s->arena, NULL, 0, out, s->err)
                            : parse_fields(s, '>', out);
    }
    NILAS_TRY(parse_type(s, &first));
    if (nilas_str_is_nocase(word, "array")) {
        s->bad = s->bad || !take(s, '>');
        return s->bad ? NILAS_OK : nilas_type_array(s->arena, first, true, out, s->err);
    }
    s->bad = s->bad || !nilas_str_is_nocase(word, "map") || !take(s, ',');
    if (s->bad) {
        return NILAS_OK;
    }
    NILAS_TRY(parse_type(s, &second));
    s->bad = s->bad || !take(s, '>');
    return s->bad ? NILAS_OK : nilas_type_map(s->arena, first, second, true, out, s->err);
}

static const struct {
    const char *word;
    nilas_type_kind kind;
} words[] = {
    {"boolean", NILAS_TYPE_BOOLEAN},
    {"tinyint", NILAS_TYPE_TINYINT},
    {"byte", NILAS_TYPE_TINYINT},
    {"smallint", NILAS_TYPE_SMALLINT},
    {"short", NILAS_TYPE_SMALLINT},
    {"int", NILAS_TYPE_INT},
    {"integer", NILAS_TYPE_INT},
    {"bigint", NILAS_TYPE_BIGINT},
    {"long", NILAS_TYPE_BIGINT},
    {"float", NILAS_TYPE_FLOAT},
    {"real", NILAS_TYPE_FLOAT},
    {"double", NILAS_TYPE_DOUBLE},
    {"string", NILAS_TYPE_STRING},
    {"binary", NILAS_TYPE_BINARY},
    {"date", NILAS_TYPE_DATE},
    {"timestamp", NILAS_TYPE_TIMESTAMP},
    {"timestamp_ltz", NILAS_TYPE_TIMESTAMP},
    {"timestamp_ntz", NILAS_TYPE_TIMESTAMP_NTZ},
    {"variant", NILAS_TYPE_VARIANT},
    {"void", NILAS_TYPE_VOID},
    {"interval", NILAS_TYPE_INTERVAL},
};

static nilas_code parse_decimal(scanner *s, const nilas_type **out) {
    int32_t precision = 10, scale = 0;
    if (take(s, '(')) {
        precision = take_number(s);
        scale = take(s, ',') ? take_number(s) : 0;
        s->bad = s->bad || !take(s, ')') || precision > 38 || scale > precision;
    }
    return s->bad ? NILAS_OK : nilas_type_decimal(s->arena, precision, scale, out, s->err);
}

static nilas_code parse_type(scanner *s, const nilas_type **out) {
    *out = NULL;
    nilas_str word = take_name(s);
    if (++s->depth > NILAS_LIMIT_TYPE_DEPTH) {
        s->bad = true;
        return NILAS_OK;
    }
    if (take(s, '<')) {
        NILAS_TRY(parse_nested(s, word, out));
    } else if (nilas_str_is_nocase(word, "decimal") || nilas_str_is_nocase(word, "dec") ||
               nilas_str_is_nocase(word, "numeric")) {
        NILAS_TRY(parse_decimal(s, out));
    } else {
        for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
            if (nilas_str_is_nocase(word, words[i].word)) {
                *out = nilas_type_of(words[i].kind);
            }
        }
        if ((nilas_str_is_nocase(word, "char") || nilas_str_is_nocase(word, "varchar")) &&
            take(s, '(')) {
            (void)take_number(s);
            *out = take(s, ')') ? nilas_type_of(NILAS_TYPE_STRING) : NULL;
        }
    }
    s->depth--;
    s->bad = s->bad || *out == NULL;
    return NILAS_OK;
}

nilas_code nilas_function__parse_schema(nilas_arena *arena, nilas_str text, const nilas_type **out,
                                        nilas_error *err) {
    scanner s = {.arena = arena, .text = text, .err = err};
    const nilas_type *type = NULL;
    NILAS_TRY(parse_type(&s, &type));
    skip_blanks(&s);
    if (s.bad || s.at != text.size) {
        s = (scanner){.arena = arena, .text = text, .err = err};
        NILAS_TRY(parse_fields(&s, '\0', &type));
    }
    *out = s.bad ? NULL : type;
    return NILAS_OK;
}
