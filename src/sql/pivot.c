/** PIVOT, UNPIVOT and TABLESAMPLE. */
#include "sql/parser.h"

#include <stdio.h>
#include <stdlib.h>

// ---- PIVOT --------------------------------------------------------------------------------------

static nilas_code parse_pivot_columns(nilas_sql__parser *p, nilas_query *pivot) {
    nilas_sql__exprs columns = {0};
    bool list = nilas_sql__accept(p, TOKEN_LEFT_PAREN);
    do {
        int32_t offset = nilas_sql__offset(p);
        nilas_str *name;
        nilas_expr *column;
        NILAS_NEW(p->stmt, &name, p->err);
        NILAS_TRY(nilas_sql__captured_identifier(p, name));
        NILAS_TRY(nilas_sql__column(p, name, 1, offset, &column));
        NILAS_PUSH(p->stmt, &columns, column, p->err);
    } while (list && nilas_sql__accept(p, TOKEN_COMMA));
    pivot->pivot_columns = columns.items;
    pivot->pivot_column_count = columns.count;
    return list ? nilas_sql__expect(p, TOKEN_RIGHT_PAREN) : NILAS_OK;
}

nilas_code nilas_sql__pivot(nilas_sql__parser *p, nilas_query *input, nilas_query **out) {
    nilas_query *pivot;
    NILAS_TRY(nilas_sql__new_query(p, NILAS_QUERY_PIVOT, nilas_sql__offset(p), &pivot));
    pivot->input = input;
    p->position++;
    NILAS_TRY(nilas_sql__expect(p, TOKEN_LEFT_PAREN));
    NILAS_TRY(nilas_sql__named_expressions(p, &pivot->exprs, &pivot->expr_count));
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_FOR));
    NILAS_TRY(parse_pivot_columns(p, pivot));
    NILAS_TRY(nilas_sql__expect2(p, NILAS_KW_IN, TOKEN_LEFT_PAREN));
    NILAS_TRY(nilas_sql__named_expressions(p, &pivot->pivot_values, &pivot->pivot_value_count));
    NILAS_TRY(nilas_sql__expect2(p, TOKEN_RIGHT_PAREN, TOKEN_RIGHT_PAREN));
    pivot->end_offset = nilas_sql__end(p);
    *out = pivot;
    return NILAS_OK;
}

// ---- UNPIVOT ------------------------------------------------------------------------------------

static nilas_code parse_unpivot_names(nilas_sql__parser *p, nilas_unpivot *unpivot) {
    nilas_sql__strs names = {0};
    unpivot->multi_value = nilas_sql__accept(p, TOKEN_LEFT_PAREN);
    do {
        nilas_str name;
        NILAS_TRY(nilas_sql__identifier(p, &name));
        NILAS_PUSH(p->stmt, &names, name, p->err);
    } while (unpivot->multi_value && nilas_sql__accept(p, TOKEN_COMMA));
    unpivot->value_columns = names.items;
    unpivot->value_column_count = names.count;
    if (unpivot->multi_value) {
        NILAS_TRY(nilas_sql__expect(p, TOKEN_RIGHT_PAREN));
    }
    NILAS_TRY(nilas_sql__expect(p, NILAS_KW_FOR));
    return nilas_sql__identifier(p, &unpivot->name_column);
}

static nilas_code parse_unpivot_columns(nilas_sql__parser *p, bool list,
                                        nilas_unpivot_value *value) {
    nilas_sql__exprs columns = {0};
    do {
        int32_t offset = nilas_sql__offset(p);
        nilas_str *parts;
        size_t count;
        nilas_expr *column;
        NILAS_TRY(nilas_sql__name(p, &parts, &count));
        NILAS_TRY(nilas_sql__column(p, parts, count, offset, &column));
        NILAS_PUSH(p->stmt, &columns, column, p->err);
    } while (list && nilas_sql__accept(p, TOKEN_COMMA));
    value->columns = columns.items;
    value->column_count = columns.count;
    return NILAS_OK;
}

static nilas_code parse_unpivot_value(nilas_sql__parser *p, bool list, nilas_unpivot_value *value) {
    *value = (nilas_unpivot_value){0};
    if (list) {
        NILAS_TRY(nilas_sql__expect(p, TOKEN_LEFT_PAREN));
    }
    NILAS_TRY(parse_unpivot_columns(p, list, value));
    if (list) {
        NILAS_TRY(nilas_sql__expect(p, TOKEN_RIGHT_PAREN));
    }
    if (nilas_sql__accept(p, NILAS_KW_AS) || nilas_sql__is_identifier(p, 0)) {
        value->has_alias = true;
        return nilas_sql__captured_identifier(p, &value->alias);
    }
    return NILAS_OK;
}

