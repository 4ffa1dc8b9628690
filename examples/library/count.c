/*
 * A statement and its rows through libnilas.
 *
 *     cc count.c $(pkg-config --cflags --libs nilas) -o count
 *     ./count "SELECT id, id * id FROM range(5)"
 */
#include <inttypes.h>
#include <stdio.h>

/* The Arrow C stream interface, as every user of it declares it. */
struct ArrowSchema {
    const char *format, *name, *metadata;
    int64_t flags, n_children;
    struct ArrowSchema **children, *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};
struct ArrowArray {
    int64_t length, null_count, offset, n_buffers, n_children;
    const void **buffers;
    struct ArrowArray **children, *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};
struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#include <nilas.h>

static int print_columns(struct ArrowArrayStream *rows) {
    struct ArrowSchema schema;
    if (rows->get_schema(rows, &schema) != 0) {
        return 1;
    }
    for (int64_t i = 0; i < schema.n_children; i++) {
        printf("%s: %s\n", schema.children[i]->name, schema.children[i]->format);
    }
    schema.release(&schema);
    return 0;
}

static int count_rows(struct ArrowArrayStream *rows) {
    int64_t count = 0;
    for (;;) {
        struct ArrowArray batch;
        if (rows->get_next(rows, &batch) != 0) {
            return 1;
        }
        if (batch.release == NULL) {
            printf("%" PRId64 " rows\n", count);
            return 0;
        }
        count += batch.length;
        batch.release(&batch);
    }
}

int main(int argc, char **argv) {
    const nilas_pair settings[] = {{"spark.sql.session.timeZone", "UTC"}};
    nilas_connection *connection;
    nilas_failure failure;
    struct ArrowArrayStream rows;

    if (nilas_open(settings, 1, &connection, &failure) != NILAS_SUCCESS) {
        fprintf(stderr, "%s\n", failure.message);
        return 1;
    }
    const char *sql = argc > 1 ? argv[1] : "SELECT 1 AS one";
    if (nilas_execute(connection, sql, &rows, &failure) != NILAS_SUCCESS) {
        fprintf(stderr, "[%s] %s\n", failure.condition, failure.message);
        nilas_close(connection);
        return 1;
    }
    int failed = print_columns(&rows) != 0 || count_rows(&rows) != 0;
    if (failed) {
        fprintf(stderr, "%s\n", rows.get_last_error(&rows));
    }
    rows.release(&rows);
    nilas_close(connection);
    return failed;
}
