/* Local relations: what a client sends as an Arrow IPC stream (test/data/local). */
#include "unit/session/frames.h"

static nilas_query *local(frames *f, const char *name) {
    nilas_query *query = frames_over(f, NILAS_QUERY_LOCAL, NULL);
    char path[4096];
    size_t room = 1 << 20;
    void *memory = NULL;
    (void)snprintf(path, sizeof(path), "%s/local/%s.arrows", TEST_DATA, name);
    CHECK_OK(nilas_arena_alloc(f->arena, room, &memory, &f->err), f->err);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        nilas_test_fail(__FILE__, __LINE__, "no %s", path);
        exit(1);
    }
    query->data = (nilas_str){.data = memory, .size = fread(memory, 1, room, file)};
    (void)fclose(file);
    return query;
}

static nilas_query *with_schema(frames *f, nilas_query *query, const char *struct_type) {
    nilas_str text = NILAS_STR_EMPTY;
    CHECK_OK(nilas_str_print(f->arena, &text, &f->err, "CAST(a AS STRUCT<%s>)", struct_type),
             f->err);
    query->type = frames_expr(f, text.data)->type;
    return query;
}

NILAS_TEST(batches_follow_each_other_and_nested_values_come_along) {
    frames f;
    frames_init(&f);
    nilas_query *query = local(&f, "batches");
    CHECK_FRAME(
        &f, query,
        "a int!, b string, c decimal(10,2), d timestamp, e array<struct<x:bigint,y:string>>\n"
        "{1, one, 1.50, 2024-01-01 00:00:00, [{1, p}, {null, null}]}\n"
        "{2, null, null, null, null}\n"
        "{3, , -99999999.99, 1969-12-31 23:59:59.999999, []}");
    frames_done(&f);
}

NILAS_TEST(every_arrow_type_has_its_spark_type) {
    frames f;
    frames_init(&f);
    nilas_query *query = frames_over(&f, NILAS_QUERY_PIPE_SELECT, local(&f, "types"));
    frames_exprs(&f, query, "i8, i16, i64, f16, f32, f64, t, hex(bin), hex(lbin), hex(fbin)");
    CHECK_FRAME(
        &f, query,
        "i8 tinyint, i16 smallint, i64 bigint, f16 float, f32 float, f64 double, t boolean, "
        "hex(bin) string, hex(lbin) string, hex(fbin) string\n"
        "{1, 1, 4611686018427387904, 0.5, 1.5, 1.0E100, true, FF00, 6162, 6162}\n"
        "{null, null, null, null, null, null, null, null, null, null}\n"
        "{-128, -2, -1, 2.0, -0.0, NaN, false, , , 6364}");
    frames_exprs(&f, query, "date, date64, ts_s, ts_ms, ts_ns, dur, dec_small, dec256, dict");
    CHECK_FRAME(
        &f, query,
        "date date, date64 date, ts_s timestamp_ntz, ts_ms timestamp, ts_ns timestamp_ntz, dur "
        "interval day to second, dec_small decimal(4,1), dec256 decimal(38,0), dict string\n"
        "{2024-02-29, 2024-02-29, 2024-01-01 00:00:00, 2024-01-01 00:00:00.001, 1970-01-01 "
        "00:00:00, INTERVAL '1 00:00:00.005' DAY TO SECOND, 1.5, "
        "10000000000000000000000000000000000000, x}\n"
        "{null, null, null, null, null, null, null, null, null}\n"
        "{0001-01-01, 1969-12-31, 1969-12-31 23:59:59, 1969-01-01 00:00:00, 1969-12-31 "
        "23:59:59.999999, INTERVAL '-0 00:00:01' DAY TO SECOND, -999.9, -5, y}");
    frames_exprs(&f, query, "map, fl, ll, n, st");
    CHECK_FRAME(&f, query,
                "map map<string,int>, fl array<int>, ll array<string>, n void, st "
                "struct<p:struct<q:int>>\n"
                "{{k -> 1, l -> null}, [1, 2], [a], null, {{1}}}\n"
                "{null, null, null, null, null}\n"
                "{{}, [3, null], [], null, {null}}");
    frames_done(&f);
}

