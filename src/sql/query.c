/**
 * Queries: WITH, set operations by precedence, pipes, and ORDER BY … LIMIT around them.
 */
#include "sql/parser.h"

// ---- nodes and marks ----------------------------------------------------------------------------

nilas_code nilas_sql__new_query(nilas_sql__parser *p, nilas_query_kind kind, int32_t offset,
                                nilas_query **out) {
    return nilas_query_new(p->stmt, kind, offset, out, p->err);
}

static nilas_code new_over(nilas_sql__parser *p, nilas_query_kind kind, nilas_query *input,
                           nilas_query **out) {
    NILAS_TRY(nilas_sql__new_query(p, kind, input->offset, out));
    (*out)->input = input;
    return NILAS_OK;
}

/* What the word after the parentheses begins. */
static bool begins_query_word(const nilas_sql__parser *p, size_t ahead) {
    int next = nilas_sql__peek(p, ahead + 1);
    bool operand = next != TOKEN_RIGHT_PAREN && next != TOKEN_COMMA && next != TOKEN_DOT &&
                   next != TOKEN_END && next != TOKEN_EQ && next != TOKEN_FAT_ARROW;
    switch (nilas_sql__peek(p, ahead)) {
    case NILAS_KW_SELECT:
    case NILAS_KW_VALUES: return operand;
    case NILAS_KW_FROM:
    case NILAS_KW_WITH:
    case NILAS_KW_TABLE: return nilas_sql__is_identifier(p, ahead + 1) || next == TOKEN_LEFT_PAREN;
    case NILAS_KW_MAP:
    case NILAS_KW_REDUCE: return operand && next != TOKEN_LEFT_PAREN && next != TOKEN_ARROW;
    default: return false;
    }
}

bool nilas_sql__looks_like_query(const nilas_sql__parser *p, size_t ahead) {
    while (nilas_sql__peek(p, ahead) == TOKEN_LEFT_PAREN) {
        ahead++;
    }
    return begins_query_word(p, ahead);
}

typedef struct paren_query {
    nilas_query *query;    // NULL: it is none
    nilas_sql__mark mark;  // the parser's state after it
    nilas_error *rejected; // what it noted with nilas_sql__reject(), or NULL
} paren_query;

static nilas_code parse_paren_query(nilas_sql__parser *p, nilas_query **out) {
    NILAS_TRY(nilas_sql__expect(p, TOKEN_LEFT_PAREN));
    NILAS_TRY(nilas_sql__query(p, out));
    return nilas_sql__expect(p, TOKEN_RIGHT_PAREN);
}

/* Take the remembered outcome at the current token. */
static nilas_code reuse_paren_query(nilas_sql__parser *p, const paren_query *known,
                                    nilas_query **out) {
    if (known->query == NULL) {
        return NILAS_INVALID;
    }
    p->position = known->mark.position;
    p->parameter_count = known->mark.parameter_count;
    if (known->mark.unsupported != NULL) {
        p->unsupported = known->mark.unsupported;
    }
    if (known->rejected != NULL && !p->has_rejected) {
        p->rejected = *known->rejected;
        p->has_rejected = true;
    }
    *out = known->query;
    return NILAS_OK;
}

/* Text in parentheses may be tried as a query from several places, once more at each nesting:
 * remember each outcome, so
 * that the cost stays linear. */
nilas_code nilas_sql__paren_query(nilas_sql__parser *p, nilas_query **out) {
    int64_t key = (int64_t)p->position;
    paren_query *known = nilas_map_find_int(&p->paren_queries, key);
    if (known != NULL) {
        return reuse_paren_query(p, known, out);
    }

    bool had_rejected = p->has_rejected;
    nilas_query *query = NULL;
    nilas_code code = parse_paren_query(p, &query);
    if (code != NILAS_OK && code != NILAS_INVALID) {
        return code;
    }
    NILAS_NEW(p->stmt, &known, p->err);
    known->query = code == NILAS_OK ? query : NULL;
    known->mark = nilas_sql__set_mark(p);
    if (p->has_rejected && !had_rejected) {
        NILAS_NEW(p->stmt, &known->rejected, p->err);
        *known->rejected = p->rejected;
    }
    NILAS_TRY(nilas_map_put_int(&p->paren_queries, key, known, p->err));
    *out = query;
    return code;
}

