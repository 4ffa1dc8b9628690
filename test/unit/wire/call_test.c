/*
 * Calls from both ends in one process: answers in order, errors with their conditions, tokens,
 * callers who go, a server that stops. Each test has a server of its own at a free port.
 */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "test.h"
#include "wire/wire.h"

static const char *const methods[] = {"Config", "ExecutePlan", "AddArtifacts"};

typedef struct fixture {
    nilas_wire_server *server;
    nilas_wire_channel *channel;
    nilas_cancel stop;
    pthread_t thread;
    atomic_int gone, answered;
} fixture;

/** Config gives back the session's name; the session "wrong" fails. */
static void answer_config(fixture *f, nilas_wire_call *call) {
    nilas_error err = NILAS_ERROR_INIT;
    ProtobufCMessage *message = NULL;
    if (nilas_wire_decode(&sc__config_request__descriptor, nilas_wire_call_request(call), &message,
                          &err) != NILAS_OK) {
        nilas_wire_call_end(call, NILAS_WIRE_INVALID_ARGUMENT, nilas_str_of(err.message),
                            NILAS_STR_EMPTY);
        return;
    }
    Sc__ConfigRequest *request = (Sc__ConfigRequest *)message;
    Sc__ConfigResponse response = SC__CONFIG_RESPONSE__INIT;
    response.session_id = request->session_id;
    if (strcmp(request->session_id, "wrong") == 0) {
        nilas_wire_call_end(call, NILAS_WIRE_INTERNAL,
                            NILAS_STR("[UNSET_NONEXISTENT_PROPERTIES] Bad. SQLSTATE: 42K0J"),
                            NILAS_STR_EMPTY);
    } else {
        nilas_wire_call_reply(call, &response.base);
    }
    atomic_fetch_add(&f->answered, 1);
    protobuf_c_message_free_unpacked(message, NULL);
}

/** ExecutePlan streams numbered answers until 1,000 are out or the caller goes. */
static void answer_stream(fixture *f, nilas_wire_call *call) {
    nilas_error err = NILAS_ERROR_INIT;
    for (int i = 0; i < 1000; i++) {
        char text[16];
        (void)snprintf(text, sizeof(text), "%d", i);
        Sc__ExecutePlanResponse response = SC__EXECUTE_PLAN_RESPONSE__INIT;
        response.response_id = text;
        NILAS_AUTO(nilas_wire_packet) packet = NULL;
        if (nilas_wire_packet_new(&response.base, &packet, &err) != NILAS_OK ||
            nilas_wire_call_send(call, packet, i % 2 == 0) != NILAS_OK) {
            break;
        }
    }
    while (nilas_wire_call_request(call).size == 0 && !nilas_wire_call_is_gone(call)) {
        usleep(1000); // an empty request asks for a stream that does not end
    }
    atomic_fetch_add(&f->gone, nilas_wire_call_is_gone(call) ? 1 : 0);
    nilas_wire_call_end(call, NILAS_WIRE_OK, NILAS_STR_EMPTY, NILAS_STR_EMPTY);
}

/** AddArtifacts counts the requests. */
static void answer_many(nilas_wire_call *call) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_str request = nilas_wire_call_request(call);
    char count[2] = "0";
    while (request.data != NULL) {
        count[0]++;
        if (nilas_wire_call_receive(call, &request, &err) != NILAS_OK) {
            return;
        }
    }
    Sc__AddArtifactsResponse response = SC__ADD_ARTIFACTS_RESPONSE__INIT;
    response.session_id = count;
    nilas_wire_call_reply(call, &response.base);
}

static void answer(void *context, nilas_wire_call *call) {
    switch (nilas_wire_call_method(call)) {
    case 0: answer_config(context, call); break;
    case 1: answer_stream(context, call); break;
    default: answer_many(call); break;
    }
}

static void *run_server(void *argument) {
    fixture *f = argument;
    nilas_wire_server_run(f->server, &f->stop, 100);
    return NULL;
}

static bool begin(fixture *f, const char *server_token, const char *client_token) {
    nilas_error err = NILAS_ERROR_INIT;
    memset(f, 0, sizeof(*f));
    nilas_wire_server_options options = {
        .listen = NILAS_STR("127.0.0.1:0"),
        .methods = methods,
        .method_count = 3,
        .token = nilas_str_of(server_token),
        .thread_count = 8,
        .answer = answer,
        .context = f,
    };
    if (nilas_wire_server_new(&options, &f->server, &err) != NILAS_OK) {
        return !NILAS_TEST_FAIL("%s", err.message);
    }
    char target[64];
    (void)snprintf(target, sizeof(target), "127.0.0.1:%d", nilas_wire_server_port(f->server));
    nilas_wire_channel_options channel = {.target = nilas_str_of(target),
                                          .token = nilas_str_of(client_token)};
    if (nilas_wire_channel_new(&channel, &f->channel, &err) != NILAS_OK) {
        return !NILAS_TEST_FAIL("%s", err.message);
    }
    return pthread_create(&f->thread, NULL, run_server, f) == 0;
}

