/** The right side of |>. */
#include "sql/parser.h"

static nilas_code new_pipe(nilas_sql__parser *p, nilas_query_kind kind, nilas_query *input,
                           nilas_query **out) {
    NILAS_TRY(nilas_sql__new_query(p, kind, nilas_sql__offset(p), out));
    (*out)->input = input;
    return NILAS_OK;
}

static nilas_code pipe_select(nilas_sql__parser *p, nilas_query *input, nilas_query **out) {
    NILAS_TRY(new_pipe(p, NILAS_QUERY_PIPE_SELECT, input, out));
    NILAS_TRY(nilas_sql__select_list(p, *out));
    if (nilas_sql__accept(p, NILAS_KW_WINDOW)) {
        NILAS_TRY(nilas_sql__windows(p, &(*out)->windows, &(*out)->window_count));
    }
    return NILAS_OK;
}

static nilas_code pipe_extend(nilas_sql__parser *p, nilas_query *input, nilas_query **out) {
    NILAS_TRY(new_pipe(p, NILAS_QUERY_PIPE_EXTEND, input, out));
    p->position++;
    return nilas_sql__named_expressions(p, &(*out)->exprs, &(*out)->expr_count);
}

static nilas_code parse_pipe_assignment(nilas_sql__parser *p, nilas_expr **out) {
    nilas_expr *alias;
    nilas_str *parts;
    size_t count;
    int32_t offset = nilas_sql__offset(p);
    NILAS_TRY(nilas_sql__new_expr(p, NILAS_EXPR_ALIAS, offset, &alias));
    NILAS_TRY(nilas_sql__new_args(p, alias, 1));
    NILAS_TRY(nilas_sql__name(p, &parts, &count));
    if (count > 1) {
        nilas_sql__reject_operation(p, offset,
                                    "SQL pipe syntax |> SET operator with multi-part assignment "
                                    "key (only single-part keys are allowed)");
    }
    NILAS_TRY(nilas_sql__expect(p, TOKEN_EQ));
    NILAS_TRY(nilas_sql__expression(p, &alias->args[0]));
    alias->parts = parts;
    alias->part_count = 1;
    alias->end_offset = nilas_sql__end(p);
    *out = alias;
    return NILAS_OK;
}

static nilas_code pipe_set(nilas_sql__parser *p, nilas_query *input, nilas_query **out) {
    NILAS_TRY(new_pipe(p, NILAS_QUERY_PIPE_SET, input, out));
    nilas_sql__exprs assignments = {0};
    p->position++;
    do {
        nilas_expr *assignment;
        NILAS_TRY(parse_pipe_assignment(p, &assignment));
        NILAS_PUSH(p->stmt, &assignments, assignment, p->err);
    } while (nilas_sql__accept(p, TOKEN_COMMA));
    (*out)->exprs = assignments.items;
    (*out)->expr_count = assignments.count;
    return NILAS_OK;
}

static nilas_code pipe_drop(nilas_sql__parser *p, nilas_query *input, nilas_query **out) {
    NILAS_TRY(new_pipe(p, NILAS_QUERY_PIPE_DROP, input, out));
    p->position++;
    return nilas_sql__identifier_seq(p, &(*out)->columns, &(*out)->column_count);
}

static nilas_code pipe_as(nilas_sql__parser *p, nilas_query *input, nilas_query **out) {
    NILAS_TRY(new_pipe(p, NILAS_QUERY_ALIAS, input, out));
    p->position++;
    (*out)->has_alias = true;
    return nilas_sql__captured_identifier(p, &(*out)->alias);
}

static nilas_code pipe_where(nilas_sql__parser *p, nilas_query *input, nilas_query **out) {
    int32_t offset = nilas_sql__offset(p);
    NILAS_TRY(new_pipe(p, NILAS_QUERY_FILTER, input, out));
    p->position++;
    NILAS_TRY(nilas_sql__expression(p, &(*out)->where));
    if (nilas_sql__accept(p, NILAS_KW_WINDOW)) {
        nilas_sql__reject(p, offset, "NOT_ALLOWED_IN_PIPE_OPERATOR_WHERE.WINDOW_CLAUSE",
                          "Not allowed in the pipe WHERE clause: WINDOW clause.");
        NILAS_TRY(nilas_sql__windows(p, &(*out)->windows, &(*out)->window_count));
    }
    return NILAS_OK;
}

