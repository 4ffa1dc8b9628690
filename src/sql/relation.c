/** FROM: tables with time travel and options, functions, subqueries, joins, lateral views. */
#include "sql/parser.h"

nilas_code nilas_sql__new_alias(nilas_sql__parser *p, nilas_query *input, nilas_query **out) {
    nilas_str alias = NILAS_STR_EMPTY;
    nilas_str *columns = NULL;
    size_t column_count = 0;
    bool has_alias;
    NILAS_TRY(nilas_sql__table_alias(p, &alias, &has_alias, &columns, &column_count));
    *out = input;
    if (!has_alias) {
        return NILAS_OK;
    }
    NILAS_TRY(nilas_sql__new_query(p, NILAS_QUERY_ALIAS, input->offset, out));
    (*out)->input = input;
    (*out)->alias = alias;
    (*out)->has_alias = true;
    (*out)->columns = columns;
    (*out)->column_count = column_count;
    (*out)->end_offset = nilas_sql__end(p);
    return NILAS_OK;
}

// ---- time travel --------------------------------------------------------------------------------

static bool is_column(void *context, nilas_expr *expr) {
    bool *found = context;
    *found = *found || expr->kind == NILAS_EXPR_COLUMN;
    return !*found;
}

static nilas_code parse_timestamp(nilas_sql__parser *p, nilas_time_travel *travel) {
    NILAS_TRY(nilas_sql__value_expression(p, &travel->timestamp));
    bool found = false;
    nilas_expr_walk(travel->timestamp, is_column, &found);
    if (found) {
        nilas_sql__reject(p, travel->offset, "_LEGACY_ERROR_TEMP_0056",
                          "Invalid time travel spec: timestamp expression cannot refer to any "
                          "columns.");
    }
    return NILAS_OK;
}

static nilas_code parse_version(nilas_sql__parser *p, nilas_time_travel *travel) {
    if (nilas_sql__at(p, TOKEN_INTEGER)) {
        travel->version = nilas_sql__token_text(p, 0);
        p->position++;
        return NILAS_OK;
    }
    travel->version_is_string = true;
    return nilas_sql__string(p, &travel->version);
}

/* [FOR] VERSION AS OF 1, [FOR] TIMESTAMP AS OF '…'. */
static nilas_code parse_time_travel(nilas_sql__parser *p, nilas_time_travel *travel) {
    size_t ahead = nilas_sql__at(p, NILAS_KW_FOR);
    int word = nilas_sql__peek(p, ahead);
    bool version = word == NILAS_KW_VERSION || word == NILAS_KW_SYSTEM_VERSION;
    bool timestamp = word == NILAS_KW_TIMESTAMP || word == NILAS_KW_SYSTEM_TIME;
    if ((!version && !timestamp) || nilas_sql__peek(p, ahead + 1) != NILAS_KW_AS ||
        nilas_sql__peek(p, ahead + 2) != NILAS_KW_OF) {
        return NILAS_OK;
    }
    travel->offset = nilas_sql__offset(p);
    travel->kind = version ? NILAS_TRAVEL_VERSION : NILAS_TRAVEL_TIMESTAMP;
    p->position += ahead + 3;
    return version ? parse_version(p, travel) : parse_timestamp(p, travel);
}

// ---- tables and functions -----------------------------------------------------------------------

/* WATERMARK expression DELAY OF interval: for streams. */
static nilas_code parse_watermark(nilas_sql__parser *p) {
    if (!nilas_sql__at(p, NILAS_KW_WATERMARK) || !nilas_sql__starts_clause(p)) {
        return NILAS_OK;
    }
    nilas_sql__mark start = nilas_sql__set_mark(p);
    nilas_expr *expr;
    p->position++;
    nilas_code code = nilas_sql__named_expression(p, &expr);
    if (code == NILAS_INVALID || !nilas_sql__at2(p, NILAS_KW_DELAY, NILAS_KW_OF)) {
        nilas_sql__back_to(p, &start); // an alias
        return code == NILAS_INVALID ? NILAS_OK : code;
    }
    NILAS_TRY(code);
    p->position += 2;
    if (!nilas_sql__at_interval(p)) {
        return nilas_sql__unexpected(p);
    }
    p->unsupported = "WATERMARK";
    return nilas_sql__interval(p, &expr);
}

