/** Completion of the word before the cursor. */
#ifndef NILAS_SHELL_COMPLETE_H
#define NILAS_SHELL_COMPLETE_H

#include "session/session.h"

typedef struct nilas_shell_completion {
    size_t replaced_bytes; // before the cursor
    nilas_str text;        // what takes their place
    nilas_str *choices;    // sorted; more than one: `text` is what they have in common
    size_t choice_count;
} nilas_shell_completion;

/**
 * Complete the last word of `text`, which ends at the cursor: keywords, names of the session below
 * the word's dots, and columns of the tables that the statement names behind FROM, JOIN, INTO,
 * UPDATE or TABLE.
 */
nilas_code nilas_shell__complete(nilas_arena *arena, nilas_session *session, nilas_str text,
                                 nilas_shell_completion *out, nilas_error *err);
/** Start of the word that ends the text: letters, digits, '_', '.', and all between back quotes. */
size_t nilas_shell__word_start(nilas_str text);

#endif
