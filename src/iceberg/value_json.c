/* Single values as JSON (Appendix D): the defaults of columns. */
#include "iceberg/value.h"

static nilas_code wrong(const nilas_ice_type *type, const char *expected, nilas_error *err) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);

    nilas_ice_type_print(&text, type);
    return nilas_fail(err, NILAS_CORRUPT, "Cannot parse default as a %.*s value: expected %s",
                      NILAS_FMT(nilas_buf_view(&text)), expected);
}

/* ---- ISO dates and times --------------------------------------------------------------------- */

/** Exactly `count` digits at *position. */
static bool take_digits(nilas_str text, size_t *position, size_t count, int64_t *out) {
    int64_t v = 0;

    for (size_t i = 0; i < count; i++) {
        if (*position >= text.size || text.data[*position] < '0' || text.data[*position] > '9') {
            return false;
        }
        v = v * 10 + (text.data[(*position)++] - '0');
    }
    *out = v;
    return true;
}

static bool take_char(nilas_str text, size_t *position, char c) {
    if (*position >= text.size || text.data[*position] != c) {
        return false;
    }
    (*position)++;
    return true;
}

/** Four digits; with a sign up to seven, as in ISO-8601's expanded years. */
static bool take_year(nilas_str text, size_t *position, int64_t *year) {
    bool minus = take_char(text, position, '-');
    bool plus = !minus && take_char(text, position, '+');
    size_t digits = 4;

    while ((minus || plus) && digits < 7 && *position + digits < text.size &&
           text.data[*position + digits] != '-') {
        digits++;
    }
    if (!take_digits(text, position, digits, year)) {
        return false;
    }
    *year = minus ? -*year : *year;
    return true;
}

static bool take_date(nilas_str text, size_t *position, int64_t *days) {
    int64_t year;
    int64_t month;
    int64_t day;
    int32_t back_month;
    int32_t back_day;

    if (!take_year(text, position, &year) || !take_char(text, position, '-') ||
        !take_digits(text, position, 2, &month) || !take_char(text, position, '-') ||
        !take_digits(text, position, 2, &day) || month < 1 || month > 12 || day < 1) {
        return false;
    }
    // A day that its month lacks comes back as another one.
    *days = nilas_days_from_civil(year, (int32_t)month, (int32_t)day);
    nilas_civil_from_days(*days, &year, &back_month, &back_day);
    return back_month == month && back_day == day;
}

/** "HH:MM[:SS[.f…]]" in nanoseconds of the day. */
static bool take_time(nilas_str text, size_t *position, int64_t *nanos) {
    int64_t hour;
    int64_t minute;
    int64_t second = 0;
    int64_t fraction = 0;

    if (!take_digits(text, position, 2, &hour) || !take_char(text, position, ':') ||
        !take_digits(text, position, 2, &minute) || hour > 23 || minute > 59) {
        return false;
    }
    if (take_char(text, position, ':') &&
        (!take_digits(text, position, 2, &second) || second > 59)) {
        return false;
    }
    if (take_char(text, position, '.')) {
        int64_t digit;
        int64_t unit = 100000000;
        for (; unit > 0 && take_digits(text, position, 1, &digit); unit /= 10) {
            fraction += digit * unit;
        }
    }
    *nanos = ((hour * 60 + minute) * 60 + second) * 1000000000 + fraction;
    return true;
}

static nilas_code parse_timestamp(const nilas_ice_type *type, nilas_str text, nilas_value *out,
                                  nilas_error *err) {
    bool nanos = type->kind == NILAS_ICE_TIMESTAMP_NS || type->kind == NILAS_ICE_TIMESTAMPTZ_NS;
    bool zoned = type->kind == NILAS_ICE_TIMESTAMPTZ || type->kind == NILAS_ICE_TIMESTAMPTZ_NS;
    int64_t units_per_day = nanos ? NILAS_MICROS_PER_DAY * 1000 : NILAS_MICROS_PER_DAY;
    size_t position = 0;
    int64_t days;
    int64_t nano_of_day;
    int64_t v;

    if (!take_date(text, &position, &days) || !take_char(text, &position, 'T') ||
        !take_time(text, &position, &nano_of_day)) {
        return wrong(type, "an ISO-8601 timestamp", err);
    }
    nilas_str rest = nilas_str_slice(text, position, SIZE_MAX);
    if (zoned ? !nilas_str_is(rest, "+00:00") && !nilas_str_is(rest, "Z") : rest.size > 0) {
        return wrong(type, zoned ? "a timestamp that ends in +00:00" : "a timestamp without zone",
                     err);
    }
    if (__builtin_mul_overflow(days, units_per_day, &v) ||
        __builtin_add_overflow(v, nanos ? nano_of_day : nano_of_day / 1000, &v)) {
        return wrong(type, "a timestamp within 64 bits", err);
    }
    *out = nilas_value_of_int(v);
    return NILAS_OK;
}

