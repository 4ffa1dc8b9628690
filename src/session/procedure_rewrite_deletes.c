/**
 * rewrite_position_delete_files: small and large position-delete files are read and written anew
 * for the data files that are still there; what they say of others is dropped.
 *
 * The rows that the chosen files delete are found by reading the data files with these deletes
 * only, and given to the engine as rows to delete: so they become what the table writes today, one file a
 * data file, one a partition, or deletion vectors.
 */
#include "session/procedure_rewrite.h"

typedef NILAS_ARRAY_OF(const nilas_delete_file *) delete_list;

typedef struct rewrite {
    nilas_procedure_call *call;
    nilas_arena *arena;
    nilas_rewrite_options options;
    const nilas_snapshot *snapshot;
    nilas_scan_plan *data; // all data files, with their deletes
    nilas_rewrite_groups groups;
    nilas_plan *plan;       // of the query that finds what a group deletes
    nilas_bound_scan *scan; // its scan, whose files are those of the group
} rewrite;

typedef struct group_output {
    nilas_map chosen;                      // path -> nilas_delete_file: the group's
    nilas_map removed;                     // keys of those in `files`
    NILAS_ARRAY_OF(nilas_data_file) files; // that go
    int64_t removed_bytes, added_bytes;
    nilas_change_result result;
} group_output;

static bool is_vector(const nilas_data_file *file) {
    return nilas_str_is(file->file_format, "PUFFIN");
}

/* --- which files
 * ---------------------------------------------------------------------------------- */

static bool is_candidate(const rewrite *state, const nilas_data_file *file) {
    int64_t size = file->file_size_in_bytes;
    return !is_vector(file) && (state->options.rewrite_all || size < state->options.min_bytes ||
                                size > state->options.max_bytes);
}

static nilas_code make_evaluator(const rewrite *state, const nilas_predicate *filter,
                                 int32_t spec_id, nilas_map *cache, nilas_evaluator **out,
                                 nilas_error *err) {
    const nilas_metadata *metadata = state->call->table->metadata;
    const nilas_partition_spec *spec = nilas_metadata_spec(metadata, spec_id);
    *out = nilas_map_find_int(cache, spec_id);
    if (*out != NULL) {
        return NILAS_OK;
    }
    NILAS_REQUIRE(spec != NULL, err, NILAS_CORRUPT, "a delete file has the unknown spec %d",
                  spec_id);
    NILAS_TRY(nilas_evaluator_new(state->arena, metadata, nilas_metadata_current_schema(metadata),
                                  spec, filter, out, err));
    return nilas_map_put_int(cache, spec_id, *out, err);
}

static nilas_code group_key(const rewrite *state, const nilas_data_file *file, nilas_str *out,
                            nilas_error *err) {
    const nilas_metadata *metadata = state->call->table->metadata;
    nilas_str path;
    NILAS_TRY(nilas_commit_partition_path(state->arena, metadata,
                                          nilas_metadata_spec(metadata, file->spec_id),
                                          &file->partition, &path, err));
    return nilas_str_print(state->arena, out, err, "%d/%.*s", file->spec_id, NILAS_FMT(path));
}

static nilas_code plan_groups(rewrite *state, nilas_error *err) {
    const nilas_predicate *filter;
    nilas_delete_file *files;
    nilas_rewrite_item *items;
    nilas_map evaluators;
    size_t file_count, count = 0;
    bool is_nothing;
    NILAS_TRY(nilas_rewrite__read_where(state->call, &filter, &is_nothing, err));
    if (state->snapshot == NULL || is_nothing) {
        return NILAS_OK;
    }
    NILAS_TRY(nilas_scan_position_deletes(state->arena, state->call->table, state->snapshot, &files,
                                          &file_count, err));
    nilas_map_init(&evaluators, state->arena, false);
    NILAS_NEW_ARRAY(state->arena, &items, file_count, err);
    for (size_t i = 0; i < file_count; i++) {
        const nilas_data_file *file = &files[i].file;
        nilas_evaluator *evaluator = NULL;
        if (filter != NULL) {
            NILAS_TRY(make_evaluator(state, filter, file->spec_id, &evaluators, &evaluator, err));
        }
        if (is_candidate(state, file) &&
            (evaluator == NULL || nilas_evaluator_partition(evaluator, &file->partition))) {
            nilas_rewrite_item *item = &items[count++];
            *item = (nilas_rewrite_item){.bytes = file->file_size_in_bytes, .file = &files[i]};
            NILAS_TRY(group_key(state, file, &item->key, err));
        }
    }
    return nilas_rewrite__plan_groups(state->arena, &state->options, items, count, &state->groups,
                                      err);
}

/* --- what they delete
 * -------------------------------------------------------------------------------- */

/** Data files that chosen files speak of, with these deletes only; a deletion vector of theirs
 *  comes along, as there may be only one. */
