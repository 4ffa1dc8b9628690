/** Values: equality, order, copies and hashes agree with each other. */
#include <math.h>

#include "base/base.h"
#include "test.h"

static nilas_value parts[] = {
    {.kind = NILAS_VALUE_INT, .integer = 1},
    {.kind = NILAS_VALUE_STRING, .text = {"x", 1}},
};

/* Different ones only; within a kind in ascending order. */
static const nilas_value values[] = {
    {.kind = NILAS_VALUE_NULL},
    {.kind = NILAS_VALUE_BOOL, .boolean = false},
    {.kind = NILAS_VALUE_BOOL, .boolean = true},
    {.kind = NILAS_VALUE_INT, .integer = INT64_MIN},
    {.kind = NILAS_VALUE_INT, .integer = 0},
    {.kind = NILAS_VALUE_INT, .integer = INT64_MAX},
    {.kind = NILAS_VALUE_DOUBLE, .real = -INFINITY},
    {.kind = NILAS_VALUE_DOUBLE, .real = -1.5},
    {.kind = NILAS_VALUE_DOUBLE, .real = -0.0},
    {.kind = NILAS_VALUE_DOUBLE, .real = 0.0},
    {.kind = NILAS_VALUE_DOUBLE, .real = INFINITY},
    {.kind = NILAS_VALUE_DOUBLE, .real = NAN},
    {.kind = NILAS_VALUE_FLOAT, .real = 0.5},
    {.kind = NILAS_VALUE_DECIMAL, .scale = 0, .decimal = -3},
    {.kind = NILAS_VALUE_DECIMAL, .scale = 2, .decimal = 149},
    {.kind = NILAS_VALUE_DECIMAL, .scale = 1, .decimal = 15},
    {.kind = NILAS_VALUE_DECIMAL, .scale = 0, .decimal = 2},
    {.kind = NILAS_VALUE_STRING, .text = {"", 0}},
    {.kind = NILAS_VALUE_STRING, .text = {"a", 1}},
    {.kind = NILAS_VALUE_STRING, .text = {"a\0", 2}},
    {.kind = NILAS_VALUE_STRING, .text = {"\xC3\xA9", 2}},
    {.kind = NILAS_VALUE_BINARY, .text = {"a", 1}},
    {.kind = NILAS_VALUE_LIST, .items = parts, .count = 1},
    {.kind = NILAS_VALUE_LIST, .items = parts, .count = 0},
    {.kind = NILAS_VALUE_MAP, .items = parts, .count = 1},
    {.kind = NILAS_VALUE_STRUCT, .items = parts, .count = 2},
};
#define VALUE_COUNT (sizeof(values) / sizeof(values[0]))

NILAS_TEST(a_value_equals_only_itself) {
    for (size_t i = 0; i < VALUE_COUNT; i++) {
        for (size_t k = 0; k < VALUE_COUNT; k++) {
            CHECK_INT(nilas_value_equal(&values[i], &values[k]), i == k);
        }
    }
}

NILAS_TEST(a_copy_is_equal_and_has_the_same_hash) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    for (size_t i = 0; i < VALUE_COUNT; i++) {
        nilas_value copy;
        REQUIRE_OK(nilas_value_copy(arena, &values[i], &copy, &err), err);
        CHECK(nilas_value_equal(&values[i], &copy));
        CHECK(nilas_value_hash(&values[i]) == nilas_value_hash(&copy));
    }
}

NILAS_TEST(order_is_that_of_the_list_and_antisymmetric) {
    for (size_t i = 1; i < VALUE_COUNT; i++) {
        for (size_t k = 1; k < VALUE_COUNT; k++) {
            if (values[i].kind != values[k].kind || values[i].kind >= NILAS_VALUE_LIST) {
                continue;
            }
            int order = nilas_value_compare(&values[i], &values[k]);
            CHECK_INT((order > 0) - (order < 0), (i > k) - (i < k));
        }
    }
}

NILAS_TEST(decimals_compare_by_value_whatever_the_scale) {
    nilas_value huge = nilas_value_of_decimal(nilas_power_of_ten(38) - 1, 0);
    nilas_value small = nilas_value_of_decimal(nilas_power_of_ten(38) - 1, 38);
    nilas_value negative = nilas_value_of_decimal(-(nilas_power_of_ten(38) - 1), 0);
    nilas_value one = nilas_value_of_decimal(100, 2);
    nilas_value also_one = nilas_value_of_decimal(1, 0);
    CHECK(nilas_value_compare(&huge, &small) > 0);
    CHECK(nilas_value_compare(&small, &huge) < 0);
    CHECK(nilas_value_compare(&negative, &small) < 0);
    CHECK(nilas_value_compare(&small, &negative) > 0);
    CHECK_INT(nilas_value_compare(&one, &also_one), 0);
    CHECK(!nilas_value_equal(&one, &also_one));
}
