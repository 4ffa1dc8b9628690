/** Settings files: spark-defaults.conf, nilas.conf; the format is java.util.Properties'. */
#ifndef NILAS_SESSION_PROPERTIES_H
#define NILAS_SESSION_PROPERTIES_H

#include "engine/engine.h"

typedef NILAS_ARRAY_OF(nilas_property) nilas_properties;

/**
 * Append the settings of a text: "key value", "key=value" or "key: value" a line; '#' and '!'
 * begin comments, a backslash at the end continues the line, \n \t \r \f \uXXXX are escapes,
 * values are trimmed. `file` names it in errors. Keys and values live in the arena.
 */
nilas_code nilas_properties_parse(nilas_arena *arena, nilas_str text, const char *file,
                                  nilas_properties *out, nilas_error *err);
/** Append one "KEY=VALUE" of a command line. */
nilas_code nilas_properties_add(nilas_arena *arena, const char *text, nilas_properties *out,
                                nilas_error *err);
/** Read and parse a file; with `optional` an absent one is no error. */
nilas_code nilas_properties_read(nilas_arena *arena, const char *file, bool optional,
                                 nilas_properties *out, nilas_error *err);
/**
 * The user's own settings: $XDG_CONFIG_HOME/nilas/nilas.conf, or below ~/.config, if it is there.
 * Never a file of the working directory: it may be somebody else's.
 */
nilas_code nilas_properties_read_user(nilas_arena *arena, nilas_properties *out, nilas_error *err);
/** Append all of `from`. */
nilas_code nilas_properties_append(nilas_arena *arena, const nilas_properties *from,
                                   nilas_properties *out, nilas_error *err);
/** Whole content of a file, or of standard input for "-". */
nilas_code nilas_text_read(nilas_arena *arena, const char *file, nilas_str *out, nilas_error *err);

#endif
