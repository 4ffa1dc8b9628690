/** The shell at work: a session, where its results go, and what has happened so far. */
#ifndef NILAS_SHELL_RUN_H
#define NILAS_SHELL_RUN_H

#include "shell/options.h"
#include "shell/progress.h"
#include "shell/script.h"

typedef struct nilas_shell {
    const nilas_shell_options *options;
    nilas_session *session;
    nilas_cancel *cancel; // requested by Ctrl-C
    nilas_shell_output output;
    nilas_shell_progress progress;
    bool interactive;
    bool error_colour; // standard error is a terminal and NO_COLOR is not set
    bool failed;       // a statement failed
    bool leaving;      // quit, or the first failure without --continue
    int source_depth;
} nilas_shell;

/** Run one statement or shell command and print its result or its error. */
void nilas_shell__run_statement(nilas_shell *shell, const nilas_shell_statement *statement);
/** Run all statements of a text, until the shell is leaving. */
void nilas_shell__run_script(nilas_shell *shell, const char *file, nilas_str text);
/** Run the statements of standard input, each as soon as its line has come. */
void nilas_shell__run_input(nilas_shell *shell);
/** Print an error of the shell itself. */
void nilas_shell__report(nilas_shell *shell, const nilas_error *err,
                         const nilas_shell_statement *statement);

#endif
