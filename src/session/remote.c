/*
 * A far session: opened with our settings, asked in SQL, ended. A statement is a command first; the
 * answer is a relation, which holds the rows or is to be asked for.
 */
#include "session/remote.h"

#include <stdlib.h>

#define CHUNK_LIMIT (128 << 20) // what gRPC takes in one message

// ---- opening and ending -------------------------------------------------------------------------

static char *text_of(nilas_str text) {
    return (char *)(uintptr_t)text.data;
}

/** Who asks; the server may not care. */
static nilas_code find_user(nilas_remote *remote, nilas_str given, nilas_error *err) {
    const char *name = getenv("USER");
    nilas_str user = given.data != NULL ? given : nilas_str_of(name != NULL ? name : "nilas");
    nilas_str copy;
    NILAS_TRY(nilas_str_copy(remote->arena, user, &copy, err));
    remote->user_id = text_of(copy);
    return NILAS_OK;
}

static nilas_code find_session(nilas_remote *remote, nilas_str given, nilas_error *err) {
    nilas_uuid made;
    nilas_str copy;
    NILAS_TRY(nilas_uuid_new(&made, err));
    NILAS_REQUIRE(given.data == NULL || nilas_uuid_is(given), err, NILAS_INVALID,
                  "the address of the server: session_id is not a UUID");
    NILAS_TRY(nilas_str_copy(remote->arena, given.data != NULL ? given : nilas_str_of(made.text),
                             &copy, err));
    remote->session_id = text_of(copy);
    return NILAS_OK;
}

static nilas_code connect_to(nilas_remote *remote, const nilas_session_options *options,
                             nilas_error *err) {
    nilas_remote_url url;
    NILAS_TRY(nilas_remote__parse_url(remote->arena, options->remote, &url, err));
    NILAS_TRY(find_user(remote, url.user_id, err));
    NILAS_TRY(find_session(remote, url.session_id, err));
    const nilas_wire_channel_options channel = {
        .target = url.target,
        .tls = url.tls,
        .token = url.token,
        .user_agent =
            url.user_agent.data != NULL ? url.user_agent : NILAS_STR("nilas/" NILAS_VERSION),
    };
    return nilas_wire_channel_new(&channel, &remote->channel, err);
}

nilas_code nilas_remote__open(nilas_remote **out, const nilas_session *session,
                              const nilas_session_options *options, nilas_error *err) {
    NILAS_AUTO(nilas_remote) remote = calloc(1, sizeof(*remote));
    NILAS_REQUIRE(remote != NULL, err, NILAS_NOMEM, "out of memory");
    remote->arena = nilas_arena_new(NULL, 0);
    NILAS_REQUIRE(remote->arena != NULL, err, NILAS_NOMEM, "out of memory");
    remote->cancel = session->cancel;
    remote->progress = options->progress;
    remote->progress_context = options->progress_context;
    NILAS_TRY(connect_to(remote, options, err));
    NILAS_TRY(nilas_remote__set(remote, options->settings, options->setting_count, true, err));
    *out = remote;
    remote = NULL;
    return NILAS_OK;
}

static void release_session(nilas_remote *remote) {
    const nilas_wire_call_options options = {.method = "ReleaseSession", .timeout_ms = 2000};
    Sc__UserContext user = SC__USER_CONTEXT__INIT;
    Sc__ReleaseSessionRequest request = SC__RELEASE_SESSION_REQUEST__INIT;
    ProtobufCMessage *answer = NULL;
    nilas_error ignored = NILAS_ERROR_INIT;
    user.user_id = remote->user_id;
    request.session_id = remote->session_id;
    request.user_context = &user;
    if (nilas_wire_ask(remote->channel, &options, &request.base,
                       &sc__release_session_response__descriptor, &answer, &ignored) == NILAS_OK) {
        protobuf_c_message_free_unpacked(answer, NULL);
    }
}

