/** Literals of the protocol: values with their types, nested ones too. */
#include "connect/plan.h"

static nilas_code value_of(nilas_connect__plan *plan, const Sc__Expression__Literal *message,
                           int depth, const nilas_type **type, nilas_value *value);

static nilas_code refuse_deep(nilas_connect__plan *plan) {
    return nilas_fail(plan->err, NILAS_LIMIT, "a literal is nested deeper than %d levels",
                      NILAS_LIMIT_TYPE_DEPTH);
}

// ---- nested values ------------------------------------------------------------------------------

/** Literals of one list. */
typedef struct literals {
    Sc__Expression__Literal *const *items;
    size_t count;
} literals;

/* Values of one type; without a given type that of the first that has one counts. */
static nilas_code values_of(nilas_connect__plan *plan, literals list, int depth,
                            const nilas_type **type, nilas_value *values) {
    bool given = *type != NULL;
    for (size_t i = 0; i < list.count; i++) {
        const nilas_type *here;
        NILAS_TRY(value_of(plan, list.items[i], depth, &here, &values[i]));
        if (!given && (*type == NULL || (*type)->kind == NILAS_TYPE_VOID)) {
            *type = here;
        }
    }
    if (*type == NULL) {
        *type = nilas_type_of(NILAS_TYPE_VOID);
    }
    return NILAS_OK;
}

/* The type that the literal says of itself (newer clients), or NULL. */
static nilas_code own_type(nilas_connect__plan *plan, const Sc__Expression__Literal *message,
                           nilas_type_kind kind, const nilas_type **out) {
    *out = NULL;
    if (message->data_type != NULL) {
        NILAS_TRY(nilas_connect__type(plan, message->data_type, out));
        NILAS_REQUIRE((*out)->kind == kind, plan->err, NILAS_INVALID,
                      "the type of a literal of the plan is not that of its value");
    }
    return NILAS_OK;
}

static bool has_nulls(const nilas_value *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (nilas_value_is_null(&values[i])) {
            return true;
        }
    }
    return false;
}

static nilas_code array_of(nilas_connect__plan *plan, const Sc__Expression__Literal *message,
                           int depth, const nilas_type **type, nilas_value *value) {
    const Sc__Expression__Literal__Array *array = message->array;
    const nilas_type *own;
    const nilas_type *element = NULL;
    NILAS_TRY(own_type(plan, message, NILAS_TYPE_ARRAY, &own));
    if (own != NULL) {
        element = own->fields[0].type;
    } else if (array->element_type != NULL) {
        NILAS_TRY(nilas_connect__type(plan, array->element_type, &element));
    }
    nilas_value *items;
    NILAS_NEW_ARRAY(plan->stmt, &items, array->n_elements, plan->err);
    NILAS_TRY(
        values_of(plan, (literals){array->elements, array->n_elements}, depth, &element, items));
    *value = (nilas_value){.kind = NILAS_VALUE_LIST};
    value->items = items;
    value->count = array->n_elements;
    if (own != NULL) {
        *type = own;
        return NILAS_OK;
    }
    return nilas_type_array(plan->stmt, element, has_nulls(items, value->count), type, plan->err);
}

