/*
 * libduckdb is 70 MB and takes some 15 ms to open and start, and most questions about metadata
 * never need it: so it is opened by dlopen when the first statement asks for it. duckdb_api.h (made
 * by tools/duckdb_api.py) lists the functions.
 */
#define NILAS__DUCKDB_NO_DEFINES
#include "engine/duckdb_load.h"

#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "duckdb_api.h"

struct nilas__duckdb_api nilas__duckdb;

static pthread_mutex_t load_lock = PTHREAD_MUTEX_INITIALIZER;
static bool load_done;

/** The installed library: NILAS_DUCKDB_INSTALLED_PATH is relative to the folder of the binary. */
static void print_installed_path(char *out, size_t size) {
    char binary[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", binary, sizeof(binary) - 1);
    out[0] = '\0';
    if (length > 0) {
        binary[length] = '\0';
        char *folder = dirname(binary);
        int printed = snprintf(out, size, "%s/%s", folder, NILAS_DUCKDB_INSTALLED_PATH);
        if (printed < 0 || (size_t)printed >= size) {
            out[0] = '\0';
        }
    }
}

/** Below the folder of the library that this code is in: a program may have opened libnilas. */
static void print_neighbour_path(char *out, size_t size) {
    Dl_info info = {0};
    char file[PATH_MAX];
    out[0] = '\0';
    if (dladdr(&load_lock, &info) != 0 && info.dli_fname != NULL &&
        realpath(info.dli_fname, file) != NULL) {
        int printed = snprintf(out, size, "%s/nilas/libduckdb.so", dirname(file));
        if (printed < 0 || (size_t)printed >= size) {
            out[0] = '\0';
        }
    }
}

static void *open_library(nilas_error *err) {
    char installed[PATH_MAX * 2];
    char neighbour[PATH_MAX * 2];
    const char *given = getenv("NILAS_DUCKDB");
    print_installed_path(installed, sizeof(installed));
    print_neighbour_path(neighbour, sizeof(neighbour));
    if (given != NULL &&
        given[0] != '\0') { // what the user names is taken or refused, never passed over
        void *library = dlopen(given, RTLD_LAZY | RTLD_LOCAL);
        if (library == NULL) {
            (void)nilas_fail(err, NILAS_NOT_FOUND,
                             "cannot open libduckdb named by NILAS_DUCKDB: %s", dlerror());
        }
        return library;
    }
    const char *places[] = {installed, neighbour, NILAS_DUCKDB_DEFAULT_PATH, "libduckdb.so"};
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        bool is_path = strchr(places[i], '/') != NULL;
        if (places[i][0] == '\0' || (is_path && access(places[i], R_OK) != 0)) {
            continue;
        }
        void *library = dlopen(places[i], RTLD_LAZY | RTLD_LOCAL);
        if (library != NULL) {
            return library;
        }
    }
    (void)nilas_fail(err, NILAS_NOT_FOUND,
                     "cannot find libduckdb.so (1.5 or newer): looked at \"%s\", \"%s\" and the "
                     "system's library path; "
                     "name it by the environment variable NILAS_DUCKDB",
                     installed, NILAS_DUCKDB_DEFAULT_PATH);
    return NULL;
}

static bool version_is_enough(const char *version) {
    if (version[0] == 'v') {
        version++;
    }
    char *end = NULL;
    long major = strtol(version, &end, 10);
    long minor = end != NULL && *end == '.' ? strtol(end + 1, NULL, 10) : 0;
    return major > 1 || (major == 1 && minor >= 5);
}

static nilas_code fill_api(void *library, nilas_error *err) {
    nilas_assert(library != NULL);
    const char *(*version)(void) = NULL;
    *(void **)&version = dlsym(library, "duckdb_library_version");
    NILAS_REQUIRE(version != NULL, err, NILAS_UNSUPPORTED,
                  "the library found as libduckdb has no duckdb_library_version");
    NILAS_REQUIRE(version_is_enough(version()), err, NILAS_UNSUPPORTED,
                  "libduckdb is version %s, needed is 1.5 or newer", version());
#define NILAS__RESOLVE(name)                                                                       \
    *(void **)&nilas__duckdb.name = dlsym(library, #name);                                         \
    NILAS_REQUIRE(nilas__duckdb.name != NULL, err, NILAS_UNSUPPORTED,                              \
                  "libduckdb %s has no function %s", version(), #name);
    NILAS__DUCKDB_FUNCTIONS(NILAS__RESOLVE)
#undef NILAS__RESOLVE
    return NILAS_OK;
}

static nilas_code load_once(nilas_error *err) {
    void *library = open_library(err);
    if (library == NULL) {
        return NILAS_NOT_FOUND; // open_library() wrote the message
    }
    nilas_code code = fill_api(library, err);
    if (code != NILAS_OK) {
        dlclose(library);
        return code;
    }
    load_done = true; // never closed: DuckDB's threads may outlive us
    return NILAS_OK;
}

nilas_code nilas_engine__load_duckdb(nilas_error *err) {
    pthread_mutex_lock(&load_lock);
    nilas_code code = load_done ? NILAS_OK : load_once(err);
    pthread_mutex_unlock(&load_lock);
    return code;
}