/* ---- text of other primitives ---------------------------------------------------------------- */

/** Hexadecimal digits to bytes; `skip` (or '\0') is passed over, as the dashes of a uuid. */
static nilas_code parse_hex(nilas_arena *arena, const nilas_ice_type *type, nilas_str text,
                            char skip, nilas_value *out, nilas_error *err) {
    char *bytes;
    size_t digits = 0;

    NILAS_NEW_ARRAY(arena, &bytes, text.size / 2 + 1, err);
    for (size_t i = 0; i < text.size; i++) {
        int digit = nilas_hex_digit(text.data[i]);
        if (text.data[i] == skip && skip != '\0') {
            continue;
        }
        if (digit < 0) {
            return wrong(type, "hexadecimal digits", err);
        }
        bytes[digits / 2] = (char)((uint8_t)bytes[digits / 2] << 4 | digit);
        digits++;
    }
    size_t expected = type->kind == NILAS_ICE_UUID    ? 16
                      : type->kind == NILAS_ICE_FIXED ? (size_t)type->length
                                                      : digits / 2;
    if (digits % 2 != 0 || digits / 2 != expected) {
        return wrong(type, "as many hexadecimal digits as the type has", err);
    }
    *out = nilas_value_of_bytes((nilas_str){.data = bytes, .size = digits / 2});
    return NILAS_OK;
}

static nilas_code parse_decimal(const nilas_ice_type *type, nilas_str text, nilas_value *out,
                                nilas_error *err) {
    nilas_int128 unscaled;
    nilas_int128 scaled;
    nilas_int128 back;
    uint32_t scale;

    if (!nilas_decimal_parse(text, &unscaled, &scale) ||
        !nilas_decimal_rescale(unscaled, scale, (uint32_t)type->scale, &scaled) ||
        !nilas_decimal_rescale(scaled, (uint32_t)type->scale, scale, &back) || back != unscaled ||
        nilas_decimal_digits(scaled) > (uint32_t)type->precision) {
        return wrong(type, "a decimal of its precision and scale", err);
    }
    *out = nilas_value_of_decimal(scaled, (uint32_t)type->scale);
    return NILAS_OK;
}

static nilas_code parse_text(nilas_arena *arena, const nilas_ice_type *type, nilas_str text,
                             nilas_value *out, nilas_error *err) {
    size_t position = 0;
    int64_t v;

    switch (type->kind) {
    case NILAS_ICE_STRING: *out = nilas_value_of_str(text); return NILAS_OK;
    case NILAS_ICE_DECIMAL: return parse_decimal(type, text, out, err);
    case NILAS_ICE_DATE:
        if (!take_date(text, &position, &v) || position != text.size || v < INT32_MIN ||
            v > INT32_MAX) {
            return wrong(type, "an ISO-8601 date", err);
        }
        *out = nilas_value_of_int(v);
        return NILAS_OK;
    case NILAS_ICE_TIME:
        if (!take_time(text, &position, &v) || position != text.size) {
            return wrong(type, "an ISO-8601 time", err);
        }
        *out = nilas_value_of_int(v / 1000);
        return NILAS_OK;
    case NILAS_ICE_UUID: return parse_hex(arena, type, text, '-', out, err);
    case NILAS_ICE_FIXED:
    case NILAS_ICE_BINARY: return parse_hex(arena, type, text, '\0', out, err);
    case NILAS_ICE_TIMESTAMP:
    case NILAS_ICE_TIMESTAMPTZ:
    case NILAS_ICE_TIMESTAMP_NS:
    case NILAS_ICE_TIMESTAMPTZ_NS: return parse_timestamp(type, text, out, err);
    default: return wrong(type, "another kind of JSON value than a string", err);
    }
}

