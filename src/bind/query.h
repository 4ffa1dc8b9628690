/** Private to the query half of the binder: relations on the way to a plan. */
#ifndef NILAS_BIND_QUERY_H
#define NILAS_BIND_QUERY_H

#include "bind/scope.h"

/** A relation while it is being bound: a plan and what its columns are called. Hidden columns are
 * outputs of the plan too. */
typedef struct nilas_bound_relation {
    nilas_plan *plan;
    nilas_scope_column *columns;
    size_t column_count;
} nilas_bound_relation;

/** A common table expression in view. */
typedef struct nilas_cte_frame {
    const nilas_cte *cte;
    bool recursive;
    struct nilas_cte_frame
        *outer;           // what is visible inside its query (its own name too when recursive)
    int32_t recursion_id; // != 0 while its step is being bound: the name means RECURSION
    nilas_attribute *attributes; // of the recursion
    size_t attribute_count;
    bool was_used;               // by the step
    nilas_bound_relation *bound; // its query, bound before: for the first reference; or NULL
} nilas_cte_frame;

nilas_code nilas_bind__query(nilas_binder *binder, nilas_bind_scope *outer,
                             const nilas_query *query, nilas_bound_relation *out, nilas_error *err);

/* query_from.c */
nilas_code nilas_bind__source_query(nilas_binder *binder, nilas_bind_scope *outer,
                                    const nilas_query *query, nilas_bound_relation *out,
                                    nilas_error *err);
nilas_code nilas_bind__table(nilas_binder *binder, nilas_bind_scope *outer,
                             const nilas_query *query, nilas_bound_relation *out, nilas_error *err);
nilas_code nilas_bind__table_function(nilas_binder *binder, nilas_bind_scope *outer,
                                      const nilas_query *query, nilas_bound_relation *out,
                                      nilas_error *err);
nilas_code nilas_bind__values(nilas_binder *binder, nilas_bind_scope *outer,
                              const nilas_query *query, nilas_bound_relation *out,
                              nilas_error *err);
nilas_code nilas_bind__lateral_view(nilas_binder *binder, nilas_bind_scope *outer,
                                    const nilas_query *query, nilas_bound_relation *out,
                                    nilas_error *err);
/** Rename the visible columns (none: keep) and give all a qualifier. */
nilas_code nilas_bind__apply_alias(nilas_binder *binder, nilas_bound_relation *relation,
                                   nilas_str alias, bool has_alias, const nilas_str *columns,
                                   size_t column_count, int32_t offset, nilas_error *err);
/** Put GENERATE above the relation; the new columns come last. `names` (count 0: the generator's
 * own). */
nilas_code nilas_bind__generate(nilas_binder *binder, nilas_bound_relation *relation,
                                nilas_bound_expr *generator, bool outer, const nilas_str *names,
                                size_t name_count, int32_t offset, size_t *out_first,
                                nilas_error *err);

/* query_join.c */
nilas_code nilas_bind__join(nilas_binder *binder, nilas_bind_scope *outer, const nilas_query *query,
                            nilas_bound_relation *out, nilas_error *err);

/* query_set.c */
/** Rows with maps cannot be compared, so neither DISTINCT nor a set operation takes them. */
nilas_code nilas_bind__check_no_maps(nilas_binder *binder, const nilas_bound_relation *relation,
                                     int32_t offset, nilas_error *err);
nilas_code nilas_bind__set_op(nilas_binder *binder, nilas_bind_scope *outer,
                              const nilas_query *query, nilas_bound_relation *out,
                              nilas_error *err);
nilas_code nilas_bind__with(nilas_binder *binder, nilas_bind_scope *outer, const nilas_query *query,
                            nilas_bound_relation *out, nilas_error *err);
nilas_code nilas_bind__cte_reference(nilas_binder *binder, nilas_bind_scope *outer,
                                     nilas_cte_frame *frame, nilas_str name,
                                     nilas_bound_relation *out, nilas_error *err);
/** Cast the visible columns of a relation to the types, by a PROJECT when any differs; drops hidden
 * columns. */
nilas_code nilas_bind__cast_columns(nilas_binder *binder, nilas_bound_relation *relation,
                                    const nilas_type *const *types, nilas_error *err);

/** unionByName(allowMissingColumns): the right's columns in the left's order, nulls for those that
 *  a side lacks, fields of structs alike; what only the right has comes last (frame_union.c). */
nilas_code nilas_bind__align_by_name(nilas_binder *binder, nilas_bound_relation *left,
                                     nilas_bound_relation *right, nilas_error *err);

