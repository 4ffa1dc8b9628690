/**
 * Expressions: boolean operators and predicates over value expressions, as in Spark's grammar, by
 * precedence climbing.
 * Chains of operators are read in loops; only nesting recurses, and counts against
 * NILAS_LIMIT_SQL_DEPTH.
 */
#include "sql/parser.h"

static nilas_code parse_boolean(nilas_sql__parser *p, int min_level, nilas_expr **out);
static nilas_code parse_value(nilas_sql__parser *p, int min_level, nilas_expr **out);

// ---- nodes --------------------------------------------------------------------------------------

nilas_code nilas_sql__new_expr(nilas_sql__parser *p, nilas_expr_kind kind, int32_t offset,
                               nilas_expr **out) {
    return nilas_expr_new(p->stmt, kind, offset, out, p->err);
}

nilas_code nilas_sql__new_args(nilas_sql__parser *p, nilas_expr *expr, size_t count) {
    NILAS_NEW_ARRAY(p->stmt, &expr->args, count, p->err);
    expr->arg_count = count;
    return NILAS_OK;
}

nilas_code nilas_sql__unary(nilas_sql__parser *p, nilas_operator op, int32_t offset,
                            nilas_expr *arg, nilas_expr **out) {
    NILAS_TRY(nilas_sql__new_expr(p, NILAS_EXPR_UNARY, offset, out));
    NILAS_TRY(nilas_sql__new_args(p, *out, 1));
    (*out)->op = op;
    (*out)->args[0] = arg;
    (*out)->end_offset = nilas_sql__end(p);
    return NILAS_OK;
}

nilas_code nilas_sql__binary(nilas_sql__parser *p, nilas_operator op, nilas_expr *left,
                             nilas_expr *right, nilas_expr **out) {
    nilas_assert(left != NULL && right != NULL);
    nilas_expr *expr;
    NILAS_TRY(nilas_sql__new_expr(p, NILAS_EXPR_BINARY, left->offset, &expr));
    NILAS_TRY(nilas_sql__new_args(p, expr, 2));
    expr->op = op;
    expr->args[0] = left;
    expr->args[1] = right;
    expr->end_offset = nilas_sql__end(p);
    *out = expr;
    return NILAS_OK;
}

/* A predicate over `left`, which becomes its first argument. */
static nilas_code new_predicate(nilas_sql__parser *p, nilas_expr_kind kind, nilas_expr *left,
                                size_t arg_count, nilas_expr **out) {
    NILAS_TRY(nilas_sql__new_expr(p, kind, left->offset, out));
    NILAS_TRY(nilas_sql__new_args(p, *out, arg_count));
    (*out)->args[0] = left;
    return NILAS_OK;
}

/* `left`, then the list. */
static nilas_code prepend(nilas_sql__parser *p, nilas_expr *expr, nilas_expr *left,
                          nilas_expr *const *list, size_t count) {
    NILAS_TRY(nilas_sql__new_args(p, expr, count + 1));
    expr->args[0] = left;
    for (size_t i = 0; i < count; i++) {
        expr->args[i + 1] = list[i];
    }
    return NILAS_OK;
}

// ---- boolean expressions ------------------------------------------------------------------------

enum { LEVEL_OR = 1, LEVEL_AND = 2, LEVEL_NOT = 3 };

static nilas_code continue_boolean(nilas_sql__parser *p, int min_level, nilas_expr *left,
                                   nilas_expr **out) {
    for (;;) {
        int kind = nilas_sql__peek(p, 0);
        int level = kind == NILAS_KW_AND ? LEVEL_AND : (kind == NILAS_KW_OR ? LEVEL_OR : 0);
        if (level == 0 || level < min_level) {
            *out = left;
            return NILAS_OK;
        }
        p->position++;
        nilas_expr *right;
        NILAS_TRY(parse_boolean(p, level + 1, &right));
        NILAS_TRY(nilas_sql__binary(p, level == LEVEL_AND ? NILAS_OP_AND : NILAS_OP_OR, left, right,
                                    &left));
    }
}

static nilas_code parse_not(nilas_sql__parser *p, nilas_expr **out) {
    int32_t offset = nilas_sql__offset(p);
    nilas_expr *operand;
    p->position++;
    NILAS_TRY(nilas_sql__enter(p));
    NILAS_TRY(parse_boolean(p, LEVEL_NOT, &operand));
    nilas_sql__leave(p);
    return nilas_sql__unary(p, NILAS_OP_NOT, offset, operand, out);
}

