/*
 * A table scan as SQL: per group of files one SELECT over its reader, rows deleted by position
 * dropped by nilas_deleted(), rows deleted by equality by anti joins; all groups in one UNION ALL.
 */
#include "engine/metadata_sql.h"
#include "engine/scan_source.h"

static nilas_code plan_files(nilas_arena *stmt, const nilas_engine *engine,
                             const nilas_bound_scan *scan, const nilas_scan_options *wishes,
                             nilas_scan_plan **out, nilas_error *err) {
    if (scan->files != NULL) {
        *out = scan->files;
        return NILAS_OK;
    }
    if (scan->metadata_table == NILAS_METADATA_CHANGES) {
        return nilas_scan_changes(stmt, scan->table, scan->from_snapshot_id, scan->to_snapshot_id,
                                  out, err);
    }
    nilas_scan_options options = {
        .snapshot = scan->snapshot,
        .schema = scan->schema,
        .filter = scan->filter,
        .incremental = scan->incremental,
        .from_snapshot_id = scan->from_snapshot_id,
        .to_snapshot_id = scan->to_snapshot_id,
        .row_limit = wishes->row_limit,
        .with_stats = wishes->with_stats,
        .worker_count = engine->options.worker_count,
        .cancel = engine->options.cancel,
    };
    return nilas_scan_plan_new(stmt, scan->table, &options, out, err);
}

nilas_code nilas_source__plan_files(nilas_arena *stmt, const nilas_engine *engine,
                                    const nilas_bound_scan *scan, bool with_stats,
                                    nilas_scan_plan **out, nilas_error *err) {
    nilas_scan_options wishes = {.with_stats = with_stats};
    return plan_files(stmt, engine, scan, &wishes, out, err);
}

static bool is_deleted_column(const nilas_scan_source *s, size_t output) {
    return s->scan->columns[output].field->id == NILAS_FIELD_DELETED;
}

static nilas_code print_columns(nilas_scan_source *s, nilas_buf *out, nilas_scan_group *group,
                                nilas_error *err) {
    for (size_t i = 0; i < s->plan->output_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        NILAS_TRY(nilas_source__print_column(s, out, group, s->scan->columns[i].field, err));
        nilas_buf_print(out, " AS c%d", s->plan->outputs[i].id);
    }
    if (s->plan->output_count == 0) {
        nilas_buf_add_text(out, "NULL AS \"_\"");
    }
    return NILAS_OK;
}

/** What the joins with equality deletes compare. */
static nilas_code print_key_columns(nilas_scan_source *s, nilas_buf *out, nilas_scan_group *group,
                                    nilas_error *err) {
    for (size_t i = 0; i < s->keys.count; i++) {
        nilas_buf_add_text(out, ", ");
        NILAS_TRY(nilas_source__print_column(s, out, group, s->keys.items[i], err));
        nilas_buf_print(out, " AS q%d", s->keys.items[i]->id);
    }
    nilas_buf_print(out, ", nilas_file_number(%d, %d, file_index) AS sq", group->number,
                    NILAS_SLOT_SEQUENCE_NUMBER);
    nilas_buf_print(out, ", nilas_file_number(%d, %d, file_index) AS scope", group->number,
                    NILAS_SLOT_SCOPE);
    return NILAS_OK;
}

/** "SELECT … FROM reader [WHERE not deleted]". */
static nilas_code print_select(nilas_scan_source *s, nilas_buf *out, nilas_scan_group *group,
                               nilas_error *err) {
    nilas_buf_add_text(out, "SELECT ");
    NILAS_TRY(print_columns(s, out, group, err));
    if (group->has_equality_deletes) {
        NILAS_TRY(print_key_columns(s, out, group, err));
    }
    nilas_buf_add_text(out, " FROM ");
    NILAS_TRY(nilas_source__print_reader(s, out, group, err));
    if (group->deleted != NULL && !s->scan->with_deleted) {
        nilas_buf_print(out, " WHERE NOT nilas_deleted(%d, file_index, file_row_number)",
                        group->number);
    }
    return NILAS_OK;
}

