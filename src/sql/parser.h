/**
 * The parser's state and the small words that all of its files speak. Private to the room.
 *
 * A function that parses something is named after it, starts at the current token, and on success
 * leaves the position after
 * it. It returns NILAS_INVALID when the text is no such thing: the farthest token that anyone found
 * unexpected becomes the
 * syntax error. Text that the grammar takes but Spark's parser refuses is noted with
 * nilas_sql__reject() and parsing goes
 * on: as in Spark, a syntax error anywhere comes before it.
 */
#ifndef NILAS_SQL_PARSER_H
#define NILAS_SQL_PARSER_H

#include "sql/sql.h"
#include "sql/token.h"

typedef struct nilas_sql__parser {
    nilas_arena *stmt;
    nilas_str text;
    nilas_sql_options options;
    nilas_error *err;
    nilas_sql__token *tokens; // ends with TOKEN_END
    size_t token_count;
    size_t position;
    int depth;
    size_t farthest; // index of the farthest unexpected token
    // what was expected there, when Spark would name it; else 0
    int missing;
    bool extra; // or: the token there is one too many
    bool has_rejected;
    nilas_error rejected; // the first nilas_sql__reject()
    // a feature met inside a query that makes the statement UNSUPPORTED
    const char *unsupported;
    int32_t parameter_count;
    nilas_map paren_queries; // token index of "(" -> nilas_sql__paren_query: each is parsed once
} nilas_sql__parser;

/** What a speculative parse must put back when it fails. */
typedef struct nilas_sql__mark {
    size_t position;
    int depth;
    bool has_rejected;
    const char *unsupported;
    int32_t parameter_count;
} nilas_sql__mark;

// ---- parser.c: tokens and errors
int nilas_sql__peek(const nilas_sql__parser *p, size_t ahead);
bool nilas_sql__at(const nilas_sql__parser *p, int kind);
/** Whether the next tokens are `first`, `second`. */
bool nilas_sql__at2(const nilas_sql__parser *p, int first, int second);
/** Take the token if it is of that kind. */
bool nilas_sql__accept(nilas_sql__parser *p, int kind);
/** Take both tokens or none. */
bool nilas_sql__accept2(nilas_sql__parser *p, int first, int second);
nilas_code nilas_sql__expect(nilas_sql__parser *p, int kind);
nilas_code nilas_sql__expect2(nilas_sql__parser *p, int first, int second);
/** As expect; the error says that the token is missing. */
nilas_code nilas_sql__expect_named(nilas_sql__parser *p, int kind);
/** The current token is unexpected. */
nilas_code nilas_sql__unexpected(nilas_sql__parser *p);
/** Note what Spark's parser refuses though the grammar takes it; the first one counts. */
void nilas_sql__reject(nilas_sql__parser *p, int32_t offset, const char *condition,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));
/** The same for Spark's "Operation not allowed: …". */
void nilas_sql__reject_operation(nilas_sql__parser *p, int32_t offset, const char *what);
nilas_sql__mark nilas_sql__set_mark(const nilas_sql__parser *p);
void nilas_sql__back_to(nilas_sql__parser *p, const nilas_sql__mark *mark);
/** One level deeper; NILAS_LIMIT beyond NILAS_LIMIT_SQL_DEPTH. Pair with nilas_sql__leave() on
 *  success. */
nilas_code nilas_sql__enter(nilas_sql__parser *p);
void nilas_sql__leave(nilas_sql__parser *p);
/** Offset of the current token, and end of the last one taken. */
int32_t nilas_sql__offset(const nilas_sql__parser *p);
int32_t nilas_sql__end(const nilas_sql__parser *p);
nilas_str nilas_sql__token_text(const nilas_sql__parser *p, size_t ahead);
/** Text from a byte offset to the end of the last token taken. */
nilas_str nilas_sql__text_from(const nilas_sql__parser *p, int32_t offset);
/** Whether the token is a word with this text (for the words of Iceberg's grammar, which are no
 *  keywords). */
bool nilas_sql__at_word(const nilas_sql__parser *p, size_t ahead, const char *word);
bool nilas_sql__accept_word(nilas_sql__parser *p, const char *word);
nilas_code nilas_sql__expect_word(nilas_sql__parser *p, const char *word);
/** Read `text` into a parser; NILAS_LIMIT when it is too long. */
nilas_code nilas_sql__open(nilas_sql__parser *p, nilas_arena *stmt, nilas_str text,
                           const nilas_sql_options *options, nilas_error *err);
/** Turn the outcome of a whole parse into the error; requires the end of the text when `code` is
 *  OK. */
nilas_code nilas_sql__close(nilas_sql__parser *p, nilas_code code);

typedef NILAS_ARRAY_OF(nilas_str) nilas_sql__strs;
typedef NILAS_ARRAY_OF(nilas_expr *) nilas_sql__exprs;

