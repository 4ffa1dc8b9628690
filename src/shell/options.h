/** The command line of `nilas sql`, and the settings files it names. */
#ifndef NILAS_SHELL_OPTIONS_H
#define NILAS_SHELL_OPTIONS_H

#include "session/session.h"
#include "shell/print.h"

/** Text to run: of -e, or a file of -f. In the order of the command line. */
typedef struct nilas_shell_source {
    const char *file; // NULL: of -e
    nilas_str text;
} nilas_shell_source;

typedef struct nilas_shell_options {
    NILAS_ARRAY_OF(nilas_shell_source) sources;
    nilas_properties settings; // nilas.conf, --properties-file, --conf: later ones win
    const char *database;      // or NULL
    const char *remote;        // a Spark Connect server, or NULL
    nilas_shell_print_options print;
    bool has_format;
    bool keep_going; // --continue
    bool silent;
    bool help;
} nilas_shell_options;

/**
 * Read the arguments behind "nilas sql", then the files. Texts of -f are read here, so that a
 * missing file ends the program before the first statement. NILAS_INVALID for an argument that is
 * not understood.
 */
nilas_code nilas_shell__options_parse(nilas_arena *arena, int argc, char **argv,
                                      nilas_shell_options *out, nilas_error *err);

/** Text of `nilas sql --help`. */
extern const char nilas_shell__usage[];

#endif
