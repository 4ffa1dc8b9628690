/*
 * Conditions to Iceberg predicates, so that planning can leave files out: weaker or equal, never
 * wrong.
 *
 * convert() gives a predicate that holds wherever the condition is true; NOT is carried inward
 * first, so that "weaker" keeps its direction. What cannot be said is left out of an AND and
 * gives up an OR. The engine filters the rows anyway; only files, and answers from metadata when
 * the predicate is exact, depend on this.
 */
#include "bind/pushdown.h"

static nilas_code convert(const nilas_push *push, const nilas_bound_expr *expr, bool negated,
                          nilas_pushed *out, nilas_error *err);

static bool is_named(const nilas_bound_expr *call, const char *a, const char *b) {
    return strcmp(call->function->name, a) == 0 || strcmp(call->function->name, b) == 0;
}

// ---- comparisons -----------------------------------------------------------------------------

static bool comparison_kind(const char *name, nilas_predicate_kind *out) {
    static const struct {
        const char *name;
        nilas_predicate_kind kind;
    } kinds[] = {{"=", NILAS_PREDICATE_EQ},      {"==", NILAS_PREDICATE_EQ},
                 {"<", NILAS_PREDICATE_LT},      {"<=", NILAS_PREDICATE_LT_EQ},
                 {">", NILAS_PREDICATE_GT},      {">=", NILAS_PREDICATE_GT_EQ},
                 {"<>", NILAS_PREDICATE_NOT_EQ}, {"!=", NILAS_PREDICATE_NOT_EQ}};
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strcmp(name, kinds[i].name) == 0) {
            *out = kinds[i].kind;
            return true;
        }
    }
    return false;
}

static nilas_predicate_kind opposite(nilas_predicate_kind kind) {
    switch (kind) {
    case NILAS_PREDICATE_LT: return NILAS_PREDICATE_GT_EQ;
    case NILAS_PREDICATE_LT_EQ: return NILAS_PREDICATE_GT;
    case NILAS_PREDICATE_GT: return NILAS_PREDICATE_LT_EQ;
    case NILAS_PREDICATE_GT_EQ: return NILAS_PREDICATE_LT;
    case NILAS_PREDICATE_EQ: return NILAS_PREDICATE_NOT_EQ;
    default: return NILAS_PREDICATE_EQ;
    }
}

static nilas_predicate_kind mirrored(nilas_predicate_kind kind) {
    switch (kind) {
    case NILAS_PREDICATE_LT: return NILAS_PREDICATE_GT;
    case NILAS_PREDICATE_LT_EQ: return NILAS_PREDICATE_GT_EQ;
    case NILAS_PREDICATE_GT: return NILAS_PREDICATE_LT;
    case NILAS_PREDICATE_GT_EQ: return NILAS_PREDICATE_LT_EQ;
    default: return kind;
    }
}

static nilas_code convert_comparison(const nilas_push *push, const nilas_bound_expr *call,
                                     nilas_predicate_kind kind, nilas_pushed *out,
                                     nilas_error *err) {
    if (nilas_bind__is_literal(call->args[0])) {
        return nilas_push__compare(push, mirrored(kind), call->args[1], call->args[0], out, err);
    }
    return nilas_push__compare(push, kind, call->args[0], call->args[1], out, err);
}

// ---- nulls -----------------------------------------------------------------------------------

static nilas_code convert_null(const nilas_push *push, const nilas_bound_expr *arg, bool is_null,
                               nilas_pushed *out, nilas_error *err) {
    nilas_term term = {0};
    if (!nilas_push__term(push, arg, &term) || term.has_transform ||
        nilas_ice_is_nested(term.type)) {
        return NILAS_OK;
    }
    if (!is_null) {
        return nilas_push__not_null(push, &term, true, out, err);
    }
    if (term.field->required && term.in_optional) {
        return NILAS_OK; // null where a struct around it is, though the field itself says "never"
    }
    return nilas_push__leaf(push, NILAS_PREDICATE_IS_NULL, &term, NULL, out, err);
}

