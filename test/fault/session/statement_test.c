/*
 * Each step of a whole statement made to fail, or the process killed there: procedures, DDL, views
 * and row changes on both catalogs. Afterwards every table and view is as it was or as it was to
 * be, whole; success means the latter; no file that a snapshot names is gone.
 *
 * What DuckDB reads and writes by itself is no step here. $NILAS_FAULT_ALL takes every step of all
 * scenarios; else every third scenario is taken, another for each kind of fault, and of its steps
 * every ninth.
 */
#include <sys/mman.h>

#include "fault/session/place.h"

/* ---- what is seen ---- */

#define ROWS(table) "SELECT concat(id, ':', k, ':', s) FROM " table " ORDER BY 1"

static const char *const looks[] = {
    ROWS("db.t"),
    ROWS("db.u"),
    "SELECT concat(id, '-', s) FROM db.t VERSION AS OF 'b' ORDER BY 1",
    "SELECT concat(count(*), '') FROM db.t.snapshots",
    "SELECT concat(count(*), '/', count_if(content = 0)) FROM db.t.files",
    "SELECT concat(count(*), '') FROM db.t.manifests",
    "SELECT concat(name, type) FROM db.t.refs ORDER BY 1",
    "SHOW NAMESPACES",
    "SELECT concat(count(*), '') FROM db.t.metadata_log_entries",
    "SELECT * FROM db.v",
    "SELECT * FROM db.w",
};
#define LOOKS (sizeof(looks) / sizeof(*looks))

static const char *const files[] = {
    "SELECT file_path FROM db.t.all_files",     "SELECT path FROM db.t.all_manifests",
    "SELECT manifest_list FROM db.t.snapshots", "SELECT file_path FROM db.u.all_files",
    "SELECT path FROM db.u.all_manifests",      "SELECT manifest_list FROM db.u.snapshots",
};

/** Absent is an answer; anything else that fails is a failure. */
static void look(nilas_session *session, const char *text, char *out) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_code code = run_statement(session, text, out, &err);
    size_t used = strlen(out);
    if (code == NILAS_NOT_FOUND || (code == NILAS_INVALID && err.condition != NULL &&
                                    strcmp(err.condition, "TABLE_OR_VIEW_NOT_FOUND") == 0)) {
        snprintf(out + used, TEXT_BYTES - used, "(none)");
    } else if (code != NILAS_OK) {
        snprintf(out + used, TEXT_BYTES - used, "(%s: %s)", nilas_code_name(code), err.message);
    }
    used = strlen(out);
    snprintf(out + used, TEXT_BYTES - used, "| ");
}

static void check_files(nilas_session *session, const char *what) {
    char *paths = calloc(1, TEXT_BYTES);
    for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
        nilas_error err = NILAS_ERROR_INIT;
        if (run_statement(session, files[i], paths, &err) != NILAS_OK) {
            continue; // look() tells whether that is right
        }
    }
    for (char *path = paths, *end = strchr(path, ' '); end != NULL; end = strchr(path, ' ')) {
        *end = '\0';
        const char *local = strncmp(path, "file:", 5) == 0 ? path + 5 : path;
        if (access(local, F_OK) != 0) {
            NILAS_TEST_FAIL("%s: %s is named and gone", what, local);
        }
        path = end + 1;
    }
    free(paths);
}

static void look_around(const place *at, const char *what, char *out) {
    NILAS_AUTO(nilas_session) session = open_session(at);
    out[0] = '\0';
    for (size_t i = 0; i < LOOKS; i++) {
        look(session, looks[i], out);
    }
    check_files(session, what);
}

/* ---- statements ---- */

typedef struct scenario {
    const char *statement; // "{0}" is what `ask` gives before
    const char *ask;
    bool sqlite_only, in_parts;
} scenario;

#define REWRITE                                                                                    \
    "CALL c.system.rewrite_data_files(table => 'db.t', options => map('rewrite-all', 'true'"
