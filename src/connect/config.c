/*
 * Config: the seven things that clients do with settings. A key that Spark has and the session has
 * not gets Spark's default (config_key.c); one that nobody knows is an error, as in Spark.
 */
#include "connect/config.h"

/** An answer while it is made: pairs in the request's arena. */
typedef struct answer {
    nilas_arena *arena;
    nilas_session *session;
    Sc__ConfigResponse message;
    NILAS_ARRAY_OF(Sc__KeyValue *) pairs;
} answer;

static nilas_code add_pair(answer *to, const char *key, nilas_str value, nilas_error *err) {
    Sc__KeyValue *pair;
    nilas_str copy;
    NILAS_NEW(to->arena, &pair, err);
    sc__key_value__init(pair);
    NILAS_TRY(nilas_str_copy(to->arena, nilas_str_of(key), &copy, err));
    pair->key = (char *)(uintptr_t)copy.data;
    if (value.data != NULL) {
        NILAS_TRY(nilas_str_copy(to->arena, value, &copy, err));
        pair->value = (char *)(uintptr_t)copy.data;
        pair->_value_case = SC__KEY_VALUE___VALUE_VALUE;
    }
    NILAS_PUSH(to->arena, &to->pairs, pair, err);
    return NILAS_OK;
}

/** What was set, or the default; data NULL: neither. */
static nilas_code find_value(const answer *to, const char *key, nilas_str *out, nilas_error *err) {
    NILAS_TRY(nilas_session_get(to->session, to->arena, key, out, err));
    if (out->data == NULL) {
        *out = nilas_str_of(nilas_connect__config_default(key));
    }
    return NILAS_OK;
}

static nilas_code fail_unknown(const char *key, nilas_error *err) {
    return nilas_fail_at(err, NILAS_NOT_FOUND, "SQL_CONF_NOT_FOUND", -1,
                         "The SQL config \"%.500s\" cannot be found. Please verify that the config "
                         "exists.",
                         key);
}

static nilas_code set_pair(answer *to, const Sc__KeyValue *pair, nilas_error *err) {
    const char *key = pair->key != NULL ? pair->key : "";
    NILAS_REQUIRE(pair->_value_case != 0, err, NILAS_INVALID,
                  "requirement failed: value cannot be null for key: %.500s", key);
    if (nilas_connect__config_is_static(key)) {
        return nilas_fail_at(err, NILAS_INVALID, "CANNOT_MODIFY_CONFIG", -1,
                             "Cannot modify the value of the Spark config: \"%.500s\". See also "
                             "'https://spark.apache.org/docs/latest/sql-migration-guide.html#"
                             "ddl-statements'.",
                             key);
    }
    return nilas_session_set(to->session, nilas_str_of(key), nilas_str_of(pair->value), err);
}

static nilas_code answer_set(answer *to, const Sc__ConfigRequest__Set *set, nilas_error *err) {
    for (size_t i = 0; i < set->n_pairs; i++) {
        nilas_error ignored = NILAS_ERROR_INIT;
        bool silent = set->_silent_case != 0 && set->silent; // builder options: what fits is taken
        nilas_code code = set_pair(to, set->pairs[i], silent ? &ignored : err);
        if (code != NILAS_OK && !silent) {
            return code;
        }
        NILAS_TRY(add_pair(to, set->pairs[i]->key, nilas_str_of(set->pairs[i]->value), err));
    }
    return NILAS_OK;
}

static nilas_code answer_get(answer *to, char *const *keys, size_t count, bool must_exist,
                             nilas_error *err) {
    for (size_t i = 0; i < count; i++) {
        nilas_str value;
        NILAS_TRY(find_value(to, keys[i], &value, err));
        if (must_exist && value.data == NULL && !nilas_connect__config_is_known(keys[i])) {
            return fail_unknown(keys[i], err);
        }
        NILAS_TRY(add_pair(to, keys[i], value, err));
    }
    return NILAS_OK;
}

static nilas_code answer_get_with_default(answer *to, const Sc__ConfigRequest__GetWithDefault *get,
                                          nilas_error *err) {
    for (size_t i = 0; i < get->n_pairs; i++) {
        nilas_str value; // the client's default stands before Spark's
        NILAS_TRY(nilas_session_get(to->session, to->arena, get->pairs[i]->key, &value, err));
        if (value.data == NULL && get->pairs[i]->_value_case != 0) {
            value = nilas_str_of(get->pairs[i]->value);
        }
        NILAS_TRY(add_pair(to, get->pairs[i]->key, value, err));
    }
    return NILAS_OK;
}

