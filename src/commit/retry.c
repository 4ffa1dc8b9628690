/*
 * One commit: load, apply, swap; again when another writer was first. An answer that was lost is
 * looked up, never guessed, and as long as it is unknown no file is deleted.
 */
#include <stdio.h>
#include <sys/random.h>
#include <time.h>

#include "commit/private.h"

typedef struct pace { // commit.retry.* or commit.status-check.*
    int64_t retries, min_wait_ms, max_wait_ms, total_ms;
    int64_t started_ms;
    int64_t tried;
} pace;

static pace pace_of(const nilas_metadata *metadata, const char *prefix, pace fallback) {
    pace made = fallback;
    struct {
        const char *name;
        int64_t *value;
    } settings[] = {{"num-retries", &made.retries},
                    {"min-wait-ms", &made.min_wait_ms},
                    {"max-wait-ms", &made.max_wait_ms},
                    {"total-timeout-ms", &made.total_ms}};

    for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
        char key[64];
        (void)snprintf(key, sizeof(key), "%s.%s", prefix, settings[i].name);
        *settings[i].value = nilas_commit__int_property(metadata, key, *settings[i].value);
    }
    made.started_ms = nilas_monotonic_ns() / 1000000;
    made.tried = 0;
    return made;
}

static double random_part(void) {
    uint32_t bits;

    if (getrandom(&bits, sizeof(bits), 0) != (ssize_t)sizeof(bits)) {
        bits = (uint32_t)nilas_monotonic_ns();
    }
    return (double)bits / 4294967296.0;
}

/** Wait before trying again; false when the retries or the time are used up, or when cancelled. */
static bool wait_again(pace *at, const nilas_cancel *cancel) {
    int64_t wait = at->min_wait_ms > 0 ? at->min_wait_ms : 1;
    int64_t now = nilas_monotonic_ns() / 1000000;

    if (at->tried >= at->retries || now - at->started_ms >= at->total_ms) {
        return false;
    }
    for (int64_t i = 0; i < at->tried && wait < at->max_wait_ms; i++) {
        wait *= 2;
    }
    wait = wait > at->max_wait_ms ? at->max_wait_ms : wait;
    // From a tenth to the whole, so that writers that lost together do not meet again.
    wait = 1 + (int64_t)((double)wait * (0.1 + 0.9 * random_part()));
    at->tried++;
    for (int64_t slept = 0; slept < wait && !nilas_cancelled(cancel);) {
        int64_t step = wait - slept < 50 ? wait - slept : 50;
        struct timespec time = {.tv_nsec = step * 1000000};
        (void)nanosleep(&time, NULL);
        slept += step;
    }
    return !nilas_cancelled(cancel);
}

// ---- a lost answer ------------------------------------------------------------------------------

static bool in_history(const nilas_metadata *newest, const nilas_update *update) {
    nilas_str ours = update->metadata.metadata_location;

    if (nilas_str_equal(newest->metadata_location, ours)) {
        return true;
    }
    for (size_t i = 0; i < newest->metadata_log_count; i++) {
        if (nilas_str_equal(newest->metadata_log[i].metadata_file, ours)) {
            return true;
        }
    }
    for (size_t i = 0; i < update->added_snapshots.count; i++) {
        if (nilas_metadata_snapshot(newest, update->added_snapshots.items[i]) != NULL) {
            return true;
        }
    }
    return false;
}

/** NILAS_OK: it happened; NILAS_CONFLICT: it did not; NILAS_UNCERTAIN: still unknown. */
static nilas_code check_status(const nilas_commit_options *options, const nilas_update *update,
                               nilas_error *err) {
    pace check = pace_of(
        &update->metadata, "commit.status-check",
        (pace){.retries = 3, .min_wait_ms = 1000, .max_wait_ms = 60000, .total_ms = 1800000});

    for (;;) {
        NILAS_AUTO(nilas_table) newest = NULL;
        nilas_error own = NILAS_ERROR_INIT;
        nilas_code code = nilas_catalog_load_table(options->catalog, options->identifier,
                                                   options->identifier_count, &newest, &own);
        if (code == NILAS_OK && in_history(newest->metadata, update)) {
            return NILAS_OK;
        }
        if (code == NILAS_OK) {
            nilas_error_append(err, "(checked: the commit did not happen)");
            if (err != NULL) {
                err->code = NILAS_CONFLICT;
            }
            return NILAS_CONFLICT;
        }
        // Not even a table that is gone proves anything: it may have been renamed since. Nobody can
        // cancel here: the answer decides whether files may be deleted.
        if (code == NILAS_NOT_FOUND || !wait_again(&check, NULL)) {
            nilas_error_append(err, "(and the check of it failed: %s)", own.message);
            return NILAS_UNCERTAIN;
        }
    }
}

