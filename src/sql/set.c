/** SET, RESET, variables, EXECUTE IMMEDIATE. */
#include "sql/statement.h"

// ---- SET key = value ----------------------------------------------------------------------------

static bool is_key_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '\\' || c == '.' || c == ':';
}

/* Everything after the first word, as written, without what ends a statement. */
static nilas_str take_rest(nilas_sql__parser *p) {
    const nilas_sql__token *word = &p->tokens[p->position];
    nilas_str rest = nilas_str_trim(nilas_str_slice(p->text, word->offset + word->size, SIZE_MAX));
    while (rest.size > 0 && rest.data[rest.size - 1] == ';') {
        rest.size--;
    }
    p->position = p->token_count - 1;
    return nilas_str_trim(rest);
}

static size_t key_size(nilas_str text) {
    size_t size = 0;
    while (size < text.size && is_key_char(text.data[size])) {
        size++;
    }
    return size;
}

static void reject_set(nilas_sql__parser *p, int32_t offset) {
    nilas_sql__reject(p, offset, "INVALID_SET_SYNTAX",
                      "Expected format is 'SET', 'SET key', or 'SET key=value'. If you want to "
                      "include special characters in key, or include semicolon in value, please "
                      "use backquotes, e.g., SET `key`=`value`.");
}

static void reject_key(nilas_sql__parser *p, int32_t offset, nilas_str key, nilas_str value) {
    nilas_sql__reject(p, offset, "INVALID_PROPERTY_KEY",
                      "\"%.*s\" is an invalid property key, please use quotes, e.g. SET "
                      "\"%.*s\"=\"%.*s\".",
                      NILAS_FMT(key), NILAS_FMT(key), NILAS_FMT(value));
}

/* The value is `value` when that is the whole rest and back-quoted; the text is "key = rest". */
static nilas_code set_value(nilas_sql__parser *p, nilas_statement *set, nilas_str text) {
    text = nilas_str_trim(text);
    set->has_value = true;
    if (text.size > 1 && text.data[0] == '`' && text.data[text.size - 1] == '`') {
        nilas_str *parts;
        size_t count;
        nilas_error inner = NILAS_ERROR_INIT;
        nilas_code code = nilas_sql_parse_name(p->stmt, text, &parts, &count, &inner);
        if (code == NILAS_OK && count == 1) {
            set->value = parts[0];
            return NILAS_OK;
        }
    }
    set->value = text;
    if (memchr(text.data, ';', text.size) != NULL) {
        nilas_sql__reject(p, set->offset, "INVALID_PROPERTY_VALUE",
                          "\"%.*s\" is an invalid property value, please use quotes, e.g. SET "
                          "\"%.*s\"=\"%.*s\"",
                          NILAS_FMT(text), NILAS_FMT(set->key), NILAS_FMT(text));
    }
    return NILAS_OK;
}

static nilas_code set_bare(nilas_sql__parser *p, nilas_statement *set, nilas_str rest) {
    size_t key = key_size(rest);
    set->key = nilas_str_slice(rest, 0, key);
    nilas_str after = nilas_str_trim(nilas_str_slice(rest, key, SIZE_MAX));
    set->has_key = key > 0;
    if (rest.size == 0 || (key > 0 && after.size == 0)) {
        return NILAS_OK;
    }
    if (nilas_str_is(rest, "-v")) {
        set->extended = true;
        return NILAS_OK;
    }
    if (key > 0 && after.data[0] == '=') {
        return set_value(p, set, nilas_str_slice(after, 1, SIZE_MAX));
    }
    size_t equals = nilas_str_find(rest, NILAS_STR("="), 0);
    nilas_str value = equals == SIZE_MAX
                          ? NILAS_STR_EMPTY
                          : nilas_str_trim(nilas_str_slice(rest, equals + 1, SIZE_MAX));
    if (value.size > 1 && value.data[0] == '`' && value.data[value.size - 1] == '`') {
        reject_key(p, set->offset, nilas_str_trim(nilas_str_slice(rest, 0, equals)),
                   nilas_str_slice(value, 1, value.size - 2));
    } else {
        reject_set(p, set->offset);
    }
    return NILAS_OK;
}

