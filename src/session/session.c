/**
 * The session: settings, catalogs, current namespace, temporary views; and the way of one
 * statement: parse, dispatch, run.
 */
#include "session/procedure.h"
#include "session/remote.h"

#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

static nilas_code apply_zone(nilas_session *session, nilas_error *err) {
    nilas_str name =
        nilas_settings_find(&session->settings, NILAS_STR("spark.sql.session.timeZone"));
    if (name.data == NULL) {
        session->zone = nilas_zone_local();
        return NILAS_OK;
    }
    const nilas_zone *zone = nilas_zone_find(name);
    if (zone == NULL) {
        return nilas_fail_at(err, NILAS_INVALID, "INVALID_CONF_VALUE.TIME_ZONE", -1,
                             "The value '%.*s' in the config \"spark.sql.session.timeZone\" is "
                             "invalid. Cannot resolve the given timezone.",
                             NILAS_FMT(name));
    }
    session->zone = zone;
    return NILAS_OK;
}

static nilas_code start_catalog(nilas_session *session, nilas_error *err) {
    nilas_str name = nilas_settings_find(&session->settings, NILAS_STR("spark.sql.defaultCatalog"));
    nilas_str initial = NILAS_STR("default");
    bool is_session = nilas_str_is(name, "spark_catalog");
    return nilas_session__use(session, name, &initial, is_session ? 1 : 0, err);
}

static nilas_code init_session(nilas_session *session, const nilas_session_options *options,
                               nilas_error *err) {
    NILAS_REQUIRE(session->arena != NULL, err, NILAS_NOMEM, "out of memory for a session");
    session->cancel = options->cancel;
    for (size_t i = 0; i < options->setting_count; i++) {
        NILAS_TRY(nilas_settings_put(&session->settings, options->settings[i].key,
                                     options->settings[i].value, err));
    }
    NILAS_TRY(apply_zone(session, err));
    NILAS_TRY(nilas_io_new(&session->io, err));
    session->engine_options = (nilas_engine_options){
        .zone = session->zone,
        .ansi = nilas_settings_is_true(&session->settings, "spark.sql.ansi.enabled"),
        .cancel = options->cancel,
        .progress = options->progress,
        .progress_context = options->progress_context,
    };
    NILAS_TRY(nilas_engine_new(&session->engine, &session->engine_options, err));
    NILAS_TRY(start_catalog(session, err));
    return options->remote.data != NULL
               ? nilas_remote__open(&session->remote, session, options, err)
               : NILAS_OK;
}

nilas_code nilas_session_new(const nilas_session_options *options, nilas_session **out,
                             nilas_error *err) {
    NILAS_AUTO(nilas_session) session = calloc(1, sizeof(*session));
    NILAS_REQUIRE(session != NULL, err, NILAS_NOMEM, "out of memory for a session");
    int failed = pthread_mutex_init(&session->lock, NULL);
    nilas_assert(failed == 0);
    session->arena = nilas_arena_new(NULL, 0);
    NILAS_TRY(init_session(session, options, err));
    *out = session;
    session = NULL;
    return NILAS_OK;
}

void nilas_session_free(nilas_session *session) {
    if (session == NULL) {
        return;
    }
    nilas_remote__free(session->remote);
    nilas_engine_free(session->engine);
    for (nilas_session_catalog *at = session->catalogs; at != NULL; at = at->next) {
        nilas_catalog_free(at->catalog);
    }
    nilas_session__clear_views(session);
    nilas_io_free(session->io);
    nilas_arena_free(session->current_arena);
    nilas_settings_done(&session->settings);
    nilas_arena_free(session->arena);
    pthread_mutex_destroy(&session->lock);
    free(session);
}

/* --- settings --- */

nilas_str nilas_session_setting(const nilas_session *session, const char *key) {
    nilas_str value = nilas_settings_find(&session->settings, nilas_str_of(key));
    if (value.data == NULL && strcmp(key, "spark.sql.session.timeZone") == 0) {
        return nilas_zone_name(session->zone);
    }
    return value;
}

