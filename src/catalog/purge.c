/*
 * All files of a table: those that its metadata, with all its snapshots, refers to. They are
 * collected before the table is forgotten and deleted afterwards: a crash in between leaves files
 * that nobody refers to, never a table without its files.
 */
#include "catalog/ops.h"

typedef struct collector {
    nilas_arena *arena;
    nilas_map *files;
    nilas_code failed;
    nilas_error *err;
} collector;

static nilas_code note(collector *to, nilas_str path) {
    nilas_str copy;

    if (path.size == 0 || nilas_map_find(to->files, path) != NULL) {
        return NILAS_OK;
    }
    NILAS_TRY(nilas_str_copy(to->arena, path, &copy, to->err));
    return nilas_map_put(to->files, copy, to, to->err);
}

static bool note_entry(void *context, const nilas_manifest_entry *entry) {
    collector *to = context;

    to->failed = note(to, entry->file.file_path);
    return to->failed == NILAS_OK;
}

static nilas_code note_snapshot(collector *to, const nilas_table *table,
                                const nilas_snapshot *snapshot) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_manifest_file *manifests;
    size_t count;

    NILAS_REQUIRE(scratch != NULL, to->err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(note(to, snapshot->manifest_list));
    nilas_code code = nilas_snapshot_manifests(table->io, scratch, table->metadata, snapshot,
                                               &manifests, &count, to->err);
    if (code == NILAS_NOT_FOUND) {
        return NILAS_OK; // gone already: what it named cannot be known
    }
    NILAS_TRY(code);
    for (size_t i = 0; i < count; i++) {
        NILAS_AUTO(nilas_arena) entries = nilas_arena_new(NULL, 0);
        NILAS_REQUIRE(entries != NULL, to->err, NILAS_NOMEM, "out of memory");
        if (nilas_map_find(to->files, manifests[i].path) != NULL) {
            continue;
        }
        code = nilas_manifest_read(table->io, entries, table->metadata, &manifests[i], 0, false,
                                   note_entry, to, to->err);
        if (code != NILAS_NOT_FOUND) {
            NILAS_TRY(code);
        }
        NILAS_TRY(to->failed);
        NILAS_TRY(note(to, manifests[i].path));
    }
    return NILAS_OK;
}

nilas_code nilas_catalog__collect_files(nilas_catalog *catalog, nilas_arena *arena,
                                        const nilas_table *table, nilas_map *out,
                                        nilas_error *err) {
    const nilas_metadata *metadata = table->metadata;
    collector to = {.arena = arena, .files = out, .failed = NILAS_OK, .err = err};

    nilas_assert(table->io == catalog->io);
    for (size_t i = 0; i < metadata->snapshot_count; i++) {
        NILAS_TRY(note_snapshot(&to, table, &metadata->snapshots[i]));
    }
    for (size_t i = 0; i < metadata->statistics_count; i++) {
        NILAS_TRY(note(&to, metadata->statistics[i].path));
    }
    for (size_t i = 0; i < metadata->partition_statistics_count; i++) {
        NILAS_TRY(note(&to, metadata->partition_statistics[i].path));
    }
    for (size_t i = 0; i < metadata->metadata_log_count; i++) {
        NILAS_TRY(note(&to, metadata->metadata_log[i].metadata_file));
    }
    return note(&to, metadata->metadata_location);
}

void nilas_catalog__delete_files(nilas_catalog *catalog, const nilas_map *files) {
    for (size_t i = 0; i < files->count; i++) {
        nilas_catalog__discard(catalog, files->entries[i].key);
    }
}
