/**
 * Plans of Spark Connect: any bytes are a message or no message, and a message is a statement tree
 * or an error with a text. Nothing is run: the session only says how its SQL is read.
 */
#include "connect/translate.h"

#define MEMORY_BYTES (256UL << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static nilas_session *session; // one for all inputs: translation does not change it

static nilas_str find_artifact(void *context, nilas_str hash) {
    (void)context;
    return nilas_str_is(hash, "known") ? NILAS_STR("bytes that are no relation") : (nilas_str){0};
}

static const Sc__Relation *find_relation(void *context, nilas_str id) {
    (void)id;
    return context; // a checkpoint of itself: circles have to end
}

static void check(nilas_code code, const nilas_error *err) {
    nilas_assert(code == NILAS_OK || err->message[0] != '\0');
}

static void try_relation(const nilas_translation *translation, const Sc__Relation *relation) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_query *query;
    nilas_statement *statement;
    check(nilas_connect__translate_relation(translation, relation, &query, &err), &err);
    check(nilas_connect__translate_root(translation, relation, &statement, &err), &err);
}

static void try_command(const nilas_translation *translation, const Sc__Command *command) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_statement *statement;
    check(nilas_connect__translate_command(translation, command, &statement, &err), &err);
    if (command->command_type_case == SC__COMMAND__COMMAND_TYPE_SQL_COMMAND &&
        command->sql_command != NULL) {
        check(nilas_connect__translate_sql(translation, command->sql_command, &statement, &err),
              &err);
    }
}

static void try_type(nilas_arena *arena, const Sc__DataType *message) {
    nilas_error err = NILAS_ERROR_INIT;
    const nilas_type *type;
    Sc__DataType *back;
    nilas_code code = nilas_connect__type_of_message(arena, message, &type, &err);
    check(code, &err);
    if (code == NILAS_OK) {
        check(nilas_connect__message_of_type(arena, type, &back, &err), &err);
    }
}

static void try_message(const ProtobufCMessageDescriptor *descriptor, nilas_str bytes) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, MEMORY_BYTES);
    nilas_error err = NILAS_ERROR_INIT;
    ProtobufCMessage *message = NULL;
    nilas_code code = nilas_wire_decode(descriptor, bytes, &message, &err);
    check(code, &err);
    if (code != NILAS_OK) {
        return;
    }
    nilas_translation translation = {
        .stmt = arena,
        .session = session,
        .artifact = find_artifact,
        .remote_relation = find_relation,
        .context = descriptor == &sc__relation__descriptor ? message : NULL,
    };
    if (descriptor == &sc__relation__descriptor) {
        try_relation(&translation, (const Sc__Relation *)message);
    } else if (descriptor == &sc__command__descriptor) {
        try_command(&translation, (const Sc__Command *)message);
    } else {
        try_type(arena, (const Sc__DataType *)message);
    }
    protobuf_c_message_free_unpacked(message, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const ProtobufCMessageDescriptor *const kinds[] = {
        &sc__relation__descriptor, &sc__command__descriptor, &sc__data_type__descriptor};
    nilas_error err = NILAS_ERROR_INIT;
    nilas_session_options options = {0};
    if (session == NULL && nilas_session_new(&options, &session, &err) != NILAS_OK) {
        return 0;
    }
    if (size > 0) { // the first byte says what the others are to be
        nilas_str bytes = {.data = (const char *)data + 1, .size = size - 1};
        try_message(kinds[data[0] % 3], bytes);
    }
    return 0;
}
