/**
 * rewrite_data_files: small, large and much-deleted files are read with their deletes and written
 * anew, a group of files of one partition after the other.
 *
 * New files take the sequence number of the snapshot that was read, so that equality deletes which
 * are committed meanwhile still apply to them; position deletes that are committed meanwhile for a
 * replaced file are a conflict.
 */
#include "session/procedure_rewrite.h"

typedef struct rewrite {
    nilas_procedure_call *call;
    nilas_arena *arena;
    nilas_rewrite_options options;
    nilas_rewrite_order order;
    const nilas_snapshot *snapshot; // that is read; NULL: none
    nilas_scan_plan *files;         // all that the filter may match
    nilas_rewrite_groups groups;
    nilas_plan *plan;       // of the query that reads a group
    nilas_bound_scan *scan; // its scan, whose files are those of the group
} rewrite;

typedef struct group_output {
    nilas_scan_plan tasks;
    nilas_written written;
} group_output;

typedef NILAS_ARRAY_OF(nilas_data_file) file_list;

/* --- which files
 * ---------------------------------------------------------------------------------- */

static bool is_file_scoped(const nilas_data_file *deletes, nilas_str path) {
    return deletes->content == NILAS_FILE_POSITION_DELETES &&
           nilas_str_equal(deletes->referenced_data_file, path);
}

static bool has_many_deletes(const rewrite *state, const nilas_scan_task *task) {
    int64_t deleted = 0;
    if ((int64_t)task->delete_count >= state->options.delete_file_threshold) {
        return true;
    }
    for (size_t i = 0; i < task->delete_count; i++) {
        const nilas_data_file *deletes = &task->deletes[i]->file;
        deleted += is_file_scoped(deletes, task->file.file_path) ? deletes->record_count : 0;
    }
    return deleted > 0 && (double)deleted >= state->options.delete_ratio_threshold *
                                                 (double)task->file.record_count;
}

static bool is_candidate(const rewrite *state, const nilas_rewrite_item *item) {
    return state->options.rewrite_all || item->bytes < state->options.min_bytes ||
           item->bytes > state->options.max_bytes || item->has_deleted;
}

/** Files of other specs may belong to several partitions of the new one: they are one group. */
static bool is_of_output_spec(const rewrite *state, const nilas_scan_task *task) {
    return task->file.spec_id == state->options.output_spec_id;
}

static nilas_code partition_key(const rewrite *state, const nilas_scan_task *task, nilas_str *out,
                                nilas_error *err) {
    const nilas_metadata *metadata = state->call->table->metadata;
    const nilas_partition_spec *spec = nilas_metadata_spec(metadata, state->options.output_spec_id);
    *out = NILAS_STR("\x01other");
    if (!is_of_output_spec(state, task)) {
        return NILAS_OK;
    }
    return nilas_commit_partition_path(state->arena, metadata, spec, &task->file.partition, out,
                                       err);
}

static nilas_code plan_groups(rewrite *state, nilas_error *err) {
    nilas_rewrite_item *items;
    size_t count = 0;
    NILAS_NEW_ARRAY(state->arena, &items, state->files->task_count, err);
    for (size_t i = 0; i < state->files->task_count; i++) {
        const nilas_scan_task *task = &state->files->tasks[i];
        nilas_rewrite_item *item = &items[count];
        *item = (nilas_rewrite_item){.bytes = task->file.file_size_in_bytes,
                                     .has_deleted = has_many_deletes(state, task),
                                     .file = task};
        if (is_candidate(state, item)) {
            NILAS_TRY(partition_key(state, task, &item->key, err));
            count++;
        }
    }
    return nilas_rewrite__plan_groups(state->arena, &state->options, items, count, &state->groups,
                                      err);
}

static nilas_code plan_files(rewrite *state, nilas_error *err) {
    nilas_procedure_call *call = state->call;
    const nilas_metadata *metadata = call->table->metadata;
    const nilas_predicate *filter;
    bool is_nothing;
    NILAS_TRY(nilas_rewrite__read_where(call, &filter, &is_nothing, err));
    if (state->snapshot == NULL || is_nothing) {
        return NILAS_OK;
    }
    nilas_scan_options options = {
        .snapshot = state->snapshot,
        .schema = nilas_metadata_current_schema(metadata),
        .filter = filter,
        .with_sizes = true,
        .cancel = call->run->session->cancel,
    };
    NILAS_TRY(nilas_scan_plan_new(state->arena, call->table, &options, &state->files, err));
    return plan_groups(state, err);
}

