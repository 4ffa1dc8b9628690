/*
 * Results as Arrow IPC. The schema's message is made once; batches of the engine, which are small,
 * wait until they fill a chunk and are copied into it.
 */
#include "print/ipc.h"

#include <nanoarrow/nanoarrow_ipc.h>
#include <stdio.h>
#include <stdlib.h>

#include "print/ipc_batch.h"

#define PENDING_LIMIT 64 // batches that wait

struct nilas_print_ipc {
    nilas_arena *arena;
    nilas_result *result; // borrowed; NULL: batches are given
    nilas_print_ipc_options options;
    nilas_print_column root;
    nilas_buf schema; // its message
    // chunks
    struct ArrowArray pending[PENDING_LIMIT];
    nilas_ipc_piece pieces[PENDING_LIMIT]; // what is left of each
    size_t pending_count;
    int64_t pending_rows;
    int64_t pending_bytes; // about
    bool ended;            // no more batches
    bool sent;             // a chunk
};

// ---- schema -------------------------------------------------------------------------------------

/** The Arrow format that Spark has for a type, where it is not the engine's. */
static const char *format_of(const nilas_print_ipc_options *options, const nilas_type *type) {
    switch (type->kind) {
    case NILAS_TYPE_STRING:
    case NILAS_TYPE_CHAR:
    case NILAS_TYPE_VARCHAR: return options->large_types ? "U" : "u";
    case NILAS_TYPE_BINARY: return options->large_types ? "Z" : "z";
    case NILAS_TYPE_TIME: return "ttn";
    default: return NULL;
    }
}

static nilas_code set_format(const nilas_print_ipc_options *options, const nilas_type *type,
                             struct ArrowSchema *schema, nilas_error *err) {
    char zoned[128];
    const char *format = format_of(options, type);

    if (type->kind == NILAS_TYPE_TIMESTAMP) {
        nilas_str zone = nilas_zone_name(options->zone);
        (void)snprintf(zoned, sizeof(zoned), "tsu:%.*s", NILAS_FMT(zone));
        format = zoned;
    }
    NILAS_REQUIRE(format == NULL || ArrowSchemaSetFormat(schema, format) == NANOARROW_OK, err,
                  NILAS_NOMEM, "out of memory");
    return NILAS_OK;
}

/** Give a schema of the engine's the types that Spark sends. */
static nilas_code adapt_schema(const nilas_print_ipc_options *options, const nilas_type *type,
                               struct ArrowSchema *schema, nilas_error *err) {
    struct ArrowSchema **children = schema->children;

    NILAS_REQUIRE(type->kind != NILAS_TYPE_VARIANT, err, NILAS_UNSUPPORTED,
                  "column \"%s\": VARIANT values are not sent yet; cast them to STRING",
                  schema->name != NULL ? schema->name : "");
    NILAS_TRY(set_format(options, type, schema, err));
    if (type->kind == NILAS_TYPE_MAP) {
        children = schema->children[0]->children;
    }
    for (size_t i = 0; i < type->field_count; i++) {
        NILAS_TRY(adapt_schema(options, type->fields[i].type, children[i], err));
    }
    return NILAS_OK;
}

static nilas_code encode_schema(nilas_print_ipc *ipc, const struct ArrowSchema *schema,
                                nilas_error *err) {
    struct ArrowIpcEncoder encoder;
    struct ArrowBuffer message;
    struct ArrowError why = {0};

    NILAS_REQUIRE(ArrowIpcEncoderInit(&encoder) == NANOARROW_OK, err, NILAS_NOMEM, "out of memory");
    ArrowBufferInit(&message);
    nilas_code code = NILAS_OK;
    if (ArrowIpcEncoderEncodeSchema(&encoder, schema, &why) != NANOARROW_OK ||
        ArrowIpcEncoderFinalizeBuffer(&encoder, 1, &message) != NANOARROW_OK) {
        code = nilas_fail(err, NILAS_UNSUPPORTED, "cannot write the schema in Arrow's format: %s",
                          ArrowErrorMessage(&why));
    } else {
        nilas_buf_add_bytes(&ipc->schema, message.data, (size_t)message.size_bytes);
        code = nilas_buf_check(&ipc->schema, err);
    }
    ArrowBufferReset(&message);
    ArrowIpcEncoderReset(&encoder);
    return code;
}