static nilas_code answer_get_all(answer *to, const Sc__ConfigRequest__GetAll *get,
                                 nilas_error *err) {
    nilas_str prefix = get->_prefix_case != 0 ? nilas_str_of(get->prefix) : NILAS_STR_EMPTY;
    nilas_property *settings;
    size_t count;
    NILAS_TRY(nilas_session_list_settings(to->session, to->arena, &settings, &count, err));
    for (size_t i = 0; i < count; i++) {
        if (nilas_str_starts(settings[i].key, prefix)) {
            NILAS_TRY(add_pair(to, settings[i].key.data + prefix.size, settings[i].value, err));
        }
    }
    return NILAS_OK;
}

static nilas_code answer_unset(answer *to, const Sc__ConfigRequest__Unset *unset,
                               nilas_error *err) {
    for (size_t i = 0; i < unset->n_keys; i++) {
        NILAS_TRY(nilas_session_unset(to->session, nilas_str_of(unset->keys[i]), err));
        NILAS_TRY(add_pair(to, unset->keys[i], (nilas_str){0}, err));
    }
    return NILAS_OK;
}

static nilas_code answer_is_modifiable(answer *to, const Sc__ConfigRequest__IsModifiable *ask,
                                       nilas_error *err) {
    for (size_t i = 0; i < ask->n_keys; i++) {
        const char *key = ask->keys[i];
        nilas_str value;
        NILAS_TRY(find_value(to, key, &value, err));
        bool modifiable = !nilas_connect__config_is_static(key) &&
                          (nilas_connect__config_is_known(key) || value.data != NULL);
        NILAS_TRY(add_pair(to, key, modifiable ? NILAS_STR("true") : NILAS_STR("false"), err));
    }
    return NILAS_OK;
}

static nilas_code make_answer(answer *to, const Sc__ConfigRequest__Operation *operation,
                              nilas_error *err) {
    NILAS_REQUIRE(operation != NULL && operation->set != NULL, err, NILAS_INVALID,
                  "a request about settings without an operation");
    switch (operation->op_type_case) {
    case SC__CONFIG_REQUEST__OPERATION__OP_TYPE_SET: return answer_set(to, operation->set, err);
    case SC__CONFIG_REQUEST__OPERATION__OP_TYPE_GET:
        return answer_get(to, operation->get->keys, operation->get->n_keys, true, err);
    case SC__CONFIG_REQUEST__OPERATION__OP_TYPE_GET_OPTION:
        return answer_get(to, operation->get_option->keys, operation->get_option->n_keys, false,
                          err);
    case SC__CONFIG_REQUEST__OPERATION__OP_TYPE_GET_WITH_DEFAULT:
        return answer_get_with_default(to, operation->get_with_default, err);
    case SC__CONFIG_REQUEST__OPERATION__OP_TYPE_GET_ALL:
        return answer_get_all(to, operation->get_all, err);
    case SC__CONFIG_REQUEST__OPERATION__OP_TYPE_UNSET:
        return answer_unset(to, operation->unset, err);
    case SC__CONFIG_REQUEST__OPERATION__OP_TYPE_IS_MODIFIABLE:
        return answer_is_modifiable(to, operation->is_modifiable, err);
    default: return nilas_fail(err, NILAS_INVALID, "a request about settings without an operation");
    }
}

nilas_code nilas_connect__config(nilas_connect__request *request, nilas_connect__client *client,
                                 nilas_error *err) {
    const Sc__ConfigRequest *asked = (const Sc__ConfigRequest *)request->message;
    answer to = {.arena = request->arena, .message = SC__CONFIG_RESPONSE__INIT};
    NILAS_TRY(nilas_connect__client_session(client, &to.session, err));
    NILAS_TRY(make_answer(&to, asked->operation, err));
    to.message.pairs = to.pairs.items;
    to.message.n_pairs = to.pairs.count;
    to.message.session_id = client->session_id.text;
    to.message.server_side_session_id = client->server_id.text;
    nilas_wire_call_reply(request->call, &to.message.base);
    return NILAS_OK;
}
