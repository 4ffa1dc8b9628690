/*
 * Writing Hadoop tables: directories, and metadata files that are numbered.
 *
 * A version is written under a name of its own, synced, and renamed to vN.metadata.json, which
 * fails when that is there: whoever renames first has committed. The version hint is written
 * afterwards and may be stale; readers climb from it.
 *
 * Old versions may be deleted (write.metadata.delete-after-commit.enabled), and then their numbers
 * look free to a writer that was asleep. So our writers hold the folder from looking for the newest
 * version to the rename; and since others do not, versions are deleted oldest first: while the base
 * is there, its successor's number was never taken before.
 *
 * A dropped table's directory is renamed first, which takes the table away at once, and removed
 * then.
 */
#include "catalog/hadoop.h"

static nilas_code safe_path(const nilas_catalog *catalog, nilas_arena *arena,
                            const nilas_identifier *name, nilas_str *out, nilas_error *err) {
    bool safe;

    NILAS_TRY(
        nilas_catalog__hadoop_path(catalog, arena, name->parts, name->count, out, &safe, err));
    return safe ? NILAS_OK
                : nilas_catalog__fail_named(
                      err, NILAS_INVALID,
                      "A name in a Hadoop catalog must be a directory's name: ", name);
}

// ---- namespaces ---------------------------------------------------------------------------------

nilas_code nilas_catalog__hadoop_create_namespace(nilas_catalog *catalog,
                                                  const nilas_identifier *name,
                                                  const nilas_property *properties, size_t count,
                                                  nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_str path, dotted;
    bool exists;

    (void)properties;
    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(nilas_catalog__dotted(scratch, name->parts, name->count, &dotted, err));
    NILAS_REQUIRE(count == 0, err, NILAS_UNSUPPORTED,
                  "Cannot create namespace %.*s: metadata is not supported", NILAS_FMT(dotted));
    NILAS_TRY(safe_path(catalog, scratch, name, &path, err));
    NILAS_TRY(nilas_io_exists(catalog->io, path, &exists, err));
    if (exists) {
        return nilas_catalog__fail_named(err, NILAS_EXISTS, "Namespace already exists: ", name);
    }
    return nilas_io_make_directory(catalog->io, path, err);
}

nilas_code nilas_catalog__hadoop_drop_namespace(nilas_catalog *catalog,
                                                const nilas_identifier *name, nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_io_entry *entries;
    size_t count;
    nilas_str path, dotted;

    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(safe_path(catalog, scratch, name, &path, err));
    NILAS_TRY(nilas_catalog__dotted(scratch, name->parts, name->count, &dotted, err));
    NILAS_TRY(nilas_io_list(catalog->io, scratch, path, &entries, &count, err));
    NILAS_REQUIRE(count == 0, err, NILAS_INVALID, "Namespace %.*s is not empty.",
                  NILAS_FMT(dotted));
    return nilas_io_delete(catalog->io, path, err);
}

nilas_code nilas_catalog__hadoop_alter_namespace(nilas_catalog *catalog,
                                                 const nilas_identifier *name,
                                                 const nilas_property *changes, size_t count,
                                                 nilas_error *err) {
    NILAS_AUTO_BUF what = NILAS_BUF_INIT(0);
    bool removes = count > 0 && changes[0].value.data == NULL;

    (void)catalog;
    nilas_buf_add_text(&what,
                       removes ? "Cannot remove properties " : "Cannot set namespace properties ");
    for (size_t i = 0; i < name->count; i++) {
        nilas_buf_add_text(&what, i > 0 ? "." : "");
        nilas_buf_add(&what, name->parts[i]);
    }
    return nilas_fail(err, NILAS_UNSUPPORTED, "%.*s : %s is not supported",
                      NILAS_FMT(nilas_buf_view(&what)),
                      removes ? "removeProperties" : "setProperties");
}

nilas_code nilas_catalog__hadoop_default_location(nilas_catalog *catalog, nilas_arena *arena,
                                                  const nilas_identifier *name, nilas_str *out,
                                                  nilas_error *err) {
    // As the setting spells it: "file:///…" stays so, while files say "file:/…".
    nilas_str location = nilas_catalog__property(catalog, "warehouse");
    nilas_str plain;

    NILAS_TRY(safe_path(catalog, arena, name, &plain, err));
    for (size_t i = 0; i < name->count; i++) {
        NILAS_TRY(nilas_io_join(arena, location, name->parts[i], &location, err));
    }
    *out = location;
    return NILAS_OK;
}

