/** Private to the expression half of the binder: what expr*.c, fold*.c and shown*.c share. */
#ifndef NILAS_BIND_EXPR_H
#define NILAS_BIND_EXPR_H

#include "bind/scope.h"

/**
 * --- expr_node.c: building and walking bound expressions ---------------------------------------
 */

/** A zeroed node with kind and offset. */
nilas_code nilas_bind__node(nilas_binder *binder, nilas_bound_kind kind, int32_t offset,
                            nilas_bound_expr **out, nilas_error *err);
/** Deep copy; plans and windows' functions are shared. */
nilas_code nilas_bind__copy(nilas_arena *arena, const nilas_bound_expr *expr,
                            nilas_bound_expr **out, nilas_error *err);
/** A CAST node, or a literal when the child is one and its value converts. No check of types. */
nilas_code nilas_bind__cast(nilas_binder *binder, nilas_bound_expr *expr, const nilas_type *type,
                            nilas_cast_mode mode, nilas_bound_expr **out, nilas_error *err);
/** A CALL that no table knows: `function` is a static row. Arguments are not coerced. */
nilas_code nilas_bind__raw_call(nilas_binder *binder, const nilas_function *function,
                                nilas_bound_expr *const *args, size_t count, nilas_bound_expr **out,
                                nilas_error *err);
nilas_code nilas_bind__string_literal(nilas_binder *binder, nilas_str text, nilas_bound_expr **out,
                                      nilas_error *err);
/** Least common type of all; DATATYPE_MISMATCH.DATA_DIFF_TYPES naming `function` when none. */
nilas_code nilas_bind__common_type(nilas_binder *binder, nilas_bound_expr *const *exprs,
                                   size_t count, const nilas_type **out, nilas_error *err);
static inline bool nilas_bind__is_literal(const nilas_bound_expr *expr) {
    return expr->kind == NILAS_BOUND_LITERAL;
}
/** Cast mode of the session for CAST. */
nilas_cast_mode nilas_bind__mode(const nilas_binder *binder);
/** Call `visit` for the node and all below (not subplans); stops and returns false when it does. */
bool nilas_bind__visit(const nilas_bound_expr *expr,
                       bool (*visit)(void *context, const nilas_bound_expr *expr), void *context);

/** One call while its arguments are bound; `arguments` describes `args` to the function room. */
typedef struct nilas_call_arguments {
    nilas_str name; // as written, lower case
    nilas_argument *arguments;
    nilas_bound_expr **args;
    size_t count;
    int32_t offset;
} nilas_call_arguments;
nilas_argument nilas_bind__argument(const nilas_bound_expr *expr);
/** nilas_function_resolve() with the texts that its refusals need. */
nilas_code nilas_bind__resolve(nilas_binder *binder, const nilas_call_arguments *call,
                               nilas_call_options *options, nilas_call *out, nilas_error *err);

/**
 * --- parts of nilas_bind__expr, by kind --------------------------------------------------------
 */

nilas_code nilas_bind__exprs(nilas_bind_scope *scope, nilas_expr *const *exprs, size_t count,
                             nilas_bound_expr ***out, nilas_error *err);
/* expr_literal.c, expr_interval.c */
nilas_code nilas_bind__typed_literal(nilas_bind_scope *scope, const nilas_expr *expr,
                                     nilas_bound_expr **out, nilas_error *err);
nilas_code nilas_bind__interval(nilas_bind_scope *scope, const nilas_expr *expr,
                                nilas_bound_expr **out, nilas_error *err);
nilas_code nilas_bind__interval_text(nilas_bind_scope *scope, nilas_str text, int32_t offset,
                                     nilas_bound_expr **out, nilas_error *err);
/** "epoch", "now", "today", "tomorrow", "yesterday" as a value of a date or timestamp type. */
bool nilas_bind__special_time(const nilas_bind_environment *environment, nilas_str text,
                              const nilas_type *type, nilas_value *out);
