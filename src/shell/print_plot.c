/*
 * A chart in the terminal, of a result of two or three columns: a label (or x), perhaps a series,
 * and a number. Labels of text give bars; numbers, dates and times in many rows give a line of
 * braille dots, one line a series.
 */
#include <math.h>
#include <stdlib.h>

#include "print/print.h"
#include "shell/print.h"

#define POINT_LIMIT  100000
#define SERIES_LIMIT 6
#define LABEL_LIMIT  40 // letters of a bar's label
#define BAR_ROWS     40 // more rows of ordered labels are drawn as a line
#define LINE_HEIGHT  16 // lines of text, of four dots each

typedef struct point {
    nilas_str label;
    size_t series;
    double x, y;
} point;

typedef struct plot {
    NILAS_ARRAY_OF(point) points;
    NILAS_ARRAY_OF(nilas_str) series;
    bool ordered; // x is a number
} plot;

static bool is_number(const nilas_type *type) {
    return nilas_type_is_numeric(type) || type->kind == NILAS_TYPE_BOOLEAN;
}

static bool is_axis(const nilas_type *type) {
    return nilas_type_is_numeric(type) || type->kind == NILAS_TYPE_DATE ||
           type->kind == NILAS_TYPE_TIMESTAMP || type->kind == NILAS_TYPE_TIMESTAMP_NTZ;
}

static double number_of(const nilas_print_column *column, const struct ArrowArray *array,
                        int64_t row) {
    switch (column->layout) {
    case NILAS_LAYOUT_REAL: return nilas_print_cell_real(column, array, row);
    case NILAS_LAYOUT_DECIMAL:
        return nilas_decimal_to_double(nilas_print_cell_decimal(array, row),
                                       (uint32_t)column->scale);
    case NILAS_LAYOUT_BIT:
    case NILAS_LAYOUT_INTEGER: return (double)nilas_print_cell_integer(column, array, row);
    default: return NAN;
    }
}

static nilas_code begin_plot(nilas_shell_print *print, const struct ArrowSchema *schema,
                             nilas_error *err) {
    const nilas_print_column *columns = print->root.children;
    size_t count = print->root.child_count;
    plot *state;

    (void)schema;
    NILAS_REQUIRE(count == 2 || count == 3, err, NILAS_INVALID,
                  "--format plot draws two columns (label, number) or three (label, series, "
                  "number), this result has %zu",
                  count);
    NILAS_REQUIRE(is_number(columns[count - 1].type), err, NILAS_INVALID,
                  "--format plot needs a number in the last column, \"%.*s\" is none",
                  NILAS_FMT(columns[count - 1].name));
    NILAS_NEW(print->arena, &state, err);
    state->ordered = is_axis(columns[0].type);
    print->state = state;
    print->style.form = NILAS_FORM_SHOWN;
    return NILAS_OK;
}

static nilas_code text_of(nilas_shell_print *print, size_t index, const struct ArrowArray *batch,
                          int64_t row, nilas_str *out, nilas_error *err) {
    NILAS_AUTO_BUF cell = NILAS_BUF_INIT(SIZE_MAX);
    NILAS_AUTO_BUF escaped = NILAS_BUF_INIT(SIZE_MAX);
    NILAS_AUTO_BUF cut = NILAS_BUF_INIT(SIZE_MAX);

    nilas_print_cell(&cell, &print->root.children[index], batch->children[index], row,
                     &print->style);
    nilas_buf_add_escaped(&escaped, nilas_buf_view(&cell));
    nilas_print_text_cut(&cut, nilas_buf_view(&escaped), LABEL_LIMIT);
    return nilas_buf_finish(&cut, print->arena, out, err);
}

static nilas_code series_of(plot *state, nilas_arena *arena, nilas_str name, size_t *out,
                            nilas_error *err) {
    for (size_t i = 0; i < state->series.count; i++) {
        if (nilas_str_equal(state->series.items[i], name)) {
            *out = i;
            return NILAS_OK;
        }
    }
    NILAS_REQUIRE(state->series.count < SERIES_LIMIT, err, NILAS_LIMIT,
                  "--format plot draws at most %d series", SERIES_LIMIT);
    *out = state->series.count;
    NILAS_PUSH(arena, &state->series, name, err);
    return NILAS_OK;
}

