/*
 * OVER: the window of a call, with a named window's parts taken over. The frame stays unset
 * unless it was written; what Spark takes then is known to shown.c and to the engine.
 */
#include "bind/expr.h"

typedef struct window_tree {
    nilas_expr **partition_by;
    size_t partition_by_count;
    nilas_expr **order_by;
    size_t order_by_count;
    const nilas_window *frame; // whose frame counts
} window_tree;

static nilas_code collect(nilas_bind_scope *scope, const nilas_window *window, int32_t offset,
                          window_tree *out, nilas_error *err) {
    if (window->name.size > 0) {
        const nilas_window *base = NULL;
        NILAS_TRY(nilas_bind__find_window(scope, window->name, offset, &base, err));
        NILAS_TRY(collect(scope, base, offset, out, err));
        if (window->is_reference) {
            return NILAS_OK;
        }
    }
    if (window->partition_by_count > 0) {
        out->partition_by = window->partition_by;
        out->partition_by_count = window->partition_by_count;
    }
    if (window->order_by_count > 0) {
        out->order_by = window->order_by;
        out->order_by_count = window->order_by_count;
    }
    if (window->has_frame || out->frame == NULL) {
        out->frame = window;
    }
    return NILAS_OK;
}

// ---- frames ----------------------------------------------------------------------------------

static nilas_code fail_frame_type(nilas_binder *binder, const nilas_bound_expr *offset,
                                  const char *expected, nilas_error *err) {
    nilas_str type = nilas_bind__type_text(binder, offset->type);
    return nilas_fail_at(
        err, NILAS_INVALID, "DATATYPE_MISMATCH.SPECIFIED_WINDOW_FRAME_UNACCEPTED_TYPE",
        offset->offset,
        "Cannot resolve the window frame due to data type mismatch: The data type of the bound "
        "\"%.*s\" does not match the expected data type \"%s\".",
        NILAS_FMT(type), expected);
}

static bool is_foldable_node(void *context, const nilas_bound_expr *expr) {
    (void)context;
    return expr->kind != NILAS_BOUND_COLUMN && expr->plan == NULL;
}

static nilas_code bind_bound(nilas_bind_scope *scope, const nilas_frame_bound *bound,
                             const nilas_bound_window *window, nilas_bound_frame_bound *out,
                             nilas_error *err) {
    nilas_binder *binder = scope->binder;
    out->kind = bound->kind;
    out->is_signed = bound->is_signed;
    if (bound->offset == NULL) {
        return NILAS_OK;
    }
    NILAS_TRY(nilas_bind__expr(scope, bound->offset, &out->offset, err));
    if (!nilas_bind__visit(out->offset, is_foldable_node, NULL)) {
        nilas_str text = nilas_bind__text(binder, out->offset);
        return nilas_fail_at(
            err, NILAS_INVALID, "DATATYPE_MISMATCH.SPECIFIED_WINDOW_FRAME_WITHOUT_FOLDABLE",
            out->offset->offset,
            "Cannot resolve the window frame due to data type mismatch: Window frame bound "
            "expression \"%.*s\" is not foldable.",
            NILAS_FMT(text));
    }
    if (!window->is_range) {
        if (!nilas_type_is_integral(out->offset->type)) {
            return fail_frame_type(binder, out->offset, "INT", err);
        }
        return NILAS_OK;
    }
    const nilas_type *key = window->order_by[0]->type;
    if (nilas_type_is_numeric(key) && nilas_type_is_numeric(out->offset->type)) {
        return nilas_bind__coerce(binder, out->offset, key, &out->offset, err);
    }
    return NILAS_OK;
}

static bool has_offset(const nilas_window *window) {
    return window->start.offset != NULL || window->end.offset != NULL;
}

