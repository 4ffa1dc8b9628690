/** Numbers in text by a format: printf, format_number, to_char, to_number. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/udf_row.h"

/* --- format_string: arguments come as text with a letter before: i integer, r real, b boolean, s
 * other --- */

typedef struct directive {
    char flags[8];
    int width, precision; // -1: none
    char conversion;
    size_t argument; // from 1; 0: the next
} directive;

static size_t read_int(nilas_str format, size_t at, int *out) {
    int value = 0;
    while (at < format.size && format.data[at] >= '0' && format.data[at] <= '9' && value < 100000) {
        value = value * 10 + (format.data[at++] - '0');
    }
    *out = value;
    return at;
}

/** Read what follows "%"; returns the position behind the conversion. */
static size_t read_directive(nilas_str format, size_t at, directive *out) {
    int number = 0;
    size_t flags = 0;
    *out = (directive){.width = -1, .precision = -1};
    size_t after = read_int(format, at, &number);
    if (after > at && after < format.size && format.data[after] == '$') {
        out->argument = (size_t)number;
        at = after + 1;
    }
    while (at < format.size && strchr("-#+ 0,(", format.data[at]) != NULL &&
           flags < sizeof(out->flags) - 1) {
        out->flags[flags++] = format.data[at++];
    }
    after = read_int(format, at, &number);
    if (after > at) {
        out->width = number;
        at = after;
    }
    if (at < format.size && format.data[at] == '.') {
        at = read_int(format, at + 1, &out->precision);
    }
    out->conversion = at < format.size ? format.data[at] : '\0';
    return at + 1;
}

/** Commas between groups of three digits of the integer part. */
static void add_grouped(nilas_buf *out, const char *digits, size_t size) {
    size_t whole = strcspn(digits, ".");
    for (size_t i = 0; i < size; i++) {
        if (i > 0 && i < whole && (whole - i) % 3 == 0) {
            nilas_buf_add_char(out, ',');
        }
        nilas_buf_add_char(out, digits[i]);
    }
}

static void print_signed(nilas_buf *out, const directive *d, bool negative, const char *digits) {
    bool grouped = strchr(d->flags, ',') != NULL;
    const char *sign = negative                        ? (strchr(d->flags, '(') != NULL ? "(" : "-")
                       : strchr(d->flags, '+') != NULL ? "+"
                       : strchr(d->flags, ' ') != NULL ? " "
                                                       : "";
    NILAS_AUTO_BUF body = {0};
    if (grouped) {
        add_grouped(&body, digits, strlen(digits));
    } else {
        nilas_buf_add_text(&body, digits);
    }
    size_t size = strlen(sign) + body.size;
    nilas_buf_add_text(out, sign);
    if (strchr(d->flags, '0') != NULL) {
        for (; d->width > 0 && size < (size_t)d->width; size++) {
            nilas_buf_add_char(out, '0');
        }
    }
    nilas_buf_add(out, nilas_buf_view(&body));
    nilas_buf_add_text(out, sign[0] == '(' ? ")" : "");
}

/** As Java: so many digits that count, with an exponent beyond 10^-4 and 10^digits. */
static void print_general(char *out, size_t room, int digits, double value) {
    char text[40];
    snprintf(text, sizeof(text), "%.*e", digits > 20 ? 20 : digits - 1, value);
    const char *mark = strchr(text, 'e');
    int exponent = value == 0 || mark == NULL ? 0 : (int)strtol(mark + 1, NULL, 10);
    if (exponent < -4 || exponent >= digits) {
        snprintf(out, room, "%.*e", digits - 1, value);
    } else {
        snprintf(out, room, "%.*f", digits - 1 - exponent, value);
    }
}

