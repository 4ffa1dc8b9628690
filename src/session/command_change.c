/**
 * INSERT, DELETE, UPDATE, MERGE, TRUNCATE: bind, let the engine write files, commit them as one
 * snapshot.
 *
 * Files are written once and committed in however many attempts it takes. They are deleted when the
 * commit is known to have failed, and only then.
 */
#include <stdio.h>

#include "commit/commit.h"
#include "session/private.h"

typedef struct change_state {
    nilas_run *run;
    nilas_bound_change change;
    const nilas_table *table;
    nilas_write_options write;
    nilas_change_result result;
    nilas_snapshot_change snapshot;
    nilas_session_summary summary;
} change_state;

/* --- what every change has
 * ------------------------------------------------------------------------------------------------
 */

static const nilas_metadata *metadata_of(const change_state *state) {
    return state->table->metadata;
}

static nilas_code add_summary(change_state *state, nilas_str key, nilas_str value,
                              nilas_error *err) {
    nilas_property property = {.key = key, .value = value};
    NILAS_PUSH(state->run->stmt, &state->summary, property, err);
    return NILAS_OK;
}

/** Write-audit-publish: with an id, the snapshot is made but no branch moves to it. */
static nilas_code stage(change_state *state, nilas_error *err) {
    const nilas_session *session = state->run->session;
    nilas_str id = nilas_session_setting(session, "spark.wap.id");
    nilas_str branch = nilas_session_setting(session, "spark.wap.branch");
    nilas_str enabled =
        nilas_metadata_property(metadata_of(state), "write.wap.enabled", NILAS_STR("false"));
    if (id.data == NULL || !nilas_str_is_nocase(enabled, "true")) {
        return NILAS_OK;
    }
    if (branch.data != NULL) {
        return nilas_fail(err, NILAS_INVALID,
                          "Cannot set both WAP ID and branch, but got ID [%.*s] and branch [%.*s]",
                          NILAS_FMT(id), NILAS_FMT(branch));
    }
    state->snapshot.stage_only = true;
    return add_summary(state, NILAS_STR("wap.id"), id, err);
}

/** Entries of the summary that are not about files. */
static nilas_code fill_summary(change_state *state, nilas_error *err) {
    NILAS_TRY(nilas_session__write_summary(state->run, &state->write, &state->summary, err));
    NILAS_TRY(stage(state, err));
    state->snapshot.summary = state->summary.items;
    state->snapshot.summary_count = state->summary.count;
    return NILAS_OK;
}

static nilas_code open_change(change_state *state, nilas_error *err) {
    const nilas_statement *statement = state->run->statement;
    const nilas_relation *target = &state->change.target;
    NILAS_REQUIRE(target->catalog != NULL, err, NILAS_UNSUPPORTED,
                  "a table named by its path cannot be changed: no catalog holds it");
    state->table = target->table;
    const nilas_metadata *metadata = metadata_of(state);
    NILAS_TRY(nilas_session__write_options(state->run, target->table, statement->options,
                                           statement->option_count, &state->write, err));
    nilas_str merge =
        nilas_metadata_property(metadata, "commit.manifest-merge.enabled", NILAS_STR("true"));
    state->snapshot = (nilas_snapshot_change){
        .branch = state->change.branch,
        .data_sequence_number = -1,
        .read_snapshot_id = target->snapshot != NULL ? target->snapshot->snapshot_id : -1,
        .append_manifests_merge = nilas_str_is_nocase(merge, "true"),
    };
    return fill_summary(state, err);
}

/** The schema that the rows were written with becomes the table's, if it is still the next one. */
static nilas_code apply_growth(const nilas_growth *growth, nilas_update *update, nilas_error *err) {
    const nilas_metadata *now = nilas_update_metadata(update);
    const nilas_metadata *before = growth->base->metadata;
    if (now->current_schema_id != before->current_schema_id ||
        now->last_column_id != before->last_column_id) {
        return nilas_fail(err, NILAS_INVALID,
                          "Cannot evolve the schema: it was changed meanwhile, from schema %d to "
                          "%d; run the statement again",
                          before->current_schema_id, now->current_schema_id);
    }
    return nilas_update_schema(update, growth->schema, growth->last_column_id, err);
}

static nilas_code apply_snapshot(void *context, nilas_update *update, nilas_error *err) {
    change_state *state = context;
    nilas_snapshot snapshot;
    if (state->change.growth != NULL) {
        NILAS_TRY(apply_growth(state->change.growth, update, err));
    }
    return nilas_update_snapshot(update, &state->snapshot, &snapshot, err);
}

