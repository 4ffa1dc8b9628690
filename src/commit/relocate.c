/*
 * Metadata, manifests and their lines with their paths moved from one prefix to another.
 *
 * A table spells its paths in one way, so prefixes are compared as text, with or without a last
 * slash.
 */
#include "commit/relocate.h"

// ---- paths --------------------------------------------------------------------------------------

static nilas_str without_slash(nilas_str path) {
    if (path.size > 0 && path.data[path.size - 1] == '/') {
        path.size--;
    }
    return path;
}

/** The part below the prefix; empty when the path is the prefix. */
static nilas_code relative(const nilas_relocation *to, nilas_str path, nilas_str *out,
                           nilas_error *err) {
    nilas_str prefix = without_slash(to->source_prefix);
    nilas_str bare = without_slash(path);
    bool is_below =
        nilas_str_starts(path, prefix) && path.size > prefix.size && path.data[prefix.size] == '/';

    NILAS_REQUIRE(is_below || nilas_str_equal(bare, prefix), err, NILAS_INVALID,
                  "Path %.*s/ does not start with %.*s/", NILAS_FMT(bare), NILAS_FMT(prefix));
    *out = bare.size > prefix.size ? nilas_str_slice(path, prefix.size + 1, path.size)
                                   : NILAS_STR_EMPTY;
    return NILAS_OK;
}

nilas_code nilas_relocation_target(nilas_arena *arena, const nilas_relocation *to, nilas_str path,
                                   nilas_str *out, nilas_error *err) {
    nilas_str below;

    NILAS_TRY(relative(to, path, &below, err));
    if (below.size == 0) {
        *out = to->target_prefix;
        return NILAS_OK;
    }
    return nilas_str_print(arena, out, err, "%.*s/%.*s",
                           NILAS_FMT(without_slash(to->target_prefix)), NILAS_FMT(below));
}

nilas_code nilas_relocation_staged(nilas_arena *arena, const nilas_relocation *to, nilas_str path,
                                   nilas_str *out, nilas_error *err) {
    nilas_str below;

    nilas_assert(nilas_str_ends(to->staging, NILAS_STR("/")));
    NILAS_TRY(relative(to, path, &below, err));
    return nilas_str_print(arena, out, err, "%.*s%.*s", NILAS_FMT(to->staging), NILAS_FMT(below));
}

// ---- metadata -----------------------------------------------------------------------------------

static nilas_code move_properties(nilas_arena *arena, const nilas_relocation *to,
                                  nilas_metadata *metadata, nilas_error *err) {
    static const char *const keys[] = {"write.object-storage.path", "write.folder-storage.path",
                                       "write.data.path", "write.metadata.path"};
    const nilas_property *before = metadata->properties;

    NILAS_NEW_ARRAY(arena, &metadata->properties, metadata->property_count, err);
    for (size_t i = 0; i < metadata->property_count; i++) {
        nilas_property *property = &metadata->properties[i];
        *property = before[i];
        for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++) {
            if (nilas_str_is(property->key, keys[k])) {
                NILAS_TRY(
                    nilas_relocation_target(arena, to, before[i].value, &property->value, err));
            }
        }
    }
    return NILAS_OK;
}

static nilas_code move_snapshots(nilas_arena *arena, const nilas_relocation *to,
                                 nilas_metadata *metadata, nilas_error *err) {
    const nilas_snapshot *before = metadata->snapshots;

    NILAS_NEW_ARRAY(arena, &metadata->snapshots, metadata->snapshot_count, err);
    for (size_t i = 0; i < metadata->snapshot_count; i++) {
        metadata->snapshots[i] = before[i];
        NILAS_REQUIRE(before[i].manifest_list.size > 0, err, NILAS_UNSUPPORTED,
                      "snapshot %lld has no manifest list: tables with manifests inside their "
                      "metadata are not moved",
                      (long long)before[i].snapshot_id);
        NILAS_TRY(nilas_relocation_target(arena, to, before[i].manifest_list,
                                          &metadata->snapshots[i].manifest_list, err));
    }
    return NILAS_OK;
}

