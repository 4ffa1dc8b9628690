/**
 * expire_snapshots: drops snapshots from the metadata by age, number and id, keeps what branches
 * and tags need, and after the commit deletes the files that only the dropped ones could reach.
 */
#include "session/procedure.h"

#define DEFAULT_AGE_MS 432000000

typedef struct expire {
    nilas_procedure_call *call;
    int64_t older_than_ms; // -1: by the table's properties
    int64_t retain_last;   // -1: by the table's properties
    int64_t now_ms;
} expire;

/* --- which snapshots go
 * ------------------------------------------------------------------------------ */

/** What one pass over the metadata decides. */
typedef struct selection {
    const nilas_metadata *metadata;
    nilas_arena *arena;
    int64_t older_than_ms, retain_last, max_ref_age_ms, now_ms;
    nilas_map retained;   // ids that refs need
    nilas_map referenced; // ids in the history of some ref
    NILAS_ARRAY_OF(nilas_str) dead_refs;
    NILAS_ARRAY_OF(int64_t) ids; // to expire
} selection;

static int64_t long_property(const nilas_metadata *metadata, const char *key, int64_t fallback) {
    int64_t value;
    nilas_str text = nilas_metadata_property(metadata, key, (nilas_str){.data = NULL});
    return text.data != NULL && nilas_str_to_int64(text, &value) ? value : fallback;
}

static nilas_code retain(selection *s, int64_t id, nilas_error *err) {
    return nilas_map_put_int(&s->retained, id, s, err);
}

static nilas_code retain_branch(selection *s, const nilas_ref *ref, nilas_error *err) {
    int64_t keep = ref->min_snapshots_to_keep >= 0 ? ref->min_snapshots_to_keep : s->retain_last;
    int64_t limit_ms =
        ref->max_snapshot_age_ms >= 0 ? s->now_ms - ref->max_snapshot_age_ms : s->older_than_ms;
    const nilas_snapshot *at = nilas_metadata_snapshot(s->metadata, ref->snapshot_id);
    bool keeps = true;
    for (size_t seen = 0; at != NULL && seen <= s->metadata->snapshot_count; seen++) {
        NILAS_TRY(nilas_map_put_int(&s->referenced, at->snapshot_id, s, err));
        keeps = keeps && ((int64_t)seen < keep || at->timestamp_ms >= limit_ms);
        if (keeps) {
            NILAS_TRY(retain(s, at->snapshot_id, err));
        }
        at = nilas_metadata_snapshot(s->metadata, at->parent_id);
    }
    return NILAS_OK;
}

static nilas_code retain_refs(selection *s, nilas_error *err) {
    for (size_t i = 0; i < s->metadata->ref_count; i++) {
        const nilas_ref *ref = &s->metadata->refs[i];
        const nilas_snapshot *head = nilas_metadata_snapshot(s->metadata, ref->snapshot_id);
        bool is_main = nilas_str_is(ref->name, "main");
        int64_t max_age = ref->max_ref_age_ms >= 0 ? ref->max_ref_age_ms : s->max_ref_age_ms;
        if (!is_main && (head == NULL || s->now_ms - head->timestamp_ms > max_age)) {
            NILAS_PUSH(s->arena, &s->dead_refs, ref->name, err);
            continue;
        }
        NILAS_TRY(retain(s, ref->snapshot_id, err));
        if (ref->is_tag) {
            NILAS_TRY(nilas_map_put_int(&s->referenced, ref->snapshot_id, s, err));
        } else {
            NILAS_TRY(retain_branch(s, ref, err));
        }
    }
    return NILAS_OK;
}

static bool is_dead(const selection *s, nilas_str ref) {
    for (size_t i = 0; i < s->dead_refs.count; i++) {
        if (nilas_str_equal(s->dead_refs.items[i], ref)) {
            return true;
        }
    }
    return false;
}

/** Snapshots that were named must not be the head of a ref that stays. */
static nilas_code check_named(const selection *s, int64_t id, nilas_error *err) {
    NILAS_AUTO_BUF names = NILAS_BUF_INIT(65536);
    for (size_t i = 0; i < s->metadata->ref_count; i++) {
        const nilas_ref *ref = &s->metadata->refs[i];
        if (ref->snapshot_id == id && !is_dead(s, ref->name)) {
            nilas_buf_print(&names, "%s%.*s", names.size > 0 ? ", " : "", NILAS_FMT(ref->name));
        }
    }
    NILAS_REQUIRE(names.size == 0, err, NILAS_INVALID,
                  "Cannot expire %lld. Still referenced by refs: [%.*s]", (long long)id,
                  NILAS_FMT(nilas_buf_view(&names)));
    return NILAS_OK;
}

