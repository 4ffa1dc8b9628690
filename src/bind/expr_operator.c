/*
 * Operators. Each becomes a call of the function of its symbol; NOT_EQ is NOT of =, IS TRUE is
 * <=> true, BETWEEN is two comparisons, LIKE ANY an OR of LIKEs. What Spark shows in another way
 * than what is bound here is remembered in `shown`.
 */
#include "bind/expr.h"

static const char *symbol_of(nilas_operator op) {
    switch (op) {
    case NILAS_OP_OR: return "or";
    case NILAS_OP_AND: return "and";
    case NILAS_OP_EQ: return "=";
    case NILAS_OP_NULL_SAFE_EQ: return "<=>";
    case NILAS_OP_LT: return "<";
    case NILAS_OP_LT_EQ: return "<=";
    case NILAS_OP_GT: return ">";
    case NILAS_OP_GT_EQ: return ">=";
    case NILAS_OP_ADD: return "+";
    case NILAS_OP_SUBTRACT: return "-";
    case NILAS_OP_MULTIPLY: return "*";
    case NILAS_OP_DIVIDE: return "/";
    case NILAS_OP_MODULO: return "%";
    case NILAS_OP_DIV: return "div";
    case NILAS_OP_BIT_AND: return "&";
    case NILAS_OP_BIT_OR: return "|";
    case NILAS_OP_BIT_XOR: return "^";
    case NILAS_OP_SHIFT_LEFT: return "<<";
    case NILAS_OP_SHIFT_RIGHT: return ">>";
    case NILAS_OP_SHIFT_RIGHT_UNSIGNED: return ">>>";
    case NILAS_OP_CONCAT: return "||";
    default: return NULL;
    }
}

nilas_code nilas_bind__not(nilas_binder *binder, nilas_bound_expr *expr, int32_t offset,
                           nilas_bound_expr **out, nilas_error *err) {
    return nilas_bind__call(binder, "not", &expr, 1, offset, out, err);
}

nilas_code nilas_bind__unary(nilas_bind_scope *scope, const nilas_expr *expr,
                             nilas_bound_expr **out, nilas_error *err) {
    nilas_bound_expr *arg = NULL;
    NILAS_TRY(nilas_bind__expr(scope, expr->args[0], &arg, err));
    switch (expr->op) {
    case NILAS_OP_NOT: return nilas_bind__not(scope->binder, arg, expr->offset, out, err);
    case NILAS_OP_NEGATE:
        return nilas_bind__call(scope->binder, "-", &arg, 1, expr->offset, out, err);
    case NILAS_OP_PLUS:
        return nilas_bind__call(scope->binder, "+", &arg, 1, expr->offset, out, err);
    default: return nilas_bind__call(scope->binder, "~", &arg, 1, expr->offset, out, err);
    }
}

// ---- a whole number against a decimal literal ------------------------------------------------

/** How `op` rounds a literal on its right: 1 up, -1 down, 0 not a comparison of order. */
static int rounding_of(nilas_operator op, bool literal_is_left) {
    switch (op) {
    case NILAS_OP_GT:
    case NILAS_OP_LT_EQ: return literal_is_left ? 1 : -1;
    case NILAS_OP_GT_EQ:
    case NILAS_OP_LT: return literal_is_left ? -1 : 1;
    default: return 0;
    }
}

/** As Spark: i > 1.1 is i > 1, i >= 1.1 is i >= 2. The literal becomes a bigint. */
static nilas_code round_literal(nilas_binder *binder, nilas_operator op, nilas_bound_expr **args,
                                nilas_error *err) {
    for (size_t i = 0; i < 2; i++) {
        const nilas_bound_expr *literal = args[i];
        if (!nilas_bind__is_literal(literal) || literal->value.kind != NILAS_VALUE_DECIMAL ||
            !nilas_type_is_integral(args[1 - i]->type)) {
            continue;
        }
        int rounding = rounding_of(op, i == 0);
        nilas_int128 unit = nilas_power_of_ten(literal->value.scale);
        nilas_int128 whole = literal->value.decimal / unit;
        nilas_int128 rest = literal->value.decimal % unit;
        whole += rounding > 0 && rest > 0 ? 1 : rounding < 0 && rest < 0 ? -1 : 0;
        if (rounding == 0 || whole > INT64_MAX || whole < INT64_MIN) {
            return NILAS_OK;
        }
        nilas_value value = nilas_value_of_int((int64_t)whole);
        int32_t offset = literal->offset;
        NILAS_TRY(
            nilas_bind__literal(binder, nilas_type_of(NILAS_TYPE_BIGINT), &value, &args[i], err));
        args[i]->offset = offset;
        return NILAS_OK;
    }
    return NILAS_OK;
}

