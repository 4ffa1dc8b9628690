/** Printing of values as JSON, JSON paths and schema inference. */
#include "engine/json_text.h"

#include "tree/tree.h"

#include <stdlib.h>

#include "engine/pattern.h"

/* --- printing --- */

static void print_real(nilas_buf *out, const nilas_cell *cell, idx_t at) {
    double value = nilas_cell__real(cell, at);
    bool special = value != value || value - value != 0;
    nilas_buf_add_text(out, special ? "\"" : "");
    if (cell->type == DUCKDB_TYPE_FLOAT) {
        nilas_real_print(out, (float)value, true);
    } else {
        nilas_real_print(out, value, false);
    }
    nilas_buf_add_text(out, special ? "\"" : "");
}

/** BigDecimal.toString: with an exponent when the first digit stands behind six zeros. */
static void print_decimal(nilas_buf *out, nilas_int128 unscaled, uint32_t scale) {
    int32_t digits = (int32_t)nilas_decimal_digits(unscaled);
    int32_t exponent = digits - 1 - (int32_t)scale;
    if (exponent >= -6) {
        nilas_decimal_print(out, unscaled, scale);
        return;
    }
    nilas_decimal_print(out, unscaled, (uint32_t)(digits - 1));
    nilas_buf_print(out, "E%d", exponent);
}

static void print_date(nilas_row *row, const nilas_text_options *options, int64_t days) {
    char letter = 0;
    nilas_buf_add_char(row->text, '"');
    if (options->date_format.size == 0) {
        nilas_date_print(row->text, days);
    } else {
        (void)nilas_engine__format_time(row->text, options->date_format,
                                        days * NILAS_MICROS_PER_DAY, 0, NULL, &letter);
    }
    nilas_buf_add_char(row->text, '"');
}

/** yyyy-MM-dd'T'HH:mm:ss.SSSXXX; without an offset for local times. */
static void print_timestamp(nilas_row *row, const nilas_text_options *options, int64_t micros,
                            bool is_local) {
    char letter = 0;
    int32_t offset = is_local ? 0 : nilas_zone_offset_at(row->context->zone, micros);
    int64_t local = micros + offset * NILAS_MICROS_PER_SECOND;
    nilas_str pattern = is_local ? NILAS_STR("yyyy-MM-dd'T'HH:mm:ss.SSS")
                                 : NILAS_STR("yyyy-MM-dd'T'HH:mm:ss.SSSXXX");
    nilas_str given = is_local ? options->ntz_format : options->timestamp_format;
    pattern = given.size > 0 ? given : pattern;
    nilas_buf_add_char(row->text, '"');
    (void)nilas_engine__format_time(row->text, pattern, local, offset, row->context->zone, &letter);
    nilas_buf_add_char(row->text, '"');
}

static void print_list(nilas_row *row, const nilas_text_options *options, const nilas_cell *cell,
                       idx_t at) {
    duckdb_list_entry entry = nilas_cell__entry(cell, at);
    nilas_buf_add_char(row->text, '[');
    for (idx_t i = 0; i < entry.length; i++) {
        nilas_buf_add_text(row->text, i > 0 ? "," : "");
        nilas_engine__print_json(row, options, &cell->children[0], entry.offset + i);
    }
    nilas_buf_add_char(row->text, ']');
}

/** A key that is not text is printed and quoted. */
static void print_key(nilas_row *row, const nilas_text_options *options, const nilas_cell *key,
                      idx_t at) {
    if (key->type == DUCKDB_TYPE_VARCHAR || key->type == DUCKDB_TYPE_DATE ||
        key->type == DUCKDB_TYPE_TIMESTAMP || key->type == DUCKDB_TYPE_TIMESTAMP_TZ) {
        nilas_engine__print_json(row, options, key, at);
        return;
    }
    nilas_buf_add_char(row->text, '"');
    nilas_engine__print_json(row, options, key, at);
    nilas_buf_add_char(row->text, '"');
}

