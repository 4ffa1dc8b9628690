/*
 * The installed header's functions: a session behind a count of its users, since a stream may
 * outlive the connection that it came from.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "nilas.h"
#include "session/private.h"
#include "sql/sql.h"

typedef struct statement statement;

struct nilas_connection {
    atomic_uint references; // the connection's own, and one a stream
    nilas_session *session;
    pthread_mutex_t lock;
    statement *running; // and streams being read
};

/** One statement: it may be interrupted until its stream is released. */
struct statement {
    statement *next, **slot;
    nilas_connection *connection;
    nilas_cancel cancel;
    nilas_result *result;
    nilas_error failure; // of the last call
};

const char *nilas_version(void) {
    return NILAS_VERSION;
}

static nilas_outcome outcome_of(nilas_code code) {
    return code == NILAS_OK          ? NILAS_SUCCESS
           : code == NILAS_CANCELLED ? NILAS_INTERRUPTED
           : code == NILAS_UNCERTAIN ? NILAS_UNKNOWN
                                     : NILAS_FAILED;
}

static nilas_outcome tell(nilas_code code, const nilas_error *err, nilas_failure *failure) {
    if (code == NILAS_OK || failure == NULL) {
        return outcome_of(code);
    }
    *failure = (nilas_failure){.offset = err->sql_offset};
    const char *state = err->sql_state != NULL ? err->sql_state : nilas_sql_state(err->condition);
    (void)snprintf(failure->condition, sizeof(failure->condition), "%s",
                   err->condition != NULL ? err->condition : "");
    (void)snprintf(failure->sql_state, sizeof(failure->sql_state), "%s",
                   state != NULL ? state : "");
    (void)snprintf(failure->message, sizeof(failure->message), "%s", err->message);
    return outcome_of(code);
}

// ---- connections --------------------------------------------------------------------------------

static void drop(nilas_connection *connection) {
    if (atomic_fetch_sub(&connection->references, 1) == 1) {
        nilas_session_free(connection->session);
        pthread_mutex_destroy(&connection->lock);
        free(connection);
    }
}

static nilas_code open_session(const nilas_pair *settings, size_t count, nilas_session **out,
                               nilas_error *err) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_property *properties;
    NILAS_REQUIRE(arena != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_NEW_ARRAY(arena, &properties, count, err);
    for (size_t i = 0; i < count; i++) {
        properties[i].key = nilas_str_of(settings[i].key);
        properties[i].value = nilas_str_of(settings[i].value);
    }
    const nilas_session_options options = {.settings = properties, .setting_count = count};
    return nilas_session_new(&options, out, err);
}

nilas_outcome nilas_open(const nilas_pair *settings, size_t count, nilas_connection **out,
                         nilas_failure *failure) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_connection *connection = calloc(1, sizeof(*connection));
    if (connection == NULL) {
        return tell(nilas_fail(&err, NILAS_NOMEM, "out of memory"), &err, failure);
    }
    atomic_init(&connection->references, 1);
    pthread_mutex_init(&connection->lock, NULL);
    nilas_code code = open_session(settings, count, &connection->session, &err);
    if (code != NILAS_OK) {
        drop(connection);
        return tell(code, &err, failure);
    }
    *out = connection;
    return NILAS_SUCCESS;
}

void nilas_close(nilas_connection *connection) {
    if (connection != NULL) {
        drop(connection);
    }
}

void nilas_interrupt(nilas_connection *connection) {
    pthread_mutex_lock(&connection->lock);
    for (statement *at = connection->running; at != NULL; at = at->next) {
        atomic_store(&at->cancel.requested, true);
    }
    pthread_mutex_unlock(&connection->lock);
}

// ---- statements ---------------------------------------------------------------------------------

static void begin(statement *s, nilas_connection *connection) {
    s->connection = connection;
    atomic_fetch_add(&connection->references, 1);
    pthread_mutex_lock(&connection->lock);
    s->next = connection->running;
    s->slot = &connection->running;
    if (s->next != NULL) {
        s->next->slot = &s->next;
    }
    connection->running = s;
    pthread_mutex_unlock(&connection->lock);
}

static void end(statement *s) {
    nilas_connection *connection = s->connection;
    nilas_result_free(s->result);
    pthread_mutex_lock(&connection->lock);
    *s->slot = s->next;
    if (s->next != NULL) {
        s->next->slot = s->slot;
    }
    pthread_mutex_unlock(&connection->lock);
    free(s);
    drop(connection);
}

static int errno_of(nilas_code code) {
    return code == NILAS_OK          ? 0
           : code == NILAS_CANCELLED ? ECANCELED
           : code == NILAS_NOMEM     ? ENOMEM
           : code == NILAS_INVALID   ? EINVAL
                                     : EIO;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
    statement *s = stream->private_data;
    return errno_of(nilas_result_schema(s->result, out, &s->failure));
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
    statement *s = stream->private_data;
    return errno_of(nilas_result_next(s->result, out, &s->failure));
}

static const char *get_last_error(struct ArrowArrayStream *stream) {
    statement *s = stream->private_data;
    return s->failure.message[0] != '\0' ? s->failure.message : NULL;
}

static void release(struct ArrowArrayStream *stream) {
    end(stream->private_data);
    stream->release = NULL;
}

nilas_outcome nilas_execute(nilas_connection *connection, const char *sql,
                            struct ArrowArrayStream *out, nilas_failure *failure) {
    nilas_error err = NILAS_ERROR_INIT;
    statement *s = calloc(1, sizeof(*s));
    if (s == NULL) {
        return tell(nilas_fail(&err, NILAS_NOMEM, "out of memory"), &err, failure);
    }
    begin(s, connection);
    const nilas_session_request request = {.cancel = &s->cancel};
    nilas_code code =
        nilas_session__run_text(connection->session, nilas_str_of(sql), &request, &s->result, &err);
    if (code != NILAS_OK) {
        end(s);
        return tell(code, &err, failure);
    }
    *out = (struct ArrowArrayStream){.get_schema = get_schema,
                                     .get_next = get_next,
                                     .get_last_error = get_last_error,
                                     .release = release,
                                     .private_data = s};
    return NILAS_SUCCESS;
}
