/* Commits: lost races are run again, lost answers are looked up, and nothing is left behind. */
#include "commit/commit.h"
#include "unit/commit/place.h"

typedef struct fault {
    const char *operation; // that fails
    const char *within;    // its location holds this; NULL: any
    bool after;            // the thing has happened
    int times;             // how often from now on
    int seen;
} fault;

static nilas_code fail_some(void *context, const char *operation, nilas_str location, bool done,
                            nilas_error *err) {
    fault *f = context;
    bool inside =
        f->within == NULL || nilas_str_find(location, nilas_str_of(f->within), 0) != SIZE_MAX;

    if (f->times > 0 && strcmp(operation, f->operation) == 0 && done == f->after && inside) {
        f->times--;
        f->seen++;
        return nilas_fail(err, NILAS_IO, "made to fail");
    }
    return NILAS_OK;
}

typedef struct attempt {
    place *at;
    int calls;
    nilas_data_file file;
    nilas_data_file rival; // committed by somebody else during the first call
    bool has_rival, has_change, fails;
} attempt;

static nilas_code apply_attempt(void *context, nilas_update *update, nilas_error *err) {
    attempt *a = context;

    a->calls++;
    if (a->has_rival && a->calls == 1) {
        CHECK_OK(append(a->at, &a->rival), a->at->err);
    }
    if (a->fails) {
        return nilas_fail(err, NILAS_CONFLICT, "not this one");
    }
    if (!a->has_change) {
        return NILAS_OK;
    }
    nilas_snapshot_change change = {.added = &a->file, .added_count = 1};
    return nilas_update_snapshot(update, &change, NULL, err);
}

static nilas_code run(place *at, attempt *a, const nilas_cancel *cancel) {
    nilas_commit_options options = {.catalog = at->catalog,
                                    .identifier = TABLE,
                                    .identifier_count = 2,
                                    .cancel = cancel,
                                    .apply = apply_attempt,
                                    .context = a};
    return nilas_commit(&options, NULL, &at->err);
}

/** Avro and temporary files in the table's metadata folder. */
static size_t count_files(place *at) {
    nilas_io_entry *entries;
    size_t count = 0, found = 0;
    nilas_str folder = NILAS_STR_EMPTY;
    CHECK_OK(nilas_str_print(at->arena, &folder, &at->err, "%s/wh/db/t/metadata", at->root),
             at->err);
    CHECK_OK(nilas_io_list(at->io, at->arena, folder, &entries, &count, &at->err), at->err);
    for (size_t i = 0; i < count; i++) {
        found += nilas_str_ends(entries[i].name, NILAS_STR(".avro")) ||
                 nilas_str_ends(entries[i].name, NILAS_STR(".tmp"));
    }
    return found;
}

static void begin(place *at, attempt *a, bool sqlite) {
    nilas_str db = NILAS_STR("db");
    nilas_property quick[] = {{NILAS_STR("commit.retry.min-wait-ms"), NILAS_STR("1")},
                              {NILAS_STR("commit.status-check.min-wait-ms"), NILAS_STR("1")},
                              {NILAS_STR("commit.status-check.num-retries"), NILAS_STR("1")}};

    make_place(at, sqlite);
    CHECK_OK(nilas_catalog_create_namespace(at->catalog, &db, 1, NULL, 0, &at->err), at->err);
    CHECK_OK(create_table(at, quick, 3), at->err);
    *a = (attempt){.at = at,
                   .has_change = true,
                   .file = make_file(at, "a", 1, 1, NULL),
                   .rival = make_file(at, "rival", 1, 2, NULL)};
}

NILAS_TEST(a_lost_race_is_run_again_on_the_newest_version) {
    for (int sqlite = 0; sqlite < 2; sqlite++) {
        place at;
        attempt a;
        begin(&at, &a, sqlite);
        a.has_rival = true;
        CHECK_OK(run(&at, &a, NULL), at.err);
        CHECK_INT(a.calls, 2);
        CHECK_TEXT(live_now(&at), "a:2 rival:1");
        CHECK_INT(count_files(&at), 4); // two lists, two manifests: the lost attempt's are gone
        place_done(&at);
    }
}