static nilas_code finish_primary(nilas_sql__parser *p, nilas_query *relation, nilas_query **out) {
    if (nilas_sql__at2(p, NILAS_KW_TABLESAMPLE, TOKEN_LEFT_PAREN)) {
        NILAS_TRY(nilas_sql__sample(p, relation, &relation));
    }
    NILAS_TRY(parse_watermark(p));
    return nilas_sql__new_alias(p, relation, out);
}

static nilas_code parse_table(nilas_sql__parser *p, nilas_query *table, nilas_query **out) {
    NILAS_TRY(parse_time_travel(p, &table->time_travel));
    if (nilas_sql__at2(p, NILAS_KW_WITH, TOKEN_LEFT_PAREN)) {
        p->position++;
        NILAS_TRY(nilas_sql__properties(p, &table->options, &table->option_count));
    }
    table->end_offset = nilas_sql__end(p);
    return finish_primary(p, table, out);
}

static nilas_code parse_function(nilas_sql__parser *p, nilas_query *function, nilas_query **out) {
    nilas_sql__exprs args = {0};
    nilas_sql__strs names = {0};
    function->kind = NILAS_QUERY_FUNCTION;
    p->position++;
    NILAS_TRY(nilas_sql__call_args(p, true, &args, &names));
    function->exprs = args.items;
    function->expr_count = args.count;
    function->arg_names = names.items;
    function->end_offset = nilas_sql__end(p);
    if (function->part_count > 1) {
        NILAS_AUTO_BUF name = NILAS_BUF_INIT(0);
        nilas_name_print_quoted(&name, function->parts, function->part_count);
        nilas_sql__reject(p, function->offset, "INVALID_SQL_SYNTAX.INVALID_TABLE_VALUED_FUNC_NAME",
                          "Invalid SQL syntax: Table valued function cannot specify database name: "
                          "%.*s.",
                          NILAS_FMT(nilas_buf_view(&name)));
    }
    NILAS_TRY(parse_watermark(p));
    return nilas_sql__new_alias(p, function, out);
}

/* STREAM t, STREAM(t). */
static nilas_code parse_stream(nilas_sql__parser *p, nilas_query **out) {
    nilas_query *table;
    p->position++;
    NILAS_TRY(nilas_sql__new_query(p, NILAS_QUERY_TABLE, nilas_sql__offset(p), &table));
    bool parentheses = nilas_sql__accept(p, TOKEN_LEFT_PAREN);
    NILAS_TRY(nilas_sql__name(p, &table->parts, &table->part_count));
    if (parentheses) {
        NILAS_TRY(nilas_sql__expect(p, TOKEN_RIGHT_PAREN));
    }
    p->unsupported = "STREAM relations";
    return parse_table(p, table, out);
}

static bool at_stream(const nilas_sql__parser *p) {
    if (!nilas_sql__at(p, NILAS_KW_STREAM)) {
        return false;
    }
    if (nilas_sql__peek(p, 1) == TOKEN_LEFT_PAREN) {
        return nilas_sql__is_identifier(p, 2);
    }
    int next = nilas_sql__peek(p, 1);
    return next == TOKEN_IDENTIFIER || next == TOKEN_QUOTED;
}

static nilas_code parse_relation(nilas_sql__parser *p, nilas_query *left, nilas_query **out);

static nilas_code parse_paren_relation(nilas_sql__parser *p, nilas_query **out) {
    nilas_query *inner = NULL;
    nilas_code code = NILAS_INVALID;
    nilas_sql__mark start = nilas_sql__set_mark(p);
    if (nilas_sql__looks_like_query(p, 0)) {
        code = nilas_sql__paren_query(p, &inner);
    }
    if (code == NILAS_INVALID) {
        nilas_sql__back_to(p, &start);
        NILAS_TRY(nilas_sql__expect(p, TOKEN_LEFT_PAREN));
        NILAS_TRY(nilas_sql__enter(p));
        NILAS_TRY(parse_relation(p, NULL, &inner));
        nilas_sql__leave(p);
        code = nilas_sql__expect(p, TOKEN_RIGHT_PAREN);
    }
    NILAS_TRY(code);
    return finish_primary(p, inner, out);
}

