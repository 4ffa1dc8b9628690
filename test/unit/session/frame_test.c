/* What only DataFrames have; schemas, names and rows are those of Spark 4.0.5. */
#include "unit/session/frames.h"

static nilas_query *mixed(frames *f) {
    return frames_sql(f, "SELECT * FROM VALUES (1,'x',10.5D,true),(2,null,double('NaN'),null),"
                         "(null,'z',null,false) AS t(a,b,c,d)");
}

static nilas_query *numbers(frames *f) {
    return frames_sql(f, "SELECT * FROM VALUES (1,2.0D,3.0BD,'s'),(2,4.5D,1.0BD,'t'),"
                         "(3,1.0D,null,'s'),(10,7.0D,9.0BD,null) AS t(x,y,z,s)");
}

static nilas_query *node(frames *f, nilas_query_kind kind, nilas_query *input, const char *columns,
                         const char *exprs) {
    nilas_query *query = frames_over(f, kind, input);
    frames_columns(f, query, columns);
    if (exprs[0] != '\0') {
        frames_exprs(f, query, exprs);
    }
    return query;
}

NILAS_TEST(missing_values_are_filled_where_the_type_fits) {
    frames f;
    frames_init(&f);
    CHECK_FRAME(&f, node(&f, NILAS_QUERY_NA_FILL, mixed(&f), "", "7L"),
                "a int!, b string, c double!, d boolean\n{1, x, 10.5, true}\n{2, null, 7.0, null}\n"
                "{7, z, 7.0, false}");
    CHECK_FRAME(&f, node(&f, NILAS_QUERY_NA_FILL, mixed(&f), "a b", "'q'"),
                "a int, b string!, c double, d boolean\n{1, x, 10.5, true}\n{2, q, NaN, null}\n"
                "{null, z, null, false}");
    CHECK_FRAME(&f, node(&f, NILAS_QUERY_NA_FILL, mixed(&f), "a b", "5L, 'w'"),
                "a int!, b string!, c double, d boolean\n{1, x, 10.5, true}\n{2, w, NaN, null}\n"
                "{5, z, null, false}");
    CHECK_FRAME_FAILS(&f, node(&f, NILAS_QUERY_NA_FILL, mixed(&f), "nope", "1L"),
                      "UNRESOLVED_COLUMN.WITH_SUGGESTION");
    frames_done(&f);
}

NILAS_TEST(rows_with_missing_values_go_and_values_are_replaced) {
    frames f;
    frames_init(&f);
    CHECK_FRAME(&f, node(&f, NILAS_QUERY_NA_DROP, mixed(&f), "", ""),
                "a int, b string, c double, d boolean\n{1, x, 10.5, true}");
    nilas_query *some = node(&f, NILAS_QUERY_NA_DROP, mixed(&f), "a b c", "");
    some->has_number = true;
    some->number = 2;
    CHECK_FRAME(&f, some, "a int, b string, c double, d boolean\n{1, x, 10.5, true}");
    CHECK_FRAME(&f, node(&f, NILAS_QUERY_NA_REPLACE, mixed(&f), "", "1L, 2.7D, 2L, 9L"),
                "a int, b string, c double, d boolean\n{2, x, 10.5, true}\n{9, null, NaN, null}\n"
                "{null, z, null, false}");
    CHECK_FRAME(&f, node(&f, NILAS_QUERY_NA_REPLACE, mixed(&f), "b", "'x', null"),
                "a int, b string, c double, d boolean\n{1, null, 10.5, true}\n"
                "{2, null, NaN, null}\n{null, z, null, false}");
    frames_done(&f);
}

