/*
 * Comparisons with one value and with a range of values.
 *
 * Floating point compares by number, so that -0.0 equals 0.0 as it does in a filter; a NaN on any
 * side makes the answer unknown. Uuids are compared in both byte orders that writers have used for
 * bounds, and only an answer that both give counts.
 */
#include <math.h>

#include "iceberg/evaluate.h"

typedef enum ordering { BY_VALUE, BY_SIGNED_HALVES } ordering;

bool nilas_iceberg__is_comparison(nilas_predicate_kind kind) {
    return kind >= NILAS_PREDICATE_LT && kind <= NILAS_PREDICATE_NOT_STARTS_WITH;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static bool is_real(const nilas_value *value) {
    return value->kind == NILAS_VALUE_FLOAT || value->kind == NILAS_VALUE_DOUBLE;
}

bool nilas_iceberg__matches_nan(const nilas_comparison *comparison) {
    nilas_predicate_kind kind = comparison->kind;

    for (size_t i = 0; i < comparison->literal_count; i++) {
        if (is_real(&comparison->literals[i]) && isnan(comparison->literals[i].real)) {
            return true;
        }
    }
    return kind == NILAS_PREDICATE_GT || kind == NILAS_PREDICATE_GT_EQ ||
           kind == NILAS_PREDICATE_NOT_EQ || kind == NILAS_PREDICATE_NOT_IN;
}

static int64_t signed_half(nilas_str bytes, size_t from) {
    uint64_t v = 0;

    for (size_t i = 0; i < 8; i++) {
        v = v << 8 | (uint8_t)bytes.data[from + i];
    }
    return (int64_t)v;
}

/** As java.util.UUID.compareTo() does, which old writers ordered bounds by. */
static int compare_signed_halves(nilas_str a, nilas_str b) {
    for (size_t from = 0; from < 16; from += 8) {
        int64_t x = signed_half(a, from);
        int64_t y = signed_half(b, from);
        if (x != y) {
            return x < y ? -1 : 1;
        }
    }
    return 0;
}

/** False when the two have no order: other kinds, NaN, null. */
static bool compare(const nilas_value *a, const nilas_value *b, ordering order, int *out) {
    if (is_real(a) && is_real(b)) {
        *out = a->real < b->real ? -1 : a->real > b->real ? 1 : 0;
        return !isnan(a->real) && !isnan(b->real);
    }
    if (a->kind != b->kind || a->kind == NILAS_VALUE_NULL || a->kind > NILAS_VALUE_BINARY) {
        return false;
    }
    if (order == BY_SIGNED_HALVES) {
        if (a->text.size != 16 || b->text.size != 16) {
            return false;
        }
        *out = compare_signed_halves(a->text, b->text);
        return true;
    }
    *out = nilas_value_compare(a, b);
    return true;
}

static nilas_answer invert(nilas_answer answer) {
    return answer == NILAS_ANSWER_ALL    ? NILAS_ANSWER_NONE
           : answer == NILAS_ANSWER_NONE ? NILAS_ANSWER_ALL
                                         : answer;
}

/* ---- ranges ---------------------------------------------------------------------------------- */

typedef struct span {
    const nilas_value *lower, *upper;
    ordering order;
} span;

/** Where the literal lies: sign of (bound - literal); false when there is no bound or no order. */
static bool against(const span *range, const nilas_value *bound, const nilas_value *literal,
                    int *out) {
    return bound != NULL && compare(bound, literal, range->order, out);
}

/** `strict`: <, else <=. */
static nilas_answer test_less(const span *range, const nilas_value *literal, bool strict) {
    int lower;
    int upper;

    if (against(range, range->upper, literal, &upper) && (strict ? upper < 0 : upper <= 0)) {
        return NILAS_ANSWER_ALL;
    }
    if (against(range, range->lower, literal, &lower) && (strict ? lower >= 0 : lower > 0)) {
        return NILAS_ANSWER_NONE;
    }
    return NILAS_ANSWER_UNKNOWN;
}

static nilas_answer test_equal(const span *range, const nilas_value *literal) {
    int lower;
    int upper;
    bool has_lower = against(range, range->lower, literal, &lower);
    bool has_upper = against(range, range->upper, literal, &upper);

    if ((has_lower && lower > 0) || (has_upper && upper < 0)) {
        return NILAS_ANSWER_NONE;
    }
    return has_lower && has_upper && lower == 0 && upper == 0 ? NILAS_ANSWER_ALL
                                                              : NILAS_ANSWER_UNKNOWN;
}

static nilas_answer test_in(const span *range, const nilas_comparison *comparison) {
    bool none = true;

    if (comparison->literal_count > NILAS_LIMIT_IN_PREDICATE) {
        return NILAS_ANSWER_UNKNOWN;
    }
    for (size_t i = 0; i < comparison->literal_count; i++) {
        nilas_answer answer = test_equal(range, &comparison->literals[i]);
        if (answer == NILAS_ANSWER_ALL) {
            return NILAS_ANSWER_ALL;
        }
        none = none && answer == NILAS_ANSWER_NONE;
    }
    return none ? NILAS_ANSWER_NONE : NILAS_ANSWER_UNKNOWN;
}

static nilas_answer test_prefix(const span *range, const nilas_value *prefix) {
    int lower;
    int upper;
    bool has_lower = against(range, range->lower, prefix, &lower);
    bool has_upper = against(range, range->upper, prefix, &upper);
    bool is_text = prefix->kind == NILAS_VALUE_STRING || prefix->kind == NILAS_VALUE_BINARY;

    if (!is_text) {
        return NILAS_ANSWER_UNKNOWN;
    }
    if ((has_upper && upper < 0) ||
        (has_lower && lower > 0 && !nilas_str_starts(range->lower->text, prefix->text))) {
        return NILAS_ANSWER_NONE;
    }
    return has_lower && has_upper && nilas_str_starts(range->lower->text, prefix->text) &&
                   nilas_str_starts(range->upper->text, prefix->text)
               ? NILAS_ANSWER_ALL
               : NILAS_ANSWER_UNKNOWN;
}

static nilas_answer test_ordered(const span *range, const nilas_comparison *comparison) {
    const nilas_value *literal = comparison->literals;

    switch (comparison->kind) {
    case NILAS_PREDICATE_LT: return test_less(range, literal, true);
    case NILAS_PREDICATE_LT_EQ: return test_less(range, literal, false);
    case NILAS_PREDICATE_GT: return invert(test_less(range, literal, false));
    case NILAS_PREDICATE_GT_EQ: return invert(test_less(range, literal, true));
    case NILAS_PREDICATE_EQ: return test_equal(range, literal);
    case NILAS_PREDICATE_NOT_EQ: return invert(test_equal(range, literal));
    case NILAS_PREDICATE_IN: return test_in(range, comparison);
    case NILAS_PREDICATE_NOT_IN: return invert(test_in(range, comparison));
    case NILAS_PREDICATE_STARTS_WITH: return test_prefix(range, literal);
    case NILAS_PREDICATE_NOT_STARTS_WITH: return invert(test_prefix(range, literal));
    default: return NILAS_ANSWER_UNKNOWN;
    }
}

/** Without what cannot be a bound; an impossible pair says nothing at all. */
static span sound(const nilas_value *lower, const nilas_value *upper, ordering order) {
    span result = {.lower = lower, .upper = upper, .order = order};
    int order_of_bounds;

    if (lower != NULL && is_real(lower) && isnan(lower->real)) {
        result.lower = NULL;
    }
    if (upper != NULL && ((is_real(upper) && isnan(upper->real)) ||
                          (upper->kind == NILAS_VALUE_STRING && !nilas_str_is_utf8(upper->text)))) {
        result.upper = NULL;
    }
    if (result.lower != NULL && result.upper != NULL &&
        (!compare(result.lower, result.upper, order, &order_of_bounds) || order_of_bounds > 0)) {
        result.lower = result.upper = NULL;
    }
    return result;
}

/** Bounds of uuids may be in either order. Equality means the same in both, so it may answer where
 *  both agree; a filter's "less" is of unsigned bytes and would need bounds of that order. */
static nilas_answer test_uuids(const nilas_comparison *comparison, const nilas_value *lower,
                               const nilas_value *upper) {
    bool is_equality =
        comparison->kind >= NILAS_PREDICATE_EQ && comparison->kind <= NILAS_PREDICATE_NOT_IN;
    span by_value = sound(lower, upper, BY_VALUE);
    span by_halves = sound(lower, upper, BY_SIGNED_HALVES);
    nilas_answer answer = is_equality ? test_ordered(&by_value, comparison) : NILAS_ANSWER_UNKNOWN;

    return answer != NILAS_ANSWER_UNKNOWN && test_ordered(&by_halves, comparison) == answer
               ? answer
               : NILAS_ANSWER_UNKNOWN;
}

nilas_answer nilas_iceberg__test_range(const nilas_comparison *comparison, const nilas_value *lower,
                                       const nilas_value *upper) {
    nilas_assert(comparison->type != NULL);
    if (!nilas_iceberg__is_comparison(comparison->kind) || comparison->literal_count == 0) {
        return NILAS_ANSWER_UNKNOWN;
    }
    if (comparison->type->kind == NILAS_ICE_UUID) {
        return test_uuids(comparison, lower, upper);
    }
    span range = sound(lower, upper, BY_VALUE);
    return test_ordered(&range, comparison);
}

/* ---- exact values ---------------------------------------------------------------------------- */

static nilas_answer answer_of(bool matches) {
    return matches ? NILAS_ANSWER_ALL : NILAS_ANSWER_NONE;
}

/** IN over exact values has no limit: equality decides each literal. */
static nilas_answer test_exact_in(const nilas_comparison *comparison, const nilas_value *value) {
    bool unknown = false;
    int order;

    for (size_t i = 0; i < comparison->literal_count; i++) {
        if (!compare(value, &comparison->literals[i], BY_VALUE, &order)) {
            unknown = true;
        } else if (order == 0) {
            return NILAS_ANSWER_ALL;
        }
    }
    return unknown ? NILAS_ANSWER_UNKNOWN : NILAS_ANSWER_NONE;
}

nilas_answer nilas_iceberg__test_value(const nilas_comparison *comparison,
                                       const nilas_value *value) {
    bool is_nan = is_real(value) && isnan(value->real);
    span exact = {.lower = value, .upper = value, .order = BY_VALUE};

    if (comparison->kind == NILAS_PREDICATE_IS_NULL ||
        comparison->kind == NILAS_PREDICATE_NOT_NULL) {
        return answer_of(nilas_value_is_null(value) ==
                         (comparison->kind == NILAS_PREDICATE_IS_NULL));
    }
    if (nilas_value_is_null(value)) {
        // Spark's isnan(null) is false and not null, so its negation may hold.
        return comparison->kind == NILAS_PREDICATE_NOT_NAN ? NILAS_ANSWER_UNKNOWN
                                                           : NILAS_ANSWER_NONE;
    }
    if (comparison->kind == NILAS_PREDICATE_IS_NAN || comparison->kind == NILAS_PREDICATE_NOT_NAN) {
        return answer_of(is_nan == (comparison->kind == NILAS_PREDICATE_IS_NAN));
    }
    if (comparison->literal_count == 0 || is_nan) {
        return NILAS_ANSWER_UNKNOWN;
    }
    if (comparison->kind == NILAS_PREDICATE_IN) {
        return test_exact_in(comparison, value);
    }
    if (comparison->kind == NILAS_PREDICATE_NOT_IN) {
        return invert(test_exact_in(comparison, value));
    }
    return test_ordered(&exact, comparison);
}
