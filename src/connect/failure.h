/** Private to the connect room: what a failure is in Spark's world. */
#ifndef NILAS_CONNECT_FAILURE_H
#define NILAS_CONNECT_FAILURE_H

#include "codec/codec.h"
#include "connect/server.h"

/** The Java classes of the exception that Spark would have thrown, nearest first; static, ends with
 *  NULL. */
const char *const *nilas_connect__classes_of(const nilas_connect__failure *failure);

#define NILAS_CONNECT_PARAMETERS 8
/** The values that a condition's message was made with, under Spark's names for them. */
typedef struct nilas_connect__parameters {
    nilas_str names[NILAS_CONNECT_PARAMETERS];  // static
    nilas_str values[NILAS_CONNECT_PARAMETERS]; // point into the message
    size_t count;
} nilas_connect__parameters;

/** Found in the message by the words around them; none when the condition's words are not known. */
void nilas_connect__parameters_of(const nilas_error *error, nilas_connect__parameters *out);

#endif
