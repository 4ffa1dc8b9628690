/** Types of the protocol to Spark's types: of a client's plan, and of a far server's answer. */
#include "codec/codec.h"
#include "session/session.h"
#include "wire/wire.h"

/** How deep in a type, and who reads those that are given as text. */
typedef struct place {
    int depth;
    nilas_type_text_fn *text; // or NULL
} place;

static nilas_str text_of(const char *text) {
    return nilas_str_of(text != NULL ? text : "");
}

static nilas_code type_of(nilas_arena *arena, const Sc__DataType *message, place at,
                          const nilas_type **out, nilas_error *err);

static nilas_code fail_hole(nilas_error *err, const char *what) {
    return nilas_fail(err, NILAS_INVALID, "a data type of the plan lacks its %s", what);
}

nilas_code nilas_session_comment_of(nilas_arena *arena, nilas_str metadata, nilas_type_field *field,
                                    nilas_error *err) {
    if (nilas_str_find(metadata, NILAS_STR("\"comment\""), 0) == SIZE_MAX) {
        return NILAS_OK;
    }
    nilas_json json;
    nilas_str comment = {0};
    NILAS_TRY(nilas_json_parse(arena, metadata, "metadata of a field", &json, err));
    NILAS_TRY(nilas_json_find_str(&json, "comment", &comment, err));
    field->has_comment = comment.data != NULL;
    field->comment = comment;
    return NILAS_OK;
}

static nilas_code struct_of(nilas_arena *arena, const Sc__DataType__Struct *message, place at,
                            const nilas_type **out, nilas_error *err) {
    nilas_type_field *fields;
    NILAS_NEW_ARRAY(arena, &fields, message->n_fields, err);
    for (size_t i = 0; i < message->n_fields; i++) {
        const Sc__DataType__StructField *field = message->fields[i];
        fields[i].name = text_of(field->name);
        fields[i].nullable = field->nullable;
        NILAS_TRY(type_of(arena, field->data_type, at, &fields[i].type, err));
        if (field->_metadata_case != SC__DATA_TYPE__STRUCT_FIELD___METADATA__NOT_SET) {
            NILAS_TRY(nilas_session_comment_of(arena, text_of(field->metadata), &fields[i], err));
        }
    }
    return nilas_type_struct(arena, fields, message->n_fields, out, err);
}

static nilas_code decimal_of(nilas_arena *arena, const Sc__DataType__Decimal *message,
                             const nilas_type **out, nilas_error *err) {
    bool has_precision = message->_precision_case != SC__DATA_TYPE__DECIMAL___PRECISION__NOT_SET;
    bool has_scale = message->_scale_case != SC__DATA_TYPE__DECIMAL___SCALE__NOT_SET;
    int32_t precision = has_precision ? message->precision : 10;
    int32_t scale = has_scale ? message->scale : 0;
    NILAS_REQUIRE(precision >= 1 && precision <= 38 && scale >= 0 && scale <= precision, err,
                  NILAS_INVALID, "there is no type decimal(%d,%d)", precision, scale);
    return nilas_type_decimal(arena, precision, scale, out, err);
}

/* An interval type between two units of the same family; Spark numbers each family from 0. */
static nilas_code interval_of(nilas_arena *arena, nilas_type_kind kind, const int32_t fields[2],
                              const nilas_type **out, nilas_error *err) {
    bool months = kind == NILAS_TYPE_INTERVAL_YEAR_MONTH;
    int32_t last = months ? 1 : 3;
    int32_t base = months ? (int32_t)NILAS_UNIT_YEAR : (int32_t)NILAS_UNIT_DAY;
    NILAS_REQUIRE(fields[0] >= 0 && fields[0] <= fields[1] && fields[1] <= last, err, NILAS_INVALID,
                  "there is no interval type from unit %d to unit %d", fields[0], fields[1]);
    nilas_type *type;
    NILAS_NEW(arena, &type, err);
    *type = (nilas_type){.kind = kind,
                         .from_unit = (nilas_interval_unit)(base + fields[0]),
                         .to_unit = (nilas_interval_unit)(base + fields[1])};
    *out = type;
    return NILAS_OK;
}

