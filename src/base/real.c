/*
 * Java's digits. Since JDK 19 Java writes the shortest digits that read back; before, its old
 * algorithm (Steele and White with a symmetric stopping test) wrote now and then one digit more:
 * 2.0E-3 is the same, Float.MIN_NORMAL is "1.17549435E-38" and not "1.1754944E-38". Spark's
 * answers were taken on Java 17, so this is the old algorithm: the value is B/S × 10^exponent in
 * whole numbers, M is half a unit in the last place, and digits are taken until the rest is
 * smaller than M. Whole numbers below 2^62 take a shorter way, as in Java.
 */
#include "base/real.h"

#include <math.h>

#include "base/base.h"

#define MAX_DIGITS    23 // and an end mark in 24 bytes
#define WORDS         72 // 2^32 each: the largest product is 10 × 5^324 × 2^1100 or so, 1900 bits
#define FRACTION_BITS 52

/** A natural number, least word first; no leading zero words. */
typedef struct natural {
    uint32_t words[WORDS];
    size_t count;
} natural;

typedef struct digits {
    char text[MAX_DIGITS];
    int32_t count;
    int32_t exponent; // the value is 0.ddd × 10^exponent
} digits;

/**
 * A finite positive value: 1.fraction × 2^binary_exponent, with the leading one at bit 52 of
 * `bits`.
 */
typedef struct parts {
    uint64_t bits;
    int32_t binary_exponent;
    int32_t significant_bits;
} parts;

static void find_digits(const parts *value, digits *out);
static void print_digits(nilas_buf *out, const digits *found);

/** The parts of |value|; a float's when `is_float`, whose neighbours are further away. */
static parts take_apart(double value, bool is_float) {
    uint64_t raw;
    memcpy(&raw, &value, sizeof(raw));
    uint64_t fraction = raw & ((1ULL << FRACTION_BITS) - 1);
    int32_t exponent = (int32_t)(raw >> FRACTION_BITS & 0x7FF);
    parts out = {.significant_bits = FRACTION_BITS + 1};
    if (exponent == 0) {
        int32_t shift = __builtin_clzll(fraction) - (63 - FRACTION_BITS);
        out.significant_bits -= shift;
        fraction <<= shift;
        exponent = 1 - shift;
    }
    out.bits = fraction | 1ULL << FRACTION_BITS;
    out.binary_exponent = exponent - 1023;
    if (is_float) { // below 2^-126 a float has a bit less with every power of two
        int32_t missing = -126 - out.binary_exponent;
        out.significant_bits = missing > 0 ? 24 - missing : 24;
    }
    return out;
}

size_t nilas_real_digits(double value, bool is_float, char out_digits[24], int *out_exponent) {
    digits found;
    nilas_assert(isfinite(value) && value != 0);
    parts value_parts = take_apart(value, is_float);
    find_digits(&value_parts, &found);
    while (found.count > 1 && found.text[found.count - 1] == '0') {
        found.count--;
    }
    memcpy(out_digits, found.text, (size_t)found.count);
    out_digits[found.count] = '\0';
    *out_exponent = found.exponent - 1;
    return (size_t)found.count;
}

void nilas_real_print(nilas_buf *out, double value, bool is_float) {
    digits found;
    if (isnan(value)) {
        nilas_buf_add_text(out, "NaN");
        return;
    }
    nilas_buf_add_text(out, signbit(value) ? "-" : "");
    if (isinf(value) || value == 0) {
        nilas_buf_add_text(out, value == 0 ? "0.0" : "Infinity");
        return;
    }
    parts value_parts = take_apart(value, is_float);
    find_digits(&value_parts, &found);
    print_digits(out, &found);
}

// ---- natural numbers ----------------------------------------------------------------------------

static void natural_set(natural *n, uint64_t value) {
    n->count = 0;
    for (; value != 0; value >>= 32) {
        n->words[n->count++] = (uint32_t)value;
    }
}

static void natural_multiply(natural *n, uint32_t factor) {
    uint64_t carry = 0;

    for (size_t i = 0; i < n->count; i++) {
        carry += (uint64_t)n->words[i] * factor;
        n->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0) {
        nilas_assert(n->count < WORDS);
        n->words[n->count++] = (uint32_t)carry;
    }
}

static void natural_shift(natural *n, int32_t bits) {
    size_t words = (size_t)bits / 32;
    uint32_t rest = (uint32_t)bits % 32;

    nilas_assert(bits >= 0 && n->count + words < WORDS);
    if (n->count == 0) {
        return;
    }
    memmove(n->words + words, n->words, n->count * sizeof(n->words[0]));
    memset(n->words, 0, words * sizeof(n->words[0]));
    n->count += words;
    if (rest != 0) {
        natural_multiply(n, 1U << rest);
    }
}

