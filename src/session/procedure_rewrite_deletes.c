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
    nilas_map chosen;                      // path -> nilas_delete_file
    nilas_map removed;                     // keys of those in `files`
    NILAS_ARRAY_OF(nilas_data_file) files; // that go
    int64_t removed_bytes;
    nilas_change_result result;
} rewrite;

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

static nilas_code take_group(rewrite *state, const delete_list *group, nilas_error *err) {
    int64_t bytes = 0;
    for (size_t i = 0; i < group->count; i++) {
        bytes += group->items[i]->file.file_size_in_bytes;
    }
    bool is_enough = group->count > 1 && ((int64_t)group->count >= state->options.min_input_files ||
                                          bytes > state->options.target_bytes);
    if (!state->options.rewrite_all && !is_enough && bytes <= state->options.max_bytes) {
        return NILAS_OK;
    }
    for (size_t i = 0; i < group->count; i++) {
        nilas_delete_file *file;
        if ((int64_t)state->chosen.count >= state->options.max_files) {
            break;
        }
        NILAS_NEW(state->arena, &file, err);
        *file = *group->items[i];
        NILAS_TRY(nilas_map_put(&state->chosen, file->file.file_path, file, err));
    }
    return NILAS_OK;
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

static nilas_code choose_files(rewrite *state, nilas_error *err) {
    const nilas_table *table = state->call->table;
    const nilas_predicate *filter;
    nilas_delete_file *files;
    nilas_map groups, evaluators;
    size_t count;
    bool is_nothing;
    NILAS_TRY(nilas_rewrite__read_where(state->call, &filter, &is_nothing, err));
    if (state->snapshot == NULL || is_nothing) {
        return NILAS_OK;
    }
    NILAS_TRY(
        nilas_scan_position_deletes(state->arena, table, state->snapshot, &files, &count, err));
    nilas_map_init(&groups, state->arena, false);
    nilas_map_init(&evaluators, state->arena, false);
    for (size_t i = 0; i < count; i++) {
        const nilas_data_file *file = &files[i].file;
        nilas_evaluator *evaluator = NULL;
        nilas_str path, key;
        if (filter != NULL) {
            NILAS_TRY(make_evaluator(state, filter, file->spec_id, &evaluators, &evaluator, err));
        }
        if (!is_candidate(state, file) ||
            (evaluator != NULL && !nilas_evaluator_partition(evaluator, &file->partition))) {
            continue;
        }
        NILAS_TRY(nilas_commit_partition_path(state->arena, table->metadata,
                                              nilas_metadata_spec(table->metadata, file->spec_id),
                                              &file->partition, &path, err));
        NILAS_TRY(
            nilas_str_print(state->arena, &key, err, "%d/%.*s", file->spec_id, NILAS_FMT(path)));
        delete_list *group = nilas_map_find(&groups, key);
        if (group == NULL) {
            NILAS_NEW(state->arena, &group, err);
            NILAS_TRY(nilas_map_put(&groups, key, group, err));
        }
        NILAS_PUSH(state->arena, group, &files[i], err);
    }
    for (size_t i = 0; i < groups.count; i++) {
        NILAS_TRY(take_group(state, groups.entries[i].value, err));
    }
    return NILAS_OK;
}

/* --- what they delete
 * -------------------------------------------------------------------------------- */

/** Data files that chosen files speak of, with these deletes only; a deletion vector of theirs
 *  comes along, as there may be only one. */
static nilas_code plan_tasks(const rewrite *state, nilas_scan_plan **out, nilas_error *err) {
    const nilas_table *table = state->call->table;
    nilas_scan_options options = {
        .snapshot = state->snapshot,
        .schema = nilas_metadata_current_schema(table->metadata),
        .cancel = state->call->run->session->cancel,
    };
    nilas_scan_plan *plan;
    size_t kept = 0;
    NILAS_TRY(nilas_scan_plan_new(state->arena, table, &options, &plan, err));
    for (size_t i = 0; i < plan->task_count; i++) {
        nilas_scan_task task = plan->tasks[i];
        delete_list deletes = {0};
        bool has_chosen = false;
        for (size_t k = 0; k < task.delete_count; k++) {
            const nilas_delete_file *at = task.deletes[k];
            bool is_chosen = nilas_map_find(&state->chosen, at->file.file_path) != NULL;
            has_chosen = has_chosen || is_chosen;
            if (is_chosen || is_vector(&at->file)) {
                NILAS_PUSH(state->arena, &deletes, at, err);
            }
        }
        if (has_chosen) {
            task.deletes = deletes.items;
            task.delete_count = deletes.count;
            plan->tasks[kept++] = task;
        }
    }
    plan->task_count = kept;
    *out = plan;
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

static nilas_code write_deletes(rewrite *state, nilas_error *err) {
    nilas_procedure_call *call = state->call;
    const nilas_metadata *metadata = call->table->metadata;
    nilas_scan_plan *tasks;
    nilas_plan *plan;
    nilas_str text;
    NILAS_TRY(plan_tasks(state, &tasks, err));
    if (tasks->task_count == 0) {
        return NILAS_OK; // nothing but dangling deletes
    }
    NILAS_TRY(print_query(state, &text, err));
    NILAS_TRY(nilas_call__bind(call, text, &plan, err));
    nilas_bound_scan *scan = nilas_rewrite__find_scan(plan);
    NILAS_REQUIRE(scan != NULL, err, NILAS_INVALID, "the table has no rows to delete from");
    scan->files = tasks;
    nilas_bound_change change = {
        .kind = NILAS_CHANGE_KIND_DELETE,
        .target = {.kind = NILAS_RELATION_TABLE,
                   .catalog = call->catalog,
                   .catalog_name = call->catalog_name,
                   .identifier = call->identifier,
                   .identifier_count = call->identifier_count,
                   .table = scan->table,
                   .snapshot = scan->snapshot,
                   .schema = scan->schema},
        .plan = plan,
    };
    nilas_write_options options = {
        .table = call->table,
        .schema = nilas_metadata_current_schema(metadata),
        .spec = nilas_metadata_spec(metadata, metadata->default_spec_id),
    };
    return nilas_engine_change(call->run->session->engine, state->arena, &change, &options, true,
                               &state->result, err);
}

/* --- the commit
 * ----------------------------------------------------------------------------------- */

static nilas_code remove_file(rewrite *state, const nilas_data_file *file, nilas_error *err) {
    nilas_str key;
    NILAS_TRY(nilas_str_print(state->arena, &key, err, "%lld %.*s",
                              is_vector(file) ? (long long)file->content_offset : -1LL,
                              NILAS_FMT(file->file_path)));
    if (nilas_map_find(&state->removed, key) != NULL) {
        return NILAS_OK;
    }
    NILAS_TRY(nilas_map_put(&state->removed, key, state, err));
    NILAS_PUSH(state->arena, &state->files, *file, err);
    state->removed_bytes += is_vector(file) && file->content_size_in_bytes > 0
                                ? file->content_size_in_bytes
                                : file->file_size_in_bytes;
    return NILAS_OK;
}

static nilas_code apply_rewrite(void *context, nilas_update *update, nilas_error *err) {
    rewrite *state = context;
    nilas_property *summary;
    size_t summary_count;
    NILAS_TRY(nilas_call__summary(state->call, &summary, &summary_count, err));
    nilas_snapshot_change change = {
        .operation = "replace",
        .added_deletes = state->result.added_deletes,
        .added_delete_count = state->result.added_delete_count,
        .removed_deletes = state->files.items,
        .removed_delete_count = state->files.count,
        .data_sequence_number = -1,
        .read_snapshot_id = state->snapshot->snapshot_id,
        .isolation = NILAS_ISOLATION_SNAPSHOT,
        .summary = summary,
        .summary_count = summary_count,
        .append_manifests_merge = true,
    };
    return nilas_update_snapshot(update, &change, NULL, err);
}

static nilas_code rewrite_chosen(rewrite *state, nilas_error *err) {
    nilas_map_init(&state->removed, state->arena, false);
    for (size_t i = 0; i < state->chosen.count; i++) {
        const nilas_delete_file *file = state->chosen.entries[i].value;
        NILAS_TRY(remove_file(state, &file->file, err));
    }
    NILAS_TRY(write_deletes(state, err));
    for (size_t i = 0; i < state->result.removed_delete_count; i++) {
        NILAS_TRY(remove_file(state, &state->result.removed_deletes[i], err));
    }
    nilas_code code = nilas_call__commit(state->call, apply_rewrite, state, NULL, err);
    if (code != NILAS_OK && code != NILAS_UNCERTAIN) {
        nilas_engine_discard(state->call->run->session->engine, state->call->table,
                             state->result.added_deletes, state->result.added_delete_count);
    }
    return code;
}

nilas_code nilas_procedure__rewrite_position_deletes(nilas_procedure_call *call, nilas_error *err) {
    rewrite state = {.call = call, .arena = call->run->stmt};
    int64_t added_bytes = 0;
    NILAS_TRY(nilas_call__load(call, err));
    NILAS_TRY(nilas_rewrite__read_options(call, NILAS_REWRITE_DELETES, "BIN-PACK-POSITION-DELETES",
                                          &state.options, err));
    nilas_map_init(&state.chosen, state.arena, false);
    state.snapshot = nilas_metadata_current_snapshot(call->table->metadata);
    NILAS_TRY(choose_files(&state, err));
    if (state.chosen.count > 0) {
        NILAS_TRY(rewrite_chosen(&state, err));
    }
    for (size_t i = 0; i < state.result.added_delete_count; i++) {
        const nilas_data_file *file = &state.result.added_deletes[i];
        added_bytes += is_vector(file) ? file->content_size_in_bytes : file->file_size_in_bytes;
    }
    nilas_value cells[] = {
        nilas_value_of_int((int64_t)state.files.count),
        nilas_value_of_int((int64_t)state.result.added_delete_count),
        nilas_value_of_int(state.removed_bytes),
        nilas_value_of_int(added_bytes),
    };
    return nilas_call__answer(call, cells, err);
}
