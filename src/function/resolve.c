/**
 * Resolution of a call: among the rows of a name the first that takes the arguments as they are,
 * else the first that takes them after implicit casts. Type variables are bound to the common type
 * of all arguments that show them.
 */
#include "function/resolve.h"

#include "function/coerce.h"
#include "function/precision.h"

static nilas_code try_rows(nilas_resolution *r, const nilas_function *const *rows, size_t count,
                           bool exact, bool *out_found);
static nilas_code explain(nilas_resolution *r, const nilas_function *const *rows, size_t count);
static nilas_code finish(nilas_resolution *r, nilas_call *out);

static bool is_binary(const nilas_function *const *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (rows[i]->flags & NILAS_FUNCTION_BINARY) {
            return true;
        }
    }
    return false;
}

nilas_code nilas_function_resolve(nilas_arena *stmt, nilas_str name,
                                  const nilas_argument *arguments, size_t count,
                                  const nilas_call_options *options, nilas_call *out,
                                  nilas_error *err) {
    size_t row_count = 0;
    const nilas_function *const *rows = nilas_function__rows(name, &row_count);
    if (rows == NULL) {
        return nilas_fail(err, NILAS_NOT_FOUND, "no function is named %.*s", NILAS_FMT(name));
    }
    nilas_resolution r = {.stmt = stmt,
                          .name = name,
                          .arguments = arguments,
                          .count = count,
                          .options = options,
                          .err = err};
    NILAS_NEW_ARRAY(stmt, &r.types, count, err);
    for (size_t i = 0; i < count; i++) {
        r.types[i] = arguments[i].type;
    }
    if (count == 2 && is_binary(rows, row_count)) {
        NILAS_TRY(nilas_function__promote(&r));
    }
    bool found = false;
    NILAS_TRY(try_rows(&r, rows, row_count, true, &found));
    if (!found) {
        NILAS_TRY(try_rows(&r, rows, row_count, false, &found));
    }
    return found ? finish(&r, out) : explain(&r, rows, row_count);
}

/* --- matching --- */

static bool takes_count(const nilas_resolution *r) {
    return r->count >= r->signature.least &&
           (r->count <= r->signature.count || r->signature.variadic);
}

static bool lambda_fits(const nilas_pattern *pattern, const nilas_argument *argument) {
    if ((pattern->kind == NILAS_PATTERN_LAMBDA) != (argument->lambda_arity >= 0)) {
        return false;
    }
    if (pattern->kind != NILAS_PATTERN_LAMBDA) {
        return true;
    }
    size_t least = 0;
    for (size_t i = 0; i + 1 < pattern->count; i++) {
        least += !pattern->parts[i].optional;
    }
    return (size_t)argument->lambda_arity >= least &&
           (size_t)argument->lambda_arity < pattern->count;
}

/** Whether a string would meet another type where the function does not let it. */
static bool mixes_string(const nilas_resolution *r, const nilas_type *a, const nilas_type *b) {
    bool nulls = a->kind == NILAS_TYPE_VOID || b->kind == NILAS_TYPE_VOID;
    return (r->function->flags & NILAS_FUNCTION_UNIFORM) != 0 && !nulls &&
           nilas_type_is_string(a) != nilas_type_is_string(b);
}

static nilas_code infer_variable(nilas_resolution *r, const nilas_pattern *pattern,
                                 const nilas_type *type, bool exact) {
    int slot = pattern->variable - 'A';
    if (pattern->class != NILAS_CLASS_ANY) {
        r->classes[slot] = pattern->class;
    }
    const nilas_type *bound = r->bound[slot];
    if (bound == NULL) {
        r->bound[slot] = type;
    } else if (!nilas_type_equal(bound, type)) {
        const nilas_type *common = NULL;
        if (!exact && !mixes_string(r, bound, type)) {
            NILAS_TRY(nilas_type_common(r->stmt, bound, type, r->options->ansi, &common, r->err));
        }
        r->conflict = r->conflict || common == NULL;
        r->bound[slot] = common != NULL ? common : bound;
    }
    return NILAS_OK;
}

