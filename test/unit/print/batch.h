/** Arrow arrays and schemas made by hand from values, for tests of what prints them. */
#ifndef NILAS_TEST_SHELL_BATCH_H
#define NILAS_TEST_SHELL_BATCH_H

#include <stdlib.h>

#include "print/column.h"

#define UNUSED __attribute__((unused))

/** Memory of a whole test program: never freed before its end, so that tests read as tables. */
UNUSED static nilas_arena *made(void) {
    static nilas_arena *arena;
    if (arena == NULL) {
        arena = nilas_arena_new(NULL, 0);
    }
    return arena;
}

__attribute__((destructor, unused)) static void forget_made(void) {
    nilas_arena_free(made());
}

UNUSED static void *make(size_t count, size_t size) {
    nilas_error err = NILAS_ERROR_INIT;
    void *memory = NULL;
    nilas_assert(nilas_arena_alloc_array(made(), count, size, &memory, &err) == NILAS_OK);
    return memory;
}

UNUSED static const nilas_type *make_struct_type(size_t count, const char *const *names,
                                                 const nilas_type *const *types) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_type_field *fields = make(count + 1, sizeof(*fields));
    const nilas_type *type = NULL;
    for (size_t i = 0; i < count; i++) {
        fields[i] =
            (nilas_type_field){.name = nilas_str_of(names[i]), .type = types[i], .nullable = true};
    }
    nilas_assert(nilas_type_struct(made(), fields, count, &type, &err) == NILAS_OK);
    return type;
}

UNUSED static const nilas_type *make_decimal_type(int32_t precision, int32_t scale) {
    nilas_error err = NILAS_ERROR_INIT;
    const nilas_type *type = NULL;
    nilas_assert(nilas_type_decimal(made(), precision, scale, &type, &err) == NILAS_OK);
    return type;
}

UNUSED static const nilas_type *make_array_type(const nilas_type *element) {
    nilas_error err = NILAS_ERROR_INIT;
    const nilas_type *type = NULL;
    nilas_assert(nilas_type_array(made(), element, true, &type, &err) == NILAS_OK);
    return type;
}

UNUSED static const nilas_type *make_map_type(const nilas_type *key, const nilas_type *value) {
    nilas_error err = NILAS_ERROR_INIT;
    const nilas_type *type = NULL;
    nilas_assert(nilas_type_map(made(), key, value, true, &type, &err) == NILAS_OK);
    return type;
}

UNUSED static const nilas_type *make_interval_type(nilas_type_kind kind, nilas_interval_unit from,
                                                   nilas_interval_unit to) {
    nilas_type *type = make(1, sizeof(*type));
    *type = (nilas_type){.kind = kind, .from_unit = from, .to_unit = to};
    return type;
}

UNUSED static nilas_value make_nested(nilas_value_kind kind, size_t count,
                                      const nilas_value *items) {
    nilas_value value = {.kind = kind};
    bool map = kind == NILAS_VALUE_MAP;
    value.items = make(count + 1, sizeof(*items));
    value.count = map ? count / 2 : count;
    memcpy(value.items, items, count * sizeof(*items));
    return value;
}

#define ITEMS(...)                                                                                 \
    sizeof((nilas_value[]){__VA_ARGS__}) / sizeof(nilas_value), (nilas_value[]) {                  \
        __VA_ARGS__                                                                                \
    }
#define LIST(...)   make_nested(NILAS_VALUE_LIST, ITEMS(__VA_ARGS__))
#define STRUCT(...) make_nested(NILAS_VALUE_STRUCT, ITEMS(__VA_ARGS__))
#define MAP(...)    make_nested(NILAS_VALUE_MAP, ITEMS(__VA_ARGS__))
#define EMPTY_LIST  ((nilas_value){.kind = NILAS_VALUE_LIST})
#define EMPTY_MAP   ((nilas_value){.kind = NILAS_VALUE_MAP})
#define INT(v)      nilas_value_of_int(v)
#define TEXT(v)     nilas_value_of_str(NILAS_STR(v))
#define BYTES(v)    nilas_value_of_bytes(NILAS_STR(v))
#define NIL         NILAS_NULL_VALUE

// ---- schemas ------------------------------------------------------------------------------------

UNUSED static void keep_schema(struct ArrowSchema *schema) {
    schema->release = NULL;
}

UNUSED static void keep_array(struct ArrowArray *array) {
    array->release = NULL;
}

