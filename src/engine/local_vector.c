/*
 * Arrow values into DuckDB's vectors, of any nesting. Where both lay values out alike they are
 * copied in one piece; text and lists go one by one.
 */
#include <nanoarrow/nanoarrow.h>

#include "engine/local.h"

/** One column's values on their way. */
typedef struct copying {
    const struct ArrowArrayView *view;
    const struct ArrowSchema *schema;
    const nilas_type *type;
    int64_t from, count;
    duckdb_vector vector;
    idx_t to;
    struct ArrowSchemaView shape;
} copying;

typedef nilas_code copy_fn(const copying *c, nilas_error *err);

static bool is_null(const copying *c, int64_t i) {
    return ArrowArrayViewIsNull(c->view, c->from + i) != 0;
}

/* --- nulls --- */

static void set_null(duckdb_vector vector, idx_t at, const nilas_type *type);

static void set_members_null(duckdb_vector vector, idx_t at, const nilas_type *type) {
    for (size_t i = 0; i < type->field_count; i++) {
        set_null(duckdb_struct_vector_get_child(vector, i), at, type->fields[i].type);
    }
}

static void set_null(duckdb_vector vector, idx_t at, const nilas_type *type) {
    duckdb_vector_ensure_validity_writable(vector);
    duckdb_validity_set_row_invalid(duckdb_vector_get_validity(vector), at);
    if (type->kind == NILAS_TYPE_STRUCT) {
        set_members_null(vector, at, type);
    } else if (type->kind == NILAS_TYPE_ARRAY || type->kind == NILAS_TYPE_MAP) {
        ((duckdb_list_entry *)duckdb_vector_get_data(vector))[at] =
            (duckdb_list_entry){.offset = duckdb_list_vector_get_size(vector)};
    }
}

static void copy_nulls(const copying *c) {
    for (int64_t i = 0; i < c->count; i++) {
        if (is_null(c, i)) {
            set_null(c->vector, c->to + (idx_t)i, c->type);
        }
    }
}

static nilas_code copy_void(const copying *c, nilas_error *err) {
    (void)err;
    for (int64_t i = 0; i < c->count; i++) {
        set_null(c->vector, c->to + (idx_t)i, c->type);
    }
    return NILAS_OK;
}

/* --- numbers --- */

static nilas_code copy_bytes(const copying *c, nilas_error *err) {
    (void)err;
    int64_t width = c->view->layout.element_size_bits[1] / 8;
    const uint8_t *source = c->view->buffer_views[1].data.as_uint8;
    uint8_t *target = duckdb_vector_get_data(c->vector);
    if (c->count > 0) {
        memcpy(target + (int64_t)c->to * width, source + (c->view->offset + c->from) * width,
               (size_t)(c->count * width));
    }
    copy_nulls(c);
    return NILAS_OK;
}

static nilas_code copy_booleans(const copying *c, nilas_error *err) {
    (void)err;
    bool *target = (bool *)duckdb_vector_get_data(c->vector) + c->to;
    for (int64_t i = 0; i < c->count; i++) {
        target[i] = ArrowArrayViewGetIntUnsafe(c->view, c->from + i) != 0;
    }
    copy_nulls(c);
    return NILAS_OK;
}

static nilas_code copy_halves(const copying *c, nilas_error *err) {
    (void)err;
    float *target = (float *)duckdb_vector_get_data(c->vector) + c->to;
    for (int64_t i = 0; i < c->count; i++) {
        target[i] = (float)ArrowArrayViewGetDoubleUnsafe(c->view, c->from + i);
    }
    copy_nulls(c);
    return NILAS_OK;
}

static int64_t floor_divide(int64_t value, int64_t by) {
    return value / by - (value % by < 0 ? 1 : 0);
}

