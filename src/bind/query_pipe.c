/**
 * Pipe operators that change columns: |> SELECT, EXTEND, SET, DROP, RENAME, AGGREGATE; and the
 * DataFrame operations alike.
 */
#include "bind/frame.h"

static nilas_code new_star(nilas_binder *binder, int32_t offset, nilas_expr **out,
                           nilas_error *err) {
    return nilas_expr_new(binder->arena, NILAS_EXPR_STAR, offset, out, err);
}

/** EXTEND: the input's columns, then the new ones. */
static nilas_code bind_extend(nilas_binder *binder, nilas_bind_scope *outer,
                              const nilas_query *query, const nilas_bound_relation *input,
                              nilas_bound_relation *out, nilas_error *err) {
    nilas_expr **exprs;
    NILAS_NEW_ARRAY(binder->arena, &exprs, query->expr_count + 1, err);
    NILAS_TRY(new_star(binder, query->offset, &exprs[0], err));
    for (size_t i = 0; i < query->expr_count; i++) {
        exprs[i + 1] = query->exprs[i];
    }
    nilas_select select = {.from = *input,
                           .exprs = exprs,
                           .expr_count = query->expr_count + 1,
                           .offset = query->offset};
    return nilas_bind__select(binder, outer, &select, out, err);
}

static nilas_code fail_no_column(const nilas_bind_scope *scope, nilas_str name, int32_t offset,
                                 nilas_error *err) {
    nilas_bound_expr *ignored;
    size_t consumed;
    nilas_bind_scope here = *scope;
    here.outer = NULL;
    NILAS_TRY(nilas_bind__find_column(&here, &name, 1, offset, &ignored, &consumed, err));
    return NILAS_OK;
}

/** SET: each assignment replaces the column of its name where it stands. */
static nilas_code bind_set(nilas_binder *binder, nilas_bind_scope *outer, const nilas_query *query,
                           nilas_bound_relation *input, nilas_bound_relation *out,
                           nilas_error *err) {
    NILAS_TRY(nilas_bind__visible_only(binder, input, err));
    nilas_bind_scope scope;
    nilas_bind__scope_of(&scope, binder, input, outer, "SET");
    size_t count = input->column_count;
    nilas_bound_expr **exprs;
    nilas_str *names;
    NILAS_NEW_ARRAY(binder->arena, &exprs, count + query->expr_count, err);
    NILAS_NEW_ARRAY(binder->arena, &names, count + query->expr_count, err);
    for (size_t i = 0; i < count; i++) {
        NILAS_TRY(nilas_bind__column_ref(binder, &input->columns[i].attribute, &exprs[i], err));
        names[i] = input->columns[i].attribute.name;
    }
    for (size_t a = 0; a < query->expr_count; a++) {
        const nilas_expr *assignment = query->exprs[a];
        nilas_bound_expr *bound;
        bool found = false;
        NILAS_TRY(nilas_bind__expr(&scope, assignment->args[0], &bound, err));
        for (size_t i = 0; i < count; i++) {
            if (nilas_bind__same_name(binder, names[i], assignment->parts[0])) {
                exprs[i] = bound;
                found = true;
            }
        }
        if (!found) {
            NILAS_TRY(fail_no_column(&scope, assignment->parts[0], assignment->offset, err));
            exprs[count] = bound;
            names[count++] = assignment->parts[0];
        }
    }
    *out = *input;
    NILAS_TRY(nilas_bind__replace_columns(binder, out, exprs, names, count, err));
    for (size_t i = 0; i < input->column_count; i++) {
        out->columns[i].qualifier = input->columns[i].qualifier;
        out->columns[i].qualifier_count = input->columns[i].qualifier_count;
    }
    return NILAS_OK;
}

/** DataFrame.withColumns() takes each name once. */
static nilas_code check_assigned_once(nilas_binder *binder, const nilas_query *query,
                                      nilas_error *err) {
    for (size_t i = 0; i < query->expr_count; i++) {
        for (size_t k = 0; k < i; k++) {
            nilas_str name = query->exprs[i]->parts[0];
            if (nilas_bind__same_name(binder, name, query->exprs[k]->parts[0])) {
                return nilas_fail_at(err, NILAS_INVALID, "COLUMN_ALREADY_EXISTS", query->offset,
                                     "The column `%.*s` already exists. Choose another name or "
                                     "rename the existing column.",
                                     NILAS_FMT(query->exprs[k]->parts[0]));
            }
        }
    }
    return NILAS_OK;
}

