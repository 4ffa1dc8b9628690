/** Functions that only make sense with OVER. */
#include "function/table.h"

const nilas_function nilas_function__windows[] = {
    {WINDOW, "row_number", "-> int", "CAST(row_number() $over AS INTEGER)", NEVER_NULL, NULL},
    {WINDOW, "rank", "any... -> int", "CAST(rank() $over AS INTEGER)", NEVER_NULL, "RANK()"},
    {WINDOW, "dense_rank", "any... -> int", "CAST(dense_rank() $over AS INTEGER)", NEVER_NULL,
     "DENSE_RANK()"},
    {WINDOW, "percent_rank", "any... -> double", "percent_rank() $over", NEVER_NULL,
     "PERCENT_RANK()"},
    {WINDOW, "cume_dist", "-> double", "cume_dist() $over", NEVER_NULL, NULL},
    {WINDOW, "ntile", "int? -> int", "@ntile", NEVER_NULL, "ntile($1|1|)"},
    {WINDOW, "lag", "T -> T", "lag($1, 1{nulls: IGNORE NULLS|}) $over", NULLABLE,
     "$name($1, 1, NULL)"},
    {WINDOW, "lag", "T, int -> T", "lag($1, $2{nulls: IGNORE NULLS|}) $over", NULLABLE,
     "$name($1, $2, NULL)"},
    {WINDOW, "lag", "T, int, T -> T", "lag($1, $2, $3{nulls: IGNORE NULLS|}) $over", NULLABLE,
     NULL},
    {WINDOW, "lead", "T -> T", "lead($1, 1{nulls: IGNORE NULLS|}) $over", NULLABLE,
     "$name($1, 1, NULL)"},
    {WINDOW, "lead", "T, int -> T", "lead($1, $2{nulls: IGNORE NULLS|}) $over", NULLABLE,
     "$name($1, $2, NULL)"},
    {WINDOW, "lead", "T, int, T -> T", "lead($1, $2, $3{nulls: IGNORE NULLS|}) $over", NULLABLE,
     NULL},
    {WINDOW, "nth_value", "T, int -> T", "nth_value($1, $2{nulls: IGNORE NULLS|}) $over", NULLABLE,
     NULL},
};
NILAS_FUNCTION_COUNT(nilas_function__windows);
