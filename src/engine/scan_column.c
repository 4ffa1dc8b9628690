/*
 * Columns of a group in SQL: from the files, from the partition, from defaults, and the metadata
 * columns.
 */
#include "engine/cast.h"
#include "engine/scan_source.h"

/** A distinct value of one column over a group's files; NULL: the column's default. */
typedef struct listed_value listed_value;
struct listed_value {
    const nilas_value *value;
    int64_t index;
    listed_value *next; // of equal hash
};

/** Distinct values of one column, and which file has which. */
typedef struct value_list {
    NILAS_ARRAY_OF(const nilas_value *) values;
    nilas_map by_hash; // -> listed_value
    int64_t *index_of_task;
} value_list;

static nilas_code start_list(nilas_scan_source *s, const nilas_scan_group *group, value_list *list,
                             nilas_error *err) {
    *list = (value_list){0};
    nilas_map_init(&list->by_hash, s->stmt, false);
    NILAS_NEW_ARRAY(s->stmt, &list->index_of_task, group->tasks.count, err);
    return NILAS_OK;
}

static bool same_value(const nilas_value *a, const nilas_value *b) {
    return a == b || (a != NULL && b != NULL && nilas_value_equal(a, b));
}

static nilas_code add_value(nilas_scan_source *s, value_list *list, size_t task,
                            const nilas_value *value, nilas_error *err) {
    int64_t hash = value != NULL ? (int64_t)nilas_value_hash(value) : 0;
    listed_value *first = nilas_map_find_int(&list->by_hash, hash);
    listed_value *found = first;
    while (found != NULL && !same_value(found->value, value)) {
        found = found->next;
    }
    if (found == NULL) {
        NILAS_NEW(s->stmt, &found, err);
        *found =
            (listed_value){.value = value, .index = (int64_t)list->values.count, .next = first};
        NILAS_TRY(nilas_map_put_int(&list->by_hash, hash, found, err));
        NILAS_PUSH(s->stmt, &list->values, value, err);
    }
    list->index_of_task[task] = found->index;
    return NILAS_OK;
}

nilas_code nilas_source__make_slot(nilas_arena *arena, nilas_scan_group *group, int32_t slot,
                                   nilas_error *err) {
    nilas_assert(slot >= 0 && slot < NILAS_SLOT_LIMIT);
    if (group->slots[slot] == NULL) {
        int64_t *numbers;
        NILAS_NEW_ARRAY(arena, &numbers, group->tasks.count, err);
        for (size_t i = 0; i < group->tasks.count; i++) {
            numbers[i] = NILAS_SLOT_NULL;
        }
        group->slots[slot] = numbers;
    }
    return NILAS_OK;
}

static void print_number(nilas_buf *out, const nilas_scan_group *group, int32_t slot) {
    nilas_buf_print(out, "nilas_file_number(%d, %d, file_index)", group->number, slot);
}

/* ---- values that the partition gives ---- */

/** The identity-partition value of a file for a column, NULL when its spec has none. */
static const nilas_value *find_identity(const nilas_scan_source *s, const nilas_scan_task *task,
                                        int32_t field_id) {
    const nilas_partition_spec *spec = nilas_metadata_spec(s->table->metadata, task->file.spec_id);
    const nilas_value *partition = &task->file.partition;
    for (size_t i = 0; spec != NULL && i < spec->field_count && i < partition->count; i++) {
        const nilas_partition_field *field = &spec->fields[i];
        if (field->source_id == field_id && field->transform.kind == NILAS_TRANSFORM_IDENTITY) {
            return &partition->items[i];
        }
    }
    return NULL;
}

static nilas_code print_listed(nilas_scan_source *s, nilas_buf *out, const nilas_ice_field *field,
                               const nilas_value *value, nilas_error *err) {
    return value == NULL ? nilas_source__print_default(s->stmt, out, field, err)
                         : nilas_source__print_value(s->stmt, out, field->type, value, err);
}

/** A constant when all files agree, else a choice by file. */
static nilas_code print_values(nilas_scan_source *s, nilas_buf *out, nilas_scan_group *group,
                               const nilas_ice_field *field, const value_list *list,
                               nilas_error *err) {
    if (list->values.count <= 1) {
        return print_listed(s, out, field, list->values.count == 1 ? list->values.items[0] : NULL,
                            err);
    }
    NILAS_REQUIRE(group->slot_count < NILAS_SLOT_LIMIT, err, NILAS_LIMIT,
                  "more than %d columns come from the partitions of files that lack them",
                  NILAS_SLOT_LIMIT - NILAS_SLOT_FIRST_FREE);
    int32_t slot = group->slot_count++;
    group->slots[slot] = list->index_of_task;
    nilas_buf_add_char(out, '[');
    for (size_t i = 0; i < list->values.count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        NILAS_TRY(print_listed(s, out, field, list->values.items[i], err));
    }
    nilas_buf_add_text(out, "][");
    print_number(out, group, slot);
    nilas_buf_add_text(out, " + 1]");
    return NILAS_OK;
}

