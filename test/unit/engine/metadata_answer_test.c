/* What metadata can answer is answered without DuckDB; what it cannot is left alone. */
#include "plans.h"

static const nilas_function count_function = {
    .kind = NILAS_FUNCTION_AGGREGATE, .name = "count", .render = "count(*)"};
static const nilas_function min_function = {
    .kind = NILAS_FUNCTION_AGGREGATE, .name = "min", .render = "min($1)"};

/** A table of two files whose Parquet does not exist: only metadata can tell. */
static void make_metadata(run *r) {
    run_init(r, 2);
    const made_entry entries[] = {
        {.status = NILAS_ENTRY_ADDED,
         .path = "/none/a.parquet",
         .record_count = 3,
         .has_id_stats = true,
         .id_lower = 5,
         .id_upper = 9},
        {.status = NILAS_ENTRY_ADDED,
         .path = "/none/b.parquet",
         .record_count = 4,
         .has_id_stats = true,
         .id_lower = -2,
         .id_upper = 7},
    };
    run_commit(r, NILAS_MANIFEST_DATA, 0, entries, 2);
    load_made(&r->table, "");
}

static nilas_plan *aggregate_of(run *r, const nilas_function *function,
                                nilas_bound_expr *argument) {
    const char *const columns[] = {"id", "p", NULL};
    nilas_plan *aggregate = made_plan(r, NILAS_PLAN_AGGREGATE, run_scan(r, columns));
    nilas_bound_expr *call = made_expr(r, NILAS_BOUND_CALL, NILAS_TYPE_BIGINT);
    call->function = function;
    call->args = made_zeroed(r, sizeof(*call->args));
    call->args[0] = argument;
    call->arg_count = argument != NULL ? 1 : 0;
    aggregate->outputs = NULL;
    aggregate->output_count = 0;
    add_output(r, aggregate, 50, nilas_type_of(NILAS_TYPE_BIGINT));
    add_expr(r, aggregate, call);
    return aggregate;
}

NILAS_TEST(counts_and_bounds_come_from_manifests) {
    run r;
    make_metadata(&r);
    CHECK_TEXT(run_plan(&r, aggregate_of(&r, &count_function, NULL)), "7");
    CHECK_TEXT(run_plan(&r, aggregate_of(&r, &count_function, int_literal(&r, 1))), "7");
    CHECK_TEXT(run_plan(&r, aggregate_of(&r, &min_function, column(&r, 1, NILAS_TYPE_BIGINT))),
               "-2");
    CHECK(!r.engine->uses_database);
    run_done(&r);
}

NILAS_TEST(projections_limits_and_sorts_of_the_one_row_do_not_matter) {
    run r;
    make_metadata(&r);
    nilas_plan *project =
        made_plan(&r, NILAS_PLAN_PROJECT, aggregate_of(&r, &count_function, NULL));
    project->outputs = NULL;
    project->output_count = 0;
    add_output(&r, project, 60, nilas_type_of(NILAS_TYPE_STRING));
    add_output(&r, project, 61, nilas_type_of(NILAS_TYPE_BIGINT));
    add_expr(&r, project, text_literal(&r, "n"));
    add_expr(&r, project, column(&r, 50, NILAS_TYPE_BIGINT));
    nilas_plan *limit = made_plan(&r, NILAS_PLAN_LIMIT, project);
    limit->limit = 10;
    CHECK_TEXT(run_plan(&r, limit), "n,7");
    CHECK(!r.engine->uses_database);
    run_done(&r);
}

NILAS_TEST(the_least_text_needs_the_data) {
    run r;
    make_metadata(&r);
    nilas_plan *plan = aggregate_of(&r, &min_function, column(&r, 2, NILAS_TYPE_STRING));
    CHECK_TEXT(run_plan(&r, plan), "?"); // the files are not there
    CHECK_INT(r.err.code, NILAS_NOT_FOUND);
    run_done(&r);
}
