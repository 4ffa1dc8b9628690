/**
 * Queries: relations built from relations. One node type; `kind` says which members count. Scoping
 * is that of SQL: a
 * SELECT holds its own FROM, WHERE, GROUP BY and select list together; ORDER BY and LIMIT are nodes
 * above it.
 */
#ifndef NILAS_TREE_QUERY_H
#define NILAS_TREE_QUERY_H

#include "tree/expr.h"

typedef enum nilas_query_kind {
    // input (FROM, NULL when none), exprs (select list), distinct, where, group_by, having,
    // windows, hints
    NILAS_QUERY_SELECT,
    NILAS_QUERY_VALUES, // rows: exprs (each a ROW, or a single expression)
    NILAS_QUERY_TABLE,  // parts, time_travel, options; `only_table` for TABLE t as a query
    // table-valued function: parts, exprs (arguments; arg_names); a TABLE(...) argument is a
    // SUBQUERY expression
    NILAS_QUERY_FUNCTION,
    NILAS_QUERY_ALIAS, // input, alias, columns
    // left, right, join_kind, natural, using (columns), condition, lateral
    NILAS_QUERY_JOIN,
    // left, right, set_op, all, by_name (DataFrames: allow_missing columns)
    NILAS_QUERY_SET_OP,
    NILAS_QUERY_SORT, // input, exprs (SORT nodes), sort_kind
    // input, limit (NULL: none, or LIMIT ALL when `all`), limit_offset (NULL)
    NILAS_QUERY_LIMIT,
    NILAS_QUERY_WITH, // ctes, recursive, input
    // input, exprs[0] = generator call, outer, alias (table alias), columns
    NILAS_QUERY_LATERAL_VIEW,
    // input, exprs = aggregates (ALIAS or not), pivot_columns, pivot_values (ALIAS or not);
    // DataFrame.groupBy().pivot(): group_by present; without values: all that there are, sorted
    NILAS_QUERY_PIVOT,
    // input, unpivot; DataFrame.unpivot: exprs = the columns kept, `ids_given`
    NILAS_QUERY_UNPIVOT,
    NILAS_QUERY_SAMPLE, // input, sample
    NILAS_QUERY_FILTER, // input, where                       (pipe WHERE, DataFrame.filter)
    // input, exprs, distinct, hints, windows (|> SELECT; DataFrame.select)
    NILAS_QUERY_PIPE_SELECT,
    NILAS_QUERY_PIPE_EXTEND, // input, exprs                        (|> EXTEND)
    // input, exprs = ALIAS(expr, name)    (|> SET; DataFrame.withColumn replaces or adds when
    // `or_add`)
    NILAS_QUERY_PIPE_SET,
    // input, columns                      (|> DROP; DataFrame.drop ignores unknown names when
    // `lenient`, and may name columns by expression too: exprs)
    NILAS_QUERY_PIPE_DROP,
    // input, columns = old names, new_columns = new names (DataFrame.withColumnsRenamed: `lenient`)
    NILAS_QUERY_PIPE_RENAME,
    NILAS_QUERY_PIPE_AGGREGATE, // input, exprs = aggregates, group_by
    NILAS_QUERY_HINT,           // input, hints
    NILAS_QUERY_DEDUPLICATE,    // input, columns (none: all)          (DataFrame.dropDuplicates)
    NILAS_QUERY_TAIL,           // input, limit

    // What only DataFrames have. `columns` are column names as DataFrames give them: unparsed, with
    // back quotes where a part needs them; none means all columns that the operation suits.

    // text = format (empty: the session's), columns = paths, options, type = the given schema, or
    // NULL (spark.read.format().schema().options().load())
    NILAS_QUERY_SOURCE,
    // data = an Arrow IPC stream (data NULL: no rows), type = its Spark schema, or NULL
    NILAS_QUERY_LOCAL,
    NILAS_QUERY_TO_SCHEMA, // input, type (a struct)
    // input, columns, exprs = LITERALs: one for all columns, or one for each
    NILAS_QUERY_NA_FILL,
    // input, columns, number = least count of values that are not null (not has_number: all)
    NILAS_QUERY_NA_DROP,
    NILAS_QUERY_NA_REPLACE, // input, columns, exprs = old, new, old, new … LITERALs
    NILAS_QUERY_DESCRIBE,   // input, columns
    NILAS_QUERY_SUMMARY,    // input, columns = statistics (none: Spark's eight)
    NILAS_QUERY_CROSSTAB,   // input, columns[2]
    NILAS_QUERY_COV,        // input, columns[2]
    NILAS_QUERY_CORR,       // input, columns[2], text = method (empty: pearson)
    // input, columns, numbers = probabilities, ratio = relative error
    NILAS_QUERY_APPROX_QUANTILE,
    NILAS_QUERY_FREQ_ITEMS, // input, columns, ratio = support (0: 0.01)
    // input, exprs[0] = the column, exprs[1…] = strata (LITERALs), numbers = their fractions,
    // number = seed
    NILAS_QUERY_SAMPLE_BY,
    NILAS_QUERY_TRANSPOSE, // input, exprs = the index column, or none
    // left, right, exprs = left and right as-of expressions, condition, columns (using), text =
    // join type ("inner", "left" …), direction ("backward", "forward", "nearest"), tolerance,
    // allow_exact
    NILAS_QUERY_AS_OF_JOIN,
    NILAS_QUERY_OBSERVE, // input, alias = name, exprs = metrics (named)
    NILAS_QUERY_PARSE,   // input (one string column), text = "csv" or "json", type or NULL, options
} nilas_query_kind;

