/** rewrite_manifests: the manifests of a spec written anew, sorted by partition. */
#include "session/procedure.h"

typedef struct rewrite {
    nilas_procedure_call *call;
    nilas_manifest_rewrite manifests;
} rewrite;

/** One manifest that fits the target size is left alone. */
static nilas_code plan_contents(rewrite *state, nilas_update *update, nilas_error *err) {
    const nilas_metadata *metadata = nilas_update_metadata(update);
    const nilas_snapshot *current = nilas_metadata_current_snapshot(metadata);
    nilas_manifest_file *manifests;
    size_t count = 0;
    size_t counts[2] = {0};
    int64_t sizes[2] = {0};
    int64_t target = 8LL << 20;
    nilas_str text =
        nilas_metadata_property(metadata, "commit.manifest.target-size-bytes", NILAS_STR_EMPTY);
    if (text.size > 0) {
        NILAS_REQUIRE(nilas_str_to_int64(text, &target) && target > 0, err, NILAS_INVALID,
                      "commit.manifest.target-size-bytes must be a positive number: %.*s",
                      NILAS_FMT(text));
    }
    if (current != NULL) {
        NILAS_TRY(nilas_snapshot_manifests(nilas_catalog_io(state->call->catalog),
                                           nilas_update_arena(update), metadata, current,
                                           &manifests, &count, err));
    }
    for (size_t i = 0; i < count; i++) {
        if (manifests[i].partition_spec_id == state->manifests.spec_id) {
            counts[manifests[i].content]++;
            sizes[manifests[i].content] += manifests[i].length;
        }
    }
    for (int i = 0; i < 2; i++) {
        state->manifests.contents[i] = counts[i] > 1 || (counts[i] == 1 && sizes[i] > target);
    }
    return NILAS_OK;
}

static nilas_code apply_rewrite(void *context, nilas_update *update, nilas_error *err) {
    rewrite *state = context;
    nilas_property *summary;
    size_t summary_count;
    state->manifests.rewritten = state->manifests.added = 0;
    NILAS_TRY(plan_contents(state, update, err));
    if (!state->manifests.contents[0] && !state->manifests.contents[1]) {
        return NILAS_OK;
    }
    NILAS_TRY(nilas_call__summary(state->call, &summary, &summary_count, err));
    nilas_snapshot_change change = {
        .operation = "replace",
        .data_sequence_number = -1,
        .read_snapshot_id = -1,
        .summary = summary,
        .summary_count = summary_count,
        .manifest_rewrite = &state->manifests,
    };
    return nilas_update_snapshot(update, &change, NULL, err);
}

nilas_code nilas_procedure__rewrite_manifests(nilas_procedure_call *call, nilas_error *err) {
    rewrite state = {.call = call};
    NILAS_TRY(nilas_call__load(call, err));
    const nilas_metadata *metadata = call->table->metadata;
    int64_t spec_id = nilas_call__int(call, "spec_id", metadata->default_spec_id);
    NILAS_REQUIRE(nilas_metadata_spec(metadata, (int32_t)spec_id) != NULL, err, NILAS_INVALID,
                  "Invalid spec id %lld", (long long)spec_id);
    NILAS_REQUIRE(!nilas_call__has(call, "sort_by"), err, NILAS_UNSUPPORTED,
                  "rewrite_manifests does not support sort_by");
    state.manifests.spec_id = (int32_t)spec_id;
    NILAS_TRY(nilas_call__commit(call, apply_rewrite, &state, NULL, err));
    nilas_value cells[] = {nilas_value_of_int(state.manifests.rewritten),
                           nilas_value_of_int(state.manifests.added)};
    return nilas_call__answer(call, cells, err);
}