static nilas_code parse_number(const nilas_ice_type *type, const nilas_json *json, nilas_value *out,
                               nilas_error *err) {
    double real = json->kind == NILAS_JSON_INT ? (double)json->integer : json->real;

    switch (type->kind) {
    case NILAS_ICE_INT:
        if (json->kind != NILAS_JSON_INT || json->integer < INT32_MIN ||
            json->integer > INT32_MAX) {
            return wrong(type, "a 32-bit integer", err);
        }
        *out = nilas_value_of_int(json->integer);
        return NILAS_OK;
    case NILAS_ICE_LONG:
        if (json->kind != NILAS_JSON_INT) {
            return wrong(type, "a 64-bit integer", err);
        }
        *out = nilas_value_of_int(json->integer);
        return NILAS_OK;
    case NILAS_ICE_FLOAT: *out = nilas_value_of_float((float)real); return NILAS_OK;
    case NILAS_ICE_DOUBLE: *out = nilas_value_of_double(real); return NILAS_OK;
    default: return wrong(type, "another kind of JSON value than a number", err);
    }
}

/* ---- nested values --------------------------------------------------------------------------- */

/** Members by field id; a field that the object leaves out takes its own default, else null. */
static nilas_code parse_struct(nilas_arena *arena, const nilas_ice_type *type,
                               const nilas_json *json, nilas_value *out, nilas_error *err) {
    nilas_value value = {.kind = NILAS_VALUE_STRUCT};

    if (json->kind != NILAS_JSON_OBJECT) {
        return wrong(type, "an object", err);
    }
    value.count = type->field_count;
    NILAS_NEW_ARRAY(arena, &value.items, type->field_count, err);
    for (size_t i = 0; i < type->field_count; i++) {
        const nilas_ice_field *field = &type->fields[i];
        nilas_str name;
        NILAS_TRY(nilas_str_print(arena, &name, err, "%d", field->id));
        const nilas_json *member = nilas_json_find(json, name.data);
        if (member != NULL) {
            NILAS_TRY(nilas_ice_value_parse(arena, field->type, member, &value.items[i], err));
        } else if (field->initial_default != NULL) {
            value.items[i] = *field->initial_default;
        }
    }
    *out = value;
    return NILAS_OK;
}

static nilas_code parse_list(nilas_arena *arena, const nilas_ice_type *type, const nilas_json *json,
                             nilas_value *out, nilas_error *err) {
    nilas_value value = {.kind = NILAS_VALUE_LIST};

    if (json->kind != NILAS_JSON_ARRAY) {
        return wrong(type, "an array", err);
    }
    value.count = json->count;
    NILAS_NEW_ARRAY(arena, &value.items, json->count, err);
    for (size_t i = 0; i < json->count; i++) {
        NILAS_TRY(nilas_ice_value_parse(arena, type->fields[0].type, &json->items[i],
                                        &value.items[i], err));
    }
    *out = value;
    return NILAS_OK;
}

static nilas_code parse_map(nilas_arena *arena, const nilas_ice_type *type, const nilas_json *json,
                            nilas_value *out, nilas_error *err) {
    nilas_value value = {.kind = NILAS_VALUE_MAP};
    const nilas_json *keys = nilas_json_find(json, "keys");
    const nilas_json *values = nilas_json_find(json, "values");

    if (keys == NULL || values == NULL || keys->kind != NILAS_JSON_ARRAY ||
        values->kind != NILAS_JSON_ARRAY || keys->count != values->count) {
        return wrong(type, "arrays \"keys\" and \"values\" of one length", err);
    }
    value.count = keys->count;
    NILAS_NEW_ARRAY(arena, &value.items, 2 * keys->count, err);
    for (size_t i = 0; i < keys->count; i++) {
        NILAS_TRY(nilas_ice_value_parse(arena, type->fields[0].type, &keys->items[i],
                                        &value.items[2 * i], err));
        NILAS_TRY(nilas_ice_value_parse(arena, type->fields[1].type, &values->items[i],
                                        &value.items[2 * i + 1], err));
    }
    *out = value;
    return NILAS_OK;
}

nilas_code nilas_ice_value_parse(nilas_arena *arena, const nilas_ice_type *type,
                                 const nilas_json *json, nilas_value *out, nilas_error *err) {
    if (json->kind == NILAS_JSON_NULL) {
        *out = NILAS_NULL_VALUE;
        return NILAS_OK;
    }
    switch (type->kind) {
    case NILAS_ICE_STRUCT: return parse_struct(arena, type, json, out, err);
    case NILAS_ICE_LIST: return parse_list(arena, type, json, out, err);
    case NILAS_ICE_MAP: return parse_map(arena, type, json, out, err);
    case NILAS_ICE_UNKNOWN:
    case NILAS_ICE_VARIANT:
    case NILAS_ICE_GEOMETRY:
    case NILAS_ICE_GEOGRAPHY:
        return wrong(type, "null, the only default that the type may have", err);
    case NILAS_ICE_BOOLEAN:
        if (json->kind != NILAS_JSON_BOOL) {
            return wrong(type, "true or false", err);
        }
        *out = nilas_value_of_bool(json->boolean);
        return NILAS_OK;
    default: break;
    }
    if (json->kind == NILAS_JSON_STRING) {
        return parse_text(arena, type, json->text, out, err);
    }
    if (json->kind == NILAS_JSON_INT || json->kind == NILAS_JSON_REAL) {
        return parse_number(type, json, out, err);
    }
    return wrong(type, "a JSON string or number", err);
}

