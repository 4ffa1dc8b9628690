/* Typed access to JSON members, and printing. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "codec/json.h"

const char *nilas_json_kind_name(nilas_json_kind kind) {
    static const char *const names[] = {
        [NILAS_JSON_NULL] = "null",     [NILAS_JSON_BOOL] = "boolean",
        [NILAS_JSON_INT] = "integer",   [NILAS_JSON_REAL] = "number",
        [NILAS_JSON_STRING] = "string", [NILAS_JSON_ARRAY] = "array",
        [NILAS_JSON_OBJECT] = "object",
    };

    nilas_assert((size_t)kind < sizeof(names) / sizeof(names[0]));
    return names[kind];
}

const nilas_json *nilas_json_find(const nilas_json *object, const char *name) {
    if (object == NULL || object->kind != NILAS_JSON_OBJECT) {
        return NULL;
    }
    for (size_t i = object->count; i > 0; i--) {
        if (nilas_str_is(object->names[i - 1], name)) {
            return &object->items[i - 1];
        }
    }
    return NULL;
}

/** The member if it has the kind; *out NULL when it is absent or null and that is allowed. */
static nilas_code find_kind(const nilas_json *object, const char *name, nilas_json_kind kind,
                            bool required, const nilas_json **out, nilas_error *err) {
    const nilas_json *member = nilas_json_find(object, name);

    NILAS_REQUIRE(object != NULL && object->kind == NILAS_JSON_OBJECT, err, NILAS_CORRUPT,
                  "member \"%s\": expected an object around it, found %s", name,
                  object != NULL ? nilas_json_kind_name(object->kind) : "nothing");
    if (member == NULL || member->kind == NILAS_JSON_NULL) {
        NILAS_REQUIRE(!required, err, NILAS_CORRUPT, "member \"%s\": expected %s, found %s", name,
                      nilas_json_kind_name(kind), member == NULL ? "no such member" : "null");
        *out = NULL;
        return NILAS_OK;
    }
    NILAS_REQUIRE(member->kind == kind, err, NILAS_CORRUPT, "member \"%s\": expected %s, found %s",
                  name, nilas_json_kind_name(kind), nilas_json_kind_name(member->kind));
    *out = member;
    return NILAS_OK;
}

nilas_code nilas_json_get_int(const nilas_json *object, const char *name, int64_t *out,
                              nilas_error *err) {
    const nilas_json *member;

    NILAS_TRY(find_kind(object, name, NILAS_JSON_INT, true, &member, err));
    *out = member->integer;
    return NILAS_OK;
}

nilas_code nilas_json_get_str(const nilas_json *object, const char *name, nilas_str *out,
                              nilas_error *err) {
    const nilas_json *member;

    NILAS_TRY(find_kind(object, name, NILAS_JSON_STRING, true, &member, err));
    *out = member->text;
    return NILAS_OK;
}

nilas_code nilas_json_get_bool(const nilas_json *object, const char *name, bool *out,
                               nilas_error *err) {
    const nilas_json *member;

    NILAS_TRY(find_kind(object, name, NILAS_JSON_BOOL, true, &member, err));
    *out = member->boolean;
    return NILAS_OK;
}

nilas_code nilas_json_find_int(const nilas_json *object, const char *name, int64_t *out,
                               nilas_error *err) {
    const nilas_json *member;

    NILAS_TRY(find_kind(object, name, NILAS_JSON_INT, false, &member, err));
    if (member != NULL) {
        *out = member->integer;
    }
    return NILAS_OK;
}

nilas_code nilas_json_find_str(const nilas_json *object, const char *name, nilas_str *out,
                               nilas_error *err) {
    const nilas_json *member;

    NILAS_TRY(find_kind(object, name, NILAS_JSON_STRING, false, &member, err));
    if (member != NULL) {
        *out = member->text;
    }
    return NILAS_OK;
}

nilas_code nilas_json_find_bool(const nilas_json *object, const char *name, bool *out,
                                nilas_error *err) {
    const nilas_json *member;

    NILAS_TRY(find_kind(object, name, NILAS_JSON_BOOL, false, &member, err));
    if (member != NULL) {
        *out = member->boolean;
    }
    return NILAS_OK;
}

nilas_code nilas_json_get_array(const nilas_json *object, const char *name, const nilas_json **out,
                                nilas_error *err) {
    return find_kind(object, name, NILAS_JSON_ARRAY, true, out, err);
}

nilas_code nilas_json_get_object(const nilas_json *object, const char *name, const nilas_json **out,
                                 nilas_error *err) {
    return find_kind(object, name, NILAS_JSON_OBJECT, true, out, err);
}

