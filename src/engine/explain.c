/*
 * EXPLAIN: the plan, then for each scan what planning did: snapshot, filter, manifests and files
 * dropped by which rule, deletes; with `extended` the DuckDB SQL.
 */
#include "engine/render.h"
#include "engine/scan_source.h"

typedef struct explainer {
    nilas_engine *engine;
    nilas_arena *stmt;
    nilas_buf *out;                  // the text; NULL: only the files are wanted
    nilas_map seen;                  // locations of files, when they are wanted
    NILAS_ARRAY_OF(nilas_str) files; // in the order of the scans
} explainer;

static nilas_code explain_plan(explainer *e, const nilas_plan *plan, nilas_error *err);

static nilas_code add_file(explainer *e, nilas_str location, nilas_error *err) {
    if (nilas_map_find(&e->seen, location) != NULL) {
        return NILAS_OK;
    }
    NILAS_TRY(nilas_map_put(&e->seen, location, e, err));
    NILAS_PUSH(e->stmt, &e->files, location, err);
    return NILAS_OK;
}

static nilas_code add_scan_files(explainer *e, const nilas_bound_scan *scan, nilas_error *err) {
    if (scan->metadata_table != NILAS_METADATA_NONE) {
        return NILAS_OK;
    }
    nilas_scan_plan *files;
    NILAS_TRY(nilas_source__plan_files(e->stmt, e->engine, scan, false, &files, err));
    for (size_t i = 0; i < files->task_count; i++) {
        NILAS_TRY(add_file(e, files->tasks[i].file.file_path, err));
    }
    return NILAS_OK;
}

static void print_counts(nilas_buf *out, const nilas_scan_counts *counts, size_t task_count) {
    nilas_buf_print(out, "  Manifests: %zu of %zu read, %zu dropped by partition summaries\n",
                    counts->manifests_total - counts->manifests_dropped, counts->manifests_total,
                    counts->manifests_dropped);
    nilas_buf_print(out,
                    "  Files: %zu of %zu kept, %zu dropped by partition, %zu dropped by metrics\n",
                    task_count, counts->files_total, counts->files_dropped_by_partition,
                    counts->files_dropped_by_metrics);
    nilas_buf_print(out, "  Rows: %lld, bytes: %lld\n", (long long)counts->rows_total,
                    (long long)counts->bytes_total);
    nilas_buf_print(out, "  Deletes: %zu of %zu delete files applied\n",
                    counts->delete_files_applied, counts->delete_files_total);
}

static nilas_code explain_scan(explainer *e, const nilas_bound_scan *scan, nilas_error *err) {
    nilas_buf_print(e->out, "\nScan %.*s", NILAS_FMT(scan->name));
    if (scan->metadata_table != NILAS_METADATA_NONE) {
        nilas_buf_print(e->out, "\n  Metadata table: %s\n",
                        nilas_metadata_table_name(scan->metadata_table));
        return NILAS_OK;
    }
    if (scan->incremental) {
        nilas_buf_print(e->out, "\n  Snapshots: after %lld up to %lld",
                        (long long)scan->from_snapshot_id, (long long)scan->to_snapshot_id);
    } else if (scan->snapshot != NULL) {
        nilas_buf_print(e->out, "\n  Snapshot: %lld%s", (long long)scan->snapshot->snapshot_id,
                        scan->is_time_travel ? " (time travel)" : "");
    } else {
        nilas_buf_add_text(e->out, "\n  Snapshot: none");
    }
    nilas_buf_print(e->out, "\n  Schema: %d\n  Pushed filter: ", scan->schema->schema_id);
    if (scan->filter == NULL) {
        nilas_buf_add_text(e->out, "none");
    } else {
        nilas_predicate_print(e->out, scan->filter, scan->schema);
    }
    nilas_buf_add_char(e->out, '\n');
    nilas_scan_plan *files;
    NILAS_TRY(nilas_source__plan_files(e->stmt, e->engine, scan, false, &files, err));
    print_counts(e->out, &files->counts, files->task_count);
    return NILAS_OK;
}

static nilas_code explain_expr(explainer *e, const nilas_bound_expr *expr, nilas_error *err) {
    if (expr == NULL) {
        return NILAS_OK;
    }
    if (expr->plan != NULL) {
        NILAS_TRY(explain_plan(e, expr->plan, err));
    }
    for (size_t i = 0; i < expr->arg_count; i++) {
        NILAS_TRY(explain_expr(e, expr->args[i], err));
    }
    return explain_expr(e, expr->filter, err);
}

/** Scans in the order of the plan, those of subqueries too. */
static nilas_code explain_plan(explainer *e, const nilas_plan *plan, nilas_error *err) {
    if (plan == NULL) {
        return NILAS_OK;
    }
    if (plan->kind == NILAS_PLAN_SCAN) {
        return e->out != NULL ? explain_scan(e, plan->scan, err)
                              : add_scan_files(e, plan->scan, err);
    }
    if (plan->kind == NILAS_PLAN_FILE_SCAN && e->out == NULL) {
        for (size_t i = 0; i < plan->file_scan->path_count; i++) {
            NILAS_TRY(add_file(e, plan->file_scan->paths[i], err));
        }
    }
    NILAS_TRY(explain_plan(e, plan->input, err));
    NILAS_TRY(explain_plan(e, plan->right, err));
    NILAS_TRY(explain_expr(e, plan->condition, err));
    for (size_t i = 0; i < plan->group_count; i++) {
        NILAS_TRY(explain_expr(e, plan->groups[i], err));
    }
    for (size_t i = 0; i < plan->expr_count; i++) {
        NILAS_TRY(explain_expr(e, plan->exprs[i], err));
    }
    return NILAS_OK;
}

nilas_code nilas_engine_explain(nilas_engine *engine, nilas_arena *stmt, const nilas_plan *plan,
                                bool extended, nilas_str *out, nilas_error *err) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    explainer e = {.engine = engine, .stmt = stmt, .out = &text};
    nilas_plan_print(&text, plan);
    NILAS_TRY(explain_plan(&e, plan, err));
    if (extended) {
        NILAS_AUTO_JOB job = {.engine = engine, .stmt = stmt};
        nilas_render r = {.job = &job, .stmt = stmt, .dry = true};
        nilas_str sql;
        NILAS_TRY(nilas_engine__print_query(&r, plan, &sql, err));
        nilas_buf_print(&text, "\n== DuckDB SQL ==\n%.*s\n", NILAS_FMT(sql));
    }
    return nilas_buf_finish(&text, stmt, out, err);
}

nilas_code nilas_engine_input_files(nilas_engine *engine, nilas_arena *stmt, const nilas_plan *plan,
                                    nilas_str **out, size_t *out_count, nilas_error *err) {
    explainer e = {.engine = engine, .stmt = stmt};
    nilas_map_init(&e.seen, stmt, false);
    NILAS_TRY(explain_plan(&e, plan, err));
    *out = e.files.items;
    *out_count = e.files.count;
    return NILAS_OK;
}