/** Microseconds of a value of another unit; false when there are too many. */
static bool to_micros(int64_t value, enum ArrowTimeUnit unit, int64_t *out) {
    switch (unit) {
    case NANOARROW_TIME_UNIT_SECOND: return !__builtin_mul_overflow(value, 1000000, out);
    case NANOARROW_TIME_UNIT_MILLI: return !__builtin_mul_overflow(value, 1000, out);
    case NANOARROW_TIME_UNIT_NANO: *out = floor_divide(value, 1000); return true;
    default: *out = value; return true;
    }
}

static nilas_code copy_times(const copying *c, nilas_error *err) {
    int64_t *target = (int64_t *)duckdb_vector_get_data(c->vector) + c->to;
    for (int64_t i = 0; i < c->count; i++) {
        int64_t value = ArrowArrayViewGetIntUnsafe(c->view, c->from + i);
        if (!is_null(c, i) && !to_micros(value, c->shape.time_unit, &target[i])) {
            return nilas_fail_at(err, NILAS_INVALID, "ARITHMETIC_OVERFLOW", -1,
                                 "a time of the local relation does not fit into microseconds");
        }
    }
    copy_nulls(c);
    return NILAS_OK;
}

static nilas_code copy_date64(const copying *c, nilas_error *err) {
    (void)err;
    int32_t *target = (int32_t *)duckdb_vector_get_data(c->vector) + c->to;
    for (int64_t i = 0; i < c->count; i++) {
        int64_t millis = ArrowArrayViewGetIntUnsafe(c->view, c->from + i);
        target[i] = (int32_t)floor_divide(millis, 86400000);
    }
    copy_nulls(c);
    return NILAS_OK;
}

static nilas_code copy_intervals(const copying *c, nilas_error *err) {
    (void)err;
    duckdb_interval *target = (duckdb_interval *)duckdb_vector_get_data(c->vector) + c->to;
    struct ArrowInterval interval;
    ArrowIntervalInit(&interval, c->shape.type);
    for (int64_t i = 0; i < c->count; i++) {
        if (is_null(c, i)) {
            continue;
        }
        ArrowArrayViewGetIntervalUnsafe(c->view, c->from + i, &interval);
        target[i] = (duckdb_interval){.months = interval.months,
                                      .days = interval.days,
                                      .micros = (int64_t)interval.ms * 1000 +
                                                floor_divide(interval.ns, 1000)};
    }
    copy_nulls(c);
    return NILAS_OK;
}

/** The value of a decimal of 4 to 32 bytes, little endian, sign by the last; false: too large. */
static bool read_decimal(const uint8_t *bytes, size_t size, nilas_int128 *out) {
    nilas_int128 value = 0;
    memcpy(&value, bytes, size < sizeof(value) ? size : sizeof(value));
    if (size < sizeof(value)) {
        unsigned shift = (unsigned)(8 * (sizeof(value) - size));
        value = (nilas_int128)((nilas_uint128)value << shift) >> shift;
    }
    for (size_t i = sizeof(value); i < size; i++) {
        if (bytes[i] != (value < 0 ? 0xff : 0)) {
            return false;
        }
    }
    *out = value;
    return true;
}

static void write_decimal(duckdb_vector vector, idx_t at, int32_t precision, nilas_int128 value) {
    void *data = duckdb_vector_get_data(vector);
    if (precision <= 4) {
        ((int16_t *)data)[at] = (int16_t)value;
    } else if (precision <= 9) {
        ((int32_t *)data)[at] = (int32_t)value;
    } else if (precision <= 18) {
        ((int64_t *)data)[at] = (int64_t)value;
    } else {
        ((duckdb_hugeint *)data)[at] =
            (duckdb_hugeint){.lower = (uint64_t)value, .upper = (int64_t)(value >> 64)};
    }
}

