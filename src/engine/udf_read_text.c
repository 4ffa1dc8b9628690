/**
 * from_json and from_csv: a text becomes JSON in which every value converts to the schema, so that
 * DuckDB's from_json makes the typed value of it. What does not convert is null, and the record is
 * a bad one: its text goes to the column for bad records, or the statement fails (FAILFAST).
 *
 * The schema comes as JSON: "int"; ["decimal",10,2]; ["array",…]; ["map",…]; {"a":…} for a struct.
 */
#include <math.h>

#include "engine/json_text.h"

typedef struct reader {
    nilas_row *row;
    nilas_text_options options;
    nilas_buf *out;
    const nilas_json *root; // its column for bad records is not read
    bool bad;               // something did not convert
} reader;

/* --- lenient JSON --- */

#define MAXIMUM_NESTING 1000

typedef struct rewriter {
    nilas_str text;
    size_t at;
    nilas_buf *out;
    const nilas_text_options *options;
    char open[MAXIMUM_NESTING]; // '{' or '['
    size_t depth;
    char before; // the last character that is no blank
} rewriter;

static void copy_string(rewriter *w, char quote) {
    nilas_buf_add_char(w->out, '"');
    w->at++;
    while (w->at < w->text.size && w->text.data[w->at] != quote) {
        char c = w->text.data[w->at];
        bool escape = c == '\\' && w->at + 1 < w->text.size;
        if (escape && w->text.data[w->at + 1] == '\'' && quote == '\'') {
            nilas_buf_add_char(w->out, '\'');
        } else if (escape) {
            nilas_buf_add_bytes(w->out, w->text.data + w->at, 2);
        } else {
            nilas_buf_add_text(w->out, c == '"' ? "\\" : "");
            nilas_buf_add_char(w->out, c);
        }
        w->at += escape ? 2 : 1;
    }
    w->at++;
    nilas_buf_add_char(w->out, '"');
    w->before = '"';
}

static bool is_name_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$';
}

static void copy_bare_name(rewriter *w) {
    nilas_buf_add_char(w->out, '"');
    while (w->at < w->text.size && is_name_letter(w->text.data[w->at])) {
        nilas_buf_add_char(w->out, w->text.data[w->at++]);
    }
    nilas_buf_add_char(w->out, '"');
    w->before = '"';
}

/** A number or a word. */
static void copy_scalar(rewriter *w) {
    char first = w->text.data[w->at];
    bool minus = first == '-';
    if (minus) {
        nilas_buf_add_char(w->out, w->text.data[w->at++]);
    }
    while (w->options->leading_zeros && w->at + 1 < w->text.size && w->text.data[w->at] == '0' &&
           w->text.data[w->at + 1] >= '0' && w->text.data[w->at + 1] <= '9') {
        w->at++;
    }
    while (w->at < w->text.size && strchr(",:]}[{\"' \t\r\n", w->text.data[w->at]) == NULL) {
        nilas_buf_add_char(w->out, w->text.data[w->at++]);
    }
    w->before = 'a';
}

/** A brace, bracket, comma or colon; false: nested too deeply. */
static bool copy_mark(rewriter *w, char c) {
    if (c == '{' || c == '[') {
        if (w->depth == MAXIMUM_NESTING) {
            return false;
        }
        w->open[w->depth++] = c;
    } else if (c == '}' || c == ']') {
        w->depth -= w->depth > 0;
    }
    nilas_buf_add_char(w->out, c);
    w->before = c;
    w->at++;
    return true;
}

static bool copy_token(rewriter *w) {
    char c = w->text.data[w->at];
    bool in_object = w->depth > 0 && w->open[w->depth - 1] == '{';
    bool at_name = in_object && (w->before == '{' || w->before == ',');
    if (c == '"' || (c == '\'' && !w->options->no_single_quotes)) {
        copy_string(w, c);
    } else if (at_name && w->options->unquoted_names && is_name_letter(c)) {
        copy_bare_name(w);
    } else if (strchr("{}[],:", c) != NULL) {
        return copy_mark(w, c);
    } else {
        size_t start = w->at;
        copy_scalar(w);
        return w->at > start;
    }
    return true;
}

