/**
 * Interval literals: INTERVAL 1 DAY '2' HOURS and INTERVAL '1-2' YEAR TO MONTH. Their texts are
 * checked here, as Spark's
 * parser does; their values are computed where types are known.
 */
#include "sql/parser.h"

#include <ctype.h>
#include <stdio.h>

// ---- units --------------------------------------------------------------------------------------

static const struct {
    int keyword, plural;
    nilas_interval_unit unit;
} units[] = {
    {NILAS_KW_YEAR, NILAS_KW_YEARS, NILAS_UNIT_YEAR},
    {NILAS_KW_MONTH, NILAS_KW_MONTHS, NILAS_UNIT_MONTH},
    {NILAS_KW_WEEK, NILAS_KW_WEEKS, NILAS_UNIT_WEEK},
    {NILAS_KW_DAY, NILAS_KW_DAYS, NILAS_UNIT_DAY},
    {NILAS_KW_HOUR, NILAS_KW_HOURS, NILAS_UNIT_HOUR},
    {NILAS_KW_MINUTE, NILAS_KW_MINUTES, NILAS_UNIT_MINUTE},
    {NILAS_KW_SECOND, NILAS_KW_SECONDS, NILAS_UNIT_SECOND},
    {NILAS_KW_MILLISECOND, NILAS_KW_MILLISECONDS, NILAS_UNIT_MILLISECOND},
    {NILAS_KW_MICROSECOND, NILAS_KW_MICROSECONDS, NILAS_UNIT_MICROSECOND},
};

static bool find_unit(int keyword, bool plural, nilas_interval_unit *out) {
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (units[i].keyword == keyword || (plural && units[i].plural == keyword)) {
            *out = units[i].unit;
            return true;
        }
    }
    return false;
}

bool nilas_sql__interval_unit(int keyword, nilas_interval_unit *out) {
    return find_unit(keyword, false, out);
}

static bool is_unit_word(int keyword) {
    nilas_interval_unit unit;
    return find_unit(keyword, true, &unit) || keyword == NILAS_KW_NANOSECOND ||
           keyword == NILAS_KW_NANOSECONDS;
}

/* Tokens of a value with its sign from `ahead` on; 0 when there is none. */
static size_t value_tokens(const nilas_sql__parser *p, size_t ahead) {
    size_t count = 0;
    int kind = nilas_sql__peek(p, ahead);
    count += kind == TOKEN_PLUS || kind == TOKEN_MINUS;
    kind = nilas_sql__peek(p, ahead + count);
    if (kind == TOKEN_INTEGER || kind == TOKEN_DECIMAL) {
        return count + 1;
    }
    size_t strings = 0;
    while (nilas_sql__at_string(p, ahead + count + strings)) {
        strings++;
    }
    return strings > 0 ? count + strings : 0;
}

/* Whether a value with its unit stands `ahead`. */
static bool at_value_and_unit(const nilas_sql__parser *p, size_t ahead) {
    size_t value = value_tokens(p, ahead);
    return value > 0 && is_unit_word(nilas_sql__peek(p, ahead + value));
}

bool nilas_sql__at_interval(const nilas_sql__parser *p) {
    return nilas_sql__at(p, NILAS_KW_INTERVAL) && at_value_and_unit(p, 1);
}

// ---- the text of INTERVAL '…' -------------------------------------------------------------------

static bool is_blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static void skip_blanks(nilas_str text, size_t *at) {
    while (*at < text.size && is_blank(text.data[*at])) {
        (*at)++;
    }
}

/* A sign, blanks, digits with at most nine after a point, a blank. */
static bool take_number(nilas_str text, size_t *at, bool *fraction) {
    bool sign = *at < text.size && (text.data[*at] == '-' || text.data[*at] == '+');
    *at += sign;
    if (sign) {
        skip_blanks(text, at);
    }
    size_t start = *at;
    size_t point = SIZE_MAX;
    for (; *at < text.size && !is_blank(text.data[*at]); (*at)++) {
        char c = text.data[*at];
        if (c == '.' && point == SIZE_MAX) {
            point = *at;
        } else if (!isdigit((unsigned char)c)) {
            return false;
        }
    }
    *fraction = point != SIZE_MAX;
    size_t digits = *at - start - (*fraction ? 1 : 0);
    return digits > 0 && *at < text.size && (!*fraction || *at - point <= 10);
}

/* A unit with or without "s", then a blank or the end. */
static bool take_unit(nilas_str text, size_t *at, nilas_interval_unit *out) {
    size_t start = *at;
    while (*at < text.size && !is_blank(text.data[*at])) {
        (*at)++;
    }
    nilas_keyword keyword = nilas_keyword_find(nilas_str_slice(text, start, *at - start));
    return keyword != NILAS_KEYWORD_NONE && find_unit((int)keyword, true, out);
}

