/**
 * Primary expressions: literals, names, parentheses, CASE, lambdas, and what may follow them:
 * [index] .field ::type :path
 * COLLATE.
 */
#include "sql/parser.h"

// ---- names --------------------------------------------------------------------------------------

nilas_code nilas_sql__column(nilas_sql__parser *p, nilas_str *parts, size_t count, int32_t offset,
                             nilas_expr **out) {
    NILAS_TRY(nilas_sql__new_expr(p, NILAS_EXPR_COLUMN, offset, out));
    (*out)->parts = parts;
    (*out)->part_count = count;
    (*out)->end_offset = nilas_sql__end(p);
    return NILAS_OK;
}

static nilas_code parse_star(nilas_sql__parser *p, nilas_str *parts, size_t count, int32_t offset,
                             nilas_expr **out) {
    nilas_expr *star;
    NILAS_TRY(nilas_sql__new_expr(p, NILAS_EXPR_STAR, offset, &star));
    star->parts = parts;
    star->part_count = count;
    p->position++;
    *out = star;
    if (!nilas_sql__at2(p, NILAS_KW_EXCEPT, TOKEN_LEFT_PAREN) ||
        nilas_sql__looks_like_query(p, 1)) {
        star->end_offset = nilas_sql__end(p);
        return NILAS_OK;
    }

    nilas_sql__exprs columns = {0};
    p->position++;
    do {
        p->position++;
        int32_t column_offset = nilas_sql__offset(p);
        nilas_expr *column;
        nilas_str *names;
        size_t name_count;
        NILAS_TRY(nilas_sql__name(p, &names, &name_count));
        NILAS_TRY(nilas_sql__column(p, names, name_count, column_offset, &column));
        NILAS_PUSH(p->stmt, &columns, column, p->err);
    } while (nilas_sql__at(p, TOKEN_COMMA));
    NILAS_TRY(nilas_sql__expect(p, TOKEN_RIGHT_PAREN));
    star->args = columns.items;
    star->arg_count = columns.count;
    star->end_offset = nilas_sql__end(p);
    return NILAS_OK;
}

static nilas_code parse_lambda_body(nilas_sql__parser *p, nilas_sql__strs *names, int32_t offset,
                                    nilas_expr **out) {
    NILAS_TRY(nilas_sql__expect(p, TOKEN_ARROW));
    nilas_expr *lambda;
    NILAS_TRY(nilas_sql__new_expr(p, NILAS_EXPR_LAMBDA, offset, &lambda));
    NILAS_TRY(nilas_sql__new_args(p, lambda, 1));
    lambda->parts = names->items;
    lambda->part_count = names->count;
    NILAS_TRY(nilas_sql__expression(p, &lambda->args[0]));
    lambda->end_offset = nilas_sql__end(p);
    *out = lambda;
    return NILAS_OK;
}

static nilas_code parse_lambda(nilas_sql__parser *p, nilas_expr **out) {
    int32_t offset = nilas_sql__offset(p);
    bool parentheses = nilas_sql__accept(p, TOKEN_LEFT_PAREN);
    nilas_sql__strs names = {0};
    do {
        nilas_str name;
        NILAS_TRY(nilas_sql__identifier(p, &name));
        NILAS_PUSH(p->stmt, &names, name, p->err);
    } while (parentheses && nilas_sql__accept(p, TOKEN_COMMA));
    if (parentheses) {
        NILAS_TRY(nilas_sql__expect(p, TOKEN_RIGHT_PAREN));
    }
    return parse_lambda_body(p, &names, offset, out);
}

/* "(a, b) ->". */
static bool at_paren_lambda(const nilas_sql__parser *p) {
    size_t ahead = 1;
    while (nilas_sql__is_identifier(p, ahead) && nilas_sql__peek(p, ahead + 1) == TOKEN_COMMA) {
        ahead += 2;
    }
    return ahead > 1 && nilas_sql__is_identifier(p, ahead) &&
           nilas_sql__peek(p, ahead + 1) == TOKEN_RIGHT_PAREN &&
           nilas_sql__peek(p, ahead + 2) == TOKEN_ARROW;
}