NILAS_TEST(a_relation_may_be_read_many_times_in_one_query) {
    frames f;
    frames_init(&f);
    nilas_query *rows = local(&f, "batches");
    nilas_query *join = frames_over(&f, NILAS_QUERY_JOIN, NULL);
    join->left = rows;
    join->right = rows;
    join->join_kind = NILAS_JOIN_CROSS;
    nilas_query *count = frames_over(&f, NILAS_QUERY_PIPE_AGGREGATE, join);
    frames_exprs(&f, count, "count(*) AS n");
    CHECK_FRAME(&f, count, "n bigint!\n{9}");
    frames_done(&f);
}

NILAS_TEST(a_given_schema_names_and_casts_by_position) {
    frames f;
    frames_init(&f);
    nilas_query *query =
        with_schema(&f, local(&f, "batches"),
                    "id: BIGINT NOT NULL, name: STRING, c: DECIMAL(12,3), at: DATE, "
                    "list: ARRAY<STRUCT<p: BIGINT, q: STRING>>");
    CHECK_FRAME(&f, query,
                "id bigint!, name string, c decimal(12,3), at date, list "
                "array<struct<p:bigint,q:string>>\n"
                "{1, one, 1.500, 2024-01-01, [{1, p}, {null, null}]}\n"
                "{2, null, null, null, null}\n"
                "{3, , -99999999.990, 1969-12-31, []}");
    query = with_schema(&f, local(&f, "batches"),
                        "a: INT, b: STRING NOT NULL, c: DECIMAL(10,2), d: TIMESTAMP, e: "
                        "ARRAY<STRUCT<x: BIGINT, y: STRING>>");
    CHECK_FRAME_FAILS(&f, query, "NULLABLE_COLUMN_OR_FIELD");
    query = with_schema(&f, local(&f, "batches"),
                        "a: INT, b: INT, c: DECIMAL(10,2), d: TIMESTAMP, e: ARRAY<INT>");
    CHECK_FRAME_FAILS(&f, query, "INVALID_COLUMN_OR_FIELD_DATA_TYPE");
    frames_done(&f);
}

NILAS_TEST(without_rows_there_is_still_a_schema) {
    frames f;
    frames_init(&f);
    nilas_query *empty = local(&f, "empty");
    CHECK_FRAME(&f, empty,
                "a int!, b string, c decimal(10,2), d timestamp, e "
                "array<struct<x:bigint,y:string>>");
    nilas_query *none = frames_over(&f, NILAS_QUERY_LOCAL, NULL);
    CHECK_FRAME(&f, with_schema(&f, none, "a: INT NOT NULL, b: STRING"), "a int!, b string");
    frames_done(&f);
}

NILAS_TEST(bytes_that_are_no_stream_are_refused) {
    frames f;
    frames_init(&f);
    nilas_query *query = local(&f, "batches");
    nilas_error err = NILAS_ERROR_INIT;
    NILAS_AUTO_BUF out = NILAS_BUF_INIT(0);
    size_t whole = query->data.size;
    for (size_t size = 0; size < whole; size += 40) { // cut anywhere: an error or fewer rows
        query->data.size = size;
        nilas_buf_clear(&out);
        nilas_code code = frames_run(&f, query, &out, &err);
        CHECK(code == NILAS_OK || code == NILAS_CORRUPT);
        CHECK(size > 300 || code == NILAS_CORRUPT);
    }
    query->data = NILAS_STR("this is not an Arrow stream at all");
    CHECK_FAILS(frames_run(&f, query, &out, &err), NILAS_CORRUPT, err, "Arrow IPC stream");
    frames_done(&f);
}

NILAS_TEST(wrong_bytes_anywhere_are_an_error_or_other_rows) {
    frames f;
    frames_init(&f);
    uint32_t random = 12345;
    for (int round = 0; round < 1500; round++) {
        nilas_arena *whole = f.arena;
        f.arena = nilas_arena_new(NULL, 0);
        nilas_query *query = local(&f, round % 2 == 0 ? "batches" : "types");
        char *bytes = (char *)(uintptr_t)query->data.data;
        for (int i = 0; i <= round % 3; i++) {
            random = random * 1664525 + 1013904223;
            bytes[(random >> 8) % query->data.size] = (char)(round % 5 == 0 ? 0xff : random >> 24);
        }
        NILAS_AUTO_BUF out = NILAS_BUF_INIT(0);
        nilas_error err = NILAS_ERROR_INIT;
        nilas_code code = frames_run(&f, query, &out, &err);
        CHECK(code == NILAS_OK || err.message[0] != '\0');
        nilas_arena_free(f.arena);
        f.arena = whole;
    }
    frames_done(&f);
}
