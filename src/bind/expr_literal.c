/*
 * Literals that need the session: DATE'…', TIMESTAMP'…' (its time zone and its clock).
 */
#include <stdio.h>

#include "bind/expr.h"

static nilas_code fail_typed(const nilas_expr *expr, nilas_error *err) {
    return nilas_fail_at(err, NILAS_INVALID, "INVALID_TYPED_LITERAL", expr->offset,
                         "The value of the typed literal \"%.*s\" is invalid: '%.*s'.",
                         NILAS_FMT(expr->parts[0]), NILAS_FMT(expr->value.text));
}

/** "epoch", "now", "today", "tomorrow", "yesterday"; false for any other word. */
static bool special_micros(const nilas_bind_environment *environment, nilas_str text,
                           int64_t *out_utc, int64_t *out_days) {
    int64_t now = environment->now_micros;
    int64_t offset =
        (int64_t)nilas_zone_offset_at(environment->zone, now) * NILAS_MICROS_PER_SECOND;
    int64_t today = nilas_floor_div(now + offset, NILAS_MICROS_PER_DAY);
    static const struct {
        const char *word;
        int add;
    } days[] = {{"today", 0}, {"tomorrow", 1}, {"yesterday", -1}};
    if (nilas_str_is_nocase(text, "epoch")) {
        *out_utc = 0;
        *out_days = 0;
        return true;
    }
    if (nilas_str_is_nocase(text, "now")) {
        *out_utc = now;
        *out_days = today;
        return true;
    }
    for (size_t i = 0; i < sizeof(days) / sizeof(days[0]); i++) {
        if (nilas_str_is_nocase(text, days[i].word)) {
            *out_days = today + days[i].add;
            *out_utc = nilas_zone_to_utc(environment->zone, *out_days * NILAS_MICROS_PER_DAY);
            return true;
        }
    }
    return false;
}

bool nilas_bind__special_time(const nilas_bind_environment *environment, nilas_str text,
                              const nilas_type *type, nilas_value *out) {
    int64_t utc = 0, days = 0;
    if (!special_micros(environment, nilas_str_trim(text), &utc, &days)) {
        return false;
    }
    int64_t shift = (int64_t)nilas_zone_offset_at(environment->zone, utc) * NILAS_MICROS_PER_SECOND;
    bool is_epoch = utc == 0 && days == 0; // 1970-01-01 00:00:00 in a zone, else of the session
    *out = nilas_value_of_int(type->kind == NILAS_TYPE_DATE        ? days
                              : type->kind == NILAS_TYPE_TIMESTAMP ? utc
                              : is_epoch                           ? 0
                                                                   : utc + shift);
    return true;
}

static bool date_value(const nilas_bind_environment *environment, nilas_str text, int64_t *out) {
    int64_t utc = 0;
    return special_micros(environment, nilas_str_trim(text), &utc, out) ||
           nilas_date_parse(text, out);
}

/** A TIMESTAMP literal is without zone only when the session says so and the text has no zone. */
static bool timestamp_value(const nilas_bind_environment *environment, nilas_str text,
                            bool prefer_ntz, int64_t *out, bool *is_ntz) {
    int64_t days = 0;
    bool has_zone = false;
    *is_ntz = false;
    if (special_micros(environment, nilas_str_trim(text), out, &days)) {
        return true;
    }
    if (!nilas_timestamp_parse(text, environment->zone, out, &has_zone)) {
        return false;
    }
    if (has_zone) {
        return true;
    }
    if (prefer_ntz) {
        *is_ntz = true;
        return true;
    }
    *out = nilas_zone_to_utc(environment->zone, *out);
    return true;
}

static bool prefers_ntz(const nilas_bind_environment *environment) {
    if (environment->setting == NULL) {
        return false;
    }
    nilas_str setting = environment->setting(environment->context, "spark.sql.timestampType");
    return setting.data != NULL && nilas_str_is_nocase(setting, "TIMESTAMP_NTZ");
}

static bool time_value(nilas_str text, int64_t *out_micros) {
    nilas_str trimmed = nilas_str_trim(text);
    char dated[64];
    if (trimmed.size > 40 || trimmed.size == 0) {
        return false;
    }
    int size = snprintf(dated, sizeof(dated), "1970-01-01 %.*s", NILAS_FMT(trimmed));
    nilas_str whole = {.data = dated, .size = (size_t)size};
    return nilas_timestamp_ntz_parse(whole, false, out_micros);
}

nilas_code nilas_bind__typed_literal(nilas_bind_scope *scope, const nilas_expr *expr,
                                     nilas_bound_expr **out, nilas_error *err) {
    const nilas_bind_environment *environment = scope->binder->environment;
    nilas_str keyword = expr->parts[0];
    nilas_str text = expr->value.text;
    nilas_type_kind kind = NILAS_TYPE_VOID;
    int64_t number = 0;
    bool is_ntz = false;
    bool valid = false;
    if (nilas_str_is(keyword, "INTERVAL")) {
        return nilas_bind__interval_text(scope, text, expr->offset, out, err);
    }
    if (nilas_str_is(keyword, "DATE")) {
        kind = NILAS_TYPE_DATE;
        valid = date_value(environment, text, &number);
    } else if (nilas_str_is(keyword, "TIMESTAMP_NTZ")) {
        kind = NILAS_TYPE_TIMESTAMP_NTZ;
        valid = nilas_timestamp_ntz_parse(text, false, &number);
    } else if (nilas_str_is(keyword, "TIMESTAMP") || nilas_str_is(keyword, "TIMESTAMP_LTZ")) {
        bool prefer = nilas_str_is(keyword, "TIMESTAMP") && prefers_ntz(environment);
        valid = timestamp_value(environment, text, prefer, &number, &is_ntz);
        kind = is_ntz ? NILAS_TYPE_TIMESTAMP_NTZ : NILAS_TYPE_TIMESTAMP;
    } else if (nilas_str_is(keyword, "TIME")) {
        kind = NILAS_TYPE_TIME;
        valid = time_value(text, &number);
    }
    if (kind == NILAS_TYPE_VOID) {
        return nilas_fail_at(
            err, NILAS_INVALID, "UNSUPPORTED_TYPED_LITERAL", expr->offset,
            "Literals of the type \"%.*s\" are not supported. Supported types are \"DATE\", "
            "\"TIMESTAMP_NTZ\", \"TIMESTAMP_LTZ\", \"TIMESTAMP\", \"INTERVAL\", \"X\", \"TIME\".",
            NILAS_FMT(keyword));
    }
    if (!valid) {
        return fail_typed(expr, err);
    }
    nilas_value value = nilas_value_of_int(number);
    return nilas_bind__literal(scope->binder, nilas_type_of(kind), &value, out, err);
}
