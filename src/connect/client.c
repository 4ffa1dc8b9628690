/*
 * The sessions of clients: found by (user, session id), made on first sight, ended when they are
 * released or when nobody used them for long.
 */
#include "connect/server.h"

#include <stdio.h>
#include <stdlib.h>

/* --- the server --- */

/** "60m", "300s", "1h", "100ms", or seconds: as Spark reads a duration. */
static int64_t duration_ms(nilas_str text, int64_t otherwise) {
    static const struct {
        const char *unit;
        int64_t ms;
    } units[] = {{"ms", 1},    {"min", 60000}, {"s", 1000},
                 {"m", 60000}, {"h", 3600000}, {"d", 86400000}};
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        size_t size = strlen(units[i].unit);
        int64_t number;
        if (text.size > size && nilas_str_ends(text, nilas_str_of(units[i].unit)) &&
            nilas_str_to_int64(nilas_str_slice(text, 0, text.size - size), &number) &&
            number >= 0) {
            return number * units[i].ms;
        }
    }
    int64_t seconds;
    return nilas_str_to_int64(text, &seconds) && seconds >= 0 ? seconds * 1000 : otherwise;
}

static int64_t setting_ms(const nilas_properties *settings, const char *key, int64_t otherwise) {
    int64_t found = otherwise;
    for (size_t i = 0; i < settings->count; i++) {
        if (nilas_str_is(settings->items[i].key, key)) {
            found = duration_ms(settings->items[i].value, otherwise);
        }
    }
    return found;
}

void nilas_connect__server_init(nilas_connect__server *server, const nilas_properties *settings) {
    *server = (nilas_connect__server){.settings = settings};
    pthread_mutex_init(&server->lock, NULL);
    server->session_timeout_ms =
        setting_ms(settings, "spark.connect.session.manager.defaultSessionTimeout", 3600000);
    server->detached_timeout_ms =
        setting_ms(settings, "spark.connect.execute.manager.detachedTimeout", 60000);
}

/** Hash of who a session belongs to and its name. */
static uint64_t hash_of(const char *user_id, const char *session_id) {
    uint64_t user = nilas_str_hash(nilas_str_of(user_id));
    return user * 31 + nilas_str_hash(nilas_str_of(session_id));
}

/** Take a session out of the list; the list's reference goes to the caller. The lock is held. */
static void unlink_client(nilas_connect__server *server, nilas_connect__client *client) {
    nilas_connect__client **at = &server->clients;
    while (*at != NULL && *at != client) {
        at = &(*at)->next;
    }
    nilas_assert(*at == client);
    *at = client->next;
    server->client_count--;
}

/** Interrupt what runs; nothing new begins. */
static void close_client(nilas_connect__client *client) {
    pthread_mutex_lock(&client->lock);
    client->ended = true;
    pthread_mutex_unlock(&client->lock);
    nilas_connect__give_up(client, INT64_MAX);
}

void nilas_connect__server_stop(nilas_connect__server *server) {
    for (;;) {
        pthread_mutex_lock(&server->lock);
        nilas_connect__client *client = server->clients;
        if (client != NULL) {
            unlink_client(server, client);
        }
        pthread_mutex_unlock(&server->lock);
        if (client == NULL) {
            return;
        }
        close_client(client);
        nilas_connect__client_unref(client);
    }
}

void nilas_connect__server_done(nilas_connect__server *server) {
    nilas_connect__server_stop(server);
    pthread_mutex_destroy(&server->lock);
}

/** The first session that is too old, or NULL; its operations keep it. The lock is held. */
static nilas_connect__client *find_idle(nilas_connect__server *server, int64_t before_ms) {
    for (nilas_connect__client *at = server->clients; at != NULL; at = at->next) {
        pthread_mutex_lock(&at->lock);
        bool idle = atomic_load(&at->used_ms) < before_ms && at->operation_count == 0;
        pthread_mutex_unlock(&at->lock);
        if (idle) {
            return at;
        }
    }
    return NULL;
}

static void remember_ended(nilas_connect__server *server, const nilas_connect__client *client) {
    server->ended[server->ended_next++ % NILAS_CONNECT_ENDED] =
        hash_of(client->user_id, client->session_id.text);
}

void nilas_connect__server_tick(nilas_connect__server *server) {
    int64_t now_ms = nilas_now_ms();
    pthread_mutex_lock(&server->lock);
    for (nilas_connect__client *at = server->clients; at != NULL; at = at->next) {
        nilas_connect__give_up(at, now_ms - server->detached_timeout_ms);
    }
    nilas_connect__client *idle = find_idle(server, now_ms - server->session_timeout_ms);
    if (idle != NULL) {
        unlink_client(server, idle);
        remember_ended(server, idle);
    }
    pthread_mutex_unlock(&server->lock);
    if (idle != NULL) {
        close_client(idle);
        nilas_connect__client_unref(idle);
    }
}

