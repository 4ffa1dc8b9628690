/*
 * Interval literals: INTERVAL 1 DAY 2 HOURS, INTERVAL '1-2' YEAR TO MONTH, INTERVAL '1 day 2
 * hours'.
 *
 * Units of years and months make a year-month interval (a count of months), all others a day-time
 * interval (microseconds); both in one literal is an error, as ANSI intervals do not mix.
 */
#include "bind/expr.h"

#define MICROS_PER_MINUTE (60 * NILAS_MICROS_PER_SECOND)
#define MICROS_PER_HOUR   (60 * MICROS_PER_MINUTE)

typedef struct interval {
    nilas_int128 months, micros;
    bool has_year_month, has_day_time;
    nilas_interval_unit first, last; // of the kind that it has
} interval;

static nilas_code fail_format(nilas_str text, int32_t offset, nilas_error *err) {
    return nilas_fail_at(
        err, NILAS_INVALID, "INVALID_INTERVAL_FORMAT.INPUT_IS_EMPTY", offset,
        "Error parsing '%.*s' to interval. Please ensure that the value provided is in a valid "
        "format for defining an interval.",
        NILAS_FMT(text));
}

static nilas_interval_unit stored_unit(nilas_interval_unit unit) {
    switch (unit) {
    case NILAS_UNIT_QUARTER: return NILAS_UNIT_MONTH;
    case NILAS_UNIT_WEEK: return NILAS_UNIT_DAY;
    case NILAS_UNIT_MILLISECOND:
    case NILAS_UNIT_MICROSECOND: return NILAS_UNIT_SECOND;
    default: return unit;
    }
}

static int64_t unit_size(nilas_interval_unit unit) {
    switch (unit) {
    case NILAS_UNIT_YEAR: return 12;
    case NILAS_UNIT_QUARTER: return 3;
    case NILAS_UNIT_MONTH: return 1;
    case NILAS_UNIT_WEEK: return 7 * NILAS_MICROS_PER_DAY;
    case NILAS_UNIT_DAY: return NILAS_MICROS_PER_DAY;
    case NILAS_UNIT_HOUR: return MICROS_PER_HOUR;
    case NILAS_UNIT_MINUTE: return MICROS_PER_MINUTE;
    case NILAS_UNIT_SECOND: return NILAS_MICROS_PER_SECOND;
    case NILAS_UNIT_MILLISECOND: return 1000;
    case NILAS_UNIT_MICROSECOND: return 1;
    }
    return 1;
}

/** Add unscaled × 10^-scale units. Only seconds may have a fraction. */
static bool add_units(interval *to, nilas_int128 unscaled, uint32_t scale,
                      nilas_interval_unit unit) {
    nilas_interval_unit stored = stored_unit(unit);
    bool is_year_month = stored == NILAS_UNIT_YEAR || stored == NILAS_UNIT_MONTH;
    bool is_first = is_year_month ? !to->has_year_month : !to->has_day_time;
    nilas_int128 divisor = nilas_power_of_ten(scale);
    nilas_int128 limit = nilas_power_of_ten(24);
    if ((unscaled % divisor != 0 && unit != NILAS_UNIT_SECOND) || unscaled > limit ||
        unscaled < -limit) {
        return false;
    }
    nilas_int128 amount = unscaled * unit_size(unit) / divisor;
    if (is_year_month) {
        to->months += amount;
        to->has_year_month = true;
    } else {
        to->micros += amount;
        to->has_day_time = true;
    }
    if (is_first || stored < to->first) {
        to->first = stored;
    }
    if (is_first || stored > to->last) {
        to->last = stored;
    }
    return true;
}

