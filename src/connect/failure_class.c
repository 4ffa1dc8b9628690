/*
 * Which exception a condition is in Spark. A client knows a handful of classes and takes the first
 * one of the list that it knows, so the parents are listed, too.
 */
#include "connect/failure.h"

#define THROWABLE "java.lang.Exception", "java.lang.Throwable", "java.lang.Object", NULL
#define RUNTIME   "java.lang.RuntimeException", THROWABLE
#define ANALYSIS  "org.apache.spark.sql.AnalysisException", THROWABLE

static const char *const parse_classes[] = {"org.apache.spark.sql.catalyst.parser.ParseException",
                                            ANALYSIS};
static const char *const analysis_classes[] = {ANALYSIS};
static const char *const table_exists_classes[] = {
    "org.apache.spark.sql.catalyst.analysis.TableAlreadyExistsException", ANALYSIS};
static const char *const no_namespace_classes[] = {
    "org.apache.spark.sql.catalyst.analysis.NoSuchNamespaceException", ANALYSIS};
static const char *const namespace_exists_classes[] = {
    "org.apache.spark.sql.catalyst.analysis.NamespaceAlreadyExistsException", ANALYSIS};
static const char *const temp_view_exists_classes[] = {
    "org.apache.spark.sql.catalyst.analysis.TempTableAlreadyExistsException", ANALYSIS};
static const char *const arithmetic_classes[] = {"org.apache.spark.SparkArithmeticException",
                                                 "java.lang.ArithmeticException", RUNTIME};
static const char *const number_classes[] = {"org.apache.spark.SparkNumberFormatException",
                                             "java.lang.NumberFormatException",
                                             "java.lang.IllegalArgumentException", RUNTIME};
static const char *const datetime_classes[] = {"org.apache.spark.SparkDateTimeException",
                                               "java.time.DateTimeException", RUNTIME};
static const char *const index_classes[] = {"org.apache.spark.SparkArrayIndexOutOfBoundsException",
                                            "java.lang.ArrayIndexOutOfBoundsException",
                                            "java.lang.IndexOutOfBoundsException", RUNTIME};
static const char *const element_classes[] = {"org.apache.spark.SparkNoSuchElementException",
                                              "java.util.NoSuchElementException", RUNTIME};
static const char *const argument_classes[] = {"org.apache.spark.SparkIllegalArgumentException",
                                               "java.lang.IllegalArgumentException", RUNTIME};
static const char *const plain_argument_classes[] = {"java.lang.IllegalArgumentException", RUNTIME};
static const char *const operation_classes[] = {
    "org.apache.spark.SparkUnsupportedOperationException",
    "java.lang.UnsupportedOperationException", RUNTIME};
static const char *const runtime_classes[] = {"org.apache.spark.SparkRuntimeException", RUNTIME};
static const char *const sql_classes[] = {"org.apache.spark.SparkSQLException",
                                          "java.sql.SQLException", THROWABLE};
static const char *const spark_classes[] = {"org.apache.spark.SparkException", THROWABLE};
static const char *const catalog_classes[] = {
    "org.apache.spark.sql.connector.catalog.CatalogNotFoundException",
    "org.apache.spark.SparkException", THROWABLE};
static const char *const validation_classes[] = {
    "org.apache.iceberg.exceptions.ValidationException", RUNTIME};
static const char *const commit_classes[] = {"org.apache.iceberg.exceptions.CommitFailedException",
                                             RUNTIME};
static const char *const unknown_commit_classes[] = {
    "org.apache.iceberg.exceptions.CommitStateUnknownException", RUNTIME};
static const char *const io_classes[] = {"java.io.UncheckedIOException", RUNTIME};
static const char *const denied_classes[] = {"java.lang.SecurityException", RUNTIME};