typedef enum nilas_join_kind {
    NILAS_JOIN_INNER,
    NILAS_JOIN_CROSS,
    NILAS_JOIN_LEFT,
    NILAS_JOIN_RIGHT,
    NILAS_JOIN_FULL,
    NILAS_JOIN_LEFT_SEMI,
    NILAS_JOIN_LEFT_ANTI,
} nilas_join_kind;
typedef enum nilas_set_op { NILAS_SET_UNION, NILAS_SET_INTERSECT, NILAS_SET_EXCEPT } nilas_set_op;
typedef enum nilas_sort_kind {
    NILAS_SORT_ORDER_BY,
    NILAS_SORT_SORT_BY,
    NILAS_SORT_CLUSTER_BY,
    NILAS_SORT_DISTRIBUTE_BY,
} nilas_sort_kind;

typedef enum nilas_time_travel_kind {
    NILAS_TRAVEL_NONE,
    NILAS_TRAVEL_VERSION,
    NILAS_TRAVEL_TIMESTAMP
} nilas_time_travel_kind;
typedef struct nilas_time_travel {
    nilas_time_travel_kind kind;
    nilas_str version;      // VERSION AS OF: digits or text
    bool version_is_string; // quoted
    nilas_expr *timestamp;  // TIMESTAMP AS OF
    int32_t offset;
} nilas_time_travel;

typedef struct nilas_option {
    nilas_str key;
    nilas_str value;
    bool has_value;
    nilas_expr *expr; /* or NULL */
} nilas_option;

/** Value of the first option of this name, whatever its case; data NULL when there is none. */
nilas_str nilas_option_find(const nilas_option *options, size_t count, const char *key);

typedef struct nilas_cte {
    nilas_str name;
    nilas_str *columns;
    size_t column_count;
    nilas_query *query;
    nilas_expr *max_recursion_level; // or NULL
    int32_t offset;
} nilas_cte;

typedef struct nilas_named_window {
    nilas_str name;
    nilas_window *window;
} nilas_named_window;