static nilas_code init(nilas_print_ipc *ipc, const nilas_type *type,
                       const struct ArrowSchema *schema, nilas_error *err) {
    NILAS_AUTO_ARROW_SCHEMA adapted = {0};

    ipc->arena = nilas_arena_new(NULL, 0);
    NILAS_REQUIRE(ipc->arena != NULL && ArrowSchemaDeepCopy(schema, &adapted) == NANOARROW_OK, err,
                  NILAS_NOMEM, "out of memory");
    NILAS_TRY(nilas_print_columns_bind(ipc->arena, type, schema, &ipc->root, err));
    NILAS_TRY(adapt_schema(&ipc->options, type, &adapted, err));
    return encode_schema(ipc, &adapted, err);
}

nilas_code nilas_print_ipc_new(const nilas_type *type, const struct ArrowSchema *schema,
                               const nilas_print_ipc_options *options, nilas_print_ipc **out,
                               nilas_error *err) {
    NILAS_AUTO(nilas_print_ipc) ipc = calloc(1, sizeof(*ipc));

    NILAS_REQUIRE(ipc != NULL, err, NILAS_NOMEM, "out of memory");
    ipc->options = *options;
    ipc->options.rows = options->rows > 0 ? options->rows : NILAS_PRINT_IPC_ROWS;
    ipc->options.bytes = options->bytes > 0 ? options->bytes : NILAS_PRINT_IPC_BYTES;
    NILAS_TRY(init(ipc, type, schema, err));
    *out = ipc;
    ipc = NULL;
    return NILAS_OK;
}

nilas_code nilas_print_ipc_of(nilas_result *result, const nilas_print_ipc_options *options,
                              nilas_print_ipc **out, nilas_error *err) {
    NILAS_AUTO_ARROW_SCHEMA schema = {0};

    NILAS_TRY(nilas_result_schema(result, &schema, err));
    NILAS_TRY(nilas_print_ipc_new(nilas_result_type(result), &schema, options, out, err));
    (*out)->result = result;
    return NILAS_OK;
}

void nilas_print_ipc_free(nilas_print_ipc *ipc) {
    if (ipc == NULL) {
        return;
    }
    for (size_t i = 0; i < ipc->pending_count; i++) {
        nilas_arrow_array_autorelease(&ipc->pending[i]);
    }
    nilas_buf_done(&ipc->schema);
    nilas_arena_free(ipc->arena);
    free(ipc);
}

// ---- chunks -------------------------------------------------------------------------------------

static nilas_code check_batch(const nilas_print_ipc *ipc, const struct ArrowArray *batch,
                              nilas_error *err) {
    NILAS_REQUIRE(batch->n_children == (int64_t)ipc->root.child_count, err, NILAS_ENGINE,
                  "a batch has %lld columns instead of %zu", (long long)batch->n_children,
                  ipc->root.child_count);
    return NILAS_OK;
}

/** Pull batches until they make a chunk. */
static nilas_code fill(nilas_print_ipc *ipc, nilas_error *err) {
    while (!ipc->ended && ipc->pending_count < PENDING_LIMIT &&
           ipc->pending_rows < ipc->options.rows && ipc->pending_bytes < ipc->options.bytes) {
        NILAS_AUTO_ARROW_ARRAY batch = {0};
        NILAS_TRY(nilas_result_next(ipc->result, &batch, err));
        if (batch.release == NULL) {
            ipc->ended = true;
            return NILAS_OK;
        }
        NILAS_TRY(check_batch(ipc, &batch, err));
        if (batch.length == 0) {
            continue;
        }
        struct ArrowArray *kept = &ipc->pending[ipc->pending_count];
        nilas_ipc_piece *piece = &ipc->pieces[ipc->pending_count++];
        *kept = batch;
        batch.release = NULL; // moved
        *piece = (nilas_ipc_piece){.array = kept, .count = kept->length};
        ipc->pending_rows += piece->count;
        ipc->pending_bytes += nilas_ipc__piece_bytes(&ipc->root, piece);
    }
    return NILAS_OK;
}

