/**
 * Errors at run time. Ours carry their condition; of DuckDB's the ones that Spark has a condition
 * for are told by their words. The rest stays DuckDB's, as NILAS_ENGINE.
 */
#include "engine/translate.h"

#include "tree/tree.h"

#include <stdio.h>
#include <stdlib.h>

/** Conditions that a statement may meet at run time: a nilas_error holds a static string. */
static const char *const conditions[] = {
    "ARITHMETIC_OVERFLOW",
    "BINARY_ARITHMETIC_OVERFLOW",
    "CANNOT_PARSE_TIMESTAMP",
    "CANNOT_DECODE_URL",
    "INVALID_ESCAPE_CHAR",
    "INVALID_PARAMETER_VALUE.START",
    "INVALID_PARAMETER_VALUE.BINARY_FORMAT",
    "CAST_INVALID_INPUT",
    "CAST_OVERFLOW",
    "INVALID_DATETIME_PATTERN.ILLEGAL_CHARACTER",
    "INCONSISTENT_BEHAVIOR_CROSS_VERSION.DATETIME_WEEK_BASED_PATTERN",
    "INVALID_BITMAP_POSITION",
    "VARIANT_DUPLICATE_KEY",
    "PARSE_MODE_UNSUPPORTED",
    "COLLECTION_SIZE_LIMIT_EXCEEDED",
    "CONVERSION_INVALID_INPUT",
    "DATETIME_FIELD_OUT_OF_BOUNDS",
    "DATETIME_OVERFLOW",
    "DIVIDE_BY_ZERO",
    "DUPLICATED_MAP_KEY",
    "ELEMENT_AT_BY_INDEX_ZERO",
    "FAILED_PARSE_STRUCT_TYPE",
    "ILLEGAL_DAY_OF_WEEK",
    "INTERVAL_ARITHMETIC_OVERFLOW",
    "INTERVAL_DIVIDED_BY_ZERO",
    "INVALID_ARRAY_INDEX",
    "NOT_NULL_ASSERT_VIOLATION",
    "INVALID_ARRAY_INDEX_IN_ELEMENT_AT",
    "INVALID_BITMAP_POSITION",
    "INVALID_FORMAT.ESC_AT_THE_END",
    "INVALID_FORMAT.ESC_IN_THE_MIDDLE",
    "INVALID_FORMAT.MISMATCH_INPUT",
    "INVALID_FRACTION_OF_SECOND",
    "INVALID_INDEX_OF_ZERO",
    "INVALID_PARAMETER_VALUE.AES_KEY_LENGTH",
    "INVALID_PARAMETER_VALUE.AES_CRYPTO_ERROR",
    "INVALID_PARAMETER_VALUE.AES_IV_LENGTH",
    "UNSUPPORTED_FEATURE.AES_MODE",
    "INVALID_PARAMETER_VALUE.BIT_POSITION_RANGE",
    "INVALID_PARAMETER_VALUE.CHARSET",
    "INVALID_PARAMETER_VALUE.LENGTH",
    "INVALID_PARAMETER_VALUE.PATTERN",
    "INVALID_PARAMETER_VALUE.REGEX_GROUP_INDEX",
    "INVALID_PARAMETER_VALUE.DATETIME_UNIT",
    "INVALID_TIMEZONE",
    "INVALID_URL",
    "INVALID_UTF8_STRING",
    "INVALID_VARIANT_CAST",
    "MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION",
    "NULL_MAP_KEY",
    "NUMERIC_OUT_OF_SUPPORTED_RANGE",
    "NUMERIC_VALUE_OUT_OF_RANGE.WITHOUT_SUGGESTION",
    "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION",
    "CAST_OVERFLOW",
    "VARIANT_DUPLICATE_KEY",
    "PARSE_MODE_UNSUPPORTED",
    "INVALID_PARAMETER_VALUE.REGEX_GROUP_INDEX",
    "INVALID_REGEXP_REPLACE",
    "SCALAR_SUBQUERY_TOO_MANY_ROWS",
    "UNEXPECTED_INPUT",
    "USER_RAISED_EXCEPTION",
    "INCONSISTENT_BEHAVIOR_CROSS_VERSION.DATETIME_PATTERN_RECOGNITION",
    "MALFORMED_CHARACTER_CODING",
    "ROW_SUBQUERY_TOO_MANY_ROWS",
    "INVALID_SCHEMA.PARSE_ERROR",
    "RECURSION_LEVEL_LIMIT_EXCEEDED",
};

