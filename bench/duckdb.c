/* Statements given to libduckdb and nothing more: what any program over it needs at least. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    void *library = argc > 1 ? dlopen(argv[1], RTLD_LAZY | RTLD_LOCAL) : NULL;
    if (library == NULL) {
        fprintf(stderr, "usage: duckdb LIBDUCKDB STATEMENT…\n");
        return 2;
    }
    int (*open)(const char *, void **) = (int (*)(const char *, void **))dlsym(library, "duckdb_open");
    int (*connect)(void *, void **) = (int (*)(void *, void **))dlsym(library, "duckdb_connect");
    int (*query)(void *, const char *, void *) =
        (int (*)(void *, const char *, void *))dlsym(library, "duckdb_query");
    void *database;
    void *connection;
    int failed = open(NULL, &database) != 0 || connect(database, &connection) != 0;
    for (int i = 2; i < argc && !failed; i++) {
        unsigned long long result[6]; // duckdb_result
        failed = query(connection, argv[i], result) != 0;
    }
    _Exit(failed); // as nilas ends
}
