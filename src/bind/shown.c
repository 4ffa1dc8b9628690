/*
 * Spark's names of result columns: toPrettySQL of the resolved expression.
 *
 * Strings show without quotes, implicit casts not at all, attributes by the name as written. A
 * node whose bound form differs from what was written carries its text in `shown`. Names and
 * patterns of functions come with their rows (nilas_function_print_shown).
 */
#include "bind/expr.h"

static void print_list(nilas_buf *out, const nilas_binder *binder, nilas_bound_expr *const *list,
                       size_t count) {
    for (size_t i = 0; i < count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        nilas_bind__print_shown(out, binder, list[i]);
    }
}

static void print_sort(nilas_buf *out, const nilas_binder *binder, const nilas_bound_expr *sort) {
    nilas_bind__print_shown(out, binder, sort->args[0]);
    nilas_buf_print(out, " %s NULLS %s", sort->descending ? "DESC" : "ASC",
                    sort->nulls_first ? "FIRST" : "LAST");
}

static void print_type(nilas_buf *out, const nilas_type *type) {
    nilas_type_print_sql(out, type);
}

bool nilas_bind__shows_cast(const nilas_type *type) {
    return type->kind != NILAS_TYPE_ARRAY && type->kind != NILAS_TYPE_MAP &&
           type->kind != NILAS_TYPE_STRUCT;
}

static void print_cast(nilas_buf *out, const nilas_binder *binder, const nilas_bound_expr *cast) {
    if (cast->implicit) {
        nilas_bind__print_shown(out, binder, cast->args[0]);
        return;
    }
    if (!nilas_bind__shows_cast(cast->type)) {
        nilas_bind__print_shown(out, binder, cast->args[0]);
        return;
    }
    nilas_buf_add_text(out, cast->cast_mode == NILAS_CAST_TRY ? "TRY_CAST(" : "CAST(");
    nilas_bind__print_shown(out, binder, cast->args[0]);
    nilas_buf_add_text(out, " AS ");
    print_type(out, cast->type);
    nilas_buf_add_char(out, ')');
}

static void print_case(nilas_buf *out, const nilas_binder *binder, const nilas_bound_expr *node) {
    size_t pairs = node->has_else ? node->arg_count - 1 : node->arg_count;
    nilas_buf_add_text(out, "CASE");
    for (size_t i = 0; i + 1 < pairs + 1 && i < pairs; i += 2) {
        nilas_buf_add_text(out, " WHEN ");
        nilas_bind__print_shown(out, binder, node->args[i]);
        nilas_buf_add_text(out, " THEN ");
        nilas_bind__print_shown(out, binder, node->args[i + 1]);
    }
    if (node->has_else) {
        nilas_buf_add_text(out, " ELSE ");
        nilas_bind__print_shown(out, binder, node->args[node->arg_count - 1]);
    }
    nilas_buf_add_text(out, " END");
}

static void print_struct(nilas_buf *out, const nilas_binder *binder, const nilas_bound_expr *node) {
    if (node->name.size > 0) { // struct(a, b)
        nilas_buf_add(out, node->name);
        nilas_buf_add_char(out, '(');
        print_list(out, binder, node->args, node->arg_count);
        nilas_buf_add_char(out, ')');
        return;
    }
    nilas_buf_add_text(out, "named_struct(");
    for (size_t i = 0; i < node->arg_count; i++) {
        nilas_buf_print(out, "%s%.*s, ", i > 0 ? ", " : "", NILAS_FMT(node->type->fields[i].name));
        nilas_bind__print_shown(out, binder, node->args[i]);
    }
    nilas_buf_add_char(out, ')');
}

static void print_lambda(nilas_buf *out, const nilas_binder *binder, const nilas_bound_expr *node) {
    nilas_buf_add_text(out, "lambdafunction(");
    nilas_bind__print_shown(out, binder, node->args[0]);
    for (size_t i = 0; i < node->parameter_count; i++) {
        nilas_buf_add_text(out, ", namedlambdavariable()");
    }
    nilas_buf_add_char(out, ')');
}

