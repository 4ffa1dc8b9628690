/*
 * A record batch: its metadata is a flatbuffer of fixed shape, laid out by hand in front of the
 * body (format/Message.fbs); nodes and buffers are filled in while the body is appended, each value
 * copied once from wherever it lies.
 *
 *     -1 | size of metadata | metadata: Message, RecordBatch, nodes, buffers | body
 */
#include "print/ipc_batch.h"

#include <endian.h>
#include <stdlib.h>

#define METADATA_HEAD 80 // bytes of the metadata before the first node
#define ALIGNMENT     8

_Static_assert(__BYTE_ORDER == __LITTLE_ENDIAN, "Arrow and flatbuffers are little-endian");

typedef struct message {
    nilas_buf *out;
    bool large_types;
    size_t metadata;             // where it begins in `out`
    size_t body;                 // and the body
    size_t node_count, node;     // FieldNodes: all, the next one
    size_t buffer_count, buffer; // Buffers
} message;

// ---- metadata -----------------------------------------------------------------------------------

static void count_nodes(const nilas_print_column *column, message *m) {
    static const uint8_t buffers[] = {
        [NILAS_LAYOUT_NULL] = 0,        [NILAS_LAYOUT_BIT] = 2,      [NILAS_LAYOUT_INTEGER] = 2,
        [NILAS_LAYOUT_REAL] = 2,        [NILAS_LAYOUT_DECIMAL] = 2,  [NILAS_LAYOUT_BYTES] = 3,
        [NILAS_LAYOUT_FIXED_BYTES] = 3, [NILAS_LAYOUT_INTERVAL] = 2, [NILAS_LAYOUT_LIST] = 2,
        [NILAS_LAYOUT_STRUCT] = 1};

    m->node_count++;
    m->buffer_count += buffers[column->layout];
    for (size_t i = 0; i < column->child_count; i++) {
        count_nodes(&column->children[i], m);
    }
}

static void put(message *m, size_t at, const void *bytes, size_t size) {
    if (m->out->failed == NILAS_OK) {
        memcpy(m->out->data + m->metadata + at, bytes, size);
    }
}

static void put_16(message *m, size_t at, uint16_t value) {
    put(m, at, &value, sizeof(value));
}

static void put_32(message *m, size_t at, uint32_t value) {
    put(m, at, &value, sizeof(value));
}

static void put_64(message *m, size_t at, int64_t value) {
    put(m, at, &value, sizeof(value));
}

/** Everything but nodes, buffers and the length of the body. */
static void add_metadata(message *m, int64_t row_count) {
    size_t nodes_end = METADATA_HEAD + 16 * m->node_count;
    size_t size = nodes_end + 8 + 16 * m->buffer_count;
    const uint32_t prefix[2] = {UINT32_MAX, (uint32_t)size};

    nilas_buf_add_bytes(m->out, prefix, sizeof(prefix));
    m->metadata = m->out->size;
    void *space = nilas_buf_extend(m->out, size);
    if (space == NULL) {
        return;
    }
    memset(space, 0, size);
    put_32(m, 0, 16); // the root: Message
    put_16(m, 4, 12); // its vtable: size, size of the table, where the fields are
    put_16(m, 6, 20);
    put_16(m, 8, 16);  // version
    put_16(m, 10, 18); // header_type
    put_16(m, 12, 4);  // header
    put_16(m, 14, 8);  // bodyLength
    put_32(m, 16, 12); // Message: back to the vtable
    put_32(m, 20, 48 - 20);
    put_16(m, 32, 4);  // MetadataVersion.V5
    put_16(m, 34, 3);  // MessageHeader.RecordBatch
    put_16(m, 36, 10); // RecordBatch's vtable
    put_16(m, 38, 20);
    put_16(m, 40, 8);  // length
    put_16(m, 42, 4);  // nodes
    put_16(m, 44, 16); // buffers
    put_32(m, 48, 12); // RecordBatch
    put_32(m, 52, 76 - 52);
    put_64(m, 56, row_count);
    put_32(m, 64, (uint32_t)(nodes_end + 4 - 64));
    put_32(m, 76, (uint32_t)m->node_count);
    put_32(m, nodes_end + 4, (uint32_t)m->buffer_count);
    m->body = m->out->size;
}

