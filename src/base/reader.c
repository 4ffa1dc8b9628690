/*
 * The bounded cursor: every byte of untrusted input comes through here or through a span that was
 * bounded here.
 */
#include "base/reader.h"

static nilas_code fail_short(const nilas_reader *reader, size_t size, nilas_error *err) {
    return nilas_fail(err, NILAS_CORRUPT, "%s: %zu bytes expected at offset %zu, found %zu",
                      reader->what != NULL ? reader->what : "input", size, reader->position,
                      nilas_reader_left(reader));
}

static nilas_code take(nilas_reader *reader, size_t size, const uint8_t **out, nilas_error *err) {
    nilas_assert(reader->position <= reader->size);
    if (size > nilas_reader_left(reader)) {
        return fail_short(reader, size, err);
    }
    // Empty input may come without a pointer, and arithmetic on that is undefined.
    *out = reader->data != NULL ? reader->data + reader->position : (const uint8_t *)"";
    reader->position += size;
    return NILAS_OK;
}

nilas_code nilas_reader_u8(nilas_reader *reader, uint8_t *out, nilas_error *err) {
    const uint8_t *at;

    NILAS_TRY(take(reader, 1, &at, err));
    *out = at[0];
    return NILAS_OK;
}

nilas_code nilas_reader_u32le(nilas_reader *reader, uint32_t *out, nilas_error *err) {
    const uint8_t *at;

    NILAS_TRY(take(reader, 4, &at, err));
    *out = (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    return NILAS_OK;
}

nilas_code nilas_reader_u64le(nilas_reader *reader, uint64_t *out, nilas_error *err) {
    const uint8_t *at;
    uint64_t value = 0;

    NILAS_TRY(take(reader, 8, &at, err));
    for (size_t i = 0; i < 8; i++) {
        value |= (uint64_t)at[i] << (8 * i);
    }
    *out = value;
    return NILAS_OK;
}

nilas_code nilas_reader_u32be(nilas_reader *reader, uint32_t *out, nilas_error *err) {
    const uint8_t *at;

    NILAS_TRY(take(reader, 4, &at, err));
    *out = (uint32_t)at[3] | (uint32_t)at[2] << 8 | (uint32_t)at[1] << 16 | (uint32_t)at[0] << 24;
    return NILAS_OK;
}

nilas_code nilas_reader_varint(nilas_reader *reader, int64_t *out, nilas_error *err) {
    size_t start = reader->position;
    uint64_t raw = 0;

    for (unsigned shift = 0; shift < 70; shift += 7) {
        const uint8_t *at;
        NILAS_TRY(take(reader, 1, &at, err));
        if (shift == 63 && at[0] > 1) {
            break;
        }
        raw |= (uint64_t)(at[0] & 0x7F) << shift;
        if ((at[0] & 0x80) == 0) {
            *out = (int64_t)(raw >> 1) ^ -(int64_t)(raw & 1);
            return NILAS_OK;
        }
    }
    return nilas_fail(err, NILAS_CORRUPT, "%s: number at offset %zu is longer than 64 bits",
                      reader->what != NULL ? reader->what : "input", start);
}

nilas_code nilas_reader_bytes(nilas_reader *reader, size_t size, nilas_str *out, nilas_error *err) {
    const uint8_t *at;

    NILAS_TRY(take(reader, size, &at, err));
    *out = (nilas_str){.data = (const char *)at, .size = size};
    return NILAS_OK;
}

nilas_code nilas_reader_skip(nilas_reader *reader, size_t size, nilas_error *err) {
    const uint8_t *at;
    return take(reader, size, &at, err);
}
