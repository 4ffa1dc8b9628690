/** Partition specs of CREATE TABLE, names of partition fields, and properties that are not the
 * user's to set. */
#include "session/ddl.h"

nilas_code nilas_ddl__partition_name(nilas_arena *arena, nilas_str source_name,
                                     const nilas_transform *transform, nilas_str *out,
                                     nilas_error *err) {
    static const char *const suffixes[] = {
        [NILAS_TRANSFORM_BUCKET] = "_bucket", [NILAS_TRANSFORM_TRUNCATE] = "_trunc",
        [NILAS_TRANSFORM_YEAR] = "_year",     [NILAS_TRANSFORM_MONTH] = "_month",
        [NILAS_TRANSFORM_DAY] = "_day",       [NILAS_TRANSFORM_HOUR] = "_hour",
        [NILAS_TRANSFORM_VOID] = "_null",     [NILAS_TRANSFORM_IDENTITY] = "",
        [NILAS_TRANSFORM_UNKNOWN] = "",
    };
    return nilas_str_print(arena, out, err, "%.*s%s", NILAS_FMT(source_name),
                           suffixes[transform->kind]);
}

static bool is_time(nilas_transform_kind kind) {
    return kind == NILAS_TRANSFORM_YEAR || kind == NILAS_TRANSFORM_MONTH ||
           kind == NILAS_TRANSFORM_DAY || kind == NILAS_TRANSFORM_HOUR;
}

/** Two time transforms of one column, or the same transform twice, say nothing new. */
static nilas_code check_redundant(const nilas_partition_spec *spec,
                                  const nilas_partition_field *added, int32_t offset,
                                  nilas_error *err) {
    for (size_t i = 0; i < spec->field_count; i++) {
        const nilas_partition_field *other = &spec->fields[i];
        bool same_kind = other->transform.kind == added->transform.kind ||
                         (is_time(other->transform.kind) && is_time(added->transform.kind));
        if (other->source_id != added->source_id || !same_kind) {
            continue;
        }
        if (added->transform.kind == NILAS_TRANSFORM_IDENTITY) {
            return nilas_fail_at(err, NILAS_INVALID, "_LEGACY_ERROR_TEMP_3058", offset,
                                 "Found duplicate column(s) in the partitioning: %.*s",
                                 NILAS_FMT(added->name));
        }
        return nilas_fail_at(
            err, NILAS_INVALID, NULL, offset,
            "Cannot add redundant partition: %d: %.*s: %.*s(%d) conflicts with %d: %.*s: %.*s(%d)",
            other->field_id, NILAS_FMT(other->name), NILAS_FMT(other->transform.text),
            other->source_id, added->field_id, NILAS_FMT(added->name),
            NILAS_FMT(added->transform.text), added->source_id);
    }
    return NILAS_OK;
}

static nilas_code add_field(nilas_run *run, const nilas_schema *schema,
                            const nilas_partition_item *item, nilas_partition_spec *spec,
                            nilas_error *err) {
    nilas_expr by_name = {.kind = NILAS_EXPR_COLUMN, .offset = run->statement->offset};
    const nilas_expr *transform = item->transform;
    if (transform == NULL) { // Hive style: the column is among the table's columns already
        by_name.parts = item->column->parts;
        by_name.part_count = item->column->part_count;
        transform = &by_name;
    }
    nilas_partition_field field = {.field_id = 1000 + (int32_t)spec->field_count};
    NILAS_TRY(nilas_bind_transform(&run->environment, schema, transform, &field.source_id,
                                   &field.transform, err));
    nilas_str name;
    NILAS_TRY(nilas_schema_name_of(run->stmt, schema, field.source_id, &name, err));
    NILAS_TRY(nilas_ddl__partition_name(run->stmt, name, &field.transform, &field.name, err));
    const nilas_ice_field *source = nilas_schema_find_id(schema, field.source_id);
    if (nilas_ice_is_nested(source->type)) {
        NILAS_AUTO_BUF text = NILAS_BUF_INIT(1 << 20);
        nilas_ice_type_print(&text, source->type);
        return nilas_fail_at(err, NILAS_INVALID, NULL, transform->offset,
                             "Cannot partition by non-primitive source field: %.*s",
                             NILAS_FMT(nilas_buf_view(&text)));
    }
    NILAS_TRY(check_redundant(spec, &field, transform->offset, err));
    NILAS_NEW_ARRAY(run->stmt, &field.source_ids, 1, err);
    field.source_ids[0] = field.source_id;
    field.source_count = 1;
    spec->fields[spec->field_count++] = field;
    return NILAS_OK;
}

static nilas_code fail_no_column(nilas_run *run, const nilas_schema *schema, nilas_str name,
                                 int32_t offset, nilas_error *err) {
    const nilas_type *type;
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(1 << 20);
    NILAS_TRY(nilas_bind_ice_type(run->stmt, &schema->type, &type, err));
    nilas_type_print_tree(&text, type, 0);
    return nilas_fail_at(err, NILAS_INVALID, "_LEGACY_ERROR_TEMP_3060", offset,
                         "Couldn't find column %.*s in:\n%.*s", NILAS_FMT(name),
                         NILAS_FMT(nilas_buf_view(&text)));
}

nilas_code nilas_ddl__spec(nilas_run *run, const nilas_schema *schema,
                           const nilas_partition_item *items, size_t count,
                           nilas_partition_spec **out, nilas_error *err) {
    nilas_partition_spec *spec;
    NILAS_NEW(run->stmt, &spec, err);
    NILAS_NEW_ARRAY(run->stmt, &spec->fields, count, err);
    for (size_t i = 0; i < count; i++) {
        const nilas_expr *column = items[i].transform;
        bool is_name = column != NULL && column->kind == NILAS_EXPR_COLUMN;
        nilas_str dotted;
        if (is_name) {
            NILAS_TRY(nilas_str_join(run->stmt, column->parts, column->part_count, NILAS_STR("."),
                                     &dotted, err));
        }
        if (is_name && nilas_schema_find_name(schema, dotted) == NULL) {
            return fail_no_column(run, schema, dotted, column->offset, err);
        }
        NILAS_TRY(add_field(run, schema, &items[i], spec, err));
    }
    *out = spec;
    return NILAS_OK;
}

nilas_code nilas_ddl__check_properties(const nilas_option *properties, size_t count, int32_t offset,
                                       nilas_error *err) {
    static const struct {
        const char *key, *advice;
    } reserved[] = {
        {"provider", "please use the USING clause to specify it"},
        {"location", "please use the LOCATION clause to specify it"},
        {"owner", "it will be set to the current user"},
        {"external", "please use CREATE EXTERNAL TABLE"},
        {"is_managed_location", "it is a reserved table property"},
    };
    for (size_t i = 0; i < count; i++) {
        for (size_t r = 0; r < sizeof(reserved) / sizeof(reserved[0]); r++) {
            if (nilas_str_is_nocase(properties[i].key, reserved[r].key)) {
                return nilas_fail_at(
                    err, NILAS_INVALID, "UNSUPPORTED_FEATURE.SET_TABLE_PROPERTY", offset,
                    "The feature is not supported: %s is a reserved table property, %s.",
                    reserved[r].key, reserved[r].advice);
            }
        }
    }
    return NILAS_OK;
}
