/**
 * Result types that a signature cannot say: decimals, intervals, structs, generators. A rule reads
 * r->types (what the arguments are cast to), sets r->type, and may change r->types and r->nullable.
 */
#include "function/result.h"

#include "function/precision.h"
#include "function/schema.h"

static const nilas_result_rule *find_rule(nilas_str name) {
    for (size_t i = 0; nilas_function__scalar_rules[i].name != NULL; i++) {
        if (nilas_str_is(name, nilas_function__scalar_rules[i].name)) {
            return &nilas_function__scalar_rules[i];
        }
    }
    for (size_t i = 0; nilas_function__shape_rules[i].name != NULL; i++) {
        if (nilas_str_is(name, nilas_function__shape_rules[i].name)) {
            return &nilas_function__shape_rules[i];
        }
    }
    return NULL;
}

bool nilas_function__has_rule(nilas_str rule) {
    return find_rule(rule) != NULL;
}

nilas_code nilas_function__apply_rule(nilas_resolution *r, nilas_str rule) {
    const nilas_result_rule *found = find_rule(rule);
    nilas_assert(found != NULL);
    return found->apply(r);
}

static nilas_code first(nilas_resolution *r) {
    r->type = r->types[0];
    return NILAS_OK;
}

static nilas_code second(nilas_resolution *r) {
    r->type = r->types[1];
    return NILAS_OK;
}

static nilas_code array_of_first(nilas_resolution *r) {
    return nilas_type_array(r->stmt, r->types[0], true, &r->type, r->err);
}

/* --- intervals --- */

static nilas_code make_interval(nilas_resolution *r, nilas_type_kind kind, nilas_interval_unit from,
                                nilas_interval_unit to) {
    nilas_type *type;
    NILAS_NEW(r->stmt, &type, r->err);
    *type = (nilas_type){.kind = kind, .from_unit = from, .to_unit = to};
    r->type = type;
    return NILAS_OK;
}

static nilas_code interval_union(nilas_resolution *r) {
    return nilas_type_common(r->stmt, r->types[0], r->types[1], true, &r->type, r->err);
}

static nilas_code interval_day(nilas_resolution *r) {
    return make_interval(r, NILAS_TYPE_INTERVAL_DAY_TIME, NILAS_UNIT_DAY, NILAS_UNIT_DAY);
}

static nilas_code interval_day_time(nilas_resolution *r) {
    r->type = nilas_type_of(NILAS_TYPE_INTERVAL_DAY_TIME);
    return NILAS_OK;
}

static nilas_code interval_full(nilas_resolution *r) {
    r->type = nilas_type_of(r->types[0]->kind);
    return NILAS_OK;
}

/** A date plus whole days stays a date; plus a time it becomes a timestamp. */
static nilas_code date_plus_day_time(nilas_resolution *r) {
    const nilas_type *interval = r->types[0]->kind == NILAS_TYPE_DATE ? r->types[1] : r->types[0];
    bool days = interval->from_unit == NILAS_UNIT_DAY && interval->to_unit == NILAS_UNIT_DAY;
    r->type = nilas_type_of(days ? NILAS_TYPE_DATE : NILAS_TYPE_TIMESTAMP);
    return NILAS_OK;
}

/* --- decimals --- */

static nilas_code set_decimal(nilas_resolution *r, nilas_precision p) {
    return nilas_type_decimal(r->stmt, p.precision, p.scale, &r->type, r->err);
}

static nilas_code decimal_operation(nilas_resolution *r, nilas_decimal_operation operation) {
    return set_decimal(r, nilas_function__decimal_result(operation,
                                                         nilas_function__decimal_of(r->types[0]),
                                                         nilas_function__decimal_of(r->types[1])));
}

static nilas_code decimal_add(nilas_resolution *r) {
    return decimal_operation(r, NILAS_DECIMAL_ADD);
}

static nilas_code decimal_multiply(nilas_resolution *r) {
    return decimal_operation(r, NILAS_DECIMAL_MULTIPLY);
}

static nilas_code decimal_divide(nilas_resolution *r) {
    return decimal_operation(r, NILAS_DECIMAL_DIVIDE);
}

