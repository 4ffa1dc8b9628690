/*
 * Expressions: a tree node to a bound node, by kind. What each kind means is in expr_*.c.
 *
 * Every node gets the offset of its tree node, so that an error of the running query still points
 * into the statement.
 */
#include "bind/expr.h"

static nilas_code bind_literal(nilas_bind_scope *scope, const nilas_expr *expr,
                               nilas_bound_expr **out, nilas_error *err) {
    return nilas_bind__literal(scope->binder, expr->type, &expr->value, out, err);
}

static nilas_code fail_star(const nilas_expr *expr, nilas_error *err) {
    return nilas_fail_at(err, NILAS_INVALID, "INVALID_USAGE_OF_STAR_OR_REGEX", expr->offset,
                         "Invalid usage of '*' in expression.");
}

static nilas_code fail_parameter(const nilas_expr *expr, nilas_error *err) {
    nilas_str name = expr->part_count > 0 ? expr->parts[0] : NILAS_STR("?");
    return nilas_fail_at(
        err, NILAS_INVALID, "UNBOUND_SQL_PARAMETER", expr->offset,
        "Found the unbound parameter: %.*s. Please, fix `args` and provide a mapping of the "
        "parameter to either a SQL literal or collection constructor functions such "
        "as `map()`, `array()`, `struct()`.",
        NILAS_FMT(name));
}

static nilas_code bind_collate(nilas_bind_scope *scope, const nilas_expr *expr,
                               nilas_bound_expr **out, nilas_error *err) {
    nilas_bound_expr *args[2] = {0};
    NILAS_TRY(nilas_bind__expr(scope, expr->args[0], &args[0], err));
    nilas_str collation = expr->parts[expr->part_count - 1];
    NILAS_TRY(nilas_bind__string_literal(scope->binder, collation, &args[1], err));
    return nilas_bind__call(scope->binder, "collate", args, 2, expr->offset, out, err);
}

static nilas_code refuse(const nilas_expr *expr, nilas_error *err) {
    switch (expr->kind) {
    case NILAS_EXPR_STAR: return fail_star(expr, err);
    case NILAS_EXPR_PARAMETER: return fail_parameter(expr, err);
    case NILAS_EXPR_LAMBDA:
        return nilas_fail_at(err, NILAS_INVALID,
                             "UNSUPPORTED_FEATURE.LAMBDA_FUNCTION_WITH_PYTHON_UDF", expr->offset,
                             "A lambda function should only be used in a higher order function.");
    case NILAS_EXPR_DEFAULT:
        return nilas_fail_at(
            err, NILAS_INVALID, "DEFAULT_PLACEMENT_INVALID", expr->offset,
            "A DEFAULT keyword in a MERGE, INSERT, UPDATE, or SET VARIABLE command could not "
            "be directly assigned to a target column because it was part of an expression. "
            "For example: `UPDATE SET c1 = DEFAULT` is allowed, but `UPDATE T SET c1 = DEFAULT "
            "+ 1` is not allowed.");
    default:
        return nilas_fail_at(err, NILAS_INVALID, NULL, expr->offset,
                             "a grouping construct stands outside of GROUP BY");
    }
}

static nilas_code bind_names(nilas_bind_scope *scope, const nilas_expr *expr,
                             nilas_bound_expr **out, nilas_error *err) {
    switch (expr->kind) {
    case NILAS_EXPR_COLUMN: return nilas_bind__column(scope, expr, out, err);
    case NILAS_EXPR_FIELD: return nilas_bind__field(scope, expr, out, err);
    case NILAS_EXPR_SUBSCRIPT: return nilas_bind__subscript(scope, expr, out, err);
    case NILAS_EXPR_IDENTIFIER: return nilas_bind__identifier_clause(scope, expr, out, err);
    case NILAS_EXPR_ALIAS: return nilas_bind__expr(scope, expr->args[0], out, err);
    case NILAS_EXPR_SORT: return nilas_bind__sort_key(scope, expr, out, err);
    default: return refuse(expr, err);
    }
}

static nilas_code bind_kind(nilas_bind_scope *scope, const nilas_expr *expr, nilas_bound_expr **out,
                            nilas_error *err) {
    switch (expr->kind) {
    case NILAS_EXPR_LITERAL: return bind_literal(scope, expr, out, err);
    case NILAS_EXPR_TYPED_LITERAL: return nilas_bind__typed_literal(scope, expr, out, err);
    case NILAS_EXPR_INTERVAL: return nilas_bind__interval(scope, expr, out, err);
    case NILAS_EXPR_CALL: return nilas_bind__call_expr(scope, expr, out, err);
    case NILAS_EXPR_UNARY: return nilas_bind__unary(scope, expr, out, err);
    case NILAS_EXPR_BINARY: return nilas_bind__binary(scope, expr, out, err);
    case NILAS_EXPR_BETWEEN: return nilas_bind__between(scope, expr, out, err);
    case NILAS_EXPR_IN: return nilas_bind__in(scope, expr, out, err);
    case NILAS_EXPR_LIKE: return nilas_bind__like(scope, expr, out, err);
    case NILAS_EXPR_IS: return nilas_bind__is(scope, expr, out, err);
    case NILAS_EXPR_CASE: return nilas_bind__case(scope, expr, out, err);
    case NILAS_EXPR_CAST: return nilas_bind__explicit_cast(scope, expr, out, err);
    case NILAS_EXPR_ROW: return nilas_bind__row(scope, expr->args, expr->arg_count, out, err);
    case NILAS_EXPR_IN_QUERY:
    case NILAS_EXPR_EXISTS:
    case NILAS_EXPR_SUBQUERY: return nilas_bind__subquery_expr(scope, expr, out, err);
    case NILAS_EXPR_EXTRACT:
    case NILAS_EXPR_POSITION:
    case NILAS_EXPR_TRIM:
    case NILAS_EXPR_SUBSTRING:
    case NILAS_EXPR_OVERLAY: return nilas_bind__syntax_call(scope, expr, out, err);
    case NILAS_EXPR_COLLATE: return bind_collate(scope, expr, out, err);
    case NILAS_EXPR_UPDATE_FIELD: return nilas_bind__update_field(scope, expr, out, err);
    default: return bind_names(scope, expr, out, err);
    }
}

