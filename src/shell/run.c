/*
 * From text to printed results. Every statement ends with its output flushed, so that a program at
 * the other end of a pipe can ask and read in turns. With --format json every statement gives one
 * line, failed or not; shell commands give none.
 */
#include "shell/run.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "shell/command.h"
#include "shell/report.h"

#define SOURCE_DEPTH 50 // files that source files: deeper is a circle

static void write_error(nilas_shell *shell, nilas_str text) {
    nilas_shell__progress_clear(&shell->progress);
    fflush(stdout);
    while (text.size > 0) {
        ssize_t written = write(STDERR_FILENO, text.data, text.size);
        if (written <= 0) {
            return; // nowhere to complain
        }
        text = nilas_str_slice(text, (size_t)written, text.size);
    }
}

void nilas_shell__report(nilas_shell *shell, const nilas_error *err,
                         const nilas_shell_statement *statement) {
    NILAS_AUTO_BUF text = {0};

    nilas_shell__report_print(&text, err, statement, shell->error_colour);
    write_error(shell, nilas_buf_view(&text));
}

/** A statement or command failed: remember it, and leave unless that is not wanted. */
static void note_failure(nilas_shell *shell) {
    shell->failed = true;
    if (!shell->interactive && !shell->options->keep_going) {
        shell->leaving = true;
    }
}

// ---- statements ---------------------------------------------------------------------------------

static void tell_count(nilas_shell *shell, const nilas_shell_print *print, int64_t began_ns) {
    double seconds = (double)(nilas_monotonic_ns() - began_ns) / 1e9;
    NILAS_AUTO_BUF text = {0};

    if (!shell->interactive || shell->options->silent) {
        return;
    }
    if (print->root.child_count == 0) {
        nilas_buf_print(&text, "done in %.3f s\n\n", seconds);
    } else {
        nilas_buf_print(&text, "%lld %s%s in %.3f s\n\n", (long long)print->row_count,
                        print->row_count == 1 ? "row" : "rows", print->full ? " shown" : "",
                        seconds);
    }
    write_error(shell, nilas_buf_view(&text));
}

static bool setting_is_true(const nilas_session *session, const char *key) {
    return nilas_str_is_nocase(nilas_session_setting(session, key), "true");
}

static nilas_code run_and_print(nilas_shell *shell, nilas_str text, nilas_shell_print *print,
                                nilas_error *err) {
    NILAS_AUTO(nilas_result) result = NULL;

    NILAS_TRY(nilas_session_run(shell->session, text, &result, err));
    print->look = nilas_shell__look_of(text, nilas_result_type(result));
    print->zone = nilas_session_zone(shell->session);
    return nilas_shell__print_result(print, result, err);
}

static void print_failure(nilas_shell *shell, nilas_shell_print *print, const nilas_error *err,
                          const nilas_shell_statement *statement) {
    nilas_error ignored = NILAS_ERROR_INIT;

    if (shell->output.failed != 0) { // nobody reads: no more statements
        shell->leaving = true;
        if (shell->output.failed != EPIPE) {
            nilas_shell__report(shell, err, NULL);
        }
        return;
    }
    if (print->options->format == NILAS_FORMAT_JSON) {
        nilas_shell__print_json_error(print, err);
        (void)nilas_shell__output_flush(&shell->output, &ignored);
        return;
    }
    (void)nilas_shell__output_flush(&shell->output, &ignored); // rows before the failure
    nilas_shell__report(shell, err, statement);
}

static void run_sql(nilas_shell *shell, const nilas_shell_statement *statement) {
    nilas_shell_print_options options = shell->options->print;
    nilas_shell_print print = {.output = &shell->output, .options = &options};
    nilas_error err = NILAS_ERROR_INIT;
    int64_t began_ns = nilas_monotonic_ns();

    options.header =
        options.header || setting_is_true(shell->session, "spark.sql.cli.print.header");
    if (shell->interactive) { // a script that is asked to stop stays asked
        atomic_store(&shell->cancel->requested, false);
    }
    nilas_shell__progress_start(&shell->progress);
    nilas_code code = run_and_print(shell, statement->text, &print, &err);
    nilas_shell__progress_clear(&shell->progress);
    if (code == NILAS_OK) {
        tell_count(shell, &print, began_ns);
        nilas_shell__print_done(&print);
        return;
    }

    note_failure(shell);
    shell->leaving = shell->leaving || (!shell->interactive && nilas_cancelled(shell->cancel));
    print_failure(shell, &print, &err, statement);
    nilas_shell__print_done(&print);
}

