/** A schema with every type, and values for it made from a seed. Private to the Avro tests. */
#ifndef NILAS_TEST_AVRO_SAMPLE_H
#define NILAS_TEST_AVRO_SAMPLE_H

#include "codec/codec.h"
#include "test.h"

static const char *const sample_schema =
    "{\"type\":\"record\",\"name\":\"row\",\"fields\":["
    "{\"name\":\"flag\",\"type\":\"boolean\",\"field-id\":1},"
    "{\"name\":\"small\",\"type\":\"int\",\"field-id\":2},"
    "{\"name\":\"big\",\"type\":[\"null\",\"long\"],\"default\":null,\"field-id\":3},"
    "{\"name\":\"real\",\"type\":[\"float\",\"null\"],\"field-id\":4},"
    "{\"name\":\"wide\",\"type\":\"double\",\"field-id\":5},"
    "{\"name\":\"text\",\"type\":\"string\",\"field-id\":6},"
    "{\"name\":\"bytes\",\"type\":[\"null\",\"bytes\"],\"field-id\":7},"
    "{\"name\":\"uuid\",\"type\":{\"type\":\"fixed\",\"name\":\"uuid_fixed\",\"size\":16,"
    "\"logicalType\":\"uuid\"},\"field-id\":8},"
    "{\"name\":\"amount\",\"type\":{\"type\":\"bytes\",\"logicalType\":\"decimal\","
    "\"precision\":38,\"scale\":2},\"field-id\":9},"
    "{\"name\":\"price\",\"type\":{\"type\":\"fixed\",\"name\":\"decimal_9_2\",\"size\":4,"
    "\"logicalType\":\"decimal\",\"precision\":9,\"scale\":2},\"field-id\":10},"
    "{\"name\":\"color\",\"type\":{\"type\":\"enum\",\"name\":\"color\",\"symbols\":[\"RED\","
    "\"GREEN\"]},\"field-id\":11},"
    "{\"name\":\"when\",\"type\":{\"type\":\"long\",\"logicalType\":\"timestamp-millis\"},"
    "\"field-id\":12},"
    "{\"name\":\"point\",\"type\":[\"null\",{\"type\":\"record\",\"name\":\"point\",\"fields\":["
    "{\"name\":\"x\",\"type\":\"int\",\"field-id\":14},{\"name\":\"tag\",\"type\":[\"null\","
    "\"string\"],\"field-id\":15}]}],\"field-id\":13},"
    "{\"name\":\"points\",\"type\":{\"type\":\"array\",\"items\":\"point\",\"element-id\":17},"
    "\"field-id\":16},"
    "{\"name\":\"sizes\",\"type\":[\"null\",{\"type\":\"array\",\"logicalType\":\"map\",\"items\":"
    "{\"type\":\"record\",\"name\":\"k19_v20\",\"fields\":[{\"name\":\"key\",\"type\":\"int\","
    "\"field-id\":19},{\"name\":\"value\",\"type\":\"long\",\"field-id\":20}]}}],\"field-id\":18},"
    "{\"name\":\"bounds\",\"type\":{\"type\":\"array\",\"logicalType\":\"map\",\"items\":"
    "{\"type\":\"record\",\"name\":\"k22_v23\",\"fields\":[{\"name\":\"key\",\"type\":\"int\","
    "\"field-id\":22},{\"name\":\"value\",\"type\":\"bytes\",\"field-id\":23}]}},\"field-id\":21},"
    "{\"name\":\"words\",\"type\":{\"type\":\"map\",\"values\":[\"null\",\"point\"],"
    "\"key-id\":25,\"value-id\":26},\"field-id\":24},"
    "{\"name\":\"guid\",\"type\":{\"type\":\"string\",\"logicalType\":\"uuid\"},\"field-id\":27},"
    "{\"name\":\"nothing\",\"type\":\"null\",\"field-id\":28},"
    "{\"name\":\"last\",\"type\":\"int\",\"field-id\":29}]}";
#define SAMPLE_FIELDS 20

typedef struct sampler {
    nilas_arena *arena;
    uint64_t state;
} sampler;

static uint64_t sample_bits(sampler *s) {
    s->state = s->state * 6364136223846793005ULL + 1442695040888963407ULL;
    return s->state >> 24 ^ s->state << 17;
}

static nilas_value *sample_items(sampler *s, size_t count) {
    nilas_error err;
    void *memory = NULL;
    if (nilas_arena_alloc_array(s->arena, count, sizeof(nilas_value), &memory, &err) != NILAS_OK) {
        abort();
    }
    return memory;
}

static nilas_value sample_bytes(sampler *s, nilas_value_kind kind, size_t size) {
    nilas_error err;
    nilas_str text;
    char bytes[64];
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (char)('a' + sample_bits(s) % 26);
    }
    nilas_str given = {.data = bytes, .size = size};
    if (nilas_str_copy(s->arena, given, &text, &err) != NILAS_OK) {
        abort();
    }
    return (nilas_value){.kind = kind, .text = text};
}

/** A number of a random width, of both signs. */
static int64_t sample_long(sampler *s) {
    return (int64_t)sample_bits(s) >> sample_bits(s) % 64;
}

static nilas_value sample_point(sampler *s) {
    nilas_value *items = sample_items(s, 2);
    items[0] = nilas_value_of_int((int32_t)sample_bits(s));
    items[1] = sample_bits(s) % 2 == 0 ? NILAS_NULL_VALUE
                                       : sample_bytes(s, NILAS_VALUE_STRING, sample_bits(s) % 20);
    return (nilas_value){.kind = NILAS_VALUE_STRUCT, .items = items, .count = 2};
}

