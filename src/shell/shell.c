/* The door itself: command line in, exit status out. */
#include "shell/shell.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "shell/interactive.h"
#include "shell/report.h"

static bool wants_colour(int fd) {
    const char *no_colour = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");

    return isatty(fd) != 0 && (no_colour == NULL || no_colour[0] == '\0') &&
           (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

static int columns_of(int fd) {
    struct winsize window = {0};
    return ioctl(fd, TIOCGWINSZ, &window) == 0 && window.ws_col > 0 ? window.ws_col : 80;
}

static int complain(const nilas_error *err, int status) {
    NILAS_AUTO_BUF text = {0};

    nilas_shell__report_print(&text, err, NULL, wants_colour(STDERR_FILENO));
    fprintf(stderr, "nilas sql: %.*s", NILAS_FMT(nilas_buf_view(&text)));
    return status;
}

/** What the terminal decides: the format and its width. */
static void fit_terminal(nilas_shell_options *options) {
    if (!options->has_format) {
        options->print.format = isatty(STDOUT_FILENO) != 0 ? NILAS_FORMAT_TABLE : NILAS_FORMAT_TSV;
    }
    options->print.columns = columns_of(STDOUT_FILENO);
    options->print.colour = wants_colour(STDOUT_FILENO);
}

static nilas_code use_database(nilas_shell *shell, const char *name, nilas_error *err) {
    NILAS_AUTO(nilas_result) result = NULL;
    NILAS_AUTO_BUF text = {0};

    nilas_buf_print(&text, "USE %s", name);
    NILAS_TRY(nilas_buf_check(&text, err));
    return nilas_session_run(shell->session, nilas_buf_view(&text), &result, err);
}

static nilas_code run_all(nilas_shell *shell, nilas_error *err) {
    const nilas_shell_options *options = shell->options;

    if (options->database != NULL) {
        nilas_code code = use_database(shell, options->database, err);
        if (code != NILAS_OK) {
            err->sql_offset = -1;
            return code;
        }
    }
    for (size_t i = 0; i < options->sources.count && !shell->leaving; i++) {
        nilas_shell__run_script(shell, options->sources.items[i].file,
                                options->sources.items[i].text);
    }
    if (options->sources.count > 0) {
        return NILAS_OK;
    }
    if (!shell->interactive) {
        nilas_shell__run_input(shell);
        return NILAS_OK;
    }
    if (!options->silent) {
        printf("nilas %s: Spark SQL on Apache Iceberg tables. help explains, Ctrl-D leaves.\n",
               NILAS_VERSION);
    }
    return nilas_shell__interactive(shell, err);
}

// What the signal handler of a script may touch.
static nilas_cancel *stop_cancel;
static volatile sig_atomic_t stop_signal;

/** Ask the statement to stop, so that it takes back what it wrote; the second time just go. */
static void on_stop(int number) {
    if (stop_signal != 0) {
        _exit(128 + number);
    }
    stop_signal = number;
    atomic_store_explicit(&stop_cancel->requested, true, memory_order_relaxed);
}

/** Scripts stop by a signal as a prompt does by Ctrl-C; a signal that is ignored stays ignored. */
static void catch_stops(nilas_cancel *cancel) {
    static const int numbers[] = {SIGINT, SIGTERM};
    struct sigaction action = {.sa_handler = on_stop}; // no SA_RESTART: a plain read ends, too

    stop_cancel = cancel;
    (void)sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        struct sigaction before;
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL) {
            (void)sigaction(numbers[i], &action, NULL);
        }
    }
}

/** End as the signal would have ended the program, for whoever waits for it. */
static void end_by_signal(void) {
    struct sigaction action = {.sa_handler = SIG_DFL};
    int number = stop_signal;

    if (number != 0) {
        (void)sigaction(number, &action, NULL);
        (void)raise(number);
    }
}

static int run_session(const nilas_shell_options *options) {
    nilas_cancel cancel = {0};
    nilas_shell shell = {
        .options = options,
        .cancel = &cancel,
        .interactive =
            options->sources.count == 0 && isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0,
        .error_colour = wants_colour(STDERR_FILENO),
        .progress = {.enabled = isatty(STDERR_FILENO) != 0 && !options->silent,
                     .columns = columns_of(STDERR_FILENO)},
    };
    nilas_session_options session_options = {
        .settings = options->settings.items,
        .setting_count = options->settings.count,
        .cancel = &cancel,
        .progress = shell.progress.enabled ? nilas_shell__progress_show : NULL,
        .progress_context = &shell.progress,
        .remote = options->remote != NULL ? nilas_str_of(options->remote) : (nilas_str){0},
    };
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO(nilas_session) session = NULL;

    if (nilas_session_new(&session_options, &session, &err) != NILAS_OK) {
        return complain(&err, NILAS_EXIT_USAGE);
    }
    shell.session = session;
    if (!shell.interactive) {
        catch_stops(&cancel);
    }
    nilas_shell__output_init(&shell.output, STDOUT_FILENO);
    shell.output.before_write = nilas_shell__progress_clear;
    shell.output.before_context = &shell.progress;
    if (run_all(&shell, &err) != NILAS_OK) {
        shell.failed = true;
        (void)complain(&err, NILAS_EXIT_FAILED);
    }
    nilas_shell__output_done(&shell.output);
    return shell.failed && !shell.interactive ? NILAS_EXIT_FAILED : NILAS_EXIT_OK;
}

int nilas_shell_main(int argc, char **argv) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    nilas_error err = NILAS_ERROR_INIT;
    nilas_shell_options options;

    if (arena == NULL) {
        return NILAS_EXIT_FAILED;
    }
    if (nilas_shell__options_parse(arena, argc, argv, &options, &err) != NILAS_OK) {
        return complain(&err, NILAS_EXIT_USAGE);
    }
    if (options.help) {
        fputs(nilas_shell__usage, stdout);
        return fflush(stdout) == 0 ? NILAS_EXIT_OK : NILAS_EXIT_FAILED;
    }
    (void)sigaction(SIGPIPE, &ignore,
                    NULL); // a closed pipe is a failed write, not a death in the middle of one
    fit_terminal(&options);
    int status = run_session(&options);
    end_by_signal();
    return status;
}
