/*
 * Binding Spark types to Arrow layouts, and reading single cells. Both are ours, but Arrow comes
 * from the engine.
 */
#include "print/column.h"

#include <stdlib.h>

static nilas_code bind(nilas_arena *arena, nilas_str name, const nilas_type *type,
                       const struct ArrowSchema *schema, nilas_print_column *out, nilas_error *err);

/** One-letter formats of numbers. */
static bool bind_number(char letter, nilas_print_column *out) {
    static const struct {
        char letter;
        nilas_print_layout layout;
        int32_t width;
    } known[] = {{'n', NILAS_LAYOUT_NULL, 0},    {'b', NILAS_LAYOUT_BIT, 0},
                 {'c', NILAS_LAYOUT_INTEGER, 1}, {'s', NILAS_LAYOUT_INTEGER, 2},
                 {'i', NILAS_LAYOUT_INTEGER, 4}, {'l', NILAS_LAYOUT_INTEGER, 8},
                 {'f', NILAS_LAYOUT_REAL, 4},    {'g', NILAS_LAYOUT_REAL, 8},
                 {'u', NILAS_LAYOUT_BYTES, 4},   {'z', NILAS_LAYOUT_BYTES, 4},
                 {'U', NILAS_LAYOUT_BYTES, 8},   {'Z', NILAS_LAYOUT_BYTES, 8}};

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (known[i].letter == letter) {
            out->layout = known[i].layout;
            out->width = known[i].width;
            return true;
        }
    }
    return false;
}

static int64_t unit_of(char letter) {
    return letter == 's'   ? 1
           : letter == 'm' ? 1000
           : letter == 'u' ? 1000000
           : letter == 'n' ? 1000000000
                           : 0;
}

/** "tdD", "tsu:UTC", "ttu", "tDu", "tiM", "tin". */
static bool bind_time(const char *format, nilas_print_column *out) {
    out->layout = NILAS_LAYOUT_INTEGER;
    out->width = 8;
    switch (format[1]) {
    case 'd': out->width = 4; return format[2] == 'D';
    case 's':
    case 'D': out->unit = unit_of(format[2]); return out->unit != 0;
    case 't':
        out->unit = unit_of(format[2]);
        out->width = out->unit >= 1000000 ? 8 : 4;
        return out->unit != 0;
    case 'i':
        if (format[2] == 'n') {
            out->layout = NILAS_LAYOUT_INTERVAL;
            return true;
        }
        out->width = 4;
        return format[2] == 'M';
    default: return false;
    }
}

static bool bind_layout(const char *format, nilas_print_column *out) {
    if (format[0] != '\0' && format[1] == '\0') {
        return bind_number(format[0], out);
    }
    switch (format[0]) {
    case 't': return bind_time(format, out);
    case 'w':
        out->layout = NILAS_LAYOUT_FIXED_BYTES;
        out->width = format[1] == ':' ? (int32_t)strtol(format + 2, NULL, 10) : 0;
        return out->width > 0;
    case 'd': {
        // "d:precision,scale": the scale is the type's; other widths are named behind another comma
        const char *comma = strchr(format, ',');
        out->layout = NILAS_LAYOUT_DECIMAL;
        return comma != NULL &&
               (strchr(comma + 1, ',') == NULL || strcmp(strchr(comma + 1, ','), ",128") == 0);
    }
    case '+':
        out->layout = format[1] == 's' ? NILAS_LAYOUT_STRUCT : NILAS_LAYOUT_LIST;
        out->width = format[1] == 'L' ? 8 : 4;
        return strchr("slLm", format[1]) != NULL && format[2] == '\0';
    default: return false;
    }
}

