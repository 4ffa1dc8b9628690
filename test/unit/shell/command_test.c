#include "shell/command.h"

#include "test.h"

NILAS_TEST(words_of_the_shell) {
    nilas_str argument;
    CHECK_INT(nilas_shell__command_of(NILAS_STR(" Quit ; "), &argument), NILAS_COMMAND_QUIT);
    CHECK_INT(nilas_shell__command_of(NILAS_STR("exit"), &argument), NILAS_COMMAND_QUIT);
    CHECK_INT(nilas_shell__command_of(NILAS_STR("help;"), &argument), NILAS_COMMAND_HELP);
    CHECK_INT(nilas_shell__command_of(NILAS_STR("\\?"), &argument), NILAS_COMMAND_HELP);
    CHECK_INT(nilas_shell__command_of(NILAS_STR("!ls"), &argument), NILAS_COMMAND_SHELL);
    CHECK_INT(nilas_shell__command_of(NILAS_STR("\\dt"), &argument), NILAS_COMMAND_UNKNOWN);
    CHECK_INT(nilas_shell__command_of(NILAS_STR("source  'a b.sql' ;"), &argument),
              NILAS_COMMAND_SOURCE);
    CHECK_STR(argument, "a b.sql");
}

NILAS_TEST(statements_are_not_commands) {
    nilas_str argument;
    CHECK_INT(nilas_shell__command_of(NILAS_STR("select 1"), &argument), NILAS_COMMAND_NONE);
    CHECK_INT(nilas_shell__command_of(NILAS_STR("quit now"), &argument), NILAS_COMMAND_NONE);
    CHECK_INT(nilas_shell__command_of(NILAS_STR("sources"), &argument), NILAS_COMMAND_NONE);
    CHECK_INT(nilas_shell__command_of(NILAS_STR(""), &argument), NILAS_COMMAND_NONE);
}