/* IDENTIFIER(expression), as a column or as the name of a called function. */
static nilas_code parse_identifier_clause(nilas_sql__parser *p, nilas_expr *clause,
                                          nilas_expr **out) {
    *out = clause;
    if (!nilas_sql__at(p, TOKEN_LEFT_PAREN)) {
        return NILAS_OK;
    }
    nilas_sql__exprs args = {0};
    nilas_sql__strs names = {0};
    nilas_expr *callee = clause->args[0];
    NILAS_PUSH(p->stmt, &args, callee, p->err);
    NILAS_PUSH(p->stmt, &names, NILAS_STR_EMPTY, p->err);
    p->position++;
    if (nilas_sql__accept(p, NILAS_KW_DISTINCT)) {
        clause->distinct = true;
    } else if (nilas_sql__at(p, NILAS_KW_ALL) && !nilas_sql__is_bare_word(p)) {
        p->position++;
    }
    NILAS_TRY(nilas_sql__call_args(p, false, &args, &names));
    clause->has_call = true;
    clause->args = args.items;
    clause->arg_count = args.count;
    clause->arg_names = names.items;
    return nilas_sql__call_tail(p, clause);
}

/* a.b.c, a.b.*, a.b.f(…). */
static nilas_code parse_name(nilas_sql__parser *p, nilas_expr **out) {
    int32_t offset = nilas_sql__offset(p);
    nilas_sql__strs parts = {0};
    nilas_str *first;
    size_t first_count;
    nilas_expr *clause;
    if (nilas_sql__at2(p, NILAS_KW_IDENTIFIER, TOKEN_LEFT_PAREN)) {
        NILAS_TRY(nilas_sql__reference(p, &first, &first_count, &clause));
        if (clause != NULL) {
            return parse_identifier_clause(p, clause, out);
        }
        parts.items = first;
        parts.count = parts.capacity = first_count;
    } else {
        nilas_str part;
        NILAS_TRY(nilas_sql__identifier(p, &part));
        NILAS_PUSH(p->stmt, &parts, part, p->err);
    }

    while (nilas_sql__at(p, TOKEN_DOT)) {
        p->position++;
        if (nilas_sql__at(p, TOKEN_ASTERISK)) {
            return parse_star(p, parts.items, parts.count, offset, out);
        }
        nilas_str part;
        NILAS_TRY(nilas_sql__identifier(p, &part));
        NILAS_PUSH(p->stmt, &parts, part, p->err);
    }
    if (nilas_sql__at(p, TOKEN_LEFT_PAREN)) {
        return nilas_sql__call(p, parts.items, parts.count, offset, out);
    }
    return nilas_sql__column(p, parts.items, parts.count, offset, out);
}

// ---- literals and parameters --------------------------------------------------------------------

static nilas_code parse_word_literal(nilas_sql__parser *p, nilas_expr **out) {
    int32_t offset = nilas_sql__offset(p);
    int kind = nilas_sql__peek(p, 0);
    p->position++;
    if (kind == NILAS_KW_NULL) {
        return nilas_sql__literal_of(p, offset, nilas_type_of(NILAS_TYPE_VOID), NILAS_NULL_VALUE,
                                     out);
    }
    return nilas_sql__literal_of(p, offset, nilas_type_of(NILAS_TYPE_BOOLEAN),
                                 nilas_value_of_bool(kind == NILAS_KW_TRUE), out);
}

static nilas_code parse_parameter(nilas_sql__parser *p, nilas_expr **out) {
    nilas_expr *parameter;
    NILAS_TRY(nilas_sql__new_expr(p, NILAS_EXPR_PARAMETER, nilas_sql__offset(p), &parameter));
    if (nilas_sql__accept(p, TOKEN_QUESTION)) {
        parameter->ordinal = p->parameter_count++;
    } else {
        NILAS_TRY(nilas_sql__expect(p, TOKEN_COLON));
        NILAS_NEW(p->stmt, &parameter->parts, p->err);
        parameter->part_count = 1;
        NILAS_TRY(nilas_sql__simple_identifier(p, &parameter->parts[0]));
    }
    parameter->end_offset = nilas_sql__end(p);
    *out = parameter;
    return NILAS_OK;
}

