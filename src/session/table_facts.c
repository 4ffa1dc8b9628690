/** What several commands say about a table: its name, columns, properties and partition transforms,
 * as Spark shows them. */
#include <stdlib.h>

#include "session/private.h"

nilas_code nilas_session__relation(nilas_run *run, nilas_relation *out, nilas_error *err) {
    const nilas_statement *statement = run->statement;
    nilas_time_travel none = {0};
    *out = (nilas_relation){0};
    return nilas_bind_relation(&run->environment, statement->parts, statement->part_count,
                               statement->parts_offset, &none, NULL, 0, out, err);
}

static void print_part(nilas_buf *out, nilas_str part, bool quoted) {
    nilas_buf_add_text(out, out->size > 0 ? "." : "");
    if (quoted) {
        nilas_session__print_name(out, part);
    } else {
        nilas_buf_add(out, part);
    }
}

static nilas_code relation_name(nilas_arena *arena, const nilas_relation *relation, bool quoted,
                                nilas_str *out, nilas_error *err) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(1 << 20);
    if (relation->catalog_name.size > 0) {
        print_part(&text, relation->catalog_name, quoted);
    }
    for (size_t i = 0; i < relation->identifier_count; i++) {
        print_part(&text, relation->identifier[i], quoted);
    }
    if (relation->metadata_table != NILAS_METADATA_NONE) {
        print_part(&text, nilas_str_of(nilas_metadata_table_name(relation->metadata_table)),
                   quoted);
    } else if (relation->branch.size > 0) {
        nilas_str suffix;
        NILAS_TRY(nilas_str_print(arena, &suffix, err, "branch_%.*s", NILAS_FMT(relation->branch)));
        print_part(&text, suffix, quoted);
    }
    return nilas_buf_finish(&text, arena, out, err);
}

nilas_code nilas_session__relation_name(nilas_arena *arena, const nilas_relation *relation,
                                        nilas_str *out, nilas_error *err) {
    return relation_name(arena, relation, false, out, err);
}

nilas_code nilas_session__relation_quoted(nilas_arena *arena, const nilas_relation *relation,
                                          nilas_str *out, nilas_error *err) {
    return relation_name(arena, relation, true, out, err);
}

nilas_code nilas_session__relation_type(nilas_run *run, const nilas_relation *relation,
                                        const nilas_type **out, nilas_error *err) {
    const nilas_ice_type *type = NULL;
    if (relation->kind == NILAS_RELATION_FILES) {
        *out = relation->files->schema;
        return NILAS_OK;
    }
    if (relation->kind == NILAS_RELATION_TEMP_VIEW || relation->kind == NILAS_RELATION_VIEW) {
        nilas_query *table;
        nilas_plan *plan;
        NILAS_TRY(nilas_query_new(run->stmt, NILAS_QUERY_TABLE, run->statement->parts_offset,
                                  &table, err));
        table->parts = run->statement->parts;
        table->part_count = run->statement->part_count;
        NILAS_TRY(nilas_bind_query(&run->environment, table, &plan, err));
        return nilas_plan_type(run->stmt, plan, out, err);
    }
    if (relation->metadata_table != NILAS_METADATA_NONE) {
        NILAS_TRY(nilas_metadata_table_type(run->stmt, relation->table, relation->metadata_table,
                                            &type, err));
    } else {
        type = &relation->schema->type;
    }
    nilas_type_field *fields;
    NILAS_NEW_ARRAY(run->stmt, &fields, type->field_count, err);
    for (size_t i = 0; i < type->field_count; i++) {
        fields[i] = (nilas_type_field){.name = type->fields[i].name,
                                       .nullable = !type->fields[i].required,
                                       .has_comment = type->fields[i].has_doc,
                                       .comment = type->fields[i].doc};
        NILAS_TRY(nilas_bind_ice_type(run->stmt, type->fields[i].type, &fields[i].type, err));
    }
    return nilas_type_struct(run->stmt, fields, type->field_count, out, err);
}

/* --- transforms --- */

static nilas_code source_name(nilas_arena *arena, const nilas_metadata *metadata, int32_t source_id,
                              nilas_str *out, nilas_error *err) {
    const nilas_schema *schema = nilas_metadata_current_schema(metadata);
    for (size_t i = 0;
         nilas_schema_find_id(schema, source_id) == NULL && i < metadata->schema_count; i++) {
        if (nilas_schema_find_id(metadata->schemas[i], source_id) != NULL) {
            schema = metadata->schemas[i];
        }
    }
    return nilas_schema_name_of(arena, schema, source_id, out, err);
}