static nilas_code select_snapshots(selection *s, const nilas_value *named, nilas_error *err) {
    nilas_map by_id;
    nilas_map_init(&by_id, s->arena, false);
    NILAS_TRY(retain_refs(s, err));
    for (size_t i = 0; !nilas_value_is_null(named) && i < named->count; i++) {
        if (nilas_value_is_null(&named->items[i])) {
            continue;
        }
        NILAS_TRY(check_named(s, named->items[i].integer, err));
        NILAS_TRY(nilas_map_put_int(&by_id, named->items[i].integer, s, err));
    }
    for (size_t i = 0; i < s->metadata->snapshot_count; i++) {
        const nilas_snapshot *at = &s->metadata->snapshots[i];
        bool is_young = nilas_map_find_int(&s->referenced, at->snapshot_id) == NULL &&
                        at->timestamp_ms >= s->older_than_ms;
        bool stays = is_young || nilas_map_find_int(&s->retained, at->snapshot_id) != NULL;
        if (!stays || nilas_map_find_int(&by_id, at->snapshot_id) != NULL) {
            NILAS_PUSH(s->arena, &s->ids, at->snapshot_id, err);
        }
    }
    return NILAS_OK;
}

static nilas_code apply_expire(void *context, nilas_update *update, nilas_error *err) {
    expire *state = context;
    const nilas_metadata *metadata = nilas_update_metadata(update);
    selection s = {
        .metadata = metadata,
        .arena = nilas_update_arena(update),
        .older_than_ms = state->older_than_ms,
        .retain_last = state->retain_last,
        .max_ref_age_ms = long_property(metadata, "history.expire.max-ref-age-ms", INT64_MAX),
        .now_ms = state->now_ms,
    };
    NILAS_TRY(nilas_reachable__check_gc(metadata, "Cannot expire snapshots", err));
    if (s.older_than_ms < 0) {
        s.older_than_ms =
            state->now_ms -
            long_property(metadata, "history.expire.max-snapshot-age-ms", DEFAULT_AGE_MS);
    }
    if (s.retain_last < 0) {
        s.retain_last = long_property(metadata, "history.expire.min-snapshots-to-keep", 1);
    }
    nilas_map_init(&s.retained, s.arena, false);
    nilas_map_init(&s.referenced, s.arena, false);
    NILAS_TRY(select_snapshots(&s, nilas_call__value(state->call, "snapshot_ids"), err));
    for (size_t i = 0; i < s.dead_refs.count; i++) {
        NILAS_TRY(nilas_update_remove_ref(update, s.dead_refs.items[i], err));
    }
    NILAS_TRY(nilas_update_remove_snapshots(update, s.ids.items, s.ids.count, err));
    return nilas_call__bool(state->call, "clean_expired_metadata", false)
               ? nilas_update_remove_unused(update, err)
               : NILAS_OK;
}

/* --- which files go
 * ---------------------------------------------------------------------------------- */

/** Manifests of the snapshots that stay, by path. */
static nilas_code read_kept(nilas_arena *arena, const nilas_table *table, nilas_map *out,
                            nilas_error *err) {
    const nilas_metadata *metadata = table->metadata;
    nilas_map_init(out, arena, false);
    for (size_t i = 0; i < metadata->snapshot_count; i++) {
        nilas_manifest_file *manifests;
        size_t count;
        NILAS_TRY(nilas_snapshot_manifests(table->io, arena, metadata, &metadata->snapshots[i],
                                           &manifests, &count, err));
        for (size_t k = 0; k < count; k++) {
            if (nilas_map_find(out, manifests[k].path) == NULL) {
                NILAS_TRY(nilas_map_put(out, manifests[k].path, &manifests[k], err));
            }
        }
    }
    return NILAS_OK;
}

static bool has_content(const nilas_reachable *files) {
    for (size_t i = 0; i < files->files.count; i++) {
        if (files->files.entries[i].value != NULL &&
            nilas_reachable__kind(&files->files.entries[i]) <= NILAS_REACHABLE_EQUALITY_DELETES) {
            return true;
        }
    }
    return false;
}