static nilas_code move_log(nilas_arena *arena, const nilas_relocation *to, nilas_metadata *metadata,
                           nilas_error *err) {
    const nilas_metadata_log_entry *before = metadata->metadata_log;

    NILAS_NEW_ARRAY(arena, &metadata->metadata_log, metadata->metadata_log_count, err);
    for (size_t i = 0; i < metadata->metadata_log_count; i++) {
        metadata->metadata_log[i] = before[i];
        NILAS_TRY(nilas_relocation_target(arena, to, before[i].metadata_file,
                                          &metadata->metadata_log[i].metadata_file, err));
    }
    return NILAS_OK;
}

/** The entry is kept whole as JSON; only its path changes. */
static nilas_code move_statistics(nilas_arena *arena, const nilas_relocation *to,
                                  nilas_statistics_file **files, size_t count, nilas_error *err) {
    const nilas_statistics_file *before = *files;

    NILAS_NEW_ARRAY(arena, files, count, err);
    for (size_t i = 0; i < count; i++) {
        nilas_statistics_file *file = &(*files)[i];
        nilas_json *json;
        *file = before[i];
        NILAS_TRY(nilas_relocation_target(arena, to, before[i].path, &file->path, err));
        if (before[i].json == NULL) {
            continue;
        }
        NILAS_NEW(arena, &json, err);
        *json = *before[i].json;
        NILAS_NEW_ARRAY(arena, &json->items, json->count, err);
        for (size_t k = 0; k < json->count; k++) {
            json->items[k] = before[i].json->items[k];
            if (nilas_str_is(json->names[k], "statistics-path")) {
                json->items[k].text = file->path;
            }
        }
        file->json = json;
    }
    return NILAS_OK;
}

nilas_code nilas_relocate_metadata(nilas_arena *arena, const nilas_relocation *to,
                                   const nilas_metadata *metadata, nilas_metadata *out,
                                   nilas_error *err) {
    nilas_metadata moved = *metadata;

    NILAS_TRY(nilas_relocation_target(arena, to, metadata->location, &moved.location, err));
    NILAS_TRY(move_properties(arena, to, &moved, err));
    NILAS_TRY(move_snapshots(arena, to, &moved, err));
    NILAS_TRY(move_log(arena, to, &moved, err));
    NILAS_TRY(move_statistics(arena, to, &moved.statistics, moved.statistics_count, err));
    NILAS_TRY(move_statistics(arena, to, &moved.partition_statistics,
                              moved.partition_statistics_count, err));
    *out = moved;
    return NILAS_OK;
}

// ---- manifests ----------------------------------------------------------------------------------

typedef struct manifest_copy {
    nilas_arena *arena;
    const nilas_manifest_move *move;
    const nilas_manifest_file *manifest;
    nilas_manifest_writer *writer;
    nilas_code failed;
    nilas_error *err;
} manifest_copy;

static bool is_path_bound(const nilas_bound *bound) {
    return bound->field_id == NILAS_FIELD_DELETE_FILE_PATH;
}

