/** Private to pushdown*.c: conditions on their way to Iceberg predicates. */
#ifndef NILAS_BIND_PUSHDOWN_H
#define NILAS_BIND_PUSHDOWN_H

#include "bind/expr.h"

typedef struct nilas_push {
    nilas_arena *arena;
    const nilas_pushdown_input *input;
} nilas_push;

/**
 * A predicate that holds wherever the condition is true. NULL: nothing is known (any row may
 * match).
 */
typedef struct nilas_pushed {
    nilas_predicate *predicate;
    bool exact; // it holds only there
} nilas_pushed;

/** What a predicate is about: a column at any depth of structs, or a transform of one. */
typedef struct nilas_term {
    const nilas_ice_field *field;
    const nilas_ice_type *type; // of the term: the column's, or the transform's result
    bool in_optional;           // some struct around the column may be null
    bool has_transform;
    nilas_transform transform;
} nilas_term;

/* pushdown_term.c */
/** False when the expression is no term that a predicate can be about. */
bool nilas_push__term(const nilas_push *push, const nilas_bound_expr *expr, nilas_term *out);

/* pushdown_compare.c */
/**
 * term `kind` literal, for LT … NOT_EQ; `side` is the expression with the term, perhaps below a
 * cast.
 */
nilas_code nilas_push__compare(const nilas_push *push, nilas_predicate_kind kind,
                               const nilas_bound_expr *side, const nilas_bound_expr *literal,
                               nilas_pushed *out, nilas_error *err);

/* pushdown_leaf.c */
nilas_code nilas_push__leaf(const nilas_push *push, nilas_predicate_kind kind,
                            const nilas_term *term, const nilas_value *literal, nilas_pushed *out,
                            nilas_error *err);
/** term IN values, at least one; `values` stays referenced. */
nilas_code nilas_push__in(const nilas_push *push, const nilas_term *term, const nilas_value *values,
                          size_t count, nilas_pushed *out, nilas_error *err);
/**
 * Comparison with a value of the term's own type; <> and NOT IN say that the term is not null,
 * too.
 */
nilas_code nilas_push__compare_value(const nilas_push *push, nilas_predicate_kind kind,
                                     const nilas_term *term, const nilas_value *value,
                                     nilas_pushed *out, nilas_error *err);
nilas_code nilas_push__not_null(const nilas_push *push, const nilas_term *term, bool exact,
                                nilas_pushed *out, nilas_error *err);
nilas_code nilas_push__and(const nilas_push *push, nilas_pushed a, nilas_pushed b,
                           nilas_pushed *out, nilas_error *err);
nilas_code nilas_push__or(const nilas_push *push, nilas_pushed a, nilas_pushed b, nilas_pushed *out,
                          nilas_error *err);
nilas_code nilas_push__constant(const nilas_push *push, bool value, nilas_pushed *out,
                                nilas_error *err);

#endif