static nilas_code map_of(nilas_connect__plan *plan, const Sc__Expression__Literal *message,
                         int depth, const nilas_type **type, nilas_value *value) {
    const Sc__Expression__Literal__Map *map = message->map;
    const nilas_type *own;
    const nilas_type *types[2] = {NULL, NULL};
    NILAS_TRY(own_type(plan, message, NILAS_TYPE_MAP, &own));
    NILAS_REQUIRE(map->n_keys == map->n_values, plan->err, NILAS_INVALID,
                  "a map literal has %zu keys and %zu values", map->n_keys, map->n_values);
    if (own != NULL) {
        types[0] = own->fields[0].type;
        types[1] = own->fields[1].type;
    } else {
        if (map->key_type != NULL) {
            NILAS_TRY(nilas_connect__type(plan, map->key_type, &types[0]));
        }
        if (map->value_type != NULL) {
            NILAS_TRY(nilas_connect__type(plan, map->value_type, &types[1]));
        }
    }
    nilas_value *keys;
    nilas_value *values;
    nilas_value *pairs;
    NILAS_NEW_ARRAY(plan->stmt, &keys, map->n_keys, plan->err);
    NILAS_NEW_ARRAY(plan->stmt, &values, map->n_keys, plan->err);
    NILAS_NEW_ARRAY(plan->stmt, &pairs, 2 * map->n_keys, plan->err);
    NILAS_TRY(values_of(plan, (literals){map->keys, map->n_keys}, depth, &types[0], keys));
    NILAS_TRY(values_of(plan, (literals){map->values, map->n_keys}, depth, &types[1], values));
    for (size_t i = 0; i < map->n_keys; i++) {
        pairs[2 * i] = keys[i];
        pairs[2 * i + 1] = values[i];
    }
    *value = (nilas_value){.kind = NILAS_VALUE_MAP};
    value->items = pairs;
    value->count = map->n_keys;
    if (own != NULL) {
        *type = own;
        return NILAS_OK;
    }
    return nilas_type_map(plan->stmt, types[0], types[1], has_nulls(values, map->n_keys), type,
                          plan->err);
}

static nilas_code struct_of(nilas_connect__plan *plan, const Sc__Expression__Literal *message,
                            int depth, const nilas_type **type, nilas_value *value) {
    const Sc__Expression__Literal__Struct *record = message->struct_;
    NILAS_TRY(own_type(plan, message, NILAS_TYPE_STRUCT, type));
    if (*type == NULL) {
        NILAS_TRY(nilas_connect__type(plan, record->struct_type, type));
    }
    NILAS_REQUIRE((*type)->kind == NILAS_TYPE_STRUCT && (*type)->field_count == record->n_elements,
                  plan->err, NILAS_INVALID, "a struct literal of the plan has %zu values",
                  record->n_elements);
    *value = (nilas_value){.kind = NILAS_VALUE_STRUCT};
    NILAS_NEW_ARRAY(plan->stmt, &value->items, record->n_elements, plan->err);
    value->count = record->n_elements;
    for (size_t i = 0; i < record->n_elements; i++) {
        const nilas_type *ignored;
        NILAS_TRY(value_of(plan, record->elements[i], depth, &ignored, &value->items[i]));
    }
    return NILAS_OK;
}

/* Arrays of one primitive type, packed. */
static nilas_code packed_of(nilas_connect__plan *plan,
                            const Sc__Expression__Literal__SpecializedArray *array,
                            const nilas_type **type, nilas_value *value) {
    size_t count = 0;
    nilas_type_kind kind = NILAS_TYPE_VOID;
    // every member is a message whose values follow its base: a count and an array
    NILAS_REQUIRE(array->value_type_case !=
                          SC__EXPRESSION__LITERAL__SPECIALIZED_ARRAY__VALUE_TYPE__NOT_SET &&
                      array->bools != NULL,
                  plan->err, NILAS_INVALID, "an array literal of the plan has no values");
    switch (array->value_type_case) {
    case SC__EXPRESSION__LITERAL__SPECIALIZED_ARRAY__VALUE_TYPE_BOOLS:
        count = array->bools->n_values;
        kind = NILAS_TYPE_BOOLEAN;
        break;
    case SC__EXPRESSION__LITERAL__SPECIALIZED_ARRAY__VALUE_TYPE_INTS:
        count = array->ints->n_values;
        kind = NILAS_TYPE_INT;
        break;
    case SC__EXPRESSION__LITERAL__SPECIALIZED_ARRAY__VALUE_TYPE_LONGS:
        count = array->longs->n_values;
        kind = NILAS_TYPE_BIGINT;
        break;
    case SC__EXPRESSION__LITERAL__SPECIALIZED_ARRAY__VALUE_TYPE_FLOATS:
        count = array->floats->n_values;
        kind = NILAS_TYPE_FLOAT;
        break;
    case SC__EXPRESSION__LITERAL__SPECIALIZED_ARRAY__VALUE_TYPE_DOUBLES:
        count = array->doubles->n_values;
        kind = NILAS_TYPE_DOUBLE;
        break;
    default:
        count = array->strings->n_values;
        kind = NILAS_TYPE_STRING;
        break;
    }
    nilas_value *items;
    NILAS_NEW_ARRAY(plan->stmt, &items, count, plan->err);
    for (size_t i = 0; i < count; i++) {
        items[i] = kind == NILAS_TYPE_BOOLEAN  ? nilas_value_of_bool(array->bools->values[i])
                   : kind == NILAS_TYPE_INT    ? nilas_value_of_int(array->ints->values[i])
                   : kind == NILAS_TYPE_BIGINT ? nilas_value_of_int(array->longs->values[i])
                   : kind == NILAS_TYPE_FLOAT  ? nilas_value_of_float(array->floats->values[i])
                   : kind == NILAS_TYPE_DOUBLE
                       ? nilas_value_of_double(array->doubles->values[i])
                       : nilas_value_of_str(nilas_connect__text(array->strings->values[i]));
    }
    *value = (nilas_value){.kind = NILAS_VALUE_LIST};
    value->items = items;
    value->count = count;
    return nilas_type_array(plan->stmt, nilas_type_of(kind), false, type, plan->err);
}