/* PIVOT and UNPIVOT cannot come together in one step. */
static nilas_code pipe_pivot(nilas_sql__parser *p, nilas_query *input, nilas_query **out) {
    int32_t offset = nilas_sql__offset(p);
    bool pivot = nilas_sql__at(p, NILAS_KW_PIVOT);
    NILAS_TRY(pivot ? nilas_sql__pivot(p, input, out) : nilas_sql__unpivot(p, input, out));
    if (nilas_sql__at(p, pivot ? NILAS_KW_UNPIVOT : NILAS_KW_PIVOT)) {
        NILAS_TRY(pivot ? nilas_sql__unpivot(p, *out, out) : nilas_sql__pivot(p, *out, out));
        nilas_sql__reject(p, offset, "NOT_ALLOWED_IN_FROM.UNPIVOT_WITH_PIVOT",
                          "Not allowed in the FROM clause: UNPIVOT together with PIVOT.");
    }
    return NILAS_OK;
}

// ---- AGGREGATE ----------------------------------------------------------------------------------

static void reject_case(nilas_sql__parser *p, int32_t offset, const char *what) {
    nilas_sql__reject(p, offset, "UNSUPPORTED_FEATURE.PIPE_OPERATOR_AGGREGATE_UNSUPPORTED_CASE",
                      "The feature is not supported: The SQL pipe operator syntax with aggregation "
                      "(using |> AGGREGATE) does not support %s.",
                      what);
}

typedef struct aggregate_check {
    nilas_sql__parser *p;
} aggregate_check;

static bool check_aggregated(void *context, nilas_expr *expr) {
    nilas_sql__parser *p = ((aggregate_check *)context)->p;
    if (expr->kind == NILAS_EXPR_ROLLUP) {
        reject_case(p, expr->offset, "GROUP BY ROLLUP");
    } else if (expr->kind == NILAS_EXPR_CUBE) {
        reject_case(p, expr->offset, "GROUP BY CUBE");
    } else if (expr->kind == NILAS_EXPR_GROUPING_SETS) {
        reject_case(p, expr->offset, "GROUPING SETS");
    } else if (expr->kind == NILAS_EXPR_CALL && expr->window != NULL) {
        reject_case(p, expr->offset,
                    "window functions; please update the query to move the window functions to a "
                    "subsequent |> SELECT operator instead");
    } else if (expr->kind == NILAS_EXPR_CALL && expr->part_count == 1 && expr->arg_count == 1) {
        if (nilas_str_is_nocase(expr->parts[0], "grouping")) {
            reject_case(p, expr->offset, "GROUPING");
        } else if (nilas_str_is_nocase(expr->parts[0], "grouping_id")) {
            reject_case(p, expr->offset, "GROUPING_ID");
        }
    }
    return true;
}

static void check_aggregate(nilas_sql__parser *p, const nilas_query *query) {
    const nilas_group_by *group_by = &query->group_by;
    aggregate_check check = {.p = p};
    if (!group_by->present) {
        return;
    }
    if (group_by->all) {
        reject_case(p, query->offset, "GROUP BY ALL");
    }
    if (group_by->with_rollup || group_by->with_cube) {
        reject_case(p, query->offset, group_by->with_rollup ? "GROUP BY ROLLUP" : "GROUP BY CUBE");
    }
    if (group_by->grouping_sets != NULL) {
        reject_case(p, query->offset, "GROUPING SETS");
    }
    for (size_t i = 0; i < group_by->expr_count; i++) {
        nilas_expr_walk(group_by->exprs[i], check_aggregated, &check);
    }
    for (size_t i = 0; i < query->expr_count; i++) {
        nilas_expr_walk(query->exprs[i], check_aggregated, &check);
    }
}

