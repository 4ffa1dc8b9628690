/*
 * Types: JSON and text to types and back, equality, and the shared objects of the primitives.
 *
 * Nested types recurse; NILAS_LIMIT_TYPE_DEPTH bounds that while parsing, so that everything after
 * may recurse freely.
 */
#include "iceberg/type.h"

#include <stdio.h>

#include "iceberg/parse.h"

static const struct {
    const char *name;
    nilas_ice_type type;
} primitives[] = {
    {"boolean", {.kind = NILAS_ICE_BOOLEAN}},
    {"int", {.kind = NILAS_ICE_INT}},
    {"long", {.kind = NILAS_ICE_LONG}},
    {"float", {.kind = NILAS_ICE_FLOAT}},
    {"double", {.kind = NILAS_ICE_DOUBLE}},
    {"date", {.kind = NILAS_ICE_DATE}},
    {"time", {.kind = NILAS_ICE_TIME}},
    {"timestamp", {.kind = NILAS_ICE_TIMESTAMP}},
    {"timestamptz", {.kind = NILAS_ICE_TIMESTAMPTZ}},
    {"timestamp_ns", {.kind = NILAS_ICE_TIMESTAMP_NS}},
    {"timestamptz_ns", {.kind = NILAS_ICE_TIMESTAMPTZ_NS}},
    {"string", {.kind = NILAS_ICE_STRING}},
    {"uuid", {.kind = NILAS_ICE_UUID}},
    {"binary", {.kind = NILAS_ICE_BINARY}},
    {"unknown", {.kind = NILAS_ICE_UNKNOWN}},
    {"variant", {.kind = NILAS_ICE_VARIANT}},
    {"geometry", {.kind = NILAS_ICE_GEOMETRY}},
    {"geography", {.kind = NILAS_ICE_GEOGRAPHY}},
};
#define PRIMITIVE_COUNT (sizeof(primitives) / sizeof(primitives[0]))

static nilas_code parse_type(nilas_arena *arena, const nilas_json *json, int depth,
                             const nilas_ice_type **out, nilas_error *err);
static nilas_code parse_text(nilas_arena *arena, nilas_str text, const nilas_ice_type **out,
                             nilas_error *err);

nilas_code nilas_ice_type_parse(nilas_arena *arena, const nilas_json *json,
                                const nilas_ice_type **out, nilas_error *err) {
    return parse_type(arena, json, 0, out, err);
}

nilas_code nilas_iceberg__parse_struct(nilas_arena *arena, const nilas_json *json,
                                       nilas_ice_type *out, nilas_error *err) {
    const nilas_ice_type *type;

    NILAS_TRY(parse_type(arena, json, 0, &type, err));
    NILAS_REQUIRE(type->kind == NILAS_ICE_STRUCT, err, NILAS_CORRUPT,
                  "a schema must be a struct, found type kind %d", (int)type->kind);
    *out = *type;
    return NILAS_OK;
}

static nilas_code parse_default(nilas_arena *arena, const nilas_json *json, const char *name,
                                const nilas_ice_type *type, const nilas_value **out,
                                nilas_error *err) {
    const nilas_json *found = nilas_json_find(json, name);
    nilas_value *value;

    if (found == NULL || found->kind == NILAS_JSON_NULL) {
        return NILAS_OK;
    }
    NILAS_NEW(arena, &value, err);
    NILAS_TRY(nilas_ice_value_parse(arena, type, found, value, err));
    *out = value;
    return NILAS_OK;
}

