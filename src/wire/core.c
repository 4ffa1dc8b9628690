/*
 * Opening gRPC's core library, and the few steps that both ends of a call share.
 */
#include "wire/core.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#define LIBRARY      "libgrpc.so.29" // the headers' version: see docs/decisions/0009
#define LIBRARY_CORE "29."

struct nilas_wire__core nilas_wire__core;

static pthread_mutex_t load_lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_loaded;

/** gRPC would write its complaints to standard error; whoever asked gets an error instead. */
static void keep_silent(gpr_log_func_args *line) {
    (void)line;
}

static nilas_code fill_core(void *library, nilas_error *err) {
#define NILAS__RESOLVE(name)                                                                       \
    *(void **)&nilas_wire__core.name = dlsym(library, "grpc_" #name);                              \
    NILAS_REQUIRE(nilas_wire__core.name != NULL, err, NILAS_UNSUPPORTED,                           \
                  "the library %s has no function grpc_%s", LIBRARY, #name);
    NILAS__CORE_FUNCTIONS(NILAS__RESOLVE)
#undef NILAS__RESOLVE
    const char *version = nilas_wire__core.version_string();
    NILAS_REQUIRE(nilas_str_starts(nilas_str_of(version), NILAS_STR(LIBRARY_CORE)), err,
                  NILAS_UNSUPPORTED, "gRPC's core is version %s, needed is %sx", version,
                  LIBRARY_CORE);
    void (*set_log)(gpr_log_func) = NULL;
    *(void **)&set_log = dlsym(library, "gpr_set_log_function");
    if (set_log != NULL && getenv("GRPC_VERBOSITY") == NULL) {
        set_log(keep_silent);
    }
    return NILAS_OK;
}

static nilas_code load_once(nilas_error *err) {
    const char *given = getenv("NILAS_GRPC");
    const char *name = given != NULL && given[0] != '\0' ? given : LIBRARY;
    void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    NILAS_REQUIRE(library != NULL, err, NILAS_NOT_FOUND,
                  "Spark Connect needs gRPC's core library (Debian: libgrpc29): %s", dlerror());
    nilas_code code = fill_core(library, err);
    if (code != NILAS_OK) {
        dlclose(library);
        return code;
    }
    nilas_wire__core.init();
    is_loaded = true;
    return NILAS_OK;
}

nilas_code nilas_wire__core_load(nilas_error *err) {
    pthread_mutex_lock(&load_lock);
    nilas_code code = is_loaded ? NILAS_OK : load_once(err);
    pthread_mutex_unlock(&load_lock);
    return code;
}

gpr_timespec nilas_wire__after_ms(int64_t timeout_ms) {
    if (timeout_ms < 0) {
        return (gpr_timespec){.tv_sec = INT64_MAX, .clock_type = GPR_CLOCK_MONOTONIC};
    }
    int64_t at_ns = nilas_monotonic_ns() + timeout_ms * 1000000;
    return (gpr_timespec){.tv_sec = at_ns / 1000000000,
                          .tv_nsec = (int32_t)(at_ns % 1000000000),
                          .clock_type = GPR_CLOCK_MONOTONIC};
}

bool nilas_wire__read_all(grpc_byte_buffer *buffer, grpc_slice *out) {
    grpc_byte_buffer_reader reader;
    if (buffer == NULL || nilas_wire__core.byte_buffer_reader_init(&reader, buffer) == 0) {
        return false;
    }
    *out = nilas_wire__core.byte_buffer_reader_readall(&reader);
    nilas_wire__core.byte_buffer_reader_destroy(&reader);
    return true;
}

grpc_byte_buffer *nilas_wire__buffer_of(const ProtobufCMessage *message) {
    grpc_slice slice = nilas_wire__core.slice_malloc(protobuf_c_message_get_packed_size(message));
    (void)protobuf_c_message_pack(message, GRPC_SLICE_START_PTR(slice));
    grpc_byte_buffer *buffer = nilas_wire__core.raw_byte_buffer_create(&slice, 1);
    nilas_wire__core.slice_unref(slice);
    return buffer;
}

bool nilas_wire__run_batch(grpc_call *call, grpc_completion_queue *queue, grpc_op *operations,
                           size_t count, void *tag) {
    if (nilas_wire__core.call_start_batch(call, operations, count, tag, NULL) != GRPC_CALL_OK) {
        return false;
    }
    grpc_event event =
        nilas_wire__core.completion_queue_pluck(queue, tag, nilas_wire__after_ms(-1), NULL);
    return event.type == GRPC_OP_COMPLETE && event.success != 0;
}
