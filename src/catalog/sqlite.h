/**
 * SQLite for reading: a library that is opened on first use, so that statements without an SQL
 * catalog do not pay for it, and one query at a time with text parameters and text columns.
 *
 * Private to the room. NULL columns come out as text with data NULL.
 */
#ifndef NILAS_CATALOG_SQLITE_H
#define NILAS_CATALOG_SQLITE_H

#include "base/base.h"

typedef struct nilas_catalog__sqlite nilas_catalog__sqlite; // an open database

/** Open an existing database file, read only. `path` is NUL-terminated; errors name it. */
nilas_code nilas_catalog__sqlite_open(const char *path, nilas_catalog__sqlite **out,
                                      nilas_error *err);
void nilas_catalog__sqlite_close(nilas_catalog__sqlite *database);

/** Called for each row; the columns live until it returns. */
typedef nilas_code nilas_catalog__sqlite_row(void *context, const nilas_str *columns,
                                             size_t column_count, nilas_error *err);
typedef struct nilas_catalog__sqlite_call {
    const char *sql;             // one query; `?1`, `?2`, … are the parameters
    const nilas_str *parameters; // outlive the call
    size_t parameter_count;
    nilas_catalog__sqlite_row *row;
    void *context; // of `row`
} nilas_catalog__sqlite_call;

nilas_code nilas_catalog__sqlite_query(nilas_catalog__sqlite *database,
                                       const nilas_catalog__sqlite_call *call, nilas_error *err);

#endif
