/** Equality of the parts that expressions, queries and statements share. Private to the room. */
#ifndef NILAS_TREE_EQUAL_H
#define NILAS_TREE_EQUAL_H

#include "tree/tree.h"

bool nilas_tree__equal_strs(const nilas_str *a, size_t a_count, const nilas_str *b, size_t b_count);
bool nilas_tree__equal_exprs(nilas_expr *const *a, size_t a_count, nilas_expr *const *b,
                             size_t b_count);
/** NULL equals NULL. */
bool nilas_tree__equal_expr(const nilas_expr *a, const nilas_expr *b);
bool nilas_tree__equal_query(const nilas_query *a, const nilas_query *b);
bool nilas_tree__equal_type(const nilas_type *a, const nilas_type *b);
/** Names of arguments: NULL equals all empty. */
bool nilas_tree__equal_arg_names(const nilas_str *a, const nilas_str *b, size_t count);
bool nilas_tree__equal_options(const nilas_option *a, size_t a_count, const nilas_option *b,
                               size_t b_count);
bool nilas_tree__equal_ctes(const nilas_cte *a, size_t a_count, const nilas_cte *b, size_t b_count);

#endif
