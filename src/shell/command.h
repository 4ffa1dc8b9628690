/** Words that are for the shell and not for the session. */
#ifndef NILAS_SHELL_COMMAND_H
#define NILAS_SHELL_COMMAND_H

#include "base/base.h"

typedef enum nilas_shell_command {
    NILAS_COMMAND_NONE,
    NILAS_COMMAND_QUIT,    // quit, exit
    NILAS_COMMAND_HELP,    // help, ?, \?
    NILAS_COMMAND_SOURCE,  // source FILE
    NILAS_COMMAND_SHELL,   // !COMMAND: refused
    NILAS_COMMAND_UNKNOWN, // \something
} nilas_shell_command;

/**
 * The command of a text, and what follows its word (a file name, quotes taken off). A semicolon at
 * the end does not count.
 */
nilas_shell_command nilas_shell__command_of(nilas_str text, nilas_str *out_argument);

/** What help prints. */
extern const char nilas_shell__help[];

#endif
