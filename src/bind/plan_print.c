/*
 * Plans and bound expressions as text for EXPLAIN: one operator a line, inputs indented below,
 * columns as name#id.
 */
#include "bind/expr.h"

#define PRINT_DEPTH NILAS_LIMIT_SQL_DEPTH

static void print_expr(nilas_buf *out, const nilas_bound_expr *bound, int depth);

static void print_exprs(nilas_buf *out, nilas_bound_expr *const *list, size_t count, int depth) {
    for (size_t i = 0; i < count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        print_expr(out, list[i], depth);
    }
}

// ---- expressions -----------------------------------------------------------------------------

static void print_window(nilas_buf *out, const nilas_bound_window *window, int depth) {
    nilas_buf_add_text(out, " OVER (");
    if (window->partition_by_count > 0) {
        nilas_buf_add_text(out, "PARTITION BY ");
        print_exprs(out, window->partition_by, window->partition_by_count, depth);
    }
    if (window->order_by_count > 0) {
        nilas_buf_add_text(out, window->partition_by_count > 0 ? " ORDER BY " : "ORDER BY ");
        print_exprs(out, window->order_by, window->order_by_count, depth);
    }
    nilas_buf_add_char(out, ')');
}

static void print_call(nilas_buf *out, const nilas_bound_expr *call, int depth) {
    const char *name = call->function->name;
    bool is_infix = (call->function->flags & NILAS_FUNCTION_OPERATOR) != 0 &&
                    call->arg_count == 2 && strcmp(name, "[]") != 0 && strcmp(name, "in") != 0;
    if (is_infix) {
        nilas_buf_add_char(out, '(');
        print_expr(out, call->args[0], depth);
        nilas_buf_print(out, " %s ", name);
        print_expr(out, call->args[1], depth);
        nilas_buf_add_char(out, ')');
    } else {
        nilas_buf_print(out, "%s(%s", name, call->distinct ? "DISTINCT " : "");
        print_exprs(out, call->args, call->arg_count, depth);
        nilas_buf_add_char(out, ')');
    }
    if (call->order_by_count > 0) {
        nilas_buf_add_text(out, " WITHIN GROUP (ORDER BY ");
        print_exprs(out, call->order_by, call->order_by_count, depth);
        nilas_buf_add_char(out, ')');
    }
    if (call->filter != NULL) {
        nilas_buf_add_text(out, " FILTER (WHERE ");
        print_expr(out, call->filter, depth);
        nilas_buf_add_char(out, ')');
    }
    if (call->window != NULL) {
        print_window(out, call->window, depth);
    }
}

static void print_literal(nilas_buf *out, const nilas_bound_expr *literal) {
    if (literal->value.kind == NILAS_VALUE_STRING) {
        nilas_string_literal_print(out, literal->value.text);
        return;
    }
    nilas_bind__print_literal(out, NULL, literal->type, &literal->value);
}

static void print_case(nilas_buf *out, const nilas_bound_expr *node, int depth) {
    size_t pairs = node->has_else ? node->arg_count - 1 : node->arg_count;
    nilas_buf_add_text(out, "CASE");
    for (size_t i = 0; i + 1 <= pairs && i < pairs; i += 2) {
        nilas_buf_add_text(out, " WHEN ");
        print_expr(out, node->args[i], depth);
        nilas_buf_add_text(out, " THEN ");
        print_expr(out, node->args[i + 1], depth);
    }
    if (node->has_else) {
        nilas_buf_add_text(out, " ELSE ");
        print_expr(out, node->args[node->arg_count - 1], depth);
    }
    nilas_buf_add_text(out, " END");
}

static void print_cast(nilas_buf *out, const nilas_bound_expr *cast, int depth) {
    static const char *const words[] = {
        [NILAS_CAST_ANSI] = "cast(", [NILAS_CAST_LEGACY] = "cast(", [NILAS_CAST_TRY] = "try_cast("};
    nilas_buf_add_text(out, words[cast->cast_mode]);
    print_expr(out, cast->args[0], depth);
    nilas_buf_add_text(out, " as ");
    nilas_type_print(out, cast->type);
    nilas_buf_add_char(out, ')');
}

static void print_struct(nilas_buf *out, const nilas_bound_expr *node, int depth) {
    nilas_buf_add_text(out, "named_struct(");
    for (size_t i = 0; i < node->arg_count; i++) {
        nilas_buf_print(out, "%s%.*s, ", i > 0 ? ", " : "", NILAS_FMT(node->type->fields[i].name));
        print_expr(out, node->args[i], depth);
    }
    nilas_buf_add_char(out, ')');
}

static void print_lambda(nilas_buf *out, const nilas_bound_expr *node, int depth) {
    nilas_buf_add_text(out, "lambda(");
    for (size_t i = 0; i < node->parameter_count; i++) {
        nilas_buf_print(out, "%s#%d", i > 0 ? ", " : "", node->parameter_ids[i]);
    }
    nilas_buf_add_text(out, " -> ");
    print_expr(out, node->args[0], depth);
    nilas_buf_add_char(out, ')');
}

