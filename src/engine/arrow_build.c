/* Arrow arrays of rows in memory, through nanoarrow's appenders. */
#include <nanoarrow/nanoarrow.h>

#include "engine/result.h"

static int append_value(struct ArrowArray *array, const nilas_type *type, const nilas_value *value);

static int append_decimal(struct ArrowArray *array, const nilas_type *type,
                          const nilas_value *value) {
    nilas_int128 unscaled = value->kind == NILAS_VALUE_DECIMAL ? value->decimal : value->integer;
    uint32_t scale = value->kind == NILAS_VALUE_DECIMAL ? value->scale : 0;
    if (!nilas_decimal_rescale(unscaled, scale, (uint32_t)type->scale, &unscaled)) {
        return EINVAL;
    }
    struct ArrowDecimal decimal;
    ArrowDecimalInit(&decimal, 128, type->precision, type->scale);
    decimal.words[decimal.low_word_index] = (uint64_t)unscaled;
    decimal.words[decimal.high_word_index] = (uint64_t)(unscaled >> 64);
    return ArrowArrayAppendDecimal(array, &decimal);
}

static int append_list(struct ArrowArray *array, const nilas_type *type, const nilas_value *value) {
    struct ArrowArray *child = array->children[0];
    for (size_t i = 0; i < value->count; i++) {
        if (type->kind == NILAS_TYPE_ARRAY) {
            NANOARROW_RETURN_NOT_OK(append_value(child, type->fields[0].type, &value->items[i]));
            continue;
        }
        NANOARROW_RETURN_NOT_OK(
            append_value(child->children[0], type->fields[0].type, &value->items[2 * i]));
        NANOARROW_RETURN_NOT_OK(
            append_value(child->children[1], type->fields[1].type, &value->items[2 * i + 1]));
        NANOARROW_RETURN_NOT_OK(ArrowArrayFinishElement(child));
    }
    return ArrowArrayFinishElement(array);
}

static int append_struct(struct ArrowArray *array, const nilas_type *type,
                         const nilas_value *value) {
    if (value->count != type->field_count) {
        return EINVAL;
    }
    for (size_t i = 0; i < value->count; i++) {
        NANOARROW_RETURN_NOT_OK(
            append_value(array->children[i], type->fields[i].type, &value->items[i]));
    }
    return ArrowArrayFinishElement(array);
}

/** Legacy intervals of microseconds, and months. */
static int append_interval(struct ArrowArray *array, const nilas_type *type, int64_t number) {
    struct ArrowInterval interval;
    bool is_months = type->kind == NILAS_TYPE_INTERVAL_YEAR_MONTH;
    ArrowIntervalInit(&interval, is_months ? NANOARROW_TYPE_INTERVAL_MONTHS
                                           : NANOARROW_TYPE_INTERVAL_MONTH_DAY_NANO);
    interval.months = is_months ? (int32_t)number : 0;
    interval.ns = is_months ? 0 : number * 1000;
    return ArrowArrayAppendInterval(array, &interval);
}

static int append_integer(struct ArrowArray *array, const nilas_type *type, int64_t number) {
    bool is_interval =
        type->kind == NILAS_TYPE_INTERVAL || type->kind == NILAS_TYPE_INTERVAL_YEAR_MONTH;
    return is_interval ? append_interval(array, type, number) : ArrowArrayAppendInt(array, number);
}

static int append_value(struct ArrowArray *array, const nilas_type *type,
                        const nilas_value *value) {
    if (value->kind == NILAS_VALUE_NULL) {
        return ArrowArrayAppendNull(array, 1);
    }
    if (type->kind == NILAS_TYPE_DECIMAL) {
        return append_decimal(array, type, value);
    }
    switch (value->kind) {
    case NILAS_VALUE_BOOL: return ArrowArrayAppendInt(array, value->boolean ? 1 : 0);
    case NILAS_VALUE_INT: return append_integer(array, type, value->integer);
    case NILAS_VALUE_FLOAT:
    case NILAS_VALUE_DOUBLE: return ArrowArrayAppendDouble(array, value->real);
    case NILAS_VALUE_STRING:
    case NILAS_VALUE_BINARY: {
        struct ArrowBufferView view = {.data.data = value->text.data,
                                       .size_bytes = (int64_t)value->text.size};
        return ArrowArrayAppendBytes(array, view);
    }
    case NILAS_VALUE_LIST:
    case NILAS_VALUE_MAP: return append_list(array, type, value);
    default: return append_struct(array, type, value);
    }
}

static int build_array(const struct ArrowSchema *schema, const nilas_type *type,
                       const nilas_value *values, size_t row_count, struct ArrowArray *array) {
    NANOARROW_RETURN_NOT_OK(ArrowArrayInitFromSchema(array, schema, NULL));
    NANOARROW_RETURN_NOT_OK(ArrowArrayStartAppending(array));
    for (size_t row = 0; row < row_count; row++) {
        for (size_t i = 0; i < type->field_count; i++) {
            NANOARROW_RETURN_NOT_OK(append_value(array->children[i], type->fields[i].type,
                                                 &values[row * type->field_count + i]));
        }
        NANOARROW_RETURN_NOT_OK(ArrowArrayFinishElement(array));
    }
    return ArrowArrayFinishBuildingDefault(array, NULL);
}

nilas_code nilas_arrow__build(const nilas_type *type, const nilas_value *values, size_t row_count,
                              struct ArrowArray *out, nilas_error *err) {
    struct ArrowSchema schema = {0};
    struct ArrowArray array = {0};
    NILAS_TRY(nilas_arrow__make_schema(type, &schema, err));
    int failed = build_array(&schema, type, values, row_count, &array);
    schema.release(&schema);
    if (failed != NANOARROW_OK) {
        if (array.release != NULL) {
            array.release(&array);
        }
        return failed == EINVAL
                   ? nilas_fail(err, NILAS_ENGINE, "a value does not fit the type of its column")
                   : nilas_fail(err, NILAS_NOMEM, "out of memory");
    }
    *out = array;
    return NILAS_OK;
}
