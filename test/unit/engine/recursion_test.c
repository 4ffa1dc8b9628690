/* Recursive queries and their limit. */
#include "plans.h"

/** WITH RECURSIVE r AS (SELECT 1 UNION ALL SELECT 1 FROM r): never ends by itself. */
static nilas_plan *endless(run *r, int64_t max_depth) {
    nilas_plan *recursion = made_plan(r, NILAS_PLAN_RECURSION, NULL);
    recursion->recursion_id = 1;
    add_output(r, recursion, 20, nilas_type_of(NILAS_TYPE_INT));
    nilas_plan *recursive = made_plan(r, NILAS_PLAN_RECURSIVE, VALUES_OF(r, 10, 1));
    recursive->right = recursion;
    recursive->recursion_id = 1;
    recursive->all = true;
    recursive->max_depth = max_depth;
    recursive->outputs = NULL;
    recursive->output_count = 0;
    add_output(r, recursive, 30, nilas_type_of(NILAS_TYPE_INT));
    return recursive;
}

NILAS_TEST(more_levels_than_allowed_are_refused_in_sparks_words) {
    run r;
    run_init(&r, 2);
    nilas_result *result = NULL;
    nilas_arena *stmt = nilas_arena_new(NULL, 0);
    nilas_code code = nilas_engine_run(r.engine, stmt, endless(&r, 5), &result, &r.err);
    struct ArrowArray batch = {0};
    while (code == NILAS_OK) {
        code = nilas_result_next(result, &batch, &r.err);
        REQUIRE(code != NILAS_OK || batch.release != NULL);
        if (code == NILAS_OK) {
            batch.release(&batch);
        }
    }
    CHECK_TEXT(r.err.condition, "RECURSION_LEVEL_LIMIT_EXCEEDED");
    CHECK_CONTAINS(r.err.message, "Recursion level limit 5 reached");
    if (result == NULL) {
        nilas_arena_free(stmt);
    }
    nilas_result_free(result);
    run_done(&r);
}

NILAS_TEST(a_distinct_recursion_ends_when_nothing_is_new) {
    run r;
    run_init(&r, 2);
    nilas_plan *plan = endless(&r, 5);
    plan->all = false;
    CHECK_TEXT(run_plan(&r, plan), "1");
    run_done(&r);
}