static void print_map(nilas_row *row, const nilas_text_options *options, const nilas_cell *cell,
                      idx_t at) {
    duckdb_list_entry entry = nilas_cell__entry(cell, at);
    const nilas_cell *pair = &cell->children[0];
    nilas_buf_add_char(row->text, '{');
    for (idx_t i = 0; i < entry.length; i++) {
        nilas_buf_add_text(row->text, i > 0 ? "," : "");
        print_key(row, options, &pair->children[0], entry.offset + i);
        nilas_buf_add_char(row->text, ':');
        nilas_engine__print_json(row, options, &pair->children[1], entry.offset + i);
    }
    nilas_buf_add_char(row->text, '}');
}

static void print_struct(nilas_row *row, const nilas_text_options *options, const nilas_cell *cell,
                         idx_t at) {
    bool first = true;
    nilas_buf_add_char(row->text, '{');
    for (size_t i = 0; i < cell->count; i++) {
        if (nilas_cell__is_null(&cell->children[i], at) && !options->keep_null_fields) {
            continue;
        }
        nilas_buf_add_text(row->text, first ? "" : ",");
        nilas_json_print_string(row->text, cell->children[i].name);
        nilas_buf_add_char(row->text, ':');
        nilas_engine__print_json(row, options, &cell->children[i], at);
        first = false;
    }
    nilas_buf_add_char(row->text, '}');
}

void nilas_engine__print_json(nilas_row *row, const nilas_text_options *options,
                              const nilas_cell *cell, idx_t at) {
    nilas_buf *out = row->text;
    if (nilas_cell__is_null(cell, at)) {
        nilas_buf_add_text(out, "null");
        return;
    }
    switch (cell->type) {
    case DUCKDB_TYPE_BOOLEAN:
        nilas_buf_add_text(out, nilas_cell__integer(cell, at) != 0 ? "true" : "false");
        return;
    case DUCKDB_TYPE_FLOAT:
    case DUCKDB_TYPE_DOUBLE: print_real(out, cell, at); return;
    case DUCKDB_TYPE_DECIMAL:
        print_decimal(out, nilas_cell__integer(cell, at), cell->scale);
        return;
    case DUCKDB_TYPE_VARCHAR: nilas_json_print_string(out, nilas_cell__text(cell, at)); return;
    case DUCKDB_TYPE_BLOB:
        nilas_buf_add_char(out, '"');
        nilas_buf_add_base64(out, nilas_cell__text(cell, at));
        nilas_buf_add_char(out, '"');
        return;
    case DUCKDB_TYPE_DATE: print_date(row, options, (int64_t)nilas_cell__integer(cell, at)); return;
    case DUCKDB_TYPE_TIMESTAMP:
    case DUCKDB_TYPE_TIMESTAMP_TZ:
        print_timestamp(row, options, (int64_t)nilas_cell__integer(cell, at),
                        cell->type == DUCKDB_TYPE_TIMESTAMP);
        return;
    case DUCKDB_TYPE_INTERVAL: {
        duckdb_interval interval = nilas_cell__interval(cell, at);
        nilas_buf_add_char(out, '"');
        nilas_interval_print_calendar(out, interval.months, interval.days, interval.micros);
        nilas_buf_add_char(out, '"');
        return;
    }
    case DUCKDB_TYPE_LIST: print_list(row, options, cell, at); return;
    case DUCKDB_TYPE_MAP: print_map(row, options, cell, at); return;
    case DUCKDB_TYPE_STRUCT: print_struct(row, options, cell, at); return;
    default: nilas_int128_print(out, nilas_cell__integer(cell, at)); return;
    }
}

/* --- paths --- */

/** A step of a path at `at`: a name or an index (or -1 for *). Returns the position behind it, or
 *  SIZE_MAX. */