// ---- the swap -----------------------------------------------------------------------------------

/** N of "…/vN.metadata.json" or "…/vN.gz.metadata.json"; -1 for other names. */
static int64_t version_of(nilas_str location) {
    size_t start = location.size;
    int64_t version;

    while (start > 0 && location.data[start - 1] != '/') {
        start--;
    }
    nilas_str name = nilas_str_slice(location, start, location.size);
    size_t dot = nilas_str_find(name, NILAS_STR("."), 0);
    if (name.size < 2 || name.data[0] != 'v' || dot == SIZE_MAX ||
        !nilas_str_to_int64(nilas_str_slice(name, 1, dot - 1), &version) || version < 0) {
        return -1;
    }
    return version;
}

typedef struct swap_state {
    nilas_catalog *catalog;
    nilas_arena *arena;
    nilas_str folder; // of the metadata
    nilas_str table;  // directory
    int64_t version;  // to write
    nilas_str temporary, target;
} swap_state;

static nilas_code check_place(const swap_state *state, const nilas_identifier *name,
                              const nilas_table *base, const nilas_metadata *next,
                              nilas_error *err) {
    nilas_str expected;

    NILAS_REQUIRE(nilas_metadata_property(next, "write.metadata.path", NILAS_STR_EMPTY).size == 0,
                  err, NILAS_INVALID, "Hadoop path-based tables cannot relocate metadata");
    if (base != NULL) {
        NILAS_REQUIRE(nilas_str_equal(base->metadata->location, next->location), err, NILAS_INVALID,
                      "Hadoop path-based tables cannot be relocated");
        return NILAS_OK;
    }
    NILAS_TRY(
        nilas_catalog__hadoop_default_location(state->catalog, state->arena, name, &expected, err));
    NILAS_REQUIRE(nilas_str_equal(expected, next->location), err, NILAS_INVALID,
                  "Cannot set a custom location for a path-based table. Expected %.*s but got %.*s",
                  NILAS_FMT(expected), NILAS_FMT(next->location));
    return NILAS_OK;
}

#define LOCK_TIMEOUT_MS 30000 // a commit holds the folder for milliseconds
#define AUTO_LOCK       __attribute__((cleanup(nilas_io_unlock))) int

/** Hold the metadata folder, which a new table does not have yet. */
static nilas_code hold(const swap_state *state, const nilas_identifier *name,
                       const nilas_table *base, int *lock, nilas_error *err) {
    nilas_io *io = state->catalog->io;

    if (base == NULL) {
        NILAS_TRY(nilas_io_make_directory(io, state->folder, err));
    }
    nilas_code code = nilas_io_lock(io, state->folder, LOCK_TIMEOUT_MS, lock, err);
    return code == NILAS_NOT_FOUND
               ? nilas_catalog__fail_named(err, code, "Table does not exist: ", name)
               : code;
}

/** Whether the base is still the newest version; a cheap answer before anything is written. */
static nilas_code check_base(swap_state *state, const nilas_identifier *name,
                             const nilas_table *base, nilas_error *err) {
    nilas_error own = NILAS_ERROR_INIT;
    nilas_str newest;
    nilas_code code =
        nilas_metadata_find(state->catalog->io, state->arena, state->table, &newest, &own);

    if (base == NULL) {
        state->version = 1;
        if (code == NILAS_OK) {
            return nilas_catalog__fail_named(err, NILAS_EXISTS, "Table already exists: ", name);
        }
    } else {
        state->version = version_of(base->metadata->metadata_location) + 1;
        NILAS_REQUIRE(state->version > 0, err, NILAS_UNSUPPORTED,
                      "the metadata file \"%.*s\" does not belong to a Hadoop table (vN)",
                      NILAS_FMT(base->metadata->metadata_location));
        if (code == NILAS_NOT_FOUND) {
            return nilas_catalog__fail_named(err, NILAS_NOT_FOUND, "Table does not exist: ", name);
        }
    }
    if (code == NILAS_OK && base != NULL && version_of(newest) >= state->version) {
        return nilas_fail(err, NILAS_CONFLICT,
                          "Cannot commit changes based on stale table metadata: version %lld "
                          "exists",
                          (long long)version_of(newest));
    }
    if (code != NILAS_OK && code != NILAS_NOT_FOUND && err != NULL) {
        *err = own;
    }
    return code == NILAS_NOT_FOUND ? NILAS_OK : code;
}

