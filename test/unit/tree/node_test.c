#include "test.h"
#include "tree/tree.h"

static nilas_expr *new_column(nilas_arena *arena, const char *name) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_expr *column = NULL;
    nilas_str *part = NULL;
    void *memory = NULL;
    (void)!nilas_expr_new(arena, NILAS_EXPR_COLUMN, -1, &column, &err);
    (void)!nilas_arena_alloc(arena, sizeof(*part), &memory, &err);
    part = memory;
    *part = nilas_str_of(name);
    column->parts = part;
    column->part_count = 1;
    return column;
}

static nilas_expr *new_sum(nilas_arena *arena, nilas_expr *left, nilas_expr *right) {
    nilas_error err = NILAS_ERROR_INIT;
    nilas_expr *sum = NULL;
    void *memory = NULL;
    (void)!nilas_expr_new(arena, NILAS_EXPR_BINARY, -1, &sum, &err);
    (void)!nilas_arena_alloc_array(arena, 2, sizeof(*sum->args), &memory, &err);
    sum->args = memory;
    sum->op = NILAS_OP_ADD;
    sum->args[0] = left;
    sum->args[1] = right;
    sum->arg_count = 2;
    return sum;
}

static bool count_nodes(void *context, nilas_expr *expr) {
    size_t *count = context;
    (void)expr;
    (*count)++;
    return true;
}

static bool stop_at_column(void *context, nilas_expr *expr) {
    size_t *count = context;
    (*count)++;
    return expr->kind != NILAS_EXPR_COLUMN;
}

NILAS_TEST(a_walk_meets_every_node_once) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_expr *expr = new_column(arena, "a");
    for (int i = 0; i < 100000; i++) {
        expr = new_sum(arena, expr, new_column(arena, "b"));
    }
    size_t count = 0;
    CHECK(nilas_expr_walk(expr, count_nodes, &count));
    CHECK_INT(count, 200001);
}

NILAS_TEST(a_walk_stops_when_told) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_expr *expr = new_sum(arena, new_column(arena, "a"), new_column(arena, "b"));
    size_t count = 0;
    CHECK(!nilas_expr_walk(expr, stop_at_column, &count));
    CHECK_INT(count, 2);
}

NILAS_TEST(equality_ignores_offsets_but_not_the_case_of_names) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    nilas_expr *a = new_sum(arena, new_column(arena, "a"), new_column(arena, "b"));
    nilas_expr *b = new_sum(arena, new_column(arena, "a"), new_column(arena, "b"));
    b->offset = 7;
    CHECK(nilas_expr_equal(a, b));
    CHECK(!nilas_expr_equal(a, new_sum(arena, new_column(arena, "A"), new_column(arena, "b"))));
}

NILAS_TEST(a_tree_that_came_from_no_text_prints) {
    NILAS_AUTO(nilas_arena) arena = nilas_arena_new(NULL, 0);
    NILAS_AUTO_BUF out = NILAS_BUF_INIT(0);
    nilas_expr *sum = new_sum(arena, new_column(arena, "a"), new_column(arena, "b"));
    nilas_expr_print(&out, new_sum(arena, new_column(arena, "c"), sum));
    CHECK_STR(nilas_buf_view(&out), "c + (a + b)");
}

NILAS_TEST(every_statement_has_a_name) {
    for (int kind = 0; kind <= NILAS_STATEMENT_UNSUPPORTED; kind++) {
        CHECK(nilas_statement_name((nilas_statement_kind)kind) != NULL);
    }
}