bool nilas_sql__is_interval_text(nilas_str text, bool *mixed) {
    bool year_month = false;
    bool day_time = false;
    size_t at = 0;
    text = nilas_str_trim(text);
    if (nilas_str_starts_nocase(text, NILAS_STR("interval"))) {
        at = sizeof("interval") - 1;
        if (at >= text.size || !is_blank(text.data[at])) {
            return false;
        }
    }
    skip_blanks(text, &at);
    do {
        nilas_interval_unit unit;
        bool fraction;
        if (!take_number(text, &at, &fraction)) {
            return false;
        }
        skip_blanks(text, &at);
        if (!take_unit(text, &at, &unit) || (fraction && unit != NILAS_UNIT_SECOND)) {
            return false;
        }
        year_month = year_month || unit <= NILAS_UNIT_MONTH;
        day_time = day_time || unit > NILAS_UNIT_MONTH;
        skip_blanks(text, &at);
    } while (at < text.size);
    *mixed = year_month && day_time;
    return true;
}

// ---- checks -------------------------------------------------------------------------------------

static void reject_format(nilas_sql__parser *p, const nilas_expr *interval, const char *condition,
                          const char *reason, nilas_str input) {
    nilas_sql__reject(p, interval->offset, condition,
                      "Error parsing '%.*s' to interval. Please ensure that the value provided is "
                      "in a valid format for defining an interval. You can reference the "
                      "documentation for the correct format. %s",
                      NILAS_FMT(input), reason);
}

static void check_value(nilas_sql__parser *p, const nilas_expr *interval, size_t i) {
    const nilas_value *value = &interval->args[i]->value;
    if (value->kind == NILAS_VALUE_STRING) {
        for (size_t at = 0; at < value->text.size; at++) {
            if (isalpha((unsigned char)value->text.data[at])) {
                nilas_sql__reject(p, interval->offset, "_LEGACY_ERROR_TEMP_0026",
                                  "Can only use numbers in the interval value part for multiple "
                                  "unit value pairs interval form, but got invalid value: %.*s.",
                                  NILAS_FMT(value->text));
            }
        }
    } else if (value->kind == NILAS_VALUE_DECIMAL && interval->units[i] != NILAS_UNIT_SECOND) {
        char reason[80];
        snprintf(reason, sizeof(reason), "'%s' cannot have fractional part.",
                 nilas_interval_unit_name(interval->units[i]));
        reject_format(p, interval, "INVALID_INTERVAL_FORMAT.INVALID_FRACTION", reason,
                      nilas_sql__text_from(p, interval->args[i]->offset));
    }
}

static void check_mixed(nilas_sql__parser *p, const nilas_expr *interval) {
    size_t year_month = 0;
    for (size_t i = 0; i < interval->arg_count; i++) {
        year_month += interval->units[i] <= NILAS_UNIT_MONTH;
        check_value(p, interval, i);
    }
    if (year_month > 0 && year_month < interval->arg_count) {
        nilas_sql__reject(p, interval->offset, "_LEGACY_ERROR_TEMP_0029",
                          "Cannot mix year-month and day-time fields: %.*s.",
                          NILAS_FMT(nilas_sql__text_from(p, interval->offset)));
    }
}

typedef struct range {
    nilas_interval_unit from, to;
    const char *format;
} range;

static const range ranges[] = {
    {NILAS_UNIT_YEAR, NILAS_UNIT_MONTH, "y-m"},
    {NILAS_UNIT_DAY, NILAS_UNIT_HOUR, "d h"},
    {NILAS_UNIT_DAY, NILAS_UNIT_MINUTE, "d h:m"},
    {NILAS_UNIT_DAY, NILAS_UNIT_SECOND, "d h:m:s.n"},
    {NILAS_UNIT_HOUR, NILAS_UNIT_MINUTE, "h:m"},
    {NILAS_UNIT_HOUR, NILAS_UNIT_SECOND, "h:m:s.n"},
    {NILAS_UNIT_MINUTE, NILAS_UNIT_SECOND, "m:s.n"},
};

