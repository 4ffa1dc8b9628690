/*
 * CASE and CAST: the results of a CASE meet in their common type; a CAST that Spark refuses is
 * refused in its words.
 */
#include "bind/expr.h"

// ---- CASE ------------------------------------------------------------------------------------

/** The WHENs of `CASE operand WHEN value`: operand = value. */
static nilas_code operand_conditions(nilas_binder *binder, const nilas_expr *expr,
                                     nilas_bound_expr *operand, nilas_bound_expr **branches,
                                     size_t count, nilas_error *err) {
    for (size_t i = 0; i + 1 < count; i += 2) {
        nilas_bound_expr *pair[2] = {NULL, branches[i]};
        NILAS_TRY(nilas_bind__copy(binder->arena, operand, &pair[0], err));
        NILAS_TRY(nilas_bind__call(binder, "=", pair, 2, expr->offset, &branches[i], err));
    }
    return NILAS_OK;
}

static nilas_code check_conditions(nilas_binder *binder, nilas_bound_expr **branches, size_t count,
                                   nilas_error *err) {
    const nilas_type *boolean = nilas_type_of(NILAS_TYPE_BOOLEAN);
    for (size_t i = 0; i + 1 < count; i += 2) {
        if (nilas_type_is(branches[i]->type, NILAS_TYPE_VOID)) {
            NILAS_TRY(nilas_bind__coerce(binder, branches[i], boolean, &branches[i], err));
        }
        if (!nilas_type_is(branches[i]->type, NILAS_TYPE_BOOLEAN)) {
            nilas_str text = nilas_bind__text(binder, branches[i]);
            nilas_str type = nilas_bind__type_text(binder, branches[i]->type);
            return nilas_fail_at(
                err, NILAS_INVALID, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", branches[i]->offset,
                "Cannot resolve \"CASE\" due to data type mismatch: The %zu. condition requires "
                "the \"BOOLEAN\" type, however \"%.*s\" has the type \"%.*s\".",
                i / 2 + 1, NILAS_FMT(text), NILAS_FMT(type));
        }
    }
    return NILAS_OK;
}

static nilas_code coerce_results(nilas_binder *binder, nilas_bound_expr *node, nilas_error *err) {
    nilas_bound_expr **results = NULL;
    size_t count = 0;
    NILAS_NEW_ARRAY(binder->arena, &results, node->arg_count, err);
    for (size_t i = 1; i < node->arg_count; i += 2) {
        results[count++] = node->args[i];
    }
    if (node->has_else) {
        results[count++] = node->args[node->arg_count - 1];
    }
    NILAS_TRY(nilas_bind__common_type(binder, results, count, &node->type, err));
    node->nullable = !node->has_else;
    for (size_t i = 0; i < node->arg_count; i++) {
        bool is_result = i % 2 == 1 || (node->has_else && i == node->arg_count - 1);
        if (is_result) {
            node->nullable = node->nullable || node->args[i]->nullable;
            NILAS_TRY(nilas_bind__coerce(binder, node->args[i], node->type, &node->args[i], err));
        }
    }
    return NILAS_OK;
}

nilas_code nilas_bind__case(nilas_bind_scope *scope, const nilas_expr *expr, nilas_bound_expr **out,
                            nilas_error *err) {
    nilas_binder *binder = scope->binder;
    nilas_bound_expr **args = NULL;
    NILAS_TRY(nilas_bind__exprs(scope, expr->args, expr->arg_count, &args, err));
    size_t skipped = expr->has_operand ? 1 : 0;
    nilas_bound_expr **branches = args + skipped;
    size_t count = expr->arg_count - skipped;
    size_t pairs = expr->has_else ? count - 1 : count;
    if (expr->has_operand) {
        NILAS_TRY(operand_conditions(binder, expr, args[0], branches, pairs, err));
    }
    NILAS_TRY(check_conditions(binder, branches, pairs, err));
    nilas_bound_expr *node = NULL;
    NILAS_TRY(nilas_bind__node(binder, NILAS_BOUND_CASE, expr->offset, &node, err));
    node->args = branches;
    node->arg_count = count;
    node->has_else = expr->has_else;
    NILAS_TRY(coerce_results(binder, node, err));
    *out = node;
    return NILAS_OK;
}

// ---- CAST ------------------------------------------------------------------------------------

/** The function that Spark suggests instead of a refused cast, or NULL. */
static const char *suggestion(const nilas_type *from, const nilas_type *to) {
    if (nilas_type_is(to, NILAS_TYPE_DATE) && nilas_type_is_integral(from)) {
        return "DATE_FROM_UNIX_DATE";
    }
    if (nilas_type_is(from, NILAS_TYPE_DATE) && nilas_type_is_numeric(to)) {
        return "UNIX_DATE";
    }
    return NULL;
}