static bool at_parameter(const nilas_sql__parser *p) {
    return nilas_sql__at(p, TOKEN_QUESTION) ||
           (nilas_sql__at(p, TOKEN_COLON) && nilas_sql__is_identifier(p, 1));
}

/* Strings and parameters in a row are one text; with a parameter among them it is their
 * concatenation. */
static nilas_code parse_strings(nilas_sql__parser *p, nilas_expr **out) {
    nilas_expr *text = NULL;
    do {
        nilas_expr *piece;
        if (at_parameter(p)) {
            NILAS_TRY(parse_parameter(p, &piece));
        } else {
            NILAS_TRY(nilas_sql__string_expr(p, &piece));
        }
        if (text == NULL) {
            text = piece;
        } else {
            NILAS_TRY(nilas_sql__binary(p, NILAS_OP_CONCAT, text, piece, &text));
        }
    } while (nilas_sql__at_string(p, 0) || at_parameter(p));
    *out = text;
    return NILAS_OK;
}

static nilas_code parse_number(nilas_sql__parser *p, nilas_expr **out) {
    int32_t offset = nilas_sql__offset(p);
    bool negative = nilas_sql__accept(p, TOKEN_MINUS);
    if (!nilas_sql__at_number(p, 0)) {
        return nilas_sql__unexpected(p);
    }
    return nilas_sql__number(p, negative, offset, out);
}

// ---- parentheses --------------------------------------------------------------------------------

static nilas_code parse_subquery(nilas_sql__parser *p, nilas_expr **out) {
    int32_t offset = nilas_sql__offset(p);
    nilas_query *query;
    NILAS_TRY(nilas_sql__paren_query(p, &query));
    NILAS_TRY(nilas_sql__new_expr(p, NILAS_EXPR_SUBQUERY, offset, out));
    (*out)->query = query;
    (*out)->end_offset = nilas_sql__end(p);
    return NILAS_OK;
}

/* (a) is a; (a, b AS c) is a row. */
static nilas_code parse_row(nilas_sql__parser *p, nilas_expr **out) {
    int32_t offset = nilas_sql__offset(p);
    nilas_expr **list;
    size_t count;
    NILAS_TRY(nilas_sql__expect(p, TOKEN_LEFT_PAREN));
    NILAS_TRY(nilas_sql__named_expressions(p, &list, &count));
    if (count == 1 && list[0]->kind == NILAS_EXPR_ALIAS) {
        if (nilas_sql__at(p, TOKEN_RIGHT_PAREN)) {
            p->position--; // only an item of a row has a name
        }
        return nilas_sql__unexpected(p);
    }
    NILAS_TRY(nilas_sql__expect(p, TOKEN_RIGHT_PAREN));
    if (count == 1) {
        *out = list[0];
        return NILAS_OK;
    }

    NILAS_TRY(nilas_sql__new_expr(p, NILAS_EXPR_ROW, offset, out));
    (*out)->args = list;
    (*out)->arg_count = count;
    (*out)->end_offset = nilas_sql__end(p);
    return NILAS_OK;
}

static nilas_code parse_parenthesized(nilas_sql__parser *p, nilas_expr **out) {
    if (at_paren_lambda(p)) {
        return parse_lambda(p, out);
    }
    if (nilas_sql__looks_like_query(p, 0)) {
        nilas_sql__mark start = nilas_sql__set_mark(p);
        nilas_code code = parse_subquery(p, out);
        if (code != NILAS_INVALID) {
            return code;
        }
        nilas_sql__back_to(p, &start);
    }
    return parse_row(p, out);
}

// ---- words --------------------------------------------------------------------------------------

bool nilas_sql__is_bare_word(const nilas_sql__parser *p) {
    switch (nilas_sql__peek(p, 1)) {
    case TOKEN_END:
    case TOKEN_SEMICOLON:
    case TOKEN_COMMA:
    case TOKEN_RIGHT_PAREN:
    case TOKEN_RIGHT_BRACKET:
    case TOKEN_DOT:
    case TOKEN_EQ:
    case TOKEN_PIPE_OPERATOR:
    case NILAS_KW_FROM:
    case NILAS_KW_AS: return true;
    default: return false;
    }
}

