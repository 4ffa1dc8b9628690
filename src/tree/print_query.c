/**
 * Queries as text. Three places take a query: a whole query (may begin with WITH and end with ORDER
 * BY and LIMIT), a term
 * (an operand of UNION or of |>), and a relation of FROM. A query in a place that does not take it
 * bare is put into
 * parentheses; a bare relation as a term is "FROM relation".
 */
#include "tree/print.h"

static void print_term(nilas_buf *out, const nilas_query *query);
static void print_select(nilas_buf *out, const nilas_query *query, bool is_branch);

static bool is_organized(const nilas_query *query) {
    return query->kind == NILAS_QUERY_SORT || query->kind == NILAS_QUERY_LIMIT ||
           query->kind == NILAS_QUERY_WITH;
}

static bool is_pipe(const nilas_query *query) {
    switch (query->kind) {
    case NILAS_QUERY_FILTER:
    case NILAS_QUERY_PIPE_SELECT:
    case NILAS_QUERY_PIPE_EXTEND:
    case NILAS_QUERY_PIPE_SET:
    case NILAS_QUERY_PIPE_DROP:
    case NILAS_QUERY_PIPE_RENAME:
    case NILAS_QUERY_PIPE_AGGREGATE: return true;
    default: return nilas_tree__frame_word(query->kind) != NULL;
    }
}

static void print_parenthesized(nilas_buf *out, const nilas_query *query) {
    nilas_buf_add_char(out, '(');
    nilas_query_print(out, query);
    nilas_buf_add_char(out, ')');
}

static void print_term_or_parenthesized(nilas_buf *out, const nilas_query *query) {
    if (is_organized(query)) {
        print_parenthesized(out, query);
    } else {
        print_term(out, query);
    }
}

// ---- a whole query ------------------------------------------------------------------------------

void nilas_tree__print_ctes(nilas_buf *out, const nilas_cte *ctes, size_t count, bool recursive) {
    nilas_buf_add_text(out, recursive ? "WITH RECURSIVE " : "WITH ");
    for (size_t i = 0; i < count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        nilas_tree__print_name(out, ctes[i].name);
        if (ctes[i].column_count > 0) {
            nilas_tree__print_name_list(out, ctes[i].columns, ctes[i].column_count);
        }
        if (ctes[i].max_recursion_level != NULL) {
            nilas_buf_add_text(out, " MAX RECURSION LEVEL ");
            nilas_expr_print(out, ctes[i].max_recursion_level);
        }
        nilas_buf_add_text(out, " AS ");
        print_parenthesized(out, ctes[i].query);
    }
    nilas_buf_add_char(out, ' ');
}

static void print_sort(nilas_buf *out, const nilas_query *query) {
    static const char *const words[] = {
        [NILAS_SORT_ORDER_BY] = " ORDER BY ",
        [NILAS_SORT_SORT_BY] = " SORT BY ",
        [NILAS_SORT_CLUSTER_BY] = " CLUSTER BY ",
        [NILAS_SORT_DISTRIBUTE_BY] = " DISTRIBUTE BY ",
    };
    const nilas_query *input = query->input;
    bool distributed = query->sort_kind == NILAS_SORT_SORT_BY && input->kind == NILAS_QUERY_SORT &&
                       input->sort_kind == NILAS_SORT_DISTRIBUTE_BY;
    if (distributed) {
        print_sort(out, input);
    } else {
        print_term_or_parenthesized(out, input);
    }
    nilas_buf_add_text(out, words[query->sort_kind]);
    nilas_tree__print_exprs(out, query->exprs, query->expr_count);
}

static void print_limit(nilas_buf *out, const nilas_query *query) {
    if (query->input->kind == NILAS_QUERY_SORT) {
        print_sort(out, query->input);
    } else {
        print_term_or_parenthesized(out, query->input);
    }
    if (query->limit != NULL) {
        nilas_buf_add_text(out, " LIMIT ");
        nilas_expr_print(out, query->limit);
    } else if (query->all) {
        nilas_buf_add_text(out, " LIMIT ALL");
    }
    if (query->limit_offset != NULL) {
        nilas_buf_add_text(out, " OFFSET ");
        nilas_expr_print(out, query->limit_offset);
    }
}

