/*
 * Operations: what an ExecutePlan answers, kept in order until it is released. The thread that
 * produces the answers sends them itself as long as its own call is there; after that the answers
 * wait here until another call attaches, or until they are given up.
 *
 * Locks: an operation's lock is taken after its client's, never the other way round; nothing is
 * sent under a lock.
 */
#include "connect/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define LOOK_MS        50
#define CORK_BYTES     (32 << 10) // small answers go out together …
#define CORK_NS        5000000    // … unless the first of them has waited so long
#define PROGRESS_NS    1000000000 // between two reports of progress
#define PROGRESS_TASKS 1000

typedef struct answer {
    nilas_wire_packet *packet;
    nilas_uuid id;
} answer;

struct nilas_connect__operation {
    nilas_connect__operation *next; // in the client's list
    nilas_connect__client *client;  // one reference
    atomic_int references;
    nilas_uuid id;
    char **tags;
    size_t tag_count;
    bool reattachable;
    uint64_t plan_hash;
    nilas_cancel cancel;
    pthread_mutex_t lock; // of what follows
    pthread_cond_t changed;
    answer *answers; // [0, count): of the numbers first, first + 1, …
    size_t count, capacity;
    int64_t first; // number of the first answer that is kept
    int64_t next_to_send;
    size_t kept_bytes, unread_bytes;
    nilas_connect__state state;
    nilas_connect__status status; // how the stream ends, when it failed
    nilas_wire_call *call;        // who reads; NULL: nobody
    uint64_t reader;              // counts readers: an old one notices that it is one
    int64_t unread_since_ms;      // no reader since then
    // of the producing thread
    uint64_t own_reader;
    int64_t sent_ns, told_ns;
};

static void drop_first(nilas_connect__operation *operation, size_t count);

/* --- life --- */

nilas_connect__operation *nilas_connect__operation_ref(nilas_connect__operation *operation) {
    atomic_fetch_add_explicit(&operation->references, 1, memory_order_relaxed);
    return operation;
}

static void free_operation(nilas_connect__operation *operation) {
    drop_first(operation, operation->count);
    for (size_t i = 0; i < operation->tag_count; i++) {
        free(operation->tags[i]);
    }
    free(operation->tags);
    free(operation->answers);
    nilas_connect__status_done(&operation->status);
    pthread_cond_destroy(&operation->changed);
    pthread_mutex_destroy(&operation->lock);
    nilas_connect__client_unref(operation->client);
    free(operation);
}

void nilas_connect__operation_unref(nilas_connect__operation *operation) {
    if (operation != NULL &&
        atomic_fetch_sub_explicit(&operation->references, 1, memory_order_acq_rel) == 1) {
        free_operation(operation);
    }
}

nilas_connect__client *nilas_connect__operation_client(nilas_connect__operation *operation) {
    return operation->client;
}

bool nilas_connect__operation_is_interrupted(nilas_connect__operation *operation) {
    return nilas_cancelled(&operation->cancel);
}

nilas_cancel *nilas_connect__operation_cancel(nilas_connect__operation *operation) {
    return &operation->cancel;
}

static nilas_code copy_tags(nilas_connect__operation *operation,
                            const nilas_connect__operation_options *options, nilas_error *err) {
    operation->tags = calloc(options->tag_count + 1, sizeof(operation->tags[0]));
    NILAS_REQUIRE(operation->tags != NULL, err, NILAS_NOMEM, "out of memory for an operation");
    for (size_t i = 0; i < options->tag_count; i++) {
        char *tag = strdup(options->tags[i] != NULL ? options->tags[i] : "");
        NILAS_REQUIRE(tag != NULL, err, NILAS_NOMEM, "out of memory for an operation");
        operation->tags[operation->tag_count++] = tag;
    }
    return NILAS_OK;
}

