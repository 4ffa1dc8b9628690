/*
 * Arguments. Long options take "--name value" and "--name=value", short ones "-e text" and
 * "-etext". What is not known is refused with the nearest known name, and options that Spark's
 * shell has and we have not are refused by name.
 */
#include "shell/options.h"

typedef enum option_id {
    OPTION_EXECUTE,
    OPTION_FILE,
    OPTION_CONF,
    OPTION_PROPERTIES,
    OPTION_DATABASE,
    OPTION_FORMAT,
    OPTION_TRUNCATE,
    OPTION_ROWS,
    OPTION_JSON_VALUES,
    OPTION_CONTINUE,
    OPTION_SILENT,
    OPTION_HELP,
    OPTION_REMOTE,
    OPTION_SPARK_ONLY,
} option_id;

typedef struct option_name {
    const char *name;
    option_id id;
    bool has_value;
} option_name;

static const option_name names[] = {
    {"-e", OPTION_EXECUTE, true},
    {"--execute", OPTION_EXECUTE, true},
    {"-f", OPTION_FILE, true},
    {"--file", OPTION_FILE, true},
    {"-c", OPTION_CONF, true},
    {"--conf", OPTION_CONF, true},
    {"--properties-file", OPTION_PROPERTIES, true},
    {"--database", OPTION_DATABASE, true},
    {"--format", OPTION_FORMAT, true},
    {"--truncate", OPTION_TRUNCATE, true},
    {"--rows", OPTION_ROWS, true},
    {"--json-values", OPTION_JSON_VALUES, true},
    {"--continue", OPTION_CONTINUE, false},
    {"-S", OPTION_SILENT, false},
    {"--silent", OPTION_SILENT, false},
    {"-h", OPTION_HELP, false},
    {"--help", OPTION_HELP, false},
    {"--remote", OPTION_REMOTE, true},
    {"--master", OPTION_SPARK_ONLY, true},
    {"--deploy-mode", OPTION_SPARK_ONLY, true},
    {"--packages", OPTION_SPARK_ONLY, true},
    {"--jars", OPTION_SPARK_ONLY, true},
    {"--driver-memory", OPTION_SPARK_ONLY, true},
    {"--executor-memory", OPTION_SPARK_ONLY, true},
};

/** The option of an argument; *attached is the value written right behind it, or NULL. */
static const option_name *find_option(const char *argument, const char **attached) {
    *attached = NULL;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        size_t size = strlen(names[i].name);
        if (strncmp(argument, names[i].name, size) != 0) {
            continue;
        }
        bool is_long = names[i].name[1] == '-';
        if (argument[size] == '\0') {
            return &names[i];
        }
        if (names[i].has_value && (!is_long || argument[size] == '=')) {
            *attached = argument + size + (is_long ? 1 : 0);
            return &names[i];
        }
    }
    return NULL;
}

static nilas_code parse_count(const char *option, const char *value, const char *word,
                              int64_t for_word, int64_t *out, nilas_error *err) {
    if (strcmp(value, word) == 0) {
        *out = for_word;
        return NILAS_OK;
    }
    NILAS_REQUIRE(nilas_str_to_int64(nilas_str_of(value), out) && *out >= 0, err, NILAS_INVALID,
                  "%s takes a number or \"%s\", not \"%s\"", option, word, value);
    return NILAS_OK;
}

static nilas_code parse_format(const char *value, nilas_shell_options *out, nilas_error *err) {
    if (nilas_shell__format_find(nilas_str_of(value), &out->print.format)) {
        out->has_format = true;
        return NILAS_OK;
    }
    NILAS_AUTO_BUF known = {0};
    for (nilas_shell_format i = NILAS_FORMAT_TABLE; i <= NILAS_FORMAT_PLOT; i++) {
        nilas_buf_print(&known, i > 0 ? ", %s" : "%s", nilas_shell__format_steps(i)->name);
    }
    return nilas_fail(err, NILAS_INVALID, "--format has no \"%s\"; there are %.*s", value,
                      NILAS_FMT(nilas_buf_view(&known)));
}

