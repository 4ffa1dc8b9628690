/** Queries and EXPLAIN. */
#include "session/private.h"

nilas_code nilas_command__query(nilas_run *run, nilas_error *err) {
    nilas_plan *plan;
    NILAS_TRY(nilas_bind_query(&run->environment, run->statement->query, &plan, err));
    NILAS_TRY(nilas_engine_run(run->session->engine, run->stmt, plan, &run->result, err));
    run->stmt = NULL; // now the result's
    return NILAS_OK;
}

nilas_code nilas_session__explain(nilas_run *run, const nilas_query *query, nilas_explain_mode mode,
                                  nilas_buf *out, nilas_error *err) {
    nilas_plan *plan;
    nilas_str physical;
    NILAS_TRY(nilas_bind_query(&run->environment, query, &plan, err));
    if (mode == NILAS_EXPLAIN_EXTENDED || mode == NILAS_EXPLAIN_LOGICAL) {
        nilas_buf_add_text(out, "== Parsed Query ==\n");
        nilas_query_print(out, query);
        nilas_buf_add_text(out, "\n\n== Analyzed Logical Plan ==\n");
        nilas_plan_print(out, plan);
        nilas_buf_add_text(out, "\n");
    }
    NILAS_TRY(nilas_engine_explain(run->session->engine, run->stmt, plan,
                                   mode != NILAS_EXPLAIN_SIMPLE, &physical, err));
    nilas_buf_add_text(out, "== Physical Plan ==\n");
    nilas_buf_add(out, physical);
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
        NILAS_TRY(
            nilas_session__explain(run, inner->query, run->statement->explain_mode, &text, err));
    }
    nilas_str copy;
    NILAS_TRY(nilas_buf_finish(&text, run->stmt, &copy, err));
    NILAS_TRY(nilas_session__rows_add_texts(&rows, &copy, err));
    return nilas_session__rows_end(&rows, err);
}