static size_t read_step(nilas_str path, size_t at, nilas_str *out_name, int64_t *out_index) {
    *out_name = (nilas_str){0};
    if (path.data[at] == '.') {
        size_t end = at + 1;
        while (end < path.size && path.data[end] != '.' && path.data[end] != '[') {
            end++;
        }
        *out_name = nilas_str_slice(path, at + 1, end - at - 1);
        return end > at + 1 ? end : SIZE_MAX;
    }
    size_t close = path.data[at] == '[' ? nilas_str_find(path, NILAS_STR("]"), at) : SIZE_MAX;
    if (close == SIZE_MAX) {
        return SIZE_MAX;
    }
    nilas_str inside = nilas_str_trim(nilas_str_slice(path, at + 1, close - at - 1));
    bool quoted = inside.size >= 2 && (inside.data[0] == '\'' || inside.data[0] == '"');
    if (quoted) {
        *out_name = nilas_str_slice(inside, 1, inside.size - 2);
        return close + 1;
    }
    if (nilas_str_is(inside, "*")) {
        *out_index = -1;
        return close + 1;
    }
    return nilas_str_to_int64(inside, out_index) && *out_index >= 0 ? close + 1 : SIZE_MAX;
}

static const nilas_json *find_member(const nilas_json *json, nilas_str name) {
    for (size_t i = 0; json->kind == NILAS_JSON_OBJECT && i < json->count; i++) {
        if (nilas_str_equal(json->names[i], name)) {
            return &json->items[i];
        }
    }
    return NULL;
}

static const nilas_json *follow(nilas_arena *arena, const nilas_json *json, nilas_str path,
                                size_t at);

/** [*]: the rest of the path from each element; one hit stands alone, several make an array. */
static const nilas_json *follow_all(nilas_arena *arena, const nilas_json *json, nilas_str path,
                                    size_t at) {
    nilas_error err = NILAS_ERROR_INIT;
    void *memory = NULL;
    if (json->kind != NILAS_JSON_ARRAY ||
        nilas_arena_alloc_array(arena, json->count + 2, sizeof(nilas_json), &memory, &err) !=
            NILAS_OK) {
        return NULL;
    }
    nilas_json *list = memory;
    *list = (nilas_json){.kind = NILAS_JSON_ARRAY, .items = list + 1};
    for (size_t i = 0; i < json->count; i++) {
        const nilas_json *found = follow(arena, &json->items[i], path, at);
        if (found != NULL) {
            list->items[list->count++] = *found;
        }
    }
    return list->count == 0 ? NULL : list->count == 1 ? &list->items[0] : list;
}

static const nilas_json *follow(nilas_arena *arena, const nilas_json *json, nilas_str path,
                                size_t at) {
    while (at < path.size && json != NULL) {
        nilas_str name;
        int64_t index = 0;
        at = read_step(path, at, &name, &index);
        if (at == SIZE_MAX) {
            return NULL;
        }
        if (name.data != NULL) {
            json = find_member(json, name);
        } else if (index < 0) {
            return follow_all(arena, json, path, at);
        } else {
            json = json->kind == NILAS_JSON_ARRAY && (size_t)index < json->count
                       ? &json->items[index]
                       : NULL;
        }
    }
    return json;
}

const nilas_json *nilas_engine__follow_path(nilas_arena *arena, const nilas_json *json,
                                            nilas_str path) {
    return path.size > 0 && path.data[0] == '$' ? follow(arena, json, path, 1) : NULL;
}

/* --- schemas --- */

typedef enum shape_kind {
    SHAPE_NULL,
    SHAPE_BOOLEAN,
    SHAPE_BIGINT,
    SHAPE_DECIMAL,
    SHAPE_DOUBLE,
    SHAPE_STRING,
    SHAPE_ARRAY,
    SHAPE_OBJECT,
    SHAPE_MIXED
} shape_kind;

typedef struct shape shape;
struct shape {
    shape_kind kind;
    uint32_t precision, scale;
    nilas_str name;
    shape *element;
    shape **members;
    size_t count;
};

static shape *infer(nilas_arena *arena, const nilas_json *json, bool is_variant);

static shape *new_shape(nilas_arena *arena, shape_kind kind) {
    nilas_error err = NILAS_ERROR_INIT;
    void *memory = NULL;
    if (nilas_arena_alloc(arena, sizeof(shape), &memory, &err) != NILAS_OK) {
        return NULL;
    }
    shape *s = memory;
    s->kind = kind;
    return s;
}

