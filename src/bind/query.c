/**
 * The query half of the binder: one tree node at a time into plan operators. Things start at
 * nilas_bind_query().
 *
 * Each node gives a relation: a plan and what its columns are called. Reading order: query_from.c,
 * query_join.c, query_select.c with query_extract.c, query_set.c, query_pivot.c, query_pipe.c; then
 * prune.c and push.c make the plan smaller.
 */
#include "bind/frame.h"

nilas_code nilas_bind_query(const nilas_bind_environment *environment, const nilas_query *query,
                            nilas_plan **out, nilas_error *err) {
    nilas_binder binder = {.environment = environment, .arena = environment->stmt, .next_id = 1};
    nilas_bound_relation relation;
    NILAS_TRY(nilas_bind__query(&binder, NULL, query, &relation, err));
    NILAS_TRY(nilas_bind__visible_only(&binder, &relation, err));
    for (size_t i = 0; i < relation.column_count; i++) {
        relation.plan->outputs[i].name =
            relation.columns[i].attribute.name; // an alias above may have renamed them
    }
    NILAS_TRY(nilas_bind__push(&binder, relation.plan, err));
    NILAS_TRY(nilas_bind__prune(&binder, relation.plan, err));
    *out = relation.plan;
    return NILAS_OK;
}

/** Value of a LIMIT, OFFSET or similar expression: a constant integer that is not negative. */
static nilas_code fold_count(nilas_binder *binder, nilas_bind_scope *outer, const nilas_expr *expr,
                             const char *what, int64_t *out, nilas_error *err) {
    nilas_bind_scope scope = {.binder = binder,
                              .outer = outer,
                              .clause = what,
                              .no_aggregates = true,
                              .no_windows = true};
    nilas_bound_expr *bound;
    NILAS_TRY(nilas_bind__expr(&scope, expr, &bound, err));
    if (!nilas_type_is_integral(bound->type)) {
        return nilas_fail_at(err, NILAS_INVALID, "INVALID_LIMIT_LIKE_EXPRESSION.DATA_TYPE",
                             expr->offset, "The %s expression must be of integer type.", what);
    }
    nilas_value value;
    if (nilas_bind__fold(binder, bound, &value, err) != NILAS_OK) {
        return nilas_fail_at(err, NILAS_INVALID, "INVALID_LIMIT_LIKE_EXPRESSION.IS_UNFOLDABLE",
                             expr->offset, "The %s expression must be a constant.", what);
    }
    if (nilas_value_is_null(&value)) {
        return nilas_fail_at(err, NILAS_INVALID, "INVALID_LIMIT_LIKE_EXPRESSION.IS_NULL",
                             expr->offset, "The evaluated %s expression must not be null.", what);
    }
    if (value.integer < 0) {
        return nilas_fail_at(err, NILAS_INVALID, "INVALID_LIMIT_LIKE_EXPRESSION.IS_NEGATIVE",
                             expr->offset,
                             "The %s expression must be equal to or greater than 0, but got %lld.",
                             what, (long long)value.integer);
    }
    *out = value.integer;
    return NILAS_OK;
}

static nilas_code bind_limit(nilas_binder *binder, nilas_bind_scope *outer,
                             const nilas_query *query, nilas_bound_relation *out,
                             nilas_error *err) {
    NILAS_TRY(nilas_bind__query(binder, outer, query->input, out, err));
    nilas_plan *plan;
    NILAS_TRY(nilas_bind__plan(binder, NILAS_PLAN_LIMIT, out->plan, &plan, err));
    if (query->limit != NULL) {
        NILAS_TRY(fold_count(binder, outer, query->limit,
                             query->kind == NILAS_QUERY_TAIL ? "tail" : "limit", &plan->limit,
                             err));
    }
    if (query->limit_offset != NULL) {
        NILAS_TRY(
            fold_count(binder, outer, query->limit_offset, "offset", &plan->limit_offset, err));
    }
    plan->is_tail = query->kind == NILAS_QUERY_TAIL;
    out->plan = plan;
    return NILAS_OK;
}