static void print_real(nilas_buf *out, const directive *d, const char *text) {
    char digits[512];
    double value = strtod(text, NULL);
    if (!isfinite(value)) {
        nilas_buf_add_text(out, text);
        return;
    }
    int precision = d->precision < 0 ? 6 : d->precision > 300 ? 300 : d->precision;
    double size = fabs(value);
    if (d->conversion == 'e' || d->conversion == 'E') {
        snprintf(digits, sizeof(digits), d->conversion == 'e' ? "%.*e" : "%.*E", precision, size);
    } else if (d->conversion == 'g' || d->conversion == 'G') {
        print_general(digits, sizeof(digits), precision == 0 ? 1 : precision, size);
    } else {
        snprintf(digits, sizeof(digits), "%.*f", precision, size);
    }
    print_signed(out, d, signbit(value), digits);
}

/** x, X and o: the bits of an int or a long. */
static void print_bits(nilas_buf *out, char conversion, const char *text) {
    long long number = strtoll(text, NULL, 10);
    bool is_int = number >= INT32_MIN && number < 0;
    unsigned long long bits = is_int ? (unsigned)number : (unsigned long long)number;
    nilas_buf_print(out, conversion == 'x' ? "%llx" : conversion == 'X' ? "%llX" : "%llo", bits);
}

static const char *truth_of(char kind, nilas_str value) {
    bool is_false = kind == 'n' || (kind == 'b' && nilas_str_is(value, "false"));
    return is_false ? "false" : "true";
}

static void print_text(nilas_buf *out, const directive *d, nilas_str value) {
    nilas_buf_add(out, d->precision >= 0 ? nilas_str_slice(value, 0, (size_t)d->precision) : value);
}

/** One argument by its directive, without padding. False: its kind does not fit the conversion. */
static bool print_argument(nilas_buf *out, const directive *d, nilas_str argument) {
    char kind = argument.data != NULL ? argument.data[0] : 'n';
    nilas_str value =
        argument.data != NULL ? nilas_str_slice(argument, 1, argument.size) : NILAS_STR("null");
    char text[128];
    snprintf(text, sizeof(text), "%.*s", NILAS_FMT(value));
    if (kind == 'n' && d->conversion != 'b') {
        nilas_buf_add_text(out, "null");
        return true;
    }
    switch (d->conversion) {
    case 's':
    case 'S': print_text(out, d, value); return true;
    case 'b':
    case 'B': nilas_buf_add_text(out, truth_of(kind, value)); return true;
    case 'd': print_signed(out, d, text[0] == '-', text + (text[0] == '-')); return kind == 'i';
    case 'x':
    case 'X':
    case 'o': print_bits(out, d->conversion, text); return kind == 'i';
    case 'c': nilas_buf_add_codepoint(out, (uint32_t)strtoul(text, NULL, 10)); return kind == 'i';
    case 'f':
    case 'e':
    case 'E':
    case 'g':
    case 'G': print_real(out, d, text); return kind == 'r';
    default: return false;
    }
}

static void add_padded(nilas_buf *out, const directive *d, nilas_str text) {
    size_t size = nilas_str_codepoints(text);
    size_t padding = d->width > 0 && size < (size_t)d->width ? (size_t)d->width - size : 0;
    bool left = strchr(d->flags, '-') != NULL;
    if (left) {
        nilas_buf_add(out, text);
    }
    for (size_t i = 0; i < padding; i++) {
        nilas_buf_add_char(out, ' ');
    }
    if (!left) {
        nilas_buf_add(out, text);
    }
}

static void format_string(nilas_row *row) {
    nilas_str *arguments;
    size_t count, next = 0;
    nilas_str format = nilas_row__text(row, 0);
    if (nilas_row__is_null(row, 0)) {
        nilas_row__set_null(row);
        return;
    }
    if (!nilas_row__texts(row, 1, &arguments, &count)) {
        return;
    }
    for (size_t at = 0; at < format.size;) {
        if (format.data[at] != '%') {
            nilas_buf_add_char(row->text, format.data[at++]);
            continue;
        }
        directive d;
        at = read_directive(format, at + 1, &d);
        if (d.conversion == '%' || d.conversion == 'n') {
            nilas_buf_add_char(row->text, d.conversion == 'n' ? '\n' : '%');
            continue;
        }
        size_t index = d.argument > 0 ? d.argument - 1 : next++;
        NILAS_AUTO_BUF shown = {0};
        if (index >= count || !print_argument(&shown, &d, arguments[index])) {
            nilas_row__fail(row, "", "Format specifier '%%%c'", d.conversion);
            return;
        }
        add_padded(row->text, &d, nilas_buf_view(&shown));
    }
    nilas_row__set_buffer(row);
}