static const nilas_expr *assigned_to(nilas_binder *binder, const nilas_query *query,
                                     nilas_str name) {
    for (size_t i = 0; i < query->expr_count; i++) {
        if (nilas_bind__same_name(binder, query->exprs[i]->parts[0], name)) {
            return query->exprs[i];
        }
    }
    return NULL;
}

static bool has_visible(nilas_binder *binder, const nilas_bound_relation *relation,
                        nilas_str name) {
    for (size_t i = 0; i < relation->column_count; i++) {
        if (!relation->columns[i].hidden &&
            nilas_bind__same_name(binder, relation->columns[i].attribute.name, name)) {
            return true;
        }
    }
    return false;
}

/** DataFrame.withColumns(): a select list of the columns, the assigned ones replaced, the new ones
 * last. */
static nilas_code bind_with_columns(nilas_binder *binder, nilas_bind_scope *outer,
                                    const nilas_query *query, const nilas_bound_relation *input,
                                    nilas_bound_relation *out, nilas_error *err) {
    nilas_expr **exprs;
    size_t count = 0;
    NILAS_TRY(check_assigned_once(binder, query, err));
    NILAS_NEW_ARRAY(binder->arena, &exprs, input->column_count + query->expr_count, err);
    for (size_t i = 0; i < input->column_count; i++) {
        const nilas_attribute *attribute = &input->columns[i].attribute;
        if (input->columns[i].hidden) {
            continue;
        }
        const nilas_expr *assigned = assigned_to(binder, query, attribute->name);
        if (assigned != NULL) {
            exprs[count++] = (nilas_expr *)(uintptr_t)assigned;
        } else {
            NILAS_TRY(nilas_bind__ref_expr(binder, attribute, &exprs[count++], err));
        }
    }
    for (size_t i = 0; i < query->expr_count; i++) {
        if (!has_visible(binder, input, query->exprs[i]->parts[0])) {
            exprs[count++] = query->exprs[i];
        }
    }
    nilas_select select = {.from = *input,
                           .exprs = exprs,
                           .expr_count = count,
                           .keeps_missing = query->plan_id != 0,
                           .offset = query->offset};
    return nilas_bind__select(binder, outer, &select, out, err);
}

/** Columns that expressions name go too; what names nothing is passed over. */
static nilas_code drop_expressions(nilas_binder *binder, nilas_bind_scope *outer,
                                   const nilas_query *query, nilas_bound_relation *input,
                                   nilas_error *err) {
    nilas_bind_scope scope;
    nilas_bind__scope_of(&scope, binder, input, outer, "DROP");
    for (size_t i = 0; i < query->expr_count; i++) {
        nilas_bound_expr *bound;
        nilas_error local = NILAS_ERROR_INIT;
        nilas_code code = nilas_bind__expr(&scope, query->exprs[i], &bound, &local);
        bool unknown =
            local.condition != NULL && strncmp(local.condition, "UNRESOLVED_COLUMN", 17) == 0;
        if (code != NILAS_OK && !unknown) {
            if (err != NULL) {
                *err = local;
            }
            return code;
        }
        for (size_t k = 0; code == NILAS_OK && k < input->column_count; k++) {
            bool named = bound->kind == NILAS_BOUND_COLUMN &&
                         bound->attribute_id == input->columns[k].attribute.id;
            input->columns[k].hidden = input->columns[k].hidden || named;
        }
    }
    return NILAS_OK;
}

/** DataFrame.drop() and withColumnsRenamed(): names that are not there are passed over; one name
 * may mean several columns. */
