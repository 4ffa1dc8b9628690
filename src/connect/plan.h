/** What the files that translate plans share: the plan on its way, and one function a theme. */
#ifndef NILAS_CONNECT_PLAN_H
#define NILAS_CONNECT_PLAN_H

#include "connect/translate.h"

/** Relations that a with_relations gives to those below it; innermost first. */
typedef struct nilas_connect__references {
    const Sc__WithRelations *with;
    const struct nilas_connect__references *outer;
} nilas_connect__references;

/** One plan being translated. */
typedef struct nilas_connect__plan {
    nilas_arena *stmt;
    const nilas_translation *host;
    nilas_sql_options options;
    const nilas_connect__references *references;
    int remote_depth; // of checkpoints in checkpoints
    nilas_error *err;
} nilas_connect__plan;

void nilas_connect__plan_init(nilas_connect__plan *plan, const nilas_translation *translation,
                              nilas_error *err);

/** A text of a message. */
static inline nilas_str nilas_connect__text(const char *text) {
    return nilas_str_of(text != NULL ? text : "");
}
/** NILAS_INVALID: the message lacks what it must have; `what` names it. */
nilas_code nilas_connect__missing(nilas_connect__plan *plan, const char *what);
/** NILAS_UNSUPPORTED with UNSUPPORTED_FEATURE: "`what` is not supported by nilas." */
nilas_code nilas_connect__refuse(nilas_connect__plan *plan, const char *what);

// ---- names (name.c)
/** The name of a column as DataFrames write it: parts between dots, back quotes around a part. */
nilas_code nilas_connect__attribute_name(nilas_connect__plan *plan, nilas_str text,
                                         nilas_str **out_parts, size_t *out_count);
/** The name of a table as SQL writes it. */
nilas_code nilas_connect__table_name(nilas_connect__plan *plan, const char *text,
                                     nilas_str **out_parts, size_t *out_count);
/** Texts of a message as an array. */
nilas_code nilas_connect__texts(nilas_connect__plan *plan, char *const *texts, size_t count,
                                nilas_str **out);

// ---- expressions
nilas_code nilas_connect__expr(nilas_connect__plan *plan, const Sc__Expression *message,
                               nilas_expr **out); // expr.c
nilas_code nilas_connect__exprs(nilas_connect__plan *plan, Sc__Expression *const *messages,
                                size_t count, nilas_expr ***out);
nilas_code nilas_connect__new_expr(nilas_connect__plan *plan, nilas_expr_kind kind,
                                   size_t arg_count, nilas_expr **out);
nilas_code nilas_connect__column(nilas_connect__plan *plan, nilas_str *parts, size_t count,
                                 nilas_expr **out);
nilas_code nilas_connect__sort_order(nilas_connect__plan *plan,
                                     const Sc__Expression__SortOrder *message, nilas_expr **out);
nilas_code nilas_connect__sort_orders(nilas_connect__plan *plan,
                                      Sc__Expression__SortOrder *const *messages, size_t count,
                                      nilas_expr ***out);
nilas_code nilas_connect__alias(nilas_connect__plan *plan, const Sc__Expression__Alias *message,
                                nilas_expr **out);
nilas_code nilas_connect__function(nilas_connect__plan *plan,
                                   const Sc__Expression__UnresolvedFunction *message,
                                   nilas_expr **out); // expr_call.c
nilas_code nilas_connect__call_function(nilas_connect__plan *plan, const Sc__CallFunction *message,
                                        nilas_expr **out);
nilas_code nilas_connect__call_args(nilas_connect__plan *plan, Sc__Expression *const *messages,
                                    size_t count, nilas_expr ***out, nilas_str **out_names);
nilas_code nilas_connect__window(nilas_connect__plan *plan, const Sc__Expression__Window *message,
                                 nilas_expr **out); // expr_window.c
nilas_code nilas_connect__subquery(nilas_connect__plan *plan, const Sc__SubqueryExpression *message,
                                   nilas_expr **out);
nilas_code nilas_connect__literal(nilas_connect__plan *plan, const Sc__Expression__Literal *message,
                                  nilas_expr **out); // literal.c
