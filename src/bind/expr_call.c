/*
 * Function calls: which function a name means, its arguments (stars expanded, lambdas bound
 * last), what is allowed where, and the casts that the function asks for.
 *
 * Order of a name of one part: what the binder itself gives meaning to (expr_special.c), Spark's
 * built-in functions, then functions of the current catalog; names of several parts mean a
 * catalog's functions.
 */
#include "bind/expr.h"

typedef struct call_parts {
    const nilas_expr *expr;
    nilas_call_arguments call;
    const nilas_expr **lambdas; // tree of the argument, when it is a lambda
    nilas_call resolved;
    nilas_str shown; // of an ordered-set aggregate
} call_parts;

// ---- names -----------------------------------------------------------------------------------

static nilas_code fail_routine(nilas_bind_scope *scope, const nilas_expr *expr, nilas_str catalog,
                               nilas_error *err) {
    const nilas_bind_environment *environment = scope->binder->environment;
    size_t count = environment->current_namespace_count + 1;
    nilas_str *path = NULL;
    NILAS_NEW_ARRAY(scope->binder->arena, &path, count, err);
    path[0] = catalog;
    for (size_t i = 1; i < count; i++) {
        path[i] = environment->current_namespace[i - 1];
    }
    nilas_str name = nilas_bind__name_text(scope->binder->arena, expr->parts, expr->part_count);
    nilas_str last = nilas_bind__name_text(scope->binder->arena, path, count);
    return nilas_fail_at(
        err, NILAS_INVALID, "UNRESOLVED_ROUTINE", expr->offset,
        "Cannot resolve routine %.*s on search path [`system`.`builtin`, `system`.`session`, "
        "%.*s].",
        NILAS_FMT(name), NILAS_FMT(last));
}

static bool is_system_namespace(const nilas_str *parts, size_t count) {
    return count == 1 || (count == 2 && nilas_str_is_nocase(parts[0], "system"));
}

/** Names that only Iceberg's functions have. */
static bool may_be_iceberg(nilas_str name) {
    static const char *const names[] = {"bucket", "truncate", "years", "months", "days", "hours"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (nilas_str_is(name, names[i])) {
            return true;
        }
    }
    return false;
}

/**
 * Whether the name may be an Iceberg function of its catalog; UNRESOLVED_ROUTINE and its kind
 * otherwise.
 */
static nilas_code check_catalog_function(nilas_bind_scope *scope, const nilas_expr *expr,
                                         nilas_error *err) {
    nilas_catalog *catalog = NULL;
    nilas_str catalog_name = NILAS_STR_EMPTY;
    nilas_str *parts = NULL;
    size_t count = 0;
    NILAS_TRY(nilas_bind_identifier(scope->binder->environment, expr->parts, expr->part_count,
                                    false, &catalog, &catalog_name, &parts, &count, err));
    bool is_session = catalog == NULL || nilas_catalog_is_session(catalog);
    if (is_session && count != 2) {
        nilas_str text = nilas_bind__name_text(scope->binder->arena, parts, count - 1);
        return nilas_fail_at(err, NILAS_INVALID, "REQUIRES_SINGLE_PART_NAMESPACE", expr->offset,
                             "%.*s requires a single-part namespace, but got %.*s.",
                             NILAS_FMT(catalog_name), NILAS_FMT(text));
    }
    if (is_session && nilas_str_is_nocase(parts[0], "system") && may_be_iceberg(parts[1])) {
        // Spark's session catalog knows the name, but only the catalog of tables has the function
        nilas_str name = nilas_bind__name_text(scope->binder->arena, parts, count);
        return nilas_fail_at(err, NILAS_INVALID, "ROUTINE_NOT_FOUND", expr->offset,
                             "The routine %.*s cannot be found. Verify the spelling and "
                             "correctness of the schema and catalog.",
                             NILAS_FMT(name));
    }
    if (is_session || !is_system_namespace(parts, count)) {
        return fail_routine(scope, expr, catalog_name, err);
    }
    return NILAS_OK;
}