#define WITH_ANSI "If necessary set \"spark.sql.ansi.enabled\" to \"false\" to bypass this error."

static nilas_code raise(nilas_error *err, const char *condition, const char *message) {
    return nilas_fail_at(err, NILAS_INVALID, condition, -1, "%s", message);
}

/** "\x01CONDITION\x01message"; DuckDB may append its own lines. */
static bool translate_ours(const char *text, nilas_error *err, nilas_code *out) {
    const char *start = strchr(text, '\x01');
    const char *middle = start != NULL ? strchr(start + 1, '\x01') : NULL;
    if (middle == NULL) {
        return false;
    }
    size_t size = (size_t)(middle - start - 1);
    const char *condition = NULL;
    for (size_t i = 0; i < sizeof(conditions) / sizeof(conditions[0]); i++) {
        if (strlen(conditions[i]) == size && memcmp(conditions[i], start + 1, size) == 0) {
            condition = conditions[i];
        }
    }
    const char *end = strstr(middle + 1, "\n\nLINE ");
    size_t length = end != NULL ? (size_t)(end - middle - 1) : strlen(middle + 1);
    *out = nilas_fail_at(err, NILAS_INVALID, condition, -1, "%.*s",
                         (int)(length > 100000 ? 100000 : length), middle + 1);
    return true;
}

/** Spark's word for the width in "of INT32 (…". */
static const char *width_word(const char *text) {
    if (strstr(text, "INT64") != NULL || strstr(text, "INT128") != NULL) {
        return "long overflow.";
    }
    return "integer overflow.";
}

/** DuckDB: "Overflow in addition of INT32 (1 + 2)!" */
static bool translate_overflow(const char *text, nilas_error *err, nilas_code *out) {
    static const struct {
        const char *words, *hint, *symbol;
    } kinds[] = {
        {"Overflow in addition", "try_add", "+"},
        {"Overflow in subtraction", "try_subtract", "-"},
        {"Overflow in multiplication", "try_multiply", "*"},
    };
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strstr(text, kinds[i].words) == NULL) {
            continue;
        }
        if (strstr(text, "of INT8") != NULL || strstr(text, "of INT16") != NULL) {
            const char *open = strchr(text, '(');
            const char *close = open != NULL ? strchr(open, ')') : NULL;
            const char *suffix = strstr(text, "of INT8") != NULL ? "Y" : "S";
            char left[24] = "", right[24] = "";
            if (close != NULL) {
                const char *middle = strstr(open, kinds[i].symbol);
                middle = middle == open + 1 ? strstr(open + 2, kinds[i].symbol) : middle;
                if (middle != NULL && middle < close) {
                    snprintf(left, sizeof(left), "%.*s", (int)(middle - open - 2), open + 1);
                    snprintf(right, sizeof(right), "%.*s", (int)(close - middle - 2), middle + 2);
                }
            }
            *out = nilas_fail_at(err, NILAS_INVALID, "BINARY_ARITHMETIC_OVERFLOW", -1,
                                 "%s%s %s %s%s caused overflow. Use `%s` to ignore overflow "
                                 "problem and return NULL.",
                                 left, suffix, kinds[i].symbol, right, suffix, kinds[i].hint);
            return true;
        }
        *out = nilas_fail_at(err, NILAS_INVALID, "ARITHMETIC_OVERFLOW", -1,
                             "%s Use '%s' to tolerate overflow and return NULL instead. " WITH_ANSI,
                             width_word(text), kinds[i].hint);
        return true;
    }
    if (strstr(text, "Overflow in negation") != NULL || strstr(text, "Overflow on abs(") != NULL) {
        bool is_long = strstr(text, "-9223372036854775808") != NULL;
        *out = nilas_fail_at(err, NILAS_INVALID, "ARITHMETIC_OVERFLOW", -1,
                             "%s overflow. " WITH_ANSI, is_long ? "long" : "integer");
        return true;
    }
    return false;
}

