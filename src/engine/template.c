/**
 * Templates. The text of a row is copied; "$…" and "{condition:A|B}" are replaced (see
 * function/README.md). A row whose template is "@name" is written by the renderer of that name.
 */
#include "engine/template.h"

#include "engine/call.h"
#include "engine/cast.h"
#include "engine/ordered.h"

typedef struct writer {
    nilas_buf *out;
    const nilas_call_sql *call;
    nilas_error *err;
} writer;

static nilas_code write_text(writer *w, const char *at, const char *end);
static bool ignores_distinct(const nilas_function *function);

static const nilas_renderer *find_renderer(const char *name) {
    const nilas_renderer *lists[] = {
        nilas_engine__decimal_renderers,   nilas_engine__scalar_renderers,
        nilas_engine__time_renderers,      nilas_engine__collection_renderers,
        nilas_engine__aggregate_renderers, nilas_engine__document_renderers};
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        for (const nilas_renderer *r = lists[i]; r->name != NULL; r++) {
            if (strcmp(r->name, name) == 0) {
                return r;
            }
        }
    }
    return NULL;
}

bool nilas_engine__has_renderer(const char *name) {
    return find_renderer(name) != NULL;
}

nilas_code nilas_engine__print_call(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    const char *text = call->function->render;
    if (text[0] == '@') {
        const nilas_renderer *renderer = find_renderer(text + 1);
        if (renderer == NULL) {
            return nilas_fail(err, NILAS_UNSUPPORTED,
                              "function %s is not supported by this version", call->function->name);
        }
        return renderer->render(out, call, err);
    }
    if (call->distinct && strstr(text, "$distinct") == NULL && !ignores_distinct(call->function)) {
        return nilas_fail(err, NILAS_UNSUPPORTED,
                          "DISTINCT is not supported for the aggregate function %s",
                          call->function->name);
    }
    return nilas_engine__fill_template(out, call, text, err);
}

nilas_code nilas_engine__fill_template(nilas_buf *out, const nilas_call_sql *call, const char *text,
                                       nilas_error *err) {
    writer w = {.out = out, .call = call, .err = err};
    return write_text(&w, text, text + strlen(text));
}

