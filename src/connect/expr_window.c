/** OVER, and subqueries as expressions. */
#include "connect/plan.h"

// ---- windows ------------------------------------------------------------------------------------

/* -n is PRECEDING, n is FOLLOWING, 0 the current row; other values follow as they are. */
static nilas_code frame_value(nilas_connect__plan *plan, const Sc__Expression *message,
                              nilas_frame_bound *out) {
    nilas_expr *offset;
    NILAS_TRY(nilas_connect__expr(plan, message, &offset));
    *out = (nilas_frame_bound){.kind = NILAS_FRAME_FOLLOWING, .offset = offset};
    if (offset->kind != NILAS_EXPR_LITERAL) {
        return NILAS_OK;
    }
    nilas_value *value = &offset->value;
    bool zero = value->kind == NILAS_VALUE_INT && value->integer == 0 &&
                nilas_type_is_integral(offset->type);
    if (zero) {
        *out = (nilas_frame_bound){.kind = NILAS_FRAME_CURRENT_ROW};
    } else if (value->kind == NILAS_VALUE_INT && value->integer < 0 && value->integer > INT64_MIN) {
        out->kind = NILAS_FRAME_PRECEDING;
        out->is_signed = true;
        value->integer = -value->integer;
    } else if ((value->kind == NILAS_VALUE_DOUBLE || value->kind == NILAS_VALUE_FLOAT) &&
               value->real < 0) {
        out->kind = NILAS_FRAME_PRECEDING;
        out->is_signed = true;
        value->real = -value->real;
    } else if (value->kind == NILAS_VALUE_DECIMAL && value->decimal < 0) {
        out->kind = NILAS_FRAME_PRECEDING;
        out->is_signed = true;
        value->decimal = -value->decimal;
    }
    return NILAS_OK;
}

static nilas_code frame_bound(nilas_connect__plan *plan,
                              const Sc__Expression__Window__WindowFrame__FrameBoundary *message,
                              nilas_frame_bound_kind unbounded, nilas_frame_bound *out) {
    if (message == NULL) {
        return nilas_connect__missing(plan, "bound of a window's frame");
    }
    switch (message->boundary_case) {
    case SC__EXPRESSION__WINDOW__WINDOW_FRAME__FRAME_BOUNDARY__BOUNDARY_CURRENT_ROW:
        *out = (nilas_frame_bound){.kind = NILAS_FRAME_CURRENT_ROW};
        return NILAS_OK;
    case SC__EXPRESSION__WINDOW__WINDOW_FRAME__FRAME_BOUNDARY__BOUNDARY_UNBOUNDED:
        *out = (nilas_frame_bound){.kind = unbounded};
        return NILAS_OK;
    case SC__EXPRESSION__WINDOW__WINDOW_FRAME__FRAME_BOUNDARY__BOUNDARY_VALUE:
        return frame_value(plan, message->value, out);
    default: return nilas_connect__missing(plan, "bound of a window's frame");
    }
}

static nilas_code frame(nilas_connect__plan *plan,
                        const Sc__Expression__Window__WindowFrame *message, nilas_window *window) {
    if (message == NULL) {
        return NILAS_OK;
    }
    window->has_frame = true;
    switch (message->frame_type) {
    case SC__EXPRESSION__WINDOW__WINDOW_FRAME__FRAME_TYPE__FRAME_TYPE_ROW: break;
    case SC__EXPRESSION__WINDOW__WINDOW_FRAME__FRAME_TYPE__FRAME_TYPE_RANGE:
        window->is_range = true;
        break;
    default: return nilas_connect__missing(plan, "kind of a window's frame");
    }
    NILAS_TRY(frame_bound(plan, message->lower, NILAS_FRAME_UNBOUNDED_PRECEDING, &window->start));
    return frame_bound(plan, message->upper, NILAS_FRAME_UNBOUNDED_FOLLOWING, &window->end);
}

