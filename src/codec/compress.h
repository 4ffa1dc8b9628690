/** Compression of whole buffers: gzip and raw deflate (libdeflate), snappy, zstd. Thread-safe. */
#ifndef NILAS_CODEC_COMPRESS_H
#define NILAS_CODEC_COMPRESS_H

#include "base/base.h"

typedef enum nilas_compression {
    NILAS_COMPRESSION_NONE = 0,
    NILAS_COMPRESSION_DEFLATE, // raw, as in Avro
    NILAS_COMPRESSION_GZIP,
    // raw snappy block; Avro adds 4 bytes of CRC-32 (big endian), handled by avro.c
    NILAS_COMPRESSION_SNAPPY,
    NILAS_COMPRESSION_ZSTD,
    // Puffin names it; only the name is known, both calls below are NILAS_UNSUPPORTED
    NILAS_COMPRESSION_LZ4,
} nilas_compression;

/**
 * Decompress all of `input` into the arena; more than `max_bytes` is NILAS_LIMIT, damage
 * NILAS_CORRUPT.
 *
 * Memory follows what the input can hold, never what it claims. NONE borrows the input. GZIP may
 * have several members, ZSTD several frames; bytes behind a raw DEFLATE stream are ignored, because
 * some Avro writers leave a checksum there.
 */
nilas_code nilas_decompress(nilas_arena *arena, nilas_compression compression, nilas_str input,
                            size_t max_bytes, nilas_str *out, nilas_error *err);
/** Compress all of `input`; level < 0 takes the codec's default. */
nilas_code nilas_compress(nilas_arena *arena, nilas_compression compression, int level,
                          nilas_str input, nilas_str *out, nilas_error *err);

#endif
