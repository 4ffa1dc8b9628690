/**
 * Calls of functions, and the special forms that look like calls: CASE, CAST, EXTRACT, TRIM,
 * DATE_ADD(DAY, …). A form's
 * word is also the name of an ordinary function where its own syntax does not follow.
 */
#include "sql/parser.h"

// ---- ordinary calls -----------------------------------------------------------------------------

/* TABLE t, TABLE(t), TABLE(query) as an argument, at TABLE. */
static nilas_code parse_table_argument(nilas_sql__parser *p, nilas_expr **out);

static bool at_table_argument(const nilas_sql__parser *p) {
    return nilas_sql__at(p, NILAS_KW_TABLE) &&
           (nilas_sql__peek(p, 1) == TOKEN_LEFT_PAREN || nilas_sql__is_identifier(p, 1));
}

static nilas_code parse_argument(nilas_sql__parser *p, bool tables, nilas_expr **out,
                                 nilas_str *out_name) {
    *out_name = NILAS_STR_EMPTY;
    if (nilas_sql__is_identifier(p, 0) && nilas_sql__peek(p, 1) == TOKEN_FAT_ARROW) {
        NILAS_TRY(nilas_sql__identifier(p, out_name));
        p->position++;
    }
    if (tables && at_table_argument(p)) {
        return parse_table_argument(p, out);
    }
    return nilas_sql__expression(p, out);
}

nilas_code nilas_sql__call_args(nilas_sql__parser *p, bool tables, nilas_sql__exprs *args,
                                nilas_sql__strs *names) {
    if (nilas_sql__accept(p, TOKEN_RIGHT_PAREN)) {
        return NILAS_OK;
    }
    do {
        nilas_expr *arg;
        nilas_str name;
        NILAS_TRY(parse_argument(p, tables, &arg, &name));
        NILAS_PUSH(p->stmt, args, arg, p->err);
        NILAS_PUSH(p->stmt, names, name, p->err);
    } while (nilas_sql__accept(p, TOKEN_COMMA));
    return nilas_sql__expect(p, TOKEN_RIGHT_PAREN);
}

static nilas_code parse_within_group(nilas_sql__parser *p, nilas_expr *call) {
    NILAS_TRY(nilas_sql__expect2(p, NILAS_KW_GROUP, TOKEN_LEFT_PAREN));
    NILAS_TRY(nilas_sql__expect2(p, NILAS_KW_ORDER, NILAS_KW_BY));
    NILAS_TRY(nilas_sql__sort_items(p, &call->order_by, &call->order_by_count));
    return nilas_sql__expect(p, TOKEN_RIGHT_PAREN);
}

nilas_code nilas_sql__call_tail(nilas_sql__parser *p, nilas_expr *call) {
    if (nilas_sql__at2(p, NILAS_KW_WITHIN, NILAS_KW_GROUP)) {
        p->position++;
        NILAS_TRY(parse_within_group(p, call));
    }
    if (nilas_sql__accept2(p, NILAS_KW_FILTER, TOKEN_LEFT_PAREN)) {
        NILAS_TRY(nilas_sql__expect(p, NILAS_KW_WHERE));
        NILAS_TRY(nilas_sql__expression(p, &call->filter));
        NILAS_TRY(nilas_sql__expect(p, TOKEN_RIGHT_PAREN));
    }
    if (nilas_sql__accept2(p, NILAS_KW_IGNORE, NILAS_KW_NULLS)) {
        call->ignore_nulls = true;
    } else {
        nilas_sql__accept2(p, NILAS_KW_RESPECT, NILAS_KW_NULLS);
    }
    bool windowed = nilas_sql__at(p, NILAS_KW_OVER) &&
                    (nilas_sql__peek(p, 1) == TOKEN_LEFT_PAREN || nilas_sql__is_identifier(p, 1)) &&
                    !nilas_sql__is_bare_word(p);
    if (windowed) {
        p->position++;
        NILAS_TRY(nilas_sql__window(p, &call->window));
    }
    call->end_offset = nilas_sql__end(p);
    return NILAS_OK;
}