static nilas_code copy_decimals(const copying *c, nilas_error *err) {
    size_t width = (size_t)c->view->layout.element_size_bits[1] / 8;
    const uint8_t *source = c->view->buffer_views[1].data.as_uint8;
    for (int64_t i = 0; i < c->count; i++) {
        nilas_int128 value = 0;
        if (is_null(c, i)) {
            set_null(c->vector, c->to + (idx_t)i, c->type);
            continue;
        }
        size_t at = (size_t)(c->view->offset + c->from + i) * width;
        if (!read_decimal(source + at, width, &value) ||
            nilas_decimal_digits(value) > (uint32_t)c->type->precision) {
            return nilas_fail_at(err, NILAS_INVALID, "NUMERIC_VALUE_OUT_OF_RANGE", -1,
                                 "a decimal of the local relation has more than %d digits",
                                 c->type->precision);
        }
        write_decimal(c->vector, c->to + (idx_t)i, c->type->precision, value);
    }
    return NILAS_OK;
}

/* --- text --- */

static nilas_code copy_text(const copying *c, nilas_error *err) {
    bool is_text = c->type->kind == NILAS_TYPE_STRING;
    for (int64_t i = 0; i < c->count; i++) {
        if (is_null(c, i)) {
            set_null(c->vector, c->to + (idx_t)i, c->type);
            continue;
        }
        struct ArrowBufferView bytes = ArrowArrayViewGetBytesUnsafe(c->view, c->from + i);
        nilas_str text = {.data = bytes.data.as_char, .size = (size_t)bytes.size_bytes};
        NILAS_REQUIRE(!is_text || nilas_str_is_utf8(text), err, NILAS_CORRUPT,
                      "a string of the local relation is not UTF-8");
        duckdb_unsafe_vector_assign_string_element_len(c->vector, c->to + (idx_t)i,
                                                       text.size > 0 ? text.data : "", text.size);
    }
    return NILAS_OK;
}

/* --- nested --- */

static nilas_code copy_struct(const copying *c, nilas_error *err) {
    if (c->type->field_count == 0) { // carried by an integer
        memset((int32_t *)duckdb_vector_get_data(c->vector) + c->to, 0,
               (size_t)c->count * sizeof(int32_t));
    }
    for (size_t i = 0; i < c->type->field_count; i++) {
        nilas_local_values members = {.view = c->view->children[i],
                                      .schema = c->schema->children[i],
                                      .type = c->type->fields[i].type,
                                      .from = c->view->offset + c->from,
                                      .count = c->count};
        NILAS_TRY(
            nilas_local__copy(&members, duckdb_struct_vector_get_child(c->vector, i), c->to, err));
    }
    copy_nulls(c);
    return NILAS_OK;
}

/** Entries [from, from + count) of a list's child, or of a map's keys and values. */
static nilas_code copy_entries(const copying *c, int64_t from, int64_t count, idx_t to,
                               nilas_error *err) {
    duckdb_vector child = duckdb_list_vector_get_child(c->vector);
    const struct ArrowArrayView *entries = c->view->children[0];
    const struct ArrowSchema *schema = c->schema->children[0];
    nilas_local_values values = {.view = entries,
                                 .schema = schema,
                                 .type = c->type->fields[0].type,
                                 .from = from,
                                 .count = count};
    if (c->type->kind == NILAS_TYPE_ARRAY) {
        return nilas_local__copy(&values, child, to, err);
    }
    values.from += entries->offset;
    for (size_t i = 0; i < 2; i++) {
        values.view = entries->children[i];
        values.schema = schema->children[i];
        values.type = c->type->fields[i].type;
        NILAS_TRY(nilas_local__copy(&values, duckdb_struct_vector_get_child(child, i), to, err));
    }
    return NILAS_OK;
}

static int64_t list_start(const copying *c, int64_t row) {
    return c->shape.type == NANOARROW_TYPE_FIXED_SIZE_LIST
               ? row * c->view->layout.child_size_elements
               : ArrowArrayViewListChildOffset(c->view, row);
}