// ---- WITH ---------------------------------------------------------------------------------------

static nilas_code parse_max_recursion(nilas_sql__parser *p, bool recursive, nilas_expr **out) {
    if (!nilas_sql__at2(p, NILAS_KW_MAX, NILAS_KW_RECURSION)) {
        return NILAS_OK;
    }
    int32_t offset = nilas_sql__offset(p);
    int32_t level;
    p->position += 2;
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_LEVEL));
    int32_t level_offset = nilas_sql__offset(p);
    NILAS_TRY(nilas_sql__integer(p, &level));
    if (!recursive) {
        nilas_sql__reject_operation(p, offset,
                                    "Cannot specify MAX RECURSION LEVEL when the CTE is not marked "
                                    "as RECURSIVE");
    }
    return nilas_sql__literal_of(p, level_offset, nilas_type_of(NILAS_TYPE_INT),
                                 nilas_value_of_int(level), out);
}

static nilas_code parse_cte(nilas_sql__parser *p, bool recursive, nilas_cte *cte) {
    *cte = (nilas_cte){.offset = nilas_sql__offset(p)};
    NILAS_TRY(nilas_sql__captured_identifier(p, &cte->name));
    if (nilas_sql__at(p, TOKEN_LEFT_PAREN) && !nilas_sql__looks_like_query(p, 0)) {
        NILAS_TRY(nilas_sql__identifier_list(p, &cte->columns, &cte->column_count));
    }
    NILAS_TRY(parse_max_recursion(p, recursive, &cte->max_recursion_level));
    nilas_sql__accept(p, NILAS_KW_AS);
    return nilas_sql__paren_query(p, &cte->query);
}

static bool is_named(const nilas_cte *ctes, size_t count, nilas_str name) {
    for (size_t i = 0; i < count; i++) {
        if (nilas_str_equal(ctes[i].name, name)) {
            return true;
        }
    }
    return false;
}

nilas_code nilas_sql__ctes(nilas_sql__parser *p, nilas_cte **out, size_t *out_count,
                           bool *recursive) {
    NILAS_ARRAY_OF(nilas_cte) ctes = {0};
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_WITH));
    int next = nilas_sql__peek(p, 1);
    *recursive =
        nilas_sql__at(p, NILAS_KW_RECURSIVE) && next != NILAS_KW_AS && next != TOKEN_LEFT_PAREN;
    p->position += *recursive;
    do {
        nilas_cte cte;
        NILAS_TRY(parse_cte(p, *recursive, &cte));
        if (is_named(ctes.items, ctes.count, cte.name)) {
            nilas_sql__reject(p, cte.offset, "DUPLICATED_CTE_NAMES",
                              "CTE definition can't have duplicate names: `%.*s`.",
                              NILAS_FMT(cte.name));
        }
        NILAS_PUSH(p->stmt, &ctes, cte, p->err);
    } while (nilas_sql__accept(p, TOKEN_COMMA));
    *out = ctes.items;
    *out_count = ctes.count;
    return NILAS_OK;
}

// ---- ORDER BY, LIMIT ----------------------------------------------------------------------------

typedef struct organization {
    nilas_expr **order_by, **cluster_by, **distribute_by, **sort_by;
    size_t order_by_count, cluster_by_count, distribute_by_count, sort_by_count;
    nilas_named_window *windows;
    size_t window_count;
    nilas_expr *limit, *offset;
    bool all;
    int32_t start;
} organization;