// ---- calls -----------------------------------------------------------------------------------

/** listagg(v, ',') WITHIN GROUP (ORDER BY k ASC NULLS FIRST) */
static void print_within_group(nilas_buf *out, const nilas_binder *binder,
                               const nilas_bound_expr *call) {
    nilas_buf_add_text(out, " WITHIN GROUP (ORDER BY ");
    print_list(out, binder, call->order_by, call->order_by_count);
    nilas_buf_add_char(out, ')');
}

static void print_pattern(nilas_buf *out, const nilas_binder *binder,
                          const nilas_bound_expr *call) {
    nilas_str few[8];
    nilas_str *texts = few;
    if (call->arg_count > sizeof(few) / sizeof(few[0]) &&
        nilas_arena_alloc_array(binder->arena, call->arg_count, sizeof(nilas_str), (void **)&texts,
                                NULL) != NILAS_OK) {
        return;
    }
    for (size_t i = 0; i < call->arg_count; i++) {
        texts[i] = nilas_bind__text((nilas_binder *)binder, call->args[i]);
    }
    nilas_str name = call->name.size > 0 ? call->name : nilas_str_of(call->function->name);
    if (call->order_by_count > 0 && nilas_str_is(name, "string_agg")) {
        name = NILAS_STR("listagg"); // with WITHIN GROUP Spark shows the other name
    }
    if (call->distinct && call->arg_count > 0) {
        nilas_str distinct = NILAS_STR_EMPTY;
        if (nilas_str_print(binder->arena, &distinct, NULL, "DISTINCT %.*s", NILAS_FMT(texts[0])) ==
            NILAS_OK) {
            texts[0] = distinct;
        }
    }
    nilas_function_print_shown(out, call->function, name, texts, call->arg_count);
}

static void print_call(nilas_buf *out, const nilas_binder *binder, const nilas_bound_expr *call) {
    print_pattern(out, binder, call);
    if (call->order_by_count > 0) {
        print_within_group(out, binder, call);
    }
    if (call->filter != NULL) {
        nilas_buf_add_text(out, " FILTER (WHERE ");
        nilas_bind__print_shown(out, binder, call->filter);
        nilas_buf_add_char(out, ')');
    }
}

// ---- windows ---------------------------------------------------------------------------------

static void print_bound(nilas_buf *out, const nilas_binder *binder,
                        const nilas_bound_frame_bound *bound) {
    switch (bound->kind) {
    case NILAS_FRAME_UNBOUNDED_PRECEDING: nilas_buf_add_text(out, "UNBOUNDED PRECEDING"); return;
    case NILAS_FRAME_UNBOUNDED_FOLLOWING: nilas_buf_add_text(out, "UNBOUNDED FOLLOWING"); return;
    case NILAS_FRAME_CURRENT_ROW: nilas_buf_add_text(out, "CURRENT ROW"); return;
    case NILAS_FRAME_PRECEDING:
    case NILAS_FRAME_FOLLOWING: break;
    }
    nilas_buf_add_text(out, bound->is_signed ? "-" : "");
    nilas_bind__print_shown(out, binder, bound->offset);
    bool precedes = bound->kind == NILAS_FRAME_PRECEDING && !bound->is_signed;
    nilas_buf_add_text(out, precedes ? " PRECEDING" : " FOLLOWING");
}

static void print_lag_frame(nilas_buf *out, const nilas_binder *binder,
                            const nilas_bound_expr *node) {
    bool is_lag = strcmp(node->function->name, "lag") == 0;
    NILAS_AUTO_BUF offset = {0};
    if (node->arg_count > 1) {
        nilas_bind__print_shown(&offset, binder, node->args[1]);
    } else {
        nilas_buf_add_char(&offset, '1');
    }
    nilas_str text = nilas_buf_view(&offset);
    bool negative = is_lag && text.data[0] == '-';
    text = negative ? nilas_str_slice(text, 1, text.size) : text;
    const char *sign = is_lag && !negative ? "-" : "";
    nilas_buf_print(out, "ROWS BETWEEN %s%.*s FOLLOWING AND %s%.*s FOLLOWING", sign,
                    NILAS_FMT(text), sign, NILAS_FMT(text));
}

