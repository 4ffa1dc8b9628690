/**
 * A session on a far server: statements go there as text over Spark Connect, and its Arrow answers
 * come back as results.
 */
#ifndef NILAS_SESSION_REMOTE_H
#define NILAS_SESSION_REMOTE_H

#include "session/private.h"
#include "wire/wire.h"

/** What "sc://HOST:PORT/;key=value;…" says. Texts live in the arena that it was parsed into. */
typedef struct nilas_remote_url {
    nilas_str target; // HOST:PORT
    bool tls;
    nilas_str token;                           // data NULL: none
    nilas_str user_id, user_agent, session_id; // data NULL: not given
} nilas_remote_url;

/**
 * Parse the address of a Spark Connect server; the port is 15002 where none is named. A token is
 * never sent unencrypted, but to this machine.
 * @return NILAS_INVALID  what is wrong; values are not shown
 */
nilas_code nilas_remote__parse_url(nilas_arena *arena, nilas_str text, nilas_remote_url *out,
                                   nilas_error *err);

struct nilas_remote {
    nilas_arena *arena;
    nilas_wire_channel *channel;
    char *session_id, *user_id;
    char *server_id; // the server's own id of the session, malloc'd; NULL until it is known
    nilas_cancel *cancel;
    void (*progress)(void *context, double fraction);
    void *progress_context;
};

/** Connect, and give the settings to the far session. */
nilas_code nilas_remote__open(nilas_remote **out, const nilas_session *session,
                              const nilas_session_options *options, nilas_error *err);
/** Ends the far session. NULL-safe. */
void nilas_remote__free(nilas_remote *remote);
NILAS_DEFINE_AUTO(nilas_remote, nilas_remote__free);
/** One thread at a time. `*out_zone` is set when the result's timestamps name one. */
nilas_code nilas_remote__run(nilas_remote *remote, nilas_str text, nilas_result **out,
                             const nilas_zone **out_zone, nilas_error *err);
/** Change a setting there; `silent`: one that the server does not let change is passed over. */
nilas_code nilas_remote__set(nilas_remote *remote, const nilas_property *settings, size_t count,
                             bool silent, nilas_error *err);

/* --- one plan, run there (remote_execute.c) --- */

typedef struct nilas_remote_execution nilas_remote_execution;

/** Send a plan, which must live as long as the execution: it may have to be sent again. */
nilas_code nilas_remote__execute(nilas_remote *remote, Sc__Plan *plan, nilas_remote_execution **out,
                                 nilas_error *err);
/**
 * The next response; NULL at the end. A stream that breaks is taken up again where it was.
 * @param out  owned by the execution, valid until the next call
 */
nilas_code nilas_remote__next(nilas_remote_execution *execution, Sc__ExecutePlanResponse **out,
                              nilas_error *err);
/** Keep the response that nilas_remote__next() gave; the caller frees it. */
ProtobufCMessage *nilas_remote__keep_response(nilas_remote_execution *execution);
/** Stops it there unless it has ended. NULL-safe. */
void nilas_remote__finish(nilas_remote_execution *execution);
NILAS_DEFINE_AUTO(nilas_remote_execution, nilas_remote__finish);
/** A one-answer call, tried again while the server is out of reach. */
nilas_code nilas_remote__ask(nilas_remote *remote, const char *method,
                             const ProtobufCMessage *request,
                             const ProtobufCMessageDescriptor *descriptor, ProtobufCMessage **out,
                             nilas_error *err);

#endif
