/* AnalyzePlan: questions about a plan that run nothing. */
#include "connect/plan.h"
#include "connect/server.h"

#define SPARK_VERSION "4.0.5" // whose behaviour this is

/** One question: the answer's parts live in the request's arena. */
typedef struct question {
    nilas_connect__request *request;
    nilas_connect__client *client;
    nilas_arena *arena;
    nilas_translation translation;
    nilas_connect__lookup lookup;
    Sc__AnalyzePlanResponse *answer;
    nilas_error *err;
} question;

static nilas_code query_of(question *q, const Sc__Plan *plan, nilas_query **out) {
    const Sc__Relation *relation;
    NILAS_TRY(nilas_connect__open_root(q->arena, plan, &relation, q->err));
    return nilas_connect__translate_relation(&q->translation, relation, out, q->err);
}

static nilas_code type_of(question *q, const Sc__Plan *plan, const nilas_type **out) {
    const Sc__Relation *relation;
    NILAS_TRY(nilas_connect__open_root(q->arena, plan, &relation, q->err));
    if (relation->rel_type_case == SC__RELATION__REL_TYPE_SHOW_STRING ||
        relation->rel_type_case == SC__RELATION__REL_TYPE_HTML_STRING) {
        nilas_type_field field = {.name =
                                      relation->rel_type_case == SC__RELATION__REL_TYPE_SHOW_STRING
                                          ? NILAS_STR("show_string")
                                          : NILAS_STR("html_string"),
                                  .type = nilas_type_of(NILAS_TYPE_STRING)};
        return nilas_type_struct(q->arena, &field, 1, out, q->err);
    }
    nilas_query *query;
    NILAS_TRY(nilas_connect__translate_relation(&q->translation, relation, &query, q->err));
    return nilas_session_analyze(q->translation.session, q->arena, query, out, q->err);
}