static nilas_code parse_unpivot_alias(nilas_sql__parser *p, nilas_query **in_out) {
    bool as = nilas_sql__accept(p, NILAS_KW_AS);
    if (!as && (!nilas_sql__is_identifier(p, 0) || nilas_sql__starts_clause(p) ||
                nilas_sql__at(p, NILAS_KW_PIVOT))) {
        return NILAS_OK;
    }
    nilas_query *alias;
    NILAS_TRY(nilas_sql__new_query(p, NILAS_QUERY_ALIAS, (*in_out)->offset, &alias));
    NILAS_TRY(nilas_sql__captured_identifier(p, &alias->alias));
    alias->has_alias = true;
    alias->input = *in_out;
    alias->end_offset = nilas_sql__end(p);
    *in_out = alias;
    return NILAS_OK;
}

nilas_code nilas_sql__unpivot(nilas_sql__parser *p, nilas_query *input, nilas_query **out) {
    nilas_query *query;
    nilas_unpivot *unpivot;
    NILAS_TRY(nilas_sql__new_query(p, NILAS_QUERY_UNPIVOT, nilas_sql__offset(p), &query));
    NILAS_NEW(p->stmt, &unpivot, p->err);
    query->input = input;
    query->unpivot = unpivot;
    p->position++;
    unpivot->include_nulls = nilas_sql__accept2(p, NILAS_KW_INCLUDE, NILAS_KW_NULLS);
    if (!unpivot->include_nulls) {
        nilas_sql__accept2(p, NILAS_KW_EXCLUDE, NILAS_KW_NULLS);
    }
    NILAS_TRY(nilas_sql__expect(p, TOKEN_LEFT_PAREN));
    NILAS_TRY(parse_unpivot_names(p, unpivot));
    NILAS_TRY(nilas_sql__expect2(p, NILAS_KW_IN, TOKEN_LEFT_PAREN));
    NILAS_ARRAY_OF(nilas_unpivot_value) values = {0};
    do {
        nilas_unpivot_value value;
        NILAS_TRY(parse_unpivot_value(p, unpivot->multi_value, &value));
        NILAS_PUSH(p->stmt, &values, value, p->err);
    } while (nilas_sql__accept(p, TOKEN_COMMA));
    unpivot->values = values.items;
    unpivot->value_count = values.count;
    NILAS_TRY(nilas_sql__expect2(p, TOKEN_RIGHT_PAREN, TOKEN_RIGHT_PAREN));
    query->end_offset = nilas_sql__end(p);
    *out = query;
    return parse_unpivot_alias(p, out);
}

// ---- TABLESAMPLE --------------------------------------------------------------------------------

/* As Java prints a double: always with a point. */
static void check_fraction(nilas_sql__parser *p, int32_t offset, double fraction) {
    if (fraction >= 0 && fraction <= 1) {
        return;
    }
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof(text), "%.*g", digits, fraction);
        if (strtod(text, NULL) == fraction) {
            break;
        }
    }
    nilas_sql__reject(p, offset, "_LEGACY_ERROR_TEMP_0064",
                      "Sampling fraction (%s%s) must be on interval [0, 1].", text,
                      strpbrk(text, ".en") != NULL ? "" : ".0");
}

static nilas_code parse_percent(nilas_sql__parser *p, nilas_sample *sample) {
    int32_t offset = nilas_sql__offset(p);
    bool negative = nilas_sql__accept(p, TOKEN_MINUS);
    sample->kind = NILAS_SAMPLE_PERCENT;
    NILAS_TRY(nilas_sql__number(p, negative, offset, &sample->amount));
    const nilas_value *value = &sample->amount->value;
    double percent = value->kind == NILAS_VALUE_DECIMAL
                         ? nilas_decimal_to_double(value->decimal, value->scale)
                         : (double)value->integer;
    check_fraction(p, offset, percent / 100.0);
    return nilas_sql__expect(p, NILAS_KW_PERCENT);
}

