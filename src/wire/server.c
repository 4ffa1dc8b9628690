/*
 * The server: one thread takes calls from the core and hands them to the pool. The core reads a
 * call's first message before it shows the call, and checks the token before that, so that neither
 * a half-open stream nor a stranger holds a thread.
 */
#include "wire/server.h"

#include <stdlib.h>

#define PREFIX               "/spark.connect.SparkConnectService/"
#define LOOK_EVERY_MS        100
#define TICK_MS              1000
#define WAITING_LIMIT        256          // calls in line; later ones stay with the core
#define QUOTA_BYTES          (1ULL << 30) // of all messages on their way in or out
#define STREAMS_A_CONNECTION 1000
#define KEEPALIVE_MS         30000
#define PING_EVERY_MS        5000 // a client may ask so often whether we live

struct nilas_wire_server {
    nilas_wire_server_options options;
    char *token;
    size_t token_size;
    int port;
    grpc_server *server;
    grpc_completion_queue *queue;
    void **methods; // the core's handles
    bool *unasked;  // methods whose next call is not asked for while the line is long
    nilas_wire__pool *pool;
    bool stopped; // the core has let go of it
    char shutdown_tag;
};

/* --- who may call --- */

/** Takes as long for a wrong token as for the right one. */
static bool is_same_secret(nilas_str given, nilas_str wanted) {
    unsigned char differs = given.size == wanted.size ? 0 : 1;
    for (size_t i = 0; i < given.size; i++) {
        differs |= (unsigned char)(given.data[i] ^ wanted.data[i % (wanted.size + 1)]);
    }
    return differs == 0;
}

static void check_token(void *state, grpc_auth_context *out_context, const grpc_metadata *metadata,
                        size_t count, grpc_process_auth_metadata_done_cb done, void *user_data) {
    static const nilas_str scheme = {.data = "Bearer ", .size = 7};
    const nilas_wire_server *server = state;
    bool is_known = false;
    (void)out_context;
    for (size_t i = 0; i < count; i++) {
        nilas_str value = nilas_wire__slice_view(&metadata[i].value);
        if (nilas_str_is(nilas_wire__slice_view(&metadata[i].key), "authorization") &&
            nilas_str_starts(value, scheme)) {
            is_known =
                is_same_secret(nilas_str_slice(value, scheme.size, value.size),
                               (nilas_str){.data = server->token, .size = server->token_size});
        }
    }
    done(user_data, NULL, 0, NULL, 0, is_known ? GRPC_STATUS_OK : GRPC_STATUS_UNAUTHENTICATED,
         is_known ? NULL : "Invalid authentication token");
}

/* --- starting --- */

static nilas_code copy_text(nilas_str text, char **out, nilas_error *err) {
    char *copy = malloc(text.size + 1);
    NILAS_REQUIRE(copy != NULL, err, NILAS_NOMEM, "out of memory for a server");
    nilas_copy(copy, text.data, text.size);
    copy[text.size] = '\0';
    *out = copy;
    return NILAS_OK;
}

static nilas_code new_credentials(const nilas_wire_server_options *options,
                                  grpc_server_credentials **out, nilas_error *err) {
    *out = NULL;
    if (options->certificate.data == NULL) {
        *out = nilas_wire__core.insecure_server_credentials_create();
        return NILAS_OK;
    }
    char *certificate = NULL, *key = NULL;
    nilas_code code = copy_text(options->certificate, &certificate, err);
    if (code == NILAS_OK) {
        code = copy_text(options->key, &key, err);
    }
    if (code == NILAS_OK) {
        grpc_ssl_pem_key_cert_pair pair = {.private_key = key, .cert_chain = certificate};
        *out = nilas_wire__core.ssl_server_credentials_create(NULL, &pair, 1, 0, NULL);
        if (*out == NULL) {
            code = nilas_fail(err, NILAS_INVALID, "the TLS certificate or its key cannot be used");
        }
    }
    free(certificate);
    free(key);
    return code;
}

static grpc_arg number_of(const char *key, int value) {
    return (grpc_arg){
        .type = GRPC_ARG_INTEGER, .key = (char *)(uintptr_t)key, .value.integer = value};
}

