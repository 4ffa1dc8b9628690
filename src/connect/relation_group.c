/** Relations that turn rows and columns: groups, pivot, unpivot, transpose. */
#include "connect/plan.h"

static nilas_code pivot(nilas_connect__plan *plan, const Sc__Aggregate *from, nilas_query *query) {
    if (from->pivot == NULL) {
        return nilas_connect__missing(plan, "column of a pivot");
    }
    query->kind = NILAS_QUERY_PIVOT;
    query->group_by.present = true;
    NILAS_NEW(plan->stmt, &query->pivot_columns, plan->err);
    query->pivot_column_count = 1;
    NILAS_TRY(nilas_connect__expr(plan, from->pivot->col, &query->pivot_columns[0]));
    NILAS_NEW_ARRAY(plan->stmt, &query->pivot_values, from->pivot->n_values, plan->err);
    query->pivot_value_count = from->pivot->n_values;
    for (size_t i = 0; i < from->pivot->n_values; i++) {
        NILAS_TRY(nilas_connect__literal(plan, from->pivot->values[i], &query->pivot_values[i]));
    }
    return NILAS_OK;
}

/* ROLLUP and CUBE take the keys as their own arguments. */
static nilas_code wrap_keys(nilas_connect__plan *plan, nilas_expr_kind kind, nilas_query *query) {
    nilas_expr *all;
    NILAS_TRY(nilas_connect__new_expr(plan, kind, 0, &all));
    all->args = query->group_by.exprs;
    all->arg_count = query->group_by.expr_count;
    NILAS_NEW(plan->stmt, &query->group_by.exprs, plan->err);
    query->group_by.exprs[0] = all;
    query->group_by.expr_count = 1;
    return NILAS_OK;
}

static nilas_code grouping_sets(nilas_connect__plan *plan, const Sc__Aggregate *from,
                                nilas_query *query) {
    nilas_expr *sets;
    NILAS_TRY(
        nilas_connect__new_expr(plan, NILAS_EXPR_GROUPING_SETS, from->n_grouping_sets, &sets));
    for (size_t i = 0; i < from->n_grouping_sets; i++) {
        const Sc__Aggregate__GroupingSets *set = from->grouping_sets[i];
        NILAS_TRY(nilas_connect__new_expr(plan, NILAS_EXPR_ROW, 0, &sets->args[i]));
        NILAS_TRY(nilas_connect__exprs(plan, set->grouping_set, set->n_grouping_set,
                                       &sets->args[i]->args));
        sets->args[i]->arg_count = set->n_grouping_set;
    }
    query->group_by.grouping_sets = sets;
    return NILAS_OK;
}

/* SQL takes a number among the keys for a position; DataFrames mean the number. */
static nilas_code name_numbers(nilas_connect__plan *plan, nilas_expr **keys, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (keys[i]->kind != NILAS_EXPR_LITERAL || keys[i]->value.kind != NILAS_VALUE_INT) {
            continue;
        }
        nilas_expr *alias;
        NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
        nilas_buf_print(&text, "%lld", (long long)keys[i]->value.integer);
        NILAS_TRY(nilas_connect__new_expr(plan, NILAS_EXPR_ALIAS, 1, &alias));
        NILAS_NEW(plan->stmt, &alias->parts, plan->err);
        NILAS_TRY(nilas_buf_finish(&text, plan->stmt, &alias->parts[0], plan->err));
        alias->part_count = 1;
        alias->args[0] = keys[i];
        keys[i] = alias;
    }
    return NILAS_OK;
}

