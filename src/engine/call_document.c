/** JSON, CSV and variants: text is checked and normalized by our functions, then DuckDB's JSON
 *  makes the typed value. */
#include "engine/call.h"

#include "codec/codec.h"

#include "engine/cast.h"

/** The options that argument `index` gives, as a list of names and values in turn. */
static void print_options(nilas_buf *out, const nilas_call_sql *call, size_t index) {
    if (index >= call->argument_count) {
        nilas_buf_add_text(out, "CAST([] AS VARCHAR[])");
        return;
    }
    nilas_buf_print(out,
                    "CAST(flatten(list_transform(map_entries(%.*s), lambda nilas_e: [nilas_e.key, "
                    "nilas_e.value])) AS VARCHAR[])",
                    NILAS_FMT(call->arguments[index]));
}

static nilas_code print_with_options(nilas_buf *out, const nilas_call_sql *call,
                                     const char *function) {
    nilas_buf_print(out, "%s(%.*s, ", function, NILAS_FMT(call->arguments[0]));
    print_options(out, call, 1);
    nilas_buf_add_char(out, ')');
    return NILAS_OK;
}

static bool has_interval(const nilas_type *type) {
    bool found =
        type->kind == NILAS_TYPE_INTERVAL_YEAR_MONTH || type->kind == NILAS_TYPE_INTERVAL_DAY_TIME;
    for (size_t i = 0; i < type->field_count; i++) {
        found = found || has_interval(type->fields[i].type);
    }
    return found;
}

static nilas_code to_json(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    if (call->argument_types[0]->kind == NILAS_TYPE_VARIANT) {
        nilas_buf_add(out, call->arguments[0]);
        return NILAS_OK;
    }
    NILAS_REQUIRE(!has_interval(call->argument_types[0]), err, NILAS_UNSUPPORTED,
                  "%s of intervals is not supported", call->function->name);
    return print_with_options(out, call, "nilas_to_json");
}

/** The struct with nested members as the text that a cast gives. */
static nilas_code print_csv_row(nilas_buf *out, const nilas_type *type, nilas_str row,
                                nilas_error *err) {
    nilas_buf_print(out,
                    "list_extract(list_transform([%.*s], lambda nilas_r: CASE WHEN nilas_r IS "
                    "NOT NULL THEN {",
                    NILAS_FMT(row));
    for (size_t i = 0; i < type->field_count; i++) {
        NILAS_AUTO_BUF member = NILAS_BUF_INIT(0);
        const nilas_type *field = type->fields[i].type;
        nilas_buf_print(&member, "struct_extract_at(nilas_r, %zu)", i + 1);
        nilas_buf_print(out, "%s'c%zu': ", i > 0 ? ", " : "", i);
        if (field->field_count > 0) {
            field = nilas_type_of(NILAS_TYPE_STRING);
        }
        NILAS_TRY(nilas_engine__print_cast(out, type->fields[i].type, field, NILAS_CAST_ANSI,
                                           nilas_buf_view(&member), err));
    }
    nilas_buf_add_text(out, "} END), 1)");
    return NILAS_OK;
}

static nilas_code to_csv(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    const nilas_type *type = call->argument_types[0];
    NILAS_REQUIRE(!has_interval(type), err, NILAS_UNSUPPORTED,
                  "to_csv of intervals is not supported");
    bool nested = false;
    for (size_t i = 0; i < type->field_count; i++) {
        nested = nested || type->fields[i].type->field_count > 0;
    }
    if (!nested) {
        return print_with_options(out, call, "nilas_to_csv");
    }
    nilas_buf_add_text(out, "nilas_to_csv(");
    NILAS_TRY(print_csv_row(out, type, call->arguments[0], err));
    nilas_buf_add_text(out, ", ");
    print_options(out, call, 1);
    nilas_buf_add_char(out, ')');
    return NILAS_OK;
}

static nilas_code schema_of_json(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    return print_with_options(out, call, "nilas_schema_of_json");
}

static nilas_code schema_of_csv(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    return print_with_options(out, call, "nilas_schema_of_csv");
}

/** The structure that DuckDB's from_json takes: {"a":"INTEGER","b":["VARCHAR"]}. Times are read as
 *  text and cast after. */
static void print_structure(nilas_buf *out, const nilas_type *type) {
    switch (type->kind) {
    case NILAS_TYPE_STRUCT:
        nilas_buf_add_char(out, '{');
        for (size_t i = 0; i < type->field_count; i++) {
            nilas_buf_print(out, "%s\"%.*s\":", i > 0 ? "," : "", NILAS_FMT(type->fields[i].name));
            print_structure(out, type->fields[i].type);
        }
        nilas_buf_add_char(out, '}');
        return;
    case NILAS_TYPE_ARRAY:
        nilas_buf_add_char(out, '[');
        print_structure(out, type->fields[0].type);
        nilas_buf_add_char(out, ']');
        return;
    case NILAS_TYPE_MAP:
        nilas_buf_add_text(out, "\"MAP(VARCHAR, ");
        nilas_engine__print_type(out, type->fields[1].type);
        nilas_buf_add_text(out, ")\"");
        return;
    default:
        nilas_buf_add_char(out, '"');
        nilas_engine__print_type(out, type);
        nilas_buf_add_char(out, '"');
        return;
    }
}

