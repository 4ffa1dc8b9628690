/* Columns that name their frame, and columns that a frame's select left out. */
#include "unit/session/frames.h"

static nilas_query *rows(frames *f) {
    nilas_query *query = frames_sql(f, "SELECT * FROM VALUES (1,'x',10),(2,'y',20) AS t(a,b,c)");
    query->plan_id = ++f->plan_id;
    return query;
}

static nilas_query *select_columns(frames *f, nilas_query *input, const char *list) {
    nilas_query *query = frames_over(f, NILAS_QUERY_PIPE_SELECT, input);
    frames_exprs(f, query, list);
    return query;
}

static nilas_query *filter(frames *f, nilas_query *input, const char *condition) {
    nilas_query *query = frames_over(f, NILAS_QUERY_FILTER, input);
    query->where = frames_expr(f, condition);
    return query;
}

static nilas_query *join(frames *f, nilas_query *left, nilas_query *right, const char *condition) {
    nilas_query *query = frames_over(f, NILAS_QUERY_JOIN, NULL);
    query->left = left;
    query->right = right;
    query->condition = frames_expr(f, condition);
    return query;
}

NILAS_TEST(a_column_is_its_frames_on_either_side_of_a_join) {
    frames f;
    frames_init(&f);
    nilas_query *left = rows(&f);
    nilas_query *right = filter(&f, rows(&f), "c > 10");
    nilas_query *both = join(&f, left, right, "left.a = right.a");
    both->condition->args[0] = frames_column(&f, left, "a");
    both->condition->args[1] = frames_column(&f, right, "a");
    nilas_query *query = select_columns(&f, both, "a, b");
    query->exprs[0] = frames_column(&f, right, "a");
    query->exprs[1] = frames_column(&f, left, "b");
    CHECK_FRAME(&f, query, "a int!, b string!\n{2, y}");
    frames_exprs(&f, query, "a");
    CHECK_FRAME_FAILS(&f, query, "AMBIGUOUS_REFERENCE");
    query->exprs[0] = frames_expr(&f, "*");
    query->exprs[0]->plan_id = left->plan_id;
    CHECK_FRAME(&f, query, "a int!, b string!, c int!\n{2, y, 20}");
    nilas_query *drop = frames_over(&f, NILAS_QUERY_PIPE_DROP, both);
    drop->lenient = true;
    frames_exprs(&f, drop, "a, nope");
    drop->exprs[0] = frames_column(&f, left, "a");
    CHECK_FRAME(&f, drop, "b string!, c int!, a int!, b string!, c int!\n{y, 20, 2, y, 20}");
    frames_done(&f);
}

NILAS_TEST(a_frame_on_both_sides_is_ambiguous_unless_one_is_the_input_itself) {
    frames f;
    frames_init(&f);
    nilas_query *frame = rows(&f);
    nilas_query *derived = filter(&f, frame, "a > 1");
    nilas_query *both = join(&f, frame, derived, "x = y");
    both->condition->args[0] = frames_column(&f, frame, "a");
    both->condition->args[1] = frames_column(&f, derived, "a");
    CHECK_FRAME(&f, both,
                "a int!, b string!, c int!, a int!, b string!, c int!\n{2, y, 20, 2, y, 20}");
    nilas_query *query = select_columns(&f, both, "a");
    query->exprs[0] = frames_column(&f, frame, "a");
    CHECK_FRAME_FAILS(&f, query, "AMBIGUOUS_COLUMN_REFERENCE");
    query->exprs[0] = frames_column(&f, rows(&f), "a");
    CHECK_FRAME_FAILS(&f, query, "CANNOT_RESOLVE_DATAFRAME_COLUMN");
    frames_done(&f);
}

NILAS_TEST(what_a_select_left_out_can_be_filtered_and_sorted_by_but_not_selected) {
    frames f;
    frames_init(&f);
    nilas_query *frame = rows(&f);
    nilas_query *narrow = select_columns(&f, frame, "a");
    CHECK_FRAME(&f, filter(&f, narrow, "c > 10"), "a int!\n{2}");
    nilas_query *sort = frames_over(&f, NILAS_QUERY_SORT, narrow);
    frames_exprs(&f, sort, "-c");
    sort->exprs[0]->args[0] = frames_column(&f, frame, "c");
    CHECK_FRAME(&f, sort, "a int!\n{2}\n{1}");
    CHECK_FRAME_FAILS(&f, select_columns(&f, narrow, "c"), "UNRESOLVED_COLUMN.WITH_SUGGESTION");
    CHECK_FRAME(&f, select_columns(&f, narrow, "*"), "a int!\n{1}\n{2}");
    frames_done(&f);
}

NILAS_TEST(a_replaced_column_is_found_by_name_a_renamed_one_is_not) {
    frames f;
    frames_init(&f);
    nilas_query *frame = rows(&f);
    nilas_query *replaced = frames_over(&f, NILAS_QUERY_PIPE_SET, frame);
    replaced->or_add = true;
    frames_exprs(&f, replaced, "5 AS a, row_number() OVER (ORDER BY c DESC) AS r");
    nilas_query *query = select_columns(&f, replaced, "a, r");
    query->exprs[0] = frames_column(&f, frame, "a");
    CHECK_FRAME(&f, query, "a int!, r int!\n{5, 1}\n{5, 2}");
    nilas_query *renamed = frames_over(&f, NILAS_QUERY_PIPE_RENAME, frame);
    nilas_str z[] = {NILAS_STR("z")};
    renamed->lenient = true;
    renamed->new_columns = z;
    frames_columns(&f, renamed, "a");
    query = select_columns(&f, renamed, "a");
    query->exprs[0] = frames_column(&f, frame, "a");
    CHECK_FRAME_FAILS(&f, query, "UNRESOLVED_COLUMN.WITH_SUGGESTION");
    CHECK_FRAME(&f, filter(&f, renamed, "a > 1"), "z int!, b string!, c int!\n{2, y, 20}");
    frames_done(&f);
}

NILAS_TEST(columns_by_regular_expression) {
    frames f;
    frames_init(&f);
    nilas_query *query = select_columns(&f, rows(&f), "a");
    query->exprs[0]->kind = NILAS_EXPR_REGEX;
    query->exprs[0]->part_count = 0;
    query->exprs[0]->value = nilas_value_of_str(NILAS_STR("[AC]"));
    CHECK_FRAME(&f, query, "a int!, c int!\n{1, 10}\n{2, 20}");
    frames_done(&f);
}
