/*
 * Predicates on columns projected onto partition fields.
 *
 * Order-preserving transforms T turn x < v into T(x) <= T(v - 1), and so on; buckets keep only
 * equality. Two faults of old writers are allowed for: dates before 1970 that were rounded towards
 * zero, one too high, and truncated integers that wrapped around below the smallest number.
 *
 * Spec: iceberg#scan-planning.
 */
#include "iceberg/evaluate.h"

typedef struct projector {
    nilas_arena *arena;
    const nilas_predicate *leaf;
    const nilas_partition_field *field;
    const nilas_ice_type *result_type;
    bool strict;
} projector;

static bool is_date_part(nilas_transform_kind kind) {
    return kind >= NILAS_TRANSFORM_YEAR && kind <= NILAS_TRANSFORM_HOUR;
}

/** The leaf with its own literals, asked of the partition value. */
static bool take_over(const projector *by, nilas_projection *out) {
    out->test = (nilas_comparison){.kind = by->leaf->kind,
                                   .type = by->result_type,
                                   .literals = by->leaf->literals,
                                   .literal_count = by->leaf->literal_count};
    return true;
}

/** Next integer up or down; the ends of the type stay, which only widens what may match. */
static bool step(const nilas_ice_type *type, nilas_value *value, int by) {
    bool narrow = type->kind == NILAS_ICE_INT || type->kind == NILAS_ICE_DATE;

    if (value->kind == NILAS_VALUE_DECIMAL) {
        value->decimal += by;
        return value->scale == (uint32_t)type->scale;
    }
    if (value->kind != NILAS_VALUE_INT) {
        return false;
    }
    int64_t edge = by < 0 ? (narrow ? INT32_MIN : INT64_MIN) : (narrow ? INT32_MAX : INT64_MAX);
    value->integer += value->integer == edge ? 0 : by;
    return true;
}

static bool apply(const projector *by, const nilas_value *value, nilas_value *out) {
    return nilas_transform_apply(by->arena, &by->field->transform, by->leaf->type, value, out,
                                 NULL) == NILAS_OK &&
           !nilas_value_is_null(out);
}

/** All literals transformed; `extra` leaves room behind each. False when one has no result. */
static nilas_code apply_all(const projector *by, size_t extra, bool *out_ok, nilas_value **out,
                            nilas_error *err) {
    size_t count = by->leaf->literal_count;
    nilas_value *literals;

    *out_ok = true;
    NILAS_NEW_ARRAY(by->arena, &literals, count * (1 + extra), err);
    for (size_t i = 0; i < count && *out_ok; i++) {
        *out_ok = apply(by, &by->leaf->literals[i], &literals[i]);
    }
    *out = literals;
    return NILAS_OK;
}

/* ---- equality -------------------------------------------------------------------------------- */

/** Whether old writers may have stored one more than the right date part. */
static bool may_be_high(const projector *by) {
    return is_date_part(by->field->transform.kind) &&
           !(by->field->transform.kind == NILAS_TRANSFORM_DAY &&
             by->leaf->type->kind == NILAS_ICE_DATE);
}

/** EQ and IN when inclusive, NOT_EQ and NOT_IN when strict, become IN and NOT_IN of the
 *  transformed literals. */
static nilas_code project_equality(const projector *by, bool *out_projected, nilas_projection *out,
                                   nilas_error *err) {
    bool equal = by->leaf->kind == NILAS_PREDICATE_EQ || by->leaf->kind == NILAS_PREDICATE_IN;
    size_t count = by->leaf->literal_count;
    nilas_value *literals;

    *out_projected = false;
    if (equal == by->strict) {
        return NILAS_OK;
    }
    NILAS_TRY(apply_all(by, 1, out_projected, &literals, err));
    for (size_t i = 0; *out_projected && may_be_high(by) && i < by->leaf->literal_count; i++) {
        if (literals[i].integer < 0) {
            literals[count++] = nilas_value_of_int(literals[i].integer + 1);
        }
    }
    out->test = (nilas_comparison){.kind = equal ? NILAS_PREDICATE_IN : NILAS_PREDICATE_NOT_IN,
                                   .type = by->result_type,
                                   .literals = literals,
                                   .literal_count = count};
    return NILAS_OK;
}

/* ---- order over numbers ---------------------------------------------------------------------- */

