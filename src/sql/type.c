/** Types as text: "ARRAY<STRUCT<a: INT NOT NULL>>", "DECIMAL(10, 2)", and schemas: "a INT, b
 *  STRING". */
#include "sql/parser.h"

static nilas_code parse_type(nilas_sql__parser *p, int nesting, const nilas_type **out);

// ---- names without parameters -------------------------------------------------------------------

static const struct {
    int keyword;
    nilas_type_kind kind;
} plain_types[] = {
    {NILAS_KW_BOOLEAN, NILAS_TYPE_BOOLEAN},
    {NILAS_KW_TINYINT, NILAS_TYPE_TINYINT},
    {NILAS_KW_BYTE, NILAS_TYPE_TINYINT},
    {NILAS_KW_SMALLINT, NILAS_TYPE_SMALLINT},
    {NILAS_KW_SHORT, NILAS_TYPE_SMALLINT},
    {NILAS_KW_INT, NILAS_TYPE_INT},
    {NILAS_KW_INTEGER, NILAS_TYPE_INT},
    {NILAS_KW_BIGINT, NILAS_TYPE_BIGINT},
    {NILAS_KW_LONG, NILAS_TYPE_BIGINT},
    {NILAS_KW_FLOAT, NILAS_TYPE_FLOAT},
    {NILAS_KW_REAL, NILAS_TYPE_FLOAT},
    {NILAS_KW_DOUBLE, NILAS_TYPE_DOUBLE},
    {NILAS_KW_DATE, NILAS_TYPE_DATE},
    {NILAS_KW_TIMESTAMP_LTZ, NILAS_TYPE_TIMESTAMP},
    {NILAS_KW_TIMESTAMP_NTZ, NILAS_TYPE_TIMESTAMP_NTZ},
    {NILAS_KW_BINARY, NILAS_TYPE_BINARY},
    {NILAS_KW_VOID, NILAS_TYPE_VOID},
    {NILAS_KW_VARIANT, NILAS_TYPE_VARIANT},
};

static const nilas_type *find_plain(int keyword) {
    for (size_t i = 0; i < sizeof(plain_types) / sizeof(plain_types[0]); i++) {
        if (plain_types[i].keyword == keyword) {
            return nilas_type_of(plain_types[i].kind);
        }
    }
    return NULL;
}

// ---- names with parameters ----------------------------------------------------------------------

static nilas_code copy_plain(nilas_sql__parser *p, nilas_type_kind kind, nilas_type **out) {
    NILAS_NEW(p->stmt, out, p->err);
    **out = *nilas_type_of(kind);
    return NILAS_OK;
}

static nilas_code string_type(nilas_sql__parser *p, const nilas_type **out) {
    p->position++;
    if (!nilas_sql__accept(p, NILAS_KW_COLLATE)) {
        *out = nilas_type_of(NILAS_TYPE_STRING);
        return NILAS_OK;
    }
    nilas_str *parts;
    size_t count;
    nilas_type *type;
    NILAS_TRY(nilas_sql__name(p, &parts, &count));
    NILAS_TRY(copy_plain(p, NILAS_TYPE_STRING, &type));
    type->collation = parts[count - 1];
    if (nilas_str_is_nocase(type->collation, "UTF8_BINARY")) {
        type->collation = (nilas_str){0};
    }
    *out = type;
    return NILAS_OK;
}

static nilas_code char_type(nilas_sql__parser *p, nilas_type_kind kind, const nilas_type **out) {
    int32_t offset = nilas_sql__offset(p);
    nilas_str word = nilas_sql__token_text(p, 0);
    nilas_type *type;
    NILAS_TRY(copy_plain(p, kind, &type));
    p->position++;
    if (nilas_sql__accept(p, TOKEN_LEFT_PAREN)) {
        NILAS_TRY(nilas_sql__integer(p, &type->length));
        NILAS_TRY(nilas_sql__expect(p, TOKEN_RIGHT_PAREN));
    } else {
        nilas_sql__reject(p, offset, "DATATYPE_MISSING_SIZE",
                          "DataType \"%.*s\" requires a length parameter, for example "
                          "\"%.*s\"(10). Please specify the length.",
                          NILAS_FMT(word), NILAS_FMT(word));
    }
    *out = type;
    return NILAS_OK;
}

