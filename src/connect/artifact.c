/*
 * What clients upload: data of DataFrames that are too large for a plan, under cache/HASH. Code and
 * files are refused by name: nothing here runs them.
 */
#include "codec/codec.h"
#include "connect/server.h"

#include <stdlib.h>

#define CACHE NILAS_STR("cache/")

/* --- what is kept; the client's lock is held --- */

static nilas_connect__item *find_item(nilas_connect__item *items, nilas_str name) {
    for (nilas_connect__item *at = items; at != NULL; at = at->next) {
        if (nilas_str_is(name, at->name)) {
            return at;
        }
    }
    return NULL;
}

/** Put bytes (malloc'd, taken over on success) under a name; what was there stays. */
static nilas_code add_item(nilas_connect__item **items, nilas_str name, char *bytes, size_t size,
                           nilas_error *err) {
    nilas_connect__item *item = calloc(1, sizeof(*item));
    char *copy = strndup(name.data, name.size);
    if (item == NULL || copy == NULL) {
        free(item);
        free(copy);
        return nilas_fail(err, NILAS_NOMEM, "out of memory for what the client uploads");
    }
    *item = (nilas_connect__item){.next = *items, .name = copy, .bytes = bytes, .size = size};
    *items = item;
    return NILAS_OK;
}

nilas_str nilas_connect__find_artifact(void *lookup, nilas_str hash) {
    nilas_connect__client *client = ((nilas_connect__lookup *)lookup)->client;
    pthread_mutex_lock(&client->lock);
    const nilas_connect__item *item = find_item(client->artifacts, hash);
    pthread_mutex_unlock(&client->lock);
    if (item == NULL) {
        return (nilas_str){0};
    }
    return item->size > 0 ? (nilas_str){.data = item->bytes, .size = item->size} : NILAS_STR_EMPTY;
}

ProtobufCMessage *nilas_connect__find_message(const nilas_connect__lookup *lookup, nilas_str name,
                                              const ProtobufCMessageDescriptor *descriptor) {
    nilas_connect__client *client = lookup->client;
    nilas_error ignored = NILAS_ERROR_INIT;
    ProtobufCMessage *message = NULL;
    nilas_code code = NILAS_NOT_FOUND;
    pthread_mutex_lock(&client->lock);
    const nilas_connect__item *item = find_item(client->messages, name);
    if (item != NULL) {
        code = nilas_connect__decode(lookup->stmt, descriptor,
                                     (nilas_str){.data = item->bytes, .size = item->size}, &message,
                                     &ignored);
    }
    pthread_mutex_unlock(&client->lock);
    return code == NILAS_OK ? message : NULL;
}

const Sc__Relation *nilas_connect__find_relation(void *lookup, nilas_str id) {
    return (const Sc__Relation *)nilas_connect__find_message(lookup, id, &sc__relation__descriptor);
}

nilas_code nilas_connect__keep_message(nilas_connect__client *client, const char *name,
                                       const ProtobufCMessage *message, nilas_error *err) {
    NILAS_AUTO_BUF bytes = NILAS_BUF_INIT(NILAS_LIMIT_WIRE_BYTES);
    nilas_wire_encode(&bytes, message);
    NILAS_TRY(nilas_buf_check(&bytes, err));
    pthread_mutex_lock(&client->lock);
    nilas_code code = add_item(&client->messages, nilas_str_of(name), bytes.data, bytes.size, err);
    pthread_mutex_unlock(&client->lock);
    if (code == NILAS_OK) {
        bytes = (nilas_buf){0}; // its memory is the item's
    }
    return code;
}

void nilas_connect__drop_message(nilas_connect__client *client, const char *name) {
    nilas_connect__item *found = NULL;
    pthread_mutex_lock(&client->lock);
    for (nilas_connect__item **at = &client->messages; *at != NULL; at = &(*at)->next) {
        if (name != NULL && strcmp((*at)->name, name) == 0) {
            found = *at;
            *at = found->next;
            break;
        }
    }
    pthread_mutex_unlock(&client->lock);
    if (found != NULL) {
        free(found->name);
        free(found->bytes);
        free(found);
    }
}

/* --- ArtifactStatus --- */