static nilas_code new_call(nilas_sql__parser *p, nilas_str *parts, size_t count, int32_t offset,
                           nilas_expr **out) {
    NILAS_TRY(nilas_sql__new_expr(p, NILAS_EXPR_CALL, offset, out));
    (*out)->parts = parts;
    (*out)->part_count = count;
    return NILAS_OK;
}

static bool has_names(const nilas_sql__strs *names) {
    for (size_t i = 0; i < names->count; i++) {
        if (names->items[i].size > 0) {
            return true;
        }
    }
    return false;
}

static nilas_code finish_call(nilas_sql__parser *p, nilas_expr *call, nilas_sql__exprs *args,
                              nilas_sql__strs *names) {
    call->args = args->items;
    call->arg_count = args->count;
    call->arg_names = has_names(names) ? names->items : NULL;
    return nilas_sql__call_tail(p, call);
}

/* a > ANY (SELECT …): Spark has no such comparison and names the parenthesis. */
static bool is_quantified_query(const nilas_sql__parser *p, const nilas_str *parts, size_t count) {
    static const char *const words[] = {"any", "some", "all"};
    if (count != 1 || nilas_sql__peek(p, 1) != NILAS_KW_SELECT ||
        !nilas_sql__looks_like_query(p, 1)) {
        return false;
    }
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (nilas_str_is_nocase(parts[0], words[i])) {
            return true;
        }
    }
    return false;
}

nilas_code nilas_sql__call(nilas_sql__parser *p, nilas_str *parts, size_t count, int32_t offset,
                           nilas_expr **out) {
    nilas_expr *call;
    nilas_sql__exprs args = {0};
    nilas_sql__strs names = {0};
    if (is_quantified_query(p, parts, count)) {
        return nilas_sql__unexpected(p);
    }
    NILAS_TRY(new_call(p, parts, count, offset, &call));
    NILAS_TRY(nilas_sql__expect(p, TOKEN_LEFT_PAREN));
    if (nilas_sql__at(p, NILAS_KW_DISTINCT) && !nilas_sql__is_bare_word(p)) {
        p->position++;
        call->distinct = true;
    } else if (nilas_sql__at(p, NILAS_KW_ALL) && !nilas_sql__is_bare_word(p)) {
        p->position++;
    }
    NILAS_TRY(nilas_sql__call_args(p, true, &args, &names));
    *out = call;
    return finish_call(p, call, &args, &names);
}

// ---- TABLE arguments ----------------------------------------------------------------------------

static nilas_code parse_partition_items(nilas_sql__parser *p, nilas_expr ***out,
                                        size_t *out_count) {
    bool list = nilas_sql__at(p, TOKEN_LEFT_PAREN);
    p->position += list;
    NILAS_TRY(nilas_sql__expressions(p, out, out_count));
    return list ? nilas_sql__expect(p, TOKEN_RIGHT_PAREN) : NILAS_OK;
}

static nilas_code parse_order_items(nilas_sql__parser *p, nilas_expr ***out, size_t *out_count) {
    bool list = nilas_sql__at(p, TOKEN_LEFT_PAREN);
    p->position += list;
    NILAS_TRY(nilas_sql__sort_items(p, out, out_count));
    return list ? nilas_sql__expect(p, TOKEN_RIGHT_PAREN) : NILAS_OK;
}