/** The bound on the partition value: which way, and from which source value. */
static nilas_predicate_kind bound_of(const projector *by, int *out_step) {
    switch (by->leaf->kind) {
    case NILAS_PREDICATE_LT: *out_step = by->strict ? 0 : -1; break;
    case NILAS_PREDICATE_LT_EQ: *out_step = by->strict ? 1 : 0; break;
    case NILAS_PREDICATE_GT: *out_step = by->strict ? 0 : 1; break;
    default: *out_step = by->strict ? -1 : 0; break;
    }
    bool less = by->leaf->kind == NILAS_PREDICATE_LT || by->leaf->kind == NILAS_PREDICATE_LT_EQ;
    return by->strict ? (less ? NILAS_PREDICATE_LT : NILAS_PREDICATE_GT)
                      : (less ? NILAS_PREDICATE_LT_EQ : NILAS_PREDICATE_GT_EQ);
}

static void allow_high(const projector *by, nilas_predicate_kind kind, nilas_value *bound) {
    if (may_be_high(by) && bound->integer < 0 &&
        (kind == NILAS_PREDICATE_LT_EQ || (by->strict && kind == NILAS_PREDICATE_GT))) {
        bound->integer++;
    }
}

static void allow_wrap(const projector *by, nilas_projection *out) {
    nilas_ice_kind kind = by->leaf->type->kind;

    if (by->field->transform.kind == NILAS_TRANSFORM_TRUNCATE &&
        (kind == NILAS_ICE_INT || kind == NILAS_ICE_LONG)) {
        out->may_wrap = true;
        out->wrap_above =
            (kind == NILAS_ICE_INT ? (int64_t)INT32_MAX : INT64_MAX) - by->field->transform.width;
    }
}

static nilas_code project_order(const projector *by, bool *out_projected, nilas_projection *out,
                                nilas_error *err) {
    nilas_value source = by->leaf->literals[0];
    nilas_value *bound;
    int by_step;
    nilas_predicate_kind kind = bound_of(by, &by_step);

    NILAS_NEW(by->arena, &bound, err);
    *out_projected =
        (by_step == 0 || step(by->leaf->type, &source, by_step)) && apply(by, &source, bound);
    if (!*out_projected) {
        return NILAS_OK;
    }
    allow_high(by, kind, bound);
    allow_wrap(by, out);
    // A bound that wrapped itself orders nothing.
    *out_projected = !out->may_wrap || bound->integer <= source.integer;
    out->test = (nilas_comparison){
        .kind = kind, .type = by->result_type, .literals = bound, .literal_count = 1};
    return NILAS_OK;
}

static nilas_code project_number(const projector *by, bool *out_projected, nilas_projection *out,
                                 nilas_error *err) {
    switch (by->leaf->kind) {
    case NILAS_PREDICATE_LT:
    case NILAS_PREDICATE_LT_EQ:
    case NILAS_PREDICATE_GT:
    case NILAS_PREDICATE_GT_EQ: return project_order(by, out_projected, out, err);
    case NILAS_PREDICATE_EQ:
    case NILAS_PREDICATE_NOT_EQ:
    case NILAS_PREDICATE_IN:
    case NILAS_PREDICATE_NOT_IN: return project_equality(by, out_projected, out, err);
    default: *out_projected = false; return NILAS_OK;
    }
}

/* ---- truncated text -------------------------------------------------------------------------- */

static size_t width_of(const nilas_value *text) {
    return text->kind == NILAS_VALUE_STRING ? nilas_str_codepoints(text->text) : text->text.size;
}

/** A prefix no longer than the width can be asked of the truncated text itself. */
static nilas_code project_prefix(const projector *by, bool *out_projected, nilas_projection *out,
                                 nilas_error *err) {
    bool starts = by->leaf->kind == NILAS_PREDICATE_STARTS_WITH;
    nilas_value *cut;

    if (width_of(by->leaf->literals) <= (size_t)by->field->transform.width) {
        *out_projected = take_over(by, out);
        return NILAS_OK;
    }
    // Longer ones: equality with the cut prefix is necessary for STARTS WITH, inequality sufficient
    // for its negation.
    NILAS_NEW(by->arena, &cut, err);
    *out_projected = starts != by->strict && apply(by, by->leaf->literals, cut);
    out->test = (nilas_comparison){.kind = starts ? NILAS_PREDICATE_EQ : NILAS_PREDICATE_NOT_EQ,
                                   .type = by->result_type,
                                   .literals = cut,
                                   .literal_count = 1};
    return NILAS_OK;
}

