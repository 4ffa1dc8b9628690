/*
 * Decoding records by a plan. This is the inner loop of planning a scan, so: no allocation per
 * field, one per record and one per list; what nobody wants is stepped over, by its size in bytes
 * where the file has it.
 *
 * Every count is checked against the bytes that are left before memory is taken for it. Items that
 * take no bytes (null, empty records) have no such bound; a file may hold 16 million of them in
 * all.
 *
 * Spec: avro#binary-encoding.
 */
#include "codec/avro_private.h"

typedef struct decoder {
    const uint8_t *at, *end;
    nilas_arena *arena;
    bool copy;
    nilas_avro_file *file;
    nilas_error *err;
} decoder;

static nilas_code decode_value(decoder *d, const nilas_avro__node *node, nilas_value *out,
                               nilas_value *slots);
static nilas_code skip_value(decoder *d, const nilas_avro__node *node);

// ---- errors -------------------------------------------------------------------------------------

/** "expected …, found …" with the place. */
__attribute__((cold, noinline)) static nilas_code fail_at(decoder *d, const uint8_t *at,
                                                          const char *expected, int64_t found) {
    nilas_avro_file *file = d->file;
    return nilas_fail(d->err, NILAS_CORRUPT,
                      "%s: block %zu at offset %zu, byte %zu: expected %s, found %lld", file->what,
                      file->block_index, file->block_offset, (size_t)(at - file->block), expected,
                      (long long)found);
}

__attribute__((cold, noinline)) static nilas_code fail_short(decoder *d, const uint8_t *at,
                                                             const char *expected) {
    nilas_avro_file *file = d->file;
    return nilas_fail(d->err, NILAS_CORRUPT,
                      "%s: block %zu at offset %zu, byte %zu: expected %s, found %zu bytes",
                      file->what, file->block_index, file->block_offset, (size_t)(at - file->block),
                      expected, (size_t)(d->end - at));
}

// ---- numbers and bytes --------------------------------------------------------------------------

static nilas_code read_long_slow(decoder *d, int64_t *out) {
    const uint8_t *start = d->at;
    uint64_t raw = 0;

    for (unsigned shift = 0; shift < 70; shift += 7) {
        if (d->at == d->end) {
            return fail_short(d, start, "a number");
        }
        uint8_t byte = *d->at++;
        if (shift == 63 && byte > 1) {
            break;
        }
        raw |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80) {
            *out = (int64_t)(raw >> 1) ^ -(int64_t)(raw & 1);
            return NILAS_OK;
        }
    }
    return fail_at(d, start, "a number of at most 64 bits", 10);
}

static inline nilas_code read_long(decoder *d, int64_t *out) {
    if (d->end - d->at >= 2) {
        uint32_t first = d->at[0];
        uint32_t second = d->at[1];
        if (first < 0x80) {
            d->at++;
            *out = (int64_t)(first >> 1) ^ -(int64_t)(first & 1);
            return NILAS_OK;
        }
        if (second < 0x80) {
            uint32_t raw = (first & 0x7F) | second << 7;
            d->at += 2;
            *out = (int64_t)(raw >> 1) ^ -(int64_t)(raw & 1);
            return NILAS_OK;
        }
    }
    return read_long_slow(d, out);
}

static inline nilas_code skip_long(decoder *d) {
    for (int i = 0; i < 10 && d->at < d->end; i++) {
        if (*d->at++ < 0x80) {
            return NILAS_OK;
        }
    }
    return fail_short(d, d->at, "the end of a number");
}

/** Eight bytes at a time: each number ends with its first byte below 0x80. */
static nilas_code skip_longs(decoder *d, uint64_t count) {
    const uint64_t high_bits = 0x8080808080808080ULL;

    while (d->end - d->at >= 8) {
        uint64_t word;
        memcpy(&word, d->at, sizeof(word));
        uint64_t ends = (uint64_t)__builtin_popcountll(~word & high_bits);
        if (ends >= count) {
            break;
        }
        count -= ends;
        d->at += 8;
    }
    for (; count > 0; count--) {
        while (d->at < d->end && *d->at >= 0x80) {
            d->at++;
        }
        if (d->at == d->end) {
            return fail_short(d, d->at, "the end of a number");
        }
        d->at++;
    }
    return NILAS_OK;
}