static nilas_code parse_table_partitioning(nilas_sql__parser *p, nilas_expr *argument) {
    bool single = nilas_sql__at2(p, NILAS_KW_WITH, NILAS_KW_SINGLE);
    bool by = nilas_sql__at2(p, NILAS_KW_PARTITION, NILAS_KW_BY) ||
              nilas_sql__at2(p, NILAS_KW_DISTRIBUTE, NILAS_KW_BY);
    if (!single && !by) {
        return NILAS_OK;
    }

    nilas_window *window;
    NILAS_NEW(p->stmt, &window, p->err);
    argument->window = window;
    p->position += 2;
    if (single) {
        NILAS_TRY(nilas_sql__expect(p, NILAS_KW_PARTITION));
    } else {
        NILAS_TRY(parse_partition_items(p, &window->partition_by, &window->partition_by_count));
    }
    if (nilas_sql__accept2(p, NILAS_KW_ORDER, NILAS_KW_BY) ||
        nilas_sql__accept2(p, NILAS_KW_SORT, NILAS_KW_BY)) {
        NILAS_TRY(parse_order_items(p, &window->order_by, &window->order_by_count));
    }
    return NILAS_OK;
}

static nilas_code parse_table_reference(nilas_sql__parser *p, nilas_query **out) {
    NILAS_TRY(nilas_sql__new_query(p, NILAS_QUERY_TABLE, nilas_sql__offset(p), out));
    (*out)->only_table = true;
    return nilas_sql__reference(p, &(*out)->parts, &(*out)->part_count, &(*out)->identifier);
}

static nilas_code parse_table_argument(nilas_sql__parser *p, nilas_expr **out) {
    nilas_expr *argument;
    NILAS_TRY(nilas_sql__new_expr(p, NILAS_EXPR_SUBQUERY, nilas_sql__offset(p), &argument));
    argument->has_call = true;
    p->position++;
    if (nilas_sql__at(p, TOKEN_LEFT_PAREN) && nilas_sql__looks_like_query(p, 0)) {
        NILAS_TRY(nilas_sql__paren_query(p, &argument->query));
    } else {
        bool parentheses = nilas_sql__accept(p, TOKEN_LEFT_PAREN);
        NILAS_TRY(parse_table_reference(p, &argument->query));
        if (parentheses) {
            NILAS_TRY(nilas_sql__expect(p, TOKEN_RIGHT_PAREN));
        } else {
            nilas_sql__reject(
                p, argument->offset,
                "INVALID_SQL_SYNTAX.INVALID_TABLE_FUNCTION_IDENTIFIER_ARGUMENT_MISSING_PARENTHESES",
                "Invalid SQL syntax: Syntax error: call to table-valued function is invalid "
                "because "
                "parentheses are missing around the provided TABLE argument %.*s; please surround "
                "this with parentheses and try again.",
                NILAS_FMT(nilas_sql__token_text(p, 0)));
        }
    }
    NILAS_TRY(parse_table_partitioning(p, argument));
    argument->end_offset = nilas_sql__end(p);
    *out = argument;
    return NILAS_OK;
}

// ---- forms that begin with an operand: POSITION, SUBSTRING, OVERLAY, TRIM, CAST -----------------

/* The word at the current token as the name of a function. */
static nilas_code take_function_name(nilas_sql__parser *p, nilas_str **out) {
    NILAS_NEW(p->stmt, out, p->err);
    **out = nilas_sql__token_text(p, 0);
    p->position++;
    return NILAS_OK;
}

/* An operand was read where a call has its first argument: read the rest of the call. */
static nilas_code continue_call(nilas_sql__parser *p, nilas_str *name, int32_t offset,
                                nilas_expr *first, nilas_expr **out) {
    nilas_expr *call;
    nilas_sql__exprs args = {0};
    nilas_sql__strs names = {0};
    NILAS_TRY(new_call(p, name, 1, offset, &call));
    NILAS_TRY(nilas_sql__continue_expression(p, first, &first));
    NILAS_PUSH(p->stmt, &args, first, p->err);
    NILAS_PUSH(p->stmt, &names, NILAS_STR_EMPTY, p->err);
    if (nilas_sql__accept(p, TOKEN_COMMA)) {
        if (nilas_sql__at(p, TOKEN_RIGHT_PAREN)) {
            return nilas_sql__unexpected(p);
        }
        NILAS_TRY(nilas_sql__call_args(p, false, &args, &names));
    } else {
        NILAS_TRY(nilas_sql__expect(p, TOKEN_RIGHT_PAREN));
    }
    *out = call;
    return finish_call(p, call, &args, &names);
}