static nilas_code set_id(nilas_connect__operation *operation, const char *id, nilas_error *err) {
    if (id == NULL) {
        return nilas_uuid_new(&operation->id, err);
    }
    if (!nilas_uuid_is(nilas_str_of(id))) {
        return nilas_fail_at(err, NILAS_INVALID, "INVALID_HANDLE.FORMAT", -1,
                             "The handle %.100s is invalid. Handle must be an UUID string of the "
                             "format '00112233-4455-6677-8899-aabbccddeeff'",
                             id);
    }
    (void)snprintf(operation->id.text, sizeof(operation->id.text), "%s", id);
    return NILAS_OK;
}

static nilas_code new_operation(nilas_connect__client *client,
                                const nilas_connect__operation_options *options,
                                nilas_connect__operation **out, nilas_error *err) {
    nilas_connect__operation *operation = calloc(1, sizeof(*operation));
    NILAS_REQUIRE(operation != NULL, err, NILAS_NOMEM, "out of memory for an operation");
    atomic_init(&operation->references, 1);
    pthread_mutex_init(&operation->lock, NULL);
    pthread_cond_init(&operation->changed, NULL);
    atomic_fetch_add_explicit(&client->references, 1, memory_order_relaxed);
    operation->client = client;
    operation->reattachable = options->reattachable;
    operation->plan_hash = options->plan_hash;
    operation->unread_since_ms = nilas_now_ms();
    nilas_code code = set_id(operation, options->id, err);
    if (code == NILAS_OK) {
        code = copy_tags(operation, options, err);
    }
    if (code != NILAS_OK) {
        nilas_connect__operation_unref(operation);
        return code;
    }
    *out = operation;
    return NILAS_OK;
}

/* --- the client's list; its lock is held --- */

static nilas_connect__operation *find_in_list(const nilas_connect__client *client, const char *id) {
    for (nilas_connect__operation *at = client->operations; at != NULL; at = at->next) {
        if (strcmp(at->id.text, id) == 0) {
            return at;
        }
    }
    return NULL;
}

static bool is_gone(const nilas_connect__client *client, const char *id) {
    for (size_t i = 0; i < NILAS_CONNECT_GONE; i++) {
        if (strcmp(client->gone[i].text, id) == 0) {
            return true;
        }
    }
    return false;
}

/** Whether it was in the list; its reference goes to the caller then. */
static bool unlink_operation(nilas_connect__client *client, nilas_connect__operation *operation) {
    for (nilas_connect__operation **at = &client->operations; *at != NULL; at = &(*at)->next) {
        if (*at == operation) {
            *at = operation->next;
            client->operation_count--;
            client->gone[client->gone_next++ % NILAS_CONNECT_GONE] = operation->id;
            return true;
        }
    }
    return false;
}

static nilas_code fail_operation(nilas_error *err, const char *condition, const char *id,
                                 const char *why) {
    return nilas_fail_at(err, NILAS_INVALID, condition, -1, "The handle %.100s is invalid. %s", id,
                         why);
}

static nilas_code add_to_list(nilas_connect__client *client, nilas_connect__operation *operation,
                              nilas_error *err) {
    const char *id = operation->id.text;
    if (client->ended) {
        return fail_operation(err, "INVALID_HANDLE.SESSION_CLOSED", client->session_id.text,
                              "Session was closed.");
    }
    if (is_gone(client, id)) {
        return fail_operation(err, "INVALID_HANDLE.OPERATION_ABANDONED", id,
                              "Operation was considered abandoned because of inactivity and "
                              "removed.");
    }
    NILAS_REQUIRE(client->operation_count < NILAS_LIMIT_CONNECT_OPERATIONS, err, NILAS_LIMIT,
                  "the session has %d operations that run or are not released",
                  NILAS_LIMIT_CONNECT_OPERATIONS);
    operation->next = client->operations;
    client->operations = nilas_connect__operation_ref(operation);
    client->operation_count++;
    return NILAS_OK;
}