/** Catch the name of an Iceberg function that is not reachable from here. */
static nilas_code check_reachable(nilas_bind_scope *scope, const call_parts *parts,
                                  nilas_error *err) {
    bool is_iceberg = (parts->resolved.function->flags & NILAS_FUNCTION_ICEBERG) != 0;
    if (parts->expr->part_count == 1 && !is_iceberg) {
        return NILAS_OK;
    }
    NILAS_TRY(check_catalog_function(scope, parts->expr, err));
    return is_iceberg
               ? NILAS_OK
               : fail_routine(scope, parts->expr, scope->binder->environment->current_catalog, err);
}

static nilas_code fail_unknown(nilas_bind_scope *scope, const nilas_expr *expr, nilas_error *err) {
    nilas_catalog *catalog = NULL;
    nilas_str catalog_name = NILAS_STR_EMPTY;
    nilas_str *parts = NULL;
    size_t count = 0;
    NILAS_TRY(nilas_bind_identifier(scope->binder->environment, expr->parts, expr->part_count,
                                    false, &catalog, &catalog_name, &parts, &count, err));
    if (expr->part_count > 1) {
        NILAS_TRY(check_catalog_function(scope, expr, err));
    }
    return fail_routine(scope, expr, catalog_name, err);
}

// ---- arguments -------------------------------------------------------------------------------

static void push_argument(call_parts *parts, nilas_bound_expr *arg, const nilas_expr *lambda) {
    size_t at = parts->call.count++;
    parts->call.args[at] = arg;
    parts->lambdas[at] = lambda;
    if (lambda != NULL) {
        parts->call.arguments[at] =
            (nilas_argument){.lambda_arity = (int)lambda->part_count, .offset = lambda->offset};
    } else {
        parts->call.arguments[at] = nilas_bind__argument(arg);
    }
}

static nilas_code reserve(nilas_arena *arena, call_parts *parts, size_t capacity,
                          nilas_error *err) {
    nilas_call_arguments *call = &parts->call;
    nilas_argument *arguments = NULL;
    nilas_bound_expr **args = NULL;
    const nilas_expr **lambdas = NULL;
    NILAS_NEW_ARRAY(arena, &arguments, capacity, err);
    NILAS_NEW_ARRAY(arena, &args, capacity, err);
    NILAS_NEW_ARRAY(arena, &lambdas, capacity, err);
    for (size_t i = 0; i < call->count; i++) {
        arguments[i] = call->arguments[i];
        args[i] = call->args[i];
        lambdas[i] = parts->lambdas[i];
    }
    call->arguments = arguments;
    call->args = args;
    parts->lambdas = lambdas;
    return NILAS_OK;
}

static nilas_code expand_star(nilas_bind_scope *scope, const nilas_expr *star, size_t rest,
                              call_parts *parts, nilas_error *err) {
    nilas_bound_expr **columns = NULL;
    nilas_str *names = NULL;
    size_t count = 0;
    NILAS_TRY(nilas_bind__expand_star(scope, star, &columns, &names, &count, err));
    NILAS_TRY(reserve(scope->binder->arena, parts, parts->call.count + count + rest, err));
    for (size_t i = 0; i < count; i++) {
        push_argument(parts, columns[i], NULL);
    }
    return NILAS_OK;
}

static nilas_code bind_arguments(nilas_bind_scope *scope, call_parts *parts, nilas_error *err) {
    const nilas_expr *expr = parts->expr;
    NILAS_TRY(reserve(scope->binder->arena, parts, expr->arg_count, err));
    for (size_t i = 0; i < expr->arg_count; i++) {
        const nilas_expr *arg = expr->args[i];
        nilas_bound_expr *bound = NULL;
        if (arg->kind == NILAS_EXPR_STAR) {
            NILAS_TRY(expand_star(scope, arg, expr->arg_count - i, parts, err));
            continue;
        }
        if (arg->kind == NILAS_EXPR_LAMBDA) {
            push_argument(parts, NULL, arg);
            continue;
        }
        NILAS_TRY(nilas_bind__expr(scope, arg, &bound, err));
        push_argument(parts, bound, NULL);
    }
    for (size_t i = 0; i < parts->call.count; i++) {
        if (parts->lambdas[i] != NULL) {
            NILAS_TRY(nilas_bind__lambda(scope, parts->lambdas[i], &parts->call, i, err));
        }
    }
    return NILAS_OK;
}

