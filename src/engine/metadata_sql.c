/*
 * Metadata tables: rows made by the scan room, handed to DuckDB; position_deletes reads the delete
 * files as a scan reads data files.
 */
#include "engine/metadata_sql.h"

#include <stdlib.h>

#include "engine/cast.h"
#include "engine/scan_source.h"

/* ---- tables whose rows come from metadata ---- */

typedef struct metadata_rows {
    nilas_rows_source source;
    const nilas_bound_scan *scan;
    bool *wanted; // per column of the whole table
} metadata_rows;

static nilas_code open_metadata(void *context, size_t part, nilas_arena *arena, nilas_rows **out,
                                nilas_error *err) {
    const metadata_rows *rows = context;
    nilas_assert(part == 0);
    return nilas_metadata_table_rows(arena, rows->scan->table, rows->scan->metadata_table,
                                     rows->scan->snapshot, rows->wanted, out, err);
}

static size_t find_member(const nilas_ice_type *type, const nilas_ice_field *field) {
    for (size_t i = 0; i < type->field_count; i++) {
        if (type->fields[i].id == field->id && nilas_str_equal(type->fields[i].name, field->name)) {
            return i;
        }
    }
    return SIZE_MAX;
}

nilas_code nilas_render__metadata_table(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                                        nilas_error *err) {
    const nilas_bound_scan *scan = plan->scan;
    metadata_rows *rows;
    NILAS_NEW(r->stmt, &rows, err);
    const nilas_ice_type *type;
    NILAS_TRY(nilas_metadata_table_type(r->stmt, scan->table, scan->metadata_table, &type, err));
    rows->scan = scan;
    NILAS_NEW_ARRAY(r->stmt, &rows->wanted, type->field_count, err);
    nilas_buf_add_text(out, "SELECT ");
    for (size_t i = 0; i < plan->output_count; i++) {
        size_t member = find_member(type, scan->columns[i].field);
        NILAS_REQUIRE(member != SIZE_MAX, err, NILAS_ENGINE, "metadata table %s has no column %.*s",
                      nilas_metadata_table_name(scan->metadata_table),
                      NILAS_FMT(scan->columns[i].field->name));
        rows->wanted[member] = true;
        nilas_buf_print(out, "%sk%zu AS c%d", i > 0 ? ", " : "", member, plan->outputs[i].id);
    }
    rows->source = (nilas_rows_source){.type = type,
                                       .part_count = 1,
                                       .row_count_hint = -1,
                                       .open = open_metadata,
                                       .context = rows};
    NILAS_TRY(nilas_rows_source__init(r->stmt, &rows->source, err));
    int32_t number = 0;
    NILAS_TRY(nilas_job__register(r->job, NILAS_REGISTRY_ROWS, &rows->source, &number, err));
    nilas_buf_print(out, "%s FROM nilas_rows(%d)", plan->output_count == 0 ? "NULL AS \"_\"" : "",
                    number);
    return NILAS_OK;
}

/* ---- position_deletes ---- */

/** Deletion vectors as rows: referenced file and position; positions of one vector at a time. */
typedef struct vector_rows {
    nilas_rows rows;
    int64_t *positions;
    size_t count, next;
    nilas_value items[2];
    nilas_value row;
} vector_rows;

typedef struct vector_source {
    nilas_rows_source source;
    const nilas_table *table;
    NILAS_ARRAY_OF(const nilas_delete_file *) files;
    nilas_scan_group *group;
} vector_source;

static nilas_code next_position(nilas_rows *base, nilas_arena *scratch, const nilas_value **out_row,
                                nilas_error *err) {
    (void)scratch;
    (void)err;
    vector_rows *rows = (vector_rows *)base->state;
    *out_row = NULL;
    if (rows->next < rows->count) {
        rows->items[1] = nilas_value_of_int(rows->positions[rows->next++]);
        *out_row = &rows->row;
    }
    return NILAS_OK;
}

static bool keep_position(void *context, uint64_t position) {
    vector_rows *rows = context;
    rows->positions[rows->next++] = (int64_t)position;
    return true;
}