/** What the files and --conf say, kept apart until their order is known. */
typedef struct collected {
    nilas_properties files, command_line;
} collected;

static nilas_code take_option(nilas_arena *arena, const option_name *option, const char *value,
                              nilas_shell_options *out, collected *settings, nilas_error *err) {
    nilas_shell_source source = {0};

    switch (option->id) {
    case OPTION_EXECUTE: source.text = nilas_str_of(value); break;
    case OPTION_FILE:
        source.file = value;
        NILAS_TRY(nilas_text_read(arena, value, &source.text, err));
        break;
    case OPTION_CONF: return nilas_properties_add(arena, value, &settings->command_line, err);
    case OPTION_PROPERTIES:
        return nilas_properties_read(arena, value, false, &settings->files, err);
    case OPTION_DATABASE: out->database = value; return NILAS_OK;
    case OPTION_FORMAT: return parse_format(value, out, err);
    case OPTION_TRUNCATE:
        return parse_count("--truncate", value, "off", 0, &out->print.truncate, err);
    case OPTION_ROWS: return parse_count("--rows", value, "all", -1, &out->print.row_limit, err);
    case OPTION_JSON_VALUES:
        out->print.json_typed = strcmp(value, "typed") == 0;
        NILAS_REQUIRE(out->print.json_typed || strcmp(value, "text") == 0, err, NILAS_INVALID,
                      "--json-values takes \"text\" or \"typed\", not \"%s\"", value);
        return NILAS_OK;
    case OPTION_CONTINUE: out->keep_going = true; return NILAS_OK;
    case OPTION_SILENT: out->silent = true; return NILAS_OK;
    case OPTION_HELP: out->help = true; return NILAS_OK;
    case OPTION_REMOTE: out->remote = value; return NILAS_OK;
    case OPTION_SPARK_ONLY:
        return nilas_fail(err, NILAS_UNSUPPORTED,
                          "%s is an option of Spark's processes; nilas has none, leave it out",
                          option->name);
    }
    NILAS_PUSH(arena, &out->sources, source, err);
    return NILAS_OK;
}

/** Letters in common at the beginning. */
static size_t common_prefix(const char *a, const char *b) {
    size_t size = 0;
    while (a[size] != '\0' && a[size] == b[size]) {
        size++;
    }
    return size;
}

static nilas_code refuse_argument(const char *argument, nilas_error *err) {
    const char *nearest = NULL;
    size_t best = 3;

    if (argument[0] != '-') {
        return nilas_fail(err, NILAS_INVALID,
                          "unexpected argument \"%s\"; statements are given with -e, files with -f",
                          argument);
    }
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        size_t size = common_prefix(argument, names[i].name);
        if (size > best) {
            best = size;
            nearest = names[i].name;
        }
    }
    if (nearest != NULL) {
        return nilas_fail(err, NILAS_INVALID, "unknown option \"%s\"; did you mean %s?", argument,
                          nearest);
    }
    return nilas_fail(err, NILAS_INVALID, "unknown option \"%s\"; nilas sql --help lists them",
                      argument);
}

nilas_code nilas_shell__options_parse(nilas_arena *arena, int argc, char **argv,
                                      nilas_shell_options *out, nilas_error *err) {
    collected settings = {0};

    *out = (nilas_shell_options){.print = {.truncate = 20, .row_limit = 20, .columns = 80}};
    for (int i = 0; i < argc; i++) {
        const char *value;
        const option_name *option = find_option(argv[i], &value);
        if (option == NULL) {
            return refuse_argument(argv[i], err);
        }
        if (option->has_value && value == NULL) {
            NILAS_REQUIRE(i + 1 < argc, err, NILAS_INVALID, "%s needs a value", option->name);
            value = argv[++i];
        }
        NILAS_TRY(take_option(arena, option, value, out, &settings, err));
        if (out->help) {
            return NILAS_OK;
        }
    }
    NILAS_TRY(nilas_properties_read_user(arena, &out->settings, err));
    NILAS_TRY(nilas_properties_append(arena, &settings.files, &out->settings, err));
    return nilas_properties_append(arena, &settings.command_line, &out->settings, err);
}
