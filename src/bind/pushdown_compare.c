/*
 * Comparisons of a term with a literal, also through casts that lose nothing: the literal is
 * carried back to the column's own type, rounded so that exactly the same rows match. A cast
 * whose outcome the column's order does not decide (string to number, double to int, bigint to
 * double beyond 2^53) is left to the engine.
 */
#include <math.h>

#include "bind/pushdown.h"

typedef struct comparison {
    const nilas_push *push;
    nilas_predicate_kind kind;
    nilas_term term;
    const nilas_type *from; // Spark type of the term
    const nilas_type *to;   // of the comparison; equal to `from` when there is no cast
    const nilas_value *literal;
} comparison;

static bool is_order(nilas_predicate_kind kind) {
    return kind != NILAS_PREDICATE_EQ && kind != NILAS_PREDICATE_NOT_EQ;
}

// ---- whole numbers ---------------------------------------------------------------------------

/** A literal on the scale of the column: its floor, and whether that is all of it. */
typedef struct scaled {
    nilas_int128 floor;
    bool whole;
    int beyond; /* -1, 1: below, above all */
} scaled;

static nilas_int128 floor_divide(nilas_int128 a, nilas_int128 b, bool *whole) {
    nilas_int128 quotient = a / b;
    *whole = a % b == 0;
    return !*whole && a < 0 ? quotient - 1 : quotient;
}

static scaled scale_decimal(nilas_int128 unscaled, uint32_t from, uint32_t to) {
    scaled out = {.whole = true};
    if (from > to) {
        out.floor = floor_divide(unscaled, nilas_power_of_ten(from - to), &out.whole);
    } else if (!nilas_decimal_rescale(unscaled, from, to, &out.floor)) {
        out.beyond = unscaled > 0 ? 1 : -1;
    }
    return out;
}

static bool wants_less(nilas_predicate_kind kind) {
    return kind == NILAS_PREDICATE_LT || kind == NILAS_PREDICATE_LT_EQ;
}

/** A literal beyond all values of the column: each of them matches, or none. */
static nilas_code compare_beyond(const comparison *c, bool above, nilas_pushed *out,
                                 nilas_error *err) {
    bool all =
        c->kind == NILAS_PREDICATE_NOT_EQ || (is_order(c->kind) && above == wants_less(c->kind));
    return all ? nilas_push__not_null(c->push, &c->term, true, out, err)
               : nilas_push__constant(c->push, false, out, err);
}

/** A literal between two neighbouring values of the column: compare with the lower one. */
static nilas_code compare_between(const comparison *c, const nilas_value *lower, nilas_pushed *out,
                                  nilas_error *err) {
    if (c->kind == NILAS_PREDICATE_EQ) {
        return nilas_push__constant(c->push, false, out, err);
    }
    if (c->kind == NILAS_PREDICATE_NOT_EQ) {
        return nilas_push__not_null(c->push, &c->term, true, out, err);
    }
    nilas_predicate_kind kind = wants_less(c->kind) ? NILAS_PREDICATE_LT_EQ : NILAS_PREDICATE_GT;
    return nilas_push__compare_value(c->push, kind, &c->term, lower, out, err);
}

/** A condition on the column's whole number, which is in [least, most]. */
static nilas_code compare_scaled(const comparison *c, scaled literal, nilas_int128 least,
                                 nilas_int128 most, nilas_pushed *out, nilas_error *err) {
    bool above = literal.beyond > 0 || (literal.beyond == 0 && literal.floor > most);
    bool below = literal.beyond < 0 || (literal.beyond == 0 && literal.floor < least);
    if (above || below) {
        return compare_beyond(c, above, out, err);
    }
    nilas_value value = nilas_value_of_int((int64_t)literal.floor);
    if (c->term.type->kind == NILAS_ICE_DECIMAL) {
        value = nilas_value_of_decimal(literal.floor, (uint32_t)c->term.type->scale);
    }
    return literal.whole ? nilas_push__compare_value(c->push, c->kind, &c->term, &value, out, err)
                         : compare_between(c, &value, out, err);
}

static int32_t digits_of(const nilas_type *type) {
    switch (type->kind) {
    case NILAS_TYPE_TINYINT: return 3;
    case NILAS_TYPE_SMALLINT: return 5;
    case NILAS_TYPE_INT: return 10;
    default: return 19;
    }
}

