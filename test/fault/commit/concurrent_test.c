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

/** Up to two live files of the newest version. */
static size_t pick_files(place *at, nilas_data_file out[2]) {
    nilas_table *table = load(at);
    nilas_scan_options options = {.snapshot = nilas_metadata_current_snapshot(table->metadata),
                                  .schema = nilas_metadata_current_schema(table->metadata),
                                  .worker_count = 1};
    nilas_scan_plan *plan;
    size_t count = 0;

    if (options.snapshot != NULL &&
        nilas_scan_plan_new(at->arena, table, &options, &plan, &at->err) == NILAS_OK) {
        for (; count < 2 && count < plan->task_count; count++) {
            nilas_manifest_entry entry = {.file = plan->tasks[plan->task_count - 1 - count].file};
            CHECK_OK(nilas_manifest_entry_copy(at->arena, &entry, &entry, &at->err), at->err);
            out[count] = entry.file;
        }
    }
    nilas_table_unref(table);
    return count;
}

/** One random change; *out_rows is what it adds to the table's rows. */
static nilas_code change_something(place *at, const char *name, unsigned *seed, int *out_rows) {
    nilas_data_file picked[2], made;
    size_t count = pick_files(at, picked);
    int rows = 1 + rand_r(seed) % 5;
    int what = rand_r(seed) % 4;
    nilas_snapshot_change change = {.append_manifests_merge = true};

    *out_rows = 0;
    if (count == 2 && what == 0) { // compact
        rows = (int)(picked[0].record_count + picked[1].record_count);
        change.operation = "replace";
        change.removed_count = 2;
    } else if (count > 0 && what <= 2) { // delete one, or overwrite it
        change.removed_count = 1;
    }
    for (size_t i = 0; i < change.removed_count; i++) {
        *out_rows -= (int)picked[i].record_count;
    }
    change.removed = picked;
    if (change.removed_count != 1 || what == 2) {
        made = make_file(at, name, rows, 0, NULL);
        change.added = &made;
        change.added_count = 1;
        *out_rows += rows;
    }
    return commit_change(at, &change);
}

static void change_some(place *at, int writer, int count, int acknowledged) {
    unsigned seed = (unsigned)writer + 1;

    open_catalog(at);
    for (int i = 0; i < count; i++) {
        char name[32];
        int rows = 0;
        snprintf(name, sizeof(name), "w%d-%d", writer, i);
        nilas_code code = change_something(at, name, &seed, &rows);
        if (code == NILAS_OK && write(acknowledged, &rows, sizeof(rows)) != sizeof(rows)) {
            _exit(250);
        }
        if (code != NILAS_OK && code != NILAS_CONFLICT) {
            printf("writer %d: %s\n", writer, at->err.message);
            _exit(251);
        }
    }
    _exit(0);
}

/** Appends, overwrites, deletes and compactions together: the rows are the sum of what was
 * acknowledged. */
static void mix(bool sqlite) {
    int writers = setting("NILAS_WRITERS", 4);
    int changes = setting("NILAS_APPENDS", 6);
    int ends[2], rows = 0, expected = 0;
    // Old versions go at once, also from under those who are just reading them.
    nilas_property few_versions[] = {
        {NILAS_STR("write.metadata.previous-versions-max"), NILAS_STR("1")},
        {NILAS_STR("write.metadata.delete-after-commit.enabled"), NILAS_STR("true")}};
    char total[16];
    place at;

    make_place(&at, sqlite);
    CHECK_OK(nilas_catalog_create_namespace(at.catalog, TABLE, 1, NULL, 0, &at.err), at.err);
    CHECK_OK(create_table(&at, few_versions, 2), at.err);
    nilas_data_file first = make_file(&at, "first", 3, 0, NULL);
    CHECK_OK(append(&at, &first), at.err);
    expected = 3;
    nilas_catalog_free(at.catalog);
    at.catalog = NULL;
    REQUIRE(pipe(ends) == 0);
    for (int i = 0; i < writers; i++) {
        if (fork() == 0) {
            change_some(&at, i, changes, ends[1]);
        }
    }
    close(ends[1]);
    while (read(ends[0], &rows, sizeof(rows)) == sizeof(rows)) {
        expected += rows;
    }
    close(ends[0]);
    for (int i = 0; i < writers; i++) {
        int status = 0;
        CHECK(wait(&status) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    open_catalog(&at);
    nilas_table *table = load(&at);
    nilas_scan_options options = {.snapshot = nilas_metadata_current_snapshot(table->metadata),
                                  .schema = nilas_metadata_current_schema(table->metadata)};
    nilas_scan_plan *plan;
    REQUIRE_OK(nilas_scan_plan_new(at.arena, table, &options, &plan, &at.err), at.err);
    CHECK_INT(plan->counts.rows_total, expected);
    CHECK(strstr(live(&at, table, NULL), "!") == NULL);
    snprintf(total, sizeof(total), "%d", expected);
    CHECK_TEXT(summary_of(&at, "total-records"), total);
    nilas_table_unref(table);
    place_done(&at);
}

NILAS_TEST(mixed_changes_of_several_processes_add_up_in_a_hadoop_table) {
    mix(false);
}

NILAS_TEST(mixed_changes_of_several_processes_add_up_in_an_sql_table) {
    mix(true);
}

NILAS_TEST(appends_of_several_processes_to_a_hadoop_table_all_count) {
    race(false);
}

NILAS_TEST(appends_of_several_processes_to_an_sql_table_all_count) {
    race(true);
}