static void add_node(message *m, int64_t length, int64_t null_count) {
    nilas_assert(m->node < m->node_count);
    put_64(m, METADATA_HEAD + 16 * m->node, length);
    put_64(m, METADATA_HEAD + 16 * m->node + 8, null_count);
    m->node++;
}

/** Note the bytes of the body from `start` on as the next buffer, and pad. */
static void end_buffer(message *m, size_t start) {
    static const char zeros[ALIGNMENT];
    size_t at = METADATA_HEAD + 16 * m->node_count + 8 + 16 * m->buffer;

    nilas_assert(m->buffer < m->buffer_count);
    put_64(m, at, (int64_t)(start - m->body));
    put_64(m, at + 8, (int64_t)(m->out->size - start));
    m->buffer++;
    nilas_buf_add_bytes(m->out, zeros, -(m->out->size - m->body) % ALIGNMENT);
}

// ---- bits ---------------------------------------------------------------------------------------

static bool bit_is_set(const uint8_t *bits, int64_t at) {
    return (bits[at / 8] >> (at % 8) & 1) != 0;
}

/** Copy `count` bits, of which `to` those before `at` are there; NULL: all set. */
static void copy_bits(uint8_t *to, int64_t at, const uint8_t *from, int64_t first, int64_t count) {
    int64_t i = 0;

    if (from != NULL && at % 8 == 0 && first % 8 == 0) {
        memcpy(to + at / 8, from + first / 8, (size_t)(count / 8));
        i = count / 8 * 8;
    }
    for (; i < count; i++) {
        if (from == NULL || bit_is_set(from, first + i)) {
            to[(at + i) / 8] |= (uint8_t)(1 << (at + i) % 8);
        }
    }
}

static int64_t count_zeros(const uint8_t *bits, int64_t first, int64_t count) {
    int64_t zeros = 0;
    int64_t i = 0;

    for (; i < count && (first + i) % 8 != 0; i++) {
        zeros += bit_is_set(bits, first + i) ? 0 : 1;
    }
    for (; i + 64 <= count; i += 64) {
        uint64_t word;
        memcpy(&word, bits + (first + i) / 8, sizeof(word));
        zeros += 64 - __builtin_popcountll(word);
    }
    for (; i < count; i++) {
        zeros += bit_is_set(bits, first + i) ? 0 : 1;
    }
    return zeros;
}

static const uint8_t *validity_of(const struct ArrowArray *array) {
    return array->null_count != 0 && array->n_buffers > 0 ? array->buffers[0] : NULL;
}

/** One buffer of bits, put together from `bits(array)` of each piece. */
static void add_bits(message *m, const nilas_ipc_piece *pieces, size_t count, int64_t rows,
                     bool validity) {
    size_t start = m->out->size;
    size_t size = (size_t)(rows + 7) / 8;
    uint8_t *to = nilas_buf_extend(m->out, size);
    int64_t at = 0;

    if (to != NULL) {
        memset(to, 0, size);
        for (size_t i = 0; i < count; i++) {
            const struct ArrowArray *array = pieces[i].array;
            const uint8_t *from = validity ? validity_of(array) : array->buffers[1];
            copy_bits(to, at, from, array->offset + pieces[i].first, pieces[i].count);
            at += pieces[i].count;
        }
    }
    end_buffer(m, start);
}

/** The node and its first buffer; no bits when nothing is null. */
static void add_validity(message *m, const nilas_ipc_piece *pieces, size_t count, int64_t rows) {
    int64_t nulls = 0;

    for (size_t i = 0; i < count; i++) {
        const uint8_t *bits = validity_of(pieces[i].array);
        nulls += bits != NULL
                     ? count_zeros(bits, pieces[i].array->offset + pieces[i].first, pieces[i].count)
                     : 0;
    }
    add_node(m, rows, nulls);
    if (nulls == 0) {
        end_buffer(m, m->out->size);
    } else {
        add_bits(m, pieces, count, rows, true);
    }
}

// ---- values -------------------------------------------------------------------------------------

static int32_t width_of(const nilas_print_column *column) {
    return column->layout == NILAS_LAYOUT_DECIMAL || column->layout == NILAS_LAYOUT_INTERVAL
               ? 16
               : column->width;
}