static nilas_code read_int(decoder *d, int64_t *out) {
    const uint8_t *start = d->at;

    NILAS_TRY(read_long(d, out));
    return *out >= INT32_MIN && *out <= INT32_MAX ? NILAS_OK
                                                  : fail_at(d, start, "a 32-bit number", *out);
}

static nilas_code read_millis(decoder *d, int64_t *out) {
    const uint8_t *start = d->at;
    int64_t millis;

    NILAS_TRY(read_long(d, &millis));
    return !__builtin_mul_overflow(millis, 1000, out)
               ? NILAS_OK
               : fail_at(d, start, "milliseconds that fit as micros", millis);
}

/** Borrow `size` bytes. */
static inline nilas_code take(decoder *d, size_t size, nilas_str *out) {
    if (size > (size_t)(d->end - d->at)) {
        return fail_at(d, d->at, "bytes within the block", (int64_t)size);
    }
    *out = (nilas_str){.data = (const char *)d->at, .size = size};
    d->at += size;
    return NILAS_OK;
}

static inline nilas_code take_sized(decoder *d, nilas_str *out) {
    int64_t size;

    NILAS_TRY(read_long(d, &size));
    // A negative size becomes a huge one and fails the same check.
    return take(d, (size_t)size, out);
}

static inline nilas_code skip_sized(decoder *d) {
    nilas_str bytes;
    return take_sized(d, &bytes);
}

static inline nilas_code keep_text(decoder *d, nilas_value_kind kind, nilas_value *out) {
    out->kind = kind;
    return d->copy ? nilas_str_copy(d->arena, out->text, &out->text, d->err) : NILAS_OK;
}

static nilas_code read_float(decoder *d, nilas_value *out) {
    nilas_str bytes;
    float real;

    NILAS_TRY(take(d, sizeof(real), &bytes));
    memcpy(&real, bytes.data, sizeof(real));
    *out = nilas_value_of_float(real);
    return NILAS_OK;
}

static nilas_code read_double(decoder *d, nilas_value *out) {
    nilas_str bytes;
    double real;

    NILAS_TRY(take(d, sizeof(real), &bytes));
    memcpy(&real, bytes.data, sizeof(real));
    *out = nilas_value_of_double(real);
    return NILAS_OK;
}

static nilas_code read_bool(decoder *d, nilas_value *out) {
    nilas_str byte;

    NILAS_TRY(take(d, 1, &byte));
    if ((unsigned char)byte.data[0] > 1) {
        return fail_at(d, d->at - 1, "a boolean", (unsigned char)byte.data[0]);
    }
    *out = nilas_value_of_bool(byte.data[0] == 1);
    return NILAS_OK;
}

/** Two's complement, big endian, any size; what does not fit 128 bits is an error. */
static nilas_code read_decimal(decoder *d, const nilas_avro__node *node, nilas_value *out) {
    const uint8_t *start = d->at;
    nilas_str bytes;

    if (node->op == NILAS_AVRO_OP_DECIMAL_BYTES) {
        NILAS_TRY(take_sized(d, &bytes));
    } else {
        NILAS_TRY(take(d, node->fixed_size, &bytes));
    }
    const uint8_t *at = (const uint8_t *)bytes.data;
    uint8_t sign = bytes.size > 0 && (at[0] & 0x80) != 0 ? 0xFF : 0;
    nilas_uint128 value = sign != 0 ? ~(nilas_uint128)0 : 0;
    for (size_t i = 0; i < bytes.size; i++) {
        bool extension = i + 16 < bytes.size;
        bool last_extension = i + 16 == bytes.size;
        if ((extension && at[i] != sign) ||
            (last_extension && i > 0 && ((at[i] ^ sign) & 0x80) != 0)) {
            return fail_at(d, start, "a decimal of at most 128 bits", (int64_t)bytes.size);
        }
        value = value << 8 | at[i];
    }
    *out = nilas_value_of_decimal((nilas_int128)value, node->scale);
    return NILAS_OK;
}

