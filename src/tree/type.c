/**
 * Spark's types: constructors, equality by structure, and the two text forms of Spark: simpleString
 * ("struct<a:int>")
 * and SQL ("STRUCT<a: INT>"). Nesting is bounded by whoever builds the type
 * (NILAS_LIMIT_TYPE_DEPTH).
 */
#include "tree/tree.h"

#define PLAIN(type_kind) [type_kind] = {.kind = (type_kind)}

static const nilas_type plain_types[] = {
    PLAIN(NILAS_TYPE_VOID),
    PLAIN(NILAS_TYPE_BOOLEAN),
    PLAIN(NILAS_TYPE_TINYINT),
    PLAIN(NILAS_TYPE_SMALLINT),
    PLAIN(NILAS_TYPE_INT),
    PLAIN(NILAS_TYPE_BIGINT),
    PLAIN(NILAS_TYPE_FLOAT),
    PLAIN(NILAS_TYPE_DOUBLE),
    [NILAS_TYPE_DECIMAL] = {.kind = NILAS_TYPE_DECIMAL, .precision = 10},
    PLAIN(NILAS_TYPE_STRING),
    PLAIN(NILAS_TYPE_CHAR),
    PLAIN(NILAS_TYPE_VARCHAR),
    PLAIN(NILAS_TYPE_BINARY),
    PLAIN(NILAS_TYPE_DATE),
    [NILAS_TYPE_TIME] = {.kind = NILAS_TYPE_TIME, .precision = 6},
    PLAIN(NILAS_TYPE_TIMESTAMP),
    PLAIN(NILAS_TYPE_TIMESTAMP_NTZ),
    [NILAS_TYPE_INTERVAL_YEAR_MONTH] = {.kind = NILAS_TYPE_INTERVAL_YEAR_MONTH,
                                        .from_unit = NILAS_UNIT_YEAR,
                                        .to_unit = NILAS_UNIT_MONTH},
    [NILAS_TYPE_INTERVAL_DAY_TIME] = {.kind = NILAS_TYPE_INTERVAL_DAY_TIME,
                                      .from_unit = NILAS_UNIT_DAY,
                                      .to_unit = NILAS_UNIT_SECOND},
    PLAIN(NILAS_TYPE_INTERVAL),
    PLAIN(NILAS_TYPE_VARIANT),
};

const nilas_type *nilas_type_of(nilas_type_kind kind) {
    nilas_assert((size_t)kind < sizeof(plain_types) / sizeof(plain_types[0]));
    return &plain_types[kind];
}

nilas_code nilas_type_decimal(nilas_arena *arena, int32_t precision, int32_t scale,
                              const nilas_type **out, nilas_error *err) {
    nilas_type *type;
    NILAS_NEW(arena, &type, err);
    *type = (nilas_type){.kind = NILAS_TYPE_DECIMAL, .precision = precision, .scale = scale};
    *out = type;
    return NILAS_OK;
}

static nilas_code new_nested(nilas_arena *arena, nilas_type_kind kind, size_t field_count,
                             nilas_type **out, nilas_error *err) {
    nilas_type *type;
    NILAS_NEW(arena, &type, err);
    type->kind = kind;
    NILAS_NEW_ARRAY(arena, &type->fields, field_count, err);
    type->field_count = field_count;
    *out = type;
    return NILAS_OK;
}

nilas_code nilas_type_array(nilas_arena *arena, const nilas_type *element, bool contains_null,
                            const nilas_type **out, nilas_error *err) {
    nilas_assert(element != NULL);
    nilas_type *type;
    NILAS_TRY(new_nested(arena, NILAS_TYPE_ARRAY, 1, &type, err));
    type->fields[0] = (nilas_type_field){
        .name = NILAS_STR("element"), .type = element, .nullable = contains_null};
    *out = type;
    return NILAS_OK;
}