static nilas_code bind_filter(nilas_binder *binder, nilas_bind_scope *outer,
                              const nilas_query *query, nilas_bound_relation *out,
                              nilas_error *err) {
    nilas_expr *condition = query->where;
    if (query->input->kind == NILAS_QUERY_PIPE_AGGREGATE && query->plan_id != 0 &&
        nilas_bind__calls_aggregate(&condition, 1)) {
        return nilas_bind__aggregate_frame(binder, outer, query->input, query, out, err);
    }
    NILAS_TRY(nilas_bind__query(binder, outer, query->input, out, err));
    nilas_bind_scope scope;
    nilas_bind__scope_of(&scope, binder, out, outer, "WHERE");
    scope.no_aggregates = scope.no_windows = scope.no_generators = true;
    scope.takes_missing = true;
    nilas_plan *plan;
    NILAS_TRY(nilas_bind__plan(binder, NILAS_PLAN_FILTER, out->plan, &plan, err));
    NILAS_TRY(nilas_bind__condition(&scope, query->where, &plan->condition, err));
    out->plan = plan;
    return NILAS_OK;
}

static nilas_code fold_double(nilas_binder *binder, nilas_bind_scope *outer, const nilas_expr *expr,
                              double *out, nilas_error *err) {
    nilas_bind_scope scope = {.binder = binder, .outer = outer, .clause = "TABLESAMPLE"};
    nilas_bound_expr *bound;
    nilas_value value;
    NILAS_TRY(nilas_bind__expr(&scope, expr, &bound, err));
    NILAS_TRY(nilas_bind__coerce(binder, bound, nilas_type_of(NILAS_TYPE_DOUBLE), &bound, err));
    NILAS_TRY(nilas_bind__fold(binder, bound, &value, err));
    *out = value.real;
    return NILAS_OK;
}

static nilas_code bind_sample(nilas_binder *binder, nilas_bind_scope *outer,
                              const nilas_query *query, nilas_bound_relation *out,
                              nilas_error *err) {
    NILAS_TRY(nilas_bind__query(binder, outer, query->input, out, err));
    const nilas_sample *sample = query->sample;
    nilas_plan *plan;
    if (sample->kind == NILAS_SAMPLE_ROWS) {
        NILAS_TRY(nilas_bind__plan(binder, NILAS_PLAN_LIMIT, out->plan, &plan, err));
        NILAS_TRY(fold_count(binder, outer, sample->amount, "limit", &plan->limit, err));
        out->plan = plan;
        return NILAS_OK;
    }
    NILAS_TRY(nilas_bind__plan(binder, NILAS_PLAN_SAMPLE, out->plan, &plan, err));
    if (sample->kind == NILAS_SAMPLE_BUCKET) {
        plan->sample_fraction = (double)sample->numerator / (double)sample->denominator;
    } else if (sample->kind == NILAS_SAMPLE_BYTES) {
        return nilas_fail_at(err, NILAS_INVALID, "_LEGACY_ERROR_TEMP_0015", query->offset,
                             "TABLESAMPLE(byteLengthLiteral) is not supported.");
    } else {
        NILAS_TRY(fold_double(binder, outer, sample->amount, &plan->sample_fraction, err));
        plan->sample_fraction /= sample->kind == NILAS_SAMPLE_PERCENT ? 100.0 : 1.0;
    }
    if (!sample->with_replacement && (plan->sample_fraction < 0.0 || plan->sample_fraction > 1.0)) {
        return nilas_fail_at(err, NILAS_INVALID, "_LEGACY_ERROR_TEMP_0064", query->offset,
                             "Sampling fraction (%g) must be on interval [0, 1].",
                             plan->sample_fraction);
    }
    if (sample->seed != NULL) {
        double seed;
        NILAS_TRY(fold_double(binder, outer, sample->seed, &seed, err));
        plan->seed = (int64_t)seed;
        plan->has_seed = true;
    }
    plan->with_replacement = sample->with_replacement;
    out->plan = plan;
    return NILAS_OK;
}

