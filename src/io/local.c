/*
 * Files of the operating system. What a commit stands on is written down before success is told:
 * the bytes are synced, then the directory that names them.
 */
#include "io/local.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// ---- errors and handles -------------------------------------------------------------------------

static nilas_code code_of_errno(int number) {
    switch (number) {
    case ENOENT:
    case ENOTDIR: return NILAS_NOT_FOUND;
    case EEXIST: return NILAS_EXISTS;
    case EACCES:
    case EPERM:
    case EROFS: return NILAS_DENIED;
    case ENAMETOOLONG:
    case EISDIR:
    case ELOOP: return NILAS_INVALID;
    case ENOMEM: return NILAS_NOMEM;
    default: return NILAS_IO;
    }
}

static nilas_code fail_errno(const nilas_io_local *file, const char *verb, int number,
                             nilas_error *err) {
    char reason[128];
    // The GNU form: returns the text, which may be a static string instead of the buffer.
    const char *text = strerror_r(number, reason, sizeof(reason));
    return nilas_fail(err, code_of_errno(number), "cannot %s \"%.*s\": %s", verb,
                      NILAS_FMT(file->location), text);
}

static void close_fd(int *fd) {
    if (*fd >= 0) {
        // Written bytes were synced before; there is no news to lose here.
        (void)close(*fd);
    }
}
#define AUTO_FD __attribute__((cleanup(close_fd))) int

static void close_directory(DIR **directory) {
    if (*directory != NULL) {
        (void)closedir(*directory);
    }
}
#define AUTO_DIR __attribute__((cleanup(close_directory))) DIR *

/**
 * Open a regular file for reading. O_NONBLOCK: a pipe by that name must not hang us before it is
 * refused.
 */
static nilas_code open_file(const nilas_io_local *file, int *out_fd, int64_t *out_size,
                            nilas_error *err) {
    struct stat info;
    int fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (fd < 0) {
        return fail_errno(file, "read", errno, err);
    }
    *out_fd = fd;
    if (fstat(fd, &info) != 0) {
        return fail_errno(file, "read", errno, err);
    }
    NILAS_REQUIRE(S_ISREG(info.st_mode), err, NILAS_INVALID, "cannot read \"%.*s\": it is %s",
                  NILAS_FMT(file->location),
                  S_ISDIR(info.st_mode) ? "a directory" : "not a regular file");
    *out_size = info.st_size;
    return NILAS_OK;
}

// ---- reading ------------------------------------------------------------------------------------

/** Read until `size` bytes are there or the file ends. */
static nilas_code read_fully(const nilas_io_local *file, int fd, int64_t offset, char *out,
                             size_t size, size_t *out_size, nilas_error *err) {
    size_t done = 0;

    while (done < size) {
        ssize_t got = pread(fd, out + done, size - done, (off_t)(offset + (int64_t)done));
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return fail_errno(file, "read", errno, err);
        }
        if (got == 0) {
            break;
        }
        done += (size_t)got;
    }
    *out_size = done;
    return NILAS_OK;
}

nilas_code nilas_io__local_read(const nilas_io_local *file, nilas_arena *arena, size_t max_bytes,
                                nilas_str *out, nilas_error *err) {
    AUTO_FD fd = -1;
    int64_t file_size;
    void *bytes;
    size_t got;

    NILAS_TRY(open_file(file, &fd, &file_size, err));
    NILAS_REQUIRE((uint64_t)file_size <= max_bytes, err, NILAS_LIMIT,
                  "\"%.*s\" has %lld bytes, the limit is %zu", NILAS_FMT(file->location),
                  (long long)file_size, max_bytes);
    NILAS_TRY(nilas_arena_alloc(arena, (size_t)file_size + 1, &bytes, err));
    NILAS_TRY(read_fully(file, fd, 0, bytes, (size_t)file_size, &got, err));
    *out = (nilas_str){.data = bytes, .size = got};
    return NILAS_OK;
}

nilas_code nilas_io__local_read_range(const nilas_io_local *file, nilas_arena *arena,
                                      int64_t offset, size_t size, nilas_str *out,
                                      nilas_error *err) {
    AUTO_FD fd = -1;
    int64_t file_size;
    void *bytes;
    size_t got;

    NILAS_TRY(open_file(file, &fd, &file_size, err));
    // Before any memory is taken: offsets and sizes come from metadata, which may lie.
    NILAS_REQUIRE(offset >= 0 && offset <= file_size && size <= (uint64_t)(file_size - offset), err,
                  NILAS_CORRUPT,
                  "\"%.*s\": %zu bytes expected at offset %lld, the file has %lld bytes",
                  NILAS_FMT(file->location), size, (long long)offset, (long long)file_size);
    NILAS_TRY(nilas_arena_alloc(arena, size + 1, &bytes, err));
    NILAS_TRY(read_fully(file, fd, offset, bytes, size, &got, err));
    NILAS_REQUIRE(got == size, err, NILAS_CORRUPT,
                  "\"%.*s\": %zu bytes expected at offset %lld, found %zu",
                  NILAS_FMT(file->location), size, (long long)offset, got);
    *out = (nilas_str){.data = bytes, .size = size};
    return NILAS_OK;
}