static bool integer_cast_is_safe(const nilas_type *from, const nilas_type *to) {
    if (nilas_type_is_integral(to)) {
        return to->kind >= from->kind;
    }
    if (nilas_type_is(to, NILAS_TYPE_DECIMAL)) {
        return to->precision - to->scale >= digits_of(from);
    }
    return nilas_type_is(to, NILAS_TYPE_DOUBLE) || nilas_type_is(to, NILAS_TYPE_FLOAT);
}

static nilas_code compare_integer(const comparison *c, nilas_pushed *out, nilas_error *err) {
    scaled literal = {.whole = true};
    const nilas_value *value = c->literal;
    double limit = nilas_type_is(c->to, NILAS_TYPE_FLOAT) ? 16777216.0 : 9007199254740992.0;
    if (!integer_cast_is_safe(c->from, c->to)) {
        return NILAS_OK;
    }
    switch (value->kind) {
    case NILAS_VALUE_INT: literal.floor = value->integer; break;
    case NILAS_VALUE_DECIMAL: literal = scale_decimal(value->decimal, value->scale, 0); break;
    case NILAS_VALUE_FLOAT:
    case NILAS_VALUE_DOUBLE:
        if (!(fabs(value->real) < limit)) {
            return NILAS_OK;
        }
        literal.floor = (nilas_int128)floor(value->real);
        literal.whole = floor(value->real) == value->real;
        break;
    default: return NILAS_OK;
    }
    bool is_int = c->term.type->kind == NILAS_ICE_INT;
    return compare_scaled(c, literal, is_int ? INT32_MIN : INT64_MIN,
                          is_int ? INT32_MAX : INT64_MAX, out, err);
}

static nilas_code compare_decimal(const comparison *c, nilas_pushed *out, nilas_error *err) {
    const nilas_type *from = c->from;
    const nilas_type *to = c->to;
    if (c->literal->kind != NILAS_VALUE_DECIMAL || !nilas_type_is(to, NILAS_TYPE_DECIMAL) ||
        to->scale < from->scale || to->precision - to->scale < from->precision - from->scale) {
        return NILAS_OK;
    }
    nilas_int128 most = nilas_power_of_ten((uint32_t)from->precision) - 1;
    scaled literal = scale_decimal(c->literal->decimal, c->literal->scale, (uint32_t)from->scale);
    return compare_scaled(c, literal, -most, most, out, err);
}

// ---- floating point --------------------------------------------------------------------------

static nilas_code compare_float(const comparison *c, double number, nilas_pushed *out,
                                nilas_error *err) {
    float nearest = (float)number;
    if (isinf(nearest) && !isinf(number)) {
        return NILAS_OK;
    }
    if (isnan(number) || (double)nearest == number) {
        nilas_value value = nilas_value_of_float(nearest);
        return nilas_push__compare_value(c->push, c->kind, &c->term, &value, out, err);
    }
    float lower = (double)nearest > number ? nextafterf(nearest, -INFINITY) : nearest;
    nilas_value value = nilas_value_of_float(lower);
    return compare_between(c, &value, out, err);
}

static nilas_code compare_real(const comparison *c, nilas_pushed *out, nilas_error *err) {
    bool is_float = c->term.type->kind == NILAS_ICE_FLOAT;
    const nilas_value *value = c->literal;
    bool safe =
        nilas_type_equal(c->from, c->to) || (is_float && nilas_type_is(c->to, NILAS_TYPE_DOUBLE));
    if (!safe || (value->kind != NILAS_VALUE_DOUBLE && value->kind != NILAS_VALUE_FLOAT)) {
        return NILAS_OK;
    }
    if (is_float) {
        return compare_float(c, value->real, out, err);
    }
    nilas_value number = nilas_value_of_double(value->real);
    return nilas_push__compare_value(c->push, c->kind, &c->term, &number, out, err);
}

// ---- dates and times -------------------------------------------------------------------------

/**
 * Instants of the first moment of a day and of the next; `slack` when the zone makes them fuzzy.
 */
typedef struct day_range {
    int64_t start, end, slack;
} day_range;

static bool is_steady(const nilas_zone *zone, int64_t instant) {
    int64_t two_hours = 7200 * NILAS_MICROS_PER_SECOND;
    return nilas_zone_offset_at(zone, instant - two_hours) ==
           nilas_zone_offset_at(zone, instant + two_hours);
}