/* NAME(first WORD second [WORD third]…): `words` are the keywords between operands, 0 ends them;
 * `needed` must come. */
static nilas_code parse_worded(nilas_sql__parser *p, nilas_expr_kind kind, const int words[4],
                               size_t needed, nilas_expr **out) {
    int32_t offset = nilas_sql__offset(p);
    nilas_str *name;
    nilas_expr *operand;
    nilas_sql__exprs args = {0};
    NILAS_TRY(take_function_name(p, &name));
    NILAS_TRY(nilas_sql__expect(p, TOKEN_LEFT_PAREN));
    NILAS_TRY(nilas_sql__value_expression(p, &operand));
    if (!nilas_sql__at(p, words[0])) {
        return continue_call(p, name, offset, operand, out);
    }

    NILAS_PUSH(p->stmt, &args, operand, p->err);
    for (size_t i = 0; words[i] != 0; i++) {
        if (i >= needed && !nilas_sql__at(p, words[i])) {
            break;
        }
        NILAS_TRY(nilas_sql__expect(p, words[i]));
        NILAS_TRY(nilas_sql__value_expression(p, &operand));
        NILAS_PUSH(p->stmt, &args, operand, p->err);
    }
    NILAS_TRY(nilas_sql__expect(p, TOKEN_RIGHT_PAREN));
    NILAS_TRY(nilas_sql__new_expr(p, kind, offset, out));
    (*out)->args = args.items;
    (*out)->arg_count = args.count;
    (*out)->end_offset = nilas_sql__end(p);
    return NILAS_OK;
}

static nilas_code parse_position(nilas_sql__parser *p, nilas_expr **out) {
    static const int words[4] = {NILAS_KW_IN};
    return parse_worded(p, NILAS_EXPR_POSITION, words, 1, out);
}

static nilas_code parse_substring(nilas_sql__parser *p, nilas_expr **out) {
    static const int words[4] = {NILAS_KW_FROM, NILAS_KW_FOR};
    return parse_worded(p, NILAS_EXPR_SUBSTRING, words, 1, out);
}

static nilas_code parse_overlay(nilas_sql__parser *p, nilas_expr **out) {
    static const int words[4] = {NILAS_KW_PLACING, NILAS_KW_FROM, NILAS_KW_FOR};
    return parse_worded(p, NILAS_EXPR_OVERLAY, words, 2, out);
}

static nilas_code finish_trim(nilas_sql__parser *p, nilas_str option, nilas_expr *characters,
                              int32_t offset, nilas_expr **out) {
    nilas_expr *trim;
    NILAS_TRY(nilas_sql__new_expr(p, NILAS_EXPR_TRIM, offset, &trim));
    NILAS_TRY(nilas_sql__new_args(p, trim, characters != NULL ? 2 : 1));
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_FROM));
    NILAS_TRY(nilas_sql__value_expression(p, &trim->args[0]));
    NILAS_TRY(nilas_sql__expect(p, TOKEN_RIGHT_PAREN));
    if (characters != NULL) {
        trim->args[1] = characters;
    }
    if (option.size > 0) {
        NILAS_NEW(p->stmt, &trim->parts, p->err);
        NILAS_TRY(nilas_str_upper(p->stmt, option, &trim->parts[0], p->err));
        trim->part_count = 1;
    }
    trim->end_offset = nilas_sql__end(p);
    *out = trim;
    return NILAS_OK;
}

static bool is_trim_option(int kind) {
    return kind == NILAS_KW_BOTH || kind == NILAS_KW_LEADING || kind == NILAS_KW_TRAILING;
}

