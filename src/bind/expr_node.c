/*
 * Bound expressions as data: new nodes, copies, equality, walking, implicit casts, calls by name.
 *
 * A literal that is coerced becomes a literal of the other type at once, so that filters reach the
 * scan as comparisons with values; it keeps the text of the original, because Spark names result
 * columns after what was written.
 */
#include "bind/expr.h"

nilas_code nilas_bind__node(nilas_binder *binder, nilas_bound_kind kind, int32_t offset,
                            nilas_bound_expr **out, nilas_error *err) {
    nilas_bound_expr *node = NULL;
    NILAS_NEW(binder->arena, &node, err);
    node->kind = kind;
    node->offset = offset;
    *out = node;
    return NILAS_OK;
}

nilas_code nilas_bind__literal(nilas_binder *binder, const nilas_type *type,
                               const nilas_value *value, nilas_bound_expr **out, nilas_error *err) {
    nilas_bound_expr *node = NULL;
    NILAS_TRY(nilas_bind__node(binder, NILAS_BOUND_LITERAL, -1, &node, err));
    node->type = type;
    node->value = *value;
    node->nullable = nilas_value_is_null(value);
    *out = node;
    return NILAS_OK;
}

nilas_code nilas_bind__string_literal(nilas_binder *binder, nilas_str text, nilas_bound_expr **out,
                                      nilas_error *err) {
    nilas_value value = nilas_value_of_str(text);
    return nilas_bind__literal(binder, nilas_type_of(NILAS_TYPE_STRING), &value, out, err);
}

nilas_code nilas_bind__column_ref(nilas_binder *binder, const nilas_attribute *attribute,
                                  nilas_bound_expr **out, nilas_error *err) {
    nilas_bound_expr *node = NULL;
    NILAS_TRY(nilas_bind__node(binder, NILAS_BOUND_COLUMN, -1, &node, err));
    node->type = attribute->type;
    node->nullable = attribute->nullable;
    node->attribute_id = attribute->id;
    node->name = attribute->name;
    *out = node;
    return NILAS_OK;
}

nilas_cast_mode nilas_bind__mode(const nilas_binder *binder) {
    return binder->environment->ansi ? NILAS_CAST_ANSI : NILAS_CAST_LEGACY;
}

// ---- casts -----------------------------------------------------------------------------------

static bool is_day_or_time(const nilas_type *type) {
    return type->kind == NILAS_TYPE_DATE || type->kind == NILAS_TYPE_TIMESTAMP ||
           type->kind == NILAS_TYPE_TIMESTAMP_NTZ;
}

static nilas_code cast_literal(nilas_binder *binder, const nilas_bound_expr *literal,
                               const nilas_type *type, nilas_bound_expr **out, nilas_error *err) {
    nilas_value value = NILAS_NULL_VALUE;
    *out = NULL;
    bool special = literal->value.kind == NILAS_VALUE_STRING && is_day_or_time(type) &&
                   nilas_bind__special_time(binder->environment, literal->value.text, type, &value);
    if (!special && !nilas_bind__cast_value(binder->arena, binder->environment->zone,
                                            &literal->value, literal->type, type, &value)) {
        return NILAS_OK;
    }
    nilas_bound_expr *node = NULL;
    NILAS_TRY(nilas_bind__literal(binder, type, &value, &node, err));
    node->offset = literal->offset;
    NILAS_TRY(nilas_bind__shown(binder, literal, &node->shown, err));
    *out = node;
    return NILAS_OK;
}

nilas_code nilas_bind__cast(nilas_binder *binder, nilas_bound_expr *expr, const nilas_type *type,
                            nilas_cast_mode mode, nilas_bound_expr **out, nilas_error *err) {
    if (nilas_bind__is_literal(expr)) {
        NILAS_TRY(cast_literal(binder, expr, type, out, err));
        if (*out != NULL) {
            return NILAS_OK;
        }
    }
    nilas_bound_expr *node = NULL;
    NILAS_TRY(nilas_bind__node(binder, NILAS_BOUND_CAST, expr->offset, &node, err));
    NILAS_NEW_ARRAY(binder->arena, &node->args, 1, err);
    node->args[0] = expr;
    node->arg_count = 1;
    node->type = type;
    node->cast_mode = mode;
    bool may_fail = !nilas_type_can_upcast(expr->type, type);
    node->nullable = expr->nullable || (mode != NILAS_CAST_ANSI && may_fail);
    *out = node;
    return NILAS_OK;
}