/* --- format_number --- */

/** Half-even rounding of an unscaled number from one scale to another. */
static nilas_int128 round_even(nilas_int128 value, uint32_t from, uint32_t to) {
    if (to >= from) {
        return value * nilas_power_of_ten(to - from);
    }
    nilas_int128 unit = nilas_power_of_ten(from - to);
    nilas_int128 quotient = value / unit;
    nilas_int128 rest = value % unit;
    rest = rest < 0 ? -rest : rest;
    bool up = rest * 2 > unit || (rest * 2 == unit && quotient % 2 != 0);
    return quotient + (up ? (value < 0 ? -1 : 1) : 0);
}

static void print_number(nilas_row *row, nilas_str text, uint32_t places, bool grouped) {
    nilas_int128 unscaled = 0;
    uint32_t scale = 0;
    if (!nilas_decimal_parse(text, &unscaled, &scale) || places > 30) {
        nilas_row__set_text(row, nilas_str_is(text, "Infinity")    ? NILAS_STR("∞")
                                 : nilas_str_is(text, "-Infinity") ? NILAS_STR("-∞")
                                                                   : text);
        return;
    }
    NILAS_AUTO_BUF digits = {0};
    nilas_decimal_print(&digits, round_even(unscaled, scale, places), places);
    nilas_buf_add_char(&digits, '\0');
    size_t sign = digits.data != NULL && digits.data[0] == '-' ? 1 : 0;
    nilas_buf_add_text(row->text, text.size > 0 && text.data[0] == '-' ? "-" : ""); // -0 too
    if (grouped) {
        add_grouped(row->text, digits.data + sign, strlen(digits.data + sign));
    } else {
        nilas_buf_add_text(row->text, digits.data + sign);
    }
    nilas_row__set_buffer(row);
}

static void format_number(nilas_row *row) {
    int32_t places = nilas_row__int(row, 1);
    if (places < 0) {
        nilas_row__set_null(row);
        return;
    }
    print_number(row, nilas_row__text(row, 0), (uint32_t)places, true);
}

/** A DecimalFormat pattern: how many places it has, and whether it groups. */
static void format_number_by_pattern(nilas_row *row) {
    nilas_str pattern = nilas_row__text(row, 1);
    size_t point = nilas_str_find(pattern, NILAS_STR("."), 0);
    bool grouped = pattern.size == 0 || nilas_str_find(pattern, NILAS_STR(","), 0) != SIZE_MAX;
    print_number(row, nilas_row__text(row, 0),
                 point == SIZE_MAX ? 0 : (uint32_t)(pattern.size - point - 1), grouped);
}

/* --- to_char and to_number --- */

typedef struct number_pattern {
    nilas_str whole, fraction; // 0 9 and commas; 0 9
    bool dollar, sign_first, sign_last, minus_last, minus_first, brackets;
} number_pattern;

static bool is_digit_mark(char c) {
    return c == '0' || c == '9';
}

/** Take the sign marks at both ends: S, MI and PR. */
static nilas_str take_signs(nilas_str format, number_pattern *p) {
    p->sign_first = nilas_str_starts_nocase(format, NILAS_STR("S"));
    p->minus_first = nilas_str_starts_nocase(format, NILAS_STR("MI"));
    format = nilas_str_slice(format, p->minus_first ? 2 : p->sign_first ? 1 : 0, format.size);
    size_t end = format.size;
    nilas_str tail = end >= 2 ? nilas_str_slice(format, end - 2, 2) : NILAS_STR_EMPTY;
    p->brackets = nilas_str_is_nocase(tail, "PR");
    p->minus_last = nilas_str_is_nocase(tail, "MI");
    p->sign_last = end > 0 && (format.data[end - 1] | 32) == 's';
    return nilas_str_slice(format, 0,
                           end - (p->brackets || p->minus_last ? 2U
                                  : p->sign_last               ? 1U
                                                               : 0U));
}

