/**
 * Procedures that move a branch to another snapshot: rollback_to_snapshot, rollback_to_timestamp,
 * set_current_snapshot, fast_forward; and ancestors_of, which follows one back.
 *
 * What is allowed is decided within the commit, against the newest version of the table.
 */
#include "session/procedure.h"

typedef struct move {
    nilas_procedure_call *call;
    int64_t snapshot_id; // where to; -1: see `before_ms`
    int64_t before_ms;   // rollback_to_timestamp
    nilas_str ref;       // set_current_snapshot, fast_forward
    nilas_str branch;    // fast_forward
    bool only_ancestors;
    int64_t previous_id;
} move;

static nilas_code set_main(nilas_update *update, int64_t snapshot_id, nilas_error *err) {
    const nilas_ref *main = nilas_metadata_ref(nilas_update_metadata(update), NILAS_STR("main"));
    nilas_ref ref = {.max_ref_age_ms = -1, .max_snapshot_age_ms = -1, .min_snapshots_to_keep = -1};
    if (main != NULL) {
        ref = *main;
        if (main->snapshot_id == snapshot_id) {
            return NILAS_OK;
        }
    }
    ref.name = NILAS_STR("main");
    ref.snapshot_id = snapshot_id;
    return nilas_update_ref(update, &ref, err);
}

/** The newest ancestor of the current snapshot that is older than the time. */
static nilas_code find_ancestor_before(const nilas_metadata *metadata, int64_t before_ms,
                                       int64_t *out, nilas_error *err) {
    const nilas_snapshot *found = NULL;
    const nilas_snapshot *at = nilas_metadata_current_snapshot(metadata);
    for (size_t steps = 0; at != NULL && steps <= metadata->snapshot_count; steps++) {
        if (at->timestamp_ms < before_ms &&
            (found == NULL || at->timestamp_ms > found->timestamp_ms)) {
            found = at;
        }
        at = nilas_metadata_snapshot(metadata, at->parent_id);
    }
    NILAS_REQUIRE(found != NULL, err, NILAS_INVALID,
                  "Cannot roll back, no valid snapshot older than: %lld", (long long)before_ms);
    *out = found->snapshot_id;
    return NILAS_OK;
}

static nilas_code apply_move(void *context, nilas_update *update, nilas_error *err) {
    move *state = context;
    const nilas_metadata *metadata = nilas_update_metadata(update);
    state->previous_id = metadata->current_snapshot_id;
    if (state->before_ms >= 0) {
        NILAS_TRY(find_ancestor_before(metadata, state->before_ms, &state->snapshot_id, err));
    }
    if (state->ref.data != NULL) {
        const nilas_ref *ref = nilas_metadata_ref(metadata, state->ref);
        NILAS_REQUIRE(ref != NULL, err, NILAS_INVALID,
                      "Cannot find matching snapshot ID for ref %.*s", NILAS_FMT(state->ref));
        state->snapshot_id = ref->snapshot_id;
    }
    NILAS_REQUIRE(nilas_metadata_snapshot(metadata, state->snapshot_id) != NULL, err, NILAS_INVALID,
                  "Cannot roll back to unknown snapshot id: %lld", (long long)state->snapshot_id);
    NILAS_REQUIRE(
        !state->only_ancestors ||
            nilas_metadata_is_ancestor(metadata, metadata->current_snapshot_id, state->snapshot_id),
        err, NILAS_INVALID,
        "Cannot roll back to snapshot, not an ancestor of the current state: %lld",
        (long long)state->snapshot_id);
    return set_main(update, state->snapshot_id, err);
}

static nilas_code run_move(move *state, nilas_error *err) {
    NILAS_TRY(nilas_call__load(state->call, err));
    NILAS_TRY(nilas_call__commit(state->call, apply_move, state, NULL, err));
    nilas_value cells[] = {nilas_call__id_or_null(state->previous_id),
                           nilas_value_of_int(state->snapshot_id)};
    return nilas_call__answer(state->call, cells, err);
}

nilas_code nilas_procedure__rollback_to_snapshot(nilas_procedure_call *call, nilas_error *err) {
    move state = {.call = call,
                  .snapshot_id = nilas_call__int(call, "snapshot_id", -1),
                  .before_ms = -1,
                  .only_ancestors = true};
    return run_move(&state, err);
}