// ---- attempts -----------------------------------------------------------------------------------

typedef struct attempt {
    const nilas_commit_options *options;
    nilas_table *base;
    nilas_update *update;
} attempt;

/** Apply and swap once. What was written is deleted unless it is, or may be, part of the table. */
static nilas_code try_once(attempt *at, nilas_table **out, nilas_error *err) {
    const nilas_commit_options *options = at->options;
    nilas_update *update = at->update;

    nilas_code code = options->apply(options->context, update, err);
    if (code == NILAS_OK && !update->changed) {
        if (out != NULL) {
            *out = nilas_table_ref(at->base);
        }
        return NILAS_OK;
    }
    if (code == NILAS_OK) {
        code = nilas_commit__update_finish(update, err);
    }
    if (code == NILAS_OK && nilas_cancelled(options->cancel)) {
        code = nilas_fail(err, NILAS_CANCELLED, "the commit was cancelled");
    }
    if (code != NILAS_OK) {
        nilas_commit__update_discard(update);
        // A conflict found by validation stays one: only a lost swap is tried again.
        update->changed = false;
        return code;
    }
    code = nilas_catalog_swap(options->catalog, update->arena, options->identifier,
                              options->identifier_count, at->base, &update->metadata, err);
    if (code == NILAS_UNCERTAIN) {
        code = check_status(options, update, err);
    }
    if (code != NILAS_OK && code != NILAS_UNCERTAIN) {
        nilas_commit__update_discard(update);
    }
    if (code == NILAS_OK && out != NULL) {
        code = nilas_commit__table_of(update, options->identifier, options->identifier_count,
                                      nilas_catalog_name(options->catalog), out, err);
        return nilas_commit__after_swap(code, err);
    }
    return code;
}

#define QUEUE_TIMEOUT_MS 500
#define AUTO_LOCK        __attribute__((cleanup(nilas_io_unlock))) int

static nilas_code load_base(const nilas_commit_options *options, nilas_table **out,
                            nilas_error *err) {
    return nilas_catalog_load_table(options->catalog, options->identifier,
                                    options->identifier_count, out, err);
}

/**
 * Load the newest version, in line with other writers at the table's folder, so that they do not
 * beat each other again and again. The line is only a courtesy: without it, and after some waiting,
 * the commit is as safe, and may be refused more often.
 */
static nilas_code load_in_line(const nilas_commit_options *options, nilas_arena *arena,
                               nilas_table **out, int *lock, nilas_error *err) {
    nilas_io *io = nilas_catalog_io(options->catalog);
    nilas_str folder;

    NILAS_TRY(load_base(options, out, err));
    if (nilas_catalog_file_location(arena, (*out)->metadata->location, &folder, NULL) != NILAS_OK ||
        nilas_io_lock(io, folder, 0, lock, NULL) == NILAS_OK) {
        return NILAS_OK;
    }
    if (nilas_io_lock(io, folder, QUEUE_TIMEOUT_MS, lock, NULL) != NILAS_OK) {
        *lock = -1;
    }
    nilas_table_unref(*out); // it has changed while we waited
    *out = NULL;
    return load_base(options, out, err);
}

nilas_code nilas_commit(const nilas_commit_options *options, nilas_table **out, nilas_error *err) {
    pace retry = {0};

    nilas_assert(options->apply != NULL && options->identifier_count > 0);
    for (int number = 1;; number++) {
        NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
        NILAS_AUTO(nilas_table) base = NULL;
        AUTO_LOCK lock = -1;
        attempt at = {.options = options};

        NILAS_REQUIRE(arena != NULL, err, NILAS_NOMEM, "out of memory");
        NILAS_TRY(load_in_line(options, arena, &base, &lock, err));
        if (number == 1) {
            retry = pace_of(
                base->metadata, "commit.retry",
                (pace){
                    .retries = 4, .min_wait_ms = 100, .max_wait_ms = 60000, .total_ms = 1800000});
        }
        at.base = base;
        NILAS_TRY(nilas_commit__update_new(arena, nilas_catalog_io(options->catalog), base, number,
                                           &at.update, err));
        nilas_code code = try_once(&at, out, err);
        nilas_io_unlock(&lock);
        if (code != NILAS_CONFLICT || !at.update->changed) {
            return code;
        }
        if (!wait_again(&retry, options->cancel)) {
            nilas_error_append(err, "(after %d attempts)", number);
            return code;
        }
    }
}