static nilas_code sized_of(nilas_arena *arena, nilas_type_kind kind, int32_t size,
                           const nilas_type **out, nilas_error *err) {
    nilas_type *type;
    NILAS_NEW(arena, &type, err);
    *type = (nilas_type){.kind = kind};
    if (kind == NILAS_TYPE_TIME) {
        type->precision = size;
    } else {
        type->length = size;
    }
    *out = type;
    return NILAS_OK;
}

static nilas_code string_of(nilas_arena *arena, const Sc__DataType__String *message,
                            const nilas_type **out, nilas_error *err) {
    nilas_str collation = text_of(message->collation);
    *out = nilas_type_of(NILAS_TYPE_STRING);
    if (collation.size == 0 || nilas_str_is_nocase(collation, "UTF8_BINARY")) {
        return NILAS_OK;
    }
    nilas_type *type;
    NILAS_NEW(arena, &type, err);
    *type = (nilas_type){.kind = NILAS_TYPE_STRING, .collation = collation};
    *out = type;
    return NILAS_OK;
}

static nilas_code nested_of(nilas_arena *arena, const Sc__DataType *message, place at,
                            const nilas_type **out, nilas_error *err) {
    const nilas_type *inner[2];
    switch (message->kind_case) {
    case SC__DATA_TYPE__KIND_ARRAY:
        NILAS_TRY(type_of(arena, message->array->element_type, at, &inner[0], err));
        return nilas_type_array(arena, inner[0], message->array->contains_null, out, err);
    case SC__DATA_TYPE__KIND_MAP:
        NILAS_TRY(type_of(arena, message->map->key_type, at, &inner[0], err));
        NILAS_TRY(type_of(arena, message->map->value_type, at, &inner[1], err));
        return nilas_type_map(arena, inner[0], inner[1], message->map->value_contains_null, out,
                              err);
    default: return struct_of(arena, message->struct_, at, out, err);
    }
}

static nilas_code interval_of_message(nilas_arena *arena, const Sc__DataType *message,
                                      const nilas_type **out, nilas_error *err) {
    if (message->kind_case == SC__DATA_TYPE__KIND_YEAR_MONTH_INTERVAL) {
        const Sc__DataType__YearMonthInterval *m = message->year_month_interval;
        bool from =
            m->_start_field_case != SC__DATA_TYPE__YEAR_MONTH_INTERVAL___START_FIELD__NOT_SET;
        bool to = m->_end_field_case != SC__DATA_TYPE__YEAR_MONTH_INTERVAL___END_FIELD__NOT_SET;
        int32_t start = from ? m->start_field : 0;
        const int32_t fields[2] = {start, to ? m->end_field : (from ? start : 1)};
        return interval_of(arena, NILAS_TYPE_INTERVAL_YEAR_MONTH, fields, out, err);
    }
    const Sc__DataType__DayTimeInterval *m = message->day_time_interval;
    bool from = m->_start_field_case != SC__DATA_TYPE__DAY_TIME_INTERVAL___START_FIELD__NOT_SET;
    bool to = m->_end_field_case != SC__DATA_TYPE__DAY_TIME_INTERVAL___END_FIELD__NOT_SET;
    int32_t start = from ? m->start_field : 0;
    const int32_t fields[2] = {start, to ? m->end_field : (from ? start : 3)};
    return interval_of(arena, NILAS_TYPE_INTERVAL_DAY_TIME, fields, out, err);
}

static nilas_code refused_type(const Sc__DataType *message, nilas_error *err) {
    const char *name = message->kind_case == SC__DATA_TYPE__KIND_UDT         ? "user-defined types"
                       : message->kind_case == SC__DATA_TYPE__KIND_GEOMETRY  ? "the type GEOMETRY"
                       : message->kind_case == SC__DATA_TYPE__KIND_GEOGRAPHY ? "the type GEOGRAPHY"
                                                                             : NULL;
    if (name == NULL) {
        return fail_hole(err, "kind");
    }
    return nilas_fail_at(err, NILAS_UNSUPPORTED, "UNSUPPORTED_FEATURE", -1,
                         "%s: not supported by nilas.", name);
}

