/* Running queries: cancelled, with zones, with failures that keep their code. */
#include "plans.h"

NILAS_TEST(a_cancelled_query_says_so) {
    run r;
    nilas_cancel cancel = {0};
    run_init(&r, 2);
    r.engine->options.cancel = &cancel;
    CHECK_TEXT(run_plan(&r, VALUES_OF(&r, 1, 1)), "1");
    atomic_store(&cancel.requested, true);
    CHECK_TEXT(run_plan(&r, VALUES_OF(&r, 1, 1)), "?");
    CHECK_INT(r.err.code, NILAS_CANCELLED);
    run_done(&r);
}

NILAS_TEST(a_running_query_is_interrupted) {
    run r;
    nilas_cancel cancel = {0};
    run_init(&r, 2);
    r.engine->options.cancel = &cancel;
    NILAS_AUTO_JOB job = {.engine = r.engine, .stmt = r.arena};
    NILAS_AUTO_QUERY_RUN query = {0};
    REQUIRE_OK(nilas_job__connect(&job, &r.err), r.err);
    int64_t started_ns = nilas_monotonic_ns();
    alarm(60); // a query that is not interrupted fails the test by time
    REQUIRE_OK(
        nilas_job__start(&job, NILAS_STR("SELECT range FROM range(100000000000)"), &query, &r.err),
        r.err);
    atomic_store(&cancel.requested, true);
    nilas_code code = NILAS_OK;
    duckdb_data_chunk chunk = NULL;
    do {
        code = nilas_job__fetch(&job, &query, &chunk, &r.err);
        if (code == NILAS_OK && chunk != NULL) {
            duckdb_destroy_data_chunk(&chunk);
        }
    } while (code == NILAS_OK && chunk != NULL);
    CHECK_INT(code, NILAS_CANCELLED);
    CHECK(nilas_monotonic_ns() - started_ns < 30000000000);
    nilas_query_run__done(&query);
    nilas_job__done(&job);
    run_done(&r);
}

static void count_calls(void *context, double fraction) {
    int *calls = context;
    CHECK(fraction <= 1);
    (*calls)++;
}

NILAS_TEST(progress_is_told_while_a_query_runs) {
    run r;
    int calls = 0;
    run_init(&r, 2);
    r.engine->options.progress = count_calls;
    r.engine->options.progress_context = &calls;
    NILAS_AUTO_JOB job = {.engine = r.engine, .stmt = r.arena};
    NILAS_AUTO_QUERY_RUN query = {0};
    REQUIRE_OK(nilas_job__start(&job, NILAS_STR("SELECT sum(hash(range)) FROM range(60000000)"),
                                &query, &r.err),
               r.err);
    CHECK(calls > 0);
    nilas_query_run__done(&query);
    nilas_job__done(&job);
    run_done(&r);
}

NILAS_TEST(zones_are_places_or_whole_hours) {
    static const char *const zones[] = {"UTC", "Z", "+08:00", "GMT-3", "Europe/Berlin", "-12:00"};
    for (size_t i = 0; i < sizeof(zones) / sizeof(zones[0]); i++) {
        run r;
        run_init(&r, 2);
        nilas_engine_set_zone(r.engine, nilas_zone_find(nilas_str_of(zones[i])));
        CHECK_TEXT(run_plan(&r, VALUES_OF(&r, 1, 1)), "1");
        run_done(&r);
    }
    run r;
    run_init(&r, 2);
    nilas_engine_set_zone(r.engine, nilas_zone_find(NILAS_STR("+05:30")));
    CHECK_TEXT(run_plan(&r, VALUES_OF(&r, 1, 1)), "?");
    CHECK_INT(r.err.code, NILAS_UNSUPPORTED);
    run_done(&r);
}

NILAS_TEST(a_broken_avro_file_keeps_its_code_through_duckdb) {
    run r;
    run_init(&r, 2);
    nilas_str path = NILAS_STR_EMPTY;
    CHECK_OK(nilas_str_print(r.arena, &path, &r.err, "%s/broken.avro", r.table.root), r.err);
    CHECK_OK(nilas_io_write(r.table.io, path, NILAS_STR("Obj\1 and no more"), false, &r.err),
             r.err);
    const made_entry entry = {.status = NILAS_ENTRY_ADDED, .path = path.data, .format = "AVRO"};
    run_commit(&r, NILAS_MANIFEST_DATA, 0, &entry, 1);
    CHECK_TEXT(ROWS(&r, "id"), "?");
    CHECK_INT(r.err.code, NILAS_CORRUPT);
    CHECK_CONTAINS(r.err.message, "broken.avro");
    run_done(&r);
}
