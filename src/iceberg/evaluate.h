/**
 * Room-private: evaluating predicates against values, ranges and metrics.
 *
 * The three answers are about a set of rows: no row matches, every row matches, or it is not known.
 * Pruning acts on the first, answers from metadata alone act on the second.
 */
#ifndef NILAS_ICEBERG_EVALUATE_H
#define NILAS_ICEBERG_EVALUATE_H

#include "iceberg/predicate.h"

typedef enum nilas_answer {
    NILAS_ANSWER_UNKNOWN,
    NILAS_ANSWER_NONE,
    NILAS_ANSWER_ALL
} nilas_answer;

/** A comparison of something with literals. */
typedef struct nilas_comparison {
    nilas_predicate_kind kind;
    const nilas_ice_type *type;
    const nilas_value *literals;
    size_t literal_count;
} nilas_comparison;

/** One exact value, null included. */
nilas_answer nilas_iceberg__test_value(const nilas_comparison *comparison,
                                       const nilas_value *value);
/** All values that are neither null nor NaN, known to lie within [lower, upper]; NULL: open on
 *  that side. Bounds that cannot be (NaN, lower above upper, an upper string cut inside a
 *  character) are ignored. */
nilas_answer nilas_iceberg__test_range(const nilas_comparison *comparison, const nilas_value *lower,
                                       const nilas_value *upper);
/** Whether a comparison could be true for NaN, which Spark orders above every number. */
bool nilas_iceberg__matches_nan(const nilas_comparison *comparison);
/** Whether the kind compares with literals (the others ask about null and NaN). */
bool nilas_iceberg__is_comparison(nilas_predicate_kind kind);
static inline bool nilas_iceberg__is_floating(const nilas_ice_type *type) {
    return type->kind == NILAS_ICE_FLOAT || type->kind == NILAS_ICE_DOUBLE;
}

/** A predicate on one field of the partition tuple. */
typedef struct nilas_projection {
    nilas_comparison test;
    size_t position;
    // Truncated integers above `wrap_above` may stand for the lowest ones, by Java's overflow.
    bool may_wrap;
    int64_t wrap_above;
} nilas_projection;

/**
 * Project a leaf onto a partition field.
 *
 * Inclusive: true for every partition that may hold a matching row. Strict: true only for
 * partitions all of whose rows match. False when there is no such projection: then nothing is
 * known.
 */
nilas_code nilas_iceberg__project(nilas_arena *arena, const nilas_predicate *leaf,
                                  const nilas_partition_field *field,
                                  const nilas_ice_type *result_type, bool strict,
                                  bool *out_projected, nilas_projection *out, nilas_error *err);

typedef struct nilas_evaluator_node nilas_evaluator_node;
struct nilas_evaluator_node {
    nilas_predicate_kind kind; // TRUE, FALSE, AND, OR; anything else is a leaf
    nilas_evaluator_node *left, *right;
    nilas_predicate leaf;        // of that kind, NOT pushed into it
    bool is_nested;              // the column lies inside a struct
    nilas_projection *inclusive; // all must hold
    size_t inclusive_count;
    nilas_projection *strict; // one must hold
    size_t strict_count;
};

struct nilas_evaluator {
    nilas_evaluator_node *root;
    size_t field_count; // of the spec
};

/** What the column metrics of a file say about a leaf. */
nilas_answer nilas_iceberg__test_metrics(const nilas_evaluator_node *node,
                                         const nilas_data_file *file);
/** The kind that is true where `kind` is false, by SQL's logic. */
nilas_predicate_kind nilas_iceberg__negated(nilas_predicate_kind kind);

#endif