nilas_code nilas_connect__operation_begin(nilas_connect__client *client,
                                          const nilas_connect__operation_options *options,
                                          nilas_connect__operation **out, bool *out_found,
                                          nilas_error *err) {
    NILAS_AUTO(nilas_connect__operation) operation = NULL;
    nilas_code code = new_operation(client, options, &operation, err);
    if (code != NILAS_OK) {
        return code;
    }
    pthread_mutex_lock(&client->lock);
    nilas_connect__operation *same = find_in_list(client, operation->id.text);
    if (same == NULL) {
        code = add_to_list(client, operation, err);
    } else if (same->plan_hash != options->plan_hash || !same->reattachable) {
        code = fail_operation(err, "INVALID_HANDLE.OPERATION_ALREADY_EXISTS", operation->id.text,
                              "Operation already exists.");
    } else {
        (void)nilas_connect__operation_ref(same);
    }
    pthread_mutex_unlock(&client->lock);
    if (code == NILAS_OK) {
        *out_found = same != NULL;
        *out = same != NULL ? same : nilas_connect__operation_ref(operation);
    }
    return code;
}

nilas_code nilas_connect__operation_find(nilas_connect__client *client, const char *id,
                                         nilas_connect__operation **out, nilas_error *err) {
    nilas_code code = NILAS_OK;
    id = id != NULL ? id : "";
    pthread_mutex_lock(&client->lock);
    nilas_connect__operation *found = find_in_list(client, id);
    if (found != NULL) {
        *out = nilas_connect__operation_ref(found);
    } else if (is_gone(client, id)) {
        code = fail_operation(err, "INVALID_HANDLE.OPERATION_ABANDONED", id,
                              "Operation was considered abandoned because of inactivity and "
                              "removed.");
    } else {
        code =
            fail_operation(err, "INVALID_HANDLE.OPERATION_NOT_FOUND", id, "Operation not found.");
    }
    pthread_mutex_unlock(&client->lock);
    return code;
}

/* --- keeping answers; the operation's lock is held --- */

/** Count what is kept, here and in the whole server. */
static void count_kept(nilas_connect__operation *operation, int64_t bytes) {
    operation->kept_bytes += (size_t)bytes;
    atomic_fetch_add_explicit(&operation->client->server->kept_bytes, bytes, memory_order_relaxed);
}

/** All operations together keep so much that each has to do with less. */
static bool is_crowded(const nilas_connect__operation *operation) {
    return atomic_load_explicit(&operation->client->server->kept_bytes, memory_order_relaxed) >
           NILAS_LIMIT_CONNECT_KEPT;
}

static void drop_first(nilas_connect__operation *operation, size_t count) {
    for (size_t i = 0; i < count; i++) {
        count_kept(operation, -(int64_t)nilas_wire_packet_size(operation->answers[i].packet));
        nilas_wire_packet_unref(operation->answers[i].packet);
    }
    operation->count -= count;
    operation->first += (int64_t)count;
    if (count > 0) {
        memmove(operation->answers, operation->answers + count,
                operation->count * sizeof(operation->answers[0]));
    }
}

/** What was sent is kept for a reader who lost it: up to a limit, or not at all. */
static void trim(nilas_connect__operation *operation) {
    size_t limit =
        operation->reattachable && !is_crowded(operation) ? NILAS_LIMIT_CONNECT_REPLAY : 0;
    size_t sent = (size_t)(operation->next_to_send - operation->first);
    size_t bytes = operation->kept_bytes - operation->unread_bytes;
    size_t drop = 0;
    while (drop < sent && bytes > limit) {
        bytes -= nilas_wire_packet_size(operation->answers[drop++].packet);
    }
    drop_first(operation, drop);
}

static nilas_code keep(nilas_connect__operation *operation, nilas_wire_packet *packet,
                       const nilas_uuid *id, nilas_error *err) {
    if (operation->count == operation->capacity) {
        size_t capacity = operation->capacity == 0 ? 8 : operation->capacity * 2;
        answer *answers = realloc(operation->answers, capacity * sizeof(*answers));
        NILAS_REQUIRE(answers != NULL, err, NILAS_NOMEM, "out of memory for answers");
        operation->answers = answers;
        operation->capacity = capacity;
    }
    operation->answers[operation->count++] =
        (answer){.packet = nilas_wire_packet_ref(packet), .id = *id};
    count_kept(operation, (int64_t)nilas_wire_packet_size(packet));
    operation->unread_bytes += nilas_wire_packet_size(packet);
    pthread_cond_broadcast(&operation->changed);
    return NILAS_OK;
}

