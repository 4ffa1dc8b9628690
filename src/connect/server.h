/**
 * Private to the connect room: the server, the sessions of its clients, and their operations.
 *
 * A *client* is one Spark session: (user, session id). Its statements may run at once. An
 * *operation* is one ExecutePlan: what it answers is kept until the client releases it, so that a
 * broken stream can be taken up again and a command never runs twice.
 */
#ifndef NILAS_CONNECT_SERVER_H
#define NILAS_CONNECT_SERVER_H

#include <pthread.h>

#include "connect/translate.h"

typedef struct nilas_connect__server nilas_connect__server;
typedef struct nilas_connect__client nilas_connect__client;
typedef struct nilas_connect__operation nilas_connect__operation;

// ---- failures (failure.c)

/** What went wrong, as the client is told. */
typedef struct nilas_connect__failure {
    nilas_error error;
    bool parsing;  // the text is no SQL: Spark's ParseException
    nilas_str sql; // the text that error.sql_offset points into; data NULL: none. Borrowed
} nilas_connect__failure;

/** A failure that is told: the texts of gRPC's status. */
typedef struct nilas_connect__status {
    int code;
    nilas_buf message;
    nilas_buf details; // an encoded google.rpc.Status
} nilas_connect__status;

void nilas_connect__status_done(nilas_connect__status *status);
/** Put a failure in words; `client` (or NULL) keeps what FetchErrorDetails tells of it. */
void nilas_connect__status_of(nilas_connect__client *client, const nilas_connect__failure *failure,
                              nilas_connect__status *out);
/** End a call with a failure. */
void nilas_connect__fail_call(nilas_wire_call *call, nilas_connect__client *client,
                              const nilas_connect__failure *failure);

// ---- the server (client.c)

#define NILAS_CONNECT_ENDED 256 // sessions that are remembered as ended

struct nilas_connect__server {
    const nilas_properties *settings; // of every session
    int64_t session_timeout_ms, detached_timeout_ms;
    atomic_llong kept_bytes; // of answers, in all operations
    pthread_mutex_t lock; // of what follows
    nilas_connect__client *clients;
    size_t client_count;
    uint64_t ended[NILAS_CONNECT_ENDED]; // hashes of (user, session id)
    size_t ended_next;
};

void nilas_connect__server_init(nilas_connect__server *server, const nilas_properties *settings);
/** Interrupt everything: the server stops. */
void nilas_connect__server_stop(nilas_connect__server *server);
/** After the last call has ended. */
void nilas_connect__server_done(nilas_connect__server *server);
/** Sessions that nobody used for long end; operations that nobody reads are given up. */
void nilas_connect__server_tick(nilas_connect__server *server);

// ---- clients (client.c)

#define NILAS_CONNECT_GONE     256 // operations that are remembered as over
#define NILAS_CONNECT_FAILURES 32  // failures whose details can be fetched

/** Bytes under a name: what a client uploaded, or a message that it keeps. */
typedef struct nilas_connect__item {
    struct nilas_connect__item *next;
    char *name;
    char *bytes;
    size_t size;
} nilas_connect__item;

struct nilas_connect__client {
    nilas_connect__client *next;
    nilas_connect__server *server;
    atomic_int references;
    char *user_id;
    nilas_uuid session_id; // as the client wrote it
    nilas_uuid server_id;  // the server's own name for the session
    atomic_llong used_ms;
    pthread_mutex_t lock; // of what follows
    bool ended;
    nilas_connect__operation *operations;
    size_t operation_count;
    nilas_uuid gone[NILAS_CONNECT_GONE];
    size_t gone_next;
    nilas_arena *failures[NILAS_CONNECT_FAILURES];
    const Sc__FetchErrorDetailsResponse *failure_details[NILAS_CONNECT_FAILURES];
    nilas_uuid failure_ids[NILAS_CONNECT_FAILURES];
    size_t failure_next;
    nilas_connect__item *artifacts, *messages;
    size_t artifact_bytes;
    nilas_session *session; // NULL until it is needed; then it stays
};

/** Who calls, as all requests say it. */
typedef struct nilas_connect__caller {
    const char *session_id;
    const Sc__UserContext *user;
    const char *observed; // the server's name for the session, as the client knows it; or NULL
} nilas_connect__caller;

/**
 * The caller's session, made on first sight.
 * @param out  one reference, dropped by nilas_connect__client_unref()
 * @return NILAS_INVALID  INVALID_HANDLE: the name is no UUID, or the session has ended
 *         NILAS_LIMIT    too many sessions
 */
nilas_code nilas_connect__client_get(nilas_connect__server *server,
                                     const nilas_connect__caller *caller,
                                     nilas_connect__client **out, nilas_error *err);
