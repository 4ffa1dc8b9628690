/*
 * Lambdas, in two steps: the function room says the types of the parameters from the arguments
 * that are bound, then the body is bound in a scope where the parameters come first.
 */
#include "bind/expr.h"

static nilas_code check_names(const nilas_expr *lambda, nilas_error *err) {
    for (size_t i = 0; i < lambda->part_count; i++) {
        for (size_t k = i + 1; k < lambda->part_count; k++) {
            if (nilas_str_equal_nocase(lambda->parts[i], lambda->parts[k])) {
                return nilas_fail_at(
                    err, NILAS_INVALID, "INVALID_LAMBDA_FUNCTION_CALL.DUPLICATE_ARG_NAMES",
                    lambda->offset,
                    "Invalid lambda function call. The lambda function has duplicate arguments "
                    "`%.*s`. Please, consider to rename the argument names or set "
                    "\"spark.sql.caseSensitive\" to \"true\".",
                    NILAS_FMT(lambda->parts[k]));
            }
        }
    }
    return NILAS_OK;
}

nilas_code nilas_bind__lambda(nilas_bind_scope *scope, const nilas_expr *lambda,
                              nilas_call_arguments *call, size_t index, nilas_error *err) {
    nilas_binder *binder = scope->binder;
    size_t arity = lambda->part_count;
    const nilas_type **types = NULL;
    bool *nullable = NULL;
    nilas_bound_expr *node = NULL;
    NILAS_TRY(check_names(lambda, err));
    NILAS_NEW_ARRAY(binder->arena, &types, arity + 1, err);
    NILAS_NEW_ARRAY(binder->arena, &nullable, arity + 1, err);
    NILAS_TRY(nilas_function_lambda_parameters(binder->arena, call->name, call->arguments,
                                               call->count, index, types, nullable, err));
    NILAS_TRY(nilas_bind__node(binder, NILAS_BOUND_LAMBDA, lambda->offset, &node, err));
    NILAS_NEW_ARRAY(binder->arena, &node->parameter_ids, arity, err);
    NILAS_NEW_ARRAY(binder->arena, &node->args, 1, err);
    node->parameter_count = arity;
    node->arg_count = 1;
    for (size_t i = 0; i < arity; i++) {
        node->parameter_ids[i] = binder->next_id++;
    }
    nilas_lambda_frame frame = {.names = lambda->parts,
                                .ids = node->parameter_ids,
                                .types = types,
                                .nullable = nullable,
                                .count = arity,
                                .outer = scope->lambda};
    nilas_bind_scope inner = *scope;
    inner.lambda = &frame;
    NILAS_TRY(nilas_bind__expr(&inner, lambda->args[0], &node->args[0], err));
    node->type = node->args[0]->type;
    node->nullable = node->args[0]->nullable;
    call->args[index] = node;
    call->arguments[index] = (nilas_argument){.type = node->type,
                                              .nullable = node->nullable,
                                              .lambda_arity = (int)arity,
                                              .offset = lambda->offset};
    return NILAS_OK;
}
