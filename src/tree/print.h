/** What the printers of this room share. Private to the room. */
#ifndef NILAS_TREE_PRINT_H
#define NILAS_TREE_PRINT_H

#include "tree/tree.h"

/** A name that the parser must take as a name: back-quoted when it is any keyword. */
void nilas_tree__print_name(nilas_buf *out, nilas_str name);
void nilas_tree__print_parts(nilas_buf *out, const nilas_str *parts, size_t count);
/** "(a, b)". */
void nilas_tree__print_name_list(nilas_buf *out, const nilas_str *names, size_t count);
/** The name of a called function: bare where the grammar has a special form for it (struct,
 *  timestampadd). */
void nilas_tree__print_function_name(nilas_buf *out, const nilas_str *parts, size_t count);
void nilas_tree__print_exprs(nilas_buf *out, nilas_expr *const *exprs, size_t count);
/** Arguments of a call with their names. */
void nilas_tree__print_args(nilas_buf *out, nilas_expr *const *args, const nilas_str *arg_names,
                            size_t count);
/** "('k' = 'v', 'x')". */
void nilas_tree__print_options(nilas_buf *out, const nilas_option *options, size_t count);
/** "w" or "(PARTITION BY …)". */
void nilas_tree__print_window(nilas_buf *out, const nilas_window *window);
void nilas_tree__print_ctes(nilas_buf *out, const nilas_cte *ctes, size_t count, bool recursive);
/** The relation of a FROM clause. */
void nilas_tree__print_relation(nilas_buf *out, const nilas_query *query);
/** A query without its FROM, but with the lateral views above `root`: a branch of a multi-
 *  insert. */
void nilas_tree__print_branch(nilas_buf *out, const nilas_query *query);
/** The relation that the branches of a multi-insert share: below the lateral views of a SELECT's
 *  FROM. */
const nilas_query *nilas_tree__branch_root(const nilas_query *query);
/** Nodes that only DataFrames have (print_frame.c): what follows "input |> "; the word is NULL for
 *  other kinds. */
const char *nilas_tree__frame_word(nilas_query_kind kind);
void nilas_tree__print_frame(nilas_buf *out, const nilas_query *query);
void nilas_tree__print_local(nilas_buf *out, const nilas_query *query);
void nilas_tree__print_source(nilas_buf *out, const nilas_query *query);
void nilas_tree__print_as_of_join(nilas_buf *out, const nilas_query *query);
/** Parts of tables, and of Hive's and Iceberg's clauses, that CREATE and ALTER both print. */
void nilas_tree__print_column_def(nilas_buf *out, const nilas_column_def *column);
void nilas_tree__print_partition_spec(nilas_buf *out, const nilas_partition_item *items,
                                      size_t count);
void nilas_tree__print_alteration(nilas_buf *out, const nilas_alteration *alteration);
void nilas_tree__print_assignments(nilas_buf *out, const nilas_assignment *assignments,
                                   size_t count);

#endif
