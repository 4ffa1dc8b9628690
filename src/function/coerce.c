/**
 * Spark's implicit casts: what two types widen to (TypeCoercion and AnsiTypeCoercion), what may be
 * cast implicitly, explicitly (Cast.canCast, canAnsiCast) and without loss (Cast.canUpCast).
 */
#include "function/coerce.h"
#include "function/function.h"
#include "function/precision.h"

static bool is_atomic(const nilas_type *t) {
    return t->kind >= NILAS_TYPE_BOOLEAN && t->kind <= NILAS_TYPE_INTERVAL_DAY_TIME;
}

static bool is_datetime(const nilas_type *t) {
    return t->kind == NILAS_TYPE_DATE || t->kind == NILAS_TYPE_TIMESTAMP ||
           t->kind == NILAS_TYPE_TIMESTAMP_NTZ;
}

static bool is_ansi_interval(const nilas_type *t) {
    return t->kind == NILAS_TYPE_INTERVAL_YEAR_MONTH || t->kind == NILAS_TYPE_INTERVAL_DAY_TIME;
}

/* --- common type --- */

/** Wider of two numeric types that are not decimals. */
static const nilas_type *common_number(const nilas_type *a, const nilas_type *b, bool ansi) {
    const nilas_type *wider = a->kind > b->kind ? a : b;
    if (ansi && wider->kind == NILAS_TYPE_FLOAT && a->kind != b->kind) {
        return nilas_type_of(NILAS_TYPE_DOUBLE); // an integral type and a float: no loss of digits
    }
    return wider;
}

static nilas_code common_interval(nilas_arena *arena, const nilas_type *a, const nilas_type *b,
                                  const nilas_type **out, nilas_error *err) {
    nilas_type *type;
    NILAS_NEW(arena, &type, err);
    *type = *a;
    type->from_unit = a->from_unit < b->from_unit ? a->from_unit : b->from_unit;
    type->to_unit = a->to_unit > b->to_unit ? a->to_unit : b->to_unit;
    *out = type;
    return NILAS_OK;
}

static const nilas_type *common_datetime(const nilas_type *a, const nilas_type *b) {
    if (a->kind == NILAS_TYPE_DATE) {
        return b;
    }
    return b->kind == NILAS_TYPE_DATE ? a : nilas_type_of(NILAS_TYPE_TIMESTAMP);
}

static bool is_real(const nilas_type *t) {
    return t->kind == NILAS_TYPE_FLOAT || t->kind == NILAS_TYPE_DOUBLE;
}

static nilas_code common_numeric(nilas_arena *arena, const nilas_type *a, const nilas_type *b,
                                 bool ansi, const nilas_type **out, nilas_error *err) {
    if (a->kind != NILAS_TYPE_DECIMAL && b->kind != NILAS_TYPE_DECIMAL) {
        *out = common_number(a, b, ansi);
        return NILAS_OK;
    }
    if (is_real(a) || is_real(b)) {
        *out = nilas_type_of(NILAS_TYPE_DOUBLE);
        return NILAS_OK;
    }
    nilas_precision p =
        nilas_function__decimal_wider(nilas_function__decimal_of(a), nilas_function__decimal_of(b));
    return nilas_type_decimal(arena, p.precision, p.scale, out, err);
}

nilas_code nilas_function__common_tight(nilas_arena *arena, const nilas_type *a,
                                        const nilas_type *b, bool ansi, const nilas_type **out,
                                        nilas_error *err) {
    *out = NULL;
    if (nilas_type_equal(a, b) || b->kind == NILAS_TYPE_VOID) {
        *out = a;
    } else if (a->kind == NILAS_TYPE_VOID) {
        *out = b;
    } else if (nilas_type_is_string(a) && nilas_type_is_string(b)) {
        *out = nilas_type_of(NILAS_TYPE_STRING);
    } else if (nilas_type_is_numeric(a) && nilas_type_is_numeric(b)) {
        return common_numeric(arena, a, b, ansi, out, err);
    } else if (is_datetime(a) && is_datetime(b)) {
        *out = common_datetime(a, b);
    } else if (is_ansi_interval(a) && a->kind == b->kind) {
        return common_interval(arena, a, b, out, err);
    }
    return NILAS_OK;
}

const nilas_type *nilas_function__common_with_string(const nilas_type *other, bool ansi) {
    if (!ansi) {
        return is_atomic(other) && other->kind != NILAS_TYPE_BINARY &&
                       other->kind != NILAS_TYPE_BOOLEAN
                   ? nilas_type_of(NILAS_TYPE_STRING)
                   : NULL;
    }
    if (nilas_type_is_integral(other)) {
        return nilas_type_of(NILAS_TYPE_BIGINT);
    }
    if (nilas_type_is_numeric(other)) {
        return nilas_type_of(NILAS_TYPE_DOUBLE);
    }
    return is_atomic(other) && !is_ansi_interval(other) ? other : NULL;
}