/* EXISTS (query); exists(array, function) is a call. */
static nilas_code parse_exists(nilas_sql__parser *p, nilas_expr **out) {
    nilas_sql__mark start = nilas_sql__set_mark(p);
    int32_t offset = nilas_sql__offset(p);
    nilas_query *query;
    p->position++;
    nilas_code code = nilas_sql__paren_query(p, &query);
    if (code == NILAS_INVALID) {
        nilas_sql__back_to(p, &start);
        *out = NULL;
        return NILAS_OK;
    }
    NILAS_TRY(code);
    NILAS_TRY(nilas_sql__new_expr(p, NILAS_EXPR_EXISTS, offset, out));
    (*out)->query = query;
    (*out)->end_offset = nilas_sql__end(p);
    return NILAS_OK;
}

static nilas_code parse_predicate(nilas_sql__parser *p, nilas_expr *left, nilas_expr **out);

static nilas_code parse_boolean(nilas_sql__parser *p, int min_level, nilas_expr **out) {
    nilas_expr *left = NULL;
    if ((nilas_sql__at(p, NILAS_KW_NOT) && !nilas_sql__is_bare_word(p)) ||
        nilas_sql__at(p, TOKEN_BANG)) {
        NILAS_TRY(parse_not(p, &left));
        return continue_boolean(p, min_level, left, out);
    }
    if (nilas_sql__at2(p, NILAS_KW_EXISTS, TOKEN_LEFT_PAREN) && nilas_sql__looks_like_query(p, 1)) {
        NILAS_TRY(parse_exists(p, &left));
    }
    if (left == NULL) {
        NILAS_TRY(parse_value(p, 1, &left));
        NILAS_TRY(parse_predicate(p, left, &left));
    }
    return continue_boolean(p, min_level, left, out);
}

nilas_code nilas_sql__expression(nilas_sql__parser *p, nilas_expr **out) {
    NILAS_TRY(nilas_sql__enter(p));
    NILAS_TRY(parse_boolean(p, LEVEL_OR, out));
    nilas_sql__leave(p);
    return NILAS_OK;
}

// ---- predicates ---------------------------------------------------------------------------------

static nilas_code parse_between(nilas_sql__parser *p, nilas_expr *left, nilas_expr **out) {
    nilas_expr *expr;
    NILAS_TRY(new_predicate(p, NILAS_EXPR_BETWEEN, left, 3, &expr));
    NILAS_TRY(parse_value(p, 1, &expr->args[1]));
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_AND));
    NILAS_TRY(parse_value(p, 1, &expr->args[2]));
    *out = expr;
    return NILAS_OK;
}

static nilas_code parse_in_query(nilas_sql__parser *p, nilas_expr *left, nilas_expr **out) {
    nilas_query *query;
    NILAS_TRY(nilas_sql__paren_query(p, &query));
    nilas_expr *expr;
    NILAS_TRY(new_predicate(p, NILAS_EXPR_IN_QUERY, left, 1, &expr));
    if (left->kind == NILAS_EXPR_ROW) {
        expr->args = left->args;
        expr->arg_count = left->arg_count;
    }
    expr->query = query;
    *out = expr;
    return NILAS_OK;
}

static nilas_code parse_in(nilas_sql__parser *p, nilas_expr *left, nilas_expr **out) {
    if (nilas_sql__looks_like_query(p, 0)) {
        nilas_sql__mark start = nilas_sql__set_mark(p);
        nilas_code code = parse_in_query(p, left, out);
        if (code != NILAS_INVALID) {
            return code;
        }
        nilas_sql__back_to(p, &start);
    }

    nilas_expr **list;
    size_t count;
    NILAS_TRY(nilas_sql__expect(p, TOKEN_LEFT_PAREN));
    NILAS_TRY(nilas_sql__expressions(p, &list, &count));
    NILAS_TRY(nilas_sql__expect(p, TOKEN_RIGHT_PAREN));
    NILAS_TRY(nilas_sql__new_expr(p, NILAS_EXPR_IN, left->offset, out));
    return prepend(p, *out, left, list, count);
}

static nilas_code parse_like_quantified(nilas_sql__parser *p, nilas_expr *left, nilas_expr *expr) {
    int32_t offset = nilas_sql__offset(p);
    nilas_expr **list = NULL;
    size_t count = 0;
    expr->quantifier = nilas_sql__at(p, NILAS_KW_ALL) ? NILAS_QUANTIFIER_ALL : NILAS_QUANTIFIER_ANY;
    p->position += 2;
    if (nilas_sql__at(p, TOKEN_RIGHT_PAREN)) {
        nilas_sql__reject(p, offset, "_LEGACY_ERROR_TEMP_0064",
                          "Expected something between '(' and ')'.");
    } else {
        NILAS_TRY(nilas_sql__expressions(p, &list, &count));
    }
    NILAS_TRY(nilas_sql__expect(p, TOKEN_RIGHT_PAREN));
    return prepend(p, expr, left, list, count);
}

