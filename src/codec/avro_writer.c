/*
 * Writing Avro containers. Records gather in a block of about 64 kB (the size that Avro's own
 * writers use), which is compressed and sealed with the sync marker. Lists are written as one part,
 * as all common writers do.
 *
 * Spec: avro#object-container-files, avro#binary-encoding.
 */
#include <stdlib.h>
#include <sys/random.h>

#include "codec/avro_private.h"
#include "codec/hash.h"

#define BLOCK_BYTES 64000U

struct nilas_avro_writer {
    nilas_arena *arena;
    nilas_arena *scratch; // of one block's compression
    const nilas_avro_schema *schema;
    nilas_compression compression;
    int level;
    char sync[NILAS_AVRO_SYNC_BYTES];
    nilas_buf file;
    nilas_buf block;
    int64_t block_records;
    bool finished;
};

typedef struct encoder {
    nilas_buf *out;
    nilas_error *err;
} encoder;

static nilas_code encode_value(encoder *e, const nilas_avro_schema *schema,
                               const nilas_value *value);

// ---- numbers and bytes --------------------------------------------------------------------------

static void put_long(nilas_buf *out, int64_t v) {
    uint64_t raw = (uint64_t)v << 1 ^ (uint64_t)(v >> 63);
    char bytes[10];
    size_t size = 0;

    while (raw >= 0x80) {
        bytes[size++] = (char)(raw | 0x80);
        raw >>= 7;
    }
    bytes[size++] = (char)raw;
    nilas_buf_add_bytes(out, bytes, size);
}

static void put_sized(nilas_buf *out, nilas_str bytes) {
    put_long(out, (int64_t)bytes.size);
    nilas_buf_add(out, bytes);
}

static const char *kind_word(nilas_value_kind kind) {
    static const char *const words[] = {
        [NILAS_VALUE_NULL] = "null",       [NILAS_VALUE_BOOL] = "a boolean",
        [NILAS_VALUE_INT] = "an integer",  [NILAS_VALUE_FLOAT] = "a float",
        [NILAS_VALUE_DOUBLE] = "a double", [NILAS_VALUE_DECIMAL] = "a decimal",
        [NILAS_VALUE_STRING] = "text",     [NILAS_VALUE_BINARY] = "bytes",
        [NILAS_VALUE_LIST] = "a list",     [NILAS_VALUE_MAP] = "a map",
        [NILAS_VALUE_STRUCT] = "a struct",
    };

    nilas_assert((size_t)kind < sizeof(words) / sizeof(words[0]));
    return words[kind];
}

static nilas_code require_kind(encoder *e, const nilas_avro_schema *schema,
                               const nilas_value *value, nilas_value_kind kind) {
    NILAS_REQUIRE(value->kind == kind, e->err, NILAS_INVALID, "Avro %s: expected %s, found %s",
                  nilas_codec__avro_kind_name(schema->kind), kind_word(kind),
                  kind_word(value->kind));
    return NILAS_OK;
}

static nilas_code encode_integer(encoder *e, const nilas_avro_schema *schema,
                                 const nilas_value *value) {
    bool millis = nilas_str_is(schema->logical_type, "timestamp-millis") ||
                  nilas_str_is(schema->logical_type, "local-timestamp-millis") ||
                  nilas_str_is(schema->logical_type, "time-millis");

    NILAS_TRY(require_kind(e, schema, value, NILAS_VALUE_INT));
    int64_t v = millis ? nilas_floor_div(value->integer, 1000) : value->integer;
    NILAS_REQUIRE(schema->kind == NILAS_AVRO_LONG || (v >= INT32_MIN && v <= INT32_MAX), e->err,
                  NILAS_INVALID, "Avro int: expected a 32-bit number, found %lld", (long long)v);
    put_long(e->out, v);
    return NILAS_OK;
}

static nilas_code encode_real(encoder *e, const nilas_avro_schema *schema,
                              const nilas_value *value) {
    if (schema->kind == NILAS_AVRO_DOUBLE) {
        NILAS_TRY(require_kind(e, schema, value, NILAS_VALUE_DOUBLE));
        nilas_buf_add_bytes(e->out, &value->real, sizeof(value->real));
    } else {
        float real = (float)value->real;
        NILAS_TRY(require_kind(e, schema, value, NILAS_VALUE_FLOAT));
        nilas_buf_add_bytes(e->out, &real, sizeof(real));
    }
    return NILAS_OK;
}