/** "550e8400-e29b-…" to 16 bytes. */
static nilas_code read_uuid_text(decoder *d, nilas_value *out) {
    const uint8_t *start = d->at;
    nilas_str text;
    void *memory;
    size_t digits = 0;

    NILAS_TRY(take_sized(d, &text));
    NILAS_TRY(nilas_arena_alloc(d->arena, 16, &memory, d->err));
    uint8_t *bytes = memory;
    for (size_t i = 0; i < text.size; i++) {
        int digit = nilas_hex_digit(text.data[i]);
        if (text.data[i] == '-') {
            continue;
        }
        if (digit < 0 || digits == 32) {
            return fail_at(d, start, "a UUID of 32 hexadecimal digits, wrong at", (int64_t)i);
        }
        bytes[digits / 2] = (uint8_t)(bytes[digits / 2] << 4 | digit);
        digits++;
    }
    if (digits != 32) {
        return fail_at(d, start, "a UUID of 32 hexadecimal digits", (int64_t)digits);
    }
    *out = nilas_value_of_bytes((nilas_str){.data = memory, .size = 16});
    return NILAS_OK;
}

static nilas_code read_enum(decoder *d, const nilas_avro__node *node, nilas_value *out) {
    const uint8_t *start = d->at;
    int64_t index;

    NILAS_TRY(read_long(d, &index));
    if (index < 0 || (uint64_t)index >= node->schema->symbol_count) {
        return fail_at(d, start, "a symbol of the enum", index);
    }
    *out = nilas_value_of_str(node->schema->symbols[index]);
    return keep_text(d, NILAS_VALUE_STRING, out);
}

/** Branch of a union in [0, count). */
static inline nilas_code read_branch(decoder *d, size_t count, int64_t *out) {
    const uint8_t *start = d->at;

    NILAS_TRY(read_long(d, out));
    return (uint64_t)*out < count ? NILAS_OK : fail_at(d, start, "a branch of the union", *out);
}

// ---- lists and maps -----------------------------------------------------------------------------

/**
 * Header of the next part of a list; *count 0 ends it. *part_bytes is its size where the file has
 * it, or -1.
 */
static nilas_code read_part(decoder *d, size_t item_min_bytes, int64_t *count,
                            int64_t *part_bytes) {
    const uint8_t *start = d->at;

    NILAS_TRY(read_long(d, count));
    *part_bytes = -1;
    if (*count < 0) {
        NILAS_TRY(read_long(d, part_bytes));
        if (*count == INT64_MIN || *part_bytes < 0 || *part_bytes > d->end - d->at) {
            return fail_at(d, start, "the size of a part within the block", *part_bytes);
        }
        *count = -*count;
    }
    if (item_min_bytes > 0) {
        uint64_t most = (uint64_t)(d->end - d->at) / item_min_bytes;
        return (uint64_t)*count <= most
                   ? NILAS_OK
                   : fail_at(d, start, "a count that the block has room for", *count);
    }
    d->file->empty_items_left -=
        *count < d->file->empty_items_left ? *count : d->file->empty_items_left + 1;
    NILAS_REQUIRE(d->file->empty_items_left >= 0, d->err, NILAS_LIMIT,
                  "%s: too many items without content", d->file->what);
    return NILAS_OK;
}

/** Bytes that one item of a list takes at least: the key of a map, too. */
static size_t item_min_bytes(const nilas_avro__node *node) {
    return node->child->min_bytes + (node->op == NILAS_AVRO_OP_MAP ? 1 : 0);
}