UNUSED static const char *format_of(const nilas_type *type) {
    static const char *const formats[] = {
        [NILAS_TYPE_VOID] = "n",
        [NILAS_TYPE_BOOLEAN] = "b",
        [NILAS_TYPE_TINYINT] = "c",
        [NILAS_TYPE_SMALLINT] = "s",
        [NILAS_TYPE_INT] = "i",
        [NILAS_TYPE_BIGINT] = "l",
        [NILAS_TYPE_FLOAT] = "f",
        [NILAS_TYPE_DOUBLE] = "g",
        [NILAS_TYPE_DECIMAL] = "d:38,10",
        [NILAS_TYPE_STRING] = "u",
        [NILAS_TYPE_CHAR] = "u",
        [NILAS_TYPE_VARCHAR] = "u",
        [NILAS_TYPE_BINARY] = "z",
        [NILAS_TYPE_DATE] = "tdD",
        [NILAS_TYPE_TIME] = "ttu",
        [NILAS_TYPE_TIMESTAMP] = "tsu:UTC",
        [NILAS_TYPE_TIMESTAMP_NTZ] = "tsu:",
        [NILAS_TYPE_INTERVAL_YEAR_MONTH] = "tiM",
        [NILAS_TYPE_INTERVAL_DAY_TIME] = "tDu",
        [NILAS_TYPE_INTERVAL] = "tin",
        [NILAS_TYPE_VARIANT] = "u",
        [NILAS_TYPE_ARRAY] = "+l",
        [NILAS_TYPE_MAP] = "+m",
        [NILAS_TYPE_STRUCT] = "+s",
    };
    return formats[type->kind];
}

UNUSED static struct ArrowSchema *make_schema(const nilas_type *type);

UNUSED static void make_schema_children(struct ArrowSchema *schema, const nilas_type *type) {
    schema->n_children = (int64_t)type->field_count;
    schema->children = make(type->field_count + 1, sizeof(*schema->children));
    for (size_t i = 0; i < type->field_count; i++) {
        schema->children[i] = make_schema(type->fields[i].type);
        schema->children[i]->name = type->fields[i].name.data;
    }
}

static struct ArrowSchema *make_schema(const nilas_type *type) {
    struct ArrowSchema *schema = make(1, sizeof(*schema));
    schema->format = format_of(type);
    schema->name = "";
    schema->flags = ARROW_FLAG_NULLABLE;
    schema->release = keep_schema;
    if (type->kind == NILAS_TYPE_MAP) {
        struct ArrowSchema *entries = make(1, sizeof(*entries));
        entries->format = "+s";
        entries->name = "entries";
        entries->release = keep_schema;
        make_schema_children(entries, type);
        entries->children[0]->flags = 0;
        schema->n_children = 1;
        schema->children = make(1, sizeof(*schema->children));
        schema->children[0] = entries;
    } else if (type->field_count > 0) {
        make_schema_children(schema, type);
    }
    return schema;
}

// ---- arrays -------------------------------------------------------------------------------------

/** Values that stand before the first one of every array, so that each has an offset. */
UNUSED static size_t lead = 3;

UNUSED static struct ArrowArray *make_array(const nilas_type *type, const nilas_value *values,
                                            size_t count);

UNUSED static struct ArrowArray *new_array(size_t count, int64_t buffers) {
    struct ArrowArray *array = make(1, sizeof(*array));
    array->length = (int64_t)count;
    array->null_count = -1;
    array->offset = (int64_t)lead;
    array->n_buffers = buffers;
    array->buffers = make(3, sizeof(*array->buffers));
    array->release = keep_array;
    return array;
}

UNUSED static const void *make_validity(const nilas_value *values, size_t count) {
    uint8_t *bits = make((count + lead) / 8 + 1, 1);
    for (size_t i = 0; i < count; i++) {
        size_t at = i + lead;
        bits[at / 8] |= (uint8_t)((nilas_value_is_null(&values[i]) ? 0 : 1) << at % 8);
    }
    return bits;
}

UNUSED static size_t width_of(const nilas_type *type) {
    static const size_t widths[] = {
        [NILAS_TYPE_TINYINT] = 1,
        [NILAS_TYPE_SMALLINT] = 2,
        [NILAS_TYPE_INT] = 4,
        [NILAS_TYPE_BIGINT] = 8,
        [NILAS_TYPE_FLOAT] = 4,
        [NILAS_TYPE_DOUBLE] = 8,
        [NILAS_TYPE_DECIMAL] = 16,
        [NILAS_TYPE_DATE] = 4,
        [NILAS_TYPE_TIME] = 8,
        [NILAS_TYPE_TIMESTAMP] = 8,
        [NILAS_TYPE_TIMESTAMP_NTZ] = 8,
        [NILAS_TYPE_INTERVAL_YEAR_MONTH] = 4,
        [NILAS_TYPE_INTERVAL_DAY_TIME] = 8,
    };
    return widths[type->kind];
}

UNUSED static void put_fixed(char *place, const nilas_type *type, const nilas_value *value) {
    float real = (float)value->real;
    switch (type->kind) {
    case NILAS_TYPE_FLOAT: memcpy(place, &real, sizeof(real)); return;
    case NILAS_TYPE_DOUBLE: memcpy(place, &value->real, 8); return;
    case NILAS_TYPE_DECIMAL: memcpy(place, &value->decimal, 16); return;
    default: memcpy(place, &value->integer, width_of(type)); return; // little endian
    }
}

