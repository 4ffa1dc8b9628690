/*
 * Entries of a manifest from the bytes of a block.
 *
 * The hot loop of planning: a table of 100,000 files comes through here in some tens of
 * milliseconds. Every read is bounded by `end`; a count is believed only as far as the bytes left
 * can hold it.
 */
#include "iceberg/decode.h"

#include "iceberg/value.h"

#define POOL_BYTES     ((size_t)64 << 10)
#define POOL_MAX_BYTES ((size_t)1 << 20)

void *nilas_iceberg__pool_take(nilas_decode_pool *pool, size_t size) {
    size_t rounded = size == 0 ? 16 : (size + 15) & ~(size_t)15;

    nilas_assert(pool->used <= pool->size);
    if (rounded < size) {
        return NULL;
    }
    if (rounded > pool->size - pool->used) {
        size_t grown = pool->size * 2 < POOL_MAX_BYTES ? pool->size * 2 : POOL_MAX_BYTES;
        grown = grown < POOL_BYTES ? POOL_BYTES : grown;
        grown = grown < rounded ? rounded : grown;
        void *fresh;
        if (nilas_arena_alloc(pool->arena, grown, &fresh, NULL) != NILAS_OK) {
            return NULL;
        }
        pool->data = fresh;
        pool->size = grown;
        pool->used = 0;
    }
    void *taken = pool->data + pool->used;
    pool->used += rounded;
    return taken;
}

static void *take(nilas_decoder *decoder, size_t count, size_t size) {
    size_t total;
    void *taken = __builtin_mul_overflow(count, size, &total)
                      ? NULL
                      : nilas_iceberg__pool_take(decoder->pool, total);

    decoder->no_memory = decoder->no_memory || taken == NULL;
    return taken;
}

static bool fail(nilas_decoder *decoder, const char *reason) {
    decoder->reason = reason;
    return false;
}

/* ---- primitives ------------------------------------------------------------------------------ */

static bool read_varint_slow(nilas_decoder *decoder, int64_t *out) {
    uint64_t v = 0;

    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (decoder->at == decoder->end) {
            return fail(decoder, "the block ends inside a number");
        }
        uint8_t byte = *decoder->at++;
        v |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80) {
            *out = (int64_t)(v >> 1) ^ -(int64_t)(v & 1);
            return true;
        }
    }
    return fail(decoder, "a number has more than 10 bytes");
}

static inline bool read_varint(nilas_decoder *decoder, int64_t *out) {
    if (__builtin_expect(decoder->at < decoder->end && *decoder->at < 0x80, 1)) {
        uint8_t byte = *decoder->at++;
        *out = (int64_t)(byte >> 1) ^ -(int64_t)(byte & 1);
        return true;
    }
    if (__builtin_expect(decoder->end - decoder->at >= 2 && decoder->at[1] < 0x80, 1)) {
        uint32_t pair = (uint32_t)(decoder->at[0] & 0x7F) | (uint32_t)decoder->at[1] << 7;
        decoder->at += 2;
        *out = (int64_t)(pair >> 1) ^ -(int64_t)(pair & 1);
        return true;
    }
    return read_varint_slow(decoder, out);
}

static inline bool read_fixed(nilas_decoder *decoder, size_t size, nilas_str *out) {
    if (size > (size_t)(decoder->end - decoder->at)) {
        return fail(decoder, "the block ends inside a value");
    }
    *out = (nilas_str){.data = (const char *)decoder->at, .size = size};
    decoder->at += size;
    return true;
}

static inline bool read_text(nilas_decoder *decoder, nilas_str *out) {
    int64_t size;

    if (!read_varint(decoder, &size)) {
        return false;
    }
    if (size < 0) {
        return fail(decoder, "a text has a negative size");
    }
    return read_fixed(decoder, (size_t)size, out);
}

