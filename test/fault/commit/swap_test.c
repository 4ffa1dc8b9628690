/*
 * Each step of a commit made to fail, or the process killed there: before the step, and after it
 * with its answer lost. Afterwards the table opens at the old or the new snapshot, an answer of
 * success means the new one, one of failure the old one, and no file that it names is gone.
 */
#include <sys/wait.h>

#include "commit/commit.h"
#include "unit/commit/place.h"

typedef struct step_fault {
    int at;     // the step that fails, from 0; -1: none
    bool after; // it has happened
    bool kills;
    int steps;
    bool hit;
} step_fault;

static nilas_code fail_step(void *context, const char *operation, nilas_str location, bool done,
                            nilas_error *err) {
    step_fault *f = context;
    bool changes = strcmp(operation, "read") != 0 && strcmp(operation, "stat") != 0 &&
                   strcmp(operation, "list") != 0;

    (void)location;
    if (done != f->after) {
        return NILAS_OK;
    }
    // A killed process need not be killed before it reads: nothing has changed since the last step.
    if (f->kills && !changes) {
        return NILAS_OK;
    }
    if (f->steps++ != f->at) {
        return NILAS_OK;
    }
    f->hit = true;
    if (f->kills) {
        _exit(9);
    }
    return nilas_fail(err, NILAS_IO, "step %d (%s) was made to fail", f->at, operation);
}

typedef struct scenario {
    const char *name;
    const char *before, *after; // live files
    nilas_code (*run)(place *at);
} scenario;

static nilas_data_file file_a(place *at) {
    return make_file(at, "a", 10, 0, NULL);
}

typedef struct memory_fault {
    long at, count;
    bool lasts; // so do all that follow
} memory_fault;

static bool fail_memory(void *context) {
    memory_fault *f = context;
    long number = f->count++;
    return f->lasts ? number >= f->at : number == f->at;
}

static memory_fault *starving; // or NULL

/** From here on it is the commit that allocates. */
static void begin_starving(void) {
    if (starving != NULL) {
        nilas_memory_set_fault(fail_memory, starving);
    }
}

static nilas_code run_append(place *at) {
    nilas_data_file file = make_file(at, "b", 10, 10, NULL);
    begin_starving();
    return append(at, &file);
}

static nilas_code run_overwrite(place *at) {
    nilas_data_file old = file_a(at);
    nilas_data_file new = make_file(at, "b", 10, 10, NULL);
    nilas_snapshot_change change = {
        .added = &new, .added_count = 1, .removed = &old, .removed_count = 1};
    begin_starving();
    return commit_change(at, &change);
}

static nilas_code run_delete(place *at) {
    nilas_snapshot_change change = {.delete_all = true};
    begin_starving();
    return commit_change(at, &change);
}

static const scenario scenarios[] = {
    {"append", "a:1", "b:2 a:1", run_append},
    {"overwrite", "a:1", "b:2", run_overwrite},
    {"delete", "a:1", "", run_delete},
};
#define SCENARIOS (sizeof(scenarios) / sizeof(scenarios[0]))

static void begin(place *at, bool sqlite) {
    nilas_str db = NILAS_STR("db");
    nilas_property quick[] = {{NILAS_STR("commit.retry.num-retries"), NILAS_STR("0")},
                              {NILAS_STR("commit.status-check.min-wait-ms"), NILAS_STR("1")},
                              {NILAS_STR("commit.manifest.min-count-to-merge"), NILAS_STR("2")}};
    nilas_data_file file;

    make_place(at, sqlite);
    CHECK_OK(nilas_catalog_create_namespace(at->catalog, &db, 1, NULL, 0, &at->err), at->err);
    CHECK_OK(create_table(at, quick, 3), at->err);
    file = file_a(at);
    CHECK_OK(append(at, &file), at->err);
    (void)make_file(at, "b", 10, 10, NULL);
    at->files_are_there = true; // nothing but the commit may fail
}

static void check_state(place *at, const scenario *s, nilas_code code, int step) {
    const char *found = live_now(at);
    bool is_old = strcmp(found, s->before) == 0;
    bool is_new = strcmp(found, s->after) == 0;

    if (!is_old && !is_new) {
        NILAS_TEST_FAIL("%s, step %d: found \"%s\"", s->name, step, found);
    }
    if (code == NILAS_OK && !is_new) {
        NILAS_TEST_FAIL("%s, step %d: acknowledged, but not there", s->name, step);
    }
    if (code != NILAS_OK && code != NILAS_UNCERTAIN && !is_old) {
        NILAS_TEST_FAIL("%s, step %d: refused (%s), but there", s->name, step,
                        nilas_code_name(code));
    }
}

/** Every step fails once; true when the last one was beyond the end. */
static void fail_each(const scenario *s, bool sqlite, bool after) {
    for (int step = 0;; step++) {
        place at;
        begin(&at, sqlite);
        step_fault f = {.at = step, .after = after};
        nilas_io_set_fault(at.io, fail_step, &f);
        nilas_code code = s->run(&at);
        nilas_io_set_fault(at.io, NULL, NULL);
        CHECK(code == NILAS_OK || at.err.message[0] != '\0');
        check_state(&at, s, code, step);
        place_done(&at);
        if (!f.hit || step > 300) {
            CHECK(step < 300);
            CHECK(code == NILAS_OK);
            return;
        }
    }
}