static nilas_value sample_map(sampler *s, nilas_value_kind value_kind) {
    size_t count = sample_bits(s) % 5;
    nilas_value *items = sample_items(s, 2 * count);
    for (size_t i = 0; i < count; i++) {
        items[2 * i] = nilas_value_of_int((int64_t)i * 3);
        items[2 * i + 1] = value_kind == NILAS_VALUE_INT
                               ? nilas_value_of_int(sample_long(s))
                               : sample_bytes(s, value_kind, sample_bits(s) % 9);
    }
    return (nilas_value){.kind = NILAS_VALUE_MAP, .items = items, .count = count};
}

static nilas_value sample_words(sampler *s) {
    size_t count = sample_bits(s) % 3;
    nilas_value *items = sample_items(s, 2 * count);
    for (size_t i = 0; i < count; i++) {
        items[2 * i] = sample_bytes(s, NILAS_VALUE_STRING, i);
        items[2 * i + 1] = sample_bits(s) % 3 == 0 ? NILAS_NULL_VALUE : sample_point(s);
    }
    return (nilas_value){.kind = NILAS_VALUE_MAP, .items = items, .count = count};
}

static nilas_value sample_points(sampler *s) {
    size_t count = sample_bits(s) % 4;
    nilas_value *items = sample_items(s, count);
    for (size_t i = 0; i < count; i++) {
        items[i] = sample_point(s);
    }
    return (nilas_value){.kind = NILAS_VALUE_LIST, .items = items, .count = count};
}

static nilas_value sample_row(sampler *s) {
    nilas_value *v = sample_items(s, SAMPLE_FIELDS);
    bool some = sample_bits(s) % 4 != 0;
    v[0] = nilas_value_of_bool(sample_bits(s) % 2 == 0);
    v[1] = nilas_value_of_int((int32_t)sample_bits(s));
    v[2] = some ? nilas_value_of_int(sample_long(s)) : NILAS_NULL_VALUE;
    v[3] = some ? nilas_value_of_float((float)sample_long(s)) : NILAS_NULL_VALUE;
    v[4] = nilas_value_of_double((double)sample_long(s) / 3);
    v[5] = sample_bytes(s, NILAS_VALUE_STRING, sample_bits(s) % 60);
    v[6] = some ? sample_bytes(s, NILAS_VALUE_BINARY, sample_bits(s) % 30) : NILAS_NULL_VALUE;
    v[7] = sample_bytes(s, NILAS_VALUE_BINARY, 16);
    v[8] = nilas_value_of_decimal((nilas_int128)sample_long(s) * sample_long(s), 2);
    v[9] = nilas_value_of_decimal((int32_t)sample_bits(s), 2);
    v[10] = nilas_value_of_str(sample_bits(s) % 2 == 0 ? NILAS_STR("RED") : NILAS_STR("GREEN"));
    v[11] = nilas_value_of_int(sample_long(s) / 1000000 * 1000);
    v[12] = some ? sample_point(s) : NILAS_NULL_VALUE;
    v[13] = sample_points(s);
    v[14] = some ? sample_map(s, NILAS_VALUE_INT) : NILAS_NULL_VALUE;
    v[15] = sample_map(s, NILAS_VALUE_BINARY);
    v[16] = sample_words(s);
    v[17] = sample_bytes(s, NILAS_VALUE_BINARY, 16);
    v[18] = NILAS_NULL_VALUE;
    v[19] = nilas_value_of_int(-7);
    return (nilas_value){.kind = NILAS_VALUE_STRUCT, .items = v, .count = SAMPLE_FIELDS};
}

/** A file of `count` rows; the same seed gives the same rows. */
__attribute__((unused)) static nilas_str sample_file(nilas_arena *arena, size_t count,
                                                     nilas_compression compression) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_avro_property properties[] = {{NILAS_STR("format-version"), NILAS_STR("2")}};
    nilas_avro_writer *writer;
    nilas_str bytes = {0};
    sampler s = {.arena = arena, .state = count};
    nilas_code code = nilas_avro_writer_new(arena, nilas_str_of(sample_schema), properties, 1,
                                            compression, -1, &writer, &err);
    for (size_t i = 0; i < count && code == NILAS_OK; i++) {
        nilas_value row = sample_row(&s);
        code = nilas_avro_write(writer, &row, &err);
    }
    CHECK_OK(code, err);
    if (code == NILAS_OK) {
        CHECK_OK(nilas_avro_writer_finish(writer, &bytes, &err), err);
    }
    return bytes;
}

/** Read all; *out_count is how many came before the end or the error. */
__attribute__((unused)) static nilas_code read_all(nilas_str bytes, const nilas_avro_wanted *wanted,
                                                   size_t *out_count, nilas_error *err) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 64 << 20);
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 64 << 20);
    nilas_avro_file *file;
    nilas_avro_plan *plan;
    const nilas_value *record;
    *out_count = 0;
    NILAS_TRY(nilas_avro_open(arena, bytes, "t.avro", &file, err));
    NILAS_TRY(nilas_avro_plan_new(arena, file, wanted, &plan, err));
    for (;;) {
        NILAS_TRY(nilas_avro_next(file, plan, false, scratch, &record, err));
        if (record == NULL) {
            return NILAS_OK;
        }
        (*out_count)++;
        nilas_arena_reset(scratch);
    }
}

#endif
