/*
 * ExecutePlan: a relation is run and its rows are sent; a command is run once. SQL text comes as a
 * command: a query is handed back unrun, for the client to send as a relation; anything else is run
 * now, and its rows travel with the answer.
 */
#include "connect/plan.h"
#include "connect/server.h"
#include "print/print.h"

#include <stdlib.h>

#define HASHED_BYTES 65536 // of a request, to know it again
#define TEXT_BYTES   NILAS_LIMIT_WIRE_BYTES

/** One plan on its way. */
typedef struct execution {
    nilas_connect__operation *operation;
    nilas_connect__client *client;
    nilas_session *session;
    nilas_arena *arena; // of the call
    bool observed;      // DataFrame.observe() stands in the plan
    nilas_connect__observations observations;
    nilas_error *err;
} execution;

static nilas_translation translation_in(nilas_connect__lookup *lookup, nilas_session *session) {
    return (nilas_translation){.stmt = lookup->stmt,
                               .session = session,
                               .artifact = nilas_connect__find_artifact,
                               .remote_relation = nilas_connect__find_relation,
                               .context = lookup};
}

static void show_progress(void *context, double fraction) {
    nilas_connect__operation_progress(context, fraction);
}

/** Run a statement that the operation's interrupt stops. `stmt` is the result's or freed. */
static nilas_code run_statement(execution *e, nilas_arena *stmt, nilas_statement *statement,
                                nilas_result **out) {
    if (e->observed && statement->query != NULL) { // before it runs: a write changes what it reads
        nilas_code code =
            nilas_session_observe(e->session, e->arena, statement->query, &e->observations.items,
                                  &e->observations.count, e->err);
        if (code != NILAS_OK) {
            nilas_arena_free(stmt);
            return code;
        }
    }
    nilas_session_request request = {
        .stmt = stmt,
        .statement = statement,
        .cancel = nilas_connect__operation_cancel(e->operation),
        .progress = show_progress,
        .progress_context = e->operation,
    };
    return nilas_session_execute(e->session, &request, out, e->err);
}

/* --- relations --- */

/** Translate and run. */
static nilas_code run_relation(execution *e, const Sc__Relation *relation, nilas_result **out) {
    nilas_arena *stmt = nilas_arena_new(NULL, 0);
    NILAS_REQUIRE(stmt != NULL, e->err, NILAS_NOMEM, "out of memory for a statement");
    nilas_connect__lookup lookup = {.client = e->client, .stmt = stmt};
    nilas_translation translation = translation_in(&lookup, e->session);
    nilas_statement *statement = NULL;
    nilas_code code = nilas_connect__translate_root(&translation, relation, &statement, e->err);
    if (code != NILAS_OK) {
        nilas_arena_free(stmt);
        return code;
    }
    return run_statement(e, stmt, statement, out);
}

/** What show() and a notebook print. */
static nilas_code print_relation(execution *e, const Sc__Relation *root, nilas_buf *out) {
    bool html = root->rel_type_case == SC__RELATION__REL_TYPE_HTML_STRING;
    const Sc__Relation *input = html ? root->html_string->input : root->show_string->input;
    NILAS_REQUIRE(input != NULL, e->err, NILAS_INVALID, "nothing is shown: the input is missing");
    nilas_print_show_options options = {
        .rows = html ? root->html_string->num_rows : root->show_string->num_rows,
        .truncate = html ? root->html_string->truncate : root->show_string->truncate,
        .vertical = !html && root->show_string->vertical,
    };
    options.zone = nilas_session_zone(e->session);
    NILAS_AUTO(nilas_result) result = NULL;
    NILAS_TRY(run_relation(e, input, &result));
    return html ? nilas_print_html(result, &options, out, e->err)
                : nilas_print_show(result, &options, out, e->err);
}

static nilas_code execute_relation(execution *e, const Sc__Relation *root) {
    bool html = root->rel_type_case == SC__RELATION__REL_TYPE_HTML_STRING;
    if ((html || root->rel_type_case == SC__RELATION__REL_TYPE_SHOW_STRING) &&
        root->show_string != NULL) {
        NILAS_AUTO_BUF text = NILAS_BUF_INIT(TEXT_BYTES);
        NILAS_TRY(print_relation(e, root, &text));
        return nilas_connect__send_text(e->operation, html ? "html_string" : "show_string",
                                        nilas_buf_view(&text), e->err);
    }
    NILAS_AUTO(nilas_result) result = NULL;
    NILAS_TRY(run_relation(e, root, &result));
    return nilas_connect__send_result(e->operation, result, e->err);
}

/* --- SQL text --- */

