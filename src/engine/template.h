/**
 * A call of a Spark function as DuckDB SQL: the function's template filled with the texts of its
 * arguments.
 *
 * The language of templates is in function/README.md. What the caller gets by kind of function:
 *
 *     SCALAR, AGGREGATE, WINDOW  an expression of the carrier of `type` (see cast.h)
 *     GENERATOR  an expression of type LIST(STRUCT(…)), the members in the order of `type`'s
 *     fields:
 *                unnest it; null or empty gives no row. The *_outer functions then give a list of
 *                one null struct
 *     TABLE      a FROM item in parentheses whose columns are, by position, `type`'s fields
 */
#ifndef NILAS_ENGINE_TEMPLATE_H
#define NILAS_ENGINE_TEMPLATE_H

#include "bind/bind.h"

typedef struct nilas_call_sql {
    const nilas_function *function;
    const nilas_type *type; // of the result
    // SQL, already cast to `argument_types`; a lambda is "lambda c12, c13: body"
    const nilas_str *arguments;
    const nilas_type *const *argument_types; // a lambda's: the type of its body
    const nilas_value *const *constants; // per argument its literal value or NULL; or NULL for all
    size_t argument_count;
    bool ansi, distinct, ignore_nulls;
    // of WITHIN GROUP: "c3 DESC NULLS LAST, …" without the words ORDER BY; or empty
    nilas_str order_by;
    nilas_str filter; // condition of FILTER (WHERE …), without these words; or empty
    nilas_str over;   // "OVER (…)", whole, of a window function; or empty
} nilas_call_sql;

/** Append the call. @return NILAS_UNSUPPORTED what the template cannot say (named), NILAS_INVALID a
 *  constant that Spark refuses. */
nilas_code nilas_engine__print_call(nilas_buf *out, const nilas_call_sql *call, nilas_error *err);

#endif
