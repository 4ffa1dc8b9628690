/*
 * The history file. A statement is a line, its line ends and backslashes escaped; shells append,
 * so that two of them do not undo each other's. When the file has grown to twice what is kept it
 * is written anew.
 */
#include "shell/history.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define KEPT       5000
#define FILE_BYTES (32 << 20)

/** Make a folder and those above it, readable by the owner only. */
static void make_folders(char *path) {
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(path, 0700); // there already, or the open fails
        *slash = '/';
    }
}

nilas_code nilas_shell__history_path(nilas_arena *arena, nilas_str *out, nilas_error *err) {
    const char *base = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");

    *out = NILAS_STR_EMPTY;
    if (base != NULL && base[0] == '/') {
        NILAS_TRY(nilas_str_print(arena, out, err, "%s/nilas/history", base));
    } else if (home != NULL && home[0] == '/') {
        NILAS_TRY(nilas_str_print(arena, out, err, "%s/.local/state/nilas/history", home));
    } else {
        return NILAS_OK;
    }
    char *path = (char *)out->data; // the arena's own copy
    make_folders(path);
    return NILAS_OK;
}

bool nilas_shell__history_is_secret(nilas_str statement) {
    static const char *const words[] = {"secret",     "password",   "passwd",    "token",
                                        "credential", "access-key", "access.key"};

    for (size_t at = 0; at < statement.size; at++) {
        nilas_str rest = nilas_str_slice(statement, at, statement.size);
        for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
            if (nilas_str_starts_nocase(rest, nilas_str_of(words[i]))) {
                return true;
            }
        }
    }
    return false;
}

static void add_escaped(nilas_buf *out, nilas_str statement) {
    for (size_t i = 0; i < statement.size; i++) {
        switch (statement.data[i]) {
        case '\n': nilas_buf_add_text(out, "\\n"); break;
        case '\\': nilas_buf_add_text(out, "\\\\"); break;
        default: nilas_buf_add_char(out, statement.data[i]);
        }
    }
    nilas_buf_add_char(out, '\n');
}

static void add_plain(nilas_buf *out, nilas_str line) {
    for (size_t i = 0; i < line.size; i++) {
        if (line.data[i] != '\\' || i + 1 == line.size) {
            nilas_buf_add_char(out, line.data[i]);
            continue;
        }
        i++;
        nilas_buf_add_char(out, line.data[i] == 'n' ? '\n' : line.data[i]);
    }
}

static void close_file(FILE **file) {
    if (*file != NULL) {
        (void)fclose(*file);
    }
}

/** Write the kept statements to a new file and put it in the old one's place. */
static void rewrite(const char *path, const nilas_str *statements, size_t count) {
    NILAS_AUTO_BUF text = {0};
    NILAS_AUTO_BUF fresh = {0};

    nilas_buf_print(&fresh, "%s.new", path);
    nilas_buf_add_char(&fresh, '\0');
    for (size_t i = 0; i < count; i++) {
        add_escaped(&text, statements[i]);
    }
    if (text.failed != NILAS_OK || fresh.failed != NILAS_OK) {
        return;
    }
    int fd = open(fresh.data, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) {
        return;
    }
    bool whole = write(fd, text.data, text.size) == (ssize_t)text.size;
    if (close(fd) == 0 && whole) {
        (void)rename(fresh.data, path);
    }
}

nilas_code nilas_shell__history_load(nilas_arena *arena, const char *path, nilas_str **out,
                                     size_t *out_count, nilas_error *err) {
    __attribute__((cleanup(close_file))) FILE *file = fopen(path, "re");
    NILAS_ARRAY_OF(nilas_str) statements = {0};
    char *line = NULL;
    size_t capacity = 0;
    size_t bytes = 0;
    nilas_code code = NILAS_OK;

    *out = NULL;
    *out_count = 0;
    if (file == NULL) {
        return NILAS_OK;
    }
    for (;;) {
        ssize_t size = getline(&line, &capacity, file);
        bytes += size > 0 ? (size_t)size : 0;
        if (size < 0 || bytes > FILE_BYTES) {
            break;
        }
        NILAS_AUTO_BUF plain = {0};
        nilas_str statement;
        add_plain(&plain, nilas_str_trim((nilas_str){.data = line, .size = (size_t)size}));
        code = nilas_buf_finish(&plain, arena, &statement, err);
        if (code == NILAS_OK && statements.count == statements.capacity) {
            code = nilas_array_grow(arena, &statements.items, statements.count,
                                    &statements.capacity, sizeof(nilas_str), err);
        }
        if (code != NILAS_OK) {
            break;
        }
        statements.items[statements.count++] = statement;
    }
    free(line);
    if (code != NILAS_OK) {
        return code;
    }
    size_t skipped = statements.count > KEPT ? statements.count - KEPT : 0;
    *out = statements.items + skipped;
    *out_count = statements.count - skipped;
    if (statements.count > 2 * KEPT) {
        rewrite(path, *out, *out_count);
    }
    return NILAS_OK;
}

void nilas_shell__history_append(const char *path, nilas_str statement) {
    NILAS_AUTO_BUF line = {0};

    add_escaped(&line, statement);
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0) {
        return;
    }
    ssize_t ignored = line.failed == NILAS_OK ? write(fd, line.data, line.size) : 0;
    (void)ignored;
    (void)close(fd);
}