static nilas_code check_named_arguments(const nilas_expr *expr, nilas_str name, nilas_error *err) {
    static const char *const takes[] = {
        "mask",   "explode",      "explode_outer",   "posexplode",       "posexplode_outer",
        "inline", "inline_outer", "variant_explode", "count_min_sketch", "range"};
    for (size_t i = 0; expr->arg_names != NULL && i < expr->arg_count; i++) {
        bool known = expr->arg_names[i].size == 0;
        for (size_t k = 0; k < sizeof(takes) / sizeof(takes[0]); k++) {
            known = known || nilas_str_is(name, takes[k]);
        }
        if (!known) {
            return nilas_fail_at(
                err, NILAS_INVALID, "NAMED_PARAMETERS_NOT_SUPPORTED", expr->offset,
                "Named parameters are not supported for function `%.*s`; please retry the "
                "query with positional arguments to the function call instead.",
                NILAS_FMT(name));
        }
    }
    return NILAS_OK;
}

// ---- what is allowed where -------------------------------------------------------------------

static nilas_code fail_clause(nilas_bind_scope *scope, const nilas_bound_expr *call,
                              const char *what, nilas_error *err) {
    nilas_str text = nilas_bind__text(scope->binder, call);
    const char *clause = scope->clause != NULL ? scope->clause : "";
    if (strcmp(clause, "WHERE") == 0) {
        return nilas_fail_at(
            err, NILAS_INVALID, "INVALID_WHERE_CONDITION", call->offset,
            "The WHERE condition contains invalid expressions: %.*s. Rewrite the query to avoid "
            "window functions, aggregate functions, and generator functions in the WHERE "
            "clause.",
            NILAS_FMT(text));
    }
    return nilas_fail_at(
        err, NILAS_INVALID, "UNSUPPORTED_EXPR_FOR_OPERATOR", call->offset,
        "A query operator contains one or more unsupported expressions. %s functions are not "
        "allowed in %s. Invalid expressions: [%.*s]",
        what, clause, NILAS_FMT(text));
}

static bool is_plain_aggregate(void *context, const nilas_bound_expr *expr) {
    const nilas_bound_expr **found = context;
    if (expr->kind == NILAS_BOUND_CALL && expr->function->kind == NILAS_FUNCTION_AGGREGATE) {
        *found = expr;
        return false;
    }
    return true;
}

static nilas_code check_nested(const nilas_bound_expr *call, nilas_error *err) {
    for (size_t i = 0; i < call->arg_count; i++) {
        const nilas_bound_expr *inner = NULL;
        if (!nilas_bind__visit(call->args[i], is_plain_aggregate, &inner)) {
            return nilas_fail_at(
                err, NILAS_INVALID, "NESTED_AGGREGATE_FUNCTION", inner->offset,
                "It is not allowed to use an aggregate function in the argument of another "
                "aggregate function. Please use the inner aggregate function in a "
                "sub-query.");
        }
    }
    return NILAS_OK;
}

static nilas_code fail_syntax(const nilas_expr *expr, const char *syntax, nilas_error *err) {
    return nilas_fail_at(err, NILAS_INVALID, "INVALID_SQL_SYNTAX.FUNCTION_WITH_UNSUPPORTED_SYNTAX",
                         expr->offset,
                         "Invalid SQL syntax: The function `%.*s` does not support %s.",
                         NILAS_FMT(expr->parts[expr->part_count - 1]), syntax);
}

