/*
 * Calls to a far server over gRPC's core: each has a queue of its own on which its thread waits,
 * looking now and then whether it should stop.
 */
#include "wire/core.h"

#include <stdio.h>
#include <stdlib.h>

#define PREFIX        "/spark.connect.SparkConnectService/"
#define LOOK_EVERY_MS 50

struct nilas_wire_channel {
    grpc_channel *channel;
    char *authorization; // "Bearer …", or NULL
};

struct nilas_wire_stream {
    grpc_call *call;
    grpc_completion_queue *queue;
    const nilas_cancel *cancel;
    grpc_metadata_array initial, trailing;
    grpc_byte_buffer *received; // written by the core while a receive is under way
    grpc_status_code status;
    grpc_slice status_message;
    bool reading;    // the first answer was asked for
    bool ended;      // the status is in
    bool asked_stop; // the call was cancelled from here
    char receive_tag, send_tag, end_tag;
};

/* --- the channel --- */

static nilas_code new_credentials(const nilas_wire_channel_options *options,
                                  grpc_channel_credentials **out, nilas_error *err) {
    if (!options->tls) {
        *out = nilas_wire__core.insecure_credentials_create();
        return NILAS_OK;
    }
    NILAS_AUTO_BUF roots = NILAS_BUF_INIT(0);
    nilas_buf_add(&roots, options->roots);
    nilas_buf_add_char(&roots, '\0');
    NILAS_TRY(nilas_buf_check(&roots, err));
    *out = nilas_wire__core.ssl_credentials_create(options->roots.data != NULL ? roots.data : NULL,
                                                   NULL, NULL, NULL);
    return NILAS_OK;
}

static nilas_code copy_token(nilas_wire_channel *channel, nilas_str token, nilas_error *err) {
    if (token.data == NULL) {
        return NILAS_OK;
    }
    for (size_t i = 0; i < token.size; i++) { // a header holds printable ASCII only
        NILAS_REQUIRE(token.data[i] > ' ' && token.data[i] < 0x7F, err, NILAS_INVALID,
                      "a token is made of printable ASCII letters without blanks");
    }
    size_t size = strlen("Bearer ") + token.size + 1;
    channel->authorization = malloc(size);
    NILAS_REQUIRE(channel->authorization != NULL, err, NILAS_NOMEM, "out of memory for a token");
    memcpy(channel->authorization, "Bearer ", strlen("Bearer "));
    nilas_copy(channel->authorization + strlen("Bearer "), token.data, token.size);
    channel->authorization[size - 1] = '\0';
    return NILAS_OK;
}

static nilas_code open_channel(nilas_wire_channel *channel,
                               const nilas_wire_channel_options *options, nilas_error *err) {
    NILAS_TRY(nilas_wire__core_load(err));
    NILAS_TRY(copy_token(channel, options->token, err));
    NILAS_AUTO_BUF target = NILAS_BUF_INIT(4096);
    NILAS_AUTO_BUF agent = NILAS_BUF_INIT(4096);
    nilas_buf_add(&target, options->target);
    nilas_buf_add_char(&target, '\0');
    nilas_buf_add(&agent, options->user_agent);
    nilas_buf_add_char(&agent, '\0');
    NILAS_TRY(nilas_buf_check(&target, err));
    NILAS_TRY(nilas_buf_check(&agent, err));
    grpc_arg items[] = {
        {.type = GRPC_ARG_INTEGER,
         .key = GRPC_ARG_MAX_RECEIVE_MESSAGE_LENGTH,
         .value.integer = NILAS_LIMIT_WIRE_BYTES},
        {.type = GRPC_ARG_INTEGER, .key = GRPC_ARG_KEEPALIVE_TIME_MS, .value.integer = 60000},
        {.type = GRPC_ARG_STRING,
         .key = GRPC_ARG_PRIMARY_USER_AGENT_STRING,
         .value.string = agent.data},
    };
    grpc_channel_args arguments = {.num_args = options->user_agent.size > 0 ? 3 : 2, .args = items};
    grpc_channel_credentials *credentials = NULL;
    NILAS_TRY(new_credentials(options, &credentials, err));
    NILAS_REQUIRE(credentials != NULL, err, NILAS_INVALID,
                  "the trusted certificates cannot be used");
    channel->channel = nilas_wire__core.channel_create(target.data, credentials, &arguments);
    nilas_wire__core.channel_credentials_release(credentials);
    NILAS_REQUIRE(channel->channel != NULL, err, NILAS_INVALID, "no server can be named \"%.*s\"",
                  NILAS_FMT(options->target));
    return NILAS_OK;
}

nilas_code nilas_wire_channel_new(const nilas_wire_channel_options *options,
                                  nilas_wire_channel **out, nilas_error *err) {
    NILAS_AUTO(nilas_wire_channel) channel = calloc(1, sizeof(*channel));
    NILAS_REQUIRE(channel != NULL, err, NILAS_NOMEM, "out of memory for a connection");
    NILAS_TRY(open_channel(channel, options, err));
    *out = channel;
    channel = NULL;
    return NILAS_OK;
}