/* SET `key` [= value]. */
static nilas_code set_quoted(nilas_sql__parser *p, nilas_statement *set) {
    p->position++;
    set->has_key = true;
    NILAS_TRY(nilas_sql__identifier(p, &set->key));
    if (nilas_sql__at(p, TOKEN_END) || nilas_sql__at(p, TOKEN_SEMICOLON)) {
        return NILAS_OK;
    }
    if (!nilas_sql__at(p, TOKEN_EQ)) {
        p->position = p->token_count - 1;
        reject_set(p, set->offset);
        return NILAS_OK;
    }
    return set_value(p, set, take_rest(p));
}

// ---- SET TIME ZONE ------------------------------------------------------------------------------

static void reject_zone(nilas_sql__parser *p, int32_t offset, long long value) {
    nilas_sql__reject(
        p, offset, "INVALID_INTERVAL_FORMAT.TIMEZONE_INTERVAL_OUT_OF_RANGE",
        "Error parsing '%lld' to interval. Please ensure that the value provided is in "
        "a valid format for defining an interval. You can reference the documentation "
        "for the correct format. The interval value must be in the range of [-18, +18] "
        "hours with second precision.",
        value);
}

/* "h:m:s" or a prefix of it, in seconds. */
static bool clock_seconds(nilas_str text, long long *out) {
    long long parts[3] = {0};
    size_t part = 0;
    bool negative = text.size > 0 && text.data[0] == '-';
    for (size_t i = negative || (text.size > 0 && text.data[0] == '+'); i < text.size; i++) {
        char c = text.data[i];
        if (c >= '0' && c <= '9' && parts[part] < 100000000) {
            parts[part] = parts[part] * 10 + (c - '0');
        } else if (c == ':' && part < 2) {
            part++;
        } else {
            return false;
        }
    }
    *out = ((parts[0] * 60 + parts[1]) * 60 + parts[2]) * (negative ? -1 : 1);
    return true;
}

static bool unit_number(const nilas_value *value, int64_t *out) {
    *out = value->integer;
    return value->kind == NILAS_VALUE_INT ||
           (value->kind == NILAS_VALUE_STRING && nilas_str_to_int64(value->text, out));
}

/* At most 18 hours, in whole seconds; only what the text alone tells is checked. */
static void check_zone_interval(nilas_sql__parser *p, const nilas_expr *interval) {
    long long seconds = 0;
    if (interval->has_to_unit && (interval->units[0] != NILAS_UNIT_HOUR ||
                                  !clock_seconds(interval->args[0]->value.text, &seconds))) {
        return;
    }
    for (size_t i = 0; i < interval->arg_count && !interval->has_to_unit; i++) {
        int64_t number;
        if (!unit_number(&interval->args[i]->value, &number)) {
            return;
        }
        switch (interval->units[i]) {
        case NILAS_UNIT_HOUR: seconds += number * 3600; break;
        case NILAS_UNIT_MINUTE: seconds += number * 60; break;
        case NILAS_UNIT_SECOND: seconds += number; break;
        case NILAS_UNIT_MILLISECOND:
        case NILAS_UNIT_MICROSECOND: reject_zone(p, interval->offset, seconds); return;
        default: reject_zone(p, interval->offset, number); return;
        }
    }
    if (seconds > 18 * 3600 || seconds < -18 * 3600) {
        reject_zone(p, interval->offset, (seconds < 0 ? -seconds : seconds) / 3600);
    }
}

static nilas_code set_time_zone(nilas_sql__parser *p, nilas_statement **out) {
    NILAS_TRY(nilas_sql__new_statement(p, NILAS_STATEMENT_SET_TIME_ZONE, out));
    p->position += 3;
    if (nilas_sql__at_interval(p)) {
        NILAS_TRY(nilas_sql__interval(p, &(*out)->expr));
        check_zone_interval(p, (*out)->expr);
    } else if (nilas_sql__accept(p, NILAS_KW_LOCAL)) {
        (*out)->local = true;
    } else if (nilas_sql__at_string(p, 0)) {
        (*out)->has_value = true;
        NILAS_TRY(nilas_sql__string(p, &(*out)->value));
    }
    bool complete = (*out)->expr != NULL || (*out)->local || (*out)->has_value;
    if (!complete || (!nilas_sql__at(p, TOKEN_END) && !nilas_sql__at(p, TOKEN_SEMICOLON))) {
        nilas_sql__reject(p, (*out)->offset, "_LEGACY_ERROR_TEMP_0045",
                          "Invalid time zone displacement value.");
        p->position = p->token_count - 1;
    }
    return NILAS_OK;
}

// ---- variables ----------------------------------------------------------------------------------

