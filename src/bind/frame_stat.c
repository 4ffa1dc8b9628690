/** DataFrame.stat, describe() and summary(): aggregates of all rows, said in SQL. */
#include <stdio.h>

#include "bind/frame.h"

#define SUMMARY_ACCURACY 10000

static void print_list_of(nilas_buf *out, const double *numbers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        nilas_buf_add_text(out, i > 0 ? ", " : "");
        nilas_real_print(out, numbers[i], false);
        nilas_buf_add_char(out, 'D');
    }
}

static nilas_code run(nilas_binder *binder, const nilas_query *query,
                      const nilas_bound_relation *input, nilas_buf *sql, nilas_bound_relation *out,
                      nilas_error *err) {
    nilas_str text;
    NILAS_TRY(nilas_buf_finish(sql, binder->arena, &text, err));
    return nilas_bind__frame_sql(binder, query, input, text, out, err);
}

/* --- summary --- */

typedef struct summary {
    nilas_binder *binder;
    const nilas_str *statistics;
    size_t statistic_count;
    const nilas_bound_relation *input;
    size_t *columns; // positions of those that are summed up: numbers and strings
    size_t column_count;
    bool counts_distinct;
} summary;

static nilas_code fail_statistic(nilas_str name, nilas_error *err) {
    return nilas_fail_at(
        err, NILAS_INVALID, "UNRECOGNIZED_STATISTIC", -1,
        "The statistic '%.*s' is not recognized. Valid statistics include `count`, "
        "`count_distinct`, `approx_count_distinct`, `mean`, `stddev`, `min`, `max`, and percentile "
        "values. Percentile must be a numeric value followed by '%%', within the range 0%% to "
        "100%%.",
        NILAS_FMT(name));
}

/** "25%" as 0.25. */
static nilas_code parse_percentile(nilas_str name, double *out, nilas_error *err) {
    nilas_str digits = nilas_str_slice(name, 0, name.size - 1);
    if (!nilas_str_to_double(digits, out)) {
        return fail_statistic(name, err);
    }
    *out /= 100.0;
    NILAS_REQUIRE(*out >= 0.0 && *out <= 1.0, err, NILAS_INVALID,
                  "requirement failed: Percentiles must be in the range [0, 1]");
    return NILAS_OK;
}

static const struct {
    const char *name, *before, *after;
    bool of_numbers; // strings are read as numbers where they can be
} statistics[] = {
    {"count", "count(", ")", false},
    {"count_distinct", "count(DISTINCT ", ")", false},
    {"approx_count_distinct", "approx_count_distinct(", ")", false},
    {"mean", "avg(", ")", true},
    {"stddev", "stddev_samp(", ")", true},
    {"min", "min(", ")", false},
    {"max", "max(", ")", false},
};

static nilas_code print_statistic(const summary *s, nilas_buf *out, nilas_str name, size_t column,
                                  nilas_error *err) {
    const nilas_type *type = s->input->columns[column].attribute.type;
    char numeric[64];
    char plain[32];
    (void)snprintf(plain, sizeof(plain), "c%zu", column);
    bool is_text = nilas_type_is_string(type);
    (void)snprintf(numeric, sizeof(numeric), "%s%s%s", is_text ? "try_cast(" : "", plain,
                   is_text ? " AS DOUBLE)" : "");
    if (nilas_str_ends(name, NILAS_STR("%"))) {
        double percentile;
        NILAS_TRY(parse_percentile(name, &percentile, err));
        // Spark gives decimals the digits that they have, unless it also counts distinct values.
        bool digits = type->kind == NILAS_TYPE_DECIMAL && !s->counts_distinct;
        nilas_buf_print(out, "%spercentile_approx(%s, ", digits ? "CAST(" : "", numeric);
        print_list_of(out, &percentile, 1);
        nilas_buf_print(out, ", %d)%s", SUMMARY_ACCURACY, digits ? " AS DOUBLE)" : "");
        return NILAS_OK;
    }
    for (size_t i = 0; i < sizeof(statistics) / sizeof(statistics[0]); i++) {
        if (nilas_str_is_nocase(name, statistics[i].name)) {
            nilas_buf_print(out, "%s%s%s", statistics[i].before,
                            statistics[i].of_numbers ? numeric : plain, statistics[i].after);
            return NILAS_OK;
        }
    }
    return fail_statistic(name, err);
}