static nilas_code send_relation(execution *e, Sc__Relation *relation) {
    Sc__ExecutePlanResponse response = SC__EXECUTE_PLAN_RESPONSE__INIT;
    Sc__ExecutePlanResponse__SqlCommandResult result =
        SC__EXECUTE_PLAN_RESPONSE__SQL_COMMAND_RESULT__INIT;
    result.relation = relation;
    response.sql_command_result = &result;
    response.response_type_case = SC__EXECUTE_PLAN_RESPONSE__RESPONSE_TYPE_SQL_COMMAND_RESULT;
    return nilas_connect__operation_emit(e->operation, &response, e->err);
}

/** The relation that the client sends again to run the query; clients before 4.0 have none yet. */
static nilas_code send_query(execution *e, const Sc__SqlCommand *command) {
    if (command->input != NULL) {
        return send_relation(e, command->input);
    }
    Sc__SQL sql = SC__SQL__INIT;
    Sc__Relation relation = SC__RELATION__INIT;
    sql.query = command->sql;
    sql.n_args = command->n_args;
    sql.args = (Sc__SQL__ArgsEntry **)command->args;
    sql.n_pos_args = command->n_pos_args;
    sql.pos_args = command->pos_args;
    sql.n_named_arguments = command->n_named_arguments;
    sql.named_arguments = (Sc__SQL__NamedArgumentsEntry **)command->named_arguments;
    sql.n_pos_arguments = command->n_pos_arguments;
    sql.pos_arguments = command->pos_arguments;
    relation.sql = &sql;
    relation.rel_type_case = SC__RELATION__REL_TYPE_SQL;
    return send_relation(e, &relation);
}

/** The rows of a command, as data. */
static nilas_code send_rows(execution *e, nilas_buf *rows) {
    Sc__LocalRelation local;
    Sc__Relation relation = SC__RELATION__INIT;
    sc__local_relation__init(&local);
    local.data.data = (uint8_t *)rows->data;
    local.data.len = rows->size;
    local._data_case = SC__LOCAL_RELATION___DATA_DATA;
    relation.local_relation = &local;
    relation.rel_type_case = SC__RELATION__REL_TYPE_LOCAL_RELATION;
    return send_relation(e, &relation);
}

/** Analyze a query, or run a command and collect its rows. */
static nilas_code run_sql(execution *e, const Sc__SqlCommand *command, bool *out_is_query,
                          nilas_buf *rows) {
    nilas_arena *stmt = nilas_arena_new(NULL, 0);
    NILAS_REQUIRE(stmt != NULL, e->err, NILAS_NOMEM, "out of memory for a statement");
    nilas_connect__lookup lookup = {.client = e->client, .stmt = stmt};
    nilas_translation translation = translation_in(&lookup, e->session);
    nilas_statement *statement = NULL;
    nilas_result *result = NULL;
    nilas_code code = nilas_connect__translate_sql(&translation, command, &statement, e->err);
    *out_is_query = code == NILAS_OK && statement->kind == NILAS_STATEMENT_QUERY;
    if (code != NILAS_OK || *out_is_query) {
        const nilas_type *type;
        if (code == NILAS_OK) { // what is wrong with a query is said when it is made
            code = nilas_session_analyze(e->session, stmt, statement->query, &type, e->err);
        }
        nilas_arena_free(stmt);
        return code;
    }
    NILAS_TRY(run_statement(e, stmt, statement, &result));
    code = nilas_connect__encode_result(e->session, result, rows, e->err);
    nilas_result_free(result);
    return code;
}

static nilas_code execute_sql(execution *e, const Sc__SqlCommand *command) {
    NILAS_AUTO_BUF rows = NILAS_BUF_INIT(TEXT_BYTES);
    bool is_query = false;
    NILAS_TRY(run_sql(e, command, &is_query, &rows));
    return is_query ? send_query(e, command) : send_rows(e, &rows);
}

/* --- other commands --- */

/** A DataFrame's view: its plan as bytes, translated anew by each statement that uses it. */
typedef struct kept_plan {
    nilas_connect__client *client; // owns the session that owns the view
    nilas_buf bytes;
} kept_plan;

static nilas_view_source view_source(kept_plan *plan);

static nilas_code make_view(void *context, nilas_arena *stmt, const nilas_query **out,
                            nilas_error *err) {
    kept_plan *plan = context;
    ProtobufCMessage *message = NULL;
    NILAS_TRY(nilas_connect__decode(stmt, &sc__relation__descriptor, nilas_buf_view(&plan->bytes),
                                    &message, err));
    nilas_connect__lookup *lookup;
    NILAS_NEW(stmt, &lookup, err);
    *lookup = (nilas_connect__lookup){.client = plan->client, .stmt = stmt};
    nilas_translation translation = translation_in(lookup, plan->client->session);
    nilas_query *query = NULL;
    NILAS_TRY(nilas_connect__translate_relation(&translation, (const Sc__Relation *)message, &query,
                                                err));
    *out = query;
    return NILAS_OK;
}

