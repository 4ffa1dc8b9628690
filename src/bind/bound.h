/**
 * Bound expressions and plans: every name resolved, a Spark type on every expression, implicit
 * casts made visible.
 *
 * Columns are known by attribute id, unique within one statement; the engine names them c<id> in
 * its SQL, so scopes and qualifiers are gone, and a reference to an outer query's column needs no
 * mark but its id.
 */
#ifndef NILAS_BIND_BOUND_H
#define NILAS_BIND_BOUND_H

#include "function/function.h"
#include "iceberg/iceberg.h"
#include "scan/scan.h"

typedef struct nilas_bound_expr nilas_bound_expr;
typedef struct nilas_plan nilas_plan;

typedef struct nilas_attribute {
    int32_t id;
    nilas_str name; // as Spark shows it
    const nilas_type *type;
    bool nullable;
    bool has_comment;
    bool auto_named; // by its expression's text
    nilas_str comment;
} nilas_attribute;

typedef enum nilas_bound_kind {
    NILAS_BOUND_LITERAL, // value (of `type`); a null literal has kind NULL
    NILAS_BOUND_COLUMN,  // attribute_id, name
    NILAS_BOUND_CALL,    // function, args; aggregates: distinct, filter, order_by, ignore_nulls
    NILAS_BOUND_WINDOW,  // function, args, filter, ignore_nulls, window
    NILAS_BOUND_CAST,    // args[0] to `type`; cast_mode; by_name: members of structs by name
    NILAS_BOUND_CASE, // when, then, when, then …, [else]: has_else (operand form is rewritten to =)
    NILAS_BOUND_FIELD,     // args[0] is a struct; index
    NILAS_BOUND_STRUCT,    // args = members, names in type->fields
    NILAS_BOUND_LAMBDA,    // parameter_ids[parameter_count], args[0] = body
    NILAS_BOUND_PARAMETER, // lambda parameter: attribute_id
    NILAS_BOUND_SUBQUERY,  // scalar: plan (one output)
    NILAS_BOUND_EXISTS,    // plan
    NILAS_BOUND_IN_QUERY,  // args = value(s), plan (as many outputs); null-aware; NOT is a call of
                           // "not" above
    NILAS_BOUND_SORT,      // a sort key: args[0], descending, nulls_first (always explicit)
} nilas_bound_kind;

typedef enum nilas_cast_mode {
    NILAS_CAST_ANSI,   // CAST with ANSI on: errors on bad input
    NILAS_CAST_LEGACY, // CAST with ANSI off: null on bad input, wrap on overflow
    NILAS_CAST_TRY,    // TRY_CAST
} nilas_cast_mode;

typedef struct nilas_bound_frame_bound {
    nilas_frame_bound_kind kind;
    nilas_bound_expr *offset;
    bool is_signed; // PRECEDING, shown as -n FOLLOWING
} nilas_bound_frame_bound;
typedef struct nilas_bound_window {
    nilas_bound_expr **partition_by;
    size_t partition_by_count;
    nilas_bound_expr **order_by;
    size_t order_by_count; // SORT nodes
    bool has_frame, is_range;
    nilas_bound_frame_bound start, end;
} nilas_bound_window;

struct nilas_bound_expr {
    nilas_bound_kind kind;
    const nilas_type *type;
    bool nullable;
    int32_t offset; // in the statement, -1 unknown
    nilas_value value;
    int32_t attribute_id;
    nilas_str name; // of a column, for messages
    const nilas_function *function;
    nilas_bound_expr **args;
    size_t arg_count;
    bool distinct, ignore_nulls, has_else, descending, nulls_first, implicit, by_name;
    nilas_bound_expr *filter;
    nilas_bound_expr **order_by;
    size_t order_by_count;
    nilas_bound_window *window;
    nilas_cast_mode cast_mode;
    int32_t index;
    int32_t *parameter_ids;
    size_t parameter_count;
    nilas_plan *plan;
    nilas_str shown; // Spark's text of the expression (result column name), set by the binder when
                     // cheap; may be empty
};