/* ---- printing -------------------------------------------------------------------------------- */

static void print_nested(nilas_buf *out, const nilas_ice_type *type, const nilas_value *value) {
    if (type->kind == NILAS_ICE_STRUCT) {
        nilas_buf_add_text(out, "{");
        for (size_t i = 0; i < value->count; i++) {
            nilas_buf_print(out, "%s\"%d\":", i > 0 ? "," : "", type->fields[i].id);
            nilas_ice_value_print(out, type->fields[i].type, &value->items[i]);
        }
        nilas_buf_add_text(out, "}");
        return;
    }
    size_t lists = type->kind == NILAS_ICE_MAP ? 2 : 1;
    for (size_t list = 0; list < lists; list++) {
        nilas_buf_add_text(out, lists == 1 ? "" : list == 0 ? "{\"keys\":" : ",\"values\":");
        nilas_buf_add_text(out, "[");
        for (size_t i = 0; i < value->count; i++) {
            nilas_buf_add_text(out, i > 0 ? "," : "");
            nilas_ice_value_print(out, type->fields[list].type, &value->items[lists * i + list]);
        }
        nilas_buf_add_text(out, "]");
    }
    nilas_buf_add_text(out, lists == 2 ? "}" : "");
}

/** The text inside the quotes of a type whose values are JSON strings. */
static void print_quoted(nilas_buf *out, const nilas_ice_type *type, const nilas_value *value) {
    switch (type->kind) {
    case NILAS_ICE_DECIMAL: nilas_decimal_print(out, value->decimal, value->scale); break;
    case NILAS_ICE_DATE: nilas_iceberg__print_date(out, value->integer); break;
    case NILAS_ICE_TIME: nilas_iceberg__print_time(out, value->integer); break;
    case NILAS_ICE_TIMESTAMP:
    case NILAS_ICE_TIMESTAMPTZ:
        nilas_iceberg__print_timestamp(out, value->integer, NILAS_MICROS_PER_SECOND,
                                       type->kind == NILAS_ICE_TIMESTAMPTZ);
        break;
    case NILAS_ICE_TIMESTAMP_NS:
    case NILAS_ICE_TIMESTAMPTZ_NS:
        nilas_iceberg__print_timestamp(out, value->integer, NILAS_MICROS_PER_SECOND * 1000,
                                       type->kind == NILAS_ICE_TIMESTAMPTZ_NS);
        break;
    case NILAS_ICE_UUID: nilas_iceberg__print_uuid(out, value->text); break;
    default:
        for (size_t i = 0; i < value->text.size; i++) {
            nilas_buf_print(out, "%02x", (unsigned)(uint8_t)value->text.data[i]);
        }
        break;
    }
}

void nilas_ice_value_print(nilas_buf *out, const nilas_ice_type *type, const nilas_value *value) {
    if (nilas_value_is_null(value)) {
        nilas_buf_add_text(out, "null");
        return;
    }
    switch (type->kind) {
    case NILAS_ICE_BOOLEAN: nilas_buf_add_text(out, value->boolean ? "true" : "false"); break;
    case NILAS_ICE_INT:
    case NILAS_ICE_LONG: nilas_buf_print(out, "%lld", (long long)value->integer); break;
    case NILAS_ICE_FLOAT:
    case NILAS_ICE_DOUBLE: nilas_real_print(out, value->real, type->kind == NILAS_ICE_FLOAT); break;
    case NILAS_ICE_STRING: nilas_json_print_string(out, value->text); break;
    case NILAS_ICE_STRUCT:
    case NILAS_ICE_LIST:
    case NILAS_ICE_MAP: print_nested(out, type, value); break;
    default:
        nilas_buf_add_text(out, "\"");
        print_quoted(out, type, value);
        nilas_buf_add_text(out, "\"");
        break;
    }
}