static void end(fixture *f) {
    nilas_wire_channel_free(f->channel);
    atomic_store(&f->stop.requested, true);
    pthread_join(f->thread, NULL);
    nilas_wire_server_free(f->server);
}

static nilas_code ask_config(fixture *f, const char *session, nilas_error *err) {
    Sc__ConfigRequest request = SC__CONFIG_REQUEST__INIT;
    request.session_id = (char *)(uintptr_t)session;
    ProtobufCMessage *message = NULL;
    nilas_wire_call_options options = {.method = "Config", .timeout_ms = 5000};
    NILAS_TRY(nilas_wire_ask(f->channel, &options, &request.base, &sc__config_response__descriptor,
                             &message, err));
    CHECK_TEXT(((Sc__ConfigResponse *)message)->session_id, session);
    protobuf_c_message_free_unpacked(message, NULL);
    return NILAS_OK;
}

NILAS_TEST(a_question_has_one_answer) {
    fixture f;
    nilas_error err = NILAS_ERROR_INIT;
    REQUIRE(begin(&f, NULL, NULL));
    for (int i = 0; i < 20; i++) {
        CHECK_OK(ask_config(&f, "one", &err), err);
    }
    CHECK_INT(f.answered, 20);
    end(&f);
}

NILAS_TEST(an_error_comes_back_bare) {
    fixture f;
    nilas_error err = NILAS_ERROR_INIT;
    REQUIRE(begin(&f, NULL, NULL));
    CHECK_CODE(ask_config(&f, "wrong", &err), NILAS_ENGINE, err);
    CHECK_TEXT(err.message, "[UNSET_NONEXISTENT_PROPERTIES] Bad.");
    end(&f);
}

NILAS_TEST(a_stream_keeps_its_order) {
    fixture f;
    nilas_error err = NILAS_ERROR_INIT;
    REQUIRE(begin(&f, NULL, NULL));
    Sc__ExecutePlanRequest request = SC__EXECUTE_PLAN_REQUEST__INIT;
    request.session_id = (char[]){"x"};
    nilas_wire_stream *stream = NULL;
    nilas_wire_call_options options = {.method = "ExecutePlan", .timeout_ms = 10000};
    REQUIRE_OK(nilas_wire_stream_open(f.channel, &options, &request.base, &stream, &err), err);
    for (int i = 0; i < 1000; i++) {
        ProtobufCMessage *message = NULL;
        REQUIRE_OK(
            nilas_wire_stream_next(stream, &sc__execute_plan_response__descriptor, &message, &err),
            err);
        REQUIRE(message != NULL);
        char text[16];
        (void)snprintf(text, sizeof(text), "%d", i);
        CHECK_TEXT(((Sc__ExecutePlanResponse *)message)->response_id, text);
        protobuf_c_message_free_unpacked(message, NULL);
    }
    ProtobufCMessage *none = NULL;
    CHECK_OK(nilas_wire_stream_next(stream, &sc__execute_plan_response__descriptor, &none, &err),
             err);
    CHECK(none == NULL);
    nilas_wire_stream_free(stream);
    end(&f);
}

NILAS_TEST(several_requests_have_one_answer) {
    fixture f;
    nilas_error err = NILAS_ERROR_INIT;
    REQUIRE(begin(&f, NULL, NULL));
    Sc__AddArtifactsRequest request = SC__ADD_ARTIFACTS_REQUEST__INIT;
    nilas_wire_stream *stream = NULL;
    nilas_wire_call_options options = {.method = "AddArtifacts", .timeout_ms = 5000};
    REQUIRE_OK(nilas_wire_stream_open(f.channel, &options, NULL, &stream, &err), err);
    CHECK_OK(nilas_wire_stream_send(stream, &request.base, false, &err), err);
    CHECK_OK(nilas_wire_stream_send(stream, &request.base, false, &err), err);
    CHECK_OK(nilas_wire_stream_send(stream, &request.base, true, &err), err);
    ProtobufCMessage *message = NULL;
    CHECK_OK(
        nilas_wire_stream_next(stream, &sc__add_artifacts_response__descriptor, &message, &err),
        err);
    REQUIRE(message != NULL);
    CHECK_TEXT(((Sc__AddArtifactsResponse *)message)->session_id, "3");
    protobuf_c_message_free_unpacked(message, NULL);
    nilas_wire_stream_free(stream);
    end(&f);
}

