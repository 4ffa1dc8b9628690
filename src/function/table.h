/** The tables of functions, one file a theme (table_*.c). */
#ifndef NILAS_FUNCTION_TABLE_H
#define NILAS_FUNCTION_TABLE_H

#include "function/function.h"

typedef struct nilas_function_table {
    const nilas_function *rows;
    const size_t *count;
} nilas_function_table;

extern const nilas_function_table nilas_function__tables[];
extern const size_t nilas_function__table_count;

/* Short words for the rows. */
#define OPERATOR   NILAS_FUNCTION_OPERATOR
#define BINARY     (NILAS_FUNCTION_OPERATOR | NILAS_FUNCTION_BINARY)
#define NULLABLE   NILAS_FUNCTION_ALWAYS_NULLABLE
#define NULL_SAFE  NILAS_FUNCTION_NULL_SAFE
#define NEVER_NULL (NILAS_FUNCTION_NEVER_NULL | NILAS_FUNCTION_NULL_SAFE)
#define VOLATILE   NILAS_FUNCTION_NONDETERMINISTIC
#define SYNTAX     NILAS_FUNCTION_SYNTAX
#define EXACT      NILAS_FUNCTION_EXACT
#define UNIFORM    NILAS_FUNCTION_UNIFORM
#define UNLISTED   NILAS_FUNCTION_UNLISTED
#define SCALAR     NILAS_FUNCTION_SCALAR
#define AGGREGATE  NILAS_FUNCTION_AGGREGATE
#define WINDOW     NILAS_FUNCTION_WINDOW
#define GENERATOR  NILAS_FUNCTION_GENERATOR
#define TABLE      NILAS_FUNCTION_TABLE

#define NILAS_FUNCTION_ROWS(table)                                                                 \
    extern const nilas_function table[];                                                           \
    extern const size_t table##_count
NILAS_FUNCTION_ROWS(nilas_function__operators);
NILAS_FUNCTION_ROWS(nilas_function__conditionals);
NILAS_FUNCTION_ROWS(nilas_function__math);
NILAS_FUNCTION_ROWS(nilas_function__strings);
NILAS_FUNCTION_ROWS(nilas_function__datetimes);
NILAS_FUNCTION_ROWS(nilas_function__collections);
NILAS_FUNCTION_ROWS(nilas_function__aggregates);
NILAS_FUNCTION_ROWS(nilas_function__windows);
NILAS_FUNCTION_ROWS(nilas_function__generators);
NILAS_FUNCTION_ROWS(nilas_function__documents);
NILAS_FUNCTION_ROWS(nilas_function__hashes);
NILAS_FUNCTION_ROWS(nilas_function__system);
NILAS_FUNCTION_ROWS(nilas_function__refused);

#define NILAS_FUNCTION_COUNT(table) const size_t table##_count = sizeof(table) / sizeof((table)[0])

#endif
