/** Scalar calls whose SQL depends on how many arguments there are, on constants or on types. */
#include "engine/call.h"

#include "engine/cast.h"

static nilas_code cast(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    return nilas_engine__print_cast(out, call->argument_types[0], call->type,
                                    call->ansi ? NILAS_CAST_ANSI : NILAS_CAST_LEGACY,
                                    call->arguments[0], err);
}

static nilas_code type_name(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    NILAS_AUTO_BUF text = {0};
    nilas_type_print(&text, call->argument_types[0]);
    nilas_engine__print_string(out, nilas_buf_view(&text));
    return NILAS_OK;
}

/** A constant pattern without escapes is DuckDB's LIKE. */
static nilas_code like(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    const nilas_value *pattern = nilas_engine__constant(call, 1);
    bool plain = call->argument_count == 2 && pattern != NULL &&
                 pattern->kind == NILAS_VALUE_STRING &&
                 nilas_str_find(pattern->text, NILAS_STR("\\"), 0) == SIZE_MAX;
    if (plain) {
        return nilas_engine__fill_template(out, call, "($1 LIKE $2)", err);
    }
    return nilas_engine__fill_template(
        out, call, call->argument_count > 2 ? "nilas_like($1, $2, $3)" : "nilas_like($1, $2, '\\')",
        err);
}

static nilas_code concat(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    for (size_t i = 0; i < call->argument_count; i++) {
        nilas_buf_add_text(out, i > 0 ? " || " : "(");
        nilas_buf_add(out, call->arguments[i]);
    }
    nilas_buf_add_char(out, ')');
    return NILAS_OK;
}

static nilas_code concat_arrays(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    nilas_buf_add_text(out, "CASE WHEN ");
    for (size_t i = 0; i < call->argument_count; i++) {
        nilas_buf_print(out, "%s%.*s IS NULL", i > 0 ? " OR " : "", NILAS_FMT(call->arguments[i]));
    }
    nilas_buf_add_text(out, " THEN NULL ELSE flatten([");
    for (size_t i = 0; i < call->argument_count; i++) {
        nilas_buf_print(out, "%s%.*s", i > 0 ? ", " : "", NILAS_FMT(call->arguments[i]));
    }
    nilas_buf_add_text(out, "]) END");
    return NILAS_OK;
}

/** Strings and arrays of strings; nulls are left out. */
static nilas_code concat_ws(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    int number = nilas_engine__unique_in_call(call);
    if (call->argument_count == 1) {
        nilas_buf_print(out, "CASE WHEN %.*s IS NOT NULL THEN '' END",
                        NILAS_FMT(call->arguments[0]));
        return NILAS_OK;
    }
    nilas_buf_add_text(out, "CASE WHEN ");
    nilas_buf_add(out, call->arguments[0]);
    nilas_buf_add_text(out, " IS NOT NULL THEN coalesce(array_to_string(list_filter(flatten([");
    for (size_t i = 1; i < call->argument_count; i++) {
        bool list = call->argument_types[i]->kind == NILAS_TYPE_ARRAY;
        nilas_buf_print(out, list ? "%scoalesce(%.*s, [])" : "%s[%.*s]", i > 1 ? ", " : "",
                        NILAS_FMT(call->arguments[i]));
    }
    nilas_buf_print(out, "]), lambda x%d: x%d IS NOT NULL), %.*s), '') END", number, number,
                    NILAS_FMT(call->arguments[0]));
    return NILAS_OK;
}

/** decode(value, search, result, … [, default]) */
static nilas_code decode(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    size_t i = 1;
    nilas_buf_add_text(out, "CASE");
    for (; i + 1 < call->argument_count; i += 2) {
        nilas_buf_print(out, " WHEN %.*s IS NOT DISTINCT FROM %.*s THEN %.*s",
                        NILAS_FMT(call->arguments[0]), NILAS_FMT(call->arguments[i]),
                        NILAS_FMT(call->arguments[i + 1]));
    }
    if (i < call->argument_count) {
        nilas_buf_print(out, " ELSE %.*s", NILAS_FMT(call->arguments[i]));
    }
    nilas_buf_add_text(out, " END");
    return NILAS_OK;
}