/* --- writing them anew
 * -------------------------------------------------------------------------------- */

static bool has_lineage(const rewrite *state) {
    return state->call->table->metadata->format_version >= 3;
}

/** The query is the same for every group but for the files of its scan. */
static nilas_code bind_query(rewrite *state, nilas_error *err) {
    nilas_str text;
    NILAS_TRY(
        nilas_rewrite__print_query(state->call, &state->order, has_lineage(state), &text, err));
    NILAS_TRY(nilas_call__bind(state->call, text, &state->plan, err));
    state->scan = nilas_rewrite__find_scan(state->plan);
    NILAS_REQUIRE(state->scan != NULL, err, NILAS_INVALID, "the table has no columns to rewrite");
    return NILAS_OK;
}

static nilas_code write_group(void *context, nilas_rewrite_group *group, nilas_error *err) {
    rewrite *state = context;
    nilas_procedure_call *call = state->call;
    const nilas_metadata *metadata = call->table->metadata;
    const nilas_scan_task *first = group->files[0];
    group_output *output;
    NILAS_NEW(state->arena, &output, err);
    output->tasks = *state->files;
    NILAS_NEW_ARRAY(state->arena, &output->tasks.tasks, group->count, err);
    output->tasks.task_count = group->count;
    for (size_t i = 0; i < group->count; i++) {
        output->tasks.tasks[i] = *(const nilas_scan_task *)group->files[i];
    }
    group->output = output;
    state->scan->files = &output->tasks;
    nilas_write_options options = {
        .table = call->table,
        .schema = nilas_metadata_current_schema(metadata),
        .spec = nilas_metadata_spec(metadata, state->options.output_spec_id),
        .order = state->order.order,
        .partition = is_of_output_spec(state, first) ? &first->file.partition : NULL,
        .target_file_size_bytes = state->options.target_bytes,
        .with_lineage = has_lineage(state),
    };
    return nilas_engine_write(call->run->session->engine, state->arena, state->plan, &options,
                              &output->written, err);
}

static void discard_group(void *context, const nilas_rewrite_group *group) {
    rewrite *state = context;
    const group_output *output = group->output;
    nilas_engine_discard(state->call->run->session->engine, state->call->table,
                         output->written.files, output->written.file_count);
}

/* --- the commit
 * ----------------------------------------------------------------------------------- */

typedef struct replacement {
    rewrite *state;
    file_list added, removed;
    file_list removed_deletes; // deletion vectors of removed files
} replacement;

static bool is_vector(const nilas_data_file *file) {
    return nilas_str_is(file->file_format, "PUFFIN");
}

static nilas_code add_group(replacement *change, const nilas_rewrite_group *group,
                            nilas_error *err) {
    nilas_arena *arena = change->state->arena;
    const group_output *output = group->output;
    for (size_t i = 0; i < output->written.file_count; i++) {
        NILAS_PUSH(arena, &change->added, output->written.files[i], err);
    }
    for (size_t i = 0; i < group->count; i++) {
        const nilas_scan_task *task = group->files[i];
        NILAS_PUSH(arena, &change->removed, task->file, err);
        for (size_t k = 0; k < task->delete_count; k++) {
            if (is_vector(&task->deletes[k]->file)) {
                NILAS_PUSH(arena, &change->removed_deletes, task->deletes[k]->file, err);
            }
        }
    }
    return NILAS_OK;
}

static nilas_code apply_rewrite(void *context, nilas_update *update, nilas_error *err) {
    const replacement *replaced = context;
    rewrite *state = replaced->state;
    nilas_property *summary;
    size_t summary_count;
    bool keeps_number = state->options.use_starting_sequence_number &&
                        nilas_update_metadata(update)->format_version > 1;
    NILAS_TRY(nilas_call__summary(state->call, &summary, &summary_count, err));
    nilas_snapshot_change change = {
        .operation = "replace",
        .branch = nilas_call__text(state->call, "branch", NILAS_STR_EMPTY),
        .added = replaced->added.items,
        .added_count = replaced->added.count,
        .removed = replaced->removed.items,
        .removed_count = replaced->removed.count,
        .removed_deletes = replaced->removed_deletes.items,
        .removed_delete_count = replaced->removed_deletes.count,
        .data_sequence_number = keeps_number ? state->snapshot->sequence_number : -1,
        .read_snapshot_id = state->snapshot->snapshot_id,
        .isolation = NILAS_ISOLATION_SNAPSHOT,
        .validate_deletes = true,
        .summary = summary,
        .summary_count = summary_count,
        .append_manifests_merge = true,
    };
    return nilas_update_snapshot(update, &change, NULL, err);
}