nilas_code nilas_connect__window(nilas_connect__plan *plan, const Sc__Expression__Window *message,
                                 nilas_expr **out) {
    nilas_expr *call;
    nilas_window *window;
    NILAS_TRY(nilas_connect__expr(plan, message->window_function, &call));
    if (call->kind != NILAS_EXPR_CALL || call->window != NULL) {
        NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
        nilas_expr_print(&text, call);
        return nilas_fail_at(plan->err, NILAS_INVALID, "UNSUPPORTED_EXPR_FOR_WINDOW", -1,
                             "Expression \"%.*s\" not supported within a window function.",
                             NILAS_FMT(nilas_buf_view(&text)));
    }
    NILAS_NEW(plan->stmt, &window, plan->err);
    NILAS_TRY(nilas_connect__exprs(plan, message->partition_spec, message->n_partition_spec,
                                   &window->partition_by));
    window->partition_by_count = message->n_partition_spec;
    NILAS_TRY(nilas_connect__sort_orders(plan, message->order_spec, message->n_order_spec,
                                         &window->order_by));
    window->order_by_count = message->n_order_spec;
    NILAS_TRY(frame(plan, message->frame_spec, window));
    call->window = window;
    *out = call;
    return NILAS_OK;
}

// ---- subqueries ---------------------------------------------------------------------------------

static const Sc__Relation *find_reference(const nilas_connect__plan *plan, int64_t plan_id) {
    for (const nilas_connect__references *at = plan->references; at != NULL; at = at->outer) {
        for (size_t i = 0; i < at->with->n_references; i++) {
            const Sc__Relation *relation = at->with->references[i];
            const Sc__RelationCommon *common = relation->common;
            if (common != NULL && common->_plan_id_case != SC__RELATION_COMMON___PLAN_ID__NOT_SET &&
                common->plan_id == plan_id) {
                return relation;
            }
        }
    }
    return NULL;
}

static nilas_code table_argument(nilas_connect__plan *plan, const Sc__SubqueryExpression *message,
                                 nilas_expr *expr) {
    nilas_window *window;
    expr->has_call = true;
    NILAS_NEW(plan->stmt, &window, plan->err);
    expr->window = window;
    if (message->_table_arg_options_case == SC__SUBQUERY_EXPRESSION___TABLE_ARG_OPTIONS__NOT_SET ||
        message->table_arg_options == NULL) {
        return NILAS_OK;
    }
    const Sc__SubqueryExpression__TableArgOptions *options = message->table_arg_options;
    NILAS_TRY(nilas_connect__exprs(plan, options->partition_spec, options->n_partition_spec,
                                   &window->partition_by));
    window->partition_by_count = options->n_partition_spec;
    NILAS_TRY(nilas_connect__sort_orders(plan, options->order_spec, options->n_order_spec,
                                         &window->order_by));
    window->order_by_count = options->n_order_spec;
    return NILAS_OK;
}

nilas_code nilas_connect__subquery(nilas_connect__plan *plan, const Sc__SubqueryExpression *message,
                                   nilas_expr **out) {
    const Sc__Relation *relation = find_reference(plan, message->plan_id);
    nilas_expr *expr;
    NILAS_REQUIRE(relation != NULL, plan->err, NILAS_INVALID,
                  "the plan has no relation %lld, which a subquery names",
                  (long long)message->plan_id);
    nilas_expr_kind kind = NILAS_EXPR_SUBQUERY;
    if (message->subquery_type == SC__SUBQUERY_EXPRESSION__SUBQUERY_TYPE__SUBQUERY_TYPE_EXISTS) {
        kind = NILAS_EXPR_EXISTS;
    } else if (message->subquery_type == SC__SUBQUERY_EXPRESSION__SUBQUERY_TYPE__SUBQUERY_TYPE_IN) {
        kind = NILAS_EXPR_IN_QUERY;
    } else if (message->subquery_type ==
               SC__SUBQUERY_EXPRESSION__SUBQUERY_TYPE__SUBQUERY_TYPE_UNKNOWN) {
        return nilas_connect__missing(plan, "kind of a subquery");
    }
    NILAS_TRY(nilas_connect__new_expr(plan, kind, 0, &expr));
    NILAS_TRY(nilas_connect__relation(plan, relation, &expr->query));
    if (kind == NILAS_EXPR_IN_QUERY) {
        NILAS_TRY(nilas_connect__exprs(plan, message->in_subquery_values,
                                       message->n_in_subquery_values, &expr->args));
        expr->arg_count = message->n_in_subquery_values;
    } else if (message->subquery_type ==
               SC__SUBQUERY_EXPRESSION__SUBQUERY_TYPE__SUBQUERY_TYPE_TABLE_ARG) {
        NILAS_TRY(table_argument(plan, message, expr));
    }
    *out = expr;
    return NILAS_OK;
}