/** SELECT stack(n, 'count', a0, a1, 'mean', …) FROM (SELECT CAST(count(c0) AS STRING) AS a0, …). */
static nilas_code print_summary(const summary *s, nilas_buf *out, nilas_error *err) {
    NILAS_AUTO_BUF aggregates = NILAS_BUF_INIT(1 << 20);
    size_t next = 0;
    nilas_buf_print(out, "SELECT stack(%zu", s->statistic_count);
    for (size_t i = 0; i < s->statistic_count; i++) {
        nilas_buf_add_text(out, ", ");
        nilas_string_literal_print(out, s->statistics[i]);
        for (size_t c = 0; c < s->column_count; c++) {
            nilas_buf_print(out, ", a%zu", next);
            nilas_buf_add_text(&aggregates, next > 0 ? ", CAST(" : "CAST(");
            NILAS_TRY(print_statistic(s, &aggregates, s->statistics[i], s->columns[c], err));
            nilas_buf_print(&aggregates, " AS STRING) AS a%zu", next++);
        }
        if (s->column_count == 0) { // the name is checked all the same
            NILAS_TRY(print_statistic(s, &aggregates, s->statistics[i], 0, err));
        }
    }
    nilas_buf_add_char(out, ')');
    if (s->column_count > 0) {
        nilas_buf_add_text(out, " FROM (SELECT ");
        nilas_buf_add(out, nilas_buf_view(&aggregates));
        nilas_buf_add_text(out, " FROM _frame)");
    }
    return nilas_buf_check(out, err);
}

static nilas_code summarize(summary *s, const nilas_query *query, nilas_bound_relation *out,
                            nilas_error *err) {
    nilas_binder *binder = s->binder;
    nilas_str *names;
    NILAS_AUTO_BUF sql = NILAS_BUF_INIT(1 << 24);
    for (size_t i = 0; i < s->statistic_count; i++) {
        s->counts_distinct =
            s->counts_distinct || nilas_str_is_nocase(s->statistics[i], "count_distinct");
    }
    NILAS_TRY(print_summary(s, &sql, err));
    NILAS_TRY(run(binder, query, s->input, &sql, out, err));
    NILAS_NEW_ARRAY(binder->arena, &names, s->column_count + 1, err);
    names[0] = NILAS_STR("summary");
    for (size_t i = 0; i < s->column_count; i++) {
        names[i + 1] = s->input->columns[s->columns[i]].attribute.name;
    }
    nilas_bind__rename(out, names);
    nilas_bind__set_nullable(out, true);
    return NILAS_OK;
}

static bool is_summed_up(const nilas_type *type) {
    return nilas_type_is_numeric(type) || nilas_type_is_string(type);
}

static nilas_code names_of(summary *s, const char *const *names, size_t count, nilas_error *err) {
    nilas_str *list;
    NILAS_NEW_ARRAY(s->binder->arena, &list, count, err);
    for (size_t i = 0; i < count; i++) {
        list[i] = nilas_str_of(names[i]);
    }
    s->statistics = list;
    s->statistic_count = count;
    return NILAS_OK;
}

nilas_code nilas_bind__summary(nilas_binder *binder, nilas_bind_scope *outer,
                               const nilas_query *query, nilas_bound_relation *out,
                               nilas_error *err) {
    static const char *const usual[] = {"count", "mean", "stddev", "min",
                                        "25%",   "50%",  "75%",    "max"};
    nilas_bound_relation input;
    summary s = {.binder = binder,
                 .input = &input,
                 .statistics = query->columns,
                 .statistic_count = query->column_count};
    if (query->column_count == 0) {
        NILAS_TRY(names_of(&s, usual, sizeof(usual) / sizeof(usual[0]), err));
    }
    NILAS_TRY(nilas_bind__frame_input(binder, outer, query, &input, err));
    NILAS_NEW_ARRAY(binder->arena, &s.columns, input.column_count, err);
    for (size_t i = 0; i < input.column_count; i++) {
        if (is_summed_up(input.columns[i].attribute.type)) {
            s.columns[s.column_count++] = i;
        }
    }
    return summarize(&s, query, out, err);
}

nilas_code nilas_bind__describe(nilas_binder *binder, nilas_bind_scope *outer,
                                const nilas_query *query, nilas_bound_relation *out,
                                nilas_error *err) {
    static const char *const described[] = {"count", "mean", "stddev", "min", "max"};
    nilas_bound_relation input;
    summary s = {.binder = binder, .input = &input};
    NILAS_TRY(names_of(&s, described, sizeof(described) / sizeof(described[0]), err));
    NILAS_TRY(nilas_bind__frame_input(binder, outer, query, &input, err));
    size_t count = query->column_count > 0 ? query->column_count : input.column_count;
    NILAS_NEW_ARRAY(binder->arena, &s.columns, count, err);
    for (size_t i = 0; i < count; i++) {
        size_t index = i;
        if (query->column_count > 0) {
            NILAS_TRY(nilas_bind__named_column(binder, &input, query->columns[i], &index, err));
        }
        if (is_summed_up(input.columns[index].attribute.type)) {
            s.columns[s.column_count++] = index;
        }
    }
    return summarize(&s, query, out, err);
}