static nilas_code decimal_type(nilas_sql__parser *p, const nilas_type **out) {
    int32_t offset = nilas_sql__offset(p);
    int32_t precision = 10;
    int32_t scale = 0;
    p->position++;
    if (nilas_sql__accept(p, TOKEN_LEFT_PAREN)) {
        NILAS_TRY(nilas_sql__integer(p, &precision));
        if (nilas_sql__accept(p, TOKEN_COMMA)) {
            NILAS_TRY(nilas_sql__integer(p, &scale));
        }
        NILAS_TRY(nilas_sql__expect(p, TOKEN_RIGHT_PAREN));
    }
    if (precision > 38) {
        nilas_sql__reject(p, offset, "DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION",
                          "Decimal precision %d exceeds max precision 38.", precision);
    } else if (scale > precision) {
        nilas_sql__reject(p, offset, "_LEGACY_ERROR_TEMP_1228",
                          "Decimal scale (%d) cannot be greater than precision (%d).", scale,
                          precision);
    }
    return nilas_type_decimal(p->stmt, precision, scale, out, p->err);
}

/* TIMESTAMP and TIME may be followed by WITHOUT TIME ZONE. */
static bool accept_without_time_zone(nilas_sql__parser *p) {
    return nilas_sql__peek(p, 2) == NILAS_KW_ZONE &&
           nilas_sql__accept2(p, NILAS_KW_WITHOUT, NILAS_KW_TIME) &&
           nilas_sql__accept(p, NILAS_KW_ZONE);
}

static nilas_code time_type(nilas_sql__parser *p, const nilas_type **out) {
    int32_t offset = nilas_sql__offset(p);
    nilas_type *type;
    NILAS_TRY(copy_plain(p, NILAS_TYPE_TIME, &type));
    p->position++;
    if (nilas_sql__accept(p, TOKEN_LEFT_PAREN)) {
        NILAS_TRY(nilas_sql__integer(p, &type->precision));
        NILAS_TRY(nilas_sql__expect(p, TOKEN_RIGHT_PAREN));
    }
    accept_without_time_zone(p);
    if (type->precision > 6) {
        nilas_sql__reject(p, offset, "UNSUPPORTED_TIME_PRECISION",
                          "The seconds precision %d of the TIME data type is out of the supported "
                          "range [0, 6].",
                          type->precision);
    }
    *out = type;
    return NILAS_OK;
}

static nilas_code interval_type(nilas_sql__parser *p, const nilas_type **out) {
    int32_t offset = nilas_sql__offset(p);
    nilas_interval_unit from;
    p->position++;
    if (!nilas_sql__interval_unit(nilas_sql__peek(p, 0), &from) || from > NILAS_UNIT_SECOND) {
        *out = nilas_type_of(NILAS_TYPE_INTERVAL);
        return NILAS_OK;
    }

    p->position++;
    nilas_interval_unit to = from;
    bool year_month = from <= NILAS_UNIT_MONTH;
    if (nilas_sql__accept(p, NILAS_KW_TO)) {
        if (!nilas_sql__interval_unit(nilas_sql__peek(p, 0), &to) || to > NILAS_UNIT_SECOND ||
            year_month != (to <= NILAS_UNIT_MONTH)) {
            return nilas_sql__unexpected(p);
        }
        p->position++;
        if (to <= from) {
            nilas_sql__reject(p, offset, "INVALID_INTERVAL_FORMAT.UNSUPPORTED_FROM_TO_EXPRESSION",
                              "Intervals from %s to %s are not supported.",
                              nilas_interval_unit_name(from), nilas_interval_unit_name(to));
        }
    }
    nilas_type *type;
    NILAS_TRY(copy_plain(
        p, year_month ? NILAS_TYPE_INTERVAL_YEAR_MONTH : NILAS_TYPE_INTERVAL_DAY_TIME, &type));
    type->from_unit = from;
    type->to_unit = to;
    *out = type;
    return NILAS_OK;
}