/* TRIM([BOTH|LEADING|TRAILING] [characters] FROM source), or the function trim. */
static nilas_code parse_trim(nilas_sql__parser *p, nilas_expr **out) {
    int32_t offset = nilas_sql__offset(p);
    nilas_str *name;
    nilas_str option = NILAS_STR_EMPTY;
    nilas_expr *characters;
    NILAS_TRY(take_function_name(p, &name));
    NILAS_TRY(nilas_sql__expect(p, TOKEN_LEFT_PAREN));
    bool option_only =
        is_trim_option(nilas_sql__peek(p, 0)) && nilas_sql__peek(p, 1) == NILAS_KW_FROM;
    if (option_only || (is_trim_option(nilas_sql__peek(p, 0)) && !nilas_sql__is_bare_word(p))) {
        option = nilas_sql__token_text(p, 0);
        p->position++;
    }
    if (nilas_sql__at(p, NILAS_KW_FROM)) {
        return finish_trim(p, option, NULL, offset, out);
    }
    if (nilas_sql__at(p, TOKEN_RIGHT_PAREN)) {
        p->position -= 2;
        return nilas_sql__call(p, name, 1, offset, out);
    }
    NILAS_TRY(nilas_sql__value_expression(p, &characters));
    if (option.size == 0 && !nilas_sql__at(p, NILAS_KW_FROM)) {
        return continue_call(p, name, offset, characters, out);
    }
    return finish_trim(p, option, characters, offset, out);
}

static nilas_code parse_cast(nilas_sql__parser *p, nilas_expr **out) {
    int32_t offset = nilas_sql__offset(p);
    bool try = nilas_sql__at(p, NILAS_KW_TRY_CAST);
    nilas_str *name;
    nilas_expr *value;
    NILAS_TRY(take_function_name(p, &name));
    NILAS_TRY(nilas_sql__expect(p, TOKEN_LEFT_PAREN));
    NILAS_TRY(nilas_sql__expression(p, &value));
    if (nilas_sql__at(p, TOKEN_COMMA) || nilas_sql__at(p, TOKEN_RIGHT_PAREN)) {
        return continue_call(p, name, offset, value, out);
    }

    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_AS));
    NILAS_TRY(nilas_sql__new_expr(p, NILAS_EXPR_CAST, offset, out));
    NILAS_TRY(nilas_sql__new_args(p, *out, 1));
    (*out)->args[0] = value;
    (*out)->op = try ? NILAS_OP_TRY_CAST : NILAS_OP_CAST;
    NILAS_TRY(nilas_sql__type(p, &(*out)->type));
    NILAS_TRY(nilas_sql__expect(p, TOKEN_RIGHT_PAREN));
    (*out)->end_offset = nilas_sql__end(p);
    return NILAS_OK;
}

// ---- other forms --------------------------------------------------------------------------------

/* EXTRACT(field FROM source), or the function extract. */
static nilas_code parse_extract(nilas_sql__parser *p, nilas_expr **out) {
    *out = NULL;
    if (!nilas_sql__is_identifier(p, 2) || nilas_sql__peek(p, 3) != NILAS_KW_FROM) {
        return NILAS_OK;
    }
    nilas_expr *extract;
    NILAS_TRY(nilas_sql__new_expr(p, NILAS_EXPR_EXTRACT, nilas_sql__offset(p), &extract));
    NILAS_TRY(nilas_sql__new_args(p, extract, 1));
    NILAS_NEW(p->stmt, &extract->parts, p->err);
    extract->part_count = 1;
    p->position += 2;
    NILAS_TRY(nilas_sql__simple_identifier(p, &extract->parts[0]));
    p->position++;
    NILAS_TRY(nilas_sql__value_expression(p, &extract->args[0]));
    NILAS_TRY(nilas_sql__expect(p, TOKEN_RIGHT_PAREN));
    extract->end_offset = nilas_sql__end(p);
    *out = extract;
    return NILAS_OK;
}

