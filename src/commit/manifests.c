/*
 * Manifests of a snapshot: those of new files, begun anew at the target size, and small ones merged
 * into larger ones. Files keep their numbers through a merge; only what this snapshot deleted stays
 * on record as deleted.
 */
#include "commit/snapshot.h"

#define TARGET_BYTES  (8LL << 20)
#define MIN_COUNT     100
#define ROWS_PER_LOOK 250 // how often the size of a manifest is looked at

static int64_t target_bytes(const nilas_commit__making *making) {
    int64_t target = nilas_commit__int_property(&making->update->metadata,
                                                "commit.manifest.target-size-bytes", TARGET_BYTES);

    return target > 0 ? target : TARGET_BYTES;
}

nilas_code nilas_commit__begin_manifest(nilas_commit__making *making, nilas_arena *arena,
                                        int32_t spec_id, nilas_manifest_content content,
                                        nilas_manifest_writer **out, nilas_error *err) {
    nilas_manifest_writer_options options = {
        .metadata = &making->update->metadata,
        .spec_id = spec_id,
        .content = content,
        .snapshot_id = making->snapshot_id,
    };

    return nilas_manifest_writer_new(arena, &options, out, err);
}

/** Lines outlive the writer's arena. */
static nilas_code keep_line(nilas_arena *arena, nilas_manifest_file *line, nilas_error *err) {
    nilas_field_summary *copy;

    NILAS_NEW_ARRAY(arena, &copy, line->partition_count, err);
    for (size_t i = 0; i < line->partition_count; i++) {
        copy[i] = line->partitions[i];
        if (copy[i].lower_bound.data != NULL) {
            NILAS_TRY(nilas_str_copy(arena, copy[i].lower_bound, &copy[i].lower_bound, err));
            NILAS_TRY(nilas_str_copy(arena, copy[i].upper_bound, &copy[i].upper_bound, err));
        }
    }
    line->partitions = copy;
    return NILAS_OK;
}

nilas_code nilas_commit__end_manifest(nilas_commit__making *making, nilas_manifest_writer *writer,
                                      nilas_manifest_file *out, nilas_error *err) {
    nilas_update *update = making->update;
    nilas_manifest_file line;
    nilas_str bytes, name;

    NILAS_TRY(nilas_manifest_writer_finish(writer, &bytes, &line, err));
    NILAS_TRY(keep_line(update->arena, &line, err));
    NILAS_TRY(nilas_str_print(update->arena, &name, err, "%.*s-m%d.avro", NILAS_FMT(update->uuid),
                              update->manifest_number++));
    NILAS_TRY(nilas_commit__metadata_file(update, name, &line.path, err));
    NILAS_TRY(nilas_commit__write(update, line.path, bytes, err));
    *out = line;
    return NILAS_OK;
}

// ---- new files ----------------------------------------------------------------------------------

/** The files of one spec, in their order. */
static nilas_code write_spec(nilas_commit__making *making, const nilas_data_file *files,
                             size_t count, const nilas_manifest_writer_options *of,
                             nilas_commit__manifests *out, nilas_error *err) {
    int64_t target = target_bytes(making);
    bool is_data = of->content == NILAS_MANIFEST_DATA;

    for (size_t at = 0; at < count;) {
        NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
        nilas_manifest_writer *writer;
        nilas_manifest_file line;
        NILAS_REQUIRE(arena != NULL, err, NILAS_NOMEM, "out of memory");
        NILAS_TRY(
            nilas_commit__begin_manifest(making, arena, of->spec_id, of->content, &writer, err));
        for (; at < count; at++) {
            size_t written = nilas_manifest_writer_count(writer);
            if (files[at].spec_id != of->spec_id) {
                continue;
            }
            if (written > 0 && written % ROWS_PER_LOOK == 0 &&
                (int64_t)nilas_manifest_writer_size(writer) >= target) {
                break;
            }
            nilas_manifest_entry entry = {
                .status = NILAS_ENTRY_ADDED,
                .snapshot_id = making->snapshot_id,
                .sequence_number = is_data && making->change->data_sequence_number > 0
                                       ? making->change->data_sequence_number
                                       : -1,
                .file_sequence_number = -1,
                .file = files[at],
            };
            NILAS_TRY(nilas_manifest_writer_add(writer, &entry, err));
        }
        if (nilas_manifest_writer_count(writer) > 0) {
            NILAS_TRY(nilas_commit__end_manifest(making, writer, &line, err));
            NILAS_PUSH(making->update->arena, out, line, err);
        }
    }
    return NILAS_OK;
}

nilas_code nilas_commit__write_added(nilas_commit__making *making, const nilas_data_file *files,
                                     size_t count, nilas_manifest_content content,
                                     nilas_commit__manifests *out, nilas_error *err) {
    nilas_map specs;

    nilas_map_init(&specs, making->update->arena, false);
    for (size_t i = 0; i < count; i++) {
        NILAS_TRY(nilas_commit__count(making, &files[i], true, err));
        if (nilas_map_find_int(&specs, files[i].spec_id) != NULL) {
            continue;
        }
        NILAS_TRY(nilas_map_put_int(&specs, files[i].spec_id, making, err));
        nilas_manifest_writer_options of = {.spec_id = files[i].spec_id, .content = content};
        NILAS_TRY(write_spec(making, files + i, count - i, &of, out, err));
    }
    return NILAS_OK;
}

