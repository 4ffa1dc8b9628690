/**
 * Floating-point numbers as Java writes them: the fewest digits that read back as the same number,
 * two at least; plain where 0.001 <= |x| < 10^7, "d.dE±x" elsewhere.
 *
 * (The digits that Java wrote before JDK 19, now and then one more, are in shell/number.h.)
 */
#ifndef NILAS_BASE_REAL_H
#define NILAS_BASE_REAL_H

#include "base/buf.h"

/**
 * Digits of |value|, which is finite and not 0, without point and trailing zeros; returns their
 * count. *out_exponent is the power of ten of the first. Of a float when `is_float`.
 */
size_t nilas_real_digits(double value, bool is_float, char out_digits[24], int *out_exponent);
/** Double.toString(), or Float.toString() when `is_float`: "1.0E10", "0.001", "-Infinity". */
void nilas_real_print(nilas_buf *out, double value, bool is_float);

#endif