nilas_code nilas_session_get(nilas_session *session, nilas_arena *arena, const char *key,
                             nilas_str *out, nilas_error *err) {
    nilas_str copy = {0};
    nilas_code code = NILAS_OK;
    pthread_mutex_lock(&session->lock);
    nilas_str value = nilas_session_setting(session, key);
    if (value.data != NULL) {
        code = nilas_str_copy(arena, value, &copy, err);
    }
    pthread_mutex_unlock(&session->lock);
    if (code == NILAS_OK) {
        *out = copy;
    }
    return code;
}

bool nilas_session_is_set(nilas_session *session, const char *key) {
    pthread_mutex_lock(&session->lock);
    bool is_true = nilas_str_is_nocase(nilas_session_setting(session, key), "true");
    pthread_mutex_unlock(&session->lock);
    return is_true;
}

nilas_code nilas_session__apply_settings(nilas_session *session, nilas_error *err) {
    NILAS_TRY(apply_zone(session, err));
    nilas_engine_set_zone(session->engine, session->zone);
    nilas_engine_set_ansi(session->engine,
                          nilas_settings_is_true(&session->settings, "spark.sql.ansi.enabled"));
    return NILAS_OK;
}

static nilas_code put_setting(nilas_session *session, nilas_str key, nilas_str value,
                              nilas_error *err) {
    NILAS_TRY(nilas_settings_put(&session->settings, key, value, err));
    return nilas_session__apply_settings(session, err);
}

nilas_code nilas_session_set(nilas_session *session, nilas_str key, nilas_str value,
                             nilas_error *err) {
    if (nilas_str_is(key, "spark.sql.session.timeZone") && nilas_zone_find(value) == NULL) {
        return nilas_fail_at(err, NILAS_INVALID, "INVALID_CONF_VALUE.TIME_ZONE", -1,
                             "The value '%.*s' in the config \"spark.sql.session.timeZone\" is "
                             "invalid. Cannot resolve the given timezone.",
                             NILAS_FMT(value));
    }
    if (session->remote != NULL) {
        const nilas_property setting = {.key = key, .value = value};
        NILAS_TRY(nilas_remote__set(session->remote, &setting, 1, false, err));
    }
    nilas_code code = put_setting(nilas_session__begin_change(session), key, value, err);
    return nilas_session__end_change(session, code, err);
}

nilas_code nilas_session_unset(nilas_session *session, nilas_str key, nilas_error *err) {
    nilas_session *changed = nilas_session__begin_change(session);
    nilas_settings_remove(&changed->settings, key);
    nilas_code code = nilas_session__apply_settings(changed, err);
    return nilas_session__end_change(session, code, err);
}

static nilas_code copy_settings(const nilas_session *session, nilas_arena *arena,
                                nilas_property *out, nilas_error *err) {
    for (size_t i = 0; i < session->settings.count; i++) {
        const nilas_setting *setting = &session->settings.items[i];
        nilas_str key = nilas_str_of(setting->key);
        nilas_str value = nilas_settings_is_secret(key) ? NILAS_STR("*********(redacted)")
                                                        : nilas_str_of(setting->value);
        NILAS_TRY(nilas_str_copy(arena, key, &out[i].key, err));
        NILAS_TRY(nilas_str_copy(arena, value, &out[i].value, err));
    }
    return NILAS_OK;
}

nilas_code nilas_session_list_settings(nilas_session *session, nilas_arena *arena,
                                       nilas_property **out, size_t *out_count, nilas_error *err) {
    void *list = NULL;
    pthread_mutex_lock(&session->lock);
    size_t count = session->settings.count;
    nilas_code code = nilas_arena_alloc_array(arena, count, sizeof(**out), &list, err);
    if (code == NILAS_OK) {
        code = copy_settings(session, arena, list, err);
    }
    pthread_mutex_unlock(&session->lock);
    NILAS_TRY(code);
    *out = list;
    *out_count = count;
    return NILAS_OK;
}

const nilas_zone *nilas_session_zone(const nilas_session *session) {
    pthread_mutex_t *lock = &((nilas_session *)(uintptr_t)session)->lock;
    pthread_mutex_lock(lock);
    const nilas_zone *zone = session->zone;
    pthread_mutex_unlock(lock);
    return zone;
}