nilas_code nilas_function__infer(nilas_resolution *r, const nilas_pattern *pattern,
                                 const nilas_type *type, bool exact) {
    if (type == NULL) {
        return NILAS_OK; // a lambda whose body is not bound yet
    }
    switch (pattern->kind) {
    case NILAS_PATTERN_VARIABLE: return infer_variable(r, pattern, type, exact);
    case NILAS_PATTERN_LAMBDA:
        return nilas_function__infer(r, &pattern->parts[pattern->count - 1], type, exact);
    case NILAS_PATTERN_ARRAY:
        return type->kind == NILAS_TYPE_ARRAY
                   ? nilas_function__infer(r, &pattern->parts[0], type->fields[0].type, exact)
                   : NILAS_OK;
    case NILAS_PATTERN_MAP:
        if (type->kind == NILAS_TYPE_MAP) {
            NILAS_TRY(nilas_function__infer(r, &pattern->parts[0], type->fields[0].type, exact));
            return nilas_function__infer(r, &pattern->parts[1], type->fields[1].type, exact);
        }
        return NILAS_OK;
    default: return NILAS_OK;
    }
}

/** The concrete type that stands for a class when an argument must be cast into it; NULL when it
 *  cannot. */
static nilas_code cast_to_class(nilas_resolution *r, nilas_type_class class, const nilas_type *type,
                                const nilas_type **out) {
    *out = NULL;
    if (nilas_function__class_has(class, type)) {
        *out = type;
        return NILAS_OK;
    }
    bool is_void = type->kind == NILAS_TYPE_VOID;
    bool is_string = nilas_type_is_string(type);
    switch (class) {
    case NILAS_CLASS_NUMERIC:
    case NILAS_CLASS_FRACTIONAL:
        *out = is_void || is_string || nilas_type_is_integral(type)
                   ? nilas_type_of(NILAS_TYPE_DOUBLE)
                   : NULL;
        return NILAS_OK;
    case NILAS_CLASS_INTEGRAL:
        *out = is_void ? nilas_type_of(NILAS_TYPE_INT) : NULL;
        return NILAS_OK;
    case NILAS_CLASS_DATETIME:
        *out = is_void || is_string ? nilas_type_of(NILAS_TYPE_TIMESTAMP) : NULL;
        return NILAS_OK;
    case NILAS_CLASS_YEAR_MONTH:
        *out = is_void ? nilas_type_of(NILAS_TYPE_INTERVAL_YEAR_MONTH) : NULL;
        return NILAS_OK;
    case NILAS_CLASS_DAY_TIME:
        *out = is_void ? nilas_type_of(NILAS_TYPE_INTERVAL_DAY_TIME) : NULL;
        return NILAS_OK;
    case NILAS_CLASS_DECIMAL: {
        nilas_precision p = nilas_function__decimal_of(type);
        return nilas_type_is_numeric(type)
                   ? nilas_type_decimal(r->stmt, p.precision, p.scale, out, r->err)
                   : NILAS_OK;
    }
    case NILAS_CLASS_ARRAY:
        return is_void ? nilas_type_array(r->stmt, type, true, out, r->err) : NILAS_OK;
    case NILAS_CLASS_MAP:
        return is_void ? nilas_type_map(r->stmt, type, type, true, out, r->err) : NILAS_OK;
    default: return NILAS_OK;
    }
}

static nilas_code conform(nilas_resolution *r, const nilas_pattern *pattern, const nilas_type *type,
                          bool exact, const nilas_type **out);

/** A number that loses digits in a smaller integer. */
static bool narrows(const nilas_type *type, const nilas_type *target) {
    return nilas_type_is_numeric(type) && nilas_type_is_integral(target) &&
           !nilas_type_can_upcast(type, target);
}

/** TypeCollection: a type that is taken as it is; else the only convertible one; else the one from
 *  which all others follow. */
static nilas_code conform_one_of(nilas_resolution *r, const nilas_pattern *pattern,
                                 const nilas_type *type, bool exact, const nilas_type **out) {
    NILAS_ARRAY_OF(const nilas_type *) found = {0};
    *out = NULL;
    for (size_t i = 0; i < pattern->count; i++) {
        NILAS_TRY(conform(r, &pattern->parts[i], type, true, out));
        if (*out != NULL || exact) {
            if (*out != NULL) {
                return NILAS_OK;
            }
            continue;
        }
    }
    for (size_t i = 0; i < pattern->count && !exact; i++) {
        const nilas_type *target;
        NILAS_TRY(conform(r, &pattern->parts[i], type, false, &target));
        if (target != NULL && !narrows(type, target)) {
            NILAS_PUSH(r->stmt, &found, target, r->err);
        }
    }
    for (size_t i = 0; i < found.count; i++) {
        bool reaches_all = true;
        for (size_t j = 0; j < found.count && type->kind != NILAS_TYPE_VOID; j++) {
            reaches_all = reaches_all &&
                          nilas_type_can_coerce(found.items[i], found.items[j], r->options->ansi);
        }
        if (reaches_all) {
            *out = found.items[i];
            return NILAS_OK;
        }
    }
    return NILAS_OK;
}

