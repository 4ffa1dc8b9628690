/** Failures of resolution in Spark's words. */
#include "function/resolve.h"

#include <stdio.h>

static const char *ordinal(size_t index) {
    static const char *const words[] = {"first", "second", "third", "4th",  "5th",  "6th",
                                        "7th",   "8th",    "9th",   "10th", "11th", "12th",
                                        "13th",  "14th",   "15th",  "16th"};
    return index < sizeof(words) / sizeof(words[0]) ? words[index] : "further";
}

nilas_code nilas_function__fail_mismatch(nilas_resolution *r, const char *condition,
                                         const char *format, ...) {
    char text[1500];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    return nilas_fail_at(r->err, NILAS_INVALID, condition, r->options->offset,
                         "Cannot resolve \"%.*s\" due to data type mismatch: %s",
                         NILAS_FMT(r->options->shown), text);
}

static void print_quoted(nilas_buf *out, const nilas_type *type) {
    nilas_buf_add_char(out, '"');
    nilas_type_print_sql(out, type);
    nilas_buf_add_char(out, '"');
}

static void print_pattern(nilas_buf *out, const nilas_resolution *r, const nilas_pattern *pattern) {
    switch (pattern->kind) {
    case NILAS_PATTERN_TYPE: print_quoted(out, pattern->type); return;
    case NILAS_PATTERN_CLASS:
        nilas_buf_print(out, "\"%s\"", nilas_function__class_name(pattern->class));
        return;
    case NILAS_PATTERN_VARIABLE: {
        const nilas_type *bound = r->bound[pattern->variable - 'A'];
        nilas_type_class class = r->classes[pattern->variable - 'A'];
        if (bound != NULL && class == NILAS_CLASS_ANY) {
            print_quoted(out, bound);
        } else {
            nilas_buf_print(out, "\"%s\"", nilas_function__class_name(class));
        }
        return;
    }
    case NILAS_PATTERN_ARRAY: nilas_buf_add_text(out, "\"ARRAY\""); return;
    case NILAS_PATTERN_MAP: nilas_buf_add_text(out, "\"MAP\""); return;
    case NILAS_PATTERN_LAMBDA: nilas_buf_add_text(out, "\"LAMBDA\""); return;
    case NILAS_PATTERN_ONE_OF:
        nilas_buf_add_char(out, '(');
        for (size_t i = 0; i < pattern->count; i++) {
            nilas_buf_add_text(out, i > 0 ? " or " : "");
            print_pattern(out, r, &pattern->parts[i]);
        }
        nilas_buf_add_char(out, ')');
        return;
    case NILAS_PATTERN_RULE: return;
    }
}

nilas_code nilas_function__fail_argument(nilas_resolution *r, size_t index,
                                         const nilas_pattern *pattern) {
    NILAS_AUTO_BUF required = {0};
    NILAS_AUTO_BUF found = {0};
    print_pattern(&required, r, pattern);
    if (r->arguments[index].type != NULL) {
        print_quoted(&found, r->arguments[index].type);
    }
    return nilas_function__fail_mismatch(
        r, "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE",
        "The %s parameter requires the %.*s type, however \"%.*s\" has the type %.*s.",
        ordinal(index), NILAS_FMT(nilas_buf_view(&required)), NILAS_FMT(r->arguments[index].shown),
        NILAS_FMT(nilas_buf_view(&found)));
}

/** What a binary operator takes, for the words of BINARY_OP_WRONG_TYPE. */
static const char *required_by(nilas_str name) {
    if (nilas_str_is_nocase(name, "and") || nilas_str_is_nocase(name, "or")) {
        return "\"BOOLEAN\"";
    }
    if (nilas_str_is(name, "&") || nilas_str_is(name, "|") || nilas_str_is(name, "^")) {
        return "\"INTEGRAL\"";
    }
    if (nilas_str_is(name, "/")) {
        return "(\"DOUBLE\" or \"DECIMAL\")";
    }
    if (nilas_str_is_nocase(name, "div")) {
        return "(\"BIGINT\" or \"DECIMAL\" or \"INTERVAL YEAR TO MONTH\" or \"INTERVAL DAY TO "
               "SECOND\")";
    }
    if (nilas_str_is(name, "+") || nilas_str_is(name, "-")) {
        return "(\"NUMERIC\" or \"INTERVAL DAY TO SECOND\" or \"INTERVAL YEAR TO MONTH\" or "
               "\"INTERVAL\")";
    }
    return nilas_str_is(name, "*") || nilas_str_is(name, "%") ? "\"NUMERIC\"" : "\"ORDERABLE\"";
}

