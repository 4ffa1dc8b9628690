/*
 * Evaluators: a predicate prepared for one partition spec.
 *
 * The predicate's tree is kept, NOT pushed to the leaves, and each leaf carries its projections
 * onto the spec's fields; the five questions walk the same tree and differ in what they ask of a
 * leaf.
 */
#include "iceberg/evaluate.h"
#include "iceberg/value.h"

/* ---- preparing ------------------------------------------------------------------------------- */

typedef struct builder {
    nilas_arena *arena;
    const nilas_schema *schema;
    const nilas_partition_spec *spec;
    const nilas_ice_type *partition_type;
} builder;

static bool is_top_level(const nilas_schema *schema, int32_t field_id) {
    for (size_t i = 0; i < schema->type.field_count; i++) {
        if (schema->type.fields[i].id == field_id) {
            return true;
        }
    }
    return false;
}

static nilas_code add_projections(const builder *by, nilas_evaluator_node *node, nilas_error *err) {
    NILAS_NEW_ARRAY(by->arena, &node->inclusive, by->spec->field_count, err);
    NILAS_NEW_ARRAY(by->arena, &node->strict, by->spec->field_count, err);
    for (size_t i = 0; i < by->spec->field_count; i++) {
        const nilas_partition_field *field = &by->spec->fields[i];
        const nilas_ice_type *type = by->partition_type->fields[i].type;
        nilas_projection projection = {.position = i};
        bool projected;
        if (field->source_id != node->leaf.field_id || type->kind >= NILAS_ICE_UNKNOWN) {
            continue;
        }
        NILAS_TRY(nilas_iceberg__project(by->arena, &node->leaf, field, type, false, &projected,
                                         &projection, err));
        if (projected) {
            node->inclusive[node->inclusive_count++] = projection;
        }
        projection = (nilas_projection){.position = i};
        NILAS_TRY(nilas_iceberg__project(by->arena, &node->leaf, field, type, true, &projected,
                                         &projection, err));
        if (projected) {
            node->strict[node->strict_count++] = projection;
        }
    }
    return NILAS_OK;
}

static nilas_code build(const builder *by, const nilas_predicate *predicate, bool negated,
                        nilas_evaluator_node **out, nilas_error *err) {
    nilas_evaluator_node *node;

    if (predicate->kind == NILAS_PREDICATE_NOT) {
        return build(by, predicate->left, !negated, out, err);
    }
    NILAS_NEW(by->arena, &node, err);
    node->kind = negated ? nilas_iceberg__negated(predicate->kind) : predicate->kind;
    if (node->kind == NILAS_PREDICATE_AND || node->kind == NILAS_PREDICATE_OR) {
        NILAS_TRY(build(by, predicate->left, negated, &node->left, err));
        NILAS_TRY(build(by, predicate->right, negated, &node->right, err));
    } else if (node->kind != NILAS_PREDICATE_TRUE && node->kind != NILAS_PREDICATE_FALSE) {
        node->leaf = *predicate;
        node->leaf.kind = node->kind;
        node->is_nested = !is_top_level(by->schema, predicate->field_id);
        NILAS_TRY(add_projections(by, node, err));
    }
    *out = node;
    return NILAS_OK;
}

nilas_code nilas_evaluator_new(nilas_arena *arena, const nilas_metadata *metadata,
                               const nilas_schema *schema, const nilas_partition_spec *spec,
                               const nilas_predicate *predicate, nilas_evaluator **out,
                               nilas_error *err) {
    builder by = {.arena = arena, .schema = schema, .spec = spec};
    nilas_evaluator *made;

    NILAS_NEW(arena, &made, err);
    made->field_count = spec->field_count;
    NILAS_TRY(nilas_spec_partition_type(arena, metadata, spec, &by.partition_type, err));
    nilas_assert(by.partition_type->field_count == spec->field_count);
    NILAS_TRY(build(&by, predicate, false, &made->root, err));
    *out = made;
    return NILAS_OK;
}

/* ---- walking --------------------------------------------------------------------------------- */

typedef bool (*leaf_test)(const nilas_evaluator_node *leaf, const void *subject);

static bool walk(const nilas_evaluator_node *node, leaf_test test, const void *subject) {
    switch (node->kind) {
    case NILAS_PREDICATE_TRUE: return true;
    case NILAS_PREDICATE_FALSE: return false;
    case NILAS_PREDICATE_AND:
        return walk(node->left, test, subject) && walk(node->right, test, subject);
    case NILAS_PREDICATE_OR:
        return walk(node->left, test, subject) || walk(node->right, test, subject);
    default: return test(node, subject);
    }
}

/* ---- partitions ------------------------------------------------------------------------------ */

static nilas_answer test_partition(const nilas_projection *projection, const nilas_value *tuple) {
    if (projection->position >= tuple->count) {
        return NILAS_ANSWER_UNKNOWN;
    }
    const nilas_value *value = &tuple->items[projection->position];
    if (projection->may_wrap && value->kind == NILAS_VALUE_INT &&
        value->integer > projection->wrap_above) {
        return NILAS_ANSWER_UNKNOWN;
    }
    return nilas_iceberg__test_value(&projection->test, value);
}

