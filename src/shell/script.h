/** Text as a row of statements. */
#ifndef NILAS_SHELL_SCRIPT_H
#define NILAS_SHELL_SCRIPT_H

#include "sql/sql.h"

/** A statement and where it was written. */
typedef struct nilas_shell_statement {
    nilas_str text;   // without the semicolon, white space and comments around
    const char *file; // or NULL
    size_t line;      // of its first letter, from 1
} nilas_shell_statement;

typedef struct nilas_shell_script {
    nilas_str text;
    const char *file;
    size_t line; // where `text` begins, from 1
} nilas_shell_script;

/**
 * Take the next statement from the script's beginning; empty ones are skipped. Returns false when
 * there is none: then what is left of the text is an unfinished statement or blank.
 * @param at_end  no text follows: the rest is a statement, too
 */
bool nilas_shell__script_next(nilas_shell_script *script, bool at_end, nilas_shell_statement *out);
/** Whether there is nothing but white space, comments and semicolons. */
bool nilas_shell__is_blank(nilas_str text);
/** Bytes of white space and comments at the beginning. A hint is no comment. */
size_t nilas_shell__blank_prefix(nilas_str text);

#endif
