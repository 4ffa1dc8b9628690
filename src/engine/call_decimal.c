/** Decimal arithmetic: DuckDB's where it is exact and cannot overflow, else ours. Also rounding of
 *  every numeric type. */
#include "engine/call.h"

#include "engine/wide.h"

/** ours(a, b, precision, scale, strict) scaled. */
static nilas_code print_ours(nilas_buf *out, const nilas_call_sql *call, const char *name,
                             bool strict) {
    NILAS_AUTO_BUF sql = {0};
    const nilas_type *type = call->type;
    nilas_buf_print(&sql, "nilas_decimal_%s(%.*s, %.*s, %d, %d, %s)", name,
                    NILAS_FMT(call->arguments[0]), NILAS_FMT(call->arguments[1]), type->precision,
                    type->scale, strict ? "true" : "false");
    nilas_engine__print_scaled(out, nilas_buf_view(&sql), type->precision, type->scale);
    return NILAS_OK;
}

static nilas_code print_add(nilas_buf *out, const nilas_call_sql *call, char symbol, bool strict) {
    const nilas_type *a = call->argument_types[0], *b = call->argument_types[1], *t = call->type;
    int32_t scale = a->scale > b->scale ? a->scale : b->scale;
    int32_t digits = a->precision - a->scale > b->precision - b->scale ? a->precision - a->scale
                                                                       : b->precision - b->scale;
    if (digits + scale + 1 > 38) {
        return print_ours(out, call, symbol == '+' ? "add" : "subtract", strict);
    }
    nilas_buf_print(
        out, "CAST(CAST(%.*s AS DECIMAL(%d,%d)) %c CAST(%.*s AS DECIMAL(%d,%d)) AS DECIMAL(%d,%d))",
        NILAS_FMT(call->arguments[0]), t->precision, t->scale, symbol,
        NILAS_FMT(call->arguments[1]), t->precision, t->scale, t->precision, t->scale);
    return NILAS_OK;
}

static nilas_code add(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    return print_add(out, call, '+', call->ansi);
}

static nilas_code try_add(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    return print_add(out, call, '+', false);
}

static nilas_code subtract(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    return print_add(out, call, '-', call->ansi);
}

static nilas_code try_subtract(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    return print_add(out, call, '-', false);
}

static nilas_code print_multiply(nilas_buf *out, const nilas_call_sql *call, bool strict) {
    const nilas_type *a = call->argument_types[0], *b = call->argument_types[1], *t = call->type;
    if (a->precision + b->precision + 1 > 38) {
        return print_ours(out, call, "multiply", strict);
    }
    // a product beyond 18 digits needs an operand that is wide already: DuckDB would keep 64 bits
    // and fail
    int32_t wide = a->precision + b->precision > 18 && a->precision < 19 ? 19 : a->precision;
    nilas_buf_print(out, "CAST(CAST(%.*s AS DECIMAL(%d,%d)) * %.*s AS DECIMAL(%d,%d))",
                    NILAS_FMT(call->arguments[0]), wide, a->scale, NILAS_FMT(call->arguments[1]),
                    t->precision, t->scale);
    return NILAS_OK;
}

static nilas_code multiply(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    return print_multiply(out, call, call->ansi);
}

static nilas_code try_multiply(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    return print_multiply(out, call, false);
}

static nilas_code divide(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    return print_ours(out, call, "divide", call->ansi);
}

static nilas_code try_divide(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    return print_ours(out, call, "divide", false);
}

static nilas_code remainder_of(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    return print_ours(out, call, "remainder", call->ansi);
}

static nilas_code try_remainder(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    return print_ours(out, call, "remainder", false);
}

static nilas_code pmod(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    return print_ours(out, call, "pmod", call->ansi);
}

/* --- rounding --- */

static nilas_code print_round(nilas_buf *out, const nilas_call_sql *call, nilas_rounding rounding) {
    const nilas_type *type = call->argument_types[0];
    nilas_str places = call->argument_count > 1 ? call->arguments[1] : NILAS_STR("0");
    if (type->kind != NILAS_TYPE_DECIMAL) {
        nilas_buf_print(out, "nilas_%sround(%.*s, %.*s)",
                        rounding == NILAS_ROUND_HALF_EVEN ? "b" : "", NILAS_FMT(call->arguments[0]),
                        NILAS_FMT(places));
        return NILAS_OK;
    }
    NILAS_AUTO_BUF sql = {0};
    nilas_buf_print(&sql, "nilas_decimal_round(%.*s, %.*s, %d, %d, %d)",
                    NILAS_FMT(call->arguments[0]), NILAS_FMT(places), call->type->precision,
                    call->type->scale, (int)rounding);
    nilas_engine__print_scaled(out, nilas_buf_view(&sql), call->type->precision, call->type->scale);
    return NILAS_OK;
}

static nilas_code round_half_up(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    return print_round(out, call, NILAS_ROUND_HALF_UP);
}

static nilas_code round_half_even(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    return print_round(out, call, NILAS_ROUND_HALF_EVEN);
}

static nilas_code ceiling(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    return print_round(out, call, NILAS_ROUND_CEILING);
}

static nilas_code floor_at(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    (void)err;
    return print_round(out, call, NILAS_ROUND_FLOOR);
}

/* --- sums and averages --- */

static nilas_code sum(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    return nilas_engine__fill_template(out, call,
                                       "{ansi:CAST|TRY_CAST}(sum($distinct $1) $over AS $t)", err);
}

static nilas_code print_average(nilas_buf *out, const nilas_call_sql *call, bool strict,
                                nilas_error *err) {
    NILAS_AUTO_BUF sql = {0};
    NILAS_TRY(nilas_engine__fill_template(&sql, call,
                                          "nilas_decimal_divide(sum($distinct $1) $over, "
                                          "nullif(count($distinct $1) $over, 0), $p, $s, ",
                                          err));
    nilas_buf_add_text(&sql, strict ? "true)" : "false)");
    nilas_engine__print_scaled(out, nilas_buf_view(&sql), call->type->precision, call->type->scale);
    return NILAS_OK;
}

static nilas_code average(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    return print_average(out, call, call->ansi, err);
}

static nilas_code try_average(nilas_buf *out, const nilas_call_sql *call, nilas_error *err) {
    return print_average(out, call, false, err);
}

const nilas_renderer nilas_engine__decimal_renderers[] = {
    {"decimal_add", add},
    {"try_decimal_add", try_add},
    {"decimal_subtract", subtract},
    {"try_decimal_subtract", try_subtract},
    {"decimal_multiply", multiply},
    {"try_decimal_multiply", try_multiply},
    {"decimal_divide", divide},
    {"try_decimal_divide", try_divide},
    {"decimal_remainder", remainder_of},
    {"try_decimal_remainder", try_remainder},
    {"decimal_pmod", pmod},
    {"round", round_half_up},
    {"bround", round_half_even},
    {"ceil", ceiling},
    {"floor", floor_at},
    {"sum_decimal", sum},
    {"avg_decimal", average},
    {"try_avg_decimal", try_average},
    {NULL, NULL},
};
