/*
 * Avro schemas. Named types are shared by reference, so parsing is linear in the text; a type that
 * contains itself is refused, because no Iceberg schema is recursive and every walk over a schema
 * may then rely on an end.
 *
 * Spec: avro#schema-declaration, iceberg#appendix-a-avro.
 */
#include "codec/avro_private.h"

typedef struct schema_parser {
    nilas_arena *arena;
    const char *what;
    nilas_map named;       // full name -> schema; complete ones only
    nilas_map in_progress; // full names of the types around us
    bool has_ids;
    nilas_error *err;
} schema_parser;

static nilas_code parse_type(schema_parser *p, const nilas_json *json, nilas_str space,
                             uint32_t depth, nilas_avro_schema **out);

static const char *const kind_names[] = {
    [NILAS_AVRO_NULL] = "null",     [NILAS_AVRO_BOOLEAN] = "boolean",
    [NILAS_AVRO_INT] = "int",       [NILAS_AVRO_LONG] = "long",
    [NILAS_AVRO_FLOAT] = "float",   [NILAS_AVRO_DOUBLE] = "double",
    [NILAS_AVRO_BYTES] = "bytes",   [NILAS_AVRO_STRING] = "string",
    [NILAS_AVRO_FIXED] = "fixed",   [NILAS_AVRO_ENUM] = "enum",
    [NILAS_AVRO_ARRAY] = "array",   [NILAS_AVRO_MAP] = "map",
    [NILAS_AVRO_RECORD] = "record", [NILAS_AVRO_UNION] = "union",
};

const char *nilas_codec__avro_kind_name(nilas_avro_kind kind) {
    nilas_assert((size_t)kind < sizeof(kind_names) / sizeof(kind_names[0]));
    return kind_names[kind];
}

int nilas_codec__avro_null_branch(const nilas_avro_schema *schema) {
    if (schema->kind != NILAS_AVRO_UNION || schema->field_count != 2) {
        return -1;
    }
    bool first = schema->fields[0].schema->kind == NILAS_AVRO_NULL;
    bool second = schema->fields[1].schema->kind == NILAS_AVRO_NULL;
    return first == second ? -1 : first ? 0 : 1;
}

bool nilas_codec__avro_is_record_map(const nilas_avro_schema *schema) {
    if (schema->kind != NILAS_AVRO_ARRAY || !nilas_str_is(schema->logical_type, "map")) {
        return false;
    }
    const nilas_avro_schema *record = schema->fields[0].schema;
    return record->kind == NILAS_AVRO_RECORD && record->field_count == 2;
}

// ---- pieces -------------------------------------------------------------------------------------

static nilas_code new_schema(schema_parser *p, nilas_avro_kind kind, nilas_avro_schema **out) {
    NILAS_NEW(p->arena, out, p->err);
    (*out)->kind = kind;
    (*out)->name = NILAS_STR_EMPTY;
    (*out)->logical_type = NILAS_STR_EMPTY;
    (*out)->element_id = -1;
    (*out)->key_id = -1;
    (*out)->value_id = -1;
    return NILAS_OK;
}

/** A number that is not negative; absent leaves *out. */
static nilas_code find_number(schema_parser *p, const nilas_json *json, const char *name,
                              int32_t *out) {
    int64_t value = *out;

    NILAS_TRY(nilas_json_find_int(json, name, &value, p->err));
    NILAS_REQUIRE(value == *out || (value >= 0 && value <= INT32_MAX), p->err, NILAS_CORRUPT,
                  "member \"%s\": expected a number from 0 to %d, found %lld", name, INT32_MAX,
                  (long long)value);
    *out = (int32_t)value;
    return NILAS_OK;
}

static nilas_code find_id(schema_parser *p, const nilas_json *json, const char *name,
                          int32_t *out) {
    NILAS_TRY(find_number(p, json, name, out));
    p->has_ids |= *out >= 0;
    return NILAS_OK;
}

static nilas_code full_name(schema_parser *p, nilas_str space, nilas_str name, nilas_str *out) {
    if (space.size == 0 || nilas_str_find(name, NILAS_STR("."), 0) != SIZE_MAX) {
        *out = name;
        return NILAS_OK;
    }
    nilas_str parts[] = {space, name};
    return nilas_str_join(p->arena, parts, 2, NILAS_STR("."), out, p->err);
}

