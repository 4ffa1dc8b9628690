/* A plan as the messages in it: 4.1 clients compress what is large. */
#include "codec/codec.h"
#include "connect/server.h"

static nilas_code decompress(nilas_arena *arena, const Sc__Plan__CompressedOperation *operation,
                             ProtobufCMessage **out, nilas_error *err) {
    NILAS_REQUIRE(operation->compression_codec == SC__COMPRESSION_CODEC__COMPRESSION_CODEC_ZSTD,
                  err, NILAS_UNSUPPORTED, "a plan is compressed in a way that is not known here");
    nilas_str data = {.data = (const char *)operation->data.data, .size = operation->data.len};
    nilas_str bytes;
    NILAS_TRY(
        nilas_decompress(arena, NILAS_COMPRESSION_ZSTD, data, NILAS_LIMIT_WIRE_BYTES, &bytes, err));
    switch (operation->op_type) {
    case SC__PLAN__COMPRESSED_OPERATION__OP_TYPE__OP_TYPE_RELATION:
        return nilas_connect__decode(arena, &sc__relation__descriptor, bytes, out, err);
    case SC__PLAN__COMPRESSED_OPERATION__OP_TYPE__OP_TYPE_COMMAND:
        return nilas_connect__decode(arena, &sc__command__descriptor, bytes, out, err);
    default: return nilas_fail(err, NILAS_INVALID, "a compressed plan does not say what it is");
    }
}

nilas_code nilas_connect__open_plan(nilas_arena *arena, const Sc__Plan *plan,
                                    const Sc__Relation **out_relation,
                                    const Sc__Command **out_command, nilas_error *err) {
    *out_relation = NULL;
    *out_command = NULL;
    NILAS_REQUIRE(plan != NULL && plan->root != NULL, err, NILAS_INVALID, "the plan is empty");
    switch (plan->op_type_case) {
    case SC__PLAN__OP_TYPE_ROOT: *out_relation = plan->root; return NILAS_OK;
    case SC__PLAN__OP_TYPE_COMMAND: *out_command = plan->command; return NILAS_OK;
    case SC__PLAN__OP_TYPE_COMPRESSED_OPERATION: {
        ProtobufCMessage *message = NULL;
        NILAS_TRY(decompress(arena, plan->compressed_operation, &message, err));
        if (message->descriptor == &sc__relation__descriptor) {
            *out_relation = (const Sc__Relation *)message;
        } else {
            *out_command = (const Sc__Command *)message;
        }
        return NILAS_OK;
    }
    default: return nilas_fail(err, NILAS_INVALID, "the plan is empty");
    }
}

nilas_code nilas_connect__open_root(nilas_arena *arena, const Sc__Plan *plan,
                                    const Sc__Relation **out, nilas_error *err) {
    const Sc__Command *command;
    NILAS_TRY(nilas_connect__open_plan(arena, plan, out, &command, err));
    NILAS_REQUIRE(*out != NULL, err, NILAS_INVALID, "a command is not analyzed");
    return NILAS_OK;
}
