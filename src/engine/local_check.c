/*
 * What nanoarrow takes for granted in an Arrow IPC stream, checked before it sees the bytes: every
 * message has its header, batches have a node and buffers for every field, and counts are no larger
 * than a batch may be. The flatbuffers of the headers are read here through bounded offsets only.
 */
#include "engine/local.h"

enum { MESSAGE_SCHEMA = 1, MESSAGE_DICTIONARY = 2, MESSAGE_BATCH = 3 };

/** A table of a flatbuffer: where it is, and its vtable. */
typedef struct table {
    nilas_str bytes; // the whole flatbuffer
    size_t at, vtable, vtable_size;
} table;

static bool read_number(nilas_str bytes, size_t at, size_t size, uint64_t *out) {
    uint64_t value = 0;
    if (at > bytes.size || bytes.size - at < size) {
        return false;
    }
    memcpy(&value, bytes.data + at, size); // little endian, as the format
    *out = value;
    return true;
}

static bool open_table(nilas_str bytes, size_t at, table *out) {
    uint64_t back;
    uint64_t size;
    if (!read_number(bytes, at, 4, &back)) {
        return false;
    }
    int64_t vtable = (int64_t)at - (int32_t)back;
    if (vtable < 0 || !read_number(bytes, (size_t)vtable, 2, &size)) {
        return false;
    }
    *out = (table){.bytes = bytes, .at = at, .vtable = (size_t)vtable, .vtable_size = (size_t)size};
    return true;
}

/** Place of a member; false when it is absent. */
static bool find_member(const table *t, size_t index, size_t *out) {
    size_t slot = 4 + 2 * index;
    uint64_t offset;
    if (slot + 2 > t->vtable_size || !read_number(t->bytes, t->vtable + slot, 2, &offset) ||
        offset == 0) {
        return false;
    }
    *out = t->at + (size_t)offset;
    return true;
}

static int64_t member_number(const table *t, size_t index, size_t size) {
    size_t at;
    uint64_t value = 0;
    return find_member(t, index, &at) && read_number(t->bytes, at, size, &value) ? (int64_t)value
                                                                                 : 0;
}

/** What an offset member points to; false when it is absent. */
static bool follow(const table *t, size_t index, size_t *out) {
    size_t at;
    uint64_t offset;
    if (!find_member(t, index, &at) || !read_number(t->bytes, at, 4, &offset)) {
        return false;
    }
    *out = at + (size_t)offset;
    return *out < t->bytes.size;
}

static bool is_count(int64_t number) {
    return number >= 0 && number <= INT32_MAX;
}

/** Buffers lie inside the body, at multiples of eight. */
static bool check_buffers(const table *batch, size_t buffers, size_t count, int64_t body) {
    for (size_t i = 0; i < count; i++) {
        uint64_t offset;
        uint64_t length;
        if (!read_number(batch->bytes, buffers + 4 + 16 * i, 8, &offset) ||
            !read_number(batch->bytes, buffers + 12 + 16 * i, 8, &length) || offset % 8 != 0 ||
            body < 0 || offset > (uint64_t)body || length > (uint64_t)body - offset) {
            return false;
        }
    }
    return true;
}

/** No column is longer than a batch may be. */
static bool check_nodes(const table *batch, size_t nodes, size_t node_count) {
    for (size_t i = 0; i < node_count; i++) {
        uint64_t length;
        uint64_t nulls;
        if (!read_number(batch->bytes, nodes + 4 + 16 * i, 8, &length) ||
            !read_number(batch->bytes, nodes + 12 + 16 * i, 8, &nulls) ||
            !is_count((int64_t)length) || !is_count((int64_t)nulls)) {
            return false;
        }
    }
    return true;
}

/** A RecordBatch has at least as many nodes and buffers as its schema needs, none too long. */
static bool check_batch(const table *batch, nilas_local_needs needs, int64_t body) {
    size_t nodes;
    size_t buffers;
    uint64_t node_count = 0;
    uint64_t buffer_count = 0;
    bool has_nodes = follow(batch, 1, &nodes) && read_number(batch->bytes, nodes, 4, &node_count);
    bool has_buffers =
        follow(batch, 2, &buffers) && read_number(batch->bytes, buffers, 4, &buffer_count);
    if (!is_count(member_number(batch, 0, 8)) || (needs.nodes > 0 && !has_nodes) ||
        (needs.buffers > 0 && !has_buffers) || node_count < needs.nodes ||
        buffer_count < needs.buffers) {
        return false;
    }
    return (!has_nodes || check_nodes(batch, nodes, (size_t)node_count)) &&
           (!has_buffers || check_buffers(batch, buffers, (size_t)buffer_count, body));
}