static day_range range_of_day(const comparison *c, int64_t day) {
    const nilas_zone *zone = c->push->input->zone;
    day_range range = {.start = day * NILAS_MICROS_PER_DAY,
                       .end = (day + 1) * NILAS_MICROS_PER_DAY};
    if (nilas_type_is(c->from, NILAS_TYPE_TIMESTAMP_NTZ)) {
        return range;
    }
    if (zone == NULL) {
        range.slack = NILAS_MICROS_PER_DAY; // offsets are within 18 hours
        return range;
    }
    range.start = nilas_zone_to_utc(zone, range.start);
    range.end = nilas_zone_to_utc(zone, range.end);
    if (!is_steady(zone, range.start) || !is_steady(zone, range.end)) {
        range.slack = 3 * 3600 * NILAS_MICROS_PER_SECOND;
    }
    return range;
}

static nilas_code at_least(const comparison *c, int64_t instant, int64_t slack, nilas_pushed *out,
                           nilas_error *err) {
    nilas_value value = nilas_value_of_int(instant - slack);
    NILAS_TRY(nilas_push__leaf(c->push, NILAS_PREDICATE_GT_EQ, &c->term, &value, out, err));
    out->exact = slack == 0;
    return NILAS_OK;
}

static nilas_code before(const comparison *c, int64_t instant, int64_t slack, nilas_pushed *out,
                         nilas_error *err) {
    nilas_value value = nilas_value_of_int(instant + slack);
    NILAS_TRY(nilas_push__leaf(c->push, NILAS_PREDICATE_LT, &c->term, &value, out, err));
    out->exact = slack == 0;
    return NILAS_OK;
}

/** cast(ts as date) against a day. */
static nilas_code compare_day(const comparison *c, nilas_pushed *out, nilas_error *err) {
    int64_t day = c->literal->integer;
    nilas_pushed low = {0};
    nilas_pushed high = {0};
    if (day > 100000000 || day < -100000000) {
        return NILAS_OK;
    }
    day_range range = range_of_day(c, day);
    switch (c->kind) {
    case NILAS_PREDICATE_GT: return at_least(c, range.end, range.slack, out, err);
    case NILAS_PREDICATE_GT_EQ: return at_least(c, range.start, range.slack, out, err);
    case NILAS_PREDICATE_LT: return before(c, range.start, range.slack, out, err);
    case NILAS_PREDICATE_LT_EQ: return before(c, range.end, range.slack, out, err);
    case NILAS_PREDICATE_EQ:
        NILAS_TRY(at_least(c, range.start, range.slack, &low, err));
        NILAS_TRY(before(c, range.end, range.slack, &high, err));
        return nilas_push__and(c->push, low, high, out, err);
    default: return nilas_push__not_null(c->push, &c->term, false, out, err);
    }
}

/** cast(date as timestamp_ntz) against a time: the day is the floor of the time. */
static nilas_code compare_midnight(const comparison *c, nilas_pushed *out, nilas_error *err) {
    int64_t micros = c->literal->integer;
    scaled literal = {.floor = nilas_floor_div(micros, NILAS_MICROS_PER_DAY),
                      .whole = nilas_floor_mod(micros, NILAS_MICROS_PER_DAY) == 0};
    return compare_scaled(c, literal, INT32_MIN, INT32_MAX, out, err);
}

static nilas_code compare_time(const comparison *c, nilas_pushed *out, nilas_error *err) {
    if (c->literal->kind != NILAS_VALUE_INT) {
        return NILAS_OK;
    }
    if (nilas_type_equal(c->from, c->to)) {
        return nilas_push__compare_value(c->push, c->kind, &c->term, c->literal, out, err);
    }
    if (nilas_type_is(c->to, NILAS_TYPE_DATE) && !c->term.has_transform) {
        return compare_day(c, out, err);
    }
    if (nilas_type_is(c->from, NILAS_TYPE_DATE) && nilas_type_is(c->to, NILAS_TYPE_TIMESTAMP_NTZ)) {
        return compare_midnight(c, out, err);
    }
    return NILAS_OK;
}

// ---- text and bytes --------------------------------------------------------------------------

