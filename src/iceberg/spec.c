/*
 * Partition specs and sort orders: JSON in and out, and the types of partition tuples.
 *
 * Version 1 wrote no partition field ids; the reference implementation counted from 1000 within
 * each spec, and so do we.
 */
#include <stdlib.h>

#include "iceberg/parse.h"

#define FIRST_PARTITION_FIELD_ID 1000

/* ---- JSON ------------------------------------------------------------------------------------ */

/** "source-id", or the "source-ids" of a transform with several arguments; *first is the first
 *  of them. */
static nilas_code parse_sources(nilas_arena *arena, const nilas_json *json, int32_t **ids,
                                size_t *count, int32_t *first, nilas_error *err) {
    NILAS_TRY(nilas_iceberg__find_int32_list(arena, json, "source-ids", ids, count, err));
    if (*count == 0) {
        NILAS_NEW_ARRAY(arena, ids, 1, err);
        NILAS_TRY(nilas_iceberg__get_int32(json, "source-id", *ids, err));
        *count = 1;
    }
    *first = (*ids)[0];
    return NILAS_OK;
}

static nilas_code parse_transform(nilas_arena *arena, const nilas_json *json, size_t source_count,
                                  nilas_transform *out, nilas_error *err) {
    nilas_str text;

    NILAS_TRY(nilas_json_get_str(json, "transform", &text, err));
    NILAS_TRY(nilas_transform_parse(arena, text, out, err));
    if (source_count > 1 && out->kind != NILAS_TRANSFORM_VOID) {
        out->kind = NILAS_TRANSFORM_UNKNOWN; // none that we know takes several columns
    }
    return NILAS_OK;
}

static nilas_code parse_partition_field(nilas_arena *arena, const nilas_json *json, size_t position,
                                        nilas_partition_field *out, nilas_error *err) {
    out->field_id = FIRST_PARTITION_FIELD_ID + (int32_t)position;
    NILAS_TRY(nilas_iceberg__find_int32(json, "field-id", &out->field_id, err));
    NILAS_TRY(nilas_json_get_str(json, "name", &out->name, err));
    NILAS_TRY(
        parse_sources(arena, json, &out->source_ids, &out->source_count, &out->source_id, err));
    return parse_transform(arena, json, out->source_count, &out->transform, err);
}

nilas_code nilas_iceberg__parse_spec(nilas_arena *arena, const nilas_json *json, bool is_fields,
                                     nilas_partition_spec **out, nilas_error *err) {
    const nilas_json *fields = json;
    nilas_partition_spec *spec;

    NILAS_NEW(arena, &spec, err);
    if (!is_fields) {
        NILAS_TRY(nilas_iceberg__get_int32(json, "spec-id", &spec->spec_id, err));
        NILAS_TRY(nilas_json_get_array(json, "fields", &fields, err));
    }
    NILAS_REQUIRE(fields->kind == NILAS_JSON_ARRAY, err, NILAS_CORRUPT,
                  "\"partition-spec\" must be an array of fields");
    spec->field_count = fields->count;
    NILAS_NEW_ARRAY(arena, &spec->fields, fields->count, err);
    for (size_t i = 0; i < fields->count; i++) {
        NILAS_TRY(parse_partition_field(arena, &fields->items[i], i, &spec->fields[i], err));
    }
    *out = spec;
    return NILAS_OK;
}

static nilas_code parse_sort_field(nilas_arena *arena, const nilas_json *json,
                                   nilas_sort_field *out, nilas_error *err) {
    nilas_str direction;
    nilas_str null_order;

    NILAS_TRY(
        parse_sources(arena, json, &out->source_ids, &out->source_count, &out->source_id, err));
    NILAS_TRY(parse_transform(arena, json, out->source_count, &out->transform, err));
    NILAS_TRY(nilas_json_get_str(json, "direction", &direction, err));
    NILAS_TRY(nilas_json_get_str(json, "null-order", &null_order, err));
    out->descending = nilas_str_is_nocase(direction, "desc");
    out->nulls_first = nilas_str_is_nocase(null_order, "nulls-first");
    NILAS_REQUIRE(out->descending || nilas_str_is_nocase(direction, "asc"), err, NILAS_CORRUPT,
                  "\"direction\" must be \"asc\" or \"desc\", found \"%.*s\"",
                  NILAS_FMT(direction));
    NILAS_REQUIRE(out->nulls_first || nilas_str_is_nocase(null_order, "nulls-last"), err,
                  NILAS_CORRUPT,
                  "\"null-order\" must be \"nulls-first\" or \"nulls-last\", found \"%.*s\"",
                  NILAS_FMT(null_order));
    return NILAS_OK;
}