static void print_subquery(nilas_buf *out, const nilas_bound_expr *node, int depth) {
    const char *word = node->kind == NILAS_BOUND_EXISTS ? "exists" : "scalar-subquery";
    if (node->kind == NILAS_BOUND_IN_QUERY) {
        nilas_buf_add_char(out, '(');
        print_exprs(out, node->args, node->arg_count, depth);
        nilas_buf_add_text(out, ") IN ");
        word = "subquery";
    }
    int32_t id = node->plan != NULL && node->plan->output_count > 0 ? node->plan->outputs[0].id : 0;
    nilas_buf_print(out, "%s#%d", word, id);
}

static void print_expr(nilas_buf *out, const nilas_bound_expr *bound, int depth) {
    if (depth > PRINT_DEPTH) {
        nilas_buf_add_text(out, "…");
        return;
    }
    depth++;
    switch (bound->kind) {
    case NILAS_BOUND_LITERAL: print_literal(out, bound); break;
    case NILAS_BOUND_COLUMN:
    case NILAS_BOUND_PARAMETER:
        nilas_buf_print(out, "%.*s#%d", NILAS_FMT(bound->name), bound->attribute_id);
        break;
    case NILAS_BOUND_CALL:
    case NILAS_BOUND_WINDOW: print_call(out, bound, depth); break;
    case NILAS_BOUND_CAST: print_cast(out, bound, depth); break;
    case NILAS_BOUND_CASE: print_case(out, bound, depth); break;
    case NILAS_BOUND_FIELD:
        print_expr(out, bound->args[0], depth);
        nilas_buf_print(out, ".%.*s", NILAS_FMT(bound->args[0]->type->fields[bound->index].name));
        break;
    case NILAS_BOUND_STRUCT: print_struct(out, bound, depth); break;
    case NILAS_BOUND_LAMBDA: print_lambda(out, bound, depth); break;
    case NILAS_BOUND_SUBQUERY:
    case NILAS_BOUND_EXISTS:
    case NILAS_BOUND_IN_QUERY: print_subquery(out, bound, depth); break;
    case NILAS_BOUND_SORT:
        print_expr(out, bound->args[0], depth);
        nilas_buf_print(out, " %s NULLS %s", bound->descending ? "DESC" : "ASC",
                        bound->nulls_first ? "FIRST" : "LAST");
        break;
    }
}

// ---- plans -----------------------------------------------------------------------------------

static const char *plan_name(nilas_plan_kind kind) {
    static const char *const names[] = {[NILAS_PLAN_ONE_ROW] = "OneRowRelation",
                                        [NILAS_PLAN_SCAN] = "Scan",
                                        [NILAS_PLAN_FILE_SCAN] = "FileScan",
                                        [NILAS_PLAN_LOCAL] = "LocalRelation",
                                        [NILAS_PLAN_VALUES] = "LocalRelation",
                                        [NILAS_PLAN_TABLE_FUNCTION] = "TableFunction",
                                        [NILAS_PLAN_PROJECT] = "Project",
                                        [NILAS_PLAN_FILTER] = "Filter",
                                        [NILAS_PLAN_AGGREGATE] = "Aggregate",
                                        [NILAS_PLAN_WINDOW] = "Window",
                                        [NILAS_PLAN_JOIN] = "Join",
                                        [NILAS_PLAN_SET_OP] = "SetOperation",
                                        [NILAS_PLAN_SORT] = "Sort",
                                        [NILAS_PLAN_LIMIT] = "Limit",
                                        [NILAS_PLAN_DISTINCT] = "Distinct",
                                        [NILAS_PLAN_GENERATE] = "Generate",
                                        [NILAS_PLAN_SAMPLE] = "Sample",
                                        [NILAS_PLAN_RECURSIVE] = "UnionLoop",
                                        [NILAS_PLAN_RECURSION] = "UnionLoopRef",
                                        [NILAS_PLAN_EMPTY] = "EmptyRelation"};
    nilas_assert(kind < sizeof(names) / sizeof(names[0]) && names[kind] != NULL);
    return names[kind];
}

static void print_outputs(nilas_buf *out, const nilas_plan *plan) {
    nilas_buf_add_text(out, " [");
    for (size_t i = 0; i < plan->output_count; i++) {
        nilas_buf_print(out, "%s%.*s#%d", i > 0 ? ", " : "", NILAS_FMT(plan->outputs[i].name),
                        plan->outputs[i].id);
    }
    nilas_buf_add_char(out, ']');
}