static nilas_code decimal_remainder(nilas_resolution *r) {
    return decimal_operation(r, NILAS_DECIMAL_REMAINDER);
}

static nilas_code sum(nilas_resolution *r) {
    return set_decimal(
        r, nilas_function__decimal_bounded(r->types[0]->precision + 10, r->types[0]->scale));
}

static nilas_code avg(nilas_resolution *r) {
    return set_decimal(
        r, nilas_function__decimal_bounded(r->types[0]->precision + 4, r->types[0]->scale + 4));
}

static nilas_code ceil_or_floor(nilas_resolution *r) {
    return set_decimal(
        r, nilas_function__decimal_bounded(r->types[0]->precision - r->types[0]->scale + 1, 0));
}

/** round, bround, ceil and floor with a scale: a constant decides the decimal's type. */
static nilas_code round_to_scale(nilas_resolution *r) {
    const nilas_type *type = r->types[0];
    const nilas_value *constant = r->count > 1 ? r->arguments[1].constant : NULL;
    bool named_ceil = nilas_str_is_nocase(r->name, "ceil") ||
                      nilas_str_is_nocase(r->name, "ceiling") ||
                      nilas_str_is_nocase(r->name, "floor");
    int64_t scale = constant != NULL && constant->kind == NILAS_VALUE_INT ? constant->integer : 0;
    if (named_ceil && type->kind != NILAS_TYPE_DECIMAL) {
        const nilas_type *given = r->arguments[0].type;
        bool vague = nilas_type_is_string(given) || given->kind == NILAS_TYPE_VOID;
        nilas_precision p = vague ? (nilas_precision){38, 18} : nilas_function__decimal_of(type);
        NILAS_TRY(nilas_type_decimal(r->stmt, p.precision, p.scale, &r->types[0], r->err));
        type = r->types[0];
    }
    if (type->kind != NILAS_TYPE_DECIMAL) {
        r->type = type;
        return NILAS_OK;
    }
    int32_t least = type->precision - type->scale + 1;
    if (scale < 0) {
        int32_t places = scale < -38 ? 38 : (int32_t)-scale;
        return set_decimal(
            r, nilas_function__decimal_bounded(places + 1 > least ? places + 1 : least, 0));
    }
    int32_t new_scale = scale < type->scale ? (int32_t)scale : type->scale;
    return set_decimal(r, nilas_function__decimal_bounded(least + new_scale, new_scale));
}

/** to_number: the digits of a constant format: "99,999.9S" is decimal(6,1). */
static nilas_code number_format(nilas_resolution *r) {
    const nilas_value *format = r->arguments[1].constant;
    int32_t before = 0, after = 0;
    bool point = false;
    if (format == NULL || format->kind != NILAS_VALUE_STRING) {
        return set_decimal(r, (nilas_precision){38, 18});
    }
    for (size_t i = 0; i < format->text.size; i++) {
        char c = format->text.data[i];
        point = point || c == '.' || c == 'D' || c == 'd';
        before += !point && (c == '0' || c == '9');
        after += point && (c == '0' || c == '9');
    }
    return set_decimal(
        r, nilas_function__decimal_bounded(before + after > 0 ? before + after : 1, after));
}

/* --- choices --- */

/** Null only when every argument may be. */
static nilas_code coalesce(nilas_resolution *r) {
    r->type = r->types[0];
    r->nullable = true;
    for (size_t i = 0; i < r->count; i++) {
        r->nullable = r->nullable && r->arguments[i].nullable;
    }
    return NILAS_OK;
}

/** decode(value, search, result, … [, default]): as CASE. */
static nilas_code decode(nilas_resolution *r) {
    const nilas_type *common = NULL;
    if (r->count < 3) {
        return nilas_function__fail_mismatch(
            r, "WRONG_NUM_ARGS.WITHOUT_SUGGESTION",
            "The `decode` requires > 2 parameters but the actual number is %zu.", r->count);
    }
    for (size_t i = 1; i < r->count; i++) {
        bool result = i % 2 == 0 || i + 1 == r->count;
        if (!result) {
            r->types[i] = r->types[0];
        } else if (common == NULL) {
            common = r->types[i];
        } else {
            NILAS_TRY(
                nilas_type_common(r->stmt, common, r->types[i], r->options->ansi, &common, r->err));
        }
        if (result && common == NULL) {
            return nilas_function__fail_different(r);
        }
    }
    for (size_t i = 2; i < r->count; i++) {
        bool result = i % 2 == 0 || i + 1 == r->count;
        r->types[i] = result ? common : r->types[i];
    }
    r->type = common;
    return NILAS_OK;
}