static nilas_code transform_text(nilas_arena *arena, const nilas_metadata *metadata,
                                 const nilas_transform *transform, int32_t source_id,
                                 nilas_str *out, nilas_error *err) {
    nilas_str name;
    NILAS_TRY(source_name(arena, metadata, source_id, &name, err));
    NILAS_AUTO_BUF column = NILAS_BUF_INIT(4096);
    // A dotted path of plain names stays as it is; anything else is quoted.
    const nilas_ice_field *top =
        nilas_schema_find_id(nilas_metadata_current_schema(metadata), source_id);
    if (top != NULL && nilas_str_find(name, NILAS_STR("."), 0) != SIZE_MAX &&
        !nilas_str_equal(top->name, name)) {
        nilas_buf_add(&column, name);
    } else {
        nilas_session__print_name(&column, name);
    }
    nilas_str shown = nilas_buf_view(&column);
    switch (transform->kind) {
    case NILAS_TRANSFORM_IDENTITY: return nilas_str_copy(arena, shown, out, err);
    case NILAS_TRANSFORM_BUCKET:
        return nilas_str_print(arena, out, err, "bucket(%d, %.*s)", transform->width,
                               NILAS_FMT(shown));
    case NILAS_TRANSFORM_TRUNCATE:
        return nilas_str_print(arena, out, err, "truncate(%d, %.*s)", transform->width,
                               NILAS_FMT(shown));
    case NILAS_TRANSFORM_YEAR:
        return nilas_str_print(arena, out, err, "years(%.*s)", NILAS_FMT(shown));
    case NILAS_TRANSFORM_MONTH:
        return nilas_str_print(arena, out, err, "months(%.*s)", NILAS_FMT(shown));
    case NILAS_TRANSFORM_DAY:
        return nilas_str_print(arena, out, err, "days(%.*s)", NILAS_FMT(shown));
    case NILAS_TRANSFORM_HOUR:
        return nilas_str_print(arena, out, err, "hours(%.*s)", NILAS_FMT(shown));
    case NILAS_TRANSFORM_VOID:
    case NILAS_TRANSFORM_UNKNOWN: break;
    }
    return nilas_str_print(arena, out, err, "%.*s(%.*s)", NILAS_FMT(transform->text),
                           NILAS_FMT(shown));
}

nilas_code nilas_session__partition_transforms(nilas_arena *arena, const nilas_relation *relation,
                                               nilas_str **out, size_t *out_count,
                                               bool *all_identity, nilas_error *err) {
    const nilas_metadata *metadata = relation->table->metadata;
    const nilas_partition_spec *spec = nilas_metadata_spec(metadata, metadata->default_spec_id);
    nilas_str *texts;
    size_t count = 0;
    *all_identity = true;
    size_t fields =
        spec == NULL || relation->metadata_table != NILAS_METADATA_NONE ? 0 : spec->field_count;
    NILAS_NEW_ARRAY(arena, &texts, fields, err);
    for (size_t i = 0; i < fields; i++) {
        if (spec->fields[i].transform.kind == NILAS_TRANSFORM_VOID) {
            continue; // a dropped field of a v1 table
        }
        *all_identity = *all_identity && spec->fields[i].transform.kind == NILAS_TRANSFORM_IDENTITY;
        NILAS_TRY(transform_text(arena, metadata, &spec->fields[i].transform,
                                 spec->fields[i].source_id, &texts[count++], err));
    }
    *out = texts;
    *out_count = count;
    return NILAS_OK;
}

/* --- properties --- */

static int compare_properties(const void *a, const void *b) {
    return nilas_str_compare(((const nilas_property *)a)->key, ((const nilas_property *)b)->key);
}

static bool is_reserved(nilas_str key) {
    static const char *const reserved[] = {
        "provider",       "format",     "current-snapshot-id", "location",
        "format-version", "sort-order", "identifier-fields",   "owner",
        "comment",        "external",   "is_managed_location", "option.serialization.format"};
    for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++) {
        if (nilas_str_is(key, reserved[i])) {
            return true;
        }
    }
    return false;
}

