/**
 * Signatures: "array<T>, (T,int?)=>U -> array<U>". A recursive descent over a text that is ours;
 * the grammar is in README.md.
 */
#include "function/signature.h"

typedef struct parser {
    nilas_arena *arena;
    const char *text, *at;
    nilas_error *err;
} parser;

static nilas_code parse_parameter(parser *p, nilas_pattern *out);
static nilas_code parse_alternatives(parser *p, nilas_pattern *out);

static nilas_code broken(parser *p, const char *expected) {
    return nilas_fail(p->err, NILAS_CORRUPT, "signature \"%s\": expected %s at \"%s\"", p->text,
                      expected, p->at);
}

static void skip_blanks(parser *p) {
    while (*p->at == ' ') {
        p->at++;
    }
}

static bool take(parser *p, const char *token) {
    skip_blanks(p);
    size_t size = strlen(token);
    if (strncmp(p->at, token, size) != 0) {
        return false;
    }
    p->at += size;
    return true;
}

nilas_code nilas_function__parse_signature(nilas_arena *arena, const char *text,
                                           nilas_signature *out, nilas_error *err) {
    parser p = {.arena = arena, .text = text, .at = text, .err = err};
    NILAS_ARRAY_OF(nilas_pattern) list = {0};
    nilas_signature signature = {0};
    while (!take(&p, "->")) {
        nilas_pattern parameter = {0};
        if (list.count > 0 && !take(&p, ",")) {
            return broken(&p, "\",\" or \"->\"");
        }
        NILAS_TRY(parse_parameter(&p, &parameter));
        NILAS_PUSH(arena, &list, parameter, err);
        signature.least += !parameter.optional && !parameter.variadic;
        signature.variadic = parameter.variadic;
    }
    signature.parameters = list.items;
    signature.count = list.count;
    if (take(&p, "@")) {
        signature.result.kind = NILAS_PATTERN_RULE;
        signature.result.rule = nilas_str_of(p.at);
        p.at += signature.result.rule.size;
    } else {
        NILAS_TRY(parse_alternatives(&p, &signature.result));
    }
    skip_blanks(&p);
    if (*p.at != '\0') {
        return broken(&p, "the end");
    }
    *out = signature;
    return NILAS_OK;
}

static nilas_code parse_lambda(parser *p, nilas_pattern *out) {
    NILAS_ARRAY_OF(nilas_pattern) parts = {0};
    do {
        nilas_pattern part = {0};
        NILAS_TRY(parse_parameter(p, &part));
        NILAS_PUSH(p->arena, &parts, part, p->err);
    } while (take(p, ","));
    nilas_pattern body = {0};
    if (!take(p, ")") || !take(p, "=>")) {
        return broken(p, "\") =>\"");
    }
    NILAS_TRY(parse_alternatives(p, &body));
    NILAS_PUSH(p->arena, &parts, body, p->err);
    *out =
        (nilas_pattern){.kind = NILAS_PATTERN_LAMBDA, .parts = parts.items, .count = parts.count};
    return NILAS_OK;
}

static nilas_code parse_parameter(parser *p, nilas_pattern *out) {
    if (take(p, "(")) {
        NILAS_TRY(parse_lambda(p, out));
    } else {
        NILAS_TRY(parse_alternatives(p, out));
    }
    out->optional = take(p, "?");
    out->variadic = take(p, "...");
    return NILAS_OK;
}

static const struct {
    const char *word;
    nilas_type_class class;
    const char *shown;
} classes[] = {
    {"any", NILAS_CLASS_ANY, "ANY"},
    {"num", NILAS_CLASS_NUMERIC, "NUMERIC"},
    {"integral", NILAS_CLASS_INTEGRAL, "INTEGRAL"},
    {"fractional", NILAS_CLASS_FRACTIONAL, "FRACTIONAL"},
    {"decimal", NILAS_CLASS_DECIMAL, "DECIMAL"},
    {"ansi_interval", NILAS_CLASS_ANSI_INTERVAL, "INTERVAL"},
    {"year_month", NILAS_CLASS_YEAR_MONTH, "INTERVAL YEAR TO MONTH"},
    {"day_time", NILAS_CLASS_DAY_TIME, "INTERVAL DAY TO SECOND"},
    {"datetime", NILAS_CLASS_DATETIME, "TIMESTAMP"},
    {"struct", NILAS_CLASS_STRUCT, "STRUCT"},
    {"array", NILAS_CLASS_ARRAY, "ARRAY"},
    {"map", NILAS_CLASS_MAP, "MAP"},
    {"ordered", NILAS_CLASS_ORDERED, "ORDERABLE"},
    {"void", NILAS_CLASS_VOID, "VOID"},
};

