/*
 * The few functions of libsqlite3 that a catalog needs, found with dlopen() on first use (0.3 ms
 * that only users of an SQL catalog pay). Types and constants come from sqlite3.h; no symbol of the
 * library is linked.
 */
#include "catalog/sqlite.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>

#define LIBRARY         "libsqlite3.so.0"
#define BUSY_TIMEOUT_MS 5000 // another process is writing: wait rather than fail
#define MAX_COLUMNS     8

typedef struct api {
    int (*open_v2)(const char *, sqlite3 **, int, const char *);
    int (*close_v2)(sqlite3 *);
    int (*busy_timeout)(sqlite3 *, int);
    int (*prepare_v2)(sqlite3 *, const char *, int, sqlite3_stmt **, const char **);
    int (*bind_text)(sqlite3_stmt *, int, const char *, int, void (*)(void *));
    int (*step)(sqlite3_stmt *);
    int (*finalize)(sqlite3_stmt *);
    int (*column_count)(sqlite3_stmt *);
    const unsigned char *(*column_text)(sqlite3_stmt *, int);
    int (*column_bytes)(sqlite3_stmt *, int);
    int (*changes)(sqlite3 *);
    const char *(*errmsg)(sqlite3 *);
    const char *(*errstr)(int);
} api;

struct nilas_catalog__sqlite {
    sqlite3 *handle;
    char *path; // for messages
};

static api sqlite;
static bool is_loaded;
static pthread_mutex_t load_lock = PTHREAD_MUTEX_INITIALIZER;

static bool find_symbol(void *library, const char *name, void *out_pointer) {
    void *symbol = dlsym(library, name);

    memcpy(out_pointer, &symbol,
           sizeof(symbol)); // ISO C has no cast from object to function pointer
    return symbol != NULL;
}

static bool find_symbols(void *library) {
    return find_symbol(library, "sqlite3_open_v2", &sqlite.open_v2) &&
           find_symbol(library, "sqlite3_close_v2", &sqlite.close_v2) &&
           find_symbol(library, "sqlite3_busy_timeout", &sqlite.busy_timeout) &&
           find_symbol(library, "sqlite3_prepare_v2", &sqlite.prepare_v2) &&
           find_symbol(library, "sqlite3_bind_text", &sqlite.bind_text) &&
           find_symbol(library, "sqlite3_step", &sqlite.step) &&
           find_symbol(library, "sqlite3_finalize", &sqlite.finalize) &&
           find_symbol(library, "sqlite3_column_count", &sqlite.column_count) &&
           find_symbol(library, "sqlite3_column_text", &sqlite.column_text) &&
           find_symbol(library, "sqlite3_column_bytes", &sqlite.column_bytes) &&
           find_symbol(library, "sqlite3_changes", &sqlite.changes) &&
           find_symbol(library, "sqlite3_errmsg", &sqlite.errmsg) &&
           find_symbol(library, "sqlite3_errstr", &sqlite.errstr);
}

/** Open the library once per process; it is never closed. */
static nilas_code load_library(nilas_error *err) {
    nilas_code code = NILAS_OK;

    pthread_mutex_lock(&load_lock);
    if (!is_loaded) {
        void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
        if (library == NULL) {
            code = nilas_fail(err, NILAS_UNSUPPORTED,
                              "an SQL catalog needs the library SQLite (Debian: libsqlite3-0): %s",
                              dlerror());
        } else if (!find_symbols(library)) {
            code = nilas_fail(err, NILAS_UNSUPPORTED, "the library %s lacks a function: %s",
                              LIBRARY, dlerror());
        }
        is_loaded = code == NILAS_OK;
    }
    pthread_mutex_unlock(&load_lock);
    return code;
}

static nilas_code code_of(int result) {
    switch (result & 0xff) {
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_READONLY: return NILAS_DENIED;
    case SQLITE_NOMEM: return NILAS_NOMEM;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_ERROR: return NILAS_CORRUPT; // a missing column is the commonest SQLITE_ERROR
    default: return NILAS_IO;
    }
}

