/**
 * Files that are rewritten together, and the commits they come to.
 *
 * A group has files of one partition, up to the largest size of a group. Groups are written one
 * after the other, each with all processors. They are committed at once, or, with partial progress,
 * some at a time; then a group that cannot be written and a commit that is refused are counted and
 * left out.
 */
#include "session/procedure_rewrite.h"

/* --- groups
 * --------------------------------------------------------------------------------------- */

typedef NILAS_ARRAY_OF(nilas_rewrite_item) item_list;

typedef struct planner {
    nilas_arena *arena;
    const nilas_rewrite_options *options;
    NILAS_ARRAY_OF(nilas_rewrite_group) groups;
    int64_t file_count; // in them
    size_t planned;     // groups, those beyond the largest number of files among them
} planner;

/** Whether rewriting the files gains anything. */
static bool is_worth_it(const nilas_rewrite_options *options, const item_list *items,
                        int64_t bytes) {
    bool has_deleted = false;
    for (size_t i = 0; i < items->count; i++) {
        has_deleted = has_deleted || items->items[i].has_deleted;
    }
    bool is_enough = items->count > 1 && ((int64_t)items->count >= options->min_input_files ||
                                          bytes > options->target_bytes);
    return options->rewrite_all || is_enough || bytes > options->max_bytes || has_deleted;
}

static nilas_code take_group(planner *plan, item_list *items, int64_t bytes, nilas_error *err) {
    nilas_rewrite_group group = {.count = items->count};
    if (items->count == 0 || !is_worth_it(plan->options, items, bytes)) {
        return NILAS_OK;
    }
    plan->planned++;
    if ((int64_t)group.count > plan->options->max_files - plan->file_count) {
        group.count = (size_t)(plan->options->max_files - plan->file_count);
    }
    if (group.count == 0) {
        return NILAS_OK;
    }
    NILAS_NEW_ARRAY(plan->arena, &group.files, group.count, err);
    for (size_t i = 0; i < group.count; i++) {
        group.files[i] = items->items[i].file;
        group.bytes += items->items[i].bytes;
    }
    plan->file_count += (int64_t)group.count;
    NILAS_PUSH(plan->arena, &plan->groups, group, err);
    return NILAS_OK;
}

static nilas_code plan_partition(planner *plan, const item_list *files, nilas_error *err) {
    item_list taken = {0};
    int64_t bytes = 0;
    for (size_t i = 0; i < files->count; i++) {
        const nilas_rewrite_item *file = &files->items[i];
        if (taken.count > 0 && bytes + file->bytes > plan->options->max_group_bytes) {
            NILAS_TRY(take_group(plan, &taken, bytes, err));
            taken.count = 0;
            bytes = 0;
        }
        NILAS_PUSH(plan->arena, &taken, *file, err);
        bytes += file->bytes;
    }
    return take_group(plan, &taken, bytes, err);
}

static bool comes_after(nilas_rewrite_job_order order, const nilas_rewrite_group *a,
                        const nilas_rewrite_group *b) {
    switch (order) {
    case NILAS_REWRITE_BYTES_ASC: return a->bytes > b->bytes;
    case NILAS_REWRITE_BYTES_DESC: return a->bytes < b->bytes;
    case NILAS_REWRITE_FILES_ASC: return a->count > b->count;
    case NILAS_REWRITE_FILES_DESC: return a->count < b->count;
    default: return false;
    }
}

/** Stable: groups that are equal in this order stay in that of their partitions. */
static nilas_code sort_groups(planner *plan, nilas_error *err) {
    nilas_rewrite_group *from = plan->groups.items, *to;
    size_t count = plan->groups.count;
    NILAS_NEW_ARRAY(plan->arena, &to, count, err);
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t start = 0; start < count; start += 2 * width) {
            size_t middle = start + width < count ? start + width : count;
            size_t end = start + 2 * width < count ? start + 2 * width : count;
            size_t left = start, right = middle;
            for (size_t k = start; k < end; k++) {
                bool from_right =
                    left == middle || (right < end && comes_after(plan->options->job_order,
                                                                  &from[left], &from[right]));
                to[k] = from[from_right ? right++ : left++];
            }
        }
        nilas_rewrite_group *done = to;
        to = from;
        from = done;
    }
    plan->groups.items = from;
    return NILAS_OK;
}

nilas_code nilas_rewrite__plan_groups(nilas_arena *arena, const nilas_rewrite_options *options,
                                      const nilas_rewrite_item *items, size_t count,
                                      nilas_rewrite_groups *out, nilas_error *err) {
    planner plan = {.arena = arena, .options = options};
    nilas_map partitions;
    nilas_map_init(&partitions, arena, false);
    for (size_t i = 0; i < count; i++) {
        item_list *files = nilas_map_find(&partitions, items[i].key);
        if (files == NULL) {
            NILAS_NEW(arena, &files, err);
            NILAS_TRY(nilas_map_put(&partitions, items[i].key, files, err));
        }
        NILAS_PUSH(arena, files, items[i], err);
    }
    for (size_t i = 0; i < partitions.count; i++) {
        NILAS_TRY(plan_partition(&plan, partitions.entries[i].value, err));
    }
    NILAS_TRY(sort_groups(&plan, err));
    *out = (nilas_rewrite_groups){
        .items = plan.groups.items, .count = plan.groups.count, .planned = plan.planned};
    return NILAS_OK;
}

