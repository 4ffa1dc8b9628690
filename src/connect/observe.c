/* What DataFrame.observe() measured, as literals of the protocol. */
#include "connect/plan.h"
#include "connect/server.h"

static nilas_code literal_of(nilas_arena *arena, const nilas_type *type, const nilas_value *value,
                             Sc__Expression__Literal **out, nilas_error *err);

/** Literals of values that have types of their own (a struct), or one type (an array). */
static nilas_code literals_of(nilas_arena *arena, const nilas_type *type, const nilas_value *value,
                              Sc__Expression__Literal ***out, nilas_error *err) {
    NILAS_NEW_ARRAY(arena, out, value->count, err);
    for (size_t i = 0; i < value->count; i++) {
        const nilas_type *item =
            type->fields[type->kind == NILAS_TYPE_STRUCT ? i : i % type->field_count].type;
        NILAS_TRY(literal_of(arena, item, &value->items[i], &(*out)[i], err));
    }
    return NILAS_OK;
}

static nilas_code struct_of(nilas_arena *arena, const nilas_type *type, const nilas_value *value,
                            Sc__Expression__Literal *literal, nilas_error *err) {
    NILAS_NEW(arena, &literal->struct_, err);
    sc__expression__literal__struct__init(literal->struct_);
    literal->literal_type_case = SC__EXPRESSION__LITERAL__LITERAL_TYPE_STRUCT;
    literal->struct_->n_elements = value->count;
    NILAS_TRY(nilas_connect__message_of_type(arena, type, &literal->struct_->struct_type, err));
    return literals_of(arena, type, value, &literal->struct_->elements, err);
}

static nilas_code array_of(nilas_arena *arena, const nilas_type *type, const nilas_value *value,
                           Sc__Expression__Literal *literal, nilas_error *err) {
    NILAS_NEW(arena, &literal->array, err);
    sc__expression__literal__array__init(literal->array);
    literal->literal_type_case = SC__EXPRESSION__LITERAL__LITERAL_TYPE_ARRAY;
    literal->array->n_elements = value->count;
    NILAS_TRY(nilas_connect__message_of_type(arena, type->fields[0].type,
                                             &literal->array->element_type, err));
    return literals_of(arena, type, value, &literal->array->elements, err);
}

/** Keys and values in turns become two lists. */
static nilas_code map_of(nilas_arena *arena, const nilas_type *type, const nilas_value *value,
                         Sc__Expression__Literal *literal, nilas_error *err) {
    Sc__Expression__Literal__Map *map;
    NILAS_NEW(arena, &map, err);
    sc__expression__literal__map__init(map);
    literal->map = map;
    literal->literal_type_case = SC__EXPRESSION__LITERAL__LITERAL_TYPE_MAP;
    NILAS_TRY(nilas_connect__message_of_type(arena, type->fields[0].type, &map->key_type, err));
    NILAS_TRY(nilas_connect__message_of_type(arena, type->fields[1].type, &map->value_type, err));
    NILAS_NEW_ARRAY(arena, &map->keys, value->count, err);
    NILAS_NEW_ARRAY(arena, &map->values, value->count, err);
    for (size_t i = 0; i < value->count; i++) {
        const nilas_value *pair = &value->items[2 * i];
        NILAS_TRY(literal_of(arena, type->fields[0].type, &pair[0], &map->keys[i], err));
        NILAS_TRY(literal_of(arena, type->fields[1].type, &pair[1], &map->values[i], err));
    }
    map->n_keys = map->n_values = value->count;
    return NILAS_OK;
}

static nilas_code decimal_of(nilas_arena *arena, const nilas_type *type, const nilas_value *value,
                             Sc__Expression__Literal *literal, nilas_error *err) {
    Sc__Expression__Literal__Decimal *decimal;
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(256);
    nilas_str copy;
    NILAS_NEW(arena, &decimal, err);
    sc__expression__literal__decimal__init(decimal);
    nilas_decimal_print(&text, value->decimal, value->scale);
    NILAS_TRY(nilas_buf_finish(&text, arena, &copy, err));
    decimal->value = (char *)(uintptr_t)copy.data;
    decimal->precision = type->precision;
    decimal->_precision_case = SC__EXPRESSION__LITERAL__DECIMAL___PRECISION_PRECISION;
    decimal->scale = type->scale;
    decimal->_scale_case = SC__EXPRESSION__LITERAL__DECIMAL___SCALE_SCALE;
    literal->decimal = decimal;
    literal->literal_type_case = SC__EXPRESSION__LITERAL__LITERAL_TYPE_DECIMAL;
    return NILAS_OK;
}

static nilas_code text_of(nilas_arena *arena, const nilas_value *value,
                          Sc__Expression__Literal *literal, nilas_error *err) {
    nilas_str copy;
    NILAS_TRY(nilas_str_copy(arena, value->text, &copy, err));
    if (value->kind == NILAS_VALUE_BINARY) {
        literal->binary.data = (uint8_t *)(uintptr_t)copy.data;
        literal->binary.len = copy.size;
        literal->literal_type_case = SC__EXPRESSION__LITERAL__LITERAL_TYPE_BINARY;
    } else {
        literal->string = (char *)(uintptr_t)copy.data;
        literal->literal_type_case = SC__EXPRESSION__LITERAL__LITERAL_TYPE_STRING;
    }
    return NILAS_OK;
}