static nilas_code open_vector(void *context, size_t part, nilas_arena *arena, nilas_rows **out,
                              nilas_error *err) {
    const vector_source *source = context;
    const nilas_delete_file *file = source->files.items[part];
    NILAS_AUTO(nilas_bitmap) bitmap = NULL;
    NILAS_TRY(nilas_scan_load_deletion_vector(source->table, file, &bitmap, err));
    vector_rows *rows;
    NILAS_NEW(arena, &rows, err);
    rows->count = (size_t)nilas_bitmap_count(bitmap);
    NILAS_NEW_ARRAY(arena, &rows->positions, rows->count, err);
    nilas_bitmap_each(bitmap, keep_position, rows);
    rows->next = 0;
    rows->items[0] = nilas_value_of_str(file->file.referenced_data_file);
    rows->row = (nilas_value){.kind = NILAS_VALUE_STRUCT, .items = rows->items, .count = 2};
    rows->rows = (nilas_rows){
        .type = source->source.type, .row_count_hint = -1, .next = next_position, .state = rows};
    *out = &rows->rows;
    return NILAS_OK;
}

static const nilas_ice_field position_fields[2] = {
    {.id = NILAS_FIELD_DELETE_FILE_PATH, .required = true, .name = {"file_path", 9}},
    {.id = NILAS_FIELD_DELETE_FILE_POS, .required = true, .name = {"pos", 3}},
};

/** The two columns that every position-delete file has. */
static nilas_code make_position_fields(nilas_arena *arena, nilas_ice_field **out,
                                       nilas_error *err) {
    NILAS_NEW_ARRAY(arena, out, 2, err);
    memcpy(*out, position_fields, sizeof(position_fields));
    (*out)[0].type = nilas_ice_primitive(NILAS_ICE_STRING);
    (*out)[1].type = nilas_ice_primitive(NILAS_ICE_LONG);
    return NILAS_OK;
}

/** A number of the delete file itself: where its vector lies. */
static nilas_code print_content_number(nilas_scan_source *s, nilas_buf *out,
                                       nilas_scan_group *group, bool is_offset, nilas_error *err) {
    int32_t slot = group->slot_count++;
    NILAS_TRY(nilas_source__make_slot(s->stmt, group, slot, err));
    for (size_t i = 0; i < group->tasks.count; i++) {
        const nilas_data_file *file = &group->tasks.items[i]->file;
        int64_t number = is_offset ? file->content_offset : file->content_size_in_bytes;
        group->slots[slot][i] = number >= 0 ? number : NILAS_SLOT_NULL;
    }
    nilas_buf_print(out, "nilas_file_number(%d, %d, file_index)", group->number, slot);
    return NILAS_OK;
}

static nilas_code print_position_column(nilas_scan_source *s, nilas_buf *out,
                                        nilas_scan_group *group, bool is_vector,
                                        const nilas_ice_field *column, nilas_error *err) {
    nilas_ice_field field = *column;
    if (nilas_str_is(column->name, "delete_file_path")) {
        nilas_buf_print(out, "nilas_file_path(%d, file_index)", group->number);
        return NILAS_OK;
    }
    if (nilas_str_is(column->name, "content_offset") ||
        nilas_str_is(column->name, "content_size_in_bytes")) {
        return print_content_number(s, out, group, nilas_str_is(column->name, "content_offset"),
                                    err);
    }
    if (nilas_str_is(column->name, "spec_id") || nilas_str_is(column->name, "partition")) {
        field.id =
            nilas_str_is(column->name, "spec_id") ? NILAS_FIELD_SPEC_ID : NILAS_FIELD_PARTITION;
        return nilas_source__print_column(s, out, group, &field, err);
    }
    if (is_vector) {
        bool is_path = nilas_str_is(column->name, "file_path");
        if (is_path || nilas_str_is(column->name, "pos")) {
            nilas_buf_add_text(out, is_path ? "k0" : "file_row_number");
            return NILAS_OK;
        }
        return nilas_source__print_default(s->stmt, out, column, err);
    }
    field.id = nilas_str_is(column->name, "file_path") ? NILAS_FIELD_DELETE_FILE_PATH
               : nilas_str_is(column->name, "pos")     ? NILAS_FIELD_DELETE_FILE_POS
                                                       : NILAS_FIELD_DELETE_FILE_ROW;
    return nilas_source__print_column(s, out, group, &field, err);
}

static nilas_code print_position_columns(nilas_scan_source *s, nilas_buf *out,
                                         nilas_scan_group *group, bool is_vector,
                                         nilas_error *err) {
    nilas_buf_add_text(out, "SELECT ");
    for (size_t i = 0; i < s->plan->output_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        NILAS_TRY(print_position_column(s, out, group, is_vector, s->scan->columns[i].field, err));
        nilas_buf_print(out, " AS c%d", s->plan->outputs[i].id);
    }
    nilas_buf_add_text(out, s->plan->output_count == 0 ? "NULL AS \"_\" FROM " : " FROM ");
    return NILAS_OK;
}

