/*
 * The few words of the shell itself. All that could begin a statement of Spark goes to the
 * session.
 */
#include "shell/command.h"

const char nilas_shell__help[] =
    "Statements are Spark SQL and end with a semicolon; they may take several lines.\n"
    "\n"
    "  help, \\?           this text\n"
    "  quit, exit         leave; so does Ctrl-D on an empty line\n"
    "  source FILE        run the statements of a file\n"
    "  Tab                complete keywords, catalogs, namespaces, tables and columns\n"
    "  Up, Down, Ctrl-R   earlier statements\n"
    "  Ctrl-C             give up the statement being typed, or cancel the one that runs\n"
    "\n"
    "To begin with:\n"
    "\n"
    "  SHOW NAMESPACES IN catalog;        SHOW TABLES IN catalog.namespace;\n"
    "  DESCRIBE TABLE t;                  SHOW CREATE TABLE t;\n"
    "  SELECT * FROM t.snapshots;         SELECT * FROM t.files;         SELECT * FROM t.refs;\n"
    "  SELECT * FROM t VERSION AS OF 'branch';\n"
    "  SELECT * FROM t TIMESTAMP AS OF '2024-01-01 00:00:00';\n"
    "  SET;                               SET spark.sql.session.timeZone=UTC;\n";

static nilas_str without_semicolon(nilas_str text) {
    text = nilas_str_trim(text);
    while (nilas_str_ends(text, NILAS_STR(";"))) {
        text = nilas_str_trim(nilas_str_slice(text, 0, text.size - 1));
    }
    return text;
}

static nilas_str without_quotes(nilas_str text) {
    bool quoted = text.size >= 2 && (text.data[0] == '\'' || text.data[0] == '"') &&
                  text.data[text.size - 1] == text.data[0];
    return quoted ? nilas_str_slice(text, 1, text.size - 2) : text;
}

nilas_shell_command nilas_shell__command_of(nilas_str text, nilas_str *out_argument) {
    static const char *const quits[] = {"quit", "exit", "\\q"};
    static const char *const helps[] = {"help", "?", "\\?", "\\h"};

    text = without_semicolon(text);
    *out_argument = NILAS_STR_EMPTY;
    for (size_t i = 0; i < sizeof(quits) / sizeof(quits[0]); i++) {
        if (nilas_str_is_nocase(text, quits[i])) {
            return NILAS_COMMAND_QUIT;
        }
    }
    for (size_t i = 0; i < sizeof(helps) / sizeof(helps[0]); i++) {
        if (nilas_str_is_nocase(text, helps[i])) {
            return NILAS_COMMAND_HELP;
        }
    }
    if (nilas_str_starts_nocase(text, NILAS_STR("source")) && text.size > 6 &&
        (unsigned char)text.data[6] <= ' ') {
        *out_argument = without_quotes(nilas_str_trim(nilas_str_slice(text, 6, text.size)));
        return NILAS_COMMAND_SOURCE;
    }
    if (text.size > 0 && text.data[0] == '!') {
        return NILAS_COMMAND_SHELL;
    }
    return text.size > 0 && text.data[0] == '\\' ? NILAS_COMMAND_UNKNOWN : NILAS_COMMAND_NONE;
}
