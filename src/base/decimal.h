/** 128-bit decimals: text, scale changes, powers of ten. Precision is at most 38 digits. */
#ifndef NILAS_BASE_DECIMAL_H
#define NILAS_BASE_DECIMAL_H

#include "base/buf.h"
#include "base/value.h"

/** 10^n for 0 <= n <= 38. */
nilas_int128 nilas_power_of_ten(uint32_t n);
/** Number of decimal digits of |v|; 1 for zero. */
uint32_t nilas_decimal_digits(nilas_int128 v);
/** Append as Java's BigDecimal.toPlainString() does: "-12.340" for (-12340, 3). */
void nilas_decimal_print(nilas_buf *out, nilas_int128 unscaled, uint32_t scale);
/**
 * Parse "[+-]digits[.digits][e[+-]digits]" exactly; false when malformed or beyond 38 digits.
 * *scale is the number of digits after the point as written (an exponent moves it; never negative:
 * value is rescaled).
 */
bool nilas_decimal_parse(nilas_str text, nilas_int128 *unscaled, uint32_t *scale);
/**
 * The same text of any length as a number with `scale` digits after the point, rounded half up;
 * false when malformed. *out_fits: whether 38 digits are enough.
 */
bool nilas_decimal_parse_rounded(nilas_str text, uint32_t scale, nilas_int128 *unscaled,
                                 bool *out_fits);
/** Change the scale, rounding half up; false on overflow of 38 digits. */
bool nilas_decimal_rescale(nilas_int128 unscaled, uint32_t from_scale, uint32_t to_scale,
                           nilas_int128 *out);
/** Signed decimal text of a 128-bit integer. */
void nilas_int128_print(nilas_buf *out, nilas_int128 v);
double nilas_decimal_to_double(nilas_int128 unscaled, uint32_t scale);

#endif