static nilas_code elt(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    NILAS_TRY(nilas_engine__fill_template(out, call, "CASE $1", err));
    for (size_t i = 1; i < call->argument_count; i++) {
        nilas_buf_print(out, " WHEN %zu THEN %.*s", i, NILAS_FMT(call->arguments[i]));
    }
    if (call->ansi) {
        nilas_buf_print(out, " ELSE CASE WHEN %.*s IS NULL THEN NULL ELSE ",
                        NILAS_FMT(call->arguments[0]));
        nilas_buf_print(out,
                        "error(chr(1) || 'INVALID_ARRAY_INDEX' || chr(1) || 'The index ' || "
                        "CAST(%.*s AS VARCHAR) || ' is out of bounds. "
                        "The array has %zu elements. Use the SQL function `get()` to tolerate "
                        "accessing element at invalid index and return "
                        "NULL instead.') END",
                        NILAS_FMT(call->arguments[0]), call->argument_count - 1);
    }
    nilas_buf_add_text(out, " END");
    return NILAS_OK;
}

/** Optional arguments with their defaults. */
static nilas_code with_defaults(nilas_buf *out, const nilas_call_sql *call, const char *name,
                                const char *const *defaults, size_t count) {
    nilas_buf_print(out, "%s(", name);
    for (size_t i = 0; i < count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        if (i < call->argument_count) {
            nilas_buf_add(out, call->arguments[i]);
        } else {
            nilas_buf_add_text(out, defaults[i]);
        }
    }
    nilas_buf_add_char(out, ')');
    return NILAS_OK;
}

/** A null replacement keeps the characters: the function takes '' for it. */
static nilas_code mask(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    static const char *const defaults[] = {"", "'X'", "'x'", "'n'", "''"};
    (void)err;
    nilas_buf_add_text(out, "nilas_mask(");
    for (size_t i = 0; i < 5; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        if (i < call->argument_count) {
            nilas_buf_print(out, i > 0 ? "coalesce(%.*s, '')" : "%.*s",
                            NILAS_FMT(call->arguments[i]));
        } else {
            nilas_buf_add_text(out, defaults[i]);
        }
    }
    nilas_buf_add_char(out, ')');
    return NILAS_OK;
}

static nilas_code aes_encrypt(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    static const char *const defaults[] = {"",          "",           "'GCM'",
                                           "'DEFAULT'", "encode('')", "encode('')"};
    (void)err;
    return with_defaults(out, call, "nilas_aes_encrypt", defaults, 6);
}

static nilas_code aes_decrypt(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    static const char *const defaults[] = {"", "", "'GCM'", "'DEFAULT'", "encode('')"};
    (void)err;
    return with_defaults(out, call, "nilas_aes_decrypt", defaults, 5);
}

static nilas_code try_aes_decrypt(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    nilas_buf_add_text(out, "TRY(");
    NILAS_TRY(aes_decrypt(out, call, err));
    nilas_buf_add_char(out, ')');
    return NILAS_OK;
}

static nilas_code str_to_map(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    static const char *const defaults[] = {"", "','", "':'"};
    (void)err;
    nilas_buf_add_text(out, "map(");
    NILAS_TRY(with_defaults(out, call, "nilas_pair_keys", defaults, 3));
    nilas_buf_add_text(out, ", ");
    NILAS_TRY(with_defaults(out, call, "nilas_pair_values", defaults, 3));
    nilas_buf_add_char(out, ')');
    return NILAS_OK;
}

/** printf: every argument becomes text with a letter for its kind. */
static nilas_code format_string(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    nilas_buf_print(out, "nilas_format_string(%.*s, CAST([", NILAS_FMT(call->arguments[0]));
    for (size_t i = 1; i < call->argument_count; i++) {
        const nilas_type *type = call->argument_types[i];
        char kind = nilas_type_is_integral(type)       ? 'i'
                    : type->kind == NILAS_TYPE_BOOLEAN ? 'b'
                    : nilas_type_is_numeric(type)      ? 'r'
                                                       : 's';
        nilas_buf_print(out, "%s'%c' || ", i > 1 ? ", " : "", kind);
        NILAS_TRY(nilas_engine__print_cast(out, type, nilas_type_of(NILAS_TYPE_STRING),
                                           NILAS_CAST_ANSI, call->arguments[i], err));
    }
    nilas_buf_add_text(out, "] AS VARCHAR[]))");
    return NILAS_OK;
}

