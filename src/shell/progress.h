/** A bar on standard error while a statement takes long. */
#ifndef NILAS_SHELL_PROGRESS_H
#define NILAS_SHELL_PROGRESS_H

#include "base/base.h"

typedef struct nilas_shell_progress {
    bool enabled; // standard error is a terminal
    int columns;  // of it
    int64_t began_ns;
    int64_t drawn_ns; // 0: nothing is on the screen
} nilas_shell_progress;

/** A statement begins. */
void nilas_shell__progress_start(nilas_shell_progress *progress);
/**
 * nilas_session_options.progress: draw, at most ten times a second and not in the first half
 * second.
 */
void nilas_shell__progress_show(void *progress, double fraction);
/** Take the bar off the screen, before anything else is written. */
void nilas_shell__progress_clear(void *progress);
/** Append one picture of the bar: `fraction` below 0 is unknown. */
void nilas_shell__progress_print(nilas_buf *out, double fraction, double seconds, int columns);

#endif