/** Which layouts may hold a type. */
static bool layout_fits(nilas_type_kind kind, nilas_print_layout layout) {
    switch (kind) {
    case NILAS_TYPE_VOID: return layout == NILAS_LAYOUT_NULL;
    case NILAS_TYPE_BOOLEAN: return layout == NILAS_LAYOUT_BIT;
    case NILAS_TYPE_TINYINT:
    case NILAS_TYPE_SMALLINT:
    case NILAS_TYPE_INT:
    case NILAS_TYPE_BIGINT:
    case NILAS_TYPE_DATE:
    case NILAS_TYPE_TIME:
    case NILAS_TYPE_TIMESTAMP:
    case NILAS_TYPE_TIMESTAMP_NTZ:
    case NILAS_TYPE_INTERVAL_YEAR_MONTH:
    case NILAS_TYPE_INTERVAL_DAY_TIME: return layout == NILAS_LAYOUT_INTEGER;
    case NILAS_TYPE_FLOAT:
    case NILAS_TYPE_DOUBLE: return layout == NILAS_LAYOUT_REAL;
    case NILAS_TYPE_DECIMAL: return layout == NILAS_LAYOUT_DECIMAL;
    case NILAS_TYPE_STRING:
    case NILAS_TYPE_CHAR:
    case NILAS_TYPE_VARCHAR:
    case NILAS_TYPE_VARIANT: return layout == NILAS_LAYOUT_BYTES;
    case NILAS_TYPE_BINARY:
        return layout == NILAS_LAYOUT_BYTES || layout == NILAS_LAYOUT_FIXED_BYTES;
    case NILAS_TYPE_INTERVAL: return layout == NILAS_LAYOUT_INTERVAL;
    case NILAS_TYPE_ARRAY:
    case NILAS_TYPE_MAP: return layout == NILAS_LAYOUT_LIST;
    case NILAS_TYPE_STRUCT: return layout == NILAS_LAYOUT_STRUCT;
    }
    return false;
}

static nilas_code refuse(const nilas_print_column *column, const struct ArrowSchema *schema,
                         nilas_error *err) {
    NILAS_AUTO_BUF type = {0};

    nilas_type_print(&type, column->type);
    nilas_buf_add_char(&type, '\0');
    return nilas_fail(err, NILAS_ENGINE, "column \"%.*s\": Arrow format \"%s\" does not hold a %s",
                      NILAS_FMT(column->name), schema->format,
                      type.data != NULL ? type.data : "type");
}

static nilas_code bind_children(nilas_arena *arena, const struct ArrowSchema *schema,
                                nilas_print_column *out, nilas_error *err) {
    const nilas_type *type = out->type;
    const struct ArrowSchema *owner = schema;
    nilas_print_column *parent = out;

    if (type->kind == NILAS_TYPE_MAP) { // map -> entries -> key, value
        if (schema->n_children != 1 || strcmp(schema->children[0]->format, "+s") != 0) {
            return refuse(out, schema, err);
        }
        NILAS_NEW(arena, &out->children, err);
        out->child_count = 1;
        parent = out->children;
        parent->layout = NILAS_LAYOUT_STRUCT;
        owner = schema->children[0];
    }
    if (owner->n_children != (int64_t)type->field_count) {
        return refuse(out, schema, err);
    }
    NILAS_NEW_ARRAY(arena, &parent->children, type->field_count, err);
    parent->child_count = type->field_count;
    for (size_t i = 0; i < type->field_count; i++) {
        const nilas_type_field *field = &type->fields[i];
        nilas_str name = type->kind == NILAS_TYPE_STRUCT ? field->name : out->name;
        NILAS_TRY(bind(arena, name, field->type, owner->children[i], &parent->children[i], err));
    }
    return NILAS_OK;
}

static nilas_code bind(nilas_arena *arena, nilas_str name, const nilas_type *type,
                       const struct ArrowSchema *schema, nilas_print_column *out,
                       nilas_error *err) {
    *out = (nilas_print_column){.name = name, .type = type, .scale = type->scale};

    if (schema->format == NULL || schema->dictionary != NULL || !bind_layout(schema->format, out)) {
        return refuse(out, schema, err);
    }
    if (out->layout == NILAS_LAYOUT_NULL) {
        return NILAS_OK; // an all-null column of any type
    }
    if (!layout_fits(type->kind, out->layout)) {
        return refuse(out, schema, err);
    }
    return type->field_count > 0 || type->kind == NILAS_TYPE_STRUCT
               ? bind_children(arena, schema, out, err)
               : NILAS_OK;
}

