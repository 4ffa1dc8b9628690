/*
 * The door to the outside: each operation turns its location into a path, lets a test's fault
 * speak, and calls the file system that owns the scheme. Local files are the only one; an object
 * store is one more branch at `resolve`.
 */
#include "io/io.h"

#include <stdlib.h>

#include "io/local.h"

struct nilas_io {
    nilas_io_fault fault;
    void *fault_context;
};

nilas_code nilas_io_new(nilas_io **out, nilas_error *err) {
    nilas_io *io = calloc(1, sizeof(*io));

    NILAS_REQUIRE(io != NULL, err, NILAS_NOMEM, "out of memory");
    *out = io;
    return NILAS_OK;
}

void nilas_io_free(nilas_io *io) {
    free(io);
}

void nilas_io_set_fault(nilas_io *io, nilas_io_fault fault, void *context) {
    io->fault = fault;
    io->fault_context = context;
}

static nilas_code fault_of(const nilas_io *io, const char *operation, nilas_str location, bool done,
                           nilas_error *err) {
    return io->fault != NULL ? io->fault(io->fault_context, operation, location, done, err)
                             : NILAS_OK;
}

nilas_code nilas_io_ask_fault(const nilas_io *io, const char *operation, nilas_str location,
                              bool done, nilas_error *err) {
    return fault_of(io, operation, location, done, err);
}

/** The path of the location, after a fault before the operation had its say. */
static nilas_code begin(const nilas_io *io, const char *operation, nilas_str location,
                        nilas_arena *scratch, nilas_io_local *out, nilas_error *err) {
    nilas_str path;

    nilas_assert(io != NULL);
    NILAS_REQUIRE(scratch != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_TRY(fault_of(io, operation, location, false, err));
    NILAS_TRY(nilas_io_local_path(scratch, location, &path, err));
    *out = (nilas_io_local){.location = location, .path = path.data};
    return NILAS_OK;
}

nilas_code nilas_io_read(nilas_io *io, nilas_arena *arena, nilas_str location, size_t max_bytes,
                         nilas_str *out, nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_io_local file;

    NILAS_TRY(begin(io, "read", location, scratch, &file, err));
    NILAS_TRY(nilas_io__local_read(&file, arena, max_bytes, out, err));
    return fault_of(io, "read", location, true, err);
}

nilas_code nilas_io_read_range(nilas_io *io, nilas_arena *arena, nilas_str location, int64_t offset,
                               size_t size, nilas_str *out, nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_io_local file;

    NILAS_TRY(begin(io, "read", location, scratch, &file, err));
    NILAS_TRY(nilas_io__local_read_range(&file, arena, offset, size, out, err));
    return fault_of(io, "read", location, true, err);
}

nilas_code nilas_io_stat_file(nilas_io *io, nilas_str location, nilas_io_stat *out,
                              nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_io_local file;
    bool exists;

    NILAS_TRY(begin(io, "stat", location, scratch, &file, err));
    NILAS_TRY(nilas_io__local_stat(&file, out, &exists, err));
    NILAS_REQUIRE(exists, err, NILAS_NOT_FOUND, "\"%.*s\" does not exist", NILAS_FMT(location));
    return fault_of(io, "stat", location, true, err);
}

nilas_code nilas_io_exists(nilas_io *io, nilas_str location, bool *out, nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_io_local file;
    nilas_io_stat stat;

    NILAS_TRY(begin(io, "stat", location, scratch, &file, err));
    NILAS_TRY(nilas_io__local_stat(&file, &stat, out, err));
    return fault_of(io, "stat", location, true, err);
}

nilas_code nilas_io_list(nilas_io *io, nilas_arena *arena, nilas_str directory,
                         nilas_io_entry **out, size_t *out_count, nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_io_local file;

    NILAS_TRY(begin(io, "list", directory, scratch, &file, err));
    NILAS_TRY(nilas_io__local_list(&file, arena, out, out_count, err));
    return fault_of(io, "list", directory, true, err);
}

nilas_code nilas_io_write(nilas_io *io, nilas_str location, nilas_str bytes, bool overwrite,
                          nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_io_local file;

    NILAS_TRY(begin(io, "write", location, scratch, &file, err));
    NILAS_TRY(nilas_io__local_write(&file, bytes, overwrite, err));
    return fault_of(io, "write", location, true, err);
}

static nilas_code rename_new(nilas_io *io, nilas_str from, nilas_str to, bool sync,
                             nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_io_local source;
    nilas_io_local target = {.location = to};
    nilas_str path;

    NILAS_TRY(begin(io, "rename", from, scratch, &source, err));
    NILAS_TRY(nilas_io_local_path(scratch, to, &path, err));
    target.path = path.data;
    NILAS_TRY(nilas_io__local_rename_new(&source, &target, sync, err));
    return fault_of(io, "rename", from, true, err);
}

nilas_code nilas_io_rename_new(nilas_io *io, nilas_str from, nilas_str to, nilas_error *err) {
    return rename_new(io, from, to, true, err);
}

nilas_code nilas_io_move_new(nilas_io *io, nilas_str from, nilas_str to, nilas_error *err) {
    return rename_new(io, from, to, false, err);
}

nilas_code nilas_io_lock(nilas_io *io, nilas_str directory, int64_t timeout_ms, int *out_lock,
                         nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_io_local file;

    NILAS_TRY(begin(io, "lock", directory, scratch, &file, err));
    return nilas_io__local_lock(&file, timeout_ms, out_lock, err);
}

void nilas_io_unlock(int *lock) {
    nilas_io__local_unlock(*lock);
    *lock = -1;
}

nilas_code nilas_io_delete(nilas_io *io, nilas_str location, nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_io_local file;

    NILAS_TRY(begin(io, "delete", location, scratch, &file, err));
    NILAS_TRY(nilas_io__local_delete(&file, err));
    return fault_of(io, "delete", location, true, err);
}

nilas_code nilas_io_make_directory(nilas_io *io, nilas_str location, nilas_error *err) {
    NILAS_AUTO(nilas_arena) scratch = nilas_arena_new(NULL, 0);
    nilas_io_local directory;

    NILAS_TRY(begin(io, "mkdir", location, scratch, &directory, err));
    NILAS_TRY(nilas_io__local_make_directory(&directory, err));
    return fault_of(io, "mkdir", location, true, err);
}
