/** All tables of functions. A new theme is a new line here and a new file table_<theme>.c. */
#include "function/table.h"

#define ROWS(table)                                                                                \
    { table, &table##_count }

const nilas_function_table nilas_function__tables[] = {
    ROWS(nilas_function__operators),  ROWS(nilas_function__conditionals),
    ROWS(nilas_function__math),       ROWS(nilas_function__strings),
    ROWS(nilas_function__datetimes),  ROWS(nilas_function__collections),
    ROWS(nilas_function__aggregates), ROWS(nilas_function__windows),
    ROWS(nilas_function__generators), ROWS(nilas_function__documents),
    ROWS(nilas_function__hashes),     ROWS(nilas_function__system),
    ROWS(nilas_function__refused),
};
const size_t nilas_function__table_count =
    sizeof(nilas_function__tables) / sizeof(nilas_function__tables[0]);