static number_pattern read_number_pattern(nilas_str format) {
    number_pattern p = {.whole = NILAS_STR_EMPTY, .fraction = NILAS_STR_EMPTY};
    format = take_signs(format, &p);
    p.dollar = nilas_str_starts(format, NILAS_STR("$"));
    format = nilas_str_slice(format, p.dollar, format.size);
    size_t point = 0;
    while (point < format.size && strchr(".dD", format.data[point]) == NULL) {
        point++;
    }
    p.whole = nilas_str_slice(format, 0, point);
    p.fraction =
        point < format.size ? nilas_str_slice(format, point + 1, format.size) : NILAS_STR_EMPTY;
    return p;
}

/** The integer part under its marks, right to left; false when it has more digits than marks. */
static bool print_whole(nilas_buf *out, const number_pattern *p, const char *digits, size_t count) {
    char text[128];
    size_t at = sizeof(text);
    size_t left = count;
    for (size_t i = p->whole.size; i-- > 0 && at > 2;) {
        char mark = p->whole.data[i];
        if (is_digit_mark(mark)) {
            bool zeros = false;
            for (size_t k = 0; k <= i; k++) {
                zeros = zeros || p->whole.data[k] == '0';
            }
            text[--at] = left > 0 ? digits[--left] : zeros ? '0' : ' ';
        } else {
            bool more = left > 0;
            for (size_t k = 0; k < i; k++) {
                more = more || p->whole.data[k] == '0';
            }
            text[--at] = more ? ',' : ' ';
        }
    }
    nilas_buf_add_bytes(out, text + at, sizeof(text) - at);
    return left == 0;
}

static size_t leading_blanks(nilas_str text) {
    size_t count = 0;
    while (count < text.size && text.data[count] == ' ') {
        count++;
    }
    return count;
}

static bool has_sign_before(const number_pattern *p) {
    return p->sign_first || p->minus_first || p->brackets;
}

static void print_by_pattern(nilas_buf *out, const number_pattern *p, nilas_str digits,
                             bool negative) {
    const char *sign = negative ? "-" : "+";
    size_t blanks = leading_blanks(digits);
    bool dollar_first = !has_sign_before(p);
    const char *dollar = p->dollar ? "$" : "";
    nilas_buf_add_text(out, dollar_first ? dollar : "");
    nilas_buf_add(out, nilas_str_slice(digits, 0, blanks));
    nilas_buf_add_text(out, p->sign_first || (p->minus_first && negative) ? sign : "");
    nilas_buf_add_text(out, p->brackets && negative ? "<" : "");
    nilas_buf_add_text(out, dollar_first ? "" : dollar);
    nilas_buf_add(out, nilas_str_slice(digits, blanks, digits.size));
    if (p->brackets) {
        nilas_buf_add_text(out, negative ? ">" : " ");
    } else if (p->minus_last) {
        nilas_buf_add_text(out, negative ? "-" : " ");
    }
    nilas_buf_add_text(out, p->sign_last ? sign : "");
}

static void number_to_char(nilas_row *row) {
    nilas_str format = nilas_row__text(row, 1);
    number_pattern p = read_number_pattern(format);
    nilas_int128 unscaled = 0;
    uint32_t scale = 0;
    if (!nilas_decimal_parse(nilas_row__text(row, 0), &unscaled, &scale)) {
        nilas_row__set_null(row);
        return;
    }
    bool negative = unscaled < 0;
    nilas_int128 rounded = 0;
    bool fits = nilas_decimal_rescale(negative ? -unscaled : unscaled, scale,
                                      (uint32_t)p.fraction.size, &rounded);
    NILAS_AUTO_BUF digits = {0};
    NILAS_AUTO_BUF shown = {0};
    nilas_decimal_print(&digits, rounded, (uint32_t)p.fraction.size);
    nilas_str text = nilas_buf_view(&digits);
    size_t point = nilas_str_find(text, NILAS_STR("."), 0);
    size_t whole = point == SIZE_MAX ? text.size : point;
    size_t skipped =
        whole == 1 && text.data[0] == '0' && p.whole.size > 0 && p.fraction.size > 0 ? 1 : 0;
    fits = fits && print_whole(&shown, &p, text.data + skipped, whole - skipped);
    nilas_buf_add(&shown,
                  point == SIZE_MAX ? NILAS_STR_EMPTY : nilas_str_slice(text, point, text.size));
    if (!fits) {
        for (size_t i = 0; i < format.size; i++) {
            nilas_buf_add_char(row->text, is_digit_mark(format.data[i]) ? '#' : format.data[i]);
        }
    } else {
        print_by_pattern(row->text, &p, nilas_buf_view(&shown), negative);
    }
    nilas_row__set_buffer(row);
}