/** The column that a call of window() or session_window() means; *out NULL for any other call. */
nilas_code nilas_bind__time_window_ref(nilas_bind_scope *scope, const nilas_expr *expr,
                                       nilas_bound_expr **out, nilas_error *err);
/* expr_name.c */
nilas_code nilas_bind__column(nilas_bind_scope *scope, const nilas_expr *expr,
                              nilas_bound_expr **out, nilas_error *err);
nilas_code nilas_bind__field(nilas_bind_scope *scope, const nilas_expr *expr,
                             nilas_bound_expr **out, nilas_error *err);
nilas_code nilas_bind__subscript(nilas_bind_scope *scope, const nilas_expr *expr,
                                 nilas_bound_expr **out, nilas_error *err);
nilas_code nilas_bind__identifier_clause(nilas_bind_scope *scope, const nilas_expr *expr,
                                         nilas_bound_expr **out, nilas_error *err);
/* expr_operator.c */
nilas_code nilas_bind__unary(nilas_bind_scope *scope, const nilas_expr *expr,
                             nilas_bound_expr **out, nilas_error *err);
nilas_code nilas_bind__binary(nilas_bind_scope *scope, const nilas_expr *expr,
                              nilas_bound_expr **out, nilas_error *err);
nilas_code nilas_bind__between(nilas_bind_scope *scope, const nilas_expr *expr,
                               nilas_bound_expr **out, nilas_error *err);
nilas_code nilas_bind__in(nilas_bind_scope *scope, const nilas_expr *expr, nilas_bound_expr **out,
                          nilas_error *err);
nilas_code nilas_bind__like(nilas_bind_scope *scope, const nilas_expr *expr, nilas_bound_expr **out,
                            nilas_error *err);
nilas_code nilas_bind__is(nilas_bind_scope *scope, const nilas_expr *expr, nilas_bound_expr **out,
                          nilas_error *err);
nilas_code nilas_bind__not(nilas_binder *binder, nilas_bound_expr *expr, int32_t offset,
                           nilas_bound_expr **out, nilas_error *err);
/* expr_cast.c */
nilas_code nilas_bind__case(nilas_bind_scope *scope, const nilas_expr *expr, nilas_bound_expr **out,
                            nilas_error *err);
/** Refuses a type with a collation at any depth: texts compare by their bytes. */
nilas_code nilas_bind__check_collations(const nilas_type *type, int32_t offset, nilas_error *err);
nilas_code nilas_bind__explicit_cast(nilas_bind_scope *scope, const nilas_expr *expr,
                                     nilas_bound_expr **out, nilas_error *err);
/** CAST with Spark's checks, of `expr`: CAST, TRY_CAST, or `int(x)` and its kind. */
nilas_code nilas_bind__checked_cast(nilas_binder *binder, const nilas_expr *expr,
                                    nilas_bound_expr *arg, const nilas_type *type,
                                    nilas_bound_expr **out, nilas_error *err);
/* expr_update.c */
nilas_code nilas_bind__update_field(nilas_bind_scope *scope, const nilas_expr *expr,
                                    nilas_bound_expr **out, nilas_error *err);
/** The member of a struct at `index`. */
nilas_code nilas_bind__member(nilas_binder *binder, nilas_bound_expr *base, size_t index,
                              nilas_bound_expr **out, nilas_error *err);
/** CASE WHEN base IS NULL THEN null ELSE value END. */
nilas_code nilas_bind__null_with(nilas_binder *binder, nilas_bound_expr *base,
                                 nilas_bound_expr *value, nilas_bound_expr **out, nilas_error *err);
/** A struct of these members, null where `base` is. */
nilas_code nilas_bind__struct_like(nilas_binder *binder, nilas_bound_expr *base,
                                   nilas_bound_expr **members, const nilas_type *type,
                                   nilas_bound_expr **out, nilas_error *err);
/* expr_call.c */
nilas_code nilas_bind__call_expr(nilas_bind_scope *scope, const nilas_expr *expr,
                                 nilas_bound_expr **out, nilas_error *err);
nilas_code nilas_bind__row(nilas_bind_scope *scope, nilas_expr *const *args, size_t count,
                           nilas_bound_expr **out, nilas_error *err);