typedef enum nilas_plan_kind {
    NILAS_PLAN_ONE_ROW,        // SELECT without FROM: one row, no outputs
    NILAS_PLAN_SCAN,           // scan; outputs[i] reads scan->columns[i]
    NILAS_PLAN_FILE_SCAN,      // file_scan; outputs in the order of the source's schema
    NILAS_PLAN_LOCAL,          // local; outputs in the order of its type
    NILAS_PLAN_VALUES,         // exprs: row_count × output_count, row after row
    NILAS_PLAN_TABLE_FUNCTION, // exprs[0] = a CALL of kind TABLE; outputs = its struct's columns
    NILAS_PLAN_PROJECT,        // input; exprs[i] -> outputs[i]
    NILAS_PLAN_FILTER,         // input; condition; outputs = input's
    NILAS_PLAN_AGGREGATE,      // input; groups[i] -> outputs[i]; exprs[j] (pure aggregate CALLs) ->
                               // outputs[group_count + j];
    // sets: grouping sets as bit masks over groups (set_count 0: plain GROUP BY; group_count 0 and
    // set_count 0: one row); has_grouping_id: the last output is Spark's grouping_id() (bigint)
    // over all groups
    NILAS_PLAN_WINDOW, // input; exprs (WINDOW nodes); outputs = input's + one each
    NILAS_PLAN_JOIN, // input (left), right, join_kind, condition (may be NULL), lateral; outputs =
                     // left's + right's (semi, anti: left's)
    NILAS_PLAN_SET_OP,    // input, right, set_op, all; outputs (fresh ids) by position
    NILAS_PLAN_SORT,      // input; exprs = SORT nodes; global
    NILAS_PLAN_LIMIT,     // input; limit (-1: none), limit_offset (0); is_tail
    NILAS_PLAN_DISTINCT,  // input; exprs = keys (none: all columns; else one row per key: DISTINCT
                          // ON)
    NILAS_PLAN_GENERATE,  // input; exprs[0] = CALL of kind GENERATOR; outer; outputs = input's +
                          // generator's
    NILAS_PLAN_SAMPLE,    // input; sample_fraction, has_seed, seed, with_replacement
    NILAS_PLAN_RECURSIVE, // recursive CTE: recursion_id, input = anchor, right = step, all,
                          // max_depth; outputs (fresh)
    NILAS_PLAN_RECURSION, // the reference inside the step: recursion_id; outputs (fresh ids) by
                          // position
    NILAS_PLAN_EMPTY,     // no rows, with outputs
} nilas_plan_kind;

/** One column that a scan gives. */
typedef struct nilas_scan_column {
    const nilas_ice_field *field; // top-level field of the read schema, or a metadata column (id >=
                                  // 2147483000), or a column of a metadata table
} nilas_scan_column;

/** An Iceberg table (or metadata table) to read: which, when, and what of it. */
typedef struct nilas_bound_scan {
    nilas_table *table;                  // referenced until the statement arena is freed
    nilas_str name;                      // as shown in plans: "local.db.table"
    nilas_metadata_table metadata_table; // NONE: the table's data
    const nilas_snapshot *snapshot;      // NULL: a table without snapshots
    const nilas_schema *schema;          // read schema
    bool incremental;
    int64_t from_snapshot_id, to_snapshot_id;
    bool is_time_travel;
    nilas_scan_column *columns;
    size_t column_count;     // one per output
    nilas_predicate *filter; // pushed part of the condition above (weaker or equal); NULL: none
    bool filter_is_exact; // the pushed part equals the whole condition of the FILTER directly above
    nilas_scan_plan *files;               // to read exactly these; NULL: planned by what is above
    bool with_deleted;                    // _deleted is among the columns: deleted rows come too
    int64_t split_size_bytes, batch_size; // options; 0: default
    const nilas_option *options;
    size_t option_count;
} nilas_bound_scan;

typedef struct nilas_file_scan {
    nilas_str format; // "json", "csv", "parquet", "text"
    nilas_str *paths;
    size_t path_count;
    const nilas_option *options;
    size_t option_count;
    const nilas_type *schema;    // Spark struct
    bool folder_values_are_text; // partition columns of key=value folders: strings always
    void *source;                // what the engine remembered while inferring; or NULL
} nilas_file_scan;

/** Rows that a client sent. */
typedef struct nilas_local_rows {
    nilas_str data;         // an Arrow IPC stream
    const nilas_type *type; // of its schema
} nilas_local_rows;

struct nilas_plan {
    nilas_plan_kind kind;
    nilas_attribute *outputs;
    size_t output_count;
    nilas_plan *input, *right;
    nilas_bound_expr **exprs;
    size_t expr_count;
    nilas_bound_expr **groups;
    size_t group_count;
    uint64_t *sets;
    size_t set_count; // bit i set: group i takes part
    bool has_grouping_id;
    nilas_bound_expr *condition;
    nilas_join_kind join_kind;
    nilas_set_op set_op;
    bool all, lateral, outer, global, is_tail, has_seed, with_replacement;
    int64_t limit, limit_offset, seed;
    double sample_fraction;
    size_t row_count; // of VALUES
    int32_t recursion_id;
    int64_t max_depth;
    nilas_bound_scan *scan;
    nilas_file_scan *file_scan;
    nilas_local_rows *local;
};

#endif