/** Aggregates whose result repeated values do not change. */
static bool ignores_distinct(const nilas_function *function) {
    static const char *const names[] = {
        "min",    "max",   "bool_and", "bool_or", "every",
        "any",    "some",  "bit_and",  "bit_or",  "approx_count_distinct",
        "min_by", "max_by"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(function->name, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* --- conditions: {ansi:A|B} --- */

/** End of the part that starts at `at`: the "}" or lone "|" at depth 0. */
static const char *part_end(const char *at, const char *end, bool stop_at_bar) {
    int depth = 0;
    for (; at < end; at++) {
        if (*at == '{') {
            depth++;
        } else if (*at == '}') {
            if (depth-- == 0) {
                return at;
            }
        } else if (*at == '|' && depth == 0 && stop_at_bar) {
            if (at[1] != '|') {
                return at;
            }
            at++;
        }
    }
    nilas_assert(false && "a condition ends");
    return end;
}

static bool type_is(const nilas_type *type, const char *name, size_t size) {
    NILAS_AUTO_BUF text = {0};
    if (type != NULL) {
        nilas_engine__print_type(&text, type);
    }
    return nilas_str_equal(nilas_buf_view(&text), (nilas_str){.data = name, .size = size});
}

/** Whether the word before ":" is a condition, and whether it holds. */
static bool test_condition(const writer *w, const char *at, size_t size, bool *out_holds) {
    const nilas_call_sql *call = w->call;
    nilas_str word = {.data = at, .size = size};
    if (nilas_str_is(word, "ansi")) {
        *out_holds = call->ansi;
    } else if (nilas_str_is(word, "nulls")) {
        *out_holds = call->ignore_nulls;
    } else if (nilas_str_is(word, "over")) {
        *out_holds = call->over.size > 0;
    } else if (nilas_str_is(word, "distinct")) {
        *out_holds = call->distinct;
    } else if (size > 2 && at[0] == 't' && at[1] == '=') {
        *out_holds = type_is(call->type, at + 2, size - 2);
    } else if (size > 2 && at[0] >= '1' && at[0] <= '9' && at[1] == '=') {
        size_t index = (size_t)(at[0] - '1');
        *out_holds =
            index < call->argument_count && type_is(call->argument_types[index], at + 2, size - 2);
    } else {
        return false;
    }
    return true;
}

/** Write the chosen part of a condition; *next is just behind it. Not a condition: *next stays
 *  NULL. */
static nilas_code write_condition(writer *w, const char *at, const char *end, const char **next) {
    const char *word = at + 1;
    const char *colon = memchr(word, ':', (size_t)(end - word));
    bool holds = false;
    *next = NULL;
    if (colon == NULL || !test_condition(w, word, (size_t)(colon - word), &holds)) {
        return NILAS_OK;
    }
    const char *bar = part_end(colon + 1, end, true);
    const char *close = *bar == '|' ? part_end(bar + 1, end, false) : bar;
    *next = close + 1;
    if (holds) {
        return write_text(w, colon + 1, bar);
    }
    return *bar == '|' ? write_text(w, bar + 1, close) : NILAS_OK;
}

/* --- lambdas: $2(a; b) --- */

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/** Skip a quoted part of SQL; returns the position after it. */
static size_t skip_quoted(nilas_str sql, size_t at) {
    char quote = sql.data[at++];
    while (at < sql.size && sql.data[at] != quote) {
        at++;
    }
    return at + 1 < sql.size ? at + 1 : sql.size;
}

/** Copy a lambda's body with its parameters replaced. */
static void write_body(writer *w, nilas_str body, const nilas_str *names, const nilas_str *values,
                       size_t count) {
    size_t at = 0;
    while (at < body.size) {
        size_t start = at;
        char c = body.data[at];
        if (c == '\'' || c == '"') {
            at = skip_quoted(body, at);
        } else if (is_word(c)) {
            while (at < body.size && is_word(body.data[at])) {
                at++;
            }
            nilas_str word = nilas_str_slice(body, start, at - start);
            size_t i = 0;
            while (i < count && !nilas_str_equal(names[i], word)) {
                i++;
            }
            bool member = start > 0 && body.data[start - 1] == '.';
            if (i < count && !member) {
                nilas_buf_add(w->out, values[i]);
                continue;
            }
        } else {
            at++;
        }
        nilas_buf_add(w->out, nilas_str_slice(body, start, at - start));
    }
}

#define MAXIMUM_PARAMETERS 4

/** Split at `separator` outside parentheses; returns how many. */
static size_t split(nilas_str text, char separator, nilas_str *parts) {
    size_t count = 0, start = 0;
    int depth = 0;
    for (size_t i = 0; i <= text.size && count < MAXIMUM_PARAMETERS; i++) {
        char c = i < text.size ? text.data[i] : separator;
        depth += c == '(' || c == '[';
        depth -= c == ')' || c == ']';
        if (c == separator && depth == 0) {
            parts[count++] = nilas_str_trim(nilas_str_slice(text, start, i - start));
            start = i + 1;
        }
    }
    return count;
}

/** Apply lambda argument `index` to the values in the template between `at` and `end`. */
static nilas_code write_application(writer *w, size_t index, const char *at, const char *end) {
    NILAS_AUTO_BUF filled = {0};
    nilas_str names[MAXIMUM_PARAMETERS], values[MAXIMUM_PARAMETERS];
    nilas_str lambda = w->call->arguments[index];
    const char *colon = memchr(lambda.data, ':', lambda.size);
    if (!nilas_str_starts(lambda, NILAS_STR("lambda ")) || colon == NULL) {
        return nilas_fail(w->err, NILAS_UNSUPPORTED, "function %s: argument %zu is not a lambda",
                          w->call->function->name, index + 1);
    }
    writer inner = {.out = &filled, .call = w->call, .err = w->err};
    NILAS_TRY(write_text(&inner, at, end));
    size_t head = (size_t)(colon - lambda.data);
    size_t name_count = split(nilas_str_slice(lambda, 7, head - 7), ',', names);
    size_t value_count = split(nilas_buf_view(&filled), ';', values);
    nilas_buf_add_char(w->out, '(');
    write_body(w, nilas_str_trim(nilas_str_slice(lambda, head + 1, lambda.size)), names, values,
               name_count < value_count ? name_count : value_count);
    nilas_buf_add_char(w->out, ')');
    return NILAS_OK;
}

/* --- $… --- */

static const char *closing(const char *at, const char *end) {
    int depth = 0;
    for (; at < end; at++) {
        depth += *at == '(';
        depth -= *at == ')';
        if (depth == 0) {
            return at;
        }
    }
    nilas_assert(false && "a parenthesis closes");
    return end;
}

static void write_arguments(writer *w, size_t from) {
    for (size_t i = from; i < w->call->argument_count; i++) {
        nilas_buf_add_text(w->out, i > from ? ", " : "");
        nilas_buf_add(w->out, w->call->arguments[i]);
    }
}

static nilas_code write_argument(writer *w, const char *at, const char *end, const char **next) {
    size_t index = (size_t)(*at - '1');
    *next = at + 1;
    if (at + 1 < end && at[1] == '*') {
        write_arguments(w, index);
        *next = at + 2;
        return NILAS_OK;
    }
    nilas_assert(index < w->call->argument_count);
    bool is_lambda = nilas_str_starts(w->call->arguments[index], NILAS_STR("lambda "));
    if (is_lambda && at + 1 < end && at[1] == '(') {
        const char *close = closing(at + 1, end);
        *next = close + 1;
        return write_application(w, index, at + 2, close);
    }
    nilas_buf_add(w->out, w->call->arguments[index]);
    return NILAS_OK;
}

static void write_quoted_text(writer *w, nilas_str text) {
    for (size_t i = 0; i < text.size; i++) {
        nilas_buf_add_text(w->out, text.data[i] == '\'' ? "'" : "");
        nilas_buf_add_char(w->out, text.data[i]);
    }
}

/** $t $e $p $s with an optional argument number. */
static void write_type_part(writer *w, char what, const nilas_type *type) {
    switch (what) {
    case 't': nilas_engine__print_type(w->out, type); return;
    case 'e':
        nilas_assert(type->field_count > 0);
        nilas_engine__print_type(w->out, type->fields[0].type);
        return;
    case 'p': nilas_buf_print(w->out, "%d", type->precision); return;
    case 's': nilas_buf_print(w->out, "%d", type->scale); return;
    default: nilas_assert(false && "a part of a type");
    }
}

static size_t argument_index(const writer *w, char digit) {
    size_t index = (size_t)(digit - '1');
    nilas_assert(digit >= '1' && index < w->call->argument_count);
    return index;
}

static nilas_code write_word(writer *w, const char *at, const char *end, const char **next) {
    if (strncmp(at, "distinct", 8) == 0) {
        nilas_buf_add_text(w->out, w->call->distinct ? "DISTINCT" : "");
        *next = at + 8;
    } else if (strncmp(at, "order", 5) == 0) {
        if (w->call->order_by.size > 0) {
            nilas_buf_print(w->out, "ORDER BY %.*s", NILAS_FMT(w->call->order_by));
        }
        *next = at + 5;
    } else if (strncmp(at, "over", 4) == 0) {
        const char *close = at[4] == '(' ? closing(at + 4, end) : NULL;
        NILAS_AUTO_BUF condition = {0};
        if (close != NULL) {
            writer inner = {.out = &condition, .call = w->call, .err = w->err};
            NILAS_TRY(write_text(&inner, at + 5, close));
            nilas_buf_add_char(&condition, '\0');
        }
        nilas_engine__print_over(w->out, w->call, condition.data);
        *next = close != NULL ? close + 1 : at + 4;
    } else if (*at == 'o') {
        size_t index = argument_index(w, at[1]);
        nilas_engine__print_ordered(w->out, w->call->arguments[index],
                                    w->call->argument_types[index]);
        *next = at + 2;
    } else if (strncmp(at, "shown", 5) == 0) {
        write_quoted_text(w, w->call->arguments[argument_index(w, at[5])]);
        *next = at + 6;
    } else {
        bool numbered = at + 1 < end && at[1] >= '1' && at[1] <= '9';
        write_type_part(
            w, *at, numbered ? w->call->argument_types[argument_index(w, at[1])] : w->call->type);
        *next = at + (numbered ? 2 : 1);
    }
    return NILAS_OK;
}

static nilas_code write_dollar(writer *w, const char *at, const char *end, const char **next) {
    nilas_assert(at < end);
    *next = at + 1;
    switch (*at) {
    case '$': nilas_buf_add_char(w->out, '$'); return NILAS_OK;
    case '*': write_arguments(w, 0); return NILAS_OK;
    case 'u': nilas_buf_print(w->out, "%d", nilas_engine__unique_in_call(w->call)); return NILAS_OK;
    default: break;
    }
    return *at >= '1' && *at <= '9' ? write_argument(w, at, end, next)
                                    : write_word(w, at, end, next);
}

static nilas_code write_text(writer *w, const char *at, const char *end) {
    while (at < end) {
        const char *next = NULL;
        if (*at == '$') {
            NILAS_TRY(write_dollar(w, at + 1, end, &next));
        } else if (*at == '{') {
            NILAS_TRY(write_condition(w, at, end, &next));
        }
        if (next == NULL) {
            nilas_buf_add_char(w->out, *at);
            next = at + 1;
        }
        at = next;
    }
    return NILAS_OK;
}

/* --- shared with the renderers --- */

void nilas_engine__print_string(nilas_buf *out, nilas_str text) {
    nilas_buf_add_char(out, '\'');
    for (size_t i = 0; i < text.size; i++) {
        nilas_buf_add_text(out, text.data[i] == '\'' ? "'" : "");
        nilas_buf_add_char(out, text.data[i]);
    }
    nilas_buf_add_char(out, '\'');
}

void nilas_engine__print_name(nilas_buf *out, nilas_str name) {
    nilas_buf_add_char(out, '"');
    for (size_t i = 0; i < name.size; i++) {
        nilas_buf_add_text(out, name.data[i] == '"' ? "\"" : "");
        nilas_buf_add_char(out, name.data[i]);
    }
    nilas_buf_add_char(out, '"');
}

int nilas_engine__unique(nilas_str sql) {
    int largest = 0;
    for (size_t i = 0; i + 1 < sql.size; i++) {
        bool letter = sql.data[i] == 'x' || sql.data[i] == 'y';
        if (!letter || (i > 0 && is_word(sql.data[i - 1]))) {
            continue;
        }
        int number = 0;
        size_t at = i + 1;
        while (at < sql.size && sql.data[at] >= '0' && sql.data[at] <= '9' && number < 1000000) {
            number = number * 10 + (sql.data[at++] - '0');
        }
        largest = number > largest ? number : largest;
    }
    return largest + 1;
}

int nilas_engine__unique_in_call(const nilas_call_sql *call) {
    int largest = 1;
    for (size_t i = 0; i < call->argument_count; i++) {
        int number = nilas_engine__unique(call->arguments[i]);
        largest = number > largest ? number : largest;
    }
    return largest;
}

void nilas_engine__print_scaled(nilas_buf *out, nilas_str unscaled_sql, int32_t precision,
                                int32_t scale) {
    if (scale == 0) {
        nilas_buf_print(out, "CAST(%.*s AS DECIMAL(%d,0))", NILAS_FMT(unscaled_sql), precision);
        return;
    }
    nilas_buf_print(out, "CAST(%.*s * CAST('0.%0*d' AS DECIMAL(%d,%d)) AS DECIMAL(%d,%d))",
                    NILAS_FMT(unscaled_sql), scale, 1, scale, scale, precision, scale);
}

void nilas_engine__print_over(nilas_buf *out, const nilas_call_sql *call, const char *condition) {
    if (call->filter.size > 0 || condition != NULL) {
        nilas_buf_add_text(out, " FILTER (WHERE ");
        nilas_buf_add(out, call->filter);
        nilas_buf_add_text(out, call->filter.size > 0 && condition != NULL ? " AND " : "");
        nilas_buf_add_text(out, condition != NULL ? condition : "");
        nilas_buf_add_char(out, ')');
    }
    if (call->over.size > 0) {
        nilas_buf_add_char(out, ' ');
        nilas_buf_add(out, call->over);
    }
}

const nilas_value *nilas_engine__constant(const nilas_call_sql *call, size_t index) {
    return call->constants != NULL && index < call->argument_count ? call->constants[index] : NULL;
}
