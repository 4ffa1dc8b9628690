/*
 * Opening DuckDB. In memory, no extension is loaded or fetched behind our back, spills go to the
 * temporary folder.
 */
#include "engine/database.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/duckdb_load.h"
#include "engine/recursion.h"
#include "engine/rows_function.h"
#include "engine/scan_functions.h"
#include "engine/translate.h"

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

/**
 * DuckDB's own name of a zone: fixed offsets are named "Etc/GMT-8" by it; the functions that need
 * other offsets are ours.
 */
static void print_zone_name(const nilas_zone *zone, char *out, size_t size) {
    nilas_str name = zone != NULL ? nilas_zone_name(zone) : NILAS_STR("UTC");
    int hours = 0;
    int minutes = 0;
    char sign = 0;
    if (name.size == 6 && (name.data[0] == '+' || name.data[0] == '-') && name.data[3] == ':') {
        sign = name.data[0];
        hours = (name.data[1] - '0') * 10 + (name.data[2] - '0');
        minutes = (name.data[4] - '0') * 10 + (name.data[5] - '0');
    }
    if (sign != 0 && minutes == 0 && hours <= 14) {
        (void)snprintf(out, size, hours == 0 ? "UTC" : "Etc/GMT%c%d", sign == '+' ? '-' : '+',
                       hours);
    } else if (nilas_str_is(name, "Z")) {
        (void)snprintf(out, size, "UTC");
    } else {
        (void)snprintf(out, size, "%.*s", NILAS_FMT(name));
    }
}

nilas_code nilas_engine__open_connection(nilas_engine *engine, duckdb_connection *out,
                                         nilas_error *err) {
    if (!engine->is_open) {
        NILAS_TRY(open_database(engine, err));
    }
    duckdb_connection connection = NULL;
    NILAS_REQUIRE(duckdb_connect(engine->database, &connection) == DuckDBSuccess, err, NILAS_NOMEM,
                  "cannot connect to DuckDB");
    char zone[128];
    char sql[512];
    print_zone_name(engine->options.zone, zone, sizeof(zone));
    (void)snprintf(sql, sizeof(sql), "SET TimeZone = '%s'; SET streaming_buffer_size = '8MiB'%s",
                   zone,
                   engine->options.progress != NULL
                       ? "; SET enable_progress_bar = true; SET enable_progress_bar_print = false"
                       : "");
    nilas_code code = strchr(zone, '\'') == NULL
                          ? nilas_engine__execute(connection, sql, err)
                          : nilas_fail(err, NILAS_INVALID, "a time zone cannot be named %s", zone);
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