// ---- single values ------------------------------------------------------------------------------

static nilas_code decimal_of(nilas_connect__plan *plan,
                             const Sc__Expression__Literal__Decimal *message,
                             const nilas_type **type, nilas_value *value) {
    nilas_int128 unscaled;
    uint32_t scale;
    nilas_str text = nilas_connect__text(message->value);
    NILAS_REQUIRE(nilas_decimal_parse(text, &unscaled, &scale) && scale <= 38, plan->err,
                  NILAS_INVALID, "\"%.*s\" is no decimal of at most 38 digits", NILAS_FMT(text));
    int32_t precision = (int32_t)nilas_decimal_digits(unscaled);
    int32_t wanted_scale = (int32_t)scale;
    if (message->_precision_case != SC__EXPRESSION__LITERAL__DECIMAL___PRECISION__NOT_SET &&
        message->precision > precision) {
        precision = message->precision;
    }
    if (message->_scale_case != SC__EXPRESSION__LITERAL__DECIMAL___SCALE__NOT_SET &&
        message->scale > wanted_scale) {
        wanted_scale = message->scale;
    }
    precision = precision > wanted_scale ? precision : wanted_scale;
    NILAS_REQUIRE(precision <= 38 &&
                      nilas_decimal_rescale(unscaled, scale, (uint32_t)wanted_scale, &unscaled),
                  plan->err, NILAS_INVALID, "there is no type decimal(%d,%d)", precision,
                  wanted_scale);
    *value = nilas_value_of_decimal(unscaled, (uint32_t)wanted_scale);
    return nilas_type_decimal(plan->stmt, precision, wanted_scale, type, plan->err);
}

static nilas_code time_of(nilas_connect__plan *plan, const Sc__Expression__Literal__Time *message,
                          const nilas_type **type, nilas_value *value) {
    NILAS_REQUIRE(message->nano % 1000 == 0 && message->nano >= 0 &&
                      message->nano < NILAS_MICROS_PER_DAY * 1000,
                  plan->err, NILAS_INVALID, "%lld is no time of day in microseconds",
                  (long long)message->nano);
    nilas_type *time;
    NILAS_NEW(plan->stmt, &time, plan->err);
    *time = *nilas_type_of(NILAS_TYPE_TIME);
    if (message->_precision_case != SC__EXPRESSION__LITERAL__TIME___PRECISION__NOT_SET) {
        time->precision = message->precision;
    }
    *value = nilas_value_of_int(message->nano / 1000);
    *type = time;
    return NILAS_OK;
}

