/*
 * An Arrow IPC stream per result, in the encapsulated message format; several statements give
 * several streams.
 */
#include "shell/print.h"

static nilas_code begin_arrow(nilas_shell_print *print, const struct ArrowSchema *schema,
                              nilas_error *err) {
    const nilas_print_ipc_options options = {.zone = print->zone};
    nilas_print_ipc *ipc;

    NILAS_TRY(nilas_print_ipc_new(print->type, schema, &options, &ipc, err));
    print->state = ipc;
    nilas_print_ipc_add_schema(ipc, &print->output->text);
    return nilas_shell__output_checkpoint(print->output, err);
}

static nilas_code print_arrow(nilas_shell_print *print, const struct ArrowArray *batch,
                              nilas_error *err) {
    NILAS_TRY(nilas_print_ipc_add_batch(print->state, batch, &print->output->text, err));
    print->row_count += batch->length;
    return nilas_shell__output_checkpoint(print->output, err);
}

static nilas_code end_arrow(nilas_shell_print *print, nilas_error *err) {
    nilas_print_ipc_add_end(&print->output->text);
    return nilas_shell__output_checkpoint(print->output, err);
}

static void done_arrow(nilas_shell_print *print) {
    nilas_print_ipc_free(print->state);
}

const nilas_shell_format_steps nilas_shell__arrow_steps = {.name = "arrow",
                                                           .begin = begin_arrow,
                                                           .batch = print_arrow,
                                                           .end = end_arrow,
                                                           .done = done_arrow};
