/**
 * Identifiers and dotted names. In the default mode every keyword can be a name; where a keyword
 * could also begin a clause,
 * nilas_sql__starts_clause() looks at the token after it.
 */
#include "sql/parser.h"

// ---- which tokens are names ---------------------------------------------------------------------

bool nilas_sql__is_identifier(const nilas_sql__parser *p, size_t ahead) {
    int kind = nilas_sql__peek(p, ahead);
    if (kind < TOKEN_END) {
        return !p->options.ansi_reserved || !nilas_keyword_is_reserved((nilas_keyword)kind);
    }
    return kind == TOKEN_IDENTIFIER || kind == TOKEN_QUOTED ||
           (kind == TOKEN_DOUBLE_QUOTED && p->options.double_quoted_identifiers);
}

bool nilas_sql__is_strict_identifier(const nilas_sql__parser *p, size_t ahead) {
    int kind = nilas_sql__peek(p, ahead);
    return nilas_sql__is_identifier(p, ahead) && (kind >= TOKEN_END || p->options.ansi_reserved ||
                                                  !nilas_keyword_is_strict((nilas_keyword)kind));
}

/* Whether an expression or a relation can begin here rather than the statement, a list or a
 * clause end. */
static bool begins_operand(const nilas_sql__parser *p, size_t ahead) {
    switch (nilas_sql__peek(p, ahead)) {
    case TOKEN_END:
    case TOKEN_SEMICOLON:
    case TOKEN_RIGHT_PAREN:
    case TOKEN_COMMA:
    case TOKEN_PIPE_OPERATOR:
    case TOKEN_EQ:
    case NILAS_KW_FROM: return false;
    case NILAS_KW_GROUP:
    case NILAS_KW_ORDER: return nilas_sql__peek(p, ahead + 1) != NILAS_KW_BY;
    default: return true;
    }
}

static bool begins_query(const nilas_sql__parser *p, size_t ahead) {
    switch (nilas_sql__peek(p, ahead)) {
    case NILAS_KW_ALL:
    case NILAS_KW_DISTINCT:
    case NILAS_KW_SELECT:
    case NILAS_KW_VALUES:
    case NILAS_KW_TABLE:
    case NILAS_KW_FROM:
    case NILAS_KW_MAP:
    case NILAS_KW_REDUCE:
    case TOKEN_LEFT_PAREN: return true;
    default: return false;
    }
}

bool nilas_sql__at_join(const nilas_sql__parser *p) {
    int next = nilas_sql__peek(p, 1);
    switch (nilas_sql__peek(p, 0)) {
    case NILAS_KW_JOIN: return begins_operand(p, 1);
    case NILAS_KW_CROSS:
    case NILAS_KW_INNER: return next == NILAS_KW_JOIN;
    case NILAS_KW_SEMI:
    case NILAS_KW_ANTI: return next == NILAS_KW_JOIN;
    case NILAS_KW_LEFT:
    case NILAS_KW_RIGHT:
    case NILAS_KW_FULL:
        return next == NILAS_KW_JOIN || next == NILAS_KW_OUTER || next == NILAS_KW_SEMI ||
               next == NILAS_KW_ANTI;
    case NILAS_KW_NATURAL: return next < TOKEN_END;
    default: return false;
    }
}