// ---- merging ------------------------------------------------------------------------------------

typedef struct merger {
    nilas_commit__making *making;
    nilas_manifest_writer *writer;
    nilas_code failed;
    nilas_error *err;
} merger;

static bool merge_entry(void *context, const nilas_manifest_entry *read) {
    merger *to = context;
    nilas_manifest_entry entry = *read;
    bool ours = entry.snapshot_id == to->making->snapshot_id;

    if (entry.status == NILAS_ENTRY_DELETED && !ours) {
        return true;
    }
    if (entry.status == NILAS_ENTRY_ADDED && !ours) {
        entry.status = NILAS_ENTRY_EXISTING;
    }
    to->failed = nilas_manifest_writer_add(to->writer, &entry, to->err);
    return to->failed == NILAS_OK;
}

static nilas_code merge_bin(nilas_commit__making *making, const nilas_manifest_file *bin,
                            size_t count, nilas_manifest_file *out, nilas_error *err) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_update *update = making->update;
    merger to = {.making = making, .failed = NILAS_OK, .err = err};

    NILAS_REQUIRE(arena != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(nilas_commit__begin_manifest(making, arena, bin[0].partition_spec_id, bin[0].content,
                                           &to.writer, err));
    for (size_t i = 0; i < count; i++) {
        NILAS_AUTO(nilas_arena) entries = nilas_arena_new(NULL, 0);
        NILAS_REQUIRE(entries != NULL, err, NILAS_NOMEM, "out of memory");
        NILAS_TRY(nilas_manifest_read(update->io, entries, &update->metadata, &bin[i],
                                      NILAS_MANIFEST_ALL, false, merge_entry, &to, err));
        NILAS_TRY(to.failed);
    }
    NILAS_TRY(nilas_commit__end_manifest(making, to.writer, out, err));
    for (size_t i = 0; i < count; i++) {
        nilas_commit__unwrite(update, bin[i].path); // only what this update wrote itself
    }
    making->manifests_replaced += (int64_t)count;
    return NILAS_OK;
}

/** One spec's manifests, packed from the end so that the newest bin is the one left unfilled. */
static nilas_code merge_spec(nilas_commit__making *making, const nilas_commit__manifests *group,
                             nilas_str newest, nilas_commit__manifests *out, nilas_error *err) {
    nilas_arena *arena = making->update->arena;
    int64_t target = target_bytes(making);
    int64_t min_count = nilas_commit__int_property(&making->update->metadata,
                                                   "commit.manifest.min-count-to-merge", MIN_COUNT);
    NILAS_ARRAY_OF(size_t) starts = {0}; // of the bins, last bin first
    int64_t size = 0;

    for (size_t i = group->count; i > 0; i--) {
        int64_t length = group->items[i - 1].length;
        if (i < group->count && size + length > target) {
            NILAS_PUSH(arena, &starts, i, err);
            size = 0;
        }
        size += length;
    }
    NILAS_PUSH(arena, &starts, 0, err);
    for (size_t b = starts.count; b > 0; b--) {
        size_t start = starts.items[b - 1];
        size_t end = b > 1 ? starts.items[b - 2] : group->count;
        const nilas_manifest_file *bin = group->items + start;
        size_t count = end - start;
        bool has_newest = nilas_str_equal(bin[0].path, newest);
        if (count == 1 || (has_newest && (int64_t)count < min_count)) {
            for (size_t i = 0; i < count; i++) {
                NILAS_PUSH(arena, out, bin[i], err);
            }
            continue;
        }
        nilas_manifest_file merged;
        NILAS_TRY(merge_bin(making, bin, count, &merged, err));
        NILAS_PUSH(arena, out, merged, err);
    }
    return NILAS_OK;
}

nilas_code nilas_commit__merge(nilas_commit__making *making, const nilas_commit__manifests *from,
                               nilas_commit__manifests *out, nilas_error *err) {
    nilas_arena *arena = making->update->arena;
    const nilas_metadata *metadata = &making->update->metadata;

    if (from->count == 0 ||
        !nilas_commit__bool_property(metadata, "commit.manifest-merge.enabled", true)) {
        for (size_t i = 0; i < from->count; i++) {
            NILAS_PUSH(arena, out, from->items[i], err);
        }
        return NILAS_OK;
    }
    for (size_t s = metadata->spec_count; s > 0; s--) { // the newest spec first
        nilas_commit__manifests group = {0};
        for (size_t i = 0; i < from->count; i++) {
            if (from->items[i].partition_spec_id == metadata->specs[s - 1]->spec_id) {
                NILAS_PUSH(arena, &group, from->items[i], err);
            }
        }
        if (group.count > 0) {
            NILAS_TRY(merge_spec(making, &group, from->items[0].path, out, err));
        }
    }
    return NILAS_OK;
}