nilas_code nilas_type_map(nilas_arena *arena, const nilas_type *key, const nilas_type *value,
                          bool value_contains_null, const nilas_type **out, nilas_error *err) {
    nilas_assert(key != NULL && value != NULL);
    nilas_type *type;
    NILAS_TRY(new_nested(arena, NILAS_TYPE_MAP, 2, &type, err));
    type->fields[0] = (nilas_type_field){.name = NILAS_STR("key"), .type = key};
    type->fields[1] = (nilas_type_field){
        .name = NILAS_STR("value"), .type = value, .nullable = value_contains_null};
    *out = type;
    return NILAS_OK;
}

nilas_code nilas_type_struct(nilas_arena *arena, const nilas_type_field *fields, size_t count,
                             const nilas_type **out, nilas_error *err) {
    nilas_type *type;
    NILAS_TRY(new_nested(arena, NILAS_TYPE_STRUCT, count, &type, err));
    for (size_t i = 0; i < count; i++) {
        type->fields[i] = fields[i];
    }
    *out = type;
    return NILAS_OK;
}

static bool parameters_equal(const nilas_type *a, const nilas_type *b) {
    return a->precision == b->precision && a->scale == b->scale && a->length == b->length &&
           a->from_unit == b->from_unit && a->to_unit == b->to_unit &&
           nilas_str_equal(a->collation, b->collation);
}

bool nilas_type_equal(const nilas_type *a, const nilas_type *b) {
    if (a == b) {
        return true;
    }
    if (a->kind != b->kind || a->field_count != b->field_count || !parameters_equal(a, b)) {
        return false;
    }

    for (size_t i = 0; i < a->field_count; i++) {
        if (a->kind == NILAS_TYPE_STRUCT &&
            !nilas_str_equal(a->fields[i].name, b->fields[i].name)) {
            return false;
        }
        if (!nilas_type_equal(a->fields[i].type, b->fields[i].type)) {
            return false;
        }
    }
    return true;
}

// ---- text ---------------------------------------------------------------------------------------

static const char *const simple_names[] = {
    [NILAS_TYPE_VOID] = "void",
    [NILAS_TYPE_BOOLEAN] = "boolean",
    [NILAS_TYPE_TINYINT] = "tinyint",
    [NILAS_TYPE_SMALLINT] = "smallint",
    [NILAS_TYPE_INT] = "int",
    [NILAS_TYPE_BIGINT] = "bigint",
    [NILAS_TYPE_FLOAT] = "float",
    [NILAS_TYPE_DOUBLE] = "double",
    [NILAS_TYPE_DECIMAL] = "decimal",
    [NILAS_TYPE_STRING] = "string",
    [NILAS_TYPE_CHAR] = "char",
    [NILAS_TYPE_VARCHAR] = "varchar",
    [NILAS_TYPE_BINARY] = "binary",
    [NILAS_TYPE_DATE] = "date",
    [NILAS_TYPE_TIME] = "time",
    [NILAS_TYPE_TIMESTAMP] = "timestamp",
    [NILAS_TYPE_TIMESTAMP_NTZ] = "timestamp_ntz",
    [NILAS_TYPE_INTERVAL_YEAR_MONTH] = "interval",
    [NILAS_TYPE_INTERVAL_DAY_TIME] = "interval",
    [NILAS_TYPE_INTERVAL] = "interval",
    [NILAS_TYPE_VARIANT] = "variant",
    [NILAS_TYPE_ARRAY] = "array",
    [NILAS_TYPE_MAP] = "map",
    [NILAS_TYPE_STRUCT] = "struct",
};

static const char *const unit_names[] = {
    [NILAS_UNIT_YEAR] = "year",
    [NILAS_UNIT_MONTH] = "month",
    [NILAS_UNIT_DAY] = "day",
    [NILAS_UNIT_HOUR] = "hour",
    [NILAS_UNIT_MINUTE] = "minute",
    [NILAS_UNIT_SECOND] = "second",
    [NILAS_UNIT_QUARTER] = "quarter",
    [NILAS_UNIT_WEEK] = "week",
    [NILAS_UNIT_MILLISECOND] = "millisecond",
    [NILAS_UNIT_MICROSECOND] = "microsecond",
};