static nilas_code find_nested(const nilas_json *object, const char *name, nilas_json_kind kind,
                              const nilas_json **out, nilas_error *err) {
    const nilas_json *member;

    NILAS_TRY(find_kind(object, name, kind, false, &member, err));
    if (member != NULL) {
        *out = member;
    }
    return NILAS_OK;
}

nilas_code nilas_json_find_array(const nilas_json *object, const char *name, const nilas_json **out,
                                 nilas_error *err) {
    return find_nested(object, name, NILAS_JSON_ARRAY, out, err);
}

nilas_code nilas_json_find_object(const nilas_json *object, const char *name,
                                  const nilas_json **out, nilas_error *err) {
    return find_nested(object, name, NILAS_JSON_OBJECT, out, err);
}

// ---- printing -----------------------------------------------------------------------------------

static void print_escape(nilas_buf *out, unsigned char c) {
    static const char from[] = "\"\\\b\f\n\r\t";
    static const char to[] = "\"\\bfnrt";
    const char *found = c != '\0' ? strchr(from, c) : NULL;

    if (found != NULL) {
        nilas_buf_add_char(out, '\\');
        nilas_buf_add_char(out, to[found - from]);
    } else {
        nilas_buf_print(out, "\\u%04x", c);
    }
}

void nilas_json_print_string(nilas_buf *out, nilas_str text) {
    size_t run = 0;

    nilas_buf_add_char(out, '"');
    for (size_t i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char)text.data[i];
        if (c < ' ' || c == '"' || c == '\\') {
            nilas_buf_add_bytes(out, text.data + run, i - run);
            print_escape(out, c);
            run = i + 1;
        }
    }
    if (run < text.size) {
        nilas_buf_add_bytes(out, text.data + run, text.size - run);
    }
    nilas_buf_add_char(out, '"');
}

/** The shortest text that reads back as the same number, recognizable as a real. */
static void print_real(nilas_buf *out, double real) {
    char text[40];

    if (!isfinite(real)) {
        nilas_buf_add_text(out, "null");
        return;
    }
    for (int precision = 1; precision <= 17; precision++) {
        int size = snprintf(text, sizeof(text), "%.*g", precision, real);
        nilas_assert(size > 0 && (size_t)size < sizeof(text));
        if (strtod(text, NULL) == real) {
            break;
        }
    }
    nilas_buf_add_text(out, text);
    if (strpbrk(text, ".e") == NULL) {
        nilas_buf_add_text(out, ".0");
    }
}

static void print_line(nilas_buf *out, int indent, uint32_t depth) {
    if (indent > 0) {
        nilas_buf_add_char(out, '\n');
        for (uint32_t i = 0; i < depth * (uint32_t)indent; i++) {
            nilas_buf_add_char(out, ' ');
        }
    }
}

static void print_value(nilas_buf *out, const nilas_json *json, int indent, uint32_t depth);

static void print_members(nilas_buf *out, const nilas_json *json, int indent, uint32_t depth) {
    bool named = json->kind == NILAS_JSON_OBJECT;

    nilas_buf_add_char(out, named ? '{' : '[');
    for (size_t i = 0; i < json->count; i++) {
        if (i > 0) {
            nilas_buf_add_char(out, ',');
        }
        print_line(out, indent, depth + 1);
        if (named) {
            nilas_json_print_string(out, json->names[i]);
            nilas_buf_add_text(out, indent > 0 ? ": " : ":");
        }
        print_value(out, &json->items[i], indent, depth + 1);
    }
    if (json->count > 0) {
        print_line(out, indent, depth);
    }
    nilas_buf_add_char(out, named ? '}' : ']');
}

static void print_value(nilas_buf *out, const nilas_json *json, int indent, uint32_t depth) {
    nilas_assert(depth <= NILAS_LIMIT_JSON_DEPTH);
    switch (json->kind) {
    case NILAS_JSON_NULL: nilas_buf_add_text(out, "null"); break;
    case NILAS_JSON_BOOL: nilas_buf_add_text(out, json->boolean ? "true" : "false"); break;
    case NILAS_JSON_INT: nilas_buf_print(out, "%lld", (long long)json->integer); break;
    case NILAS_JSON_REAL:
        if (json->text.size != 0) {
            nilas_buf_add(out, json->text);
        } else {
            print_real(out, json->real);
        }
        break;
    case NILAS_JSON_STRING: nilas_json_print_string(out, json->text); break;
    case NILAS_JSON_ARRAY:
    case NILAS_JSON_OBJECT: print_members(out, json, indent, depth); break;
    }
}

void nilas_json_print(nilas_buf *out, const nilas_json *json, int indent) {
    print_value(out, json, indent, 0);
}
