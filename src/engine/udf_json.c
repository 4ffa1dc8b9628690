/** Functions over JSON text and variants (which are JSON text), and over CSV lines. */
#include "engine/json_text.h"

/** Parse argument i. False: it is not JSON. */
static bool parse(nilas_row *row, size_t i, nilas_json *out) {
    nilas_error err = NILAS_ERROR_INIT;
    return nilas_json_parse(row->scratch, nilas_row__text(row, i), "JSON", out, &err) == NILAS_OK;
}

/** A string is its text; everything else is printed; null is null. */
static void set_unquoted(nilas_row *row, const nilas_json *json) {
    if (json == NULL || json->kind == NILAS_JSON_NULL) {
        nilas_row__set_null(row);
    } else if (json->kind == NILAS_JSON_STRING) {
        nilas_row__set_text(row, json->text);
    } else {
        nilas_json_print(row->text, json, 0);
        nilas_row__set_buffer(row);
    }
}

static void to_json(nilas_row *row) {
    const nilas_cell *cell = nilas_row__cell(row, 0);
    if (cell != NULL) {
        nilas_engine__print_json(row, cell, row->at);
        nilas_row__set_buffer(row);
    }
}

static void get_json_object(nilas_row *row) {
    nilas_json json;
    set_unquoted(row, parse(row, 0, &json)
                          ? nilas_engine__follow_path(row->scratch, &json, nilas_row__text(row, 1))
                          : NULL);
}

/** json_tuple: a member of the top object. */
static void json_field(nilas_row *row) {
    nilas_json json;
    const nilas_json *found = NULL;
    if (parse(row, 0, &json) && json.kind == NILAS_JSON_OBJECT) {
        for (size_t i = 0; i < json.count; i++) {
            found =
                nilas_str_equal(json.names[i], nilas_row__text(row, 1)) ? &json.items[i] : found;
        }
    }
    set_unquoted(row, found);
}

static void json_array_length(nilas_row *row) {
    nilas_json json;
    if (parse(row, 0, &json) && json.kind == NILAS_JSON_ARRAY) {
        nilas_row__set_int(row, (int32_t)json.count);
    } else {
        nilas_row__set_null(row);
    }
}

static void json_object_keys(nilas_row *row) {
    nilas_json json;
    if (parse(row, 0, &json) && json.kind == NILAS_JSON_OBJECT) {
        nilas_row__set_texts(row, json.names, json.count);
    } else {
        nilas_row__set_null(row);
    }
}

/** extra: 1 is a variant's */
static void schema_of_json(nilas_row *row) {
    nilas_json json;
    if (!parse(row, 0, &json)) {
        nilas_row__set_null(row);
        return;
    }
    nilas_engine__print_json_schema(row->text, row->scratch, &json, row->udf->extra != 0);
    nilas_row__set_buffer(row);
}

static void schema_of_variants(nilas_row *row) {
    nilas_str *texts;
    size_t count;
    nilas_error err = NILAS_ERROR_INIT;
    void *memory = NULL;
    if (!nilas_row__texts(row, 0, &texts, &count)) {
        return;
    }
    if (nilas_arena_alloc_array(row->scratch, count, sizeof(nilas_json), &memory, &err) !=
        NILAS_OK) {
        nilas_row__fail_with(row, &err);
        return;
    }
    nilas_json *values = memory;
    for (size_t i = 0; i < count; i++) {
        if (nilas_json_parse(row->scratch, texts[i], "variant", &values[i], &err) != NILAS_OK) {
            nilas_row__fail_with(row, &err);
            return;
        }
    }
    nilas_engine__print_variants_schema(row->text, row->scratch, values, count);
    nilas_row__set_buffer(row);
}

/** Text that from_json can read: bad JSON becomes {}, as PERMISSIVE gives nulls. */
static void normalize_json(nilas_row *row) {
    nilas_json json;
    bool wants_list = nilas_str_starts(nilas_row__text(row, 1), NILAS_STR("array"));
    if (!parse(row, 0, &json)) {
        nilas_row__set_text(row, wants_list ? NILAS_STR("null") : NILAS_STR("{}"));
        return;
    }
    nilas_row__set_text(row, nilas_row__text(row, 0));
}

/* --- variants --- */