nilas_code nilas_connect__artifact_status(nilas_connect__request *request,
                                          nilas_connect__client *client, nilas_error *err) {
    const Sc__ArtifactStatusesRequest *asked =
        (const Sc__ArtifactStatusesRequest *)request->message;
    Sc__ArtifactStatusesResponse answer = SC__ARTIFACT_STATUSES_RESPONSE__INIT;
    NILAS_NEW_ARRAY(request->arena, &answer.statuses, asked->n_names, err);
    for (size_t i = 0; i < asked->n_names; i++) {
        Sc__ArtifactStatusesResponse__StatusesEntry *entry;
        Sc__ArtifactStatusesResponse__ArtifactStatus *status;
        nilas_str name = nilas_str_of(asked->names[i] != NULL ? asked->names[i] : "");
        NILAS_NEW(request->arena, &entry, err);
        NILAS_NEW(request->arena, &status, err);
        sc__artifact_statuses_response__statuses_entry__init(entry);
        sc__artifact_statuses_response__artifact_status__init(status);
        if (nilas_str_starts(name, CACHE)) {
            nilas_connect__lookup lookup = {.client = client, .stmt = request->arena};
            status->exists =
                nilas_connect__find_artifact(&lookup, nilas_str_slice(name, CACHE.size, name.size))
                    .data != NULL;
        }
        entry->key = (char *)(uintptr_t)name.data;
        entry->value = status;
        answer.statuses[answer.n_statuses++] = entry;
    }
    answer.session_id = client->session_id.text;
    answer.server_side_session_id = client->server_id.text;
    nilas_wire_call_reply(request->call, &answer.base);
    return NILAS_OK;
}

/* --- AddArtifacts --- */

/** An upload on its way: a large artifact comes in pieces. */
typedef struct upload {
    nilas_connect__request *request;
    nilas_connect__client *client;
    char *name; // of the artifact whose pieces come; in the request's arena
    nilas_buf bytes;
    int64_t missing_pieces;
    bool damaged;
    NILAS_ARRAY_OF(Sc__AddArtifactsResponse__ArtifactSummary *) summaries;
} upload;

static nilas_code check_name(const char *name, nilas_error *err) {
    if (name != NULL && nilas_str_starts(nilas_str_of(name), CACHE)) {
        return NILAS_OK;
    }
    nilas_code code = nilas_fail_at(
        err, NILAS_UNSUPPORTED, "UNSUPPORTED_FEATURE", -1,
        "The artifact %.200s is not taken: nilas runs no code of its clients, and reads no files "
        "of them; only data of DataFrames (cache/…) is uploaded.",
        name != NULL ? name : "");
    err->hint = "say it with Spark SQL's functions, and put files where the server reads them";
    return code;
}

/** Whether a piece is what was sent; it is appended then. */
static bool take_piece(upload *up, const Sc__AddArtifactsRequest__ArtifactChunk *piece) {
    if (piece == NULL || (int64_t)nilas_crc32(piece->data.data, piece->data.len) != piece->crc) {
        return false;
    }
    nilas_buf_add_bytes(&up->bytes, piece->data.data, piece->data.len);
    return true;
}

/** All pieces are there. */
static nilas_code end_artifact(upload *up, nilas_error *err) {
    nilas_connect__client *client = up->client;
    nilas_str name = nilas_str_slice(nilas_str_of(up->name), CACHE.size, SIZE_MAX);
    Sc__AddArtifactsResponse__ArtifactSummary *summary;
    NILAS_NEW(up->request->arena, &summary, err);
    sc__add_artifacts_response__artifact_summary__init(summary);
    summary->name = up->name;
    summary->is_crc_successful = !up->damaged;
    NILAS_PUSH(up->request->arena, &up->summaries, summary, err);
    NILAS_TRY(nilas_buf_check(&up->bytes, err));
    nilas_code code = NILAS_OK;
    pthread_mutex_lock(&client->lock);
    if (!up->damaged && find_item(client->artifacts, name) == NULL) {
        bool fits =
            client->artifact_bytes + up->bytes.size <= (size_t)NILAS_LIMIT_CONNECT_ARTIFACTS;
        code = fits ? add_item(&client->artifacts, name, up->bytes.data, up->bytes.size, err)
                    : nilas_fail(err, NILAS_LIMIT, "the session has uploaded more than %lld bytes",
                                 NILAS_LIMIT_CONNECT_ARTIFACTS);
        if (code == NILAS_OK) {
            client->artifact_bytes += up->bytes.size;
            up->bytes = (nilas_buf)NILAS_BUF_INIT(NILAS_LIMIT_CONNECT_ARTIFACTS);
        }
    }
    pthread_mutex_unlock(&client->lock);
    nilas_buf_clear(&up->bytes);
    up->damaged = false;
    return code;
}