/** Which side of a union with null; *is_null for the null one. */
static inline bool read_branch(nilas_decoder *decoder, const nilas_decode_step *step,
                               bool *is_null) {
    int64_t branch;

    *is_null = false;
    if (step->null_branch < 0) {
        return true;
    }
    if (!read_varint(decoder, &branch)) {
        return false;
    }
    if (branch != 0 && branch != 1) {
        return fail(decoder, "a union of two has another branch than 0 or 1");
    }
    *is_null = branch == step->null_branch;
    return true;
}

/** The size of the next block of an array or map: 0 ends it. A negative count is followed by a
 *  size in bytes. */
static inline bool read_block_count(nilas_decoder *decoder, int64_t *count, int64_t *bytes) {
    *bytes = -1;
    if (!read_varint(decoder, count)) {
        return false;
    }
    if (*count < 0) {
        if (*count == INT64_MIN || !read_varint(decoder, bytes)) {
            return fail(decoder, "an array has an impossible count");
        }
        *count = -*count;
        if (*bytes < 0) {
            return fail(decoder, "an array has a negative size");
        }
    }
    return true;
}

/* ---- skipping -------------------------------------------------------------------------------- */

static bool skip(nilas_decoder *decoder, const nilas_avro_schema *schema, int depth);

static bool skip_items(nilas_decoder *decoder, const nilas_avro_schema *schema, int depth) {
    int64_t count;
    int64_t bytes;
    nilas_str text;

    for (;;) {
        if (!read_block_count(decoder, &count, &bytes)) {
            return false;
        }
        if (count == 0) {
            return true;
        }
        if (bytes >= 0) {
            if (!read_fixed(decoder, (size_t)bytes, &text)) {
                return false;
            }
            continue;
        }
        for (int64_t i = 0; i < count; i++) {
            const uint8_t *before = decoder->at;
            if ((schema->kind == NILAS_AVRO_MAP && !read_text(decoder, &text)) ||
                !skip(decoder, schema->fields[0].schema, depth + 1)) {
                return false;
            }
            if (decoder->at == before) {
                break; // items of no bytes: any number of them is skipped
            }
        }
    }
}

static bool skip_fields(nilas_decoder *decoder, const nilas_avro_schema *schema, int depth) {
    for (size_t i = 0; i < schema->field_count; i++) {
        if (!skip(decoder, schema->fields[i].schema, depth + 1)) {
            return false;
        }
    }
    return true;
}

static bool skip_union(nilas_decoder *decoder, const nilas_avro_schema *schema, int depth) {
    int64_t branch;

    if (!read_varint(decoder, &branch)) {
        return false;
    }
    if (branch < 0 || (uint64_t)branch >= schema->field_count) {
        return fail(decoder, "a union has a branch that its schema lacks");
    }
    return skip(decoder, schema->fields[branch].schema, depth + 1);
}

static bool skip(nilas_decoder *decoder, const nilas_avro_schema *schema, int depth) {
    int64_t number;
    nilas_str text;

    if (depth > NILAS_LIMIT_AVRO_DEPTH) {
        return fail(decoder, "values nest too deeply");
    }
    switch (schema->kind) {
    case NILAS_AVRO_NULL: return true;
    case NILAS_AVRO_BOOLEAN: return read_fixed(decoder, 1, &text);
    case NILAS_AVRO_INT:
    case NILAS_AVRO_LONG:
    case NILAS_AVRO_ENUM: return read_varint(decoder, &number);
    case NILAS_AVRO_FLOAT: return read_fixed(decoder, 4, &text);
    case NILAS_AVRO_DOUBLE: return read_fixed(decoder, 8, &text);
    case NILAS_AVRO_BYTES:
    case NILAS_AVRO_STRING: return read_text(decoder, &text);
    case NILAS_AVRO_FIXED: return read_fixed(decoder, schema->fixed_size, &text);
    case NILAS_AVRO_ARRAY:
    case NILAS_AVRO_MAP: return skip_items(decoder, schema, depth);
    case NILAS_AVRO_RECORD: return skip_fields(decoder, schema, depth);
    case NILAS_AVRO_UNION: return skip_union(decoder, schema, depth);
    }
    return fail(decoder, "a value has no known type");
}

