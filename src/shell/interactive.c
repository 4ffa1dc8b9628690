/*
 * The loop at the terminal: lines are gathered until a semicolon ends a statement; Ctrl-C drops
 * what is gathered.
 */
#include "shell/interactive.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "shell/command.h"
#include "shell/editor.h"
#include "shell/history.h"

#define PROMPT          "nilas> "
#define CONTINUATION    "    -> "
#define HARD_INTERRUPTS 3 // Ctrl-C so often in one statement ends the program

typedef struct prompter {
    nilas_shell *shell;
    nilas_shell_editor *editor;
    const char *history_path; // empty: none
    nilas_buf pending;        // the statement so far
} prompter;

// What a signal handler may touch.
static nilas_cancel *interrupt_cancel;
static volatile sig_atomic_t interrupt_count;

static void on_interrupt(int number) {
    (void)number;
    if (interrupt_cancel == NULL) {
        return;
    }
    atomic_store_explicit(&interrupt_cancel->requested, true, memory_order_relaxed);
    interrupt_count = interrupt_count + 1;
    if (interrupt_count >= HARD_INTERRUPTS) {
        _exit(130);
    }
}

static nilas_code complete(void *context, nilas_arena *arena, nilas_str text,
                           nilas_shell_completion *out, nilas_error *err) {
    prompter *prompt = context;
    nilas_str whole;

    NILAS_TRY(nilas_str_print(arena, &whole, err, "%.*s%.*s",
                              NILAS_FMT(nilas_buf_view(&prompt->pending)), NILAS_FMT(text)));
    return nilas_shell__complete(arena, prompt->shell->session, whole, out, err);
}

static void load_history(prompter *prompt, nilas_arena *arena) {
    nilas_error ignored = NILAS_ERROR_INIT;
    nilas_str path = NILAS_STR_EMPTY;
    nilas_str *statements = NULL;
    size_t count = 0;

    if (nilas_shell__history_path(arena, &path, &ignored) != NILAS_OK || path.size == 0) {
        return;
    }
    prompt->history_path = path.data;
    if (nilas_shell__history_load(arena, path.data, &statements, &count, &ignored) != NILAS_OK) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        nilas_shell__editor_remember(prompt->editor, statements[i]);
    }
}

static void remember(prompter *prompt, nilas_str text) {
    text = nilas_str_trim(text);
    if (text.size == 0) {
        return;
    }
    nilas_shell__editor_remember(prompt->editor, text);
    if (prompt->history_path != NULL && !nilas_shell__history_is_secret(text)) {
        nilas_shell__history_append(prompt->history_path, text);
    }
}

static void run_statement(prompter *prompt, const nilas_shell_statement *statement) {
    interrupt_count = 0;
    nilas_shell__run_statement(prompt->shell, statement);
}

/** Run what is complete; keep the rest. */
static void run_pending(prompter *prompt) {
    nilas_shell_script script = {.text = nilas_buf_view(&prompt->pending), .line = 1};
    nilas_shell_statement statement;
    size_t before = script.text.size;

    while (!prompt->shell->leaving && nilas_shell__script_next(&script, false, &statement)) {
        run_statement(prompt, &statement);
    }
    size_t left = nilas_shell__is_blank(script.text) ? 0 : script.text.size;
    if (script.text.size < before || left == 0) {
        remember(prompt, nilas_str_slice(nilas_buf_view(&prompt->pending), 0, before - left));
        memmove(prompt->pending.data, prompt->pending.data + before - left, left);
        nilas_buf_truncate(&prompt->pending, left);
    }
}

static void take_line(prompter *prompt, nilas_str line) {
    nilas_str argument;

    if (prompt->pending.size == 0 &&
        nilas_shell__command_of(line, &argument) != NILAS_COMMAND_NONE) {
        nilas_shell_statement command = {.text = nilas_str_trim(line), .line = 1};
        remember(prompt, line);
        run_statement(prompt, &command);
        return;
    }
    nilas_buf_add(&prompt->pending, line);
    if (!nilas_str_ends(line, NILAS_STR("\n"))) {
        nilas_buf_add_char(&prompt->pending, '\n');
    }
    nilas_error err = NILAS_ERROR_INIT;
    if (nilas_buf_check(&prompt->pending, &err) != NILAS_OK) {
        nilas_shell__report(prompt->shell, &err, NULL);
        nilas_buf_clear(&prompt->pending);
        return;
    }
    run_pending(prompt);
}

nilas_code nilas_shell__interactive(nilas_shell *shell, nilas_error *err) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    NILAS_AUTO(nilas_shell_editor) editor = NULL;
    struct sigaction action = {.sa_handler = on_interrupt}; // no SA_RESTART: a plain read ends, too
    prompter prompt = {.shell = shell};

    NILAS_REQUIRE(arena != NULL, err, NILAS_NOMEM, "out of memory");
    nilas_shell_editor_options options = {.complete = complete, .context = &prompt};
    NILAS_TRY(nilas_shell__editor_open(&options, &editor, err));
    prompt.editor = editor;
    load_history(&prompt, arena);
    interrupt_cancel = shell->cancel;
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGINT, &action, NULL);

    while (!shell->leaving) {
        nilas_str line;
        interrupt_count = 0;
        nilas_shell_line read = nilas_shell__editor_read(
            editor, prompt.pending.size > 0 ? CONTINUATION : PROMPT, &line);
        if (read == NILAS_LINE_END) {
            putchar('\n');
            fflush(stdout);
            break;
        }
        if (read == NILAS_LINE_CANCELLED) {
            nilas_buf_clear(&prompt.pending);
            continue;
        }
        take_line(&prompt, line);
    }
    nilas_buf_done(&prompt.pending);
    interrupt_cancel = NULL;
    return NILAS_OK;
}