static nilas_code parse_bucket(nilas_sql__parser *p, nilas_sample *sample) {
    int32_t offset = nilas_sql__offset(p);
    int32_t numerator;
    int32_t denominator;
    p->position++;
    sample->kind = NILAS_SAMPLE_BUCKET;
    NILAS_TRY(nilas_sql__integer(p, &numerator));
    NILAS_TRY(nilas_sql__expect2(p, NILAS_KW_OUT, NILAS_KW_OF));
    NILAS_TRY(nilas_sql__integer(p, &denominator));
    sample->numerator = numerator;
    sample->denominator = denominator;
    if (nilas_sql__accept(p, NILAS_KW_ON)) {
        NILAS_TRY(nilas_sql__primary(p, &sample->bucket_on));
        nilas_sql__reject(p, offset, "_LEGACY_ERROR_TEMP_0015",
                          "TABLESAMPLE(BUCKET x OUT OF y ON %s) is not supported.",
                          sample->bucket_on->kind == NILAS_EXPR_CALL ? "function" : "colname");
        return NILAS_OK;
    }
    check_fraction(p, offset, (double)numerator / (double)denominator);
    return NILAS_OK;
}

/* "10M", which Spark names and refuses, and anything else, which is none. */
static void reject_bytes(nilas_sql__parser *p, nilas_sample *sample, nilas_str text) {
    size_t digits = 0;
    while (digits < text.size && text.data[digits] >= '0' && text.data[digits] <= '9') {
        digits++;
    }
    bool valid =
        digits > 0 && digits + 1 == text.size && strchr("bBkKmMgG", text.data[digits]) != NULL;
    sample->kind = NILAS_SAMPLE_BYTES;
    sample->text = text;
    if (valid) {
        nilas_sql__reject(p, sample->amount->offset, "_LEGACY_ERROR_TEMP_0015",
                          "TABLESAMPLE(byteLengthLiteral) is not supported.");
    } else {
        nilas_sql__reject(p, sample->amount->offset, "_LEGACY_ERROR_TEMP_0016",
                          "%.*s is not a valid byte length literal, expected syntax: DIGIT+ ('B' | "
                          "'K' | 'M' | 'G').",
                          NILAS_FMT(text));
    }
}

static nilas_code parse_sample_method(nilas_sql__parser *p, nilas_sample *sample) {
    size_t sign = nilas_sql__at(p, TOKEN_MINUS);
    int kind = nilas_sql__peek(p, sign);
    if ((kind == TOKEN_INTEGER || kind == TOKEN_DECIMAL) &&
        nilas_sql__peek(p, sign + 1) == NILAS_KW_PERCENT) {
        return parse_percent(p, sample);
    }
    if (nilas_sql__at2(p, NILAS_KW_BUCKET, TOKEN_INTEGER)) {
        return parse_bucket(p, sample);
    }
    int32_t offset = nilas_sql__offset(p);
    NILAS_TRY(nilas_sql__expression(p, &sample->amount));
    if (nilas_sql__accept(p, NILAS_KW_ROWS)) {
        sample->kind = NILAS_SAMPLE_ROWS;
    } else {
        reject_bytes(p, sample, nilas_sql__text_from(p, offset));
    }
    return NILAS_OK;
}

nilas_code nilas_sql__sample(nilas_sql__parser *p, nilas_query *input, nilas_query **out) {
    nilas_query *query;
    int32_t offset = nilas_sql__offset(p);
    NILAS_TRY(nilas_sql__new_query(p, NILAS_QUERY_SAMPLE, input->offset, &query));
    NILAS_NEW(p->stmt, &query->sample, p->err);
    query->input = input;
    NILAS_TRY(nilas_sql__expect2(p, NILAS_KW_TABLESAMPLE, TOKEN_LEFT_PAREN));
    if (nilas_sql__at(p, TOKEN_RIGHT_PAREN)) {
        nilas_sql__reject(p, offset, "_LEGACY_ERROR_TEMP_0014",
                          "TABLESAMPLE does not accept empty inputs.");
        query->sample->kind = NILAS_SAMPLE_BYTES;
    } else {
        NILAS_TRY(parse_sample_method(p, query->sample));
    }
    NILAS_TRY(nilas_sql__expect(p, TOKEN_RIGHT_PAREN));
    if (nilas_sql__accept2(p, NILAS_KW_REPEATABLE, TOKEN_LEFT_PAREN)) {
        if (!nilas_sql__at(p, TOKEN_INTEGER)) {
            return nilas_sql__unexpected(p);
        }
        NILAS_TRY(nilas_sql__number(p, false, nilas_sql__offset(p), &query->sample->seed));
        NILAS_TRY(nilas_sql__expect(p, TOKEN_RIGHT_PAREN));
    }
    query->end_offset = nilas_sql__end(p);
    *out = query;
    return NILAS_OK;
}
