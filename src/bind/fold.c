/*
 * The value of a constant expression: literals and casts of literals here, everything else by the
 * engine.
 */
#include "bind/expr.h"

static bool is_constant_node(void *context, const nilas_bound_expr *expr) {
    (void)context;
    switch (expr->kind) {
    case NILAS_BOUND_COLUMN:
    case NILAS_BOUND_WINDOW:
    case NILAS_BOUND_SUBQUERY:
    case NILAS_BOUND_EXISTS:
    case NILAS_BOUND_IN_QUERY: return false;
    case NILAS_BOUND_CALL: return expr->function->kind == NILAS_FUNCTION_SCALAR;
    default: return true;
    }
}

/** Literals and casts of them; false when only the engine can tell. */
static bool fold_here(const nilas_binder *binder, const nilas_bound_expr *bound, nilas_value *out) {
    if (bound->kind == NILAS_BOUND_LITERAL) {
        *out = bound->value;
        return true;
    }
    nilas_value inner = NILAS_NULL_VALUE;
    return bound->kind == NILAS_BOUND_CAST && fold_here(binder, bound->args[0], &inner) &&
           nilas_bind__cast_value(binder->arena, binder->environment->zone, &inner,
                                  bound->args[0]->type, bound->type, out);
}

nilas_code nilas_bind__fold(nilas_binder *binder, const nilas_bound_expr *bound, nilas_value *out,
                            nilas_error *err) {
    const nilas_bind_environment *environment = binder->environment;
    if (fold_here(binder, bound, out)) {
        return NILAS_OK;
    }
    if (!nilas_bind__visit(bound, is_constant_node, NULL)) {
        nilas_str text = nilas_bind__text(binder, bound);
        return nilas_fail_at(err, NILAS_INVALID, NULL, bound->offset,
                             "the expression \"%.*s\" must be a constant", NILAS_FMT(text));
    }
    NILAS_REQUIRE(environment->evaluate != NULL, err, NILAS_UNSUPPORTED,
                  "there is no engine here to evaluate a constant expression");
    return environment->evaluate(environment->context, bound, out, err);
}