static void release_view(void *context) {
    kept_plan *plan = context;
    nilas_buf_done(&plan->bytes);
    free(plan);
}

static nilas_code copy_view(void *context, void *owner, nilas_view_source *out, nilas_error *err) {
    const kept_plan *from = context;
    kept_plan *plan = calloc(1, sizeof(*plan));
    NILAS_REQUIRE(plan != NULL, err, NILAS_NOMEM, "out of memory for a view");
    *plan = (kept_plan){.client = owner, .bytes = NILAS_BUF_INIT(NILAS_LIMIT_WIRE_BYTES)};
    nilas_buf_add(&plan->bytes, nilas_buf_view(&from->bytes));
    nilas_code code = nilas_buf_check(&plan->bytes, err);
    if (code != NILAS_OK) {
        release_view(plan);
        return code;
    }
    *out = view_source(plan);
    return NILAS_OK;
}

static nilas_view_source view_source(kept_plan *plan) {
    return (nilas_view_source){
        .make = make_view, .release = release_view, .copy = copy_view, .context = plan};
}

static nilas_code create_view(execution *e, const Sc__CreateDataFrameViewCommand *command) {
    NILAS_REQUIRE(command->input != NULL && command->name != NULL, e->err, NILAS_INVALID,
                  "a view needs a name and a plan");
    kept_plan *plan = calloc(1, sizeof(*plan));
    NILAS_REQUIRE(plan != NULL, e->err, NILAS_NOMEM, "out of memory for a view");
    *plan = (kept_plan){.client = e->client, .bytes = NILAS_BUF_INIT(NILAS_LIMIT_WIRE_BYTES)};
    nilas_wire_encode(&plan->bytes, &command->input->base);
    nilas_view_source source = view_source(plan);
    nilas_view_options options = {.name = nilas_str_of(command->name),
                                  .global = command->is_global,
                                  .replace = command->replace};
    nilas_code code = nilas_buf_check(&plan->bytes, e->err);
    if (code != NILAS_OK) {
        release_view(plan);
        return code;
    }
    return nilas_session_create_view(e->session, &options, &source, e->err);
}

/** A checkpoint keeps the plan: tables of a snapshot do not change below it. */
static nilas_code checkpoint(execution *e, const Sc__CheckpointCommand *command) {
    NILAS_REQUIRE(command->relation != NULL, e->err, NILAS_INVALID, "a checkpoint needs a plan");
    nilas_uuid id;
    NILAS_TRY(nilas_uuid_new(&id, e->err));
    NILAS_TRY(nilas_connect__keep_message(e->client, id.text, &command->relation->base, e->err));
    Sc__ExecutePlanResponse response = SC__EXECUTE_PLAN_RESPONSE__INIT;
    Sc__CheckpointCommandResult result = SC__CHECKPOINT_COMMAND_RESULT__INIT;
    Sc__CachedRemoteRelation relation = SC__CACHED_REMOTE_RELATION__INIT;
    relation.relation_id = id.text;
    result.relation = &relation;
    response.checkpoint_command_result = &result;
    response.response_type_case =
        SC__EXECUTE_PLAN_RESPONSE__RESPONSE_TYPE_CHECKPOINT_COMMAND_RESULT;
    return nilas_connect__operation_emit(e->operation, &response, e->err);
}

/** Commands that become a statement: writes, merges. */
static nilas_code run_command(execution *e, const Sc__Command *command) {
    nilas_arena *stmt = nilas_arena_new(NULL, 0);
    NILAS_REQUIRE(stmt != NULL, e->err, NILAS_NOMEM, "out of memory for a statement");
    nilas_connect__lookup lookup = {.client = e->client, .stmt = stmt};
    nilas_translation translation = translation_in(&lookup, e->session);
    nilas_statement *statement = NULL;
    nilas_code code = nilas_connect__translate_command(&translation, command, &statement, e->err);
    if (code != NILAS_OK) {
        nilas_arena_free(stmt);
        return code;
    }
    nilas_result *result = NULL;
    NILAS_TRY(run_statement(e, stmt, statement, &result));
    nilas_result_free(result);
    return NILAS_OK;
}

