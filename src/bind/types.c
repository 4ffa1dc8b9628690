/* Spark's types of Iceberg's types, as Iceberg's Spark module maps them. */
#include "bind/bind.h"

static nilas_code nested(nilas_arena *arena, const nilas_ice_type *type, const nilas_type **out,
                         nilas_error *err) {
    nilas_type_field *fields = NULL;
    NILAS_NEW_ARRAY(arena, &fields, type->field_count, err);
    for (size_t i = 0; i < type->field_count; i++) {
        const nilas_ice_field *from = &type->fields[i];
        fields[i] = (nilas_type_field){.name = from->name,
                                       .nullable = !from->required,
                                       .has_comment = from->has_doc,
                                       .comment = from->doc};
        NILAS_TRY(nilas_bind_ice_type(arena, from->type, &fields[i].type, err));
    }
    switch (type->kind) {
    case NILAS_ICE_LIST:
        return nilas_type_array(arena, fields[0].type, fields[0].nullable, out, err);
    case NILAS_ICE_MAP:
        return nilas_type_map(arena, fields[0].type, fields[1].type, fields[1].nullable, out, err);
    default: return nilas_type_struct(arena, fields, type->field_count, out, err);
    }
}

static nilas_code refuse(const nilas_ice_type *type, nilas_error *err) {
    NILAS_AUTO_BUF text = {0};
    nilas_ice_type_print(&text, type);
    nilas_str name = nilas_buf_view(&text);
    if (type->kind == NILAS_ICE_TIME) {
        return nilas_fail(err, NILAS_UNSUPPORTED, "Spark does not support time fields");
    }
    return nilas_fail(err, NILAS_UNSUPPORTED, "Cannot convert unknown type to Spark: %.*s",
                      NILAS_FMT(name));
}

nilas_code nilas_bind_ice_type(nilas_arena *arena, const nilas_ice_type *type,
                               const nilas_type **out, nilas_error *err) {
    nilas_type_kind kind = NILAS_TYPE_VOID;
    switch (type->kind) {
    case NILAS_ICE_BOOLEAN: kind = NILAS_TYPE_BOOLEAN; break;
    case NILAS_ICE_INT: kind = NILAS_TYPE_INT; break;
    case NILAS_ICE_LONG: kind = NILAS_TYPE_BIGINT; break;
    case NILAS_ICE_FLOAT: kind = NILAS_TYPE_FLOAT; break;
    case NILAS_ICE_DOUBLE: kind = NILAS_TYPE_DOUBLE; break;
    case NILAS_ICE_DECIMAL:
        return nilas_type_decimal(arena, type->precision, type->scale, out, err);
    case NILAS_ICE_DATE: kind = NILAS_TYPE_DATE; break;
    case NILAS_ICE_TIMESTAMP: kind = NILAS_TYPE_TIMESTAMP_NTZ; break;
    case NILAS_ICE_TIMESTAMPTZ: kind = NILAS_TYPE_TIMESTAMP; break;
    case NILAS_ICE_STRING:
    case NILAS_ICE_UUID: kind = NILAS_TYPE_STRING; break;
    case NILAS_ICE_FIXED:
    case NILAS_ICE_BINARY: kind = NILAS_TYPE_BINARY; break;
    case NILAS_ICE_UNKNOWN: kind = NILAS_TYPE_VOID; break;
    case NILAS_ICE_VARIANT: kind = NILAS_TYPE_VARIANT; break;
    case NILAS_ICE_STRUCT:
    case NILAS_ICE_LIST:
    case NILAS_ICE_MAP: return nested(arena, type, out, err);
    case NILAS_ICE_TIME:
    case NILAS_ICE_TIMESTAMP_NS:
    case NILAS_ICE_TIMESTAMPTZ_NS:
    case NILAS_ICE_GEOMETRY:
    case NILAS_ICE_GEOGRAPHY: return refuse(type, err);
    }
    *out = nilas_type_of(kind);
    return NILAS_OK;
}