static bool at_inline_table(const nilas_sql__parser *p) {
    return nilas_sql__at(p, NILAS_KW_VALUES) && !nilas_sql__is_bare_word(p) &&
           nilas_sql__looks_like_query(p, 0);
}

static nilas_code parse_primary(nilas_sql__parser *p, nilas_query **out) {
    if (nilas_sql__at(p, TOKEN_LEFT_PAREN)) {
        return parse_paren_relation(p, out);
    }
    if (at_inline_table(p)) {
        return nilas_sql__inline_table(p, out);
    }
    if (at_stream(p)) {
        return parse_stream(p, out);
    }
    nilas_query *named;
    NILAS_TRY(nilas_sql__new_query(p, NILAS_QUERY_TABLE, nilas_sql__offset(p), &named));
    NILAS_TRY(nilas_sql__reference(p, &named->parts, &named->part_count, &named->identifier));
    if (nilas_sql__at(p, TOKEN_LEFT_PAREN)) {
        return parse_function(p, named, out);
    }
    return parse_table(p, named, out);
}

// ---- joins --------------------------------------------------------------------------------------

static void check_lateral(nilas_sql__parser *p, const nilas_query *right, int32_t offset) {
    const nilas_query *base = right->kind == NILAS_QUERY_ALIAS ? right->input : right;
    bool plain = base->kind == NILAS_QUERY_JOIN || base->kind == NILAS_QUERY_VALUES ||
                 (base->kind == NILAS_QUERY_TABLE && !base->only_table);
    if (plain) {
        nilas_sql__reject(p, offset,
                          "INVALID_SQL_SYNTAX.LATERAL_WITHOUT_SUBQUERY_OR_TABLE_VALUED_FUNC",
                          "Invalid SQL syntax: LATERAL can only be used with subquery and "
                          "table-valued functions.");
    }
}

static void check_join(nilas_sql__parser *p, const nilas_query *join, int32_t offset) {
    static const char *const names[] = {
        [NILAS_JOIN_INNER] = "INNER",         [NILAS_JOIN_CROSS] = "CROSS",
        [NILAS_JOIN_LEFT] = "LEFT OUTER",     [NILAS_JOIN_RIGHT] = "RIGHT OUTER",
        [NILAS_JOIN_FULL] = "FULL OUTER",     [NILAS_JOIN_LEFT_SEMI] = "LEFT SEMI",
        [NILAS_JOIN_LEFT_ANTI] = "LEFT ANTI",
    };
    if (join->natural && (join->lateral || join->join_kind == NILAS_JOIN_CROSS)) {
        nilas_sql__reject(
            p, offset, "INCOMPATIBLE_JOIN_TYPES", "The join types %s and %s are incompatible.",
            join->lateral ? "LATERAL" : "NATURAL", join->lateral ? "NATURAL" : "CROSS");
    }
    if (join->lateral && join->column_count > 0) {
        nilas_sql__reject(p, offset, "UNSUPPORTED_FEATURE.LATERAL_JOIN_USING",
                          "The feature is not supported: JOIN USING with LATERAL correlation.");
    }
    if (join->lateral && join->join_kind != NILAS_JOIN_INNER &&
        join->join_kind != NILAS_JOIN_CROSS && join->join_kind != NILAS_JOIN_LEFT) {
        nilas_sql__reject(p, offset, "INVALID_LATERAL_JOIN_TYPE",
                          "The %s JOIN with LATERAL correlation is not allowed because an OUTER "
                          "subquery cannot correlate to its join partner. Remove the LATERAL "
                          "correlation or use an INNER JOIN, or LEFT OUTER JOIN instead.",
                          names[join->join_kind]);
    }
}

static nilas_join_kind parse_join_kind(nilas_sql__parser *p) {
    bool left = nilas_sql__accept(p, NILAS_KW_LEFT);
    if (nilas_sql__accept(p, NILAS_KW_SEMI)) {
        return NILAS_JOIN_LEFT_SEMI;
    }
    if (nilas_sql__accept(p, NILAS_KW_ANTI)) {
        return NILAS_JOIN_LEFT_ANTI;
    }
    nilas_join_kind kind = left ? NILAS_JOIN_LEFT : NILAS_JOIN_INNER;
    if (!left && nilas_sql__accept(p, NILAS_KW_RIGHT)) {
        kind = NILAS_JOIN_RIGHT;
    } else if (!left && nilas_sql__accept(p, NILAS_KW_FULL)) {
        kind = NILAS_JOIN_FULL;
    } else if (!left && nilas_sql__accept(p, NILAS_KW_CROSS)) {
        return NILAS_JOIN_CROSS;
    } else if (!left) {
        nilas_sql__accept(p, NILAS_KW_INNER);
        return NILAS_JOIN_INNER;
    }
    nilas_sql__accept(p, NILAS_KW_OUTER);
    return kind;
}

