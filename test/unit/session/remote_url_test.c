/* Addresses of Spark Connect servers. */
#include "session/remote.h"

#include "test.h"

NILAS_TEST(an_address_and_its_parameters) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_error err = NILAS_ERROR_INIT;
    nilas_remote_url url;

    REQUIRE_OK(nilas_remote__parse_url(arena, NILAS_STR("sc://host"), &url, &err), err);
    CHECK_STR(url.target, "host:15002");
    CHECK(!url.tls && url.token.data == NULL && url.user_id.data == NULL);
    REQUIRE_OK(
        nilas_remote__parse_url(
            arena, NILAS_STR("sc://host:7/;token=a%3Bb;user_id=anna;user_agent=x"), &url, &err),
        err);
    CHECK_STR(url.target, "host:7");
    CHECK_STR(url.token, "a;b");
    CHECK_STR(url.user_id, "anna");
    CHECK(url.tls); // a token goes encrypted
    REQUIRE_OK(nilas_remote__parse_url(arena, NILAS_STR("sc://localhost/;token=t"), &url, &err),
               err);
    CHECK(!url.tls);
    REQUIRE_OK(nilas_remote__parse_url(arena, NILAS_STR("sc://[::1]:9/"), &url, &err), err);
    CHECK_STR(url.target, "[::1]:9");
    REQUIRE_OK(nilas_remote__parse_url(arena, NILAS_STR("sc://h/;use_ssl=true"), &url, &err), err);
    CHECK(url.tls);
}

NILAS_TEST(what_is_not_an_address) {
    static const struct {
        const char *text, *words;
    } cases[] = {{"", "sc://HOST:PORT"},
                 {"host:15002", "sc://HOST:PORT"},
                 {"sc://", "names no host"},
                 {"sc://h:x", "is not a port"},
                 {"sc://h:0", "is not a port"},
                 {"sc://h:70000", "is not a port"},
                 {"sc://h/path", "sc://HOST:PORT/;key=value"},
                 {"sc://h;token=t", "sc://HOST:PORT/;key=value"},
                 {"sc://h/;token", "key=value"},
                 {"sc://h/;colour=red", "no parameter \"colour\""},
                 {"sc://h/;use_ssl=maybe", "true or false"},
                 {"sc://h/;token=%4", "two digits"},
                 {"sc://h/;token=t;use_ssl=false", "not sent unencrypted"}};
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        nilas_error err = NILAS_ERROR_INIT;
        nilas_remote_url url;
        CHECK_FAILS(nilas_remote__parse_url(arena, nilas_str_of(cases[i].text), &url, &err),
                    NILAS_INVALID, err, cases[i].words);
    }
}