static nilas_code compare(nilas_binder *binder, nilas_operator op, nilas_bound_expr *const *pair,
                          int32_t offset, nilas_bound_expr **out, nilas_error *err) {
    nilas_bound_expr *args[2] = {pair[0], pair[1]};
    NILAS_TRY(round_literal(binder, op, args, err));
    return nilas_bind__call(binder, symbol_of(op), args, 2, offset, out, err);
}

static bool is_days(const nilas_type *type) {
    return type->kind == NILAS_TYPE_INTERVAL_DAY_TIME && type->from_unit == NILAS_UNIT_DAY &&
           type->to_unit == NILAS_UNIT_DAY;
}

/** A date and an interval of whole days show as a call of date_add. */
static nilas_code name_day_sum(nilas_binder *binder, nilas_operator op,
                               nilas_bound_expr *const *args, nilas_bound_expr *sum,
                               nilas_error *err) {
    bool first = nilas_type_is(args[0]->type, NILAS_TYPE_DATE) && is_days(args[1]->type);
    bool second = nilas_type_is(args[1]->type, NILAS_TYPE_DATE) && is_days(args[0]->type);
    if ((op != NILAS_OP_ADD && op != NILAS_OP_SUBTRACT) || (!first && !second)) {
        return NILAS_OK;
    }
    nilas_str date = nilas_bind__text(binder, args[first ? 0 : 1]);
    nilas_str days = nilas_bind__text(binder, args[first ? 1 : 0]);
    bool minus = op == NILAS_OP_SUBTRACT;
    return nilas_str_print(binder->arena, &sum->shown, err,
                           "date_add(%.*s, %sextractansiintervaldays(%.*s)%s)", NILAS_FMT(date),
                           minus ? "(- " : "", NILAS_FMT(days), minus ? ")" : "");
}

nilas_code nilas_bind__binary(nilas_bind_scope *scope, const nilas_expr *expr,
                              nilas_bound_expr **out, nilas_error *err) {
    nilas_binder *binder = scope->binder;
    nilas_bound_expr *args[2] = {0};
    if (expr->op == NILAS_OP_VARIANT_GET) {
        return nilas_fail_at(err, NILAS_UNSUPPORTED, NULL, expr->offset,
                             "values of type VARIANT are not supported yet");
    }
    NILAS_TRY(nilas_bind__expr(scope, expr->args[0], &args[0], err));
    NILAS_TRY(nilas_bind__expr(scope, expr->args[1], &args[1], err));
    if (expr->op == NILAS_OP_NOT_EQ) {
        nilas_bound_expr *equal = NULL;
        NILAS_TRY(compare(binder, NILAS_OP_EQ, args, expr->offset, &equal, err));
        return nilas_bind__not(binder, equal, expr->offset, out, err);
    }
    nilas_assert(symbol_of(expr->op) != NULL);
    NILAS_TRY(compare(binder, expr->op, args, expr->offset, out, err));
    return name_day_sum(binder, expr->op, args, *out, err);
}

// ---- BETWEEN, IN -----------------------------------------------------------------------------

nilas_code nilas_bind__between(nilas_bind_scope *scope, const nilas_expr *expr,
                               nilas_bound_expr **out, nilas_error *err) {
    nilas_binder *binder = scope->binder;
    nilas_bound_expr **args = NULL;
    nilas_bound_expr *value = NULL;
    nilas_bound_expr *parts[2] = {0};
    NILAS_TRY(nilas_bind__exprs(scope, expr->args, 3, &args, err));
    NILAS_TRY(nilas_bind__copy(binder->arena, args[0], &value, err));
    nilas_str texts[3] = {nilas_bind__text(binder, args[0]), nilas_bind__text(binder, args[1]),
                          nilas_bind__text(binder, args[2])};
    nilas_bound_expr *upper[2] = {value, args[2]};
    NILAS_TRY(compare(binder, NILAS_OP_GT_EQ, args, expr->offset, &parts[0], err));
    NILAS_TRY(compare(binder, NILAS_OP_LT_EQ, upper, expr->offset, &parts[1], err));
    nilas_bound_expr *both = NULL;
    NILAS_TRY(nilas_bind__call(binder, "and", parts, 2, expr->offset, &both, err));
    NILAS_TRY(nilas_str_print(binder->arena, &both->shown, err, "between(%.*s, %.*s, %.*s)",
                              NILAS_FMT(texts[0]), NILAS_FMT(texts[1]), NILAS_FMT(texts[2])));
    if (expr->negated) {
        return nilas_bind__not(binder, both, expr->offset, out, err);
    }
    *out = both;
    return NILAS_OK;
}

