/**
 * Aggregates. A template says where DISTINCT ($distinct), ORDER BY ($order) and FILTER and OVER
 * ($over) go; "$over(condition)" adds a condition to the filter.
 */
#include "function/table.h"

#define TWO_DOUBLES(name, text)                                                                    \
    { AGGREGATE, name, "double, double -> double", text, NULLABLE, NULL }
#define ONE_DOUBLE(name, text, text_shown)                                                         \
    { AGGREGATE, name, "double -> double", text, NULLABLE, text_shown }

// A value that is not finite makes Spark's answer NaN (of `least` values and more), and DuckDB's an
// error.
#define SPREAD(name, function, least)                                                              \
    ONE_DOUBLE(name,                                                                               \
               "CASE WHEN bool_or(NOT isfinite($1)) $over AND count($1) $over >= " least           \
               " THEN CAST('NaN' AS DOUBLE) ELSE " function                                        \
               "($distinct $1) $over(isfinite($1)) END",                                           \
               NULL)

const nilas_function nilas_function__aggregates[] = {
    {AGGREGATE, "count", "any, any... -> bigint", "@count", NEVER_NULL, NULL},
    {AGGREGATE, "count_if", "boolean -> bigint", "count($distinct CASE WHEN $1 THEN $1 END) $over",
     NEVER_NULL, NULL},
    {AGGREGATE, "sum", "void -> double", "sum(CAST($1 AS DOUBLE)) $over", NULLABLE, NULL},
    {AGGREGATE, "product", "double -> double", "product($distinct $1) $over", NULLABLE | UNLISTED,
     NULL},
    {AGGREGATE, "try_sum", "void -> double", "sum(CAST($1 AS DOUBLE)) $over", NULLABLE, NULL},
    {AGGREGATE, "sum", "decimal -> @sum", "@sum_decimal", NULLABLE, NULL},
    {AGGREGATE, "sum", "ansi_interval -> @first", "CAST(sum($distinct $1) $over AS $t)", NULLABLE,
     NULL},
    {AGGREGATE, "sum", "integral -> bigint",
     "{ansi:CAST(sum($distinct $1) $over AS BIGINT)|nilas_wrap_bigint(CAST(sum($distinct $1) $over "
     "AS HUGEINT))}",
     NULLABLE, NULL},
    {AGGREGATE, "sum", "num -> double", "sum($distinct CAST($1 AS DOUBLE)) $over", NULLABLE, NULL},
    {AGGREGATE, "try_sum", "decimal -> @sum", "TRY_CAST(sum($distinct $1) $over AS $t)", NULLABLE,
     NULL},
    {AGGREGATE, "try_sum", "ansi_interval -> @first", "TRY_CAST(sum($distinct $1) $over AS $t)",
     NULLABLE, NULL},
    {AGGREGATE, "try_sum", "integral -> bigint", "TRY_CAST(sum($distinct $1) $over AS BIGINT)",
     NULLABLE, NULL},
    {AGGREGATE, "try_sum", "num -> double", "sum($distinct CAST($1 AS DOUBLE)) $over", NULLABLE,
     NULL},
    {AGGREGATE, "avg", "decimal -> @avg", "@avg_decimal", NULLABLE, NULL},
    {AGGREGATE, "avg", "year_month -> ym",
     "CAST(round(CAST(CAST(sum($distinct $1) $over AS INTEGER) AS DOUBLE) / count($distinct $1) "
     "$over) AS INTEGER)",
     NULLABLE, NULL},
    {AGGREGATE, "avg", "day_time -> dt",
     "CAST(round(CAST(CAST(sum($distinct $1) $over AS BIGINT) AS DOUBLE) / count($distinct $1) "
     "$over) AS BIGINT)",
     NULLABLE, NULL},
    {AGGREGATE, "avg", "num -> double", "avg($distinct CAST($1 AS DOUBLE)) $over", NULLABLE, NULL},
    {AGGREGATE, "mean", "decimal -> @avg", "@avg_decimal", NULLABLE, NULL},
    {AGGREGATE, "mean", "year_month -> ym",
     "CAST(round(CAST(CAST(sum($distinct $1) $over AS INTEGER) AS DOUBLE) / count($distinct $1) "
     "$over) AS INTEGER)",
     NULLABLE, NULL},
    {AGGREGATE, "mean", "day_time -> dt",
     "CAST(round(CAST(CAST(sum($distinct $1) $over AS BIGINT) AS DOUBLE) / count($distinct $1) "
     "$over) AS BIGINT)",
     NULLABLE, NULL},
    {AGGREGATE, "mean", "num -> double", "avg($distinct CAST($1 AS DOUBLE)) $over", NULLABLE, NULL},
    {AGGREGATE, "try_avg", "decimal -> @avg", "@try_avg_decimal", NULLABLE, NULL},
    {AGGREGATE, "try_avg", "year_month -> ym",
     "CAST(round(CAST(TRY_CAST(sum($distinct $1) $over AS INTEGER) AS DOUBLE) / count($distinct "
     "$1) $over) AS INTEGER)",
     NULLABLE, NULL},
    {AGGREGATE, "try_avg", "day_time -> dt",
     "CAST(round(CAST(TRY_CAST(sum($distinct $1) $over AS BIGINT) AS DOUBLE) / count($distinct $1) "
     "$over) AS BIGINT)",
     NULLABLE, NULL},
    {AGGREGATE, "try_avg", "num -> double", "avg($distinct CAST($1 AS DOUBLE)) $over", NULLABLE,
     NULL},
    {AGGREGATE, "min", "T:ordered -> T", "@min", NULLABLE, NULL},
    {AGGREGATE, "max", "T:ordered -> T", "@max", NULLABLE, NULL},
    {AGGREGATE, "min_by", "T, ordered -> T", "arg_min_null($1, $o2) $over", NULLABLE, NULL},
    {AGGREGATE, "max_by", "T, ordered -> T", "arg_max_null($1, $o2) $over", NULLABLE, NULL},
    {AGGREGATE, "first", "T, boolean? -> T", "@first", NULLABLE, "$name($1)"},
    {AGGREGATE, "first_value", "T, boolean? -> T", "@first", NULLABLE, "$name($1)"},
    {AGGREGATE, "any_value", "T, boolean? -> T", "@first", NULLABLE, "$name($1)"},
    {AGGREGATE, "last", "T, boolean? -> T", "@last", NULLABLE, "$name($1)"},
    {AGGREGATE, "last_value", "T, boolean? -> T", "@last", NULLABLE, "$name($1)"},
    {AGGREGATE, "bool_and", "boolean -> boolean", "bool_and($1) $over", NULLABLE, NULL},
    {AGGREGATE, "every", "boolean -> boolean", "bool_and($1) $over", NULLABLE, NULL},
    {AGGREGATE, "bool_or", "boolean -> boolean", "bool_or($1) $over", NULLABLE, NULL},
    {AGGREGATE, "any", "boolean -> boolean", "bool_or($1) $over", NULLABLE, NULL},
    {AGGREGATE, "some", "boolean -> boolean", "bool_or($1) $over", NULLABLE, NULL},
    {AGGREGATE, "bit_and", "T:integral -> T", "bit_and($1) $over", NULLABLE, NULL},
    {AGGREGATE, "bit_or", "T:integral -> T", "bit_or($1) $over", NULLABLE, NULL},
    {AGGREGATE, "bit_xor", "T:integral -> T", "bit_xor($distinct $1) $over", NULLABLE, NULL},

    // lists
    {AGGREGATE, "collect_list", "T -> @collect",
     "coalesce(list($distinct $1 $order) $over($1 IS NOT NULL), [])", NEVER_NULL, NULL},
    {AGGREGATE, "array_agg", "T -> @collect",
     "coalesce(list($distinct $1 $order) $over($1 IS NOT NULL), [])", NEVER_NULL, "collect_list"},
    {AGGREGATE, "collect_set", "T -> @collect", "@collect_set", NEVER_NULL, NULL},
    {AGGREGATE, "listagg", "string|binary, string|void? -> string", "@listagg", NULLABLE,
     "listagg($1, $2|NULL|)"},
    {AGGREGATE, "string_agg", "string|binary, string|void? -> string", "@listagg", NULLABLE,
     "$name($1, $2|NULL|)"},

    // statistics
    SPREAD("stddev", "stddev_samp", "2"),
    SPREAD("std", "stddev_samp", "2"),
    SPREAD("stddev_samp", "stddev_samp", "2"),
    SPREAD("stddev_pop", "stddev_pop", "1"),
    SPREAD("variance", "var_samp", "2"),
    SPREAD("var_samp", "var_samp", "2"),
    SPREAD("var_pop", "var_pop", "1"),
    ONE_DOUBLE("skewness", "nilas_skewness($distinct $1) $over", NULL),
    ONE_DOUBLE("kurtosis", "nilas_kurtosis($distinct $1) $over", NULL),
    TWO_DOUBLES("corr", "nilas_corr($1, $2) $over"),
    TWO_DOUBLES("covar_pop", "nilas_covar_pop($1, $2) $over"),
    TWO_DOUBLES("covar_samp", "nilas_covar_samp($1, $2) $over"),
    TWO_DOUBLES("regr_avgx", "regr_avgx($1, $2) $over"),
    TWO_DOUBLES("regr_avgy", "regr_avgy($1, $2) $over"),
    TWO_DOUBLES("regr_intercept", "regr_intercept($1, $2) $over"),
    TWO_DOUBLES("regr_r2", "regr_r2($1, $2) $over"),
    TWO_DOUBLES("regr_slope", "regr_slope($1, $2) $over"),
    TWO_DOUBLES("regr_sxx", "regr_sxx($1, $2) $over"),
    TWO_DOUBLES("regr_sxy", "nilas_sxy($1, $2) $over"),
    TWO_DOUBLES("regr_syy", "regr_syy($1, $2) $over"),
    {AGGREGATE, "regr_count", "double, double -> bigint",
     "CAST(regr_count($1, $2) $over AS BIGINT)", NEVER_NULL, NULL},
    {AGGREGATE, "approx_count_distinct", "any, double? -> bigint", "count(DISTINCT $1) $over",
     NEVER_NULL, "$name($1)"},

    // percentiles; those of an interval are rounded half up
    {AGGREGATE, "median", "double -> double", "quantile_cont($1, 0.5) $over", NULLABLE, NULL},
    {AGGREGATE, "median", "ansi_interval -> @interval_full",
     "CAST(quantile_cont(CAST($1 AS DOUBLE), 0.5) $over AS $t)", NULLABLE, NULL},
    {AGGREGATE, "percentile", "ansi_interval, double -> @interval_full",
     "CAST(quantile_cont(CAST($1 AS DOUBLE), $2) $over AS $t)", NULLABLE, "$name($1, $2, 1)"},
    {AGGREGATE, "percentile", "double, double -> double", "quantile_cont($1, $2) $over", NULLABLE,
     "$name($1, $2, 1)"},
    {AGGREGATE, "percentile", "double, array<double> -> array<double>",
     "quantile_cont($1, $2) $over", NULLABLE, "$name($1, $2, 1)"},
    {AGGREGATE, "percentile", "any, any, any -> double", "@refused", NULLABLE, NULL},
    {AGGREGATE, "percentile_cont", "ansi_interval, double -> @interval_full",
     "CAST(quantile_cont(CAST($1 AS DOUBLE), $2) $over AS $t)", NULLABLE, NULL},
    {AGGREGATE, "percentile_cont", "double, double -> double", "quantile_cont($1, $2) $over",
     NULLABLE, NULL},
    {AGGREGATE, "percentile_disc", "ansi_interval, double -> @interval_full",
     "quantile_disc($1, $2) $over", NULLABLE, NULL},
    {AGGREGATE, "percentile_disc", "double, double -> double", "quantile_disc($1, $2) $over",
     NULLABLE, NULL},
    {AGGREGATE, "approx_percentile", "T:num, double, int? -> T", "quantile_disc($1, $2) $over",
     NULLABLE, "$name($1, $2, $3|10000|)"},
    {AGGREGATE, "approx_percentile", "ansi_interval|datetime, double, int? -> @first",
     "quantile_disc($1, $2) $over", NULLABLE, "$name($1, $2, $3|10000|)"},
    {AGGREGATE, "approx_percentile", "T:num, array<double>, int? -> array<T>",
     "quantile_disc($1, $2) $over", NULLABLE, "$name($1, $2, $3|10000|)"},
    {AGGREGATE, "approx_percentile",
     "ansi_interval|datetime, array<double>, int? -> @array_of_first",
     "quantile_disc($1, $2) $over", NULLABLE, "$name($1, $2, $3|10000|)"},
    {AGGREGATE, "percentile_approx", "T:num, double, int? -> T", "quantile_disc($1, $2) $over",
     NULLABLE, "$name($1, $2, $3|10000|)"},
    {AGGREGATE, "percentile_approx", "ansi_interval|datetime, double, int? -> @first",
     "quantile_disc($1, $2) $over", NULLABLE, "$name($1, $2, $3|10000|)"},
    {AGGREGATE, "percentile_approx", "T:num, array<double>, int? -> array<T>",
     "quantile_disc($1, $2) $over", NULLABLE, "$name($1, $2, $3|10000|)"},
    {AGGREGATE, "percentile_approx",
     "ansi_interval|datetime, array<double>, int? -> @array_of_first",
     "quantile_disc($1, $2) $over", NULLABLE, "$name($1, $2, $3|10000|)"},
    {AGGREGATE, "mode", "any, boolean? -> @first", "@mode", NULLABLE, "mode($1)"},

    // bitmaps and sketches
    {AGGREGATE, "histogram_numeric", "num|datetime|ansi_interval, int -> @histogram", "@histogram",
     NULLABLE, NULL},
    {AGGREGATE, "schema_of_variant_agg", "variant -> string",
     "nilas_schema_of_variants(list($1) $over($1 IS NOT NULL))", NULLABLE, NULL},
    {AGGREGATE, "bitmap_construct_agg", "bigint -> binary",
     "nilas_construct_bitmap(list($1) $over($1 IS NOT NULL))", NEVER_NULL, NULL},
    {AGGREGATE, "bitmap_and_agg", "binary -> binary",
     "nilas_and_all(list($1) $over($1 IS NOT NULL))", NEVER_NULL | UNLISTED, NULL},
    {AGGREGATE, "bitmap_or_agg", "binary -> binary", "nilas_or_all(list($1) $over($1 IS NOT NULL))",
     NEVER_NULL, NULL},
    {AGGREGATE, "grouping", "any -> tinyint", "grouping($1)", NEVER_NULL | SYNTAX, NULL},
    {AGGREGATE, "grouping_id", "any... -> bigint", "grouping_id($*)", NEVER_NULL | SYNTAX, NULL},
};
NILAS_FUNCTION_COUNT(nilas_function__aggregates);
