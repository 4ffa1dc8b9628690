/** Locations: schemes, local paths, joining; nothing is decoded. */
#include "io/io.h"
#include "test.h"

NILAS_TEST(schemes_stand_before_the_first_slash) {
    CHECK_STR(nilas_io_scheme(nilas_str_of("file:/a")), "file");
    CHECK_STR(nilas_io_scheme(nilas_str_of("FILE:///a")), "file");
    CHECK_STR(nilas_io_scheme(nilas_str_of("s3://b/k:x")), "s3");
    CHECK_STR(nilas_io_scheme(nilas_str_of("S3A://b")), "s3a");
    CHECK_STR(nilas_io_scheme(nilas_str_of("weird+1.x-y:z")), "weird+1.x-y");
    CHECK_STR(nilas_io_scheme(nilas_str_of("/a:b/c")), "");
    CHECK_STR(nilas_io_scheme(nilas_str_of("a/b:c")), "");
    CHECK_STR(nilas_io_scheme(nilas_str_of("1a:b")), "");
    CHECK_STR(nilas_io_scheme(nilas_str_of(":b")), "");
    CHECK_STR(nilas_io_scheme(nilas_str_of("")), "");
}

NILAS_TEST(local_paths_are_verbatim) {
    static const char *const cases[][2] = {
        {"/a b/%20", "/a b/%20"},     {"file:/a", "/a"},
        {"file:///a//b/", "/a//b/"},  {"file://localhost/a", "/a"},
        {"relative/x", "relative/x"}, {"file:rel", "rel"},
    };
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        nilas_str path;
        REQUIRE_OK(nilas_io_local_path(arena, nilas_str_of(cases[i][0]), &path, &err), err);
        CHECK_TEXT(path.data, cases[i][1]);
    }
}

NILAS_TEST(what_is_not_local_is_said) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_str path;
    CHECK_FAILS(nilas_io_local_path(arena, NILAS_STR("s3://b/k"), &path, &err), NILAS_UNSUPPORTED,
                err, "\"s3\" is not supported yet");
    CHECK_FAILS(nilas_io_local_path(arena, NILAS_STR("file://host/k"), &path, &err), NILAS_INVALID,
                err, "\"host\"");
    CHECK_CODE(nilas_io_local_path(arena, NILAS_STR("file:"), &path, &err), NILAS_INVALID, err);
    CHECK_CODE(nilas_io_local_path(arena, NILAS_STR("file://"), &path, &err), NILAS_INVALID, err);
    CHECK_CODE(nilas_io_local_path(arena, NILAS_STR_EMPTY, &path, &err), NILAS_INVALID, err);
    CHECK_FAILS(nilas_io_local_path(arena, NILAS_STR("/a\0b"), &path, &err), NILAS_INVALID, err,
                "zero byte");
}

NILAS_TEST(joining_puts_one_slash) {
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_str out;
    REQUIRE_OK(nilas_io_join(arena, NILAS_STR("/a//"), NILAS_STR("b"), &out, &err), err);
    CHECK_STR(out, "/a/b");
    REQUIRE_OK(nilas_io_join(arena, NILAS_STR("s3://x/y"), NILAS_STR("b/c"), &out, &err), err);
    CHECK_STR(out, "s3://x/y/b/c");
    REQUIRE_OK(nilas_io_join(arena, NILAS_STR("/"), NILAS_STR("b"), &out, &err), err);
    CHECK_STR(out, "/b");
}