static const struct {
    const char *word;
    nilas_type_kind kind;
} types[] = {
    {"boolean", NILAS_TYPE_BOOLEAN},
    {"tinyint", NILAS_TYPE_TINYINT},
    {"smallint", NILAS_TYPE_SMALLINT},
    {"int", NILAS_TYPE_INT},
    {"bigint", NILAS_TYPE_BIGINT},
    {"float", NILAS_TYPE_FLOAT},
    {"double", NILAS_TYPE_DOUBLE},
    {"string", NILAS_TYPE_STRING},
    {"binary", NILAS_TYPE_BINARY},
    {"date", NILAS_TYPE_DATE},
    {"time", NILAS_TYPE_TIME},
    {"timestamp", NILAS_TYPE_TIMESTAMP},
    {"timestamp_ntz", NILAS_TYPE_TIMESTAMP_NTZ},
    {"ym", NILAS_TYPE_INTERVAL_YEAR_MONTH},
    {"dt", NILAS_TYPE_INTERVAL_DAY_TIME},
    {"interval", NILAS_TYPE_INTERVAL},
    {"variant", NILAS_TYPE_VARIANT},
    {"null", NILAS_TYPE_VOID},
};

const char *nilas_function__class_name(nilas_type_class class) {
    for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
        if (classes[i].class == class) {
            return classes[i].shown;
        }
    }
    return "ANY";
}

static nilas_str take_word(parser *p) {
    skip_blanks(p);
    const char *start = p->at;
    while ((*p->at >= 'a' && *p->at <= 'z') || *p->at == '_' || (*p->at >= '0' && *p->at <= '9')) {
        p->at++;
    }
    return (nilas_str){.data = start, .size = (size_t)(p->at - start)};
}

static bool find_class(nilas_str word, nilas_type_class *out) {
    for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
        if (nilas_str_is(word, classes[i].word)) {
            *out = classes[i].class;
            return true;
        }
    }
    return false;
}

static nilas_code parse_nested(parser *p, nilas_pattern_kind kind, size_t count,
                               nilas_pattern *out) {
    out->kind = kind;
    out->count = count;
    NILAS_NEW_ARRAY(p->arena, &out->parts, count, p->err);
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && !take(p, ",")) {
            return broken(p, "\",\"");
        }
        NILAS_TRY(parse_alternatives(p, &out->parts[i]));
    }
    return take(p, ">") ? NILAS_OK : broken(p, "\">\"");
}

static bool take_number(parser *p, int32_t *out) {
    int32_t number = 0;
    const char *start = p->at;
    while (*p->at >= '0' && *p->at <= '9' && number < 100) {
        number = number * 10 + (*p->at++ - '0');
    }
    *out = number;
    return p->at > start;
}

/** "10,2)" after "decimal(". */
static nilas_code parse_decimal(parser *p, nilas_pattern *out) {
    int32_t precision = 0, scale = 0;
    if (!take_number(p, &precision) || !take(p, ",") || !take_number(p, &scale) || !take(p, ")")) {
        return broken(p, "precision and scale");
    }
    out->kind = NILAS_PATTERN_TYPE;
    return nilas_type_decimal(p->arena, precision, scale, &out->type, p->err);
}