static nilas_code parse_when(nilas_sql__parser *p, nilas_sql__exprs *args) {
    nilas_expr *expr;
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_WHEN));
    NILAS_TRY(nilas_sql__expression(p, &expr));
    NILAS_PUSH(p->stmt, args, expr, p->err);
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_THEN));
    NILAS_TRY(nilas_sql__expression(p, &expr));
    NILAS_PUSH(p->stmt, args, expr, p->err);
    return NILAS_OK;
}

static nilas_code parse_case(nilas_sql__parser *p, nilas_expr **out) {
    nilas_expr *expr;
    nilas_expr *arg;
    nilas_sql__exprs args = {0};
    NILAS_TRY(nilas_sql__new_expr(p, NILAS_EXPR_CASE, nilas_sql__offset(p), &expr));
    p->position++;
    if (!nilas_sql__at(p, NILAS_KW_WHEN)) {
        NILAS_TRY(nilas_sql__expression(p, &arg));
        NILAS_PUSH(p->stmt, &args, arg, p->err);
        expr->has_operand = true;
    }
    do {
        NILAS_TRY(parse_when(p, &args));
    } while (nilas_sql__at(p, NILAS_KW_WHEN));
    if (nilas_sql__accept(p, NILAS_KW_ELSE)) {
        NILAS_TRY(nilas_sql__expression(p, &arg));
        NILAS_PUSH(p->stmt, &args, arg, p->err);
        expr->has_else = true;
    }
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_END));
    expr->args = args.items;
    expr->arg_count = args.count;
    expr->end_offset = nilas_sql__end(p);
    *out = expr;
    return NILAS_OK;
}

/* struct(a AS b, c): arguments with names. */
static nilas_code parse_struct(nilas_sql__parser *p, nilas_expr **out) {
    int32_t offset = nilas_sql__offset(p);
    nilas_str *name;
    nilas_expr *call;
    NILAS_TRY(take_function_name(p, &name));
    NILAS_TRY(new_call(p, name, 1, offset, &call));
    NILAS_TRY(nilas_sql__expect(p, TOKEN_LEFT_PAREN));
    if (!nilas_sql__at(p, TOKEN_RIGHT_PAREN)) {
        NILAS_TRY(nilas_sql__named_expressions(p, &call->args, &call->arg_count));
    }
    NILAS_TRY(nilas_sql__expect(p, TOKEN_RIGHT_PAREN));
    *out = call;
    return nilas_sql__call_tail(p, call);
}

/* FIRST(x IGNORE NULLS); other forms are ordinary calls. */
static nilas_code parse_first(nilas_sql__parser *p, nilas_expr **out) {
    int32_t offset = nilas_sql__offset(p);
    nilas_str *name;
    nilas_expr *arg;
    NILAS_TRY(take_function_name(p, &name));
    if (nilas_sql__peek(p, 1) == TOKEN_RIGHT_PAREN || nilas_sql__peek(p, 1) == NILAS_KW_DISTINCT ||
        nilas_sql__peek(p, 2) == TOKEN_FAT_ARROW) {
        return nilas_sql__call(p, name, 1, offset, out);
    }
    NILAS_TRY(nilas_sql__expect(p, TOKEN_LEFT_PAREN));
    NILAS_TRY(nilas_sql__expression(p, &arg));
    if (!nilas_sql__at2(p, NILAS_KW_IGNORE, NILAS_KW_NULLS)) {
        return continue_call(p, name, offset, arg, out);
    }

    p->position += 2;
    NILAS_TRY(nilas_sql__expect(p, TOKEN_RIGHT_PAREN));
    NILAS_TRY(new_call(p, name, 1, offset, out));
    NILAS_TRY(nilas_sql__new_args(p, *out, 1));
    (*out)->args[0] = arg;
    NILAS_TRY(nilas_sql__call_tail(p, *out));
    (*out)->ignore_nulls = true;
    return NILAS_OK;
}

static bool is_datetime_unit(nilas_str word) {
    static const char *const units[] = {"YEAR",   "QUARTER",     "MONTH",      "WEEK",
                                        "DAY",    "DAYOFYEAR",   "HOUR",       "MINUTE",
                                        "SECOND", "MILLISECOND", "MICROSECOND"};
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (nilas_str_is_nocase(word, units[i])) {
            return true;
        }
    }
    return false;
}