static nilas_code parse_field(nilas_arena *arena, const nilas_json *json, int depth,
                              nilas_ice_field *out, nilas_error *err) {
    const nilas_json *type = nilas_json_find(json, "type");
    bool required = false;

    NILAS_TRY(nilas_iceberg__get_int32(json, "id", &out->id, err));
    NILAS_TRY(nilas_json_get_str(json, "name", &out->name, err));
    NILAS_TRY(nilas_json_find_bool(json, "required", &required, err));
    NILAS_REQUIRE(type != NULL, err, NILAS_CORRUPT, "field %d \"%.*s\" has no \"type\"", out->id,
                  NILAS_FMT(out->name));
    out->required = required;
    NILAS_TRY(parse_type(arena, type, depth, &out->type, err));

    const nilas_json *doc = nilas_json_find(json, "doc");
    out->doc = NILAS_STR_EMPTY;
    if (doc != NULL && doc->kind == NILAS_JSON_STRING) {
        out->doc = doc->text;
        out->has_doc = true;
    }
    NILAS_TRY(parse_default(arena, json, "initial-default", out->type, &out->initial_default, err));
    NILAS_TRY(parse_default(arena, json, "write-default", out->type, &out->write_default, err));
    return NILAS_OK;
}

static nilas_code parse_fields(nilas_arena *arena, const nilas_json *json, int depth,
                               nilas_ice_type *type, nilas_error *err) {
    const nilas_json *fields;

    NILAS_TRY(nilas_json_get_array(json, "fields", &fields, err));
    type->field_count = fields->count;
    NILAS_NEW_ARRAY(arena, &type->fields, fields->count, err);
    for (size_t i = 0; i < fields->count; i++) {
        NILAS_TRY(parse_field(arena, &fields->items[i], depth, &type->fields[i], err));
    }
    return NILAS_OK;
}

/** One inner field of a list or map: "element-id", "element", "element-required" and the like. */
static nilas_code parse_inner(nilas_arena *arena, const nilas_json *json, int depth,
                              const char *name, nilas_ice_field *out, nilas_error *err) {
    char key[32];
    const nilas_json *type = nilas_json_find(json, name);
    bool required = false;

    NILAS_REQUIRE(type != NULL, err, NILAS_CORRUPT, "a list or map type has no \"%s\"", name);
    snprintf(key, sizeof(key), "%s-id", name);
    NILAS_TRY(nilas_iceberg__get_int32(json, key, &out->id, err));
    snprintf(key, sizeof(key), "%s-required", name);
    NILAS_TRY(nilas_json_find_bool(json, key, &required, err));
    out->name = nilas_str_of(name);
    out->doc = NILAS_STR_EMPTY;
    out->required = required;
    return parse_type(arena, type, depth, &out->type, err);
}

static nilas_code parse_nested(nilas_arena *arena, const nilas_json *json, nilas_str kind,
                               int depth, nilas_ice_type *type, nilas_error *err) {
    if (nilas_str_is(kind, "struct")) {
        type->kind = NILAS_ICE_STRUCT;
        return parse_fields(arena, json, depth, type, err);
    }
    if (nilas_str_is(kind, "list")) {
        type->kind = NILAS_ICE_LIST;
        type->field_count = 1;
        NILAS_NEW_ARRAY(arena, &type->fields, 1, err);
        return parse_inner(arena, json, depth, "element", &type->fields[0], err);
    }
    NILAS_REQUIRE(nilas_str_is(kind, "map"), err, NILAS_CORRUPT,
                  "expected a type \"struct\", \"list\" or \"map\", found \"%.*s\"",
                  NILAS_FMT(kind));
    type->kind = NILAS_ICE_MAP;
    type->field_count = 2;
    NILAS_NEW_ARRAY(arena, &type->fields, 2, err);
    NILAS_TRY(parse_inner(arena, json, depth, "key", &type->fields[0], err));
    type->fields[0].required = true;
    return parse_inner(arena, json, depth, "value", &type->fields[1], err);
}