static nilas_code fail_no_window(nilas_bind_scope *scope, const nilas_bound_expr *call,
                                 nilas_error *err) {
    nilas_str text = nilas_bind__text(scope->binder, call);
    return nilas_fail_at(err, NILAS_INVALID, "WINDOW_FUNCTION_WITHOUT_OVER_CLAUSE", call->offset,
                         "Window function \"%.*s\" requires an OVER clause.", NILAS_FMT(text));
}

static nilas_code fail_generator(nilas_bind_scope *scope, const nilas_bound_expr *call,
                                 nilas_error *err) {
    nilas_str text = nilas_bind__text(scope->binder, call);
    return nilas_fail_at(
        err, NILAS_INVALID, "UNSUPPORTED_GENERATOR.OUTSIDE_SELECT", call->offset,
        "The generator is not supported: outside the SELECT clause, found: %s with \"%.*s\".",
        scope->clause != NULL ? scope->clause : "SELECT", NILAS_FMT(text));
}

static nilas_code fail_table_function(const nilas_bound_expr *call, nilas_error *err) {
    return nilas_fail_at(
        err, NILAS_INVALID, "NOT_A_SCALAR_FUNCTION", call->offset,
        "`%s` appears as a scalar expression here, but the function was defined as a table "
        "function. Please update the query to move the function call into the FROM clause, or "
        "redefine it as a scalar function instead.",
        call->function->name);
}

/** Whether a function of this kind may stand here without OVER. */
static nilas_code check_kind(nilas_bind_scope *scope, const nilas_bound_expr *call,
                             nilas_error *err) {
    switch (call->function->kind) {
    case NILAS_FUNCTION_AGGREGATE:
        return scope->no_aggregates ? fail_clause(scope, call, "Aggregate", err)
                                    : check_nested(call, err);
    case NILAS_FUNCTION_WINDOW: return fail_no_window(scope, call, err);
    case NILAS_FUNCTION_GENERATOR:
        return scope->no_generators ? fail_generator(scope, call, err) : NILAS_OK;
    case NILAS_FUNCTION_TABLE:
        return scope->takes_table_function ? NILAS_OK : fail_table_function(call, err);
    case NILAS_FUNCTION_SCALAR: break;
    }
    return NILAS_OK;
}

static nilas_code check_place(nilas_bind_scope *scope, const nilas_expr *expr,
                              const nilas_bound_expr *call, nilas_error *err) {
    bool is_aggregate = call->function->kind == NILAS_FUNCTION_AGGREGATE;
    if (!is_aggregate && expr->distinct) {
        return fail_syntax(expr, "DISTINCT", err);
    }
    if (!is_aggregate && expr->filter != NULL) {
        return fail_syntax(expr, "FILTER clause", err);
    }
    if (expr->window != NULL) {
        return scope->no_windows ? fail_clause(scope, call, "Window", err) : NILAS_OK;
    }
    return check_kind(scope, call, err);
}

// ---- the call --------------------------------------------------------------------------------

/** first(x, true) is first(x) IGNORE NULLS. */
static nilas_code take_ignore_nulls(call_parts *parts, bool *ignore_nulls, nilas_error *err) {
    static const char *const names[] = {"first", "first_value", "last", "last_value", "any_value"};
    nilas_call_arguments *call = &parts->call;
    bool is_one = false;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        is_one = is_one || nilas_str_is(call->name, names[i]);
    }
    if (!is_one || call->count != 2) {
        return NILAS_OK;
    }
    const nilas_bound_expr *flag = call->args[1];
    if (!nilas_bind__is_literal(flag) || flag->value.kind != NILAS_VALUE_BOOL) {
        return nilas_fail_at(
            err, NILAS_INVALID, "DATATYPE_MISMATCH.NON_FOLDABLE_INPUT", flag->offset,
            "Cannot resolve \"%.*s\" due to data type mismatch: the input `ignoreNulls` should be "
            "a foldable \"BOOLEAN\" expression.",
            NILAS_FMT(call->name));
    }
    *ignore_nulls = flag->value.boolean;
    call->count = 1;
    return NILAS_OK;
}

