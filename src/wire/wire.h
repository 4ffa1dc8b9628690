/**
 * wire: Spark Connect as bytes: its messages, and the gRPC calls that carry them, from both ends.
 * Knows no tables and no statements.
 *
 * Messages are the C structs that protoc-c makes of spark_connect.proto (prefix Sc__). Of a message
 * that came from outside every sub-message may be NULL and every number out of range; texts end
 * with a zero byte, but need not be UTF-8.
 */
#ifndef NILAS_WIRE_WIRE_H
#define NILAS_WIRE_WIRE_H

#include "base/base.h"
#include "spark_connect.pb-c.h"

/**
 * Decode a message. Nesting is bounded by NILAS_LIMIT_WIRE_DEPTH before anything is built.
 * @param out  free with protobuf_c_message_free_unpacked(*out, NULL)
 * @return NILAS_CORRUPT  not a message of this kind, or nested too deep
 */
nilas_code nilas_wire_decode(const ProtobufCMessageDescriptor *descriptor, nilas_str bytes,
                             ProtobufCMessage **out, nilas_error *err);
/** Append the encoding of a message. */
void nilas_wire_encode(nilas_buf *out, const ProtobufCMessage *message);

/* --- answering calls (server.c, call.c) --- */

typedef struct nilas_wire_server nilas_wire_server;
typedef struct nilas_wire_call nilas_wire_call;

typedef struct nilas_wire_server_options {
    nilas_str listen;           // HOST:PORT; port 0 takes a free one
    nilas_str certificate, key; // PEM; data NULL: calls are not encrypted
    nilas_str token;            // what callers have to bear; data NULL: nothing
    const char *const *methods; // "ExecutePlan", …; all others are UNIMPLEMENTED
    size_t method_count;
    uint32_t thread_count; // calls answered at once; more wait in line
    /** Answer one call, on a thread of the pool; several at once. */
    void (*answer)(void *context, nilas_wire_call *call);
    /** Called about once a second while the server runs, from the thread that runs it; or NULL. */
    void (*tick)(void *context);
    /** Called once when the server begins to stop: time to end what runs; or NULL. */
    void (*stopping)(void *context);
    void *context;
} nilas_wire_server_options;

/**
 * Begin to listen. Texts are copied; `methods` is not.
 * @return NILAS_IO       the address is taken or is not this machine's
 *         NILAS_INVALID  certificate or key
 */
nilas_code nilas_wire_server_new(const nilas_wire_server_options *options, nilas_wire_server **out,
                                 nilas_error *err);
int nilas_wire_server_port(const nilas_wire_server *server);
/** Answer calls until `stop` is requested (seen within 100 ms): no new calls are taken then, those
 *  under way have `grace_ms` to end, and are cancelled after that. */
void nilas_wire_server_run(nilas_wire_server *server, const nilas_cancel *stop, int64_t grace_ms);
void nilas_wire_server_free(nilas_wire_server *server);
NILAS_DEFINE_AUTO(nilas_wire_server, nilas_wire_server_free);

/** Which of the server's methods is called. */
size_t nilas_wire_call_method(const nilas_wire_call *call);
/** The request: its bytes as they came, valid until the next receive or the end of the call. */
nilas_str nilas_wire_call_request(const nilas_wire_call *call);
/** The next request of a method that takes several; data NULL after the last. A caller that sends
 *  nothing for a minute is given up. */
nilas_code nilas_wire_call_receive(nilas_wire_call *call, nilas_str *out, nilas_error *err);
/** Whether the caller has gone or has cancelled the call. Costs little; does not wait. */
bool nilas_wire_call_is_gone(nilas_wire_call *call);
/** Make the sends of a call fail from another thread, which knows that it has not ended. */
void nilas_wire_call_cancel(nilas_wire_call *call);

/** An encoded message, to be sent any number of times. Counted; any thread may take or drop it. */
typedef struct nilas_wire_packet nilas_wire_packet;
nilas_code nilas_wire_packet_new(const ProtobufCMessage *message, nilas_wire_packet **out,
                                 nilas_error *err);
nilas_wire_packet *nilas_wire_packet_ref(nilas_wire_packet *packet);
void nilas_wire_packet_unref(nilas_wire_packet *packet);
NILAS_DEFINE_AUTO(nilas_wire_packet, nilas_wire_packet_unref);
size_t nilas_wire_packet_size(const nilas_wire_packet *packet);

/**
 * Send an answer and wait until the connection has taken it: a slow caller slows us.
 * @param more  another follows at once, so that both may go together
 * @return NILAS_CANCELLED  the caller has gone
 */