static nilas_code print_missing(nilas_scan_source *s, nilas_buf *out, nilas_scan_group *group,
                                const nilas_ice_field *field, nilas_error *err) {
    value_list list;
    NILAS_TRY(start_list(s, group, &list, err));
    for (size_t i = 0; i < group->tasks.count; i++) {
        NILAS_TRY(add_value(s, &list, i, find_identity(s, group->tasks.items[i], field->id), err));
    }
    return print_values(s, out, group, field, &list, err);
}

/* ---- metadata columns ---- */

/** The tuple of a file's spec as a tuple of the union of all specs. */
static nilas_code unite_partition(nilas_scan_source *s, const nilas_scan_task *task,
                                  const nilas_ice_type *type, nilas_value **out, nilas_error *err) {
    const nilas_partition_spec *spec = nilas_metadata_spec(s->table->metadata, task->file.spec_id);
    nilas_value *value;
    NILAS_NEW(s->stmt, &value, err);
    value->kind = NILAS_VALUE_STRUCT;
    value->count = type->field_count;
    NILAS_NEW_ARRAY(s->stmt, &value->items, type->field_count, err);
    for (size_t f = 0; f < type->field_count; f++) {
        for (size_t i = 0; spec != NULL && i < spec->field_count && i < task->file.partition.count;
             i++) {
            if (spec->fields[i].field_id == type->fields[f].id) {
                value->items[f] = task->file.partition.items[i];
            }
        }
    }
    *out = value;
    return NILAS_OK;
}

static nilas_code print_partition(nilas_scan_source *s, nilas_buf *out, nilas_scan_group *group,
                                  const nilas_ice_field *field, nilas_error *err) {
    if (field->type->field_count == 0) { // never partitioned: struct<>, which is null
        nilas_buf_add_text(out, "CAST(NULL AS INTEGER)");
        return NILAS_OK;
    }
    value_list list;
    NILAS_TRY(start_list(s, group, &list, err));
    for (size_t i = 0; i < group->tasks.count; i++) {
        nilas_value *value = NULL;
        NILAS_TRY(unite_partition(s, group->tasks.items[i], field->type, &value, err));
        NILAS_TRY(add_value(s, &list, i, value, err));
    }
    return print_values(s, out, group, field, &list, err);
}

static nilas_code print_file_number(nilas_scan_source *s, nilas_buf *out, nilas_scan_group *group,
                                    int32_t slot, nilas_error *err) {
    NILAS_TRY(nilas_source__make_slot(s->stmt, group, slot, err));
    for (size_t i = 0; i < group->tasks.count; i++) {
        const nilas_scan_task *task = group->tasks.items[i];
        bool has_lineage = task->file.first_row_id >= 0;
        int64_t number = slot == NILAS_SLOT_SPEC_ID        ? task->file.spec_id
                         : slot == NILAS_SLOT_FIRST_ROW_ID ? task->file.first_row_id
                                                           : task->sequence_number;
        bool is_known = slot == NILAS_SLOT_SPEC_ID || has_lineage;
        group->slots[slot][i] = is_known ? number : NILAS_SLOT_NULL;
    }
    print_number(out, group, slot);
    return NILAS_OK;
}

static nilas_code print_stored(nilas_scan_source *s, nilas_buf *out, nilas_scan_group *group,
                               const nilas_ice_field *field, bool *out_printed, nilas_error *err);

/**
 * "coalesce(stored, computed)": row lineage that a rewrite kept in the file wins over what is
 * inherited.
 */
static nilas_code print_lineage(nilas_scan_source *s, nilas_buf *out, nilas_scan_group *group,
                                const nilas_ice_field *field, nilas_error *err) {
    bool is_row_id = field->id == NILAS_FIELD_ROW_ID;
    bool printed = false;
    nilas_buf_add_text(out, "coalesce(");
    NILAS_TRY(print_stored(s, out, group, field, &printed, err));
    nilas_buf_add_text(out, printed ? ", " : "");
    // lineage has a slot of its own: data sequence numbers for equality deletes must not be null
    NILAS_TRY(print_file_number(s, out, group,
                                is_row_id ? NILAS_SLOT_FIRST_ROW_ID : NILAS_SLOT_LINEAGE, err));
    nilas_buf_add_text(out, is_row_id ? " + file_row_number)" : ")");
    return NILAS_OK;
}