static nilas_code pipe_aggregate(nilas_sql__parser *p, nilas_query *input, nilas_query **out) {
    int32_t offset = nilas_sql__offset(p);
    NILAS_TRY(new_pipe(p, NILAS_QUERY_PIPE_AGGREGATE, input, out));
    nilas_query *query = *out;
    p->position++;
    bool grouped = nilas_sql__at2(p, NILAS_KW_GROUP, NILAS_KW_BY) &&
                   nilas_sql__peek(p, 2) != TOKEN_END; // else a column "group" named "by"
    bool list = !grouped && !nilas_sql__at(p, TOKEN_END) && !nilas_sql__at(p, TOKEN_RIGHT_PAREN) &&
                !nilas_sql__at(p, TOKEN_SEMICOLON) && !nilas_sql__at(p, TOKEN_PIPE_OPERATOR);
    if (list) {
        NILAS_TRY(nilas_sql__named_expressions(p, &query->exprs, &query->expr_count));
    }
    NILAS_TRY(nilas_sql__group_by(p, &query->group_by));
    if (!list && !query->group_by.present) {
        nilas_sql__reject_operation(p, offset,
                                    "The AGGREGATE clause requires a list of aggregate expressions "
                                    "or a list of grouping expressions, or both");
    }
    check_aggregate(p, query);
    return NILAS_OK;
}

// ---- the operators ------------------------------------------------------------------------------

static nilas_code pipe_set_op(nilas_sql__parser *p, nilas_query *input, nilas_query **out) {
    nilas_query *query;
    NILAS_TRY(nilas_sql__new_query(p, NILAS_QUERY_SET_OP, nilas_sql__offset(p), &query));
    switch (nilas_sql__peek(p, 0)) {
    case NILAS_KW_UNION: query->set_op = NILAS_SET_UNION; break;
    case NILAS_KW_INTERSECT: query->set_op = NILAS_SET_INTERSECT; break;
    default: query->set_op = NILAS_SET_EXCEPT; break;
    }
    p->position++;
    query->left = input;
    query->all = nilas_sql__accept(p, NILAS_KW_ALL);
    if (!query->all) {
        nilas_sql__accept(p, NILAS_KW_DISTINCT);
    }
    *out = query;
    return nilas_sql__query_primary(p, &query->right);
}

static nilas_code pipe_organize(nilas_sql__parser *p, nilas_query *input, nilas_query **out) {
    NILAS_TRY(nilas_sql__organize(p, true, input, out));
    return *out == input ? nilas_sql__unexpected(p) : NILAS_OK;
}

static const struct {
    int keyword;
    nilas_code (*parse)(nilas_sql__parser *p, nilas_query *input, nilas_query **out);
} steps[] = {
    {NILAS_KW_SELECT, pipe_select},
    {NILAS_KW_EXTEND, pipe_extend},
    {NILAS_KW_SET, pipe_set},
    {NILAS_KW_DROP, pipe_drop},
    {NILAS_KW_AS, pipe_as},
    {NILAS_KW_WHERE, pipe_where},
    {NILAS_KW_PIVOT, pipe_pivot},
    {NILAS_KW_UNPIVOT, pipe_pivot},
    {NILAS_KW_TABLESAMPLE, nilas_sql__sample},
    {NILAS_KW_UNION, pipe_set_op},
    {NILAS_KW_INTERSECT, pipe_set_op},
    {NILAS_KW_EXCEPT, pipe_set_op},
    {NILAS_KW_MINUS, pipe_set_op},
    {NILAS_KW_AGGREGATE, pipe_aggregate},
};

nilas_code nilas_sql__pipe(nilas_sql__parser *p, nilas_query *input, nilas_query **out) {
    if (nilas_sql__at_join(p)) {
        return nilas_sql__join(p, input, out);
    }
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        if (nilas_sql__at(p, steps[i].keyword)) {
            NILAS_TRY(steps[i].parse(p, input, out));
            (*out)->end_offset = nilas_sql__end(p);
            return NILAS_OK;
        }
    }
    return pipe_organize(p, input, out);
}
