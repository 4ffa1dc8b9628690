/*
 * Equality deletes as anti joins.
 *
 * Delete files of one set of columns make one table e<n>: the key columns q<id>, the scope (the
 * partition a delete is for) and the greatest sequence number of each key. A row is deleted when
 * its key is there, null equal to null, with a greater sequence number than its file's, in its
 * partition. Deletes of an unpartitioned spec have no scope and make a table of their own, so that
 * every join is a hash join.
 */
#include "engine/scan_source.h"

#include <stdlib.h>

/** A partition that has equality deletes of its own. */
typedef struct delete_scope delete_scope;
struct delete_scope {
    int32_t spec_id;
    const nilas_value *partition;
    int64_t number;
    delete_scope *next; // of equal hash
};

static int compare_ids(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a;
    int32_t y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static bool is_global(const nilas_scan_source *s, const nilas_delete_file *file) {
    const nilas_partition_spec *spec = nilas_metadata_spec(s->table->metadata, file->file.spec_id);
    for (size_t i = 0; spec != NULL && i < spec->field_count; i++) {
        if (spec->fields[i].transform.kind != NILAS_TRANSFORM_VOID) {
            return false;
        }
    }
    return spec != NULL;
}

/* ---- scopes ---- */

static int64_t scope_hash(int32_t spec_id, const nilas_value *partition) {
    return (int64_t)(nilas_value_hash(partition) * 31 + (uint64_t)spec_id);
}

static delete_scope *find_scope(const nilas_scan_source *s, int32_t spec_id,
                                const nilas_value *partition) {
    delete_scope *scope = nilas_map_find_int(&s->scopes, scope_hash(spec_id, partition));
    while (scope != NULL &&
           (scope->spec_id != spec_id || !nilas_value_equal(scope->partition, partition))) {
        scope = scope->next;
    }
    return scope;
}

static nilas_code add_scope(nilas_scan_source *s, const nilas_delete_file *file, nilas_error *err) {
    if (find_scope(s, file->file.spec_id, &file->file.partition) != NULL) {
        return NILAS_OK;
    }
    int64_t hash = scope_hash(file->file.spec_id, &file->file.partition);
    delete_scope *scope;
    NILAS_NEW(s->stmt, &scope, err);
    *scope = (delete_scope){.spec_id = file->file.spec_id,
                            .partition = &file->file.partition,
                            .number = s->scope_count++,
                            .next = nilas_map_find_int(&s->scopes, hash)};
    return nilas_map_put_int(&s->scopes, hash, scope, err);
}

/* ---- sets of columns ---- */

static bool same_ids(const nilas_equality_set *set, const int32_t *ids, size_t count) {
    return set->field_count == count && memcmp(set->field_ids, ids, count * sizeof(*ids)) == 0;
}

static nilas_code add_to_set(nilas_scan_source *s, const nilas_delete_file *file,
                             nilas_error *err) {
    size_t count = file->file.equality_id_count;
    NILAS_REQUIRE(count > 0, err, NILAS_CORRUPT, "equality delete file \"%.*s\" names no columns",
                  NILAS_FMT(file->file.file_path));
    int32_t *ids;
    NILAS_NEW_ARRAY(s->stmt, &ids, count, err);
    memcpy(ids, file->file.equality_ids, count * sizeof(*ids));
    qsort(ids, count, sizeof(*ids), compare_ids);
    bool global = is_global(s, file);
    nilas_equality_set *set = NULL;
    for (size_t i = 0; i < s->equality.count && set == NULL; i++) {
        nilas_equality_set *candidate = s->equality.items[i];
        set = candidate->is_global == global && same_ids(candidate, ids, count) ? candidate : NULL;
    }
    if (set == NULL) {
        NILAS_NEW(s->stmt, &set, err);
        *set = (nilas_equality_set){.number = nilas_render__number(s->r),
                                    .field_ids = ids,
                                    .field_count = count,
                                    .is_global = global};
        NILAS_PUSH(s->stmt, &s->equality, set, err);
    }
    NILAS_PUSH(s->stmt, &set->files, file, err);
    return global ? NILAS_OK : add_scope(s, file, err);
}

static bool is_top_level(const nilas_scan_source *s, const nilas_ice_field *field) {
    const nilas_metadata *metadata = s->table->metadata;
    for (size_t i = 0; i < metadata->schema_count; i++) {
        for (size_t f = 0; f < metadata->schemas[i]->type.field_count; f++) {
            if (metadata->schemas[i]->type.fields[f].id == field->id) {
                return true;
            }
        }
    }
    return false;
}

static nilas_code add_key(nilas_scan_source *s, int32_t field_id, nilas_error *err) {
    for (size_t i = 0; i < s->keys.count; i++) {
        if (s->keys.items[i]->id == field_id) {
            return NILAS_OK;
        }
    }
    const nilas_ice_field *field = nilas_source__find_field(s, field_id);
    NILAS_REQUIRE(field != NULL, err, NILAS_CORRUPT,
                  "an equality delete file names column id %d, which no schema has", field_id);
    NILAS_REQUIRE(is_top_level(s, field), err, NILAS_UNSUPPORTED,
                  "equality deletes by the nested column \"%.*s\" are not supported",
                  NILAS_FMT(field->name));
    NILAS_PUSH(s->stmt, &s->keys, field, err);
    return NILAS_OK;
}

/** Sequence number and scope of each file of a group that equality deletes concern. */
static nilas_code fill_slots(nilas_scan_source *s, nilas_scan_group *group, nilas_error *err) {
    NILAS_TRY(nilas_source__make_slot(s->stmt, group, NILAS_SLOT_SEQUENCE_NUMBER, err));
    NILAS_TRY(nilas_source__make_slot(s->stmt, group, NILAS_SLOT_SCOPE, err));
    for (size_t i = 0; i < group->tasks.count; i++) {
        const nilas_scan_task *task = group->tasks.items[i];
        const delete_scope *scope = find_scope(s, task->file.spec_id, &task->file.partition);
        group->slots[NILAS_SLOT_SEQUENCE_NUMBER][i] = task->sequence_number;
        group->slots[NILAS_SLOT_SCOPE][i] = scope != NULL ? scope->number : NILAS_SLOT_NULL;
    }
    return NILAS_OK;
}

nilas_code nilas_source__plan_equality(nilas_scan_source *s, nilas_error *err) {
    nilas_map_init(&s->scopes, s->stmt, false);
    for (size_t i = 0; i < s->files->delete_count; i++) {
        const nilas_delete_file *file = &s->files->deletes[i];
        if (file->file.content != NILAS_FILE_EQUALITY_DELETES) {
            continue;
        }
        NILAS_TRY(add_to_set(s, file, err));
        for (size_t k = 0; k < file->file.equality_id_count; k++) {
            NILAS_TRY(add_key(s, file->file.equality_ids[k], err));
        }
    }
    for (size_t i = 0; i < s->groups.count; i++) {
        if (s->groups.items[i]->has_equality_deletes) {
            NILAS_TRY(fill_slots(s, s->groups.items[i], err));
        }
    }
    return NILAS_OK;
}

/* ---- SQL ---- */

static const nilas_ice_field *key_field(const nilas_scan_source *s, int32_t field_id) {
    for (size_t i = 0; i < s->keys.count; i++) {
        if (s->keys.items[i]->id == field_id) {
            return s->keys.items[i];
        }
    }
    nilas_assert_failed("a key column that was planned", __FILE__, __LINE__);
}

/** "SELECT k0 AS q1, …, sq, scope FROM read_parquet(…)": delete files of one schema. */
static nilas_code print_branch(nilas_scan_source *s, nilas_buf *out, const nilas_equality_set *set,
                               nilas_scan_group *group, nilas_error *err) {
    const nilas_ice_field **fields;
    NILAS_NEW_ARRAY(s->stmt, &fields, set->field_count, err);
    for (size_t i = 0; i < set->field_count; i++) {
        fields[i] = key_field(s, set->field_ids[i]);
    }
    NILAS_TRY(nilas_source__open_avro(s, group, fields, set->field_count, err));
    NILAS_TRY(fill_slots(s, group, err));
    nilas_buf_add_text(out, "SELECT ");
    for (size_t i = 0; i < set->field_count; i++) {
        NILAS_TRY(nilas_source__print_column(s, out, group, fields[i], err));
        nilas_buf_print(out, " AS q%d, ", set->field_ids[i]);
    }
    nilas_buf_print(out, "nilas_file_number(%d, %d, file_index) AS sq, ", group->number,
                    NILAS_SLOT_SEQUENCE_NUMBER);
    nilas_buf_print(out, "nilas_file_number(%d, %d, file_index) AS scope FROM ", group->number,
                    NILAS_SLOT_SCOPE);
    return nilas_source__print_reader(s, out, group, err);
}

/** Delete files read as if they were data files. */
static nilas_code make_groups(nilas_scan_source *s, const nilas_equality_set *set,
                              nilas_scan_groups *out, nilas_error *err) {
    nilas_scan_task *tasks;
    NILAS_NEW_ARRAY(s->stmt, &tasks, set->files.count, err);
    for (size_t i = 0; i < set->files.count; i++) {
        tasks[i].file = set->files.items[i]->file;
        tasks[i].sequence_number = set->files.items[i]->sequence_number;
    }
    return nilas_source__group_tasks(s, tasks, set->files.count, out, err);
}

static nilas_code print_table(nilas_scan_source *s, nilas_buf *out, const nilas_equality_set *set,
                              nilas_error *err) {
    nilas_scan_groups groups = {0};
    NILAS_TRY(make_groups(s, set, &groups, err));
    nilas_buf_print(out, "e%d AS MATERIALIZED (SELECT ", set->number);
    for (size_t i = 0; i < set->field_count; i++) {
        nilas_buf_print(out, "q%d, ", set->field_ids[i]);
    }
    nilas_buf_add_text(out, "scope, max(sq) AS sq FROM (");
    for (size_t i = 0; i < groups.count; i++) {
        nilas_buf_add_text(out, i > 0 ? " UNION ALL " : "");
        NILAS_TRY(print_branch(s, out, set, groups.items[i], err));
    }
    nilas_buf_print(out, ") AS t%d GROUP BY ALL)", nilas_render__number(s->r));
    return NILAS_OK;
}

nilas_code nilas_source__print_equality_tables(nilas_scan_source *s, nilas_buf *out,
                                               nilas_error *err) {
    for (size_t i = 0; i < s->equality.count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "WITH ");
        NILAS_TRY(print_table(s, out, s->equality.items[i], err));
    }
    nilas_buf_add_text(out, s->equality.count > 0 ? " " : "");
    return NILAS_OK;
}

nilas_code nilas_source__print_equality_joins(nilas_scan_source *s, nilas_buf *out, bool mark,
                                              nilas_error *err) {
    for (size_t i = 0; i < s->equality.count; i++) {
        const nilas_equality_set *set = s->equality.items[i];
        nilas_buf_print(out, " %s JOIN e%d ON ", mark ? "LEFT" : "ANTI", set->number);
        for (size_t k = 0; k < set->field_count; k++) {
            nilas_buf_print(out, "e%d.q%d IS NOT DISTINCT FROM s.q%d AND ", set->number,
                            set->field_ids[k], set->field_ids[k]);
        }
        if (!set->is_global) {
            nilas_buf_print(out, "e%d.scope = s.scope AND ", set->number);
        }
        nilas_buf_print(out, "e%d.sq > s.sq", set->number);
    }
    (void)err;
    return NILAS_OK;
}
