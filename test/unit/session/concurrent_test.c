/* Statements at the same time: of one session, of many, with settings of their own; and stopped. */
#include <pthread.h>
#include <unistd.h>

#include "print/print.h"
#include "sql/sql.h"
#include "test.h"

#define THREADS 8

static nilas_session *open_session(const char *zone) {
    const nilas_property settings[] = {
        {.key = NILAS_STR("spark.sql.session.timeZone"), .value = nilas_str_of(zone)}};
    const nilas_session_options options = {.settings = settings, .setting_count = 1};
    nilas_error err = NILAS_ERROR_INIT;
    nilas_session *session = NULL;
    nilas_assert(nilas_session_new(&options, &session, &err) == NILAS_OK);
    return session;
}

/** The text of show() of a result. */
static nilas_code show(nilas_session *session, nilas_result *result, nilas_buf *out,
                       nilas_error *err) {
    return nilas_print_show(
        result, &(nilas_print_show_options){.rows = 5, .zone = nilas_session_zone(session)}, out,
        err);
}

static nilas_code ask(nilas_session *session, const char *sql, nilas_buf *out, nilas_error *err) {
    NILAS_AUTO(nilas_result) result = NULL;
    NILAS_TRY(nilas_session_run(session, nilas_str_of(sql), &result, err));
    return show(session, result, out, err);
}

typedef struct asker {
    pthread_t thread;
    nilas_session *session;
    int number;
    char failure[300];
} asker;

static void expect(asker *a, const char *sql, const char *part) {
    NILAS_AUTO_BUF text = {0};
    nilas_error err = NILAS_ERROR_INIT;
    if (ask(a->session, sql, &text, &err) != NILAS_OK) {
        (void)snprintf(a->failure, sizeof(a->failure), "%s: %.200s", sql, err.message);
    } else if (nilas_str_find(nilas_buf_view(&text), nilas_str_of(part), 0) == SIZE_MAX) {
        (void)snprintf(a->failure, sizeof(a->failure), "%s: %.*s", sql,
                       NILAS_FMT(nilas_buf_view(&text)));
    }
}