NILAS_TEST(a_caller_who_goes_is_noticed) {
    fixture f;
    nilas_error err = NILAS_ERROR_INIT;
    REQUIRE(begin(&f, NULL, NULL));
    Sc__ExecutePlanRequest request = SC__EXECUTE_PLAN_REQUEST__INIT;
    nilas_wire_call_options options = {.method = "ExecutePlan"};
    for (int i = 0; i < 3; i++) {
        nilas_wire_stream *stream = NULL;
        REQUIRE_OK(nilas_wire_stream_open(f.channel, &options, &request.base, &stream, &err), err);
        nilas_wire_stream_free(stream);
    }
    for (int i = 0; i < 200 && atomic_load(&f.gone) < 3; i++) {
        usleep(10000);
    }
    CHECK_INT(f.gone, 3);
    end(&f);
}

NILAS_TEST(a_waiting_caller_may_stop) {
    fixture f;
    nilas_error err = NILAS_ERROR_INIT;
    REQUIRE(begin(&f, NULL, NULL));
    Sc__ExecutePlanRequest request = SC__EXECUTE_PLAN_REQUEST__INIT;
    nilas_cancel cancel = {0};
    nilas_wire_call_options options = {.method = "ExecutePlan", .cancel = &cancel};
    nilas_wire_stream *stream = NULL;
    REQUIRE_OK(nilas_wire_stream_open(f.channel, &options, &request.base, &stream, &err), err);
    for (int i = 0; i < 1000; i++) {
        ProtobufCMessage *message = NULL;
        REQUIRE_OK(
            nilas_wire_stream_next(stream, &sc__execute_plan_response__descriptor, &message, &err),
            err);
        protobuf_c_message_free_unpacked(message, NULL);
    }
    atomic_store(&cancel.requested, true);
    ProtobufCMessage *none = NULL;
    CHECK_CODE(nilas_wire_stream_next(stream, &sc__execute_plan_response__descriptor, &none, &err),
               NILAS_CANCELLED, err);
    CHECK_TEXT(err.condition, "OPERATION_CANCELED");
    nilas_wire_stream_free(stream);
    end(&f);
}

NILAS_TEST(only_the_right_token_opens) {
    static const char *const wrong[] = {NULL, "", "secre", "secret2", "sECRET", "Bearer secret"};
    fixture f;
    nilas_error err = NILAS_ERROR_INIT;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]) - 1; i++) {
        REQUIRE(begin(&f, "secret", wrong[i]));
        CHECK_CODE(ask_config(&f, "one", &err), NILAS_DENIED, err);
        CHECK_INT(f.answered, 0);
        end(&f);
    }
    REQUIRE(begin(&f, "secret", "secret"));
    CHECK_OK(ask_config(&f, "one", &err), err);
    end(&f);
}

NILAS_TEST(a_token_is_one_word) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_wire_channel *channel = NULL;
    nilas_wire_channel_options options = {.target = NILAS_STR("127.0.0.1:1"),
                                          .token = NILAS_STR("Bearer secret")};
    CHECK_CODE(nilas_wire_channel_new(&options, &channel, &err), NILAS_INVALID, err);
}

NILAS_TEST(an_unknown_method_is_refused) {
    fixture f;
    nilas_error err = NILAS_ERROR_INIT;
    REQUIRE(begin(&f, NULL, NULL));
    Sc__ConfigRequest request = SC__CONFIG_REQUEST__INIT;
    ProtobufCMessage *message = NULL;
    nilas_wire_call_options options = {.method = "Nothing", .timeout_ms = 5000};
    CHECK_CODE(nilas_wire_ask(f.channel, &options, &request.base, &sc__config_response__descriptor,
                              &message, &err),
               NILAS_UNSUPPORTED, err);
    end(&f);
}

NILAS_TEST(an_absent_server_is_an_error) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_wire_channel_options options = {.target = NILAS_STR("127.0.0.1:1")};
    fixture f = {0};
    REQUIRE_OK(nilas_wire_channel_new(&options, &f.channel, &err), err);
    CHECK_CODE(ask_config(&f, "one", &err), NILAS_IO, err);
    nilas_wire_channel_free(f.channel);
}

NILAS_TEST(a_taken_address_is_an_error) {
    fixture f;
    nilas_error err = NILAS_ERROR_INIT;
    REQUIRE(begin(&f, NULL, NULL));
    char listen[64];
    (void)snprintf(listen, sizeof(listen), "127.0.0.1:%d", nilas_wire_server_port(f.server));
    nilas_wire_server_options options = {
        .listen = nilas_str_of(listen), .thread_count = 1, .answer = answer};
    nilas_wire_server *second = NULL;
    CHECK_CODE(nilas_wire_server_new(&options, &second, &err), NILAS_IO, err);
    end(&f);
}