void nilas_remote__free(nilas_remote *remote) {
    if (remote == NULL) {
        return;
    }
    if (remote->server_id != NULL) { // there is a session to end
        release_session(remote);
    }
    nilas_wire_channel_free(remote->channel);
    free(remote->server_id);
    nilas_arena_free(remote->arena);
    free(remote);
}

// ---- settings -----------------------------------------------------------------------------------

static nilas_code fill_pairs(nilas_arena *arena, Sc__ConfigRequest__Set *set,
                             const nilas_property *settings, size_t count, nilas_error *err) {
    Sc__KeyValue *pairs;
    NILAS_NEW_ARRAY(arena, &pairs, count, err);
    NILAS_NEW_ARRAY(arena, &set->pairs, count, err);
    for (size_t i = 0; i < count; i++) {
        nilas_str key;
        nilas_str value;
        NILAS_TRY(nilas_str_copy(arena, settings[i].key, &key, err));
        NILAS_TRY(nilas_str_copy(arena, settings[i].value, &value, err));
        sc__key_value__init(&pairs[i]);
        pairs[i].key = text_of(key);
        pairs[i]._value_case = SC__KEY_VALUE___VALUE_VALUE;
        pairs[i].value = text_of(value);
        set->pairs[i] = &pairs[i];
    }
    set->n_pairs = count;
    return NILAS_OK;
}

nilas_code nilas_remote__set(nilas_remote *remote, const nilas_property *settings, size_t count,
                             bool silent, nilas_error *err) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    Sc__UserContext user = SC__USER_CONTEXT__INIT;
    Sc__ConfigRequest__Set set = SC__CONFIG_REQUEST__SET__INIT;
    Sc__ConfigRequest__Operation operation = SC__CONFIG_REQUEST__OPERATION__INIT;
    Sc__ConfigRequest request = SC__CONFIG_REQUEST__INIT;
    ProtobufCMessage *answer = NULL;
    NILAS_REQUIRE(arena != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(fill_pairs(arena, &set, settings, count, err));
    set._silent_case = SC__CONFIG_REQUEST__SET___SILENT_SILENT;
    set.silent = silent;
    operation.op_type_case = SC__CONFIG_REQUEST__OPERATION__OP_TYPE_SET;
    operation.set = &set;
    user.user_id = remote->user_id;
    request.session_id = remote->session_id;
    request.user_context = &user;
    request.operation = &operation;
    NILAS_TRY(nilas_remote__ask(remote, "Config", &request.base, &sc__config_response__descriptor,
                                &answer, err));
    const char *server_id = ((Sc__ConfigResponse *)answer)->server_side_session_id;
    if (remote->server_id == NULL && server_id != NULL && server_id[0] != '\0') {
        remote->server_id = strdup(server_id);
    }
    protobuf_c_message_free_unpacked(answer, NULL);
    return NILAS_OK;
}

// ---- a statement --------------------------------------------------------------------------------

/** One statement there, while its rows are read. In the statement's arena. */
typedef struct answer {
    nilas_remote *remote;
    Sc__Plan plan;             // of the relation
    ProtobufCMessage *message; // that holds the relation
    ProtobufCMessage *schema;  // that holds the type's names
    nilas_remote_execution *execution;
    nilas_str first; // a stream that came with the type; data NULL: none, or given
    const nilas_type *type;
    nilas_buf chunk; // a batch that comes in parts
} answer;

static void free_message(ProtobufCMessage **message) {
    if (*message != NULL) {
        protobuf_c_message_free_unpacked(*message, NULL);
        *message = NULL;
    }
}

static void close_answer(void *context) {
    answer *a = context;
    nilas_remote__finish(a->execution);
    a->execution = NULL;
    nilas_buf_done(&a->chunk);
    free_message(&a->message);
    free_message(&a->schema);
}