/**
 * Pass over `count` numbers: each ends at the first byte below 0x80, so eight bytes are looked at
 * together. The count may be a lie of any size; the end of the block stops it.
 */
static bool skip_numbers(nilas_decoder *decoder, uint64_t count) {
    const uint64_t tops = 0x8080808080808080ULL;

    while (count >= 8 && decoder->end - decoder->at >= 8) {
        uint64_t word;
        memcpy(&word, decoder->at, sizeof(word));
        count -= (uint64_t)__builtin_popcountll(~word & tops);
        decoder->at += 8;
    }
    while (count > 0) {
        if (decoder->at == decoder->end) {
            return fail(decoder, "the block ends inside a number");
        }
        count -= *decoder->at++ < 0x80;
    }
    return true;
}

static bool skip_bounds(nilas_decoder *decoder, int64_t count) {
    int64_t key;
    nilas_str text;

    for (int64_t i = 0; i < count; i++) {
        if (!read_varint(decoder, &key) || !read_text(decoder, &text)) {
            return false;
        }
    }
    return true;
}

static bool skip_list(nilas_decoder *decoder, const nilas_decode_step *step) {
    int64_t count;
    int64_t bytes;
    uint64_t numbers;
    nilas_str text;

    for (;;) {
        if (!read_block_count(decoder, &count, &bytes)) {
            return false;
        }
        if (count == 0) {
            return true;
        }
        bool ok;
        if (bytes >= 0) {
            ok = read_fixed(decoder, (size_t)bytes, &text);
        } else if (step->op == NILAS_DECODE_SKIP_BOUNDS) {
            ok = skip_bounds(decoder, count);
        } else {
            ok = !__builtin_mul_overflow((uint64_t)count, step->skip_numbers, &numbers) &&
                 skip_numbers(decoder, numbers);
        }
        if (!ok) {
            return false;
        }
    }
}

/* ---- lists and maps -------------------------------------------------------------------------- */

typedef bool (*item_reader)(nilas_decoder *decoder, const nilas_decode_step *step, void *out);

static bool read_key(nilas_decoder *decoder, const nilas_decode_step *step, int32_t *out) {
    int64_t key;
    bool is_null = false;

    if (!step->is_plain && (!read_branch(decoder, &step->children[0], &is_null) || is_null)) {
        return fail(decoder, "a map has a null key");
    }
    if (!read_varint(decoder, &key)) {
        return false;
    }
    if (key < INT32_MIN || key > INT32_MAX) {
        return fail(decoder, "a field id is beyond 32 bits");
    }
    *out = (int32_t)key;
    return true;
}

static bool read_count(nilas_decoder *decoder, const nilas_decode_step *step, void *out) {
    nilas_int_count *item = out;
    bool is_null = false;

    item->count = -1;
    if (!read_key(decoder, step, &item->field_id) ||
        (!step->is_plain && !read_branch(decoder, &step->children[1], &is_null))) {
        return false;
    }
    return is_null || read_varint(decoder, &item->count);
}

static bool read_bound(nilas_decoder *decoder, const nilas_decode_step *step, void *out) {
    nilas_bound *item = out;
    bool is_null = false;

    item->bytes = (nilas_str){0};
    if (!read_key(decoder, step, &item->field_id) ||
        (!step->is_plain && !read_branch(decoder, &step->children[1], &is_null))) {
        return false;
    }
    return is_null || read_text(decoder, &item->bytes);
}

static bool read_long(nilas_decoder *decoder, const nilas_decode_step *step, void *out) {
    (void)step;
    return read_varint(decoder, out);
}

static bool read_id(nilas_decoder *decoder, const nilas_decode_step *step, void *out) {
    int64_t id;

    (void)step;
    if (!read_varint(decoder, &id)) {
        return false;
    }
    if (id < INT32_MIN || id > INT32_MAX) {
        return fail(decoder, "a field id is beyond 32 bits");
    }
    memcpy(out, &(int32_t){(int32_t)id}, sizeof(int32_t));
    return true;
}

