/* Copy-on-write: the rows of changed files that stay, read again with the deletes that apply. */
#include "engine/change.h"

#define FIRST_ATTRIBUTE 1 // of a query of its own: no other attribute is in it

/** Files of which some row stays; of one without deletes the counts tell. */
static nilas_code find_tasks(const nilas_change_run *run, nilas_scan_plan *out, nilas_error *err) {
    NILAS_NEW_ARRAY(run->stmt, &out->tasks, run->files.count, err);
    for (size_t i = 0; i < run->files.count; i++) {
        const nilas_changed_file *file = run->files.items[i];
        bool all = file->task->delete_count == 0 &&
                   file->dropped == file->task->file.record_count;
        if (!all) {
            out->tasks[out->task_count++] = *file->task;
        }
    }
    return NILAS_OK;
}

/** The deletes of the plan that the tasks come from: tasks point into its array. */
static void find_deletes(const nilas_change_run *run, nilas_scan_plan *out) {
    for (size_t i = 0; i < run->render.scans.count; i++) {
        const nilas_scan_plan *files = run->render.scans.items[i]->files;
        for (size_t t = 0; t < out->task_count; t++) {
            const nilas_scan_task *task = &out->tasks[t];
            bool is_of = task->delete_count > 0 && task->deletes[0] >= files->deletes &&
                         task->deletes[0] < files->deletes + files->delete_count;
            if (is_of) {
                out->deletes = files->deletes;
                out->delete_count = files->delete_count;
                return;
            }
        }
    }
}

typedef struct scan_maker {
    nilas_plan *plan;
    nilas_arena *stmt;
} scan_maker;

static nilas_code add_output(scan_maker *maker, const nilas_ice_field *field, nilas_error *err) {
    nilas_plan *plan = maker->plan;
    size_t at = plan->output_count++;
    const nilas_type *type;

    NILAS_TRY(nilas_bind_ice_type(maker->stmt, field->type, &type, err));
    plan->scan->columns[at] = (nilas_scan_column){.field = field};
    plan->scan->column_count = plan->output_count;
    plan->outputs[at] = (nilas_attribute){
        .id = FIRST_ATTRIBUTE + (int32_t)at, .name = field->name, .type = type, .nullable = true};
    return NILAS_OK;
}

static nilas_code add_hidden(scan_maker *maker, int32_t id, const char *name, nilas_ice_kind kind,
                             nilas_error *err) {
    nilas_ice_field *field;

    NILAS_NEW(maker->stmt, &field, err);
    *field = (nilas_ice_field){
        .id = id, .name = nilas_str_of(name), .type = nilas_ice_primitive(kind)};
    return add_output(maker, field, err);
}

/** A scan of the schema's columns, row lineage when it is written, _file and _pos. */
static nilas_code make_scan(const nilas_change_run *run, nilas_plan **out, nilas_error *err) {
    const nilas_schema *schema = run->options.schema;
    scan_maker maker = {.stmt = run->stmt};
    nilas_bound_scan *scan;

    NILAS_NEW(run->stmt, &maker.plan, err);
    NILAS_NEW(run->stmt, &scan, err);
    NILAS_NEW_ARRAY(run->stmt, &scan->columns, run->column_count + 4, err);
    NILAS_NEW_ARRAY(run->stmt, &maker.plan->outputs, run->column_count + 4, err);
    maker.plan->kind = NILAS_PLAN_SCAN;
    maker.plan->scan = scan;
    scan->table = run->change->target.table;
    scan->snapshot = run->change->target.snapshot;
    scan->schema = schema;
    for (size_t i = 0; i < run->column_count; i++) {
        NILAS_TRY(add_output(&maker, &schema->type.fields[i], err));
    }
    if (run->options.with_lineage) {
        NILAS_TRY(add_hidden(&maker, NILAS_FIELD_ROW_ID, "_row_id", NILAS_ICE_LONG, err));
        NILAS_TRY(add_hidden(&maker, NILAS_FIELD_LAST_UPDATED_SEQUENCE_NUMBER,
                             "_last_updated_sequence_number", NILAS_ICE_LONG, err));
    }
    NILAS_TRY(add_hidden(&maker, NILAS_FIELD_FILE, "_file", NILAS_ICE_STRING, err));
    NILAS_TRY(add_hidden(&maker, NILAS_FIELD_POS, "_pos", NILAS_ICE_LONG, err));
    *out = maker.plan;
    return NILAS_OK;
}

nilas_code nilas_change__rows_that_stay(nilas_change_run *run, nilas_str *out, nilas_error *err) {
    nilas_scan_plan *files;
    nilas_plan *plan;
    nilas_str query;

    NILAS_NEW(run->stmt, &files, err);
    NILAS_TRY(find_tasks(run, files, err));
    if (files->task_count == 0) {
        return NILAS_OK;
    }
    find_deletes(run, files);
    NILAS_TRY(make_scan(run, &plan, err));
    nilas_render render = {
        .job = run->job, .stmt = run->stmt, .planned = plan->scan, .planned_files = files};
    NILAS_TRY(nilas_engine__print_query(&render, plan, &query, err));
    NILAS_AUTO_BUF sql = NILAS_BUF_INIT(0);
    size_t width = plan->output_count - 2;
    nilas_buf_add_text(&sql, "SELECT ");
    for (size_t i = 0; i < width; i++) {
        nilas_buf_print(&sql, "%ss.c%d AS w%zu", i > 0 ? ", " : "", plan->outputs[i].id, i);
    }
    nilas_buf_add_text(&sql, " FROM (");
    nilas_buf_add(&sql, query);
    nilas_buf_print(&sql,
                    ") AS s ANTI JOIN (SELECT c%d AS f, c%d AS p FROM " NILAS_CHANGE_TABLE
                    " WHERE c%d IN " NILAS_CHANGE_DROPS ") AS d ON s.c%d = d.f AND s.c%d = d.p",
                    nilas_change__column(run, 1), nilas_change__column(run, 2),
                    nilas_change__column(run, 0), plan->outputs[width].id,
                    plan->outputs[width + 1].id);
    return nilas_buf_finish(&sql, run->stmt, out, err);
}