UNUSED static struct ArrowArray *make_fixed(const nilas_type *type, const nilas_value *values,
                                            size_t count) {
    struct ArrowArray *array = new_array(count, 2);
    size_t width = width_of(type);
    char *data = make(count + lead, width > 0 ? width : 1);
    for (size_t i = 0; i < count; i++) {
        size_t at = i + lead;
        if (type->kind == NILAS_TYPE_BOOLEAN) {
            data[at / 8] = (char)(data[at / 8] | (values[i].boolean ? 1 << at % 8 : 0));
        } else if (!nilas_value_is_null(&values[i])) {
            put_fixed(data + at * width, type, &values[i]);
        }
    }
    array->buffers[1] = data;
    return array;
}

UNUSED static struct ArrowArray *make_bytes(const nilas_value *values, size_t count) {
    struct ArrowArray *array = new_array(count, 3);
    int32_t *offsets = make(count + lead + 1, sizeof(*offsets));
    int32_t size = 0;
    for (size_t i = 0; i < count; i++) {
        size += nilas_value_is_null(&values[i]) ? 0 : (int32_t)values[i].text.size;
        offsets[i + lead + 1] = size;
    }
    char *data = make((size_t)size + 1, 1);
    for (size_t i = 0; i < count; i++) {
        if (!nilas_value_is_null(&values[i]) && values[i].text.size > 0) {
            memcpy(data + offsets[i + lead], values[i].text.data, values[i].text.size);
        }
    }
    array->buffers[1] = offsets;
    array->buffers[2] = data;
    return array;
}

/** Arrays and maps: all items one after the other in the child. */
UNUSED static struct ArrowArray *make_list(const nilas_type *type, const nilas_value *values,
                                           size_t count) {
    struct ArrowArray *array = new_array(count, 2);
    int32_t *offsets = make(count + lead + 1, sizeof(*offsets));
    size_t total = 0;
    for (size_t i = 0; i < count; i++) {
        total += nilas_value_is_null(&values[i]) ? 0 : values[i].count;
        offsets[i + lead + 1] = (int32_t)total;
    }
    bool map = type->kind == NILAS_TYPE_MAP;
    nilas_value *items = make(total + 1, sizeof(*items));
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; !nilas_value_is_null(&values[i]) && k < values[i].count; k++) {
            items[at++] = map ? make_nested(NILAS_VALUE_STRUCT, 2, values[i].items + 2 * k)
                              : values[i].items[k];
        }
    }
    nilas_type *entries = make(1, sizeof(*entries));
    *entries = *type;
    entries->kind = NILAS_TYPE_STRUCT;
    array->buffers[1] = offsets;
    array->n_children = 1;
    array->children = make(1, sizeof(*array->children));
    array->children[0] = make_array(map ? entries : type->fields[0].type, items, total);
    return array;
}

/** A struct's children hold lead more values, because its offset counts for them, too. */
UNUSED static struct ArrowArray *make_struct(const nilas_type *type, const nilas_value *values,
                                             size_t count) {
    struct ArrowArray *array = new_array(count, 1);
    array->n_children = (int64_t)type->field_count;
    array->children = make(type->field_count + 1, sizeof(*array->children));
    for (size_t i = 0; i < type->field_count; i++) {
        nilas_value *column = make(count + lead, sizeof(*column));
        for (size_t row = 0; row < count; row++) {
            column[row + lead] = nilas_value_is_null(&values[row]) ? NIL : values[row].items[i];
        }
        array->children[i] = make_array(type->fields[i].type, column, count + lead);
    }
    return array;
}

UNUSED static struct ArrowArray *make_intervals(const nilas_value *values, size_t count) {
    struct ArrowArray *array = new_array(count, 2);
    char *data = make(count + lead, 16);
    for (size_t i = 0; i < count; i++) {
        if (!nilas_value_is_null(&values[i])) { // a struct of months, days, microseconds
            int32_t months = (int32_t)values[i].items[0].integer;
            int32_t days = (int32_t)values[i].items[1].integer;
            int64_t nanos = values[i].items[2].integer * 1000;
            memcpy(data + (i + lead) * 16, &months, 4);
            memcpy(data + (i + lead) * 16 + 4, &days, 4);
            memcpy(data + (i + lead) * 16 + 8, &nanos, 8);
        }
    }
    array->buffers[1] = data;
    return array;
}

static struct ArrowArray *make_array(const nilas_type *type, const nilas_value *values,
                                     size_t count) {
    struct ArrowArray *array;
    switch (type->kind) {
    case NILAS_TYPE_VOID: return new_array(count, 0);
    case NILAS_TYPE_STRING:
    case NILAS_TYPE_CHAR:
    case NILAS_TYPE_VARCHAR:
    case NILAS_TYPE_VARIANT:
    case NILAS_TYPE_BINARY: array = make_bytes(values, count); break;
    case NILAS_TYPE_ARRAY:
    case NILAS_TYPE_MAP: array = make_list(type, values, count); break;
    case NILAS_TYPE_STRUCT: array = make_struct(type, values, count); break;
    case NILAS_TYPE_INTERVAL: array = make_intervals(values, count); break;
    default: array = make_fixed(type, values, count); break;
    }
    array->buffers[0] = make_validity(values, count);
    return array;
}

#endif