// ---- name.c: identifiers
bool nilas_sql__is_identifier(const nilas_sql__parser *p, size_t ahead);
/** An identifier that may be a relation's alias: no word of joins and set operations. */
bool nilas_sql__is_strict_identifier(const nilas_sql__parser *p, size_t ahead);
/** Whether the current word begins a clause, so that it is no alias here. */
bool nilas_sql__starts_clause(const nilas_sql__parser *p);
nilas_code nilas_sql__identifier(nilas_sql__parser *p, nilas_str *out);
/** As identifier, but IDENTIFIER('…') is none. */
nilas_code nilas_sql__simple_identifier(nilas_sql__parser *p, nilas_str *out);
/** As identifier; "a-b" is refused by Spark's name for it. */
nilas_code nilas_sql__captured_identifier(nilas_sql__parser *p, nilas_str *out);
nilas_code nilas_sql__name(nilas_sql__parser *p, nilas_str **out_parts, size_t *out_count);
/** "a, b.c": the parts of each name and their counts. */
nilas_code nilas_sql__names(nilas_sql__parser *p, nilas_str ***out_parts, size_t **out_part_counts,
                            size_t *out_count);
/** A name, or IDENTIFIER(expression), which sets *out_expr. */
nilas_code nilas_sql__reference(nilas_sql__parser *p, nilas_str **out_parts, size_t *out_count,
                                nilas_expr **out_expr);
/** "(a, b)". */
nilas_code nilas_sql__identifier_list(nilas_sql__parser *p, nilas_str **out, size_t *out_count);
/** "a, b". */
nilas_code nilas_sql__identifier_seq(nilas_sql__parser *p, nilas_str **out, size_t *out_count);
/** [AS] alias [(a, b)] of a relation. */
nilas_code nilas_sql__table_alias(nilas_sql__parser *p, nilas_str *out, bool *has_alias,
                                  nilas_str **out_columns, size_t *out_count);

// ---- literal.c
bool nilas_sql__at_string(const nilas_sql__parser *p, size_t ahead);
/** One or more string literals in a row, as one text. */
nilas_code nilas_sql__string(nilas_sql__parser *p, nilas_str *out);
/** The value of one string token. */
nilas_code nilas_sql__unescape(nilas_sql__parser *p, nilas_str token, nilas_str *out);
bool nilas_sql__at_number(const nilas_sql__parser *p, size_t ahead);
/** A number, with `negative` when a minus stood before it. */
nilas_code nilas_sql__number(nilas_sql__parser *p, bool negative, int32_t offset, nilas_expr **out);
/** A whole number that fits 32 bits, without suffix. */
nilas_code nilas_sql__integer(nilas_sql__parser *p, int32_t *out);
nilas_code nilas_sql__string_expr(nilas_sql__parser *p, nilas_expr **out);
nilas_code nilas_sql__literal_of(nilas_sql__parser *p, int32_t offset, const nilas_type *type,
                                 nilas_value value, nilas_expr **out);
/** DATE '…' and the like, at the type word. */
nilas_code nilas_sql__typed_literal(nilas_sql__parser *p, nilas_expr **out);

// ---- interval.c
/** Whether INTERVAL here begins a literal with units. */
bool nilas_sql__at_interval(const nilas_sql__parser *p);
nilas_code nilas_sql__interval(nilas_sql__parser *p, nilas_expr **out);
/** The unit of a word: DAY, DAYS, …; false when it is none. */
bool nilas_sql__interval_unit(int keyword, nilas_interval_unit *out);

/** Whether the text is a valid INTERVAL '…'; *mixed when it has both year-month and day-time
 *  units. */
bool nilas_sql__is_interval_text(nilas_str text, bool *mixed);

// ---- type.c
nilas_code nilas_sql__type(nilas_sql__parser *p, const nilas_type **out);
/** "a INT NOT NULL COMMENT '…', b STRING" up to what does not belong to it. */
nilas_code nilas_sql__schema(nilas_sql__parser *p, const nilas_type **out);

// ---- expr.c, primary.c, call.c, window.c
nilas_code nilas_sql__expression(nilas_sql__parser *p, nilas_expr **out);
/** Without AND, OR, NOT and predicates: what stands where a keyword like AND, IN or FROM
 *  follows. */
nilas_code nilas_sql__value_expression(nilas_sql__parser *p, nilas_expr **out);
/** Carry on with operators and predicates after a value expression. */
nilas_code nilas_sql__continue_expression(nilas_sql__parser *p, nilas_expr *left, nilas_expr **out);
nilas_code nilas_sql__primary(nilas_sql__parser *p, nilas_expr **out);
/** Whether the current word with the token after it can only be a name, not the start of its
 *  special form. */
bool nilas_sql__is_bare_word(const nilas_sql__parser *p);
/** expression [[AS] alias | [AS] (a, b)]. */
nilas_code nilas_sql__named_expression(nilas_sql__parser *p, nilas_expr **out);
nilas_code nilas_sql__named_expressions(nilas_sql__parser *p, nilas_expr ***out, size_t *out_count);
nilas_code nilas_sql__expressions(nilas_sql__parser *p, nilas_expr ***out, size_t *out_count);
/** What stands behind a sort key: [ASC | DESC] [NULLS FIRST | NULLS LAST]. */
nilas_code nilas_sql__sort_item(nilas_sql__parser *p, nilas_expr *key, nilas_expr **out);
nilas_code nilas_sql__sort_items(nilas_sql__parser *p, nilas_expr ***out, size_t *out_count);
nilas_code nilas_sql__new_expr(nilas_sql__parser *p, nilas_expr_kind kind, int32_t offset,
                               nilas_expr **out);
