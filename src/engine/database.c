/*
 * Opening DuckDB. In memory, no extension is loaded or fetched behind our back, spills go to the
 * temporary folder.
 */
#include "engine/database.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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
    set_config(config, "autoload_known_extensions", "false");
    set_config(config, "autoinstall_known_extensions", "false");
}

static nilas_code register_all(nilas_engine *engine, duckdb_connection connection,
                               nilas_error *err) {
    NILAS_TRY(nilas_engine__register_functions(connection, &engine->context, err));
    NILAS_TRY(nilas_engine__register_scan_functions(connection, &engine->registry, err));
    NILAS_TRY(nilas_engine__register_deletes(connection, &engine->registry, err));
    NILAS_TRY(nilas_engine__register_recursion(connection, &engine->registry, err));
    NILAS_TRY(nilas_engine__register_write_keys(connection, &engine->registry, err));
    NILAS_TRY(nilas_engine__register_local(connection, &engine->registry, err));
    return nilas_engine__register_rows(connection, &engine->registry, err);
}

static nilas_code open_database(nilas_engine *engine, nilas_error *err) {
    NILAS_TRY(nilas_engine__load_duckdb(err));
    duckdb_config config = NULL;
    NILAS_REQUIRE(duckdb_create_config(&config) == DuckDBSuccess, err, NILAS_NOMEM,
                  "out of memory");
    fill_config(engine, config);
    char *message = NULL;
    duckdb_state state = duckdb_open_ext(NULL, &engine->database, config, &message);
    duckdb_destroy_config(&config);
    if (state != DuckDBSuccess) {
        (void)nilas_fail(err, NILAS_ENGINE, "cannot open DuckDB: %s",
                         message != NULL ? message : "no reason given");
        duckdb_free(message);
        return NILAS_ENGINE;
    }
    duckdb_connection connection = NULL;
    nilas_code code = NILAS_OK;
    if (duckdb_connect(engine->database, &connection) != DuckDBSuccess) {
        code = nilas_fail(err, NILAS_NOMEM, "cannot connect to DuckDB");
    } else {
        code = register_all(engine, connection, err);
        duckdb_disconnect(&connection);
    }
    if (code != NILAS_OK) {
        duckdb_close(&engine->database);
        return code;
    }
    engine->is_open = true;
    return NILAS_OK;
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

nilas_code nilas_engine__open_connection(nilas_engine *engine, duckdb_connection *out,
                                         nilas_error *err) {
    if (!engine->is_open) {
        NILAS_TRY(open_database(engine, err));
    }
    duckdb_connection connection = NULL;
    NILAS_REQUIRE(duckdb_connect(engine->database, &connection) == DuckDBSuccess, err, NILAS_NOMEM,
                  "cannot connect to DuckDB");
    nilas_code code = set_up(engine, connection, err);
    if (code != NILAS_OK) {
        duckdb_disconnect(&connection);
        return code;
    }
    *out = connection;
    return NILAS_OK;
}

void nilas_engine__close_database(nilas_engine *engine) {
    if (engine->is_open) {
        duckdb_close(&engine->database);
        engine->is_open = false;
    }
}
