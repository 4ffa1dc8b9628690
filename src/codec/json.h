/**
 * JSON trees in an arena (RFC 8259, UTF-8 checked). Objects keep their members' order; numbers keep
 * their text. The whole text is copied into the arena once and the tree's strings point into that
 * copy, so parsing costs one pass and a handful of allocations. Of members with one name the last
 * counts.
 */
#ifndef NILAS_CODEC_JSON_H
#define NILAS_CODEC_JSON_H

#include "base/base.h"

typedef enum nilas_json_kind {
    NILAS_JSON_NULL = 0,
    NILAS_JSON_BOOL,
    NILAS_JSON_INT,
    NILAS_JSON_REAL,
    NILAS_JSON_STRING,
    NILAS_JSON_ARRAY,
    NILAS_JSON_OBJECT,
} nilas_json_kind;

typedef struct nilas_json nilas_json;
struct nilas_json {
    nilas_json_kind kind;
    bool boolean;
    int64_t integer;   // of an INT: a number without point and exponent that fits
    double real;       // of an INT and of a REAL
    nilas_str text;    // of a string; of a number as written; not NUL-terminated
    nilas_str *names;  // of an object's members
    nilas_json *items; // of an array, or the members' values
    size_t count;
};

/**
 * `what` names the text in errors ("table metadata \"/path\""). Errors carry line, column,
 * expected and found: NILAS_CORRUPT, or NILAS_LIMIT beyond NILAS_LIMIT_JSON_DEPTH. `text` may go
 * away after the call.
 */
nilas_code nilas_json_parse(nilas_arena *arena, nilas_str text, const char *what, nilas_json *out,
                            nilas_error *err);
/**
 * Member of an object; NULL when absent or not an object. A member that is JSON null is returned
 * as such.
 */
const nilas_json *nilas_json_find(const nilas_json *object, const char *name);

/**
 * Typed access with clear errors. `find` forms leave *out untouched and return NILAS_OK when the
 * member is absent or null.
 */
nilas_code nilas_json_get_int(const nilas_json *object, const char *name, int64_t *out,
                              nilas_error *err);
nilas_code nilas_json_get_str(const nilas_json *object, const char *name, nilas_str *out,
                              nilas_error *err);
nilas_code nilas_json_find_int(const nilas_json *object, const char *name, int64_t *out,
                               nilas_error *err);
nilas_code nilas_json_find_str(const nilas_json *object, const char *name, nilas_str *out,
                               nilas_error *err);
nilas_code nilas_json_find_bool(const nilas_json *object, const char *name, bool *out,
                                nilas_error *err);
nilas_code nilas_json_get_bool(const nilas_json *object, const char *name, bool *out,
                               nilas_error *err);
nilas_code nilas_json_get_array(const nilas_json *object, const char *name, const nilas_json **out,
                                nilas_error *err);
nilas_code nilas_json_find_array(const nilas_json *object, const char *name, const nilas_json **out,
                                 nilas_error *err);
nilas_code nilas_json_get_object(const nilas_json *object, const char *name, const nilas_json **out,
                                 nilas_error *err);
nilas_code nilas_json_find_object(const nilas_json *object, const char *name,
                                  const nilas_json **out, nilas_error *err);
/** "object", "array", "string", … for messages. */
const char *nilas_json_kind_name(nilas_json_kind kind);

/**
 * Writing: append a JSON string literal with escapes (control characters, quotes, backslash; UTF-8
 * kept).
 */
void nilas_json_print_string(nilas_buf *out, nilas_str text);
/**
 * Print a tree; `indent` 0 is compact. An INT prints `integer`; a REAL its text, or the shortest
 * one that reads back as `real` when it has none. Infinities and NaN, which JSON does not have,
 * print as null.
 */
void nilas_json_print(nilas_buf *out, const nilas_json *json, int indent);

#endif