nilas_code nilas_procedure__rollback_to_timestamp(nilas_procedure_call *call, nilas_error *err) {
    move state = {.call = call,
                  .snapshot_id = -1,
                  .before_ms = nilas_call__millis(call, "timestamp", 0),
                  .only_ancestors = true};
    state.before_ms = state.before_ms < 0 ? 0 : state.before_ms;
    return run_move(&state, err);
}

nilas_code nilas_procedure__set_current_snapshot(nilas_procedure_call *call, nilas_error *err) {
    move state = {.call = call,
                  .snapshot_id = nilas_call__int(call, "snapshot_id", -1),
                  .before_ms = -1,
                  .ref = nilas_call__text(call, "ref", (nilas_str){.data = NULL})};
    NILAS_REQUIRE(nilas_call__has(call, "snapshot_id") != nilas_call__has(call, "ref"), err,
                  NILAS_INVALID, "Either snapshot_id or ref must be provided, not both");
    return run_move(&state, err);
}

/* --- fast_forward
 * -------------------------------------------------------------------------------------- */

static nilas_code apply_fast_forward(void *context, nilas_update *update, nilas_error *err) {
    move *state = context;
    const nilas_metadata *metadata = nilas_update_metadata(update);
    const nilas_ref *from = nilas_metadata_ref(metadata, state->branch);
    const nilas_ref *to = nilas_metadata_ref(metadata, state->ref);
    nilas_ref next = {.name = state->branch,
                      .max_ref_age_ms = -1,
                      .max_snapshot_age_ms = -1,
                      .min_snapshots_to_keep = -1};
    NILAS_REQUIRE(to != NULL, err, NILAS_INVALID, "Ref does not exist: %.*s",
                  NILAS_FMT(state->ref));
    state->snapshot_id = to->snapshot_id;
    state->previous_id = -1;
    if (from != NULL) {
        NILAS_REQUIRE(!from->is_tag, err, NILAS_INVALID, "Ref %.*s is a tag not a branch",
                      NILAS_FMT(state->branch));
        state->previous_id = from->snapshot_id;
        if (from->snapshot_id == to->snapshot_id) {
            return NILAS_OK;
        }
        NILAS_REQUIRE(nilas_metadata_is_ancestor(metadata, to->snapshot_id, from->snapshot_id), err,
                      NILAS_INVALID, "Cannot fast-forward: %.*s is not an ancestor of %.*s",
                      NILAS_FMT(state->branch), NILAS_FMT(state->ref));
        next = *from;
    }
    next.snapshot_id = to->snapshot_id;
    return nilas_update_ref(update, &next, err);
}

nilas_code nilas_procedure__fast_forward(nilas_procedure_call *call, nilas_error *err) {
    move state = {.call = call,
                  .branch = nilas_call__text(call, "branch", NILAS_STR_EMPTY),
                  .ref = nilas_call__text(call, "to", NILAS_STR_EMPTY)};
    NILAS_TRY(nilas_call__load(call, err));
    NILAS_TRY(nilas_call__commit(call, apply_fast_forward, &state, NULL, err));
    nilas_value cells[] = {nilas_value_of_str(state.branch),
                           nilas_call__id_or_null(state.previous_id),
                           nilas_value_of_int(state.snapshot_id)};
    return nilas_call__answer(call, cells, err);
}

/* --- ancestors_of
 * -------------------------------------------------------------------------------------- */

nilas_code nilas_procedure__ancestors_of(nilas_procedure_call *call, nilas_error *err) {
    NILAS_TRY(nilas_call__load(call, err));
    const nilas_metadata *metadata = call->table->metadata;
    int64_t id = nilas_call__int(call, "snapshot_id", metadata->current_snapshot_id);
    const nilas_snapshot *at = nilas_metadata_snapshot(metadata, id);
    NILAS_REQUIRE(at != NULL, err, NILAS_INVALID, "Cannot find snapshot: %lld", (long long)id);
    for (size_t steps = 0; at != NULL && steps < metadata->snapshot_count; steps++) {
        nilas_value cells[] = {nilas_value_of_int(at->snapshot_id),
                               nilas_value_of_int(at->timestamp_ms)};
        NILAS_TRY(nilas_call__answer(call, cells, err));
        at = nilas_metadata_snapshot(metadata, at->parent_id);
    }
    return NILAS_OK;
}