const char *nilas_interval_unit_name(nilas_interval_unit unit) {
    nilas_assert((size_t)unit < sizeof(unit_names) / sizeof(unit_names[0]));
    return unit_names[unit];
}

static void print_word(nilas_buf *out, const char *word, bool upper) {
    for (const char *c = word; *c != '\0'; c++) {
        nilas_buf_add_char(out, upper && *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c);
    }
}

static void print_interval_range(nilas_buf *out, const nilas_type *type, bool upper) {
    nilas_buf_add_char(out, ' ');
    print_word(out, unit_names[type->from_unit], upper);
    if (type->to_unit != type->from_unit) {
        print_word(out, " to ", upper);
        print_word(out, unit_names[type->to_unit], upper);
    }
}

/* The parameters after the name, which both forms write alike. */
static void print_parameters(nilas_buf *out, const nilas_type *type, bool upper) {
    switch (type->kind) {
    case NILAS_TYPE_DECIMAL: nilas_buf_print(out, "(%d,%d)", type->precision, type->scale); break;
    case NILAS_TYPE_STRING:
        if (type->collation.size > 0) {
            print_word(out, " collate ", upper);
            nilas_buf_add(out, type->collation);
        }
        break;
    case NILAS_TYPE_CHAR:
    case NILAS_TYPE_VARCHAR: nilas_buf_print(out, "(%d)", type->length); break;
    case NILAS_TYPE_TIME: nilas_buf_print(out, "(%d)", type->precision); break;
    case NILAS_TYPE_INTERVAL_YEAR_MONTH:
    case NILAS_TYPE_INTERVAL_DAY_TIME: print_interval_range(out, type, upper); break;
    default: break;
    }
}

void nilas_type_print(nilas_buf *out, const nilas_type *type) {
    nilas_buf_add_text(out, simple_names[type->kind]);
    print_parameters(out, type, false);
    if (type->kind < NILAS_TYPE_ARRAY) {
        return;
    }

    nilas_buf_add_char(out, '<');
    for (size_t i = 0; i < type->field_count; i++) {
        if (i > 0) {
            nilas_buf_add_char(out, ',');
        }
        if (type->kind == NILAS_TYPE_STRUCT) {
            nilas_buf_add(out, type->fields[i].name);
            nilas_buf_add_char(out, ':');
        }
        nilas_type_print(out, type->fields[i].type);
    }
    nilas_buf_add_char(out, '>');
}

/* Spark's quoteIfNeeded: letters, digits and underscores stand bare unless they are all digits. */
static void print_field_name(nilas_buf *out, nilas_str name) {
    bool bare = name.size > 0;
    bool digits_only = true;
    for (size_t i = 0; i < name.size; i++) {
        char c = name.data[i];
        bool digit = c >= '0' && c <= '9';
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        bare = bare && (digit || letter);
        digits_only = digits_only && digit;
    }
    if (bare && !digits_only) {
        nilas_buf_add(out, name);
    } else {
        nilas_name_print_quoted(out, &name, 1);
    }
}

static void print_field_sql(nilas_buf *out, const nilas_type_field *field) {
    print_field_name(out, field->name);
    nilas_buf_add_text(out, ": ");
    nilas_type_print_sql(out, field->type);
    if (!field->nullable) {
        nilas_buf_add_text(out, " NOT NULL");
    }
    if (field->has_comment) {
        nilas_buf_add_text(out, " COMMENT ");
        nilas_string_literal_print(out, field->comment);
    }
}

void nilas_type_print_sql(nilas_buf *out, const nilas_type *type) {
    print_word(out, simple_names[type->kind], true);
    print_parameters(out, type, true);
    if (type->kind < NILAS_TYPE_ARRAY) {
        return;
    }

    nilas_buf_add_char(out, '<');
    for (size_t i = 0; i < type->field_count; i++) {
        if (i > 0) {
            nilas_buf_add_text(out, ", ");
        }
        if (type->kind == NILAS_TYPE_STRUCT) {
            print_field_sql(out, &type->fields[i]);
        } else {
            nilas_type_print_sql(out, type->fields[i].type);
        }
    }
    nilas_buf_add_char(out, '>');
}