static nilas_code find_tasks(const rewrite *state, const nilas_map *chosen, nilas_scan_plan *out,
                             nilas_error *err) {
    *out = *state->data;
    NILAS_NEW_ARRAY(state->arena, &out->tasks, state->data->task_count, err);
    out->task_count = 0;
    for (size_t i = 0; i < state->data->task_count; i++) {
        nilas_scan_task task = state->data->tasks[i];
        delete_list deletes = {0};
        bool has_chosen = false;
        for (size_t k = 0; k < task.delete_count; k++) {
            const nilas_delete_file *at = task.deletes[k];
            bool is_chosen = nilas_map_find(chosen, at->file.file_path) != NULL;
            has_chosen = has_chosen || is_chosen;
            if (is_chosen || is_vector(&at->file)) {
                NILAS_PUSH(state->arena, &deletes, at, err);
            }
        }
        if (has_chosen) {
            task.deletes = deletes.items;
            task.delete_count = deletes.count;
            out->tasks[out->task_count++] = task;
        }
    }
    return NILAS_OK;
}

static nilas_code print_query(const rewrite *state, nilas_str *out, nilas_error *err) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(1 << 20);
    const nilas_schema *schema = nilas_metadata_current_schema(state->call->table->metadata);
    nilas_str name;
    NILAS_TRY(nilas_rewrite__quoted_name(state->call, &name, err));
    nilas_buf_print(&text, "SELECT %d, _file, _pos", NILAS_CHANGE_DELETE);
    for (size_t i = 0; i < schema->type.field_count; i++) {
        nilas_buf_add_text(&text, ", NULL");
    }
    nilas_buf_print(&text, " FROM %.*s WHERE _deleted", NILAS_FMT(name));
    return nilas_buf_finish(&text, state->arena, out, err);
}

/** The query is the same for every group but for the files of its scan. */
static nilas_code bind_query(rewrite *state, nilas_error *err) {
    nilas_scan_options options = {
        .snapshot = state->snapshot,
        .schema = nilas_metadata_current_schema(state->call->table->metadata),
        .cancel = state->call->run->session->cancel,
    };
    nilas_str text;
    NILAS_TRY(nilas_scan_plan_new(state->arena, state->call->table, &options, &state->data, err));
    NILAS_TRY(print_query(state, &text, err));
    NILAS_TRY(nilas_call__bind(state->call, text, &state->plan, err));
    state->scan = nilas_rewrite__find_scan(state->plan);
    NILAS_REQUIRE(state->scan != NULL, err, NILAS_INVALID, "the table has no rows to delete from");
    return NILAS_OK;
}

static nilas_code write_deletes(rewrite *state, group_output *output, nilas_error *err) {
    nilas_procedure_call *call = state->call;
    const nilas_metadata *metadata = call->table->metadata;
    nilas_scan_plan *tasks;
    NILAS_NEW(state->arena, &tasks, err);
    NILAS_TRY(find_tasks(state, &output->chosen, tasks, err));
    if (tasks->task_count == 0) {
        return NILAS_OK; // nothing but dangling deletes
    }
    state->scan->files = tasks;
    nilas_bound_change change = {
        .kind = NILAS_CHANGE_KIND_DELETE,
        .target = {.kind = NILAS_RELATION_TABLE,
                   .catalog = call->catalog,
                   .catalog_name = call->catalog_name,
                   .identifier = call->identifier,
                   .identifier_count = call->identifier_count,
                   .table = state->scan->table,
                   .snapshot = state->scan->snapshot,
                   .schema = state->scan->schema},
        .plan = state->plan,
    };
    nilas_write_options options = {
        .table = call->table,
        .schema = nilas_metadata_current_schema(metadata),
        .spec = nilas_metadata_spec(metadata, metadata->default_spec_id),
    };
    return nilas_engine_change(call->run->session->engine, state->arena, &change, &options, true,
                               &output->result, err);
}

static nilas_code remove_file(const rewrite *state, group_output *output,
                              const nilas_data_file *file, nilas_error *err) {
    nilas_str key;
    NILAS_TRY(nilas_str_print(state->arena, &key, err, "%lld %.*s",
                              is_vector(file) ? (long long)file->content_offset : -1LL,
                              NILAS_FMT(file->file_path)));
    if (nilas_map_find(&output->removed, key) != NULL) {
        return NILAS_OK;
    }
    NILAS_TRY(nilas_map_put(&output->removed, key, output, err));
    NILAS_PUSH(state->arena, &output->files, *file, err);
    output->removed_bytes += is_vector(file) && file->content_size_in_bytes > 0
                                 ? file->content_size_in_bytes
                                 : file->file_size_in_bytes;
    return NILAS_OK;
}

static void discard_group(void *context, const nilas_rewrite_group *group) {
    rewrite *state = context;
    const group_output *output = group->output;
    nilas_engine_discard(state->call->run->session->engine, state->call->table,
                         output->result.added_deletes, output->result.added_delete_count);
}

