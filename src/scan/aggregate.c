/*
 * count, min and max from manifests alone. Each answer is exact or not given: any delete, any file
 * of which only some rows match, any absent count or bound, any doubt about a bound (text may be
 * truncated, NaN stands outside of bounds, zeros have two signs) means that the data must be read.
 *
 * The value of an identity partition field is that of every row of the file, so it serves without
 * statistics.
 */
#include "scan/scan.h"

/** Whether the field is a column at the top of some schema of the table; counts of nested fields
 * mean other things. */
static bool is_top_level(const nilas_metadata *metadata, int32_t field_id) {
    for (size_t s = 0; s < metadata->schema_count; s++) {
        const nilas_ice_type *type = &metadata->schemas[s]->type;
        for (size_t f = 0; f < type->field_count; f++) {
            if (type->fields[f].id == field_id) {
                return true;
            }
        }
    }
    return false;
}

/** The value that every row of the file has in the column, when its spec has the column as identity
 * field. */
static const nilas_value *find_identity(const nilas_metadata *metadata, const nilas_data_file *file,
                                        int32_t field_id) {
    const nilas_partition_spec *spec = nilas_metadata_spec(metadata, file->spec_id);

    if (spec == NULL || file->partition.kind != NILAS_VALUE_STRUCT) {
        return NULL;
    }
    for (size_t i = 0; i < spec->field_count && i < file->partition.count; i++) {
        const nilas_partition_field *field = &spec->fields[i];
        if (field->transform.kind == NILAS_TRANSFORM_IDENTITY && field->source_count == 1 &&
            field->source_id == field_id) {
            return &file->partition.items[i];
        }
    }
    return NULL;
}

/** Non-null values of the column in one file; false when unknown. */
static bool count_values(const nilas_metadata *metadata, const nilas_data_file *file,
                         int32_t field_id, int64_t *out) {
    const nilas_value *identity = find_identity(metadata, file, field_id);
    int64_t values, nulls;

    if (identity != NULL) {
        *out = nilas_value_is_null(identity) ? 0 : file->record_count;
        return true;
    }
    if (!nilas_int_count_find(file->value_counts, file->value_count_count, field_id, &values) ||
        !nilas_int_count_find(file->null_value_counts, file->null_value_count_count, field_id,
                              &nulls)) {
        return false;
    }
    *out = values - nulls;
    return nulls >= 0 && values >= nulls && values == file->record_count;
}

static bool is_timestamp(nilas_ice_kind kind) {
    return kind == NILAS_ICE_TIMESTAMP || kind == NILAS_ICE_TIMESTAMPTZ ||
           kind == NILAS_ICE_TIMESTAMP_NS || kind == NILAS_ICE_TIMESTAMPTZ_NS;
}

/** Types whose bounds are values that occur, not limits that may lie beyond. */
static bool has_exact_bounds(const nilas_data_file *file, const nilas_aggregate *aggregate) {
    int64_t nans;

    switch (aggregate->type->kind) {
    case NILAS_ICE_BOOLEAN:
    case NILAS_ICE_INT:
    case NILAS_ICE_LONG:
    case NILAS_ICE_DECIMAL:
    case NILAS_ICE_DATE:
    case NILAS_ICE_TIME: return true;
    case NILAS_ICE_FLOAT:
    case NILAS_ICE_DOUBLE:
        return nilas_int_count_find(file->nan_value_counts, file->nan_value_count_count,
                                    aggregate->field_id, &nans) &&
               nans == 0;
    default:
        // ORC statistics keep milliseconds of a timestamp.
        return is_timestamp(aggregate->type->kind) && !nilas_str_is(file->file_format, "ORC");
    }
}

/** Make a value of the column's type out of a decoded or partition value; false when in doubt. */
static bool settle_value(const nilas_aggregate *aggregate, nilas_value *value) {
    bool is_real = value->kind == NILAS_VALUE_FLOAT || value->kind == NILAS_VALUE_DOUBLE;

    if (is_real && (value->real != value->real || value->real == 0)) {
        return false; // NaN; a zero, whose sign in the data is not known
    }
    if (is_real) {
        value->kind =
            aggregate->type->kind == NILAS_ICE_DOUBLE ? NILAS_VALUE_DOUBLE : NILAS_VALUE_FLOAT;
    }
    return true;
}