nilas_code nilas_sql__new_args(nilas_sql__parser *p, nilas_expr *expr, size_t count);
nilas_code nilas_sql__unary(nilas_sql__parser *p, nilas_operator op, int32_t offset,
                            nilas_expr *arg, nilas_expr **out);
nilas_code nilas_sql__binary(nilas_sql__parser *p, nilas_operator op, nilas_expr *left,
                             nilas_expr *right, nilas_expr **out);
nilas_code nilas_sql__column(nilas_sql__parser *p, nilas_str *parts, size_t count, int32_t offset,
                             nilas_expr **out);
/** The call of a function whose name was read, at "(". */
nilas_code nilas_sql__call(nilas_sql__parser *p, nilas_str *parts, size_t count, int32_t offset,
                           nilas_expr **out);
/** Special forms such as CAST, EXTRACT, TRIM at their word; *out NULL when the text is none of
 *  them. */
nilas_code nilas_sql__special_form(nilas_sql__parser *p, nilas_expr **out);
/** "(a, b => c)" of a function; `tables`: TABLE(…) arguments are allowed. */
nilas_code nilas_sql__call_args(nilas_sql__parser *p, bool tables, nilas_sql__exprs *args,
                                nilas_sql__strs *names);
/** What follows the arguments: WITHIN GROUP, FILTER, IGNORE NULLS, OVER. */
nilas_code nilas_sql__call_tail(nilas_sql__parser *p, nilas_expr *call);
nilas_code nilas_sql__window(nilas_sql__parser *p, nilas_window **out);
nilas_code nilas_sql__windows(nilas_sql__parser *p, nilas_named_window **out, size_t *out_count);

// ---- query.c, select.c, relation.c, pipe.c
nilas_code nilas_sql__query(nilas_sql__parser *p, nilas_query **out);
/** Whether the tokens from "(" on, or from a word, can begin a query. */
bool nilas_sql__looks_like_query(const nilas_sql__parser *p, size_t ahead);
/** "(query)", parsed at most once for a position. */
nilas_code nilas_sql__paren_query(nilas_sql__parser *p, nilas_query **out);
nilas_code nilas_sql__query_primary(nilas_sql__parser *p, nilas_query **out);
/** ORDER BY … LIMIT … around `input`. */
nilas_code nilas_sql__organize(nilas_sql__parser *p, bool in_pipe, nilas_query *input,
                               nilas_query **out);
nilas_code nilas_sql__ctes(nilas_sql__parser *p, nilas_cte **out, size_t *out_count,
                           bool *recursive);
nilas_code nilas_sql__select(nilas_sql__parser *p, nilas_query **out);
/** A SELECT whose FROM came first. */
nilas_code nilas_sql__select_body(nilas_sql__parser *p, nilas_query *from, nilas_query **out);
/** SELECT [hints] [DISTINCT] expressions, into `select`. */
nilas_code nilas_sql__select_list(nilas_sql__parser *p, nilas_query *select);
nilas_code nilas_sql__group_by(nilas_sql__parser *p, nilas_group_by *out);
nilas_code nilas_sql__inline_table(nilas_sql__parser *p, nilas_query **out);
/** FROM a, b …: relations, lateral views, PIVOT. */
nilas_code nilas_sql__from(nilas_sql__parser *p, nilas_query **out);
nilas_code nilas_sql__lateral_views(nilas_sql__parser *p, nilas_query **in_out);
nilas_code nilas_sql__join(nilas_sql__parser *p, nilas_query *left, nilas_query **out);
bool nilas_sql__at_join(const nilas_sql__parser *p);
nilas_code nilas_sql__pivot(nilas_sql__parser *p, nilas_query *input, nilas_query **out);
nilas_code nilas_sql__unpivot(nilas_sql__parser *p, nilas_query *input, nilas_query **out);
nilas_code nilas_sql__sample(nilas_sql__parser *p, nilas_query *input, nilas_query **out);
nilas_code nilas_sql__pipe(nilas_sql__parser *p, nilas_query *input, nilas_query **out);
nilas_code nilas_sql__new_query(nilas_sql__parser *p, nilas_query_kind kind, int32_t offset,
                                nilas_query **out);
nilas_code nilas_sql__new_alias(nilas_sql__parser *p, nilas_query *input, nilas_query **in_out);
/** ("k" = "v", k.l 1, …). */
nilas_code nilas_sql__properties(nilas_sql__parser *p, nilas_option **out, size_t *out_count);

// ---- hive.c: clauses of Hive's tables, kept as text
/** ROW FORMAT …; *taken tells whether it was there. */
nilas_code nilas_sql__row_format(nilas_sql__parser *p, bool *taken);
nilas_code nilas_sql__file_format(nilas_sql__parser *p, bool *taken);

// ---- statement.c
nilas_code nilas_sql__statement(nilas_sql__parser *p, nilas_statement **out);

#endif
