/*
 * Several processes append to one table at once. What was acknowledged is there, once; what was
 * refused is not. NILAS_WRITERS and NILAS_APPENDS make it longer.
 */
#include <sys/wait.h>

#include "commit/commit.h"
#include "unit/commit/place.h"

static int setting(const char *name, int fallback) {
    const char *text = getenv(name);
    return text != NULL ? (int)strtol(text, NULL, 10) : fallback;
}

/** Append again and again; the exit status is the number of refusals. */
static void write_some(place *at, int writer, int count, int acknowledged) {
    int refused = 0;

    open_catalog(at);
    for (int i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof(name), "w%d-%d", writer, i);
        nilas_data_file file = make_file(at, name, 1, i, NULL);
        nilas_code code = append(at, &file);
        if (code == NILAS_OK) {
            if (write(acknowledged, "x", 1) != 1) {
                _exit(250);
            }
        } else if (code == NILAS_CONFLICT) {
            refused++;
        } else {
            printf("writer %d: %s\n", writer, at->err.message);
            _exit(251);
        }
    }
    _exit(refused);
}

static void race(bool sqlite) {
    int writers = setting("NILAS_WRITERS", 4);
    int appends = setting("NILAS_APPENDS", 6);
    int ends[2], refused = 0, acknowledged = 0;
    char bytes[4096];
    place at;

    make_place(&at, sqlite);
    need_table(&at);
    nilas_catalog_free(at.catalog);
    at.catalog = NULL;
    REQUIRE(pipe(ends) == 0);
    for (int i = 0; i < writers; i++) {
        if (fork() == 0) {
            write_some(&at, i, appends, ends[1]);
        }
    }
    close(ends[1]);
    for (ssize_t got = 1; got > 0; acknowledged += (int)got) {
        got = read(ends[0], bytes, sizeof(bytes));
    }
    close(ends[0]);
    for (int i = 0; i < writers; i++) {
        int status = 0;
        CHECK(wait(&status) > 0 && WIFEXITED(status) && WEXITSTATUS(status) < 250);
        refused += WEXITSTATUS(status);
    }
    open_catalog(&at);
    nilas_table *table = load(&at);
    nilas_scan_options options = {.snapshot = nilas_metadata_current_snapshot(table->metadata),
                                  .schema = nilas_metadata_current_schema(table->metadata)};
    nilas_scan_plan *plan;
    REQUIRE_OK(nilas_scan_plan_new(at.arena, table, &options, &plan, &at.err), at.err);
    CHECK_INT(plan->task_count, acknowledged);
    CHECK_INT(acknowledged + refused, writers * appends);
    CHECK(strstr(live(&at, table, NULL), "!") == NULL);
    char total[16];
    snprintf(total, sizeof(total), "%d", acknowledged);
    CHECK_TEXT(summary_of(&at, "total-records"), total);
    if (getenv("NILAS_WRITERS") != NULL) {
        printf("    %d acknowledged, %d refused\n", acknowledged, refused);
    }
    nilas_table_unref(table);
    place_done(&at);
}

NILAS_TEST(appends_of_several_processes_to_a_hadoop_table_all_count) {
    race(false);
}

NILAS_TEST(appends_of_several_processes_to_an_sql_table_all_count) {
    race(true);
}
