/**
 * libnilas: Apache Iceberg tables in Spark SQL, without Spark, inside a program.
 *
 * Open a connection with Spark's settings, run statements, read their results as Arrow C streams
 * (https://arrow.apache.org/docs/format/CStreamInterface.html). All functions may be called from
 * any thread; statements of one connection may run at once.
 *
 *     nilas_connection *connection;
 *     nilas_failure failure;
 *     struct ArrowArrayStream rows;
 *     if (nilas_open(NULL, 0, &connection, &failure) != NILAS_SUCCESS ||
 *         nilas_execute(connection, "SELECT 1 AS one", &rows, &failure) != NILAS_SUCCESS) {
 *         fprintf(stderr, "%s\n", failure.message);
 *     }
 */
#ifndef NILAS_H
#define NILAS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NILAS_API __attribute__((visibility("default")))

struct ArrowArrayStream; // of the Arrow C stream interface; define it before use

/** What went wrong; 0 is nothing. */
typedef enum nilas_outcome {
    NILAS_SUCCESS = 0,
    NILAS_FAILED = 1,      // the statement or a setting is wrong, or the outside failed
    NILAS_INTERRUPTED = 2, // by nilas_interrupt()
    /** A commit may have happened: look before it is done again. */
    NILAS_UNKNOWN = 3,
} nilas_outcome;

/** Filled when a function fails. Texts end with a zero byte. */
typedef struct nilas_failure {
    char condition[128]; // Spark's: "TABLE_OR_VIEW_NOT_FOUND"; empty: it has none
    char sql_state[8];   // "42P01"; empty: none
    char message[2000];
    int32_t offset; // into the statement, in bytes; -1: unknown
} nilas_failure;

typedef struct nilas_pair {
    const char *key, *value;
} nilas_pair;

/** A session: settings, the current catalog and namespace, temporary views. */
typedef struct nilas_connection nilas_connection;

/** "0.1.0" */
NILAS_API const char *nilas_version(void);

/**
 * Open a connection. Settings are Spark's (spark.sql.catalog.NAME …); later ones win; copied.
 * Nothing outside is touched before the first statement. `failure` may be NULL.
 */
NILAS_API nilas_outcome nilas_open(const nilas_pair *settings, size_t count, nilas_connection **out,
                                   nilas_failure *failure);

/**
 * Run one statement. *out is a stream of struct arrays, to be released by the caller, with the
 * columns that Spark has; statements without a result give no columns. Rows are read as they are
 * asked for, in bounded memory; get_next() may fail with what happens then. Timestamps are in UTC;
 * decimals have 128 bits; VARIANT is JSON text.
 */
NILAS_API nilas_outcome nilas_execute(nilas_connection *connection, const char *sql,
                                      struct ArrowArrayStream *out, nilas_failure *failure);

/** Stop the statements that run now and the streams that are being read. */
NILAS_API void nilas_interrupt(nilas_connection *connection);

/** Streams that are still there stay readable. NULL does nothing. */
NILAS_API void nilas_close(nilas_connection *connection);

#ifdef __cplusplus
}
#endif

#endif