/** Values per item (1, or 2 for a map's key and value), and slots beside them. */
static size_t item_stride(const nilas_avro__node *node) {
    return node->op == NILAS_AVRO_OP_LIST ? 1 : 2;
}

static size_t item_slots(const nilas_avro__node *node) {
    return node->child->slots -
           (node->op == NILAS_AVRO_OP_RECORD_MAP ? node->child->item_count : 0);
}

static nilas_code decode_steps(decoder *d, const nilas_avro__node *node, nilas_value *items,
                               nilas_value *slots);

static nilas_code decode_items(decoder *d, const nilas_avro__node *node, size_t count,
                               nilas_value *items, nilas_value *slots) {
    const nilas_avro__node *child = node->child;
    size_t per_item = item_slots(node);

    for (size_t i = 0; i < count; i++, slots += per_item) {
        switch (node->op) {
        case NILAS_AVRO_OP_LIST: NILAS_TRY(decode_value(d, child, &items[i], slots)); break;
        case NILAS_AVRO_OP_RECORD_MAP:
            NILAS_TRY(decode_steps(d, child, &items[2 * i], slots));
            break;
        default:
            NILAS_TRY(take_sized(d, &items[2 * i].text));
            NILAS_TRY(keep_text(d, NILAS_VALUE_STRING, &items[2 * i]));
            NILAS_TRY(decode_value(d, child, &items[2 * i + 1], slots));
            break;
        }
    }
    return NILAS_OK;
}

/** A list under construction; a map counts as its keys and values. */
typedef struct growing_list {
    nilas_value *items;
    size_t count, capacity; // of items as the file counts them
} growing_list;

/**
 * Room for `count` more items, and the slots of these. The first part, which is almost always the
 * only one, gets both in one allocation of the exact size.
 */
static nilas_code grow_list(decoder *d, const nilas_avro__node *node, size_t count,
                            growing_list *list, nilas_value **slots) {
    size_t stride = item_stride(node);
    nilas_value *memory;

    if (list->capacity == 0) {
        NILAS_NEW_ARRAY(d->arena, &memory, count * (stride + item_slots(node)), d->err);
        *list = (growing_list){.items = memory, .capacity = count};
        *slots = memory + count * stride;
        return NILAS_OK;
    }
    if (count > list->capacity - list->count) {
        size_t wanted = list->count + count;
        size_t capacity = wanted > 2 * list->capacity ? wanted : 2 * list->capacity;
        NILAS_NEW_ARRAY(d->arena, &memory, capacity * stride, d->err);
        memcpy(memory, list->items, list->count * stride * sizeof(*memory));
        list->items = memory;
        list->capacity = capacity;
    }
    NILAS_NEW_ARRAY(d->arena, slots, count * item_slots(node), d->err);
    return NILAS_OK;
}

static bool is_wanted_key(const nilas_avro__node *node, int64_t key) {
    for (size_t i = 0; i < node->key_count; i++) {
        if (node->keys[i] == key) {
            return true;
        }
    }
    return false;
}

/** A map of which only some entries come out: keys are read, values of other keys stepped over. */
static nilas_code decode_chosen(decoder *d, const nilas_avro__node *node, nilas_value *out) {
    const nilas_avro__step *steps = node->child->steps;
    size_t per_item = item_slots(node);
    nilas_value *items;
    size_t kept = 0;

    NILAS_NEW_ARRAY(d->arena, &items, node->key_count * (2 + per_item), d->err);
    for (;;) {
        int64_t count;
        int64_t part_bytes;
        NILAS_TRY(read_part(d, item_min_bytes(node), &count, &part_bytes));
        if (count == 0) {
            break;
        }
        for (int64_t i = 0; i < count; i++) {
            const uint8_t *start = d->at;
            int64_t key;
            NILAS_TRY(read_long(d, &key));
            if (!is_wanted_key(node, key)) {
                NILAS_TRY(steps[1].node->op == NILAS_AVRO_OP_BYTES && steps[1].node->null_branch < 0
                              ? skip_sized(d)
                              : skip_value(d, steps[1].node));
                continue;
            }
            if (kept == node->key_count) {
                return fail_at(d, start, "each key of a map once", key);
            }
            nilas_value *slots = items + 2 * node->key_count + kept * per_item;
            items[2 * kept] = nilas_value_of_int(key);
            NILAS_TRY(decode_value(d, steps[1].node, &items[2 * kept + 1], slots));
            kept++;
        }
    }
    *out = (nilas_value){.kind = NILAS_VALUE_MAP, .items = items, .count = kept};
    return NILAS_OK;
}