static nilas_io_stat stat_of(const struct stat *info) {
    return (nilas_io_stat){
        .size_bytes = info->st_size,
        .modified_ms = (int64_t)info->st_mtim.tv_sec * 1000 + info->st_mtim.tv_nsec / 1000000,
        .is_directory = S_ISDIR(info->st_mode),
    };
}

nilas_code nilas_io__local_stat(const nilas_io_local *file, nilas_io_stat *out, bool *out_exists,
                                nilas_error *err) {
    struct stat info;

    if (stat(file->path, &info) != 0) {
        if (errno != ENOENT && errno != ENOTDIR) {
            return fail_errno(file, "look at", errno, err);
        }
        *out_exists = false;
        return NILAS_OK;
    }
    *out = stat_of(&info);
    *out_exists = true;
    return NILAS_OK;
}

nilas_code nilas_io__local_list(const nilas_io_local *directory, nilas_arena *arena,
                                nilas_io_entry **out, size_t *out_count, nilas_error *err) {
    NILAS_ARRAY_OF(nilas_io_entry) list = {0};
    AUTO_DIR handle = opendir(directory->path);

    if (handle == NULL) {
        return fail_errno(directory, "list", errno, err);
    }
    for (;;) {
        errno = 0;
        const struct dirent *found = readdir(handle);
        if (found == NULL) {
            break;
        }
        nilas_str name = nilas_str_of(found->d_name);
        struct stat info;
        if (nilas_str_is(name, ".") || nilas_str_is(name, "..")) {
            continue;
        }
        if (fstatat(dirfd(handle), found->d_name, &info, 0) != 0) {
            if (errno == ENOENT || errno == ELOOP) {
                continue; // deleted since, or a link to nowhere or to itself
            }
            return fail_errno(directory, "list", errno, err);
        }
        nilas_io_entry entry = {.stat = stat_of(&info)};
        NILAS_TRY(nilas_str_copy(arena, name, &entry.name, err));
        NILAS_TRY(nilas_io_join(arena, directory->location, name, &entry.location, err));
        NILAS_PUSH(arena, &list, entry, err);
    }
    if (errno != 0) {
        return fail_errno(directory, "list", errno, err);
    }
    *out = list.items;
    *out_count = list.count;
    return NILAS_OK;
}

// ---- writing ------------------------------------------------------------------------------------

/** Path of the directory that holds `path`, in a buffer of PATH_MAX. */
static bool parent_of(const char *path, char out[PATH_MAX]) {
    size_t size = strlen(path);

    while (size > 1 && path[size - 1] == '/') {
        size--;
    }
    while (size > 0 && path[size - 1] != '/') {
        size--;
    }
    while (size > 1 && path[size - 1] == '/') {
        size--;
    }
    if (size >= PATH_MAX) {
        return false;
    }
    memcpy(out, size == 0 ? "." : path, size == 0 ? 1 : size);
    out[size == 0 ? 1 : size] = '\0';
    return true;
}

/** mkdir of the path and its parents, from the top; 0 or an errno. */
static int make_directories(const char *path) {
    char prefix[PATH_MAX];
    size_t size = strlen(path);
    struct stat info;

    if (stat(path, &info) == 0) {
        return S_ISDIR(info.st_mode) ? 0 : ENOTDIR;
    }
    if (size >= sizeof(prefix)) {
        return ENAMETOOLONG;
    }
    memcpy(prefix, path, size + 1);
    for (size_t i = 1; i <= size; i++) {
        if (prefix[i] != '/' && prefix[i] != '\0') {
            continue;
        }
        prefix[i] = '\0';
        if (mkdir(prefix, 0777) != 0 && errno != EEXIST) {
            return errno;
        }
        prefix[i] = i < size ? '/' : '\0';
    }
    return stat(path, &info) != 0 ? errno : S_ISDIR(info.st_mode) ? 0 : ENOTDIR;
}

/** 0 or an errno. */
static int sync_parent(const char *path) {
    char parent[PATH_MAX];

    if (!parent_of(path, parent)) {
        return ENAMETOOLONG;
    }
    AUTO_FD fd = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        return errno;
    }
    // Some file systems cannot sync directories and say so; then there is nothing more to be had.
    return fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP ? errno : 0;
}

/** 0 or an errno. */
static int write_fully(int fd, nilas_str bytes) {
    size_t done = 0;

    while (done < bytes.size) {
        ssize_t put = write(fd, bytes.data + done, bytes.size - done);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put < 0) {
            return errno;
        }
        done += (size_t)put;
    }
    return fsync(fd) != 0 ? errno : 0;
}

/** Create the file, write and sync; what was begun and failed is removed again. 0 or an errno. */
static int create_file(const char *path, nilas_str bytes) {
    AUTO_FD fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

    if (fd < 0) {
        return errno;
    }
    int failed = write_fully(fd, bytes);
    if (failed != 0) {
        (void)unlink(path);
    }
    return failed;
}

