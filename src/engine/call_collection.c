/** Structs, maps, arrays and generators whose SQL follows the number of arguments or a lambda's
 *  parameters. */
#include "engine/call.h"

#include <stdio.h>

#include "engine/cast.h"
#include "engine/ordered.h"

/** {'a': $1, …} with the result's member names; `first` and `step` choose the arguments. */
static void print_struct(nilas_buf *out, const nilas_call_sql *call, const nilas_type *type,
                         size_t first, size_t step) {
    nilas_buf_add_char(out, '{');
    for (size_t i = 0; i < type->field_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        nilas_engine__print_string(out, type->fields[i].name);
        nilas_buf_add_text(out, ": ");
        nilas_buf_add(out, call->arguments[first + i * step]);
    }
    nilas_buf_add_text(out, type->field_count == 0 ? "'_': NULL}" : "}");
}

static nilas_code struct_of(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    print_struct(out, call, call->type, 0, 1);
    return NILAS_OK;
}

static nilas_code named_struct(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    print_struct(out, call, call->type, 1, 2);
    return NILAS_OK;
}

static nilas_code map_of(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    nilas_buf_add_text(out, "CAST(map([");
    for (size_t i = 0; i < call->argument_count; i += 2) {
        nilas_buf_print(out, "%s%.*s", i > 0 ? ", " : "", NILAS_FMT(call->arguments[i]));
    }
    nilas_buf_add_text(out, "], [");
    for (size_t i = 1; i < call->argument_count; i += 2) {
        nilas_buf_print(out, "%s%.*s", i > 1 ? ", " : "", NILAS_FMT(call->arguments[i]));
    }
    nilas_buf_add_text(out, "]) AS ");
    nilas_engine__print_type(out, call->type);
    nilas_buf_add_char(out, ')');
    return NILAS_OK;
}

static nilas_code map_concat(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    if (call->argument_count == 0) {
        nilas_buf_add_text(out, "CAST(map([], []) AS ");
        nilas_engine__print_type(out, call->type);
        nilas_buf_add_char(out, ')');
        return NILAS_OK;
    }
    nilas_buf_add_text(out, "CASE WHEN ");
    for (size_t i = 0; i < call->argument_count; i++) {
        nilas_buf_print(out, "%s%.*s IS NULL", i > 0 ? " OR " : "", NILAS_FMT(call->arguments[i]));
    }
    nilas_buf_add_text(out, " THEN NULL ELSE map_from_entries(flatten([");
    for (size_t i = 0; i < call->argument_count; i++) {
        nilas_buf_print(out, "%smap_entries(%.*s)", i > 0 ? ", " : "",
                        NILAS_FMT(call->arguments[i]));
    }
    nilas_buf_add_text(out, "])) END");
    return NILAS_OK;
}

static nilas_code map_zip_with(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    return nilas_engine__fill_template(
        out, call,
        "map_from_entries(list_transform(list_concat(map_keys($1), list_filter(map_keys($2), "
        "lambda x$u: NOT list_contains(map_keys($1), "
        "x$u))), lambda x$u: {'key': x$u, 'value': $3(x$u; $1[x$u]; $2[x$u])}))",
        err);
}

/** list_zip, with its unnamed members named; short lists give nulls. */
static nilas_code arrays_zip(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    int number = nilas_engine__unique_in_call(call);
    const nilas_type *entry = call->type->fields[0].type;
    nilas_buf_add_text(out, "CASE WHEN ");
    for (size_t i = 0; i < call->argument_count; i++) {
        nilas_buf_print(out, "%s%.*s IS NULL", i > 0 ? " OR " : "", NILAS_FMT(call->arguments[i]));
    }
    nilas_buf_add_text(out, " THEN NULL ELSE list_transform(range(greatest(");
    for (size_t i = 0; i < call->argument_count; i++) {
        nilas_buf_print(out, "%slen(%.*s)", i > 0 ? ", " : "", NILAS_FMT(call->arguments[i]));
    }
    nilas_buf_print(out, ", 0)), lambda x%d: {", number);
    for (size_t i = 0; i < call->argument_count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        nilas_engine__print_string(out, entry->fields[i].name);
        nilas_buf_print(out, ": list_extract(%.*s, x%d + 1)", NILAS_FMT(call->arguments[i]),
                        number);
    }
    nilas_buf_add_text(out, "}) END");
    return NILAS_OK;
}

/* --- sets: the first of equal elements stays, in order; null is an element --- */

#define FIRST_OF(list)                                                                             \
    "list_transform(list_filter(list_zip(" list ", range(1, len(" list                             \
    ") + 1)), lambda x$u: list_position(" list ", x$u[1]) = x$u[2]), lambda x$u: x$u[1])"
#define IF_BOTH "CASE WHEN $1 IS NULL OR $2 IS NULL THEN NULL ELSE "

static nilas_code array_union(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    return nilas_engine__fill_template(out, call, IF_BOTH FIRST_OF("list_concat($1, $2)") " END",
                                       err);
}