static nilas_code decode_list(decoder *d, const nilas_avro__node *node, nilas_value *out) {
    growing_list list = {0};

    if (node->keys != NULL) {
        return decode_chosen(d, node, out);
    }
    for (;;) {
        int64_t count;
        int64_t part_bytes;
        nilas_value *slots;
        NILAS_TRY(read_part(d, item_min_bytes(node), &count, &part_bytes));
        if (count == 0) {
            break;
        }
        NILAS_TRY(grow_list(d, node, (size_t)count, &list, &slots));
        nilas_value *items = list.items + list.count * item_stride(node);
        NILAS_TRY(decode_items(d, node, (size_t)count, items, slots));
        list.count += (size_t)count;
    }
    out->kind = node->op == NILAS_AVRO_OP_LIST ? NILAS_VALUE_LIST : NILAS_VALUE_MAP;
    out->items = list.items;
    out->count = list.count;
    return NILAS_OK;
}

/** `count` items one after the other, of which nothing is kept. */
static nilas_code skip_items(decoder *d, const nilas_avro__node *node, uint64_t count) {
    const nilas_avro__node *child = node->child;

    if (node->op != NILAS_AVRO_OP_MAP && child->null_branch < 0) {
        if (child->skip_varints > 0) {
            return skip_longs(d, count * child->skip_varints);
        }
        if (child->skip_bytes > 0) {
            // The count was checked against the bytes that are left.
            d->at += count * child->skip_bytes;
            return NILAS_OK;
        }
    }
    for (uint64_t i = 0; i < count; i++) {
        if (node->op == NILAS_AVRO_OP_MAP) {
            nilas_str key;
            NILAS_TRY(take_sized(d, &key));
        }
        NILAS_TRY(skip_value(d, child));
    }
    return NILAS_OK;
}

static nilas_code skip_list(decoder *d, const nilas_avro__node *node) {
    for (;;) {
        int64_t count;
        int64_t part_bytes;
        NILAS_TRY(read_part(d, item_min_bytes(node), &count, &part_bytes));
        if (count == 0) {
            return NILAS_OK;
        }
        if (part_bytes >= 0) {
            d->at += part_bytes;
        } else {
            NILAS_TRY(skip_items(d, node, (uint64_t)count));
        }
    }
}

// ---- records and unions -------------------------------------------------------------------------

__attribute__((cold, noinline)) static nilas_code
locate_field(decoder *d, const nilas_avro__step *step, nilas_code code) {
    nilas_error_append(d->err, "in field \"%.*s\"", NILAS_FMT(step->name));
    return code;
}

static nilas_code decode_steps(decoder *d, const nilas_avro__node *node, nilas_value *items,
                               nilas_value *slots) {
    // Steps count their slots from the start of the struct's own, which the items come first in.
    for (size_t i = 0; i < node->step_count; i++) {
        const nilas_avro__step *step = &node->steps[i];
        nilas_code code = step->item < 0
                              ? skip_value(d, step->node)
                              : decode_value(d, step->node, &items[step->item],
                                             slots + (step->slot_offset - node->item_count));
        if (code != NILAS_OK) {
            return locate_field(d, step, code);
        }
    }
    return NILAS_OK;
}

