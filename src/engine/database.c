/*
 * Opening DuckDB, once for all engines. In memory, no extension is loaded or fetched behind our
 * back, spills go to the temporary folder.
 */
#include "engine/database.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/contexts.h"
#include "engine/duckdb_load.h"
#include "engine/local.h"
#include "engine/recursion.h"
#include "engine/rows_function.h"
#include "engine/scan_functions.h"
#include "engine/translate.h"
#include "engine/write_keys.h"

nilas_code nilas_engine__execute(duckdb_connection connection, const char *sql, nilas_error *err) {
    duckdb_result result;
    nilas_code code = NILAS_OK;
    if (duckdb_query(connection, sql, &result) != DuckDBSuccess) {
        code = nilas_engine__translate_error(duckdb_result_error(&result), err);
    }
    duckdb_destroy_result(&result);
    return code;
}

static void set_config(duckdb_config config, const char *name, const char *value) {
    duckdb_state state = duckdb_set_config(config, name, value);
    nilas_assert(state == DuckDBSuccess);
}

static void fill_config(const nilas_engine *engine, duckdb_config config) {
    char threads[16];
    char folder[4096];
    uint32_t workers =
        engine->options.worker_count != 0 ? engine->options.worker_count : nilas_cpu_count();
    const char *temporary = getenv("TMPDIR");
    (void)snprintf(threads, sizeof(threads), "%u", workers);
    (void)snprintf(folder, sizeof(folder), "%.4000s/nilas-%ld",
                   temporary != NULL && temporary[0] != '\0' ? temporary : "/tmp", (long)getpid());
    set_config(config, "threads", threads);
    set_config(config, "temp_directory", folder);
    set_config(config, "max_expression_depth", "4000"); // plans nest to NILAS_LIMIT_SQL_DEPTH
    set_config(config, "autoload_known_extensions", "false");
    set_config(config, "autoinstall_known_extensions", "false");
}

static nilas_code register_all(duckdb_connection connection, nilas_error *err) {
    nilas_registry *registry = nilas_registry__shared();
    NILAS_TRY(nilas_engine__register_functions(connection, err));
    NILAS_TRY(nilas_engine__register_scan_functions(connection, registry, err));
    NILAS_TRY(nilas_engine__register_deletes(connection, registry, err));
    NILAS_TRY(nilas_engine__register_recursion(connection, registry, err));
    NILAS_TRY(nilas_engine__register_write_keys(connection, registry, err));
    NILAS_TRY(nilas_engine__register_local(connection, registry, err));
    return nilas_engine__register_rows(connection, registry, err);
}

/** The database, and how many engines want it. */
static struct {
    pthread_mutex_t lock;
    duckdb_database database;
    size_t users;
} shared = {.lock = PTHREAD_MUTEX_INITIALIZER};

static nilas_code fill_database(duckdb_database database, nilas_error *err) {
    duckdb_connection connection = NULL;
    NILAS_REQUIRE(duckdb_connect(database, &connection) == DuckDBSuccess, err, NILAS_NOMEM,
                  "cannot connect to DuckDB");
    nilas_code code = register_all(connection, err);
    duckdb_disconnect(&connection);
    return code;
}

static nilas_code open_database(const nilas_engine *engine, duckdb_database *out,
                                nilas_error *err) {
    NILAS_TRY(nilas_engine__load_duckdb(err));
    duckdb_config config = NULL;
    NILAS_REQUIRE(duckdb_create_config(&config) == DuckDBSuccess, err, NILAS_NOMEM,
                  "out of memory");
    fill_config(engine, config);
    char *message = NULL;
    duckdb_database database = NULL;
    duckdb_state state = duckdb_open_ext(NULL, &database, config, &message);
    duckdb_destroy_config(&config);
    if (state != DuckDBSuccess) {
        (void)nilas_fail(err, NILAS_ENGINE, "cannot open DuckDB: %s",
                         message != NULL ? message : "no reason given");
        duckdb_free(message);
        return NILAS_ENGINE;
    }
    nilas_code code = fill_database(database, err);
    if (code != NILAS_OK) {
        duckdb_close(&database);
        return code;
    }
    *out = database;
    return NILAS_OK;
}

