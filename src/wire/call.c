/*
 * One call that is being answered. Its thread waits on the call's own queue, so that answers of
 * different calls never wait for each other. The batch that tells of the end is started first: it
 * is the only sign of a caller who goes while nothing is being sent.
 */
#include "wire/server.h"

#include <stdlib.h>

#define RECEIVE_MS   60000
#define MESSAGE_SIZE 1500 // of a status: headers are small, and a letter may take three bytes there

struct nilas_wire_packet {
    atomic_int count;
    grpc_slice bytes;
};

nilas_wire_call *nilas_wire__call_new(size_t method) {
    nilas_wire_call *call = calloc(1, sizeof(*call));
    if (call == NULL) {
        return NULL;
    }
    call->method = method;
    call->request = nilas_wire__core.empty_slice();
    call->queue = nilas_wire__core.completion_queue_create_for_pluck(NULL);
    nilas_wire__core.metadata_array_init(&call->metadata);
    nilas_wire__core.call_details_init(&call->details);
    return call;
}

void nilas_wire__call_free(nilas_wire_call *call) {
    if (call == NULL) {
        return;
    }
    if (call->call != NULL) {
        nilas_wire__core.call_unref(call->call);
    }
    if (call->received != NULL) {
        nilas_wire__core.byte_buffer_destroy(call->received);
    }
    nilas_wire__core.slice_unref(call->request);
    nilas_wire__core.metadata_array_destroy(&call->metadata);
    nilas_wire__core.call_details_destroy(&call->details);
    nilas_wire__core.completion_queue_shutdown(call->queue);
    nilas_wire__core.completion_queue_destroy(call->queue);
    free(call);
}

/** The received buffer becomes the current request. False: there is none. */
static bool take_request(nilas_wire_call *call) {
    grpc_slice bytes;
    if (!nilas_wire__read_all(call->received, &bytes)) {
        return false;
    }
    nilas_wire__core.byte_buffer_destroy(call->received);
    call->received = NULL;
    nilas_wire__core.slice_unref(call->request);
    call->request = bytes;
    return true;
}

void nilas_wire__call_begin(nilas_wire_call *call) {
    grpc_op close = {.op = GRPC_OP_RECV_CLOSE_ON_SERVER,
                     .data.recv_close_on_server.cancelled = &call->cancelled};
    grpc_call_error started =
        nilas_wire__core.call_start_batch(call->call, &close, 1, &call->close_tag, NULL);
    nilas_assert(started == GRPC_CALL_OK);
    (void)take_request(call); // a call without a request has an empty one
}

static bool wait_close(nilas_wire_call *call, int64_t timeout_ms) {
    if (!call->closed) {
        grpc_event event = nilas_wire__core.completion_queue_pluck(
            call->queue, &call->close_tag, nilas_wire__after_ms(timeout_ms), NULL);
        call->closed = event.type == GRPC_OP_COMPLETE;
    }
    return call->closed;
}

void nilas_wire__call_finish(nilas_wire_call *call) {
    if (!call->ended) {
        nilas_wire_call_end(call, GRPC_STATUS_INTERNAL, NILAS_STR("the call was not answered"),
                            NILAS_STR_EMPTY);
    }
    (void)wait_close(call, -1);
}

size_t nilas_wire_call_method(const nilas_wire_call *call) {
    return call->method;
}

nilas_str nilas_wire_call_request(const nilas_wire_call *call) {
    return nilas_wire__slice_view(&call->request);
}

nilas_code nilas_wire_call_receive(nilas_wire_call *call, nilas_str *out, nilas_error *err) {
    grpc_op receive = {.op = GRPC_OP_RECV_MESSAGE,
                       .data.recv_message.recv_message = &call->received};
    grpc_call_error started =
        nilas_wire__core.call_start_batch(call->call, &receive, 1, &call->receive_tag, NULL);
    NILAS_REQUIRE(started == GRPC_CALL_OK, err, NILAS_CANCELLED, "the caller has gone");
    grpc_event event = nilas_wire__core.completion_queue_pluck(
        call->queue, &call->receive_tag, nilas_wire__after_ms(RECEIVE_MS), NULL);
    if (event.type != GRPC_OP_COMPLETE) {
        nilas_wire_call_cancel(call);
        event = nilas_wire__core.completion_queue_pluck(call->queue, &call->receive_tag,
                                                        nilas_wire__after_ms(-1), NULL);
        return nilas_fail(err, NILAS_CANCELLED, "the caller sent nothing for %d s",
                          RECEIVE_MS / 1000);
    }
    NILAS_REQUIRE(!nilas_wire_call_is_gone(call), err, NILAS_CANCELLED, "the caller has gone");
    *out = take_request(call) ? nilas_wire_call_request(call) : (nilas_str){0};
    return NILAS_OK;
}

bool nilas_wire_call_is_gone(nilas_wire_call *call) {
    return wait_close(call, 0) && call->cancelled != 0;
}

