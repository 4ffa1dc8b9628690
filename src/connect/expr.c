/** Expressions of plans to expressions of the tree: one function a kind. */
#include "connect/plan.h"

nilas_code nilas_connect__new_expr(nilas_connect__plan *plan, nilas_expr_kind kind,
                                   size_t arg_count, nilas_expr **out) {
    NILAS_TRY(nilas_expr_new(plan->stmt, kind, -1, out, plan->err));
    NILAS_NEW_ARRAY(plan->stmt, &(*out)->args, arg_count, plan->err);
    (*out)->arg_count = arg_count;
    return NILAS_OK;
}

nilas_code nilas_connect__column(nilas_connect__plan *plan, nilas_str *parts, size_t count,
                                 nilas_expr **out) {
    NILAS_TRY(nilas_connect__new_expr(plan, NILAS_EXPR_COLUMN, 0, out));
    (*out)->parts = parts;
    (*out)->part_count = count;
    return NILAS_OK;
}

nilas_code nilas_connect__exprs(nilas_connect__plan *plan, Sc__Expression *const *messages,
                                size_t count, nilas_expr ***out) {
    NILAS_NEW_ARRAY(plan->stmt, out, count, plan->err);
    for (size_t i = 0; i < count; i++) {
        NILAS_TRY(nilas_connect__expr(plan, messages[i], &(*out)[i]));
    }
    return NILAS_OK;
}

// ---- names --------------------------------------------------------------------------------------

static nilas_code attribute(nilas_connect__plan *plan,
                            const Sc__Expression__UnresolvedAttribute *message, nilas_expr **out) {
    nilas_str *parts;
    size_t count;
    NILAS_TRY(nilas_connect__attribute_name(plan, nilas_connect__text(message->unparsed_identifier),
                                            &parts, &count));
    NILAS_TRY(nilas_connect__column(plan, parts, count, out));
    if (message->_plan_id_case != SC__EXPRESSION__UNRESOLVED_ATTRIBUTE___PLAN_ID__NOT_SET) {
        (*out)->plan_id = nilas_connect__frame_id(message->plan_id);
    }
    (*out)->is_metadata = message->_is_metadata_column_case !=
                              SC__EXPRESSION__UNRESOLVED_ATTRIBUTE___IS_METADATA_COLUMN__NOT_SET &&
                          message->is_metadata_column;
    return NILAS_OK;
}

static nilas_code star(nilas_connect__plan *plan, const Sc__Expression__UnresolvedStar *message,
                       nilas_expr **out) {
    NILAS_TRY(nilas_connect__new_expr(plan, NILAS_EXPR_STAR, 0, out));
    if (message->_plan_id_case != SC__EXPRESSION__UNRESOLVED_STAR___PLAN_ID__NOT_SET) {
        (*out)->plan_id = nilas_connect__frame_id(message->plan_id);
    }
    if (message->_unparsed_target_case ==
        SC__EXPRESSION__UNRESOLVED_STAR___UNPARSED_TARGET__NOT_SET) {
        return NILAS_OK;
    }
    nilas_str target = nilas_connect__text(message->unparsed_target);
    NILAS_REQUIRE(nilas_str_ends(target, NILAS_STR(".*")), plan->err, NILAS_INVALID,
                  "UnresolvedStar requires a unparsed target ending with '.*', but got %.*s.",
                  NILAS_FMT(target));
    return nilas_connect__attribute_name(plan, nilas_str_slice(target, 0, target.size - 2),
                                         &(*out)->parts, &(*out)->part_count);
}

