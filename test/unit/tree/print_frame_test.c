#include "test.h"
#include "tree/tree.h"

static nilas_query *over(nilas_arena *arena, nilas_query_kind kind, nilas_query *input) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_query *query = NULL;
    CHECK_OK(nilas_query_new(arena, kind, -1, &query, &err), err);
    query->input = input;
    return query;
}

NILAS_TEST(frames_print_after_their_input) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    NILAS_AUTO_BUF out = NILAS_BUF_INIT(0);
    nilas_str columns[] = {NILAS_STR("a"), NILAS_STR("select")};
    double numbers[] = {0.5, 1.0};
    nilas_query *local = over(arena, NILAS_QUERY_LOCAL, NULL);
    local->data = NILAS_STR("12345");
    nilas_query *drop = over(arena, NILAS_QUERY_NA_DROP, local);
    drop->columns = columns;
    drop->column_count = 2;
    drop->number = 1;
    drop->has_number = true;
    nilas_query *quantile = over(arena, NILAS_QUERY_APPROX_QUANTILE, drop);
    quantile->numbers = numbers;
    quantile->number_count = 2;
    nilas_query_print(&out, quantile);
    CHECK_STR(nilas_buf_view(&out), "FROM local_relation(5 bytes) |> NA DROP IN (a, `select`) WITH "
                                    "1 |> APPROX QUANTILE AT 0.5, 1.0");
}

NILAS_TEST(frames_are_equal_by_what_they_say_not_by_the_ids_of_their_plans) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_query *a = over(arena, NILAS_QUERY_LOCAL, NULL);
    nilas_query *b = over(arena, NILAS_QUERY_LOCAL, NULL);
    a->plan_id = 1;
    b->plan_id = 2;
    CHECK(nilas_query_equal(a, b));
    b->data = NILAS_STR("");
    CHECK(!nilas_query_equal(a, b));
    a->data = NILAS_STR("");
    a->type = nilas_type_of(NILAS_TYPE_INT);
    CHECK(!nilas_query_equal(a, b));
}