#define EXPIRE                                                                                     \
    "CALL c.system.expire_snapshots(table => 'db.t', older_than => timestamp'2100-01-01 "          \
    "00:00:00', "
#define OF_STAGE "SELECT concat(snapshot_id, '') FROM db.t.snapshots WHERE summary['wap.id'] = 'w'"

/** With its quotes, since what is asked ends with a space. */
#define FOLDER_OF_DATA                                                                             \
    "SELECT concat('\"parquet.`', regexp_replace(max(file_path), '/k=.*', ''), '`\"') FROM "       \
    "db.t.files"

static const scenario scenarios[] = {
    {"INSERT INTO db.t VALUES (900, 0, 'new')", NULL, false, false},
    {"INSERT OVERWRITE db.t PARTITION (k = 1) VALUES (901, 'over')", NULL, false, false},
    {"DELETE FROM db.t WHERE id % 3 = 1", NULL, false, false},
    {"UPDATE db.t SET s = 'up' WHERE id < 4", NULL, false, false},
    {"MERGE INTO db.t t USING (SELECT 2 AS id UNION ALL SELECT 77) m ON t.id = m.id WHEN MATCHED "
     "THEN DELETE WHEN NOT MATCHED THEN INSERT (id, k, s) VALUES (m.id, 5, 'm')",
     NULL, false, false},
    {EXPIRE "retain_last => 1)", NULL, false, false},
    {REWRITE "))", NULL, false, false},
    {REWRITE ", 'partial-progress.enabled', 'true'))", NULL, false, true},
    {"CALL c.system.rewrite_position_delete_files('db.t', map('rewrite-all', 'true'))", NULL, false,
     false},
    {"CALL c.system.rewrite_manifests('db.t')", NULL, false, false},
    {"CALL c.system.remove_orphan_files('db.t')", NULL, false, false},
    {"CALL c.system.fast_forward('db.t', 'main', 'b')", NULL, false, false},
    {"CALL c.system.cherrypick_snapshot('db.t', {0})", OF_STAGE, false, false},
    {"CALL c.system.publish_changes('db.t', 'w')", NULL, false, false},
    {"CALL c.system.rollback_to_snapshot('db.t', {0})",
     "SELECT concat(parent_id, '') FROM db.t.history h WHERE snapshot_id = (SELECT snapshot_id "
     "FROM "
     "db.t.refs WHERE name = 'main')",
     false, false},
    {EXPIRE "retain_last => 1, clean_expired_metadata => true)", NULL, false, false},
    {"CALL c.system.compute_table_stats('db.t')", NULL, false, false},
    {"CALL c.system.compute_partition_stats('db.t')", NULL, false, false},
    {"CALL c.system.add_files('db.t', {0}, map('k', '1'), false)", FOLDER_OF_DATA, false, false},
    {"CALL c.system.snapshot({0}, 'db.u')", FOLDER_OF_DATA, false, false},
    {"CALL c.system.register_table('db.u', {0})",
     "SELECT concat('\"', max_by(file, timestamp), '\"') FROM db.t.metadata_log_entries", true,
     false},
    {"CALL c.system.rewrite_table_path('db.t', {0}, '/elsewhere')",
     "SELECT concat('\"', regexp_replace(max(file_path), '/db/t/data/.*', ''), '\"') FROM "
     "db.t.files",
     false, false},
    {"ALTER TABLE db.t SET TBLPROPERTIES ('mark' = 'set')", NULL, false, false},
    {"ALTER TABLE db.t CREATE TAG now", NULL, false, false},
    {"ALTER TABLE db.t RENAME TO db.u", NULL, true, false},
    {"DROP TABLE db.t", NULL, false, false},
    {"DROP TABLE db.t PURGE", NULL, true, false},
    {"CREATE TABLE db.u (id bigint, k int, s string)", NULL, false, false},
    {"CREATE TABLE db.u PARTITIONED BY (k) AS SELECT * FROM db.t", NULL, false, false},
    {"CREATE OR REPLACE TABLE db.t AS SELECT id, 7 AS k, 'r' AS s FROM db.t", NULL, false, false},
    {"REPLACE TABLE db.t (id bigint, k int, s string)", NULL, false, false},
    {"CREATE VIEW db.w AS SELECT 'w'", NULL, true, false},
    {"CREATE OR REPLACE VIEW db.v AS SELECT 'new'", NULL, true, false},
    {"ALTER VIEW db.v RENAME TO db.w", NULL, true, false},
    {"DROP VIEW db.v", NULL, true, false},
    {"CREATE NAMESPACE more", NULL, false, false},
    {"DROP NAMESPACE empty", NULL, false, false},
};
#define SCENARIOS (sizeof(scenarios) / sizeof(*scenarios))