static void discard(change_state *state) {
    nilas_engine *engine = state->run->session->engine;
    const nilas_change_result *result = &state->result;
    nilas_engine_discard(engine, state->table, result->added.files, result->added.file_count);
    nilas_engine_discard(engine, state->table, result->added_deletes, result->added_delete_count);
}

static nilas_code commit_change(change_state *state, nilas_error *err) {
    const nilas_relation *target = &state->change.target;
    nilas_commit_options options = {
        .catalog = target->catalog,
        .identifier = target->identifier,
        .identifier_count = target->identifier_count,
        .cancel = state->run->session->cancel,
        .apply = apply_snapshot,
        .context = state,
    };
    nilas_code code = nilas_commit(&options, NULL, err);
    if (code != NILAS_OK && code != NILAS_UNCERTAIN) {
        discard(state);
    }
    NILAS_TRY(code);
    return nilas_session__no_rows(state->run, err);
}

static nilas_code parse_isolation(nilas_str level, nilas_isolation *out, nilas_error *err) {
    bool is_snapshot = nilas_str_is_nocase(level, "snapshot");
    NILAS_REQUIRE(is_snapshot || nilas_str_is_nocase(level, "serializable"), err, NILAS_INVALID,
                  "Invalid isolation level: %.*s", NILAS_FMT(level));
    *out = is_snapshot ? NILAS_ISOLATION_SNAPSHOT : NILAS_ISOLATION_SERIALIZABLE;
    return NILAS_OK;
}

/* --- INSERT
 * ------------------------------------------------------------------------------------------------
 */

/** The cast that store assignment put around a column's value; NULL when there is none. */
static const nilas_bound_expr *find_store_cast(const nilas_bound_expr *expr) {
    while (expr->kind == NILAS_BOUND_CALL && expr->arg_count > 0 &&
           strcmp(expr->function->name, "assert_not_null") == 0) {
        expr = expr->args[0];
    }
    return expr->kind == NILAS_BOUND_CAST && expr->implicit ? expr : NULL;
}

/** Whether the message is about this cast: "… of the type "BIGINT" cannot be cast to "INT" …". */
static bool mentions(const nilas_error *err, const nilas_bound_expr *cast) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(1 << 20);
    nilas_buf_add_text(&text, "type \"");
    nilas_type_print_sql(&text, cast->args[0]->type);
    nilas_buf_add_text(&text, "\" cannot be cast to \"");
    nilas_type_print_sql(&text, cast->type);
    nilas_buf_add_char(&text, '"');
    return nilas_str_find(nilas_str_of(err->message), nilas_buf_view(&text), 0) != SIZE_MAX;
}

/** An overflow while a value was brought to its column's type names the column, as Spark does. */
static nilas_code explain_overflow(const change_state *state, nilas_code code, nilas_error *err) {
    const nilas_plan *plan = state->change.plan;
    bool overflows = err->condition != NULL && strcmp(err->condition, "CAST_OVERFLOW") == 0;
    for (size_t i = 0; overflows && plan->kind == NILAS_PLAN_PROJECT && i < plan->expr_count; i++) {
        const nilas_bound_expr *cast = find_store_cast(plan->exprs[i]);
        if (cast == NULL || !mentions(err, cast)) {
            continue;
        }
        NILAS_AUTO_BUF from = NILAS_BUF_INIT(65536);
        NILAS_AUTO_BUF to = NILAS_BUF_INIT(65536);
        nilas_type_print_sql(&from, cast->args[0]->type);
        nilas_type_print_sql(&to, cast->type);
        return nilas_fail_at(err, code, "CAST_OVERFLOW_IN_TABLE_INSERT", -1,
                             "Fail to assign a value of \"%.*s\" type to the \"%.*s\" type column "
                             "or variable `%.*s` due to an overflow. Use `try_cast` on the input "
                             "value to tolerate overflow and return NULL instead.",
                             NILAS_FMT(nilas_buf_view(&from)), NILAS_FMT(nilas_buf_view(&to)),
                             NILAS_FMT(plan->outputs[i].name));
    }
    return code;
}