void nilas_query_print(nilas_buf *out, const nilas_query *query) {
    switch (query->kind) {
    case NILAS_QUERY_WITH:
        nilas_tree__print_ctes(out, query->ctes, query->cte_count, query->recursive);
        if (query->input->kind == NILAS_QUERY_WITH) {
            print_parenthesized(out, query->input);
        } else {
            nilas_query_print(out, query->input);
        }
        break;
    case NILAS_QUERY_SORT: print_sort(out, query); break;
    case NILAS_QUERY_LIMIT: print_limit(out, query); break;
    default: print_term(out, query); break;
    }
}

// ---- SELECT -------------------------------------------------------------------------------------

static void print_hints(nilas_buf *out, const nilas_hint *hints, size_t count) {
    if (count == 0) {
        return;
    }
    nilas_buf_add_text(out, "/*+ ");
    for (size_t i = 0; i < count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        nilas_tree__print_name(out, hints[i].name);
        if (hints[i].arg_count > 0) {
            nilas_buf_add_char(out, '(');
            nilas_tree__print_exprs(out, hints[i].args, hints[i].arg_count);
            nilas_buf_add_char(out, ')');
        }
    }
    nilas_buf_add_text(out, " */ ");
}

static void print_group_by(nilas_buf *out, const nilas_group_by *group_by) {
    if (!group_by->present) {
        return;
    }
    nilas_buf_add_text(out, " GROUP BY ");
    nilas_tree__print_exprs(out, group_by->exprs, group_by->expr_count);
    if (group_by->with_rollup || group_by->with_cube) {
        nilas_buf_add_text(out, group_by->with_rollup ? " WITH ROLLUP" : " WITH CUBE");
    }
    if (group_by->grouping_sets != NULL) {
        nilas_buf_add_char(out, ' ');
        nilas_expr_print(out, group_by->grouping_sets);
    }
}

static void print_windows(nilas_buf *out, const nilas_named_window *windows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : " WINDOW ");
        nilas_tree__print_name(out, windows[i].name);
        nilas_buf_add_text(out, " AS ");
        nilas_tree__print_window(out, windows[i].window);
    }
}

static void print_lateral_view(nilas_buf *out, const nilas_query *query) {
    nilas_buf_add_text(out, query->outer ? " LATERAL VIEW OUTER " : " LATERAL VIEW ");
    nilas_expr_print(out, query->exprs[0]);
    nilas_buf_add_char(out, ' ');
    nilas_tree__print_name(out, query->alias);
    for (size_t i = 0; i < query->column_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : " AS ");
        nilas_tree__print_name(out, query->columns[i]);
    }
}

const nilas_query *nilas_tree__branch_root(const nilas_query *query) {
    while (query != NULL && query->kind == NILAS_QUERY_LATERAL_VIEW) {
        query = query->input;
    }
    return query;
}

/* Lateral views from the innermost outwards. */
static void print_lateral_views(nilas_buf *out, const nilas_query *query) {
    if (query != NULL && query->kind == NILAS_QUERY_LATERAL_VIEW) {
        print_lateral_views(out, query->input);
        print_lateral_view(out, query);
    }
}

static void print_select(nilas_buf *out, const nilas_query *query, bool is_branch) {
    nilas_buf_add_text(out, "SELECT ");
    print_hints(out, query->hints, query->hint_count);
    nilas_buf_add_text(out, query->distinct ? "DISTINCT " : "");
    nilas_tree__print_exprs(out, query->exprs, query->expr_count);
    const nilas_query *root = nilas_tree__branch_root(query->input);
    if (root != NULL && !is_branch) {
        nilas_buf_add_text(out, " FROM ");
        nilas_tree__print_relation(out, root);
    }
    print_lateral_views(out, query->input);
    if (query->where != NULL) {
        nilas_buf_add_text(out, " WHERE ");
        nilas_expr_print(out, query->where);
    }
    print_group_by(out, &query->group_by);
    if (query->having != NULL) {
        nilas_buf_add_text(out, " HAVING ");
        nilas_expr_print(out, query->having);
    }
    print_windows(out, query->windows, query->window_count);
}

