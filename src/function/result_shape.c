/** Result types made of parts: arrays, maps, structs, the rows of generators and table functions.
 *  */
#include "function/result.h"

static nilas_type_field field_of(const char *name, const nilas_type *type, bool nullable) {
    return (nilas_type_field){.name = nilas_str_of(name), .type = type, .nullable = nullable};
}

static bool any_nullable(const nilas_resolution *r, size_t from, size_t step) {
    for (size_t i = from; i < r->count; i += step) {
        if (r->arguments[i].nullable) {
            return true;
        }
    }
    return false;
}

static nilas_code array(nilas_resolution *r) {
    return nilas_type_array(r->stmt, r->types[0], any_nullable(r, 0, 1), &r->type, r->err);
}

static nilas_code collect(nilas_resolution *r) {
    return nilas_type_array(r->stmt, r->types[0], false, &r->type, r->err);
}

static nilas_code element(nilas_resolution *r) {
    r->type = r->types[0]->fields[0].type;
    return NILAS_OK;
}

/** Common type of every second argument from `from` on; the arguments are cast to it. */
static nilas_code common_of(nilas_resolution *r, size_t from, const nilas_type **out) {
    const nilas_type *common = nilas_type_of(NILAS_TYPE_VOID);
    for (size_t i = from; i < r->count; i += 2) {
        NILAS_TRY(
            nilas_type_common(r->stmt, common, r->types[i], r->options->ansi, &common, r->err));
        if (common == NULL) {
            return nilas_function__fail_different(r);
        }
    }
    for (size_t i = from; i < r->count; i += 2) {
        r->types[i] = common;
    }
    *out = common;
    return NILAS_OK;
}

static nilas_code map(nilas_resolution *r) {
    const nilas_type *key, *value;
    if (r->count % 2 != 0) {
        return nilas_fail_at(
            r->err, NILAS_INVALID, "WRONG_NUM_ARGS.WITHOUT_SUGGESTION", r->options->offset,
            "The `map` requires 2n (n > 0) parameters but the actual number is %zu. Please, refer "
            "to "
            "'https://spark.apache.org/docs/latest/sql-ref-functions.html' for a fix.",
            r->count);
    }
    NILAS_TRY(common_of(r, 0, &key));
    NILAS_TRY(common_of(r, 1, &value));
    return nilas_type_map(r->stmt, key, value, any_nullable(r, 1, 2), &r->type, r->err);
}

static nilas_code map_from_entries(nilas_resolution *r) {
    const nilas_type *entry = r->types[0]->fields[0].type;
    if (entry->kind != NILAS_TYPE_STRUCT || entry->field_count != 2) {
        return nilas_function__fail_mismatch(
            r, "DATATYPE_MISMATCH.MAP_FROM_ENTRIES_WRONG_TYPE",
            "The `map_from_entries` is expected to be of type array of pair struct.");
    }
    return nilas_type_map(r->stmt, entry->fields[0].type, entry->fields[1].type, true, &r->type,
                          r->err);
}

static nilas_code map_entries(nilas_resolution *r) {
    const nilas_type *entry;
    const nilas_type_field fields[] = {field_of("key", r->types[0]->fields[0].type, false),
                                       field_of("value", r->types[0]->fields[1].type, true)};
    NILAS_TRY(nilas_type_struct(r->stmt, fields, 2, &entry, r->err));
    return nilas_type_array(r->stmt, entry, false, &r->type, r->err);
}

/** Columns named by a prefix and a number. */
typedef struct columns {
    const char *prefix;
    size_t first;           // number of the first
    size_t from, count;     // the arguments that they stand for
    const nilas_type *type; // of all; NULL: the arguments'
    bool nullable;          // whatever the arguments are
} columns;

static nilas_code set_columns(nilas_resolution *r, const columns *c) {
    nilas_type_field *fields;
    NILAS_NEW_ARRAY(r->stmt, &fields, c->count, r->err);
    for (size_t i = 0; i < c->count; i++) {
        fields[i].type = c->type != NULL ? c->type : r->types[c->from + i];
        fields[i].nullable = c->nullable || c->type != NULL || r->arguments[c->from + i].nullable;
        NILAS_TRY(
            nilas_str_print(r->stmt, &fields[i].name, r->err, "%s%zu", c->prefix, c->first + i));
    }
    return nilas_type_struct(r->stmt, fields, c->count, &r->type, r->err);
}

static nilas_code struct_of(nilas_resolution *r) {
    return set_columns(r, &(columns){.prefix = "col", .first = 1, .count = r->count});
}