static shape *merge(nilas_arena *arena, shape *a, shape *b, bool is_variant);

/** Members of both, sorted by name. */
static shape *merge_objects(nilas_arena *arena, shape *a, shape *b, bool is_variant) {
    nilas_error err = NILAS_ERROR_INIT;
    void *memory = NULL;
    shape *result = new_shape(arena, SHAPE_OBJECT);
    if (result == NULL || nilas_arena_alloc_array(arena, a->count + b->count + 1, sizeof(shape *),
                                                  &memory, &err) != NILAS_OK) {
        return a;
    }
    result->members = memory;
    size_t i = 0, j = 0;
    while (i < a->count || j < b->count) {
        int order = i == a->count   ? 1
                    : j == b->count ? -1
                                    : nilas_str_compare(a->members[i]->name, b->members[j]->name);
        if (order == 0) {
            nilas_str name = a->members[i]->name;
            shape *both = merge(arena, a->members[i++], b->members[j++], is_variant);
            shape *copy = new_shape(arena, both->kind);
            *(copy != NULL ? copy : both) = *both;
            both = copy != NULL ? copy : both;
            both->name = name;
            result->members[result->count++] = both;
        } else {
            result->members[result->count++] = order < 0 ? a->members[i++] : b->members[j++];
        }
    }
    return result;
}

static shape *merge_same(nilas_arena *arena, shape *a, shape *b, bool is_variant) {
    if (a->kind == SHAPE_OBJECT) {
        return merge_objects(arena, a, b, is_variant);
    }
    if (a->kind == SHAPE_ARRAY) {
        a->element = merge(arena, a->element, b->element, is_variant);
    }
    if (a->kind == SHAPE_DECIMAL) {
        uint32_t left = a->precision - a->scale, right = b->precision - b->scale;
        a->scale = a->scale > b->scale ? a->scale : b->scale;
        a->precision = (left > right ? left : right) + a->scale;
    }
    return a;
}

static bool is_number(const shape *s) {
    return s->kind >= SHAPE_BIGINT && s->kind <= SHAPE_DOUBLE;
}

/** Two kinds of numbers; a bigint beside a decimal has 20 digits. */
static shape *merge_numbers(shape *a, shape *b) {
    shape *wider = a->kind > b->kind ? a : b;
    shape *other = wider == a ? b : a;
    if (wider->kind == SHAPE_DECIMAL && other->kind == SHAPE_BIGINT) {
        uint32_t digits = wider->precision - wider->scale;
        wider->precision = (digits > 20 ? digits : 20) + wider->scale;
    }
    return wider;
}

static shape *merge(nilas_arena *arena, shape *a, shape *b, bool is_variant) {
    if (a->kind == SHAPE_NULL) {
        return b;
    }
    if (b->kind == SHAPE_NULL) {
        return a;
    }
    if (a->kind == b->kind) {
        return merge_same(arena, a, b, is_variant);
    }
    if (is_number(a) && is_number(b)) {
        return merge_numbers(a, b);
    }
    return new_shape(arena, is_variant ? SHAPE_MIXED : SHAPE_STRING);
}

static shape *infer_object(nilas_arena *arena, const nilas_json *json, bool is_variant) {
    shape *result = new_shape(arena, SHAPE_OBJECT);
    for (size_t i = 0; result != NULL && i < json->count; i++) {
        nilas_error err = NILAS_ERROR_INIT;
        void *memory = NULL;
        shape *one = new_shape(arena, SHAPE_OBJECT);
        shape *member = infer(arena, &json->items[i], is_variant);
        if (one == NULL || member == NULL ||
            nilas_arena_alloc(arena, sizeof(shape *), &memory, &err) != NILAS_OK) {
            return result;
        }
        member->name = json->names[i];
        one->members = memory;
        one->members[one->count++] = member;
        result = merge_objects(arena, result, one, is_variant);
    }
    return result;
}

