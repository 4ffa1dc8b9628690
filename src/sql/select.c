/** SELECT: hints, list, FROM, WHERE, GROUP BY, HAVING, WINDOW; and VALUES. */
#include "sql/parser.h"

// ---- hints --------------------------------------------------------------------------------------

static nilas_code parse_hint(nilas_sql__parser *p, nilas_hint *hint) {
    *hint = (nilas_hint){0};
    NILAS_TRY(nilas_sql__simple_identifier(p, &hint->name));
    if (!nilas_sql__accept(p, TOKEN_LEFT_PAREN)) {
        return NILAS_OK;
    }
    nilas_sql__exprs args = {0};
    do {
        nilas_expr *arg;
        NILAS_TRY(nilas_sql__primary(p, &arg));
        NILAS_PUSH(p->stmt, &args, arg, p->err);
    } while (nilas_sql__accept(p, TOKEN_COMMA));
    hint->args = args.items;
    hint->arg_count = args.count;
    return nilas_sql__expect(p, TOKEN_RIGHT_PAREN);
}

static nilas_code parse_hints(nilas_sql__parser *p, nilas_query *select) {
    NILAS_ARRAY_OF(nilas_hint) hints = {0};
    while (nilas_sql__accept(p, TOKEN_HINT_START)) {
        do {
            nilas_hint hint;
            NILAS_TRY(parse_hint(p, &hint));
            NILAS_PUSH(p->stmt, &hints, hint, p->err);
            nilas_sql__accept(p, TOKEN_COMMA);
        } while (!nilas_sql__at(p, TOKEN_HINT_END));
        p->position++;
    }
    select->hints = hints.items;
    select->hint_count = hints.count;
    return NILAS_OK;
}

// ---- the list -----------------------------------------------------------------------------------

/* DISTINCT or ALL, unless it can only be a column of that name. */
static bool accept_quantifier(nilas_sql__parser *p, bool *distinct) {
    *distinct = nilas_sql__at(p, NILAS_KW_DISTINCT);
    if ((*distinct || nilas_sql__at(p, NILAS_KW_ALL)) && !nilas_sql__is_bare_word(p)) {
        p->position++;
        return true;
    }
    *distinct = false;
    return false;
}

nilas_code nilas_sql__select_list(nilas_sql__parser *p, nilas_query *select) {
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_SELECT));
    NILAS_TRY(parse_hints(p, select));
    accept_quantifier(p, &select->distinct);
    return nilas_sql__named_expressions(p, &select->exprs, &select->expr_count);
}

// ---- TRANSFORM (scripts): parsed, then refused by name ------------------------------------------

static nilas_code parse_transform_output(nilas_sql__parser *p) {
    if (!nilas_sql__accept(p, NILAS_KW_AS)) {
        return NILAS_OK;
    }
    bool parentheses = nilas_sql__accept(p, TOKEN_LEFT_PAREN);
    do {
        nilas_str name;
        const nilas_type *type;
        NILAS_TRY(nilas_sql__captured_identifier(p, &name));
        if (nilas_sql__is_identifier(p, 0) && !nilas_sql__starts_clause(p) &&
            !nilas_sql__at2(p, NILAS_KW_ROW, NILAS_KW_FORMAT)) {
            NILAS_TRY(nilas_sql__type(p, &type));
        }
        if (nilas_sql__accept(p, NILAS_KW_COMMENT)) {
            NILAS_TRY(nilas_sql__string(p, &name));
        }
    } while (nilas_sql__accept(p, TOKEN_COMMA));
    return parentheses ? nilas_sql__expect(p, TOKEN_RIGHT_PAREN) : NILAS_OK;
}

static nilas_code parse_transform_input(nilas_sql__parser *p, nilas_query *select) {
    bool is_select = nilas_sql__accept2(p, NILAS_KW_SELECT, NILAS_KW_TRANSFORM);
    int32_t offset = nilas_sql__offset(p);
    if (is_select) {
        NILAS_TRY(nilas_sql__expect(p, TOKEN_LEFT_PAREN));
    } else {
        p->position++; // MAP or REDUCE
    }
    bool distinct;
    if (accept_quantifier(p, &distinct)) {
        nilas_sql__reject(p, offset, "UNSUPPORTED_FEATURE.TRANSFORM_DISTINCT_ALL",
                          "The feature is not supported: TRANSFORM with the DISTINCT/ALL clause.");
    }
    NILAS_TRY(nilas_sql__expressions(p, &select->exprs, &select->expr_count));
    return is_select ? nilas_sql__expect(p, TOKEN_RIGHT_PAREN) : NILAS_OK;
}