static bool at_geo_type(const nilas_sql__parser *p) {
    int parameter = nilas_sql__peek(p, 2);
    return (nilas_sql__at(p, NILAS_KW_GEOMETRY) || nilas_sql__at(p, NILAS_KW_GEOGRAPHY)) &&
           nilas_sql__peek(p, 1) == TOKEN_LEFT_PAREN &&
           (parameter == NILAS_KW_ANY || parameter == TOKEN_INTEGER);
}

/* GEOMETRY(…) and GEOGRAPHY(…) are types of Spark's that are not ours. */
static nilas_code geo_type(nilas_sql__parser *p, const nilas_type **out) {
    p->unsupported =
        nilas_sql__at(p, NILAS_KW_GEOMETRY) ? "the GEOMETRY type" : "the GEOGRAPHY type";
    p->position += 3;
    *out = nilas_type_of(NILAS_TYPE_BINARY);
    return nilas_sql__expect(p, TOKEN_RIGHT_PAREN);
}

/* A word that is no type, with parameters or not. */
static nilas_code unknown_type(nilas_sql__parser *p, const nilas_type **out) {
    int32_t offset = nilas_sql__offset(p);
    nilas_str word;
    NILAS_TRY(nilas_sql__identifier(p, &word));
    if (nilas_sql__accept(p, TOKEN_LEFT_PAREN)) {
        do {
            int32_t parameter;
            NILAS_TRY(nilas_sql__integer(p, &parameter));
        } while (nilas_sql__accept(p, TOKEN_COMMA));
        NILAS_TRY(nilas_sql__expect(p, TOKEN_RIGHT_PAREN));
    }
    nilas_str name;
    NILAS_TRY(nilas_str_upper(p->stmt, nilas_sql__text_from(p, offset), &name, p->err));
    nilas_sql__reject(p, offset, "UNSUPPORTED_DATATYPE", "Unsupported data type \"%.*s\".",
                      NILAS_FMT(name));
    *out = nilas_type_of(NILAS_TYPE_VOID);
    return NILAS_OK;
}

// ---- nested types -------------------------------------------------------------------------------

static void reject_incomplete(nilas_sql__parser *p, int32_t offset, const char *condition,
                              const char *definition) {
    nilas_sql__reject(p, offset, condition, "Incomplete complex type: %s", definition);
}

static nilas_code array_type(nilas_sql__parser *p, int nesting, const nilas_type **out) {
    int32_t offset = nilas_sql__offset(p);
    const nilas_type *element = nilas_type_of(NILAS_TYPE_VOID);
    p->position++;
    if (nilas_sql__accept(p, TOKEN_LT)) {
        NILAS_TRY(parse_type(p, nesting + 1, &element));
        NILAS_TRY(nilas_sql__expect(p, TOKEN_GT));
    } else {
        reject_incomplete(p, offset, "INCOMPLETE_TYPE_DEFINITION.ARRAY",
                          "The definition of \"ARRAY\" type is incomplete. You must provide an "
                          "element type. For example: \"ARRAY<elementType>\".");
    }
    return nilas_type_array(p->stmt, element, true, out, p->err);
}

static nilas_code map_type(nilas_sql__parser *p, int nesting, const nilas_type **out) {
    int32_t offset = nilas_sql__offset(p);
    const nilas_type *key = nilas_type_of(NILAS_TYPE_VOID);
    const nilas_type *value = key;
    p->position++;
    if (nilas_sql__accept(p, TOKEN_LT)) {
        NILAS_TRY(parse_type(p, nesting + 1, &key));
        NILAS_TRY(nilas_sql__expect(p, TOKEN_COMMA));
        NILAS_TRY(parse_type(p, nesting + 1, &value));
        NILAS_TRY(nilas_sql__expect(p, TOKEN_GT));
    } else {
        reject_incomplete(p, offset, "INCOMPLETE_TYPE_DEFINITION.MAP",
                          "The definition of \"MAP\" type is incomplete. You must provide a key "
                          "type and a value type. For example: \"MAP<TIMESTAMP, INT>\".");
    }
    return nilas_type_map(p->stmt, key, value, true, out, p->err);
}