void nilas_tree__print_branch(nilas_buf *out, const nilas_query *query) {
    switch (query->kind) {
    case NILAS_QUERY_SORT: {
        nilas_tree__print_branch(out, query->input);
        NILAS_AUTO_BUF whole = NILAS_BUF_INIT(0);
        nilas_query empty = {.kind = NILAS_QUERY_TABLE, .only_table = true};
        nilas_query sort = *query;
        sort.input = &empty;
        print_sort(&whole, &sort);
        nilas_buf_add(out, nilas_str_slice(nilas_buf_view(&whole), sizeof("TABLE ") - 1, SIZE_MAX));
        break;
    }
    case NILAS_QUERY_LIMIT: {
        nilas_tree__print_branch(out, query->input);
        NILAS_AUTO_BUF whole = NILAS_BUF_INIT(0);
        nilas_query empty = {.kind = NILAS_QUERY_TABLE, .only_table = true};
        nilas_query limit = *query;
        limit.input = &empty;
        print_limit(&whole, &limit);
        nilas_buf_add(out, nilas_str_slice(nilas_buf_view(&whole), sizeof("TABLE ") - 1, SIZE_MAX));
        break;
    }
    case NILAS_QUERY_SELECT: print_select(out, query, true); break;
    default: nilas_query_print(out, query); break;
    }
}

// ---- terms --------------------------------------------------------------------------------------

static void print_values(nilas_buf *out, const nilas_query *query) {
    nilas_buf_add_text(out, "VALUES ");
    nilas_tree__print_exprs(out, query->exprs, query->expr_count);
}

static int set_op_level(const nilas_query *query) {
    return query->set_op == NILAS_SET_INTERSECT ? 2 : 1;
}

static void print_set_operand(nilas_buf *out, const nilas_query *query, int level) {
    bool bare = query->kind == NILAS_QUERY_SELECT || query->kind == NILAS_QUERY_VALUES ||
                (query->kind == NILAS_QUERY_TABLE && query->only_table);
    if (bare || (query->kind == NILAS_QUERY_SET_OP && set_op_level(query) >= level)) {
        print_term(out, query);
    } else {
        print_parenthesized(out, query);
    }
}

static void print_set_op_tail(nilas_buf *out, const nilas_query *query) {
    static const char *const words[] = {
        [NILAS_SET_UNION] = " UNION ",
        [NILAS_SET_INTERSECT] = " INTERSECT ",
        [NILAS_SET_EXCEPT] = " EXCEPT ",
    };
    nilas_buf_add_text(out, words[query->set_op]);
    nilas_buf_add_text(out, query->all ? "ALL " : "");
    nilas_buf_add_text(out, query->by_name ? "BY NAME " : "");
    print_set_operand(out, query->right, set_op_level(query) + 1);
}

/* As binary operators: the left spine from a list, so that a union of thousands needs no stack. */
static void print_set_op(nilas_buf *out, const nilas_query *query) {
    NILAS_AUTO_BUF spine = NILAS_BUF_INIT(SIZE_MAX);
    const nilas_query *left = query;
    do {
        nilas_buf_add_bytes(&spine, &left, sizeof(left));
        query = left;
        left = left->left;
    } while (left->kind == NILAS_QUERY_SET_OP && set_op_level(left) >= set_op_level(query));
    if (spine.failed != NILAS_OK) {
        out->failed = spine.failed;
        return;
    }

    print_set_operand(out, left, set_op_level(query));
    for (size_t i = spine.size / sizeof(left); i > 0; i--) {
        memcpy(&query, spine.data + (i - 1) * sizeof(query), sizeof(query));
        print_set_op_tail(out, query);
    }
}

static void print_assigned(nilas_buf *out, const nilas_expr *alias) {
    nilas_tree__print_name(out, alias->parts[0]);
    nilas_buf_add_text(out, " = ");
    nilas_expr_print(out, alias->args[0]);
}