/** The first value of a text in strict JSON; what Spark lets pass is rewritten, the rest of the
 *  text is left out. */
static bool rewrite(nilas_str text, const nilas_text_options *options, nilas_buf *out) {
    rewriter w = {.text = text, .out = out, .options = options};
    do {
        while (w.at < text.size && (unsigned char)text.data[w.at] <= ' ') {
            w.at++;
        }
        if (w.at >= text.size || !copy_token(&w)) {
            return false;
        }
    } while (w.depth > 0);
    return true;
}

/** Parse argument 0 leniently. */
static bool parse_lenient(nilas_row *row, const nilas_text_options *options, nilas_json *out) {
    NILAS_AUTO_BUF strict = NILAS_BUF_INIT(0);
    nilas_error err = NILAS_ERROR_INIT;
    return rewrite(nilas_row__text(row, 0), options, &strict) &&
           nilas_buf_check(&strict, &err) == NILAS_OK &&
           nilas_json_parse(row->scratch, nilas_buf_view(&strict), "JSON", out, &err) == NILAS_OK;
}

/* --- values of one type, from a text --- */

static bool write_date(reader *r, nilas_str text) {
    int64_t days = 0;
    if (!nilas_row__parse_date(text, r->options.date_format, &days)) {
        return false;
    }
    nilas_buf_add_char(r->out, '"');
    nilas_date_print(r->out, days);
    nilas_buf_add_char(r->out, '"');
    return true;
}

static bool write_timestamp(reader *r, nilas_str text, bool is_local) {
    int64_t micros = 0;
    bool good = is_local
                    ? nilas_row__parse_local(text, r->options.ntz_format, &micros)
                    : nilas_row__parse_instant(r->row, text, r->options.timestamp_format, &micros);
    if (!good) {
        return false;
    }
    nilas_buf_add_char(r->out, '"');
    nilas_timestamp_print(r->out, micros);
    nilas_buf_add_text(r->out, is_local ? "\"" : "+00\"");
    return true;
}

/** DuckDB's JSON takes a text's bytes for a blob: other bytes do not pass. */
static bool write_bytes(reader *r, nilas_str bytes) {
    if (!nilas_str_is_utf8(bytes)) {
        nilas_row__fail(r->row, "", "bytes that are no UTF-8 text are not supported here");
        return false;
    }
    nilas_json_print_string(r->out, bytes);
    return true;
}

/** Words for reals, in JSON and in CSV. */
static bool special_real(nilas_str text, bool is_csv, double *out) {
    static const struct {
        const char *word;
        bool csv;
        double value;
    } words[] = {{"NaN", false, (double)NAN},
                 {"+INF", false, (double)INFINITY},
                 {"INF", false, (double)INFINITY},
                 {"+Infinity", false, (double)INFINITY},
                 {"Infinity", false, (double)INFINITY},
                 {"-INF", false, -(double)INFINITY},
                 {"-Infinity", false, -(double)INFINITY},
                 {"NaN", true, (double)NAN},
                 {"Inf", true, (double)INFINITY},
                 {"-Inf", true, -(double)INFINITY}};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (words[i].csv == is_csv && nilas_str_is(text, words[i].word)) {
            *out = words[i].value;
            return true;
        }
    }
    return false;
}

static bool write_real(reader *r, double value, bool is_float) {
    value = is_float ? (double)(float)value : value;
    nilas_buf_add_text(r->out, isfinite(value) ? "" : "\"");
    nilas_real_print(r->out, value, is_float);
    nilas_buf_add_text(r->out, isfinite(value) ? "" : "\"");
    return true;
}

