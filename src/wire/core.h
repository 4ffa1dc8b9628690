/**
 * gRPC's core library: 56 shared objects and 7 ms, so it is opened by dlopen when a server starts
 * or a far server is asked. Only this room includes its headers; its C interface carries no promise
 * of stability, so the version that the headers belong to is the one that is opened.
 */
#ifndef NILAS_WIRE_CORE_H
#define NILAS_WIRE_CORE_H

#include <grpc/byte_buffer.h>
#include <grpc/byte_buffer_reader.h>
#include <grpc/grpc.h>
#include <grpc/grpc_security.h>
#include <grpc/slice.h>
#include <grpc/support/log.h>

#include "wire/wire.h"

/** Every function of the library that this room calls: "name" is grpc_name. */
#define NILAS__CORE_FUNCTIONS(X)                                                                   \
    X(init)                                                                                        \
    X(shutdown)                                                                                    \
    X(version_string)                                                                              \
    X(empty_slice)                                                                                 \
    X(slice_malloc)                                                                                \
    X(slice_ref)                                                                                   \
    X(slice_unref)                                                                                 \
    X(slice_from_static_string)                                                                    \
    X(slice_from_copied_buffer)                                                                    \
    X(raw_byte_buffer_create)                                                                      \
    X(byte_buffer_destroy)                                                                         \
    X(byte_buffer_reader_init)                                                                     \
    X(byte_buffer_reader_destroy)                                                                  \
    X(byte_buffer_reader_readall)                                                                  \
    X(metadata_array_init)                                                                         \
    X(metadata_array_destroy)                                                                      \
    X(completion_queue_create_for_next)                                                            \
    X(completion_queue_create_for_pluck)                                                           \
    X(completion_queue_next)                                                                       \
    X(completion_queue_pluck)                                                                      \
    X(completion_queue_shutdown)                                                                   \
    X(completion_queue_destroy)                                                                    \
    X(call_start_batch)                                                                            \
    X(call_cancel)                                                                                 \
    X(call_unref)                                                                                  \
    X(call_details_init)                                                                           \
    X(call_details_destroy)                                                                        \
    X(server_create)                                                                               \
    X(server_register_completion_queue)                                                            \
    X(server_register_method)                                                                      \
    X(server_request_registered_call)                                                              \
    X(server_request_call)                                                                         \
    X(server_add_http2_port)                                                                       \
    X(server_start)                                                                                \
    X(server_shutdown_and_notify)                                                                  \
    X(server_cancel_all_calls)                                                                     \
    X(server_destroy)                                                                              \
    X(server_credentials_release)                                                                  \
    X(server_credentials_set_auth_metadata_processor)                                              \
    X(insecure_server_credentials_create)                                                          \
    X(ssl_server_credentials_create)                                                               \
    X(resource_quota_create)                                                                       \
    X(resource_quota_resize)                                                                       \
    X(resource_quota_unref)                                                                        \
    X(resource_quota_arg_vtable)                                                                   \
    X(channel_create)                                                                              \
    X(channel_create_call)                                                                         \
    X(channel_destroy)                                                                             \
    X(channel_credentials_release)                                                                 \
    X(insecure_credentials_create)                                                                 \
    X(ssl_credentials_create)

struct nilas_wire__core {
#define NILAS__CORE_MEMBER(name) typeof(grpc_##name) *name;
    NILAS__CORE_FUNCTIONS(NILAS__CORE_MEMBER)
#undef NILAS__CORE_MEMBER
};
extern struct nilas_wire__core nilas_wire__core;

/** Open the library and start it; later calls cost nothing. It is never closed. Thread-safe.
 *  NILAS_NOT_FOUND: it is not installed. NILAS_UNSUPPORTED: another version than was built for. */
nilas_code nilas_wire__core_load(nilas_error *err);

/** A moment so many milliseconds from now; below zero: never. */
gpr_timespec nilas_wire__after_ms(int64_t timeout_ms);
/** Bytes of a slice, borrowed. */
static inline nilas_str nilas_wire__slice_view(const grpc_slice *slice) {
    return (nilas_str){.data = (const char *)GRPC_SLICE_START_PTR(*slice),
                       .size = GRPC_SLICE_LENGTH(*slice)};
}
/** All bytes of a buffer in one piece, owned by the caller. False: it cannot be read. */
bool nilas_wire__read_all(grpc_byte_buffer *buffer, grpc_slice *out);
/** The encoding of a message as a buffer to send. */
grpc_byte_buffer *nilas_wire__buffer_of(const ProtobufCMessage *message);

/**
 * Start a batch of operations and wait until they are done. `tag` is any address of the call's own;
 * a call waits for several batches at once under several tags.
 * @return whether all operations went well
 */
bool nilas_wire__run_batch(grpc_call *call, grpc_completion_queue *queue, grpc_op *operations,
                           size_t count, void *tag);

#endif