/** Columns of a changelog: each file is one change. */
static nilas_code print_change(nilas_scan_source *s, nilas_buf *out, nilas_scan_group *group,
                               const nilas_ice_field *field, nilas_error *err) {
    nilas_file_slot slot = field->id == NILAS_FIELD_CHANGE_TYPE ? NILAS_SLOT_IS_REMOVAL
                           : field->id == NILAS_FIELD_CHANGE_ORDINAL
                               ? NILAS_SLOT_CHANGE_ORDINAL
                               : NILAS_SLOT_COMMIT_SNAPSHOT_ID;
    NILAS_TRY(nilas_source__make_slot(s->stmt, group, slot, err));
    for (size_t i = 0; i < group->tasks.count; i++) {
        const nilas_scan_task *task = group->tasks.items[i];
        nilas_assert(task->is_change);
        group->slots[slot][i] = slot == NILAS_SLOT_IS_REMOVAL       ? task->is_removal
                                : slot == NILAS_SLOT_CHANGE_ORDINAL ? task->change_ordinal
                                                                    : task->snapshot_id;
    }
    if (slot == NILAS_SLOT_IS_REMOVAL) {
        nilas_buf_add_text(out, "CASE WHEN ");
        print_number(out, group, slot);
        nilas_buf_add_text(out, " = 1 THEN 'DELETE' ELSE 'INSERT' END");
    } else if (slot == NILAS_SLOT_CHANGE_ORDINAL) {
        nilas_buf_add_text(out, "CAST(");
        print_number(out, group, slot);
        nilas_buf_add_text(out, " AS INTEGER)");
    } else {
        print_number(out, group, slot);
    }
    return NILAS_OK;
}

static nilas_code print_metadata_column(nilas_scan_source *s, nilas_buf *out,
                                        nilas_scan_group *group, const nilas_ice_field *field,
                                        nilas_error *err) {
    switch (field->id) {
    case NILAS_FIELD_FILE:
        nilas_buf_print(out, "nilas_file_path(%d, file_index)", group->number);
        return NILAS_OK;
    case NILAS_FIELD_POS: nilas_buf_add_text(out, "file_row_number"); return NILAS_OK;
    case NILAS_FIELD_DELETED:
        if (group->deleted == NULL) {
            nilas_buf_add_text(out, "false");
        } else {
            nilas_buf_print(out, "nilas_deleted(%d, file_index, file_row_number)", group->number);
        }
        return NILAS_OK;
    case NILAS_FIELD_SPEC_ID:
        nilas_buf_add_text(out, "CAST(");
        NILAS_TRY(print_file_number(s, out, group, NILAS_SLOT_SPEC_ID, err));
        nilas_buf_add_text(out, " AS INTEGER)");
        return NILAS_OK;
    case NILAS_FIELD_CHANGE_TYPE:
    case NILAS_FIELD_CHANGE_ORDINAL:
    case NILAS_FIELD_COMMIT_SNAPSHOT_ID: return print_change(s, out, group, field, err);
    case NILAS_FIELD_PARTITION: return print_partition(s, out, group, field, err);
    case NILAS_FIELD_ROW_ID:
    case NILAS_FIELD_LAST_UPDATED_SEQUENCE_NUMBER: return print_lineage(s, out, group, field, err);
    default: break;
    }
    bool printed = false; // columns of position-delete files, which are ordinary there
    NILAS_TRY(print_stored(s, out, group, field, &printed, err));
    return printed ? NILAS_OK : nilas_source__print_default(s->stmt, out, field, err);
}

/* ---- columns of files ---- */

static nilas_code print_avro(nilas_buf *out, const nilas_scan_group *group,
                             const nilas_ice_field *field, bool *out_printed) {
    for (size_t i = 0; i + 1 < group->avro_field_count; i++) {
        if (group->avro_fields[i].id == field->id) {
            nilas_buf_print(out, "k%zu", i);
            *out_printed = true;
            return NILAS_OK;
        }
    }
    *out_printed = false;
    return NILAS_OK;
}

/** The column as it stands in the files; nothing printed when they lack it. */
static nilas_code print_stored(nilas_scan_source *s, nilas_buf *out, nilas_scan_group *group,
                               const nilas_ice_field *field, bool *out_printed, nilas_error *err) {
    if (group->is_avro) {
        return print_avro(out, group, field, out_printed);
    }
    size_t index = 0;
    const nilas_parquet_node *node = nilas_source__find_column(s, group, field, &index);
    *out_printed = node != NULL;
    return node == NULL ? NILAS_OK : nilas_source__print_field(s, out, group, field, index, err);
}

/** Whether some file of the group has an identity-partition value for the column. */
static bool has_identity(const nilas_scan_source *s, const nilas_scan_group *group,
                         int32_t field_id) {
    for (size_t i = 0; i < group->tasks.count; i++) {
        if (find_identity(s, group->tasks.items[i], field_id) != NULL) {
            return true;
        }
    }
    return false;
}