static bool write_decimal(reader *r, nilas_str text, const nilas_json *type) {
    nilas_int128 unscaled = 0;
    bool fits = false;
    uint32_t scale = (uint32_t)type->items[2].integer;
    if (!nilas_decimal_parse_rounded(text, scale, &unscaled, &fits)) {
        return false;
    }
    fits = fits && nilas_decimal_digits(unscaled) <= (uint32_t)type->items[1].integer;
    if (!fits) {
        nilas_buf_add_text(r->out, "null"); // too large is null, not a bad record
        return true;
    }
    nilas_buf_add_char(r->out, '"');
    nilas_decimal_print(r->out, unscaled, scale);
    nilas_buf_add_char(r->out, '"');
    return true;
}

typedef enum leaf {
    LEAF_STRING,
    LEAF_BOOLEAN,
    LEAF_TINYINT,
    LEAF_SMALLINT,
    LEAF_INT,
    LEAF_BIGINT,
    LEAF_FLOAT,
    LEAF_DOUBLE,
    LEAF_DATE,
    LEAF_TIMESTAMP,
    LEAF_TIMESTAMP_NTZ,
    LEAF_BINARY,
    LEAF_VARIANT,
    LEAF_OTHER
} leaf;

static leaf leaf_of(nilas_str name) {
    static const char *const names[] = {
        "string", "boolean", "tinyint",   "smallint",      "int",    "bigint", "float",
        "double", "date",    "timestamp", "timestamp_ntz", "binary", "variant"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (nilas_str_is(name, names[i])) {
            return (leaf)i;
        }
    }
    return LEAF_OTHER;
}

/* --- JSON values --- */

static bool write_value(reader *r, const nilas_json *value, const nilas_json *type);

/** As Jackson's getByteValue and so on: bytes up to 255 pass and wrap. */
static bool write_integer(reader *r, const nilas_json *value, leaf kind) {
    int64_t number = value->integer;
    int64_t low = kind == LEAF_TINYINT    ? INT8_MIN
                  : kind == LEAF_SMALLINT ? INT16_MIN
                  : kind == LEAF_INT      ? INT32_MIN
                                          : INT64_MIN;
    int64_t high = kind == LEAF_TINYINT    ? 255
                   : kind == LEAF_SMALLINT ? INT16_MAX
                   : kind == LEAF_INT      ? INT32_MAX
                                           : INT64_MAX;
    if (value->kind != NILAS_JSON_INT || number < low || number > high) {
        return false;
    }
    nilas_buf_print(r->out, "%lld", (long long)(kind == LEAF_TINYINT ? (int8_t)number : number));
    return true;
}

static bool write_json_real(reader *r, const nilas_json *value, bool is_float) {
    double real = value->real;
    bool number = value->kind == NILAS_JSON_INT || value->kind == NILAS_JSON_REAL;
    if (!number && (value->kind != NILAS_JSON_STRING || !special_real(value->text, false, &real))) {
        return false;
    }
    return write_real(r, real, is_float);
}

/** Any value as compact JSON, reals as Java writes them. */
static void print_compact(nilas_buf *out, const nilas_json *value) {
    if (value->kind == NILAS_JSON_REAL && isfinite(value->real)) {
        nilas_real_print(out, value->real, false);
        return;
    }
    bool is_object = value->kind == NILAS_JSON_OBJECT;
    if (!is_object && value->kind != NILAS_JSON_ARRAY) {
        nilas_json_print(out, value, 0);
        return;
    }
    nilas_buf_add_char(out, is_object ? '{' : '[');
    for (size_t i = 0; i < value->count; i++) {
        nilas_buf_add_text(out, i > 0 ? "," : "");
        if (is_object) {
            nilas_json_print_string(out, value->names[i]);
            nilas_buf_add_char(out, ':');
        }
        print_compact(out, &value->items[i]);
    }
    nilas_buf_add_char(out, is_object ? '}' : ']');
}

static bool write_text(reader *r, const nilas_json *value, bool is_variant) {
    if (value->kind == NILAS_JSON_STRING && !is_variant) {
        nilas_json_print_string(r->out, value->text);
        return true;
    }
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    print_compact(&text, value);
    nilas_json_print_string(r->out, nilas_buf_view(&text));
    return true;
}

