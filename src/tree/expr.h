/**
 * Expressions. One node type; `kind` says which members count. `args` are the operands in the order
 * of the text.
 */
#ifndef NILAS_TREE_EXPR_H
#define NILAS_TREE_EXPR_H

#include "tree/type.h"

typedef struct nilas_expr nilas_expr;
typedef struct nilas_query nilas_query;
typedef struct nilas_window nilas_window;

typedef enum nilas_expr_kind {
    // type, value. Integer literals get int, bigint or decimal by size; "1.5" decimal; "1e3"
    // double; suffixes L S Y D F BD. X'..' is a binary LITERAL
    NILAS_EXPR_LITERAL,
    // DATE'…' and the like until bound (they need the session's zone):
    // parts[0] = keyword in upper case (DATE, TIMESTAMP, TIMESTAMP_NTZ, TIMESTAMP_LTZ, TIME, X,
    // INTERVAL), value = the text
    NILAS_EXPR_TYPED_LITERAL,
    // INTERVAL '1' DAY / INTERVAL 1 DAY 2 HOURS / INTERVAL '1-2' YEAR TO MONTH: args = values,
    // units[i]; to_unit when has_to_unit (then one arg)
    NILAS_EXPR_INTERVAL,
    NILAS_EXPR_COLUMN, // parts: a, t.a, c.db.t.a, s.field …
    // parts: qualifier or none; except (list of COLUMN in args) and replace not in Spark
    NILAS_EXPR_STAR,
    // parts: function name; args; arg_names (NULL, or a name per arg, empty = positional);
    // distinct; filter; window; ignore_nulls; order_by (WITHIN GROUP).
    // timestampadd, dateadd, date_add, timestampdiff, datediff, date_diff, timediff with a unit
    // (three args): args[0] is a string LITERAL, the unit as written.
    // current_date and the like without parentheses are a COLUMN
    NILAS_EXPR_CALL,
    NILAS_EXPR_UNARY,    // op: NOT, NEGATE, PLUS, BIT_NOT
    NILAS_EXPR_BINARY,   // op
    NILAS_EXPR_BETWEEN,  // args: value, low, high; negated
    NILAS_EXPR_IN,       // args[0] = value, args[1..] = list; negated
    NILAS_EXPR_IN_QUERY, // args = value or values of a row; query; negated
    NILAS_EXPR_EXISTS,   // query
    // scalar subquery: query; has_call: a TABLE(…) argument of a function, `window` its PARTITION
    // BY and ORDER BY (none of both: WITH SINGLE PARTITION)
    NILAS_EXPR_SUBQUERY,
    // op: LIKE, ILIKE, RLIKE; args: value, pattern…; escape (a character in `value` text, or
    // empty); quantifier; negated
    NILAS_EXPR_LIKE,
    // op: IS_NULL, IS_TRUE, IS_FALSE, IS_UNKNOWN, IS_DISTINCT (two args); negated
    NILAS_EXPR_IS,
    // has_operand: args[0] = operand; then when, then pairs; has_else: last arg
    NILAS_EXPR_CASE,
    NILAS_EXPR_CAST,      // args[0], type; op: CAST, TRY_CAST; `::` is CAST
    NILAS_EXPR_SUBSCRIPT, // args: value, index
    NILAS_EXPR_FIELD,     // args[0], parts[0] = field; (f(x)).a, a[0].b
    NILAS_EXPR_LAMBDA,    // parts = parameters, args[0] = body
    NILAS_EXPR_ROW,       // (a, b): args. Also struct literal of several values
    // args[0], parts = names (several: AS (a, b)); value = a comment (DataFrames), or null
    NILAS_EXPR_ALIAS,
    NILAS_EXPR_PARAMETER, // parts[0] = name of :name, or none for ?; ordinal
    NILAS_EXPR_EXTRACT,   // EXTRACT(field FROM args[0]): parts[0] = field
    NILAS_EXPR_POSITION,  // POSITION(args[0] IN args[1])
    // parts[0] = BOTH, LEADING, TRAILING or none; args: source, or source and trim characters
    NILAS_EXPR_TRIM,
    NILAS_EXPR_SUBSTRING, // SUBSTRING(args[0] FROM args[1] [FOR args[2]])
    NILAS_EXPR_OVERLAY,   // OVERLAY(args[0] PLACING args[1] FROM args[2] [FOR args[3]])
    NILAS_EXPR_COLLATE,   // args[0], parts = collation name
    // IDENTIFIER(args[0]) used as a column; with has_call the remaining args are those of a
    // function call
    NILAS_EXPR_IDENTIFIER,
    NILAS_EXPR_DEFAULT, // DEFAULT in VALUES and SET
    // a sort key where a list of keys stands: args[0], descending, nulls_first, has_nulls_order
    NILAS_EXPR_SORT,
    NILAS_EXPR_TIME_TRAVEL_REF, // unused in text; lets Connect plans carry internal references
    NILAS_EXPR_GROUPING_SETS,   // in GROUP BY: args = sets, each a ROW (possibly empty)
    NILAS_EXPR_ROLLUP,
    NILAS_EXPR_CUBE, // in GROUP BY: args = ROWs or expressions
    // DataFrames only: all columns whose names match value.text, a regular expression
    // (df.colRegex); plan_id
    NILAS_EXPR_REGEX,
    // DataFrames only: args[0] (a struct) with the field that parts name set to args[1], or gone
    // when there is none (Column.withField, dropFields)
    NILAS_EXPR_UPDATE_FIELD,
} nilas_expr_kind;

