/** The table that a write names, Iceberg types of Spark types, transforms of PARTITIONED BY and
 * ORDERED BY. */
#include "bind/store.h"

nilas_code nilas_bind_target(const nilas_bind_environment *environment, const nilas_str *parts,
                             size_t count, int32_t offset, nilas_relation *out,
                             nilas_str *out_branch, nilas_error *err) {
    nilas_time_travel none = {0};
    *out_branch = NILAS_STR("");
    NILAS_TRY(nilas_bind_relation(environment, parts, count, offset, &none, NULL, 0, out, err));
    NILAS_AUTO_BUF name = NILAS_BUF_INIT(65536);
    nilas_name_print_quoted(&name, parts, count);
    if (out->kind == NILAS_RELATION_METADATA_TABLE) {
        return nilas_fail_at(err, NILAS_INVALID, "UNSUPPORTED_FEATURE.TABLE_OPERATION", offset,
                             "Table %.*s does not support writes: it is a metadata table.",
                             NILAS_FMT(nilas_buf_view(&name)));
    }
    if (out->kind != NILAS_RELATION_TABLE) {
        return nilas_fail_at(err, NILAS_INVALID, "EXPECT_TABLE_NOT_VIEW.NO_ALTERNATIVE", offset,
                             "%.*s is a view; a table is expected.",
                             NILAS_FMT(nilas_buf_view(&name)));
    }
    if (out->branch.size > 0) {
        *out_branch = out->branch;
        return NILAS_OK;
    }
    if (out->is_time_travel) {
        return nilas_fail_at(err, NILAS_INVALID, NULL, offset,
                             "Cannot write to table at a specific snapshot: %lld",
                             (long long)(out->snapshot != NULL ? out->snapshot->snapshot_id : -1));
    }
    nilas_str wap = environment->setting(environment->context, "spark.wap.branch");
    nilas_str enabled =
        nilas_metadata_property(out->table->metadata, "write.wap.enabled", NILAS_STR("false"));
    if (wap.data != NULL && nilas_str_is_nocase(enabled, "true")) {
        *out_branch = wap;
    }
    return NILAS_OK;
}

/* --- types --------------------------------------------------------------------------------------
 */

static nilas_code new_type(nilas_arena *arena, nilas_ice_kind kind, nilas_ice_type **out,
                           nilas_error *err) {
    NILAS_NEW(arena, out, err);
    (*out)->kind = kind;
    return NILAS_OK;
}

static nilas_code convert(nilas_arena *arena, const nilas_type *type, int32_t *next_id, int depth,
                          const nilas_ice_type **out, nilas_error *err);

/** Ids level by level: all members of a struct first, then what is inside them. */
static nilas_code convert_nested(nilas_arena *arena, const nilas_type *type, int32_t *next_id,
                                 int depth, const nilas_ice_type **out, nilas_error *err) {
    static const char *const map_names[] = {"key", "value"};
    nilas_ice_type *ice;
    nilas_ice_kind kind = type->kind == NILAS_TYPE_STRUCT  ? NILAS_ICE_STRUCT
                          : type->kind == NILAS_TYPE_ARRAY ? NILAS_ICE_LIST
                                                           : NILAS_ICE_MAP;
    NILAS_TRY(new_type(arena, kind, &ice, err));
    NILAS_NEW_ARRAY(arena, &ice->fields, type->field_count, err);
    ice->field_count = type->field_count;
    for (size_t i = 0; i < type->field_count; i++) {
        ice->fields[i].id = (*next_id)++;
        ice->fields[i].required = !type->fields[i].nullable;
        ice->fields[i].has_doc = type->fields[i].has_comment;
        ice->fields[i].doc = type->fields[i].comment;
        ice->fields[i].name = type->fields[i].name;
        if (kind == NILAS_ICE_LIST) {
            ice->fields[i].name = NILAS_STR("element");
        } else if (kind == NILAS_ICE_MAP) {
            ice->fields[i].name = nilas_str_of(map_names[i]);
            ice->fields[i].required = i == 0 || ice->fields[i].required;
        }
    }
    for (size_t i = 0; i < type->field_count; i++) {
        NILAS_TRY(
            convert(arena, type->fields[i].type, next_id, depth + 1, &ice->fields[i].type, err));
    }
    *out = ice;
    return NILAS_OK;
}