static nilas_code regex(nilas_connect__plan *plan, const Sc__Expression__UnresolvedRegex *message,
                        nilas_expr **out) {
    nilas_str text = nilas_connect__text(message->col_name);
    int64_t plan_id = message->_plan_id_case != SC__EXPRESSION__UNRESOLVED_REGEX___PLAN_ID__NOT_SET
                          ? nilas_connect__frame_id(message->plan_id)
                          : 0;
    bool quoted = text.size >= 2 && text.data[0] == '`' && text.data[text.size - 1] == '`';
    if (!quoted) { // a plain name, or `t`.`regex`
        nilas_str *parts;
        size_t count;
        NILAS_TRY(nilas_connect__attribute_name(plan, text, &parts, &count));
        NILAS_TRY(nilas_connect__column(plan, parts, count, out));
        (*out)->plan_id = plan_id;
        return NILAS_OK;
    }
    NILAS_TRY(nilas_connect__new_expr(plan, NILAS_EXPR_REGEX, 0, out));
    (*out)->value = nilas_value_of_str(nilas_str_slice(text, 1, text.size - 2));
    (*out)->plan_id = plan_id;
    return NILAS_OK;
}

nilas_code nilas_connect__alias(nilas_connect__plan *plan, const Sc__Expression__Alias *message,
                                nilas_expr **out) {
    nilas_expr *alias;
    if (message->n_name == 0) {
        return nilas_connect__missing(plan, "name of an alias");
    }
    NILAS_TRY(nilas_connect__new_expr(plan, NILAS_EXPR_ALIAS, 1, &alias));
    NILAS_TRY(nilas_connect__expr(plan, message->expr, &alias->args[0]));
    NILAS_TRY(nilas_connect__texts(plan, message->name, message->n_name, &alias->parts));
    alias->part_count = message->n_name;
    if (message->_metadata_case != SC__EXPRESSION__ALIAS___METADATA__NOT_SET) {
        nilas_type_field field = {0};
        NILAS_TRY(nilas_session_comment_of(plan->stmt, nilas_connect__text(message->metadata),
                                           &field, plan->err));
        if (field.has_comment) {
            alias->value = nilas_value_of_str(field.comment);
        }
    }
    *out = alias;
    return NILAS_OK;
}

// ---- the kinds ----------------------------------------------------------------------------------

static nilas_code expression_string(nilas_connect__plan *plan,
                                    const Sc__Expression__ExpressionString *message,
                                    nilas_expr **out) {
    return nilas_sql_parse_expr(plan->stmt, nilas_connect__text(message->expression),
                                &plan->options, out, plan->err);
}

static nilas_code cast(nilas_connect__plan *plan, const Sc__Expression__Cast *message,
                       nilas_expr **out) {
    nilas_expr *expr;
    NILAS_TRY(nilas_connect__new_expr(plan, NILAS_EXPR_CAST, 1, &expr));
    NILAS_TRY(nilas_connect__expr(plan, message->expr, &expr->args[0]));
    expr->op = message->eval_mode == SC__EXPRESSION__CAST__EVAL_MODE__EVAL_MODE_TRY
                   ? NILAS_OP_TRY_CAST
                   : NILAS_OP_CAST;
    switch (message->cast_to_type_case) {
    case SC__EXPRESSION__CAST__CAST_TO_TYPE_TYPE:
        NILAS_TRY(nilas_connect__type(plan, message->type, &expr->type));
        break;
    case SC__EXPRESSION__CAST__CAST_TO_TYPE_TYPE_STR:
        NILAS_TRY(nilas_sql_parse_type(plan->stmt, nilas_connect__text(message->type_str),
                                       &expr->type, plan->err));
        break;
    default: return nilas_connect__missing(plan, "type of a cast");
    }
    *out = expr;
    return NILAS_OK;
}

nilas_code nilas_connect__sort_order(nilas_connect__plan *plan,
                                     const Sc__Expression__SortOrder *message, nilas_expr **out) {
    nilas_expr *sort;
    if (message == NULL) {
        return nilas_connect__missing(plan, "sort key");
    }
    NILAS_TRY(nilas_connect__new_expr(plan, NILAS_EXPR_SORT, 1, &sort));
    NILAS_TRY(nilas_connect__expr(plan, message->child, &sort->args[0]));
    sort->descending =
        message->direction == SC__EXPRESSION__SORT_ORDER__SORT_DIRECTION__SORT_DIRECTION_DESCENDING;
    sort->has_nulls_order =
        message->null_ordering != SC__EXPRESSION__SORT_ORDER__NULL_ORDERING__SORT_NULLS_UNSPECIFIED;
    sort->nulls_first =
        message->null_ordering == SC__EXPRESSION__SORT_ORDER__NULL_ORDERING__SORT_NULLS_FIRST;
    *out = sort;
    return NILAS_OK;
}