static bool integer_of(const Sc__Expression__Literal *message, nilas_type_kind *kind,
                       int64_t *number) {
    switch (message->literal_type_case) {
    case SC__EXPRESSION__LITERAL__LITERAL_TYPE_BYTE:
        *kind = NILAS_TYPE_TINYINT;
        *number = (int8_t)message->byte;
        return true;
    case SC__EXPRESSION__LITERAL__LITERAL_TYPE_SHORT:
        *kind = NILAS_TYPE_SMALLINT;
        *number = (int16_t)message->short_;
        return true;
    case SC__EXPRESSION__LITERAL__LITERAL_TYPE_INTEGER:
        *kind = NILAS_TYPE_INT;
        *number = message->integer;
        return true;
    case SC__EXPRESSION__LITERAL__LITERAL_TYPE_LONG:
        *kind = NILAS_TYPE_BIGINT;
        *number = message->long_;
        return true;
    case SC__EXPRESSION__LITERAL__LITERAL_TYPE_DATE:
        *kind = NILAS_TYPE_DATE;
        *number = message->date;
        return true;
    case SC__EXPRESSION__LITERAL__LITERAL_TYPE_TIMESTAMP:
        *kind = NILAS_TYPE_TIMESTAMP;
        *number = message->timestamp;
        return true;
    case SC__EXPRESSION__LITERAL__LITERAL_TYPE_TIMESTAMP_NTZ:
        *kind = NILAS_TYPE_TIMESTAMP_NTZ;
        *number = message->timestamp_ntz;
        return true;
    default: return false;
    }
}

static nilas_code interval_of(nilas_connect__plan *plan, const Sc__Expression__Literal *message,
                              const nilas_type **type, nilas_value *value) {
    bool months =
        message->literal_type_case == SC__EXPRESSION__LITERAL__LITERAL_TYPE_YEAR_MONTH_INTERVAL;
    nilas_type_kind kind = months ? NILAS_TYPE_INTERVAL_YEAR_MONTH : NILAS_TYPE_INTERVAL_DAY_TIME;
    NILAS_TRY(own_type(plan, message, kind, type));
    *type = *type != NULL ? *type : nilas_type_of(kind);
    *value = nilas_value_of_int(months ? message->year_month_interval : message->day_time_interval);
    return NILAS_OK;
}

/* Members that are messages: none of them may be missing. */
static nilas_code compound_of(nilas_connect__plan *plan, const Sc__Expression__Literal *message,
                              int depth, const nilas_type **type, nilas_value *value) {
    if (message->literal_type_case == SC__EXPRESSION__LITERAL__LITERAL_TYPE__NOT_SET ||
        message->array == NULL) {
        return nilas_connect__missing(plan, "literal");
    }
    if (depth >= NILAS_LIMIT_TYPE_DEPTH) {
        return refuse_deep(plan);
    }
    switch (message->literal_type_case) {
    case SC__EXPRESSION__LITERAL__LITERAL_TYPE_NULL:
        *value = NILAS_NULL_VALUE;
        return nilas_connect__type(plan, message->null, type);
    case SC__EXPRESSION__LITERAL__LITERAL_TYPE_DECIMAL:
        return decimal_of(plan, message->decimal, type, value);
    case SC__EXPRESSION__LITERAL__LITERAL_TYPE_ARRAY:
        return array_of(plan, message, depth + 1, type, value);
    case SC__EXPRESSION__LITERAL__LITERAL_TYPE_MAP:
        return map_of(plan, message, depth + 1, type, value);
    case SC__EXPRESSION__LITERAL__LITERAL_TYPE_STRUCT:
        return struct_of(plan, message, depth + 1, type, value);
    case SC__EXPRESSION__LITERAL__LITERAL_TYPE_SPECIALIZED_ARRAY:
        return packed_of(plan, message->specialized_array, type, value);
    case SC__EXPRESSION__LITERAL__LITERAL_TYPE_TIME:
        return time_of(plan, message->time, type, value);
    default: return nilas_connect__refuse(plan, "A calendar interval inside another literal");
    }
}

