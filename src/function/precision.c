/**
 * Precision of decimals. The formulas are those of Spark's DecimalPrecision and DecimalType with
 * spark.sql.decimalOperations.allowPrecisionLoss on, the default.
 */
#include "function/precision.h"

#define MINIMUM_ADJUSTED_SCALE 6

static int32_t larger(int32_t a, int32_t b) {
    return a > b ? a : b;
}

static int32_t smaller(int32_t a, int32_t b) {
    return a < b ? a : b;
}

/** DecimalType.adjustPrecisionScale */
static nilas_precision adjust(int32_t precision, int32_t scale) {
    nilas_assert(precision >= scale);
    if (precision <= NILAS_DECIMAL_MAX_PRECISION) {
        return (nilas_precision){precision, scale};
    }
    int32_t digits = precision - scale;
    int32_t least = smaller(scale, MINIMUM_ADJUSTED_SCALE);
    return (nilas_precision){NILAS_DECIMAL_MAX_PRECISION,
                             larger(NILAS_DECIMAL_MAX_PRECISION - digits, least)};
}

nilas_precision nilas_function__decimal_result(nilas_decimal_operation operation, nilas_precision a,
                                               nilas_precision b) {
    int32_t scale = larger(a.scale, b.scale);
    int32_t digits_a = a.precision - a.scale;
    int32_t digits_b = b.precision - b.scale;
    switch (operation) {
    case NILAS_DECIMAL_ADD: return adjust(larger(digits_a, digits_b) + scale + 1, scale);
    case NILAS_DECIMAL_MULTIPLY: return adjust(a.precision + b.precision + 1, a.scale + b.scale);
    case NILAS_DECIMAL_DIVIDE:
        scale = larger(MINIMUM_ADJUSTED_SCALE, a.scale + b.precision + 1);
        return adjust(digits_a + b.scale + scale, scale);
    case NILAS_DECIMAL_REMAINDER: return adjust(smaller(digits_a, digits_b) + scale, scale);
    }
    nilas_assert(false && "an operation");
    return a;
}

nilas_precision nilas_function__decimal_bounded(int32_t precision, int32_t scale) {
    return (nilas_precision){smaller(precision, NILAS_DECIMAL_MAX_PRECISION),
                             smaller(scale, NILAS_DECIMAL_MAX_PRECISION)};
}

nilas_precision nilas_function__decimal_wider(nilas_precision a, nilas_precision b) {
    int32_t scale = larger(a.scale, b.scale);
    int32_t digits = larger(a.precision - a.scale, b.precision - b.scale);
    if (digits + scale <= NILAS_DECIMAL_MAX_PRECISION) {
        return (nilas_precision){digits + scale, scale};
    }
    int32_t over = digits + scale - NILAS_DECIMAL_MAX_PRECISION;
    return (nilas_precision){NILAS_DECIMAL_MAX_PRECISION, larger(0, scale - over)};
}

nilas_precision nilas_function__decimal_of(const nilas_type *type) {
    switch (type->kind) {
    case NILAS_TYPE_TINYINT: return (nilas_precision){3, 0};
    case NILAS_TYPE_SMALLINT: return (nilas_precision){5, 0};
    case NILAS_TYPE_INT: return (nilas_precision){10, 0};
    case NILAS_TYPE_BIGINT: return (nilas_precision){20, 0};
    case NILAS_TYPE_FLOAT: return (nilas_precision){14, 7};
    case NILAS_TYPE_DOUBLE: return (nilas_precision){30, 15};
    case NILAS_TYPE_DECIMAL: return (nilas_precision){type->precision, type->scale};
    default: return (nilas_precision){38, 18};
    }
}

nilas_precision nilas_function__decimal_of_literal(int64_t value) {
    return (nilas_precision){(int32_t)nilas_decimal_digits(value), 0};
}
