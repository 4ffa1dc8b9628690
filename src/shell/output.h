/** Where results go: a buffered file descriptor that remembers its first failure. */
#ifndef NILAS_SHELL_OUTPUT_H
#define NILAS_SHELL_OUTPUT_H

#include "base/base.h"

#define NILAS_SHELL_OUTPUT_BYTES (64 << 10) // written when there is so much

typedef struct nilas_shell_output {
    int fd;
    nilas_buf text;
    int failed; // errno of the first failed write, or 0; later text is dropped
    void (*before_write)(void *context); // or NULL: takes the progress bar off the screen
    void *before_context;
} nilas_shell_output;

void nilas_shell__output_init(nilas_shell_output *output, int fd);
void nilas_shell__output_done(nilas_shell_output *output);
/** Write what is waiting. NILAS_IO when the other end takes no more. */
nilas_code nilas_shell__output_flush(nilas_shell_output *output, nilas_error *err);
/** Write if much is waiting; reports a text that was too long to build, too. */
nilas_code nilas_shell__output_checkpoint(nilas_shell_output *output, nilas_error *err);

#endif