void nilas_wire_call_cancel(nilas_wire_call *call) {
    (void)nilas_wire__core.call_cancel(call->call, NULL);
}

/* --- packets --- */

nilas_code nilas_wire_packet_new(const ProtobufCMessage *message, nilas_wire_packet **out,
                                 nilas_error *err) {
    nilas_wire_packet *packet = calloc(1, sizeof(*packet));
    NILAS_REQUIRE(packet != NULL, err, NILAS_NOMEM, "out of memory for an answer");
    size_t size = protobuf_c_message_get_packed_size(message);
    atomic_init(&packet->count, 1);
    packet->bytes = nilas_wire__core.slice_malloc(size);
    (void)protobuf_c_message_pack(message, GRPC_SLICE_START_PTR(packet->bytes));
    *out = packet;
    return NILAS_OK;
}

nilas_wire_packet *nilas_wire_packet_ref(nilas_wire_packet *packet) {
    atomic_fetch_add_explicit(&packet->count, 1, memory_order_relaxed);
    return packet;
}

void nilas_wire_packet_unref(nilas_wire_packet *packet) {
    if (packet != NULL && atomic_fetch_sub_explicit(&packet->count, 1, memory_order_acq_rel) == 1) {
        nilas_wire__core.slice_unref(packet->bytes);
        free(packet);
    }
}

size_t nilas_wire_packet_size(const nilas_wire_packet *packet) {
    return GRPC_SLICE_LENGTH(packet->bytes);
}

/* --- sending --- */

static size_t add_metadata(nilas_wire_call *call, grpc_op *operations) {
    if (call->metadata_sent) {
        return 0;
    }
    call->metadata_sent = true;
    operations[0].op = GRPC_OP_SEND_INITIAL_METADATA;
    return 1;
}

nilas_code nilas_wire_call_send(nilas_wire_call *call, nilas_wire_packet *packet, bool more) {
    nilas_assert(!call->ended);
    grpc_op operations[2] = {0};
    bool first = !call->metadata_sent; // what goes with the metadata must not wait
    size_t count = add_metadata(call, operations);
    // The core empties the buffer that it is given: each sending has its own, over the same bytes.
    grpc_byte_buffer *buffer = nilas_wire__core.raw_byte_buffer_create(&packet->bytes, 1);
    operations[count].op = GRPC_OP_SEND_MESSAGE;
    operations[count].flags = more && !first ? GRPC_WRITE_BUFFER_HINT : 0;
    operations[count++].data.send_message.send_message = buffer;
    bool sent =
        nilas_wire__run_batch(call->call, call->queue, operations, count, &call->operation_tag);
    nilas_wire__core.byte_buffer_destroy(buffer);
    return sent ? NILAS_OK : NILAS_CANCELLED;
}

/** The status, with a message before it or not, in one batch. */
static void send_end(nilas_wire_call *call, grpc_byte_buffer *buffer, int status, nilas_str message,
                     nilas_str details) {
    nilas_assert(!call->ended);
    call->ended = true;
    grpc_op operations[3] = {0};
    size_t count = add_metadata(call, operations);
    if (buffer != NULL) {
        operations[count].op = GRPC_OP_SEND_MESSAGE;
        operations[count++].data.send_message.send_message = buffer;
    }
    grpc_metadata trailer = {0};
    message = nilas_str_slice(message, 0, MESSAGE_SIZE);
    grpc_slice text = nilas_wire__core.slice_from_copied_buffer(message.data, message.size);
    grpc_op *end = &operations[count++];
    end->op = GRPC_OP_SEND_STATUS_FROM_SERVER;
    end->data.send_status_from_server.status = (grpc_status_code)status;
    end->data.send_status_from_server.status_details = &text;
    if (details.size > 0) {
        trailer.key = nilas_wire__core.slice_from_static_string("grpc-status-details-bin");
        trailer.value = nilas_wire__core.slice_from_copied_buffer(details.data, details.size);
        end->data.send_status_from_server.trailing_metadata = &trailer;
        end->data.send_status_from_server.trailing_metadata_count = 1;
    }
    (void)nilas_wire__run_batch(call->call, call->queue, operations, count, &call->operation_tag);
    nilas_wire__core.slice_unref(text);
    if (details.size > 0) {
        nilas_wire__core.slice_unref(trailer.value);
    }
}

void nilas_wire_call_reply(nilas_wire_call *call, const ProtobufCMessage *message) {
    grpc_byte_buffer *buffer = nilas_wire__buffer_of(message);
    send_end(call, buffer, GRPC_STATUS_OK, NILAS_STR_EMPTY, NILAS_STR_EMPTY);
    nilas_wire__core.byte_buffer_destroy(buffer);
}

void nilas_wire_call_end(nilas_wire_call *call, int status, nilas_str message, nilas_str details) {
    send_end(call, NULL, status, message, details);
}
