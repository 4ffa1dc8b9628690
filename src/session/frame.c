/** What DataFrames ask about a query without running it, and their temporary views. */
#include "codec/codec.h"
#include "session/private.h"

/** One question about a query: a run that ends without a result and leaves the arena alone. */
typedef struct question {
    nilas_statement statement;
    nilas_run run;
} question;

static nilas_code begin(question *q, nilas_session *session, nilas_arena *stmt,
                        const nilas_query *query, nilas_error *err) {
    nilas_session *fork;
    NILAS_TRY(nilas_session__fork(session, NULL, stmt, &fork, err));
    *q = (question){
        .statement = {.kind = NILAS_STATEMENT_QUERY,
                      .offset = -1,
                      .query = (nilas_query *)(uintptr_t)query},
        .run = {.session = fork, .stmt = stmt},
    };
    q->run.statement = &q->statement;
    nilas_map_init(&q->run.tables, stmt, false);
    nilas_session__environment(&q->run, nilas_now_micros());
    return NILAS_OK;
}

static nilas_code bind(nilas_session *session, nilas_arena *stmt, const nilas_query *query,
                       nilas_plan **out, nilas_error *err) {
    question q;
    NILAS_TRY(begin(&q, session, stmt, query, err));
    nilas_code code = nilas_bind_query(&q.run.environment, query, out, err);
    nilas_session__return_catalogs(q.run.session);
    return code;
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
    NILAS_TRY(begin(&q, session, stmt, query, err));
    nilas_code code = nilas_session__explain(&q.run, query, mode, &text, err);
    nilas_session__return_catalogs(q.run.session);
    NILAS_TRY(code);
    return nilas_buf_finish(&text, stmt, out, err);
}