/* --- two columns --- */

static nilas_code two_columns(nilas_binder *binder, nilas_bind_scope *outer,
                              const nilas_query *query, nilas_bound_relation *input,
                              size_t columns[2], nilas_error *err) {
    NILAS_REQUIRE(query->column_count == 2, err, NILAS_INVALID, "two columns are expected");
    NILAS_TRY(nilas_bind__frame_input(binder, outer, query, input, err));
    for (size_t i = 0; i < 2; i++) {
        NILAS_TRY(nilas_bind__named_column(binder, input, query->columns[i], &columns[i], err));
    }
    return NILAS_OK;
}

/** An aggregate of two columns as doubles, nulls as zeros, as Spark has it. */
static nilas_code relate(nilas_binder *binder, nilas_bind_scope *outer, const nilas_query *query,
                         nilas_bound_relation *out, nilas_error *err) {
    bool is_cov = query->kind == NILAS_QUERY_COV;
    nilas_bound_relation input;
    size_t columns[2];
    NILAS_AUTO_BUF sql = NILAS_BUF_INIT(4096);
    NILAS_TRY(two_columns(binder, outer, query, &input, columns, err));
    for (size_t i = 0; i < 2; i++) {
        const nilas_type *type = input.columns[columns[i]].attribute.type;
        if (!nilas_type_is_numeric(type)) {
            NILAS_AUTO_BUF text = NILAS_BUF_INIT(65536);
            nilas_type_print(&text, type);
            return nilas_fail(err, NILAS_INVALID,
                              "requirement failed: Currently %s calculation for columns with "
                              "dataType %.*s not supported.",
                              is_cov ? "covariance" : "correlation",
                              NILAS_FMT(nilas_buf_view(&text)));
        }
    }
    nilas_buf_print(&sql,
                    "SELECT %s(coalesce(CAST(c%zu AS DOUBLE), 0D), coalesce(CAST(c%zu AS DOUBLE), "
                    "0D)) AS %s FROM _frame",
                    is_cov ? "covar_samp" : "corr", columns[0], columns[1],
                    is_cov ? "cov" : "corr");
    return run(binder, query, &input, &sql, out, err);
}

nilas_code nilas_bind__cov(nilas_binder *binder, nilas_bind_scope *outer, const nilas_query *query,
                           nilas_bound_relation *out, nilas_error *err) {
    return relate(binder, outer, query, out, err);
}

nilas_code nilas_bind__corr(nilas_binder *binder, nilas_bind_scope *outer, const nilas_query *query,
                            nilas_bound_relation *out, nilas_error *err) {
    NILAS_REQUIRE(query->text.size == 0 || nilas_str_is(query->text, "pearson"), err, NILAS_INVALID,
                  "requirement failed: Currently only the calculation of the Pearson Correlation "
                  "coefficient is supported.");
    return relate(binder, outer, query, out, err);
}

nilas_code nilas_bind__crosstab(nilas_binder *binder, nilas_bind_scope *outer,
                                const nilas_query *query, nilas_bound_relation *out,
                                nilas_error *err) {
    nilas_bound_relation input;
    size_t columns[2];
    nilas_values values;
    nilas_str *names;
    NILAS_AUTO_BUF text = NILAS_BUF_INIT(4096);
    NILAS_AUTO_BUF sql = NILAS_BUF_INIT(1 << 24);
    NILAS_TRY(two_columns(binder, outer, query, &input, columns, err));
    nilas_buf_print(&text,
                    "SELECT DISTINCT coalesce(CAST(c%zu AS STRING), 'null') AS v FROM _frame",
                    columns[1]);
    nilas_str distinct = nilas_buf_view(&text);
    NILAS_TRY(nilas_bind__distinct_values(binder, query, &input, distinct, &values, err));
    NILAS_NEW_ARRAY(binder->arena, &names, values.count + 1, err);
    NILAS_TRY(nilas_str_print(binder->arena, &names[0], err, "%.*s_%.*s",
                              NILAS_FMT(query->columns[0]), NILAS_FMT(query->columns[1])));
    nilas_buf_add_text(&sql, "SELECT k");
    for (size_t i = 0; i < values.count; i++) {
        names[i + 1] = values.items[i].text;
        nilas_buf_add_text(&sql, ", count(CASE WHEN v = ");
        nilas_string_literal_print(&sql, values.items[i].text);
        nilas_buf_print(&sql, " THEN 1 END) AS v%zu", i);
    }
    nilas_buf_print(&sql,
                    " FROM (SELECT coalesce(CAST(c%zu AS STRING), 'null') AS k, coalesce(CAST(c%zu "
                    "AS STRING), 'null') AS v FROM _frame) GROUP BY k",
                    columns[0], columns[1]);
    NILAS_TRY(run(binder, query, &input, &sql, out, err));
    nilas_bind__rename(out, names);
    out->columns[0].attribute.nullable = true;
    out->plan->outputs[0].nullable = true;
    return NILAS_OK;
}

