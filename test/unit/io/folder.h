/** A folder of its own for a test, removed at its end. Private to the io tests. */
#ifndef NILAS_TEST_IO_FOLDER_H
#define NILAS_TEST_IO_FOLDER_H

#include <ftw.h>
#include <unistd.h>

#include "io/io.h"
#include "test.h"

typedef struct folder {
    char path[64];
    nilas_arena *arena;
    nilas_io *io;
    nilas_error err;
} folder;

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *walk) {
    (void)info;
    (void)kind;
    (void)walk;
    return remove(path);
}

static void remove_folder(folder *f) {
    nftw(f->path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    nilas_io_free(f->io);
    nilas_arena_free(f->arena);
}

static folder make_folder(void) {
    folder f = {.path = "/tmp/nilas-io-XXXXXX", .err = NILAS_ERROR_INIT};
    f.arena = nilas_arena_new(NULL, 0);
    if (mkdtemp(f.path) == NULL || f.arena == NULL || nilas_io_new(&f.io, &f.err) != NILAS_OK) {
        abort();
    }
    return f;
}
#define AUTO_FOLDER __attribute__((cleanup(remove_folder))) folder

/** A location inside the folder. */
static nilas_str in(folder *f, const char *name) {
    nilas_str out;
    if (nilas_str_print(f->arena, &out, &f->err, "file:%s/%s", f->path, name) != NILAS_OK) {
        abort();
    }
    return out;
}

#endif