/** What stands before the last dot. */
static nilas_str space_of(nilas_str name) {
    size_t size = name.size;

    while (size > 0 && name.data[size - 1] != '.') {
        size--;
    }
    return nilas_str_slice(name, 0, size > 0 ? size - 1 : 0);
}

static bool find_primitive(nilas_str name, nilas_avro_kind *out) {
    for (int kind = NILAS_AVRO_NULL; kind <= NILAS_AVRO_STRING; kind++) {
        if (nilas_str_is(name, kind_names[kind])) {
            *out = (nilas_avro_kind)kind;
            return true;
        }
    }
    return false;
}

static nilas_code parse_reference(schema_parser *p, nilas_str name, nilas_str space,
                                  nilas_avro_schema **out) {
    nilas_avro_kind kind;
    nilas_str full;

    if (find_primitive(name, &kind)) {
        return new_schema(p, kind, out);
    }
    NILAS_TRY(full_name(p, space, name, &full));
    NILAS_REQUIRE(nilas_map_find(&p->in_progress, full) == NULL, p->err, NILAS_CORRUPT,
                  "type \"%.*s\" contains itself", NILAS_FMT(full));
    *out = nilas_map_find(&p->named, full);
    if (*out == NULL) {
        *out = nilas_map_find(&p->named, name);
    }
    NILAS_REQUIRE(*out != NULL, p->err, NILAS_CORRUPT, "type \"%.*s\" is not known",
                  NILAS_FMT(name));
    return NILAS_OK;
}

// ---- named types --------------------------------------------------------------------------------

static nilas_code parse_field(schema_parser *p, const nilas_json *json, nilas_str space,
                              uint32_t depth, nilas_avro_field *out) {
    const nilas_json *type = nilas_json_find(json, "type");

    out->field_id = -1;
    NILAS_TRY(nilas_json_get_str(json, "name", &out->name, p->err));
    NILAS_REQUIRE(type != NULL, p->err, NILAS_CORRUPT, "field \"%.*s\" has no type",
                  NILAS_FMT(out->name));
    NILAS_TRY(find_id(p, json, "field-id", &out->field_id));
    out->default_value = nilas_json_find(json, "default");
    nilas_code code = parse_type(p, type, space, depth + 1, &out->schema);
    if (code != NILAS_OK) {
        nilas_error_append(p->err, "in field \"%.*s\"", NILAS_FMT(out->name));
    }
    return code;
}

static nilas_code parse_record(schema_parser *p, const nilas_json *json, nilas_str space,
                               uint32_t depth, nilas_avro_schema *schema) {
    const nilas_json *fields;

    NILAS_TRY(nilas_json_get_array(json, "fields", &fields, p->err));
    NILAS_NEW_ARRAY(p->arena, &schema->fields, fields->count, p->err);
    for (size_t i = 0; i < fields->count; i++) {
        NILAS_TRY(parse_field(p, &fields->items[i], space, depth, &schema->fields[i]));
    }
    schema->field_count = fields->count;
    return NILAS_OK;
}

static nilas_code parse_enum(schema_parser *p, const nilas_json *json, nilas_avro_schema *schema) {
    const nilas_json *symbols;

    NILAS_TRY(nilas_json_get_array(json, "symbols", &symbols, p->err));
    NILAS_NEW_ARRAY(p->arena, &schema->symbols, symbols->count, p->err);
    for (size_t i = 0; i < symbols->count; i++) {
        NILAS_REQUIRE(symbols->items[i].kind == NILAS_JSON_STRING, p->err, NILAS_CORRUPT,
                      "symbol %zu of enum \"%.*s\" is no string", i, NILAS_FMT(schema->name));
        schema->symbols[i] = symbols->items[i].text;
    }
    schema->symbol_count = symbols->count;
    return NILAS_OK;
}

static nilas_code parse_fixed(schema_parser *p, const nilas_json *json, nilas_avro_schema *schema) {
    int64_t size;

    NILAS_TRY(nilas_json_get_int(json, "size", &size, p->err));
    NILAS_REQUIRE(size >= 0 && size <= NILAS_LIMIT_AVRO_BLOCK_BYTES, p->err, NILAS_CORRUPT,
                  "fixed \"%.*s\": expected a size from 0 to %lld, found %lld",
                  NILAS_FMT(schema->name), NILAS_LIMIT_AVRO_BLOCK_BYTES, (long long)size);
    schema->fixed_size = (size_t)size;
    return NILAS_OK;
}

