/**
 * The contract between the two halves of the binder: expressions (expr*.c) and queries (query*.c).
 *
 * A scope is what names can mean at one place of a query: the columns of FROM, then the columns of
 * the queries around it. The expression half binds a tree against a scope and leaves aggregates,
 * windows and generators where they stand as CALL and WINDOW nodes; the query half takes them out
 * and puts AGGREGATE, WINDOW and GENERATE operators below.
 */
#ifndef NILAS_BIND_SCOPE_H
#define NILAS_BIND_SCOPE_H

#include "bind/bind.h"

typedef struct nilas_scope_column {
    nilas_attribute attribute;
    const nilas_str *qualifier;
    size_t qualifier_count; // {"local", "db", "t"} or {alias}; none: 0
    bool hidden;            // not part of `*`: metadata columns, the other side of USING
    bool missing; // hidden too: a frame's select left it out, but its sort and filter still see it
} nilas_scope_column;

/** A lambda's parameters while its body is bound; innermost first. */
typedef struct nilas_lambda_frame {
    const nilas_str *names;
    const int32_t *ids;
    const nilas_type *const *types;
    const bool *nullable;
    size_t count;
    const struct nilas_lambda_frame *outer;
} nilas_lambda_frame;

/** A frame (DataFrame) below what is being bound, with its columns as they were then. */
typedef struct nilas_bound_frame {
    const struct nilas_bound_frame *next; // an older one
    int64_t plan_id;
    int32_t depth; // of the query that it is
    nilas_scope_column *columns;
    size_t column_count;
} nilas_bound_frame;

/** State of one statement's binding, shared by all its scopes. */
typedef struct nilas_binder {
    const nilas_bind_environment *environment;
    nilas_arena *arena; // environment->stmt
    int32_t next_id;    // of attributes; starts at 1
    int32_t depth;      // nesting of queries and expressions, against NILAS_LIMIT_SQL_DEPTH
    int32_t view_depth;
    struct nilas_cte_frame *ctes;    // visible CTEs, innermost first (query half)
    const nilas_query *options_from; // internal to the query half
    // Frames of what has been bound, newest first; those of the query being bound come before
    // `frames_outside`.
    const nilas_bound_frame *frames, *frames_outside;
    NILAS_ARRAY_OF(int32_t) origins; // by attribute id: the column that it passes on; 0: none
} nilas_binder;

/** The window of time of a SELECT: the call in its text and the column that it means. */
typedef struct nilas_time_window {
    const nilas_expr *call; // NULL: none
    nilas_attribute attribute;
} nilas_time_window;

typedef struct nilas_bind_scope nilas_bind_scope;
struct nilas_bind_scope {
    nilas_binder *binder;
    nilas_scope_column *columns;
    size_t column_count;
    nilas_bind_scope *outer;    // of the query around; NULL at the top
    nilas_bind_scope *fallback; // looked at after `columns` and before `outer`: ORDER BY sees the
                                // output, then FROM
    const char
        *clause; // "SELECT", "WHERE", "HAVING", "GROUP BY", "JOIN", "ORDER BY" … for messages
    bool no_aggregates; // an aggregate here is an error (WHERE, JOIN, GROUP BY)
    bool no_windows;
    bool no_generators;
    bool takes_missing;                           // names may mean columns that are missing
    const nilas_bound_frame *frames, *frames_end; // that columns may name, newest first
    int32_t depth;                                // of the query that the scope is of
    bool takes_table_function; // a call in FROM, which alone may be a table function
    const nilas_lambda_frame *lambda;
    const nilas_named_window *windows;
    size_t window_count; // WINDOW clause of the SELECT
    const nilas_time_window *time_window;
    // Lateral column aliases: earlier items of the same select list, found after the columns of
    // FROM.
    nilas_str *alias_names;
    nilas_bound_expr **alias_exprs;
    size_t alias_count;
};

/* --- expression half (expr*.c, shown.c, fold.c, pushdown.c)
 * ------------------------------------------------------------ */

/** Bind any expression but a bare star or an ALIAS of several names; ALIAS gives its inner
 * expression. */
nilas_code nilas_bind__expr(nilas_bind_scope *scope, const nilas_expr *expr, nilas_bound_expr **out,
                            nilas_error *err);