static nilas_code named_struct(nilas_resolution *r) {
    nilas_type_field *fields;
    if (r->count % 2 != 0) {
        return nilas_fail_at(
            r->err, NILAS_INVALID, "WRONG_NUM_ARGS.WITHOUT_SUGGESTION", r->options->offset,
            "The `named_struct` requires 2n (n > 0) parameters but the actual number is %zu. "
            "Please, refer to "
            "'https://spark.apache.org/docs/latest/sql-ref-functions.html' for a fix.",
            r->count);
    }
    NILAS_NEW_ARRAY(r->stmt, &fields, r->count / 2, r->err);
    for (size_t i = 0; i < r->count / 2; i++) {
        const nilas_value *name = r->arguments[2 * i].constant;
        if (name == NULL || name->kind != NILAS_VALUE_STRING) {
            return nilas_function__fail_mismatch(
                r, "DATATYPE_MISMATCH.CREATE_NAMED_STRUCT_WITHOUT_FOLDABLE_STRING",
                "Only foldable `STRING` expressions are allowed to appear at odd position, but "
                "they "
                "are [\"%.*s\"].",
                NILAS_FMT(r->arguments[2 * i].shown));
        }
        fields[i] = (nilas_type_field){.name = name->text,
                                       .type = r->types[2 * i + 1],
                                       .nullable = r->arguments[2 * i + 1].nullable};
    }
    return nilas_type_struct(r->stmt, fields, r->count / 2, &r->type, r->err);
}

/** Members take the names of plain columns, else their position. */
static nilas_code arrays_zip(nilas_resolution *r) {
    const nilas_type *entry;
    nilas_type_field *fields;
    NILAS_NEW_ARRAY(r->stmt, &fields, r->count, r->err);
    for (size_t i = 0; i < r->count; i++) {
        nilas_str shown = r->arguments[i].shown;
        bool plain = shown.size > 0;
        for (size_t c = 0; c < shown.size && plain; c++) {
            plain = strchr("(),.' +-*/[]", shown.data[c]) == NULL;
        }
        fields[i] = (nilas_type_field){
            .name = shown, .type = r->types[i]->fields[0].type, .nullable = true};
        if (!plain) {
            NILAS_TRY(nilas_str_print(r->stmt, &fields[i].name, r->err, "%zu", i));
        }
    }
    NILAS_TRY(nilas_type_struct(r->stmt, fields, r->count, &entry, r->err));
    return nilas_type_array(r->stmt, entry, false, &r->type, r->err);
}

static nilas_code histogram(nilas_resolution *r) {
    const nilas_type *bin;
    const nilas_type_field fields[] = {field_of("x", r->types[0], true),
                                       field_of("y", nilas_type_of(NILAS_TYPE_DOUBLE), true)};
    NILAS_TRY(nilas_type_struct(r->stmt, fields, 2, &bin, r->err));
    return nilas_type_array(r->stmt, bin, true, &r->type, r->err);
}

/* --- generators --- */

static nilas_code explode(nilas_resolution *r) {
    const nilas_type *type = r->types[0];
    if (type->kind == NILAS_TYPE_MAP) {
        const nilas_type_field fields[] = {field_of("key", type->fields[0].type, false),
                                           field_of("value", type->fields[1].type, true)};
        return nilas_type_struct(r->stmt, fields, 2, &r->type, r->err);
    }
    const nilas_type_field field = field_of("col", type->fields[0].type, type->fields[0].nullable);
    return nilas_type_struct(r->stmt, &field, 1, &r->type, r->err);
}

static nilas_code posexplode(nilas_resolution *r) {
    const nilas_type *type = r->types[0];
    nilas_type_field fields[3] = {field_of("pos", nilas_type_of(NILAS_TYPE_INT), false)};
    if (type->kind == NILAS_TYPE_MAP) {
        fields[1] = field_of("key", type->fields[0].type, false);
        fields[2] = field_of("value", type->fields[1].type, true);
        return nilas_type_struct(r->stmt, fields, 3, &r->type, r->err);
    }
    fields[1] = field_of("col", type->fields[0].type, type->fields[0].nullable);
    return nilas_type_struct(r->stmt, fields, 2, &r->type, r->err);
}

static nilas_code inline_of(nilas_resolution *r) {
    const nilas_type *entry = r->types[0]->fields[0].type;
    if (entry->kind != NILAS_TYPE_STRUCT) {
        return nilas_function__fail_mismatch(r, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE",
                                             "The first parameter requires the \"ARRAY<STRUCT>\" "
                                             "type, however \"%.*s\" has another type.",
                                             NILAS_FMT(r->arguments[0].shown));
    }
    r->type = entry;
    return NILAS_OK;
}