/* Expressions as sort keys without a direction. */
static nilas_code parse_keys(nilas_sql__parser *p, nilas_expr ***out, size_t *out_count) {
    nilas_expr **keys;
    size_t count;
    NILAS_TRY(nilas_sql__expressions(p, &keys, &count));
    for (size_t i = 0; i < count; i++) {
        nilas_expr *sort;
        NILAS_TRY(nilas_sql__new_expr(p, NILAS_EXPR_SORT, keys[i]->offset, &sort));
        NILAS_TRY(nilas_sql__new_args(p, sort, 1));
        sort->args[0] = keys[i];
        sort->end_offset = keys[i]->end_offset;
        keys[i] = sort;
    }
    *out = keys;
    *out_count = count;
    return NILAS_OK;
}

static nilas_code parse_organization(nilas_sql__parser *p, organization *o) {
    *o = (organization){.start = nilas_sql__offset(p)};
    if (nilas_sql__accept2(p, NILAS_KW_ORDER, NILAS_KW_BY)) {
        NILAS_TRY(nilas_sql__sort_items(p, &o->order_by, &o->order_by_count));
    }
    if (nilas_sql__accept2(p, NILAS_KW_CLUSTER, NILAS_KW_BY)) {
        NILAS_TRY(parse_keys(p, &o->cluster_by, &o->cluster_by_count));
    }
    if (nilas_sql__accept2(p, NILAS_KW_DISTRIBUTE, NILAS_KW_BY)) {
        NILAS_TRY(parse_keys(p, &o->distribute_by, &o->distribute_by_count));
    }
    if (nilas_sql__accept2(p, NILAS_KW_SORT, NILAS_KW_BY)) {
        NILAS_TRY(nilas_sql__sort_items(p, &o->sort_by, &o->sort_by_count));
    }
    if (nilas_sql__accept(p, NILAS_KW_WINDOW)) {
        NILAS_TRY(nilas_sql__windows(p, &o->windows, &o->window_count));
    }
    if (nilas_sql__accept(p, NILAS_KW_LIMIT)) {
        o->all = nilas_sql__at(p, NILAS_KW_ALL);
        if (o->all) {
            p->position++;
        } else {
            NILAS_TRY(nilas_sql__expression(p, &o->limit));
        }
    }
    if (nilas_sql__accept(p, NILAS_KW_OFFSET)) {
        NILAS_TRY(nilas_sql__expression(p, &o->offset));
    }
    return NILAS_OK;
}

static void check_organization(nilas_sql__parser *p, const organization *o, bool in_pipe) {
    int sorts = (o->order_by_count > 0) + (o->cluster_by_count > 0) +
                (o->distribute_by_count > 0 || o->sort_by_count > 0);
    if (sorts > 1) {
        nilas_sql__reject(p, o->start, "UNSUPPORTED_FEATURE.COMBINATION_QUERY_RESULT_CLAUSES",
                          "The feature is not supported: Combination of ORDER BY/SORT "
                          "BY/DISTRIBUTE BY/CLUSTER BY.");
    }
    if (!in_pipe) {
        return;
    }
    const char *first = o->order_by_count > 0
                            ? "ORDER BY"
                            : (o->cluster_by_count > 0
                                   ? "CLUSTER BY"
                                   : (o->sort_by_count > 0
                                          ? "SORT BY"
                                          : (o->distribute_by_count > 0 ? "DISTRIBUTE BY" : NULL)));
    const char *second = o->offset != NULL ? "OFFSET" : (o->limit != NULL ? "LIMIT" : NULL);
    if (first != NULL && second != NULL) {
        nilas_sql__reject(p, o->start, "MULTIPLE_QUERY_RESULT_CLAUSES_WITH_PIPE_OPERATORS",
                          "%s and %s cannot coexist in the same SQL pipe operator using '|>'. "
                          "Please separate the multiple result clauses into separate pipe "
                          "operators and then retry the query again.",
                          first, second);
    }
    if (o->window_count > 0) {
        nilas_sql__reject(p, o->start, "UNSUPPORTED_FEATURE.CLAUSE_WITH_PIPE_OPERATORS",
                          "The feature is not supported: The SQL pipe operator syntax using |> "
                          "does not support the WINDOW clause.");
    }
}