static nilas_code interval_literal(nilas_bind_scope *scope, const interval *value, int32_t offset,
                                   nilas_bound_expr **out, nilas_error *err) {
    if (value->has_year_month && value->has_day_time) {
        return nilas_fail_at(
            err, NILAS_INVALID, "_LEGACY_ERROR_TEMP_0029", offset,
            "Cannot mix year-month and day-time fields: a literal is one or the other");
    }
    nilas_int128 number = value->has_year_month ? value->months : value->micros;
    bool fits = value->has_year_month ? number >= INT32_MIN && number <= INT32_MAX
                                      : number >= INT64_MIN && number <= INT64_MAX;
    if (!fits) {
        return nilas_fail_at(
            err, NILAS_INVALID, "INVALID_INTERVAL_FORMAT.ARITHMETIC_EXCEPTION", offset,
            "Error parsing the literal to interval. Uncaught arithmetic exception while "
            "parsing: it is beyond the range of an interval.");
    }
    nilas_type *type = NULL;
    NILAS_NEW(scope->binder->arena, &type, err);
    type->kind =
        value->has_year_month ? NILAS_TYPE_INTERVAL_YEAR_MONTH : NILAS_TYPE_INTERVAL_DAY_TIME;
    type->from_unit = value->first;
    type->to_unit = value->last;
    nilas_value literal = nilas_value_of_int((int64_t)number);
    NILAS_TRY(nilas_bind__literal(scope->binder, type, &literal, out, err));
    (*out)->offset = offset;
    return NILAS_OK;
}

// ---- numbers and words -----------------------------------------------------------------------

/** Number of an INTERVAL's value: a literal, perhaps below unary minus or plus. */
static bool literal_number(const nilas_expr *expr, nilas_int128 *unscaled, uint32_t *scale) {
    if (expr->kind == NILAS_EXPR_UNARY &&
        (expr->op == NILAS_OP_NEGATE || expr->op == NILAS_OP_PLUS)) {
        bool ok = literal_number(expr->args[0], unscaled, scale);
        *unscaled = expr->op == NILAS_OP_NEGATE ? -*unscaled : *unscaled;
        return ok;
    }
    *scale = 0;
    switch (expr->kind == NILAS_EXPR_LITERAL ? expr->value.kind : NILAS_VALUE_NULL) {
    case NILAS_VALUE_INT: *unscaled = expr->value.integer; return true;
    case NILAS_VALUE_DECIMAL:
        *unscaled = expr->value.decimal;
        *scale = expr->value.scale;
        return true;
    case NILAS_VALUE_STRING:
        return nilas_decimal_parse(nilas_str_trim(expr->value.text), unscaled, scale);
    default: return false;
    }
}

static bool literal_text(const nilas_expr *expr, nilas_str *out, bool *negative) {
    if (expr->kind == NILAS_EXPR_UNARY && expr->op == NILAS_OP_NEGATE) {
        *negative = !*negative;
        return literal_text(expr->args[0], out, negative);
    }
    if (expr->kind != NILAS_EXPR_LITERAL || expr->value.kind != NILAS_VALUE_STRING) {
        return false;
    }
    *out = nilas_str_trim(expr->value.text);
    return true;
}

/** The next part of "1 02:03:04.5": digits, and a fraction when it is the last. */
static bool next_part(nilas_str text, size_t *at, bool fraction, nilas_int128 *unscaled,
                      uint32_t *scale) {
    size_t start = *at;
    while (*at < text.size && ((text.data[*at] >= '0' && text.data[*at] <= '9') ||
                               (fraction && text.data[*at] == '.'))) {
        (*at)++;
    }
    return *at > start && *at - start < 20 &&
           nilas_decimal_parse(nilas_str_slice(text, start, *at - start), unscaled, scale);
}

/** '1-2' YEAR TO MONTH, '1 02:03:04' DAY TO SECOND and the like. */
static bool parse_range(nilas_str text, bool negative, nilas_interval_unit from,
                        nilas_interval_unit to, interval *out) {
    size_t at = 0;
    if (text.size > 0 && (text.data[0] == '-' || text.data[0] == '+')) {
        negative = negative != (text.data[0] == '-');
        at = 1;
    }
    for (nilas_interval_unit unit = from; unit <= to; unit++) {
        nilas_int128 unscaled = 0;
        uint32_t scale = 0;
        if (!next_part(text, &at, unit == NILAS_UNIT_SECOND, &unscaled, &scale) || scale > 9 ||
            !add_units(out, negative ? -unscaled : unscaled, scale, unit)) {
            return false;
        }
        if (unit < to) {
            char separator = unit == NILAS_UNIT_YEAR ? '-' : unit == NILAS_UNIT_DAY ? ' ' : ':';
            if (at >= text.size || text.data[at] != separator) {
                return false;
            }
            at++;
        }
    }
    return at == text.size;
}

