/* 128-bit decimals of at most 38 digits: exact text in and out, half-up rescaling. */
#include "base/decimal.h"

#include <math.h>
#include <stdlib.h>

#define MAX_DIGITS 38U

static nilas_uint128 magnitude(nilas_int128 v) {
    return v < 0 ? -(nilas_uint128)v : (nilas_uint128)v;
}

nilas_int128 nilas_power_of_ten(uint32_t n) {
    static const uint64_t small[] = {
        1ULL,
        10ULL,
        100ULL,
        1000ULL,
        10000ULL,
        100000ULL,
        1000000ULL,
        10000000ULL,
        100000000ULL,
        1000000000ULL,
        10000000000ULL,
        100000000000ULL,
        1000000000000ULL,
        10000000000000ULL,
        100000000000000ULL,
        1000000000000000ULL,
        10000000000000000ULL,
        100000000000000000ULL,
        1000000000000000000ULL,
        10000000000000000000ULL,
    };

    nilas_assert(n <= MAX_DIGITS);
    return n < 20 ? (nilas_int128)small[n] : (nilas_int128)small[n - 19] * (nilas_int128)small[19];
}

uint32_t nilas_decimal_digits(nilas_int128 v) {
    nilas_uint128 rest = magnitude(v);
    uint32_t digits = 1;

    while (rest >= 10) {
        rest /= 10;
        digits++;
    }
    return digits;
}

/** Digits of |v| at the end of `out`; returns where they start. */
static size_t print_digits(nilas_int128 v, char out[40]) {
    nilas_uint128 rest = magnitude(v);
    size_t at = 40;

    do {
        out[--at] = (char)('0' + (int)(rest % 10));
        rest /= 10;
    } while (rest != 0);
    return at;
}

void nilas_int128_print(nilas_buf *out, nilas_int128 v) {
    nilas_decimal_print(out, v, 0);
}

void nilas_decimal_print(nilas_buf *out, nilas_int128 unscaled, uint32_t scale) {
    char digits[40];
    size_t at = print_digits(unscaled, digits);
    size_t size = sizeof(digits) - at;

    if (unscaled < 0) {
        nilas_buf_add_char(out, '-');
    }
    if (size > scale) {
        nilas_buf_add_bytes(out, digits + at, size - scale);
        at += size - scale;
        size = scale;
    } else {
        nilas_buf_add_char(out, '0');
    }
    if (scale > 0) {
        nilas_buf_add_char(out, '.');
        for (size_t i = size; i < scale; i++) {
            nilas_buf_add_char(out, '0');
        }
        nilas_buf_add_bytes(out, digits + at, size);
    }
}

/** "[e[+-]digits]" at the end of the text; false when malformed or absurd. */
static bool parse_exponent(nilas_str text, int64_t *exponent) {
    if (text.size == 0) {
        *exponent = 0;
        return true;
    }
    return (text.data[0] == 'e' || text.data[0] == 'E') &&
           nilas_str_to_int64(nilas_str_slice(text, 1, text.size), exponent) &&
           *exponent >= -1000000 && *exponent <= 1000000;
}

/** One digit more, within 38 significant ones. */
static bool push_digit(nilas_uint128 *value, int digit) {
    if (*value > (nilas_uint128)nilas_power_of_ten(MAX_DIGITS - 1) - 1) {
        return false;
    }
    *value = *value * 10 + (nilas_uint128)digit;
    return true;
}

/** Apply what exponent and fraction leave: value × 10^-scale with scale >= 0. */
static bool normalize(nilas_uint128 *value, int64_t *scale) {
    while (*scale < 0) {
        if (*value == 0) {
            *scale = 0;
            break;
        }
        if (!push_digit(value, 0)) {
            return false;
        }
        (*scale)++;
    }
    return *scale <= MAX_DIGITS;
}

bool nilas_decimal_parse(nilas_str text, nilas_int128 *unscaled, uint32_t *scale) {
    size_t at = 0;
    size_t digits = 0;
    size_t fraction = 0;
    nilas_uint128 value = 0;
    bool negative = false;
    bool in_fraction = false;

    if (text.size > 0 && (text.data[0] == '-' || text.data[0] == '+')) {
        negative = text.data[0] == '-';
        at = 1;
    }
    for (; at < text.size; at++) {
        char c = text.data[at];
        if (c == '.' && !in_fraction) {
            in_fraction = true;
            continue;
        }
        if (c < '0' || c > '9') {
            break;
        }
        if (!push_digit(&value, c - '0')) {
            return false;
        }
        digits++;
        fraction += in_fraction;
    }

    int64_t exponent;
    if (digits == 0 || fraction > 1000000 ||
        !parse_exponent(nilas_str_slice(text, at, text.size), &exponent)) {
        return false;
    }
    int64_t written_scale = (int64_t)fraction - exponent;
    if (!normalize(&value, &written_scale)) {
        return false;
    }
    *unscaled = negative ? -(nilas_int128)value : (nilas_int128)value;
    *scale = (uint32_t)written_scale;
    return true;
}