static nilas_code array_intersect(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    return nilas_engine__fill_template(
        out, call,
        IF_BOTH
        "list_filter(" FIRST_OF("$1") ", lambda x$u: list_position($2, x$u) IS NOT NULL) END",
        err);
}

static nilas_code array_except(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    return nilas_engine__fill_template(
        out, call,
        IF_BOTH "list_filter(" FIRST_OF("$1") ", lambda x$u: list_position($2, x$u) IS NULL) END",
        err);
}

/* --- lambdas --- */

/** Parameters of a rendered lambda. */
static size_t lambda_arity(nilas_str lambda) {
    size_t count = 1;
    for (size_t i = 0; i < lambda.size && lambda.data[i] != ':'; i++) {
        count += lambda.data[i] == ',';
    }
    return count;
}

#define WITH_INDEX "CASE WHEN $1 IS NULL THEN NULL ELSE list_zip($1, range(len($1))) END"

static nilas_code transform(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    bool indexed = lambda_arity(call->arguments[1]) == 2;
    return nilas_engine__fill_template(
        out, call,
        indexed ? "list_transform(" WITH_INDEX ", lambda x$u: $2(x$u[1]; CAST(x$u[2] AS INTEGER)))"
                : "list_transform($1, $2)",
        err);
}

static nilas_code filter(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    bool indexed = lambda_arity(call->arguments[1]) == 2;
    return nilas_engine__fill_template(
        out, call,
        indexed ? "list_transform(list_filter(" WITH_INDEX
                  ", lambda x$u: $2(x$u[1]; CAST(x$u[2] AS INTEGER))), lambda x$u: x$u[1])"
                : "list_filter($1, $2)",
        err);
}

/**
 * list_reduce wants the accumulator to have the elements' type: so both ride in a struct, the
 * elements with an empty accumulator, the start with an empty element.
 */
static nilas_code aggregate(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    NILAS_AUTO_BUF reduced = {0};
    NILAS_AUTO_BUF body = {0};
    const nilas_type *element = call->argument_types[0]->fields[0].type;
    const nilas_type *accumulator = call->argument_types[1];
    int number = nilas_engine__unique_in_call(call);
    nilas_buf_print(&reduced, "list_reduce(list_transform(%.*s, lambda x%d: {'a': CAST(NULL AS ",
                    NILAS_FMT(call->arguments[0]), number);
    nilas_engine__print_type(&reduced, accumulator);
    nilas_buf_print(&reduced, "), 'e': x%d}), lambda x%d, y%d: {'a': ", number, number, number);
    NILAS_TRY(nilas_engine__fill_template(&body, call, "$3(x$u.a; y$u.e)", err));
    NILAS_TRY(nilas_engine__print_cast(&reduced, call->argument_types[2], accumulator,
                                       NILAS_CAST_ANSI, nilas_buf_view(&body), err));
    nilas_buf_print(&reduced, ", 'e': y%d.e}, {'a': %.*s, 'e': CAST(NULL AS ", number,
                    NILAS_FMT(call->arguments[1]));
    nilas_engine__print_type(&reduced, element);
    nilas_buf_add_text(&reduced, ")}).a");
    if (call->argument_count < 4) {
        nilas_buf_add(out, nilas_buf_view(&reduced));
        return NILAS_OK;
    }
    nilas_buf_print(out, "list_extract(list_transform([%.*s], ",
                    NILAS_FMT(nilas_buf_view(&reduced)));
    nilas_buf_add(out, call->arguments[3]);
    nilas_buf_add_text(out, "), 1)");
    return NILAS_OK;
}

/** The order of a list_sort(): "'ASC', 'NULLS FIRST'". */
static void print_sorted(nilas_buf *out, nilas_str list, const nilas_type *element,
                         const char *order) {
    if (!nilas_engine__orders_otherwise(element)) {
        nilas_buf_print(out, "list_sort(%.*s, %s)", NILAS_FMT(list), order);
        return;
    }
    int number = nilas_engine__unique(list);
    char name[24];
    snprintf(name, sizeof(name), "x%d", number);
    nilas_buf_print(out,
                    "list_transform(list_sort(list_transform(%.*s, lambda %s: CASE WHEN %s IS "
                    "NOT NULL THEN {'k': ",
                    NILAS_FMT(list), name, name);
    nilas_engine__print_ordered(out, nilas_str_of(name), element);
    nilas_buf_print(out, ", 'v': %s} END), %s), lambda %s: %s.v)", name, order, name, name);
}

#define ASCENDING  "'ASC', 'NULLS FIRST'"
#define DESCENDING "'DESC', 'NULLS LAST'"

static nilas_code sort_array(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    const nilas_type *element = call->argument_types[0]->fields[0].type;
    if (call->argument_count == 1) {
        print_sorted(out, call->arguments[0], element, ASCENDING);
        return NILAS_OK;
    }
    nilas_buf_print(out, "CASE %.*s WHEN true THEN ", NILAS_FMT(call->arguments[1]));
    print_sorted(out, call->arguments[0], element, ASCENDING);
    nilas_buf_add_text(out, " WHEN false THEN ");
    print_sorted(out, call->arguments[0], element, DESCENDING);
    nilas_buf_add_text(out, " END");
    return NILAS_OK;
}

