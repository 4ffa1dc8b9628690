/*
 * Avro containers: the header, and one block after the other.
 *
 * Spec: avro#object-container-files.
 */
#include "codec/avro_private.h"
#include "codec/hash.h"

#define MAGIC           ((nilas_str){.data = "Obj\x01", .size = 4})
#define MAX_EMPTY_ITEMS (1LL << 24)

// ---- header -------------------------------------------------------------------------------------

static nilas_code read_sized(nilas_reader *reader, nilas_str *out, nilas_error *err) {
    size_t offset = reader->position;
    int64_t size;

    NILAS_TRY(nilas_reader_varint(reader, &size, err));
    NILAS_REQUIRE(size >= 0, err, NILAS_CORRUPT, "%s: expected a size at offset %zu, found %lld",
                  reader->what, offset, (long long)size);
    return nilas_reader_bytes(reader, (size_t)size, out, err);
}

/** Number of entries of the next part of the metadata map; 0 ends it. */
static nilas_code read_part_count(nilas_reader *reader, int64_t *out, nilas_error *err) {
    size_t offset = reader->position;
    int64_t count;

    NILAS_TRY(nilas_reader_varint(reader, &count, err));
    if (count < 0) {
        // A negative count comes with the part's size in bytes, which we have no use for here.
        int64_t size;
        NILAS_TRY(nilas_reader_varint(reader, &size, err));
        NILAS_REQUIRE(count != INT64_MIN && size >= 0, err, NILAS_CORRUPT,
                      "%s: header entries at offset %zu: count %lld, size %lld", reader->what,
                      offset, (long long)count, (long long)size);
        count = -count;
    }
    // Each entry takes at least two bytes.
    NILAS_REQUIRE((uint64_t)count <= nilas_reader_left(reader) / 2, err, NILAS_CORRUPT,
                  "%s: %lld header entries at offset %zu, but only %zu bytes follow", reader->what,
                  (long long)count, offset, nilas_reader_left(reader));
    *out = count;
    return NILAS_OK;
}

static nilas_code read_properties(nilas_avro_file *file, nilas_error *err) {
    NILAS_ARRAY_OF(nilas_avro_property) list = {0};
    int64_t count;

    for (;;) {
        NILAS_TRY(read_part_count(&file->reader, &count, err));
        if (count == 0) {
            break;
        }
        for (int64_t i = 0; i < count; i++) {
            nilas_avro_property property;
            NILAS_TRY(read_sized(&file->reader, &property.key, err));
            NILAS_TRY(read_sized(&file->reader, &property.value, err));
            NILAS_PUSH(file->arena, &list, property, err);
        }
    }
    file->properties = list.items;
    file->property_count = list.count;
    return NILAS_OK;
}

static nilas_code find_codec(nilas_avro_file *file, nilas_error *err) {
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
            file->compression = codecs[i].compression;
            return NILAS_OK;
        }
    }
    return nilas_fail(err, NILAS_UNSUPPORTED, "%s: Avro codec \"%.*s\" is not supported",
                      file->what, NILAS_FMT(name));
}

static nilas_code read_header(nilas_avro_file *file, nilas_error *err) {
    nilas_str magic;
    nilas_str sync;
    nilas_str schema;

    NILAS_TRY(nilas_reader_bytes(&file->reader, MAGIC.size, &magic, err));
    NILAS_REQUIRE(nilas_str_equal(magic, MAGIC), err, NILAS_CORRUPT,
                  "%s: not an Avro file: expected \"Obj\" and 1 at offset 0", file->what);
    NILAS_TRY(read_properties(file, err));
    NILAS_TRY(nilas_reader_bytes(&file->reader, NILAS_AVRO_SYNC_BYTES, &sync, err));
    memcpy(file->sync, sync.data, NILAS_AVRO_SYNC_BYTES);
    NILAS_REQUIRE(nilas_avro_file_property(file, "avro.schema", &schema), err, NILAS_CORRUPT,
                  "%s: the header has no \"avro.schema\"", file->what);
    NILAS_TRY(find_codec(file, err));
    return nilas_codec__avro_parse(file->arena, schema, file->what, &file->schema, &file->has_ids,
                                   err);
}

static void release_file(void *context) {
    nilas_avro_file *file = context;
    nilas_codec__output_done(&file->output);
}

nilas_code nilas_avro_open(nilas_arena *arena, nilas_str bytes, const char *what,
                           nilas_avro_file **out, nilas_error *err) {
    nilas_avro_file *file;
    nilas_str name;

    NILAS_NEW(arena, &file, err);
    NILAS_TRY(nilas_str_copy(arena, nilas_str_of(what), &name, err));
    file->arena = arena;
    file->what = name.data;
    file->reader = nilas_reader_of(bytes, file->what);
    file->empty_items_left = MAX_EMPTY_ITEMS;
    NILAS_TRY(nilas_arena_on_release(arena, release_file, file, err));
    NILAS_TRY(read_header(file, err));
    *out = file;
    return NILAS_OK;
}

const nilas_avro_schema *nilas_avro_file_schema(const nilas_avro_file *file) {
    return file->schema;
}

bool nilas_avro_file_property(const nilas_avro_file *file, const char *key, nilas_str *out) {
    for (size_t i = file->property_count; i > 0; i--) {
        if (nilas_str_is(file->properties[i - 1].key, key)) {
            *out = file->properties[i - 1].value;
            return true;
        }
    }
    return false;
}

