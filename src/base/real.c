#include "base/real.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"

size_t nilas_real_digits(double value, bool is_float, char out_digits[24], int *out_exponent) {
    char text[40];
    int most = is_float ? 9 : 17;

    value = fabs(value);
    nilas_assert(isfinite(value) && value != 0);
    for (int count = 2; count <= most; count++) {
        snprintf(text, sizeof(text), "%.*e", count - 1, value);
        if (is_float ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value) {
            break;
        }
    }

    char *mark = strchr(text, 'e');
    size_t count = 0;
    nilas_assert(mark != NULL);
    *out_exponent = (int)strtol(mark + 1, NULL, 10);
    for (const char *at = text; at < mark; at++) {
        if (*at >= '0' && *at <= '9') {
            out_digits[count++] = *at;
        }
    }
    while (count > 1 && out_digits[count - 1] == '0') {
        count--;
    }
    out_digits[count] = '\0';
    return count;
}

static void print_plain(nilas_buf *out, const char *digits, int count, int exponent) {
    if (exponent < 0) {
        nilas_buf_add_text(out, "0.");
        for (int i = -1; i > exponent; i--) {
            nilas_buf_add_char(out, '0');
        }
        nilas_buf_add_text(out, digits);
        return;
    }
    for (int i = 0; i < count || i <= exponent + 1; i++) {
        if (i == exponent + 1) {
            nilas_buf_add_char(out, '.');
        }
        nilas_buf_add_char(out, i < count ? digits[i] : '0');
    }
}

void nilas_real_print(nilas_buf *out, double value, bool is_float) {
    char digits[24];
    int exponent;

    if (isnan(value)) {
        nilas_buf_add_text(out, "NaN");
        return;
    }
    nilas_buf_add_text(out, signbit(value) ? "-" : "");
    if (isinf(value) || value == 0) {
        nilas_buf_add_text(out, value == 0 ? "0.0" : "Infinity");
        return;
    }
    size_t count = nilas_real_digits(value, is_float, digits, &exponent);
    if (exponent >= -3 && exponent < 7) {
        print_plain(out, digits, (int)count, exponent);
    } else {
        nilas_buf_print(out, "%c.%sE%d", digits[0], count > 1 ? digits + 1 : "0", exponent);
    }
}