nilas_code nilas_bind__coerce(nilas_binder *binder, nilas_bound_expr *expr, const nilas_type *type,
                              nilas_bound_expr **out, nilas_error *err) {
    if (type == NULL || nilas_type_equal(expr->type, type)) {
        *out = expr;
        return NILAS_OK;
    }
    if (nilas_type_is_string(expr->type) && nilas_type_is(type, NILAS_TYPE_STRING) &&
        type->collation.size == 0 && expr->type->collation.size == 0) {
        *out = expr; // char and varchar are strings once read
        return NILAS_OK;
    }
    NILAS_TRY(nilas_bind__cast(binder, expr, type, nilas_bind__mode(binder), out, err));
    (*out)->implicit = true;
    (*out)->offset = expr->offset;
    return NILAS_OK;
}

static nilas_code fail_diff_types(nilas_binder *binder, nilas_bound_expr *const *exprs,
                                  size_t count, nilas_error *err) {
    NILAS_AUTO_BUF types = {0};
    for (size_t i = 0; i < count && types.size < 600; i++) {
        nilas_str text = nilas_bind__type_text(binder, exprs[i]->type);
        nilas_buf_print(&types, "%s\"%.*s\"", i > 0 ? ", " : "", NILAS_FMT(text));
    }
    nilas_str list = nilas_buf_view(&types);
    nilas_str first = nilas_bind__text(binder, exprs[0]);
    return nilas_fail_at(err, NILAS_INVALID, "DATATYPE_MISMATCH.DATA_DIFF_TYPES", exprs[0]->offset,
                         "Cannot resolve \"%.*s\" due to data type mismatch: Input should all be "
                         "the same type, but it's [%.*s].",
                         NILAS_FMT(first), NILAS_FMT(list));
}

nilas_code nilas_bind__common_type(nilas_binder *binder, nilas_bound_expr *const *exprs,
                                   size_t count, const nilas_type **out, nilas_error *err) {
    nilas_assert(count > 0);
    const nilas_type *common = exprs[0]->type;
    for (size_t i = 1; i < count; i++) {
        const nilas_type *next = common;
        if (!nilas_type_equal(common, exprs[i]->type)) {
            NILAS_TRY(nilas_type_common(binder->arena, common, exprs[i]->type,
                                        binder->environment->ansi, &next, err));
        }
        if (next == NULL) {
            return fail_diff_types(binder, exprs, count, err);
        }
        common = next;
    }
    *out = common;
    return NILAS_OK;
}

// ---- calls -----------------------------------------------------------------------------------

nilas_code nilas_bind__raw_call(nilas_binder *binder, const nilas_function *function,
                                nilas_bound_expr *const *args, size_t count, nilas_bound_expr **out,
                                nilas_error *err) {
    nilas_bound_expr *node = NULL;
    NILAS_TRY(nilas_bind__node(binder, NILAS_BOUND_CALL, -1, &node, err));
    node->function = function;
    NILAS_NEW_ARRAY(binder->arena, &node->args, count, err);
    node->arg_count = count;
    for (size_t i = 0; i < count; i++) {
        node->args[i] = args[i];
        node->nullable = node->nullable || args[i]->nullable;
    }
    *out = node;
    return NILAS_OK;
}

nilas_argument nilas_bind__argument(const nilas_bound_expr *expr) {
    bool is_literal = expr->kind == NILAS_BOUND_LITERAL;
    return (nilas_argument){.type = expr->type,
                            .nullable = expr->nullable,
                            .constant = is_literal ? &expr->value : NULL,
                            .lambda_arity = -1,
                            .offset = expr->offset};
}

