/*
 * CSV: names from the first line, types by looking at every value, reading as text that is cast
 * above.
 */
#include "engine/files_sql.h"

#define FIRST_LINE_LIMIT_BYTES (1 << 20)

static char option_char(const nilas_file_scan *scan, const char *key, const char *fallback) {
    nilas_str value = nilas_files__option(scan, key, fallback);
    return value.size > 0 ? value.data[0] : '\0';
}

static nilas_str separator(const nilas_file_scan *scan) {
    nilas_str value = nilas_files__option(scan, "sep", "");
    value = value.size > 0 ? value : nilas_files__option(scan, "delimiter", ",");
    return nilas_str_is(value, "\\t") ? NILAS_STR("\t") : value;
}

/** A cursor over the first line. */
typedef struct csv_line {
    nilas_str text;
    size_t at;
    nilas_str separator;
    char quote, escape;
} csv_line;

static bool at_separator(const csv_line *line) {
    return line->separator.size > 0 &&
           nilas_str_starts(nilas_str_slice(line->text, line->at, SIZE_MAX / 2), line->separator);
}

/** The escape character stands before one that it protects. */
static bool is_escaped(const csv_line *line) {
    if (line->at + 1 >= line->text.size || line->text.data[line->at] != line->escape) {
        return false;
    }
    return line->escape != line->quote || line->text.data[line->at + 1] == line->quote;
}

/** One cell, unquoted, into `out`. */
static void read_cell(csv_line *line, nilas_buf *out) {
    bool quoted = line->quote != '\0' && line->at < line->text.size &&
                  line->text.data[line->at] == line->quote;
    line->at += quoted ? 1 : 0;
    while (line->at < line->text.size) {
        char c = line->text.data[line->at];
        if (quoted && is_escaped(line)) {
            nilas_buf_add_char(out, line->text.data[line->at + 1]);
            line->at += 2;
            continue;
        }
        if (quoted && c == line->quote) {
            quoted = false;
            line->at++;
            continue;
        }
        if (!quoted && (c == '\n' || c == '\r' || at_separator(line))) {
            return;
        }
        nilas_buf_add_char(out, c);
        line->at++;
    }
}

static nilas_code read_first_line(nilas_arena *arena, const nilas_file_source *source,
                                  nilas_str *out, nilas_error *err) {
    NILAS_AUTO(nilas_io) io = NULL;
    nilas_io_stat stat;
    NILAS_TRY(nilas_io_new(&io, err));
    NILAS_TRY(nilas_io_stat_file(io, source->files[0], &stat, err));
    size_t size =
        stat.size_bytes < FIRST_LINE_LIMIT_BYTES ? (size_t)stat.size_bytes : FIRST_LINE_LIMIT_BYTES;
    return nilas_io_read_range(io, arena, source->files[0], 0, size, out, err);
}

static bool name_is_taken(const nilas_str *names, size_t count, size_t own) {
    for (size_t i = 0; i < count; i++) {
        if (i != own && nilas_str_equal_nocase(names[i], names[own])) {
            return true;
        }
    }
    return false;
}

/** Empty and repeated names get their position, as Spark gives it. */
static nilas_code name_columns(nilas_arena *arena, const nilas_str *cells, size_t count,
                               bool has_header, nilas_str *out, nilas_error *err) {
    for (size_t i = 0; i < count; i++) {
        if (!has_header || cells[i].size == 0) {
            NILAS_TRY(nilas_str_print(arena, &out[i], err, "_c%zu", i));
        } else if (name_is_taken(cells, count, i)) {
            NILAS_TRY(nilas_str_print(arena, &out[i], err, "%.*s%zu", NILAS_FMT(cells[i]), i));
        } else {
            out[i] = cells[i];
        }
    }
    return NILAS_OK;
}

nilas_code nilas_files__read_csv_columns(nilas_arena *arena, const nilas_file_scan *scan,
                                         nilas_file_source *source, nilas_error *err) {
    csv_line line = {.separator = separator(scan),
                     .quote = option_char(scan, "quote", "\""),
                     .escape = option_char(scan, "escape", "\\")};
    NILAS_TRY(read_first_line(arena, source, &line.text, err));
    if (nilas_str_starts(line.text, NILAS_STR("\xEF\xBB\xBF"))) {
        line.at = 3;
    }
    NILAS_ARRAY_OF(nilas_str) cells = {0};
    bool more = line.text.size > line.at;
    while (more) {
        NILAS_AUTO_BUF cell = NILAS_BUF_INIT(0);
        nilas_str text;
        read_cell(&line, &cell);
        NILAS_TRY(nilas_buf_finish(&cell, arena, &text, err));
        NILAS_PUSH(arena, &cells, text, err);
        more = at_separator(&line) && line.at < line.text.size;
        line.at += more ? line.separator.size : 0;
    }
    NILAS_NEW_ARRAY(arena, &source->csv_columns, cells.count, err);
    source->csv_column_count = cells.count;
    return name_columns(arena, cells.items, cells.count, nilas_files__flag(scan, "header", false),
                        source->csv_columns, err);
}

static void print_option(nilas_buf *out, const char *name, nilas_str value) {
    nilas_buf_print(out, ", %s = ", name);
    nilas_render__text(out, value);
}

