/**
 * Floating-point numbers as Java 17 writes them, which is what Spark shows: plain where
 * 0.001 <= |x| < 10^7, "d.dE±x" elsewhere, always with a digit behind the point.
 */
#ifndef NILAS_BASE_REAL_H
#define NILAS_BASE_REAL_H

#include "base/buf.h"

/**
 * Digits of |value|, which is finite and not 0, without point and trailing zeros; returns their
 * count. *out_exponent is the power of ten of the first. `value` is a float if `is_float`.
 */
size_t nilas_real_digits(double value, bool is_float, char out_digits[24], int *out_exponent);
/** Double.toString(), or Float.toString() when `is_float`: "1.0E10", "0.001", "-Infinity". */
void nilas_real_print(nilas_buf *out, double value, bool is_float);

#endif