static nilas_code parse_field(nilas_sql__parser *p, int nesting, nilas_type_field *field) {
    *field = (nilas_type_field){.nullable = true};
    NILAS_TRY(nilas_sql__captured_identifier(p, &field->name));
    if (nesting > 0) {
        nilas_sql__accept(p, TOKEN_COLON);
    }
    NILAS_TRY(parse_type(p, nesting, &field->type));
    if (nilas_sql__accept2(p, NILAS_KW_NOT, NILAS_KW_NULL) ||
        nilas_sql__accept2(p, TOKEN_BANG, NILAS_KW_NULL)) {
        field->nullable = false;
    }
    if (nilas_sql__accept(p, NILAS_KW_COMMENT)) {
        field->has_comment = true;
        NILAS_TRY(nilas_sql__string(p, &field->comment));
    }
    return NILAS_OK;
}

static nilas_code parse_fields(nilas_sql__parser *p, int nesting, const nilas_type **out) {
    NILAS_ARRAY_OF(nilas_type_field) fields = {0};
    do {
        nilas_type_field field;
        NILAS_TRY(parse_field(p, nesting, &field));
        NILAS_PUSH(p->stmt, &fields, field, p->err);
    } while (nilas_sql__accept(p, TOKEN_COMMA));
    return nilas_type_struct(p->stmt, fields.items, fields.count, out, p->err);
}

static nilas_code struct_type(nilas_sql__parser *p, int nesting, const nilas_type **out) {
    int32_t offset = nilas_sql__offset(p);
    p->position++;
    if (nilas_sql__accept(p, TOKEN_LT)) {
        if (nilas_sql__accept(p, TOKEN_GT)) {
            return nilas_type_struct(p->stmt, NULL, 0, out, p->err);
        }
        NILAS_TRY(parse_fields(p, nesting + 1, out));
        return nilas_sql__expect(p, TOKEN_GT);
    }
    if (!nilas_sql__accept(p, TOKEN_NOT_EQ)) { // "<>" is one token
        reject_incomplete(p, offset, "INCOMPLETE_TYPE_DEFINITION.STRUCT",
                          "The definition of \"STRUCT\" type is incomplete. You must provide at "
                          "least one field type. For example: \"STRUCT<name STRING, phone "
                          "DECIMAL(10, 0)>\".");
    }
    return nilas_type_struct(p->stmt, NULL, 0, out, p->err);
}

static nilas_code parse_type(nilas_sql__parser *p, int nesting, const nilas_type **out) {
    if (nesting > NILAS_LIMIT_TYPE_DEPTH) {
        return nilas_fail_at(p->err, NILAS_LIMIT, NULL, nilas_sql__offset(p),
                             "the type nests deeper than %d levels", NILAS_LIMIT_TYPE_DEPTH);
    }
    int kind = nilas_sql__peek(p, 0);
    const nilas_type *plain = find_plain(kind);
    if (plain != NULL) {
        p->position++;
        *out = plain;
        return NILAS_OK;
    }

    switch (kind) {
    case NILAS_KW_STRING: return string_type(p, out);
    case NILAS_KW_CHAR:
    case NILAS_KW_CHARACTER: return char_type(p, NILAS_TYPE_CHAR, out);
    case NILAS_KW_VARCHAR: return char_type(p, NILAS_TYPE_VARCHAR, out);
    case NILAS_KW_DECIMAL:
    case NILAS_KW_DEC:
    case NILAS_KW_NUMERIC: return decimal_type(p, out);
    case NILAS_KW_TIME: return time_type(p, out);
    case NILAS_KW_INTERVAL: return interval_type(p, out);
    case NILAS_KW_ARRAY: return array_type(p, nesting, out);
    case NILAS_KW_MAP: return map_type(p, nesting, out);
    case NILAS_KW_STRUCT: return struct_type(p, nesting, out);
    case NILAS_KW_TIMESTAMP:
        p->position++;
        *out = nilas_type_of(accept_without_time_zone(p) ? NILAS_TYPE_TIMESTAMP_NTZ
                                                         : NILAS_TYPE_TIMESTAMP);
        return NILAS_OK;
    default: return at_geo_type(p) ? geo_type(p, out) : unknown_type(p, out);
    }
}

nilas_code nilas_sql__type(nilas_sql__parser *p, const nilas_type **out) {
    return parse_type(p, 0, out);
}

nilas_code nilas_sql__schema(nilas_sql__parser *p, const nilas_type **out) {
    return parse_fields(p, 0, out);
}