static nilas_code add_sort(nilas_sql__parser *p, nilas_sort_kind kind, nilas_expr **keys,
                           size_t count, nilas_query **in_out) {
    if (count == 0) {
        return NILAS_OK;
    }
    nilas_query *sort;
    NILAS_TRY(new_over(p, NILAS_QUERY_SORT, *in_out, &sort));
    sort->sort_kind = kind;
    sort->exprs = keys;
    sort->expr_count = count;
    sort->end_offset = nilas_sql__end(p);
    *in_out = sort;
    return NILAS_OK;
}

nilas_code nilas_sql__organize(nilas_sql__parser *p, bool in_pipe, nilas_query *input,
                               nilas_query **out) {
    organization o;
    NILAS_TRY(parse_organization(p, &o));
    check_organization(p, &o, in_pipe);
    if (o.window_count > 0 && input->kind == NILAS_QUERY_SELECT && input->window_count == 0) {
        input->windows = o.windows;
        input->window_count = o.window_count;
    }
    NILAS_TRY(add_sort(p, NILAS_SORT_ORDER_BY, o.order_by, o.order_by_count, &input));
    NILAS_TRY(add_sort(p, NILAS_SORT_CLUSTER_BY, o.cluster_by, o.cluster_by_count, &input));
    NILAS_TRY(
        add_sort(p, NILAS_SORT_DISTRIBUTE_BY, o.distribute_by, o.distribute_by_count, &input));
    NILAS_TRY(add_sort(p, NILAS_SORT_SORT_BY, o.sort_by, o.sort_by_count, &input));
    if (o.limit != NULL || o.offset != NULL || o.all) {
        nilas_query *limit;
        NILAS_TRY(new_over(p, NILAS_QUERY_LIMIT, input, &limit));
        limit->limit = o.limit;
        limit->limit_offset = o.offset;
        limit->all = o.all;
        limit->end_offset = nilas_sql__end(p);
        input = limit;
    }
    *out = input;
    return NILAS_OK;
}

// ---- terms --------------------------------------------------------------------------------------

static nilas_code parse_table(nilas_sql__parser *p, nilas_query **out) {
    nilas_query *table;
    NILAS_TRY(nilas_sql__new_query(p, NILAS_QUERY_TABLE, nilas_sql__offset(p), &table));
    table->only_table = true;
    p->position++;
    NILAS_TRY(nilas_sql__reference(p, &table->parts, &table->part_count, &table->identifier));
    table->end_offset = nilas_sql__end(p);
    *out = table;
    return NILAS_OK;
}

/* SELECT bodies after a FROM; several are one union, none is the relation itself. */
static nilas_code parse_from_first(nilas_sql__parser *p, nilas_query **out) {
    nilas_query *from;
    NILAS_TRY(nilas_sql__from(p, &from));
    nilas_query *whole = NULL;
    while (nilas_sql__at(p, NILAS_KW_SELECT) || nilas_sql__at(p, NILAS_KW_MAP) ||
           nilas_sql__at(p, NILAS_KW_REDUCE)) {
        nilas_query *body;
        NILAS_TRY(nilas_sql__select_body(p, from, &body));
        NILAS_TRY(nilas_sql__organize(p, false, body, &body));
        if (whole == NULL) {
            whole = body;
            continue;
        }
        nilas_query *set_op;
        NILAS_TRY(nilas_sql__new_query(p, NILAS_QUERY_SET_OP, from->offset, &set_op));
        set_op->left = whole;
        set_op->right = body;
        set_op->set_op = NILAS_SET_UNION;
        set_op->all = true;
        whole = set_op;
    }
    *out = whole != NULL ? whole : from;
    return NILAS_OK;
}