static nilas_code bind_select(nilas_binder *binder, nilas_bind_scope *outer,
                              const nilas_query *query, const nilas_query *sort,
                              nilas_bound_relation *out, nilas_error *err) {
    nilas_select select = {
        .exprs = query->exprs,
        .expr_count = query->expr_count,
        .where = query->where,
        .having = query->having,
        .group_by = &query->group_by,
        .distinct = query->distinct,
        .windows = query->windows,
        .window_count = query->window_count,
        .sort = sort,
        .offset = query->offset,
    };
    if (query->input != NULL) {
        NILAS_TRY(nilas_bind__query(binder, outer, query->input, &select.from, err));
    } else {
        NILAS_TRY(nilas_bind__plan(binder, NILAS_PLAN_ONE_ROW, NULL, &select.from.plan, err));
    }
    return nilas_bind__select(binder, outer, &select, out, err);
}

static nilas_code bind_sort(nilas_binder *binder, nilas_bind_scope *outer, const nilas_query *query,
                            nilas_bound_relation *out, nilas_error *err) {
    // ORDER BY may name columns of FROM that the select list leaves out, so that both are bound
    // together.
    if (query->input->kind == NILAS_QUERY_SELECT && query->input->plan_id == 0) {
        return bind_select(binder, outer, query->input, query, out, err);
    }
    // A frame's sort may aggregate what its input does too: groupBy().count().sort(sum).
    if (query->input->kind == NILAS_QUERY_PIPE_AGGREGATE && query->plan_id != 0 &&
        nilas_bind__calls_aggregate(query->exprs, query->expr_count)) {
        return nilas_bind__aggregate_frame(binder, outer, query->input, query, out, err);
    }
    return nilas_bind__sort(binder, outer, query, out, err);
}

static nilas_code bind_alias(nilas_binder *binder, nilas_bind_scope *outer,
                             const nilas_query *query, nilas_bound_relation *out,
                             nilas_error *err) {
    NILAS_TRY(nilas_bind__query(binder, outer, query->input, out, err));
    nilas_bind__drop_missing(out);
    if (query->plan_id != 0 && query->column_count > 0) {
        NILAS_TRY(nilas_bind__own_columns(binder, out, err));
    }
    return nilas_bind__apply_alias(binder, out, query->alias,
                                   query->has_alias || query->alias.size > 0, query->columns,
                                   query->column_count, query->offset, err);
}

static nilas_code bind_deduplicate(nilas_binder *binder, nilas_bind_scope *outer,
                                   const nilas_query *query, nilas_bound_relation *out,
                                   nilas_error *err) {
    NILAS_TRY(nilas_bind__query(binder, outer, query->input, out, err));
    NILAS_TRY(nilas_bind__visible_only(binder, out, err));
    nilas_bind_scope scope;
    nilas_bind__scope_of(&scope, binder, out, outer, "DEDUPLICATE");
    nilas_plan *plan;
    NILAS_TRY(nilas_bind__plan(binder, NILAS_PLAN_DISTINCT, out->plan, &plan, err));
    NILAS_NEW_ARRAY(binder->arena, &plan->exprs, query->column_count, err);
    for (size_t i = 0; i < query->column_count; i++) {
        size_t consumed;
        NILAS_TRY(nilas_bind__find_column(&scope, &query->columns[i], 1, query->offset,
                                          &plan->exprs[i], &consumed, err));
    }
    plan->expr_count = query->column_count;
    out->plan = plan;
    return NILAS_OK;
}

