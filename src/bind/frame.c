/** Operations that only DataFrames have: each kind's binder by its kind. */
#include "bind/query.h"

typedef nilas_code bind_fn(nilas_binder *binder, nilas_bind_scope *outer, const nilas_query *query,
                           nilas_bound_relation *out, nilas_error *err);

static const struct {
    nilas_query_kind kind;
    const char *name; // as DataFrames call it
    bind_fn *bind;    // NULL: not supported
} frames[] = {
    {NILAS_QUERY_SOURCE, "read", nilas_bind__source_query},
    {NILAS_QUERY_LOCAL, "local relation", NULL},
    {NILAS_QUERY_TO_SCHEMA, "to", NULL},
    {NILAS_QUERY_NA_FILL, "na.fill", NULL},
    {NILAS_QUERY_NA_DROP, "na.drop", NULL},
    {NILAS_QUERY_NA_REPLACE, "na.replace", NULL},
    {NILAS_QUERY_DESCRIBE, "describe", NULL},
    {NILAS_QUERY_SUMMARY, "summary", NULL},
    {NILAS_QUERY_CROSSTAB, "stat.crosstab", NULL},
    {NILAS_QUERY_COV, "stat.cov", NULL},
    {NILAS_QUERY_CORR, "stat.corr", NULL},
    {NILAS_QUERY_APPROX_QUANTILE, "stat.approxQuantile", NULL},
    {NILAS_QUERY_FREQ_ITEMS, "stat.freqItems", NULL},
    {NILAS_QUERY_SAMPLE_BY, "stat.sampleBy", NULL},
    {NILAS_QUERY_TRANSPOSE, "transpose", NULL},
    {NILAS_QUERY_AS_OF_JOIN, "as-of join", NULL},
    {NILAS_QUERY_OBSERVE, "observe", NULL},
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
