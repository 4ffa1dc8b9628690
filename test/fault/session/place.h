/** A warehouse that statements of a session change, and what is to be seen of it afterwards. */
#ifndef NILAS_TEST_FAULT_SESSION_PLACE_H
#define NILAS_TEST_FAULT_SESSION_PLACE_H

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "session/private.h"
#include "test.h"

#define TEXT_BYTES 20000

typedef struct place {
    bool sqlite;
    char root[64]; // "…/now" is the warehouse, "…/was" its copy
} place;

/** Run a shell's command about the place's folders. */
static void run_shell(const char *format, const char *root) {
    char command[512];
    snprintf(command, sizeof(command), format, root, root, root, root);
    char *arguments[] = {"sh", "-c", command, NULL};
    pid_t child = 0;
    int status = 1;
    REQUIRE(posix_spawn(&child, "/bin/sh", NULL, NULL, arguments, environ) == 0);
    CHECK(waitpid(child, &status, 0) == child);
    CHECK_INT(status, 0);
}

static nilas_session *open_session(const place *at) {
    char warehouse[128], uri[160];
    nilas_error err = NILAS_ERROR_INIT;
    nilas_session *session = NULL;
    snprintf(warehouse, sizeof(warehouse), "%s/now/wh", at->root);
    snprintf(uri, sizeof(uri), "jdbc:sqlite:%s/now/catalog.db", at->root);
    nilas_property settings[] = {
        {NILAS_STR("spark.sql.session.timeZone"), NILAS_STR("UTC")},
        {NILAS_STR("spark.sql.catalog.c"), NILAS_STR("org.apache.iceberg.spark.SparkCatalog")},
        {NILAS_STR("spark.sql.catalog.c.type"),
         at->sqlite ? NILAS_STR("jdbc") : NILAS_STR("hadoop")},
        {NILAS_STR("spark.sql.catalog.c.warehouse"), nilas_str_of(warehouse)},
        {NILAS_STR("spark.sql.catalog.c.uri"), nilas_str_of(uri)},
        {NILAS_STR("spark.sql.defaultCatalog"), NILAS_STR("c")},
    };
    nilas_session_options options = {.settings = settings,
                                     .setting_count = sizeof(settings) / sizeof(*settings)};
    CHECK_OK(nilas_session_new(&options, &session, &err), err);
    return session;
}

/** Append the cells of the first column, which is text, each followed by a space. */
static nilas_code add_cells(nilas_result *result, char *out, nilas_error *err) {
    while (true) {
        struct ArrowArray batch = {0};
        NILAS_TRY(nilas_result_next(result, &batch, err));
        if (batch.release == NULL) {
            return NILAS_OK;
        }
        const struct ArrowArray *column = batch.n_children > 0 ? batch.children[0] : NULL;
        for (int64_t i = 0; column != NULL && i < column->length; i++) {
            const int32_t *offsets = (const int32_t *)column->buffers[1] + column->offset + i;
            const char *bytes = column->buffers[2];
            size_t used = strlen(out);
            snprintf(out + used, TEXT_BYTES - used, "%.*s ", (int)(offsets[1] - offsets[0]),
                     bytes + offsets[0]);
        }
        batch.release(&batch);
    }
}

/** Run a statement; its first column is appended to `out`, or to nothing. */
static nilas_code run_statement(nilas_session *session, const char *text, char *out,
                                nilas_error *err) {
    NILAS_AUTO(nilas_result) result = NULL;
    NILAS_TRY(nilas_session_run(session, nilas_str_of(text), &result, err));
    return out != NULL ? add_cells(result, out, err) : NILAS_OK;
}

static void must_run(nilas_session *session, const char *text) {
    nilas_error err = NILAS_ERROR_INIT;
    if (run_statement(session, text, NULL, &err) != NILAS_OK) {
        NILAS_TEST_FAIL("%s\n      %s", text, err.message);
    }
}

/** Replace "{0}" by `word`. */
static void fill(char *out, const char *text, const char *word) {
    const char *mark = strstr(text, "{0}");
    if (mark == NULL) {
        snprintf(out, TEXT_BYTES, "%s", text);
    } else {
        snprintf(out, TEXT_BYTES, "%.*s%s%s", (int)(mark - text), text, word, mark + 3);
    }
}

#endif
