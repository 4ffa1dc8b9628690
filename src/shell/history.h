/**
 * Statements of earlier sessions: $XDG_STATE_HOME/nilas/history, one a line, for its owner's eyes
 * only.
 */
#ifndef NILAS_SHELL_HISTORY_H
#define NILAS_SHELL_HISTORY_H

#include "base/base.h"

/** Path of the file, its folders made; empty when there is no home. */
nilas_code nilas_shell__history_path(nilas_arena *arena, nilas_str *out, nilas_error *err);
/** The newest statements, oldest first. An absent file gives none. */
nilas_code nilas_shell__history_load(nilas_arena *arena, const char *path, nilas_str **out,
                                     size_t *out_count, nilas_error *err);
/** Append a statement. Best effort: a shell works without. */
void nilas_shell__history_append(const char *path, nilas_str statement);
/** Whether a statement may hold a credential and is therefore not kept. */
bool nilas_shell__history_is_secret(nilas_str statement);

#endif
