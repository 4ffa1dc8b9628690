/** Decimals: text and back, scales, rounding. */
#include "base/base.h"
#include "test.h"

static void check_printed(nilas_int128 unscaled, uint32_t scale, const char *expected) {
    NILAS_AUTO_BUF buf = {0};
    nilas_decimal_print(&buf, unscaled, scale);
    CHECK_STR(nilas_buf_view(&buf), expected);
    nilas_int128 back;
    uint32_t back_scale;
    CHECK(nilas_decimal_parse(nilas_buf_view(&buf), &back, &back_scale));
    CHECK(back == unscaled && back_scale == scale);
}

NILAS_TEST(decimals_print_plainly_and_read_back) {
    check_printed(0, 0, "0");
    check_printed(0, 3, "0.000");
    check_printed(-12340, 3, "-12.340");
    check_printed(5, 3, "0.005");
    check_printed(-5, 1, "-0.5");
    check_printed(123, 3, "0.123");
    check_printed(nilas_power_of_ten(38) - 1, 0, "99999999999999999999999999999999999999");
    check_printed(-(nilas_power_of_ten(38) - 1), 38, "-0.99999999999999999999999999999999999999");
}

NILAS_TEST(exponents_move_the_point) {
    nilas_int128 v;
    uint32_t scale;
    CHECK(nilas_decimal_parse(NILAS_STR("1.5e3"), &v, &scale) && v == 1500 && scale == 0);
    CHECK(nilas_decimal_parse(NILAS_STR("15E-3"), &v, &scale) && v == 15 && scale == 3);
    CHECK(nilas_decimal_parse(NILAS_STR("+.5"), &v, &scale) && v == 5 && scale == 1);
    CHECK(nilas_decimal_parse(NILAS_STR("5."), &v, &scale) && v == 5 && scale == 0);
    CHECK(nilas_decimal_parse(NILAS_STR("0e1000"), &v, &scale) && v == 0 && scale == 0);
    CHECK(nilas_decimal_parse(NILAS_STR("000000000000000000000000000000000000000000001"), &v,
                              &scale) &&
          v == 1);
}

NILAS_TEST(what_is_no_decimal_of_38_digits_is_refused) {
    static const char *const bad[] = {"",
                                      "-",
                                      ".",
                                      "e5",
                                      "1e",
                                      "1e+",
                                      "1.2.3",
                                      "1 ",
                                      "0x1",
                                      "1e39",
                                      "100000000000000000000000000000000000000",
                                      "1e-39",
                                      "1e99999999999999999999",
                                      "1e-9999999"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        nilas_int128 v;
        uint32_t scale;
        if (nilas_decimal_parse(nilas_str_of(bad[i]), &v, &scale)) {
            NILAS_TEST_FAIL("\"%s\" was read", bad[i]);
        }
    }
}

NILAS_TEST(rescaling_rounds_half_up_away_from_zero) {
    nilas_int128 v;
    CHECK(nilas_decimal_rescale(125, 2, 1, &v) && v == 13);
    CHECK(nilas_decimal_rescale(-125, 2, 1, &v) && v == -13);
    CHECK(nilas_decimal_rescale(124, 2, 1, &v) && v == 12);
    CHECK(nilas_decimal_rescale(12, 1, 3, &v) && v == 1200);
    CHECK(nilas_decimal_rescale(0, 0, 100, &v) && v == 0);
    CHECK(nilas_decimal_rescale(5, 1, 0, &v) && v == 1);
    CHECK(nilas_decimal_rescale(nilas_power_of_ten(38) - 1, 38, 0, &v) && v == 1);
    CHECK(nilas_decimal_rescale(4 * nilas_power_of_ten(37), 38, 0, &v) && v == 0);
    CHECK(nilas_decimal_rescale(nilas_power_of_ten(38) - 1, 40, 0, &v) && v == 0);
    CHECK(!nilas_decimal_rescale(nilas_power_of_ten(37), 0, 1, &v));
    CHECK(!nilas_decimal_rescale(nilas_power_of_ten(38) - 1, 0, 1, &v));
    CHECK(!nilas_decimal_rescale(1, 0, 39, &v));
}

NILAS_TEST(digits_and_powers) {
    CHECK_INT(nilas_decimal_digits(0), 1);
    CHECK_INT(nilas_decimal_digits(-9), 1);
    CHECK_INT(nilas_decimal_digits(10), 2);
    for (uint32_t n = 0; n < 38; n++) {
        CHECK_INT(nilas_decimal_digits(nilas_power_of_ten(n)), n + 1);
        CHECK(nilas_power_of_ten(n) * 10 == nilas_power_of_ten(n + 1));
    }
}

NILAS_TEST(integers_of_128_bits_print_whole) {
    NILAS_AUTO_BUF buf = {0};
    nilas_int128 smallest = (nilas_int128)((nilas_uint128)1 << 127);
    nilas_int128_print(&buf, smallest);
    CHECK_STR(nilas_buf_view(&buf), "-170141183460469231731687303715884105728");
    CHECK_DOUBLE(nilas_decimal_to_double(1, 1), 0.1);
    CHECK_DOUBLE(nilas_decimal_to_double(-12345, 2), -123.45);
    CHECK_DOUBLE(nilas_decimal_to_double(9007199254740993, 0), 9007199254740992.0);
    CHECK_DOUBLE(nilas_decimal_to_double(3, 20), 3e-20);
}