static void wait_change(nilas_connect__operation *operation) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += LOOK_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    (void)pthread_cond_timedwait(&operation->changed, &operation->lock, &until);
}

/* --- sending --- */

/** The reader has gone: keep on for a while if it may come back, else stop. */
static void lose_reader(nilas_connect__operation *operation, uint64_t reader) {
    pthread_mutex_lock(&operation->lock);
    bool was_it = operation->reader == reader && operation->call != NULL;
    if (was_it) {
        operation->call = NULL;
        operation->unread_since_ms = nilas_now_ms();
    }
    bool give_up = was_it && !operation->reattachable;
    pthread_mutex_unlock(&operation->lock);
    if (give_up) {
        nilas_connect__operation_release(operation);
    }
}

/** The next answer for this reader, or NULL: there is none now, or another one reads. */
static nilas_wire_packet *take_next(nilas_connect__operation *operation, uint64_t reader,
                                    bool *out_more) {
    nilas_wire_packet *packet = NULL;
    pthread_mutex_lock(&operation->lock);
    int64_t end = operation->first + (int64_t)operation->count;
    if (operation->reader == reader && operation->next_to_send < end) {
        packet = nilas_wire_packet_ref(
            operation->answers[operation->next_to_send - operation->first].packet);
        operation->next_to_send++;
        operation->unread_bytes -= nilas_wire_packet_size(packet);
        *out_more = operation->next_to_send < end || operation->state != NILAS_CONNECT_RUNNING;
        pthread_cond_broadcast(&operation->changed);
    }
    pthread_mutex_unlock(&operation->lock);
    return packet;
}

/** Send what is there. False: the reader has gone. */
static bool send_all(nilas_connect__operation *operation, nilas_wire_call *call, uint64_t reader) {
    for (;;) {
        bool more = false;
        NILAS_AUTO(nilas_wire_packet) packet = take_next(operation, reader, &more);
        if (packet == NULL) {
            return true;
        }
        if (nilas_wire_call_send(call, packet, more) != NILAS_OK) {
            lose_reader(operation, reader);
            return false;
        }
        pthread_mutex_lock(&operation->lock);
        trim(operation);
        pthread_mutex_unlock(&operation->lock);
    }
}

/** The producer's own call, if it still reads. */
static nilas_wire_call *own_call(nilas_connect__operation *operation) {
    pthread_mutex_lock(&operation->lock);
    nilas_wire_call *call = operation->reader == operation->own_reader ? operation->call : NULL;
    pthread_mutex_unlock(&operation->lock);
    return call;
}

static void flush_own(nilas_connect__operation *operation) {
    nilas_wire_call *call = own_call(operation);
    if (call != NULL && nilas_wire_call_is_gone(call)) {
        lose_reader(operation, operation->own_reader);
    } else if (call != NULL) {
        (void)send_all(operation, call, operation->own_reader);
    }
    operation->sent_ns = nilas_monotonic_ns();
}

static nilas_code fail_canceled(nilas_error *err) {
    return nilas_fail_at(err, NILAS_CANCELLED, "OPERATION_CANCELED", -1,
                         "Operation has been canceled.");
}

/** Wait until the answers that nobody has read are fewer. */
static nilas_code wait_room(nilas_connect__operation *operation, nilas_error *err) {
    pthread_mutex_lock(&operation->lock);
    while (operation->unread_bytes >
               (is_crowded(operation) ? CORK_BYTES : NILAS_LIMIT_CONNECT_UNREAD) &&
           !nilas_connect__operation_is_interrupted(operation)) {
        wait_change(operation);
    }
    pthread_mutex_unlock(&operation->lock);
    return nilas_connect__operation_is_interrupted(operation) ? fail_canceled(err) : NILAS_OK;
}

