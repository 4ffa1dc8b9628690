/**
 * nilas: one program, one door a word. Only the door that is asked for does any work.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "connect/connect.h"
#include "shell/shell.h"

static const char usage[] =
    "nilas answers questions about Apache Iceberg tables in Spark SQL, without Spark.\n"
    "\n"
    "usage: nilas sql [OPTION]...     run statements; with a terminal, an interactive shell\n"
    "       nilas serve [OPTION]...   a Spark Connect server, for PySpark\n"
    "       nilas --version\n"
    "       nilas --help\n"
    "\n"
    "Not built yet, and refused by name:\n"
    "       nilas run                ETL pipelines\n"
    "       nilas doctor             why a table cannot be read\n"
    "       nilas verify             read again without shortcuts, and compare\n"
    "\n"
    "`nilas sql --help` lists the options. With no settings the tables live in ./nilas-warehouse;\n"
    "catalogs are configured by Spark's own keys:\n"
    "\n"
    "  nilas sql --conf spark.sql.catalog.local=org.apache.iceberg.spark.SparkCatalog \\\n"
    "            --conf spark.sql.catalog.local.type=hadoop \\\n"
    "            --conf spark.sql.catalog.local.warehouse=/data/warehouse \\\n"
    "            -e 'SELECT * FROM local.db.t.snapshots'\n";

/** Doors of the plan that are not built yet: refused by name, so that nobody guesses. */
static bool is_planned(const char *word) {
    static const char *const doors[] = {"run", "doctor", "verify"};
    for (size_t i = 0; i < sizeof(doors) / sizeof(doors[0]); i++) {
        if (strcmp(word, doors[i]) == 0) {
            return true;
        }
    }
    return false;
}

int main(int argc, char **argv) {
    const char *word = argc > 1 ? argv[1] : "--help";
    if (strcmp(word, "sql") == 0) {
        return nilas_shell_main(argc - 2, argv + 2);
    }
    if (strcmp(word, "serve") == 0) {
        return nilas_connect_main(argc - 2, argv + 2);
    }
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        puts("nilas " NILAS_VERSION);
        return fflush(stdout) == 0 ? NILAS_EXIT_OK : NILAS_EXIT_FAILED;
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        fputs(usage, stdout);
        return fflush(stdout) == 0 ? NILAS_EXIT_OK : NILAS_EXIT_FAILED;
    }
    if (is_planned(word)) {
        fprintf(stderr,
                "nilas: error: the door \"%s\" is not built yet; \"sql\" and \"serve\" are\n",
                word);
        return NILAS_EXIT_USAGE;
    }
    fprintf(stderr, "nilas: error: unknown command \"%s\"; see nilas --help\n", word);
    return NILAS_EXIT_USAGE;
}