static void print_pipe_list(nilas_buf *out, const nilas_query *query) {
    switch (query->kind) {
    case NILAS_QUERY_PIPE_SELECT:
        nilas_buf_add_text(out, "SELECT ");
        print_hints(out, query->hints, query->hint_count);
        nilas_buf_add_text(out, query->distinct ? "DISTINCT " : "");
        nilas_tree__print_exprs(out, query->exprs, query->expr_count);
        print_windows(out, query->windows, query->window_count);
        break;
    case NILAS_QUERY_PIPE_EXTEND:
        nilas_buf_add_text(out, "EXTEND ");
        nilas_tree__print_exprs(out, query->exprs, query->expr_count);
        break;
    case NILAS_QUERY_PIPE_SET:
        for (size_t i = 0; i < query->expr_count; i++) {
            nilas_buf_add_text(out, i > 0 ? ", " : "SET ");
            print_assigned(out, query->exprs[i]);
        }
        break;
    default:
        nilas_buf_add_text(out, "AGGREGATE ");
        nilas_tree__print_exprs(out, query->exprs, query->expr_count);
        print_group_by(out, &query->group_by);
        break;
    }
}

static void print_pipe(nilas_buf *out, const nilas_query *query) {
    print_term_or_parenthesized(out, query->input);
    nilas_buf_add_text(out, " |> ");
    switch (query->kind) {
    case NILAS_QUERY_FILTER:
        nilas_buf_add_text(out, "WHERE ");
        nilas_expr_print(out, query->where);
        break;
    case NILAS_QUERY_PIPE_DROP:
    case NILAS_QUERY_PIPE_RENAME: // no text form: shown as the columns that go
        for (size_t i = 0; i < query->column_count; i++) {
            nilas_buf_add_text(out, i > 0 ? ", " : "DROP ");
            nilas_tree__print_name(out, query->columns[i]);
        }
        if (query->kind == NILAS_QUERY_PIPE_DROP && query->expr_count > 0) {
            nilas_buf_add_text(out, query->column_count > 0 ? ", " : "DROP ");
            nilas_tree__print_exprs(out, query->exprs, query->expr_count);
        }
        break;
    case NILAS_QUERY_PIPE_SELECT:
    case NILAS_QUERY_PIPE_EXTEND:
    case NILAS_QUERY_PIPE_SET:
    case NILAS_QUERY_PIPE_AGGREGATE: print_pipe_list(out, query); break;
    default: nilas_tree__print_frame(out, query); break;
    }
}

/* Nodes that only DataFrames make have no exact text: the nearest SELECT shows them. */
static void print_frame(nilas_buf *out, const nilas_query *query) {
    nilas_buf_add_text(out, "SELECT ");
    print_hints(out, query->hints, query->hint_count);
    nilas_buf_add_text(out,
                       query->kind == NILAS_QUERY_DEDUPLICATE ? "DISTINCT * FROM " : "* FROM ");
    nilas_tree__print_relation(out, query->input);
}

static void print_term(nilas_buf *out, const nilas_query *query) {
    if (is_pipe(query)) {
        print_pipe(out, query);
        return;
    }
    switch (query->kind) {
    case NILAS_QUERY_SELECT: print_select(out, query, false); break;
    case NILAS_QUERY_VALUES: print_values(out, query); break;
    case NILAS_QUERY_SET_OP: print_set_op(out, query); break;
    case NILAS_QUERY_HINT:
    case NILAS_QUERY_DEDUPLICATE:
    case NILAS_QUERY_TAIL: print_frame(out, query); break;
    case NILAS_QUERY_TABLE:
        if (query->only_table) {
            nilas_buf_add_text(out, "TABLE ");
            if (query->identifier != NULL) {
                nilas_expr_print(out, query->identifier);
            } else {
                nilas_tree__print_parts(out, query->parts, query->part_count);
            }
            break;
        }
        [[fallthrough]];
    default:
        nilas_buf_add_text(out, "FROM ");
        nilas_tree__print_relation(out, nilas_tree__branch_root(query));
        print_lateral_views(out, query);
        break;
    }
}