static void print_scan(nilas_buf *out, const nilas_plan *plan) {
    const nilas_bound_scan *scan = plan->scan;
    nilas_buf_print(out, " %.*s", NILAS_FMT(scan->name));
    print_outputs(out, plan);
    if (scan->incremental) {
        nilas_buf_print(out, " snapshots (%lld, %lld]", (long long)scan->from_snapshot_id,
                        (long long)scan->to_snapshot_id);
    } else if (scan->snapshot != NULL) {
        nilas_buf_print(out, " snapshot %lld", (long long)scan->snapshot->snapshot_id);
    }
    if (scan->filter != NULL) {
        nilas_buf_add_text(out, scan->filter_is_exact ? " filters (exact) " : " filters ");
        nilas_predicate_print(out, scan->filter, scan->schema);
    }
}

static void print_project(nilas_buf *out, const nilas_plan *plan) {
    nilas_buf_add_text(out, " [");
    for (size_t i = 0; i < plan->expr_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        print_expr(out, plan->exprs[i], 0);
        nilas_buf_print(out, " AS %.*s#%d", NILAS_FMT(plan->outputs[i].name), plan->outputs[i].id);
    }
    nilas_buf_add_char(out, ']');
}

static void print_aggregate(nilas_buf *out, const nilas_plan *plan) {
    nilas_buf_add_text(out, " [");
    print_exprs(out, plan->groups, plan->group_count, 0);
    nilas_buf_add_text(out, "], [");
    print_exprs(out, plan->exprs, plan->expr_count, 0);
    nilas_buf_add_char(out, ']');
    if (plan->set_count > 0) {
        nilas_buf_print(out, " %zu grouping sets", plan->set_count);
    }
}

static void print_join(nilas_buf *out, const nilas_plan *plan) {
    static const char *const kinds[] = {"Inner",     "Cross",    "LeftOuter", "RightOuter",
                                        "FullOuter", "LeftSemi", "LeftAnti"};
    nilas_buf_print(out, "%s %s", plan->lateral ? " Lateral" : "", kinds[plan->join_kind]);
    if (plan->condition != NULL) {
        nilas_buf_add_text(out, ", ");
        print_expr(out, plan->condition, 0);
    }
}

static void print_set_op(nilas_buf *out, const nilas_plan *plan) {
    static const char *const kinds[] = {"Union", "Intersect", "Except"};
    nilas_buf_print(out, " %s%s", kinds[plan->set_op], plan->all ? " All" : "");
}

static void print_details(nilas_buf *out, const nilas_plan *plan) {
    switch (plan->kind) {
    case NILAS_PLAN_SCAN: print_scan(out, plan); break;
    case NILAS_PLAN_FILE_SCAN:
        nilas_buf_print(out, " %.*s", NILAS_FMT(plan->file_scan->format));
        print_outputs(out, plan);
        break;
    case NILAS_PLAN_LOCAL:
        print_outputs(out, plan);
        nilas_buf_print(out, " %zu bytes, hash %016llx", plan->local->data.size,
                        (unsigned long long)nilas_str_hash(plan->local->data));
        break;
    case NILAS_PLAN_PROJECT: print_project(out, plan); break;
    case NILAS_PLAN_FILTER:
        nilas_buf_add_char(out, ' ');
        print_expr(out, plan->condition, 0);
        break;
    case NILAS_PLAN_AGGREGATE: print_aggregate(out, plan); break;
    case NILAS_PLAN_JOIN: print_join(out, plan); break;
    case NILAS_PLAN_SET_OP: print_set_op(out, plan); break;
    case NILAS_PLAN_LIMIT:
        nilas_buf_print(out, " %lld offset %lld", (long long)plan->limit,
                        (long long)plan->limit_offset);
        break;
    case NILAS_PLAN_VALUES: nilas_buf_print(out, " %zu rows", plan->row_count); break;
    case NILAS_PLAN_WINDOW:
    case NILAS_PLAN_SORT:
    case NILAS_PLAN_DISTINCT:
    case NILAS_PLAN_GENERATE:
    case NILAS_PLAN_TABLE_FUNCTION:
        nilas_buf_add_text(out, " [");
        print_exprs(out, plan->exprs, plan->expr_count, 0);
        nilas_buf_add_char(out, ']');
        break;
    default: print_outputs(out, plan); break;
    }
}

static void print_plan(nilas_buf *out, const nilas_plan *plan, int depth) {
    for (int i = 0; i < depth; i++) {
        nilas_buf_add_text(out, i + 1 < depth ? "   " : "+- ");
    }
    nilas_buf_add_text(out, plan_name(plan->kind));
    print_details(out, plan);
    nilas_buf_add_char(out, '\n');
    if (depth >= PRINT_DEPTH) {
        return;
    }
    if (plan->input != NULL) {
        print_plan(out, plan->input, depth + 1);
    }
    if (plan->right != NULL) {
        print_plan(out, plan->right, depth + 1);
    }
}

void nilas_plan_print(nilas_buf *out, const nilas_plan *plan) {
    print_plan(out, plan, 0);
}