/** a <=> literal: as =, but a null literal asks for null, and its negation takes null in. */
static nilas_code convert_null_safe(const nilas_push *push, const nilas_bound_expr *call,
                                    bool negated, nilas_pushed *out, nilas_error *err) {
    bool left = nilas_bind__is_literal(call->args[0]);
    const nilas_bound_expr *literal = call->args[left ? 0 : 1];
    const nilas_bound_expr *side = call->args[left ? 1 : 0];
    nilas_pushed different = {0};
    nilas_pushed null = {0};
    if (!nilas_bind__is_literal(literal)) {
        return NILAS_OK;
    }
    if (nilas_value_is_null(&literal->value)) {
        return convert_null(push, side, !negated, out, err);
    }
    if (!negated) {
        return nilas_push__compare(push, NILAS_PREDICATE_EQ, side, literal, out, err);
    }
    NILAS_TRY(nilas_push__compare(push, NILAS_PREDICATE_NOT_EQ, side, literal, &different, err));
    NILAS_TRY(convert_null(push, side, true, &null, err));
    return nilas_push__or(push, different, null, out, err);
}

// ---- IN --------------------------------------------------------------------------------------

/** One IN of the values whose = is a plain EQ of the same term; others join by OR. */
static nilas_code convert_in_list(const nilas_push *push, const nilas_bound_expr *call,
                                  nilas_pushed *out, nilas_error *err) {
    nilas_value *values = NULL;
    size_t count = 0;
    nilas_pushed others = {0};
    nilas_term term = {0};
    NILAS_NEW_ARRAY(push->arena, &values, call->arg_count, err);
    NILAS_TRY(nilas_push__constant(push, false, &others, err));
    for (size_t i = 1; i < call->arg_count; i++) {
        nilas_pushed one = {0};
        NILAS_TRY(
            nilas_push__compare(push, NILAS_PREDICATE_EQ, call->args[0], call->args[i], &one, err));
        if (one.predicate == NULL) {
            return NILAS_OK;
        }
        if (one.predicate->kind == NILAS_PREDICATE_EQ) {
            values[count++] = one.predicate->literals[0];
        } else {
            NILAS_TRY(nilas_push__or(push, others, one, &others, err));
        }
    }
    const nilas_bound_expr *side = call->args[0];
    if (!nilas_push__term(push, side->kind == NILAS_BOUND_CAST ? side->args[0] : side, &term)) {
        return NILAS_OK;
    }
    if (count == 0) {
        *out = others;
        return NILAS_OK;
    }
    nilas_pushed in = {0};
    NILAS_TRY(nilas_push__in(push, &term, values, count, &in, err));
    return nilas_push__or(push, in, others, out, err);
}

/** NOT IN: not null, and none of the values that the column can have. */
static nilas_code convert_not_in(const nilas_push *push, const nilas_bound_expr *call,
                                 nilas_pushed *out, nilas_error *err) {
    nilas_pushed all = {0};
    NILAS_TRY(nilas_push__constant(push, true, &all, err));
    for (size_t i = 1; i < call->arg_count; i++) {
        nilas_pushed one = {0};
        if (nilas_bind__is_literal(call->args[i]) && nilas_value_is_null(&call->args[i]->value)) {
            return nilas_push__constant(push, false, out, err);
        }
        NILAS_TRY(nilas_push__compare(push, NILAS_PREDICATE_NOT_EQ, call->args[0], call->args[i],
                                      &one, err));
        NILAS_TRY(nilas_push__and(push, all, one, &all, err));
    }
    *out = all;
    return NILAS_OK;
}

static nilas_code convert_in(const nilas_push *push, const nilas_bound_expr *call, bool negated,
                             nilas_pushed *out, nilas_error *err) {
    for (size_t i = 1; i < call->arg_count; i++) {
        if (!nilas_bind__is_literal(call->args[i])) {
            return NILAS_OK;
        }
    }
    if (!negated) {
        return convert_in_list(push, call, out, err);
    }
    if (call->arg_count > 33) { // a long chain of <> prunes nothing
        return NILAS_OK;
    }
    return convert_not_in(push, call, out, err);
}

// ---- patterns --------------------------------------------------------------------------------

typedef struct pattern_prefix {
    nilas_str text;
    bool is_all;   // the pattern has no wildcard
    bool then_any; // exactly one "%" follows, and nothing else
    bool valid;
} pattern_prefix;