static nilas_code parse_transform(nilas_sql__parser *p, nilas_query *select) {
    bool taken;
    nilas_str text;
    NILAS_TRY(parse_transform_input(p, select));
    NILAS_TRY(nilas_sql__row_format(p, &taken));
    if (nilas_sql__accept(p, NILAS_KW_RECORDWRITER)) {
        NILAS_TRY(nilas_sql__string(p, &text));
    }
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_USING));
    NILAS_TRY(nilas_sql__string(p, &text));
    NILAS_TRY(parse_transform_output(p));
    NILAS_TRY(nilas_sql__row_format(p, &taken));
    if (nilas_sql__accept(p, NILAS_KW_RECORDREADER)) {
        NILAS_TRY(nilas_sql__string(p, &text));
    }
    p->unsupported = "TRANSFORM";
    return NILAS_OK;
}

/* The list of a SELECT, or a script's clause. */
static nilas_code parse_head(nilas_sql__parser *p, nilas_query *select) {
    bool is_script = nilas_sql__at(p, NILAS_KW_MAP) || nilas_sql__at(p, NILAS_KW_REDUCE);
    if (is_script) {
        return parse_transform(p, select);
    }
    if (nilas_sql__at2(p, NILAS_KW_SELECT, NILAS_KW_TRANSFORM) &&
        nilas_sql__peek(p, 2) == TOKEN_LEFT_PAREN) {
        nilas_sql__mark start = nilas_sql__set_mark(p);
        nilas_code code = parse_transform(p, select);
        if (code != NILAS_INVALID) {
            return code;
        }
        nilas_sql__back_to(p, &start); // a function of that name
    }
    return nilas_sql__select_list(p, select);
}

// ---- GROUP BY -----------------------------------------------------------------------------------

static nilas_code parse_paren_set(nilas_sql__parser *p, nilas_expr *set) {
    NILAS_TRY(nilas_sql__expect(p, TOKEN_LEFT_PAREN));
    if (!nilas_sql__at(p, TOKEN_RIGHT_PAREN)) {
        NILAS_TRY(nilas_sql__expressions(p, &set->args, &set->arg_count));
    }
    NILAS_TRY(nilas_sql__expect(p, TOKEN_RIGHT_PAREN));
    bool ends = nilas_sql__at(p, TOKEN_COMMA) || nilas_sql__at(p, TOKEN_RIGHT_PAREN);
    return ends ? NILAS_OK : nilas_sql__unexpected(p);
}

/* (a, b), (), or an expression: a ROW. */
static nilas_code parse_grouping_set(nilas_sql__parser *p, nilas_expr **out) {
    NILAS_TRY(nilas_sql__new_expr(p, NILAS_EXPR_ROW, nilas_sql__offset(p), out));
    if (nilas_sql__at(p, TOKEN_LEFT_PAREN)) {
        nilas_sql__mark start = nilas_sql__set_mark(p);
        nilas_code code = parse_paren_set(p, *out);
        if (code != NILAS_INVALID) {
            return code;
        }
        nilas_sql__back_to(p, &start); // an expression that begins with a parenthesis
    }
    NILAS_TRY(nilas_sql__new_args(p, *out, 1));
    return nilas_sql__expression(p, &(*out)->args[0]);
}

static bool at_analytics(const nilas_sql__parser *p) {
    return nilas_sql__at2(p, NILAS_KW_ROLLUP, TOKEN_LEFT_PAREN) ||
           nilas_sql__at2(p, NILAS_KW_CUBE, TOKEN_LEFT_PAREN) ||
           nilas_sql__at2(p, NILAS_KW_GROUPING, NILAS_KW_SETS);
}

static nilas_code parse_analytics(nilas_sql__parser *p, nilas_expr **out);

