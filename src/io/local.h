/**
 * Files of the operating system. Private to io; `location` is only for messages, `path` is what is
 * opened.
 */
#ifndef NILAS_IO_LOCAL_H
#define NILAS_IO_LOCAL_H

#include "io/io.h"

typedef struct nilas_io_local {
    nilas_str location; // as the caller spelled it
    const char *path;   // NUL-terminated
} nilas_io_local;

nilas_code nilas_io__local_read(const nilas_io_local *file, nilas_arena *arena, size_t max_bytes,
                                nilas_str *out, nilas_error *err);
nilas_code nilas_io__local_read_range(const nilas_io_local *file, nilas_arena *arena,
                                      int64_t offset, size_t size, nilas_str *out,
                                      nilas_error *err);
/** *out_exists false instead of an error when there is nothing. */
nilas_code nilas_io__local_stat(const nilas_io_local *file, nilas_io_stat *out, bool *out_exists,
                                nilas_error *err);
nilas_code nilas_io__local_list(const nilas_io_local *directory, nilas_arena *arena,
                                nilas_io_entry **out, size_t *out_count, nilas_error *err);
nilas_code nilas_io__local_write(const nilas_io_local *file, nilas_str bytes, bool overwrite,
                                 nilas_error *err);
nilas_code nilas_io__local_rename_new(const nilas_io_local *from, const nilas_io_local *to,
                                      bool sync, nilas_error *err);
nilas_code nilas_io__local_delete(const nilas_io_local *file, nilas_error *err);
/** flock() of the directory itself, so that no file is left behind. */
nilas_code nilas_io__local_lock(const nilas_io_local *directory, int64_t timeout_ms, int *out_lock,
                                nilas_error *err);
void nilas_io__local_unlock(int lock); // -1: nothing is held
nilas_code nilas_io__local_make_directory(const nilas_io_local *directory, nilas_error *err);

#endif
