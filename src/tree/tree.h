/**
 * tree: the statement tree. Every door (SQL text, Spark Connect plans, pipeline files) builds it;
 * nothing here knows
 * names, tables or types of columns.
 *
 * Nodes live in a statement arena and are immutable once built, except that the maker fills them.
 * Each keeps the byte offset
 * of its first token, so that late errors still point into the text (-1: not from text).
 */
#ifndef NILAS_TREE_TREE_H
#define NILAS_TREE_TREE_H

#include "base/base.h"
#include "tree/expr.h"
#include "tree/interval.h"
#include "tree/keyword.h"
#include "tree/query.h"
#include "tree/statement.h"
#include "tree/type.h"

/** Print as Spark SQL text that parses to an equal tree. */
void nilas_expr_print(nilas_buf *out, const nilas_expr *expr);
void nilas_query_print(nilas_buf *out, const nilas_query *query);
void nilas_statement_print(nilas_buf *out, const nilas_statement *statement);

/**
 * Put values in the place of parameters: `names` NULL for "?" in order, else the names of ":name".
 * A parameter without a value stays (the binder refuses it). Values are shared, not copied.
 */
void nilas_statement_bind_parameters(nilas_statement *statement, const nilas_str *names,
                                     nilas_expr *const *values, size_t count);

/** Structural equality; offsets and the spelling of keywords do not count, the case of
 *  identifiers does. */
bool nilas_expr_equal(const nilas_expr *a, const nilas_expr *b);
bool nilas_query_equal(const nilas_query *a, const nilas_query *b);
bool nilas_statement_equal(const nilas_statement *a, const nilas_statement *b);

/** Append an identifier, back-quoted when it is not [A-Za-z_][A-Za-z0-9_]* or is reserved; and a
 *  dotted name. */
void nilas_identifier_print(nilas_buf *out, nilas_str name);
void nilas_name_print(nilas_buf *out, const nilas_str *parts, size_t count);
/** Append always back-quoted: `a`.`b`, as Spark's messages show names. */
void nilas_name_print_quoted(nilas_buf *out, const nilas_str *parts, size_t count);
/** Append a Spark string literal with escapes. */
void nilas_string_literal_print(nilas_buf *out, nilas_str text);

#endif