static void reject_unmatched(nilas_sql__parser *p, const nilas_expr *interval, const range *r,
                             nilas_str input) {
    bool year_month = r->from == NILAS_UNIT_YEAR;
    const char *from = nilas_interval_unit_name(r->from);
    const char *to = nilas_interval_unit_name(r->to);
    char reason[500];
    snprintf(reason, sizeof(reason),
             "Interval string does not match %s format of `[+|-]%s`, `INTERVAL "
             "[+|-]'[+|-]%s' %s TO %s` when cast to interval %s to %s: %.*s.%s",
             year_month ? "year-month" : "day-time", r->format, r->format, from, to, from, to,
             (int)(input.size < 100 ? input.size : 100), input.data,
             year_month ? ""
                        : " Set \"spark.sql.legacy.fromDayTimeString.enabled\" to \"true\" to "
                          "restore the behavior before Spark 3.0.");
    reject_format(p, interval,
                  year_month ? "INVALID_INTERVAL_FORMAT.UNMATCHED_FORMAT_STRING"
                             : "INVALID_INTERVAL_FORMAT.UNMATCHED_FORMAT_STRING_WITH_NOTICE",
                  reason, input);
}

/* Digits at *at, at most `max_digits`; false when there are none or more. */
static bool take_digits(nilas_str text, size_t *at, size_t max_digits, int64_t *out) {
    size_t start = *at;
    while (*at < text.size && isdigit((unsigned char)text.data[*at])) {
        (*at)++;
    }
    return *at > start && *at - start <= max_digits &&
           nilas_str_to_int64(nilas_str_slice(text, start, *at - start), out);
}

static int64_t largest(nilas_interval_unit unit, bool leading) {
    static const int64_t followers[] = {0, 11, 0, 23, 59, 59};
    static const int64_t leaders[] = {178956970, 0, 106751991, 2562047788, 153722867280, 0};
    return leading ? leaders[unit] : followers[unit];
}

static void check_number(nilas_sql__parser *p, const nilas_expr *interval, nilas_interval_unit unit,
                         bool leading, int64_t number) {
    int64_t most = largest(unit, leading);
    // the largest number of years leaves room for seven months
    bool beyond = unit == NILAS_UNIT_MONTH && number > 7 &&
                  nilas_str_find(interval->args[0]->value.text, NILAS_STR("178956970-"), 0) == 0;
    if (number <= most && !beyond) {
        return;
    }
    if (unit == NILAS_UNIT_YEAR || beyond) {
        reject_format(p, interval, "INVALID_INTERVAL_FORMAT.INTERVAL_PARSING",
                      "Error parsing interval year-month string.", interval->args[0]->value.text);
        return;
    }
    nilas_sql__reject(p, interval->offset, "_LEGACY_ERROR_TEMP_0063",
                      "requirement failed: %s %lld outside range [0, %lld].",
                      nilas_interval_unit_name(unit), (long long)number, (long long)most);
}

/* One field with the separator before it. */
static bool match_field(nilas_str text, size_t *at, const range *r, nilas_interval_unit unit,
                        int64_t *number) {
    bool leading = unit == r->from;
    bool year_month = r->from == NILAS_UNIT_YEAR;
    if (!leading) {
        char separator = year_month ? '-' : (unit == NILAS_UNIT_HOUR ? ' ' : ':');
        if (*at >= text.size || text.data[(*at)++] != separator) {
            return false;
        }
    }
    return take_digits(text, at, leading || year_month ? 18 : 2, number);
}

/* "d h:m:s.n" from its first field to its last. */
static bool matches(nilas_sql__parser *p, const nilas_expr *interval, const range *r,
                    nilas_str text) {
    size_t at = 0;
    while (at < text.size && at < 2 && (text.data[at] == '+' || text.data[at] == '-')) {
        at++;
    }
    for (nilas_interval_unit unit = r->from; unit <= r->to; unit++) {
        int64_t number;
        if (!match_field(text, &at, r, unit, &number)) {
            return false;
        }
        check_number(p, interval, unit, unit == r->from, number);
    }
    if (r->to == NILAS_UNIT_SECOND && at < text.size && text.data[at] == '.') {
        int64_t fraction;
        at++;
        return take_digits(text, &at, 9, &fraction) && at == text.size;
    }
    return at == text.size;
}

static void check_range(nilas_sql__parser *p, const nilas_expr *interval) {
    nilas_interval_unit from = interval->units[0];
    nilas_interval_unit to = interval->to_unit;
    const nilas_value *value = &interval->args[0]->value;
    if (value->kind != NILAS_VALUE_STRING) {
        nilas_sql__reject(p, interval->offset, "_LEGACY_ERROR_TEMP_0027",
                          "The value of from-to unit must be a string.");
        return;
    }
    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
        if (ranges[i].from == from && ranges[i].to == to) {
            if (!matches(p, interval, &ranges[i], nilas_str_trim(value->text))) {
                reject_unmatched(p, interval, &ranges[i], value->text);
            }
            return;
        }
    }
    char reason[120];
    snprintf(reason, sizeof(reason), "Cannot support (interval '%.*s' %s to %s) expression.",
             (int)(value->text.size < 60 ? value->text.size : 60), value->text.data,
             nilas_interval_unit_name(from), nilas_interval_unit_name(to));
    reject_format(p, interval, "INVALID_INTERVAL_FORMAT.UNSUPPORTED_FROM_TO_EXPRESSION", reason,
                  value->text);
}