static void run_askers(asker *askers, void *(*body)(void *)) {
    for (int i = 0; i < THREADS; i++) {
        askers[i].number = i;
        nilas_assert(pthread_create(&askers[i].thread, NULL, body, &askers[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(askers[i].thread, NULL);
        CHECK_TEXT(askers[i].failure, "");
    }
}

/** A view and a setting of its own, in a session that all share. */
static void *share_session(void *context) {
    asker *a = context;
    char sql[200];
    char part[40];
    for (int i = 0; i < 10; i++) {
        (void)snprintf(sql, sizeof(sql), "CREATE OR REPLACE TEMP VIEW v%d AS SELECT %d AS a",
                       a->number, a->number * 100 + i);
        expect(a, sql, "");
        (void)snprintf(sql, sizeof(sql), "SET k%d = %d", a->number, i);
        expect(a, sql, "");
        (void)snprintf(sql, sizeof(sql),
                       "SELECT sum(id), max(a) FROM range(20000), v%d GROUP BY id %% 1", a->number);
        (void)snprintf(part, sizeof(part), "|199990000|%d", a->number * 100 + i);
        expect(a, sql, part);
        (void)snprintf(sql, sizeof(sql), "SET k%d", a->number);
        (void)snprintf(part, sizeof(part), "|k%d |%d", a->number, i);
        expect(a, sql, part);
        expect(a, "SHOW CATALOGS", "spark_catalog");
    }
    return NULL;
}

NILAS_TEST(statements_of_one_session_run_at_once) {
    nilas_session *session = open_session("UTC");
    asker askers[THREADS] = {0};
    for (int i = 0; i < THREADS; i++) {
        askers[i].session = session;
    }
    run_askers(askers, share_session);
    nilas_session_free(session);
}

/** Each in its own zone, with functions of ours and of DuckDB's that look at it. */
static void *ask_zone(void *context) {
    asker *a = context;
    static const char *const zones[] = {"Asia/Shanghai", "America/New_York"};
    static const char *const hours[] = {"|Asia/Shanghai|08 |08 ", "|America/New_York|19 |19 "};
    static const char *const modes[] = {"true", "false"};
    char sql[100];
    a->session = open_session(zones[a->number % 2]);
    (void)snprintf(sql, sizeof(sql), "SET spark.sql.ansi.enabled = %s", modes[a->number / 2 % 2]);
    expect(a, sql, "");
    for (int i = 0; i < 20; i++) {
        expect(a,
               "SELECT current_timezone() z, date_format(timestamp_seconds(id), 'HH') h, "
               "lpad(hour(timestamp_seconds(id)), 2, '0') i FROM range(1)",
               hours[a->number % 2]);
        if (a->number / 2 % 2 == 1) {
            expect(a, "SELECT id / 0 AS n FROM range(1)", "NULL");
        }
    }
    nilas_session_free(a->session);
    return NULL;
}

NILAS_TEST(sessions_do_not_see_each_others_settings) {
    asker askers[THREADS] = {0};
    run_askers(askers, ask_zone);
}

NILAS_TEST(a_result_is_read_while_others_run) {
    nilas_session *session = open_session("UTC");
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO_BUF text = {0};
    {
        NILAS_AUTO(nilas_result) slow = NULL;
        REQUIRE_OK(
            nilas_session_run(session, NILAS_STR("SELECT id FROM range(5000000)"), &slow, &err),
            err);
        int64_t rows = 0;
        for (int i = 0;; i++) {
            NILAS_AUTO_ARROW_ARRAY batch = {0};
            REQUIRE_OK(nilas_result_next(slow, &batch, &err), err);
            if (batch.release == NULL) {
                break;
            }
            rows += batch.length;
            if (i % 1000 == 0) {
                nilas_buf_clear(&text);
                REQUIRE_OK(ask(session, "SELECT count(*) AS n FROM range(10)", &text, &err), err);
                CHECK(nilas_str_find(nilas_buf_view(&text), NILAS_STR("|10 |"), 0) != SIZE_MAX);
            }
        }
        CHECK_INT(rows, 5000000);
    }
    nilas_session_free(session);
}

// ---- stopping -----------------------------------------------------------------------------------

typedef struct runner {
    nilas_session *session;
    nilas_cancel cancel;
    const char *sql;
    nilas_error err;
    nilas_code code;
    int64_t ended_ns;
} runner;

static nilas_code run_to_end(runner *r) {
    NILAS_AUTO(nilas_result) result = NULL;
    NILAS_AUTO_BUF text = {0};
    nilas_arena *stmt = nilas_arena_new(NULL, 0);
    nilas_statement *statement = NULL;
    nilas_assert(nilas_sql_parse(stmt, nilas_str_of(r->sql), &(nilas_sql_options){0}, &statement,
                                 &r->err) == NILAS_OK);
    const nilas_session_request request = {
        .stmt = stmt, .statement = statement, .cancel = &r->cancel};
    NILAS_TRY(nilas_session_execute(r->session, &request, &result, &r->err));
    return show(r->session, result, &text, &r->err);
}

static void *run_request(void *context) {
    runner *r = context;
    r->code = run_to_end(r);
    r->ended_ns = nilas_monotonic_ns();
    return NULL;
}

NILAS_TEST(one_statement_is_stopped_and_others_are_not) {
    nilas_session *session = open_session("UTC");
    runner stopped = {.session = session,
                      .sql = "SELECT sum(a.id * b.id % 7) FROM range(1000000) a, range(1000000) b",
                      .err = NILAS_ERROR_INIT};
    runner other = {.session = session,
                    .sql = "SELECT sum(a.id * b.id % 7) FROM range(2000) a, range(20000) b",
                    .err = NILAS_ERROR_INIT};
    pthread_t threads[2];
    nilas_assert(pthread_create(&threads[0], NULL, run_request, &stopped) == 0);
    nilas_assert(pthread_create(&threads[1], NULL, run_request, &other) == 0);
    usleep(200000);
    int64_t began_ns = nilas_monotonic_ns();
    atomic_store(&stopped.cancel.requested, true);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    CHECK_INT(stopped.code, NILAS_CANCELLED);
    CHECK_OK(other.code, other.err);
    CHECK((stopped.ended_ns - began_ns) / 1000000 < 1000); // much less, on a machine at rest
    nilas_session_free(session);
}
