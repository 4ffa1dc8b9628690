/** Queries and EXPLAIN. */
#include "session/private.h"

nilas_code nilas_command__query(nilas_run *run, nilas_error *err) {
    nilas_plan *plan;
    NILAS_TRY(nilas_bind_query(&run->environment, run->statement->query, &plan, err));
    NILAS_TRY(nilas_engine_run(run->session->engine, run->stmt, plan, &run->result, err));
    run->stmt = NULL; // now the result's
    return NILAS_OK;
}

nilas_code nilas_command__explain(nilas_run *run, nilas_error *err) {
    const nilas_statement *inner = run->statement->statement;
    nilas_command_rows rows;
    static const char *const names[] = {"plan"};
    NILAS_TRY(nilas_session__rows_begin(run, &rows, names, NULL, 1, err));
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(64 << 20);
    if (inner->kind != NILAS_STATEMENT_QUERY) {
        nilas_buf_print(&text, "== Physical Plan ==\nExecute %s\n",
                        nilas_statement_name(inner->kind));
    } else {
        nilas_plan *plan;
        nilas_str physical;
        bool extended = run->statement->explain_mode != NILAS_EXPLAIN_SIMPLE;
        NILAS_TRY(nilas_bind_query(&run->environment, inner->query, &plan, err));
        if (run->statement->explain_mode == NILAS_EXPLAIN_EXTENDED ||
            run->statement->explain_mode == NILAS_EXPLAIN_LOGICAL) {
            nilas_buf_add_text(&text, "== Parsed Query ==\n");
            nilas_query_print(&text, inner->query);
            nilas_buf_add_text(&text, "\n\n== Analyzed Logical Plan ==\n");
            nilas_plan_print(&text, plan);
            nilas_buf_add_text(&text, "\n");
        }
        NILAS_TRY(
            nilas_engine_explain(run->session->engine, run->stmt, plan, extended, &physical, err));
        nilas_buf_add_text(&text, "== Physical Plan ==\n");
        nilas_buf_add(&text, physical);
    }
    nilas_str copy;
    NILAS_TRY(nilas_buf_finish(&text, run->stmt, &copy, err));
    NILAS_TRY(nilas_session__rows_add_texts(&rows, &copy, err));
    return nilas_session__rows_end(&rows, err);
}
