/** Aggregates and window functions that depend on their arguments' number, on IGNORE NULLS or on a
 *  window. */
#include "engine/call.h"
#include "engine/ordered.h"

/** count(a, b): rows in which no argument is null; DISTINCT counts the different tuples. */
static nilas_code count(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    const nilas_value *constant = nilas_engine__constant(call, 0);
    bool literal = constant != NULL && !nilas_value_is_null(constant);
    if (call->argument_count == 1) {
        return nilas_engine__fill_template(
            out, call, literal && !call->distinct ? "count(*) $over" : "count($distinct $1) $over",
            err);
    }
    nilas_buf_print(out, "count(%sCASE WHEN ", call->distinct ? "DISTINCT " : "");
    for (size_t i = 0; i < call->argument_count; i++) {
        nilas_buf_print(out, "%s%.*s IS NOT NULL", i > 0 ? " AND " : "",
                        NILAS_FMT(call->arguments[i]));
    }
    return nilas_engine__fill_template(out, call, " THEN row($*) END) $over", err);
}

static bool skips_nulls(const nilas_call_sql *call) {
    const nilas_value *constant = nilas_engine__constant(call, 1);
    return call->ignore_nulls ||
           (constant != NULL && constant->kind == NILAS_VALUE_BOOL && constant->boolean);
}

static nilas_code first(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    if (call->over.size > 0 && call->filter.size == 0) {
        return nilas_engine__fill_template(out, call,
                                           skips_nulls(call) ? "first_value($1 IGNORE NULLS) $over"
                                                             : "first_value($1) $over",
                                           err);
    }
    return nilas_engine__fill_template(
        out, call, skips_nulls(call) ? "any_value($1) $over" : "first($1) $over", err);
}

static nilas_code last(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    if (call->over.size > 0 && call->filter.size == 0) {
        return nilas_engine__fill_template(
            out, call,
            skips_nulls(call) ? "last_value($1 IGNORE NULLS) $over" : "last_value($1) $over", err);
    }
    return nilas_engine__fill_template(
        out, call, skips_nulls(call) ? "last($1) $over($1 IS NOT NULL)" : "last($1) $over", err);
}

/** Different elements; sorted, so that the same rows give the same list. */
static nilas_code collect_set(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    if (call->over.size > 0) {
        return nilas_engine__fill_template(
            out, call, "coalesce(list_distinct(list($1) $over($1 IS NOT NULL)), [])", err);
    }
    return nilas_engine__fill_template(
        out, call, "coalesce(list_sort(list(DISTINCT $1) $over($1 IS NOT NULL)), [])", err);
}

static nilas_code listagg(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    bool given = call->argument_count > 1 && call->argument_types[1]->kind != NILAS_TYPE_VOID;
    bool binary = call->argument_types[0]->kind == NILAS_TYPE_BINARY;
    bool sorted =
        call->distinct && call->order_by.size == 0; // so that the same rows give the same text
    nilas_buf_add_text(out, "string_agg(");
    NILAS_TRY(nilas_engine__fill_template(
        out, call, binary ? "$distinct nilas_binary_to_string($1), " : "$distinct $1, ", err));
    nilas_buf_add(out, given && !binary ? call->arguments[1] : NILAS_STR("''"));
    return nilas_engine__fill_template(
        out, call, sorted && !binary ? " ORDER BY $1) $over" : " $order) $over", err);
}

#define MODES                                                                                      \
    "list_transform(list_filter(map_entries(histogram($1) $over), lambda x$u: x$u.value = "        \
    "list_max(map_values(histogram($1) $over))), "                                                 \
    "lambda x$u: x$u.key)"

/** Of several values that are equally frequent: the smallest or largest when the order is given. */
static nilas_code mode(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    const nilas_value *constant = nilas_engine__constant(call, 1);
    bool smallest = constant != NULL && constant->kind == NILAS_VALUE_BOOL && constant->boolean;
    if (call->order_by.size == 0 && !smallest) {
        return nilas_engine__fill_template(out, call, "mode($1) $over", err);
    }
    bool descending = nilas_str_find(call->order_by, NILAS_STR(" DESC"), 0) != SIZE_MAX;
    return nilas_engine__fill_template(
        out, call, descending ? "list_max(" MODES ")" : "list_min(" MODES ")", err);
}

static nilas_code ntile(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    return nilas_engine__fill_template(out, call,
                                       call->argument_count > 0 ? "CAST(ntile($1) $over AS INTEGER)"
                                                                : "CAST(ntile(1) $over AS INTEGER)",
                                       err);
}

/** Centers and heights come as two lists of doubles. */
static nilas_code histogram(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    NILAS_AUTO_BUF center = {0};
    NILAS_AUTO_BUF back = {0};
    const nilas_type *type = call->argument_types[0];
    bool is_time = type->kind == NILAS_TYPE_TIMESTAMP || type->kind == NILAS_TYPE_TIMESTAMP_NTZ;
    const char *number = is_time                         ? "CAST(epoch_us($1) AS DOUBLE)"
                         : type->kind == NILAS_TYPE_DATE ? "CAST($1 - DATE '1970-01-01' AS DOUBLE)"
                                                         : "CAST($1 AS DOUBLE)";
    NILAS_TRY(nilas_engine__fill_template(&center, call, number, err));
    nilas_buf_print(&back,
                    "list_transform(list_zip(nilas_histogram_x(list(%.*s) $over($1 IS NOT NULL), "
                    "$2), nilas_histogram_y(list(%.*s) "
                    "$over($1 IS NOT NULL), $2)), lambda x$u: {'x': ",
                    NILAS_FMT(nilas_buf_view(&center)), NILAS_FMT(nilas_buf_view(&center)));
    nilas_buf_add_text(&back, is_time && type->kind == NILAS_TYPE_TIMESTAMP
                                  ? "nilas_micros_instant(CAST(trunc(x$u[1]) AS BIGINT))"
                              : is_time ? "make_timestamp(CAST(trunc(x$u[1]) AS BIGINT))"
                              : type->kind == NILAS_TYPE_DATE
                                  ? "(DATE '1970-01-01' + CAST(trunc(x$u[1]) AS INTEGER))"
                              : nilas_type_is_integral(type) ? "CAST(trunc(x$u[1]) AS $t1)"
                                                             : "CAST(x$u[1] AS $t1)");
    nilas_buf_add_text(&back, ", 'y': x$u[2]})");
    nilas_buf_add_char(&back, '\0');
    return nilas_engine__fill_template(out, call, back.data, err);
}

/** Arrays and structs by a key that has Spark's order. */
static nilas_code min(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    bool otherwise = nilas_engine__orders_otherwise(call->argument_types[0]);
    return nilas_engine__fill_template(out, call,
                                       otherwise ? "arg_min($1, $o1) $over" : "min($1) $over", err);
}

static nilas_code max(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    bool otherwise = nilas_engine__orders_otherwise(call->argument_types[0]);
    return nilas_engine__fill_template(out, call,
                                       otherwise ? "arg_max($1, $o1) $over" : "max($1) $over", err);
}

const nilas_renderer nilas_engine__aggregate_renderers[] = {
    {"min", min},
    {"max", max},
    {"histogram", histogram},
    {"count", count},
    {"first", first},
    {"last", last},
    {"collect_set", collect_set},
    {"listagg", listagg},
    {"mode", mode},
    {"ntile", ntile},
    {NULL, NULL},
};