static nilas_code commit_groups(void *context, nilas_rewrite_group **groups, size_t count,
                                nilas_error *err) {
    rewrite *state = context;
    replacement change = {.state = state};
    for (size_t i = 0; i < count; i++) {
        NILAS_TRY(add_group(&change, groups[i], err));
    }
    return nilas_call__commit(state->call, apply_rewrite, &change, NULL, err);
}

/* --- deletes that apply to nothing
 * --------------------------------------------------------------------- */

typedef struct dangling {
    rewrite *state;
    nilas_map needed; // keys of delete files that some data file needs
    NILAS_ARRAY_OF(nilas_data_file) files;
    int64_t snapshot_id;
    nilas_code code;
    nilas_error *err;
} dangling;

/** A deletion vector is a part of its file. */
static nilas_code delete_key(nilas_arena *arena, const nilas_data_file *file, nilas_str *out,
                             nilas_error *err) {
    return nilas_str_print(arena, out, err, "%lld %.*s",
                           is_vector(file) ? (long long)file->content_offset : -1LL,
                           NILAS_FMT(file->file_path));
}

static nilas_code take_dangling(dangling *found, const nilas_manifest_entry *entry,
                                nilas_error *err) {
    nilas_manifest_entry copy;
    nilas_str key;
    NILAS_TRY(delete_key(found->state->arena, &entry->file, &key, err));
    if (entry->status == NILAS_ENTRY_DELETED || nilas_map_find(&found->needed, key) != NULL) {
        return NILAS_OK;
    }
    NILAS_TRY(nilas_manifest_entry_copy(found->state->arena, entry, &copy, err));
    NILAS_PUSH(found->state->arena, &found->files, copy.file, err);
    return NILAS_OK;
}

static bool on_delete(void *context, const nilas_manifest_entry *entry) {
    dangling *found = context;
    found->code = take_dangling(found, entry, found->err);
    return found->code == NILAS_OK;
}

static nilas_code find_dangling(dangling *found, const nilas_table *table, nilas_error *err) {
    nilas_arena *arena = found->state->arena;
    const nilas_metadata *metadata = table->metadata;
    nilas_scan_options options = {.snapshot = nilas_metadata_current_snapshot(metadata),
                                  .schema = nilas_metadata_current_schema(metadata)};
    nilas_scan_plan *plan;
    nilas_manifest_file *manifests;
    size_t count;
    if (options.snapshot == NULL) {
        return NILAS_OK;
    }
    found->snapshot_id = options.snapshot->snapshot_id;
    nilas_map_init(&found->needed, arena, false);
    NILAS_TRY(nilas_scan_plan_new(arena, table, &options, &plan, err));
    for (size_t i = 0; i < plan->task_count; i++) {
        for (size_t k = 0; k < plan->tasks[i].delete_count; k++) {
            nilas_str key;
            NILAS_TRY(delete_key(arena, &plan->tasks[i].deletes[k]->file, &key, err));
            NILAS_TRY(nilas_map_put(&found->needed, key, found, err));
        }
    }
    NILAS_TRY(nilas_snapshot_manifests(table->io, arena, metadata, options.snapshot, &manifests,
                                       &count, err));
    for (size_t i = 0; i < count; i++) {
        if (manifests[i].content == NILAS_MANIFEST_DELETES) {
            nilas_code code = nilas_manifest_read(table->io, arena, metadata, &manifests[i],
                                                  NILAS_MANIFEST_ALL, false, on_delete, found, err);
            NILAS_TRY(found->code);
            NILAS_TRY(code);
        }
    }
    return NILAS_OK;
}

static nilas_code apply_dangling(void *context, nilas_update *update, nilas_error *err) {
    dangling *found = context;
    nilas_property *summary;
    size_t summary_count;
    NILAS_TRY(nilas_call__summary(found->state->call, &summary, &summary_count, err));
    nilas_snapshot_change change = {
        .operation = "replace",
        .removed_deletes = found->files.items,
        .removed_delete_count = found->files.count,
        .data_sequence_number = -1,
        .read_snapshot_id = found->snapshot_id,
        .isolation = NILAS_ISOLATION_SNAPSHOT,
        .summary = summary,
        .summary_count = summary_count,
        .append_manifests_merge = true,
    };
    return nilas_update_snapshot(update, &change, NULL, err);
}