static nilas_code list_removed(rewrite *state, group_output *output, nilas_error *err) {
    const nilas_change_result *result = &output->result;
    for (size_t i = 0; i < output->chosen.count; i++) {
        const nilas_delete_file *file = output->chosen.entries[i].value;
        NILAS_TRY(remove_file(state, output, &file->file, err));
    }
    for (size_t i = 0; i < result->removed_delete_count; i++) {
        NILAS_TRY(remove_file(state, output, &result->removed_deletes[i], err));
    }
    for (size_t i = 0; i < result->added_delete_count; i++) {
        const nilas_data_file *file = &result->added_deletes[i];
        output->added_bytes +=
            is_vector(file) ? file->content_size_in_bytes : file->file_size_in_bytes;
    }
    return NILAS_OK;
}

static nilas_code write_group(void *context, nilas_rewrite_group *group, nilas_error *err) {
    rewrite *state = context;
    group_output *output;
    NILAS_NEW(state->arena, &output, err);
    nilas_map_init(&output->chosen, state->arena, false);
    nilas_map_init(&output->removed, state->arena, false);
    for (size_t i = 0; i < group->count; i++) {
        const nilas_delete_file *file = group->files[i];
        NILAS_TRY(nilas_map_put(&output->chosen, file->file.file_path,
                                (void *)(uintptr_t)group->files[i], err));
    }
    group->output = output;
    NILAS_TRY(write_deletes(state, output, err));
    nilas_code code = list_removed(state, output, err);
    if (code != NILAS_OK) {
        discard_group(state, group);
    }
    return code;
}

/* --- the commit
 * ----------------------------------------------------------------------------------- */

typedef struct replacement {
    rewrite *state;
    NILAS_ARRAY_OF(nilas_data_file) added, removed;
} replacement;

static nilas_code apply_rewrite(void *context, nilas_update *update, nilas_error *err) {
    const replacement *replaced = context;
    nilas_property *summary;
    size_t summary_count;
    NILAS_TRY(nilas_call__summary(replaced->state->call, &summary, &summary_count, err));
    nilas_snapshot_change change = {
        .operation = "replace",
        .added_deletes = replaced->added.items,
        .added_delete_count = replaced->added.count,
        .removed_deletes = replaced->removed.items,
        .removed_delete_count = replaced->removed.count,
        .data_sequence_number = -1,
        .read_snapshot_id = replaced->state->snapshot->snapshot_id,
        .isolation = NILAS_ISOLATION_SNAPSHOT,
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
        const group_output *output = groups[i]->output;
        for (size_t k = 0; k < output->files.count; k++) {
            NILAS_PUSH(state->arena, &change.removed, output->files.items[k], err);
        }
        for (size_t k = 0; k < output->result.added_delete_count; k++) {
            NILAS_PUSH(state->arena, &change.added, output->result.added_deletes[k], err);
        }
    }
    return nilas_call__commit(state->call, apply_rewrite, &change, NULL, err);
}

static nilas_code answer(const rewrite *state, nilas_error *err) {
    int64_t removed = 0, added = 0, removed_bytes = 0, added_bytes = 0;
    for (size_t i = 0; i < state->groups.count; i++) {
        const group_output *output = state->groups.items[i].output;
        if (state->groups.items[i].is_committed) {
            removed += (int64_t)output->files.count;
            added += (int64_t)output->result.added_delete_count;
            removed_bytes += output->removed_bytes;
            added_bytes += output->added_bytes;
        }
    }
    nilas_value cells[] = {nilas_value_of_int(removed), nilas_value_of_int(added),
                           nilas_value_of_int(removed_bytes), nilas_value_of_int(added_bytes)};
    return nilas_call__answer(state->call, cells, err);
}

nilas_code nilas_procedure__rewrite_position_deletes(nilas_procedure_call *call, nilas_error *err) {
    rewrite state = {.call = call, .arena = call->run->stmt};
    nilas_rewrite_job job = {
        .arena = state.arena,
        .options = &state.options,
        .context = &state,
        .write = write_group,
        .commit = commit_groups,
        .discard = discard_group,
    };
    NILAS_TRY(nilas_call__load(call, err));
    NILAS_TRY(
        nilas_rewrite__read_options(call, NILAS_REWRITE_DELETES, "BIN-PACK", &state.options, err));
    if (call->table->metadata->format_version >= 3) {
        // A data file may have one deletion vector, so what deletes of it stays together.
        state.options.max_group_bytes = INT64_MAX;
    }
    state.snapshot = nilas_metadata_current_snapshot(call->table->metadata);
    NILAS_TRY(plan_groups(&state, err));
    if (state.groups.count > 0) {
        NILAS_TRY(bind_query(&state, err));
        NILAS_TRY(nilas_rewrite__run_groups(&job, &state.groups, err));
    }
    return answer(&state, err);
}