nilas_code nilas_iceberg__parse_sort_order(nilas_arena *arena, const nilas_json *json,
                                           nilas_sort_order **out, nilas_error *err) {
    const nilas_json *fields;
    nilas_sort_order *order;

    NILAS_NEW(arena, &order, err);
    NILAS_TRY(nilas_iceberg__get_int32(json, "order-id", &order->order_id, err));
    NILAS_TRY(nilas_json_get_array(json, "fields", &fields, err));
    order->field_count = fields->count;
    NILAS_NEW_ARRAY(arena, &order->fields, fields->count, err);
    for (size_t i = 0; i < fields->count; i++) {
        NILAS_TRY(parse_sort_field(arena, &fields->items[i], &order->fields[i], err));
    }
    *out = order;
    return NILAS_OK;
}

static void print_sources(nilas_buf *out, const int32_t *ids, size_t count) {
    if (count == 1) {
        nilas_buf_print(out, "\"source-id\":%d", ids[0]);
        return;
    }
    nilas_buf_add_text(out, "\"source-ids\":[");
    for (size_t i = 0; i < count; i++) {
        nilas_buf_print(out, "%s%d", i > 0 ? "," : "", ids[i]);
    }
    nilas_buf_add_text(out, "]");
}

void nilas_iceberg__print_spec_fields(nilas_buf *out, const nilas_partition_spec *spec) {
    nilas_buf_add_text(out, "[");
    for (size_t i = 0; i < spec->field_count; i++) {
        const nilas_partition_field *field = &spec->fields[i];
        nilas_buf_add_text(out, i > 0 ? ",{\"name\":" : "{\"name\":");
        nilas_json_print_string(out, field->name);
        nilas_buf_add_text(out, ",\"transform\":");
        nilas_json_print_string(out, field->transform.text);
        nilas_buf_add_text(out, ",");
        print_sources(out, field->source_ids, field->source_count);
        nilas_buf_print(out, ",\"field-id\":%d}", field->field_id);
    }
    nilas_buf_add_text(out, "]");
}

void nilas_iceberg__print_sort_order(nilas_buf *out, const nilas_sort_order *order) {
    nilas_buf_print(out, "{\"order-id\":%d,\"fields\":[", order->order_id);
    for (size_t i = 0; i < order->field_count; i++) {
        const nilas_sort_field *field = &order->fields[i];
        nilas_buf_add_text(out, i > 0 ? ",{\"transform\":" : "{\"transform\":");
        nilas_json_print_string(out, field->transform.text);
        nilas_buf_add_text(out, ",");
        print_sources(out, field->source_ids, field->source_count);
        nilas_buf_print(out, ",\"direction\":\"%s\",\"null-order\":\"%s\"}",
                        field->descending ? "desc" : "asc",
                        field->nulls_first ? "nulls-first" : "nulls-last");
    }
    nilas_buf_add_text(out, "]}");
}

/* ---- types of partition tuples --------------------------------------------------------------- */

/** The source column in the current schema, else in the newest schema that has it: it may have
 *  been dropped since. */
static const nilas_ice_field *find_source(const nilas_metadata *metadata, int32_t source_id) {
    const nilas_ice_field *found =
        nilas_schema_find_id(nilas_metadata_current_schema(metadata), source_id);

    for (size_t i = metadata->schema_count; found == NULL && i > 0; i--) {
        found = nilas_schema_find_id(metadata->schemas[i - 1], source_id);
    }
    return found;
}

static nilas_code result_type(const nilas_metadata *metadata, const nilas_partition_field *field,
                              const nilas_ice_type **out, nilas_error *err) {
    const nilas_ice_field *source = find_source(metadata, field->source_id);

    if (source == NULL || field->transform.kind == NILAS_TRANSFORM_UNKNOWN) {
        *out = nilas_ice_primitive(source == NULL ? NILAS_ICE_UNKNOWN : NILAS_ICE_STRING);
        return NILAS_OK;
    }
    return nilas_transform_result_type(&field->transform, source->type, out, err);
}

static nilas_code set_field(const nilas_metadata *metadata, const nilas_partition_field *field,
                            nilas_ice_field *out, nilas_error *err) {
    out->id = field->field_id;
    out->name = field->name;
    out->doc = NILAS_STR_EMPTY;
    return result_type(metadata, field, &out->type, err);
}

nilas_code nilas_spec_partition_type(nilas_arena *arena, const nilas_metadata *metadata,
                                     const nilas_partition_spec *spec, const nilas_ice_type **out,
                                     nilas_error *err) {
    nilas_ice_type *type;

    NILAS_NEW(arena, &type, err);
    type->kind = NILAS_ICE_STRUCT;
    type->field_count = spec->field_count;
    NILAS_NEW_ARRAY(arena, &type->fields, spec->field_count, err);
    for (size_t i = 0; i < spec->field_count; i++) {
        NILAS_TRY(set_field(metadata, &spec->fields[i], &type->fields[i], err));
    }
    *out = type;
    return NILAS_OK;
}