/** The texts that a refusal needs; they cost too much to be made for every call. */
static void add_texts(nilas_binder *binder, const nilas_call_arguments *call,
                      nilas_call_options *options) {
    nilas_function unknown = {.name = "", .shown = NULL};
    nilas_bound_expr whole = {.kind = NILAS_BOUND_CALL,
                              .function = &unknown,
                              .name = call->name,
                              .args = call->args,
                              .arg_count = call->count};
    for (size_t i = 0; i < call->count; i++) {
        call->arguments[i].shown = nilas_bind__text(binder, call->args[i]);
    }
    bool infix =
        call->count == 2 && call->name.size > 0 &&
        (strchr("+-*/%&|^=<>!", call->name.data[0]) != NULL || nilas_str_is(call->name, "div") ||
         nilas_str_is(call->name, "and") || nilas_str_is(call->name, "or"));
    if (!infix) {
        options->shown = nilas_bind__text(binder, &whole);
        return;
    }
    nilas_str text = NILAS_STR_EMPTY;
    nilas_code code = nilas_str_print(binder->arena, &text, NULL, "(%.*s %.*s %.*s)",
                                      NILAS_FMT(call->arguments[0].shown), NILAS_FMT(call->name),
                                      NILAS_FMT(call->arguments[1].shown));
    options->shown = code == NILAS_OK ? text : NILAS_STR_EMPTY;
}

nilas_code nilas_bind__resolve(nilas_binder *binder, const nilas_call_arguments *call,
                               nilas_call_options *options, nilas_call *out, nilas_error *err) {
    options->ansi = binder->environment->ansi;
    options->offset = call->offset;
    nilas_code code = nilas_function_resolve(binder->arena, call->name, call->arguments,
                                             call->count, options, out, err);
    if (code == NILAS_INVALID) {
        add_texts(binder, call, options);
        return nilas_function_resolve(binder->arena, call->name, call->arguments, call->count,
                                      options, out, err);
    }
    return code;
}

nilas_code nilas_bind__call(nilas_binder *binder, const char *name, nilas_bound_expr *const *args,
                            size_t count, int32_t offset, nilas_bound_expr **out,
                            nilas_error *err) {
    nilas_call_arguments call = {.name = nilas_str_of(name), .count = count, .offset = offset};
    NILAS_NEW_ARRAY(binder->arena, &call.arguments, count, err);
    NILAS_NEW_ARRAY(binder->arena, &call.args, count, err);
    for (size_t i = 0; i < count; i++) {
        call.args[i] = args[i];
        call.arguments[i] = nilas_bind__argument(args[i]);
    }
    nilas_call resolved = {0};
    nilas_call_options options = {0};
    nilas_code code = nilas_bind__resolve(binder, &call, &options, &resolved, err);
    if (code == NILAS_NOT_FOUND) {
        return nilas_fail_at(err, NILAS_UNSUPPORTED, NULL, offset,
                             "function or operator \"%s\" is not there yet", name);
    }
    NILAS_TRY(code);
    nilas_bound_expr *node = NULL;
    NILAS_TRY(nilas_bind__raw_call(binder, resolved.function, args, count, &node, err));
    for (size_t i = 0; i < count; i++) {
        NILAS_TRY(
            nilas_bind__coerce(binder, args[i], resolved.argument_types[i], &node->args[i], err));
    }
    node->type = resolved.type;
    node->nullable = resolved.nullable;
    node->offset = offset;
    *out = node;
    return NILAS_OK;
}

// ---- walking ---------------------------------------------------------------------------------

static bool visit_list(nilas_bound_expr *const *list, size_t count,
                       bool (*visit)(void *context, const nilas_bound_expr *expr), void *context) {
    for (size_t i = 0; i < count; i++) {
        if (!nilas_bind__visit(list[i], visit, context)) {
            return false;
        }
    }
    return true;
}

bool nilas_bind__visit(const nilas_bound_expr *expr,
                       bool (*visit)(void *context, const nilas_bound_expr *expr), void *context) {
    if (expr == NULL) {
        return true;
    }
    if (!visit(context, expr) || !visit_list(expr->args, expr->arg_count, visit, context) ||
        !nilas_bind__visit(expr->filter, visit, context) ||
        !visit_list(expr->order_by, expr->order_by_count, visit, context)) {
        return false;
    }
    const nilas_bound_window *window = expr->window;
    return window == NULL ||
           (visit_list(window->partition_by, window->partition_by_count, visit, context) &&
            visit_list(window->order_by, window->order_by_count, visit, context) &&
            nilas_bind__visit(window->start.offset, visit, context) &&
            nilas_bind__visit(window->end.offset, visit, context));
}

