/** What DataFrames ask about a query without running it, and their temporary views. */
#include "codec/codec.h"
#include "session/private.h"

/** One question about a query: a run that ends without a result and leaves the arena alone. */
typedef struct question {
    nilas_statement statement;
    nilas_run run;
} question;

static void begin(question *q, nilas_session *session, nilas_arena *stmt,
                  const nilas_query *query) {
    *q = (question){
        .statement = {.kind = NILAS_STATEMENT_QUERY,
                      .offset = -1,
                      .query = (nilas_query *)(uintptr_t)query},
        .run = {.session = session, .stmt = stmt},
    };
    q->run.statement = &q->statement;
    nilas_map_init(&q->run.tables, stmt, false);
    nilas_session__environment(&q->run, nilas_now_micros());
}

static nilas_code bind(nilas_session *session, nilas_arena *stmt, const nilas_query *query,
                       nilas_plan **out, nilas_error *err) {
    question q;
    begin(&q, session, stmt, query);
    return nilas_bind_query(&q.run.environment, query, out, err);
}

nilas_code nilas_session_analyze(nilas_session *session, nilas_arena *stmt,
                                 const nilas_query *query, const nilas_type **out,
                                 nilas_error *err) {
    nilas_plan *plan;
    NILAS_TRY(bind(session, stmt, query, &plan, err));
    return nilas_plan_type(stmt, plan, out, err);
}

nilas_code nilas_session_explain_query(nilas_session *session, nilas_arena *stmt,
                                       const nilas_query *query, nilas_explain_mode mode,
                                       nilas_str *out, nilas_error *err) {
    question q;
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(64 << 20);
    begin(&q, session, stmt, query);
    NILAS_TRY(nilas_session__explain(&q.run, query, mode, &text, err));
    return nilas_buf_finish(&text, stmt, out, err);
}

nilas_code nilas_session_input_files(nilas_session *session, nilas_arena *stmt,
                                     const nilas_query *query, nilas_str **out, size_t *out_count,
                                     nilas_error *err) {
    nilas_plan *plan;
    NILAS_TRY(bind(session, stmt, query, &plan, err));
    return nilas_engine_input_files(session->engine, stmt, plan, out, out_count, err);
}

/** The bound plan as text: columns are numbered in the order of binding, so that equal meanings
 *  give equal texts. */
static nilas_code meaning(nilas_session *session, nilas_arena *stmt, const nilas_query *query,
                          nilas_str *out, nilas_error *err) {
    nilas_plan *plan;
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    NILAS_TRY(bind(session, stmt, query, &plan, err));
    nilas_plan_print(&text, plan);
    return nilas_buf_finish(&text, stmt, out, err);
}

nilas_code nilas_session_same_semantics(nilas_session *session, nilas_arena *stmt,
                                        const nilas_query *a, const nilas_query *b, bool *out,
                                        nilas_error *err) {
    nilas_str left;
    nilas_str right;
    NILAS_TRY(meaning(session, stmt, a, &left, err));
    NILAS_TRY(meaning(session, stmt, b, &right, err));
    *out = nilas_str_equal(left, right);
    return NILAS_OK;
}

nilas_code nilas_session_semantic_hash(nilas_session *session, nilas_arena *stmt,
                                       const nilas_query *query, int32_t *out, nilas_error *err) {
    nilas_str text;
    NILAS_TRY(meaning(session, stmt, query, &text, err));
    *out = (int32_t)nilas_murmur3_32(text.data, text.size, 42);
    return NILAS_OK;
}

/* --- views --- */

static nilas_code check_source(nilas_session *session, const nilas_view_source *source,
                               nilas_error *err) {
    NILAS_AUTO(nilas_arena) stmt = nilas_arena_new(NULL, 0);
    NILAS_REQUIRE(stmt != NULL, err, NILAS_NOMEM, "out of memory for a view");
    const nilas_query *query;
    nilas_plan *plan;
    NILAS_TRY(source->make(source->context, stmt, &query, err));
    return bind(session, stmt, query, &plan, err);
}

nilas_code nilas_session_create_view(nilas_session *session, const nilas_view_options *options,
                                     const nilas_view_source *source, nilas_error *err) {
    nilas_code code = NILAS_OK;
    if (!options->replace &&
        *nilas_session__find_view(session, options->name, options->global) != NULL) {
        code = nilas_session__fail_view_exists(options->name, -1, err);
    }
    if (code == NILAS_OK) {
        code = check_source(session, source, err);
    }
    if (code == NILAS_OK) {
        code = nilas_session__put_view(session, options, NILAS_STR(""), source, err);
    }
    if (code != NILAS_OK && source->release != NULL) {
        source->release(source->context);
    }
    return code;
}
