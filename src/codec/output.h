/**
 * Decompression into memory that is used again: an Avro file has hundreds of blocks of one size.
 * Private to codec.
 */
#ifndef NILAS_CODEC_OUTPUT_H
#define NILAS_CODEC_OUTPUT_H

#include "codec/compress.h"

typedef struct nilas_codec__output {
    char *data; // malloc'd
    size_t size, capacity;
} nilas_codec__output;

/** NULL-safe; leaves an empty output. */
void nilas_codec__output_done(nilas_codec__output *output);
/**
 * As nilas_decompress(), into `output`, whose earlier content is dropped and whose memory is kept.
 * Not for NONE.
 */
nilas_code nilas_codec__decompress(nilas_codec__output *output, nilas_compression compression,
                                   nilas_str input, size_t max_bytes, nilas_error *err);

#endif
