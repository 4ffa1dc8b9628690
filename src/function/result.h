/** Named result rules. */
#ifndef NILAS_FUNCTION_RESULT_H
#define NILAS_FUNCTION_RESULT_H

#include "function/resolve.h"

typedef struct nilas_result_rule {
    const char *name; // NULL ends a list
    nilas_code (*apply)(nilas_resolution *r);
} nilas_result_rule;

extern const nilas_result_rule nilas_function__scalar_rules[];
extern const nilas_result_rule nilas_function__shape_rules[]; // structs, arrays, maps, generators

#endif
