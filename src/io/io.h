/**
 * io: the outside world. One file interface; local files now, object stores are one more
 * implementation.
 *
 * A location is text as Iceberg metadata holds it: "/a/b", "file:/a/b", "file:///a/b",
 * "s3://bucket/key". Local paths are used verbatim, as Hadoop does: no percent-decoding. Errors
 * name the location and the system's reason.
 */
#ifndef NILAS_IO_IO_H
#define NILAS_IO_IO_H

#include "base/base.h"

// a set of file systems by scheme, with their settings; shared, thread-safe
typedef struct nilas_io nilas_io;
typedef struct nilas_file nilas_file; // an open file for reading

typedef struct nilas_io_stat {
    int64_t size_bytes;
    int64_t modified_ms;
    bool is_directory;
} nilas_io_stat;

typedef struct nilas_io_entry {
    nilas_str name;     // last part of the path
    nilas_str location; // in the spelling (scheme) of the directory asked for
    nilas_io_stat stat;
} nilas_io_entry;

/** Local files only for now. Never freed before the session. */
nilas_code nilas_io_new(nilas_io **out, nilas_error *err);
void nilas_io_free(nilas_io *io);
NILAS_DEFINE_AUTO(nilas_io, nilas_io_free);

/**
 * Make operations fail, for tests. `fault` is called before each operation ("read", "stat", "list",
 * "write", "rename", "delete", "mkdir") with `done` false: any code but NILAS_OK is what the
 * operation returns, and nothing happens outside. After an operation that succeeded it is called
 * with `done` true: then the thing has happened, yet the caller is told that it failed. Set it
 * before the io is shared between threads; it must itself be thread-safe.
 */
typedef nilas_code (*nilas_io_fault)(void *context, const char *operation, nilas_str location,
                                     bool done, nilas_error *err);
void nilas_io_set_fault(nilas_io *io, nilas_io_fault fault, void *context);
/** Let the fault speak for an operation that does not go through here ("sql" of a catalog's
 * database). NILAS_OK when none is set. */
nilas_code nilas_io_ask_fault(const nilas_io *io, const char *operation, nilas_str location,
                              bool done, nilas_error *err);

/**
 * Read a whole file into the arena; NILAS_LIMIT beyond max_bytes; NILAS_NOT_FOUND, NILAS_DENIED,
 * NILAS_IO.
 */
nilas_code nilas_io_read(nilas_io *io, nilas_arena *arena, nilas_str location, size_t max_bytes,
                         nilas_str *out, nilas_error *err);
/** Read exactly [offset, offset + size). A shorter file is NILAS_CORRUPT. */
nilas_code nilas_io_read_range(nilas_io *io, nilas_arena *arena, nilas_str location, int64_t offset,
                               size_t size, nilas_str *out, nilas_error *err);
nilas_code nilas_io_stat_file(nilas_io *io, nilas_str location, nilas_io_stat *out,
                              nilas_error *err);
/** Whether it exists, as file or directory; an unreachable store is an error, not false. */
nilas_code nilas_io_exists(nilas_io *io, nilas_str location, bool *out, nilas_error *err);
/** Direct children, in the order the store gives them. */
nilas_code nilas_io_list(nilas_io *io, nilas_arena *arena, nilas_str directory,
                         nilas_io_entry **out, size_t *out_count, nilas_error *err);
/**
 * Write a whole file and sync it; NILAS_EXISTS when it is there and `overwrite` is false. Creates
 * parent directories. Overwriting is atomic: readers see the old or the new bytes. A failed write
 * of a new file leaves nothing behind.
 */
nilas_code nilas_io_write(nilas_io *io, nilas_str location, nilas_str bytes, bool overwrite,
                          nilas_error *err);
/**
 * Atomic rename of a file that never replaces: NILAS_EXISTS when the target is there.
 * NILAS_UNCERTAIN: renamed, but the system could not say that it will survive a crash.
 */
nilas_code nilas_io_rename_new(nilas_io *io, nilas_str from, nilas_str to, nilas_error *err);
/** As nilas_io_rename_new(), of a file whose bytes are not synced either: it does not wait for the
 * disk. */
nilas_code nilas_io_move_new(nilas_io *io, nilas_str from, nilas_str to, nilas_error *err);
/**
 * Hold a directory against all others who lock it, until nilas_io_unlock() or the end of the
 * process. Waits up to `timeout_ms`.
 *
 * @param out_lock  -1 where the file system has no locks: then nothing is held
 * @return NILAS_CONFLICT   somebody else holds it
 *         NILAS_NOT_FOUND, NILAS_DENIED, NILAS_IO
 */
nilas_code nilas_io_lock(nilas_io *io, nilas_str directory, int64_t timeout_ms, int *out_lock,
                         nilas_error *err);
void nilas_io_unlock(int *lock);
/** Delete a file or an empty directory; NILAS_NOT_FOUND when it is not there. */
nilas_code nilas_io_delete(nilas_io *io, nilas_str location, nilas_error *err);
/** With its parents; one that is there already is fine. */
nilas_code nilas_io_make_directory(nilas_io *io, nilas_str location, nilas_error *err);

/**
 * A path that the operating system and DuckDB open: "file:///a b" -> "/a b". NILAS_UNSUPPORTED
 * names a scheme that is not ours yet ("s3").
 */
nilas_code nilas_io_local_path(nilas_arena *arena, nilas_str location, nilas_str *out,
                               nilas_error *err);
/** parent + "/" + name, whatever slashes parent ends with. */
nilas_code nilas_io_join(nilas_arena *arena, nilas_str parent, nilas_str name, nilas_str *out,
                         nilas_error *err);
/** Scheme in lower case ("file", "s3"), empty when none. */
nilas_str nilas_io_scheme(nilas_str location);

/**
 * Take a folder's name apart, both halves unescaped ("a%3Ab" is "a:b").
 * @param out_is_key  false: the name is not of this form (no "=", nothing before it)
 * @param value       data NULL: null, which is written __HIVE_DEFAULT_PARTITION__
 */
nilas_code nilas_folder_key_read(nilas_arena *arena, nilas_str name, bool *out_is_key,
                                 nilas_str *key, nilas_str *value, nilas_error *err);

#endif