static nilas_code parse_word(nilas_sql__parser *p, nilas_expr **out) {
    *out = NULL;
    if (!nilas_sql__is_bare_word(p)) {
        NILAS_TRY(nilas_sql__special_form(p, out));
    }
    if (*out != NULL) {
        return NILAS_OK;
    }
    if (nilas_sql__at_interval(p)) {
        return nilas_sql__interval(p, out);
    }
    if (!nilas_sql__is_identifier(p, 0)) {
        return nilas_sql__unexpected(p);
    }
    if (nilas_sql__at_string(p, 1)) {
        return nilas_sql__typed_literal(p, out);
    }
    if (nilas_sql__peek(p, 1) == TOKEN_ARROW) {
        return parse_lambda(p, out);
    }
    return parse_name(p, out);
}

/* Words of the language that stand for themselves without parentheses even where keywords are
 * reserved. */
static bool is_current_word(int kind) {
    return kind == NILAS_KW_CURRENT_DATE || kind == NILAS_KW_CURRENT_TIME ||
           kind == NILAS_KW_CURRENT_TIMESTAMP || kind == NILAS_KW_CURRENT_USER ||
           kind == NILAS_KW_USER || kind == NILAS_KW_SESSION_USER;
}

static nilas_code parse_current_word(nilas_sql__parser *p, nilas_expr **out) {
    int32_t offset = nilas_sql__offset(p);
    nilas_str *parts;
    NILAS_NEW(p->stmt, &parts, p->err);
    parts[0] = nilas_sql__token_text(p, 0);
    p->position++;
    return nilas_sql__column(p, parts, 1, offset, out);
}

static bool is_word_literal(const nilas_sql__parser *p) {
    int next = nilas_sql__peek(p, 1);
    switch (nilas_sql__peek(p, 0)) {
    case NILAS_KW_NULL:
    case NILAS_KW_TRUE:
    case NILAS_KW_FALSE: return next != TOKEN_LEFT_PAREN;
    default: return false;
    }
}

static nilas_code parse_base(nilas_sql__parser *p, nilas_expr **out) {
    int kind = nilas_sql__peek(p, 0);
    if (nilas_sql__at_string(p, 0) || at_parameter(p)) {
        return parse_strings(p, out);
    }
    if (kind == TOKEN_LEFT_PAREN) {
        return parse_parenthesized(p, out);
    }
    if (kind == TOKEN_ASTERISK) {
        return parse_star(p, NULL, 0, nilas_sql__offset(p), out);
    }
    if (kind == TOKEN_MINUS || nilas_sql__at_number(p, 0)) {
        return parse_number(p, out);
    }
    if (is_word_literal(p)) {
        return parse_word_literal(p, out);
    }
    if (is_current_word(kind) && p->options.ansi_reserved &&
        nilas_sql__peek(p, 1) != TOKEN_LEFT_PAREN) {
        return parse_current_word(p, out);
    }
    return parse_word(p, out);
}

// ---- what follows a primary expression ----------------------------------------------------------

static nilas_code new_postfix(nilas_sql__parser *p, nilas_expr_kind kind, nilas_expr *base,
                              size_t arg_count, nilas_expr **out) {
    NILAS_TRY(nilas_sql__new_expr(p, kind, base->offset, out));
    NILAS_TRY(nilas_sql__new_args(p, *out, arg_count));
    (*out)->args[0] = base;
    return NILAS_OK;
}

static nilas_code parse_subscript(nilas_sql__parser *p, nilas_expr *base, nilas_expr **out) {
    nilas_expr *expr;
    NILAS_TRY(new_postfix(p, NILAS_EXPR_SUBSCRIPT, base, 2, &expr));
    p->position++;
    NILAS_TRY(nilas_sql__value_expression(p, &expr->args[1]));
    *out = expr;
    return nilas_sql__expect(p, TOKEN_RIGHT_BRACKET);
}