static nilas_code parse_escape(nilas_sql__parser *p, nilas_str *out) {
    int32_t offset = nilas_sql__offset(p);
    NILAS_TRY(nilas_sql__string(p, out));
    if (nilas_str_codepoints(*out) != 1) {
        nilas_sql__reject(p, offset, "INVALID_ESC",
                          "Found an invalid escape string: '%.*s'. The escape string must contain "
                          "only one character.",
                          NILAS_FMT(*out));
    }
    return NILAS_OK;
}

static nilas_code parse_like(nilas_sql__parser *p, nilas_operator op, nilas_expr *left,
                             nilas_expr **out) {
    nilas_expr *expr;
    NILAS_TRY(new_predicate(p, NILAS_EXPR_LIKE, left, 2, &expr));
    expr->op = op;
    *out = expr;
    int kind = nilas_sql__peek(p, 0);
    bool quantified = kind == NILAS_KW_ANY || kind == NILAS_KW_SOME || kind == NILAS_KW_ALL;
    if (op != NILAS_OP_RLIKE && quantified && nilas_sql__peek(p, 1) == TOKEN_LEFT_PAREN) {
        return parse_like_quantified(p, left, expr);
    }
    NILAS_TRY(parse_value(p, 1, &expr->args[1]));
    if (op != NILAS_OP_RLIKE && nilas_sql__accept(p, NILAS_KW_ESCAPE)) {
        NILAS_TRY(parse_escape(p, &expr->escape));
    }
    return NILAS_OK;
}

static nilas_code parse_is(nilas_sql__parser *p, nilas_expr *left, nilas_expr **out) {
    nilas_expr *expr;
    NILAS_TRY(new_predicate(p, NILAS_EXPR_IS, left, 1, &expr));
    expr->negated = nilas_sql__accept(p, NILAS_KW_NOT) || nilas_sql__accept(p, TOKEN_BANG);
    *out = expr;
    switch (nilas_sql__peek(p, 0)) {
    case NILAS_KW_NULL: expr->op = NILAS_OP_IS_NULL; break;
    case NILAS_KW_TRUE: expr->op = NILAS_OP_IS_TRUE; break;
    case NILAS_KW_FALSE: expr->op = NILAS_OP_IS_FALSE; break;
    case NILAS_KW_UNKNOWN: expr->op = NILAS_OP_IS_UNKNOWN; break;
    case NILAS_KW_DISTINCT: {
        nilas_expr *right;
        p->position++;
        NILAS_TRY(nilas_sql__expect(p, NILAS_KW_FROM));
        NILAS_TRY(parse_value(p, 1, &right));
        expr->op = NILAS_OP_IS_DISTINCT;
        return prepend(p, expr, left, &right, 1);
    }
    default: return nilas_sql__unexpected(p);
    }
    p->position++;
    return NILAS_OK;
}

static bool is_predicate_word(const nilas_sql__parser *p, size_t ahead) {
    switch (nilas_sql__peek(p, ahead)) {
    case NILAS_KW_BETWEEN:
    case NILAS_KW_RLIKE:
    case NILAS_KW_LIKE:
    case NILAS_KW_ILIKE: return true;
    case NILAS_KW_IN: return nilas_sql__peek(p, ahead + 1) == TOKEN_LEFT_PAREN;
    default: return false;
    }
}

static nilas_code parse_worded(nilas_sql__parser *p, nilas_expr *left, nilas_expr **out) {
    int kind = nilas_sql__peek(p, 0);
    p->position++;
    switch (kind) {
    case NILAS_KW_BETWEEN: return parse_between(p, left, out);
    case NILAS_KW_IN: return parse_in(p, left, out);
    case NILAS_KW_RLIKE: return parse_like(p, NILAS_OP_RLIKE, left, out);
    case NILAS_KW_ILIKE: return parse_like(p, NILAS_OP_ILIKE, left, out);
    default: return parse_like(p, NILAS_OP_LIKE, left, out);
    }
}

