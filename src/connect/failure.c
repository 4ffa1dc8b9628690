/*
 * Failures in the words of Spark's clients: INTERNAL, the text "[CONDITION] message SQLSTATE: …",
 * and in the trailer an ErrorInfo with the Java classes from which a client picks its exception.
 * What does not fit into a trailer is kept for FetchErrorDetails.
 */
#include "connect/failure.h"

#define TRAILER_MESSAGE_SIZE    1000 // headers are small
#define TRAILER_PARAMETERS_SIZE 1000
#define FAILURE_ARENA_BYTES     (1 << 20)

void nilas_connect__status_done(nilas_connect__status *status) {
    nilas_buf_done(&status->message);
    nilas_buf_done(&status->details);
}

/** Line and position (both from 0 for the position, 1 for the line) of a byte in a text. */
static void find_place(nilas_str sql, size_t offset, size_t *out_line, size_t *out_position) {
    size_t start = 0;
    *out_line = 1;
    for (size_t i = 0; i < offset && i < sql.size; i++) {
        if (sql.data[i] == '\n') {
            start = i + 1;
            (*out_line)++;
        }
    }
    *out_position = nilas_str_codepoints(nilas_str_slice(sql, start, offset - start));
}

static bool has_place(const nilas_connect__failure *failure) {
    return failure->sql.data != NULL && failure->error.sql_offset >= 0 &&
           (size_t)failure->error.sql_offset <= failure->sql.size;
}

/** "(line 1, pos 7)" and the text with a caret line, as Spark's parser shows a mistake. */
static void print_parse_place(nilas_buf *out, nilas_str sql, size_t offset) {
    size_t line, position;
    find_place(sql, offset, &line, &position);
    nilas_buf_print(out, " (line %zu, pos %zu)\n\n== SQL ==\n", line, position);
    size_t end = nilas_str_find(sql, NILAS_STR("\n"), offset);
    end = end == SIZE_MAX ? sql.size : end;
    nilas_buf_add(out, nilas_str_slice(sql, 0, end));
    nilas_buf_add_char(out, '\n');
    for (size_t i = 0; i < position; i++) {
        nilas_buf_add_char(out, '-');
    }
    nilas_buf_add_text(out, "^^^\n");
    nilas_buf_add(out, nilas_str_slice(sql, end + 1, sql.size));
}

/** The whole text of a failure. */
static void print_message(nilas_buf *out, const nilas_connect__failure *failure) {
    const nilas_error *error = &failure->error;
    if (failure->parsing) {
        nilas_buf_add_char(out, '\n');
    }
    if (error->condition != NULL) {
        nilas_buf_print(out, "[%s] ", error->condition);
    }
    nilas_buf_add(out, nilas_str_trim(nilas_str_of(error->message)));
    if (error->sql_state != NULL) {
        nilas_buf_print(out, " SQLSTATE: %s", error->sql_state);
    }
    if (error->hint != NULL) {
        nilas_buf_print(out, "\nhint: %s", error->hint);
    }
    if (!has_place(failure)) {
        return;
    }
    if (failure->parsing) {
        print_parse_place(out, failure->sql, (size_t)error->sql_offset);
    } else if (error->sql_state != NULL &&
               nilas_str_starts(nilas_str_of(error->sql_state), NILAS_STR("42"))) {
        size_t line, position;
        find_place(failure->sql, (size_t)error->sql_offset, &line, &position);
        nilas_buf_print(out, "; line %zu pos %zu", line, position);
    }
}

/* --- the trailer --- */

static void add_entry(Sc__ErrorInfo *info, Sc__ErrorInfo__MetadataEntry *entries, const char *key,
                      const char *value) {
    Sc__ErrorInfo__MetadataEntry *entry = &entries[info->n_metadata];
    sc__error_info__metadata_entry__init(entry);
    entry->key = (char *)(uintptr_t)key;
    entry->value = (char *)(uintptr_t)value;
    info->metadata[info->n_metadata++] = entry;
}

static void print_classes(nilas_buf *out, const char *const *classes) {
    nilas_buf_add_char(out, '[');
    for (size_t i = 0; classes[i] != NULL; i++) {
        nilas_buf_add_text(out, i > 0 ? "," : "");
        nilas_json_print_string(out, nilas_str_of(classes[i]));
    }
    nilas_buf_add_text(out, "]");
    nilas_buf_add_char(out, '\0');
}