void nilas_files__print_read_csv(nilas_buf *out, const nilas_file_scan *scan,
                                 const nilas_file_source *source) {
    nilas_buf_add_text(out, "read_csv(");
    nilas_files__print_list(out, source);
    nilas_buf_print(out,
                    ", auto_detect = false, header = %s, null_padding = true, strict_mode = false, "
                    "allow_quoted_nulls = false, "
                    "max_line_size = 67108864",
                    nilas_files__flag(scan, "header", false) ? "true" : "false");
    print_option(out, "delim", separator(scan));
    print_option(out, "quote", nilas_files__option(scan, "quote", "\""));
    print_option(out, "escape", nilas_files__option(scan, "escape", "\\"));
    print_option(out, "nullstr", nilas_files__option(scan, "nullValue", ""));
    nilas_buf_add_text(out, ", columns = {");
    for (size_t i = 0; i < source->csv_column_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        nilas_render__identifier(out, source->csv_columns[i]);
        nilas_buf_add_text(out, ": 'VARCHAR'");
    }
    nilas_buf_add_text(out, "})");
}

/**
 * What the values of a column may all be, tried in this order; each is an SQL condition over %s.
 */
static const struct {
    char mark;
    nilas_type_kind kind;
    const char *condition;
} guesses[] = {
    {'i', NILAS_TYPE_INT,
     "regexp_full_match(%s, '[+-]?[0-9]+') AND TRY_CAST(%s AS INTEGER) IS NOT NULL"},
    {'l', NILAS_TYPE_BIGINT,
     "regexp_full_match(%s, '[+-]?[0-9]+') AND TRY_CAST(%s AS BIGINT) IS NOT NULL"},
    {'d', NILAS_TYPE_DOUBLE,
     "regexp_full_match(%s, '[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?|NaN|-?Inf') AND "
     "%s IS NOT NULL"},
    {'D', NILAS_TYPE_DATE,
     "regexp_full_match(%s, '[0-9]{4}-[0-9]{2}-[0-9]{2}') AND TRY_CAST(%s AS DATE) IS NOT NULL"},
    {'t', NILAS_TYPE_TIMESTAMP,
     "regexp_full_match(%s, '[0-9]{4}-[0-9]{2}-[0-9]{2}([T ].*)?') AND TRY_CAST(%s AS TIMESTAMPTZ) "
     "IS NOT NULL"},
    {'b', NILAS_TYPE_BOOLEAN, "lower(%s) IN ('true', 'false') AND %s IS NOT NULL"},
};
#define GUESS_COUNT (sizeof(guesses) / sizeof(guesses[0]))

/** One text: per column the mark of the first guess that holds for all its values, 's' for none. */
static nilas_code print_inference(nilas_arena *arena, const nilas_file_scan *scan,
                                  const nilas_file_source *source, nilas_str *out,
                                  nilas_error *err) {
    NILAS_AUTO_BUF sql = NILAS_BUF_INIT(0);
    nilas_buf_add_text(&sql, "SELECT ''");
    for (size_t i = 0; i < source->csv_column_count; i++) {
        NILAS_AUTO_BUF name = NILAS_BUF_INIT(0);
        nilas_render__identifier(&name, source->csv_columns[i]);
        nilas_str column = nilas_buf_view(&name);
        nilas_buf_print(&sql, " || CASE WHEN count(%.*s) = 0 THEN 's'", NILAS_FMT(column));
        for (size_t g = 0; g < GUESS_COUNT; g++) {
            nilas_buf_add_text(&sql, " WHEN bool_and(");
            const char *rest = guesses[g].condition;
            for (const char *at = strstr(rest, "%s"); at != NULL; at = strstr(rest, "%s")) {
                nilas_buf_add_bytes(&sql, rest, (size_t)(at - rest));
                nilas_buf_add(&sql, column);
                rest = at + 2;
            }
            nilas_buf_print(&sql, "%s) FILTER (WHERE %.*s IS NOT NULL) THEN '%c'", rest,
                            NILAS_FMT(column), guesses[g].mark);
        }
        nilas_buf_add_text(&sql, " ELSE 's' END");
    }
    nilas_buf_add_text(&sql, " FROM ");
    nilas_files__print_read_csv(&sql, scan, source);
    return nilas_buf_finish(&sql, arena, out, err);
}

static const nilas_type *guessed_type(char mark) {
    for (size_t g = 0; g < GUESS_COUNT; g++) {
        if (guesses[g].mark == mark) {
            return nilas_type_of(guesses[g].kind);
        }
    }
    return nilas_type_of(NILAS_TYPE_STRING);
}

nilas_code nilas_files__infer_csv(nilas_job *job, nilas_arena *arena, const nilas_file_scan *scan,
                                  const nilas_file_source *source, const nilas_type **out,
                                  nilas_error *err) {
    nilas_str marks = NILAS_STR_EMPTY;
    nilas_type_field *fields;
    if (nilas_files__flag(scan, "inferSchema", false) && source->csv_column_count > 0) {
        nilas_str sql;
        NILAS_TRY(print_inference(arena, scan, source, &sql, err));
        NILAS_TRY(nilas_files__query_text(job, arena, sql, &marks, err));
    }
    NILAS_NEW_ARRAY(arena, &fields, source->csv_column_count, err);
    for (size_t i = 0; i < source->csv_column_count; i++) {
        fields[i] = (nilas_type_field){.name = source->csv_columns[i],
                                       .nullable = true,
                                       .type = guessed_type(i < marks.size ? marks.data[i] : 's')};
    }
    return nilas_type_struct(arena, fields, source->csv_column_count, out, err);
}