/** "k DESC NULLS LAST, bucket(4, id) ASC NULLS FIRST"; empty when unsorted. */
static nilas_code sort_order_text(nilas_arena *arena, const nilas_metadata *metadata,
                                  nilas_str *out, nilas_error *err) {
    const nilas_sort_order *order =
        nilas_metadata_sort_order(metadata, metadata->default_sort_order_id);
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(1 << 20);
    for (size_t i = 0; order != NULL && i < order->field_count; i++) {
        const nilas_sort_field *field = &order->fields[i];
        nilas_str term;
        NILAS_TRY(transform_text(arena, metadata, &field->transform, field->source_id, &term, err));
        if (field->transform.kind == NILAS_TRANSFORM_TRUNCATE) { // in orders the width stands last
            nilas_str column;
            NILAS_TRY(source_name(arena, metadata, field->source_id, &column, err));
            NILAS_TRY(nilas_str_print(arena, &term, err, "truncate(%.*s, %d)", NILAS_FMT(column),
                                      field->transform.width));
        }
        nilas_buf_print(&text, "%s%.*s %s NULLS %s", i > 0 ? ", " : "", NILAS_FMT(term),
                        field->descending ? "DESC" : "ASC", field->nulls_first ? "FIRST" : "LAST");
    }
    return nilas_buf_finish(&text, arena, out, err);
}

static nilas_code identifier_text(nilas_arena *arena, const nilas_schema *schema, nilas_str *out,
                                  nilas_error *err) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(1 << 20);
    for (size_t i = 0; i < schema->identifier_field_count; i++) {
        nilas_str name;
        NILAS_TRY(nilas_schema_name_of(arena, schema, schema->identifier_field_ids[i], &name, err));
        nilas_buf_print(&text, "%s%.*s", i > 0 ? "," : "[", NILAS_FMT(name));
    }
    nilas_buf_add_text(&text, schema->identifier_field_count > 0 ? "]" : "");
    return nilas_buf_finish(&text, arena, out, err);
}

typedef NILAS_ARRAY_OF(nilas_property) property_list;

static nilas_code add(nilas_arena *arena, property_list *list, const char *key, nilas_str value,
                      nilas_error *err) {
    nilas_property property = {.key = nilas_str_of(key), .value = value};
    NILAS_PUSH(arena, list, property, err);
    return NILAS_OK;
}

nilas_code nilas_session__table_properties(nilas_arena *arena, const nilas_relation *relation,
                                           nilas_property **out, size_t *out_count,
                                           nilas_error *err) {
    const nilas_metadata *metadata = relation->table->metadata;
    property_list list = {0};
    nilas_str text;
    bool is_data = relation->metadata_table == NILAS_METADATA_NONE;
    nilas_str format =
        is_data ? nilas_metadata_property(metadata, "write.format.default", NILAS_STR("parquet"))
                : NILAS_STR("parquet");
    NILAS_TRY(nilas_str_print(arena, &text, err, "iceberg/%.*s", NILAS_FMT(format)));
    NILAS_TRY(add(arena, &list, "format", text, err));
    text = NILAS_STR("none");
    if (metadata->current_snapshot_id != -1) {
        NILAS_TRY(
            nilas_str_print(arena, &text, err, "%lld", (long long)metadata->current_snapshot_id));
    }
    NILAS_TRY(add(arena, &list, "current-snapshot-id", text, err));
    if (is_data) {
        NILAS_TRY(nilas_str_print(arena, &text, err, "%d", metadata->format_version));
        NILAS_TRY(add(arena, &list, "format-version", text, err));
        NILAS_TRY(sort_order_text(arena, metadata, &text, err));
        if (text.size > 0) {
            NILAS_TRY(add(arena, &list, "sort-order", text, err));
        }
        NILAS_TRY(identifier_text(arena, nilas_metadata_current_schema(metadata), &text, err));
        if (text.size > 0) {
            NILAS_TRY(add(arena, &list, "identifier-fields", text, err));
        }
    }
    for (size_t i = 0; is_data && i < metadata->property_count; i++) {
        if (!is_reserved(metadata->properties[i].key)) {
            nilas_property property = metadata->properties[i];
            if (nilas_settings_is_secret(property.key)) {
                property.value = NILAS_STR("*********(redacted)");
            }
            NILAS_PUSH(arena, &list, property, err);
        }
    }
    qsort(list.items, list.count, sizeof(list.items[0]), compare_properties);
    *out = list.items;
    *out_count = list.count;
    return NILAS_OK;
}
