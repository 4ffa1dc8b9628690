/* The door itself: command line in, exit status out. */
#include "connect/connect.h"
#include "connect/options.h"
#include "connect/server.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#define GRACE_MS    5000 // for calls under way, when the server stops
#define EXIT_OK     0
#define EXIT_FAILED 1
#define EXIT_USAGE  2

// What the signal handler may touch.
static nilas_cancel stop;

/** Ask the server to stop; the second time just go. */
static void on_stop(int number) {
    if (atomic_exchange_explicit(&stop.requested, true, memory_order_relaxed)) {
        _exit(128 + number);
    }
}

static void catch_stops(void) {
    static const int numbers[] = {SIGINT, SIGTERM};
    struct sigaction action = {.sa_handler = on_stop};
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    (void)sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        (void)sigaction(numbers[i], &action, NULL);
    }
    (void)sigaction(SIGPIPE, &ignore, NULL); // a client that goes is a failed write
}

static int complain(const nilas_error *err, int status) {
    fprintf(stderr, "nilas serve: error: %s\n", err->message);
    if (err->hint != NULL) {
        fprintf(stderr, "  hint: %s\n", err->hint);
    }
    return status;
}

/** The host of HOST:PORT. */
static nilas_str host_of(nilas_str listen) {
    size_t colon = listen.size;
    while (colon > 0 && listen.data[colon - 1] != ':') {
        colon--;
    }
    return nilas_str_slice(listen, 0, colon > 0 ? colon - 1 : 0);
}

/** Where and how to connect: the one line that a program which starts the server waits for. */
static void tell(const nilas_connect__options *options, int port) {
    nilas_str host = host_of(options->listen);
    bool local = nilas_connect__is_loopback(options->listen);
    bool plain_token = options->token.data != NULL && options->certificate.data == NULL;
    printf("nilas %s listens at %.*s:%d\n", NILAS_VERSION, NILAS_FMT(host), port);
    // PySpark sends a token unencrypted to "localhost" only.
    host = local && plain_token ? NILAS_STR("localhost") : host;
    printf("connect with SparkSession.builder.remote(\"sc://%.*s:%d%s%s%s\").getOrCreate()\n",
           NILAS_FMT(host), port,
           options->token.data != NULL || options->certificate.data != NULL ? "/" : "",
           options->certificate.data != NULL ? ";use_ssl=true" : "",
           options->token.data != NULL ? ";token=…" : "");
    fflush(stdout);
    if (plain_token && !local) {
        fprintf(stderr, "nilas serve: warning: the token travels unencrypted, and PySpark refuses "
                        "to send it; --tls-cert and --tls-key encrypt it\n");
    }
}

static void tick(void *context) {
    nilas_connect__server_tick(context);
}

static void stop_clients(void *context) {
    nilas_connect__server_stop(context);
}

/**
 * A session that no client has: what is wrong with the settings is said before anybody connects,
 * and the engine, which opens with the first statement and closes with the last session, stays
 * open.
 */
static nilas_code open_first_session(const nilas_properties *settings, nilas_session **out,
                                     nilas_error *err) {
    NILAS_AUTO(nilas_result) result = NULL;
    nilas_session_options options = {.settings = settings->items, .setting_count = settings->count};
    NILAS_TRY(nilas_session_new(&options, out, err));
    return nilas_session_run(*out, NILAS_STR("SELECT count(*) FROM range(1)"), &result, err);
}

static int serve(const nilas_connect__options *options) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_connect__server server;
    NILAS_AUTO(nilas_wire_server) wire = NULL;
    nilas_wire_server_options wire_options = {
        .listen = options->listen,
        .certificate = options->certificate,
        .key = options->key,
        .token = options->token,
        .methods = nilas_connect__methods,
        .method_count = nilas_connect__method_count,
        .thread_count = NILAS_LIMIT_CONNECT_CALLS,
        .answer = nilas_connect__answer,
        .tick = tick,
        .stopping = stop_clients,
        .context = &server,
    };
    NILAS_AUTO(nilas_session) first = NULL;
    if (open_first_session(&options->settings, &first, &err) != NILAS_OK) {
        return complain(&err, EXIT_USAGE);
    }
    nilas_connect__server_init(&server, &options->settings);
    catch_stops();
    if (nilas_wire_server_new(&wire_options, &wire, &err) != NILAS_OK) {
        nilas_connect__server_done(&server);
        return complain(&err, EXIT_FAILED);
    }
    tell(options, nilas_wire_server_port(wire));
    nilas_wire_server_run(wire, &stop, GRACE_MS);
    nilas_connect__server_done(&server);
    return EXIT_OK;
}

int nilas_connect_main(int argc, char **argv) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_error err = NILAS_ERROR_INIT;
    nilas_connect__options options;

    if (arena == NULL) {
        return EXIT_FAILED;
    }
    if (nilas_connect__options_parse(arena, argc, argv, &options, &err) != NILAS_OK) {
        return complain(&err, EXIT_USAGE);
    }
    if (options.help) {
        fputs(nilas_connect__usage, stdout);
        return fflush(stdout) == 0 ? EXIT_OK : EXIT_FAILED;
    }
    return serve(&options);
}
