/* Calls: scalar, aggregate and window functions, with DISTINCT, FILTER, ORDER BY and OVER (…). */
#include "engine/render.h"
#include "engine/template.h"

typedef struct call_text {
    nilas_call_sql sql;
    nilas_str *arguments;
    const nilas_type **types;
    const nilas_value **constants;
} call_text;

static nilas_code render_arguments(nilas_render *r, const nilas_bound_expr *expr, call_text *call,
                                   nilas_error *err) {
    size_t count = expr->arg_count;
    NILAS_NEW_ARRAY(r->stmt, &call->arguments, count, err);
    NILAS_NEW_ARRAY(r->stmt, &call->types, count, err);
    NILAS_NEW_ARRAY(r->stmt, &call->constants, count, err);
    for (size_t i = 0; i < count; i++) {
        const nilas_bound_expr *argument = expr->args[i];
        NILAS_TRY(nilas_render__expr_text(r, argument, &call->arguments[i], err));
        call->types[i] =
            argument->kind == NILAS_BOUND_LAMBDA ? argument->args[0]->type : argument->type;
        call->constants[i] = argument->kind == NILAS_BOUND_LITERAL ? &argument->value : NULL;
    }
    call->sql = (nilas_call_sql){
        .function = expr->function,
        .type = expr->type,
        .arguments = call->arguments,
        .argument_types = call->types,
        .constants = call->constants,
        .argument_count = count,
        .ansi = r->job->engine->options.ansi,
        .distinct = expr->distinct,
        .ignore_nulls = expr->ignore_nulls,
        .order_by = NILAS_STR_EMPTY,
        .filter = NILAS_STR_EMPTY,
        .over = NILAS_STR_EMPTY,
    };
    return expr->filter == NULL ? NILAS_OK
                                : nilas_render__expr_text(r, expr->filter, &call->sql.filter, err);
}

nilas_code nilas_render__call(nilas_render *r, nilas_buf *out, const nilas_bound_expr *expr,
                              nilas_error *err) {
    nilas_assert(expr->function != NULL);
    call_text call;
    NILAS_TRY(render_arguments(r, expr, &call, err));
    if (expr->order_by_count > 0) {
        NILAS_AUTO_BUF keys = NILAS_BUF_INIT(0);
        size_t printed = 0;
        NILAS_TRY(
            nilas_render__sort_keys(r, &keys, expr->order_by, expr->order_by_count, &printed, err));
        NILAS_TRY(nilas_buf_finish(&keys, r->stmt, &call.sql.order_by, err));
    }
    return nilas_engine__print_call(out, &call.sql, err);
}

/**
 * The offset of a RANGE frame in the type that DuckDB adds to the order key: intervals are
 * integers with us.
 */
static nilas_code render_range_offset(nilas_render *r, nilas_buf *out,
                                      const nilas_bound_expr *offset, const nilas_type *key,
                                      nilas_error *err) {
    const char *before = "";
    const char *after = "";
    bool is_time = key->kind == NILAS_TYPE_DATE || key->kind == NILAS_TYPE_TIMESTAMP ||
                   key->kind == NILAS_TYPE_TIMESTAMP_NTZ;
    if (is_time && offset->type->kind == NILAS_TYPE_INTERVAL_DAY_TIME) {
        before = "to_microseconds(";
        after = ")";
    } else if (is_time && offset->type->kind == NILAS_TYPE_INTERVAL_YEAR_MONTH) {
        before = "to_months(";
        after = ")";
    } else if (is_time && nilas_type_is_numeric(offset->type)) {
        before = "to_days(CAST(";
        after = " AS INTEGER))";
    }
    nilas_buf_add_text(out, before);
    NILAS_TRY(nilas_render__expr(r, out, offset, err));
    nilas_buf_add_text(out, after);
    return NILAS_OK;
}

static nilas_code render_bound(nilas_render *r, nilas_buf *out, const nilas_bound_window *window,
                               const nilas_bound_frame_bound *bound, nilas_error *err) {
    switch (bound->kind) {
    case NILAS_FRAME_UNBOUNDED_PRECEDING:
        nilas_buf_add_text(out, "UNBOUNDED PRECEDING");
        return NILAS_OK;
    case NILAS_FRAME_UNBOUNDED_FOLLOWING:
        nilas_buf_add_text(out, "UNBOUNDED FOLLOWING");
        return NILAS_OK;
    case NILAS_FRAME_CURRENT_ROW: nilas_buf_add_text(out, "CURRENT ROW"); return NILAS_OK;
    default: break;
    }
    nilas_assert(bound->offset != NULL);
    if (window->is_range && window->order_by_count > 0) {
        NILAS_TRY(
            render_range_offset(r, out, bound->offset, window->order_by[0]->args[0]->type, err));
    } else {
        NILAS_TRY(nilas_render__expr(r, out, bound->offset, err));
    }
    nilas_buf_add_text(out, bound->kind == NILAS_FRAME_PRECEDING ? " PRECEDING" : " FOLLOWING");
    return NILAS_OK;
}

static nilas_code render_over(nilas_render *r, nilas_buf *out, const nilas_bound_window *window,
                              nilas_error *err) {
    nilas_buf_add_text(out, "OVER (");
    for (size_t i = 0; i < window->partition_by_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "PARTITION BY ");
        NILAS_TRY(nilas_render__expr(r, out, window->partition_by[i], err));
    }
    NILAS_AUTO_BUF keys = NILAS_BUF_INIT(0);
    size_t printed = 0;
    NILAS_TRY(
        nilas_render__sort_keys(r, &keys, window->order_by, window->order_by_count, &printed, err));
    if (printed > 0) {
        nilas_buf_add_text(out, window->partition_by_count > 0 ? " ORDER BY " : "ORDER BY ");
        nilas_buf_add(out, nilas_buf_view(&keys));
    }
    if (window->has_frame) {
        nilas_buf_add_text(out, window->is_range ? " RANGE BETWEEN " : " ROWS BETWEEN ");
        NILAS_TRY(render_bound(r, out, window, &window->start, err));
        nilas_buf_add_text(out, " AND ");
        NILAS_TRY(render_bound(r, out, window, &window->end, err));
    }
    nilas_buf_add_char(out, ')');
    return nilas_buf_check(&keys, err);
}

nilas_code nilas_render__window(nilas_render *r, nilas_buf *out, const nilas_bound_expr *expr,
                                nilas_error *err) {
    nilas_assert(expr->function != NULL && expr->window != NULL);
    call_text call;
    NILAS_TRY(render_arguments(r, expr, &call, err));
    NILAS_AUTO_BUF over = NILAS_BUF_INIT(0);
    NILAS_TRY(render_over(r, &over, expr->window, err));
    NILAS_TRY(nilas_buf_finish(&over, r->stmt, &call.sql.over, err));
    return nilas_engine__print_call(out, &call.sql, err);
}