typedef enum nilas_sample_kind {
    NILAS_SAMPLE_PERCENT,
    NILAS_SAMPLE_ROWS,
    NILAS_SAMPLE_BUCKET,
    NILAS_SAMPLE_BYTES,
    NILAS_SAMPLE_FRACTION
} nilas_sample_kind;
typedef struct nilas_sample {
    nilas_sample_kind kind;
    nilas_expr *amount; // percent or rows
    nilas_str text;     // bytes literal ("10M")
    int64_t numerator, denominator;
    nilas_expr *bucket_on; // or NULL
    nilas_expr *seed;      // or NULL: REPEATABLE (n)
    bool with_replacement;
    // DataFrames: FRACTION is `lower` up to `amount`; randomSplit() sorts first, so that the same
    // rows come in the same order each time (deterministic_order)
    double lower;
    bool deterministic_order;
} nilas_sample;

typedef struct nilas_unpivot_value {
    nilas_expr **columns;
    size_t column_count;
    nilas_str alias;
    bool has_alias;
} nilas_unpivot_value;
typedef struct nilas_unpivot {
    bool include_nulls;
    nilas_str *value_columns;
    size_t value_column_count; // names of the value columns
    nilas_str name_column;
    nilas_unpivot_value *values;
    size_t value_count;
    bool multi_value; // FOR … IN ((a, b), …)
    bool ids_given;   // DataFrames: only the query's `exprs` are kept; without values: all others
} nilas_unpivot;

typedef struct nilas_hint {
    nilas_str name;
    nilas_expr **args;
    size_t arg_count;
} nilas_hint;

typedef struct nilas_group_by {
    nilas_expr **exprs;
    size_t expr_count; // expressions, ROLLUP, CUBE, GROUPING_SETS
    bool present;
    bool with_rollup, with_cube; // GROUP BY a, b WITH ROLLUP
    bool all; // GROUP BY ALL (unless a column is named so); exprs[0] is the COLUMN "all"
    // GROUP BY a, b GROUPING SETS (…): the GROUPING_SETS, or NULL
    nilas_expr *grouping_sets;
} nilas_group_by;

struct nilas_query {
    nilas_query_kind kind;
    int32_t offset, end_offset;
    nilas_query *input, *left, *right;
    nilas_expr **exprs;
    size_t expr_count;
    nilas_str *arg_names; // of a FUNCTION's arguments, as in nilas_expr
    nilas_expr *where, *having, *condition, *limit, *limit_offset;
    nilas_group_by group_by;
    nilas_named_window *windows;
    size_t window_count;
    nilas_hint *hints;
    size_t hint_count;
    nilas_str *parts;
    size_t part_count;
    nilas_expr *identifier; // IDENTIFIER(…) in the place of a name, or NULL
    nilas_time_travel time_travel;
    nilas_option *options;
    size_t option_count; // WITH ('k' = 'v')
    nilas_str alias;
    bool has_alias;
    nilas_str *columns;
    size_t column_count;
    nilas_str *new_columns;
    nilas_cte *ctes;
    size_t cte_count;
    nilas_expr **pivot_columns;
    size_t pivot_column_count;
    nilas_expr **pivot_values;
    size_t pivot_value_count;
    nilas_unpivot *unpivot;
    nilas_sample *sample;
    nilas_join_kind join_kind;
    nilas_set_op set_op;
    nilas_sort_kind sort_kind;
    bool distinct, all, by_name, natural, lateral, outer, recursive, only_table, or_add, lenient;
    // DataFrames
    int64_t plan_id;        // what columns of this frame refer to it by; 0: none
    nilas_str data;         // LOCAL; data NULL: none
    const nilas_type *type; // LOCAL, TO_SCHEMA, PARSE
    double *numbers;
    size_t number_count;
    double ratio;
    int64_t number;
    nilas_str text, direction;
    nilas_expr *tolerance;
    bool has_number, allow_missing, allow_exact;
};

nilas_code nilas_query_new(nilas_arena *stmt, nilas_query_kind kind, int32_t offset,
                           nilas_query **out, nilas_error *err);

#endif