void nilas_wire_channel_free(nilas_wire_channel *channel) {
    if (channel == NULL) {
        return;
    }
    if (channel->channel != NULL) {
        nilas_wire__core.channel_destroy(channel->channel);
    }
    free(channel->authorization);
    free(channel);
}

/* --- one call --- */

/** Wait for a batch, looking at the flag that stops us; true when it went well. */
static bool wait_for(nilas_wire_stream *stream, void *tag) {
    for (;;) {
        grpc_event event = nilas_wire__core.completion_queue_pluck(
            stream->queue, tag, nilas_wire__after_ms(stream->cancel != NULL ? LOOK_EVERY_MS : -1),
            NULL);
        if (event.type == GRPC_OP_COMPLETE) {
            return event.success != 0;
        }
        if (nilas_cancelled(stream->cancel) && !stream->asked_stop) {
            stream->asked_stop = true;
            (void)nilas_wire__core.call_cancel(stream->call, NULL);
        }
    }
}

static bool run(nilas_wire_stream *stream, grpc_op *operations, size_t count, void *tag) {
    return nilas_wire__core.call_start_batch(stream->call, operations, count, tag, NULL) ==
               GRPC_CALL_OK &&
           wait_for(stream, tag);
}

/** The first batch also says who asks. */
static void start_call(nilas_wire_stream *stream, const nilas_wire_channel *channel) {
    grpc_metadata authorization = {0};
    grpc_op operations[] = {
        {.op = GRPC_OP_SEND_INITIAL_METADATA},
        {.op = GRPC_OP_RECV_STATUS_ON_CLIENT,
         .data.recv_status_on_client = {.trailing_metadata = &stream->trailing,
                                        .status = &stream->status,
                                        .status_details = &stream->status_message}},
    };
    if (channel->authorization != NULL) {
        authorization.key = nilas_wire__core.slice_from_static_string("authorization");
        authorization.value = nilas_wire__core.slice_from_static_string(channel->authorization);
        operations[0].data.send_initial_metadata.count = 1;
        operations[0].data.send_initial_metadata.metadata = &authorization;
    }
    // The status is asked for at once and comes last: whatever fails before it is told by it.
    grpc_call_error started =
        nilas_wire__core.call_start_batch(stream->call, operations + 1, 1, &stream->end_tag, NULL);
    nilas_assert(started == GRPC_CALL_OK);
    (void)run(stream, operations, 1, &stream->send_tag);
}

static nilas_code send_request(nilas_wire_stream *stream, const ProtobufCMessage *request,
                               bool last) {
    grpc_byte_buffer *buffer = request != NULL ? nilas_wire__buffer_of(request) : NULL;
    grpc_op operations[2] = {0};
    size_t count = 0;
    if (buffer != NULL) {
        operations[count].op = GRPC_OP_SEND_MESSAGE;
        operations[count++].data.send_message.send_message = buffer;
    }
    if (last) {
        operations[count++].op = GRPC_OP_SEND_CLOSE_FROM_CLIENT;
    }
    bool sent = count == 0 || run(stream, operations, count, &stream->send_tag);
    if (buffer != NULL) {
        nilas_wire__core.byte_buffer_destroy(buffer);
    }
    return sent ? NILAS_OK : NILAS_IO; // why, the status will tell
}

static nilas_code open_stream(nilas_wire_channel *channel, const nilas_wire_call_options *options,
                              nilas_wire_stream **out, nilas_error *err) {
    nilas_wire_stream *stream = calloc(1, sizeof(*stream));
    NILAS_REQUIRE(stream != NULL, err, NILAS_NOMEM, "out of memory for a call");
    char method[128];
    (void)snprintf(method, sizeof(method), PREFIX "%s", options->method);
    grpc_slice name = nilas_wire__core.slice_from_copied_buffer(method, strlen(method));
    stream->cancel = options->cancel;
    stream->status_message = nilas_wire__core.empty_slice();
    nilas_wire__core.metadata_array_init(&stream->initial);
    nilas_wire__core.metadata_array_init(&stream->trailing);
    stream->queue = nilas_wire__core.completion_queue_create_for_pluck(NULL);
    stream->call = nilas_wire__core.channel_create_call(
        channel->channel, NULL, GRPC_PROPAGATE_DEFAULTS, stream->queue, name, NULL,
        nilas_wire__after_ms(options->timeout_ms > 0 ? options->timeout_ms : -1), NULL);
    nilas_wire__core.slice_unref(name);
    start_call(stream, channel);
    *out = stream;
    return NILAS_OK;
}

nilas_code nilas_wire_stream_open(nilas_wire_channel *channel,
                                  const nilas_wire_call_options *options,
                                  const ProtobufCMessage *request, nilas_wire_stream **out,
                                  nilas_error *err) {
    nilas_wire_stream *stream = NULL;
    NILAS_TRY(open_stream(channel, options, &stream, err));
    (void)send_request(stream, request, request != NULL); // a failure shows in the first answer
    *out = stream;
    return NILAS_OK;
}

