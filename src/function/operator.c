/**
 * Binary operators: what the two operands become before rows are matched. A string meets the other
 * side (ANSI: a number as bigint or double), numbers widen, an integer beside a decimal becomes a
 * decimal, a literal one the smallest.
 */
#include "function/coerce.h"
#include "function/precision.h"
#include "function/resolve.h"

static bool is_arithmetic(nilas_str name) {
    static const char *const names[] = {"+",
                                        "-",
                                        "*",
                                        "/",
                                        "%",
                                        "div",
                                        "mod",
                                        "pmod",
                                        "try_add",
                                        "try_subtract",
                                        "try_multiply",
                                        "try_divide",
                                        "try_mod"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (nilas_str_is_nocase(name, names[i])) {
            return true;
        }
    }
    return false;
}

static bool is_time(const nilas_type *t) {
    return nilas_function__class_has(NILAS_CLASS_DATETIME, t) ||
           nilas_function__class_has(NILAS_CLASS_ANSI_INTERVAL, t) ||
           t->kind == NILAS_TYPE_INTERVAL;
}

/** The other operand's type is what the string becomes. */
static nilas_code promote_string(nilas_resolution *r, size_t string_index, bool arithmetic) {
    const nilas_type *other = r->types[1 - string_index];
    const nilas_type *target = NULL;
    if (r->options->ansi) {
        target = nilas_function__common_with_string(other, true);
    } else if (arithmetic && !is_time(other)) {
        target = nilas_type_of(NILAS_TYPE_DOUBLE);
    } else {
        target = other->kind == NILAS_TYPE_DECIMAL ? nilas_type_of(NILAS_TYPE_DOUBLE) : other;
    }
    if (target == NULL || target->field_count > 0) {
        return NILAS_OK;
    }
    r->types[string_index] = target;
    if (nilas_type_is_numeric(target)) {
        r->types[1 - string_index] = target;
    }
    return NILAS_OK;
}

/** An integral operand beside a decimal. */
static nilas_code promote_to_decimal(nilas_resolution *r, size_t index) {
    const nilas_value *constant = r->arguments[index].constant;
    bool literal = constant != NULL && constant->kind == NILAS_VALUE_INT;
    nilas_precision p = literal ? nilas_function__decimal_of_literal(constant->integer)
                                : nilas_function__decimal_of(r->types[index]);
    return nilas_type_decimal(r->stmt, p.precision, p.scale, &r->types[index], r->err);
}

static nilas_code promote_numbers(nilas_resolution *r) {
    bool first = r->types[0]->kind == NILAS_TYPE_DECIMAL;
    bool second = r->types[1]->kind == NILAS_TYPE_DECIMAL;
    if (first && second) {
        return NILAS_OK; // each keeps its precision: the result's follows from both
    }
    if ((first || second) && nilas_type_is_integral(r->types[first ? 1 : 0])) {
        return promote_to_decimal(r, first ? 1 : 0);
    }
    const nilas_type *common;
    NILAS_TRY(nilas_function__common_tight(r->stmt, r->types[0], r->types[1], r->options->ansi,
                                           &common, r->err));
    nilas_assert(common != NULL);
    r->types[0] = r->types[1] = common;
    return NILAS_OK;
}

/** A type that an operand may have where it says nothing of its own: text (not ANSI) or null. */
static bool is_vague(const nilas_resolution *r, size_t index) {
    const nilas_type *type = r->types[index];
    return type->kind == NILAS_TYPE_VOID || (nilas_type_is_string(type) && !r->options->ansi);
}

static bool divides_null(const nilas_resolution *r) {
    bool divides = nilas_str_is(r->name, "/") || nilas_str_is_nocase(r->name, "try_divide");
    return divides && r->types[0]->kind == NILAS_TYPE_VOID && nilas_type_is_numeric(r->types[1]);
}

/** Two nulls, two texts outside ANSI, and a null that divides are doubles in arithmetic. */
static bool promote_to_double(nilas_resolution *r) {
    if ((is_vague(r, 0) && is_vague(r, 1)) || divides_null(r)) {
        r->types[0] = r->types[1] = nilas_type_of(NILAS_TYPE_DOUBLE);
        return true;
    }
    return false;
}

/** Whether one operand is a string and the other neither string nor null; *out_index is the string.
 *  */
static bool meets_string(const nilas_resolution *r, size_t *out_index) {
    bool first = nilas_type_is_string(r->types[0]);
    bool second = nilas_type_is_string(r->types[1]);
    *out_index = first ? 0 : 1;
    return first != second && r->types[1 - *out_index]->kind != NILAS_TYPE_VOID;
}

/** Operators for which a text beside another type stays a text outside ANSI. */
static bool is_bitwise(nilas_str name) {
    return nilas_str_is(name, "&") || nilas_str_is(name, "|") || nilas_str_is(name, "^") ||
           nilas_str_is_nocase(name, "and") || nilas_str_is_nocase(name, "or");
}

/** Outside ANSI a boolean equals a number as 1 or 0. */
static bool promote_boolean(nilas_resolution *r) {
    static const char *const names[] = {"=", "==", "<=>", "<>", "!="};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !r->options->ansi; i++) {
        for (size_t k = 0; k < 2 && nilas_str_is(r->name, names[i]); k++) {
            if (r->types[k]->kind == NILAS_TYPE_BOOLEAN && nilas_type_is_numeric(r->types[1 - k])) {
                r->types[k] = r->types[1 - k];
                return true;
            }
        }
    }
    return false;
}

nilas_code nilas_function__promote(nilas_resolution *r) {
    nilas_assert(r->count == 2);
    const nilas_type *a = r->types[0];
    const nilas_type *b = r->types[1];
    bool arithmetic = is_arithmetic(r->name);
    size_t string_index;
    if (a == NULL || b == NULL || (arithmetic && promote_to_double(r))) {
        return NILAS_OK;
    }
    if (promote_boolean(r)) {
        return NILAS_OK;
    }
    if (meets_string(r, &string_index)) {
        return is_bitwise(r->name) && !r->options->ansi
                   ? NILAS_OK
                   : promote_string(r, string_index, arithmetic);
    }
    if (nilas_type_is_numeric(a) && nilas_type_is_numeric(b)) {
        return promote_numbers(r);
    }
    if (arithmetic && (is_time(a) || is_time(b))) {
        return NILAS_OK;
    }
    const nilas_type *common;
    NILAS_TRY(nilas_type_common(r->stmt, a, b, r->options->ansi, &common, r->err));
    if (common != NULL) {
        r->types[0] = r->types[1] = common;
    }
    return NILAS_OK;
}