static nilas_code fail_in_types(nilas_binder *binder, nilas_bound_expr *const *args, size_t count,
                                int32_t offset, nilas_error *err) {
    NILAS_AUTO_BUF types = {0};
    NILAS_AUTO_BUF text = {0};
    for (size_t i = 0; i < count && types.size < 600; i++) {
        nilas_buf_add_text(&types, i > 0 ? ", \"" : "\"");
        nilas_type_print_sql(&types, args[i]->type);
        nilas_buf_add_char(&types, '"');
        nilas_str shown = nilas_bind__text(binder, args[i]);
        nilas_buf_print(&text, "%s%.*s", i == 0 ? "(" : i == 1 ? " IN (" : ", ", NILAS_FMT(shown));
    }
    nilas_str whole = nilas_buf_view(&text);
    nilas_str list = nilas_buf_view(&types);
    return nilas_fail_at(
        err, NILAS_INVALID, "DATATYPE_MISMATCH.DATA_DIFF_TYPES", offset,
        "Cannot resolve \"%.*s))\" due to data type mismatch: Input to `in` should all be the "
        "same type, but it's [%.*s].",
        NILAS_FMT(whole), NILAS_FMT(list));
}

static nilas_code in_common_type(nilas_binder *binder, nilas_bound_expr *const *args, size_t count,
                                 const nilas_type **out, nilas_error *err) {
    const nilas_type *common = args[0]->type;
    for (size_t i = 1; i < count && common != NULL; i++) {
        if (!nilas_type_equal(common, args[i]->type)) {
            const nilas_type *next = NULL;
            NILAS_TRY(nilas_type_common(binder->arena, common, args[i]->type,
                                        binder->environment->ansi, &next, err));
            common = next;
        }
    }
    *out = common;
    return NILAS_OK;
}

nilas_code nilas_bind__in(nilas_bind_scope *scope, const nilas_expr *expr, nilas_bound_expr **out,
                          nilas_error *err) {
    nilas_binder *binder = scope->binder;
    nilas_bound_expr **args = NULL;
    const nilas_type *common = NULL;
    nilas_bound_expr *in = NULL;
    NILAS_TRY(nilas_bind__exprs(scope, expr->args, expr->arg_count, &args, err));
    NILAS_TRY(in_common_type(binder, args, expr->arg_count, &common, err));
    if (common == NULL) {
        return fail_in_types(binder, args, expr->arg_count, expr->offset, err);
    }
    for (size_t i = 0; i < expr->arg_count; i++) {
        NILAS_TRY(nilas_bind__coerce(binder, args[i], common, &args[i], err));
    }
    NILAS_TRY(nilas_bind__call(binder, "in", args, expr->arg_count, expr->offset, &in, err));
    if (expr->negated) {
        return nilas_bind__not(binder, in, expr->offset, out, err);
    }
    *out = in;
    return NILAS_OK;
}

// ---- LIKE ------------------------------------------------------------------------------------

static nilas_code like_one(nilas_binder *binder, const nilas_expr *expr, nilas_bound_expr *value,
                           nilas_bound_expr *pattern, nilas_bound_expr **out, nilas_error *err) {
    nilas_bound_expr *args[3] = {value, pattern, NULL};
    size_t count = 2;
    const char *name = expr->op == NILAS_OP_RLIKE   ? "rlike"
                       : expr->op == NILAS_OP_ILIKE ? "ilike"
                                                    : "like";
    if (expr->escape.data != NULL && expr->op != NILAS_OP_RLIKE) {
        if (nilas_str_codepoints(expr->escape) != 1) {
            return nilas_fail_at(
                err, NILAS_INVALID, "INVALID_ESCAPE_CHAR", expr->offset,
                "`EscapeChar` should be a string literal of length one, but got \"%.*s\".",
                NILAS_FMT(expr->escape));
        }
        NILAS_TRY(nilas_bind__string_literal(binder, expr->escape, &args[2], err));
        count = 3;
    }
    return nilas_bind__call(binder, name, args, count, expr->offset, out, err);
}