/** A member of the answer: allocated, initialized, set. */
#define ANSWER(q, type, member, name, kind)                                                        \
    Sc__AnalyzePlanResponse__##type *part;                                                         \
    NILAS_NEW((q)->arena, &part, (q)->err);                                                        \
    protobuf_c_message_init(&sc__analyze_plan_response__##name##__descriptor, part);               \
    (q)->answer->member = part;                                                                    \
    (q)->answer->result_case = SC__ANALYZE_PLAN_RESPONSE__RESULT_##kind

static nilas_code answer_schema(question *q, const Sc__AnalyzePlanRequest *asked) {
    const nilas_type *type;
    NILAS_TRY(type_of(q, asked->schema->plan, &type));
    ANSWER(q, Schema, schema, schema, SCHEMA);
    return nilas_connect__message_of_type(q->arena, type, &part->schema, q->err);
}

static nilas_code answer_explain(question *q, const Sc__AnalyzePlanRequest *asked) {
    static const nilas_explain_mode modes[] = {NILAS_EXPLAIN_SIMPLE,   NILAS_EXPLAIN_SIMPLE,
                                               NILAS_EXPLAIN_EXTENDED, NILAS_EXPLAIN_CODEGEN,
                                               NILAS_EXPLAIN_COST,     NILAS_EXPLAIN_FORMATTED};
    size_t mode = (size_t)asked->explain->explain_mode;
    nilas_query *query;
    nilas_str text;
    NILAS_REQUIRE(mode < sizeof(modes) / sizeof(modes[0]), q->err, NILAS_INVALID,
                  "an unknown mode of explain()");
    NILAS_TRY(query_of(q, asked->explain->plan, &query));
    NILAS_TRY(nilas_session_explain_query(q->translation.session, q->arena, query, modes[mode],
                                          &text, q->err));
    ANSWER(q, Explain, explain, explain, EXPLAIN);
    part->explain_string = (char *)(uintptr_t)text.data;
    return NILAS_OK;
}

static nilas_code answer_tree_string(question *q, const Sc__AnalyzePlanRequest *asked) {
    const nilas_type *type;
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    nilas_str copy;
    NILAS_TRY(type_of(q, asked->tree_string->plan, &type));
    nilas_type_print_tree(&text, type,
                          asked->tree_string->_level_case != 0 ? asked->tree_string->level : 0);
    NILAS_TRY(nilas_buf_finish(&text, q->arena, &copy, q->err));
    ANSWER(q, TreeString, tree_string, tree_string, TREE_STRING);
    part->tree_string = (char *)(uintptr_t)copy.data;
    return NILAS_OK;
}

static nilas_code answer_is_local(question *q, const Sc__AnalyzePlanRequest *asked) {
    const Sc__Relation *relation;
    const nilas_type *type; // PySpark asks this to learn whether a column exists
    NILAS_TRY(nilas_connect__open_root(q->arena, asked->is_local->plan, &relation, q->err));
    NILAS_TRY(type_of(q, asked->is_local->plan, &type));
    ANSWER(q, IsLocal, is_local, is_local, IS_LOCAL);
    part->is_local = relation->rel_type_case == SC__RELATION__REL_TYPE_LOCAL_RELATION;
    return NILAS_OK;
}

static nilas_code answer_is_streaming(question *q, const Sc__AnalyzePlanRequest *asked) {
    const nilas_type *type; // a plan that is wrong is an error here, too
    NILAS_TRY(type_of(q, asked->is_streaming->plan, &type));
    ANSWER(q, IsStreaming, is_streaming, is_streaming, IS_STREAMING);
    part->is_streaming = false;
    return NILAS_OK;
}

static nilas_code answer_input_files(question *q, const Sc__AnalyzePlanRequest *asked) {
    nilas_query *query;
    nilas_str *files;
    size_t count;
    NILAS_TRY(query_of(q, asked->input_files->plan, &query));
    NILAS_TRY(
        nilas_session_input_files(q->translation.session, q->arena, query, &files, &count, q->err));
    ANSWER(q, InputFiles, input_files, input_files, INPUT_FILES);
    NILAS_NEW_ARRAY(q->arena, &part->files, count, q->err);
    for (size_t i = 0; i < count; i++) {
        nilas_str copy;
        NILAS_TRY(nilas_str_copy(q->arena, files[i], &copy, q->err));
        part->files[part->n_files++] = (char *)(uintptr_t)copy.data;
    }
    return NILAS_OK;
}

static nilas_code answer_version(question *q) {
    ANSWER(q, SparkVersion, spark_version, spark_version, SPARK_VERSION);
    part->version = (char *)(uintptr_t)SPARK_VERSION;
    return NILAS_OK;
}

/** A type, the columns of a table, or the fields of a struct without its name (`a: int`). */
static nilas_code parse_ddl(question *q, nilas_str text, const nilas_type **out) {
    nilas_error first = NILAS_ERROR_INIT; // of the two failures the first tells more
    nilas_error second = NILAS_ERROR_INIT;
    nilas_code code = nilas_connect__type_of_text(q->arena, text, out, &first);
    if (code == NILAS_INVALID) {
        NILAS_AUTO_BUF fields = NILAS_BUF_INIT(0);
        nilas_str whole;
        nilas_buf_add_text(&fields, "struct<");
        nilas_buf_add(&fields, nilas_str_trim(text));
        nilas_buf_add_char(&fields, '>');
        NILAS_TRY(nilas_buf_finish(&fields, q->arena, &whole, q->err));
        if (nilas_connect__type_of_text(q->arena, whole, out, &second) == NILAS_OK) {
            return NILAS_OK;
        }
    }
    if (code != NILAS_OK) {
        *q->err = first;
    }
    return code;
}

static nilas_code answer_ddl_parse(question *q, const Sc__AnalyzePlanRequest *asked) {
    const nilas_type *type;
    q->request->failure.sql = nilas_connect__text(asked->ddl_parse->ddl_string);
    q->request->failure.parsing = true;
    NILAS_TRY(parse_ddl(q, nilas_connect__text(asked->ddl_parse->ddl_string), &type));
    ANSWER(q, DDLParse, ddl_parse, ddlparse, DDL_PARSE);
    return nilas_connect__message_of_type(q->arena, type, &part->parsed, q->err);
}

static nilas_code answer_json_to_ddl(question *q, const Sc__AnalyzePlanRequest *asked) {
    const nilas_type *type;
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(0);
    nilas_str copy;
    NILAS_TRY(nilas_connect__type_of_text(
        q->arena, nilas_connect__text(asked->json_to_ddl->json_string), &type, q->err));
    nilas_connect__print_ddl(&text, type);
    NILAS_TRY(nilas_buf_finish(&text, q->arena, &copy, q->err));
    ANSWER(q, JsonToDDL, json_to_ddl, json_to_ddl, JSON_TO_DDL);
    part->ddl_string = (char *)(uintptr_t)copy.data;
    return NILAS_OK;
}

static nilas_code answer_same_semantics(question *q, const Sc__AnalyzePlanRequest *asked) {
    nilas_query *a, *b;
    bool same;
    NILAS_TRY(query_of(q, asked->same_semantics->target_plan, &a));
    NILAS_TRY(query_of(q, asked->same_semantics->other_plan, &b));
    NILAS_TRY(nilas_session_same_semantics(q->translation.session, q->arena, a, b, &same, q->err));
    ANSWER(q, SameSemantics, same_semantics, same_semantics, SAME_SEMANTICS);
    part->result = same;
    return NILAS_OK;
}

static nilas_code answer_semantic_hash(question *q, const Sc__AnalyzePlanRequest *asked) {
    nilas_query *query;
    int32_t hash;
    NILAS_TRY(query_of(q, asked->semantic_hash->plan, &query));
    NILAS_TRY(nilas_session_semantic_hash(q->translation.session, q->arena, query, &hash, q->err));
    ANSWER(q, SemanticHash, semantic_hash, semantic_hash, SEMANTIC_HASH);
    part->result = hash;
    return NILAS_OK;
}

/* --- caching: nothing is cached, but clients ask what they have asked for --- */

/** The name under which a plan's storage level is kept. */
static nilas_code level_name(question *q, const Sc__Relation *relation, nilas_str *out) {
    NILAS_AUTO_BUF bytes = NILAS_BUF_INIT(NILAS_LIMIT_WIRE_BYTES);
    NILAS_REQUIRE(relation != NULL, q->err, NILAS_INVALID, "the plan is empty");
    nilas_wire_encode(&bytes, &relation->base);
    NILAS_TRY(nilas_buf_check(&bytes, q->err));
    return nilas_str_print(q->arena, out, q->err, "level/%016llx/%zu",
                           (unsigned long long)nilas_str_hash(nilas_buf_view(&bytes)), bytes.size);
}

static nilas_code answer_persist(question *q, const Sc__AnalyzePlanRequest *asked) {
    Sc__StorageLevel level = SC__STORAGE_LEVEL__INIT;
    nilas_str name;
    NILAS_TRY(level_name(q, asked->persist->relation, &name));
    level.use_disk = level.use_memory = level.deserialized = true; // as cache() does
    level.replication = 1;
    if (asked->persist->storage_level != NULL) {
        level = *asked->persist->storage_level;
    }
    nilas_connect__drop_message(q->client, name.data);
    NILAS_TRY(nilas_connect__keep_message(q->client, name.data, &level.base, q->err));
    ANSWER(q, Persist, persist, persist, PERSIST);
    return NILAS_OK;
}

static nilas_code answer_unpersist(question *q, const Sc__AnalyzePlanRequest *asked) {
    nilas_str name;
    NILAS_TRY(level_name(q, asked->unpersist->relation, &name));
    nilas_connect__drop_message(q->client, name.data);
    ANSWER(q, Unpersist, unpersist, unpersist, UNPERSIST);
    return NILAS_OK;
}

static nilas_code answer_storage_level(question *q, const Sc__AnalyzePlanRequest *asked) {
    nilas_str name;
    NILAS_TRY(level_name(q, asked->get_storage_level->relation, &name));
    ProtobufCMessage *level =
        nilas_connect__find_message(&q->lookup, name, &sc__storage_level__descriptor);
    ANSWER(q, GetStorageLevel, get_storage_level, get_storage_level, GET_STORAGE_LEVEL);
    if (level == NULL) {
        NILAS_NEW(q->arena, &part->storage_level, q->err);
        sc__storage_level__init(part->storage_level);
        part->storage_level->replication = 1;
    } else {
        part->storage_level = (Sc__StorageLevel *)level;
    }
    return NILAS_OK;
}

/* --- the call --- */

static nilas_code make_answer(question *q, const Sc__AnalyzePlanRequest *asked) {
    NILAS_REQUIRE(asked->schema != NULL, q->err, NILAS_INVALID, "a question is missing");
    switch (asked->analyze_case) {
    case SC__ANALYZE_PLAN_REQUEST__ANALYZE_SCHEMA: return answer_schema(q, asked);
    case SC__ANALYZE_PLAN_REQUEST__ANALYZE_EXPLAIN: return answer_explain(q, asked);
    case SC__ANALYZE_PLAN_REQUEST__ANALYZE_TREE_STRING: return answer_tree_string(q, asked);
    case SC__ANALYZE_PLAN_REQUEST__ANALYZE_IS_LOCAL: return answer_is_local(q, asked);
    case SC__ANALYZE_PLAN_REQUEST__ANALYZE_IS_STREAMING: return answer_is_streaming(q, asked);
    case SC__ANALYZE_PLAN_REQUEST__ANALYZE_INPUT_FILES: return answer_input_files(q, asked);
    case SC__ANALYZE_PLAN_REQUEST__ANALYZE_SPARK_VERSION: return answer_version(q);
    case SC__ANALYZE_PLAN_REQUEST__ANALYZE_DDL_PARSE: return answer_ddl_parse(q, asked);
    case SC__ANALYZE_PLAN_REQUEST__ANALYZE_JSON_TO_DDL: return answer_json_to_ddl(q, asked);
    case SC__ANALYZE_PLAN_REQUEST__ANALYZE_SAME_SEMANTICS: return answer_same_semantics(q, asked);
    case SC__ANALYZE_PLAN_REQUEST__ANALYZE_SEMANTIC_HASH: return answer_semantic_hash(q, asked);
    case SC__ANALYZE_PLAN_REQUEST__ANALYZE_PERSIST: return answer_persist(q, asked);
    case SC__ANALYZE_PLAN_REQUEST__ANALYZE_UNPERSIST: return answer_unpersist(q, asked);
    case SC__ANALYZE_PLAN_REQUEST__ANALYZE_GET_STORAGE_LEVEL: return answer_storage_level(q, asked);
    default: return nilas_fail(q->err, NILAS_UNSUPPORTED, "a question that is not known here");
    }
}

nilas_code nilas_connect__analyze(nilas_connect__request *request, nilas_connect__client *client,
                                  nilas_error *err) {
    const Sc__AnalyzePlanRequest *asked = (const Sc__AnalyzePlanRequest *)request->message;
    Sc__AnalyzePlanResponse answer = SC__ANALYZE_PLAN_RESPONSE__INIT;
    question q = {.request = request,
                  .client = client,
                  .arena = request->arena,
                  .lookup = {.client = client, .stmt = request->arena},
                  .answer = &answer,
                  .err = err};
    nilas_session *session;
    NILAS_TRY(nilas_connect__client_session(client, &session, err));
    q.translation = (nilas_translation){.stmt = request->arena,
                                        .session = session,
                                        .artifact = nilas_connect__find_artifact,
                                        .remote_relation = nilas_connect__find_relation,
                                        .context = &q.lookup};
    nilas_code code = make_answer(&q, asked);
    if (code != NILAS_OK && request->failure.sql.data == NULL) {
        request->failure.error = *err;
        nilas_connect__explain_failure(&q.translation, request->message, &request->failure);
    }
    NILAS_TRY(code);
    answer.session_id = client->session_id.text;
    answer.server_side_session_id = client->server_id.text;
    nilas_wire_call_reply(request->call, &answer.base);
    return NILAS_OK;
}
