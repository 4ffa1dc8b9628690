/*
 * Messages to and from bytes. protobuf-c descends without a limit when it unpacks, so the nesting
 * is measured first, by a walk over the bytes that builds nothing.
 */
#include "wire/wire.h"

#include <string.h>

/** What is left of the message being walked. */
typedef struct walk {
    const uint8_t *at;
    const uint8_t *end;
} walk;

static bool read_varint(walk *in, uint64_t *out) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (in->at == in->end) {
            return false;
        }
        uint8_t byte = *in->at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if ((byte & 0x80) == 0) {
            *out = value;
            return true;
        }
    }
    return false;
}

static bool skip(walk *in, uint64_t count) {
    if (count > (uint64_t)(in->end - in->at)) {
        return false;
    }
    in->at += count;
    return true;
}

typedef enum wire_type {
    WIRE_VARINT = 0,
    WIRE_64 = 1,
    WIRE_BYTES = 2,
    WIRE_32 = 5,
} wire_type;

/** Every message below is well-formed down to the limit. */
static bool is_shallow(const ProtobufCMessageDescriptor *descriptor, walk in, int depth_left) {
    if (depth_left == 0) {
        return false;
    }
    while (in.at < in.end) {
        uint64_t tag;
        uint64_t size = 0;
        if (!read_varint(&in, &tag)) {
            return false;
        }
        const ProtobufCFieldDescriptor *field;
        switch ((wire_type)(tag & 7)) {
        case WIRE_VARINT:
            if (!read_varint(&in, &size)) {
                return false;
            }
            break;
        case WIRE_64:
            if (!skip(&in, 8)) {
                return false;
            }
            break;
        case WIRE_32:
            if (!skip(&in, 4)) {
                return false;
            }
            break;
        case WIRE_BYTES:
            if (!read_varint(&in, &size) || size > (uint64_t)(in.end - in.at)) {
                return false;
            }
            field = protobuf_c_message_descriptor_get_field(descriptor, (unsigned)(tag >> 3));
            if (field != NULL && field->type == PROTOBUF_C_TYPE_MESSAGE &&
                !is_shallow(field->descriptor, (walk){in.at, in.at + size}, depth_left - 1)) {
                return false;
            }
            in.at += size;
            break;
        default: return false;
        }
    }
    return true;
}

nilas_code nilas_wire_decode(const ProtobufCMessageDescriptor *descriptor, nilas_str bytes,
                             ProtobufCMessage **out, nilas_error *err) {
    const uint8_t *data = (const uint8_t *)bytes.data;
    NILAS_REQUIRE(is_shallow(descriptor, (walk){data, data + bytes.size}, NILAS_LIMIT_WIRE_DEPTH),
                  err, NILAS_CORRUPT,
                  "a message of %zu bytes is no %s, or is nested deeper than %d levels", bytes.size,
                  descriptor->short_name, NILAS_LIMIT_WIRE_DEPTH);
    ProtobufCMessage *message = protobuf_c_message_unpack(descriptor, NULL, bytes.size, data);
    NILAS_REQUIRE(message != NULL, err, NILAS_CORRUPT, "a message of %zu bytes is no %s",
                  bytes.size, descriptor->short_name);
    *out = message;
    return NILAS_OK;
}

/** protobuf-c's way of writing into a buffer of ours. */
typedef struct encoder {
    ProtobufCBuffer base;
    nilas_buf *out;
} encoder;

static void append(ProtobufCBuffer *buffer, size_t size, const uint8_t *data) {
    nilas_buf_add(((encoder *)buffer)->out, (nilas_str){.data = (const char *)data, .size = size});
}

void nilas_wire_encode(nilas_buf *out, const ProtobufCMessage *message) {
    encoder to = {.base = {.append = append}, .out = out};
    (void)protobuf_c_message_pack_to_buffer(message, &to.base);
}