/** The first element by an order in which nulls are last. */
static nilas_code print_extreme(nilas_buf *out, nilas_str list, const nilas_type *element,
                                const char *plain, const char *order) {
    if (!nilas_engine__orders_otherwise(element)) {
        nilas_buf_print(out, "%s(%.*s)", plain, NILAS_FMT(list));
        return NILAS_OK;
    }
    nilas_buf_add_text(out, "list_extract(");
    print_sorted(out, list, element, order);
    nilas_buf_add_text(out, ", 1)");
    return NILAS_OK;
}

#define SMALLEST_FIRST "'ASC', 'NULLS LAST'"

static nilas_code array_min(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    return print_extreme(out, call->arguments[0], call->argument_types[0]->fields[0].type,
                         "list_min", SMALLEST_FIRST);
}

static nilas_code array_max(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    return print_extreme(out, call->arguments[0], call->argument_types[0]->fields[0].type,
                         "list_max", DESCENDING);
}

static nilas_code print_extreme_of(nilas_buf *out, const nilas_call_sql *call, const char *plain,
                                   const char *order, nilas_error *err) {
    if (!nilas_engine__orders_otherwise(call->type)) {
        nilas_buf_add_text(out, plain);
        return nilas_engine__fill_template(out, call, "($*)", err);
    }
    NILAS_AUTO_BUF list = NILAS_BUF_INIT(0);
    NILAS_TRY(nilas_engine__fill_template(&list, call, "[$*]", err));
    NILAS_TRY(nilas_buf_check(&list, err));
    return print_extreme(out, nilas_buf_view(&list), call->type, plain, order);
}

static nilas_code greatest(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    return print_extreme_of(out, call, "greatest", DESCENDING, err);
}

static nilas_code least(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    return print_extreme_of(out, call, "least", SMALLEST_FIRST, err);
}

/** Without a comparator nulls are last; with one, the rank of an element is how many others stand
 *  before it, by the comparator and, among equals, by position. */
static nilas_code array_sort(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    if (call->argument_count == 1) {
        print_sorted(out, call->arguments[0], call->argument_types[0]->fields[0].type,
                     SMALLEST_FIRST);
        return NILAS_OK;
    }
    return nilas_engine__fill_template(
        out, call,
        "list_transform(list_sort(list_transform(" WITH_INDEX
        ", lambda x$u: {'r': len(list_filter(" WITH_INDEX
        ", lambda y$u: CASE WHEN $2(y$u[1]; x$u[1]) < 0 THEN true WHEN $2(y$u[1]; x$u[1]) = 0 THEN "
        "y$u[2] < x$u[2] ELSE false END)), 'e': "
        "x$u[1], 'p': x$u[2]})), lambda x$u: x$u.e)",
        err);
}

/* --- generators --- */

static nilas_code stack(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    size_t width = call->type->field_count;
    size_t values = call->argument_count - 1;
    nilas_buf_add_char(out, '[');
    for (size_t start = 0; start < values; start += width) {
        nilas_buf_add_text(out, start > 0 ? ", {" : "{");
        for (size_t i = 0; i < width; i++) {
            nilas_buf_add_text(out, i > 0 ? ", " : "");
            nilas_engine__print_string(out, call->type->fields[i].name);
            nilas_buf_add_text(out, ": ");
            if (start + i < values) {
                nilas_buf_add(out, call->arguments[1 + start + i]);
            } else {
                nilas_buf_add_text(out, "CAST(NULL AS ");
                nilas_engine__print_type(out, call->type->fields[i].type);
                nilas_buf_add_char(out, ')');
            }
        }
        nilas_buf_add_char(out, '}');
    }
    nilas_buf_add_char(out, ']');
    return NILAS_OK;
}

static nilas_code json_tuple(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    nilas_buf_add_text(out, "[{");
    for (size_t i = 1; i < call->argument_count; i++) {
        nilas_buf_print(out, "%s'c%zu': nilas_json_field(%.*s, %.*s)", i > 1 ? ", " : "", i - 1,
                        NILAS_FMT(call->arguments[0]), NILAS_FMT(call->arguments[i]));
    }
    nilas_buf_add_text(out, "}]");
    return NILAS_OK;
}

const nilas_renderer nilas_engine__collection_renderers[] = {
    {"struct", struct_of},
    {"named_struct", named_struct},
    {"map", map_of},
    {"map_concat", map_concat},
    {"map_zip_with", map_zip_with},
    {"arrays_zip", arrays_zip},
    {"array_union", array_union},
    {"array_intersect", array_intersect},
    {"array_except", array_except},
    {"transform", transform},
    {"filter", filter},
    {"aggregate", aggregate},
    {"array_sort", array_sort},
    {"sort_array", sort_array},
    {"array_min", array_min},
    {"array_max", array_max},
    {"greatest", greatest},
    {"least", least},
    {"stack", stack},
    {"json_tuple", json_tuple},
    {NULL, NULL},
};
