/** Private to the wire room: the server, its calls and its threads. */
#ifndef NILAS_WIRE_SERVER_H
#define NILAS_WIRE_SERVER_H

#include "wire/core.h"

struct nilas_wire_call {
    struct nilas_wire_call *next; // in the line of calls that wait for a thread
    size_t method;
    grpc_call *call;
    grpc_completion_queue *queue; // the call's own: the thread that answers waits on it
    grpc_metadata_array metadata;
    grpc_call_details details; // of a method that is not known
    gpr_timespec deadline;
    grpc_byte_buffer *received; // written by the core
    grpc_slice request;
    int cancelled;      // written by the core when the call ends
    bool closed;        // the end, or the caller's going, was seen
    bool metadata_sent; // the first batch that sends anything carries it
    bool ended;         // the status was sent
    char operation_tag, receive_tag, close_tag;
};

/** A call to be filled by the core. NULL: out of memory. */
nilas_wire_call *nilas_wire__call_new(size_t method);
void nilas_wire__call_free(nilas_wire_call *call);
/** Begin to answer: take over the request that came with the call, and watch for its end. */
void nilas_wire__call_begin(nilas_wire_call *call);
/** Send a status if that has not happened, and wait for the end. */
void nilas_wire__call_finish(nilas_wire_call *call);

/** Threads that answer: started on demand, at most so many; idle ones go after a while. */
typedef struct nilas_wire__pool nilas_wire__pool;

nilas_code nilas_wire__pool_new(uint32_t thread_count,
                                void (*work)(void *context, nilas_wire_call *call), void *context,
                                nilas_wire__pool **out, nilas_error *err);
/** Put a call in line. */
void nilas_wire__pool_add(nilas_wire__pool *pool, nilas_wire_call *call);
/** Calls that wait for a thread. */
size_t nilas_wire__pool_waiting(nilas_wire__pool *pool);
/** Waits until all that was added is done and all threads are gone. NULL-safe. */
void nilas_wire__pool_free(nilas_wire__pool *pool);

#endif