nilas_code nilas_bind__expr(nilas_bind_scope *scope, const nilas_expr *expr, nilas_bound_expr **out,
                            nilas_error *err) {
    nilas_binder *binder = scope->binder;
    if (binder->depth >= NILAS_LIMIT_SQL_DEPTH) {
        return nilas_fail_at(err, NILAS_LIMIT, NULL, expr->offset,
                             "the expression is nested deeper than %d levels",
                             NILAS_LIMIT_SQL_DEPTH);
    }
    binder->depth++;
    nilas_code code = bind_kind(scope, expr, out, err);
    binder->depth--;
    if (code == NILAS_OK && (*out)->offset < 0) {
        (*out)->offset = expr->offset;
    }
    if (code != NILAS_OK && err != NULL && err->sql_offset < 0 && code == NILAS_INVALID) {
        err->sql_offset = expr->offset;
    }
    return code;
}

nilas_code nilas_bind__exprs(nilas_bind_scope *scope, nilas_expr *const *exprs, size_t count,
                             nilas_bound_expr ***out, nilas_error *err) {
    NILAS_NEW_ARRAY(scope->binder->arena, out, count, err);
    for (size_t i = 0; i < count; i++) {
        NILAS_TRY(nilas_bind__expr(scope, exprs[i], &(*out)[i], err));
    }
    return NILAS_OK;
}

static bool clause_is(const nilas_bind_scope *scope, const char *clause) {
    return scope->clause != NULL && strcmp(scope->clause, clause) == 0;
}

nilas_code nilas_bind__condition(nilas_bind_scope *scope, const nilas_expr *expr,
                                 nilas_bound_expr **out, nilas_error *err) {
    nilas_bound_expr *bound = NULL;
    NILAS_TRY(nilas_bind__expr(scope, expr, &bound, err));
    if (nilas_type_is(bound->type, NILAS_TYPE_BOOLEAN)) {
        *out = bound;
        return NILAS_OK;
    }
    nilas_str text = nilas_bind__text(scope->binder, bound);
    nilas_str type = nilas_bind__type_text(scope->binder, bound->type);
    if (clause_is(scope, "JOIN")) {
        return nilas_fail_at(
            err, NILAS_INVALID, "JOIN_CONDITION_IS_NOT_BOOLEAN_TYPE", expr->offset,
            "The join condition \"%.*s\" has the invalid type \"%.*s\", expected \"BOOLEAN\".",
            NILAS_FMT(text), NILAS_FMT(type));
    }
    return nilas_fail_at(
        err, NILAS_INVALID, "DATATYPE_MISMATCH.FILTER_NOT_BOOLEAN", expr->offset,
        "Cannot resolve \"%.*s\" due to data type mismatch: Filter expression \"%.*s\" of type "
        "\"%.*s\" is not a boolean.",
        NILAS_FMT(text), NILAS_FMT(text), NILAS_FMT(type));
}

static bool is_orderable(const nilas_type *type) {
    if (nilas_type_is(type, NILAS_TYPE_MAP) || nilas_type_is(type, NILAS_TYPE_VARIANT) ||
        nilas_type_is(type, NILAS_TYPE_INTERVAL)) {
        return false;
    }
    for (size_t i = 0; i < type->field_count; i++) {
        if (!is_orderable(type->fields[i].type)) {
            return false;
        }
    }
    return true;
}

nilas_code nilas_bind__sort_key(nilas_bind_scope *scope, const nilas_expr *expr,
                                nilas_bound_expr **out, nilas_error *err) {
    bool is_sort = expr->kind == NILAS_EXPR_SORT;
    nilas_bound_expr *key = NULL;
    NILAS_TRY(nilas_bind__expr(scope, is_sort ? expr->args[0] : expr, &key, err));
    if (!is_orderable(key->type)) {
        nilas_str text = nilas_bind__text(scope->binder, key);
        nilas_str type = nilas_bind__type_text(scope->binder, key->type);
        return nilas_fail_at(
            err, NILAS_INVALID, "DATATYPE_MISMATCH.INVALID_ORDERING_TYPE", expr->offset,
            "Cannot resolve \"%.*s\" due to data type mismatch: The `sortorder` does not "
            "support ordering on type \"%.*s\".",
            NILAS_FMT(text), NILAS_FMT(type));
    }
    nilas_bound_expr *sort = NULL;
    NILAS_TRY(nilas_bind__node(scope->binder, NILAS_BOUND_SORT, expr->offset, &sort, err));
    NILAS_NEW_ARRAY(scope->binder->arena, &sort->args, 1, err);
    sort->args[0] = key;
    sort->arg_count = 1;
    sort->type = key->type;
    sort->nullable = key->nullable;
    sort->descending = is_sort && expr->descending;
    sort->nulls_first = is_sort && expr->has_nulls_order ? expr->nulls_first : !sort->descending;
    *out = sort;
    return NILAS_OK;
}