void nilas_connect__client_unref(nilas_connect__client *client);
NILAS_DEFINE_AUTO(nilas_connect__client, nilas_connect__client_unref);
/** End the caller's session, if there is one: its operations are interrupted. */
void nilas_connect__client_end(nilas_connect__server *server, const nilas_connect__caller *caller,
                               bool allow_reconnect, nilas_uuid *out_server_id);

/** The session behind the client, opened on the first call. Lives as long as the client. */
nilas_code nilas_connect__client_session(nilas_connect__client *client, nilas_session **out,
                                         nilas_error *err);

/** A new session with the settings, current namespace and temporary views of another one. */
nilas_code nilas_connect__client_clone(nilas_connect__client *from, const char *session_id,
                                       nilas_connect__client **out, nilas_error *err);

// ---- operations (operation.c)

typedef enum nilas_connect__state {
    NILAS_CONNECT_RUNNING,
    NILAS_CONNECT_SUCCEEDED,
    NILAS_CONNECT_FAILED,
    NILAS_CONNECT_CANCELED,
} nilas_connect__state;

/** What ExecutePlan asks for beside the plan. */
typedef struct nilas_connect__operation_options {
    const char *id; // NULL: one is made
    char *const *tags;
    size_t tag_count;
    bool reattachable;
    uint64_t plan_hash; // the same id with the same plan is the same operation, asked again
} nilas_connect__operation_options;

/**
 * Begin an operation, or find the one that has the id and the plan: *out_found.
 * @param out  one reference
 */
nilas_code nilas_connect__operation_begin(nilas_connect__client *client,
                                          const nilas_connect__operation_options *options,
                                          nilas_connect__operation **out, bool *out_found,
                                          nilas_error *err);
nilas_code nilas_connect__operation_find(nilas_connect__client *client, const char *id,
                                         nilas_connect__operation **out, nilas_error *err);
nilas_connect__operation *nilas_connect__operation_ref(nilas_connect__operation *operation);
void nilas_connect__operation_unref(nilas_connect__operation *operation);
NILAS_DEFINE_AUTO(nilas_connect__operation, nilas_connect__operation_unref);
nilas_connect__client *nilas_connect__operation_client(nilas_connect__operation *operation);
bool nilas_connect__operation_is_interrupted(nilas_connect__operation *operation);
/** What stops the operation's statement. */
nilas_cancel *nilas_connect__operation_cancel(nilas_connect__operation *operation);

/** One answer: names are filled in, then it is kept and sent as soon as that pays. Waits while too
 *  much is not read. NILAS_CANCELLED: interrupted, or nobody will ever read it. */
nilas_code nilas_connect__operation_emit(nilas_connect__operation *operation,
                                         Sc__ExecutePlanResponse *response, nilas_error *err);
/** Tell the reader how far it is, now and then; also the moment to notice that nobody reads. */
void nilas_connect__operation_progress(nilas_connect__operation *operation, double fraction);
/** Nothing more comes. `failure` NULL: it went well. */
void nilas_connect__operation_finish(nilas_connect__operation *operation,
                                     const nilas_connect__failure *failure);

/** The operation's answers go to this call from now on, those behind `last_response_id` (NULL: all)
 *  first. A call that had them before ends. */
nilas_code nilas_connect__operation_attach(nilas_connect__operation *operation,
                                           nilas_wire_call *call, const char *last_response_id,
                                           nilas_error *err);
/** This thread makes the answers, and sends them itself as long as its own call reads. */
void nilas_connect__operation_produce(nilas_connect__operation *operation, nilas_wire_call *call);
/** Send until the operation is over or the call is. Ends the call. */
void nilas_connect__operation_stream(nilas_connect__operation *operation, nilas_wire_call *call);
/** Answers up to this one are not needed any more. */
nilas_code nilas_connect__operation_release_until(nilas_connect__operation *operation,
                                                  const char *response_id, nilas_error *err);
/** The operation is not needed any more: interrupted if it runs, and forgotten. */
void nilas_connect__operation_release(nilas_connect__operation *operation);
void nilas_connect__operation_interrupt(nilas_connect__operation *operation);

/** Interrupt all operations of a client, those with a tag, or the one with an id (the others NULL).
 *  The ids of those that were running live in the arena. */
nilas_code nilas_connect__interrupt(nilas_connect__client *client, const char *tag, const char *id,
                                    nilas_arena *arena, char ***out_ids, size_t *out_count,
                                    nilas_error *err);