static bool write_base64(reader *r, nilas_str text) {
    NILAS_AUTO_BUF bytes = NILAS_BUF_INIT(0);
    if (!nilas_engine__decode_base64(&bytes, text)) {
        return false;
    }
    return write_bytes(r, nilas_buf_view(&bytes));
}

/** A number is seconds since 1970. */
static bool write_seconds(reader *r, int64_t seconds) {
    int64_t micros = 0;
    if (__builtin_mul_overflow(seconds, NILAS_MICROS_PER_SECOND, &micros)) {
        return false;
    }
    nilas_buf_add_char(r->out, '"');
    nilas_timestamp_print(r->out, micros);
    nilas_buf_add_text(r->out, "+00\"");
    return true;
}

static bool write_leaf(reader *r, const nilas_json *value, leaf kind) {
    bool is_text = value->kind == NILAS_JSON_STRING;
    switch (kind) {
    case LEAF_STRING: return write_text(r, value, false);
    case LEAF_VARIANT: return write_text(r, value, true);
    case LEAF_BOOLEAN:
        if (value->kind != NILAS_JSON_BOOL) {
            return false;
        }
        nilas_buf_add_text(r->out, value->boolean ? "true" : "false");
        return true;
    case LEAF_TINYINT:
    case LEAF_SMALLINT:
    case LEAF_INT:
    case LEAF_BIGINT: return write_integer(r, value, kind);
    case LEAF_FLOAT: return write_json_real(r, value, true);
    case LEAF_DOUBLE: return write_json_real(r, value, false);
    case LEAF_DATE: return is_text && write_date(r, value->text);
    case LEAF_TIMESTAMP:
        return value->kind == NILAS_JSON_INT ? write_seconds(r, value->integer)
                                             : is_text && write_timestamp(r, value->text, false);
    case LEAF_TIMESTAMP_NTZ: return is_text && write_timestamp(r, value->text, true);
    case LEAF_BINARY: return is_text && write_base64(r, value->text);
    case LEAF_OTHER: break;
    }
    return false;
}

/** A value, or null where it does not convert. */
static void write_or_null(reader *r, const nilas_json *value, const nilas_json *type) {
    size_t before = r->out->size;
    if (!write_value(r, value, type)) {
        nilas_buf_truncate(r->out, before);
        nilas_buf_add_text(r->out, "null");
        r->bad = true;
    }
}

static const nilas_json *last_member(const nilas_json *object, nilas_str name) {
    for (size_t i = object->count; i-- > 0;) {
        if (nilas_str_equal(object->names[i], name)) {
            return &object->items[i];
        }
    }
    return NULL;
}

static bool write_struct(reader *r, const nilas_json *value, const nilas_json *type) {
    if (value->kind != NILAS_JSON_OBJECT) {
        return false;
    }
    size_t written = 0;
    nilas_buf_add_char(r->out, '{');
    for (size_t i = 0; i < type->count; i++) {
        const nilas_json *member = last_member(value, type->names[i]);
        if (type == r->root && nilas_str_equal(type->names[i], r->options.corrupt_column)) {
            continue;
        }
        nilas_buf_add_text(r->out, written++ > 0 ? "," : "");
        nilas_json_print_string(r->out, type->names[i]);
        nilas_buf_add_char(r->out, ':');
        if (member == NULL) {
            nilas_buf_add_text(r->out, "null");
        } else {
            write_or_null(r, member, &type->items[i]);
        }
    }
    nilas_buf_add_char(r->out, '}');
    return true;
}

static bool write_list(reader *r, const nilas_json *value, const nilas_json *element) {
    if (value->kind != NILAS_JSON_ARRAY) {
        return false;
    }
    nilas_buf_add_char(r->out, '[');
    for (size_t i = 0; i < value->count; i++) {
        nilas_buf_add_text(r->out, i > 0 ? "," : "");
        if (!write_value(r, &value->items[i], element)) {
            return false;
        }
    }
    nilas_buf_add_char(r->out, ']');
    return true;
}

