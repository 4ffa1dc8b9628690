/** The prompt. */
#ifndef NILAS_SHELL_INTERACTIVE_H
#define NILAS_SHELL_INTERACTIVE_H

#include "shell/run.h"

/** Read and run statements at the terminal until the user leaves. */
nilas_code nilas_shell__interactive(nilas_shell *shell, nilas_error *err);

#endif