nilas_code nilas_session__sql_options(const nilas_session *session, nilas_sql_options *out) {
    *out = (nilas_sql_options){
        .ansi_reserved =
            nilas_settings_is_true(&session->settings, "spark.sql.ansi.enforceReservedKeywords"),
        .double_quoted_identifiers =
            nilas_settings_is_true(&session->settings, "spark.sql.ansi.doubleQuotedIdentifiers"),
        .escaped_string_literals =
            nilas_settings_is_true(&session->settings, "spark.sql.parser.escapedStringLiterals"),
        .legacy_exponent_decimal = nilas_settings_is_true(
            &session->settings, "spark.sql.legacy.exponentLiteralAsDecimal.enabled"),
    };
    return NILAS_OK;
}

/* --- catalogs --- */

/** The settings below "spark.sql.catalog.NAME." as the catalog's own properties. */
static nilas_code catalog_properties(nilas_session *session, nilas_arena *arena, nilas_str prefix,
                                     nilas_property **out, size_t *out_count, nilas_error *err) {
    NILAS_ARRAY_OF(nilas_property) list = {0};
    for (size_t i = 0; i < session->settings.count; i++) {
        nilas_str key = nilas_str_of(session->settings.items[i].key);
        if (key.size > prefix.size && nilas_str_starts(key, prefix)) {
            nilas_property property = {.key = nilas_str_slice(key, prefix.size, key.size),
                                       .value = nilas_str_of(session->settings.items[i].value)};
            NILAS_PUSH(arena, &list, property, err);
        }
    }
    *out = list.items;
    *out_count = list.count;
    return NILAS_OK;
}

/** Keep a catalog that was opened for a statement. The session is locked. */
static nilas_code keep_catalog(nilas_session *owner, nilas_str name, nilas_catalog *catalog,
                               nilas_session_catalog **out, nilas_error *err) {
    nilas_session_catalog *entry;
    NILAS_NEW(owner->arena, &entry, err);
    NILAS_TRY(nilas_str_copy(owner->arena, name, &entry->name, err));
    entry->catalog = catalog;
    entry->is_lent = true;
    // In the order of first use, as SHOW CATALOGS lists them.
    nilas_session_catalog **tail = &owner->catalogs;
    while (*tail != NULL) {
        tail = &(*tail)->next;
    }
    *tail = entry;
    *out = entry;
    return NILAS_OK;
}

static nilas_code open_catalog(nilas_session *session, nilas_str name, nilas_str implementation,
                               bool embedded, nilas_session_catalog **out, nilas_error *err) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    NILAS_REQUIRE(arena != NULL, err, NILAS_NOMEM, "out of memory for a catalog");
    nilas_str prefix;
    NILAS_TRY(nilas_str_print(arena, &prefix, err, "spark.sql.catalog.%.*s.", NILAS_FMT(name)));
    nilas_catalog_options options = {
        .name = name, .implementation = implementation, .io = session->io, .embedded = embedded};
    nilas_property *properties;
    NILAS_TRY(
        catalog_properties(session, arena, prefix, &properties, &options.property_count, err));
    options.properties = properties;
    nilas_catalog *catalog;
    NILAS_TRY(nilas_catalog_open(&options, &catalog, err));
    pthread_mutex_lock(&session->owner->lock);
    nilas_code code = keep_catalog(session->owner, name, catalog, out, err);
    pthread_mutex_unlock(&session->owner->lock);
    if (code != NILAS_OK) {
        nilas_catalog_free(catalog);
    }
    return code;
}

/** One of the session's that no other statement uses. */
static nilas_session_catalog *borrow_catalog(nilas_session *owner, nilas_str name) {
    nilas_session_catalog *found = NULL;
    pthread_mutex_lock(&owner->lock);
    for (nilas_session_catalog *at = owner->catalogs; at != NULL && found == NULL; at = at->next) {
        found = !at->is_lent && nilas_str_equal(at->name, name) ? at : NULL;
    }
    if (found != NULL) {
        found->is_lent = true;
    }
    pthread_mutex_unlock(&owner->lock);
    return found;
}

