/*
 * Whole-buffer compression over libdeflate, snappy and zstd. Sizes that the input claims are hints
 * at most: output memory starts from what the input's size makes plausible, grows by doubling, and
 * stops at the caller's maximum.
 */
#include "codec/compress.h"

#include <libdeflate.h>
#include <snappy-c.h>
#include <stdlib.h>
#include <zstd.h>

#include "codec/output.h"

#define SNAPPY_MAX_RATIO      32U // of the format: 64 bytes for three, with room
#define FIRST_OUTPUT_BYTES    65536U
#define DEFLATE_DEFAULT_LEVEL 6
#define DEFLATE_MAX_LEVEL     12

static const char *name_of(nilas_compression compression) {
    static const char *const names[] = {
        [NILAS_COMPRESSION_NONE] = "none", [NILAS_COMPRESSION_DEFLATE] = "deflate",
        [NILAS_COMPRESSION_GZIP] = "gzip", [NILAS_COMPRESSION_SNAPPY] = "snappy",
        [NILAS_COMPRESSION_ZSTD] = "zstd", [NILAS_COMPRESSION_LZ4] = "lz4",
    };

    nilas_assert((size_t)compression < sizeof(names) / sizeof(names[0]));
    return names[compression];
}

static nilas_code fail_corrupt(nilas_compression compression, nilas_str input, size_t offset,
                               nilas_error *err) {
    return nilas_fail(err, NILAS_CORRUPT, "%s data of %zu bytes is damaged at or after offset %zu",
                      name_of(compression), input.size, offset);
}

static nilas_code fail_limit(nilas_compression compression, size_t max_bytes, nilas_error *err) {
    return nilas_fail(err, NILAS_LIMIT,
                      "%s data is larger than the %zu bytes allowed when decompressed",
                      name_of(compression), max_bytes);
}

void nilas_codec__output_done(nilas_codec__output *output) {
    if (output != NULL) {
        free(output->data);
        *output = (nilas_codec__output){0};
    }
}
#define AUTO_OUTPUT __attribute__((cleanup(nilas_codec__output_done))) nilas_codec__output

/** At least `wanted` bytes of capacity, as far as `max_bytes` allows. */
static nilas_code grow_output(nilas_codec__output *output, size_t wanted, size_t max_bytes,
                              nilas_error *err) {
    size_t capacity = wanted < max_bytes ? wanted : max_bytes;

    capacity = capacity != 0 ? capacity : 1;
    if (capacity <= output->capacity) {
        return NILAS_OK;
    }
    char *grown = realloc(output->data, capacity);
    NILAS_REQUIRE(grown != NULL, err, NILAS_NOMEM, "out of memory: %zu bytes wanted", capacity);
    output->data = grown;
    output->capacity = capacity;
    return NILAS_OK;
}

static nilas_code output_to_arena(const nilas_codec__output *output, nilas_arena *arena,
                                  nilas_str *out, nilas_error *err) {
    return nilas_str_copy(arena, (nilas_str){.data = output->data, .size = output->size}, out, err);
}

static size_t saturating_multiply(size_t a, size_t b) {
    size_t product;
    return __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
}

/** What to start with when the size is not known. */
static size_t plausible_size(nilas_str input) {
    size_t size = saturating_multiply(input.size, 6);
    return size < FIRST_OUTPUT_BYTES ? FIRST_OUTPUT_BYTES : size;
}

// ---- deflate and gzip ---------------------------------------------------------------------------

static void free_decompressor(struct libdeflate_decompressor **decompressor) {
    if (*decompressor != NULL) {
        libdeflate_free_decompressor(*decompressor);
    }
}
#define AUTO_DECOMPRESSOR                                                                          \
    __attribute__((cleanup(free_decompressor))) struct libdeflate_decompressor *

/** One stream or member, appended to the output, which grows until it fits. */
static nilas_code inflate_member(struct libdeflate_decompressor *decompressor,
                                 nilas_compression compression, nilas_str input, size_t max_bytes,
                                 nilas_codec__output *output, size_t *out_used, nilas_error *err) {
    for (;;) {
        size_t put = 0;
        char *to = output->data + output->size;
        // Memory kept from earlier may be larger than what is allowed now.
        size_t room = (output->capacity < max_bytes ? output->capacity : max_bytes) - output->size;
        enum libdeflate_result result =
            compression == NILAS_COMPRESSION_GZIP
                ? libdeflate_gzip_decompress_ex(decompressor, input.data, input.size, to, room,
                                                out_used, &put)
                : libdeflate_deflate_decompress_ex(decompressor, input.data, input.size, to, room,
                                                   out_used, &put);
        if (result == LIBDEFLATE_SUCCESS) {
            output->size += put;
            return NILAS_OK;
        }
        if (result != LIBDEFLATE_INSUFFICIENT_SPACE) {
            return fail_corrupt(compression, input, 0, err);
        }
        if (output->capacity >= max_bytes) {
            return fail_limit(compression, max_bytes, err);
        }
        NILAS_TRY(grow_output(output, saturating_multiply(output->capacity, 4), max_bytes, err));
    }
}

