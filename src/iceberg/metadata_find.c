/*
 * Where a table's newest metadata file is, and reading it.
 *
 * Names of Hadoop tables ("v7.metadata.json") and of other catalogs ("00007-<uuid>.metadata.json")
 * are not comparable: where both lie in one folder the Hadoop ones count, since finding a table by
 * its folder is a Hadoop table's way.
 */
#include "iceberg/metadata.h"

#define MAX_HINT_BYTES 4096

/** Java's Hadoop paths print "file:///a" as "file:/a"; stored paths and messages follow. */
static nilas_code hadoop_location(nilas_arena *arena, nilas_str location, nilas_str *out,
                                  nilas_error *err) {
    while (location.size > 1 && location.data[location.size - 1] == '/') {
        location.size--;
    }
    if (nilas_str_starts(location, NILAS_STR("file:///"))) {
        return nilas_str_print(arena, out, err, "file:%.*s",
                               NILAS_FMT(nilas_str_slice(location, 7, SIZE_MAX)));
    }
    return nilas_str_copy(arena, location, out, err);
}

/** "v7.metadata.json", "v7.gz.metadata.json" or "v7.metadata.json.gz", whichever is there; *out
 *  stays empty when none. */
static nilas_code find_version(nilas_io *io, nilas_arena *arena, nilas_str folder, int64_t version,
                               nilas_str *out, nilas_error *err) {
    static const char *const endings[] = {".metadata.json", ".gz.metadata.json",
                                          ".metadata.json.gz"};

    *out = NILAS_STR_EMPTY;
    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
        nilas_str name;
        nilas_str location;
        bool exists = false;
        NILAS_TRY(nilas_str_print(arena, &name, err, "v%lld%s", (long long)version, endings[i]));
        NILAS_TRY(nilas_io_join(arena, folder, name, &location, err));
        NILAS_TRY(nilas_io_exists(io, location, &exists, err));
        if (exists) {
            *out = location;
            return NILAS_OK;
        }
    }
    return NILAS_OK;
}

/** From a version that exists upwards while the next one does; a hint may lag behind. */
static nilas_code climb(nilas_io *io, nilas_arena *arena, nilas_str folder, int64_t version,
                        nilas_str *found, nilas_error *err) {
    while (version < INT64_MAX) {
        nilas_str next;
        NILAS_TRY(find_version(io, arena, folder, ++version, &next, err));
        if (next.size == 0) {
            break;
        }
        *found = next;
    }
    return NILAS_OK;
}

typedef struct metadata_name {
    bool is_hadoop;
    int64_t version;
} metadata_name;

/** What version a file's name tells; false when it is no metadata file. */
static bool parse_name(nilas_str name, metadata_name *out) {
    nilas_str stem = name;
    size_t from;
    size_t end;

    if (nilas_str_ends(stem, NILAS_STR(".gz"))) {
        stem.size -= 3;
    }
    if (!nilas_str_ends(stem, NILAS_STR(".metadata.json"))) {
        return false;
    }
    stem.size -= strlen(".metadata.json");
    if (nilas_str_ends(stem, NILAS_STR(".gz"))) {
        stem.size -= 3;
    }
    out->is_hadoop = stem.size > 1 && stem.data[0] == 'v';
    from = out->is_hadoop ? 1 : 0;
    end = out->is_hadoop ? stem.size : nilas_str_find(stem, NILAS_STR("-"), 0);
    return end != SIZE_MAX &&
           nilas_str_to_int64(nilas_str_slice(stem, from, end - from), &out->version) &&
           out->version >= 0;
}

static bool is_newer(const metadata_name *a, const nilas_io_entry *a_entry, const metadata_name *b,
                     const nilas_io_entry *b_entry) {
    if (a->is_hadoop != b->is_hadoop) {
        return a->is_hadoop;
    }
    if (a->version != b->version) {
        return a->version > b->version;
    }
    // Two attempts at one version: the one written last.
    if (a_entry->stat.modified_ms != b_entry->stat.modified_ms) {
        return a_entry->stat.modified_ms > b_entry->stat.modified_ms;
    }
    return nilas_str_compare(a_entry->name, b_entry->name) > 0;
}