/** Bounds of paths serve to find deletes of one file: those that name one move, others go. */
static nilas_code move_path_bounds(const manifest_copy *copy, nilas_data_file *file,
                                   nilas_error *err) {
    nilas_bound **lists[] = {&file->lower_bounds, &file->upper_bounds};
    size_t *counts[] = {&file->lower_bound_count, &file->upper_bound_count};
    nilas_str lower, upper;
    bool is_one = nilas_bound_find(file->lower_bounds, file->lower_bound_count,
                                   NILAS_FIELD_DELETE_FILE_PATH, &lower) &&
                  nilas_bound_find(file->upper_bounds, file->upper_bound_count,
                                   NILAS_FIELD_DELETE_FILE_PATH, &upper) &&
                  nilas_str_equal(lower, upper);

    for (size_t side = 0; side < 2; side++) {
        const nilas_bound *before = *lists[side];
        size_t count = *counts[side], kept = 0;
        NILAS_NEW_ARRAY(copy->arena, lists[side], count, err);
        for (size_t i = 0; i < count; i++) {
            nilas_bound bound = before[i];
            if (is_path_bound(&bound) && !is_one) {
                continue;
            }
            if (is_path_bound(&bound)) {
                NILAS_TRY(nilas_relocation_target(copy->arena, copy->move->to, bound.bytes,
                                                  &bound.bytes, err));
            }
            (*lists[side])[kept++] = bound;
        }
        *counts[side] = kept;
    }
    return NILAS_OK;
}

static nilas_code move_file(const manifest_copy *copy, nilas_data_file *file, nilas_error *err) {
    const nilas_relocation *to = copy->move->to;
    nilas_str below;

    NILAS_REQUIRE(nilas_str_starts(file->file_path, to->source_prefix), err, NILAS_INVALID,
                  "Encountered %s file %.*s not under the source prefix %.*s",
                  file->content == NILAS_FILE_DATA ? "data" : "delete", NILAS_FMT(file->file_path),
                  NILAS_FMT(to->source_prefix));
    NILAS_TRY(nilas_relocation_target(copy->arena, to, file->file_path, &file->file_path, err));
    if (file->referenced_data_file.size > 0 &&
        relative(to, file->referenced_data_file, &below, NULL) == NILAS_OK) {
        NILAS_TRY(nilas_relocation_target(copy->arena, to, file->referenced_data_file,
                                          &file->referenced_data_file, err));
    }
    return file->content == NILAS_FILE_POSITION_DELETES ? move_path_bounds(copy, file, err)
                                                        : NILAS_OK;
}

static nilas_code copy_entry(manifest_copy *copy, const nilas_manifest_entry *read,
                             nilas_error *err) {
    nilas_manifest_entry entry = *read;

    NILAS_TRY(move_file(copy, &entry.file, err));
    NILAS_TRY(copy->move->on_file(copy->move->context, read, &entry.file, err));
    if (entry.status == NILAS_ENTRY_ADDED &&
        entry.sequence_number == copy->manifest->sequence_number) {
        entry.sequence_number = -1; // as it came: from the manifest
    }
    return nilas_manifest_writer_add(copy->writer, &entry, err);
}

static bool on_entry(void *context, const nilas_manifest_entry *entry) {
    manifest_copy *copy = context;

    copy->failed = copy_entry(copy, entry, copy->err);
    return copy->failed == NILAS_OK;
}

nilas_code nilas_relocate_manifest(nilas_arena *arena, const nilas_manifest_move *move,
                                   const nilas_manifest_file *manifest, nilas_str *out_bytes,
                                   nilas_manifest_file *out, nilas_error *err) {
    manifest_copy copy = {.arena = arena, .move = move, .manifest = manifest, .err = err};
    nilas_manifest_file made, line = *manifest;
    nilas_manifest_writer_options options = {
        .metadata = move->metadata,
        .spec_id = manifest->partition_spec_id,
        .content = manifest->content,
        .snapshot_id = manifest->added_snapshot_id,
    };

    NILAS_TRY(nilas_relocation_target(arena, move->to, manifest->path, &line.path, err));
    NILAS_TRY(nilas_manifest_writer_new(arena, &options, &copy.writer, err));
    nilas_code code = nilas_manifest_read(move->io, arena, move->metadata, manifest,
                                          NILAS_MANIFEST_ALL, true, on_entry, &copy, err);
    NILAS_TRY(copy.failed);
    NILAS_TRY(code);
    NILAS_TRY(nilas_manifest_writer_finish(copy.writer, out_bytes, &made, err));
    line.length = (int64_t)out_bytes->size;
    *out = line;
    return NILAS_OK;
}
