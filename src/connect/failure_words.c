/*
 * The parameters of a message, which Spark's clients give as a map. Messages quote what varies:
 * names in back quotes, types and expressions in double quotes, values in single ones, numbers
 * bare; and in an order that is the condition's own. So a condition needs only the names, each
 * with the quote of its value, in that order.
 */
#include "connect/failure.h"

static const struct {
    const char *condition;
    // separated by blanks; the first letter says how the value is quoted: ` ' " or # for a number
    const char *names;
} known[] = {
    {"AMBIGUOUS_REFERENCE", "`name"},
    {"ARITHMETIC_OVERFLOW", "\"config"},
    {"CANNOT_PARSE_TIMESTAMP", "\"func"},
    {"CAST_INVALID_INPUT", "'expression \"sourceType \"targetType \"ansiConfig"},
    {"CAST_OVERFLOW", "#value \"sourceType \"targetType \"ansiConfig"},
    {"COLUMN_ALREADY_EXISTS", "`columnName"},
    {"DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES", "\"sqlExpr \"left \"right"},
    {"DATATYPE_MISMATCH.BINARY_OP_WRONG_TYPE", "\"sqlExpr \"inputType \"actualDataType"},
    {"DATATYPE_MISMATCH.CAST_WITHOUT_SUGGESTION", "\"sqlExpr \"srcType \"targetType"},
    {"DATATYPE_MISMATCH.DATA_DIFF_TYPES", "\"sqlExpr `functionName"},
    {"DATATYPE_MISMATCH.FILTER_NOT_BOOLEAN", "\"sqlExpr \"filter \"type"},
    {"DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "\"sqlExpr \"inputSql \"inputType"},
    {"DIVIDE_BY_ZERO", "\"config"},
    {"FIELD_NOT_FOUND", "`fieldName `fields"},
    {"GROUP_BY_POS_OUT_OF_RANGE", "#index #size"},
    {"INVALID_ARRAY_INDEX", "#indexValue #arraySize"},
    {"INVALID_ARRAY_INDEX_IN_ELEMENT_AT", "#indexValue #arraySize"},
    {"ORDER_BY_POS_OUT_OF_RANGE", "#index #size"},
    {"PARSE_SYNTAX_ERROR", "'error"},
    {"SCHEMA_ALREADY_EXISTS", "`schemaName"},
    {"SCHEMA_NOT_FOUND", "`schemaName"},
    {"SQL_CONF_NOT_FOUND", "\"sqlConf"},
    {"TABLE_OR_VIEW_ALREADY_EXISTS", "`relationName"},
    {"TABLE_OR_VIEW_NOT_FOUND", "`relationName"},
    {"TEMP_TABLE_OR_VIEW_ALREADY_EXISTS", "`relationName"},
    {"UNRESOLVED_COLUMN.WITHOUT_SUGGESTION", "`objectName"},
    {"UNRESOLVED_COLUMN.WITH_SUGGESTION", "`objectName `proposal"},
    {"UNRESOLVED_FIELD.WITH_SUGGESTION", "`fieldName `columnPath `proposal"},
    {"UNRESOLVED_ROUTINE", "`routineName"},
    {"VIEW_NOT_FOUND", "`relationName"},
    {"WRONG_NUM_ARGS.WITHOUT_SUGGESTION", "`functionName #expectedNum #actualNum"},
};

/** From a quote to its end; a name goes on over dots and commas ("`a`.`b`", "`a`, `b`"). */
static nilas_str quoted_at(nilas_str text, size_t start, char quote) {
    size_t at = start;
    for (;;) {
        size_t end = nilas_str_find(text, (nilas_str){.data = &quote, .size = 1}, at + 1);
        if (end == SIZE_MAX) {
            return (nilas_str){0};
        }
        nilas_str rest = nilas_str_slice(text, end + 1, text.size);
        if (quote == '`' && nilas_str_starts(rest, NILAS_STR(".`"))) {
            at = end + 2;
        } else if (quote == '`' && nilas_str_starts(rest, NILAS_STR(", `"))) {
            at = end + 3;
        } else {
            return nilas_str_slice(text, start, end + 1 - start);
        }
    }
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static nilas_str number_at(nilas_str text, size_t start) {
    size_t end = start;
    while (end < text.size && (is_digit(text.data[end]) || text.data[end] == '.' ||
                               (end == start && text.data[end] == '-'))) {
        end++;
    }
    while (end > start && text.data[end - 1] == '.') {
        end--; // the end of the sentence
    }
    return nilas_str_slice(text, start, end - start);
}

/** The next value of a kind; data NULL: none. *at moves behind it. */
static nilas_str next_value(nilas_str text, char kind, size_t *at) {
    nilas_str value = {0};
    for (size_t i = *at; i < text.size && value.data == NULL; i++) {
        char c = text.data[i];
        if (kind != '#' && c == kind) {
            value = quoted_at(text, i, kind);
            break;
        }
        bool negative = c == '-' && i + 1 < text.size && is_digit(text.data[i + 1]);
        if (kind == '#' && (is_digit(c) || negative)) {
            value = number_at(text, i);
        }
    }
    if (value.data != NULL) {
        *at = (size_t)(value.data - text.data) + value.size;
    }
    return value;
}

static void fill(const char *names, nilas_str message, nilas_connect__parameters *out) {
    size_t at = 0;
    while (*names != '\0') {
        char kind = *names++;
        size_t size = strcspn(names, " ");
        nilas_str value = next_value(message, kind, &at);
        if (value.data == NULL || out->count == NILAS_CONNECT_PARAMETERS) {
            return;
        }
        out->names[out->count] = (nilas_str){.data = names, .size = size};
        out->values[out->count++] = value;
        names += size + (names[size] == ' ' ? 1 : 0);
    }
}

void nilas_connect__parameters_of(const nilas_error *error, nilas_connect__parameters *out) {
    out->count = 0;
    for (size_t i = 0; error->condition != NULL && i < sizeof(known) / sizeof(known[0]); i++) {
        if (strcmp(known[i].condition, error->condition) == 0) {
            fill(known[i].names, nilas_str_of(error->message), out);
        }
    }
}