static nilas_code parse_join_criteria(nilas_sql__parser *p, nilas_query *join) {
    if (join->natural) {
        return NILAS_OK;
    }
    if (nilas_sql__accept(p, NILAS_KW_ON)) {
        return nilas_sql__expression(p, &join->condition);
    }
    if (nilas_sql__accept(p, NILAS_KW_USING)) {
        return nilas_sql__identifier_list(p, &join->columns, &join->column_count);
    }
    return NILAS_OK;
}

nilas_code nilas_sql__join(nilas_sql__parser *p, nilas_query *left, nilas_query **out) {
    int32_t offset = nilas_sql__offset(p);
    nilas_query *join;
    NILAS_TRY(nilas_sql__new_query(p, NILAS_QUERY_JOIN, left->offset, &join));
    join->left = left;
    join->natural = nilas_sql__accept(p, NILAS_KW_NATURAL);
    join->join_kind = parse_join_kind(p);
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_JOIN));
    join->lateral = nilas_sql__at(p, NILAS_KW_LATERAL) && !nilas_sql__is_bare_word(p);
    p->position += join->lateral;
    NILAS_TRY(parse_primary(p, &join->right));
    NILAS_TRY(parse_join_criteria(p, join));
    join->end_offset = nilas_sql__end(p);
    if (join->lateral) {
        check_lateral(p, join->right, offset);
    }
    check_join(p, join, offset);
    *out = join;
    return NILAS_OK;
}

static nilas_code parse_extensions(nilas_sql__parser *p, nilas_query **in_out) {
    int depth = p->depth;
    for (;;) {
        nilas_query *longer = *in_out;
        if (nilas_sql__at2(p, NILAS_KW_PIVOT, TOKEN_LEFT_PAREN)) {
            NILAS_TRY(nilas_sql__pivot(p, *in_out, &longer));
        } else if (nilas_sql__at(p, NILAS_KW_UNPIVOT) && nilas_sql__starts_clause(p)) {
            NILAS_TRY(nilas_sql__unpivot(p, *in_out, &longer));
        } else if (nilas_sql__at_join(p)) {
            NILAS_TRY(nilas_sql__join(p, *in_out, &longer));
        } else {
            p->depth = depth;
            return NILAS_OK;
        }
        NILAS_TRY(nilas_sql__enter(p)); // each one nests the tree
        *in_out = longer;
    }
}

/* One item of FROM, joined to what stands before it: as in Spark, its own joins come after that. */
static nilas_code parse_relation(nilas_sql__parser *p, nilas_query *left, nilas_query **out) {
    int32_t offset = nilas_sql__offset(p);
    nilas_query *relation;
    bool lateral = nilas_sql__at(p, NILAS_KW_LATERAL) && !nilas_sql__is_bare_word(p);
    p->position += lateral;
    NILAS_TRY(parse_primary(p, &relation));
    if (left != NULL) {
        nilas_query *join;
        NILAS_TRY(nilas_sql__new_query(p, NILAS_QUERY_JOIN, left->offset, &join));
        join->left = left;
        join->right = relation;
        join->lateral = lateral;
        join->end_offset = nilas_sql__end(p);
        if (lateral) {
            check_lateral(p, relation, offset);
        }
        relation = join;
    }
    NILAS_TRY(parse_extensions(p, &relation));
    *out = relation;
    return NILAS_OK;
}

// ---- lateral views ------------------------------------------------------------------------------

