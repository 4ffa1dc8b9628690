/** Settings files: spark-defaults.conf, nilas.conf; the format is java.util.Properties'. */
#ifndef NILAS_SHELL_PROPERTIES_H
#define NILAS_SHELL_PROPERTIES_H

#include "session/session.h"

typedef NILAS_ARRAY_OF(nilas_property) nilas_shell_properties;

/**
 * Append the settings of a text: "key value", "key=value" or "key: value" a line; '#' and '!'
 * begin comments, a backslash at the end continues the line, \n \t \r \f \uXXXX are escapes,
 * values are trimmed. `file` names it in errors. Keys and values live in the arena.
 */
nilas_code nilas_shell__properties_parse(nilas_arena *arena, nilas_str text, const char *file,
                                         nilas_shell_properties *out, nilas_error *err);
/** Read and parse a file; with `optional` an absent one is no error. */
nilas_code nilas_shell__properties_read(nilas_arena *arena, const char *file, bool optional,
                                        nilas_shell_properties *out, nilas_error *err);
/** Whole content of a file, or of standard input for "-". */
nilas_code nilas_shell__file_read(nilas_arena *arena, const char *file, nilas_str *out,
                                  nilas_error *err);

#endif
