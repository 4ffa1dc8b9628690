/*
 * libedit, opened at run time: linking it would bring three more libraries to every start of the
 * program. While a line is edited the terminal sends no signals: Ctrl-C is a key like others and
 * gives the line up; while a statement runs it is SIGINT.
 */
#include "shell/editor.h"

#include <dlfcn.h>
#include <errno.h>
#include <histedit.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define HISTORY_SIZE  10000
#define SHOWN_CHOICES 200

/** The functions of libedit that are used. */
typedef struct library {
    void *handle;
    __typeof__(el_init) *el_init;
    __typeof__(el_end) *el_end;
    __typeof__(el_set) *el_set;
    __typeof__(el_get) *el_get;
    __typeof__(el_gets) *el_gets;
    __typeof__(el_line) *el_line;
    __typeof__(el_insertstr) *el_insertstr;
    __typeof__(el_deletestr) *el_deletestr;
    __typeof__(el_resize) *el_resize;
    __typeof__(el_source) *el_source;
    __typeof__(history_init) *history_init;
    __typeof__(history_end) *history_end;
    __typeof__(history) *history;
} library;

struct nilas_shell_editor {
    library edit;
    EditLine *line; // NULL: plain lines
    History *history;
    char *text; // of a plain line; malloc'd
    size_t text_size;
    const char *prompt;
    bool cancelled;
    nilas_shell_editor_options options;
};

static bool load_library(library *out) {
    static const char *const files[] = {"libedit.so.2", "libedit.so.0", "libedit.so"};
    const struct {
        const char *name;
        void *place;
    } functions[] = {
        {"el_init", &out->el_init},
        {"el_end", &out->el_end},
        {"el_set", &out->el_set},
        {"el_get", &out->el_get},
        {"el_gets", &out->el_gets},
        {"el_line", &out->el_line},
        {"el_insertstr", &out->el_insertstr},
        {"el_deletestr", &out->el_deletestr},
        {"el_resize", &out->el_resize},
        {"el_source", &out->el_source},
        {"history_init", &out->history_init},
        {"history_end", &out->history_end},
        {"history", &out->history},
    };

    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]) && out->handle == NULL; i++) {
        out->handle = dlopen(files[i], RTLD_NOW | RTLD_LOCAL);
    }
    if (out->handle == NULL) {
        return false;
    }
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
        void *function = dlsym(out->handle, functions[i].name);
        if (function == NULL) {
            return false;
        }
        memcpy(functions[i].place, &function, sizeof(function));
    }
    return true;
}

// ---- keys ---------------------------------------------------------------------------------------

static nilas_shell_editor *owner_of(EditLine *line) {
    // libedit hands out only its own handle; there is one terminal, so there is one editor
    extern nilas_shell_editor *nilas_shell__the_editor;
    nilas_assert(nilas_shell__the_editor != NULL && nilas_shell__the_editor->line == line);
    return nilas_shell__the_editor;
}

nilas_shell_editor *nilas_shell__the_editor;

static char *prompt_of(EditLine *line) {
    return (char *)owner_of(line)->prompt;
}

static unsigned char give_up(EditLine *line, int key) {
    (void)key;
    owner_of(line)->cancelled = true;
    return CC_NEWLINE;
}

static unsigned char suspend(EditLine *line, int key) {
    nilas_shell_editor *editor = owner_of(line);

    (void)key;
    (void)editor->edit.el_set(line, EL_PREP_TERM, 0);
    (void)raise(SIGTSTP);
    (void)editor->edit.el_set(line, EL_PREP_TERM, 1);
    return CC_REDISPLAY;
}

/** The choices in columns below the line. */
static void list_choices(const nilas_shell_completion *found) {
    size_t shown = found->choice_count < SHOWN_CHOICES ? found->choice_count : SHOWN_CHOICES;
    size_t width = 0;
    struct winsize window = {0};

    for (size_t i = 0; i < shown; i++) {
        size_t letters = nilas_str_codepoints(found->choices[i]);
        width = letters > width ? letters : width;
    }
    width += 2;
    size_t columns = ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > width
                         ? window.ws_col / width
                         : 1;
    size_t lines = (shown + columns - 1) / columns;

    putchar('\n');
    for (size_t line = 0; line < lines; line++) {
        for (size_t i = line; i < shown; i += lines) {
            size_t letters = nilas_str_codepoints(found->choices[i]);
            printf("%.*s%*s", NILAS_FMT(found->choices[i]),
                   i + lines < shown ? (int)(width - letters) : 0, "");
        }
        putchar('\n');
    }
    if (shown < found->choice_count) {
        printf("… and %zu more\n", found->choice_count - shown);
    }
    fflush(stdout);
}

static unsigned char complete(EditLine *line, int key) {
    nilas_shell_editor *editor = owner_of(line);
    const LineInfo *info = editor->edit.el_line(line);
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_str text = {.data = info->buffer, .size = (size_t)(info->cursor - info->buffer)};
    nilas_shell_completion found = {0};
    nilas_error err = NILAS_ERROR_INIT;
    nilas_str inserted;

    (void)key;
    if (arena == NULL || editor->options.complete == NULL ||
        editor->options.complete(editor->options.context, arena, text, &found, &err) != NILAS_OK ||
        found.choice_count == 0) {
        return CC_REFRESH_BEEP;
    }
    nilas_str typed = nilas_str_slice(text, text.size - found.replaced_bytes, found.replaced_bytes);
    if (found.choice_count > 1 && nilas_str_equal(typed, found.text)) {
        list_choices(&found);
        return CC_REDISPLAY;
    }
    if (nilas_str_copy(arena, found.text, &inserted, &err) != NILAS_OK) {
        return CC_REFRESH_BEEP;
    }
    editor->edit.el_deletestr(line, (int)nilas_str_codepoints(typed));
    if (editor->edit.el_insertstr(line, inserted.data) != 0) {
        return CC_REFRESH_BEEP;
    }
    if (found.choice_count == 1) {
        (void)editor->edit.el_insertstr(line, " ");
    }
    return CC_REFRESH;
}