/** NULL in *out: there is none of the name. */
static nilas_code take_catalog(nilas_session *session, nilas_str name, nilas_session_catalog **out,
                               nilas_error *err) {
    *out = borrow_catalog(session->owner, name);
    if (*out != NULL) {
        return NILAS_OK;
    }
    NILAS_AUTO_BUF key = NILAS_BUF_INIT(4096);
    nilas_buf_add_text(&key, "spark.sql.catalog.");
    nilas_buf_add(&key, name);
    nilas_str implementation = nilas_settings_find(&session->settings, nilas_buf_view(&key));
    bool is_session = nilas_str_is(name, "spark_catalog");
    if (implementation.data == NULL && !is_session) {
        return NILAS_OK;
    }
    return open_catalog(session, name, implementation, implementation.data == NULL, out, err);
}

nilas_code nilas_session__catalog(nilas_session *session, nilas_str name, nilas_catalog **out,
                                  nilas_error *err) {
    nilas_session_catalog *entry = NULL;
    nilas_assert(session->owner != NULL);
    *out = NULL;
    for (size_t i = 0; i < session->lent.count; i++) {
        if (nilas_str_equal(session->lent.items[i]->name, name)) {
            *out = session->lent.items[i]->catalog;
            return NILAS_OK;
        }
    }
    NILAS_PUSH(session->arena, &session->lent, NULL, err); // room first: a loan must not be lost
    session->lent.count--;
    NILAS_TRY(take_catalog(session, name, &entry, err));
    if (entry != NULL) {
        session->lent.items[session->lent.count++] = entry;
        *out = entry->catalog;
    }
    return NILAS_OK;
}

static bool has_name(const nilas_str *names, size_t count, nilas_str name) {
    for (size_t i = 0; i < count; i++) {
        if (nilas_str_equal(names[i], name)) {
            return true;
        }
    }
    return false;
}

nilas_code nilas_session__catalog_names(nilas_session *fork, nilas_arena *arena, nilas_str **out,
                                        size_t *out_count, nilas_error *err) {
    nilas_session *owner = fork->owner;
    size_t most = 0;
    size_t count = 0;
    nilas_str *names;
    pthread_mutex_lock(&owner->lock);
    for (const nilas_session_catalog *at = owner->catalogs; at != NULL; at = at->next) {
        most++;
    }
    pthread_mutex_unlock(&owner->lock);
    NILAS_NEW_ARRAY(arena, &names, most, err);
    pthread_mutex_lock(&owner->lock); // the list only grows
    const nilas_session_catalog *at = owner->catalogs;
    for (size_t i = 0; i < most; i++, at = at->next) {
        if (!has_name(names, count, at->name)) {
            names[count++] = at->name;
        }
    }
    pthread_mutex_unlock(&owner->lock);
    *out = names;
    *out_count = count;
    return NILAS_OK;
}

static nilas_code use(nilas_session *session, nilas_str catalog, const nilas_str *parts,
                      size_t count, nilas_error *err) {
    nilas_arena *arena = nilas_arena_new(NULL, 0);
    NILAS_REQUIRE(arena != NULL, err, NILAS_NOMEM, "out of memory for the current namespace");
    nilas_str name;
    nilas_str *copy;
    nilas_code code = nilas_str_copy(arena, catalog, &name, err);
    void *memory = NULL;
    if (code == NILAS_OK) {
        code = nilas_arena_alloc_array(arena, count, sizeof(*copy), &memory, err);
    }
    copy = memory;
    for (size_t i = 0; i < count && code == NILAS_OK; i++) {
        code = nilas_str_copy(arena, parts[i], &copy[i], err);
    }
    if (code != NILAS_OK) {
        nilas_arena_free(arena);
        return code;
    }
    nilas_arena_free(session->current_arena);
    session->current_arena = arena;
    session->current_catalog = name;
    session->current_namespace = copy;
    session->namespace_count = count;
    return NILAS_OK;
}

nilas_code nilas_session__use(nilas_session *session, nilas_str catalog, const nilas_str *parts,
                              size_t count, nilas_error *err) {
    nilas_code code = use(nilas_session__begin_change(session), catalog, parts, count, err);
    return nilas_session__end_change(session, code, err);
}

/* --- one statement --- */

typedef nilas_code command_fn(nilas_run *run, nilas_error *err);

static nilas_code no_operation(nilas_run *run, nilas_error *err) {
    return nilas_session__no_rows(run, err);
}