static nilas_code value_of(nilas_connect__plan *plan, const Sc__Expression__Literal *message,
                           int depth, const nilas_type **type, nilas_value *value) {
    nilas_type_kind kind;
    int64_t number;
    if (message == NULL) {
        return nilas_connect__missing(plan, "literal");
    }
    if (integer_of(message, &kind, &number)) {
        *value = nilas_value_of_int(number);
        *type = nilas_type_of(kind);
        return NILAS_OK;
    }
    switch (message->literal_type_case) {
    case SC__EXPRESSION__LITERAL__LITERAL_TYPE_BINARY:
        *value = nilas_value_of_bytes(
            (nilas_str){.data = (const char *)message->binary.data, .size = message->binary.len});
        kind = NILAS_TYPE_BINARY;
        break;
    case SC__EXPRESSION__LITERAL__LITERAL_TYPE_BOOLEAN:
        *value = nilas_value_of_bool(message->boolean);
        kind = NILAS_TYPE_BOOLEAN;
        break;
    case SC__EXPRESSION__LITERAL__LITERAL_TYPE_FLOAT:
        *value = nilas_value_of_float(message->float_);
        kind = NILAS_TYPE_FLOAT;
        break;
    case SC__EXPRESSION__LITERAL__LITERAL_TYPE_DOUBLE:
        *value = nilas_value_of_double(message->double_);
        kind = NILAS_TYPE_DOUBLE;
        break;
    case SC__EXPRESSION__LITERAL__LITERAL_TYPE_STRING:
        *value = nilas_value_of_str(nilas_connect__text(message->string));
        kind = NILAS_TYPE_STRING;
        break;
    case SC__EXPRESSION__LITERAL__LITERAL_TYPE_YEAR_MONTH_INTERVAL:
    case SC__EXPRESSION__LITERAL__LITERAL_TYPE_DAY_TIME_INTERVAL:
        return interval_of(plan, message, type, value);
    default: return compound_of(plan, message, depth, type, value);
    }
    *type = nilas_type_of(kind);
    return NILAS_OK;
}

// ---- expressions --------------------------------------------------------------------------------

/* A calendar interval has no literal of its own in the tree: make_interval() of months, days and
 * seconds. */
static nilas_code calendar_interval(nilas_connect__plan *plan,
                                    const Sc__Expression__Literal__CalendarInterval *message,
                                    nilas_expr **out) {
    const int32_t amounts[] = {0, message->months, 0, message->days, 0, 0};
    const size_t count = sizeof(amounts) / sizeof(amounts[0]);
    nilas_expr *call;
    NILAS_TRY(nilas_connect__new_expr(plan, NILAS_EXPR_CALL, count + 1, &call));
    NILAS_NEW(plan->stmt, &call->parts, plan->err);
    call->parts[0] = NILAS_STR("make_interval");
    call->part_count = 1;
    for (size_t i = 0; i < count; i++) {
        NILAS_TRY(nilas_connect__literal_of_int(plan, NILAS_TYPE_INT, amounts[i], &call->args[i]));
    }
    nilas_expr *seconds;
    NILAS_TRY(nilas_connect__new_expr(plan, NILAS_EXPR_LITERAL, 0, &seconds));
    NILAS_TRY(nilas_type_decimal(plan->stmt, 18, 6, &seconds->type, plan->err));
    seconds->value = nilas_value_of_decimal(message->microseconds, 6);
    call->args[count] = seconds;
    *out = call;
    return NILAS_OK;
}

nilas_code nilas_connect__literal(nilas_connect__plan *plan, const Sc__Expression__Literal *message,
                                  nilas_expr **out) {
    if (message != NULL &&
        message->literal_type_case == SC__EXPRESSION__LITERAL__LITERAL_TYPE_CALENDAR_INTERVAL &&
        message->calendar_interval != NULL) {
        return calendar_interval(plan, message->calendar_interval, out);
    }
    nilas_expr *literal;
    NILAS_TRY(nilas_connect__new_expr(plan, NILAS_EXPR_LITERAL, 0, &literal));
    NILAS_TRY(value_of(plan, message, 0, &literal->type, &literal->value));
    *out = literal;
    return NILAS_OK;
}

nilas_code nilas_connect__literal_of_int(nilas_connect__plan *plan, nilas_type_kind kind,
                                         int64_t value, nilas_expr **out) {
    NILAS_TRY(nilas_connect__new_expr(plan, NILAS_EXPR_LITERAL, 0, out));
    (*out)->type = nilas_type_of(kind);
    (*out)->value = nilas_value_of_int(value);
    return NILAS_OK;
}
