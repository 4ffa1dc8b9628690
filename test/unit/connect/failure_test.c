/*
 * Failures in Spark's words: which exception a condition is, and what its message's parameters are.
 */
#include "connect/failure.h"
#include "test.h"

static nilas_connect__failure failure_of(const char *condition, const char *message) {
    nilas_connect__failure failure = {.error = NILAS_ERROR_INIT};
    (void)nilas_fail_at(&failure.error, NILAS_INVALID, condition, -1, "%s", message);
    return failure;
}

static const char *class_of(const char *condition, const char *message) {
    nilas_connect__failure failure = failure_of(condition, message);
    return nilas_connect__classes_of(&failure)[0];
}

NILAS_TEST(a_condition_has_its_exception) {
    CHECK_TEXT(class_of("TABLE_OR_VIEW_NOT_FOUND", ""), "org.apache.spark.sql.AnalysisException");
    CHECK_TEXT(class_of("UNRESOLVED_COLUMN.WITH_SUGGESTION", ""),
               "org.apache.spark.sql.AnalysisException");
    CHECK_TEXT(class_of("PARSE_SYNTAX_ERROR", ""),
               "org.apache.spark.sql.catalyst.parser.ParseException");
    CHECK_TEXT(class_of("DIVIDE_BY_ZERO", ""), "org.apache.spark.SparkArithmeticException");
    CHECK_TEXT(class_of("NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION", ""),
               "org.apache.spark.SparkArithmeticException");
    CHECK_TEXT(class_of("INVALID_ARRAY_INDEX", ""),
               "org.apache.spark.SparkArrayIndexOutOfBoundsException");
    CHECK_TEXT(class_of("USER_RAISED_EXCEPTION", ""), "org.apache.spark.SparkRuntimeException");
    CHECK_TEXT(class_of("OPERATION_CANCELED", ""), "org.apache.spark.SparkSQLException");
    CHECK_TEXT(class_of("INVALID_HANDLE.SESSION_CLOSED", ""), "org.apache.spark.SparkSQLException");
}

NILAS_TEST(a_text_that_is_no_number_or_no_date_differs_by_its_type) {
    CHECK_TEXT(class_of("CAST_INVALID_INPUT",
                        "The value 'x' of the type \"STRING\" cannot be cast to \"INT\" because"),
               "org.apache.spark.SparkNumberFormatException");
    CHECK_TEXT(class_of("CAST_INVALID_INPUT",
                        "The value 'x' of the type \"STRING\" cannot be cast to \"DATE\" because"),
               "org.apache.spark.SparkDateTimeException");
    CHECK_TEXT(
        class_of("CAST_INVALID_INPUT",
                 "The value 'x' of the type \"STRING\" cannot be cast to \"BOOLEAN\" because"),
        "org.apache.spark.SparkRuntimeException");
}

NILAS_TEST(without_a_condition_the_code_decides) {
    nilas_connect__failure failure = {.error = NILAS_ERROR_INIT};
    (void)nilas_fail(&failure.error, NILAS_CONFLICT, "somebody was faster");
    CHECK_TEXT(nilas_connect__classes_of(&failure)[0],
               "org.apache.iceberg.exceptions.CommitFailedException");
    (void)nilas_fail(&failure.error, NILAS_INVALID, "Cannot find snapshot with ID 1");
    CHECK_TEXT(nilas_connect__classes_of(&failure)[0], "java.lang.IllegalArgumentException");
    failure.parsing = true;
    CHECK_TEXT(nilas_connect__classes_of(&failure)[0],
               "org.apache.spark.sql.catalyst.parser.ParseException");
}

static void check_parameter(const nilas_connect__parameters *found, size_t i, const char *name,
                            const char *value) {
    REQUIRE(i < found->count);
    CHECK_STR(found->names[i], name);
    CHECK_STR(found->values[i], value);
}

NILAS_TEST(parameters_are_read_out_of_the_message) {
    nilas_connect__parameters found;
    nilas_connect__failure failure = failure_of(
        "CAST_INVALID_INPUT", "The value 'it''s' of the type \"STRING\" cannot be cast to \"INT\" "
                              "because it is malformed. Set \"spark.sql.ansi.enabled\" to");
    nilas_connect__parameters_of(&failure.error, &found);
    CHECK_INT(found.count, 4);
    check_parameter(&found, 1, "sourceType", "\"STRING\"");
    check_parameter(&found, 2, "targetType", "\"INT\"");
    failure = failure_of("UNRESOLVED_COLUMN.WITH_SUGGESTION",
                         "A column with name `a`.`b` cannot be resolved. Did you mean one of the "
                         "following? [`c`, `d`].");
    nilas_connect__parameters_of(&failure.error, &found);
    CHECK_INT(found.count, 2);
    check_parameter(&found, 0, "objectName", "`a`.`b`");
    check_parameter(&found, 1, "proposal", "`c`, `d`");
    failure = failure_of("INVALID_ARRAY_INDEX",
                         "The index -5 is out of bounds. The array has 3 elements.");
    nilas_connect__parameters_of(&failure.error, &found);
    CHECK_INT(found.count, 2);
    check_parameter(&found, 0, "indexValue", "-5");
    check_parameter(&found, 1, "arraySize", "3");
}

NILAS_TEST(messages_that_are_cut_or_unknown_have_fewer) {
    nilas_connect__parameters found;
    nilas_connect__failure failure = failure_of("TABLE_OR_VIEW_NOT_FOUND", "The table `a`.`b");
    nilas_connect__parameters_of(&failure.error, &found);
    CHECK_INT(found.count, 0);
    failure = failure_of("SOMETHING_ELSE", "The table `a`");
    nilas_connect__parameters_of(&failure.error, &found);
    CHECK_INT(found.count, 0);
}
