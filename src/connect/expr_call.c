/**
 * Calls: functions by name. What SQL writes as an operator or in a form of its own (a = b, CASE,
 * IN, LIKE) comes as a call too, and becomes that form.
 */
#include "connect/plan.h"

// ---- operators ----------------------------------------------------------------------------------

static const struct {
    const char *name;
    size_t arg_count;
    nilas_operator op;
} operators[] = {
    {"==", 2, NILAS_OP_EQ},
    {"=", 2, NILAS_OP_EQ},
    {"<=>", 2, NILAS_OP_NULL_SAFE_EQ},
    {"!=", 2, NILAS_OP_NOT_EQ},
    {"<>", 2, NILAS_OP_NOT_EQ},
    {"<", 2, NILAS_OP_LT},
    {"<=", 2, NILAS_OP_LT_EQ},
    {">", 2, NILAS_OP_GT},
    {">=", 2, NILAS_OP_GT_EQ},
    {"+", 2, NILAS_OP_ADD},
    {"-", 2, NILAS_OP_SUBTRACT},
    {"*", 2, NILAS_OP_MULTIPLY},
    {"/", 2, NILAS_OP_DIVIDE},
    {"%", 2, NILAS_OP_MODULO},
    {"div", 2, NILAS_OP_DIV},
    {"and", 2, NILAS_OP_AND},
    {"or", 2, NILAS_OP_OR},
    {"&", 2, NILAS_OP_BIT_AND},
    {"|", 2, NILAS_OP_BIT_OR},
    {"^", 2, NILAS_OP_BIT_XOR},
    {"||", 2, NILAS_OP_CONCAT},
    {"<<", 2, NILAS_OP_SHIFT_LEFT},
    {">>", 2, NILAS_OP_SHIFT_RIGHT},
    {">>>", 2, NILAS_OP_SHIFT_RIGHT_UNSIGNED},
    {"not", 1, NILAS_OP_NOT},
    {"!", 1, NILAS_OP_NOT},
    {"~", 1, NILAS_OP_BIT_NOT},
    {"-", 1, NILAS_OP_NEGATE},
    {"+", 1, NILAS_OP_PLUS},
};

static nilas_operator find_operator(nilas_str name, size_t arg_count) {
    for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
        if (operators[i].arg_count == arg_count && nilas_str_is_nocase(name, operators[i].name)) {
            return operators[i].op;
        }
    }
    return NILAS_OP_NONE;
}

// ---- forms --------------------------------------------------------------------------------------

/** A call whose arguments are translated. */
typedef struct form {
    nilas_connect__plan *plan;
    nilas_str name;
    nilas_expr **args;
    size_t count;
} form;

static nilas_code as_kind(const form *f, nilas_expr_kind kind, nilas_expr **out) {
    NILAS_TRY(nilas_connect__new_expr(f->plan, kind, 0, out));
    (*out)->args = f->args;
    (*out)->arg_count = f->count;
    return NILAS_OK;
}

/* when(condition, value, …[, else]): an odd count has an else. */
static nilas_code case_when(const form *f, nilas_expr **out) {
    NILAS_TRY(as_kind(f, NILAS_EXPR_CASE, out));
    (*out)->has_else = f->count % 2 == 1;
    return NILAS_OK;
}

static nilas_code in_list(const form *f, nilas_expr **out) {
    return as_kind(f, NILAS_EXPR_IN, out);
}

/* like(value, pattern[, escape]) and its kin. */
static nilas_code like(const form *f, nilas_expr **out) {
    nilas_expr *expr;
    NILAS_TRY(as_kind(f, NILAS_EXPR_LIKE, &expr));
    expr->op = nilas_str_is_nocase(f->name, "like")    ? NILAS_OP_LIKE
               : nilas_str_is_nocase(f->name, "ilike") ? NILAS_OP_ILIKE
                                                       : NILAS_OP_RLIKE;
    if (f->count == 3) {
        const nilas_expr *escape = f->args[2];
        bool is_text =
            escape->kind == NILAS_EXPR_LITERAL && escape->value.kind == NILAS_VALUE_STRING;
        NILAS_REQUIRE(is_text && nilas_str_codepoints(escape->value.text) == 1, f->plan->err,
                      NILAS_INVALID, "the escape of LIKE must be one character");
        expr->escape = escape->value.text;
        expr->arg_count = 2;
    }
    *out = expr;
    return NILAS_OK;
}