static void reject_unit(nilas_sql__parser *p, const nilas_expr *call) {
    nilas_sql__reject(
        p, call->offset, "INVALID_PARAMETER_VALUE.DATETIME_UNIT",
        "The value of parameter(s) `unit` in `%.*s` is invalid: expects one of the "
        "units without quotes YEAR, QUARTER, MONTH, WEEK, DAY, DAYOFYEAR, HOUR, "
        "MINUTE, SECOND, MILLISECOND, MICROSECOND, but got the string literal '%.*s'.",
        NILAS_FMT(call->parts[0]), NILAS_FMT(call->args[0]->value.text));
}

/* date_add(DAY, 1, d): the unit becomes a string literal. With two arguments it is an ordinary
 * call. */
static nilas_code parse_unit_call(nilas_sql__parser *p, nilas_expr **out) {
    int32_t offset = nilas_sql__offset(p);
    bool unit = is_datetime_unit(nilas_sql__token_text(p, 2));
    nilas_str *name;
    NILAS_TRY(take_function_name(p, &name));
    NILAS_TRY(nilas_sql__call(p, name, 1, offset, out));
    nilas_expr *call = *out;
    if (call->arg_count != 3 || call->arg_names != NULL) {
        return NILAS_OK;
    }

    nilas_expr *first = call->args[0];
    if (first->kind == NILAS_EXPR_LITERAL && first->value.kind == NILAS_VALUE_STRING) {
        reject_unit(p, call);
    } else if (unit && first->kind == NILAS_EXPR_COLUMN && first->part_count == 1) {
        NILAS_TRY(nilas_sql__literal_of(p, first->offset, nilas_type_of(NILAS_TYPE_STRING),
                                        nilas_value_of_str(first->parts[0]), &call->args[0]));
        call->args[0]->end_offset = first->end_offset;
    }
    return NILAS_OK;
}

static const struct {
    int keyword;
    nilas_code (*parse)(nilas_sql__parser *p, nilas_expr **out);
} forms[] = {
    {NILAS_KW_CAST, parse_cast},
    {NILAS_KW_TRY_CAST, parse_cast},
    {NILAS_KW_EXTRACT, parse_extract},
    {NILAS_KW_POSITION, parse_position},
    {NILAS_KW_SUBSTRING, parse_substring},
    {NILAS_KW_SUBSTR, parse_substring},
    {NILAS_KW_OVERLAY, parse_overlay},
    {NILAS_KW_TRIM, parse_trim},
    {NILAS_KW_STRUCT, parse_struct},
    {NILAS_KW_FIRST, parse_first},
    {NILAS_KW_LAST, parse_first},
    {NILAS_KW_ANY_VALUE, parse_first},
    {NILAS_KW_TIMESTAMPADD, parse_unit_call},
    {NILAS_KW_DATEADD, parse_unit_call},
    {NILAS_KW_DATE_ADD, parse_unit_call},
    {NILAS_KW_TIMESTAMPDIFF, parse_unit_call},
    {NILAS_KW_DATEDIFF, parse_unit_call},
    {NILAS_KW_DATE_DIFF, parse_unit_call},
    {NILAS_KW_TIMEDIFF, parse_unit_call},
};

nilas_code nilas_sql__special_form(nilas_sql__parser *p, nilas_expr **out) {
    int kind = nilas_sql__peek(p, 0);
    *out = NULL;
    if (kind == NILAS_KW_CASE) {
        return parse_case(p, out);
    }
    if (kind >= TOKEN_END || nilas_sql__peek(p, 1) != TOKEN_LEFT_PAREN) {
        return NILAS_OK;
    }
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        if (forms[i].keyword == kind) {
            return forms[i].parse(p, out);
        }
    }
    return NILAS_OK;
}
