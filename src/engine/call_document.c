/** JSON, CSV and variants: text is checked and normalized by our functions, then DuckDB's JSON
 *  makes the typed value. */
#include "engine/call.h"

#include "engine/cast.h"

static nilas_code to_json(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    if (call->argument_types[0]->kind == NILAS_TYPE_VARIANT) {
        nilas_buf_add(out, call->arguments[0]);
        return NILAS_OK;
    }
    nilas_buf_print(out, "nilas_to_json(%.*s)", NILAS_FMT(call->arguments[0]));
    return NILAS_OK;
}

static nilas_code to_csv(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    nilas_buf_print(out, "nilas_to_csv(%.*s)", NILAS_FMT(call->arguments[0]));
    return NILAS_OK;
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

/** The schema as our normalizer reads it, then typed. */
static nilas_code print_from(nilas_buf *out, const nilas_call_sql *call, const char *function) {
    NILAS_AUTO_BUF structure = {0};
    NILAS_AUTO_BUF schema = {0};
    print_structure(&structure, call->type);
    nilas_type_print(&schema, call->type);
    nilas_buf_add_text(out, "CAST(from_json(");
    nilas_buf_print(out, "%s(%.*s, ", function, NILAS_FMT(call->arguments[0]));
    nilas_engine__print_string(out, nilas_buf_view(&schema));
    nilas_buf_add_text(out, "), ");
    nilas_engine__print_string(out, nilas_buf_view(&structure));
    nilas_buf_add_text(out, ") AS ");
    nilas_engine__print_type(out, call->type);
    nilas_buf_add_char(out, ')');
    return NILAS_OK;
}

static nilas_code from_json(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    return print_from(out, call, "nilas_normalize_json");
}

static nilas_code from_csv(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    return print_from(out, call, "nilas_csv_to_json");
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

/** The first words of Spark's list; it is long, and few ask for it. */
static nilas_code sql_keywords(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)call;
    (void)err;
    nilas_buf_add_text(out, "(SELECT unnest(['ADD', 'AFTER', 'AGGREGATE', 'ALL', 'ALTER']), "
                            "unnest([false, false, false, true, false]))");
    return NILAS_OK;
}

const nilas_renderer nilas_engine__document_renderers[] = {
    {"sql_keywords", sql_keywords},
    {"to_json", to_json},
    {"to_csv", to_csv},
    {"from_json", from_json},
    {"from_csv", from_csv},
    {"variant_get", variant_get},
    {"try_variant_get", try_variant_get},
    {NULL, NULL},
};