/** The stream in a response, put together where it comes in parts; data NULL: not yet. */
static nilas_code take_batch(answer *a, const Sc__ExecutePlanResponse__ArrowBatch *batch,
                             nilas_str *out, nilas_error *err) {
    nilas_str data = {.data = (const char *)batch->data.data, .size = batch->data.len};
    bool in_parts =
        batch->_num_chunks_in_batch_case ==
            SC__EXECUTE_PLAN_RESPONSE__ARROW_BATCH___NUM_CHUNKS_IN_BATCH_NUM_CHUNKS_IN_BATCH &&
        batch->num_chunks_in_batch > 1;
    *out = data;
    if (!in_parts) {
        return NILAS_OK;
    }
    if (batch->chunk_index == 0) {
        nilas_buf_clear(&a->chunk);
    }
    nilas_buf_add(&a->chunk, data);
    NILAS_TRY(nilas_buf_check(&a->chunk, err));
    bool last = batch->chunk_index == batch->num_chunks_in_batch - 1;
    *out = last ? nilas_buf_view(&a->chunk) : (nilas_str){0};
    return NILAS_OK;
}

/** The types of the columns come once, before the rows. */
static nilas_code take_type(answer *a, nilas_arena *stmt, const Sc__ExecutePlanResponse *response,
                            nilas_error *err) {
    if (response->schema == NULL || a->type != NULL) {
        return NILAS_OK;
    }
    a->schema = nilas_remote__keep_response(a->execution);
    NILAS_TRY(nilas_session_type_of_message(stmt, response->schema, NULL, &a->type, err));
    NILAS_REQUIRE(a->type->kind == NILAS_TYPE_STRUCT, err, NILAS_CORRUPT,
                  "the server's answer has no columns");
    return NILAS_OK;
}

/** Read on until rows come; data NULL at the end. */
static nilas_code next_stream(answer *a, nilas_arena *stmt, nilas_str *out, nilas_error *err) {
    *out = (nilas_str){0};
    for (;;) {
        Sc__ExecutePlanResponse *response;
        NILAS_TRY(nilas_remote__next(a->execution, &response, err));
        if (response == NULL) {
            return NILAS_OK;
        }
        NILAS_TRY(take_type(a, stmt, response, err));
        if (response->response_type_case == SC__EXECUTE_PLAN_RESPONSE__RESPONSE_TYPE_ARROW_BATCH &&
            response->arrow_batch != NULL) {
            NILAS_TRY(take_batch(a, response->arrow_batch, out, err));
            if (out->data != NULL) {
                return NILAS_OK;
            }
        }
    }
}

static nilas_code give_stream(void *context, nilas_str *out, nilas_error *err) {
    answer *a = context;
    if (a->first.data != NULL || a->execution == NULL) {
        *out = a->first;
        a->first = (nilas_str){0};
        return NILAS_OK;
    }
    return next_stream(a, NULL, out, err);
}

/** Run the statement; what it answers stays in `a->message`. */
static nilas_code run_command(answer *a, nilas_str sql, const Sc__Relation **out,
                              nilas_error *err) {
    Sc__SQL query = SC__SQL__INIT;
    Sc__Relation relation = SC__RELATION__INIT;
    Sc__SqlCommand sql_command = SC__SQL_COMMAND__INIT;
    Sc__Command command = SC__COMMAND__INIT;
    Sc__Plan plan = SC__PLAN__INIT;
    NILAS_AUTO(nilas_remote_execution) execution = NULL;
    query.query = text_of(sql);
    relation.rel_type_case = SC__RELATION__REL_TYPE_SQL;
    relation.sql = &query;
    sql_command.sql = text_of(sql); // for servers before 4.0
    sql_command.input = &relation;
    command.command_type_case = SC__COMMAND__COMMAND_TYPE_SQL_COMMAND;
    command.sql_command = &sql_command;
    plan.op_type_case = SC__PLAN__OP_TYPE_COMMAND;
    plan.command = &command;
    NILAS_TRY(nilas_remote__execute(a->remote, &plan, &execution, err));
    *out = NULL;
    for (;;) {
        Sc__ExecutePlanResponse *response;
        NILAS_TRY(nilas_remote__next(execution, &response, err));
        if (response == NULL) {
            return NILAS_OK;
        }
        if (response->response_type_case ==
                SC__EXECUTE_PLAN_RESPONSE__RESPONSE_TYPE_SQL_COMMAND_RESULT &&
            a->message == NULL && response->sql_command_result != NULL) {
            a->message = nilas_remote__keep_response(execution);
            *out = ((Sc__ExecutePlanResponse *)a->message)->sql_command_result->relation;
        }
    }
}