static nilas_code parse_named(schema_parser *p, const nilas_json *json, nilas_str space,
                              uint32_t depth, nilas_avro_schema *schema) {
    nilas_str full;
    nilas_code code;

    NILAS_TRY(nilas_json_get_str(json, "name", &schema->name, p->err));
    NILAS_TRY(nilas_json_find_str(json, "namespace", &space, p->err));
    NILAS_TRY(full_name(p, space, schema->name, &full));
    NILAS_REQUIRE(nilas_map_find(&p->in_progress, full) == NULL, p->err, NILAS_CORRUPT,
                  "type \"%.*s\" contains itself", NILAS_FMT(full));
    NILAS_TRY(nilas_map_put(&p->in_progress, full, schema, p->err));
    switch (schema->kind) {
    case NILAS_AVRO_RECORD: code = parse_record(p, json, space_of(full), depth, schema); break;
    case NILAS_AVRO_ENUM: code = parse_enum(p, json, schema); break;
    default: code = parse_fixed(p, json, schema); break;
    }
    NILAS_TRY(code);
    (void)nilas_map_remove(&p->in_progress, full);
    // A name defined twice: the last one counts. Some writers repeat the same record.
    return nilas_map_put(&p->named, full, schema, p->err);
}

// ---- unnamed types ------------------------------------------------------------------------------

/** The element of an array, the value of a map. */
static nilas_code parse_only_child(schema_parser *p, const nilas_json *json, nilas_str space,
                                   uint32_t depth, nilas_avro_schema *schema) {
    const char *member = schema->kind == NILAS_AVRO_ARRAY ? "items" : "values";
    const nilas_json *child = nilas_json_find(json, member);

    NILAS_REQUIRE(child != NULL, p->err, NILAS_CORRUPT, "%s has no \"%s\"",
                  kind_names[schema->kind], member);
    NILAS_NEW_ARRAY(p->arena, &schema->fields, 1, p->err);
    schema->field_count = 1;
    schema->fields[0].name = NILAS_STR_EMPTY;
    schema->fields[0].field_id = -1;
    return parse_type(p, child, space, depth + 1, &schema->fields[0].schema);
}

static nilas_code parse_union(schema_parser *p, const nilas_json *json, nilas_str space,
                              uint32_t depth, nilas_avro_schema **out) {
    nilas_avro_schema *schema;

    NILAS_TRY(new_schema(p, NILAS_AVRO_UNION, &schema));
    NILAS_REQUIRE(json->count > 0, p->err, NILAS_CORRUPT, "a union has no branches");
    NILAS_NEW_ARRAY(p->arena, &schema->fields, json->count, p->err);
    for (size_t i = 0; i < json->count; i++) {
        schema->fields[i].name = NILAS_STR_EMPTY;
        schema->fields[i].field_id = -1;
        NILAS_TRY(parse_type(p, &json->items[i], space, depth, &schema->fields[i].schema));
        NILAS_REQUIRE(schema->fields[i].schema->kind != NILAS_AVRO_UNION, p->err, NILAS_CORRUPT,
                      "a union directly holds another");
    }
    schema->field_count = json->count;
    *out = schema;
    return NILAS_OK;
}

static bool find_complex_kind(nilas_str name, nilas_avro_kind *out) {
    static const nilas_avro_kind kinds[] = {NILAS_AVRO_RECORD, NILAS_AVRO_ENUM, NILAS_AVRO_FIXED,
                                            NILAS_AVRO_ARRAY, NILAS_AVRO_MAP};

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (nilas_str_is(name, kind_names[kinds[i]])) {
            *out = kinds[i];
            return true;
        }
    }
    if (nilas_str_is(name, "error")) {
        *out = NILAS_AVRO_RECORD;
        return true;
    }
    return false;
}

/**
 * The properties that Iceberg and Avro hang on any type. A wrong logical type is ignored by
 * readers, says Avro.
 */
