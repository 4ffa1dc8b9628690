/** The files that snapshots need, found from metadata down: what may be deleted is what no
 *  snapshot that stays can reach. */
#include "session/procedure.h"

static char marks[NILAS_REACHABLE_KINDS]; // only their addresses count

void nilas_reachable__init(nilas_reachable *files, nilas_arena *arena) {
    files->arena = arena;
    nilas_map_init(&files->files, arena, false);
}

nilas_code nilas_reachable__add(nilas_reachable *files, nilas_str path, nilas_reachable_kind kind,
                                nilas_error *err) {
    nilas_assert(kind < NILAS_REACHABLE_KINDS);
    if (path.size == 0 || nilas_map_find(&files->files, path) != NULL) {
        return NILAS_OK;
    }
    nilas_str copy;
    NILAS_TRY(nilas_str_copy(files->arena, path, &copy, err));
    return nilas_map_put(&files->files, copy, &marks[kind], err);
}

nilas_reachable_kind nilas_reachable__kind(const nilas_map_entry *entry) {
    ptrdiff_t kind = (char *)entry->value - marks;
    nilas_assert(kind >= 0 && kind < NILAS_REACHABLE_KINDS);
    return (nilas_reachable_kind)kind;
}

typedef struct entry_visit {
    nilas_reachable *files;
    bool subtract;
    nilas_code code;
    nilas_error *err;
} entry_visit;

/** Live entries: a file that a manifest says deleted belongs to the snapshots before. */
static bool on_entry(void *context, const nilas_manifest_entry *entry) {
    entry_visit *visit = context;
    static const nilas_reachable_kind kinds[] = {
        [NILAS_FILE_DATA] = NILAS_REACHABLE_DATA,
        [NILAS_FILE_POSITION_DELETES] = NILAS_REACHABLE_POSITION_DELETES,
        [NILAS_FILE_EQUALITY_DELETES] = NILAS_REACHABLE_EQUALITY_DELETES,
    };
    if (entry->status == NILAS_ENTRY_DELETED) {
        return true;
    }
    if (visit->subtract) {
        nilas_map_remove(&visit->files->files, entry->file.file_path);
    } else {
        visit->code = nilas_reachable__add(visit->files, entry->file.file_path,
                                           kinds[entry->file.content], visit->err);
    }
    return visit->code == NILAS_OK;
}

static nilas_code read_manifest(nilas_reachable *files, const nilas_table *table,
                                const nilas_manifest_file *manifest, bool subtract,
                                nilas_error *err) {
    entry_visit visit = {.files = files, .subtract = subtract, .err = err};
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    nilas_code code = nilas_manifest_read(table->io, scratch, table->metadata, manifest, 0, false,
                                          on_entry, &visit, err);
    NILAS_TRY(visit.code);
    return code;
}

nilas_code nilas_reachable__subtract(nilas_reachable *files, const nilas_table *table,
                                     const nilas_manifest_file *manifest, nilas_error *err) {
    return read_manifest(files, table, manifest, true, err);
}

nilas_code nilas_reachable__add_snapshot(nilas_reachable *files, const nilas_table *table,
                                         const nilas_snapshot *snapshot, const nilas_map *known,
                                         nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_manifest_file *manifests;
    size_t count;
    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(
        nilas_reachable__add(files, snapshot->manifest_list, NILAS_REACHABLE_MANIFEST_LIST, err));
    NILAS_TRY(nilas_snapshot_manifests(table->io, scratch, table->metadata, snapshot, &manifests,
                                       &count, err));
    for (size_t i = 0; i < count; i++) {
        nilas_str path = manifests[i].path;
        bool is_known = known != NULL && nilas_map_find(known, path) != NULL;
        if (!is_known && nilas_map_find(&files->files, path) == NULL) {
            NILAS_TRY(nilas_reachable__add(files, path, NILAS_REACHABLE_MANIFEST, err));
            NILAS_TRY(read_manifest(files, table, &manifests[i], false, err));
        }
    }
    return NILAS_OK;
}

nilas_code nilas_reachable__add_statistics(nilas_reachable *files, const nilas_metadata *metadata,
                                           nilas_error *err) {
    for (size_t i = 0; i < metadata->statistics_count; i++) {
        NILAS_TRY(nilas_reachable__add(files, metadata->statistics[i].path,
                                       NILAS_REACHABLE_STATISTICS, err));
    }
    for (size_t i = 0; i < metadata->partition_statistics_count; i++) {
        NILAS_TRY(nilas_reachable__add(files, metadata->partition_statistics[i].path,
                                       NILAS_REACHABLE_STATISTICS, err));
    }
    return NILAS_OK;
}

nilas_code nilas_reachable__check_gc(const nilas_metadata *metadata, const char *words,
                                     nilas_error *err) {
    nilas_str enabled = nilas_metadata_property(metadata, "gc.enabled", NILAS_STR("true"));
    NILAS_REQUIRE(nilas_str_is_nocase(enabled, "true"), err, NILAS_INVALID,
                  "%s: GC is disabled (deleting files may corrupt other tables)", words);
    return NILAS_OK;
}