static void print_parameters(nilas_buf *out, const nilas_connect__parameters *parameters) {
    nilas_buf_add_char(out, '{');
    for (size_t i = 0; i < parameters->count; i++) {
        nilas_buf_add_text(out, i > 0 ? "," : "");
        nilas_json_print_string(out, parameters->names[i]);
        nilas_buf_add_char(out, ':');
        nilas_json_print_string(out, parameters->values[i]);
    }
    nilas_buf_add_text(out, "}");
    nilas_buf_add_char(out, '\0');
}

/** What an ErrorInfo is made of. */
typedef struct telling {
    const nilas_connect__failure *failure;
    const char *const *classes;
    const nilas_connect__parameters *parameters;
    const char *error_id; // NULL: nothing can be fetched
} telling;

static void encode_details(const telling *told, nilas_str message, nilas_buf *out) {
    NILAS_AUTO_BUF classes = NILAS_BUF_INIT(4096);
    NILAS_AUTO_BUF parameters = NILAS_BUF_INIT(TRAILER_PARAMETERS_SIZE);
    NILAS_AUTO_BUF info_bytes = NILAS_BUF_INIT(1 << 16);
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(1 << 16);
    Sc__ErrorInfo info = SC__ERROR_INFO__INIT;
    Sc__ErrorInfo__MetadataEntry entries[6];
    Sc__ErrorInfo__MetadataEntry *pointers[6];
    info.metadata = pointers;
    info.reason = (char *)(uintptr_t)told->classes[0];
    info.domain = (char *)(uintptr_t) "org.apache.spark";
    print_classes(&classes, told->classes);
    add_entry(&info, entries, "classes", classes.data);
    if (told->failure->error.condition != NULL) {
        print_parameters(&parameters, told->parameters);
        add_entry(&info, entries, "errorClass", told->failure->error.condition);
        if (parameters.failed == NILAS_OK) {
            add_entry(&info, entries, "messageParameters", parameters.data);
        }
    }
    if (told->failure->error.sql_state != NULL) {
        add_entry(&info, entries, "sqlState", told->failure->error.sql_state);
    }
    if (told->error_id != NULL) {
        add_entry(&info, entries, "errorId", told->error_id);
    }
    add_entry(&info, entries, "nilasCode", nilas_code_name(told->failure->error.code));
    nilas_wire_encode(&info_bytes, &info.base);

    Sc__Any any = SC__ANY__INIT;
    Sc__Any *anys[] = {&any};
    Sc__RpcStatus status = SC__RPC_STATUS__INIT;
    any.type_url = (char *)(uintptr_t) "type.googleapis.com/google.rpc.ErrorInfo";
    any.value.data = (uint8_t *)info_bytes.data;
    any.value.len = info_bytes.size;
    nilas_buf_add(&text, message);
    nilas_buf_add_char(&text, '\0');
    status.code = NILAS_WIRE_INTERNAL;
    status.message = text.data;
    status.n_details = 1;
    status.details = anys;
    nilas_wire_encode(out, &status.base);
}

/* --- what can be fetched --- */

static nilas_code copy_text(nilas_arena *arena, nilas_str text, char **out, nilas_error *err) {
    nilas_str copy;
    NILAS_TRY(nilas_str_copy(arena, text, &copy, err));
    *out = (char *)(uintptr_t)copy.data;
    return NILAS_OK;
}