nilas_code nilas_source__print_column(nilas_scan_source *s, nilas_buf *out, nilas_scan_group *group,
                                      const nilas_ice_field *field, nilas_error *err) {
    if (field->id >= 2147483000) {
        return print_metadata_column(s, out, group, field, err);
    }
    bool printed = false;
    bool unsure =
        group->is_avro &&
        has_identity(s, group, field->id); // our Avro reader does not tell what a file lacks
    nilas_buf_add_text(out, unsure ? "coalesce(" : "");
    NILAS_TRY(print_stored(s, out, group, field, &printed, err));
    if (printed && !unsure) {
        return NILAS_OK;
    }
    nilas_buf_add_text(out, unsure ? ", " : "");
    NILAS_TRY(print_missing(s, out, group, field, err));
    nilas_buf_add_text(out, unsure ? ")" : "");
    return NILAS_OK;
}

/* ---- readers ---- */

nilas_code nilas_source__print_read_parquet(nilas_arena *arena, nilas_buf *out,
                                            const nilas_str *locations, size_t count,
                                            const nilas_parquet_schema *schema, nilas_error *err) {
    nilas_assert(count > 0);
    nilas_buf_add_text(out, "read_parquet([");
    for (size_t i = 0; i < count; i++) {
        nilas_str path;
        NILAS_TRY(nilas_io_local_path(arena, locations[i], &path, err));
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        nilas_render__path(out, path);
    }
    // directories are only names; and bounds of floats do not tell of NaN, which is greater than
    // all
    nilas_buf_add_text(out,
                       "], hive_partitioning = false, union_by_name = false, can_have_nan = true)");
    if (schema == NULL || schema->root.child_count == 0) {
        return NILAS_OK;
    }
    nilas_buf_add_text(out, " AS p(");
    for (size_t i = 0; i < schema->root.child_count; i++) {
        nilas_buf_print(out, "%sk%zu", i > 0 ? ", " : "", i);
    }
    nilas_buf_add_char(out, ')');
    return NILAS_OK;
}

static nilas_code open_avro_part(void *context, size_t part, nilas_arena *arena, nilas_rows **out,
                                 nilas_error *err) {
    const nilas_scan_group *group = context;
    return nilas_scan_avro_rows(arena, group->table, group->tasks.items[part]->file.file_path,
                                group->avro_fields, group->avro_field_count, out, err);
}

nilas_code nilas_source__open_avro(nilas_scan_source *s, nilas_scan_group *group,
                                   const nilas_ice_field *const *fields, size_t count,
                                   nilas_error *err) {
    if (!group->is_avro) {
        return NILAS_OK;
    }
    NILAS_NEW_ARRAY(s->stmt, &group->avro_fields, count + 1, err);
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_computed =
            fields[i]->id >= NILAS_FIELD_PARTITION; // _partition, _spec_id, _deleted, _pos, _file
        if (!is_computed) {
            group->avro_fields[used++] = *fields[i];
        }
    }
    group->avro_fields[used++] = (nilas_ice_field){.id = NILAS_FIELD_POS,
                                                   .required = true,
                                                   .name = NILAS_STR("_pos"),
                                                   .type = nilas_ice_primitive(NILAS_ICE_LONG)};
    group->avro_field_count = used;
    nilas_ice_type *type;
    NILAS_NEW(s->stmt, &type, err);
    *type = (nilas_ice_type){
        .kind = NILAS_ICE_STRUCT, .fields = group->avro_fields, .field_count = used};
    group->rows = (nilas_rows_source){.type = type,
                                      .has_position = true,
                                      .part_count = group->tasks.count,
                                      .row_count_hint = -1,
                                      .open = open_avro_part,
                                      .context = group};
    return nilas_rows_source__init(s->stmt, &group->rows, err);
}

nilas_code nilas_source__print_reader(nilas_scan_source *s, nilas_buf *out, nilas_scan_group *group,
                                      nilas_error *err) {
    if (group->is_avro) {
        int32_t number = 0;
        NILAS_TRY(nilas_job__register(s->r->job, NILAS_REGISTRY_ROWS, &group->rows, &number, err));
        nilas_buf_print(out, "nilas_rows(%d)", number);
        return NILAS_OK;
    }
    nilas_str *locations;
    NILAS_NEW_ARRAY(s->stmt, &locations, group->tasks.count, err);
    for (size_t i = 0; i < group->tasks.count; i++) {
        locations[i] = group->tasks.items[i]->file.file_path;
    }
    return nilas_source__print_read_parquet(s->stmt, out, locations, group->tasks.count,
                                            &group->schema, err);
}