static bool check_header(nilas_str header, const nilas_local_shape *shape, int64_t *out_body) {
    table message;
    table content;
    uint64_t root;
    size_t at;
    if (!read_number(header, 0, 4, &root) || !open_table(header, (size_t)root, &message) ||
        !follow(&message, 2, &at) || !open_table(header, at, &content)) {
        return false;
    }
    *out_body = member_number(&message, 3, 8);
    switch (member_number(&message, 1, 1)) {
    case MESSAGE_SCHEMA: return true;
    case MESSAGE_BATCH: return check_batch(&content, shape->rows, *out_body);
    case MESSAGE_DICTIONARY:
        return follow(&content, 1, &at) && open_table(header, at, &content) &&
               check_batch(&content, shape->dictionary, *out_body);
    default: return false;
    }
}

/** One message; *out_at_end at the end mark or the end of the bytes. */
static bool check_message(nilas_str data, size_t *at, const nilas_local_shape *shape,
                          bool *out_at_end) {
    uint64_t size;
    int64_t body;
    *out_at_end = *at == data.size;
    if (*out_at_end || !read_number(data, *at, 4, &size)) {
        return *out_at_end;
    }
    *at += 4;
    if (size == UINT32_MAX) { // the continuation mark, before the size
        if (!read_number(data, *at, 4, &size)) {
            return false;
        }
        *at += 4;
    }
    if (size == 0) {
        *out_at_end = true;
        return true;
    }
    if (size > data.size - *at) {
        return false;
    }
    nilas_str header = nilas_str_slice(data, *at, *at + (size_t)size);
    if (!check_header(header, shape, &body)) {
        return false;
    }
    *at += (size_t)size;
    if (body < 0 || (uint64_t)body > data.size - *at) {
        return false;
    }
    *at += (size_t)body;
    return true;
}

nilas_code nilas_local__check(nilas_str data, const nilas_local_shape *shape, nilas_error *err) {
    size_t at = 0;
    bool at_end = false;
    while (!at_end) {
        size_t start = at;
        NILAS_REQUIRE(check_message(data, &at, shape, &at_end), err, NILAS_CORRUPT,
                      "the data of a local relation are not an Arrow IPC stream that can be read: "
                      "the message at byte %zu is wrong",
                      start);
    }
    return NILAS_OK;
}

/* --- what a schema needs --- */

static size_t buffers_of(const struct ArrowSchema *schema) {
    struct ArrowSchemaView view;
    if (ArrowSchemaViewInit(&view, schema, NULL) != NANOARROW_OK) {
        return 0;
    }
    size_t count = 0;
    while (count < NANOARROW_MAX_FIXED_BUFFERS &&
           view.layout.buffer_type[count] != NANOARROW_BUFFER_TYPE_NONE) {
        count++;
    }
    return count;
}

static void add_needs(const struct ArrowSchema *schema, nilas_local_needs *needs) {
    needs->nodes++;
    needs->buffers += buffers_of(schema);
    for (int64_t i = 0; i < schema->n_children; i++) {
        add_needs(schema->children[i], needs);
    }
}

static nilas_code add_dictionaries(const struct ArrowSchema *schema, nilas_local_shape *shape,
                                   nilas_error *err) {
    if (schema->dictionary != NULL) {
        nilas_local_needs needs = {0};
        add_needs(schema->dictionary, &needs);
        bool first = shape->dictionary.nodes == 0;
        NILAS_REQUIRE(first || (needs.nodes == shape->dictionary.nodes &&
                                needs.buffers == shape->dictionary.buffers),
                      err, NILAS_UNSUPPORTED,
                      "local relations with dictionaries of several kinds of values are not "
                      "supported");
        shape->dictionary = needs;
        NILAS_TRY(add_dictionaries(schema->dictionary, shape, err));
    }
    for (int64_t i = 0; i < schema->n_children; i++) {
        NILAS_TRY(add_dictionaries(schema->children[i], shape, err));
    }
    return NILAS_OK;
}

nilas_code nilas_local__shape(const struct ArrowSchema *schema, nilas_local_shape *out,
                              nilas_error *err) {
    nilas_local_shape shape = {0};
    for (int64_t i = 0; i < schema->n_children; i++) { // the root has neither
        add_needs(schema->children[i], &shape.rows);
    }
    NILAS_TRY(add_dictionaries(schema, &shape, err));
    *out = shape;
    return NILAS_OK;
}