nilas_code nilas_print_columns_bind(nilas_arena *arena, const nilas_type *type,
                                    const struct ArrowSchema *schema, nilas_print_column *out,
                                    nilas_error *err) {
    nilas_assert(type->kind == NILAS_TYPE_STRUCT);
    return bind(arena, NILAS_STR("result"), type, schema, out, err);
}

nilas_code nilas_print_columns_of(nilas_arena *arena, nilas_result *result, nilas_print_column *out,
                                  nilas_error *err) {
    NILAS_AUTO_ARROW_SCHEMA schema = {0};
    NILAS_TRY(nilas_result_schema(result, &schema, err));
    return nilas_print_columns_bind(arena, nilas_result_type(result), &schema, out, err);
}

bool nilas_print_cell_is_null(const nilas_print_column *column, const struct ArrowArray *array,
                              int64_t row) {
    if (column->layout == NILAS_LAYOUT_NULL) {
        return true;
    }
    const uint8_t *valid =
        array->null_count != 0 && array->n_buffers > 0 ? array->buffers[0] : NULL;
    int64_t at = array->offset + row;
    return valid != NULL && (valid[at / 8] >> (at % 8) & 1) == 0;
}

int64_t nilas_print_cell_integer(const nilas_print_column *column, const struct ArrowArray *array,
                                 int64_t row) {
    int64_t at = array->offset + row;
    const void *data = array->buffers[1];

    if (column->layout == NILAS_LAYOUT_BIT) {
        return ((const uint8_t *)data)[at / 8] >> (at % 8) & 1;
    }
    switch (column->width) {
    case 1: return ((const int8_t *)data)[at];
    case 2: return ((const int16_t *)data)[at];
    case 4: return ((const int32_t *)data)[at];
    default: return ((const int64_t *)data)[at];
    }
}

double nilas_print_cell_real(const nilas_print_column *column, const struct ArrowArray *array,
                             int64_t row) {
    int64_t at = array->offset + row;
    return column->width == 4 ? (double)((const float *)array->buffers[1])[at]
                              : ((const double *)array->buffers[1])[at];
}

nilas_int128 nilas_print_cell_decimal(const struct ArrowArray *array, int64_t row) {
    nilas_int128 value;
    memcpy(&value, (const char *)array->buffers[1] + (array->offset + row) * 16,
           sizeof(value)); // may be unaligned
    return value;
}

/** Offsets of a variable-size cell. */
static void offsets(const nilas_print_column *column, const struct ArrowArray *array, int64_t row,
                    int64_t *first, int64_t *end) {
    int64_t at = array->offset + row;

    if (column->width == 8) {
        *first = ((const int64_t *)array->buffers[1])[at];
        *end = ((const int64_t *)array->buffers[1])[at + 1];
    } else {
        *first = ((const int32_t *)array->buffers[1])[at];
        *end = ((const int32_t *)array->buffers[1])[at + 1];
    }
}

nilas_str nilas_print_cell_bytes(const nilas_print_column *column, const struct ArrowArray *array,
                                 int64_t row) {
    if (column->layout == NILAS_LAYOUT_FIXED_BYTES) {
        const char *data = array->buffers[1];
        return (nilas_str){.data = data + (array->offset + row) * column->width,
                           .size = (size_t)column->width};
    }

    int64_t first, end;
    offsets(column, array, row, &first, &end);
    nilas_assert(first >= 0 && end >= first);
    const char *data = array->buffers[2];
    return (nilas_str){.data = data != NULL ? data + first : "", .size = (size_t)(end - first)};
}

void nilas_print_cell_list(const nilas_print_column *column, const struct ArrowArray *array,
                           int64_t row, int64_t *first, int64_t *end) {
    offsets(column, array, row, first, end);
    nilas_assert(*first >= 0 && *end >= *first);
}
