/* Arguments of `nilas serve`: "--name value" and "--name=value". */
#include "connect/options.h"

#define DEFAULT_LISTEN NILAS_STR("127.0.0.1:15002") // Spark Connect's own port

const char nilas_connect__usage[] =
    "usage: nilas serve [--listen HOST:PORT] [OPTION]…\n"
    "\n"
    "Answers unmodified PySpark programs (SparkSession.builder.remote(\"sc://HOST:PORT\")) by the "
    "Spark Connect protocol,\n"
    "until SIGINT or SIGTERM.\n"
    "\n"
    "  --listen HOST:PORT      where to listen; 127.0.0.1:15002 unless given, port 0 takes a free "
    "one\n"
    "  --token-file FILE       clients must bear the token in this file: sc://HOST:PORT/;token=…\n"
    "  --tls-cert FILE         encrypt: the certificate (PEM) …\n"
    "  --tls-key FILE          … and its private key: sc://HOST:PORT/;use_ssl=true\n"
    "  --insecure              listen where others reach it without a token\n"
    "\n"
    "Settings of every session: Spark's own keys; a later one wins\n"
    "  -c, --conf KEY=VALUE    such as "
    "spark.sql.catalog.local=org.apache.iceberg.spark.SparkCatalog\n"
    "  --properties-file FILE  a spark-defaults.conf\n"
    "  $XDG_CONFIG_HOME/nilas/nilas.conf is read first, if it is there.\n"
    "  spark.connect.session.manager.defaultSessionTimeout (60m), "
    "spark.connect.execute.manager.detachedTimeout (60s).\n"
    "\n"
    "Exit status: 0; 1 when it could not serve; 2 when the command line or a file is wrong.\n";

/** What the files and --conf say, kept apart until their order is known. */
typedef struct collected {
    nilas_properties files, command_line;
} collected;

bool nilas_connect__is_loopback(nilas_str listen) {
    size_t colon = listen.size;
    while (colon > 0 && listen.data[colon - 1] != ':') {
        colon--;
    }
    nilas_str host = nilas_str_slice(listen, 0, colon > 0 ? colon - 1 : 0);
    return nilas_str_is(host, "localhost") || nilas_str_is(host, "[::1]") ||
           nilas_str_is(host, "127.0.0.1") ||
           (nilas_str_starts(host, NILAS_STR("127.")) &&
            nilas_str_find(host, NILAS_STR(":"), 0) == SIZE_MAX && host.size <= 15 &&
            strspn(host.data, "0123456789.") >= host.size);
}

/** A token is one line; the end of the line is the editor's. */
static nilas_code read_token(nilas_arena *arena, const char *file, nilas_str *out,
                             nilas_error *err) {
    nilas_str text;
    NILAS_TRY(nilas_text_read(arena, file, &text, err));
    text = nilas_str_trim(text);
    NILAS_REQUIRE(text.size > 0, err, NILAS_INVALID, "the token file %s is empty", file);
    for (size_t i = 0; i < text.size; i++) {
        NILAS_REQUIRE(text.data[i] > ' ' && text.data[i] < 0x7F, err, NILAS_INVALID,
                      "the token in %s is not one word of printable ASCII letters", file);
    }
    *out = text;
    return NILAS_OK;
}

/** The value of an option; NULL: this is not it. `*at` moves over a value of its own. */
static const char *value_of(const char *name, int argc, char **argv, int *at) {
    size_t size = strlen(name);
    if (strncmp(argv[*at], name, size) != 0) {
        return NULL;
    }
    if (argv[*at][size] == '=') {
        return argv[*at] + size + 1;
    }
    if (argv[*at][size] != '\0') {
        return NULL;
    }
    return *at + 1 < argc ? argv[++*at] : "";
}

typedef enum option_id {
    OPTION_LISTEN,
    OPTION_TOKEN,
    OPTION_CERTIFICATE,
    OPTION_KEY,
    OPTION_CONF,
    OPTION_PROPERTIES,
} option_id;

static const struct {
    const char *name;
    option_id id;
} names[] = {
    {"--listen", OPTION_LISTEN},
    {"--token-file", OPTION_TOKEN},
    {"--tls-cert", OPTION_CERTIFICATE},
    {"--tls-key", OPTION_KEY},
    {"--conf", OPTION_CONF},
    {"-c", OPTION_CONF},
    {"--properties-file", OPTION_PROPERTIES},
};

static nilas_code take_value(nilas_arena *arena, option_id id, const char *value,
                             nilas_connect__options *out, collected *settings, nilas_error *err) {
    switch (id) {
    case OPTION_LISTEN: out->listen = nilas_str_of(value); return NILAS_OK;
    case OPTION_TOKEN: return read_token(arena, value, &out->token, err);
    case OPTION_CERTIFICATE: return nilas_text_read(arena, value, &out->certificate, err);
    case OPTION_KEY: return nilas_text_read(arena, value, &out->key, err);
    case OPTION_CONF: return nilas_properties_add(arena, value, &settings->command_line, err);
    case OPTION_PROPERTIES: break;
    }
    return nilas_properties_read(arena, value, false, &settings->files, err);
}

static nilas_code take_argument(nilas_arena *arena, int argc, char **argv, int *at,
                                nilas_connect__options *out, collected *settings,
                                nilas_error *err) {
    const char *argument = argv[*at];
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *value = value_of(names[i].name, argc, argv, at);
        if (value != NULL) {
            NILAS_REQUIRE(value[0] != '\0', err, NILAS_INVALID, "%s needs a value", names[i].name);
            return take_value(arena, names[i].id, value, out, settings, err);
        }
    }
    if (strcmp(argument, "--insecure") == 0) {
        out->insecure = true;
    } else if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
        out->help = true;
    } else {
        return nilas_fail(err, NILAS_INVALID,
                          "unknown argument \"%s\"; nilas serve --help lists them", argument);
    }
    return NILAS_OK;
}

static nilas_code check(const nilas_connect__options *options, nilas_error *err) {
    NILAS_REQUIRE((options->certificate.data != NULL) == (options->key.data != NULL), err,
                  NILAS_INVALID, "--tls-cert and --tls-key go together");
    NILAS_REQUIRE(nilas_str_find(options->listen, NILAS_STR(":"), 0) != SIZE_MAX, err,
                  NILAS_INVALID, "--listen takes HOST:PORT, not \"%.*s\"",
                  NILAS_FMT(options->listen));
    NILAS_REQUIRE(options->token.data != NULL || options->insecure ||
                      nilas_connect__is_loopback(options->listen),
                  err, NILAS_DENIED,
                  "%.*s is reached by others, and whoever reaches it may read and write what nilas "
                  "may: give a token with --token-file, or say --insecure",
                  NILAS_FMT(options->listen));
    return NILAS_OK;
}

nilas_code nilas_connect__options_parse(nilas_arena *arena, int argc, char **argv,
                                        nilas_connect__options *out, nilas_error *err) {
    collected settings = {0};

    *out = (nilas_connect__options){.listen = DEFAULT_LISTEN};
    for (int i = 0; i < argc; i++) {
        NILAS_TRY(take_argument(arena, argc, argv, &i, out, &settings, err));
        if (out->help) {
            return NILAS_OK;
        }
    }
    NILAS_TRY(check(out, err));
    NILAS_TRY(nilas_properties_read_user(arena, &out->settings, err));
    NILAS_TRY(nilas_properties_append(arena, &settings.files, &out->settings, err));
    return nilas_properties_append(arena, &settings.command_line, &out->settings, err);
}
