/** 256-bit arithmetic: schoolbook products of 64-bit halves, division bit by bit only when 128 bits
 *  do not suffice. */
#include "engine/wide.h"

nilas_wide nilas_wide__of(nilas_int128 value) {
    bool negative = value < 0;
    return (nilas_wide){.negative = negative,
                        .low = negative ? 0 - (nilas_uint128)value : (nilas_uint128)value};
}

nilas_wide nilas_wide__multiply(nilas_int128 a, nilas_int128 b) {
    nilas_uint128 x = nilas_wide__of(a).low, y = nilas_wide__of(b).low;
    nilas_uint128 mask = UINT64_MAX;
    nilas_uint128 low = (x & mask) * (y & mask);
    nilas_uint128 middle = (x >> 64) * (y & mask) + (low >> 64);
    nilas_uint128 other = (x & mask) * (y >> 64) + (middle & mask);
    return (nilas_wide){.negative = (a < 0) != (b < 0),
                        .high = (x >> 64) * (y >> 64) + (middle >> 64) + (other >> 64),
                        .low = (other << 64) | (low & mask)};
}

static int compare(nilas_wide a, nilas_wide b) {
    if (a.high != b.high) {
        return a.high < b.high ? -1 : 1;
    }
    return a.low < b.low ? -1 : a.low > b.low;
}

nilas_wide nilas_wide__add(nilas_wide a, nilas_wide b) {
    if (a.negative == b.negative) {
        nilas_wide sum = {.negative = a.negative, .high = a.high + b.high, .low = a.low + b.low};
        sum.high += sum.low < a.low;
        return sum;
    }
    nilas_wide larger = compare(a, b) >= 0 ? a : b;
    nilas_wide smaller = compare(a, b) >= 0 ? b : a;
    nilas_wide rest = {.negative = larger.negative,
                       .high = larger.high - smaller.high,
                       .low = larger.low - smaller.low};
    rest.high -= larger.low < smaller.low;
    return rest;
}

nilas_wide nilas_wide__divide(nilas_wide value, nilas_uint128 divisor, nilas_uint128 *out_rest) {
    nilas_assert(divisor != 0);
    nilas_wide quotient = {.negative = value.negative};
    if (value.high == 0) {
        quotient.low = value.low / divisor;
        *out_rest = value.low % divisor;
        return quotient;
    }
    nilas_uint128 rest = value.high % divisor;
    quotient.high = value.high / divisor;
    for (int bit = 127; bit >= 0; bit--) {
        bool carry = (rest >> 127) != 0;
        rest = (rest << 1) | ((value.low >> bit) & 1);
        if (carry || rest >= divisor) {
            rest -= divisor;
            quotient.low |= (nilas_uint128)1 << bit;
        }
    }
    *out_rest = rest;
    return quotient;
}

bool nilas_wide__to_int128(nilas_wide value, nilas_int128 *out) {
    if (value.high != 0 || (value.low >> 127) != 0) {
        return false;
    }
    *out = value.negative ? -(nilas_int128)value.low : (nilas_int128)value.low;
    return true;
}

nilas_wide nilas_wide__divide_rounded(nilas_wide value, nilas_uint128 divisor,
                                      nilas_rounding rounding) {
    nilas_uint128 rest;
    nilas_wide quotient = nilas_wide__divide(value, divisor, &rest);
    bool half = rest >= divisor - rest;
    bool exactly_half = rest == divisor - rest;
    bool up = false;
    switch (rounding) {
    case NILAS_ROUND_HALF_UP: up = rest != 0 && half; break;
    case NILAS_ROUND_HALF_EVEN:
        up = rest != 0 && half && (!exactly_half || (quotient.low & 1) != 0);
        break;
    case NILAS_ROUND_CEILING: up = rest != 0 && !value.negative; break;
    case NILAS_ROUND_FLOOR: up = rest != 0 && value.negative; break;
    case NILAS_ROUND_DOWN: break;
    }
    if (up) {
        quotient.low++;
        quotient.high += quotient.low == 0;
    }
    return quotient;
}