nilas_code nilas_connect__operation_emit(nilas_connect__operation *operation,
                                         Sc__ExecutePlanResponse *response, nilas_error *err) {
    nilas_uuid id;
    NILAS_AUTO(nilas_wire_packet) packet = NULL;
    NILAS_TRY(nilas_uuid_new(&id, err));
    response->session_id = operation->client->session_id.text;
    response->server_side_session_id = operation->client->server_id.text;
    response->operation_id = operation->id.text;
    response->response_id = id.text;
    NILAS_TRY(nilas_wire_packet_new(&response->base, &packet, err));
    pthread_mutex_lock(&operation->lock);
    nilas_code code = keep(operation, packet, &id, err);
    bool corked = operation->unread_bytes < CORK_BYTES;
    pthread_mutex_unlock(&operation->lock);
    NILAS_TRY(code);
    if (!corked || nilas_monotonic_ns() - operation->sent_ns > CORK_NS) {
        flush_own(operation);
    }
    return wait_room(operation, err);
}

void nilas_connect__operation_progress(nilas_connect__operation *operation, double fraction) {
    int64_t now_ns = nilas_monotonic_ns();
    nilas_wire_call *call = own_call(operation);
    if (call != NULL && nilas_wire_call_is_gone(call)) {
        lose_reader(operation, operation->own_reader);
        return;
    }
    if (call == NULL || now_ns - operation->told_ns < PROGRESS_NS) {
        return;
    }
    operation->told_ns = now_ns;
    Sc__ExecutePlanResponse response = SC__EXECUTE_PLAN_RESPONSE__INIT;
    Sc__ExecutePlanResponse__ExecutionProgress progress =
        SC__EXECUTE_PLAN_RESPONSE__EXECUTION_PROGRESS__INIT;
    Sc__ExecutePlanResponse__ExecutionProgress__StageInfo stage =
        SC__EXECUTE_PLAN_RESPONSE__EXECUTION_PROGRESS__STAGE_INFO__INIT;
    Sc__ExecutePlanResponse__ExecutionProgress__StageInfo *stages[] = {&stage};
    nilas_error ignored = NILAS_ERROR_INIT;
    stage.num_tasks = PROGRESS_TASKS;
    stage.num_completed_tasks = fraction > 0 ? (int64_t)(fraction * PROGRESS_TASKS) : 0;
    progress.stages = stages;
    progress.n_stages = 1;
    progress.num_inflight_tasks = 1;
    response.execution_progress = &progress;
    response.response_type_case = SC__EXECUTE_PLAN_RESPONSE__RESPONSE_TYPE_EXECUTION_PROGRESS;
    (void)nilas_connect__operation_emit(operation, &response, &ignored);
    flush_own(operation);
}

void nilas_connect__operation_finish(nilas_connect__operation *operation,
                                     const nilas_connect__failure *failure) {
    nilas_connect__status status = {0};
    if (failure != NULL) {
        nilas_connect__status_of(operation->client, failure, &status);
    }
    pthread_mutex_lock(&operation->lock);
    nilas_assert(operation->state == NILAS_CONNECT_RUNNING);
    operation->status = status;
    operation->state = failure == NULL                          ? NILAS_CONNECT_SUCCEEDED
                       : failure->error.code == NILAS_CANCELLED ? NILAS_CONNECT_CANCELED
                                                                : NILAS_CONNECT_FAILED;
    pthread_cond_broadcast(&operation->changed);
    pthread_mutex_unlock(&operation->lock);
}

/* --- readers --- */

/** The number behind an answer; -1: it is not kept. The lock is held. */
static int64_t number_behind(const nilas_connect__operation *operation, const char *response_id) {
    for (size_t i = 0; i < operation->count; i++) {
        if (strcmp(operation->answers[i].id.text, response_id) == 0) {
            return operation->first + (int64_t)i + 1;
        }
    }
    return -1;
}