static nilas_code read_prefix(const nilas_push *push, nilas_str pattern, char escape,
                              pattern_prefix *out, nilas_error *err) {
    NILAS_AUTO_BUF text = {0};
    size_t i = 0;
    *out = (pattern_prefix){.valid = true};
    for (; i < pattern.size && pattern.data[i] != '%' && pattern.data[i] != '_'; i++) {
        if (pattern.data[i] == escape) {
            char next = i + 1 < pattern.size ? pattern.data[i + 1] : '\0';
            if (next != '%' && next != '_' && next != escape) {
                out->valid = false; // the engine raises the error
                return NILAS_OK;
            }
            i++;
        }
        nilas_buf_add_char(&text, pattern.data[i]);
    }
    out->is_all = i == pattern.size;
    out->then_any = i + 1 == pattern.size && pattern.data[i] == '%';
    return nilas_buf_finish(&text, push->arena, &out->text, err);
}

static nilas_code push_prefix(const nilas_push *push, const nilas_term *term,
                              const pattern_prefix *prefix, bool negated, nilas_pushed *out,
                              nilas_error *err) {
    nilas_value value = nilas_value_of_str(prefix->text);
    nilas_pushed not_null = {0};
    nilas_pushed other = {0};
    if (prefix->is_all) {
        return nilas_push__compare_value(
            push, negated ? NILAS_PREDICATE_NOT_EQ : NILAS_PREDICATE_EQ, term, &value, out, err);
    }
    if (negated && !prefix->then_any) {
        return NILAS_OK;
    }
    if (prefix->text.size == 0) {
        return negated ? nilas_push__constant(push, false, out, err)
                       : nilas_push__not_null(push, term, prefix->then_any, out, err);
    }
    if (!negated) {
        NILAS_TRY(nilas_push__leaf(push, NILAS_PREDICATE_STARTS_WITH, term, &value, out, err));
        out->exact = prefix->then_any;
        return NILAS_OK;
    }
    NILAS_TRY(nilas_push__not_null(push, term, true, &not_null, err));
    NILAS_TRY(nilas_push__leaf(push, NILAS_PREDICATE_NOT_STARTS_WITH, term, &value, &other, err));
    return nilas_push__and(push, not_null, other, out, err);
}

static nilas_code convert_like(const nilas_push *push, const nilas_bound_expr *call, bool is_like,
                               bool negated, nilas_pushed *out, nilas_error *err) {
    nilas_term term = {0};
    pattern_prefix prefix = {.valid = true, .then_any = true};
    const nilas_bound_expr *pattern = call->args[1];
    char escape = '\\';
    if (!nilas_push__term(push, call->args[0], &term) || term.type->kind != NILAS_ICE_STRING ||
        term.has_transform || call->args[0]->type->collation.size > 0 ||
        !nilas_bind__is_literal(pattern) || pattern->value.kind != NILAS_VALUE_STRING) {
        return NILAS_OK;
    }
    if (call->arg_count == 3) {
        const nilas_bound_expr *given = call->args[2];
        if (!nilas_bind__is_literal(given) || given->value.kind != NILAS_VALUE_STRING ||
            given->value.text.size != 1) {
            return NILAS_OK;
        }
        escape = given->value.text.data[0];
    }
    if (!is_like) {
        prefix.text = pattern->value.text;
    } else {
        NILAS_TRY(read_prefix(push, pattern->value.text, escape, &prefix, err));
    }
    return prefix.valid ? push_prefix(push, &term, &prefix, negated, out, err) : NILAS_OK;
}

static nilas_code convert_nan(const nilas_push *push, const nilas_bound_expr *arg, bool negated,
                              nilas_pushed *out, nilas_error *err) {
    nilas_term term = {0};
    bool is_cast =
        arg->kind == NILAS_BOUND_CAST && nilas_type_is(arg->args[0]->type, NILAS_TYPE_FLOAT);
    if (!nilas_push__term(push, is_cast ? arg->args[0] : arg, &term) ||
        (term.type->kind != NILAS_ICE_FLOAT && term.type->kind != NILAS_ICE_DOUBLE)) {
        return NILAS_OK;
    }
    if (negated) {
        return NILAS_OK; // isnan(null) is false, so NOT isnan takes nulls in
    }
    return nilas_push__leaf(push, NILAS_PREDICATE_IS_NAN, &term, NULL, out, err);
}

// ---- logic -----------------------------------------------------------------------------------