// ---- parsing ------------------------------------------------------------------------------------

/* A minus before a string belongs to its text, or takes away the one there. */
static nilas_code negate_text(nilas_sql__parser *p, nilas_expr *value) {
    nilas_str text = value->value.text;
    if (nilas_str_starts(text, NILAS_STR("-"))) {
        value->value.text = nilas_str_slice(text, 1, text.size);
        return NILAS_OK;
    }
    return nilas_str_print(p->stmt, &value->value.text, p->err, "-%.*s", NILAS_FMT(text));
}

static nilas_code parse_value(nilas_sql__parser *p, nilas_expr **out) {
    int32_t offset = nilas_sql__offset(p);
    bool negative = nilas_sql__accept(p, TOKEN_MINUS);
    if (!negative) {
        nilas_sql__accept(p, TOKEN_PLUS);
    }
    if (nilas_sql__at_number(p, 0)) {
        return nilas_sql__number(p, negative, offset, out);
    }
    NILAS_TRY(nilas_sql__string_expr(p, out));
    (*out)->offset = offset;
    return negative ? negate_text(p, *out) : NILAS_OK;
}

static nilas_code parse_unit(nilas_sql__parser *p, const nilas_expr *interval, bool plural,
                             nilas_interval_unit *out) {
    int keyword = nilas_sql__peek(p, 0);
    if (find_unit(keyword, plural, out)) {
        p->position++;
        return NILAS_OK;
    }
    if (keyword != NILAS_KW_NANOSECOND && keyword != NILAS_KW_NANOSECONDS) {
        return nilas_sql__unexpected(p);
    }
    char reason[60];
    snprintf(reason, sizeof(reason), "Invalid unit '%.*s'.",
             NILAS_FMT(nilas_sql__token_text(p, 0)));
    reject_format(p, interval, "INVALID_INTERVAL_FORMAT.INVALID_UNIT", reason,
                  nilas_sql__text_from(p, interval->offset));
    p->position++;
    *out = NILAS_UNIT_MICROSECOND;
    return NILAS_OK;
}

/* Spark's grammar reads on over a second range only to say what is wrong. */
static nilas_code parse_surplus(nilas_sql__parser *p, const nilas_expr *interval) {
    while (at_value_and_unit(p, 0)) {
        nilas_expr *value;
        nilas_interval_unit unit;
        NILAS_TRY(parse_value(p, &value));
        NILAS_TRY(parse_unit(p, interval, true, &unit));
        if (nilas_sql__accept(p, NILAS_KW_TO)) {
            NILAS_TRY(parse_unit(p, interval, false, &unit));
        }
        nilas_sql__reject(p, interval->offset, "_LEGACY_ERROR_TEMP_0024",
                          "Can only have a single from-to unit in the interval literal syntax.");
    }
    return NILAS_OK;
}

nilas_code nilas_sql__interval(nilas_sql__parser *p, nilas_expr **out) {
    nilas_expr *interval;
    NILAS_TRY(nilas_sql__new_expr(p, NILAS_EXPR_INTERVAL, nilas_sql__offset(p), &interval));
    p->position++;
    nilas_sql__exprs values = {0};
    NILAS_ARRAY_OF(nilas_interval_unit) value_units = {0};
    do {
        nilas_expr *value;
        nilas_interval_unit unit;
        NILAS_TRY(parse_value(p, &value));
        NILAS_TRY(parse_unit(p, interval, true, &unit));
        NILAS_PUSH(p->stmt, &values, value, p->err);
        NILAS_PUSH(p->stmt, &value_units, unit, p->err);
        if (nilas_sql__accept(p, NILAS_KW_TO)) {
            NILAS_TRY(parse_unit(p, interval, false, &interval->to_unit));
            interval->has_to_unit = true;
        }
    } while (!interval->has_to_unit && at_value_and_unit(p, 0));
    interval->args = values.items;
    interval->arg_count = values.count;
    interval->units = value_units.items;
    interval->end_offset = nilas_sql__end(p);

    if (interval->has_to_unit && values.count > 1) {
        nilas_sql__reject(p, interval->offset, "_LEGACY_ERROR_TEMP_0024",
                          "Can only have a single from-to unit in the interval literal syntax.");
    } else if (interval->has_to_unit) {
        NILAS_TRY(parse_surplus(p, interval));
        check_range(p, interval);
    } else {
        check_mixed(p, interval);
    }
    *out = interval;
    return NILAS_OK;
}