static nilas_code remove_dangling(rewrite *state, int64_t *out_count, nilas_error *err) {
    nilas_procedure_call *call = state->call;
    NILAS_AUTO(nilas_table) newest = NULL;
    dangling found = {.state = state, .err = err};
    NILAS_TRY(nilas_catalog_load_table(call->catalog, call->identifier, call->identifier_count,
                                       &newest, err));
    NILAS_TRY(find_dangling(&found, newest, err));
    if (found.files.count > 0) {
        NILAS_TRY(nilas_call__commit(call, apply_dangling, &found, NULL, err));
    }
    *out_count = (int64_t)found.files.count;
    return NILAS_OK;
}

/* --- the procedure
 * ---------------------------------------------------------------------------------- */

static nilas_code choose_snapshot(rewrite *state, nilas_error *err) {
    const nilas_metadata *metadata = state->call->table->metadata;
    nilas_str branch = nilas_call__text(state->call, "branch", NILAS_STR("main"));
    const nilas_ref *ref = nilas_metadata_ref(metadata, branch);
    NILAS_REQUIRE(ref != NULL || nilas_str_is(branch, "main"), err, NILAS_INVALID,
                  "Cannot use branch (does not exist): %.*s", NILAS_FMT(branch));
    NILAS_REQUIRE(ref == NULL || !ref->is_tag, err, NILAS_INVALID, "Ref %.*s is a tag not a branch",
                  NILAS_FMT(branch));
    state->snapshot = ref != NULL ? nilas_metadata_snapshot(metadata, ref->snapshot_id) : NULL;
    return NILAS_OK;
}

typedef struct rewrite_counts {
    int64_t rewritten, added, bytes, vectors;
} rewrite_counts;

static rewrite_counts count_committed(const nilas_rewrite_groups *groups) {
    rewrite_counts counts = {0};
    for (size_t i = 0; i < groups->count; i++) {
        const nilas_rewrite_group *group = &groups->items[i];
        const group_output *output = group->output;
        if (!group->is_committed) {
            continue;
        }
        counts.rewritten += (int64_t)group->count;
        counts.added += (int64_t)output->written.file_count;
        counts.bytes += group->bytes;
        for (size_t k = 0; k < group->count; k++) {
            const nilas_scan_task *task = group->files[k];
            for (size_t d = 0; d < task->delete_count; d++) {
                counts.vectors += is_vector(&task->deletes[d]->file) ? 1 : 0;
            }
        }
    }
    return counts;
}

nilas_code nilas_procedure__rewrite_data_files(nilas_procedure_call *call, nilas_error *err) {
    rewrite state = {.call = call, .arena = call->run->stmt};
    nilas_rewrite_job job = {
        .arena = state.arena,
        .options = &state.options,
        .context = &state,
        .write = write_group,
        .commit = commit_groups,
        .discard = discard_group,
    };
    int64_t dangling_count = 0;
    NILAS_TRY(nilas_call__load(call, err));
    NILAS_TRY(nilas_rewrite__read_order(call, &state.order, err));
    NILAS_TRY(nilas_rewrite__read_options(call, state.order.known, state.order.strategy,
                                          &state.options, err));
    NILAS_TRY(choose_snapshot(&state, err));
    NILAS_TRY(plan_files(&state, err));
    if (state.groups.count > 0) {
        NILAS_TRY(bind_query(&state, err));
        NILAS_TRY(nilas_rewrite__run_groups(&job, &state.groups, err));
    }
    // As Iceberg: when nothing is found to rewrite, dangling deletes are not looked for either.
    if (state.options.remove_dangling_deletes && state.groups.count > 0) {
        NILAS_TRY(remove_dangling(&state, &dangling_count, err));
    }
    rewrite_counts counts = count_committed(&state.groups);
    nilas_value cells[] = {
        nilas_value_of_int(counts.rewritten),
        nilas_value_of_int(counts.added),
        nilas_value_of_int(counts.bytes),
        nilas_value_of_int(job.failed_files),
        nilas_value_of_int(counts.vectors + dangling_count),
    };
    return nilas_call__answer(call, cells, err);
}