/** The schema as our readers take it: see udf_read_text.c. */
static void print_schema(nilas_buf *out, const nilas_type *type) {
    switch (type->kind) {
    case NILAS_TYPE_STRUCT:
        nilas_buf_add_char(out, '{');
        for (size_t i = 0; i < type->field_count; i++) {
            nilas_buf_add_text(out, i > 0 ? "," : "");
            nilas_json_print_string(out, type->fields[i].name);
            nilas_buf_add_char(out, ':');
            print_schema(out, type->fields[i].type);
        }
        nilas_buf_add_char(out, '}');
        return;
    case NILAS_TYPE_ARRAY:
    case NILAS_TYPE_MAP:
        nilas_buf_add_text(out, type->kind == NILAS_TYPE_MAP ? "[\"map\"," : "[\"array\",");
        print_schema(out, type->fields[type->field_count - 1].type);
        nilas_buf_add_char(out, ']');
        return;
    case NILAS_TYPE_DECIMAL:
        nilas_buf_print(out, "[\"decimal\",%d,%d]", type->precision, type->scale);
        return;
    default:
        nilas_buf_add_char(out, '"');
        nilas_type_print(out, nilas_type_is_string(type) ? nilas_type_of(NILAS_TYPE_STRING) : type);
        nilas_buf_add_char(out, '"');
        return;
    }
}

static nilas_code print_from(nilas_buf *out, const nilas_call_sql *call, const char *function) {
    NILAS_AUTO_BUF structure = {0};
    NILAS_AUTO_BUF schema = {0};
    print_structure(&structure, call->type);
    print_schema(&schema, call->type);
    nilas_buf_add_text(out, "CAST(from_json(");
    nilas_buf_print(out, "%s(%.*s, ", function, NILAS_FMT(call->arguments[0]));
    nilas_engine__print_string(out, nilas_buf_view(&schema));
    nilas_buf_add_text(out, ", ");
    print_options(out, call, 2);
    nilas_buf_add_text(out, "), ");
    nilas_engine__print_string(out, nilas_buf_view(&structure));
    nilas_buf_add_text(out, ") AS ");
    nilas_engine__print_type(out, call->type);
    nilas_buf_add_char(out, ')');
    return NILAS_OK;
}

static nilas_code from_json(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    if (call->type->field_count == 0) {
        return nilas_fail(err, NILAS_INVALID,
                          "from_json needs a schema of columns, an array or a map");
    }
    return print_from(out, call, "nilas_read_json");
}

static nilas_code from_csv(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    return print_from(out, call, "nilas_read_csv");
}

static nilas_code print_variant_get(nilas_buf *out, const nilas_call_sql *call,
                                    nilas_cast_mode mode, nilas_error *err) {
    NILAS_AUTO_BUF inner = {0};
    nilas_buf_print(&inner, "nilas_variant_get(%.*s, %.*s)", NILAS_FMT(call->arguments[0]),
                    NILAS_FMT(call->arguments[1]));
    return nilas_engine__print_cast(out, nilas_type_of(NILAS_TYPE_VARIANT), call->type, mode,
                                    nilas_buf_view(&inner), err);
}

static nilas_code variant_get(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    return print_variant_get(out, call, NILAS_CAST_ANSI, err);
}

static nilas_code try_variant_get(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    return print_variant_get(out, call, NILAS_CAST_TRY, err);
}

/** The words of the grammar in their order. */
static nilas_code sql_keywords(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)call;
    (void)err;
    nilas_buf_add_text(out, "(SELECT unnest([");
    for (int word = NILAS_KEYWORD_NONE + 1; word < NILAS_KEYWORD_END; word++) {
        nilas_buf_print(out, "%s'%s'", word > NILAS_KEYWORD_NONE + 1 ? ", " : "",
                        nilas_keyword_text((nilas_keyword)word));
    }
    nilas_buf_add_text(out, "]), unnest([");
    for (int word = NILAS_KEYWORD_NONE + 1; word < NILAS_KEYWORD_END; word++) {
        nilas_buf_print(out, "%s%s", word > NILAS_KEYWORD_NONE + 1 ? ", " : "",
                        nilas_keyword_is_reserved((nilas_keyword)word) ? "true" : "false");
    }
    nilas_buf_add_text(out, "]))");
    return NILAS_OK;
}

const nilas_renderer nilas_engine__document_renderers[] = {
    {"sql_keywords", sql_keywords},
    {"to_json", to_json},
    {"to_csv", to_csv},
    {"schema_of_json", schema_of_json},
    {"schema_of_csv", schema_of_csv},
    {"from_json", from_json},
    {"from_csv", from_csv},
    {"variant_get", variant_get},
    {"try_variant_get", try_variant_get},
    {NULL, NULL},
};
