/**
 * Printing one result in one of the formats: begin with its types, take its batches, end.
 *
 * tsv, csv, markdown, json and arrow are written as rows arrive and hold one batch; table,
 * vertical and plot hold the rows that they show, because widths are known only at the end.
 */
#ifndef NILAS_SHELL_PRINT_H
#define NILAS_SHELL_PRINT_H

#include "print/print.h"
#include "shell/output.h"

typedef enum nilas_shell_format {
    NILAS_FORMAT_TABLE,
    NILAS_FORMAT_VERTICAL,
    NILAS_FORMAT_TSV,
    NILAS_FORMAT_CSV,
    NILAS_FORMAT_MARKDOWN,
    NILAS_FORMAT_JSON,
    NILAS_FORMAT_ARROW,
    NILAS_FORMAT_PLOT,
} nilas_shell_format;

typedef struct nilas_shell_print_options {
    nilas_shell_format format;
    int64_t truncate;  // table, vertical: letters of a cell; 0: whole
    int64_t row_limit; // table, vertical: rows shown; -1: all
    bool json_typed;   // json: values instead of texts
    bool header;       // tsv: a line of column names
    int columns;       // plot: width of the terminal
    bool colour;       // plot: of the series
} nilas_shell_print_options;

/** spark-sql prints some statements in a form of their own. */
typedef enum nilas_shell_look {
    NILAS_LOOK_PLAIN,
    NILAS_LOOK_TABLE_NAMES, // SHOW TABLES: the names only
    NILAS_LOOK_DESCRIBE,    // DESCRIBE: cells padded to 20, null is empty
} nilas_shell_look;

/** The look of a statement's result, by its first words and its columns. */
nilas_shell_look nilas_shell__look_of(nilas_str statement, const nilas_type *type);

typedef struct nilas_shell_print {
    // given
    nilas_shell_output *output;
    const nilas_shell_print_options *options;
    const nilas_zone *zone;
    nilas_shell_look look;
    // bound
    nilas_arena *arena; // freed by nilas_shell__print_done()
    const nilas_type *type;
    nilas_print_column root;
    nilas_print_style style;
    int64_t row_count; // taken so far
    bool full;         // no more rows are wanted
    bool begun;        // json: the line's beginning is in the output
    bool written;      // json: and some of it is out
    void *state;       // of the format
} nilas_shell_print;

/**
 * Run a result through begin, batches and end, and flush. On failure the output holds what was
 * printed before.
 */
nilas_code nilas_shell__print_result(nilas_shell_print *print, nilas_result *result,
                                     nilas_error *err);

nilas_code nilas_shell__print_begin(nilas_shell_print *print, const nilas_type *type,
                                    const struct ArrowSchema *schema, nilas_error *err);
nilas_code nilas_shell__print_batch(nilas_shell_print *print, const struct ArrowArray *batch,
                                    nilas_error *err);
nilas_code nilas_shell__print_end(nilas_shell_print *print, nilas_error *err);
void nilas_shell__print_done(nilas_shell_print *print);

/**
 * json: the line of a failed statement, in place of what is waiting or as the rest of what is out.
 */
void nilas_shell__print_json_error(nilas_shell_print *print, const nilas_error *failure);

/** A format: its three steps. `begin` and `end` may be NULL. */
typedef struct nilas_shell_format_steps {
    const char *name;
    bool streams; // prints results without columns, too
    nilas_code (*begin)(nilas_shell_print *print, const struct ArrowSchema *schema,
                        nilas_error *err);
    nilas_code (*batch)(nilas_shell_print *print, const struct ArrowArray *batch, nilas_error *err);
    nilas_code (*end)(nilas_shell_print *print, nilas_error *err);
    void (*done)(nilas_shell_print *print); // frees `state`, also half built; or NULL
} nilas_shell_format_steps;

extern const nilas_shell_format_steps nilas_shell__table_steps, nilas_shell__vertical_steps,
    nilas_shell__tsv_steps, nilas_shell__csv_steps, nilas_shell__markdown_steps,
    nilas_shell__json_steps, nilas_shell__arrow_steps, nilas_shell__plot_steps;

/** Steps of a format; all formats in order, for --help and --format. */
const nilas_shell_format_steps *nilas_shell__format_steps(nilas_shell_format format);
bool nilas_shell__format_find(nilas_str name, nilas_shell_format *out);

#endif