static nilas_code bind_sort_keys(nilas_bind_scope *scope, const nilas_expr *expr,
                                 nilas_bound_expr ***out, nilas_error *err) {
    nilas_bind_scope inner = *scope;
    inner.no_windows = true;
    inner.clause = "WITHIN GROUP";
    NILAS_NEW_ARRAY(scope->binder->arena, out, expr->order_by_count, err);
    for (size_t i = 0; i < expr->order_by_count; i++) {
        NILAS_TRY(nilas_bind__sort_key(&inner, expr->order_by[i], &(*out)[i], err));
    }
    return NILAS_OK;
}

static bool is_ordered_set(const call_parts *parts) {
    nilas_str name = parts->call.name;
    return parts->expr->order_by_count == 1 &&
           (nilas_str_is(name, "percentile_cont") || nilas_str_is(name, "percentile_disc") ||
            nilas_str_is(name, "mode"));
}

static nilas_code from_the_top(nilas_binder *binder, nilas_bound_expr **share, nilas_error *err) {
    nilas_value one = nilas_value_of_double(1);
    nilas_bound_expr *pair[2] = {NULL, *share};
    const nilas_type *type = nilas_type_of(NILAS_TYPE_DOUBLE);
    NILAS_TRY(nilas_bind__literal(binder, type, &one, &pair[0], err));
    NILAS_TRY(nilas_bind__coerce(binder, pair[1], type, &pair[1], err));
    return nilas_bind__call(binder, "-", pair, 2, (*share)->offset, share, err);
}

/**
 * percentile_cont(p) WITHIN GROUP (ORDER BY c) is percentile_cont(c, p); DESC counts from the top.
 * mode() shows the other direction, as Spark does.
 */
static nilas_code take_ordered_set(nilas_bind_scope *scope, call_parts *parts, nilas_error *err) {
    nilas_binder *binder = scope->binder;
    nilas_call_arguments *call = &parts->call;
    nilas_bound_expr **keys = NULL;
    bool is_mode = nilas_str_is(call->name, "mode");
    if (is_mode && call->count == 2 && nilas_bind__is_literal(call->args[1]) &&
        call->args[1]->value.kind == NILAS_VALUE_BOOL && call->args[1]->value.boolean) {
        nilas_str text = nilas_bind__text(binder, call->args[0]);
        return nilas_str_print(binder->arena, &parts->shown, err,
                               "mode() WITHIN GROUP (ORDER BY %.*s DESC)", NILAS_FMT(text));
    }
    if (!is_ordered_set(parts)) {
        return NILAS_OK;
    }
    NILAS_TRY(bind_sort_keys(scope, parts->expr, &keys, err));
    nilas_str share = call->count > 0 ? nilas_bind__text(binder, call->args[0]) : NILAS_STR_EMPTY;
    nilas_str key = nilas_bind__text(binder, keys[0]->args[0]);
    NILAS_TRY(nilas_str_print(binder->arena, &parts->shown, err,
                              "%.*s(%.*s) WITHIN GROUP (ORDER BY %.*s%s)", NILAS_FMT(call->name),
                              NILAS_FMT(share), NILAS_FMT(key),
                              keys[0]->descending != is_mode ? " DESC" : ""));
    if (keys[0]->descending && !is_mode && call->count == 1) {
        NILAS_TRY(from_the_top(binder, &call->args[0], err));
    }
    NILAS_TRY(reserve(binder->arena, parts, call->count + 1, err));
    for (size_t i = call->count; i > 0; i--) {
        call->args[i] = call->args[i - 1];
        call->arguments[i] = nilas_bind__argument(call->args[i]);
    }
    call->args[0] = keys[0]->args[0];
    call->arguments[0] = nilas_bind__argument(call->args[0]);
    call->count++;
    return NILAS_OK;
}