/** Numbers and times: one integer under the name of its type. False: the type is none of them. */
static bool set_integer(const nilas_type *type, int64_t v, Sc__Expression__Literal *literal) {
#define SET(KIND, member, NAME)                                                                    \
    case NILAS_TYPE_##KIND:                                                                        \
        literal->member = (typeof(literal->member))v;                                              \
        literal->literal_type_case = SC__EXPRESSION__LITERAL__LITERAL_TYPE_##NAME;                 \
        return true
    switch (type->kind) {
        SET(TINYINT, byte, BYTE);
        SET(SMALLINT, short_, SHORT);
        SET(INT, integer, INTEGER);
        SET(BIGINT, long_, LONG);
        SET(DATE, date, DATE);
        SET(TIMESTAMP, timestamp, TIMESTAMP);
        SET(TIMESTAMP_NTZ, timestamp_ntz, TIMESTAMP_NTZ);
        SET(INTERVAL_YEAR_MONTH, year_month_interval, YEAR_MONTH_INTERVAL);
        SET(INTERVAL_DAY_TIME, day_time_interval, DAY_TIME_INTERVAL);
    default: return false;
    }
#undef SET
}

static nilas_code fill(nilas_arena *arena, const nilas_type *type, const nilas_value *value,
                       Sc__Expression__Literal *literal, nilas_error *err) {
    switch (value->kind) {
    case NILAS_VALUE_NULL:
        literal->literal_type_case = SC__EXPRESSION__LITERAL__LITERAL_TYPE_NULL;
        return nilas_connect__message_of_type(arena, type, &literal->null, err);
    case NILAS_VALUE_BOOL:
        literal->boolean = value->boolean;
        literal->literal_type_case = SC__EXPRESSION__LITERAL__LITERAL_TYPE_BOOLEAN;
        return NILAS_OK;
    case NILAS_VALUE_FLOAT:
        literal->float_ = (float)value->real;
        literal->literal_type_case = SC__EXPRESSION__LITERAL__LITERAL_TYPE_FLOAT;
        return NILAS_OK;
    case NILAS_VALUE_DOUBLE:
        literal->double_ = value->real;
        literal->literal_type_case = SC__EXPRESSION__LITERAL__LITERAL_TYPE_DOUBLE;
        return NILAS_OK;
    case NILAS_VALUE_DECIMAL: return decimal_of(arena, type, value, literal, err);
    case NILAS_VALUE_STRING:
    case NILAS_VALUE_BINARY: return text_of(arena, value, literal, err);
    case NILAS_VALUE_LIST: return array_of(arena, type, value, literal, err);
    case NILAS_VALUE_MAP: return map_of(arena, type, value, literal, err);
    case NILAS_VALUE_STRUCT: return struct_of(arena, type, value, literal, err);
    case NILAS_VALUE_INT: break;
    }
    NILAS_REQUIRE(set_integer(type, value->integer, literal), err, NILAS_UNSUPPORTED,
                  "a value of this type cannot be told as an observed metric");
    return NILAS_OK;
}

static nilas_code literal_of(nilas_arena *arena, const nilas_type *type, const nilas_value *value,
                             Sc__Expression__Literal **out, nilas_error *err) {
    NILAS_NEW(arena, out, err);
    sc__expression__literal__init(*out);
    return fill(arena, type, value, *out, err);
}

static nilas_code observed_of(nilas_arena *arena, const nilas_observation *observation,
                              Sc__ExecutePlanResponse__ObservedMetrics **out, nilas_error *err) {
    const nilas_type *type = observation->type;
    Sc__ExecutePlanResponse__ObservedMetrics *observed;
    NILAS_NEW(arena, &observed, err);
    sc__execute_plan_response__observed_metrics__init(observed);
    nilas_str copy;
    NILAS_TRY(nilas_str_copy(arena, observation->name, &copy, err));
    observed->name = (char *)(uintptr_t)copy.data;
    NILAS_NEW_ARRAY(arena, &observed->keys, type->field_count, err);
    for (size_t i = 0; i < type->field_count; i++) {
        NILAS_TRY(nilas_str_copy(arena, type->fields[i].name, &copy, err));
        observed->keys[observed->n_keys++] = (char *)(uintptr_t)copy.data;
    }
    NILAS_TRY(literals_of(arena, type, &observation->values, &observed->values, err));
    observed->n_values = observation->values.count;
    *out = observed;
    return NILAS_OK;
}

nilas_code nilas_connect__send_observations(nilas_connect__operation *operation, nilas_arena *arena,
                                            const nilas_connect__observations *list,
                                            nilas_error *err) {
    if (list->count == 0) {
        return NILAS_OK;
    }
    Sc__ExecutePlanResponse response = SC__EXECUTE_PLAN_RESPONSE__INIT;
    NILAS_NEW_ARRAY(arena, &response.observed_metrics, list->count, err);
    for (size_t i = 0; i < list->count; i++) {
        NILAS_TRY(observed_of(arena, &list->items[i], &response.observed_metrics[i], err));
        response.n_observed_metrics++;
    }
    return nilas_connect__operation_emit(operation, &response, err);
}