nilas_code nilas_session_input_files(nilas_session *session, nilas_arena *stmt,
                                     const nilas_query *query, nilas_str **out, size_t *out_count,
                                     nilas_error *err) {
    question q;
    nilas_plan *plan;
    NILAS_TRY(begin(&q, session, stmt, query, err));
    nilas_code code = nilas_bind_query(&q.run.environment, query, &plan, err);
    if (code == NILAS_OK) {
        code = nilas_engine_input_files(q.run.session->engine, stmt, plan, out, out_count, err);
    }
    nilas_session__return_catalogs(q.run.session);
    return code;
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

/* --- observations --- */

typedef struct observing {
    nilas_session *session;
    nilas_arena *stmt;
    NILAS_ARRAY_OF(nilas_observation) list;
} observing;

static nilas_code aggregate_over(observing *o, const nilas_query *input, nilas_expr **exprs,
                                 size_t count, nilas_query **out, nilas_error *err) {
    NILAS_TRY(nilas_query_new(o->stmt, NILAS_QUERY_PIPE_AGGREGATE, -1, out, err));
    (*out)->input = (nilas_query *)(uintptr_t)input;
    (*out)->exprs = exprs;
    (*out)->expr_count = count;
    return NILAS_OK;
}

/** A metric with the name that its column has. */
static nilas_code named(observing *o, nilas_expr *metric, nilas_str name, nilas_expr **out,
                        nilas_error *err) {
    NILAS_TRY(nilas_expr_new(o->stmt, NILAS_EXPR_ALIAS, -1, out, err));
    NILAS_NEW(o->stmt, &(*out)->parts, err);
    NILAS_NEW(o->stmt, &(*out)->args, err);
    (*out)->parts[0] = name;
    (*out)->part_count = 1;
    (*out)->args[0] = metric->kind == NILAS_EXPR_ALIAS ? metric->args[0] : metric;
    (*out)->arg_count = 1;
    return NILAS_OK;
}

/** The metrics as one struct: what an engine can be asked for as one value. */
static nilas_code measure(observing *o, const nilas_query *query, nilas_observation *out,
                          nilas_error *err) {
    nilas_query *metrics;
    nilas_plan *plan;
    nilas_expr *row;
    NILAS_TRY(aggregate_over(o, query->input, query->exprs, query->expr_count, &metrics, err));
    NILAS_TRY(bind(o->session, o->stmt, metrics, &plan, err));
    NILAS_TRY(nilas_expr_new(o->stmt, NILAS_EXPR_CALL, -1, &row, err));
    NILAS_NEW(o->stmt, &row->parts, err);
    row->parts[0] = NILAS_STR("struct");
    row->part_count = 1;
    NILAS_NEW_ARRAY(o->stmt, &row->args, query->expr_count, err);
    row->arg_count = query->expr_count;
    for (size_t i = 0; i < query->expr_count; i++) {
        NILAS_TRY(named(o, query->exprs[i], plan->outputs[i].name, &row->args[i], err));
    }
    nilas_expr **only;
    NILAS_NEW(o->stmt, &only, err);
    only[0] = row;
    NILAS_TRY(aggregate_over(o, query->input, only, 1, &metrics, err));
    NILAS_TRY(bind(o->session, o->stmt, metrics, &plan, err));
    nilas_bound_expr value = {.kind = NILAS_BOUND_SUBQUERY,
                              .type = plan->outputs[0].type,
                              .nullable = true,
                              .offset = -1,
                              .plan = plan};
    *out = (nilas_observation){.name = query->alias, .type = value.type};
    return nilas_engine_evaluate(o->session->engine, o->stmt, &value, &out->values, err);
}

static nilas_code observe(observing *o, const nilas_query *query, int depth, nilas_error *err) {
    if (query == NULL) {
        return NILAS_OK;
    }
    NILAS_REQUIRE(depth < NILAS_LIMIT_SQL_DEPTH, err, NILAS_LIMIT,
                  "The query is nested more than %d levels deep.", NILAS_LIMIT_SQL_DEPTH);
    NILAS_TRY(observe(o, query->input, depth + 1, err));
    NILAS_TRY(observe(o, query->left, depth + 1, err));
    NILAS_TRY(observe(o, query->right, depth + 1, err));
    for (size_t i = 0; i < query->cte_count; i++) {
        NILAS_TRY(observe(o, query->ctes[i].query, depth + 1, err));
    }
    if (query->kind != NILAS_QUERY_OBSERVE) {
        return NILAS_OK;
    }
    nilas_observation observation;
    NILAS_TRY(measure(o, query, &observation, err));
    NILAS_PUSH(o->stmt, &o->list, observation, err);
    return NILAS_OK;
}

nilas_code nilas_session_observe(nilas_session *session, nilas_arena *stmt,
                                 const nilas_query *query, nilas_observation **out,
                                 size_t *out_count, nilas_error *err) {
    observing o = {.session = session, .stmt = stmt};
    NILAS_TRY(observe(&o, query, 0, err));
    *out = o.list.items;
    *out_count = o.list.count;
    return NILAS_OK;
}

/* --- views --- */

/** Bind the query once; what its names mean now is what they mean as long as the view is there. */
static nilas_code make_view(nilas_session *session, const nilas_view_options *options,
                            const nilas_view_source *source, nilas_error *err) {
    NILAS_AUTO(nilas_arena) stmt = nilas_arena_new(NULL, 0);
    NILAS_REQUIRE(stmt != NULL, err, NILAS_NOMEM, "out of memory for a view");
    const nilas_query *query;
    nilas_plan *plan;
    question q;
    nilas_view_making making = {.name = options->name, .global = options->global};
    NILAS_TRY(source->make(source->context, stmt, &query, err));
    NILAS_TRY(begin(&q, session, stmt, query, err));
    q.run.making = &making;
    nilas_code code = nilas_bind_query(&q.run.environment, query, &plan, err);
    nilas_session__return_catalogs(q.run.session);
    NILAS_TRY(code);
    nilas_view_content content = {.source = source, .seen = making.seen};
    return nilas_session__put_view(session, options, &content, err);
}

static bool has_view(nilas_session *session, const nilas_view_options *options) {
    nilas_error ignored = NILAS_ERROR_INIT;
    nilas_session *locked = nilas_session__begin_change(session);
    bool found = nilas_session__find_view(locked, options->name, options->global) != NULL;
    return nilas_session__end_change(session, NILAS_OK, &ignored) == NILAS_OK && found;
}

nilas_code nilas_session_create_view(nilas_session *session, const nilas_view_options *options,
                                     const nilas_view_source *source, nilas_error *err) {
    nilas_code code = NILAS_OK;
    if (!options->replace && has_view(session, options)) {
        code = nilas_session__fail_view_exists(options->name, -1, err);
    }
    if (code == NILAS_OK) {
        code = make_view(session, options, source, err);
    }
    if (code != NILAS_OK && source->release != NULL) {
        source->release(source->context);
    }
    return code;
}