static nilas_code convert(nilas_arena *arena, const nilas_type *type, int32_t *next_id, int depth,
                          const nilas_ice_type **out, nilas_error *err) {
    NILAS_REQUIRE(depth < NILAS_LIMIT_TYPE_DEPTH, err, NILAS_LIMIT,
                  "a type is nested more than %d levels deep", NILAS_LIMIT_TYPE_DEPTH);
    nilas_ice_type *ice;
    switch (type->kind) {
    case NILAS_TYPE_VOID: *out = nilas_ice_primitive(NILAS_ICE_UNKNOWN); return NILAS_OK;
    case NILAS_TYPE_BOOLEAN: *out = nilas_ice_primitive(NILAS_ICE_BOOLEAN); return NILAS_OK;
    case NILAS_TYPE_TINYINT:
    case NILAS_TYPE_SMALLINT:
    case NILAS_TYPE_INT: *out = nilas_ice_primitive(NILAS_ICE_INT); return NILAS_OK;
    case NILAS_TYPE_BIGINT: *out = nilas_ice_primitive(NILAS_ICE_LONG); return NILAS_OK;
    case NILAS_TYPE_FLOAT: *out = nilas_ice_primitive(NILAS_ICE_FLOAT); return NILAS_OK;
    case NILAS_TYPE_DOUBLE: *out = nilas_ice_primitive(NILAS_ICE_DOUBLE); return NILAS_OK;
    case NILAS_TYPE_STRING:
    case NILAS_TYPE_CHAR:
    case NILAS_TYPE_VARCHAR: *out = nilas_ice_primitive(NILAS_ICE_STRING); return NILAS_OK;
    case NILAS_TYPE_BINARY: *out = nilas_ice_primitive(NILAS_ICE_BINARY); return NILAS_OK;
    case NILAS_TYPE_DATE: *out = nilas_ice_primitive(NILAS_ICE_DATE); return NILAS_OK;
    case NILAS_TYPE_TIMESTAMP: *out = nilas_ice_primitive(NILAS_ICE_TIMESTAMPTZ); return NILAS_OK;
    case NILAS_TYPE_TIMESTAMP_NTZ: *out = nilas_ice_primitive(NILAS_ICE_TIMESTAMP); return NILAS_OK;
    case NILAS_TYPE_DECIMAL:
        NILAS_TRY(new_type(arena, NILAS_ICE_DECIMAL, &ice, err));
        ice->precision = type->precision;
        ice->scale = type->scale;
        *out = ice;
        return NILAS_OK;
    case NILAS_TYPE_ARRAY:
    case NILAS_TYPE_MAP:
    case NILAS_TYPE_STRUCT: return convert_nested(arena, type, next_id, depth, out, err);
    default: break;
    }
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(65536);
    nilas_type_print(&text, type);
    return nilas_fail(err, NILAS_UNSUPPORTED, "Not a supported type: %.*s",
                      NILAS_FMT(nilas_buf_view(&text)));
}

nilas_code nilas_bind_spark_type(nilas_arena *arena, const nilas_type *type, int32_t *next_id,
                                 const nilas_ice_type **out, nilas_error *err) {
    return convert(arena, type, next_id, 0, out, err);
}

/* --- transforms ---------------------------------------------------------------------------------
 */

static const struct {
    const char *name;
    nilas_transform_kind kind;
    const char *text;
} transforms[] = {
    {"bucket", NILAS_TRANSFORM_BUCKET, "bucket"},
    {"truncate", NILAS_TRANSFORM_TRUNCATE, "truncate"},
    {"years", NILAS_TRANSFORM_YEAR, "year"},
    {"year", NILAS_TRANSFORM_YEAR, "year"},
    {"months", NILAS_TRANSFORM_MONTH, "month"},
    {"month", NILAS_TRANSFORM_MONTH, "month"},
    {"days", NILAS_TRANSFORM_DAY, "day"},
    {"day", NILAS_TRANSFORM_DAY, "day"},
    {"date", NILAS_TRANSFORM_DAY, "day"},
    {"hours", NILAS_TRANSFORM_HOUR, "hour"},
    {"hour", NILAS_TRANSFORM_HOUR, "hour"},
    {"date_hour", NILAS_TRANSFORM_HOUR, "hour"},
    {"identity", NILAS_TRANSFORM_IDENTITY, "identity"},
};