static nilas_code fail_cast(nilas_binder *binder, const nilas_expr *expr,
                            const nilas_bound_expr *arg, const nilas_type *to, nilas_error *err) {
    const char *verb = expr->op == NILAS_OP_TRY_CAST ? "TRY_CAST" : "CAST";
    int32_t offset = expr->offset;
    nilas_str text = nilas_bind__text(binder, arg);
    nilas_str from_type = nilas_bind__type_text(binder, arg->type);
    nilas_str to_type = nilas_bind__type_text(binder, to);
    bool ansi = binder->environment->ansi;
    const char *function = suggestion(arg->type, to);
    if (ansi && function != NULL) {
        return nilas_fail_at(
            err, NILAS_INVALID, "DATATYPE_MISMATCH.CAST_WITH_FUNC_SUGGESTION", offset,
            "Cannot resolve \"%s(%.*s AS %.*s)\" due to data type mismatch: cannot cast \"%.*s\" "
            "to \"%.*s\".\nTo convert values from \"%.*s\" to \"%.*s\", you can use the "
            "functions `%s` instead.",
            verb, NILAS_FMT(text), NILAS_FMT(to_type), NILAS_FMT(from_type), NILAS_FMT(to_type),
            NILAS_FMT(from_type), NILAS_FMT(to_type), function);
    }
    if (ansi && nilas_type_can_cast(arg->type, to, false)) {
        return nilas_fail_at(
            err, NILAS_INVALID, "DATATYPE_MISMATCH.CAST_WITH_CONF_SUGGESTION", offset,
            "Cannot resolve \"%s(%.*s AS %.*s)\" due to data type mismatch: cannot cast \"%.*s\" "
            "to \"%.*s\" with ANSI mode on.\nIf you have to cast \"%.*s\" to \"%.*s\", you can "
            "set \"spark.sql.ansi.enabled\" as 'false'.",
            verb, NILAS_FMT(text), NILAS_FMT(to_type), NILAS_FMT(from_type), NILAS_FMT(to_type),
            NILAS_FMT(from_type), NILAS_FMT(to_type));
    }
    return nilas_fail_at(
        err, NILAS_INVALID, "DATATYPE_MISMATCH.CAST_WITHOUT_SUGGESTION", offset,
        "Cannot resolve \"%s(%.*s AS %.*s)\" due to data type mismatch: cannot cast \"%.*s\" to "
        "\"%.*s\".",
        verb, NILAS_FMT(text), NILAS_FMT(to_type), NILAS_FMT(from_type), NILAS_FMT(to_type));
}

nilas_code nilas_bind__checked_cast(nilas_binder *binder, const nilas_expr *expr,
                                    nilas_bound_expr *arg, const nilas_type *type,
                                    nilas_bound_expr **out, nilas_error *err) {
    bool is_try = expr->op == NILAS_OP_TRY_CAST;
    nilas_cast_mode mode = is_try ? NILAS_CAST_TRY : nilas_bind__mode(binder);
    const char *verb = is_try ? "TRY_CAST" : "CAST";
    if (nilas_type_is(type, NILAS_TYPE_CHAR) || nilas_type_is(type, NILAS_TYPE_VARCHAR)) {
        type = nilas_type_of(NILAS_TYPE_STRING); // a cast does not check lengths
    }
    bool ansi = is_try || binder->environment->ansi;
    if (!nilas_type_equal(arg->type, type) && !nilas_type_can_cast(arg->type, type, ansi)) {
        return fail_cast(binder, expr, arg, type, err);
    }
    nilas_str text = nilas_bind__text(binder, arg);
    NILAS_TRY(nilas_bind__cast(binder, arg, type, mode, out, err));
    (*out)->offset = expr->offset;
    if (!nilas_bind__shows_cast(type)) {
        (*out)->shown = text;
        return NILAS_OK;
    }
    nilas_str to_type = nilas_bind__type_text(binder, type);
    return nilas_str_print(binder->arena, &(*out)->shown, err, "%s(%.*s AS %.*s)", verb,
                           NILAS_FMT(text), NILAS_FMT(to_type));
}

nilas_code nilas_bind__check_collations(const nilas_type *type, int32_t offset, nilas_error *err) {
    if (type->collation.size > 0) {
        return nilas_fail_at(err, NILAS_UNSUPPORTED, "UNSUPPORTED_FEATURE", offset,
                             "the collation %.*s is not supported", NILAS_FMT(type->collation));
    }
    for (size_t i = 0; i < type->field_count; i++) {
        NILAS_TRY(nilas_bind__check_collations(type->fields[i].type, offset, err));
    }
    return NILAS_OK;
}

nilas_code nilas_bind__explicit_cast(nilas_bind_scope *scope, const nilas_expr *expr,
                                     nilas_bound_expr **out, nilas_error *err) {
    nilas_bound_expr *arg = NULL;
    NILAS_TRY(nilas_bind__check_collations(expr->type, expr->offset, err));
    NILAS_TRY(nilas_bind__expr(scope, expr->args[0], &arg, err));
    return nilas_bind__checked_cast(scope->binder, expr, arg, expr->type, out, err);
}
