/* The engine's entry points: settings, and a plan's way to a result. */
#include "engine/engine.h"

#include <stdlib.h>

#include "engine/database.h"
#include "engine/metadata_answer.h"
#include "engine/result.h"

nilas_code nilas_engine_new(nilas_engine **out, const nilas_engine_options *options,
                            nilas_error *err) {
    nilas_engine *engine = calloc(1, sizeof(*engine));
    NILAS_REQUIRE(engine != NULL, err, NILAS_NOMEM, "out of memory");
    engine->options = *options;
    engine->context = (nilas_engine_context){.zone = options->zone, .ansi = options->ansi};
    engine->registry = nilas_registry__shared();
    *out = engine;
    return NILAS_OK;
}

nilas_code nilas_engine_fork(nilas_engine *parent, const nilas_engine_options *options,
                             nilas_engine **out, nilas_error *err) {
    NILAS_TRY(nilas_engine_new(out, options, err));
    (*out)->parent = parent;
    return NILAS_OK;
}

void nilas_engine_free(nilas_engine *engine) {
    if (engine == NULL) {
        return;
    }
    nilas_engine__leave_database(engine);
    free(engine);
}

void nilas_engine_set_zone(nilas_engine *engine, const nilas_zone *zone) {
    engine->options.zone = zone;
    engine->context.zone = zone;
}

void nilas_engine_set_ansi(nilas_engine *engine, bool ansi) {
    engine->options.ansi = ansi;
    engine->context.ansi = ansi;
}

nilas_code nilas_engine__print_query(nilas_render *r, const nilas_plan *plan, nilas_str *out,
                                     nilas_error *err) {
    NILAS_AUTO_BUF sql = NILAS_BUF_INIT(0);
    nilas_buf_add_text(&sql, "SELECT ");
    for (size_t i = 0; i < plan->output_count; i++) {
        nilas_buf_print(&sql, "%sCAST(c%d AS ", i > 0 ? ", " : "", plan->outputs[i].id);
        nilas_render__type(&sql, plan->outputs[i].type);
        nilas_buf_print(&sql, ") AS c%d", plan->outputs[i].id);
    }
    nilas_buf_add_text(&sql, plan->output_count == 0 ? "\"_\" FROM (" : " FROM (");
    NILAS_TRY(nilas_render__plan(r, &sql, plan, err));
    nilas_buf_add_text(&sql, ") AS result");
    return nilas_buf_finish(&sql, r->stmt, out, err);
}

nilas_code nilas_engine_run(nilas_engine *engine, nilas_arena *stmt, const nilas_plan *plan,
                            nilas_result **out, nilas_error *err) {
    engine->context.now_micros = nilas_now_micros();
    NILAS_AUTO_JOB job = {.engine = engine, .stmt = stmt};
    nilas_render r = {.job = &job, .stmt = stmt};
    const nilas_type *type;
    NILAS_TRY(nilas_plan_type(stmt, plan, &type, err));
    bool answered = false;
    nilas_value *values = NULL;
    NILAS_TRY(nilas_engine__answer_from_metadata(&r, plan, &answered, &values, err));
    if (answered) {
        return nilas_result_of_rows(stmt, type, values, 1, out, err);
    }
    nilas_str sql;
    NILAS_TRY(nilas_engine__print_query(&r, plan, &sql, err));
    NILAS_AUTO_QUERY_RUN run = {0};
    NILAS_TRY(nilas_job__start(&job, sql, &run, err));
    return nilas_result__of_query(stmt, &job, &run, type, out, err);
}