static nilas_code conform_variable(nilas_resolution *r, const nilas_pattern *pattern,
                                   const nilas_type *type, bool exact, const nilas_type **out) {
    const nilas_type *bound = r->bound[pattern->variable - 'A'];
    nilas_type_class class = r->classes[pattern->variable - 'A'];
    *out = NULL;
    if (bound == NULL) {
        *out = type;
        return NILAS_OK;
    }
    if (!nilas_function__class_has(class, bound)) {
        if (exact) {
            return NILAS_OK;
        }
        NILAS_TRY(cast_to_class(r, class, bound, &bound));
        if (bound == NULL) {
            return NILAS_OK;
        }
        r->bound[pattern->variable - 'A'] = bound;
    }
    if (exact ? nilas_type_equal(bound, type)
              : nilas_type_can_coerce(type, bound, r->options->ansi)) {
        *out = bound;
    }
    return NILAS_OK;
}

static nilas_code conform_nested(nilas_resolution *r, const nilas_pattern *pattern,
                                 const nilas_type *type, bool exact, const nilas_type **out) {
    nilas_type_kind kind = pattern->kind == NILAS_PATTERN_ARRAY ? NILAS_TYPE_ARRAY : NILAS_TYPE_MAP;
    const nilas_type *parts[2] = {NULL, NULL};
    *out = NULL;
    if (type->kind != kind && (type->kind != NILAS_TYPE_VOID || exact)) {
        return NILAS_OK;
    }
    for (size_t i = 0; i < pattern->count; i++) {
        const nilas_type *part = type->kind == kind ? type->fields[i].type : type;
        NILAS_TRY(conform(r, &pattern->parts[i], part, exact, &parts[i]));
        if (parts[i] == NULL) {
            return NILAS_OK;
        }
    }
    bool has_nulls = type->kind != kind || type->fields[pattern->count - 1].nullable;
    return kind == NILAS_TYPE_ARRAY
               ? nilas_type_array(r->stmt, parts[0], has_nulls, out, r->err)
               : nilas_type_map(r->stmt, parts[0], parts[1], has_nulls, out, r->err);
}

/** The type to which an argument of `type` is cast for a pattern; NULL when the pattern refuses it.
 *  */
static nilas_code conform(nilas_resolution *r, const nilas_pattern *pattern, const nilas_type *type,
                          bool exact, const nilas_type **out) {
    *out = NULL;
    switch (pattern->kind) {
    case NILAS_PATTERN_TYPE: {
        bool same = nilas_type_equal(type, pattern->type) ||
                    (nilas_type_is_string(type) && nilas_type_is_string(pattern->type)) ||
                    (nilas_function__class_has(NILAS_CLASS_ANSI_INTERVAL, type) &&
                     type->kind == pattern->type->kind);
        *out = same ? type
               : !exact && nilas_type_can_coerce(type, pattern->type, r->options->ansi)
                   ? pattern->type
                   : NULL;
        return NILAS_OK;
    }
    case NILAS_PATTERN_CLASS:
        if (exact) {
            *out = nilas_function__class_has(pattern->class, type) ? type : NULL;
            return NILAS_OK;
        }
        return cast_to_class(r, pattern->class, type, out);
    case NILAS_PATTERN_VARIABLE: return conform_variable(r, pattern, type, exact, out);
    case NILAS_PATTERN_ARRAY:
    case NILAS_PATTERN_MAP: return conform_nested(r, pattern, type, exact, out);
    case NILAS_PATTERN_ONE_OF: return conform_one_of(r, pattern, type, exact, out);
    case NILAS_PATTERN_LAMBDA:
    case NILAS_PATTERN_RULE: break;
    }
    return NILAS_OK;
}

/** Try the row in r->signature. On success r->types may have changed only when `targets` is
 *  complete. */