static void parse_json(nilas_row *row) {
    nilas_json json;
    if (!parse(row, 0, &json)) {
        nilas_row__fail(row, "MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION",
                        "Malformed records are detected in record parsing: %.*s. Parse Mode: "
                        "FAILFAST. To process malformed records as null "
                        "result, try setting the option 'mode' as 'PERMISSIVE'.",
                        NILAS_FMT(nilas_row__text(row, 0)));
        return;
    }
    nilas_json_print(row->text, &json, 0);
    nilas_row__set_buffer(row);
}

static void variant_get(nilas_row *row) {
    nilas_json json;
    const nilas_json *found =
        parse(row, 0, &json)
            ? nilas_engine__follow_path(row->scratch, &json, nilas_row__text(row, 1))
            : NULL;
    if (found == NULL) {
        nilas_row__set_null(row);
        return;
    }
    nilas_json_print(row->text, found, 0);
    nilas_row__set_buffer(row);
}

static void variant_to_string(nilas_row *row) {
    nilas_json json;
    set_unquoted(row, parse(row, 0, &json) ? &json : NULL);
}

static void string_to_variant(nilas_row *row) {
    nilas_json_print_string(row->text, nilas_row__text(row, 0));
    nilas_row__set_buffer(row);
}

/** A JSON list of {pos, key, value} for each member or element; value is JSON text. */
static void variant_explode(nilas_row *row) {
    nilas_json json;
    bool good =
        parse(row, 0, &json) && (json.kind == NILAS_JSON_OBJECT || json.kind == NILAS_JSON_ARRAY);
    nilas_buf_add_char(row->text, '[');
    for (size_t i = 0; good && i < json.count; i++) {
        NILAS_AUTO_BUF value = {0};
        nilas_json_print(&value, &json.items[i], 0);
        nilas_buf_print(row->text, "%s{\"pos\":%zu,\"key\":", i > 0 ? "," : "", i);
        if (json.kind == NILAS_JSON_OBJECT) {
            nilas_json_print_string(row->text, json.names[i]);
        } else {
            nilas_buf_add_text(row->text, "null");
        }
        nilas_buf_add_text(row->text, ",\"value\":");
        nilas_json_print_string(row->text, nilas_buf_view(&value));
        nilas_buf_add_char(row->text, '}');
    }
    nilas_buf_add_char(row->text, ']');
    nilas_row__set_buffer(row);
}

/* --- CSV --- */

static void add_csv_text(nilas_buf *out, nilas_str text) {
    bool quotes = text.size == 0;
    for (size_t i = 0; i < text.size; i++) {
        quotes = quotes || text.data[i] == ',' || text.data[i] == '"' || text.data[i] == '\n';
    }
    nilas_buf_add_text(out, quotes ? "\"" : "");
    for (size_t i = 0; i < text.size; i++) {
        bool escaped = text.data[i] == '"' || (quotes && text.data[i] == '\\');
        nilas_buf_add_text(out, escaped ? "\\" : "");
        nilas_buf_add_char(out, text.data[i]);
    }
    nilas_buf_add_text(out, quotes ? "\"" : "");
}

/** As in JSON, without the quotes around times. */
static void add_csv_value(nilas_row *row, const nilas_cell *member) {
    size_t before = row->text->size;
    nilas_engine__print_json(row, member, row->at);
    if (row->text->size > before + 1 && row->text->data[before] == '"') {
        memmove(row->text->data + before, row->text->data + before + 1,
                row->text->size - before - 2);
        nilas_buf_truncate(row->text, row->text->size - 2);
    }
}

static void to_csv(nilas_row *row) {
    const nilas_cell *cell = nilas_row__cell(row, 0);
    for (size_t i = 0; cell != NULL && i < cell->count; i++) {
        const nilas_cell *member = &cell->children[i];
        nilas_buf_add_text(row->text, i > 0 ? "," : "");
        if (nilas_cell__is_null(member, row->at)) {
            continue;
        }
        if (member->type == DUCKDB_TYPE_VARCHAR) {
            add_csv_text(row->text, nilas_cell__text(member, row->at));
        } else {
            add_csv_value(row, member);
        }
    }
    nilas_row__set_buffer(row);
}

/** The next field of a CSV line from *at; false at the end. */
static bool next_field(nilas_str line, size_t *at, nilas_buf *out) {
    if (*at > line.size) {
        return false;
    }
    size_t i = *at;
    bool quoted = i < line.size && line.data[i] == '"';
    i += quoted;
    while (i < line.size && (quoted || line.data[i] != ',')) {
        if (quoted && line.data[i] == '\\' && i + 1 < line.size) {
            i++;
        } else if (quoted && line.data[i] == '"') {
            quoted = false;
            i++;
            continue;
        }
        nilas_buf_add_char(out, line.data[i++]);
    }
    *at = i + 1;
    return true;
}

