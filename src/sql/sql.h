/**
 * sql: Spark SQL text -> tree. Pure: no names are looked up, no settings but the options below.
 */
#ifndef NILAS_SQL_SQL_H
#define NILAS_SQL_SQL_H

#include "tree/tree.h"

typedef struct nilas_sql_options {
    bool ansi_reserved;             // spark.sql.ansi.enforceReservedKeywords
    bool double_quoted_identifiers; // spark.sql.ansi.doubleQuotedIdentifiers
    bool escaped_string_literals;   // spark.sql.parser.escapedStringLiterals
    bool legacy_exponent_decimal;   // spark.sql.legacy.exponentLiteralAsDecimal.enabled
} nilas_sql_options;

/**
 * Parse one statement (a trailing semicolon is allowed). Errors are NILAS_INVALID with condition
 * PARSE_SYNTAX_ERROR (or a
 * more special one of Spark's parser) and the offset; message as Spark's: "Syntax error at or near
 * 'x'", "…: missing 'FUNCTIONS'",
 * "Syntax error at or near end of input".
 * @param stmt  arena that owns the tree; string values point into it or into `text`, which must
 * outlive the tree
 */
nilas_code nilas_sql_parse(nilas_arena *stmt, nilas_str text, const nilas_sql_options *options,
                           nilas_statement **out, nilas_error *err);
nilas_code nilas_sql_parse_expr(nilas_arena *stmt, nilas_str text, const nilas_sql_options *options,
                                nilas_expr **out, nilas_error *err);
/** "a INT, b STRING" or "struct<a:int>" or "int": a table schema or a type text. */
nilas_code nilas_sql_parse_type(nilas_arena *stmt, nilas_str text, const nilas_type **out,
                                nilas_error *err);
/** A dotted name with back quotes: "c.db.`t x`". */
nilas_code nilas_sql_parse_name(nilas_arena *stmt, nilas_str text, nilas_str **out_parts,
                                size_t *out_count, nilas_error *err);

/**
 * Find the end of the first statement of `text`: the offset just after its semicolon, respecting
 * strings, comments, back quotes, and BEGIN…END scripting blocks. Returns false when the text ends
 * before one (an interactive shell reads on); *complete_at_end then tells whether the rest could
 * stand as a statement (not inside a string, a comment or a block). Cost: one pass over the text
 * up to there.
 */
bool nilas_sql_split(nilas_str text, size_t *out_end, bool *complete_at_end);

/** Keywords for completion, upper case, sorted. */
const char *const *nilas_sql_keywords(size_t *out_count);

#endif