/** The width of bucket or truncate; `call` is the whole transform, for the message. */
static nilas_code transform_width(const nilas_expr *call, const nilas_expr *expr, int32_t *out,
                                  nilas_error *err) {
    bool is_int = expr->kind == NILAS_EXPR_LITERAL && expr->value.kind == NILAS_VALUE_INT;
    if (!is_int || expr->value.integer <= 0 || expr->value.integer > INT32_MAX) {
        NILAS_AUTO_BUF text = NILAS_BUF_INIT(65536);
        nilas_expr_print(&text, call);
        return nilas_fail_at(err, NILAS_INVALID, NULL, expr->offset,
                             "Unsupported width for transform: %.*s",
                             NILAS_FMT(nilas_buf_view(&text)));
    }
    *out = (int32_t)expr->value.integer;
    return NILAS_OK;
}

static nilas_code transform_source(const nilas_bind_environment *environment,
                                   const nilas_schema *schema, const nilas_expr *expr,
                                   const nilas_ice_field **out, nilas_error *err) {
    nilas_str dotted;
    if (expr->kind != NILAS_EXPR_COLUMN) {
        return nilas_fail_at(err, NILAS_INVALID, "PARSE_SYNTAX_ERROR", expr->offset,
                             "A partition transform takes a column.");
    }
    NILAS_TRY(nilas_str_join(environment->stmt, expr->parts, expr->part_count, NILAS_STR("."),
                             &dotted, err));
    *out = nilas_schema_find_name(schema, dotted);
    if (*out == NULL) {
        NILAS_AUTO_BUF text = NILAS_BUF_INIT(1 << 20);
        nilas_ice_type_print(&text, &schema->type);
        return nilas_fail_at(err, NILAS_INVALID, NULL, expr->offset,
                             "Cannot find field '%.*s' in struct: %.*s", NILAS_FMT(dotted),
                             NILAS_FMT(nilas_buf_view(&text)));
    }
    return NILAS_OK;
}

/** bucket(16, id) and truncate(id, 10): the width may stand first or last. */
static nilas_code bind_parametric(const nilas_bind_environment *environment, const nilas_expr *expr,
                                  size_t index, nilas_transform *out, const nilas_expr **out_column,
                                  nilas_error *err) {
    bool takes_width = transforms[index].kind == NILAS_TRANSFORM_BUCKET ||
                       transforms[index].kind == NILAS_TRANSFORM_TRUNCATE;
    size_t wanted = takes_width ? 2 : 1;
    if (expr->arg_count != wanted) {
        return nilas_fail_at(err, NILAS_INVALID, "_LEGACY_ERROR_TEMP_0042", expr->offset,
                             "%s takes %zu arguments, %zu were given", transforms[index].name,
                             wanted, expr->arg_count);
    }
    out->kind = transforms[index].kind;
    *out_column = expr->args[0];
    if (!takes_width) {
        out->text = nilas_str_of(transforms[index].text);
        return NILAS_OK;
    }
    bool first = expr->args[0]->kind == NILAS_EXPR_LITERAL;
    *out_column = expr->args[first ? 1 : 0];
    NILAS_TRY(transform_width(expr, expr->args[first ? 0 : 1], &out->width, err));
    return nilas_str_print(environment->stmt, &out->text, err, "%s[%d]", transforms[index].text,
                           out->width);
}

nilas_code nilas_bind_transform(const nilas_bind_environment *environment,
                                const nilas_schema *schema, const nilas_expr *expr,
                                int32_t *out_source_id, nilas_transform *out_transform,
                                nilas_error *err) {
    nilas_transform transform = {.kind = NILAS_TRANSFORM_IDENTITY, .text = NILAS_STR("identity")};
    const nilas_expr *column = expr;
    if (expr->kind == NILAS_EXPR_CALL) {
        size_t count = sizeof(transforms) / sizeof(transforms[0]);
        size_t index = 0;
        nilas_str name = expr->parts[expr->part_count - 1];
        while (index < count && !nilas_str_is_nocase(name, transforms[index].name)) {
            index++;
        }
        if (index == count) {
            NILAS_AUTO_BUF text = NILAS_BUF_INIT(65536);
            nilas_expr_print(&text, expr);
            return nilas_fail_at(err, NILAS_UNSUPPORTED, NULL, expr->offset,
                                 "Transform is not supported: %.*s",
                                 NILAS_FMT(nilas_buf_view(&text)));
        }
        NILAS_TRY(bind_parametric(environment, expr, index, &transform, &column, err));
    }
    const nilas_ice_field *field;
    const nilas_ice_type *result;
    NILAS_TRY(transform_source(environment, schema, column, &field, err));
    NILAS_TRY(nilas_transform_result_type(&transform, field->type, &result, err));
    *out_source_id = field->id;
    *out_transform = transform;
    return NILAS_OK;
}