nilas_code nilas_wire_call_send(nilas_wire_call *call, nilas_wire_packet *packet, bool more);
/** The one answer of a call, and its end. */
void nilas_wire_call_reply(nilas_wire_call *call, const ProtobufCMessage *message);
/** The end: gRPC's status code, a text of at most 1,500 bytes, and the bytes of a google.rpc.Status
 *  (size 0: none). A call that is not ended by its answerer ends as INTERNAL. */
void nilas_wire_call_end(nilas_wire_call *call, int status, nilas_str message, nilas_str details);

// gRPC's status codes that answers use
#define NILAS_WIRE_OK                  0
#define NILAS_WIRE_CANCELLED           1
#define NILAS_WIRE_INVALID_ARGUMENT    3
#define NILAS_WIRE_NOT_FOUND           5
#define NILAS_WIRE_RESOURCE_EXHAUSTED  8
#define NILAS_WIRE_FAILED_PRECONDITION 9
#define NILAS_WIRE_UNIMPLEMENTED       12
#define NILAS_WIRE_INTERNAL            13
#define NILAS_WIRE_UNAVAILABLE         14

/* --- calls to a far server (client.c) --- */

/** A connection to one server; calls of several threads may run on it at once. */
typedef struct nilas_wire_channel nilas_wire_channel;

typedef struct nilas_wire_channel_options {
    nilas_str target;     // HOST:PORT
    bool tls;             // encrypted; the server's certificate is checked
    nilas_str roots;      // trusted certificates (PEM); data NULL: the system's
    nilas_str token;      // sent as "authorization: Bearer …"; data NULL: none
    nilas_str user_agent; // data NULL: gRPC's own
} nilas_wire_channel_options;

/** Nothing is sent yet: a server that cannot be reached fails the first call. Texts are copied. */
nilas_code nilas_wire_channel_new(const nilas_wire_channel_options *options,
                                  nilas_wire_channel **out, nilas_error *err);
/** After all its calls have ended. */
void nilas_wire_channel_free(nilas_wire_channel *channel);
NILAS_DEFINE_AUTO(nilas_wire_channel, nilas_wire_channel_free);

/** A call whose answers are being read. One thread at a time. */
typedef struct nilas_wire_stream nilas_wire_stream;

typedef struct nilas_wire_call_options {
    const char *method;         // "ExecutePlan"
    int64_t timeout_ms;         // of the whole call; 0: none
    const nilas_cancel *cancel; // looked at while waiting (within 50 ms); or NULL
} nilas_wire_call_options;

/** Send a request. The message is not kept. */
nilas_code nilas_wire_stream_open(nilas_wire_channel *channel,
                                  const nilas_wire_call_options *options,
                                  const ProtobufCMessage *request, nilas_wire_stream **out,
                                  nilas_error *err);
/** For a method that takes several requests: send one more, and say that it was the last.
 *  Only before the first nilas_wire_stream_next(). */
nilas_code nilas_wire_stream_send(nilas_wire_stream *stream, const ProtobufCMessage *request,
                                  bool last, nilas_error *err);
/**
 * The next answer; NULL at the end of a call that went well.
 * @param out  free with protobuf_c_message_free_unpacked(*out, NULL)
 * @return the server's error, as nilas_wire_status_error() tells it; NILAS_CANCELLED
 */
nilas_code nilas_wire_stream_next(nilas_wire_stream *stream,
                                  const ProtobufCMessageDescriptor *descriptor,
                                  ProtobufCMessage **out, nilas_error *err);
/** How the call ended: gRPC's status code and the trailer "grpc-status-details-bin", borrowed from
 *  the stream. Only after nilas_wire_stream_next() gave an error or NULL. */
int nilas_wire_stream_status(const nilas_wire_stream *stream, nilas_str *out_message,
                             nilas_str *out_details);
/** Cancels the call unless it has ended. NULL-safe. */
void nilas_wire_stream_free(nilas_wire_stream *stream);
NILAS_DEFINE_AUTO(nilas_wire_stream, nilas_wire_stream_free);

/** One request, one answer. */
nilas_code nilas_wire_ask(nilas_wire_channel *channel, const nilas_wire_call_options *options,
                          const ProtobufCMessage *request,
                          const ProtobufCMessageDescriptor *descriptor, ProtobufCMessage **out,
                          nilas_error *err);

/**
 * A Spark server's error as ours: condition and SQLSTATE from the ErrorInfo in `details` (an
 * encoded google.rpc.Status), the message without "[CONDITION]" and "SQLSTATE: …": printers add
 * them.
 * @param status  gRPC's code, not 0
 */
nilas_code nilas_wire_status_error(int status, nilas_str message, nilas_str details,
                                   nilas_error *err);

#endif