/** Outputs above the joins: a row is marked deleted when some join met it. */
static void print_joined_outputs(nilas_scan_source *s, nilas_buf *out) {
    for (size_t i = 0; i < s->plan->output_count; i++) {
        int32_t id = s->plan->outputs[i].id;
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        if (!s->scan->with_deleted || !is_deleted_column(s, i)) {
            nilas_buf_print(out, "s.c%d", id);
            continue;
        }
        nilas_buf_print(out, "(s.c%d", id);
        for (size_t e = 0; e < s->equality.count; e++) {
            nilas_buf_print(out, " OR e%d.sq IS NOT NULL", s->equality.items[e]->number);
        }
        nilas_buf_print(out, ") AS c%d", id);
    }
    if (s->plan->output_count == 0) {
        nilas_buf_add_text(out, "NULL AS \"_\"");
    }
}

static nilas_code print_group(nilas_scan_source *s, nilas_buf *out, nilas_scan_group *group,
                              nilas_error *err) {
    size_t count = s->plan->output_count + (group->has_equality_deletes ? s->keys.count : 0);
    const nilas_ice_field **fields;
    NILAS_NEW_ARRAY(s->stmt, &fields, count, err);
    for (size_t i = 0; i < count; i++) {
        fields[i] = i < s->plan->output_count ? s->scan->columns[i].field
                                              : s->keys.items[i - s->plan->output_count];
    }
    NILAS_TRY(nilas_source__open_avro(s, group, fields, count, err));
    if (!group->has_equality_deletes) {
        return print_select(s, out, group, err);
    }
    nilas_buf_add_text(out, "SELECT ");
    print_joined_outputs(s, out);
    nilas_buf_add_text(out, " FROM (");
    NILAS_TRY(print_select(s, out, group, err));
    nilas_buf_add_text(out, ") AS s");
    return nilas_source__print_equality_joins(s, out, s->scan->with_deleted, err);
}

/** How many of the first tasks surely have so many rows. Rows of files with deletes are not
 * counted. */
static size_t tasks_for(const nilas_scan_plan *files, int64_t row_count) {
    size_t count = 0;
    for (int64_t rows = 0; count < files->task_count && rows < row_count; count++) {
        const nilas_scan_task *task = &files->tasks[count];
        int64_t of_task = task->delete_count == 0 ? task->file.record_count : 0;
        rows += of_task > 0 && of_task < row_count - rows ? of_task : of_task > 0 ? row_count : 0;
    }
    return count > 0 ? count : 1;
}

static nilas_code render_table(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                               nilas_error *err) {
    nilas_scan_source *s;
    NILAS_NEW(r->stmt, &s, err);
    *s = (nilas_scan_source){
        .r = r, .stmt = r->stmt, .plan = plan, .scan = plan->scan, .table = plan->scan->table};
    if (r->planned == plan->scan) {
        s->files = r->planned_files;
    } else {
        nilas_scan_options wishes = {.row_limit = r->limited == s->scan ? r->limited_to : 0};
        NILAS_TRY(plan_files(r->stmt, r->job->engine, plan->scan, &wishes, &s->files, err));
    }
    NILAS_PUSH(r->stmt, &r->scans, s, err);
    if (s->files->task_count == 0) {
        nilas_render__no_rows(out, plan);
        return NILAS_OK;
    }
    NILAS_TRY(nilas_metadata_name_mapping(r->stmt, s->table->metadata, &s->mapping, err));
    size_t task_count =
        r->limited == s->scan ? tasks_for(s->files, r->limited_to) : s->files->task_count;
    NILAS_TRY(nilas_source__group_tasks(s, s->files->tasks, task_count, &s->groups, err));
    NILAS_TRY(nilas_source__load_deletes(s, err));
    NILAS_TRY(nilas_source__plan_equality(s, err));
    NILAS_TRY(nilas_source__print_equality_tables(s, out, err));
    for (size_t i = 0; i < s->groups.count; i++) {
        nilas_buf_add_text(out, i > 0 ? " UNION ALL " : "");
        NILAS_TRY(print_group(s, out, s->groups.items[i], err));
    }
    return NILAS_OK;
}

nilas_code nilas_render__scan(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                              nilas_error *err) {
    nilas_assert(plan->scan != NULL && plan->scan->column_count == plan->output_count);
    if (plan->scan->metadata_table == NILAS_METADATA_POSITION_DELETES) {
        return nilas_render__position_deletes(r, out, plan, err);
    }
    if (plan->scan->metadata_table != NILAS_METADATA_NONE &&
        plan->scan->metadata_table != NILAS_METADATA_CHANGES) {
        return nilas_render__metadata_table(r, out, plan, err);
    }
    return render_table(r, out, plan, err);
}
