/**
 * Pipe operators that change columns: |> SELECT, EXTEND, SET, DROP, RENAME, AGGREGATE; and the
 * DataFrame operations alike.
 */
#include "bind/query.h"

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

/** SET: each assignment replaces the column of its name where it stands; `or_add` appends it when
 * there is none. */
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
                names[i] = query->or_add ? assignment->parts[0] : names[i];
                found = true;
            }
        }
        if (!found) {
            if (!query->or_add) {
                NILAS_TRY(fail_no_column(&scope, assignment->parts[0], assignment->offset, err));
            }
            exprs[count] = bound;
            names[count++] = assignment->parts[0];
        }
    }
    nilas_plan *plan;
    NILAS_TRY(nilas_bind__project(binder, input->plan, exprs, names, count, &plan, err));
    NILAS_NEW_ARRAY(binder->arena, &out->columns, count, err);
    for (size_t i = 0; i < count; i++) {
        out->columns[i].attribute = plan->outputs[i];
        if (i < input->column_count) {
            out->columns[i].qualifier = input->columns[i].qualifier;
            out->columns[i].qualifier_count = input->columns[i].qualifier_count;
        }
    }
    out->plan = plan;
    out->column_count = count;
    return NILAS_OK;
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
        if (!found && !query->lenient) {
            NILAS_TRY(fail_no_column(&scope, query->columns[c], query->offset, err));
        }
    }
    *out = *input;
    return nilas_bind__visible_only(binder, out, err);
}

/** AGGREGATE: the group expressions come first, then the aggregates. */
static nilas_code bind_aggregate(nilas_binder *binder, nilas_bind_scope *outer,
                                 const nilas_query *query, const nilas_bound_relation *input,
                                 nilas_bound_relation *out, nilas_error *err) {
    size_t groups = query->group_by.present ? query->group_by.expr_count : 0;
    nilas_expr **exprs;
    nilas_expr **keys;
    nilas_group_by group_by = query->group_by;
    NILAS_NEW_ARRAY(binder->arena, &exprs, groups + query->expr_count, err);
    NILAS_NEW_ARRAY(binder->arena, &keys, groups, err);
    for (size_t i = 0; i < groups; i++) {
        nilas_expr *expr = query->group_by.exprs[i];
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
    group_by.exprs = keys;
    nilas_select select = {.from = *input,
                           .exprs = exprs,
                           .expr_count = groups + query->expr_count,
                           .group_by = &group_by,
                           .offset = query->offset};
    return nilas_bind__select(binder, outer, &select, out, err);
}

nilas_code nilas_bind__pipe(nilas_binder *binder, nilas_bind_scope *outer, const nilas_query *query,
                            nilas_bound_relation *out, nilas_error *err) {
    nilas_bound_relation input;
    NILAS_TRY(nilas_bind__query(binder, outer, query->input, &input, err));
    switch (query->kind) {
    case NILAS_QUERY_PIPE_EXTEND: return bind_extend(binder, outer, query, &input, out, err);
    case NILAS_QUERY_PIPE_SET: return bind_set(binder, outer, query, &input, out, err);
    case NILAS_QUERY_PIPE_DROP:
    case NILAS_QUERY_PIPE_RENAME:
        return bind_drop_or_rename(binder, query, &input, outer, out, err);
    case NILAS_QUERY_PIPE_AGGREGATE: return bind_aggregate(binder, outer, query, &input, out, err);
    default: break;
    }
    nilas_assert(query->kind == NILAS_QUERY_PIPE_SELECT);
    nilas_select select = {.from = input,
                           .exprs = query->exprs,
                           .expr_count = query->expr_count,
                           .distinct = query->distinct,
                           .windows = query->windows,
                           .window_count = query->window_count,
                           .offset = query->offset};
    return nilas_bind__select(binder, outer, &select, out, err);
}