static nilas_code copy_list(const copying *c, nilas_error *err) {
    duckdb_list_entry *target = duckdb_vector_get_data(c->vector);
    for (int64_t i = 0; i < c->count; i++) {
        idx_t at = c->to + (idx_t)i;
        if (is_null(c, i)) {
            set_null(c->vector, at, c->type);
            continue;
        }
        int64_t row = c->view->offset + c->from + i;
        int64_t from = list_start(c, row);
        int64_t count = list_start(c, row + 1) - from;
        idx_t to = duckdb_list_vector_get_size(c->vector);
        NILAS_REQUIRE(duckdb_list_vector_reserve(c->vector, to + (idx_t)count) == DuckDBSuccess &&
                          duckdb_list_vector_set_size(c->vector, to + (idx_t)count) ==
                              DuckDBSuccess,
                      err, NILAS_NOMEM, "out of memory for a list");
        target[at] = (duckdb_list_entry){.offset = to, .length = (idx_t)count};
        NILAS_TRY(copy_entries(c, from, count, to, err));
    }
    return NILAS_OK;
}

/** Each index of a dictionary is one value of it. */
static nilas_code copy_dictionary(const copying *c, nilas_error *err) {
    const struct ArrowArrayView *values = c->view->dictionary;
    for (int64_t i = 0; i < c->count; i++) {
        idx_t at = c->to + (idx_t)i;
        if (is_null(c, i)) {
            set_null(c->vector, at, c->type);
            continue;
        }
        int64_t index = ArrowArrayViewGetIntUnsafe(c->view, c->from + i);
        NILAS_REQUIRE(index >= 0 && index < values->length, err, NILAS_CORRUPT,
                      "the local relation has index %lld into a dictionary of %lld values",
                      (long long)index, (long long)values->length);
        nilas_local_values one = {.view = values,
                                  .schema = c->schema->dictionary,
                                  .type = c->type,
                                  .from = index,
                                  .count = 1};
        NILAS_TRY(nilas_local__copy(&one, c->vector, at, err));
    }
    return NILAS_OK;
}

static bool is_micros(const copying *c) {
    return c->shape.time_unit == NANOARROW_TIME_UNIT_MICRO &&
           c->shape.type != NANOARROW_TYPE_TIME32;
}

static copy_fn *copier_of(const copying *c) {
    switch (c->shape.type) {
    case NANOARROW_TYPE_NA: return copy_void;
    case NANOARROW_TYPE_BOOL: return copy_booleans;
    case NANOARROW_TYPE_HALF_FLOAT: return copy_halves;
    case NANOARROW_TYPE_DATE64: return copy_date64;
    case NANOARROW_TYPE_TIMESTAMP:
    case NANOARROW_TYPE_DURATION:
    case NANOARROW_TYPE_TIME32:
    case NANOARROW_TYPE_TIME64: return is_micros(c) ? copy_bytes : copy_times;
    case NANOARROW_TYPE_INTERVAL_DAY_TIME:
    case NANOARROW_TYPE_INTERVAL_MONTH_DAY_NANO: return copy_intervals;
    case NANOARROW_TYPE_STRUCT: return copy_struct;
    case NANOARROW_TYPE_LIST:
    case NANOARROW_TYPE_LARGE_LIST:
    case NANOARROW_TYPE_FIXED_SIZE_LIST:
    case NANOARROW_TYPE_MAP: return copy_list;
    default: break;
    }
    switch (c->type->kind) {
    case NILAS_TYPE_DECIMAL: return copy_decimals;
    case NILAS_TYPE_STRING:
    case NILAS_TYPE_BINARY: return copy_text;
    default: return copy_bytes;
    }
}

nilas_code nilas_local__copy(const nilas_local_values *values, duckdb_vector vector, idx_t to,
                             nilas_error *err) {
    copying c = {.view = values->view,
                 .schema = values->schema,
                 .type = values->type,
                 .from = values->from,
                 .count = values->count,
                 .vector = vector,
                 .to = to};
    if (c.schema->dictionary != NULL) {
        return copy_dictionary(&c, err);
    }
    int failed = ArrowSchemaViewInit(&c.shape, c.schema, NULL);
    nilas_assert(failed == NANOARROW_OK); // looked at when the type was found
    return copier_of(&c)(&c, err);
}