// ---- blocks -------------------------------------------------------------------------------------

/** Put "in block N" behind an error from a decompressor, which knows nothing of files. */
static nilas_code locate_block(const nilas_avro_file *file, nilas_code code, nilas_error *err) {
    if (code != NILAS_OK) {
        nilas_error_append(err, "in %s, block %zu at offset %zu", file->what, file->block_index,
                           file->block_offset);
    }
    return code;
}

/** Snappy blocks end with the CRC-32 of what they hold, big endian: taken off `stored`. */
static nilas_code take_checksum(const nilas_avro_file *file, nilas_str *stored, uint32_t *out,
                                nilas_error *err) {
    NILAS_REQUIRE(stored->size >= 4, err, NILAS_CORRUPT,
                  "snappy data and 4 bytes of CRC expected, found %zu bytes", stored->size);
    nilas_reader tail = nilas_reader_of(nilas_str_slice(*stored, stored->size - 4, 4), file->what);
    stored->size -= 4;
    return nilas_reader_u32be(&tail, out, err);
}

/** The block's records: `stored` itself, or in `output`, which the next block takes over. */
static nilas_code unpack(nilas_avro_file *file, nilas_str stored, nilas_str *out,
                         nilas_error *err) {
    uint32_t expected = 0;

    if (file->compression == NILAS_COMPRESSION_NONE) {
        *out = stored;
        return NILAS_OK;
    }
    if (file->compression == NILAS_COMPRESSION_SNAPPY) {
        NILAS_TRY(take_checksum(file, &stored, &expected, err));
    }
    NILAS_TRY(nilas_codec__decompress(&file->output, file->compression, stored,
                                      NILAS_LIMIT_AVRO_BLOCK_BYTES, err));
    *out = (nilas_str){.data = file->output.data, .size = file->output.size};
    if (file->compression == NILAS_COMPRESSION_SNAPPY) {
        uint32_t found = nilas_crc32(out->data, out->size);
        NILAS_REQUIRE(found == expected, err, NILAS_CORRUPT, "CRC expected %08x, found %08x",
                      expected, found);
    }
    return NILAS_OK;
}

/** *out_end at the end of the file; after an error the file stays where it was. */
static nilas_code read_block(nilas_avro_file *file, bool *out_end, nilas_str *out,
                             int64_t *out_count, nilas_error *err) {
    int64_t count;
    int64_t size;
    nilas_str stored;
    nilas_str sync;

    *out_end = nilas_reader_left(&file->reader) == 0;
    if (*out_end) {
        return NILAS_OK;
    }
    nilas_reader reader = file->reader;
    file->block_offset = reader.position;
    NILAS_TRY(nilas_reader_varint(&reader, &count, err));
    NILAS_TRY(nilas_reader_varint(&reader, &size, err));
    NILAS_REQUIRE(count >= 0 && size >= 0, err, NILAS_CORRUPT,
                  "%s: block at offset %zu has count %lld and size %lld", file->what,
                  file->block_offset, (long long)count, (long long)size);
    NILAS_REQUIRE(size <= NILAS_LIMIT_AVRO_BLOCK_BYTES, err, NILAS_LIMIT,
                  "%s: block at offset %zu has %lld bytes, the limit is %lld", file->what,
                  file->block_offset, (long long)size, NILAS_LIMIT_AVRO_BLOCK_BYTES);
    NILAS_TRY(nilas_reader_bytes(&reader, (size_t)size, &stored, err));
    size_t sync_offset = reader.position;
    NILAS_TRY(nilas_reader_bytes(&reader, NILAS_AVRO_SYNC_BYTES, &sync, err));
    NILAS_REQUIRE(memcmp(sync.data, file->sync, NILAS_AVRO_SYNC_BYTES) == 0, err, NILAS_CORRUPT,
                  "%s: block at offset %zu: the sync marker of the header expected at offset %zu",
                  file->what, file->block_offset, sync_offset);
    file->block_index++;
    NILAS_TRY(locate_block(file, unpack(file, stored, out, err), err));
    file->reader = reader;
    *out_count = count;
    return NILAS_OK;
}

nilas_code nilas_codec__avro_next_block(nilas_avro_file *file, bool *out_end, nilas_error *err) {
    nilas_str bytes;

    nilas_assert(file->records_left == 0);
    NILAS_TRY(read_block(file, out_end, &bytes, &file->records_left, err));
    if (!*out_end) {
        file->block = file->block_at = (const uint8_t *)bytes.data;
        file->block_end = file->block + bytes.size;
    }
    return NILAS_OK;
}

nilas_code nilas_avro_next_block(nilas_avro_file *file, nilas_arena *arena, nilas_avro_block *out,
                                 nilas_error *err) {
    bool end;

    nilas_assert(file->records_left == 0);
    *out = (nilas_avro_block){0};
    NILAS_TRY(read_block(file, &end, &out->bytes, &out->count, err));
    out->number = end ? 0 : file->block_index;
    if (!end && arena != NULL && file->compression != NILAS_COMPRESSION_NONE) {
        return nilas_str_copy(arena, out->bytes, &out->bytes, err);
    }
    return NILAS_OK;
}
