#include "shell/history.h"

#include <sys/stat.h>
#include <unistd.h>

#include "unit/print/batch.h"
#include "test.h"

NILAS_TEST(statements_come_back_with_their_lines) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_str *statements;
    size_t count;
    (void)unlink("history");
    nilas_shell__history_append("history", NILAS_STR("select 1;"));
    nilas_shell__history_append("history", NILAS_STR("select '\\n'\nfrom t; -- é"));
    REQUIRE_OK(nilas_shell__history_load(made(), "history", &statements, &count, &err), err);
    REQUIRE(count == 2);
    CHECK_STR(statements[0], "select 1;");
    CHECK_STR(statements[1], "select '\\n'\nfrom t; -- é");
    struct stat facts;
    REQUIRE(stat("history", &facts) == 0);
    CHECK_INT(facts.st_mode & 0777, 0600);
}

NILAS_TEST(the_file_keeps_the_newest) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_str *statements;
    size_t count;
    (void)unlink("long");
    for (int i = 0; i < 10001; i++) {
        nilas_str text;
        REQUIRE_OK(nilas_str_print(made(), &text, &err, "select %d", i), err);
        nilas_shell__history_append("long", text);
    }
    REQUIRE_OK(nilas_shell__history_load(made(), "long", &statements, &count, &err), err);
    CHECK_INT(count, 5000);
    CHECK_STR(statements[4999], "select 10000");
    REQUIRE_OK(nilas_shell__history_load(made(), "long", &statements, &count, &err), err);
    CHECK_INT(count, 5000); // it was written anew
}

NILAS_TEST(no_file_is_no_history) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_str *statements;
    size_t count = 1;
    CHECK_OK(nilas_shell__history_load(made(), "no/such", &statements, &count, &err), err);
    CHECK_INT(count, 0);
}

NILAS_TEST(statements_with_credentials_are_not_kept) {
    CHECK(nilas_shell__history_is_secret(NILAS_STR("SET spark.sql.catalog.c.Token=x")));
    CHECK(nilas_shell__history_is_secret(NILAS_STR("set spark.hadoop.fs.s3a.secret.key = abc")));
    CHECK(nilas_shell__history_is_secret(NILAS_STR("... 'jdbc.password' 'x'")));
    CHECK(!nilas_shell__history_is_secret(NILAS_STR("select * from t where k = 1")));
}