static nilas_code parse_generator(nilas_sql__parser *p, nilas_query *view) {
    nilas_expr *call;
    nilas_sql__exprs args = {0};
    NILAS_TRY(nilas_sql__new_expr(p, NILAS_EXPR_CALL, nilas_sql__offset(p), &call));
    NILAS_TRY(nilas_sql__name(p, &call->parts, &call->part_count));
    NILAS_TRY(nilas_sql__expect(p, TOKEN_LEFT_PAREN));
    if (!nilas_sql__at(p, TOKEN_RIGHT_PAREN)) {
        NILAS_TRY(nilas_sql__expressions(p, &args.items, &args.count));
    }
    NILAS_TRY(nilas_sql__expect(p, TOKEN_RIGHT_PAREN));
    call->args = args.items;
    call->arg_count = args.count;
    call->end_offset = nilas_sql__end(p);
    NILAS_NEW(p->stmt, &view->exprs, p->err);
    view->exprs[0] = call;
    view->expr_count = 1;
    return NILAS_OK;
}

static nilas_code parse_lateral_view(nilas_sql__parser *p, nilas_query *input, nilas_query **out) {
    nilas_query *view;
    NILAS_TRY(nilas_sql__new_query(p, NILAS_QUERY_LATERAL_VIEW, nilas_sql__offset(p), &view));
    p->position += 2;
    view->input = input;
    view->outer = nilas_sql__at(p, NILAS_KW_OUTER) && nilas_sql__peek(p, 1) != TOKEN_LEFT_PAREN;
    p->position += view->outer;
    NILAS_TRY(parse_generator(p, view));
    NILAS_TRY(nilas_sql__identifier(p, &view->alias));
    bool named = nilas_sql__accept(p, NILAS_KW_AS) ||
                 (nilas_sql__is_identifier(p, 0) && !nilas_sql__starts_clause(p));
    nilas_sql__strs columns = {0};
    while (named) {
        nilas_str column;
        NILAS_TRY(nilas_sql__identifier(p, &column));
        NILAS_PUSH(p->stmt, &columns, column, p->err);
        named = nilas_sql__accept(p, TOKEN_COMMA);
    }
    view->columns = columns.items;
    view->column_count = columns.count;
    view->end_offset = nilas_sql__end(p);
    *out = view;
    return NILAS_OK;
}

nilas_code nilas_sql__lateral_views(nilas_sql__parser *p, nilas_query **in_out) {
    int depth = p->depth;
    while (nilas_sql__at2(p, NILAS_KW_LATERAL, NILAS_KW_VIEW)) {
        NILAS_TRY(nilas_sql__enter(p)); // each one nests the tree
        NILAS_TRY(parse_lateral_view(p, *in_out, in_out));
    }
    p->depth = depth;
    return NILAS_OK;
}

// ---- FROM ---------------------------------------------------------------------------------------

static void reject_from(nilas_sql__parser *p, int32_t offset, const char *condition,
                        const char *what) {
    nilas_sql__reject(p, offset, condition, "Not allowed in the FROM clause: %s", what);
}

nilas_code nilas_sql__from(nilas_sql__parser *p, nilas_query **out) {
    nilas_query *from = NULL;
    int depth = p->depth;
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_FROM));
    do {
        NILAS_TRY(nilas_sql__enter(p)); // each one nests the tree
        NILAS_TRY(parse_relation(p, from, &from));
    } while (nilas_sql__accept(p, TOKEN_COMMA));
    p->depth = depth;

    NILAS_TRY(nilas_sql__lateral_views(p, &from));
    bool lateral = from->kind == NILAS_QUERY_LATERAL_VIEW;
    int32_t offset = nilas_sql__offset(p);
    if (nilas_sql__at2(p, NILAS_KW_PIVOT, TOKEN_LEFT_PAREN)) {
        NILAS_TRY(nilas_sql__pivot(p, from, &from));
        if (lateral) {
            reject_from(p, offset, "NOT_ALLOWED_IN_FROM.LATERAL_WITH_PIVOT",
                        "LATERAL together with PIVOT.");
        }
    } else if (nilas_sql__at(p, NILAS_KW_UNPIVOT) && nilas_sql__starts_clause(p)) {
        NILAS_TRY(nilas_sql__unpivot(p, from, &from));
        if (lateral) {
            reject_from(p, offset, "NOT_ALLOWED_IN_FROM.LATERAL_WITH_UNPIVOT",
                        "LATERAL together with UNPIVOT.");
        }
    }
    *out = from;
    return NILAS_OK;
}
