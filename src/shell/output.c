/*
 * Buffered output. Standard output may be a pipe, a full disk or a closed terminal; a failed write
 * ends the statement.
 */
#include "shell/output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define CELL_BYTES                                                                                 \
    (2ULL << 30) // the longest line: what a batch of the engine can hold, and as much again

void nilas_shell__output_init(nilas_shell_output *output, int fd) {
    *output = (nilas_shell_output){.fd = fd, .text = NILAS_BUF_INIT(CELL_BYTES)};
}

void nilas_shell__output_done(nilas_shell_output *output) {
    nilas_buf_done(&output->text);
}

nilas_code nilas_shell__output_flush(nilas_shell_output *output, nilas_error *err) {
    NILAS_TRY(nilas_buf_check(&output->text, err));

    nilas_str left = nilas_buf_view(&output->text);
    if (left.size > 0 && output->before_write != NULL) {
        output->before_write(output->before_context);
    }
    while (left.size > 0 && output->failed == 0) {
        ssize_t written = write(output->fd, left.data, left.size);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            output->failed = errno;
            break;
        }
        left = nilas_str_slice(left, (size_t)written, left.size);
    }
    nilas_buf_clear(&output->text);
    if (output->failed != 0) {
        char why[128];
        return nilas_fail(err, NILAS_IO, "cannot write the result: %s",
                          strerror_r(output->failed, why, sizeof(why)));
    }
    return NILAS_OK;
}

nilas_code nilas_shell__output_checkpoint(nilas_shell_output *output, nilas_error *err) {
    if (output->text.size < NILAS_SHELL_OUTPUT_BYTES && output->text.failed == NILAS_OK) {
        return NILAS_OK;
    }
    return nilas_shell__output_flush(output, err);
}