static nilas_code parse_type(nilas_arena *arena, const nilas_json *json, int depth,
                             const nilas_ice_type **out, nilas_error *err) {
    nilas_ice_type *type;
    nilas_str kind;

    NILAS_REQUIRE(depth < NILAS_LIMIT_TYPE_DEPTH, err, NILAS_LIMIT, "types nest deeper than %d",
                  NILAS_LIMIT_TYPE_DEPTH);
    if (json->kind == NILAS_JSON_STRING) {
        return parse_text(arena, json->text, out, err);
    }
    NILAS_REQUIRE(json->kind == NILAS_JSON_OBJECT, err, NILAS_CORRUPT,
                  "Cannot parse type from json: neither text nor object");
    NILAS_TRY(nilas_json_get_str(json, "type", &kind, err));
    NILAS_NEW(arena, &type, err);
    NILAS_TRY(parse_nested(arena, json, kind, depth + 1, type, err));
    *out = type;
    return NILAS_OK;
}

/** The text between `open` and the closing bracket that must end the whole, trimmed; false when
 *  it has another shape. */
static bool bracketed(nilas_str text, size_t name_size, char open, char close, nilas_str *out) {
    nilas_str rest = nilas_str_trim(nilas_str_slice(text, name_size, SIZE_MAX));

    if (rest.size < 2 || rest.data[0] != open || rest.data[rest.size - 1] != close) {
        return false;
    }
    *out = nilas_str_trim(nilas_str_slice(rest, 1, rest.size - 2));
    return true;
}

static bool parse_decimal(nilas_str inside, nilas_ice_type *type) {
    size_t comma = nilas_str_find(inside, NILAS_STR(","), 0);
    int64_t precision;
    int64_t scale;

    if (comma == SIZE_MAX ||
        !nilas_str_to_int64(nilas_str_trim(nilas_str_slice(inside, 0, comma)), &precision) ||
        !nilas_str_to_int64(nilas_str_trim(nilas_str_slice(inside, comma + 1, SIZE_MAX)), &scale) ||
        precision < 1 || precision > 38 || scale < 0 || scale > precision) {
        return false;
    }
    type->kind = NILAS_ICE_DECIMAL;
    type->precision = (int32_t)precision;
    type->scale = (int32_t)scale;
    return true;
}

static bool parse_fixed(nilas_str inside, nilas_ice_type *type) {
    int64_t length;

    if (!nilas_str_to_int64(inside, &length) || length < 0 || length > INT32_MAX) {
        return false;
    }
    type->kind = NILAS_ICE_FIXED;
    type->length = (int32_t)length;
    return true;
}

/** A type with something in brackets; false when it is none that we know. */
static bool parse_parametric(nilas_str text, nilas_ice_type *type) {
    nilas_str inside;

    if (nilas_str_starts_nocase(text, NILAS_STR("decimal")) &&
        bracketed(text, 7, '(', ')', &inside)) {
        return parse_decimal(inside, type);
    }
    if (nilas_str_starts_nocase(text, NILAS_STR("fixed")) &&
        bracketed(text, 5, '[', ']', &inside)) {
        return parse_fixed(inside, type);
    }
    if (nilas_str_starts_nocase(text, NILAS_STR("geometry")) &&
        bracketed(text, 8, '(', ')', &inside)) {
        type->kind = NILAS_ICE_GEOMETRY;
        type->parameters = inside;
        return true;
    }
    if (nilas_str_starts_nocase(text, NILAS_STR("geography")) &&
        bracketed(text, 9, '(', ')', &inside)) {
        type->kind = NILAS_ICE_GEOGRAPHY;
        type->parameters = inside;
        return true;
    }
    return false;
}

static nilas_code parse_text(nilas_arena *arena, nilas_str text, const nilas_ice_type **out,
                             nilas_error *err) {
    nilas_ice_type *type;

    for (size_t i = 0; i < PRIMITIVE_COUNT; i++) {
        if (nilas_str_is_nocase(text, primitives[i].name)) {
            *out = &primitives[i].type;
            return NILAS_OK;
        }
    }
    NILAS_NEW(arena, &type, err);
    NILAS_REQUIRE(parse_parametric(text, type), err, NILAS_UNSUPPORTED,
                  "Cannot parse type string to primitive: %.*s", NILAS_FMT(text));
    *out = type;
    return NILAS_OK;
}