static void fail_mismatch(nilas_row *row) {
    nilas_row__fail(
        row, "INVALID_FORMAT.MISMATCH_INPUT",
        "The format is invalid: '%.*s'. The input \"STRING\" '%.*s' does not match the format.",
        NILAS_FMT(nilas_row__text(row, 1)), NILAS_FMT(nilas_row__text(row, 0)));
}

typedef struct number_text {
    size_t whole, fraction; // digits before and behind the point
    bool point, negative, bad;
} number_text;

static bool is_mark(char c, bool dollar) {
    return c != '\0' && (strchr("0123456789.,+-<> ", c) != NULL || (c == '$' && dollar));
}

/** Keep digits and the point; note the signs. */
static number_text read_marks(nilas_buf *out, nilas_str text, const number_pattern *p) {
    number_text n = {0};
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        bool digit = c >= '0' && c <= '9';
        n.bad = n.bad || !is_mark(c, p->dollar) || (n.point && c == '.');
        n.negative = n.negative || c == '-' || c == '<';
        n.whole += digit && !n.point;
        n.fraction += digit && n.point;
        n.point = n.point || c == '.';
        nilas_buf_add_bytes(out, &c, digit || c == '.' ? 1 : 0);
    }
    return n;
}

/** (text, format, scale) -> unscaled */
static void to_number(nilas_row *row) {
    number_pattern p = read_number_pattern(nilas_row__text(row, 1));
    nilas_int128 unscaled = 0, result = 0;
    uint32_t scale = 0;
    size_t allowed = 0;
    for (size_t i = 0; i < p.whole.size; i++) {
        allowed += is_digit_mark(p.whole.data[i]);
    }
    number_text n = read_marks(row->text, nilas_str_trim(nilas_row__text(row, 0)), &p);
    n.bad = n.bad || n.whole > allowed || n.fraction > p.fraction.size;
    if (n.bad || !nilas_decimal_parse(nilas_buf_view(row->text), &unscaled, &scale) ||
        !nilas_decimal_rescale(unscaled, scale, (uint32_t)nilas_row__int(row, 2), &result)) {
        fail_mismatch(row);
        return;
    }
    nilas_row__set_hugeint(row, n.negative ? -result : result);
}

static void randstr(nilas_row *row) {
    static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    int32_t size = nilas_row__int(row, 0);
    uint64_t state = (uint64_t)nilas_monotonic_ns() + row->at * 0x9E3779B97F4A7C15;
    for (int32_t i = 0; i < size; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        nilas_buf_add_char(row->text, letters[state % 62]);
    }
    nilas_row__set_buffer(row);
}

const nilas_udf nilas_engine__format_functions[] = {
    {"nilas_format_string", "sS>s", format_string, NILAS_UDF_NULLS, 0},
    {"nilas_format_number", "si>s", format_number, 0, 0},
    {"nilas_format_number", "ss>s", format_number_by_pattern, 0, 0},
    {"nilas_number_to_char", "ss>s", number_to_char, 0, 0},
    {"nilas_to_number", "ssi>n", to_number, 0, 0},
    {"nilas_randstr", "i>s", randstr, NILAS_UDF_VOLATILE, 0},
    {NULL, NULL, NULL, 0, 0},
};