typedef struct merged_field {
    const nilas_partition_field *field;
    nilas_ice_field result;
} merged_field;

typedef NILAS_ARRAY_OF(merged_field) merged_fields;

static bool is_void(const nilas_partition_field *field) {
    return field->transform.kind == NILAS_TRANSFORM_VOID;
}

static bool compatible(const nilas_partition_field *a, const nilas_partition_field *b) {
    return a->source_id == b->source_id &&
           (is_void(a) || is_void(b) ||
            (a->transform.kind == b->transform.kind && a->transform.width == b->transform.width));
}

/** Names come from the newest spec; the type from the newest that has not become void (a dropped
 *  field of version 1). */
static nilas_code merge_field(nilas_arena *arena, const nilas_metadata *metadata,
                              const nilas_partition_field *field, merged_fields *merged,
                              nilas_error *err) {
    merged_field *existing = NULL;

    for (size_t i = 0; i < merged->count; i++) {
        if (merged->items[i].result.id == field->field_id) {
            existing = &merged->items[i];
        }
    }
    if (existing == NULL) {
        merged_field made = {.field = field};
        NILAS_TRY(set_field(metadata, field, &made.result, err));
        NILAS_PUSH(arena, merged, made, err);
        return NILAS_OK;
    }
    NILAS_REQUIRE(compatible(field, existing->field), err, NILAS_UNSUPPORTED,
                  "Conflicting partition fields: ['%d: %.*s: %.*s(%d)', '%d: %.*s: %.*s(%d)']",
                  field->field_id, NILAS_FMT(field->name), NILAS_FMT(field->transform.text),
                  field->source_id, existing->field->field_id, NILAS_FMT(existing->field->name),
                  NILAS_FMT(existing->field->transform.text), existing->field->source_id);
    if (is_void(existing->field) && !is_void(field)) {
        existing->field = field;
        return result_type(metadata, field, &existing->result.type, err);
    }
    return NILAS_OK;
}

static int by_spec_id_descending(const void *a, const void *b) {
    const nilas_partition_spec *const *x = a;
    const nilas_partition_spec *const *y = b;

    return (*x)->spec_id < (*y)->spec_id ? 1 : (*x)->spec_id > (*y)->spec_id ? -1 : 0;
}

static int by_field_id(const void *a, const void *b) {
    const merged_field *x = a;
    const merged_field *y = b;

    return x->result.id < y->result.id ? -1 : x->result.id > y->result.id ? 1 : 0;
}

static nilas_code merge_specs(nilas_arena *arena, const nilas_metadata *metadata,
                              merged_fields *merged, nilas_error *err) {
    const nilas_schema *schema = nilas_metadata_current_schema(metadata);
    nilas_partition_spec **newest_first;

    NILAS_NEW_ARRAY(arena, &newest_first, metadata->spec_count, err);
    memcpy(newest_first, metadata->specs, metadata->spec_count * sizeof(metadata->specs[0]));
    qsort(newest_first, metadata->spec_count, sizeof(newest_first[0]), by_spec_id_descending);
    for (size_t i = 0; i < metadata->spec_count; i++) {
        for (size_t j = 0; j < newest_first[i]->field_count; j++) {
            const nilas_partition_field *field = &newest_first[i]->fields[j];
            NILAS_REQUIRE(field->transform.kind != NILAS_TRANSFORM_UNKNOWN, err, NILAS_UNSUPPORTED,
                          "Cannot build table partition type, unknown transforms: [%.*s]",
                          NILAS_FMT(field->transform.text));
            if (nilas_schema_find_id(schema, field->source_id) != NULL) {
                NILAS_TRY(merge_field(arena, metadata, field, merged, err));
            }
        }
    }
    return NILAS_OK;
}

nilas_code nilas_metadata_partition_type(nilas_arena *arena, const nilas_metadata *metadata,
                                         const nilas_ice_type **out, nilas_error *err) {
    merged_fields merged = {0};
    nilas_ice_type *type;

    NILAS_TRY(merge_specs(arena, metadata, &merged, err));
    if (merged.count > 1) {
        qsort(merged.items, merged.count, sizeof(merged.items[0]), by_field_id);
    }
    NILAS_NEW(arena, &type, err);
    type->kind = NILAS_ICE_STRUCT;
    type->field_count = merged.count;
    NILAS_NEW_ARRAY(arena, &type->fields, merged.count, err);
    for (size_t i = 0; i < merged.count; i++) {
        type->fields[i] = merged.items[i].result;
    }
    *out = type;
    return NILAS_OK;
}