static nilas_code take_points(nilas_shell_print *print, const struct ArrowArray *batch,
                              nilas_error *err) {
    plot *state = print->state;
    size_t last = print->root.child_count - 1;

    for (int64_t row = 0; row < batch->length; row++) {
        int64_t at = nilas_print_cell_struct_row(batch, row);
        point next = {.x = NAN, .y = NAN};
        NILAS_REQUIRE(state->points.count < POINT_LIMIT, err, NILAS_LIMIT,
                      "--format plot draws at most %d rows", POINT_LIMIT);
        NILAS_TRY(text_of(print, 0, batch, at, &next.label, err));
        if (last == 2) {
            nilas_str name;
            NILAS_TRY(text_of(print, 1, batch, at, &name, err));
            NILAS_TRY(series_of(state, print->arena, name, &next.series, err));
        }
        if (!nilas_print_cell_is_null(&print->root.children[last], batch->children[last], at)) {
            next.y = number_of(&print->root.children[last], batch->children[last], at);
        }
        if (state->ordered &&
            !nilas_print_cell_is_null(&print->root.children[0], batch->children[0], at)) {
            next.x = number_of(&print->root.children[0], batch->children[0], at);
        }
        NILAS_PUSH(print->arena, &state->points, next, err);
        print->row_count++;
    }
    return NILAS_OK;
}

// ---- bars ---------------------------------------------------------------------------------------

static void print_short(nilas_buf *out, double value) {
    if (!isfinite(value)) {
        nilas_buf_add_text(out, isnan(value) ? "-" : value > 0 ? "Infinity" : "-Infinity");
    } else if (value == floor(value) && fabs(value) < 1e15) {
        nilas_buf_print(out, "%.0f", value);
    } else {
        nilas_buf_print(out, "%.6g", value);
    }
}

/** A bar in eighths of a column. */
static void print_bar(nilas_buf *out, double share, int width) {
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    int steps = (int)lround(share * width * 8);

    for (int i = 0; i < steps / 8; i++) {
        nilas_buf_add_text(out, "█");
    }
    nilas_buf_add_text(out, eighths[steps % 8]);
}

static void measure(const plot *state, int64_t *label_width, int64_t *series_width,
                    double *largest) {
    for (size_t i = 0; i < state->points.count; i++) {
        const point *at = &state->points.items[i];
        int64_t width = nilas_print_text_width(at->label);
        *label_width = width > *label_width ? width : *label_width;
        *largest = isfinite(at->y) && fabs(at->y) > *largest ? fabs(at->y) : *largest;
    }
    for (size_t i = 0; i < state->series.count; i++) {
        int64_t width = nilas_print_text_width(state->series.items[i]);
        *series_width = width > *series_width ? width : *series_width;
    }
}

static void print_column(nilas_buf *out, nilas_str text, int64_t width, bool right) {
    int64_t padding = width - nilas_print_text_width(text);

    nilas_print_text_repeat(out, ' ', right ? padding : 0);
    nilas_buf_add(out, text);
    nilas_print_text_repeat(out, ' ', right ? 0 : padding);
    nilas_buf_add_char(out, ' ');
}

static void print_bars(nilas_shell_print *print) {
    const plot *state = print->state;
    nilas_buf *out = &print->output->text;
    int64_t label_width = 0;
    int64_t series_width = 0;
    double largest = 0;

    measure(state, &label_width, &series_width, &largest);
    int64_t left = print->options->columns - label_width - series_width - 16;
    int width = left < 10 ? 10 : (int)left;
    for (size_t i = 0; i < state->points.count; i++) {
        const point *at = &state->points.items[i];
        print_column(out, at->label, label_width, state->ordered);
        if (state->series.count > 0) {
            print_column(out, state->series.items[at->series], series_width, false);
        }
        nilas_buf_add_text(out, "│");
        print_bar(out, isfinite(at->y) && largest > 0 ? fabs(at->y) / largest : 0, width);
        nilas_buf_add_char(out, ' ');
        print_short(out, at->y);
        nilas_buf_add_char(out, '\n');
    }
}

// ---- a line -------------------------------------------------------------------------------------

typedef struct box {
    double x_low, x_high, y_low, y_high;
} box;

typedef struct drawing {
    uint8_t *dots;  // a byte a letter: the eight dots of U+2800 and on
    uint8_t *owner; // series that drew last, for colour
    int columns;    // letters
} drawing;

static void set_dot(drawing *canvas, int x, int y, size_t series) {
    static const uint8_t bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    int at = y / 4 * canvas->columns + x / 2;

    canvas->dots[at] |= bits[y % 4][x % 2];
    canvas->owner[at] = (uint8_t)series;
}

typedef struct dot {
    int x, y;
} dot;

static void draw_line(drawing *canvas, dot from, dot to, size_t series) {
    int across = abs(to.x - from.x);
    int down = abs(to.y - from.y);
    int steps = across > down ? across : down;

    for (int i = 0; i <= steps; i++) {
        double share = steps > 0 ? (double)i / steps : 0;
        set_dot(canvas, (int)lround(from.x + (to.x - from.x) * share),
                (int)lround(from.y + (to.y - from.y) * share), series);
    }
}