static bool range_is_valid(nilas_interval_unit from, nilas_interval_unit to) {
    if (from == NILAS_UNIT_YEAR) {
        return to == NILAS_UNIT_MONTH;
    }
    return from >= NILAS_UNIT_DAY && to <= NILAS_UNIT_SECOND && from < to;
}

nilas_code nilas_bind__interval(nilas_bind_scope *scope, const nilas_expr *expr,
                                nilas_bound_expr **out, nilas_error *err) {
    interval value = {0};
    nilas_str text = NILAS_STR_EMPTY;
    if (expr->has_to_unit) {
        bool negative = false;
        if (!range_is_valid(expr->units[0], expr->to_unit)) {
            return nilas_fail_at(err, NILAS_INVALID, "_LEGACY_ERROR_TEMP_0028", expr->offset,
                                 "The interval literal's units cannot be combined by TO");
        }
        if (!literal_text(expr->args[0], &text, &negative) ||
            !parse_range(text, negative, expr->units[0], expr->to_unit, &value)) {
            return nilas_fail_at(
                err, NILAS_INVALID, "INVALID_INTERVAL_FORMAT.UNMATCHED_FORMAT_STRING", expr->offset,
                "Error parsing '%.*s' to interval. Interval string does not match the format "
                "of its units.",
                NILAS_FMT(text));
        }
        return interval_literal(scope, &value, expr->offset, out, err);
    }
    for (size_t i = 0; i < expr->arg_count; i++) {
        nilas_int128 unscaled = 0;
        uint32_t scale = 0;
        if (!literal_number(expr->args[i], &unscaled, &scale) ||
            !add_units(&value, unscaled, scale, expr->units[i])) {
            bool negative = false;
            (void)literal_text(expr->args[i], &text, &negative);
            return fail_format(text, expr->offset, err);
        }
    }
    return interval_literal(scope, &value, expr->offset, out, err);
}

// ---- INTERVAL '1 day 2 hours' ----------------------------------------------------------------

static bool find_unit(nilas_str word, nilas_interval_unit *out) {
    static const struct {
        const char *name;
        nilas_interval_unit unit;
    } units[] = {{"year", NILAS_UNIT_YEAR},
                 {"month", NILAS_UNIT_MONTH},
                 {"week", NILAS_UNIT_WEEK},
                 {"day", NILAS_UNIT_DAY},
                 {"hour", NILAS_UNIT_HOUR},
                 {"minute", NILAS_UNIT_MINUTE},
                 {"second", NILAS_UNIT_SECOND},
                 {"millisecond", NILAS_UNIT_MILLISECOND},
                 {"microsecond", NILAS_UNIT_MICROSECOND}};
    if (word.size > 1 && (word.data[word.size - 1] == 's' || word.data[word.size - 1] == 'S')) {
        word.size--;
    }
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (nilas_str_is_nocase(word, units[i].name)) {
            *out = units[i].unit;
            return true;
        }
    }
    return false;
}

static nilas_str next_word(nilas_str text, size_t *at) {
    while (*at < text.size && text.data[*at] <= ' ') {
        (*at)++;
    }
    size_t start = *at;
    while (*at < text.size && text.data[*at] > ' ') {
        (*at)++;
    }
    return nilas_str_slice(text, start, *at - start);
}

nilas_code nilas_bind__interval_text(nilas_bind_scope *scope, nilas_str text, int32_t offset,
                                     nilas_bound_expr **out, nilas_error *err) {
    interval value = {0};
    size_t at = 0;
    nilas_str word = next_word(text, &at);
    if (nilas_str_is_nocase(word, "interval")) {
        word = next_word(text, &at);
    }
    if (word.size == 0) {
        return fail_format(text, offset, err);
    }
    for (; word.size > 0; word = next_word(text, &at)) {
        nilas_int128 unscaled = 0;
        uint32_t scale = 0;
        nilas_interval_unit unit = NILAS_UNIT_DAY;
        nilas_str unit_word = next_word(text, &at);
        if (!nilas_decimal_parse(word, &unscaled, &scale) || !find_unit(unit_word, &unit) ||
            !add_units(&value, unscaled, scale, unit)) {
            return fail_format(text, offset, err);
        }
    }
    return interval_literal(scope, &value, offset, out, err);
}