static void plan_overwrite(change_state *state) {
    nilas_snapshot_change *snapshot = &state->snapshot;
    bool adds = state->result.added.file_count > 0;
    snapshot->operation = adds ? "overwrite" : "delete";
    snapshot->replace_partitions = state->change.dynamic;
    snapshot->delete_filter = state->change.overwrite_filter;
    snapshot->delete_all = !state->change.dynamic && state->change.overwrite_filter == NULL;
}

/** Options isolation-level and validate-from-snapshot-id: without a snapshot the whole known
 * history is looked at, as Spark does. */
static nilas_code isolate_overwrite(change_state *state, nilas_error *err) {
    const nilas_write_options *write = &state->write;
    nilas_str level = nilas_option_find(write->options, write->option_count, "isolation-level");
    nilas_str from =
        nilas_option_find(write->options, write->option_count, "validate-from-snapshot-id");
    if (level.data == NULL) {
        return NILAS_OK;
    }
    NILAS_TRY(parse_isolation(level, &state->snapshot.isolation, err));
    state->snapshot.read_snapshot_id = -1;
    NILAS_REQUIRE(from.data == NULL ||
                      nilas_str_to_int64(nilas_str_trim(from), &state->snapshot.read_snapshot_id),
                  err, NILAS_INVALID, "For input string: \"%.*s\"", NILAS_FMT(from));
    return NILAS_OK;
}

static nilas_code run_insert(change_state *state, nilas_error *err) {
    nilas_run *run = state->run;
    nilas_code code = nilas_engine_write(run->session->engine, run->stmt, state->change.plan,
                                         &state->write, &state->result.added, err);
    if (code != NILAS_OK) {
        return explain_overflow(state, code, err);
    }
    state->snapshot.operation = "append";
    state->snapshot.added = state->result.added.files;
    state->snapshot.added_count = state->result.added.file_count;
    if (state->change.overwrite) {
        if (state->change.dynamic && state->result.added.file_count == 0) {
            return nilas_session__no_rows(run, err); // no partition gets rows: nothing to replace
        }
        plan_overwrite(state);
        NILAS_TRY(isolate_overwrite(state, err));
    }
    return commit_change(state, err);
}

/* --- DELETE, UPDATE, MERGE
 * ------------------------------------------------------------------------------------------------
 */

static const char *const change_words[] = {
    [NILAS_CHANGE_KIND_INSERT] = "append",
    [NILAS_CHANGE_KIND_DELETE] = "delete",
    [NILAS_CHANGE_KIND_UPDATE] = "update",
    [NILAS_CHANGE_KIND_MERGE] = "merge",
};

/** "write.delete.mode" and its like. */
static nilas_str change_property(const change_state *state, const char *what,
                                 const char *fallback) {
    char key[64];
    (void)snprintf(key, sizeof(key), "write.%s.%s", change_words[state->change.kind], what);
    return nilas_metadata_property(metadata_of(state), key, nilas_str_of(fallback));
}

static nilas_code read_isolation(change_state *state, nilas_error *err) {
    NILAS_TRY(parse_isolation(change_property(state, "isolation-level", "serializable"),
                              &state->snapshot.isolation, err));
    state->snapshot.conflict_filter = state->change.filter;
    return NILAS_OK;
}

static nilas_code read_mode(const change_state *state, bool *out_merge_on_read, nilas_error *err) {
    nilas_str mode = change_property(state, "mode", "copy-on-write");
    *out_merge_on_read = nilas_str_is_nocase(mode, "merge-on-read");
    NILAS_REQUIRE(*out_merge_on_read || nilas_str_is_nocase(mode, "copy-on-write"), err,
                  NILAS_INVALID, "Invalid row-level operation mode: %.*s", NILAS_FMT(mode));
    // Version 1 has no delete files.
    *out_merge_on_read = *out_merge_on_read && metadata_of(state)->format_version >= 2;
    return NILAS_OK;
}

/** Whether whole files go, and nothing else: then their names are all that is needed. */
static nilas_code matches_whole_files(change_state *state, bool *out, nilas_error *err) {
    *out = state->change.kind == NILAS_CHANGE_KIND_DELETE && state->change.filter_is_exact;
    if (!*out || state->change.filter == NULL) {
        return NILAS_OK;
    }
    nilas_scan_plan *files;
    nilas_scan_options options = {
        .snapshot = state->change.target.snapshot,
        .schema = state->write.schema,
        .filter = state->change.filter,
        .with_stats = true,
        .cancel = state->run->session->cancel,
    };
    NILAS_TRY(nilas_scan_plan_new(state->run->stmt, state->table, &options, &files, err));
    for (size_t i = 0; i < files->task_count && *out; i++) {
        *out = files->tasks[i].all_rows_match;
    }
    return NILAS_OK;
}