static nilas_code decompress_deflate(nilas_codec__output *output, nilas_compression compression,
                                     nilas_str input, size_t max_bytes, nilas_error *err) {
    AUTO_DECOMPRESSOR decompressor = libdeflate_alloc_decompressor();
    size_t at = 0;

    NILAS_REQUIRE(decompressor != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(grow_output(output, plausible_size(input), max_bytes, err));
    do {
        size_t used = 0;
        nilas_str rest = {.data = input.data + at, .size = input.size - at};
        NILAS_TRY(inflate_member(decompressor, compression, rest, max_bytes, output, &used, err));
        nilas_assert(used > 0 && used <= rest.size);
        at += used;
    } while (compression == NILAS_COMPRESSION_GZIP && at < input.size);
    return NILAS_OK;
}

static nilas_code compress_deflate(nilas_arena *arena, nilas_compression compression, int level,
                                   nilas_str input, nilas_str *out, nilas_error *err) {
    level = level < 0                   ? DEFLATE_DEFAULT_LEVEL
            : level > DEFLATE_MAX_LEVEL ? DEFLATE_MAX_LEVEL
                                        : level;
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(level);
    NILAS_REQUIRE(compressor != NULL, err, NILAS_NOMEM, "out of memory");

    bool gzip = compression == NILAS_COMPRESSION_GZIP;
    size_t bound = gzip ? libdeflate_gzip_compress_bound(compressor, input.size)
                        : libdeflate_deflate_compress_bound(compressor, input.size);
    AUTO_OUTPUT output = {0};
    nilas_code code = grow_output(&output, bound, SIZE_MAX, err);
    if (code == NILAS_OK) {
        output.size =
            gzip ? libdeflate_gzip_compress(compressor, input.data, input.size, output.data, bound)
                 : libdeflate_deflate_compress(compressor, input.data, input.size, output.data,
                                               bound);
        nilas_assert(output.size > 0);
    }
    libdeflate_free_compressor(compressor);
    NILAS_TRY(code);
    return output_to_arena(&output, arena, out, err);
}

// ---- snappy -------------------------------------------------------------------------------------

static nilas_code decompress_snappy(nilas_codec__output *output, nilas_str input, size_t max_bytes,
                                    nilas_error *err) {
    size_t size;

    if (snappy_uncompressed_length(input.data, input.size, &size) != SNAPPY_OK ||
        size > saturating_multiply(input.size, SNAPPY_MAX_RATIO)) {
        return fail_corrupt(NILAS_COMPRESSION_SNAPPY, input, 0, err);
    }
    if (size > max_bytes) {
        return fail_limit(NILAS_COMPRESSION_SNAPPY, max_bytes, err);
    }
    NILAS_TRY(grow_output(output, size, max_bytes, err));
    if (snappy_uncompress(input.data, input.size, output->data, &size) != SNAPPY_OK) {
        return fail_corrupt(NILAS_COMPRESSION_SNAPPY, input, 0, err);
    }
    output->size = size;
    return NILAS_OK;
}

static nilas_code compress_snappy(nilas_arena *arena, nilas_str input, nilas_str *out,
                                  nilas_error *err) {
    size_t size = snappy_max_compressed_length(input.size);
    AUTO_OUTPUT output = {0};

    NILAS_TRY(grow_output(&output, size, SIZE_MAX, err));
    snappy_status status = snappy_compress(input.data, input.size, output.data, &size);
    nilas_assert(status == SNAPPY_OK);
    output.size = size;
    return output_to_arena(&output, arena, out, err);
}

// ---- zstd ---------------------------------------------------------------------------------------

static void free_zstd_stream(ZSTD_DStream **stream) {
    (void)ZSTD_freeDStream(*stream);
}
#define AUTO_ZSTD_STREAM __attribute__((cleanup(free_zstd_stream))) ZSTD_DStream *

static nilas_code decompress_zstd(nilas_codec__output *output, nilas_str input, size_t max_bytes,
                                  nilas_error *err) {
    AUTO_ZSTD_STREAM stream = ZSTD_createDStream();
    ZSTD_inBuffer in = {.src = input.data, .size = input.size};
    unsigned long long claimed = ZSTD_getFrameContentSize(input.data, input.size);
    size_t plausible = plausible_size(input);
    size_t rest = 1;

    NILAS_REQUIRE(stream != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(
        grow_output(output, claimed < plausible ? (size_t)claimed : plausible, max_bytes, err));
    // `rest` is 0 at the end of a frame; a further frame may follow.
    while (rest != 0 || in.pos < in.size) {
        // Memory kept from earlier may be larger than what is allowed now.
        size_t capacity = output->capacity < max_bytes ? output->capacity : max_bytes;
        ZSTD_outBuffer to = {.dst = output->data, .size = capacity, .pos = output->size};
        size_t before = in.pos;
        rest = ZSTD_decompressStream(stream, &to, &in);
        if (ZSTD_isError(rest)) {
            return fail_corrupt(NILAS_COMPRESSION_ZSTD, input, in.pos, err);
        }
        bool stuck = to.pos == output->size && in.pos == before;
        bool full = to.pos == capacity;
        output->size = to.pos;
        if (full && capacity < max_bytes) {
            NILAS_TRY(grow_output(output, saturating_multiply(capacity, 2), max_bytes, err));
        } else if (stuck && full) {
            return fail_limit(NILAS_COMPRESSION_ZSTD, max_bytes, err);
        } else if (stuck) {
            return fail_corrupt(NILAS_COMPRESSION_ZSTD, input, in.pos, err);
        }
    }
    return NILAS_OK;
}

static nilas_code compress_zstd(nilas_arena *arena, int level, nilas_str input, nilas_str *out,
                                nilas_error *err) {
    size_t bound = ZSTD_compressBound(input.size);
    AUTO_OUTPUT output = {0};

    NILAS_TRY(grow_output(&output, bound, SIZE_MAX, err));
    output.size = ZSTD_compress(output.data, bound, input.data, input.size,
                                level < 0 ? ZSTD_CLEVEL_DEFAULT : level);
    NILAS_REQUIRE(!ZSTD_isError(output.size), err, NILAS_NOMEM, "cannot compress %zu bytes: %s",
                  input.size, ZSTD_getErrorName(output.size));
    return output_to_arena(&output, arena, out, err);
}

// ---- the two doors ------------------------------------------------------------------------------

nilas_code nilas_codec__decompress(nilas_codec__output *output, nilas_compression compression,
                                   nilas_str input, size_t max_bytes, nilas_error *err) {
    output->size = 0;
    input.data = input.data != NULL ? input.data : "";
    switch (compression) {
    case NILAS_COMPRESSION_DEFLATE:
    case NILAS_COMPRESSION_GZIP:
        return decompress_deflate(output, compression, input, max_bytes, err);
    case NILAS_COMPRESSION_SNAPPY: return decompress_snappy(output, input, max_bytes, err);
    case NILAS_COMPRESSION_ZSTD: return decompress_zstd(output, input, max_bytes, err);
    case NILAS_COMPRESSION_NONE:
    case NILAS_COMPRESSION_LZ4: break;
    }
    return nilas_fail(err, NILAS_UNSUPPORTED, "compression \"%s\" is not supported yet",
                      name_of(compression));
}

nilas_code nilas_decompress(nilas_arena *arena, nilas_compression compression, nilas_str input,
                            size_t max_bytes, nilas_str *out, nilas_error *err) {
    AUTO_OUTPUT output = {0};

    if (compression == NILAS_COMPRESSION_NONE) {
        NILAS_REQUIRE(input.size <= max_bytes, err, NILAS_LIMIT,
                      "data of %zu bytes is larger than the %zu allowed", input.size, max_bytes);
        *out = input;
        return NILAS_OK;
    }
    NILAS_TRY(nilas_codec__decompress(&output, compression, input, max_bytes, err));
    return output_to_arena(&output, arena, out, err);
}

nilas_code nilas_compress(nilas_arena *arena, nilas_compression compression, int level,
                          nilas_str input, nilas_str *out, nilas_error *err) {
    input.data = input.data != NULL ? input.data : "";
    switch (compression) {
    case NILAS_COMPRESSION_NONE: return nilas_str_copy(arena, input, out, err);
    case NILAS_COMPRESSION_DEFLATE:
    case NILAS_COMPRESSION_GZIP:
        return compress_deflate(arena, compression, level, input, out, err);
    case NILAS_COMPRESSION_SNAPPY: return compress_snappy(arena, input, out, err);
    case NILAS_COMPRESSION_ZSTD: return compress_zstd(arena, level, input, out, err);
    case NILAS_COMPRESSION_LZ4: break;
    }
    return nilas_fail(err, NILAS_UNSUPPORTED, "compression \"%s\" is not supported yet",
                      name_of(compression));
}