static int hex_digit(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/**
 * The 16 bytes of a UUID in the very form that Spark shows; false: no value of the column equals
 * the text.
 */
static bool parse_uuid(nilas_str text, char *bytes) {
    size_t count = 0;
    if (text.size != 36) {
        return false;
    }
    for (size_t i = 0; i < 36;) {
        if (i == 8 || i == 13 || i == 18 || i == 23) {
            if (text.data[i++] != '-') {
                return false;
            }
            continue;
        }
        int high = hex_digit(text.data[i]);
        int low = hex_digit(text.data[i + 1]);
        if (high < 0 || low < 0) {
            return false;
        }
        bytes[count++] = (char)(high << 4 | low);
        i += 2;
    }
    return count == 16;
}

static nilas_code compare_fixed(const comparison *c, nilas_pushed *out, nilas_error *err) {
    bool is_uuid = c->term.type->kind == NILAS_ICE_UUID;
    nilas_str text = c->literal->text;
    char *bytes = NULL;
    if (is_order(c->kind)) {
        return NILAS_OK;
    }
    NILAS_NEW_ARRAY(c->push->arena, &bytes, 16, err);
    if (is_uuid ? !parse_uuid(text, bytes) : text.size != (size_t)c->term.type->length) {
        return c->kind == NILAS_PREDICATE_EQ
                   ? nilas_push__constant(c->push, false, out, err)
                   : nilas_push__not_null(c->push, &c->term, true, out, err);
    }
    nilas_str exact = is_uuid ? (nilas_str){.data = bytes, .size = 16} : text;
    nilas_value value = nilas_value_of_bytes(exact);
    return nilas_push__compare_value(c->push, c->kind, &c->term, &value, out, err);
}

static nilas_code compare_text(const comparison *c, nilas_pushed *out, nilas_error *err) {
    bool is_binary = c->term.type->kind == NILAS_ICE_BINARY;
    bool is_bytes = c->literal->kind == NILAS_VALUE_BINARY;
    bool same = nilas_type_equal(c->from, c->to) && c->to->collation.size == 0;
    if (!same || (c->literal->kind != NILAS_VALUE_STRING && !is_bytes)) {
        return NILAS_OK;
    }
    if (c->term.type->kind == NILAS_ICE_UUID || c->term.type->kind == NILAS_ICE_FIXED) {
        return compare_fixed(c, out, err);
    }
    if (is_binary != is_bytes) {
        return NILAS_OK;
    }
    return nilas_push__compare_value(c->push, c->kind, &c->term, c->literal, out, err);
}

// ---- by type ---------------------------------------------------------------------------------

static nilas_code compare_by_type(const comparison *c, nilas_pushed *out, nilas_error *err) {
    switch (c->term.type->kind) {
    case NILAS_ICE_INT:
    case NILAS_ICE_LONG:
        return nilas_type_is_integral(c->from) ? compare_integer(c, out, err) : NILAS_OK;
    case NILAS_ICE_DECIMAL: return compare_decimal(c, out, err);
    case NILAS_ICE_FLOAT:
    case NILAS_ICE_DOUBLE: return compare_real(c, out, err);
    case NILAS_ICE_DATE:
    case NILAS_ICE_TIMESTAMP:
    case NILAS_ICE_TIMESTAMPTZ: return compare_time(c, out, err);
    case NILAS_ICE_STRING:
    case NILAS_ICE_BINARY:
    case NILAS_ICE_UUID:
    case NILAS_ICE_FIXED: return compare_text(c, out, err);
    case NILAS_ICE_BOOLEAN:
        if (is_order(c->kind) || c->literal->kind != NILAS_VALUE_BOOL) {
            return NILAS_OK;
        }
        return nilas_push__compare_value(c->push, c->kind, &c->term, c->literal, out, err);
    default: return NILAS_OK;
    }
}

nilas_code nilas_push__compare(const nilas_push *push, nilas_predicate_kind kind,
                               const nilas_bound_expr *side, const nilas_bound_expr *literal,
                               nilas_pushed *out, nilas_error *err) {
    const nilas_bound_expr *inner = side->kind == NILAS_BOUND_CAST ? side->args[0] : side;
    comparison c = {.push = push,
                    .kind = kind,
                    .from = inner->type,
                    .to = side->type,
                    .literal = &literal->value};
    *out = (nilas_pushed){0};
    if (literal->kind != NILAS_BOUND_LITERAL || !nilas_push__term(push, inner, &c.term)) {
        return NILAS_OK;
    }
    if (nilas_value_is_null(c.literal)) {
        return nilas_push__constant(push, false, out, err);
    }
    bool by_value = c.term.has_transform && (c.term.transform.kind == NILAS_TRANSFORM_BUCKET ||
                                             c.term.transform.kind == NILAS_TRANSFORM_TRUNCATE);
    if (by_value && is_order(kind)) {
        return NILAS_OK;
    }
    return compare_by_type(&c, out, err);
}