static bool begins_tail(const nilas_sql__parser *p) {
    int next = nilas_sql__peek(p, 1);
    switch (nilas_sql__peek(p, 0)) {
    case NILAS_KW_UNION:
    case NILAS_KW_INTERSECT:
    case NILAS_KW_EXCEPT:
    case NILAS_KW_MINUS: return begins_query(p, 1);
    case NILAS_KW_GROUP:
    case NILAS_KW_ORDER:
    case NILAS_KW_SORT:
    case NILAS_KW_CLUSTER:
    case NILAS_KW_DISTRIBUTE: return next == NILAS_KW_BY;
    case NILAS_KW_LIMIT:
    case NILAS_KW_OFFSET: return begins_operand(p, 1);
    case NILAS_KW_GROUPING: return next == NILAS_KW_SETS;
    case NILAS_KW_WINDOW: return nilas_sql__peek(p, 2) == NILAS_KW_AS;
    case NILAS_KW_INSERT: return next == NILAS_KW_INTO || next == NILAS_KW_OVERWRITE;
    case NILAS_KW_LATERAL: return next == NILAS_KW_VIEW || next == NILAS_KW_JOIN;
    case NILAS_KW_PIVOT:
    case NILAS_KW_TABLESAMPLE: return next == TOKEN_LEFT_PAREN;
    case NILAS_KW_UNPIVOT:
        return next == TOKEN_LEFT_PAREN || next == NILAS_KW_INCLUDE || next == NILAS_KW_EXCLUDE;
    case NILAS_KW_WITH:
        return next == TOKEN_LEFT_PAREN || next == NILAS_KW_ROLLUP || next == NILAS_KW_CUBE;
    default: return nilas_sql__at_join(p);
    }
}

bool nilas_sql__starts_clause(const nilas_sql__parser *p) {
    switch (nilas_sql__peek(p, 0)) {
    case NILAS_KW_FROM:
    case NILAS_KW_WHERE:
    case NILAS_KW_HAVING:
    case NILAS_KW_SELECT:
    case NILAS_KW_WHEN:
    case NILAS_KW_ON: return begins_operand(p, 1);
    case NILAS_KW_USING:
    case NILAS_KW_WATERMARK: return begins_operand(p, 1);
    case NILAS_KW_MAP:
    case NILAS_KW_REDUCE:
        return nilas_sql__is_identifier(p, 1) && nilas_sql__peek(p, 2) == TOKEN_DOT;
    case NILAS_KW_AS:
    case NILAS_KW_FOR:
    case NILAS_KW_INTO: return true;
    default: return begins_tail(p);
    }
}

// ---- identifiers --------------------------------------------------------------------------------

static void reject_identifier(nilas_sql__parser *p, int32_t offset, nilas_str name) {
    nilas_sql__reject(
        p, offset, "INVALID_IDENTIFIER",
        "The unquoted identifier %.*s is invalid and must be back quoted as: `%.*s`.\n"
        "Unquoted identifiers can only contain ASCII letters ('a' - 'z', 'A' - 'Z'), digits ('0' - "
        "'9'), and underbar ('_').\nUnquoted identifiers must also not start with a digit.\n"
        "Different data sources and meta stores may impose additional restrictions on valid "
        "identifiers.",
        NILAS_FMT(name), NILAS_FMT(name));
}

/* Without the quotes, doubled quotes as one. */
static nilas_code unquote(nilas_sql__parser *p, nilas_str token, nilas_str *out) {
    char quote = token.data[0];
    nilas_str inner = nilas_str_slice(token, 1, token.size - 2);
    if (memchr(inner.data, quote, inner.size) == NULL) {
        *out = inner;
        return NILAS_OK;
    }

    char *name;
    NILAS_NEW_ARRAY(p->stmt, &name, inner.size, p->err);
    size_t size = 0;
    for (size_t i = 0; i < inner.size; i++) {
        name[size++] = inner.data[i];
        i += inner.data[i] == quote;
    }
    *out = (nilas_str){.data = name, .size = size};
    return NILAS_OK;
}

static bool is_ascii_word(nilas_str name) {
    for (size_t i = 0; i < name.size; i++) {
        unsigned char c = (unsigned char)name.data[i];
        if (c >= 0x80 || strchr("/-.?=&#%:", c) != NULL) {
            return false;
        }
    }
    return true;
}

nilas_code nilas_sql__simple_identifier(nilas_sql__parser *p, nilas_str *out) {
    int kind = nilas_sql__peek(p, 0);
    nilas_str token = nilas_sql__token_text(p, 0);
    if (!nilas_sql__is_identifier(p, 0)) {
        return nilas_sql__unexpected(p);
    }
    if (kind == TOKEN_QUOTED || kind == TOKEN_DOUBLE_QUOTED) {
        p->position++;
        return unquote(p, token, out);
    }
    if (kind == TOKEN_IDENTIFIER && !is_ascii_word(token)) {
        reject_identifier(p, nilas_sql__offset(p), token);
    }
    p->position++;
    *out = token;
    return NILAS_OK;
}