/** Bind and require a boolean (DATATYPE_MISMATCH.FILTER_NOT_BOOLEAN,
 * JOIN_CONDITION_IS_NOT_BOOLEAN_TYPE by scope->clause). */
nilas_code nilas_bind__condition(nilas_bind_scope *scope, const nilas_expr *expr,
                                 nilas_bound_expr **out, nilas_error *err);
/** Bind a SORT node, or a plain expression as ASC; nulls order made explicit (ASC: first, DESC:
 * last). */
nilas_code nilas_bind__sort_key(nilas_bind_scope *scope, const nilas_expr *expr,
                                nilas_bound_expr **out, nilas_error *err);
/** Wrap in an implicit cast unless the types are equal; literals are converted at once. */
nilas_code nilas_bind__coerce(nilas_binder *binder, nilas_bound_expr *expr, const nilas_type *type,
                              nilas_bound_expr **out, nilas_error *err);
/** A call of a scalar function or operator by name with bound arguments (coerces them). */
nilas_code nilas_bind__call(nilas_binder *binder, const char *name, nilas_bound_expr *const *args,
                            size_t count, int32_t offset, nilas_bound_expr **out, nilas_error *err);
/** Spark's name of the result column: of an ALIAS its name, of a column its name, else the pretty
 * SQL text. */
nilas_code nilas_bind__shown_name(nilas_binder *binder, const nilas_expr *expr,
                                  const nilas_bound_expr *bound, nilas_str *out, nilas_error *err);
/** Spark's pretty SQL of a bound expression. */
nilas_code nilas_bind__shown(nilas_binder *binder, const nilas_bound_expr *bound, nilas_str *out,
                             nilas_error *err);
/** Value of a constant expression; NILAS_INVALID when it refers to columns. */
nilas_code nilas_bind__fold(nilas_binder *binder, const nilas_bound_expr *bound, nilas_value *out,
                            nilas_error *err);
/** New nodes. */
nilas_code nilas_bind__literal(nilas_binder *binder, const nilas_type *type,
                               const nilas_value *value, nilas_bound_expr **out, nilas_error *err);
nilas_code nilas_bind__column_ref(nilas_binder *binder, const nilas_attribute *attribute,
                                  nilas_bound_expr **out, nilas_error *err);
/** Structural equality after binding (same attribute ids, functions, values, types). */
bool nilas_bind__equal(const nilas_bound_expr *a, const nilas_bound_expr *b);
/** Post-order rewrite: `rewrite` may replace a node; args, filter, order_by, window parts and
 * (optionally) nothing of subplans. */
nilas_code nilas_bind__rewrite(nilas_arena *arena, nilas_bound_expr **expr,
                               nilas_code (*rewrite)(void *context, nilas_bound_expr **expr,
                                                     nilas_error *err),
                               void *context, nilas_error *err);

/* --- query half (query*.c)
 * --------------------------------------------------------------------------------------------- */

/**
 * Find the column that the longest prefix of `parts` names (qualifier and name), first among lambda
 * parameters, then here, then in lateral aliases, then in outer scopes. *consumed tells how many
 * parts; the rest are struct fields. AMBIGUOUS_REFERENCE, UNRESOLVED_COLUMN.WITH_SUGGESTION, ….
 */
nilas_code nilas_bind__find_column(nilas_bind_scope *scope, const nilas_str *parts, size_t count,
                                   int32_t offset, nilas_bound_expr **out, size_t *consumed,
                                   nilas_error *err);
/** Columns of a star (with qualifier and EXCEPT), as column references (or struct fields for `s.*`
 * of a struct), with names. */
nilas_code nilas_bind__expand_star(nilas_bind_scope *scope, const nilas_expr *star,
                                   nilas_bound_expr ***out, nilas_str **out_names,
                                   size_t *out_count, nilas_error *err);
/** Bind a subquery whose outer scope is `scope`. */
nilas_code nilas_bind__subquery(nilas_bind_scope *scope, const nilas_query *query, nilas_plan **out,
                                nilas_error *err);
/** A window of the WINDOW clause; MISSING_WINDOW_SPECIFICATION when there is none. */
nilas_code nilas_bind__find_window(nilas_bind_scope *scope, nilas_str name, int32_t offset,
                                   const nilas_window **out, nilas_error *err);

#endif