/** n × 5^fives × 2^twos. */
static void natural_scale(natural *n, int32_t fives, int32_t twos) {
    for (; fives >= 13; fives -= 13) {
        natural_multiply(n, 1220703125U); // 5^13
    }
    for (; fives > 0; fives--) {
        natural_multiply(n, 5);
    }
    natural_shift(n, twos);
}

static int natural_compare(const natural *a, const natural *b) {
    if (a->count != b->count) {
        return a->count < b->count ? -1 : 1;
    }
    for (size_t i = a->count; i-- > 0;) {
        if (a->words[i] != b->words[i]) {
            return a->words[i] < b->words[i] ? -1 : 1;
        }
    }
    return 0;
}

static void natural_add(natural *n, const natural *other) {
    uint64_t carry = 0;

    for (size_t i = 0; i < other->count || carry != 0; i++) {
        if (i == n->count) {
            nilas_assert(i < WORDS);
            n->words[n->count++] = 0;
        }
        carry += (uint64_t)n->words[i] + (i < other->count ? other->words[i] : 0);
        n->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

/** n -= other × factor; the result is not negative. */
static void natural_subtract(natural *n, const natural *other, uint32_t factor) {
    uint64_t product = 0;
    int64_t borrow = 0;

    for (size_t i = 0; i < n->count; i++) {
        product += i < other->count ? (uint64_t)other->words[i] * factor : 0;
        int64_t left = (int64_t)n->words[i] - (int64_t)(uint32_t)product + borrow;
        product >>= 32;
        n->words[i] = (uint32_t)left;
        borrow = left >> 32;
    }
    nilas_assert(borrow == 0 && product == 0);
    while (n->count > 0 && n->words[n->count - 1] == 0) {
        n->count--;
    }
}

/** Quotient n / divisor, which is below ten; n becomes 10 × the rest. */
static char next_digit(natural *n, const natural *divisor) {
    uint32_t quotient = 0;

    if (n->count >= divisor->count && divisor->count > 0) {
        // Leading words give a guess that is too low by at most a few.
        size_t top = divisor->count - 1;
        uint64_t high =
            n->words[top] | (n->count > top + 1 ? (uint64_t)n->words[top + 1] << 32 : 0);
        quotient = (uint32_t)(high / ((uint64_t)divisor->words[top] + 1));
        natural_subtract(n, divisor, quotient);
        while (natural_compare(n, divisor) >= 0) {
            natural_subtract(n, divisor, 1);
            quotient++;
        }
    }
    nilas_assert(quotient < 10);
    natural_multiply(n, 10);
    return (char)('0' + quotient);
}

// ---- digits -------------------------------------------------------------------------------------

/** Digits of a whole number that say nothing, because the value has only so many bits. */
static int32_t insignificant_digits(int32_t power_of_two) {
    static const int8_t table[] = {0,  0,  0,  0,  1,  1,  1,  2,  2,  2,  3,  3,  3,  3,  4,  4,
                                   4,  5,  5,  5,  6,  6,  6,  6,  7,  7,  7,  8,  8,  8,  9,  9,
                                   9,  9,  10, 10, 10, 11, 11, 11, 12, 12, 12, 12, 13, 13, 13, 14,
                                   14, 14, 15, 15, 15, 15, 16, 16, 16, 17, 17, 17, 18, 18, 18, 19};

    return power_of_two > 1 && power_of_two < (int32_t)sizeof(table) ? table[power_of_two] : 0;
}

static void whole_digits(uint64_t value, int32_t insignificant, digits *out) {
    char reversed[MAX_DIGITS];
    int32_t count = 0;

    out->exponent = insignificant;
    if (insignificant > 0) {
        uint64_t power = 1;
        for (int32_t i = 0; i < insignificant; i++) {
            power *= 10;
        }
        value = value / power + (value % power >= power / 2 ? 1 : 0);
    }
    for (; value % 10 == 0; value /= 10) {
        out->exponent++;
    }
    for (; value != 0; value /= 10) {
        reversed[count++] = (char)('0' + value % 10);
    }
    out->exponent += count;
    out->count = count;
    for (int32_t i = 0; i < count; i++) {
        out->text[i] = reversed[count - 1 - i];
    }
}

static void round_up(digits *found) {
    int32_t at = found->count - 1;

    while (at > 0 && found->text[at] == '9') {
        found->text[at--] = '0';
    }
    if (found->text[at] == '9') {
        found->text[at] = '1';
        found->exponent++;
        return;
    }
    found->text[at]++;
}

/**
 * Stop tests of one step: `rest` is 10 × the remainder, `half_unit` the unit's half scaled alike.
 */
static void compare_rest(const natural *rest, const natural *half_unit, const natural *ten,
                         bool *low, bool *high) {
    natural sum = *rest;

    natural_add(&sum, half_unit);
    *low = natural_compare(rest, half_unit) < 0;
    *high = natural_compare(ten, &sum) < 0;
}

/** Where the digits end, the last one is rounded by the rest. */
static void round_last(digits *found, natural *rest, const natural *ten, bool low, bool high) {
    if (!high) {
        return;
    }
    if (!low) {
        round_up(found);
        return;
    }
    natural_multiply(rest, 2);
    int order = natural_compare(rest, ten);
    if (order > 0 || (order == 0 && (found->text[found->count - 1] & 1) != 0)) {
        round_up(found);
    }
}

/** Powers of two and five in the dividend (b), the divisor (s) and the half unit (m). */
typedef struct ratio {
    uint64_t bits; // the dividend's other factor
    int32_t fraction_bits;
    int32_t b5, b2, s5, s2, m2; // m5 is b5
    int32_t exponent;           // estimate; one too high now and then
} ratio;

static int32_t bits_of_five(int32_t power) {
    static const int8_t table[] = {0,  3,  5,  7,  10, 12, 14, 17, 19, 21, 24, 26, 28, 31,
                                   33, 35, 38, 40, 42, 45, 47, 49, 52, 54, 56, 59, 61};

    return power < (int32_t)sizeof(table) ? table[power] : power * 3;
}

static int64_t scaled(uint64_t value, int32_t fives, int32_t twos) {
    for (; fives > 0; fives--) {
        value *= 5;
    }
    return (int64_t)(value << twos);
}

/**
 * A machine word as Java's int or long: what does not fit is lost, and Java's digits depend on the
 * loss.
 */
static int64_t wrapped(uint64_t value, bool narrow) {
    return narrow ? (int64_t)(int32_t)(uint32_t)value : (int64_t)value;
}

/** A division in machine words. */
typedef struct words {
    int64_t b, s, m;
    bool narrow;    // in Java's int
    bool low, high; // whether the last digit may be the last one
} words;

static char next_word_digit(words *at) {
    int64_t quotient = at->b / at->s;

    at->b = wrapped((uint64_t)(at->b % at->s) * 10, at->narrow);
    at->m = wrapped((uint64_t)at->m * 10, at->narrow);
    at->low = at->b < at->m;
    at->high = wrapped((uint64_t)at->b + (uint64_t)at->m, at->narrow) > at->s * 10;
    nilas_assert(quotient >= 0 && quotient < 10);
    return (char)('0' + quotient);
}

/** ratio_digits() where everything fits into machine words. */
static void word_digits(const ratio *given, bool narrow, digits *out) {
    words at = {.b = scaled(given->bits, given->b5, given->b2),
                .s = scaled(1, given->s5, given->s2),
                .m = scaled(1, given->b5, given->m2),
                .narrow = narrow};
    int32_t exponent = given->exponent;

    out->count = 0;
    char digit = next_word_digit(&at);
    if (digit == '0' && !at.high) {
        exponent--; // the estimate was one too high
    } else {
        out->text[out->count++] = digit;
    }
    if (exponent < -3 || exponent >= 8) {
        at.low = at.high = false; // at least one digit behind the point
    }
    while (!at.low && !at.high) {
        nilas_assert(out->count < MAX_DIGITS);
        out->text[out->count++] = next_word_digit(&at);
        if (at.m <= 0) { // it did not fit; then it is larger than what is left
            at.low = at.high = true;
        }
    }
    out->exponent = exponent + 1;

    int64_t difference = wrapped(((uint64_t)at.b << 1) - (uint64_t)(at.s * 10), narrow);
    bool odd = (out->text[out->count - 1] & 1) != 0;
    if (at.high && (!at.low || difference > 0 || (difference == 0 && odd))) {
        round_up(out);
    }
}

static void natural_digits(const ratio *given, digits *out);

/**
 * The general way: choose powers so that dividend / divisor is the value / 10^exponent, then
 * divide digit by digit.
 */
static void ratio_digits(const parts *value, int32_t fraction_bits, int32_t tiny_bits,
                         digits *out) {
    double leading;
    uint64_t raw = 0x3FFULL << FRACTION_BITS | (value->bits & ((1ULL << FRACTION_BITS) - 1));
    memcpy(&leading, &raw, sizeof(leading));
    int32_t exponent = (int32_t)floor((leading - 1.5) * 0.289529654 + 0.176091259 +
                                      (double)value->binary_exponent * 0.301029995663981);

    int32_t b5 = exponent < 0 ? -exponent : 0;
    int32_t b2 = b5 + tiny_bits + value->binary_exponent;
    int32_t s5 = exponent > 0 ? exponent : 0;
    int32_t s2 = s5 + tiny_bits;
    int32_t m2 = b2 - value->significant_bits;

    b2 -= fraction_bits - 1;
    int32_t common = b2 < s2 ? b2 : s2;
    b2 -= common;
    s2 -= common;
    m2 -= common;
    if (fraction_bits == 1) {
        m2--; // below a power of two the neighbour is half as far
    }
    if (m2 < 0) {
        b2 -= m2;
        s2 -= m2;
        m2 = 0;
    }

    ratio chosen = {.bits = value->bits >> (FRACTION_BITS + 1 - fraction_bits),
                    .fraction_bits = fraction_bits,
                    .b5 = b5,
                    .b2 = b2,
                    .s5 = s5,
                    .s2 = s2,
                    .m2 = m2,
                    .exponent = exponent};
    int32_t dividend_bits = fraction_bits + b2 + bits_of_five(b5);
    int32_t ten_bits = s2 + 1 + bits_of_five(s5 + 1);
    if (dividend_bits < 64 && ten_bits < 64) {
        word_digits(&chosen, dividend_bits < 32 && ten_bits < 32, out);
    } else {
        natural_digits(&chosen, out);
    }
}

/** ratio_digits() in numbers of any size. */
static void natural_digits(const ratio *given, digits *out) {
    natural rest, divisor, ten, half_unit;
    int32_t exponent = given->exponent;

    natural_set(&rest, given->bits);
    natural_scale(&rest, given->b5, given->b2);
    natural_set(&divisor, 1);
    natural_scale(&divisor, given->s5, given->s2);
    ten = divisor;
    natural_multiply(&ten, 10);
    natural_set(&half_unit, 10);
    natural_scale(&half_unit, given->b5, given->m2);

    bool low, high;
    out->count = 0;
    char digit = next_digit(&rest, &divisor);
    compare_rest(&rest, &half_unit, &ten, &low, &high);
    if (digit == '0' && !high) {
        exponent--; // the estimate was one too high
    } else {
        out->text[out->count++] = digit;
    }
    if (exponent < -3 || exponent >= 8) {
        low = high = false; // at least one digit behind the point
    }
    while (!low && !high) {
        nilas_assert(out->count < MAX_DIGITS);
        out->text[out->count++] = next_digit(&rest, &divisor);
        natural_multiply(&half_unit, 10);
        compare_rest(&rest, &half_unit, &ten, &low, &high);
    }
    out->exponent = exponent + 1;
    round_last(out, &rest, &ten, low, high);
}

static void find_digits(const parts *value, digits *out) {
    int32_t fraction_bits = FRACTION_BITS + 1 - __builtin_ctzll(value->bits);
    int32_t tiny_bits = fraction_bits - value->binary_exponent - 1;

    if (tiny_bits <= 0 && value->binary_exponent <= 62) {
        int32_t unknown = value->binary_exponent - value->significant_bits;
        int32_t shift = value->binary_exponent - FRACTION_BITS;
        whole_digits(shift >= 0 ? value->bits << shift : value->bits >> -shift,
                     unknown > 0 ? insignificant_digits(unknown - 1) : 0, out);
        return;
    }
    ratio_digits(value, fraction_bits, tiny_bits > 0 ? tiny_bits : 0, out);
}

static void print_digits(nilas_buf *out, const digits *found) {
    int32_t exponent = found->exponent;

    if (exponent > 0 && exponent < 8) {
        int32_t whole = found->count < exponent ? found->count : exponent;
        nilas_buf_add_bytes(out, found->text, (size_t)whole);
        for (int32_t i = whole; i < exponent; i++) {
            nilas_buf_add_char(out, '0');
        }
        nilas_buf_add_char(out, '.');
        if (whole < found->count) {
            nilas_buf_add_bytes(out, found->text + whole, (size_t)(found->count - whole));
        } else {
            nilas_buf_add_char(out, '0');
        }
        return;
    }
    if (exponent <= 0 && exponent > -3) {
        nilas_buf_add_text(out, "0.");
        for (int32_t i = exponent; i < 0; i++) {
            nilas_buf_add_char(out, '0');
        }
        nilas_buf_add_bytes(out, found->text, (size_t)found->count);
        return;
    }
    nilas_buf_add_char(out, found->text[0]);
    nilas_buf_add_char(out, '.');
    if (found->count > 1) {
        nilas_buf_add_bytes(out, found->text + 1, (size_t)(found->count - 1));
    } else {
        nilas_buf_add_char(out, '0');
    }
    nilas_buf_print(out, "E%d", exponent - 1);
}