static nilas_code delete_files(change_state *state, nilas_error *err) {
    state->snapshot.operation = "delete";
    state->snapshot.delete_filter = state->change.filter;
    state->snapshot.delete_all = state->change.filter == NULL;
    return commit_change(state, err);
}

/** The operation that Iceberg would name: by what is added and what goes. */
static const char *operation_of(const nilas_change_result *result) {
    bool adds = result->added.file_count > 0;
    bool drops = result->removed_count > 0 || result->added_delete_count > 0;
    return adds && !drops ? "append" : drops && !adds ? "delete" : "overwrite";
}

static void fill_snapshot(change_state *state, bool merge_on_read) {
    const nilas_change_result *result = &state->result;
    nilas_snapshot_change *snapshot = &state->snapshot;
    snapshot->operation = operation_of(result);
    snapshot->added = result->added.files;
    snapshot->added_count = result->added.file_count;
    snapshot->removed = result->removed;
    snapshot->removed_count = result->removed_count;
    snapshot->added_deletes = result->added_deletes;
    snapshot->added_delete_count = result->added_delete_count;
    snapshot->removed_deletes = result->removed_deletes;
    snapshot->removed_delete_count = result->removed_delete_count;
    // Rows that somebody else deletes meanwhile may be deleted again, but not be written anew.
    snapshot->validate_deletes = !merge_on_read || state->change.kind != NILAS_CHANGE_KIND_DELETE;
}

static nilas_code run_row_change(change_state *state, nilas_error *err) {
    nilas_run *run = state->run;
    bool whole_files = false;
    bool merge_on_read = false;
    NILAS_TRY(matches_whole_files(state, &whole_files, err));
    if (whole_files) {
        return delete_files(state, err);
    }
    NILAS_TRY(read_isolation(state, err));
    NILAS_TRY(read_mode(state, &merge_on_read, err));
    nilas_code code = nilas_engine_change(run->session->engine, run->stmt, &state->change,
                                          &state->write, merge_on_read, &state->result, err);
    if (code != NILAS_OK) {
        return code;
    }
    fill_snapshot(state, merge_on_read);
    return commit_change(state, err);
}

static nilas_code run_change(nilas_run *run, nilas_error *err) {
    change_state state = {.run = run};
    NILAS_TRY(nilas_bind_change(&run->environment, run->statement, &state.change, err));
    NILAS_TRY(open_change(&state, err));
    return state.change.kind == NILAS_CHANGE_KIND_INSERT ? run_insert(&state, err)
                                                         : run_row_change(&state, err);
}

/** FROM … INSERT … INSERT …: one after the other, each a snapshot of its own. */
nilas_code nilas_command__change(nilas_run *run, nilas_error *err) {
    const nilas_statement *first = run->statement;
    for (const nilas_statement *at = first; at != NULL; at = at->next) {
        nilas_result_free(run->result);
        run->result = NULL;
        run->statement = at;
        NILAS_TRY(run_change(run, err));
    }
    run->statement = first;
    return NILAS_OK;
}

/* --- TRUNCATE
 * ------------------------------------------------------------------------------------------------
 */

nilas_code nilas_command__truncate(nilas_run *run, nilas_error *err) {
    const nilas_statement *statement = run->statement;
    change_state state = {.run = run, .change = {.kind = NILAS_CHANGE_KIND_DELETE}};
    NILAS_TRY(nilas_bind_target(&run->environment, statement->parts, statement->part_count,
                                statement->parts_offset, &state.change.target, &state.change.branch,
                                err));
    if (statement->partition_count > 0) {
        NILAS_AUTO_BUF name = NILAS_BUF_INIT(65536);
        nilas_name_print_quoted(&name, statement->parts, statement->part_count);
        return nilas_fail_at(
            err, NILAS_INVALID, "INVALID_PARTITION_OPERATION.PARTITION_MANAGEMENT_IS_UNSUPPORTED",
            statement->parts_offset,
            "The partition command is invalid. Table %.*s does not support partition management.",
            NILAS_FMT(nilas_buf_view(&name)));
    }
    NILAS_TRY(open_change(&state, err));
    return delete_files(&state, err);
}