nilas_code nilas_connect__sort_orders(nilas_connect__plan *plan,
                                      Sc__Expression__SortOrder *const *messages, size_t count,
                                      nilas_expr ***out) {
    NILAS_NEW_ARRAY(plan->stmt, out, count, plan->err);
    for (size_t i = 0; i < count; i++) {
        NILAS_TRY(nilas_connect__sort_order(plan, messages[i], &(*out)[i]));
    }
    return NILAS_OK;
}

static nilas_code variable(nilas_connect__plan *plan,
                           const Sc__Expression__UnresolvedNamedLambdaVariable *message,
                           nilas_expr **out) {
    nilas_str *parts;
    if (message->n_name_parts == 0) {
        return nilas_connect__missing(plan, "name of a lambda's variable");
    }
    NILAS_TRY(nilas_connect__texts(plan, message->name_parts, message->n_name_parts, &parts));
    return nilas_connect__column(plan, parts, message->n_name_parts, out);
}

static nilas_code lambda(nilas_connect__plan *plan, const Sc__Expression__LambdaFunction *message,
                         nilas_expr **out) {
    nilas_expr *expr;
    NILAS_TRY(nilas_connect__new_expr(plan, NILAS_EXPR_LAMBDA, 1, &expr));
    NILAS_TRY(nilas_connect__expr(plan, message->function, &expr->args[0]));
    NILAS_NEW_ARRAY(plan->stmt, &expr->parts, message->n_arguments, plan->err);
    for (size_t i = 0; i < message->n_arguments; i++) {
        const Sc__Expression__UnresolvedNamedLambdaVariable *argument = message->arguments[i];
        if (argument->n_name_parts != 1) {
            return nilas_connect__missing(plan, "name of a lambda's variable");
        }
        expr->parts[i] = nilas_connect__text(argument->name_parts[0]);
    }
    expr->part_count = message->n_arguments;
    *out = expr;
    return NILAS_OK;
}

static nilas_code extract_value(nilas_connect__plan *plan,
                                const Sc__Expression__UnresolvedExtractValue *message,
                                nilas_expr **out) {
    nilas_expr *expr;
    NILAS_TRY(nilas_connect__new_expr(plan, NILAS_EXPR_SUBSCRIPT, 2, &expr));
    NILAS_TRY(nilas_connect__expr(plan, message->child, &expr->args[0]));
    NILAS_TRY(nilas_connect__expr(plan, message->extraction, &expr->args[1]));
    *out = expr;
    return NILAS_OK;
}

static nilas_code update_fields(nilas_connect__plan *plan,
                                const Sc__Expression__UpdateFields *message, nilas_expr **out) {
    nilas_expr *expr;
    bool sets = message->value_expression != NULL;
    NILAS_TRY(nilas_connect__new_expr(plan, NILAS_EXPR_UPDATE_FIELD, sets ? 2 : 1, &expr));
    NILAS_TRY(nilas_connect__expr(plan, message->struct_expression, &expr->args[0]));
    if (sets) {
        NILAS_TRY(nilas_connect__expr(plan, message->value_expression, &expr->args[1]));
    }
    NILAS_TRY(nilas_connect__attribute_name(plan, nilas_connect__text(message->field_name),
                                            &expr->parts, &expr->part_count));
    *out = expr;
    return NILAS_OK;
}

static nilas_code refuse_user_code(nilas_connect__plan *plan, const char *name) {
    nilas_code code = nilas_fail_at(
        plan->err, NILAS_UNSUPPORTED, "UNSUPPORTED_FEATURE", -1,
        "The user-defined function `%s` cannot run here: nilas has no Python or JVM workers.",
        name != NULL ? name : "");
    if (plan->err != NULL) {
        plan->err->hint = "say it with built-in functions, or send the program to a Spark cluster";
    }
    return code;
}