/** A condition, or its first part, and its exception. */
static const struct {
    const char *condition;
    const char *const *classes;
} by_condition[] = {
    {"ARITHMETIC_OVERFLOW", arithmetic_classes},
    {"BINARY_ARITHMETIC_OVERFLOW", arithmetic_classes},
    {"CANNOT_PARSE_TIMESTAMP", datetime_classes},
    {"CATALOG_NOT_FOUND", catalog_classes},
    {"CAST_OVERFLOW", arithmetic_classes},
    {"CAST_OVERFLOW_IN_TABLE_INSERT", arithmetic_classes},
    {"CONFIG_NOT_AVAILABLE", argument_classes},
    {"DATETIME_FIELD_OUT_OF_BOUNDS", datetime_classes},
    {"DATETIME_OVERFLOW", arithmetic_classes},
    {"DIVIDE_BY_ZERO", arithmetic_classes},
    {"INSERT_COLUMN_ARITY_MISMATCH", analysis_classes},
    {"INTERVAL_ARITHMETIC_OVERFLOW", arithmetic_classes},
    {"INTERVAL_DIVIDED_BY_ZERO", arithmetic_classes},
    {"INVALID_ARRAY_INDEX", index_classes},
    {"INVALID_ARRAY_INDEX_IN_ELEMENT_AT", index_classes},
    {"INVALID_BITMAP_POSITION", index_classes},
    {"INVALID_CONF_VALUE", argument_classes},
    {"INVALID_CURSOR", sql_classes},
    {"INVALID_FRACTION_OF_SECOND", datetime_classes},
    {"INVALID_HANDLE", sql_classes},
    {"INVALID_INDEX_OF_ZERO", runtime_classes},
    {"INVALID_URL", argument_classes},
    {"MAP_KEY_DOES_NOT_EXIST", element_classes},
    {"NO_MERGE_ACTION_SPECIFIED", runtime_classes},
    {"NUMERIC_OUT_OF_SUPPORTED_RANGE", arithmetic_classes},
    {"NUMERIC_VALUE_OUT_OF_RANGE", arithmetic_classes},
    {"OPERATION_CANCELED", sql_classes},
    {"PARSE_EMPTY_STATEMENT", parse_classes},
    {"PARSE_SYNTAX_ERROR", parse_classes},
    {"REMAINDER_BY_ZERO", arithmetic_classes},
    {"SCHEMA_ALREADY_EXISTS", namespace_exists_classes},
    {"SCHEMA_NOT_FOUND", no_namespace_classes},
    {"SQL_CONF_NOT_FOUND", element_classes},
    {"SUM_OF_LIMIT_AND_OFFSET_EXCEEDS_MAX_INT", analysis_classes},
    {"TABLE_OR_VIEW_ALREADY_EXISTS", table_exists_classes},
    {"TEMP_TABLE_OR_VIEW_ALREADY_EXISTS", temp_view_exists_classes},
    {"UNSUPPORTED_DATATYPE", parse_classes},
    {"UNSUPPORTED_FEATURE", operation_classes},
};

/** The name of a condition without what stands behind the first dot. */
static bool is_condition(const char *condition, const char *known) {
    size_t size = strlen(known);
    return strncmp(condition, known, size) == 0 &&
           (condition[size] == '\0' || condition[size] == '.');
}

static const char *const *by_code(nilas_code code) {
    switch (code) {
    case NILAS_INVALID: return plain_argument_classes;
    case NILAS_CONFLICT: return commit_classes;
    case NILAS_UNCERTAIN: return unknown_commit_classes;
    case NILAS_IO: return io_classes;
    case NILAS_DENIED: return denied_classes;
    case NILAS_UNSUPPORTED: return operation_classes;
    case NILAS_NOT_FOUND:
    case NILAS_EXISTS: return validation_classes;
    default: return spark_classes;
    }
}

/** A text that is no number, or no date: the message names the type. */
static const char *const *of_cast(const nilas_error *error) {
    static const char *const times[] = {"\"DATE\"", "\"TIMESTAMP\"", "\"TIMESTAMP_NTZ\"",
                                        "\"TIME("};
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
        if (strstr(error->message, times[i]) != NULL) {
            return datetime_classes;
        }
    }
    return strstr(error->message, "\"BOOLEAN\"") != NULL ? runtime_classes : number_classes;
}

const char *const *nilas_connect__classes_of(const nilas_connect__failure *failure) {
    const nilas_error *error = &failure->error;
    if (failure->parsing) {
        return parse_classes;
    }
    if (error->condition == NULL) {
        return by_code(error->code);
    }
    if (is_condition(error->condition, "CAST_INVALID_INPUT")) {
        return of_cast(error);
    }
    for (size_t i = 0; i < sizeof(by_condition) / sizeof(by_condition[0]); i++) {
        if (is_condition(error->condition, by_condition[i].condition)) {
            return by_condition[i].classes;
        }
    }
    nilas_str state = nilas_str_of(error->sql_state != NULL ? error->sql_state : "");
    if (nilas_str_starts(state, NILAS_STR("22")) || nilas_str_starts(state, NILAS_STR("21")) ||
        nilas_str_starts(state, NILAS_STR("23")) || nilas_str_starts(state, NILAS_STR("P0"))) {
        return runtime_classes;
    }
    if (nilas_str_starts(state, NILAS_STR("42")) || nilas_str_starts(state, NILAS_STR("0A"))) {
        return analysis_classes;
    }
    return by_code(error->code) == plain_argument_classes ? analysis_classes : by_code(error->code);
}
