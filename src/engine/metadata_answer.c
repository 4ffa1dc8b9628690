/*
 * Aggregates from metadata. The shape: columns and literals over one AGGREGATE without groups, over
 * at most one FILTER whose whole condition was pushed, over a SCAN; projections of plain columns
 * may stand between, and SORT and LIMIT of the one row above. Anything else is left to DuckDB.
 */
#include "engine/metadata_answer.h"

#include "engine/scan_source.h"

/** The plan taken apart. */
typedef struct answer_shape {
    const nilas_plan *project; // or NULL: the aggregate's outputs are the plan's
    const nilas_plan *aggregate;
    const nilas_plan *scan;
} answer_shape;

static const nilas_plan *skip_order_of_one_row(const nilas_plan *plan) {
    while (plan->kind == NILAS_PLAN_SORT ||
           (plan->kind == NILAS_PLAN_LIMIT && plan->limit_offset == 0 &&
            (plan->limit < 0 || plan->limit > 0))) {
        plan = plan->input;
    }
    return plan;
}

static bool is_plain(const nilas_plan *project) {
    for (size_t i = 0; i < project->expr_count; i++) {
        nilas_bound_kind kind = project->exprs[i]->kind;
        if (kind != NILAS_BOUND_COLUMN && kind != NILAS_BOUND_LITERAL) {
            return false;
        }
    }
    return true;
}

/** Below the aggregate: plain projections and one filter over a scan of data. */
static bool match_source(const nilas_plan *plan, answer_shape *out) {
    bool has_filter = false;
    while (plan->kind == NILAS_PLAN_PROJECT || plan->kind == NILAS_PLAN_FILTER) {
        bool is_filter = plan->kind == NILAS_PLAN_FILTER;
        if (is_filter ? has_filter : (plan->input == NULL || !is_plain(plan))) {
            return false;
        }
        has_filter = has_filter || is_filter;
        plan = plan->input;
    }
    out->scan = plan;
    if (plan->kind != NILAS_PLAN_SCAN || plan->scan->metadata_table != NILAS_METADATA_NONE ||
        plan->scan->with_deleted) {
        return false;
    }
    return has_filter ? plan->scan->filter_is_exact : plan->scan->filter == NULL;
}

static bool match_shape(const nilas_plan *plan, answer_shape *out) {
    *out = (answer_shape){0};
    plan = skip_order_of_one_row(plan);
    if (plan->kind == NILAS_PLAN_PROJECT && plan->input != NULL && is_plain(plan)) {
        out->project = plan;
        plan = skip_order_of_one_row(plan->input);
    }
    if (plan->kind != NILAS_PLAN_AGGREGATE || plan->group_count > 0 || plan->set_count > 0 ||
        plan->has_grouping_id) {
        return false;
    }
    out->aggregate = plan;
    return match_source(plan->input, out);
}

/**
 * The table's field that an attribute is, through plain projections; NULL when it is something
 * else.
 */
static const nilas_ice_field *find_field(const answer_shape *shape, const nilas_plan *plan,
                                         int32_t attribute_id) {
    for (size_t i = 0; i < plan->output_count; i++) {
        if (plan->outputs[i].id != attribute_id) {
            continue;
        }
        if (plan == shape->scan) {
            const nilas_ice_field *field = plan->scan->columns[i].field;
            return field->id < 2147483000 ? field : NULL;
        }
        if (plan->kind == NILAS_PLAN_FILTER) {
            return find_field(shape, plan->input, attribute_id);
        }
        const nilas_bound_expr *expr = plan->kind == NILAS_PLAN_PROJECT ? plan->exprs[i] : NULL;
        return expr != NULL && expr->kind == NILAS_BOUND_COLUMN
                   ? find_field(shape, plan->input, expr->attribute_id)
                   : NULL;
    }
    return NULL;
}

static bool match_count(const answer_shape *shape, const nilas_bound_expr *call,
                        nilas_aggregate *out) {
    if (call->arg_count == 0 ||
        (call->arg_count == 1 && call->args[0]->kind == NILAS_BOUND_LITERAL &&
         call->args[0]->value.kind != NILAS_VALUE_NULL)) {
        out->kind = NILAS_AGGREGATE_COUNT_STAR;
        return true;
    }
    if (call->arg_count != 1 || call->args[0]->kind != NILAS_BOUND_COLUMN) {
        return false;
    }
    const nilas_ice_field *field =
        find_field(shape, shape->aggregate->input, call->args[0]->attribute_id);
    if (field == NULL) {
        return false;
    }
    *out = (nilas_aggregate){.kind = field->required ? NILAS_AGGREGATE_COUNT_STAR
                                                     : NILAS_AGGREGATE_COUNT,
                             .field_id = field->id,
                             .type = field->type};
    return true;
}