typedef nilas_code (*rewriter)(void *context, nilas_bound_expr **expr, nilas_error *err);

static nilas_code rewrite_list(nilas_arena *arena, nilas_bound_expr **list, size_t count,
                               rewriter rewrite, void *context, nilas_error *err) {
    for (size_t i = 0; i < count; i++) {
        NILAS_TRY(nilas_bind__rewrite(arena, &list[i], rewrite, context, err));
    }
    return NILAS_OK;
}

nilas_code nilas_bind__rewrite(nilas_arena *arena, nilas_bound_expr **expr,
                               nilas_code (*rewrite)(void *context, nilas_bound_expr **expr,
                                                     nilas_error *err),
                               void *context, nilas_error *err) {
    nilas_bound_expr *node = *expr;
    if (node == NULL) {
        return NILAS_OK;
    }
    NILAS_TRY(rewrite_list(arena, node->args, node->arg_count, rewrite, context, err));
    NILAS_TRY(nilas_bind__rewrite(arena, &node->filter, rewrite, context, err));
    NILAS_TRY(rewrite_list(arena, node->order_by, node->order_by_count, rewrite, context, err));
    nilas_bound_window *window = node->window;
    if (window != NULL) {
        NILAS_TRY(rewrite_list(arena, window->partition_by, window->partition_by_count, rewrite,
                               context, err));
        NILAS_TRY(
            rewrite_list(arena, window->order_by, window->order_by_count, rewrite, context, err));
        NILAS_TRY(nilas_bind__rewrite(arena, &window->start.offset, rewrite, context, err));
        NILAS_TRY(nilas_bind__rewrite(arena, &window->end.offset, rewrite, context, err));
    }
    return rewrite(context, expr, err);
}

static nilas_code copy_list(nilas_arena *arena, nilas_bound_expr *const *list, size_t count,
                            nilas_bound_expr ***out, nilas_error *err) {
    if (count == 0) {
        return NILAS_OK;
    }
    NILAS_NEW_ARRAY(arena, out, count, err);
    for (size_t i = 0; i < count; i++) {
        NILAS_TRY(nilas_bind__copy(arena, list[i], &(*out)[i], err));
    }
    return NILAS_OK;
}

static nilas_code copy_window(nilas_arena *arena, const nilas_bound_window *window,
                              nilas_bound_window **out, nilas_error *err) {
    NILAS_NEW(arena, out, err);
    **out = *window;
    NILAS_TRY(copy_list(arena, window->partition_by, window->partition_by_count,
                        &(*out)->partition_by, err));
    NILAS_TRY(copy_list(arena, window->order_by, window->order_by_count, &(*out)->order_by, err));
    NILAS_TRY(nilas_bind__copy(arena, window->start.offset, &(*out)->start.offset, err));
    return nilas_bind__copy(arena, window->end.offset, &(*out)->end.offset, err);
}

nilas_code nilas_bind__copy(nilas_arena *arena, const nilas_bound_expr *expr,
                            nilas_bound_expr **out, nilas_error *err) {
    *out = NULL;
    if (expr == NULL) {
        return NILAS_OK;
    }
    nilas_bound_expr *copy = NULL;
    NILAS_NEW(arena, &copy, err);
    *copy = *expr;
    NILAS_TRY(copy_list(arena, expr->args, expr->arg_count, &copy->args, err));
    NILAS_TRY(nilas_bind__copy(arena, expr->filter, &copy->filter, err));
    NILAS_TRY(copy_list(arena, expr->order_by, expr->order_by_count, &copy->order_by, err));
    if (expr->window != NULL) {
        NILAS_TRY(copy_window(arena, expr->window, &copy->window, err));
    }
    *out = copy;
    return NILAS_OK;
}