NILAS_TEST(summaries_are_text) {
    frames f;
    frames_init(&f);
    CHECK_FRAME(&f, node(&f, NILAS_QUERY_DESCRIBE, numbers(&f), "x s", ""),
                "summary string, x string, s string\n{count, 4, 3}\n{mean, 4.0, null}\n"
                "{stddev, 4.08248290463863, null}\n{min, 1, s}\n{max, 10, t}");
    CHECK_FRAME(&f, node(&f, NILAS_QUERY_SUMMARY, numbers(&f), "count_distinct 50% max", ""),
                "summary string, x string, y string, z string, s string\n"
                "{count_distinct, 4, 4, 3, 2}\n{50%, 2, 2.0, 3.0, null}\n{max, 10, 7.0, 9.0, t}");
    CHECK_FRAME(&f, node(&f, NILAS_QUERY_DESCRIBE, mixed(&f), "c", ""),
                "summary string, c string\n{count, 2}\n{mean, NaN}\n{stddev, NaN}\n{min, 10.5}\n"
                "{max, NaN}");
    CHECK_FRAME_FAILS(&f, node(&f, NILAS_QUERY_SUMMARY, numbers(&f), "nope", ""),
                      "UNRECOGNIZED_STATISTIC");
    frames_done(&f);
}

NILAS_TEST(statistics_of_columns) {
    frames f;
    frames_init(&f);
    double probabilities[] = {0.0, 0.5, 1.0};
    CHECK_FRAME(&f, node(&f, NILAS_QUERY_COV, numbers(&f), "x z", ""),
                "cov double\n{14.333333333333334}"); // a null counts as 0
    CHECK_FRAME(&f, node(&f, NILAS_QUERY_CORR, numbers(&f), "x y", ""),
                "corr double\n{0.7895572027211684}");
    CHECK_FRAME_FAILS(&f, node(&f, NILAS_QUERY_COV, numbers(&f), "x s", ""),
                      "requirement failed: Currently covariance calculation for columns with "
                      "dataType string not supported.");
    nilas_query *query = node(&f, NILAS_QUERY_APPROX_QUANTILE, numbers(&f), "x z", "");
    query->numbers = probabilities;
    query->number_count = 3;
    CHECK_FRAME(&f, query,
                "approx_quantile array<array<double>>!\n{[[1.0, 2.0, 10.0], [1.0, 3.0, 9.0]]}");
    query = node(&f, NILAS_QUERY_FREQ_ITEMS, numbers(&f), "s", "");
    query->ratio = 0.4;
    CHECK_FRAME(&f, query, "s_freqItems array<string>!\n{[s]}");
    query = node(&f, NILAS_QUERY_SAMPLE_BY, numbers(&f), "", "s, 's', 't'");
    query->numbers = probabilities + 1; // 0.5 and 1
    query->number_count = 2;
    probabilities[1] = 0.0;
    CHECK_FRAME(&f, query, "x int!, y double!, z decimal(2,1), s string\n{2, 4.5, 1.0, t}");
    frames_done(&f);
}

NILAS_TEST(columns_can_come_from_rows) {
    frames f;
    frames_init(&f);
    nilas_query *sorted = frames_over(&f, NILAS_QUERY_SORT, NULL);
    frames_exprs(&f, sorted, "1");
    sorted->input = node(&f, NILAS_QUERY_CROSSTAB, numbers(&f), "s x", "");
    CHECK_FRAME(&f, sorted,
                "s_x string, 1 bigint!, 10 bigint!, 2 bigint!, 3 bigint!\n{null, 0, 1, 0, 0}\n"
                "{s, 1, 0, 0, 1}\n{t, 0, 0, 1, 0}");
    CHECK_FRAME(&f,
                node(&f, NILAS_QUERY_TRANSPOSE,
                     frames_sql(&f, "SELECT 'b' k, 1 x, 2.5D y "
                                    "UNION ALL SELECT 'a', 3, null"),
                     "", ""),
                "key string!, a double, b double\n{x, 3.0, 1.0}\n{y, null, 2.5}");
    CHECK_FRAME_FAILS(&f, node(&f, NILAS_QUERY_TRANSPOSE, numbers(&f), "", ""),
                      "TRANSPOSE_NO_LEAST_COMMON_TYPE");
    nilas_query *pivot = frames_over(&f, NILAS_QUERY_PIVOT, numbers(&f));
    frames_exprs(&f, pivot, "s, x");
    pivot->group_by = (nilas_group_by){.present = true, .exprs = pivot->exprs, .expr_count = 1};
    pivot->pivot_columns = pivot->exprs + 1;
    pivot->pivot_column_count = 1;
    frames_exprs(&f, pivot, "count(y)");
    sorted->input = pivot;
    CHECK_FRAME(&f, sorted,
                "s string, 1 bigint, 2 bigint, 3 bigint, 10 bigint\n"
                "{null, null, null, null, 1}\n{s, 1, null, 1, null}\n{t, null, 1, null, null}");
    frames_done(&f);
}

