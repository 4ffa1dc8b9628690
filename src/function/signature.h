/** The mini-language of signatures (see README.md), parsed. */
#ifndef NILAS_FUNCTION_SIGNATURE_H
#define NILAS_FUNCTION_SIGNATURE_H

#include "function/function.h"

typedef enum nilas_pattern_kind {
    NILAS_PATTERN_TYPE,     // one concrete type
    NILAS_PATTERN_CLASS,    // a class of types: num, integral, …
    NILAS_PATTERN_VARIABLE, // T, optionally of a class: T:num
    NILAS_PATTERN_ARRAY,    // parts[0]
    NILAS_PATTERN_MAP,      // parts[0], parts[1]
    NILAS_PATTERN_ONE_OF,   // parts: a|b|c
    NILAS_PATTERN_LAMBDA,   // parts[0 … count-2] parameters, parts[count-1] the body
    NILAS_PATTERN_RULE,     // results only: @name
} nilas_pattern_kind;

typedef enum nilas_type_class {
    NILAS_CLASS_ANY,
    NILAS_CLASS_NUMERIC,
    NILAS_CLASS_INTEGRAL,
    NILAS_CLASS_FRACTIONAL,
    NILAS_CLASS_DECIMAL,
    NILAS_CLASS_ANSI_INTERVAL,
    NILAS_CLASS_YEAR_MONTH,
    NILAS_CLASS_DAY_TIME,
    NILAS_CLASS_DATETIME,
    NILAS_CLASS_STRUCT,
    NILAS_CLASS_ARRAY,
    NILAS_CLASS_MAP,
    NILAS_CLASS_ORDERED,
    NILAS_CLASS_VOID,
    NILAS_CLASS_COUNT,
} nilas_type_class;

typedef struct nilas_pattern nilas_pattern;
struct nilas_pattern {
    nilas_pattern_kind kind;
    const nilas_type *type;
    nilas_type_class class; // of a class or variable
    char variable;          // 'A' … 'Z'
    nilas_str rule;
    nilas_pattern *parts;
    size_t count;
    bool optional; // a parameter with "?"
    bool variadic; // the last parameter with "...": none or more
};

typedef struct nilas_signature {
    nilas_pattern *parameters;
    size_t count;
    size_t least; // arguments needed; a variadic parameter needs none
    bool variadic;
    nilas_pattern result;
} nilas_signature;

/** Parse a row's signature. Rows are ours: a malformed one is a broken invariant, reported by the
 *  unit test as NILAS_CORRUPT. */
nilas_code nilas_function__parse_signature(nilas_arena *arena, const char *text,
                                           nilas_signature *out, nilas_error *err);
/** Pattern of the argument at `index`; the variadic one for all beyond. NULL when there are too
 *  many. */
const nilas_pattern *nilas_function__parameter(const nilas_signature *signature, size_t index);
/** Whether a type belongs to a class, without any cast. */
bool nilas_function__class_has(nilas_type_class class, const nilas_type *type);
/** Spark's name of a class in messages: "NUMERIC". */
const char *nilas_function__class_name(nilas_type_class class);

#endif
