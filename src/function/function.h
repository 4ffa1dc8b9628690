/**
 * function: Spark's function library: names, types, and how each is said to the engine.
 *
 * One table (function/table_*.c), one row per overload: name, signature, DuckDB template. Operators
 * are functions named by their symbol. The binder asks what a call means and which type each
 * argument must have; the engine fills the template. Adding a function is adding a row (and, where
 * DuckDB has no counterpart, a scalar function in engine/udf_*.c).
 */
#ifndef NILAS_FUNCTION_FUNCTION_H
#define NILAS_FUNCTION_FUNCTION_H

#include "tree/tree.h"

typedef enum nilas_function_kind {
    NILAS_FUNCTION_SCALAR,
    NILAS_FUNCTION_AGGREGATE,
    NILAS_FUNCTION_WINDOW, // only with OVER: row_number, rank, lag …
    // explode, posexplode, inline, stack, json_tuple: result type is a struct of the output columns
    NILAS_FUNCTION_GENERATOR,
    NILAS_FUNCTION_TABLE, // range, …: only in FROM; result type is a struct of the output columns
} nilas_function_kind;

typedef enum nilas_function_flags {
    NILAS_FUNCTION_NONDETERMINISTIC = 1 << 0, // rand, uuid
    NILAS_FUNCTION_NULL_SAFE = 1 << 1,        // not null merely because an argument is null
    NILAS_FUNCTION_NEVER_NULL = 1 << 2,       // count, isnull
    NILAS_FUNCTION_ALWAYS_NULLABLE = 1 << 3,  // null also for other arguments: try_*, element_at
    NILAS_FUNCTION_ICEBERG = 1 << 4,          // only as <catalog>.system.name: bucket, years
    NILAS_FUNCTION_OPERATOR = 1 << 5,         // named by a symbol; not callable by name
    NILAS_FUNCTION_SYNTAX = 1 << 6,           // bind gives it meaning itself: grouping, casts
    NILAS_FUNCTION_BINARY = 1 << 7,           // two operands, promoted together before matching
    NILAS_FUNCTION_EXACT = 1 << 8,     // arguments are taken as they are; only nulls are cast
    NILAS_FUNCTION_UNIFORM = 1 << 9,   // under one type variable no string meets another type
    NILAS_FUNCTION_UNLISTED = 1 << 10, // no name of Spark 4.0's SHOW FUNCTIONS
} nilas_function_flags;

typedef struct nilas_function {
    nilas_function_kind kind;
    const char *name;      // lower case, or an operator's symbol: "+", "<=>", "and", "[]"
    const char *signature; // "string, int? -> string"; see function/README.md
    const char *render;    // DuckDB SQL template: "$1", "$*"; see function/README.md
    int flags;
    const char *shown; // text in result columns; see nilas_function_print_shown; or NULL
} nilas_function;

typedef struct nilas_argument {
    const nilas_type *type; // NULL for a lambda whose body is not bound yet
    bool nullable;
    const nilas_value *constant; // value of a literal argument, or NULL
    int lambda_arity;            // -1: not a lambda. For a bound lambda, `type` is the body's type
    nilas_str shown;             // its SQL text, for messages
    int32_t offset;              // in the statement
} nilas_argument;

typedef struct nilas_call_options {
    bool ansi; // spark.sql.ansi.enabled
    bool distinct, has_filter, has_window;
    nilas_str shown; // the call's SQL text, for messages; may be empty
    int32_t offset;
} nilas_call_options;

typedef struct nilas_call {
    const nilas_function *function;
    const nilas_type **
        // to which each argument is cast (equal to its own when no cast is needed; NULL for
        // lambdas)
        argument_types;
    const nilas_type *type;
    bool nullable;
} nilas_call;

/** Whether any overload has this name (without case); operators do not count. */
bool nilas_function_exists(nilas_str name);
/** Kind of the first overload with the name; false when there is none. */
bool nilas_function_find_kind(nilas_str name, nilas_function_kind *out);

/**
 * Resolve a call by Spark's rules: overload, implicit casts (ANSI), result type and nullability.
 * @return NILAS_INVALID with Spark's condition: WRONG_NUM_ARGS.WITHOUT_SUGGESTION,
 * DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE,
 *         DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES … in Spark's words; NILAS_NOT_FOUND: no such name
 *         (quiet; the binder words
 *         UNRESOLVED_ROUTINE).
 */
nilas_code nilas_function_resolve(nilas_arena *stmt, nilas_str name,
                                  const nilas_argument *arguments, size_t count,
                                  const nilas_call_options *options, nilas_call *out,
                                  nilas_error *err);

/** Types of the parameters of the lambda at `index`, from the arguments bound so far (aggregate's
 *  accumulator: its zero's type). */
nilas_code nilas_function_lambda_parameters(nilas_arena *stmt, nilas_str name,
                                            const nilas_argument *arguments, size_t count,
                                            size_t index, const nilas_type **out_types,
                                            bool *out_nullable, nilas_error *err);

/**
 * Append the text of a call as Spark names its result column: "substr(s, 2, 2147483647)", "(a +
 * b)", "(v IS NULL)".
 *
 * `shown` of the function: NULL gives "name as written(arguments)"; a plain word replaces the name
 * ("collect_list"); a text with "$" or "(" is the whole pattern: "$1" an argument, "$*" all of
 * them, "$2*" those from the second on, "$2|0|" the second or, when it is not given, "0", "$name"
 * the name as written.
 */
void nilas_function_print_shown(nilas_buf *out, const nilas_function *function, nilas_str name,
                                const nilas_str *arguments, size_t count);

/** All rows one after the other, in the order of their names; NULL gives the first, and ends. */
const nilas_function *nilas_function_next(const nilas_function *row);

/** All names, sorted (SHOW FUNCTIONS, completion, suggestions). */
const char *const *nilas_function_names(size_t *out_count);

/* --- Types (function/coerce.c): Spark's implicit casts, shared with the binder's set operations,
 * CASE, IN, joins --- */

/** Least common type of two types as Spark widens them (ANSI rules when `ansi`); NULL in *out when
 *  there is none. */
nilas_code nilas_type_common(nilas_arena *arena, const nilas_type *a, const nilas_type *b,
                             bool ansi, const nilas_type **out, nilas_error *err);
/** Whether an implicit cast from -> to is allowed where `to` is expected. */
bool nilas_type_can_coerce(const nilas_type *from, const nilas_type *to, bool ansi);
/** Whether CAST(from AS to) is allowed at all (ANSI or not). */
bool nilas_type_can_cast(const nilas_type *from, const nilas_type *to, bool ansi);
/** Whether every value survives (Cast.canUpCast): for store assignment and suggestions. */
bool nilas_type_can_upcast(const nilas_type *from, const nilas_type *to);

#endif
