/*
 * Predicates about one term, and how predicates join.
 *
 * Floating point needs care: to SQL, NaN equals NaN and is the greatest value and the two zeros
 * are equal; to Iceberg's bounds NaN does not exist and -0.0 < 0.0.
 */
#include <math.h>

#include "bind/pushdown.h"

nilas_code nilas_push__constant(const nilas_push *push, bool value, nilas_pushed *out,
                                nilas_error *err) {
    nilas_predicate *predicate = NULL;
    NILAS_NEW(push->arena, &predicate, err);
    *predicate = value ? nilas_predicate_true : nilas_predicate_false;
    *out = (nilas_pushed){.predicate = predicate, .exact = true};
    return NILAS_OK;
}

nilas_code nilas_push__and(const nilas_push *push, nilas_pushed a, nilas_pushed b,
                           nilas_pushed *out, nilas_error *err) {
    if (a.predicate == NULL || b.predicate == NULL) {
        *out = a.predicate != NULL ? a : b;
        out->exact = false;
        return NILAS_OK;
    }
    out->exact = a.exact && b.exact;
    return nilas_predicate_and(push->arena, a.predicate, b.predicate, &out->predicate, err);
}

nilas_code nilas_push__or(const nilas_push *push, nilas_pushed a, nilas_pushed b, nilas_pushed *out,
                          nilas_error *err) {
    if (a.predicate == NULL || b.predicate == NULL) {
        *out = (nilas_pushed){0};
        return NILAS_OK;
    }
    out->exact = a.exact && b.exact;
    return nilas_predicate_or(push->arena, a.predicate, b.predicate, &out->predicate, err);
}

static nilas_code new_leaf(const nilas_push *push, nilas_predicate_kind kind,
                           const nilas_term *term, nilas_predicate **out, nilas_error *err) {
    nilas_predicate *predicate = NULL;
    NILAS_NEW(push->arena, &predicate, err);
    predicate->kind = kind;
    predicate->field_id = term->field->id;
    predicate->type = term->field->type;
    predicate->has_transform = term->has_transform;
    predicate->transform = term->transform;
    *out = predicate;
    return NILAS_OK;
}

nilas_code nilas_push__leaf(const nilas_push *push, nilas_predicate_kind kind,
                            const nilas_term *term, const nilas_value *literal, nilas_pushed *out,
                            nilas_error *err) {
    nilas_predicate *predicate = NULL;
    nilas_value *copy = NULL;
    NILAS_TRY(new_leaf(push, kind, term, &predicate, err));
    if (literal != NULL) {
        NILAS_NEW(push->arena, &copy, err);
        *copy = *literal;
        predicate->literals = copy;
        predicate->literal_count = 1;
    }
    *out = (nilas_pushed){.predicate = predicate, .exact = true};
    return NILAS_OK;
}

nilas_code nilas_push__in(const nilas_push *push, const nilas_term *term, const nilas_value *values,
                          size_t count, nilas_pushed *out, nilas_error *err) {
    nilas_predicate *predicate = NULL;
    nilas_assert(count > 0);
    if (count == 1) {
        return nilas_push__leaf(push, NILAS_PREDICATE_EQ, term, values, out, err);
    }
    NILAS_TRY(new_leaf(push, NILAS_PREDICATE_IN, term, &predicate, err));
    predicate->literals = values;
    predicate->literal_count = count;
    *out = (nilas_pushed){.predicate = predicate, .exact = true};
    return NILAS_OK;
}

nilas_code nilas_push__not_null(const nilas_push *push, const nilas_term *term, bool exact,
                                nilas_pushed *out, nilas_error *err) {
    nilas_term column = *term;
    column.has_transform = false;
    NILAS_TRY(nilas_push__leaf(push, NILAS_PREDICATE_NOT_NULL, &column, NULL, out, err));
    out->exact = exact;
    return NILAS_OK;
}

// ---- floating point --------------------------------------------------------------------------

static bool is_real(const nilas_term *term) {
    return term->type->kind == NILAS_ICE_FLOAT || term->type->kind == NILAS_ICE_DOUBLE;
}

static nilas_code compare_zero(const nilas_push *push, nilas_predicate_kind kind,
                               const nilas_term *term, nilas_value zero, nilas_pushed *out,
                               nilas_error *err) {
    nilas_value negative = zero;
    nilas_pushed low = {0};
    nilas_pushed high = {0};
    zero.real = 0.0;
    negative.real = -0.0;
    switch (kind) {
    case NILAS_PREDICATE_EQ:
        NILAS_TRY(nilas_push__leaf(push, NILAS_PREDICATE_GT_EQ, term, &negative, &low, err));
        NILAS_TRY(nilas_push__leaf(push, NILAS_PREDICATE_LT_EQ, term, &zero, &high, err));
        return nilas_push__and(push, low, high, out, err);
    case NILAS_PREDICATE_NOT_EQ: return nilas_push__not_null(push, term, false, out, err);
    case NILAS_PREDICATE_LT:
    case NILAS_PREDICATE_GT_EQ: return nilas_push__leaf(push, kind, term, &negative, out, err);
    default: return nilas_push__leaf(push, kind, term, &zero, out, err);
    }
}

static nilas_code compare_real(const nilas_push *push, nilas_predicate_kind kind,
                               const nilas_term *term, const nilas_value *value, nilas_pushed *out,
                               nilas_error *err) {
    nilas_pushed plain = {0};
    nilas_pushed nan = {0};
    *out = (nilas_pushed){0};
    if (isnan(value->real)) {
        return kind == NILAS_PREDICATE_EQ
                   ? nilas_push__leaf(push, NILAS_PREDICATE_IS_NAN, term, NULL, out, err)
                   : NILAS_OK;
    }
    if (value->real == 0) {
        NILAS_TRY(compare_zero(push, kind, term, *value, &plain, err));
    } else {
        NILAS_TRY(nilas_push__leaf(push, kind, term, value, &plain, err));
    }
    if (kind != NILAS_PREDICATE_GT && kind != NILAS_PREDICATE_GT_EQ) {
        *out = plain;
        return NILAS_OK;
    }
    NILAS_TRY(nilas_push__leaf(push, NILAS_PREDICATE_IS_NAN, term, NULL, &nan, err));
    return nilas_push__or(push, plain, nan, out, err);
}

// ---- all types -------------------------------------------------------------------------------

nilas_code nilas_push__compare_value(const nilas_push *push, nilas_predicate_kind kind,
                                     const nilas_term *term, const nilas_value *value,
                                     nilas_pushed *out, nilas_error *err) {
    nilas_pushed different = {0};
    nilas_pushed not_null = {0};
    if (is_real(term) && kind != NILAS_PREDICATE_NOT_EQ) {
        return compare_real(push, kind, term, value, out, err);
    }
    if (kind != NILAS_PREDICATE_NOT_EQ) {
        return nilas_push__leaf(push, kind, term, value, out, err);
    }
    if (is_real(term)) { // NaN differs from every number: only null is excluded for sure
        return nilas_push__not_null(push, term, false, out, err);
    }
    NILAS_TRY(nilas_push__not_null(push, term, true, &not_null, err));
    NILAS_TRY(nilas_push__leaf(push, kind, term, value, &different, err));
    return nilas_push__and(push, not_null, different, out, err);
}
