#include "session/session.h"

#include "test.h"
#include "unit/print/batch.h"

static nilas_properties found;

static nilas_code parse(const char *text, nilas_error *err) {
    found = (nilas_properties){0};
    return nilas_properties_parse(made(), nilas_str_of(text), "f.conf", &found, err);
}

#define CHECK_SETTING(index, wanted_key, wanted_value)                                             \
    do {                                                                                           \
        REQUIRE(found.count > (index));                                                            \
        CHECK_STR(found.items[index].key, wanted_key);                                             \
        CHECK_STR(found.items[index].value, wanted_value);                                         \
    } while (0)

NILAS_TEST(separators_and_comments) {
    nilas_error err = NILAS_ERROR_INIT;
    REQUIRE_OK(parse("# a comment\n! another\n\n  spark.a   one two  \nspark.b=2\nspark.c : 3\r\n"
                     "spark.d\nspark.e = = x\n\tspark.f\t#6",
                     &err),
               err);
    REQUIRE(found.count == 6);
    CHECK_SETTING(0, "spark.a", "one two");
    CHECK_SETTING(1, "spark.b", "2");
    CHECK_SETTING(2, "spark.c", "3");
    CHECK_SETTING(3, "spark.d", "");
    CHECK_SETTING(4, "spark.e", "= x");
    CHECK_SETTING(5, "spark.f", "#6");
}

NILAS_TEST(continued_lines_and_escapes) {
    nilas_error err = NILAS_ERROR_INIT;
    REQUIRE_OK(
        parse("spark.a=one,\\\n    two,\\\r\n\tthree\nspark.b=a\\tb\\\\c\\u4e2d\\uD83D\\uDE00\n"
              "spark.c\\=d=\\ x",
              &err),
        err);
    CHECK_SETTING(0, "spark.a", "one,two,three");
    CHECK_SETTING(1, "spark.b", "a\tb\\c中😀");
    CHECK_SETTING(2, "spark.c=d", "x");
}

NILAS_TEST(settings_of_other_programs_are_left_out) {
    nilas_error err = NILAS_ERROR_INIT;
    REQUIRE_OK(parse("other.key 1\nnilas.x 2\nspark.y 3\nsparkish 4", &err), err);
    REQUIRE(found.count == 2);
    CHECK_SETTING(0, "nilas.x", "2");
    CHECK_SETTING(1, "spark.y", "3");
}

NILAS_TEST(a_broken_escape_names_file_and_line) {
    nilas_error err = NILAS_ERROR_INIT;
    CHECK_FAILS(parse("spark.a=1\nspark.b=\\u12", &err), NILAS_INVALID, err, "f.conf:2");
}

NILAS_TEST(an_absent_file_may_be_optional) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_properties none = {0};
    CHECK_OK(nilas_properties_read(made(), "no/such.conf", true, &none, &err), err);
    CHECK_FAILS(nilas_properties_read(made(), "no/such.conf", false, &none, &err), NILAS_NOT_FOUND,
                err, "cannot read no/such.conf");
}