static nilas_code bind_frame(nilas_bind_scope *scope, const nilas_window *frame, int32_t offset,
                             nilas_bound_window *window, nilas_error *err) {
    if (frame == NULL || !frame->has_frame) {
        return NILAS_OK;
    }
    window->has_frame = true;
    window->is_range = frame->is_range;
    if (frame->is_range && window->order_by_count == 0 &&
        (has_offset(frame) || frame->start.kind == NILAS_FRAME_CURRENT_ROW)) {
        return nilas_fail_at(
            err, NILAS_INVALID, "DATATYPE_MISMATCH.RANGE_FRAME_WITHOUT_ORDER", offset,
            "Cannot resolve the window due to data type mismatch: A range window frame cannot "
            "be used in an unordered window specification.");
    }
    if (frame->is_range && has_offset(frame) && window->order_by_count != 1) {
        return nilas_fail_at(
            err, NILAS_INVALID, "DATATYPE_MISMATCH.RANGE_FRAME_MULTI_ORDER", offset,
            "Cannot resolve the window due to data type mismatch: A range window frame with "
            "value boundaries cannot be used in a window specification with multiple order by "
            "expressions.");
    }
    NILAS_TRY(bind_bound(scope, &frame->start, window, &window->start, err));
    return bind_bound(scope, &frame->end, window, &window->end, err);
}

// ---- the node --------------------------------------------------------------------------------

static nilas_code check_window(nilas_bind_scope *scope, const nilas_expr *expr,
                               const nilas_bound_expr *call, const nilas_bound_window *window,
                               nilas_error *err) {
    nilas_function_kind kind = call->function->kind;
    if (kind != NILAS_FUNCTION_WINDOW && kind != NILAS_FUNCTION_AGGREGATE) {
        nilas_str text = nilas_bind__text(scope->binder, call);
        return nilas_fail_at(err, NILAS_INVALID, "UNSUPPORTED_EXPR_FOR_WINDOW", expr->offset,
                             "Expression \"%.*s\" not supported within a window function.",
                             NILAS_FMT(text));
    }
    if (expr->distinct) {
        nilas_str text = nilas_bind__text(scope->binder, call);
        return nilas_fail_at(err, NILAS_INVALID, "DISTINCT_WINDOW_FUNCTION_UNSUPPORTED",
                             expr->offset, "Distinct window functions are not supported: \"%.*s\".",
                             NILAS_FMT(text));
    }
    if (kind == NILAS_FUNCTION_WINDOW && window->order_by_count == 0) {
        nilas_str text = nilas_bind__text(scope->binder, call);
        return nilas_fail_at(
            err, NILAS_INVALID, "_LEGACY_ERROR_TEMP_1037", expr->offset,
            "Window function %.*s requires window to be ordered, please add ORDER BY clause. "
            "For example SELECT %.*s(value_expr) OVER (PARTITION BY window_partition ORDER BY "
            "window_ordering) from table.",
            NILAS_FMT(text), NILAS_FMT(text));
    }
    return NILAS_OK;
}

nilas_code nilas_bind__window(nilas_bind_scope *scope, const nilas_expr *expr,
                              nilas_bound_expr *call, nilas_bound_expr **out, nilas_error *err) {
    nilas_arena *arena = scope->binder->arena;
    window_tree tree = {0};
    nilas_bound_window *window = NULL;
    nilas_bind_scope inner = *scope;
    inner.no_windows = true;
    NILAS_TRY(collect(scope, expr->window, expr->offset, &tree, err));
    NILAS_NEW(arena, &window, err);
    NILAS_TRY(nilas_bind__exprs(&inner, tree.partition_by, tree.partition_by_count,
                                &window->partition_by, err));
    window->partition_by_count = tree.partition_by_count;
    NILAS_NEW_ARRAY(arena, &window->order_by, tree.order_by_count, err);
    for (size_t i = 0; i < tree.order_by_count; i++) {
        NILAS_TRY(nilas_bind__sort_key(&inner, tree.order_by[i], &window->order_by[i], err));
    }
    window->order_by_count = tree.order_by_count;
    NILAS_TRY(bind_frame(&inner, tree.frame, expr->offset, window, err));
    NILAS_TRY(check_window(scope, expr, call, window, err));
    call->kind = NILAS_BOUND_WINDOW;
    call->window = window;
    *out = call;
    return NILAS_OK;
}