/** Names of a struct's members in "struct<a:int,b:string>", one after the other. */
static bool next_name(nilas_str schema, size_t *at, nilas_str *out) {
    int depth = 0;
    size_t colon = nilas_str_find(schema, NILAS_STR(":"), *at);
    if (colon == SIZE_MAX) {
        return false;
    }
    *out = nilas_str_slice(schema, *at, colon - *at);
    size_t i = colon;
    while (i < schema.size && (depth > 0 || (schema.data[i] != ',' && schema.data[i] != '>'))) {
        depth += schema.data[i] == '<' || schema.data[i] == '(';
        depth -= schema.data[i] == '>' || schema.data[i] == ')';
        i++;
    }
    *at = i + 1;
    return true;
}

static void csv_to_json(nilas_row *row) {
    nilas_str line = nilas_row__text(row, 0), schema = nilas_row__text(row, 1), name;
    size_t at = 0, in_schema = strlen("struct<");
    bool first = true;
    nilas_buf_add_char(row->text, '{');
    while (next_name(schema, &in_schema, &name)) {
        NILAS_AUTO_BUF field = {0};
        nilas_buf_add_text(row->text, first ? "" : ",");
        nilas_json_print_string(row->text, name);
        nilas_buf_add_char(row->text, ':');
        bool found = next_field(line, &at, &field) && field.size > 0;
        if (found) {
            nilas_json_print_string(row->text, nilas_buf_view(&field));
        } else {
            nilas_buf_add_text(row->text, "null");
        }
        first = false;
    }
    nilas_buf_add_char(row->text, '}');
    nilas_row__set_buffer(row);
}

static const char *csv_type(nilas_str text) {
    int64_t number, days;
    double real;
    if (text.size == 0) {
        return "STRING";
    }
    if (nilas_str_to_int64(text, &number)) {
        return number >= INT32_MIN && number <= INT32_MAX ? "INT" : "BIGINT";
    }
    if (nilas_str_to_double(text, &real)) {
        return "DOUBLE";
    }
    if (text.size == 10 && nilas_date_parse(text, &days)) {
        return "DATE";
    }
    return nilas_str_is_nocase(text, "true") || nilas_str_is_nocase(text, "false") ? "BOOLEAN"
                                                                                   : "STRING";
}

static void schema_of_csv(nilas_row *row) {
    nilas_str line = nilas_row__text(row, 0);
    size_t at = 0, index = 0;
    nilas_buf_add_text(row->text, "STRUCT<");
    while (true) {
        NILAS_AUTO_BUF field = {0};
        if (!next_field(line, &at, &field)) {
            break;
        }
        nilas_buf_print(row->text, "%s_c%zu: %s", index > 0 ? ", " : "", index,
                        csv_type(nilas_buf_view(&field)));
        index++;
    }
    nilas_buf_add_char(row->text, '>');
    nilas_row__set_buffer(row);
}

const nilas_udf nilas_engine__json_functions[] = {
    {"nilas_to_json", "a>s", to_json, 0, 0},
    {"nilas_get_json_object", "ss>s", get_json_object, 0, 0},
    {"nilas_json_field", "ss>s", json_field, 0, 0},
    {"nilas_json_array_length", "s>i", json_array_length, 0, 0},
    {"nilas_json_object_keys", "s>S", json_object_keys, 0, 0},
    {"nilas_schema_of_json", "s>s", schema_of_json, 0, 0},
    {"nilas_schema_of_variant", "s>s", schema_of_json, 0, 1},
    {"nilas_schema_of_variants", "S>s", schema_of_variants, 0, 0},
    {"nilas_normalize_json", "ss>s", normalize_json, 0, 0},
    {"nilas_parse_json", "s>s", parse_json, 0, 0},
    {"nilas_variant_get", "ss>s", variant_get, 0, 0},
    {"nilas_variant_to_string", "s>s", variant_to_string, 0, 0},
    {"nilas_string_to_variant", "s>s", string_to_variant, 0, 0},
    {"nilas_variant_explode", "s>s", variant_explode, 0, 0},
    {"nilas_to_csv", "a>s", to_csv, 0, 0},
    {"nilas_csv_to_json", "ss>s", csv_to_json, 0, 0},
    {"nilas_schema_of_csv", "s>s", schema_of_csv, 0, 0},
    {NULL, NULL, NULL, 0, 0},
};