/** The name or word at a place in a statement. */
static nilas_str word_at(nilas_str sql, size_t offset) {
    size_t end = offset;
    bool quoted = false;
    while (end < sql.size) {
        char c = sql.data[end];
        bool plain = c == '_' || c == '.' || (unsigned char)c >= 0x80 || (c >= '0' && c <= '9') ||
                     (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        quoted = c == '`' ? !quoted : quoted;
        if (!plain && !quoted && c != '`') {
            break;
        }
        end++;
    }
    return nilas_str_slice(sql, offset, end > offset ? end - offset : 1);
}

static nilas_code make_context(nilas_arena *arena, const nilas_connect__failure *failure,
                               Sc__FetchErrorDetailsResponse__SparkThrowable *throwable,
                               nilas_error *err) {
    if (!has_place(failure) || failure->parsing) {
        return NILAS_OK;
    }
    size_t offset = (size_t)failure->error.sql_offset;
    nilas_str word = word_at(failure->sql, offset);
    Sc__FetchErrorDetailsResponse__QueryContext *context;
    NILAS_NEW(arena, &context, err);
    sc__fetch_error_details_response__query_context__init(context);
    context->start_index = (int32_t)nilas_str_codepoints(nilas_str_slice(failure->sql, 0, offset));
    context->stop_index = context->start_index + (int32_t)nilas_str_codepoints(word) - 1;
    NILAS_TRY(copy_text(arena, word, &context->fragment, err));
    size_t line, position;
    find_place(failure->sql, offset, &line, &position);
    nilas_str summary;
    NILAS_TRY(nilas_str_print(arena, &summary, err, "== SQL (line %zu, position %zu) ==\n%.*s\n",
                              line, position + 1, NILAS_FMT(failure->sql)));
    context->summary = (char *)(uintptr_t)summary.data;
    NILAS_NEW_ARRAY(arena, &throwable->query_contexts, 1, err);
    throwable->query_contexts[0] = context;
    throwable->n_query_contexts = 1;
    return NILAS_OK;
}

static nilas_code make_parameters(nilas_arena *arena, const nilas_connect__parameters *parameters,
                                  Sc__FetchErrorDetailsResponse__SparkThrowable *throwable,
                                  nilas_error *err) {
    NILAS_NEW_ARRAY(arena, &throwable->message_parameters, parameters->count, err);
    for (size_t i = 0; i < parameters->count; i++) {
        Sc__FetchErrorDetailsResponse__SparkThrowable__MessageParametersEntry *entry;
        NILAS_NEW(arena, &entry, err);
        sc__fetch_error_details_response__spark_throwable__message_parameters_entry__init(entry);
        NILAS_TRY(copy_text(arena, parameters->names[i], &entry->key, err));
        NILAS_TRY(copy_text(arena, parameters->values[i], &entry->value, err));
        throwable->message_parameters[throwable->n_message_parameters++] = entry;
    }
    return NILAS_OK;
}

static nilas_code make_throwable(nilas_arena *arena, const telling *told,
                                 Sc__FetchErrorDetailsResponse__Error *error, nilas_error *err) {
    Sc__FetchErrorDetailsResponse__SparkThrowable *throwable;
    NILAS_NEW(arena, &throwable, err);
    sc__fetch_error_details_response__spark_throwable__init(throwable);
    throwable->error_class = (char *)(uintptr_t)told->failure->error.condition;
    throwable->_error_class_case =
        SC__FETCH_ERROR_DETAILS_RESPONSE__SPARK_THROWABLE___ERROR_CLASS_ERROR_CLASS;
    if (told->failure->error.sql_state != NULL) {
        throwable->sql_state = (char *)(uintptr_t)told->failure->error.sql_state;
        throwable->_sql_state_case =
            SC__FETCH_ERROR_DETAILS_RESPONSE__SPARK_THROWABLE___SQL_STATE_SQL_STATE;
    }
    NILAS_TRY(make_parameters(arena, told->parameters, throwable, err));
    NILAS_TRY(make_context(arena, told->failure, throwable, err));
    error->spark_throwable = throwable;
    error->_spark_throwable_case =
        SC__FETCH_ERROR_DETAILS_RESPONSE__ERROR___SPARK_THROWABLE_SPARK_THROWABLE;
    return NILAS_OK;
}

static nilas_code make_answer(nilas_arena *arena, const telling *told, nilas_str message,
                              Sc__FetchErrorDetailsResponse **out, nilas_error *err) {
    Sc__FetchErrorDetailsResponse *answer;
    Sc__FetchErrorDetailsResponse__Error *error;
    size_t count = 0;
    NILAS_NEW(arena, &answer, err);
    NILAS_NEW(arena, &error, err);
    sc__fetch_error_details_response__init(answer);
    sc__fetch_error_details_response__error__init(error);
    while (told->classes[count] != NULL) {
        count++;
    }
    NILAS_NEW_ARRAY(arena, &error->error_type_hierarchy, count, err);
    for (size_t i = 0; i < count; i++) {
        error->error_type_hierarchy[i] = (char *)(uintptr_t)told->classes[i];
    }
    error->n_error_type_hierarchy = count;
    NILAS_TRY(copy_text(arena, message, &error->message, err));
    if (told->failure->error.condition != NULL) {
        NILAS_TRY(make_throwable(arena, told, error, err));
    }
    NILAS_NEW_ARRAY(arena, &answer->errors, 1, err);
    answer->errors[0] = error;
    answer->n_errors = 1;
    answer->root_error_idx = 0;
    answer->_root_error_idx_case = SC__FETCH_ERROR_DETAILS_RESPONSE___ROOT_ERROR_IDX_ROOT_ERROR_IDX;
    *out = answer;
    return NILAS_OK;
}

/** Keep the answer for the client; the oldest one goes. False: out of memory, nothing is kept. */
static bool keep_answer(nilas_connect__client *client, const telling *told, nilas_str message,
                        nilas_uuid *out_id) {
    nilas_error ignored = NILAS_ERROR_INIT;
    nilas_arena *arena = nilas_arena_new(NULL, FAILURE_ARENA_BYTES);
    Sc__FetchErrorDetailsResponse *answer = NULL;
    if (arena == NULL || nilas_uuid_new(out_id, &ignored) != NILAS_OK ||
        make_answer(arena, told, message, &answer, &ignored) != NILAS_OK) {
        nilas_arena_free(arena);
        return false;
    }
    pthread_mutex_lock(&client->lock);
    size_t at = client->failure_next++ % NILAS_CONNECT_FAILURES;
    nilas_arena *oldest = client->failures[at];
    client->failures[at] = arena;
    client->failure_details[at] = answer;
    client->failure_ids[at] = *out_id;
    pthread_mutex_unlock(&client->lock);
    nilas_arena_free(oldest);
    return true;
}

nilas_code nilas_connect__fetch_error(nilas_connect__request *request,
                                      nilas_connect__client *client, nilas_error *err) {
    const Sc__FetchErrorDetailsRequest *asked =
        (const Sc__FetchErrorDetailsRequest *)request->message;
    Sc__FetchErrorDetailsResponse answer = SC__FETCH_ERROR_DETAILS_RESPONSE__INIT;
    nilas_arena *arena = NULL;
    (void)err;
    pthread_mutex_lock(&client->lock);
    for (size_t i = 0; i < NILAS_CONNECT_FAILURES; i++) {
        if (client->failures[i] != NULL && asked->error_id != NULL &&
            strcmp(client->failure_ids[i].text, asked->error_id) == 0) {
            answer = *client->failure_details[i];
            arena = client->failures[i]; // it is fetched once
            client->failures[i] = NULL;
        }
    }
    pthread_mutex_unlock(&client->lock);
    answer.session_id = client->session_id.text;
    answer.server_side_session_id = client->server_id.text;
    nilas_wire_call_reply(request->call, &answer.base);
    nilas_arena_free(arena);
    return NILAS_OK;
}

/* --- telling --- */

void nilas_connect__status_of(nilas_connect__client *client, const nilas_connect__failure *failure,
                              nilas_connect__status *out) {
    nilas_connect__parameters parameters = {0};
    NILAS_AUTO_BUF message = NILAS_BUF_INIT(FAILURE_ARENA_BYTES / 4);
    nilas_uuid id;
    nilas_connect__parameters_of(&failure->error, &parameters);
    telling told = {.failure = failure,
                    .classes = nilas_connect__classes_of(failure),
                    .parameters = &parameters};
    print_message(&message, failure);
    if (client != NULL && keep_answer(client, &told, nilas_buf_view(&message), &id)) {
        told.error_id = id.text;
    }
    *out = (nilas_connect__status){.code = NILAS_WIRE_INTERNAL,
                                   .message = NILAS_BUF_INIT(1 << 16),
                                   .details = NILAS_BUF_INIT(1 << 16)};
    nilas_str shown = nilas_str_slice(nilas_buf_view(&message), 0, TRAILER_MESSAGE_SIZE);
    while (shown.size > 0 && !nilas_str_is_utf8(shown)) {
        shown.size--; // not in the middle of a letter
    }
    nilas_buf_add(&out->message, shown);
    encode_details(&told, shown, &out->details);
}

void nilas_connect__fail_call(nilas_wire_call *call, nilas_connect__client *client,
                              const nilas_connect__failure *failure) {
    nilas_connect__status status;
    nilas_connect__status_of(client, failure, &status);
    nilas_wire_call_end(call, status.code, nilas_buf_view(&status.message),
                        nilas_buf_view(&status.details));
    nilas_connect__status_done(&status);
}