static nilas_code common_struct(nilas_arena *arena, const nilas_type *a, const nilas_type *b,
                                bool ansi, const nilas_type **out, nilas_error *err) {
    *out = NULL;
    if (a->field_count != b->field_count) {
        return NILAS_OK;
    }
    nilas_type_field *fields;
    NILAS_NEW_ARRAY(arena, &fields, a->field_count, err);
    for (size_t i = 0; i < a->field_count; i++) {
        fields[i] = a->fields[i];
        if (!nilas_str_equal_nocase(a->fields[i].name, b->fields[i].name)) {
            return NILAS_OK;
        }
        NILAS_TRY(nilas_type_common(arena, a->fields[i].type, b->fields[i].type, ansi,
                                    &fields[i].type, err));
        if (fields[i].type == NULL) {
            return NILAS_OK;
        }
        fields[i].nullable = a->fields[i].nullable || b->fields[i].nullable;
    }
    return nilas_type_struct(arena, fields, a->field_count, out, err);
}

static nilas_code common_nested(nilas_arena *arena, const nilas_type *a, const nilas_type *b,
                                bool ansi, const nilas_type **out, nilas_error *err) {
    const nilas_type *first, *second;
    *out = NULL;
    switch (a->kind) {
    case NILAS_TYPE_ARRAY:
        NILAS_TRY(
            nilas_type_common(arena, a->fields[0].type, b->fields[0].type, ansi, &first, err));
        return first == NULL
                   ? NILAS_OK
                   : nilas_type_array(arena, first, a->fields[0].nullable || b->fields[0].nullable,
                                      out, err);
    case NILAS_TYPE_MAP:
        NILAS_TRY(
            nilas_type_common(arena, a->fields[0].type, b->fields[0].type, ansi, &first, err));
        NILAS_TRY(
            nilas_type_common(arena, a->fields[1].type, b->fields[1].type, ansi, &second, err));
        return first == NULL || second == NULL
                   ? NILAS_OK
                   : nilas_type_map(arena, first, second,
                                    a->fields[1].nullable || b->fields[1].nullable, out, err);
    case NILAS_TYPE_STRUCT: return common_struct(arena, a, b, ansi, out, err);
    default: return NILAS_OK;
    }
}

nilas_code nilas_type_common(nilas_arena *arena, const nilas_type *a, const nilas_type *b,
                             bool ansi, const nilas_type **out, nilas_error *err) {
    NILAS_TRY(nilas_function__common_tight(arena, a, b, ansi, out, err));
    if (*out != NULL) {
        return NILAS_OK;
    }
    if (nilas_type_is_string(a) || nilas_type_is_string(b)) {
        *out = nilas_function__common_with_string(nilas_type_is_string(a) ? b : a, ansi);
        return NILAS_OK;
    }
    return a->kind == b->kind ? common_nested(arena, a, b, ansi, out, err) : NILAS_OK;
}

/* --- casts --- */

/** Whether `rule` allows the parts of two nested types of one kind. */
static bool all_parts(const nilas_type *from, const nilas_type *to, bool ansi,
                      bool (*rule)(const nilas_type *, const nilas_type *, bool)) {
    if (from->kind != to->kind || from->field_count != to->field_count) {
        return false;
    }
    for (size_t i = 0; i < from->field_count; i++) {
        if (!rule(from->fields[i].type, to->fields[i].type, ansi)) {
            return false;
        }
    }
    return from->kind == NILAS_TYPE_ARRAY || from->kind == NILAS_TYPE_MAP ||
           from->kind == NILAS_TYPE_STRUCT;
}

bool nilas_type_can_coerce(const nilas_type *from, const nilas_type *to, bool ansi) {
    if (nilas_type_equal(from, to) || from->kind == NILAS_TYPE_VOID) {
        return true;
    }
    if (nilas_type_is_string(from) || nilas_type_is_string(to)) {
        return is_atomic(from) && is_atomic(to);
    }
    if (nilas_type_is_numeric(from) && nilas_type_is_numeric(to)) {
        return true;
    }
    if (is_datetime(from) && is_datetime(to)) {
        return true;
    }
    if (is_ansi_interval(from) && from->kind == to->kind) {
        return true;
    }
    return all_parts(from, to, ansi, nilas_type_can_coerce);
}