static nilas_code set_variable(nilas_sql__parser *p, nilas_statement **out) {
    NILAS_TRY(nilas_sql__new_statement(p, NILAS_STATEMENT_SET_VARIABLE, out));
    p->position += 2;
    if (!nilas_sql__accept(p, TOKEN_LEFT_PAREN)) {
        return nilas_sql__assignments(p, &(*out)->assignments, &(*out)->assignment_count);
    }
    if (nilas_sql__at(p, TOKEN_RIGHT_PAREN)) {
        reject_set(p, (*out)->offset);
        p->position = p->token_count - 1;
        return NILAS_OK;
    }
    NILAS_TRY(
        nilas_sql__names(p, &(*out)->key_parts, &(*out)->key_part_counts, &(*out)->key_count));
    NILAS_TRY(nilas_sql__expect2(p, TOKEN_RIGHT_PAREN, TOKEN_EQ));
    return nilas_sql__paren_query(p, &(*out)->query);
}

nilas_code nilas_sql__declare(nilas_sql__parser *p, nilas_statement **out) {
    nilas_statement *declare;
    NILAS_TRY(nilas_sql__new_statement(p, NILAS_STATEMENT_DECLARE_VARIABLE, &declare));
    p->position++;
    declare->or_replace = nilas_sql__accept2(p, NILAS_KW_OR, NILAS_KW_REPLACE);
    bool word = (nilas_sql__at(p, NILAS_KW_VARIABLE) || nilas_sql__at(p, NILAS_KW_VAR)) &&
                nilas_sql__is_identifier(p, 1);
    p->position += word;
    NILAS_TRY(nilas_sql__object(p, declare));
    if (nilas_sql__accept(p, TOKEN_COMMA)) {
        NILAS_TRY(nilas_sql__names(p, &declare->key_parts, &declare->key_part_counts,
                                   &declare->key_count));
    }
    NILAS_NEW(p->stmt, &declare->column_defs, p->err);
    declare->column_def_count = 1;
    if (nilas_sql__is_identifier(p, 0) && !nilas_sql__at(p, NILAS_KW_DEFAULT)) {
        NILAS_TRY(nilas_sql__type(p, &declare->column_defs->type));
    }
    if (nilas_sql__accept(p, NILAS_KW_DEFAULT) || nilas_sql__accept(p, TOKEN_EQ)) {
        NILAS_TRY(nilas_sql__expression(p, &declare->expr));
    }
    if (declare->column_defs->type == NULL && declare->expr == NULL) {
        nilas_sql__reject(
            p, declare->offset, "INVALID_SQL_SYNTAX.VARIABLE_TYPE_OR_DEFAULT_REQUIRED",
            "Invalid SQL syntax: The definition of a SQL variable requires either a "
            "datatype or a DEFAULT clause.\nFor example, use `DECLARE name STRING` or "
            "`DECLARE name = 'SQL'` instead of `DECLARE name`.");
    }
    *out = declare;
    return NILAS_OK;
}

nilas_code nilas_sql__drop_variable(nilas_sql__parser *p, nilas_statement **out) {
    NILAS_TRY(nilas_sql__new_statement(p, NILAS_STATEMENT_DROP_VARIABLE, out));
    p->position += 3;
    NILAS_TRY(nilas_sql__if_exists(p, &(*out)->if_exists));
    return nilas_sql__object(p, *out);
}

static void check_argument_names(nilas_sql__parser *p, const nilas_statement *execute) {
    for (size_t i = 0; i < execute->arg_count; i++) {
        for (size_t j = 0; j < i; j++) {
            const nilas_expr *a = execute->args[i];
            const nilas_expr *b = execute->args[j];
            if (a->kind == NILAS_EXPR_ALIAS && b->kind == NILAS_EXPR_ALIAS &&
                nilas_str_equal_nocase(a->parts[0], b->parts[0])) {
                nilas_sql__reject(
                    p, execute->offset, "EXEC_IMMEDIATE_DUPLICATE_ARGUMENT_ALIASES",
                    "The USING clause of this EXECUTE IMMEDIATE command contained "
                    "multiple arguments with same alias (`%.*s`), which is invalid; "
                    "please update the command to specify unique aliases and then try "
                    "it again.",
                    NILAS_FMT(a->parts[0]));
            }
        }
    }
}