static nilas_code decode_union(decoder *d, const nilas_avro__node *node, nilas_value *out,
                               nilas_value *slots) {
    int64_t branch;

    NILAS_TRY(read_branch(d, node->branch_count, &branch));
    NILAS_TRY(decode_value(d, node->branches[branch], out, slots));
    return NILAS_OK;
}

static nilas_code fail_null(decoder *d) {
    return fail_at(d, d->at - 1, "a value in a required field, found null at", 0);
}

static nilas_code decode_value(decoder *d, const nilas_avro__node *node, nilas_value *out,
                               nilas_value *slots) {
    if (node->null_branch >= 0) {
        int64_t branch;
        NILAS_TRY(read_branch(d, 2, &branch));
        if (branch == node->null_branch) {
            out->kind = NILAS_VALUE_NULL;
            return node->required ? fail_null(d) : NILAS_OK;
        }
    }
    switch (node->op) {
    case NILAS_AVRO_OP_NULL:
        out->kind = NILAS_VALUE_NULL;
        return node->required ? fail_null(d) : NILAS_OK;
    case NILAS_AVRO_OP_BOOL: return read_bool(d, out);
    case NILAS_AVRO_OP_INT: out->kind = NILAS_VALUE_INT; return read_int(d, &out->integer);
    case NILAS_AVRO_OP_LONG: out->kind = NILAS_VALUE_INT; return read_long(d, &out->integer);
    case NILAS_AVRO_OP_MILLIS: out->kind = NILAS_VALUE_INT; return read_millis(d, &out->integer);
    case NILAS_AVRO_OP_FLOAT: return read_float(d, out);
    case NILAS_AVRO_OP_DOUBLE: return read_double(d, out);
    case NILAS_AVRO_OP_STRING:
        NILAS_TRY(take_sized(d, &out->text));
        return keep_text(d, NILAS_VALUE_STRING, out);
    case NILAS_AVRO_OP_BYTES:
        NILAS_TRY(take_sized(d, &out->text));
        return keep_text(d, NILAS_VALUE_BINARY, out);
    case NILAS_AVRO_OP_FIXED:
        NILAS_TRY(take(d, node->fixed_size, &out->text));
        return keep_text(d, NILAS_VALUE_BINARY, out);
    case NILAS_AVRO_OP_UUID_TEXT: return read_uuid_text(d, out);
    case NILAS_AVRO_OP_DECIMAL_BYTES:
    case NILAS_AVRO_OP_DECIMAL_FIXED: return read_decimal(d, node, out);
    case NILAS_AVRO_OP_ENUM: return read_enum(d, node, out);
    case NILAS_AVRO_OP_STRUCT:
        out->kind = NILAS_VALUE_STRUCT;
        out->items = slots;
        out->count = node->item_count;
        return decode_steps(d, node, slots, slots + node->item_count);
    case NILAS_AVRO_OP_LIST:
    case NILAS_AVRO_OP_MAP:
    case NILAS_AVRO_OP_RECORD_MAP: return decode_list(d, node, out);
    case NILAS_AVRO_OP_UNION: break;
    }
    return decode_union(d, node, out, slots);
}

// ---- skipping -----------------------------------------------------------------------------------

static nilas_code skip_fixed(decoder *d, size_t size) {
    nilas_str bytes;
    return take(d, size, &bytes);
}

static nilas_code skip_steps(decoder *d, const nilas_avro__node *node) {
    for (size_t i = 0; i < node->step_count; i++) {
        const nilas_avro__node *step = node->steps[i].node;
        nilas_code code;
        // The two most common kinds without a call.
        if (step->null_branch < 0 && step->op == NILAS_AVRO_OP_BYTES) {
            code = skip_sized(d);
        } else if (step->null_branch < 0 && step->op <= NILAS_AVRO_OP_MILLIS &&
                   step->op >= NILAS_AVRO_OP_INT) {
            code = skip_long(d);
        } else {
            code = skip_value(d, step);
        }
        if (code != NILAS_OK) {
            return locate_field(d, &node->steps[i], code);
        }
    }
    return NILAS_OK;
}