/** Big-endian two's complement: as few bytes as hold it, or the size of the fixed. */
static nilas_code encode_decimal(encoder *e, const nilas_avro_schema *schema,
                                 const nilas_value *value) {
    uint8_t bytes[16];
    nilas_uint128 v = (nilas_uint128)value->decimal;
    size_t needed = sizeof(bytes);

    NILAS_TRY(require_kind(e, schema, value, NILAS_VALUE_DECIMAL));
    NILAS_REQUIRE(value->scale == (uint32_t)schema->scale, e->err, NILAS_INVALID,
                  "Avro decimal: expected scale %d, found %u", schema->scale, value->scale);
    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (uint8_t)(v >> (120 - 8 * i));
    }
    uint8_t sign = value->decimal < 0 ? 0xFF : 0;
    while (needed > 1 && bytes[16 - needed] == sign && ((bytes[17 - needed] ^ sign) & 0x80) == 0) {
        needed--;
    }
    if (schema->kind == NILAS_AVRO_BYTES) {
        put_sized(e->out, (nilas_str){.data = (const char *)bytes + 16 - needed, .size = needed});
        return NILAS_OK;
    }
    NILAS_REQUIRE(needed <= schema->fixed_size, e->err, NILAS_INVALID,
                  "Avro decimal: %zu bytes needed, fixed has %zu", needed, schema->fixed_size);
    for (size_t i = schema->fixed_size; i > 16; i--) {
        nilas_buf_add_char(e->out, (char)sign);
    }
    size_t put = schema->fixed_size < 16 ? schema->fixed_size : 16;
    nilas_buf_add_bytes(e->out, bytes + 16 - put, put);
    return NILAS_OK;
}