static nilas_code bind_aggregate_parts(nilas_bind_scope *scope, const call_parts *parts,
                                       nilas_bound_expr *call, nilas_error *err) {
    const nilas_expr *expr = parts->expr;
    nilas_bind_scope inner = *scope;
    inner.no_aggregates = expr->window == NULL;
    inner.no_windows = true;
    inner.clause = "FILTER";
    call->distinct = expr->distinct;
    call->ignore_nulls = call->ignore_nulls || expr->ignore_nulls;
    if (expr->filter != NULL) {
        NILAS_TRY(nilas_bind__condition(&inner, expr->filter, &call->filter, err));
    }
    bool takes_share = is_ordered_set(parts) && !nilas_str_is(parts->call.name, "mode");
    if (expr->order_by_count > 0 && !takes_share) {
        NILAS_TRY(bind_sort_keys(&inner, expr, &call->order_by, err));
        call->order_by_count = expr->order_by_count;
    }
    return NILAS_OK;
}

static nilas_code finish_call(nilas_bind_scope *scope, const call_parts *parts, bool ignore_nulls,
                              nilas_bound_expr **out, nilas_error *err) {
    nilas_binder *binder = scope->binder;
    const nilas_call_arguments *call = &parts->call;
    nilas_bound_expr *node = NULL;
    NILAS_TRY(nilas_bind__raw_call(binder, parts->resolved.function, call->args, call->count, &node,
                                   err));
    for (size_t i = 0; i < call->count; i++) {
        NILAS_TRY(nilas_bind__coerce(binder, call->args[i], parts->resolved.argument_types[i],
                                     &node->args[i], err));
    }
    node->type = parts->resolved.type;
    node->nullable = parts->resolved.nullable;
    node->name = call->name;
    node->offset = parts->expr->offset;
    node->ignore_nulls = ignore_nulls;
    node->shown = parts->expr->filter == NULL ? parts->shown : (nilas_str){0};
    NILAS_TRY(bind_aggregate_parts(scope, parts, node, err));
    NILAS_TRY(check_place(scope, parts->expr, node, err));
    if (parts->expr->window != NULL) {
        node->shown = (nilas_str){0};
        return nilas_bind__window(scope, parts->expr, node, out, err);
    }
    *out = node;
    return NILAS_OK;
}

nilas_code nilas_bind__call_expr(nilas_bind_scope *scope, const nilas_expr *expr,
                                 nilas_bound_expr **out, nilas_error *err) {
    nilas_binder *binder = scope->binder;
    call_parts parts = {.expr = expr, .call = {.offset = expr->offset}};
    NILAS_TRY(
        nilas_str_lower(binder->arena, expr->parts[expr->part_count - 1], &parts.call.name, err));
    if (expr->part_count == 1) {
        NILAS_TRY(nilas_bind__special(scope, expr, parts.call.name, out, err));
        if (*out != NULL) {
            return NILAS_OK;
        }
    }
    if (!nilas_function_exists(parts.call.name) && !nilas_str_is(parts.call.name, "!")) {
        return fail_unknown(scope, expr, err);
    }
    NILAS_TRY(check_named_arguments(expr, parts.call.name, err));
    bool ignore_nulls = false;
    NILAS_TRY(bind_arguments(scope, &parts, err));
    NILAS_TRY(take_ignore_nulls(&parts, &ignore_nulls, err));
    NILAS_TRY(take_ordered_set(scope, &parts, err));
    if (may_be_iceberg(parts.call.name)) {
        NILAS_TRY(check_catalog_function(scope, expr, err));
        NILAS_TRY(nilas_bind__check_iceberg_call(&parts.call, err));
    }
    nilas_call_options options = {.distinct = expr->distinct,
                                  .has_filter = expr->filter != NULL,
                                  .has_window = expr->window != NULL};
    nilas_code code = nilas_bind__resolve(binder, &parts.call, &options, &parts.resolved, err);
    if (code == NILAS_NOT_FOUND) {
        return fail_unknown(scope, expr, err);
    }
    NILAS_TRY(code);
    NILAS_TRY(check_reachable(scope, &parts, err));
    return finish_call(scope, &parts, ignore_nulls, out, err);
}