static const struct {
    const char *duckdb, *spark, *suffix;
} type_words[] = {
    {"INT8", "TINYINT", "Y"},  {"INT16", "SMALLINT", "S"}, {"INT32", "INT", ""},
    {"INT64", "BIGINT", "L"},  {"INT128", "BIGINT", "L"},  {"FLOAT", "FLOAT", "F"},
    {"DOUBLE", "DOUBLE", "D"}, {"VARCHAR", "STRING", ""},
};

static size_t find_type(const char *at) {
    for (size_t i = 0; i < sizeof(type_words) / sizeof(type_words[0]); i++) {
        size_t size = strlen(type_words[i].duckdb);
        char after = strncmp(at, type_words[i].duckdb, size) == 0 ? at[size] : '0';
        if ((after < '0' || after > '9') && (after < 'A' || after > 'Z')) {
            return i;
        }
    }
    return SIZE_MAX;
}

/** A number as Spark writes it in messages: 3000000000L, 1.0E20D. */
static void print_value(nilas_buf *out, nilas_str value, const char *suffix) {
    double real = 0;
    bool is_real = suffix[0] == 'D' || suffix[0] == 'F';
    if (is_real && nilas_str_to_double(value, &real)) {
        nilas_real_print(out, real, false);
    } else {
        nilas_buf_add(out, value);
    }
    nilas_buf_add_text(out, suffix);
}

/** DuckDB: "Type INT64 with value 300 can't be cast because the value is out of range for the
 *  destination type INT8" */
static bool translate_cast(const char *text, nilas_error *err, nilas_code *out) {
    const char *value = strstr(text, " with value ");
    const char *type = strstr(text, "Type ");
    const char *end =
        value != NULL
            ? strstr(value,
                     " can't be cast because the value is out of range for the destination type ")
            : NULL;
    if (end == NULL || type == NULL) {
        return false;
    }
    size_t from = find_type(type + 5);
    size_t to = find_type(
        end + strlen(" can't be cast because the value is out of range for the destination type "));
    if (from == SIZE_MAX || to == SIZE_MAX) {
        return false;
    }
    if (strcmp(type_words[from].duckdb, "INT128") == 0) { // a sum that grew out of its type
        *out = nilas_fail_at(err, NILAS_INVALID, "ARITHMETIC_OVERFLOW", -1,
                             "long overflow. Use 'try_add' to tolerate overflow and return NULL "
                             "instead. " WITH_ANSI);
        return true;
    }
    NILAS_AUTO_BUF shown = {0};
    value += strlen(" with value ");
    print_value(&shown, (nilas_str){.data = value, .size = (size_t)(end - value)},
                type_words[from].suffix);
    *out = nilas_fail_at(err, NILAS_INVALID, "CAST_OVERFLOW", -1,
                         "The value %.*s of the type \"%s\" cannot be cast to \"%s\" due to an "
                         "overflow. Use `try_cast` to tolerate overflow "
                         "and return NULL instead.",
                         NILAS_FMT(nilas_buf_view(&shown)), type_words[from].spark,
                         type_words[to].spark);
    return true;
}

/** The number after `words`, as text. */
static nilas_str number_after(const char *text, const char *words) {
    const char *at = strstr(text, words);
    if (at == NULL) {
        return NILAS_STR_EMPTY;
    }
    at += strlen(words);
    size_t size = strspn(at, "0123456789.-+eE");
    return (nilas_str){.data = at, .size = size};
}

