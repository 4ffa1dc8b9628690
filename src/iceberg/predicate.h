/**
 * Predicates over columns by field id, and what they say about partitions, manifests and files.
 *
 * Three-valued logic of SQL: a row is kept when the predicate is true. ANYTHING UNKNOWN KEEPS THE
 * FILE: an absent bound, a truncated bound, a NaN, an unknown transform, a type that was promoted,
 * all answer "might match".
 */
#ifndef NILAS_ICEBERG_PREDICATE_H
#define NILAS_ICEBERG_PREDICATE_H

#include "iceberg/manifest.h"

typedef enum nilas_predicate_kind {
    NILAS_PREDICATE_TRUE,
    NILAS_PREDICATE_FALSE,
    NILAS_PREDICATE_AND,
    NILAS_PREDICATE_OR,
    NILAS_PREDICATE_NOT,
    NILAS_PREDICATE_IS_NULL,
    NILAS_PREDICATE_NOT_NULL,
    NILAS_PREDICATE_IS_NAN,
    NILAS_PREDICATE_NOT_NAN,
    NILAS_PREDICATE_LT,
    NILAS_PREDICATE_LT_EQ,
    NILAS_PREDICATE_GT,
    NILAS_PREDICATE_GT_EQ,
    NILAS_PREDICATE_EQ,
    NILAS_PREDICATE_NOT_EQ,
    NILAS_PREDICATE_IN,
    NILAS_PREDICATE_NOT_IN,
    NILAS_PREDICATE_STARTS_WITH,
    NILAS_PREDICATE_NOT_STARTS_WITH,
} nilas_predicate_kind;

typedef struct nilas_predicate nilas_predicate;
struct nilas_predicate {
    nilas_predicate_kind kind;
    nilas_predicate *left, *right; // AND, OR; NOT uses left
    int32_t field_id; // of the column (any depth inside structs; never inside lists or maps)
    const nilas_ice_type *type; // of the column, as in the schema used for binding
    bool has_transform; // the term is transform(column): days(ts) = …, bucket(16, id) = …
    nilas_transform transform;
    const nilas_value *literals; // not null, of the column's type or the transform's result type
    size_t literal_count;        // 1, or n for IN
};

/** Constructors fold TRUE and FALSE. */
nilas_code nilas_predicate_and(nilas_arena *arena, nilas_predicate *a, nilas_predicate *b,
                               nilas_predicate **out, nilas_error *err);
nilas_code nilas_predicate_or(nilas_arena *arena, nilas_predicate *a, nilas_predicate *b,
                              nilas_predicate **out, nilas_error *err);
/** Push NOT down to the leaves. */
nilas_code nilas_predicate_negate(nilas_arena *arena, const nilas_predicate *a,
                                  nilas_predicate **out, nilas_error *err);
extern const nilas_predicate nilas_predicate_true, nilas_predicate_false;
/** Java-like text for EXPLAIN and messages: "(category = 'x' AND days(ts) >= 18628)"; names from
 *  the schema. */
void nilas_predicate_print(nilas_buf *out, const nilas_predicate *predicate,
                           const nilas_schema *schema);

/** A predicate prepared against one partition spec: projections onto its partition fields
 *  (inclusive and strict), ready to test manifests, partitions and files of that spec.
 *  Immutable, thread-safe. */
typedef struct nilas_evaluator nilas_evaluator;
nilas_code nilas_evaluator_new(nilas_arena *arena, const nilas_metadata *metadata,
                               const nilas_schema *schema, const nilas_partition_spec *spec,
                               const nilas_predicate *predicate, nilas_evaluator **out,
                               nilas_error *err);
/** May the manifest hold a matching file? Uses its partition summaries. */
bool nilas_evaluator_manifest(const nilas_evaluator *evaluator,
                              const nilas_manifest_file *manifest);
/** May a file of this partition hold a matching row? (inclusive projection) */
bool nilas_evaluator_partition(const nilas_evaluator *evaluator, const nilas_value *partition);
/** Do all rows of this partition match? (strict projection) */
bool nilas_evaluator_partition_all(const nilas_evaluator *evaluator, const nilas_value *partition);
/** May the file hold a matching row, by its column metrics? */
bool nilas_evaluator_metrics(const nilas_evaluator *evaluator, const nilas_data_file *file);
/** Do all rows of the file match, by its column metrics or its partition? For answers from
 *  metadata alone. */
bool nilas_evaluator_all(const nilas_evaluator *evaluator, const nilas_data_file *file);

#endif
