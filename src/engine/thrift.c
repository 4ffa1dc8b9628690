/* The parts of Thrift's compact protocol that Parquet footers are made of. */
#include "engine/thrift.h"

static uint64_t read_varint(nilas_thrift *t) {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        if (t->at >= t->end) {
            break;
        }
        unsigned char byte = *t->at++;
        value |= (uint64_t)(byte & 127) << shift;
        if ((byte & 128) == 0) {
            return value;
        }
    }
    t->failed = true;
    return 0;
}

int64_t nilas_thrift__int(nilas_thrift *t) {
    uint64_t raw = read_varint(t);
    return (int64_t)(raw >> 1) ^ -(int64_t)(raw & 1);
}

int32_t nilas_thrift__i32(nilas_thrift *t) {
    int64_t value = nilas_thrift__int(t);
    if (value < INT32_MIN || value > INT32_MAX) {
        t->failed = true;
        return 0;
    }
    return (int32_t)value;
}

nilas_str nilas_thrift__binary(nilas_thrift *t) {
    uint64_t size = read_varint(t);
    if (t->failed || size > (uint64_t)(t->end - t->at)) {
        t->failed = true;
        return NILAS_STR_EMPTY;
    }
    nilas_str bytes = {.data = (const char *)t->at, .size = (size_t)size};
    t->at += size;
    return bytes;
}

int nilas_thrift__field(nilas_thrift *t, int32_t *field) {
    if (t->failed || t->at >= t->end) {
        t->failed = true;
        return NILAS_THRIFT_STOP;
    }
    unsigned char byte = *t->at++;
    if ((byte & 15) == NILAS_THRIFT_STOP) {
        return NILAS_THRIFT_STOP;
    }
    *field = (byte >> 4) != 0 ? *field + (byte >> 4) : (int32_t)(int16_t)nilas_thrift__int(t);
    return byte & 15;
}

size_t nilas_thrift__list(nilas_thrift *t, int *type) {
    if (t->failed || t->at >= t->end) {
        t->failed = true;
        return 0;
    }
    unsigned char byte = *t->at++;
    *type = byte & 15;
    uint64_t count = byte >> 4 == 15 ? read_varint(t) : (uint64_t)(byte >> 4);
    if (count > (uint64_t)(t->end - t->at)) { // every item takes at least a byte
        t->failed = true;
        return 0;
    }
    return (size_t)count;
}

static void skip_struct(nilas_thrift *t) {
    int32_t field = 0;
    for (int type = nilas_thrift__field(t, &field); type != NILAS_THRIFT_STOP;
         type = nilas_thrift__field(t, &field)) {
        nilas_thrift__skip(t, type);
    }
}

static void skip_list(nilas_thrift *t) {
    int type = 0;
    size_t count = nilas_thrift__list(t, &type);
    for (size_t i = 0; i < count && !t->failed; i++) {
        if (type == NILAS_THRIFT_TRUE || type == NILAS_THRIFT_FALSE) {
            t->at++; // booleans in lists take a byte each
        } else {
            nilas_thrift__skip(t, type);
        }
    }
}

void nilas_thrift__skip(nilas_thrift *t, int type) {
    if (t->failed || ++t->depth > 64) {
        t->failed = true;
        return;
    }
    switch (type) {
    case NILAS_THRIFT_TRUE:
    case NILAS_THRIFT_FALSE: break;
    case NILAS_THRIFT_BYTE: t->at += 1; break;
    case NILAS_THRIFT_I16:
    case NILAS_THRIFT_I32:
    case NILAS_THRIFT_I64: (void)read_varint(t); break;
    case NILAS_THRIFT_DOUBLE: t->at += 8; break;
    case NILAS_THRIFT_BINARY: (void)nilas_thrift__binary(t); break;
    case NILAS_THRIFT_LIST:
    case NILAS_THRIFT_SET: skip_list(t); break;
    case NILAS_THRIFT_STRUCT: skip_struct(t); break;
    default: t->failed = true; break; // maps do not occur before the schema's end
    }
    t->failed = t->failed || t->at > t->end;
    t->depth--;
}