static nilas_code project_text(const projector *by, bool *out_projected, nilas_projection *out,
                               nilas_error *err) {
    bool less = by->leaf->kind == NILAS_PREDICATE_LT || by->leaf->kind == NILAS_PREDICATE_LT_EQ;
    nilas_value *bound;

    switch (by->leaf->kind) {
    case NILAS_PREDICATE_LT:
    case NILAS_PREDICATE_LT_EQ:
    case NILAS_PREDICATE_GT:
    case NILAS_PREDICATE_GT_EQ:
        NILAS_NEW(by->arena, &bound, err);
        *out_projected = apply(by, by->leaf->literals, bound);
        out->test = (nilas_comparison){
            .kind = by->strict ? (less ? NILAS_PREDICATE_LT : NILAS_PREDICATE_GT)
                               : (less ? NILAS_PREDICATE_LT_EQ : NILAS_PREDICATE_GT_EQ),
            .type = by->result_type,
            .literals = bound,
            .literal_count = 1};
        return NILAS_OK;
    case NILAS_PREDICATE_STARTS_WITH:
    case NILAS_PREDICATE_NOT_STARTS_WITH: return project_prefix(by, out_projected, out, err);
    default: return project_number(by, out_projected, out, err);
    }
}

/* ---- which of them --------------------------------------------------------------------------- */

/** Whether the leaf is about the very value that the partition stores. */
static bool is_same_term(const nilas_predicate *leaf, const nilas_transform *transform) {
    if (!leaf->has_transform) {
        return transform->kind == NILAS_TRANSFORM_IDENTITY;
    }
    return leaf->transform.kind == transform->kind && leaf->transform.width == transform->width;
}

static bool has_values_of(const nilas_predicate *leaf, nilas_value_kind kind) {
    for (size_t i = 0; i < leaf->literal_count; i++) {
        if (leaf->literals[i].kind != kind) {
            return false;
        }
    }
    return leaf->literal_count > 0;
}

/** Comparisons of the column through a transform that the leaf itself does not have. */
static nilas_code project_through(const projector *by, bool *out_projected, nilas_projection *out,
                                  nilas_error *err) {
    const nilas_predicate *leaf = by->leaf;
    nilas_transform_kind kind = by->field->transform.kind;

    if (kind == NILAS_TRANSFORM_BUCKET) {
        bool is_equality = leaf->kind >= NILAS_PREDICATE_EQ && leaf->kind <= NILAS_PREDICATE_NOT_IN;
        return is_equality ? project_equality(by, out_projected, out, err) : NILAS_OK;
    }
    if (has_values_of(leaf, NILAS_VALUE_STRING) || has_values_of(leaf, NILAS_VALUE_BINARY)) {
        return kind == NILAS_TRANSFORM_TRUNCATE ? project_text(by, out_projected, out, err)
                                                : NILAS_OK;
    }
    if (has_values_of(leaf, NILAS_VALUE_INT) || has_values_of(leaf, NILAS_VALUE_DECIMAL)) {
        return project_number(by, out_projected, out, err);
    }
    return NILAS_OK;
}

nilas_code nilas_iceberg__project(nilas_arena *arena, const nilas_predicate *leaf,
                                  const nilas_partition_field *field,
                                  const nilas_ice_type *result_type, bool strict,
                                  bool *out_projected, nilas_projection *out, nilas_error *err) {
    projector by = {
        .arena = arena, .leaf = leaf, .field = field, .result_type = result_type, .strict = strict};
    nilas_transform_kind kind = field->transform.kind;

    nilas_assert(leaf->field_id == field->source_id);
    *out_projected = false;
    if (kind == NILAS_TRANSFORM_VOID || kind == NILAS_TRANSFORM_UNKNOWN ||
        field->source_count != 1) {
        return NILAS_OK;
    }
    if (is_same_term(leaf, &field->transform)) {
        *out_projected = take_over(&by, out);
        return NILAS_OK;
    }
    if (leaf->has_transform) {
        return NILAS_OK;
    }
    if (leaf->kind == NILAS_PREDICATE_IS_NULL || leaf->kind == NILAS_PREDICATE_NOT_NULL) {
        *out_projected = take_over(&by, out); // null exactly where the source is
        return NILAS_OK;
    }
    return nilas_iceberg__is_comparison(leaf->kind) && leaf->literal_count > 0
               ? project_through(&by, out_projected, out, err)
               : NILAS_OK;
}