/* At most one predicate follows a value expression. */
static nilas_code parse_predicate(nilas_sql__parser *p, nilas_expr *left, nilas_expr **out) {
    bool negated = nilas_sql__at(p, NILAS_KW_NOT) || nilas_sql__at(p, TOKEN_BANG);
    *out = left;
    if (is_predicate_word(p, negated)) {
        p->position += negated;
        NILAS_TRY(parse_worded(p, left, out));
        (*out)->negated = negated;
    } else if (nilas_sql__at(p, NILAS_KW_IS)) {
        p->position++;
        NILAS_TRY(parse_is(p, left, out));
    }
    (*out)->end_offset = nilas_sql__end(p);
    return NILAS_OK;
}

// ---- value expressions --------------------------------------------------------------------------

static const struct {
    int kind;
    int level;
    nilas_operator op;
} value_operators[] = {
    {TOKEN_ASTERISK, 7, NILAS_OP_MULTIPLY},
    {TOKEN_SLASH, 7, NILAS_OP_DIVIDE},
    {TOKEN_PERCENT, 7, NILAS_OP_MODULO},
    {NILAS_KW_DIV, 7, NILAS_OP_DIV},
    {TOKEN_PLUS, 6, NILAS_OP_ADD},
    {TOKEN_MINUS, 6, NILAS_OP_SUBTRACT},
    {TOKEN_CONCAT, 6, NILAS_OP_CONCAT},
    {TOKEN_SHIFT_LEFT, 5, NILAS_OP_SHIFT_LEFT},
    {TOKEN_SHIFT_RIGHT, 5, NILAS_OP_SHIFT_RIGHT},
    {TOKEN_SHIFT_RIGHT_UNSIGNED, 5, NILAS_OP_SHIFT_RIGHT_UNSIGNED},
    {TOKEN_AMPERSAND, 4, NILAS_OP_BIT_AND},
    {TOKEN_HAT, 3, NILAS_OP_BIT_XOR},
    {TOKEN_PIPE, 2, NILAS_OP_BIT_OR},
    {TOKEN_EQ, 1, NILAS_OP_EQ},
    {TOKEN_NULL_SAFE_EQ, 1, NILAS_OP_NULL_SAFE_EQ},
    {TOKEN_NOT_EQ, 1, NILAS_OP_NOT_EQ},
    {TOKEN_LT, 1, NILAS_OP_LT},
    {TOKEN_LT_EQ, 1, NILAS_OP_LT_EQ},
    {TOKEN_GT, 1, NILAS_OP_GT},
    {TOKEN_GT_EQ, 1, NILAS_OP_GT_EQ},
};

/* Index of the operator at the current token, or -1. */
static int find_value_operator(const nilas_sql__parser *p) {
    int kind = nilas_sql__peek(p, 0);
    for (size_t i = 0; i < sizeof(value_operators) / sizeof(value_operators[0]); i++) {
        if (value_operators[i].kind == kind) {
            return (int)i;
        }
    }
    return -1;
}

static nilas_code parse_unary(nilas_sql__parser *p, nilas_expr **out) {
    int kind = nilas_sql__peek(p, 0);
    bool negative_number = kind == TOKEN_MINUS && nilas_sql__at_number(p, 1);
    if (negative_number || (kind != TOKEN_MINUS && kind != TOKEN_PLUS && kind != TOKEN_TILDE)) {
        return nilas_sql__primary(p, out);
    }

    int32_t offset = nilas_sql__offset(p);
    nilas_expr *operand;
    p->position++;
    NILAS_TRY(nilas_sql__enter(p));
    NILAS_TRY(parse_unary(p, &operand));
    nilas_sql__leave(p);
    nilas_operator op = kind == TOKEN_MINUS
                            ? NILAS_OP_NEGATE
                            : (kind == TOKEN_PLUS ? NILAS_OP_PLUS : NILAS_OP_BIT_NOT);
    return nilas_sql__unary(p, op, offset, operand, out);
}

static nilas_code continue_value(nilas_sql__parser *p, int min_level, nilas_expr *left,
                                 nilas_expr **out) {
    for (;;) {
        int i = find_value_operator(p);
        if (i < 0 || value_operators[i].level < min_level) {
            *out = left;
            return NILAS_OK;
        }
        p->position++;
        nilas_expr *right;
        NILAS_TRY(parse_value(p, value_operators[i].level + 1, &right));
        NILAS_TRY(nilas_sql__binary(p, value_operators[i].op, left, right, &left));
    }
}

static nilas_code parse_value(nilas_sql__parser *p, int min_level, nilas_expr **out) {
    nilas_expr *left;
    NILAS_TRY(parse_unary(p, &left));
    return continue_value(p, min_level, left, out);
}