nilas_code nilas_wire_stream_send(nilas_wire_stream *stream, const ProtobufCMessage *request,
                                  bool last, nilas_error *err) {
    if (send_request(stream, request, last) == NILAS_OK) {
        return NILAS_OK;
    }
    ProtobufCMessage *none = NULL;
    nilas_code code = nilas_wire_stream_next(stream, NULL, &none, err);
    return code != NILAS_OK ? code
                            : nilas_fail(err, NILAS_IO, "the server ended the call too early");
}

static nilas_code end_stream(nilas_wire_stream *stream, nilas_error *err) {
    if (!stream->ended) {
        (void)wait_for(stream, &stream->end_tag);
        stream->ended = true;
    }
    if (stream->status == GRPC_STATUS_OK) {
        return NILAS_OK;
    }
    if (stream->asked_stop) {
        return nilas_fail_at(err, NILAS_CANCELLED, "OPERATION_CANCELED", -1,
                             "Operation has been canceled.");
    }
    nilas_str message, details;
    int status = nilas_wire_stream_status(stream, &message, &details);
    return nilas_wire_status_error(status, message, details, err);
}

/** One message, or none at the end: *out NULL. */
static nilas_code decode_received(nilas_wire_stream *stream,
                                  const ProtobufCMessageDescriptor *descriptor,
                                  ProtobufCMessage **out, nilas_error *err) {
    grpc_slice bytes;
    bool is_read = nilas_wire__read_all(stream->received, &bytes);
    nilas_wire__core.byte_buffer_destroy(stream->received);
    stream->received = NULL;
    NILAS_REQUIRE(is_read, err, NILAS_CORRUPT, "an answer of the server cannot be read");
    nilas_code code = nilas_wire_decode(descriptor, nilas_wire__slice_view(&bytes), out, err);
    nilas_wire__core.slice_unref(bytes);
    return code;
}

nilas_code nilas_wire_stream_next(nilas_wire_stream *stream,
                                  const ProtobufCMessageDescriptor *descriptor,
                                  ProtobufCMessage **out, nilas_error *err) {
    *out = NULL;
    if (stream->ended || descriptor == NULL) {
        return end_stream(stream, err);
    }
    grpc_op operations[2] = {
        {.op = GRPC_OP_RECV_MESSAGE, .data.recv_message.recv_message = &stream->received},
        {.op = GRPC_OP_RECV_INITIAL_METADATA,
         .data.recv_initial_metadata.recv_initial_metadata = &stream->initial}};
    size_t count = stream->reading ? 1 : 2;
    stream->reading = true;
    bool received = run(stream, operations, count, &stream->receive_tag);
    if (!received || stream->received == NULL) {
        return end_stream(stream, err);
    }
    return decode_received(stream, descriptor, out, err);
}

int nilas_wire_stream_status(const nilas_wire_stream *stream, nilas_str *out_message,
                             nilas_str *out_details) {
    nilas_assert(stream->ended);
    *out_message = nilas_wire__slice_view(&stream->status_message);
    *out_details = NILAS_STR_EMPTY;
    for (size_t i = 0; i < stream->trailing.count; i++) {
        const grpc_metadata *item = &stream->trailing.metadata[i];
        if (nilas_str_is(nilas_wire__slice_view(&item->key), "grpc-status-details-bin")) {
            *out_details = nilas_wire__slice_view(&item->value);
        }
    }
    return (int)stream->status;
}

void nilas_wire_stream_free(nilas_wire_stream *stream) {
    if (stream == NULL) {
        return;
    }
    if (!stream->ended) {
        stream->asked_stop = true;
        (void)nilas_wire__core.call_cancel(stream->call, NULL);
        (void)wait_for(stream, &stream->end_tag);
    }
    nilas_wire__core.call_unref(stream->call);
    nilas_wire__core.completion_queue_shutdown(stream->queue);
    nilas_wire__core.completion_queue_destroy(stream->queue);
    nilas_wire__core.metadata_array_destroy(&stream->initial);
    nilas_wire__core.metadata_array_destroy(&stream->trailing);
    nilas_wire__core.slice_unref(stream->status_message);
    free(stream);
}

nilas_code nilas_wire_ask(nilas_wire_channel *channel, const nilas_wire_call_options *options,
                          const ProtobufCMessage *request,
                          const ProtobufCMessageDescriptor *descriptor, ProtobufCMessage **out,
                          nilas_error *err) {
    NILAS_AUTO(nilas_wire_stream) stream = NULL;
    NILAS_TRY(nilas_wire_stream_open(channel, options, request, &stream, err));
    ProtobufCMessage *answer = NULL;
    NILAS_TRY(nilas_wire_stream_next(stream, descriptor, &answer, err));
    ProtobufCMessage *more = NULL;
    nilas_code code = answer == NULL ? nilas_fail(err, NILAS_CORRUPT, "the server gave no answer")
                                     : nilas_wire_stream_next(stream, descriptor, &more, err);
    if (more != NULL) {
        protobuf_c_message_free_unpacked(more, NULL);
    }
    if (code != NILAS_OK) {
        if (answer != NULL) {
            protobuf_c_message_free_unpacked(answer, NULL);
        }
        return code;
    }
    *out = answer;
    return NILAS_OK;
}