/** extract and date_part: seconds have a fraction, hours, minutes and months of an interval fit a
 *  byte; everything else is an int. */
static nilas_code extract(nilas_resolution *r) {
    const nilas_value *field = r->arguments[0].constant;
    static const char *const seconds[] = {"second", "s", "sec", "seconds", "secs"};
    r->type = nilas_type_of(NILAS_TYPE_INT);
    if (field == NULL || field->kind != NILAS_VALUE_STRING) {
        return nilas_function__fail_mismatch(r, "DATATYPE_MISMATCH.NON_FOLDABLE_INPUT",
                                             "the input `field` should be a foldable "
                                             "\"STRING\" expression; however, got \"%.*s\".",
                                             NILAS_FMT(r->arguments[0].shown));
    }
    for (size_t i = 0; i < sizeof(seconds) / sizeof(seconds[0]); i++) {
        if (nilas_str_is_nocase(field->text, seconds[i])) {
            return set_decimal(r, (nilas_precision){8, 6});
        }
    }
    char first = field->text.size > 0 ? (char)(field->text.data[0] | 32) : 0;
    bool small = r->types[1]->kind == NILAS_TYPE_INTERVAL_DAY_TIME
                     ? first == 'h' || first == 'm'
                     : r->types[1]->kind == NILAS_TYPE_INTERVAL_YEAR_MONTH && first == 'm';
    r->type = small ? nilas_type_of(NILAS_TYPE_TINYINT) : r->type;
    return NILAS_OK;
}

/* --- schemas in constants --- */

static nilas_code schema_of_constant(nilas_resolution *r, size_t index) {
    const nilas_value *schema = r->arguments[index].constant;
    if (schema == NULL || schema->kind != NILAS_VALUE_STRING) {
        return nilas_fail_at(r->err, NILAS_INVALID, "INVALID_SCHEMA.NON_STRING_LITERAL",
                             r->options->offset,
                             "The input schema \"%.*s\" is not a valid schema string. The input "
                             "expression must be string literal and "
                             "not null.",
                             NILAS_FMT(r->arguments[index].shown));
    }
    NILAS_TRY(nilas_function__parse_schema(r->stmt, schema->text, &r->type, r->err));
    if (r->type == NULL) {
        return nilas_fail_at(
            r->err, NILAS_INVALID, "INVALID_SCHEMA.PARSE_ERROR", r->options->offset,
            "The input schema \"%.*s\" is not a valid schema string. Cannot parse the schema.",
            NILAS_FMT(schema->text));
    }
    return NILAS_OK;
}

static nilas_code from_schema(nilas_resolution *r) {
    return schema_of_constant(r, 1);
}

static nilas_code variant_get(nilas_resolution *r) {
    return schema_of_constant(r, 2);
}

const nilas_result_rule nilas_function__scalar_rules[] = {
    {"first", first},
    {"second", second},
    {"array_of_first", array_of_first},
    {"interval_union", interval_union},
    {"interval_day", interval_day},
    {"interval_day_time", interval_day_time},
    {"interval_full", interval_full},
    {"date_plus_day_time", date_plus_day_time},
    {"decimal_add", decimal_add},
    {"decimal_multiply", decimal_multiply},
    {"decimal_divide", decimal_divide},
    {"decimal_remainder", decimal_remainder},
    {"sum", sum},
    {"avg", avg},
    {"ceil", ceil_or_floor},
    {"round", round_to_scale},
    {"number_format", number_format},
    {"coalesce", coalesce},
    {"decode", decode},
    {"extract", extract},
    {"from_schema", from_schema},
    {"variant_get", variant_get},
    {NULL, NULL},
};
