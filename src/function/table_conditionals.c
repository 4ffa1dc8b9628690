/** Nulls, choices and the words of the SQL standard for them. */
#include "function/table.h"

const nilas_function nilas_function__conditionals[] = {
    {SCALAR, "coalesce", "T, T... -> @coalesce", "coalesce($*)", NULL_SAFE, NULL},
    {SCALAR, "nvl", "T, T -> @coalesce", "coalesce($1, $2)", NULL_SAFE, NULL},
    {SCALAR, "ifnull", "T, T -> @coalesce", "coalesce($1, $2)", NULL_SAFE, NULL},
    {SCALAR, "nvl2", "any, T, T -> T", "CASE WHEN $1 IS NOT NULL THEN $2 ELSE $3 END", NULL_SAFE,
     NULL},
    {SCALAR, "nullif", "any, any -> @first", "$1", NULLABLE | SYNTAX, NULL},
    {SCALAR, "nullifzero", "T:num -> T", "nullif($1, 0)", NULLABLE, NULL},
    {SCALAR, "zeroifnull", "T:num -> T", "coalesce($1, 0)", NEVER_NULL, NULL},
    {SCALAR, "zeroifnull", "void -> int", "0", NEVER_NULL, NULL},
    {SCALAR, "nanvl", "double, double -> double", "CASE WHEN isnan($1) THEN $2 ELSE $1 END", 0,
     NULL},
    {SCALAR, "if", "boolean, T, T -> T", "CASE WHEN $1 THEN $2 ELSE $3 END", NULL_SAFE,
     "(IF($1, $2, $3))"},
    {SCALAR, "isnull", "any -> boolean", "($1 IS NULL)", NEVER_NULL, "($1 IS NULL)"},
    {SCALAR, "isnotnull", "any -> boolean", "($1 IS NOT NULL)", NEVER_NULL, "($1 IS NOT NULL)"},
    {SCALAR, "isnan", "double -> boolean", "coalesce(isnan($1), false)", NEVER_NULL, NULL},
    {SCALAR, "equal_null", "T:ordered, T:ordered -> boolean", "($1 IS NOT DISTINCT FROM $2)",
     NEVER_NULL, NULL},
    {SCALAR, "greatest", "T:ordered, T:ordered, T:ordered... -> @coalesce", "@greatest",
     NULL_SAFE | UNIFORM, NULL},
    {SCALAR, "least", "T:ordered, T:ordered, T:ordered... -> @coalesce", "@least",
     NULL_SAFE | UNIFORM, NULL},
    {SCALAR, "assert_true", "boolean -> null",
     "nilas_assert($1, '''' || '$shown1' || ''' is not true!')", NULLABLE,
     "assert_true($1, '$1' is not true!)"},
    {SCALAR, "assert_true", "boolean, string -> null", "nilas_assert($1, $2)", NULLABLE, NULL},
    {SCALAR, "raise_error", "string -> null", "nilas_raise($1)", NULLABLE, NULL},
};
NILAS_FUNCTION_COUNT(nilas_function__conditionals);
