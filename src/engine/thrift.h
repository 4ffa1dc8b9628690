/**
 * A cursor over Thrift's compact protocol. Nothing is read beyond the end: the first failure
 * sticks, and everything after it gives zeros.
 */
#ifndef NILAS_ENGINE_THRIFT_H
#define NILAS_ENGINE_THRIFT_H

#include "base/base.h"

enum {
    NILAS_THRIFT_STOP = 0,
    NILAS_THRIFT_TRUE = 1,
    NILAS_THRIFT_FALSE = 2,
    NILAS_THRIFT_BYTE = 3,
    NILAS_THRIFT_I16 = 4,
    NILAS_THRIFT_I32 = 5,
    NILAS_THRIFT_I64 = 6,
    NILAS_THRIFT_DOUBLE = 7,
    NILAS_THRIFT_BINARY = 8,
    NILAS_THRIFT_LIST = 9,
    NILAS_THRIFT_SET = 10,
    NILAS_THRIFT_MAP = 11,
    NILAS_THRIFT_STRUCT = 12
};

typedef struct nilas_thrift {
    const unsigned char *at, *end;
    bool failed;
    int depth;
} nilas_thrift;

/** Next field's type, NILAS_THRIFT_STOP at the end or on failure; *field (0 before the first) is
 * its id. */
int nilas_thrift__field(nilas_thrift *t, int32_t *field);
int64_t nilas_thrift__int(nilas_thrift *t);
int32_t nilas_thrift__i32(nilas_thrift *t);
nilas_str nilas_thrift__binary(nilas_thrift *t); // borrowed
/** Number of items; *type is theirs. */
size_t nilas_thrift__list(nilas_thrift *t, int *type);
/** Pass over a value. */
void nilas_thrift__skip(nilas_thrift *t, int type);

#endif