static void make_folder(place *at, bool sqlite) {
    *at = (place){.sqlite = sqlite};
    snprintf(at->root, sizeof(at->root), "%s/nilas-fault-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    CHECK(mkdtemp(at->root) != NULL);
    run_shell("mkdir %s/now %s/now/wh", at->root);
}

static void set_up(const place *at) {
    static const char *const statements[] = {
        "CREATE NAMESPACE db",
        "CREATE NAMESPACE empty",
        "CREATE TABLE db.t (id bigint, k int, s string) PARTITIONED BY (k) TBLPROPERTIES ("
        "'format-version' = '2', 'write.delete.mode' = 'merge-on-read', 'write.wap.enabled' = "
        "'true', "
        "'commit.retry.num-retries' = '0', 'commit.status-check.num-retries' = '1', "
        "'commit.status-check.min-wait-ms' = '1', 'mark' = 'none')",
        "INSERT INTO db.t SELECT id, cast(id % 2 AS int), 'a' FROM range(4)",
        "INSERT INTO db.t SELECT id + 4, cast(id % 2 AS int), 'b' FROM range(4)",
        "DELETE FROM db.t WHERE id = 5",
        "DELETE FROM db.t WHERE id = 6",
        "ALTER TABLE db.t CREATE BRANCH b",
        "INSERT INTO db.t.branch_b VALUES (100, 1, 'branch')",
        "SET spark.wap.id = w",
        "INSERT INTO db.t VALUES (200, 0, 'staged')",
    };
    NILAS_AUTO(nilas_session) session = open_session(at);
    for (size_t i = 0; i < sizeof(statements) / sizeof(*statements); i++) {
        must_run(session, statements[i]);
    }
    if (at->sqlite) {
        must_run(session, "CREATE VIEW db.v AS SELECT 'old'");
    }
    run_shell("cp -a %s/now %s/was", at->root);
}

static void restore(const place *at) {
    run_shell("rm -rf %s/now && cp -a %s/was %s/now", at->root);
}

static void done(const place *at) {
    run_shell("rm -rf %s", at->root);
}

/* ---- faults ---- */

typedef enum fault_kind {
    FAULT_BEFORE, // the step does not happen
    FAULT_AFTER,  // it happens, and is said to have failed
    FAULT_BLIND,  // and from then on nothing can be read
    FAULT_KILL,   // the process ends before the step
} fault_kind;

typedef struct step_fault {
    fault_kind kind;
    int at, steps;
    bool hit;
} step_fault;

static bool is_reading(const char *operation) {
    return strcmp(operation, "read") == 0 || strcmp(operation, "stat") == 0 ||
           strcmp(operation, "list") == 0;
}

static nilas_code fail_step(void *context, const char *operation, nilas_str location, bool is_done,
                            nilas_error *err) {
    step_fault *f = context;
    bool is_after = f->kind == FAULT_AFTER || f->kind == FAULT_BLIND;
    bool only_changes = f->kind == FAULT_KILL || f->kind == FAULT_BLIND;

    if (f->kind == FAULT_BLIND && f->hit && !is_done &&
        (is_reading(operation) || strcmp(operation, "sql") == 0)) {
        return nilas_fail(err, NILAS_IO, "nothing can be read any more");
    }
    if (is_done != is_after || f->hit || (only_changes && is_reading(operation)) ||
        f->steps++ != f->at) {
        return NILAS_OK;
    }
    f->hit = true;
    if (f->kind == FAULT_KILL) {
        _exit(9);
    }
    return nilas_fail(err, NILAS_IO, "step %d (%s of %.*s) was made to fail", f->at, operation,
                      NILAS_FMT(location));
}

typedef struct outcome {
    char before[TEXT_BYTES], after[TEXT_BYTES], found[TEXT_BYTES], statement[TEXT_BYTES];
} outcome;

static nilas_code run_with(const place *at, const char *statement, step_fault *fault,
                           nilas_error *err) {
    NILAS_AUTO(nilas_session) session = open_session(at);
    nilas_io_set_fault(session->io, fault != NULL ? fail_step : NULL, fault);
    nilas_code code = run_statement(session, statement, NULL, err);
    nilas_io_set_fault(session->io, NULL, NULL);
    return code;
}

/** What is there before and after the statement when nothing fails. */
static void rehearse(const place *at, const scenario *s, outcome *o) {
    nilas_error err = NILAS_ERROR_INIT;
    char word[TEXT_BYTES] = "";
    if (s->ask != NULL) {
        NILAS_AUTO(nilas_session) session = open_session(at);
        CHECK_OK(run_statement(session, s->ask, word, &err), err);
    }
    fill(o->statement, s->statement, word);
    look_around(at, o->statement, o->before);
    CHECK_OK(run_with(at, o->statement, NULL, &err), err);
    look_around(at, o->statement, o->after);
    CHECK(strstr(o->before, "(IO") == NULL && strstr(o->after, "(IO") == NULL);
}

/** Rows are what comes before the first mark. */
static bool same_rows(const char *a, const char *b) {
    size_t size = (size_t)(strchr(a, '|') - a);
    return strncmp(a, b, size + 1) == 0;
}

static void check_outcome(const scenario *s, const outcome *o, nilas_code code, int step,
                          const char *message) {
    bool is_old = strcmp(o->found, o->before) == 0, is_new = strcmp(o->found, o->after) == 0;
    if (s->in_parts ? !same_rows(o->found, o->before) : !is_old && !is_new) {
        NILAS_TEST_FAIL("%s, step %d (%s):\n   found  %s\n   before %s\n   after  %s", o->statement,
                        step, nilas_code_name(code), o->found, o->before, o->after);
    }
    if (getenv("NILAS_FAULT_SHOW") != NULL) {
        printf("    %-60.60s %3d %-10s %s %s\n", o->statement, step, nilas_code_name(code),
               is_new ? "new" : "old", message);
    }
    if (code == NILAS_OK && !s->in_parts && !is_new) {
        NILAS_TEST_FAIL("%s, step %d: acknowledged, but not there", o->statement, step);
    }
}

static int first_step(size_t scenario_index) {
    return getenv("NILAS_FAULT_ALL") != NULL ? 0 : (int)(scenario_index % 9);
}

static int stride(void) {
    return getenv("NILAS_FAULT_ALL") != NULL ? 1 : 9;
}

/** Every step fails once, until one is beyond the end. */
static void fail_each(const place *at, size_t index, fault_kind kind) {
    const scenario *s = &scenarios[index];
    outcome *o = calloc(1, sizeof(*o));
    bool more = true;
    restore(at);
    rehearse(at, s, o);
    for (int step = first_step(index); more && step < 500; step += stride()) {
        nilas_error err = NILAS_ERROR_INIT;
        step_fault f = {.kind = kind, .at = step};
        restore(at);
        nilas_code code = run_with(at, o->statement, &f, &err);
        look_around(at, o->statement, o->found);
        CHECK(code == NILAS_OK || err.message[0] != '\0');
        CHECK(f.hit || code == NILAS_OK);
        check_outcome(s, o, code, step, err.message);
        more = f.hit;
    }
    CHECK(!more);
    free(o);
}

static bool is_wanted(size_t index, bool sqlite, fault_kind kind) {
    const char *only = getenv("NILAS_FAULT_ONLY"); // part of a statement
    const scenario *s = &scenarios[index];
    bool is_turn = getenv("NILAS_FAULT_ALL") != NULL || only != NULL ||
                   (index + (size_t)kind + (sqlite ? 1 : 0)) % 3 == 0;
    return is_turn && (only == NULL || strstr(s->statement, only) != NULL) &&
           (sqlite || !s->sqlite_only);
}

static void fail_all(bool sqlite, fault_kind kind) {
    place at;
    make_folder(&at, sqlite);
    set_up(&at);
    for (size_t i = 0; i < SCENARIOS; i++) {
        if (is_wanted(i, sqlite, kind)) {
            fail_each(&at, i, kind);
        }
    }
    done(&at);
}

/* ---- kills ---- */

/** Run a function in a process of its own; its exit status. DuckDB's threads do not live through
 * fork(), so the first process must not have any. */
static int in_child(void (*run)(const place *at, size_t index, outcome *o, int step),
                    const place *at, size_t index, outcome *o, int step) {
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        nilas_test_failures = 0;
        run(at, index, o, step);
        fflush(stdout);
        _exit(nilas_test_failures > 0 ? 1 : 0);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void rehearse_alone(const place *at, size_t index, outcome *o, int step) {
    (void)step;
    rehearse(at, &scenarios[index], o);
}

static void die_at(const place *at, size_t index, outcome *o, int step) {
    nilas_error err = NILAS_ERROR_INIT;
    step_fault f = {.kind = FAULT_KILL, .at = step};
    (void)index;
    CHECK_OK(run_with(at, o->statement, &f, &err), err);
}

static void look_alone(const place *at, size_t index, outcome *o, int step) {
    look_around(at, o->statement, o->found);
    check_outcome(&scenarios[index], o, NILAS_UNCERTAIN, step, "killed");
}

static void kill_each(const place *at, size_t index, outcome *o) {
    int status = 9;
    restore(at);
    CHECK_INT(in_child(rehearse_alone, at, index, o, 0), 0);
    for (int step = first_step(index); status == 9 && step < 500; step += stride()) {
        restore(at);
        status = in_child(die_at, at, index, o, step);
        CHECK_INT(in_child(look_alone, at, index, o, step), 0);
    }
    CHECK_INT(status, 0);
}

static void set_up_alone(const place *at, size_t index, outcome *o, int step) {
    (void)index, (void)o, (void)step;
    set_up(at);
}

static void kill_all(bool sqlite) {
    place at;
    outcome *o = mmap(NULL, sizeof(*o), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(o != MAP_FAILED);
    make_folder(&at, sqlite);
    CHECK_INT(in_child(set_up_alone, &at, 0, o, 0), 0);
    for (size_t i = 0; i < SCENARIOS; i++) {
        if (is_wanted(i, sqlite, FAULT_KILL)) {
            kill_each(&at, i, o);
        }
    }
    done(&at);
    munmap(o, sizeof(*o));
}

/* ---- the tests: kills first, see in_child() ---- */

NILAS_TEST(the_process_may_die_at_each_step) {
    kill_all(false);
    kill_all(true);
}

NILAS_TEST(each_step_on_hadoop_may_fail) {
    fail_all(false, FAULT_BEFORE);
}

NILAS_TEST(each_answer_on_hadoop_may_be_lost) {
    fail_all(false, FAULT_AFTER);
    fail_all(false, FAULT_BLIND);
}

NILAS_TEST(each_step_on_sqlite_may_fail) {
    fail_all(true, FAULT_BEFORE);
}

NILAS_TEST(each_answer_on_sqlite_may_be_lost) {
    fail_all(true, FAULT_AFTER);
    fail_all(true, FAULT_BLIND);
}