/** value LIKE ANY|ALL (p, …): with literals Spark names them likeany, likeall, notlikeany,
 *  notlikeall of the value. */
static nilas_code like_many(nilas_bind_scope *scope, const nilas_expr *expr,
                            nilas_bound_expr **args, nilas_bound_expr **out, nilas_error *err) {
    nilas_binder *binder = scope->binder;
    bool is_any = expr->quantifier == NILAS_QUANTIFIER_ANY;
    nilas_bound_expr *all = NULL;
    NILAS_AUTO_BUF text = {0};
    nilas_buf_print(&text, "%s%s(", expr->negated ? "notlike" : "like", is_any ? "any" : "all");
    bool literals = true;
    for (size_t i = 1; i < expr->arg_count; i++) {
        literals = literals && nilas_bind__is_literal(args[i]);
    }
    nilas_bind__print_shown(&text, binder, args[0]);
    nilas_buf_add_char(&text, ')');
    for (size_t i = 1; i < expr->arg_count; i++) {
        nilas_bound_expr *value = NULL;
        nilas_bound_expr *one = NULL;
        NILAS_TRY(nilas_bind__copy(binder->arena, args[0], &value, err));
        NILAS_TRY(like_one(binder, expr, value, args[i], &one, err));
        if (expr->negated) {
            NILAS_TRY(nilas_bind__not(binder, one, expr->offset, &one, err));
        }
        nilas_bound_expr *pair[2] = {all, one};
        if (all == NULL) {
            all = one;
        } else {
            NILAS_TRY(
                nilas_bind__call(binder, is_any ? "or" : "and", pair, 2, expr->offset, &all, err));
        }
    }
    nilas_assert(all != NULL);
    *out = all;
    return literals ? nilas_buf_finish(&text, binder->arena, &all->shown, err) : NILAS_OK;
}

nilas_code nilas_bind__like(nilas_bind_scope *scope, const nilas_expr *expr, nilas_bound_expr **out,
                            nilas_error *err) {
    nilas_bound_expr **args = NULL;
    NILAS_TRY(nilas_bind__exprs(scope, expr->args, expr->arg_count, &args, err));
    if (expr->quantifier != NILAS_QUANTIFIER_NONE) {
        return like_many(scope, expr, args, out, err);
    }
    nilas_bound_expr *like = NULL;
    NILAS_TRY(like_one(scope->binder, expr, args[0], args[1], &like, err));
    if (expr->negated) {
        return nilas_bind__not(scope->binder, like, expr->offset, out, err);
    }
    *out = like;
    return NILAS_OK;
}

// ---- IS --------------------------------------------------------------------------------------

static const char *is_function(const nilas_expr *expr) {
    switch (expr->op) {
    case NILAS_OP_IS_TRUE: return "is true";
    case NILAS_OP_IS_FALSE: return "is false";
    case NILAS_OP_IS_UNKNOWN: return "is unknown";
    case NILAS_OP_IS_DISTINCT: return "<=>";
    default: return expr->negated ? "isnotnull" : "isnull";
    }
}

nilas_code nilas_bind__is(nilas_bind_scope *scope, const nilas_expr *expr, nilas_bound_expr **out,
                          nilas_error *err) {
    nilas_bound_expr **args = NULL;
    nilas_bound_expr *result = NULL;
    NILAS_TRY(nilas_bind__exprs(scope, expr->args, expr->arg_count, &args, err));
    NILAS_TRY(nilas_bind__call(scope->binder, is_function(expr), args, expr->arg_count,
                               expr->offset, &result, err));
    bool is_null = expr->op == NILAS_OP_IS_NULL;
    bool is_distinct = expr->op == NILAS_OP_IS_DISTINCT; // IS NOT DISTINCT FROM is <=>
    if (is_null || expr->negated == is_distinct) {
        *out = result;
        return NILAS_OK;
    }
    return nilas_bind__not(scope->binder, result, expr->offset, out, err);
}