nilas_code nilas_function__fail_binary(nilas_resolution *r) {
    NILAS_AUTO_BUF left = {0};
    NILAS_AUTO_BUF right = {0};
    const nilas_type *a = r->arguments[0].type;
    const nilas_type *b = r->arguments[1].type;
    bool nulls = a->kind == NILAS_TYPE_VOID || b->kind == NILAS_TYPE_VOID;
    print_quoted(&left, nulls ? r->types[0] : a);
    print_quoted(&right, nulls ? r->types[1] : b);
    if (nilas_type_equal(r->types[0], r->types[1]) && (nulls || nilas_type_equal(a, b))) {
        return nilas_function__fail_mismatch(
            r, "DATATYPE_MISMATCH.BINARY_OP_WRONG_TYPE",
            "the binary operator requires the input type %s, not %.*s.", required_by(r->name),
            NILAS_FMT(nilas_buf_view(&left)));
    }
    return nilas_function__fail_mismatch(r, "DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES",
                                         "the left and right operands of the binary operator have "
                                         "incompatible types (%.*s and %.*s).",
                                         NILAS_FMT(nilas_buf_view(&left)),
                                         NILAS_FMT(nilas_buf_view(&right)));
}

/** What a function over arrays or maps says of other types than its elements'. */
static nilas_code fail_elements(nilas_resolution *r, nilas_str list) {
    bool is_map = r->types[0]->kind == NILAS_TYPE_MAP;
    bool pair = r->count == 2 && r->types[1]->kind == r->types[0]->kind;
    const char *condition = is_map ? "DATATYPE_MISMATCH.MAP_FUNCTION_DIFF_TYPES"
                            : pair ? "DATATYPE_MISMATCH.BINARY_ARRAY_DIFF_TYPES"
                                   : "DATATYPE_MISMATCH.ARRAY_FUNCTION_DIFF_TYPES";
    const char *wanted = is_map ? "\"MAP\" followed by a value with same key type"
                         : pair ? "two \"ARRAY\" with same element type"
                                : "\"ARRAY\" followed by a value with same element type";
    return nilas_function__fail_mismatch(r, condition,
                                         "Input to `%.*s` should have been %s, but it's [%.*s].",
                                         NILAS_FMT(r->name), wanted, NILAS_FMT(list));
}

nilas_code nilas_function__fail_different(nilas_resolution *r) {
    NILAS_AUTO_BUF list = {0};
    for (size_t i = 0; i < r->count; i++) {
        if (r->arguments[i].type != NULL) {
            nilas_buf_add_text(&list, list.size > 0 ? ", " : "");
            print_quoted(&list, r->arguments[i].type);
        }
    }
    bool is_map_concat = nilas_str_is_nocase(r->name, "map_concat");
    if ((r->function->flags & NILAS_FUNCTION_UNIFORM) != 0 && !is_map_concat &&
        (r->types[0]->kind == NILAS_TYPE_ARRAY || r->types[0]->kind == NILAS_TYPE_MAP)) {
        return fail_elements(r, nilas_buf_view(&list));
    }
    return nilas_function__fail_mismatch(
        r, "DATATYPE_MISMATCH.DATA_DIFF_TYPES",
        "Input to `%.*s` should all be the same type, but it's [%.*s].", NILAS_FMT(r->name),
        NILAS_FMT(nilas_buf_view(&list)));
}

/** Which numbers of arguments the rows take: "1", "[1, 2]", "> 0". */
static nilas_code print_counts(nilas_resolution *r, nilas_buf *out,
                               const nilas_function *const *rows, size_t row_count) {
    bool taken[64] = {false};
    for (size_t i = 0; i < row_count; i++) {
        nilas_signature signature;
        NILAS_TRY(nilas_function__parse_signature(r->stmt, rows[i]->signature, &signature, r->err));
        if (signature.variadic) {
            nilas_buf_print(out, "> %zu", signature.least > 0 ? signature.least - 1 : 0);
            return NILAS_OK;
        }
        for (size_t n = signature.least; n <= signature.count && n < 64; n++) {
            taken[n] = true;
        }
    }
    size_t found = 0;
    for (size_t n = 0; n < 64; n++) {
        if (taken[n]) {
            nilas_buf_print(out, found > 0 ? ", %zu" : "%zu", n);
            found++;
        }
    }
    return NILAS_OK;
}

nilas_code nilas_function__fail_count(nilas_resolution *r, const nilas_function *const *rows,
                                      size_t row_count) {
    NILAS_AUTO_BUF counts = {0};
    NILAS_TRY(print_counts(r, &counts, rows, row_count));
    bool several = memchr(counts.data != NULL ? counts.data : "", ',', counts.size) != NULL;
    return nilas_fail_at(
        r->err, NILAS_INVALID, "WRONG_NUM_ARGS.WITHOUT_SUGGESTION", r->options->offset,
        "The `%.*s` requires %s%.*s%s parameters but the actual number is %zu. Please, refer to "
        "'https://spark.apache.org/docs/latest/sql-ref-functions.html' for a fix.",
        NILAS_FMT(r->name), several ? "[" : "", NILAS_FMT(nilas_buf_view(&counts)),
        several ? "]" : "", r->count);
}
