/* Spark types of Arrow fields. */
#include "engine/local.h"

static nilas_code of_view(nilas_arena *arena, const struct ArrowSchema *schema,
                          const struct ArrowSchemaView *view, const nilas_type **out,
                          nilas_error *err);

static nilas_code field_of(nilas_arena *arena, const struct ArrowSchema *schema,
                           nilas_type_field *out, nilas_error *err) {
    nilas_str name = nilas_str_of(schema->name != NULL ? schema->name : "");
    NILAS_REQUIRE(nilas_str_is_utf8(name), err, NILAS_CORRUPT,
                  "the local relation's schema is wrong: a name is not UTF-8");
    *out = (nilas_type_field){.nullable = (schema->flags & ARROW_FLAG_NULLABLE) != 0};
    NILAS_TRY(nilas_str_copy(arena, name, &out->name, err));
    return nilas_local__type(arena, schema, &out->type, err);
}

static nilas_code struct_of(nilas_arena *arena, const struct ArrowSchema *schema,
                            const nilas_type **out, nilas_error *err) {
    nilas_type_field *fields;
    size_t count = (size_t)schema->n_children;
    NILAS_NEW_ARRAY(arena, &fields, count, err);
    for (size_t i = 0; i < count; i++) {
        NILAS_TRY(field_of(arena, schema->children[i], &fields[i], err));
    }
    return nilas_type_struct(arena, fields, count, out, err);
}

static nilas_code list_of(nilas_arena *arena, const struct ArrowSchema *schema,
                          const nilas_type **out, nilas_error *err) {
    nilas_type_field element;
    NILAS_TRY(field_of(arena, schema->children[0], &element, err));
    return nilas_type_array(arena, element.type, element.nullable, out, err);
}

static nilas_code map_of(nilas_arena *arena, const struct ArrowSchema *schema,
                         const nilas_type **out, nilas_error *err) {
    nilas_type_field key;
    nilas_type_field value;
    const struct ArrowSchema *entries = schema->children[0];
    NILAS_TRY(field_of(arena, entries->children[0], &key, err));
    NILAS_TRY(field_of(arena, entries->children[1], &value, err));
    return nilas_type_map(arena, key.type, value.type, value.nullable, out, err);
}

static nilas_type_kind simple_kind(enum ArrowType type) {
    switch (type) {
    case NANOARROW_TYPE_BOOL: return NILAS_TYPE_BOOLEAN;
    case NANOARROW_TYPE_INT8: return NILAS_TYPE_TINYINT;
    case NANOARROW_TYPE_INT16: return NILAS_TYPE_SMALLINT;
    case NANOARROW_TYPE_INT32: return NILAS_TYPE_INT;
    case NANOARROW_TYPE_INT64: return NILAS_TYPE_BIGINT;
    case NANOARROW_TYPE_HALF_FLOAT:
    case NANOARROW_TYPE_FLOAT: return NILAS_TYPE_FLOAT;
    case NANOARROW_TYPE_DOUBLE: return NILAS_TYPE_DOUBLE;
    case NANOARROW_TYPE_STRING:
    case NANOARROW_TYPE_LARGE_STRING:
    case NANOARROW_TYPE_STRING_VIEW: return NILAS_TYPE_STRING;
    case NANOARROW_TYPE_BINARY:
    case NANOARROW_TYPE_LARGE_BINARY:
    case NANOARROW_TYPE_FIXED_SIZE_BINARY:
    case NANOARROW_TYPE_BINARY_VIEW: return NILAS_TYPE_BINARY;
    case NANOARROW_TYPE_DATE32:
    case NANOARROW_TYPE_DATE64: return NILAS_TYPE_DATE;
    case NANOARROW_TYPE_DURATION: return NILAS_TYPE_INTERVAL_DAY_TIME;
    case NANOARROW_TYPE_INTERVAL_MONTHS: return NILAS_TYPE_INTERVAL_YEAR_MONTH;
    case NANOARROW_TYPE_INTERVAL_DAY_TIME:
    case NANOARROW_TYPE_INTERVAL_MONTH_DAY_NANO: return NILAS_TYPE_INTERVAL;
    case NANOARROW_TYPE_TIME32:
    case NANOARROW_TYPE_TIME64: return NILAS_TYPE_TIME;
    default: return NILAS_TYPE_VOID;
    }
}

static nilas_code of_view(nilas_arena *arena, const struct ArrowSchema *schema,
                          const struct ArrowSchemaView *view, const nilas_type **out,
                          nilas_error *err) {
    switch (view->type) {
    case NANOARROW_TYPE_NA: *out = nilas_type_of(NILAS_TYPE_VOID); return NILAS_OK;
    case NANOARROW_TYPE_STRUCT: return struct_of(arena, schema, out, err);
    case NANOARROW_TYPE_LIST:
    case NANOARROW_TYPE_LARGE_LIST:
    case NANOARROW_TYPE_FIXED_SIZE_LIST: return list_of(arena, schema, out, err);
    case NANOARROW_TYPE_MAP: return map_of(arena, schema, out, err);
    case NANOARROW_TYPE_TIMESTAMP:
        *out = nilas_type_of(view->timezone[0] != '\0' ? NILAS_TYPE_TIMESTAMP
                                                       : NILAS_TYPE_TIMESTAMP_NTZ);
        return NILAS_OK;
    case NANOARROW_TYPE_DECIMAL32:
    case NANOARROW_TYPE_DECIMAL64:
    case NANOARROW_TYPE_DECIMAL128:
    case NANOARROW_TYPE_DECIMAL256:
        NILAS_REQUIRE(view->decimal_precision >= 1 && view->decimal_precision <= 38 &&
                          view->decimal_scale >= 0 &&
                          view->decimal_scale <= view->decimal_precision,
                      err, NILAS_UNSUPPORTED, "Unsupported arrow type Decimal(%d, %d).",
                      view->decimal_precision, view->decimal_scale);
        return nilas_type_decimal(arena, view->decimal_precision, view->decimal_scale, out, err);
    default: break;
    }
    nilas_type_kind kind = simple_kind(view->type);
    if (kind == NILAS_TYPE_VOID) {
        return nilas_fail_at(err, NILAS_UNSUPPORTED, "UNSUPPORTED_ARROWTYPE", -1,
                             "Unsupported arrow type %s.", ArrowTypeString(view->type));
    }
    *out = nilas_type_of(kind);
    return NILAS_OK;
}

nilas_code nilas_local__type(nilas_arena *arena, const struct ArrowSchema *schema,
                             const nilas_type **out, nilas_error *err) {
    struct ArrowSchemaView view;
    struct ArrowError error = {0};
    const struct ArrowSchema *values = schema->dictionary != NULL ? schema->dictionary : schema;
    NILAS_REQUIRE(ArrowSchemaViewInit(&view, values, &error) == NANOARROW_OK, err, NILAS_CORRUPT,
                  "the local relation's schema is wrong: %s", error.message);
    return of_view(arena, values, &view, out, err);
}