NILAS_TEST(unpivot_keeps_the_ids_alone) {
    frames f;
    frames_init(&f);
    nilas_str value = NILAS_STR("val");
    nilas_unpivot unpivot = {.include_nulls = true,
                             .ids_given = true,
                             .name_column = NILAS_STR("var"),
                             .value_columns = &value,
                             .value_column_count = 1};
    nilas_query *query = frames_over(&f, NILAS_QUERY_UNPIVOT,
                                     frames_sql(&f, "SELECT 1 AS x, 2.0D AS y, int(null) AS z"));
    frames_exprs(&f, query, "x");
    query->unpivot = &unpivot;
    CHECK_FRAME(&f, query, "x int!, var string!, val double\n{1, y, 2.0}\n{1, z, null}");
    query->input = frames_sql(&f, "SELECT 1 AS x, 'a' AS y, 2 AS z");
    CHECK_FRAME_FAILS(&f, query, "UNPIVOT_VALUE_DATA_TYPE_MISMATCH");
    query->input = frames_sql(&f, "SELECT 1 AS x");
    CHECK_FRAME_FAILS(&f, query, "UNPIVOT_REQUIRES_VALUE_COLUMNS");
    frames_done(&f);
}

NILAS_TEST(unions_by_name_may_lack_columns) {
    frames f;
    frames_init(&f);
    nilas_query *query = frames_over(&f, NILAS_QUERY_SET_OP, NULL);
    query->left = frames_sql(&f, "SELECT 1 AS x, struct(1 AS p, 2.5D AS q) AS st");
    query->right = frames_sql(&f, "SELECT 'k' AS s, struct(3.5D AS q, 'r' AS r) AS st");
    query->set_op = NILAS_SET_UNION;
    query->all = query->by_name = true;
    CHECK_FRAME_FAILS(&f, query, "_LEGACY_ERROR_TEMP_1201");
    query->right = frames_sql(&f, "SELECT 1 AS x, 2 AS X");
    CHECK_FRAME_FAILS(&f, query, "COLUMN_ALREADY_EXISTS");
    query->right = frames_sql(&f, "SELECT 'k' AS s, struct(3.5D AS q, 'r' AS r) AS st");
    query->allow_missing = true;
    CHECK_FRAME(&f, query,
                "x int, st struct<p:int,q:double,r:string>!, s string\n{1, {1, 2.5, null}, null}\n"
                "{null, {null, 3.5, r}, k}");
    frames_done(&f);
}

NILAS_TEST(fields_of_structs_are_set_and_dropped) {
    frames f;
    frames_init(&f);
    nilas_query *query = node(&f, NILAS_QUERY_PIPE_SELECT,
                              frames_sql(&f, "SELECT struct(struct(1 AS x) AS i, 2 AS y) AS q"), "",
                              "struct(q, 5) AS a, struct(q) AS b");
    nilas_str deep[] = {NILAS_STR("i"), NILAS_STR("z")};
    nilas_str flat[] = {NILAS_STR("y")};
    nilas_expr *set = query->exprs[0]->args[0];
    nilas_expr *drop = query->exprs[1]->args[0];
    set->kind = drop->kind = NILAS_EXPR_UPDATE_FIELD;
    set->parts = deep;
    set->part_count = 2;
    drop->parts = flat;
    drop->part_count = 1;
    CHECK_FRAME(&f, query,
                "a struct<i:struct<x:int,z:int>,y:int>!, b struct<i:struct<x:int>>!\n"
                "{{{1, 5}, 2}, {{1}}}");
    frames_done(&f);
}

