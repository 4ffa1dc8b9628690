/*
 * java.util.Properties, because that is what reads a spark-defaults.conf: the separator is the
 * first white space, '=' or ':' that is not escaped. As spark-submit does, keys that begin with
 * neither "spark." nor "nilas." are not taken: such files are shared with other programs.
 */
#include "session/properties.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct cursor {
    nilas_str text;
    size_t at;
    size_t line;
    const char *file;
} cursor;

static bool at_end(const cursor *c) {
    return c->at >= c->text.size;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\f';
}

static bool is_line_end(char c) {
    return c == '\n' || c == '\r';
}

static void skip_blanks(cursor *c) {
    while (!at_end(c) && is_blank(c->text.data[c->at])) {
        c->at++;
    }
}

static void skip_line_end(cursor *c) {
    if (!at_end(c) && c->text.data[c->at] == '\r') {
        c->at++;
        if (!at_end(c) && c->text.data[c->at] == '\n') {
            c->at++;
        }
    } else if (!at_end(c)) {
        c->at++;
    }
    c->line++;
}

static void skip_line(cursor *c) {
    while (!at_end(c) && !is_line_end(c->text.data[c->at])) {
        c->at++;
    }
    skip_line_end(c);
}

static int hex_value(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/** \uXXXX; surrogate pairs are two of them. */
static nilas_code add_unicode(cursor *c, nilas_buf *out, nilas_error *err) {
    uint32_t value = 0;

    for (int i = 0; i < 4; i++) {
        int digit = at_end(c) ? -1 : hex_value(c->text.data[c->at]);
        NILAS_REQUIRE(digit >= 0, err, NILAS_INVALID, "%s:%zu: \\u needs four hexadecimal digits",
                      c->file, c->line);
        value = value * 16 + (uint32_t)digit;
        c->at++;
    }
    if (value >= 0xDC00 && value <= 0xDFFF && out->size >= 3) { // joins the high half before it
        const unsigned char *high = (const unsigned char *)out->data + out->size - 3;
        if (high[0] == 0xED && high[1] >= 0xA0 && high[1] <= 0xAF) {
            uint32_t upper = (uint32_t)(high[1] & 0x0F) << 6 | (high[2] & 0x3F);
            nilas_buf_truncate(out, out->size - 3);
            nilas_buf_add_codepoint(out, 0x10000 + (upper << 10) + (value - 0xDC00));
            return NILAS_OK;
        }
    }
    if (value >= 0xD800 && value <= 0xDBFF) {
        const char half[3] = {(char)0xED, (char)(0x80 | (value >> 6 & 0x3F)),
                              (char)(0x80 | (value & 0x3F))};
        nilas_buf_add_bytes(out, half, sizeof(half));
        return NILAS_OK;
    }
    nilas_buf_add_codepoint(out, value);
    return NILAS_OK;
}

/** Behind a backslash. */
static nilas_code add_escape(cursor *c, nilas_buf *out, nilas_error *err) {
    if (at_end(c)) {
        return NILAS_OK;
    }
    char letter = c->text.data[c->at];
    if (is_line_end(letter)) {
        skip_line_end(c);
        skip_blanks(c);
        return NILAS_OK;
    }
    c->at++;
    switch (letter) {
    case 'n': nilas_buf_add_char(out, '\n'); return NILAS_OK;
    case 't': nilas_buf_add_char(out, '\t'); return NILAS_OK;
    case 'r': nilas_buf_add_char(out, '\r'); return NILAS_OK;
    case 'f': nilas_buf_add_char(out, '\f'); return NILAS_OK;
    case 'u': return add_unicode(c, out, err);
    default: nilas_buf_add_char(out, letter); return NILAS_OK;
    }
}

/** Up to a line's end, or to a separator when reading a key. */
static nilas_code read_part(cursor *c, bool key, nilas_buf *out, nilas_error *err) {
    while (!at_end(c)) {
        char letter = c->text.data[c->at];
        if (is_line_end(letter) || (key && (is_blank(letter) || letter == '=' || letter == ':'))) {
            return NILAS_OK;
        }
        c->at++;
        if (letter == '\\') {
            NILAS_TRY(add_escape(c, out, err));
        } else {
            nilas_buf_add_char(out, letter);
        }
    }
    return NILAS_OK;
}

nilas_code nilas_properties_parse(nilas_arena *arena, nilas_str text, const char *file,
                                  nilas_properties *out, nilas_error *err) {
    cursor c = {.text = text, .line = 1, .file = file};

    while (!at_end(&c)) {
        skip_blanks(&c);
        if (at_end(&c)) {
            break;
        }
        char letter = c.text.data[c.at];
        if (is_line_end(letter) || letter == '#' || letter == '!') {
            skip_line(&c);
            continue;
        }

        NILAS_AUTO_BUF key = {0};
        NILAS_AUTO_BUF value = {0};
        NILAS_TRY(read_part(&c, true, &key, err));
        skip_blanks(&c);
        if (!at_end(&c) && (c.text.data[c.at] == '=' || c.text.data[c.at] == ':')) {
            c.at++;
            skip_blanks(&c);
        }
        NILAS_TRY(read_part(&c, false, &value, err));
        skip_line_end(&c);

        nilas_str name = nilas_buf_view(&key);
        if (!nilas_str_starts(name, NILAS_STR("spark.")) &&
            !nilas_str_starts(name, NILAS_STR("nilas."))) {
            continue;
        }
        nilas_property setting;
        NILAS_TRY(nilas_buf_finish(&key, arena, &setting.key, err));
        NILAS_TRY(
            nilas_str_copy(arena, nilas_str_trim(nilas_buf_view(&value)), &setting.value, err));
        NILAS_PUSH(arena, out, setting, err);
    }
    return NILAS_OK;
}

static void close_file(int *fd) {
    if (*fd > STDIN_FILENO) {
        close(*fd);
    }
}

static nilas_code fail_file(nilas_error *err, const char *file, int why) {
    char words[128];
    nilas_code code = why == ENOENT ? NILAS_NOT_FOUND : why == EACCES ? NILAS_DENIED : NILAS_IO;
    return nilas_fail(err, code, "cannot read %s: %s", file, strerror_r(why, words, sizeof(words)));
}

nilas_code nilas_text_read(nilas_arena *arena, const char *file, nilas_str *out, nilas_error *err) {
    __attribute__((cleanup(close_file))) int fd =
        strcmp(file, "-") == 0 ? STDIN_FILENO : open(file, O_RDONLY | O_CLOEXEC);
    NILAS_AUTO_BUF content = {0};
    char block[16384];

    if (fd < 0) {
        return fail_file(err, file, errno);
    }
    for (;;) {
        ssize_t size = read(fd, block, sizeof(block));
        if (size < 0 && errno == EINTR) {
            continue;
        }
        if (size < 0) {
            return fail_file(err, file, errno);
        }
        if (size == 0) {
            return nilas_buf_finish(&content, arena, out, err);
        }
        nilas_buf_add_bytes(&content, block, (size_t)size);
        NILAS_TRY(nilas_buf_check(&content, err));
    }
}

nilas_code nilas_properties_read(nilas_arena *arena, const char *file, bool optional,
                                 nilas_properties *out, nilas_error *err) {
    nilas_str text;

    if (optional && access(file, F_OK) != 0) {
        return NILAS_OK;
    }
    NILAS_TRY(nilas_text_read(arena, file, &text, err));
    return nilas_properties_parse(arena, text, file, out, err);
}

nilas_code nilas_properties_add(nilas_arena *arena, const char *text, nilas_properties *out,
                                nilas_error *err) {
    const char *equals = strchr(text, '=');
    NILAS_REQUIRE(
        equals != NULL && equals > text, err, NILAS_INVALID,
        "--conf takes KEY=VALUE, such as --conf spark.sql.session.timeZone=UTC, not \"%s\"",
        equals == NULL ? text : "=…");

    nilas_property setting = {
        .key = nilas_str_trim((nilas_str){.data = text, .size = (size_t)(equals - text)}),
        .value = nilas_str_of(equals + 1)};
    NILAS_PUSH(arena, out, setting, err);
    return NILAS_OK;
}

nilas_code nilas_properties_read_user(nilas_arena *arena, nilas_properties *out, nilas_error *err) {
    const char *base = getenv("XDG_CONFIG_HOME");
    const char *home = getenv("HOME");
    nilas_str path;

    if (base != NULL && base[0] == '/') {
        NILAS_TRY(nilas_str_print(arena, &path, err, "%s/nilas/nilas.conf", base));
    } else if (home != NULL && home[0] == '/') {
        NILAS_TRY(nilas_str_print(arena, &path, err, "%s/.config/nilas/nilas.conf", home));
    } else {
        return NILAS_OK;
    }
    return nilas_properties_read(arena, path.data, true, out, err);
}

nilas_code nilas_properties_append(nilas_arena *arena, const nilas_properties *from,
                                   nilas_properties *out, nilas_error *err) {
    for (size_t i = 0; i < from->count; i++) {
        NILAS_PUSH(arena, out, from->items[i], err);
    }
    return NILAS_OK;
}