static nilas_code dispatch(nilas_binder *binder, nilas_bind_scope *outer, const nilas_query *query,
                           nilas_bound_relation *out, nilas_error *err) {
    switch (query->kind) {
    case NILAS_QUERY_SELECT: return bind_select(binder, outer, query, NULL, out, err);
    case NILAS_QUERY_VALUES: return nilas_bind__values(binder, outer, query, out, err);
    case NILAS_QUERY_TABLE: return nilas_bind__table(binder, outer, query, out, err);
    case NILAS_QUERY_FUNCTION: return nilas_bind__table_function(binder, outer, query, out, err);
    case NILAS_QUERY_ALIAS: return bind_alias(binder, outer, query, out, err);
    case NILAS_QUERY_JOIN: return nilas_bind__join(binder, outer, query, out, err);
    case NILAS_QUERY_SET_OP: return nilas_bind__set_op(binder, outer, query, out, err);
    case NILAS_QUERY_SORT: return bind_sort(binder, outer, query, out, err);
    case NILAS_QUERY_LIMIT:
    case NILAS_QUERY_TAIL: return bind_limit(binder, outer, query, out, err);
    case NILAS_QUERY_WITH: return nilas_bind__with(binder, outer, query, out, err);
    case NILAS_QUERY_LATERAL_VIEW: return nilas_bind__lateral_view(binder, outer, query, out, err);
    case NILAS_QUERY_PIVOT: return nilas_bind__pivot(binder, outer, query, out, err);
    case NILAS_QUERY_UNPIVOT:
        return query->unpivot->ids_given ? nilas_bind__frame_unpivot(binder, outer, query, out, err)
                                         : nilas_bind__unpivot(binder, outer, query, out, err);
    case NILAS_QUERY_SAMPLE:
        return query->sample->kind == NILAS_SAMPLE_FRACTION && query->plan_id != 0
                   ? nilas_bind__frame_sample(binder, outer, query, out, err)
                   : bind_sample(binder, outer, query, out, err);
    case NILAS_QUERY_FILTER: return bind_filter(binder, outer, query, out, err);
    case NILAS_QUERY_HINT: return nilas_bind__query(binder, outer, query->input, out, err);
    case NILAS_QUERY_DEDUPLICATE: return bind_deduplicate(binder, outer, query, out, err);
    case NILAS_QUERY_PIPE_SELECT:
    case NILAS_QUERY_PIPE_EXTEND:
    case NILAS_QUERY_PIPE_SET:
    case NILAS_QUERY_PIPE_DROP:
    case NILAS_QUERY_PIPE_RENAME:
    case NILAS_QUERY_PIPE_AGGREGATE: return nilas_bind__pipe(binder, outer, query, out, err);
    default: return nilas_bind__frame(binder, outer, query, out, err);
    }
}

nilas_code nilas_bind__query(nilas_binder *binder, nilas_bind_scope *outer,
                             const nilas_query *query, nilas_bound_relation *out,
                             nilas_error *err) {
    if (binder->depth >= NILAS_LIMIT_SQL_DEPTH) {
        return nilas_fail_at(err, NILAS_LIMIT, "FAILED_TO_PARSE_TOO_COMPLEX", query->offset,
                             "The query is nested more than %d levels deep.",
                             NILAS_LIMIT_SQL_DEPTH);
    }
    *out = (nilas_bound_relation){0};
    const nilas_bound_frame *outside = binder->frames_outside;
    binder->frames_outside = binder->frames;
    binder->depth++;
    nilas_code code = dispatch(binder, outer, query, out, err);
    if (query->kind == NILAS_QUERY_SET_OP && query->set_op == NILAS_SET_UNION) {
        binder->frames = binder->frames_outside; // as Spark, which does not look below a union
    }
    if (code == NILAS_OK && query->plan_id != 0) {
        code = nilas_bind__add_frame(binder, query->plan_id, out, err);
    }
    binder->depth--;
    binder->frames_outside = outside;
    return code;
}

nilas_code nilas_bind__subquery(nilas_bind_scope *scope, const nilas_query *query, nilas_plan **out,
                                nilas_error *err) {
    nilas_bound_relation relation;
    const nilas_bound_frame *frames = scope->binder->frames;
    nilas_code code = nilas_bind__query(scope->binder, scope, query, &relation, err);
    scope->binder->frames = frames; // its frames are its own
    NILAS_TRY(code);
    NILAS_TRY(nilas_bind__visible_only(scope->binder, &relation, err));
    *out = relation.plan;
    return NILAS_OK;
}