/* --- writing and committing them
 * ------------------------------------------------------------------ */

static void discard(const nilas_rewrite_job *job, nilas_rewrite_group **groups, size_t count) {
    for (size_t i = 0; i < count; i++) {
        job->discard(job->context, groups[i]);
    }
}

/** Commit groups that are written. Their files stay unless it certainly did not happen. */
static nilas_code commit_groups(const nilas_rewrite_job *job, nilas_rewrite_group **groups,
                                size_t count, nilas_error *err) {
    nilas_code code = job->commit(job->context, groups, count, err);
    for (size_t i = 0; code == NILAS_OK && i < count; i++) {
        groups[i]->is_committed = true;
    }
    if (code != NILAS_OK && code != NILAS_UNCERTAIN) {
        discard(job, groups, count);
    }
    return code;
}

static nilas_code run_at_once(const nilas_rewrite_job *job, nilas_rewrite_groups *groups,
                              nilas_rewrite_group **written, nilas_error *err) {
    for (size_t i = 0; i < groups->count; i++) {
        nilas_code code = job->write(job->context, &groups->items[i], err);
        if (code != NILAS_OK) {
            discard(job, written, i);
            return code;
        }
        written[i] = &groups->items[i];
    }
    nilas_code code = commit_groups(job, written, groups->count, err);
    if (code == NILAS_CONFLICT && err != NULL && err->hint == NULL) {
        err->hint = "the option 'partial-progress.enabled' breaks the rewrite up into several "
                    "commits, of which those that conflict are left out";
    }
    return code;
}

typedef struct progress {
    nilas_rewrite_group **written;
    size_t written_count, per_commit;
    int64_t succeeded;
    nilas_error last; // that was left out
} progress;

static nilas_code commit_some(const nilas_rewrite_job *job, progress *state, nilas_error *err) {
    nilas_error own = NILAS_ERROR_INIT;
    size_t count = state->written_count;
    if (count == 0) {
        return NILAS_OK;
    }
    state->written_count = 0;
    nilas_code code = commit_groups(job, state->written, count, &own);
    if (code == NILAS_CANCELLED) {
        *err = own;
        return code;
    }
    if (code == NILAS_OK) {
        state->succeeded++;
    } else {
        state->last = own;
    }
    return NILAS_OK;
}

static nilas_code check_failures(const nilas_rewrite_job *job, const progress *state,
                                 size_t group_count, nilas_error *err) {
    int64_t expected = (int64_t)((group_count + state->per_commit - 1) / state->per_commit);
    int64_t failed = expected - state->succeeded;
    NILAS_REQUIRE(failed <= job->options->max_failed_commits, err,
                  state->last.code != NILAS_OK ? state->last.code : NILAS_IO,
                  "partial-progress.enabled is true but %lld rewrite commits failed. This is more "
                  "than the maximum allowed failures of %lld. If this is persistent it may help to "
                  "increase partial-progress.max-commits which will split the rewrite operation "
                  "into smaller commits. The last failure: %s",
                  (long long)failed, (long long)job->options->max_failed_commits,
                  state->last.message);
    return NILAS_OK;
}

static nilas_code run_in_parts(nilas_rewrite_job *job, nilas_rewrite_groups *groups,
                               nilas_rewrite_group **written, nilas_error *err) {
    size_t commits = (size_t)job->options->max_commits;
    progress state = {.written = written,
                      .per_commit = (groups->planned + commits - 1) / commits,
                      .last = NILAS_ERROR_INIT};
    for (size_t i = 0; i < groups->count; i++) {
        nilas_error own = NILAS_ERROR_INIT;
        nilas_code code = job->write(job->context, &groups->items[i], &own);
        if (code == NILAS_CANCELLED) {
            discard(job, written, state.written_count);
            *err = own;
            return code;
        }
        if (code != NILAS_OK) {
            job->failed_files += (int64_t)groups->items[i].count;
            state.last = own;
            continue;
        }
        written[state.written_count++] = &groups->items[i];
        if (state.written_count == state.per_commit) {
            NILAS_TRY(commit_some(job, &state, err));
        }
    }
    NILAS_TRY(commit_some(job, &state, err));
    return check_failures(job, &state, groups->count, err);
}

nilas_code nilas_rewrite__run_groups(nilas_rewrite_job *job, nilas_rewrite_groups *groups,
                                     nilas_error *err) {
    nilas_rewrite_group **written;
    nilas_assert(groups->count <= groups->planned);
    if (groups->count == 0) {
        return NILAS_OK;
    }
    NILAS_NEW_ARRAY(job->arena, &written, groups->count, err);
    return job->options->partial_progress ? run_in_parts(job, groups, written, err)
                                          : run_at_once(job, groups, written, err);
}
