/** Spark's types as messages of the protocol. */
#include "connect/plan.h"

#include "codec/codec.h"

static nilas_code text_of(nilas_arena *arena, nilas_str text, char **out, nilas_error *err) {
    nilas_str copy;
    NILAS_TRY(nilas_str_copy(arena, text, &copy, err));
    *out = (char *)(uintptr_t)copy.data;
    return NILAS_OK;
}

static nilas_code comment_metadata(nilas_arena *arena, nilas_str comment, char **out,
                                   nilas_error *err) {
    NILAS_AUTO_BUF json = NILAS_BUF_INIT(0);
    nilas_str text;
    nilas_buf_add_text(&json, "{\"comment\":");
    nilas_json_print_string(&json, comment);
    nilas_buf_add_char(&json, '}');
    NILAS_TRY(nilas_buf_finish(&json, arena, &text, err));
    *out = (char *)(uintptr_t)text.data;
    return NILAS_OK;
}

static nilas_code struct_message(nilas_arena *arena, const nilas_type *type,
                                 Sc__DataType__Struct **out, nilas_error *err) {
    Sc__DataType__Struct *message;
    NILAS_NEW(arena, &message, err);
    sc__data_type__struct__init(message);
    NILAS_NEW_ARRAY(arena, &message->fields, type->field_count, err);
    message->n_fields = type->field_count;
    for (size_t i = 0; i < type->field_count; i++) {
        const nilas_type_field *from = &type->fields[i];
        Sc__DataType__StructField *field;
        NILAS_NEW(arena, &field, err);
        sc__data_type__struct_field__init(field);
        NILAS_TRY(text_of(arena, from->name, &field->name, err));
        NILAS_TRY(nilas_connect__message_of_type(arena, from->type, &field->data_type, err));
        field->nullable = from->nullable;
        if (from->has_comment) {
            field->_metadata_case = SC__DATA_TYPE__STRUCT_FIELD___METADATA_METADATA;
            NILAS_TRY(comment_metadata(arena, from->comment, &field->metadata, err));
        }
        message->fields[i] = field;
    }
    *out = message;
    return NILAS_OK;
}

static nilas_code nested_message(nilas_arena *arena, const nilas_type *type, Sc__DataType *message,
                                 nilas_error *err) {
    if (type->kind == NILAS_TYPE_STRUCT) {
        message->kind_case = SC__DATA_TYPE__KIND_STRUCT;
        return struct_message(arena, type, &message->struct_, err);
    }
    if (type->kind == NILAS_TYPE_ARRAY) {
        message->kind_case = SC__DATA_TYPE__KIND_ARRAY;
        NILAS_NEW(arena, &message->array, err);
        sc__data_type__array__init(message->array);
        message->array->contains_null = type->fields[0].nullable;
        return nilas_connect__message_of_type(arena, type->fields[0].type,
                                              &message->array->element_type, err);
    }
    message->kind_case = SC__DATA_TYPE__KIND_MAP;
    NILAS_NEW(arena, &message->map, err);
    sc__data_type__map__init(message->map);
    message->map->value_contains_null = type->fields[1].nullable;
    NILAS_TRY(
        nilas_connect__message_of_type(arena, type->fields[0].type, &message->map->key_type, err));
    return nilas_connect__message_of_type(arena, type->fields[1].type, &message->map->value_type,
                                          err);
}