const nilas_ice_type *nilas_ice_primitive(nilas_ice_kind kind) {
    for (size_t i = 0; i < PRIMITIVE_COUNT; i++) {
        if (primitives[i].type.kind == kind) {
            return &primitives[i].type;
        }
    }
    nilas_assert_failed("a primitive without parameters", __FILE__, __LINE__);
}

static void print_struct(nilas_buf *out, const nilas_ice_type *type) {
    nilas_buf_add_text(out, "struct<");
    for (size_t i = 0; i < type->field_count; i++) {
        const nilas_ice_field *field = &type->fields[i];
        nilas_buf_print(out, "%s%d: ", i > 0 ? ", " : "", field->id);
        nilas_buf_add(out, field->name);
        nilas_buf_add_text(out, field->required ? ": required " : ": optional ");
        nilas_ice_type_print(out, field->type);
        if (field->has_doc) {
            nilas_buf_add_text(out, " (");
            nilas_buf_add(out, field->doc);
            nilas_buf_add_text(out, ")");
        }
    }
    nilas_buf_add_text(out, ">");
}

static void print_primitive(nilas_buf *out, const nilas_ice_type *type) {
    for (size_t i = 0; i < PRIMITIVE_COUNT; i++) {
        if (primitives[i].type.kind == type->kind) {
            nilas_buf_add_text(out, primitives[i].name);
        }
    }
    if (type->parameters.size > 0) {
        nilas_buf_add_text(out, "(");
        nilas_buf_add(out, type->parameters);
        nilas_buf_add_text(out, ")");
    }
}

void nilas_ice_type_print(nilas_buf *out, const nilas_ice_type *type) {
    switch (type->kind) {
    case NILAS_ICE_DECIMAL:
        nilas_buf_print(out, "decimal(%d, %d)", type->precision, type->scale);
        break;
    case NILAS_ICE_FIXED: nilas_buf_print(out, "fixed[%d]", type->length); break;
    case NILAS_ICE_STRUCT: print_struct(out, type); break;
    case NILAS_ICE_LIST:
        nilas_buf_add_text(out, "list<");
        nilas_ice_type_print(out, type->fields[0].type);
        nilas_buf_add_text(out, ">");
        break;
    case NILAS_ICE_MAP:
        nilas_buf_add_text(out, "map<");
        nilas_ice_type_print(out, type->fields[0].type);
        nilas_buf_add_text(out, ", ");
        nilas_ice_type_print(out, type->fields[1].type);
        nilas_buf_add_text(out, ">");
        break;
    default: print_primitive(out, type); break;
    }
}

bool nilas_ice_type_equal(const nilas_ice_type *a, const nilas_ice_type *b) {
    if (a == b) {
        return true;
    }
    if (a->kind != b->kind || a->precision != b->precision || a->scale != b->scale ||
        a->length != b->length || a->field_count != b->field_count ||
        !nilas_str_equal(a->parameters, b->parameters)) {
        return false;
    }
    for (size_t i = 0; i < a->field_count; i++) {
        const nilas_ice_field *x = &a->fields[i];
        const nilas_ice_field *y = &b->fields[i];
        if (x->id != y->id || x->required != y->required || !nilas_str_equal(x->name, y->name) ||
            !nilas_ice_type_equal(x->type, y->type)) {
            return false;
        }
    }
    return true;
}

bool nilas_ice_can_promote(const nilas_ice_type *from, const nilas_ice_type *to) {
    if (nilas_ice_type_equal(from, to)) {
        return true;
    }
    if (from->kind == NILAS_ICE_INT) {
        return to->kind == NILAS_ICE_LONG;
    }
    if (from->kind == NILAS_ICE_FLOAT) {
        return to->kind == NILAS_ICE_DOUBLE;
    }
    return from->kind == NILAS_ICE_DECIMAL && to->kind == NILAS_ICE_DECIMAL &&
           from->scale == to->scale && from->precision <= to->precision;
}
