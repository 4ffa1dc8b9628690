/** DuckDB's run-time errors in Spark's words. */
#include "engine/translate.h"
#include "test.h"

static void check(const char *text, const char *condition, const char *part) {
    nilas_error err = NILAS_ERROR_INIT;
    CHECK_CODE(nilas_engine__translate_error(text, &err),
               condition != NULL ? NILAS_INVALID : NILAS_ENGINE, err);
    CHECK_TEXT(err.condition, condition);
    CHECK_CONTAINS(err.message, part);
}

NILAS_TEST(ours_carry_their_condition) {
    check("Invalid Input Error: \x01"
          "DIVIDE_BY_ZERO"
          "\x01"
          "Division by zero.",
          "DIVIDE_BY_ZERO", "Division by zero.");
    check("Invalid Input Error: \x01"
          "DIVIDE_BY_ZERO"
          "\x01"
          "Division.\n\nLINE 1: SELECT",
          "DIVIDE_BY_ZERO", "Division.");
}

NILAS_TEST(overflows) {
    check("Out of Range Error: Overflow in addition of INT32 (2147483647 + 1)!",
          "ARITHMETIC_OVERFLOW", "integer overflow. Use 'try_add'");
    check("Out of Range Error: Overflow in multiplication of INT64 (3 * 4)!", "ARITHMETIC_OVERFLOW",
          "long overflow. Use 'try_multiply'");
    check("Out of Range Error: Overflow in addition of INT8 (127 + 1)!",
          "BINARY_ARITHMETIC_OVERFLOW", "127Y + 1Y caused overflow");
}

NILAS_TEST(casts_out_of_range) {
    check("Conversion Error: Type INT64 with value 3000000000 can't be cast because the value is "
          "out of range for the destination type INT32",
          "CAST_OVERFLOW",
          "The value 3000000000L of the type \"BIGINT\" cannot be cast to \"INT\" due to an "
          "overflow.");
    check("Conversion Error: Type INT128 with value 9 can't be cast because the value is out of "
          "range for the destination type INT64",
          "ARITHMETIC_OVERFLOW", "long overflow");
    check("Conversion Error: Could not cast value 1234 to DECIMAL(3,0)",
          "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION",
          "1234 cannot be represented as Decimal(3, 0).");
}

NILAS_TEST(unknown_errors_stay_duckdbs) {
    check("Binder Error: no such thing", NULL, "Binder Error: no such thing");
}
