/*
 * An Arrow IPC stream per result, in the encapsulated message format; several statements give
 * several streams.
 */
#include <errno.h>

#include <nanoarrow/nanoarrow_ipc.h>

#include "shell/print.h"

typedef struct stream {
    struct ArrowIpcWriter writer; // zeroed: not there
    struct ArrowArrayView view;
} stream;

static nilas_code refuse(const struct ArrowError *why, const char *what, nilas_error *err) {
    return nilas_fail(err, NILAS_UNSUPPORTED, "--format arrow: cannot write the %s: %s", what,
                      ArrowErrorMessage((struct ArrowError *)why));
}

/** ArrowIpcOutputStream's write: into our buffered output. */
static ArrowErrorCode write_bytes(struct ArrowIpcOutputStream *output, const void *data,
                                  int64_t size, int64_t *out_written, struct ArrowError *why) {
    nilas_shell_print *print = output->private_data;
    nilas_error err = NILAS_ERROR_INIT;

    nilas_buf_add_bytes(&print->output->text, data, (size_t)size);
    if (nilas_shell__output_checkpoint(print->output, &err) != NILAS_OK) {
        ArrowErrorSet(why, "%s", err.message);
        return EIO;
    }
    *out_written = size;
    return NANOARROW_OK;
}

static void release_output(struct ArrowIpcOutputStream *output) {
    output->release = NULL;
}

static nilas_code begin_arrow(nilas_shell_print *print, const struct ArrowSchema *schema,
                              nilas_error *err) {
    struct ArrowIpcOutputStream output = {
        .write = write_bytes, .release = release_output, .private_data = print};
    struct ArrowError why = {0};
    stream *state;

    NILAS_NEW(print->arena, &state, err);
    print->state = state;
    if (ArrowIpcWriterInit(&state->writer, &output) != NANOARROW_OK) {
        state->writer.private_data = NULL;
        return nilas_fail(err, NILAS_NOMEM, "out of memory for the Arrow stream");
    }
    if (ArrowIpcWriterWriteSchema(&state->writer, schema, &why) != NANOARROW_OK) {
        return refuse(&why, "schema", err);
    }
    if (ArrowArrayViewInitFromSchema(&state->view, schema, &why) != NANOARROW_OK) {
        return refuse(&why, "schema", err);
    }
    return NILAS_OK;
}

static nilas_code print_arrow(nilas_shell_print *print, const struct ArrowArray *batch,
                              nilas_error *err) {
    stream *state = print->state;
    struct ArrowError why = {0};

    if (ArrowArrayViewSetArray(&state->view, batch, &why) != NANOARROW_OK ||
        ArrowIpcWriterWriteArrayView(&state->writer, &state->view, &why) != NANOARROW_OK) {
        return refuse(&why, "rows", err);
    }
    print->row_count += batch->length;
    return NILAS_OK;
}

static nilas_code end_arrow(nilas_shell_print *print, nilas_error *err) {
    stream *state = print->state;
    struct ArrowError why = {0};

    if (ArrowIpcWriterWriteArrayView(&state->writer, NULL, &why) != NANOARROW_OK) {
        return refuse(&why, "end of the stream", err);
    }
    return NILAS_OK;
}

static void done_arrow(nilas_shell_print *print) {
    stream *state = print->state;

    if (state == NULL) {
        return;
    }
    if (state->writer.private_data != NULL) {
        ArrowIpcWriterReset(&state->writer);
    }
    ArrowArrayViewReset(&state->view);
}

const nilas_shell_format_steps nilas_shell__arrow_steps = {.name = "arrow",
                                                           .begin = begin_arrow,
                                                           .batch = print_arrow,
                                                           .end = end_arrow,
                                                           .done = done_arrow};