/** Digits of a number of any length without leading zeros: the first 40, and where the point is. */
typedef struct long_digits {
    char digits[40];
    size_t count;
    int64_t whole; // digits before the point; negative when zeros follow it
    bool negative, any;
} long_digits;

static bool scan_digits(nilas_str text, long_digits *out) {
    bool in_fraction = false;
    size_t at = text.size > 0 && (text.data[0] == '-' || text.data[0] == '+') ? 1 : 0;
    *out = (long_digits){.negative = at == 1 && text.data[0] == '-'};
    for (; at < text.size; at++) {
        char c = text.data[at];
        if (c == '.' && !in_fraction) {
            in_fraction = true;
            continue;
        }
        if (c < '0' || c > '9') {
            break;
        }
        out->any = true;
        if (c != '0' || out->count > 0) {
            out->whole += !in_fraction;
            if (out->count < sizeof(out->digits)) {
                out->digits[out->count++] = c;
            }
        } else {
            out->whole -= in_fraction;
        }
    }
    int64_t exponent;
    if (!out->any || !parse_exponent(nilas_str_slice(text, at, text.size), &exponent)) {
        return false;
    }
    out->whole += exponent;
    return true;
}

bool nilas_decimal_parse_rounded(nilas_str text, uint32_t scale, nilas_int128 *unscaled,
                                 bool *out_fits) {
    long_digits found;
    if (!scan_digits(text, &found)) {
        return false;
    }
    int64_t keep = found.count == 0 ? -1 : found.whole + (int64_t)scale;
    nilas_int128 value = 0;
    *out_fits = keep <= MAX_DIGITS;
    for (int64_t i = 0; i < keep && *out_fits; i++) {
        value = value * 10 + ((size_t)i < found.count ? found.digits[i] - '0' : 0);
    }
    if (keep >= 0 && (size_t)keep < found.count && found.digits[keep] >= '5') {
        value++;
    }
    *out_fits = *out_fits && nilas_decimal_digits(value) <= MAX_DIGITS;
    *unscaled = found.negative ? -value : value;
    return true;
}

bool nilas_decimal_rescale(nilas_int128 unscaled, uint32_t from_scale, uint32_t to_scale,
                           nilas_int128 *out) {
    nilas_int128 value = unscaled;

    if (to_scale >= from_scale) {
        uint32_t more = to_scale - from_scale;
        if (value != 0 && (more > MAX_DIGITS ||
                           __builtin_mul_overflow(value, nilas_power_of_ten(more), &value))) {
            return false;
        }
    } else {
        uint32_t fewer = from_scale - to_scale;
        if (fewer > MAX_DIGITS) {
            // |value| < 10^39, so beyond 39 digits nothing is left to round up.
            value = fewer == MAX_DIGITS + 1 &&
                            magnitude(value) / 5 >= (nilas_uint128)nilas_power_of_ten(MAX_DIGITS)
                        ? (value < 0 ? -1 : 1)
                        : 0;
        } else {
            nilas_int128 divisor = nilas_power_of_ten(fewer);
            nilas_int128 rest = value % divisor;
            value /= divisor;
            if (magnitude(rest) >= magnitude(divisor) - magnitude(rest)) {
                value += unscaled < 0 ? -1 : 1;
            }
        }
    }
    if (magnitude(value) >= (nilas_uint128)nilas_power_of_ten(MAX_DIGITS)) {
        return false;
    }
    *out = value;
    return true;
}

double nilas_decimal_to_double(nilas_int128 unscaled, uint32_t scale) {
    // Through text, as Java does it: dividing two rounded doubles would round twice.
    char text[64];
    size_t at = 0;
    char digits[40];
    size_t from = print_digits(unscaled, digits);

    if (unscaled < 0) {
        text[at++] = '-';
    }
    memcpy(text + at, digits + from, sizeof(digits) - from);
    at += sizeof(digits) - from;
    text[at++] = 'e';
    text[at++] = '-';
    char reversed[10];
    size_t count = 0;
    uint32_t rest = scale;
    do {
        reversed[count++] = (char)('0' + (int)(rest % 10));
        rest /= 10;
    } while (rest != 0);
    while (count > 0) {
        text[at++] = reversed[--count];
    }
    text[at] = '\0';
    return strtod(text, NULL);
}