/** Forget the attempt: nothing happened. */
static nilas_code give_up(const swap_state *state, nilas_code code) {
    nilas_catalog__discard(state->catalog, state->temporary);
    return code;
}

/** The rename failed in some other way than by finding the target: where is our file? */
static nilas_code judge_rename(const swap_state *state, nilas_code code, nilas_error *err) {
    nilas_error own = NILAS_ERROR_INIT;
    bool there;

    if (code != NILAS_UNCERTAIN &&
        nilas_io_exists(state->catalog->io, state->temporary, &there, &own) == NILAS_OK && there) {
        return give_up(state, code);
    }
    if (err != NULL) {
        err->code = NILAS_UNCERTAIN;
    }
    return NILAS_UNCERTAIN;
}

/**
 * The rename went well; but if the version had been taken, superseded and deleted meanwhile, then
 * our file is not part of the table. While the base is there that cannot be.
 */
static nilas_code confirm(const swap_state *state, const nilas_table *base, nilas_error *err) {
    nilas_error own = NILAS_ERROR_INIT;
    nilas_str newest;
    bool there;

    if (base == NULL || (nilas_io_exists(state->catalog->io, base->metadata->metadata_location,
                                         &there, &own) == NILAS_OK &&
                         there)) {
        return NILAS_OK;
    }
    nilas_code code =
        nilas_metadata_find(state->catalog->io, state->arena, state->table, &newest, &own);
    if (code == NILAS_OK && version_of(newest) <= state->version) {
        return NILAS_OK;
    }
    return nilas_fail(err, NILAS_UNCERTAIN,
                      "wrote \"%.*s\", but its base \"%.*s\" is gone: other writers went on",
                      NILAS_FMT(state->target), NILAS_FMT(base->metadata->metadata_location));
}

/** Readers start from the hint and climb, so failures do not count. */
static void write_hint(const swap_state *state) {
    nilas_str path, text;

    if (nilas_io_join(state->arena, state->folder, NILAS_STR("version-hint.text"), &path, NULL) ==
            NILAS_OK &&
        nilas_str_print(state->arena, &text, NULL, "%lld", (long long)state->version) == NILAS_OK) {
        (void)nilas_io_write(state->catalog->io, path, text, true, NULL);
    }
}

static nilas_code name_files(swap_state *state, const char *ending, nilas_error *err) {
    nilas_str uuid, name;

    NILAS_TRY(nilas_catalog_new_uuid(state->arena, &uuid, err));
    // No metadata file's name, so that what a crash leaves is taken for no version.
    NILAS_TRY(nilas_str_print(state->arena, &name, err, "%.*s.tmp", NILAS_FMT(uuid)));
    NILAS_TRY(nilas_io_join(state->arena, state->folder, name, &state->temporary, err));
    NILAS_TRY(
        nilas_str_print(state->arena, &name, err, "v%lld%s", (long long)state->version, ending));
    return nilas_io_join(state->arena, state->folder, name, &state->target, err);
}

/** Write, rename, hint. */
static nilas_code put_version(swap_state *state, const nilas_identifier *name,
                              const nilas_table *base, nilas_metadata *next, nilas_error *err) {
    nilas_str bytes;
    const char *ending;

    NILAS_TRY(nilas_catalog__encode_metadata(state->arena, next, &bytes, &ending, err));
    NILAS_TRY(name_files(state, ending, err));
    next->metadata_location = state->target;
    nilas_code code = nilas_io_write(state->catalog->io, state->temporary, bytes, false, err);
    if (code != NILAS_OK) {
        return give_up(state, code == NILAS_EXISTS ? NILAS_IO : code);
    }
    code = nilas_io_rename_new(state->catalog->io, state->temporary, state->target, err);
    if (code == NILAS_EXISTS) {
        (void)give_up(state, code);
        return base == NULL
                   ? nilas_catalog__fail_named(err, NILAS_EXISTS, "Table already exists: ", name)
                   : nilas_fail(err, NILAS_CONFLICT, "Version %lld already exists: %.*s",
                                (long long)state->version, NILAS_FMT(state->target));
    }
    if (code != NILAS_OK) {
        return judge_rename(state, code, err);
    }
    NILAS_TRY(confirm(state, base, err));
    write_hint(state);
    return NILAS_OK;
}