static nilas_code stack(nilas_resolution *r) {
    const nilas_value *rows = r->arguments[0].constant;
    if (rows == NULL || rows->kind != NILAS_VALUE_INT || rows->integer < 1) {
        return nilas_function__fail_mismatch(r, "DATATYPE_MISMATCH.NON_FOLDABLE_INPUT",
                                             "the input `n` should be a foldable \"INT\" "
                                             "expression; however, got \"%.*s\".",
                                             NILAS_FMT(r->arguments[0].shown));
    }
    size_t values = r->count - 1;
    size_t width = (values + (size_t)rows->integer - 1) / (size_t)rows->integer;
    for (size_t column = 0; column < width; column++) {
        const nilas_type *common = nilas_type_of(NILAS_TYPE_VOID);
        for (size_t i = column; i < values; i += width) {
            NILAS_TRY(nilas_type_common(r->stmt, common, r->types[1 + i], r->options->ansi, &common,
                                        r->err));
            if (common == NULL) {
                return nilas_function__fail_different(r);
            }
        }
        for (size_t i = column; i < values; i += width) {
            r->types[1 + i] = common;
        }
    }
    return set_columns(r, &(columns){.prefix = "col", .from = 1, .count = width, .nullable = true});
}

static nilas_code json_tuple(nilas_resolution *r) {
    return set_columns(r, &(columns){.prefix = "c",
                                     .from = 1,
                                     .count = r->count - 1,
                                     .type = nilas_type_of(NILAS_TYPE_STRING)});
}

static nilas_code variant_explode(nilas_resolution *r) {
    const nilas_type_field fields[] = {field_of("pos", nilas_type_of(NILAS_TYPE_INT), false),
                                       field_of("key", nilas_type_of(NILAS_TYPE_STRING), true),
                                       field_of("value", nilas_type_of(NILAS_TYPE_VARIANT), false)};
    return nilas_type_struct(r->stmt, fields, 3, &r->type, r->err);
}

static nilas_code window(nilas_resolution *r) {
    const nilas_type *type = r->types[0];
    const nilas_type *span;
    const nilas_type_field ends[] = {field_of("start", type, true), field_of("end", type, true)};
    NILAS_TRY(nilas_type_struct(r->stmt, ends, 2, &span, r->err));
    const nilas_type_field field = field_of("window", span, false);
    return nilas_type_struct(r->stmt, &field, 1, &r->type, r->err);
}

static nilas_code range(nilas_resolution *r) {
    const nilas_type_field field = field_of("id", nilas_type_of(NILAS_TYPE_BIGINT), false);
    return nilas_type_struct(r->stmt, &field, 1, &r->type, r->err);
}

static nilas_code strings_named(nilas_resolution *r, const char *const *names, size_t count) {
    nilas_type_field *fields;
    NILAS_NEW_ARRAY(r->stmt, &fields, count, r->err);
    for (size_t i = 0; i < count; i++) {
        fields[i] = field_of(names[i], nilas_type_of(NILAS_TYPE_STRING), true);
    }
    return nilas_type_struct(r->stmt, fields, count, &r->type, r->err);
}

static nilas_code collations(nilas_resolution *r) {
    static const char *const names[] = {"CATALOG",          "SCHEMA",        "NAME",
                                        "LANGUAGE",         "COUNTRY",       "ACCENT_SENSITIVITY",
                                        "CASE_SENSITIVITY", "PAD_ATTRIBUTE", "ICU_VERSION"};
    return strings_named(r, names, sizeof(names) / sizeof(names[0]));
}

static nilas_code sql_keywords(nilas_resolution *r) {
    const nilas_type_field fields[] = {
        field_of("keyword", nilas_type_of(NILAS_TYPE_STRING), false),
        field_of("reserved", nilas_type_of(NILAS_TYPE_BOOLEAN), false)};
    return nilas_type_struct(r->stmt, fields, 2, &r->type, r->err);
}

const nilas_result_rule nilas_function__shape_rules[] = {
    {"array", array},
    {"collect", collect},
    {"element", element},
    {"map", map},
    {"map_from_entries", map_from_entries},
    {"map_entries", map_entries},
    {"struct", struct_of},
    {"named_struct", named_struct},
    {"arrays_zip", arrays_zip},
    {"histogram", histogram},
    {"explode", explode},
    {"posexplode", posexplode},
    {"inline", inline_of},
    {"stack", stack},
    {"json_tuple", json_tuple},
    {"variant_explode", variant_explode},
    {"window", window},
    {"range", range},
    {"collations", collations},
    {"sql_keywords", sql_keywords},
    {NULL, NULL},
};
