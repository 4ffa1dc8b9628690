/*
 * One plan, run on a far server. The operation has a name of ours, so that its answers can be asked
 * for again when the stream breaks or the server ends it (Spark does after two minutes). Where not
 * even the first answer came, the server is asked whether it knows the operation before the plan is
 * sent a second time: a write must not happen twice.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "session/remote.h"

#define FIRST_WAIT_MS   50
#define LONGEST_WAIT_MS 4000
#define TRIES           8    // some 15 seconds in all
#define LAST_WORDS_MS   3000 // for calls that tell the server to stop

struct nilas_remote_execution {
    nilas_remote *remote;
    Sc__Plan *plan;
    nilas_uuid operation_id;
    nilas_wire_stream *stream;
    Sc__ExecutePlanResponse *response;
    char last_response_id[128]; // empty: none came
    bool is_known;              // an answer came: the server has the operation
    bool reattach;              // the next stream takes it up
    bool is_complete, has_failed;
};

// ---- waiting ------------------------------------------------------------------------------------

/** Wait before another try; false when it is time to give up. */
static bool wait_for_try(const nilas_remote *remote, int tries) {
    const struct timespec step = {.tv_nsec = 10000000};
    int64_t wait_ms = FIRST_WAIT_MS;

    for (int i = 0; i < tries && wait_ms < LONGEST_WAIT_MS; i++) {
        wait_ms *= 2;
    }
    for (int64_t waited_ms = 0; waited_ms < wait_ms; waited_ms += 10) {
        if (nilas_cancelled(remote->cancel)) {
            return false;
        }
        nanosleep(&step, NULL);
    }
    return tries < TRIES;
}

nilas_code nilas_remote__ask(nilas_remote *remote, const char *method,
                             const ProtobufCMessage *request,
                             const ProtobufCMessageDescriptor *descriptor, ProtobufCMessage **out,
                             nilas_error *err) {
    const nilas_wire_call_options options = {.method = method, .cancel = remote->cancel};
    for (int tries = 0;; tries++) {
        nilas_error failure = NILAS_ERROR_INIT;
        nilas_code code =
            nilas_wire_ask(remote->channel, &options, request, descriptor, out, &failure);
        if (code == NILAS_OK) {
            return NILAS_OK;
        }
        if (code != NILAS_IO || !wait_for_try(remote, tries)) {
            *err = failure;
            return code;
        }
    }
}

// ---- streams ------------------------------------------------------------------------------------

static nilas_code open_execute(nilas_remote_execution *e, const nilas_wire_call_options *options,
                               nilas_error *err) {
    nilas_remote *remote = e->remote;
    Sc__UserContext user = SC__USER_CONTEXT__INIT;
    Sc__ReattachOptions reattach = SC__REATTACH_OPTIONS__INIT;
    Sc__ExecutePlanRequest__RequestOption option = SC__EXECUTE_PLAN_REQUEST__REQUEST_OPTION__INIT;
    Sc__ExecutePlanRequest__RequestOption *request_options[] = {&option};
    Sc__ExecutePlanRequest request = SC__EXECUTE_PLAN_REQUEST__INIT;

    user.user_id = remote->user_id;
    reattach.reattachable = true;
    option.request_option_case =
        SC__EXECUTE_PLAN_REQUEST__REQUEST_OPTION__REQUEST_OPTION_REATTACH_OPTIONS;
    option.reattach_options = &reattach;
    request.session_id = remote->session_id;
    request.user_context = &user;
    request._operation_id_case = SC__EXECUTE_PLAN_REQUEST___OPERATION_ID_OPERATION_ID;
    request.operation_id = e->operation_id.text;
    request.plan = e->plan;
    request.n_request_options = 1;
    request.request_options = request_options;
    return nilas_wire_stream_open(remote->channel, options, &request.base, &e->stream, err);
}

static nilas_code open_reattach(nilas_remote_execution *e, const nilas_wire_call_options *options,
                                nilas_error *err) {
    Sc__UserContext user = SC__USER_CONTEXT__INIT;
    Sc__ReattachExecuteRequest request = SC__REATTACH_EXECUTE_REQUEST__INIT;

    user.user_id = e->remote->user_id;
    request.session_id = e->remote->session_id;
    request.user_context = &user;
    request.operation_id = e->operation_id.text;
    if (e->last_response_id[0] != '\0') {
        request._last_response_id_case =
            SC__REATTACH_EXECUTE_REQUEST___LAST_RESPONSE_ID_LAST_RESPONSE_ID;
        request.last_response_id = e->last_response_id;
    }
    return nilas_wire_stream_open(e->remote->channel, options, &request.base, &e->stream, err);
}

