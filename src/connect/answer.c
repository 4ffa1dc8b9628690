/*
 * One call: its request decoded, the caller's session found, the method's function called. All
 * requests say in members of the same names who asks, so that one look serves every method.
 */
#include "connect/server.h"

#define ARENA_BYTES ((size_t)1 << 30)

/** A text member by name; NULL when it is not set. */
static const char *text_member(const ProtobufCMessage *message, const char *name) {
    const ProtobufCFieldDescriptor *field =
        protobuf_c_message_descriptor_get_field_by_name(message->descriptor, name);
    if (field == NULL || field->type != PROTOBUF_C_TYPE_STRING) {
        return NULL;
    }
    return *(char *const *)((const char *)message + field->offset);
}

static nilas_connect__caller caller_of(const ProtobufCMessage *message) {
    const ProtobufCFieldDescriptor *user =
        protobuf_c_message_descriptor_get_field_by_name(message->descriptor, "user_context");
    return (nilas_connect__caller){
        .session_id = text_member(message, "session_id"),
        .observed = text_member(message, "client_observed_server_side_session_id"),
        .user =
            user != NULL ? *(Sc__UserContext *const *)((const char *)message + user->offset) : NULL,
    };
}

/* --- methods of a few lines --- */

static nilas_code answer_interrupt(nilas_connect__request *request, nilas_connect__client *client,
                                   nilas_error *err) {
    const Sc__InterruptRequest *asked = (const Sc__InterruptRequest *)request->message;
    Sc__InterruptResponse answer = SC__INTERRUPT_RESPONSE__INIT;
    const char *tag = NULL;
    const char *id = NULL;
    switch (asked->interrupt_type) {
    case SC__INTERRUPT_REQUEST__INTERRUPT_TYPE__INTERRUPT_TYPE_ALL: break;
    case SC__INTERRUPT_REQUEST__INTERRUPT_TYPE__INTERRUPT_TYPE_TAG:
        tag = asked->interrupt_case == SC__INTERRUPT_REQUEST__INTERRUPT_OPERATION_TAG
                  ? asked->operation_tag
                  : "";
        break;
    case SC__INTERRUPT_REQUEST__INTERRUPT_TYPE__INTERRUPT_TYPE_OPERATION_ID:
        id = asked->interrupt_case == SC__INTERRUPT_REQUEST__INTERRUPT_OPERATION_ID
                 ? asked->operation_id
                 : "";
        break;
    default: return nilas_fail(err, NILAS_INVALID, "an interrupt says what to interrupt");
    }
    NILAS_TRY(nilas_connect__interrupt(client, tag, id, request->arena, &answer.interrupted_ids,
                                       &answer.n_interrupted_ids, err));
    answer.session_id = client->session_id.text;
    answer.server_side_session_id = client->server_id.text;
    nilas_wire_call_reply(request->call, &answer.base);
    return NILAS_OK;
}

static nilas_code answer_reattach(nilas_connect__request *request, nilas_connect__client *client,
                                  nilas_error *err) {
    const Sc__ReattachExecuteRequest *asked = (const Sc__ReattachExecuteRequest *)request->message;
    NILAS_AUTO(nilas_connect__operation) operation = NULL;
    NILAS_TRY(nilas_connect__operation_find(client, asked->operation_id, &operation, err));
    const char *last = text_member(request->message, "last_response_id");
    NILAS_TRY(nilas_connect__operation_attach(operation, request->call, last, err));
    nilas_connect__operation_stream(operation, request->call);
    return NILAS_OK;
}

static nilas_code answer_release(nilas_connect__request *request, nilas_connect__client *client,
                                 nilas_error *err) {
    const Sc__ReleaseExecuteRequest *asked = (const Sc__ReleaseExecuteRequest *)request->message;
    Sc__ReleaseExecuteResponse answer = SC__RELEASE_EXECUTE_RESPONSE__INIT;
    NILAS_AUTO(nilas_connect__operation) operation = NULL;
    nilas_error absent = NILAS_ERROR_INIT; // what is gone is released: no error
    if (nilas_connect__operation_find(client, asked->operation_id, &operation, &absent) ==
        NILAS_OK) {
        answer.operation_id = asked->operation_id;
        answer._operation_id_case = SC__RELEASE_EXECUTE_RESPONSE___OPERATION_ID_OPERATION_ID;
        if (asked->release_case == SC__RELEASE_EXECUTE_REQUEST__RELEASE_RELEASE_ALL) {
            nilas_connect__operation_release(operation);
        } else if (asked->release_until != NULL) {
            NILAS_TRY(nilas_connect__operation_release_until(
                operation, asked->release_until->response_id, err));
        }
    }
    answer.session_id = client->session_id.text;
    answer.server_side_session_id = client->server_id.text;
    nilas_wire_call_reply(request->call, &answer.base);
    return NILAS_OK;
}

static nilas_code answer_status(nilas_connect__request *request, nilas_connect__client *client,
                                nilas_error *err) {
    const Sc__GetStatusRequest *asked = (const Sc__GetStatusRequest *)request->message;
    Sc__GetStatusResponse answer = SC__GET_STATUS_RESPONSE__INIT;
    const Sc__GetStatusRequest__OperationStatusRequest *operations = asked->operation_status;
    if (operations != NULL) {
        NILAS_TRY(nilas_connect__statuses(client, operations->operation_ids,
                                          operations->n_operation_ids, request->arena, &answer,
                                          err));
    }
    answer.session_id = client->session_id.text;
    answer.server_side_session_id = client->server_id.text;
    nilas_wire_call_reply(request->call, &answer.base);
    return NILAS_OK;
}