NILAS_TEST(a_conflict_that_the_change_finds_is_final) {
    place at;
    attempt a;
    begin(&at, &a, true);
    a.fails = true;
    CHECK_FAILS(run(&at, &a, NULL), NILAS_CONFLICT, at.err, "not this one");
    CHECK_INT(a.calls, 1);
    place_done(&at);
}

NILAS_TEST(a_change_of_nothing_writes_no_version) {
    place at;
    attempt a;
    begin(&at, &a, false);
    nilas_table *before = load(&at);
    a.has_change = false;
    CHECK_OK(run(&at, &a, NULL), at.err);
    nilas_table *after = load(&at);
    CHECK_BYTES(after->metadata->metadata_location, before->metadata->metadata_location);
    nilas_table_unref(before);
    nilas_table_unref(after);
    place_done(&at);
}

NILAS_TEST(a_cancelled_commit_leaves_nothing) {
    place at;
    attempt a;
    nilas_cancel cancel = {true};
    begin(&at, &a, false);
    CHECK_CODE(run(&at, &a, &cancel), NILAS_CANCELLED, at.err);
    CHECK_TEXT(live_now(&at), "");
    CHECK_INT(count_files(&at), 0);
    place_done(&at);
}

NILAS_TEST(a_lost_answer_is_found_to_be_success) {
    for (int sqlite = 0; sqlite < 2; sqlite++) {
        place at;
        attempt a;
        begin(&at, &a, sqlite);
        fault f = {.operation = sqlite ? "sql" : "rename",
                   .within = sqlite ? "UPDATE" : ".tmp",
                   .after = true,
                   .times = 1};
        nilas_io_set_fault(at.io, fail_some, &f);
        CHECK_OK(run(&at, &a, NULL), at.err);
        CHECK_INT(f.seen, 1);
        CHECK_INT(a.calls, 1);
        CHECK_TEXT(live_now(&at), "a:1");
        place_done(&at);
    }
}

NILAS_TEST(a_swap_that_did_not_happen_is_run_again) {
    place at;
    attempt a;
    begin(&at, &a, true);
    fault f = {.operation = "sql", .within = "UPDATE", .times = 1};
    nilas_io_set_fault(at.io, fail_some, &f);
    CHECK_OK(run(&at, &a, NULL), at.err);
    CHECK_INT(a.calls, 2);
    CHECK_TEXT(live_now(&at), "a:1");
    place_done(&at);
}

/** The swap happens, its answer is lost, and from then on nothing can be read. */
static nilas_code go_blind(void *context, const char *operation, nilas_str location, bool done,
                           nilas_error *err) {
    fault *f = context;

    if (f->seen > 0 && f->times > 0 && strcmp(operation, "read") == 0) {
        return nilas_fail(err, NILAS_IO, "cannot see");
    }
    if (done &&
        (strcmp(operation, "rename") == 0 ||
         (strcmp(operation, "sql") == 0 && nilas_str_starts(location, NILAS_STR("UPDATE"))))) {
        f->seen++;
        return nilas_fail(err, NILAS_IO, "made to fail");
    }
    return NILAS_OK;
}

NILAS_TEST(while_the_outcome_is_unknown_nothing_is_deleted) {
    for (int sqlite = 0; sqlite < 2; sqlite++) {
        place at;
        attempt a;
        begin(&at, &a, sqlite);
        fault f = {.times = 1};
        nilas_io_set_fault(at.io, go_blind, &f);
        CHECK_FAILS(run(&at, &a, NULL), NILAS_UNCERTAIN, at.err, "cannot see");
        f.times = 0;
        CHECK_TEXT(live_now(&at), "a:1");
        place_done(&at);
    }
}