/* query_select.c */
typedef struct nilas_select { // what a SELECT, a pipe operator or a DataFrame operation asks for
    nilas_bound_relation from;
    nilas_expr *const *exprs;
    size_t expr_count;
    const nilas_expr *where, *having;
    const nilas_group_by *group_by; // NULL: none
    bool distinct;
    const nilas_named_window *windows;
    size_t window_count;
    bool keeps_missing;      // of a frame: columns left out stay as missing ones
    const nilas_query *sort; // SORT node above, bound together with it; or NULL
    int64_t plan_id;         // of the select itself, when a frame's SORT is bound with it
    int32_t offset;
} nilas_select;
nilas_code nilas_bind__select(nilas_binder *binder, nilas_bind_scope *outer,
                              const nilas_select *select, nilas_bound_relation *out,
                              nilas_error *err);
nilas_code nilas_bind__sort(nilas_binder *binder, nilas_bind_scope *outer, const nilas_query *query,
                            nilas_bound_relation *out, nilas_error *err);

/* query_time.c */
/**
 * Look for window() and session_window() in the select; when there is one, select->from gets its
 * column (hidden from `*`), and *out tells it. _LEGACY_ERROR_TEMP_1039 when there are several.
 */
nilas_code nilas_bind__time_window(nilas_binder *binder, nilas_bind_scope *outer,
                                   nilas_select *select, nilas_time_window *out, nilas_error *err);

/* query_extract.c */
typedef struct nilas_extraction { // one AGGREGATE being put together
    nilas_binder *binder;
    const nilas_plan
        *input; // whose columns may appear only inside aggregates and group expressions
    NILAS_ARRAY_OF(nilas_bound_expr *) groups;
    NILAS_ARRAY_OF(nilas_attribute) group_attributes;
    NILAS_ARRAY_OF(nilas_bound_expr *) aggregates;
    NILAS_ARRAY_OF(nilas_attribute) aggregate_attributes;
    bool has_sets, has_group_by;
    bool has_grouping_id;
    nilas_attribute grouping_id;
} nilas_extraction;
/** Replace group expressions and aggregates in *expr by columns of the AGGREGATE. */
nilas_code nilas_bind__extract_aggregates(nilas_extraction *extraction, nilas_bound_expr **expr,
                                          nilas_error *err);
bool nilas_bind__has_aggregate(const nilas_bound_expr *expr);
bool nilas_bind__has_window(const nilas_bound_expr *expr);
bool nilas_bind__has_generator(const nilas_bound_expr *expr);

typedef struct nilas_window_extraction {
    nilas_binder *binder;
    NILAS_ARRAY_OF(nilas_bound_expr *) windows;
    NILAS_ARRAY_OF(nilas_attribute) attributes;
} nilas_window_extraction;
nilas_code nilas_bind__extract_windows(nilas_window_extraction *extraction, nilas_bound_expr **expr,
                                       nilas_error *err);

/* query_pivot.c */
nilas_code nilas_bind__pivot(nilas_binder *binder, nilas_bind_scope *outer,
                             const nilas_query *query, nilas_bound_relation *out, nilas_error *err);
nilas_code nilas_bind__unpivot(nilas_binder *binder, nilas_bind_scope *outer,
                               const nilas_query *query, nilas_bound_relation *out,
                               nilas_error *err);

/** A call of stack() that gives a row for each value: its name, then the value's columns. */
nilas_code nilas_bind__unpivot_stack(nilas_binder *binder, nilas_bind_scope *scope,
                                     const nilas_unpivot *unpivot, nilas_bound_expr **out,
                                     nilas_error *err);

/** The stack's columns, from `first` on, may be null where their values may. */
void nilas_bind__set_unpivoted_nullable(nilas_bound_relation *relation, size_t first,
                                        const nilas_bound_expr *stack);

/* query_pipe.c */
nilas_code nilas_bind__pipe(nilas_binder *binder, nilas_bind_scope *outer, const nilas_query *query,
                            nilas_bound_relation *out, nilas_error *err);

/* frame.c: what only DataFrames have */
nilas_code nilas_bind__frame(nilas_binder *binder, nilas_bind_scope *outer,
                             const nilas_query *query, nilas_bound_relation *out, nilas_error *err);

/** The plan id of a COLUMN that the binder makes itself: `ordinal` is the attribute's id. */
#define NILAS_BOUND_PLAN_ID (-1)

