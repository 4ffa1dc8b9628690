/*
 * What the column metrics of a file say about a leaf of a predicate.
 *
 * Absent counts and bounds are unknown, never zero. Metrics of columns inside structs may count
 * null structs or not, depending on the format's writer, so their null counts prove nothing.
 */
#include "iceberg/evaluate.h"
#include "iceberg/value.h"

typedef struct column_metrics {
    int64_t values, nulls, nans; // -1 when unknown
    bool has_lower, has_upper;
    nilas_value lower, upper;
} column_metrics;

static int64_t find_count(const nilas_int_count *list, size_t count, int32_t field_id) {
    int64_t found = -1;

    (void)nilas_int_count_find(list, count, field_id, &found);
    return found;
}

static bool find_bound(const nilas_bound *list, size_t count, const nilas_predicate *leaf,
                       nilas_value *out) {
    nilas_str bytes;

    // Bounds of variant and geometry columns are of another kind than their values.
    return leaf->type->kind < NILAS_ICE_UNKNOWN &&
           nilas_bound_find(list, count, leaf->field_id, &bytes) &&
           nilas_iceberg__decode_bound(leaf->type, bytes, out);
}

static column_metrics find_metrics(const nilas_predicate *leaf, const nilas_data_file *file) {
    column_metrics metrics = {
        .values = find_count(file->value_counts, file->value_count_count, leaf->field_id),
        .nulls = find_count(file->null_value_counts, file->null_value_count_count, leaf->field_id),
        .nans = find_count(file->nan_value_counts, file->nan_value_count_count, leaf->field_id),
    };

    if (!nilas_iceberg__is_floating(leaf->type)) {
        metrics.nans = 0;
    }
    metrics.has_lower =
        find_bound(file->lower_bounds, file->lower_bound_count, leaf, &metrics.lower);
    metrics.has_upper =
        find_bound(file->upper_bounds, file->upper_bound_count, leaf, &metrics.upper);
    return metrics;
}

static bool is_monotone(const nilas_transform *transform) {
    switch (transform->kind) {
    case NILAS_TRANSFORM_IDENTITY:
    case NILAS_TRANSFORM_TRUNCATE:
    case NILAS_TRANSFORM_YEAR:
    case NILAS_TRANSFORM_MONTH:
    case NILAS_TRANSFORM_DAY:
    case NILAS_TRANSFORM_HOUR: return true;
    default: return false;
    }
}

/** Truncated integers wrap below the smallest number; without such values in the file they do
 *  not. */
static bool may_wrap(const nilas_predicate *leaf, const column_metrics *metrics,
                     const nilas_value *lower) {
    bool is_integer = leaf->type->kind == NILAS_ICE_INT || leaf->type->kind == NILAS_ICE_LONG;

    return leaf->transform.kind == NILAS_TRANSFORM_TRUNCATE && is_integer &&
           (!metrics->has_lower || lower->integer > metrics->lower.integer);
}

static bool transform_bound(const nilas_predicate *leaf, const nilas_value *bound,
                            nilas_value *out) {
    return nilas_transform_apply(NULL, &leaf->transform, leaf->type, bound, out, NULL) == NILAS_OK;
}

/** Bounds of transform(column), for transforms that keep the order; otherwise no bounds. */
static void transform_bounds(const nilas_predicate *leaf, column_metrics *metrics) {
    nilas_value lower = NILAS_NULL_VALUE;
    nilas_value upper = NILAS_NULL_VALUE;
    bool keeps = is_monotone(&leaf->transform);
    bool has_lower = keeps && metrics->has_lower && transform_bound(leaf, &metrics->lower, &lower);
    bool has_upper = keeps && metrics->has_upper && transform_bound(leaf, &metrics->upper, &upper);

    if (may_wrap(leaf, metrics, &lower)) {
        has_lower = has_upper = false;
    }
    metrics->has_lower = has_lower;
    metrics->has_upper = has_upper;
    metrics->lower = lower;
    metrics->upper = upper;
}

static nilas_answer test_null(const nilas_evaluator_node *node, const column_metrics *metrics) {
    bool none = !node->is_nested && metrics->nulls == 0;
    bool all = metrics->nulls >= 0 && metrics->nulls == metrics->values && metrics->values > 0;

    if (node->kind == NILAS_PREDICATE_IS_NULL) {
        return none                      ? NILAS_ANSWER_NONE
               : all && !node->is_nested ? NILAS_ANSWER_ALL
                                         : NILAS_ANSWER_UNKNOWN;
    }
    return none ? NILAS_ANSWER_ALL : all ? NILAS_ANSWER_NONE : NILAS_ANSWER_UNKNOWN;
}

static nilas_answer test_nan(const nilas_evaluator_node *node, const column_metrics *metrics) {
    bool all_null = metrics->nulls >= 0 && metrics->nulls == metrics->values && metrics->values > 0;
    bool no_null = !node->is_nested && metrics->nulls == 0;
    bool all_nan = metrics->nans > 0 && metrics->nans == metrics->values;

    if (node->kind == NILAS_PREDICATE_IS_NAN) {
        return metrics->nans == 0 || all_null ? NILAS_ANSWER_NONE
               : all_nan && no_null           ? NILAS_ANSWER_ALL
                                              : NILAS_ANSWER_UNKNOWN;
    }
    return all_nan                         ? NILAS_ANSWER_NONE
           : metrics->nans == 0 && no_null ? NILAS_ANSWER_ALL
                                           : NILAS_ANSWER_UNKNOWN;
}

static nilas_answer test_comparison(const nilas_evaluator_node *node,
                                    const column_metrics *metrics) {
    const nilas_predicate *leaf = &node->leaf;
    nilas_comparison comparison = {.kind = leaf->kind,
                                   .type = leaf->type,
                                   .literals = leaf->literals,
                                   .literal_count = leaf->literal_count};
    bool no_null = !node->is_nested && metrics->nulls == 0;
    bool no_nan = metrics->nans == 0;

    if (metrics->nulls >= 0 && metrics->nulls == metrics->values && metrics->values > 0) {
        return NILAS_ANSWER_NONE; // nulls match no comparison
    }
    nilas_answer answer =
        nilas_iceberg__test_range(&comparison, metrics->has_lower ? &metrics->lower : NULL,
                                  metrics->has_upper ? &metrics->upper : NULL);
    if (answer == NILAS_ANSWER_NONE && (no_nan || !nilas_iceberg__matches_nan(&comparison))) {
        return NILAS_ANSWER_NONE;
    }
    return answer == NILAS_ANSWER_ALL && no_null && no_nan ? NILAS_ANSWER_ALL
                                                           : NILAS_ANSWER_UNKNOWN;
}

nilas_answer nilas_iceberg__test_metrics(const nilas_evaluator_node *node,
                                         const nilas_data_file *file) {
    column_metrics metrics = find_metrics(&node->leaf, file);
    bool is_null_test =
        node->kind == NILAS_PREDICATE_IS_NULL || node->kind == NILAS_PREDICATE_NOT_NULL;

    if (node->leaf.has_transform) {
        transform_bounds(&node->leaf, &metrics);
        if (!nilas_iceberg__is_comparison(node->kind) &&
            (!is_null_test || !is_monotone(&node->leaf.transform))) {
            return NILAS_ANSWER_UNKNOWN;
        }
    }
    if (is_null_test) {
        return test_null(node, &metrics);
    }
    return nilas_iceberg__is_comparison(node->kind) ? test_comparison(node, &metrics)
                                                    : test_nan(node, &metrics);
}
