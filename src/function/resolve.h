/** The state of one resolution, shared by matching, operators and result rules. */
#ifndef NILAS_FUNCTION_RESOLVE_H
#define NILAS_FUNCTION_RESOLVE_H

#include "function/signature.h"

#define NILAS_FUNCTION_VARIABLES 26

typedef struct nilas_resolution {
    nilas_arena *stmt;
    nilas_str name; // as written
    const nilas_argument *arguments;
    size_t count;
    const nilas_call_options *options;
    const nilas_type **types; // of the arguments, after promotion; then those they are cast to
    const nilas_function *function; // the row under trial
    nilas_signature signature;
    const nilas_type *bound[NILAS_FUNCTION_VARIABLES];
    nilas_type_class classes[NILAS_FUNCTION_VARIABLES];
    bool conflict;          // the arguments of one variable have no common type
    const nilas_type *type; // result
    bool nullable;
    nilas_error *err;
} nilas_resolution;

/** Promote the two operands of a binary operator (function/operator.c). */
nilas_code nilas_function__promote(nilas_resolution *r);
/** Result type by a named rule (function/result.c); may change r->types and r->nullable. */
nilas_code nilas_function__apply_rule(nilas_resolution *r, nilas_str rule);
/** Whether a result rule exists. */
bool nilas_function__has_rule(nilas_str rule);
/** The type that a pattern stands for with the variables bound. */
nilas_code nilas_function__substitute(nilas_resolution *r, const nilas_pattern *pattern,
                                      const nilas_type **out);
/** Bind the variables of a pattern to what an argument's type shows. */
nilas_code nilas_function__infer(nilas_resolution *r, const nilas_pattern *pattern,
                                 const nilas_type *type, bool exact);

/** Words of failures (function/mismatch.c); all return NILAS_INVALID. */
nilas_code nilas_function__fail_argument(nilas_resolution *r, size_t index,
                                         const nilas_pattern *pattern);
nilas_code nilas_function__fail_binary(nilas_resolution *r);
nilas_code nilas_function__fail_different(nilas_resolution *r);
nilas_code nilas_function__fail_count(nilas_resolution *r, const nilas_function *const *rows,
                                      size_t row_count);
/** "Cannot resolve … due to data type mismatch: <message>" with the given sub-condition of
 *  DATATYPE_MISMATCH. */
nilas_code nilas_function__fail_mismatch(nilas_resolution *r, const char *condition,
                                         const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Rows with a name (function/lookup.c), in the order of the tables; NULL when there are none. */
const nilas_function *const *nilas_function__rows(nilas_str name, size_t *out_count);

#endif