static nilas_code interval_message(nilas_arena *arena, const nilas_type *type,
                                   Sc__DataType *message, nilas_error *err) {
    if (type->kind == NILAS_TYPE_INTERVAL_YEAR_MONTH) {
        Sc__DataType__YearMonthInterval *m;
        NILAS_NEW(arena, &m, err);
        sc__data_type__year_month_interval__init(m);
        m->_start_field_case = SC__DATA_TYPE__YEAR_MONTH_INTERVAL___START_FIELD_START_FIELD;
        m->start_field = (int32_t)type->from_unit - (int32_t)NILAS_UNIT_YEAR;
        m->_end_field_case = SC__DATA_TYPE__YEAR_MONTH_INTERVAL___END_FIELD_END_FIELD;
        m->end_field = (int32_t)type->to_unit - (int32_t)NILAS_UNIT_YEAR;
        message->kind_case = SC__DATA_TYPE__KIND_YEAR_MONTH_INTERVAL;
        message->year_month_interval = m;
        return NILAS_OK;
    }
    Sc__DataType__DayTimeInterval *m;
    NILAS_NEW(arena, &m, err);
    sc__data_type__day_time_interval__init(m);
    m->_start_field_case = SC__DATA_TYPE__DAY_TIME_INTERVAL___START_FIELD_START_FIELD;
    m->start_field = (int32_t)type->from_unit - (int32_t)NILAS_UNIT_DAY;
    m->_end_field_case = SC__DATA_TYPE__DAY_TIME_INTERVAL___END_FIELD_END_FIELD;
    m->end_field = (int32_t)type->to_unit - (int32_t)NILAS_UNIT_DAY;
    message->kind_case = SC__DATA_TYPE__KIND_DAY_TIME_INTERVAL;
    message->day_time_interval = m;
    return NILAS_OK;
}

static nilas_code decimal_message(nilas_arena *arena, const nilas_type *type, Sc__DataType *message,
                                  nilas_error *err) {
    Sc__DataType__Decimal *m;
    NILAS_NEW(arena, &m, err);
    sc__data_type__decimal__init(m);
    m->_precision_case = SC__DATA_TYPE__DECIMAL___PRECISION_PRECISION;
    m->precision = type->precision;
    m->_scale_case = SC__DATA_TYPE__DECIMAL___SCALE_SCALE;
    m->scale = type->scale;
    message->kind_case = SC__DATA_TYPE__KIND_DECIMAL;
    message->decimal = m;
    return NILAS_OK;
}

static nilas_code text_message(nilas_arena *arena, const nilas_type *type, Sc__DataType *message,
                               nilas_error *err) {
    if (type->kind == NILAS_TYPE_CHAR) {
        NILAS_NEW(arena, &message->char_, err);
        sc__data_type__char__init(message->char_);
        message->char_->length = type->length;
        message->kind_case = SC__DATA_TYPE__KIND_CHAR;
        return NILAS_OK;
    }
    if (type->kind == NILAS_TYPE_VARCHAR) {
        NILAS_NEW(arena, &message->var_char, err);
        sc__data_type__var_char__init(message->var_char);
        message->var_char->length = type->length;
        message->kind_case = SC__DATA_TYPE__KIND_VAR_CHAR;
        return NILAS_OK;
    }
    NILAS_NEW(arena, &message->string, err);
    sc__data_type__string__init(message->string);
    message->kind_case = SC__DATA_TYPE__KIND_STRING;
    nilas_str collation = type->collation.size > 0 ? type->collation : NILAS_STR("UTF8_BINARY");
    return text_of(arena, collation, &message->string->collation, err);
}

static nilas_code time_message(nilas_arena *arena, const nilas_type *type, Sc__DataType *message,
                               nilas_error *err) {
    NILAS_NEW(arena, &message->time, err);
    sc__data_type__time__init(message->time);
    message->time->_precision_case = SC__DATA_TYPE__TIME___PRECISION_PRECISION;
    message->time->precision = type->precision;
    message->kind_case = SC__DATA_TYPE__KIND_TIME;
    return NILAS_OK;
}