/** Green, yellow, blue, magenta, cyan, red: in this order the neighbours differ most. */
static void print_colour(nilas_buf *out, bool colour, size_t series) {
    static const char codes[SERIES_LIMIT] = {'2', '3', '4', '5', '6', '1'};

    if (colour) {
        nilas_buf_print(out, "\033[3%cm", codes[series % SERIES_LIMIT]);
    }
}

static void print_canvas(nilas_buf *out, const drawing *canvas, box around, bool colour) {
    for (int line = 0; line < LINE_HEIGHT; line++) {
        NILAS_AUTO_BUF mark = NILAS_BUF_INIT(64);
        if (line == 0 || line == LINE_HEIGHT - 1) {
            print_short(&mark, line == 0 ? around.y_high : around.y_low);
        }
        print_column(out, nilas_buf_view(&mark), 12, true);
        nilas_buf_add_text(out, "│");
        for (int i = 0; i < canvas->columns; i++) {
            int at = line * canvas->columns + i;
            print_colour(out, colour && canvas->dots[at] != 0, canvas->owner[at]);
            nilas_buf_add_codepoint(out, 0x2800U + canvas->dots[at]);
        }
        nilas_buf_add_text(out, colour ? "\033[0m" : "");
        nilas_buf_add_char(out, '\n');
    }
}

static box box_of(const plot *state) {
    box found = {INFINITY, -INFINITY, INFINITY, -INFINITY};

    for (size_t i = 0; i < state->points.count; i++) {
        const point *at = &state->points.items[i];
        if (isfinite(at->x) && isfinite(at->y)) {
            found.x_low = fmin(found.x_low, at->x);
            found.x_high = fmax(found.x_high, at->x);
            found.y_low = fmin(found.y_low, at->y);
            found.y_high = fmax(found.y_high, at->y);
        }
    }
    return found;
}

static int place(double value, double low, double high, int size) {
    return high > low ? (int)lround((value - low) / (high - low) * (size - 1)) : 0;
}

static dot dot_of(const drawing *canvas, const box *around, const point *at) {
    int height = LINE_HEIGHT * 4;
    return (dot){.x = place(at->x, around->x_low, around->x_high, canvas->columns * 2),
                 .y = height - 1 - place(at->y, around->y_low, around->y_high, height)};
}

static void draw_series(const plot *state, drawing *canvas, const box *around, size_t series) {
    const point *before = NULL;

    for (size_t i = 0; i < state->points.count; i++) {
        const point *at = &state->points.items[i];
        if (at->series != series || !isfinite(at->x) || !isfinite(at->y)) {
            continue;
        }
        draw_line(canvas, dot_of(canvas, around, before != NULL ? before : at),
                  dot_of(canvas, around, at), series);
        before = at;
    }
}

static nilas_code print_lines(nilas_shell_print *print, nilas_error *err) {
    const plot *state = print->state;
    nilas_buf *out = &print->output->text;
    box around = box_of(state);
    drawing canvas = {.columns = print->options->columns > 40 ? print->options->columns - 14 : 26};
    size_t size = (size_t)canvas.columns * LINE_HEIGHT;

    NILAS_NEW_ARRAY(print->arena, &canvas.dots, size, err);
    NILAS_NEW_ARRAY(print->arena, &canvas.owner, size, err);
    for (size_t series = 0; series == 0 || series < state->series.count; series++) {
        draw_series(state, &canvas, &around, series);
    }
    bool colour = print->options->colour && state->series.count > 1;
    print_canvas(out, &canvas, around, colour);

    const point *points = state->points.items;
    nilas_str first = points[0].label;
    nilas_str last = points[state->points.count - 1].label;
    nilas_print_text_repeat(out, ' ', 14);
    nilas_buf_add(out, first);
    nilas_print_text_repeat(
        out, ' ', canvas.columns - nilas_print_text_width(first) - nilas_print_text_width(last));
    nilas_buf_add(out, last);
    nilas_buf_add_char(out, '\n');
    for (size_t i = 0; i < state->series.count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "              series: ");
        print_colour(out, colour, i);
        nilas_buf_add(out, state->series.items[i]);
        nilas_buf_add_text(out, colour ? "\033[0m" : "");
    }
    nilas_buf_add_text(out, state->series.count > 0 ? "\n" : "");
    return NILAS_OK;
}

static nilas_code end_plot(nilas_shell_print *print, nilas_error *err) {
    const plot *state = print->state;
    box around = box_of(state);

    if (state->points.count == 0) {
        nilas_buf_add_text(&print->output->text, "(0 rows)\n");
        return NILAS_OK;
    }
    if (state->ordered && state->points.count > BAR_ROWS && around.x_high > around.x_low) {
        return print_lines(print, err);
    }
    print_bars(print);
    return NILAS_OK;
}

const nilas_shell_format_steps nilas_shell__plot_steps = {
    .name = "plot", .begin = begin_plot, .batch = take_points, .end = end_plot};