static nilas_code bind_frame_columns(nilas_binder *binder, nilas_bind_scope *outer,
                                     const nilas_query *query, nilas_bound_relation *input,
                                     nilas_bound_relation *out, nilas_error *err) {
    bool is_drop = query->kind == NILAS_QUERY_PIPE_DROP;
    nilas_bound_relation kept = *input;
    nilas_bound_expr **exprs;
    nilas_str *names;
    bool *is_new;
    size_t count = 0;
    NILAS_NEW_ARRAY(binder->arena, &is_new, input->column_count, err);
    NILAS_NEW_ARRAY(binder->arena, &kept.columns, input->column_count, err);
    NILAS_NEW_ARRAY(binder->arena, &exprs, input->column_count, err);
    NILAS_NEW_ARRAY(binder->arena, &names, input->column_count, err);
    for (size_t i = 0; i < input->column_count; i++) {
        kept.columns[i] = input->columns[i];
    }
    NILAS_TRY(drop_expressions(binder, outer, query, &kept, err));
    for (size_t i = 0; i < input->column_count; i++) {
        nilas_str name = input->columns[i].attribute.name;
        bool renamed = false;
        bool dropped = kept.columns[i].hidden;
        for (size_t c = 0; c < query->column_count; c++) {
            bool same = nilas_bind__same_name(binder, name, query->columns[c]);
            dropped = dropped || (same && is_drop);
            if (same && !is_drop) {
                name = query->new_columns[c];
                renamed = true;
            }
        }
        if (dropped) {
            continue;
        }
        NILAS_TRY(nilas_bind__column_ref(binder, &input->columns[i].attribute, &exprs[count], err));
        is_new[count] = renamed;
        names[count++] = name;
    }
    *out = *input;
    NILAS_TRY(nilas_bind__replace_columns(binder, out, exprs, names, count, err));
    for (size_t i = 0; i < count; i++) {
        if (is_new[i]) { // a column of its own, not the frame's
            out->columns[i].qualifier_count = 0;
            NILAS_TRY(nilas_bind__pass_on(binder, out->columns[i].attribute.id, 0, err));
        }
    }
    return query->plan_id != 0 ? nilas_bind__keep_missing(binder, input, out->plan, out, err)
                               : NILAS_OK;
}

/** DROP and RENAME only change which columns are seen, and under which names. */
static nilas_code bind_drop_or_rename(nilas_binder *binder, const nilas_query *query,
                                      nilas_bound_relation *input, nilas_bind_scope *outer,
                                      nilas_bound_relation *out, nilas_error *err) {
    NILAS_TRY(nilas_bind__visible_only(binder, input, err));
    nilas_bind_scope scope;
    nilas_bind__scope_of(&scope, binder, input, outer,
                         query->kind == NILAS_QUERY_PIPE_DROP ? "DROP" : "RENAME");
    for (size_t c = 0; c < query->column_count; c++) {
        bool found = false;
        for (size_t i = 0; i < input->column_count; i++) {
            nilas_scope_column *column = &input->columns[i];
            if (column->hidden ||
                !nilas_bind__same_name(binder, column->attribute.name, query->columns[c])) {
                continue;
            }
            found = true;
            if (query->kind == NILAS_QUERY_PIPE_DROP) {
                column->hidden = true;
            } else {
                column->attribute.name = query->new_columns[c];
                break;
            }
        }
        if (!found) {
            NILAS_TRY(fail_no_column(&scope, query->columns[c], query->offset, err));
        }
    }
    *out = *input;
    return nilas_bind__visible_only(binder, out, err);
}

/** rollup(a, b) and cube(a, b) group by a and b. */
static void list_keys(nilas_group_by *group_by) {
    bool is_one = group_by->present && group_by->expr_count == 1 &&
                  (group_by->exprs[0]->kind == NILAS_EXPR_ROLLUP ||
                   group_by->exprs[0]->kind == NILAS_EXPR_CUBE);
    if (is_one) {
        group_by->expr_count = group_by->exprs[0]->arg_count;
        group_by->exprs = group_by->exprs[0]->args;
    }
}

