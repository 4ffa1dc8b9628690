/** 256-bit numbers with a sign, for products and quotients of decimals. */
#ifndef NILAS_ENGINE_WIDE_H
#define NILAS_ENGINE_WIDE_H

#include "base/base.h"

typedef struct nilas_wide {
    bool negative;
    nilas_uint128 high, low;
} nilas_wide;

nilas_wide nilas_wide__of(nilas_int128 value);
nilas_wide nilas_wide__multiply(nilas_int128 a, nilas_int128 b);
nilas_wide nilas_wide__add(nilas_wide a, nilas_wide b);
/** |value| / divisor (not 0) cut toward zero; the rest in *out_rest. */
nilas_wide nilas_wide__divide(nilas_wide value, nilas_uint128 divisor, nilas_uint128 *out_rest);
/** False when |value| is beyond 127 bits. */
bool nilas_wide__to_int128(nilas_wide value, nilas_int128 *out);

typedef enum nilas_rounding {
    NILAS_ROUND_HALF_UP,
    NILAS_ROUND_HALF_EVEN,
    NILAS_ROUND_CEILING,
    NILAS_ROUND_FLOOR,
    NILAS_ROUND_DOWN
} nilas_rounding;
/** value / divisor rounded. */
nilas_wide nilas_wide__divide_rounded(nilas_wide value, nilas_uint128 divisor,
                                      nilas_rounding rounding);

#endif