/** As plain digits: decimals exactly, doubles by Java's text. */
static nilas_code number_text(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    return nilas_engine__print_cast(out, call->argument_types[0], nilas_type_of(NILAS_TYPE_STRING),
                                    NILAS_CAST_ANSI, call->arguments[0], err);
}

static nilas_code format_number(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    nilas_buf_add_text(out, "nilas_format_number(");
    NILAS_TRY(number_text(out, call, err));
    nilas_buf_print(out, ", %.*s)", NILAS_FMT(call->arguments[1]));
    return NILAS_OK;
}

static nilas_code to_char(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    nilas_buf_add_text(out, "nilas_number_to_char(");
    NILAS_TRY(number_text(out, call, err));
    nilas_buf_print(out, ", %.*s)", NILAS_FMT(call->arguments[1]));
    return NILAS_OK;
}

static nilas_code print_to_number(nilas_buf *out, const nilas_call_sql *call, bool quiet) {
    NILAS_AUTO_BUF sql = {0};
    nilas_buf_print(&sql, "%snilas_to_number(%.*s, %.*s, %d)%s", quiet ? "TRY(" : "",
                    NILAS_FMT(call->arguments[0]), NILAS_FMT(call->arguments[1]), call->type->scale,
                    quiet ? ")" : "");
    nilas_engine__print_scaled(out, nilas_buf_view(&sql), call->type->precision, call->type->scale);
    return NILAS_OK;
}

static nilas_code to_number(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    return print_to_number(out, call, false);
}

static nilas_code try_to_number(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    return print_to_number(out, call, true);
}

static nilas_code iceberg_truncate(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    const nilas_type *type = call->type;
    if (type->kind == NILAS_TYPE_DECIMAL) {
        NILAS_AUTO_BUF sql = {0};
        nilas_buf_print(&sql, "nilas_truncate_decimal(CAST(%.*s AS INTEGER), %.*s)",
                        NILAS_FMT(call->arguments[0]), NILAS_FMT(call->arguments[1]));
        nilas_engine__print_scaled(out, nilas_buf_view(&sql), type->precision, type->scale);
        return NILAS_OK;
    }
    return nilas_engine__fill_template(out, call, "nilas_truncate(CAST($1 AS INTEGER), $2)", err);
}

/** Texts compare by their bytes: another collation would give other answers. */
static nilas_code collate(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    const nilas_value *name = nilas_engine__constant(call, 1);
    bool given = name != NULL && name->kind == NILAS_VALUE_STRING;
    nilas_str text = given ? name->text : NILAS_STR_EMPTY;
    NILAS_REQUIRE(nilas_str_is_nocase(text, "UTF8_BINARY") ||
                      nilas_str_is_nocase(text, "SYSTEM.BUILTIN.UTF8_BINARY"),
                  err, NILAS_UNSUPPORTED, "the collation %.*s is not supported", NILAS_FMT(text));
    nilas_buf_add(out, call->arguments[0]);
    return NILAS_OK;
}

static nilas_code refused(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)out;
    return nilas_fail(err, NILAS_UNSUPPORTED, "the function %s is not supported",
                      call->function->name);
}

const nilas_renderer nilas_engine__scalar_renderers[] = {
    {"refused", refused},
    {"collate", collate},
    {"cast", cast},
    {"typeof", type_name},
    {"like", like},
    {"concat", concat},
    {"concat_arrays", concat_arrays},
    {"concat_ws", concat_ws},
    {"decode", decode},
    {"elt", elt},
    {"mask", mask},
    {"aes_encrypt", aes_encrypt},
    {"aes_decrypt", aes_decrypt},
    {"try_aes_decrypt", try_aes_decrypt},
    {"str_to_map", str_to_map},
    {"format_string", format_string},
    {"format_number", format_number},
    {"to_char", to_char},
    {"to_number", to_number},
    {"try_to_number", try_to_number},
    {"iceberg_truncate", iceberg_truncate},
    {NULL, NULL},
};
