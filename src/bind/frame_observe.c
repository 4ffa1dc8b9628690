/** DataFrame.observe(): rows go through; their metrics are asked for apart. */
#include "bind/frame.h"

nilas_code nilas_bind__observe(nilas_binder *binder, nilas_bind_scope *outer,
                               const nilas_query *query, nilas_bound_relation *out,
                               nilas_error *err) {
    nilas_bound_relation metrics;
    if (query->alias.size == 0) {
        return nilas_fail_at(err, NILAS_INVALID, "INVALID_OBSERVED_METRICS.MISSING_NAME",
                             query->offset,
                             "Invalid observed metrics. The observed metrics should be named.");
    }
    NILAS_TRY(nilas_bind__query(binder, outer, query->input, out, err));
    // What is wrong with a metric is said now.
    nilas_group_by none = {.present = true};
    nilas_select select = {.from = *out,
                           .exprs = query->exprs,
                           .expr_count = query->expr_count,
                           .group_by = &none,
                           .offset = query->offset};
    return nilas_bind__select(binder, outer, &select, &metrics, err);
}