nilas_code nilas_catalog__hadoop_swap(nilas_catalog *catalog, nilas_arena *arena,
                                      const nilas_identifier *name, const nilas_table *base,
                                      nilas_metadata *next, nilas_error *err) {
    swap_state state = {.catalog = catalog, .arena = arena};
    AUTO_LOCK lock = -1;

    NILAS_TRY(safe_path(catalog, arena, name, &state.table, err));
    NILAS_TRY(nilas_io_join(arena, state.table, NILAS_STR("metadata"), &state.folder, err));
    NILAS_TRY(check_place(&state, name, base, next, err));
    NILAS_TRY(hold(&state, name, base, &lock, err));
    NILAS_TRY(check_base(&state, name, base, err));
    return put_version(&state, name, base, next, err);
}

nilas_code nilas_catalog__hadoop_register_table(nilas_catalog *catalog,
                                                const nilas_identifier *name,
                                                nilas_str metadata_location, nilas_error *err) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    swap_state state = {.catalog = catalog, .arena = arena};
    nilas_metadata *metadata;
    AUTO_LOCK lock = -1;

    NILAS_REQUIRE(arena != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(safe_path(catalog, arena, name, &state.table, err));
    NILAS_TRY(nilas_io_join(arena, state.table, NILAS_STR("metadata"), &state.folder, err));
    NILAS_TRY(hold(&state, name, NULL, &lock, err));
    NILAS_TRY(check_base(&state, name, NULL, err));
    NILAS_TRY(nilas_metadata_load(catalog->io, arena, metadata_location, &metadata, err));
    return put_version(&state, name, NULL, metadata, err);
}

// ---- dropping and renaming ----------------------------------------------------------------------

/** Remove what is below a directory, and it. */
static nilas_code remove_tree(const nilas_catalog *catalog, nilas_str path, int depth,
                              nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_io_entry *entries;
    size_t count;

    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_REQUIRE(depth < NILAS_LIMIT_JSON_DEPTH, err, NILAS_LIMIT,
                  "directories are nested too deeply at \"%.*s\"", NILAS_FMT(path));
    NILAS_TRY(nilas_io_list(catalog->io, scratch, path, &entries, &count, err));
    for (size_t i = 0; i < count; i++) {
        // A link to a directory is removed, not followed: deleting it as a file succeeds.
        nilas_code code = nilas_io_delete(catalog->io, entries[i].location, err);
        if (code != NILAS_OK && entries[i].stat.is_directory) {
            code = remove_tree(catalog, entries[i].location, depth + 1, err);
        }
        if (code != NILAS_NOT_FOUND) {
            NILAS_TRY(code);
        }
    }
    return nilas_io_delete(catalog->io, path, err);
}

nilas_code nilas_catalog__hadoop_drop_table(nilas_catalog *catalog, const nilas_identifier *name,
                                            nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_str path, found, uuid, aside;

    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(safe_path(catalog, scratch, name, &path, err));
    nilas_code code = nilas_metadata_find(catalog->io, scratch, path, &found, err);
    if (code == NILAS_NOT_FOUND) {
        return nilas_catalog__fail_named(err, NILAS_NOT_FOUND, "Table does not exist: ", name);
    }
    NILAS_TRY(code);
    NILAS_TRY(nilas_catalog_new_uuid(scratch, &uuid, err));
    NILAS_TRY(nilas_str_print(scratch, &aside, err, "%.*s.%.*s" NILAS_CATALOG__HADOOP_DROPPED,
                              NILAS_FMT(path), NILAS_FMT(uuid)));
    NILAS_TRY(nilas_io_rename_new(catalog->io, path, aside, err));
    // The table is gone; what cannot be removed now is waste, not an error of the drop.
    (void)remove_tree(catalog, aside, 0, NULL);
    return NILAS_OK;
}

nilas_code nilas_catalog__hadoop_rename_table(nilas_catalog *catalog, const nilas_identifier *from,
                                              const nilas_identifier *to, nilas_error *err) {
    (void)catalog, (void)from, (void)to;
    return nilas_fail(err, NILAS_UNSUPPORTED, "Cannot rename Hadoop tables");
}
