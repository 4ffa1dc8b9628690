/*
 * The SQL text in a plan: errors point into it. A plan may hold several texts, and then nobody
 * knows which one is meant.
 */
#include "connect/plan.h"
#include "connect/server.h"

/** Texts found so far. */
typedef struct search {
    const char *first;
    size_t count;
    bool observed; // there is a CollectMetrics
} search;

static void find_texts(const ProtobufCMessage *message, search *found);

static void find_in_field(const ProtobufCMessage *message, const ProtobufCFieldDescriptor *field,
                          search *found) {
    const char *base = (const char *)message;
    if (field->label == PROTOBUF_C_LABEL_REPEATED) {
        size_t count = *(const size_t *)(base + field->quantifier_offset);
        const ProtobufCMessage *const *items =
            *(const ProtobufCMessage *const *const *)(base + field->offset);
        for (size_t i = 0; i < count; i++) {
            find_texts(items[i], found);
        }
        return;
    }
    bool in_oneof = (field->flags & PROTOBUF_C_FIELD_FLAG_ONEOF) != 0;
    if (!in_oneof || *(const uint32_t *)(base + field->quantifier_offset) == field->id) {
        find_texts(*(const ProtobufCMessage *const *)(base + field->offset), found);
    }
}

static void find_texts(const ProtobufCMessage *message, search *found) {
    if (message == NULL) {
        return;
    }
    const char *text = NULL;
    found->observed |= message->descriptor == &sc__collect_metrics__descriptor;
    if (message->descriptor == &sc__sql__descriptor) {
        text = ((const Sc__SQL *)message)->query;
    } else if (message->descriptor == &sc__expression__expression_string__descriptor) {
        text = ((const Sc__Expression__ExpressionString *)message)->expression;
    } else if (message->descriptor == &sc__sql_command__descriptor) {
        text = ((const Sc__SqlCommand *)message)->sql;
    }
    if (text != NULL && text[0] != '\0') {
        found->first = found->count++ == 0 ? text : found->first;
    }
    for (unsigned i = 0; i < message->descriptor->n_fields; i++) {
        if (message->descriptor->fields[i].type == PROTOBUF_C_TYPE_MESSAGE) {
            find_in_field(message, &message->descriptor->fields[i], found);
        }
    }
}

nilas_str nilas_connect__only_sql(const ProtobufCMessage *plan) {
    search found = {0};
    find_texts(plan, &found);
    return found.count == 1 ? nilas_str_of(found.first) : (nilas_str){0};
}

bool nilas_connect__is_observed(const ProtobufCMessage *plan) {
    search found = {0};
    find_texts(plan, &found);
    return found.observed;
}

void nilas_connect__explain_failure(const nilas_translation *translation,
                                    const ProtobufCMessage *plan, nilas_connect__failure *failure) {
    failure->sql = nilas_connect__only_sql(plan);
    if (failure->sql.data == NULL || translation->session == NULL) {
        return;
    }
    // What fails to parse again, and in the same way, has failed to parse.
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_error again = NILAS_ERROR_INIT;
    nilas_statement *statement = NULL;
    nilas_connect__plan parts = {0};
    nilas_connect__plan_init(&parts, translation, &again);
    if (arena != NULL &&
        nilas_sql_parse(arena, failure->sql, &parts.options, &statement, &again) != NILAS_OK) {
        failure->parsing = again.condition == failure->error.condition &&
                           again.sql_offset == failure->error.sql_offset;
    }
}