/* --- several columns --- */

static const char *class_of(const nilas_type *type) {
    switch (type->kind) {
    case NILAS_TYPE_STRING:
    case NILAS_TYPE_CHAR:
    case NILAS_TYPE_VARCHAR: return "StringType";
    case NILAS_TYPE_BOOLEAN: return "BooleanType";
    case NILAS_TYPE_BINARY: return "BinaryType";
    case NILAS_TYPE_DATE: return "DateType";
    case NILAS_TYPE_TIMESTAMP: return "TimestampType";
    case NILAS_TYPE_TIMESTAMP_NTZ: return "TimestampNTZType";
    case NILAS_TYPE_VOID: return "NullType";
    case NILAS_TYPE_ARRAY: return "ArrayType";
    case NILAS_TYPE_MAP: return "MapType";
    case NILAS_TYPE_STRUCT: return "StructType";
    default: return "of this kind";
    }
}

nilas_code nilas_bind__approx_quantile(nilas_binder *binder, nilas_bind_scope *outer,
                                       const nilas_query *query, nilas_bound_relation *out,
                                       nilas_error *err) {
    nilas_bound_relation input;
    NILAS_AUTO_BUF sql = NILAS_BUF_INIT(1 << 24);
    NILAS_TRY(nilas_bind__frame_input(binder, outer, query, &input, err));
    NILAS_REQUIRE(query->ratio >= 0.0, err, NILAS_INVALID,
                  "requirement failed: Relative Error must be non-negative but got %g",
                  query->ratio);
    for (size_t i = 0; i < query->number_count; i++) {
        NILAS_REQUIRE(query->numbers[i] >= 0.0 && query->numbers[i] <= 1.0, err, NILAS_INVALID,
                      "requirement failed: percentile should be in the range [0.0, 1.0]");
    }
    nilas_buf_add_text(&sql, "SELECT array(");
    for (size_t i = 0; i < query->column_count; i++) {
        size_t index;
        NILAS_TRY(nilas_bind__named_column(binder, &input, query->columns[i], &index, err));
        const nilas_attribute *attribute = &input.columns[index].attribute;
        NILAS_REQUIRE(nilas_type_is_numeric(attribute->type), err, NILAS_INVALID,
                      "requirement failed: Quantile calculation for column %.*s with data type %s "
                      "is not supported.",
                      NILAS_FMT(attribute->name), class_of(attribute->type));
        nilas_buf_print(&sql, "%scoalesce(percentile_approx(CAST(c%zu AS DOUBLE), array(",
                        i > 0 ? ", " : "", index);
        print_list_of(&sql, query->numbers, query->number_count);
        nilas_buf_print(&sql,
                        "), 1000000) FILTER (WHERE NOT isnan(CAST(c%zu AS DOUBLE))), "
                        "CAST(array() AS ARRAY<DOUBLE>))",
                        index);
    }
    nilas_buf_add_text(&sql, ") AS approx_quantile FROM _frame");
    NILAS_TRY(run(binder, query, &input, &sql, out, err));
    nilas_bind__set_nullable(out, false);
    return NILAS_OK;
}