/** The frame, or the one that Spark takes when none is written. */
static void print_frame(nilas_buf *out, const nilas_binder *binder, const nilas_bound_expr *node) {
    const nilas_bound_window *window = node->window;
    const char *name = node->function->name;
    if (window->has_frame) {
        nilas_buf_add_text(out, window->is_range ? "RANGE BETWEEN " : "ROWS BETWEEN ");
        print_bound(out, binder, &window->start);
        nilas_buf_add_text(out, " AND ");
        print_bound(out, binder, &window->end);
        return;
    }
    if (strcmp(name, "lag") == 0 || strcmp(name, "lead") == 0) {
        print_lag_frame(out, binder, node);
        return;
    }
    bool is_ranking = node->function->kind == NILAS_FUNCTION_WINDOW &&
                      strcmp(name, "nth_value") != 0 && strcmp(name, "cume_dist") != 0;
    if (is_ranking) {
        nilas_buf_add_text(out, "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW");
    } else if (window->order_by_count > 0) {
        nilas_buf_add_text(out, "RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW");
    } else {
        nilas_buf_add_text(out, "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING");
    }
}

static void print_window(nilas_buf *out, const nilas_binder *binder, const nilas_bound_expr *node) {
    const nilas_bound_window *window = node->window;
    print_call(out, binder, node);
    if (node->ignore_nulls && strcmp(node->function->name, "nth_value") == 0) {
        nilas_buf_add_text(out, " ignore nulls"); // the only one that says so
    }
    nilas_buf_add_text(out, " OVER (");
    if (window->partition_by_count > 0) {
        nilas_buf_add_text(out, "PARTITION BY ");
        print_list(out, binder, window->partition_by, window->partition_by_count);
        nilas_buf_add_char(out, ' ');
    }
    if (window->order_by_count > 0) {
        nilas_buf_add_text(out, "ORDER BY ");
        print_list(out, binder, window->order_by, window->order_by_count);
        nilas_buf_add_char(out, ' ');
    }
    print_frame(out, binder, node);
    nilas_buf_add_char(out, ')');
}

// ---- the expression --------------------------------------------------------------------------

static void print_in_query(nilas_buf *out, const nilas_binder *binder,
                           const nilas_bound_expr *node) {
    bool is_row = node->arg_count > 1;
    nilas_buf_add_text(out, is_row ? "(named_struct(" : "(");
    for (size_t i = 0; i < node->arg_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        if (is_row) {
            nilas_bind__print_shown(out, binder, node->args[i]);
            nilas_buf_add_text(out, ", ");
        }
        nilas_bind__print_shown(out, binder, node->args[i]);
    }
    nilas_buf_add_text(out, is_row ? ") IN (listquery(" : " IN (listquery(");
    nilas_bind__print_outer_columns(out, node->plan);
    nilas_buf_add_text(out, ")))");
}

static void print_subquery(nilas_buf *out, const nilas_bound_expr *node) {
    nilas_buf_add_text(out, node->kind == NILAS_BOUND_EXISTS ? "exists(" : "scalarsubquery(");
    nilas_bind__print_outer_columns(out, node->plan);
    nilas_buf_add_char(out, ')');
}

