/* The command line of `nilas serve`: what is refused before anything listens. */
#include "connect/options.h"
#include "test.h"

static nilas_connect__options found;

static nilas_code parse(nilas_arena *arena, const char *a, const char *b, nilas_error *err) {
    char *arguments[] = {(char *)(uintptr_t)a, (char *)(uintptr_t)b};
    return nilas_connect__options_parse(arena,
                                        a == NULL   ? 0
                                        : b == NULL ? 1
                                                    : 2,
                                        arguments, &found, err);
}

NILAS_TEST(only_this_machine_is_loopback) {
    CHECK(nilas_connect__is_loopback(NILAS_STR("127.0.0.1:15002")));
    CHECK(nilas_connect__is_loopback(NILAS_STR("127.1.2.3:0")));
    CHECK(nilas_connect__is_loopback(NILAS_STR("localhost:1")));
    CHECK(nilas_connect__is_loopback(NILAS_STR("[::1]:1")));
    CHECK(!nilas_connect__is_loopback(NILAS_STR("0.0.0.0:1")));
    CHECK(!nilas_connect__is_loopback(NILAS_STR("[::]:1")));
    CHECK(!nilas_connect__is_loopback(NILAS_STR("127.0.0.1.example.org:1")));
    CHECK(!nilas_connect__is_loopback(NILAS_STR("localhost.example.org:1")));
    CHECK(!nilas_connect__is_loopback(NILAS_STR("127.example.org:1")));
    CHECK(!nilas_connect__is_loopback(NILAS_STR(":1")));
}

NILAS_TEST(others_need_a_token_or_the_word) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_error err = NILAS_ERROR_INIT;
    CHECK_OK(parse(arena, NULL, NULL, &err), err);
    CHECK_STR(found.listen, "127.0.0.1:15002");
    CHECK_CODE(parse(arena, "--listen=0.0.0.0:1", NULL, &err), NILAS_DENIED, err);
    CHECK_OK(parse(arena, "--listen=0.0.0.0:1", "--insecure", &err), err);
    CHECK_OK(parse(arena, "--insecure", "--listen=[::]:1", &err), err);
}

NILAS_TEST(what_is_not_understood_is_refused) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_error err = NILAS_ERROR_INIT;
    CHECK_CODE(parse(arena, "--nope", NULL, &err), NILAS_INVALID, err);
    CHECK_CODE(parse(arena, "--listen", NULL, &err), NILAS_INVALID, err);
    CHECK_CODE(parse(arena, "--listen", "nonsense", &err), NILAS_INVALID, err);
    CHECK_CODE(parse(arena, "--listener", "127.0.0.1:1", &err), NILAS_INVALID, err);
    CHECK_CODE(parse(arena, "--conf", "no equals sign", &err), NILAS_INVALID, err);
    CHECK_CODE(parse(arena, "--tls-cert", "/dev/null", &err), NILAS_INVALID, err);
    CHECK_CODE(parse(arena, "--token-file", "/nonexistent", &err), NILAS_NOT_FOUND, err);
    CHECK_OK(parse(arena, "--conf", "spark.a=b=c", &err), err);
}