/* --- one session --- */

static void free_items(nilas_connect__item *items) {
    while (items != NULL) {
        nilas_connect__item *item = items;
        items = item->next;
        free(item->name);
        free(item->bytes);
        free(item);
    }
}

static void free_client(nilas_connect__client *client) {
    nilas_session_free(client->session);
    for (size_t i = 0; i < NILAS_CONNECT_FAILURES; i++) {
        nilas_arena_free(client->failures[i]);
    }
    free_items(client->artifacts);
    free_items(client->messages);
    pthread_mutex_destroy(&client->lock);
    free(client->user_id);
    free(client);
}

void nilas_connect__client_unref(nilas_connect__client *client) {
    if (client != NULL &&
        atomic_fetch_sub_explicit(&client->references, 1, memory_order_acq_rel) == 1) {
        free_client(client);
    }
}

static nilas_code new_client(nilas_connect__server *server, const char *user_id,
                             const char *session_id, nilas_connect__client **out,
                             nilas_error *err) {
    nilas_connect__client *client = calloc(1, sizeof(*client));
    NILAS_REQUIRE(client != NULL, err, NILAS_NOMEM, "out of memory for a session");
    client->server = server;
    atomic_init(&client->references, 1);
    atomic_init(&client->used_ms, nilas_now_ms());
    pthread_mutex_init(&client->lock, NULL);
    (void)snprintf(client->session_id.text, sizeof(client->session_id.text), "%s", session_id);
    client->user_id = strdup(user_id);
    nilas_code code = client->user_id == NULL
                          ? nilas_fail(err, NILAS_NOMEM, "out of memory for a session")
                          : nilas_uuid_new(&client->server_id, err);
    if (code != NILAS_OK) {
        nilas_connect__client_unref(client);
        return code;
    }
    *out = client;
    return NILAS_OK;
}

/* --- finding --- */

static nilas_code fail_handle(nilas_error *err, const char *condition, const char *handle,
                              const char *why) {
    return nilas_fail_at(err, NILAS_INVALID, condition, -1, "The handle %.100s is invalid. %s",
                         handle, why);
}

static bool has_ended(const nilas_connect__server *server, uint64_t hash) {
    for (size_t i = 0; i < NILAS_CONNECT_ENDED; i++) {
        if (server->ended[i] == hash && i < server->ended_next) {
            return true;
        }
    }
    return false;
}

static nilas_connect__client *find_client(const nilas_connect__server *server, const char *user_id,
                                          const char *session_id) {
    for (nilas_connect__client *at = server->clients; at != NULL; at = at->next) {
        if (strcmp(at->session_id.text, session_id) == 0 && strcmp(at->user_id, user_id) == 0) {
            return at;
        }
    }
    return NULL;
}

static const char *user_of(const nilas_connect__caller *caller) {
    return caller->user != NULL && caller->user->user_id != NULL ? caller->user->user_id : "";
}

/** Make a session that is not there. The lock is held. */
static nilas_code add_client(nilas_connect__server *server, const char *user_id,
                             const char *session_id, nilas_connect__client **out,
                             nilas_error *err) {
    if (has_ended(server, hash_of(user_id, session_id))) {
        return fail_handle(err, "INVALID_HANDLE.SESSION_CLOSED", session_id, "Session was closed.");
    }
    NILAS_REQUIRE(server->client_count < NILAS_LIMIT_CONNECT_SESSIONS, err, NILAS_LIMIT,
                  "there are %d sessions already; a session ends with spark.stop()",
                  NILAS_LIMIT_CONNECT_SESSIONS);
    NILAS_REQUIRE(strlen(user_id) <= 1000, err, NILAS_INVALID, "a user's name is too long");
    NILAS_TRY(new_client(server, user_id, session_id, out, err));
    (*out)->next = server->clients;
    server->clients = *out;
    server->client_count++;
    return NILAS_OK;
}