/** GetStatus: of the operations named (count 0: all). */
nilas_code nilas_connect__statuses(nilas_connect__client *client, char *const *ids, size_t count,
                                   nilas_arena *arena, Sc__GetStatusResponse *out,
                                   nilas_error *err);
/** Give up what nobody has read since then. */
void nilas_connect__give_up(nilas_connect__client *client, int64_t before_ms);

// ---- answers, one function a method; each ends the call (answer.c names them)

typedef struct nilas_connect__request {
    nilas_connect__server *server;
    nilas_wire_call *call;
    nilas_arena *arena; // of the request
    ProtobufCMessage *message;
    nilas_connect__failure failure; // what is known beside the error, should there be one
} nilas_connect__request;

/** Called on a thread of its own for each call. `context` is the server. */
void nilas_connect__answer(void *context, nilas_wire_call *call);
extern const char *const nilas_connect__methods[];
extern const size_t nilas_connect__method_count;

/** Either ends the call and returns NILAS_OK, or returns a failure and has not ended it. */
typedef nilas_code nilas_connect__answer_fn(nilas_connect__request *request,
                                            nilas_connect__client *client, nilas_error *err);
nilas_connect__answer_fn nilas_connect__execute;       // execute.c
nilas_connect__answer_fn nilas_connect__analyze;       // analyze.c
nilas_connect__answer_fn nilas_connect__config;        // config.c
nilas_connect__answer_fn nilas_connect__add_artifacts; // artifact.c
nilas_connect__answer_fn nilas_connect__artifact_status;
nilas_connect__answer_fn nilas_connect__fetch_error; // failure.c

// ---- plans (plan_open.c): a request's plan as messages that live as long as an arena

nilas_code nilas_connect__decode(nilas_arena *arena, const ProtobufCMessageDescriptor *descriptor,
                                 nilas_str bytes, ProtobufCMessage **out,
                                 nilas_error *err); // answer.c
/** The relation of a plan to be analyzed. */
nilas_code nilas_connect__open_root(nilas_arena *arena, const Sc__Plan *plan,
                                    const Sc__Relation **out, nilas_error *err);
/** The only SQL text in a plan; data NULL: there is none, or several. */
nilas_str nilas_connect__only_sql(const ProtobufCMessage *plan);
/** Fill in what only the plan knows of a failure: the text, and whether it is no SQL. */
void nilas_connect__explain_failure(const nilas_translation *translation,
                                    const ProtobufCMessage *plan, nilas_connect__failure *failure);
/** The relation or the command of a plan, decompressed if need be. One of the two is set. */
nilas_code nilas_connect__open_plan(nilas_arena *arena, const Sc__Plan *plan,
                                    const Sc__Relation **out_relation,
                                    const Sc__Command **out_command, nilas_error *err);

// ---- what a client keeps (artifact.c)

/** Where a translation finds what it names: its callbacks' context. */
typedef struct nilas_connect__lookup {
    nilas_connect__client *client;
    nilas_arena *stmt;
} nilas_connect__lookup;
nilas_str nilas_connect__find_artifact(void *lookup, nilas_str hash);
const Sc__Relation *nilas_connect__find_relation(void *lookup, nilas_str id);
/** Keep a message under a name, find it again (decoded into `stmt`; NULL: unknown), let it go. */
nilas_code nilas_connect__keep_message(nilas_connect__client *client, const char *name,
                                       const ProtobufCMessage *message, nilas_error *err);
ProtobufCMessage *nilas_connect__find_message(const nilas_connect__lookup *lookup, nilas_str name,
                                              const ProtobufCMessageDescriptor *descriptor);
void nilas_connect__drop_message(nilas_connect__client *client, const char *name);

// ---- what is observed on the way (observe.c)

typedef struct nilas_connect__observations {
    nilas_observation *items;
    size_t count;
} nilas_connect__observations;
nilas_code nilas_connect__send_observations(nilas_connect__operation *operation,
                                            nilas_arena *arena,
                                            const nilas_connect__observations *list,
                                            nilas_error *err);
/** Whether something in the plan is observed (plan_text.c). */
bool nilas_connect__is_observed(const ProtobufCMessage *plan);

// ---- results (result.c)

/** A result as schema and Arrow batches. */
nilas_code nilas_connect__send_result(nilas_connect__operation *operation, nilas_result *result,
                                      nilas_error *err);
/** One row of one text, as show() and explain() answer. */
nilas_code nilas_connect__send_text(nilas_connect__operation *operation, const char *column,
                                    nilas_str text, nilas_error *err);
/** All rows of a result as one Arrow stream, for a LocalRelation. */
nilas_code nilas_connect__encode_result(nilas_session *session, nilas_result *result,
                                        nilas_buf *out, nilas_error *err);

#endif