nilas_code nilas_sql__value_expression(nilas_sql__parser *p, nilas_expr **out) {
    NILAS_TRY(nilas_sql__enter(p));
    NILAS_TRY(parse_value(p, 1, out));
    nilas_sql__leave(p);
    return NILAS_OK;
}

nilas_code nilas_sql__continue_expression(nilas_sql__parser *p, nilas_expr *left,
                                          nilas_expr **out) {
    NILAS_TRY(continue_value(p, 1, left, &left));
    NILAS_TRY(parse_predicate(p, left, &left));
    return continue_boolean(p, LEVEL_OR, left, out);
}

// ---- lists and aliases --------------------------------------------------------------------------

nilas_code nilas_sql__expressions(nilas_sql__parser *p, nilas_expr ***out, size_t *out_count) {
    nilas_sql__exprs list = {0};
    do {
        nilas_expr *expr;
        NILAS_TRY(nilas_sql__expression(p, &expr));
        NILAS_PUSH(p->stmt, &list, expr, p->err);
    } while (nilas_sql__accept(p, TOKEN_COMMA));
    *out = list.items;
    *out_count = list.count;
    return NILAS_OK;
}

static nilas_code parse_alias(nilas_sql__parser *p, nilas_expr *child, nilas_expr **out) {
    nilas_expr *alias;
    NILAS_TRY(nilas_sql__new_expr(p, NILAS_EXPR_ALIAS, child->offset, &alias));
    NILAS_TRY(nilas_sql__new_args(p, alias, 1));
    alias->args[0] = child;
    if (nilas_sql__at(p, TOKEN_LEFT_PAREN)) {
        NILAS_TRY(nilas_sql__identifier_list(p, &alias->parts, &alias->part_count));
    } else {
        NILAS_NEW(p->stmt, &alias->parts, p->err);
        alias->part_count = 1;
        NILAS_TRY(nilas_sql__captured_identifier(p, &alias->parts[0]));
    }
    alias->end_offset = nilas_sql__end(p);
    *out = alias;
    return NILAS_OK;
}

nilas_code nilas_sql__named_expression(nilas_sql__parser *p, nilas_expr **out) {
    nilas_expr *expr;
    NILAS_TRY(nilas_sql__expression(p, &expr));
    bool word = nilas_sql__is_identifier(p, 0) && !nilas_sql__starts_clause(p);
    if (nilas_sql__accept(p, NILAS_KW_AS) || word || nilas_sql__at(p, TOKEN_LEFT_PAREN)) {
        return parse_alias(p, expr, out);
    }
    *out = expr;
    return NILAS_OK;
}

nilas_code nilas_sql__named_expressions(nilas_sql__parser *p, nilas_expr ***out,
                                        size_t *out_count) {
    nilas_sql__exprs list = {0};
    do {
        nilas_expr *expr;
        NILAS_TRY(nilas_sql__named_expression(p, &expr));
        NILAS_PUSH(p->stmt, &list, expr, p->err);
    } while (nilas_sql__accept(p, TOKEN_COMMA));
    *out = list.items;
    *out_count = list.count;
    return NILAS_OK;
}

nilas_code nilas_sql__sort_item(nilas_sql__parser *p, nilas_expr *key, nilas_expr **out) {
    NILAS_TRY(nilas_sql__new_expr(p, NILAS_EXPR_SORT, key->offset, out));
    NILAS_TRY(nilas_sql__new_args(p, *out, 1));
    (*out)->args[0] = key;
    (*out)->descending = nilas_sql__accept(p, NILAS_KW_DESC);
    if (!(*out)->descending) {
        nilas_sql__accept(p, NILAS_KW_ASC);
    }
    if (nilas_sql__accept(p, NILAS_KW_NULLS)) {
        (*out)->has_nulls_order = true;
        (*out)->nulls_first = nilas_sql__accept(p, NILAS_KW_FIRST);
        if (!(*out)->nulls_first) {
            NILAS_TRY(nilas_sql__expect(p, NILAS_KW_LAST));
        }
    }
    (*out)->end_offset = nilas_sql__end(p);
    return NILAS_OK;
}

nilas_code nilas_sql__sort_items(nilas_sql__parser *p, nilas_expr ***out, size_t *out_count) {
    nilas_sql__exprs list = {0};
    do {
        nilas_expr *key, *item;
        NILAS_TRY(nilas_sql__expression(p, &key));
        NILAS_TRY(nilas_sql__sort_item(p, key, &item));
        NILAS_PUSH(p->stmt, &list, item, p->err);
    } while (nilas_sql__accept(p, TOKEN_COMMA));
    *out = list.items;
    *out_count = list.count;
    return NILAS_OK;
}
