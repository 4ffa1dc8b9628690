/*
 * readable_metrics: one struct member per primitive column, sorted by dotted name; in it sizes,
 * counts and the two bounds as values of the column's type.
 */
#include "scan/metrics.h"

#include <stdlib.h>

#include "scan/columns.h"
#include "scan/rows.h"

#define METRIC_COUNT 6

typedef NILAS_ARRAY_OF(nilas_scan__leaf) leaf_list;

/** Collect the primitive fields below a type, depth first. Variants have no statistics here. */
static nilas_code collect_leaves(nilas_arena *arena, const nilas_ice_type *type, nilas_str prefix,
                                 leaf_list *leaves, nilas_error *err) {
    for (size_t i = 0; i < type->field_count; i++) {
        const nilas_ice_field *field = &type->fields[i];
        nilas_str name = field->name;
        if (prefix.size > 0) {
            NILAS_TRY(nilas_str_print(arena, &name, err, "%.*s.%.*s", NILAS_FMT(prefix),
                                      NILAS_FMT(field->name)));
        }
        if (nilas_ice_is_nested(field->type)) {
            NILAS_TRY(collect_leaves(arena, field->type, name, leaves, err));
        } else if (field->type->kind != NILAS_ICE_VARIANT) {
            nilas_scan__leaf leaf = {.name = name, .field_id = field->id, .type = field->type};
            NILAS_PUSH(arena, leaves, leaf, err);
        }
    }
    return NILAS_OK;
}

static int compare_leaves(const void *a, const void *b) {
    return nilas_str_compare(((const nilas_scan__leaf *)a)->name,
                             ((const nilas_scan__leaf *)b)->name);
}

/** The six metrics of one column; their ids follow `*id`. */
static nilas_code leaf_type(nilas_arena *arena, const nilas_scan__leaf *leaf, int32_t *id,
                            const nilas_ice_type **out, nilas_error *err) {
    nilas_scan__column columns[METRIC_COUNT] = {
        {.name = "column_size", .kind = NILAS_SCAN__LONG, .doc = "Total size on disk"},
        {.name = "value_count",
         .kind = NILAS_SCAN__LONG,
         .doc = "Total count, including null and NaN"},
        {.name = "null_value_count", .kind = NILAS_SCAN__LONG, .doc = "Null value count"},
        {.name = "nan_value_count", .kind = NILAS_SCAN__LONG, .doc = "NaN value count"},
        {.name = "lower_bound", .kind = NILAS_SCAN__GIVEN, .doc = "Lower bound"},
        {.name = "upper_bound", .kind = NILAS_SCAN__GIVEN, .doc = "Upper bound"},
    };
    const nilas_ice_type *given[] = {leaf->type, leaf->type};
    nilas_ice_type *type;

    for (size_t i = 0; i < METRIC_COUNT; i++) {
        columns[i].id = ++*id;
    }
    NILAS_TRY(nilas_scan__struct_type(arena, columns, METRIC_COUNT, given, &type, err));
    *out = type;
    return NILAS_OK;
}

nilas_code nilas_scan__metrics_new(nilas_arena *arena, const nilas_schema *schema,
                                   int32_t highest_id, nilas_scan__metrics **out,
                                   nilas_error *err) {
    nilas_scan__metrics *metrics;
    leaf_list leaves = {0};
    nilas_ice_type *type;
    int32_t id = highest_id;

    NILAS_TRY(collect_leaves(arena, &schema->type, NILAS_STR_EMPTY, &leaves, err));
    if (leaves.count > 1) {
        qsort(leaves.items, leaves.count, sizeof(leaves.items[0]), compare_leaves);
    }
    NILAS_NEW(arena, &type, err);
    type->kind = NILAS_ICE_STRUCT;
    NILAS_NEW_ARRAY(arena, &type->fields, leaves.count, err);
    type->field_count = leaves.count;
    for (size_t i = 0; i < leaves.count; i++) {
        nilas_ice_field *field = &type->fields[i];
        field->id = ++id;
        field->name = leaves.items[i].name;
        field->has_doc = true;
        NILAS_TRY(nilas_str_print(arena, &field->doc, err, "Metrics for column %.*s",
                                  NILAS_FMT(field->name)));
        NILAS_TRY(leaf_type(arena, &leaves.items[i], &id, &field->type, err));
    }

    NILAS_NEW(arena, &metrics, err);
    *metrics = (nilas_scan__metrics){
        .leaves = leaves.items, .count = leaves.count, .id = id + 1, .type = type};
    *out = metrics;
    return NILAS_OK;
}

static nilas_value count_of(const nilas_int_count *list, size_t count, int32_t field_id) {
    int64_t found;

    return nilas_int_count_find(list, count, field_id, &found) ? nilas_value_of_int(found)
                                                               : NILAS_NULL_VALUE;
}

/** A bound that its type cannot read (a promoted or damaged one) is shown as null. */
static nilas_code bound_of(nilas_arena *arena, const nilas_scan__leaf *leaf,
                           const nilas_bound *list, size_t count, nilas_value *out,
                           nilas_error *err) {
    nilas_error own = NILAS_ERROR_INIT;
    nilas_str bytes;

    *out = NILAS_NULL_VALUE;
    if (!nilas_bound_find(list, count, leaf->field_id, &bytes)) {
        return NILAS_OK;
    }
    nilas_code code = nilas_ice_value_decode(arena, leaf->type, bytes, out, &own);
    if (code == NILAS_NOMEM || code == NILAS_LIMIT) {
        return nilas_fail(err, code, "%s", own.message);
    }
    if (code != NILAS_OK) {
        *out = NILAS_NULL_VALUE;
    }
    return NILAS_OK;
}

nilas_code nilas_scan__metrics_of(nilas_arena *arena, const nilas_scan__metrics *metrics,
                                  const nilas_data_file *file, nilas_value *out, nilas_error *err) {
    NILAS_TRY(nilas_scan__new_struct(arena, metrics->count, out, err));
    for (size_t i = 0; i < metrics->count; i++) {
        const nilas_scan__leaf *leaf = &metrics->leaves[i];
        int32_t id = leaf->field_id;
        NILAS_TRY(nilas_scan__new_struct(arena, METRIC_COUNT, &out->items[i], err));
        nilas_value *items = out->items[i].items;
        items[0] = count_of(file->column_sizes, file->column_size_count, id);
        items[1] = count_of(file->value_counts, file->value_count_count, id);
        items[2] = count_of(file->null_value_counts, file->null_value_count_count, id);
        items[3] = count_of(file->nan_value_counts, file->nan_value_count_count, id);
        NILAS_TRY(
            bound_of(arena, leaf, file->lower_bounds, file->lower_bound_count, &items[4], err));
        NILAS_TRY(
            bound_of(arena, leaf, file->upper_bounds, file->upper_bound_count, &items[5], err));
    }
    return NILAS_OK;
}