static nilas_code try_row(nilas_resolution *r, bool exact, const nilas_type **targets,
                          bool *out_fits, size_t *out_bad) {
    memset(r->bound, 0, sizeof(r->bound));
    memset(r->classes, 0, sizeof(r->classes));
    r->conflict = false;
    *out_fits = false;
    *out_bad = SIZE_MAX;
    for (size_t i = 0; i < r->count; i++) {
        const nilas_pattern *pattern = nilas_function__parameter(&r->signature, i);
        if (!lambda_fits(pattern, &r->arguments[i])) {
            *out_bad = i;
            return NILAS_OK;
        }
        NILAS_TRY(nilas_function__infer(r, pattern, r->types[i], exact));
    }
    for (size_t i = 0; i < r->count && !r->conflict; i++) {
        const nilas_pattern *pattern = nilas_function__parameter(&r->signature, i);
        targets[i] = NULL;
        if (pattern->kind == NILAS_PATTERN_LAMBDA) {
            continue;
        }
        NILAS_TRY(conform(r, pattern, r->types[i], exact, &targets[i]));
        if (targets[i] == NULL) {
            *out_bad = i;
            return NILAS_OK;
        }
    }
    *out_fits = !r->conflict;
    return NILAS_OK;
}

static bool is_real(const nilas_type *type) {
    return type->kind == NILAS_TYPE_FLOAT || type->kind == NILAS_TYPE_DOUBLE;
}

/** A function that takes its arguments as they are, beside nulls. */
static bool casts_inexactly(const nilas_resolution *r, const nilas_type *const *targets) {
    bool exact = (r->function->flags & NILAS_FUNCTION_EXACT) != 0;
    for (size_t i = 0; exact && i < r->count; i++) {
        if (r->types[i]->kind != NILAS_TYPE_VOID && !nilas_type_equal(r->types[i], targets[i])) {
            return true;
        }
    }
    return false;
}

/** A binary operator was promoted already: beyond that, only nulls and numbers are cast. */
static bool casts_operands_wrongly(const nilas_resolution *r, const nilas_type *const *targets) {
    if ((r->function->flags & NILAS_FUNCTION_BINARY) == 0 || r->count != 2) {
        return false;
    }
    bool numbers = nilas_type_is_numeric(r->types[0]) && nilas_type_is_numeric(r->types[1]);
    for (size_t i = 0; i < r->count; i++) {
        if (r->types[i]->kind != NILAS_TYPE_VOID && !numbers &&
            !nilas_type_equal(r->types[i], targets[i])) {
            return true;
        }
        if (is_real(r->types[i]) && !is_real(targets[i])) {
            return true;
        }
    }
    return false;
}

static nilas_code try_rows(nilas_resolution *r, const nilas_function *const *rows, size_t count,
                           bool exact, bool *out_found) {
    const nilas_type **targets;
    NILAS_NEW_ARRAY(r->stmt, &targets, r->count, r->err);
    for (size_t i = 0; i < count; i++) {
        size_t bad;
        r->function = rows[i];
        NILAS_TRY(
            nilas_function__parse_signature(r->stmt, rows[i]->signature, &r->signature, r->err));
        if (!takes_count(r)) {
            continue;
        }
        NILAS_TRY(try_row(r, exact, targets, out_found, &bad));
        *out_found =
            *out_found && !casts_operands_wrongly(r, targets) && !casts_inexactly(r, targets);
        if (*out_found) {
            r->types = targets;
            return NILAS_OK;
        }
    }
    return NILAS_OK;
}

/* --- result --- */

static bool default_nullable(const nilas_resolution *r) {
    int flags = r->function->flags;
    if (flags & NILAS_FUNCTION_NEVER_NULL) {
        return false;
    }
    if (flags & NILAS_FUNCTION_ALWAYS_NULLABLE || r->function->kind == NILAS_FUNCTION_AGGREGATE) {
        return true;
    }
    for (size_t i = 0; i < r->count; i++) {
        if (r->arguments[i].nullable && r->arguments[i].lambda_arity < 0) {
            return true;
        }
    }
    return false;
}

nilas_code nilas_function__substitute(nilas_resolution *r, const nilas_pattern *pattern,
                                      const nilas_type **out) {
    const nilas_type *first, *second;
    switch (pattern->kind) {
    case NILAS_PATTERN_TYPE: *out = pattern->type; return NILAS_OK;
    case NILAS_PATTERN_VARIABLE: {
        const nilas_type *bound = r->bound[pattern->variable - 'A'];
        *out = bound != NULL ? bound : nilas_type_of(NILAS_TYPE_VOID);
        return NILAS_OK;
    }
    case NILAS_PATTERN_ARRAY:
        NILAS_TRY(nilas_function__substitute(r, &pattern->parts[0], &first));
        return nilas_type_array(r->stmt, first, true, out, r->err);
    case NILAS_PATTERN_MAP:
        NILAS_TRY(nilas_function__substitute(r, &pattern->parts[0], &first));
        NILAS_TRY(nilas_function__substitute(r, &pattern->parts[1], &second));
        return nilas_type_map(r->stmt, first, second, true, out, r->err);
    default:
        return nilas_fail(r->err, NILAS_CORRUPT, "signature \"%s\": not a result",
                          r->function->signature);
    }
}