static nilas_code find_by_listing(nilas_io *io, nilas_arena *arena, nilas_str folder,
                                  nilas_str *out, nilas_error *err) {
    nilas_io_entry *entries = NULL;
    size_t count = 0;
    const nilas_io_entry *best = NULL;
    metadata_name best_name = {0};

    NILAS_TRY(nilas_io_list(io, arena, folder, &entries, &count, err));
    for (size_t i = 0; i < count; i++) {
        metadata_name name;
        if (parse_name(entries[i].name, &name) &&
            (best == NULL || is_newer(&name, &entries[i], &best_name, best))) {
            best = &entries[i];
            best_name = name;
        }
    }
    *out = NILAS_STR_EMPTY;
    if (best != NULL) {
        NILAS_TRY(nilas_io_join(arena, folder, best->name, out, err));
    }
    return NILAS_OK;
}

/** The version of version-hint.text; -1 when there is no hint or it is no number. */
static nilas_code read_hint(nilas_io *io, nilas_arena *arena, nilas_str folder, int64_t *out,
                            nilas_error *err) {
    nilas_str location;
    nilas_str text;
    bool exists = false;

    *out = -1;
    NILAS_TRY(nilas_io_join(arena, folder, NILAS_STR("version-hint.text"), &location, err));
    NILAS_TRY(nilas_io_exists(io, location, &exists, err));
    if (!exists) {
        return NILAS_OK;
    }
    NILAS_TRY(nilas_io_read(io, arena, location, MAX_HINT_BYTES, &text, err));
    if (!nilas_str_to_int64(nilas_str_trim(text), out) || *out < 0) {
        *out = -1;
    }
    return NILAS_OK;
}

static nilas_code find_in_folder(nilas_io *io, nilas_arena *arena, nilas_str folder, nilas_str *out,
                                 nilas_error *err) {
    int64_t hint;
    bool exists = false;

    NILAS_TRY(nilas_io_exists(io, folder, &exists, err));
    *out = NILAS_STR_EMPTY;
    if (!exists) {
        return NILAS_OK;
    }
    NILAS_TRY(read_hint(io, arena, folder, &hint, err));
    if (hint >= 0) {
        NILAS_TRY(find_version(io, arena, folder, hint, out, err));
        if (out->size > 0) {
            return climb(io, arena, folder, hint, out, err);
        }
    }
    // No hint, or one that runs ahead of the files.
    return find_by_listing(io, arena, folder, out, err);
}

nilas_code nilas_metadata_find(nilas_io *io, nilas_arena *arena, nilas_str table_location,
                               nilas_str *out, nilas_error *err) {
    nilas_str location;
    nilas_str folder;
    nilas_str found;

    NILAS_TRY(hadoop_location(arena, table_location, &location, err));
    if (nilas_str_ends(location, NILAS_STR(".metadata.json")) ||
        nilas_str_ends(location, NILAS_STR(".metadata.json.gz"))) {
        *out = location;
        return NILAS_OK;
    }
    NILAS_TRY(nilas_io_join(arena, location, NILAS_STR("metadata"), &folder, err));
    NILAS_TRY(find_in_folder(io, arena, folder, &found, err));
    NILAS_REQUIRE(found.size > 0, err, NILAS_NOT_FOUND, "Table does not exist at location: %.*s",
                  NILAS_FMT(location));
    *out = found;
    return NILAS_OK;
}

/** Gzip is known by its magic bytes: names have two ways of saying it, and some say nothing. */
static bool is_gzip(nilas_str bytes) {
    return bytes.size > 2 && (uint8_t)bytes.data[0] == 0x1F && (uint8_t)bytes.data[1] == 0x8B;
}

nilas_code nilas_metadata_load(nilas_io *io, nilas_arena *table, nilas_str metadata_location,
                               nilas_metadata **out, nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(table, 0);
    nilas_str bytes;

    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(nilas_io_read(io, scratch, metadata_location, (size_t)NILAS_LIMIT_METADATA_BYTES,
                            &bytes, err));
    if (is_gzip(bytes)) {
        nilas_code code = nilas_decompress(scratch, NILAS_COMPRESSION_GZIP, bytes,
                                           (size_t)NILAS_LIMIT_METADATA_BYTES, &bytes, err);
        if (code != NILAS_OK) {
            nilas_error_append(err, "in table metadata \"%.*s\"", NILAS_FMT(metadata_location));
            return code;
        }
    }
    return nilas_metadata_parse(table, bytes, metadata_location, out, err);
}