static nilas_code open_stream(nilas_remote_execution *e, nilas_error *err) {
    const nilas_wire_call_options options = {
        .method = e->reattach ? "ReattachExecute" : "ExecutePlan", .cancel = e->remote->cancel};
    return e->reattach ? open_reattach(e, &options, err) : open_execute(e, &options, err);
}

nilas_code nilas_remote__execute(nilas_remote *remote, Sc__Plan *plan, nilas_remote_execution **out,
                                 nilas_error *err) {
    NILAS_AUTO(nilas_remote_execution) e = calloc(1, sizeof(*e));
    NILAS_REQUIRE(e != NULL, err, NILAS_NOMEM, "out of memory");
    e->remote = remote;
    e->plan = plan;
    e->has_failed = true; // until it has begun there is nothing to stop
    NILAS_TRY(nilas_uuid_new(&e->operation_id, err));
    NILAS_TRY(open_stream(e, err));
    e->has_failed = false;
    *out = e;
    e = NULL;
    return NILAS_OK;
}

static void close_stream(nilas_remote_execution *e) {
    nilas_wire_stream_free(e->stream);
    e->stream = NULL;
}

/**
 * What to do about a failure: nothing (false), or another stream. A server that does not know the
 * operation has not got the plan.
 */
static bool prepare_retry(nilas_remote_execution *e, const nilas_error *failure, int *tries) {
    const char *condition = failure->condition != NULL ? failure->condition : "";
    int status = failure->code == NILAS_IO ? NILAS_WIRE_UNAVAILABLE : NILAS_WIRE_OK;

    if (e->stream != NULL) {
        nilas_str message, details;
        status = nilas_wire_stream_status(e->stream, &message, &details);
    }
    close_stream(e);
    if (status == NILAS_WIRE_UNAVAILABLE) {
        e->reattach = true;
        return wait_for_try(e->remote, (*tries)++);
    }
    bool unknown = strcmp(condition, "INVALID_HANDLE.OPERATION_NOT_FOUND") == 0 ||
                   strcmp(condition, "INVALID_HANDLE.SESSION_NOT_FOUND") == 0;
    if (e->reattach && !e->is_known && unknown) {
        e->reattach = false;
        return wait_for_try(e->remote, (*tries)++);
    }
    return false;
}

/** Remember the server's name of the session; another one means that the session was lost. */
static nilas_code check_session(nilas_remote *remote, const char *server_id, nilas_error *err) {
    if (server_id == NULL || server_id[0] == '\0') {
        return NILAS_OK;
    }
    if (remote->server_id == NULL) {
        remote->server_id = strdup(server_id);
        NILAS_REQUIRE(remote->server_id != NULL, err, NILAS_NOMEM, "out of memory");
    }
    NILAS_REQUIRE(strcmp(remote->server_id, server_id) == 0, err, NILAS_ENGINE,
                  "the server has lost the session, with its settings and temporary views");
    return NILAS_OK;
}

static void show_progress(const nilas_remote *remote,
                          const Sc__ExecutePlanResponse__ExecutionProgress *progress) {
    int64_t all = 0;
    int64_t done = 0;

    if (remote->progress == NULL || progress == NULL) {
        return;
    }
    for (size_t i = 0; i < progress->n_stages; i++) {
        all += progress->stages[i]->num_tasks;
        done += progress->stages[i]->num_completed_tasks;
    }
    remote->progress(remote->progress_context, all > 0 ? (double)done / (double)all : -1);
}

static nilas_code take_response(nilas_remote_execution *e, nilas_error *err) {
    const Sc__ExecutePlanResponse *response = e->response;

    e->is_known = true;
    (void)snprintf(e->last_response_id, sizeof(e->last_response_id), "%s",
                   response->response_id != NULL ? response->response_id : "");
    NILAS_TRY(check_session(e->remote, response->server_side_session_id, err));
    if (response->response_type_case ==
        SC__EXECUTE_PLAN_RESPONSE__RESPONSE_TYPE_EXECUTION_PROGRESS) {
        show_progress(e->remote, response->execution_progress);
    }
    e->is_complete = e->is_complete || response->response_type_case ==
                                           SC__EXECUTE_PLAN_RESPONSE__RESPONSE_TYPE_RESULT_COMPLETE;
    return NILAS_OK;
}

