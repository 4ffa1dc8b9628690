/** df.na and df.stat: relations of columns by name. */
#include "connect/plan.h"

/** Names of columns in a message. */
typedef struct names {
    char *const *items;
    size_t count;
} names;

/** A node over `input` that names columns. */
static nilas_code over_columns(nilas_connect__plan *plan, nilas_query_kind kind,
                               const Sc__Relation *input, names columns, nilas_query **out) {
    NILAS_TRY(nilas_connect__over(plan, kind, input, out));
    NILAS_TRY(nilas_connect__texts(plan, columns.items, columns.count, &(*out)->columns));
    (*out)->column_count = columns.count;
    return NILAS_OK;
}

// ---- na -----------------------------------------------------------------------------------------

nilas_code nilas_connect__na_fill(nilas_connect__plan *plan, const Sc__Relation *message,
                                  nilas_query **out) {
    const Sc__NAFill *from = message->fill_na;
    nilas_query *query;
    NILAS_REQUIRE(from->n_values > 0, plan->err, NILAS_INVALID,
                  "values must contain at least 1 item!");
    NILAS_REQUIRE(from->n_values == 1 || from->n_values == from->n_cols, plan->err, NILAS_INVALID,
                  "When values contains more than 1 items, values and cols should have the same "
                  "length!");
    NILAS_TRY(over_columns(plan, NILAS_QUERY_NA_FILL, from->input,
                           (names){from->cols, from->n_cols}, &query));
    NILAS_NEW_ARRAY(plan->stmt, &query->exprs, from->n_values, plan->err);
    query->expr_count = from->n_values;
    for (size_t i = 0; i < from->n_values; i++) {
        NILAS_TRY(nilas_connect__literal(plan, from->values[i], &query->exprs[i]));
    }
    *out = query;
    return NILAS_OK;
}

nilas_code nilas_connect__na_drop(nilas_connect__plan *plan, const Sc__Relation *message,
                                  nilas_query **out) {
    const Sc__NADrop *from = message->drop_na;
    NILAS_TRY(over_columns(plan, NILAS_QUERY_NA_DROP, from->input,
                           (names){from->cols, from->n_cols}, out));
    (*out)->has_number = from->_min_non_nulls_case != SC__NADROP___MIN_NON_NULLS__NOT_SET;
    (*out)->number = (*out)->has_number ? from->min_non_nulls : 0;
    return NILAS_OK;
}

nilas_code nilas_connect__na_replace(nilas_connect__plan *plan, const Sc__Relation *message,
                                     nilas_query **out) {
    const Sc__NAReplace *from = message->replace;
    nilas_query *query;
    NILAS_TRY(over_columns(plan, NILAS_QUERY_NA_REPLACE, from->input,
                           (names){from->cols, from->n_cols}, &query));
    NILAS_NEW_ARRAY(plan->stmt, &query->exprs, 2 * from->n_replacements, plan->err);
    query->expr_count = 2 * from->n_replacements;
    for (size_t i = 0; i < from->n_replacements; i++) {
        const Sc__NAReplace__Replacement *replacement = from->replacements[i];
        NILAS_TRY(nilas_connect__literal(plan, replacement->old_value, &query->exprs[2 * i]));
        NILAS_TRY(nilas_connect__literal(plan, replacement->new_value, &query->exprs[2 * i + 1]));
    }
    *out = query;
    return NILAS_OK;
}

// ---- stat ---------------------------------------------------------------------------------------

nilas_code nilas_connect__describe(nilas_connect__plan *plan, const Sc__Relation *message,
                                   nilas_query **out) {
    const Sc__StatDescribe *from = message->describe;
    return over_columns(plan, NILAS_QUERY_DESCRIBE, from->input, (names){from->cols, from->n_cols},
                        out);
}

nilas_code nilas_connect__summary(nilas_connect__plan *plan, const Sc__Relation *message,
                                  nilas_query **out) {
    const Sc__StatSummary *from = message->summary;
    return over_columns(plan, NILAS_QUERY_SUMMARY, from->input,
                        (names){from->statistics, from->n_statistics}, out);
}

nilas_code nilas_connect__pair_statistic(nilas_connect__plan *plan, const Sc__Relation *message,
                                         nilas_query **out) {
    if (message->rel_type_case == SC__RELATION__REL_TYPE_CROSSTAB) {
        const Sc__StatCrosstab *from = message->crosstab;
        char *const pair[] = {from->col1, from->col2};
        return over_columns(plan, NILAS_QUERY_CROSSTAB, from->input, (names){pair, 2}, out);
    }
    if (message->rel_type_case == SC__RELATION__REL_TYPE_COV) {
        const Sc__StatCov *from = message->cov;
        char *const pair[] = {from->col1, from->col2};
        return over_columns(plan, NILAS_QUERY_COV, from->input, (names){pair, 2}, out);
    }
    const Sc__StatCorr *from = message->corr;
    char *const pair[] = {from->col1, from->col2};
    NILAS_TRY(over_columns(plan, NILAS_QUERY_CORR, from->input, (names){pair, 2}, out));
    (*out)->text = from->_method_case != SC__STAT_CORR___METHOD__NOT_SET
                       ? nilas_connect__text(from->method)
                       : NILAS_STR_EMPTY;
    return NILAS_OK;
}

nilas_code nilas_connect__approx_quantile(nilas_connect__plan *plan, const Sc__Relation *message,
                                          nilas_query **out) {
    const Sc__StatApproxQuantile *from = message->approx_quantile;
    NILAS_TRY(over_columns(plan, NILAS_QUERY_APPROX_QUANTILE, from->input,
                           (names){from->cols, from->n_cols}, out));
    (*out)->numbers = from->probabilities;
    (*out)->number_count = from->n_probabilities;
    (*out)->ratio = from->relative_error;
    return NILAS_OK;
}

nilas_code nilas_connect__freq_items(nilas_connect__plan *plan, const Sc__Relation *message,
                                     nilas_query **out) {
    const Sc__StatFreqItems *from = message->freq_items;
    NILAS_TRY(over_columns(plan, NILAS_QUERY_FREQ_ITEMS, from->input,
                           (names){from->cols, from->n_cols}, out));
    if (from->_support_case != SC__STAT_FREQ_ITEMS___SUPPORT__NOT_SET) {
        (*out)->ratio = from->support;
    }
    return NILAS_OK;
}

nilas_code nilas_connect__sample_by(nilas_connect__plan *plan, const Sc__Relation *message,
                                    nilas_query **out) {
    const Sc__StatSampleBy *from = message->sample_by;
    nilas_query *query;
    NILAS_TRY(nilas_connect__over(plan, NILAS_QUERY_SAMPLE_BY, from->input, &query));
    NILAS_NEW_ARRAY(plan->stmt, &query->exprs, from->n_fractions + 1, plan->err);
    NILAS_NEW_ARRAY(plan->stmt, &query->numbers, from->n_fractions, plan->err);
    query->expr_count = from->n_fractions + 1;
    query->number_count = from->n_fractions;
    NILAS_TRY(nilas_connect__expr(plan, from->col, &query->exprs[0]));
    for (size_t i = 0; i < from->n_fractions; i++) {
        NILAS_TRY(nilas_connect__literal(plan, from->fractions[i]->stratum, &query->exprs[i + 1]));
        query->numbers[i] = from->fractions[i]->fraction;
    }
    query->has_number = from->_seed_case != SC__STAT_SAMPLE_BY___SEED__NOT_SET;
    query->number = query->has_number ? from->seed : 0;
    *out = query;
    return NILAS_OK;
}