static nilas_code refused_kind(nilas_connect__plan *plan, const Sc__Expression *message) {
    switch (message->expr_type_case) {
    case SC__EXPRESSION__EXPR_TYPE_COMMON_INLINE_USER_DEFINED_FUNCTION:
        return refuse_user_code(plan, message->common_inline_user_defined_function->function_name);
    case SC__EXPRESSION__EXPR_TYPE_TYPED_AGGREGATE_EXPRESSION:
        return refuse_user_code(plan, "typed aggregate");
    case SC__EXPRESSION__EXPR_TYPE_DIRECT_SHUFFLE_PARTITION_ID:
        return nilas_connect__refuse(plan, "repartitionById()");
    case SC__EXPRESSION__EXPR_TYPE_MERGE_ACTION:
        return nilas_fail(plan->err, NILAS_INVALID, "an action of MERGE stands outside a merge");
    case SC__EXPRESSION__EXPR_TYPE_NAMED_ARGUMENT_EXPRESSION:
        return nilas_fail(plan->err, NILAS_INVALID,
                          "the named argument \"%s\" stands outside a call",
                          message->named_argument_expression->key);
    case SC__EXPRESSION__EXPR_TYPE_EXTENSION:
        return nilas_connect__refuse(plan, "An extension of the protocol");
    default: return nilas_connect__missing(plan, "kind of an expression");
    }
}

nilas_code nilas_connect__expr(nilas_connect__plan *plan, const Sc__Expression *message,
                               nilas_expr **out) {
    // every kind is a message, so that one test serves all
    if (message == NULL || message->expr_type_case == SC__EXPRESSION__EXPR_TYPE__NOT_SET ||
        message->literal == NULL) {
        return nilas_connect__missing(plan, "expression");
    }
    switch (message->expr_type_case) {
    case SC__EXPRESSION__EXPR_TYPE_LITERAL:
        return nilas_connect__literal(plan, message->literal, out);
    case SC__EXPRESSION__EXPR_TYPE_UNRESOLVED_ATTRIBUTE:
        return attribute(plan, message->unresolved_attribute, out);
    case SC__EXPRESSION__EXPR_TYPE_UNRESOLVED_FUNCTION:
        return nilas_connect__function(plan, message->unresolved_function, out);
    case SC__EXPRESSION__EXPR_TYPE_EXPRESSION_STRING:
        return expression_string(plan, message->expression_string, out);
    case SC__EXPRESSION__EXPR_TYPE_UNRESOLVED_STAR:
        return star(plan, message->unresolved_star, out);
    case SC__EXPRESSION__EXPR_TYPE_ALIAS: return nilas_connect__alias(plan, message->alias, out);
    case SC__EXPRESSION__EXPR_TYPE_CAST: return cast(plan, message->cast, out);
    case SC__EXPRESSION__EXPR_TYPE_UNRESOLVED_REGEX:
        return regex(plan, message->unresolved_regex, out);
    case SC__EXPRESSION__EXPR_TYPE_SORT_ORDER:
        return nilas_connect__sort_order(plan, message->sort_order, out);
    case SC__EXPRESSION__EXPR_TYPE_LAMBDA_FUNCTION:
        return lambda(plan, message->lambda_function, out);
    case SC__EXPRESSION__EXPR_TYPE_WINDOW: return nilas_connect__window(plan, message->window, out);
    case SC__EXPRESSION__EXPR_TYPE_UNRESOLVED_EXTRACT_VALUE:
        return extract_value(plan, message->unresolved_extract_value, out);
    case SC__EXPRESSION__EXPR_TYPE_UPDATE_FIELDS:
        return update_fields(plan, message->update_fields, out);
    case SC__EXPRESSION__EXPR_TYPE_UNRESOLVED_NAMED_LAMBDA_VARIABLE:
        return variable(plan, message->unresolved_named_lambda_variable, out);
    case SC__EXPRESSION__EXPR_TYPE_CALL_FUNCTION:
        return nilas_connect__call_function(plan, message->call_function, out);
    case SC__EXPRESSION__EXPR_TYPE_SUBQUERY_EXPRESSION:
        return nilas_connect__subquery(plan, message->subquery_expression, out);
    default: return refused_kind(plan, message);
    }
}