/** The least or greatest value of one file. *out null: all its values are null. */
static bool find_extreme(nilas_arena *stmt, const nilas_metadata *metadata,
                         const nilas_data_file *file, const nilas_aggregate *aggregate,
                         nilas_value *out) {
    const nilas_value *identity = find_identity(metadata, file, aggregate->field_id);
    bool is_min = aggregate->kind == NILAS_AGGREGATE_MIN;
    int64_t values;
    nilas_str bytes;

    *out = NILAS_NULL_VALUE;
    // A date column may have become a timestamp: then the stored partition value is in days.
    if (identity != NULL && !is_timestamp(aggregate->type->kind)) {
        *out = *identity;
        return settle_value(aggregate, out);
    }
    if (count_values(metadata, file, aggregate->field_id, &values) && values == 0) {
        return true;
    }
    bool found = is_min ? nilas_bound_find(file->lower_bounds, file->lower_bound_count,
                                           aggregate->field_id, &bytes)
                        : nilas_bound_find(file->upper_bounds, file->upper_bound_count,
                                           aggregate->field_id, &bytes);
    if (!found || !has_exact_bounds(file, aggregate) ||
        (is_timestamp(aggregate->type->kind) && bytes.size != 8)) {
        return false;
    }
    return nilas_ice_value_decode(stmt, aggregate->type, bytes, out, NULL) == NILAS_OK &&
           settle_value(aggregate, out);
}

static bool aggregate_extreme(nilas_arena *stmt, const nilas_metadata *metadata,
                              const nilas_scan_plan *plan, const nilas_aggregate *aggregate,
                              nilas_value *out) {
    bool is_min = aggregate->kind == NILAS_AGGREGATE_MIN;
    nilas_value best = NILAS_NULL_VALUE;

    for (size_t i = 0; i < plan->task_count; i++) {
        nilas_value value;
        if (plan->tasks[i].file.record_count == 0) {
            continue;
        }
        if (!find_extreme(stmt, metadata, &plan->tasks[i].file, aggregate, &value)) {
            return false;
        }
        if (nilas_value_is_null(&value)) {
            continue;
        }
        if (!nilas_value_is_null(&best) && best.kind != value.kind) {
            return false;
        }
        int order = nilas_value_is_null(&best) ? 0 : nilas_value_compare(&value, &best);
        if (nilas_value_is_null(&best) || (is_min ? order < 0 : order > 0)) {
            best = value;
        }
    }
    *out = best;
    return true;
}

static bool aggregate_count(const nilas_metadata *metadata, const nilas_scan_plan *plan,
                            const nilas_aggregate *aggregate, nilas_value *out) {
    int64_t total = 0;

    for (size_t i = 0; i < plan->task_count; i++) {
        const nilas_data_file *file = &plan->tasks[i].file;
        int64_t values = file->record_count;
        if (values > 0 && aggregate->kind == NILAS_AGGREGATE_COUNT &&
            !count_values(metadata, file, aggregate->field_id, &values)) {
            return false;
        }
        if (values < 0 || __builtin_add_overflow(total, values, &total)) {
            return false;
        }
    }
    *out = nilas_value_of_int(total);
    return true;
}

static bool answers_all_rows(const nilas_scan_plan *plan) {
    for (size_t i = 0; i < plan->task_count; i++) {
        if (!plan->tasks[i].all_rows_match || plan->tasks[i].delete_count > 0) {
            return false;
        }
    }
    return true;
}

nilas_code nilas_scan_aggregate(nilas_arena *stmt, const nilas_table *table,
                                const nilas_scan_plan *plan, const nilas_aggregate *aggregates,
                                size_t count, bool *out_exact, nilas_value *values,
                                nilas_error *err) {
    bool exact = answers_all_rows(plan);

    (void)err;
    for (size_t i = 0; i < count && exact; i++) {
        const nilas_aggregate *aggregate = &aggregates[i];
        if (aggregate->kind != NILAS_AGGREGATE_COUNT_STAR &&
            !is_top_level(table->metadata, aggregate->field_id)) {
            exact = false;
        } else if (aggregate->kind == NILAS_AGGREGATE_COUNT_STAR ||
                   aggregate->kind == NILAS_AGGREGATE_COUNT) {
            exact = aggregate_count(table->metadata, plan, aggregate, &values[i]);
        } else {
            exact = aggregate_extreme(stmt, table->metadata, plan, aggregate, &values[i]);
        }
    }
    *out_exact = exact;
    return NILAS_OK;
}