static shape *infer_real(nilas_arena *arena, const nilas_json *json, bool is_variant) {
    shape *s = new_shape(arena, SHAPE_DOUBLE);
    nilas_int128 unscaled = 0;
    uint32_t scale = 0;
    bool plain = is_variant && strpbrk(json->text.data, "eE") == NULL &&
                 nilas_decimal_parse(json->text, &unscaled, &scale);
    if (s != NULL && plain) {
        uint32_t digits = nilas_decimal_digits(unscaled);
        *s = (shape){
            .kind = SHAPE_DECIMAL, .precision = digits > scale ? digits : scale, .scale = scale};
    }
    return s;
}

static shape *infer(nilas_arena *arena, const nilas_json *json, bool is_variant) {
    switch (json->kind) {
    case NILAS_JSON_NULL: return new_shape(arena, SHAPE_NULL);
    case NILAS_JSON_BOOL: return new_shape(arena, SHAPE_BOOLEAN);
    case NILAS_JSON_INT: return new_shape(arena, SHAPE_BIGINT);
    case NILAS_JSON_REAL: return infer_real(arena, json, is_variant);
    case NILAS_JSON_STRING: return new_shape(arena, SHAPE_STRING);
    case NILAS_JSON_OBJECT: return infer_object(arena, json, is_variant);
    case NILAS_JSON_ARRAY: break;
    }
    shape *s = new_shape(arena, SHAPE_ARRAY);
    shape *element = new_shape(arena, SHAPE_NULL);
    for (size_t i = 0; s != NULL && element != NULL && i < json->count; i++) {
        shape *next = infer(arena, &json->items[i], is_variant);
        element = next != NULL ? merge(arena, element, next, is_variant) : element;
    }
    if (s != NULL) {
        s->element = element;
    }
    return s;
}

static void print_shape(nilas_buf *out, const shape *s, bool is_variant) {
    switch (s->kind) {
    case SHAPE_NULL: nilas_buf_add_text(out, is_variant ? "VOID" : "STRING"); return;
    case SHAPE_BOOLEAN: nilas_buf_add_text(out, "BOOLEAN"); return;
    case SHAPE_BIGINT: nilas_buf_add_text(out, "BIGINT"); return;
    case SHAPE_DECIMAL: nilas_buf_print(out, "DECIMAL(%u,%u)", s->precision, s->scale); return;
    case SHAPE_DOUBLE: nilas_buf_add_text(out, "DOUBLE"); return;
    case SHAPE_STRING: nilas_buf_add_text(out, "STRING"); return;
    case SHAPE_MIXED: nilas_buf_add_text(out, "VARIANT"); return;
    case SHAPE_ARRAY:
        nilas_buf_add_text(out, "ARRAY<");
        print_shape(out, s->element, is_variant);
        nilas_buf_add_char(out, '>');
        return;
    case SHAPE_OBJECT:
        nilas_buf_add_text(out, is_variant ? "OBJECT<" : "STRUCT<");
        for (size_t i = 0; i < s->count; i++) {
            nilas_buf_print(out, "%s%.*s: ", i > 0 ? ", " : "", NILAS_FMT(s->members[i]->name));
            print_shape(out, s->members[i], is_variant);
        }
        nilas_buf_add_char(out, '>');
        return;
    }
}

void nilas_engine__print_json_schema(nilas_buf *out, nilas_arena *arena, const nilas_json *json,
                                     bool is_variant) {
    shape *s = infer(arena, json, is_variant);
    if (s != NULL) {
        print_shape(out, s, is_variant);
    }
}

void nilas_engine__print_variants_schema(nilas_buf *out, nilas_arena *arena,
                                         const nilas_json *values, size_t count) {
    shape *all = new_shape(arena, SHAPE_NULL);
    for (size_t i = 0; all != NULL && i < count; i++) {
        shape *next = infer(arena, &values[i], true);
        all = next != NULL ? merge(arena, all, next, true) : all;
    }
    if (all != NULL) {
        print_shape(out, all, true);
    }
}