static void bind_keys(nilas_shell_editor *editor) {
    EditLine *line = editor->line;
    __typeof__(el_set) *set = editor->edit.el_set;

    (void)set(line, EL_EDITOR, "emacs");
    (void)set(line, EL_SETTY, "-d", "-isig", NULL);
    (void)set(line, EL_ADDFN, "nilas-give-up", "Give up the statement", give_up);
    (void)set(line, EL_ADDFN, "nilas-suspend", "Stop the shell until it is continued", suspend);
    (void)set(line, EL_ADDFN, "nilas-complete", "Complete the word", complete);
    (void)set(line, EL_BIND, "^R", "em-inc-search-prev", NULL);
    (void)set(line, EL_BIND, "\033[1~", "ed-move-to-beg", NULL);
    (void)set(line, EL_BIND, "\033[4~", "ed-move-to-end", NULL);
    (void)set(line, EL_BIND, "\033[3~", "ed-delete-next-char", NULL);
    (void)editor->edit.el_source(line, NULL); // ~/.editrc
    (void)set(line, EL_BIND, "^C", "nilas-give-up", NULL);
    (void)set(line, EL_BIND, "^Z", "nilas-suspend", NULL);
    (void)set(line, EL_BIND, "^I", "nilas-complete", NULL);
}

// ---- opening and reading ------------------------------------------------------------------------

nilas_code nilas_shell__editor_open(const nilas_shell_editor_options *options,
                                    nilas_shell_editor **out, nilas_error *err) {
    NILAS_AUTO(nilas_shell_editor) editor = calloc(1, sizeof(*editor));
    HistEvent event;

    NILAS_REQUIRE(editor != NULL, err, NILAS_NOMEM, "out of memory");
    editor->options = *options;
    (void)setlocale(LC_CTYPE, "");
    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0) {
        (void)setlocale(LC_CTYPE, "C.UTF-8"); // statements are UTF-8
    }
    if (load_library(&editor->edit)) {
        editor->history = editor->edit.history_init();
        editor->line = editor->edit.el_init("nilas", stdin, stdout, stderr);
    }
    if (editor->line != NULL) {
        nilas_assert(nilas_shell__the_editor == NULL);
        nilas_shell__the_editor = editor;
        (void)editor->edit.el_set(editor->line, EL_PROMPT, prompt_of);
        bind_keys(editor);
        if (editor->history != NULL) {
            (void)editor->edit.history(editor->history, &event, H_SETSIZE, HISTORY_SIZE);
            (void)editor->edit.history(editor->history, &event, H_SETUNIQUE, 1);
            (void)editor->edit.el_set(editor->line, EL_HIST, editor->edit.history, editor->history);
        }
    }
    *out = editor;
    editor = NULL;
    return NILAS_OK;
}

void nilas_shell__editor_close(nilas_shell_editor *editor) {
    if (editor == NULL) {
        return;
    }
    if (editor->line != NULL) {
        editor->edit.el_end(editor->line);
        nilas_shell__the_editor = NULL;
    }
    if (editor->history != NULL) {
        editor->edit.history_end(editor->history);
    }
    if (editor->edit.handle != NULL) {
        (void)dlclose(editor->edit.handle);
    }
    free(editor->text);
    free(editor);
}

static nilas_shell_line read_plain(nilas_shell_editor *editor, nilas_str *out) {
    fputs(editor->prompt, stdout);
    fflush(stdout);
    errno = 0;
    ssize_t size = getline(&editor->text, &editor->text_size, stdin);
    if (size < 0) {
        bool interrupted = errno == EINTR;
        clearerr(stdin);
        return interrupted ? NILAS_LINE_CANCELLED : NILAS_LINE_END;
    }
    *out = (nilas_str){.data = editor->text, .size = (size_t)size};
    return NILAS_LINE_READ;
}

nilas_shell_line nilas_shell__editor_read(nilas_shell_editor *editor, const char *prompt,
                                          nilas_str *out) {
    int size = 0;

    editor->prompt = prompt;
    editor->cancelled = false;
    if (editor->line == NULL) {
        return read_plain(editor, out);
    }
    editor->edit.el_resize(editor->line);
    // before the prompt is seen: a key that answers it at once must not meet the terminal of old
    (void)editor->edit.el_set(editor->line, EL_PREP_TERM, 1);
    const char *text = editor->edit.el_gets(editor->line, &size);
    if (editor->cancelled) {
        puts("^C");
        return NILAS_LINE_CANCELLED;
    }
    if (text == NULL || size <= 0) {
        return NILAS_LINE_END;
    }
    *out = (nilas_str){.data = text, .size = (size_t)size};
    return NILAS_LINE_READ;
}

void nilas_shell__editor_remember(nilas_shell_editor *editor, nilas_str statement) {
    HistEvent event;

    if (editor->history == NULL || statement.size == 0) {
        return;
    }
    char *text = strndup(statement.data, statement.size);
    if (text != NULL) {
        (void)editor->edit.history(editor->history, &event, H_ENTER, text);
        free(text);
    }
}