/** The most rows of a piece that take at most `bytes`. */
static int64_t rows_within(const nilas_print_ipc *ipc, nilas_ipc_piece piece, int64_t bytes) {
    int64_t low = 0;
    int64_t high = piece.count;

    while (low < high) {
        piece.count = low + (high - low + 1) / 2;
        if (nilas_ipc__piece_bytes(&ipc->root, &piece) <= bytes) {
            low = piece.count;
        } else {
            high = piece.count - 1;
        }
    }
    return low;
}

/** Cut the next chunk out of what waits: whole pieces and the beginning of one. */
static size_t cut_chunk(const nilas_print_ipc *ipc, nilas_ipc_piece *out, int64_t *out_rows) {
    int64_t bytes_left = ipc->options.bytes;
    int64_t rows = 0;
    size_t count = 0;

    while (count < ipc->pending_count && rows < ipc->options.rows) {
        nilas_ipc_piece piece = ipc->pieces[count];
        int64_t whole = piece.count;
        int64_t rows_left = ipc->options.rows - rows;
        piece.count = whole < rows_left ? whole : rows_left;
        int64_t fitting = rows_within(ipc, piece, bytes_left);
        piece.count = fitting == 0 && rows == 0 ? 1 : fitting;
        if (piece.count == 0) {
            break;
        }
        bytes_left -= nilas_ipc__piece_bytes(&ipc->root, &piece);
        rows += piece.count;
        out[count++] = piece;
        if (piece.count < whole) {
            break;
        }
    }
    *out_rows = rows;
    return count;
}

/** Forget what a chunk has taken. */
static void drop_chunk(nilas_print_ipc *ipc, const nilas_ipc_piece *taken, size_t count) {
    size_t gone = 0;

    for (size_t i = 0; i < count; i++) {
        nilas_ipc_piece *piece = &ipc->pieces[i];
        ipc->pending_rows -= taken[i].count;
        ipc->pending_bytes -= nilas_ipc__piece_bytes(&ipc->root, &taken[i]);
        piece->first += taken[i].count;
        piece->count -= taken[i].count;
        if (piece->count == 0) {
            ipc->pending[i].release(&ipc->pending[i]);
            gone++;
        }
    }
    ipc->pending_count -= gone;
    memmove(ipc->pending, ipc->pending + gone, ipc->pending_count * sizeof(ipc->pending[0]));
    memmove(ipc->pieces, ipc->pieces + gone, ipc->pending_count * sizeof(ipc->pieces[0]));
    for (size_t i = 0; i < ipc->pending_count; i++) {
        ipc->pieces[i].array = &ipc->pending[i];
    }
}

nilas_code nilas_print_ipc_next(nilas_print_ipc *ipc, nilas_buf *out, int64_t *out_rows,
                                nilas_error *err) {
    nilas_ipc_piece pieces[PENDING_LIMIT];
    int64_t rows;

    nilas_assert(ipc->result != NULL);
    NILAS_TRY(fill(ipc, err));
    if (ipc->pending_count == 0 && ipc->sent) {
        *out_rows = -1;
        return NILAS_OK;
    }
    size_t count = cut_chunk(ipc, pieces, &rows);
    nilas_print_ipc_add_schema(ipc, out);
    NILAS_TRY(nilas_ipc__add_batch(&ipc->root, ipc->options.large_types, pieces, count, out, err));
    nilas_print_ipc_add_end(out);
    NILAS_TRY(nilas_buf_check(out, err));
    drop_chunk(ipc, pieces, count);
    ipc->sent = true;
    *out_rows = rows;
    return NILAS_OK;
}

// ---- one stream ---------------------------------------------------------------------------------

void nilas_print_ipc_add_schema(const nilas_print_ipc *ipc, nilas_buf *out) {
    nilas_buf_add(out, nilas_buf_view(&ipc->schema));
}

nilas_code nilas_print_ipc_add_batch(nilas_print_ipc *ipc, const struct ArrowArray *batch,
                                     nilas_buf *out, nilas_error *err) {
    const nilas_ipc_piece piece = {.array = batch, .count = batch->length};

    NILAS_TRY(check_batch(ipc, batch, err));
    return nilas_ipc__add_batch(&ipc->root, ipc->options.large_types, &piece, 1, out, err);
}

void nilas_print_ipc_add_end(nilas_buf *out) {
    nilas_buf_add_bytes(out, "\xFF\xFF\xFF\xFF\0\0\0\0", 8);
}