/** AGGREGATE: the group expressions come first, then the aggregates. */
static nilas_code bind_aggregate(nilas_binder *binder, nilas_bind_scope *outer,
                                 const nilas_query *query, const nilas_query *above,
                                 nilas_bound_relation *out, nilas_error *err) {
    nilas_bound_relation bound;
    const nilas_bound_relation *input = &bound;
    NILAS_TRY(nilas_bind__query(binder, outer, query->input, &bound, err));
    nilas_group_by group_by = query->group_by;
    nilas_group_by listed = query->group_by; // whose expressions come first in the output
    list_keys(&listed);
    size_t groups = group_by.present ? listed.expr_count : 0;
    nilas_expr **exprs;
    nilas_expr **keys;
    NILAS_NEW_ARRAY(binder->arena, &exprs, groups + query->expr_count, err);
    NILAS_NEW_ARRAY(binder->arena, &keys, groups, err);
    for (size_t i = 0; i < groups; i++) {
        nilas_expr *expr = listed.exprs[i];
        bool is_ordinal = expr->kind == NILAS_EXPR_LITERAL && expr->value.kind == NILAS_VALUE_INT;
        if (is_ordinal &&
            (expr->value.integer < 1 || (size_t)expr->value.integer > input->column_count)) {
            return nilas_fail_at(
                err, NILAS_INVALID, "GROUP_BY_POS_OUT_OF_RANGE", expr->offset,
                "GROUP BY position %lld is not in select list (valid range is [1, %zu]).",
                (long long)expr->value.integer, input->column_count);
        }
        if (is_ordinal) {
            // In a pipe an ordinal is a column of the input.
            const nilas_scope_column *column = &input->columns[expr->value.integer - 1];
            NILAS_TRY(nilas_expr_new(binder->arena, NILAS_EXPR_COLUMN, expr->offset, &expr, err));
            NILAS_NEW_ARRAY(binder->arena, &expr->parts, 1, err);
            expr->parts[0] = column->attribute.name;
            expr->part_count = 1;
        }
        exprs[i] = expr;
        keys[i] = expr->kind == NILAS_EXPR_ALIAS ? expr->args[0] : expr;
    }
    for (size_t i = 0; i < query->expr_count; i++) {
        exprs[groups + i] = query->exprs[i];
    }
    if (listed.exprs == group_by.exprs) {
        group_by.exprs = keys;
    }
    nilas_select select = {.from = *input,
                           .exprs = exprs,
                           .expr_count = groups + query->expr_count,
                           .group_by = &group_by,
                           .offset = query->offset};
    if (above != NULL) {
        select.plan_id = query->plan_id;
        select.sort = above->kind == NILAS_QUERY_SORT ? above : NULL;
        select.having = above->kind == NILAS_QUERY_FILTER ? above->where : NULL;
    }
    return nilas_bind__select(binder, outer, &select, out, err);
}

static bool is_no_aggregate(void *context, nilas_expr *expr) {
    (void)context;
    nilas_function_kind kind;
    bool is_aggregate = expr->kind == NILAS_EXPR_CALL && expr->part_count == 1 &&
                        expr->window == NULL && nilas_function_find_kind(expr->parts[0], &kind) &&
                        kind == NILAS_FUNCTION_AGGREGATE;
    return !is_aggregate;
}

bool nilas_bind__calls_aggregate(nilas_expr *const *exprs, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!nilas_expr_walk(exprs[i], is_no_aggregate, NULL)) {
            return true;
        }
    }
    return false;
}

nilas_code nilas_bind__aggregate_frame(nilas_binder *binder, nilas_bind_scope *outer,
                                       const nilas_query *query, const nilas_query *above,
                                       nilas_bound_relation *out, nilas_error *err) {
    return bind_aggregate(binder, outer, query, above, out, err);
}

nilas_code nilas_bind__pipe(nilas_binder *binder, nilas_bind_scope *outer, const nilas_query *query,
                            nilas_bound_relation *out, nilas_error *err) {
    if (query->kind == NILAS_QUERY_PIPE_AGGREGATE) {
        return bind_aggregate(binder, outer, query, NULL, out, err);
    }
    nilas_bound_relation input;
    NILAS_TRY(nilas_bind__query(binder, outer, query->input, &input, err));
    switch (query->kind) {
    case NILAS_QUERY_PIPE_EXTEND: return bind_extend(binder, outer, query, &input, out, err);
    case NILAS_QUERY_PIPE_SET:
        return query->or_add ? bind_with_columns(binder, outer, query, &input, out, err)
                             : bind_set(binder, outer, query, &input, out, err);
    case NILAS_QUERY_PIPE_DROP:
    case NILAS_QUERY_PIPE_RENAME:
        if (query->lenient) {
            return bind_frame_columns(binder, outer, query, &input, out, err);
        }
        return bind_drop_or_rename(binder, query, &input, outer, out, err);
    default: break;
    }
    nilas_assert(query->kind == NILAS_QUERY_PIPE_SELECT);
    nilas_select select = {.from = input,
                           .exprs = query->exprs,
                           .expr_count = query->expr_count,
                           .distinct = query->distinct,
                           .windows = query->windows,
                           .window_count = query->window_count,
                           .keeps_missing = query->plan_id != 0,
                           .offset = query->offset};
    return nilas_bind__select(binder, outer, &select, out, err);
}