/** What the old version reached through the snapshots that are gone, and the new one does not. */
static nilas_code find_unreachable(const nilas_table *before, const nilas_table *after,
                                   nilas_reachable *out, nilas_error *err) {
    const nilas_metadata *metadata = before->metadata;
    nilas_map kept;
    nilas_reachable needed;
    NILAS_TRY(read_kept(out->arena, after, &kept, err));
    for (size_t i = 0; i < metadata->snapshot_count; i++) {
        const nilas_snapshot *at = &metadata->snapshots[i];
        nilas_error inner = NILAS_ERROR_INIT;
        nilas_code code = NILAS_OK;
        if (nilas_metadata_snapshot(after->metadata, at->snapshot_id) == NULL) {
            code = nilas_reachable__add_snapshot(out, before, at, &kept, &inner);
        }
        if (code != NILAS_OK && code != NILAS_NOT_FOUND) { // not found: somebody was there before
            *err = inner;
            return code;
        }
    }
    NILAS_TRY(nilas_reachable__add_statistics(out, metadata, err));
    nilas_reachable__init(&needed, out->arena);
    NILAS_TRY(nilas_reachable__add_statistics(&needed, after->metadata, err));
    for (size_t i = 0; i < needed.files.count; i++) {
        nilas_map_remove(&out->files, needed.files.entries[i].key);
    }
    for (size_t i = 0; i < after->metadata->snapshot_count; i++) {
        nilas_map_remove(&out->files, after->metadata->snapshots[i].manifest_list);
    }
    for (size_t i = 0; has_content(out) && i < kept.count; i++) {
        NILAS_TRY(nilas_reachable__subtract(out, after, kept.entries[i].value, err));
    }
    return NILAS_OK;
}

/** Files that cannot be deleted stay behind: the table does not need them any more. */
static void delete_files(nilas_io *io, const nilas_reachable *files,
                         int64_t counts[NILAS_REACHABLE_KINDS]) {
    // Content before the manifests that name it, so that what an interruption leaves can be found.
    for (int kind = 0; kind < NILAS_REACHABLE_KINDS; kind++) {
        for (size_t i = 0; i < files->files.count; i++) {
            const nilas_map_entry *entry = &files->files.entries[i];
            nilas_error ignored = NILAS_ERROR_INIT;
            if (entry->value != NULL && (int)nilas_reachable__kind(entry) == kind &&
                nilas_io_delete(io, entry->key, &ignored) == NILAS_OK) {
                counts[kind]++;
            }
        }
    }
}

nilas_code nilas_procedure__expire_snapshots(nilas_procedure_call *call, nilas_error *err) {
    nilas_run *run = call->run;
    expire state = {
        .call = call,
        .older_than_ms = nilas_call__millis(call, "older_than", -1),
        .retain_last = nilas_call__int(call, "retain_last", -1),
        .now_ms = nilas_floor_div(run->environment.now_micros, 1000),
    };
    nilas_table *after;
    nilas_reachable files;
    int64_t counts[NILAS_REACHABLE_KINDS] = {0};
    NILAS_TRY(nilas_call__load(call, err));
    NILAS_REQUIRE(nilas_call__int(call, "max_concurrent_deletes", 1) > 0, err, NILAS_INVALID,
                  "max_concurrent_deletes should have value > 0, value: %lld",
                  (long long)nilas_call__int(call, "max_concurrent_deletes", 1));
    NILAS_REQUIRE(!nilas_call__has(call, "retain_last") || state.retain_last >= 1, err,
                  NILAS_INVALID,
                  "Number of snapshots to retain must be at least 1, cannot be: %lld",
                  (long long)state.retain_last);
    NILAS_TRY(nilas_call__commit(call, apply_expire, &state, &after, err));
    nilas_reachable__init(&files, run->stmt);
    NILAS_TRY(find_unreachable(call->table, after, &files, err));
    delete_files(call->table->io, &files, counts);
    nilas_value cells[NILAS_OUTPUT_LIMIT];
    for (size_t i = 0; i < NILAS_OUTPUT_LIMIT; i++) {
        cells[i] = nilas_value_of_int(counts[i]);
    }
    return nilas_call__answer(call, cells, err);
}
