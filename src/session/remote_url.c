/* Addresses of Spark Connect servers: sc://HOST:PORT/;key=value;… with %XX for other letters. */
#include <stdlib.h>

#include "session/remote.h"

#define DEFAULT_PORT 15002

static int digit_of(char letter) {
    return letter >= '0' && letter <= '9'   ? letter - '0'
           : letter >= 'a' && letter <= 'f' ? letter - 'a' + 10
           : letter >= 'A' && letter <= 'F' ? letter - 'A' + 10
                                            : -1;
}

static nilas_code decode(nilas_arena *arena, nilas_str text, nilas_str *out, nilas_error *err) {
    NILAS_AUTO_BUF plain = NILAS_BUF_INIT(1 << 16);

    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] != '%') {
            nilas_buf_add_char(&plain, text.data[i]);
            continue;
        }
        int high = i + 1 < text.size ? digit_of(text.data[i + 1]) : -1;
        int low = i + 2 < text.size ? digit_of(text.data[i + 2]) : -1;
        NILAS_REQUIRE(high >= 0 && low >= 0, err, NILAS_INVALID,
                      "the address of the server holds a %% without two digits behind it");
        nilas_buf_add_char(&plain, (char)(high * 16 + low));
        i += 2;
    }
    return nilas_buf_finish(&plain, arena, out, err);
}

typedef struct parsing {
    nilas_arena *arena;
    nilas_remote_url url;
    bool has_tls;
} parsing;

static nilas_code take_parameter(parsing *p, nilas_str key, nilas_str value, nilas_error *err) {
    const struct {
        const char *key;
        nilas_str *place;
    } texts[] = {{"token", &p->url.token},
                 {"user_id", &p->url.user_id},
                 {"user_agent", &p->url.user_agent},
                 {"session_id", &p->url.session_id}};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        if (nilas_str_is(key, texts[i].key)) {
            return decode(p->arena, value, texts[i].place, err);
        }
    }
    NILAS_REQUIRE(nilas_str_is(key, "use_ssl"), err, NILAS_INVALID,
                  "the address of the server: there is no parameter \"%.*s\"; known are use_ssl, "
                  "token, user_id, user_agent, session_id",
                  NILAS_FMT(key));
    p->has_tls = true;
    p->url.tls = nilas_str_is_nocase(value, "true");
    NILAS_REQUIRE(p->url.tls || nilas_str_is_nocase(value, "false"), err, NILAS_INVALID,
                  "the address of the server: use_ssl is true or false");
    return NILAS_OK;
}

static nilas_code take_parameters(parsing *p, nilas_str text, nilas_error *err) {
    while (text.size > 0) {
        size_t end = nilas_str_find(text, NILAS_STR(";"), 0);
        nilas_str one = nilas_str_slice(text, 0, end == SIZE_MAX ? text.size : end);
        text = nilas_str_slice(text, end == SIZE_MAX ? text.size : end + 1, SIZE_MAX);
        size_t equals = nilas_str_find(one, NILAS_STR("="), 0);
        if (one.size == 0) {
            continue;
        }
        NILAS_REQUIRE(equals != SIZE_MAX, err, NILAS_INVALID,
                      "the address of the server: a parameter is written key=value");
        NILAS_TRY(take_parameter(p, nilas_str_slice(one, 0, equals),
                                 nilas_str_slice(one, equals + 1, SIZE_MAX), err));
    }
    return NILAS_OK;
}

/** HOST, HOST:PORT, [IPv6], [IPv6]:PORT. */
static nilas_code take_target(parsing *p, nilas_str text, bool *out_local, nilas_error *err) {
    size_t bracket = nilas_str_find(text, NILAS_STR("]"), 0);
    size_t from = bracket == SIZE_MAX ? 0 : bracket;
    size_t colon = nilas_str_find(text, NILAS_STR(":"), from);
    nilas_str host = nilas_str_slice(text, 0, colon == SIZE_MAX ? text.size : colon);
    int64_t port = DEFAULT_PORT;

    if (colon != SIZE_MAX) {
        nilas_str digits = nilas_str_slice(text, colon + 1, SIZE_MAX);
        NILAS_REQUIRE(nilas_str_to_int64(digits, &port) && port > 0 && port < 65536, err,
                      NILAS_INVALID, "\"%.*s\" is not a port", NILAS_FMT(digits));
    }
    NILAS_REQUIRE(host.size > 0, err, NILAS_INVALID, "the address of the server names no host");
    *out_local = nilas_str_is_nocase(host, "localhost") || nilas_str_is(host, "127.0.0.1") ||
                 nilas_str_is(host, "[::1]");
    return nilas_str_print(p->arena, &p->url.target, err, "%.*s:%lld", NILAS_FMT(host),
                           (long long)port);
}

nilas_code nilas_remote__parse_url(nilas_arena *arena, nilas_str text, nilas_remote_url *out,
                                   nilas_error *err) {
    parsing p = {.arena = arena};
    nilas_str scheme = NILAS_STR("sc://");
    bool is_local;

    NILAS_REQUIRE(nilas_str_starts(text, scheme), err, NILAS_INVALID,
                  "the address of a Spark Connect server is written sc://HOST:PORT");
    nilas_str rest = nilas_str_slice(text, scheme.size, SIZE_MAX);
    size_t slash = nilas_str_find(rest, NILAS_STR("/"), 0);
    size_t end = slash == SIZE_MAX ? rest.size : slash;
    nilas_str parameters =
        nilas_str_slice(rest, slash == SIZE_MAX ? rest.size : slash + 1, SIZE_MAX);
    NILAS_REQUIRE(nilas_str_find(nilas_str_slice(rest, 0, end), NILAS_STR(";"), 0) == SIZE_MAX &&
                      (parameters.size == 0 || parameters.data[0] == ';'),
                  err, NILAS_INVALID,
                  "the address of a Spark Connect server is written sc://HOST:PORT/;key=value");
    NILAS_TRY(take_target(&p, nilas_str_slice(rest, 0, end), &is_local, err));
    NILAS_TRY(take_parameters(&p, parameters, err));
    if (p.url.token.data != NULL && !p.has_tls) {
        p.url.tls = !is_local; // as PySpark: a token goes encrypted
    }
    NILAS_REQUIRE(p.url.token.data == NULL || p.url.tls || is_local, err, NILAS_INVALID,
                  "a token is not sent unencrypted: leave use_ssl=false out of the address");
    *out = p.url;
    return NILAS_OK;
}