/** Begin to read the rows: those of the answer itself, or of the relation that it names. */
static nilas_code begin_rows(answer *a, nilas_arena *stmt, const Sc__Relation *relation,
                             nilas_error *err) {
    if (relation == NULL) { // a command without an answer
        return NILAS_OK;
    }
    if (relation->rel_type_case == SC__RELATION__REL_TYPE_LOCAL_RELATION) {
        const Sc__LocalRelation *local = relation->local_relation;
        if (local != NULL && local->_data_case == SC__LOCAL_RELATION___DATA_DATA) {
            a->first = (nilas_str){.data = (const char *)local->data.data, .size = local->data.len};
        }
        return NILAS_OK;
    }
    sc__plan__init(&a->plan);
    a->plan.op_type_case = SC__PLAN__OP_TYPE_ROOT;
    a->plan.root = (Sc__Relation *)(uintptr_t)relation;
    NILAS_TRY(nilas_remote__execute(a->remote, &a->plan, &a->execution, err));
    return next_stream(a, stmt, &a->first, err);
}

static const nilas_zone *zone_of(const struct ArrowSchema *schema) {
    const nilas_zone *zone = NULL;
    if (schema->format != NULL && strncmp(schema->format, "tsu:", 4) == 0) {
        return nilas_zone_find(nilas_str_of(schema->format + 4));
    }
    for (int64_t i = 0; i < schema->n_children && zone == NULL; i++) {
        zone = zone_of(schema->children[i]);
    }
    return zone;
}

static nilas_code make_result(answer *a, nilas_arena *stmt, nilas_result **out,
                              const nilas_zone **out_zone, nilas_error *err) {
    const nilas_result_source source = {.next = give_stream, .close = close_answer, .context = a};
    struct ArrowSchema schema = {0};
    nilas_error ignored = NILAS_ERROR_INIT;
    NILAS_TRY(nilas_result_of_streams(stmt, a->type, &source, out, err));
    if (nilas_result_schema(*out, &schema, &ignored) == NILAS_OK) {
        const nilas_zone *zone = zone_of(&schema);
        *out_zone = zone != NULL ? zone : *out_zone;
        schema.release(&schema);
    }
    return NILAS_OK;
}

nilas_code nilas_remote__run(nilas_remote *remote, nilas_str text, nilas_result **out,
                             const nilas_zone **out_zone, nilas_error *err) {
    NILAS_AUTO(nilas_arena) stmt = nilas_arena_new(NULL, 0);
    NILAS_REQUIRE(stmt != NULL, err, NILAS_NOMEM, "out of memory for a statement");
    const Sc__Relation *relation;
    nilas_str sql;
    answer *a;
    NILAS_NEW(stmt, &a, err);
    a->remote = remote;
    a->chunk.max_size = CHUNK_LIMIT;
    NILAS_TRY(nilas_str_copy(stmt, text, &sql, err));
    nilas_code code = run_command(a, sql, &relation, err);
    if (code == NILAS_OK) {
        code = begin_rows(a, stmt, relation, err);
    }
    if (code != NILAS_OK) {
        close_answer(a);
        return code;
    }
    NILAS_TRY(make_result(a, stmt, out, out_zone, err));
    stmt = NULL; // the result's
    return NILAS_OK;
}
