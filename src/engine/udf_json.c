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
    nilas_text_options options;
    const nilas_cell *cell = nilas_row__cell(row, 0);
    if (cell != NULL && nilas_row__options(row, 1, "to_json", &options)) {
        nilas_engine__print_json(row, &options, cell, row->at);
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

static void schema_of_variant(nilas_row *row) {
    nilas_json json;
    if (!parse(row, 0, &json)) {
        nilas_row__set_null(row);
        return;
    }
    nilas_engine__print_json_schema(row->text, row->scratch, &json, true);
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

/* --- variants --- */

static bool print_variant(nilas_row *row, const nilas_json *json);

/** A decimal without zeros at its end where 38 digits are enough, else as a double. */
static void print_variant_number(nilas_buf *out, const nilas_json *json) {
    nilas_int128 unscaled = 0;
    uint32_t scale = 0;
    bool exponent = false;
    for (size_t i = 0; i < json->text.size; i++) {
        exponent = exponent || (json->text.data[i] | 32) == 'e';
    }
    if (exponent || !nilas_decimal_parse(json->text, &unscaled, &scale)) {
        bool finite = json->real - json->real == 0;
        nilas_buf_add_text(out, finite ? "" : "\"");
        nilas_real_print(out, json->real, false);
        nilas_buf_add_text(out, finite ? "" : "\"");
        return;
    }
    while (scale > 0 && unscaled % 10 == 0) {
        unscaled /= 10;
        scale--;
    }
    nilas_decimal_print(out, unscaled, scale);
}

/** Members in the order of their names, as variants keep them. */
static bool print_variant_object(nilas_row *row, const nilas_json *json) {
    const nilas_json *last = NULL;
    nilas_buf_add_char(row->text, '{');
    for (size_t n = 0; n < json->count; n++) {
        size_t next = SIZE_MAX;
        for (size_t i = 0; i < json->count; i++) {
            bool behind = last == NULL ||
                          nilas_str_compare(json->names[i], json->names[last - json->items]) > 0;
            if (behind &&
                (next == SIZE_MAX || nilas_str_compare(json->names[i], json->names[next]) < 0)) {
                next = i;
            }
        }
        if (next == SIZE_MAX) {
            nilas_row__fail(row, "VARIANT_DUPLICATE_KEY",
                            "Failed to build variant because of a duplicate object key `%.*s`.",
                            NILAS_FMT(json->names[last - json->items]));
            return false;
        }
        last = &json->items[next];
        nilas_buf_add_text(row->text, n > 0 ? "," : "");
        nilas_json_print_string(row->text, json->names[next]);
        nilas_buf_add_char(row->text, ':');
        if (!print_variant(row, last)) {
            return false;
        }
    }
    nilas_buf_add_char(row->text, '}');
    return true;
}

static bool print_variant(nilas_row *row, const nilas_json *json) {
    switch (json->kind) {
    case NILAS_JSON_REAL: print_variant_number(row->text, json); return true;
    case NILAS_JSON_OBJECT: return print_variant_object(row, json);
    case NILAS_JSON_ARRAY: break;
    default: nilas_json_print(row->text, json, 0); return true;
    }
    nilas_buf_add_char(row->text, '[');
    for (size_t i = 0; i < json->count; i++) {
        nilas_buf_add_text(row->text, i > 0 ? "," : "");
        if (!print_variant(row, &json->items[i])) {
            return false;
        }
    }
    nilas_buf_add_char(row->text, ']');
    return true;
}

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
    if (print_variant(row, &json)) {
        nilas_row__set_buffer(row);
    }
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

static bool is_blank(char c) {
    return (unsigned char)c <= ' ';
}

static nilas_str trimmed(const nilas_text_options *o, nilas_str text) {
    while (!o->keep_left && text.size > 0 && is_blank(text.data[0])) {
        text = nilas_str_slice(text, 1, text.size);
    }
    while (!o->keep_right && text.size > 0 && is_blank(text.data[text.size - 1])) {
        text.size--;
    }
    return text;
}

static bool needs_quotes(const nilas_text_options *o, nilas_str text) {
    bool quotes =
        o->quote_all || text.size == 0 || nilas_str_find(text, o->separator, 0) != SIZE_MAX;
    for (size_t i = 0; i < text.size; i++) {
        quotes = quotes || text.data[i] == o->quote || text.data[i] == '\n';
    }
    return quotes;
}

static void add_csv_text(nilas_buf *out, const nilas_text_options *o, nilas_str text) {
    text = trimmed(o, text);
    if (!needs_quotes(o, text)) {
        nilas_buf_add(out, text);
        return;
    }
    nilas_buf_add_char(out, o->quote);
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] == o->quote || text.data[i] == o->escape) {
            nilas_buf_add_char(out, o->escape);
        }
        nilas_buf_add_char(out, text.data[i]);
    }
    nilas_buf_add_char(out, o->quote);
}

/** As in JSON, without the quotes around times. */
static void add_csv_value(nilas_row *row, const nilas_text_options *options,
                          const nilas_cell *member) {
    size_t before = row->text->size;
    nilas_engine__print_json(row, options, member, row->at);
    if (row->text->size > before + 1 && row->text->data[before] == '"') {
        memmove(row->text->data + before, row->text->data + before + 1,
                row->text->size - before - 2);
        nilas_buf_truncate(row->text, row->text->size - 2);
    }
}

static void to_csv(nilas_row *row) {
    nilas_text_options options;
    const nilas_cell *cell = nilas_row__cell(row, 0);
    if (cell == NULL || !nilas_row__options(row, 1, "to_csv", &options)) {
        return;
    }
    for (size_t i = 0; i < cell->count; i++) {
        const nilas_cell *member = &cell->children[i];
        nilas_buf_add(row->text, i > 0 ? options.separator : NILAS_STR_EMPTY);
        if (nilas_cell__is_null(member, row->at)) {
            nilas_buf_add(row->text, options.null_value);
        } else if (member->type == DUCKDB_TYPE_VARCHAR || member->type == DUCKDB_TYPE_BLOB) {
            add_csv_text(row->text, &options, nilas_cell__text(member, row->at));
        } else {
            add_csv_value(row, &options, member);
        }
    }
    nilas_row__set_buffer(row);
}

const nilas_udf nilas_engine__json_functions[] = {
    {"nilas_to_json", "aS>s", to_json, 0, 0},
    {"nilas_get_json_object", "ss>s", get_json_object, 0, 0},
    {"nilas_json_field", "ss>s", json_field, 0, 0},
    {"nilas_json_array_length", "s>i", json_array_length, 0, 0},
    {"nilas_json_object_keys", "s>S", json_object_keys, 0, 0},
    {"nilas_schema_of_variant", "s>s", schema_of_variant, 0, 0},
    {"nilas_schema_of_variants", "S>s", schema_of_variants, 0, 0},
    {"nilas_parse_json", "s>s", parse_json, 0, 0},
    {"nilas_variant_get", "ss>s", variant_get, 0, 0},
    {"nilas_variant_to_string", "s>s", variant_to_string, 0, 0},
    {"nilas_string_to_variant", "s>s", string_to_variant, 0, 0},
    {"nilas_variant_explode", "s>s", variant_explode, 0, 0},
    {"nilas_to_csv", "aS>s", to_csv, 0, 0},
    {NULL, NULL, NULL, 0, 0},
};
