/* Texts of Java 17's Double.toString() and Float.toString(). */
#include "shell/number.h"

#include <math.h>

#include "test.h"

static nilas_str double_text(double value) {
    static nilas_buf out;
    nilas_buf_clear(&out);
    nilas_shell__double_print(&out, value);
    return nilas_buf_view(&out);
}

static nilas_str float_text(float value) {
    static nilas_buf out;
    nilas_buf_clear(&out);
    nilas_shell__float_print(&out, value);
    return nilas_buf_view(&out);
}

NILAS_TEST(small_numbers_have_a_point) {
    CHECK_STR(double_text(0.0), "0.0");
    CHECK_STR(double_text(-0.0), "-0.0");
    CHECK_STR(double_text(1.0), "1.0");
    CHECK_STR(double_text(-100.0), "-100.0");
    CHECK_STR(double_text(9999999.0), "9999999.0");
    CHECK_STR(double_text(0.001), "0.001");
    CHECK_STR(double_text(1.0 / 3), "0.3333333333333333");
    CHECK_STR(double_text(1234567.9), "1234567.9");
}

NILAS_TEST(large_and_tiny_ones_an_exponent) {
    CHECK_STR(double_text(1e7), "1.0E7");
    CHECK_STR(double_text(1e10), "1.0E10");
    CHECK_STR(double_text(12345678.5), "1.23456785E7");
    CHECK_STR(double_text(9.99e-4), "9.99E-4");
    CHECK_STR(double_text(1e-5), "1.0E-5");
    CHECK_STR(double_text(1.7976931348623157e308), "1.7976931348623157E308");
}

NILAS_TEST(numbers_that_are_none) {
    CHECK_STR(double_text(NAN), "NaN");
    CHECK_STR(double_text(-INFINITY), "-Infinity");
    CHECK_STR(float_text(INFINITY), "Infinity");
    CHECK_STR(float_text(NAN), "NaN");
}

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

NILAS_TEST(floats_have_their_own_digits) {
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