static bool write_map(reader *r, const nilas_json *value, const nilas_json *element) {
    if (value->kind != NILAS_JSON_OBJECT) {
        return false;
    }
    nilas_buf_add_char(r->out, '{');
    for (size_t i = 0; i < value->count; i++) {
        nilas_buf_add_text(r->out, i > 0 ? "," : "");
        nilas_json_print_string(r->out, value->names[i]);
        nilas_buf_add_char(r->out, ':');
        if (!write_value(r, &value->items[i], element)) {
            return false;
        }
    }
    nilas_buf_add_char(r->out, '}');
    return true;
}

static bool write_value(reader *r, const nilas_json *value, const nilas_json *type) {
    if (value->kind == NILAS_JSON_NULL) {
        nilas_buf_add_text(r->out, "null");
        return true;
    }
    if (type->kind == NILAS_JSON_STRING) {
        return write_leaf(r, value, leaf_of(type->text));
    }
    if (type->kind == NILAS_JSON_OBJECT) {
        return write_struct(r, value, type);
    }
    nilas_assert(type->kind == NILAS_JSON_ARRAY && type->count > 1);
    if (nilas_str_is(type->items[0].text, "decimal")) {
        bool scalar = value->kind == NILAS_JSON_INT || value->kind == NILAS_JSON_REAL ||
                      value->kind == NILAS_JSON_STRING;
        return scalar && write_decimal(r, value->text, type);
    }
    return nilas_str_is(type->items[0].text, "map") ? write_map(r, value, &type->items[1])
                                                    : write_list(r, value, &type->items[1]);
}

/* --- records --- */

static const nilas_json *schema_of(nilas_row *row) {
    nilas_error err = NILAS_ERROR_INIT;
    void *memory = NULL;
    if (row->memo == NULL) {
        if (nilas_arena_alloc(row->chunk, sizeof(nilas_json), &memory, &err) != NILAS_OK ||
            nilas_json_parse(row->chunk, nilas_row__text(row, 1), "a schema", memory, &err) !=
                NILAS_OK) {
            nilas_row__fail_with(row, &err);
            return NULL;
        }
        row->memo = memory;
    }
    return row->memo;
}

static void fail_record(reader *r) {
    nilas_row__fail(r->row, "MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION",
                    "Malformed records are detected in record parsing: %.*s. Parse Mode: FAILFAST. "
                    "To process malformed records as null result, try setting the option 'mode' as "
                    "'PERMISSIVE'.",
                    NILAS_FMT(nilas_row__text(r->row, 0)));
}

/** A struct ends with the text of the record when that was bad and a column waits for it. */
static void finish_record(reader *r, const nilas_json *schema) {
    if (r->bad && r->options.fail_fast) {
        fail_record(r);
        return;
    }
    const nilas_json *column =
        schema->kind == NILAS_JSON_OBJECT ? last_member(schema, r->options.corrupt_column) : NULL;
    if (r->bad && column != NULL && column->kind == NILAS_JSON_STRING) {
        nilas_buf_truncate(r->out, r->out->size - 1);
        nilas_buf_add_text(r->out, r->out->size > 1 ? "," : "");
        nilas_json_print_string(r->out, r->options.corrupt_column);
        nilas_buf_add_char(r->out, ':');
        nilas_json_print_string(r->out, nilas_row__text(r->row, 0));
        nilas_buf_add_char(r->out, '}');
    }
    nilas_row__set_buffer(r->row);
}

static void write_root(reader *r, const nilas_json *schema, const nilas_json *value) {
    bool is_struct = schema->kind == NILAS_JSON_OBJECT;
    bool is_array =
        schema->kind == NILAS_JSON_ARRAY && nilas_str_is(schema->items[0].text, "array");
    if (value != NULL && is_array && value->kind == NILAS_JSON_OBJECT &&
        schema->items[1].kind == NILAS_JSON_OBJECT) {
        nilas_buf_add_char(r->out, '[');
        write_or_null(r, value, &schema->items[1]);
        nilas_buf_add_char(r->out, ']');
        return;
    }
    bool good = value != NULL && value->kind != NILAS_JSON_NULL && write_value(r, value, schema);
    if (!good) {
        nilas_buf_clear(r->out);
        nilas_buf_add_text(r->out, is_struct ? "{}" : "null");
        r->bad = true;
    }
}