/** Spark's times of day are in nanoseconds. */
static void scale_times(char *values, size_t size, int64_t unit) {
    for (size_t at = 0; at < size; at += 8) {
        int64_t value;
        memcpy(&value, values + at, 8);
        value *= 1000000000 / unit;
        memcpy(values + at, &value, 8);
    }
}

static void add_fixed(message *m, const nilas_print_column *column, const nilas_ipc_piece *pieces,
                      size_t count) {
    size_t start = m->out->size;
    size_t width = (size_t)width_of(column);

    for (size_t i = 0; i < count && m->out->failed == NILAS_OK; i++) {
        const char *data = pieces[i].array->buffers[1];
        size_t first = (size_t)(pieces[i].array->offset + pieces[i].first);
        nilas_buf_add_bytes(m->out, data + first * width, (size_t)pieces[i].count * width);
    }
    if (column->type->kind == NILAS_TYPE_TIME && m->out->failed == NILAS_OK) {
        scale_times(m->out->data + start, m->out->size - start, column->unit);
    }
    end_buffer(m, start);
}

static int64_t offset_at(const nilas_print_column *column, const struct ArrowArray *array,
                         int64_t row) {
    int64_t at = array->offset + row;

    if (column->layout == NILAS_LAYOUT_FIXED_BYTES) {
        return at * column->width;
    }
    return column->width == 8 ? ((const int64_t *)array->buffers[1])[at]
                              : ((const int32_t *)array->buffers[1])[at];
}

static int64_t count_rows(const nilas_ipc_piece *pieces, size_t count) {
    int64_t rows = 0;

    for (size_t i = 0; i < count; i++) {
        rows += pieces[i].count;
    }
    return rows;
}

/** Offsets from 0 on, of all pieces together. */
static nilas_code add_offsets(message *m, const nilas_print_column *column,
                              const nilas_ipc_piece *pieces, size_t count, nilas_error *err) {
    size_t start = m->out->size;
    bool large = m->large_types && column->layout != NILAS_LAYOUT_LIST;
    size_t width = large ? 8 : 4;
    char *to = nilas_buf_extend(m->out, (size_t)(count_rows(pieces, count) + 1) * width);
    int64_t base = 0;

    if (to == NULL) {
        return nilas_buf_check(m->out, err);
    }
    memset(to, 0, width);
    for (size_t i = 0; i < count; i++) {
        int64_t first = offset_at(column, pieces[i].array, pieces[i].first);
        for (int64_t row = 1; row <= pieces[i].count; row++) {
            int64_t offset =
                base + offset_at(column, pieces[i].array, pieces[i].first + row) - first;
            to += width;
            memcpy(to, &offset, width);
        }
        base += offset_at(column, pieces[i].array, pieces[i].first + pieces[i].count) - first;
    }
    NILAS_REQUIRE(large || base <= INT32_MAX, err, NILAS_LIMIT,
                  "column \"%.*s\": %lld bytes or elements in one batch are too many",
                  NILAS_FMT(column->name), (long long)base);
    end_buffer(m, start);
    return NILAS_OK;
}

static nilas_code add_bytes(message *m, const nilas_print_column *column,
                            const nilas_ipc_piece *pieces, size_t count, nilas_error *err) {
    NILAS_TRY(add_offsets(m, column, pieces, count, err));
    size_t start = m->out->size;
    for (size_t i = 0; i < count; i++) {
        const struct ArrowArray *array = pieces[i].array;
        const char *data = array->buffers[column->layout == NILAS_LAYOUT_FIXED_BYTES ? 1 : 2];
        int64_t first = offset_at(column, array, pieces[i].first);
        int64_t end = offset_at(column, array, pieces[i].first + pieces[i].count);
        nilas_assert(first >= 0 && end >= first);
        if (end > first) {
            nilas_buf_add_bytes(m->out, data + first, (size_t)(end - first));
        }
    }
    end_buffer(m, start);
    return NILAS_OK;
}

static nilas_code add_column(message *m, const nilas_print_column *column,
                             const nilas_ipc_piece *pieces, size_t count, nilas_error *err);

