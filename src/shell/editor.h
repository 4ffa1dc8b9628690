/** Reading lines at a terminal: libedit when it is installed, plain lines otherwise. */
#ifndef NILAS_SHELL_EDITOR_H
#define NILAS_SHELL_EDITOR_H

#include "shell/complete.h"

typedef struct nilas_shell_editor nilas_shell_editor;

typedef enum nilas_shell_line {
    NILAS_LINE_READ,
    NILAS_LINE_CANCELLED,
    NILAS_LINE_END
} nilas_shell_line;

typedef struct nilas_shell_editor_options {
    /** Complete the text before the cursor; `before` has the statement's earlier lines. Or NULL. */
    nilas_code (*complete)(void *context, nilas_arena *arena, nilas_str text,
                           nilas_shell_completion *out, nilas_error *err);
    void *context;
} nilas_shell_editor_options;

nilas_code nilas_shell__editor_open(const nilas_shell_editor_options *options,
                                    nilas_shell_editor **out, nilas_error *err);
void nilas_shell__editor_close(nilas_shell_editor *editor);
NILAS_DEFINE_AUTO(nilas_shell_editor, nilas_shell__editor_close);

/**
 * Read a line, without its end; valid until the next call. CANCELLED after Ctrl-C, END after
 * Ctrl-D on an empty line.
 */
nilas_shell_line nilas_shell__editor_read(nilas_shell_editor *editor, const char *prompt,
                                          nilas_str *out);
/** Put a statement where the Up key finds it. */
void nilas_shell__editor_remember(nilas_shell_editor *editor, nilas_str statement);

#endif