nilas_code nilas_connect__literal_of_int(nilas_connect__plan *plan, nilas_type_kind kind,
                                         int64_t value, nilas_expr **out);

// ---- relations
nilas_code nilas_connect__relation(nilas_connect__plan *plan, const Sc__Relation *message,
                                   nilas_query **out); // relation.c
nilas_code nilas_connect__new_query(nilas_connect__plan *plan, nilas_query_kind kind,
                                    nilas_query **out);
/** A node over the translated input of a message. */
nilas_code nilas_connect__over(nilas_connect__plan *plan, nilas_query_kind kind,
                               const Sc__Relation *input, nilas_query **out);
nilas_code nilas_connect__with_relations(nilas_connect__plan *plan,
                                         const Sc__WithRelations *message, nilas_query **out);
/** The statement of a SQL text with its arguments (relation_sql.c). */
nilas_code nilas_connect__sql(nilas_connect__plan *plan, const Sc__SQL *message,
                              nilas_statement **out);

// ---- commands
nilas_code nilas_connect__write(nilas_connect__plan *plan, const Sc__WriteOperation *message,
                                nilas_statement **out); // command_write.c
nilas_code nilas_connect__write_v2(nilas_connect__plan *plan, const Sc__WriteOperationV2 *message,
                                   nilas_statement **out);
nilas_code nilas_connect__merge(nilas_connect__plan *plan, const Sc__MergeIntoTableCommand *message,
                                nilas_statement **out); // command_merge.c
nilas_code nilas_connect__catalog(nilas_connect__plan *plan, const Sc__Catalog *message,
                                  nilas_statement **out); // catalog.c

typedef nilas_code nilas_connect__relation_fn(nilas_connect__plan *plan,
                                              const Sc__Relation *message, nilas_query **out);
nilas_connect__relation_fn nilas_connect__read;            // relation_read.c
nilas_connect__relation_fn nilas_connect__local;           // relation_read.c
nilas_connect__relation_fn nilas_connect__cached_local;    //
nilas_connect__relation_fn nilas_connect__chunked_local;   //
nilas_connect__relation_fn nilas_connect__range;           //
nilas_connect__relation_fn nilas_connect__table_function;  //
nilas_connect__relation_fn nilas_connect__join;            // relation_join.c
nilas_connect__relation_fn nilas_connect__set_op;          //
nilas_connect__relation_fn nilas_connect__as_of_join;      //
nilas_connect__relation_fn nilas_connect__lateral_join;    //
nilas_connect__relation_fn nilas_connect__aggregate;       // relation_group.c
nilas_connect__relation_fn nilas_connect__unpivot;         //
nilas_connect__relation_fn nilas_connect__transpose;       //
nilas_connect__relation_fn nilas_connect__na_fill;         // relation_stat.c
nilas_connect__relation_fn nilas_connect__na_drop;         //
nilas_connect__relation_fn nilas_connect__na_replace;      //
nilas_connect__relation_fn nilas_connect__describe;        //
nilas_connect__relation_fn nilas_connect__summary;         //
nilas_connect__relation_fn nilas_connect__pair_statistic;  // crosstab, cov, corr
nilas_connect__relation_fn nilas_connect__approx_quantile; //
nilas_connect__relation_fn nilas_connect__freq_items;      //
nilas_connect__relation_fn nilas_connect__sample_by;       //

// ---- types (type.c, type_json.c)
nilas_code nilas_connect__type(nilas_connect__plan *plan, const Sc__DataType *message,
                               const nilas_type **out);

/** Spark's StructType.toDDL: "a INT,b STRING NOT NULL"; any other type as SQL (type_text.c). */
void nilas_connect__print_ddl(nilas_buf *out, const nilas_type *type);

/** The tree's plan id of a message's: clients count from 0, which in the tree means none; -1 is the
 *  binder's. */
static inline int64_t nilas_connect__frame_id(int64_t plan_id) {
    if (plan_id >= 0) {
        return plan_id < INT64_MAX ? plan_id + 1 : plan_id;
    }
    return plan_id > INT64_MIN ? plan_id - 1 : plan_id;
}

#endif