static nilas_code attach(nilas_connect__operation *operation, nilas_wire_call *call,
                         const char *last_response_id, nilas_error *err) {
    int64_t number =
        last_response_id != NULL ? number_behind(operation, last_response_id) : operation->first;
    if (number < 0 || (last_response_id == NULL && operation->first > 0)) {
        return nilas_fail_at(err, NILAS_INVALID,
                             number < 0 ? "INVALID_CURSOR.POSITION_NOT_FOUND"
                                        : "INVALID_CURSOR.POSITION_NOT_AVAILABLE",
                             -1,
                             "The cursor is invalid. The cursor position id %.100s is no longer "
                             "available.",
                             last_response_id != NULL ? last_response_id : "(first)");
    }
    if (operation->call != NULL) {
        nilas_wire_call_cancel(operation->call); // whoever reads there has lost it
    }
    for (int64_t i = number; i < operation->next_to_send; i++) {
        operation->unread_bytes +=
            nilas_wire_packet_size(operation->answers[i - operation->first].packet);
    }
    for (int64_t i = operation->next_to_send; i < number; i++) {
        operation->unread_bytes -=
            nilas_wire_packet_size(operation->answers[i - operation->first].packet);
    }
    operation->next_to_send = number;
    operation->call = call;
    operation->reader++;
    pthread_cond_broadcast(&operation->changed);
    return NILAS_OK;
}

nilas_code nilas_connect__operation_attach(nilas_connect__operation *operation,
                                           nilas_wire_call *call, const char *last_response_id,
                                           nilas_error *err) {
    pthread_mutex_lock(&operation->lock);
    nilas_code code = attach(operation, call, last_response_id, err);
    pthread_mutex_unlock(&operation->lock);
    return code;
}

void nilas_connect__operation_produce(nilas_connect__operation *operation, nilas_wire_call *call) {
    pthread_mutex_lock(&operation->lock);
    operation->own_reader = operation->call == call ? operation->reader : 0;
    pthread_mutex_unlock(&operation->lock);
    operation->sent_ns = nilas_monotonic_ns();
    operation->told_ns = operation->sent_ns;
}

/** What a reader may do next. */
typedef enum next_step { SEND_MORE, END_WELL, END_BADLY, READER_GONE } next_step;

static next_step wait_step(nilas_connect__operation *operation, uint64_t reader) {
    next_step step = SEND_MORE;
    pthread_mutex_lock(&operation->lock);
    bool is_reader = operation->reader == reader && operation->call != NULL;
    bool is_empty = operation->next_to_send == operation->first + (int64_t)operation->count;
    if (is_reader && is_empty && operation->state == NILAS_CONNECT_RUNNING) {
        wait_change(operation);
    } else if (!is_reader) {
        step = READER_GONE;
    } else if (is_empty) {
        step = operation->state == NILAS_CONNECT_SUCCEEDED ? END_WELL : END_BADLY;
    }
    pthread_mutex_unlock(&operation->lock);
    return step;
}

/** The stream ends as the operation did; a client that may not come back has read it all. */
static void end_stream(nilas_connect__operation *operation, nilas_wire_call *call, bool well) {
    pthread_mutex_lock(&operation->lock);
    if (operation->call == call) { // another one may read by now
        operation->call = NULL;
        operation->unread_since_ms = nilas_now_ms();
    }
    pthread_mutex_unlock(&operation->lock);
    if (well) {
        nilas_wire_call_end(call, NILAS_WIRE_OK, NILAS_STR_EMPTY, NILAS_STR_EMPTY);
    } else { // the status does not change any more
        nilas_wire_call_end(call, operation->status.code,
                            nilas_buf_view(&operation->status.message),
                            nilas_buf_view(&operation->status.details));
    }
    if (!operation->reattachable) {
        nilas_connect__operation_release(operation);
    }
}

void nilas_connect__operation_stream(nilas_connect__operation *operation, nilas_wire_call *call) {
    pthread_mutex_lock(&operation->lock);
    uint64_t reader = operation->call == call ? operation->reader : 0;
    pthread_mutex_unlock(&operation->lock);
    next_step step = reader == 0 ? READER_GONE : SEND_MORE;
    while (step == SEND_MORE) {
        if (nilas_wire_call_is_gone(call)) {
            lose_reader(operation, reader);
        } else {
            (void)send_all(operation, call, reader);
        }
        step = wait_step(operation, reader);
    }
    if (step == READER_GONE) {
        nilas_wire_call_end(call, NILAS_WIRE_CANCELLED, NILAS_STR("another call reads on"),
                            NILAS_STR_EMPTY);
    } else {
        end_stream(operation, call, step == END_WELL);
    }
}

