/*
 * WITH RECURSIVE with Spark's limit of iterations.
 *
 * DuckDB runs the step with the rows of the iteration before, all of one level. The reference
 * inside the step passes their level to nilas_recursion_enter(), which keeps it and refuses the one
 * beyond the limit; the step's new rows take nilas_recursion_level(), one more. So the level need
 * not be carried through whatever the step does with its rows.
 */
#include "engine/recursion.h"

#include <stdatomic.h>
#include <stdio.h>

struct nilas_recursion {
    int32_t recursion_id;
    int32_t number;    // in the registry, and of the SQL name r<number>
    bool counts;       // has a level: UNION ALL
    int64_t max_depth; // -1: no limit
    _Atomic int64_t level;
};

nilas_code nilas_render__recursion(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                                   nilas_error *err) {
    const nilas_recursion *recursion = NULL;
    for (size_t i = 0; i < r->recursions.count; i++) {
        if (r->recursions.items[i]->recursion_id == plan->recursion_id) {
            recursion = r->recursions.items[i];
        }
    }
    NILAS_REQUIRE(recursion != NULL, err, NILAS_ENGINE,
                  "a recursive reference stands outside of its query");
    nilas_buf_add_text(out, "SELECT ");
    for (size_t i = 0; i < plan->output_count; i++) {
        nilas_buf_print(out, "%sx%zu AS c%d", i > 0 ? ", " : "", i, plan->outputs[i].id);
    }
    nilas_buf_print(out, " FROM r%d", recursion->number);
    if (recursion->counts) {
        nilas_buf_print(out, " WHERE nilas_recursion_enter(%d, level)", recursion->number);
    }
    return NILAS_OK;
}

static void print_names(nilas_buf *out, const nilas_plan *plan, bool with_level) {
    for (size_t i = 0; i < plan->output_count; i++) {
        nilas_buf_print(out, "%sx%zu", i > 0 ? ", " : "", i);
    }
    nilas_buf_add_text(out, with_level ? ", level" : "");
}

/** "SELECT c1, c2, <level> FROM (…)": one side of the union. */
static nilas_code render_side(nilas_render *r, nilas_buf *out, const nilas_plan *side,
                              const char *level, nilas_error *err) {
    nilas_buf_add_text(out, "SELECT ");
    for (size_t i = 0; i < side->output_count; i++) {
        nilas_buf_print(out, "%sc%d", i > 0 ? ", " : "", side->outputs[i].id);
    }
    nilas_buf_print(out, "%s FROM (", level);
    NILAS_TRY(nilas_render__plan(r, out, side, err));
    nilas_buf_print(out, ") AS t%d", nilas_render__number(r));
    return NILAS_OK;
}

nilas_code nilas_render__recursive(nilas_render *r, nilas_buf *out, const nilas_plan *plan,
                                   nilas_error *err) {
    nilas_assert(plan->input->output_count == plan->output_count &&
                 plan->right->output_count == plan->output_count);
    nilas_recursion *recursion;
    NILAS_NEW(r->stmt, &recursion, err);
    recursion->recursion_id = plan->recursion_id;
    recursion->counts = plan->all;
    recursion->max_depth = plan->max_depth > 0 ? plan->max_depth : -1;
    NILAS_TRY(
        nilas_job__register(r->job, NILAS_REGISTRY_RECURSION, recursion, &recursion->number, err));
    nilas_buf_print(out, "WITH RECURSIVE r%d(", recursion->number);
    print_names(out, plan, recursion->counts);
    nilas_buf_add_text(out, ") AS (");
    NILAS_TRY(
        render_side(r, out, plan->input, recursion->counts ? ", CAST(0 AS BIGINT)" : "", err));
    nilas_buf_add_text(out, plan->all ? " UNION ALL " : " UNION ");
    char level[64] = "";
    if (recursion->counts) {
        (void)snprintf(level, sizeof(level), ", nilas_recursion_level(%d)", recursion->number);
    }
    NILAS_PUSH(r->stmt, &r->recursions, recursion, err);
    NILAS_TRY(render_side(r, out, plan->right, level, err));
    r->recursions.count--;
    nilas_buf_add_text(out, ") SELECT ");
    for (size_t i = 0; i < plan->output_count; i++) {
        nilas_buf_print(out, "%sx%zu AS c%d", i > 0 ? ", " : "", i, plan->outputs[i].id);
    }
    nilas_buf_print(out, " FROM r%d", recursion->number);
    return NILAS_OK;
}

static nilas_recursion *find_recursion(duckdb_function_info info, duckdb_data_chunk input) {
    return nilas_registry__called(info, input, NILAS_REGISTRY_RECURSION,
                                  "a recursive query is no longer running");
}

static void run_enter(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
    idx_t count = duckdb_data_chunk_get_size(input);
    nilas_recursion *recursion = find_recursion(info, input);
    if (recursion == NULL) {
        return;
    }
    const int64_t *levels = duckdb_vector_get_data(duckdb_data_chunk_get_vector(input, 1));
    bool *results = duckdb_vector_get_data(output);
    for (idx_t i = 0; i < count; i++) {
        results[i] = true;
    }
    int64_t level = levels[0];
    atomic_store(&recursion->level, level);
    if (recursion->max_depth >= 0 && level >= recursion->max_depth) {
        char message[256];
        (void)snprintf(message, sizeof(message),
                       "\x01"
                       "RECURSION_LEVEL_LIMIT_EXCEEDED\x01Recursion level limit %lld reached but "
                       "query has not exhausted, try "
                       "increasing it like 'WITH RECURSIVE t(col) MAX RECURSION LEVEL 200'.",
                       (long long)recursion->max_depth);
        duckdb_scalar_function_set_error(info, message);
    }
}

static void run_level(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
    idx_t count = duckdb_data_chunk_get_size(input);
    nilas_recursion *recursion = find_recursion(info, input);
    if (recursion == NULL) {
        return;
    }
    int64_t *results = duckdb_vector_get_data(output);
    int64_t level = atomic_load(&recursion->level) + 1;
    for (idx_t i = 0; i < count; i++) {
        results[i] = level;
    }
}

nilas_code nilas_engine__register_recursion(duckdb_connection connection, nilas_registry *registry,
                                            nilas_error *err) {
    static const nilas_registry_function enter = {
        .name = "nilas_recursion_enter",
        .run = run_enter,
        .parameters = {DUCKDB_TYPE_INTEGER, DUCKDB_TYPE_BIGINT},
        .result = DUCKDB_TYPE_BOOLEAN,
        .is_volatile = true,
    };
    static const nilas_registry_function level = {
        .name = "nilas_recursion_level",
        .run = run_level,
        .parameters = {DUCKDB_TYPE_INTEGER},
        .result = DUCKDB_TYPE_BIGINT,
        .is_volatile = true,
    };
    NILAS_TRY(nilas_registry__register(connection, registry, &enter, err));
    return nilas_registry__register(connection, registry, &level, err);
}