// ---- commands -----------------------------------------------------------------------------------

static nilas_code run_source(nilas_shell *shell, nilas_str argument, nilas_error *err) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_str file, text;

    NILAS_REQUIRE(arena != NULL, err, NILAS_NOMEM, "out of memory");
    NILAS_REQUIRE(argument.size > 0, err, NILAS_INVALID, "source needs the name of a file");
    NILAS_REQUIRE(shell->source_depth < SOURCE_DEPTH, err, NILAS_LIMIT,
                  "source: more than %d files inside each other", SOURCE_DEPTH);
    NILAS_TRY(nilas_str_copy(arena, argument, &file, err));
    NILAS_TRY(nilas_text_read(arena, file.data, &text, err));
    shell->source_depth++;
    nilas_shell__run_script(shell, file.data, text);
    shell->source_depth--;
    return NILAS_OK;
}

/** Do what a command says; false when the text is a statement. */
static bool run_command(nilas_shell *shell, const nilas_shell_statement *statement) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_code code = NILAS_OK;
    nilas_str argument;

    switch (nilas_shell__command_of(statement->text, &argument)) {
    case NILAS_COMMAND_NONE: return false;
    case NILAS_COMMAND_QUIT: shell->leaving = true; break;
    case NILAS_COMMAND_HELP: write_error(shell, nilas_str_of(nilas_shell__help)); break;
    case NILAS_COMMAND_SOURCE: code = run_source(shell, argument, &err); break;
    case NILAS_COMMAND_SHELL:
        code = nilas_fail(&err, NILAS_UNSUPPORTED,
                          "\"!\" is not supported: nilas runs no other programs");
        break;
    case NILAS_COMMAND_UNKNOWN:
        code = nilas_fail(&err, NILAS_INVALID, "there is no command %.*s; \\? lists them",
                          NILAS_FMT(statement->text));
        break;
    }
    if (code != NILAS_OK) {
        note_failure(shell);
        nilas_shell__report(shell, &err, NULL);
    }
    return true;
}

void nilas_shell__run_statement(nilas_shell *shell, const nilas_shell_statement *statement) {
    nilas_assert(shell->session != NULL && shell->cancel != NULL);
    if (!run_command(shell, statement)) {
        run_sql(shell, statement);
    }
}

// ---- texts --------------------------------------------------------------------------------------

void nilas_shell__run_script(nilas_shell *shell, const char *file, nilas_str text) {
    nilas_shell_script script = {.text = text, .file = file, .line = 1};
    nilas_shell_statement statement;

    while (!shell->leaving && nilas_shell__script_next(&script, true, &statement)) {
        nilas_shell__run_statement(shell, &statement);
    }
}

/** Run what is complete in the buffer and take it out. */
static void run_complete(nilas_shell *shell, nilas_buf *input, size_t *line, bool at_end) {
    nilas_shell_script script = {.text = nilas_buf_view(input), .line = *line};
    nilas_shell_statement statement;

    while (!shell->leaving && nilas_shell__script_next(&script, at_end, &statement)) {
        nilas_shell__run_statement(shell, &statement);
    }
    *line = script.line;
    size_t left = script.text.size;
    memmove(input->data, input->data + input->size - left, left);
    nilas_buf_truncate(input, left);
}

void nilas_shell__run_input(nilas_shell *shell) {
    NILAS_AUTO_BUF input = {0};
    nilas_error err = NILAS_ERROR_INIT;
    char block[16384];
    size_t line = 1;

    while (!shell->leaving) {
        ssize_t size = read(STDIN_FILENO, block, sizeof(block));
        if (size < 0 && errno == EINTR && !nilas_cancelled(shell->cancel)) {
            continue;
        }
        if (size <= 0) {
            break;
        }
        nilas_buf_add_bytes(&input, block, (size_t)size);
        if (nilas_buf_check(&input, &err) != NILAS_OK) {
            nilas_error_append(&err, "while reading a statement from standard input");
            nilas_shell__report(shell, &err, NULL);
            shell->failed = shell->leaving = true;
        }
        // Only a line's end after a semicolon can complete a statement.
        if (memchr(block, '\n', (size_t)size) != NULL &&
            memchr(input.data, ';', input.size) != NULL) {
            run_complete(shell, &input, &line, false);
        }
    }
    if (!shell->leaving && input.size > 0) {
        run_complete(shell, &input, &line, true);
    }
}