/* --- letting go --- */

nilas_code nilas_connect__operation_release_until(nilas_connect__operation *operation,
                                                  const char *response_id, nilas_error *err) {
    (void)err; // what is not kept any more is released already
    pthread_mutex_lock(&operation->lock);
    int64_t number = response_id != NULL ? number_behind(operation, response_id) : -1;
    if (number > operation->next_to_send) {
        number = operation->next_to_send; // nobody releases what was not sent
    }
    if (number > operation->first) {
        drop_first(operation, (size_t)(number - operation->first));
    }
    pthread_mutex_unlock(&operation->lock);
    return NILAS_OK;
}

void nilas_connect__operation_interrupt(nilas_connect__operation *operation) {
    atomic_store(&operation->cancel.requested, true);
    pthread_mutex_lock(&operation->lock);
    pthread_cond_broadcast(&operation->changed);
    pthread_mutex_unlock(&operation->lock);
}

void nilas_connect__operation_release(nilas_connect__operation *operation) {
    nilas_connect__client *client = operation->client;
    pthread_mutex_lock(&client->lock);
    bool was_listed = unlink_operation(client, operation);
    pthread_mutex_unlock(&client->lock);
    nilas_connect__operation_interrupt(operation);
    if (was_listed) {
        nilas_connect__operation_unref(operation);
    }
}

/** An operation that nobody has read since then, taken from the list. */
static nilas_connect__operation *take_unread(nilas_connect__client *client, int64_t before_ms) {
    nilas_connect__operation *found = NULL;
    pthread_mutex_lock(&client->lock);
    for (nilas_connect__operation *at = client->operations; at != NULL && found == NULL;
         at = at->next) {
        pthread_mutex_lock(&at->lock);
        bool unread =
            before_ms == INT64_MAX || (at->call == NULL && at->unread_since_ms < before_ms);
        pthread_mutex_unlock(&at->lock);
        found = unread ? at : NULL;
    }
    if (found != NULL) {
        (void)unlink_operation(client, found);
    }
    pthread_mutex_unlock(&client->lock);
    return found;
}

void nilas_connect__give_up(nilas_connect__client *client, int64_t before_ms) {
    for (;;) {
        nilas_connect__operation *operation = take_unread(client, before_ms);
        if (operation == NULL) {
            return;
        }
        nilas_connect__operation_interrupt(operation);
        nilas_connect__operation_unref(operation);
    }
}

/* --- interrupts and states --- */

static bool has_tag(const nilas_connect__operation *operation, const char *tag) {
    for (size_t i = 0; i < operation->tag_count; i++) {
        if (strcmp(operation->tags[i], tag) == 0) {
            return true;
        }
    }
    return false;
}

static nilas_connect__state state_of(nilas_connect__operation *operation) {
    pthread_mutex_lock(&operation->lock);
    nilas_connect__state state = operation->state;
    pthread_mutex_unlock(&operation->lock);
    return state;
}

/** The operations of a client, each with a reference. */
static nilas_code list_operations(nilas_connect__client *client, nilas_arena *arena,
                                  nilas_connect__operation ***out, size_t *out_count,
                                  nilas_error *err) {
    nilas_connect__operation **list;
    NILAS_NEW_ARRAY(arena, &list, NILAS_LIMIT_CONNECT_OPERATIONS, err);
    size_t count = 0;
    pthread_mutex_lock(&client->lock);
    for (nilas_connect__operation *at = client->operations; at != NULL; at = at->next) {
        list[count++] = nilas_connect__operation_ref(at);
    }
    pthread_mutex_unlock(&client->lock);
    *out = list;
    *out_count = count;
    return NILAS_OK;
}