nilas_code nilas_catalog__sqlite_open(const char *path, bool write, nilas_catalog__sqlite **out,
                                      nilas_error *err) {
    // A reader too may have to roll back what a killed writer left; a file that is write protected
    // is opened for reading only by the same flags.
    int flags = SQLITE_OPEN_READWRITE | (write ? SQLITE_OPEN_CREATE : 0);

    NILAS_TRY(load_library(err));

    nilas_catalog__sqlite *database = calloc(1, sizeof(*database));
    if (database != NULL) {
        database->path = strdup(path);
    }
    if (database == NULL || database->path == NULL) {
        nilas_catalog__sqlite_close(database);
        return nilas_fail(err, NILAS_NOMEM, "out of memory");
    }

    int result = sqlite.open_v2(path, &database->handle, flags | SQLITE_OPEN_FULLMUTEX, NULL);
    if (result != SQLITE_OK) {
        nilas_code code = nilas_fail(err, code_of(result), "SQLite database \"%s\": %s", path,
                                     sqlite.errstr(result));
        nilas_catalog__sqlite_close(database);
        return code;
    }
    (void)sqlite.busy_timeout(database->handle, BUSY_TIMEOUT_MS);
    *out = database;
    return NILAS_OK;
}

void nilas_catalog__sqlite_close(nilas_catalog__sqlite *database) {
    if (database == NULL) {
        return;
    }
    if (database->handle != NULL) {
        (void)sqlite.close_v2(database->handle);
    }
    free(database->path);
    free(database);
}

static nilas_code fail_query(const nilas_catalog__sqlite *database, int result, nilas_error *err) {
    return nilas_fail(err, code_of(result), "SQLite database \"%s\": %s", database->path,
                      sqlite.errmsg(database->handle));
}

static nilas_code each_row(nilas_catalog__sqlite *database, sqlite3_stmt *statement,
                           const nilas_catalog__sqlite_call *call, nilas_error *err) {
    nilas_str columns[MAX_COLUMNS];
    int column_count = sqlite.column_count(statement);

    nilas_assert(column_count > 0 && column_count <= MAX_COLUMNS);
    for (;;) {
        int result = sqlite.step(statement);
        if (result == SQLITE_DONE) {
            return NILAS_OK;
        }
        if (result != SQLITE_ROW) {
            return fail_query(database, result, err);
        }
        for (int i = 0; i < column_count; i++) {
            columns[i].data = (const char *)sqlite.column_text(statement, i);
            columns[i].size =
                columns[i].data != NULL ? (size_t)sqlite.column_bytes(statement, i) : 0;
        }
        NILAS_TRY(call->row(call->context, columns, (size_t)column_count, err));
    }
}

static int bind_text(sqlite3_stmt *statement, int place, nilas_str text) {
    if (text.size > INT32_MAX) {
        return SQLITE_TOOBIG;
    }
    // SQLITE_STATIC (NULL): the parameters outlive the statement. A NULL pointer is SQL's NULL.
    return sqlite.bind_text(statement, place, text.data, (int)text.size, NULL);
}

/** SQLITE_OK with the statement ready to step. */
static int prepare(nilas_catalog__sqlite *database, const nilas_catalog__sqlite_call *call,
                   sqlite3_stmt **out) {
    int result = sqlite.prepare_v2(database->handle, call->sql, -1, out, NULL);

    for (size_t i = 0; i < call->parameter_count && result == SQLITE_OK; i++) {
        result = bind_text(*out, (int)i + 1, call->parameters[i]);
    }
    return result;
}

nilas_code nilas_catalog__sqlite_query(nilas_catalog__sqlite *database,
                                       const nilas_catalog__sqlite_call *call, nilas_error *err) {
    sqlite3_stmt *statement = NULL;

    int result = prepare(database, call, &statement);
    nilas_code code = result == SQLITE_OK ? each_row(database, statement, call, err)
                                          : fail_query(database, result, err);
    (void)sqlite.finalize(statement);
    return code;
}

static nilas_code code_of_change(int result) {
    switch (result & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return NILAS_CONFLICT;
    case SQLITE_CONSTRAINT: return NILAS_EXISTS;
    case SQLITE_IOERR:
    case SQLITE_FULL: return NILAS_UNCERTAIN; // perhaps while the journal was being removed
    default: return code_of(result);
    }
}

nilas_code nilas_catalog__sqlite_change(nilas_catalog__sqlite *database,
                                        const nilas_catalog__sqlite_call *call, int *out_changes,
                                        nilas_error *err) {
    sqlite3_stmt *statement = NULL;
    nilas_code code = NILAS_OK;

    int result = prepare(database, call, &statement);
    while (result == SQLITE_OK || result == SQLITE_ROW) {
        result = sqlite.step(statement);
    }
    if (result == SQLITE_DONE) {
        *out_changes = sqlite.changes(database->handle);
    } else {
        code = nilas_fail(err, code_of_change(result), "SQLite database \"%s\": %s", database->path,
                          sqlite.errmsg(database->handle));
    }
    (void)sqlite.finalize(statement);
    return code;
}