NILAS_TEST(observations_are_measured_beside_the_rows) {
    frames f;
    frames_init(&f);
    nilas_query *observe = node(&f, NILAS_QUERY_OBSERVE, numbers(&f), "", "count(*) AS n, max(x)");
    observe->alias = NILAS_STR("o");
    nilas_query *query = frames_over(&f, NILAS_QUERY_FILTER, observe);
    query->where = frames_expr(&f, "x > 5");
    CHECK_FRAME(&f, query, "x int!, y double!, z decimal(2,1), s string\n{10, 7.0, 9.0, null}");
    nilas_observation *observations = NULL;
    size_t count = 0;
    CHECK_OK(nilas_session_observe(f.session, f.arena, query, &observations, &count, &f.err),
             f.err);
    CHECK_INT(count, 1);
    NILAS_AUTO_BUF type = NILAS_BUF_INIT(0);
    nilas_type_print(&type, observations[0].type);
    CHECK_STR(nilas_buf_view(&type), "struct<n:bigint,max(x):int>");
    CHECK_INT(observations[0].values.items[0].integer, 4);
    CHECK_INT(observations[0].values.items[1].integer, 10);
    frames_done(&f);
}

static nilas_code make_numbers(void *context, nilas_arena *stmt, const nilas_query **out,
                               nilas_error *err) {
    (void)stmt;
    frames *f = context;
    if (f->plan_id < 0) {
        return nilas_fail(err, NILAS_CORRUPT, "the plan is gone");
    }
    *out = numbers(f);
    return NILAS_OK;
}

static void release_numbers(void *context) {
    ((frames *)context)->plan_id += 1000;
}

NILAS_TEST(a_view_asks_its_source_each_time) {
    frames f;
    frames_init(&f);
    nilas_view_options options = {.name = NILAS_STR("v")};
    nilas_view_source source = {.make = make_numbers, .release = release_numbers, .context = &f};
    CHECK_OK(nilas_session_create_view(f.session, &options, &source, &f.err), f.err);
    CHECK_FRAME(&f, frames_sql(&f, "SELECT sum(l.x) AS n FROM v l JOIN v r ON l.x = r.x"),
                "n bigint\n{16}");
    CHECK_FAILS(nilas_session_create_view(f.session, &options, &source, &f.err), NILAS_EXISTS,
                f.err, "already exists");
    CHECK(f.plan_id > 1000); // released, since no view took it
    f.plan_id = -1;
    CHECK_FRAME_FAILS(&f, frames_sql(&f, "SELECT * FROM v"), "the plan is gone");
    frames_done(&f);
}

NILAS_TEST(the_same_meaning_has_the_same_hash) {
    frames f;
    frames_init(&f);
    bool same = false;
    int32_t a = 0;
    int32_t b = 0;
    nilas_query *left = frames_sql(&f, "SELECT x + 1 AS n FROM VALUES (1) AS t(x)");
    nilas_query *right = frames_sql(&f, "select  x+1 as n from values (1) as t(x)");
    CHECK_OK(nilas_session_same_semantics(f.session, f.arena, left, right, &same, &f.err), f.err);
    CHECK(same);
    CHECK_OK(nilas_session_semantic_hash(f.session, f.arena, left, &a, &f.err), f.err);
    CHECK_OK(nilas_session_semantic_hash(f.session, f.arena, right, &b, &f.err), f.err);
    CHECK_INT(a, b);
    right = frames_sql(&f, "SELECT x + 2 AS n FROM VALUES (1) AS t(x)");
    CHECK_OK(nilas_session_same_semantics(f.session, f.arena, left, right, &same, &f.err), f.err);
    CHECK(!same);
    frames_done(&f);
}