static bool match_aggregate(const answer_shape *shape, const nilas_bound_expr *call,
                            nilas_aggregate *out) {
    *out = (nilas_aggregate){0};
    if (call->kind != NILAS_BOUND_CALL || call->distinct || call->filter != NULL ||
        call->order_by_count > 0) {
        return false;
    }
    if (strcmp(call->function->name, "count") == 0) {
        return match_count(shape, call, out);
    }
    bool is_min = strcmp(call->function->name, "min") == 0;
    if ((!is_min && strcmp(call->function->name, "max") != 0) || call->arg_count != 1 ||
        call->args[0]->kind != NILAS_BOUND_COLUMN) {
        return false;
    }
    const nilas_ice_field *field =
        find_field(shape, shape->aggregate->input, call->args[0]->attribute_id);
    if (field == NULL || nilas_ice_is_nested(field->type)) {
        return false;
    }
    *out = (nilas_aggregate){.kind = is_min ? NILAS_AGGREGATE_MIN : NILAS_AGGREGATE_MAX,
                             .field_id = field->id,
                             .type = field->type};
    return true;
}

/** The aggregate's values put where the projection above wants them. */
static nilas_code arrange(nilas_render *r, const answer_shape *shape, const nilas_value *values,
                          nilas_value **out, nilas_error *err) {
    const nilas_plan *project = shape->project;
    size_t count = project != NULL ? project->expr_count : shape->aggregate->expr_count;
    NILAS_NEW_ARRAY(r->stmt, out, count, err);
    for (size_t i = 0; i < count; i++) {
        if (project == NULL) {
            (*out)[i] = values[i];
            continue;
        }
        const nilas_bound_expr *expr = project->exprs[i];
        if (expr->kind == NILAS_BOUND_LITERAL) {
            (*out)[i] = expr->value;
        }
        for (size_t a = 0; expr->kind == NILAS_BOUND_COLUMN && a < shape->aggregate->output_count;
             a++) {
            if (shape->aggregate->outputs[a].id == expr->attribute_id) {
                (*out)[i] = values[a];
            }
        }
    }
    return NILAS_OK;
}

nilas_code nilas_engine__answer_from_metadata(nilas_render *r, const nilas_plan *plan,
                                              bool *out_answered, nilas_value **out_values,
                                              nilas_error *err) {
    answer_shape shape;
    *out_answered = false;
    if (!match_shape(plan, &shape)) {
        return NILAS_OK;
    }
    size_t count = shape.aggregate->expr_count;
    nilas_aggregate *aggregates;
    nilas_value *values;
    bool with_stats = false;
    NILAS_NEW_ARRAY(r->stmt, &aggregates, count, err);
    NILAS_NEW_ARRAY(r->stmt, &values, count, err);
    for (size_t i = 0; i < count; i++) {
        if (!match_aggregate(&shape, shape.aggregate->exprs[i], &aggregates[i])) {
            return NILAS_OK;
        }
        with_stats = with_stats || aggregates[i].kind != NILAS_AGGREGATE_COUNT_STAR;
    }
    const nilas_bound_scan *scan = shape.scan->scan;
    NILAS_TRY(nilas_source__plan_files(r->stmt, r->job->engine, scan, with_stats, &r->planned_files,
                                       err));
    r->planned = scan;
    NILAS_TRY(nilas_scan_aggregate(r->stmt, scan->table, r->planned_files, aggregates, count,
                                   out_answered, values, err));
    if (!*out_answered) {
        return NILAS_OK;
    }
    for (size_t i = 0; i < count; i++) {
        bool is_value =
            aggregates[i].kind == NILAS_AGGREGATE_MIN || aggregates[i].kind == NILAS_AGGREGATE_MAX;
        if (is_value) {
            NILAS_TRY(nilas_source__spark_value(r->stmt, aggregates[i].type, &values[i], &values[i],
                                                err));
        }
    }
    return arrange(r, &shape, values, out_values, err);
}