nilas_code nilas_sql__query_primary(nilas_sql__parser *p, nilas_query **out) {
    switch (nilas_sql__peek(p, 0)) {
    case NILAS_KW_SELECT:
    case NILAS_KW_MAP:
    case NILAS_KW_REDUCE: return nilas_sql__select(p, out);
    case NILAS_KW_FROM: return parse_from_first(p, out);
    case NILAS_KW_TABLE: return parse_table(p, out);
    case NILAS_KW_VALUES: return nilas_sql__inline_table(p, out);
    case TOKEN_LEFT_PAREN: return nilas_sql__paren_query(p, out);
    default: return nilas_sql__unexpected(p);
    }
}

enum { LEVEL_PIPE = 1, LEVEL_UNION = 2, LEVEL_INTERSECT = 3 };

static int operator_level(const nilas_sql__parser *p, nilas_set_op *out) {
    switch (nilas_sql__peek(p, 0)) {
    case NILAS_KW_INTERSECT: *out = NILAS_SET_INTERSECT; return LEVEL_INTERSECT;
    case NILAS_KW_UNION: *out = NILAS_SET_UNION; return LEVEL_UNION;
    case NILAS_KW_EXCEPT:
    case NILAS_KW_MINUS: *out = NILAS_SET_EXCEPT; return LEVEL_UNION;
    case TOKEN_PIPE_OPERATOR: return LEVEL_PIPE;
    default: return 0;
    }
}

static nilas_code parse_term(nilas_sql__parser *p, int min_level, nilas_query **out);

static nilas_code parse_set_op(nilas_sql__parser *p, int level, nilas_set_op set_op,
                               nilas_query *left, nilas_query **out) {
    nilas_query *query;
    NILAS_TRY(nilas_sql__new_query(p, NILAS_QUERY_SET_OP, left->offset, &query));
    p->position++;
    query->set_op = set_op;
    query->left = left;
    query->all = nilas_sql__accept(p, NILAS_KW_ALL);
    if (!query->all) {
        nilas_sql__accept(p, NILAS_KW_DISTINCT);
    }
    NILAS_TRY(parse_term(p, level + 1, &query->right));
    query->end_offset = nilas_sql__end(p);
    *out = query;
    return NILAS_OK;
}

static nilas_code parse_term(nilas_sql__parser *p, int min_level, nilas_query **out) {
    nilas_query *left;
    NILAS_TRY(nilas_sql__query_primary(p, &left));
    int depth = p->depth;
    for (;;) {
        nilas_set_op set_op = NILAS_SET_UNION;
        int level = operator_level(p, &set_op);
        if (level == 0 || level < min_level) {
            break;
        }
        if (level == LEVEL_PIPE) {
            NILAS_TRY(nilas_sql__enter(p)); // each one nests the tree
            p->position++;
            NILAS_TRY(nilas_sql__pipe(p, left, &left));
        } else {
            NILAS_TRY(parse_set_op(p, level, set_op, left, &left));
        }
    }
    p->depth = depth;
    *out = left;
    return NILAS_OK;
}

nilas_code nilas_sql__query(nilas_sql__parser *p, nilas_query **out) {
    NILAS_TRY(nilas_sql__enter(p));
    nilas_query *with = NULL;
    nilas_query *query;
    if (nilas_sql__at(p, NILAS_KW_WITH)) {
        NILAS_TRY(nilas_sql__new_query(p, NILAS_QUERY_WITH, nilas_sql__offset(p), &with));
        NILAS_TRY(nilas_sql__ctes(p, &with->ctes, &with->cte_count, &with->recursive));
    }
    NILAS_TRY(parse_term(p, LEVEL_PIPE, &query));
    NILAS_TRY(nilas_sql__organize(p, false, query, &query));
    if (with != NULL) {
        with->input = query;
        with->end_offset = nilas_sql__end(p);
        query = with;
    }
    nilas_sql__leave(p);
    *out = query;
    return NILAS_OK;
}