static nilas_query *sample_of(frames *f, nilas_query *input, nilas_sample *sample) {
    nilas_query *query = frames_over(f, NILAS_QUERY_SAMPLE, input);
    query->sample = sample;
    nilas_query *count = frames_over(f, NILAS_QUERY_PIPE_AGGREGATE, query);
    frames_exprs(f, count, "count(*) AS n, count(DISTINCT id) AS d");
    return count;
}

NILAS_TEST(parts_of_a_split_are_disjoint_and_complete) {
    frames f;
    frames_init(&f);
    nilas_query *rows = frames_sql(&f, "SELECT * FROM range(1000)");
    nilas_sample first = {.kind = NILAS_SAMPLE_FRACTION,
                          .amount = frames_expr(&f, "0.25D"),
                          .seed = frames_expr(&f, "7L"),
                          .deterministic_order = true};
    nilas_sample second = first;
    second.lower = 0.25;
    second.amount = frames_expr(&f, "1.0D");
    nilas_query *join = frames_over(&f, NILAS_QUERY_SET_OP, NULL);
    join->left = frames_over(&f, NILAS_QUERY_SAMPLE, rows);
    join->right = frames_over(&f, NILAS_QUERY_SAMPLE, rows);
    join->left->sample = &first;
    join->right->sample = &second;
    join->all = true;
    nilas_query *count = frames_over(&f, NILAS_QUERY_PIPE_AGGREGATE, join);
    frames_exprs(&f, count, "count(*) AS n, count(DISTINCT id) AS d");
    CHECK_FRAME(&f, count, "n bigint!, d bigint!\n{1000, 1000}");
    frames_done(&f);
}

NILAS_TEST(samples_follow_their_fraction) {
    frames f;
    frames_init(&f);
    nilas_query *rows = frames_sql(&f, "SELECT * FROM range(10)");
    nilas_sample sample = {.kind = NILAS_SAMPLE_FRACTION,
                           .amount = frames_expr(&f, "1.0D"),
                           .seed = frames_expr(&f, "1L")};
    CHECK_FRAME(&f, sample_of(&f, rows, &sample), "n bigint!, d bigint!\n{10, 10}");
    sample.amount = frames_expr(&f, "0.0D");
    CHECK_FRAME(&f, sample_of(&f, rows, &sample), "n bigint!, d bigint!\n{0, 0}");
    sample.with_replacement = true;
    CHECK_FRAME(&f, sample_of(&f, rows, &sample), "n bigint!, d bigint!\n{0, 0}");
    sample.with_replacement = false;
    sample.amount = frames_expr(&f, "1.5D");
    CHECK_FRAME_FAILS(&f, sample_of(&f, rows, &sample),
                      "requirement failed: Sampling fraction (1.5) must be on interval [0, 1] "
                      "without replacement");
    frames_done(&f);
}

NILAS_TEST(frames_nest_deep) {
    frames f;
    frames_init(&f);
    nilas_query *one = frames_sql(&f, "SELECT 1 AS a");
    nilas_query *all = one;
    for (int i = 0; i < 270; i++) {
        nilas_query *both = frames_over(&f, NILAS_QUERY_SET_OP, NULL);
        both->left = all;
        both->right = one;
        both->all = true;
        all = both;
    }
    nilas_query *count = frames_over(&f, NILAS_QUERY_PIPE_AGGREGATE, all);
    frames_exprs(&f, count, "count(*) AS n");
    CHECK_FRAME(&f, count, "n bigint!\n{271}");
    for (int i = 0; i < 200; i++) {
        nilas_query *more = frames_over(&f, NILAS_QUERY_FILTER, all);
        more->where = frames_expr(&f, "a > 0");
        all = more;
    }
    CHECK_FRAME_FAILS(&f, all, "FAILED_TO_PARSE_TOO_COMPLEX");
    frames_done(&f);
}