static const struct {
    nilas_statement_kind kind;
    command_fn *run;
} commands[] = {
    {NILAS_STATEMENT_QUERY, nilas_command__query},
    {NILAS_STATEMENT_EXPLAIN, nilas_command__explain},
    {NILAS_STATEMENT_INSERT, nilas_command__change},
    {NILAS_STATEMENT_DELETE, nilas_command__change},
    {NILAS_STATEMENT_UPDATE, nilas_command__change},
    {NILAS_STATEMENT_MERGE, nilas_command__change},
    {NILAS_STATEMENT_TRUNCATE_TABLE, nilas_command__truncate},
    {NILAS_STATEMENT_CREATE_TABLE, nilas_command__create_table},
    {NILAS_STATEMENT_DROP_TABLE, nilas_command__drop_table},
    {NILAS_STATEMENT_RENAME_TABLE, nilas_command__rename_table},
    {NILAS_STATEMENT_ALTER_TABLE, nilas_command__alter_table},
    {NILAS_STATEMENT_COMMENT_ON, nilas_command__comment_on},
    {NILAS_STATEMENT_CREATE_NAMESPACE, nilas_command__create_namespace},
    {NILAS_STATEMENT_DROP_NAMESPACE, nilas_command__drop_namespace},
    {NILAS_STATEMENT_ALTER_NAMESPACE, nilas_command__alter_namespace},
    {NILAS_STATEMENT_SET, nilas_command__set},
    {NILAS_STATEMENT_SET_TIME_ZONE, nilas_command__set_time_zone},
    {NILAS_STATEMENT_RESET, nilas_command__reset},
    {NILAS_STATEMENT_USE, nilas_command__use},
    {NILAS_STATEMENT_SET_CATALOG, nilas_command__use},
    {NILAS_STATEMENT_SHOW_NAMESPACES, nilas_command__show_namespaces},
    {NILAS_STATEMENT_SHOW_CATALOGS, nilas_command__show_catalogs},
    {NILAS_STATEMENT_SHOW_TABLES, nilas_command__show_tables},
    {NILAS_STATEMENT_SHOW_TABLE_EXTENDED, nilas_command__show_table_extended},
    {NILAS_STATEMENT_SHOW_VIEWS, nilas_command__show_views},
    {NILAS_STATEMENT_SHOW_TBLPROPERTIES, nilas_command__show_tblproperties},
    {NILAS_STATEMENT_SHOW_CREATE_TABLE, nilas_command__show_create_table},
    {NILAS_STATEMENT_SHOW_COLUMNS, nilas_command__show_columns},
    {NILAS_STATEMENT_SHOW_PARTITIONS, nilas_command__show_partitions},
    {NILAS_STATEMENT_SHOW_FUNCTIONS, nilas_command__show_functions},
    {NILAS_STATEMENT_SHOW_CURRENT_NAMESPACE, nilas_command__show_current_namespace},
    {NILAS_STATEMENT_DESCRIBE_TABLE, nilas_command__describe_table},
    {NILAS_STATEMENT_DESCRIBE_NAMESPACE, nilas_command__describe_namespace},
    {NILAS_STATEMENT_DESCRIBE_FUNCTION, nilas_command__describe_function},
    {NILAS_STATEMENT_DESCRIBE_QUERY, nilas_command__describe_query},
    {NILAS_STATEMENT_CREATE_VIEW, nilas_command__create_view},
    {NILAS_STATEMENT_CREATE_TEMP_VIEW_USING, nilas_command__create_view},
    {NILAS_STATEMENT_DROP_VIEW, nilas_command__drop_view},
    {NILAS_STATEMENT_ALTER_VIEW, nilas_command__alter_view},
    {NILAS_STATEMENT_CACHE_TABLE, nilas_command__cache_table},
    {NILAS_STATEMENT_CALL, nilas_command__call},
    {NILAS_STATEMENT_CATALOG, nilas_command__catalog},
    {NILAS_STATEMENT_SAVE_FILES, nilas_command__save_files},
    {NILAS_STATEMENT_UNCACHE_TABLE, no_operation},
    {NILAS_STATEMENT_CLEAR_CACHE, no_operation},
    {NILAS_STATEMENT_REFRESH_TABLE, no_operation},
};