static void read_json(nilas_row *row) {
    reader r = {.row = row, .out = row->text};
    nilas_json json;
    const nilas_json *schema = schema_of(row);
    r.root = schema;
    if (schema == NULL || !nilas_row__options(row, 2, "from_json", &r.options)) {
        return;
    }
    if (nilas_str_trim(nilas_row__text(row, 0)).size == 0) {
        nilas_row__set_null(row);
        return;
    }
    write_root(&r, schema, parse_lenient(row, &r.options, &json) ? &json : NULL);
    finish_record(&r, schema);
}

/* --- CSV --- */

/** The next cell of a line, from *at; false at the end. */
static bool next_cell(const nilas_text_options *o, nilas_str line, size_t *at, nilas_buf *out) {
    if (*at > line.size) {
        return false;
    }
    size_t i = *at;
    bool open = o->quote != '\0' && i < line.size && line.data[i] == o->quote;
    i += open;
    while (i < line.size) {
        char c = line.data[i];
        bool pair = open && c == o->escape && i + 1 < line.size &&
                    (c != o->quote || line.data[i + 1] == o->quote);
        if (pair) {
            nilas_buf_add_char(out, line.data[i + 1]);
            i += 2;
        } else if (open && c == o->quote) {
            open = false;
            i++;
        } else if (!open && nilas_str_starts(nilas_str_slice(line, i, line.size), o->separator)) {
            *at = i + o->separator.size;
            return true;
        } else {
            nilas_buf_add_char(out, c);
            i++;
        }
    }
    *at = line.size + 1;
    return true;
}

static bool write_csv_integer(reader *r, nilas_str text, leaf kind) {
    int64_t number = 0;
    int64_t limit = kind == LEAF_TINYINT    ? INT8_MAX
                    : kind == LEAF_SMALLINT ? INT16_MAX
                    : kind == LEAF_INT      ? INT32_MAX
                                            : INT64_MAX;
    if (!nilas_str_to_int64(text, &number) || number > limit || number < -limit - 1) {
        return false;
    }
    nilas_buf_print(r->out, "%lld", (long long)number);
    return true;
}

static bool write_csv_leaf(reader *r, nilas_str text, leaf kind) {
    double real = 0;
    bool is_true = nilas_str_is_nocase(text, "true");
    switch (kind) {
    case LEAF_STRING: nilas_json_print_string(r->out, text); return true;
    case LEAF_BINARY: return write_bytes(r, text);
    case LEAF_BOOLEAN:
        nilas_buf_add_text(r->out, is_true ? "true" : "false");
        return is_true || nilas_str_is_nocase(text, "false");
    case LEAF_TINYINT:
    case LEAF_SMALLINT:
    case LEAF_INT:
    case LEAF_BIGINT: return write_csv_integer(r, text, kind);
    case LEAF_FLOAT:
    case LEAF_DOUBLE:
        return (special_real(text, true, &real) || nilas_str_to_double(text, &real)) &&
               write_real(r, real, kind == LEAF_FLOAT);
    case LEAF_DATE: return write_date(r, text);
    case LEAF_TIMESTAMP: return write_timestamp(r, text, false);
    case LEAF_TIMESTAMP_NTZ: return write_timestamp(r, text, true);
    default: return false;
    }
}

/** An empty cell is null, in quotes too. */
static void write_cell(reader *r, nilas_str text, const nilas_json *type) {
    size_t before = r->out->size;
    bool is_decimal =
        type->kind == NILAS_JSON_ARRAY && nilas_str_is(type->items[0].text, "decimal");

    if (text.size == 0 || nilas_str_equal(text, r->options.null_value)) {
        nilas_buf_add_text(r->out, "null");
        return;
    }
    bool good = is_decimal ? write_decimal(r, text, type)
                           : type->kind == NILAS_JSON_STRING &&
                                 write_csv_leaf(r, text, leaf_of(type->text));
    if (!good) {
        nilas_buf_truncate(r->out, before);
        nilas_buf_add_text(r->out, "null");
        r->bad = true;
    }
}