/* expr_iceberg.c: refuse arguments that Iceberg's own function of this name does not take. */
nilas_code nilas_bind__check_iceberg_call(const nilas_call_arguments *call, nilas_error *err);
/* expr_special.c: calls whose meaning is the binder's. *out NULL: not one of them. */
nilas_code nilas_bind__special(nilas_bind_scope *scope, const nilas_expr *expr, nilas_str name,
                               nilas_bound_expr **out, nilas_error *err);
/** current_timestamp, current_user … as a bare name or a call. *out NULL: not one of them. */
nilas_code nilas_bind__session_value(nilas_bind_scope *scope, nilas_str name, int32_t offset,
                                     nilas_bound_expr **out, nilas_error *err);
bool nilas_bind__is_session_value(nilas_str name);
nilas_code nilas_bind__syntax_call(nilas_bind_scope *scope, const nilas_expr *expr,
                                   nilas_bound_expr **out, nilas_error *err);
/* expr_window.c */
nilas_code nilas_bind__window(nilas_bind_scope *scope, const nilas_expr *expr,
                              nilas_bound_expr *call, nilas_bound_expr **out, nilas_error *err);
/* expr_subquery.c */
nilas_code nilas_bind__subquery_expr(nilas_bind_scope *scope, const nilas_expr *expr,
                                     nilas_bound_expr **out, nilas_error *err);
/* expr_lambda.c: bind the lambda at `index`, once all other arguments are. */
nilas_code nilas_bind__lambda(nilas_bind_scope *scope, const nilas_expr *lambda,
                              nilas_call_arguments *call, size_t index, nilas_error *err);

/**
 * --- messages ----------------------------------------------------------------------------------
 */

/** Text of an expression for messages; never fails (empty when out of memory). */
nilas_str nilas_bind__text(nilas_binder *binder, const nilas_bound_expr *expr);
/** Spark's SQL form of a type, for messages. */
nilas_str nilas_bind__type_text(nilas_binder *binder, const nilas_type *type);
/** `a`.`b` */
nilas_str nilas_bind__name_text(nilas_arena *arena, const nilas_str *parts, size_t count);

/**
 * --- fold_value.c, shown_value.c: values -------------------------------------------------------
 */

/** Convert a value as CAST does; false when it does not convert or only the engine can tell. */
bool nilas_bind__cast_value(nilas_arena *arena, const nilas_zone *zone, const nilas_value *value,
                            const nilas_type *from, const nilas_type *to, nilas_value *out);
/** Append a literal as Spark's result column names show it. */
void nilas_bind__print_literal(nilas_buf *out, const nilas_zone *zone, const nilas_type *type,
                               const nilas_value *value);
/** Append the names of the columns of queries around that a subquery's plan uses. */
void nilas_bind__print_outer_columns(nilas_buf *out, const nilas_plan *plan);
/** Whether names show a cast to the type; those to nested types show only what is cast. */
bool nilas_bind__shows_cast(const nilas_type *type);
/** Append Spark's pretty SQL; `binder` gives the time zone. */
void nilas_bind__print_shown(nilas_buf *out, const nilas_binder *binder,
                             const nilas_bound_expr *expr);

/**
 * --- pushdown_*.c ------------------------------------------------------------------------------
 */

/** What a filter stands on; `zone` is the session's (NULL: unknown), so that a timestamp column
 *  cast to a date still prunes. */
typedef struct nilas_pushdown_input {
    const nilas_zone *zone;
    const nilas_bound_scan *scan;
    const nilas_attribute *outputs;
    size_t output_count;
} nilas_pushdown_input;
/** Conjuncts of `condition` that a scan can use; weaker or equal. *out NULL: nothing; *exact: the
 *  predicate says all. */
nilas_code nilas_bind__pushdown(nilas_arena *arena, const nilas_bound_expr *condition,
                                const nilas_pushdown_input *input, nilas_predicate **out,
                                bool *exact, nilas_error *err);

#endif