nilas_code nilas_connect__client_get(nilas_connect__server *server,
                                     const nilas_connect__caller *caller,
                                     nilas_connect__client **out, nilas_error *err) {
    const char *session_id = caller->session_id != NULL ? caller->session_id : "";
    if (!nilas_uuid_is(nilas_str_of(session_id))) {
        return fail_handle(err, "INVALID_HANDLE.FORMAT", session_id,
                           "Handle must be an UUID string of the format "
                           "'00112233-4455-6677-8899-aabbccddeeff'");
    }
    nilas_connect__client *client = NULL;
    nilas_code code = NILAS_OK;
    pthread_mutex_lock(&server->lock);
    client = find_client(server, user_of(caller), session_id);
    bool changed = caller->observed != NULL && caller->observed[0] != '\0' &&
                   (client == NULL || strcmp(client->server_id.text, caller->observed) != 0);
    if (client == NULL && !changed) {
        code = add_client(server, user_of(caller), session_id, &client, err);
    } else if (changed && client == NULL &&
               has_ended(server, hash_of(user_of(caller), session_id))) {
        code = fail_handle(err, "INVALID_HANDLE.SESSION_CLOSED", session_id, "Session was closed.");
    } else if (changed) {
        code = fail_handle(err, "INVALID_HANDLE.SESSION_CHANGED", session_id,
                           "The existing Spark server driver instance has restarted. Please "
                           "reconnect.");
    }
    if (code == NILAS_OK) {
        atomic_fetch_add_explicit(&client->references, 1, memory_order_relaxed);
        atomic_store(&client->used_ms, nilas_now_ms());
        *out = client;
    }
    pthread_mutex_unlock(&server->lock);
    return code;
}

void nilas_connect__client_end(nilas_connect__server *server, const nilas_connect__caller *caller,
                               bool allow_reconnect, nilas_uuid *out_server_id) {
    const char *session_id = caller->session_id != NULL ? caller->session_id : "";
    out_server_id->text[0] = '\0';
    pthread_mutex_lock(&server->lock);
    nilas_connect__client *client = find_client(server, user_of(caller), session_id);
    if (client != NULL) {
        *out_server_id = client->server_id;
        unlink_client(server, client);
        if (!allow_reconnect) {
            remember_ended(server, client);
        }
    }
    pthread_mutex_unlock(&server->lock);
    if (client != NULL) {
        close_client(client);
        nilas_connect__client_unref(client);
    }
}

/* --- what is behind it --- */

nilas_code nilas_connect__client_session(nilas_connect__client *client, nilas_session **out,
                                         nilas_error *err) {
    nilas_code code = NILAS_OK;
    nilas_session_options options = {
        .settings = client->server->settings->items,
        .setting_count = client->server->settings->count,
    };
    pthread_mutex_lock(&client->lock);
    if (client->session == NULL) {
        code = nilas_session_new(&options, &client->session, err);
    }
    *out = client->session;
    pthread_mutex_unlock(&client->lock);
    return code;
}

/* --- clones --- */

/** A session under a new name: the caller's, or one that is made. */
static nilas_code new_name(nilas_connect__client *from, const char *session_id,
                           nilas_connect__client **out, nilas_error *err) {
    nilas_connect__server *server = from->server;
    nilas_uuid made;
    if (session_id == NULL || session_id[0] == '\0') {
        NILAS_TRY(nilas_uuid_new(&made, err));
        session_id = made.text;
    }
    if (!nilas_uuid_is(nilas_str_of(session_id))) {
        return fail_handle(err, "INVALID_CLONE_SESSION_REQUEST.TARGET_SESSION_ID_FORMAT",
                           session_id, "Target session ID must be an UUID string.");
    }
    nilas_code code;
    pthread_mutex_lock(&server->lock);
    if (find_client(server, from->user_id, session_id) != NULL) {
        code = fail_handle(err, "INVALID_CLONE_SESSION_REQUEST.TARGET_SESSION_ID_ALREADY_EXISTS",
                           session_id, "Target session ID already exists.");
    } else {
        code = add_client(server, from->user_id, session_id, out, err);
    }
    if (code == NILAS_OK) {
        atomic_fetch_add_explicit(&(*out)->references, 1, memory_order_relaxed);
    }
    pthread_mutex_unlock(&server->lock);
    return code;
}

nilas_code nilas_connect__client_clone(nilas_connect__client *from, const char *session_id,
                                       nilas_connect__client **out, nilas_error *err) {
    nilas_connect__client *clone = NULL;
    nilas_session *session = NULL;
    NILAS_TRY(new_name(from, session_id, &clone, err));
    nilas_session *original = NULL;
    nilas_session_options options = {0};
    nilas_code code = nilas_connect__client_session(from, &original, err);
    if (code == NILAS_OK) {
        code = nilas_session_clone(original, &options, clone, &session, err);
    }
    pthread_mutex_lock(&clone->lock);
    bool unused = clone->session == NULL; // nobody has called it meanwhile
    clone->session = unused ? session : clone->session;
    pthread_mutex_unlock(&clone->lock);
    if (!unused) {
        nilas_session_free(session);
    }
    if (code != NILAS_OK) {
        nilas_connect__caller caller = {.session_id = clone->session_id.text};
        Sc__UserContext user = SC__USER_CONTEXT__INIT;
        nilas_uuid ignored;
        user.user_id = from->user_id;
        caller.user = &user;
        nilas_connect__client_end(from->server, &caller, true, &ignored);
        nilas_connect__client_unref(clone);
        return code;
    }
    *out = clone;
    return NILAS_OK;
}