static void put_uuid_text(nilas_buf *out, const uint8_t *bytes) {
    put_long(out, 36);
    for (size_t i = 0; i < 16; i++) {
        nilas_buf_print(out, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", bytes[i]);
    }
}

static nilas_code encode_bytes(encoder *e, const nilas_avro_schema *schema,
                               const nilas_value *value) {
    bool uuid_text =
        schema->kind == NILAS_AVRO_STRING && nilas_str_is(schema->logical_type, "uuid");
    bool text = schema->kind == NILAS_AVRO_STRING && !uuid_text;

    if (nilas_str_is(schema->logical_type, "decimal") && schema->kind != NILAS_AVRO_STRING) {
        return encode_decimal(e, schema, value);
    }
    NILAS_TRY(require_kind(e, schema, value, text ? NILAS_VALUE_STRING : NILAS_VALUE_BINARY));
    if (schema->kind == NILAS_AVRO_FIXED || uuid_text) {
        size_t size = uuid_text ? 16 : schema->fixed_size;
        NILAS_REQUIRE(value->text.size == size, e->err, NILAS_INVALID,
                      "Avro %s: expected %zu bytes, found %zu", uuid_text ? "uuid" : "fixed", size,
                      value->text.size);
    }
    if (uuid_text) {
        put_uuid_text(e->out, (const uint8_t *)value->text.data);
    } else if (schema->kind == NILAS_AVRO_FIXED) {
        nilas_buf_add(e->out, value->text);
    } else {
        put_sized(e->out, value->text);
    }
    return NILAS_OK;
}

static nilas_code encode_enum(encoder *e, const nilas_avro_schema *schema,
                              const nilas_value *value) {
    NILAS_TRY(require_kind(e, schema, value, NILAS_VALUE_STRING));
    for (size_t i = 0; i < schema->symbol_count; i++) {
        if (nilas_str_equal(schema->symbols[i], value->text)) {
            put_long(e->out, (int64_t)i);
            return NILAS_OK;
        }
    }
    return nilas_fail(e->err, NILAS_INVALID, "\"%.*s\" is no symbol of the enum",
                      NILAS_FMT(value->text));
}

// ---- nested -------------------------------------------------------------------------------------

static nilas_code encode_record(encoder *e, const nilas_avro_schema *schema,
                                const nilas_value *value) {
    NILAS_TRY(require_kind(e, schema, value, NILAS_VALUE_STRUCT));
    NILAS_REQUIRE(value->count == schema->field_count, e->err, NILAS_INVALID,
                  "Avro record \"%.*s\": expected %zu fields, found %zu", NILAS_FMT(schema->name),
                  schema->field_count, value->count);
    for (size_t i = 0; i < schema->field_count; i++) {
        nilas_code code = encode_value(e, schema->fields[i].schema, &value->items[i]);
        if (code != NILAS_OK) {
            nilas_error_append(e->err, "in field \"%.*s\"", NILAS_FMT(schema->fields[i].name));
            return code;
        }
    }
    return NILAS_OK;
}

static nilas_code encode_list(encoder *e, const nilas_avro_schema *schema,
                              const nilas_value *value) {
    NILAS_TRY(require_kind(e, schema, value, NILAS_VALUE_LIST));
    if (value->count > 0) {
        put_long(e->out, (int64_t)value->count);
        for (size_t i = 0; i < value->count; i++) {
            NILAS_TRY(encode_value(e, schema->fields[0].schema, &value->items[i]));
        }
    }
    put_long(e->out, 0);
    return NILAS_OK;
}

static nilas_code encode_map(encoder *e, const nilas_avro_schema *schema,
                             const nilas_value *value) {
    bool records = schema->kind == NILAS_AVRO_ARRAY;
    const nilas_avro_schema *inner = schema->fields[0].schema;
    bool value_first = records && nilas_str_is(inner->fields[0].name, "value");

    NILAS_TRY(require_kind(e, schema, value, NILAS_VALUE_MAP));
    if (value->count > 0) {
        put_long(e->out, (int64_t)value->count);
    }
    for (size_t i = 0; i < value->count; i++) {
        const nilas_value *pair = &value->items[2 * i];
        if (records) {
            NILAS_TRY(encode_value(e, inner->fields[0].schema, &pair[value_first ? 1 : 0]));
            NILAS_TRY(encode_value(e, inner->fields[1].schema, &pair[value_first ? 0 : 1]));
            continue;
        }
        NILAS_TRY(require_kind(e, schema, &pair[0], NILAS_VALUE_STRING));
        put_sized(e->out, pair[0].text);
        NILAS_TRY(encode_value(e, inner, &pair[1]));
    }
    put_long(e->out, 0);
    return NILAS_OK;
}

static nilas_code encode_union(encoder *e, const nilas_avro_schema *schema,
                               const nilas_value *value) {
    int null_branch = nilas_codec__avro_null_branch(schema);

    NILAS_REQUIRE(null_branch >= 0, e->err, NILAS_UNSUPPORTED,
                  "a union of %zu types cannot be written", schema->field_count);
    if (value->kind == NILAS_VALUE_NULL) {
        put_long(e->out, null_branch);
        return NILAS_OK;
    }
    put_long(e->out, 1 - null_branch);
    return encode_value(e, schema->fields[1 - null_branch].schema, value);
}

static nilas_code encode_value(encoder *e, const nilas_avro_schema *schema,
                               const nilas_value *value) {
    switch (schema->kind) {
    case NILAS_AVRO_NULL: return require_kind(e, schema, value, NILAS_VALUE_NULL);
    case NILAS_AVRO_BOOLEAN:
        NILAS_TRY(require_kind(e, schema, value, NILAS_VALUE_BOOL));
        nilas_buf_add_char(e->out, value->boolean ? 1 : 0);
        return NILAS_OK;
    case NILAS_AVRO_INT:
    case NILAS_AVRO_LONG: return encode_integer(e, schema, value);
    case NILAS_AVRO_FLOAT:
    case NILAS_AVRO_DOUBLE: return encode_real(e, schema, value);
    case NILAS_AVRO_BYTES:
    case NILAS_AVRO_STRING:
    case NILAS_AVRO_FIXED: return encode_bytes(e, schema, value);
    case NILAS_AVRO_ENUM: return encode_enum(e, schema, value);
    case NILAS_AVRO_ARRAY:
        return nilas_codec__avro_is_record_map(schema) ? encode_map(e, schema, value)
                                                       : encode_list(e, schema, value);
    case NILAS_AVRO_MAP: return encode_map(e, schema, value);
    case NILAS_AVRO_RECORD: return encode_record(e, schema, value);
    case NILAS_AVRO_UNION: break;
    }
    return encode_union(e, schema, value);
}

// ---- the container ------------------------------------------------------------------------------

static void release_writer(void *context) {
    nilas_avro_writer *writer = context;
    nilas_buf_done(&writer->file);
    nilas_buf_done(&writer->block);
}

static const char *codec_name(nilas_compression compression) {
    switch (compression) {
    case NILAS_COMPRESSION_NONE: return "null";
    case NILAS_COMPRESSION_DEFLATE: return "deflate";
    case NILAS_COMPRESSION_SNAPPY: return "snappy";
    case NILAS_COMPRESSION_ZSTD: return "zstandard";
    default: return NULL;
    }
}

static void put_property(nilas_buf *out, const char *key, nilas_str value) {
    put_sized(out, nilas_str_of(key));
    put_sized(out, value);
}

static void put_header(nilas_avro_writer *writer, nilas_str schema_json,
                       const nilas_avro_property *properties, size_t property_count) {
    nilas_buf *out = &writer->file;

    nilas_buf_add_bytes(out, "Obj\x01", 4);
    put_long(out, (int64_t)property_count + 2);
    for (size_t i = 0; i < property_count; i++) {
        put_sized(out, properties[i].key);
        put_sized(out, properties[i].value);
    }
    put_property(out, "avro.codec", nilas_str_of(codec_name(writer->compression)));
    put_property(out, "avro.schema", schema_json);
    put_long(out, 0);
    nilas_buf_add_bytes(out, writer->sync, sizeof(writer->sync));
}

nilas_code nilas_avro_writer_new(nilas_arena *arena, nilas_str schema_json,
                                 const nilas_avro_property *properties, size_t property_count,
                                 nilas_compression compression, int level,
                                 nilas_avro_writer **out_writer, nilas_error *err) {
    nilas_avro_writer *writer;
    nilas_avro_schema *schema;

    NILAS_REQUIRE(codec_name(compression) != NULL, err, NILAS_UNSUPPORTED,
                  "Avro has no such compression");
    NILAS_NEW(arena, &writer, err);
    NILAS_TRY(nilas_avro_parse_schema(arena, schema_json, "the file to write", &schema, err));
    writer->arena = arena;
    writer->schema = schema;
    writer->compression = compression;
    writer->level = level;
    writer->file.max_size = SIZE_MAX;
    writer->block.max_size = NILAS_LIMIT_AVRO_BLOCK_BYTES;
    NILAS_TRY(nilas_arena_on_release(arena, release_writer, writer, err));
    writer->scratch = nilas_arena_new(arena, 0);
    NILAS_REQUIRE(writer->scratch != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_REQUIRE(getrandom(writer->sync, sizeof(writer->sync), 0) == (ssize_t)sizeof(writer->sync),
                  err, NILAS_IO, "the system gives no random bytes");
    put_header(writer, schema_json, properties, property_count);
    NILAS_TRY(nilas_buf_check(&writer->file, err));
    *out_writer = writer;
    return NILAS_OK;
}

static nilas_code flush_block(nilas_avro_writer *writer, nilas_error *err) {
    nilas_str stored;
    nilas_str plain = nilas_buf_view(&writer->block);

    if (writer->block_records == 0) {
        return NILAS_OK;
    }
    NILAS_TRY(
        nilas_compress(writer->scratch, writer->compression, writer->level, plain, &stored, err));
    bool snappy = writer->compression == NILAS_COMPRESSION_SNAPPY;
    put_long(&writer->file, writer->block_records);
    put_long(&writer->file, (int64_t)(stored.size + (snappy ? 4 : 0)));
    nilas_buf_add(&writer->file, stored);
    if (snappy) {
        uint32_t crc = __builtin_bswap32(nilas_crc32(plain.data, plain.size));
        nilas_buf_add_bytes(&writer->file, &crc, sizeof(crc));
    }
    nilas_buf_add_bytes(&writer->file, writer->sync, sizeof(writer->sync));
    nilas_buf_clear(&writer->block);
    nilas_arena_reset(writer->scratch);
    writer->block_records = 0;
    return nilas_buf_check(&writer->file, err);
}

nilas_code nilas_avro_write(nilas_avro_writer *writer, const nilas_value *record,
                            nilas_error *err) {
    encoder e = {.out = &writer->block, .err = err};
    size_t start = writer->block.size;

    nilas_assert(!writer->finished);
    nilas_code code = encode_value(&e, writer->schema, record);
    if (code == NILAS_OK) {
        code = nilas_buf_check(&writer->block, err);
    }
    if (code != NILAS_OK) {
        // Half a record must not stay in the block: the caller may go on with others.
        nilas_buf_truncate(&writer->block, start);
        writer->block.failed = NILAS_OK;
        return code;
    }
    writer->block_records++;
    return writer->block.size >= BLOCK_BYTES ? flush_block(writer, err) : NILAS_OK;
}

size_t nilas_avro_writer_size(const nilas_avro_writer *writer) {
    return writer->file.size + writer->block.size;
}

nilas_code nilas_avro_writer_finish(nilas_avro_writer *writer, nilas_str *out, nilas_error *err) {
    nilas_assert(!writer->finished);
    NILAS_TRY(flush_block(writer, err));
    writer->finished = true;
    *out = nilas_buf_view(&writer->file);
    return NILAS_OK;
}
