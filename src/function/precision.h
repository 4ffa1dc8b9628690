/** Spark's precision rules for decimals (DecimalPrecision, DecimalType). */
#ifndef NILAS_FUNCTION_PRECISION_H
#define NILAS_FUNCTION_PRECISION_H

#include "tree/tree.h"

#define NILAS_DECIMAL_MAX_PRECISION 38

typedef struct nilas_precision {
    int32_t precision, scale;
} nilas_precision;

typedef enum nilas_decimal_operation {
    NILAS_DECIMAL_ADD, // and subtract
    NILAS_DECIMAL_MULTIPLY,
    NILAS_DECIMAL_DIVIDE,
    NILAS_DECIMAL_REMAINDER, // %, pmod
} nilas_decimal_operation;

/** Result of an operation on two decimals, adjusted to 38 digits by giving up scale, at most down
 *  to six digits. */
nilas_precision nilas_function__decimal_result(nilas_decimal_operation operation, nilas_precision a,
                                               nilas_precision b);
/** Both cut at 38. */
nilas_precision nilas_function__decimal_bounded(int32_t precision, int32_t scale);
/** The decimal that holds every value of both; digits before the point go first when 38 are not
 *  enough. */
nilas_precision nilas_function__decimal_wider(nilas_precision a, nilas_precision b);
/** The decimal that holds an integral type, float or double (DecimalType.forType); a decimal's own.
 *  */
nilas_precision nilas_function__decimal_of(const nilas_type *type);
/** The smallest decimal that holds an integer literal. */
nilas_precision nilas_function__decimal_of_literal(int64_t value);

#endif
