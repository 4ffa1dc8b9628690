/*
 * How a call failed: a Spark server puts google.rpc.Status into the trailer, with an ErrorInfo that
 * names condition and SQLSTATE.
 */
#include "wire/core.h"

#include <pthread.h>
#include <stdlib.h>

#define NAME_LIMIT 1000 // names of conditions that are kept; no honest server has more

/**
 * A text that lives as long as the process: errors point to the names of their conditions. NULL
 * when there are too many.
 */
static const char *keep_name(nilas_str name) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static char *names[NAME_LIMIT];
    static size_t count;
    const char *found = NULL;

    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count && found == NULL; i++) {
        found = nilas_str_is(name, names[i]) ? names[i] : NULL;
    }
    if (found == NULL && count < NAME_LIMIT && name.size < 200) {
        char *copy = strndup(name.data, name.size);
        if (copy != NULL) {
            names[count++] = copy;
            found = copy;
        }
    }
    pthread_mutex_unlock(&lock);
    return found;
}

static const char *find_metadata(const Sc__ErrorInfo *info, const char *key) {
    for (size_t i = 0; i < info->n_metadata; i++) {
        const Sc__ErrorInfo__MetadataEntry *entry = info->metadata[i];
        if (entry != NULL && entry->key != NULL && strcmp(entry->key, key) == 0) {
            return entry->value;
        }
    }
    return NULL;
}

static Sc__ErrorInfo *find_info(const Sc__RpcStatus *status) {
    nilas_error ignored = NILAS_ERROR_INIT;
    for (size_t i = 0; i < status->n_details; i++) {
        const Sc__Any *detail = status->details[i];
        if (detail == NULL || detail->type_url == NULL ||
            strstr(detail->type_url, "google.rpc.ErrorInfo") == NULL) {
            continue;
        }
        nilas_str bytes = {.data = (const char *)detail->value.data, .size = detail->value.len};
        ProtobufCMessage *message = NULL;
        if (nilas_wire_decode(&sc__error_info__descriptor, bytes, &message, &ignored) == NILAS_OK) {
            return (Sc__ErrorInfo *)message;
        }
    }
    return NULL;
}

static nilas_code code_of(int status) {
    switch (status) {
    case GRPC_STATUS_CANCELLED: return NILAS_CANCELLED;
    case GRPC_STATUS_UNAUTHENTICATED:
    case GRPC_STATUS_PERMISSION_DENIED: return NILAS_DENIED;
    case GRPC_STATUS_UNIMPLEMENTED: return NILAS_UNSUPPORTED;
    case GRPC_STATUS_UNAVAILABLE:
    case GRPC_STATUS_DEADLINE_EXCEEDED: return NILAS_IO;
    case GRPC_STATUS_RESOURCE_EXHAUSTED: return NILAS_LIMIT;
    default: return NILAS_ENGINE;
    }
}

/**
 * The message without what printers add: "[CONDITION] " and " SQLSTATE: 42P01", behind which Spark
 * may go on with the place in the text.
 */
static void print_bare(nilas_buf *out, nilas_str message, const char *condition) {
    size_t size = condition != NULL ? strlen(condition) : 0;
    message = nilas_str_trim(message);
    if (size > 0 && message.size > size + 2 && message.data[0] == '[' &&
        memcmp(message.data + 1, condition, size) == 0 && message.data[size + 1] == ']') {
        message = nilas_str_trim(nilas_str_slice(message, size + 2, message.size));
    }
    size_t state = nilas_str_find(message, NILAS_STR("SQLSTATE: "), 0);
    if (state == SIZE_MAX) {
        nilas_buf_add(out, message);
        return;
    }
    nilas_str after = nilas_str_slice(message, state + strlen("SQLSTATE: ") + 5, SIZE_MAX);
    nilas_buf_add(out, nilas_str_trim(nilas_str_slice(message, 0, state)));
    nilas_buf_add(out, after);
}

nilas_code nilas_wire_status_error(int status, nilas_str message, nilas_str details,
                                   nilas_error *err) {
    nilas_error ignored = NILAS_ERROR_INIT;
    ProtobufCMessage *decoded = NULL;
    Sc__ErrorInfo *info = NULL;
    nilas_assert(status != GRPC_STATUS_OK);
    if (details.size > 0 &&
        nilas_wire_decode(&sc__rpc_status__descriptor, details, &decoded, &ignored) == NILAS_OK) {
        info = find_info((const Sc__RpcStatus *)decoded);
        protobuf_c_message_free_unpacked(decoded, NULL);
    }
    const char *condition = info != NULL ? find_metadata(info, "errorClass") : NULL;
    const char *state = info != NULL ? find_metadata(info, "sqlState") : NULL;
    condition = condition != NULL ? keep_name(nilas_str_of(condition)) : NULL;
    state = state != NULL ? keep_name(nilas_str_of(state)) : NULL;
    NILAS_AUTO_BUF bare = {0};
    print_bare(&bare, message, condition);
    nilas_code code = code_of(status);
    (void)nilas_fail_at(err, code, condition, -1, "%.*s", NILAS_FMT(nilas_buf_view(&bare)));
    if (err != NULL && state != NULL) {
        err->sql_state = state;
    }
    if (info != NULL) {
        protobuf_c_message_free_unpacked(&info->base, NULL);
    }
    return code;
}
