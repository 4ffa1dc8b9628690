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

static size_t find_field(const nilas_partition_spec *spec, nilas_str name) {
    for (size_t i = 0; i < spec->field_count; i++) {
        if (nilas_str_equal(spec->fields[i].name, name)) {
            return i;
        }
    }
    return SIZE_MAX;
}

/** As Iceberg prints a spec: a line a field. */
static void print_spec(nilas_buf *out, const nilas_partition_spec *spec) {
    nilas_buf_add_char(out, '[');
    for (size_t i = 0; i < spec->field_count; i++) {
        const nilas_partition_field *field = &spec->fields[i];
        nilas_buf_print(out, "\n  %d: %.*s: %.*s(%d)", field->field_id, NILAS_FMT(field->name),
                        NILAS_FMT(field->transform.text), field->source_id);
    }
    nilas_buf_add_text(out, spec->field_count > 0 ? "\n]" : "]");
}

static nilas_code read_order(rewrite *state, const nilas_partition_spec *spec, nilas_error *err) {
    const nilas_value *names = nilas_call__value(state->call, "sort_by");
    NILAS_AUTO_BUF missing = NILAS_BUF_INIT(65536);
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(65536);
    size_t *fields;
    if (nilas_value_is_null(names)) {
        return NILAS_OK;
    }
    NILAS_NEW_ARRAY(state->call->run->stmt, &fields, names->count + 1, err);
    for (size_t i = 0; i < names->count; i++) {
        bool is_null = nilas_value_is_null(&names->items[i]);
        nilas_str name = is_null ? NILAS_STR("null") : names->items[i].text;
        fields[i] = is_null ? SIZE_MAX : find_field(spec, name);
        if (fields[i] == SIZE_MAX) {
            nilas_buf_print(&missing, "%s%.*s", missing.size > 0 ? ", " : "", NILAS_FMT(name));
        }
    }
    print_spec(&text, spec);
    NILAS_REQUIRE(missing.size == 0, err, NILAS_INVALID,
                  "Cannot set manifest sorting because specified field(s) [%.*s] were not found in "
                  "current partition spec %.*s. Spec ID %d",
                  NILAS_FMT(nilas_buf_view(&missing)), NILAS_FMT(nilas_buf_view(&text)),
                  spec->spec_id);
    state->manifests.sort_by = fields;
    state->manifests.sort_count = names->count;
    return NILAS_OK;
}

nilas_code nilas_procedure__rewrite_manifests(nilas_procedure_call *call, nilas_error *err) {
    rewrite state = {.call = call};
    NILAS_TRY(nilas_call__load(call, err));
    const nilas_metadata *metadata = call->table->metadata;
    int64_t spec_id = nilas_call__int(call, "spec_id", metadata->default_spec_id);
    NILAS_REQUIRE(nilas_metadata_spec(metadata, (int32_t)spec_id) != NULL, err, NILAS_INVALID,
                  "Invalid spec id %lld", (long long)spec_id);
    state.manifests.spec_id = (int32_t)spec_id;
    NILAS_TRY(read_order(&state, nilas_metadata_spec(metadata, (int32_t)spec_id), err));
    NILAS_TRY(nilas_call__commit(call, apply_rewrite, &state, NULL, err));
    nilas_value cells[] = {nilas_value_of_int(state.manifests.rewritten),
                           nilas_value_of_int(state.manifests.added)};
    return nilas_call__answer(call, cells, err);
}
