/* Iceberg values as Spark shows them, and as literals: defaults, partition values. */
#include "engine/scan_source.h"

static nilas_code uuid_text(nilas_arena *arena, nilas_str bytes, nilas_value *out,
                            nilas_error *err) {
    NILAS_REQUIRE(bytes.size == 16, err, NILAS_CORRUPT, "a uuid has %zu bytes, not 16", bytes.size);
    const unsigned char *b = (const unsigned char *)bytes.data;
    nilas_str text;
    NILAS_TRY(nilas_str_print(
        arena, &text, err, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
        b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13],
        b[14], b[15]));
    *out = nilas_value_of_str(text);
    return NILAS_OK;
}

static bool type_changes(const nilas_ice_type *type) {
    if (type->kind == NILAS_ICE_UUID || type->kind == NILAS_ICE_TIMESTAMP_NS ||
        type->kind == NILAS_ICE_TIMESTAMPTZ_NS) {
        return true;
    }
    for (size_t i = 0; i < type->field_count; i++) {
        if (type_changes(type->fields[i].type)) {
            return true;
        }
    }
    return false;
}

static nilas_code nested_value(nilas_arena *arena, const nilas_ice_type *type,
                               const nilas_value *value, nilas_value *out, nilas_error *err) {
    size_t count = value->kind == NILAS_VALUE_MAP ? value->count * 2 : value->count;
    nilas_value *items;
    NILAS_NEW_ARRAY(arena, &items, count, err);
    for (size_t i = 0; i < count; i++) {
        size_t member = type->kind == NILAS_ICE_LIST ? 0 : type->kind == NILAS_ICE_MAP ? i % 2 : i;
        nilas_assert(member < type->field_count);
        NILAS_TRY(nilas_source__spark_value(arena, type->fields[member].type, &value->items[i],
                                            &items[i], err));
    }
    *out = (nilas_value){.kind = value->kind, .items = items, .count = value->count};
    return NILAS_OK;
}

nilas_code nilas_source__spark_value(nilas_arena *arena, const nilas_ice_type *type,
                                     const nilas_value *value, nilas_value *out, nilas_error *err) {
    if (value->kind == NILAS_VALUE_NULL || !type_changes(type)) {
        *out = *value;
        return NILAS_OK;
    }
    if (nilas_ice_is_nested(type)) {
        return nested_value(arena, type, value, out, err);
    }
    if (type->kind == NILAS_ICE_UUID) {
        if (value->kind == NILAS_VALUE_STRING) {
            *out = *value;
            return NILAS_OK;
        }
        return uuid_text(arena, value->text, out, err);
    }
    *out = nilas_value_of_int(nilas_floor_div(value->integer, 1000));
    return NILAS_OK;
}

nilas_code nilas_source__print_value(nilas_arena *arena, nilas_buf *out, const nilas_ice_type *type,
                                     const nilas_value *value, nilas_error *err) {
    const nilas_type *spark;
    nilas_value shown;
    NILAS_TRY(nilas_bind_ice_type(arena, type, &spark, err));
    NILAS_TRY(nilas_source__spark_value(arena, type, value, &shown, err));
    nilas_render__literal(out, spark, &shown);
    return NILAS_OK;
}

/** A struct's default is {} in the metadata: its members' defaults make it. */
static nilas_code print_struct_default(nilas_arena *arena, nilas_buf *out,
                                       const nilas_ice_type *type, nilas_error *err) {
    nilas_buf_add_text(out, "struct_pack(");
    for (size_t i = 0; i < type->field_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        nilas_render__identifier(out, type->fields[i].name);
        nilas_buf_add_text(out, " := ");
        NILAS_TRY(nilas_source__print_default(arena, out, &type->fields[i], err));
    }
    nilas_buf_add_char(out, ')');
    return NILAS_OK;
}

nilas_code nilas_source__print_default(nilas_arena *arena, nilas_buf *out,
                                       const nilas_ice_field *field, nilas_error *err) {
    static const nilas_value null = NILAS_NULL_VALUE;
    const nilas_value *value = field->initial_default != NULL ? field->initial_default : &null;
    if (value->kind == NILAS_VALUE_STRUCT && field->type->kind == NILAS_ICE_STRUCT) {
        return print_struct_default(arena, out, field->type, err);
    }
    return nilas_source__print_value(arena, out, field->type, value, err);
}

const nilas_ice_field *nilas_source__find_field(const nilas_scan_source *s, int32_t field_id) {
    const nilas_ice_field *found = nilas_schema_find_id(s->scan->schema, field_id);
    const nilas_metadata *metadata = s->table->metadata;
    for (size_t i = metadata->schema_count; found == NULL && i > 0; i--) {
        found = nilas_schema_find_id(metadata->schemas[i - 1], field_id);
    }
    return found;
}
