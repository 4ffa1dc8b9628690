/** Random UUIDs (version 4) as text. */
#ifndef NILAS_BASE_UUID_H
#define NILAS_BASE_UUID_H

#include "base/error.h"
#include "base/str.h"

/** 36 letters and a NUL. */
typedef struct nilas_uuid {
    char text[37];
} nilas_uuid;

/** NILAS_IO when the system gives no random bytes. */
nilas_code nilas_uuid_new(nilas_uuid *out, nilas_error *err);
/** Whether a text is 8-4-4-4-12 hexadecimal digits, of either case. */
bool nilas_uuid_is(nilas_str text);

#endif
