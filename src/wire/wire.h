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

#endif