/* A set of GROUPING SETS may itself be ROLLUP, CUBE or GROUPING SETS. */
static nilas_code parse_grouping_element(nilas_sql__parser *p, nilas_expr_kind kind,
                                         nilas_expr **out) {
    if (kind == NILAS_EXPR_GROUPING_SETS && at_analytics(p)) {
        NILAS_TRY(nilas_sql__enter(p));
        NILAS_TRY(parse_analytics(p, out));
        nilas_sql__leave(p);
        return NILAS_OK;
    }
    NILAS_TRY(parse_grouping_set(p, out));
    (*out)->end_offset = nilas_sql__end(p);
    if (kind == NILAS_EXPR_GROUPING_SETS) {
        return NILAS_OK;
    }
    if ((*out)->arg_count == 0) {
        nilas_sql__reject(p, (*out)->offset, "_LEGACY_ERROR_TEMP_0051",
                          "Empty set in %s grouping sets is not supported.",
                          kind == NILAS_EXPR_ROLLUP ? "ROLLUP" : "CUBE");
    } else if ((*out)->arg_count == 1) {
        *out = (*out)->args[0];
    }
    return NILAS_OK;
}

static nilas_code parse_analytics(nilas_sql__parser *p, nilas_expr **out) {
    nilas_expr_kind kind = NILAS_EXPR_GROUPING_SETS;
    int32_t offset = nilas_sql__offset(p);
    if (!nilas_sql__accept2(p, NILAS_KW_GROUPING, NILAS_KW_SETS)) {
        kind = nilas_sql__at(p, NILAS_KW_ROLLUP) ? NILAS_EXPR_ROLLUP : NILAS_EXPR_CUBE;
        p->position++;
    }
    nilas_sql__exprs sets = {0};
    NILAS_TRY(nilas_sql__expect(p, TOKEN_LEFT_PAREN));
    do {
        nilas_expr *set;
        NILAS_TRY(parse_grouping_element(p, kind, &set));
        NILAS_PUSH(p->stmt, &sets, set, p->err);
    } while (nilas_sql__accept(p, TOKEN_COMMA));
    NILAS_TRY(nilas_sql__expect(p, TOKEN_RIGHT_PAREN));
    NILAS_TRY(nilas_sql__new_expr(p, kind, offset, out));
    (*out)->args = sets.items;
    (*out)->arg_count = sets.count;
    (*out)->end_offset = nilas_sql__end(p);
    return NILAS_OK;
}

static nilas_code parse_group_by_item(nilas_sql__parser *p, bool named, nilas_expr **out) {
    if (at_analytics(p)) {
        return parse_analytics(p, out);
    }
    return named ? nilas_sql__named_expression(p, out) : nilas_sql__expression(p, out);
}

static nilas_code parse_group_by_tail(nilas_sql__parser *p, nilas_group_by *out) {
    if (nilas_sql__at2(p, NILAS_KW_GROUPING, NILAS_KW_SETS)) {
        return parse_analytics(p, &out->grouping_sets);
    }
    out->with_rollup = nilas_sql__accept2(p, NILAS_KW_WITH, NILAS_KW_ROLLUP);
    out->with_cube = !out->with_rollup && nilas_sql__accept2(p, NILAS_KW_WITH, NILAS_KW_CUBE);
    return NILAS_OK;
}

static nilas_code parse_group_by(nilas_sql__parser *p, bool named, nilas_group_by *out) {
    if (!nilas_sql__accept2(p, NILAS_KW_GROUP, NILAS_KW_BY)) {
        return NILAS_OK;
    }
    nilas_sql__exprs exprs = {0};
    do {
        nilas_expr *expr;
        NILAS_TRY(parse_group_by_item(p, named, &expr));
        NILAS_PUSH(p->stmt, &exprs, expr, p->err);
    } while (nilas_sql__accept(p, TOKEN_COMMA));
    out->present = true;
    out->exprs = exprs.items;
    out->expr_count = exprs.count;
    const nilas_expr *only = exprs.items[0];
    out->all = exprs.count == 1 && only->kind == NILAS_EXPR_COLUMN && only->part_count == 1 &&
               nilas_str_is_nocase(only->parts[0], "all");
    return parse_group_by_tail(p, out);
}