/** A hidden name beside the file that no other writer has. */
static bool temporary_path(const char *path, char out[PATH_MAX]) {
    const char *slash = strrchr(path, '/');
    int folder_size = slash != NULL ? (int)(slash - path + 1) : 0;
    uint64_t random;

    if (getrandom(&random, sizeof(random), 0) != (ssize_t)sizeof(random)) {
        return false;
    }
    int size = snprintf(out, PATH_MAX, "%.*s.%s.%016llx.tmp", folder_size, path, path + folder_size,
                        (unsigned long long)random);
    return size > 0 && size < PATH_MAX;
}

/** 0 or an errno. */
static int replace_file(const char *path, nilas_str bytes) {
    char temporary[PATH_MAX];

    if (!temporary_path(path, temporary)) {
        return ENAMETOOLONG;
    }
    int failed = create_file(temporary, bytes);
    if (failed == 0 && rename(temporary, path) != 0) {
        failed = errno;
        (void)unlink(temporary);
    }
    return failed;
}

nilas_code nilas_io__local_write(const nilas_io_local *file, nilas_str bytes, bool overwrite,
                                 nilas_error *err) {
    char parent[PATH_MAX];

    if (!parent_of(file->path, parent)) {
        return fail_errno(file, "write", ENAMETOOLONG, err);
    }
    int failed = make_directories(parent);
    if (failed == 0) {
        failed = overwrite ? replace_file(file->path, bytes) : create_file(file->path, bytes);
    }
    if (failed == 0) {
        failed = sync_parent(file->path);
        if (failed != 0 && !overwrite) {
            (void)unlink(file->path);
        }
    }
    return failed != 0 ? fail_errno(file, "write", failed, err) : NILAS_OK;
}

/** 0 or an errno. */
static int rename_no_replace(const char *from, const char *to) {
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) {
        return 0;
    }
    if (errno != EINVAL && errno != ENOSYS) {
        return errno;
    }
    // A file system without that flag: a hard link also fails when the target is there.
    if (link(from, to) != 0) {
        return errno;
    }
    (void)unlink(from);
    return 0;
}

nilas_code nilas_io__local_rename_new(const nilas_io_local *from, const nilas_io_local *to,
                                      bool sync, nilas_error *err) {
    int failed = rename_no_replace(from->path, to->path);

    if (failed == EEXIST) {
        return nilas_fail(err, NILAS_EXISTS, "cannot rename \"%.*s\": \"%.*s\" already exists",
                          NILAS_FMT(from->location), NILAS_FMT(to->location));
    }
    if (failed != 0) {
        NILAS_TRY(fail_errno(from, "rename", failed, err));
    }
    failed = sync ? sync_parent(to->path) : 0;
    NILAS_REQUIRE(failed == 0, err, NILAS_UNCERTAIN,
                  "renamed \"%.*s\" to \"%.*s\", but cannot sync the directory",
                  NILAS_FMT(from->location), NILAS_FMT(to->location));
    return NILAS_OK;
}

nilas_code nilas_io__local_delete(const nilas_io_local *file, nilas_error *err) {
    if (unlink(file->path) == 0) {
        return NILAS_OK;
    }
    // Linux says EISDIR, POSIX allows EPERM.
    int failed = errno;
    if ((failed == EISDIR || failed == EPERM) && rmdir(file->path) == 0) {
        return NILAS_OK;
    }
    return fail_errno(file, "delete", failed == EISDIR ? errno : failed, err);
}

nilas_code nilas_io__local_make_directory(const nilas_io_local *directory, nilas_error *err) {
    int failed = make_directories(directory->path);
    return failed != 0 ? fail_errno(directory, "create", failed, err) : NILAS_OK;
}

// ---- locks --------------------------------------------------------------------------------------

nilas_code nilas_io__local_lock(const nilas_io_local *directory, int64_t timeout_ms, int *out_lock,
                                nilas_error *err) {
    AUTO_FD fd = open(directory->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int64_t deadline = nilas_monotonic_ns() / 1000000 + timeout_ms;

    if (fd < 0) {
        return fail_errno(directory, "lock", errno, err);
    }
    while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EINTR) {
            continue;
        }
        if (errno != EWOULDBLOCK) {
            *out_lock = -1; // a file system without locks
            return NILAS_OK;
        }
        NILAS_REQUIRE(nilas_monotonic_ns() / 1000000 < deadline, err, NILAS_CONFLICT,
                      "\"%.*s\" is held by another process", NILAS_FMT(directory->location));
        struct timespec pause = {.tv_nsec = 1000000};
        (void)nanosleep(&pause, NULL);
    }
    *out_lock = fd;
    fd = -1; // the caller holds it now
    return NILAS_OK;
}

void nilas_io__local_unlock(int lock) {
    if (lock >= 0) {
        (void)close(lock);
    }
}