static nilas_str trimmed(const nilas_text_options *o, nilas_str text) {
    while (o->trim_left && text.size > 0 && (unsigned char)text.data[0] <= ' ') {
        text = nilas_str_slice(text, 1, text.size);
    }
    while (o->trim_right && text.size > 0 && (unsigned char)text.data[text.size - 1] <= ' ') {
        text.size--;
    }
    return text;
}

static void write_cells(reader *r, const nilas_json *schema) {
    nilas_str line = nilas_row__text(r->row, 0);
    size_t at = 0, found = 0, wanted = 0;
    nilas_buf_add_char(r->out, '{');
    for (size_t i = 0; i < schema->count; i++) {
        NILAS_AUTO_BUF cell = NILAS_BUF_INIT(0);
        if (nilas_str_equal(schema->names[i], r->options.corrupt_column)) {
            continue;
        }
        nilas_buf_add_text(r->out, wanted++ > 0 ? "," : "");
        nilas_json_print_string(r->out, schema->names[i]);
        nilas_buf_add_char(r->out, ':');
        if (next_cell(&r->options, line, &at, &cell)) {
            found++;
            write_cell(r, trimmed(&r->options, nilas_buf_view(&cell)), &schema->items[i]);
        } else {
            nilas_buf_add_text(r->out, "null");
        }
    }
    nilas_buf_add_char(r->out, '}');
    r->bad = r->bad || found < wanted || at <= line.size;
}

static void read_csv(nilas_row *row) {
    reader r = {.row = row, .out = row->text};
    const nilas_json *schema = schema_of(row);
    if (schema == NULL || !nilas_row__options(row, 2, "from_csv", &r.options)) {
        return;
    }
    if (schema->kind != NILAS_JSON_OBJECT) {
        nilas_row__fail(row, "", "from_csv needs a schema of columns");
        return;
    }
    write_cells(&r, schema);
    finish_record(&r, schema);
}

/* --- schemas --- */

static void schema_of_json(nilas_row *row) {
    nilas_text_options options;
    nilas_json json;
    if (!nilas_row__options(row, 1, "schema_of_json", &options)) {
        return;
    }
    if (!parse_lenient(row, &options, &json)) {
        nilas_row__fail(row, "", "schema_of_json: '%.*s' is not JSON",
                        NILAS_FMT(nilas_row__text(row, 0)));
        return;
    }
    nilas_engine__print_json_schema(row->text, row->scratch, &json, false);
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
    if (nilas_timestamp_ntz_parse(text, false, &days)) {
        return "TIMESTAMP";
    }
    return nilas_str_is_nocase(text, "true") || nilas_str_is_nocase(text, "false") ? "BOOLEAN"
                                                                                   : "STRING";
}

static void schema_of_csv(nilas_row *row) {
    nilas_str line = nilas_row__text(row, 0);
    nilas_text_options options;
    size_t at = 0;
    if (!nilas_row__options(row, 1, "schema_of_csv", &options)) {
        return;
    }
    nilas_buf_add_text(row->text, "STRUCT<");
    for (size_t index = 0;; index++) {
        NILAS_AUTO_BUF field = NILAS_BUF_INIT(0);
        if (!next_cell(&options, line, &at, &field)) {
            break;
        }
        nilas_buf_print(row->text, "%s_c%zu: %s", index > 0 ? ", " : "", index,
                        csv_type(nilas_buf_view(&field)));
    }
    nilas_buf_add_char(row->text, '>');
    nilas_row__set_buffer(row);
}

const nilas_udf nilas_engine__read_text_functions[] = {
    {"nilas_schema_of_json", "sS>s", schema_of_json, 0, 0},
    {"nilas_schema_of_csv", "sS>s", schema_of_csv, 0, 0},
    {"nilas_read_json", "ssS>s", read_json, 0, 0},
    {"nilas_read_csv", "ssS>s", read_csv, 0, 0},
    {NULL, NULL, NULL, 0, 0},
};