static nilas_code finish(nilas_resolution *r, nilas_call *out) {
    r->nullable = default_nullable(r);
    if (r->signature.result.kind == NILAS_PATTERN_RULE) {
        NILAS_TRY(nilas_function__apply_rule(r, r->signature.result.rule));
    } else {
        NILAS_TRY(nilas_function__substitute(r, &r->signature.result, &r->type));
    }
    nilas_assert(r->type != NULL);
    *out = (nilas_call){.function = r->function,
                        .argument_types = r->types,
                        .type = r->type,
                        .nullable = r->nullable};
    return NILAS_OK;
}

/* --- why not --- */

static nilas_code explain(nilas_resolution *r, const nilas_function *const *rows, size_t count) {
    const nilas_type **targets;
    NILAS_NEW_ARRAY(r->stmt, &targets, r->count, r->err);
    for (size_t i = 0; i < count; i++) {
        bool fits;
        size_t bad;
        r->function = rows[i];
        NILAS_TRY(
            nilas_function__parse_signature(r->stmt, rows[i]->signature, &r->signature, r->err));
        if (!takes_count(r)) {
            continue;
        }
        if (rows[i]->flags & NILAS_FUNCTION_BINARY && r->count == 2) {
            return nilas_function__fail_binary(r);
        }
        NILAS_TRY(try_row(r, false, targets, &fits, &bad));
        bad = fits && casts_inexactly(r, targets) ? 0 : bad;
        return r->conflict || bad == SIZE_MAX
                   ? nilas_function__fail_different(r)
                   : nilas_function__fail_argument(r, bad,
                                                   nilas_function__parameter(&r->signature, bad));
    }
    return nilas_function__fail_count(r, rows, count);
}

/* --- lambdas --- */

static nilas_code lambda_parameters(nilas_resolution *r, size_t index, const nilas_type **out_types,
                                    bool *out_nullable, bool *out_found) {
    const nilas_pattern *pattern = nilas_function__parameter(&r->signature, index);
    *out_found = false;
    if (pattern == NULL || !lambda_fits(pattern, &r->arguments[index]) ||
        pattern->kind != NILAS_PATTERN_LAMBDA) {
        return NILAS_OK;
    }
    memset(r->bound, 0, sizeof(r->bound));
    for (size_t i = 0; i < r->count; i++) {
        const nilas_pattern *parameter = nilas_function__parameter(&r->signature, i);
        if (r->arguments[i].lambda_arity < 0) {
            NILAS_TRY(nilas_function__infer(r, parameter, r->arguments[i].type, false));
        }
    }
    for (int i = 0; i < r->arguments[index].lambda_arity; i++) {
        NILAS_TRY(nilas_function__substitute(r, &pattern->parts[i], &out_types[i]));
        out_nullable[i] = pattern->parts[i].kind == NILAS_PATTERN_VARIABLE;
    }
    *out_found = true;
    return NILAS_OK;
}

nilas_code nilas_function_lambda_parameters(nilas_arena *stmt, nilas_str name,
                                            const nilas_argument *arguments, size_t count,
                                            size_t index, const nilas_type **out_types,
                                            bool *out_nullable, nilas_error *err) {
    size_t row_count = 0;
    const nilas_function *const *rows = nilas_function__rows(name, &row_count);
    const nilas_call_options options = {.ansi = true, .offset = arguments[index].offset};
    nilas_resolution r = {.stmt = stmt,
                          .name = name,
                          .arguments = arguments,
                          .count = count,
                          .options = &options,
                          .err = err};
    for (size_t i = 0; i < row_count; i++) {
        bool found;
        r.function = rows[i];
        NILAS_TRY(nilas_function__parse_signature(stmt, rows[i]->signature, &r.signature, err));
        if (!takes_count(&r)) {
            continue;
        }
        NILAS_TRY(lambda_parameters(&r, index, out_types, out_nullable, &found));
        if (found) {
            return NILAS_OK;
        }
    }
    return nilas_fail_at(err, NILAS_INVALID,
                         "INVALID_LAMBDA_FUNCTION_CALL.NON_HIGHER_ORDER_FUNCTION",
                         arguments[index].offset,
                         "Invalid lambda function call. A lambda function should only be used in a "
                         "higher order function. However, its "
                         "class is %.*s, which is not a higher order function.",
                         NILAS_FMT(name));
}
