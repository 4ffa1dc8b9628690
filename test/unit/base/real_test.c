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

static nilas_str text_of(double value, bool is_float) {
    static nilas_buf out;
    nilas_buf_clear(&out);
    nilas_real_print(&out, value, is_float);
    return nilas_buf_view(&out);
}

#define double_text(value) text_of(value, false)
#define float_text(value)  text_of((double)(value), true)

NILAS_TEST(digits_are_those_of_java_17_and_not_always_the_shortest) {
    CHECK_STR(double_text(4.9e-324), "4.9E-324");
    CHECK_STR(double_text(2.2250738585072014e-308), "2.2250738585072014E-308");
    CHECK_STR(double_text(2e23), "1.9999999999999998E23");
    CHECK_STR(double_text(1e23), "9.999999999999999E22");
    CHECK_STR(double_text(9007199254740993.0), "9.007199254740992E15");
    CHECK_STR(float_text(1.17549435e-38f), "1.17549435E-38");
    CHECK_STR(float_text(4.7271714e25f), "4.7271713E25");
    CHECK_STR(float_text(3.4028235e38f), "3.4028235E38");
    CHECK_STR(float_text(1.4e-45f), "1.4E-45");
}

NILAS_TEST(a_float_as_double_has_more_digits) {
    CHECK_STR(float_text(0.1f), "0.1");
    CHECK_STR(float_text(1.1f), "1.1");
    CHECK_STR(double_text((double)1.1f), "1.100000023841858");
    CHECK_STR(float_text(16777216.0f), "1.6777216E7");
    CHECK_STR(float_text(-0.0f), "-0.0");
}

NILAS_TEST(what_is_printed_reads_back) {
    uint64_t bits = 88172645463325252ULL; // xorshift: the same numbers every time
    for (int i = 0; i < 20000; i++) {
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        double value;
        memcpy(&value, &bits, sizeof(value));
        if (!isfinite(value)) {
            continue;
        }
        double back = 0;
        REQUIRE(nilas_str_to_double(double_text(value), &back));
        CHECK_DOUBLE(back, value);
    }
}