/* Whether IDENTIFIER('literal') stands here: Spark folds it into the name it spells. */
static bool at_identifier_literal(const nilas_sql__parser *p) {
    return nilas_sql__at2(p, NILAS_KW_IDENTIFIER, TOKEN_LEFT_PAREN) && nilas_sql__at_string(p, 2);
}

/* Note the error of the text inside IDENTIFIER('…') as this statement's. */
static void reject_as(nilas_sql__parser *p, const nilas_error *inner, int32_t offset) {
    if (!p->has_rejected) {
        p->rejected = *inner;
        p->rejected.sql_offset = offset;
        p->has_rejected = true;
    }
}

static nilas_code take_identifier_literal(nilas_sql__parser *p, nilas_str **out_parts,
                                          size_t *out_count) {
    int32_t offset = nilas_sql__offset(p);
    nilas_str text;
    p->position += 2;
    NILAS_TRY(nilas_sql__string(p, &text));
    NILAS_TRY(nilas_sql__expect(p, TOKEN_RIGHT_PAREN));

    nilas_error inner = NILAS_ERROR_INIT;
    nilas_code code = nilas_sql_parse_name(p->stmt, text, out_parts, out_count, &inner);
    if (code != NILAS_OK) {
        reject_as(p, &inner, offset);
        NILAS_NEW(p->stmt, out_parts, p->err);
        **out_parts = text;
        *out_count = 1;
    }
    return NILAS_OK;
}

nilas_code nilas_sql__identifier(nilas_sql__parser *p, nilas_str *out) {
    if (!at_identifier_literal(p)) {
        return nilas_sql__simple_identifier(p, out);
    }

    int32_t offset = nilas_sql__offset(p);
    nilas_str *parts;
    size_t count;
    NILAS_TRY(take_identifier_literal(p, &parts, &count));
    if (count > 1) {
        NILAS_AUTO_BUF quoted = NILAS_BUF_INIT(0);
        nilas_name_print_quoted(&quoted, parts, count);
        nilas_sql__reject(p, offset, "IDENTIFIER_TOO_MANY_NAME_PARTS",
                          "%.*s is not a valid identifier as it has more than 1 name parts.",
                          NILAS_FMT(nilas_buf_view(&quoted)));
    }
    *out = parts[0];
    return NILAS_OK;
}

/* "a-b": Spark names what was meant. */
static nilas_code take_dashed(nilas_sql__parser *p, int32_t offset) {
    bool dashed = false;
    while (nilas_sql__at(p, TOKEN_MINUS) && nilas_sql__is_identifier(p, 1)) {
        nilas_str rest;
        p->position++;
        NILAS_TRY(nilas_sql__simple_identifier(p, &rest));
        dashed = true;
    }
    if (dashed) {
        reject_identifier(p, offset, nilas_sql__text_from(p, offset));
    }
    return NILAS_OK;
}

nilas_code nilas_sql__captured_identifier(nilas_sql__parser *p, nilas_str *out) {
    int32_t offset = nilas_sql__offset(p);
    NILAS_TRY(nilas_sql__identifier(p, out));
    return take_dashed(p, offset);
}

// ---- names --------------------------------------------------------------------------------------

nilas_code nilas_sql__name(nilas_sql__parser *p, nilas_str **out_parts, size_t *out_count) {
    nilas_sql__strs parts = {0};
    do {
        int32_t offset = nilas_sql__offset(p);
        if (at_identifier_literal(p)) {
            nilas_str *literal;
            size_t count;
            NILAS_TRY(take_identifier_literal(p, &literal, &count));
            for (size_t i = 0; i < count; i++) {
                NILAS_PUSH(p->stmt, &parts, literal[i], p->err);
            }
        } else {
            nilas_str part;
            NILAS_TRY(nilas_sql__simple_identifier(p, &part));
            NILAS_PUSH(p->stmt, &parts, part, p->err);
        }
        NILAS_TRY(take_dashed(p, offset));
    } while (nilas_sql__accept(p, TOKEN_DOT));
    *out_parts = parts.items;
    *out_count = parts.count;
    return NILAS_OK;
}

