/** Floating-point numbers as Java writes them. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "test.h"

NILAS_TEST(doubles_as_java_prints_them) {
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {1e10, "1.0E10"},     {0.001, "0.001"},
        {0.0001, "1.0E-4"},   {123456.789, "123456.789"},
        {1e7, "1.0E7"},       {9999999, "9999999.0"},
        {-0.0, "-0.0"},       {0.1 + 0.2, "0.30000000000000004"},
        {5e-324, "4.9E-324"}, {1.0 / 3, "0.3333333333333333"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        NILAS_AUTO_BUF out = {0};
        nilas_real_print(&out, cases[i].value, false);
        CHECK_STR(nilas_buf_view(&out), cases[i].text);
    }
}

typedef struct number {
    double value;
    bool is_float;
    const char *text;
} number;

NILAS_TEST(floating_point_prints_as_java_does) {
    static const number list[] = {{0.0, false, "0.0"},
                                  {-0.0, false, "-0.0"},
                                  {1, false, "1.0"},
                                  {100, false, "100.0"},
                                  {0.001, false, "0.001"},
                                  {0.0001, false, "1.0E-4"},
                                  {1e7, false, "1.0E7"},
                                  {9999999, false, "9999999.0"},
                                  {1.0 / 3, false, "0.3333333333333333"},
                                  {0.1, false, "0.1"},
                                  {0.1F, true, "0.1"},
                                  {16777216, true, "1.6777216E7"},
                                  {3.4028234663852886e38, true, "3.4028235E38"},
                                  {-12.5, false, "-12.5"},
                                  {1.2345678901234567e300, false, "1.2345678901234567E300"}};
    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
        NILAS_AUTO_BUF text = {0};
        double value = list[i].is_float ? (double)(float)list[i].value : list[i].value;
        nilas_real_print(&text, value, list[i].is_float);
        CHECK_STR(nilas_buf_view(&text), list[i].text);
    }
}

NILAS_TEST(floats_have_their_own_digits) {
    static const struct {
        float value;
        const char *text;
    } cases[] = {
        {0.1F, "0.1"},
        {16777216.0F, "1.6777216E7"},
        {1e10F, "1.0E10"},
        {1.4e-45F, "1.4E-45"},
        {FLT_MAX, "3.4028235E38"},
        {-INFINITY, "-Infinity"},
        {1.0F / 3, "0.33333334"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        NILAS_AUTO_BUF out = {0};
        nilas_real_print(&out, (double)cases[i].value, true);
        CHECK_STR(nilas_buf_view(&out), cases[i].text);
    }
}

NILAS_TEST(what_is_printed_reads_back_and_no_shorter_text_does) {
    uint64_t state = 88172645463325252ULL;
    for (int i = 0; i < 20000; i++) {
        NILAS_AUTO_BUF out = {0};
        double value;
        char digits[24], shorter[40];
        int exponent;
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        memcpy(&value, &state, sizeof(value));
        if (!isfinite(value) || value == 0) {
            continue;
        }
        nilas_real_print(&out, value, false);
        nilas_buf_add_char(&out, '\0');
        CHECK(strtod(out.data, NULL) == value);
        size_t count = nilas_real_digits(value, false, digits, &exponent);
        if (count > 2) {
            (void)snprintf(shorter, sizeof(shorter), "%.*e", (int)count - 2, value);
            CHECK(strtod(shorter, NULL) != value);
        }
    }
}