static bool partition_may_match(const nilas_evaluator_node *leaf, const void *subject) {
    for (size_t i = 0; i < leaf->inclusive_count; i++) {
        if (test_partition(&leaf->inclusive[i], subject) == NILAS_ANSWER_NONE) {
            return false;
        }
    }
    return true;
}

static bool partition_all_match(const nilas_evaluator_node *leaf, const void *subject) {
    for (size_t i = 0; i < leaf->strict_count; i++) {
        if (test_partition(&leaf->strict[i], subject) == NILAS_ANSWER_ALL) {
            return true;
        }
    }
    return false;
}

bool nilas_evaluator_partition(const nilas_evaluator *evaluator, const nilas_value *partition) {
    nilas_assert(partition->kind == NILAS_VALUE_STRUCT);
    return walk(evaluator->root, partition_may_match, partition);
}

bool nilas_evaluator_partition_all(const nilas_evaluator *evaluator, const nilas_value *partition) {
    nilas_assert(partition->kind == NILAS_VALUE_STRUCT);
    return walk(evaluator->root, partition_all_match, partition);
}

/* ---- manifests ------------------------------------------------------------------------------- */

/** A summary without bounds holds nulls and NaN only; but one that also denies both says
 *  nothing. */
static bool summary_without_bounds(const nilas_projection *projection,
                                   const nilas_field_summary *summary, bool may_have_nan) {
    nilas_predicate_kind kind = projection->test.kind;
    bool some = summary->contains_null || (summary->has_contains_nan && summary->contains_nan);

    if (!some) {
        return true;
    }
    if (kind == NILAS_PREDICATE_NOT_NULL) {
        return may_have_nan;
    }
    return may_have_nan && nilas_iceberg__matches_nan(&projection->test);
}

static bool summary_range(const nilas_projection *projection, const nilas_field_summary *summary,
                          bool may_have_nan) {
    nilas_value lower;
    nilas_value upper;
    bool has_lower =
        summary->lower_bound.data != NULL &&
        nilas_iceberg__decode_bound(projection->test.type, summary->lower_bound, &lower);
    bool has_upper =
        summary->upper_bound.data != NULL &&
        nilas_iceberg__decode_bound(projection->test.type, summary->upper_bound, &upper);

    if (projection->may_wrap && (!has_upper || upper.integer > projection->wrap_above)) {
        return true;
    }
    nilas_answer answer = nilas_iceberg__test_range(&projection->test, has_lower ? &lower : NULL,
                                                    has_upper ? &upper : NULL);
    return answer != NILAS_ANSWER_NONE ||
           (may_have_nan && nilas_iceberg__matches_nan(&projection->test));
}

static bool summary_may_match(const nilas_projection *projection,
                              const nilas_field_summary *summary) {
    nilas_predicate_kind kind = projection->test.kind;
    bool may_have_nan = nilas_iceberg__is_floating(projection->test.type) &&
                        (!summary->has_contains_nan || summary->contains_nan);
    bool no_bounds = summary->lower_bound.data == NULL && summary->upper_bound.data == NULL;

    if (kind == NILAS_PREDICATE_IS_NULL) {
        return summary->contains_null || no_bounds;
    }
    if (kind == NILAS_PREDICATE_IS_NAN) {
        return may_have_nan;
    }
    if (kind == NILAS_PREDICATE_NOT_NAN) {
        return true;
    }
    if (no_bounds) {
        return summary_without_bounds(projection, summary, may_have_nan);
    }
    return kind == NILAS_PREDICATE_NOT_NULL || summary_range(projection, summary, may_have_nan);
}

static bool manifest_may_match(const nilas_evaluator_node *leaf, const void *subject) {
    const nilas_manifest_file *manifest = subject;

    for (size_t i = 0; i < leaf->inclusive_count; i++) {
        size_t position = leaf->inclusive[i].position;
        if (position < manifest->partition_count &&
            !summary_may_match(&leaf->inclusive[i], &manifest->partitions[position])) {
            return false;
        }
    }
    return true;
}

bool nilas_evaluator_manifest(const nilas_evaluator *evaluator,
                              const nilas_manifest_file *manifest) {
    // Summaries are by position; a list of another length belongs to another spec.
    if (!manifest->has_partitions || manifest->partition_count != evaluator->field_count) {
        return true;
    }
    return walk(evaluator->root, manifest_may_match, manifest);
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool file_may_match(const nilas_evaluator_node *leaf, const void *subject) {
    return nilas_iceberg__test_metrics(leaf, subject) != NILAS_ANSWER_NONE;
}

static bool file_all_match(const nilas_evaluator_node *leaf, const void *subject) {
    const nilas_data_file *file = subject;

    return partition_all_match(leaf, &file->partition) ||
           nilas_iceberg__test_metrics(leaf, file) == NILAS_ANSWER_ALL;
}

bool nilas_evaluator_metrics(const nilas_evaluator *evaluator, const nilas_data_file *file) {
    return file->record_count != 0 && walk(evaluator->root, file_may_match, file);
}

bool nilas_evaluator_all(const nilas_evaluator *evaluator, const nilas_data_file *file) {
    return file->record_count == 0 || walk(evaluator->root, file_all_match, file);
}