/** Always inlined with a constant reader, so that each kind of list gets its own tight loop. */
static inline __attribute__((always_inline)) bool read_list(nilas_decoder *decoder,
                                                            const nilas_decode_step *step,
                                                            item_reader read, size_t item_size,
                                                            nilas_decode_list *out) {
    int64_t count;
    int64_t bytes;

    out->present = true;
    for (;;) {
        if (!read_block_count(decoder, &count, &bytes)) {
            return false;
        }
        if (count == 0) {
            return true;
        }
        if (count > decoder->end - decoder->at) { // each item takes a byte or more
            return fail(decoder, "an array counts more items than the block has bytes");
        }
        char *items = take(decoder, out->count + (size_t)count, item_size);
        if (items == NULL) {
            return fail(decoder, "out of memory");
        }
        if (out->count > 0) {
            memcpy(items, out->items, out->count * item_size);
        }
        out->items = items;
        items += out->count * item_size;
        for (int64_t i = 0; i < count; i++, items += item_size) {
            if (!read(decoder, step, items)) {
                return false;
            }
        }
        out->count += (size_t)count;
    }
}

/* ---- partition tuples ------------------------------------------------------------------------ */

static bool read_decimal(nilas_decoder *decoder, nilas_str bytes, uint32_t scale,
                         nilas_value *out) {
    nilas_int128 unscaled;

    if (!nilas_iceberg__decimal_of_bytes(bytes, &unscaled)) {
        return fail(decoder, "a decimal has no bytes or more than 16");
    }
    *out = nilas_value_of_decimal(unscaled, scale);
    return true;
}

static bool read_bytes(nilas_decoder *decoder, const nilas_decode_step *step, nilas_value *out) {
    bool fixed = step->schema->kind == NILAS_AVRO_FIXED;
    nilas_str bytes;

    if (!(fixed ? read_fixed(decoder, step->schema->fixed_size, &bytes)
                : read_text(decoder, &bytes))) {
        return false;
    }
    if (step->kind == NILAS_ICE_DECIMAL ||
        (step->kind == NILAS_ICE_UNKNOWN && nilas_str_is(step->schema->logical_type, "decimal"))) {
        return read_decimal(decoder, bytes, step->scale, out);
    }
    bool text = step->kind == NILAS_ICE_STRING ||
                (step->kind == NILAS_ICE_UNKNOWN && step->schema->kind == NILAS_AVRO_STRING);
    *out = text ? nilas_value_of_str(bytes) : nilas_value_of_bytes(bytes);
    return true;
}

static bool read_integer(nilas_decoder *decoder, const nilas_decode_step *step, nilas_value *out) {
    int64_t v;

    if (!read_varint(decoder, &v)) {
        return false;
    }
    if (step->factor != 1 && __builtin_mul_overflow(v, step->factor, &v)) {
        return fail(decoder, "a partition's timestamp is beyond 64 bits");
    }
    *out = nilas_value_of_int(v);
    return true;
}

static bool read_real(nilas_decoder *decoder, const nilas_decode_step *step, nilas_value *out) {
    size_t size = step->schema->kind == NILAS_AVRO_FLOAT ? 4 : 8;
    nilas_ice_type type = {.kind = size == 4 && step->kind != NILAS_ICE_DOUBLE ? NILAS_ICE_FLOAT
                                                                               : NILAS_ICE_DOUBLE};
    nilas_str bytes;

    return read_fixed(decoder, size, &bytes) && nilas_iceberg__decode_bound(&type, bytes, out);
}

static bool read_value(nilas_decoder *decoder, const nilas_decode_step *step, nilas_value *out) {
    nilas_str byte;
    bool is_null;

    if (!read_branch(decoder, step, &is_null)) {
        return false;
    }
    if (is_null) {
        return true;
    }
    switch (step->schema->kind) {
    case NILAS_AVRO_BOOLEAN:
        if (!read_fixed(decoder, 1, &byte)) {
            return false;
        }
        *out = nilas_value_of_bool(byte.data[0] != 0);
        return true;
    case NILAS_AVRO_INT:
    case NILAS_AVRO_LONG: return read_integer(decoder, step, out);
    case NILAS_AVRO_FLOAT:
    case NILAS_AVRO_DOUBLE: return read_real(decoder, step, out);
    default: return read_bytes(decoder, step, out);
    }
}