static nilas_code skip_union(decoder *d, const nilas_avro__node *node) {
    int64_t branch;

    NILAS_TRY(read_branch(d, node->branch_count, &branch));
    return skip_value(d, node->branches[branch]);
}

static nilas_code skip_value(decoder *d, const nilas_avro__node *node) {
    if (node->null_branch >= 0) {
        int64_t branch;
        NILAS_TRY(read_branch(d, 2, &branch));
        if (branch == node->null_branch) {
            return NILAS_OK;
        }
    }
    switch (node->op) {
    case NILAS_AVRO_OP_NULL: return NILAS_OK;
    case NILAS_AVRO_OP_BOOL: return skip_fixed(d, 1);
    case NILAS_AVRO_OP_INT:
    case NILAS_AVRO_OP_LONG:
    case NILAS_AVRO_OP_MILLIS:
    case NILAS_AVRO_OP_ENUM: return skip_long(d);
    case NILAS_AVRO_OP_FLOAT: return skip_fixed(d, 4);
    case NILAS_AVRO_OP_DOUBLE: return skip_fixed(d, 8);
    case NILAS_AVRO_OP_STRING:
    case NILAS_AVRO_OP_BYTES:
    case NILAS_AVRO_OP_UUID_TEXT:
    case NILAS_AVRO_OP_DECIMAL_BYTES: return skip_sized(d);
    case NILAS_AVRO_OP_FIXED:
    case NILAS_AVRO_OP_DECIMAL_FIXED: return skip_fixed(d, node->fixed_size);
    case NILAS_AVRO_OP_STRUCT: return skip_steps(d, node);
    case NILAS_AVRO_OP_LIST:
    case NILAS_AVRO_OP_MAP:
    case NILAS_AVRO_OP_RECORD_MAP: return skip_list(d, node);
    case NILAS_AVRO_OP_UNION: break;
    }
    return skip_union(d, node);
}

// ---- records of the file ------------------------------------------------------------------------

/** Open blocks until one has a record; *out_end when there is none. */
static nilas_code find_record(nilas_avro_file *file, const nilas_avro_plan *plan, bool *out_end,
                              nilas_error *err) {
    *out_end = false;
    while (file->records_left == 0) {
        NILAS_REQUIRE(file->block_at == file->block_end, err, NILAS_CORRUPT,
                      "%s: block %zu at offset %zu: %zu bytes are left behind its last record",
                      file->what, file->block_index, file->block_offset,
                      (size_t)(file->block_end - file->block_at));
        NILAS_TRY(nilas_codec__avro_next_block(file, out_end, err));
        if (*out_end) {
            return NILAS_OK;
        }
    }
    if (plan->root->min_bytes == 0) {
        NILAS_REQUIRE(file->empty_items_left-- > 0, err, NILAS_LIMIT,
                      "%s: too many records without content", file->what);
    }
    return NILAS_OK;
}

nilas_code nilas_avro_next(nilas_avro_file *file, const nilas_avro_plan *plan, bool copy,
                           nilas_arena *scratch, const nilas_value **out, nilas_error *err) {
    nilas_value *record;
    bool end;

    NILAS_TRY(find_record(file, plan, &end, err));
    if (end) {
        *out = NULL;
        return NILAS_OK;
    }

    decoder d = {.at = file->block_at,
                 .end = file->block_end,
                 .arena = scratch,
                 .copy = copy,
                 .file = file,
                 .err = err};
    NILAS_NEW_ARRAY(scratch, &record, 1 + (size_t)plan->root->slots, err);
    NILAS_TRY(decode_value(&d, plan->root, record, record + 1));
    file->block_at = d.at;
    file->records_left--;
    *out = record;
    return NILAS_OK;
}
