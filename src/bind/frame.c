/** Operations that only DataFrames have: each kind's binder by its kind. */
#include "bind/frame.h"

static const struct {
    nilas_query_kind kind;
    const char *name;       // as DataFrames call it
    nilas_bind_frame *bind; // NULL: not supported
} frames[] = {
    {NILAS_QUERY_SOURCE, "read", nilas_bind__source_query},
    {NILAS_QUERY_LOCAL, "local relation", nilas_bind__local},
    {NILAS_QUERY_TO_SCHEMA, "to", nilas_bind__to_schema},
    {NILAS_QUERY_NA_FILL, "na.fill", nilas_bind__na_fill},
    {NILAS_QUERY_NA_DROP, "na.drop", nilas_bind__na_drop},
    {NILAS_QUERY_NA_REPLACE, "na.replace", nilas_bind__na_replace},
    {NILAS_QUERY_DESCRIBE, "describe", nilas_bind__describe},
    {NILAS_QUERY_SUMMARY, "summary", nilas_bind__summary},
    {NILAS_QUERY_CROSSTAB, "stat.crosstab", nilas_bind__crosstab},
    {NILAS_QUERY_COV, "stat.cov", nilas_bind__cov},
    {NILAS_QUERY_CORR, "stat.corr", nilas_bind__corr},
    {NILAS_QUERY_APPROX_QUANTILE, "stat.approxQuantile", nilas_bind__approx_quantile},
    {NILAS_QUERY_FREQ_ITEMS, "stat.freqItems", nilas_bind__freq_items},
    {NILAS_QUERY_SAMPLE_BY, "stat.sampleBy", nilas_bind__sample_by},
    {NILAS_QUERY_TRANSPOSE, "transpose", nilas_bind__transpose},
    {NILAS_QUERY_AS_OF_JOIN, "as-of join", NULL},
    {NILAS_QUERY_OBSERVE, "observe", nilas_bind__observe},
    {NILAS_QUERY_PARSE, "reading rows of text", NULL},
};

nilas_code nilas_bind__frame(nilas_binder *binder, nilas_bind_scope *outer,
                             const nilas_query *query, nilas_bound_relation *out,
                             nilas_error *err) {
    const char *name = "this kind of query";
    for (size_t i = 0; i < sizeof(frames) / sizeof(frames[0]); i++) {
        if (frames[i].kind != query->kind) {
            continue;
        }
        name = frames[i].name;
        if (frames[i].bind != NULL) {
            return frames[i].bind(binder, outer, query, out, err);
        }
    }
    return nilas_fail_at(err, NILAS_UNSUPPORTED, "UNSUPPORTED_FEATURE", query->offset,
                         "%s is not supported by nilas yet.", name);
}

nilas_code nilas_bind__refs(nilas_binder *binder, const nilas_bound_relation *relation,
                            nilas_bound_expr ***out, nilas_error *err) {
    nilas_bound_expr **refs;
    NILAS_NEW_ARRAY(binder->arena, &refs, relation->column_count, err);
    for (size_t i = 0; i < relation->column_count; i++) {
        NILAS_TRY(nilas_bind__column_ref(binder, &relation->columns[i].attribute, &refs[i], err));
    }
    *out = refs;
    return NILAS_OK;
}

nilas_code nilas_bind__replace_columns(nilas_binder *binder, nilas_bound_relation *relation,
                                       nilas_bound_expr **exprs, const nilas_str *names,
                                       size_t count, nilas_error *err) {
    nilas_plan *plan;
    nilas_scope_column *columns;
    NILAS_TRY(nilas_bind__project(binder, relation->plan, exprs, names, count, &plan, err));
    NILAS_NEW_ARRAY(binder->arena, &columns, count, err);
    for (size_t i = 0; i < count; i++) {
        columns[i].attribute = plan->outputs[i];
        for (size_t k = 0; k < relation->column_count; k++) {
            const nilas_scope_column *source = &relation->columns[k];
            if (exprs[i]->kind == NILAS_BOUND_COLUMN &&
                exprs[i]->attribute_id == source->attribute.id) {
                NILAS_TRY(
                    nilas_bind__pass_on(binder, plan->outputs[i].id, source->attribute.id, err));
                columns[i].qualifier = source->qualifier;
                columns[i].qualifier_count = source->qualifier_count;
                columns[i].attribute.has_comment = source->attribute.has_comment;
                columns[i].attribute.comment = source->attribute.comment;
                plan->outputs[i] = columns[i].attribute;
                break;
            }
        }
    }
    *relation = (nilas_bound_relation){.plan = plan, .columns = columns, .column_count = count};
    return NILAS_OK;
}

nilas_code nilas_bind__ref_expr(nilas_binder *binder, const nilas_attribute *attribute,
                                nilas_expr **out, nilas_error *err) {
    nilas_expr *expr;
    NILAS_TRY(nilas_expr_new(binder->arena, NILAS_EXPR_COLUMN, -1, &expr, err));
    NILAS_NEW(binder->arena, &expr->parts, err);
    expr->parts[0] = attribute->name;
    expr->part_count = 1;
    expr->plan_id = NILAS_BOUND_PLAN_ID;
    expr->ordinal = attribute->id;
    *out = expr;
    return NILAS_OK;
}

nilas_code nilas_bind__own_columns(nilas_binder *binder, nilas_bound_relation *relation,
                                   nilas_error *err) {
    nilas_bound_expr **refs;
    nilas_str *names;
    NILAS_TRY(nilas_bind__visible_only(binder, relation, err));
    NILAS_TRY(nilas_bind__refs(binder, relation, &refs, err));
    NILAS_NEW_ARRAY(binder->arena, &names, relation->column_count, err);
    for (size_t i = 0; i < relation->column_count; i++) {
        names[i] = relation->columns[i].attribute.name;
    }
    NILAS_TRY(
        nilas_bind__replace_columns(binder, relation, refs, names, relation->column_count, err));
    for (size_t i = 0; i < relation->column_count; i++) {
        NILAS_TRY(nilas_bind__pass_on(binder, relation->columns[i].attribute.id, 0, err));
    }
    return NILAS_OK;
}