static nilas_code parse_one(parser *p, nilas_pattern *out) {
    skip_blanks(p);
    if (*p->at >= 'A' && *p->at <= 'Z') {
        *out = (nilas_pattern){.kind = NILAS_PATTERN_VARIABLE, .variable = *p->at++};
        return !take(p, ":") || find_class(take_word(p), &out->class) ? NILAS_OK
                                                                      : broken(p, "a class");
    }
    if (take(p, "array<")) {
        return parse_nested(p, NILAS_PATTERN_ARRAY, 1, out);
    }
    if (take(p, "map<")) {
        return parse_nested(p, NILAS_PATTERN_MAP, 2, out);
    }
    if (take(p, "decimal(")) {
        return parse_decimal(p, out);
    }
    nilas_str word = take_word(p);
    if (find_class(word, &out->class)) {
        out->kind = NILAS_PATTERN_CLASS;
        return NILAS_OK;
    }
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        if (nilas_str_is(word, types[i].word)) {
            *out =
                (nilas_pattern){.kind = NILAS_PATTERN_TYPE, .type = nilas_type_of(types[i].kind)};
            return NILAS_OK;
        }
    }
    return broken(p, "a type");
}

static nilas_code parse_alternatives(parser *p, nilas_pattern *out) {
    NILAS_ARRAY_OF(nilas_pattern) list = {0};
    do {
        nilas_pattern part = {0};
        NILAS_TRY(parse_one(p, &part));
        NILAS_PUSH(p->arena, &list, part, p->err);
    } while (take(p, "|"));
    if (list.count == 1) {
        *out = list.items[0];
    } else {
        *out =
            (nilas_pattern){.kind = NILAS_PATTERN_ONE_OF, .parts = list.items, .count = list.count};
    }
    return NILAS_OK;
}

const nilas_pattern *nilas_function__parameter(const nilas_signature *signature, size_t index) {
    if (index < signature->count) {
        return &signature->parameters[index];
    }
    return signature->variadic ? &signature->parameters[signature->count - 1] : NULL;
}

/** Types that can be ordered: no map, no variant inside. */
static bool is_ordered(const nilas_type *type) {
    if (type->kind == NILAS_TYPE_MAP || type->kind == NILAS_TYPE_VARIANT ||
        type->kind == NILAS_TYPE_INTERVAL) {
        return false;
    }
    for (size_t i = 0; i < type->field_count; i++) {
        if (!is_ordered(type->fields[i].type)) {
            return false;
        }
    }
    return true;
}

bool nilas_function__class_has(nilas_type_class class, const nilas_type *type) {
    switch (class) {
    case NILAS_CLASS_ANY: return true;
    case NILAS_CLASS_NUMERIC: return nilas_type_is_numeric(type);
    case NILAS_CLASS_INTEGRAL: return nilas_type_is_integral(type);
    case NILAS_CLASS_FRACTIONAL:
        return nilas_type_is_numeric(type) && !nilas_type_is_integral(type);
    case NILAS_CLASS_DECIMAL: return type->kind == NILAS_TYPE_DECIMAL;
    case NILAS_CLASS_ANSI_INTERVAL:
        return type->kind == NILAS_TYPE_INTERVAL_YEAR_MONTH ||
               type->kind == NILAS_TYPE_INTERVAL_DAY_TIME;
    case NILAS_CLASS_YEAR_MONTH: return type->kind == NILAS_TYPE_INTERVAL_YEAR_MONTH;
    case NILAS_CLASS_DAY_TIME: return type->kind == NILAS_TYPE_INTERVAL_DAY_TIME;
    case NILAS_CLASS_DATETIME:
        return type->kind == NILAS_TYPE_DATE || type->kind == NILAS_TYPE_TIMESTAMP ||
               type->kind == NILAS_TYPE_TIMESTAMP_NTZ;
    case NILAS_CLASS_STRUCT: return type->kind == NILAS_TYPE_STRUCT;
    case NILAS_CLASS_ARRAY: return type->kind == NILAS_TYPE_ARRAY;
    case NILAS_CLASS_MAP: return type->kind == NILAS_TYPE_MAP;
    case NILAS_CLASS_ORDERED: return is_ordered(type);
    case NILAS_CLASS_VOID: return type->kind == NILAS_TYPE_VOID;
    case NILAS_CLASS_COUNT: break;
    }
    nilas_assert(false && "a class");
    return false;
}