/* Types without parameters: a message with nothing in it, of which any will do as a value. */
static const struct {
    nilas_type_kind type;
    Sc__DataType__KindCase message;
    const ProtobufCMessageDescriptor *descriptor;
} plain_kinds[] = {
    {NILAS_TYPE_VOID, SC__DATA_TYPE__KIND_NULL, &sc__data_type__null__descriptor},
    {NILAS_TYPE_BOOLEAN, SC__DATA_TYPE__KIND_BOOLEAN, &sc__data_type__boolean__descriptor},
    {NILAS_TYPE_TINYINT, SC__DATA_TYPE__KIND_BYTE, &sc__data_type__byte__descriptor},
    {NILAS_TYPE_SMALLINT, SC__DATA_TYPE__KIND_SHORT, &sc__data_type__short__descriptor},
    {NILAS_TYPE_INT, SC__DATA_TYPE__KIND_INTEGER, &sc__data_type__integer__descriptor},
    {NILAS_TYPE_BIGINT, SC__DATA_TYPE__KIND_LONG, &sc__data_type__long__descriptor},
    {NILAS_TYPE_FLOAT, SC__DATA_TYPE__KIND_FLOAT, &sc__data_type__float__descriptor},
    {NILAS_TYPE_DOUBLE, SC__DATA_TYPE__KIND_DOUBLE, &sc__data_type__double__descriptor},
    {NILAS_TYPE_BINARY, SC__DATA_TYPE__KIND_BINARY, &sc__data_type__binary__descriptor},
    {NILAS_TYPE_DATE, SC__DATA_TYPE__KIND_DATE, &sc__data_type__date__descriptor},
    {NILAS_TYPE_TIMESTAMP, SC__DATA_TYPE__KIND_TIMESTAMP, &sc__data_type__timestamp__descriptor},
    {NILAS_TYPE_TIMESTAMP_NTZ, SC__DATA_TYPE__KIND_TIMESTAMP_NTZ,
     &sc__data_type__timestamp_ntz__descriptor},
    {NILAS_TYPE_INTERVAL, SC__DATA_TYPE__KIND_CALENDAR_INTERVAL,
     &sc__data_type__calendar_interval__descriptor},
    {NILAS_TYPE_VARIANT, SC__DATA_TYPE__KIND_VARIANT, &sc__data_type__variant__descriptor},
};

static nilas_code plain_message(nilas_arena *arena, const nilas_type *type, Sc__DataType *message,
                                nilas_error *err) {
    for (size_t i = 0; i < sizeof(plain_kinds) / sizeof(plain_kinds[0]); i++) {
        if (plain_kinds[i].type == type->kind) {
            void *value;
            NILAS_TRY(
                nilas_arena_alloc(arena, plain_kinds[i].descriptor->sizeof_message, &value, err));
            protobuf_c_message_init(plain_kinds[i].descriptor, value);
            message->kind_case = plain_kinds[i].message;
            message->null = value; // the union's pointer, whichever member
            return NILAS_OK;
        }
    }
    return nilas_fail(err, NILAS_UNSUPPORTED, "a type that the protocol does not have");
}

nilas_code nilas_connect__message_of_type(nilas_arena *arena, const nilas_type *type,
                                          Sc__DataType **out, nilas_error *err) {
    Sc__DataType *message;
    NILAS_NEW(arena, &message, err);
    sc__data_type__init(message);
    switch (type->kind) {
    case NILAS_TYPE_ARRAY:
    case NILAS_TYPE_MAP:
    case NILAS_TYPE_STRUCT: NILAS_TRY(nested_message(arena, type, message, err)); break;
    case NILAS_TYPE_INTERVAL_YEAR_MONTH:
    case NILAS_TYPE_INTERVAL_DAY_TIME:
        NILAS_TRY(interval_message(arena, type, message, err));
        break;
    case NILAS_TYPE_DECIMAL: NILAS_TRY(decimal_message(arena, type, message, err)); break;
    case NILAS_TYPE_STRING:
    case NILAS_TYPE_CHAR:
    case NILAS_TYPE_VARCHAR: NILAS_TRY(text_message(arena, type, message, err)); break;
    case NILAS_TYPE_TIME: NILAS_TRY(time_message(arena, type, message, err)); break;
    default: NILAS_TRY(plain_message(arena, type, message, err)); break;
    }
    *out = message;
    return NILAS_OK;
}