static nilas_code dispatch(nilas_run *run, nilas_error *err) {
    if (run->statement->identifier != NULL) { // the parser has made a name of a mere literal
        return nilas_fail_at(err, NILAS_UNSUPPORTED, "UNSUPPORTED_FEATURE", run->statement->offset,
                             "IDENTIFIER(…) with more than a literal, as the object of %s, is not "
                             "supported by nilas.",
                             nilas_statement_name(run->statement->kind));
    }
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        if (commands[i].kind == run->statement->kind) {
            return commands[i].run(run, err);
        }
    }
    if (run->statement->kind == NILAS_STATEMENT_UNSUPPORTED) {
        return nilas_fail_at(err, NILAS_UNSUPPORTED, "UNSUPPORTED_FEATURE", run->statement->offset,
                             "%.*s is not supported by nilas.", NILAS_FMT(run->statement->value));
    }
    return nilas_fail_at(err, NILAS_UNSUPPORTED, "UNSUPPORTED_FEATURE", run->statement->offset,
                         "%s is not supported by nilas yet.",
                         nilas_statement_name(run->statement->kind));
}

/** Run a statement on what it sees of the session; `stmt` is taken over. */
static nilas_code run_in(nilas_session *fork, nilas_arena *stmt, const nilas_statement *statement,
                         nilas_result **out, nilas_error *err) {
    nilas_run run = {.session = fork, .stmt = stmt, .statement = statement};
    nilas_map_init(&run.tables, stmt, false);
    nilas_session__environment(&run, nilas_now_micros());
    nilas_code code = dispatch(&run, err);
    nilas_session__return_catalogs(fork);
    nilas_arena_free(run.stmt); // NULL when the result has taken it over
    if (code == NILAS_OK) {
        nilas_assert(run.result != NULL);
        *out = run.result;
    }
    return code;
}

static nilas_code run_there(nilas_session *session, nilas_str text, nilas_result **out,
                            nilas_error *err) {
    const nilas_zone *zone = session->zone;
    NILAS_TRY(nilas_remote__run(session->remote, text, out, &zone, err));
    pthread_mutex_lock(&session->lock);
    session->zone = zone;
    pthread_mutex_unlock(&session->lock);
    return NILAS_OK;
}

nilas_code nilas_session_execute(nilas_session *session, const nilas_session_request *request,
                                 nilas_result **out, nilas_error *err) {
    if (session->remote != NULL) {
        nilas_arena_free(request->stmt);
        return nilas_fail(err, NILAS_UNSUPPORTED,
                          "a far server takes statements as text, not as trees");
    }
    nilas_session *fork;
    nilas_code code = nilas_session__fork(session, request, request->stmt, &fork, err);
    if (code != NILAS_OK) {
        nilas_arena_free(request->stmt);
        return code;
    }
    return run_in(fork, request->stmt, request->statement, out, err);
}

static nilas_code parse(nilas_session *fork, nilas_arena *stmt, nilas_str text,
                        nilas_statement **out, nilas_error *err) {
    nilas_sql_options options;
    nilas_str copy;
    NILAS_TRY(nilas_session__sql_options(fork, &options));
    NILAS_TRY(nilas_str_copy(stmt, text, &copy, err));
    return nilas_sql_parse(stmt, copy, &options, out, err);
}

nilas_code nilas_session__run_text(nilas_session *session, nilas_str text,
                                   const nilas_session_request *request, nilas_result **out,
                                   nilas_error *err) {
    if (session->remote != NULL) {
        return run_there(session, text, out, err);
    }
    nilas_arena *stmt = nilas_arena_new(NULL, 0);
    NILAS_REQUIRE(stmt != NULL, err, NILAS_NOMEM, "out of memory for a statement");
    nilas_statement *statement = NULL;
    nilas_session *fork;
    nilas_code code = nilas_session__fork(session, request, stmt, &fork, err);
    if (code == NILAS_OK) {
        code = parse(fork, stmt, text, &statement, err);
    }
    if (code != NILAS_OK) {
        nilas_arena_free(stmt);
        return code;
    }
    return run_in(fork, stmt, statement, out, err);
}

nilas_code nilas_session_run(nilas_session *session, nilas_str text, nilas_result **out,
                             nilas_error *err) {
    return nilas_session__run_text(session, text, NULL, out, err);
}