static void kill_each(const scenario *s, bool sqlite, bool after) {
    for (int step = 0;; step++) {
        place at;
        int status = 0;
        begin(&at, sqlite);
        nilas_catalog_free(at.catalog); // a database's handle does not live through fork()
        at.catalog = NULL;
        pid_t child = fork();
        if (child == 0) {
            step_fault f = {.at = step, .after = after, .kills = true};
            open_catalog(&at);
            nilas_io_set_fault(at.io, fail_step, &f);
            _exit(s->run(&at) == NILAS_OK ? 0 : 1);
        }
        CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
        open_catalog(&at);
        int result = WEXITSTATUS(status);
        check_state(&at, s, result == 0 ? NILAS_OK : NILAS_UNCERTAIN, step);
        // The table can be written again, whatever was left behind.
        at.files_are_there = false;
        nilas_data_file more = make_file(&at, "more", 1, 100, NULL);
        CHECK_OK(append(&at, &more), at.err);
        place_done(&at);
        if (result != 9) {
            CHECK(result == 0);
            return;
        }
    }
}

/* ---- memory ---- */

/** Each allocation fails, alone or with all that follow; every one with $NILAS_FAULT_ALL, else one
 * of 23. */
static void starve_each(const scenario *s, bool sqlite, bool lasts) {
    long stride = getenv("NILAS_FAULT_ALL") != NULL ? 1 : 23;
    bool more = true;

    for (long number = 0; more && number < 1000000; number += stride) {
        place at;
        begin(&at, sqlite);
        memory_fault f = {.at = number, .lasts = lasts};
        starving = &f;
        nilas_code code = s->run(&at);
        nilas_memory_set_fault(NULL, NULL);
        starving = NULL;
        more = f.count > number;
        CHECK(code == NILAS_OK || at.err.message[0] != '\0');
        CHECK(more || code == NILAS_OK);
        check_state(&at, s, code, (int)number);
        place_done(&at);
    }
    CHECK(!more);
}

NILAS_TEST(there_may_be_no_memory_for_a_commit) {
    for (size_t i = 0; i < SCENARIOS; i++) {
        starve_each(&scenarios[i], false, false);
        starve_each(&scenarios[i], true, false);
        starve_each(&scenarios[i], true, true);
        starve_each(&scenarios[i], false, true);
    }
}

NILAS_TEST(each_step_of_a_hadoop_commit_may_fail) {
    for (size_t i = 0; i < SCENARIOS; i++) {
        fail_each(&scenarios[i], false, false);
        fail_each(&scenarios[i], false, true);
    }
}

NILAS_TEST(each_step_of_an_sql_commit_may_fail) {
    for (size_t i = 0; i < SCENARIOS; i++) {
        fail_each(&scenarios[i], true, false);
        fail_each(&scenarios[i], true, true);
    }
}

NILAS_TEST(the_process_may_die_at_each_step_of_a_commit) {
    for (size_t i = 0; i < SCENARIOS; i++) {
        kill_each(&scenarios[i], false, false);
        kill_each(&scenarios[i], true, false);
        kill_each(&scenarios[i], true, true);
    }
}

/** A table is created, or it is not; the catalog works either way. */
static void create_each(bool sqlite, bool after) {
    for (int step = 0;; step++) {
        place at;
        nilas_str db = NILAS_STR("db");
        make_place(&at, sqlite);
        CHECK_OK(nilas_catalog_create_namespace(at.catalog, &db, 1, NULL, 0, &at.err), at.err);
        step_fault f = {.at = step, .after = after};
        nilas_io_set_fault(at.io, fail_step, &f);
        nilas_code code = create_table(&at, NULL, 0);
        nilas_io_set_fault(at.io, NULL, NULL);
        nilas_table *table = NULL;
        nilas_code loaded = nilas_catalog_load_table(at.catalog, TABLE, 2, &table, &at.err);
        CHECK(loaded == NILAS_OK || loaded == NILAS_NOT_FOUND);
        if ((code == NILAS_OK && loaded != NILAS_OK) ||
            (code != NILAS_OK && code != NILAS_UNCERTAIN && loaded == NILAS_OK)) {
            NILAS_TEST_FAIL("step %d: create says %s, load %s", step, nilas_code_name(code),
                            nilas_code_name(loaded));
        }
        if (loaded == NILAS_NOT_FOUND) {
            CHECK_OK(create_table(&at, NULL, 0), at.err);
        }
        nilas_table_unref(table);
        place_done(&at);
        if (!f.hit) {
            CHECK(code == NILAS_OK);
            return;
        }
    }
}

NILAS_TEST(each_step_of_creating_a_table_may_fail) {
    create_each(false, false);
    create_each(false, true);
    create_each(true, false);
    create_each(true, true);
}
