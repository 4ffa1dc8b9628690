/* The walk of a result through a format, and the choice of the format. */
#include "shell/print.h"

static const nilas_shell_format_steps *const formats[] = {
    [NILAS_FORMAT_TABLE] = &nilas_shell__table_steps,
    [NILAS_FORMAT_VERTICAL] = &nilas_shell__vertical_steps,
    [NILAS_FORMAT_TSV] = &nilas_shell__tsv_steps,
    [NILAS_FORMAT_CSV] = &nilas_shell__csv_steps,
    [NILAS_FORMAT_MARKDOWN] = &nilas_shell__markdown_steps,
    [NILAS_FORMAT_JSON] = &nilas_shell__json_steps,
    [NILAS_FORMAT_ARROW] = &nilas_shell__arrow_steps,
    [NILAS_FORMAT_PLOT] = &nilas_shell__plot_steps,
};

const nilas_shell_format_steps *nilas_shell__format_steps(nilas_shell_format format) {
    nilas_assert((size_t)format < sizeof(formats) / sizeof(formats[0]));
    return formats[format];
}

bool nilas_shell__format_find(nilas_str name, nilas_shell_format *out) {
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        if (nilas_str_is_nocase(name, formats[i]->name)) {
            *out = (nilas_shell_format)i;
            return true;
        }
    }
    return false;
}

static nilas_code print_batches(nilas_shell_print *print, nilas_result *result, nilas_error *err) {
    while (!print->full) {
        NILAS_AUTO_ARROW_ARRAY batch = {0};
        NILAS_TRY(nilas_result_next(result, &batch, err));
        if (batch.release == NULL) {
            return NILAS_OK;
        }
        NILAS_TRY(nilas_shell__print_batch(print, &batch, err));
    }
    return NILAS_OK;
}

nilas_code nilas_shell__print_result(nilas_shell_print *print, nilas_result *result,
                                     nilas_error *err) {
    NILAS_AUTO_ARROW_SCHEMA schema = {0};

    NILAS_TRY(nilas_result_schema(result, &schema, err));
    NILAS_TRY(nilas_shell__print_begin(print, nilas_result_type(result), &schema, err));
    if (print->root.child_count > 0) {
        NILAS_TRY(print_batches(print, result, err));
    }
    NILAS_TRY(nilas_shell__print_end(print, err));
    return nilas_shell__output_flush(print->output, err);
}

/** Whether a format prints nothing at all here: a table of no columns says nothing. */
static bool is_silent(const nilas_shell_print *print) {
    return print->root.child_count == 0 &&
           !nilas_shell__format_steps(print->options->format)->streams;
}

nilas_code nilas_shell__print_begin(nilas_shell_print *print, const nilas_type *type,
                                    const struct ArrowSchema *schema, nilas_error *err) {
    const nilas_shell_format_steps *steps = nilas_shell__format_steps(print->options->format);

    nilas_assert(print->arena == NULL);
    print->arena = nilas_arena_new(NULL, 0);
    NILAS_REQUIRE(print->arena != NULL, err, NILAS_NOMEM, "out of memory for printing");
    print->type = type;
    print->style.zone = print->zone;
    NILAS_TRY(nilas_print_columns_bind(print->arena, type, schema, &print->root, err));
    return steps->begin != NULL && !is_silent(print) ? steps->begin(print, schema, err) : NILAS_OK;
}

nilas_code nilas_shell__print_batch(nilas_shell_print *print, const struct ArrowArray *batch,
                                    nilas_error *err) {
    const nilas_shell_format_steps *steps = nilas_shell__format_steps(print->options->format);

    NILAS_REQUIRE(batch->n_children == (int64_t)print->root.child_count, err, NILAS_ENGINE,
                  "a batch has %lld columns instead of %zu", (long long)batch->n_children,
                  print->root.child_count);
    return steps->batch(print, batch, err);
}

nilas_code nilas_shell__print_end(nilas_shell_print *print, nilas_error *err) {
    const nilas_shell_format_steps *steps = nilas_shell__format_steps(print->options->format);
    return steps->end != NULL && !is_silent(print) ? steps->end(print, err) : NILAS_OK;
}

void nilas_shell__print_done(nilas_shell_print *print) {
    const nilas_shell_format_steps *steps = nilas_shell__format_steps(print->options->format);

    if (steps->done != NULL) {
        steps->done(print);
    }
    nilas_arena_free(print->arena);
    print->arena = NULL;
    print->state = NULL;
}

// ---- looks --------------------------------------------------------------------------------------

static bool has_columns(const nilas_type *type, const char *const *names, size_t count) {
    if (type->field_count != count) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!nilas_str_is(type->fields[i].name, names[i])) {
            return false;
        }
    }
    return true;
}

/** The next word of letters, in upper case; white space and comments before it are skipped. */
static bool next_word_is(nilas_str *text, const char *word) {
    size_t size = 0;

    *text = nilas_str_trim(*text);
    while (size < text->size &&
           ((text->data[size] | 0x20) >= 'a' && (text->data[size] | 0x20) <= 'z')) {
        size++;
    }
    bool same = nilas_str_is_nocase(nilas_str_slice(*text, 0, size), word);
    if (same) {
        *text = nilas_str_slice(*text, size, text->size);
    }
    return same;
}

nilas_shell_look nilas_shell__look_of(nilas_str statement, const nilas_type *type) {
    static const char *const tables[] = {"namespace", "tableName", "isTemporary"};
    static const char *const described[] = {"col_name", "data_type", "comment"};

    if (has_columns(type, tables, 3) && next_word_is(&statement, "SHOW") &&
        next_word_is(&statement, "TABLES")) {
        return NILAS_LOOK_TABLE_NAMES;
    }
    if (has_columns(type, described, 3) &&
        (next_word_is(&statement, "DESCRIBE") || next_word_is(&statement, "DESC"))) {
        return NILAS_LOOK_DESCRIBE;
    }
    return NILAS_LOOK_PLAIN;
}
