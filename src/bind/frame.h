/** Private to the frames: what only DataFrames have, one binder each. */
#ifndef NILAS_BIND_FRAME_H
#define NILAS_BIND_FRAME_H

#include "bind/expr.h"
#include "bind/query.h"

typedef nilas_code nilas_bind_frame(nilas_binder *binder, nilas_bind_scope *outer,
                                    const nilas_query *query, nilas_bound_relation *out,
                                    nilas_error *err);

/** The relation's columns replaced by `count` expressions of these names: a PROJECT. Columns that
 *  are passed on keep qualifiers and frames. `types` (or NULL) says the types to show. */
nilas_code nilas_bind__replace_columns(nilas_binder *binder, nilas_bound_relation *relation,
                                       nilas_bound_expr **exprs, const nilas_str *names,
                                       size_t count, nilas_error *err);
/** Columns of the relation as references; visible ones, which is all after
 *  nilas_bind__visible_only(). */
nilas_code nilas_bind__refs(nilas_binder *binder, const nilas_bound_relation *relation,
                            nilas_bound_expr ***out, nilas_error *err);

/** A COLUMN that means exactly this column of the input. */
nilas_code nilas_bind__ref_expr(nilas_binder *binder, const nilas_attribute *attribute,
                                nilas_expr **out, nilas_error *err);

/* frame_sql.c */
/** Bind the query's input; only its visible columns. */
nilas_code nilas_bind__frame_input(nilas_binder *binder, nilas_bind_scope *outer,
                                   const nilas_query *query, nilas_bound_relation *out,
                                   nilas_error *err);
nilas_code nilas_bind__names(nilas_binder *binder, const nilas_bound_relation *relation,
                             nilas_str **out, nilas_error *err);
/** The position of the column that a name as DataFrames write it (a.b, `a.b`) means. */
nilas_code nilas_bind__named_column(nilas_binder *binder, const nilas_bound_relation *input,
                                    nilas_str name, size_t *out, nilas_error *err);
/** Bind an SQL query over the query's input, which is bound already: the relation `_frame` with the
 *  columns c0, c1 …. */
nilas_code nilas_bind__frame_sql(nilas_binder *binder, const nilas_query *query,
                                 const nilas_bound_relation *input, nilas_str sql,
                                 nilas_bound_relation *out, nilas_error *err);

/** Give the columns these names. */
void nilas_bind__rename(nilas_bound_relation *relation, const nilas_str *names);
/** Say of all columns whether they may be null. */
void nilas_bind__set_nullable(nilas_bound_relation *relation, bool nullable);

/* frame_reshape.c */
typedef struct nilas_values {
    nilas_value *items;
    size_t count;
    const nilas_type *type;
} nilas_values;
/** Values of `distinct`, a query over `_frame` with one column v, in order, null first: asked for
 *  now. */
nilas_code nilas_bind__distinct_values(nilas_binder *binder, const nilas_query *query,
                                       const nilas_bound_relation *input, nilas_str distinct,
                                       nilas_values *out, nilas_error *err);
nilas_bind_frame nilas_bind__frame_unpivot;
nilas_bind_frame nilas_bind__transpose;

/* frame_stat.c */
nilas_bind_frame nilas_bind__summary;
nilas_bind_frame nilas_bind__describe;
nilas_bind_frame nilas_bind__crosstab;
nilas_bind_frame nilas_bind__cov;
nilas_bind_frame nilas_bind__corr;
nilas_bind_frame nilas_bind__approx_quantile;
nilas_bind_frame nilas_bind__freq_items;
nilas_bind_frame nilas_bind__sample_by;

/* frame_observe.c */
nilas_bind_frame nilas_bind__observe;

/* frame_sample.c */
nilas_bind_frame nilas_bind__frame_sample;

/* frame_na.c */
nilas_bind_frame nilas_bind__na_fill;
nilas_bind_frame nilas_bind__na_drop;
nilas_bind_frame nilas_bind__na_replace;

/* frame_local.c: local relations, DataFrame.to() */
nilas_bind_frame nilas_bind__local;
nilas_bind_frame nilas_bind__to_schema;

#endif