/* A field of a name lengthens the name. */
static nilas_code parse_field(nilas_sql__parser *p, nilas_expr *base, nilas_expr **out) {
    nilas_str field;
    p->position++;
    NILAS_TRY(nilas_sql__identifier(p, &field));
    if (base->kind == NILAS_EXPR_COLUMN) {
        nilas_str *parts;
        NILAS_NEW_ARRAY(p->stmt, &parts, base->part_count + 1, p->err);
        memcpy(parts, base->parts, base->part_count * sizeof(*parts));
        parts[base->part_count] = field;
        return nilas_sql__column(p, parts, base->part_count + 1, base->offset, out);
    }
    NILAS_TRY(new_postfix(p, NILAS_EXPR_FIELD, base, 1, out));
    NILAS_NEW(p->stmt, &(*out)->parts, p->err);
    (*out)->parts[0] = field;
    (*out)->part_count = 1;
    return NILAS_OK;
}

static nilas_code parse_cast(nilas_sql__parser *p, nilas_expr *base, nilas_expr **out) {
    p->position++;
    NILAS_TRY(new_postfix(p, NILAS_EXPR_CAST, base, 1, out));
    (*out)->op = NILAS_OP_CAST;
    return nilas_sql__type(p, &(*out)->type);
}

static nilas_code parse_collate(nilas_sql__parser *p, nilas_expr *base, nilas_expr **out) {
    p->position++;
    NILAS_TRY(new_postfix(p, NILAS_EXPR_COLLATE, base, 1, out));
    return nilas_sql__name(p, &(*out)->parts, &(*out)->part_count);
}

static nilas_code parse_path_bracket(nilas_sql__parser *p) {
    NILAS_TRY(nilas_sql__expect(p, TOKEN_LEFT_BRACKET));
    if (nilas_sql__at_string(p, 0) || nilas_sql__at(p, TOKEN_INTEGER) ||
        nilas_sql__is_identifier(p, 0)) {
        p->position++;
        return nilas_sql__expect(p, TOKEN_RIGHT_BRACKET);
    }
    return nilas_sql__unexpected(p);
}

/* base:a.b['c'][0]; the path is kept as written. */
static nilas_code parse_path(nilas_sql__parser *p, nilas_expr *base, nilas_expr **out) {
    p->position++;
    int32_t start = nilas_sql__offset(p);
    nilas_str part;
    if (nilas_sql__at(p, TOKEN_LEFT_BRACKET)) {
        NILAS_TRY(parse_path_bracket(p));
    } else {
        NILAS_TRY(nilas_sql__identifier(p, &part));
    }
    for (;;) {
        if (nilas_sql__at(p, TOKEN_LEFT_BRACKET)) {
            NILAS_TRY(parse_path_bracket(p));
        } else if (nilas_sql__accept(p, TOKEN_DOT)) {
            NILAS_TRY(nilas_sql__identifier(p, &part));
        } else {
            break;
        }
    }
    NILAS_TRY(nilas_sql__unary(p, NILAS_OP_VARIANT_GET, base->offset, base, out));
    (*out)->value = nilas_value_of_str(nilas_sql__text_from(p, start));
    return NILAS_OK;
}

static nilas_code parse_postfix(nilas_sql__parser *p, nilas_expr *base, nilas_expr **out) {
    *out = base;
    switch (nilas_sql__peek(p, 0)) {
    case TOKEN_LEFT_BRACKET: return parse_subscript(p, base, out);
    case TOKEN_DOT: return parse_field(p, base, out);
    case TOKEN_DOUBLE_COLON: return parse_cast(p, base, out);
    case TOKEN_COLON: return parse_path(p, base, out);
    case NILAS_KW_COLLATE: return parse_collate(p, base, out);
    default: return NILAS_OK;
    }
}

nilas_code nilas_sql__primary(nilas_sql__parser *p, nilas_expr **out) {
    nilas_expr *expr;
    NILAS_TRY(parse_base(p, &expr));
    int depth = p->depth;
    for (;;) {
        nilas_expr *longer;
        NILAS_TRY(parse_postfix(p, expr, &longer));
        if (longer == expr) {
            break;
        }
        NILAS_TRY(nilas_sql__enter(p)); // each one nests the tree
        longer->end_offset = nilas_sql__end(p);
        expr = longer;
    }
    p->depth = depth;
    *out = expr;
    return NILAS_OK;
}