static nilas_code parameterised_of(nilas_arena *arena, const Sc__DataType *message, place at,
                                   const nilas_type **out, nilas_error *err) {
    switch (message->kind_case) {
    case SC__DATA_TYPE__KIND_DECIMAL: return decimal_of(arena, message->decimal, out, err);
    case SC__DATA_TYPE__KIND_STRING: return string_of(arena, message->string, out, err);
    case SC__DATA_TYPE__KIND_CHAR:
        return sized_of(arena, NILAS_TYPE_CHAR, message->char_->length, out, err);
    case SC__DATA_TYPE__KIND_VAR_CHAR:
        return sized_of(arena, NILAS_TYPE_VARCHAR, message->var_char->length, out, err);
    case SC__DATA_TYPE__KIND_TIME: {
        bool has = message->time->_precision_case != SC__DATA_TYPE__TIME___PRECISION__NOT_SET;
        return sized_of(arena, NILAS_TYPE_TIME, has ? message->time->precision : 6, out, err);
    }
    case SC__DATA_TYPE__KIND_YEAR_MONTH_INTERVAL:
    case SC__DATA_TYPE__KIND_DAY_TIME_INTERVAL:
        return interval_of_message(arena, message, out, err);
    case SC__DATA_TYPE__KIND_ARRAY:
    case SC__DATA_TYPE__KIND_MAP:
    case SC__DATA_TYPE__KIND_STRUCT: return nested_of(arena, message, at, out, err);
    case SC__DATA_TYPE__KIND_UNPARSED:
        NILAS_REQUIRE(at.text != NULL, err, NILAS_UNSUPPORTED, "a data type is given as text: %s",
                      text_of(message->unparsed->data_type_string).data);
        return at.text(arena, text_of(message->unparsed->data_type_string), out, err);
    default: return refused_type(message, err);
    }
}

static const struct {
    Sc__DataType__KindCase message;
    nilas_type_kind type;
} plain_kinds[] = {
    {SC__DATA_TYPE__KIND_NULL, NILAS_TYPE_VOID},
    {SC__DATA_TYPE__KIND_BINARY, NILAS_TYPE_BINARY},
    {SC__DATA_TYPE__KIND_BOOLEAN, NILAS_TYPE_BOOLEAN},
    {SC__DATA_TYPE__KIND_BYTE, NILAS_TYPE_TINYINT},
    {SC__DATA_TYPE__KIND_SHORT, NILAS_TYPE_SMALLINT},
    {SC__DATA_TYPE__KIND_INTEGER, NILAS_TYPE_INT},
    {SC__DATA_TYPE__KIND_LONG, NILAS_TYPE_BIGINT},
    {SC__DATA_TYPE__KIND_FLOAT, NILAS_TYPE_FLOAT},
    {SC__DATA_TYPE__KIND_DOUBLE, NILAS_TYPE_DOUBLE},
    {SC__DATA_TYPE__KIND_DATE, NILAS_TYPE_DATE},
    {SC__DATA_TYPE__KIND_TIMESTAMP, NILAS_TYPE_TIMESTAMP},
    {SC__DATA_TYPE__KIND_TIMESTAMP_NTZ, NILAS_TYPE_TIMESTAMP_NTZ},
    {SC__DATA_TYPE__KIND_CALENDAR_INTERVAL, NILAS_TYPE_INTERVAL},
    {SC__DATA_TYPE__KIND_VARIANT, NILAS_TYPE_VARIANT},
};

static nilas_code type_of(nilas_arena *arena, const Sc__DataType *message, place at,
                          const nilas_type **out, nilas_error *err) {
    if (message == NULL) {
        return fail_hole(err, "kind");
    }
    NILAS_REQUIRE(at.depth < NILAS_LIMIT_TYPE_DEPTH, err, NILAS_LIMIT,
                  "a data type is nested deeper than %d levels", NILAS_LIMIT_TYPE_DEPTH);
    for (size_t i = 0; i < sizeof(plain_kinds) / sizeof(plain_kinds[0]); i++) {
        if (plain_kinds[i].message == message->kind_case) {
            *out = nilas_type_of(plain_kinds[i].type);
            return NILAS_OK;
        }
    }
    // every other member is a message, so that one test serves all
    if (message->kind_case != SC__DATA_TYPE__KIND__NOT_SET && message->struct_ == NULL) {
        return fail_hole(err, "kind");
    }
    at.depth++;
    return parameterised_of(arena, message, at, out, err);
}

nilas_code nilas_session_type_of_message(nilas_arena *arena, const Sc__DataType *message,
                                         nilas_type_text_fn *text, const nilas_type **out,
                                         nilas_error *err) {
    return type_of(arena, message, (place){.text = text}, out, err);
}