nilas_code nilas_sql__names(nilas_sql__parser *p, nilas_str ***out_parts, size_t **out_part_counts,
                            size_t *out_count) {
    NILAS_ARRAY_OF(nilas_str *) names = {0};
    NILAS_ARRAY_OF(size_t) counts = {0};

    do {
        nilas_str *parts;
        size_t count;
        NILAS_TRY(nilas_sql__name(p, &parts, &count));
        NILAS_PUSH(p->stmt, &names, parts, p->err);
        NILAS_PUSH(p->stmt, &counts, count, p->err);
    } while (nilas_sql__accept(p, TOKEN_COMMA));
    *out_parts = names.items;
    *out_part_counts = counts.items;
    *out_count = names.count;
    return NILAS_OK;
}

nilas_code nilas_sql__reference(nilas_sql__parser *p, nilas_str **out_parts, size_t *out_count,
                                nilas_expr **out_expr) {
    *out_expr = NULL;
    if (!nilas_sql__at2(p, NILAS_KW_IDENTIFIER, TOKEN_LEFT_PAREN)) {
        return nilas_sql__name(p, out_parts, out_count);
    }
    nilas_sql__mark start = nilas_sql__set_mark(p);
    if (at_identifier_literal(p)) {
        nilas_code code = nilas_sql__name(p, out_parts, out_count);
        if (code != NILAS_INVALID) {
            return code;
        }
        nilas_sql__back_to(p, &start); // a longer expression that begins with a literal
    }

    nilas_expr *expr;
    NILAS_TRY(nilas_sql__new_expr(p, NILAS_EXPR_IDENTIFIER, nilas_sql__offset(p), &expr));
    NILAS_TRY(nilas_sql__new_args(p, expr, 1));
    p->position += 2;
    NILAS_TRY(nilas_sql__expression(p, &expr->args[0]));
    NILAS_TRY(nilas_sql__expect(p, TOKEN_RIGHT_PAREN));
    expr->end_offset = nilas_sql__end(p);
    *out_parts = NULL;
    *out_count = 0;
    *out_expr = expr;
    return NILAS_OK;
}

nilas_code nilas_sql__identifier_seq(nilas_sql__parser *p, nilas_str **out, size_t *out_count) {
    nilas_sql__strs names = {0};
    do {
        nilas_str name;
        NILAS_TRY(nilas_sql__captured_identifier(p, &name));
        NILAS_PUSH(p->stmt, &names, name, p->err);
    } while (nilas_sql__accept(p, TOKEN_COMMA));
    *out = names.items;
    *out_count = names.count;
    return NILAS_OK;
}

nilas_code nilas_sql__identifier_list(nilas_sql__parser *p, nilas_str **out, size_t *out_count) {
    NILAS_TRY(nilas_sql__expect(p, TOKEN_LEFT_PAREN));
    NILAS_TRY(nilas_sql__identifier_seq(p, out, out_count));
    return nilas_sql__expect(p, TOKEN_RIGHT_PAREN);
}

nilas_code nilas_sql__table_alias(nilas_sql__parser *p, nilas_str *out, bool *has_alias,
                                  nilas_str **out_columns, size_t *out_count) {
    bool named_as = nilas_sql__at2(p, NILAS_KW_AS, TOKEN_LEFT_PAREN); // AS (a, b): an alias "as"
    bool as = !named_as && nilas_sql__accept(p, NILAS_KW_AS);
    *has_alias = false;
    if (as && !nilas_sql__is_strict_identifier(p, 0)) {
        return nilas_sql__unexpected(p);
    }
    if (!as && !named_as &&
        (!nilas_sql__is_strict_identifier(p, 0) || nilas_sql__starts_clause(p))) {
        return NILAS_OK;
    }

    NILAS_TRY(nilas_sql__identifier(p, out));
    *has_alias = true;
    if (nilas_sql__at(p, TOKEN_LEFT_PAREN)) {
        NILAS_TRY(nilas_sql__identifier_list(p, out_columns, out_count));
    }
    return NILAS_OK;
}