/** Called under the lock. */
static void join(nilas_engine *engine) {
    if (engine != NULL && !engine->uses_database) {
        engine->uses_database = true;
        shared.users++;
    }
}

/** The engine's session wants the database, too: it stays open between statements. */
static nilas_code join_database(nilas_engine *engine, duckdb_database *out, nilas_error *err) {
    nilas_code code = NILAS_OK;
    pthread_mutex_lock(&shared.lock);
    if (shared.users == 0) {
        code = open_database(engine, &shared.database, err);
    }
    if (code == NILAS_OK) {
        join(engine);
        join(engine->parent);
        *out = shared.database;
    }
    pthread_mutex_unlock(&shared.lock);
    return code;
}

void nilas_engine__leave_database(nilas_engine *engine) {
    pthread_mutex_lock(&shared.lock);
    if (engine->uses_database) {
        engine->uses_database = false;
        shared.users--;
        if (shared.users == 0) {
            duckdb_close(&shared.database);
        }
    }
    pthread_mutex_unlock(&shared.lock);
}

/** A zone named by its offset ("+08:00", "GMT+8", "Z"), not by a place. */
static bool is_fixed(nilas_str name) {
    static const char *const starts[] = {"+", "-", "GMT", "UTC", "UT"};
    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
        if (nilas_str_starts(name, nilas_str_of(starts[i]))) {
            return true;
        }
    }
    return nilas_str_is(name, "Z");
}

/**
 * DuckDB's name of a zone: it knows places, and of offsets only whole hours, with the sign of
 * POSIX.
 */
static nilas_code print_zone_name(const nilas_zone *zone, char *out, size_t size,
                                  nilas_error *err) {
    nilas_str name = zone != NULL ? nilas_zone_name(zone) : NILAS_STR("UTC");
    if (!is_fixed(name)) {
        NILAS_REQUIRE(memchr(name.data, '\'', name.size) == NULL, err, NILAS_INVALID,
                      "a time zone cannot be named %.*s", NILAS_FMT(name));
        (void)snprintf(out, size, "%.*s", NILAS_FMT(name));
        return NILAS_OK;
    }
    int32_t offset_seconds = zone != NULL ? nilas_zone_offset_at(zone, 0) : 0;
    int32_t hours = offset_seconds / 3600;
    NILAS_REQUIRE(
        offset_seconds % 3600 == 0 && hours >= -12 && hours <= 14, err, NILAS_UNSUPPORTED,
        "the time zone %.*s is not supported: an offset must be whole hours; name a place",
        NILAS_FMT(name));
    (void)snprintf(out, size, "Etc/GMT%+d", -hours);
    return NILAS_OK;
}

/** What is set per connection. */
static nilas_code set_up(const nilas_engine *engine, duckdb_connection connection,
                         nilas_error *err) {
    char zone[128];
    char sql[512];
    const char *progress = engine->options.progress == NULL
                               ? ""
                               : "; SET enable_progress_bar = true; "
                                 "SET enable_progress_bar_print = false";
    NILAS_TRY(print_zone_name(engine->options.zone, zone, sizeof(zone), err));
    (void)snprintf(sql, sizeof(sql), "SET TimeZone = '%s'; SET streaming_buffer_size = '8MiB'%s",
                   zone, progress);
    return nilas_engine__execute(connection, sql, err);
}

nilas_code nilas_engine__open_connection(nilas_engine *engine, const nilas_engine_context *context,
                                         duckdb_connection *out, nilas_error *err) {
    duckdb_database database;
    duckdb_connection connection = NULL;
    NILAS_TRY(join_database(engine, &database, err));
    NILAS_REQUIRE(duckdb_connect(database, &connection) == DuckDBSuccess, err, NILAS_NOMEM,
                  "cannot connect to DuckDB");
    nilas_code code = nilas_contexts__put(connection, context, err);
    if (code == NILAS_OK) {
        code = set_up(engine, connection, err);
    }
    if (code != NILAS_OK) {
        nilas_engine__close_connection(&connection);
        return code;
    }
    *out = connection;
    return NILAS_OK;
}

void nilas_engine__close_connection(duckdb_connection *connection) {
    nilas_contexts__remove(*connection);
    duckdb_disconnect(connection);
}
