/**
 * SQLite: a library that is opened on first use, so that statements without an SQL catalog do not
 * pay for it, and one statement at a time with text parameters and text columns.
 *
 * Private to the room. NULL columns come out as text with data NULL.
 */
#ifndef NILAS_CATALOG_SQLITE_H
#define NILAS_CATALOG_SQLITE_H

#include "base/base.h"

typedef struct nilas_catalog__sqlite nilas_catalog__sqlite; // an open database

/** Open a database file: an existing one for reading, or for writing too, then created when it is
 * not there. `path` is NUL-terminated; errors name it. */
nilas_code nilas_catalog__sqlite_open(const char *path, bool write, nilas_catalog__sqlite **out,
                                      nilas_error *err);
void nilas_catalog__sqlite_close(nilas_catalog__sqlite *database);

/** Called for each row; the columns live until it returns. */
typedef nilas_code nilas_catalog__sqlite_row(void *context, const nilas_str *columns,
                                             size_t column_count, nilas_error *err);
typedef struct nilas_catalog__sqlite_call {
    const char *sql;             // one query; `?1`, `?2`, … are the parameters
    const nilas_str *parameters; // outlive the call; data NULL is SQL's NULL
    size_t parameter_count;
    nilas_catalog__sqlite_row *row;
    void *context; // of `row`
} nilas_catalog__sqlite_call;

nilas_code nilas_catalog__sqlite_query(nilas_catalog__sqlite *database,
                                       const nilas_catalog__sqlite_call *call, nilas_error *err);
/**
 * Run one statement that changes something; `row` is not called.
 *
 * @param out_changes  rows inserted, updated or deleted
 * @return NILAS_CONFLICT   another process holds the database; nothing happened
 *         NILAS_EXISTS     a key is there already; nothing happened
 *         NILAS_UNCERTAIN  the disk failed on the way: the change may or may not be there
 *         NILAS_DENIED, NILAS_CORRUPT, NILAS_NOMEM  nothing happened
 */
nilas_code nilas_catalog__sqlite_change(nilas_catalog__sqlite *database,
                                        const nilas_catalog__sqlite_call *call, int *out_changes,
                                        nilas_error *err);

#endif