static nilas_code print_file_groups(nilas_scan_source *s, nilas_buf *out,
                                    const nilas_scan_task *tasks, size_t count, nilas_error *err) {
    nilas_ice_field *fields;
    NILAS_TRY(make_position_fields(s->stmt, &fields, err));
    const nilas_ice_field *wanted[2] = {&fields[0], &fields[1]};
    NILAS_TRY(nilas_source__group_tasks(s, tasks, count, &s->groups, err));
    for (size_t i = 0; i < s->groups.count; i++) {
        nilas_scan_group *group = s->groups.items[i];
        nilas_buf_add_text(out, i > 0 ? " UNION ALL " : "");
        NILAS_TRY(nilas_source__open_avro(s, group, wanted, 2, err));
        NILAS_TRY(print_position_columns(s, out, group, false, err));
        NILAS_TRY(nilas_source__print_reader(s, out, group, err));
    }
    return NILAS_OK;
}

static nilas_code print_vectors(nilas_scan_source *s, nilas_buf *out, vector_source *vectors,
                                nilas_scan_task *tasks, nilas_error *err) {
    nilas_ice_type *type;
    nilas_scan_group *group;
    NILAS_NEW(s->stmt, &type, err);
    NILAS_NEW(s->stmt, &group, err);
    type->kind = NILAS_ICE_STRUCT;
    type->field_count = 2;
    NILAS_TRY(make_position_fields(s->stmt, &type->fields, err));
    *group =
        (nilas_scan_group){.is_avro = true, .slot_count = NILAS_SLOT_FIRST_FREE, .table = s->table};
    for (size_t i = 0; i < vectors->files.count; i++) {
        NILAS_PUSH(s->stmt, &group->tasks, &tasks[i], err);
    }
    NILAS_TRY(nilas_job__register(s->r->job, NILAS_REGISTRY_SCAN, group, &group->number, err));
    vectors->table = s->table;
    vectors->source = (nilas_rows_source){.type = type,
                                          .has_position = true,
                                          .part_count = vectors->files.count,
                                          .row_count_hint = -1,
                                          .open = open_vector,
                                          .context = vectors};
    NILAS_TRY(nilas_rows_source__init(s->stmt, &vectors->source, err));
    int32_t number = 0;
    NILAS_TRY(nilas_job__register(s->r->job, NILAS_REGISTRY_ROWS, &vectors->source, &number, err));
    NILAS_TRY(print_position_columns(s, out, group, true, err));
    nilas_buf_print(out, "nilas_rows(%d)", number);
    return NILAS_OK;
}

nilas_code nilas_render__position_deletes(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                                          nilas_error *err) {
    nilas_scan_source *s;
    vector_source *vectors;
    nilas_delete_file *files = NULL;
    size_t count = 0;
    NILAS_NEW(r->stmt, &s, err);
    NILAS_NEW(r->stmt, &vectors, err);
    *s = (nilas_scan_source){
        .r = r, .stmt = r->stmt, .plan = plan, .scan = plan->scan, .table = plan->scan->table};
    NILAS_TRY(
        nilas_scan_position_deletes(r->stmt, s->table, plan->scan->snapshot, &files, &count, err));
    nilas_scan_task *file_tasks;
    nilas_scan_task *vector_tasks;
    size_t file_count = 0;
    NILAS_NEW_ARRAY(r->stmt, &file_tasks, count, err);
    NILAS_NEW_ARRAY(r->stmt, &vector_tasks, count, err);
    for (size_t i = 0; i < count; i++) {
        if (nilas_str_is(files[i].file.file_format, "PUFFIN")) {
            vector_tasks[vectors->files.count].file = files[i].file;
            NILAS_PUSH(r->stmt, &vectors->files, &files[i], err);
        } else {
            file_tasks[file_count++].file = files[i].file;
        }
    }
    nilas_buf_add_text(out, "SELECT * FROM (");
    NILAS_TRY(print_file_groups(s, out, file_tasks, file_count, err));
    if (vectors->files.count > 0) {
        nilas_buf_add_text(out, file_count > 0 ? " UNION ALL " : "");
        NILAS_TRY(print_vectors(s, out, vectors, vector_tasks, err));
    }
    if (count == 0) {
        nilas_render__no_rows(out, plan);
    }
    nilas_buf_print(out, ") AS t%d", nilas_render__number(r));
    return NILAS_OK;
}