nilas_code nilas_sql__group_by(nilas_sql__parser *p, nilas_group_by *out) {
    return parse_group_by(p, true, out);
}

// ---- the whole ----------------------------------------------------------------------------------

/* What follows FROM. */
static nilas_code parse_body(nilas_sql__parser *p, nilas_query *select) {
    NILAS_TRY(nilas_sql__lateral_views(p, &select->input));
    if (nilas_sql__at(p, NILAS_KW_WHERE)) {
        p->position++;
        NILAS_TRY(nilas_sql__expression(p, &select->where));
    }
    NILAS_TRY(parse_group_by(p, false, &select->group_by));
    if (nilas_sql__at(p, NILAS_KW_HAVING)) {
        p->position++;
        NILAS_TRY(nilas_sql__expression(p, &select->having));
    }
    if (nilas_sql__at(p, NILAS_KW_WINDOW)) {
        p->position++;
        NILAS_TRY(nilas_sql__windows(p, &select->windows, &select->window_count));
    }
    select->end_offset = nilas_sql__end(p);
    return NILAS_OK;
}

nilas_code nilas_sql__select(nilas_sql__parser *p, nilas_query **out) {
    NILAS_TRY(nilas_sql__new_query(p, NILAS_QUERY_SELECT, nilas_sql__offset(p), out));
    NILAS_TRY(parse_head(p, *out));
    if (nilas_sql__at(p, NILAS_KW_FROM)) {
        NILAS_TRY(nilas_sql__from(p, &(*out)->input));
    }
    return parse_body(p, *out);
}

nilas_code nilas_sql__select_body(nilas_sql__parser *p, nilas_query *from, nilas_query **out) {
    NILAS_TRY(nilas_sql__new_query(p, NILAS_QUERY_SELECT, nilas_sql__offset(p), out));
    NILAS_TRY(parse_head(p, *out));
    (*out)->input = from;
    return parse_body(p, *out);
}

// ---- VALUES -------------------------------------------------------------------------------------

/* struct(a, b) is a row of two columns too, as in Spark. */
static nilas_code parse_values_row(nilas_sql__parser *p, nilas_expr **out) {
    NILAS_TRY(nilas_sql__expression(p, out));
    nilas_expr *expr = *out;
    if (expr->kind == NILAS_EXPR_CALL && expr->part_count == 1 && expr->arg_count > 1 &&
        expr->arg_names == NULL && nilas_str_is_nocase(expr->parts[0], "struct")) {
        expr->kind = NILAS_EXPR_ROW;
        expr->parts = NULL;
        expr->part_count = 0;
    }
    return NILAS_OK;
}

static size_t row_width(const nilas_expr *row) {
    return row->kind == NILAS_EXPR_ROW ? row->arg_count : 1;
}

static void check_widths(nilas_sql__parser *p, const nilas_query *values, size_t width) {
    for (size_t i = 0; i < values->expr_count; i++) {
        if (row_width(values->exprs[i]) != width) {
            nilas_sql__reject(p, values->offset, "INVALID_INLINE_TABLE.NUM_COLUMNS_MISMATCH",
                              "Invalid inline table. Inline table expected %zu columns but found "
                              "%zu columns in row %zu.",
                              width, row_width(values->exprs[i]), i);
        }
    }
}

nilas_code nilas_sql__inline_table(nilas_sql__parser *p, nilas_query **out) {
    nilas_query *values;
    nilas_sql__exprs rows = {0};
    NILAS_TRY(nilas_sql__new_query(p, NILAS_QUERY_VALUES, nilas_sql__offset(p), &values));
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_VALUES));
    do {
        nilas_expr *row;
        NILAS_TRY(parse_values_row(p, &row));
        NILAS_PUSH(p->stmt, &rows, row, p->err);
    } while (nilas_sql__accept(p, TOKEN_COMMA));
    values->exprs = rows.items;
    values->expr_count = rows.count;
    values->end_offset = nilas_sql__end(p);

    NILAS_TRY(nilas_sql__new_alias(p, values, out));
    bool named = (*out)->kind == NILAS_QUERY_ALIAS && (*out)->column_count > 0;
    check_widths(p, values, named ? (*out)->column_count : row_width(rows.items[0]));
    return NILAS_OK;
}