/** The same rows of a struct's child, or the elements of a list's rows. */
static void to_child(const nilas_print_column *column, const nilas_ipc_piece *piece, size_t child,
                     nilas_ipc_piece *out) {
    const struct ArrowArray *array = piece->array;

    *out = (nilas_ipc_piece){.array = array->children[child],
                             .first = nilas_print_cell_struct_row(array, piece->first),
                             .count = piece->count};
    if (column->layout == NILAS_LAYOUT_LIST) {
        out->first = offset_at(column, array, piece->first);
        out->count = offset_at(column, array, piece->first + piece->count) - out->first;
    }
}

static nilas_code add_children(message *m, const nilas_print_column *column,
                               const nilas_ipc_piece *pieces, size_t count, nilas_error *err) {
    nilas_ipc_piece *inner = calloc(count + 1, sizeof(*inner));
    nilas_code code = NILAS_OK;

    NILAS_REQUIRE(inner != NULL, err, NILAS_NOMEM, "out of memory");
    for (size_t i = 0; i < column->child_count && code == NILAS_OK; i++) {
        size_t kept = 0;
        for (size_t k = 0; k < count; k++) {
            if (pieces[k].count > 0) { // empty arrays may come without buffers
                to_child(column, &pieces[k], i, &inner[kept++]);
            }
        }
        code = add_column(m, &column->children[i], inner, kept, err);
    }
    free(inner);
    return code;
}

static nilas_code add_column(message *m, const nilas_print_column *column,
                             const nilas_ipc_piece *pieces, size_t count, nilas_error *err) {
    int64_t rows = count_rows(pieces, count);

    if (column->layout == NILAS_LAYOUT_NULL) {
        add_node(m, rows, rows);
        return NILAS_OK;
    }
    add_validity(m, pieces, count, rows);
    switch (column->layout) {
    case NILAS_LAYOUT_BIT: add_bits(m, pieces, count, rows, false); break;
    case NILAS_LAYOUT_BYTES:
    case NILAS_LAYOUT_FIXED_BYTES: return add_bytes(m, column, pieces, count, err);
    case NILAS_LAYOUT_LIST:
        NILAS_TRY(add_offsets(m, column, pieces, count, err));
        return add_children(m, column, pieces, count, err);
    case NILAS_LAYOUT_STRUCT: return add_children(m, column, pieces, count, err);
    default: add_fixed(m, column, pieces, count); break;
    }
    return nilas_buf_check(m->out, err);
}

nilas_code nilas_ipc__add_batch(const nilas_print_column *root, bool large_types,
                                const nilas_ipc_piece *pieces, size_t count, nilas_buf *out,
                                nilas_error *err) {
    message m = {.out = out, .large_types = large_types};

    for (size_t i = 0; i < root->child_count; i++) {
        count_nodes(&root->children[i], &m);
    }
    add_metadata(&m, count_rows(pieces, count));
    NILAS_TRY(nilas_buf_check(out, err));
    NILAS_TRY(add_children(&m, root, pieces, count, err));
    put_64(&m, 24, (int64_t)(out->size - m.body));
    return nilas_buf_check(out, err);
}

// ---- sizes --------------------------------------------------------------------------------------

int64_t nilas_ipc__piece_bytes(const nilas_print_column *column, const nilas_ipc_piece *piece) {
    int64_t bytes = piece->count / 8;

    if (piece->count == 0) {
        return 0;
    }
    switch (column->layout) {
    case NILAS_LAYOUT_NULL: return 0;
    case NILAS_LAYOUT_BIT: return 2 * bytes;
    case NILAS_LAYOUT_FIXED_BYTES:
    case NILAS_LAYOUT_BYTES:
        return bytes + 4 * piece->count +
               offset_at(column, piece->array, piece->first + piece->count) -
               offset_at(column, piece->array, piece->first);
    case NILAS_LAYOUT_LIST:
    case NILAS_LAYOUT_STRUCT: break;
    default: return bytes + (int64_t)width_of(column) * piece->count;
    }
    for (size_t i = 0; i < column->child_count; i++) {
        nilas_ipc_piece child;
        to_child(column, piece, i, &child);
        bytes += nilas_ipc__piece_bytes(&column->children[i], &child);
    }
    return bytes + (column->layout == NILAS_LAYOUT_LIST ? 4 * piece->count : 0);
}