typedef enum nilas_operator {
    NILAS_OP_NONE = 0,
    NILAS_OP_OR,
    NILAS_OP_AND,
    NILAS_OP_NOT,
    NILAS_OP_EQ,
    NILAS_OP_NULL_SAFE_EQ,
    NILAS_OP_NOT_EQ,
    NILAS_OP_LT,
    NILAS_OP_LT_EQ,
    NILAS_OP_GT,
    NILAS_OP_GT_EQ,
    NILAS_OP_ADD,
    NILAS_OP_SUBTRACT,
    NILAS_OP_MULTIPLY,
    NILAS_OP_DIVIDE,
    NILAS_OP_MODULO,
    NILAS_OP_DIV,
    NILAS_OP_BIT_AND,
    NILAS_OP_BIT_OR,
    NILAS_OP_BIT_XOR,
    NILAS_OP_SHIFT_LEFT,
    NILAS_OP_SHIFT_RIGHT,
    NILAS_OP_SHIFT_RIGHT_UNSIGNED,
    NILAS_OP_CONCAT,
    NILAS_OP_NEGATE,
    NILAS_OP_PLUS,
    NILAS_OP_BIT_NOT,
    NILAS_OP_LIKE,
    NILAS_OP_ILIKE,
    NILAS_OP_RLIKE,
    NILAS_OP_IS_NULL,
    NILAS_OP_IS_TRUE,
    NILAS_OP_IS_FALSE,
    NILAS_OP_IS_UNKNOWN,
    NILAS_OP_IS_DISTINCT,
    NILAS_OP_CAST,
    NILAS_OP_TRY_CAST,
    // a:b.c (semi-structured access): kind UNARY; args[0], value = the path as written ("b.c[0]")
    NILAS_OP_VARIANT_GET,
} nilas_operator;

typedef enum nilas_quantifier {
    NILAS_QUANTIFIER_NONE,
    NILAS_QUANTIFIER_ANY,
    NILAS_QUANTIFIER_ALL
} nilas_quantifier;

struct nilas_expr {
    nilas_expr_kind kind;
    int32_t offset;     // byte offset of the first token, -1 if not from text
    int32_t end_offset; // just after the last token
    nilas_operator op;
    nilas_quantifier quantifier;
    bool negated, distinct, ignore_nulls, has_operand, has_else, has_call, has_to_unit;
    bool descending, nulls_first, has_nulls_order;
    nilas_str *parts;
    size_t part_count;
    nilas_expr **args;
    size_t arg_count;
    nilas_str *arg_names; // NULL, or arg_count names ("" = positional)
    const nilas_type *type;
    nilas_value value;
    nilas_str escape;           // LIKE … ESCAPE; data NULL when absent
    nilas_interval_unit *units; // INTERVAL: one per arg
    nilas_interval_unit to_unit;
    nilas_expr *filter; // CALL … FILTER (WHERE …)
    nilas_expr **order_by;
    size_t order_by_count; // WITHIN GROUP (ORDER BY …), SORT nodes
    nilas_window *window;  // CALL … OVER
    nilas_query *query;
    int32_t ordinal; // of a positional parameter, from 0
    // COLUMN, STAR, REGEX of a DataFrame: the frame it names, by nilas_query.plan_id; 0: none
    int64_t plan_id;
    bool is_metadata; // COLUMN: a metadata column (df.metadataColumn)
};

typedef enum nilas_frame_bound_kind {
    NILAS_FRAME_UNBOUNDED_PRECEDING,
    NILAS_FRAME_PRECEDING,
    NILAS_FRAME_CURRENT_ROW,
    NILAS_FRAME_FOLLOWING,
    NILAS_FRAME_UNBOUNDED_FOLLOWING,
} nilas_frame_bound_kind;
typedef struct nilas_frame_bound {
    nilas_frame_bound_kind kind;
    nilas_expr *offset;
    bool is_signed; // DataFrames: n PRECEDING was said, and is shown, as -n FOLLOWING
} nilas_frame_bound;

struct nilas_window {
    nilas_str name;    // OVER w, or the base window's name; empty when none
    bool is_reference; // OVER w (no parentheses)
    nilas_expr **partition_by;
    size_t partition_by_count;
    nilas_expr **order_by;
    size_t order_by_count;        // SORT nodes
    bool has_frame, is_range;     // ROWS when false
    nilas_frame_bound start, end; // end CURRENT ROW when not BETWEEN
};

/** A zeroed node with kind and offset. */
nilas_code nilas_expr_new(nilas_arena *stmt, nilas_expr_kind kind, int32_t offset, nilas_expr **out,
                          nilas_error *err);
/** Call `visit` on the node, then on everything below (args, filter, order_by, window; not
 *  subqueries); stops when false.
 *  The right operand of a BINARY comes before the left one: long chains of operators need no
 *  stack. */
bool nilas_expr_walk(nilas_expr *expr, bool (*visit)(void *context, nilas_expr *expr),
                     void *context);

#endif