static void free_response(nilas_remote_execution *e) {
    if (e->response != NULL) {
        protobuf_c_message_free_unpacked(&e->response->base, NULL);
        e->response = NULL;
    }
}

nilas_code nilas_remote__next(nilas_remote_execution *e, Sc__ExecutePlanResponse **out,
                              nilas_error *err) {
    int tries = 0;

    free_response(e);
    *out = NULL;
    while (!e->is_complete) {
        nilas_error failure = NILAS_ERROR_INIT;
        ProtobufCMessage *message = NULL;
        nilas_code code = e->stream != NULL ? NILAS_OK : open_stream(e, &failure);
        if (code == NILAS_OK) {
            code = nilas_wire_stream_next(e->stream, &sc__execute_plan_response__descriptor,
                                          &message, &failure);
        }
        if (code != NILAS_OK) {
            if (prepare_retry(e, &failure, &tries)) {
                continue;
            }
            e->has_failed = code != NILAS_CANCELLED;
            *err = failure;
            return code;
        }
        if (message == NULL) { // ended before its end: the rest is asked for
            close_stream(e);
            e->reattach = true;
            NILAS_REQUIRE(tries++ < TRIES, err, NILAS_IO, "the server ends the answer too early");
            continue;
        }
        e->response = (Sc__ExecutePlanResponse *)message;
        NILAS_TRY(take_response(e, err));
        *out = e->response;
        return NILAS_OK;
    }
    return NILAS_OK;
}

ProtobufCMessage *nilas_remote__keep_response(nilas_remote_execution *e) {
    ProtobufCMessage *message = &e->response->base;
    e->response = NULL;
    return message;
}

// ---- the end ------------------------------------------------------------------------------------

static void interrupt(nilas_remote_execution *e) {
    const nilas_wire_call_options options = {.method = "Interrupt", .timeout_ms = LAST_WORDS_MS};
    Sc__UserContext user = SC__USER_CONTEXT__INIT;
    Sc__InterruptRequest request = SC__INTERRUPT_REQUEST__INIT;
    ProtobufCMessage *answer = NULL;
    nilas_error ignored = NILAS_ERROR_INIT;

    user.user_id = e->remote->user_id;
    request.session_id = e->remote->session_id;
    request.user_context = &user;
    request.interrupt_type = SC__INTERRUPT_REQUEST__INTERRUPT_TYPE__INTERRUPT_TYPE_OPERATION_ID;
    request.interrupt_case = SC__INTERRUPT_REQUEST__INTERRUPT_OPERATION_ID;
    request.operation_id = e->operation_id.text;
    if (nilas_wire_ask(e->remote->channel, &options, &request.base,
                       &sc__interrupt_response__descriptor, &answer, &ignored) == NILAS_OK) {
        protobuf_c_message_free_unpacked(answer, NULL);
    }
}

/** The server may forget the answers. */
static void release(nilas_remote_execution *e) {
    const nilas_wire_call_options options = {.method = "ReleaseExecute",
                                             .timeout_ms = LAST_WORDS_MS};
    Sc__UserContext user = SC__USER_CONTEXT__INIT;
    Sc__ReleaseExecuteRequest__ReleaseAll all = SC__RELEASE_EXECUTE_REQUEST__RELEASE_ALL__INIT;
    Sc__ReleaseExecuteRequest request = SC__RELEASE_EXECUTE_REQUEST__INIT;
    ProtobufCMessage *answer = NULL;
    nilas_error ignored = NILAS_ERROR_INIT;

    user.user_id = e->remote->user_id;
    request.session_id = e->remote->session_id;
    request.user_context = &user;
    request.operation_id = e->operation_id.text;
    request.release_case = SC__RELEASE_EXECUTE_REQUEST__RELEASE_RELEASE_ALL;
    request.release_all = &all;
    if (nilas_wire_ask(e->remote->channel, &options, &request.base,
                       &sc__release_execute_response__descriptor, &answer, &ignored) == NILAS_OK) {
        protobuf_c_message_free_unpacked(answer, NULL);
    }
}

void nilas_remote__finish(nilas_remote_execution *e) {
    if (e == NULL) {
        return;
    }
    if (!e->has_failed && !e->is_complete) {
        interrupt(e);
    }
    close_stream(e);
    free_response(e);
    if (e->is_known && !e->has_failed) {
        release(e);
    }
    free(e);
}