nilas_code nilas_sql__execute_immediate(nilas_sql__parser *p, nilas_statement **out) {
    nilas_statement *execute;
    NILAS_TRY(nilas_sql__new_statement(p, NILAS_STATEMENT_EXECUTE_IMMEDIATE, &execute));
    p->position++;
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_IMMEDIATE));
    NILAS_TRY(nilas_sql__expression(p, &execute->expr));
    if (nilas_sql__accept(p, NILAS_KW_INTO)) {
        NILAS_TRY(nilas_sql__names(p, &execute->key_parts, &execute->key_part_counts,
                                   &execute->key_count));
    }
    if (nilas_sql__accept(p, NILAS_KW_USING)) {
        nilas_sql__mark start = nilas_sql__set_mark(p);
        bool list = nilas_sql__accept(p, TOKEN_LEFT_PAREN);
        nilas_code code = nilas_sql__named_expressions(p, &execute->args, &execute->arg_count);
        if (list && code == NILAS_OK && !nilas_sql__accept(p, TOKEN_RIGHT_PAREN)) {
            code = nilas_sql__unexpected(p);
        }
        bool ends = nilas_sql__at(p, TOKEN_END) || nilas_sql__at(p, TOKEN_SEMICOLON);
        if (list && (code == NILAS_INVALID || !ends)) {
            nilas_sql__back_to(p, &start); // the first argument begins with a parenthesis
            code = nilas_sql__named_expressions(p, &execute->args, &execute->arg_count);
        }
        NILAS_TRY(code);
        check_argument_names(p, execute);
    }
    *out = execute;
    return NILAS_OK;
}

// ---- SET and RESET ------------------------------------------------------------------------------

static nilas_code set_catalog(nilas_sql__parser *p, nilas_statement **out) {
    NILAS_TRY(nilas_sql__new_statement(p, NILAS_STATEMENT_SET_CATALOG, out));
    p->position += 2;
    if (nilas_sql__at_string(p, 0)) {
        NILAS_NEW(p->stmt, &(*out)->parts, p->err);
        (*out)->part_count = 1;
        return nilas_sql__string(p, (*out)->parts);
    }
    if (nilas_sql__at2(p, NILAS_KW_IDENTIFIER, TOKEN_LEFT_PAREN)) {
        return nilas_sql__object(p, *out);
    }
    NILAS_NEW(p->stmt, &(*out)->parts, p->err);
    (*out)->part_count = 1;
    return nilas_sql__captured_identifier(p, (*out)->parts);
}

static nilas_code set_configuration(nilas_sql__parser *p, nilas_statement **out) {
    int next = nilas_sql__peek(p, 1);
    NILAS_TRY(nilas_sql__new_statement(p, NILAS_STATEMENT_SET, out));
    if (next == TOKEN_QUOTED ||
        (next == TOKEN_DOUBLE_QUOTED && p->options.double_quoted_identifiers)) {
        return set_quoted(p, *out);
    }
    return set_bare(p, *out, take_rest(p));
}

nilas_code nilas_sql__set(nilas_sql__parser *p, nilas_statement **out) {
    int third = nilas_sql__peek(p, 2);
    if (third == TOKEN_EQ || third == TOKEN_DOT || third == TOKEN_END) {
        return set_configuration(p, out);
    }
    switch (nilas_sql__peek(p, 1)) {
    case NILAS_KW_CATALOG: return set_catalog(p, out);
    case NILAS_KW_VARIABLE:
    case NILAS_KW_VAR: return set_variable(p, out);
    case NILAS_KW_ROLE:
        nilas_sql__reject_operation(p, nilas_sql__offset(p), "SET ROLE");
        return nilas_sql__unsupported_rest(p, "SET ROLE", out);
    case NILAS_KW_TIME:
        return third == NILAS_KW_ZONE ? set_time_zone(p, out) : set_configuration(p, out);
    default: return set_configuration(p, out);
    }
}

nilas_code nilas_sql__reset(nilas_sql__parser *p, nilas_statement **out) {
    nilas_statement *reset;
    NILAS_TRY(nilas_sql__new_statement(p, NILAS_STATEMENT_RESET, &reset));
    *out = reset;
    if (nilas_sql__peek(p, 1) == TOKEN_QUOTED) {
        p->position++;
        reset->has_key = true;
        return nilas_sql__identifier(p, &reset->key);
    }
    reset->key = take_rest(p);
    reset->has_key = reset->key.size > 0;
    if (key_size(reset->key) != reset->key.size) {
        nilas_sql__reject(
            p, reset->offset, "_LEGACY_ERROR_TEMP_0043",
            "Expected format is 'RESET' or 'RESET key'. If you want to include special "
            "characters in key, please use quotes, e.g., RESET `key`.");
    }
    return NILAS_OK;
}