static void create_server(nilas_wire_server *server) {
    grpc_resource_quota *quota = nilas_wire__core.resource_quota_create("nilas");
    nilas_wire__core.resource_quota_resize(quota, QUOTA_BYTES);
    grpc_arg items[] = {
        number_of(GRPC_ARG_MAX_RECEIVE_MESSAGE_LENGTH, NILAS_LIMIT_WIRE_BYTES),
        number_of(GRPC_ARG_MAX_CONCURRENT_STREAMS, STREAMS_A_CONNECTION),
        number_of(GRPC_ARG_ALLOW_REUSEPORT, 0), // a taken address is an error
        number_of(GRPC_ARG_KEEPALIVE_TIME_MS, KEEPALIVE_MS),
        number_of(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, KEEPALIVE_MS),
        number_of(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1),
        number_of(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, PING_EVERY_MS),
        {.type = GRPC_ARG_POINTER,
         .key = (char *)(uintptr_t)GRPC_ARG_RESOURCE_QUOTA,
         .value.pointer = {.p = quota, .vtable = nilas_wire__core.resource_quota_arg_vtable()}},
    };
    grpc_channel_args arguments = {.num_args = sizeof(items) / sizeof(items[0]), .args = items};
    server->server = nilas_wire__core.server_create(&arguments, NULL);
    nilas_wire__core.resource_quota_unref(quota);
    server->queue = nilas_wire__core.completion_queue_create_for_next(NULL);
    nilas_wire__core.server_register_completion_queue(server->server, server->queue, NULL);
}

static nilas_code register_methods(nilas_wire_server *server, nilas_error *err) {
    size_t count = server->options.method_count;
    server->methods = calloc(count + 1, sizeof(server->methods[0]));
    server->unasked = calloc(count + 1, sizeof(server->unasked[0]));
    NILAS_REQUIRE(server->methods != NULL && server->unasked != NULL, err, NILAS_NOMEM,
                  "out of memory for a server");
    for (size_t i = 0; i < count; i++) {
        NILAS_AUTO_BUF name = NILAS_BUF_INIT(256);
        nilas_buf_add_text(&name, PREFIX);
        nilas_buf_add_text(&name, server->options.methods[i]);
        nilas_buf_add_char(&name, '\0');
        NILAS_TRY(nilas_buf_check(&name, err));
        server->methods[i] = nilas_wire__core.server_register_method(
            server->server, name.data, NULL, GRPC_SRM_PAYLOAD_READ_INITIAL_BYTE_BUFFER, 0);
        nilas_assert(server->methods[i] != NULL);
    }
    return NILAS_OK;
}

static nilas_code listen_at(nilas_wire_server *server, nilas_error *err) {
    grpc_server_credentials *credentials = NULL;
    NILAS_TRY(new_credentials(&server->options, &credentials, err));
    if (server->token != NULL) {
        nilas_wire__core.server_credentials_set_auth_metadata_processor(
            credentials, (grpc_auth_metadata_processor){.process = check_token, .state = server});
    }
    char *address = NULL;
    nilas_code code = copy_text(server->options.listen, &address, err);
    if (code == NILAS_OK) {
        server->port = nilas_wire__core.server_add_http2_port(server->server, address, credentials);
        if (server->port == 0) {
            code = nilas_fail(
                err, NILAS_IO,
                "cannot listen at %s: the address is taken or is not this machine's%s", address,
                server->options.certificate.data != NULL
                    ? ", or the TLS certificate does not fit its key"
                    : "");
        }
    }
    free(address);
    nilas_wire__core.server_credentials_release(credentials);
    return code;
}

static void answer_call(void *context, nilas_wire_call *call) {
    nilas_wire_server *server = context;
    nilas_wire__call_begin(call);
    if (call->method < server->options.method_count) {
        server->options.answer(server->options.context, call);
    } else {
        nilas_wire_call_end(call, GRPC_STATUS_UNIMPLEMENTED,
                            NILAS_STR("this method is not known here"), NILAS_STR_EMPTY);
    }
    nilas_wire__call_finish(call);
    nilas_wire__call_free(call);
}

static nilas_code start(nilas_wire_server *server, nilas_error *err) {
    NILAS_TRY(nilas_wire__core_load(err));
    if (server->options.token.data != NULL) {
        NILAS_TRY(copy_text(server->options.token, &server->token, err));
        server->token_size = server->options.token.size;
    }
    create_server(server);
    NILAS_TRY(register_methods(server, err));
    NILAS_TRY(listen_at(server, err));
    NILAS_TRY(nilas_wire__pool_new(server->options.thread_count, answer_call, server, &server->pool,
                                   err));
    nilas_wire__core.server_start(server->server);
    return NILAS_OK;
}

nilas_code nilas_wire_server_new(const nilas_wire_server_options *options, nilas_wire_server **out,
                                 nilas_error *err) {
    NILAS_AUTO(nilas_wire_server) server = calloc(1, sizeof(*server));
    NILAS_REQUIRE(server != NULL, err, NILAS_NOMEM, "out of memory for a server");
    server->options = *options;
    NILAS_TRY(start(server, err));
    *out = server;
    server = NULL;
    return NILAS_OK;
}

