/**
 * DataFrame.sample() and randomSplit(): each row gets a number from 0 to 1, which the seed and its
 * place decide, so that the parts of a split are disjoint and complete.
 */
#include <math.h>

#include "bind/frame.h"

#define FRACTION_SLACK 1e-6 // as Spark's RandomSampler

static bool is_orderable(const nilas_type *type) {
    bool orderable = type->kind != NILAS_TYPE_MAP && type->kind != NILAS_TYPE_VARIANT &&
                     type->kind != NILAS_TYPE_INTERVAL;
    for (size_t i = 0; i < type->field_count && orderable; i++) {
        orderable = is_orderable(type->fields[i].type);
    }
    return orderable;
}

/** The place of a row: among all in order, or as they come. */
static void print_place(nilas_buf *out, const nilas_bound_relation *input, bool in_order) {
    const char *separator = "row_number() OVER (ORDER BY ";
    for (size_t i = 0; i < input->column_count && in_order; i++) {
        if (is_orderable(input->columns[i].attribute.type)) {
            nilas_buf_print(out, "%sc%zu", separator, i);
            separator = ", ";
        }
    }
    nilas_buf_add_text(out, separator[0] == ',' ? ")" : "monotonically_increasing_id()");
}

static void print_columns(nilas_buf *out, const nilas_bound_relation *input) {
    for (size_t i = 0; i < input->column_count; i++) {
        nilas_buf_print(out, "%sc%zu", i > 0 ? ", " : "", i);
    }
}

static void print_real(nilas_buf *out, double number) {
    nilas_real_print(out, number, false);
    nilas_buf_add_char(out, 'D');
}

/** How often a row comes, Poisson-distributed: CASE WHEN u < P(0) THEN 0 WHEN u < P(0..1) …. */
static void print_repetitions(nilas_buf *out, double mean) {
    double probability = exp(-mean);
    double sum = probability;
    nilas_buf_add_text(out, "CASE");
    for (int times = 0; times < 1000 && sum < 1.0 - 1e-13; times++) {
        nilas_buf_add_text(out, " WHEN u < ");
        print_real(out, sum);
        nilas_buf_print(out, " THEN %d", times);
        probability *= mean / (times + 1);
        sum += probability;
    }
    nilas_buf_print(out, " WHEN true THEN %d END", mean > 0 ? (int)ceil(mean) : 0);
}

static nilas_code check_fraction(const nilas_sample *sample, double fraction, nilas_error *err) {
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(64);
    nilas_real_print(&text, fraction, false);
    if (sample->with_replacement) {
        NILAS_REQUIRE(fraction >= 0.0 - FRACTION_SLACK, err, NILAS_INVALID,
                      "requirement failed: Sampling fraction (%.*s) must be nonnegative with "
                      "replacement",
                      NILAS_FMT(nilas_buf_view(&text)));
        NILAS_REQUIRE(fraction <= 100.0, err, NILAS_UNSUPPORTED,
                      "sampling each row more than 100 times is not supported by nilas");
        return NILAS_OK;
    }
    NILAS_REQUIRE(fraction >= 0.0 - FRACTION_SLACK && fraction <= 1.0 + FRACTION_SLACK, err,
                  NILAS_INVALID,
                  "requirement failed: Sampling fraction (%.*s) must be on interval [0, 1] without "
                  "replacement",
                  NILAS_FMT(nilas_buf_view(&text)));
    return NILAS_OK;
}

nilas_code nilas_bind__frame_sample(nilas_binder *binder, nilas_bind_scope *outer,
                                    const nilas_query *query, nilas_bound_relation *out,
                                    nilas_error *err) {
    const nilas_sample *sample = query->sample;
    nilas_bound_relation input;
    nilas_str *names;
    nilas_str text;
    NILAS_AUTO_BUF sql = NILAS_BUF_INIT(1 << 24);
    double upper = sample->amount->value.real;
    int64_t seed =
        sample->seed != NULL ? sample->seed->value.integer : binder->environment->now_micros;
    NILAS_TRY(check_fraction(sample, upper - sample->lower, err));
    NILAS_TRY(nilas_bind__frame_input(binder, outer, query, &input, err));
    NILAS_TRY(nilas_bind__names(binder, &input, &names, err));
    nilas_buf_add_text(&sql, "SELECT ");
    print_columns(&sql, &input);
    nilas_buf_add_text(&sql, " FROM (SELECT *, (xxhash64(");
    print_place(&sql, &input, sample->deterministic_order);
    nilas_buf_print(&sql, ", %lldL) & 4503599627370495L) / 4503599627370496D AS u FROM _frame)",
                    (long long)seed);
    if (sample->with_replacement) {
        nilas_buf_add_text(&sql, " LATERAL VIEW explode(array_repeat(1, ");
        print_repetitions(&sql, upper - sample->lower);
        nilas_buf_add_text(&sql, ")) AS repetition");
    } else {
        nilas_buf_add_text(&sql, " WHERE u >= ");
        print_real(&sql, sample->lower);
        nilas_buf_add_text(&sql, " AND u < ");
        print_real(&sql, upper);
    }
    NILAS_TRY(nilas_buf_finish(&sql, binder->arena, &text, err));
    NILAS_TRY(nilas_bind__frame_sql(binder, query, &input, text, out, err));
    nilas_bind__rename(out, names);
    return NILAS_OK;
}