void nilas_bind__print_shown(nilas_buf *out, const nilas_binder *binder,
                             const nilas_bound_expr *expr) {
    if (expr->shown.data != NULL) {
        nilas_buf_add(out, expr->shown);
        return;
    }
    switch (expr->kind) {
    case NILAS_BOUND_LITERAL:
        nilas_bind__print_literal(out, binder->environment->zone, expr->type, &expr->value);
        break;
    case NILAS_BOUND_COLUMN: nilas_buf_add(out, expr->name); break;
    case NILAS_BOUND_CALL: print_call(out, binder, expr); break;
    case NILAS_BOUND_WINDOW: print_window(out, binder, expr); break;
    case NILAS_BOUND_CAST: print_cast(out, binder, expr); break;
    case NILAS_BOUND_CASE: print_case(out, binder, expr); break;
    case NILAS_BOUND_FIELD:
        nilas_bind__print_shown(out, binder, expr->args[0]);
        nilas_buf_add_char(out, '.');
        nilas_buf_add(out, expr->name);
        break;
    case NILAS_BOUND_STRUCT: print_struct(out, binder, expr); break;
    case NILAS_BOUND_LAMBDA: print_lambda(out, binder, expr); break;
    case NILAS_BOUND_PARAMETER: nilas_buf_add_text(out, "namedlambdavariable()"); break;
    case NILAS_BOUND_SUBQUERY:
    case NILAS_BOUND_EXISTS: print_subquery(out, expr); break;
    case NILAS_BOUND_IN_QUERY: print_in_query(out, binder, expr); break;
    case NILAS_BOUND_SORT: print_sort(out, binder, expr); break;
    }
}

nilas_code nilas_bind__shown(nilas_binder *binder, const nilas_bound_expr *bound, nilas_str *out,
                             nilas_error *err) {
    if (bound->shown.data != NULL) {
        *out = bound->shown;
        return NILAS_OK;
    }
    NILAS_AUTO_BUF text = {0};
    nilas_bind__print_shown(&text, binder, bound);
    return nilas_buf_finish(&text, binder->arena, out, err);
}

/** The name that an expression has by itself: a column's, the last field's of a chain of names. */
static nilas_str own_name(const nilas_expr *expr, const nilas_bound_expr *bound) {
    if (expr->kind != NILAS_EXPR_COLUMN && expr->kind != NILAS_EXPR_IDENTIFIER) {
        return NILAS_STR_EMPTY;
    }
    bool named = bound->kind == NILAS_BOUND_COLUMN || bound->kind == NILAS_BOUND_FIELD ||
                 bound->kind == NILAS_BOUND_CALL;
    return named ? bound->name : NILAS_STR_EMPTY;
}

/** What a cast without alias is named after: the name of what it casts. */
static bool is_cast(const nilas_expr *expr, const nilas_bound_expr *bound) {
    bool is_call = expr->kind == NILAS_EXPR_CALL && expr->arg_count == 1;
    return bound->kind == NILAS_BOUND_CAST && (expr->kind == NILAS_EXPR_CAST || is_call);
}

nilas_code nilas_bind__shown_name(nilas_binder *binder, const nilas_expr *expr,
                                  const nilas_bound_expr *bound, nilas_str *out, nilas_error *err) {
    if (expr->kind == NILAS_EXPR_ALIAS && expr->part_count > 0) {
        *out = expr->parts[0];
        return NILAS_OK;
    }
    *out = is_cast(expr, bound) ? own_name(expr->args[0], bound->args[0]) : own_name(expr, bound);
    if (out->size > 0) {
        return NILAS_OK;
    }
    return nilas_bind__shown(binder, bound, out, err);
}

// ---- texts for messages ----------------------------------------------------------------------

nilas_str nilas_bind__text(nilas_binder *binder, const nilas_bound_expr *expr) {
    nilas_str text = NILAS_STR_EMPTY;
    nilas_error ignored = NILAS_ERROR_INIT;
    return nilas_bind__shown(binder, expr, &text, &ignored) == NILAS_OK ? text : NILAS_STR_EMPTY;
}

nilas_str nilas_bind__type_text(nilas_binder *binder, const nilas_type *type) {
    NILAS_AUTO_BUF buf = {0};
    nilas_str text = NILAS_STR_EMPTY;
    nilas_type_print_sql(&buf, type);
    return nilas_buf_finish(&buf, binder->arena, &text, NULL) == NILAS_OK ? text : NILAS_STR_EMPTY;
}

nilas_str nilas_bind__name_text(nilas_arena *arena, const nilas_str *parts, size_t count) {
    NILAS_AUTO_BUF buf = {0};
    nilas_str text = NILAS_STR_EMPTY;
    nilas_name_print_quoted(&buf, parts, count);
    return nilas_buf_finish(&buf, arena, &text, NULL) == NILAS_OK ? text : NILAS_STR_EMPTY;
}