/* frame_column.c: columns of frames */
/** Remember that the relation is the frame of this plan id. */
nilas_code nilas_bind__add_frame(nilas_binder *binder, int64_t plan_id,
                                 const nilas_bound_relation *relation, nilas_error *err);
/** The column `id` is the column `origin` of an operator below, passed on as it is. */
nilas_code nilas_bind__pass_on(nilas_binder *binder, int32_t id, int32_t origin, nilas_error *err);
/** Whether both are one column, passed on. */
bool nilas_bind__is_same_column(const nilas_binder *binder, int32_t a, int32_t b);
/** Let the columns of `input` that the PROJECT leaves out stay as missing ones of `out`, which has
 *  the PROJECT's columns. */
nilas_code nilas_bind__keep_missing(nilas_binder *binder, const nilas_bound_relation *input,
                                    nilas_plan *project, nilas_bound_relation *out,
                                    nilas_error *err);
/** New columns of the same values, which are no longer their frames' (DataFrame.toDF). */
nilas_code nilas_bind__own_columns(nilas_binder *binder, nilas_bound_relation *relation,
                                   nilas_error *err);
void nilas_bind__drop_missing(nilas_bound_relation *relation);
/** The column that `expr`, a COLUMN with a plan id, means by its frame; *out NULL: its frame is
 *  there, but the column is to be found by name. AMBIGUOUS_COLUMN_REFERENCE,
 *  CANNOT_RESOLVE_DATAFRAME_COLUMN. */
nilas_code nilas_bind__find_frame_column(nilas_bind_scope *scope, const nilas_expr *expr,
                                         nilas_bound_expr **out, size_t *consumed,
                                         nilas_error *err);
/** The columns of the frame that a STAR names. */
nilas_code nilas_bind__expand_frame(nilas_bind_scope *scope, const nilas_expr *star,
                                    const nilas_scope_column ***out, size_t *out_count,
                                    nilas_error *err);

/** Whether an aggregate function is called, not counting windows. */
bool nilas_bind__calls_aggregate(nilas_expr *const *exprs, size_t count);
/** A PIPE_AGGREGATE together with the SORT or FILTER above it. */
nilas_code nilas_bind__aggregate_frame(nilas_binder *binder, nilas_bind_scope *outer,
                                       const nilas_query *query, const nilas_query *above,
                                       nilas_bound_relation *out, nilas_error *err);

/* plan.c: building plans */
nilas_code nilas_bind__plan(nilas_binder *binder, nilas_plan_kind kind, nilas_plan *input,
                            nilas_plan **out, nilas_error *err);
/** A fresh attribute. */
nilas_attribute nilas_bind__attribute(nilas_binder *binder, nilas_str name, const nilas_type *type,
                                      bool nullable);
nilas_code nilas_bind__add_output(nilas_binder *binder, nilas_plan *plan, nilas_attribute attribute,
                                  nilas_error *err);
/** PROJECT of `count` expressions; outputs get fresh ids and the given names. */
nilas_code nilas_bind__project(nilas_binder *binder, nilas_plan *input, nilas_bound_expr **exprs,
                               const nilas_str *names, size_t count, nilas_plan **out,
                               nilas_error *err);
/** Only the visible columns, in order, as the plan's outputs; the columns keep names and
 * qualifiers. */
nilas_code nilas_bind__visible_only(nilas_binder *binder, nilas_bound_relation *relation,
                                    nilas_error *err);
/** Columns of a scope over a relation. */
void nilas_bind__scope_of(nilas_bind_scope *scope, nilas_binder *binder,
                          const nilas_bound_relation *relation, nilas_bind_scope *outer,
                          const char *clause);
/** Same name by the session's case rule. */
bool nilas_bind__same_name(const nilas_binder *binder, nilas_str a, nilas_str b);
/** Call for every expression of one plan node (not of its inputs); for rewriting by pointer. */
nilas_code nilas_plan__each_expr(nilas_plan *plan,
                                 nilas_code (*body)(void *context, nilas_bound_expr **expr,
                                                    nilas_error *err),
                                 void *context, nilas_error *err);

/* prune.c, push.c: the plan made smaller */
/** Drop outputs nobody needs, down to the scans; marks scans that must give deleted rows. */
nilas_code nilas_bind__prune(nilas_binder *binder, nilas_plan *plan, nilas_error *err);
/** Derive each scan's predicate from the filters and join conditions above it. */
nilas_code nilas_bind__push(nilas_binder *binder, nilas_plan *plan, nilas_error *err);

#endif
