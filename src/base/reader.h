/**
 * A bounded cursor over untrusted bytes. Every read checks the bound; failures are NILAS_CORRUPT
 * with the offset.
 */
#ifndef NILAS_BASE_READER_H
#define NILAS_BASE_READER_H

#include "base/error.h"
#include "base/str.h"

typedef struct nilas_reader {
    const uint8_t *data;
    size_t size;
    size_t position;
    const char *what; // names the bytes in errors, e.g. "manifest block"; static
} nilas_reader;

static inline nilas_reader nilas_reader_of(nilas_str bytes, const char *what) {
    return (nilas_reader){.data = (const uint8_t *)bytes.data, .size = bytes.size, .what = what};
}
static inline size_t nilas_reader_left(const nilas_reader *reader) {
    return reader->size - reader->position;
}

nilas_code nilas_reader_u8(nilas_reader *reader, uint8_t *out, nilas_error *err);
nilas_code nilas_reader_u32le(nilas_reader *reader, uint32_t *out, nilas_error *err);
nilas_code nilas_reader_u64le(nilas_reader *reader, uint64_t *out, nilas_error *err);
nilas_code nilas_reader_u32be(nilas_reader *reader, uint32_t *out, nilas_error *err);
/** Zig-zag varint of Avro, at most 10 bytes. */
nilas_code nilas_reader_varint(nilas_reader *reader, int64_t *out, nilas_error *err);
/** Borrow `size` bytes. */
nilas_code nilas_reader_bytes(nilas_reader *reader, size_t size, nilas_str *out, nilas_error *err);
nilas_code nilas_reader_skip(nilas_reader *reader, size_t size, nilas_error *err);

#endif