/* A column of the query around: names that are not found inside are looked up there anyway. */
static nilas_code outer(const form *f, nilas_expr **out) {
    *out = f->args[0];
    return NILAS_OK;
}

static const struct {
    const char *name;
    size_t min_count, max_count;
    nilas_code (*make)(const form *f, nilas_expr **out);
} forms[] = {
    {"when", 2, SIZE_MAX, case_when},
    {"in", 1, SIZE_MAX, in_list},
    {"like", 2, 3, like},
    {"ilike", 2, 3, like},
    {"rlike", 2, 2, like},
    {"outer", 1, 1, outer},
};

// ---- plain calls --------------------------------------------------------------------------------

static bool is_bool_literal(const nilas_expr *expr, bool *value) {
    if (expr->kind != NILAS_EXPR_LITERAL || expr->value.kind != NILAS_VALUE_BOOL) {
        return false;
    }
    *value = expr->value.boolean;
    return true;
}

/* nth_value(x, n, true) and lag(x, n, default, true): the last argument is IGNORE NULLS. */
static void take_ignore_nulls(nilas_expr *call) {
    nilas_str name = call->parts[0];
    bool value;
    bool nth = nilas_str_is_nocase(name, "nth_value") && call->arg_count == 3;
    bool shift = (nilas_str_is_nocase(name, "lag") || nilas_str_is_nocase(name, "lead")) &&
                 call->arg_count == 4;
    if ((nth || shift) && is_bool_literal(call->args[call->arg_count - 1], &value)) {
        call->ignore_nulls = value;
        call->arg_count--;
    }
}

/* The unit of timestampadd(unit, n, t) is a word of the grammar: upper case in the tree. */
static nilas_code raise_unit(nilas_connect__plan *plan, nilas_expr *call) {
    static const char *const names[] = {"timestampadd", "timestampdiff", "dateadd",
                                        "datediff",     "date_diff",     "date_add"};
    nilas_expr *unit = call->arg_count == 3 ? call->args[0] : NULL;
    if (unit == NULL || unit->kind != NILAS_EXPR_LITERAL ||
        unit->value.kind != NILAS_VALUE_STRING) {
        return NILAS_OK;
    }
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (nilas_str_is_nocase(call->parts[0], names[i])) {
            return nilas_str_upper(plan->stmt, unit->value.text, &unit->value.text, plan->err);
        }
    }
    return NILAS_OK;
}

/* from_json, from_csv and from_xml take their schema as JSON too, which SQL does not. */
static nilas_code schema_as_ddl(nilas_connect__plan *plan, nilas_expr *call) {
    static const char *const names[] = {"from_json", "from_csv", "from_xml"};
    bool found = false;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !found; i++) {
        found = nilas_str_is_nocase(call->parts[0], names[i]);
    }
    nilas_expr *schema = found && call->arg_count >= 2 ? call->args[1] : NULL;
    if (schema == NULL || schema->kind != NILAS_EXPR_LITERAL ||
        schema->value.kind != NILAS_VALUE_STRING) {
        return NILAS_OK;
    }
    nilas_str text = nilas_str_trim(schema->value.text);
    if (text.size == 0 || (text.data[0] != '{' && text.data[0] != '"')) {
        return NILAS_OK;
    }
    const nilas_type *type;
    NILAS_AUTO_BUF ddl = NILAS_BUF_INIT(0);
    NILAS_TRY(nilas_connect__type_of_text(plan->stmt, text, &type, plan->err));
    nilas_type_print_sql(&ddl, type);
    return nilas_buf_finish(&ddl, plan->stmt, &schema->value.text, plan->err);
}