static bool can_cast_from_string(const nilas_type *to) {
    return is_atomic(to) || to->kind == NILAS_TYPE_INTERVAL;
}

static bool can_cast_from_number(const nilas_type *from, const nilas_type *to, bool ansi) {
    if (nilas_type_is_numeric(to) || to->kind == NILAS_TYPE_BOOLEAN ||
        to->kind == NILAS_TYPE_TIMESTAMP) {
        return true;
    }
    if (is_ansi_interval(to)) {
        return to->from_unit == to->to_unit && from->kind != NILAS_TYPE_FLOAT &&
               from->kind != NILAS_TYPE_DOUBLE;
    }
    return !ansi && to->kind == NILAS_TYPE_BINARY && nilas_type_is_integral(from);
}

static bool can_cast_from_datetime(const nilas_type *from, const nilas_type *to, bool ansi) {
    if (is_datetime(to)) {
        return true;
    }
    if (from->kind == NILAS_TYPE_TIMESTAMP && nilas_type_is_numeric(to)) {
        return true;
    }
    return !ansi && from->kind != NILAS_TYPE_TIMESTAMP_NTZ &&
           (nilas_type_is_numeric(to) || to->kind == NILAS_TYPE_BOOLEAN);
}

static bool can_cast_from_interval(const nilas_type *from, const nilas_type *to) {
    bool number = nilas_type_is_integral(to) || to->kind == NILAS_TYPE_DECIMAL;
    return from->kind == to->kind || number;
}

/** A cast that gives null where it fails cannot make the keys of a map. */
static bool makes_null_keys(const nilas_type *from, const nilas_type *to, bool ansi) {
    return !ansi && from->kind == NILAS_TYPE_MAP && to->kind == NILAS_TYPE_MAP &&
           nilas_type_is_string(from->fields[0].type) &&
           !nilas_type_is_string(to->fields[0].type) &&
           to->fields[0].type->kind != NILAS_TYPE_BINARY;
}

bool nilas_type_can_cast(const nilas_type *from, const nilas_type *to, bool ansi) {
    if (nilas_type_equal(from, to) || from->kind == NILAS_TYPE_VOID || nilas_type_is_string(to)) {
        return true;
    }
    if (from->kind == NILAS_TYPE_VARIANT || to->kind == NILAS_TYPE_VARIANT) {
        return is_atomic(from) || is_atomic(to);
    }
    if (nilas_type_is_string(from)) {
        return can_cast_from_string(to);
    }
    if (nilas_type_is_numeric(from)) {
        return can_cast_from_number(from, to, ansi);
    }
    if (is_datetime(from)) {
        return can_cast_from_datetime(from, to, ansi);
    }
    if (from->kind == NILAS_TYPE_BOOLEAN) {
        return nilas_type_is_numeric(to) || (!ansi && to->kind == NILAS_TYPE_TIMESTAMP);
    }
    return is_ansi_interval(from)
               ? can_cast_from_interval(from, to)
               : !makes_null_keys(from, to, ansi) && all_parts(from, to, ansi, nilas_type_can_cast);
}

static bool can_upcast(const nilas_type *from, const nilas_type *to, bool unused) {
    (void)unused;
    return nilas_type_can_upcast(from, to);
}

static bool can_upcast_number(const nilas_type *from, const nilas_type *to) {
    if (to->kind == NILAS_TYPE_DECIMAL) {
        if (is_real(from)) {
            return false;
        }
        nilas_precision p = nilas_function__decimal_of(from);
        return p.precision - p.scale <= to->precision - to->scale && p.scale <= to->scale;
    }
    if (from->kind == NILAS_TYPE_DECIMAL) {
        nilas_precision p = nilas_function__decimal_of(to);
        return nilas_type_is_integral(to) && from->scale == 0 && from->precision < p.precision;
    }
    return from->kind <= to->kind;
}

bool nilas_type_can_upcast(const nilas_type *from, const nilas_type *to) {
    if (nilas_type_equal(from, to) || from->kind == NILAS_TYPE_VOID) {
        return true;
    }
    if (nilas_type_is_numeric(from) && nilas_type_is_numeric(to)) {
        return can_upcast_number(from, to);
    }
    if (nilas_type_is_string(to)) {
        return is_atomic(from) || from->kind == NILAS_TYPE_INTERVAL;
    }
    if (is_datetime(from) && is_datetime(to)) {
        return to->kind != NILAS_TYPE_DATE;
    }
    if (is_ansi_interval(from)) {
        return from->kind == to->kind;
    }
    return all_parts(from, to, true, can_upcast);
}