static nilas_code answer_clone(nilas_connect__request *request, nilas_connect__client *client,
                               nilas_error *err) {
    NILAS_AUTO(nilas_connect__client) clone = NULL;
    NILAS_TRY(nilas_connect__client_clone(client, text_member(request->message, "new_session_id"),
                                          &clone, err));
    Sc__CloneSessionResponse answer = SC__CLONE_SESSION_RESPONSE__INIT;
    answer.session_id = client->session_id.text;
    answer.server_side_session_id = client->server_id.text;
    answer.new_session_id = clone->session_id.text;
    answer.new_server_side_session_id = clone->server_id.text;
    nilas_wire_call_reply(request->call, &answer.base);
    return NILAS_OK;
}

/** The one method that does not make a session. */
static nilas_code answer_release_session(nilas_connect__request *request,
                                         nilas_connect__client *client, nilas_error *err) {
    (void)client;
    (void)err;
    const Sc__ReleaseSessionRequest *asked = (const Sc__ReleaseSessionRequest *)request->message;
    nilas_connect__caller caller = caller_of(request->message);
    Sc__ReleaseSessionResponse answer = SC__RELEASE_SESSION_RESPONSE__INIT;
    nilas_uuid server_id;
    nilas_connect__client_end(request->server, &caller, asked->allow_reconnect, &server_id);
    answer.session_id = asked->session_id;
    answer.server_side_session_id = server_id.text;
    nilas_wire_call_reply(request->call, &answer.base);
    return NILAS_OK;
}

/* --- all methods --- */

static const struct {
    const ProtobufCMessageDescriptor *request;
    nilas_connect__answer_fn *answer;
    bool without_session;
} methods[] = {
    {&sc__execute_plan_request__descriptor, nilas_connect__execute, false},
    {&sc__analyze_plan_request__descriptor, nilas_connect__analyze, false},
    {&sc__config_request__descriptor, nilas_connect__config, false},
    {&sc__add_artifacts_request__descriptor, nilas_connect__add_artifacts, false},
    {&sc__artifact_statuses_request__descriptor, nilas_connect__artifact_status, false},
    {&sc__interrupt_request__descriptor, answer_interrupt, false},
    {&sc__reattach_execute_request__descriptor, answer_reattach, false},
    {&sc__release_execute_request__descriptor, answer_release, false},
    {&sc__release_session_request__descriptor, answer_release_session, true},
    {&sc__fetch_error_details_request__descriptor, nilas_connect__fetch_error, false},
    {&sc__clone_session_request__descriptor, answer_clone, false},
    {&sc__get_status_request__descriptor, answer_status, false},
};
const char *const nilas_connect__methods[] = {
    "ExecutePlan",    "AnalyzePlan",       "Config",          "AddArtifacts",
    "ArtifactStatus", "Interrupt",         "ReattachExecute", "ReleaseExecute",
    "ReleaseSession", "FetchErrorDetails", "CloneSession",    "GetStatus",
};
const size_t nilas_connect__method_count = sizeof(methods) / sizeof(methods[0]);
_Static_assert(sizeof(methods) / sizeof(methods[0]) ==
                   sizeof(nilas_connect__methods) / sizeof(nilas_connect__methods[0]),
               "a method has a name and a function");

static void free_message(void *message) {
    protobuf_c_message_free_unpacked(message, NULL);
}

nilas_code nilas_connect__decode(nilas_arena *arena, const ProtobufCMessageDescriptor *descriptor,
                                 nilas_str bytes, ProtobufCMessage **out, nilas_error *err) {
    ProtobufCMessage *message = NULL;
    NILAS_TRY(nilas_wire_decode(descriptor, bytes, &message, err));
    nilas_code code = nilas_arena_on_release(arena, free_message, message, err);
    if (code != NILAS_OK) {
        free_message(message);
        return code;
    }
    *out = message;
    return NILAS_OK;
}

static nilas_code answer_request(nilas_connect__request *request, size_t method,
                                 nilas_connect__client **client, nilas_error *err) {
    NILAS_TRY(nilas_connect__decode(request->arena, methods[method].request,
                                    nilas_wire_call_request(request->call), &request->message,
                                    err));
    if (!methods[method].without_session) {
        nilas_connect__caller caller = caller_of(request->message);
        NILAS_TRY(nilas_connect__client_get(request->server, &caller, client, err));
    }
    return methods[method].answer(request, *client, err);
}

void nilas_connect__answer(void *context, nilas_wire_call *call) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, ARENA_BYTES);
    nilas_connect__request request = {.server = context, .call = call, .arena = arena};
    NILAS_AUTO(nilas_connect__client) client = NULL;
    nilas_code code = arena == NULL
                          ? nilas_fail(&err, NILAS_NOMEM, "out of memory for a call")
                          : answer_request(&request, nilas_wire_call_method(call), &client, &err);
    if (code == NILAS_OK) {
        return;
    }
    if (request.message == NULL && code == NILAS_CORRUPT) {
        nilas_wire_call_end(call, NILAS_WIRE_INVALID_ARGUMENT, nilas_str_of(err.message),
                            NILAS_STR_EMPTY);
        return;
    }
    request.failure.error = err;
    nilas_connect__fail_call(call, client, &request.failure);
}