static nilas_code parse_attributes(schema_parser *p, const nilas_json *json,
                                   nilas_avro_schema *schema) {
    const nilas_json *logical = nilas_json_find(json, "logicalType");

    if (logical != NULL && logical->kind == NILAS_JSON_STRING) {
        schema->logical_type = logical->text;
    }
    NILAS_TRY(nilas_json_find_bool(json, "adjust-to-utc", &schema->adjust_to_utc, p->err));
    NILAS_TRY(find_number(p, json, "precision", &schema->precision));
    NILAS_TRY(find_number(p, json, "scale", &schema->scale));
    NILAS_TRY(find_id(p, json, "element-id", &schema->element_id));
    NILAS_TRY(find_id(p, json, "key-id", &schema->key_id));
    return find_id(p, json, "value-id", &schema->value_id);
}

static nilas_code parse_complex(schema_parser *p, const nilas_json *json, nilas_avro_kind kind,
                                nilas_str space, uint32_t depth, nilas_avro_schema **out_schema) {
    nilas_avro_schema *schema;

    NILAS_TRY(new_schema(p, kind, &schema));
    NILAS_TRY(parse_attributes(p, json, schema));
    switch (kind) {
    case NILAS_AVRO_RECORD:
    case NILAS_AVRO_ENUM:
    case NILAS_AVRO_FIXED: NILAS_TRY(parse_named(p, json, space, depth, schema)); break;
    case NILAS_AVRO_ARRAY:
    case NILAS_AVRO_MAP: NILAS_TRY(parse_only_child(p, json, space, depth, schema)); break;
    default: break;
    }
    *out_schema = schema;
    return NILAS_OK;
}

static nilas_code parse_object(schema_parser *p, const nilas_json *json, nilas_str space,
                               uint32_t depth, nilas_avro_schema **out) {
    const nilas_json *type = nilas_json_find(json, "type");
    nilas_avro_kind kind;

    NILAS_REQUIRE(type != NULL, p->err, NILAS_CORRUPT, "a type object has no member \"type\"");
    if (type->kind != NILAS_JSON_STRING) {
        // {"type": {"type": "string"}} is one type wrapped in another object.
        return parse_type(p, type, space, depth + 1, out);
    }
    if (find_primitive(type->text, &kind) || find_complex_kind(type->text, &kind)) {
        return parse_complex(p, json, kind, space, depth, out);
    }
    return parse_reference(p, type->text, space, out);
}

static nilas_code parse_type(schema_parser *p, const nilas_json *json, nilas_str space,
                             uint32_t depth, nilas_avro_schema **out) {
    NILAS_REQUIRE(depth < NILAS_LIMIT_AVRO_DEPTH, p->err, NILAS_LIMIT, "types nest deeper than %d",
                  NILAS_LIMIT_AVRO_DEPTH);
    switch (json->kind) {
    case NILAS_JSON_STRING: return parse_reference(p, json->text, space, out);
    case NILAS_JSON_OBJECT: return parse_object(p, json, space, depth, out);
    case NILAS_JSON_ARRAY: return parse_union(p, json, space, depth, out);
    default:
        return nilas_fail(p->err, NILAS_CORRUPT, "expected a type, found %s",
                          nilas_json_kind_name(json->kind));
    }
}

nilas_code nilas_codec__avro_parse(nilas_arena *arena, nilas_str json, const char *what,
                                   nilas_avro_schema **out, bool *has_ids, nilas_error *err) {
    schema_parser parser = {.arena = arena, .what = what, .err = err};
    nilas_json *tree;

    NILAS_NEW(arena, &tree, err);
    NILAS_TRY(nilas_json_parse(arena, json, what, tree, err));
    nilas_map_init(&parser.named, arena, false);
    nilas_map_init(&parser.in_progress, arena, false);
    nilas_code code = parse_type(&parser, tree, NILAS_STR_EMPTY, 0, out);
    if (code != NILAS_OK) {
        nilas_error_append(err, "in the Avro schema of %s", what);
        return code;
    }
    *has_ids = parser.has_ids;
    return NILAS_OK;
}

nilas_code nilas_avro_parse_schema(nilas_arena *arena, nilas_str json, const char *what,
                                   nilas_avro_schema **out, nilas_error *err) {
    nilas_avro_schema *schema;
    bool has_ids;

    NILAS_TRY(nilas_codec__avro_parse(arena, json, what, &schema, &has_ids, err));
    *out = schema;
    return NILAS_OK;
}
