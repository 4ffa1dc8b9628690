/** SQLSTATEs: known conditions, sub-conditions, and the order that the search needs. */
#include "base/base.h"
#include "test.h"

NILAS_TEST(known_conditions_have_their_state) {
    static const char *const known[][2] = {
        {"ALTER_TABLE_COLUMN_DESCRIPTOR_DUPLICATE", "42710"}, // the first ones
        {"AMBIGUOUS_REFERENCE", "42704"},
        {"ARITHMETIC_OVERFLOW", "22003"},
        {"CAST_INVALID_INPUT", "22018"},
        {"DATATYPE_MISMATCH", "42K09"},
        {"DIVIDE_BY_ZERO", "22012"},
        {"INVALID_SQL_SYNTAX", "42000"},
        {"MISSING_AGGREGATION", "42803"},
        {"NOT_SUPPORTED_COMMAND_FOR_V2_TABLE", "0A000"},
        {"PARSE_SYNTAX_ERROR", "42601"},
        {"SCHEMA_NOT_FOUND", "42704"},
        {"TABLE_OR_VIEW_ALREADY_EXISTS", "42P07"},
        {"TABLE_OR_VIEW_NOT_FOUND", "42P01"},
        {"UNRESOLVED_COLUMN", "42703"},
        {"UNRESOLVED_ROUTINE", "42883"},
        {"WRONG_NUM_ARGS", "42605"},
        {"WRONG_COMMAND_FOR_OBJECT_TYPE", "42809"},
    };
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        CHECK_TEXT(nilas_sql_state(known[i][0]), known[i][1]);
    }
}

NILAS_TEST(a_sub_condition_has_the_state_of_its_condition) {
    CHECK_TEXT(nilas_sql_state("UNRESOLVED_COLUMN.WITH_SUGGESTION"), "42703");
    CHECK_TEXT(nilas_sql_state("DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE"), "42K09");
}

NILAS_TEST(other_names_have_none) {
    CHECK(nilas_sql_state(NULL) == NULL);
    CHECK(nilas_sql_state("") == NULL);
    CHECK(nilas_sql_state("UNRESOLVED") == NULL);
    CHECK(nilas_sql_state("UNRESOLVED_COLUMNS") == NULL);
    CHECK(nilas_sql_state("ZZZ") == NULL);
    CHECK(nilas_sql_state("unresolved_column") == NULL);
}