nilas_code nilas_connect__interrupt(nilas_connect__client *client, const char *tag, const char *id,
                                    nilas_arena *arena, char ***out_ids, size_t *out_count,
                                    nilas_error *err) {
    nilas_connect__operation **list;
    size_t count;
    NILAS_TRY(list_operations(client, arena, &list, &count, err));
    char **ids = NULL;
    size_t id_count = 0;
    void *memory = NULL;
    nilas_code code = nilas_arena_alloc_array(arena, count, sizeof(ids[0]), &memory, err);
    ids = memory;
    for (size_t i = 0; i < count; i++) {
        bool wanted = (tag == NULL || has_tag(list[i], tag)) &&
                      (id == NULL || strcmp(list[i]->id.text, id) == 0);
        nilas_str copy;
        if (code == NILAS_OK && wanted && state_of(list[i]) == NILAS_CONNECT_RUNNING) {
            nilas_connect__operation_interrupt(list[i]);
            code = nilas_str_copy(arena, nilas_str_of(list[i]->id.text), &copy, err);
            ids[id_count++] = (char *)(uintptr_t)copy.data;
        }
        nilas_connect__operation_unref(list[i]);
    }
    *out_ids = ids;
    *out_count = id_count;
    return code;
}

#define STATE(name)                                                                                \
    SC__GET_STATUS_RESPONSE__OPERATION_STATUS__OPERATION_STATE__OPERATION_STATE_##name

static Sc__GetStatusResponse__OperationStatus__OperationState
message_of_state(nilas_connect__operation *operation) {
    switch (state_of(operation)) {
    case NILAS_CONNECT_RUNNING:
        return nilas_connect__operation_is_interrupted(operation) ? STATE(TERMINATING)
                                                                  : STATE(RUNNING);
    case NILAS_CONNECT_SUCCEEDED: return STATE(SUCCEEDED);
    case NILAS_CONNECT_FAILED: return STATE(FAILED);
    case NILAS_CONNECT_CANCELED: break;
    }
    return STATE(CANCELLED);
}

static nilas_code add_status(nilas_arena *arena, const char *id,
                             Sc__GetStatusResponse__OperationStatus__OperationState state,
                             Sc__GetStatusResponse *out, nilas_error *err) {
    Sc__GetStatusResponse__OperationStatus *status;
    nilas_str copy;
    NILAS_NEW(arena, &status, err);
    sc__get_status_response__operation_status__init(status);
    NILAS_TRY(nilas_str_copy(arena, nilas_str_of(id), &copy, err));
    status->operation_id = (char *)(uintptr_t)copy.data;
    status->state = state;
    out->operation_statuses[out->n_operation_statuses++] = status;
    return NILAS_OK;
}

static nilas_connect__operation *find_listed(nilas_connect__operation **list, size_t count,
                                             const char *id) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i]->id.text, id) == 0) {
            return list[i];
        }
    }
    return NULL;
}

nilas_code nilas_connect__statuses(nilas_connect__client *client, char *const *ids, size_t count,
                                   nilas_arena *arena, Sc__GetStatusResponse *out,
                                   nilas_error *err) {
    nilas_connect__operation **list;
    size_t listed;
    NILAS_TRY(list_operations(client, arena, &list, &listed, err));
    void *memory = NULL;
    nilas_code code = nilas_arena_alloc_array(arena, count > 0 ? count : listed,
                                              sizeof(out->operation_statuses[0]), &memory, err);
    out->operation_statuses = memory;
    for (size_t i = 0; i < count && code == NILAS_OK; i++) {
        const char *id = ids[i] != NULL ? ids[i] : "";
        nilas_connect__operation *found = find_listed(list, listed, id);
        code = add_status(arena, id, found != NULL ? message_of_state(found) : STATE(UNKNOWN), out,
                          err);
    }
    for (size_t i = 0; i < listed; i++) {
        if (count == 0 && code == NILAS_OK) {
            code = add_status(arena, list[i]->id.text, message_of_state(list[i]), out, err);
        }
        nilas_connect__operation_unref(list[i]);
    }
    return code;
}