/** "DECIMAL(9,2)" anywhere behind `at`. */
static void decimal_in(const char *at, long *precision, long *scale) {
    const char *found = strstr(at, "DECIMAL(");
    *precision = 38;
    *scale = 0;
    if (found != NULL) {
        char *rest = NULL;
        *precision = strtol(found + 8, &rest, 10);
        *scale = *rest == ',' ? strtol(rest + 1, NULL, 10) : 0;
    }
}

/** Decimals that do not fit: "Casting value "12.3" to type DECIMAL(2,1) failed…", "Could not cast
 *  value 12 to DECIMAL(…)". */
static bool translate_decimal(const char *text, nilas_error *err, nilas_code *out) {
    static const char *const words[] = {"Could not cast value ", "Casting value \"",
                                        "Could not convert string \""};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        const char *at = strstr(text, words[i]);
        if (at == NULL || strstr(at, "DECIMAL(") == NULL) {
            continue;
        }
        long precision, scale;
        decimal_in(at, &precision, &scale);
        nilas_str value = number_after(text, words[i]);
        *out = nilas_fail_at(err, NILAS_INVALID, "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION", -1,
                             " %.*s cannot be represented as Decimal(%ld, %ld). If necessary set "
                             "\"spark.sql.ansi.enabled\" to \"false\" to "
                             "bypass this error, and return NULL instead.",
                             NILAS_FMT(value), precision, scale);
        return true;
    }
    return false;
}

/** Errors whose words are enough. */
static bool translate_words(const char *text, nilas_error *err, nilas_code *out) {
    static const struct {
        const char *words, *condition, *message;
    } known[] = {
        {"Division by zero", "DIVIDE_BY_ZERO",
         "Division by zero. Use `try_divide` to tolerate divisor being 0 and return NULL "
         "instead. " WITH_ANSI},
        {"Map keys must be unique", "DUPLICATED_MAP_KEY",
         "Duplicate map key was found, please check the input data. If you want to remove the "
         "duplicated keys, "
         "you can set \"spark.sql.mapKeyDedupPolicy\" to \"LAST_WIN\" so that the key inserted at "
         "last takes precedence."},
        {"Map keys can not be NULL", "NULL_MAP_KEY", "Cannot use null as map key."},
        {"More than one row returned by a subquery", "SCALAR_SUBQUERY_TOO_MANY_ROWS",
         "More than one row returned by a subquery used as an expression."},
        {"invalid escape sequence", "INVALID_PARAMETER_VALUE.PATTERN", NULL},
        {"missing )", "INVALID_PARAMETER_VALUE.PATTERN", NULL},
        {"missing ]", "INVALID_PARAMETER_VALUE.PATTERN", NULL},
        {"no argument for repetition operator", "INVALID_PARAMETER_VALUE.PATTERN", NULL},
        {"invalid perl operator", "INVALID_PARAMETER_VALUE.PATTERN", NULL},
        {"bad repetition operator", "INVALID_PARAMETER_VALUE.PATTERN", NULL},
    };
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (strstr(text, known[i].words) != NULL) {
            const char *colon = strstr(text, "Error: ");
            *out = raise(err, known[i].condition,
                         known[i].message != NULL ? known[i].message
                         : colon != NULL          ? colon + 7
                                                  : text);
            return true;
        }
    }
    return false;
}

nilas_code nilas_engine__translate_error(const char *duckdb_message, nilas_error *err) {
    nilas_code code = NILAS_ENGINE;
    if (translate_ours(duckdb_message, err, &code) ||
        translate_overflow(duckdb_message, err, &code) ||
        translate_cast(duckdb_message, err, &code) ||
        translate_decimal(duckdb_message, err, &code) ||
        translate_words(duckdb_message, err, &code)) {
        return code;
    }
    if (strstr(duckdb_message, "INTERRUPT") != NULL) {
        return nilas_fail(err, NILAS_CANCELLED, "the query was cancelled");
    }
    return nilas_fail(err, NILAS_ENGINE, "%s", duckdb_message);
}
