#include "shell/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit/print/batch.h"
#include "test.h"

static nilas_code parse(nilas_shell_options *out, nilas_error *err, int argc,
                        const char *const *argv) {
    return nilas_shell__options_parse(made(), argc, (char **)argv, out, err);
}

#define PARSE(out, err, ...)                                                                       \
    parse((out), (err), (int)(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)),             \
          (const char *const[]){__VA_ARGS__})

static const char *write_file(const char *name, const char *text) {
    FILE *file = fopen(name, "w");
    nilas_assert(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
    return name;
}

NILAS_TEST(statements_come_in_the_order_given) {
    nilas_shell_options options;
    nilas_error err = NILAS_ERROR_INIT;
    REQUIRE_OK(PARSE(&options, &err, "-e", "one", "-f", write_file("two.sql", "two;"), "-ethree",
                     "--execute=four"),
               err);
    REQUIRE(options.sources.count == 4);
    CHECK_STR(options.sources.items[0].text, "one");
    CHECK_STR(options.sources.items[1].text, "two;");
    CHECK_TEXT(options.sources.items[1].file, "two.sql");
    CHECK_STR(options.sources.items[2].text, "three");
    CHECK_STR(options.sources.items[3].text, "four");
}

NILAS_TEST(a_setting_of_the_command_line_wins_over_files_wherever_it_stands) {
    nilas_shell_options options;
    nilas_error err = NILAS_ERROR_INIT;
    (void)mkdir("config", 0700);
    (void)mkdir("config/nilas", 0700);
    write_file("config/nilas/nilas.conf", "spark.a 1\n");
    char folder[4096];
    char variable[4200];
    REQUIRE(getcwd(folder, sizeof(folder)) != NULL);
    (void)snprintf(variable, sizeof(variable), "%s/config", folder);
    REQUIRE(setenv("XDG_CONFIG_HOME", variable, 1) == 0);
    REQUIRE_OK(PARSE(&options, &err, "--conf", "spark.a=3=x", "--properties-file",
                     write_file("p.conf", "spark.a=2\n")),
               err);
    REQUIRE(options.settings.count == 3);
    CHECK_STR(options.settings.items[0].value, "1");
    CHECK_STR(options.settings.items[1].value, "2");
    CHECK_STR(options.settings.items[2].value, "3=x");
    REQUIRE(unsetenv("XDG_CONFIG_HOME") == 0);
    REQUIRE(setenv("HOME", "/nonexistent", 1) == 0);
}

NILAS_TEST(output_options) {
    nilas_shell_options options;
    nilas_error err = NILAS_ERROR_INIT;
    REQUIRE_OK(PARSE(&options, &err, "--format", "JSON", "--truncate", "off", "--rows=all",
                     "--json-values", "typed", "--continue", "-S", "--database", "local.db"),
               err);
    CHECK_INT(options.print.format, NILAS_FORMAT_JSON);
    CHECK_INT(options.print.truncate, 0);
    CHECK_INT(options.print.row_limit, -1);
    CHECK(options.print.json_typed && options.keep_going && options.silent && options.has_format);
    CHECK_TEXT(options.database, "local.db");
    REQUIRE_OK(PARSE(&options, &err, "--truncate", "7"), err);
    CHECK_INT(options.print.truncate, 7);
    CHECK_INT(options.print.row_limit, 20);
}

NILAS_TEST(what_is_not_understood_is_refused) {
    nilas_shell_options options;
    nilas_error err = NILAS_ERROR_INIT;
    CHECK_FAILS(PARSE(&options, &err, "--formt", "csv"), NILAS_INVALID, err,
                "did you mean --format?");
    CHECK_FAILS(PARSE(&options, &err, "--zzz"), NILAS_INVALID, err, "unknown option \"--zzz\"");
    CHECK_FAILS(PARSE(&options, &err, "select 1"), NILAS_INVALID, err,
                "statements are given with -e");
    CHECK_FAILS(PARSE(&options, &err, "-e"), NILAS_INVALID, err, "-e needs a value");
    CHECK_FAILS(PARSE(&options, &err, "--format", "xml"), NILAS_INVALID, err,
                "table, vertical, tsv");
    CHECK_FAILS(PARSE(&options, &err, "--conf", "spark.a"), NILAS_INVALID, err, "KEY=VALUE");
    CHECK_FAILS(PARSE(&options, &err, "--conf", "=secret"), NILAS_INVALID, err, "KEY=VALUE");
    CHECK(strstr(err.message, "secret") == NULL);
    CHECK_FAILS(PARSE(&options, &err, "--truncate", "-1"), NILAS_INVALID, err,
                "a number or \"off\"");
    CHECK_FAILS(PARSE(&options, &err, "--rows", "x"), NILAS_INVALID, err, "a number or \"all\"");
    CHECK_FAILS(PARSE(&options, &err, "--json-values", "x"), NILAS_INVALID, err, "typed");
    CHECK_FAILS(PARSE(&options, &err, "-f", "no/such.sql"), NILAS_NOT_FOUND, err, "no/such.sql");
    CHECK_FAILS(PARSE(&options, &err, "--properties-file", "no.conf"), NILAS_NOT_FOUND, err,
                "no.conf");
    CHECK_FAILS(PARSE(&options, &err, "--remote"), NILAS_INVALID, err, "--remote needs a value");
    CHECK_FAILS(PARSE(&options, &err, "--packages", "x"), NILAS_UNSUPPORTED, err, "--packages");
}