int nilas_wire_server_port(const nilas_wire_server *server) {
    return server->port;
}

/* --- running --- */

/** Ask the core for the next call of a method; the one behind the last stands for all unknown. */
static void ask_call(nilas_wire_server *server, size_t method) {
    server->unasked[method] = true;
    if (nilas_wire__pool_waiting(server->pool) >= WAITING_LIMIT) {
        return; // asked for again by the next tick of the loop
    }
    nilas_wire_call *call = nilas_wire__call_new(method);
    if (call == NULL) {
        return;
    }
    grpc_call_error asked =
        method == server->options.method_count
            ? nilas_wire__core.server_request_call(server->server, &call->call, &call->details,
                                                   &call->metadata, call->queue, server->queue,
                                                   call)
            : nilas_wire__core.server_request_registered_call(
                  server->server, server->methods[method], &call->call, &call->deadline,
                  &call->metadata, &call->received, call->queue, server->queue, call);
    if (asked != GRPC_CALL_OK) {
        nilas_wire__call_free(call);
        return;
    }
    server->unasked[method] = false;
}

static void ask_calls(nilas_wire_server *server) {
    for (size_t i = 0; i <= server->options.method_count; i++) {
        if (server->unasked[i]) {
            ask_call(server, i);
        }
    }
}

/** What came out of the core's queue: a call, or the end of one that was asked for in vain. */
static void take_event(nilas_wire_server *server, grpc_event event, bool stopping) {
    nilas_wire_call *call = event.tag;
    if (event.success == 0) {
        nilas_wire__call_free(call);
        return;
    }
    size_t method = call->method;
    nilas_wire__pool_add(server->pool, call);
    if (!stopping) {
        ask_call(server, method);
    }
}

/** Take no new calls; wait for those under way, at last without patience. */
static void shut_down(nilas_wire_server *server, int64_t grace_ms) {
    int64_t until_ms = nilas_now_ms() + grace_ms;
    bool impatient = false;
    nilas_wire__core.server_shutdown_and_notify(server->server, server->queue,
                                                &server->shutdown_tag);
    for (;;) {
        grpc_event event = nilas_wire__core.completion_queue_next(
            server->queue, nilas_wire__after_ms(LOOK_EVERY_MS), NULL);
        if (event.type == GRPC_OP_COMPLETE && event.tag == &server->shutdown_tag) {
            server->stopped = true;
            return;
        }
        if (event.type == GRPC_OP_COMPLETE) {
            take_event(server, event, true);
        } else if (!impatient && nilas_now_ms() >= until_ms) {
            impatient = true;
            nilas_wire__core.server_cancel_all_calls(server->server);
        }
    }
}

void nilas_wire_server_run(nilas_wire_server *server, const nilas_cancel *stop, int64_t grace_ms) {
    int64_t tick_ms = nilas_now_ms();
    for (size_t i = 0; i <= server->options.method_count; i++) {
        server->unasked[i] = true;
    }
    ask_calls(server);
    while (!nilas_cancelled(stop)) {
        grpc_event event = nilas_wire__core.completion_queue_next(
            server->queue, nilas_wire__after_ms(LOOK_EVERY_MS), NULL);
        if (event.type == GRPC_OP_COMPLETE) {
            take_event(server, event, false);
        }
        ask_calls(server);
        if (server->options.tick != NULL && nilas_now_ms() - tick_ms >= TICK_MS) {
            tick_ms = nilas_now_ms();
            server->options.tick(server->options.context);
        }
    }
    if (server->options.stopping != NULL) {
        server->options.stopping(server->options.context);
    }
    shut_down(server, grace_ms);
    nilas_wire__pool_free(server->pool);
    server->pool = NULL;
}

void nilas_wire_server_free(nilas_wire_server *server) {
    if (server == NULL) {
        return;
    }
    if (server->server != NULL) {
        if (!server->stopped) {
            shut_down(server, 0);
        }
        nilas_wire__pool_free(server->pool);
        nilas_wire__core.server_destroy(server->server);
        nilas_wire__core.completion_queue_shutdown(server->queue);
        while (nilas_wire__core.completion_queue_next(server->queue, nilas_wire__after_ms(-1), NULL)
                   .type != GRPC_QUEUE_SHUTDOWN) {
        }
        nilas_wire__core.completion_queue_destroy(server->queue);
    }
    free(server->methods);
    free(server->unasked);
    free(server->token);
    free(server);
}
