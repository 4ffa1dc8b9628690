/*
 * The blocks of an Avro container, whole: a manifest decodes its own records, so it takes each
 * block as bytes.
 *
 * The header was parsed by the Avro reader of codec; here it is only walked over to find the sync
 * marker.
 */
#include "iceberg/decode.h"

nilas_code nilas_iceberg__check_avro(nilas_str bytes, const char *what, nilas_str path,
                                     nilas_error *err) {
    NILAS_REQUIRE(!nilas_str_starts(bytes, NILAS_STR("AGS1")), err, NILAS_UNSUPPORTED,
                  "%s \"%.*s\" is encrypted", what, NILAS_FMT(path));
    NILAS_REQUIRE(!nilas_str_starts(bytes, NILAS_STR("PAR1")), err, NILAS_UNSUPPORTED,
                  "%s \"%.*s\" is a Parquet file, as format version 4 writes them", what,
                  NILAS_FMT(path));
    return NILAS_OK;
}

static nilas_code skip_entries(nilas_reader *reader, int64_t count, nilas_error *err) {
    for (int64_t i = 0; i < 2 * count; i++) { // key and value
        int64_t size;
        NILAS_TRY(nilas_reader_varint(reader, &size, err));
        NILAS_REQUIRE(size >= 0, err, NILAS_CORRUPT, "a header entry has the size %lld",
                      (long long)size);
        NILAS_TRY(nilas_reader_skip(reader, (size_t)size, err));
    }
    return NILAS_OK;
}

static nilas_code skip_header(nilas_reader *reader, nilas_error *err) {
    NILAS_TRY(nilas_reader_skip(reader, 4, err));
    for (;;) {
        int64_t count;
        int64_t size;
        NILAS_TRY(nilas_reader_varint(reader, &count, err));
        if (count == 0) {
            return NILAS_OK;
        }
        if (count < 0) {
            NILAS_TRY(nilas_reader_varint(reader, &size, err));
            count = count == INT64_MIN ? INT64_MAX : -count;
        }
        NILAS_REQUIRE(count <= (int64_t)nilas_reader_left(reader), err, NILAS_CORRUPT,
                      "the header counts %lld entries", (long long)count);
        NILAS_TRY(skip_entries(reader, count, err));
    }
}

static nilas_code find_compression(const nilas_avro_file *file, nilas_str path,
                                   nilas_compression *out, nilas_error *err) {
    static const struct {
        const char *name;
        nilas_compression compression;
    } codecs[] = {
        {"null", NILAS_COMPRESSION_NONE},
        {"deflate", NILAS_COMPRESSION_DEFLATE},
        {"snappy", NILAS_COMPRESSION_SNAPPY},
        {"zstandard", NILAS_COMPRESSION_ZSTD},
    };
    nilas_str name = NILAS_STR("null");

    (void)nilas_avro_file_property(file, "avro.codec", &name);
    for (size_t i = 0; i < sizeof(codecs) / sizeof(codecs[0]); i++) {
        if (nilas_str_is(name, codecs[i].name)) {
            *out = codecs[i].compression;
            return NILAS_OK;
        }
    }
    return nilas_fail(err, NILAS_UNSUPPORTED,
                      "manifest \"%.*s\" is compressed with Avro codec \"%.*s\"", NILAS_FMT(path),
                      NILAS_FMT(name));
}

nilas_code nilas_iceberg__open_blocks(const nilas_avro_file *file, nilas_str bytes, nilas_str path,
                                      nilas_avro_blocks *out, nilas_error *err) {
    nilas_str sync;

    *out = (nilas_avro_blocks){.path = path, .reader = nilas_reader_of(bytes, "manifest")};
    NILAS_TRY(find_compression(file, path, &out->compression, err));
    NILAS_TRY(skip_header(&out->reader, err));
    NILAS_TRY(nilas_reader_bytes(&out->reader, sizeof(out->sync), &sync, err));
    memcpy(out->sync, sync.data, sizeof(out->sync));
    return NILAS_OK;
}

/** Avro puts the CRC-32 of the content behind each snappy block. */
static nilas_code check_snappy(const nilas_avro_blocks *blocks, nilas_str content,
                               nilas_str trailer, nilas_error *err) {
    const uint8_t *b = (const uint8_t *)trailer.data;
    uint32_t expected = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
    uint32_t found = nilas_crc32(content.data, content.size);

    NILAS_REQUIRE(expected == found, err, NILAS_CORRUPT,
                  "block %zu of manifest \"%.*s\": checksum %08x expected, %08x found",
                  blocks->number, NILAS_FMT(blocks->path), expected, found);
    return NILAS_OK;
}

static nilas_code unpack(const nilas_avro_blocks *blocks, nilas_arena *arena, nilas_str packed,
                         nilas_str *out, nilas_error *err) {
    nilas_str trailer = NILAS_STR_EMPTY;

    if (blocks->compression == NILAS_COMPRESSION_NONE) {
        *out = packed;
        return NILAS_OK;
    }
    if (blocks->compression == NILAS_COMPRESSION_SNAPPY) {
        NILAS_REQUIRE(packed.size >= 4, err, NILAS_CORRUPT,
                      "block %zu of manifest \"%.*s\": no room for its checksum", blocks->number,
                      NILAS_FMT(blocks->path));
        packed.size -= 4;
        trailer = (nilas_str){.data = packed.data + packed.size, .size = 4};
    }
    NILAS_TRY(nilas_decompress(arena, blocks->compression, packed,
                               (size_t)NILAS_LIMIT_AVRO_BLOCK_BYTES, out, err));
    return trailer.size > 0 ? check_snappy(blocks, *out, trailer, err) : NILAS_OK;
}

nilas_code nilas_iceberg__next_block(nilas_avro_blocks *blocks, nilas_arena *arena, bool *out_more,
                                     nilas_str *out_bytes, int64_t *out_count, nilas_error *err) {
    int64_t count;
    int64_t size;
    nilas_str packed;
    nilas_str sync;

    *out_more = nilas_reader_left(&blocks->reader) > 0;
    if (!*out_more) {
        return NILAS_OK;
    }
    blocks->number++;
    NILAS_TRY(nilas_reader_varint(&blocks->reader, &count, err));
    NILAS_TRY(nilas_reader_varint(&blocks->reader, &size, err));
    NILAS_REQUIRE(count >= 0 && size >= 0, err, NILAS_CORRUPT,
                  "block %zu has the count %lld and the size %lld", blocks->number,
                  (long long)count, (long long)size);
    NILAS_TRY(nilas_reader_bytes(&blocks->reader, (size_t)size, &packed, err));
    NILAS_TRY(nilas_reader_bytes(&blocks->reader, sizeof(blocks->sync), &sync, err));
    NILAS_REQUIRE(memcmp(sync.data, blocks->sync, sizeof(blocks->sync)) == 0, err, NILAS_CORRUPT,
                  "block %zu does not end with the file's sync marker", blocks->number);
    *out_count = count;
    return unpack(blocks, arena, packed, out_bytes, err);
}