static nilas_code convert_pair(const nilas_push *push, const nilas_bound_expr *call, bool negated,
                               nilas_pushed *out, nilas_error *err) {
    nilas_pushed left = {0};
    nilas_pushed right = {0};
    bool is_and = strcmp(call->function->name, "and") == 0;
    NILAS_TRY(convert(push, call->args[0], negated, &left, err));
    NILAS_TRY(convert(push, call->args[1], negated, &right, err));
    return is_and != negated ? nilas_push__and(push, left, right, out, err)
                             : nilas_push__or(push, left, right, out, err);
}

/** x IS TRUE, x IS FALSE, x IS UNKNOWN. Their negations take null in, which x alone cannot say. */
static nilas_code convert_is(const nilas_push *push, const nilas_bound_expr *call, bool negated,
                             nilas_pushed *out, nilas_error *err) {
    const nilas_bound_expr *arg = call->args[0];
    if (strcmp(call->function->name, "is unknown") == 0) {
        return convert_null(push, arg, !negated, out, err);
    }
    if (negated) {
        return NILAS_OK;
    }
    return convert(push, arg, strcmp(call->function->name, "is false") == 0, out, err);
}

static nilas_code convert_call(const nilas_push *push, const nilas_bound_expr *call, bool negated,
                               nilas_pushed *out, nilas_error *err) {
    nilas_predicate_kind kind = NILAS_PREDICATE_TRUE;
    if (is_named(call, "and", "or")) {
        return convert_pair(push, call, negated, out, err);
    }
    if (is_named(call, "not", "!")) {
        return convert(push, call->args[0], !negated, out, err);
    }
    if (comparison_kind(call->function->name, &kind)) {
        return convert_comparison(push, call, negated ? opposite(kind) : kind, out, err);
    }
    if (is_named(call, "<=>", "equal_null")) {
        return convert_null_safe(push, call, negated, out, err);
    }
    if (is_named(call, "isnull", "isnotnull")) {
        bool is_null = strcmp(call->function->name, "isnull") == 0;
        return convert_null(push, call->args[0], is_null != negated, out, err);
    }
    if (is_named(call, "in", "in")) {
        return convert_in(push, call, negated, out, err);
    }
    if (is_named(call, "like", "startswith")) {
        bool is_like = strcmp(call->function->name, "like") == 0;
        return convert_like(push, call, is_like, negated, out, err);
    }
    if (is_named(call, "isnan", "isnan")) {
        return convert_nan(push, call->args[0], negated, out, err);
    }
    if (strncmp(call->function->name, "is ", 3) == 0) {
        return convert_is(push, call, negated, out, err);
    }
    return NILAS_OK;
}

static nilas_code convert(const nilas_push *push, const nilas_bound_expr *expr, bool negated,
                          nilas_pushed *out, nilas_error *err) {
    nilas_term term = {0};
    *out = (nilas_pushed){0};
    if (expr->kind == NILAS_BOUND_LITERAL) {
        bool is_true = expr->value.kind == NILAS_VALUE_BOOL && expr->value.boolean != negated;
        return nilas_push__constant(push, is_true, out, err);
    }
    if (expr->kind == NILAS_BOUND_CALL && expr->function->kind == NILAS_FUNCTION_SCALAR) {
        return convert_call(push, expr, negated, out, err);
    }
    if (nilas_type_is(expr->type, NILAS_TYPE_BOOLEAN) && nilas_push__term(push, expr, &term) &&
        term.type->kind == NILAS_ICE_BOOLEAN && !term.has_transform) {
        nilas_value value = nilas_value_of_bool(!negated);
        return nilas_push__compare_value(push, NILAS_PREDICATE_EQ, &term, &value, out, err);
    }
    return NILAS_OK;
}

nilas_code nilas_bind__pushdown(nilas_arena *arena, const nilas_bound_expr *condition,
                                const nilas_pushdown_input *input, nilas_predicate **out,
                                bool *exact, nilas_error *err) {
    nilas_push push = {.arena = arena, .input = input};
    nilas_pushed pushed = {0};
    if (input->scan->metadata_table == NILAS_METADATA_NONE) {
        NILAS_TRY(convert(&push, condition, false, &pushed, err));
    }
    *out = pushed.predicate;
    *exact = pushed.exact;
    return NILAS_OK;
}