static bool read_partition(nilas_decoder *decoder, const nilas_decode_step *step,
                           nilas_value *tuple) {
    for (size_t i = 0; i < step->child_count; i++) {
        const nilas_decode_step *child = &step->children[i];
        bool ok = child->op == NILAS_DECODE_SKIP
                      ? skip(decoder, child->schema, 0)
                      : read_value(decoder, child, &tuple->items[child->offset]);
        if (!ok) {
            return false;
        }
    }
    return true;
}

/* ---- entries --------------------------------------------------------------------------------- */

static bool decode_fields(nilas_decoder *decoder, const nilas_decode_step *record,
                          nilas_decoded *out);

static bool decode_int32(nilas_decoder *decoder, char *target) {
    int64_t wide;

    if (!read_varint(decoder, &wide)) {
        return false;
    }
    if (wide < INT32_MIN || wide > INT32_MAX) {
        return fail(decoder, "an int is beyond 32 bits");
    }
    memcpy(target, &(int32_t){(int32_t)wide}, sizeof(int32_t));
    return true;
}

static bool decode_field(nilas_decoder *decoder, const nilas_decode_step *step,
                         nilas_decoded *out) {
    char *target = (char *)out + step->offset;
    void *list = target;
    bool is_null;

    if (step->op == NILAS_DECODE_SKIP) {
        return skip(decoder, step->schema, 0);
    }
    if (!read_branch(decoder, step, &is_null)) {
        return false;
    }
    if (is_null) {
        return true;
    }
    switch (step->op) {
    case NILAS_DECODE_INT32: return decode_int32(decoder, target);
    case NILAS_DECODE_INT64: return read_varint(decoder, (int64_t *)(void *)target);
    case NILAS_DECODE_TEXT: return read_text(decoder, (nilas_str *)(void *)target);
    case NILAS_DECODE_COUNTS:
        return read_list(decoder, step, read_count, sizeof(nilas_int_count), list);
    case NILAS_DECODE_BOUNDS:
        return read_list(decoder, step, read_bound, sizeof(nilas_bound), list);
    case NILAS_DECODE_INT64_LIST: return read_list(decoder, step, read_long, sizeof(int64_t), list);
    case NILAS_DECODE_INT32_LIST: return read_list(decoder, step, read_id, sizeof(int32_t), list);
    case NILAS_DECODE_SKIP_NUMBERS:
    case NILAS_DECODE_SKIP_BOUNDS: return skip_list(decoder, step);
    case NILAS_DECODE_PARTITION: return read_partition(decoder, step, &out->entry.file.partition);
    default: return decode_fields(decoder, step, out);
    }
}

static bool decode_fields(nilas_decoder *decoder, const nilas_decode_step *record,
                          nilas_decoded *out) {
    for (size_t i = 0; i < record->child_count; i++) {
        if (!decode_field(decoder, &record->children[i], out)) {
            return false;
        }
    }
    return true;
}

bool nilas_iceberg__decode_entry(nilas_decoder *decoder, const nilas_decode_step *root,
                                 nilas_decoded *out) {
    nilas_value *tuple = &out->entry.file.partition;

    nilas_assert(decoder->pool != NULL && decoder->at <= decoder->end);
    tuple->kind = NILAS_VALUE_STRUCT;
    tuple->count = decoder->partition_count;
    tuple->items = take(decoder, decoder->partition_count, sizeof(nilas_value));
    if (tuple->items == NULL) {
        return fail(decoder, "out of memory");
    }
    for (size_t i = 0; i < tuple->count; i++) {
        tuple->items[i] = NILAS_NULL_VALUE;
    }
    return decode_fields(decoder, root, out);
}
