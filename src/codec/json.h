/** JSON trees in an arena. Objects keep their members' order; numbers keep their text. Parsed by jansson, then copied. */
#ifndef NILAS_CODEC_JSON_H
#define NILAS_CODEC_JSON_H

#include "base/base.h"

typedef enum nilas_json_kind {
    NILAS_JSON_NULL = 0, NILAS_JSON_BOOL, NILAS_JSON_INT, NILAS_JSON_REAL, NILAS_JSON_STRING, NILAS_JSON_ARRAY, NILAS_JSON_OBJECT,
} nilas_json_kind;

typedef struct nilas_json nilas_json;
struct nilas_json {
    nilas_json_kind kind;
    bool        boolean;
    int64_t     integer;
    double      real;
    nilas_str   text;
    nilas_str  *names;    // of an object's members
    nilas_json *items;    // of an array, or the members' values
    size_t      count;
};

/** `what` names the text in errors ("table metadata \"/path\""). Errors carry line, column and reason; NILAS_CORRUPT. */
nilas_code nilas_json_parse(nilas_arena *arena, nilas_str text, const char *what, nilas_json *out, nilas_error *err);
/** Member of an object; NULL when absent or not an object. A member that is JSON null is returned as such. */
const nilas_json *nilas_json_find(const nilas_json *object, const char *name);

/** Typed access with clear errors. `find` forms leave *out untouched and return NILAS_OK when the member is absent or null. */
nilas_code nilas_json_get_int(const nilas_json *object, const char *name, int64_t *out, nilas_error *err);
nilas_code nilas_json_get_str(const nilas_json *object, const char *name, nilas_str *out, nilas_error *err);
nilas_code nilas_json_find_int(const nilas_json *object, const char *name, int64_t *out, nilas_error *err);
nilas_code nilas_json_find_str(const nilas_json *object, const char *name, nilas_str *out, nilas_error *err);
nilas_code nilas_json_find_bool(const nilas_json *object, const char *name, bool *out, nilas_error *err);
nilas_code nilas_json_get_array(const nilas_json *object, const char *name, const nilas_json **out, nilas_error *err);

/** Writing: append a JSON string literal with escapes (control characters, quotes, backslash; UTF-8 kept). */
void nilas_json_print_string(nilas_buf *out, nilas_str text);
/** Print a tree; `indent` 0 is compact. */
void nilas_json_print(nilas_buf *out, const nilas_json *json, int indent);

#endif