nilas_code nilas_connect__call_args(nilas_connect__plan *plan, Sc__Expression *const *messages,
                                    size_t count, nilas_expr ***out, nilas_str **out_names) {
    nilas_expr **args;
    nilas_str *names = NULL;
    NILAS_NEW_ARRAY(plan->stmt, &args, count, plan->err);
    for (size_t i = 0; i < count; i++) {
        const Sc__Expression *message = messages[i];
        const Sc__NamedArgumentExpression *named =
            message->expr_type_case == SC__EXPRESSION__EXPR_TYPE_NAMED_ARGUMENT_EXPRESSION
                ? message->named_argument_expression
                : NULL;
        if (named != NULL) {
            if (names == NULL) {
                NILAS_NEW_ARRAY(plan->stmt, &names, count, plan->err);
            }
            names[i] = nilas_connect__text(named->key);
            message = named->value;
        }
        NILAS_TRY(nilas_connect__expr(plan, message, &args[i]));
    }
    *out = args;
    *out_names = names;
    return NILAS_OK;
}

static nilas_code make_call(nilas_connect__plan *plan, nilas_str *parts, size_t part_count,
                            nilas_expr **out) {
    NILAS_TRY(nilas_connect__new_expr(plan, NILAS_EXPR_CALL, 0, out));
    (*out)->parts = parts;
    (*out)->part_count = part_count;
    return NILAS_OK;
}

nilas_code nilas_connect__call_function(nilas_connect__plan *plan, const Sc__CallFunction *message,
                                        nilas_expr **out) {
    nilas_str *parts;
    size_t count;
    nilas_expr *call;
    NILAS_TRY(nilas_connect__table_name(plan, message->function_name, &parts, &count));
    NILAS_TRY(make_call(plan, parts, count, &call));
    NILAS_TRY(nilas_connect__call_args(plan, message->arguments, message->n_arguments, &call->args,
                                       &call->arg_names));
    call->arg_count = message->n_arguments;
    *out = call;
    return NILAS_OK;
}

static nilas_code plain_call(nilas_connect__plan *plan,
                             const Sc__Expression__UnresolvedFunction *message, nilas_expr **out) {
    nilas_expr *call;
    nilas_str *parts;
    NILAS_NEW(plan->stmt, &parts, plan->err);
    parts[0] = nilas_connect__text(message->function_name);
    NILAS_TRY(make_call(plan, parts, 1, &call));
    if (message->is_user_defined_function) {
        NILAS_TRY(nilas_connect__table_name(plan, message->function_name, &call->parts,
                                            &call->part_count));
    }
    NILAS_TRY(nilas_connect__call_args(plan, message->arguments, message->n_arguments, &call->args,
                                       &call->arg_names));
    call->arg_count = message->n_arguments;
    call->distinct = message->is_distinct;
    take_ignore_nulls(call);
    NILAS_TRY(raise_unit(plan, call));
    NILAS_TRY(schema_as_ddl(plan, call));
    *out = call;
    return NILAS_OK;
}

nilas_code nilas_connect__function(nilas_connect__plan *plan,
                                   const Sc__Expression__UnresolvedFunction *message,
                                   nilas_expr **out) {
    form f = {.plan = plan,
              .name = nilas_connect__text(message->function_name),
              .count = message->n_arguments};
    if (f.name.size == 0) {
        return nilas_connect__missing(plan, "name of a function");
    }
    nilas_operator op = find_operator(f.name, f.count);
    if (op != NILAS_OP_NONE) {
        NILAS_TRY(nilas_connect__exprs(plan, message->arguments, f.count, &f.args));
        NILAS_TRY(as_kind(&f, f.count == 2 ? NILAS_EXPR_BINARY : NILAS_EXPR_UNARY, out));
        (*out)->op = op;
        return NILAS_OK;
    }
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        if (nilas_str_is_nocase(f.name, forms[i].name) && f.count >= forms[i].min_count &&
            f.count <= forms[i].max_count) {
            NILAS_TRY(nilas_connect__exprs(plan, message->arguments, f.count, &f.args));
            return forms[i].make(&f, out);
        }
    }
    return plain_call(plan, message, out);
}