static nilas_code execute_command(execution *e, const Sc__Command *command) {
    NILAS_REQUIRE(command->sql_command != NULL, e->err, NILAS_INVALID, "the command is empty");
    switch (command->command_type_case) {
    case SC__COMMAND__COMMAND_TYPE_SQL_COMMAND: return execute_sql(e, command->sql_command);
    case SC__COMMAND__COMMAND_TYPE_CREATE_DATAFRAME_VIEW:
        return create_view(e, command->create_dataframe_view);
    case SC__COMMAND__COMMAND_TYPE_CHECKPOINT_COMMAND:
        return checkpoint(e, command->checkpoint_command);
    case SC__COMMAND__COMMAND_TYPE_REMOVE_CACHED_REMOTE_RELATION_COMMAND:
        if (command->remove_cached_remote_relation_command->relation != NULL) {
            nilas_connect__drop_message(
                e->client, command->remove_cached_remote_relation_command->relation->relation_id);
        }
        return NILAS_OK;
    default: return run_command(e, command);
    }
}

/* --- the operation --- */

static nilas_code send_complete(execution *e) {
    Sc__ExecutePlanResponse response = SC__EXECUTE_PLAN_RESPONSE__INIT;
    Sc__ExecutePlanResponse__ResultComplete complete =
        SC__EXECUTE_PLAN_RESPONSE__RESULT_COMPLETE__INIT;
    response.result_complete = &complete;
    response.response_type_case = SC__EXECUTE_PLAN_RESPONSE__RESPONSE_TYPE_RESULT_COMPLETE;
    return nilas_connect__operation_emit(e->operation, &response, e->err);
}

static void run_plan(nilas_connect__request *request, nilas_connect__operation *operation) {
    const Sc__ExecutePlanRequest *asked = (const Sc__ExecutePlanRequest *)request->message;
    nilas_connect__failure failure = {.error = NILAS_ERROR_INIT};
    execution e = {.operation = operation,
                   .client = nilas_connect__operation_client(operation),
                   .arena = request->arena,
                   .err = &failure.error};
    const Sc__Relation *relation = NULL;
    const Sc__Command *command = NULL;
    nilas_code code = nilas_connect__client_session(e.client, &e.session, e.err);
    if (code == NILAS_OK) {
        code = nilas_connect__open_plan(request->arena, asked->plan, &relation, &command, e.err);
    }
    if (code == NILAS_OK) {
        e.observed =
            nilas_connect__is_observed(relation != NULL ? &relation->base : &command->base);
        code = relation != NULL ? execute_relation(&e, relation) : execute_command(&e, command);
    }
    if (code == NILAS_OK) {
        code = nilas_connect__send_observations(operation, request->arena, &e.observations, e.err);
    }
    if (code == NILAS_OK) {
        code = send_complete(&e);
    }
    if (code == NILAS_CANCELLED) { // whoever noticed it first: it is one thing to the client
        code = nilas_fail_at(e.err, NILAS_CANCELLED, "OPERATION_CANCELED", -1,
                             "Operation has been canceled.");
    } else if (code != NILAS_OK && (relation != NULL || command != NULL)) {
        nilas_connect__lookup lookup = {.client = e.client, .stmt = request->arena};
        nilas_translation translation = translation_in(&lookup, e.session);
        nilas_connect__explain_failure(
            &translation, relation != NULL ? &relation->base : &command->base, &failure);
    }
    nilas_connect__operation_finish(operation, code == NILAS_OK ? NULL : &failure);
}

static bool is_reattachable(const Sc__ExecutePlanRequest *asked) {
    for (size_t i = 0; i < asked->n_request_options; i++) {
        const Sc__ExecutePlanRequest__RequestOption *option = asked->request_options[i];
        if (option->request_option_case ==
                SC__EXECUTE_PLAN_REQUEST__REQUEST_OPTION__REQUEST_OPTION_REATTACH_OPTIONS &&
            option->reattach_options != NULL) {
            return option->reattach_options->reattachable;
        }
    }
    return false;
}

nilas_code nilas_connect__execute(nilas_connect__request *request, nilas_connect__client *client,
                                  nilas_error *err) {
    const Sc__ExecutePlanRequest *asked = (const Sc__ExecutePlanRequest *)request->message;
    nilas_str bytes = nilas_wire_call_request(request->call);
    nilas_connect__operation_options options = {
        .id = asked->_operation_id_case != 0 && asked->operation_id[0] != '\0' ? asked->operation_id
                                                                               : NULL,
        .tags = asked->tags,
        .tag_count = asked->n_tags,
        .reattachable = is_reattachable(asked),
        .plan_hash = nilas_str_hash(nilas_str_slice(bytes, 0, HASHED_BYTES)) + bytes.size,
    };
    NILAS_AUTO(nilas_connect__operation) operation = NULL;
    bool found = false;
    NILAS_TRY(nilas_connect__operation_begin(client, &options, &operation, &found, err));
    NILAS_TRY(nilas_connect__operation_attach(operation, request->call, NULL, err));
    if (!found) {
        nilas_connect__operation_produce(operation, request->call);
        run_plan(request, operation);
    }
    nilas_connect__operation_stream(operation, request->call);
    return NILAS_OK;
}
