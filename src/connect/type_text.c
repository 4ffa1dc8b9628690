/** Types as clients write them: Spark's JSON, or DDL text. */
#include "connect/plan.h"

#include "codec/codec.h"

static nilas_code type_of_json(nilas_arena *arena, const nilas_json *json, int depth,
                               const nilas_type **out, nilas_error *err);

static nilas_code fail_json(nilas_error *err, const nilas_json *json) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    nilas_json_print(&text, json, 0);
    return nilas_fail_at(err, NILAS_INVALID, "INVALID_JSON_DATA_TYPE", -1,
                         "Failed to convert the JSON string '%.*s' to a data type. Please enter a "
                         "valid data type.",
                         NILAS_FMT(nilas_buf_view(&text)));
}

/* Names of JSON that SQL does not have. */
static nilas_code named_type(nilas_arena *arena, const nilas_json *json, const nilas_type **out,
                             nilas_error *err) {
    static const struct {
        const char *name;
        nilas_type_kind kind;
    } names[] = {{"long", NILAS_TYPE_BIGINT},      {"integer", NILAS_TYPE_INT},
                 {"short", NILAS_TYPE_SMALLINT},   {"byte", NILAS_TYPE_TINYINT},
                 {"null", NILAS_TYPE_VOID},        {"void", NILAS_TYPE_VOID},
                 {"decimal", NILAS_TYPE_DECIMAL},  {"timestamp_ltz", NILAS_TYPE_TIMESTAMP},
                 {"interval", NILAS_TYPE_INTERVAL}};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (nilas_str_is(json->text, names[i].name)) {
            *out = nilas_type_of(names[i].kind);
            return NILAS_OK;
        }
    }
    nilas_error ignored = NILAS_ERROR_INIT;
    if (nilas_sql_parse_type(arena, json->text, out, &ignored) != NILAS_OK) {
        return fail_json(err, json);
    }
    return NILAS_OK;
}

/** Spark keeps the collations of a field's texts in its metadata. */
static nilas_code check_metadata(nilas_str name, const nilas_json *metadata, nilas_error *err) {
    NILAS_REQUIRE(metadata == NULL || nilas_json_find(metadata, "__COLLATIONS") == NULL, err,
                  NILAS_UNSUPPORTED, "the field %.*s has a collation, which is not supported",
                  NILAS_FMT(name));
    return NILAS_OK;
}

static nilas_code struct_of_json(nilas_arena *arena, const nilas_json *json, int depth,
                                 const nilas_type **out, nilas_error *err) {
    const nilas_json *list = nilas_json_find(json, "fields");
    if (list == NULL || list->kind != NILAS_JSON_ARRAY) {
        return fail_json(err, json);
    }
    nilas_type_field *fields;
    NILAS_NEW_ARRAY(arena, &fields, list->count, err);
    for (size_t i = 0; i < list->count; i++) {
        const nilas_json *field = &list->items[i];
        const nilas_json *name = nilas_json_find(field, "name");
        const nilas_json *type = nilas_json_find(field, "type");
        const nilas_json *nullable = nilas_json_find(field, "nullable");
        const nilas_json *metadata = nilas_json_find(field, "metadata");
        const nilas_json *comment = metadata != NULL ? nilas_json_find(metadata, "comment") : NULL;
        if (name == NULL || name->kind != NILAS_JSON_STRING || type == NULL) {
            return fail_json(err, json);
        }
        NILAS_TRY(check_metadata(name->text, metadata, err));
        fields[i].name = name->text;
        fields[i].nullable =
            nullable == NULL || nullable->kind != NILAS_JSON_BOOL || nullable->boolean;
        NILAS_TRY(type_of_json(arena, type, depth, &fields[i].type, err));
        if (comment != NULL && comment->kind == NILAS_JSON_STRING) {
            fields[i].has_comment = true;
            fields[i].comment = comment->text;
        }
    }
    return nilas_type_struct(arena, fields, list->count, out, err);
}

static bool is_true(const nilas_json *object, const char *name) {
    const nilas_json *member = nilas_json_find(object, name);
    return member == NULL || member->kind != NILAS_JSON_BOOL || member->boolean;
}

static nilas_code type_of_json(nilas_arena *arena, const nilas_json *json, int depth,
                               const nilas_type **out, nilas_error *err) {
    NILAS_REQUIRE(depth < NILAS_LIMIT_TYPE_DEPTH, err, NILAS_LIMIT,
                  "a data type is nested deeper than %d levels", NILAS_LIMIT_TYPE_DEPTH);
    if (json->kind == NILAS_JSON_STRING) {
        return named_type(arena, json, out, err);
    }
    const nilas_json *kind = nilas_json_find(json, "type");
    if (kind == NULL || kind->kind != NILAS_JSON_STRING) {
        return fail_json(err, json);
    }
    if (nilas_str_is(kind->text, "struct")) {
        return struct_of_json(arena, json, depth + 1, out, err);
    }
    const nilas_type *inner[2];
    const nilas_json *first = nilas_json_find(json, "elementType");
    if (nilas_str_is(kind->text, "array") && first != NULL) {
        NILAS_TRY(type_of_json(arena, first, depth + 1, &inner[0], err));
        return nilas_type_array(arena, inner[0], is_true(json, "containsNull"), out, err);
    }
    first = nilas_json_find(json, "keyType");
    const nilas_json *second = nilas_json_find(json, "valueType");
    if (nilas_str_is(kind->text, "map") && first != NULL && second != NULL) {
        NILAS_TRY(type_of_json(arena, first, depth + 1, &inner[0], err));
        NILAS_TRY(type_of_json(arena, second, depth + 1, &inner[1], err));
        return nilas_type_map(arena, inner[0], inner[1], is_true(json, "valueContainsNull"), out,
                              err);
    }
    if (nilas_str_is(kind->text, "udt")) {
        return nilas_fail_at(err, NILAS_UNSUPPORTED, "UNSUPPORTED_FEATURE", -1,
                             "user-defined types: not supported by nilas.");
    }
    return fail_json(err, json);
}

nilas_code nilas_connect__type_of_text(nilas_arena *arena, nilas_str text, const nilas_type **out,
                                       nilas_error *err) {
    nilas_str trimmed = nilas_str_trim(text);
    bool is_json = trimmed.size > 0 && (trimmed.data[0] == '{' || trimmed.data[0] == '"');
    if (!is_json) {
        return nilas_sql_parse_type(arena, text, out, err);
    }
    nilas_json json;
    NILAS_TRY(nilas_json_parse(arena, trimmed, "a schema", &json, err));
    return type_of_json(arena, &json, 0, out, err);
}

void nilas_connect__print_ddl(nilas_buf *out, const nilas_type *type) {
    if (type->kind != NILAS_TYPE_STRUCT) {
        nilas_type_print_sql(out, type);
        return;
    }
    for (size_t i = 0; i < type->field_count; i++) {
        const nilas_type_field *field = &type->fields[i];
        nilas_buf_add_text(out, i > 0 ? "," : "");
        nilas_identifier_print(out, field->name);
        nilas_buf_add_char(out, ' ');
        nilas_type_print_sql(out, field->type);
        nilas_buf_add_text(out, field->nullable ? "" : " NOT NULL");
        if (field->has_comment) {
            nilas_buf_add_text(out, " COMMENT ");
            nilas_string_literal_print(out, field->comment);
        }
    }
}