nilas_code nilas_connect__aggregate(nilas_connect__plan *plan, const Sc__Relation *message,
                                    nilas_query **out) {
    const Sc__Aggregate *from = message->aggregate;
    nilas_query *query;
    NILAS_TRY(nilas_connect__over(plan, NILAS_QUERY_PIPE_AGGREGATE, from->input, &query));
    NILAS_TRY(nilas_connect__exprs(plan, from->grouping_expressions, from->n_grouping_expressions,
                                   &query->group_by.exprs));
    query->group_by.expr_count = from->n_grouping_expressions;
    NILAS_TRY(name_numbers(plan, query->group_by.exprs, query->group_by.expr_count));
    query->group_by.present = from->n_grouping_expressions > 0;
    NILAS_TRY(nilas_connect__exprs(plan, from->aggregate_expressions, from->n_aggregate_expressions,
                                   &query->exprs));
    query->expr_count = from->n_aggregate_expressions;
    switch (from->group_type) {
    case SC__AGGREGATE__GROUP_TYPE__GROUP_TYPE_GROUPBY: break;
    case SC__AGGREGATE__GROUP_TYPE__GROUP_TYPE_ROLLUP:
        NILAS_TRY(wrap_keys(plan, NILAS_EXPR_ROLLUP, query));
        break;
    case SC__AGGREGATE__GROUP_TYPE__GROUP_TYPE_CUBE:
        NILAS_TRY(wrap_keys(plan, NILAS_EXPR_CUBE, query));
        break;
    case SC__AGGREGATE__GROUP_TYPE__GROUP_TYPE_PIVOT: NILAS_TRY(pivot(plan, from, query)); break;
    case SC__AGGREGATE__GROUP_TYPE__GROUP_TYPE_GROUPING_SETS:
        NILAS_TRY(grouping_sets(plan, from, query));
        break;
    default: return nilas_connect__missing(plan, "kind of a group");
    }
    *out = query;
    return NILAS_OK;
}

nilas_code nilas_connect__unpivot(nilas_connect__plan *plan, const Sc__Relation *message,
                                  nilas_query **out) {
    const Sc__Unpivot *from = message->unpivot;
    nilas_query *query;
    nilas_unpivot *unpivot;
    NILAS_TRY(nilas_connect__over(plan, NILAS_QUERY_UNPIVOT, from->input, &query));
    NILAS_TRY(nilas_connect__exprs(plan, from->ids, from->n_ids, &query->exprs));
    query->expr_count = from->n_ids;
    NILAS_NEW(plan->stmt, &unpivot, plan->err);
    unpivot->ids_given = true;
    unpivot->include_nulls = true;
    unpivot->name_column = nilas_connect__text(from->variable_column_name);
    NILAS_NEW(plan->stmt, &unpivot->value_columns, plan->err);
    unpivot->value_columns[0] = nilas_connect__text(from->value_column_name);
    unpivot->value_column_count = 1;
    if (from->_values_case != SC__UNPIVOT___VALUES__NOT_SET && from->values != NULL) {
        size_t count = from->values->n_values;
        nilas_expr **columns;
        if (count == 0) {
            return nilas_fail_at(
                plan->err, NILAS_INVALID, "UNPIVOT_REQUIRES_VALUE_COLUMNS", -1,
                "At least one value column needs to be specified for UNPIVOT, all columns "
                "specified as ids.");
        }
        NILAS_TRY(nilas_connect__exprs(plan, from->values->values, count, &columns));
        NILAS_NEW_ARRAY(plan->stmt, &unpivot->values, count, plan->err);
        unpivot->value_count = count;
        for (size_t i = 0; i < count; i++) {
            unpivot->values[i].columns = &columns[i];
            unpivot->values[i].column_count = 1;
        }
    }
    query->unpivot = unpivot;
    *out = query;
    return NILAS_OK;
}

nilas_code nilas_connect__transpose(nilas_connect__plan *plan, const Sc__Relation *message,
                                    nilas_query **out) {
    const Sc__Transpose *from = message->transpose;
    nilas_query *query;
    NILAS_TRY(nilas_connect__over(plan, NILAS_QUERY_TRANSPOSE, from->input, &query));
    NILAS_TRY(
        nilas_connect__exprs(plan, from->index_columns, from->n_index_columns, &query->exprs));
    query->expr_count = from->n_index_columns;
    *out = query;
    return NILAS_OK;
}