static nilas_code take_batch(upload *up, const Sc__AddArtifactsRequest__Batch *batch,
                             nilas_error *err) {
    for (size_t i = 0; i < batch->n_artifacts; i++) {
        NILAS_TRY(check_name(batch->artifacts[i]->name, err));
        nilas_str name;
        NILAS_TRY(nilas_str_copy(up->request->arena, nilas_str_of(batch->artifacts[i]->name), &name,
                                 err));
        up->name = (char *)(uintptr_t)name.data;
        up->damaged = !take_piece(up, batch->artifacts[i]->data);
        NILAS_TRY(end_artifact(up, err));
    }
    return NILAS_OK;
}

static nilas_code begin_artifact(upload *up,
                                 const Sc__AddArtifactsRequest__BeginChunkedArtifact *begin,
                                 nilas_error *err) {
    nilas_str name;
    NILAS_TRY(check_name(begin->name, err));
    NILAS_REQUIRE(up->missing_pieces == 0 && begin->num_chunks > 0, err, NILAS_INVALID,
                  "an artifact begins before the one before it has ended");
    NILAS_TRY(nilas_str_copy(up->request->arena, nilas_str_of(begin->name), &name, err));
    up->name = (char *)(uintptr_t)name.data;
    up->missing_pieces = begin->num_chunks - 1;
    up->damaged = !take_piece(up, begin->initial_chunk);
    return up->missing_pieces == 0 ? end_artifact(up, err) : NILAS_OK;
}

static nilas_code take_request(upload *up, const Sc__AddArtifactsRequest *message,
                               nilas_error *err) {
    NILAS_REQUIRE(message->batch != NULL, err, NILAS_INVALID, "an upload without content");
    switch (message->payload_case) {
    case SC__ADD_ARTIFACTS_REQUEST__PAYLOAD_BATCH: return take_batch(up, message->batch, err);
    case SC__ADD_ARTIFACTS_REQUEST__PAYLOAD_BEGIN_CHUNK:
        return begin_artifact(up, message->begin_chunk, err);
    case SC__ADD_ARTIFACTS_REQUEST__PAYLOAD_CHUNK:
        NILAS_REQUIRE(up->missing_pieces > 0, err, NILAS_INVALID,
                      "a piece of an artifact that has not begun");
        up->missing_pieces--;
        up->damaged = !take_piece(up, message->chunk) || up->damaged;
        return up->missing_pieces == 0 ? end_artifact(up, err) : NILAS_OK;
    default: return nilas_fail(err, NILAS_INVALID, "an upload without content");
    }
}

static nilas_code take_requests(upload *up, nilas_error *err) {
    NILAS_TRY(take_request(up, (const Sc__AddArtifactsRequest *)up->request->message, err));
    for (;;) {
        nilas_str bytes;
        NILAS_TRY(nilas_wire_call_receive(up->request->call, &bytes, err));
        if (bytes.data == NULL) {
            NILAS_REQUIRE(up->missing_pieces == 0, err, NILAS_INVALID,
                          "the upload ended before the artifact \"%.200s\" did", up->name);
            return NILAS_OK;
        }
        ProtobufCMessage *message = NULL;
        NILAS_TRY(nilas_wire_decode(&sc__add_artifacts_request__descriptor, bytes, &message, err));
        nilas_code code = take_request(up, (const Sc__AddArtifactsRequest *)message, err);
        protobuf_c_message_free_unpacked(message, NULL);
        NILAS_TRY(code);
    }
}

nilas_code nilas_connect__add_artifacts(nilas_connect__request *request,
                                        nilas_connect__client *client, nilas_error *err) {
    upload up = {.request = request,
                 .client = client,
                 .bytes = NILAS_BUF_INIT(NILAS_LIMIT_CONNECT_ARTIFACTS)};
    nilas_code code = take_requests(&up, err);
    nilas_buf_done(&up.bytes);
    NILAS_TRY(code);
    Sc__AddArtifactsResponse answer = SC__ADD_ARTIFACTS_RESPONSE__INIT;
    answer.artifacts = up.summaries.items;
    answer.n_artifacts = up.summaries.count;
    answer.session_id = client->session_id.text;
    answer.server_side_session_id = client->server_id.text;
    nilas_wire_call_reply(request->call, &answer.base);
    return NILAS_OK;
}