nilas_code nilas_bind__freq_items(nilas_binder *binder, nilas_bind_scope *outer,
                                  const nilas_query *query, nilas_bound_relation *out,
                                  nilas_error *err) {
    nilas_bound_relation input;
    nilas_str *names;
    double support = query->ratio == 0.0 ? 0.01 : query->ratio;
    NILAS_AUTO_BUF sql = NILAS_BUF_INIT(1 << 24);
    NILAS_REQUIRE(support >= 1e-4 && support <= 1.0, err, NILAS_INVALID,
                  "requirement failed: Support must be in [1e-4, 1], but got %g.", support);
    NILAS_TRY(nilas_bind__frame_input(binder, outer, query, &input, err));
    NILAS_NEW_ARRAY(binder->arena, &names, query->column_count, err);
    nilas_buf_add_text(&sql, "SELECT ");
    for (size_t i = 0; i < query->column_count; i++) {
        size_t index;
        NILAS_TRY(nilas_bind__named_column(binder, &input, query->columns[i], &index, err));
        NILAS_TRY(nilas_str_print(binder->arena, &names[i], err, "%.*s_freqItems",
                                  NILAS_FMT(input.columns[index].attribute.name)));
        nilas_buf_print(&sql,
                        "%s(SELECT collect_list(v) FROM (SELECT c%zu AS v, count(*) AS n FROM "
                        "_frame GROUP BY c%zu) WHERE n >= ",
                        i > 0 ? ", " : "", index, index);
        print_list_of(&sql, &support, 1);
        nilas_buf_print(&sql, " * (SELECT count(*) FROM _frame)) AS f%zu", i);
    }
    NILAS_TRY(run(binder, query, &input, &sql, out, err));
    nilas_bind__rename(out, names);
    nilas_bind__set_nullable(out, false);
    return NILAS_OK;
}

/* --- sampleBy --- */

static nilas_code check_fractions(const nilas_query *query, nilas_error *err) {
    bool wrong = false;
    NILAS_AUTO_BUF list = NILAS_BUF_INIT(65536);
    for (size_t i = 0; i < query->number_count; i++) {
        const nilas_expr *stratum = query->exprs[i + 1];
        wrong = wrong || !(query->numbers[i] >= 0.0 && query->numbers[i] <= 1.0);
        nilas_buf_add_text(&list, i > 0 ? ", " : "");
        if (stratum->value.kind == NILAS_VALUE_STRING) {
            nilas_buf_add(&list, stratum->value.text);
        } else {
            nilas_expr_print(&list, stratum);
        }
        nilas_buf_add_text(&list, " -> ");
        nilas_real_print(&list, query->numbers[i], false);
    }
    NILAS_REQUIRE(!wrong, err, NILAS_INVALID,
                  "requirement failed: Fractions must be in [0, 1], but got Map(%.*s).",
                  NILAS_FMT(nilas_buf_view(&list)));
    return NILAS_OK;
}

/** A row stays when a random number is below its stratum's fraction. */
nilas_code nilas_bind__sample_by(nilas_binder *binder, nilas_bind_scope *outer,
                                 const nilas_query *query, nilas_bound_relation *out,
                                 nilas_error *err) {
    NILAS_AUTO_BUF sql = NILAS_BUF_INIT(1 << 24);
    nilas_str *names;
    nilas_bound_relation input;
    NILAS_REQUIRE(query->expr_count == query->number_count + 1, err, NILAS_INVALID,
                  "sampleBy needs a fraction for each stratum");
    NILAS_TRY(check_fractions(query, err));
    // The column is bound over the input as one more column of it.
    nilas_query *with = NULL;
    nilas_expr *star;
    NILAS_TRY(nilas_query_new(binder->arena, NILAS_QUERY_PIPE_SELECT, query->offset, &with, err));
    NILAS_TRY(nilas_expr_new(binder->arena, NILAS_EXPR_STAR, -1, &star, err));
    NILAS_NEW_ARRAY(binder->arena, &with->exprs, 2, err);
    with->input = query->input;
    with->exprs[0] = star;
    with->exprs[1] = query->exprs[0];
    with->expr_count = 2;
    nilas_query over = *query;
    over.input = with;
    NILAS_TRY(nilas_bind__frame_input(binder, outer, &over, &input, err));
    size_t count = input.column_count - 1;
    nilas_buf_add_text(&sql, "SELECT ");
    for (size_t i = 0; i < count; i++) {
        nilas_buf_print(&sql, "%sc%zu", i > 0 ? ", " : "", i);
    }
    nilas_buf_print(&sql, " FROM _frame WHERE rand(%lldL) < CASE", (long long)query->number);
    for (size_t i = 0; i < query->number_count; i++) {
        nilas_buf_print(&sql, " WHEN c%zu <=> ", count);
        nilas_expr_print(&sql, query->exprs[i + 1]);
        nilas_buf_add_text(&sql, " THEN ");
        print_list_of(&sql, &query->numbers[i], 1);
    }
    nilas_buf_add_text(&sql, query->number_count > 0 ? " ELSE 0D END" : " WHEN true THEN 0D END");
    NILAS_TRY(nilas_bind__names(binder, &input, &names, err));
    NILAS_TRY(run(binder, &over, &input, &sql, out, err));
    nilas_bind__rename(out, names);
    return NILAS_OK;
}
